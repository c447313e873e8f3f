"""Where chariots stand and how far a card carries them: windows of spaces, one step at a time."""

from __future__ import annotations

import numpy as np

from avecaesar.courses.course import LONGEST_STRIDE
from avecaesar.kernel.jit import compiled, inlined
from avecaesar.kernel.layout import CRASHED, OFF

NONE = np.uint64(0)
ONE = np.uint64(1)


@compiled
def population(window):
    """How many spaces a window holds. (Written so that LLVM makes it one instruction.)"""
    pairs = window - ((window >> np.uint64(1)) & np.uint64(0x5555555555555555))
    fours = (pairs & np.uint64(0x3333333333333333)) + ((pairs >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bytes_ = (fours + (fours >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bytes_ * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled
def nearest(window):
    """The nearest space of a window that is not empty: the number of its lowest bit."""
    return population(~window & (window - ONE))


@inlined
def bit(course, here, there):
    """The window of `here` that holds `there` alone, or nothing if it lies too far on."""
    lap = np.int64(course.spaces)
    ahead = np.int64(there) - here
    ahead += lap if ahead < 0 else 0
    return ONE << np.uint64(ahead) if ahead < 64 else NONE


@compiled
def beyond_line(course, here):
    """The part of the window of `here` that lies beyond the line."""
    to_line = np.int64(course.spaces) - here
    return ~NONE << np.uint64(to_line) if to_line < 64 else NONE


@inlined
def others(course, race, i):
    """The window of all chariots on the board but i."""
    here = np.int64(race.space[i])
    window = NONE
    for j in range(race.chariots):
        window |= bit(course, here, race.space[j])
    return window & ~ONE


@compiled
def walls(course, race, i):
    """The window of crashed chariots."""
    here = np.int64(race.space[i])
    window = NONE
    for j in range(race.chariots):
        if race.status[j] == CRASHED:
            window |= bit(course, here, race.space[j])
    return window


@compiled
def advance(course, here, window):
    """One step on from every space of the window of `here`."""
    ahead = NONE
    for stride in range(LONGEST_STRIDE):
        ahead |= (window & course.onward[here, stride]) << np.uint64(stride + 1)
    return ahead


@compiled
def cuts(course, race, chosen):
    """Whether no way round, the alley included, avoids the spaces of the chosen chariots (a set of bits).

    A window slides once round the course, carrying what can be reached; what it holds at the line is driven
    round again until nothing changes.
    """
    landed = np.uint64(course.landing)
    while True:
        window = landed
        for here in range(course.spaces):
            if window & ONE:
                free = True
                for j in range(race.chariots):
                    if (chosen >> j) & 1 and race.space[j] == here:
                        free = False
                if free:
                    window |= advance(course, here, ONE)
            window >>= ONE
        window &= landed
        if window == landed:
            return window == NONE
        landed = window


@compiled
def space_ahead(course, here, ahead):
    """The space so many places further on, round the course."""
    there = here + ahead
    return there - course.spaces if there >= course.spaces else there


@compiled
def crossings_after(race, i, there):
    """How often a chariot has crossed the line once it stands there: whatever lies beyond it has a lower number."""
    return np.int64(race.crossings[i]) + (there < race.space[i])


@compiled
def put(course, race, i, there):
    """Move a chariot to a space, over the line if it lies there."""
    race.crossings[i] = crossings_after(race, i, there)
    race.space[i] = there
    race.remaining[i] = course.remaining[race.crossings[i], there]


@compiled
def take_off(race, i, status):
    """A chariot leaves the race; only a crashed one stays on its space."""
    race.status[i] = status
    if status != CRASHED:
        race.space[i] = OFF
    race.racing -= 1
    if not race.disqualified[i] and race.riderless[i] == 0:
        race.contenders -= 1
    race.left[i] = race.turns
