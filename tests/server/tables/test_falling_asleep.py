"""Tables fall asleep: once however many want it, never while somebody has woken them, and nothing of them is left."""

from __future__ import annotations

import asyncio
import gc
import logging
import weakref
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from avecaesar.server.fairness import Asker, on_behalf_of
from avecaesar.server.ready import Room
from avecaesar.server.tables import waking
from avecaesar.server.tables.house import NAP
from avecaesar.server.tables.running import RunningTable
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person, settle
from seat_numbers import FIRST


class Closings:
    """Tables that fall asleep one after the other, each when it is let."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(waking, "CLOSED_AT_ONCE", 1)
        self.begun: list[RunningTable] = []
        self.may_end = asyncio.Event()
        close = RunningTable.close

        async def slowly(table: RunningTable) -> None:
            self.begun.append(table)
            await self.may_end.wait()
            await close(table)

        monkeypatch.setattr(RunningTable, "close", slowly)


def test_two_naps_at_once_are_one_and_visitors_find_their_tables(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = house.server
    tables = [house.lay("here", "here", key=person()).table for _ in range(4)]
    *awake, asleep = tables
    house.run(server.waking.nap())
    monkeypatch.setattr(waking, "MOST_AWAKE", len(awake))
    closings = Closings(monkeypatch)

    async def come() -> msg.Whole:
        with on_behalf_of(Asker("192.0.2.1", "somebody")):
            return await server.shown(asleep, [])

    async def crowd() -> None:
        for table in awake:
            await server.shown(table, [])
        naps = [asyncio.create_task(server.waking.nap()), asyncio.create_task(come())]
        await settle()
        naps.append(asyncio.create_task(server.waking.nap()))
        await settle()
        assert len(closings.begun) == 1
        closings.may_end.set()
        await asyncio.gather(*naps)
        assert len(closings.begun) == len(set(closings.begun)) == len(awake)
        assert set(server.waking.awake) == {asleep}

    house.run(crowd())


def test_a_table_that_is_woken_anew_during_a_nap_stays_awake(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    server = house.server
    first, second = (house.lay("here", "here", key=person()).table for _ in range(2))
    closings = Closings(monkeypatch)

    async def wake() -> None:
        nap = asyncio.create_task(server.waking.nap())
        await settle()
        assert closings.begun
        assert first not in server.waking.awake
        old = server.waking.awake.pop(second)  # as whoever erases a table or retires it does
        await server.shown(second, [])
        anew = house.running(second)
        closings.may_end.set()
        await nap
        assert house.running(second) is anew is not old
        await old.close()

    house.run(wake())


def test_a_table_does_not_fall_asleep_while_a_command_waits_that_it_has_taken(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though whoever has sent it is gone by then."""
    livia = person()
    table = house.lay("here", "here", key=livia).table
    looked = asyncio.Event()

    async def look(room: object) -> bool:
        await looked.wait()
        return False

    monkeypatch.setattr(Room, "is_short", look)

    async def leave() -> None:
        guest = await Guest.at(house.server, table, livia)
        running = house.running(table)
        command = msg.Dress(id="dress-1", seat=FIRST, name="Livia II", colour="red")
        sent = asyncio.create_task(running.command(guest.connection.who, command))
        await settle()
        sent.cancel()
        guest.leave()
        await settle()
        was_idle = running.idle
        looked.set()
        while running.state.chairs[FIRST].name != "Livia II":
            await asyncio.sleep(0)
        await settle()
        assert (was_idle, running.idle) == (False, True)

    house.run(leave())


def test_whoever_puts_tables_to_sleep_survives_a_failure(
    house: Harness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    house.lay("here", "here", key=person())
    close = RunningTable.close

    async def broken(table: RunningTable) -> None:
        await close(table)
        raise RuntimeError("out of order")

    monkeypatch.setattr(RunningTable, "close", broken)
    with caplog.at_level(logging.ERROR):
        house.run(house.time.pass_by(NAP))
    assert "idle tables cannot be put to sleep" in caplog.text
    monkeypatch.setattr(RunningTable, "close", close)
    house.lay("here", "here", key=person())
    house.run(house.time.pass_by(NAP))
    assert not house.server.waking.awake


def test_many_tables_fall_asleep_side_by_side(house: Harness) -> None:
    for _ in range(50):
        house.lay("here", "here", key=person())
    rounds = 0

    async def count() -> None:
        nonlocal rounds
        nap = asyncio.create_task(house.server.waking.nap())
        while not nap.done():
            rounds += 1
            await asyncio.sleep(0)

    house.run(count())
    assert not house.server.waking.awake
    assert rounds < 20


@contextmanager
def no_collector() -> Iterator[None]:
    """Garbage goes by reference counting alone."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def test_a_table_that_falls_asleep_is_gone_at_once(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia, away=None).table

    async def sit() -> None:
        guest = await Guest.at(house.server, table, livia)
        watcher = await Guest.at(house.server, table)
        await guest.begin()
        await guest.move()
        await guest.move()
        await guest.do("pause")
        guest.leave()
        watcher.leave()
        await settle()

    with no_collector():
        house.run(sit())
        running, state = (weakref.ref(each) for each in (house.running(table), house.running(table).state))
        house.run(house.server.waking.nap())
        house.run(settle())
        assert table not in house.server.waking.awake
        assert running() is None
        assert state() is None


def test_a_table_that_is_woken_and_falls_asleep_again_leaves_nothing(house: Harness) -> None:
    table = house.lay("here", "here", key=person()).table
    house.run(house.server.waking.nap())
    with no_collector():
        for _ in range(3):
            house.run(house.server.shown(table, []))
            running, state = (weakref.ref(each) for each in (house.running(table), house.running(table).state))
            house.run(house.server.waking.nap())
            house.run(settle())
            assert running() is None
            assert state() is None


def test_a_table_that_is_erased_is_gone_when_its_last_guest_is(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "here", key=livia).table
    with no_collector():
        guest = house.run(Guest.at(house.server, table, livia))
        running = weakref.ref(house.running(table))
        house.run(house.server.erase(table))
        assert running() is not None
        house.run(guest.until(lambda one: "None" in one.answers))  # he hears why
        guest.leave()
        del guest
        house.run(settle())
        assert running() is None
