"""Packs a course and a set of rules into the records that the compiled rules read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import numba
import numpy as np
from numpy.typing import NDArray

from avecaesar.courses import Course
from avecaesar.courses.course import CROSSINGS_HOME, LONGEST_STRIDE, WINDOW, pays
from avecaesar.kernel.layout import CARDS, COURSE, DECK_SIZE, RACE, RULES
from avecaesar.kernel.option_codes import code
from avecaesar.rules import OPTIONS, Rules

Packed = NDArray[Any]  # an array of structured records


_packed: WeakKeyDictionary[Course, Packed] = WeakKeyDictionary()  # a table goes with its course, and not before


def course_table(course: Course) -> Packed:
    """The course as an array of one COURSE record."""
    table = _packed.get(course)
    if table is None:
        table = _packed[course] = _course_table(course)
    return table


def adopt(course: Course, table: Packed) -> None:
    """Take a course's table from another process, which has packed it."""
    _packed.setdefault(course, table)


def _course_table(course: Course) -> Packed:
    table = new_packed(1, COURSE)
    record = _by_name(table)
    count = len(course.spaces)
    record.spaces = count
    record.grid[:] = course.grid
    record.alley_extra = course.alley_extra
    record.side_b = course.side == "B"
    for space in course.spaces:
        here = space.id
        onward = [0] * LONGEST_STRIDE
        for ahead in range(WINDOW):
            at = (here + ahead) % count
            for step in course.spaces[at].steps:
                onward[(step.to - at) % count - 1] |= 1 << ahead
        record.onward[here] = np.array(onward, np.uint64)
        record.bottleneck[here] = space.bottleneck
        for crossings in range(CROSSINGS_HOME):
            record.remaining[crossings, here] = course.remaining[crossings][here]
            record.is_past[crossings, here] = course.past[crossings][here]
            record.pays[crossings, here] = pays(space, crossings)
        _pack_reach(record, course, here)
    landing = {step.to for space in course.spaces for step in space.steps if step.line}
    record.landing = _window(0, landing, count)
    return table


def _pack_reach(record: Any, course: Course, here: int) -> None:
    count = len(course.spaces)
    reached, through_walls, ever = {here}, {here}, set()
    for steps in range(1, CARDS):
        reached = {step.to for at in reached for step in course.spaces[at].steps}
        through_walls = {
            step.to for at in through_walls for step in (*course.spaces[at].steps, *course.spaces[at].through_walls)
        }
        ever |= reached
        record.reach[here, steps] = _window(here, reached, count)
        record.reach_through_walls[here, steps] = _window(here, through_walls, count)
    # What lies past is looked at on the second lap only: before the line with 2 crossings, beyond it with 3.
    past = {
        to
        for to in ever
        for crossings in [2 + (to < here)]
        if course.past[crossings][to] and not pays(course.spaces[to], crossings)
    }
    record.past[here] = _window(here, past, count)
    record.alley[here] = _window(here, {to for to in ever if course.spaces[to].alley}, count)
    for card in range(1, CARDS):
        record.stops[here] |= np.uint32(bool(record.reach[here, card] & record.alley[here]) << 4 * card)


def _window(here: int, spaces: Sequence[int] | set[int], count: int) -> int:
    window = 0
    for there in spaces:
        ahead = (there - here) % count
        if ahead < 64:  # further ones are reached only through walls
            window |= 1 << ahead
    return window


@cache
def rules_table(rules: Rules) -> Packed:
    """The rules as an array of one RULES record."""
    table = new_packed(1, RULES)
    record = _by_name(table)
    names = RULES.names or ()
    for name in names:
        value = getattr(rules, name)
        if name == "laurels":
            record.laurels[: len(value)] = value
        else:
            setattr(record, name, code(name, value) if OPTIONS[name].values else value)
    return table


def new_races(count: int) -> Packed:
    """Room for so many races."""
    return new_packed(count, RACE)


def new_windows(count: int) -> NDArray[np.uint64]:
    """Room for so many walks: a window for each number of steps."""
    return np.zeros((count, CARDS), np.uint64)


def deal(races: Packed, k: int, decks: Sequence[Sequence[int]]) -> None:
    """Write the shuffled decks, first drawn first, into race k, which has not begun; a shuffle of 0 to 23 for piles."""
    for i, cards in enumerate(decks):
        assert len(cards) == DECK_SIZE
        races["deck"][k, i] = cards


def new_packed(count: int, dtype: np.dtype[Any]) -> Packed:
    """An array of records: plain, as compiled code takes it fastest; uncompiled code reads by name."""
    made = np.zeros(count, dtype)
    return made.view(np.recarray) if numba.config.DISABLE_JIT else made


def _by_name(table: Packed) -> Any:
    return table.view(np.recarray)[0]
