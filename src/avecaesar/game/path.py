"""The way a chariot is drawn along. The game knows only card and destination; people like to see it drive."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from avecaesar.game.moves import Play
from avecaesar.game.view import View
from avecaesar.game.what_if import walk


def way(view: View, play: Play) -> tuple[int, ...]:
    """The spaces that a chariot drives over, the last one included; home ends just beyond the line.

    It is the chariot on turn, or in a vote the riderless one. Of all ways round the others this is the one with the
    least sideways movement.

    >>> from avecaesar.game import Race
    >>> race = Race("white", 3, seed=2)
    >>> way(race.view(), Play(6, 14))
    (2, 6, 9, 11, 13, 14)
    """
    if view.mover is None:
        raise ValueError("the race is over: nobody drives")
    start, spaces = view.chariots[view.mover].space, view.course.spaces
    assert start is not None
    ways: dict[int, tuple[float, tuple[int, ...]]] = {start: (0.0, ())}  # by where they end: cost and spaces
    for ahead in walk(view, view.mover)[: play.card]:
        longer: dict[int, tuple[float, tuple[int, ...]]] = {}
        for at, (cost, driven) in ways.items():
            for step in spaces[at].steps:
                if play.to == "home" and ahead.home and step.line:
                    return (*driven, step.to)
                if step.to not in ahead.free:
                    continue
                drift = cost + abs(float(spaces[at].place.offset - spaces[step.to].place.offset))
                if step.to not in longer or drift < longer[step.to][0]:
                    longer[step.to] = (drift, (*driven, step.to))
        ways = longer
    if play.to not in ways:
        raise ValueError(f"no free way of {play.card} leads to {play.to!r}")
    return ways[play.to][1]


class WalledWay(NamedTuple):
    """A way that there would be without a wall."""

    driven: tuple[int, ...]  # the spaces, the last one included
    wall: tuple[int, int]  # the step that the wall takes away


def walled_ways(view: View, card: int) -> Iterator[WalledWay]:
    """The ways of a card round the others and through one wall, those first that go through it last."""
    assert view.mover is not None
    mover, spaces = view.mover, view.course.spaces
    here = view.chariots[mover].space
    assert here is not None
    taken = {chariot.space for chariot in view.chariots}

    @cache
    def free_ways(start: int, steps: int) -> list[tuple[int, ...]]:
        ways: list[tuple[int, ...]] = [()]
        for ahead in walk(view, mover, start)[:steps]:
            ways = [(*way, s.to) for way in ways for s in spaces[(start, *way)[-1]].steps if s.to in ahead.free]
        return ways

    for before in reversed(range(card)):
        for driven in free_ways(here, before):
            at = (here, *driven)[-1]
            for beyond in (step.to for step in spaces[at].through_walls if step.to not in taken):
                for rest in free_ways(beyond, card - before - 1):
                    yield WalledWay((*driven, beyond, *rest), (at, beyond))
