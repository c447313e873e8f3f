"""`avecaesar play`: a race against the computer, line by line in the terminal."""

from __future__ import annotations

import argparse
import string
from typing import Any

from avecaesar.cli.course import A_COURSE, show_fitting
from avecaesar.courses import DIRECTIONS
from avecaesar.game import Crash, Miss, Move, Play, Race, Turn, View, Withdraw
from avecaesar.players import DRIVERS, driver
from avecaesar.rules import EDITIONS, OPTIONS, RulesError

ROMAN = ("I", "II", "III", "IV", "V", "VI")
YOU = 0
HELP = """
Type the letter of a move. m draws the map with everybody on it, q leaves the race, ? shows this.
A space such as S9b is rank 9 of section S, lane b; lanes are lettered from the left as driven clockwise.
Three laps, and once, at the end of your first or second lap, a stop in the Imperial Alley to pay your coin.
Who leads may not play a 6. Points to spare are what you can waste on outside lanes and still get home."""


def add_to(commands: Any) -> None:
    """Hang the command into the parser."""
    parser = commands.add_parser(
        "play",
        help="race against the computer in the terminal",
        description="You drive the first chariot; the computer drives the others. Three laps, one coin to pay.",
        epilog="Example: avecaesar play --course yellow --chariots 6 --edition pro-ludo --option crash=yes. "
        f"Options: {', '.join(_option(name) for name in OPTIONS)}.",
    )
    parser.add_argument("--course", default="white", help=f"{A_COURSE} (default: white)")
    parser.add_argument("--direction", choices=DIRECTIONS, default="clockwise")
    parser.add_argument("--chariots", type=int, default=4, help="1 to 6 (default: 4)")
    parser.add_argument("--edition", default="ravensburger", help=f"{', '.join(EDITIONS)}")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    parser.add_argument("--against", default="greedy", help=f"the others' driver: {', '.join(DRIVERS)}")
    parser.add_argument("--seed", type=int, help="for a race that can be repeated")
    parser.set_defaults(run=play)


def _option(name: str) -> str:
    return f"{name} ({'|'.join(OPTIONS[name].values) or OPTIONS[name].meaning})"


def play(options: argparse.Namespace) -> None:
    """Run one race with a person in the first seat."""
    if options.against not in DRIVERS:
        raise RulesError(f"there is no driver '{options.against}'; there are {', '.join(DRIVERS)}")
    race = Race(
        options.course,
        options.chariots,
        direction=options.direction,
        edition=options.edition,
        options=_read_options(options.option),
        seed=options.seed,
    )
    others = "alone" if len(race.names) == 1 else f"against {', '.join(race.names[1:])}"
    print(f"Ave Caesar! {race.course}, edition {options.edition}. You are {race.names[YOU]}, {others}.")
    if EDITIONS[options.edition].note:
        print(f"The edition {options.edition} is {EDITIONS[options.edition].note}.")
    print(HELP)
    computer = driver(options.against, options.seed)
    while (seat := race.turn) is not None:
        view = race.view(seat)
        move = _ask(view) if seat == YOU else computer.choose(view)
        if move is None:
            print("\nYou leave the race. Vale!")
            return
        race.play(move)
        print("  " + describe(view, race.view(YOU)))
    _tell_result(race)


def _read_options(words: list[str]) -> dict[str, object]:
    changes: dict[str, object] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise RulesError(f"an option is written NAME=VALUE, not '{word}'")
        changes[name] = value
    return changes


# ---------------------------------------------------------------------- your turn


def _ask(view: View) -> Move | None:
    """Show where you stand and ask for one of the legal moves; None when the person has gone."""
    print(f"\n{_table(view)}\n\nYour hand: {' '.join(map(str, view.hand))}   {_means(view)}")
    for card, infraction in view.refusals.items():
        print(f"     {card} cannot be played: {infraction.reason} ({infraction.clause})")
    offers = dict(zip(string.ascii_lowercase.replace("m", "").replace("q", ""), view.legal_moves, strict=False))
    for letter, move in offers.items():
        print(f"  {letter}  {_offer(move, view)}")
    while True:
        try:
            answer = input("Your move (m map, ? help, q leave): ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            return None
        match answer:
            case "q":
                return None
            case "m":
                print(f"\n{_map(view)}\n")
            case "?" | "h" | "help":
                print(HELP)
            case _ if answer in offers:
                return offers[answer]
            case _:
                print(f"Please type {'one of the letters' if len(offers) > 1 else 'the letter'} {_span(offers)}.")


def _span(offers: dict[str, Move]) -> str:
    letters = list(offers)
    return letters[0] if len(letters) == 1 else f"{letters[0]} to {letters[-1]}"


def _means(view: View) -> str:
    """Your coin and points in words."""
    if view.me.disqualified:
        return "(disqualified: you race for honour alone)"
    spare = view.to_spare(YOU)
    coin = "coin still owed, " if view.me.coin and view.rules.tribute != "optional" else ""
    if spare < 0:
        return f"({coin}{-spare} point{'s' * (spare < -1)} short: you cannot get home any more)"
    return f"({coin}{spare} point{'s' * (spare != 1)} to spare)"


def _map(view: View) -> str:
    return show_fitting(view.course, {c.space: ROMAN[i] for i, c in enumerate(view.chariots) if c.space is not None})


def _table(view: View) -> str:
    rows = []
    for seat, chariot in enumerate(view.chariots):
        where = view.course.spaces[chariot.space].name if chariot.space is not None else chariot.status
        lap = f"lap {chariot.lap}" if chariot.lap else "grid"
        marks = ["leads" * (seat in view.leaders), _coin(view, seat), "disqualified" * chariot.disqualified]
        to_go = f"{view.to_go(seat):>3} to go with {chariot.points_left:>2} points" if chariot.space is not None else ""
        rows.append(
            f"{'>' if seat == YOU else ' '} {ROMAN[seat]:>3} {chariot.name:8} {lap:5}  {where:12} {to_go:24} "
            f"{', '.join(filter(None, marks))}".rstrip()
        )
    return "\n".join(rows)


def _coin(view: View, seat: int) -> str:
    if view.rules.tribute == "optional":
        return ""
    return "owes his coin" if view.chariots[seat].coin else "has paid"


def _offer(move: Move, view: View) -> str:
    match move:
        case Play(card, "home"):
            return f"play {card}: home"
        case Play(card, to):
            return f"play {card} to {_space(view, int(to))}{_outlook(view, move)}"
        case Miss(None):
            return "miss this turn"
        case Miss(card):
            return f"miss this turn and put a {card} under the deck"
        case Withdraw():
            return "withdraw from the race"
        case Crash():
            return "crash: you lead with nothing but sixes"


def _space(view: View, to: int) -> str:
    space = view.course.spaces[to]
    return space.name + (" in the Imperial Alley" if space.alley else ", a bottleneck" if space.bottleneck else "")


def _outlook(view: View, play: Play) -> str:
    outlook = view.outlooks[play]
    if outlook.disqualifies:
        return " (past the alley with your coin: disqualified)"
    if outlook.pays:
        return " (pays your coin)"
    return f" (wastes {outlook.wasted})" if outlook.wasted else ""


# ---------------------------------------------------------------------- what happened


def describe(before: View, after: View) -> str:
    """The last turn in words, for somebody who saw it."""
    turn: Turn = after.history[-1]
    chariot, then = after.chariots[turn.seat], before.chariots[turn.seat]
    match turn.move:
        case Play(card, "home"):
            told = f"plays {card} and is home!"
        case Play(card, to):
            told = f"plays {card} to {_space(after, int(to))}"
        case Withdraw():
            told = "withdraws"
        case Crash():
            told = "crashes!"
        case Miss() | None:
            told = "misses a turn" + (" and exchanges a card" if turn.exchanged else "")
    if then.coin and not chariot.coin:
        told += " and pays: Ave Caesar!"
    if chariot.disqualified and not then.disqualified:
        told += ", past the alley with his coin: disqualified"
    if chariot.status == "out of cards":
        told += " and is out of cards"
    return f"{chariot.name} {told}"


def _tell_result(race: Race) -> None:
    print("\nThe race is over.")
    chariots = race.view().chariots
    for seat in race.arrivals:
        place, laurels = race.places[seat], race.laurels[seat]
        state = "disqualified" if chariots[seat].disqualified else chariots[seat].status
        print(
            f"  {f'{place}.' if place else '-':>3} {race.names[seat]:8} "
            f"{laurels} laurel{'s' * (laurels != 1):1}  ({state})"
        )
