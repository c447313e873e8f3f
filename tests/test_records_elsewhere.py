"""Somebody else's program reads our files: the independent referee replays them from the JSON and the export alone."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from avecaesar.cli import main
from referee.race import CourseFacts, RefereeRace

RUNS: tuple[list[str], ...] = (
    [],
    ["--edition", "pro-ludo", "--course", "blue", "--chariots", "5", "--drivers", "random,greedy"],
    ["--edition", "thibault", "--course", "yellow", "--direction", "anticlockwise", "--chariots", "6"],
    [
        "--edition",
        "fiche",
        "--course",
        "red",
        "--chariots",
        "3",
        "--option",
        "tribute=dishonour",
        "--drivers",
        "random",
    ],
    ["--edition", "riassunto", "--chariots", "2", "--option", "crash=yes", "--option", "laurels=9,6,4,3,2,1"],
    ["--chariots", "1", "--drivers", "random", "--option", "missed_turn=exchange", "--option", "hand=4"],
)


@cache
def facts(course: str, direction: str) -> CourseFacts:
    return CourseFacts(json.loads(exports[course, direction]))


exports: dict[tuple[str, str], str] = {}


def replay(record: dict[str, Any]) -> None:
    for race in record["races"]:
        referee = RefereeRace(facts(race["course"], race["direction"]), record["rules"], race["decks"])
        for turn in race["turns"]:
            assert turn["chariot"] == referee.turn
            match turn:
                case {"play": card, "to": to}:
                    referee.apply(("play", card, to))
                case {"miss": reason, "exchange": card}:
                    referee.apply(("miss", reason, card))
                case {"withdraw": True}:
                    referee.apply(("withdraw",))
                case {"crash": True}:
                    referee.apply(("crash",))
                case _:
                    pytest.fail(f"what is {turn}?")
        assert referee.turn is None
        assert race["arrivals"] == referee.arrivals()
        assert race["laurels"] == referee.laurels()
        assert race["disqualified"] == [i for i in referee.chariots if referee.disqualified[i]]


@pytest.mark.parametrize("run", RUNS, ids=lambda run: " ".join(run) or "defaults")
def test_recorded_races_hold_before_another_referee(
    run: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["simulate", "--races", "25", "--seed", "8", "--jobs", "1", "--record", str(tmp_path), "--json", *run]
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["races"] == 25
    files = sorted(tmp_path.glob("*.race.json"))
    assert len(files) == 25
    for file in files:
        record = json.loads(file.read_text("utf-8"))
        for race in record["races"]:
            key = race["course"], race["direction"]
            if key not in exports:
                assert main(["course", "export", key[0], "--direction", key[1]]) == 0
                exports[key] = capsys.readouterr().out
        replay(record)
