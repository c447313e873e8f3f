"""`avecaesar rules`: every clause in words."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import groupby

from avecaesar.cli.words import examples, paragraph
from avecaesar.rules import EDITIONS, Clause, RulesError, clauses, edition

SOURCES = {
    "000": "Pro Ludo",
    "001": "Thibault",
    "002": "the French summary",
    "003": "Ravensburger",
    "004": "the Italian summary",
    "ruling": "a ruling where they are silent or collide",
    "design": "our own design",
}


def define(parser: argparse.ArgumentParser) -> None:
    """What can be typed."""
    parser.description = "The rules are numbered clauses. Name one (SIX-4), a group (SIX), or words to look for."
    parser.epilog = examples(
        "avecaesar rules",
        "avecaesar rules SIX-4",
        "avecaesar rules TRI --edition fiche",
        "avecaesar rules alley",
    )
    parser.add_argument("words", nargs="*", metavar="CLAUSE", help="a clause, the letters of a group, or words")
    parser.add_argument("--edition", help=f"only what counts in this edition: {', '.join(EDITIONS)}")
    parser.set_defaults(run=tell_rules)


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
    for part in clause.text.split("\n\n"):
        paragraph(part)
    if clause.sources:
        paragraph(f"From: {', '.join(SOURCES.get(source, source) for source in clause.sources)}.")
    if clause.options:
        paragraph(f"Options that change it: {', '.join(clause.options)} (see avecaesar editions NAME).")
