"""When a driver's move comes, and how long the messages are, tells nobody what he holds.

A race is run twice, the second time with other cards wherever one seat cannot see them, while a driver thinks. Frames
are taken as sockets are sent them, in every language; moves by the moment at which they come, by a clock that is set by
hand, though the drivers here think longer or shorter by what they hold. (SIX-5's exception apart, as everywhere.)
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from avecaesar.drivers import Scorpus
from avecaesar.game import Move, View
from avecaesar.game.numbers import SeatNumber
from avecaesar.server.tables.driving import TICK
from avecaesar.server.tables.house import Connection, House, hashed, new_key
from avecaesar.server.tables.running import RunningTable
from avecaesar.server.wire import messages as msg
from avecaesar.server.workers.budgets import A_MOMENT
from avecaesar.speech import LANGUAGES as SPOKEN
from disguises import disguised, tied_exception_may_speak
from inprocess import ENDLESS_QUOTAS, Hours, OnLoop, QuickThinkers, quick_store, repeatable
from seat_numbers import FIRST
from tables_by_chance import HOUSES, chariots_of

LANGUAGES = tuple(SPOKEN)
MOVES = 25  # of a race that are looked at
Who = Literal["driver", "stand-in", "clock"]
Thinks = Callable[[View], float]


def by_hand(most: float) -> Thinks:
    """Up to so many seconds, by the cards in hand and how many of them can be played."""

    def thinks(view: View) -> float:
        told = f"{view.hand} {view.undrawn} {view.piles} {len(view.legal_moves)}"
        return 0.0 if len(view.legal_moves) == 1 else random.Random(told).uniform(0.0, most)

    return thinks


class Thoughtful(QuickThinkers):
    """Drivers who think for as long as their hand wills, by the hand-set clock; workers who are not always free."""

    def __init__(self, hours: Hours, thinks: Thinks, busy: float) -> None:
        super().__init__(random.Random(0))
        self._hours, self._thinks, self._busy = hours, thinks, busy
        self.thought: list[float] = []

    async def choose(self, name: str, view: View, begins: Callable[[], None] = lambda: None) -> Move:
        if self._busy:
            await self._hours.sleep(self._busy)
        begins()
        self.thought.append(self._thinks(view))
        await self._hours.sleep(self.thought[-1])
        return Scorpus(1).choose(view)


@dataclass
class Told:
    """What seat 0 and those beside it learn of a race, and what they do not."""

    frames: list[bytes] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)  # seconds after which each came
    thought: list[float] = field(default_factory=list)


class Observed:
    """A race at a table of its own, with people in seat 0 and beside it who read one language after the other."""

    def __init__(self, folder: Path, thinks: Thinks, busy: float, disguise: bool) -> None:
        chance = random.Random(0)
        self.hours, self.disguise, self.told = Hours(), disguise, Told()
        self.loop: Any = asyncio.get_running_loop()
        self.loop.set_default_executor(OnLoop(chance))
        self.thinkers = Thoughtful(self.hours, thinks, busy)
        folder.mkdir()
        store, hours = quick_store(folder / "race.db", chance), self.hours
        self.house = House(store, self.thinkers, hours.clock, hours.sleep, hours.steady, quotas=ENDLESS_QUOTAS)
        self.running: RunningTable
        self.heard: list[Connection] = []

    async def run(self, who: Who, driver: str, wanted: dict[str, Any]) -> Told:
        await self.house.store.open()
        await self.house.open()
        try:
            await self._lay(who, driver, dict(wanted))
            for number in range(MOVES):
                if self.running.state.phase != "racing":
                    break
                await (self._move(number) if self.running.state.on_turn == 0 else self._wait_for_move(number))
                await self._listen()
        finally:
            await self.house.close()
            await self.house.store.close()
            await self.thinkers.close()
        self.told.thought = self.thinkers.thought
        return self.told

    async def _lay(self, who: Who, driver: str, wanted: dict[str, Any]) -> None:
        own, others = new_key("s"), new_key("s")
        away = msg.SeatPlan(kind="friend") if who != "driver" else msg.SeatPlan(kind="driver", driver=driver)
        seats = (msg.SeatPlan(kind="here"), *[away] * (wanted.pop("players") - 1))
        waits: dict[str, Any] = {"away": 5 if who == "stand-in" else None, "clock": 5 if who == "clock" else None}
        laid = await self.house.lay(msg.NewTable(seats=seats, open=True, **waits, **wanted), own)
        for seat in range(1, len(seats) if who != "driver" else 1):
            await self.house.sit(laid.table, msg.Sit(seat=SeatNumber(seat)), [others])
        self.running, self.own = self.house.waking.awake[laid.table], own
        self.heard = [await self.house.connect(laid.table, [own]), await self.house.connect(laid.table, [])]
        await self._command(msg.Begin(id="begin", at=self.running.state.changed))
        await self._listen()

    async def _command(self, command: msg.Logged) -> None:
        await self.running.command(await self.running.rights.of([hashed(self.own)]), command)

    async def _move(self, number: int) -> None:
        """The person in seat 0 moves, by what he sees."""
        state = self.running.state
        move = Scorpus(1).choose(state.game_table.view(0))
        await self._command(msg.MakeMove(id=f"move-{number}", at=state.changed, seat=FIRST, move=move))

    async def _wait_for_move(self, number: int) -> None:
        """Somebody who is not here moves; the second time with other cards, until the moment at which it is seen."""
        state = self.running.state
        for connection in self.heard:
            connection.language = LANGUAGES[number % len(LANGUAGES)]
        races = state.game_table._games.races
        race, own, seat = races[-1], chariots_of(state, 0), state.on_turn
        true = race.legal_moves[0] if seat is None else Scorpus(1).choose(state.game_table.view(seat))
        if self.disguise and not any(tied_exception_may_speak(race, chariot) for chariot in own):
            races[-1] = disguised(race, own[0], random.Random(number), own)
        begun, drive, moved = self.hours.passed, self.running.driving._drive, asyncio.Event()

        async def driving(at: int, seat: SeatNumber | None, move: Move, by: Any) -> None:
            self.told.moves.append(self.hours.passed - begun)
            races[-1] = race
            await drive(at, seat, true, by)
            moved.set()

        self.running.driving._drive = driving  # type: ignore[method-assign]
        self.running.wake.set()  # whoever thinks sees the cards as they are now
        await self._settle()
        self.running.announcing.announce()
        await self._listen()
        while not moved.is_set():
            self.hours.pass_by(self.hours.soonest)
            await self._settle()
        self.running.driving._drive = drive  # type: ignore[method-assign]

    async def _listen(self) -> None:
        await self._settle()
        for connection in self.heard:
            while connection._behind or connection._waiting:
                self.told.frames.append(await connection.next())
        who = await self.running.rights.of([hashed(self.own)])
        self.told.frames.append(msgspec.json.encode(await self.running.whole(who)))  # as HTTP has it

    async def _settle(self) -> None:
        await asyncio.sleep(0)
        while self.loop._ready:
            await asyncio.sleep(0)


def observed(
    folder: Path,
    wanted: dict[str, Any],
    thinks: Thinks,
    *,
    who: Who = "driver",
    driver: str = "scorpus",
    busy: float = 0,
) -> tuple[Told, Told]:
    """The same race twice, the second time with other cards wherever seat 0 cannot see them."""

    async def run(disguise: bool) -> Told:
        return await Observed(folder / str(disguise), thinks, busy, disguise).run(who, driver, wanted)

    told = []
    for disguise in (False, True):
        with repeatable("the same cards"), asyncio.Runner() as runner:
            told.append(runner.run(run(disguise)))
    return told[0], told[1]


def need_alike(one: Told, other: Told) -> None:
    assert one.moves
    assert one.thought != other.thought  # or nothing was tried
    assert one.moves == other.moves
    assert [len(frame) for frame in one.frames] == [len(frame) for frame in other.frames]
    assert one.frames == other.frames


@pytest.mark.parametrize("house", HOUSES)
def test_frames_and_moves_come_alike_whatever_a_driver_holds(tmp_path: Path, house: str) -> None:
    need_alike(*observed(tmp_path, {**HOUSES[house], "pace": 0}, by_hand(TICK * 0.9)))


@pytest.mark.parametrize("who", ["driver", "stand-in", "clock"])
@pytest.mark.parametrize("pace", [0, 700])
def test_whoever_drives_for_somebody_moves_when_he_would_with_any_hand(tmp_path: Path, who: Who, pace: int) -> None:
    wanted = {**HOUSES["ravensburger"], "pace": pace}
    one, other = observed(tmp_path, wanted, by_hand(max(pace / 1000, TICK) * 0.9), who=who)
    need_alike(one, other)
    assert {round(seconds - {"driver": 0, "stand-in": 0, "clock": 5}[who], 6) for seconds in one.moves} <= {
        max(pace / 1000, TICK),
        *([5 + max(pace / 1000, TICK)] if who == "stand-in" else []),  # the first time he is waited for
    }


@pytest.mark.parametrize("busy", [0.0, 0.3, 3.0])
def test_a_searcher_takes_all_the_time_that_she_has_even_where_she_has_no_choice(tmp_path: Path, busy: float) -> None:
    """Also when she had to wait for a worker, which others can bring about."""
    wanted = {**HOUSES["ravensburger"], "pace": 0}
    one, other = observed(tmp_path, wanted, by_hand(2.05), driver="sibylla@2s", busy=busy)
    need_alike(one, other)
    assert {round(seconds, 6) for seconds in one.moves} == {busy + 2 + A_MOMENT}


def test_whoever_takes_longer_than_he_has_is_heard_at_the_next_tick(tmp_path: Path) -> None:
    wanted = {**HOUSES["ravensburger"], "pace": 0}
    one, _ = observed(tmp_path, wanted, by_hand(TICK * 5))
    ticks = [seconds / TICK for seconds in one.moves]
    assert ticks == pytest.approx([round(tick) for tick in ticks])
    assert {round(tick) for tick in ticks} == {1, 2, 3, 4, 5}
