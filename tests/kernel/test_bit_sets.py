"""The bit sets that the kernel thinks in, and the lists that it gives without a list."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from avecaesar import ChooseDeck, Crash, Draw, Miss, Move, Play, Race, Vote, Withdraw, load_course
from avecaesar.courses import Direction
from avecaesar.courses.course import cuts as course_cuts
from avecaesar.game.moves import DECK_NAMES, to_number
from avecaesar.kernel import cards, entry_points, movement, packing, playout
from avecaesar.kernel import layout as k
from lockstep import COURSES
from situations import at, plain, race

SOURCE = random.Random(1)
WINDOWS = [1, 2**63, 2**64 - 1, 2**63 + 1, *(SOURCE.getrandbits(64) >> n or 1 for n in range(60))]


@pytest.mark.parametrize("window", WINDOWS)
def test_population_and_nearest(window: int) -> None:
    assert movement.population(np.uint64(window)) == window.bit_count()
    assert movement.nearest(np.uint64(window)) == (window & -window).bit_length() - 1


@pytest.mark.parametrize("held", [(), (1,), (6,) * 7, (2, 2, 2, 2, 5), (1, 3, 3, 3, 4, 6, 6)])
def test_the_set_of_cards_in_a_hand(held: tuple[int, ...]) -> None:
    assert cards.values_in(sum(1 << 4 * card for card in held)) == sum(1 << 4 * card for card in set(held))


def test_no_space_is_in_an_empty_window() -> None:
    assert movement.population(np.uint64(0)) == 0


@pytest.mark.parametrize(("course", "direction"), COURSES)
def test_the_kernel_cuts_a_course_where_the_graph_is_cut(course: str, direction: Direction) -> None:
    """Every space alone, and many sets of two to six."""
    it = load_course(course, direction)
    ahead = [[step.to for step in space.steps] for space in it.spaces]
    table, races = packing.course_table(it), packing.new_races(1)
    races["chariots"] = 6
    source = random.Random(course)
    sets = [{space.id} for space in it.spaces]
    for _ in range(100):
        start = source.randrange(len(it.spaces))
        near = [(start + k) % len(it.spaces) for k in range(8)]
        sets.append(set(source.sample(near, source.randint(2, 6))))
    for spaces in sets:
        races["space"][0] = 0
        races["space"][0][: len(spaces)] = sorted(spaces)
        chosen = (1 << len(spaces)) - 1
        assert bool(movement.cuts(table[0], races[0], chosen)) == course_cuts(ahead, spaces), spaces


SORTED = ((1, 2), (3,), ())
QUESTIONS: dict[str, tuple[Callable[[], Race], list[Move]]] = {
    "a crash": (lambda: race(at("S9a", 6, 6), at("S8a", 1), crash="yes"), [Crash()]),
    "a disqualified chariot's turn": (
        lambda: race(at("S10a", 1, disqualified=True), at("S8a", 1)),
        [Play(1, plain().space("N1a").id), Withdraw()],
    ),
    "a miss with an exchange": (lambda: race(at("S10a", 2, 5), at("N1a", 1)), [Miss(2), Miss(5)]),
    "a miss without": (lambda: race(at("S10a", 2, 5), at("N1a", 1), missed_turn="keep"), [Miss()]),
    "a deck": (lambda: Race("white", 2, edition="ausgebremst"), [*map(ChooseDeck, DECK_NAMES)]),
    "a pile to draw from": (
        lambda: drawing(race(at("S8a", 1, piles=SORTED), at("S7a", 1, piles=SORTED), edition="ausgebremst")),
        [Draw(0), Draw(1)],
    ),
    "a vote": (
        lambda: race(at("S2b", 1), at("S5a", deck=(1, 1)), loose=1, turn=1, riderless_moves="vote"),
        [*(Vote(1, plain().space(name).id) for name in ("S6a", "S6b")), Vote()],
    ),
    "a riderless chariot's turn": (
        lambda: race(at("S2b", 1), at("S5a", deck=(1, 1)), loose=1, turn=1),
        [Play(1, plain().space("S6a").id)],
    ),
    "a riderless chariot's miss": (lambda: race(at("N1a", 1), at("S10a", 2), loose=1, turn=1), [Miss()]),
    "the same with its card under the deck": (
        lambda: race(at("S10a", 2), at("N1a", 1), at("C1a", 1), at("C1b", 1), loose=1, riderless="fill"),
        [Miss(2)],
    ),
}


def drawing(it: Race) -> Race:
    it.play(1, to="S9a")
    return it


@pytest.mark.parametrize("question", QUESTIONS)
def test_exactly_what_is_allowed_is_listed_each_move_once_and_by_its_number(question: str) -> None:
    begin, moves = QUESTIONS[question]
    it = begin()
    listed = np.full(k.MOST_MOVES, -1, np.int64)
    numbers = listed[: entry_points.list_moves(it._course_table, it._races, 0, listed)].tolist()
    assert numbers == [to_number(move) for move in moves]
    spaces = {*range(5), *(number & 255 for number in numbers), len(it.course.spaces), k.ABSTAINED, k.HOME}
    every = [kind << 16 | card << 8 | to for kind in range(11) for card in range(8) for to in spaces]
    allowed = [n for n in every if entry_points.judge(it._course_table, it._races, 0, n) == k.ALLOWED]
    assert sorted(allowed) == sorted(numbers)


def test_a_random_move_is_any_legal_move_and_all_are_equally_likely() -> None:
    for seed in range(4):
        it = Race(plain("blue"), 5, seed=seed, options={"crash": "yes"} if seed % 2 else None)
        source = random.Random(seed)
        while not it.over:
            legal = {to_number(move) for move in it.legal_moves}
            drawn = Counter(
                int(playout.random_move(it._course_table[0], it._races[0], np.uint64(source.getrandbits(64))))
                for _ in range(40)
            )
            assert set(drawn) <= legal
            if len(legal) <= 3:
                assert set(drawn) == legal
            it.play(source.choice(list(it.legal_moves)))
