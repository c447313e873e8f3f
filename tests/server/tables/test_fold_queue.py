"""Long logs are folded by turns: nobody waits for the end of one that is somebody else's."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from avecaesar.server.fairness import Asker, on_behalf_of
from avecaesar.server.store.database import Store
from avecaesar.server.tables import fold_queue
from avecaesar.server.tables.fold_queue import A_SLICE, A_STEP, FoldQueue
from avecaesar.server.tables.state import TableState
from avecaesar.server.tables.waking import FOLDS_AT_ONCE
from avecaesar.server.wire import messages as msg
from harness import Harness, person, settle

STEPS = round(A_SLICE / A_STEP)  # of a turn
STORM, HOME = Asker("192.0.2.1", "storm"), Asker("198.51.100.9", "home")


class Office:
    """A queue, and which work takes its steps when."""

    def __init__(self) -> None:
        self.queue = FoldQueue(FOLDS_AT_ONCE)
        self.done: list[str] = []
        self.most = self.at_work = 0

    async def work(self, name: str, asker: Asker, steps: int) -> None:
        async with self.queue.take(name, [asker], steps * A_STEP) as turn:
            for _ in range(steps):
                self.done.append(name)
                await turn.step()

    def before(self, name: str, other: str) -> int:
        """How many steps of another work were taken before the first of this one."""
        return self.done[: self.done.index(name)].count(other)


def test_what_takes_long_lets_others_have_their_turns() -> None:
    office = Office()

    async def play() -> None:
        long = [asyncio.create_task(office.work(name, STORM, 20 * STEPS)) for name in ("long", "longer")]
        await settle()
        assert set(office.done) == {"long", "longer"}
        short = asyncio.create_task(office.work("short", HOME, 5))
        await asyncio.gather(*long, short)

    asyncio.run(play())
    assert max(office.before("short", name) for name in ("long", "longer")) <= 2 * STEPS


def test_who_has_had_many_turns_comes_after_somebody_else_at_every_one() -> None:
    """It is paid for turn by turn, so of two who ask for as much each has half of what there is, all the time."""
    office = Office()

    async def play() -> None:
        storm = [asyncio.create_task(office.work(f"storm {number}", STORM, 10 * STEPS)) for number in range(4)]
        home = [asyncio.create_task(office.work("home", HOME, 10 * STEPS))]
        await asyncio.gather(*storm, *home)

    asyncio.run(play())
    last = len(office.done) - office.done[::-1].index("home")
    assert last <= (20 + 2 * FOLDS_AT_ONCE) * STEPS


def test_whoever_joins_work_that_is_under_way_has_its_next_turns_on_his_account() -> None:
    office = Office()

    async def play() -> None:
        storm = [asyncio.create_task(office.work(f"storm {number}", STORM, 10 * STEPS)) for number in range(8)]
        while "storm 1" not in office.done:
            await asyncio.sleep(0)
        office.queue.join("storm 1", HOME)
        await asyncio.gather(*storm)

    asyncio.run(play())
    assert office.done.index("storm 2") > 0
    last = len(office.done) - office.done[::-1].index("storm 1")
    assert last <= (20 + 2 * FOLDS_AT_ONCE) * STEPS


def test_whoever_goes_while_he_waits_for_his_next_turn_leaves_no_place_taken() -> None:
    office = Office()

    async def play() -> None:
        long = [asyncio.create_task(office.work(f"long {number}", STORM, 20 * STEPS)) for number in range(3)]
        while "long 2" not in office.done:  # so one of the others waits
            await asyncio.sleep(0)
        for task in long:
            task.cancel()
        await asyncio.gather(*long, return_exceptions=True)
        await asyncio.gather(*(office.work(f"after {number}", HOME, 2 * STEPS) for number in range(3)))
        assert (len(office.queue), office.queue._called, office.queue._free) == (0, {}, FOLDS_AT_ONCE)

    asyncio.run(play())


def test_a_small_table_wakes_while_long_logs_are_folded(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fold_queue, "A_SLICE", 20 * A_STEP)
    tables = []
    for many in (*[80] * FOLDS_AT_ONCE, 2):
        livia = person()
        tables.append(house.lay("here", "here", key=livia).table)
        for number in range(many):
            house.run(house.server.command(tables[-1], msg.Say(id=f"s{number}", phrase="ave"), [livia]))
    logs = [house.run(house.server.store.log(table)) for table in tables]
    applied: list[str] = []
    apply = TableState.apply

    def noting(state: TableState, *args: Any) -> None:
        applied.append(state.id)
        apply(state, *args)

    monkeypatch.setattr(TableState, "apply", noting)

    async def fold(number: int, asker: Asker) -> None:
        with on_behalf_of(asker):
            await house.server.waking.folded(tables[number], logs[number])

    async def wake() -> None:
        long = [asyncio.create_task(fold(number, STORM)) for number in range(FOLDS_AT_ONCE)]
        while not set(tables[:-1]) <= set(applied):
            await asyncio.sleep(0)
        await fold(-1, HOME)
        assert not any(task.done() for task in long)
        await asyncio.gather(*long)

    house.run(wake())
    assert max(applied.index(tables[-1]) - applied.index(table) for table in tables[:-1]) <= 3 * FOLDS_AT_ONCE * 20


def test_forgetting_has_let_go_of_its_turn_when_it_writes(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    livia = person()
    table = house.lay("here", "here", key=livia).table
    house.run(house.server.command(table, msg.Say(id="s", text="Ave"), [livia]))
    append = Store.append
    free: list[int] = []

    async def noting(store: Store, *args: Any, **more: Any) -> None:
        free.append(house.server.waking.queue._free)
        await append(store, *args, **more)

    monkeypatch.setattr(Store, "append", noting)
    assert house.run(house.server.forget([livia])).tables == 1
    assert free == [FOLDS_AT_ONCE]


def test_forgetting_waits_for_the_table_without_a_turn(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "here", key=livia).table

    async def forget() -> None:
        async with house.running(table).lock:
            forgetting = asyncio.create_task(house.server.forget([livia]))
            while not house.running(table)._tasks:
                await asyncio.sleep(0)
            await settle()
            assert house.server.waking.queue._free == FOLDS_AT_ONCE
        assert (await forgetting).tables == 1

    house.run(forget())
