"""What arrives is read in bites, and what goes out is written in pieces, however much there is of it."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress
from http.client import HTTPResponse
from typing import Any

import pytest
from h11._receivebuffer import ReceiveBuffer
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import Response
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ConnectionClosed

from avecaesar.server.http import app as app_module
from avecaesar.server.http.app import LARGE, LARGE_AT_ONCE, PIECE, InPieces
from avecaesar.server.http.connection_limits import Patience
from avecaesar.server.http.protocols import (
    FEW_PIECES,
    LARGEST_BITE,
    LEAST_PIECE,
    LINES_A_BITE,
    MOST_LINES,
    SOCKET_BITE,
    UNSENT,
    bite,
)
from raw_connections import HALF, UPGRADE, end_of, opened, status_of
from servers import ServerClient, hear

# ---------------------------------------------------------------------- crumbs


def chunked(path: str, *chunks: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    return f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + body + b"0\r\n\r\n"


PLAN = b'{"seats":[{"kind":"here"},{"driver":"scorpus"}]}'


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
