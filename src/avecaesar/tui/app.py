"""The application: it opens the start screen or a table, and says goodbye."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from avecaesar.drivers import DriverError
from avecaesar.table import Table
from avecaesar.tui import saves
from avecaesar.tui.paint import THEMES
from avecaesar.tui.start import Start
from avecaesar.tui.table_screen import TableScreen


class TableApp(App[str]):
    """Ave Caesar in the terminal; its result is what to print when it is left."""

    TITLE = "Ave Caesar"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave", show=False, priority=True),
        Binding("ctrl+q", "leave", show=False),
    ]

    def __init__(self, table: Table | None = None, path: Path | None = None, *, speed: str = "normal") -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = "night"
        self.first, self.first_path, self.speed = table, path, speed
        self.failure: DriverError | None = None  # what a driver of somebody's own did wrong

    def on_mount(self) -> None:
        """Open what was asked for."""
        if self.first is None:
            self.go_to_start()
        else:
            self.open_table(self.first, self.first_path)

    def open_table(self, table: Table, path: Path | None = None) -> None:
        """Sit down."""
        self._go_to(TableScreen(table, path or saves.new_path(), self.speed))

    def go_to_start(self) -> None:
        """The start screen."""
        self._go_to(Start())

    def _go_to(self, screen: Screen[None]) -> None:
        """One screen after another; under the first there is nothing."""
        if len(self.screen_stack) > 1:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    def switch_light(self) -> None:
        """Dark or light."""
        self.theme = "day" if self.theme == "night" else "night"

    def table_is_over(self) -> None:
        """After the last race."""
        self.go_to_start()

    def give_up(self, failure: DriverError) -> None:
        """Leave, because a driver cannot go on."""
        self.failure = failure
        self.exit()

    def action_leave(self) -> None:
        """Leave, with a word about how to come back."""
        table = next((screen for screen in reversed(self.screen_stack) if isinstance(screen, TableScreen)), None)
        self.exit(table.farewell if table is not None else "Vale!")
