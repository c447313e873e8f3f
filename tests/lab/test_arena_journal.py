"""An arena loses nothing that was raced: it is interrupted and goes on, and a journal that does not fit is refused."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arenas import OWN, arena_of, printed
from avecaesar.cli import main
from avecaesar.lab.arena import ArenaError, Journal
from checkout import BOARDS

pytestmark = pytest.mark.usefixtures("arena_workplace")

COMPILED = "greedy random --races 24 --seed 5 --chariots 3"


def test_a_torn_journal_goes_on_to_the_same_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = printed(capsys, COMPILED, "--save", "a.jsonl")
    journal = (tmp_path / "a.jsonl").read_bytes()
    lines = journal.splitlines(keepends=True)
    assert len(lines) == 1 + 2 * 24
    for cut in (len(lines[0]), len(lines[0]) + 9, len(journal) // 2, len(journal) - 1, len(journal)):
        (tmp_path / "torn.jsonl").write_bytes(journal[:cut])
        assert printed(capsys, "--resume torn.jsonl") == whole
        resumed = (tmp_path / "torn.jsonl").read_bytes()
        assert sorted(resumed.splitlines()) == sorted(journal.splitlines())


def test_one_job_or_two_print_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", "greedy", "--against", "random", "--races", "2400", "--seed", "5", "--json"]
    assert main([*arguments, "--jobs", "2"]) == 0
    two = capsys.readouterr().out
    assert main([*arguments, "--jobs", "1"]) == 0
    assert capsys.readouterr().out == two


def without_times(told: str) -> Any:
    standings = json.loads(told)
    for row in standings["pairings"]:
        assert row.pop("nanoseconds") > 0
        assert row.pop("thinking_ms") > 0
    return standings


@pytest.mark.parametrize(("how", "jobs"), [(signal.SIGINT, "1"), (signal.SIGINT, "2"), (signal.SIGKILL, "1")])
def test_an_arena_that_is_interrupted_goes_on_to_the_same_standings(
    how: signal.Signals, jobs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["own.py:Pausing", "--against", "own.py:Roving", "--chariots", "2", "--races", "24", "--seed", "9"]
    (tmp_path / "pause").touch()
    process = subprocess.Popen(
        [sys.executable, "-m", "avecaesar", "arena", *arguments, "--jobs", jobs, "--save", "a b.jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "racing\n"
    os.killpg(process.pid, how)
    told, complaint = process.communicate()
    assert "pairings" not in told
    kept = len((tmp_path / "a b.jsonl").read_bytes().splitlines()) - 1
    assert 1 <= kept < 24
    if how == signal.SIGINT:
        assert process.returncode == 130
        first, second = complaint.splitlines()
        assert first == f"{kept} of 24 races are kept. To go on:"
        assert second.endswith(" arena --resume 'a b.jsonl' --own own.py:Pausing --own own.py:Roving")
    (tmp_path / "pause").unlink()
    own = "--own own.py:Pausing --own own.py:Roving"
    resumed = printed(capsys, f"--resume 'a b.jsonl' {own} --json")
    assert without_times(resumed) == without_times(printed(capsys, shlex.join(arguments), "--json"))
    assert printed(capsys, f"--resume 'a b.jsonl' {own} --json") == resumed  # the times too come from the journal


def test_without_save_it_is_kept_in_the_data_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, COMPILED)
    (file,) = (tmp_path / "data" / "avecaesar" / "arenas").iterdir()
    assert printed(capsys, f"--resume {file}") == told


def spoilt(change: Callable[[dict[str, Any]], object]) -> Callable[[list[bytes]], list[bytes]]:
    def spoil(lines: list[bytes]) -> list[bytes]:
        header = json.loads(lines[0])
        change(header)
        return [json.dumps(header).encode() + b"\n", *lines[1:]]

    return spoil


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda lines: [], "not the journal of an arena"),
        (lambda lines: [b"{}\n"], "not the journal of an arena"),
        (lambda lines: [b"\xff\n"], "not the journal of an arena"),
        (lambda lines: [lines[0][:40]], "not the journal of an arena"),
        (spoilt(lambda header: header.update(version=2)), "version is 2"),
        (spoilt(lambda header: header.update(avecaesar="0.1")), "another state of Ave Caesar 0.1 than"),
        (spoilt(lambda header: header.update(sources="0")), "another state of Ave Caesar"),
        (spoilt(lambda header: header["board"].update(sha256="0" * 64)), "another version of board A"),
        (spoilt(lambda header: header["own"].update({"own.py:Same": "0"})), "driver 'own.py:Same' has changed"),
        (spoilt(lambda header: header.update(races="many")), "line 1 is spoilt"),
        (spoilt(lambda header: header.update(races=0)), "races are a number"),
        (spoilt(lambda header: header.update(edition="house")), "edition"),
        (spoilt(lambda header: header.pop("seed")), "line 1 is spoilt"),
        (spoilt(lambda header: header.update(chariots=3)), "does not have 3 chariots"),
        (lambda lines: [*lines[:3], b"oops\n", *lines[3:]], "line 4 is spoilt"),
        (lambda lines: [*lines[:3], lines[1]], "line 4 is spoilt: race 0 of pairing 0 is there twice"),
        (lambda lines: [lines[0], lines[1].replace(b'"race":0', b'"race":99')], "the arena has no race 99"),
        (lambda lines: [lines[0], lines[1].replace(b"[0,", b"[7,", 1)], "no race 0 of pairing 7"),
        (lambda lines: [lines[0], lines[1].replace(b'"turns":[', b'"turns":[-')], "line 2 is spoilt"),
        (lambda lines: [b"[" * 100_000 + b"\n", *lines[1:]], "this is not the journal of an arena"),
        (lambda lines: [lines[0], b"[" * 100_000 + b"\n"], "line 2 is spoilt"),
    ],
)
def test_a_journal_that_does_not_fit_is_refused_and_left_alone(
    spoil: Callable[[list[bytes]], list[bytes]], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, "own.py:Same --against random --races 4 --chariots 2 --seed 1 --save a.jsonl")
    file = tmp_path / "a.jsonl"
    data = b"".join(spoil(file.read_bytes().splitlines(keepends=True))) + b"torn"
    file.write_bytes(data)
    assert main(["arena", "--resume", "a.jsonl", "--own", "own.py:Same"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert re.fullmatch(r"avecaesar: a.jsonl: [^\n]+\n", told.err)
    assert reason in told.err
    assert file.read_bytes() == data


def test_a_journal_runs_no_file_that_was_not_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever wrote it chose the files, and their digests with them."""
    told = printed(capsys, "own.py:Same --against random --races 4 --chariots 2 --seed 1 --save a.jsonl")
    ran = tmp_path / "ran"
    (tmp_path / "theirs.py").write_text(f"open({str(ran)!r}, 'w').close()\n" + OWN)
    digest = hashlib.sha256((tmp_path / "theirs.py").read_bytes()).hexdigest()
    first, rest = (tmp_path / "a.jsonl").read_bytes().split(b"\n", 1)
    header = {**json.loads(first), "drivers": ["theirs.py:Same"], "own": {"theirs.py:Same": digest}}
    (tmp_path / "b.jsonl").write_bytes(json.dumps(header).encode() + b"\n" + rest)
    for own in ([], ["--own", "own.py:Same"]):
        assert main(["arena", "--resume", "b.jsonl", *own]) == 2
        assert "if you trust it, add --own 'theirs.py:Same'" in capsys.readouterr().err
    assert not ran.exists()
    assert printed(capsys, "--resume a.jsonl --own own.py:Same") == told
    assert main(["arena", "greedy", "random", "--own", "own.py:Same"]) == 2


def test_a_driver_of_ones_own_that_was_edited_is_refused(tmp_path: Path) -> None:
    arguments = [sys.executable, "-m", "avecaesar", "arena"]
    race = [*arguments, "own.py:Same", "--against", "random", "--races", "2", "--save", "a.jsonl"]
    assert subprocess.run(race, check=False, capture_output=True).returncode == 0
    (tmp_path / "own.py").write_text(OWN + "\n")
    resume = [*arguments, "--resume", "a.jsonl", "--own", "own.py:Same"]
    done = subprocess.run(resume, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "driver 'own.py:Same' has changed since this was begun" in done.stderr


def test_a_board_of_ones_own_lies_in_the_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = tmp_path / "plain.board"
    board.write_bytes((BOARDS / "plain.board").read_bytes())
    told = printed(capsys, "greedy --against random --races 8 --seed 2 --course plain.board:blue --save a.jsonl")
    board.unlink()
    assert printed(capsys, "--resume a.jsonl") == told


@pytest.mark.skipif(os.name != "posix", reason="files are locked on POSIX only")
def test_nobody_else_writes_to_a_journal_meanwhile(tmp_path: Path) -> None:
    begun = Journal.begin(tmp_path / "a.jsonl", arena_of("greedy", against="random"))
    with begun, pytest.raises(ArenaError, match="being raced elsewhere"):
        Journal.resume(tmp_path / "a.jsonl")
    with Journal.resume(tmp_path / "a.jsonl") as journal:
        assert journal.results.count == 0
