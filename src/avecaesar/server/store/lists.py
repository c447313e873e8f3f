"""Lists of tables: what is read in a transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select

from avecaesar.server.store import rights_rows
from avecaesar.server.store.schema import RIGHTS, TABLES
from avecaesar.server.store.shapes import Grant, TableRow


def still_listed(connection: Connection, tables: Sequence[str]) -> frozenset[str]:
    """Those of these tables that everybody may see."""
    wanted = select(TABLES.c.id).where(TABLES.c.id.in_(tables), TABLES.c.listed)
    return frozenset(connection.execute(wanted).scalars())


def of_keys(connection: Connection, keys: Sequence[str], limit: int) -> list[tuple[TableRow, list[Grant]]]:
    """The tables of these keys, and what they may do there."""
    theirs = select(RIGHTS.c.table).where(RIGHTS.c.key.in_(keys), RIGHTS.c.role != "banned")
    rows = newest(connection, TABLES.c.id.in_(theirs), limit)
    grants: dict[str, list[Grant]] = {row.table: [] for row in rows}
    for table, grant in rights_rows.of_tables(connection, list(grants), keys):
        grants[table].append(grant)
    return [(row, grants[row.table]) for row in rows]


def listed(connection: Connection, limit: int) -> list[TableRow]:
    """The tables that everybody may see."""
    return newest(connection, TABLES.c.listed, limit)


def newest(connection: Connection, wanted: Any, limit: int) -> list[TableRow]:
    """Such tables, the newest first."""
    newest = select(TABLES).where(wanted).order_by(TABLES.c.updated.desc(), TABLES.c.id).limit(limit)
    return [TableRow(*row) for row in connection.execute(newest)]


def resting(connection: Connection, before: float, after: tuple[float, str], limit: int) -> list[TableRow]:
    """Such as may be erased, the oldest first."""
    since, name = after
    shared = select(RIGHTS.c.table).where(RIGHTS.c.table == TABLES.c.id, *rights_rows.SHARES).exists()
    wanted = (
        select(TABLES)
        .where(TABLES.c.updated < before, TABLES.c.updated >= since, ~TABLES.c.live, ~shared)
        .where((TABLES.c.updated > since) | (TABLES.c.id > name))
        .order_by(TABLES.c.updated, TABLES.c.id)
        .limit(limit)
    )
    return [TableRow(*row) for row in connection.execute(wanted)]


def live(connection: Connection) -> list[str]:
    """Where clocks or drivers are to go on."""
    return list(connection.execute(select(TABLES.c.id).where(TABLES.c.live).order_by(TABLES.c.id)).scalars())
