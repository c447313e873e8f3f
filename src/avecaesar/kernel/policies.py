"""Compiled drivers. Each reads a redacted race (`sight`) and answers with a move; it keeps nothing between turns.

What is random in a driver comes from its seed, its seat and the number of turns so far, so that a race that was
left and resumed goes on as it would have.
"""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cards import count
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.movement import NONE, ONE, nearest, space_ahead
from avecaesar.kernel.options import TRIBUTE_OPTIONAL
from avecaesar.kernel.playout import STRIDE, mixed, random_move
from avecaesar.kernel.records import CARDS, HOME, MOVE_MISS, MOVE_PLAY
from avecaesar.kernel.turn import LAST_LAP, legal_moves, play_card

RANDOM, GREEDY = range(2)

# What greedy weighs, in steps.
WASTED_POINT = 3  # worth more steps than the step it is
PAYING_STOP = 12
PAST_THE_ALLEY = 100  # disqualified: anything else is better
WAY_TO_A_STOP = 4
GETTING_HOME = 1000
NOTHING_YET = -(1 << 20)


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
    return random_move(course, known, own + np.uint64(known.turns) * STRIDE)


@compiled
def greedy(course, rules, known, twin, moves):
    """The play that looks best by itself, the higher card among equals; else the exchange of the highest card."""
    n = legal_moves(course, known, moves)
    chosen, best = moves[0], NOTHING_YET
    for m in range(n):
        kind, card, to = moves[m] >> 16, (moves[m] >> 8) & 255, moves[m] & 255
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
    if not known.coin[i] or rules.tribute == TRIBUTE_OPTIONAL:
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


# ---------------------------------------------------------------------- for Python: arrays and an index


@compiled
def ask(courses, rules, known, twin, moves, policy, seed):
    """A driver's move in an array of one redacted race."""
    return choose(courses[0], rules[0], known[0], twin, moves, policy, seed)
