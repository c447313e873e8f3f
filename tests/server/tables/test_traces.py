"""Whoever is forgotten leaves his tag in no log, also where he has no right and no word any more."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from avecaesar.server.store import database
from avecaesar.server.tables.admission import tag_of
from avecaesar.server.tables.house import hashed
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person
from seat_numbers import SECOND


def left_of(house: Harness, key: str) -> list[str]:
    """The tables in whose log somebody's tag stands, as a command's or in an event."""
    wanted = 'SELECT DISTINCT "table" FROM events WHERE command LIKE ? OR CAST(body AS TEXT) LIKE ? ORDER BY "table"'
    tag = tag_of(hashed(key))
    with closing(sqlite3.connect(house.url.removeprefix("sqlite:///"))) as file:
        return [table for (table,) in file.execute(wanted, (f"{tag}:%", f"%{tag}%"))]


def has_something_at(house: Harness, table: str, key: str) -> bool:
    """Whether the store knows him there by a right or by a word."""
    with closing(sqlite3.connect(house.url.removeprefix("sqlite:///"))) as file:
        rights = file.execute('SELECT 1 FROM rights WHERE "table" = ? AND key = ?', (table, hashed(key))).fetchall()
        words = file.execute('SELECT 1 FROM words WHERE "table" = ? AND holder = ?', (table, tag_of(hashed(key))))
        return bool(rights or words.fetchall())


async def leave_erased_words(house: Harness, host: str, guest: str) -> str:
    """A table at which somebody was, whose host has then erased all words."""
    seats = (msg.SeatPlan(kind="here"), msg.SeatPlan(kind="friend"))
    laid = await house.server.lay(msg.NewTable(seats=seats, pace=0), host)
    token = (laid.invitation or "").partition("#")[2]
    await house.server.sit(laid.table, msg.Sit(token=token, name="Marcus"), [guest])
    his, hers = [await Guest.at(house.server, laid.table, key) for key in (guest, host)]
    await his.do("say", text="Ave")
    await his.do("shake", share="ab" * 16)
    await his.do("stand", seat=1)
    await hers.until(lambda one: not one.table["seats"][1]["taken"])
    order = msg.EraseWords(id="e", at=house.running(laid.table).state.changed)
    await house.server.command(laid.table, order, [host])
    his.leave()
    hers.leave()
    return laid.table


def test_a_tag_goes_also_where_the_host_has_erased_all_words(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "LOOKED_INTO", 2)  # so that there is more than one look
    livia, marcus = person(), person()
    tables = [house.run(leave_erased_words(house, livia, marcus)) for _ in range(3)]
    house.lay("here", "scorpus", key=marcus)  # by which he is known
    assert left_of(house, marcus) == sorted(tables)
    assert not any(has_something_at(house, table, marcus) for table in tables)
    assert house.run(house.server.forget([marcus])).tables == 4
    assert left_of(house, marcus) == []
    assert left_of(house, livia) == sorted(tables)  # nobody else's


def test_a_tag_goes_of_whoever_asked_for_a_chariot_without_a_name_and_of_whoever_drove_it_for_another(
    house: Harness,
) -> None:
    livia, marcus, titus, cleo, drusus = (person() for _ in range(5))
    laid = house.lay("here", "friend", "friend", key=livia, away=None, pace=5000, open=True)
    server, table = house.server, laid.table

    async def play() -> None:
        for key in (marcus, titus):
            await server.sit(table, msg.Sit(), [key])
        one, two, three = [await Guest.at(server, table, key) for key in (livia, marcus, titus)]
        await one.begin()
        await two.do("stand", seat=1)
        for key, answers in ((drusus, [(three, "decline")]), (cleo, [(one, "agree"), (three, "agree")])):
            await server.take_over(table, msg.TakeOver(seat=SECOND), [key])
            for guest, answer in answers:
                wish = house.running(table).state.admission.wishes[SECOND].number
                assert (await guest.do(answer, seat=1, wish=wish))["is"] == "done"
        hers = await Guest.at(server, table, cleo)
        assert (await hers.do("say", phrase="ave"))["is"] == "done"
        for guest in (one, two, three, hers):
            guest.leave()

    house.run(play())
    assert not has_something_at(house, table, drusus)
    assert left_of(house, drusus) == left_of(house, cleo) == [table]
    for key in (drusus, cleo):
        house.run(server.forget([key]))
        assert left_of(house, key) == []


@contextmanager
def plans(house: Harness) -> Iterator[list[tuple[str, list[str]]]]:
    """How the database looks for what it is asked meanwhile."""
    found: list[tuple[str, list[str]]] = []

    def note(connection: Any, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith("SELECT"):
            plan = cursor.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()
            found.append((statement, [row[-1] for row in plan]))

    engine = house.server.store._engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", note)


def test_logs_are_looked_into_by_their_index_and_some_at_a_time(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table
    house.run(house.server.command(table, msg.Say(id="s", text="Ave"), [livia]))
    with plans(house) as found:
        tags = [tag_of(hashed(key)) for key in (livia, person())]
        assert house.run(house.server.store.tables_with([], tags)) == [table]
    looks = [(statement, plan) for statement, plan in found if "EXISTS" in statement]
    assert len(looks) == 2  # the second finds no more tables
    for statement, plan in looks:
        assert "LIMIT" in statement
        assert any(step.startswith("SEARCH tables USING COVERING INDEX") for step in plan)
        events = [step for step in plan if "events" in step]
        assert len(events) == len(tags)
        assert all(
            "USING COVERING INDEX" in step and "(table=? AND command>? AND command<?)" in step for step in events
        )
