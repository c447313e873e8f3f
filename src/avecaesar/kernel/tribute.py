"""The coin owed to Caesar (TRI-1 to TRI-5)."""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cards import playable
from avecaesar.kernel.jit import compiled, inlined
from avecaesar.kernel.layout import CARDS
from avecaesar.kernel.movement import NONE, ONE, advance, walls
from avecaesar.kernel.option_codes import TRIBUTE_OPTIONAL, TRIBUTE_REQUIRED

SECOND_LAP = 2


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
    """TRI-3: on its second lap, coin in hand, could a card that is not barred stop in the alley?

    Crashed chariots are walls for this; the others are thought away.
    """
    if rules.tribute != TRIBUTE_REQUIRED or not race.coin[i] or race.crossings[i] != SECOND_LAP:
        return False
    # Chariots crash only where the rules say so; elsewhere the course alone tells which cards stop there.
    stops = stops_between_walls(course, race, i) if rules.crash else np.int64(course.stops[race.space[i]])
    return (stops & playable(race, i, six_barred)) != 0


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
