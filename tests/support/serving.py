"""Real servers for tests: in a thread of this process, or as the command that people type."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from avecaesar.cli.serve import configured
from avecaesar.server.http.app import create_app
from avecaesar.server.http.connection_limits import Patience
from avecaesar.server.http.gatekeeper import Limits, Settings
from avecaesar.server.rates import Quotas, Rate
from avecaesar.server.store.database import Store
from avecaesar.server.tables.house import House
from avecaesar.server.tables.keys import Keyring, file_beside
from avecaesar.server.workers.pool import Thinkers

PLENTY = Rate(1e6, 10**6)
ROOMY = Limits(  # nobody is refused for being many
    requests=PLENTY, tables=PLENTY, boards=PLENTY, records=PLENTY, messages_of_person=PLENTY, messages_of_address=PLENTY
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


class Served(NamedTuple):
    """A server that answers."""

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


def heard(connection: ClientConnection) -> dict[str, Any]:
    """The next message."""
    return dict(json.loads(connection.recv(timeout=60)))


def until_closed(connection: ClientConnection) -> list[dict[str, Any]]:
    """Whatever comes until the server closes."""
    messages: list[dict[str, Any]] = []
    with suppress(ConnectionClosed):
        while True:
            messages.append(heard(connection))
    return messages


@contextmanager
def in_a_thread(
    data: Path, settings: Settings | None = None, patience: Patience | None = None, quotas: Quotas = GENEROUS
) -> Iterator[Served]:
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
            yield Served(url, client, app)
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@contextmanager
def as_typed(data: Path, *words: str, env: dict[str, str] | None = None) -> Iterator[Served]:
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
            yield Served(url, client, process=process, told=named)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
