"""Half-open, slow and idle connections are cut by time and number, and whoever has a seat keeps his place."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPResponse
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from h11._receivebuffer import ReceiveBuffer
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import Response
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed

from avecaesar.cli.serve import configured
from avecaesar.server.http import app as app_module
from avecaesar.server.http.app import LARGE, LARGE_AT_ONCE, PIECE, InPieces
from avecaesar.server.http.connection_limits import HEADROOM, QUEUE, Gate, Patience, files_allowed, most_connections
from avecaesar.server.http.gatekeeper import Settings
from avecaesar.server.http.protocols import (
    FEW_PIECES,
    LARGEST_BITE,
    LEAST_PIECE,
    LINES_A_BITE,
    MOST_LINES,
    SOCKET_BITE,
    UNSENT,
    bite,
    protocols,
)
from avecaesar.server.networks import NEIGHBOURS
from servers import ROOMY, ServerClient, as_typed, hear, in_a_thread

HALF = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: "
UPGRADE = (
    b"GET /api/tables/x/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
LONG = 3600.0  # seconds: for ever
SOON = 0.01
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has as many addresses of its own")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerClient]:
    with in_a_thread(tmp_path_factory.mktemp("gate") / "gate.db") as server:
        yield server


@contextmanager
def opened(server: ServerClient, said: bytes = b"", address: str = "127.0.0.1") -> Iterator[socket.socket]:
    """A connection on which this was said and nothing else."""
    port = int(server.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(address, 0)) as connection:
        connection.sendall(said)
        yield connection


def end_of(connection: socket.socket) -> bytes:
    """Whatever comes until the server ends it."""
    came = b""
    try:
        while part := connection.recv(65536):
            came += part
    except ConnectionResetError:
        pass
    return came


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


def chunked(path: str, *chunks: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    return f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + body + b"0\r\n\r\n"


PLAN = b'{"seats":[{"kind":"here"},{"driver":"scorpus"}]}'


def status_of(connection: socket.socket) -> int:
    return int(connection.recv(65536)[9:12])


def test_a_body_may_come_in_chunks_but_not_in_crumbs(served: ServerClient) -> None:
    padded = PLAN + b" " * 16_000
    whole = [padded[at : at + 2 * LEAST_PIECE] for at in range(0, len(padded), 2 * LEAST_PIECE)]
    few = [PLAN[at : at + 1] for at in range(len(PLAN))]
    assert len(few) < FEW_PIECES < len(whole)
    for chunks in (whole, few):
        with opened(served, chunked("/api/check", *chunks)) as connection:
            assert status_of(connection) == 200
    crumbs = chunked("/api/check", *(padded[at : at + 1] for at in range(len(padded))))
    with opened(served, crumbs) as connection:
        assert end_of(connection)[:12] in (b"HTTP/1.1 400", b"")  # nothing: it was cut before that was read


@pytest.mark.parametrize("many", [101, 7000])
def test_a_header_has_a_hundred_lines_at_most_and_few_more_are_ever_read(
    served: ServerClient, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    """h11 reads a header in one go, some microseconds a line, before anybody is counted."""
    read, extract = list[int](), ReceiveBuffer.maybe_extract_lines

    def see(self: ReceiveBuffer) -> list[bytearray] | None:
        lines = extract(self)
        read.append(len(lines or ()))
        return lines

    monkeypatch.setattr(ReceiveBuffer, "maybe_extract_lines", see)
    ask, end = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"\r\n\r\n"
    trailers = chunked("/api/check", PLAN).removesuffix(b"\r\n") + b"a:\r\n" * many + b"\r\n"
    upgrade = UPGRADE + b"a:\r\n" * many + b"\r\n"
    for asked in (ask + b"a:\r\n" * many + end, HALF + b"\r\n x" * 7000 + end, trailers, upgrade):
        with opened(served, asked) as connection:
            assert end_of(connection)[:12] in (b"HTTP/1.1 400", b"")  # nothing: it was cut before that was read
    assert 0 < max(read) <= MOST_LINES + LINES_A_BITE
    with opened(served, (ask + b"a:\r\n" * (MOST_LINES - 1) + b"\r\n") * 3) as connection:
        assert status_of(connection) == 200


@given(st.lists(st.sampled_from([b"1\r\n \r\n", b"a" * 5000, b"\n", b"x: y\r\n" * 90]), max_size=60))
def test_what_arrives_at_once_is_read_in_bites(parts: list[bytes]) -> None:
    data = b"".join(parts)
    left, bites = bytearray(data), list[bytes]()
    while left:
        bites.append(bite(left))
    assert b"".join(bites) == data
    assert all(0 < len(one) <= LARGEST_BITE and one.count(b"\n") <= LINES_A_BITE for one in bites)


def test_no_step_reads_more_than_a_bite(served: ServerClient, monkeypatch: pytest.MonkeyPatch) -> None:
    lines, frames = list[int](), list[int]()
    http, websocket = H11Protocol.data_received, WebSocketsSansIOProtocol.data_received

    def see_http(self: H11Protocol, data: bytes) -> None:
        lines.append(data.count(b"\n"))
        http(self, data)

    def see_frames(self: WebSocketsSansIOProtocol, data: bytes) -> None:
        frames.append(len(data) if self.handshake_initiated else 0)
        websocket(self, data)

    monkeypatch.setattr(H11Protocol, "data_received", see_http)
    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", see_frames)
    table = served.lay()["table"]
    with opened(served, chunked("/api/records", *[b" "] * 20_000)) as crumbs:
        end_of(crumbs)
    with served.socket(table) as connection:
        hear(connection)
        with suppress(OSError):
            connection.socket.sendall(b"\x89\x80\0\0\0\0" * 10_000)
            end_of(connection.socket)
    assert 0 < max(lines) <= LINES_A_BITE
    assert 0 < max(frames) <= SOCKET_BITE


def test_requests_that_come_at_once_are_all_answered_in_their_order(served: ServerClient) -> None:
    asked = b"".join(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() for path in ("/api/health", "/api/nothing") * 100
    )
    with opened(served, asked + HALF + b"\r\nConnection: close\r\n\r\n") as connection:
        answers = end_of(connection).split(b"HTTP/1.1 ")[1:]
    assert [answer[:3] for answer in answers] == [b"200", b"404"] * 100 + [b"200"]


def test_a_long_body_arrives_whole(served: ServerClient) -> None:
    body = PLAN[:-1] + b',"title":"' + b"\n" * 70_000 + b'"}'
    answer = served.client.post("/api/check", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    record = b"\n" * (2**20) + b"[]"
    answer = served.client.post("/api/records", content=record, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    plan = json.loads(PLAN)
    assert served.client.post("/api/check", json=plan).status_code == 200


def test_what_is_no_http_after_an_answer_ends_the_line_without_a_word_in_the_log(
    served: ServerClient, caplog: pytest.LogCaptureFixture
) -> None:
    begun = chunked("/api/nothing").removesuffix(b"0\r\n\r\n")
    with caplog.at_level("ERROR"), opened(served, begun) as connection:
        answer = HTTPResponse(connection)
        answer.begin()
        answer.read()  # all of it: its body may come apart from its head
        assert answer.status == 404
        connection.sendall(b"this is no chunk\r\n")
        assert end_of(connection) == b""
        assert served.client.get("/api/health").status_code == 200
    assert caplog.records == []


def test_frames_that_are_no_messages_are_counted(served: ServerClient) -> None:
    most = Patience().frames.at_once
    table = served.lay()["table"]
    ping, pong, fragment = (bytes([opcode, 0x80, 0, 0, 0, 0]) for opcode in (0x89, 0x8A, 0x00))
    for flood in (ping * (10 * most), pong * (10 * most), b"\x01\x80\0\0\0\0" + fragment * (10 * most)):
        with served.socket(table) as connection:
            hear(connection)
            with suppress(OSError):
                connection.socket.sendall(flood)
            with suppress(ConnectionClosed):
                while True:
                    connection.recv(timeout=60)
            assert connection.protocol.close_code == 1006  # it was cut
    with served.socket(table) as connection:
        hear(connection)
        connection.socket.sendall(pong * (most // 4) + ping * (most // 4))
        assert connection.ping("there?").wait(60)


def test_messages_that_come_at_once_or_in_pieces_are_all_read(served: ServerClient) -> None:
    laid = served.lay()
    with served.socket(laid["table"], laid["token"]) as connection:
        hear(connection)
        for number in range(30):
            connection.send(json.dumps({"do": "nothing", "id": f"a{number}", "more": "x" * 900}))
        told = json.dumps({"do": "nothing", "id": "pieces", "more": "x" * 9000})
        connection.send(told[at : at + 500] for at in range(0, len(told), 500))
        answers = [hear(connection) for _ in range(31)]
    assert [answer["id"] for answer in answers] == [*(f"a{number}" for number in range(30)), "pieces"]


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


def test_no_answer_is_written_in_one_piece(served: ServerClient, monkeypatch: pytest.MonkeyPatch) -> None:
    written, send = list[int](), RequestResponseCycle.send

    async def see(self: RequestResponseCycle, message: Any) -> None:
        written.append(len(message.get("body", b"")))
        await send(self, message)

    monkeypatch.setattr(RequestResponseCycle, "send", see)
    monkeypatch.setattr(app_module, "PIECE", 1000)
    for path, packing in (("/api/openapi.json", "identity"), ("/api/openapi.json", "gzip"), ("/", "gzip")):
        answer = served.client.get(path, headers={"Accept-Encoding": packing})
        assert answer.status_code == 200
        assert len(answer.content) > 1000
        assert answer.content.endswith((b"}", b"</html>\n"))
    assert max(written) == 1000


class Reader:
    """Somebody who asks for a large answer and reads it when he likes, at an application that has nothing else."""

    def __init__(self, app: InPieces, address: str) -> None:
        self.heard, self.reads = list[Any](), asyncio.Event()
        scope = {
            "type": "http",
            "path": "/api/replays/x/record",
            "method": "GET",
            "headers": [],
            "client": (address, 0),
        }
        self.task = asyncio.ensure_future(app(scope, self.receive, self.send))

    async def receive(self) -> Any: ...

    async def send(self, message: Any) -> None:
        self.heard.append(message)
        if self.heard[0]["status"] == 200:
            await self.reads.wait()

    @property
    def status(self) -> int:
        return int(self.heard[0]["status"])


def test_large_answers_that_nobody_reads_are_few() -> None:
    body = bytes(range(256)) * (5 * LARGE // 256) + b"."

    async def try_it() -> None:
        app = InPieces(Response(body))
        deaf = [Reader(app, "192.0.2.1") for _ in range(LARGE_AT_ONCE + 1)]
        other = Reader(app, "192.0.3.1")
        await asyncio.sleep(0)
        assert [one.status for one in [*deaf, other]] == [200] * LARGE_AT_ONCE + [429, 200]
        for one in [*deaf, other]:
            one.reads.set()
            await one.task
        for one in [*deaf[:-1], other]:
            parts = one.heard[1:]
            assert b"".join(part["body"] for part in parts) == body
            assert [part["more_body"] for part in parts] == [True] * (len(parts) - 1) + [False]
            assert max(len(part["body"]) for part in parts) == PIECE
        again = Reader(app, "192.0.2.1")
        again.reads.set()
        await again.task
        assert again.status == 200

    asyncio.run(try_it())


def test_the_system_keeps_little_of_what_is_not_read(served: ServerClient, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, made = list[int](), H11Protocol.data_received

    def see(self: H11Protocol, data: bytes) -> None:
        line = self.transport.get_extra_info("socket")
        kept.append(line.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF))
        made(self, data)

    monkeypatch.setattr(H11Protocol, "data_received", see)
    with opened(served, HALF + b"\r\n\r\n") as connection:
        assert status_of(connection) == 200
    assert set(kept) <= {UNSENT, 2 * UNSENT}  # Linux adds as much for itself


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
