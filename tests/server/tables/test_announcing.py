"""Telling how a table stands: it goes on whatever fails, and all tables together take one step at a time."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from itertools import pairwise

import pytest

from avecaesar.server.tables.announcing import A_CROWD, ROUNDS, Announcing
from avecaesar.server.wire import messages as msg
from avecaesar.speech import LANGUAGES, speaking
from harness import Guest, Harness, person, settle


def test_one_failure_does_not_end_telling_who_comes_and_goes(
    house: Harness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    livia = person()
    table = house.lay("here", "friend", key=livia).table
    tell = Announcing._tell_some

    def broken(announcing: Announcing) -> None:
        raise RuntimeError("out of order")

    async def crowd() -> None:
        guest = await Guest.at(house.server, table, livia)
        await settle()
        watchers = [await Guest.at(house.server, table)]  # of whom it is told later
        monkeypatch.setattr(Announcing, "_tell_some", broken)
        await house.time.pass_by(A_CROWD)
        assert "could be told who is there" in caplog.text
        monkeypatch.setattr(Announcing, "_tell_some", tell)
        watchers.append(await Guest.at(house.server, table))
        await house.time.pass_by(A_CROWD)
        await guest.until(lambda one: one.table["watchers"] == len(watchers))

    with caplog.at_level(logging.ERROR):
        house.run(crowd())


def test_crowds_at_many_tables_are_told_one_table_at_a_step(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: Counter[int] = Counter()  # how many tables tell those who were not told at once, by step of the event loop
    step, tell = 0, Announcing._tell_some

    def noting(announcing: Announcing) -> None:
        task = asyncio.current_task()
        steps[step] += task is not None and task in house.running(announcing._state.id)._running
        tell(announcing)

    async def count_steps() -> None:
        nonlocal step
        while True:
            step += 1
            await asyncio.sleep(0)

    async def crowd(keys: list[str]) -> tuple[str, list[Guest]]:
        seats = [msg.SeatPlan(kind=kind) for kind in ("here", "friend", "friend", "friend")]
        table = (await house.server.lay(msg.NewTable(seats=tuple(seats), open=True), keys[0])).table
        for key in keys[1:]:
            await house.server.sit(table, msg.Sit(), [key])
        guests = []
        for key in keys:
            for language in LANGUAGES:
                with speaking(language):
                    guests.append(await Guest.at(house.server, table, key))
        return table, guests

    async def play() -> None:
        crowds = [await crowd([person() for _ in range(4)]) for _ in range(4)]
        await house.time.pass_by(A_CROWD)
        monkeypatch.setattr(Announcing, "_tell_some", noting)
        counting = asyncio.create_task(count_steps())
        for table, guests in crowds:
            for guest in guests:
                guest.connection._waiting.clear()
            house.running(table).announcing.announce()
        await settle()
        counting.cancel()
        assert all(len(guest.connection._waiting) == 1 for _, guests in crowds for guest in guests)

    house.run(play())
    assert sum(steps.values()) >= 4
    assert max(steps.values()) == 1
    told = sorted(number for number, many in steps.items() if many)
    assert min(later - sooner for sooner, later in pairwise(told)) >= ROUNDS
