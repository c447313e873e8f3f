"""The friendly face says what is wrong in a sentence, whatever it is given."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from avecaesar import (
    BoardError,
    InvalidMove,
    Miss,
    Play,
    Race,
    Rules,
    RulesError,
    Tournament,
    Withdraw,
    boards,
    edition,
    load_course,
    read_board,
)
from avecaesar.drivers import Chance, Greedy, drive, driver
from situations import PLAIN


def new(**changes: Any) -> Race:
    arguments: dict[str, Any] = {"course": "white", "drivers": 3, "seed": 2}
    return Race(**arguments | changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"drivers": "Livia"}, {"drivers": ["A", "A"]}, {"drivers": [""]}, {"drivers": [1, None]}, {"drivers": True},
        {"drivers": 3.0}, {"drivers": None}, {"drivers": {"A", "B"}}, {"drivers": []}, {"drivers": list("abcdefg")},
        {"edition": "house"}, {"edition": ["fiche"]}, {"options": "crash=yes"}, {"options": {"crash": "maybe"}},
        {"options": {"hand": "x"}}, {"options": {"hand": True}}, {"options": {"no": "such"}},
        {"options": {"laurels": 3}},
        {"options": {"laurels": "1,2,3"}}, {"options": {"riderless_count": 4}}, {"options": {"draw": "from_piles"}},
        {"options": {"emperor_cards": "by_side"}}, {"options": {"decks": "choice"}}, {"options": {"chariots_each": 3}},
        {"options": {"riderless": "fill", "riderless_count": 2}},
        {"options": {"riderless": "none", "riderless_count": 1}},
        {"options": {"hand": 2, "missed_turn": "keep", "draw": "from_piles", "emperor_cards": "by_side"}},
        {"options": {"tribute": "optional", "emperor_cards": "by_side"}}, {"riderless": ["Celer"]},
        {"chariots": list("abc"), "options": {"chariots_each": 2}}, {"edition": "ausgebremst", "decks": [[1] * 24] * 4},
        {"rules": "ravensburger"}, {"rules": Rules(), "edition": "pro-ludo"}, {"rules": Rules(), "options": {}},
        {"decks": 7}, {"decks": [None, None, None]}, {"decks": [[6] * 24] * 3}, {"decks": [[1.0] * 24] * 3},
        {"seed": -1}, {"seed": "x"}, {"seed": 1.5},
        {"course": load_course("white"), "direction": "anticlockwise"},
    ],
)  # fmt: skip
def test_a_race_that_makes_no_sense_is_refused_in_a_sentence(changes: dict[str, Any]) -> None:
    with pytest.raises(RulesError) as refused:
        new(**changes)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("course", [None, 3, ["white"], "green", "", boards()[0], "nowhere.board:green"])
def test_a_course_that_does_not_exist_is_refused_in_a_sentence(course: Any) -> None:
    with pytest.raises(BoardError):
        new(course=course)


@pytest.mark.parametrize("direction", ["up", ["clockwise"], 1])
def test_a_direction_that_does_not_exist_is_refused(direction: Any) -> None:
    with pytest.raises(BoardError, match="clockwise or anticlockwise"):
        new(direction=direction)


@pytest.mark.parametrize(
    "attempt",
    [
        lambda race: race.play(3),
        lambda race: race.play(None),
        lambda race: race.play(Play(1, 2), to="S8a"),
        lambda race: race.play(1, to="zz"),
        lambda race: race.play(1, to=2.5),
        lambda race: race.play(1, to=True),
        lambda race: race.play(1, to=-1),
        lambda race: race.play(1, to=255),
        lambda race: race.play(7, to=2),
        lambda race: race.play(True, to=2),
        lambda race: race.play("1", to=2),
        lambda race: race.play(Miss(0)),
        lambda race: race.why_not(None),
        lambda race: race.why_not(Play(1, None)),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_move_is_an_invalid_move_and_changes_nothing(attempt: Callable[[Any], object]) -> None:
    race = new()
    with pytest.raises(InvalidMove):
        attempt(race)
    assert race.history == ()


def test_legal_moves_are_a_live_view() -> None:
    race = new()
    moves = race.legal_moves
    assert moves[0] in moves
    assert len(moves) == len(list(moves))
    assert 3 not in moves
    assert Withdraw() not in moves
    race.play(moves[0])
    assert [*moves] == [*race.legal_moves]
    assert race.why_not(1, "S1a") is not None


def test_chariots_and_drivers_that_do_not_exist() -> None:
    race = new()
    for chariot in (9, -1, True, 1.0, "Aulus"):
        with pytest.raises(ValueError, match="there is no chariot"):
            race.view(chariot)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no driver"):
        driver("x")
    with pytest.raises(ValueError, match="as many drivers"):
        drive(race, [Greedy()])
    for one in (Greedy(), Chance(1)):
        with pytest.raises(ValueError, match="not this chariot's turn"):
            one.choose(race.view(1))
    with pytest.raises(ValueError, match="spectator"):
        _ = race.view().me


def test_outlooks_say_what_a_play_would_do_and_keep_the_secrets() -> None:
    for seed in range(20):
        race = Race("blue", 4, seed=seed)
        while (chariot := race.turn) is not None:
            view = race.view(chariot)
            move = Chance(seed).choose(view)
            race.play(move)
            if isinstance(move, Play):
                after = race.view(chariot).chariots[chariot]
                outlook = view.outlooks[move]
                assert outlook.remaining == after.remaining
                assert outlook.pays == (view.me.coin and not after.coin)
                assert outlook.disqualifies == (after.disqualified and not view.me.disqualified)
                if move.to != "home":
                    assert outlook.wasted == move.card - (view.me.remaining - after.remaining)


def test_a_tournament_takes_a_number_or_a_single_course() -> None:
    assert Tournament(3, seed=1).names == ("Aulus", "Brutus", "Cato")
    assert Tournament(3, edition="fiche", courses="red").schedule[0] == ("red", "clockwise")
    bad: list[dict[str, Any]] = [{"drivers": [1, 2]}, {"drivers": "abc"}, {"drivers": 3, "side": "C"}]
    for arguments in bad:
        with pytest.raises(RulesError):
            Tournament(**arguments)


def test_a_board_file_is_read_anew_and_may_begin_with_a_mark(tmp_path: Path) -> None:
    file = tmp_path / "mine.board"
    text = read_board(str(PLAIN)).source
    file.write_text("\ufeff" + text, encoding="utf-8")
    assert load_course(f"{file}:white").shortest_lap == 26
    file.write_text(text.replace("P  straight 2", "P  straight 2 2"), encoding="utf-8")
    assert load_course(f"{file}:white").shortest_lap == 27


def test_short_names_at_the_prompt() -> None:
    race = new()
    assert repr(race) == "<Race on white clockwise, 3 chariots, Aulus's turn>"
    assert repr(race.view(0)).startswith(
        "<View of chariot 0 (Aulus) on white clockwise: turn 1, chariot 0 to move, hand ("
    )
    assert repr(race.course) == "<Course white clockwise on board A, 62 spaces>"
    assert repr(boards()[1]) == "<Board B with yellow and red>"


def test_the_editions_differ_as_they_say() -> None:
    assert edition("riassunto").differences(edition("ravensburger"))["draw"] == ("end_of_round", "at_once")


LAZILY = """
import sys
import avecaesar
from avecaesar import Rules, edition, load_course
assert "numba" not in sys.modules
from avecaesar import Race
assert "numba" in sys.modules
for name in avecaesar.__all__:
    assert getattr(avecaesar, name) is not None
from avecaesar import *
assert Play(1, 2).card == 1
try:
    avecaesar.Horse
except AttributeError as error:
    print(error)
"""


def test_only_racing_loads_the_compiler() -> None:
    done = subprocess.run([sys.executable, "-c", LAZILY], capture_output=True, text=True, check=True)
    assert done.stdout == "module 'avecaesar' has no attribute 'Horse'\n"
