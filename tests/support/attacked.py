"""A server in a process of its own that is attacked, this one or one of before, and who calls on it."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
import pytest

from checkout import ROOT
from servers import Server, Visitor

ATTACKED = Path(os.environ.get("AVECAESAR_ATTACKED") or ROOT / "src").resolve()
TEXT = {"Content-Type": "text/plain"}
linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up and limited as Linux does it")

JUMP = 7200  # seconds

# Loaded by the attacked process before anything else.
WATCHED = f"""
import os, sys, time

JUMP = {JUMP}

walks, jump = os.environ["TEST_WALKS"], os.environ["TEST_JUMP"]

def watch(event, arguments):
    if event == "os.scandir" and str(arguments[0]).endswith(os.path.join("avecaesar", "web")):
        with open(walks, "a") as file:
            file.write(".")

def jumping(wall=time.time):
    return wall() + (JUMP if os.path.exists(jump) else 0)

sys.addaudithook(watch)
time.time = jumping
"""


class Attacked(Server):
    """The program that is attacked, as it is typed; with as few files as it is given."""

    def __init__(self, folder: Path, *options: str, files: int | None = None) -> None:
        super().__init__(folder, *options)
        self.walks, self.jump, self._files = folder / "walks", folder / "jump", files
        (folder / "sitecustomize.py").write_text(WATCHED)

    @property
    def program(self) -> list[str]:
        limited = ["sh", "-c", f'ulimit -n {self._files}; exec "$@"', "sh"] if self._files else []
        return [*limited, sys.executable, "-m", "avecaesar"]

    @property
    def environment(self) -> dict[str, str]:
        watched = {"TEST_WALKS": str(self.walks), "TEST_JUMP": str(self.jump)}
        return {**os.environ, **watched, "PYTHONPATH": os.pathsep.join([str(self.folder), str(ATTACKED)])}

    def caller(self) -> Caller:
        """Somebody at an address of his own, if the server stands behind a proxy."""
        return Caller(self, f"192.0.2.{next(ADDRESSES)}")

    def rows(self) -> list[tuple[Any, ...]]:
        """All that stands in its database."""
        connection = sqlite3.connect(self.data)
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = [row for name in names for row in connection.execute(f'SELECT * FROM "{name}"')]
        connection.close()
        return found

    def bytes_on_disk(self) -> bytes:
        """What a thief of the database gets, its journal included."""
        return b"".join(file.read_bytes() for file in sorted(self.folder.glob("served.db*")) if file.is_file())


ADDRESSES = count(1)


class Caller(Visitor):
    """A program at an address."""

    def __init__(self, server: Server, address: str) -> None:
        super().__init__(server)
        self.address = address

    @property
    def headers(self) -> dict[str, str]:
        return super().headers | {"X-Forwarded-For": self.address}

    def begin(self, table: str) -> None:
        """Begin the race."""
        begun = self.command(table, do="begin", id="begin", at=self.whole(table)["table"]["changed"])
        assert begun.get("is") == "done", begun

    def hands(self, table: str) -> list[list[int]]:
        """The cards that he is shown."""
        return [hand["cards"] for hand in self.whole(table)["table"]["hands"]]

    def turns(self, table: str) -> int:
        """How many turns were made."""
        return sum(line["kind"] == "turn" for line in self.whole(table)["story"])

    def link(self, table: str, seat: int | None = None) -> str:
        """A link that he is given."""
        made = self.send(f"/api/tables/{table}/links", {"seat": seat})
        assert made.status_code == 200, made.text
        return str(made.json()["link"])

    def opening(self, link: str) -> httpx2.Response:
        """What comes of opening a link; a seat that he gets gives him its key."""
        path, _, token = link.partition("#")
        answer = self.send(f"/api/tables/{path.removeprefix('/t/')}/sit", {"token": token})
        self.key = answer.json()["token"] if answer.is_success else self.key
        return answer

    def upload(self, record: dict[str, Any]) -> str:
        """A replay of a record that is sound."""
        kept = self.send("/api/records", record)
        assert kept.status_code == 201, kept.text
        return str(kept.json()["replay"])

    def with_key(self, key: str) -> Caller:
        """Somebody who has got hold of a key."""
        other = Caller(self.server, self.address)
        other.key = key
        return other


@contextmanager
def attacked(folder: Path, *options: str, files: int | None = None) -> Iterator[Attacked]:
    """The attacked program, which answers; and its end."""
    found = subprocess.run(
        [sys.executable, "-c", "import avecaesar; print(avecaesar.__file__)"],
        env={**os.environ, "PYTHONPATH": str(ATTACKED)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ATTACKED in Path(found.stdout.strip()).resolve().parents, "another program than the one that was named"
    server = Attacked(folder, *options, files=files)
    try:
        server.start()
        yield server
    finally:
        if server.process is not None:
            server.kill()


def stopped(pid: int) -> Iterator[int]:
    """Stop all processes that a process has started, and theirs."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            os.kill(child, signal.SIGSTOP)
            yield child
            yield from stopped(child)


@contextmanager
def workers_at_rest(server: Server) -> Iterator[None]:
    """While this lasts nothing is done that the server does not do itself."""
    assert server.process is not None
    workers = list(stopped(server.process.pid))
    assert workers
    try:
        yield
    finally:
        for worker in workers:
            os.kill(worker, signal.SIGCONT)
