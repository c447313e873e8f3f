"""`avecaesar tables`: what whoever runs a server may do with its tables, whether it is running or not."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from avecaesar.cli.operator import name_files, told_by_server
from avecaesar.cli.words import agreed, examples, whole_number
from avecaesar.errors import BadInput, plain

if TYPE_CHECKING:
    from avecaesar.server.admin import TableTold

USUAL, MOST = 50, 100_000  # tables that are listed
WIDEST = 40  # characters of a title


def define(parser: argparse.ArgumentParser) -> None:
    """What can be typed."""
    parser.description = (
        "Lists, closes and erases the tables of a server, and bans people from one. A running server is asked through "
        "a socket that only its own user and root can reach; if none is running, the file is changed directly."
    )
    parser.epilog = examples(
        "avecaesar tables list",
        "avecaesar tables list --json --data games.db",
        "avecaesar tables close 2tgc6kk3fu5zkxsz",
        "avecaesar tables erase 2tgc6kk3fu5zkxsz --yes",
        "avecaesar tables ban 2tgc6kk3fu5zkxsz 3",
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True, parser_class=type(parser))

    def command(name: str, run: Any, words: str, told: str, example: str) -> Any:
        sub = actions.add_parser(name, help=words, description=told, epilog=examples(example))
        name_files(sub)
        sub.set_defaults(run=run)
        return sub

    sub = command(
        "list",
        list_tables,
        "who plays where, and since when",
        "The tables that changed last: number, last change (UTC), phase, people with their seats, and title.",
        "avecaesar tables list --limit 500",
    )
    sub.add_argument("--limit", type=whole_number(1, MOST), default=USUAL, metavar="N", help=f"how many ({USUAL})")
    sub.add_argument("--json", action="store_true", help="as JSON, for programs")
    sub = command(
        "close",
        close_table,
        "end a table: nobody can play on",
        "Ends a table for good. Its log, records and replays stay; everybody who is connected is told.",
        "avecaesar tables close 2tgc6kk3fu5zkxsz",
    )
    sub.add_argument("table", metavar="TABLE", help="its number, as in its address")
    sub = command(
        "erase",
        erase_table,
        "delete a table with its log",
        "Deletes a table with its log and everybody's rights to it. It cannot be undone.",
        "avecaesar tables erase 2tgc6kk3fu5zkxsz --yes",
    )
    sub.add_argument("table", metavar="TABLE", help="its number, as in its address")
    sub.add_argument("--yes", action="store_true", help="do not ask")
    sub.add_argument("--force", action="store_true", help="also while a race is being run there")
    sub = command(
        "ban",
        ban_from_table,
        "free a seat, and keep its holder from coming back",
        "Frees a seat. Its holder's keys are void at this table for good, and so are all its invitations: the host "
        "sends new ones to those who may come. He may still watch, as everybody may. Who comes with a new browser and "
        "a new invitation is a new person.",
        "avecaesar tables ban 2tgc6kk3fu5zkxsz 3",
    )
    sub.add_argument("table", metavar="TABLE", help="its number, as in its address")
    sub.add_argument("seat", type=whole_number(1, 99), metavar="SEAT", help="the seat, from 1, as the list tells it")


def list_tables(options: argparse.Namespace) -> None:
    """A line a table, the newest first."""
    import msgspec

    from avecaesar.server.admin import List

    tables = told_by_server(options, List(options.limit)).tables
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(tables)).decode())
        return
    if not tables:
        print("There are no tables.")
    for table in tables:
        print(_line(table))


def _line(table: TableTold) -> str:
    changed = _moment(table.changed)
    people = ", ".join(f"{person.seat} {plain(person.name)}" for person in table.people) or "nobody"
    title = f"  {plain(table.title, WIDEST)}" if table.title else ""
    return f"{plain(table.table)}  {changed}  {plain(table.phase):<10}  {people}{title}"


def _moment(seconds: float) -> str:
    """When that was; a damaged file may tell of moments that there are not."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return f"{'never':<16}"


def close_table(options: argparse.Namespace) -> None:
    """End a table."""
    from avecaesar.server.admin import ShutTable

    told_by_server(options, ShutTable(_number(options.table)))
    print(f"Table {options.table} is closed: it can be looked at, and nobody plays on.")


def erase_table(options: argparse.Namespace) -> int | None:
    """Delete a table."""
    from avecaesar.server.admin import Erase

    table = _number(options.table)
    if not options.yes:
        if not sys.stdin.isatty():
            raise BadInput("what is erased cannot be brought back: add --yes if you mean it")
        if not agreed(f"Erase table {table} for good, with its log? [y/N] "):
            print("Nothing was erased.")
            return 1
    told_by_server(options, Erase(table, options.force))
    print(f"Table {table} is erased.")
    return None


def ban_from_table(options: argparse.Namespace) -> None:
    """Free a seat for good."""
    from avecaesar.server.admin import BanSitter

    told_by_server(options, BanSitter(_number(options.table), options.seat))
    print(f"Seat {options.seat} of table {options.table} is free. Its holder's keys and all invitations are void.")


def _number(table: str) -> str:
    if not table or len(table) > 64 or not table.isascii() or not table.isprintable():
        raise BadInput(f"'{plain(table)}' is not the number of a table; it stands in its address after /t/")
    return table
