"""The records that the rules work on: a course, a set of rules, a race. Names, not column numbers.

A race is one record of fixed size: cloning is a copy, a million races are one array, a snapshot is its bytes.
A *window* is a bitboard, a set of spaces as 64 bits, seen from a space: bit k is the space k further on in the course's
order, round the course. Whatever lies within six steps of a space lies in its window (`courses` sees to it).
Only windows and hands are unsigned: Numba makes floats of signed and unsigned numbers mixed.
"""

from __future__ import annotations

import numpy as np

from avecaesar.courses.course import CROSSINGS_HOME, HIGHEST_CARD, LONGEST_STRIDE, MOST_SPACES, WINDOW
from avecaesar.rules import CARD_VALUES, MOST_CHARIOTS, PILES
from avecaesar.rules import DECK as FULL_DECK

CHARIOTS = MOST_CHARIOTS
DECK_SIZE = len(FULL_DECK)
CARDS = len(CARD_VALUES) + 1  # indexed by value, 0 unused
HOME = 255  # in place of a space: home
NOBODY = 255  # in place of a chariot
OFF = 30000  # in place of a chariot's space: off the board, and so in nobody's window

# What is asked of the chariot whose turn it is to decide. All after OVER are no turns of their own: they come before
# the race (AUS-1), complete a turn (AUS-3, AUS-4) or move a riderless chariot (NPC-3).
PLAY, MISS, CRASH, OVER, DECK, SORT, DRAW, LAY, VOTE = range(9)

# Kinds of move. A move is one number: see `move_codes`.
MOVE_PLAY, MOVE_MISS, MOVE_WITHDRAW, MOVE_CRASH, MOVE_DECK, MOVE_SORT, MOVE_DRAW, MOVE_LAY, MOVE_VOTE = range(9)

ABSTAINED = 254  # in place of the space that a driver votes for

# What became of a chariot. All but RACING have left the race; CRASHED ones still stand in the way.
RACING, AT_HOME, OUT_OF_CARDS, CRASHED, WITHDRAWN = range(5)

# Why a turn is missed (OWN-1).
BLOCKED, BARRED, WAITING = range(3)

# How a race ended.
NOT_ENDED, NOBODY_LEFT, FIRST_HOME, STALLED, CUT = range(5)

# Why a move is refused. `game/refusal.py` has the clause and the sentence for each.
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
    REFUSED_CHOOSE_DECK,
    REFUSED_SORT,
    REFUSED_DRAW,
    REFUSED_LAY,
    REFUSED_VOTE,
    REFUSED_NOT_NOW,
    REFUSED_SORTING,
    REFUSED_EMPTY_PILE,
    REFUSED_NO_SUCH_VOTE,
    REFUSED_RIDERLESS,
) = range(28)
REFUSED_LEFT_EMPTY = 28  # and the number of the pile
REFUSED_MIXED = REFUSED_LEFT_EMPTY + PILES  # likewise

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
        ("side_b", "i1"),
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
        ("riderless", "i1"),
        ("riderless_moves", "i1"),
        ("chariots_each", "i1"),
        ("decks", "i1"),
        ("emperor_cards", "i1"),
        ("laurels", "i1", CHARIOTS),
    ],
    align=True,
)

RACE = np.dtype(
    [
        # what is asked now, worked out once by `turn.survey`
        ("destinations", "u8", CARDS),  # where each card may take the chariot on turn, in its window
        ("phase", "i1"),
        ("homeward", "i1"),  # the cards that may take it home, as bits by value
        ("six_barred", "i1"),
        ("duty", "i1"),  # TRI-3 binds it
        ("miss", "i1"),  # why it misses, in phase MISS
        ("exchanges", "i1"),  # and whether a card is exchanged
        # the race
        ("turn", "u1"),  # who must decide; unsigned, for it is an index
        ("voted_on", "u1"),  # the riderless chariot that a vote moves, in phase VOTE
        ("chariots", "i1"),
        ("drivers", "i1"),  # how many of them somebody drives
        ("first", "u1"),  # of these; they stand one after the other on the grid
        ("memory_aid", "i1"),  # AUS-3: whether drivers are shown what lies in their piles
        ("racing", "i1"),  # how many
        ("contenders", "i1"),  # how many of these can still take a place
        ("home", "i1"),  # how many
        ("ban_lifted", "i1"),  # END-4
        ("kept", "i1"),  # END-4: missed turns in a row without exchange
        ("idle", "i2"),  # END-4: missed turns in a row
        ("turns", "i2"),  # taken so far
        ("decisions", "i4"),  # made so far
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
        ("riderless", "i1", CHARIOTS),  # 0, or which kind, as the option has it
        ("vote", "u1", CHARIOTS),  # where a player's first chariot on the grid voted to
        # three piles in place of a deck; before they are sorted `deck` holds the shuffle, the numbers 0 to 23
        ("choice", "i1", CHARIOTS),  # which deck, from 1 in the order of `rules.DECKS`
        ("emperor", "i1", CHARIOTS),  # whether the emperor's cards are still there
        ("laid", "i1", CHARIOTS),  # from 1: the pile on which the emperor's 3 was laid and still lies
        ("pile", "i1", (CHARIOTS, PILES)),  # cards in it, without that one
        ("pile_top", "i1", (CHARIOTS, PILES)),  # where in `deck` its next card lies
        # the result
        ("order", "i1", CHARIOTS),  # NEXT-3, the whole order of arrival
        ("place", "i1", CHARIOTS),  # 1 for the winner, 0 for none
        ("laurels", "i1", CHARIOTS),
    ],
    align=True,
)

MOST_MOVES = 1024  # room for a list of legal moves: six cards reach at most six windows, and sortings are fewer
assert HIGHEST_CARD * WINDOW + 8 <= MOST_MOVES


def most_turns(chariots: int) -> int:
    """No race takes more: each card and each leaving can be preceded by 26 rounds of missed turns (END-4)."""
    events = (DECK_SIZE + 1) * chariots
    return (events + 1) * (26 * chariots + 1)


def most_decisions(chariots: int) -> int:
    """No race asks for more: before it a deck, a sorting and two draws; a turn may need as many votes or draws."""
    return (most_turns(chariots) + 4) * (chariots + 1)
