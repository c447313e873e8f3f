"""Half-open, slow and idle connections are cut by time and number, and whoever has a seat keeps his place."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from avecaesar.server.doors import Settings
from avecaesar.server.gate import HEADROOM, Patience, files_allowed, most_connections
from serving import ROOMY, Served, in_a_thread

HALF = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: "
LONG = 3600.0  # seconds: for ever
SOON = 0.01
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has as many addresses of its own")


@contextmanager
def opened(server: Served, said: bytes = b"", address: str = "127.0.0.1") -> Iterator[socket.socket]:
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
