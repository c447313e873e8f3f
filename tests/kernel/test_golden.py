"""What the rules did yesterday they do today, line by line; `make golden` writes it anew."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

import pytest

from avecaesar.courses import load_course
from avecaesar.kernel import layout as k
from avecaesar.rules import EDITIONS
from golden import FOLDER, PERFT, Stage, perft_counts, perft_lines, perft_start, playthrough, stages
from lockstep import COURSES, facts, kind_of, referee_move
from referee.race import RefereeRace


@pytest.mark.parametrize("stage", list(stages()), ids=lambda stage: stage.name)
def test_golden_playthrough(stage: Stage) -> None:
    golden = stage.file.read_text(encoding="utf-8").splitlines()
    today = playthrough(stage).splitlines()
    for number, (then, now) in enumerate(zip(golden, today, strict=False), 1):
        assert now == then, f"{stage.file.name}, line {number}"
    assert len(today) == len(golden)


def test_every_edition_and_course_has_a_playthrough_and_no_file_is_left_over() -> None:
    files = {file.name for file in FOLDER.glob("*.txt")}
    assert {f"{name}-{course}.txt" for name in EDITIONS for course, _ in COURSES} <= files
    assert files == {stage.file.name for stage in stages()} | {PERFT.name}


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
    for course, direction in COURSES:
        races, deal, riderless, made = perft_start(name, course, direction)
        decks = [None if max(deck) > 6 else deck for deck in deal]
        side = load_course(course).side
        new = partial(
            RefereeRace, facts(course, direction), rules, decks, checked=False, riderless=riderless, side=side
        )
        start = _as_the_referee_says(races, made, [i for i, deck in enumerate(decks) if deck is None])
        begun = new()
        for move in start:
            begun.apply(move)
        counts = [referee_perft(begun, depth, start, new) for depth in (1, 2, 3)]
        assert counts == perft_counts(name, course, direction)[:3]


def _as_the_referee_says(races: Any, made: list[int], chariots: list[int]) -> list[tuple[Any, ...]]:
    """The moves before the first turn; the piles are those that the race began with, whatever was drawn since."""
    begun = iter(chariots)
    cards = races["deck"][0].tolist()
    said = []
    for move in made:
        piles: list[list[int]] = []
        if kind_of(move) == k.MOVE_SORT:
            chariot = next(begun)
            tops = races["pile_top"][0][chariot].tolist()
            drawn = [sum(1 for m in drawn_by(made, chariots, chariot) if m == pile) for pile in range(3)]
            sizes = races["pile"][0][chariot].tolist()
            piles = [cards[chariot][top - d : top + size] for top, size, d in zip(tops, sizes, drawn, strict=True)]
        said.append(referee_move(move, "", piles))
    return said


def drawn_by(made: list[int], chariots: list[int], chariot: int) -> list[int]:
    """The piles from which a chariot drew its first hand: everybody draws two, one after the other."""
    draws = [move & 255 for move in made if kind_of(move) == k.MOVE_DRAW]
    at = 2 * chariots.index(chariot)
    return draws[at : at + 2]
