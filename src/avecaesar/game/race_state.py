"""How a race stands: all that can be asked of it without changing it, apart from its moves and who may know what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from avecaesar.game.moves import DECK_NAMES, DeckName, Piles
from avecaesar.game.numbers import ChariotNumber
from avecaesar.game.position import Position, in_a_row
from avecaesar.game.view import Question, Turn
from avecaesar.kernel import entry_points, packing
from avecaesar.kernel import layout as k
from avecaesar.renamed import renamed_attribute
from avecaesar.rules import Rules

QUESTIONS: dict[int, Question] = {k.DECK: "deck", k.SORT: "sort", k.DRAW: "draw", k.LAY: "lay", k.VOTE: "vote"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a driver chose before the race (AUS-1 to AUS-3); piles first drawn first, None before they are sorted."""

    deck: DeckName
    piles: Piles | None
    emperor: tuple[int, ...]


class RaceState(Position):
    """Whose turn it is, who leads, who arrived, and what was dealt, chosen and driven: the referee's knowledge."""

    rules: Rules
    grid: Sequence[ChariotNumber]  # all chariots, by number
    _rules_table: packing.Packed
    _deal: tuple[tuple[int, ...], ...]
    _history: list[Turn]

    @property
    def turn(self) -> ChariotNumber | None:
        """The chariot whose driver must decide; None when the race is over."""
        return None if self.over else self._on_turn

    @property
    def asks(self) -> Question | None:
        """What it must decide: about its turn, or before the race, about its piles, or in a vote."""
        return None if self.over else QUESTIONS.get(self._one("phase"), "turn")

    @property
    def voted_on(self) -> ChariotNumber | None:
        """The riderless chariot that a vote is to move."""
        return ChariotNumber(self._one("voted_on")) if self.asks == "vote" else None

    @property
    def mover(self) -> ChariotNumber | None:
        """The chariot that is to move: the one on turn, or in a vote the riderless one; None when the race is over."""
        return self.turn if self.voted_on is None else self.voted_on

    @property
    def riderless(self) -> frozenset[ChariotNumber]:
        """The chariots without a driver. On their turns there is one legal move."""
        return frozenset(self.grid) - frozenset(self.driven)

    @property
    def players(self) -> tuple[int | None, ...]:
        """For each chariot, whose it is (TEAM-1): players are numbered as their first chariots stand on the grid."""
        many = len(self.driven) // self.rules.chariots_each
        return tuple((s - self.driven[0]) % many if s in self.driven else None for s in self.grid)

    @property
    def memory_aid(self) -> bool:
        """Whether drivers are shown what lies in their piles (AUS-3)."""
        return bool(self._one("memory_aid"))

    @property
    def over(self) -> bool:
        """Whether the race is over."""
        return self._one("phase") == k.OVER

    @property
    def leaders(self) -> frozenset[ChariotNumber]:
        """The chariots that lead; none once a chariot is home."""
        return self._in_bits(entry_points.leading(self._races, 0))

    @property
    def under_ban(self) -> frozenset[ChariotNumber]:
        """The leaders to whom the ban on sixes applies at this moment, whatever they hold (SIX-1)."""
        return self._in_bits(entry_points.all_under_ban(self._rules_table, self._races, 0))

    banned = renamed_attribute("banned", "under_ban")

    def _in_bits(self, bits: int) -> frozenset[ChariotNumber]:
        return frozenset(chariot for chariot in self.grid if int(bits) >> chariot & 1)

    @property
    def arrivals(self) -> tuple[ChariotNumber, ...]:
        """Once the race is over: who arrived, in order (NEXT-3); of the riderless those that took a place."""
        return tuple(ChariotNumber(chariot) for chariot in self._all("order") if chariot >= 0) if self.over else ()

    @property
    def places(self) -> tuple[int | None, ...]:
        """Once the race is over: each chariot's place, 1 for the winner, None for who takes none."""
        return tuple(place or None for place in self._all("place"))

    @property
    def laurels(self) -> tuple[int, ...]:
        """Each chariot's laurels, once the race is over."""
        return tuple(self._all("laurels"))

    @property
    def disqualified(self) -> frozenset[ChariotNumber]:
        """The chariots that went past the alley with their coin (TRI-4)."""
        return frozenset(chariot for chariot, yes in zip(self.grid, self._all("disqualified"), strict=True) if yes)

    @property
    def history(self) -> tuple[Turn, ...]:
        """All turns taken, with everything that only their drivers knew: the referee's own log."""
        return tuple(self._history)

    @property
    def deal(self) -> tuple[tuple[int, ...], ...]:
        """The deal as it came in, in grid order: nobody's to know before the race is over."""
        return self._deal

    @property
    def decks(self) -> tuple[tuple[int, ...], ...]:
        """The cards of each, first drawn first, as secret as the deal; sorted, pile after pile, then the emperor's."""
        return tuple(
            (*in_a_row(self._sorted[chariot]), *self._aside(chariot)) if chariot in self._sorted else deck
            for chariot, deck in zip(self.grid, self._deal, strict=True)
        )

    @property
    def choices(self) -> tuple[Chosen | None, ...]:
        """What each chariot chose before the race, as secret as the deal; None where nothing is chosen, or not yet."""
        return tuple(
            Chosen(DECK_NAMES[choice - 1], self._sorted.get(chariot), self._aside(chariot)) if choice else None
            for chariot, choice in zip(self.grid, self._all("choice"), strict=True)
        )

    @property
    def _on_turn(self) -> ChariotNumber:
        return ChariotNumber(self._one("turn"))

    @property
    def _on_turn_to_sort(self) -> tuple[int, ...]:
        return self._to_sort(self._on_turn) if self.asks == "sort" else ()
