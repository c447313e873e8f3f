"""`avecaesar verify`: referee recorded races again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from msgspec import UNSET

from avecaesar.cli.progress import Bar
from avecaesar.cli.words import examples
from avecaesar.drivers import warm
from avecaesar.errors import plain
from avecaesar.kernel.cache import RACE
from avecaesar.records import Record, RecordError, verified

MANY = 20  # records from which on a progress bar is worth its line


def define(parser: argparse.ArgumentParser) -> None:
    """What can be typed."""
    parser.description = (
        "Runs every recorded race again by the rules and compares everything. What departs from them is "
        "told with its file, race, turn and clause, and the exit status is 2."
    )
    parser.epilog = examples("avecaesar verify my.race.json", "avecaesar verify races/*.race.json")
    parser.add_argument("files", nargs="+", metavar="FILE", help="a record, *.race.json or *.race.txt")
    parser.set_defaults(run=verify)


def verify(options: argparse.Namespace) -> int:
    """One line a file; all are checked, and the status is 2 if any is refused."""
    warm.prepare(RACE)
    bar = Bar(len(options.files), "files", least=MANY)
    refused = 0
    for done, file in enumerate(options.files):
        bar.show(done)
        try:
            record = _verified(file)
        except RecordError as error:
            refused += 1
            bar.tell(f"avecaesar: {error}", sys.stderr)
        else:
            bar.tell(f"{plain(file)}: verified, {_extent(record)}", sys.stdout)
    return 2 if refused else 0


def _verified(file: str) -> Record:
    if not file:
        raise RecordError("a file has no name")
    try:
        folder = Path(file).is_dir()
    except (OSError, ValueError):
        folder = False  # reading it will say what is wrong with the name
    if folder:
        files = Path(file, "*.race.json")
        raise RecordError(f"this is a folder; verify its files with: avecaesar verify {files}", file)
    return verified(file)[0]


def _extent(record: Record) -> str:
    races, turns = len(record.races), sum(len(race.turns) for race in record.races)
    return f"{races} race{'s' * (races != 1)}, {turns} turn{'s' * (turns != 1)}{_sealed(record)}"


def _sealed(record: Record) -> str:
    """In how many races the cards were sealed beforehand, and so are shown to be what chance dealt."""
    races, sealed = len(record.races), sum(race.seal is not UNSET for race in record.races)
    if sealed in (0, races):
        return ", cards as sealed" if sealed else ""
    return f", in {sealed} of them cards as sealed"
