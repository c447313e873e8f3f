"""The ghost: the race run once more from what everybody saw of it, without its hidden cards.

How many cards each chariot holds is right; which they are is not, but for those of riderless ones.
"""

from __future__ import annotations

import numpy as np

from avecaesar.drivers.belief.encoding import CHARIOT, EXCHANGED, REASON
from avecaesar.kernel.cards import draw
from avecaesar.kernel.ending import next_turn
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.layout import BARRED, DECK_SIZE, MOVE_DRAW, MOVE_LAY, MOVE_MISS, MOVE_PLAY, OVER, PLAY
from avecaesar.kernel.move_codes import kind_of
from avecaesar.kernel.option_codes import DRAW_FROM_PILES, EXTRA
from avecaesar.kernel.piles import put_aside
from avecaesar.kernel.riderless import can_step
from avecaesar.kernel.turn import begin, take_turn
from avecaesar.rules import PILES


@compiled
def line_up(course, rules, known, evidence):
    """Set the ghost on the grid."""
    ghost = evidence.ghost
    for i in range(known.chariots):
        for k in range(DECK_SIZE):
            ghost.deck[i, k] = k // 4 + 1
    begin(course, rules, ghost, np.int64(known.drivers), np.int64(known.chariots) - known.drivers)
    for i in range(known.chariots):
        ghost.choice[i] = known.choice[i]
        if ghost.riderless[i]:  # the first on the grid has drawn already
            ghost.hand[i] = 0
            ghost.held[i] = 0
            ghost.top[i] = 0
            ghost.undrawn[i] = DECK_SIZE
    if rules.draw == DRAW_FROM_PILES:
        put_aside(rules, ghost)
    ghost.turn = 0
    ghost.phase = PLAY


@compiled
def count_piles(known, events, count, ghost):
    """How many cards lay on each pile when all had sorted: those that lie there still, and those that were drawn."""
    for i in range(known.first, known.first + known.drivers):
        for pile in range(PILES):
            ghost.pile[i, pile] = known.pile[i, pile]
    for n in range(count):
        kind, pile, i = kind_of(events[n]), events[n] & 255, (events[n] >> CHARIOT) & 15
        if kind == MOVE_LAY:
            ghost.laid[i] = pile + 1
        elif kind == MOVE_DRAW and ghost.laid[i] == pile + 1:
            ghost.laid[i] = 0
        elif kind == MOVE_DRAW:
            ghost.pile[i, pile] += 1
    for i in range(known.first, known.first + known.drivers):
        ghost.laid[i] = 0
        for pile in range(PILES):
            ghost.pile_top[i, pile] = ghost.undrawn[i]
            ghost.undrawn[i] += ghost.pile[i, pile]


@compiled
def retrace(course, rules, ghost, i, event):
    """What a driver did. The cards that he did not show are any: one that was exchanged is called a 1."""
    kind, card, to = kind_of(event), (event >> 8) & 255, event & 255
    if kind == MOVE_MISS:
        card = (event >> EXCHANGED) & 1
    if card > 0:
        ghost.hand[i] = 1 << (4 * card)
    repeat(course, rules, ghost, i, kind, card, to)


@compiled
def retrace_riderless(course, rules, ghost, i, event):
    """What a riderless chariot did. Its card comes from anywhere in its deck, so that the right ones are left there."""
    kind, card, to = kind_of(event), (event >> 8) & 255, event & 255
    ghost.miss = ((event >> REASON) & 3) - 1
    if ghost.held[i] == 0 and (kind == MOVE_PLAY or ghost.riderless[i] != EXTRA or can_step(course, ghost, i)):
        bring_up(ghost, i, card if card > 0 else 6 if ghost.miss == BARRED else 1)
        draw(ghost, i)
    if kind == MOVE_PLAY:
        ghost.hand[i] = 1 << (4 * card)
    repeat(course, rules, ghost, i, kind, card, to)


@compiled
def repeat(course, rules, ghost, i, kind, card, to):
    """The rules do the turn on the ghost; it is over, unless a card is to be drawn or laid."""
    take_turn(course, rules, ghost, i, kind, card, to)
    if ghost.phase <= OVER:
        pass_on(course, rules, ghost)


@compiled
def pass_on(course, rules, ghost):
    """The turn is over."""
    ghost.phase = PLAY
    next_turn(course, rules, ghost)


@compiled
def bring_up(ghost, i, card):
    """Bring a card to the top of a deck."""
    top = np.int64(ghost.top[i])
    for k in range(ghost.undrawn[i]):
        at = (top + k) % DECK_SIZE
        if ghost.deck[i, at] == card:
            ghost.deck[i, at] = ghost.deck[i, top]
            break
    ghost.deck[i, top] = card
