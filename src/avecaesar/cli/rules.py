"""`avecaesar editions` and `avecaesar rules`: what can be played, and every clause in words."""

from __future__ import annotations

import argparse
import shutil
import textwrap
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from avecaesar.rules import EDITIONS, OPTIONS, VARIANTS, Clause, Edition, Rules, RulesError, clauses, edition

WIDEST = 100
SOURCES = {
    "000": "Pro Ludo",
    "001": "Thibault",
    "002": "the French summary",
    "003": "Ravensburger",
    "004": "the Italian summary",
    "ruling": "a ruling where they are silent or collide",
    "design": "our own design",
}


def add_to(commands: Any) -> None:
    """Hang both commands into the parser."""
    parser = commands.add_parser(
        "editions",
        help="what each edition sets, and how two differ",
        description="The printed editions: all of them, one with all its options, or two side by side.",
        epilog="Examples: avecaesar editions | avecaesar editions riassunto | avecaesar editions pro-ludo fiche",
    )
    parser.add_argument("names", nargs="*", metavar="EDITION", help=", ".join(EDITIONS))
    parser.set_defaults(run=tell_editions)

    parser = commands.add_parser(
        "rules",
        help="any clause of the rules in words",
        description="The rules are numbered clauses. Name one (SIX-4), a group (SIX), or words to look for.",
        epilog="Examples: avecaesar rules | avecaesar rules SIX-4 | avecaesar rules TRI | avecaesar rules alley",
    )
    parser.add_argument("words", nargs="*", metavar="CLAUSE", help="a clause, the letters of a group, or words")
    parser.add_argument("--edition", help=f"only what counts in this edition: {', '.join(EDITIONS)}")
    parser.set_defaults(run=tell_rules)


# ---------------------------------------------------------------------- editions


def tell_editions(options: argparse.Namespace) -> None:
    """All editions, one, or two side by side."""
    for name in options.names:
        edition(name)  # says which there are
    match options.names:
        case []:
            _list_editions()
        case [name]:
            _tell_edition(EDITIONS[name])
        case [one, other]:
            _compare(EDITIONS[one], EDITIONS[other])
        case _:
            raise RulesError("one edition is told in full, two are compared; more cannot be shown side by side")


def _list_editions() -> None:
    usual = Rules()
    for chosen in EDITIONS.values():
        print(f"{chosen.name}: {chosen.title}" + (" (the default)" if chosen.rules == usual else ""))
        for name, (value, _) in chosen.rules.differences(usual).items():
            _paragraph(f"{OPTIONS[name].meaning}: {_in_words(name, value)}", "    ")
        if chosen.note:
            _paragraph(chosen.note, "    ")
    print("\nEach tells only where it differs from the default. Named variants, for any edition:")
    for variant, changes in VARIANTS.items():
        print(f"    {variant:20} {' '.join(f'--option {name}={_written(value)}' for name, value in changes.items())}")


def _tell_edition(chosen: Edition) -> None:
    print(f"{chosen.name}: {chosen.title}")
    if chosen.note:
        _paragraph(chosen.note)
    print()
    rows = [(name, _written(getattr(chosen.rules, name)), name) for name in OPTIONS]
    wide = max(len(value) for _, value, _ in rows)
    for name, value, _ in rows:
        told = _in_words(name, getattr(chosen.rules, name))
        meaning = OPTIONS[name].meaning + ("" if told == value else f": {told}")
        _paragraph(meaning, " " * (20 + wide), f"{name:18} {value:{wide}} ")


def _compare(one: Edition, other: Edition) -> None:
    differences = one.rules.differences(other.rules)
    if not differences:
        print(f"{one.name} and {other.name} are the same.")
        return
    half = (_width() - 2) // 2
    print(f"{one.name:{half}}  {other.name}".rstrip())
    for name, values in differences.items():
        print(f"\n{OPTIONS[name].meaning} ({name})")
        columns = [textwrap.wrap(_in_words(name, value), half - 2) for value in values]
        for row in range(max(map(len, columns))):
            left, right = (column[row] if row < len(column) else "" for column in columns)
            print(f"  {left:{half}}{right}".rstrip())
    print(f"\nAll else is the same: {len(OPTIONS) - len(differences)} of {len(OPTIONS)} options.")


def _in_words(name: str, value: object) -> str:
    return OPTIONS[name].words.get(str(value), _written(value))


def _written(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


# ---------------------------------------------------------------------- clauses


def tell_rules(options: argparse.Namespace) -> None:
    """A clause, a group, what a search finds, or the list of all."""
    known = clauses()
    if options.edition is not None:
        edition(options.edition)
        known = {clause.id: clause for clause in known.values() if options.edition in clause.editions}
    if not options.words:
        _list_clauses(known.values())
        print("\nRead one with: avecaesar rules SIX-4")
        return
    wanted = [clause for word in options.words for clause in _named(word, known)]
    if wanted:
        for number, clause in enumerate(dict.fromkeys(wanted)):
            print("\n" * (number > 0), end="")
            _tell_clause(clause)
        return
    found = [clause for clause in known.values() if all(_mentions(clause, word) for word in options.words)]
    if not found:
        groups = ", ".join(dict.fromkeys(id.partition("-")[0] for id in clauses()))
        raise RulesError(f"no clause is called or mentions '{' '.join(options.words)}'; the groups are {groups}")
    _list_clauses(found)


def _named(word: str, known: dict[str, Clause]) -> list[Clause]:
    name = word.upper()
    if name in known:
        return [known[name]]
    return [clause for clause in known.values() if clause.id.partition("-")[0] == name]


def _mentions(clause: Clause, word: str) -> bool:
    return word.casefold() in f"{clause.title} {clause.section} {clause.text}".casefold()


def _list_clauses(found: Iterable[Clause]) -> None:
    for section, group in groupby(found, key=lambda clause: clause.section):
        print(section)
        for clause in group:
            print(f"  {clause.id:7} {clause.title}")


def _tell_clause(clause: Clause) -> None:
    print(f"{clause.id} · {clause.title}")
    for paragraph in clause.text.split("\n\n"):
        _paragraph(paragraph)
    if clause.sources:
        _paragraph(f"From: {', '.join(SOURCES.get(source, source) for source in clause.sources)}.")
    if clause.options:
        _paragraph(f"Options that change it: {', '.join(clause.options)} (see avecaesar editions NAME).")


def _paragraph(text: str, indent: str = "", first: str | None = None) -> None:
    print(textwrap.fill(text, _width(), initial_indent=indent if first is None else first, subsequent_indent=indent))


def _width() -> int:
    return min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST)
