"""Rights in the database: what is done in a transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select

from avecaesar.server.store.schema import NO_SEAT, RIGHTS
from avecaesar.server.store.shapes import HELD, LINKS, Grant, Revoke

DIGEST = 64  # characters of a key's digest
SHARES = (RIGHTS.c.role == "share",)
_KNOWN = select(RIGHTS.c.key).where(RIGHTS.c.key == bindparam("this"), RIGHTS.c.role.not_in(LINKS)).limit(1)


def add(connection: Connection, table: str, grants: Sequence[Grant]) -> None:
    """Add rights that are not there yet."""
    if not grants:
        return
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


def those(revoke: Revoke) -> Iterator[Any]:
    """Which rights are meant."""
    yield RIGHTS.c.role == revoke.role
    if revoke.seat is not None:
        yield RIGHTS.c.seat == revoke.seat
    if revoke.key is not None:
        yield RIGHTS.c.key == revoke.key
    if revoke.but:
        yield RIGHTS.c.key.not_in(revoke.but)
    if revoke.of is not None:
        yield RIGHTS.c.key.in_(revoke.of)


def _seat_number(grant: Grant) -> int:
    return NO_SEAT if grant.seat is None else grant.seat


def of_keys(connection: Connection, table: str, keys: Sequence[str]) -> list[Grant]:
    """What these keys may do at a table."""
    return [grant for _, grant in of_tables(connection, [table], keys)]


def holders(connection: Connection, table: str) -> list[Grant]:
    """The rights that a table has in mind while it is awake."""
    held = granted(connection, RIGHTS.c.table == table, RIGHTS.c.role.in_(HELD))
    return [grant for _, grant in held]


def links_at(connection: Connection, table: str) -> int:
    """How many links and invitations there are."""
    links = (RIGHTS.c.table == table, RIGHTS.c.role.in_(LINKS))
    return connection.execute(select(func.count()).where(*links)).scalar_one()


def known(connection: Connection, keys: Sequence[str]) -> frozenset[str]:
    """Those of these keys that are a person's; one right of each is looked for, for every request does so."""
    return frozenset(key for key in keys if connection.execute(_KNOWN, {"this": key}).first())


def of_tables(connection: Connection, tables: Sequence[str], keys: Sequence[str]) -> list[tuple[str, Grant]]:
    """What these keys may do, with the tables."""
    return granted(connection, RIGHTS.c.table.in_(tables), RIGHTS.c.key.in_(keys))


def granted(connection: Connection, *which: Any) -> list[tuple[str, Grant]]:
    """All such rights, with their tables."""
    wanted = (
        select(RIGHTS.c.table, RIGHTS.c.key, RIGHTS.c.seat, RIGHTS.c.role)
        .where(*which)
        .order_by(RIGHTS.c.seat, RIGHTS.c.role, RIGHTS.c.key)
    )
    return [
        (table, Grant(key, None if seat == NO_SEAT else seat, role))
        for table, key, seat, role in connection.execute(wanted)
    ]
