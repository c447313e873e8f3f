"""A table as it is shown: seats, the race, what a seat must decide, and the story, in one description.

`tables/projection.py` puts it together for whoever looks, and decides what he may know. Chariots are numbered from 0 in
grid order, seats (players) from 0 as the table was laid, spaces by their number on the course.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from avecaesar.courses import Direction
from avecaesar.game.moves import Destination, Move
from avecaesar.game.numbers import ChariotNumber, SeatNumber
from avecaesar.game.view import Question, Status
from avecaesar.server.wire.fields import Colour, Phase, Phrase, SeatKind


class WishShown(msgspec.Struct, frozen=True):
    """Somebody asks to take over a seat that a stand-in drives in this race."""

    number: int
    name: str  # may be empty
    agreed: tuple[SeatNumber, ...]  # seats whose persons let him
    waits: tuple[SeatNumber, ...]  # seats whose persons have not answered


class SeatShown(msgspec.Struct, frozen=True):
    """A seat, as everybody sees it."""

    seat: SeatNumber
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
    seat: SeatNumber | None  # None: riderless
    space: int | None  # None: off the board
    lap: int  # 0 on the grid
    status: Status
    coin: bool  # not paid yet
    owes: bool  # and has to be: not where the tribute is optional, nor of whoever is disqualified
    must_pay: bool  # and on this lap, the last on which it can
    paid: bool  # never of a riderless chariot that had none
    disqualified: bool
    leads: bool
    shares: bool  # the lead, with others
    barred: bool  # leads, and may not play a 6 now (SIX-4 and SIX-5 apart)
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
    turn: ChariotNumber | None  # the chariot that must decide
    order: tuple[ChariotNumber, ...]  # those that still race in the order of their turns, the one that moves now first
    asks: Question | None
    voted_on: ChariotNumber | None
    turn_number: int
    ban_lifted: bool
    over: bool
    arrivals: tuple[ChariotNumber, ...]
    commitment: str  # to the secret that the cards came from
    secret: str | None  # once the race is over
    shares: tuple[str, ...]  # of the players, added to it
    shared_by: tuple[SeatNumber | None, ...]  # the seats of those who gave them, in the same order; None: not known
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
    blockers: tuple[ChariotNumber, ...]  # the chariots that stand in its way


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
    chariot: ChariotNumber  # of the seat's
    since: int  # the event since when it asks this: the same while others answer what all are asked at once
    title: str
    offers: list[Offer]  # all legal moves, in the order of cards; of sortings only the usual one
    refused: list[CardRefused]
    culprits: tuple[ChariotNumber, ...]  # the chariots because of which no card can be played
    warning: str  # what one should know before one decides; mostly empty
    to_sort: tuple[int, ...]  # how many of each value 1 to 6, when the deck is to be sorted
    ahead: bool = False  # somebody else is on turn: the answer is kept until this seat is asked
    coaching: Coaching | None = None  # in a lesson


class HandShown(msgspec.Struct, frozen=True):
    """What one of a seat's chariots holds: for the seat only."""

    chariot: ChariotNumber
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
    chariot: ChariotNumber | None = None  # whose turn
    seat: SeatNumber | None = None  # who said it, or whom it is about
    notation: str = ""  # the turn in the notation of records
    origin: int | None = None  # the space driven from
    way: tuple[int, ...] = ()  # the spaces driven over
    home: bool = False
    paid: bool = False
    missed: bool = False  # whether it was a turn without a move
    culprits: tuple[ChariotNumber, ...] = ()  # of a missed turn: the chariots that everybody sees to stand in the way
    lap: int | None = None  # the lap that it led into
    leads: bool = False  # whether it took the lead, alone
    lead_from: ChariotNumber | None = None  # from which chariot; None: none had led alone before
    by: Literal["person", "driver", "stand-in", "clock", "rule"] | None = None
    phrase: Phrase | None = None
    at: float = 0.0  # when, seconds since 1970
    erased: bool = False  # whether something was said here that is no longer told


class StandingShown(msgspec.Struct, frozen=True):
    """A player's rank in the tournament."""

    rank: int
    seat: SeatNumber
    laurels: int
    places: tuple[int, ...]


class ReadyShown(msgspec.Struct, frozen=True):
    """Between two races: who is ready for the next one. `begin` says that one is; the last one's begins it."""

    ready: tuple[SeatNumber, ...]  # seats
    waits: tuple[SeatNumber, ...]  # seats whose persons have not said so
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
    yours: tuple[SeatNumber, ...]  # your seats
    wished: SeatNumber | None  # the seat that you have asked to take over
    host: bool
    eyes: SeatNumber | None  # the seat whose hand you see; None: a bystander's view
    curtain: SeatNumber | None  # a seat of yours that is called, and whose hand the curtain hides
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
    shared_by: tuple[SeatNumber | None, ...]  # the seats of those who gave them
    shared_left: tuple[bool, ...]  # whether they have left those seats since
    stopped: str | None  # why the next race cannot begin: its cards are sealed with a key that the server lacks
    deadline: float | None  # when the turn runs out, seconds since 1970
    now: float  # the server's time, for the same clock
    standings: list[StandingShown]
    watchers: int
    closed: bool  # nobody plays on
    banned: bool  # whether you may not sit down here any more
    game: int  # which tournament or race at this table, from 0: rematches
