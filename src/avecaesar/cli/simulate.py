"""`avecaesar simulate`: many races on all cores, and a table of what came of them."""

from __future__ import annotations

import argparse
import json
import secrets
from pathlib import Path

from avecaesar.cli.progress import MOST_JOBS, Bar, cores
from avecaesar.cli.words import A_COURSE, add_lineup, examples, house_rules, whole_number
from avecaesar.courses import DIRECTIONS, load_course
from avecaesar.drivers import A_DRIVER
from avecaesar.lab import MOST_RACES, MOST_SEEDS, Experiment, line_up, prepare, report_on, run
from avecaesar.records import RecordError
from avecaesar.rules import EDITIONS, MOST_CHARIOTS, Rules, RulesError, edition

USUAL_CHARIOTS = 4
SEED_BITS = 63


def define(parser: argparse.ArgumentParser) -> None:
    """What can be typed."""
    parser.description = (
        "Runs races on all cores and prints wins, laurels and the rest by driver and by grid place, each "
        "with its 95 % interval. The same seed gives the same table to the byte, on any machine."
    )
    parser.epilog = examples(
        "avecaesar simulate --races 100000 --drivers greedy,random --seed 7",
        "avecaesar simulate --course red --chariots 6 --edition riassunto --option crash=yes --rotate",
        "avecaesar simulate --races 200 --drivers mine.py:Miser,greedy --record races",
        "avecaesar simulate --edition thibault --chariots 3 --option riderless_moves=vote",
        "avecaesar simulate --players 2 --each 3 --drivers greedy,random",
        "avecaesar simulate --edition ausgebremst --course red --no-memory-aid",
    )
    parser.add_argument(
        "--races", type=whole_number(1, MOST_RACES), default=1000, metavar="N", help="how many (default: 1000)"
    )
    parser.add_argument("--edition", default="ravensburger", help=f"{', '.join(EDITIONS)} (default: ravensburger)")
    parser.add_argument("--course", default="white", help=f"{A_COURSE} (default: white)")
    parser.add_argument("--direction", choices=DIRECTIONS, default="clockwise")
    parser.add_argument(
        "--chariots",
        type=whole_number(1, MOST_CHARIOTS),
        metavar="K",
        help=f"that somebody drives, 1 to {MOST_CHARIOTS} (default: {USUAL_CHARIOTS}); riderless ones come on top",
    )
    add_lineup(parser)
    parser.add_argument(
        "--drivers",
        default="greedy",
        metavar="A,B,…",
        help=f"in grid order, one a player; a shorter list repeats: {A_DRIVER} (default: greedy)",
    )
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    parser.add_argument("--rotate", action="store_true", help="drivers move on by one grid place each race")
    parser.add_argument(
        "--seed", type=whole_number(0, MOST_SEEDS - 1), metavar="S", help="for races that can be repeated"
    )
    parser.add_argument("--record", type=Path, metavar="DIR", help="write each race there as a .race.json")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    parser.add_argument(
        "--jobs", type=whole_number(1, MOST_JOBS), metavar="J", help="processes at once (default: all cores)"
    )
    parser.set_defaults(run=simulate)


def simulate(options: argparse.Namespace) -> None:
    """Run the races and print the report."""
    rules = edition(options.edition).with_options(house_rules(options))
    names = [name.strip() for name in options.drivers.split(",")]
    experiment = Experiment(
        races=options.races,
        course=load_course(options.course, options.direction),
        rules=rules,
        drivers=line_up(names, chariots(options, rules), rules.chariots_each),
        seed=secrets.randbits(SEED_BITS) if options.seed is None else options.seed,
        rotate=options.rotate,
        edition=options.edition,
        memory_aid=options.memory_aid,
    )
    if options.record is not None:
        _make_folder(options.record)
    prepare(experiment)
    bar = Bar(experiment.races)
    rows = run(experiment, options.record, options.jobs or cores(), bar.show)
    bar.end()
    report = report_on(experiment, rows, options.course)
    print(json.dumps(report.to_json()) if options.json else report)


def chariots(options: argparse.Namespace, rules: Rules) -> int:
    """How many chariots somebody drives."""
    if options.players is None:
        return USUAL_CHARIOTS if options.chariots is None else int(options.chariots)
    if options.chariots is not None:
        raise RulesError("--players and --chariots both say how many chariots race; leave one of them out")
    return int(options.players * rules.chariots_each)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise RecordError(f"{folder}: records go into a folder, and this is a file") from None
