"""Tables that are awake, and those that are woken: a log is folded when somebody asks for its table."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from typing import TYPE_CHECKING

import msgspec

from avecaesar.drivers import in_a_line
from avecaesar.game.tournament import Load
from avecaesar.server.fairness import Asker, asking, counted_to, on_behalf_of
from avecaesar.server.networks import wider
from avecaesar.server.rates import take_for_all
from avecaesar.server.refused import RefusedError, StoppedError
from avecaesar.server.store.shapes import Grant, LogEntry, Unwell
from avecaesar.server.tables import erasable_words
from avecaesar.server.tables import events as e
from avecaesar.server.tables.appending import no_tables
from avecaesar.server.tables.fold_queue import A_STEP, FoldQueue
from avecaesar.server.tables.folding import decoded, fold
from avecaesar.server.tables.keyring import opened, readable
from avecaesar.server.tables.listing import listing_of
from avecaesar.server.tables.running import RunningTable
from avecaesar.server.tables.state import TableState
from avecaesar.speech import say

if TYPE_CHECKING:
    from avecaesar.server.tables.house import House

MOST_AWAKE = 2000  # tables in memory
MOST_STOPPED = 32  # tables without their key that are kept in mind for their earlier races
LOGS_OF_A_NETWORK = 4  # times as many events are folded for it as for one address: all of them on the loop
CLOSED_AT_ONCE = 100  # idle tables that are closed side by side
FOLDS_AT_ONCE = 2  # logs that are folded side by side

log = logging.getLogger("avecaesar.server")


class Waking:
    """The running tables of one house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.awake: dict[str, RunningTable] = {}
        self.under_way: dict[str, asyncio.Task[RunningTable]] = {}
        self._wanted_by: dict[str, set[Asker]] = {}  # tables that are being woken, and for whom
        self._errands: dict[str, Hashable] = {}  # tables whose boards are being compiled
        self.queue = FoldQueue(FOLDS_AT_ONCE)
        self._unreadable: set[str] = set()  # tables whose damage is logged
        self.lacking: set[str] = set()  # tables that were found to lack a key; the lobby may not have heard of it
        self._stopped: dict[str, TableState] = {}  # tables whose race cannot be opened, up to where it began; a few
        self._telling = FoldQueue(1)
        self.napping: asyncio.Task[None] | None = None  # the last nap, under way or done

    async def table(self, table: str) -> RunningTable:
        """A table, which is woken if it sleeps."""
        if table not in self.awake and table not in self.under_way:
            self._need_quota_of_wakes(await self._house.store.length(table))
        if running := self.awake.get(table):
            return running
        if table not in self.under_way:
            self.under_way[table] = asyncio.create_task(self._wake(table))
            self.under_way[table].add_done_callback(lambda _: self._woken(table))
        self._join(table, asking()[0])
        return await asyncio.shield(self.under_way[table])

    def _join(self, table: str, asker: Asker) -> None:
        """Nobody waits for the turn of whoever was first, who may have many others, be it for a worker or to fold."""
        wanted_by = self._wanted_by.setdefault(table, set())
        if asker not in wanted_by:
            wanted_by.add(asker)
            self.queue.join(table, asker)
            if (errand := self._errands.get(table)) is not None:
                self._house.thinkers.join(errand, asker)

    def _woken(self, table: str) -> None:
        self.under_way.pop(table, None)
        self._wanted_by.pop(table, None)

    def _need_quota_of_wakes(self, events: int) -> None:
        if self._count_folded(events):
            raise RefusedError(say("so much at once: take a breath first"), status=429)

    def _count_folded(self, events: int) -> float:
        """Whoever has long logs folded keeps the loop busy, whatever becomes of it; the seconds that he has to wait."""
        address, rate = counted_to().address, self._house.quotas.wakes
        cost = min(events, rate.at_once)
        both = ("wakes", address, rate), ("wakes", wider(address), rate.times(LOGS_OF_A_NETWORK))
        return take_for_all(self._house.rates, both, cost) if address and events else 0.0

    async def _wake(self, table: str) -> RunningTable:
        key, held = self._first_key, None
        state = await self._read(table)
        self.lacking.discard(table)
        while held is None or key != self._first_key:  # keys are rotated meanwhile, which only finds who is awake
            if key != self._first_key:
                key = self._first_key
                state.rekey(key)
            await self._put_right(state)
            held = await self._house.store.holders(table)
        running = self.awake[table] = self.seat_at(state, held)
        return running

    @property
    def _first_key(self) -> str:
        return next(iter(self._house.keys.names), "")

    async def _read(self, table: str) -> TableState:
        """A table's log, folded; or why it cannot be."""
        entries = await self._house.store.log(table)
        if not entries:
            raise RefusedError(say("there is no such table"), status=404)
        if len(self.awake) >= MOST_AWAKE:
            await self.nap()
        try:
            return await self.folded(table, entries)
        except StoppedError:
            self.lacking.add(table)
            raise
        except (ValueError, LookupError, TypeError) as error:
            if isinstance(error, RefusedError) and error.status != 404:  # the workers' trouble, not the log's
                raise no_tables() from error
            if table not in self._unreadable:  # everybody who asks for it would be a line of the log
                self._unreadable.add(table)
                log.error("table %s: its log is damaged and cannot be read: %s", table, in_a_line(error))
            raise RefusedError(say("this table is damaged and cannot be opened"), status=503) from error

    async def _put_right(self, state: TableState) -> None:
        """Releases before 0.7 told the lobby a while after what had happened: an end by force kept it from that."""
        row, listing = await self._house.store.row(state.id), listing_of(state)
        if row is not None and row.listing != listing:
            with suppress(Unwell, LookupError):  # which the store has logged, or the table was erased
                await self._house.store.append(state.id, [], listing)

    async def folded(self, table: str, entries: Sequence[LogEntry], as_far_as_possible: bool = False) -> TableState:
        """A table's state, when its turns to be folded have come."""
        with self._on_behalf_of_all(table):
            opening = await self._opening(entries[0])
        with self._on_behalf_of_all(table):
            load = await self._load(table, opening.board if isinstance(opening, e.WasLaid) else None)
        askers = self._wanted_by.get(table, asking())
        async with self.queue.take(table, askers, len(entries) * A_STEP) as turn:
            events = opened([opening, *await decoded(entries[1:], turn.step)], self._house.keys)
            if readable(events) < len(events) and not as_far_as_possible:
                raise StoppedError
            return await fold(TableState(table, load=load), entries, events[: readable(events)], turn.step)

    def _on_behalf_of_all(self, table: str) -> AbstractContextManager[None]:
        """Who wait for a table by now. Whoever came first may have asked for too much, which is nobody else's fault."""
        return on_behalf_of(*self._wanted_by.get(table, asking()), counted=False)

    async def _load(self, table: str, board: str | None) -> Load:
        """Finds the courses of a table's board; whoever comes to the table meanwhile waits for them on his account."""
        if board is not None:
            self._errands[table] = self._house.courses.errand(board)
        try:
            return await self._house.courses.loader(board)
        finally:
            self._errands.pop(table, None)

    async def _opening(self, entry: LogEntry) -> e.AnyEvent:
        """The first event of a log, with the text of its board."""
        event = erasable_words.read(entry)
        if not isinstance(event, e.WasLaid) or (digest := event.plan.board) is None:
            return event
        text = await (
            self._house.uploads.board(digest)
            if event.board is None
            else self._house.uploads.fitting(digest, event.board)
        )
        return msgspec.structs.replace(event, board=text)

    def seat_at(self, state: TableState, held: Sequence[Grant]) -> RunningTable:
        """Let a table run from this state."""
        times = self._house.clock, self._house.sleep, self._house.steady
        return RunningTable(
            state,
            self._house.store,
            self._house.thinkers,
            *times,
            held,
            self._counting(state.id),
            self._house.keys,
            self._house.quotas.pace,
            self._charge,
            self._house.room,
            self._telling,
            self.queue,
        )

    def _charge(self, addresses: Sequence[str]) -> float:
        """Count a move that the computer makes to one of these addresses; the seconds that it has to wait for that.

        Moves that nobody watches are counted together.
        """
        if not any(addresses):
            return self._house.rates.take("driven", "", self._house.quotas.unwatched)
        waits = []
        for address in filter(None, dict.fromkeys(addresses)):
            waits.append(self._house.count_of("driven", address, self._house.quotas.driven))
            if not waits[-1]:
                break  # it is counted once
        return min(waits, default=0.0)

    def _counting(self, table: str) -> Callable[[str, bool, int], float]:
        """Counts what is done at a table beside moves, said, and folded; the seconds to wait for the next."""

        def count(who: str, said: bool, folded: int) -> float:
            name, rate = ("sayings", self._house.quotas.sayings) if said else ("deeds", self._house.quotas.deeds)
            wait = self._house.rates.take(name, f"{table} {who}", rate)
            wait = wait or (self._house.rates.take("chatter", table, self._house.quotas.chatter) if said else 0.0)
            return wait or self._count_folded(folded)

        return count

    @asynccontextmanager
    async def using(self, table: str) -> AsyncIterator[RunningTable]:
        """A table that does not fall asleep meanwhile."""
        running = await self.table(table)
        while running is not self.awake.get(table):  # it did, before we came to it
            running = await self.table(table)
        running.users += 1
        try:
            yield running
        finally:
            running.users -= 1

    async def nap(self) -> None:
        """Forget the tables at which nothing happens until somebody comes; one nap for all who ask for it meanwhile."""
        if self.napping is None or self.napping.done():
            self.napping = asyncio.create_task(self._put_to_sleep())
        await asyncio.shield(self.napping)

    async def _put_to_sleep(self) -> None:
        """A bunch at a time: to close one takes a few rounds of the loop, and somebody may wait for room."""
        tables = list(self.awake.items())
        while tables:
            some, tables = tables[:CLOSED_AT_ONCE], tables[CLOSED_AT_ONCE:]
            # By now it may be gone, or have been woken anew.
            idle = {table: running for table, running in some if self.awake.get(table) is running and running.idle}
            for table in idle:
                del self.awake[table]
            await asyncio.gather(*(running.close() for running in idle.values()))

    async def readable(self, table: str) -> TableState:
        """A table; where a race has stopped because its key is missing, up to the end of the race before."""
        try:
            async with self.using(table) as running:
                return running.state
        except StoppedError:
            if table not in self._stopped:
                state = await self.folded(table, await self._house.store.log(table), as_far_as_possible=True)
                while len(self._stopped) >= MOST_STOPPED:
                    del self._stopped[next(iter(self._stopped))]
                self._stopped[table] = state
            return self._stopped[table]
