"""The way a chariot is drawn along. The game knows only card and destination; people like to see it drive."""

from __future__ import annotations

from avecaesar.game.moves import Play
from avecaesar.game.reach import walk
from avecaesar.game.view import View


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
