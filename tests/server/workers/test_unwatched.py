"""Tables that nobody watches think slowly, and who wants the same waits for the same errand."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from avecaesar.server.fairness import Asker, Urgency, on_behalf_of
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables.driving import UNWATCHED_PACE
from avecaesar.server.tables.presence import LOOK
from avecaesar.server.tables.running import RunningTable
from avecaesar.server.wire import messages as msg
from busy_workers import hold_up
from harness import Guest, Harness, person, settle

# ---------------------------------------------------------------------- tables that nobody watches


class Pulse:
    """Counts a table's moves, and knows when its driver has begun to take his time."""

    def __init__(self, running: RunningTable) -> None:
        self.moves, self.slow = 0, asyncio.Queue[None]()
        self._moved = asyncio.Event()
        drive, sleep = running.driving._drive, running.sleep

        async def driving(*decided: Any) -> None:
            await drive(*decided)
            self.moves += 1
            self._moved.set()

        async def sleeping(seconds: float) -> None:
            if seconds == UNWATCHED_PACE:
                self.slow.put_nowait(None)
            await sleep(seconds)

        running.driving._drive, running.sleep = driving, sleeping  # type: ignore[assignment, method-assign]

    async def until(self, moves: int) -> None:
        while self.moves < moves:
            self._moved.clear()
            await self._moved.wait()


def test_drivers_whom_nobody_watches_take_their_time_until_somebody_comes(house: Harness) -> None:
    livia = person()
    table = house.lay("scorpus", "festina", "bibulus", key=livia).table

    async def play() -> None:
        running = house.running(table)
        pulse = Pulse(running)
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        guest.leave()
        assert running.presence.watched  # for a while yet: he may only be loading the page anew
        await house.time.pass_by(LOOK)
        assert not running.presence.watched
        await pulse.slow.get()
        before = pulse.moves
        for number in range(1, 4):
            await house.time.pass_by(UNWATCHED_PACE - 0.5)
            assert pulse.moves == before + number - 1
            await house.time.pass_by(0.5)
            await pulse.until(before + number)
            await pulse.slow.get()
        guest = await Guest.at(house.server, table, livia)
        await guest.until(lambda guest: guest.table["phase"] == "over")  # and no time passes

    house.run(play())


def test_after_a_restart_all_tables_that_nobody_watches_have_one_account_of_the_lowest_priority(house: Harness) -> None:
    livia = person()
    tables = [house.lay("scorpus", "festina", "bibulus", key=livia).table for _ in range(3)]

    async def begin() -> None:
        for table in tables:
            guest = await Guest.at(house.server, table, livia)
            await house.server.command(table, msg.Begin(id="begin", at=guest.table["changed"]), [livia])
            guest.leave()

    house.run(begin())
    house.restart()
    for table in tables:
        assert list(house.running(table).presence.askers) == [Asker("", table, Urgency.UNWATCHED)]


def test_a_table_thinks_on_the_account_of_those_who_sit_there_and_else_of_those_who_look_on(house: Harness) -> None:
    livia, marcus = person(), person()
    table = house.lay("here", "friend", "scorpus", key=livia).table

    async def play() -> None:
        running = house.running(table)
        with on_behalf_of(Asker("storm", "crowd")):
            await house.server.shown(table, [marcus])
            assert [asker[0] for asker in running.presence.askers] == ["storm"]
            await Guest.at(house.server, table, marcus)
        assert next((asker.address, asker.urgency) for asker in running.presence.askers) == ("storm", Urgency.ASKED)
        with on_behalf_of(Asker("home", "livia")):
            guest = await Guest.at(house.server, table, livia)
        assert [(asker.address, asker.urgency) for asker in running.presence.askers] == [("home", Urgency.SEATED)]
        guest.leave()
        with on_behalf_of(Asker("storm", "crowd")):
            await house.server.shown(table, [marcus])  # who passes by does not take the account over
        assert [asker.urgency for asker in running.presence.askers] == [Urgency.SEATED]

    house.run(play())


# ---------------------------------------------------------------------- one thing at a time


def test_who_wants_the_same_waits_for_the_same_errand_and_it_is_done_for_whoever_stays(
    house: Harness, tmp_path: Path
) -> None:
    pipe, log = tmp_path / "held", tmp_path / "log"
    os.mkfifo(pipe)

    async def play() -> None:
        thinkers = house.thinkers
        with on_behalf_of(Asker("home", "livia")):
            first = asyncio.create_task(thinkers.call(write_down, str(pipe), str(log), key="same", alone=True))
            await asyncio.sleep(0)
            same = asyncio.create_task(thinkers.call(write_down, str(pipe), str(log), key="same", alone=True))
            await asyncio.sleep(0)
            with pytest.raises(RefusedError, match="one thing at a time") as told:
                await thinkers.call(max, 1, 2, alone=True)
            assert told.value.status == 429
            assert await thinkers.call(max, 1, 2, takes=0) == 2  # what a page loads besides
        writing = await asyncio.to_thread(pipe.open, "w")
        first.cancel()
        await settle()
        writing.close()
        assert await same == "done"
        assert log.read_text() == "done"
        with on_behalf_of(Asker("home", "livia")):
            assert await thinkers.call(max, 1, 2, alone=True) == 2

    house.run(play())


def write_down(pipe: str, log: str) -> str:
    hold_up(pipe)
    with Path(log).open("a") as file:
        file.write("done")
    return "done"


def test_long_work_that_nobody_wants_any_more_is_stopped_and_short_work_left_to_end(
    house: Harness, tmp_path: Path
) -> None:
    pipe = tmp_path / "held"
    os.mkfifo(pipe)

    async def play() -> None:
        thinkers = house.thinkers
        long = asyncio.create_task(thinkers.call(hold_up, str(pipe)))
        held = await asyncio.to_thread(os.open, pipe, os.O_WRONLY)
        processes = {worker.process.pid for worker in thinkers._workers}
        long.cancel()
        assert await thinkers.call(max, 1, 2) == 2  # which needs the only place for long work
        replaced = {worker.process.pid for worker in thinkers._workers}
        assert len(processes & replaced) == 1
        os.close(held)
        short = asyncio.create_task(thinkers.call(hold_up, str(pipe), takes=0))
        held = await asyncio.to_thread(os.open, pipe, os.O_WRONLY)
        short.cancel()
        assert await thinkers.call(max, 1, 2, takes=0) == 2
        os.close(held)
        assert {worker.process.pid for worker in thinkers._workers} == replaced

    house.run(play())
