"""Courses and situations for the tests of the referee.

The tiny course as driven, two lanes a and b with narrows n5 and n8, `|` the line:

    n8 -> a1 a2 | a3 a4 -> n5 -> a6 a7 -> n8      lane a; lane b beside it, with diagonal steps between them
    n8 -> p1 p2 | p3 p4 -> a4                     the alley, five steps from n8 to a4 where lane a has four
"""

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from referee.race import CourseFacts, Move, RefereeRace, Space

RAVENSBURGER: dict[str, Any] = {
    "hand": 3,
    "draw": "at_once",
    "missed_turn": "exchange_if_blocked",
    "first_six": "exempt",
    "narrow_exception": "bottleneck",
    "tied_exception": "if_cutting",
    "tribute": "required",
    "race_ends": "all_home",
    "first_grid": "high_card",
    "next_grid": "last_then_seats",
    "schedule": "by_table",
    "races": 4,
    "laurels": (6, 4, 3, 2, 1, 0),
    "riderless": "extra",
    "riderless_count": 0,
    "riderless_moves": "rule",
    "chariots_each": 1,
    "decks": "standard",
    "emperor_cards": "none",
    "crash": "no",
    "by_table_courses": "of_one_side",
}
AUSGEBREMST: dict[str, Any] = RAVENSBURGER | {
    "hand": 2,
    "draw": "from_piles",
    "missed_turn": "keep",
    "tribute": "optional",
    "next_grid": "arrival",
    "laurels": (9, 6, 4, 3, 2, 1),
    "riderless": "fill_no_tribute",
    "decks": "choice",
    "emperor_cards": "by_side",
}
MISS: Move = ("miss", "blocked", None)


def export(
    grid: Sequence[Space], steps: dict[Space, list[Space]], alley: set[Space], line: set[tuple[Space, Space]]
) -> dict[str, Any]:
    """A course in the words of `avecaesar course export`; its bottleneck flags are wrong on purpose."""
    spaces = [
        {
            "id": space,
            "steps": [{"to": to, "line": (space, to) in line} for to in ahead],
            "alley": space in alley,
            "bottleneck": False,
        }
        for space, ahead in steps.items()
    ]
    return {"laps": 3, "grid": list(grid), "spaces": spaces}


def tiny() -> CourseFacts:
    steps: dict[Space, list[Space]] = {
        "a1": ["a2", "b2"], "a2": ["a3", "b3"], "a3": ["a4", "b4"], "a4": ["n5"],
        "b1": ["a2", "b2"], "b2": ["a3", "b3"], "b3": ["a4", "b4"], "b4": ["n5"],
        "n5": ["a6", "b6"], "a6": ["a7", "b7"], "b6": ["a7", "b7"], "a7": ["n8"], "b7": ["n8"],
        "n8": ["a1", "b1", "p1"], "p1": ["p2"], "p2": ["p3"], "p3": ["p4"], "p4": ["a4"],
    }  # fmt: skip
    line: set[tuple[Space, Space]] = {("a2", "a3"), ("a2", "b3"), ("b2", "a3"), ("b2", "b3"), ("p2", "p3")}
    return CourseFacts(export(["a2", "b2", "a1", "b1"], steps, {"p1", "p2", "p3", "p4"}, line))


def white() -> CourseFacts:
    """Board A's white course of BOARDS.md, by its one rule for all steps."""
    right, left = (3, 2), (2, 3)  # spaces in each lane, from the left
    sections: list[tuple[str, tuple[int, ...], bool]] = [("J", (1,), False)]  # name, lanes, walled
    sections += [(f"S{rank}", (1, 1, 1, 1) if rank in (5, 6) else (1, 1), False) for rank in range(1, 11)]
    sections += [
        ("N", (1,), False),
        ("C", right, True),
        ("P", (1, 1), False),
        ("D", right, False),
        ("M", (1,), False),
    ]
    sections += [
        ("E", left, True),
        ("Q", (1,), False),
        ("F", right, False),
        ("T", (1, 1), False),
        ("G", right, True),
    ]
    where: dict[Space, tuple[Fraction, Fraction, Fraction]] = {}  # begin, end, centre of the lane
    walled_section: dict[Space, str] = {}
    begin = Fraction(0)
    for name, lanes, walled in sections:
        length = min(lanes)
        for lane, spaces in enumerate(lanes):
            for number in range(spaces):
                space = f"{name}{'abcd'[lane]}{number + 1}"
                first, last = Fraction(number * length, spaces), Fraction((number + 1) * length, spaces)
                where[space] = (begin + first, begin + last, lane - Fraction(len(lanes) - 1, 2))
                walled_section[space] = name if walled else space
        begin += length
    steps: dict[Space, list[Space]] = {space: [] for space in where}
    for one, other in product(where, where):
        (from_begin, from_end, from_lane), (to_begin, to_end, to_lane) = where[one], where[other]
        if to_begin < from_begin:  # round the joint
            to_begin, to_end = to_begin + begin, to_end + begin
        wall = walled_section[one] == walled_section[other] and from_lane != to_lane
        if abs(from_lane - to_lane) <= 1 and from_begin < to_begin <= from_end < to_end and not wall:
            steps[one].append(other)
    alley: list[Space] = ["p1", "p2", "p3", "p4", "p5"]
    way: list[Space] = ["S3a1", *alley, "S8a1"]
    for one, other in pairwise(way):
        steps.setdefault(one, []).append(other)
    line = {
        (one, other)
        for one in steps
        for other in steps[one]
        if str(one).startswith("S5") and str(other).startswith("S6")
    }
    grid: list[Space] = ["S5d1", "S5c1", "S5b1", "S5a1", "S4b1", "S4a1"]
    return CourseFacts(export(grid, steps, set(alley), line | {("p3", "p4")}))


TINY = tiny()
WHITE = white()
DECK = [value for value in range(1, 7) for _ in range(4)]


def situation(
    *chariots: tuple[Space, int, list[int]], turn: int = 0, without_driver: int = 0, **options: Any
) -> RefereeRace:
    """A race on the tiny course after its first turn: chariots at (space, crossings, hand), ones to draw.

    Where it is a riderless chariot's turn its card is taken as drawn, and no vote is held.
    """
    race = RefereeRace(TINY, RAVENSBURGER | options, [[1, 1, 1, 1] for _ in chariots], riderless=without_driver)
    race.position = [space for space, _, _ in chariots]
    race.crossings = [crossings for _, crossings, _ in chariots]
    race.hand = [sorted(hand) for _, _, hand in chariots]
    race.deck = [[1, 1, 1, 1] for _ in chariots]
    race.turn, race.turns_taken = turn, 1
    race.phase, race.voting = "turn", None
    return race


def extra(*chariots: tuple[Space, int, list[int]], **options: Any) -> RefereeRace:
    """A situation with one riderless chariot of NPC-1, the last."""
    return situation(*chariots, without_driver=1, **options)


def fill(*chariots: tuple[Space, int, list[int]], kind: str = "fill", **options: Any) -> RefereeRace:
    """A situation with one riderless chariot of NPC-2 or AUS-5, the first."""
    return situation(*chariots, without_driver=1, riderless=kind, **options)


def shuffled(cards: list[int]) -> tuple[int, ...]:
    return tuple(random.Random(7).sample(cards, len(cards)))


def plays(race: RefereeRace) -> set[tuple[Any, Any]]:
    return {(move[1], move[2]) for move in race.legal() if move[0] == "play"}


def paid(race: RefereeRace) -> RefereeRace:
    race.coin = [False for _ in race.coin]
    return race
