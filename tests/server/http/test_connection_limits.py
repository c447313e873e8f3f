"""Half-open, slow and idle connections are cut by time and number, and whoever has a seat keeps his place."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import struct
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from uvicorn.server import ServerState

from avecaesar.cli.serve import configured
from avecaesar.server.http.connection_limits import HEADROOM, QUEUE, Gate, Patience, files_allowed, most_connections
from avecaesar.server.http.gatekeeper import Settings
from avecaesar.server.http.protocols import protocols
from avecaesar.server.networks import NEIGHBOURS
from raw_connections import HALF, UPGRADE, end_of, opened, status_of
from servers import ROOMY, ServerClient, as_typed, hear, in_a_thread

LONG = 3600.0  # seconds: for ever
SOON = 0.01
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has as many addresses of its own")


def test_a_header_that_does_not_end_is_waited_for_a_while_only(tmp_path: Path) -> None:
    with in_a_thread(tmp_path / "a.db", patience=Patience(header=SOON)) as server:
        for said in (b"", b"G", HALF):
            with opened(server, said) as half:
                assert end_of(half) == b""
        assert server.client.get("/api/health").status_code == 200


def test_a_second_header_that_does_not_end_is_cut_too(tmp_path: Path) -> None:
    patience, whole = Patience(header=0.5, idle=3600), HALF + b"\r\n\r\n"
    with in_a_thread(tmp_path / "a.db", patience=patience) as server, opened(server, whole) as half:
        assert half.recv(65536).startswith(b"HTTP/1.1 200")
        half.sendall(HALF)
        end_of(half)


def test_who_asks_nothing_more_is_let_go(tmp_path: Path) -> None:
    patience, whole = Patience(header=LONG, idle=1), HALF + b"\r\n\r\n"
    with in_a_thread(tmp_path / "a.db", patience=patience) as server, opened(server, whole) as idle:
        assert end_of(idle).startswith(b"HTTP/1.1 200")


def test_who_does_not_read_his_answer_is_cut(tmp_path: Path) -> None:
    with in_a_thread(tmp_path / "a.db", patience=Patience(header=LONG, unread=SOON)) as server:
        asked = b"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 400
        port = int(server.url.rpartition(":")[2])
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.settimeout(60)
            deaf.connect(("127.0.0.1", port))
            with suppress(ConnectionResetError, BrokenPipeError):
                while True:  # he asks and asks, until nobody listens to him any more
                    deaf.sendall(asked)
        assert server.client.get("/api/health").status_code == 200


def test_half_open_connections_make_room_for_whoever_asks(tmp_path: Path) -> None:
    patience = Patience(in_all=8, header=LONG)
    with in_a_thread(tmp_path / "a.db", patience=patience) as server, ExitStack() as stack:
        half = [stack.enter_context(opened(server, HALF)) for _ in range(40)]
        for _ in range(3):
            with opened(server, HALF + b"\r\nConnection: close\r\n\r\n") as asking:
                assert end_of(asking).startswith(b"HTTP/1.1 200")
        assert [end_of(connection) for connection in half[:30]] == [b""] * 30  # the oldest went first


@linux
def test_an_address_has_its_own_measure_and_takes_nobody_elses_place(tmp_path: Path) -> None:
    patience = Patience(of_an_address=3, header=LONG)
    with in_a_thread(tmp_path / "a.db", Settings(limits=ROOMY), patience) as server, ExitStack() as stack:
        other = stack.enter_context(opened(server, HALF))
        table = server.lay()["table"]
        handshake = (
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ).encode()
        watching = [stack.enter_context(opened(server, handshake, "127.0.0.66")) for _ in range(3)]
        assert [connection.recv(12) for connection in watching] == [b"HTTP/1.1 101"] * 3
        with opened(server, HALF, "127.0.0.66") as fourth:
            assert end_of(fourth).startswith(b"HTTP/1.1 503")
        watching[0].close()
        other.sendall(b"\r\nConnection: close\r\n\r\n")
        assert end_of(other).startswith(b"HTTP/1.1 200")


def test_behind_a_proxy_its_connections_are_everybodys(tmp_path: Path) -> None:
    patience = Patience(of_an_address=2, header=LONG, proxy=True)
    with in_a_thread(tmp_path / "a.db", patience=patience) as server, ExitStack() as stack:
        half = [stack.enter_context(opened(server, HALF)) for _ in range(10)]
        for connection in half:
            connection.sendall(b"\r\nConnection: close\r\n\r\n")
        assert {end_of(connection)[:12] for connection in half} == {b"HTTP/1.1 200"}


def test_a_header_beyond_all_measure_is_refused(tmp_path: Path) -> None:
    patience, endless = Patience(header=LONG), HALF + b"x" * 100_000
    with in_a_thread(tmp_path / "a.db", patience=patience) as server, opened(server, endless) as connection:
        assert end_of(connection)[:12] in (b"HTTP/1.1 400", b"")  # b"": the line was cut before it was read


def test_there_are_always_files_left_for_the_tables() -> None:
    assert most_connections(1024) == 1024 - HEADROOM
    assert 0 < most_connections(64) < 64
    assert files_allowed() == files_allowed() > 64


# ---------------------------------------------------------------------- crumbs

COUNTED = (
    "protocols.<locals>.Http",
    "protocols.<locals>.Socket",
    "ServerProtocol",
    "_SelectorSocketTransport",
    "BlockingIOError",
)


def test_a_connection_that_is_gone_leaves_no_garbage(served: ServerClient) -> None:
    """The collector holds everybody up: whoever comes and goes by thousands must not call it."""

    def known() -> int:
        return sum(type(one).__qualname__ in COUNTED for one in gc.get_objects())

    table = served.lay()["table"]
    gc.collect()
    before = known()
    gc.disable()
    try:
        for _ in range(20):
            with opened(served, HALF):
                pass
            with opened(served, HALF + b"\r\n\r\n") as asking:
                assert status_of(asking) == 200
            with opened(served, HALF + b"\r\n\r\n") as resetting:
                assert status_of(resetting) == 200
                resetting.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            with served.socket(table) as connection:
                hear(connection)
        for _ in range(1000):  # until it has heard that they are gone
            assert served.client.get("/api/health").status_code == 200
            if known() <= before + 1:
                break
        assert known() <= before + 1
    finally:
        gc.enable()


def test_what_a_server_has_loaded_is_not_looked_through_again_and_again(tmp_path: Path) -> None:
    """The collector's full pass takes a tenth of a second where there are thousands of connections."""
    usual = gc.get_threshold()
    with in_a_thread(tmp_path / "a.db"):
        assert gc.get_freeze_count() > 100_000
    assert gc.get_threshold() == usual


@linux
def test_whoever_comes_while_the_server_is_busy_waits_in_line(tmp_path: Path) -> None:
    """Where the line is too short, the system does not answer at all, and one tries again after a second."""
    with as_typed(tmp_path / "a.db") as server, ExitStack() as stack:
        assert server.process is not None
        os.kill(server.process.pid, signal.SIGSTOP)
        try:
            for _ in range(QUEUE // 8):
                stack.enter_context(opened(server, HALF))
        finally:
            os.kill(server.process.pid, signal.SIGCONT)


class Alarms:
    """A loop whose clock stands still: what it would do later, and after how many seconds."""

    def __init__(self) -> None:
        self.set: list[tuple[float, Any]] = []

    def call_later(self, seconds: float, what: Any) -> Alarms:
        self.set.append((seconds, what))
        return self

    def cancel(self) -> None:
        self.set.clear()


async def no_app(scope: Any, receive: Any, send: Any) -> None: ...


def test_who_does_not_read_what_a_table_tells_is_cut() -> None:
    """uvicorn pings him and closes, but asyncio keeps a line open until all is read that went before."""
    patience, alarms = Patience(), Alarms()
    _, kind = protocols(Gate(patience))
    socket: Any = kind(configured(no_app, patience), ServerState(), {}, alarms)  # type: ignore[call-arg,arg-type]
    socket.transport = Mock()
    socket.transport.is_closing.return_value = False
    cut = [(patience.unread, socket.transport.abort)]
    socket.pause_writing()
    assert alarms.set == cut
    socket.resume_writing()  # he reads
    assert alarms.set == []
    socket.keepalive_timeout()
    assert alarms.set == cut
    socket.resume_writing()  # not to the end, perhaps
    assert alarms.set == cut


@pytest.mark.parametrize(
    "handshake",
    [
        UPGRADE + b"Content-Length: 5\r\n\r\n",
        UPGRADE + b"Transfer-Encoding: chunked\r\n\r\n",
        UPGRADE + b"A: " + b"b" * 9000 + b"\r\n\r\n",
        UPGRADE.replace(b"tables/x", b"tables/" + b"x" * 9000) + b"\r\n",
        HALF + b"\r\n\r\n" + UPGRADE + b"Content-Length: 5\r\n\r\n",
    ],
    ids=["length", "chunked", "line", "path", "second"],
)
def test_a_handshake_that_cannot_be_read_is_refused_at_once(served: ServerClient, handshake: bytes) -> None:
    """h11 takes it for a request to upgrade, and websockets for none; uvicorn would keep such a line for ever."""
    with opened(served, handshake) as connection:
        assert b"HTTP/1.1 400" in end_of(connection)


class Hall:
    """One connection on which somebody asks for a socket, and an application that takes its time."""

    def __init__(self, patience: Patience) -> None:
        self.gate, self.transport = Gate(patience), self.connection()
        self.accept, self.accepted, self.gone = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.transport.abort.side_effect = self.gone.set
        http, socket = protocols(self.gate)

        async def app(scope: Any, receive: Any, send: Any) -> None:
            await self.accept.wait()
            await send({"type": "websocket.accept"})
            self.accepted.set()
            await receive()

        config = configured(app, patience)  # type: ignore[arg-type]
        config.load()
        config.ws_protocol_class = socket
        line: Any = http(config, ServerState(), {})  # type: ignore[call-arg]
        line.connection_made(self.transport)
        line.data_received(UPGRADE + b"\r\n")

    @staticmethod
    def connection() -> Mock:
        transport = Mock(spec=asyncio.Transport)
        transport.is_closing.return_value = False
        transport.get_extra_info.return_value = None
        return transport


@pytest.mark.parametrize("is_open", [False, True])
def test_a_socket_makes_room_for_others_until_it_is_accepted(is_open: bool) -> None:
    async def try_it() -> None:
        hall = Hall(Patience(in_all=1, header=LONG))
        await asyncio.sleep(0)
        if is_open:
            hall.accept.set()
            await asyncio.wait_for(hall.accepted.wait(), 60)
        assert hall.gate.enter(Hall.connection()) is not is_open
        assert hall.transport.abort.called is not is_open

    asyncio.run(try_it())


def test_a_socket_that_is_not_accepted_is_cut_in_the_time_of_a_header() -> None:
    async def try_it() -> None:
        hall = Hall(Patience(header=SOON))
        await asyncio.wait_for(hall.gone.wait(), 60)

    asyncio.run(try_it())


def test_a_socket_that_is_accepted_has_all_the_time_there_is() -> None:
    patience, alarms = Patience(), Alarms()
    _, kind = protocols(Gate(patience))
    socket: Any = kind(configured(no_app, patience), ServerState(), {}, alarms)  # type: ignore[call-arg,arg-type]
    socket.connection_made(transport := Hall.connection())
    assert alarms.set == [(patience.header, transport.abort)]
    socket.ping_interval = None
    socket.scope, socket.response = {"client": None, "path": "/", "query_string": b""}, Mock(headers={"Date": ""})
    socket.conn = Mock(**{"data_to_send.return_value": []})
    asyncio.run(socket.send({"type": "websocket.accept"}))
    assert alarms.set == []


# ---------------------------------------------------------------------- large answers


@linux
def test_a_network_has_its_own_measure(tmp_path: Path) -> None:
    begun = (
        b"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
    )
    patience = Patience(of_an_address=2, header=LONG)
    with in_a_thread(tmp_path / "a.db", patience=patience) as server, ExitStack() as stack:
        for number in range(2 * NEIGHBOURS):
            asking = stack.enter_context(opened(server, begun, f"127.0.7.{1 + number // 2}"))
            with opened(server, HALF + b"\r\n\r\n", "127.0.8.1") as other:  # whose turn comes after his
                assert status_of(other) == 200
            assert asking.fileno() >= 0
        with opened(server, HALF + b"\r\n\r\n", "127.0.7.99") as neighbour:
            assert end_of(neighbour).startswith(b"HTTP/1.1 503")
        with opened(server, HALF + b"\r\n\r\n", "127.0.8.1") as other:
            assert status_of(other) == 200
