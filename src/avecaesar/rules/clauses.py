"""The clauses of the rules as data: what the command line, the pages and the refusals quote."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class Clause:
    """One numbered clause: its text for players, where it comes from and in which editions it counts."""

    id: str
    section: str
    title: str
    text: str
    sources: tuple[str, ...]
    editions: tuple[str, ...]
    options: tuple[str, ...]


@cache
def clauses() -> dict[str, Clause]:
    """All clauses by their id, in the order of the rules.

    >>> clauses()["SIX-1"].section
    'The six'
    """
    text = resources.files(__package__).joinpath("clauses.toml").read_text(encoding="utf-8")
    return {
        entry["id"]: Clause(
            entry["id"],
            entry["section"],
            entry["title"],
            entry["text"].strip(),
            tuple(entry["sources"]),
            tuple(entry["editions"]),
            tuple(entry["options"]),
        )
        for entry in tomllib.loads(text)["clause"]
    }
