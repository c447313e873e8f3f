"""The store: what it says is on the disk is there, whatever happens next, and a number is given away once only."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from avecaesar.server.store.database import Store
from avecaesar.server.store.schema import METADATA
from avecaesar.server.store.shapes import Grant, Listing, LogEntry, Revoke, TableRow, Taken
from avecaesar.server.tables.seats import numbered
from seat_numbers import FIRST, FOURTH, SECOND, THIRD
from stores import LIVIA, MARCUS, TITUS, append, entry, lay, url_of, with_store

# ---------------------------------------------------------------------- the log


def test_what_was_appended_is_there_in_its_order_also_after_a_restart(file: Path) -> None:
    told = [entry(0), entry(1, "livia:1"), entry(2), entry(3, "marcus:1"), entry(4, "livia:2")]

    async def write(store: Store) -> None:
        await store.create("circus", told[:2], [], Listing(False, False, b""))
        await append(store, *told[2:4])
        await append(store, told[4])
        assert await store.log("circus") == told

    async def read(store: Store) -> None:
        assert await store.log("circus") == told
        assert await store.log("circus", after=2) == told[3:]
        assert await store.log("circus", after=4) == []
        assert await store.log("elsewhere") == []

    with_store(file, write)
    with_store(file, read)


@pytest.mark.parametrize(
    "late",
    [
        [entry(1)],  # another server was faster
        [entry(3)],  # there is no 2 yet
        [entry(2), entry(4)],
        [entry(3), entry(2)],
        [entry(2), entry(2)],
        [entry(2), entry(3, "livia:1")],  # this command was done
        [entry(2, "marcus:1"), entry(3, "marcus:1")],
    ],
)
def test_what_is_taken_changes_nothing(file: Path, late: list[LogEntry]) -> None:
    async def play(store: Store) -> None:
        await lay(store, "circus", Grant(LIVIA, FIRST, "drive"))
        await store.append("circus", [entry(1, "livia:1")], Listing(False, False, b"before"))
        with pytest.raises(Taken, match="circus"):
            await append(store, *late, grants=[Grant(MARCUS, SECOND, "drive")], revoke=[Revoke("drive", FIRST)])
        assert await store.log("circus") == [entry(0), entry(1, "livia:1")]
        assert await store.rights("circus", [LIVIA, MARCUS]) == [Grant(LIVIA, FIRST, "drive")]
        assert (await store.live(), await store.listed()) == ([], [])
        [(row, _)] = await store.tables_of([LIVIA])
        assert row == TableRow("circus", 0.0, 1.0, False, False, b"before")
        await append(store, entry(2), entry(3, "marcus:1"))

    with_store(file, play)


def test_commands_of_different_tables_do_not_know_each_other(file: Path) -> None:
    async def play(store: Store) -> None:
        for table in ("circus", "stadium"):
            await lay(store, table)
            await append(store, entry(1, "livia:1"), table=table)
        assert await store.log("circus") == await store.log("stadium")

    with_store(file, play)


def test_a_table_is_laid_once(file: Path) -> None:
    async def play(store: Store) -> None:
        await lay(store)
        with pytest.raises(Taken, match="there is a table circus already"):
            await lay(store, "circus", Grant(LIVIA, FIRST, "drive"))
        with pytest.raises(Taken, match="number 0"):
            await store.create("stadium", [entry(1)], [], Listing(True, True, b""))
        assert await store.rights("circus", [LIVIA]) == []
        assert await store.listed() == []

    with_store(file, play)


def test_where_there_is_no_table_nothing_can_be_written(file: Path) -> None:
    async def play(store: Store) -> None:
        with pytest.raises(LookupError, match="there is no table circus"):
            await append(store, entry(0))
        with pytest.raises(LookupError, match="there is no table circus"):
            await append(store, grants=[Grant(LIVIA, FIRST, "drive")])

    with_store(file, play)


# ---------------------------------------------------------------------- rights and lists


def test_rights_are_given_and_taken_away(file: Path) -> None:
    async def play(store: Store) -> None:
        host, invited = Grant(LIVIA, None, "host"), Grant(TITUS, None, "invite")
        seats = [Grant(LIVIA, FIRST, "drive"), Grant(MARCUS, SECOND, "drive"), Grant(TITUS, SECOND, "drive")]
        await lay(store, "circus", host, seats[0])
        await append(store, grants=[invited, *seats, host, invited])  # some a second time: harmless
        assert await store.rights("circus", [LIVIA, TITUS]) == [host, invited, seats[0], seats[2]]
        assert await store.rights("circus", []) == await store.rights("stadium", [LIVIA]) == []
        back = Grant(MARCUS, SECOND, "drive")
        # whoever drives seat 1, but no other right
        await append(store, entry(1), revoke=[Revoke("drive", SECOND)], grants=[back])
        assert await store.rights("circus", [MARCUS, TITUS]) == [invited, back]
        assert await store.holders("circus") == [host, seats[0], back]
        await append(store, grants=seats, revoke=[Revoke("drive", key=TITUS), Revoke("drive", SECOND, but=(MARCUS,))])
        await append(store, revoke=[Revoke("drive", SECOND, but=(MARCUS,))])
        assert await store.rights("circus", [MARCUS, TITUS]) == [invited, back]
        await append(store, revoke=[Revoke("drive")])
        assert set(await store.rights("circus", [LIVIA, MARCUS, TITUS])) == {host, invited}

    with_store(file, play)


def test_a_key_itself_never_reaches_the_disk(file: Path) -> None:
    async def play(store: Store) -> None:
        await lay(store)
        with pytest.raises(ValueError, match="only the digests of keys are kept"):
            await append(store, grants=[Grant("s_secret", FIRST, "drive")])

    with_store(file, play)
    assert not any(b"s_secret" in found.read_bytes() for found in file.parent.iterdir())


def test_lists_have_the_newest_first_and_end_somewhere(file: Path) -> None:
    async def play(store: Store) -> None:
        for seat, table in numbered(("circus", "stadium", "forum", "hippodrome")):
            await lay(store, table, Grant(LIVIA, seat, "drive"), at=float(seat), listed=table != "forum")
        await store.append("circus", [entry(1, at=9.5)], Listing(True, True, b"new"))
        assert [row.table for row in await store.listed()] == ["circus", "hippodrome", "stadium"]
        assert await store.listed(1) == [TableRow("circus", 0.0, 9.5, True, True, b"new")]
        assert await store.live() == ["circus"]
        await append(store, table="stadium", grants=[Grant(LIVIA, None, "host"), Grant(MARCUS, SECOND, "drive")])
        hers = await store.tables_of([LIVIA, TITUS], limit=3)
        assert [(row.table, grants) for row, grants in hers] == [
            ("circus", [Grant(LIVIA, FIRST, "drive")]),
            ("hippodrome", [Grant(LIVIA, FOURTH, "drive")]),
            ("forum", [Grant(LIVIA, THIRD, "drive")]),
        ]
        [(row, grants)] = await store.tables_of([MARCUS])
        assert (row.table, grants) == ("stadium", [Grant(MARCUS, SECOND, "drive")])
        assert await store.tables_of([TITUS]) == await store.tables_of([]) == []

    with_store(file, play)


def test_what_is_kept_stays_as_it_was_kept_first(file: Path) -> None:
    async def play(store: Store) -> None:
        await store.keep("board", "d1", b"board circus\n\0\xff")
        await store.keep("board", "d1", b"something else")
        await store.keep("record", "d1", b"{}")
        assert await store.kept("board", "d1") == b"board circus\n\0\xff"
        assert await store.kept("record", "d1") == b"{}"
        assert await store.kept("record", "d2") is None

    with_store(file, play)


# ---------------------------------------------------------------------- on the disk


def test_the_file_is_its_owners_alone_and_what_is_committed_is_on_the_disk(file: Path) -> None:
    async def play(store: Store) -> None:
        await lay(store)
        assert file.parent.stat().st_mode & 0o777 == 0o700
        assert {found.stat().st_mode & 0o777 for found in file.parent.iterdir()} == {0o600}
        with store._engine.connect() as connection:
            settings = [
                connection.exec_driver_sql(f"PRAGMA {setting}").scalar()
                for setting in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            ]
        assert settings == ["wal", 2, 1, 10_000]  # 2: FULL

    with_store(file, play)


def test_the_migrations_lead_to_the_tables_that_the_store_uses(file: Path) -> None:
    async def play(store: Store) -> None:
        pass

    with_store(file, play)
    engine = create_engine(url_of(file))
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    engine.dispose()


RIVAL = """
import asyncio, json, sys
from avecaesar.server.store.database import Store
from avecaesar.server.store.shapes import LogEntry, Listing, Taken

async def race(url, name):
    store = Store(url)
    await store.open()
    try:
        await store.create("circus", [LogEntry(0, 0.0, None, name.encode())], [], Listing(True, True, b""))
        won = [0]
    except Taken:
        won = []
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(1, 101):
        try:
            mine = [LogEntry(number, 0.0, f"{name}:{number}", name.encode())]
            await store.append("circus", mine, Listing(True, True, b""))
            won.append(number)
        except Taken:
            pass
    print(json.dumps(won), flush=True)
    await store.close()

asyncio.run(race(*sys.argv[1:]))
"""


def test_of_two_servers_that_append_the_same_number_exactly_one_succeeds(file: Path) -> None:
    names = ("Castor", "Pollux")
    rivals = []
    for name in names:  # one after the other: to make a new file is one server's work, which its lock sees to
        rival = subprocess.Popen(
            [sys.executable, "-c", RIVAL, url_of(file), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert rival.stdout is not None
        assert rival.stdout.readline() == "ready\n"
        rivals.append(rival)
    for rival in rivals:
        assert rival.stdin is not None
        rival.stdin.write("go\n")
        rival.stdin.flush()
    won: list[list[int]] = [json.loads(rival.communicate()[0]) for rival in rivals]
    assert [rival.returncode for rival in rivals] == [0, 0]
    assert sorted(won[0] + won[1]) == list(range(101))

    async def play(store: Store) -> None:
        for found in await store.log("circus"):
            assert found.number in won[names.index(found.body.decode())]

    with_store(file, play)


KILLED = """
import asyncio, sys
from avecaesar.server.store.database import Store
from avecaesar.server.store.shapes import LogEntry, Listing

async def write(url):
    store = Store(url)
    await store.open()
    number = len(await store.log("circus"))
    while True:
        listing = Listing(True, True, b"")
        if number:
            await store.append("circus", [LogEntry(number, 0.0, None, b"x" * 500)], listing)
        else:
            await store.create("circus", [LogEntry(0, 0.0, None, b"")], [], listing)
        print(number, flush=True)
        number += 1

asyncio.run(write(sys.argv[1]))
"""


@pytest.mark.long
def test_whoever_is_killed_has_lost_nothing_that_he_was_told_is_written(file: Path) -> None:
    for enough in (3, 40, 100):
        with subprocess.Popen(
            [sys.executable, "-c", KILLED, url_of(file)], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            told = [int(process.stdout.readline()) for _ in range(enough)]
            process.kill()
            told += [int(line) for line in process.stdout if line.endswith("\n")]

        async def play(store: Store, told: list[int] = told) -> None:
            there = [found.number for found in await store.log("circus")]
            assert there == list(range(len(there)))
            assert set(told) <= set(there)

        with_store(file, play)


FULL_DISK = """
import asyncio, resource, signal, sys
from avecaesar.server.store.database import Store
from avecaesar.server.store.shapes import LogEntry, Listing
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

async def write(url):
    store = Store(url)
    await store.open()
    listing = Listing(True, True, b"")
    await store.create("circus", [LogEntry(0, 0.0, None, b"")], [], listing)
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, most))
    try:
        await store.append("circus", [LogEntry(1, 0.0, None, b"x" * 1_000_000)], listing)
    except OSError as error:
        print(error.filename, error.strerror)
    print(len(await store.log("circus")))
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    await store.append("circus", [LogEntry(1, 0.0, None, b"x" * 1_000_000)], listing)
    print(len(await store.log("circus")))
    await store.close()

asyncio.run(write(sys.argv[1]))
"""


def test_a_full_disk_is_told_in_a_sentence_and_when_there_is_room_again_it_goes_on(file: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, url_of(file)], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    told, before, after = done.stdout.splitlines()
    assert told.startswith(f"{file} the database cannot be used: ")
    assert (before, after) == ("1", "2")


def test_no_room_in_the_database_is_no_space_left(file: Path) -> None:
    async def play(store: Store) -> None:
        await lay(store)

        def narrow(connection: Any) -> None:
            connection.exec_driver_sql("PRAGMA max_page_count=20")

        await store._write(narrow)
        with pytest.raises(OSError, match="database or disk is full") as told:
            await append(store, LogEntry(1, 0.0, None, b"x" * 1_000_000))
        assert (told.value.errno, told.value.filename) == (errno.ENOSPC, str(file))
        await append(store, entry(1))

    with_store(file, play)
