"""The searcher: what a move brings, by races played to their end in worlds as they might be (`belief`).

Common random numbers: all moves are tried in the same worlds, so that they are compared on the same cards; in a world
everybody drives by rules of thumb and for himself. Earnings are whole laurels, and so add up to the same whoever adds
them in what order.
"""

from __future__ import annotations

import numpy as np

from avecaesar.drivers.belief import imagine
from avecaesar.drivers.heuristics import by_thumb
from avecaesar.drivers.policies import MINDS, SCORPUS
from avecaesar.kernel.cache import SEARCHER
from avecaesar.kernel.ending import laurels_so_far
from avecaesar.kernel.jit import compiled, entry
from avecaesar.kernel.layout import OVER, RACING
from avecaesar.kernel.option_codes import ENDS_FIRST_HOME
from avecaesar.kernel.playout import STRIDE, below, mixed, random_move
from avecaesar.kernel.riderless import players
from avecaesar.kernel.turn import apply, apply_once


@compiled
def earn(course, rules, race, me, loose, state):
    """Drive a race on until nothing can change what my chariots get of it; returns their laurels.

    One decision in `loose` is made at random, 0: none.
    """
    step = players(rules, race)
    mine = np.int64(race.first) + (me - np.int64(race.first)) % step
    last = np.int64(race.first) + race.drivers
    to_the_end = rules.race_ends == ENDS_FIRST_HOME or rules.crash  # END-3 and CRA-1 may change it until then
    while race.phase != OVER:
        if not to_the_end:
            settled = True
            for i in range(mine, last, step):
                settled &= (race.status[i] != RACING) | (race.disqualified[i] != 0)
            if settled:
                break
        state += STRIDE
        if loose > 0 and below(state, loose) == 0:
            move = random_move(course, race, mixed(state))
        else:
            move = by_thumb(course, rules, race, MINDS[SCORPUS])
        apply(course, rules, race, move)
    laurels = 0
    for i in range(mine, last, step):
        laurels += laurels_so_far(rules, race, i) if race.phase != OVER else np.int64(race.laurels[i])
    return laurels


# ---------------------------------------------------------------------- for Python: arrays


@entry(SEARCHER)
def try_moves(courses, rules, known, evidence, moves, loose, seed, first, count, desk, earned, squares):
    """Try each of these moves in worlds `first` to `first + count - 1` of a seed; add what it earned, and its square.

    `known` is what the driver on turn may know, `evidence` what he has seen (`belief`); without evidence `known` is the
    race itself, and every world is that. `desk` is room for two races.
    """
    me = np.int64(known[0].turn)
    for number in range(first, first + count):
        state = mixed(seed + np.uint64(number) * STRIDE)
        if evidence.size > 0:
            imagine(courses[0], rules[0], known[0], evidence[0], desk, state)
        else:
            desk[0] = known[0]
        for m in range(moves.size):
            desk[1] = desk[0]
            apply_once(courses[0], rules[0], desk[1], moves[m])
            laurels = earn(courses[0], rules[0], desk[1], me, loose, state)
            earned[m] += laurels
            squares[m] += laurels * laurels
