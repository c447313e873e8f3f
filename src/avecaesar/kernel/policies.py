"""Compiled drivers. Each reads a redacted race (`sight`) and answers with a move; it keeps nothing between turns.

What is random in a driver comes from its seed, its seat and the number of turns so far, so that a race that was
left and resumed goes on as it would have.
"""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cards import count
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.movement import NONE, ONE, nearest, space_ahead
from avecaesar.kernel.moves import SORTING, encode, kind_of
from avecaesar.kernel.options import TRIBUTE_OPTIONAL
from avecaesar.kernel.piles import LAID_CARD, in_pile, to_sort
from avecaesar.kernel.playout import STRIDE, mixed, random_move
from avecaesar.kernel.reach import LAST_LAP, goes_home
from avecaesar.kernel.records import (
    CARDS,
    DECK,
    DRAW,
    HOME,
    LAY,
    MOVE_DECK,
    MOVE_DRAW,
    MOVE_LAY,
    MOVE_MISS,
    MOVE_PLAY,
    MOVE_SORT,
    MOVE_VOTE,
    OVER,
    RACING,
    SORT,
)
from avecaesar.kernel.riderless import leads_over, players
from avecaesar.kernel.turn import legal_moves, play_card
from avecaesar.rules import PILES

RANDOM, GREEDY = range(2)

# What greedy weighs, in steps.
WASTED_POINT = 3  # worth more steps than the step it is
PAYING_STOP = 12
PAST_THE_ALLEY = 100  # disqualified: anything else is better
WAY_TO_A_STOP = 4
GETTING_HOME = 1000
IN_MY_WAY = 200  # a riderless chariot, when he votes: more than a race is long
NOTHING_YET = -(1 << 20)

# The Ausgebremst adaptation: his deck, and for each deck on which pile he lays each value 1 to 6. Of all sortings that
# split no value none was better beyond chance (docs/editions.md).
HIS_DECK = 2
HIS_PILES = ((0, 0, 1, 1, 2, 2), (0, 0, 0, 1, 1, 2), (0, 0, 0, 1, 1, 2))


@compiled
def choose(course, rules, known, twin, moves, policy, seed):
    """A driver's move. `known` is what he may know; `twin` and `moves` are room to think in."""
    if policy == GREEDY:
        return greedy(course, rules, known, twin, moves)
    return chance(course, known, seed)


@compiled
def chance(course, known, seed):
    """Any legal move, all equally likely. Looks at what is asked and at nothing else, and so needs no redaction."""
    own = mixed(seed + (np.uint64(known.turn) + ONE) * STRIDE)
    return random_move(course, known, own + np.uint64(known.decisions) * STRIDE)


@compiled
def greedy(course, rules, known, twin, moves):
    """The play that looks best by itself, the higher card among equals; else the exchange of the highest card."""
    if known.phase > OVER:
        return greedy_answer(course, rules, known)
    n = legal_moves(course, known, moves)
    chosen, best = moves[0], NOTHING_YET
    for m in range(n):
        kind, card, to = kind_of(moves[m]), (moves[m] >> 8) & 255, moves[m] & 255
        worth = NOTHING_YET
        if kind == MOVE_PLAY:
            worth = (worth_of_play(course, rules, known, twin, card, to) << 3) + card
        elif kind == MOVE_MISS:
            worth += card
        if worth > best:
            chosen, best = moves[m], worth
    return chosen


@compiled
def worth_of_play(course, rules, known, twin, card, to):
    """Steps gained, what is wasted weighing more, and the tribute; found by making the play on a twin."""
    if to == HOME:
        return GETTING_HOME - card  # a low card is enough
    i = known.turn
    twin[0] = known
    after = twin[0]
    play_card(course, rules, after, i, card, to)
    gained = np.int64(known.remaining[i]) - after.remaining[i]
    worth = gained - WASTED_POINT * (card - gained)
    if not known.coin[i] or (rules.tribute == TRIBUTE_OPTIONAL and not known.emperor[i]):
        return worth
    if not after.coin[i]:
        return worth + PAYING_STOP + WASTED_POINT * course.alley_extra  # a point there is owed, not wasted
    if after.disqualified[i] and not known.disqualified[i]:
        return worth - PAST_THE_ALLEY
    return worth + WAY_TO_A_STOP if leaves_a_stop(course, known, i, card, to, after.crossings[i]) else worth


@compiled
def leaves_a_stop(course, known, i, played, here, crossings):
    """Whether a card that stays in hand would pay from there, were the course empty."""
    for card in range(1, CARDS):
        if count(known, i, card) <= (card == played):
            continue
        window = course.reach[here, card] & course.alley[here]
        while window != NONE:
            there = space_ahead(course, here, nearest(window))
            window &= window - ONE
            crossed = crossings + (there < here)
            if crossed <= LAST_LAP and course.pays[crossed, there]:
                return True
    return False


# ---------------------------------------------------------------------- where no turn is asked for


@compiled
def greedy_answer(course, rules, known):
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
            points = LAID_CARD if known.laid[i] == pile + 1 else 0
            for k in range(known.pile[i, pile]):
                points += np.int64(known.deck[i, known.pile_top[i, pile] + k])
            mean = 8 * points // size  # in eighths
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
        window = known.options[card]
        while window != NONE:
            there = space_ahead(course, here, nearest(window))
            window &= window - ONE
            crossings = np.int64(known.crossings[i]) + (there < here)
            worth = np.int64(course.remaining[crossings, there])
            for mine in range(known.turn, known.first + known.drivers, players(rules, known)):
                if known.status[mine] == RACING and leads_over(course, known, mine, there, crossings):
                    worth -= IN_MY_WAY
            if worth > best:
                chosen, best = encode(MOVE_VOTE, card, there), worth
    return chosen


# ---------------------------------------------------------------------- for Python: arrays and an index


@compiled
def ask(courses, rules, known, twin, moves, policy, seed):
    """A driver's move in an array of one redacted race."""
    return choose(courses[0], rules[0], known[0], twin, moves, policy, seed)
