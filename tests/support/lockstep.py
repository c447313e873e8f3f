"""Kernel and referee side by side: the same race, decision by decision, until one of them disagrees.

`python tests/support/lockstep.py --races 1000000` is the long proof (`make soak`); the tests run a shorter one.
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
from avecaesar.kernel import entry_points, packing
from avecaesar.kernel import layout as k
from avecaesar.kernel.move_codes import SORTING
from avecaesar.rules import DECK, DECKS, EDITIONS, OPTIONS, Rules, RulesError, check_playable, riderless_in
from referee.race import CourseFacts, RefereeRace

COURSES = [(course, direction) for board in boards() for course in board.courses for direction in DIRECTIONS]
STATUS = ("racing", "home", "out", "crashed", "withdrawn")
REASONS = ("blocked", "barred", "waiting")
FREE_OPTIONS = (
    "missed_turn", "first_six", "narrow_exception", "tied_exception", "tribute", "race_ends", "crash",
    "riderless_moves",
)  # fmt: skip
PHASES = {k.DECK: "deck", k.SORT: "sort", k.DRAW: "draw", k.LAY: "lay", k.VOTE: "vote"}
DECK_NAMES = tuple(DECKS)


@cache
def facts(course: str, direction: Direction) -> CourseFacts:
    return CourseFacts(export_course(load_course(course, direction)))


def random_rules(source: random.Random) -> Rules:
    """An edition, one option changed, or everything mixed; riderless chariots and teams of all kinds."""
    while True:
        rules = source.choice(list(EDITIONS.values())).rules
        changed = source.choice([(), (source.choice(FREE_OPTIONS),), FREE_OPTIONS])
        changes: dict[str, object] = {name: source.choice(OPTIONS[name].values) for name in changed}
        if source.random() < 0.2:
            changes["hand"] = source.randint(1, 6)
        if source.random() < 0.2:
            changes["draw"] = source.choice(["at_once", "end_of_round"])
        if source.random() < 0.1:
            changes |= {
                "hand": 2,
                "draw": "from_piles",
                "missed_turn": "keep",
                "decks": source.choice(("standard", "choice")),
            }
        if source.random() < 0.3:
            changes |= source.choice(({"riderless": "fill"}, {"riderless": "fill_no_tribute"}, {"riderless": "none"}))
        elif source.random() < 0.3:
            changes |= {"riderless": "extra", "riderless_count": source.randint(0, 5)}
        if source.random() < 0.2:
            changes["chariots_each"] = source.choice((2, 3))
        try:
            return rules.with_options(changes)
        except RulesError:
            continue


def random_line_up(rules: Rules, side: str, source: random.Random) -> tuple[int, int]:
    """So many drivers' chariots and riderless ones as the rules can have there."""
    possible = []
    for drivers in range(1, 7):
        try:
            check_playable(rules, drivers, side)
        except RulesError:
            continue
        possible.append(drivers)
    drivers = source.choice(possible) if possible else 0
    return drivers, riderless_in(rules, drivers, side) if drivers else 0


def random_setup(source: random.Random) -> tuple[str, Direction, Rules, int, int]:
    """Where, by which rules, how many drivers' chariots and riderless ones."""
    while True:
        course, direction = source.choice(COURSES)
        rules = random_rules(source)
        drivers, riderless = random_line_up(rules, load_course(course).side, source)
        if drivers:
            return course, direction, rules, drivers, riderless


def random_decks(chariots: int, source: random.Random) -> list[list[int]]:
    """Fair decks, or decks in which high or low cards lie together, so that rare hands become common."""
    lean = source.choice([0.0, 0.0, 0.5, 2.0, -0.5])
    return [sorted(DECK, key=lambda card: source.gauss(0, 2) - lean * card) for _ in range(chariots)]


def random_deal(rules: Rules, drivers: int, riderless: int, source: random.Random) -> list[list[int]]:
    """The same for a whole race: numbers 0 to 23 for those who sort piles."""
    decks = random_decks(drivers + riderless, source)
    first = riderless if rules.riderless_count == "fill" else 0
    if rules.draw == "from_piles":
        for i in range(first, first + drivers):
            decks[i] = source.sample(range(len(DECK)), len(DECK))
    return decks


def kind_of(move: int) -> int:
    return move >> 16 & 15


def choose(moves: list[int], habit: int, source: random.Random) -> int:
    """A random move; by habit a race keeps its sixes back, runs far, or does anything. Few withdraw."""
    racing_on = [move for move in moves if kind_of(move) != k.MOVE_WITHDRAW]
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
                numbers.append(number(k.MOVE_PLAY, card, to))
            case ("miss", reason, int() | None as card):
                reasons.add(reason)
                numbers.append(number(k.MOVE_MISS, card or 0))
            case ("withdraw",):
                numbers.append(number(k.MOVE_WITHDRAW))
            case ("crash",):
                numbers.append(number(k.MOVE_CRASH))
            case ("deck", str(name)):
                numbers.append(number(k.MOVE_DECK, 1 + DECK_NAMES.index(name)))
            case ("sort", (first, second, _)):
                numbers.append(number(k.MOVE_SORT) | sorting(first, second) << SORTING)
            case ("draw", int(pile)):
                numbers.append(number(k.MOVE_DRAW, 0, pile))
            case ("lay", int(pile)):
                numbers.append(number(k.MOVE_LAY, 0, pile))
            case ("vote", None, None):
                numbers.append(number(k.MOVE_VOTE))
            case ("vote", int(card), int() | "home" as to):
                numbers.append(number(k.MOVE_VOTE, card, to))
            case _:
                raise AssertionError(f"{move} is unknown")
    return sorted(numbers), reasons


def number(kind: int, card: int = 0, to: int | str = 0) -> int:
    return (kind << 16) | (card << 8) | (to if isinstance(to, int) else k.HOME)


@cache
def sorting(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    return sum(
        pile.count(value) << 6 * (value - 1) + 3 * at
        for at, pile in enumerate((first, second))
        for value in range(1, 7)
    )


def referee_move(move: int, reason: str, piles: list[list[int]]) -> tuple[Any, ...]:
    """The kernel's move as the referee says it; a sorting with the piles as they came to lie."""
    card, to = (move >> 8) & 255, "home" if move & 255 == k.HOME else move & 255
    match kind_of(move):
        case k.MOVE_PLAY:
            return ("play", card, to)
        case k.MOVE_MISS:
            return ("miss", reason, card or None)
        case k.MOVE_DECK:
            return ("deck", DECK_NAMES[card - 1])
        case k.MOVE_SORT:
            return ("sort", tuple(tuple(pile) for pile in piles))
        case k.MOVE_DRAW:
            return ("draw", to)
        case k.MOVE_LAY:
            return ("lay", to)
        case k.MOVE_VOTE:
            return ("vote", card, to) if card else ("vote", None, None)
        case k.MOVE_WITHDRAW:
            return ("withdraw",)
        case _:
            return ("crash",)


def run(seed: int, seen: Counter[str]) -> int:
    """One random race in lockstep; returns its number of decisions, raises AssertionError on a difference."""
    source = random.Random(seed)
    course, direction, rules, drivers, riderless = random_setup(source)
    decks = random_deal(rules, drivers, riderless, source)
    habit = source.randrange(3)
    pair = _Pair(course, direction, rules, decks, drivers, riderless)
    referee = pair.referee
    moves = np.empty(k.MOST_MOVES, np.int64)
    while True:
        pair.compare(seed)
        if referee.turn is None:
            break
        mine: list[int] = moves[: entry_points.list_moves(pair.course, pair.races, 0, moves)].tolist()
        reason = pair.reason()
        theirs, reasons = referee_moves(referee)
        assert sorted(mine) == theirs, f"race {seed}, turn {pair.turns()}: kernel {mine}, referee {theirs}"
        move = choose(theirs, habit, source)
        if kind_of(move) == k.MOVE_MISS:
            assert reasons == {reason}, f"race {seed}, turn {pair.turns()}: missed as {reason}, not {reasons}"
        pair.note(seen, move)
        chariot = int(pair.field["turn"][0])
        assert entry_points.step(pair.course, pair.rules, pair.races, 0, move) == k.ALLOWED
        referee.apply(referee_move(move, reason, pair.piles(chariot)))
    pair.compare_results(seed)
    seen[f"ended: {('', 'nobody left', 'first home', 'stalled', 'cut')[int(pair.field['ending'][0])]}"] += 1
    seen[f"riderless: {rules.riderless}, by {rules.riderless_moves}"] += riderless > 0
    seen[f"teams: {drivers // rules.chariots_each} of {rules.chariots_each}"] += rules.chariots_each > 1
    return int(pair.field["decisions"][0])


class _Pair:
    """The kernel's race beside the referee's."""

    def __init__(
        self, course: str, direction: Direction, rules: Rules, decks: list[list[int]], drivers: int, riderless: int
    ) -> None:
        where = load_course(course, direction)
        self.course = packing.course_table(where)
        self.rules = packing.rules_table(rules)
        self.races = packing.new_races(1)
        self.field = {name: self.races[name] for name in k.RACE.names or ()}
        self.n = len(decks)
        sorts = [rules.draw == "from_piles" and max(deck) > 6 for deck in decks]
        self.referee = RefereeRace(
            facts(course, direction),
            asdict(rules),
            [None if numbers else deck for numbers, deck in zip(sorts, decks, strict=True)],
            checked=False,
            riderless=riderless,
            side=where.side,
        )
        packing.deal(self.races, 0, decks)
        entry_points.begin_race(self.course, self.rules, self.races, 0, drivers, riderless)

    def piles(self, chariot: int) -> list[list[int]]:
        """The kernel's piles, first drawn first, without the card that was laid."""
        cards: list[int] = self.field["deck"][0][chariot].tolist()
        spans = zip(self.field["pile_top"][0][chariot].tolist(), self.field["pile"][0][chariot].tolist(), strict=True)
        return [cards[top : top + size] for top, size in spans]

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
        assert PHASES.get(int(self.field["phase"][0]), "turn") == referee.phase, where
        rows = zip(*(self.column(name) for name in ("hand", "top", "undrawn", "deck", "choice")), strict=True)
        for i, (hand, top, undrawn, ring, choice) in enumerate(rows):
            assert unpacked(hand) == sorted(referee.hand[i]), where
            theirs = referee.piles[i]
            if theirs is not None:
                laid = int(self.field["laid"][0][i])
                piles = [[3] * (laid == p) + cards for p, cards in enumerate(self.piles(i), 1)]
                assert piles == [list(pile) for pile in theirs], where
            elif not choice:
                assert (ring + ring)[top : top + undrawn] == referee.deck[i], where
            laying = referee.phase == "lay" and referee.turn == i  # the 3 is in his fingers
            assert (bool(self.field["emperor"][0][i]) or laying) == bool(referee.emperor[i]), where
        bits = int(entry_points.leading(self.races, 0))
        assert {i for i in range(self.n) if bits >> i & 1} == set(referee.leaders()), where

    def compare_results(self, seed: int) -> None:
        assert [i for i in self.column("order") if i >= 0] == list(self.referee.arrivals()), (
            f"race {seed}: order of arrival"
        )
        assert self.column("laurels") == list(self.referee.laurels()), f"race {seed}: laurels"
        places = sorted((place, i) for i, place in enumerate(self.column("place")) if place)
        assert [i for _, i in places] == list(self.referee.places()), f"race {seed}: places"

    def note(self, seen: Counter[str], move: int) -> None:
        """Count what the race went through, so that a proof can say what it has covered."""
        kind = kind_of(move)
        what = ("plays", "misses", "withdrawals", "crashes", "decks chosen", "sortings", "draws", "cards laid", "votes")
        seen[what[kind]] += 1
        if kind == k.MOVE_MISS:
            seen[f"missed: {self.reason()}"] += 1
            seen["exchanges"] += bool((move >> 8) & 255)
        if kind == k.MOVE_DECK:
            seen[f"deck: {DECK_NAMES[(move >> 8 & 255) - 1]}"] += 1
        seen["riderless turns"] += kind < k.MOVE_DECK and bool(self.field["riderless"][0][self.field["turn"][0]])
        seen["six barred"] += bool(self.field["six_barred"][0])
        seen["tribute duty"] += bool(self.field["duty"][0])
        seen["ban lifted"] += bool(self.field["ban_lifted"][0])
        seen["home"] += kind == k.MOVE_PLAY and move & 255 == k.HOME


@cache
def unpacked(hand: int) -> list[int]:
    return [value for value in range(1, 7) for _ in range(hand >> 4 * value & 15)]


def run_many(span: tuple[int, int]) -> tuple[int, Counter[str]]:
    seen: Counter[str] = Counter()
    decisions = sum(run(seed, seen) for seed in range(*span))
    return decisions, seen


def main() -> None:
    parser = argparse.ArgumentParser(description="Race the kernel and the referee in lockstep.")
    parser.add_argument("--races", type=int, default=20_000, help="how many (default 20,000)")
    parser.add_argument("--seed", type=int, default=0, help="number of the first race")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    options = parser.parse_args()
    size = 250
    stop = options.seed + options.races
    spans = [(first, min(first + size, stop)) for first in range(options.seed, stop, size)]
    begun, decisions, seen = time.monotonic(), 0, Counter[str]()
    with multiprocessing.Pool(options.jobs) as pool:
        for done, (some, events) in enumerate(pool.imap_unordered(run_many, spans), 1):
            decisions, seen = decisions + some, seen + events
            if sys.stderr.isatty() or done % 100 == 0:
                print(f"\r{done * size:>9,} races, {decisions:,} decisions", end="", file=sys.stderr, flush=True)
    print(f"\nKernel and referee agree: {options.races:,} races, {decisions:,} decisions, "
          f"{time.monotonic() - begun:.0f} s on {options.jobs} processes.")  # fmt: skip
    for what, count in sorted(seen.items()):
        print(f"  {what:24} {count:>14,}")


if __name__ == "__main__":
    main()
