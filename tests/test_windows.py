"""The bit sets that the kernel thinks in, and the lists that it gives without a list."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from avecaesar import Race, load_course
from avecaesar.courses import Direction
from avecaesar.courses.course import cuts as course_cuts
from avecaesar.game.moves import to_number
from avecaesar.kernel import movement, playout, tables
from lockstep import COURSES
from situations import plain

SOURCE = random.Random(1)
WINDOWS = [1, 2**63, 2**64 - 1, 2**63 + 1, *(SOURCE.getrandbits(64) >> n or 1 for n in range(60))]


@pytest.mark.parametrize("window", WINDOWS)
def test_population_and_nearest(window: int) -> None:
    assert movement.population(np.uint64(window)) == window.bit_count()
    assert movement.nearest(np.uint64(window)) == (window & -window).bit_length() - 1


def test_no_space_is_in_an_empty_window() -> None:
    assert movement.population(np.uint64(0)) == 0


@pytest.mark.parametrize(("course", "direction"), COURSES)
def test_the_kernel_cuts_a_course_where_the_graph_is_cut(course: str, direction: Direction) -> None:
    """Every space alone, and many sets of two to six."""
    it = load_course(course, direction)
    ahead = [[step.to for step in space.steps] for space in it.spaces]
    table, races = tables.course_table(it), tables.new_races(1)
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


def test_a_random_move_is_any_legal_move_and_all_are_equally_likely() -> None:
    for seed in range(4):
        race = Race(plain("blue"), 5, seed=seed, options={"crash": "yes"} if seed % 2 else None)
        source = random.Random(seed)
        while not race.over:
            legal = {to_number(move) for move in race.legal_moves}
            drawn = Counter(
                int(playout.random_move(race._course_table[0], race._races[0], np.uint64(source.getrandbits(64))))
                for _ in range(40)
            )
            assert set(drawn) <= legal
            if len(legal) <= 3:
                assert set(drawn) == legal
            race.play(source.choice(list(race.legal_moves)))
