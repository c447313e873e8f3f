"""Saved tables, one file each, in the user's data folder. Writing is atomic: a table is there whole or not at all."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from avecaesar.files import data_folder, write_atomically
from avecaesar.table import SaveError, Table
from avecaesar.telling import narration


def new_path() -> Path:
    """A file for a new table."""
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    number = 0
    while (path := data_folder() / f"{stamp}-{os.getpid()}{f'-{number}' if number else ''}.table.json").exists():
        number += 1
    return path


def save(table: Table, path: Path) -> None:
    """Put a table away as it stands; OSError if the disk will not have it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, table.to_json())


def load(path: Path) -> Table:
    """Take a table up again; SaveError says in a sentence why not."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SaveError(f"{path} cannot be read: {error.strerror}") from None
    try:
        return Table.from_json(data)
    except SaveError as error:
        raise SaveError(f"{path}: {error}") from None


@dataclass(frozen=True, slots=True)
class Saved:
    """A table that was put away: it can be taken up, or the reason why not is known."""

    path: Path
    table: Table | None
    problem: str = ""

    @property
    def words(self) -> str:
        """Which table it is, in a line."""
        if self.table is None:
            return self.problem
        race, many = self.table.race, len(self.table.stages)
        which = f"race {self.table.number + 1} of {many}, " if many > 1 else ""
        turn = "the result" if race.over else f"turn {narration.turn_number(race.view())}"
        saved = time.localtime(self.path.stat().st_mtime)
        today = time.strftime("%Y-%m-%d", saved) == time.strftime("%Y-%m-%d")
        return f"{which}{race.course.name}, {turn} · {time.strftime('today %H:%M' if today else '%d %b %H:%M', saved)}"

    @property
    def more(self) -> str:
        """Who sits there, or why it cannot be taken up."""
        return self.problem if self.table is None else ", ".join(seat.name for seat in self.table.setup.seats)


def saved_tables() -> list[Saved]:
    """All tables that were put away, the newest first."""
    try:
        paths = sorted(data_folder().glob("*.table.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return []
    found = []
    for path in paths:
        try:
            found.append(Saved(path, load(path)))
        except SaveError as error:
            found.append(Saved(path, None, str(error)))
    return found
