"""Logs in the database: what is done in a transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, false, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from avecaesar.server.store import rights_rows
from avecaesar.server.store.schema import EVENTS, KEPT, LAID_ON, NO_SEAT, RIGHTS, TABLES, WORDS
from avecaesar.server.store.shapes import Blank, Body, Grant, Listing, LogEntry, Revoke, TableRow, Taken, Word

# What every move does. Statements that are put together once take half of SQLAlchemy's time.
_HOLD = select(TABLES.c.id).where(TABLES.c.id == bindparam("this")).with_for_update()
_LAST = select(func.max(EVENTS.c.number)).where(EVENTS.c.table == bindparam("this"))
_ADD = insert(EVENTS)
_CHANGE = (
    update(TABLES)
    .where(TABLES.c.id == bindparam("this"))
    .values({name: bindparam(name) for name in ("updated", *Listing._fields)})
)
# What is done to thousands of rows at once.
_THIS = (EVENTS.c.table == bindparam("this"), EVENTS.c.number == bindparam("event"))
_RETAG = update(EVENTS).where(*_THIS).values(command=bindparam("retagged"))
_REPLACE = update(EVENTS).where(*_THIS).values(command=bindparam("retagged"), body=bindparam("instead"))
_BLANK = (
    update(WORDS)
    .where(WORDS.c.table == bindparam("this"), WORDS.c.number == bindparam("event"), WORDS.c.part == bindparam("which"))
    .values(text=bindparam("instead"), holder=None, erased=True)
)
# What every request does.
_WROTE = select(WORDS.c.holder).where(WORDS.c.holder == bindparam("this")).limit(1)


def create(connection: Connection, row: TableRow, entries: Sequence[LogEntry], grants: Sequence[Grant]) -> None:
    """Lay a table with its first events and rights."""
    try:
        connection.execute(insert(TABLES).values(id=row.table, **_columns(row)))
    except IntegrityError as error:
        raise Taken(f"there is a table {row.table} already") from error
    _add_events(connection, row.table, entries)
    rights_rows.add(connection, row.table, grants)


def append(
    connection: Connection,
    table: str,
    entries: Sequence[LogEntry],
    listing: Listing,
    grants: Sequence[Grant],
    revoke: Sequence[Revoke],
) -> None:
    """Add events, rights and how the table stands after them."""
    _hold(connection, table)
    _add_events(connection, table, entries)
    if entries:
        connection.execute(_CHANGE, {"this": table, "updated": entries[-1].at, **listing._asdict()})
    else:
        connection.execute(update(TABLES).where(TABLES.c.id == table).values(listing._asdict()))
    for each in revoke:
        connection.execute(delete(RIGHTS).where(RIGHTS.c.table == table, *rights_rows.those(each)))
    rights_rows.add(connection, table, grants)


def rewrite(
    connection: Connection,
    beginning: bytes,
    anew: Callable[[Sequence[Body]], Sequence[Body]],
    summary: Callable[[bytes], bytes],
) -> None:
    """Write some bodies anew, and what lists show of their tables."""
    changed = anew(beginning_with(connection, beginning))
    for table, number, body in changed:
        connection.execute(update(EVENTS).where(EVENTS.c.table == table, EVENTS.c.number == number).values(body=body))
    for table in {each.table for each in changed}:
        here = TABLES.c.id == table
        told = connection.execute(select(TABLES.c.summary).where(here)).scalar_one()
        connection.execute(update(TABLES).where(here).values(summary=summary(told)))


def erase(connection: Connection, table: str) -> None:
    """Delete a table and all that belongs to it."""
    _hold(connection, table)
    for rows in (KEPT, LAID_ON, WORDS, EVENTS, RIGHTS):
        connection.execute(delete(rows).where(rows.c.table == table))
    connection.execute(delete(TABLES).where(TABLES.c.id == table))


def blank(connection: Connection, table: str, blank: Sequence[Blank]) -> None:
    """Erase words, and what was made of the table's races, if there is a name or a title among them."""
    if blank:
        rows = [{"this": table, "event": each.number, "which": each.part, "instead": each.text} for each in blank]
        connection.execute(_BLANK, rows)
        if any(each.text is not None or each.number == 0 for each in blank):
            connection.execute(delete(KEPT).where(KEPT.c.table == table))


def retag(connection: Connection, table: str, entries: Sequence[LogEntry]) -> None:
    """Let entries stand in place of those of their number; an empty body leaves the one that is there."""
    rows = [
        {"this": table, "event": entry.number, "retagged": entry.command, "instead": entry.body} for entry in entries
    ]
    for statement, those in (
        (_RETAG, [row for row in rows if not row["instead"]]),
        (_REPLACE, [row for row in rows if row["instead"]]),
    ):
        if those:
            connection.execute(statement, those)


def _columns(row: TableRow) -> dict[str, Any]:
    columns = row._asdict()
    del columns["table"]
    return columns


def _hold(connection: Connection, table: str) -> None:
    """Let nobody else change this table before we have."""
    if connection.execute(_HOLD, {"this": table}).first() is None:
        raise LookupError(f"there is no table {table}")


def _add_events(connection: Connection, table: str, entries: Sequence[LogEntry]) -> None:
    last = connection.execute(_LAST, {"this": table}).scalar()
    following = 0 if last is None else last + 1
    if [entry.number for entry in entries] != list(range(following, following + len(entries))):
        raise Taken(f"the next event of table {table} is number {following}")
    if entries:
        try:
            connection.execute(_ADD, [_event_row(table, entry) for entry in entries])
        except IntegrityError as error:
            raise Taken(f"a command of these events was done at table {table} already") from error
    if words := [_word_row(table, entry.number, word) for entry in entries for word in entry.words]:
        connection.execute(insert(WORDS), words)


def _event_row(table: str, entry: LogEntry) -> dict[str, Any]:
    row = {"table": table, **entry._asdict()}
    del row["words"]
    return row


def _word_row(table: str, number: int, word: Word) -> dict[str, Any]:
    return {"table": table, "number": number, **word._asdict(), "seat": NO_SEAT if word.seat is None else word.seat}


def read(connection: Connection, table: str, after: int) -> list[LogEntry]:
    """A table's events after that number, with their words."""
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
    return [LogEntry(*row, tuple(words.get(row.number, ()))) for row in connection.execute(wanted)]


def erasures(connection: Connection, table: str) -> int | None:
    """How many words were erased at a table."""
    if connection.execute(select(TABLES.c.id).where(TABLES.c.id == table)).first() is None:
        return None
    erased = select(func.count()).select_from(WORDS).where(WORDS.c.table == table, WORDS.c.erased)
    return connection.execute(erased).scalar_one()


def tables_with(connection: Connection, keys: Sequence[str], holders: Sequence[str]) -> list[str]:
    """Where these keys may do something, or these people wrote something."""
    entitled = select(RIGHTS.c.table).where(RIGHTS.c.key.in_(keys))
    wrote = select(WORDS.c.table).where(WORDS.c.holder.in_(holders))
    return sorted(connection.execute(entitled.union(wrote)).scalars())


def next_with_commands(connection: Connection, after: str, holders: Sequence[str], many: int) -> list[tuple[str, bool]]:
    """The next so many tables by name, and whether these people have done anything there by a command.

    Each table's commands have an index, and so this looks into each log and walks through none.
    """
    of_theirs = [(EVENTS.c.command >= f"{holder}:") & (EVENTS.c.command < f"{holder};") for holder in holders]
    done = [select(EVENTS.c.command).where(EVENTS.c.table == TABLES.c.id, each).exists() for each in of_theirs]
    wanted = select(TABLES.c.id, or_(false(), *done)).where(TABLES.c.id > after).order_by(TABLES.c.id).limit(many)
    return [(table, bool(found)) for table, found in connection.execute(wanted)]


def writers(connection: Connection, holders: Sequence[str]) -> frozenset[str]:
    """Those of these people who wrote something; of each one word is looked for, however much he has written."""
    return frozenset(each for each in holders if connection.execute(_WROTE, {"this": each}).first())


def beginning_with(connection: Connection, beginning: bytes) -> list[Body]:
    """Of all logs the events whose bodies begin so."""
    wanted = (
        select(EVENTS.c.table, EVENTS.c.number, EVENTS.c.body)
        .where(func.substr(EVENTS.c.body, 1, len(beginning)) == beginning)
        .order_by(EVENTS.c.table, EVENTS.c.number)
    )
    return [Body(*row) for row in connection.execute(wanted)]
