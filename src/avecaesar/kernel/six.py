"""Who leads, and who therefore may not play a six (SIX-1 to SIX-8)."""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cards import only_sixes
from avecaesar.kernel.jit import compiled, inlined
from avecaesar.kernel.layout import DECK_SIZE, RACING
from avecaesar.kernel.movement import cuts
from avecaesar.kernel.option_codes import EXTRA, FIRST_SIX_EXEMPT, NARROW_BOTTLENECK, TIED_ALWAYS, TIED_IF_CUTTING


@inlined
def leads(race, i):
    """Whether chariot i, racing, is a leader: no racing chariot has less to go, and none is home (SIX-6)."""
    mine = race.remaining[i]
    ahead = race.home > 0
    for j in range(race.chariots):
        ahead |= (race.status[j] == RACING) & (race.remaining[j] < mine)
    return not ahead


@compiled
def leaders(race):
    """The racing chariots with the smallest remaining distance, as bits; none once any chariot is home."""
    bits = 0
    for j in range(race.chariots):
        if race.status[j] == RACING and leads(race, j):
            bits |= 1 << j
    return bits


@inlined
def under_ban(rules, race, i):
    """Whether SIX-1 looks at chariot i at all: it leads somebody, and nothing lifts the ban for everyone."""
    if not leads(race, i):
        return False
    if race.racing == 1:  # SIX-7
        return False
    if race.ban_lifted:  # END-4
        return False
    return not (race.turns == 0 and rules.first_six == FIRST_SIX_EXEMPT)  # SIX-2


@inlined
def barred(course, rules, race, i):
    """SIX-1: whether chariot i, on turn, may not play a six at this moment."""
    if not under_ban(rules, race, i):
        return False
    if not only_sixes(race, i):
        return True
    if rules.narrow_exception == NARROW_BOTTLENECK and course.bottleneck[race.space[i]]:  # SIX-4
        return False
    return not tied_exception(course, rules, race)


@compiled
def tied_exception(course, rules, race):
    """SIX-5: two or more leaders, all with nothing but sixes, who together cut the course."""
    if rules.tied_exception != TIED_IF_CUTTING and rules.tied_exception != TIED_ALWAYS:
        return False
    ahead = leaders(race)
    tied = 0
    for j in range(race.chariots):
        if (ahead >> j) & 1:
            tied += 1
            if not nothing_but_sixes(race, j):
                return False
    if tied < 2:
        return False
    return rules.tied_exception == TIED_ALWAYS or cuts(course, race, ahead)


@compiled
def nothing_but_sixes(race, j):
    """What SIX-5 asks of each leader. NPC-4: riderless, its open card is a six, or it fills and has only sixes left."""
    if race.riderless[j] <= EXTRA:
        return only_sixes(race, j)
    for k in range(race.undrawn[j]):
        if race.deck[j, (np.int64(race.top[j]) + k) % DECK_SIZE] != 6:
            return False
    return race.held[j] == 0 or only_sixes(race, j)
