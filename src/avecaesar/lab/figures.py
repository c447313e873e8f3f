"""Figures with their 95 % intervals, from whole numbers: exact sums in, the same floats out on every machine.

Races are independent of one another, the chariots of a race are not: one wins, so the others do not. So wherever
several chariots, or many turns, of one race go into a figure, its interval is worked out from race to race; and from
deal to deal where a deal is raced several times.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, sqrt

Z = 1.959963984540054  # standard deviations that hold 95 % of a normal distribution


@dataclass(frozen=True, slots=True)
class Figure:
    """A share (0 to 1) or a mean, and where it lies with 95 % confidence; None where one race cannot tell."""

    total: int  # what was counted
    value: float
    low: float | None
    high: float | None


def share(
    hits: int, of: int, races: int, hits_squared: int, product: int, of_squared: int, *, rotated: bool = False
) -> Figure:
    """Hits out of so many, with Wilson's interval.

    The last three are sums over the races of hits², hits × of and of². They tell how many independent trials the
    hits are worth: as many as they spread like, never more than there were; and one a race when all races agree.
    Races `rotated` are deals that were raced from every place. The luck of the places evens out there, and so the hits
    may be worth more trials than there were.

    >>> share(8, 10, 10, 8, 8, 10)
    Figure(total=8, value=0.8, low=0.49016247153664183, high=0.9433178485456247)
    """
    if of == 0:
        return Figure(hits, 0.0, None, None)
    p = hits / of
    spread = of * of * hits_squared - 2 * hits * of * product + hits * hits * of_squared  # Σ(hits - p × of)² of²
    most = inf if rotated else float(of)
    trials = float(races) if spread == 0 else min(most, hits * (of - hits) * of * of / spread)
    shrink = 1 + Z * Z / trials
    middle = (p + Z * Z / (2 * trials)) / shrink
    half = Z * sqrt(p * (1 - p) / trials + Z * Z / (4 * trials * trials)) / shrink
    return Figure(hits, p, max(0.0, min(middle - half, p)), min(1.0, max(middle + half, p)))


def mean(total: int, squares: int, races: int, chariots: int = 1) -> Figure:
    """A mean for each of so many chariots a race, with the normal interval; `squares` of each race's total.

    >>> mean(6, 14, 3)
    Figure(total=6, value=2.0, low=0.8684142659238283, high=3.1315857340761717)
    """
    figure = difference(total, squares, races, chariots)
    return figure if figure.low is None else replace(figure, low=max(0.0, figure.low))


def difference(total: int, squares: int, races: int, chariots: int = 1) -> Figure:
    """The same of what may be less than nothing.

    >>> difference(0, 6, 3)
    Figure(total=0, value=0.0, low=-1.959963984540054, high=1.959963984540054)
    """
    value = total / (races * chariots)
    if races == 1:
        return Figure(total, value, None, None)
    variance = (races * squares - total * total) / (races * (races - 1))
    half = Z * sqrt(variance / races) / chariots
    return Figure(total, value, value - half, value + half)


def divided(figure: Figure, by: int) -> Figure:
    """A share of the races as each of so many chariots' part of it."""
    low, high = (None if end is None else end / by for end in (figure.low, figure.high))
    return Figure(figure.total, figure.value / by, low, high)


def multiplied(figure: Figure, by: int) -> Figure:
    """A share as a multiple of the fair one, where so many have a part."""
    low, high = (None if end is None else end * by for end in (figure.low, figure.high))
    return Figure(figure.total, figure.value * by, low, high)


def interval(figure: Figure, by: int = 1) -> str:
    """For people: so many times the interval.

    >>> interval(Figure(8, 0.8, 0.49, 0.943), 100)
    '49.00–94.30'
    """
    return "–" if figure.low is None or figure.high is None else f"{figure.low * by:.2f}–{figure.high * by:.2f}"
