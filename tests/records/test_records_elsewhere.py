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
    ["--edition", "thibault", "--chariots", "3"],
    ["--edition", "thibault", "--course", "red", "--chariots", "4", "--option", "riderless_moves=vote"],
    ["--edition", "pro-ludo", "--players", "2", "--each", "2", "--riderless", "2", "--drivers", "random,greedy"],
    ["--riderless", "2", "--chariots", "3", "--option", "riderless_moves=vote", "--drivers", "random"],
    ["--edition", "ausgebremst", "--chariots", "3", "--drivers", "greedy,random"],
    ["--edition", "ausgebremst", "--course", "yellow", "--option", "riderless_moves=vote", "--drivers", "random"],
    ["--edition", "ausgebremst", "--option", "decks=standard", "--option", "emperor_cards=none"],
)


@cache
def facts(course: str, direction: str) -> CourseFacts:
    return CourseFacts(json.loads(exports[course, direction]))


exports: dict[tuple[str, str], str] = {}


def set_up(record: dict[str, Any], race: dict[str, Any]) -> RefereeRace:
    """The race before its first turn, decks chosen and sorted as the record says."""
    course = race["course"], race["direction"]
    choices = race.get("choices", [None] * len(race["decks"]))
    referee = RefereeRace(
        facts(*course),
        record["rules"],
        [None if choice else deck for deck, choice in zip(race["decks"], choices, strict=True)],
        riderless=sum(chariot["riderless"] for chariot in race["chariots"]),
        side=json.loads(exports[course])["board"],
    )
    assert [chariot["riderless"] for chariot in race["chariots"]] == referee.is_riderless
    while referee.phase in ("deck", "sort"):
        assert referee.turn is not None
        choice = choices[referee.turn]
        if referee.phase == "deck":
            referee.apply(("deck", choice["deck"]))
        else:
            assert choice["emperor"] == referee.emperor[referee.turn]
            referee.apply(("sort", tuple(map(tuple, choice["piles"]))))
    return referee


def cast(referee: RefereeRace, race: dict[str, Any], turn: dict[str, Any]) -> None:
    """The votes of a turn, in the name of each player's first chariot."""
    assert referee.voting == turn["chariot"]
    votes = dict(turn["votes"])
    while referee.phase == "vote":
        vote = votes.pop(race["chariots"][referee.turn]["name"], {"play": None, "to": None})
        referee.apply(("vote", vote["play"], vote["to"]))
    assert not votes


def replay(record: dict[str, Any]) -> None:
    for race in record["races"]:
        referee = set_up(record, race)
        for turn in race["turns"]:
            if "votes" in turn:
                cast(referee, race, turn)
            assert (referee.turn, referee.voting) == (turn["chariot"], None)
            match turn:
                case {"play": card, "to": to}:
                    referee.apply(("play", card, to))
                case {"miss": reason, "exchange": card}:
                    referee.apply(("miss", reason, card))
                case {"withdraw": True}:
                    referee.apply(("withdraw",))
                case {"crash": True}:
                    referee.apply(("crash",))
                case {"draw": pile}:
                    referee.apply(("draw", pile))
                case {"lay": 3, "pile": pile}:
                    referee.apply(("lay", pile))
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
