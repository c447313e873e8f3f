"""`make bench` runs and reports, with OpenSpiel or without, and its one call a step is the same game as two.

What it measures is not asserted: no test is timed.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from avecaesar.courses import load_course
from avecaesar.kernel import entry_points, packing
from avecaesar.kernel.layout import ALLOWED, MOST_MOVES, MOVE_CRASH
from avecaesar.rules import DECK, Rules
from checkout import ROOT

BENCH = ROOT / "tools" / "bench.py"


def bench(*arguments: str, first: str = "") -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(filter(None, [first, os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, str(BENCH), *arguments],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_section_reports_without_openspiel(tmp_path: Path) -> None:
    (tmp_path / "pyspiel.py").write_text("raise ImportError('not here')")
    done = bench("--quick", "--json", first=str(tmp_path))
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert list(report["rollouts"]) == ["avecaesar"]
    assert all(row["per_second"]["median"] > 0 for row in report["steps"].values())
    assert len(report["growth"]["memory_mib"]) > 1
    assert report["simulate"]["200 races, 2 jobs"]["seconds"] > 0


@pytest.mark.skipif(find_spec("pyspiel") is None, reason="OpenSpiel is not installed")
def test_openspiel_takes_part() -> None:
    done = bench("--quick", "rollouts", "steps")
    assert done.returncode == 0, done.stderr
    assert all(game in done.stdout for game in ("hearts", "connect_four", "backgammon", "python_tic_tac_toe"))
    assert "times faster" in done.stdout


@pytest.mark.parametrize("arguments", [("speed",), ("--rounds", "0")])
def test_bad_arguments_are_one_sentence(arguments: tuple[str, ...]) -> None:
    done = bench(*arguments)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("bench.py: error: ")


def test_one_call_does_what_two_do() -> None:
    course, rules = packing.course_table(load_course("white")), packing.rules_table(Rules())
    source = random.Random(1)
    races, moves = packing.new_races(2), np.zeros((2, MOST_MOVES), np.int64)
    for _ in range(20):
        decks = [source.sample(DECK, len(DECK)) for _ in range(4)]
        for k in (0, 1):
            packing.deal(races, k, decks)
            entry_points.begin_race(course, rules, races, k, 4, 0)
        count = entry_points.list_moves(course, races, 0, moves[0])
        while count > 0:
            refused = entry_points.judge(course, races, 0, MOVE_CRASH << 16)
            assert entry_points.move_on(course, rules, races, 0, MOVE_CRASH << 16, moves[0]) == -refused < 0
            move = int(moves[0, source.randrange(count)])
            assert entry_points.step(course, rules, races, 1, move) == ALLOWED
            count = entry_points.move_on(course, rules, races, 0, move, moves[0])
            assert entry_points.list_moves(course, races, 1, moves[1]) == count
            assert moves[0, :count].tolist() == moves[1, :count].tolist()
            assert races[0] == races[1]
