"""The records of tables' games: put together once for whoever asks, and kept for whoever asks next."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from typing import NamedTuple
from weakref import WeakKeyDictionary

from avecaesar.game import Race
from avecaesar.records import Record, to_json
from avecaesar.server.tables.state import TableState

RECORDS_KEPT = 32  # of a megabyte at most


class KeptRecord(NamedTuple):
    """A record as it is kept: its digest, and itself in JSON."""

    digest: str
    body: bytes


class WrittenRecord(NamedTuple):
    """A record, and the same as it is kept."""

    record: Record
    kept: KeptRecord


def kept_record(record: Record) -> KeptRecord:
    """A record, written."""
    body = to_json(record)
    return KeptRecord(hashlib.sha256(body).hexdigest(), body)


class WrittenRecords:
    """The records that were asked for last (LRU), each by the last of its races.

    A race that is over never changes, nor do those before it, and a race that is not over is in no record. Where words
    are erased the table is folded anew, into other races: a record with a name that is erased is found by nobody any
    more, and goes with the races that it is of.
    """

    def __init__(self, count: Callable[[int], None]) -> None:
        """`count` counts the races of a record that is written to whoever asks, and refuses if they are too many."""
        self._count = count
        self._tasks: WeakKeyDictionary[Race, asyncio.Task[WrittenRecord]] = WeakKeyDictionary()

    def __len__(self) -> int:
        return len(self._tasks)

    async def of(self, state: TableState, game: int) -> WrittenRecord:
        """The races of a game that are over; whoever asks while it is being written waits for the same one."""
        races = state.races_run(game)
        last = races[-1]
        task = self._tasks.pop(last, None)
        if task is None:
            self._count(len(races))
            task = asyncio.create_task(_written(state, game, len(races)))
            task.add_done_callback(lambda done: self._forget_failure(last, done))
        self._tasks[last] = task
        while len(self._tasks) > RECORDS_KEPT:
            self._tasks.pop(next(iter(self._tasks)), None)
        return await asyncio.shield(task)

    def _forget_failure(self, last: Race, task: asyncio.Task[WrittenRecord]) -> None:
        if task.cancelled() or task.exception() is not None:
            self._tasks.pop(last, None)


async def _written(state: TableState, game: int, races: int) -> WrittenRecord:
    for first in range(1, races):
        state.record(game, first)  # writes one more race, and the last of a hundred finds them written
        await asyncio.sleep(0)
    record = state.record(game, races)
    return WrittenRecord(record, await asyncio.to_thread(kept_record, record))
