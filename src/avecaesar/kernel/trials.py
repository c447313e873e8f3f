"""Many races with any of the compiled drivers, counted as they run: nothing is kept of a race but its totals.

Race number k of a seed is the same race whoever runs it: its deal and each seat's own randomness come from the seed
and the number alone. A scripted chariot does what the log says, so that races driven elsewhere are counted here too.
"""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.jit import compiled
from avecaesar.kernel.playout import STRIDE, mixed, shuffle
from avecaesar.kernel.policies import RANDOM, choose
from avecaesar.kernel.records import AT_HOME, CHARIOTS, MOST_MOVES, MOVE_MISS, OUT_OF_CARDS, OVER
from avecaesar.kernel.sight import redact
from avecaesar.kernel.six import leaders
from avecaesar.kernel.turn import apply, begin

SCRIPTED = -1  # in place of a policy

# What is counted of each chariot, and of the chariots of a group together.
WINS, LAURELS, HOME, DISQUALIFIED, OUT_OF_POINTS, LEADS_TAKEN, MISSED, TURNS = range(8)
COUNTS = 8
COLUMNS = 2 * COUNTS + 1  # their sums over the races, the sums of their squares, and of MISSED times TURNS


@compiled
def deal_trial(race, chariots, seed, number, seeds):
    """The decks of a race by its number, and a seed for each seat's driver."""
    state = mixed(seed + np.uint64(number) * STRIDE)
    for i in range(chariots):
        state = shuffle(race, i, state)
    for i in range(chariots):
        state += STRIDE
        seeds[i] = mixed(state)


@compiled
def sole_leader(race):
    """The chariot that leads alone, as a bit; 0 if nobody does."""
    ahead = leaders(race)
    return ahead if ahead & (ahead - 1) == 0 else 0


@compiled
def run_trial(course, rules, desk, policies, shift, seeds, moves, log, tally):
    """Run a race that has begun to its end, write its moves into the log and count it.

    A change of lead: a chariot leads alone after a turn, and the last one to lead alone was another.
    """
    race, known, twin = desk[0], desk[1], desk[2:]
    tally[:] = 0
    last = sole_leader(race)
    while race.phase != OVER:
        i = np.int64(race.turn)
        policy = policies[i - shift]  # counts from the end when it is negative, as it should
        if policy == SCRIPTED:
            move = log[race.turns]
        elif policy == RANDOM:
            move = choose(course, rules, race, twin, moves, policy, seeds[i])
        else:
            redact(race, i, known)
            move = choose(course, rules, known, twin, moves, policy, seeds[i])
        log[race.turns] = move
        tally[i, TURNS] += 1
        tally[i, MISSED] += move >> 16 == MOVE_MISS
        apply(course, rules, race, move)
        alone = sole_leader(race)
        if alone != 0 and alone != last:
            for j in range(race.chariots):
                tally[j, LEADS_TAKEN] += last != 0 and alone >> j == 1
            last = alone
    for i in range(race.chariots):
        tally[i, WINS] = race.place[i] == 1
        tally[i, LAURELS] = race.laurels[i]
        tally[i, HOME] = race.status[i] == AT_HOME
        tally[i, DISQUALIFIED] = race.disqualified[i]
        tally[i, OUT_OF_POINTS] = race.status[i] == OUT_OF_CARDS


@compiled
def add_up(tally, members, totals):
    """Add the chariots of a group, `members` as bits, to its totals."""
    together = tally[CHARIOTS]
    together[:] = 0
    for i in range(CHARIOTS):
        if (members >> i) & 1:
            together += tally[i]
    for c in range(COUNTS):
        totals[c] += together[c]
        totals[COUNTS + c] += together[c] * together[c]
    totals[2 * COUNTS] += together[MISSED] * together[TURNS]


# ---------------------------------------------------------------------- for Python: arrays


@compiled
def deal_race(desk, chariots, seed, number, seeds):
    """Deal a race by its number."""
    deal_trial(desk[0], chariots, seed, number, seeds)


@compiled
def run_trials(courses, rules, desk, policies, groups, rotate, seed, first, count, log, totals):
    """Run races `first` to `first + count - 1` of a seed and add them to the totals, a row a group.

    `policies` and `groups` go by driver; driver 0 starts from grid place I, and with `rotate` everybody moves on by
    one place each race. First come the rows of the drivers' groups, then one a grid place, then all together.
    `desk` is room for three races; `log` holds the moves of the last race.
    """
    chariots = policies.size
    seeds = np.zeros(CHARIOTS, np.uint64)
    moves = np.zeros(MOST_MOVES, np.int64)
    tally = np.zeros((CHARIOTS + 1, COUNTS), np.int64)
    teams = totals.shape[0] - chariots - 1
    for number in range(first, first + count):
        shift = number % chariots if rotate else 0
        deal_trial(desk[0], chariots, seed, number, seeds)
        begin(courses[0], rules[0], desk[0], chariots)
        run_trial(courses[0], rules[0], desk, policies, shift, seeds, moves, log, tally)
        for team in range(teams):
            members = 0
            for i in range(chariots):
                members |= (groups[i - shift] == team) << i
            add_up(tally, members, totals[team])
        for i in range(chariots):
            add_up(tally, 1 << i, totals[teams + i])
        add_up(tally, (1 << chariots) - 1, totals[teams + chariots])
