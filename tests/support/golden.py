"""Golden playthroughs and perft counts: what the rules did when they were last known to be right.

`make golden` writes them anew; look at the difference before you commit it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from avecaesar import ChooseDeck, Crash, Draw, Lay, Miss, Move, Play, Race, Sort, View, Vote, Withdraw
from avecaesar.courses import Direction, load_course
from avecaesar.drivers import Driver, Greedy
from avecaesar.game.chance import shuffle
from avecaesar.game.moves import DeckName
from avecaesar.kernel import entry_points, packing
from avecaesar.kernel import layout as k
from avecaesar.rules import EDITIONS, edition, riderless_in
from checkout import TESTS
from lockstep import COURSES

FOLDER = TESTS / "golden"
PERFT = FOLDER / "perft.txt"
DEPTH = 4


class Anything:
    """Does anything that is allowed, by a randomness of its own: the files stay whatever `players` does."""

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)

    def choose(self, view: View) -> Move:
        return self.source.choice(view.legal_moves)


class Choosing:
    """Chooses a deck, and is greedy in everything else."""

    def __init__(self, deck: DeckName) -> None:
        self.deck = deck

    def choose(self, view: View) -> Move:
        return ChooseDeck(self.deck) if view.asks == "deck" else Greedy().choose(view)


@dataclass(frozen=True)
class Stage:
    """A playthrough: who races where, by which rules. Drivers of even chariots are greedy, those of odd ones random."""

    name: str
    edition: str
    course: str
    direction: Direction
    players: int
    options: Mapping[str, object] = field(default_factory=dict)
    deck: DeckName | None = None  # that everybody with an even chariot chooses

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.txt"

    def __str__(self) -> str:
        options = "".join(f", {name} = {value}" for name, value in self.options.items())
        return f"{self.edition}{options}, {self.course} {self.direction}"


def stages() -> Iterator[Stage]:
    """One playthrough for each edition and course, the directions in turn; then all that an edition leaves open."""
    for e, name in enumerate(EDITIONS):
        for c in range(0, len(COURSES), 2):
            course, direction = COURSES[c + (e + c // 2) % 2]
            yield Stage(f"{name}-{course}", name, course, direction, 4 if course in ("white", "blue") else 6)
    vote = {"riderless_moves": "vote"}
    yield Stage("riderless-extra", "ravensburger", "white", "clockwise", 2, {"riderless_count": 2})
    yield Stage("riderless-extra-vote", "pro-ludo", "red", "anticlockwise", 3, {"riderless_count": 3, **vote})
    yield Stage("riderless-extra-first-home", "riassunto", "blue", "clockwise", 3, {"riderless_count": 1})
    yield Stage("riderless-fill", "thibault", "blue", "anticlockwise", 3)
    yield Stage("riderless-fill-vote", "thibault", "yellow", "clockwise", 4, vote)
    yield Stage("riderless-no-tribute", "ausgebremst", "red", "clockwise", 3)
    for players, each in ((2, 2), (2, 3), (3, 2)):
        yield Stage(f"teams-{players}-of-{each}", "pro-ludo", "yellow", "clockwise", players, {"chariots_each": each})
    yield Stage("teams-vote", "pro-ludo", "white", "clockwise", 2, {"chariots_each": 2, "riderless_count": 2, **vote})
    yield Stage("deck-slow", "ausgebremst", "white", "anticlockwise", 4, deck="slow")
    yield Stage("deck-average", "ausgebremst", "yellow", "anticlockwise", 4, deck="average")
    yield Stage("deck-fast", "ausgebremst", "blue", "clockwise", 3, deck="fast")


def playthrough(stage: Stage) -> str:
    """A race told line by line: who decides, his hand, what he may do, what he does, where that leaves all."""
    seed = sum(map(ord, stage.edition + stage.course))
    race = Race(
        load_course(stage.course, stage.direction),
        stage.players,
        edition=stage.edition,
        options=stage.options,
        seed=seed,
    )
    even: Driver = Choosing(stage.deck) if stage.deck else Greedy()
    drivers: list[Driver] = [
        even if chariot % 2 == 0 else Anything(seed + chariot) for chariot in range(len(race.names))
    ]
    lines = [f"# {stage}, {len(race.names)} chariots; greedy on the even seats, random on the odd"]
    while (chariot := race.turn) is not None:
        view = race.view(chariot)
        move = drivers[chariot].choose(view) if chariot in race.driven else view.legal_moves[0]
        lines.append(
            f"{chariot} holds {''.join(map(str, view.hand)):6} leaders {_set(view.leaders):7} "
            f"may {' '.join(told(legal, view) for legal in view.legal_moves) if view.asks != 'sort' else 'sort'}"
        )
        race.play(move)
        lines.append(f"  {told(move, view):10} -> {_positions(race.view())}")
    lines.append(f"arrivals {_set(race.arrivals)} laurels {_set(race.laurels)} disqualified {_set(race.disqualified)}")
    return "\n".join(lines) + "\n"


def told(move: Move, view: View) -> str:
    match move:
        case Play(card, to):
            return f"{card}>{to if to == 'home' else view.course.spaces[int(to)].name}"
        case Miss(card):
            return f"miss{card or ''}"
        case Withdraw():
            return "withdraw"
        case Crash():
            return "crash"
        case ChooseDeck(deck):
            return str(deck)
        case Sort(piles):
            return "|".join("".join(map(str, pile)) for pile in piles)
        case Draw(pile):
            return f"draw{pile}"
        case Lay(pile):
            return f"lay{pile}"
        case Vote() as vote:
            return f"vote:{told(vote.play, view) if vote.play else '-'}"


def _set(numbers: object) -> str:
    return ",".join(map(str, sorted(numbers) if isinstance(numbers, frozenset) else numbers)) or "-"  # type: ignore[call-overload]


def _positions(view: View) -> str:
    return " ".join(
        (view.course.spaces[c.space].name if c.space is not None else c.status.replace(" ", "-"))
        + f"/{c.crossings}{'$' if c.coin else ''}{'!' if c.disqualified else ''}"
        for c in view.chariots
    )


def perft_start(name: str, course: str, direction: Direction) -> tuple[Any, list[list[int]], int, list[int]]:
    """A fixed deal of three drivers: the race, its deal, its riderless chariots, and the moves up to its first turn."""
    where, rules = load_course(course, direction), edition(name)
    riderless = riderless_in(rules, 3, where.side)
    source = random.Random(0)
    driven = range(riderless, riderless + 3)
    deal = [shuffle(source, rules.draw == "from_piles" and i in driven) for i in range(3 + riderless)]
    races = packing.new_races(1)
    moves = np.empty(k.MOST_MOVES, np.int64)
    packing.deal(races, 0, deal)
    course_table, rules_table = packing.course_table(where), packing.rules_table(rules)
    entry_points.begin_race(course_table, rules_table, races, 0, 3, riderless)
    made: list[int] = []
    while races["phase"][0] > k.OVER and races["turns"][0] == 0 and races["phase"][0] != k.VOTE:
        count = entry_points.list_moves(course_table, races, 0, moves)
        made.append(int(moves[len(made) % count]))
        entry_points.step(course_table, rules_table, races, 0, made[-1])
    return races, deal, riderless, made


def perft_counts(name: str, course: str, direction: Direction) -> list[int]:
    """How many sequences of 1 to DEPTH decisions there are from there."""
    table, rules = packing.course_table(load_course(course, direction)), packing.rules_table(edition(name))
    start = perft_start(name, course, direction)[0]
    counts = []
    for depth in range(1, DEPTH + 1):
        races = packing.new_races(depth + 1)
        moves = np.empty((depth + 1, k.MOST_MOVES), np.int64)
        races[depth] = start[0]
        counts.append(int(entry_points.perft(table, rules, races, moves, depth)))
    return counts


def perft_lines() -> list[str]:
    return [
        f"{name:13} {course:7} {direction:14} {' '.join(map(str, perft_counts(name, course, direction)))}"
        for name in EDITIONS
        for course, direction in COURSES
    ]


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for stage in stages():
        stage.file.write_text(playthrough(stage), encoding="utf-8")
    PERFT.write_text("\n".join(perft_lines()) + "\n", encoding="utf-8")
    print(f"Wrote {len(list(FOLDER.glob('*.txt')))} files in {FOLDER.name}/. Look at them before you commit them.")


if __name__ == "__main__":
    main()
