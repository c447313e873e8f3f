"""What has arrived on a connection and waits to be read is little."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

import pytest
from fastapi import FastAPI
from uvicorn.server import ServerState

from avecaesar.cli.serve import configured
from avecaesar.server.http.connection_limits import Gate, Patience
from avecaesar.server.http.priority import new_loop
from avecaesar.server.http.protocols import LARGEST_BITE, SOCKET_BITE, protocols

MOST_HELD = 2 * LARGEST_BITE  # what is being read by bites, and what came before the transport was told to stop
TURNS = 200  # of the event loop
REQUESTS = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 30_000
UPGRADE = (
    b"GET /api/tables/x/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
FRAMES = b"\x81\x80\0\0\0\0" * 200_000

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="asyncio reads otherwise there")


async def never(scope: Any, receive: Any, send: Any) -> None:
    """An application that accepts sockets and then neither reads nor answers."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    await asyncio.Event().wait()


async def most_held(said: bytes, then: bytes) -> int:
    """How many bytes wait at most in a protocol while somebody sends as much as it takes."""
    patience, loop, made = Patience(), asyncio.get_running_loop(), list[Any]()
    kinds = protocols(Gate(patience))
    config: Any = configured(cast(FastAPI, never), patience)

    def noted(kind: Any) -> Callable[..., Any]:
        def make(*args: Any, **more: Any) -> Any:
            made.append(kind(*args, **more))
            return made[-1]

        return make

    config.load()
    config.ws_protocol_class = noted(kinds[1])
    ours, theirs = socket.socketpair()
    with theirs:
        theirs.setblocking(False)
        transport, _ = await loop.connect_accepted_socket(lambda: noted(kinds[0])(config, ServerState(), {}), ours)
        most, left = 0, bytearray(said)
        for turn in range(TURNS):
            if turn == TURNS // 4:
                left += then
            if left:
                with suppress(BlockingIOError):
                    del left[: theirs.send(left)]
            await asyncio.sleep(0)
            most = max([most, *(len(each._left) for each in made)])
        assert left, "all of it was read"
        transport.abort()
        await asyncio.sleep(0)
        return most


@pytest.mark.parametrize(("said", "then"), [(b"", REQUESTS), (UPGRADE, FRAMES)], ids=["requests", "frames"])
def test_little_waits_of_what_somebody_sends_without_end(said: bytes, then: bytes) -> None:
    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert SOCKET_BITE < runner.run(most_held(said, then)) <= MOST_HELD
