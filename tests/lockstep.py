"""Kernel and referee side by side: the same race, decision by decision, until one of them disagrees.

`python tests/lockstep.py --races 1000000` is the long proof (`make soak`); the tests run a shorter one.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections import Counter
from dataclasses import asdict
from functools import cache
from typing import Any

import numpy as np

from avecaesar.courses import DIRECTIONS, Direction, boards, load_course
from avecaesar.courses.export import export_course
from avecaesar.kernel import playout, tables
from avecaesar.kernel import records as k
from avecaesar.rules import DECK, EDITIONS, OPTIONS, Rules
from referee.race import CourseFacts, RefereeRace

COURSES = [(course, direction) for board in boards() for course in board.courses for direction in DIRECTIONS]
STATUS = ("racing", "home", "out", "crashed", "withdrawn")
REASONS = ("blocked", "barred", "waiting")
FREE_OPTIONS = (
    "missed_turn", "first_six", "narrow_exception", "tied_exception", "tribute", "race_ends", "crash"
)  # fmt: skip


@cache
def facts(course: str, direction: Direction) -> CourseFacts:
    return CourseFacts(export_course(load_course(course, direction)))


def random_rules(source: random.Random) -> Rules:
    """An edition, one option changed, or everything mixed."""
    rules = source.choice(list(EDITIONS.values())).rules
    changed = source.choice([(), (source.choice(FREE_OPTIONS),), FREE_OPTIONS])
    changes: dict[str, object] = {name: source.choice(OPTIONS[name].values) for name in changed}
    if source.random() < 0.2:
        changes["hand"] = source.randint(1, 6)
    if source.random() < 0.2:
        changes["draw"] = source.choice(["at_once", "end_of_round"])
    return rules.with_options(changes)


def random_decks(chariots: int, source: random.Random) -> list[list[int]]:
    """Fair decks, or decks in which high or low cards lie together, so that rare hands become common."""
    lean = source.choice([0.0, 0.0, 0.5, 2.0, -0.5])
    return [sorted(DECK, key=lambda card: source.gauss(0, 2) - lean * card) for _ in range(chariots)]


def choose(moves: list[int], habit: int, source: random.Random) -> int:
    """A random move; by habit a race keeps its sixes back, runs far, or does anything. Few withdraw."""
    racing_on = [move for move in moves if move >> 16 != k.MOVE_WITHDRAW]
    if racing_on and source.random() < 0.9:
        moves = racing_on
    if habit == 1:
        moves = [move for move in moves if (move >> 8) & 255 != 6] or moves
    elif habit == 2:
        moves = sorted(moves)[len(moves) // 2 :]
    return source.choice(moves)


def referee_moves(referee: RefereeRace) -> tuple[list[int], set[Any]]:
    """The referee's legal moves by the kernel's numbers, and why a turn would be missed."""
    numbers, reasons = [], set()
    for move in referee.legal():
        match move:
            case ("play", int(card), int() | "home" as to):
                numbers.append((k.MOVE_PLAY << 16) | (card << 8) | (to if isinstance(to, int) else k.HOME))
            case ("miss", reason, int() | None as card):
                reasons.add(reason)
                numbers.append((k.MOVE_MISS << 16) | ((card or 0) << 8))
            case ("withdraw",):
                numbers.append(k.MOVE_WITHDRAW << 16)
            case ("crash",):
                numbers.append(k.MOVE_CRASH << 16)
    return sorted(numbers), reasons


def referee_move(number: int, reason: str) -> tuple[Any, ...]:
    kind, card, to = number >> 16, (number >> 8) & 255, number & 255
    if kind == k.MOVE_PLAY:
        return ("play", card, "home" if to == k.HOME else to)
    if kind == k.MOVE_MISS:
        return ("miss", reason, card or None)
    return ("withdraw",) if kind == k.MOVE_WITHDRAW else ("crash",)


def run(seed: int, seen: Counter[str]) -> int:
    """One random race in lockstep; returns its number of decisions, raises AssertionError on a difference."""
    source = random.Random(seed)
    course, direction = source.choice(COURSES)
    rules = random_rules(source)
    chariots = source.randint(1, 6)
    decks = random_decks(chariots, source)
    habit = source.randrange(3)
    referee = RefereeRace(facts(course, direction), asdict(rules), decks, checked=False)
    pair = _Pair(course, direction, rules, decks, referee)
    moves = np.empty(k.MOST_MOVES, np.int64)
    while True:
        pair.compare(seed)
        if referee.turn is None:
            break
        mine: list[int] = moves[: playout.list_moves(pair.course, pair.races, 0, moves)].tolist()
        reason = pair.reason()
        theirs, reasons = referee_moves(referee)
        assert sorted(mine) == theirs, f"race {seed}, turn {pair.turns()}: kernel {mine}, referee {theirs}"
        move = choose(theirs, habit, source)
        if move >> 16 == k.MOVE_MISS:
            assert reasons == {reason}, f"race {seed}, turn {pair.turns()}: missed as {reason}, not {reasons}"
        pair.note(seen, move)
        assert playout.step(pair.course, pair.rules, pair.races, 0, move) == k.ALLOWED
        referee.apply(referee_move(move, reason))
    pair.compare_results(seed)
    seen[f"ended: {('', 'nobody left', 'first home', 'stalled', 'cut')[int(pair.field['ending'][0])]}"] += 1
    return pair.turns()


class _Pair:
    """The kernel's race beside the referee's."""

    def __init__(
        self, course: str, direction: Direction, rules: Rules, decks: list[list[int]], referee: RefereeRace
    ) -> None:
        self.course = tables.course_table(load_course(course, direction))
        self.rules = tables.rules_table(rules)
        self.races = tables.new_races(1)
        self.field = {name: self.races[name] for name in k.RACE.names or ()}
        self.referee = referee
        self.n = len(decks)
        tables.deal(self.races, 0, decks)
        playout.begin_race(self.course, self.rules, self.races, 0, self.n)

    def turns(self) -> int:
        return int(self.field["turns"][0])

    def reason(self) -> str:
        return REASONS[int(self.field["miss"][0])]

    def column(self, name: str) -> list[Any]:
        values: list[Any] = self.field[name][0].tolist()
        return values[: self.n]

    def compare(self, seed: int) -> None:
        referee, where = self.referee, f"race {seed}, turn {self.turns()}"
        over = int(self.field["phase"][0]) == k.OVER
        assert (None if over else int(self.field["turn"][0])) == referee.turn, where
        status = [STATUS[code] for code in self.column("status")]
        assert status == list(referee.status), where
        spaces = [space if status[i] in ("racing", "crashed") else None for i, space in enumerate(self.column("space"))]
        assert spaces == list(referee.position), where
        assert self.column("crossings") == list(referee.crossings), where
        assert [bool(coin) for coin in self.column("coin")] == list(referee.coin), where
        assert [bool(yes) for yes in self.column("disqualified")] == list(referee.disqualified), where
        if over:
            return
        rows = zip(*(self.column(name) for name in ("hand", "top", "undrawn", "deck")), strict=True)
        for i, (hand, top, undrawn, ring) in enumerate(rows):
            assert unpacked(hand) == referee.hand[i], where
            assert (ring + ring)[top : top + undrawn] == referee.deck[i], where
        bits = int(playout.leading(self.races, 0))
        assert {i for i in range(self.n) if bits >> i & 1} == set(referee.leaders()), where

    def compare_results(self, seed: int) -> None:
        assert self.column("order") == list(self.referee.arrivals()), f"race {seed}: order of arrival"
        assert self.column("laurels") == list(self.referee.laurels()), f"race {seed}: laurels"
        places = sorted((place, i) for i, place in enumerate(self.column("place")) if place)
        assert [i for _, i in places] == list(self.referee.places()), f"race {seed}: places"

    def note(self, seen: Counter[str], move: int) -> None:
        """Count what the race went through, so that a proof can say what it has covered."""
        seen[("plays", "misses", "withdrawals", "crashes")[move >> 16]] += 1
        if move >> 16 == k.MOVE_MISS:
            seen[f"missed: {self.reason()}"] += 1
            seen["exchanges"] += bool((move >> 8) & 255)
        seen["six barred"] += bool(self.field["six_barred"][0])
        seen["tribute duty"] += bool(self.field["duty"][0])
        seen["ban lifted"] += bool(self.field["ban_lifted"][0])
        seen["home"] += move >> 16 == k.MOVE_PLAY and move & 255 == k.HOME


@cache
def unpacked(hand: int) -> list[int]:
    return [value for value in range(1, 7) for _ in range(hand >> 4 * value & 15)]


def run_many(span: tuple[int, int]) -> tuple[int, Counter[str]]:
    seen: Counter[str] = Counter()
    turns = sum(run(seed, seen) for seed in range(*span))
    return turns, seen


def main() -> None:
    parser = argparse.ArgumentParser(description="Race the kernel and the referee in lockstep.")
    parser.add_argument("--races", type=int, default=20_000, help="how many (default 20,000)")
    parser.add_argument("--seed", type=int, default=0, help="number of the first race")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    options = parser.parse_args()
    size = 250
    stop = options.seed + options.races
    spans = [(first, min(first + size, stop)) for first in range(options.seed, stop, size)]
    begun, turns, seen = time.monotonic(), 0, Counter[str]()
    with multiprocessing.Pool(options.jobs) as pool:
        for done, (some, events) in enumerate(pool.imap_unordered(run_many, spans), 1):
            turns, seen = turns + some, seen + events
            if sys.stderr.isatty() or done % 100 == 0:
                print(f"\r{done * size:>9,} races, {turns:,} decisions", end="", file=sys.stderr, flush=True)
    print(f"\nKernel and referee agree: {options.races:,} races, {turns:,} decisions, "
          f"{time.monotonic() - begun:.0f} s on {options.jobs} processes.")  # fmt: skip
    for what, count in sorted(seen.items()):
        print(f"  {what:24} {count:>14,}")


if __name__ == "__main__":
    main()
