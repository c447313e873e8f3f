"""What drivers of ours answer where no turn is asked for: a deck, its sorting, a pile to draw from, a vote."""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cards import count
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.layout import (
    CARDS,
    DECK,
    DRAW,
    HOME,
    LAY,
    MOVE_DECK,
    MOVE_DRAW,
    MOVE_LAY,
    MOVE_SORT,
    MOVE_VOTE,
    RACING,
    SORT,
)
from avecaesar.kernel.move_codes import SORTING, encode
from avecaesar.kernel.movement import NONE, ONE, crossings_after, nearest, space_ahead
from avecaesar.kernel.piles import in_pile, points_in_pile, to_sort
from avecaesar.kernel.reach import goes_home
from avecaesar.kernel.riderless import leads_over, players
from avecaesar.rules import PILES

IN_MY_WAY = 200  # a riderless chariot, when he votes: more than a race is long
NOTHING_YET = -(1 << 20)

# The Ausgebremst adaptation: his deck, and for each deck on which pile he lays each value 1 to 6. Of all sortings that
# split no value none was better beyond chance (docs/editions.md).
HIS_DECK = 2
HIS_PILES = ((0, 0, 1, 1, 2, 2), (0, 0, 0, 1, 1, 2), (0, 0, 0, 1, 1, 2))


@compiled
def answer(course, rules, known):
    """His deck, his piles; a draw that keeps the hand mixed; a vote that keeps riderless chariots out of his way."""
    i = known.turn
    if known.phase == DECK:
        return encode(MOVE_DECK, HIS_DECK, 0)
    if known.phase == SORT:
        return encode(MOVE_SORT, 0, 0) | (his_sorting(to_sort(course, known, i), known.choice[i]) << SORTING)
    if known.phase == DRAW:
        return encode(MOVE_DRAW, 0, his_pile(known, i))
    if known.phase == LAY:
        return encode(MOVE_LAY, 0, smallest_pile(known, i))
    return his_vote(course, rules, known)


@compiled
def his_sorting(cards, deck):
    """The sorting that he recommends for a deck."""
    sorting = 0
    for value in range(1, CARDS):
        count = (cards >> (4 * value)) & 15
        pile = HIS_PILES[deck - 1][value - 1]
        if pile < 2:
            sorting |= count << (6 * (value - 1) + 3 * pile)
    return sorting


@compiled
def his_pile(known, i):
    """The pile whose cards are least like those in hand, and high; without a memory aid all look alike: the largest."""
    chosen, best = -1, NOTHING_YET
    for pile in range(PILES):
        size = in_pile(known, i, pile)
        if size == 0:
            continue
        worth = size
        if known.memory_aid:
            mean = 8 * points_in_pile(known, i, pile) // size  # in eighths
            unlike = 0
            for card in range(1, CARDS):
                unlike += count(known, i, card) * abs(mean - 8 * card)
            worth += (5 * unlike + 3 * mean) << 5
        if worth > best:
            chosen, best = pile, worth
    return chosen


@compiled
def smallest_pile(known, i):
    """The pile with the fewest cards."""
    chosen = 0
    for pile in range(1, PILES):
        if known.pile[i, pile] < known.pile[i, chosen]:
            chosen = pile
    return chosen


@compiled
def his_vote(course, rules, known):
    """Out of his own way, if the riderless chariot can be kept out of it; and as far from home as possible."""
    i = known.voted_on
    here = np.int64(known.space[i])
    chosen, best = encode(MOVE_VOTE, 0, 0), NOTHING_YET
    for card in range(1, CARDS):
        if goes_home(known, card) and best < 0:
            chosen, best = encode(MOVE_VOTE, card, HOME), 0
        window = known.destinations[card]
        while window != NONE:
            there = space_ahead(course, here, nearest(window))
            window &= window - ONE
            crossings = crossings_after(known, i, there)
            worth = np.int64(course.remaining[crossings, there])
            for mine in range(known.turn, known.first + known.drivers, players(rules, known)):
                if known.status[mine] == RACING and leads_over(course, known, mine, there, crossings):
                    worth -= IN_MY_WAY
            if worth > best:
                chosen, best = encode(MOVE_VOTE, card, there), worth
    return chosen
