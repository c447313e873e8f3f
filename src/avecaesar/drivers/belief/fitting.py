"""Which hands are consistent with a turn that was seen: the rules are asked, on the ghost."""

from __future__ import annotations

import numpy as np

from avecaesar.drivers.belief.encoding import ALL_VALUES, ANY, EXCHANGED, ONLY_SIXES, VALUE_SETS, WITH
from avecaesar.kernel.cards import SIX_BIT, take_into_hand
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.layout import ALLOWED, CARDS, CRASH, MISS, MOVE_CRASH, MOVE_MISS, MOVE_PLAY, MOVE_WITHDRAW, PLAY
from avecaesar.kernel.move_codes import kind_of
from avecaesar.kernel.movement import NONE, ONE
from avecaesar.kernel.reach import goes_home
from avecaesar.kernel.tribute import duty
from avecaesar.kernel.turn import find_miss, survey_turn, verdict_on_play


@compiled
def hold(ghost, i, values):
    """Put one card of each of these values into a hand."""
    ghost.hand[i] = 0
    ghost.held[i] = 0
    for value in range(1, CARDS):
        if (values >> (value - 1)) & 1:
            take_into_hand(ghost, i, value)


@compiled
def hold_sixes(evidence, chosen):
    """Give the chosen drivers (a set of bits) nothing but sixes, and the others nothing of which we know."""
    ghost = evidence.ghost
    for j in range(ghost.chariots):
        if ghost.riderless[j] == 0:
            sixes = (chosen >> j) & 1 or (j == evidence.chariot and evidence.sixes)
            ghost.hand[j] = np.int64(ghost.held[j]) << SIX_BIT if sixes else 0


@compiled
def fits(course, rules, ghost, event):
    """Whether the event is what the rules allow with the hands that the ghost holds now."""
    kind = kind_of(event)
    survey_turn(course, rules, ghost)
    if kind == MOVE_PLAY:
        return ghost.phase == PLAY and verdict_on_play(course, ghost, (event >> 8) & 255, event & 255) == ALLOWED
    if kind == MOVE_MISS:
        return ghost.phase == MISS and ghost.exchanges == (event >> EXCHANGED) & 1
    return (ghost.phase == CRASH) == (kind == MOVE_CRASH)


@compiled
def fitting(course, rules, ghost, i, event):
    """The sets of values with which a driver's turn could have gone as it did, sixes alone left out.

    Only the tribute (TRI-3) makes the use of a card depend on the others: where it is not owed, one look is enough.
    """
    kind, card = kind_of(event), (event >> 8) & 255
    hold(ghost, i, ALL_VALUES)
    if kind == MOVE_PLAY and card != 6 and not duty(course, rules, ghost, i, False):
        return WITH[card]
    survey_turn(course, rules, ghost)
    sets = NONE
    if ghost.duty:
        for values in range(1, VALUE_SETS):
            hold(ghost, i, values)
            if fits(course, rules, ghost, event):
                sets |= ONE << np.uint64(values)
    elif kind == MOVE_MISS:
        find_miss(rules, ghost, i)
        sets = ANY if ghost.exchanges == (event >> EXCHANGED) & 1 else NONE
        for value in range(1, CARDS):
            if ghost.destinations[value] != NONE or goes_home(ghost, value):
                sets &= ~WITH[value]
    elif kind == MOVE_PLAY:
        sets = WITH[card] if verdict_on_play(course, ghost, card, event & 255) == ALLOWED else NONE
    elif kind == MOVE_WITHDRAW:
        sets = ANY
    return sets & ~ONLY_SIXES
