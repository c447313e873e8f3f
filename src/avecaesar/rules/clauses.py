"""The clauses of the rules as data: what the command line, the pages and the refusals quote."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

from avecaesar.speech import ENGLISH, spoken


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


def clauses() -> dict[str, Clause]:
    """All clauses by their id, in the order of the rules, in the language that is spoken now.

    >>> clauses()["SIX-1"].section
    'The six'
    """
    return _clauses(spoken())


@cache
def _clauses(language: str) -> dict[str, Clause]:
    if language != ENGLISH:
        told = _read(f"clauses.{language}.toml")
        return {name: _translated(clause, told) for name, clause in _clauses(ENGLISH).items()}
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
        for entry in _read("clauses.toml")["clause"]
    }


def _translated(clause: Clause, told: dict[str, Any]) -> Clause:
    """A clause as a translation (sections, and title and text by clause) has it; in English where it has nothing."""
    own = told["clause"].get(clause.id, {})
    return replace(
        clause,
        section=told["sections"].get(clause.section) or clause.section,
        title=own.get("title") or clause.title,
        text=own.get("text", "").strip() or clause.text,
    )


def _read(file: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath(file).read_text(encoding="utf-8"))
