"""Drivers by rules of thumb: each play is weighed, in steps, by what it gains, wastes, pays and blocks.

They read what everybody sees and their own cards, never the order of a deck, and so drive a whole race as they would
a redacted one: playouts need no redaction.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from avecaesar.drivers.side_decisions import answer
from avecaesar.kernel.cards import count, values_in
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.layout import CARDS, CRASH, DECK_SIZE, HOME, MISS, MOVE_CRASH, MOVE_MISS, MOVE_PLAY, OVER, RACING
from avecaesar.kernel.move_codes import encode
from avecaesar.kernel.movement import NONE, ONE, crossings_after, nearest, space_ahead
from avecaesar.kernel.option_codes import DRAW_FROM_PILES
from avecaesar.kernel.piles import points_on_piles
from avecaesar.kernel.reach import goes_home
from avecaesar.kernel.tribute import owes

GETTING_HOME = 1000.0  # nothing is worth more
NOTHING_YET = -1e18
CLOSE = 6  # steps, as far as a card reaches
FURTHER_THAN_ANYBODY = 1 << 14


class Mind(NamedTuple):
    """What a driver minds, in steps. Who minds nothing plays for the steps alone."""

    card: float = 0.0  # each point of the card: he likes to play high ones
    waste: float = 0.0  # the inside lane: each point that brings him no nearer
    scarce: float = 0.0  # points to spare: the same, divided by those that he keeps
    pay: float = 0.0  # a stop that pays
    past: float = 0.0  # passing the alley with the coin
    approach: float = 0.0  # keeping a card that would pay from there
    six_in_lead: float = 0.0  # coming to lead with a six in hand, each: let others pass first
    block: float = 0.0  # standing in a bottleneck, for each chariot close behind
    keeps_high: bool = False  # exchanges his lowest card, not his highest


@compiled
def by_thumb(course, rules, race, mind):
    """The play that weighs most; where there is none what he would exchange or answer."""
    i = np.int64(race.turn)
    if race.phase > OVER:
        return answer(course, rules, race)
    if race.phase == MISS:
        return encode(MOVE_MISS, to_exchange(race, i, mind) if race.exchanges else 0, 0)
    if race.phase == CRASH:
        return encode(MOVE_CRASH, 0, 0)
    stops = gains_by_stop(rules, race, i)
    mine = np.int64(race.remaining[i])
    spare = points_left(rules, race, i) - mine - (course.alley_extra if stops else 0)
    to_lead = nearest_rival(race, i)
    sixes = count(race, i, 6)
    here = np.int64(race.space[i])
    chosen, best = np.int64(0), NOTHING_YET
    for card in range(1, CARDS):
        if goes_home(race, card) and best < GETTING_HOME - card:  # a low card is enough
            chosen, best = encode(MOVE_PLAY, card, HOME), GETTING_HOME - card
        window = race.destinations[card]
        while window != NONE:
            there = space_ahead(course, here, nearest(window))
            window &= window - ONE
            crossings = crossings_after(race, i, there)
            remaining = np.int64(course.remaining[crossings, there])
            gained = mine - remaining
            wasted = card - gained
            worth = gained + card * mind.card
            if stops:
                if course.pays[crossings, there]:
                    worth += mind.pay
                    wasted -= course.alley_extra  # a point there is owed, not wasted
                elif course.is_past[crossings, there]:
                    worth -= mind.past
                elif stops_with(course, race, i, there, card):
                    worth += mind.approach
            worth -= wasted * (mind.waste + mind.scarce / (1 + max(spare - wasted, 0)))
            if remaining <= to_lead:
                worth -= mind.six_in_lead * (sixes - (card == CARDS - 1))
            if course.bottleneck[there]:
                worth += mind.block * close_behind(race, i, remaining)
            if worth > best:
                chosen, best = encode(MOVE_PLAY, card, there), worth
    return chosen


@compiled
def gains_by_stop(rules, race, i):
    """Whether a stop in the alley still brings him something: he owes his coin, or the emperor keeps cards (AUS-2)."""
    return owes(rules, race, i) or race.emperor[i] != 0


@compiled
def points_left(rules, race, i):
    """All points of a chariot, in hand and undrawn: everybody can count them."""
    points = 0
    for card in range(1, CARDS):
        points += card * count(race, i, card)
    if rules.draw == DRAW_FROM_PILES and race.riderless[i] == 0:
        return points + points_on_piles(race, i)
    top = np.int64(race.top[i])
    for k in range(race.undrawn[i]):
        at = top + k
        points += np.int64(race.deck[i, at if at < DECK_SIZE else at - DECK_SIZE])
    return points


@compiled
def nearest_rival(race, i):
    """The least that any other chariot has to go."""
    least = FURTHER_THAN_ANYBODY
    for j in range(race.chariots):
        if j != i and race.status[j] == RACING:
            least = min(least, np.int64(race.remaining[j]))
    return least


@compiled
def stops_with(course, race, i, there, played):
    """Whether a card that stays in hand would stop in the alley from there, were the course empty."""
    hand = np.int64(race.hand[i]) - (1 << (4 * played))
    return np.int64(course.stops[there]) & values_in(hand) != 0


@compiled
def close_behind(race, i, remaining):
    """How many chariots follow closely one that has so far to go."""
    close = 0
    for j in range(race.chariots):
        gap = np.int64(race.remaining[j]) - remaining
        close += (j != i) & (race.status[j] == RACING) & (gap > 0) & (gap <= CLOSE)
    return close


@compiled
def to_exchange(race, i, mind):
    """The card that he would rather have another for."""
    lowest, highest = 0, 0
    for card in range(CARDS - 1, 0, -1):
        if count(race, i, card) > 0:
            lowest = card
            highest = max(highest, card)
    return lowest if mind.keeps_high else highest
