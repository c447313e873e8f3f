"""Long work on the event loop, a few pieces at a time: whose is next, `fairness.py` says, as it does for workers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager

from avecaesar.server.fairness import Asker, FairQueue

A_STEP = 0.00035  # seconds of the loop that a step takes, about: an event that is folded
A_SLICE = 200 * A_STEP  # seconds, after which others have theirs: nobody waits for the end of what takes long


class TimeSlice:
    """A piece of work that waits for its turn, or has it: one of many, if it takes long."""

    def __init__(self, again: Callable[[TimeSlice], Awaitable[None]]) -> None:
        self.comes: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.spent = 0.0  # seconds of the present turn
        self.joined: dict[Asker, None] = {}  # in this turn, for the next ones
        self._again = again

    async def step(self) -> None:
        """A step was done: others are served and, now and then, those first who wait for their turn."""
        self.spent += A_STEP
        if self.spent >= A_SLICE:
            await self._again(self)
        await asyncio.sleep(0)


class FoldQueue:
    """So many at a time, addresses by turns: whoever has asked for a hundred is behind whoever asks for one."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._queue: FairQueue[TimeSlice] = FairQueue()
        self._called: dict[str, list[TimeSlice]] = {}

    def __len__(self) -> int:
        return len(self._queue)

    def join(self, name: str, asker: Asker) -> None:
        """Somebody else waits for the work of that name; it begins, or goes on, when the turn of either comes."""
        for turn in self._called.get(name, ()):
            if turn.comes.done():
                turn.joined[asker] = None
            else:
                self._queue.join(turn, asker)

    @asynccontextmanager
    async def take(self, name: str, askers: Iterable[Asker], seconds: float) -> AsyncIterator[TimeSlice]:
        """Wait for one's turn, and have it for so many seconds of the loop, as far as one knows.

        What may take longer than `A_SLICE` is done step by step, with `TimeSlice.step` after each.
        """
        turn = TimeSlice(self._again)
        self._queue.add(turn, list(askers), min(seconds, A_SLICE))
        self._called.setdefault(name, []).append(turn)
        self._call()
        try:
            await turn.comes
            yield turn
        finally:
            self._forget(name, turn)
            if not self._queue.drop(turn):  # it had its turn
                self._queue.done(turn, turn.spent)
                self._free += 1
                self._call()

    async def _again(self, turn: TimeSlice) -> None:
        """Let those have their turns who are owed more, and wait for the next one."""
        self._queue.again(turn, turn.spent)
        for asker in turn.joined:
            self._queue.join(turn, asker)
        turn.comes, turn.spent, turn.joined = asyncio.get_running_loop().create_future(), 0.0, {}
        self._free += 1
        self._call()
        await turn.comes

    def _call(self) -> None:
        while self._free and (turn := self._queue.take(1)) is not None:
            self._free -= 1
            if not turn.comes.done():  # else whoever waited is gone, and gives it back
                turn.comes.set_result(None)

    def _forget(self, name: str, turn: TimeSlice) -> None:
        self._called[name].remove(turn)
        if not self._called[name]:
            del self._called[name]
