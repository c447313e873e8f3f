"""Databases that cannot be used are refused in a sentence and left as they are."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from avecaesar.errors import BadInput
from avecaesar.server.store.database import Store
from stores import url_of


def refused(file: Path, sentence: str) -> None:
    before = file.read_bytes()
    with pytest.raises(BadInput, match=sentence) as told:
        asyncio.run(_open(url_of(file)))
    assert str(file) in str(told.value)
    assert file.read_bytes() == before


async def _open(url: str) -> None:
    store = Store(url)
    try:
        await store.open()
    finally:
        await store.close()


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "letter.db"
    file.write_text("Dear Livia, the races were splendid.\n" * 100)
    refused(file, "is not a database")


@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_the_database_of_another_program_is_left_as_it_is(tmp_path: Path, journal: str) -> None:
    file = tmp_path / "accounts.db"
    connection = sqlite3.connect(file)
    connection.execute(f"PRAGMA journal_mode={journal}")
    connection.execute("CREATE TABLE debts (debtor TEXT)")
    connection.close()
    refused(file, "belongs to another program")


def test_a_database_from_the_future_is_left_as_it_is(file: Path) -> None:
    asyncio.run(_open(url_of(file)))
    connection = sqlite3.connect(file)
    with connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    refused(file, "newer Ave Caesar")


def test_a_damaged_database_is_told_as_such(file: Path) -> None:
    asyncio.run(_open(url_of(file)))
    whole = file.read_bytes()
    file.write_bytes(whole[:100] + b"\xff" * (len(whole) - 100))
    refused(file, "damaged")


@pytest.mark.parametrize(
    "url", ["", "nonsense", "sqlite://", "sqlite:///:memory:", "oraculum://delphi", "sqlite:///file:x?uri=true"]
)
def test_an_address_that_names_no_database_is_refused(url: str) -> None:
    with pytest.raises(BadInput, match=r"^[^\n]+$"):
        Store(url)


def test_a_folder_that_cannot_be_made_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        asyncio.run(_open(url_of(tmp_path / "file" / "tables.db")))
