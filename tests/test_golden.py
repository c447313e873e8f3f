"""What the rules did yesterday they do today, line by line; `make golden` writes it anew."""

from __future__ import annotations

import random
from dataclasses import asdict

import pytest

from avecaesar.courses import Direction
from avecaesar.game.race import shuffled_deck
from avecaesar.rules import EDITIONS
from golden import FOLDER, PERFT, file_of, perft_counts, perft_lines, playthrough, stages
from lockstep import COURSES, facts
from referee.race import RefereeRace


@pytest.mark.parametrize(("edition", "course", "direction"), list(stages()))
def test_golden_playthrough(edition: str, course: str, direction: Direction) -> None:
    golden = file_of(edition, course).read_text(encoding="utf-8").splitlines()
    today = playthrough(edition, course, direction).splitlines()
    for number, (then, now) in enumerate(zip(golden, today, strict=False), 1):
        assert now == then, f"{file_of(edition, course).name}, line {number}"
    assert len(today) == len(golden)


def test_every_edition_and_course_has_a_playthrough_and_no_file_is_left_over() -> None:
    files = {file.name for file in FOLDER.glob("*.txt")}
    courses = {course for course, _ in COURSES}
    assert files == {f"{name}-{course}.txt" for name in EDITIONS for course in courses} | {PERFT.name}


def test_perft_counts() -> None:
    assert PERFT.read_text(encoding="utf-8").splitlines() == perft_lines()


def referee_perft(race: RefereeRace, depth: int, replay: list[tuple[object, ...]], new: object) -> int:
    if depth == 1:
        return len(race.legal())
    total = 0
    for move in race.legal():
        again = new()  # type: ignore[operator]
        for done in [*replay, move]:
            again.apply(done)
        total += referee_perft(again, depth - 1, [*replay, move], new)
    return total


@pytest.mark.parametrize("name", EDITIONS)
def test_perft_agrees_with_the_referee(name: str) -> None:
    rules = asdict(EDITIONS[name].rules)
    source = random.Random(0)
    decks = [shuffled_deck(source) for _ in range(3)]
    for course, direction in COURSES:

        def new(course: str = course, direction: Direction = direction) -> RefereeRace:
            return RefereeRace(facts(course, direction), rules, [list(deck) for deck in decks], checked=False)

        counts = [referee_perft(new(), depth, [], new) for depth in (1, 2, 3)]
        assert counts == perft_counts(name, course, direction)[:3]
