"""`avecaesar simulate`: the same races whoever runs them, told with honest intervals."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from math import isclose, sqrt
from pathlib import Path

import numpy as np
import pytest

from avecaesar import load_course
from avecaesar.cli import main, progress
from avecaesar.drivers.batch import deal_race
from avecaesar.kernel import packing, playout
from avecaesar.lab import Experiment, Figure, record_name, run, workers
from avecaesar.lab.figures import mean, share
from avecaesar.lab.racing import Races
from avecaesar.records import read_record
from avecaesar.rules import DECK, EDITIONS, Rules
from checkout import ROOT
from simulations import OWN, files, printed, report_of, typed

DOCS = ROOT / "docs" / "simulate.md"


# ---------------------------------------------------------------------- the same races


@pytest.mark.parametrize(
    "arguments",
    [
        ["--races", "8001", "--drivers", "greedy,random", "--chariots", "3", "--rotate"],
        ["--races", "41", "--drivers", "own.py:Roving,greedy,random", "--course", "red", "--edition", "fiche"],
        ["--races", "8001", "--drivers", "greedy,random", "--players", "2", "--each", "2", "--riderless", "2"],
        ["--races", "41", "--drivers", "own.py:Roving,greedy", "--edition", "ausgebremst", "--chariots", "3"],
    ],
    ids=["compiled", "one's own", "teams", "piles"],
)
def test_one_job_or_two_print_the_same_to_the_byte(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    two = typed(*arguments, "--seed", "8", "--jobs", "2", cwd=tmp_path)
    assert (two.returncode, two.stderr) == (0, "")
    assert two.stdout == printed(capsys, *arguments, "--seed", "8", "--jobs", "1")


@pytest.mark.parametrize(
    ("drivers", "races", "edition"),
    [("greedy,random", 81, "thibault"), ("own.py:First,random", 41, "riassunto"), ("greedy,random", 81, "ausgebremst")],
)
def test_one_job_or_two_record_the_same_and_recording_changes_nothing(
    drivers: str,
    races: int,
    edition: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    arguments = ["--races", str(races), "--drivers", drivers, "--edition", edition, "--chariots", "3", "--seed", "3"]
    arguments += ["--rotate", "--json"]
    plain = printed(capsys, *arguments, "--jobs", "1")
    assert printed(capsys, *arguments, "--jobs", "1", "--record", "one") == plain
    assert typed(*arguments, "--jobs", "2", "--record", "two/deep", cwd=tmp_path).stdout == plain
    assert files(tmp_path / "one") == files(tmp_path / "two" / "deep")
    assert set(files(tmp_path / "one")) == {record_name(3, number) for number in range(races)}


def test_uncompiled_it_prints_the_same(tmp_path: Path) -> None:
    for edition in ("ravensburger", "ausgebremst"):
        arguments = ["--races", "2", "--chariots", "3", "--drivers", "greedy,random", "--edition", edition, "--seed=5"]
        compiled, plain = typed(*arguments, cwd=tmp_path), typed(*arguments, cwd=tmp_path, NUMBA_DISABLE_JIT="1")
        assert compiled.stdout == plain.stdout != ""


TEAMS = EDITIONS["pro-ludo"].rules.with_options({"chariots_each": 2, "riderless_count": 1, "riderless_moves": "vote"})


@pytest.mark.parametrize(
    ("rules", "drivers"),
    [
        (Rules(), ("greedy", "random", "random")),
        (TEAMS, ("greedy", "random") * 2),
        (EDITIONS["ausgebremst"].rules, ("random", "greedy")),
    ],
)
def test_races_add_up_however_they_are_cut(rules: Rules, drivers: tuple[str, ...]) -> None:
    races = Races(Experiment(90, load_course("blue"), rules, drivers, 4, True))
    whole = races.run(0, 90)
    assert (whole == races.run(0, 7) + races.run(7, 50) + races.run(57, 33)).all()
    assert (whole == sum(races.run(number, 1) for number in range(90))).all()


def test_the_deal_of_a_race_does_not_depend_on_who_drives(tmp_path: Path) -> None:
    decks = []
    for drivers in (("greedy", "greedy"), ("random", "greedy")):
        run(Experiment(3, load_course("white"), EDITIONS["thibault"].rules, drivers, 9), tmp_path)
        decks.append([read_record(tmp_path / record_name(9, n)).races[0].decks for n in range(3)])
    assert decks[0] == decks[1]
    assert len({tuple(deck) for race in decks[0] for deck in race}) == 12


@pytest.mark.parametrize("edition", ["pro-ludo", "thibault", "ausgebremst"])
def test_races_are_dealt_as_in_a_playout(edition: str) -> None:
    """The random drivers of both draw the same cards; sorted as numbers, they lie in the same order."""
    course, rules = load_course("white"), EDITIONS[edition].rules
    desk, seeds = packing.new_races(1), np.zeros(6, np.uint64)
    races = Races(Experiment(4, course, rules, ("random",) * 3, 11))
    riderless = races.experiment.riderless
    for number in range(4):
        race, _ = races.experiment.dealt(number)
        assert races.experiment.race(number).deal == race.deal  # as often as one asks
        deal_race(packing.rules_table(rules), races.experiment.plan(), desk, number, seeds)
        assert [list(deck) for deck in race.deal] == desk["deck"][0][: 3 + riderless].tolist()
        whole = {place: list(range(24)) if edition == "ausgebremst" else sorted(DECK) for place in race.driven}
        assert [sorted(deck) for deck in race.deal] == [whole.get(i, sorted(DECK)) for i in race.grid]
    batch = packing.new_races(4)
    playout.random_races(packing.course_table(course), packing.rules_table(rules), batch, 3, riderless, np.uint64(11))
    if edition == "pro-ludo":  # in which no card goes back into a deck, and none is sorted
        dealt = [races.experiment.dealt(number)[0].deal for number in range(4)]
        assert [[list(deck) for deck in deal] for deal in dealt] == batch["deck"][:, :3].tolist()


def test_without_a_seed_one_is_chosen_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (printed(capsys, "--races", "3", "--drivers", "random") for _ in range(2))
    assert first != second
    (command,) = re.findall(r"^  avecaesar simulate (.+)$", first, re.MULTILINE)
    assert printed(capsys, *shlex.split(command)) == first


def test_the_command_that_is_told_repeats_everything(capsys: pytest.CaptureFixture[str]) -> None:
    it = ["--races", "20", "--course", "red", "--direction", "anticlockwise", "--chariots", "5", "--drivers"]
    it += ["random,greedy", "--edition", "riassunto", "--option", "laurels=9,6,4", "--option", "crash=yes"]
    told = printed(capsys, *it, "--rotate", "--seed", "6", "--json")
    report = json.loads(told)
    assert report["options"] == {"laurels": [9, 6, 4], "crash": "yes"}
    program, command, *arguments = shlex.split(report["command"])
    assert (program, command) == ("avecaesar", "simulate")
    assert printed(capsys, *arguments, "--json") == told


@pytest.mark.parametrize(
    "asked",
    [
        "--edition thibault --chariots 3 --rotate",
        "--edition thibault --riderless 0 --chariots 2",
        "--edition thibault --riderless 2 --option riderless_moves=vote",
        "--edition ausgebremst --course red --no-memory-aid",
        "--players 3 --each 2 --drivers greedy,random",
        "--players 2 --option chariots_each=3 --drivers random,greedy --rotate",
        "--chariots 4 --each 2 --riderless 1 --edition riassunto",
        "--option riderless=fill --chariots 1",
    ],
)
def test_so_does_it_for_riderless_chariots_teams_and_piles(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, *asked.split(), "--races", "30", "--seed", "4", "--json")
    assert printed(capsys, *shlex.split(json.loads(told)["command"])[2:], "--json") == told


# ---------------------------------------------------------------------- honest intervals


def test_wilsons_interval_as_the_books_have_it() -> None:
    for hits, of, low, high in ((0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (8, 10, 0.4902, 0.9433)):
        figure = share(hits, of, of, hits, hits, of)
        assert figure.low is not None
        assert figure.high is not None
        assert isclose(figure.low, low, abs_tol=5e-5)
        assert isclose(figure.high, high, abs_tol=5e-5)


def test_chariots_of_one_race_are_not_counted_as_independent() -> None:
    """100 races in which both chariots always share their fate are worth 100 trials, not 200."""
    together = share(100, 200, 100, 200, 200, 400)
    apart = share(50, 100, 100, 50, 50, 100)
    assert (together.low, together.high) == (apart.low, apart.high)


def test_a_mean_and_its_interval() -> None:
    figure = mean(10, 30, 5)
    half = 1.959963984540054 * sqrt(2.5 / 5)
    assert figure == Figure(10, 2.0, 2.0 - half, 2.0 + half)
    assert mean(4, 16, 1) == Figure(4, 4.0, None, None)
    assert mean(1, 1, 2).low == 0.0  # nothing that is counted is less than nothing


def test_95_of_100_intervals_hold_the_truth() -> None:
    """For four chariots of one driver taken together, and for one grid place. (Missed turns come in rare stalls of a
    hundred: so few races as here do not meet one, and cannot know of them.)"""
    course, rules, drivers = load_course("white"), Rules(), ("greedy",) * 4
    truth = report_of(Experiment(20_000, course, rules, drivers, 1))
    samples = [report_of(Experiment(100, course, rules, drivers, seed)) for seed in range(2, 302)]
    for rows, row in (("by_driver", 0), ("by_place", 1)):
        for name in ("laurels", "home", "out_of_points", "leads_taken"):
            true = getattr(getattr(truth, rows)[row], name).value
            figures = [getattr(getattr(sample, rows)[row], name) for sample in samples]
            held = sum(figure.low <= true <= figure.high for figure in figures)
            assert 0.92 * 300 <= held <= 0.98 * 300, (rows, name, held)


def test_one_race_has_no_spread_to_tell(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(printed(capsys, "--races", "1", "--chariots", "1", "--seed", "1", "--json"))
    assert report["by_race"]["turns"]["low"] is None
    assert "1 race of 1 on white" in printed(capsys, "--races", "1", "--chariots", "1", "--seed", "1")


# ---------------------------------------------------------------------- what people see


def test_the_table_is_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "--races", "40", "--drivers", "greedy,random", "--seed", "2").splitlines()
    first, second = (lines.index(line) for line in lines if "wins %" in line)
    for heading, rows in ((first, 4), (second, 8)):
        assert len({len(line) for line in lines[heading - 1 : heading + 1 + rows]}) == 1
    assert [line.split()[0] for line in lines[second + 1 : second + 9 : 2]] == ["I", "II", "III", "IV"]


def test_a_bar_on_a_terminal_and_none_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["simulate", "--races", "30", "--seed", "1"]) == 0
    seen, told = capsys.readouterr().err, capsys.readouterr().out
    assert "░" in seen
    assert "30 races, 0 s left" in seen
    assert "races a second" in seen
    assert "second" not in told


def test_every_key_of_the_json_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(printed(capsys, "--races", "2", "--players", "2", "--each", "2", "--seed", "1", "--json"))
    keys = {*report, *report["by_driver"][0], *report["by_place"][0], *report["by_race"], *report["by_race"]["turns"]}
    keys |= set(report["by_player"][0])
    documented = set(re.findall(r"`(\w+)`", DOCS.read_text(encoding="utf-8")))
    assert keys - documented == set()


# ---------------------------------------------------------------------- leaving in the middle


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_leaves_nothing_behind(jobs: str, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    arguments = ["--races", "60", "--drivers", "own.py:Slow", "--jobs", jobs, "--record", "races"]
    process = subprocess.Popen(
        [sys.executable, "-m", "avecaesar", "simulate", *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # its own group, as a shell gives it: Ctrl-C goes to all of them
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_DFL
        ),  # deaf to it if these tests run in the background
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "racing\n"
    os.killpg(process.pid, signal.SIGINT)
    told, complaint = process.communicate()  # ends when the last of them has closed these pipes
    assert process.returncode == 130
    assert told in ("", "racing\n")
    assert complaint.strip() == ""
    assert os.listdir(tmp_path / "races") == []


def test_workers_are_used_when_it_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    real = workers._in_processes
    monkeypatch.setattr(workers, "_in_processes", lambda *a: started.append(a[2]) or real(*a))  # type: ignore[func-returns-value]
    course = load_course("white")
    few = Experiment(workers.TINY * workers.BATCH, course, Rules(), ("greedy",), 1)
    assert run(few, jobs=2)
    assert started == []
    many = Experiment(workers.TINY * workers.BATCH + 1, course, Rules(), ("greedy",), 1)
    heard: list[int] = []
    assert run(many, None, 2, heard.append) == run(many)
    assert started == [2]
    assert heard[-1] == many.races
    assert progress.cores() >= 1
