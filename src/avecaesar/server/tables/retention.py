"""How long tables are kept: finished ones, and those at which no race was ever begun, are erased after a while.

The while is counted from the last change, and from the server's upgrade to this rule at the earliest. Whoever shares a
race by link keeps its table until he shares it no longer. Uploads go when nobody has opened them for as long; a board
stays as long as a table is laid on it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import msgspec

from avecaesar.server.store.database import Store
from avecaesar.server.store.shapes import TableRow, Unwell
from avecaesar.server.tables.listing import Summary

A_DAY = 24 * 3600.0
USUAL = 90 * A_DAY
LOOK = 3600.0  # seconds between two looks; the first comes after one of them
A_STEP = 50  # tables that are looked at together; each is erased by itself
A_JUMP = 60.0  # seconds that the wall's clock may differ from the steady one between two looks
SINCE = "retention since"

log = logging.getLogger("avecaesar.server")


class Retention:
    """Erases what has been kept for long enough, a table at a time."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float],
        steady: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
        erase: Callable[[str], Awaitable[bool]],
        keep: float | None = USUAL,
    ) -> None:
        """`keep` are seconds, None: for good; `erase` tells whether it was done, for somebody may be looking on."""
        self._store, self._clock, self._steady, self._sleep, self._erase = store, clock, steady, sleep, erase
        self.keep = keep
        self.since = 0.0
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Note when the rule came into force here, if it has just done so, and begin to look."""
        await self._store.note(SINCE, repr(self._clock()))
        self.since = float(await self._store.noted(SINCE) or self._clock())
        if self.keep is not None:
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def until(self, updated: float) -> float | None:
        """Until when a table is kept that was changed last then; None: for good."""
        return None if self.keep is None else max(updated, self.since) + self.keep

    async def _run(self) -> None:
        while True:
            ahead = self._clock() - self._steady()
            await self._sleep(LOOK)
            if abs(self._clock() - self._steady() - ahead) > A_JUMP:
                continue  # a clock that is wrong by years must not erase everything: wait until it is steady
            try:
                await self.look()
            except Unwell:
                pass  # which the store has logged
            except Exception:
                log.exception("old tables cannot be erased")

    async def look(self) -> int:
        """Erase what is due, tables first, for boards stay with them; how many tables."""
        now, after, erased = self._clock(), (0.0, ""), 0
        if self.keep is None or now < self.since + self.keep:
            return 0
        while due := await self._store.resting(now - self.keep, after, A_STEP):
            after = due[-1].updated, due[-1].table
            for row in due:
                erased += _is_finished(row) and await self._erase(row.table)
        if erased:
            log.warning("%d tables that nobody had changed for %g days were erased", erased, self.keep / A_DAY)
        await self._drop_uploads(now - self.keep)
        return erased

    async def _drop_uploads(self, before: float) -> None:
        """One at a time, so that nobody waits long for the writer."""
        dropped = 0
        while due := await self._store.unopened(before, A_STEP):
            for kind, digest in due:
                await self._store.drop_unopened(kind, digest, before)
            dropped += len(due)
        if dropped:
            log.warning("%d uploads that nobody had opened for as long were dropped", dropped)


def _is_finished(row: TableRow) -> bool:
    """Whether nobody will go on there: the last race is over, the table is closed, or none was ever begun."""
    try:
        summary = msgspec.json.decode(row.summary, type=Summary)
    except msgspec.MsgspecError:
        return False  # an operator may want to see what is wrong with it
    return summary.closed or summary.phase in ("over", "gathering")
