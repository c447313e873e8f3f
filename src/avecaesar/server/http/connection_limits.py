"""Connection limits: how many connections there may be, and how long they may keep silent.

Half-open and slow connections (Slowloris) cost the server a file each and nothing their owner, so they are cut by time
and by number, without a proxy too. uvicorn has a limit for idle keep-alive (`timeout_keep_alive`) and for the size of a
header (`h11_max_incomplete_event_size`); it has none for a header that never ends or an answer that is never read, and
its `limit_concurrency` counts sockets of players and half-open connections alike. These limits are here, and
`protocols` keeps them.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter, OrderedDict
from dataclasses import dataclass

from avecaesar.server.http.arrivals import MOST_WAITING
from avecaesar.server.networks import CONNECTIONS, NEIGHBOURS, household, wider
from avecaesar.server.rates import Rate

EVERYBODY = ""  # the room of all
LOOPBACK = ("127.0.0.1", "::1")
BACKLOG = 100  # connections that asyncio lets in in one go, unless they come in by turns (`arrivals`)
QUEUE = 2048  # that the system keeps for us meanwhile: who finds it full tries again after a second
HEADROOM = BACKLOG + MOST_WAITING + 128  # files for those, for the database, the workers and the pages
FOR_PAGES = 32  # connections of an address that has all its sockets open, so that it can still ask for a page
USUAL_FILES = 1024  # where the system does not say how many files there may be


@dataclass(frozen=True, slots=True)
class Patience:
    """How many connections there may be, and for how many seconds they are waited for."""

    in_all: int = USUAL_FILES - HEADROOM
    of_an_address: int = CONNECTIONS + FOR_PAGES
    header: float = 10.0  # until a request's header has arrived, and then until a socket is accepted
    idle: int = 15  # between two requests
    unread: float = 30.0  # while nothing of an answer is read
    frames: Rate = Rate(20, 200)  # noqa: RUF009  # of a socket that are no messages: pings, pongs, fragments
    proxy: bool = False  # whether what comes from this machine comes from everybody


class Gate:
    """All connections of a server. Those on which no request has arrived make room for others, the oldest first.

    A connection stands in several rooms: that of all, its address's, and that of the network around it.
    """

    def __init__(self, patience: Patience) -> None:
        self.patience = patience
        self._inside: dict[asyncio.BaseTransport, dict[str, int]] = {}  # with its rooms, and how many each may hold
        self._counts: Counter[str] = Counter()  # by room
        self._silent: dict[str, OrderedDict[asyncio.BaseTransport, None]] = {}  # by room

    def __len__(self) -> int:
        return len(self._inside)

    def enter(self, transport: asyncio.Transport) -> bool:
        """Let a connection in; False if there is no room, and nobody silent who could make it."""
        rooms = self._rooms(self._address(transport))
        for room, most in rooms.items():
            if self._counts[room] >= most and not self._cut(room):
                return False
        self._inside[transport] = rooms
        self._counts.update(rooms.keys())
        self.silent(transport)
        return True

    def heard(self, transport: asyncio.BaseTransport) -> None:
        """A whole request has arrived, or a socket is open."""
        for room in self._inside.get(transport, ()):
            if (silent := self._silent.get(room)) is not None:
                silent.pop(transport, None)
                if not silent:
                    del self._silent[room]

    def silent(self, transport: asyncio.BaseTransport) -> None:
        """It is answered, and nothing is asked."""
        for room in self._inside.get(transport, ()):
            self._silent.setdefault(room, OrderedDict())[transport] = None

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """It is gone."""
        self.heard(transport)
        for room in self._inside.pop(transport, ()):
            self._counts[room] -= 1
            if not self._counts[room]:
                del self._counts[room]

    def _rooms(self, address: str) -> dict[str, int]:
        most = self.patience.of_an_address
        if not address or (self.patience.proxy and address in LOOPBACK):
            return {EVERYBODY: self.patience.in_all}
        return {address: most, wider(address): most * NEIGHBOURS, EVERYBODY: self.patience.in_all}

    def _cut(self, room: str) -> bool:
        """Cut the connection that has been silent for longest, of those in a room."""
        longest = next(iter(self._silent.get(room, ())), None)
        if longest is None:
            return False
        self.leave(longest)
        assert isinstance(longest, asyncio.Transport)
        longest.abort()
        return True

    @staticmethod
    def _address(transport: asyncio.Transport) -> str:
        peer = transport.get_extra_info("peername")
        return household(str(peer[0])) if peer else ""


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
