"""Real servers for tests, and people who call on them.

    with serving(folder) as server:
        host = server.visitor()
        laid = host.lay(["here", "friend", "scorpus"], pace=0)
        with host.socket(laid["table"]) as socket:
            whole = hear(socket)

`serving` starts a process of its own, on a free port, with a data file of its own, and with luck that repeats itself;
it can be stopped, killed without warning and started again, on the same port with the same data. `as_typed` is the
command that people type, and `in_a_thread` a server in this process, which a test can look into.

Nothing is waited for by the clock: a server that has printed its address answers, and a message is waited for until it
comes.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import luck
from avecaesar.cli.serve import configured
from avecaesar.server.http.app import create_app
from avecaesar.server.http.connection_limits import Patience
from avecaesar.server.http.gatekeeper import Limits, Settings
from avecaesar.server.rates import Quotas, Rate
from avecaesar.server.store.database import Store
from avecaesar.server.tables.house import House
from avecaesar.server.tables.keyring import Keyring, file_beside
from avecaesar.server.workers.pool import Thinkers

PATIENCE = 60.0  # seconds after which a test has failed that waits for something: nothing takes so long
RETURNS = 120.0  # seconds for a command of the shell
PLAINLY: dict[str, Any] = {"timeout": PATIENCE, "verify": False}  # no TLS here, and to load certificates takes 20 ms
PLENTY = Rate(1e6, 10**6)
ROOMY = Limits(  # nobody is refused for being many
    requests=PLENTY,
    tables=PLENTY,
    boards=PLENTY,
    records=PLENTY,
    messages_of_person=PLENTY,
    messages_of_address=PLENTY,
    reads=10**6,
)
GENEROUS = Quotas(
    links=PLENTY,
    sayings=PLENTY,
    deeds=PLENTY,
    chatter=PLENTY,
    driven=PLENTY,
    comings=PLENTY,
    uploads=Rate(1e12, 10**12),
    courses=PLENTY,
    written=PLENTY,
    pace=0.0,
    open_tables=10**6,
)
HERE = "127.0.0.1"  # not every machine has a file of hosts that knows "localhost"
PROGRAM = [sys.executable, "-m", "avecaesar"]


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


# ---------------------------------------------------------------------- servers for clients of HTTP


class ServerClient(NamedTuple):
    """A server that answers, and a client of it."""

    url: str
    client: httpx2.Client
    app: Any = None
    process: subprocess.Popen[str] | None = None
    told: str = ""  # its address in the words of the command

    def lay(self, *seats: dict[str, str], **more: Any) -> dict[str, Any]:
        """A table, laid by a program."""
        answer = self.client.post("/api/tables", json={"seats": seats or [{"kind": "here"}, {}], "pace": 0, **more})
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def command(self, laid: dict[str, Any], **command: Any) -> httpx2.Response:
        """A command of the host's."""
        key = {"Authorization": f"Bearer {laid['token']}"}
        return self.client.post(f"/api/tables/{laid['table']}/commands", json=command, headers=key)

    def table(self, laid: dict[str, Any]) -> dict[str, Any]:
        """The table as its host sees it."""
        key = {"Authorization": f"Bearer {laid['token']}"}
        return dict(self.client.get(f"/api/tables/{laid['table']}", headers=key).json()["table"])

    def socket(
        self, table: str, key: str | None = None, compression: str | None = None, **headers: str
    ) -> ClientConnection:
        """A connection to a table; it is compressed only if both sides want that."""
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        address = f"{self.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
        return connect(address, additional_headers=headers, max_size=None, proxy=None, compression=compression)


def until_closed(connection: ClientConnection) -> list[dict[str, Any]]:
    """Whatever comes until the server closes."""
    messages: list[dict[str, Any]] = []
    with suppress(ConnectionClosed):
        while True:
            messages.append(hear(connection))
    return messages


@contextmanager
def in_a_thread(
    data: Path, settings: Settings | None = None, patience: Patience | None = None, quotas: Quotas = GENEROUS
) -> Iterator[ServerClient]:
    """A server in this process, by default one that refuses nobody for being many."""
    house = House(Store(f"sqlite:///{data}"), Thinkers(1), quotas=quotas, keys=Keyring.at(file_beside(data)))
    app = create_app(house, settings or Settings(limits=ROOMY))
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(configured(app, patience))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    try:
        with httpx2.Client(base_url=url, timeout=600, trust_env=False) as client:
            assert client.get("/api/health").status_code == 200
            yield ServerClient(url, client, app)
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@contextmanager
def as_typed(data: Path, *words: str, env: dict[str, str] | None = None) -> Iterator[ServerClient]:
    """`avecaesar serve`, on a free port if none is named; it answers once it has told its address."""
    port = () if "--port" in words else ("--port", "0")
    command = [*PROGRAM, "serve", "--data", str(data), "--workers", "1", *port, *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        told = process.stdout.readline()
        assert told.startswith("Ave Caesar is served at http://"), told + process.stderr.read()
        named = told.split()[-1]
        url = named.replace("localhost", HERE)
        with httpx2.Client(base_url=url, timeout=600, trust_env=False) as client:
            yield ServerClient(url, client, process=process, told=named)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
