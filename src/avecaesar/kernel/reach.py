"""Where cards can take a chariot: `find_destinations` writes it into the race, `walk` tells it step by step."""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cards import playable
from avecaesar.kernel.jit import compiled, inlined
from avecaesar.kernel.layout import CARDS
from avecaesar.kernel.movement import NONE, advance, beyond_line, others

LAST_LAP = 3


@inlined
def find_destinations(course, race, i):
    """MOV-2, MOV-3, MOV-5: for each card in hand where it can take the chariot; False if nowhere.

    Written without branches: which card is held and what stands where cannot be predicted.
    """
    here = np.int64(race.space[i])
    cards = playable(race, i, race.six_barred)
    free = ~others(course, race, i)
    allowed = ~course.past[here] if race.duty else ~NONE  # TRI-3
    finish = beyond_line(course, here) if race.crossings[i] == LAST_LAP else NONE
    homeward = 0
    somewhere = NONE
    crossed = NONE
    window = course.reach[here, 1]
    for card in range(1, CARDS):
        crossed |= window & finish  # what stands beyond the line no longer counts
        window &= free & ~finish
        held = (cards >> (4 * card)) & 1
        destinations = window & allowed if held else NONE
        race.destinations[card] = destinations
        somewhere |= destinations
        homeward |= (held & (crossed != NONE)) << card
        window = advance(course, here, window)
    race.homeward = homeward
    return (somewhere != NONE) | (homeward != 0)


@compiled
def goes_home(race, card):
    """Whether this card may take the chariot on turn home: 1 or 0."""
    return (np.int64(race.homeward) >> card) & 1


@compiled
def walk(course, race, i, free, met):
    """MOV-2, MOV-3, MOV-5: where any chariot could drive, step by step, whatever it holds and whoever's turn it is.

    Writes for each number of steps the window of spaces that it can reach and that of the others whom it has met by
    then; returns the numbers of steps that can take it home, as bits.
    """
    here = np.int64(race.space[i])
    standing = others(course, race, i)
    finish = beyond_line(course, here) if race.crossings[i] == LAST_LAP else NONE
    homeward = 0
    crossed = NONE
    seen = NONE
    window = course.reach[here, 1]
    for steps in range(1, CARDS):
        crossed |= window & finish  # what stands beyond the line no longer counts
        window &= ~finish
        seen |= window & standing
        window &= ~standing
        free[steps] = window
        met[steps] = seen
        homeward |= (crossed != NONE) << steps
        window = advance(course, here, window)
    return homeward
