"""What docs/records.md shows is true: examples were run, Python runs, and commands and keys exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from avecaesar.cli import main, parser
from avecaesar.records import from_text, referee, schema, to_text
from avecaesar.rules import OPTIONS
from checkout import ROOT

DOCS = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")


# ---------------------------------------------------------------------- words


def test_the_example_in_the_manual_is_a_race_that_was_run() -> None:
    (text,) = re.findall(r"```\n(# Ave Caesar!.*?)```", DOCS, re.DOTALL)
    record = from_text(text.encode())
    referee(record)
    assert to_text(record) == text


def test_the_race_in_the_manual_that_was_broken_off_was_run() -> None:
    (text,) = re.findall(r"```\n(record 1\n.*?)```", DOCS, re.DOTALL)
    record = from_text(text.encode())
    (race,) = referee(record, unfinished=True)
    assert not race.over
    assert text.partition("\n\n")[2].rstrip() in to_text(record)


def test_the_python_in_the_manual_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for code in re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL):
        exec(compile(code, "records.md", "exec"), {})
    assert main(["verify", "my.race.json"]) == 0


def test_every_command_in_the_manual_can_be_typed() -> None:
    commands = re.findall(r"^avecaesar (.*)$", DOCS, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        assert parser().parse_args(shlex.split(command, comments=True)).run


# ---------------------------------------------------------------------- reading what is no record


def test_the_manual_names_every_key() -> None:
    named = set(re.findall(r"(\w+)`", DOCS))
    for part in schema()["$defs"].values():
        for kind in part.get("oneOf", [part]):
            assert set(kind["properties"]) - set(OPTIONS) <= named
