"""Stands full of people: beside Caesar's box, and along the outside of bends where there is room."""

from __future__ import annotations

import math
import random
from itertools import pairwise

from avecaesar.courses.board import Board
from avecaesar.courses.curves import Point
from avecaesar.courses.drawing.ink import (
    NIGHT,
    SKIN,
    STONE,
    STONE_DARK,
    STONE_LIGHT,
    TERRACOTTA,
    TUNICS,
    aside,
    number,
    path,
    tag,
)
from avecaesar.courses.drawing.plots import Ground
from avecaesar.courses.geometry import LANE, Layout, Stretch

TIER = 14.0  # from one row of seats to the next
HIGHEST = 72.0  # where the uppermost row sits, below the frame and its own arcade


def upright(layout: Layout) -> bool:
    """Whether the line stands upright, the start straight below the box, as on our own boards."""
    (ax, ay), (bx, by) = layout.line
    return by - ay > 4 * abs(bx - ax)


class Stands:
    """All the stands of one board."""

    def __init__(self, board: Board, layout: Layout, ground: Ground, rng: random.Random) -> None:
        self.board, self.layout, self.ground, self.rng = board, layout, ground, rng

    def all(self) -> str:
        """Those beside the box first: they have the first choice of the ground."""
        return self._main_stand() + self._curved_stands()

    def _main_stand(self) -> str:
        """Rows of seats left and right of the box, as far as they find room above the start straight."""
        if not upright(self.layout):
            return ""
        start = next(s for s in self.layout.stretches.values() if s.section == self._start_section)
        middle, bottom = self.layout.line[0][0], min(y for _, y in start.left[:2]) - 16
        reach = max(abs(x - middle) for x, _ in start.left) + LANE * 1.2
        parts = []
        for side in (-1, 1):
            rows: list[list[Point]] = []
            y = HIGHEST
            while y < bottom:
                run = self._run(y, middle, side, reach)
                if run is not None:
                    rows.append([(run[0], y), (run[1], y)])
                y += TIER
            if rows:
                parts.append(self._arcade(rows[0]))
                self.ground.claim(
                    (rows[0][0][0] + rows[0][1][0]) / 2, rows[0][0][1] - 20, rows[0][1][0] - rows[0][0][0], 60
                )
            parts += [self._tier(row, k) for k, row in enumerate(rows)]
            parts.append(self._stairs(rows))
            for row in rows:
                self.ground.claim((row[0][0] + row[1][0]) / 2, row[0][1], row[1][0] - row[0][0], TIER + 6)
        return "".join(parts)

    @property
    def _start_section(self) -> str:
        return next(s.name for s in self.board.sections(self.board.courses[0]) if s.line_after is not None)

    def _run(self, y: float, middle: float, side: int, reach: float) -> tuple[float, float] | None:
        """The free stretch of one row on one side of the box."""
        free: list[float] = []
        for k in range(int(reach / 10), 0, -1):  # inwards, until something stands in the way
            x = middle + side * k * 10
            if self.ground.is_free(x, y - 6, infield=False) and self.ground.is_free(x, y + 8, infield=False):
                free.append(x)
            elif free:
                break
        return (min(free) - 2, max(free) + 2) if len(free) >= 6 else None

    def _arcade(self, row: list[Point]) -> str:
        """The arches behind the highest row."""
        (x, y), (x2, _) = row
        count = max(int((x2 - x) / 24), 1)
        step = (x2 - x) / count
        arch = f"v-18a{number(step * 0.3)} {number(step * 0.3)} 0 0 1 {number(step * 0.6)} 0v18z"
        arches = "".join(f"M{number(x + (k + 0.2) * step)} {number(y - 5)}{arch}" for k in range(count))
        wall = f"M{number(x)} {number(y)}V{number(y - 33)}H{number(x2)}V{number(y)}z"
        cornice = f"M{number(x - 3)} {number(y - 33)}H{number(x2 + 3)}"
        return "".join(
            (
                tag("path", d=wall, fill=STONE_LIGHT, stroke=STONE_DARK, stroke_width=1),
                tag("path", d=arches, fill="#6b4a35"),
                tag("path", d=cornice, stroke=TERRACOTTA, stroke_width=6),
                tag("path", d=cornice, stroke="#e4976d", stroke_width=2, transform="translate(0 -2)"),
            )
        )

    def _stairs(self, rows: list[list[Point]]) -> str:
        """Aisles down the rows."""
        if len(rows) < 3:
            return ""
        left, right = max(row[0][0] for row in rows), min(row[1][0] for row in rows)
        first = min(max(left, rows[0][0][0]), rows[0][1][0])
        last = max(min(right, rows[0][1][0]), first)
        top, bottom = number(rows[0][0][1] - 7), number(rows[-1][0][1] + 7)
        steps = "".join(
            f"M{number(x)} {top}V{bottom}" for x in (first + (last - first) * share for share in (0.34, 0.72))
        )
        return tag("path", d=steps, stroke=STONE_DARK, stroke_width=9) + tag(
            "path", d=steps, stroke=STONE_LIGHT, stroke_width=7, stroke_dasharray="3 1.67"
        )

    def _curved_stands(self) -> str:
        """Rows along the outside of bends, where there is room."""
        parts = []
        curves = {
            section.name
            for course in self.board.courses
            for section in self.board.sections(course)
            if section.kind != "straight"
        }
        for name, stretch in self.layout.stretches.items():
            if name in curves:
                parts.append(self._stand_along(stretch))
        return "".join(parts)

    def _stand_along(self, stretch: Stretch) -> str:
        rows: list[list[Point]] = []
        for k in range(4):
            row = self._open_part(aside(stretch.left, -(24 + k * TIER))[1:-1])
            if len(row) < 6 or (rows and _length(row) < 0.9 * _length(rows[0])):
                break
            rows.append(row)
        if len(rows) < 2:
            return ""
        parts = [self._tier(row, k) for k, row in reversed(list(enumerate(rows)))]
        for row in rows:
            self.ground.claim_line(row, TIER + 4)
        return "".join(parts)

    def _open_part(self, row: list[Point]) -> list[Point]:
        """The longest part of a row with free ground under it."""
        best: list[Point] = []
        run: list[Point] = []
        for point, edge in zip(row, aside(row, -6), strict=True):
            free = self.ground.is_free(*point, infield=False) and self.ground.is_free(*edge, infield=False)
            run = [*run, point] if free else []
            best = max(best, run, key=len)
        return best

    def _tier(self, row: list[Point], number_: int) -> str:
        line = path(row)
        shade = (STONE_LIGHT, STONE)[number_ % 2]
        return "".join(
            (
                tag(
                    "path",
                    d=line,
                    fill="none",
                    stroke=NIGHT,
                    stroke_width=TIER + 4,
                    opacity=0.16,
                    transform="translate(3 5)",
                ),
                tag("path", d=line, fill="none", stroke=STONE_DARK, stroke_width=TIER + 1.4),
                tag("path", d=line, fill="none", stroke=shade, stroke_width=TIER - 1),
                self._crowd(path(_inset(row, 6))),
            )
        )

    def _crowd(self, line: str) -> str:
        """People side by side: dots of a dashed line, every tunic with a rhythm of its own."""
        seats, at = [], 0.0
        for _ in range(23):
            at += self.rng.choice((6.4, 6.9, 7.4, 12.5))
            seats.append((at, self.rng.randrange(len(TUNICS))))
        bodies, heads = [], []
        for colour, tunic in enumerate(TUNICS):
            mine = [seat for seat, worn in seats if worn == colour]
            if not mine:
                continue
            gaps = [b - a for a, b in zip(mine, [*mine[1:], mine[0] + at], strict=True)]
            rhythm = " ".join(f"0 {number(gap)}" for gap in gaps)
            common = {"d": line, "stroke_dasharray": rhythm, "stroke_dashoffset": number(-mine[0])}
            bodies.append(tag("path", stroke=tunic, **common))
        gaps = [b - a for (a, _), (b, _) in zip(seats, [*seats[1:], (seats[0][0] + at, 0)], strict=True)]
        heads.append(
            tag(
                "path",
                d=line,
                stroke=SKIN,
                stroke_width=3.6,
                stroke_dasharray=" ".join(f"0 {number(gap)}" for gap in gaps),
                stroke_dashoffset=number(-seats[0][0]),
                transform="translate(0 -4)",
            )
        )
        return tag("g", *bodies, *heads, fill="none", stroke_width=6.2, stroke_linecap="round")


def _inset(row: list[Point], by: float) -> list[Point]:
    """A row a little shorter at both ends: nobody sits with one leg in the air."""

    def nearer(end: Point, neighbour: Point) -> Point:
        share = min(by / (math.dist(end, neighbour) or 1.0), 1.0)
        return (end[0] + share * (neighbour[0] - end[0]), end[1] + share * (neighbour[1] - end[1]))

    return [nearer(row[0], row[1]), *row[1:-1], nearer(row[-1], row[-2])]


def _length(points: list[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(points))
