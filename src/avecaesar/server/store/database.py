"""Where tables live: an append-only log for each, who may do what there, and boards and records that were uploaded.

`(table, number)` is unique, so that of two who append number 17 one succeeds and the other is told `Taken`. (A second
server does not even start: `lock.py`.) What people wrote lies beside the log in rows that can be erased
(`tables/erasable_words.py`). The bodies mean nothing here. SQL that every database understands, done in threads, so
that the event loop never waits.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection, create_engine, delete, func, insert, select, true
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from avecaesar.errors import BadInput, plain
from avecaesar.server.fairness import asking
from avecaesar.server.networks import wider
from avecaesar.server.store import lists, logs, rights_rows, sqlite, uploads_rows
from avecaesar.server.store.fair_executor import FairExecutor
from avecaesar.server.store.migrations import bring_up_to_date
from avecaesar.server.store.schema import EVENTS, KEPT, LAID_ON, NOTES, RIGHTS, TABLES
from avecaesar.server.store.shapes import (
    Blank,
    Body,
    Damaged,
    Grant,
    KeptKind,
    Listing,
    LogEntry,
    Revoke,
    TableRow,
    Unwell,
)
from avecaesar.server.store.troubles import TroubleLog, trouble_of
from avecaesar.server.store.writer import Writer

READERS = 3  # threads
AT_ONCE = 200  # entries that are retagged in one write
LOOKED_INTO = 1000  # logs in one read
A_DAY = 24 * 3600.0
T = TypeVar("T")


class Store:
    """The database by its address, such as `sqlite:////home/livia/avecaesar.db`.

    Who awaits a write that has begun is told how it ended, even if he is cancelled meanwhile: the cancellation comes
    at his next await that takes time. A write that has not begun is cancelled with him.
    """

    def __init__(self, url: str | URL, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock  # the wall's
        try:
            address = make_url(url)
            self.name = address.render_as_string(hide_password=True)
            self._file = sqlite.file_of(address)
            self._engine = create_engine(address, pool_size=READERS + 1, max_overflow=0)
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
            raise BadInput(f"the database {plain(url)!r} cannot be used: {plain(error)}") from error
        if self._file is not None:
            self.name = str(self._file)
            sqlite.set_up(self._engine)
        self._writing = self._engine.execution_options(writes=True)
        self._writer = Writer()
        self._readers = FairExecutor(READERS, "reader")
        self._troubles = TroubleLog()
        self.queued = 0  # writes that wait for the writer, or are under way
        self.reading = Counter[str]()  # reads that wait or are under way, by household and by network

    async def open(self) -> None:
        """Make the file if there is none, and bring its tables up to date."""
        try:
            await self._begun(self._writer.submit(self._open))
        except Damaged as error:  # the file that somebody named is the wrong one
            raise BadInput(f"{self.name} is not a database, or is damaged: {error.strerror}") from error
        self._troubles.opened = True

    async def close(self) -> None:
        """Finish what has begun, and let go of the database."""
        await asyncio.to_thread(self._close)

    # ------------------------------------------------------------------ writing

    async def create(
        self,
        table: str,
        entries: Sequence[LogEntry],
        grants: Sequence[Grant],
        listing: Listing,
        board: str | None = None,
    ) -> None:
        """Lay a table, with the first events of its log, on a board of ours or an upload. Taken: there is one."""
        row = TableRow(table, entries[0].at, entries[-1].at, *listing)

        def work(connection: Connection) -> None:
            logs.create(connection, row, entries, grants)
            if board is not None:
                connection.execute(insert(LAID_ON).values(table=table, board=board))

        await self._write(work)

    async def append(
        self,
        table: str,
        entries: Sequence[LogEntry],
        listing: Listing,
        *,
        grants: Sequence[Grant] = (),
        revoke: Sequence[Revoke] = (),
        blank: Sequence[Blank] = (),
        retagged: Sequence[LogEntry] = (),
    ) -> None:
        """Add events to a table's log and change rights, all of it or nothing; when it returns it is on the disk.

        `listing` is how the table stands after them. What `revoke` names ends before the grants are added. Words that
        are blanked are gone from the table for good, and with them what was made of its races. Entries that are
        `retagged` stand in place of those of their number; an empty body leaves the one that is there.
        """

        def work(connection: Connection) -> None:
            logs.append(connection, table, entries, listing, grants, revoke)
            logs.blank(connection, table, blank)
            logs.retag(connection, table, retagged)

        await self._write(work)

    async def retag(self, table: str, entries: Sequence[LogEntry]) -> None:
        """Let entries stand in place of those of their number, a few in each write: others write in between.

        If something goes wrong in the midst of it, some stand there as they were. It can be asked for again.
        """
        for first in range(0, len(entries), AT_ONCE):
            await self._write(partial(logs.retag, table=table, entries=entries[first : first + AT_ONCE]))

    async def rewrite(
        self, beginning: bytes, anew: Callable[[Sequence[Body]], Sequence[Body]], summary: Callable[[bytes], bytes]
    ) -> None:
        """Of the events whose bodies begin so, write some anew, and what lists of tables show of theirs with them.

        All that was asked for before is written first.
        """
        await self._write(lambda connection: logs.rewrite(connection, beginning, anew, summary), barrier=True)

    async def settle(self) -> None:
        """Wait until all is written that was asked for before."""
        await self._write(lambda connection: None, barrier=True)

    async def erase(self, table: str) -> None:
        """Delete a table, its log and all rights to it. LookupError: there is none of that name."""
        await self._write(lambda connection: logs.erase(connection, table))

    async def void(self, keys: Sequence[str]) -> None:
        """Delete all rights of these keys (their digests), at all tables."""
        await self._write(lambda connection: connection.execute(delete(RIGHTS).where(RIGHTS.c.key.in_(keys))))

    async def note(self, name: str, value: str) -> None:
        """Remember something for good, unless it is remembered already."""
        await self._write(lambda connection: uploads_rows.note(connection, name, value))

    async def keep(self, kind: KeptKind, digest: str, body: bytes) -> None:
        """Keep a board; one that is there already stays."""
        await self._write(lambda connection: uploads_rows.keep(connection, kind, digest, body, self.clock()))

    async def keep_record(self, digest: str, body: bytes, commitments: Sequence[str]) -> None:
        """Keep a record, with the commitments of its races, until somebody in it is forgotten."""
        await self._write(
            lambda connection: uploads_rows.keep_record(connection, digest, body, commitments, self.clock())
        )

    async def keep_of(self, table: str, erasures: int, kind: KeptKind, digest: str, body: bytes) -> None:
        """Keep what was made of a table's races, unless words were erased there since there were so many erasures."""

        def work(connection: Connection) -> None:
            if logs.erasures(connection, table) == erasures:
                uploads_rows.keep(connection, kind, digest, body, self.clock(), table)

        await self._write(work)

    async def keep_of_record(self, record: str, kind: KeptKind, digest: str, body: bytes) -> None:
        """Keep what was made of an upload, unless that is kept no longer: somebody in it may have been forgotten."""

        def work(connection: Connection) -> None:
            if uploads_rows.kept(connection, "record", record) is not None:
                uploads_rows.keep(connection, kind, digest, body, self.clock(), record)

        await self._write(work)

    async def drop_records(self, commitments: Sequence[str], digests: Sequence[str] = ()) -> None:
        """Keep the records of races that were sealed so no longer, nor these, nor what was made of them."""
        await self._write(lambda connection: uploads_rows.drop_records(connection, commitments, digests))

    async def drop_unopened(self, kind: KeptKind, digest: str, before: float) -> None:
        """Keep an upload no longer, if it still is one that nobody has opened since then."""
        await self._write(lambda connection: uploads_rows.drop_unopened(connection, kind, digest, before))

    async def probe(self) -> None:
        """Write something down, as a move is written; when it returns it is on the disk."""
        await self._write(uploads_rows.probe)

    @property
    def free(self) -> int | None:
        """The bytes that are free where the database lies; None if that cannot be known."""
        if self._file is None or not hasattr(os, "statvfs"):
            return None
        try:
            found = os.statvfs(self._file.parent)
        except OSError:
            return 0  # the folder is gone, or may not be looked at
        return found.f_bavail * found.f_frsize

    async def look_at_room(self) -> int | None:
        """The bytes that are free, looked at by turns with whoever reads: a disk may take its time."""
        return await asyncio.wrap_future(self._readers.submit(lambda: self.free))

    # ------------------------------------------------------------------ reading

    async def log(self, table: str, after: int = -1) -> list[LogEntry]:
        """A table's events after that number, in their order; none if there is no such table."""
        return await self._read(lambda connection: logs.read(connection, table, after))

    async def found_in_log(self, table: str, work: Callable[[list[LogEntry]], T]) -> T:
        """What somebody looks for in all of a table's log: the log may be long, so a reader's thread does it."""
        return await self._read(lambda connection: work(logs.read(connection, table, -1)))

    async def length(self, table: str) -> int:
        """How many events a table's log has; 0: there is no such table."""
        wanted = select(func.max(EVENTS.c.number)).where(EVENTS.c.table == table)
        last = await self._read(lambda connection: connection.execute(wanted).scalar())
        return 0 if last is None else last + 1

    async def beginning_with(self, beginning: bytes) -> list[Body]:
        """Of all logs the events whose bodies begin so; it looks at every event, so nobody but the operator asks."""
        return await self._read(lambda connection: logs.beginning_with(connection, beginning))

    async def erasures(self, table: str) -> int | None:
        """How many words were erased at a table; None: there is no such table."""
        return await self._read(lambda connection: logs.erasures(connection, table))

    async def tables_with(self, keys: Sequence[str], holders: Sequence[str]) -> list[str]:
        """All tables at which these keys (their digests) may do something, or these people wrote or did something."""
        found, after = set(await self._read(lambda connection: logs.tables_with(connection, keys, holders))), ""
        looking = partial(logs.next_with_commands, holders=holders, many=LOOKED_INTO)
        while following := await self._read(partial(looking, after=after)):
            found |= {table for table, done in following if done}
            after = following[-1][0]
        return sorted(found)

    async def rights(self, table: str, keys: Sequence[str]) -> list[Grant]:
        """What these keys (their digests) may do at a table."""
        return await self._read(lambda connection: rights_rows.of_keys(connection, table, keys))

    async def holders(self, table: str) -> list[Grant]:
        """All rights at a table to drive a seat, who sat down there, to be its host, or to be asked about."""
        return await self._read(lambda connection: rights_rows.holders(connection, table))

    async def links_at(self, table: str) -> int:
        """How many links and invitations to a table are kept."""
        return await self._read(lambda connection: rights_rows.links_at(connection, table))

    async def still_listed(self, tables: Sequence[str]) -> frozenset[str]:
        """Those of these tables that everybody may see."""
        return await self._read(lambda connection: lists.still_listed(connection, tables))

    async def size_of_kept(self) -> int:
        """The bytes of all boards and records that were uploaded, and of what was made of them."""
        return await self._read(uploads_rows.size)

    async def known(self, keys: Sequence[str]) -> frozenset[str]:
        """Those of these keys (their digests) that are a person's, at whichever table; links are not."""
        return await self._read(lambda connection: rights_rows.known(connection, keys))

    async def writers(self, holders: Sequence[str]) -> frozenset[str]:
        """Those of these people who wrote something that was not erased."""
        return await self._read(lambda connection: logs.writers(connection, holders))

    async def tables_of(self, keys: Sequence[str], limit: int = 50) -> list[tuple[TableRow, list[Grant]]]:
        """The tables at which these keys (their digests) may do something, and what; the newest first."""
        return await self._read(lambda connection: lists.of_keys(connection, keys, limit))

    async def listed(self, limit: int = 50) -> list[TableRow]:
        """The tables that everybody may see, the newest first."""
        return await self._read(lambda connection: lists.listed(connection, limit))

    async def row(self, table: str) -> TableRow | None:
        """A table as lists have it."""
        rows = await self._read(lambda connection: lists.newest(connection, TABLES.c.id == table, 1))
        return rows[0] if rows else None

    async def all(self, limit: int) -> list[TableRow]:
        """All tables, the newest first."""
        return await self._read(lambda connection: lists.newest(connection, true(), limit))

    async def resting(self, before: float, after: tuple[float, str], limit: int) -> list[TableRow]:
        """Tables that nobody has changed since `before`, that do not race and that nobody shares; the oldest first.

        They begin after the one that was changed last at that time and has that name.
        """
        return await self._read(lambda connection: lists.resting(connection, before, after, limit))

    async def shared_by(self, table: str) -> list[str]:
        """The keys (their digests) that share a table's races by link."""
        shares = await self._read(
            lambda connection: rights_rows.granted(connection, RIGHTS.c.table == table, *rights_rows.SHARES)
        )
        return [grant.key for _, grant in shares]

    async def noted(self, name: str) -> str | None:
        """What was noted under that name."""
        wanted = select(NOTES.c.value).where(NOTES.c.name == name)
        return await self._read(lambda connection: connection.execute(wanted).scalar())

    async def live(self) -> list[str]:
        """The tables at which clocks or drivers are to go on after a restart."""
        return await self._read(lists.live)

    async def kept(self, kind: KeptKind, digest: str) -> bytes | None:
        """A board or record that was kept; from now on it is one that somebody has opened."""
        found, now = await self._read(lambda connection: uploads_rows.kept(connection, kind, digest)), self.clock()
        if found is None:
            return None
        body, opened = found
        if now > opened + A_DAY:
            with suppress(Unwell):  # it can be read all the same
                await self._write(lambda connection: uploads_rows.mark_opened(connection, kind, digest, now))
        return body

    async def unopened(self, before: float, limit: int) -> list[tuple[KeptKind, str]]:
        """Uploads, and what was made of them, that nobody has opened since then and no table is laid on."""
        wanted = select(KEPT.c.kind, KEPT.c.digest).where(*uploads_rows.unopened(before)).limit(limit)
        rows = await self._read(lambda connection: connection.execute(wanted).all())
        return [(row.kind, row.digest) for row in rows]

    # ------------------------------------------------------------------ threads

    async def _write(self, work: Callable[[Connection], object], *, barrier: bool = False) -> None:
        self.queued += 1
        try:
            await self._begun(self._writer.submit(partial(self._changing, work), barrier=barrier))
        finally:
            self.queued -= 1

    async def _read(self, work: Callable[[Connection], T]) -> T:
        address = asking()[0].address
        rooms = address, wider(address)
        self.reading.update(rooms)
        try:
            return await asyncio.wrap_future(self._readers.submit(partial(self._reading, work)))
        finally:
            self.reading.subtract(rooms)
            for room in rooms:
                if not self.reading[room]:
                    del self.reading[room]

    async def _begun(self, writing: Future[None]) -> None:
        """Wait for the writer, whatever happens to who waits; what it has not begun can still be cancelled."""
        written = asyncio.wrap_future(writing)
        cancelled = False
        while not written.done():
            try:
                await asyncio.wait([written])
            except asyncio.CancelledError:
                if writing.cancel():
                    raise
                cancelled = True
        if cancelled and (task := asyncio.current_task()) is not None:
            task.uncancel()
            task.cancel()
        written.result()

    def _reading(self, work: Callable[[Connection], T]) -> T:
        with self._telling(), self._engine.connect() as connection:
            return work(connection)

    def _changing(self, work: Callable[[Connection], object]) -> None:
        with self._telling(), self._writing.begin() as connection:
            work(connection)
        self._troubles.well(self.name)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            told = trouble_of(error, self.name)
            self._troubles.unwell(told)
            raise told from error

    def _open(self) -> None:
        if self._file is not None:
            sqlite.make(self._file)
        self._changing(lambda connection: bring_up_to_date(connection, self.name))
        if self._file is not None:
            with self._telling():
                sqlite.write_ahead(self._engine)

    def _close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()
        self._engine.dispose()
