"""Uploads and what is made of them, and the server's own notes: what is done in a transaction."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from avecaesar.server.store.rights_rows import DIGEST
from avecaesar.server.store.schema import KEPT, LAID_ON, NOTES, SEALS
from avecaesar.server.store.shapes import KeptKind

PROBE = "0" * DIGEST  # under which a probe of the writer is kept


def keep(
    connection: Connection, kind: KeptKind, digest: str, body: bytes, now: float, table: str | None = None
) -> None:
    """Keep something, unless it is kept already."""
    row = {"kind": kind, "digest": digest, "body": body, "created": now, "opened": now, "table": table}
    with suppress(IntegrityError):
        connection.execute(insert(KEPT).values(row))


def keep_record(connection: Connection, digest: str, body: bytes, commitments: Sequence[str], now: float) -> None:
    """Keep a record with the commitments of its races."""
    if kept(connection, "record", digest) is None:
        keep(connection, "record", digest, body, now)
        rows = [{"commitment": each, "record": digest} for each in dict.fromkeys(commitments)]
        if rows:
            connection.execute(insert(SEALS), rows)


def drop_records(connection: Connection, commitments: Sequence[str], digests: Sequence[str]) -> None:
    """Drop records, and what was made of them."""
    sealed = connection.execute(select(SEALS.c.record).where(SEALS.c.commitment.in_(commitments))).scalars()
    for digest in {*sealed, *digests}:
        connection.execute(delete(KEPT).where(KEPT.c.kind == "record", KEPT.c.digest == digest))
        connection.execute(delete(KEPT).where(KEPT.c.table == digest))
        connection.execute(delete(SEALS).where(SEALS.c.record == digest))


def mark_opened(connection: Connection, kind: KeptKind, digest: str, now: float) -> None:
    """Somebody has opened it."""
    this = (KEPT.c.kind == kind, KEPT.c.digest == digest)
    connection.execute(update(KEPT).where(*this).values(opened=now))


def drop_unopened(connection: Connection, kind: KeptKind, digest: str, before: float) -> None:
    """Drop it, if nobody has opened it since then."""
    this = (KEPT.c.kind == kind, KEPT.c.digest == digest, *unopened(before))
    gone = connection.execute(delete(KEPT).where(*this)).rowcount
    if gone and kind == "record":
        drop_records(connection, (), [digest])  # its seals, and what was made of it


def unopened(before: float) -> tuple[Any, ...]:
    """Which rows are uploads whose time is over; what was made of one, or of a table, goes with it."""
    laid = select(LAID_ON.c.table).where(LAID_ON.c.board == KEPT.c.digest).exists()
    return KEPT.c.opened < before, KEPT.c.table.is_(None), KEPT.c.kind != "probe", ~((KEPT.c.kind == "board") & laid)


def note(connection: Connection, name: str, value: str) -> None:
    """Note something, unless it is noted already."""
    if connection.execute(select(NOTES.c.name).where(NOTES.c.name == name)).first() is None:
        connection.execute(insert(NOTES).values(name=name, value=value))


def probe(connection: Connection) -> None:
    """Write something, as a move is written."""
    now = time.time()
    connection.execute(delete(KEPT).where(KEPT.c.kind == "probe"))
    row = {"kind": "probe", "digest": PROBE, "body": secrets.token_bytes(16), "created": now, "opened": now}
    connection.execute(insert(KEPT).values(row))


def size(connection: Connection) -> int:
    """The bytes of everything that is kept."""
    return int(connection.execute(select(func.coalesce(func.sum(func.length(KEPT.c.body)), 0))).scalar_one())


def kept(connection: Connection, kind: KeptKind, digest: str) -> tuple[bytes, float] | None:
    """Something that is kept, and when it was opened last."""
    wanted = select(KEPT.c.body, KEPT.c.opened).where(KEPT.c.kind == kind, KEPT.c.digest == digest)
    found = connection.execute(wanted).first()
    return None if found is None else (found.body, found.opened)
