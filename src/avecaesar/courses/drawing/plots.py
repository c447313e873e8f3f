"""The free ground of a board: where stands, trees and inscriptions can go without standing in the way.

A coarse grid over the canvas remembers what is built on; scenery asks it before it settles.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from avecaesar.courses.curves import Point, Polyline
from avecaesar.courses.geometry import Layout

CELL = 10.0  # units of the canvas


class Ground:
    """What is free on a canvas, and what of it lies inside the course."""

    def __init__(self, layout: Layout, frame: float, clearance: float) -> None:
        self.columns, self.rows = int(layout.width / CELL), int(layout.height / CELL)
        self.built = [[False] * self.columns for _ in range(self.rows)]
        for shape in layout.shapes.values():
            self._build_on(shape.outline, clearance)
        self.outside = self._outside()
        for row in range(self.rows):
            for column in range(self.columns):
                x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
                if not (frame < x < layout.width - frame and frame < y < layout.height - frame):
                    self.built[row][column] = True

    def _build_on(self, outline: Polyline, clearance: float) -> None:
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        for row in range(int((min(ys) - clearance) / CELL), int((max(ys) + clearance) / CELL) + 1):
            for column in range(int((min(xs) - clearance) / CELL), int((max(xs) + clearance) / CELL) + 1):
                at = ((column + 0.5) * CELL, (row + 0.5) * CELL)
                inside = 0 <= row < self.rows and 0 <= column < self.columns
                if inside and (within(at, outline) or min(math.dist(at, p) for p in outline) < clearance):
                    self.built[row][column] = True

    def _outside(self) -> set[tuple[int, int]]:
        """The cells that can be reached from the corner without crossing the track."""
        seen, edge = {(0, 0)}, [(0, 0)]
        while edge:
            row, column = edge.pop()
            for r, c in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                inside = 0 <= r < self.rows and 0 <= c < self.columns
                if inside and not self.built[r][c] and (r, c) not in seen:
                    seen.add((r, c))
                    edge.append((r, c))
        return seen

    def is_free(self, x: float, y: float, infield: bool | None = None) -> bool:
        """Whether nothing stands there; `infield` asks for inside or outside of the course as well."""
        row, column = int(y / CELL), int(x / CELL)
        if not (0 <= row < self.rows and 0 <= column < self.columns) or self.built[row][column]:
            return False
        return infield is None or infield != ((row, column) in self.outside)

    def fits(self, x: float, y: float, width: float, height: float, infield: bool | None = None) -> bool:
        """Whether a rectangle around a point is free."""
        across, down = max(math.ceil(width / CELL), 1), max(math.ceil(height / CELL), 1)
        return all(
            self.is_free(x + width * (i / across - 0.5), y + height * (j / down - 0.5), infield)
            for j in range(down + 1)
            for i in range(across + 1)
        )

    def claim(self, x: float, y: float, width: float, height: float) -> None:
        """Build on a rectangle around a point."""
        for row in range(int((y - height / 2) / CELL), int((y + height / 2) / CELL) + 1):
            for column in range(int((x - width / 2) / CELL), int((x + width / 2) / CELL) + 1):
                if 0 <= row < self.rows and 0 <= column < self.columns:
                    self.built[row][column] = True

    def claim_line(self, points: Iterable[Point], width: float) -> None:
        """Build on a band along a line."""
        for x, y in points:
            self.claim(x, y, width, width)

    def nearest(
        self, goal: Point, sizes: Sequence[tuple[float, float]], infield: bool | None = None
    ) -> tuple[float, float, float, float] | None:
        """The first of these sizes that fits anywhere, as near as can be to a point: x, y, width, height."""
        spots = [((c + 0.5) * CELL, (r + 0.5) * CELL) for r in range(self.rows) for c in range(self.columns)]
        spots = sorted((spot for spot in spots if self.is_free(*spot, infield)), key=lambda s: math.dist(s, goal))
        for width, height in sizes:
            for x, y in spots:
                if self.fits(x, y, width, height, infield):
                    return x, y, width, height
        return None


def within(at: Point, outline: Polyline) -> bool:
    """Whether a point lies inside a polygon."""
    x, y = at
    inside = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside
