"""The threads that read serve by turns, and to know somebody they read one row, however much is his."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Barrier, Event, Thread
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection, event
from starlette.requests import HTTPConnection

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.fairness import Asker, Urgency, asking, on_behalf_of
from avecaesar.server.http.routes.callers import asker_of
from avecaesar.server.store.database import READERS, Store
from avecaesar.server.store.fair_executor import FairExecutor
from avecaesar.server.store.shapes import Grant, Listing, LogEntry, Word
from avecaesar.server.tables.admission import tag_of
from avecaesar.server.tables.house import hashed
from harness import Harness, person
from seat_numbers import FIRST, SECOND

T = TypeVar("T")
LISTING = Listing(False, False, b"{}")
MARCUS, LIVIA = "a" * 64, "b" * 64  # digests of keys


def in_store(folder: Path, work: Callable[[Store], Any]) -> Any:
    async def opened() -> Any:
        store = Store(f"sqlite:///{folder / 'tables.db'}")
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(opened())


@pytest.mark.parametrize("threads", [1, READERS])
def test_whoever_reads_little_is_next_however_much_another_one_reads(threads: int) -> None:
    executor, begun, let_go = FairExecutor(threads, "reader"), Barrier(threads + 1), Event()
    done: list[str] = []

    def wait() -> None:
        begun.wait(60)
        assert let_go.wait(60)

    for _ in range(threads):
        executor.submit(wait)
    begun.wait(60)
    for number in range(60):
        with on_behalf_of(Asker("192.0.2.1", "Marcus")):
            executor.submit(partial(done.append, f"Marcus {number}"))
    with on_behalf_of(Asker("198.51.100.1", "Livia", Urgency.SEATED)):
        executor.submit(partial(done.append, "Livia"))
    let_go.set()
    executor.shutdown()
    assert len(done) == 61
    assert done.index("Livia") <= threads


def test_whoever_asks_does_not_wait_until_the_readers_have_found_whose_turn_is_next() -> None:
    executor, done = FairExecutor(1, "reader"), list[str]()
    with executor._lock:
        asking_for_it = Thread(target=lambda: executor.submit(partial(done.append, "read")), daemon=True)
        asking_for_it.start()
        asking_for_it.join(10)
        assert not asking_for_it.is_alive()
        assert done == []
    executor.shutdown()
    assert done == ["read"]


def test_what_nobody_waits_for_any_more_is_not_read(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        begun, let_go = Barrier(READERS + 1), Event()
        done: list[str] = []

        def wait(connection: Connection) -> None:
            begun.wait(60)
            assert let_go.wait(60)

        busy = [asyncio.create_task(store._read(wait)) for _ in range(READERS)]
        await asyncio.to_thread(begun.wait, 60)
        gone = [asyncio.create_task(store._read(lambda connection: done.append("gone"))) for _ in range(60)]
        there = asyncio.create_task(store._read(lambda connection: done.append("there")))
        await asyncio.sleep(0)
        for task in gone:
            task.cancel()
        await asyncio.wait(gone)
        let_go.set()
        await asyncio.gather(*busy, there)
        assert done == ["there"]
        await asyncio.to_thread(store._readers.shutdown)
        assert not store._readers._work
        assert [len(queue) for queue in store._readers._queues] == [0]

    in_store(tmp_path, work)


def test_the_store_is_read_by_turns(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        begun, let_go = Barrier(READERS + 1), Event()
        done: list[str] = []

        def wait(connection: Connection) -> None:
            begun.wait(60)
            assert let_go.wait(60)

        def reading(name: str, asker: Asker) -> asyncio.Task[None]:
            with on_behalf_of(asker):
                return asyncio.create_task(store._read(lambda connection: done.append(name)))

        busy = [asyncio.create_task(store._read(wait)) for _ in range(READERS)]
        await asyncio.to_thread(begun.wait, 60)
        read = [reading(f"Marcus {number}", Asker("192.0.2.1", "Marcus")) for number in range(60)]
        read.append(reading("Livia", Asker("198.51.100.1", "Livia")))
        await asyncio.sleep(0)
        let_go.set()
        await asyncio.gather(*busy, *read)
        assert done.index("Livia") <= READERS

    in_store(tmp_path, work)


def plans(store: Store, statements: list[tuple[str, list[Any]]]) -> Callable[..., None]:
    """Notes how the database looks for what it is asked."""

    def note(connection: Any, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith("SELECT"):
            found = [row[-1] for row in cursor.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()]
            statements.append((statement, found))

    event.listen(store._engine, "before_cursor_execute", note)
    return note


def test_to_know_somebody_one_row_is_read_by_an_index(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        words = tuple(Word(part, "saying", FIRST, tag_of(MARCUS), "Ave") for part in range(500))
        grants = [Grant(MARCUS, SeatNumber(seat), "drive") for seat in range(500)]
        await store.create("circus", [LogEntry(0, 0.0, None, b"{}", words)], grants, LISTING)
        statements: list[tuple[str, list[Any]]] = []
        plans(store, statements)
        assert await store.writers([tag_of(MARCUS), tag_of(LIVIA)]) == {tag_of(MARCUS)}
        assert await store.known([MARCUS, LIVIA]) == {MARCUS}
        assert len(statements) == 4
        for statement, plan in statements:
            assert "LIMIT" in statement
            assert "DISTINCT" not in statement
            (step,) = plan  # neither a temporary tree nor a walk
            assert step.startswith(("SEARCH words USING COVERING INDEX words_by_holder", "SEARCH rights USING INDEX"))

    in_store(tmp_path, work)


def test_a_key_that_only_opens_a_link_is_no_persons(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        links = [Grant(LIVIA, SECOND, "pass"), Grant("c" * 64, None, "invite")]
        grants = [*links, Grant(MARCUS, None, "banned")]
        await store.create("circus", [LogEntry(0, 0.0, None, b"{}")], grants, LISTING)
        assert await store.known([LIVIA, "c" * 64, "d" * 64, MARCUS]) == {MARCUS}

    in_store(tmp_path, work)


def test_whoever_is_not_known_yet_is_looked_up_on_his_own_addresss_account(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia = person()
    house.lay("here", "scorpus", key=livia)
    askers: list[tuple[Asker, ...]] = []
    read = Store._read

    async def noting(store: Store, work: Callable[[Connection], T]) -> T:
        askers.append(asking())
        return await read(store, work)

    monkeypatch.setattr(Store, "_read", noting)
    headers = [(b"authorization", f"Bearer {livia}".encode())]
    scope = {"type": "http", "path": "/api/tables", "headers": headers, "client": ("192.0.2.1", 1), "scheme": "http"}
    scope |= {"server": ("localhost", 80), "query_string": b"", "root_path": ""}
    found = house.run(asker_of(HTTPConnection(scope), house.server))
    assert found == Asker("192.0.2.1", hashed(livia))
    assert askers == [(Asker("192.0.2.1", "192.0.2.1"),)] * 2
