"""Stands full of people: beside Caesar's box, and along the outside of bends where there is room."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise

from avecaesar.courses.board import Board
from avecaesar.courses.curves import Curve, Point
from avecaesar.courses.drawing.ink import (
    NIGHT,
    SKIN,
    STONE,
    STONE_DARK,
    STONE_LIGHT,
    TERRACOTTA,
    TUNICS,
    aside,
    dots,
    number,
    path,
    paths,
    smooth,
    tag,
)
from avecaesar.courses.drawing.plots import Ground
from avecaesar.courses.geometry import LANE, Layout
from avecaesar.courses.spaces import Stretch

TIER = 14.0  # from one row of seats to the next
HIGHEST = 72.0  # where the uppermost row sits, below the frame and its own arcade
BESIDE_THE_BOX = 148.0  # from the line: clear of the box and its standards
BEHIND_THE_WALL = 37.0  # the first row along a bend: behind shields on the wall
CLEAR = 9.0  # nobody sits nearer to stairs or to the end of a row


def upright(layout: Layout) -> bool:
    """Whether the line stands upright, the start straight below the box, as on our own boards."""
    (ax, ay), (bx, by) = layout.line
    return by - ay > 4 * abs(bx - ax)


class Stands:
    """All the stands of one board, those beside the box first: they have the first choice of the ground."""

    def __init__(self, board: Board, layout: Layout, ground: Ground, rng: random.Random) -> None:
        self.board, self.layout, self.ground, self.rng = board, layout, ground, rng
        self.crowd: dict[str, list[Point]] = {tunic: [] for tunic in TUNICS}
        self.stone = self._main_stands() + self._curved_stands()

    def definitions(self) -> list[str]:
        """Where people of each tunic sit; drawn twice, as bodies and as heads."""
        return [
            tag("path", id=f"board-crowd-{k}", d=dots(seats)) for k, seats in enumerate(self.crowd.values()) if seats
        ]

    def drawn(self) -> str:
        """The stands, and everybody in them."""
        worn = [(k, tunic) for k, tunic in enumerate(TUNICS) if self.crowd[tunic]]
        bodies = [tag("use", href=f"#board-crowd-{k}", stroke=tunic) for k, tunic in worn]
        heads = [tag("use", href=f"#board-crowd-{k}") for k, _ in worn]
        people = tag("g", *bodies, stroke_width=6.2, stroke_linecap="round")
        faces = tag("g", *heads, stroke=SKIN, stroke_width=3.6, stroke_linecap="round", transform="translate(0 -4)")
        return self.stone + (people + faces if worn else "")

    def _seat(self, row: Sequence[Point], stairs: Sequence[Point] = ()) -> None:
        """People side by side along a row, a body's width clear of its ends and of the stairs."""
        way, at = Curve(row), CLEAR - 3
        while at <= way.length - CLEAR:
            spot = way.at(at / way.length).point
            if at >= CLEAR and all(math.dist(spot, stair) > CLEAR for stair in stairs):
                self.crowd[self.rng.choice(TUNICS)].append(spot)
            at += self.rng.choice((6.6, 7.0, 7.4, 12.5))

    # ------------------------------------------------------------------ beside the box

    def _main_stands(self) -> str:
        if not upright(self.layout):
            return ""
        return "".join(self._main_stand(side) for side in (-1, 1))

    def _main_stand(self, side: int) -> str:
        """Rows of seats on one side of the box, as far as they find room above the start straight."""
        start = self.layout.stretches[self._start_section]
        middle, bottom = self.layout.line[0][0], min(y for _, y in start.left[:2]) - 16
        reach = max(abs(x - middle) for x, _ in start.left) + LANE * 1.2
        heights = [HIGHEST + k * TIER for k in range(max(int((bottom - HIGHEST) / TIER), 0))]
        runs = [self._run(y, middle, side, reach) for y in heights]
        count = next((k for k, run in enumerate(runs) if run is None), len(runs))
        rows = [run for run in runs[:count] if run is not None]
        if len(rows) < 3:
            return ""
        inner, outer = _retreat([row[0] for row in rows]), min(row[1] for row in rows)
        flip = [(middle + side * outer, y) for y in (HIGHEST - TIER / 2, heights[count - 1] + TIER / 2)]
        wall = [(middle + side * distance, HIGHEST + (k - 0.5) * TIER) for k, distance in enumerate(inner)]
        return self._built([*wall, flip[1], flip[0]], wall, flip[0][0])

    @property
    def _start_section(self) -> str:
        return next(s.name for s in self.board.sections(self.board.courses[0]) if s.line_after is not None)

    def _run(self, y: float, middle: float, side: int, reach: float) -> tuple[float, float] | None:
        """From where to where one row finds free ground, as distances from the line."""
        free: list[float] = []
        for k in range(int(reach / 5), int(BESIDE_THE_BOX / 5), -1):  # inwards, until something is in the way
            x = middle + side * k * 5
            if self.ground.is_free(x, y - 6, infield=False) and self.ground.is_free(x, y + 8, infield=False):
                free.append(k * 5.0)
            elif free:
                break
        return (free[-1], free[0]) if len(free) >= 12 else None

    def _built(self, outline: list[Point], wall: list[Point], outer: float) -> str:
        """Tiers inside an outline whose inner edge is a wall with a corner for every row."""
        whole = path(outline, closed=True)
        parts = [tag("path", d=whole, fill=NIGHT, opacity=0.25, transform="translate(5 8)")]
        aisles = self._aisles(wall, outer)
        for k, ((ax, ay), (bx, by)) in enumerate(pairwise(wall)):
            tier = path([(ax, ay), (outer, ay), (outer, by), (bx, by)], closed=True)
            shade = (STONE_LIGHT, STONE)[k % 2]
            parts.append(tag("path", d=tier, fill=shade, stroke=STONE_DARK, stroke_width=1.2))
            y = (ay + by) / 2 + 1
            ends = sorted(((ax + bx) / 2, outer))
            self._seat([(ends[0], y), (ends[1], y)], [(x, y) for x, low in aisles if y < low + TIER])
        top, bottom = wall[0][1], wall[-1][1]
        steps = "".join(f"M{number(x)} {number(top)}V{number(low)}" for x, low in aisles)
        parts.append(tag("path", d=steps, stroke=STONE_DARK, stroke_width=10))
        parts.append(tag("path", d=steps, stroke=STONE_LIGHT, stroke_width=8, stroke_dasharray="3 1.67"))
        parts.append(_wall([[*wall, (outer, bottom), (outer, top)]]))
        left, right = sorted((wall[0][0], outer))
        parts.append(_arcade(left, right, top + 2))
        self.ground.claim((left + right) / 2, (20 + bottom) / 2, right - left + 16, bottom - 20)
        return "".join(parts)

    def _aisles(self, wall: Sequence[Point], outer: float) -> list[tuple[float, float]]:
        """Where stairs go down, and how far before they come upon the wall: two in a broad stand, or one."""
        inner = wall[0][0]
        aisles = []
        for share in (0.34, 0.68) if abs(outer - inner) > 170 else (0.5,):
            x = inner + (outer - inner) * share
            room = [y for edge, y in wall if abs(outer - edge) > abs(outer - x) + CLEAR]
            aisles.append((x, room[-1]))
        return aisles

    # ------------------------------------------------------------------ along bends

    def _curved_stands(self) -> str:
        """Rows along the outside of bends, where there is room."""
        curves = [
            section.name
            for course in self.board.courses
            for section in self.board.sections(course)
            if section.kind != "straight"
        ]
        return "".join(self._stand_along(self.layout.stretches[name]) for name in dict.fromkeys(curves))

    def _stand_along(self, stretch: Stretch) -> str:
        """Up to four rows, all from the same place to the same place of the bend."""
        rows = [aside(stretch.left, -(BEHIND_THE_WALL + k * TIER)) for k in range(4)]
        free = [[self._free(row, i) for i in range(1, len(row) - 1)] for row in rows]
        count, run = 0, range(0)
        for tried in range(2, 5):
            found = _longest([all(flags) for flags in zip(*free[:tried], strict=True)])
            if len(found) >= 6 and len(found) >= 0.75 * len(run):
                count, run = tried, found
        if not count:
            return ""
        rows = [row[1 + run.start : 1 + run.stop] for row in rows[:count]]
        parts = [
            tag(
                "path",
                d=path([*aside(rows[0], 7), *aside(rows[-1], -7)[::-1]], closed=True),
                fill=NIGHT,
                opacity=0.22,
                transform="translate(5 8)",
            )
        ]
        middle = [row[len(row) // 2] for row in rows] if Curve(rows[0]).length > 220 else []
        for k, row in enumerate(rows):
            parts.append(_tier(row, k))
            self._seat(row, middle[k : k + 1])
            self.ground.claim_line(row, TIER + 6)
        inner, outer = aside(rows[0], 7), aside(rows[-1], -7)
        parts.append(_wall([[inner[0], outer[0]], [inner[-1], outer[-1]], outer, inner]))
        if middle:
            steps = path([inner[len(inner) // 2], outer[len(outer) // 2]])
            parts.append(tag("path", d=steps, stroke=STONE_DARK, stroke_width=10))
            parts.append(tag("path", d=steps, stroke=STONE_LIGHT, stroke_width=8, stroke_dasharray="3 1.67"))
        return "".join(parts)

    def _free(self, row: Sequence[Point], i: int) -> bool:
        (x, y), (ax, ay), (bx, by) = row[i], row[i - 1], row[i + 1]
        length = math.hypot(bx - ax, by - ay)
        if length < 3:  # on the inside of a bend rows crowd together
            return False
        out = (x + 12 * (by - ay) / length, y - 12 * (bx - ax) / length)
        return self.ground.is_free(x, y, infield=False) and self.ground.is_free(*out, infield=False)


def _retreat(limits: Sequence[float]) -> list[float]:
    """How far from the line each row begins, and the ground below: upright, then one slope that stays clear."""
    column = limits[0]
    last = max(k for k, limit in enumerate(limits) if limit <= column + 1)
    slopes = [(limit - column) / (k - last) for k, limit in enumerate(limits) if k > last]
    slope = max(slopes, default=0.0)
    return [column + slope * max(k - last, 0) for k in range(len(limits) + 1)]


def _longest(flags: Sequence[bool]) -> range:
    """The longest run of what holds."""
    best, start = range(0), 0
    for i, flag in enumerate([*flags, False]):
        if not flag:
            best = max(best, range(start, i), key=len)
            start = i + 1
    return best


def _tier(row: Sequence[Point], k: int) -> str:
    line = smooth(row)
    common = {"d": line, "fill": "none"}
    return tag("path", stroke=STONE_DARK, stroke_width=TIER + 1.2, **common) + tag(
        "path", stroke=(STONE_LIGHT, STONE)[k % 2], stroke_width=TIER - 1, **common
    )


def _wall(lines: Sequence[Sequence[Point]]) -> str:
    """A coping of stone along the edge of a stand."""
    common = {"d": paths(lines), "fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
    return tag("path", stroke=STONE_DARK, stroke_width=5, **common) + tag(
        "path", stroke=STONE_LIGHT, stroke_width=3, **common
    )


def _arcade(x: float, x2: float, y: float) -> str:
    """The arches behind the highest row."""
    count = max(int((x2 - x) / 24), 1)
    step = (x2 - x) / count
    arch = f"v-16a{number(step * 0.3)} {number(step * 0.3)} 0 0 1 {number(step * 0.6)} 0v16z"
    arches = "".join(f"M{number(x + (k + 0.2) * step)} {number(y - 3)}{arch}" for k in range(count))
    wall = f"M{number(x)} {number(y)}V{number(y - 29)}H{number(x2)}V{number(y)}z"
    cornice = f"M{number(x - 3)} {number(y - 29)}H{number(x2 + 3)}"
    return "".join(
        (
            tag("path", d=wall, fill=STONE_LIGHT, stroke=STONE_DARK, stroke_width=1.2),
            tag("path", d=arches, fill="#6b4a35"),
            tag("path", d=cornice, stroke=TERRACOTTA, stroke_width=6),
            tag("path", d=cornice, stroke="#e4976d", stroke_width=2, transform="translate(0 -2)"),
        )
    )
