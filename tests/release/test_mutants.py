"""The tool that breaks the rules: which mutants it draws, how it goes on where it was stopped, and what it compares."""

from __future__ import annotations

import ast
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import mutants
from checkout import ROOT
from mutants import Fate, Mutant
from mutants_alike import EQUIVALENT

SIX = list(mutants.mutants_of("six", mutants.source(ROOT, "six")))
LIVES = 5  # of those that are drawn here, counted by how many were run before


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Mutants that were run, none of them really."""
    names: list[str] = []

    def become(mutant: Mutant, limits: list[float], checkout: Path) -> Fate:
        names.append(mutant.name)
        return Fate.ALIVE if len(names) == LIVES else Fate.KILLED

    monkeypatch.setattr(mutants, "fate", become)
    monkeypatch.setattr(mutants, "unbroken_times", lambda module, checkout: [0.0])
    return names


def call(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["mutants.py", *map(str, words)])
    return mutants.main()


@pytest.mark.parametrize("module", mutants.MODULES)
def test_the_tests_that_mutants_have_to_pass_are_there(module: str) -> None:
    files = [word for stage in mutants.stages(module, ROOT) for word in stage if word.endswith(".py")]
    assert len(files) == len(mutants.CLAUSE_TESTS) + 2
    for file in files:
        assert (ROOT / file).is_file()


def test_a_module_is_found_under_the_name_that_an_older_checkout_has_for_it(tmp_path: Path) -> None:
    older = tmp_path / "src" / "avecaesar" / "kernel" / "moves.py"
    older.parent.mkdir(parents=True)
    older.write_text("SORTING = 1\n", encoding="utf-8")
    assert mutants.source(tmp_path, "move_codes") == "SORTING = 1\n"
    assert mutants.module_file(ROOT / "src", "move_codes").name == "move_codes.py"


def test_what_is_known_to_change_nothing_is_there_to_be_changed() -> None:
    for where, was, _ in EQUIVALENT:
        module, _, function = where.partition(".")
        found = {node.name: node for node in ast.parse(mutants.source(ROOT, module)).body if hasattr(node, "name")}
        assert was in [line.strip() for line in ast.unparse(found[function]).splitlines()], where


def test_no_two_mutants_have_the_same_name() -> None:
    names = {mutant.name for mutant in SIX}
    assert len(names) == len(SIX) > 50


def test_the_same_are_drawn_wherever_the_rules_read_the_same() -> None:
    chosen = {mutant.name for mutant in mutants.drawn(SIX, 20, seed=17)}
    elsewhere = [replace(mutant, module="sixes", line=mutant.line + 7) for mutant in reversed(SIX)]
    assert {mutant.name for mutant in mutants.drawn(elsewhere, 20, seed=17)} == chosen
    assert len(chosen) == 20
    assert {mutant.name for mutant in mutants.drawn(SIX, 20, seed=18)} != chosen
    one_less = [mutant for mutant in SIX if mutant.name != min(chosen)]
    assert chosen - {mutant.name for mutant in mutants.drawn(one_less, 20, seed=17)} == {min(chosen)}


@pytest.mark.long
def test_it_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: list[str]) -> None:
    file = tmp_path / "kept" / "12.jsonl"
    asked = ("six", "--sample", 12, "--jobs", 1, "--save", file)
    assert call(monkeypatch, *asked) == 1
    assert len(run) == 12
    written = file.read_text()
    lines = written.splitlines(keepends=True)
    file.write_text("".join(lines[:8]) + lines[8][:20])  # stopped while it wrote the eighth
    del run[:]
    assert call(monkeypatch, *asked) == 1
    assert len(run) == 5
    assert file.read_text().count("ALIVE") == 2  # the fifth of either
    assert file.read_text().count("\n") == 13
    assert call(monkeypatch, *asked) == 1
    assert len(run) == 5


@pytest.mark.long
def test_it_does_not_go_on_with_other_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: list[str]) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text('{"mutants of": "something else"}\n')
    with pytest.raises(SystemExit, match="tells of mutants of other sources or tests"):
        call(monkeypatch, "six", "--sample", 1, "--save", file)
    assert not run


@pytest.mark.long
def test_what_became_of_the_same_is_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], run: list[str]
) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    for file in (before, after):
        call(monkeypatch, "six", "--sample", LIVES, "--common-with", ROOT, "--jobs", 1, "--save", file)
    capsys.readouterr()
    assert call(monkeypatch, "--compare", after, before) == 1
    said = capsys.readouterr().out
    assert said.startswith("5 mutants in both: 5 killed before, 4 after.\n")
    assert said.count("lives now: ") == 1
    assert call(monkeypatch, "--compare", before, after) == 0
    assert "killed now: " in capsys.readouterr().out
    after.write_text("".join(after.read_text().splitlines(keepends=True)[:-1]))
    assert call(monkeypatch, "--compare", before, after) == 1
    assert f"only in {before}: " in capsys.readouterr().out
