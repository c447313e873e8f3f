"""Whoever is forgotten at a table with a long log keeps nobody waiting, and can ask again if it went wrong."""

from __future__ import annotations

import asyncio
import errno
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import Connection, event

from avecaesar.server.fairness import Asker, on_behalf_of
from avecaesar.server.refused import RefusedError
from avecaesar.server.store import logs, uploads_rows
from avecaesar.server.store.database import AT_ONCE
from avecaesar.server.store.shapes import Unwell
from avecaesar.server.tables import erasable_words
from avecaesar.server.tables import events as e
from avecaesar.server.tables.admission import tag_of
from avecaesar.server.tables.house import hashed
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person
from seat_numbers import FIRST

MANY = 5 * AT_ONCE


def named(number: int) -> e.AnyEvent:
    return e.Dressed(FIRST, f"Livia {number}", "red")


def ready(number: int) -> e.AnyEvent:
    return e.Readied(())


def long_table(house: Harness, key: str, make: Callable[[int], e.AnyEvent]) -> str:
    """A table with so much in its log that this person brought about."""
    table = house.lay("here", "scorpus", key=key).table
    house.run(house.server.waking.nap())
    store, tag = house.server.store, tag_of(hashed(key))
    row, after = house.run(store.row(table)), house.run(store.length(table))
    assert row is not None
    numbers = range(after, after + MANY)
    entries = [erasable_words.written(each, 1.0, f"{tag}:c{each}", make(each), tag) for each in numbers]
    house.run(store.append(table, entries, row.listing))
    return table


def rows(house: Harness, wanted: str) -> list[Any]:
    with closing(sqlite3.connect(house.url.removeprefix("sqlite:///"))) as database:
        return database.execute(wanted).fetchall()


def left_of(house: Harness, key: str) -> list[Any]:
    """Where somebody's tag stands in the log or beside words."""
    tag = tag_of(hashed(key))
    commands = rows(
        house, f"SELECT number FROM events WHERE command LIKE '{tag}%' OR CAST(body AS TEXT) LIKE '%{tag}%'"
    )
    return commands + rows(house, f"SELECT number FROM words WHERE holder = '{tag}'")


@pytest.mark.parametrize("make", [named, ready])
def test_few_statements_forget_somebody_however_long_the_log_is(
    house: Harness, make: Callable[[int], e.AnyEvent]
) -> None:
    livia = person()
    long_table(house, livia, make)
    changes: list[tuple[str, int]] = []

    def note(connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool) -> None:
        if statement.startswith("UPDATE"):
            changes.append((statement.split()[1], len(parameters) if many else 1))

    event.listen(house.server.store._engine, "before_cursor_execute", note)
    house.run(house.server.forget([livia]))
    assert left_of(house, livia) == []
    assert sum(many for of, many in changes if of == "events") >= MANY
    assert max(many for of, many in changes if of == "events") == AT_ONCE
    assert len(changes) < MANY // AT_ONCE + 10


def test_others_write_between_the_writes_in_which_somebody_is_forgotten(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia, order = person(), list[str]()
    long_table(house, livia, ready)
    retag, note, write = logs.retag, uploads_rows.note, house.server.store._write
    others: list[asyncio.Task[None]] = []

    def noting_retag(*wanted: Any, **more: Any) -> None:
        order.append("his")
        retag(*wanted, **more)

    def noting_note(*wanted: Any) -> None:
        order.append("another one's")
        note(*wanted)

    async def writing(work: Any, *, barrier: bool = False) -> None:
        if getattr(work, "func", None) is noting_retag and not others:
            with on_behalf_of(Asker("198.51.100.1", "Marcus")):
                others.append(asyncio.create_task(house.server.store.note("a", "note")))
        await write(work, barrier=barrier)

    monkeypatch.setattr(logs, "retag", noting_retag)
    monkeypatch.setattr(uploads_rows, "note", noting_note)
    monkeypatch.setattr(house.server.store, "_write", writing)
    house.run(house.server.forget([livia]))
    assert order.index("another one's") <= 1
    assert order.count("his") > MANY // AT_ONCE


def test_a_long_log_is_looked_through_by_a_reader_and_not_on_the_loop(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia, threads = person(), set[str]()
    table = long_table(house, livia, named)

    def watched(work: Callable[..., Any]) -> Callable[..., Any]:
        def noting(*wanted: Any, **more: Any) -> Any:
            threads.add(threading.current_thread().name.partition("_")[0])
            return work(*wanted, **more)

        return noting

    for name in ("all_of", "of_person", "blanks", "retagged", "without", "to_rewrite"):
        monkeypatch.setattr(erasable_words, name, watched(getattr(erasable_words, name)))

    async def erase() -> None:
        host = await Guest.at(house.server, table, livia)
        order = msg.EraseWords(id="e", at=host.table["changed"])
        await house.server.command(table, order, [livia])

    house.run(erase())
    house.run(house.server.forget([livia]))
    assert threads == {"reader"}


@pytest.mark.parametrize("make", [named, ready])
@pytest.mark.parametrize("restart", [False, True])
def test_whoever_could_not_be_forgotten_asks_again_and_nothing_half_erased_is_told(
    house: Harness, monkeypatch: pytest.MonkeyPatch, make: Callable[[int], e.AnyEvent], restart: bool
) -> None:
    livia = person()
    table = long_table(house, livia, make)
    before = house.run(house.server.shown(table, [livia]))
    words, rights = rows(house, "SELECT * FROM words"), rows(house, "SELECT * FROM rights")
    append = logs.append

    def fail(*_: Any) -> None:
        raise Unwell(errno.ENOSPC, "the disk is full", "tables.db")

    monkeypatch.setattr(logs, "append", fail)
    with pytest.raises(RefusedError) as error:
        house.run(house.server.forget([livia]))
    assert error.value.status == 503
    monkeypatch.setattr(logs, "append", append)
    assert (rows(house, "SELECT * FROM words"), rows(house, "SELECT * FROM rights")) == (words, rights)
    if restart:
        house.restart()
    assert house.run(house.server.recognised([livia])) == (livia,)
    assert house.run(house.server.shown(table, [livia])) == before
    house.run(house.server.forget([livia]))
    assert left_of(house, livia) == []
    assert rows(house, "SELECT * FROM words WHERE NOT erased AND text LIKE 'Livia%'") == []
    assert rows(house, "SELECT * FROM rights") == []


def test_of_entries_that_are_retagged_a_body_that_is_not_named_stays(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table
    store = house.server.store
    first, second, *_ = house.run(store.log(table))

    async def retag(entries: Sequence[Any]) -> None:
        def work(connection: Connection) -> None:
            logs.retag(connection, table, entries)

        await store._write(work)

    changed = [first._replace(command="a:1", body=b""), second._replace(command="b:2", body=b"{}")]
    house.run(retag(changed))
    after = house.run(store.log(table))
    assert after[0] == first._replace(command="a:1")
    assert after[1] == second._replace(command="b:2", body=b"{}")
