"""Records to try things on: random races and tournaments over everything that can be played, and a museum piece."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from avecaesar.courses import Course, load_course, read_board
from avecaesar.game import COLOURS, Move, Play, Race, Tournament, Withdraw
from avecaesar.game.lineup import RIDERLESS
from avecaesar.records import Crew, Record, record_of, to_json
from avecaesar.rules import EDITIONS, OPTIONS, VARIANTS, Rules, RulesError
from lockstep import COURSES, random_deal, random_line_up, random_rules
from situations import PLAIN

# Beside those that lockstep mixes: what shapes a tournament.
OF_TOURNAMENTS = ("first_grid", "next_grid", "schedule")
NAMES = ["Livia", "Marcus", "Titus", "Gaius Julius", 'Quintus "Claudus"', "Ænea #6 🐎", "I", "riderless"]


def rules_for(source: random.Random) -> Rules:
    while True:
        changes: dict[str, object] = {name: source.choice(OPTIONS[name].values) for name in OF_TOURNAMENTS}
        changes["races"] = source.choice([1, 2, 4, 4, 6])
        for variant in source.sample(sorted(VARIANTS), source.choice([0, 0, 1, 2])):
            changes |= VARIANTS[variant]
        rules = random_rules(source)
        try:
            return rules if source.random() < 0.4 else rules.with_options(changes)
        except RulesError:
            continue


def choose(race: Race, habit: str, source: random.Random) -> Move:
    """A random move; a greedy habit plays high cards, a careful one keeps its sixes back. Few withdraw."""
    moves = list(race.legal_moves)
    if len(moves) > 1 and source.random() < 0.9:
        moves = [move for move in moves if not isinstance(move, Withdraw)]
    plays = [move for move in moves if isinstance(move, Play)]
    if habit == "greedy" and plays:
        return max(plays, key=lambda play: (play.card, source.random()))
    if habit == "careful":
        return source.choice([play for play in plays if play.card != 6] or moves)
    return source.choice(moves)


def run(race: Race, habit: str, source: random.Random) -> Race:
    while not race.over:
        race.play(choose(race, habit, source))
    return race


def course_for(source: random.Random) -> Course:
    course, direction = source.choice(COURSES)
    return load_course(f"{PLAIN}:white" if source.random() < 0.05 else course, direction)


def races_for(seed: int) -> tuple[list[Race], str]:
    """One race, or the races of a tournament, and the edition asked for."""
    source = random.Random(seed)
    drivers = 0
    while not drivers:
        rules, course = rules_for(source), course_for(source)
        drivers, riderless = random_line_up(rules, course.side, source)
    names = source.sample(NAMES, len(NAMES))
    players = [names.pop() for _ in range(drivers // rules.chariots_each)]
    habit = source.choice(["random", "greedy", "careful"])
    edition = source.choice(list(EDITIONS))
    if source.random() < 0.15:
        games = Tournament(players, rules=rules, seed=seed)
        for _ in range(source.randint(1, rules.races)):
            run(games.next_race(), habit, source)
        return games.races, edition
    loose = names[:riderless] if riderless <= len(names) and source.random() < 0.5 else None
    deal = random_deal(rules, drivers, riderless, source)
    return [run(Race(course, players, rules=rules, riderless=loose, decks=deal), habit, source)], edition


def crews_of(races: Sequence[Race], driver: str) -> list[list[Crew]]:
    """Every chariot in the same colour in all races."""
    names = sorted({name for race in races for name in race.names})
    colours = dict(zip(names, COLOURS, strict=False))
    return [
        [Crew(colours[name], RIDERLESS if i in race.riderless else driver) for i, name in enumerate(race.names)]
        for race in races
    ]


def record_for(seed: int) -> Record:
    races, edition = races_for(seed)
    return record_of(races, crews_of(races, "chance"), edition)


def plain_record(edition: str = "ravensburger", players: int = 3, **changes: Any) -> dict[str, Any]:
    """A short tournament as plain data, to be spoiled."""
    games = Tournament(["Livia", "Marcus", "Titus"][:players], edition=edition, seed=7, **changes)
    source = random.Random(7)
    for _ in range(3):
        run(games.next_race(), "careful", source)
    raw: dict[str, Any] = json.loads(to_json(record_of(games.races, crews_of(games.races, "human"), edition)))
    return raw


def museum_piece() -> dict[str, Any]:
    """Every kind of turn, of all editions together, and everything optional: well formed, though nobody raced it."""
    raw = plain_record()
    race = raw["races"][0]
    del raw["races"][1:]
    race["course"], race["direction"] = "white", "anticlockwise"
    board = read_board(PLAIN)
    raw["boards"] = [{"name": board.name, "sha256": board.sha256, "source": board.source}]
    race["chariots"][2]["riderless"] = True
    race["choices"] = [
        {"deck": "slow", "piles": [[6, 5], [4, 3, 3], [1]], "emperor": [4, 3]},
        {"deck": "fast"},
        None,
    ]
    votes = {"Livia": {"play": 4, "to": 9}, 'Big "Tom": x,{+}': {"play": 4, "to": "home"}}
    race["turns"] = [
        {"chariot": 0, "draw": 0},
        {"chariot": 0, "draw": 2},
        {"chariot": 1, "play": 6, "to": 20},
        {"chariot": 1, "draw": 1},
        {"chariot": 2, "votes": votes, "play": 4, "to": 9},
        {"chariot": 0, "play": 3, "to": "home"},
        {"chariot": 0, "lay": 3, "pile": 1},
        {"chariot": 0, "miss": "blocked", "exchange": None},
        {"chariot": 1, "miss": "blocked", "exchange": 5},
        {"chariot": 2, "votes": {}, "play": 1, "to": 12},
        {"chariot": 2, "miss": "barred", "exchange": None},
        {"chariot": 2, "miss": "waiting", "exchange": 1},
        {"chariot": 0, "crash": True},
        {"chariot": 1, "withdraw": True},
    ]  # fmt: skip
    race["arrivals"], race["disqualified"] = [2, 0, 1], [1]
    return raw


def paths(raw: Any, first_only: Sequence[str], path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every part of plain data; of lists by these names only to their first element."""
    yield path
    children = raw.items() if isinstance(raw, dict) else enumerate(raw) if isinstance(raw, list) else ()
    for key, value in children:
        if key == 0 or not isinstance(key, int) or not set(first_only) & set(path):
            yield from paths(value, first_only, (*path, key))


def change(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    """How to put something else in its place, or what a function makes of it."""

    def spoil(raw: dict[str, Any]) -> None:
        part: Any = raw
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = to(part.get(path[-1]) if isinstance(part, dict) else part[path[-1]]) if callable(to) else to

    return spoil


def remove(*path: Any) -> Callable[[dict[str, Any]], None]:
    """How to take it away."""

    def spoil(raw: dict[str, Any]) -> None:
        part: Any = raw
        for key in path[:-1]:
            part = part[key]
        del part[path[-1]]

    return spoil


def as_json(raw: object) -> bytes:
    return json.dumps(raw).encode()
