"""SIX-5: infers from what a leader does, or is asked, whether the tied leaders hold nothing but sixes."""

from __future__ import annotations

from avecaesar.drivers.belief.encoding import ANY, ANY_HAND, KNOWN_CARDS, ONLY_SIXES
from avecaesar.drivers.belief.fitting import fits, hold_sixes
from avecaesar.drivers.belief.guesses import fresh, observe, size, unaccounted
from avecaesar.kernel.cards import SIX_BIT, only_sixes
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.layout import OVER
from avecaesar.kernel.movement import NONE
from avecaesar.kernel.six import leaders, nothing_but_sixes
from avecaesar.kernel.turn import survey_turn
from avecaesar.rules import PILES


@compiled
def learn_of_sixes(course, rules, evidence, i, event, sets):
    """Whether it could have gone so with sixes alone, beside the sets that fit; what that tells of other leaders."""
    ghost = evidence.ghost
    hold_sixes(evidence, 1 << i)
    alone = fits(course, rules, ghost, event)
    tied = alone
    ahead = leaders(ghost)
    if (ahead >> i) & 1 and ahead & (ahead - 1):
        hold_sixes(evidence, ahead)
        tied = fits(course, rules, ghost, event)
    if alone and tied:
        return ONLY_SIXES
    if tied and sets == NONE:
        all_held_sixes(evidence, i, ahead)
        return ONLY_SIXES
    return ONLY_SIXES if alone and not_all_held_sixes(evidence, i, ahead, sets) else NONE


@compiled
def look_at_question(course, rules, known, evidence):
    """SIX-5: what a driver with nothing but sixes may do now tells him of his equals."""
    i = evidence.chariot
    if known.phase >= OVER or not only_sixes(known, i):
        return
    ghost = evidence.ghost
    hold_sixes(evidence, 1 << i)
    survey_turn(course, rules, ghost)
    alone = ghost.six_barred
    ahead = leaders(ghost)
    hold_sixes(evidence, ahead | (1 << i))
    survey_turn(course, rules, ghost)
    if alone and not ghost.six_barred:
        if known.six_barred:
            not_all_held_sixes(evidence, i, ahead, NONE)
        else:
            all_held_sixes(evidence, i, ahead)


@compiled
def all_held_sixes(evidence, i, ahead):
    """All leaders but i held nothing but sixes."""
    for j in range(evidence.ghost.chariots):
        if (ahead >> j) & 1 and j != i:
            observe(evidence, j, ONLY_SIXES, ANY_HAND)


@compiled
def not_all_held_sixes(evidence, i, ahead, sets):
    """Not all leaders held nothing but sixes: whether chariot i may have, whom `sets` would explain as well.

    Who of them did not is settled here once for all worlds, the likeliest way.
    """
    together, least, who = 1.0, 1.0, -1
    for j in range(evidence.ghost.chariots):
        if (ahead >> j) & 1 and j != i:
            chance = chance_of_sixes(evidence, j)
            together *= chance
            if chance < least:
                least, who = chance, j
    if together == 0:
        return True
    mine = chance_of_sixes(evidence, i)
    if who < 0 or (sets != NONE and mine * (1 - together) < together * (1 - mine)):
        return False
    observe(evidence, who, ANY & ~ONLY_SIXES, ANY_HAND)
    return True


@compiled
def chance_of_sixes(evidence, j):
    """How likely it is that a chariot holds nothing but sixes."""
    if evidence.ghost.riderless[j]:
        return 1.0 if nothing_but_sixes(evidence.ghost, j) else 0.0
    if not evidence.hidden[j]:
        return 1.0 if evidence.sixes else 0.0
    total, sixes = 0.0, 0.0
    for k in range(evidence.guesses[j]):
        hand, rest, chance = evidence.hand[j, k], evidence.rest[j, k], evidence.weight[j, k]
        total += chance
        if hand & KNOWN_CARDS & ~(15 << SIX_BIT):
            continue
        for pile in range(PILES):
            left = unaccounted(evidence, j, hand, rest, pile)
            for n in range(fresh(hand, pile)):
                chance *= max(0, ((left >> SIX_BIT) & 15) - n) / (size(left) - n)
        sixes += chance
    return sixes / total if total > 0 else 0.0
