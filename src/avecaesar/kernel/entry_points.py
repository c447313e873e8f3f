"""What Python calls of the rules: arrays and an index in, numbers and bits out.

Everybody above the kernel asks here; `game` says what the numbers mean.
"""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cache import RACE
from avecaesar.kernel.jit import entry
from avecaesar.kernel.layout import ALLOWED, HOME, RACING
from avecaesar.kernel.movement import crossings_after
from avecaesar.kernel.piles import to_sort
from avecaesar.kernel.reach import walk
from avecaesar.kernel.riderless import first_place
from avecaesar.kernel.six import leaders, under_ban
from avecaesar.kernel.tribute import cards_owed, has_coin, is_due, owes
from avecaesar.kernel.turn import apply, begin, legal_moves, verdict


@entry(RACE)
def begin_race(courses, rules, races, k, drivers, riderless):
    """Begin race k, whose decks are dealt."""
    begin(courses[0], rules[0], races[k], drivers, riderless)


@entry(RACE)
def first_driven(rules, riderless):
    """The first chariot that somebody drives."""
    return first_place(rules[0], riderless)


@entry(RACE)
def cards_to_sort(courses, races, k, i):
    """The deck that chariot i of race k has to sort, how many of each value as in a hand."""
    return to_sort(courses[0], races[k], i)


@entry(RACE)
def list_moves(courses, races, k, moves):
    """The legal moves of race k; returns how many."""
    return legal_moves(courses[0], races[k], moves)


@entry(RACE)
def leading(races, k):
    """The leaders of race k, as bits."""
    return leaders(races[k])


@entry(RACE)
def all_under_ban(rules, races, k):
    """The chariots of race k that SIX-1 looks at now, whatever they hold, as bits."""
    bits = 0
    for i in range(races[k].chariots):
        if races[k].status[i] == RACING and under_ban(rules[0], races[k], i):
            bits |= 1 << i
    return bits


@entry(RACE)
def owing(rules, races, k):
    """The chariots of race k that still have to pay their coin, as bits."""
    bits = 0
    for i in range(races[k].chariots):
        if owes(rules[0], races[k], i):
            bits |= 1 << i
    return bits


@entry(RACE)
def owing_now(rules, races, k):
    """Those of them that can pay it on this lap for the last time, as bits."""
    bits = 0
    for i in range(races[k].chariots):
        if owes(rules[0], races[k], i) and is_due(races[k], i):
            bits |= 1 << i
    return bits


@entry(RACE)
def all_paid(races, k):
    """The chariots of race k that have paid their coin, as bits."""
    bits = 0
    for i in range(races[k].chariots):
        if has_coin(races[k], i) and races[k].coin[i] == 0:
            bits |= 1 << i
    return bits


@entry(RACE)
def cards_that_owe(courses, rules, races, k, i):
    """The cards with which chariot i of race k would have to stop in the alley, if it held them (TRI-3), as a hand."""
    return cards_owed(courses[0], rules[0], races[k], i)


@entry(RACE)
def walk_on(courses, races, k, i, free, met):
    """Where chariot i of race k could drive, step by step, and whom it meets; see `reach.walk`."""
    return walk(courses[0], races[k], i, free, met)


@entry(RACE)
def remaining_after(courses, races, k, i, to):
    """The fewest steps to home for chariot i of race k from a space that it can drive to, or HOME."""
    if to == HOME:
        return 0
    return np.int64(courses[0].remaining[crossings_after(races[k], i, to), to])


@entry(RACE)
def judge(courses, races, k, move):
    """The verdict on a move in race k."""
    return verdict(courses[0], races[k], move)


@entry(RACE)
def step(courses, rules, races, k, move):
    """Make a move in race k if it is allowed; returns the verdict."""
    answer = verdict(courses[0], races[k], move)
    if answer == ALLOWED:
        apply(courses[0], rules[0], races[k], move)
    return answer


@entry()
def move_on(courses, rules, races, k, move, moves):
    """Make a move in race k and list the next ones, in one call; returns how many, or minus the verdict if refused."""
    answer = step(courses, rules, races, k, move)
    return legal_moves(courses[0], races[k], moves) if answer == ALLOWED else -answer


@entry()
def perft(courses, rules, races, moves, depth):
    """How many sequences of `depth` decisions there are from race 0. Needs a race and a list a level."""
    race = races[depth]
    n = legal_moves(courses[0], race, moves[depth])
    if depth == 1:
        return n
    total = 0
    for m in range(n):
        races[depth - 1] = races[depth]
        apply(courses[0], rules[0], races[depth - 1], moves[depth, m])
        total += perft(courses, rules, races, moves, depth - 1)
    return total
