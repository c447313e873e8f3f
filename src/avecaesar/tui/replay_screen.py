"""Watching a recorded race: forwards and backwards, at any speed, with all hands open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import set_cell_size
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Input

from avecaesar.courses import ROMAN
from avecaesar.game import Race
from avecaesar.records import Record, RecordedRace
from avecaesar.telling.narration import result_in_words
from avecaesar.telling.scenes import Scene, scenes
from avecaesar.tui.board_widget import Mark, marked
from avecaesar.tui.drivers_panel import cut
from avecaesar.tui.hand import Hand
from avecaesar.tui.keys import Key
from avecaesar.tui.log_lines import told_after
from avecaesar.tui.paint import THEMES, livery, palette
from avecaesar.tui.screen import SPEEDS, LogLine, RaceScreen

KEYS: tuple[Key, ...] = (
    ("space", "play", "screen.play_pause"),
    ("← →", "step", ""),
    ("g", "go to", "screen.jump"),
    ("n p", "race", ""),
    ("+ -", "speed", ""),
    ("t", "light", "screen.light"),
    ("q", "leave", "app.quit"),
)
NAMES = {"slow": "slow", "normal": "normal", "off": "fast"}  # of the speeds
WATCHED = {"slow": 1.6, "normal": 0.7, "off": 0.15}  # seconds from turn to turn while it plays


class OpenHands(Hand):
    """Everybody's cards: after a race nothing is hidden."""

    DEFAULT_CSS = "OpenHands { height: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.scene: Scene | None = None
        self.marks: Sequence[Mark] = ()

    def open(self, scene: Scene, marks: Sequence[Mark]) -> None:
        """Show the hands of a scene."""
        self.scene, self.marks = scene, marks
        self.refresh()

    def render(self) -> Text:
        """One line a hand."""
        paint = palette(self.app.current_theme.dark)
        text = Text("All hands\n", style=f"bold {paint.text}", no_wrap=True)
        if self.scene is None:
            return text
        roomy = self.size.height > 2 * len(self.marks) + 2
        for chariot, (mark, (cards, piles)) in enumerate(zip(self.marks, self.scene.hands, strict=True)):
            text.append(f"\n {mark.letter} ", style=livery(mark.colour))
            text.append(f" {set_cell_size(cut(self.scene.view.chariots[chariot].name, 8), 8)} ", style=paint.text)
            on_turn = self.scene.view.turn == chariot
            for card in cards:
                text.append(f" {card} ", style=paint.card_chosen if on_turn else paint.card).append(" ")
            if roomy:
                text.append(f"\n{_piles_in_a_row(piles)}", style=paint.quiet)
        return text


def _piles_in_a_row(piles: Sequence[Sequence[int]]) -> str:
    """What lies on three piles, if that is known: not in which order."""
    cards = ["".join(str(value) * count for value, count in enumerate(pile, 1)) for pile in piles]
    return "   " + "".join(f"  {ROMAN[number]} {pile or '–'}" for number, pile in enumerate(cards))


class Jump(ModalScreen[int | None]):
    """To which step?"""

    DEFAULT_CSS = "Jump { align: center middle; } Jump Input { width: 44; border: round $primary; }"
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "Stay")]

    def __init__(self, last: int) -> None:
        super().__init__()
        self.last = last

    def compose(self) -> ComposeResult:
        """A line to type in."""
        line = Input(type="integer", placeholder=f"0 (the grid) to {self.last} (the end)", max_length=4)
        line.border_title = "Go to step"
        yield line

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go."""
        self.dismiss(int(event.value) if event.value.isdigit() else None)


class ReplayScreen(RaceScreen):
    """A record, race by race and turn by turn."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "play_pause", show=False),
        Binding("right", "step(1)", show=False),
        Binding("left", "step(-1)", show=False),
        Binding("pagedown", "step(10)", show=False),
        Binding("pageup", "step(-10)", show=False),
        Binding("home", "go(0)", show=False),
        Binding("end", "go(-1)", show=False),
        Binding("g", "jump", show=False),
        Binding("n", "race(1)", show=False),
        Binding("p", "race(-1)", show=False),
        Binding("plus,+", "faster(1)", show=False),
        Binding("minus,-", "faster(-1)", show=False),
        Binding("t", "light", show=False),
        Binding("q", "app.quit", show=False),
    ]
    HAND = OpenHands

    def __init__(self, record: Record, races: Sequence[Race], number: int, speed: str) -> None:
        super().__init__(races[number].course)
        self.record, self.races, self.number, self.speed = record, races, number, speed
        self.scenes: list[Scene] = []
        self.at = 0
        self.playing = False

    def on_mount(self) -> None:
        """Open the race at its grid."""
        self.keys.tell(KEYS)
        self.open_race(self.number)

    def open_race(self, number: int) -> None:
        """Begin with a race."""
        self.number, self.at = number, 0
        recorded = self.record.races[number]
        self.marks = marks_of(recorded)
        self.course = self.races[number].course
        self.scenes = scenes(self.races[number])
        self.make_room()
        self.show_scene()

    def show_scene(self) -> None:
        """The scene that one is at, and all that was told before it."""
        scene = self.scenes[self.at]
        self.show_view(scene.view)
        if scene.driven:
            self.board.show(trail=scene.driven[:-1])
        self.query_one(OpenHands).open(scene, self.marks)
        course = self.races[self.number].course
        opening = f"{course.name.capitalize()} {course.direction}, {self.record.edition}."
        told: list[LogLine] = [(None, opening, "")]
        for shown in self.scenes[1 : self.at + 1]:
            told = told_after(told, shown, self.marks)
        ending: list[LogLine] = [(None, result_in_words(scene.view), "")] if scene.view.over else []
        self.log_of_race.tell([*told, *ending])
        race = f"race {self.number + 1} of {len(self.races)}, " if len(self.races) > 1 else ""
        state = f"{'▶ playing' if self.playing else '❚❚ paused'}, {NAMES[self.speed]}"
        words = f"{race}{course.name} {course.direction}, step {self.at} of {len(self.scenes) - 1}"
        self.bar(f"REPLAY  {words}", state)

    async def play_on(self) -> None:
        """Turn after turn to the end."""
        while self.playing and self.at < len(self.scenes) - 1:
            before, scene = self.scenes[self.at], self.scenes[self.at + 1]
            if scene.mover is not None:
                start = before.view.chariots[scene.mover].space
                await self.drive_along(self.standing(before.view), start, scene.driven)
            self.at += 1
            self.show_scene()
            await self.pause(WATCHED[self.speed])
        self.playing = False
        self.show_scene()

    # ------------------------------------------------------------------ keys

    def stop(self) -> None:
        """Pause, wherever it is."""
        self.playing = False
        self.workers.cancel_node(self)

    def action_play_pause(self) -> None:
        """Play or pause."""
        if self.playing:
            self.stop()
            self.show_scene()
        else:
            if self.at == len(self.scenes) - 1:
                self.at = 0
            self.playing = True
            self.run_worker(self.play_on(), exclusive=True)

    def action_step(self, by: int) -> None:
        """Forwards or backwards."""
        self.action_go(min(max(self.at + by, 0), len(self.scenes) - 1))

    def action_go(self, step: int) -> None:
        """To a step; -1 is the end."""
        self.stop()
        last = len(self.scenes) - 1
        self.at = last if step < 0 else min(step, last)
        self.show_scene()

    def action_jump(self) -> None:
        """Ask for a step and go there."""
        self.stop()
        self.app.push_screen(Jump(len(self.scenes) - 1), lambda step: None if step is None else self.action_go(step))

    def action_race(self, by: int) -> None:
        """The next race of a tournament, or the one before."""
        if 0 <= self.number + by < len(self.races):
            self.stop()
            self.open_race(self.number + by)
        else:
            self.notify("There is no other race that way.", timeout=2)

    def action_faster(self, by: int) -> None:
        """One step faster or slower."""
        names = list(SPEEDS)
        self.speed = names[min(max(names.index(self.speed) + by, 0), len(names) - 1)]
        self.show_scene()

    def action_light(self) -> None:
        """Dark or light."""
        self.app.theme = "day" if self.app.theme == "night" else "night"
        self.repaint()


class ReplayApp(App[None]):
    """A record in the terminal."""

    TITLE = "Ave Caesar"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False, priority=True)]

    def __init__(self, record: Record, races: Sequence[Race], number: int = 0, *, speed: str = "normal") -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = "night"
        self._first = ReplayScreen(record, races, number, speed)

    def on_mount(self) -> None:
        """Show the first race."""
        self.push_screen(self._first)


def marks_of(recorded: RecordedRace) -> list[Mark]:
    """The chariots' marks, in grid order."""
    driven = [chariot.name for chariot in recorded.chariots if not chariot.riderless]
    return marked([(chariot.name, chariot.colour) for chariot in recorded.chariots], driven)
