"""Keys are rotated while people race, and the old one can be forgotten."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from avecaesar.cli.key import _show
from avecaesar.game import commitment_of
from avecaesar.server.admin import KeyTold
from avecaesar.server.fairness import Asker, on_behalf_of
from avecaesar.server.store.shapes import LogEntry
from avecaesar.server.tables import events as e
from avecaesar.server.tables.admission import tag_of
from avecaesar.server.tables.house import hashed
from avecaesar.server.tables.keyring import Keyring, resealed
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person, settle
from seat_numbers import FIRST
from secrets_on_disk import is_in, typed
from servers import as_typed


def test_rotation_seals_what_runs_anew_and_the_old_key_can_be_forgotten(house: Harness, tmp_path: Path) -> None:
    async def begin() -> None:
        guest = await Guest.at(house.server, on, livia)
        await guest.begin()
        await guest.move()
        await guest.until(lambda guest: guest.wanted)  # nobody else moves meanwhile

    livia, data = person(), tmp_path / "house.db"
    on, laid = (house.lay("here", "scorpus", key=livia, open=True).table for _ in range(2))
    house.run(begin())
    [old] = house.keys.names
    before = house.run(house.server.store.log(on))
    house.run(house.server.rotate())
    new = house.keys.names[0]
    assert list(house.keys.names) == [new, old]
    assert house.run(house.server.deals_of_keys()) == {new: 2, old: 0}
    after = house.run(house.server.store.log(on))
    changed = [entry.number for entry, was in zip(after, before, strict=False) if entry != was]  # drivers go on
    assert changed == [1]  # of the log nothing else
    running = house.running(on).state.seals[-1].secret
    house.run(house.server.prune())
    assert list(house.keys.names) == [new]
    house.restart()
    house.run(house.server.shown(on, [livia]))  # which wakes it, if it slept
    assert house.running(on).state.seals[-1].secret == running
    assert not is_in(running, data)
    for table in (on, laid):
        guest = house.run(Guest.at(house.server, table, livia))
        if table == laid:
            house.run(guest.begin())
        house.run(guest.race())
    assert not any(row.stopped for row in house.run(house.server.lobby([livia])).mine)


def test_whoever_is_forgotten_while_keys_are_rotated_brings_no_old_key_back(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def rotated_first(table: str, entries: list[LogEntry]) -> None:
        if last.number in [entry.number for entry in entries]:
            house.keys.rotate()
            await house.server.store.rewrite(e.SEALED, resealed(house.keys), lambda summary: summary)
        await retag(table, entries)

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        await guest.race()

    livia = person()
    table = house.lay("here", "here", key=livia).table
    house.run(play())
    *_, last = [entry for entry in house.run(house.server.store.log(table)) if entry.body.startswith(e.SEALED)]
    assert (last.command or "").startswith(tag_of(hashed(livia)))  # it came with the move that ended the race
    retag, before = house.server.store.retag, house.keys.names[0]
    monkeypatch.setattr(house.server.store, "retag", rotated_first)
    house.run(house.server.forget([livia]))
    assert house.keys.names[0] != before
    entry = house.run(house.server.store.log(table))[last.number]
    assert e.decode(entry.body).key == house.keys.names[0]  # type: ignore[union-attr]
    assert not (entry.command or "").startswith(tag_of(hashed(livia)))


def test_a_key_that_something_needs_is_never_forgotten(house: Harness) -> None:
    house.lay("here", "scorpus", key=person())
    [old] = house.keys.names
    house.keys.rotate()  # and nothing is sealed anew
    house.run(house.server.prune())
    assert old in house.keys.names


def test_a_damaged_summary_leaves_no_other_table_with_the_old_key(house: Harness) -> None:
    damaged, other = (house.lay("here", "scorpus", key=person()).table for _ in range(2))
    with closing(sqlite3.connect(house.url.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("UPDATE tables SET summary = x'ff' WHERE id = ?", (damaged,))
    house.run(house.server.rotate())
    deals = house.run(house.server.deals_of_keys())
    assert list(deals.values()) == [2, 0]
    assert other


def test_key_names_of_a_database_send_the_terminal_no_orders(capsys: pytest.CaptureFixture[str]) -> None:
    _show([KeyTold("k\x1b]0;gone\x07", False, False, 1)])
    assert capsys.readouterr().out.startswith(r"k\x1b]0;gone\x07  MISSING")


def test_what_is_written_while_keys_are_rotated_has_one_that_is_kept(house: Harness) -> None:
    async def both() -> None:
        await asyncio.gather(house.server.rotate(), *(house.server.lay(plan, livia) for _ in range(20)))
        await house.server.prune()

    livia = person()
    plan = msg.NewTable(seats=(msg.SeatPlan(kind="here"), msg.SeatPlan(kind="driver", driver="scorpus")))
    house.run(both())
    assert set(house.run(house.server.deals_of_keys())) == set(house.keys.names)


@pytest.mark.parametrize("at_once", [False, True])  # or one after the other
def test_what_waits_to_be_written_keeps_its_key_however_many_write(house: Harness, at_once: bool) -> None:
    async def flood() -> None:
        let_go = threading.Event()
        house.server.store._writer.submit(let_go.wait)
        laid = []
        for _ in range(20):
            with on_behalf_of(Asker("192.0.2.1", "Marcus")):  # who has used up his turns before the operator comes
                laid.append(asyncio.create_task(house.server.lay(plan, livia)))
        while house.server.store.queued < 20:
            await asyncio.sleep(0)
        operator = [asyncio.create_task(house.server.rotate())]
        if not at_once:
            await settle()
        operator.append(asyncio.create_task(house.server.prune()))
        await settle()
        let_go.set()
        await asyncio.gather(*laid, *operator)

    livia = person()
    plan = msg.NewTable(seats=(msg.SeatPlan(kind="here"), msg.SeatPlan(kind="driver", driver="scorpus")))
    house.run(flood())
    assert set(house.run(house.server.deals_of_keys())) <= set(house.keys.names)


def test_logs_of_an_older_release_are_read_and_what_runs_is_sealed_when_the_first_key_is_made(
    house: Harness, tmp_path: Path
) -> None:
    async def begin() -> None:
        guest = await Guest.at(house.server, tournament, livia)
        await guest.begin()
        await guest.race()
        await guest.begin()

    livia, data = person(), tmp_path / "house.db"
    tournament = house.lay("here", "scorpus", key=livia, tournament=True).table
    house.run(begin())
    state = house.running(tournament).state
    first, running = (seal.secret for seal in state.seals)
    house.run(house.server.close())
    with closing(sqlite3.connect(data)) as database:  # as 0.6 wrote it
        for number, body in database.execute("SELECT number, body FROM events").fetchall():
            event = e.decode(body)
            if isinstance(event, e.Sealed):
                [secret] = [each for each in (first, running) if commitment_of(bytes.fromhex(each)) == event.commitment]
                old = msgspec.json.encode({"event": "sealed", "commitment": event.commitment, "secret": secret})
                database.execute("UPDATE events SET body = ? WHERE number = ?", (old, number))
            elif isinstance(event, e.Unsealed):  # which it did not write: something else, quiet, in its place
                said = e.encode(e.Said(FIRST, None, "ave"))
                database.execute("UPDATE events SET body = ? WHERE number = ?", (said, number))
        database.commit()
    assert is_in(running, data)
    house.keys = Keyring([*Keyring.in_memory()._keys], fresh=True)
    house.server = house.open()
    house.run(house.server.shown(tournament, [livia]))
    assert [seal.secret for seal in house.running(tournament).state.seals] == [first, running]
    with closing(sqlite3.connect(data)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert not is_in(running, data)
    assert is_in(first, data)
    house.restart()
    guest = house.run(Guest.at(house.server, tournament, livia))
    house.run(guest.race())


def test_keys_are_rotated_as_people_type_it_while_a_server_runs_and_when_none_does(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "games.db"))
    assert typed("key", "list", *data)[0] == 2  # there is no such file
    with as_typed(tmp_path / "games.db") as server:
        laid = server.lay({"kind": "here"}, {"driver": "scorpus"})
        assert server.command(laid, do="begin", id="1", at=server.table(laid)["changed"]).status_code == 200
        status, told, _ = typed("key", "rotate", *data)
        assert status == 0
        assert [line.split()[1:] for line in told.splitlines()[1:]] == [
            ["seals", "and", "opens", "1", "deal"],
            ["opens", "0", "deals"],
        ]
        hand = server.table(laid)["hands"]
    (tmp_path / "games.key").rename(tmp_path / "elsewhere.key")
    assert typed("key", "rotate", *data)[0] == 2
    assert not (tmp_path / "games.key").exists()
    elsewhere = (*data, "--key-file", str(tmp_path / "elsewhere.key"))
    assert typed("key", "rotate", *elsewhere)[0] == 0
    status, told, _ = typed("key", "prune", *elsewhere)
    assert (status, len(told.splitlines())) == (0, 1)
    assert not any(line in told for line in (tmp_path / "elsewhere.key").read_text().splitlines() if line[0] != "#")
    with as_typed(tmp_path / "games.db", "--key-file", str(tmp_path / "elsewhere.key")) as server:
        assert server.table(laid)["hands"] == hand
