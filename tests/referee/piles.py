"""The cards of the Ausgebremst adaptation (AUS-1 to AUS-3): decks to choose, emperor's cards, ways to sort."""

from collections import Counter
from functools import cache
from typing import TypeAlias

Piles: TypeAlias = tuple[tuple[int, ...], ...]

# AUS-1: the number of cards of each value
DECKS: dict[str, dict[int, int]] = {
    "slow": {6: 4, 5: 4, 4: 4, 3: 4, 2: 4, 1: 4},
    "average": {6: 5, 5: 4, 4: 4, 3: 4, 2: 3},
    "fast": {6: 7, 5: 4, 4: 3, 3: 2, 2: 2},
}
EMPERORS_CARDS: dict[str, list[int]] = {"A": [3], "B": [4, 3]}  # AUS-2, by side
PILES = range(3)  # AUS-3


def cards_of(deck: str, put_aside: list[int]) -> tuple[int, ...]:
    """A deck without the emperor's cards, in ascending order."""
    cards = sorted((Counter(DECKS[deck]) - Counter(put_aside)).elements())
    return tuple(cards)


@cache
def sortings(cards: tuple[int, ...]) -> frozenset[Piles]:
    """AUS-3: three piles, none empty, of one or two values each; a value may be split over piles."""
    found: list[Piles] = [((), (), ())]
    for value, count in sorted(Counter(cards).items()):
        found = [
            tuple(pile + (value,) * more for pile, more in zip(piles, split, strict=True))
            for piles in found
            for split in _splits(count)
            if all(more == 0 or len(set(pile)) < 2 for pile, more in zip(piles, split, strict=True))
        ]
    return frozenset(piles for piles in found if all(piles))


def _splits(count: int) -> list[tuple[int, int, int]]:
    """Every way to spread so many equal cards over three piles."""
    return [
        (first, second, count - first - second) for first in range(count + 1) for second in range(count - first + 1)
    ]
