"""Everything that crosses the wire, in one description: what may be asked of a table, and how it is answered.

The socket, the HTTP interface and its OpenAPI page read it; docs/server.md explains it to people. Chariots are numbered
from 0 in grid order, seats (players) from 0 as the table was laid, spaces by their number on the course.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from avecaesar.courses import Direction
from avecaesar.game.moves import Move
from avecaesar.game.numbers import ChariotNumber, SeatNumber
from avecaesar.rules import MOST_CHARIOTS
from avecaesar.server.wire.fields import (
    LONGEST_NAME,
    CheckedDigest,
    CheckedSeat,
    CheckedShare,
    Colour,
    CommandId,
    CourseName,
    EditionName,
    EventNumber,
    PersonName,
    Phase,
    Phrase,
    Saying,
    SeatKind,
    Token,
)
from avecaesar.server.wire.shown import Line, TableShown


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
    board: CheckedDigest | None = None  # of a board of one's own that was uploaded: the courses are its
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
    seat: CheckedSeat
    move: Move


class Say(Strict, frozen=True, tag_field="do", tag="say", kw_only=True):
    """Say something to the table: words of your own, or a phrase."""

    id: CommandId
    text: Saying | None = None
    phrase: Phrase | None = None


class Shake(Strict, frozen=True, tag_field="do", tag="shake", kw_only=True):
    """Add 16 random bytes of your own to the next deal, once its commitment is known."""

    id: CommandId
    share: CheckedShare


class Begin(Strict, frozen=True, tag_field="do", tag="begin", kw_only=True):
    """Begin the first race (the host's to say); after it: be ready for the next one, or for a rematch after the last.

    It begins when all persons who sit there are ready; the host may begin without those who have been away too long.
    """

    id: CommandId
    at: EventNumber
    share: CheckedShare | None = None


class Pause(Strict, frozen=True, tag_field="do", tag="pause", kw_only=True):
    """Stop clocks and drivers."""

    id: CommandId


class Resume(Strict, frozen=True, tag_field="do", tag="resume", kw_only=True):
    """Go on."""

    id: CommandId


class Dress(Strict, frozen=True, tag_field="do", tag="dress", kw_only=True):
    """Another name or colour, before the first race."""

    id: CommandId
    seat: CheckedSeat
    name: PersonName
    colour: Colour


class Stand(Strict, frozen=True, tag_field="do", tag="stand", kw_only=True):
    """Leave a seat of yours: it is free for somebody else, and driven by the computer's driver until then."""

    id: CommandId
    seat: CheckedSeat


class Appoint(Strict, frozen=True, tag_field="do", tag="appoint", kw_only=True):
    """The host's: give a seat to a driver of the computer's. Whoever held it does no longer."""

    id: CommandId
    seat: CheckedSeat
    driver: Annotated[str, Meta(min_length=1, max_length=32)]


class Vacate(Strict, frozen=True, tag_field="do", tag="vacate", kw_only=True):
    """The host's: free a seat for a friend. Whoever held it does no longer, and old links to it are void."""

    id: CommandId
    seat: CheckedSeat


class ShutOut(Strict, frozen=True, tag_field="do", tag="shut_out", kw_only=True):
    """Shut all devices but this one out of a seat of yours; links to it that were not opened yet are void."""

    id: CommandId
    seat: CheckedSeat


class HandOn(Strict, frozen=True, tag_field="do", tag="hand_on", kw_only=True):
    """The host's: make the person on a seat the host. You are it no longer, on any device."""

    id: CommandId
    at: EventNumber
    seat: CheckedSeat


class VoidLinks(Strict, frozen=True, tag_field="do", tag="void_links", kw_only=True):
    """The host's: void all invitations, and all links to free seats."""

    id: CommandId


class Agree(Strict, frozen=True, tag_field="do", tag="agree", kw_only=True):
    """Let somebody who asked for it take over a seat that a stand-in drives: he does when all of you agree."""

    id: CommandId
    seat: CheckedSeat
    wish: EventNumber  # the number of his wish, so that nobody else is meant


class Decline(Strict, frozen=True, tag_field="do", tag="decline", kw_only=True):
    """Do not let him: the stand-in drives on to the end of the race."""

    id: CommandId
    seat: CheckedSeat
    wish: EventNumber  # the number of his wish, so that nobody else is meant


class Ban(Strict, frozen=True, tag_field="do", tag="ban", kw_only=True):
    """The host's: free the seats of the person on a seat for good. He may watch, and not sit down here again."""

    id: CommandId
    at: EventNumber
    seat: CheckedSeat


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
    seat: CheckedSeat | None  # None: let it down


class Why(Strict, frozen=True, tag_field="do", tag="why", kw_only=True):
    """Ask why a move is not allowed."""

    id: CommandId
    seat: CheckedSeat
    move: Move


class AskHint(Strict, frozen=True, tag_field="do", tag="hint", kw_only=True):
    """Ask the searcher what she would do."""

    id: CommandId
    seat: CheckedSeat


RightsCommand = ShutOut | HandOn | VoidLinks | Agree | Decline
Moderation = Ban | CloseTable | EraseSaying | EraseWords
Logged = (  # change the table
    MakeMove | Say | Shake | Begin | Pause | Resume | Dress | Stand | Appoint | Vacate | RightsCommand | Moderation
)
Asked = Why | AskHint  # they only want to know
Command = Logged | Asked | Lift


class Sit(Strict, frozen=True, kw_only=True):
    """Take a seat: with the token of a link to it, with an invitation, or at an open table with nothing."""

    token: Token | None = None
    seat: CheckedSeat | None = None  # None: the first that is free, or the one that the token is for
    name: PersonName | None = None
    colour: Colour | None = None


class TakeOver(Strict, frozen=True, kw_only=True):
    """Ask those who sit at the table to let you take over a seat that a stand-in drives in this race."""

    token: Token | None = None  # of a link, unless the table is open
    seat: CheckedSeat
    name: PersonName | None = None  # who asks


class WantLink(Strict, frozen=True, kw_only=True):
    """Which link is wanted: to a seat of one's own or, for the host, to a free one; without a seat an invitation."""

    seat: CheckedSeat | None = None


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
    blockers: tuple[ChariotNumber, ...] = ()
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
    seat: SeatNumber
    changed: int
    moves: list[HintedMove]


class Seated(msgspec.Struct, frozen=True):
    """A seat that was taken. Programs get a key to it, for `Authorization: Bearer TOKEN`; browsers have a cookie."""

    table: str
    seat: SeatNumber
    token: str | None


class Asking(msgspec.Struct, frozen=True):
    """Those who sit at the table are asked; or you left the seat yourself, and have it back.

    Programs get a key, which holds the seat once all agree.
    """

    table: str
    seat: SeatNumber
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
    seats: list[SeatNumber]
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
    yours: list[SeatNumber]
    host: bool
    your_turn: bool
    stopped: bool = False  # its race rests until the server has the key to its cards again


class Lobby(msgspec.Struct, frozen=True):
    """Tables that anybody may join or watch, and one's own."""

    open: list[TableListed]
    mine: list[TableListed]


# ---------------------------------------------------------------------- what is told unasked


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
