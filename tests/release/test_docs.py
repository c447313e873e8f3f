"""What the documentation shows is true: its board can be raced, its Python runs, its commands exist."""

from __future__ import annotations

import re
import shlex

import pytest

from avecaesar.cli import parser
from avecaesar.courses import parse_board
from avecaesar.courses.facts import facts_of
from checkout import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BOARDS = (ROOT / "docs" / "writing-boards.md").read_text(encoding="utf-8")


def test_the_board_in_the_manual_is_sound() -> None:
    (text,) = re.findall(r"```\n(board meadow.*?)```", BOARDS, re.DOTALL)
    board = parse_board(text)
    assert [fact.words for fact in facts_of(board) if not fact.true] == []


def test_the_python_in_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL):
        exec(compile(code, "README.md", "exec"), {})
    names, refusal, *standings = capsys.readouterr().out.splitlines()
    assert "Livia" in names
    assert re.match(r"[A-Z]+-\d ", refusal)
    assert len(standings) == 3


def test_links_lead_somewhere() -> None:
    for file in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for link in re.findall(r"\]\(([^)#:]+)\)", file.read_text(encoding="utf-8")):
            assert (file.parent / link).exists(), f"{file.name}: {link}"


def test_the_files_that_a_newcomer_is_sent_to_exist() -> None:
    """Some are called by their last name only, where the folder is plain."""
    found = [
        str(file.relative_to(ROOT)) for top in ("src", "tests", "tools", "docs") for file in (ROOT / top).rglob("*")
    ]
    named = re.findall(
        r"`([\w/*.-]+\.(?:py|js|toml|css|html|md))`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    )
    assert len(named) > 100
    for name in {name.lstrip("*.") for name in named if "*" not in name} - {"README.md", "CHANGELOG.md"}:
        assert any(f"/{file}".endswith(f"/{name}") for file in found), name


def test_the_tests_that_the_threat_model_names_exist() -> None:
    named = re.findall(r"(test_\w+\.py)(?:::(test_\w+))?", (ROOT / "docs" / "security.md").read_text(encoding="utf-8"))
    assert len(named) > 20
    files = {file.name: file for file in (ROOT / "tests").rglob("test_*.py")}
    for file, test in named:
        assert f"def {test}(" in files[file].read_text(encoding="utf-8") or not test, test


def commands_shown() -> set[str]:
    """The lines of the manuals' code that call the program, remarks apart."""
    texts = [file.read_text(encoding="utf-8") for file in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))]
    code = [block for text in texts for block in re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)]
    return {line for block in code for line in re.findall(r"^(?:\.venv/bin/)?avecaesar (.+?) *(?:#.*)?$", block, re.M)}


@pytest.mark.parametrize("command", sorted(commands_shown()))
def test_every_command_that_is_shown_can_be_typed(command: str) -> None:
    assert parser().parse_args(shlex.split(command)).run


def test_make_help_lists_every_target_for_people() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    for target in phony.split():
        assert re.search(rf"^{target}:.*## \w", makefile, re.MULTILINE), target
