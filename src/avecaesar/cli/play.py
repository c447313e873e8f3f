"""`avecaesar play`: the table in the terminal."""

from __future__ import annotations

import argparse
import sys
from itertools import cycle, islice

from avecaesar.cli.words import A_COURSE, add_lineup, agreed, examples, house_rules, whole_number
from avecaesar.courses import DIRECTIONS
from avecaesar.drivers import A_DRIVER, warm
from avecaesar.errors import plain
from avecaesar.files import data_folder
from avecaesar.kernel.cache import RACE
from avecaesar.rules import EDITIONS, MOST_CHARIOTS, RulesError, edition
from avecaesar.setting_up import compile_searcher_in_background
from avecaesar.table import HUMAN, OPPONENTS, Setup, Table, seats_for

SPEEDS = ("slow", "normal", "off")
USUAL_PLAYERS, USUAL_TEAMS = 4, 2


def define(parser: argparse.ArgumentParser) -> None:
    """What can be typed."""
    parser.description = (
        "Without arguments a start screen opens: race now, resume, or lay a new table. With arguments the "
        "race begins at once. Whatever happens, every move is saved: avecaesar play --resume goes on. "
        "House rules: avecaesar editions NAME lists the options, their values and what they mean. "
        "Opponents: avecaesar drivers tells who they are."
    )
    parser.epilog = examples(
        "avecaesar play",
        "avecaesar play --course yellow --chariots 6 --against scorpus",
        "avecaesar play --against festina,scorpus,sibylla@2s",
        "avecaesar play --humans 2 --names Livia,Marcus --against bibulus,scorpus --tournament",
        "avecaesar play --edition pro-ludo --option crash=yes",
        "avecaesar play --edition ausgebremst --course yellow --chariots 3",
        "avecaesar play --players 2 --each 2 --riderless 2 --vote",
        "avecaesar play --against mine.py:Miser",
        "avecaesar play --resume",
    )
    parser.add_argument("--course", help=f"{A_COURSE} (default: white)")
    parser.add_argument("--direction", choices=DIRECTIONS)
    parser.add_argument(
        "--chariots",
        type=whole_number(1, MOST_CHARIOTS),
        metavar="K",
        help=f"that somebody drives, 1 to {MOST_CHARIOTS} (default: {USUAL_PLAYERS}); riderless ones come on top",
    )
    add_lineup(parser)
    parser.add_argument("--vote", action="store_true", help="all drivers vote on where riderless chariots go")
    parser.add_argument("--edition", help=f"{', '.join(EDITIONS)} (default: ravensburger)")
    parser.add_argument("--option", action="append", metavar="NAME=VALUE", help="a house rule; may be repeated")
    parser.add_argument(
        "--against",
        metavar="DRIVER[,DRIVER…]",
        help=f"the computer's drivers, a shorter list repeats: {A_DRIVER} (default: {','.join(OPPONENTS)})",
    )
    parser.add_argument(
        "--humans",
        type=whole_number(0, MOST_CHARIOTS),
        metavar="N",
        help="people at the keyboard, with a curtain between them (default: 1)",
    )
    parser.add_argument("--names", metavar="NAME[,NAME…]", help="the drivers' names, people first")
    parser.add_argument("--tournament", action="store_true", help="the edition's races instead of one")
    parser.add_argument("--side", help="of a tournament: A or B (default: by the number of chariots)")
    parser.add_argument("--seed", type=whole_number(0, 2**64 - 1), metavar="S", help="for a race that can be repeated")
    parser.add_argument("--speed", choices=SPEEDS, default="normal", help="how chariots move (default: normal)")
    parser.add_argument("--resume", action="store_true", help="go on with the table that was left last")
    parser.set_defaults(run=play)


def play(options: argparse.Namespace) -> None:
    """Check everything that was asked for, then open the screen."""
    chosen = [name for name in _CHOICES if getattr(options, name) is not None and getattr(options, name) is not False]
    chosen += [] if options.memory_aid else ["no-memory-aid"]
    if options.resume and chosen:
        raise RulesError(f"--resume goes on with a table as it was laid; leave out --{chosen[0]}")
    table = None
    if chosen:
        table = Table(setup_of(options))
        table.record()  # names that cannot be written down are refused now
    need_a_terminal("avecaesar simulate races without one")
    warm.prepare(RACE)  # while something can still be shown beside the screen
    compile_searcher_in_background()
    from avecaesar.tui import saves  # the screen's machinery is loaded for those who play, not for every command
    from avecaesar.tui.app import TableApp

    path = None
    if options.resume:
        tables = saves.saved_tables()
        if not tables:
            raise RulesError(f"there is no table to resume in {data_folder()}")
        path, table = tables[0].path, tables[0].table
        if table is None:
            raise RulesError(tables[0].problem)
        _need_consent(table)
    app = TableApp(table, path, speed=options.speed)
    farewell = app.run()
    if app.return_code:
        raise SystemExit(app.return_code)
    if app.failure:
        raise app.failure
    print(farewell or "Vale!")


def _need_consent(table: Table) -> None:
    """A saved table names files that would run; somebody else may have written it."""
    own = table.own_drivers
    if own and not agreed(f"Python code of your own drives there: {', '.join(map(plain, own))}. Run it? [y/N] "):
        raise RulesError("the table is left as it was: its drivers were not let in")
    _ = table.drivers  # what is wrong with them is told before the screen opens


_CHOICES = (
    "course", "direction", "chariots", "players", "each", "riderless", "vote", "edition", "option", "against", "humans",
    "names", "tournament", "side", "seed"
)  # fmt: skip


def need_a_terminal(instead: str) -> None:
    """A table cannot be shown in a pipe."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise RulesError(f"the table needs a terminal to be shown in and keys to be played with; {instead}")


def setup_of(options: argparse.Namespace) -> Setup:
    """The table that the arguments describe, or a sentence that says what is wrong with them."""
    humans = 1 if options.humans is None else options.humans
    against = _words(options.against, "--against")
    rules = _house_rules(options)
    each = edition(options.edition or "ravensburger").with_options(rules).chariots_each
    players = _players(options, each)
    if players is None:
        usual = USUAL_TEAMS if each > 1 else USUAL_PLAYERS
        players = max(humans + len(against) if against else usual, humans)
    if humans > players:
        raise RulesError(f"{humans} people need as many seats, not {players}")
    if humans + len(against) > players:
        raise RulesError(f"{humans} people and {len(against)} drivers need more seats than {players}")
    if options.tournament and (options.course or options.direction):
        raise RulesError("a tournament follows its edition's schedule; choose a --side, not a course or direction")
    if options.side and not options.tournament:
        raise RulesError("--side goes with --tournament; a single race has a --course")
    computers = list(islice(cycle(against or OPPONENTS), players - humans))
    return Setup(
        seats_for([HUMAN] * humans + computers, _words(options.names, "--names")),
        edition=options.edition or "ravensburger",
        options=rules,
        course=options.course or "white",
        direction=options.direction or "clockwise",
        tournament=options.tournament,
        side=options.side,
        seed=options.seed,
        memory_aid=options.memory_aid,
    )


def _house_rules(options: argparse.Namespace) -> dict[str, str]:
    """All options of the rules that were typed, --vote among them."""
    rules = house_rules(options)
    if options.vote and "riderless_moves" in rules:
        raise RulesError("--vote and --option riderless_moves both say the same thing; leave one of them out")
    return {**rules, "riderless_moves": "vote"} if options.vote else rules


def _players(options: argparse.Namespace, each: int) -> int | None:
    """How many players there are to be, if that was said."""
    if options.chariots is None:
        return None if options.players is None else int(options.players)
    if options.players is not None:
        raise RulesError("--players and --chariots both say how many chariots race; leave one of them out")
    if options.chariots % each:
        raise RulesError(f"{options.chariots} chariots cannot be shared out among players, {each} for each")
    return int(options.chariots) // each


def _words(text: str | None, name: str) -> list[str]:
    words = [] if text is None else [word.strip() for word in text.split(",")]
    if not all(words):
        raise RulesError(f"{name} is a list such as a,b,c without gaps, not '{text}'")
    return words
