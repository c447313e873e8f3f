"""One race of the kernel in Python values: counters, hands, decks and piles, whoever may know them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from avecaesar.game.moves import DECK_NAMES, Piles
from avecaesar.game.numbers import ChariotNumber
from avecaesar.kernel import entry_points, packing
from avecaesar.kernel import layout as k
from avecaesar.kernel.piles import LAID_CARD
from avecaesar.rules import CARD_VALUES, DECKS

LAID = tuple(int(value == LAID_CARD) for value in CARD_VALUES)  # AUS-4: the emperor's card, counted by value
NO_CARDS = (0,) * len(CARD_VALUES)


class Position:
    """The race's record, field by field. Everything here is the referee's knowledge; `Race.view` says who sees what."""

    names: tuple[str, ...]
    driven: Sequence[ChariotNumber]  # those that somebody drives
    _course_table: packing.Packed
    _sorts: bool  # whether drivers sort their decks into piles

    def _lay_out(self, races: packing.Packed) -> None:
        self._races = races
        self._fields = {name: races[name] for name in k.RACE.names or ()}
        self._sorted: dict[int, Piles] = {}  # first drawn first, as they were sorted

    @property
    def everything(self) -> packing.Packed:
        """The record itself, hidden cards included: never for a driver at a table."""
        return self._races

    def _all(self, field: str) -> list[int]:
        values: list[int] = self._fields[field][0].tolist()
        return values[: len(self.names)]

    def _one(self, field: str) -> int:
        return int(self._fields[field][0])

    def _hand(self, chariot: int) -> tuple[int, ...]:
        return tuple(value for value in CARD_VALUES for _ in range(self._all("hand")[chariot] >> 4 * value & 15))

    def _deck(self, chariot: int) -> list[int]:
        """What is left of a deck that is not sorted, first drawn first."""
        top, undrawn = self._all("top")[chariot], self._all("undrawn")[chariot]
        ring: list[int] = self._fields["deck"][0][chariot].tolist()
        return [ring[(top + i) % len(ring)] for i in range(undrawn)]

    def _bottom(self, chariot: int) -> tuple[int, ...]:
        """The exchanged cards under it."""
        if self._piled(chariot):
            return ()
        deck = self._deck(chariot)
        return tuple(deck[len(deck) - self._all("known")[chariot] :])

    def _undrawn(self, chariot: int) -> tuple[int, ...]:
        """What is in deck or piles, how many of each value; before it is sorted, what is to be sorted."""
        if not self._piled(chariot):
            return counts(self._deck(chariot))
        return added(*self._pile_counts(chariot)) if chariot in self._sorted else self._to_sort(chariot)

    # ------------------------------------------------------------------ piles

    def _piled(self, chariot: int) -> bool:
        """Whether a chariot has piles, or will have."""
        return self._sorts and chariot in self.driven

    def _to_sort(self, chariot: int) -> tuple[int, ...]:
        """The deck that a chariot has to sort, how many of each value; nothing before it is chosen."""
        packed = int(entry_points.cards_to_sort(self._course_table, self._races, 0, chariot))
        return tuple(packed >> 4 * value & 15 for value in CARD_VALUES)

    def _aside(self, chariot: int) -> tuple[int, ...]:
        """AUS-2: the cards of a chariot's deck that were put aside for the emperor, the highest first."""
        choice = self._all("choice")[chariot]
        if not choice:
            return ()
        rest = counts(in_a_row(self._sorted[chariot])) if chariot in self._sorted else self._to_sort(chariot)
        missing = zip(CARD_VALUES, DECKS[DECK_NAMES[choice - 1]], rest, strict=True)
        return tuple(value for value, whole, left in missing for _ in range(whole - left))[::-1]

    def _pile_counts(self, chariot: int) -> tuple[tuple[int, ...], ...]:
        laid = self._all("laid")[chariot]
        return tuple(
            added(counts(cards), LAID) if laid == pile else counts(cards)
            for pile, cards in enumerate(self._piles_of(chariot), 1)
        )

    def _piles_of(self, chariot: int) -> Piles:
        """The cards on each pile, first drawn first, without the one that was laid."""
        cards: list[int] = self._fields["deck"][0][chariot].tolist()
        tops, sizes = (self._fields[name][0][chariot].tolist() for name in ("pile_top", "pile"))
        first, second, third = (tuple(cards[top : top + size]) for top, size in zip(tops, sizes, strict=True))
        return first, second, third


def twin_of(races: packing.Packed) -> packing.Packed:
    """A copy by its bytes: NumPy would copy field by field."""
    return np.frombuffer(bytearray(races.tobytes()), races.dtype)


def counts(cards: Sequence[int]) -> tuple[int, ...]:
    """How many cards there are of each value."""
    return tuple(cards.count(value) for value in CARD_VALUES)


def added(*counted: Sequence[int]) -> tuple[int, ...]:
    """The same of several heaps together."""
    return tuple(map(sum, zip(*counted, strict=True)))


def in_a_row(piles: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The cards of several piles one after the other."""
    return tuple(card for pile in piles for card in pile)
