"""Records are watched in the terminal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from avecaesar.cli import main
from avecaesar.game import Vote
from avecaesar.records import read_record, verified, write_record
from avecaesar.table import Setup, Table, seats_for
from avecaesar.tui.replay_screen import ReplayApp, ReplayScreen
from tui_by_keys import shown, sit_down, until, until_shown


@pytest.fixture
def record(tmp_path: Path) -> Path:
    table = Table(Setup(seats_for(["greedy"] * 3), tournament=True, options={"races": "2"}, seed=5))
    while True:
        while not table.race_over:
            table.play(table.computers_move())
        if table.over:
            break
        table.next_race()
    path = tmp_path / "games.race.json"
    write_record(table.record(), path)
    return path


def test_a_record_is_watched_forwards_and_backwards(record: Path) -> None:
    app = ReplayApp(*verified(record), speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        start = shown(app)
        assert "race 1 of 2" in start
        assert "All hands" in start
        await pilot.press("right", "right", "right")
        await until_shown(pilot, lambda text: screen.scenes[3].brief[0] in text)
        third = shown(app)
        assert screen.at == 3
        await pilot.press("right", "left")
        await until_shown(pilot, lambda text: text == third)
        await pilot.press("home")
        await until_shown(pilot, lambda text: text == start)
        await pilot.press("end")
        await until_shown(pilot, lambda text: "The race is over: 1st" in text)
        await pilot.press("g", "4", "0", "enter")
        await pilot.pause()
        assert screen.at == 40
        await pilot.press("end", "left", "left", "space")
        await until(pilot, lambda: screen.at == len(screen.scenes) - 1 and not screen.playing)
        await pilot.press("n")
        assert "race 2 of 2" in shown(app)
        await pilot.press("t")
        assert app.theme == "day"

    sit_down(app, act)


@pytest.mark.parametrize(
    "setup",
    [
        {"edition": "ausgebremst", "course": "red"},
        {"edition": "thibault", "course": "red", "options": {"riderless_moves": "vote"}},
        {"options": {"chariots_each": "2"}},
    ],
    ids=["ausgebremst", "vote", "teams"],
)
def test_records_of_every_kind_are_watched(setup: dict[str, Any], tmp_path: Path) -> None:
    table = Table(Setup(seats_for(["greedy"] * 3), seed=5, **setup))
    while not table.race_over:
        table.play(table.computers_move())
    path = tmp_path / "every.race.json"
    write_record(table.record(), path)
    app = ReplayApp(*verified(path), speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        await pilot.press("g", "4", "0", "enter")
        await pilot.pause()
        if table.race.rules.draw == "from_piles":
            assert re.search("I [1-6]+  II [1-6–]+  III", shown(app))
        await pilot.press("end")
        await until_shown(pilot, lambda text: "The race is over:" in text)
        votes = sum(isinstance(turn.move, Vote) for turn in table.race.history)
        assert len(screen.scenes) == len(table.race.history) - votes + 1

    sit_down(app, act, (120, 40))


def test_a_record_with_colours_of_its_own_can_be_watched(record: Path, tmp_path: Path) -> None:
    strange = tmp_path / "strange.race.json"
    strange.write_text(record.read_text(encoding="utf-8").replace('"green"', '"purple"'), encoding="utf-8")
    app = ReplayApp(*verified(strange), speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        await pilot.press("end")
        await until_shown(pilot, lambda text: "The race is over: 1st" in text)

    sit_down(app, act)


def test_a_record_is_told_in_words(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(record), "--text"]) == 0
    told = capsys.readouterr().out.splitlines()
    races = read_record(record).races
    assert len(told) == sum(len(race.turns) + 2 for race in races) + 1
    assert told[0].startswith("Race 1 of 2: white clockwise")
    assert told[-2].startswith("The race is over: 1st ")
    assert told[-1].startswith("Standings: 1. ")
    assert main(["replay", str(record), "--text", "--race", "2"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(races[1].turns) + 2


@pytest.mark.parametrize("words", [["--race", "3"], ["--race", "0"], []])
def test_what_cannot_be_watched_is_one_sentence(
    record: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["replay", str(record), *words])
    except SystemExit as left:
        status = int(left.code or 0)
    assert status == 2
    told = capsys.readouterr()
    assert len(told.err.splitlines()) == 1
    assert told.out == ""
