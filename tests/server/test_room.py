"""Where room on the disk is short, what is left of it is for moves, and for what ends things."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from avecaesar.server.content.annals import Annals, chronicle_key
from avecaesar.server.ready import ROOM_FOR_MORE, ROOM_KEPT, Room
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.database import Store
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person
from seat_numbers import FIRST, THIRD


class Disk:
    """How much is free, and how often it was looked at."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.free, self.looks = ROOM_FOR_MORE, 0
        monkeypatch.setattr(Store, "free", property(self._look))

    def _look(self, store: Store) -> int:
        self.looks += 1
        return self.free


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def fill(house: Harness, disk: Disk) -> None:
    disk.free = ROOM_FOR_MORE - 1
    house.run(house.time.pass_by(ROOM_KEPT))


def token_of(link: str | None) -> str:
    return (link or "").partition("#")[2]


def lengths(house: Harness, *tables: str) -> list[int]:
    return [house.run(house.server.store.length(table)) for table in tables]


def test_what_is_left_is_for_moves_and_not_for_words(house: Harness, disk: Disk) -> None:
    livia, marcus, server = person(), person(), house.server
    laid = house.lay("here", "here", "friend", key=livia)
    table, seat = laid.table, msg.Sit(token=token_of(laid.invitation))
    house.run(server.command(table, msg.Appoint(id="a", seat=THIRD, driver="scorpus"), [livia]))
    house.run(server.command(table, msg.Begin(id="b", at=house.running(table).state.changed), [livia]))

    async def until_her_turn() -> None:
        guest = await Guest.at(server, table, livia)
        await guest.until(lambda guest: guest.wanted)
        guest.leave()

    house.run(until_her_turn())  # the driver writes nothing more before she has moved
    other = house.lay("here", "friend", key=livia)
    house.run(server.command(other.table, msg.Say(id="before", text="Ave"), [livia]))
    fill(house, disk)
    before = lengths(house, table, other.table)
    refused = [
        server.command(table, msg.Say(id="s", text="Ave"), [livia]),
        server.command(table, msg.Pause(id="p"), [livia]),
        server.command(table, msg.ShutOut(id="o", seat=FIRST), [livia]),
        server.command(other.table, msg.Dress(id="d", seat=FIRST, name="Drusilla", colour="red"), [livia]),
        server.command(other.table, msg.Shake(id="k", share="ab" * 16), [livia]),
        server.link(other.table, msg.WantLink(seat=None), [livia]),
        server.sit(other.table, msg.Sit(token=token_of(other.invitation)), [marcus]),
        server.sit(table, seat, [marcus]),
        server.take_over(table, msg.TakeOver(seat=THIRD), [marcus]),
    ]
    for asked in refused:
        with pytest.raises(RefusedError, match="disk is nearly full") as error:
            house.run(asked)
        assert error.value.status == 503
    assert lengths(house, table, other.table) == before
    known = house.run(server.command(other.table, msg.Say(id="before", text="Ave"), [livia]))
    assert isinstance(known, msg.Done)  # whoever was not told that it was done may ask again

    async def move() -> None:
        mine = await Guest.at(server, table, livia)
        assert (await mine.move())["is"] == "done"

    house.run(move())
    house.run(server.command(other.table, msg.VoidLinks(id="v"), [livia]))
    at = house.running(other.table).state.changed
    house.run(server.command(other.table, msg.EraseWords(id="e", at=at), [livia]))
    house.run(server.command(table, msg.Stand(id="t", seat=FIRST), [livia]))
    at = house.running(table).state.changed
    house.run(server.command(table, msg.CloseTable(id="c", at=at), [livia]))
    house.run(server.forget([livia]))


def test_a_race_that_rests_can_go_on(house: Harness, disk: Disk) -> None:
    livia, server = person(), house.server
    table = house.lay("here", "here", key=livia).table
    house.run(server.command(table, msg.Begin(id="b", at=house.running(table).state.changed), [livia]))
    house.run(server.command(table, msg.Pause(id="p"), [livia]))
    fill(house, disk)
    house.run(server.command(table, msg.Resume(id="r"), [livia]))
    assert house.running(table).state.racing


def test_the_disk_is_looked_at_once_a_second_whoever_asks(house: Harness, disk: Disk) -> None:
    livia, server = person(), house.server
    table = house.lay("here", "here", key=livia).table
    house.run(house.time.pass_by(ROOM_KEPT))
    before = disk.looks
    for number in range(20):
        house.run(server.command(table, msg.Say(id=f"s{number}", text="Ave"), [livia]))
    assert disk.looks == before + 1
    house.run(house.time.pass_by(ROOM_KEPT))
    house.run(server.command(table, msg.Say(id="later", text="Ave"), [livia]))
    assert disk.looks == before + 2


def test_a_race_begins_though_asyncios_own_threads_are_all_busy(house: Harness, disk: Disk) -> None:
    livia, server, let_go = person(), house.server, Event()
    table = house.lay("here", "here", key=livia).table

    async def begin() -> None:
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1) as busy:
            loop.set_default_executor(busy)
            busy.submit(let_go.wait, 60)
            try:
                await house.time.pass_by(ROOM_KEPT)
                at = house.running(table).state.changed
                await asyncio.wait_for(server.command(table, msg.Begin(id="b", at=at), [livia]), 30)
                assert not let_go.is_set()
            finally:
                let_go.set()
                loop.set_default_executor(ThreadPoolExecutor())

    house.run(begin())


def test_a_disk_that_takes_its_time_does_not_hold_the_table(
    house: Harness, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia, server = person(), house.server
    table = house.lay("here", "here", key=livia).table
    house.run(server.command(table, msg.Begin(id="b", at=house.running(table).state.changed), [livia]))
    fill(house, disk)
    held: list[bool] = []
    look = Store.look_at_room

    async def looking(store: Store) -> int | None:
        held.append(house.running(table).lock.locked())
        return await look(store)

    monkeypatch.setattr(Store, "look_at_room", looking)
    with pytest.raises(RefusedError):
        house.run(server.command(table, msg.Say(id="s", text="Ave"), [livia]))
    assert held == [False]


def test_a_chronicle_is_told_and_not_kept(tmp_path: Path, disk: Disk) -> None:
    class Writes:
        async def call(self, *_: Any, **__: Any) -> bytes:
            return b"a chronicle"

    async def ask() -> None:
        store, digest, body = Store(f"sqlite:///{tmp_path / 'kept.db'}"), "1" * 64, b"{}"
        await store.open()
        await store.keep_record(digest, body, [])
        for free, kept in ((ROOM_FOR_MORE - 1, None), (ROOM_FOR_MORE, b"a chronicle")):
            disk.free = free
            annals = Annals(store, Writes(), Room(store))  # type: ignore[arg-type]
            assert await annals.chronicle(digest, body, 0) == b"a chronicle"
            assert await store.kept("chronicle", chronicle_key(digest, 0)) == kept
        await store.close()

    asyncio.run(ask())
