"""`avecaesar arena`: who is the better driver, by how much, and how sure that is."""

from __future__ import annotations

import argparse
import json
import secrets
import shlex
import sys
import time
from pathlib import Path

from avecaesar.cli.progress import MOST_JOBS, Bar, cores
from avecaesar.cli.simulate import SEED_BITS, chariots
from avecaesar.cli.words import A_COURSE, add_lineup, examples, house_rules, whole_number
from avecaesar.courses import DIRECTIONS, load_course
from avecaesar.drivers import A_DRIVER, is_own
from avecaesar.files import data_folder, write_atomically
from avecaesar.lab import MOST_SEEDS, prepare
from avecaesar.lab.arena import (
    MOST_RACES,
    Arena,
    ArenaError,
    Journal,
    need_matplotlib,
    page,
    picture,
    standings_of,
)
from avecaesar.lab.clairvoyant import SEEING
from avecaesar.program_name import called
from avecaesar.rules import EDITIONS, MOST_CHARIOTS, edition

USUAL_RACES = 400
SETTINGS = (
    "drivers", "against", "races", "edition", "course", "direction", "chariots", "players", "each", "riderless",
    "option", "seed", "save"
)  # fmt: skip


def define(parser: argparse.ArgumentParser) -> None:
    """What can be typed."""
    parser.description = (
        "Races a driver against copies of another: every deal once from each grid place, the same deals for all. "
        "With --against each driver meets copies of that one; without it everybody meets copies of everybody else. "
        "Prints wins as multiples of the fair share with 95 % intervals, laurels, and OpenSkill ratings. "
        "Every race is kept: whatever interrupts it, --resume goes on to the same table."
    )
    parser.epilog = examples(
        "avecaesar arena sibylla --against scorpus",
        "avecaesar arena festina bibulus scorpus mine.py:Miser --races 1000 --plot arena.html",
        "avecaesar arena scorpus --against festina --course red --chariots 6 --edition riassunto --seed 7 --json",
        "avecaesar arena sibylla@1s --against scorpus --races 100 --save long.arena.jsonl",
        "avecaesar arena --resume long.arena.jsonl --plot arena.png",
    )
    parser.add_argument(
        "drivers", nargs="*", metavar="DRIVER", help=f"who races: {A_DRIVER}; {', '.join(SEEING)} sees all cards"
    )
    parser.add_argument("--against", metavar="DRIVER", help="copies of this one are everybody's field")
    parser.add_argument(
        "--races",
        type=whole_number(1, MOST_RACES),
        metavar="N",
        help=f"of each pairing, rounded up to whole deals (default: {USUAL_RACES})",
    )
    parser.add_argument("--edition", help=f"{', '.join(EDITIONS)} (default: ravensburger)")
    parser.add_argument("--course", help=f"{A_COURSE} (default: white)")
    parser.add_argument("--direction", choices=DIRECTIONS)
    parser.add_argument(
        "--chariots",
        type=whole_number(2, MOST_CHARIOTS),
        metavar="K",
        help=f"that somebody drives, 2 to {MOST_CHARIOTS} (default: 4); riderless ones come on top",
    )
    add_lineup(parser)
    parser.add_argument("--option", action="append", metavar="NAME=VALUE", help="a house rule")
    parser.add_argument(
        "--seed", type=whole_number(0, MOST_SEEDS - 1), metavar="S", help="for races that can be repeated"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the tables")
    parser.add_argument(
        "--plot", action="append", default=[], type=Path, metavar="FILE", help="draw it as a .png or .html"
    )
    parser.add_argument(
        "--jobs", type=whole_number(1, MOST_JOBS), metavar="J", help="processes at once (default: all cores)"
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the races there (default: in your data folder)")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on with an arena that was kept there")
    parser.add_argument(
        "--own",
        action="append",
        default=[],
        metavar="DRIVER",
        help="with --resume: a driver of your own that the journal names, whose file may run",
    )
    parser.set_defaults(run=arena)


def arena(options: argparse.Namespace) -> int:
    """Run what is missing and print the standings; the status is 130 if Ctrl-C ends it before."""
    for file in options.plot:
        _check_plot(file)
    with _journal(options) as journal:
        results = journal.results
        prepare(*journal.arena.experiments)
        bar = Bar(results.raced.size, done=results.count)
        try:
            journal.race(options.jobs or cores(), bar.show)
        except KeyboardInterrupt:
            bar.tell(f"{journal.kept:,} of {results.raced.size:,} races are kept. To go on:", sys.stderr)
            own = "".join(f" --own {shlex.quote(name)}" for name in journal.arena.names if is_own(name))
            bar.tell(f"  {called()} arena --resume {shlex.quote(str(journal.path))}{own}", sys.stderr)
            return 130
        bar.end()
    standings = standings_of(results)
    print(json.dumps(standings.to_json()) if options.json else standings)
    for file in options.plot:
        write_atomically(file, picture(standings) if file.suffix == ".png" else page(standings).encode())
    return 0


def _journal(options: argparse.Namespace) -> Journal:
    """A new one for what was typed, or the one that is to be gone on with."""
    if options.resume is None:
        if options.own:
            raise ArenaError("--own goes with --resume; a new arena has its drivers as arguments")
        return Journal.begin(options.save or _new_path(), _arena(options))
    typed = [name for name in SETTINGS if getattr(options, name) not in (None, [])]
    typed += [] if options.memory_aid else ["no-memory-aid"]
    if typed:
        name = "the drivers" if typed[0] == "drivers" else f"--{typed[0]}"
        raise ArenaError(f"--resume goes on with an arena as it was begun; leave out {name}")
    return Journal.resume(options.resume, options.own)


def _arena(options: argparse.Namespace) -> Arena:
    chosen = options.edition or "ravensburger"
    rules = edition(chosen).with_options(house_rules(options))
    course = options.course or "white"
    return Arena(
        drivers=tuple(options.drivers),
        against=options.against,
        asked=options.races or USUAL_RACES,
        course=course,
        track=load_course(course, options.direction or "clockwise"),
        rules=rules,
        edition=chosen,
        chariots=chariots(options, rules),
        seed=secrets.randbits(SEED_BITS) if options.seed is None else options.seed,
        memory_aid=options.memory_aid,
    )


def _check_plot(file: Path) -> None:
    """What would only be found out after the races."""
    if file.suffix not in (".png", ".html"):
        raise ArenaError(f"a plot is a FILE.png or a FILE.html, not '{file}'")
    if not file.absolute().parent.is_dir():
        raise ArenaError(f"{file}: there is no such folder to draw it in")
    if file.suffix == ".png":
        need_matplotlib()


def _new_path() -> Path:
    arenas = data_folder() / "arenas"
    arenas.mkdir(parents=True, exist_ok=True)
    return arenas / f"{time.strftime('%Y-%m-%d-%H%M%S')}-{secrets.token_hex(3)}.arena.jsonl"
