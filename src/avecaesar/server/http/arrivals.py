"""Which connection is let in next: start-time fair queueing over networks and the addresses in them.

The system hands connections over in the order in which they came, so whoever comes during a flood waits until all of it
is let in. To take a connection off the system's queue is cheap; to let it in is not. So here all are taken at once, and
let in by turns: whoever comes alone is the next.
"""

from __future__ import annotations

import socket
from collections import deque
from heapq import heapify, heappop, heappush, heapreplace
from itertools import count
from operator import itemgetter
from typing import Any, NamedTuple

from avecaesar.server.networks import NEIGHBOURS, household, wider

AT_ONCE = 8  # connections that are let in in one round of the event loop
A_GULP = 64  # connections that are taken off the system's queue in one round
MOST_WAITING = 256  # for their turn: then an address that has many waiting loses the oldest
MOST_REMEMBERED = 4096  # addresses and networks


class _Waiting(NamedTuple):
    """A connection that waits; the least is the next."""

    start: float  # virtual time
    number: int
    line: socket.socket
    peer: Any
    address: str


class Arrivals(socket.socket):
    """A listening socket that does not block; its `accept` answers by turns."""

    def __init__(self, listening: socket.socket) -> None:
        super().__init__(fileno=listening.dup().detach())
        self.setblocking(False)
        self._queue: list[_Waiting] = []
        self._due: dict[str, float] = {}  # when the next connection of an address or network starts, in virtual time
        self._now = 0.0
        self._let_in = 0  # in this round
        self._gathered = False  # in this round
        self._end: OSError = BlockingIOError()  # why no more were taken, mostly that there are no more
        self._numbers = count()

    def accept(self) -> tuple[socket.socket, Any]:
        """The connection whose turn it is; asyncio asks until there is none, and in the next round again."""
        if not self._gathered:
            self.gather()
        if not self._queue or self._let_in == AT_ONCE:
            self._let_in, self._gathered = 0, False
            raise BlockingIOError if self._queue else self._end
        self._let_in += 1
        self._now, _, line, peer, _ = heappop(self._queue)
        if not self._queue:
            self._due.clear()  # nobody owes anybody anything
        return line, peer

    def gather(self) -> bool:
        """Take connections off the system's queue, once a round; whether any wait here."""
        self._gathered = True
        self._take()
        return bool(self._queue)

    def close(self) -> None:
        """Hang up on everybody."""
        for one in self._queue:
            one.line.close()
        super().close()

    def _take(self) -> None:
        self._end = BlockingIOError()
        for _ in range(A_GULP):
            try:
                line, peer = super().accept()
            except OSError as error:
                self._end = error.with_traceback(None)  # which holds this frame, which holds the error
                break
            self._add(line, peer)
        if len(self._queue) > MOST_WAITING:
            self._make_room()
        if len(self._due) > MOST_REMEMBERED:
            self._forget()

    def _make_room(self) -> None:
        """Hang up on the oldest of whichever address has most waiting: those are half-open for longest, if any are."""
        self._queue.sort()
        waiting: dict[str, deque[_Waiting]] = {}
        for one in self._queue:
            waiting.setdefault(one.address, deque()).append(one)
        most = [_after_most(those) for those in waiting.values()]
        heapify(most)
        gone = set[int]()
        while len(self._queue) - len(gone) > MOST_WAITING:
            those = waiting[most[0][-1]]
            oldest = those.popleft()
            gone.add(oldest.number)
            oldest.line.close()
            if those:
                heapreplace(most, _after_most(those))
            else:
                heappop(most)
        self._queue = [one for one in self._queue if one.number not in gone]  # still sorted, so still a heap

    def _forget(self) -> None:
        """Forget who owes nothing, and of too many those who owe least: so many that it is not done again soon."""
        owing = sorted(((name, due) for name, due in self._due.items() if due > self._now), key=itemgetter(1))
        self._due = dict(owing[-MOST_REMEMBERED // 2 :])

    def _add(self, line: socket.socket, peer: Any) -> None:
        address = household(str(peer[0]))
        network = wider(address)
        open_to_all = max(self._now, self._due.get(network, 0.0))
        start = max(open_to_all, self._due.get(address, 0.0))
        self._due[address], self._due[network] = start + 1, open_to_all + 1 / NEIGHBOURS
        heappush(self._queue, _Waiting(start, next(self._numbers), line, peer, address))


def _after_most(those: deque[_Waiting]) -> tuple[int, float, int, str]:
    """Its place among addresses: the more have come from it, and the later the last, the sooner it loses one."""
    last = those[-1]
    return -len(those), -last.start, -last.number, last.address
