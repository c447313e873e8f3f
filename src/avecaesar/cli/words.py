"""How the command line reads and teaches: mistakes in one line, examples one a line, arguments that several take."""

from __future__ import annotations

import argparse
import re
import shutil
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from avecaesar.errors import plain
from avecaesar.rules import MOST_CHARIOTS, OPTIONS, RulesError, offered

WIDEST = 100
A_COURSE = "white, blue, yellow, red, or FILE.board:COURSE of your own"


class _Help(argparse.HelpFormatter):
    """Fills paragraphs, and leaves lists of lines as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" in text:
            return "".join(f"{indent}{line}\n" for line in text.splitlines())
        return super()._fill_text(text, width, indent)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and where help is."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, formatter_class=_Help, allow_abbrev=False)
        self.set_defaults(parser=self)

    def error(self, message: str) -> NoReturn:
        """Bad arguments."""
        self.exit(2, f"{self.prog}: {plain(message)} (see {self.prog} --help)\n")


def examples(*lines: str) -> str:
    """The end of a command's help."""
    return "\n".join(["examples:", *(f"  {line}" for line in lines)])


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """The type of an argument that is a whole number from `least` to `most`."""

    def read(text: str) -> int:
        if not re.fullmatch("[0-9]{1,30}", text) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {least} to {most}")
        return int(text)

    return read


def read_options(words: Sequence[str]) -> dict[str, str]:
    """House rules as they are typed, NAME=VALUE each.

    >>> read_options(["crash=yes", "hand=4"])
    {'crash': 'yes', 'hand': '4'}
    """
    changes: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise RulesError(f"an option is written NAME=VALUE, not '{word}'")
        changes[name] = value
    return changes


def add_lineup(parser: argparse.ArgumentParser) -> None:
    """Who lines up beside single drivers: teams, riderless chariots, and what drivers are shown of their piles."""
    parser.add_argument(
        "--players",
        type=whole_number(1, MOST_CHARIOTS),
        metavar="P",
        help="instead of --chariots: so many players, each with one chariot or as --each says",
    )
    parser.add_argument(
        "--each", type=whole_number(1, OPTIONS["chariots_each"].most), metavar="E", help="chariots for each player"
    )
    parser.add_argument(
        "--riderless",
        type=whole_number(0, MOST_CHARIOTS - 1),
        metavar="N",
        help="so many riderless chariots at the end of the grid, instead of those that the edition has; 0: none",
    )
    parser.add_argument(
        "--no-memory-aid",
        dest="memory_aid",
        action="store_false",
        help="drivers who sort their deck into piles are not shown what lies in them",
    )


def house_rules(options: argparse.Namespace) -> dict[str, str]:
    """All options of the rules that were typed, --riderless and --each among them; none of them twice."""
    changes = read_options(options.option or [])
    for name in changes:
        if name not in offered():
            raise RulesError(f"there is no option '{name}'; the options are {', '.join(offered())}")
    meant: dict[str, dict[str, str]] = {}
    if options.riderless is not None:
        kind = "extra" if options.riderless else "none"
        meant["--riderless"] = {"riderless": kind, "riderless_count": str(options.riderless)}
    if options.each is not None:
        meant["--each"] = {"chariots_each": str(options.each)}
    for argument, values in meant.items():
        for name in values:
            if name in changes:
                raise RulesError(f"{argument} and --option {name} are about the same thing; leave one of them out")
        changes |= values
    return changes


# ---------------------------------------------------------------------- telling


def paragraph(text: str, indent: str = "", first: str | None = None) -> None:
    """Print text, filled to the page; `first` stands before its first line."""
    lead = indent if first is None else first
    print(textwrap.fill(text, page_width(), initial_indent=lead, subsequent_indent=indent))


def page_width() -> int:
    """Columns to write in: the terminal's, but no longer than reads well."""
    return min(shutil.get_terminal_size((WIDEST, 24)).columns, WIDEST)


def agreed(question: str) -> bool:
    """Whether somebody at the keyboard says yes."""
    try:
        return input(question).strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False
