"""Smooth lines on a screen: x to the right, y down, headings in degrees clockwise from east."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]
Polyline = tuple[Point, ...]

SAMPLES = 24  # points along a section's centre line


@dataclass(frozen=True, slots=True)
class Pose:
    """A point of a centre line, and where it heads there."""

    x: float
    y: float
    heading: float

    def aside(self, distance: float) -> Pose:
        """The point so far to the right of it."""
        angle = math.radians(self.heading)
        return Pose(self.x - distance * math.sin(angle), self.y + distance * math.cos(angle), self.heading)

    @property
    def point(self) -> Point:
        """Without its heading."""
        return (self.x, self.y)


class Curve:
    """A line that can be asked for the pose at any fraction of its length."""

    def __init__(self, points: Sequence[Point], ends: tuple[float, float] | None = None) -> None:
        self.points = points
        self.ends = ends  # the headings at both ends, where they are known: neighbours then meet without a gap
        self.lengths = [0.0]
        for a, b in pairwise(points):
            self.lengths.append(self.lengths[-1] + math.dist(a, b))

    @property
    def length(self) -> float:
        """From its first point to its last."""
        return self.lengths[-1]

    def at(self, fraction: float) -> Pose:
        """The pose there; fractions a little outside 0 to 1 go straight on."""
        goal = fraction * self.length
        i = 1
        while i < len(self.lengths) - 1 and self.lengths[i] < goal:
            i += 1
        (ax, ay), (bx, by) = self.points[i - 1], self.points[i]
        share = (goal - self.lengths[i - 1]) / ((self.lengths[i] - self.lengths[i - 1]) or 1.0)
        return Pose(ax + share * (bx - ax), ay + share * (by - ay), self._heading(i - 1, share))

    def _heading(self, i: int, share: float) -> float:
        """Blended between segments, so that cells' ends fan evenly round a bend."""
        here = direction(self.points[i], self.points[i + 1])
        j = i - 1 if share < 0.5 else i + 1
        if not 0 <= j < len(self.points) - 1:
            end = self.ends[0 if j < 0 else 1] if self.ends else here
            return here + 2 * abs(share - 0.5) * turn_between(here, end)
        there = direction(self.points[j], self.points[j + 1])
        return here + abs(share - 0.5) * turn_between(here, there)


def direction(a: Point, b: Point) -> float:
    """The heading from one point to another."""
    return math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))


def turn_between(a: float, b: float) -> float:
    """From heading a to heading b the shorter way, right positive."""
    return (b - a + 180) % 360 - 180


def bend(a: Pose, b: Pose, side: str = "straight") -> Curve:
    """A smooth line from a to b, an arc of a circle where there is one; a curve bends to the side it says."""
    turn = turn_between(a.heading, b.heading)
    if side == "right" and turn < -60:
        turn += 360
    elif side == "left" and turn > 60:
        turn -= 360
    half = math.radians(min(abs(turn), 300)) / 2
    reach = 1 / 3 if half < 0.01 else (4 / 3) * math.tan(half / 2) / (2 * math.sin(half))
    handle = reach * math.hypot(b.x - a.x, b.y - a.y)
    c1 = (a.x + handle * cos(a.heading), a.y + handle * sin(a.heading))
    c2 = (b.x - handle * cos(b.heading), b.y - handle * sin(b.heading))
    points = []
    for k in range(SAMPLES + 1):
        t, u = k / SAMPLES, 1 - k / SAMPLES
        weights = (u**3, 3 * t * u * u, 3 * t * t * u, t**3)
        points.append(
            (
                sum(w * p[0] for w, p in zip(weights, (a.point, c1, c2, b.point), strict=True)),
                sum(w * p[1] for w, p in zip(weights, (a.point, c1, c2, b.point), strict=True)),
            )
        )
    return Curve(points, (a.heading, b.heading))


def hermite(a: float, b: float, leaving: float, arriving: float, t: float) -> float:
    """From a to b while t goes from 0 to 1, with these slopes at the ends."""
    t = min(max(t, 0.0), 1.0)
    s = t * t * (3 - 2 * t)
    return a + (b - a) * s + leaving * t * (1 - t) ** 2 - arriving * t * t * (1 - t)


def cos(degrees: float) -> float:
    """Of an angle in degrees."""
    return math.cos(math.radians(degrees))


def sin(degrees: float) -> float:
    """Of an angle in degrees."""
    return math.sin(math.radians(degrees))
