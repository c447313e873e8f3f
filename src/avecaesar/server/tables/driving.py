"""Moves that the server makes: for computer drivers, stand-ins and riderless chariots, and when time is up."""

from __future__ import annotations

import asyncio
import logging
import math
import weakref
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from avecaesar.drivers import Scorpus
from avecaesar.game import Move, View
from avecaesar.game.numbers import SeatNumber
from avecaesar.server.fairness import on_behalf_of
from avecaesar.server.store.shapes import Unwell
from avecaesar.server.tables import events as e
from avecaesar.server.tables.state import TableState
from avecaesar.server.workers.budgets import time_of

if TYPE_CHECKING:
    from avecaesar.server.tables.running import RunningTable

STAND_IN = "scorpus"  # drives for whoever is away, and when the clock has run out
UNWATCHED_PACE = 5.0  # seconds a move at a table that nobody watches
BREATH = 5.0  # seconds before a table that could not go on tries again
TICK = 0.02  # seconds: whoever thinks longer than everybody knows he may is heard at the next tick


log = logging.getLogger("avecaesar.server")
T = TypeVar("T")


class Driving:
    """Drives at one table whenever nobody else does."""

    def __init__(self, table: RunningTable, least_pace: float, charge: Callable[[Sequence[str]], float]) -> None:
        """`least_pace` and `charge` as in `RunningTable`."""
        self._table: RunningTable = weakref.proxy(table)
        self._least_pace, self._charge = least_pace, charge

    @property
    def _state(self) -> TableState:
        return self._table.state

    async def run(self) -> None:
        """Make the moves that no person makes: the computer's, those of riderless chariots, and when time is up."""
        while True:
            self._table.wake.clear()
            try:
                if (decided := await self._unless_woken(self._next_move())) is not None:
                    await self._drive(*decided)
            except Exception as error:
                if not isinstance(error.__cause__, Unwell):  # which the store has logged
                    log.exception("table %s cannot go on by itself", self._state.id)
                await self._unless_woken(self._table.sleep(BREATH))

    async def _unless_woken(self, work: Awaitable[T]) -> T | None:
        """What comes of it; nothing if something happens at the table meanwhile."""
        task, woken = asyncio.ensure_future(work), asyncio.create_task(self._table.wake.wait())
        try:
            await asyncio.wait({task, woken}, return_when=asyncio.FIRST_COMPLETED)
            return None if self._table.wake.is_set() else task.result()
        finally:
            woken.cancel()
            if not task.cancel() and not task.cancelled():
                task.exception()  # nobody else will ask for it

    async def _next_move(self) -> tuple[int, SeatNumber | None, Move, e.By]:
        """What is to be done next, on which state; it waits as long as it takes."""
        state = self._state
        if not state.racing:
            await asyncio.Event().wait()
        at, seat, table = state.changed, state.on_turn, state.game_table
        if seat is None:
            await self._table.sleep(self._pace)
            await self._until_charged()
            return at, None, table.race.legal_moves[0], "rule"
        by = await self._until_due(seat)
        view = table.view(seat)
        driver = state.chairs[seat].driver if by == "driver" else STAND_IN
        move = await self._in_time(driver, view)
        await self._until_charged()
        return at, seat, move, by

    async def _until_charged(self) -> None:
        """Whoever has drivers race at many tables at once has them wait, and nobody else's."""
        while wait := self._charge([asker.address for asker in self._table.presence.askers]):
            await self._table.sleep(wait)

    async def _in_time(self, driver: str, view: View) -> Move:
        """A driver's move, at a moment that tells nothing of his hand.

        Whoever has one card to play has thought sooner, so nobody is told how long he thought. The move comes when the
        pace is over and so is the time that such a driver has, whatever he holds; for a searcher that counts from when
        a worker took it up, which depends on what others ask for. Whoever takes longer than that is heard at the next
        tick. Once the clock has run out the pace counts from then: whatever wakes the table in between does not begin
        it anew.
        """
        now = taken_up = self._table.steady()
        asked, pace = min(now, self._table.presence.deadline or now), self._pace

        def begins() -> None:
            nonlocal taken_up
            taken_up = self._table.steady()

        async def thought() -> tuple[Move, float]:
            return await self._choose(driver, view, begins), self._table.steady()

        (move, ended), _ = await asyncio.gather(thought(), self._table.sleep(asked + pace - now))
        due = max(asked + pace, taken_up + max(time_of(driver), TICK))
        ticks = math.ceil(round(max(ended - due, 0.0) / TICK, 6))
        await self._table.sleep(due + ticks * TICK - self._table.steady())
        return move

    async def _until_due(self, seat: SeatNumber) -> e.By:
        """Wait until the computer has to decide for a seat, and say as what."""
        if self._state.chairs[seat].driver:
            return "driver"
        while True:
            now = self._table.steady()
            deadline, away = self._table.presence.deadline, self._table.presence.away_from(seat)
            if away is not None and now >= away:
                return "stand-in"
            if deadline is not None and now >= deadline:
                return "clock"
            due = [when for when in (deadline, away) if when is not None]
            if not due:
                await asyncio.Event().wait()
            await self._table.sleep(max(min(due) - now, 0.001))

    async def _choose(self, driver: str, view: View, begins: Callable[[], None]) -> Move:
        try:
            with on_behalf_of(*self._table.presence.askers):
                return await self._table.thinkers.choose(driver, view, begins)
        except Exception:
            log.exception("driver %s failed at table %s; another one drives on", driver, self._state.id)
            return Scorpus().choose(view)

    @property
    def _pace(self) -> float:
        pace = max(self._state.plan.pace / 1000, 0.0 if self._state.persons else self._least_pace)
        return pace if self._table.presence.watched else max(pace, UNWATCHED_PACE)

    async def _drive(self, at: int, seat: SeatNumber | None, move: Move, by: e.By) -> None:
        async with self._table.lock:
            if self._state.changed == at and self._state.racing:
                await self._table.add([e.Moved(seat, move, by)])
