"""`avecaesar drivers`, and what docs/drivers.md shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from avecaesar.cli import main
from avecaesar.drivers import CHARACTERS, driver
from avecaesar.table import HUMAN, OPPONENTS, Setup, Table, seats_for
from checkout import ROOT

MANUAL = (ROOT / "docs" / "drivers.md").read_text(encoding="utf-8")


def test_the_drivers_are_told_with_their_names_levels_and_budgets(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drivers"]) == 0
    told = capsys.readouterr().out
    lines = told.splitlines()
    for character in CHARACTERS.values():
        assert any(re.match(f"{character.name} +{character.title}, {character.level}, ", line) for line in lines)
    for name in set(re.findall("sibylla@[^ .,]+", told)):
        assert driver(name)
    assert "choose(self, view)" in told


def test_the_drivers_are_told_to_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drivers", "--json"]) == 0
    drivers = json.loads(capsys.readouterr().out)["drivers"]
    assert [told["name"] for told in drivers] == [*CHARACTERS]
    assert [told["name"] for told in drivers if told["budget"]] == ["sibylla"]
    assert {*drivers[0]} == {"name", "title", "level", "tells", "budget"}


def test_the_driver_in_the_manual_races(tmp_path: Path) -> None:
    own = next(code for code in re.findall(r"```python\n(.*?)```", MANUAL, re.DOTALL) if "class" in code)
    file = tmp_path / "own.py"
    file.write_text(own, encoding="utf-8")
    (name,) = re.findall(r"^class (\w+)", own, re.MULTILINE)
    for edition in ("ravensburger", "ausgebremst"):
        table = Table(Setup(seats_for([f"{file}:{name}", "greedy"]), edition=edition, seed=3))
        while not table.race_over:
            table.play(table.computers_move())


def test_the_python_in_the_manual_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for code in re.findall(r"```python\n(.*?)```", MANUAL, re.DOTALL):
        exec(compile(code, "drivers.md", "exec"), {})
    assert re.search(r"[0-9]\.[0-9]", capsys.readouterr().out)


def test_the_manual_names_everybody() -> None:
    assert all(f"`{name}`" in MANUAL for name in CHARACTERS)
    assert [seat.name for seat in seats_for([HUMAN, *OPPONENTS])][1:] == [CHARACTERS[name].title for name in OPPONENTS]
