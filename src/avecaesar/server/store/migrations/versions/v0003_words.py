"""Names, sayings and titles move out of the log into rows that can be erased; chronicles know their tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NO_SEAT = -1
OURS = {  # the game's own names for drivers of the computer's, which nobody wrote
    *("Aulus", "Brutus", "Cato", "Drusus", "Ennius", "Flavia"),
    *("Bibulus", "Festina", "Scorpus", "Sibylla", "Greedy", "Random"),
}
TAG = 16  # characters of a key's digest that tell its holder
TOLD = tuple(
    f'{{"event":"{kind}"'.encode() for kind in ("waslaid", "sat", "dressed", "said", "wished", "begun", "handedon")
)


def upgrade() -> None:
    """Add the rows, and move what stands in the logs. Kept chronicles are dropped: they are written anew if asked for.

    A log is append-only otherwise. Its events are rewritten here, once, for what stands in them could never be erased.
    """
    op.create_table(
        "words",
        sa.Column("table", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("part", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("holder", sa.Text),
        sa.Column("text", sa.Text),
        sa.Column("erased", sa.Boolean, nullable=False),
    )
    op.create_index("words_by_holder", "words", ["holder"])
    op.add_column("kept", sa.Column("table", sa.Text))
    op.create_index("kept_by_table", "kept", ["table"])
    op.create_table(
        "notes",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    connection = op.get_bind()
    connection.execute(sa.text("DELETE FROM kept WHERE kind = 'chronicle'"))
    for (table,) in connection.execute(sa.text("SELECT id FROM tables")).all():
        _move(connection, table)


def _move(connection: sa.Connection, table: str) -> None:
    log = connection.execute(
        sa.text('SELECT number, command, body FROM events WHERE "table" = :table ORDER BY number'), {"table": table}
    ).all()
    rights = connection.execute(
        sa.text('SELECT key, seat, role FROM rights WHERE "table" = :table ORDER BY key'), {"table": table}
    ).all()
    try:
        moved = list(_moved([row for row in log if bytes(row[2]).startswith(TOLD)], rights))
    except (ValueError, KeyError, TypeError, AttributeError):
        return  # its log is damaged and cannot be folded either: whoever runs the server is told, and may erase it
    for number, body, words in moved:
        connection.execute(
            sa.text('UPDATE events SET body = :body WHERE "table" = :table AND number = :number'),
            {"body": body, "table": table, "number": number},
        )
        connection.execute(
            sa.text(
                'INSERT INTO words ("table", number, part, kind, seat, holder, text, erased)'
                " VALUES (:table, :number, :part, :kind, :seat, :holder, :text, :erased)"
            ),
            [{"table": table, "number": number, "erased": False, **word} for word in words],
        )


def _moved(log: Iterable[Any], rights: Iterable[Any]) -> Iterator[tuple[int, bytes, list[dict[str, Any]]]]:
    """The events that had words, without them, and the words."""
    events = [(number, command, json.loads(body)) for number, command, body in log]
    owners = _Owners(events, rights)
    for number, command, event in events:
        if words := list(_taken_out(number, command, event, owners)):
            yield number, json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode(), words


class _Owners:
    """Who wrote a name: logs of before tell it of commands only, the rest is found out by who sits there now."""

    def __init__(self, events: Iterable[tuple[int, str | None, Any]], rights: Iterable[Any]) -> None:
        self.sitters = {seat: key[:TAG] for key, seat, role in rights if role == "drive"}
        hosts = [key[:TAG] for key, _, role in rights if role == "host"]
        self.host = hosts[0] if hosts else None
        self.last: dict[int, int] = {}  # by seat: the event with which somebody last sat down there
        self.inherited: set[int] = set()  # events with which somebody took a chariot over, with its name
        names: dict[int, str] = {}
        begun = False
        for number, _, event in events:
            match event["event"]:
                case "waslaid":
                    names = {seat: each.get("name", "") for seat, each in enumerate(event["plan"]["seats"])}
                case "begun":
                    begun = True
                case "handedon":
                    self.host = None  # whoever laid the table is no longer known
                case "sat" | "dressed":
                    if event["event"] == "sat":
                        self.last[event["seat"]] = number
                        if begun and names.get(event["seat"]) == event["name"]:
                            self.inherited.add(number)
                    names[event["seat"]] = event["name"]


def _taken_out(number: int, command: str | None, event: dict[str, Any], owners: _Owners) -> Iterable[dict[str, Any]]:
    """The words of an event, which it no longer has afterwards."""
    seat = event.get("seat")
    commander = command.partition(":")[0] if command else None
    match event["event"]:
        case "waslaid":
            yield from _of_plan(event["plan"], owners)
        case "sat":
            current = owners.last[event["seat"]] == number and number not in owners.inherited
            yield _word("name", event["seat"], owners.sitters.get(event["seat"]) if current else None, event["name"])
            event["name"] = ""
        case "dressed":
            yield _word("name", event["seat"], commander, event["name"])
            event["name"] = ""
        case "wished" if event["name"]:
            yield _word("asker", event["seat"], event["holder"], event["name"])
            event["name"] = ""
        case "said" if event.get("text") is not None:
            yield _word("saying", NO_SEAT if seat is None else seat, commander, event["text"])
            event["text"] = None


def _of_plan(plan: dict[str, Any], owners: _Owners) -> Iterable[dict[str, Any]]:
    if plan.get("title"):
        yield _word("title", NO_SEAT, owners.host, plan["title"])
        plan["title"] = ""
    for seat, each in enumerate(plan["seats"]):
        if not each.get("name") or (each.get("kind", "driver") == "driver" and each["name"] in OURS):
            continue
        here = each.get("kind") == "here" and seat not in owners.last
        holder = owners.sitters.get(seat) if here else owners.host
        yield {**_word("name", seat, holder, each["name"]), "part": seat + 1}
        each["name"] = ""


def _word(kind: str, seat: int, holder: str | None, text: str) -> dict[str, Any]:
    return {"part": 0, "kind": kind, "seat": seat, "holder": holder, "text": text}
