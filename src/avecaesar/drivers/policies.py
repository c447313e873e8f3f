"""Compiled drivers. Each reads a redacted race (`redaction`) and answers with a move; it keeps nothing between turns.

What is random in a driver comes from its seed, its chariot and the number of turns so far, so that a race that was
left and resumed goes on as it would have.
"""

from __future__ import annotations

import numpy as np

from avecaesar.drivers.heuristics import Mind, by_thumb
from avecaesar.kernel.cache import RACE
from avecaesar.kernel.jit import compiled, entry
from avecaesar.kernel.layout import CARDS, HOME, MOVE_PLAY, PLAY
from avecaesar.kernel.move_codes import encode
from avecaesar.kernel.movement import NONE, ONE, nearest, population, space_ahead
from avecaesar.kernel.playout import STRIDE, below, mixed, random_move, without_nearest
from avecaesar.kernel.reach import goes_home

RANDOM, GREEDY, FESTINA, BIBULUS, SCORPUS = range(5)
MINDS = (
    Mind(),  # for RANDOM, who has none
    Mind(card=0.125, waste=3.0, pay=12.0, past=100.0, approach=4.0),
    Mind(card=1.0, pay=12.0, past=100.0, keeps_high=True),  # in a hurry: the highest card
    Mind(card=0.125, waste=3.0, pay=12.0, past=100.0),
    Mind(
        card=0.2, waste=3.0, scarce=3.0, pay=15.0, past=100.0, approach=1.0, six_in_lead=1.0, block=2.0, keeps_high=True
    ),
)
CARELESS = 3  # one turn in so many Bibulus does not look where he drives
HASTY = 4  # one turn in so many Festina does not look at the lanes


@compiled
def choose(course, rules, known, policy, seed):
    """A driver's move. `known` is what he may know."""
    state = own_state(known, seed)
    if policy == RANDOM or (policy == BIBULUS and below(state + ONE, CARELESS) == 0):
        return random_move(course, known, state)
    if policy == FESTINA and known.phase == PLAY and below(state + ONE, HASTY) == 0:
        return highest_card(course, known, state)
    return by_thumb(course, rules, known, MINDS[policy])


@compiled
def highest_card(course, known, state):
    """The highest card that can be played, home or to any space that it reaches."""
    card = CARDS - 1
    while known.destinations[card] == NONE and not goes_home(known, card):
        card -= 1
    if goes_home(known, card):
        return encode(MOVE_PLAY, card, HOME)
    window = without_nearest(known.destinations[card], below(state, population(known.destinations[card])))
    return encode(MOVE_PLAY, card, space_ahead(course, np.int64(known.space[known.turn]), nearest(window)))


@compiled
def own_state(known, seed):
    """A driver's randomness at this decision."""
    return mixed(seed + (np.uint64(known.turn) + ONE) * STRIDE) + np.uint64(known.decisions) * STRIDE


# ---------------------------------------------------------------------- for Python: arrays and an index


@entry(RACE)
def ask(courses, rules, known, policy, seed):
    """A driver's move in an array of one redacted race."""
    return choose(courses[0], rules[0], known[0], policy, seed)
