"""Random races inside compiled code: dealing, random drivers, batches.

The rules draw nothing at random. What is random here (a shuffle, a random driver) carries its own state, a
number that splitmix64 moves on, so that a seed gives the same races on any machine and any number of cores.
"""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cards import count
from avecaesar.kernel.jit import compiled, entry, inlined
from avecaesar.kernel.layout import (
    CARDS,
    CRASH,
    DECK,
    DECK_SIZE,
    DRAW,
    HOME,
    LAY,
    MOVE_CRASH,
    MOVE_DECK,
    MOVE_DRAW,
    MOVE_LAY,
    MOVE_MISS,
    MOVE_PLAY,
    MOVE_SORT,
    MOVE_VOTE,
    MOVE_WITHDRAW,
    OVER,
    PLAY,
    SORT,
)
from avecaesar.kernel.move_codes import SORTING, encode
from avecaesar.kernel.movement import NONE, ONE, nearest, population, space_ahead
from avecaesar.kernel.option_codes import DRAW_FROM_PILES
from avecaesar.kernel.piles import CODES, PACKED, in_pile, sorting_of, to_sort
from avecaesar.kernel.reach import goes_home
from avecaesar.kernel.riderless import first_place
from avecaesar.kernel.turn import apply, begin
from avecaesar.rules import PILES

STRIDE = np.uint64(0x9E3779B97F4A7C15)


@compiled
def mixed(state):
    """Splitmix64's output for a state."""
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@compiled
def below(state, limit):
    """A number from 0 to limit - 1 from this state."""
    return np.int64(((mixed(state) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@compiled
def shuffle(race, i, as_numbers, state):
    """A full deck in random order for chariot i, or the numbers 0 to 23 for one that sorts piles; the next state."""
    for k in range(DECK_SIZE):
        race.deck[i, k] = k if as_numbers else k // 4 + 1
    return mix(race, i, 0, DECK_SIZE, state)


@compiled
def mix(race, i, first, count, state):
    """Bring so many cards of a deck, from the first one on, into random order (Fisher-Yates); the next state."""
    for k in range(count - 1, 0, -1):
        state += STRIDE
        other = below(state, k + 1)
        card = race.deck[i, first + k]
        race.deck[i, first + k] = race.deck[i, first + other]
        race.deck[i, first + other] = card
    return state


@compiled
def deal(rules, race, drivers, riderless, state):
    """Shuffle for every chariot; returns the next state."""
    first = first_place(rules, riderless)
    for i in range(drivers + riderless):
        as_numbers = rules.draw == DRAW_FROM_PILES and first <= i < first + drivers
        state = shuffle(race, i, as_numbers, state)
    return state


@inlined
def random_move(course, race, state):
    """Any legal move, all equally likely. (Selects instead of branches: a random race cannot be predicted.)"""
    if race.phase != PLAY:
        return random_other(course, race, state)
    total = np.int64(race.disqualified[race.turn] and race.riderless[race.turn] == 0)
    for card in range(1, CARDS):
        total += population(race.destinations[card]) + goes_home(race, card)
    n = below(state, total)
    chosen, before, so_far = 1, 0, 0
    for card in range(1, CARDS):
        so_far += population(race.destinations[card]) + goes_home(race, card)
        passed = so_far <= n
        chosen += passed
        before = so_far if passed else before
    if chosen == CARDS:
        return encode(MOVE_WITHDRAW, 0, 0)
    window = without_nearest(race.destinations[chosen], n - before)
    if window == NONE:
        return encode(MOVE_PLAY, chosen, HOME)
    return encode(MOVE_PLAY, chosen, space_ahead(course, np.int64(race.space[race.turn]), nearest(window)))


@compiled
def without_nearest(window, places):
    """A window less so many of its nearest spaces. (The first five go or stay without a branch.)"""
    for k in range(5):
        window &= window - np.uint64(places > k)
    for _ in range(5, places):
        window &= window - ONE
    return window


@compiled
def random_other(course, race, state):
    """Any legal move where no card can be played."""
    if race.phase > OVER:
        return random_answer(course, race, state)
    if race.phase == CRASH:
        return encode(MOVE_CRASH, 0, 0)
    i = race.turn
    misses = 1
    if race.exchanges:
        misses = 0
        for card in range(1, CARDS):
            misses += count(race, i, card) > 0
    n = below(state, misses + (race.disqualified[i] and race.riderless[i] == 0))
    if n == misses:
        return encode(MOVE_WITHDRAW, 0, 0)
    card = 0
    while race.exchanges and n >= 0:
        card += 1
        n -= count(race, i, card) > 0
    return encode(MOVE_MISS, card, 0)


@compiled
def random_answer(course, race, state):
    """Any legal answer where no turn is asked for."""
    i = race.turn
    if race.phase == DECK:
        return encode(MOVE_DECK, 1 + below(state, len(PACKED)), 0)
    if race.phase == SORT:
        cards = to_sort(course, race, i)
        sorting = -1
        while sorting < 0:
            sorting = sorting_of(cards, below(state, CODES))
            state = mixed(state)
        return encode(MOVE_SORT, 0, 0) | (sorting << SORTING)
    if race.phase == LAY:
        return encode(MOVE_LAY, 0, below(state, PILES))
    if race.phase == DRAW:
        full = 0
        for pile in range(PILES):
            full += in_pile(race, i, pile) > 0
        n = below(state, full)
        pile = -1
        while n >= 0:
            pile += 1
            n -= in_pile(race, i, pile) > 0
        return encode(MOVE_DRAW, 0, pile)
    return random_vote(course, race, state)


@compiled
def random_vote(course, race, state):
    """Any of the riderless chariot's ways, or none."""
    ways = 0
    for card in range(1, CARDS):
        ways += population(race.destinations[card]) + goes_home(race, card)
    n = below(state, ways + 1)
    for card in range(1, CARDS):
        here = population(race.destinations[card])
        if n < here:
            window = without_nearest(race.destinations[card], n)
            there = space_ahead(course, np.int64(race.space[race.voted_on]), nearest(window))
            return encode(MOVE_VOTE, card, there)
        n -= here
        if goes_home(race, card):
            if n == 0:
                return encode(MOVE_VOTE, card, HOME)
            n -= 1
    return encode(MOVE_VOTE, 0, 0)


@compiled
def run_randomly(course, rules, race, state):
    """Drive a race to its end, every legal move equally likely; returns the next random state."""
    while race.phase != OVER:
        state += STRIDE
        apply(course, rules, race, random_move(course, race, state))
    return state


@compiled
def deal_and_run(course, rules, race, drivers, riderless, state):
    """A whole random race, its deal included."""
    state = deal(rules, race, drivers, riderless, state)
    begin(course, rules, race, drivers, riderless)
    return run_randomly(course, rules, race, state)


# ---------------------------------------------------------------------- for Python: arrays and an index


@entry()
def random_races(courses, rules, races, drivers, riderless, seed):
    """Fill an array with finished random races; returns the number of decisions made."""
    decisions = 0
    for k in range(races.size):
        deal_and_run(courses[0], rules[0], races[k], drivers, riderless, mixed(seed + np.uint64(k) * STRIDE))
        decisions += races[k].decisions
    return decisions
