"""Races run inside compiled code: dealing, random drivers, batches, the single step, perft.

The rules draw nothing at random. What is random here (a shuffle, a random driver) carries its own state, a
number that splitmix64 moves on, so that a seed gives the same races on any machine and any number of cores.
"""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cards import count
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.movement import ONE, nearest, population, space_ahead
from avecaesar.kernel.records import (
    ALLOWED,
    CARDS,
    CRASH,
    DECK_SIZE,
    HOME,
    MISS,
    MOVE_CRASH,
    MOVE_MISS,
    MOVE_PLAY,
    MOVE_WITHDRAW,
    OVER,
)
from avecaesar.kernel.six import leaders
from avecaesar.kernel.turn import apply, begin, encode, goes_home, legal_moves, verdict

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
def shuffle(race, i, state):
    """A full deck in random order for chariot i; returns the next state."""
    for k in range(DECK_SIZE):
        race.deck[i, k] = k // 4 + 1
    for k in range(DECK_SIZE - 1, 0, -1):
        state += STRIDE
        other = below(state, k + 1)
        card = race.deck[i, k]
        race.deck[i, k] = race.deck[i, other]
        race.deck[i, other] = card
    return state


@compiled
def move_count(race):
    """How many legal moves there are."""
    if race.phase == CRASH:
        return 1
    i = np.int64(race.turn)
    n = np.int64(race.disqualified[i])
    if race.phase == MISS and not race.exchanges:
        return n + 1
    for card in range(1, CARDS):
        if count(race, i, card) > 0:
            if race.phase == MISS:
                n += 1
            else:
                n += population(race.options[card]) + goes_home(race, card)
    return n


@compiled
def nth_move(course, race, n):
    """The n-th legal move, in the order of `legal_moves`, without a list."""
    if race.phase == CRASH:
        return encode(MOVE_CRASH, 0, 0)
    if race.phase == MISS and not race.exchanges:
        return encode(MOVE_MISS, 0, 0) if n == 0 else encode(MOVE_WITHDRAW, 0, 0)
    i = np.int64(race.turn)
    for card in range(1, CARDS):
        if count(race, i, card) == 0:
            continue
        if race.phase == MISS:
            if n == 0:
                return encode(MOVE_MISS, card, 0)
            n -= 1
            continue
        window = race.options[card]
        size = population(window)
        if n < size:
            for _ in range(n):
                window &= window - ONE
            return encode(MOVE_PLAY, card, space_ahead(course, np.int64(race.space[i]), nearest(window)))
        n -= size
        if goes_home(race, card):
            if n == 0:
                return encode(MOVE_PLAY, card, HOME)
            n -= 1
    return encode(MOVE_WITHDRAW, 0, 0)


@compiled
def run_randomly(course, rules, race, state):
    """Drive a race to its end, every legal move equally likely; returns the next random state."""
    while race.phase != OVER:
        state += STRIDE
        apply(course, rules, race, nth_move(course, race, below(state, move_count(race))))
    return state


@compiled
def deal_and_run(course, rules, race, chariots, state):
    """A whole random race, its deal included."""
    for i in range(chariots):
        state = shuffle(race, i, state)
    begin(course, rules, race, chariots)
    return run_randomly(course, rules, race, state)


# ---------------------------------------------------------------------- for Python: arrays and an index


@compiled
def random_races(courses, rules, races, chariots, seed):
    """Fill an array with finished random races; returns the number of turns taken."""
    turns = 0
    for k in range(races.size):
        deal_and_run(courses[0], rules[0], races[k], chariots, mixed(seed + np.uint64(k) * STRIDE))
        turns += races[k].turns
    return turns


@compiled
def begin_race(courses, rules, races, k, chariots):
    """Begin race k, whose decks are dealt."""
    begin(courses[0], rules[0], races[k], chariots)


@compiled
def list_moves(courses, races, k, moves):
    """The legal moves of race k; returns how many."""
    return legal_moves(courses[0], races[k], moves)


@compiled
def leading(races, k):
    """The leaders of race k, as bits."""
    return leaders(races[k])


@compiled
def judge(courses, races, k, move):
    """The verdict on a move in race k."""
    return verdict(courses[0], races[k], move)


@compiled
def step(courses, rules, races, k, move):
    """Make a move in race k if it is allowed; returns the verdict."""
    answer = verdict(courses[0], races[k], move)
    if answer == ALLOWED:
        apply(courses[0], rules[0], races[k], move)
    return answer


@compiled
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
