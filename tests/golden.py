"""Golden playthroughs and perft counts: what the rules did when they were last known to be right.

`make golden` writes them anew; look at the difference before you commit it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from avecaesar import Crash, Miss, Move, Play, Race, View, Withdraw
from avecaesar.courses import Direction, load_course
from avecaesar.game.race import shuffled_deck
from avecaesar.kernel import playout, tables
from avecaesar.kernel.records import MOST_MOVES
from avecaesar.players import Driver, Greedy
from avecaesar.rules import EDITIONS, edition
from lockstep import COURSES

FOLDER = Path(__file__).parent / "golden"
PERFT = FOLDER / "perft.txt"
DEPTH = 4


class Anything:
    """Does anything that is allowed, by a randomness of its own: the files stay whatever `players` does."""

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)

    def choose(self, view: View) -> Move:
        return self.source.choice(view.legal_moves)


def stages() -> Iterator[tuple[str, str, Direction]]:
    """One playthrough for each edition and course, the directions in turn."""
    for e, name in enumerate(EDITIONS):
        for c in range(0, len(COURSES), 2):
            course, direction = COURSES[c + (e + c // 2) % 2]
            yield name, course, direction


def file_of(name: str, course: str) -> Path:
    return FOLDER / f"{name}-{course}.txt"


def playthrough(name: str, course: str, direction: Direction) -> str:
    """A race told line by line: whose turn, his hand, what he may do, what he does, where that leaves all."""
    chariots = 4 if course in ("white", "blue") else 6
    seed = sum(map(ord, name + course))
    race = Race(load_course(course, direction), chariots, edition=name, seed=seed)
    drivers: list[Driver] = [Greedy() if seat % 2 == 0 else Anything(seed + seat) for seat in range(chariots)]
    lines = [f"# {name}, {course} {direction}, {chariots} chariots; greedy on the even seats, random on the odd"]
    while (seat := race.turn) is not None:
        view = race.view(seat)
        move = drivers[seat].choose(view)
        lines.append(
            f"{seat} holds {''.join(map(str, view.hand)):6} leaders {_set(view.leaders):7} "
            f"may {' '.join(told(legal, view) for legal in view.legal_moves)}"
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


def _set(seats: object) -> str:
    return ",".join(map(str, sorted(seats) if isinstance(seats, frozenset) else seats)) or "-"  # type: ignore[call-overload]


def _positions(view: View) -> str:
    return " ".join(
        (view.course.spaces[c.space].name if c.space is not None else c.status.replace(" ", "-"))
        + f"/{c.crossings}{'$' if c.coin else ''}{'!' if c.disqualified else ''}"
        for c in view.chariots
    )


def perft_counts(name: str, course: str, direction: Direction) -> list[int]:
    """How many sequences of 1 to DEPTH decisions there are from a fixed deal of three chariots."""
    source = random.Random(0)
    decks = [shuffled_deck(source) for _ in range(3)]
    table, rules = tables.course_table(load_course(course, direction)), tables.rules_table(edition(name))
    counts = []
    for depth in range(1, DEPTH + 1):
        races = tables.new_races(depth + 1)
        moves = np.empty((depth + 1, MOST_MOVES), np.int64)
        tables.deal(races, depth, decks)
        playout.begin_race(table, rules, races, depth, 3)
        counts.append(int(playout.perft(table, rules, races, moves, depth)))
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
        file_of(*stage[:2]).write_text(playthrough(*stage), encoding="utf-8")
    PERFT.write_text("\n".join(perft_lines()) + "\n", encoding="utf-8")
    print(f"Wrote {len(list(FOLDER.glob('*.txt')))} files in {FOLDER.name}/. Look at them before you commit them.")


if __name__ == "__main__":
    main()
