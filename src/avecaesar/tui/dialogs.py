"""Dialogs: help, a clause, a result."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import ClassVar

from rich.cells import set_cell_size
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from avecaesar.game import Refusal, Standing, View
from avecaesar.program_name import called
from avecaesar.records import Record, write_record
from avecaesar.table import PERSONS
from avecaesar.telling.narration import ORDINALS, fate
from avecaesar.tui.board_widget import Mark
from avecaesar.tui.drivers_panel import cut
from avecaesar.tui.paint import Palette, livery, palette

HELP = (
    (
        "The race",
        "Play a card and drive exactly that far, straight or diagonally ahead, over free spaces. Dashed lines may be "
        "crossed, walls may not. A bottleneck ◆ has room for one. Who leads ♛ may not play a 6. Three laps: the first "
        "home with his coin paid wins.",
    ),
    (
        "Caesar's coin",
        "Once, at the end of your first or second lap, end a move in the Imperial Alley ○: that pays your coin. Drive "
        "past it a second time without paying and you are disqualified.",
    ),
    (
        "Your cards",
        "24 cards, four each of 1 to 6, 84 points, are all you get. If you can play one you must; if you cannot, you "
        "miss the turn. Insides of curves are shorter. Points that you have and do not need to get home are to spare.",
    ),
    (
        "Keys",
        "1–6    choose a card              ← →  the card beside it\n"
        "a b c  choose one of its spaces   ↑ ↓  the offer above or below\n"
        "Enter  play what is chosen        0    what can be done without a card\n"
        "h      a hint: what Sibylla would do here, and how many laurels she expects\n"
        "r      the rule behind a refusal  t    dark or light\n"
        "q      leave: the table is saved  any key while chariots move: skip\n"
        "mouse  click to choose, click again to play",
    ),
    (
        "The computer's drivers",
        "\n".join(f"{person.title}, {person.level}, {person.tells}." for person in PERSONS),
    ),
    (
        "Riderless chariots, teams",
        "A chariot without a driver ♞ draws a card when its turn comes and moves by a fixed rule; or all players vote: "
        "a letter is a space, 0 abstains, most votes decide. In a team game you drive two or three chariots, each with "
        "a deck, hand and coin of its own; laurels add up.",
    ),
    (
        "Ausgebremst",
        "Everybody chooses a deck in secret (slow, average or fast), puts some cards aside for the emperor, and sorts "
        "the rest into three face-down piles. You hold two cards; after playing one you draw from the pile that you "
        "like. A stop in the alley is optional, and brings the emperor's cards back.\n"
        "Sorting: ← → choose a value, ↑ ↓ move all of it to another pile, 1 2 3 move one card of it to that pile, 0 "
        "takes our suggestion. Decks and piles: 1 2 3. In the panel of drivers: deck (s, a, f) and pile sizes.",
    ),
)
WREATH = (("╲╲ ╲  ", "  ╱ ╱╱"), (" ╲╲ ╲ ", " ╱ ╱╱ "), ("  ╲╲═╲", "╱═╱╱  "))


class Paper(ModalScreen[None]):
    """A sheet in the middle of the screen; Enter or Escape puts it away."""

    DEFAULT_CSS = """
    Paper { align: center middle; background: $background 60%; }
    Paper > VerticalScroll {
        width: 84; max-width: 100%; height: auto; max-height: 100%;
        border: round $primary; background: $surface; padding: 0 2; scrollbar-size-vertical: 1;
    }
    Paper #over { dock: bottom; height: 1; background: $background; }
    Paper Static { height: auto; width: 1fr; }
    Paper Input { margin: 1 0 0 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter", "dismiss", "Go on"),
        ("escape", "dismiss", "Go on"),
        ("space", "dismiss", "Go on"),
    ]
    TITLE = ""

    def compose(self) -> ComposeResult:
        """The sheet."""
        with VerticalScroll() as sheet:
            sheet.border_title = self.title or ""
            sheet.border_subtitle = self.foot
            yield Static(self.text(palette(self.app.current_theme.dark)))
        yield Static(id="over")  # the keys of the screen below do nothing now

    @property
    def foot(self) -> str:
        """What to press."""
        return "Enter goes on"

    def text(self, paint: Palette) -> Text:
        """What is written on it."""
        raise NotImplementedError

    async def action_dismiss(self, result: None = None) -> None:
        """Put it away."""
        self.dismiss(None)


class Help(Paper):
    """The game on a page, and the keys."""

    TITLE = "Ave Caesar"
    BINDINGS: ClassVar[list[BindingType]] = [("question_mark", "dismiss", "Go on")]

    @property
    def foot(self) -> str:
        """What to press; it may be longer than the screen."""
        return "↑ ↓ the rest of the page · Enter goes on"

    def text(self, paint: Palette) -> Text:
        """Help."""
        text = Text()
        for heading, words in HELP:
            text.append(f"{heading}\n", style=f"bold {paint.gold}").append(f"{words}\n", style=paint.text)
        text.rstrip()
        return text


class Clauses(Paper):
    """The clauses behind some refusals."""

    TITLE = "The rules say"
    BINDINGS: ClassVar[list[BindingType]] = [("r", "dismiss", "Go on")]

    def __init__(self, refusals: Sequence[tuple[int | None, Refusal]]) -> None:
        super().__init__()
        self.refusals = refusals

    def text(self, paint: Palette) -> Text:
        """Each clause once, with the sentences that led to it."""
        text = Text()
        for clause in dict.fromkeys(refusal.clause for _, refusal in self.refusals):
            for card, refusal in self.refusals:
                if refusal.clause == clause:
                    text.append(f" {card} " if card else "", style=paint.card_barred)
                    text.append(f" {refusal.reason}\n", style=paint.bad)
            rule = next(refusal for _, refusal in self.refusals if refusal.clause == clause).rule
            text.append(f"\n{rule.id}  {rule.title}\n", style=f"bold {paint.gold}")
            text.append(f"{rule.text}\n\n", style=paint.text)
        text.rstrip()
        return text


class Result(Paper):
    """How a race ended, and what comes next."""

    BINDINGS: ClassVar[list[BindingType]] = [("s", "save", "Save the record"), ("q", "app.leave", "Leave")]

    def __init__(
        self,
        title: str,
        view: View,
        marks: Sequence[Mark],
        record: Record,
        *,
        people: Collection[int] = (),
        standings: Sequence[Standing] = (),
        teams: Sequence[Standing] = (),
        seats: Sequence[Mark] = (),
        people_seats: Collection[int] = (),
        coming: str = "",
        last: bool = False,
        crown: bool = False,
    ) -> None:
        super().__init__()
        self.title = title
        self.view, self.marks, self.record = view, marks, record
        self.people, self.people_seats = people, people_seats  # their chariots, and their seats
        self.standings, self.seats, self.coming, self.last = standings, seats, coming, last
        self.teams = teams  # how their players stand in this race alone
        self.crown = crown  # whether the games are over, and not only a race

    @property
    def foot(self) -> str:
        """What to press."""
        return "s saves the record · Enter " + ("goes to the start" if self.last else "begins the next race")

    def compose(self) -> ComposeResult:
        """The sheet, with room to type a file's name."""
        yield from super().compose()
        yield SaveAs(self.record)

    def text(self, paint: Palette) -> Text:
        """Who won; standings, if the games are over; the race; standings, if they go on; what is next."""
        text = Text()
        winners = [s.name for s in self.standings if s.rank == 1]
        if self.crown and winners:
            _wreath(text, winners, paint)
            word = "wins" if len(winners) == 1 else "share"
            text.append(f"{' and '.join(winners)} {word} the laurel crown! {self._mine()}\n\n", style=paint.gold)
            self._list_standings(text, paint)
            text.append("\nThe last race\n", style=f"bold {paint.text}")
            self._list_race(text, paint)
        else:
            text.append(f"{self._winner()} {self._mine()}\n\n", style=f"bold {paint.gold}")
            self._list_race(text, paint)
            if self.standings:
                text.append("\nBy player\n" if self.last else "\nStandings\n", style=f"bold {paint.text}")
                self._list_standings(text, paint)
        if self.coming:
            text.append(f"\n{self.coming}", style=paint.quiet)
        text.rstrip()
        return text

    def _winner(self) -> str:
        if self.teams:
            winners = [standing.name for standing in self.teams if standing.rank == 1]
            best, laurels = " and ".join(winners), _laurels(self.teams[0].laurels).strip()
            return f"{best} {'wins' if len(winners) == 1 else 'win'} with {laurels}. Ave {best}!"
        first = next((chariot for chariot in self.view.chariots if chariot.place == 1), None)
        if first is None:
            return "Nobody takes a place."
        return (
            f"{first.name} is first, and nobody drove it."
            if first.riderless
            else f"{first.name} wins. Ave {first.name}!"
        )

    def _mine(self) -> str:
        """A word to the sole person at the table."""
        if len(self.people_seats) != 1:
            return ""
        if self.crown or self.teams:
            listed = self.standings if self.crown else self.teams
            rank = next(s.rank for s in listed if s.player in self.people_seats)
        else:
            rank = min((place for i in self.people if (place := self.view.chariots[i].place)), default=0)
        return "That is you!" if rank == 1 else f"You came {ORDINALS[rank - 1]}." if rank else "You took no place."

    def _list_race(self, text: Text, paint: Palette) -> None:
        for chariot in self.view.arrivals:
            told, laurels = self.view.chariots[chariot], self.view.laurels[chariot]
            _rank(text, f"{ORDINALS[told.place - 1] if told.place else '–':>5}", paint, mine=chariot in self.people)
            _name(text, self.marks[chariot], told.name, paint, mine=chariot in self.people)
            earned = "riderless" if told.riderless else _laurels(laurels)
            text.append(f"{earned:>11}   {_became(self.view, chariot)}\n", style=paint.text)

    def _list_standings(self, text: Text, paint: Palette) -> None:
        for standing in self.standings:
            mine = standing.player in self.people_seats
            _rank(text, f"{standing.rank:>4}.", paint, mine=mine)
            _name(text, self.seats[standing.player], standing.name, paint, mine=mine)
            text.append(f"{_laurels(standing.laurels):>11}   {_places(standing)}\n", style=paint.text)

    def action_save(self) -> None:
        """Ask under which name."""
        self.query_one(SaveAs).ask()


class SaveAs(Input):
    """Where a record is to be saved; hidden until it is asked for."""

    DEFAULT_CSS = "SaveAs { display: none; width: 84; max-width: 100%; } SaveAs.-asked { display: block; }"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "cancel", "Do not save")]

    def __init__(self, record: Record) -> None:
        super().__init__(default_name(record), placeholder="file for the record")
        self.border_title = "Save the record as (in this folder)"
        self.record = record

    def ask(self) -> None:
        """Show it."""
        self.add_class("-asked")
        self.focus()

    def action_cancel(self) -> None:
        """Put it away."""
        self.remove_class("-asked")
        self.screen.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Write the record."""
        event.stop()
        path = Path(event.value.strip()).expanduser()
        if not event.value.strip():
            return
        if path.exists():
            self.notify(f"{path} is there already; choose another name.", severity="error", markup=False)
            return
        try:
            write_record(self.record, path)
        except OSError as error:
            self.notify(f"{path} cannot be written: {error.strerror}", severity="error", markup=False)
            return
        self.notify(f"Saved as {path}. Watch it with: {called()} replay {path}", markup=False)
        self.action_cancel()


def default_name(record: Record) -> str:
    """A file name for a record in the current folder that is not taken."""
    race = record.races[0]
    stem = "tournament" if len(record.races) > 1 else f"{race.course}-{race.direction}"
    names = [f"{stem}{f'-{n}' if n > 1 else ''}.race.json" for n in range(1, 1000)]
    return next((name for name in names if not Path(name).exists()), names[0])


def _wreath(text: Text, names: Sequence[str], paint: Palette) -> None:
    """The winner's name in laurel."""
    word = f"  {' & '.join(name.upper() for name in names)}  "
    for (left, right), middle in zip(WREATH, (" " * len(word), word, "═" * len(word)), strict=True):
        text.append(f"{f'{left}{middle}{right}'.center(74).rstrip()}\n", style=f"bold {paint.gold}")
    text.append("\n")


def _rank(text: Text, rank: str, paint: Palette, *, mine: bool) -> None:
    text.append("▶" if mine else " ", style=paint.gold)
    text.append(f"{rank}  ", style=f"bold {paint.gold}" if mine else paint.text)


def _name(text: Text, mark: Mark, name: str, paint: Palette, *, mine: bool) -> None:
    text.append(f" {mark.letter} ", style=livery(mark.colour))
    text.append(set_cell_size(f" {cut(name, 14)}", 15), style=f"bold {paint.gold}" if mine else paint.text)


def _laurels(count: int) -> str:
    return f"{count} laurel{'s' * (count != 1)}{' ' * (count == 1)}"


def _became(view: View, chariot: int) -> str:
    told = view.chariots[chariot]
    if told.status == "racing":
        return f"{told.remaining} from home" + (", disqualified" if told.disqualified else "")
    if told.status == "home" and told.place:
        return ""
    return fate(view, chariot)


def _places(standing: Standing) -> str:
    return ", ".join(f"{count}× {ORDINALS[i]}" for i, count in enumerate(standing.places) if count)
