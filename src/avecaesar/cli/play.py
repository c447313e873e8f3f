"""`avecaesar play`: a race against the computer, line by line in the terminal."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from avecaesar.courses import DIRECTIONS, Course
from avecaesar.game import Crash, Miss, Move, Play, Race, Turn, View, Withdraw
from avecaesar.players import DRIVERS, driver
from avecaesar.rules import EDITIONS, RulesError

ROMAN = ("I", "II", "III", "IV", "V", "VI")


def add_to(commands: Any) -> None:
    """Hang the command into the parser."""
    parser = commands.add_parser(
        "play",
        help="race against the computer in the terminal",
        description="You drive the first chariot; the computer drives the others. Three laps, one coin to pay.",
        epilog="Example: avecaesar play --course yellow --chariots 6 --edition pro-ludo --option crash=yes",
    )
    parser.add_argument("--course", default="white", help="white, blue, yellow or red (default: white)")
    parser.add_argument("--direction", choices=DIRECTIONS, default="clockwise")
    parser.add_argument("--chariots", type=int, default=4, help="1 to 6 (default: 4)")
    parser.add_argument("--edition", default="ravensburger", help=f"{', '.join(EDITIONS)}")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    parser.add_argument("--against", default="greedy", help=f"the others' driver: {', '.join(DRIVERS)}")
    parser.add_argument("--seed", type=int, help="for a race that can be repeated")
    parser.set_defaults(run=play)


def play(options: argparse.Namespace) -> None:
    """Run one race with a person in the first seat."""
    if options.against not in DRIVERS:
        raise RulesError(f"there is no driver '{options.against}'; there are {', '.join(DRIVERS)}")
    changes = _read_options(options.option)
    race = Race(
        options.course,
        options.chariots,
        direction=options.direction,
        edition=options.edition,
        options=changes,
        seed=options.seed,
    )
    note = EDITIONS[options.edition].note
    print(f"Ave Caesar! {race.course}, {len(race.names)} chariots, edition {options.edition}.")
    if note:
        print(f"The edition {options.edition} is {note}.")
    print(f"You are {race.names[0]}. A map: avecaesar course show {race.course.name}\n")
    others = driver(options.against, options.seed)
    while (seat := race.turn) is not None:
        view = race.view(seat)
        move = _ask(view) if seat == 0 else others.choose(view)
        if move is None:
            print("\nYou leave the race. Vale!")
            return
        race.play(move)
        print("  " + describe(race.view(0).history[-1], race))
    _tell_result(race)


def _read_options(words: list[str]) -> dict[str, object]:
    changes: dict[str, object] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise RulesError(f"an option is written NAME=VALUE, not '{word}'")
        changes[name] = value
    return changes


def _ask(view: View) -> Move | None:
    """Show where you stand and ask for one of the legal moves; None when the person has gone."""
    me = view.me
    print(f"\n{_table(view)}")
    coin = "coin still owed" if me.coin else "coin paid"
    print(f"Your hand: {' '.join(map(str, view.hand))}   ({coin}, {view.to_spare(0)} points to spare)")
    for card, infraction in view.refusals.items():
        print(f"  the {card} cannot be played: {infraction.reason} ({infraction.clause})")
    for number, move in enumerate(view.legal_moves, 1):
        print(f"  {number:>2}  {_offer(move, view)}")
    while True:
        try:
            answer = input("Your move (number, q to leave): ").strip().lower()
        except EOFError:
            return None
        if answer in ("q", "quit"):
            return None
        if answer.isdigit() and 1 <= int(answer[:4]) <= len(view.legal_moves):
            return view.legal_moves[int(answer) - 1]
        print(f"Please type a number from 1 to {len(view.legal_moves)}.", file=sys.stderr)


def _table(view: View) -> str:
    rows = []
    for seat, chariot in enumerate(view.chariots):
        where = view.course.spaces[chariot.space].name if chariot.space is not None else chariot.status
        marks = [
            "leads" * (seat in view.leaders),
            "coin" * chariot.coin,
            "disqualified" * chariot.disqualified,
        ]
        rows.append(
            f"{ROMAN[seat]:>4} {chariot.name:8} lap {chariot.lap}  {where:12} {chariot.remaining:>3} to go, "
            f"{chariot.points_left:>2} points left  {' '.join(filter(None, marks))}"
        )
    return "\n".join(rows)


def _offer(move: Move, view: View) -> str:
    match move:
        case Play(card, "home"):
            return f"play {card}: home"
        case Play(card, to):
            space = view.course.spaces[int(to)]
            left = view.course.remaining[view.me.crossings + (int(to) < (view.me.space or 0))][int(to)]
            stop = ", in the Imperial Alley" if space.alley else ", a bottleneck" if space.bottleneck else ""
            wasted = card - (view.me.remaining - left)
            return f"play {card} to {space.name}{stop}" + (f" (wastes {wasted})" if wasted else "")
        case Miss(None):
            return "miss this turn"
        case Miss(card):
            return f"miss this turn and put a {card} under the deck"
        case Withdraw():
            return "withdraw from the race"
        case Crash():
            return "crash: you lead with nothing but sixes"


def describe(turn: Turn, race: Race) -> str:
    """A turn in words, for somebody who saw it."""
    name = race.names[turn.seat]
    match turn.move:
        case Play(card, to):
            return f"{name} plays {card} {_arrival(race.course, to)}"
        case Withdraw():
            return f"{name} withdraws"
        case Crash():
            return f"{name} crashes!"
        case Miss() | None:
            return f"{name} misses a turn" + (" and exchanges a card" if turn.exchanged else "")


def _arrival(course: Course, to: int | str) -> str:
    if to == "home":
        return "and is home!"
    space = course.spaces[int(to)]
    return f"to {space.name}" + (" in the Imperial Alley" if space.alley else "")


def _tell_result(race: Race) -> None:
    print("\nThe race is over.")
    for chariot in race.arrivals:
        place = race.places[chariot]
        told = f"{place}." if place else "—"
        why = race.view().chariots[chariot]
        state = "disqualified" if why.disqualified else why.status
        print(f"  {told:>3} {race.names[chariot]:8} {race.laurels[chariot]} laurels   ({state})")
