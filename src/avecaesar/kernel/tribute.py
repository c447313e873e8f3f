"""The coin owed to Caesar (TRI-1 to TRI-5)."""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cards import playable
from avecaesar.kernel.jit import compiled, inlined
from avecaesar.kernel.layout import CARDS
from avecaesar.kernel.movement import NONE, ONE, advance, walls
from avecaesar.kernel.option_codes import FILL, TRIBUTE_OPTIONAL, TRIBUTE_REQUIRED

SECOND_LAP = 2


@compiled
def has_coin(race, i):
    """Whether chariot i started with a coin: riderless ones only where they fill the grid (NPC-1, NPC-2, AUS-5)."""
    return race.riderless[i] == 0 or race.riderless[i] == FILL


@compiled
def owes(rules, race, i):
    """Whether chariot i still has to pay: not where that is up to it, nor once it is disqualified (TRI-4, TRI-5)."""
    return rules.tribute != TRIBUTE_OPTIONAL and race.coin[i] != 0 and race.disqualified[i] == 0


@compiled
def pay(course, race, i):
    """TRI-1: a stop in the alley at the right time pays; whether it did."""
    paid = race.coin[i] and course.pays[race.crossings[i], race.space[i]]
    if paid:
        race.coin[i] = 0
    return paid


@compiled
def disqualify(course, rules, race, i):
    """TRI-4: past the alley with the coin."""
    if owes(rules, race, i) and course.is_past[race.crossings[i], race.space[i]]:
        race.disqualified[i] = 1
        race.contenders -= race.riderless[i] == 0


@inlined
def duty(course, rules, race, i, six_barred):
    """TRI-3: whether a card in hand that is not barred could stop in the alley, and so has to."""
    return (cards_owed(course, rules, race, i) & playable(race, i, six_barred)) != 0


@inlined
def cards_owed(course, rules, race, i):
    """TRI-3: the set of cards that could stop in the alley, on the second lap and with the coin still to pay.

    Crashed chariots are walls for this; the others are thought away.
    """
    if rules.tribute != TRIBUTE_REQUIRED or not is_due(race, i):
        return np.int64(0)
    # Chariots crash only where the rules say so; elsewhere the course alone tells which cards stop there.
    return stops_between_walls(course, race, i) if rules.crash else np.int64(course.stops[race.space[i]])


@inlined
def is_due(race, i):
    """Whether chariot i has its coin on the last lap at whose end it can be paid (TRI-1)."""
    return race.coin[i] != 0 and race.crossings[i] == SECOND_LAP


@compiled
def stops_between_walls(course, race, i):
    """The set of cards that could stop in the alley, with crashed chariots for walls."""
    here = np.int64(race.space[i])
    alley = course.alley[here]
    free = ~walls(course, race, i)
    stops = 0
    window = ONE
    for card in range(1, CARDS):
        window = advance(course, here, window) & free
        stops |= ((window & alley) != NONE) << (4 * card)
    return stops
