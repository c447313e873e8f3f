"""Where tables live: an append-only log for each, who may do what there, and boards and records that were uploaded.

The log is the truth, and `(table, number)` is unique: of two who append number 17, one succeeds. (A second server does
not even start: `lock.py`.) What people wrote lies beside it in rows that can be erased: see `words.py`. The bodies mean
nothing here. SQL that every database understands, done in threads, so that the event loop never waits.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, get_args

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    true,
    update,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError

from avecaesar.errors import BadInput, plain
from avecaesar.server.store.migrations import bring_up_to_date

Role = Literal["drive", "sat", "host", "invite", "pass", "left", "wish", "banned", "share"]
Kind = Literal["board", "record", "chronicle", "probe"]
WordKind = Literal["title", "name", "saying", "asker"]

ROLES: tuple[Role, ...] = get_args(Role)
HELD: tuple[Role, ...] = ("drive", "sat", "left", "host", "wish")  # which a table that is awake has in mind
LINKS: tuple[Role, ...] = ("pass", "invite")  # what keys hold that are no person's
READERS = 3  # threads
PATIENCE = 10  # seconds to wait for another process that is writing
NO_SEAT = -1  # a right that goes with no seat: databases take nothing (NULL) for different from nothing
DIGEST = 64  # characters of a key's digest
HELP = {  # what an operator does about it
    errno.ENOSPC: "make room on the disk, and the server goes on by itself",
    errno.EACCES: "let the server's user read and write the file and its folder",
    errno.EBUSY: "another program has locked the file",
}
DAMAGE = -1  # a kind of trouble that does not pass
A_DAY = 24 * 3600.0
PROBE = "0" * DIGEST  # under which a probe of the writer is kept

log = logging.getLogger("avecaesar.server")
T = TypeVar("T")

METADATA = MetaData()
TABLES = Table(
    "tables",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("live", Boolean, nullable=False),  # clocks or drivers are to go on after a restart
    Column("summary", LargeBinary, nullable=False),  # what lists of tables show
    Index("tables_by_update", "updated"),
)
Index(  # of the few that the lobby lists
    "tables_listed",
    TABLES.c.updated.desc(),
    TABLES.c.id,
    sqlite_where=TABLES.c.listed,
    postgresql_where=TABLES.c.listed,
)
EVENTS = Table(
    "events",
    METADATA,
    Column("table", Text, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # from 0, without a gap
    Column("at", Double, nullable=False),
    Column("command", Text),
    Column("body", LargeBinary, nullable=False),
    UniqueConstraint("table", "command"),
)
RIGHTS = Table(
    "rights",
    METADATA,
    Column("table", Text, ForeignKey("tables.id"), primary_key=True),
    Column("key", Text, primary_key=True),  # its digest: nobody who reads the database can sit down
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("role", Text, primary_key=True),
    Index("rights_by_key", "key"),
)
WORDS = Table(  # what people wrote, which the events refer to by their numbers; the one part of a log that changes
    "words",
    METADATA,
    Column("table", Text, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # of the event
    Column("part", Integer, primary_key=True, autoincrement=False),  # of it, where several words stand in one
    Column("kind", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("holder", Text),  # who wrote it: the tag of his key
    Column("text", Text),
    Column("erased", Boolean, nullable=False),
    Index("words_by_holder", "holder"),
)
KEPT = Table(
    "kept",
    METADATA,
    Column("kind", Text, primary_key=True),
    Column("digest", Text, primary_key=True),
    Column("body", LargeBinary, nullable=False),
    Column("created", Double, nullable=False),
    Column("table", Text),  # whose race it tells of, a table's or an upload's; nothing for uploads themselves
    Column("opened", Double, nullable=False),  # last, to a day
    Index("kept_by_table", "table"),
    Index("kept_by_opening", "opened"),
)
LAID_ON = Table(  # tables on boards that somebody has uploaded, which are kept as long as the tables are
    "laid_on",
    METADATA,
    Column("table", Text, ForeignKey("tables.id"), primary_key=True),
    Column("board", Text, nullable=False),
    Index("laid_on_board", "board"),
)
SEALS = Table(  # by which uploads are known as some table's: whatever else of a record is changed, its cards are not
    "seals",
    METADATA,
    Column("commitment", Text, primary_key=True),
    Column("record", Text, primary_key=True),
    Index("seals_by_record", "record"),
)
NOTES = Table(  # what a server has to remember about its file
    "notes",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)


class Word(NamedTuple):
    """Something that a person wrote."""

    part: int
    kind: WordKind
    seat: int | None  # whose name it is, or who said it
    holder: str | None  # who wrote it, None: it is nobody's alone
    text: str | None
    erased: bool = False


class Body(NamedTuple):
    """An event's body, and where it stands."""

    table: str
    number: int
    body: bytes


class Entry(NamedTuple):
    """An event of a table's log."""

    number: int  # from 0, without a gap
    at: float  # seconds since 1970
    command: str | None  # what asked for it, as "holder:id": done once at a table, however often it is sent
    body: bytes
    words: tuple[Word, ...] = ()  # that belong in it


class Blank(NamedTuple):
    """A word that is erased, and what stands there instead."""

    number: int  # of the event
    part: int
    text: str | None


class Grant(NamedTuple):
    """What the holder of a key may do at a table.

    Whoever takes a seat may `drive` it, and so do devices that he lets in; that he `sat` down there is his alone.
    Whoever stands up in mid-race has `left` the seat with all his devices, and that he `sat` there is kept meanwhile.
    """

    key: str  # its SHA-256 in hexadecimal, never the key itself
    seat: int | None
    role: Role


class Revoke(NamedTuple):
    """Rights that end: those of a role, at one seat or any, of one key or of all but some."""

    role: Role
    seat: int | None = None
    key: str | None = None
    but: tuple[str, ...] = ()

    def ends(self, grant: Grant) -> bool:
        """Whether this right is one of them."""
        return (
            grant.role == self.role
            and self.seat in (None, grant.seat)
            and self.key in (None, grant.key)
            and grant.key not in self.but
        )


class Row(NamedTuple):
    """A table as lists of tables need it."""

    table: str
    created: float
    updated: float
    listed: bool
    live: bool
    summary: bytes


class Taken(Exception):
    """Somebody was faster: this number is in the log already, or this command, or the log is not that long yet."""


class Unwell(OSError):
    """The database cannot be used now: the disk is full, the file is damaged, somebody else locks it.

    Its words and its file's name are for the operator. Strangers are told that it is so, and nothing more.
    """


class Damaged(Unwell):
    """The file is not a database, or no longer."""


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
            self._file = _file_of(address.database) if address.get_backend_name() == "sqlite" else None
            self._engine = create_engine(address, pool_size=READERS + 1, max_overflow=0)
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
            raise BadInput(f"the database {plain(url)!r} cannot be used: {plain(error)}") from error
        if self._file is not None:
            self.name = str(self._file)
            event.listen(self._engine, "connect", _set_up_sqlite)
            event.listen(self._engine, "begin", _begin_in_sqlite)
        self._writing = self._engine.execution_options(writes=True)
        self._writer = ThreadPoolExecutor(1, "writer")
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._log = _Once()
        self.queued = 0  # writes that wait for the writer, or are under way

    async def open(self) -> None:
        """Make the file if there is none, and bring its tables up to date."""
        try:
            await self._begun(self._writer.submit(self._open))
        except Damaged as error:  # the file that somebody named is the wrong one
            raise BadInput(f"{self.name} is not a database, or is damaged: {error.strerror}") from error
        self._log.opened = True

    async def close(self) -> None:
        """Finish what has begun, and let go of the database."""
        await asyncio.to_thread(self._close)

    # ------------------------------------------------------------------ writing

    async def create(
        self,
        table: str,
        entries: Sequence[Entry],
        grants: Sequence[Grant],
        *,
        listed: bool,
        live: bool,
        summary: bytes,
        board: str | None = None,
    ) -> None:
        """Lay a table, with the first events of its log, on a board of ours or an upload. Taken: there is one."""
        row = Row(table, entries[0].at, entries[-1].at, listed, live, summary)

        def work(connection: Connection) -> None:
            _create(connection, row, entries, grants)
            if board is not None:
                connection.execute(insert(LAID_ON).values(table=table, board=board))

        await self._write(work)

    async def append(
        self,
        table: str,
        entries: Sequence[Entry],
        *,
        grants: Sequence[Grant] = (),
        revoke: Sequence[Revoke] = (),
        blank: Sequence[Blank] = (),
        retagged: Sequence[Entry] = (),
        live: bool,
        listed: bool,
        summary: bytes,
    ) -> None:
        """Add events to a table's log and change rights, all of it or nothing; when it returns it is on the disk.

        What `revoke` names ends before the grants are added. Words that are blanked are gone from the table for good,
        and with them what was made of its races. Entries that are `retagged` stand in place of those of their number.
        """

        def work(connection: Connection) -> None:
            _append(connection, table, entries, grants, revoke, live, listed, summary)
            _blank(connection, table, blank)
            for entry in retagged:
                this = (EVENTS.c.table == table, EVENTS.c.number == entry.number)
                connection.execute(update(EVENTS).where(*this).values(command=entry.command, body=entry.body))

        await self._write(work)

    async def rewrite(
        self, beginning: bytes, anew: Callable[[Sequence[Body]], Sequence[Body]], summary: Callable[[bytes], bytes]
    ) -> None:
        """Of the events whose bodies begin so, write some anew, and what lists of tables show of theirs with them."""
        await self._write(lambda connection: _rewrite(connection, beginning, anew, summary))

    async def erase(self, table: str) -> None:
        """Delete a table, its log and all rights to it. LookupError: there is none of that name."""
        await self._write(lambda connection: _erase(connection, table))

    async def void(self, keys: Sequence[str]) -> None:
        """Delete all rights of these keys (their digests), at all tables."""
        await self._write(lambda connection: connection.execute(delete(RIGHTS).where(RIGHTS.c.key.in_(keys))))

    async def note(self, name: str, value: str) -> None:
        """Remember something for good, unless it is remembered already."""
        await self._write(lambda connection: _note(connection, name, value))

    async def keep(self, kind: Kind, digest: str, body: bytes) -> None:
        """Keep a board; one that is there already stays."""
        await self._write(lambda connection: _keep(connection, kind, digest, body, self.clock()))

    async def keep_record(self, digest: str, body: bytes, commitments: Sequence[str]) -> None:
        """Keep a record, with the commitments of its races, until somebody in it is forgotten."""
        await self._write(lambda connection: _keep_record(connection, digest, body, commitments, self.clock()))

    async def keep_of(self, table: str, erasures: int, kind: Kind, digest: str, body: bytes) -> None:
        """Keep what was made of a table's races, unless words were erased there since there were so many erasures."""

        def work(connection: Connection) -> None:
            if _erasures(connection, table) == erasures:
                _keep(connection, kind, digest, body, self.clock(), table)

        await self._write(work)

    async def keep_of_record(self, record: str, kind: Kind, digest: str, body: bytes) -> None:
        """Keep what was made of an upload, unless that is kept no longer: somebody in it may have been forgotten."""

        def work(connection: Connection) -> None:
            if _kept(connection, "record", record) is not None:
                _keep(connection, kind, digest, body, self.clock(), record)

        await self._write(work)

    async def drop_records(self, commitments: Sequence[str], digests: Sequence[str] = ()) -> None:
        """Keep the records of races that were sealed so no longer, nor these, nor what was made of them."""
        await self._write(lambda connection: _drop_records(connection, commitments, digests))

    async def drop_unopened(self, kind: Kind, digest: str, before: float) -> None:
        """Keep an upload no longer, if it still is one that nobody has opened since then."""
        await self._write(lambda connection: _drop_unopened(connection, kind, digest, before))

    async def probe(self) -> None:
        """Write something down, as a move is written; when it returns it is on the disk."""
        await self._write(_probe)

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

    # ------------------------------------------------------------------ reading

    async def log(self, table: str, after: int = -1) -> list[Entry]:
        """A table's events after that number, in their order; none if there is no such table."""
        return await self._read(lambda connection: _log(connection, table, after))

    async def length(self, table: str) -> int:
        """How many events a table's log has; 0: there is no such table."""
        wanted = select(func.max(EVENTS.c.number)).where(EVENTS.c.table == table)
        last = await self._read(lambda connection: connection.execute(wanted).scalar())
        return 0 if last is None else last + 1

    async def beginning_with(self, beginning: bytes) -> list[Body]:
        """Of all logs the events whose bodies begin so; it looks at every event, so nobody but the operator asks."""
        return await self._read(lambda connection: _beginning_with(connection, beginning))

    async def erasures(self, table: str) -> int | None:
        """How many words were erased at a table; None: there is no such table."""
        return await self._read(lambda connection: _erasures(connection, table))

    async def tables_with(self, keys: Sequence[str], holders: Sequence[str]) -> list[str]:
        """All tables at which these keys (their digests) may do something, or at which these people wrote something."""
        return await self._read(lambda connection: _tables_with(connection, keys, holders))

    async def rights(self, table: str, keys: Sequence[str]) -> list[Grant]:
        """What these keys (their digests) may do at a table."""
        return await self._read(lambda connection: _rights(connection, table, keys))

    async def holders(self, table: str) -> list[Grant]:
        """All rights at a table to drive a seat, who sat down there, to be its host, or to be asked about."""
        return await self._read(lambda connection: _holders(connection, table))

    async def links_at(self, table: str) -> int:
        """How many links and invitations to a table are kept."""
        return await self._read(lambda connection: _links_at(connection, table))

    async def still_listed(self, tables: Sequence[str]) -> frozenset[str]:
        """Those of these tables that everybody may see."""
        return await self._read(lambda connection: _still_listed(connection, tables))

    async def size_of_kept(self) -> int:
        """The bytes of all boards and records that were uploaded, and of what was made of them."""
        return await self._read(_size_of_kept)

    async def known(self, keys: Sequence[str]) -> frozenset[str]:
        """Those of these keys (their digests) that are a person's, at whichever table; links are not."""
        return await self._read(lambda connection: _known(connection, keys))

    async def writers(self, holders: Sequence[str]) -> frozenset[str]:
        """Those of these people who wrote something that was not erased."""
        wanted = select(WORDS.c.holder).where(WORDS.c.holder.in_(holders)).distinct()
        return frozenset(await self._read(lambda connection: connection.execute(wanted).scalars().all()))

    async def tables_of(self, keys: Sequence[str], limit: int = 50) -> list[tuple[Row, list[Grant]]]:
        """The tables at which these keys (their digests) may do something, and what; the newest first."""
        return await self._read(lambda connection: _tables_of(connection, keys, limit))

    async def listed(self, limit: int = 50) -> list[Row]:
        """The tables that everybody may see, the newest first."""
        return await self._read(lambda connection: _listed(connection, limit))

    async def row(self, table: str) -> Row | None:
        """A table as lists have it."""
        rows = await self._read(lambda connection: _newest(connection, TABLES.c.id == table, 1))
        return rows[0] if rows else None

    async def all(self, limit: int) -> list[Row]:
        """All tables, the newest first."""
        return await self._read(lambda connection: _newest(connection, true(), limit))

    async def resting(self, before: float, after: tuple[float, str], limit: int) -> list[Row]:
        """Tables that nobody has changed since `before`, that do not race and that nobody shares; the oldest first.

        They begin after the one that was changed last at that time and has that name.
        """
        return await self._read(lambda connection: _resting(connection, before, after, limit))

    async def shared_by(self, table: str) -> list[str]:
        """The keys (their digests) that share a table's races by link."""
        shares = await self._read(lambda connection: _granted(connection, RIGHTS.c.table == table, *_SHARES))
        return [grant.key for _, grant in shares]

    async def noted(self, name: str) -> str | None:
        """What was noted under that name."""
        wanted = select(NOTES.c.value).where(NOTES.c.name == name)
        return await self._read(lambda connection: connection.execute(wanted).scalar())

    async def live(self) -> list[str]:
        """The tables at which clocks or drivers are to go on after a restart."""
        return await self._read(_live)

    async def kept(self, kind: Kind, digest: str) -> bytes | None:
        """A board or record that was kept; from now on it is one that somebody has opened."""
        found, now = await self._read(lambda connection: _kept(connection, kind, digest)), self.clock()
        if found is None:
            return None
        body, opened = found
        if now > opened + A_DAY:
            with suppress(Unwell):  # it can be read all the same
                await self._write(lambda connection: _open(connection, kind, digest, now))
        return body

    async def unopened(self, before: float, limit: int) -> list[tuple[Kind, str]]:
        """Uploads, and what was made of them, that nobody has opened since then and no table is laid on."""
        wanted = select(KEPT.c.kind, KEPT.c.digest).where(*_unopened(before)).limit(limit)
        rows = await self._read(lambda connection: connection.execute(wanted).all())
        return [(row.kind, row.digest) for row in rows]

    # ------------------------------------------------------------------ threads

    async def _write(self, work: Callable[[Connection], object]) -> None:
        self.queued += 1
        try:
            await self._begun(self._writer.submit(self._changing, work))
        finally:
            self.queued -= 1

    async def _read(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.wrap_future(self._readers.submit(self._reading, work))

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
        self._log.well(self.name)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            told = self._told(error)
            self._log.unwell(told)
            raise told from error

    def _open(self) -> None:
        if self._file is not None:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600))
        self._changing(lambda connection: bring_up_to_date(connection, self.name))
        if self._file is not None:
            self._write_ahead()

    def _write_ahead(self) -> None:
        """Readers and a writer side by side: it stays in the file, and so is asked of none but ours."""
        connection = self._engine.raw_connection()
        try:
            connection.cursor().execute("PRAGMA journal_mode=WAL")
        except sqlite3.Error as error:
            raise self._told(DBAPIError("PRAGMA journal_mode", None, error)) from error
        finally:
            connection.close()

    def _close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()
        self._engine.dispose()

    def _told(self, error: DBAPIError) -> Unwell:
        """What went wrong, in words for who runs the server."""
        code = getattr(error.orig, "sqlite_errorcode", None)
        match None if code is None else code & 0xFF:  # the rest tells finer kinds apart
            case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
                return Damaged(errno.EIO, plain(error.orig), self.name)
            case sqlite3.SQLITE_FULL:
                number = errno.ENOSPC
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
                number = errno.EACCES
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                number = errno.EBUSY
            case _:
                number = errno.EIO
        return Unwell(number, f"the database cannot be used: {plain(error.orig)}", self.name)


class _Once:
    """Logs each kind of trouble when it begins, and its end; not what everybody meets meanwhile."""

    def __init__(self) -> None:
        self.opened = False  # before that whoever opens it is told, and tells
        self._troubles: set[int] = set()

    def unwell(self, error: Unwell) -> None:
        trouble = DAMAGE if isinstance(error, Damaged) else error.errno or 0
        if self.opened and trouble not in self._troubles:
            self._troubles.add(trouble)
            log.error("%s: %s; %s", error.filename, error.strerror, _advice(error))

    def well(self, name: str) -> None:
        """A write has succeeded, which says nothing about pages that are damaged elsewhere in the file."""
        if self._troubles - {DAMAGE}:
            self._troubles &= {DAMAGE}
            log.error("%s can be written again", name)


def _advice(error: Unwell) -> str:
    if isinstance(error, Damaged):
        return "the file is damaged: stop the server and restore it from a backup"
    return HELP.get(error.errno or 0, "nothing can be written down until that is repaired")


def address_of(file: Path) -> URL:
    """The address of a database in a file, whatever its name: a question mark in it begins no query."""
    return URL.create("sqlite", database=str(file))


def _file_of(database: str | None) -> Path:
    if not database or database == ":memory:" or database.startswith("file:"):
        raise BadInput("tables live in a file, and this address of a database names none: write sqlite:///FILE")
    return Path(database).absolute()


# ---------------------------------------------------------------------- SQLite


def _set_up_sqlite(connection: Any, _: object) -> None:
    """What is committed is on the disk; transactions are begun by us.

    What is deleted is overwritten: an erased table is not in the file's free pages, where a copy would show it.
    """
    connection.isolation_level = None
    for setting in (
        f"busy_timeout={PATIENCE * 1000}",
        "synchronous=FULL",
        "foreign_keys=ON",
        "secure_delete=ON",
    ):
        connection.execute(f"PRAGMA {setting}").close()


def _begin_in_sqlite(connection: Connection) -> None:
    """Who is going to write says so at once: two who read first and write later would stand in each other's way."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


# ---------------------------------------------------------------------- what is done in a transaction


def _create(connection: Connection, row: Row, entries: Sequence[Entry], grants: Sequence[Grant]) -> None:
    try:
        connection.execute(insert(TABLES).values(id=row.table, **_columns(row)))
    except IntegrityError as error:
        raise Taken(f"there is a table {row.table} already") from error
    _add_events(connection, row.table, entries)
    _add_rights(connection, row.table, grants)


def _append(
    connection: Connection,
    table: str,
    entries: Sequence[Entry],
    grants: Sequence[Grant],
    revoke: Sequence[Revoke],
    live: bool,
    listed: bool,
    summary: bytes,
) -> None:
    _hold(connection, table)
    _add_events(connection, table, entries)
    values = {"live": live, "listed": listed, "summary": summary}
    if entries:
        values["updated"] = entries[-1].at
    connection.execute(update(TABLES).where(TABLES.c.id == table).values(values))
    for each in revoke:
        connection.execute(delete(RIGHTS).where(RIGHTS.c.table == table, *_those(each)))
    _add_rights(connection, table, grants)


def _rewrite(
    connection: Connection,
    beginning: bytes,
    anew: Callable[[Sequence[Body]], Sequence[Body]],
    summary: Callable[[bytes], bytes],
) -> None:
    changed = anew(_beginning_with(connection, beginning))
    for table, number, body in changed:
        connection.execute(update(EVENTS).where(EVENTS.c.table == table, EVENTS.c.number == number).values(body=body))
    for table in {each.table for each in changed}:
        here = TABLES.c.id == table
        told = connection.execute(select(TABLES.c.summary).where(here)).scalar_one()
        connection.execute(update(TABLES).where(here).values(summary=summary(told)))


def _erase(connection: Connection, table: str) -> None:
    _hold(connection, table)
    for rows in (KEPT, LAID_ON, WORDS, EVENTS, RIGHTS):
        connection.execute(delete(rows).where(rows.c.table == table))
    connection.execute(delete(TABLES).where(TABLES.c.id == table))


def _blank(connection: Connection, table: str, blank: Sequence[Blank]) -> None:
    for number, part, text in blank:
        this = (WORDS.c.table == table, WORDS.c.number == number, WORDS.c.part == part)
        connection.execute(update(WORDS).where(*this).values(text=text, holder=None, erased=True))
    if blank:
        connection.execute(delete(KEPT).where(KEPT.c.table == table))


def _keep(connection: Connection, kind: Kind, digest: str, body: bytes, now: float, table: str | None = None) -> None:
    row = {"kind": kind, "digest": digest, "body": body, "created": now, "opened": now, "table": table}
    with suppress(IntegrityError):
        connection.execute(insert(KEPT).values(row))


def _keep_record(connection: Connection, digest: str, body: bytes, commitments: Sequence[str], now: float) -> None:
    if _kept(connection, "record", digest) is None:
        _keep(connection, "record", digest, body, now)
        rows = [{"commitment": each, "record": digest} for each in dict.fromkeys(commitments)]
        if rows:
            connection.execute(insert(SEALS), rows)


def _drop_records(connection: Connection, commitments: Sequence[str], digests: Sequence[str]) -> None:
    sealed = connection.execute(select(SEALS.c.record).where(SEALS.c.commitment.in_(commitments))).scalars()
    for digest in {*sealed, *digests}:
        connection.execute(delete(KEPT).where(KEPT.c.kind == "record", KEPT.c.digest == digest))
        connection.execute(delete(KEPT).where(KEPT.c.table == digest))
        connection.execute(delete(SEALS).where(SEALS.c.record == digest))


def _open(connection: Connection, kind: Kind, digest: str, now: float) -> None:
    this = (KEPT.c.kind == kind, KEPT.c.digest == digest)
    connection.execute(update(KEPT).where(*this).values(opened=now))


def _drop_unopened(connection: Connection, kind: Kind, digest: str, before: float) -> None:
    this = (KEPT.c.kind == kind, KEPT.c.digest == digest, *_unopened(before))
    gone = connection.execute(delete(KEPT).where(*this)).rowcount
    if gone and kind == "record":
        _drop_records(connection, (), [digest])  # its seals, and what was made of it


def _unopened(before: float) -> tuple[Any, ...]:
    """Which rows are uploads whose time is over; what was made of one, or of a table, goes with it."""
    laid = select(LAID_ON.c.table).where(LAID_ON.c.board == KEPT.c.digest).exists()
    return KEPT.c.opened < before, KEPT.c.table.is_(None), KEPT.c.kind != "probe", ~((KEPT.c.kind == "board") & laid)


def _note(connection: Connection, name: str, value: str) -> None:
    if connection.execute(select(NOTES.c.name).where(NOTES.c.name == name)).first() is None:
        connection.execute(insert(NOTES).values(name=name, value=value))


def _probe(connection: Connection) -> None:
    now = time.time()
    connection.execute(delete(KEPT).where(KEPT.c.kind == "probe"))
    row = {"kind": "probe", "digest": PROBE, "body": secrets.token_bytes(16), "created": now, "opened": now}
    connection.execute(insert(KEPT).values(row))


def _columns(row: Row) -> dict[str, Any]:
    columns = row._asdict()
    del columns["table"]
    return columns


def _hold(connection: Connection, table: str) -> None:
    """Let nobody else change this table before we have."""
    if connection.execute(select(TABLES.c.id).where(TABLES.c.id == table).with_for_update()).first() is None:
        raise LookupError(f"there is no table {table}")


def _add_events(connection: Connection, table: str, entries: Sequence[Entry]) -> None:
    last = connection.execute(select(func.max(EVENTS.c.number)).where(EVENTS.c.table == table)).scalar()
    following = 0 if last is None else last + 1
    if [entry.number for entry in entries] != list(range(following, following + len(entries))):
        raise Taken(f"the next event of table {table} is number {following}")
    if entries:
        try:
            connection.execute(insert(EVENTS), [_event_row(table, entry) for entry in entries])
        except IntegrityError as error:
            raise Taken(f"a command of these events was done at table {table} already") from error
    if words := [_word_row(table, entry.number, word) for entry in entries for word in entry.words]:
        connection.execute(insert(WORDS), words)


def _event_row(table: str, entry: Entry) -> dict[str, Any]:
    row = {"table": table, **entry._asdict()}
    del row["words"]
    return row


def _word_row(table: str, number: int, word: Word) -> dict[str, Any]:
    return {"table": table, "number": number, **word._asdict(), "seat": NO_SEAT if word.seat is None else word.seat}


def _add_rights(connection: Connection, table: str, grants: Sequence[Grant]) -> None:
    if any(len(grant.key) != DIGEST for grant in grants):
        raise ValueError("only the digests of keys are kept, never keys")
    wanted = dict.fromkeys((grant.key, _seat_number(grant), grant.role) for grant in grants)
    theirs = {grant.key for grant in grants}  # not all of the table: there may be many
    here = select(RIGHTS.c.key, RIGHTS.c.seat, RIGHTS.c.role)
    for row in connection.execute(here.where(RIGHTS.c.table == table, RIGHTS.c.key.in_(theirs))):
        wanted.pop(tuple(row), None)
    if wanted:
        rows = [{"table": table, "key": key, "seat": seat, "role": role} for key, seat, role in wanted]
        connection.execute(insert(RIGHTS), rows)


def _those(revoke: Revoke) -> Iterator[Any]:
    yield RIGHTS.c.role == revoke.role
    if revoke.seat is not None:
        yield RIGHTS.c.seat == revoke.seat
    if revoke.key is not None:
        yield RIGHTS.c.key == revoke.key
    if revoke.but:
        yield RIGHTS.c.key.not_in(revoke.but)


def _seat_number(grant: Grant) -> int:
    return NO_SEAT if grant.seat is None else grant.seat


def _log(connection: Connection, table: str, after: int) -> list[Entry]:
    wanted = (
        select(EVENTS.c.number, EVENTS.c.at, EVENTS.c.command, EVENTS.c.body)
        .where(EVENTS.c.table == table, EVENTS.c.number > after)
        .order_by(EVENTS.c.number)
    )
    words: dict[int, list[Word]] = {}
    for number, *word in connection.execute(
        select(WORDS.c.number, WORDS.c.part, WORDS.c.kind, WORDS.c.seat, WORDS.c.holder, WORDS.c.text, WORDS.c.erased)
        .where(WORDS.c.table == table, WORDS.c.number > after)
        .order_by(WORDS.c.number, WORDS.c.part)
    ):
        part, kind, seat, *more = word
        words.setdefault(number, []).append(Word(part, kind, None if seat == NO_SEAT else seat, *more))
    return [Entry(*row, tuple(words.get(row.number, ()))) for row in connection.execute(wanted)]


def _erasures(connection: Connection, table: str) -> int | None:
    if connection.execute(select(TABLES.c.id).where(TABLES.c.id == table)).first() is None:
        return None
    erased = select(func.count()).select_from(WORDS).where(WORDS.c.table == table, WORDS.c.erased)
    return connection.execute(erased).scalar_one()


def _tables_with(connection: Connection, keys: Sequence[str], holders: Sequence[str]) -> list[str]:
    entitled = select(RIGHTS.c.table).where(RIGHTS.c.key.in_(keys))
    wrote = select(WORDS.c.table).where(WORDS.c.holder.in_(holders))
    return sorted(connection.execute(entitled.union(wrote)).scalars())


def _beginning_with(connection: Connection, beginning: bytes) -> list[Body]:
    wanted = (
        select(EVENTS.c.table, EVENTS.c.number, EVENTS.c.body)
        .where(func.substr(EVENTS.c.body, 1, len(beginning)) == beginning)
        .order_by(EVENTS.c.table, EVENTS.c.number)
    )
    return [Body(*row) for row in connection.execute(wanted)]


def _rights(connection: Connection, table: str, keys: Sequence[str]) -> list[Grant]:
    return [grant for _, grant in _grants(connection, [table], keys)]


def _holders(connection: Connection, table: str) -> list[Grant]:
    held = _granted(connection, RIGHTS.c.table == table, RIGHTS.c.role.in_(HELD))
    return [grant for _, grant in held]


def _links_at(connection: Connection, table: str) -> int:
    links = (RIGHTS.c.table == table, RIGHTS.c.role.in_(LINKS))
    return connection.execute(select(func.count()).where(*links)).scalar_one()


def _still_listed(connection: Connection, tables: Sequence[str]) -> frozenset[str]:
    wanted = select(TABLES.c.id).where(TABLES.c.id.in_(tables), TABLES.c.listed)
    return frozenset(connection.execute(wanted).scalars())


def _size_of_kept(connection: Connection) -> int:
    return int(connection.execute(select(func.coalesce(func.sum(func.length(KEPT.c.body)), 0))).scalar_one())


def _known(connection: Connection, keys: Sequence[str]) -> frozenset[str]:
    known = connection.execute(select(RIGHTS.c.key, RIGHTS.c.role).where(RIGHTS.c.key.in_(keys)).distinct()).all()
    links = {key for key, role in known if role in LINKS}
    return frozenset(key for key, _ in known) - links


def _grants(connection: Connection, tables: Sequence[str], keys: Sequence[str]) -> list[tuple[str, Grant]]:
    return _granted(connection, RIGHTS.c.table.in_(tables), RIGHTS.c.key.in_(keys))


def _granted(connection: Connection, *which: Any) -> list[tuple[str, Grant]]:
    wanted = (
        select(RIGHTS.c.table, RIGHTS.c.key, RIGHTS.c.seat, RIGHTS.c.role)
        .where(*which)
        .order_by(RIGHTS.c.seat, RIGHTS.c.role, RIGHTS.c.key)
    )
    return [
        (table, Grant(key, None if seat == NO_SEAT else seat, role))
        for table, key, seat, role in connection.execute(wanted)
    ]


def _tables_of(connection: Connection, keys: Sequence[str], limit: int) -> list[tuple[Row, list[Grant]]]:
    theirs = select(RIGHTS.c.table).where(RIGHTS.c.key.in_(keys), RIGHTS.c.role != "banned")
    rows = _newest(connection, TABLES.c.id.in_(theirs), limit)
    grants: dict[str, list[Grant]] = {row.table: [] for row in rows}
    for table, grant in _grants(connection, list(grants), keys):
        grants[table].append(grant)
    return [(row, grants[row.table]) for row in rows]


def _listed(connection: Connection, limit: int) -> list[Row]:
    return _newest(connection, TABLES.c.listed, limit)


def _newest(connection: Connection, wanted: Any, limit: int) -> list[Row]:
    newest = select(TABLES).where(wanted).order_by(TABLES.c.updated.desc(), TABLES.c.id).limit(limit)
    return [Row(*row) for row in connection.execute(newest)]


_SHARES = (RIGHTS.c.role == "share",)


def _resting(connection: Connection, before: float, after: tuple[float, str], limit: int) -> list[Row]:
    since, name = after
    shared = select(RIGHTS.c.table).where(RIGHTS.c.table == TABLES.c.id, *_SHARES).exists()
    wanted = (
        select(TABLES)
        .where(TABLES.c.updated < before, TABLES.c.updated >= since, ~TABLES.c.live, ~shared)
        .where((TABLES.c.updated > since) | (TABLES.c.id > name))
        .order_by(TABLES.c.updated, TABLES.c.id)
        .limit(limit)
    )
    return [Row(*row) for row in connection.execute(wanted)]


def _live(connection: Connection) -> list[str]:
    return list(connection.execute(select(TABLES.c.id).where(TABLES.c.live).order_by(TABLES.c.id)).scalars())


def _kept(connection: Connection, kind: Kind, digest: str) -> tuple[bytes, float] | None:
    wanted = select(KEPT.c.body, KEPT.c.opened).where(KEPT.c.kind == kind, KEPT.c.digest == digest)
    found = connection.execute(wanted).first()
    return None if found is None else (found.body, found.opened)
