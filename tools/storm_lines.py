"""Connections for `make storm`: HTTP and WebSockets by hand, each from an address of its own.

On Linux every 127.x.y.z is an address, so that one machine can be a thousand households. By hand because attackers send
what no library would send, and because whoever attacks a server from the same two cores must cost little himself.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket as sockets
import struct
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

SERVER = "127.0.0.1"
PATIENCE = 60.0  # seconds for an answer; nothing takes so long
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
HANDSHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
BROKEN = (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError)  # what becomes of a line that is cut


def never_wait_for_a_processor() -> None:
    """Run as soon as there is something to do, if the system lets us (real-time scheduling; as root it does).

    Whoever holds the watch has a machine of his own in life. Sharing this one, he would measure his own waiting, too.
    """
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))


class Answer(NamedTuple):
    """What the server answered over HTTP."""

    status: int
    body: bytes

    @property
    def good(self) -> bool:
        return self.status < 400

    def json(self) -> Any:
        return json.loads(self.body)


def request(
    port: int, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> bytes:
    """The bytes of a request."""
    told = {"Host": f"localhost:{port}"}
    if body is not None:
        told |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    told |= headers or {}
    lines = "".join(f"{name}: {value}\r\n" for name, value in told.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + (body or b"")


def bearer(key: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


class Line:
    """One connection to the server."""

    def __init__(self, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.port, self.reader, self.writer = port, reader, writer

    @classmethod
    async def open(cls, port: int, source: str, *, window: int | None = None) -> Line:
        """Connect; a small window lets hardly anything arrive that is not read."""
        plain = sockets.socket(sockets.AF_INET, sockets.SOCK_STREAM)
        try:
            plain.setblocking(False)
            plain.setsockopt(sockets.IPPROTO_TCP, sockets.TCP_NODELAY, 1)
            if window is not None:
                plain.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, window)
            plain.bind((source, 0))
            async with asyncio.timeout(PATIENCE):
                await asyncio.get_running_loop().sock_connect(plain, (SERVER, port))
            reader, writer = await asyncio.open_connection(sock=plain, limit=2**16 if window is None else window)
        except BaseException:
            plain.close()
            raise
        return cls(port, reader, writer)

    @property
    def closed(self) -> bool:
        return self.writer.is_closing() or self.reader.at_eof()

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self) -> Answer:
        """The next answer over HTTP."""
        async with asyncio.timeout(PATIENCE):
            head = await self.reader.readuntil(b"\r\n\r\n")
            found = LENGTH.search(head)
            body = await self.reader.readexactly(int(found[1])) if found else b""
        return Answer(int(head[9:12]), body)

    async def until_cut(self) -> None:
        """Read until the server closes the line."""
        with suppress(OSError):
            while await self.reader.read(2**16):
                pass

    def reset(self) -> None:
        """Hang up without a goodbye, so that no port of this machine has to wait."""
        plain = self.writer.get_extra_info("socket")
        with suppress(OSError):
            plain.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    # ------------------------------------------------------------------ as a WebSocket

    async def upgrade(self, table: str, key: str | None = None, headers: Mapping[str, str] | None = None) -> int:
        """Open a table's socket; the status, which is 101 if that worked."""
        told = HANDSHAKE | bearer(key) | dict(headers or {})
        await self.send(request(self.port, "GET", f"/api/tables/{table}/socket", headers=told))
        return (await self.answer()).status

    async def tell(self, **command: Any) -> None:
        await self.send(frame(TEXT, json.dumps(command).encode()))

    async def heard(self) -> bytes:
        """The next text; pings are answered, and the end is an EOFError."""
        while True:
            head = await self.reader.readexactly(2)
            length = head[1] & 127
            if length == 126:
                (length,) = struct.unpack("!H", await self.reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", await self.reader.readexactly(8))
            data = await self.reader.readexactly(length)
            match head[0] & 15:
                case 1:
                    return data
                case 8:
                    raise EOFError("closed")
                case 9:
                    await self.send(frame(PONG, data))

    async def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of these kinds, whichever without them."""
        starts = tuple(f'{{"is":"{kind}"'.encode() for kind in kinds)
        while True:
            data = await self.heard()
            if not starts or data.startswith(starts):
                return dict(json.loads(data))


def frame(opcode: int, data: bytes, *, fin: bool = True, masked: bool = True) -> bytes:
    """A frame as a browser sends it; the mask of zeros is one like any other."""
    head = bytes([opcode | 128 * fin])
    flag = 128 * masked
    if len(data) < 126:
        head += bytes([flag | len(data)])
    elif len(data) < 2**16:
        head += bytes([flag | 126]) + struct.pack("!H", len(data))
    else:
        head += bytes([flag | 127]) + struct.pack("!Q", len(data))
    return head + (bytes(4) if masked else b"") + data


class Caller:
    """Somebody who asks over HTTP, on one line for as long as it is kept open."""

    def __init__(self, port: int, source: str) -> None:
        self.port, self.source = port, source
        self._line: Line | None = None

    async def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Ask, on a new line if the old one is gone; an answer or what `BROKEN` lists."""
        if self._line is None or self._line.closed:
            self.hang_up()
            self._line = await Line.open(self.port, self.source)
        try:
            await self._line.send(request(self.port, method, path, body, bearer(key) | dict(headers or {})))
            return await self._line.answer()
        except BaseException:
            self.hang_up()
            raise

    async def post(self, path: str, told: Any, key: str | None = None) -> Answer:
        return await self.ask("POST", path, json.dumps(told).encode(), key=key)

    async def command(self, table: str, key: str, **command: Any) -> Answer:
        """Give a command; its id is made up."""
        return await self.post(f"/api/tables/{table}/commands", {"id": os.urandom(8).hex(), **command}, key)

    def hang_up(self) -> None:
        if self._line is not None:
            self._line.reset()
            self._line = None
