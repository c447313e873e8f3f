"""`avecaesar key`: the keys that the cards of running races are sealed with in the database."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from avecaesar.cli.operator import name_files, told_by_server
from avecaesar.cli.words import examples
from avecaesar.errors import plain

if TYPE_CHECKING:
    from avecaesar.server.admin import KeyTold


def define(parser: argparse.ArgumentParser) -> None:
    """What can be typed."""
    parser.description = (
        "The secret of a running deal stands encrypted in the database, with a key from a file of its own. A running "
        "server is asked through the same socket as by 'avecaesar tables'; if none is running, the files are changed "
        "directly. Keys themselves are never shown."
    )
    parser.epilog = examples("avecaesar key list", "avecaesar key rotate", "avecaesar key prune --data games.db")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True, parser_class=type(parser))

    def command(name: str, run: Any, words: str, told: str) -> None:
        sub = actions.add_parser(name, help=words, description=told, epilog=examples(f"avecaesar key {name}"))
        name_files(sub)
        sub.set_defaults(run=run)

    command(
        "list",
        list_keys,
        "which keys there are, and how many deals need each",
        "The keys by their names, the one that seals first, with the number of deals that are not over and need it.",
    )
    command(
        "rotate",
        rotate,
        "make a new key, and seal what runs with it",
        "Puts a new key first in the file and seals every deal that is not over with it. The old keys stay in the "
        "file: older backups of the database need them.",
    )
    command(
        "prune",
        prune,
        "forget the keys that nothing needs",
        "Drops the keys from the file that seal nothing in this database. Races that run in older backups can then no "
        "longer go on, nor those of another database that shares the file.",
    )


def list_keys(options: argparse.Namespace) -> None:
    """A line a key."""
    from avecaesar.server.admin import ListKeys

    _show(told_by_server(options, ListKeys()).keys)


def rotate(options: argparse.Namespace) -> None:
    """Make a new key."""
    from avecaesar.server.admin import Rotate

    keys = told_by_server(options, Rotate()).keys
    print("A new key seals from now on. Copy the file of keys, and keep it apart from the database's backups.")
    _show(keys)


def prune(options: argparse.Namespace) -> None:
    """Forget keys."""
    from avecaesar.server.admin import Prune

    _show(told_by_server(options, Prune()).keys)


def _show(keys: list[KeyTold]) -> None:
    if not keys:
        print("There are no keys yet: the server makes one when it starts.")
    for key in keys:
        deals = f"{key.deals} deal{'s' * (key.deals != 1)}"
        if not key.name:
            print(f"{'in clear':<12}  {deals}, of an older release: 'avecaesar key rotate' seals them")
        else:
            state = "seals and opens" if key.seals else "opens" if key.here else "MISSING"
            print(f"{plain(key.name)}  {state:<15}  {deals}")
