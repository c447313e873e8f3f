"""Reading and writing in threads: who is cancelled meanwhile, and what has begun is waited for."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from avecaesar.server.store import logs
from avecaesar.server.store.database import Store
from avecaesar.server.store.shapes import LogEntry, Taken
from avecaesar.server.store.sqlite import address_of
from stores import append, entry, lay, opened, with_store


class Held:
    """Lets a write begin, and go on only when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.began, self.go = threading.Event(), threading.Event()
        append = logs.append

        def held(*args: Any) -> None:
            self.began.set()
            assert self.go.wait(60)
            append(*args)

        monkeypatch.setattr(logs, "append", held)


def test_reading_goes_on_while_a_write_takes_its_time(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)

    async def play(store: Store) -> None:
        await lay(store)
        writing = asyncio.create_task(append(store, entry(1)))
        await asyncio.to_thread(held.began.wait)
        assert await store.log("circus") == [entry(0)]
        held.go.set()
        await writing
        assert await store.log("circus") == [entry(0), entry(1)]

    with_store(file, play)


@pytest.mark.parametrize("late", [entry(1), entry(0)])
def test_who_is_cancelled_while_a_write_is_under_way_still_hears_how_it_ended(
    file: Path, monkeypatch: pytest.MonkeyPatch, late: LogEntry
) -> None:
    held = Held(monkeypatch)
    heard: list[str] = []

    async def play(store: Store) -> None:
        await lay(store)

        async def write() -> None:
            try:
                await append(store, late)
                heard.append("written")
            except Taken:
                heard.append("taken")
            await store.live()
            heard.append("cancelled too late")

        writing = asyncio.create_task(write())
        await asyncio.to_thread(held.began.wait)
        for _ in range(2):  # a second time does not help either
            writing.cancel()
            await asyncio.wait([asyncio.create_task(store.live())])
            assert not writing.done()
        held.go.set()
        with pytest.raises(asyncio.CancelledError):
            await writing
        assert heard == ["written" if late.number else "taken"]
        assert len(await store.log("circus")) == 1 + late.number

    with_store(file, play)


def test_a_time_limit_is_still_a_time_limit(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)

    async def play(store: Store) -> None:
        await lay(store)

        async def run_out(limit: asyncio.Timeout) -> None:
            await asyncio.to_thread(held.began.wait)
            limit.reschedule(0.0)
            asyncio.get_running_loop().call_soon(held.go.set)

        async def write() -> None:
            async with asyncio.timeout(None) as limit:
                running_out = asyncio.create_task(run_out(limit))
                await append(store, entry(1))
                await store.live()
            await running_out

        with pytest.raises(TimeoutError):
            await write()
        assert await store.log("circus") == [entry(0), entry(1)]

    with_store(file, play)


def test_a_write_that_has_not_begun_is_cancelled_with_who_waits_for_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch)

    async def play(store: Store) -> None:
        await lay(store)
        first = asyncio.create_task(append(store, entry(1)))
        await asyncio.to_thread(held.began.wait)
        second = asyncio.create_task(append(store, entry(2)))
        await store.live()
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        held.go.set()
        await first
        assert await store.log("circus") == [entry(0), entry(1)]

    with_store(file, play)


def test_closing_waits_for_what_has_begun(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)

    async def play() -> None:
        async with opened(file) as store:
            await lay(store)
            writing = asyncio.create_task(append(store, entry(1)))
            await asyncio.to_thread(held.began.wait)
            held.go.set()
        await writing
        async with opened(file) as store:
            assert await store.log("circus") == [entry(0), entry(1)]

    asyncio.run(play())


def test_a_file_has_the_name_that_was_given_whatever_stands_in_it(tmp_path: Path) -> None:
    file = tmp_path / "q?mode=ro#a%20b.db"

    async def play() -> None:
        store = Store(address_of(file))
        await store.open()
        await store.close()

    asyncio.run(play())
    assert [found.name for found in tmp_path.iterdir()] == [file.name]
