"""Every way to sort a deck into three piles (AUS-3), as `kernel.piles.sorting_of` numbers them."""

from __future__ import annotations

from itertools import product

import numpy as np

from avecaesar.kernel.piles import MOST_SPLIT, ONE_OR_TWO
from avecaesar.rules import DECKS, PILES

DECK_VALUES = {sum((count > 0) << value for value, count in enumerate(deck, 1)) for deck in DECKS.values()}


def _sorts_a_deck(first: int, second: int, third: int) -> bool:
    """Whether piles of these values, as bits, hold all values of some deck, and at most one of them on two piles."""
    shared = (first & second) | (first & third) | (second & third)
    return (first | second | third) in DECK_VALUES and not first & second & third and shared.bit_count() <= 1


# Which values lie on each pile: the least code of each. It and the MOST_SPLIT - 1 after it say how a value on two piles
# is split.
SORTINGS = np.array(
    [
        MOST_SPLIT * sum(ONE_OR_TWO.index(values) * len(ONE_OR_TWO) ** pile for pile, values in enumerate(piles))
        for piles in product(ONE_OR_TWO, repeat=PILES)
        if _sorts_a_deck(*piles)
    ]
)
