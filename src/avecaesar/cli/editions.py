"""`avecaesar editions`: what each printed edition sets, and how two differ."""

from __future__ import annotations

import argparse
import textwrap

from avecaesar.cli.words import examples, page_width, paragraph
from avecaesar.rules import EDITIONS, OPTIONS, VARIANTS, Edition, Rules, RulesError, clauses, edition, offered
from avecaesar.rules.options import FULL_GRID


def define(parser: argparse.ArgumentParser) -> None:
    """What can be typed."""
    parser.description = "The printed editions: all of them, one with all its options, or two side by side."
    parser.epilog = examples(
        "avecaesar editions",
        "avecaesar editions riassunto",
        "avecaesar editions pro-ludo fiche",
    )
    parser.add_argument("names", nargs="*", metavar="EDITION", help=", ".join(EDITIONS))
    parser.set_defaults(run=tell_editions)


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
            paragraph(f"{OPTIONS[name].meaning}: {_in_words(name, value)}", "    ")
    print("\nEach tells only where it differs from the default. Named variants, for any edition:")
    for variant, changes in VARIANTS.items():
        print(f"    {variant:20} {' '.join(f'--option {name}={_written(value)}' for name, value in changes.items())}")


def _tell_edition(chosen: Edition) -> None:
    print(f"{chosen.name}: {chosen.title}")
    print()
    rows = [(name, _written(getattr(chosen.rules, name)), name) for name in offered()]
    wide = max(len(value) for _, value, _ in rows)
    for name, value, _ in rows:
        told = _in_words(name, getattr(chosen.rules, name))
        meaning = OPTIONS[name].meaning + ("" if told == value else f": {told}")
        paragraph(meaning, " " * (20 + wide), f"{name:18} {value:{wide}} ")
    usual = next(iter(EDITIONS))
    special = [c for c in clauses().values() if chosen.name in c.editions and usual not in c.editions]
    if special:
        print(f"\nClauses that {usual} does not have (avecaesar rules {special[0].id} reads one):")
    for clause in special:
        print(f"    {clause.id:7} {clause.title}")


def _compare(one: Edition, other: Edition) -> None:
    differences = one.rules.differences(other.rules)
    if not differences:
        print(f"{one.name} and {other.name} are the same.")
        return
    half = (page_width() - 2) // 2
    print(f"{one.name:{half}}  {other.name}".rstrip())
    for name, values in differences.items():
        print(f"\n{OPTIONS[name].meaning} ({name})")
        columns = [textwrap.wrap(_in_words(name, value), half - 2) for value in values]
        for row in range(max(map(len, columns))):
            left, right = (column[row] if row < len(column) else "" for column in columns)
            print(f"  {left:{half}}{right}".rstrip())
    print(f"\nAll else is the same: {len(offered()) - len(differences)} of {len(offered())} options.")


def _in_words(name: str, value: object) -> str:
    if value == "fill" and name == "riderless_count":
        return "as many as bring a race to " + ", ".join(f"{full} on side {side}" for side, full in FULL_GRID.items())
    return OPTIONS[name].words.get(str(value), _written(value))


def _written(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
