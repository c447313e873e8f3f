"""The gate: connections before anything is asked on them. How many there may be, and how long they may keep silent.

Half-open and slow connections cost the server a file each and nothing their owner, so they are cut by time and by
number, without a proxy too. uvicorn has a limit for idle keep-alive (`timeout_keep_alive`) and for the size of a header
(`h11_max_incomplete_event_size`); it has none for a header that never ends or an answer that is never read, and its
`limit_concurrency` counts sockets of players and half-open connections alike. These limits are here.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter, OrderedDict
from dataclasses import dataclass
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from avecaesar.server.networks import CONNECTIONS, household

LOOPBACK = ("127.0.0.1", "::1")
BACKLOG = 100  # connections that asyncio accepts in one go, before any of them is counted here
HEADROOM = 2 * BACKLOG + 128  # files for those, for the database, the workers and the pages
FOR_PAGES = 32  # connections of an address that has all its sockets open, so that it can still ask for a page
USUAL_FILES = 1024  # where the system does not say how many files there may be
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nContent-Type: text/plain\r\n"
    b"Content-Length: 21\r\nConnection: close\r\n\r\ntoo many connections\n"
)


@dataclass(frozen=True, slots=True)
class Patience:
    """How many connections there may be, and for how many seconds they are waited for."""

    in_all: int = USUAL_FILES - HEADROOM
    of_an_address: int = CONNECTIONS + FOR_PAGES
    header: float = 10.0  # until a request's header has arrived
    idle: int = 15  # between two requests
    unread: float = 30.0  # while nothing of an answer is read
    proxy: bool = False  # whether what comes from this machine comes from everybody


class Gate:
    """All connections of a server. Those on which no request has arrived make room for others, the oldest first."""

    def __init__(self, patience: Patience) -> None:
        self.patience = patience
        self._inside: dict[asyncio.BaseTransport, str] = {}  # with their addresses
        self._addresses: Counter[str] = Counter()
        self._silent: OrderedDict[asyncio.BaseTransport, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._inside)

    def enter(self, transport: asyncio.Transport) -> bool:
        """Let a connection in; False if there is no room, and nobody silent who could make it."""
        address = self._address(transport)
        counts = bool(address) and not (self.patience.proxy and address in LOOPBACK)
        if counts and self._addresses[address] >= self.patience.of_an_address and not self._cut(address):
            return False
        if len(self._inside) >= self.patience.in_all and not self._cut():
            return False
        self._inside[transport] = address if counts else ""
        self._addresses[self._inside[transport]] += 1
        self._silent[transport] = None
        return True

    def heard(self, transport: asyncio.BaseTransport) -> None:
        """A whole request has arrived."""
        self._silent.pop(transport, None)

    def silent(self, transport: asyncio.BaseTransport) -> None:
        """It is answered, and nothing is asked."""
        if transport in self._inside:
            self._silent[transport] = None

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """It is gone."""
        self._silent.pop(transport, None)
        if (address := self._inside.pop(transport, None)) is not None:
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    def _cut(self, address: str | None = None) -> bool:
        """Cut the connection that has been silent for longest, of this address or of all."""
        silent = (one for one in self._silent if address is None or self._inside[one] == address)
        if (longest := next(silent, None)) is None:
            return False
        self.leave(longest)
        assert isinstance(longest, asyncio.Transport)
        longest.abort()
        return True

    @staticmethod
    def _address(transport: asyncio.Transport) -> str:
        peer = transport.get_extra_info("peername")
        return household(str(peer[0])) if peer else ""


def protocols(gate: Gate) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """HTTP and WebSockets as uvicorn speaks them, through this gate."""

    class Http(H11Protocol):
        """Cuts whoever does not finish a header, or does not read what he asked for."""

        _alarm: asyncio.TimerHandle | None = None
        _unread: asyncio.TimerHandle | None = None
        _upgraded = False

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if gate.enter(transport):
                self._wait()
            else:
                transport.write(FULL)
                transport.close()

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return
            super().data_received(data)
            self._see()

        def handle_websocket_upgrade(self, event: Any) -> None:
            self._upgraded = True
            super().handle_websocket_upgrade(event)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            gate.silent(self.transport)
            self._see()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._unread = self.loop.call_later(gate.patience.unread, self.transport.abort)

        def resume_writing(self) -> None:
            super().resume_writing()
            _stop(self._unread)

        def connection_lost(self, exc: Exception | None) -> None:
            gate.leave(self.transport)
            _stop(self._alarm)
            _stop(self._unread)
            super().connection_lost(exc)

        def _see(self) -> None:
            """Wait for the rest of a header, unless a request is being answered or uvicorn waits for the next."""
            asked = self.cycle is not None and not self.cycle.response_complete
            if asked or self._upgraded:
                gate.heard(self.transport)
            if asked or self._upgraded or self.timeout_keep_alive_task is not None:
                _stop(self._alarm)
                self._alarm = None
            elif self._alarm is None:
                self._wait()

        def _wait(self) -> None:
            self._alarm = self.loop.call_later(gate.patience.header, self.transport.abort)

    class Socket(WebSocketsSansIOProtocol):
        """Its connection is counted until it ends."""

        def connection_lost(self, exc: Exception | None) -> None:
            gate.leave(self.transport)
            super().connection_lost(exc)

    return Http, Socket


def _stop(alarm: asyncio.TimerHandle | None) -> None:
    if alarm is not None:
        alarm.cancel()


def files_allowed() -> int:
    """How many files this process may have open at once, after it has asked the system for as many as it may."""
    if sys.platform == "win32":
        return USUAL_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2**16 if hard == resource.RLIM_INFINITY else min(hard, 2**16)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (ValueError, OSError):  # the system has a lower limit that it does not tell
            pass
    return 2**16 if soft == resource.RLIM_INFINITY else soft


def most_connections(files: int) -> int:
    """How many connections leave head-room for everything else that is a file."""
    return max(files - HEADROOM, files // 2)
