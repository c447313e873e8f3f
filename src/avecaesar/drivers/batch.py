"""Many races with any of the compiled drivers, counted as they run: nothing is kept of a race but its totals.

Race number k of a seed is the same race whoever runs it: its deal and each seat's own randomness come from the seed
and the number alone. A scripted chariot does what the log says, so that races driven elsewhere are counted here too.
"""

from __future__ import annotations

import numpy as np

from avecaesar.drivers.policies import RANDOM, choose
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.layout import AT_HOME, CHARIOTS, MOVE_CRASH, MOVE_MISS, OUT_OF_CARDS, OVER
from avecaesar.kernel.moves import kind_of
from avecaesar.kernel.playout import STRIDE, deal, mixed
from avecaesar.kernel.redaction import redact
from avecaesar.kernel.six import leaders
from avecaesar.kernel.turn import apply, begin

SCRIPTED = -1  # in place of a policy

# What is counted of each chariot, and of the chariots of a group together.
WINS, LAURELS, HOME, DISQUALIFIED, OUT_OF_POINTS, LEADS_TAKEN, MISSED, TURNS = range(8)
COUNTS = 8
COLUMNS = 2 * COUNTS + 1  # their sums over the races, the sums of their squares, and of MISSED times TURNS


@compiled
def deal_trial(rules, race, drivers, riderless, seed, number, seeds):
    """The decks of a race by its number, and a seed for each seat's driver."""
    state = mixed(seed + np.uint64(number) * STRIDE)
    state = deal(rules, race, drivers, riderless, state)
    for i in range(drivers + riderless):
        state += STRIDE
        seeds[i] = mixed(state)


@compiled
def sole_leader(race):
    """The chariot that leads alone, as a bit; 0 if nobody does."""
    ahead = leaders(race)
    return ahead if ahead & (ahead - 1) == 0 else 0


@compiled
def run_trial(course, rules, desk, policies, shift, seeds, log, tally):
    """Run a race that has begun to its end, write its moves into the log and count it.

    A change of lead: a chariot leads alone after a turn, and the last one to lead alone was another.
    """
    race, known = desk[0], desk[1]
    tally[:] = 0
    last = sole_leader(race)
    while race.phase != OVER:
        i = np.int64(race.turn)
        policy = RANDOM if race.riderless[i] else policies[i - race.first - shift]  # from the end when negative
        if policy == SCRIPTED:
            move = log[race.decisions]
        elif policy == RANDOM:
            move = choose(course, rules, race, policy, seeds[i])
        else:
            redact(rules, race, i, known)
            move = choose(course, rules, known, policy, seeds[i])
        log[race.decisions] = move
        tally[i, TURNS] += kind_of(move) <= MOVE_CRASH
        tally[i, MISSED] += kind_of(move) == MOVE_MISS
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
def deal_race(rules, desk, drivers, riderless, seed, number, seeds):
    """Deal a race by its number."""
    deal_trial(rules[0], desk[0], drivers, riderless, seed, number, seeds)


@compiled
def run_trials(
    courses, rules, desk, policies, groups, riderless, memory_aid, rotate, heats, seed, first, count, log, totals
):
    """Run races `first` to `first + count - 1` of a seed and add them to the totals, a row a group.

    `policies` and `groups` go by driver; driver 0 starts from the drivers' first grid place, and with `rotate` each
    moves on by one place each race; so many races one after the other have the same deal as `heats` says. First come
    the rows of the groups (one without a driver is that of the riderless chariots), then one a grid place, then all
    together. `desk` is room for two races; `log` holds the moves of the last race.
    """
    drivers = policies.size
    chariots = drivers + riderless
    seeds = np.zeros(CHARIOTS, np.uint64)
    tally = np.zeros((CHARIOTS + 1, COUNTS), np.int64)
    teams = totals.shape[0] - chariots - 1
    for number in range(first, first + count):
        shift = number % drivers if rotate else 0
        deal_trial(rules[0], desk[0], drivers, riderless, seed, number // heats, seeds)
        begin(courses[0], rules[0], desk[0], drivers, riderless)
        desk[0].memory_aid = memory_aid
        run_trial(courses[0], rules[0], desk, policies, shift, seeds, log, tally)
        ahead = np.int64(desk[0].first)
        for team in range(teams):
            members = 0
            for i in range(drivers):
                members |= (groups[i - shift] == team) << (ahead + i)
            if members == 0:
                members = ((1 << chariots) - 1) ^ (((1 << drivers) - 1) << ahead)
            add_up(tally, members, totals[team])
        for i in range(chariots):
            add_up(tally, 1 << i, totals[teams + i])
        add_up(tally, (1 << chariots) - 1, totals[teams + chariots])
