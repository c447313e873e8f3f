"""Whoever asks for a socket is read only so far before he is counted."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from avecaesar.server.http.protocols import MOST_OF_HANDSHAKE
from servers import ServerClient, hear, in_a_thread

LINES = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
TOKENS = "a, " * 200


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerClient]:
    with in_a_thread(tmp_path_factory.mktemp("handshakes") / "a.db") as server:
        yield server


def answer_to(server: ServerClient, *more: tuple[str, str]) -> str:
    """What is said to who asks for a socket with these lines besides."""
    port = int(server.url.rpartition(":")[2])
    lines = "".join(f"{name}: {value}\r\n" for name, value in (("Host", "127.0.0.1"), *more, *LINES.items()))
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(f"GET /api/tables/x/socket HTTP/1.1\r\n{lines}\r\n".encode())
        return connection.recv(65536).decode()


@pytest.mark.parametrize(
    "lines",
    [
        [("Connection", TOKENS + "Upgrade")],
        [("connection", "a, " * 60)] * 3,
        [("Sec-WebSocket-Protocol", TOKENS + "a")],
        [("Sec-WebSocket-Extensions", TOKENS + "a")],
        [("Sec-WebSocket-Protocol", "a, " * 100 + "a"), ("Sec-WebSocket-Extensions", "a, " * 100 + "a")],
    ],
    ids=["connection", "several lines", "protocol", "extensions", "together"],
)
def test_a_long_handshake_is_not_read(
    served: ServerClient, monkeypatch: pytest.MonkeyPatch, lines: list[tuple[str, str]]
) -> None:
    read = list[bytes]()
    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", lambda _, data: read.append(data))
    answer = answer_to(served, *lines)
    assert answer.startswith("HTTP/1.1 400")
    assert "this does not open a socket" in answer
    assert read == []


def test_a_browsers_handshake_is_read_whatever_else_it_sends(served: ServerClient) -> None:
    """Cookies and the like may be as long as they are elsewhere: nobody reads them token by token."""
    extensions = "permessage-deflate; client_max_window_bits"
    assert len(extensions) + sum(map(len, LINES.values())) < MOST_OF_HANDSHAKE // 2
    table = served.lay()["table"]
    with served.socket(table, compression="deflate", Cookie="c=" + "x" * MOST_OF_HANDSHAKE) as connection:
        assert hear(connection)["is"] == "whole"
