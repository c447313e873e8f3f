"""The board: the drawing of `course show` in colours, with chariots, and the spaces that a card can reach."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from avecaesar.courses import Course
from avecaesar.courses.drawing.terminal import Canvas, CharacterCell, draw_course
from avecaesar.tui.paint import Palette, edge, livery, marks, palette

LEAST_BOARD = (20, 8)  # columns and rows in which every space still has a character
LEGEND = (  # ink, sign, words
    ("line", "▒", "line"),
    ("wall", "⣿", "wall"),
    ("lane", "⠒ ⠒", "lanes"),
    ("bottleneck", "◆", "room for one"),
    ("alley", "○", "Imperial Alley"),
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A chariot: the letter that names it and its colour."""

    letter: str
    colour: str
    crashed: bool = False


def marked(chariots: Sequence[tuple[str, str]], first: Sequence[str] = ()) -> list[Mark]:
    """A mark for each chariot, given by its name and colour; those named `first` choose their letters first."""
    names = [*first, *(name for name, _ in chariots if name not in first)]
    letters = dict(zip(names, marks(names), strict=True))
    return [Mark(letters[name], colour) for name, colour in chariots]


class BoardWidget(Widget):
    """Shows a course and what stands on it. What may be done is handed to it; it knows no rule."""

    DEFAULT_CSS = "BoardWidget { width: 1fr; height: 1fr; }"

    class Clicked(Message):
        """Somebody clicked on a space that is marked, or on home."""

        def __init__(self, space: int | Literal["home"]) -> None:
            super().__init__()
            self.space = space

    def __init__(self, course: Course, *, legend: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self.course, self.legend = course, legend
        self.chariots: dict[int, Mark] = {}  # by the space they stand on
        self.targets: dict[int, str] = {}  # spaces with the letter to type
        self.home: tuple[int, str] | None = None  # the space beyond the line, and the letter for home
        self.chosen: int | Literal["home"] | None = None
        self.trail: tuple[int, ...] = ()
        self._canvas: Canvas | None = None
        self._drawn_for: tuple[object, ...] = ()
        self._rows: list[list[tuple[str, Style]]] = []  # the canvas painted, without anything on it
        self._painted_for: tuple[object, ...] = ()

    def show(
        self,
        *,
        course: Course | None = None,
        chariots: Mapping[int, Mark] | None = None,
        targets: Mapping[int, str] | None = None,
        home: tuple[int, str] | None = None,
        chosen: int | Literal["home"] | None = None,
        trail: Iterable[int] = (),
    ) -> None:
        """Put this on the board; what is not given goes, but for the course and the chariots."""
        if course is not None:
            self.course = course
        if chariots is not None:
            self.chariots = dict(chariots)
        self.targets, self.home = dict(targets or {}), home
        self.chosen, self.trail = chosen, tuple(trail)
        self.refresh()

    # ------------------------------------------------------------------ drawing

    @property
    def canvas(self) -> Canvas:
        """The drawing at this size."""
        wanted = (self.course, self.size)
        if self._canvas is None or self._drawn_for != wanted:
            self._canvas = draw_course(
                self.course, max(self.size.width, LEAST_BOARD[0]), max(self.size.height, LEAST_BOARD[1])
            )
            self._drawn_for = wanted
        return self._canvas

    def _painted(self, paint: Palette) -> list[list[tuple[str, Style]]]:
        canvas = self.canvas
        if self._painted_for != (canvas, paint.ground):
            inks, grounds = paint.inks | {"edge": edge(paint, self.course)}, _grounds(paint)
            styles: dict[tuple[str, str], Style] = {}
            self._rows = [
                [
                    (cell.character, styles.setdefault((cell.ink, cell.ground), _style(cell, inks, grounds)))
                    for cell in row
                ]
                for row in canvas.cells
            ]
            if self.legend:
                self._write_legend(inks, paint)
            self._painted_for = (canvas, paint.ground)
        return self._rows

    def _write_legend(self, inks: Mapping[str, str], paint: Palette) -> None:
        """What the signs mean, in their own ink, on the grass where there is room."""
        lines = [line for line in LEGEND if line[0] != "lane" or self.canvas.detailed]
        corner = _lawn(self.canvas, max(len(f"{sign} {words}") for _, sign, words in lines), len(lines))
        if corner is None:
            return
        for row, (ink, sign, words) in enumerate(lines, corner[1]):
            strong, quiet = Style(color=inks[ink], bgcolor=paint.ground), Style(color=paint.quiet, bgcolor=paint.ground)
            cells = [*((c, strong) for c in sign), *((c, quiet) for c in f" {words}")]
            self._rows[row][corner[0] : corner[0] + len(cells)] = cells

    @property
    def _corner(self) -> tuple[int, int]:
        canvas = self.canvas
        return max((self.size.width - canvas.columns) // 2, 0), max((self.size.height - canvas.rows) // 2, 0)

    def render_line(self, y: int) -> Strip:
        """One line of characters."""
        canvas, paint = self.canvas, palette(self.app.current_theme.dark)
        left, top = self._corner
        blank = Style(bgcolor=paint.ground)
        if not 0 <= y - top < canvas.rows:
            return Strip([Segment(" " * self.size.width, blank)])
        row, grounds = canvas.cells[y - top], _grounds(paint)
        cells = list(self._painted(paint)[y - top])
        for column, character, style in self._standing(y - top, paint):
            ground = style if style.bgcolor else style + Style(bgcolor=grounds[row[column].ground])
            cells[column] = (character, ground)
        after = max(self.size.width - left - len(cells), 0)
        return Strip([Segment(" " * left, blank), *_joined(cells), Segment(" " * after, blank)])

    def _standing(self, y: int, paint: Palette) -> list[tuple[int, str, Style]]:
        """What stands on a line, from below upwards: column, character, style."""
        spots = self.canvas.spots
        targets = [(spots[space], letter, space == self.chosen) for space, letter in self.targets.items()]
        if self.home is not None:
            targets.append((self._finish(self.home[0]), self.home[1], self.chosen == "home"))
        taken = {*(spots[space] for space in self.chariots), *(spot for spot, _, _ in targets)}
        found = [
            (spots[space][0], "•", Style(color=paint.trail, bold=True)) for space in self.trail if spots[space][1] == y
        ]
        for (column, row), letter, chosen in targets:
            if row == y:
                found += self._target(column, row, letter, taken, paint, chosen=chosen)
        for space, mark in self.chariots.items():
            column, row = spots[space]
            if row == y:
                found += self._chariot(column, row, mark, taken, paint)
        return found

    def _finish(self, beyond: int) -> tuple[int, int]:
        """Where on the line the way to a space beyond it crosses."""
        column, row = self.canvas.spots[beyond]
        return min(self.canvas.line, key=lambda spot: (abs(spot[1] - row), abs(spot[0] - column)))

    def _room(self, column: int, row: int, taken: Collection[tuple[int, int]]) -> bool:
        """Whether something may reach over to a character: it is clear, and nobody's own."""
        return self.canvas.holds(column, row) and self.canvas.clear(column, row) and (column, row) not in taken

    def _target(
        self, column: int, row: int, letter: str, taken: Collection[tuple[int, int]], paint: Palette, *, chosen: bool
    ) -> list[tuple[int, str, Style]]:
        """A space to drive to is told by its shape: brackets where there is room, else a line under its letter."""
        style = paint.chosen if chosen else paint.target
        sides = (column - 1, row), (column + 1, row)
        around = {spot for spot in self.canvas.spots if spot not in self._trail_spots}
        if all(self._room(*side, {*taken, *around}) for side in sides):
            opening, closing = "[]" if chosen else "‹›"
            return [(column - 1, opening, style), (column, letter, style), (column + 1, closing, style)]
        return [(column, letter, style + Style(underline=True, bold=True))]

    @property
    def _trail_spots(self) -> set[tuple[int, int]]:
        return {self.canvas.spots[space] for space in self.trail}

    def _chariot(
        self, column: int, row: int, mark: Mark, taken: Collection[tuple[int, int]], paint: Palette
    ) -> list[tuple[int, str, Style]]:
        """A letter on its colour, with half a character more on either side where there is room."""
        style = livery(mark.colour)
        assert style.bgcolor is not None
        frame = Style(color=paint.frames.get(mark.colour) or style.bgcolor)
        worn = style + Style(strike=True, dim=True, bold=False) if mark.crashed else style
        found = [(column, mark.letter, worn)]
        for side, half in ((column - 1, "▐"), (column + 1, "▌")):
            if self._room(side, row, {*taken, *self.canvas.spots}):
                found.append((side, half, frame))
        return found

    # ------------------------------------------------------------------ the mouse

    def on_click(self, event: events.Click) -> None:
        """The marked space under the mouse, or next to it."""
        left, top = self._corner
        at = event.x - left, event.y - top
        spots: dict[int | Literal["home"], tuple[int, int]] = {s: self.canvas.spots[s] for s in self.targets}
        if self.home is not None:
            spots["home"] = self._finish(self.home[0])
        for space, (column, row) in spots.items():
            if abs(column - at[0]) <= 1 and row == at[1]:
                self.post_message(self.Clicked(space))
                return


def _grounds(paint: Palette) -> dict[str, str]:
    return {"": paint.ground, "road": paint.road, "alley": paint.alley, "bottleneck": paint.bottleneck}


def _style(cell: CharacterCell, inks: Mapping[str, str], grounds: Mapping[str, str]) -> Style:
    ink = inks.get(cell.ink, inks["space"])
    return Style(color=ink, bgcolor=grounds[cell.ground], bold=cell.ink in ("line", "arrow", "bottleneck", "wall"))


def _lawn(canvas: Canvas, wide: int, high: int) -> tuple[int, int] | None:
    """The corner of an empty place so large, as near to the middle as there is one; with a rim of grass around it."""
    places = [
        (column, row)
        for row in range(canvas.rows - high + 1)
        for column in range(1, canvas.columns - wide)
        if all(
            cell.character == " " and not cell.ground
            for cells in canvas.cells[row : row + high]
            for cell in cells[column - 1 : column + wide + 1]
        )
    ]
    middle = (canvas.columns - wide) / 2, (canvas.rows - high) / 2
    return min(places, key=lambda at: math.dist((at[0], 2 * at[1]), (middle[0], 2 * middle[1])), default=None)


def _joined(cells: Iterable[tuple[str, Style]]) -> list[Segment]:
    """Neighbours of one style as one segment."""
    return [
        Segment("".join(character for character, _ in run), style)
        for style, run in groupby(cells, key=lambda cell: cell[1])
    ]
