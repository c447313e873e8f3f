"""Connections to a server byte by byte, for tests: what is said on them, and what comes back."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from servers import ServerClient

HALF = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: "
UPGRADE = (
    b"GET /api/tables/x/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


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


def status_of(connection: socket.socket) -> int:
    return int(connection.recv(65536)[9:12])
