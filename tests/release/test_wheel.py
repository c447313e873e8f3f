"""The built wheel, installed into an empty environment, imports, races and draws."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from checkout import ROOT

RACE = """
from avecaesar import Race, Tournament, boards, clauses
from avecaesar.drivers import driver, drive

race = Race("red", 5, edition="riassunto", seed=1)
drive(race, [driver("greedy")] * 5)
print(sum(race.laurels), len(boards()), len(clauses()) > 50)
"""


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run([str(c) for c in command], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_races_in_an_empty_environment(tmp_path: Path) -> None:
    run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, ROOT, folder=tmp_path)
    wheel = next(tmp_path.glob("avecaesar-*.whl"))
    empty = tmp_path / "empty"
    run(sys.executable, "-m", "venv", "--without-pip", empty, folder=tmp_path)
    python = empty / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", wheel, folder=tmp_path)
    assert run(python, "-I", "-c", RACE, folder=tmp_path).split() == ["16", "2", "True"]
    assert "<svg" in run(empty / "bin" / "avecaesar", "course", "svg", "blue", folder=tmp_path)
    assert run(python, "-m", "avecaesar", "--version", folder=tmp_path).startswith("avecaesar ")
