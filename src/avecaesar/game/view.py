"""What the driver of one chariot may know, built by allow-list: the only thing that drivers ever receive.

Two races that differ only in what a driver cannot know give him equal views. (One exception is the game's
own: SIX-5 lets a leader see by what he may do that his equals hold nothing but sixes.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, cast

from numpy.typing import NDArray

from avecaesar.courses import Course
from avecaesar.game.moves import DeckName, Hidden, Move, Play
from avecaesar.game.numbers import AnyChariot, ChariotNumber
from avecaesar.game.refusal import Refusal
from avecaesar.kernel import entry_points, packing
from avecaesar.renamed import renamed_attribute
from avecaesar.rules import Rules

Status = Literal["racing", "home", "out of cards", "crashed", "withdrawn"]
MissReason = Literal["blocked", "barred", "waiting"]
Question = Literal["turn", "deck", "sort", "draw", "lay", "vote"]


@dataclass(frozen=True, slots=True)
class Turn:
    """A decision that was made. What only its driver may know is None for the others, in the move or in its place."""

    chariot: ChariotNumber
    move: Move | Hidden | None  # None: a missed turn of somebody else, with whatever card he exchanged
    exchanged: bool = False  # a missed turn in which a card went under the deck
    reason: MissReason | None = None  # why the turn was missed

    seat = renamed_attribute("seat", "chariot")

    @property
    def made(self) -> Move:
        """The move itself, for whoever may know it: in a race's own history, or after the race."""
        if self.move is None or isinstance(self.move, Hidden):
            raise ValueError("this move is hidden")
        return self.move


@dataclass(frozen=True, slots=True)
class Chariot:
    """What everybody sees of a chariot."""

    name: str
    riderless: bool
    player: int | None  # whose it is, players numbered as their first chariots stand on the grid; None: riderless
    space: int | None  # None: off the board
    crossings: int
    coin: bool  # not paid yet; whether it is owed, `View.owes` tells
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

    def paid_since(self, then: Chariot) -> bool:
        """Whether it has paid its coin since it was seen like that (TRI-1)."""
        return then.coin and not self.coin

    def disqualified_since(self, then: Chariot) -> bool:
        """Whether it has been disqualified since it was seen like that (TRI-4)."""
        return self.disqualified and not then.disqualified


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a play would do for the chariot that makes it, told before the card is laid."""

    remaining: int  # fewest steps to home from there
    wasted: int  # points that bring it no nearer
    pays: bool
    owes: bool  # still its coin, after it
    disqualifies: bool


@dataclass(frozen=True, repr=False)
class View:
    """The race as the driver of one chariot sees it; `chariot` is None for a spectator."""

    course: Course
    rules: Rules
    chariot: ChariotNumber | None
    turn: ChariotNumber | None  # who must decide, None when the race is over
    asks: Question | None  # what about
    voted_on: ChariotNumber | None  # the riderless chariot that a vote is to move (NPC-3)
    memory_aid: bool  # whether drivers are shown what lies in their piles
    chariots: tuple[Chariot, ...]  # in grid order
    leaders: frozenset[ChariotNumber]
    under_ban: frozenset[ChariotNumber]  # those of them who may not play a 6 now (but for SIX-4 and SIX-5)
    ban_lifted: bool  # END-4
    history: tuple[Turn, ...]
    hand: tuple[int, ...]  # own cards, sorted
    undrawn: tuple[int, ...]  # own deck, how many of each value 1 to 6; before it is sorted, what is to be sorted
    piles: tuple[tuple[int, ...], ...]  # own piles, how many of each value 1 to 6; none without a memory aid
    bottom: tuple[int, ...]  # own exchanged cards under the deck, first drawn first
    legal_moves: tuple[Move, ...]  # when it is this chariot's turn
    outlooks: dict[Play, Outlook]  # and what each play would do
    refusals: dict[int, Refusal]  # why a card in hand cannot be played at all
    arrivals: tuple[ChariotNumber, ...]  # the whole order of arrival, once the race is over
    laurels: tuple[int, ...]
    decks: tuple[tuple[int, ...], ...] | None  # the deal, opened after the race; of a sorted deck pile after pile
    # The same knowledge as the kernel's record, for compiled drivers: equal views have equal bytes here.
    known: NDArray[Any] = field(compare=False)

    seat = renamed_attribute("seat", "chariot")
    banned = renamed_attribute("banned", "under_ban")

    def __repr__(self) -> str:
        who = "a spectator" if self.chariot is None else f"chariot {self.chariot} ({self.me.name})"
        when = "over" if self.over else f"turn {len(self.history) + 1}, chariot {self.turn} to move"
        return f"<View of {who} on {self.course}: {when}, hand {self.hand}>"

    @property
    def grid(self) -> Sequence[ChariotNumber]:
        """All chariots, by number."""
        return cast("Sequence[ChariotNumber]", range(len(self.chariots)))

    @property
    def over(self) -> bool:
        """Whether the race is over."""
        return self.turn is None

    @property
    def turns_taken(self) -> int:
        """How many turns have been taken; votes, draws and what comes before the race are decisions, but no turns."""
        return int(self.known["turns"][0])

    @property
    def mover(self) -> ChariotNumber | None:
        """The chariot that is to move: the one on turn, or in a vote the riderless one; None when the race is over."""
        return self.turn if self.voted_on is None else self.voted_on

    @property
    def me(self) -> Chariot:
        """One's own chariot."""
        if self.chariot is None:
            raise ValueError("a spectator drives no chariot")
        return self.chariots[self.chariot]

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        """The legal moves that play a card."""
        return tuple(move for move in self.legal_moves if isinstance(move, Play))

    @cached_property
    def _owing(self) -> int:
        return int(entry_points.owing(packing.rules_table(self.rules), self.known, 0))

    def owes(self, chariot: AnyChariot) -> bool:
        """Whether a chariot still has to pay its coin: not where that is up to it, nor once it is disqualified."""
        return bool(self._owing >> chariot & 1)

    @cached_property
    def _owing_now(self) -> int:
        return int(entry_points.owing_now(packing.rules_table(self.rules), self.known, 0))

    def must_pay(self, chariot: AnyChariot) -> bool:
        """Whether a chariot owes its coin and is on the last lap on which it can pay it."""
        return bool(self._owing_now >> chariot & 1)

    @cached_property
    def _paid(self) -> int:
        return int(entry_points.all_paid(self.known, 0))

    def paid(self, chariot: AnyChariot) -> bool:
        """Whether a chariot has paid its coin; never one that had none, as some riderless ones."""
        return bool(self._paid >> chariot & 1)

    def to_go(self, chariot: AnyChariot) -> int:
        """The fewest points that bring a chariot home, the way through the alley included if it owes its coin."""
        return self.chariots[chariot].remaining + (self.course.alley_extra if self.owes(chariot) else 0)

    def to_spare(self, chariot: AnyChariot) -> int:
        """Points that a chariot can waste and still get home; negative: it cannot."""
        return self.chariots[chariot].points_left - self.to_go(chariot)
