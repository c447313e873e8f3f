"""Laying a new table: edition and house rules in words, course with a preview, race or tournament, who sits where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Collapsible, Input, Label, Select, Static

from avecaesar.courses import DIRECTIONS, BoardError, boards, load_course
from avecaesar.game import COLOURS
from avecaesar.game.race import NAMES
from avecaesar.players import DRIVERS
from avecaesar.rules import EDITIONS, OPTIONS, Rules, RulesError, check_playable
from avecaesar.table import HUMAN, Seat, Setup, Table
from avecaesar.tui.board import Board, Mark
from avecaesar.tui.keys import Key, Keys
from avecaesar.tui.paint import livery, marks

if TYPE_CHECKING:
    from avecaesar.tui.app import TableApp

KEYS: tuple[Key, ...] = (
    ("Tab", "next", "app.focus_next"),
    ("Enter", "open", ""),
    ("Esc", "back", "app.pop_screen"),
    ("Ctrl+G", "begin", "screen.begin"),
)
NOBODY = "nobody"
AS_PRINTED = "as the edition has it"
NUMBERS = ("hand", "races", "laurels")  # options that are numbers, and can be changed today
USUAL = (HUMAN, "greedy", "greedy", "greedy", NOBODY, NOBODY)


def in_words(value: object) -> str:
    """An option's value as one reads it."""
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value).replace("_", " ")


def what_changes(name: str) -> str:
    """In what an edition differs from the original one, in words."""
    chosen = EDITIONS[name]
    differences = chosen.rules.differences(EDITIONS["ravensburger"].rules)
    words = [f"{OPTIONS[option].meaning}: {in_words(mine)}" for option, (mine, _) in differences.items()]
    changes = f"Otherwise: {'; '.join(words)}." if words else "All the others are told by how they differ from it."
    return f"{chosen.title[0].upper()}{chosen.title[1:]}. {changes}" + (f" It is {chosen.note}." if chosen.note else "")


def choices(name: str, rules: Rules) -> list[str]:
    """The values of an option that can be played with these rules."""
    playable = []
    for value in OPTIONS[name].values:
        try:
            check_playable(rules.with_options({name: value}), 1)
        except RulesError:
            continue
        playable.append(value)
    return playable


def house_rule(name: str, edition: str) -> dict[str, str]:
    """The values of an option with their words; the edition's own is first."""
    own = str(getattr(EDITIONS[edition].rules, name))
    others = [value for value in choices(name, EDITIONS["ravensburger"].rules) if value != own]
    return {AS_PRINTED: f"{in_words(own)} (edition)", **{value: in_words(value) for value in others}}


class NewTable(Screen[None]):
    """A form. What makes no sense is said in a sentence when one begins."""

    app: TableApp
    DEFAULT_CSS = """
    NewTable { background: $background; }
    NewTable #form { width: 1fr; padding: 0 2; scrollbar-size-vertical: 1; }
    NewTable #title { color: $primary; text-style: bold; margin: 0 0 1 0; }
    NewTable .row { height: 1; }
    NewTable .row Label { width: 14; }
    NewTable .head { margin: 1 0 0 0; text-style: bold; color: $primary; }
    NewTable .row Select { width: 1fr; max-width: 46; }
    NewTable .row Input { width: 1fr; max-width: 46; }
    NewTable .seat Input { width: 20; }
    NewTable .seat Select { width: 22; }
    NewTable .seat .colour { width: 14; }
    NewTable .seat Label { width: 4; }
    NewTable .heads { color: $text-muted; }
    NewTable .seat.heads Label { width: 22; }
    NewTable .seat.heads .number { width: 4; }
    NewTable .seat.heads .name { width: 20; }
    NewTable .seat.heads .colour { width: 14; }
    NewTable .seat.-unused Input, NewTable .seat.-unused Select, NewTable .seat.-unused Label { opacity: 50%; }
    NewTable .house Label { width: 41; }
    NewTable .house.-changed Label { color: $accent; }
    NewTable .row:focus-within Label { text-style: bold; color: $accent; }
    NewTable Select:focus > SelectCurrent, NewTable Input:focus { background: $primary 30%; opacity: 100%; }
    NewTable CollapsibleTitle:focus { background: $primary 30%; color: $accent; text-style: bold; }
    NewTable #changes { color: $text-muted; height: auto; margin: 0 0 1 14; max-width: 60; }
    NewTable Collapsible { border: none; background: $background; padding: 0; margin: 1 0; }
    NewTable Collapsible Contents { padding: 0 0 0 1; }
    NewTable #problem { color: $error; height: auto; }
    NewTable #begin { height: auto; dock: bottom; padding: 0 2; margin: 0 0 1 0; background: $background; }
    NewTable #side { width: 1fr; height: 1fr; margin: 1; display: none; }
    NewTable.-wide #side { display: block; }
    NewTable.-wide #form { width: 80; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+g", "begin", show=False, priority=True),
        Binding("escape", "app.pop_screen", show=False),
    ]

    def compose(self) -> ComposeResult:
        """The form on the left, the course on the right."""
        with Horizontal():
            with VerticalScroll(id="form", can_focus=False):
                yield Static("A new table", id="title")
                yield from self._race()
                yield from self._seats()
                yield from self._house()
            with Vertical(id="side"):
                yield Board(load_course("white"))
        with Horizontal(id="begin"):
            yield Button("Begin (Ctrl+G)", variant="primary", compact=True)
            yield Static(id="problem")
        yield Keys(KEYS)

    def _race(self) -> ComposeResult:
        yield from _row("Edition", _select("edition", list(EDITIONS)))
        yield Static(what_changes("ravensburger"), id="changes")
        yield from _row("Game", _select("game", ("one race", "tournament")))
        yield from _row("Course", _select("course", [name for board in boards() for name in board.courses]))
        yield from _row("Direction", _select("direction", DIRECTIONS))
        yield from _row("Side", _select("side_of_board", (AS_PRINTED, *(board.name for board in boards()))))

    def _seats(self) -> ComposeResult:
        yield Label("Who sits at the table", classes="head")
        with Horizontal(classes="row seat heads"):
            for head in ("", "Name", "Colour", "Driver"):
                yield Label(head, classes=head.lower() or "number")
        for number, who in enumerate(USUAL):
            with Horizontal(classes="row seat", id=f"seat-{number}"):
                yield Label(f"{number + 1}.")
                yield Input(NAMES[number], id=f"name-{number}", max_length=20, compact=True)
                colour = _select(f"colour-{number}", {c: _swatch(c) for c in COLOURS}, COLOURS[number])
                yield colour.add_class("colour")
                drivers = {name: f"computer ({name})" for name in DRIVERS}
                yield _select(f"driver-{number}", {HUMAN: HUMAN, **drivers, NOBODY: NOBODY}, who)

    def _house(self) -> ComposeResult:
        rules = EDITIONS["ravensburger"].rules
        with Collapsible(title="House rules"):
            yield Label("What is not changed stays as the edition has it.")
            for name, option in OPTIONS.items():
                possible = len(choices(name, rules)) > 1
                if possible or name in NUMBERS:
                    with Horizontal(classes="row house"):
                        words = "crash rule: " * (name == "crash") + option.meaning
                        yield Label(words[0].upper() + words[1:])
                        if possible:
                            yield _select(f"option-{name}", house_rule(name, "ravensburger"))
                        else:
                            shown = f"{in_words(getattr(rules, name))} (edition)"
                            yield Input(placeholder=shown, id=f"option-{name}", compact=True)

    def on_mount(self) -> None:
        """Begin with a race on white."""
        self._show_course()
        self.query_one("#edition").focus()

    def on_resize(self) -> None:
        """The course is shown where there is room."""
        self.set_class(self.size.width >= 120, "-wide")

    # ------------------------------------------------------------------ changes

    @on(Select.Changed)
    def changed(self, event: Select.Changed) -> None:
        """Tell what an edition is; show the course."""
        if event.select.id == "edition":
            self.query_one("#changes", Static).update(what_changes(self._value("edition")))
            self._show_edition(self._value("edition"))
        for number in range(len(USUAL)):
            self.query_one(f"#seat-{number}").set_class(self._value(f"driver-{number}") == NOBODY, "-unused")
        self._mark_changes()
        self._show_course()

    @on(Input.Changed)
    def _mark_changes(self) -> None:
        """What is not as the edition has it."""
        for row in self.query(".house"):
            value = str(getattr(row.children[-1], "value", "")).strip()
            row.set_class(value not in ("", AS_PRINTED), "-changed")

    def _show_edition(self, edition: str) -> None:
        """The house rules begin with what the edition has."""
        rules = EDITIONS[edition].rules
        for name in OPTIONS:
            for widget in self.query(f"#option-{name}"):
                if isinstance(widget, Input):
                    widget.placeholder = f"{in_words(getattr(rules, name))} (edition)"
                elif isinstance(widget, Select):
                    kept, possible = str(widget.value), house_rule(name, edition)
                    with self.prevent(Select.Changed):
                        widget.set_options([(words, value) for value, words in possible.items()])
                        widget.value = kept if kept in possible else AS_PRINTED

    def _show_course(self) -> None:
        tournament = self._value("game") == "tournament"
        for id in ("course", "direction"):
            self._widget(id).display = not tournament
        self._widget("side_of_board").display = tournament
        course = load_course(self._value("course"), self._value("direction"))  # type: ignore[arg-type]
        seats = self._sitting()
        letters = marks([seat.name for seat in seats])
        standing = [Mark(letter, seat.colour) for letter, seat in zip(letters, seats, strict=True)]
        self.query_one(Board).show(course=course, chariots=dict(zip(course.grid, standing, strict=False)))

    def _widget(self, id: str) -> Any:
        return self.query_one(f"#{id}").parent

    def _value(self, id: str) -> str:
        return str(self.query_one(f"#{id}", Select).value)

    def _sitting(self) -> list[Seat]:
        return [
            Seat(self.query_one(f"#name-{n}", Input).value.strip(), self._value(f"colour-{n}"), driver)
            for n in range(len(USUAL))
            if (driver := self._value(f"driver-{n}")) != NOBODY
        ]

    # ------------------------------------------------------------------ beginning

    def setup(self) -> Setup:
        """What the form says."""
        tournament, side = self._value("game") == "tournament", self._value("side_of_board")
        options: dict[str, str] = {}
        for name in OPTIONS:
            for widget in self.query(f"#option-{name}"):
                value = str(widget.value).strip()  # type: ignore[attr-defined]
                if value and value != AS_PRINTED:
                    options[name] = value
        return Setup(
            tuple(self._sitting()),
            edition=self._value("edition"),
            options=options,
            course=self._value("course"),
            direction=self._value("direction"),  # type: ignore[arg-type]
            tournament=tournament,
            side=side if tournament and side != AS_PRINTED else None,
        )

    @on(Button.Pressed)
    def action_begin(self) -> None:
        """Sit down, or say what is wrong."""
        try:
            table = Table(self.setup())
            table.record()  # names that cannot be written down are refused now
        except (RulesError, BoardError, ValueError) as error:
            self.query_one("#problem", Static).update(Text(f"{str(error)[0].upper()}{str(error)[1:]}."))
            return
        self.app.pop_screen()
        self.app.open_table(table)


def _row(label: str, widget: Select[str]) -> ComposeResult:
    with Horizontal(classes="row"):
        yield Label(label)
        yield widget


def _swatch(colour: str) -> Text:
    return Text.assemble(("  ", livery(colour)), f" {colour}")


def _select(id: str, values: Iterable[str] | Mapping[str, str | Text], value: str | None = None) -> Select[str]:
    options = [(values[name] if isinstance(values, Mapping) else in_words(name), name) for name in values]
    return Select(options, value=value or options[0][1], allow_blank=False, id=id, compact=True)
