"""A course in a terminal: the same geometry as the picture, in dots of Braille with marks upon them.

`course show` prints it; the table in the terminal paints the same canvas and puts its chariots on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from avecaesar.courses.course import ROMAN, Course
from avecaesar.courses.curves import Point, Polyline
from avecaesar.courses.drawing.ink import pieces
from avecaesar.courses.geometry import LANE, Layout, lay_out
from avecaesar.courses.spaces import Shape, Stretch

NARROWEST, WIDEST, USUAL = 60, 220, 100
DECK = 84  # SET-1: the points of a deck
DETAILED = 5.0  # dots across a lane from which on lane lines and the ends of spaces can be told apart
CLOSE = 2.6  # dots: much less than a row
MOST_STRETCHED = 1.3  # how far a drawing may leave its proportions to fill a window

# Ink by name: how ANSI terminals paint it. The first wins where several meet in one character.
INKS = {
    "line": "1;97",
    "mark": "1;91",
    "arrow": "1;91",
    "bottleneck": "1;93",
    "alley": "95",
    "wall": "33",
    "edge": "37",
    "lane": "2;37",
    "rung": "2;33",
    "space": "2;37",
}
KERBS = ("edge", "alley")
ORDER = {ink: i for i, ink in enumerate(INKS)}
COLOURS = {"white": "97", "blue": "94", "yellow": "93", "red": "91"}


@dataclass(slots=True)
class CharacterCell:
    """A character of the drawing: dots or a letter, and what lies under it."""

    dots: int = 0
    ink: str = "space"
    letter: str = ""
    ground: str = ""  # road, alley, bottleneck, or nothing

    @property
    def character(self) -> str:
        """What is printed."""
        return self.letter or (chr(0x2800 + self.dots) if self.dots else " ")


class Canvas:
    """Characters of two by four dots each, over a part of a layout."""

    def __init__(self, points: Sequence[Point], columns: int, rows: int | None = None) -> None:
        self.left, self.top = min(x for x, _ in points), min(y for _, y in points)
        across, down = max(x for x, _ in points) - self.left, max(y for _, y in points) - self.top
        self.across = self.down = (2 * columns - 3) / across  # dots to a unit of the layout
        if rows is not None:
            fits = (4 * rows - 3) / down
            self.across, self.down = min(self.across, fits * MOST_STRETCHED), min(fits, self.across * MOST_STRETCHED)
        self.columns, self.rows = math.ceil((across * self.across + 3) / 2), int(down * self.down / 4) + 1
        self.cells = [[CharacterCell() for _ in range(self.columns)] for _ in range(self.rows)]
        self.spots: tuple[tuple[int, int], ...] = ()  # column and row of each space, by its number
        self.line: list[tuple[int, int]] = []  # column and row of the line's characters

    @property
    def lane(self) -> tuple[float, float]:
        """How wide a lane is: in characters where it leads up or down, in rows where it leads across."""
        return LANE * self.across / 2, LANE * self.down / 4

    @property
    def detailed(self) -> bool:
        """Whether there is room for lane lines."""
        return LANE * min(self.across, self.down) >= DETAILED

    def holds(self, column: int, row: int) -> bool:
        """Whether there is such a character."""
        return 0 <= column < self.columns and 0 <= row < self.rows

    def dot(self, x: float, y: float) -> tuple[int, int]:
        """The dot at a point of the layout."""
        return round((x - self.left) * self.across) + 1, round((y - self.top) * self.down)

    def set(self, x: int, y: int, ink: str) -> None:
        """One dot; the Braille patterns count them 1 2 3 7 down the left, 4 5 6 8 down the right."""
        row, column = y // 4, x // 2
        if self.holds(column, row):
            cell = self.cells[row][column]
            cell.dots |= ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))[x % 2][y % 4]
            cell.ink = min(cell.ink, ink, key=ORDER.__getitem__)

    def draw(self, points: Iterable[Point], ink: str, on: int = 1, off: int = 0, thick: bool = False) -> None:
        """A line, or a dashed one: so many dots on, so many off; a thick one is two dots wide."""
        count, last = 0, None
        for (ax, ay), (bx, by) in pairwise(points):
            steps = max(int(math.dist((ax, ay), (bx, by)) * max(self.across, self.down) * 2), 1)
            for k in range(steps + 1):
                spot = self.dot(ax + (bx - ax) * k / steps, ay + (by - ay) * k / steps)
                if spot != last:
                    if count % (on + off) < on:
                        self.set(*spot, ink)
                        if thick:
                            self.set(spot[0] + 1, spot[1], ink)
                            self.set(spot[0], spot[1] + 1, ink)
                    count, last = count + 1, spot

    def within(self, outline: Polyline) -> list[tuple[int, int]]:
        """Every character whose middle lies within an outline."""
        dots = [self.dot(x, y) for x, y in outline]
        columns, rows = [x // 2 for x, _ in dots], [y // 4 for _, y in dots]
        across = range(max(min(columns), 0), min(max(columns) + 1, self.columns))
        found: list[tuple[int, int]] = []
        for row in range(max(min(rows), 0), min(max(rows) + 1, self.rows)):
            sides = _crossed(4 * row + 1.5, dots)  # a ray from a point within crosses an odd number of them
            found += [(column, row) for column in across if sum(2 * column + 0.5 < side for side in sides) % 2]
        return found

    def fill(self, outline: Polyline, ground: str, *, over: bool = False) -> None:
        """Lay ground under every character within an outline; or only over ground that is there."""
        for column, row in self.within(outline):
            cell = self.cells[row][column]
            if cell.ground or not over:
                cell.ground = ground

    def fill_under_kerbs(self) -> None:
        """Lay the ground beside a kerb under it too, so that none of it is seen beyond or missing before."""
        found = {}
        for row, cells in enumerate(self.cells):
            for column, cell in enumerate(cells):
                if cell.dots and not cell.ground and cell.ink in KERBS:
                    beside = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
                    grounds = [self.cells[y][x].ground for x, y in beside if self.holds(x, y)]
                    found[column, row] = next((ground for ground in grounds if ground), "")
        for (column, row), ground in found.items():
            self.cells[row][column].ground = ground

    def clear(self, column: int, row: int) -> bool:
        """Whether a character has ground under it and neither kerb, wall nor line upon it."""
        cell = self.cells[row][column]
        return bool(cell.ground) and not (cell.character != " " and cell.ink in (*KERBS, "wall", "line"))

    def free(self, column: int, row: int) -> bool:
        """Whether nothing is drawn there."""
        return (
            self.holds(column, row) and not self.cells[row][column].ground and self.cells[row][column].character == " "
        )

    def put(self, column: int, row: int, text: str, ink: str) -> None:
        """Letters from a character on, over whatever is there."""
        for k, letter in enumerate(text):
            if self.holds(column + k, row):
                cell = self.cells[row][column + k]
                cell.dots, cell.ink, cell.letter = 0, ink, letter

    def text(self, paint: dict[str, str] | None) -> list[str]:
        """The drawing line by line, painted for an ANSI terminal if told how."""
        return [self._line(row, paint) for row in self.cells]

    def _line(self, row: Sequence[CharacterCell], paint: dict[str, str] | None) -> str:
        parts, worn = [], ""
        for cell in row:
            ink = (paint or {}).get(cell.ink, "") if cell.character != " " else worn
            if ink != worn:
                parts.append(f"\033[0;{ink}m" if ink else "\033[0m")
                worn = ink
            parts.append(cell.character)
        return "".join(parts).rstrip() + ("\033[0m" if worn else "")


def _crossed(y: float, outline: Sequence[Point]) -> list[float]:
    """Where a level line crosses the sides of an outline."""
    return [
        ax + (bx - ax) * (y - ay) / (by - ay)
        for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True)
        if (ay > y) != (by > y)
    ]


# ---------------------------------------------------------------------- drawing


def draw_course(course: Course, columns: int, rows: int | None = None) -> Canvas:
    """The course without anything on it, as large as the columns (and rows, if given) allow."""
    layout = lay_out(course.board)
    stretches = _stretches(course, layout)
    canvas = Canvas([p for s in stretches for p in (*s.left, *s.right)], columns, rows)
    for stretch in stretches:
        canvas.fill((*stretch.left, *reversed(stretch.right)), "alley" if stretch.section == "alley" else "road")
    ring = [stretch for stretch in stretches if stretch.section != "alley"]
    for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
        canvas.fill((a.left[-1], b.left[0], b.right[0], a.right[-1]), "road")
    for space in course.spaces:
        ground = "alley" if space.alley else "bottleneck" if space.bottleneck else "road"
        canvas.fill(_shape(course, layout, space.name).outline, ground, over=True)
    _draw_track(canvas, stretches, layout)
    canvas.fill_under_kerbs()
    canvas.spots = _spots(canvas, course, layout)
    _write_spaces(canvas, course, layout)
    return canvas


def show(course: Course, *, colour: bool, width: int | None = None, marks: Mapping[int, str] | None = None) -> str:
    """The course as text, at most `width` characters wide (100 unless told).

    `marks` stand on spaces, by number: chariots, names, what you like; without them the grid is numbered.
    """
    columns = min(max(width or USUAL, NARROWEST), WIDEST)
    canvas = draw_course(course, columns)
    for number, mark in (_grid_numerals(course) if marks is None else marks).items():
        column, row = canvas.spots[number]
        canvas.put(column - (len(mark) - 1) // 2, row, mark, "mark")
    paint = INKS | {"edge": COLOURS.get(course.name, "36")} if colour else None
    picture = "\n".join(canvas.text(paint)).rstrip()
    return "\n".join((_title(course, colour), "", picture, "", *_legend(course, columns, numbered=marks is None)))


def _stretches(course: Course, layout: Layout) -> list[Stretch]:
    """The course's own, clockwise in order, and the alley's at the end; the other branch is shut."""
    names = [*(section.name for section in course.board.sections(course.name)), "alley"]
    closed = layout.closed[course.name].stretches if course.name in layout.closed else {}
    return [closed.get(name) or layout.stretches[name] for name in names]


def _shape(course: Course, layout: Layout, space: str) -> Shape:
    closed = layout.closed[course.name].shapes if course.name in layout.closed else {}
    return closed.get(space) or layout.shapes[space]


def _draw_track(canvas: Canvas, stretches: Sequence[Stretch], layout: Layout) -> None:
    for stretch in stretches:
        if canvas.detailed:
            for rung in stretch.rungs:
                canvas.draw(rung, "rung", 1, 2)
        for divider in stretch.dividers:
            if divider.wall:
                canvas.draw(divider.points, "wall", thick=canvas.detailed)
            elif canvas.detailed:
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


def _draw_line(canvas: Canvas, line: Polyline) -> None:
    (ax, ay), (bx, by) = line
    (_, first), (_, last) = canvas.dot(ax, ay), canvas.dot(bx, by)
    rows = max(abs(last - first) // 4, 1)
    for k in range(rows + 1):
        share = k / rows
        x, y = canvas.dot(ax + (bx - ax) * share, ay + (by - ay) * share)
        canvas.put(x // 2, y // 4, "▒", "line")
        canvas.line.append((x // 2, y // 4))


def _spots(canvas: Canvas, course: Course, layout: Layout) -> tuple[tuple[int, int], ...]:
    """A character for each space: within it, clear of kerbs and walls, and close to its middle.

    Where there is none such it is the nearest that is free, so that lanes are never mixed up.
    """
    taken: dict[tuple[int, int], int] = {}
    for space in course.spaces:
        shape = _shape(course, layout, space.name)
        dot = canvas.dot(shape.x, shape.y)
        own = [
            spot
            for spot in canvas.within(shape.outline)
            if spot not in taken and canvas.clear(*spot) and _apart(spot, dot) < CLOSE
        ]
        taken[_nearest(own, dot) if own else _free_near(canvas, dot, taken)] = space.id
    return tuple(sorted(taken, key=taken.__getitem__))


def _free_near(canvas: Canvas, dot: tuple[int, int], taken: Mapping[tuple[int, int], int]) -> tuple[int, int]:
    """The character that a dot is in, or the nearest that is free; on the road if any next to it is."""
    middle = dot[0] // 2, dot[1] // 4
    for far in range(max(canvas.columns, canvas.rows)):
        around = [(middle[0] + dx, middle[1] + dy) for dx in range(-far, far + 1) for dy in range(-far, far + 1)]
        free = [spot for spot in around if spot not in taken and canvas.holds(*spot)]
        road = [spot for spot in free if canvas.cells[spot[1]][spot[0]].ground]
        if road or (free and far > 0):
            return _nearest(road or free, dot)
    raise ValueError(f"{canvas.columns}×{canvas.rows} characters are too few for {len(taken) + 1} spaces")


def _nearest(spots: Sequence[tuple[int, int]], dot: tuple[int, int]) -> tuple[int, int]:
    return min(spots, key=lambda spot: _apart(spot, dot))


def _apart(spot: tuple[int, int], dot: tuple[int, int]) -> float:
    """How far a dot is from the middle of a character, in dots."""
    return math.dist((2 * spot[0] + 0.5, 4 * spot[1] + 1.5), dot)


def _grid_numerals(course: Course) -> dict[int, str]:
    return dict(zip(course.grid, ROMAN, strict=True))


def _write_spaces(canvas: Canvas, course: Course, layout: Layout) -> None:
    for space, (column, row) in zip(course.spaces, canvas.spots, strict=True):
        if space.bottleneck:
            canvas.put(column, row, "◆", "bottleneck")
        elif space.alley:
            canvas.put(column, row, "○", "alley")
        elif canvas.clear(column, row):
            canvas.put(column, row, "·", "space")
    _write_arrow(canvas, course, layout)


def _write_arrow(canvas: Canvas, course: Course, layout: Layout) -> None:
    """Which way round: on the nearest free place below the line, if there is one."""
    arrow = "━━▶" if course.direction == "clockwise" else "◀━━"
    x, y = canvas.dot(*layout.line[1])
    for down, aside in product(range(1, 4), (0, -4, 4, -8, 8)):
        column, row = x // 2 - 1 + aside, y // 4 + down
        if all(canvas.free(column + k, row) for k in range(-1, len(arrow) + 1)):
            canvas.put(column, row, arrow, "arrow")
            return


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
