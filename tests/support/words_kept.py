"""What people wrote at tables of a house, as the database has it and as it is shown."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from typing import Any

from avecaesar.server.content.library import Library
from avecaesar.server.wire import messages as msg
from harness import Harness, token_of


def rows(house: Harness, wanted: str) -> list[Any]:
    with closing(sqlite3.connect(house.url.removeprefix("sqlite:///"))) as database:
        return database.execute(wanted).fetchall()


def everything(house: Harness) -> bytes:
    """All that the database holds, but for keys."""
    return repr([rows(house, f"SELECT * FROM {table}") for table in ("tables", "events", "words", "kept")]).encode()


def lay(house: Harness, key: str, *names: str, **wishes: Any) -> msg.Laid:
    """A table for the host, and a friend for every other name."""
    seats = tuple(msg.SeatPlan(kind="friend" if i else "here", name=name) for i, name in enumerate(names))
    return house.run(house.server.lay(msg.NewTable(seats=seats, **{"pace": 0, "away": None, **wishes}), key))


def sit(house: Harness, laid: msg.Laid, key: str, name: str | None = None) -> int:
    asked = msg.Sit(token=token_of(laid.invitation), name=name)
    return house.run(house.server.sit(laid.table, asked, [key])).seat


def names(house: Harness, table: str, key: str | None = None) -> list[str]:
    shown = house.run(house.server.shown(table, [key] if key else [])).table
    return [seat.name for seat in shown.seats]


def told(house: Harness, table: str) -> list[str]:
    return [line.words for line in house.run(house.server.shown(table, [])).story]


async def upload(house: Harness, body: bytes) -> str:
    """Upload a record as somebody does who has downloaded it."""
    library = Library(house.server.store, house.thinkers)
    return await library.upload(body, partial(house.server.uploads.keep, address="192.0.2.7"))
