"""Long work on the event loop, a few pieces at a time: whose is next, `fairness.py` says, as it does for workers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from avecaesar.server.fairness import LONG, Asker, FairQueue


class _Turn:
    """A piece of work that waits for its turn, or has it."""

    def __init__(self) -> None:
        self.comes: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class FoldQueue:
    """So many at a time, addresses by turns: whoever has asked for a hundred is behind whoever asks for one."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._queue: FairQueue[_Turn] = FairQueue()
        self._called: dict[str, list[_Turn]] = {}

    def __len__(self) -> int:
        return len(self._queue)

    def join(self, name: str, asker: Asker) -> None:
        """Somebody else waits for the work of that name; it begins when the turn of either comes."""
        for turn in self._called.get(name, ()):
            self._queue.join(turn, asker)

    @asynccontextmanager
    async def take(self, name: str, askers: Iterable[Asker], seconds: float) -> AsyncIterator[None]:
        """Wait for one's turn, and have it for a while: for so many seconds of the loop, as far as one knows."""
        turn = _Turn()
        self._queue.add(turn, list(askers), min(seconds, LONG))  # nothing is long here: it takes many small steps
        self._called.setdefault(name, []).append(turn)
        self._call()
        try:
            await turn.comes
            yield
        finally:
            self._forget(name, turn)
            if not self._queue.drop(turn):  # it had its turn
                self._queue.done(turn, seconds)
                self._free += 1
                self._call()

    def _call(self) -> None:
        while self._free and (turn := self._queue.take(1)) is not None:
            self._free -= 1
            if not turn.comes.done():  # else whoever waited is gone, and gives it back
                turn.comes.set_result(None)

    def _forget(self, name: str, turn: _Turn) -> None:
        self._called[name].remove(turn)
        if not self._called[name]:
            del self._called[name]
