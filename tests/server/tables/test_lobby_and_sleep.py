"""What the lobby tells of tables, and how they sleep, wake and close."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import msgspec
import pytest

from avecaesar.game import Race
from avecaesar.server.store.database import Store
from avecaesar.server.store.shapes import Listing, LogEntry
from avecaesar.server.tables import events as e
from avecaesar.server.tables.house import NAP, hashed
from avecaesar.server.tables.listing import listing_of
from avecaesar.server.tables.running import RunningTable
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from avecaesar.speech import speaking
from avecaesar.telling import narration
from harness import SHORT, Guest, Harness, by_whom, on_turn, person, refused, settle
from seat_numbers import FIRST


def test_the_lobby_lists_open_tables_and_ones_own(house: Harness) -> None:
    livia, marcus = person(), person()
    shut = house.lay("here", "scorpus", key=livia, title="Behind doors").table
    wide = house.lay("here", "friend", "scorpus", key=livia, title="Come in", open=True, options=SHORT).table

    async def play() -> None:
        lobby = await house.server.lobby([])
        assert [(one.table, one.free, one.yours, one.host) for one in lobby.open] == [(wide, 1, [], False)]
        assert lobby.mine == []
        mine = (await house.server.lobby([livia])).mine
        assert {(one.table, one.title) for one in mine} == {(shut, "Behind doors"), (wide, "Come in")}
        await house.server.sit(wide, msg.Sit(name="Marcus"), [marcus])
        guest = await Guest.at(house.server, wide, livia)
        await guest.begin()
        while on_turn(guest) != 1:
            await guest.move()
        listed = (await house.server.lobby([marcus])).mine
        assert listed[0].your_turn
        assert (listed[0].phase, listed[0].free, listed[0].yours) == ("racing", 0, [1])
        assert [one.name for one in listed[0].seats][1] == "Marcus"
        await guest.do("appoint", seat=1, driver="festina")
        await guest.race()
        assert (await house.server.lobby([])).open == []  # what is over is not listed any more
        assert [one.table for one in (await house.server.lobby([marcus])).mine] == []

    house.run(play())


def test_the_lobby_knows_how_a_table_stands_with_the_very_event_that_changes_it(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia, marcus = person(), person()
    table = house.lay("here", "friend", "scorpus", key=livia, options=SHORT, open=True).table
    append, go_on_with = Store.append, RunningTable._go_on_with
    wrote, listings = list[int](), list[tuple[Listing, Listing]]()

    async def appending(store: Store, name: str, entries: Sequence[LogEntry], *rest: Any, **more: Any) -> None:
        await append(store, name, entries, *rest, **more)
        wrote.append(len(entries))

    def looking(running: RunningTable, state: TableState, happened: Sequence[e.AnyEvent]) -> None:
        with closing(sqlite3.connect(house.url.removeprefix("sqlite:///"))) as database:
            listed, goes_on, summary = database.execute("SELECT listed, live, summary FROM tables").fetchone()
        go_on_with(running, state, happened)
        listings.append((Listing(bool(listed), bool(goes_on), summary), listing_of(running.state)))

    async def play() -> None:
        await house.server.sit(table, msg.Sit(name="Marcus"), [marcus])
        guest, other = await Guest.at(house.server, table, livia), await Guest.at(house.server, table, marcus)
        await other.do("say", text="Ave!")
        await guest.begin()
        await guest.do("pause")
        await guest.do("resume")
        while guest.table["phase"] != "over":
            await asyncio.gather(guest.move(), other.move())
        await other.do("stand", seat=1)
        await house.server.shut(table)

    before = house.running(table).state.number
    monkeypatch.setattr(Store, "append", appending)
    monkeypatch.setattr(RunningTable, "_go_on_with", looking)
    house.run(play())
    assert all(wrote)  # and nothing is written a second time
    assert sum(wrote) == house.running(table).state.number - before
    assert len(listings) == len(wrote)
    assert [written for written, _ in listings] == [standing for _, standing in listings]
    assert {(written.listed, written.live) for written, _ in listings} == {(True, False), (True, True), (False, False)}


def test_a_move_is_judged_and_made_once_and_told_once_in_each_language(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia = person()
    table = house.lay("here", "here", key=livia).table
    calls: Counter[str] = Counter()

    def counted(owner: Any, name: str) -> None:
        real = getattr(owner, name)

        def counting(*arguments: Any, **named: Any) -> Any:
            calls[name] += 1
            return real(*arguments, **named)

        monkeypatch.setattr(owner, name, counting)

    async def move(number: int) -> None:
        state = house.running(table).state
        legal = state.game_table.race.legal_moves[0]
        calls.clear()
        command = msg.MakeMove(id=f"m{number}", seat=state.on_turn or FIRST, at=state.changed, move=legal)
        await house.server.command(table, command, [livia])
        await settle()

    async def play() -> None:
        state = house.running(table).state
        await house.server.command(table, msg.Begin(id="b", at=state.changed), [livia])
        counted(Race, "play")
        counted(Race, "why_not")
        counted(Race, "copy")
        counted(narration, "tell")
        await move(1)
        assert calls == {"play": 1, "copy": 1}
        for language in ("en", "it", "it"):
            with speaking(language):
                (await Guest.at(house.server, table)).connection.language = language
        await move(2)
        assert calls == {"play": 1, "copy": 1, "tell": 2}

    house.run(play())


def test_what_an_older_release_did_not_tell_the_lobby_any_more_is_put_right(house: Harness) -> None:
    livia = person()
    table = house.lay("scorpus", "festina", key=livia, options=SHORT, open=True).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        row = await house.server.store.row(table)
        await guest.until(lambda guest: guest.table["phase"] == "over")
        assert row is not None
        await house.server.store.append(table, [], row.listing)
        assert [one.phase for one in (await house.server.lobby([])).open] == ["racing"]

    house.run(play())
    house.restart()

    async def look() -> None:
        assert (await house.server.lobby([])).open == []
        assert await house.stores[-1].live() == []
        assert [one.phase for one in (await house.server.lobby([livia])).mine] == ["over"]

    house.run(look())


def test_tables_at_which_nothing_happens_sleep_and_wake_again(house: Harness) -> None:
    livia = person()
    gathering = house.lay("here", "friend", key=livia, open=True).table
    waiting = house.lay("here", "scorpus", key=livia).table
    timed = house.lay("here", "scorpus", key=livia, clock=86_400).table
    watched = house.lay("here", "scorpus", key=livia).table

    async def play() -> None:
        seen = {}
        for table in (waiting, timed):
            guest = await Guest.at(house.server, table, livia)
            await guest.begin()
            await guest.until(lambda guest: guest.wanted)
            seen[table] = guest.table
            guest.leave()
        watcher = await Guest.at(house.server, watched)
        await asyncio.sleep(0)
        await house.time.pass_by(NAP)
        while {gathering, waiting} & set(house.server.waking.awake):
            await asyncio.sleep(0)
        assert set(house.server.waking.awake) == {timed, watched}
        assert (await watcher.do("pause"))["is"] == "refused"
        again = await Guest.at(house.server, waiting, livia)
        assert again.table["question"] == seen[waiting]["question"]
        assert (await again.move())["is"] == "done"
        assert (await house.server.sit(gathering, msg.Sit(), [person()])).seat == 1
        assert len(house.server.waking.awake) == 4
        assert (await refused(house.server.shown("nowhere", [livia]))).status == 404

    house.run(play())


def test_who_comes_while_a_table_falls_asleep_finds_it_awake(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table
    store, asked, answer = house.stores[0], asyncio.Event(), asyncio.Event()
    rights = store.rights

    async def slowly(*args: Any) -> Any:
        asked.set()
        await answer.wait()
        return await rights(*args)

    async def play() -> None:
        monkeypatch.setattr(store, "rights", slowly)
        coming = asyncio.create_task(Guest.at(house.server, table, livia))
        await asked.wait()  # on his way in, but not there yet
        await house.server.waking.nap()
        answer.set()
        first, second = await coming, await Guest.at(house.server, table, livia)
        assert first.connection.running is second.connection.running is house.running(table)
        number = (await first.do("say", text="Ave!"))["number"]
        await second.until(lambda guest: guest.table["number"] == number)

    house.run(play())


def test_racing_tables_are_woken_after_a_restart_and_others_are_not(house: Harness) -> None:
    livia = person()
    racing = house.lay("scorpus", "festina", "bibulus", key=livia, pace=5000).table
    quiet = house.lay("here", "scorpus", key=livia).table

    async def begin() -> None:
        guest = await Guest.at(house.server, racing, livia)
        await guest.begin()

    house.run(begin())
    house.restart()
    assert set(house.server.waking.awake) == {racing}

    async def go_on() -> None:
        guest = await Guest.at(house.server, racing)
        while not by_whom(guest):
            await house.time.pass_by(5)
            await asyncio.sleep(0.001)
            guest = await Guest.at(house.server, racing)
            guest.leave()
        assert (await house.server.shown(quiet, [livia])).table.phase == "gathering"

    house.run(go_on())


def test_a_table_whose_log_cannot_be_folded_does_not_stop_the_server(
    house: Harness, caplog: pytest.LogCaptureFixture
) -> None:
    table = house.lay("scorpus", "festina", key=person()).table
    good = house.lay("scorpus", "festina", key=person()).table

    async def spoil() -> None:
        store = house.stores[0]
        entry = (await store.log(table))[-1]
        await store.append(table, [entry._replace(number=2, body=b"?")], Listing(False, True, b"{}"))

    house.run(spoil())
    caplog.set_level(logging.CRITICAL, "avecaesar.server")
    house.restart()
    assert house.run(house.server.shown(good, [])).table.table == good


def test_closing_says_goodbye_and_leaves_no_task_behind(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia, title="Kept").table

    async def play() -> None:
        before = asyncio.all_tasks()
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        await guest.until(lambda guest: guest.wanted)
        hint = asyncio.create_task(guest.do("hint", seat=0))
        await asyncio.sleep(0)
        await house.server.close()
        hint.cancel()
        await guest.until(lambda guest: "None" in guest.answers)
        assert guest.answers["None"]["is"] == "bye"
        guest.leave()
        await settle()
        assert asyncio.all_tasks() <= before

    house.run(play())
    house.servers.clear()
    (row, _), *_ = house.run(house.stores[0].tables_of([hashed(livia)]))
    assert msgspec.json.decode(row.summary)["phase"] == "racing"
