"""The boards are frozen, and docs/boards.md is about them; what tools/boards.py has measured it does not run again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from avecaesar.courses import boards
from avecaesar.records.boards import recorded
from checkout import ROOT

TOOL = ROOT / "tools" / "boards.py"
PAGE = (ROOT / "docs" / "boards.md").read_text(encoding="utf-8")

FROZEN = {
    "A": "b525e804823bf1a8c33639f98d6727a78f1e64a240603b78b4a4e04329eebbd3",
    "B": "5313faf9a30efd8a63f84ac4cfc660e63fd43c2e84a154a1f5fd1ccee9a0cfca",
}


def measure(*arguments: str, kept: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOL), "--jobs", "1", "--kept", str(kept), *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_the_boards_are_frozen() -> None:
    assert {board.name: recorded(board).sha256 for board in boards()} == FROZEN, (
        "a board has changed, and records name it by its digest: put it back, or if that is on purpose, write the new "
        "digest here, tell in CHANGELOG.md that older records of it cannot be replayed, and run `make boards`"
    )


def test_the_page_is_about_these_boards() -> None:
    for board in boards():
        assert f"- board {board.name}: `{board.sha256}`" in PAGE, "run `make boards`"


def test_what_was_measured_is_kept(tmp_path: Path) -> None:
    small = ("--only", "yellow", "--races", "20", "--races-b", "2", "--sibylla", "5")
    first = measure(*small, kept=tmp_path)
    again = measure(*small, kept=tmp_path)
    assert (first.returncode, again.returncode) == (0, 0), first.stderr + again.stderr
    assert "1 of 12: yellow clockwise, festina × 6" in first.stderr
    assert again.stderr == ""
    assert again.stdout == first.stdout
    assert "| yellow anticlockwise, sibylla@5 |" in first.stdout
    assert "[" not in first.stdout.replace("[`RULES.md`]", "").replace("![", "")  # no part is left to be filled in


def test_a_course_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    done = measure("--only", "green", kept=tmp_path)
    assert done.returncode == 2
    assert "there is no course 'green'; there are white, blue, yellow, red" in done.stderr
    assert "Traceback" not in done.stderr
