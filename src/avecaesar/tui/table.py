"""The table: people and the computer's drivers take their turns, and nothing that has happened is ever lost."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType

from avecaesar.called import called
from avecaesar.courses import ROMAN
from avecaesar.game import Move, Play, way
from avecaesar.rules import EDITIONS
from avecaesar.table import Table, narration
from avecaesar.tui import saves
from avecaesar.tui.board import Board, Mark
from avecaesar.tui.hand import Hand
from avecaesar.tui.keys import Key
from avecaesar.tui.paint import marks
from avecaesar.tui.papers import Clauses, Help, Result
from avecaesar.tui.scenes import scenes
from avecaesar.tui.screen import SPEEDS, Line, RaceScreen

if TYPE_CHECKING:
    from avecaesar.tui.app import TableApp

ALWAYS: tuple[Key, ...] = (("?", "help", "screen.help"), ("r", "why not", "screen.rule"), ("q", "leave", "app.leave"))
ASKING: tuple[Key, ...] = (("1–6", "card", ""), ("a b c", "space", ""), ("⏎", "play", "screen.play"), *ALWAYS)
CURTAIN: tuple[Key, ...] = (("⏎", "lift the curtain", "screen.play"), ALWAYS[0], ALWAYS[2])
LOOKING_ON: tuple[Key, ...] = (("any key:", "skip", "screen.play"), ALWAYS[0], ALWAYS[2])
HASTE = 0.4  # seconds in which a key that was to skip a movement plays no card


class TableScreen(RaceScreen):
    """A race or a tournament, from the grid to the triumph."""

    app: TableApp
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", show=False, priority=True),
        Binding("up", "step(-1)", show=False),
        Binding("down", "step(1)", show=False),
        Binding("left", "turn_card(-1)", show=False),
        Binding("right", "turn_card(1)", show=False),
        Binding("question_mark", "help", show=False),
        Binding("r", "rule", show=False),
        Binding("t", "light", show=False),
        Binding("q", "app.leave", show=False),
    ]

    def __init__(self, table: Table, path: Path, speed: str = "normal") -> None:
        super().__init__(table.race.course)
        self.table, self.path, self.speed = table, path, speed
        self.saved = path.exists()
        self.problem = ""  # why it could not be saved
        self.last_human: int | None = None  # whose hand was on the screen last
        self._decision: asyncio.Future[Move] | None = None
        self._curtain: asyncio.Future[None] | None = None
        self._hasty_until = 0.0
        letters = marks([seat.name for seat in table.setup.seats])
        self.seat_marks = [Mark(letter, seat.colour) for letter, seat in zip(letters, table.setup.seats, strict=True)]
        humans = [number for number, seat in enumerate(table.setup.seats) if seat.human]
        self.shared = len(humans) > 1
        self.eyes = humans[0] if len(humans) == 1 else None  # the seat that sees the screen; None: everybody does

    def on_mount(self) -> None:
        """Begin."""
        self.run_worker(self.drive(), exclusive=True)

    @property
    def asking(self) -> bool:
        """Whether a person is asked for a decision."""
        return self._decision is not None

    @property
    def curtained(self) -> bool:
        """Whether the curtain is down."""
        return self._curtain is not None

    # ------------------------------------------------------------------ the course of the game

    async def drive(self) -> None:
        """One turn after another, one race after another."""
        self.begin_race()
        while True:
            seat = self.table.seat_on_turn
            if seat is None:
                if await self.end_race():
                    return
                continue
            human = self.table.setup.seats[seat].human
            move = await (self.ask(seat) if human else self.think(seat))
            await self.make(move)

    def begin_race(self) -> None:
        """Set up the board; what happened before, if the table was taken up again, is told."""
        table = self.table
        self.marks = [self.seat_marks[seat] for seat in table.grid]
        self.course = table.race.course
        chariot = None if self.eyes is None else table.chariot_of(self.eyes)
        told = scenes(table.race, table.record().races[-1], chariot)[1:]
        opening: list[Line] = [(None, line, "") for line in self._opening()]
        self.log_of_race.tell([*opening, *((self.marks[s.mover], *s.brief) for s in told if s.mover is not None)])
        self.make_room()
        self.show_view(table.view(self.eyes))

    def _opening(self) -> list[str]:
        table = self.table
        names = [seat.name for seat in table.setup.seats]
        lines = [self._title() + "."]
        note = EDITIONS[table.setup.edition].note
        lines += [f"This edition is {note}."] if note else []
        house = table.race.rules.differences(EDITIONS[table.setup.edition].rules)
        lines += (
            [f"House rules: {', '.join(f'{name} = {value}' for name, (value, _) in house.items())}."] if house else []
        )
        if table.number == 0 and not table.race.history:
            for shown in table.turned_up:
                cards = ", ".join(f"{names[seat]} {card}" for seat, card in shown.items())
                lines.append(f"Cards are turned up for the grid: {cards}.")
        grid = ", ".join(f"{ROMAN[i]} {names[seat]}" for i, seat in enumerate(table.grid))
        lines.append(f"Grid: {grid}.")
        if self.eyes is not None:
            lines.append(f"You are {names[self.eyes]}, and drive the {table.setup.seats[self.eyes].colour} chariot.")
        return lines

    def _title(self) -> str:
        many = len(self.table.stages)
        race = f"Race {self.table.number + 1} of {many}: " if many > 1 else ""
        course = self.table.race.course
        name = f"{course.name} {course.direction}"
        edition = self.table.setup.edition + (" with house rules" if self.table.setup.options else "")
        return f"{race}{name if race else name[0].upper() + name[1:]}, {edition}"

    async def ask(self, seat: int) -> Move:
        """What a person decides."""
        name = self.table.setup.seats[seat].name
        self._hasty_until = asyncio.get_running_loop().time() + HASTE if self.skip.is_set() else 0.0
        self.skip.clear()
        if self.shared and self.last_human != seat:
            self.hand.curtain(name)
            self.announce(f"{name}'s turn", call=True)
            self.keys.tell(CURTAIN)
            self._curtain = asyncio.get_running_loop().create_future()
            await self._curtain
            self._curtain = None
        self.last_human = seat
        view = self.table.view(seat)
        self.show_view(view)
        self.hand.address = f"{name}, your turn" if self.shared else "Your turn"
        self.announce_turn()
        self.keys.tell(ASKING)
        self._decision = asyncio.get_running_loop().create_future()
        self.hand.offer(view)
        self.mark_targets()
        move = await self._decision
        self._decision = None
        self.keys.tell(LOOKING_ON)
        self._rest("")
        return move

    async def think(self, seat: int) -> Move:
        """What the computer decides; it thinks beside the screen, not in front of it."""
        name = self.table.setup.seats[seat].name
        self.announce_turn()
        self.keys.tell(LOOKING_ON)
        self._rest(f"{name} is on turn.")
        return await asyncio.to_thread(self.table.computers_move)

    def _rest(self, sentence: str) -> None:
        """Between the turns of people: the sole one keeps his hand before him, several see none."""
        self.hand.look_on(self.table.view(self.eyes), sentence)

    async def make(self, move: Move) -> None:
        """Make a move: it is saved before it is shown."""
        before = self.table.view(self.eyes)
        mover = before.turn
        assert mover is not None
        driven = way(before, move) if isinstance(move, Play) else ()
        if driven:
            self.announce(f"{before.chariots[mover].name} drives")
        self.table.play(move)
        await self.save()
        after = self.table.view(self.eyes)
        words, place = narration.tell_briefly(before, after)
        self.log_of_race.say(words, self.marks[mover], place)
        await self.drive_along(self.standing(before), before.chariots[mover].space, driven)
        self.show_view(after)
        self.announce_turn()
        await self.pause(SPEEDS[self.speed][1])
        if self.eyes is None and not self.shared:
            self.skip.clear()  # nobody will be asked: a key skips one move

    async def save(self) -> None:
        """Put the table away; where that fails, say so once and play on."""
        try:
            await asyncio.to_thread(saves.save, self.table, self.path)
            self.saved, self.problem = True, ""
        except OSError as error:
            if not self.problem:
                self.problem = f"{self.path} cannot be written: {error.strerror or error}"
                self.notify(f"The table is not saved: {self.problem}", severity="error", timeout=10, markup=False)

    async def end_race(self) -> bool:
        """Show the result; True when that was the last race."""
        table = self.table
        view, record, last = table.view(None), table.record(), table.over
        self.show_view(view)
        self.hand.look_on(view, "")
        self.announce_turn()
        self.keys.tell(())
        many = len(table.stages) > 1
        title, shown, coming = "The games are over" if last and many else self._title(), self.marks, ""
        seats = table.setup.seats
        people = [chariot for chariot, seat in enumerate(table.grid) if seats[seat].human]
        if not last:
            table.next_race()
            await self.save()
            names = [table.setup.seats[seat].name for seat in table.grid]
            course = table.race.course
            grid = ", ".join(f"{ROMAN[i]} {name}" for i, name in enumerate(names))
            coming = f"Next: {course.name} {course.direction}. Grid: {grid}."
        await self.app.push_screen_wait(
            Result(
                title,
                view,
                shown,
                record,
                people=people,
                people_seats=[seat for seat, who in enumerate(seats) if who.human],
                standings=table.standings if many else (),
                seats=self.seat_marks,
                coming=coming,
                last=last,
            )
        )
        if last:
            self.path.unlink(missing_ok=True)
            self.app.table_is_over()
            return True
        self.last_human = None
        self.begin_race()
        return False

    # ------------------------------------------------------------------ what is shown

    def announce_turn(self) -> None:
        """On the bar: whose turn it is, as the panel of drivers has it."""
        seat = self.table.seat_on_turn
        if seat is None:
            self.announce("The race is over")
        elif not self.table.setup.seats[seat].human:
            self.announce(f"{self.table.setup.seats[seat].name} thinks …")
        else:
            self.announce(f"{self.table.setup.seats[seat].name}'s turn" if self.shared else "Your turn", call=True)

    def announce(self, words: str, *, call: bool = False) -> None:
        """The bar on top."""
        title = self._title() if self.size.width >= 100 else self._title().rpartition(",")[0]
        turn = len(self.table.race.history) + (not self.table.race_over)
        self.bar(f"AVE CAESAR  {title}, turn {turn}", words, call=call)

    def mark_targets(self) -> None:
        """Show on the board where the chosen card leads, and the way of the chosen move."""
        view, move = self.hand.view, self.hand.chosen
        if view is None or self._decision is None:
            return
        driven: tuple[int, ...] = ()
        if isinstance(move, Play):
            driven = way(view, move)
            driven = driven[:-1] if move.to == "home" else driven
        chosen = move.to if isinstance(move, Play) else None
        self.board.show(targets=self.hand.targets, home=self.hand.home, chosen=chosen, trail=driven)

    # ------------------------------------------------------------------ keys and mouse

    def on_key(self, event: events.Key) -> None:
        """Digits choose a card, letters a space; while chariots move, any key skips."""
        if self._decision is None:
            if self._curtain is None:
                self.skip.set()
            return
        if event.key in "0123456" and len(event.key) == 1:
            if not self.hand.choose_card(int(event.key) or None):
                self.notify(f"You hold no {event.key}." if event.key != "0" else "You must play a card.", timeout=2)
        elif event.character is not None and len(event.character) == 1:
            self.hand.choose_letter(event.character.lower())

    def on_hand_changed(self) -> None:
        """Another offer is chosen."""
        self.mark_targets()

    def on_hand_played(self) -> None:
        """Clicked twice."""
        self.action_play()

    def on_board_clicked(self, event: Board.Clicked) -> None:
        """A space was clicked: choose it, or play if it was chosen."""
        if self._decision is not None and not self.hand.choose_space(event.space):
            self.action_play()

    def on_click(self, event: events.Click) -> None:
        """A click lifts the curtain."""
        if self._curtain is not None and isinstance(event.widget, Hand):
            self.action_play()

    def action_play(self) -> None:
        """Enter: lift the curtain, or make the chosen move."""
        if not self.roomy:
            return  # nobody plays blindly
        if self._curtain is not None:
            if not self._curtain.done():
                self._curtain.set_result(None)
        elif self._decision is None:
            self.skip.set()
        elif asyncio.get_running_loop().time() < self._hasty_until:
            return  # meant for the chariots that were still moving
        elif self.hand.chosen is not None and not self._decision.done():
            self._decision.set_result(self.hand.chosen)
        else:
            self.notify("This card cannot be played now; r shows the rule.", timeout=3)

    def action_step(self, by: int) -> None:
        """The offer above or below."""
        self.hand.step(by) if self._decision is not None else self.skip.set()

    def action_turn_card(self, by: int) -> None:
        """The card beside."""
        self.hand.turn_card(by) if self._decision is not None else self.skip.set()

    def action_help(self) -> None:
        """The game on a page."""
        self.app.push_screen(Help())

    def action_rule(self) -> None:
        """The clause behind the refusal of the chosen card, or of all that are refused."""
        if self._decision is None:
            return
        view, group = self.hand.view, self.hand.group
        refused = {} if view is None else view.refusals
        if group is not None and group.refusal is not None and group.card is not None:
            refused = {group.card: group.refusal}
        if refused:
            self.app.push_screen(Clauses(list(refused.items())))
        else:
            self.notify("Every card of yours can be played.", timeout=2)

    def action_light(self) -> None:
        """Dark or light."""
        self.app.switch_light()
        self.repaint()

    @property
    def farewell(self) -> str:
        """What to say to somebody who leaves."""
        if self.problem:
            return f"The table could not be saved: {self.problem}"
        if not self.saved:
            return "Nobody has moved yet, so there is nothing to resume. Vale!"
        return f"The table is saved in {self.path}; go on with: {called()} play --resume"
