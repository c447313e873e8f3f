"""Priority scheduling for the event loop: players are heard before strangers.

asyncio hears of all connections that have something to say at once, and takes a step for each of them before anything
else gets its next step. In a flood every step of an answer, and there are five or more, then waits for the whole flood.
Here a round of the loop hears a few connections of each rank, the highest rank first; the system hands out those of one
rank round-robin, so nobody is passed over. What has been read already and waits to be worked on goes by the same
rounds. An attacker can sit down too, so players come a few at a time.
"""

from __future__ import annotations

import asyncio
import select as system
import selectors
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from contextvars import Context, copy_context
from enum import IntEnum
from typing import Any

from avecaesar.server.http.arrivals import Arrivals

LINUX = sys.platform == "linux"
RANK = "avecaesar.rank"  # an extension in a socket's scope, whose `give` gives its connection another rank


class Priority(IntEnum):
    """Whose turn comes first."""

    PLAYER = 0  # sits at a table; and what other threads have ready: answers of the database and of workers
    NEW = 1  # asks for the first time on this connection
    DOOR = 2  # where connections come in: not more than can ask at once, for they come in fairly
    STRANGER = 3  # anybody else


A_ROUND = {Priority.PLAYER: 16, Priority.NEW: 16, Priority.DOOR: 8, Priority.STRANGER: 4}  # heard in a round


class PrioritySelector(selectors.BaseSelector):
    """epoll that returns a few events of each rank at a time."""

    def __init__(self) -> None:
        self._polls = {rank: system.epoll() for rank in Priority}
        self._keys: dict[int, selectors.SelectorKey] = {}
        self._ranks: dict[int, Priority] = {}  # of files that are no stranger's
        self._held: dict[int, Callable[[], object]] = {}
        self._map = _Map(self._keys)
        self._any = system.epoll()  # whether there is anything to hear, of whatever rank
        for poll in self._polls.values():
            self._any.register(poll.fileno(), system.EPOLLIN)

    def rank(self, file: int, rank: Priority) -> None:
        """Give a file another rank, which it has until it is given the next, registered or not."""
        if rank is self._ranks.get(file, Priority.STRANGER):
            return
        key = self._keys.get(file)
        if key is not None:
            self._poll(file).unregister(file)
        if rank is Priority.STRANGER:
            self._ranks.pop(file, None)
        else:
            self._ranks[file] = rank
        if key is not None:
            self._poll(file).register(file, _wanted(key.events))

    def hold(self, file: int, more: Callable[[], object]) -> None:
        """Hear a file also while it has more to say than the system knows."""
        self._held[file] = more

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """As selectors have it."""
        file = _file_of(fileobj)
        if file in self._keys:
            raise KeyError(f"{fileobj!r} is registered already")
        if not events or events & ~(selectors.EVENT_READ | selectors.EVENT_WRITE):
            raise ValueError(f"invalid events: {events!r}")
        self._poll(file).register(file, _wanted(events))
        key = self._keys[file] = selectors.SelectorKey(fileobj, file, events, data)
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        """As selectors have it."""
        key = self._keys.pop(_file_of(fileobj))
        with suppress(OSError):  # it is closed already
            self._poll(key.fd).unregister(key.fd)
        return key

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """As selectors have it."""
        known = self._keys[_file_of(fileobj)]
        if events != known.events:
            self._poll(known.fd).modify(known.fd, _wanted(events))
        key = self._keys[known.fd] = selectors.SelectorKey(fileobj, known.fd, events, data)
        return key

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What there is to do in this round."""
        ready = self._ready(0.0)
        if not ready and timeout != 0:
            ready = self._ready(-1 if timeout is None else max(timeout, 0.0))
        return [(self._keys[file], _events(bits)) for file, bits in ready if file in self._keys]

    def close(self) -> None:
        """As selectors have it."""
        for poll in (self._any, *self._polls.values()):
            poll.close()
        self._keys.clear()

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        """As selectors have it."""
        return self._map

    def _ready(self, timeout: float) -> list[tuple[int, int]]:
        """What each rank has to say. Every question lets other threads go on, so only those are asked that have."""
        some = {file for file, _ in self._any.poll(timeout, len(Priority))}
        heard = {
            rank: poll.poll(0, A_ROUND[rank]) if poll.fileno() in some else [] for rank, poll in self._polls.items()
        }
        held = [(file, system.EPOLLIN) for file, more in self._held.items() if file in self._keys and more()]
        heard[Priority.DOOR] = [] if len(heard[Priority.NEW]) == A_ROUND[Priority.NEW] else heard[Priority.DOOR] + held
        return [one for rank in Priority for one in heard[rank]]

    def _poll(self, file: int) -> system.epoll:
        return self._polls[self._ranks.get(file, Priority.STRANGER)]


class _Map(Mapping[Any, selectors.SelectorKey]):
    """Keys by file or by its number."""

    def __init__(self, keys: dict[int, selectors.SelectorKey]) -> None:
        self._keys = keys

    def __len__(self) -> int:
        return len(self._keys)

    def __getitem__(self, fileobj: Any) -> selectors.SelectorKey:
        return self._keys[_file_of(fileobj)]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._keys)


class PriorityLoop(asyncio.SelectorEventLoop):
    """asyncio's loop with these priorities."""

    def __init__(self) -> None:
        self.priorities = PrioritySelector()
        self._later: dict[Priority, deque[tuple[Callable[[], object], Context]]] = {rank: deque() for rank in Priority}
        self._goes_on = False
        super().__init__(self.priorities)
        self.priorities.rank(self._ssock.fileno(), Priority.PLAYER)  # type: ignore[attr-defined]  # by which threads wake it

    def do_later(self, rank: Priority, work: Callable[[], object]) -> None:
        """Do something in one of the next rounds."""
        self._later[rank].append((work, copy_context()))
        if not self._goes_on:
            self._goes_on = True
            self.call_soon(self._go_on)

    def _go_on(self) -> None:
        for rank, waiting in self._later.items():
            for _ in range(min(len(waiting), A_ROUND[rank])):
                work, context = waiting.popleft()
                self.call_soon(work, context=context)
        self._goes_on = any(self._later.values())
        if self._goes_on:
            self.call_soon(self._go_on)


def give_rank(line: Any, rank: Priority) -> None:
    """Give a socket another rank, if it is open and this loop has priorities; a new one is a stranger's."""
    loop = asyncio.get_running_loop()
    if isinstance(loop, PriorityLoop) and line is not None and line.fileno() >= 0:
        loop.priorities.rank(line.fileno(), rank)


def do_later(rank: Priority, work: Callable[[], object]) -> None:
    """Go on with something that somebody has sent already: a few of each rank a round."""
    loop = asyncio.get_running_loop()
    if isinstance(loop, PriorityLoop):
        loop.do_later(rank, work)
    else:
        loop.call_soon(work)


async def until_heard(rank: Priority) -> None:
    """Wait for a round in which what somebody has sent already is heard."""
    came = asyncio.get_running_loop().create_future()

    def come() -> None:
        if not came.done():
            came.set_result(None)

    do_later(rank, come)
    await came


def doors(listening: list[socket.socket], proxy: bool = False) -> list[socket.socket]:
    """What a server on such a loop listens at: connections come in by turns of their addresses, unless a proxy's."""
    return [Arrivals(each) for each in listening] if LINUX and not proxy else listening


def let_in(door: socket.socket) -> None:
    """Let in whoever comes to a door, before strangers are heard."""
    loop = asyncio.get_running_loop()
    if isinstance(loop, PriorityLoop):
        loop.priorities.rank(door.fileno(), Priority.DOOR)
        if isinstance(door, Arrivals):
            loop.priorities.hold(door.fileno(), door.gather)


def new_loop() -> asyncio.AbstractEventLoop:
    """The loop that a server runs on; elsewhere than on Linux asyncio's own."""
    return PriorityLoop() if LINUX else asyncio.new_event_loop()


def _file_of(fileobj: Any) -> int:
    file = fileobj if isinstance(fileobj, int) else int(fileobj.fileno())
    if file < 0:
        raise ValueError(f"{fileobj!r} is closed")
    return file


def _wanted(events: int) -> int:
    return (system.EPOLLIN if events & selectors.EVENT_READ else 0) | (
        system.EPOLLOUT if events & selectors.EVENT_WRITE else 0
    )


def _events(bits: int) -> int:
    return (selectors.EVENT_WRITE if bits & ~system.EPOLLIN else 0) | (
        selectors.EVENT_READ if bits & ~system.EPOLLOUT else 0
    )
