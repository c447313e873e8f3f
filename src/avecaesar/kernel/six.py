"""Who leads, and who therefore may not play a six (SIX-1 to SIX-8)."""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cards import only_sixes
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.movement import cuts
from avecaesar.kernel.options import FIRST_SIX_EXEMPT, NARROW_BOTTLENECK, TIED_ALWAYS, TIED_IF_CUTTING
from avecaesar.kernel.records import RACING

FAR = 32767  # further than any chariot has to go


@compiled
def leaders(race):
    """The racing chariots with the smallest remaining distance, as bits; none once any chariot is home."""
    if race.home > 0:
        return 0  # SIX-6
    fewest = np.int64(FAR - 1)
    ahead = 0
    for j in range(race.chariots):
        remaining = np.int64(race.remaining[j]) if race.status[j] == RACING else np.int64(FAR)
        if remaining < fewest:
            ahead = 0
            fewest = remaining
        ahead |= (remaining == fewest) << j
    return ahead


@compiled
def under_ban(rules, race, ahead, i):
    """Whether SIX-1 looks at chariot i at all: it leads somebody, and nothing lifts the ban for everyone."""
    if not (ahead >> i) & 1:
        return False
    if race.racing == 1:  # SIX-7
        return False
    if race.ban_lifted:  # END-4
        return False
    return not (race.turns == 0 and rules.first_six == FIRST_SIX_EXEMPT)  # SIX-2


@compiled
def barred(course, rules, race, ahead, i):
    """SIX-1: whether chariot i, on turn, may not play a six at this moment."""
    if not under_ban(rules, race, ahead, i):
        return False
    if not only_sixes(race, i):
        return True
    if rules.narrow_exception == NARROW_BOTTLENECK and course.bottleneck[race.space[i]]:  # SIX-4
        return False
    return not tied_exception(course, rules, race, ahead)


@compiled
def tied_exception(course, rules, race, ahead):
    """SIX-5: two or more leaders, all with nothing but sixes, who together cut the course."""
    if rules.tied_exception != TIED_IF_CUTTING and rules.tied_exception != TIED_ALWAYS:
        return False
    tied = 0
    for j in range(race.chariots):
        if (ahead >> j) & 1:
            tied += 1
            if not only_sixes(race, j):
                return False
    if tied < 2:
        return False
    return rules.tied_exception == TIED_ALWAYS or cuts(course, race, ahead)
