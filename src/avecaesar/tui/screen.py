"""What playing and watching have in common: the bar, the board, the panel of drivers and the log, at any size."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rich.cells import cell_len, set_cell_size
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.geometry import Size
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

from avecaesar.courses import Course
from avecaesar.courses.drawing.terminal import MOST_STRETCHED, draw_course
from avecaesar.game import View
from avecaesar.tui.board_widget import LEAST_BOARD, BoardWidget, Mark
from avecaesar.tui.drivers_panel import Drivers
from avecaesar.tui.hand import Hand
from avecaesar.tui.keys import Keys
from avecaesar.tui.paint import livery, palette

LEAST = (76, 22)  # columns and rows
NARROW_PANEL, PANEL = 32, 45  # columns of what stands on the right
LogLine = tuple[Mark | None, str, str]  # of the log: whose it is, what happened, and where
SPEEDS = {"slow": (0.22, 0.9), "normal": (0.08, 0.35), "off": (0.0, 0.0)}  # seconds a step, and between moves


class Log(ScrollView, can_focus=False):
    """What happened, in words; the newest at the bottom. A line is put into form once, however long the story grows."""

    DEFAULT_CSS = """
    Log { height: 1fr; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lines: list[LogLine] = []
        self._rows: list[Strip] = []
        self._form = (0, False, False)  # columns, whether there are few rows, whether it is dark
        self._formed: dict[tuple[LogLine, bool], list[Strip]] = {}  # by line, and whether it is the newest

    def tell(self, lines: Iterable[LogLine]) -> None:
        """Put these lines in place of all that was there."""
        self.lines = list(lines)
        form = (self.scrollable_content_region.width, self.screen.size.height < 28, self.app.current_theme.dark)
        if form != self._form:
            self._form, self._formed = form, {}
        last = len(self.lines) - 1
        self._rows = [row for number, line in enumerate(self.lines) for row in self._in_form(line, number == last)]
        self.virtual_size = Size(form[0], len(self._rows))
        self.scroll_end(animate=False, immediate=False, x_axis=False)
        self.refresh()

    def on_resize(self) -> None:
        """Other widths have other rows."""
        self.tell(self.lines)

    def render_line(self, y: int) -> Strip:
        """A row of those that are seen."""
        row = self.scroll_offset.y + y
        width = self.scrollable_content_region.width
        shown = self._rows[row].crop_extend(0, width, None) if row < len(self._rows) else Strip.blank(width)
        return shown.apply_style(self.rich_style)

    def _in_form(self, line: LogLine, fresh: bool) -> list[Strip]:
        if (line, fresh) not in self._formed:
            options = self.app.console.options.update_width(self._form[0])
            self._formed[line, fresh] = Strip.from_lines(self.app.console.render_lines(self._row(line, fresh), options))
        return self._formed[line, fresh]

    def _row(self, line: LogLine, fresh: bool) -> Table:
        (mark, words, place), (_, dense, dark) = line, self._form
        paint = palette(dark)
        row = Table.grid(padding=(0, 1, 0, 0))
        row.add_column(width=1 if dense else 3)
        row.add_column()
        if mark is None:
            row.add_row("", Text(words, style=f"italic {paint.gold}"))
        else:
            text = Text(words, style=paint.text if fresh else paint.quiet)
            text.append(f"  {place}" if place else "", style=f"dim {paint.quiet}")
            row.add_row(Text(mark.letter if dense else f" {mark.letter} ", style=livery(mark.colour)), text)
        return row


class RaceScreen(Screen[None]):
    """Board and log on the left, drivers and hand on the right; one under the other where it is narrow and high."""

    DEFAULT_CSS = """
    RaceScreen { background: $background; }
    RaceScreen #bar { height: 1; width: 1fr; }
    RaceScreen #scene { layout: horizontal; height: 1fr; }
    RaceScreen #left { width: 1fr; height: 1fr; }
    RaceScreen #right { height: 1fr; padding: 0 1; background: $surface; }
    RaceScreen #log { padding: 0 1; background: $surface; height: 1fr; min-height: 2; }
    RaceScreen #drivers { width: 1fr; padding: 0 0 1 0; }
    RaceScreen #hand { width: 1fr; }
    RaceScreen #small { height: 1fr; width: 1fr; content-align: center middle; text-align: center; }
    RaceScreen #scene.-narrow #log { scrollbar-size-vertical: 0; }
    RaceScreen #scene.-high { layout: vertical; }
    RaceScreen #scene.-high #left { height: auto; }
    RaceScreen #scene.-high #log { height: 8; }
    RaceScreen #scene.-high #right { layout: horizontal; padding: 1 1 0 1; }
    RaceScreen #scene.-high #drivers { width: 44; margin: 0 2 0 0; }
    """

    HAND = Hand

    def __init__(self, course: Course) -> None:
        super().__init__()
        self.course = course
        self.marks: Sequence[Mark] = ()
        self.speed = "normal"
        self.skip = asyncio.Event()  # somebody is impatient
        self._bar = ("", "", False)

    def compose(self) -> ComposeResult:
        """Everything is there from the beginning; its contents change."""
        yield Static(id="bar")
        with Container(id="scene"):
            with Vertical(id="left"):
                yield BoardWidget(self.course, legend=True, id="board")
                yield Log(id="log")
            with Vertical(id="right"):
                yield Drivers(id="drivers")
                yield self.HAND(id="hand")
        yield Static(id="small")
        yield Keys()

    @property
    def keys(self) -> Keys:
        """The line at the bottom."""
        return self.query_one(Keys)

    @property
    def board(self) -> BoardWidget:
        """The board."""
        return self.query_one(BoardWidget)

    @property
    def log_of_race(self) -> Log:
        """What happened."""
        return self.query_one(Log)

    @property
    def drivers(self) -> Drivers:
        """The panel of drivers."""
        return self.query_one(Drivers)

    @property
    def hand(self) -> Hand:
        """The hand and its offers."""
        return self.query_one(Hand)

    # ------------------------------------------------------------------ sizes

    def on_resize(self) -> None:
        """Give board and panel their room."""
        self.make_room()
        self._paint_bar()

    @property
    def roomy(self) -> bool:
        """Whether the terminal is large enough."""
        return self.size.width >= LEAST[0] and self.size.height >= LEAST[1]

    def make_room(self) -> None:
        """Board and panel side by side with the log under the board; or stacked; or a word that there is no room."""
        width, height = self.size
        scene, small = self.query_one("#scene"), self.query_one("#small", Static)
        scene.display, small.display = self.roomy, not self.roomy
        small.update(
            f"The table needs {LEAST[0]} columns and {LEAST[1]} rows.\n"
            f"This terminal has {width} and {height}:\nmake it larger, or its letters smaller.\n(q leaves)"
        )
        high = width < 110 and height >= 44
        scene.set_class(high, "-high")
        scene.set_class(width < 100 and not high, "-narrow")
        panel = NARROW_PANEL if width < 100 else min(max(int(width * 0.37), PANEL), 64)
        right = self.query_one("#right", Vertical)
        right.styles.width = "1fr" if high else panel
        below = 8 + max(height // 3, 16) if high else 2 if height < 28 else max(4, height // 8)
        natural = draw_course(self.course, max(width if high else width - panel, LEAST_BOARD[0])).rows
        wanted = natural * MOST_STRETCHED if height < 30 else natural
        self.board.styles.height = max(min(int(wanted), height - 2 - below), LEAST_BOARD[1])

    # ------------------------------------------------------------------ what is shown

    def bar(self, left: str, right: str = "", *, call: bool = False) -> None:
        """The line on top; a call is for somebody who is to do something."""
        self._bar = (left, right, call)
        self._paint_bar()

    def show_view(self, view: View) -> None:
        """How the race stands, for eyes that may see this view."""
        self.drivers.show(view, self.marks)
        self.board.show(course=view.course, chariots=self.standing(view))

    def standing(self, view: View) -> dict[int, Mark]:
        """The chariots on the board."""
        return {
            c.space: replace(self.marks[i], crashed=c.status == "crashed")
            for i, c in enumerate(view.chariots)
            if c.space is not None
        }

    def repaint(self) -> None:
        """Everything in the colours of the theme."""
        self.log_of_race.tell(self.log_of_race.lines)
        self._paint_bar()
        for widget in (self.board, self.drivers, self.hand, self.keys):
            widget.refresh()

    def _paint_bar(self) -> None:
        left, right, call = self._bar
        paint = palette(self.app.current_theme.dark)
        right = f" {right} "
        left = set_cell_size(f" {left}", max(self.size.width - cell_len(right), 0))
        line = Text(left, style=paint.bar, no_wrap=True, overflow="crop")
        self.query_one("#bar", Static).update(line.append(right, style=paint.call if call else paint.bar))

    # ------------------------------------------------------------------ movement

    async def pause(self, seconds: float) -> None:
        """Wait, unless somebody is impatient."""
        if seconds > 0 and not self.skip.is_set():
            try:
                await asyncio.wait_for(self.skip.wait(), seconds)
            except TimeoutError:
                return

    async def drive_along(self, before: Mapping[int, Mark], start: int | None, driven: Sequence[int]) -> None:
        """Drive a chariot along its way."""
        step, _ = SPEEDS[self.speed]
        if start is None or start not in before or not step:
            return
        mark = before[start]
        others = {space: other for space, other in before.items() if space != start}
        for i, space in enumerate(driven):
            if self.skip.is_set():
                return
            self.board.show(chariots={**others, space: mark}, trail=driven[:i])
            await self.pause(step)
