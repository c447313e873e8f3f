"""Links of 0.6 end: they were keys to their seats and stayed so, for the host who had made them too.

Nothing tells a link's key from a person's, but 0.6 took all keys to a seat away when somebody sat down, and gave him
his own first. So the oldest right to a seat where a person sits is his, and the oldest right of a host that of whoever
laid the table; all later ones came by links and end. Whoever has a second device makes a new link for it. From now on
a right of its own (`sat`) says who took a seat.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

RIGHTS = sa.table("rights", *(sa.column(name) for name in ("table", "key", "seat", "role")))
EVENTS = sa.table("events", *(sa.column(name) for name in ("table", "number", "body")))


def upgrade() -> None:
    """Leave to each seat the key of its sitter, to each table that of its host."""
    connection = op.get_bind()
    aged = connection.dialect.name == "sqlite"  # which numbers rows as they come
    tables = connection.execute(sa.select(RIGHTS.c.table).distinct()).scalars().all()
    for table in tables:
        rights = connection.execute(
            sa.select(RIGHTS.c.key, RIGHTS.c.seat, RIGHTS.c.role)
            .where(RIGHTS.c.table == table)
            .order_by(sa.text("rowid" if aged else "key"))
        ).all()
        for key, seat, role in _ended([tuple(right) for right in rights], _sat_at(connection, table), aged):
            which = (RIGHTS.c.table == table, RIGHTS.c.key == key, RIGHTS.c.seat == seat, RIGHTS.c.role == role)
            connection.execute(sa.delete(RIGHTS).where(*which))
    drives = sa.select(RIGHTS.c.table, RIGHTS.c.key, RIGHTS.c.seat, sa.literal("sat")).where(RIGHTS.c.role == "drive")
    connection.execute(sa.insert(RIGHTS).from_select(["table", "key", "seat", "role"], drives))


def _ended(
    rights: list[tuple[str, int, str]], sat: frozenset[int] | None, aged: bool
) -> Iterator[tuple[str, int, str]]:
    """Rights to drive and to be the host, the oldest first, that a link gave, or may have given."""
    invitations = {key for key, _, role in rights if role == "invite"}  # which 0.6 took for a person's key, too
    held = [right for right in rights if right[2] in ("drive", "host")]
    found = set[tuple[int, str]]()
    for key, seat, role in held:
        several = sum(right[1:] == (seat, role) for right in held) > 1
        first = (seat, role) not in found and (aged or not several)
        free = role == "drive" and (sat is None or seat not in sat)
        found.add((seat, role))
        if not first or free or key in invitations:
            yield key, seat, role


def _sat_at(connection: sa.Connection, table: str) -> frozenset[int] | None:
    """Seats at which persons sit; None if the log cannot be read."""
    sat = set[int]()
    wanted = sa.select(EVENTS.c.body).where(EVENTS.c.table == table).order_by(EVENTS.c.number)
    try:
        for body in connection.execute(wanted).scalars():
            event = json.loads(body)
            match event["event"]:
                case "waslaid":
                    sat = {seat for seat, plan in enumerate(event["plan"]["seats"]) if plan.get("kind") == "here"}
                case "sat":
                    sat.add(event["seat"])
                case "stood" | "appointed":
                    sat.discard(event["seat"])
    except (ValueError, LookupError, TypeError):
        return None
    return frozenset(sat)
