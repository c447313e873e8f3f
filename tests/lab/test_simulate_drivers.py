"""Bad input to `avecaesar simulate`, and drivers of somebody's own."""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from avecaesar import Draw, Play, Vote, load_course
from avecaesar.cli import main
from avecaesar.drivers import DriverError
from avecaesar.lab import Experiment, line_up, record_name
from avecaesar.records import read_record, referee
from avecaesar.rules import Rules, RulesError
from simulations import OWN, printed, typed


@pytest.mark.parametrize(
    "arguments",
    [
        "--races 0", "--races -3", "--races 1000000000001", "--races many", "--races 1.5", "--races ''",
        "--chariots 0", "--chariots 7", "--chariots x", "--drivers ''", "--drivers ,", "--drivers greedy,,random",
        "--drivers nobody", "--drivers greedy,random,greedy,random,greedy", "--drivers nowhere.py:Driver",
        "--drivers json:JSONDecoder", "--drivers own.py:Nobody", "--edition house", "--edition ''",
        "--course green", "--course nowhere.board:green", "--direction up", "--option crash", "--option crash=perhaps",
        "--option no=such", "--option draw=from_piles", "--option laurels=1,2", "--seed -1", "--seed x",
        "--seed 18446744073709551616", "--jobs 0", "--jobs 999", "--record own.py", "--record own.py/deeper",
        "--unknown", "surplus",
        "--riderless 6", "--riderless -1", "--riderless 3", "--riderless 1 --option riderless=fill",
        "--riderless 0 --option riderless_count=0", "--option riderless=fill --option riderless_count=2",
        "--players 0", "--players 7", "--each 0", "--each 4", "--each 3",
        "--players 4 --each 2", "--players 1 --each 2",
        "--players 2 --chariots 4", "--players 2 --each 2 --chariots 4", "--each 2 --option chariots_each=2",
        "--players 2 --each 2 --drivers greedy,random,greedy", "--players 3 --each 2 --riderless 1",
        "--option chariots_each=2 --chariots 5", "--edition ausgebremst --option hand=3",
        "--players 2 --each 2 --drivers greedy,nobody",
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_sentence(
    arguments: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    status: object
    try:
        status = main(["simulate", *shlex.split(arguments)])
    except SystemExit as left:
        status = left.code
    told = capsys.readouterr()
    assert (status, told.out) == (2, "")
    assert re.fullmatch(r"avecaesar[^\n]+\n", told.err)


@pytest.mark.parametrize(
    ("driver", "reason", "jobs"),
    [
        ("Raising", "KeyError: 'no idea'", "1"),
        ("Cheating", "IllegalMove", "2"),
        ("Silent", "InvalidMove: None", "1"),
    ],
)
def test_a_driver_that_fails_ends_the_run_in_a_sentence(
    driver: str, reason: str, jobs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "--races", "50", "--drivers", f"own.py:{driver}", "--seed", "77", "--jobs", jobs]) == 2
    told = capfd.readouterr()
    assert told.out == ""
    assert re.fullmatch(
        rf"avecaesar: driver 'own.py:{driver}' failed in decision \d+ of race \d+ of seed 77: {reason}.*\n", told.err
    )


def test_a_worker_that_vanishes_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    done = typed("--races", "50", "--drivers", "own.py:Leaving", "--jobs", "2", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "avecaesar: a worker process: it ended before its time, with exit status 3\n"


def test_a_folder_that_cannot_be_written_to_is_told_of(tmp_path: Path) -> None:
    folder = tmp_path / "races"
    folder.mkdir()
    (folder / record_name(1, 2)).mkdir()
    done = typed("--races", "4", "--record", "races", "--seed", "1", cwd=tmp_path)
    assert done.returncode == 2
    assert re.fullmatch(r"avecaesar: races/1-0000002.race.json: [^\n]+\n", done.stderr)
    assert not [name for name in os.listdir(folder) if name.endswith(".tmp")]


def test_line_up() -> None:
    assert line_up(["a", "b"], 5) == ("a", "b", "a", "b", "a")
    assert line_up(["a", "b"], 4, each=2) == ("a", "b", "a", "b")
    assert line_up(["a", "b"], 6, each=2) == ("a", "b", "a") * 2
    assert line_up(["a"], 6, each=3) == ("a",) * 6
    for names, chariots, each in (([], 3, 1), ([""], 3, 1), (["a", "b"], 1, 1), (["a", "b", "c"], 4, 2)):
        with pytest.raises(DriverError):
            line_up(names, chariots, each)


def test_a_player_has_one_driver() -> None:
    teams = Rules(chariots_each=2)
    with pytest.raises(DriverError, match="same driver"):
        Experiment(1, load_course("white"), teams, ("greedy", "greedy", "random", "random"), 1)
    with pytest.raises(RulesError, match="TEAM-1"):
        Experiment(1, load_course("white"), teams, ("greedy",) * 3, 1)


@pytest.mark.parametrize(
    ("asked", "kinds"),
    [
        ("--edition ausgebremst --course red --chariots 3 --option riderless_moves=vote", {Draw, Vote, Play}),
        ("--edition ausgebremst --course yellow --players 2 --each 2 --no-memory-aid", {Draw, Play}),
        ("--players 2 --each 3 --edition riassunto", {Play}),
        ("--players 3 --each 1 --riderless 3 --option riderless_moves=vote", {Vote, Play}),
    ],
)
def test_a_driver_of_ones_own_is_asked_everything(
    asked: str, kinds: set[type], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    arguments = [*asked.split(), "--races", "6", "--seed", "3", "--drivers", "own.py:Attentive,greedy"]
    report = json.loads(printed(capsys, *arguments, "--record", "races", "--json"))
    assert report["memory_aid"] == ("--no-memory-aid" not in asked)
    for file in (tmp_path / "races").iterdir():
        (race,) = referee(read_record(file))
        assert kinds <= {type(turn.move) for turn in race.history}
