"""`avecaesar tables`: what an operator may do, with a running server and without one; and that nobody else may."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from avecaesar.server import admin
from avecaesar.server.admin import Door, Erase, List, ShutTable, Steps, folder_of, obey
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables import events as e
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person, settle
from servers import PROGRAM, as_typed, hear


def typed(*words: str, answer: str = "") -> tuple[int, str, str]:
    """A command, its status and what it says."""
    done = subprocess.run(
        [*PROGRAM, "tables", *words], capture_output=True, text=True, input=answer, timeout=120, check=False
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


# ---------------------------------------------------------------------- as people type it


def test_an_operator_learns_how_the_event_loop_does(tmp_path: Path) -> None:
    data = tmp_path / "tables.db"
    with as_typed(data) as server:
        server.lay()
        told = admin.ask(data, Steps()).loop
    assert told is not None
    assert told.steps > 0
    assert told.slow == sum(kind.many for kind in told.kinds)


def test_a_running_server_does_what_its_operator_wants(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "tables.db"))
    with as_typed(tmp_path / "tables.db") as server:
        laid = server.lay({"kind": "here", "name": "Livia"}, {"driver": "scorpus"}, title="Ludi")
        other = server.lay({"kind": "here", "name": "Marcus"}, {"driver": "scorpus"})
        begun = server.command(laid, do="begin", id="1", at=server.table(laid)["changed"])
        assert begun.status_code == 200
        status, told, _ = typed("list", *data)
        first, second = told.splitlines()
        assert (status, laid["table"] in first, "Livia" in first, "Ludi" in first) == (0, True, True, True)
        assert (other["table"] in second, "gathering" in second, "Marcus" in second) == (True, True, True)
        assert typed("erase", laid["table"], "--yes", *data)[::2] == (
            2,
            f"avecaesar: a race is being run at table {laid['table']}: close it first, or add --force\n",
        )
        with server.socket(laid["table"], laid["token"]) as connection:
            assert hear(connection)["is"] == "whole"
            status, told, _ = typed("close", laid["table"], *data)
            assert (status, "is closed" in told) == (0, True)
            while (news := hear(connection))["is"] != "news" or not any(
                line["words"] == "The table is closed by the server's operator." for line in news["story"]
            ):
                pass
            assert (news["table"]["question"], news["table"]["deadline"]) == (None, None)
            refused = server.command(laid, do="say", id="2", text="Why?")
            assert (refused.status_code, refused.json()["problem"]) == (409, "this table is closed")
            [row] = [row for row in json.loads(typed("list", "--json", *data)[1]) if row["table"] == laid["table"]]
            assert (row["phase"], row["people"], row["title"]) == (
                "closed",
                [{"seat": 1, "name": "Livia"}],
                "Ludi",
            )
            assert typed("erase", laid["table"], "--yes", *data)[0] == 0
            assert hear(connection) == {
                "is": "bye",
                "problem": "this table was erased by the server's operator",
            }
        assert server.client.get(f"/api/tables/{laid['table']}").status_code == 404
        assert [row["table"] for row in json.loads(typed("list", "--json", *data)[1])] == [other["table"]]
        assert server.process is not None
        server.process.send_signal(signal.SIGINT)
        server.process.wait()
    assert {path.name for path in tmp_path.iterdir()} == {"tables.db", "tables.key"}  # neither lock nor socket is left


def test_without_a_server_the_file_itself_is_changed(house: Harness) -> None:
    livia = person()
    closed, erased = (house.lay("here", "scorpus", key=livia, open=True).table for _ in range(2))
    data = ("--data", house.url.removeprefix("sqlite:///"))
    assert len(typed("list", *data)[1].splitlines()) == 2
    assert typed("close", closed, *data)[0] == 0
    assert typed("erase", erased, *data)[::2] == (
        2,
        "avecaesar: what is erased cannot be brought back: add --yes if you mean it\n",
    )
    assert typed("erase", erased, "--yes", *data)[0] == 0
    house.restart()
    with pytest.raises(RefusedError, match="no such table"):
        house.run(house.server.shown(erased, [livia]))
    lobby = house.run(house.server.lobby([livia]))
    assert ([row.table for row in lobby.open], [row.table for row in lobby.mine]) == ([], [closed])
    with pytest.raises(RefusedError, match="closed"):
        house.run(house.server.command(closed, msg.Begin(id="1", at=0), [livia]))


@pytest.mark.parametrize("action", [["close"], ["erase", "--yes"]])
@pytest.mark.parametrize(
    ("table", "problem"), [("nothing", "no such table"), ("", "not the number"), ("../x\n", "no such table|not the")]
)
def test_a_table_that_there_is_not_is_told_in_a_line(
    house: Harness, action: list[str], table: str, problem: str
) -> None:
    status, told, line = typed(*action, table, "--data", house.url.removeprefix("sqlite:///"))
    assert (status, told, line.count("\n")) == (2, "", 1)
    assert any(part in line for part in problem.split("|")) or "there is no table" in line


def test_a_file_that_there_is_not_is_not_made(tmp_path: Path) -> None:
    status, _, line = typed("list", "--data", str(tmp_path / "nothing.db"))
    assert (status, "there is no file" in line, list(tmp_path.iterdir())) == (2, True, [])


def test_help_teaches() -> None:
    for words in (["--help"], ["list", "--help"], ["close", "--help"], ["erase", "--help"], ["ban", "--help"]):
        status, told, _ = typed(*words)
        assert (status, "examples:" in told) == (0, True)


# ---------------------------------------------------------------------- the door


def test_the_door_is_its_owners_alone_and_leaves_nothing_behind(house: Harness, tmp_path: Path) -> None:
    database = tmp_path / "house.db"

    async def knock() -> None:
        folder_of(database).mkdir(mode=0o755)  # of a server that was killed
        (folder_of(database) / "socket").touch()
        door = Door(house.server, database)
        await door.open()
        assert folder_of(database).stat().st_mode & 0o777 == 0o700
        found = (folder_of(database) / "socket").stat().st_mode
        assert (stat.S_ISSOCK(found), found & 0o777) == (True, 0o600)
        told = await asyncio.to_thread(admin.ask, database, List(10))
        assert (told.problem, told.tables) == (None, [])
        await door.close()
        assert not folder_of(database).exists()

    house.run(knock())


def test_a_long_path_is_no_hindrance(house: Harness, tmp_path: Path) -> None:
    database = tmp_path / ("x" * 120) / "house.db"
    database.parent.mkdir()

    async def knock() -> None:
        door = Door(house.server, database)
        await door.open()
        assert (await asyncio.to_thread(admin.ask, database, List(1))).problem is None
        await door.close()

    house.run(knock())


@pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="this system does not tell who calls")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can call as somebody else")
def test_another_user_is_refused_even_if_the_folder_lets_him_in(house: Harness, tmp_path: Path) -> None:
    database = tmp_path / "house.db"
    script = f"""
import os, socket
line = socket.socket(socket.AF_UNIX)
os.chdir({str(folder_of(database))!r})
os.setuid(65534)
line.connect("socket")
line.sendall(b'{{"do":"list","limit":1}}\\n')
print(line.makefile().readline())
"""

    async def knock() -> str:
        door = Door(house.server, database)
        await door.open()
        folder_of(database).chmod(0o777)
        (folder_of(database) / "socket").chmod(0o777)
        called = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=subprocess.PIPE)
        told, _ = await called.communicate()
        await door.close()
        return told.decode()

    assert "only the user who runs the server may do this" in house.run(knock())


@pytest.mark.parametrize(
    "line", [b"?\n", b"{}\n", b'{"do":"burn"}\n', b'{"do":"list","limit":0}\n', b"[" * 3000 + b"\n", b"x" * 9000]
)
def test_nonsense_is_answered_or_cut_off_and_the_door_stays_open(
    house: Harness, tmp_path: Path, line: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    database = tmp_path / "house.db"

    async def knock() -> bytes:
        door = Door(house.server, database)
        await door.open()
        reader, writer = await asyncio.open_unix_connection(folder_of(database) / "socket")
        writer.write(line)
        answer = await reader.read()
        writer.close()
        assert (await asyncio.to_thread(admin.ask, database, List(1))).problem is None
        await door.close()
        return answer

    answer = house.run(knock())
    assert answer == b"" or b"this cannot be read" in answer
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


# ---------------------------------------------------------------------- closing and erasing


def test_closing_is_an_event_of_the_log_and_nobody_plays_on_not_even_drivers_or_clocks(house: Harness) -> None:
    livia = person()
    laid = house.lay("here", "friend", "scorpus", key=livia, clock=30, open=True)

    async def play() -> None:
        marcus = person()
        await house.server.sit(laid.table, msg.Sit(token=(laid.invitation or "").partition("#")[2]), [marcus])
        guest = await Guest.at(house.server, laid.table, livia)
        await guest.begin()
        await settle()
        for _ in range(2):  # a second time changes nothing
            assert (await obey(house.server, ShutTable(laid.table))).problem is None
        running = house.running(laid.table)
        number = running.state.number
        entries = await house.stores[0].log(laid.table)
        assert [e.decode(entry.body) for entry in entries].count(e.Closed()) == 1
        await house.time.pass_by(10_000)
        assert (running.state.number, running.state.goes_on) == (number, False)
        assert not any(row.listed or row.live for row in await house.stores[0].all(9))
        given: dict[str, dict[str, Any]] = {"say": {"text": "Ave"}, "stand": {"seat": 0}, "vacate": {"seat": 1}}
        for command in ("pause", "resume", "say", "stand", "vacate"):
            assert (await guest.do(command, **given.get(command, {})))["problem"] == "this table is closed"
        with pytest.raises(RefusedError, match="closed"):
            await running.seating.sit(None, "Nero", None, ["0" * 64])
        guest.leave()

    house.run(play())
    house.restart()
    assert house.run(house.stores[-1].live()) == []
    assert house.run(house.server.shown(laid.table, [])).table.phase == "racing"  # everybody may look


def test_erasing_leaves_no_row_and_tells_whoever_is_there(house: Harness) -> None:
    livia = person()
    table, other = (house.lay("here", "friend", key=livia).table for _ in range(2))

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        running = house.running(table)
        who = guest.connection.who
        assert (await obey(house.server, Erase(table))).problem is None
        assert (await guest.hear())["problem"] == "this table was erased by the server's operator"
        with pytest.raises(RefusedError, match="no such table"):  # who was about to do something is told
            await running.command(who, msg.Say(id="1", text="Ave"))
        assert (await obey(house.server, Erase(table))).problem is not None

    house.run(play())
    connection = sqlite3.connect(house.url.removeprefix("sqlite:///"))
    owned = ("events", "words", "rights")
    for rows, column in (("tables", "id"), *((rows, '"table"') for rows in owned)):
        names = {name for (name,) in connection.execute(f"SELECT {column} FROM {rows}")}
        assert names == {other}
    connection.close()


def test_what_is_erased_is_not_in_the_file_any_more(house: Harness) -> None:
    table = house.lay("here", "friend", key=person(), title="Saturnalia").table
    house.lay("here", "friend", key=person(), title="Lupercalia")
    file = Path(house.url.removeprefix("sqlite:///"))

    def written() -> bytes:
        connection = sqlite3.connect(file)
        assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        connection.close()
        return file.read_bytes()

    assert b"Saturnalia" in written()
    assert house.run(obey(house.server, Erase(table))).problem is None
    house.run(house.stores[0].probe())
    after = written()
    assert (b"Saturnalia" in after, table.encode() in after, b"Lupercalia" in after) == (False, False, True)


def test_a_table_that_cannot_be_read_is_listed_and_can_be_erased(house: Harness) -> None:
    table = house.lay("here", "friend", key=person()).table
    connection = sqlite3.connect(house.url.removeprefix("sqlite:///"))
    with connection:
        connection.execute("UPDATE events SET body = x'ff'")
        connection.execute("UPDATE tables SET summary = x'ff'")
    connection.close()
    house.restart()
    assert [(row.table, row.phase) for row in house.run(obey(house.server, List(10))).tables] == [(table, "unreadable")]
    assert house.run(obey(house.server, ShutTable(table))).problem is not None
    assert house.run(obey(house.server, Erase(table))).problem is None
    assert house.run(obey(house.server, List(10))).tables == []


def spoil(house: Harness, *changes: str) -> tuple[str, str]:
    """Damage the file; how to name it."""
    file = house.url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(file)) as connection, connection:
        for change in changes:
            connection.execute(change)
    return "--data", file


def test_a_damaged_table_is_told_of_in_a_line(house: Harness) -> None:
    table = house.lay("here", "friend", key=person()).table
    data = spoil(house, "UPDATE events SET body = x'ff'")
    for action in (["close", table], ["ban", table, "1"]):
        status, told, line = typed(*action, *data)
        assert (status, told, line.count("\n")) == (2, "", 1), line
        assert "damaged" in line


@pytest.mark.parametrize("moment", ["1e300", "9e999", "-1e18"])
def test_a_list_tells_no_moment_that_there_is_not_and_sends_the_terminal_no_orders(house: Harness, moment: str) -> None:
    house.lay("here", "friend", key=person())
    data = spoil(
        house, "PRAGMA foreign_keys=OFF", f"UPDATE tables SET updated = {moment}",
        "UPDATE tables SET id = 'a' || char(27) || ']0;gone' || char(7)",
    )  # fmt: skip
    status, told, line = typed("list", *data)
    assert (status, line) == (0, "")
    assert told.startswith(r"a\x1b]0;gone\x07  never  ")
