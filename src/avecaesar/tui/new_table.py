"""Laying a new table: edition and house rules in words, course with a preview, race or tournament, who sits where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Collapsible, Input, Label, Select, Static

from avecaesar.courses import DIRECTIONS, BoardError, boards, load_course
from avecaesar.drivers import CHARACTERS
from avecaesar.game import COLOURS, Race, Tournament, lineup
from avecaesar.game.numbers import EntryNumber
from avecaesar.rules import EDITIONS, OPTIONS, RulesError, offered
from avecaesar.table import HUMAN, OPPONENTS, PERSONS, Seat, Setup, Table, character_of, games_of, names_for
from avecaesar.telling.wording import (
    AS_PRINTED,
    LINEUP,
    NUMBERS,
    capital,
    driver_choices,
    house_rule,
    in_words,
    lineup_in_words,
    playable_options,
    riderless_choices,
    riderless_on,
    riderless_options,
    what_changes,
)
from avecaesar.tui.board_widget import BoardWidget, marked
from avecaesar.tui.keys import Key, Keys
from avecaesar.tui.paint import livery

if TYPE_CHECKING:
    from avecaesar.tui.app import TableApp

KEYS: tuple[Key, ...] = (
    ("Tab", "next", "app.focus_next"),
    ("Enter", "open", ""),
    ("Esc", "back", "app.pop_screen"),
    ("Ctrl+G", "begin", "screen.begin"),
)
NOBODY = "nobody"
USUAL = (HUMAN, *OPPONENTS, NOBODY, NOBODY)
MIXED, AS_CHOSEN = "mixed", "as chosen below"
COMPUTERS: dict[str, tuple[str, ...]] = {  # whom all seats of the computer's can be given to, in turns
    MIXED: OPPONENTS,
    **{
        level: tuple(person.name for person in PERSONS if person.level == level)
        for level in (person.level for person in PERSONS)
    },
}
AID = {"yes": "shown what lies in one's piles", "no": "everybody must remember"}


def computer_choices() -> dict[str, str]:
    """Whom all seats of the computer's can be given to at once."""
    told = {
        level: f"{level}: {', '.join(CHARACTERS[name].title for name in names)}" for level, names in COMPUTERS.items()
    }
    return {**told, AS_CHOSEN: AS_CHOSEN}


class NewTableScreen(Screen[None]):
    """A form. What makes no sense is said in a sentence when one begins."""

    app: TableApp
    DEFAULT_CSS = """
    NewTableScreen { background: $background; }
    NewTableScreen #form { width: 1fr; padding: 0 2; scrollbar-size-vertical: 1; }
    NewTableScreen #title { color: $primary; text-style: bold; margin: 0 0 1 0; }
    NewTableScreen .row { height: 1; }
    NewTableScreen .row Label { width: 14; }
    NewTableScreen .head { margin: 1 0 0 0; text-style: bold; color: $primary; }
    NewTableScreen .row Select { width: 1fr; max-width: 46; }
    NewTableScreen .row Input { width: 1fr; max-width: 46; }
    NewTableScreen .seat Input { width: 20; }
    NewTableScreen .seat Select { width: 30; }
    NewTableScreen .seat .colour { width: 14; }
    NewTableScreen .seat Label { width: 4; }
    NewTableScreen .heads { color: $text-muted; }
    NewTableScreen .seat.heads Label { width: 30; }
    NewTableScreen .seat.heads .number { width: 4; }
    NewTableScreen .seat.heads .name { width: 20; }
    NewTableScreen .seat.heads .colour { width: 14; }
    NewTableScreen .seat.-unused Input { opacity: 50%; }
    NewTableScreen .seat.-unused Select { opacity: 50%; }
    NewTableScreen .seat.-unused Label { opacity: 50%; }
    NewTableScreen .house Label { width: 41; }
    NewTableScreen .house.-changed Label { color: $accent; }
    NewTableScreen .row.-here Label { text-style: bold; color: $accent; }
    NewTableScreen Select:focus > SelectCurrent, NewTableScreen Input:focus { background: $primary 30%; opacity: 100%; }
    NewTableScreen CollapsibleTitle:focus { background: $primary 30%; color: $accent; text-style: bold; }
    NewTableScreen #changes { color: $text-muted; height: auto; margin: 0 0 1 2; max-width: 76; }
    NewTableScreen #tells { color: $text-muted; height: 1; margin: 0 0 0 4; }
    NewTableScreen #lineup { color: $text; height: auto; width: 1fr; padding: 0 0 0 2; }
    NewTableScreen #lineup.-wrong { color: $error; }
    NewTableScreen Collapsible { border: none; background: $background; padding: 0; margin: 1 0; }
    NewTableScreen Collapsible Contents { padding: 0 0 0 1; }
    NewTableScreen #begin { height: auto; dock: bottom; padding: 0 2; margin: 0 0 1 0; background: $background; }
    NewTableScreen #side { width: 1fr; height: 1fr; margin: 1; display: none; }
    NewTableScreen.-wide #side { display: block; }
    NewTableScreen.-wide #form { width: 80; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+g", "begin", show=False, priority=True),
        Binding("escape", "app.pop_screen", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._offered: dict[Select[str], Mapping[str, str]] = {}  # what can be chosen where
        self._names = list(names_for(USUAL))  # of ours, for whoever types no other

    def compose(self) -> ComposeResult:
        """The form on the left, the course on the right."""
        with Horizontal():
            with VerticalScroll(id="form", can_focus=False):
                yield Static("A new table", id="title")
                yield from self._race()
                yield from self._seats()
                yield from self._house()
            with Vertical(id="side"):
                yield BoardWidget(load_course("white"))
        with Horizontal(id="begin"):
            yield Button("Begin (Ctrl+G)", variant="primary", compact=True)
            yield Static(id="lineup")
        yield Keys(KEYS)

    def _race(self) -> ComposeResult:
        yield from _row("Edition", _select("edition", list(EDITIONS)))
        yield Static(what_changes("ravensburger"), id="changes")
        yield from _row("Game", _select("game", ("one race", "tournament")))
        yield from _row("Course", _select("course", [name for board in boards() for name in board.courses]))
        yield from _row("Direction", _select("direction", DIRECTIONS))
        yield from _row("Side", _select("side_of_board", (AS_PRINTED, *(board.name for board in boards()))))
        yield from _row("Riderless", _select("riderless", riderless_choices("ravensburger")))
        yield from _row("Moved by", _select("option-riderless_moves", OPTIONS["riderless_moves"].words))
        yield from _row("Chariots each", _select("option-chariots_each", ("1", "2", "3")))
        yield from _row("Memory aid", _select("memory_aid", AID))

    def _seats(self) -> ComposeResult:
        yield Label("Who sits at the table", classes="head")
        yield from _row("Computers", _select("computers", computer_choices()))
        with Horizontal(classes="row seat heads"):
            for head in ("", "Name", "Colour", "Driver"):
                yield Label(head, classes=head.lower() or "number")
        for number, who in enumerate(USUAL):
            with Horizontal(classes="row seat", id=f"seat-{number}"):
                yield Label(f"{number + 1}.")
                yield Input(self._names[number], id=f"name-{number}", max_length=20, compact=True)
                colour = _select(f"colour-{number}", {c: _swatch(c) for c in COLOURS}, COLOURS[number])
                yield colour.add_class("colour")
                yield _select(f"driver-{number}", {HUMAN: HUMAN, **driver_choices(), NOBODY: NOBODY}, who)
        yield Static(id="tells")

    def _house(self) -> ComposeResult:
        with Collapsible(title="House rules"):
            yield Label("What is not changed stays as the edition has it.")
            for name, option in offered().items():
                if name in LINEUP:
                    continue
                with Horizontal(classes="row house"):
                    words = "crash rule: " * (name == "crash") + option.meaning
                    yield Label(capital(words))
                    if name in NUMBERS:
                        yield Input(id=f"option-{name}", compact=True)
                    else:
                        yield _select(f"option-{name}", house_rule(name, "ravensburger", {}))

    def on_mount(self) -> None:
        """Begin with a race on white."""
        self._show_edition(self._value("edition"))
        self._show_all()
        self.query_one("#edition").focus()

    def on_resize(self) -> None:
        """The course is shown where there is room."""
        self.set_class(self.size.width >= 120, "-wide")

    # ------------------------------------------------------------------ changes

    @on(Select.Changed)
    def changed(self, event: Select.Changed) -> None:
        """What is offered goes with what is chosen."""
        if event.select.id == "edition":
            self._show_edition(self._value("edition"))
        if event.select.id == "computers" and self._value("computers") != AS_CHOSEN:
            self._seat_computers()
            self._name_seats()
        if (event.select.id or "").startswith("driver-"):
            self._show_computers()
            self._name_seats()
            self._tell_driver()
        self._show_all()

    @on(Input.Changed)
    def _show_all(self) -> None:
        """House rules that go together, those that were changed, who lines up, and the course."""
        for number, driver in enumerate(self._drivers()):
            self.query_one(f"#seat-{number}").set_class(driver == NOBODY, "-unused")
        edition, options = self._value("edition"), self._options()
        for name, widget, value in self._chosen():
            row = widget.parent
            if not (isinstance(row, Horizontal) and row.has_class("house")):
                continue
            row.set_class(value not in ("", AS_PRINTED), "-changed")
            if isinstance(widget, Select):
                possible = house_rule(name, edition, options)
                self._offer(widget, possible, value)
                row.display = len(possible) > 1
        self._show_lineup()

    def _drivers(self) -> list[str]:
        return [self._value(f"driver-{number}") for number in range(len(USUAL))]

    def _seat_computers(self) -> None:
        """Give all seats of the computer's to the drivers that were chosen for all of them."""
        drivers = cycle(COMPUTERS[self._value("computers")])
        with self.prevent(Select.Changed):
            for number, driver in enumerate(self._drivers()):
                if driver not in (HUMAN, NOBODY):
                    self.query_one(f"#driver-{number}", Select).value = next(drivers)

    def _show_computers(self) -> None:
        """Which choice for all the computer's seats together has led to these drivers, if one has."""
        seated = [driver for driver in self._drivers() if driver not in (HUMAN, NOBODY)]
        fitting = [level for level, names in COMPUTERS.items() if seated == [*islice(cycle(names), len(seated))]]
        if self._value("computers") not in fitting:
            with self.prevent(Select.Changed):
                self.query_one("#computers", Select).value = (*fitting, AS_CHOSEN)[0]

    def _name_seats(self) -> None:
        """Characters bring their names and others have ours, unless somebody has typed another."""
        boxes = [self.query_one(f"#name-{number}", Input) for number in range(len(USUAL))]
        typed = ["" if box.value == ours else box.value.strip() for box, ours in zip(boxes, self._names, strict=True)]
        names = names_for(self._drivers(), typed)
        self._names = ["" if own else name for own, name in zip(typed, names, strict=True)]
        with self.prevent(Input.Changed):
            for box, name in zip(boxes, names, strict=True):
                box.value = name

    @on(events.DescendantFocus)
    def _show_row(self) -> None:
        """Where one is."""
        above = self.focused.ancestors if self.focused else ()
        for row in self.query(".row"):
            row.set_class(row in above, "-here")
        self._tell_driver()

    def _tell_driver(self) -> None:
        """What the driver is like in whose row one is."""
        seat = re.fullmatch("(?:name|colour|driver)-([0-9])", (self.focused and self.focused.id) or "")
        character = character_of(self._value(f"driver-{seat[1]}")) if seat else None
        self.query_one("#tells", Static).update(f"{capital(character.tells)}." if character else "")

    def _show_edition(self, edition: str) -> None:
        """What the edition is; of the house rules those stay that go with it."""
        self.query_one("#changes", Static).update(what_changes(edition))
        kept = playable_options(edition, self._options())
        for name in offered():
            for widget in self.query(f"#option-{name}"):
                if isinstance(widget, Input):
                    widget.placeholder = f"{in_words(getattr(EDITIONS[edition].rules, name))} (edition)"
                elif isinstance(widget, Select) and name not in LINEUP:
                    self._offer(widget, house_rule(name, edition, kept), kept.get(name, AS_PRINTED))
        self._offer(self.query_one("#riderless", Select), riderless_choices(edition), self._value("riderless"))

    def _offer(self, select: Select[str], values: Mapping[str, str], value: str) -> None:
        """Other values to choose from; the one that is chosen stays, if it is among them."""
        if self._offered.get(select) == values and select.value == value:
            return
        self._offered[select] = values
        with self.prevent(Select.Changed):
            select.set_options([(words, value) for value, words in values.items()])
            select.value = value if value in values else AS_PRINTED
        shown: Any = select.query_one("SelectCurrent")  # which does not notice that only the words have changed
        shown.update(values[select.value])

    def _show_lineup(self) -> None:
        """Who lines up, in words and on the grid; or why that cannot be."""
        tournament = self._value("game") == "tournament"
        for id in ("course", "direction"):
            self._widget(id).display = not tournament
        self._widget("side_of_board").display = tournament
        try:
            games = games_of(self.setup())
        except (RulesError, BoardError) as error:
            self._say(_sentence(error), wrong=True)
            return
        self._say(lineup_in_words(games))
        self._widget("option-riderless_moves").display = any(riderless_on(games).values())
        self._widget("memory_aid").display = games.rules.draw == "from_piles"
        self._show_grid(games)

    def _say(self, words: str, *, wrong: bool = False) -> None:
        """Beside the button: who lines up, or what is wrong."""
        told = self.query_one("#lineup", Static)
        told.update(Text(words))
        told.set_class(wrong, "-wrong")

    def _show_grid(self, games: Tournament) -> None:
        """The first race, as all would stand if nobody turned up cards for the grid."""
        race = Race(load_course(*games.schedule[0]), games.names, rules=games.rules)
        entries = [EntryNumber(race.driven.index(i)) if i in race.driven else None for i in race.grid]
        colours = lineup.colours_of(entries, [seat.colour for seat in self._sitting()])
        standing = marked(list(zip(race.names, colours, strict=True)), games.entries)
        grid = dict(zip(race.course.grid, standing, strict=False))
        self.query_one(BoardWidget).show(course=race.course, chariots=grid)

    def _widget(self, id: str) -> Any:
        return self.query_one(f"#{id}").parent

    def _value(self, id: str) -> str:
        return str(self.query_one(f"#{id}", Select).value)

    def _sitting(self) -> list[Seat]:
        return [
            Seat(self.query_one(f"#name-{n}", Input).value.strip(), self._value(f"colour-{n}"), driver)
            for n, driver in enumerate(self._drivers())
            if driver != NOBODY
        ]

    # ------------------------------------------------------------------ beginning

    def setup(self) -> Setup:
        """What the form says."""
        tournament, side = self._value("game") == "tournament", self._value("side_of_board")
        return Setup(
            tuple(self._sitting()),
            edition=self._value("edition"),
            options=self._options(),
            course=self._value("course"),
            direction=self._value("direction"),  # type: ignore[arg-type]
            tournament=tournament,
            side=side if tournament and side != AS_PRINTED else None,
            memory_aid=self._value("memory_aid") == "yes",
        )

    def _options(self) -> dict[str, str]:
        """The house rules."""
        options = riderless_options(self._value("riderless"))
        rules = EDITIONS[self._value("edition")].rules
        for name, _, value in self._chosen():
            if value and value not in (AS_PRINTED, str(getattr(rules, name))):
                options[name] = value
        return options

    def _chosen(self) -> Iterator[tuple[str, Widget, str]]:
        """Each option of the form, where it is chosen, and what is chosen."""
        for widget in self.query("Select, Input"):
            if (widget.id or "").startswith("option-"):
                yield (widget.id or "").removeprefix("option-"), widget, str(getattr(widget, "value", "")).strip()

    @on(Button.Pressed)
    def action_begin(self) -> None:
        """Sit down, or say what is wrong."""
        try:
            table = Table(self.setup())
            table.record()  # names that cannot be written down are refused now
        except (RulesError, BoardError, ValueError) as error:
            self._say(_sentence(error), wrong=True)
            return
        self.app.pop_screen()
        self.app.open_table(table)


def _sentence(error: Exception) -> str:
    return f"{capital(str(error))}."


def _row(label: str, widget: Select[str]) -> ComposeResult:
    with Horizontal(classes="row"):
        yield Label(label)
        yield widget


def _swatch(colour: str) -> Text:
    return Text.assemble(("  ", livery(colour)), f" {colour}")


def _select(id: str, values: Iterable[str] | Mapping[str, str | Text], value: str | None = None) -> Select[str]:
    options = [(values[name] if isinstance(values, Mapping) else in_words(name), name) for name in values]
    return Select(options, value=value or options[0][1], allow_blank=False, id=id, compact=True)
