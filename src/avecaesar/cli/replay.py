"""`avecaesar replay`: watch a recorded race again, in the terminal or in words."""

from __future__ import annotations

import argparse
from pathlib import Path

from avecaesar.cli.play import SPEEDS, need_a_terminal
from avecaesar.cli.words import examples, whole_number
from avecaesar.records import RecordError, verified


def define(parser: argparse.ArgumentParser) -> None:
    """What can be typed."""
    parser.description = (
        "Step through a record with the arrow keys, or let it play with the space bar. The record is "
        "refereed first: what is not by the rules is not shown."
    )
    parser.epilog = examples(
        "avecaesar replay white-clockwise.race.json --speed slow",
        "avecaesar replay games.race.json --race 3 --text",
    )
    parser.add_argument("record", type=Path, metavar="FILE", help="a record, *.race.json")
    parser.add_argument(
        "--race", type=whole_number(1, 99), metavar="N", help="begin with this race of a tournament (default: 1)"
    )
    parser.add_argument("--speed", choices=SPEEDS, default="normal", help="how chariots move (default: normal)")
    parser.add_argument("--text", action="store_true", help="print the race, or all of them, in words")
    parser.set_defaults(run=replay)


def replay(options: argparse.Namespace) -> None:
    """Referee the record, then show it."""
    record, races = verified(options.record)
    if options.race is not None and not 1 <= options.race <= len(races):
        which = "race 1 only" if len(races) == 1 else f"races 1 to {len(races)}"
        raise RecordError(f"{options.record} has {which}, not {options.race}")
    from avecaesar.telling.narration import result_in_words  # loaded for those who watch, not for every command
    from avecaesar.telling.scenes import as_text, scenes, standings_of
    from avecaesar.tui.replay_screen import ReplayApp

    if not options.text:
        need_a_terminal(f"avecaesar replay {options.record} --text prints it")
        ReplayApp(record, races, (options.race or 1) - 1, speed=options.speed).run()
        return
    numbers = range(len(races)) if options.race is None else [options.race - 1]
    for number in numbers:
        race, recorded = races[number], record.races[number]
        who = ", ".join(f"{chariot.name} ({chariot.colour})" for chariot in recorded.chariots)
        title = f"Race {number + 1} of {len(races)}: {race.course}, {record.edition}. Grid: {who}."
        told = scenes(race)
        print("\n".join([*as_text(title, told), result_in_words(told[-1].view)]))
    if len(numbers) > 1:
        ranks = ", ".join(f"{s.rank}. {s.name} ({s.laurels} laurels)" for s in standings_of(races))
        print(f"Standings: {ranks}.")
