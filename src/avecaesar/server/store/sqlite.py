"""SQLite, whose tables live in a file: its address, how it is set up, and how a transaction begins there."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from avecaesar.errors import BadInput

PATIENCE = 10  # seconds to wait for another process that is writing


def address_of(file: Path) -> URL:
    """The address of a database in a file, whatever its name: a question mark in it begins no query."""
    return URL.create("sqlite", database=str(file))


def file_of(address: URL) -> Path | None:
    """The file that an address names; None if it is the address of another kind of database."""
    if address.get_backend_name() != "sqlite":
        return None
    database = address.database
    if not database or database == ":memory:" or database.startswith("file:"):
        raise BadInput("tables live in a file, and this address of a database names none: write sqlite:///FILE")
    return Path(database).absolute()


def make(file: Path) -> None:
    """Make the file and its folder if there are none; nobody but their owner may look into them."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))


def set_up(engine: Engine) -> None:
    """Have each connection set up, and each transaction begun, as we want it."""
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)


def write_ahead(engine: Engine) -> None:
    """Readers and a writer side by side: it stays in the file, and so is asked of none but ours."""
    connection = engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA journal_mode=WAL")
    except sqlite3.Error as error:
        raise DBAPIError("PRAGMA journal_mode", None, error) from error
    finally:
        connection.close()


def _set_up(connection: Any, _: object) -> None:
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


def _begin(connection: Connection) -> None:
    """Who is going to write says so at once: two who read first and write later would stand in each other's way."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
