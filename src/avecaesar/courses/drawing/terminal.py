"""A course in a terminal: the same geometry as the picture, in dots of Braille with marks upon them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from avecaesar.courses.course import Course
from avecaesar.courses.curves import Line, Point
from avecaesar.courses.drawing.ink import pieces
from avecaesar.courses.geometry import LANE, Layout, Stretch, lay_out

ROMAN = ("I", "II", "III", "IV", "V", "VI")
NARROWEST, WIDEST, USUAL = 60, 220, 100
DECK = 84  # SET-1: the points of a deck

# Ink by name: how ANSI terminals paint it. The first wins where several meet in one character.
INKS = {
    "line": "1;97",
    "mark": "1;91",
    "arrow": "1;91",
    "bottleneck": "1;93",
    "alley": "95",
    "edge": "37",
    "wall": "33",
    "lane": "2;37",
    "rung": "2;33",
    "space": "2;37",
}
COLOURS = {"white": "97", "blue": "94", "yellow": "93", "red": "91"}


@dataclass(slots=True)
class _Cell:
    dots: int = 0
    ink: str = "space"
    letter: str = ""


class _Canvas:
    """Characters of two by four dots each, over a part of a layout."""

    def __init__(self, points: Sequence[Point], columns: int) -> None:
        self.left, self.top = min(x for x, _ in points), min(y for _, y in points)
        across, down = max(x for x, _ in points) - self.left, max(y for _, y in points) - self.top
        self.scale = (2 * columns - 3) / across
        self.columns, self.rows = columns, int(down * self.scale / 4) + 1
        self.cells = [[_Cell() for _ in range(columns)] for _ in range(self.rows)]

    def dot(self, x: float, y: float) -> tuple[int, int]:
        return round((x - self.left) * self.scale) + 1, round((y - self.top) * self.scale)

    def set(self, x: int, y: int, ink: str) -> None:
        """One dot; the Braille patterns count them 1 2 3 7 down the left, 4 5 6 8 down the right."""
        row, column = y // 4, x // 2
        if 0 <= row < self.rows and 0 <= column < self.columns:
            cell = self.cells[row][column]
            cell.dots |= ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))[x % 2][y % 4]
            cell.ink = min(cell.ink, ink, key=list(INKS).index)

    def draw(self, points: Iterable[Point], ink: str, on: int = 1, off: int = 0) -> None:
        """A line, or a dashed one: so many dots on, so many off."""
        count, last = 0, None
        for (ax, ay), (bx, by) in pairwise(points):
            steps = max(int(math.dist((ax, ay), (bx, by)) * self.scale * 2), 1)
            for k in range(steps + 1):
                spot = self.dot(ax + (bx - ax) * k / steps, ay + (by - ay) * k / steps)
                if spot != last:
                    if count % (on + off) < on:
                        self.set(*spot, ink)
                    count, last = count + 1, spot

    def write(self, x: float, y: float, text: str, ink: str) -> None:
        """Letters around a point, over whatever is there."""
        dx, dy = self.dot(x, y)
        row, column = dy // 4, dx // 2 - (len(text) - 1) // 2
        for k, letter in enumerate(text):
            if 0 <= row < self.rows and 0 <= column + k < self.columns:
                self.cells[row][column + k] = _Cell(0, ink, letter)

    def text(self, paint: dict[str, str] | None) -> list[str]:
        return [self._line(row, paint) for row in self.cells]

    def _line(self, row: Sequence[_Cell], paint: dict[str, str] | None) -> str:
        parts, worn = [], ""
        for cell in row:
            letter = cell.letter or (chr(0x2800 + cell.dots) if cell.dots else " ")
            ink = (paint or {}).get(cell.ink, "") if letter != " " else worn
            if ink != worn:
                parts.append(f"\033[0;{ink}m" if ink else "\033[0m")
                worn = ink
            parts.append(letter)
        return "".join(parts).rstrip() + ("\033[0m" if worn else "")


def show(course: Course, *, colour: bool, width: int | None = None, marks: Mapping[int, str] | None = None) -> str:
    """The course as text, at most `width` characters wide (100 unless told).

    `marks` stand on spaces, by number: chariots, names, what you like; without them the grid is numbered.
    """
    columns = min(max(width or USUAL, NARROWEST), WIDEST)
    layout = lay_out(course.board)
    stretches = _stretches(course, layout)
    canvas = _Canvas([p for s in stretches for p in (*s.left, *s.right)], columns)
    _draw_track(canvas, stretches, layout)
    _write_marks(canvas, course, layout, _grid_numerals(course) if marks is None else marks)
    paint = INKS | {"edge": COLOURS.get(course.name, "36")} if colour else None
    picture = "\n".join(canvas.text(paint)).rstrip()
    return "\n".join((_title(course, colour), "", picture, "", *_legend(course, columns, numbered=marks is None)))


def _stretches(course: Course, layout: Layout) -> list[Stretch]:
    """The course's own, clockwise in order, and the alley's at the end."""
    names = [*(section.name for section in course.board.sections(course.name)), "alley"]
    return [layout.stretches[name] for name in names]


def _draw_track(canvas: _Canvas, stretches: Sequence[Stretch], layout: Layout) -> None:
    for stretch in stretches:
        for rung in stretch.rungs:
            canvas.draw(rung, "rung", 1, 2)
        for divider in stretch.dividers:
            if divider.wall:
                canvas.draw(divider.points, "wall")
            else:
                canvas.draw(divider.points, "lane", 2, 3)
        ink = "alley" if stretch.section == "alley" else "edge"
        for side in (stretch.left, stretch.right):
            for piece in pieces(side, LANE * 0.7):
                canvas.draw(piece, ink)
    ring = [stretch for stretch in stretches if stretch.section != "alley"]
    for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):  # where the other branch would be, a wall
        canvas.draw((a.left[-1], b.left[0]), "edge")
        canvas.draw((a.right[-1], b.right[0]), "edge")
    _draw_line(canvas, layout.line)


def _draw_line(canvas: _Canvas, line: Line) -> None:
    (ax, ay), (bx, by) = line
    (_, first), (_, last) = canvas.dot(ax, ay), canvas.dot(bx, by)
    rows = max(abs(last - first) // 4, 1)
    for k in range(rows + 1):
        share = k / rows
        canvas.write(ax + (bx - ax) * share, ay + (by - ay) * share, "▒", "line")


def _grid_numerals(course: Course) -> dict[int, str]:
    return dict(zip(course.grid, ROMAN, strict=True))


def _write_marks(canvas: _Canvas, course: Course, layout: Layout, marks: Mapping[int, str]) -> None:
    for space in course.spaces:
        shape = layout.shapes[space.name]
        if space.bottleneck:
            canvas.write(shape.x, shape.y, "◆", "bottleneck")
        elif space.alley:
            canvas.write(shape.x, shape.y, "○", "alley")
        elif canvas.columns >= 90:
            canvas.write(shape.x, shape.y, "·", "space")
    for number, mark in marks.items():
        shape = layout.shapes[course.spaces[number].name]
        canvas.write(shape.x, shape.y, mark, "mark")
    x, y = layout.line[1]
    arrow = "━━▶" if course.direction == "clockwise" else "◀━━"
    canvas.write(x, y + 4.5 / canvas.scale, arrow, "arrow")


def _title(course: Course, colour: bool) -> str:
    board = course.board
    name = f"{course.name.capitalize()}, {course.direction}"
    if colour:
        name = f"\033[1;{COLOURS.get(course.name, '36')}m{name}\033[0m"
    return f"{name} · {board.title or 'board ' + board.name}"


def _legend(course: Course, columns: int, *, numbered: bool) -> list[str]:
    narrow = [space.name for space in course.spaces if space.bottleneck]
    facts = [
        f"lap {course.shortest_lap}",
        f"alley +{course.alley_extra}",
        f"shortest race {course.shortest_race} of a deck's {DECK} points",
        f"◆ {len(narrow)} bottleneck{'' if len(narrow) == 1 else 's'}: {' '.join(narrow) or 'none'}",
        *(["I–VI grid"] if numbered else []),
        "▒ start and finish line",
        "○ Imperial Alley",
        "solid between lanes: wall",
        "dashed: change lanes",
    ]
    lines = [""]
    for fact in facts:
        joined = f"{lines[-1]} · {fact}" if lines[-1] else fact
        if len(joined) <= columns:
            lines[-1] = joined
        else:
            lines.append(fact)
    return lines
