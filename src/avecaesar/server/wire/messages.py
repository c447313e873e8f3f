"""Everything that crosses the wire, in one description: what may be asked of a table, and what it shows to whom.

The socket, the HTTP interface and its OpenAPI page read it; docs/server.md explains it to people. Chariots are numbered
from 0 in grid order, seats (players) from 0 as the table was laid, spaces by their number on the course.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from avecaesar.courses import Direction
from avecaesar.game import COLOURS
from avecaesar.game.moves import Destination, Move
from avecaesar.game.view import Question, Status
from avecaesar.rules import EDITIONS, MOST_CHARIOTS

LONGEST_NAME = 24
LONGEST_SAYING = 300

# Text for people has no blanks around it and no half characters; `legible.fault_in` says what else it must not have.
END = r"$(?!\n)"  # the very end; `$` alone lets a line end through here, and `\Z` means nothing to other languages
_PLAIN = rf"^(?![\s\S]*[\ud800-\udfff])\S([\s\S]*\S)?{END}"
PersonName = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, pattern=_PLAIN)]
Saying = Annotated[str, Meta(min_length=1, max_length=LONGEST_SAYING, pattern=_PLAIN)]
Colour = Literal[COLOURS]  # type: ignore[valid-type]
EditionName = Literal[tuple(EDITIONS)]  # type: ignore[valid-type]
SeatNumber = Annotated[int, Meta(ge=0, le=MOST_CHARIOTS - 1)]
CommandId = Annotated[str, Meta(min_length=1, max_length=64, pattern=f"^[0-9A-Za-z_-]+{END}")]
EventNumber = Annotated[int, Meta(ge=0, le=2**53)]
Share = Annotated[str, Meta(min_length=32, max_length=32, pattern=f"^[0-9a-f]{{32}}{END}")]
Token = Annotated[str, Meta(min_length=16, max_length=128, pattern=f"^[0-9A-Za-z_-]+{END}")]
Digest = Annotated[str, Meta(min_length=64, max_length=64, pattern=f"^[0-9a-f]{{64}}{END}")]
CourseName = Annotated[str, Meta(min_length=1, max_length=64)]
Phrase = Literal["ave", "well-driven", "make-way", "hurry", "sorry", "close", "again"]
SeatKind = Literal["here", "friend", "driver"]  # at this screen, with a link, by the computer
Phase = Literal["gathering", "racing", "podium", "over"]  # podium: between two races


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What comes from outside has no field too many."""


# ---------------------------------------------------------------------- a new table


class SeatPlan(Strict, frozen=True, kw_only=True):
    """Who is to sit on a seat: somebody at this screen, a friend who joins by link, or a driver of the computer's."""

    kind: SeatKind = "driver"
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""  # empty: one of ours
    colour: Colour | None = None  # None: a free one
    driver: Annotated[str, Meta(max_length=32)] = ""  # of a driver of the computer's; empty: one of the usual ones


class NewTable(Strict, frozen=True, kw_only=True):
    """What is to be played, by whom and how: everything that a table needs to begin."""

    seats: Annotated[tuple[SeatPlan, ...], Meta(min_length=1, max_length=MOST_CHARIOTS)]
    edition: EditionName = "ravensburger"  # type: ignore[valid-type]
    options: Annotated[
        dict[Annotated[str, Meta(max_length=32)], Annotated[str, Meta(max_length=32)]],
        Meta(max_length=32),
    ] = {}  # house rules, by name
    course: CourseName = "white"
    direction: Direction = "clockwise"
    tournament: bool = False  # the edition's schedule instead of one race
    side: Literal["A", "B"] | None = None  # of a tournament
    courses: Annotated[tuple[CourseName, ...], Meta(max_length=2)] | None = None  # of a tournament, instead of a side
    board: Digest | None = None  # of a board of one's own that was uploaded: the courses are its
    memory_aid: bool = True
    title: Annotated[str, Meta(max_length=60)] = ""
    open: bool = False  # listed in the lobby, anybody may take a free seat; else by link only
    clock: Annotated[int, Meta(ge=5, le=86_400)] | None = None  # seconds a turn
    away: Annotated[int, Meta(ge=5, le=86_400)] | None = 60  # seconds after which a driver stands in; None: never
    hints: bool = True  # whether the searcher may be asked
    pace: Annotated[int, Meta(ge=0, le=5000)] = 700  # milliseconds between the moves of the computer's drivers
    lesson: bool = False  # the first race with a coach: only the first seat, the title and the pace are as wished


# ---------------------------------------------------------------------- commands


class MakeMove(Strict, frozen=True, tag_field="do", tag="move", kw_only=True):
    """Decide for the chariot of yours that is on turn. `at` is the `changed` of the state that you decided on.

    Decks and their sortings are chosen by all at once: what is chosen before one's turn is kept until then.
    """

    id: CommandId
    at: EventNumber
    seat: SeatNumber
    move: Move


class Say(Strict, frozen=True, tag_field="do", tag="say", kw_only=True):
    """Say something to the table: words of your own, or a phrase."""

    id: CommandId
    text: Saying | None = None
    phrase: Phrase | None = None


class Shake(Strict, frozen=True, tag_field="do", tag="shake", kw_only=True):
    """Add 16 random bytes of your own to the next deal, once its commitment is known."""

    id: CommandId
    share: Share


class Begin(Strict, frozen=True, tag_field="do", tag="begin", kw_only=True):
    """Begin the first race (the host's to say); after it: be ready for the next one, or for a rematch after the last.

    It begins when all persons who sit there are ready; the host may begin without those who have been away too long.
    """

    id: CommandId
    at: EventNumber
    share: Share | None = None


class Pause(Strict, frozen=True, tag_field="do", tag="pause", kw_only=True):
    """Stop clocks and drivers."""

    id: CommandId


class Resume(Strict, frozen=True, tag_field="do", tag="resume", kw_only=True):
    """Go on."""

    id: CommandId


class Dress(Strict, frozen=True, tag_field="do", tag="dress", kw_only=True):
    """Another name or colour, before the first race."""

    id: CommandId
    seat: SeatNumber
    name: PersonName
    colour: Colour


class Stand(Strict, frozen=True, tag_field="do", tag="stand", kw_only=True):
    """Leave a seat of yours: it is free for somebody else, and driven by the computer's driver until then."""

    id: CommandId
    seat: SeatNumber


class Appoint(Strict, frozen=True, tag_field="do", tag="appoint", kw_only=True):
    """The host's: give a seat to a driver of the computer's. Whoever held it does no longer."""

    id: CommandId
    seat: SeatNumber
    driver: Annotated[str, Meta(min_length=1, max_length=32)]


class Vacate(Strict, frozen=True, tag_field="do", tag="vacate", kw_only=True):
    """The host's: free a seat for a friend. Whoever held it does no longer, and old links to it are void."""

    id: CommandId
    seat: SeatNumber


class ShutOut(Strict, frozen=True, tag_field="do", tag="shut_out", kw_only=True):
    """Shut all devices but this one out of a seat of yours; links to it that were not opened yet are void."""

    id: CommandId
    seat: SeatNumber


class HandOn(Strict, frozen=True, tag_field="do", tag="hand_on", kw_only=True):
    """The host's: make the person on a seat the host. You are it no longer, on any device."""

    id: CommandId
    at: EventNumber
    seat: SeatNumber


class VoidLinks(Strict, frozen=True, tag_field="do", tag="void_links", kw_only=True):
    """The host's: void all invitations, and all links to free seats."""

    id: CommandId


class Agree(Strict, frozen=True, tag_field="do", tag="agree", kw_only=True):
    """Let somebody who asked for it take over a seat that a stand-in drives: he does when all of you agree."""

    id: CommandId
    seat: SeatNumber
    wish: EventNumber  # the number of his wish, so that nobody else is meant


class Decline(Strict, frozen=True, tag_field="do", tag="decline", kw_only=True):
    """Do not let him: the stand-in drives on to the end of the race."""

    id: CommandId
    seat: SeatNumber
    wish: EventNumber  # the number of his wish, so that nobody else is meant


class Ban(Strict, frozen=True, tag_field="do", tag="ban", kw_only=True):
    """The host's: free the seats of the person on a seat for good. He may watch, and not sit down here again."""

    id: CommandId
    at: EventNumber
    seat: SeatNumber


class CloseTable(Strict, frozen=True, tag_field="do", tag="close", kw_only=True):
    """The host's: close the table for good. It can be looked at, and nobody plays on."""

    id: CommandId
    at: EventNumber


class EraseSaying(Strict, frozen=True, tag_field="do", tag="erase_saying", kw_only=True):
    """Erase what you have said, or, if the table is yours, what anybody has."""

    id: CommandId
    number: EventNumber  # of the line


class EraseWords(Strict, frozen=True, tag_field="do", tag="erase_words", kw_only=True):
    """The host's, before the first race or after the last: erase all names and words here, and close the table."""

    id: CommandId
    at: EventNumber


class Lift(Strict, frozen=True, tag_field="do", tag="lift", kw_only=True):
    """Lift the curtain: this connection, which holds several seats, now sees this one's hand, until it has moved."""

    id: CommandId
    seat: SeatNumber | None  # None: let it down


class Why(Strict, frozen=True, tag_field="do", tag="why", kw_only=True):
    """Ask why a move is not allowed."""

    id: CommandId
    seat: SeatNumber
    move: Move


class AskHint(Strict, frozen=True, tag_field="do", tag="hint", kw_only=True):
    """Ask the searcher what she would do."""

    id: CommandId
    seat: SeatNumber


Rights = ShutOut | HandOn | VoidLinks | Agree | Decline
Order = Ban | CloseTable | EraseSaying | EraseWords
Logged = (  # change the table
    MakeMove | Say | Shake | Begin | Pause | Resume | Dress | Stand | Appoint | Vacate | Rights | Order
)
Asked = Why | AskHint  # they only want to know
Command = Logged | Asked | Lift


class Sit(Strict, frozen=True, kw_only=True):
    """Take a seat: with the token of a link to it, with an invitation, or at an open table with nothing."""

    token: Token | None = None
    seat: SeatNumber | None = None  # None: the first that is free, or the one that the token is for
    name: PersonName | None = None
    colour: Colour | None = None


class TakeOver(Strict, frozen=True, kw_only=True):
    """Ask those who sit at the table to let you take over a seat that a stand-in drives in this race."""

    token: Token | None = None  # of a link, unless the table is open
    seat: SeatNumber
    name: PersonName | None = None  # who asks


class WantLink(Strict, frozen=True, kw_only=True):
    """Which link is wanted: to a seat of one's own or, for the host, to a free one; without a seat an invitation."""

    seat: SeatNumber | None = None


# ---------------------------------------------------------------------- answers


class Done(msgspec.Struct, frozen=True, tag_field="is", tag="done"):
    """A command was carried out and is on the disk; `number` is its event's. Repeated, it is answered the same."""

    id: str
    number: int


class Refused(msgspec.Struct, frozen=True, tag_field="is", tag="refused"):
    """A command was not carried out, and why; the table is as it was. `clause` names the rule, if it was one."""

    id: str | None
    problem: str
    clause: str | None = None
    pile: int | None = None  # of a sorting the pile that is wrong, from 0


class Reason(msgspec.Struct, frozen=True, tag_field="is", tag="reason"):
    """Why a move is not allowed; `words` is None if it is. `blockers` are the chariots that stand in the way."""

    id: str
    words: str | None
    clause: str | None = None
    blockers: tuple[int, ...] = ()
    pile: int | None = None  # of a sorting the pile that is wrong, from 0


class HintedMove(msgspec.Struct, frozen=True):
    """A move that the searcher has tried: the laurels it earned on average, and the standard error of that."""

    move: Move
    words: str
    laurels: float
    error: float


class Hint(msgspec.Struct, frozen=True, tag_field="is", tag="hint"):
    """The searcher's best moves, the best first, for the state whose `changed` was this."""

    id: str
    seat: int
    changed: int
    moves: list[HintedMove]


class Seated(msgspec.Struct, frozen=True):
    """A seat that was taken. Programs get a key to it, for `Authorization: Bearer TOKEN`; browsers have a cookie."""

    table: str
    seat: int
    token: str | None


class Asking(msgspec.Struct, frozen=True):
    """Those who sit at the table are asked; or you left the seat yourself, and have it back.

    Programs get a key, which holds the seat once all agree.
    """

    table: str
    seat: int
    token: str | None


class Sharing(msgspec.Struct, frozen=True):
    """How long the races of a table are kept, and whether somebody shares them by link."""

    until: float | None  # seconds since 1970; None: for good, as long as somebody shares them, or opens an upload
    shared: bool
    yours: bool  # whether you share them, and may stop it
    may: bool  # whether you may share them


class Forgotten(msgspec.Struct, frozen=True):
    """Your names and words are erased at so many tables; your key opens nothing any more."""

    tables: int


class Laid(msgspec.Struct, frozen=True):
    """A table that was laid: its number, the invitation for friends, and the seats of whoever laid it."""

    table: str
    invitation: str | None
    seats: list[int]
    token: str | None  # the host's key, for programs


class Link(msgspec.Struct, frozen=True):
    """A link for somebody; what stands after the # is the key to it, and only the server's hash of that is kept.

    A link to a seat opens once, for one browser or program; an invitation as long as a seat is free.
    """

    link: str
    until: float  # when it expires, seconds since 1970


class SeatListed(msgspec.Struct, frozen=True):
    """A seat of a table in the lobby."""

    name: str
    colour: Colour
    kind: SeatKind
    taken: bool


class TableListed(msgspec.Struct, frozen=True):
    """A table in the lobby."""

    table: str
    title: str
    edition: str
    course: str
    tournament: bool
    phase: Phase
    paused: bool
    seats: list[SeatListed]
    free: int
    updated: float
    yours: list[int]
    host: bool
    your_turn: bool
    stopped: bool = False  # its race rests until the server has the key to its cards again


class Lobby(msgspec.Struct, frozen=True):
    """Tables that anybody may join or watch, and one's own."""

    open: list[TableListed]
    mine: list[TableListed]


# ---------------------------------------------------------------------- what is shown


class WishShown(msgspec.Struct, frozen=True):
    """Somebody asks to take over a seat that a stand-in drives in this race."""

    number: int
    name: str  # may be empty
    agreed: tuple[int, ...]  # seats whose persons let him
    waits: tuple[int, ...]  # seats whose persons have not answered


class SeatShown(msgspec.Struct, frozen=True):
    """A seat, as everybody sees it."""

    seat: int
    name: str
    colour: Colour
    kind: SeatKind
    driver: str | None  # the computer's driver who sits there
    taken: bool  # False: a free seat that somebody may take
    connected: bool  # whether its person has the table before him now; drivers always
    stand_in: bool  # whether a driver stands in for its person now
    laurels: int  # in this tournament so far
    rank: int | None  # in this tournament, once a race is over
    chosen: bool  # whether it has answered what all are asked at once (deck, sorting), and waits for others
    host: bool = False  # whether its person is the host
    devices: int = 0  # browsers and programs that hold it, each of which sees its hand
    freed: bool = False  # in this race: a stand-in drives to its end, unless all who sit here let somebody take over
    wish: WishShown | None = None  # of somebody who asks for that


class ChariotShown(msgspec.Struct, frozen=True):
    """A chariot of the current race, as everybody sees it."""

    name: str
    colour: str
    seat: int | None  # None: riderless
    space: int | None  # None: off the board
    lap: int  # 0 on the grid
    status: Status
    coin: bool  # not paid yet
    owes: bool  # and has to be: not where the tribute is optional, nor of whoever is disqualified
    disqualified: bool
    leads: bool
    shares: bool  # the lead, with others
    barred: bool  # leads, and may not play a 6 now
    hand_size: int
    deck_size: int
    unseen: tuple[int, ...]  # in hand and deck together, how many of each value 1 to 6
    points_left: int
    to_go: int
    to_spare: int | None  # negative: cannot get home; None: does not race, or before decks are revealed
    open_card: int | None
    deck: str | None
    piles: tuple[int, ...]
    laid: int | None
    emperor: tuple[int, ...]
    arrival: int | None
    place: int | None
    laurels: int  # of this race
    position: int | None  # in the race as it stands, 1 is first; None: races no more and is not home
    behind: int | None  # steps behind whoever of those that race is first; None: does not race
    where: str  # the lane or place that it stands in, in words; empty: off the board
    wasted: int | None  # points that brought it no nearer, once the race is over


class RaceShown(msgspec.Struct, frozen=True):
    """The current race, as everybody sees it."""

    index: int  # from 0
    of: int
    course: str  # its name
    board: str | None  # the digest of a board of somebody's own, None: one of ours
    direction: Direction
    edition: str
    chariots: list[ChariotShown]  # in grid order
    turn: int | None  # the chariot that must decide
    order: tuple[int, ...]  # the chariots that still race in the order of their turns, the one that moves now first
    asks: Question | None
    voted_on: int | None
    turn_number: int
    ban_lifted: bool
    over: bool
    arrivals: tuple[int, ...]
    commitment: str  # to the secret that the cards came from
    secret: str | None  # once the race is over
    shares: tuple[str, ...]  # of the players, added to it
    shared_by: tuple[int | None, ...]  # the seats of those who gave them, in the same order; None: it is not known
    shared_left: tuple[bool, ...]  # whether they have left those seats since
    tribute: str  # the option: required, dishonour or optional


class Offer(msgspec.Struct, frozen=True):
    """A move that can be made, what it leads to, and the way to draw it."""

    move: Move
    words: str  # what it leads to
    name: str  # the move itself in the fewest words that tell it from all others
    code: str  # where it leads to as records have it, such as S8a; empty: nowhere on the board
    card: int | None  # the card that it plays, exchanges or votes with
    to: Destination | None
    way: tuple[int, ...]  # the spaces driven over, the last one included
    wasted: int | None
    pays: bool
    disqualifies: bool
    spare: int | None  # points to spare then; None: not to be told, or of no matter
    risk: Literal["none", "last", "stranded", "disqualified"]  # stranded: cannot get home; last: no more to spare
    warning: str  # the risk in a few words
    cards: int | None  # of a deck: how many
    points: int | None  # and what they add up to


class CardRefused(msgspec.Struct, frozen=True):
    """A card in hand that cannot be played, and why."""

    card: int
    words: str
    clause: str
    blockers: tuple[int, ...]  # the chariots that stand in its way


class Beyond(msgspec.Struct, frozen=True):
    """In a lesson: a space that a card does not lead to, and why: a wall lies between, or the count is not exact."""

    why: Literal["wall", "exact"]
    card: int
    to: int
    words: str
    clause: str
    way: tuple[int, ...]  # the spaces of a way there through the wall; or of the way that the card leads past it
    wall: tuple[int, int] | None = None  # the step that a wall takes away


class Coaching(msgspec.Struct, frozen=True):
    """In a lesson: what the coach would do, who sees what the pupil sees, and what is worth showing."""

    advised: Move
    because: str  # why, in half a sentence; may be empty
    beyond: list[Beyond]


class QuestionShown(msgspec.Struct, frozen=True):
    """What a seat must decide now."""

    asks: Question
    chariot: int  # of the seat's
    since: int  # the event since when it asks this: the same while others answer what all are asked at once
    title: str
    offers: list[Offer]  # all legal moves, the one that suggests itself first; of sortings only the usual one
    refused: list[CardRefused]
    culprits: tuple[int, ...]  # the chariots because of which no card can be played
    warning: str  # what one should know before one decides; mostly empty
    to_sort: tuple[int, ...]  # how many of each value 1 to 6, when the deck is to be sorted
    ahead: bool = False  # somebody else is on turn: the answer is kept until this seat is asked
    coaching: Coaching | None = None  # in a lesson


class HandShown(msgspec.Struct, frozen=True):
    """What one of a seat's chariots holds: for the seat only."""

    chariot: int
    cards: tuple[int, ...]
    undrawn: tuple[int, ...]  # how many of each value 1 to 6
    piles: tuple[tuple[int, ...], ...]  # the same of its piles, if the table allows the memory aid
    bottom: tuple[int, ...]  # exchanged cards under the deck, first drawn first
    standing: str  # how the chariot stands, in words


class Line(msgspec.Struct, frozen=True):
    """A line of what happened: a turn, an announcement, or something said."""

    number: int  # the event's
    kind: Literal["turn", "news", "said"]
    words: str
    chariot: int | None = None  # whose turn
    seat: int | None = None  # who said it, or whom it is about
    notation: str = ""  # the turn in the notation of records
    origin: int | None = None  # the space driven from
    way: tuple[int, ...] = ()  # the spaces driven over
    home: bool = False
    paid: bool = False
    missed: bool = False  # whether it was a turn without a move
    culprits: tuple[int, ...] = ()  # of a missed turn: the chariots that everybody sees to stand in the way
    lap: int | None = None  # the lap that it led into
    leads: bool = False  # whether it took the lead, alone
    lead_from: int | None = None  # from which chariot; None: none had led alone before
    by: Literal["person", "driver", "stand-in", "clock", "rule"] | None = None
    phrase: Phrase | None = None
    at: float = 0.0  # when, seconds since 1970
    erased: bool = False  # whether something was said here that is no longer told


class StandingShown(msgspec.Struct, frozen=True):
    """A player's rank in the tournament."""

    rank: int
    seat: int
    laurels: int
    places: tuple[int, ...]


class ReadyShown(msgspec.Struct, frozen=True):
    """Between two races: who is ready for the next one. `begin` says that one is; the last one's begins it."""

    ready: tuple[int, ...]  # seats
    waits: tuple[int, ...]  # seats whose persons have not said so
    you: bool  # whether you have said so, for all your seats
    begins: bool  # whether the race begins if you say `begin` now
    without_from: float | None  # when you may begin without those who are away, seconds since 1970; None: not at all


class TableShown(msgspec.Struct, frozen=True):
    """A table as one connection may see it."""

    table: str
    title: str
    number: int  # of the last event
    changed: int  # of the last event that a decision must know of: `at` of a command
    phase: Phase
    paused: bool
    paused_by: str | None  # the name of who did it; None: the host, without a seat
    yours: tuple[int, ...]  # your seats
    wished: int | None  # the seat that you have asked to take over
    host: bool
    eyes: int | None  # the seat whose hand you see; None: a bystander's view
    curtain: int | None  # a seat of yours that is called, and whose hand the curtain hides
    plan: dict[str, Any]  # what is played, as the table was laid
    house_rules: list[str]  # in words
    stages: list[tuple[str, Direction]]
    seats: list[SeatShown]
    race: RaceShown | None
    hands: list[HandShown]  # of `eyes`: the chariot on turn first
    question: QuestionShown | None
    ready: ReadyShown | None  # between two races, and after the last
    sealed: str | None  # the commitment to the next race's cards
    shaken: bool  # whether you have added your share to them
    shares: tuple[str, ...]  # added to them so far, in the order in which they are dealt with
    shared_by: tuple[int | None, ...]  # the seats of those who gave them
    shared_left: tuple[bool, ...]  # whether they have left those seats since
    stopped: str | None  # why the next race cannot begin: its cards are sealed with a key that the server lacks
    deadline: float | None  # when the turn runs out, seconds since 1970
    now: float  # the server's time, for the same clock
    standings: list[StandingShown]
    watchers: int
    closed: bool  # nobody plays on
    banned: bool  # whether you may not sit down here any more
    game: int  # which tournament or race at this table, from 0: rematches


class Whole(msgspec.Struct, frozen=True, tag_field="is", tag="whole"):
    """The table and everything told in this race and said so far: the first message, and after a gap."""

    table: TableShown
    story: list[Line]


class News(msgspec.Struct, frozen=True, tag_field="is", tag="news"):
    """The table as it is now, and what was told since the message before."""

    table: TableShown
    story: list[Line]


class Bye(msgspec.Struct, frozen=True, tag_field="is", tag="bye"):
    """The server ends the connection, and why."""

    problem: str


Outgoing = Whole | News | Done | Refused | Reason | Hint | Bye
