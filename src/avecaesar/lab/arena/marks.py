"""What the page and the picture draw of standings."""

from __future__ import annotations

from math import log2

from avecaesar.lab.arena.ratings import SIGMAS
from avecaesar.lab.arena.standings import Standings
from avecaesar.lab.figures import interval

ErrorBar = tuple[str, float, float, float, str]  # a name, a value, from, to, and the same in words


def multiples(standings: Standings) -> list[ErrorBar]:
    """Each pairing's wins in multiples of the fair share."""
    marks = []
    for row in standings.rows:
        it = row.multiple
        low, high = (it.value if end is None else end for end in (it.low, it.high))
        marks.append((f"{row.driver} v {row.against}", it.value, low, high, f"{it.value:.2f} ({interval(it)})"))
    return marks


def ratings(standings: Standings) -> list[ErrorBar]:
    """Each driver's rating; it begins at the ordinal."""
    return [
        (one.driver, one.mu, one.ordinal, 2 * one.mu - one.ordinal, f"{one.mu:.1f} ± {SIGMAS * one.sigma:.1f}")
        for one in standings.ratings
    ]


def warmth(multiple: float) -> float:
    """How strong a colour is, 0 to 0.65: the further from the fair share; all of it at three times as much, or a third.

    >>> warmth(1.0), warmth(3.0), warmth(0.0)
    (0.0, 0.65, 0.65)
    """
    return 0.65 * min(1.0, abs(log2(max(multiple, 0.01))) / log2(3))
