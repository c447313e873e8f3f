"""A move is one number: its kind, a card, a destination; a sorting has its piles in the bits above."""

from __future__ import annotations

from avecaesar.kernel.jit import compiled

SORTING = 20  # where the piles of a sorting begin


@compiled
def encode(kind, card, to):
    """A move: for a play card and destination, for a miss the card exchanged or 0, for a pile its number in `to`."""
    return (kind << 16) | (card << 8) | to


@compiled
def kind_of(move):
    """The kind of a move."""
    return (move >> 16) & 15
