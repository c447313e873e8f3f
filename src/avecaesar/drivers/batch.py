"""Many races with any of the compiled drivers, counted as they run: nothing is kept of a race but its totals.

Race number k of a seed is the same race whoever runs it: its deal and each entry's own randomness come from the seed
and the number alone. A scripted chariot does what the log says, so that races driven elsewhere are counted here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from avecaesar.drivers.policies import RANDOM, choose
from avecaesar.kernel.cache import LABORATORY
from avecaesar.kernel.jit import compiled, entry
from avecaesar.kernel.layout import AT_HOME, CHARIOTS, MOVE_CRASH, MOVE_MISS, OUT_OF_CARDS, OVER
from avecaesar.kernel.move_codes import kind_of
from avecaesar.kernel.packing import Packed, new_packed
from avecaesar.kernel.playout import STRIDE, deal, mixed
from avecaesar.kernel.redaction import redact
from avecaesar.kernel.six import leaders
from avecaesar.kernel.turn import apply, begin

SCRIPTED = -1  # in place of a policy

# What is counted of each chariot, and of the chariots of a group together.
WINS, LAURELS, HOME, DISQUALIFIED, OUT_OF_POINTS, LEADS_TAKEN, MISSED, TURNS = range(8)
COUNTS = 8
COLUMNS = 2 * COUNTS + 1  # their sums over the races, the sums of their squares, and of MISSED times TURNS


# Which races are run, and who drives in them. An entry is a driver's chariot, wherever it starts.
PLAN = np.dtype(
    [
        ("seed", "u8"),
        ("drivers", "i8"),  # chariots that somebody drives
        ("riderless", "i8"),
        ("memory_aid", "i1"),
        ("heats", "i8"),  # so many races one after the other have the same deal
        ("policy", "i8", CHARIOTS),  # by entry
        ("group", "i8", CHARIOTS),  # likewise: with whom it is counted
        ("grid", "i8", (CHARIOTS, CHARIOTS)),  # the entries on the drivers' grid places, by race modulo drivers
        ("places", "i8"),  # the first row of a grid place in the totals; before it are those of the groups
        ("together", "i8"),  # the row of all chariots
    ],
    align=True,
)


class Rows(NamedTuple):
    """Whose the rows of the totals are; a group that has no entry is that of the riderless chariots."""

    groups: slice
    places: slice
    together: int

    @property
    def end(self) -> int:
        """How many there are: the row after them."""
        return self.together + 1


def rows_of(groups: int, chariots: int) -> Rows:
    """The rows for so many groups, and so many chariots on the grid."""
    return Rows(slice(groups), slice(groups, groups + chariots), groups + chariots)


def new_plan(
    *,
    seed: int,
    groups: Sequence[int],
    grids: Sequence[Sequence[int]],
    rows: Rows,
    riderless: int = 0,
    memory_aid: bool = True,
    heats: int = 1,
    policies: Sequence[int] = (),
) -> Packed:
    """An array of one PLAN; without policies every entry is scripted."""
    drivers = len(groups)
    made = new_packed(1, PLAN)
    made["seed"], made["drivers"], made["riderless"] = seed, drivers, riderless
    made["memory_aid"], made["heats"] = memory_aid, heats
    made["policy"][0, :drivers] = policies or SCRIPTED
    made["group"][0, :drivers] = groups
    made["grid"][0, :drivers, :drivers] = grids
    made["places"], made["together"] = rows.places.start, rows.together
    return made


@compiled
def deal_by_number(rules, plan, race, number, seeds):
    """The decks of a race by its number, and a seed for the driver of each chariot."""
    chariots = plan.drivers + plan.riderless
    state = mixed(plan.seed + np.uint64(number // plan.heats) * STRIDE)
    state = deal(rules, race, plan.drivers, plan.riderless, state)
    for i in range(chariots):
        state += STRIDE
        seeds[i] = mixed(state)


@compiled
def sole_leader(race):
    """The chariot that leads alone, as a bit; 0 if nobody does."""
    ahead = leaders(race)
    return ahead if ahead & (ahead - 1) == 0 else 0


@compiled
def run_race(course, rules, plan, desk, grid, seeds, log, tally):
    """Run a race that has begun to its end, log its moves and count it. `grid`: the entries as they start.

    A change of lead: a chariot leads alone after a turn, and the last one to lead alone was another.
    """
    race, known = desk[0], desk[1]
    tally[:] = 0
    last = sole_leader(race)
    while race.phase != OVER:
        i = np.int64(race.turn)
        policy = RANDOM if race.riderless[i] else plan.policy[grid[i - race.first]]
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


@entry(LABORATORY)
def deal_race(rules, plans, desk, number, seeds):
    """Deal a race by its number."""
    deal_by_number(rules[0], plans[0], desk[0], number, seeds)


@entry(LABORATORY)
def run_races(courses, rules, plans, desk, first, count, log, totals):
    """Run races `first` to `first + count - 1` of a plan and add them to the totals, whose rows are those of `rows_of`.

    `desk` is room for two races; `log` holds the moves of the last race.
    """
    plan = plans[0]
    chariots = plan.drivers + plan.riderless
    seeds = np.zeros(CHARIOTS, np.uint64)
    tally = np.zeros((CHARIOTS + 1, COUNTS), np.int64)
    for number in range(first, first + count):
        grid = plan.grid[number % plan.drivers]
        deal_by_number(rules[0], plan, desk[0], number, seeds)
        begin(courses[0], rules[0], desk[0], plan.drivers, plan.riderless)
        desk[0].memory_aid = plan.memory_aid
        run_race(courses[0], rules[0], plan, desk, grid, seeds, log, tally)
        ahead = np.int64(desk[0].first)
        for group in range(plan.places):
            members = 0
            for i in range(plan.drivers):
                members |= (plan.group[grid[i]] == group) << (ahead + i)
            if members == 0:
                members = ((1 << chariots) - 1) ^ (((1 << plan.drivers) - 1) << ahead)
            add_up(tally, members, totals[group])
        for i in range(chariots):
            add_up(tally, 1 << i, totals[plan.places + i])
        add_up(tally, (1 << chariots) - 1, totals[plan.together])
