"""How events and guesses are written as numbers, and the record of all that a driver has seen."""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.layout import CARDS, CHARIOTS, RACE
from avecaesar.kernel.movement import ONE
from avecaesar.kernel.packing import Packed, new_packed
from avecaesar.kernel.piles import PACKED

# An event is a move as he saw it, without what was hidden; above it who made it, whether a card was exchanged,
# and from 1 on why a turn was missed, if he knows.
CHARIOT = 20
EXCHANGED = 24
REASON = 25

GUESSES = 2048  # kept of one chariot
PLACES = 2 * GUESSES  # where to look for a guess by its cards

# The hand of a guess: known cards as in a race's hand, and above them how many are fresh from each pile (a deck is one
# pile). The rest of a guess: of a deck the cards put under it, three bits a card, first drawn first, 0 a fresh one;
# of piles all that is not accounted for on each and in hand, three bits a value.
FRESH = 32
KNOWN_CARDS = (1 << FRESH) - 1
PILE_BITS = 18
MOST_UNDER = 21  # put under a deck: more do not fit

# A set of values is a number of six bits; sets of these sets are 64 bits. WITH are those that hold a value.
VALUE_SETS = 64
ALL_VALUES = VALUE_SETS - 1
SIX_ALONE = 32
WITH = np.array(
    [sum(1 << s for s in range(VALUE_SETS) if value and s >> (value - 1) & 1) for value in range(CARDS)], "u8"
)
ANY = ~ONE  # but not the empty one
ONLY_SIXES = ONE << np.uint64(SIX_ALONE)
ANY_HAND = -1
FULL_DECK = PACKED[0]

EVIDENCE = np.dtype(
    [
        ("ghost", RACE),
        ("chariot", "i8"),
        ("sixes", "i1"),  # whether it was seen itself to hold nothing but sixes
        ("hidden", "i1", CHARIOTS),  # whose cards are guessed
        ("lost", "i8"),  # chariots of which no guess was left
        ("unseen", "i8", CHARIOTS),  # what each holds and has not drawn, how many of each value
        ("under", "i8", CHARIOTS),  # how many cards lie under its deck that were exchanged
        ("undrawn", "i8", CHARIOTS),  # before the last turn
        ("guesses", "i8", CHARIOTS),  # how many
        ("hand", "i8", (CHARIOTS, GUESSES)),
        ("rest", "i8", (CHARIOTS, GUESSES)),
        ("weight", "f8", (CHARIOTS, GUESSES)),  # in the end added up
        # room to make new guesses in
        ("new", "i8"),
        ("new_hand", "i8", GUESSES),
        ("new_rest", "i8", GUESSES),
        ("new_weight", "f8", GUESSES),
        ("places", "i8", PLACES),  # what stands there is older than `oldest`, or the number of a guess above it
        ("oldest", "i8"),
    ],
    align=True,
)


def new_evidence() -> Packed:
    """Room for what a driver has seen; it can be used again and again."""
    return new_packed(1, EVIDENCE)
