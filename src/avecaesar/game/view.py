"""What one seat may know, and nothing else: built by allow-list, the only thing that drivers ever receive.

Two races that differ only in what a seat cannot know give that seat equal views. (One exception is the game's
own: SIX-5 lets a leader see by what he may do that his equals hold nothing but sixes.)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from numpy.typing import NDArray

from avecaesar.courses import Course
from avecaesar.game.moves import DeckName, Move, Play
from avecaesar.game.refusal import Infraction
from avecaesar.rules import Rules

Status = Literal["racing", "home", "out of cards", "crashed", "withdrawn"]
MissReason = Literal["blocked", "barred", "waiting"]
Question = Literal["turn", "deck", "sort", "draw", "lay", "vote"]


@dataclass(frozen=True, slots=True)
class Turn:
    """A decision that was made. What only its driver may know is None for the others, in the move or in its place."""

    seat: int
    move: Move | None  # None: a missed turn of somebody else, with whatever card he exchanged
    exchanged: bool = False  # a missed turn in which a card went under the deck
    reason: MissReason | None = None  # why the turn was missed


@dataclass(frozen=True, slots=True)
class Chariot:
    """What everybody sees of a chariot."""

    name: str
    riderless: bool
    player: int | None  # whose it is, players numbered as their first chariots stand on the grid; None: riderless
    space: int | None  # None: off the board
    crossings: int
    coin: bool  # still owed
    status: Status
    disqualified: bool
    remaining: int  # fewest steps to home from here (or from where it left)
    hand_size: int
    deck_size: int
    unseen: tuple[int, ...]  # in hand and deck together, how many of each value 1 to 6; none before decks are revealed
    open_card: int | None  # of a riderless chariot: the card that it has drawn
    deck: DeckName | None  # the one chosen (AUS-1), once all have chosen
    piles: tuple[int, ...]  # cards on each of its three piles (AUS-3), once all have sorted
    laid: int | None  # the pile on which the emperor's 3 lies (AUS-4), counted from 0
    emperor: tuple[int, ...]  # cards that a stop in the alley would still bring back (AUS-2)
    arrival: int | None  # 1 for the first home, disqualified or not
    place: int | None  # 1 for the winner, once the race is over

    @property
    def lap(self) -> int:
        """0 on the grid, 1 to 3 on the way."""
        return min(self.crossings, 3)

    @property
    def points_left(self) -> int:
        """All points in hand and deck: everybody can count them."""
        return sum(value * count for value, count in enumerate(self.unseen, 1))


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a play would do for the chariot that makes it, told before the card is laid."""

    remaining: int  # fewest steps to home from there
    wasted: int  # points that bring it no nearer
    pays: bool
    disqualifies: bool


@dataclass(frozen=True, repr=False)
class View:
    """The race as one seat sees it; `seat` is None for a spectator."""

    course: Course
    rules: Rules
    seat: int | None
    turn: int | None  # who must decide, None when the race is over
    asks: Question | None  # what about
    voted_on: int | None  # the riderless chariot that a vote is to move (NPC-3)
    memory_aid: bool  # whether drivers are shown what lies in their piles
    chariots: tuple[Chariot, ...]  # in grid order
    leaders: frozenset[int]
    banned: frozenset[int]  # those of them who may not play a 6 now (but for SIX-4 and SIX-5)
    ban_lifted: bool  # END-4
    history: tuple[Turn, ...]
    hand: tuple[int, ...]  # own cards, sorted
    undrawn: tuple[int, ...]  # own deck, how many of each value 1 to 6; before it is sorted, what is to be sorted
    piles: tuple[tuple[int, ...], ...]  # own piles, how many of each value 1 to 6; none without a memory aid
    bottom: tuple[int, ...]  # own exchanged cards under the deck, first drawn first
    legal_moves: tuple[Move, ...]  # when it is this seat's turn
    outlooks: dict[Play, Outlook]  # and what each play would do
    refusals: dict[int, Infraction]  # why a card in hand cannot be played at all
    arrivals: tuple[int, ...]  # the whole order of arrival, once the race is over
    laurels: tuple[int, ...]
    decks: tuple[tuple[int, ...], ...] | None  # the deal, opened after the race; of a sorted deck pile after pile
    # The same knowledge as the kernel's record, for compiled drivers: equal views have equal bytes here.
    known: NDArray[Any] = field(compare=False)

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else f"seat {self.seat} ({self.me.name})"
        when = "over" if self.over else f"turn {len(self.history) + 1}, seat {self.turn} to move"
        return f"<View of {who} on {self.course}: {when}, hand {self.hand}>"

    @property
    def over(self) -> bool:
        """Whether the race is over."""
        return self.turn is None

    @property
    def me(self) -> Chariot:
        """This seat's own chariot."""
        if self.seat is None:
            raise ValueError("a spectator drives no chariot")
        return self.chariots[self.seat]

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        """The legal moves that play a card."""
        return tuple(move for move in self.legal_moves if isinstance(move, Play))

    def to_go(self, seat: int) -> int:
        """The fewest points that bring a chariot home, the way through the alley included if it owes its coin."""
        chariot = self.chariots[seat]
        owing = chariot.coin and not chariot.disqualified and self.rules.tribute != "optional"
        return chariot.remaining + (self.course.alley_extra if owing else 0)

    def to_spare(self, seat: int) -> int:
        """Points that a chariot can waste and still get home; negative: it cannot."""
        return self.chariots[seat].points_left - self.to_go(seat)
