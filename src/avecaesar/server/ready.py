"""Whether the server is well: room on the disk, a writer that writes, and workers of whom one answers.

What is found is kept for a moment and only one check runs at a time, so that whoever asks in a flood costs nothing. A
part that does not answer in time is left to its work and asked nothing more until it has answered.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Literal, TypeAlias, assert_never

from avecaesar.server.refused import RefusedError
from avecaesar.server.store.database import Store
from avecaesar.server.store.shapes import Unwell
from avecaesar.server.workers.pool import Thinkers
from avecaesar.speech import say

Part: TypeAlias = Literal["disk", "database", "writer", "workers"]

KEPT = 2.0  # seconds for which an answer is good
IN_TIME = 5.0  # seconds for a write or a worker
LEAST_FREE = 64 * 2**20  # bytes
ROOM_FOR_MORE = 8 * LEAST_FREE  # bytes, below which nothing new is begun, so that what has begun can be finished
ROOM_KEPT = 1.0  # seconds for which one knows how much is free
MOST_QUEUED = 1000  # writes


def in_words(part: Part) -> str:
    """What is wrong, for everybody who asks; where things lie is nobody's business."""
    match part:
        case "disk":
            return say("The disk is nearly full.")
        case "database":
            return say("The database cannot be written.")
        case "writer":
            return say("Writing takes too long.")
        case "workers":
            return say("No worker process answers.")
        case _:
            assert_never(part)


class Room:
    """What the disk has room for: long before moves cannot be written down nothing else is."""

    def __init__(self, store: Store, steady: Callable[[], float] = time.monotonic) -> None:
        self._store, self._steady = store, steady
        self._found: tuple[float, bool] | None = None  # when it was looked at last, and whether room was short

    async def is_short(self) -> bool:
        """Whether nothing new is begun, as found now or a moment ago."""
        if self._found is None or self._steady() - self._found[0] >= ROOM_KEPT:
            free = await self._store.look_at_room()
            self._found = self._steady(), free is not None and free < ROOM_FOR_MORE
        return self._found[1]

    async def need(self) -> None:
        """Refuse what would fill the disk further: tables, races, uploads, and all that is not a move."""
        if await self.is_short():
            raise no_room()


def no_room() -> RefusedError:
    """What everybody is told while room is short."""
    return RefusedError(say("this server’s disk is nearly full: races go on, but none can begin"), status=503)


class Readiness:
    """What is not well."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Coroutine[Any, Any, None]] = asyncio.sleep,
    ) -> None:
        self._store, self._thinkers, self._clock, self._sleep = store, thinkers, clock, sleep
        self._kept: tuple[float, tuple[Part, ...]] | None = None
        self._check: asyncio.Task[tuple[Part, ...]] | None = None
        self._asked: dict[Part, asyncio.Task[None]] = {}  # who has not answered yet

    async def unwell(self) -> tuple[Part, ...]:
        """The parts that are not well, as found now or a moment ago."""
        if self._kept is not None and self._clock() - self._kept[0] < KEPT:
            return self._kept[1]
        if self._check is None:
            self._check = asyncio.create_task(self._look())
        return await asyncio.shield(self._check)

    async def close(self) -> None:
        """Ask nobody any more."""
        tasks = [*self._asked.values(), *([self._check] if self._check else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _look(self) -> tuple[Part, ...]:
        try:
            free = await asyncio.to_thread(lambda: self._store.free)
            found: list[Part] = [] if free is None or free >= LEAST_FREE else ["disk"]
            written, works = await asyncio.gather(self._writes(), self._works())
            found += [part for part in (written, works) if part is not None]
            self._kept = (self._clock(), tuple(found))
            return tuple(found)
        finally:
            self._check = None

    async def _writes(self) -> Part | None:
        if self._store.queued > MOST_QUEUED:
            return "writer"
        try:
            return None if await self._answers("writer", self._store.probe) else "writer"
        except Unwell:
            return "database"

    async def _works(self) -> Part | None:
        """Workers who are all busy are well as long as any of them gets something done."""
        before = self._thinkers.answers
        with suppress(Exception):
            if await self._answers("workers", self._thinkers.ping) or self._thinkers.answers != before:
                return None
        return "workers"

    async def _answers(self, part: Part, ask: Callable[[], Coroutine[Any, Any, None]]) -> bool:
        """Whether a part answers in time; what it was asked before has to be answered first."""
        if part not in self._asked:
            self._asked[part] = asyncio.create_task(ask())
        task = self._asked[part]
        alarm = asyncio.create_task(self._sleep(IN_TIME))
        try:
            await asyncio.wait({task, alarm}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            alarm.cancel()
        if not task.done():
            return False
        del self._asked[part]
        task.result()
        return True
