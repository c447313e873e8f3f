"""Is the server well, and what does it say when it is not: a full disk, a damaged file, a writer or worker who hangs.

The disk is really full: its files have a limit (RLIMIT_FSIZE), as a disk has, in a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import DatabaseError

from avecaesar.server import ready as module
from avecaesar.server.fairness import Asker, on_behalf_of
from avecaesar.server.ready import IN_TIME, KEPT, Readiness
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.database import Store
from avecaesar.server.tables.driving import BREATH
from avecaesar.server.workers.pool import Thinkers
from checkout import BOARDS, TESTS
from harness import Guest, Harness, person, settle
from servers import ServerClient, hear, in_a_thread

SORRY = "tables cannot be read or written just now: try again later"


class Counted(Readiness):
    """Counts its checks; its clock is set by hand."""

    def __init__(self, house: Harness) -> None:
        self.now, self.checks = 0.0, 0
        super().__init__(house.stores[0], house.thinkers, lambda: self.now, house.time.sleep)

    async def _look(self) -> tuple[module.Part, ...]:
        self.checks += 1
        return await super()._look()


# ---------------------------------------------------------------------- asking


def test_a_server_that_is_well_is_ready_and_has_written_something(house: Harness) -> None:
    readiness = Counted(house)
    assert house.run(readiness.unwell()) == ()
    connection = sqlite3.connect(house.url.removeprefix("sqlite:///"))
    assert connection.execute("SELECT count(*) FROM kept WHERE kind = 'probe'").fetchone() == (1,)
    first = connection.execute("SELECT body FROM kept").fetchall()
    readiness.now += KEPT
    assert house.run(readiness.unwell()) == ()
    second = connection.execute("SELECT body FROM kept").fetchall()
    assert (len(second), second != first) == (1, True)
    connection.close()


def test_a_flood_of_questions_is_one_check(house: Harness) -> None:
    readiness = Counted(house)

    async def flood() -> None:
        answers = await asyncio.gather(*(readiness.unwell() for _ in range(500)))
        assert (set(answers), readiness.checks) == ({()}, 1)
        readiness.now += KEPT * 0.9
        await readiness.unwell()
        assert readiness.checks == 1
        readiness.now += KEPT * 0.1
        await asyncio.gather(*(readiness.unwell() for _ in range(500)))
        assert readiness.checks == 2

    house.run(flood())


def test_too_little_room_and_too_long_a_queue_are_told(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "free", module.LEAST_FREE - 1)
    house.stores[0].queued = module.MOST_QUEUED + 1
    assert house.run(Counted(house).unwell()) == ("disk", "writer")
    house.stores[0].queued = 0
    monkeypatch.setattr(Store, "free", module.LEAST_FREE)
    assert house.run(Counted(house).unwell()) == ()


def test_the_queue_counts_what_waits(house: Harness) -> None:
    store, go = house.stores[0], threading.Event()

    def held() -> None:
        assert go.wait(60)

    async def queue() -> None:
        writing = [asyncio.create_task(store._write(lambda _: held())) for _ in range(5)]
        await settle()
        assert store.queued == 5
        go.set()
        await asyncio.gather(*writing)
        assert store.queued == 0

    house.run(queue())


class Hangs:
    """Somebody who does not answer until he is told to, and how often he was asked."""

    def __init__(self) -> None:
        self.asked, self.go = 0, asyncio.Event()

    async def __call__(self) -> None:
        self.asked += 1
        await self.go.wait()


async def at_once() -> None:
    """Somebody who is well."""


async def in_vain(
    house: Harness, readiness: Readiness, meanwhile: Callable[[], Awaitable[object]] = at_once
) -> tuple[module.Part, ...]:
    """What is found when everybody's time is up."""
    asking = asyncio.create_task(readiness.unwell())
    while not any(when == house.time.passed + IN_TIME and not alarm.done() for when, alarm in house.time._sleepers):
        await asyncio.sleep(0)
    await settle()
    await meanwhile()
    await house.time.pass_by(IN_TIME)
    return await asking


def test_a_writer_who_hangs_is_asked_once_and_is_well_when_he_answers(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        readiness, hangs = Counted(house), Hangs()
        monkeypatch.setattr(house.stores[0], "probe", hangs)
        monkeypatch.setattr(house.thinkers, "ping", at_once)
        for _ in range(3):
            assert await in_vain(house, readiness) == ("writer",)
            readiness.now += KEPT
        assert hangs.asked == 1
        hangs.go.set()
        assert await readiness.unwell() == ()
        await readiness.close()

    house.run(play())


def test_workers_are_well_while_any_of_them_gets_something_done(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        readiness, hangs = Counted(house), Hangs()
        monkeypatch.setattr(house.thinkers, "ping", hangs)
        monkeypatch.setattr(house.stores[0], "probe", at_once)
        assert await in_vain(house, readiness) == ("workers",)
        readiness.now += KEPT
        others_work = partial(house.thinkers.call, abs, -1)  # which is done, and the ping waits behind it
        assert await in_vain(house, readiness, others_work) == ()
        assert hangs.asked == 1
        await readiness.close()

    house.run(play())


def test_a_worker_answers_and_dead_ones_do_not(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    async def dead() -> None:
        raise OSError(10, "it ended before its time", "a worker process")

    assert house.run(Counted(house).unwell()) == ()
    monkeypatch.setattr(house.thinkers, "ping", dead)
    assert house.run(Counted(house).unwell()) == ("workers",)


# ---------------------------------------------------------------------- a full disk

FULL_DISK = """
import json, logging, resource, signal, sys
from pathlib import Path
from servers import in_a_thread

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
logging.basicConfig(stream=sys.stderr, format="%(message)s")

def told(name, answer):
    print(json.dumps([name, answer.status_code, answer.json()]))

with in_a_thread(Path(sys.argv[1])) as server:
    laid = server.lay({"kind": "here"}, {"kind": "friend"})
    table, key = laid["table"], {"Authorization": "Bearer " + laid["token"]}
    board = Path(sys.argv[2]).read_text()

    def everything():
        at = server.table(laid)["changed"]
        told("lay", server.client.post("/api/tables", json={"seats": [{"kind": "here"}, {}]}))
        told("link", server.client.post(f"/api/tables/{table}/links", json={"seat": None}, headers=key))
        told("board", server.client.post("/api/boards", content=board, headers={"Content-Type": "text/plain"}))
        told("say", server.command(laid, do="say", id="1", text="Ave!"))
        token = laid["invitation"].partition("#")[2]
        told("sit", server.client.post(f"/api/tables/{table}/sit", json={"token": token}))
        told("look", server.client.get(f"/api/tables/{table}", headers=key))
        told("health", server.client.get("/api/health"))
        told("ready", server.client.get("/api/ready"))

    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, most))
    everything()
    print("room")
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    server.app.state.readiness._kept = None
    everything()
"""


def test_on_a_full_disk_every_write_is_a_503_without_a_path_and_later_it_goes_on(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path / "tables.db"), str(BOARDS / "plain.board")],
        capture_output=True, text=True, check=True, cwd=TESTS / "support", timeout=300,
    )  # fmt: skip
    full, roomy = ([json.loads(line) for line in part.splitlines()] for part in done.stdout.split("room\n"))
    assert {name: status for name, status, _ in full} == {
        "lay": 503, "link": 503, "board": 503, "say": 503, "sit": 503, "look": 200, "health": 200, "ready": 503,
    }  # fmt: skip
    problems = {name: answer.get("problem") for name, _, answer in full}
    assert {problems[name] for name in ("lay", "board")} == {SORRY}
    assert {problems[name] for name in ("say", "sit", "link")} == {"this could not be written down: try again"}
    assert problems["ready"] == "The database cannot be written."
    assert str(tmp_path) not in done.stdout
    assert all(200 <= status < 300 for _, status, _ in roomy), roomy
    began, over = done.stderr.splitlines()
    assert re.match(rf"{tmp_path}/tables.db: the database cannot be used: .*; ", began)
    assert over == f"{tmp_path}/tables.db can be written again"


def test_readiness_asks_a_worker_whatever_an_address_has_asked_for() -> None:
    """Neither quotas nor long errands of the visitor who asks for it make the workers look dead."""

    async def ask() -> None:
        thinkers = Thinkers(2)
        await thinkers.open()
        try:
            with on_behalf_of(Asker("192.0.2.1", "192.0.2.1")):
                thinkers._asked.update({("address", "192.0.2.1"): 10_000})
                await thinkers.ping()
        finally:
            await thinkers.close()

    asyncio.run(ask())


# ---------------------------------------------------------------------- a damaged file


def spoil(file: Path) -> None:
    """Overwrite every page of a database but its first."""
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
    connection.close()
    size = file.stat().st_size
    with file.open("r+b") as raw:
        raw.seek(4096)
        raw.write(b"\xff" * (size - 4096))


def ways_in(server: ServerClient, laid: dict[str, Any]) -> dict[str, Callable[[], Any]]:
    """Everything that asks the database."""
    table, key = laid["table"], {"Authorization": f"Bearer {laid['token']}"}
    post, get = server.client.post, server.client.get
    board = (BOARDS / "plain.board").read_text()
    return {
        "lobby": lambda: get("/api/tables", headers=key),
        "lay": lambda: post("/api/tables", json={"seats": [{"kind": "here"}, {}]}),
        "look": lambda: get(f"/api/tables/{table}", headers=key),
        "link": lambda: post(f"/api/tables/{table}/links", json={"seat": None}, headers=key),
        "sit": lambda: post(f"/api/tables/{table}/sit", json={"token": laid["invitation"].partition("#")[2]}),
        "say": lambda: server.command(laid, do="say", id="1", text="Ave!"),
        "board": lambda: post("/api/boards", content=board, headers={"Content-Type": "text/plain"}),
        "a board's course": lambda: get(f"/api/courses/blue/clockwise?board={'1' * 64}"),
        "a replay": lambda: get(f"/api/replays/{'1' * 64}"),
        "ready": lambda: get("/api/ready"),
    }


def test_a_damaged_file_is_a_503_without_a_path_and_one_line_of_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "tables.db"
    with in_a_thread(file) as server:
        laid = server.lay({"kind": "here"}, {"kind": "friend"})
        with server.socket(laid["table"], laid["token"]) as before:
            assert hear(before)["is"] == "whole"
            spoil(file)
            for name, ask in ways_in(server, laid).items():
                answer = ask()
                assert answer.status_code == 503, (name, answer.text)
                assert str(tmp_path) not in answer.text, name
                assert "malformed" not in answer.text, name
            before.send(json.dumps({"do": "say", "id": "2", "text": "Ave!"}))
            refused = hear(before)
            assert (refused["is"], str(tmp_path) in str(refused)) == ("refused", False)
        with server.socket(laid["table"], laid["token"]) as after:
            assert hear(after) == {"is": "bye", "problem": SORRY}
        assert server.client.get("/api/health").status_code == 200
    lines = [record.getMessage() for record in caplog.records if record.name == "avecaesar.server"]
    assert lines == [
        f"{file}: database disk image is malformed; the file is damaged: stop the server and restore it from a backup"
    ]


def test_a_table_whose_log_is_damaged_is_a_503_and_one_line_of_the_log(
    house: Harness, caplog: pytest.LogCaptureFixture
) -> None:
    """SQLite does not notice every damage: a log may be there and mean nothing."""
    table = house.lay("here", "scorpus", key=person()).table
    file = house.url.removeprefix("sqlite:///")
    connection = sqlite3.connect(file)
    with connection:
        connection.execute("UPDATE events SET body = x'ff' WHERE number = 1")
    connection.close()
    house.restart()
    for _ in range(3):
        with pytest.raises(RefusedError, match="damaged") as refused:
            house.run(house.server.shown(table, []))
        assert refused.value.status == 503
    (record,) = caplog.records
    assert record.getMessage().startswith(f"table {table}: its log is damaged and cannot be read: DecodeError")


def test_drivers_who_wait_for_the_disk_do_not_fill_the_log(
    house: Harness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    livia = person()
    tables = [house.lay("scorpus", "festina", key=livia).table for _ in range(3)]
    store, tries = house.stores[0], [0]
    write = store._changing

    def full(work: Any) -> None:
        tries[0] += 1
        with store._telling():
            raise DatabaseError("x", None, sqlite3.OperationalError("database or disk is full"))

    async def play() -> None:
        for table in tables:
            guest = await Guest.at(house.server, table, livia)
            await guest.begin()
        monkeypatch.setattr(store, "_changing", full)
        for _ in range(3):
            seen = tries[0]
            while tries[0] < seen + 3:
                await asyncio.sleep(0.001)
                await house.time.pass_by(BREATH)
        monkeypatch.setattr(store, "_changing", write)

    house.run(play())
    assert len([record for record in caplog.records if record.levelno >= logging.ERROR]) == 1
