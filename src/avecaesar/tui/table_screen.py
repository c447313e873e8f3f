"""The table: people and the computer's drivers take their turns, and nothing that has happened is ever lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches

from avecaesar.drivers import DriverError
from avecaesar.game import Move, Play, View, Vote, way
from avecaesar.game.lineup import team_names
from avecaesar.game.numbers import EntryNumber
from avecaesar.game.tournament import standings
from avecaesar.program_name import called
from avecaesar.table import SeatNumber, Table
from avecaesar.telling import narration
from avecaesar.telling.opening import grid as grid_of
from avecaesar.telling.opening import opening
from avecaesar.telling.opening import title as title_of
from avecaesar.telling.scenes import scene_of, scenes
from avecaesar.tui import saves
from avecaesar.tui.background import aside
from avecaesar.tui.board_widget import BoardWidget, marked
from avecaesar.tui.deck_prompts import DeckChoice, PileChoice, Sorting
from avecaesar.tui.dialogs import Clauses, Help, Result
from avecaesar.tui.hand import Hand
from avecaesar.tui.hint import consider
from avecaesar.tui.keys import Key
from avecaesar.tui.log_lines import told_after
from avecaesar.tui.offers import Ballot, Offers, play_of
from avecaesar.tui.prompt import Prompt
from avecaesar.tui.screen import SPEEDS, LogLine, RaceScreen

if TYPE_CHECKING:
    from avecaesar.tui.app import TableApp

ALWAYS: tuple[Key, ...] = (("?", "help", "screen.help"), ("q", "leave", "app.leave"))
CURTAIN: tuple[Key, ...] = (("⏎", "lift the curtain", "screen.play"), *ALWAYS)
HINT: Key = ("h", "hint", "screen.hint")
LOOKING_ON: tuple[Key, ...] = (("any key:", "skip", "screen.play"), *ALWAYS)
ASKED = {  # on the bar, and over the question
    "turn": "your turn",
    "deck": "choose your deck",
    "sort": "sort your cards",
    "draw": "draw a card",
    "lay": "lay the emperor's 3",
    "vote": "your vote",
}
CURTAINED = {"deck": ASKED["deck"], "sort": ASKED["sort"], "vote": "it is your vote"}  # what for
HASTE = 0.4  # seconds in which a key that was to skip a movement plays no card


class TableScreen(RaceScreen):
    """A race or a tournament, from the grid to the triumph."""

    app: TableApp
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "play", show=False, priority=True),
        Binding("question_mark", "help", show=False),
        Binding("r", "rule", show=False),
        Binding("h", "hint", show=False),
        Binding("t", "light", show=False),
        Binding("q", "app.leave", show=False),
    ]

    def __init__(self, table: Table, path: Path, speed: str = "normal") -> None:
        super().__init__(table.race.course)
        self.table, self.path, self.speed = table, path, speed
        self.saved = path.exists()
        self.problem = ""  # why it could not be saved
        self.last_human: SeatNumber | None = None  # whose hand was on the screen last
        self._decision: asyncio.Future[Move] | None = None
        self._curtain: asyncio.Future[None] | None = None
        self._hasty_until = 0.0
        seats = table.setup.seats
        humans = [SeatNumber(number) for number, seat in enumerate(seats) if seat.human]
        self.shared = len(humans) > 1
        self.eyes = humans[0] if len(humans) == 1 else None  # the seat that sees the screen; None: everybody does
        self.team = table.race.rules.chariots_each > 1
        self.driven = team_names([seat.name for seat in seats], table.race.rules)  # every driver's chariot by its name
        self.seat_marks = marked([(name, seat.colour) for name, seat in zip(self.driven, seats, strict=False)])

    def on_mount(self) -> None:
        """Begin."""
        self.run_worker(self.begin(), exclusive=True)

    @property
    def asking(self) -> bool:
        """Whether a person is asked for a decision."""
        return self._decision is not None

    @property
    def curtained(self) -> bool:
        """Whether the curtain is down."""
        return self._curtain is not None

    # ------------------------------------------------------------------ the course of the game

    async def begin(self) -> None:
        """Drive; where a driver of somebody's own fails, that is the end."""
        try:
            await self.drive()
        except DriverError as error:
            self.app.give_up(error)
        except NoMatches:
            if self.children:  # else the screen is being taken away
                raise

    async def drive(self) -> None:
        """One decision after another, one race after another."""
        self.begin_race()
        while True:
            if self.table.race_over:
                if await self.end_race():
                    return
                continue
            person = self._person()
            await self.make(await (self.think() if person is None else self.ask(person)))

    def _person(self) -> SeatNumber | None:
        """The seat of the person who must decide now; None: it is the computer, or nobody."""
        seat = self.table.seat_on_turn
        return seat if seat is not None and self.table.setup.seats[seat].human else None

    def begin_race(self) -> None:
        """Set up the board; what happened before, if the table was taken up again, is told."""
        table = self.table
        self.marks = marked([(rig.name, rig.colour) for rig in table.rigs], self.driven)
        self.course = table.race.course
        chariot = None if self.eyes is None else table.chariot_of(self.eyes)
        lines: list[LogLine] = [(None, line, "") for line in self._opening()]
        for scene in scenes(table.race, chariot)[1:]:
            lines = told_after(lines, scene, self.marks)
        self.log_of_race.tell(lines)
        self.make_room()
        self.show_view(table.view(self.eyes))

    def _opening(self) -> list[str]:
        """What there is to know before the first turn; and to the sole person, which chariots are his."""
        lines = [words() for words in opening(self.table)]
        if self.eyes is not None:
            mine = " and ".join(f"the {rig.colour} chariot" for rig in self.table.rigs if rig.seat == self.eyes)
            lines.append(f"You are {self.table.setup.seats[self.eyes].name}, and drive {mine}.")
        return lines

    async def ask(self, seat: SeatNumber) -> Move:
        """What a person decides."""
        name = self.table.setup.seats[seat].name
        self._hasty_until = asyncio.get_running_loop().time() + HASTE if self.skip.is_set() else 0.0
        self.skip.clear()
        if self.shared and self.last_human != seat:
            self.hand.curtain(f"{name}, {CURTAINED.get(self.table.race.asks or 'turn', 'it is your turn')}")
            self.announce(f"{name}'s turn", call=True)
            self.keys.tell(CURTAIN)
            self._curtain = asyncio.get_running_loop().create_future()
            await self._curtain
            self._curtain = None
        self.last_human = seat
        view, *team = self._views(seat)
        self.show_view(view)
        self.announce_turn()
        question = await asyncio.to_thread(self._question, view, team)  # which may think about a suggestion
        self._decision = asyncio.get_running_loop().create_future()
        self.hand.ask(question, self._call(view, seat))
        self.on_hand_changed()
        move = await self._decision
        self._decision = None
        self.keys.tell(LOOKING_ON)
        self._rest("")
        return move

    def _views(self, seat: SeatNumber) -> list[View]:
        """What a player sees with each of his chariots that still race; the one that it is about is the first."""
        view = self.table.view(seat)
        mine = [i for i, rig in zip(self.table.race.grid, self.table.rigs, strict=True) if rig.seat == seat]
        others = [i for i in mine if i != view.chariot and view.chariots[i].status == "racing"]
        return [view, *(self.table.race.view(chariot) for chariot in others)]

    def _question(self, view: View, team: Sequence[View]) -> Prompt:
        """What is asked."""
        match view.asks:
            case "deck":
                return DeckChoice(view)
            case "sort":
                return Sorting(view, self.table.race.why_not)
            case "draw" | "lay":
                return PileChoice(view, self.table.race.why_not)
            case "vote":
                return Ballot(view, team, self.marks)
            case _:
                return Offers(view, team)

    def _call(self, view: View, seat: SeatNumber) -> str:
        """The words over a question: who is asked, about which of his chariots, and what."""
        words = ASKED[view.asks or "turn"]
        if view.asks == "vote" and view.voted_on is not None:
            told = view.chariots[view.voted_on]
            words = f"{words}: where does {told.name} go with its {told.open_card}?"
        elif self.team:
            words += f" ({view.me.name})"
        if view.asks == "turn":
            words += ": play one card" if view.plays else ": decide"
        return f"{self.table.setup.seats[seat].name}, {words}" if self.shared else words[0].upper() + words[1:]

    async def think(self) -> Move:
        """What the computer decides, or a riderless chariot does; it thinks beside the screen, not in front of it."""
        self.announce_turn()
        self.keys.tell(LOOKING_ON)
        chariot = self.table.race.turn
        assert chariot is not None
        riderless = self.table.rigs[chariot].seat is None
        verb = "votes" if self.table.race.asks == "vote" else "is on turn" if riderless else "is thinking"
        self._rest(f"{self.table.rigs[chariot].name} {verb}.")
        move = await aside(self.table.computers_move)
        self._rest("")
        return move

    def _rest(self, sentence: str) -> None:
        """Between the turns of people: the sole one keeps his hand before him, several see none."""
        self.hand.look_on([self.table.view(None)] if self.eyes is None else self._views(self.eyes), sentence)

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
        if not isinstance(move, Vote):  # which is told with what it decides
            self.log_of_race.tell(told_after(self.log_of_race.lines, scene_of(before, after, driven), self.marks))
        await self.drive_along(self.standing(before), before.chariots[mover].space, driven)
        self.show_view(after)
        self.announce_turn()
        if before.asks == "turn":
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
        self.hand.look_on([view], "")
        self.announce_turn()
        self.keys.tell(())
        many = len(table.stages) > 1
        title, shown, coming = "The games are over" if last and many else title_of(self.table), self.marks, ""
        seats = table.setup.seats
        people = [i for i, rig in enumerate(table.rigs) if rig.seat is not None and seats[rig.seat].human]
        grid = [EntryNumber(self.driven.index(table.race.names[chariot])) for chariot in table.race.driven]
        teams = standings([seat.name for seat in seats], [grid], [table.race]) if self.team else ()
        if not last:
            table.next_race()
            await self.save()
            course = table.race.course
            coming = f"Next: {course.name} {course.direction}. Grid: {grid_of(self.table)}."
        await self.app.push_screen_wait(
            Result(
                title,
                view,
                shown,
                record,
                people=people,
                people_seats=[seat for seat, who in enumerate(seats) if who.human],
                standings=table.standings if many or self.team else (),
                teams=teams,
                seats=self.seat_marks,
                coming=coming,
                last=last,
                crown=last and many,
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
        """On the bar: who is to do what."""
        table, seat = self.table, self.table.seat_on_turn
        if table.race.turn is None:
            self.announce("The race is over")
        elif seat is None:
            self.announce(f"{table.rigs[table.race.turn].name} moves")
        elif not table.setup.seats[seat].human:
            self.announce(f"{table.setup.seats[seat].name} {'votes' if table.race.asks == 'vote' else 'thinks'} …")
        elif self.shared:
            self.announce(f"{table.setup.seats[seat].name}'s turn", call=True)
        else:
            words = ASKED[table.race.asks or "turn"]
            which = f": {table.rigs[table.race.turn].name}" if self.team and table.race.asks != "vote" else ""
            self.announce(words[0].upper() + words[1:] + which, call=True)

    def announce(self, words: str, *, call: bool = False) -> None:
        """The bar on top."""
        title = title_of(self.table) if self.size.width >= 100 else title_of(self.table).rpartition(",")[0]
        self.bar(f"AVE CAESAR  {title}, turn {narration.turn_number(self.table.race.view())}", words, call=call)

    def mark_targets(self) -> None:
        """Show on the board where the chosen card leads, and the way of the chosen move."""
        question = self.hand.question
        if question is None:
            return
        play = play_of(question.chosen)
        driven: tuple[int, ...] = ()
        if play is not None:
            driven = way(question.view, play)
            driven = driven[:-1] if play.to == "home" else driven
        chosen = None if play is None else play.to
        self.board.show(targets=question.targets, home=question.home, chosen=chosen, trail=driven)

    # ------------------------------------------------------------------ keys and mouse

    def on_key(self, event: events.Key) -> None:
        """Keys answer a question; while chariots move, any key skips."""
        if self._decision is None:
            if self._curtain is None:
                self.skip.set()
            return
        complaint = self.hand.press((event.character or "").lower() if event.is_printable else event.key)
        if complaint:
            self.notify(complaint, timeout=2, markup=False)

    def on_hand_changed(self) -> None:
        """Another answer is chosen: where it leads, and which keys do something now."""
        self.mark_targets()
        if (question := self.hand.question) is not None:
            idle = ["screen.play"] * (question.chosen is None) + ["screen.rule"] * (not question.refusals)
            self.keys.tell((*question.keys, HINT, *ALWAYS), idle)

    def on_hand_played(self) -> None:
        """Clicked twice."""
        self.action_play()

    def on_board_widget_clicked(self, event: BoardWidget.Clicked) -> None:
        """A space was clicked: choose it, or play if it was chosen."""
        question = self.hand.question
        if question is None:
            return
        if question.choose_space(event.space):
            self.hand.refresh()
            self.mark_targets()
        else:
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
            self.app.bell()  # the reason stands on the panel

    def action_help(self) -> None:
        """The game on a page."""
        self.app.push_screen(Help())

    def action_rule(self) -> None:
        """The clause behind a refusal."""
        if self.hand.question is None:
            return
        if refused := self.hand.question.refusals:
            self.app.push_screen(Clauses(refused))
        else:
            self.notify("There is nothing that you may not choose.", timeout=2)

    def action_hint(self) -> None:
        """Ask for a hint, or put it away."""
        if not self.asking or self.hand.question is None:
            return
        if self.hand.hint is None:
            self.run_worker(self._hint(self.hand.question), group="hint", exclusive=True)
        else:
            self.workers.cancel_group(self, "hint")
            self.hand.tell_hint(None)

    async def _hint(self, question: Prompt) -> None:
        """What our best driver would do here; it is chosen, unless somebody has chosen something else meanwhile."""
        before = question.chosen
        self.hand.tell_hint(())
        hint = await aside(lambda: consider(question.view))
        if self.hand.question is not question:
            return
        if question.chosen == before:
            question.choose(hint[0].move)
        self.hand.tell_hint(hint)
        self.on_hand_changed()

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
