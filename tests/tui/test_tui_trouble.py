"""When things go wrong in the terminal: damaged tables, somebody else's code, folders that cannot be written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from avecaesar.cli import main
from avecaesar.files import data_folder
from avecaesar.table import HUMAN, SaveError, Setup, Table, seats_for
from avecaesar.tui import saves
from avecaesar.tui.app import TableApp
from avecaesar.tui.start import Start
from avecaesar.tui.table_screen import TableScreen
from tui_by_keys import asks, at, opened, shown, sit_down, table_of, until, until_shown

# ---------------------------------------------------------------------- somebody else's code

THEIRS = """
from avecaesar.drivers import Scorpus

open({ran!r}, "w").close()


class Theirs(Scorpus):
    pass
"""


def saved_with_code(folder: Path) -> Path:
    """A saved table that names a Python file, as if it were markup; what that file leaves behind when it runs."""
    ran, code = folder / "ran", folder / "[" / "b]theirs.py"
    code.parent.mkdir()
    code.write_text(THEIRS.format(ran=str(ran)))
    table = Table(Setup(seats_for([HUMAN, "scorpus"]), seed=1))
    path = saves.new_path()
    saves.save(table, path)
    path.write_bytes(path.read_bytes().replace(b'"scorpus"', json.dumps(f"{code}:Theirs").encode()))
    return ran


def test_to_look_at_saved_tables_runs_nobodys_file_and_to_resume_one_only_if_he_is_trusted(tmp_path: Path) -> None:
    ran = saved_with_code(tmp_path)
    assert [saved.problem for saved in saves.saved_tables()] == [""]
    app = TableApp()

    async def act(pilot: Pilot[Any]) -> None:
        await until_shown(pilot, lambda text: "Resume" in text)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, Start)
        assert app.screen.trusted is not None
        (question,) = app._notifications
        assert "[/b]theirs.py" in question.message
        assert not question.markup
        assert not ran.exists()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)

    sit_down(app, act)
    assert ran.exists()


def test_to_resume_a_table_with_code_from_the_command_line_needs_a_yes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = saved_with_code(tmp_path)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    asked: list[str] = []

    def say_no(question: str) -> str:
        asked.append(question)
        return "no"

    monkeypatch.setattr("builtins.input", say_no)
    assert main(["play", "--resume"]) == 2
    assert "theirs.py:Theirs" in asked[0]
    assert "its drivers were not let in" in capsys.readouterr().err
    assert not ran.exists()


# ---------------------------------------------------------------------- when things go wrong


def test_a_damaged_table_is_refused_and_does_not_prevent_a_race(capsys: pytest.CaptureFixture[str]) -> None:
    data_folder().mkdir(parents=True)
    path = data_folder() / "old.table.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(SaveError, match="cannot be read"):
        saves.load(path)
    app = TableApp(speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        assert "Cannot be resumed" in shown(app)
        await pilot.press("down", "delete", "delete")
        assert not path.exists()
        await pilot.press("enter")
        await until(pilot, lambda: asks(app))

    sit_down(app, act)


def test_a_folder_that_cannot_be_written_is_told_and_the_race_goes_on(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where a folder should be", encoding="utf-8")
    table = table_of()
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        for _ in range(2):
            await until(pilot, lambda: asks(app))
            await pilot.press("enter")
        await until(pilot, lambda: asks(app))
        assert at(app).problem
        await pilot.press("q")

    sit_down(app, act)
    assert "could not be saved" in str(app.return_value)


@pytest.mark.parametrize(
    "arguments",
    [
        "--course green", "--direction up", "--chariots 0", "--chariots 7", "--chariots x", "--edition house",
        "--option crash", "--option crash=perhaps", "--against wolf", "--against greedy,", "--humans 7", "--humans -1",
        "--against sibylla@soon", "--against scorpus@9", "--against sibylla@0", "--against Scorpus",
        "--humans 3 --chariots 2", "--against greedy,greedy --chariots 2", "--names a,b,c,d,e", "--names a,a",
        "--tournament --course white", "--side A", "--tournament --side C", "--seed -1", "--seed x", "--speed fast",
        "--resume --seed 3", "--names a\tb", "--each 4", "--players 4 --each 2", "--players 3 --chariots 3",
        "--chariots 5 --each 2", "--riderless 3", "--riderless 6", "--vote --option riderless_moves=rule",
        "--edition ausgebremst --option hand=3", "--edition ausgebremst --option tribute=required",
        "--resume --no-memory-aid", "--humans 3 --players 2 --each 2", "--option decks=choice",
        "--resume", "", "--seed 3",
    ],
)  # fmt: skip
def test_bad_arguments_and_no_terminal_are_one_sentence(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = arguments.split(" ") if arguments else []
    try:
        status = main(["play", *words])
    except SystemExit as left:
        status = int(left.code or 0)
    told = capsys.readouterr()
    assert status == 2
    assert told.out == ""
    assert len(told.err.splitlines()) == 1
