"""Where chariots could drive and what a stop or a play would bring, as the kernel says: for whoever explains a race."""

from __future__ import annotations

from typing import NamedTuple

from avecaesar.courses import Course
from avecaesar.game.moves import Play, to_number
from avecaesar.game.numbers import AnyChariot, ChariotNumber
from avecaesar.game.position import twin_of
from avecaesar.game.view import View
from avecaesar.kernel import entry_points, packing
from avecaesar.kernel.layout import HOME
from avecaesar.rules import CARD_VALUES


class Ahead(NamedTuple):
    """So many steps ahead of a chariot."""

    free: tuple[int, ...]  # the spaces that it can reach with exactly so many, nobody run over; nearest first
    met: tuple[ChariotNumber, ...]  # the chariots that it has met by then on all its ways, in grid order
    home: bool  # whether it could be home by then


def walk(view: View, chariot: AnyChariot, start: int | None = None) -> tuple[Ahead, ...]:
    """Step by step where a chariot could drive, as far as a card goes, whatever it holds (MOV-2, MOV-3, MOV-5).

    With a `start` as if it stood on that space.

    >>> from avecaesar.game import Race
    >>> view = Race("white", 3, seed=2).view()
    >>> walk(view, 0)[1].free, walk(view, 2)[0].met
    ((5, 6), ())
    """
    here, course, known = view.chariots[chariot].space, view.course, view.known
    assert here is not None, "a chariot that is off the board goes nowhere"
    if start is not None and start != here:
        known = twin_of(known)
        known["space"][0][chariot] = here = start
    free, met = packing.new_windows(2)
    homeward = int(entry_points.walk_on(packing.course_table(course), known, 0, chariot, free, met))
    ahead = []
    for steps in CARD_VALUES:
        standing = _spaces(course, here, int(met[steps]))
        blockers = tuple(i for i in view.grid if view.chariots[i].space in standing)
        ahead.append(Ahead(_spaces(course, here, int(free[steps])), blockers, bool(homeward >> steps & 1)))
    return tuple(ahead)


def on_empty_course(course: Course, space: int, card: int) -> tuple[int, ...]:
    """The spaces that a card leads to from a space if nobody stands in its way, nearest first."""
    return _spaces(course, space, int(packing.course_table(course)["reach"][0][space, card]))


def stopping_cards(course: Course, space: int) -> frozenset[int]:
    """The cards that stop in the alley from a space if nobody stands in their way."""
    return _cards(int(packing.course_table(course)["stops"][0][space]))


def cards_that_owe(view: View, chariot: AnyChariot) -> frozenset[int]:
    """The cards with which a chariot would have to stop in the alley now, if it held them (TRI-3)."""
    tables = packing.course_table(view.course), packing.rules_table(view.rules)
    return _cards(int(entry_points.cards_that_owe(*tables, view.known, 0, chariot)))


def leads_after(view: View, play: Play) -> bool:
    """Whether the driver would be among the leaders after a play of its own (SIX-6)."""
    assert view.chariot is not None
    twin = twin_of(view.known)
    entry_points.step(packing.course_table(view.course), packing.rules_table(view.rules), twin, 0, to_number(play))
    return bool(int(entry_points.leading(twin, 0)) >> view.chariot & 1)


def remaining_after(view: View, play: Play) -> int:
    """The fewest steps to home for the chariot that is to move, after a play that it can make."""
    assert view.mover is not None
    to = HOME if play.to == "home" else play.to
    return int(entry_points.remaining_after(packing.course_table(view.course), view.known, 0, view.mover, to))


def _cards(bits: int) -> frozenset[int]:
    return frozenset(card for card in CARD_VALUES if bits >> 4 * card & 1)


def _spaces(course: Course, here: int, window: int) -> tuple[int, ...]:
    """The spaces of a window: bit k is the space k places further on."""
    return tuple((here + k) % len(course.spaces) for k in range(window.bit_length()) if window >> k & 1)
