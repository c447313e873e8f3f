"""The start screen: race at once, go on where one was, or lay a new table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from avecaesar.courses import load_course
from avecaesar.drivers import DriverError
from avecaesar.errors import plain
from avecaesar.table import HUMAN, OPPONENTS, Seat, Setup, Table, character_of, seats_for
from avecaesar.tui import saves
from avecaesar.tui.board_widget import BoardWidget, marked
from avecaesar.tui.dialogs import Help
from avecaesar.tui.drivers_panel import cut
from avecaesar.tui.keys import Key, Keys
from avecaesar.tui.new_table import NewTableScreen
from avecaesar.tui.paint import palette

if TYPE_CHECKING:
    from avecaesar.tui.app import TableApp

MOST_SHOWN = 3
KEYS: tuple[Key, ...] = (
    ("↑↓", "choose", ""),
    ("⏎", "begin", ""),
    ("n", "new table", "screen.new"),
    ("?", "help", "screen.help"),
    ("t", "dark or light", "screen.light"),
    ("q", "leave", "app.leave"),
)
FORGET: Key = ("del", "forget", "screen.forget")
ROOMY = 30  # rows from which on every choice has a second line
LETTERS = {  # five rows of dots
    "A": ".##. #..# #### #..# #..#",
    "C": ".### #... #... #... .###",
    "E": "#### #... ###. #... ####",
    "R": "###. #..# ###. #.#. #..#",
    "S": ".### #... .##. ...# ###.",
    "V": "#...# #...# .#.#. .#.#. ..#..",
    " ": ".. .. .. .. ..",
}


def lettering(words: str) -> str:
    """Words in large letters, two rows of dots to a line."""
    rows = [" ".join(row) for row in zip(*(LETTERS[letter].split() for letter in words), strict=True)]
    rows.append("." * len(rows[0]))
    halves = {("#", "#"): "█", ("#", "."): "▀", (".", "#"): "▄"}
    return "\n".join(
        "".join(halves.get((a.replace(" ", "."), b.replace(" ", ".")), " ") for a, b in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    )


RACE_NOW = Setup(seats_for([HUMAN, *OPPONENTS]))


def _introduced(seat: Seat) -> str:
    character = character_of(seat.driver)
    return f"{seat.name} ({character.level})" if character else seat.name


class Start(Screen[None]):
    """What to do."""

    app: TableApp
    DEFAULT_CSS = """
    Start { background: $background; }
    Start #menu { width: 1fr; padding: 1 2; height: 1fr; }
    Start #title { height: auto; color: $primary; text-style: bold; margin: 0 0 1 0; width: auto; }
    Start #words { height: auto; color: $text-muted; margin: 0 0 1 0; }
    Start OptionList { height: auto; max-height: 1fr; border: none; background: $background; padding: 0; }
    Start OptionList:focus { border: none; background: $background; background-tint: $background 0%; }
    Start OptionList > .option-list--option-highlighted { background: $primary 30%; text-style: none; }
    Start OptionList:focus > .option-list--option-highlighted { background: $primary 30%; text-style: none; }
    Start #preview { width: 1fr; height: 1fr; margin: 1; display: none; }
    Start.-wide #preview { display: block; }
    Start.-wide #menu { width: 62; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("n", "new", ""),
        ("delete", "forget", ""),
        ("question_mark", "help", ""),
        ("t", "light", ""),
        ("q", "app.leave", ""),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.saved: list[saves.Saved] = []
        self.choices: list[tuple[str, str, str]] = []  # id, name, and more about it
        self.doomed: Path | None = None  # to be forgotten if Delete is pressed again
        self.trusted: Path | None = None  # its drivers are let in if Enter is pressed again

    def compose(self) -> ComposeResult:
        """The menu, and a course where there is room for it."""
        with Horizontal():
            with Vertical(id="menu"):
                yield Static(lettering("AVE CAESAR"), id="title")
                yield Static("Three laps, 24 cards each, and a coin owed to Caesar.", id="words")
                yield OptionList(id="what")
            yield BoardWidget(load_course("white"), id="preview")
        yield Keys(KEYS)

    def on_mount(self) -> None:
        """Chariots on the grid, and the list."""
        course = load_course(RACE_NOW.course, RACE_NOW.direction)
        standing = marked([(seat.name, seat.colour) for seat in RACE_NOW.seats])
        self.query_one(BoardWidget).show(course=course, chariots=dict(zip(course.grid, standing, strict=False)))
        self.list_all()

    def on_screen_resume(self) -> None:
        """Somebody may have saved or finished a table meanwhile."""
        self.list_all()

    def on_resize(self) -> None:
        """The course is shown where there is room."""
        self.set_class(self.size.width >= 120, "-wide")
        self._write(self.query_one(OptionList).highlighted or 0)

    def list_all(self) -> None:
        """What there is to do; what was left is first."""
        self.saved = saves.saved_tables()
        older = len(self.saved) - MOST_SHOWN
        resumed = [
            (f"saved-{number}", f"Resume: {saved.words}" if saved.table else "Cannot be resumed", saved.more)
            for number, saved in enumerate(self.saved[:MOST_SHOWN])
        ]
        whole = [choice for choice, saved in zip(resumed, self.saved, strict=False) if saved.table is not None]
        self.choices = [
            *whole,
            ("now", "Race now", ", ".join(map(_introduced, RACE_NOW.seats[1:]))),
            *(choice for choice in resumed if choice not in whole),
            ("new", "New table", "Edition, course, tournament, friends, teams"),
            ("help", "How to play", "The game on a page, and the keys"),
            ("leave", "Leave", f"{older} older tables are kept as well" if older > 0 else "Tables under way are kept"),
        ]
        what = self.query_one(OptionList)
        what.clear_options()
        what.add_options([Option("", id=id) for id, _, _ in self.choices])
        what.highlighted = 0
        self._write(0)
        what.focus()
        self.query_one(Keys).tell((*KEYS[:2], FORGET, *KEYS[2:]) if self.saved else KEYS)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show what is chosen."""
        self._write(event.option_index)

    def _write(self, chosen: int) -> None:
        """The choices in words: two lines each, or one where there are few rows."""
        paint = palette(self.app.current_theme.dark)
        roomy, room = self.size.height >= ROOMY, (62 if self.has_class("-wide") else self.size.width) - 7
        for number, (id, name, more) in enumerate(self.choices):
            text = Text("▶ " if number == chosen else "  ", style=paint.gold, no_wrap=True, overflow="ellipsis")
            text.append(name, style=f"bold {paint.gold if number == chosen else paint.text}")
            beside = "" if roomy else cut(f"  {more}", max(room - len(name), 3))
            text.append(f"\n  {cut(more, room)}\n" if roomy else beside, style=paint.quiet)
            self.query_one(OptionList).replace_option_prompt(id, text)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do it."""
        match (event.option.id or "").split("-"):
            case ["now"]:
                self.app.open_table(Table(RACE_NOW))
            case ["saved", number]:
                self._resume(self.saved[int(number)])
            case ["new"]:
                self.action_new()
            case ["help"]:
                self.action_help()
            case _:
                self.app.action_leave()

    def _resume(self, saved: saves.Saved) -> None:
        """Go on with a table; drivers of somebody's own are let in by a second Enter, for their files run then."""
        if saved.table is None:
            self.notify("It stays where it is; Delete removes it.", timeout=3)
            return
        if (own := saved.table.own_drivers) and self.trusted != saved.path:
            self.trusted = saved.path
            files = ", ".join(map(plain, own))
            question = f"This runs Python code: {files}. Enter again, if you trust it."
            self.notify(question, severity="warning", timeout=8, markup=False)
            return
        try:
            _ = saved.table.drivers
        except DriverError as error:
            self.notify(str(error), severity="error", timeout=8, markup=False)
            return
        self.app.open_table(saved.table, saved.path)

    def action_new(self) -> None:
        """Lay a new table."""
        self.app.push_screen(NewTableScreen())

    def action_help(self) -> None:
        """The game on a page."""
        self.app.push_screen(Help())

    def action_light(self) -> None:
        """Dark or light."""
        self.app.switch_light()
        self.list_all()

    def action_forget(self) -> None:
        """Remove the saved table that is highlighted."""
        what = self.query_one(OptionList)
        option = what.get_option_at_index(what.highlighted or 0)
        if not (option.id or "").startswith("saved-"):
            self.notify("Only a saved table can be forgotten.", timeout=2)
            return
        path = self.saved[int((option.id or "").removeprefix("saved-"))].path
        if self.doomed != path:
            self.doomed = path
            self.notify("Delete again, and this table is gone for good.", severity="warning", timeout=4)
        else:
            path.unlink(missing_ok=True)
            self.list_all()
