"""The river of side B: water, banks, boats, fords and puddles. It means nothing to the game (COU-8).

On the sand it is only wet: what looks like dashes or islands there could be taken for a rule.
"""

from __future__ import annotations

import math
import random

from avecaesar.courses.curves import Curve, Point, Pose
from avecaesar.courses.drawing.ink import SKY, STONE, STONE_DARK, aside, number, path, smooth, tag, use
from avecaesar.courses.drawing.plots import Ground
from avecaesar.courses.geometry import LANE, Layout

# As shares of the canvas: in from the right, out at the lower left.
COURSE = (
    (1.04, 0.13), (0.95, 0.24), (0.84, 0.3), (0.76, 0.385), (0.68, 0.42), (0.6, 0.475), (0.56, 0.555),
    (0.545, 0.63), (0.48, 0.69), (0.4, 0.735), (0.31, 0.8), (0.2, 0.795), (0.1, 0.86), (-0.04, 0.88),
)  # fmt: skip
WIDTH = 42.0
BOATS = (0.11, 0.87)  # how far down the river they are


def definitions() -> list[str]:
    """A barge, and the puddle."""
    hull = "M-24-7H12Q22-6 27 0 22 6 12 7H-24Q-28 0-24-7z"
    barge = "".join(
        (
            tag("path", d=hull, fill="#9a6a3c", stroke="#5e3c1e", stroke_width=1.6),
            tag("path", d="M-20-4H10M-20 4H10", stroke="#6d4526", stroke_width=1.2),
            tag("path", d="M-16-5.5H-2V5.5H-16z", fill="#f0e2c0", stroke="#c8402a", stroke_width=1.6),
            tag("path", d="M4 0h0M9 0h0", stroke="#c9854a", stroke_width=5.5, stroke_linecap="round"),
        )
    )
    puddle = tag("ellipse", rx=13, ry=6, fill=SKY, stroke="#d8eef0", stroke_width=1.2)
    glint = tag("path", d="M-6-1.5q4-2.4 8 0", fill="none", stroke="#eef8f8", stroke_width=1.2)
    return [
        tag("path", d=hull, id="board-hull", fill="#24404c", opacity=0.4),
        tag("g", barge, id="board-boat"),
        tag("g", puddle, glint, id="board-puddle"),
    ]


class River:
    """The river of one board: nothing of it where there is none."""

    def __init__(self, layout: Layout, ground: Ground, flows: bool) -> None:
        self.layout, self.ground = layout, ground
        self.points = flow(COURSE, layout.width, layout.height) if flows else []
        self.way = Curve(self.points)
        ground.claim_line(self.points, 64)

    def __bool__(self) -> bool:
        return bool(self.points)

    def bed(self) -> str:
        """Green banks, earth, shallows and water, under the track."""
        if not self.points:
            return ""
        course = smooth(self.points)
        layers: tuple[tuple[str, float, float], ...] = (
            ("#7f9a4f", 170, 0.16), ("#7f9a4f", 112, 0.3), ("#8f7a4a", 66, 0.5), ("#e2cf9a", 58, 1),
            ("#3f7f9c", 50, 1), (SKY, WIDTH, 1), ("#8cc3d4", 20, 0.6),
        )  # fmt: skip
        ripples = tag("path", d=self._ripples(), stroke="#eaf6f7", stroke_width=1.3, stroke_linecap="round")
        return tag(
            "g",
            *(tag("path", d=course, stroke=ink, stroke_width=wide, opacity=veil) for ink, wide, veil in layers),
            ripples,
            id="river",
            fill="none",
        )

    def boats(self) -> str:
        """On open water, with their shadows where the sun throws all others."""
        drawn = []
        for share in BOATS if self.points else ():
            spot = self.way.at(share)
            for name, dx, dy in (("hull", 4, 6), ("boat", 0, 0)):
                place = f"translate({number(spot.x + dx)} {number(spot.y + dy)}) rotate({number(spot.heading)})"
                drawn.append(tag("use", href=f"#board-{name}", transform=place))
        return "".join(drawn)

    def ford(self) -> str:
        """Where it crosses the track: wet sand between two rows of stones. Nothing on it to be read as a sign."""
        if not self.points:
            return ""
        course = smooth(self.points)
        edges = path(aside(self.points, -WIDTH / 2 - 2)) + path(aside(self.points, WIDTH / 2 + 2))
        stones = {"d": edges, "stroke_dasharray": "0 7.6", "stroke_linecap": "round"}
        return tag(
            "g",
            tag("path", d=course, stroke="#8a6a3c", stroke_width=WIDTH + 14, opacity=0.3),
            tag("path", d=course, stroke="#4f8fa3", stroke_width=WIDTH, opacity=0.55),
            tag("path", stroke=STONE_DARK, stroke_width=7.4, **stones),
            tag("path", stroke=STONE, stroke_width=5.4, transform="translate(-.4 -.7)", **stones),
            fill="none",
            class_="ford",
        )

    def puddles(self) -> str:
        """What the last flood left on the banks, beside the track and never on it."""
        drawn: list[str] = []
        rng = random.Random("puddles")
        for k in range(3, 40) if self.points else ():
            spot = self.way.at(k / 42).aside(rng.choice((-1, 1)) * rng.uniform(46, 66))
            if len(drawn) < 5 and self.ground.fits(spot.x, spot.y, 36, 20):
                self.ground.claim(spot.x, spot.y, 60, 40)
                drawn.append(use("board-puddle", spot.x, spot.y, class_="puddle"))
        return "".join(drawn)

    def _ripples(self) -> str:
        """Small waves along the flow, on open water only."""
        rng, waves = random.Random("ripples"), []
        boats = [self.way.at(share) for share in BOATS]
        for k in range(4, 120):
            spot = self.way.at(k / 120)
            near_boat = any(math.dist(spot.point, boat.point) < 40 for boat in boats)
            if not near_boat and self._clear(spot):
                waves.append(_wave(spot.aside(rng.uniform(-14, 14)), rng.uniform(6, 12)))
        return "".join(waves)

    def _clear(self, spot: Pose) -> bool:
        lines = (line.centre for line in self.layout.stretches.values())
        return all(math.dist(spot.point, p) > LANE * 1.75 for line in lines for p in line)


def _wave(spot: Pose, half: float) -> str:
    """One shallow arc along the flow."""
    along = Pose(spot.x, spot.y, spot.heading - 90)
    a, top, b = along.aside(-half).point, spot.aside(-half / 3).point, along.aside(half).point
    return f"M{number(a[0])} {number(a[1])}Q{number(top[0])} {number(top[1])} {number(b[0])} {number(b[1])}"


def flow(shares: tuple[Point, ...], width: float, height: float) -> list[Point]:
    """A smooth line through points given as shares of the canvas."""
    knots = [(x * width, y * height) for x, y in shares]
    points: list[Point] = []
    for i in range(len(knots) - 1):
        a, b, c, d = (knots[min(max(i + k, 0), len(knots) - 1)] for k in (-1, 0, 1, 2))
        for step in range(10):
            t = step / 10
            weights = (
                -0.5 * t + t * t - 0.5 * t**3,
                1 - 2.5 * t * t + 1.5 * t**3,
                0.5 * t + 2 * t * t - 1.5 * t**3,
                -0.5 * t * t + 0.5 * t**3,
            )
            x = sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True))
            y = sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True))
            points.append((x, y))
    return [*points, knots[-1]]
