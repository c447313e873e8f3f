"""What a driver has seen, read event by event: the ghost repeats it, and the guesses are narrowed down by it."""

from __future__ import annotations

import numpy as np

from avecaesar.drivers.belief.encoding import ANY, ANY_HAND, CHARIOT, EXCHANGED, REASON, WITH
from avecaesar.drivers.belief.fitting import fitting
from avecaesar.drivers.belief.ghost import count_piles, line_up, pass_on, retrace, retrace_riderless
from avecaesar.drivers.belief.guesses import first_guesses, observe
from avecaesar.drivers.belief.hands import come_in, draw_up_all, part_with
from avecaesar.drivers.belief.sixes import learn_of_sixes, look_at_question
from avecaesar.kernel.cache import SEARCHER
from avecaesar.kernel.jit import compiled, entry
from avecaesar.kernel.layout import (
    BARRED,
    CHARIOTS,
    DECK,
    MOVE_CRASH,
    MOVE_DRAW,
    MOVE_LAY,
    MOVE_MISS,
    MOVE_PLAY,
    PLAY,
    SORT,
)
from avecaesar.kernel.move_codes import kind_of
from avecaesar.kernel.movement import NONE
from avecaesar.kernel.option_codes import DRAW_FROM_PILES
from avecaesar.kernel.piles import LAID_CARD, draw_from, gift, lay_on, wants_card


@compiled
def gather(course, rules, known, events, count, evidence):
    """Read what the driver on turn has seen, `count` events, and keep what they tell of each chariot's hidden cards.

    `known` is a race redacted for him (`kernel.redaction`).
    """
    evidence.chariot = known.turn
    evidence.sixes = 0
    evidence.lost = 0
    for i in range(CHARIOTS):
        own = i == known.turn and (rules.draw != DRAW_FROM_PILES or known.memory_aid)
        evidence.hidden[i] = i < known.chariots and known.riderless[i] == 0 and not own
        evidence.guesses[i] = 0
        evidence.under[i] = 0
    if known.phase == DECK or known.phase == SORT:
        return
    line_up(course, rules, known, evidence)
    if rules.draw == DRAW_FROM_PILES:
        count_piles(known, events, count, evidence.ghost)
    for i in range(known.chariots):
        if evidence.hidden[i]:
            first_guesses(course, rules, evidence, i)
    for n in range(count):
        witness(course, rules, events[n], evidence)
    look_at_question(course, rules, known, evidence)
    for i in range(known.chariots):
        if evidence.hidden[i]:
            evidence.under[i] = evidence.ghost.known[i]
            if i == known.turn:
                observe(evidence, i, ANY, np.int64(known.hand[i]))
            for k in range(1, evidence.guesses[i]):
                evidence.weight[i, k] += evidence.weight[i, k - 1]


@compiled
def witness(course, rules, event, evidence):
    """One event of the history: what it tells, then what it does."""
    ghost = evidence.ghost
    kind, to, i = kind_of(event), event & 255, (event >> CHARIOT) & 15
    ghost.decisions += 1
    if kind == MOVE_DRAW:
        came = LAID_CARD if ghost.laid[i] == to + 1 else 0
        come_in(evidence, i, came, to)
        draw_from(ghost, i, to)
        if ghost.turns > 0 and not wants_card(rules, ghost, i):
            pass_on(course, rules, ghost)
    elif kind == MOVE_LAY:
        lay_on(ghost, i, to)
        pass_on(course, rules, ghost)
    elif kind <= MOVE_CRASH:
        for j in range(ghost.chariots):
            evidence.undrawn[j] = ghost.undrawn[j]
            evidence.under[j] = ghost.known[j]
        if ghost.riderless[i]:
            retrace_riderless(course, rules, ghost, i, event)
        else:
            learn(course, rules, evidence, i, event)
            emperor = ghost.emperor[i]
            retrace(course, rules, ghost, i, event)
            part_with(evidence, i, event)
            if emperor and not ghost.emperor[i]:
                come_in(evidence, i, gift(course), 0)
        if rules.draw != DRAW_FROM_PILES:
            draw_up_all(evidence)


@compiled
def learn(course, rules, evidence, i, event):
    """What a driver's turn tells of his hand, and of other leaders' where SIX-5 made it depend on them."""
    ghost = evidence.ghost
    kind, card = kind_of(event), (event >> 8) & 255
    barred = kind == MOVE_MISS and ((event >> REASON) & 3) - 1 == BARRED
    evidence.sixes = evidence.sixes and i != evidence.chariot
    if not evidence.hidden[i] and not barred and not (kind == MOVE_PLAY and card == 6):
        return
    held = ghost.held[i]
    sets = NONE if barred else fitting(course, rules, ghost, i, event)
    ghost.held[i] = held
    if kind != MOVE_PLAY or card == 6:
        sets |= learn_of_sixes(course, rules, evidence, i, event, sets)
    ghost.phase = PLAY
    if i == evidence.chariot:
        evidence.sixes = barred and (event >> EXCHANGED) & 1 == 0
    if sets != (WITH[card] if kind == MOVE_PLAY else ANY):
        observe(evidence, i, sets, ANY_HAND)


# ---------------------------------------------------------------------- for Python: arrays


@entry(SEARCHER)
def gather_all(courses, rules, known, events, evidence):
    """`gather`, for arrays of one."""
    gather(courses[0], rules[0], known[0], events, events.size, evidence[0])
