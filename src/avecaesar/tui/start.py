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
from avecaesar.table import HUMAN, Setup, Table, seats_for
from avecaesar.tui import saves
from avecaesar.tui.board import Board, Mark
from avecaesar.tui.keys import Keys
from avecaesar.tui.new import NewTable
from avecaesar.tui.paint import marks, palette
from avecaesar.tui.papers import Help

if TYPE_CHECKING:
    from avecaesar.tui.app import TableApp

MOST_SHOWN = 3
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


RACE_NOW = Setup(seats_for([HUMAN, "greedy", "greedy", "greedy"]))


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
    Start OptionList > .option-list--option-highlighted { background: $panel; text-style: none; }
    Start OptionList:focus > .option-list--option-highlighted { background: $panel; text-style: none; }
    Start #preview { width: 1fr; height: 1fr; margin: 1; display: none; }
    Start.-wide #preview { display: block; }
    Start.-wide #menu { width: 62; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("n", "new", "New table"),
        ("delete", "forget", "Forget a saved table"),
        ("question_mark", "help", "Help"),
        ("t", "light", "Dark/light"),
        ("q", "app.leave", "Leave"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.saved: list[saves.Saved] = []
        self.doomed: Path | None = None  # to be forgotten if Delete is pressed again

    def compose(self) -> ComposeResult:
        """The menu, and a course where there is room for it."""
        with Horizontal():
            with Vertical(id="menu"):
                yield Static(lettering("AVE CAESAR"), id="title")
                yield Static("Three laps, six chariots, twenty-four cards each, and a coin owed to Caesar.", id="words")
                yield OptionList(id="what")
            yield Board(load_course("white"), id="preview")
        yield Keys()

    def on_mount(self) -> None:
        """Chariots on the grid, and the list."""
        course = load_course(RACE_NOW.course, RACE_NOW.direction)
        letters = marks([seat.name for seat in RACE_NOW.seats])
        standing = [Mark(letter, seat.colour) for letter, seat in zip(letters, RACE_NOW.seats, strict=True)]
        self.query_one(Board).show(course=course, chariots=dict(zip(course.grid, standing, strict=False)))
        self.list_all()

    def on_screen_resume(self) -> None:
        """Somebody may have saved or finished a table meanwhile."""
        self.list_all()

    def on_resize(self) -> None:
        """The course is shown where there is room."""
        self.set_class(self.size.width >= 120, "-wide")

    def list_all(self) -> None:
        """What there is to do."""
        self.saved = saves.saved_tables()
        what = self.query_one(OptionList)
        what.clear_options()
        others = ", ".join(seat.name for seat in RACE_NOW.seats[1:])
        options = [
            self._option("now", "Race now", f"You are {RACE_NOW.seats[0].name}, against {others}: greedy drivers all"),
        ]
        for number, saved in enumerate(self.saved[:MOST_SHOWN]):
            name = "Resume" if saved.table is not None else "Cannot be resumed"
            options.append(self._option(f"saved-{number}", name, saved.words))
        options += [
            self._option("new", "New table", "Edition, house rules, course, a tournament, friends at the keyboard"),
            self._option("help", "How to play", "The game in a dozen lines, and the keys"),
            self._option("leave", "Leave", f"Tables under way are kept in {saves.folder()}"),
        ]
        what.add_options(options)
        what.highlighted = 0
        what.focus()

    def _option(self, id: str, name: str, words: str) -> Option:
        paint = palette(self.app.current_theme.dark)
        text = Text().append(f"{name}\n", style=f"bold {paint.text}")
        return Option(text.append(f"{words}\n", style=paint.quiet), id=id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Do it."""
        match (event.option.id or "").split("-"):
            case ["now"]:
                self.app.open_table(Table(RACE_NOW))
            case ["saved", number]:
                saved = self.saved[int(number)]
                if saved.table is not None:
                    self.app.open_table(saved.table, saved.path)
                else:
                    self.notify("It stays where it is; Delete removes it.", timeout=3)
            case ["new"]:
                self.action_new()
            case ["help"]:
                self.action_help()
            case _:
                self.app.action_leave()

    def action_new(self) -> None:
        """Lay a new table."""
        self.app.push_screen(NewTable())

    def action_help(self) -> None:
        """The game in a dozen lines."""
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
