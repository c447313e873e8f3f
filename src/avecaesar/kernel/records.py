"""The records that the rules work on: a course, a set of rules, a race. Names, not column numbers.

A race is one record of fixed size: cloning is a copy, a million races are one array, a snapshot is its bytes.
A *window* is a set of spaces as 64 bits, seen from a space: bit k is the space k further on in the course's
order, round the course. Whatever lies within six steps of a space lies in its window (`courses` sees to it).
Only windows and hands are unsigned: Numba makes floats of signed and unsigned numbers mixed.
"""

from __future__ import annotations

import numpy as np

from avecaesar.courses.course import CROSSINGS_HOME, HIGHEST_CARD, LONGEST_STRIDE, MOST_SPACES, WINDOW
from avecaesar.rules import CARD_VALUES, DECK, MOST_CHARIOTS

CHARIOTS = MOST_CHARIOTS
DECK_SIZE = len(DECK)
CARDS = len(CARD_VALUES) + 1  # indexed by value, 0 unused
HOME = 255  # in place of a space: home
NOBODY = 255  # in place of a chariot
OFF = 30000  # in place of a chariot's space: off the board, and so in nobody's window

# What is asked of the chariot whose turn it is. (Choosing a deck, sorting, drawing, laying and voting will be
# further phases of the same turn.)
PLAY, MISS, CRASH, OVER = range(4)

# Kinds of move. A move is one number: kind, card and destination (see `turn.encode`).
MOVE_PLAY, MOVE_MISS, MOVE_WITHDRAW, MOVE_CRASH = range(4)

# What became of a chariot. All but RACING have left the race; CRASHED ones still stand in the way.
RACING, AT_HOME, OUT_OF_CARDS, CRASHED, WITHDRAWN = range(5)

# Why a turn is missed (OWN-1).
BLOCKED, BARRED, WAITING = range(3)

# How a race ended.
NOT_ENDED, NOBODY_LEFT, FIRST_HOME, STALLED, CUT = range(5)

# Why a move is refused. `game` has the clause and the sentence for each.
(
    ALLOWED,
    REFUSED_OVER,
    REFUSED_NO_SUCH_MOVE,
    REFUSED_NOT_IN_HAND,
    REFUSED_MUST_CRASH,
    REFUSED_NO_CRASH,
    REFUSED_SIX,
    REFUSED_WALL,
    REFUSED_NOT_EXACT,
    REFUSED_NOT_HOME_YET,
    REFUSED_BEYOND_FINISH,
    REFUSED_OCCUPIED,
    REFUSED_BLOCKED,
    REFUSED_TRIBUTE,
    REFUSED_MUST_PLAY,
    REFUSED_MUST_EXCHANGE,
    REFUSED_NO_EXCHANGE,
    REFUSED_NO_WITHDRAWAL,
) = range(18)

COURSE = np.dtype(
    [
        ("onward", "u8", (MOST_SPACES, LONGEST_STRIDE)),  # from which spaces of the window a step leads 1, 2 … on
        ("reach", "u8", (MOST_SPACES, CARDS)),  # by exactly so many steps on an empty course
        ("reach_through_walls", "u8", (MOST_SPACES, CARDS)),  # were there no walls
        ("alley", "u8", MOST_SPACES),  # alley spaces in the window
        ("past", "u8", MOST_SPACES),  # TRI-3: spaces of the window that lie past, driven to on the second lap
        ("stops", "u4", MOST_SPACES),  # the set of cards that reach the alley on an empty course (see `cards`)
        ("landing", "u8"),  # the spaces that steps over the line lead to, in the window of space 0
        ("remaining", "i2", (CROSSINGS_HOME, MOST_SPACES)),
        ("is_past", "i1", (CROSSINGS_HOME, MOST_SPACES)),  # TRI-3, for a chariot that stands there
        ("pays", "i1", (CROSSINGS_HOME, MOST_SPACES)),  # TRI-1
        ("bottleneck", "i1", MOST_SPACES),
        ("spaces", "i2"),
        ("grid", "i2", CHARIOTS),
        ("alley_extra", "i4"),  # what a lap through the alley costs more
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("hand", "i1"),
        ("draw", "i1"),
        ("missed_turn", "i1"),
        ("first_six", "i1"),
        ("narrow_exception", "i1"),
        ("tied_exception", "i1"),
        ("tribute", "i1"),
        ("race_ends", "i1"),
        ("crash", "i1"),
        ("laurels", "i1", CHARIOTS),
    ],
    align=True,
)

RACE = np.dtype(
    [
        # what is asked now, worked out once by `turn.survey`
        ("options", "u8", CARDS),  # where each card may take the chariot on turn, in its window
        ("phase", "i1"),
        ("homeward", "i1"),  # the cards that may take it home, as bits by value
        ("six_barred", "i1"),
        ("duty", "i1"),  # TRI-3 binds it
        ("miss", "i1"),  # why it misses, in phase MISS
        ("exchanges", "i1"),  # and whether a card is exchanged
        # the race
        ("turn", "u1"),  # whose it is; unsigned, for it is an index
        ("chariots", "i1"),
        ("racing", "i1"),  # how many
        ("contenders", "i1"),  # how many of these can still take a place
        ("home", "i1"),  # how many
        ("ban_lifted", "i1"),  # END-4
        ("kept", "i1"),  # END-4: missed turns in a row without exchange
        ("idle", "i2"),  # END-4: missed turns in a row
        ("turns", "i2"),  # taken so far
        ("ending", "i1"),
        # each chariot, in grid order
        ("space", "i2", CHARIOTS),  # OFF when it is off the board
        ("crossings", "i1", CHARIOTS),
        ("status", "i1", CHARIOTS),
        ("coin", "i1", CHARIOTS),
        ("disqualified", "i1", CHARIOTS),
        ("arrival", "i1", CHARIOTS),  # 1 for the first home
        ("remaining", "i2", CHARIOTS),
        ("left", "i2", CHARIOTS),  # the turn in which it left the race
        ("hand", "u4", CHARIOTS),  # how many of each value, four bits a value
        ("held", "i1", CHARIOTS),  # cards in hand
        ("top", "i1", CHARIOTS),  # of the deck, which is a ring
        ("undrawn", "i1", CHARIOTS),  # cards in the deck
        ("known", "i1", CHARIOTS),  # of these, exchanged ones at the bottom: their owner knows them
        ("deck", "i1", (CHARIOTS, DECK_SIZE)),
        # the result
        ("order", "i1", CHARIOTS),  # NEXT-3, the whole order of arrival
        ("place", "i1", CHARIOTS),  # 1 for the winner, 0 for none
        ("laurels", "i1", CHARIOTS),
    ],
    align=True,
)

MOST_MOVES = HIGHEST_CARD * WINDOW + 8  # room for a list of legal moves


def most_turns(chariots: int) -> int:
    """No race takes more: each card and each leaving can be preceded by 26 rounds of missed turns (END-4)."""
    events = (DECK_SIZE + 1) * chariots
    return (events + 1) * (26 * chariots + 1)
