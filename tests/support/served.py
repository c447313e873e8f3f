"""A real server process for tests, on a free port, with a data file of its own; and people who call on it.

    with serving(folder) as server:
        host = server.visitor()
        laid = host.lay(["here", "friend", "scorpus"], pace=0)
        with host.socket(laid["table"]) as socket:
            whole = hear(socket)

It can be stopped, killed without warning and started again, on the same port with the same data. Nothing is waited for
by the clock: a server that has printed its address answers, and a message is waited for until it comes.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from websockets.sync.client import ClientConnection, connect

import luck
from serving import HERE

PATIENCE = 60.0  # seconds after which a test has failed that waits for something: nothing takes so long
RETURNS = 120.0  # seconds for a command of the shell
PLAINLY: dict[str, Any] = {"timeout": PATIENCE, "verify": False}  # no TLS here, and to load certificates takes 20 ms


class Server:
    """`avecaesar serve` in a process of its own."""

    def __init__(self, folder: Path, *options: str, boundless: bool = False) -> None:
        self.folder, self.data = folder, folder / "served.db"
        self.options, self.boundless = options, boundless
        self.port = 0
        self.process: subprocess.Popen[str] | None = None
        self._errors = folder / "errors.txt"

    # ------------------------------------------------------------------ its life

    @property
    def program(self) -> list[str]:
        """What is typed before `serve`."""
        return [sys.executable, luck.__file__]

    @property
    def environment(self) -> dict[str, str]:
        """The variables that it is started with."""
        return {**os.environ, **({luck.BOUNDLESS: "1"} if self.boundless else {})}

    def launch(self) -> None:
        """Start it, and do not wait until it answers; on the port that it had, if it has run before."""
        assert self.process is None, "it is running"
        with self._errors.open("a") as errors:
            self.process = subprocess.Popen(
                [*self.program, "serve", "--port", str(self.port), "--data", str(self.data), *self.options],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,  # so that Ctrl-C here is not heard there
            )

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.launch()
        assert self.process is not None
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.fullmatch(r"Ave Caesar is served at http://localhost:(\d+)\n", line)
        assert found, f"the server does not start: {line}{self.errors}"
        self.port = int(found[1])

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        assert self.process is not None
        self.process.terminate()
        self._bury()

    def kill(self) -> None:
        """End it without warning (kill -9)."""
        assert self.process is not None
        self.process.kill()
        self._bury()

    def restart(self) -> None:
        """Kill it without warning, and start it again."""
        self.kill()
        self.start()

    def _bury(self) -> None:
        assert self.process is not None
        self.process.communicate(timeout=PATIENCE)
        self.process = None

    # ------------------------------------------------------------------ what can be known of it

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def address(self) -> str:
        return f"http://{HERE}:{self.port}"

    @property
    def errors(self) -> str:
        """All that it has complained about so far."""
        return self._errors.read_text() if self._errors.exists() else ""

    @property
    def memory(self) -> int:
        """The bytes that it holds in memory, its workers apart; 0 where that cannot be known, outside Linux."""
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status")
        found = re.search(r"^VmRSS:\s+(\d+) kB", status.read_text(), re.MULTILINE) if status.exists() else None
        return int(found[1]) * 1024 if found else 0

    def visitor(self, key: str | None = None) -> Visitor:
        """Somebody who calls on it: a program with its key, or without one."""
        return Visitor(self, key)


@contextmanager
def serving(folder: Path, *options: str, boundless: bool = False) -> Iterator[Server]:
    """A server that answers, and its end; a boundless one refuses nobody for being many."""
    server = Server(folder, *options, boundless=boundless)
    try:
        server.start()
        yield server
    finally:
        if server.process is not None:
            server.kill()


class Visitor:
    """A program that calls on a server; a seat or a table that it gets gives it its key."""

    def __init__(self, server: Server, key: str | None = None) -> None:
        self.server, self.key = server, key

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def ask(self, path: str, **more: Any) -> httpx2.Response:
        """GET, whatever comes of it."""
        return httpx2.get(self.server.address + path, headers=self.headers, **PLAINLY, **more)

    def send(self, path: str, body: Any, **more: Any) -> httpx2.Response:
        """POST a body in JSON, whatever comes of it."""
        headers = self.headers | {"Content-Type": "application/json"} | more.pop("headers", {})
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return httpx2.post(self.server.address + path, content=content, headers=headers, **PLAINLY, **more)

    def lay(self, seats: Sequence[str | dict[str, Any]], **plan: Any) -> dict[str, Any]:
        """Lay a table: "here", "friend", the name of a driver, or a whole plan for each seat."""
        laid = self._done("/api/tables", {"seats": [_seat(seat) for seat in seats], **plan})
        self.key = laid["token"]
        return laid

    def sit(self, link: str, **wishes: Any) -> dict[str, Any]:
        """Take the seat that a link is for."""
        path, _, token = link.partition("#")
        seated = self._done(f"/api/tables/{path.removeprefix('/t/')}/sit", {"token": token, **wishes})
        self.key = seated["token"]
        return seated

    def whole(self, table: str) -> dict[str, Any]:
        """The table as this visitor may see it, with its story."""
        response = self.ask(f"/api/tables/{table}")
        assert response.status_code == 200, response.text
        return dict(response.json())

    def command(self, table: str, **command: Any) -> dict[str, Any]:
        """Give a command by HTTP: what was answered, be it a refusal."""
        return dict(self.send(f"/api/tables/{table}/commands", command).json())

    def socket(self, table: str, **more: Any) -> ClientConnection:
        """The table's socket, as a context; its messages are heard with `hear`."""
        return call(self.server.address, table, self.headers | more.pop("headers", {}), **more)

    def _done(self, path: str, body: Any) -> dict[str, Any]:
        response = self.send(path, body)
        assert response.is_success, response.text
        return dict(response.json())


def _seat(seat: str | dict[str, Any]) -> dict[str, Any]:
    if isinstance(seat, dict):
        return seat
    return {"kind": seat} if seat in ("here", "friend") else {"kind": "driver", "driver": seat}


def call(address: str, table: str, headers: dict[str, str], /, **more: Any) -> ClientConnection:
    """A table's socket at a server, for whoever these headers are."""
    quietly: dict[str, Any] = {"max_size": None, "max_queue": None, "compression": None, "ping_interval": None}
    opened: ClientConnection = connect(
        f"{address.replace('http', 'ws', 1)}/api/tables/{table}/socket",
        additional_headers=headers,
        open_timeout=PATIENCE,
        **{**quietly, **more},
    )
    return opened


def hear(socket: ClientConnection, *kinds: str) -> dict[str, Any]:
    """The next message; with kinds, the next one of these (whole, news, done, refused, reason, hint, bye)."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
        if not kinds or message["is"] in kinds:
            return message


def tell(socket: ClientConnection, **command: Any) -> None:
    """Send a command."""
    socket.send(json.dumps(command))


def shell(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """A command of `avecaesar`, with what it printed."""
    command = [sys.executable, "-m", "avecaesar", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=RETURNS)
