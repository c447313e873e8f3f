"""Riderless chariots (NPC-1 to NPC-4, AUS-5): the card they draw, where they go by rule, and by the drivers' vote."""

from __future__ import annotations

import numpy as np

from avecaesar.courses.course import LONGEST_STRIDE
from avecaesar.kernel.cards import draw, put_under, take_from_hand
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.layout import ABSTAINED, BARRED, BLOCKED, CARDS, HOME, MISS, PLAY, RACING, VOTE, WAITING
from avecaesar.kernel.movement import (
    NONE,
    ONE,
    beyond_line,
    bit,
    crossings_after,
    nearest,
    others,
    population,
    space_ahead,
)
from avecaesar.kernel.option_codes import EXTRA, FILL, FILL_NO_TRIBUTE, MOVED_BY_VOTE
from avecaesar.kernel.reach import LAST_LAP, find_destinations, goes_home
from avecaesar.kernel.six import barred
from avecaesar.kernel.tribute import duty

FIRST_LAP = 1


@compiled
def first_place(rules, riderless):
    """NPC-1, NPC-2: where on the grid the first driver stands: behind chariots that fill it, before extra ones."""
    return riderless if rules.riderless >= FILL else 0


@compiled
def survey_riderless(course, rules, race, i):
    """Draw its card and find the one thing that it does; or ask the drivers to vote."""
    race.six_barred = 0
    race.duty = 0
    race.miss = BLOCKED
    race.exchanges = 0
    race.phase = MISS
    if race.held[i] == 0:
        if race.riderless[i] == EXTRA and not can_step(course, race, i):
            return
        draw(race, i)
    race.six_barred = barred(course, rules, race, i)
    race.duty = duty(course, rules, race, i, race.six_barred)
    find_destinations(course, race, i)
    card = open_card(race, i)
    if race.riderless[i] == FILL_NO_TRIBUTE:  # AUS-5
        race.destinations[card] &= ~course.alley[race.space[i]]
    ways = population(race.destinations[card]) + goes_home(race, card)
    if ways == 0:
        race.miss = BARRED if race.six_barred and card == 6 else WAITING if race.duty else BLOCKED
        race.exchanges = race.riderless[i] != EXTRA
        return
    race.phase = PLAY
    if ways > 1 and rules.riderless_moves == MOVED_BY_VOTE:
        race.voted_on = i
        race.turn = race.first
        race.phase = VOTE
        for j in range(race.chariots):
            race.vote[j] = ABSTAINED
    else:
        settle_on(course, race, i, card, by_rule(course, race, i, card))


@compiled
def can_step(course, race, i):
    """NPC-1: whether any step leads to a free space, or home."""
    here = np.int64(race.space[i])
    finish = beyond_line(course, here) if race.crossings[i] == LAST_LAP else NONE
    return course.reach[here, 1] & (~others(course, race, i) | finish) != NONE


@compiled
def open_card(race, i):
    """The card that lies open before a riderless chariot; 0 if there is none."""
    for card in range(1, CARDS):
        if np.int64(race.hand[i]) >> (4 * card) == 1:
            return card
    return 0


@compiled
def put_away(race, i):
    """What becomes of a card that could not be used; whether it is gone."""
    if race.held[i] == 0 or (race.riderless[i] == EXTRA and race.miss == BARRED):
        return False
    card = open_card(race, i)
    if race.riderless[i] == EXTRA:
        take_from_hand(race, i, card)  # NPC-1: thrown away
    else:
        put_under(race, i, card)  # NPC-2
    return True


@compiled
def settle_on(course, race, i, card, to):
    """Leave one destination of all."""
    race.homeward = 1 << card if to == HOME else 0
    race.destinations[card] = NONE if to == HOME else bit(course, np.int64(race.space[i]), to)


# ---------------------------------------------------------------------- by rule


@compiled
def by_rule(course, race, i, card):
    """NPC-3: a paying stop on the first lap, the least to go, most in the drivers' way, the lowest space."""
    if goes_home(race, card):
        return HOME
    here = np.int64(race.space[i])
    stops = race.riderless[i] == FILL and race.coin[i] and race.crossings[i] == FIRST_LAP
    chosen, best = -1, 0
    window = race.destinations[card]
    while window != NONE:
        there = space_ahead(course, here, nearest(window))
        window &= window - ONE
        crossings = crossings_after(race, i, there)
        pays = np.int64(stops and course.pays[crossings, there])
        to_go = np.int64(course.remaining[crossings, there])
        merit = (pays << 40) - (to_go << 20) + (in_the_way(course, race, there, crossings) << 10) - there
        if chosen < 0 or merit > best:
            chosen, best = there, merit
    return chosen


@compiled
def in_the_way(course, race, there, crossings):
    """How many drivers' racing chariots have a shortest way home that leads over a space with so many crossings."""
    blocked = 0
    for j in range(race.first, race.first + race.drivers):
        if race.status[j] == RACING:
            blocked += leads_over(course, race, j, there, crossings)
    return blocked


@compiled
def leads_over(course, race, j, there, crossings):
    """Whether a shortest way home of chariot j leads over that space.

    A window slides along the course, carrying what lies on its shortest ways: every step brings it one nearer.
    """
    here, crossed = np.int64(race.space[j]), np.int64(race.crossings[j])
    if race.remaining[j] <= course.remaining[crossings, there]:
        return False
    window = ONE
    while here != there or crossed != crossings:
        if window & ONE:
            for stride in range(1, LONGEST_STRIDE + 1):
                to = space_ahead(course, here, stride)
                then = crossed + (to < here)
                if course.onward[here, stride - 1] & ONE and then <= crossings:
                    nearer = course.remaining[then, to] == course.remaining[crossed, here] - 1
                    window |= np.uint64(nearer) << np.uint64(stride)
        window >>= ONE
        here = space_ahead(course, here, 1)
        crossed += here == 0
        if window == NONE or crossed > crossings:
            return False
    return window & ONE != NONE


# ---------------------------------------------------------------------- by vote


@compiled
def players(rules, race):
    """How many players there are; the first so many of the drivers' chariots are the first of each (TEAM-1)."""
    return np.int64(race.drivers) // rules.chariots_each


@compiled
def cast_vote(course, rules, race, card, to):
    """NPC-3: the vote of the player who is asked; after the last one the chariot moves."""
    race.vote[race.turn] = to if card > 0 else ABSTAINED
    if race.turn + 1 < race.first + players(rules, race):
        race.turn += 1
        return
    i = race.voted_on
    race.turn = i
    race.phase = PLAY
    card = open_card(race, i)
    settle_on(course, race, i, card, winner_of_vote(course, rules, race, i, card))


@compiled
def winner_of_vote(course, rules, race, i, card):
    """NPC-3: most votes; a tie is broken by the voter who is furthest from home, then by the later one."""
    winner, most, rank = -1, 0, 0
    for voter in range(race.first, race.first + players(rules, race)):
        if race.vote[voter] == ABSTAINED:
            continue
        votes = 0
        for other in range(race.first, race.first + players(rules, race)):
            votes += race.vote[other] == race.vote[voter]
        away = furthest(rules, race, voter)
        if votes > most or (votes == most and away >= rank):
            winner, most, rank = np.int64(race.vote[voter]), votes, away
    return winner if most > 0 else by_rule(course, race, i, card)


@compiled
def furthest(rules, race, voter):
    """How far from home a player's best racing chariot is; -1 if he has none (OWN-13)."""
    best = -1
    for j in range(voter, race.first + race.drivers, players(rules, race)):
        if race.status[j] == RACING and (best < 0 or race.remaining[j] < best):
            best = np.int64(race.remaining[j])
    return best
