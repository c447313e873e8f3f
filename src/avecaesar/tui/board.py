"""The board: the drawing of `course show` in colours, with chariots, and the spaces that a card can reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from avecaesar.courses import Course
from avecaesar.courses.drawing.terminal import Canvas, Cell, draw_course
from avecaesar.tui.paint import CHARIOTS, Palette, edge, palette

LEAST_BOARD = (20, 8)  # columns and rows in which every space still has a character


@dataclass(frozen=True, slots=True)
class Mark:
    """A chariot: the letter that names it and its colour."""

    letter: str
    colour: str


class Board(Widget):
    """Shows a course and what stands on it. What may be done is handed to it; it knows no rule."""

    DEFAULT_CSS = "Board { width: 1fr; height: 1fr; }"

    class Clicked(Message):
        """Somebody clicked on a space that is marked."""

        def __init__(self, space: int) -> None:
            super().__init__()
            self.space = space

    def __init__(self, course: Course, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.course = course
        self.chariots: dict[int, Mark] = {}  # by the space they stand on
        self.targets: dict[int, str] = {}  # spaces with the letter to type
        self.chosen: int | None = None
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
        chosen: int | None = None,
        trail: Iterable[int] = (),
    ) -> None:
        """Put this on the board; what is not given goes, but for the course and the chariots."""
        if course is not None:
            self.course = course
        if chariots is not None:
            self.chariots = dict(chariots)
        self.targets, self.chosen, self.trail = dict(targets or {}), chosen, tuple(trail)
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
            self._painted_for = (canvas, paint.ground)
        return self._rows

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
        for column, characters, style in self._standing(y - top, paint):
            for k, character in enumerate(characters):
                if 0 <= column + k < len(cells) and not (character == " " and row[column + k].ink == "line"):
                    ground = style if style.bgcolor else style + Style(bgcolor=grounds[row[column + k].ground])
                    cells[column + k] = (character, ground)
        after = max(self.size.width - left - len(cells), 0)
        return Strip([Segment(" " * left, blank), *_joined(cells), Segment(" " * after, blank)])

    def _standing(self, y: int, paint: Palette) -> list[tuple[int, str, Style]]:
        """What stands on a line, from below upwards: column, characters, style."""
        spots = self.canvas.spots
        wide = min(max(int(self.canvas.lane[0]), 1), 3)
        found: list[tuple[int, str, Style]] = []
        for space in self.trail:
            column, row = spots[space]
            if row == y:
                found.append((column, "•", Style(color=paint.trail, bold=True)))
        for space, letter in self.targets.items():
            column, row = spots[space]
            if row == y:
                found.append(_centred(column, letter, wide, paint.chosen if space == self.chosen else paint.target))
        for space, mark in self.chariots.items():
            column, row = spots[space]
            if row == y:
                found.append(_centred(column, mark.letter, wide, CHARIOTS[mark.colour]))
        return found

    # ------------------------------------------------------------------ the mouse

    def on_click(self, event: events.Click) -> None:
        """The marked space under the mouse, or next to it."""
        left, top = self._corner
        at = event.x - left, event.y - top
        for space in self.targets:
            column, row = self.canvas.spots[space]
            if abs(column - at[0]) <= 1 and row == at[1]:
                self.post_message(self.Clicked(space))
                return


def _grounds(paint: Palette) -> dict[str, str]:
    return {"": paint.ground, "road": paint.road, "alley": paint.alley, "bottleneck": paint.bottleneck}


def _style(cell: Cell, inks: Mapping[str, str], grounds: Mapping[str, str]) -> Style:
    ink = inks.get(cell.ink, inks["space"])
    return Style(color=ink, bgcolor=grounds[cell.ground], bold=cell.ink in ("line", "arrow", "bottleneck", "wall"))


def _centred(column: int, letter: str, wide: int, style: Style) -> tuple[int, str, Style]:
    return (column - 1, f" {letter} ", style) if wide == 3 else (column, letter.ljust(wide), style)


def _joined(cells: Iterable[tuple[str, Style]]) -> list[Segment]:
    """Neighbours of one style as one segment."""
    return [
        Segment("".join(character for character, _ in run), style)
        for style, run in groupby(cells, key=lambda cell: cell[1])
    ]
