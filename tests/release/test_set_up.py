"""What a newcomer sees while things are set up; and the tool that tries it on bare machines says what it needs."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import set_up

TOOLS = Path(set_up.__file__).parent
SLOW_STEP = """
import sys, set_up
set_up.PAUSE = 0.0
set_up.LOG = set_up.Path(sys.argv[1])
words = "import sys, time; print('1/2', flush=True); sys.stdin.read(); print('2/2'); sys.exit(%s)" % sys.argv[2]
first = set_up.rules()._replace(name="first", command=[sys.executable, "-c", "print('2/2')"])
second = set_up.rules()._replace(name="second", command=[sys.executable, "-c", words])
set_up.GOALS["here"] = [first, second]
sys.exit(set_up.main("here"))
"""


def test_packages_are_counted_in_megabytes_as_pip_names_them() -> None:
    step, far = set_up.pip("packages", ".", 200), set_up.Far()
    for line, share, words in [
        ("Collecting numpy>=2.0", 0.0, "starting"),
        ("  Downloading numpy-2.4-cp311-manylinux_x86_64.whl.metadata (500 kB)", 0.00225, "numpy (500 kB)"),
        (
            "Downloading llvmlite-0.5-cp311-manylinux_x86_64.whl (99.5 MB)",
            0.45,
            "100 of about 200 MB, llvmlite",
        ),
        ("  Using cached https://elsewhere/numba-0.68.whl (900 MB)", 0.9, "numba (900 MB)"),
        ("Installing collected packages: a, b, c", 0.9, "installing 3 packages"),
        ("Successfully installed a-1 b-2 c-3", 1.0, "3 installed, 1000 MB"),
    ]:
        far = step.read(line, far)
        assert far.share == pytest.approx(share)
        assert words in far.words


def test_the_rules_are_counted_in_functions_stage_by_stage() -> None:
    step, far = set_up.rules(), set_up.Far()
    for line, share, words in [
        ("race 40/80", 0.18, "race: 40 of 80 functions"),
        ("race ready", 0.18, "race: 40 of 80 functions"),
        ("laboratory 10/10", 0.5, "laboratory: 10 of 10 functions"),
        ("searcher 60/60", 1.0, "searcher: 60 of 60 functions"),
    ]:
        far = step.read(line, far)
        assert far.share == pytest.approx(share)
        assert far.words == words


def run_steps(log: Path, status: int) -> subprocess.CompletedProcess[str]:
    """Two steps without a terminal."""
    environment = os.environ | {"PYTHONPATH": str(TOOLS)}
    command = [sys.executable, "-c", SLOW_STEP, str(log), str(status)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_elsewhere_than_in_a_terminal_lines_say_what_is_done_and_what_comes_next(tmp_path: Path) -> None:
    done = run_steps(tmp_path / "log", 0)
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    assert lines[0] == "[1/2] first (about a minute); then second"
    assert "[1/2] first: 2 of 2 functions, 0:00" in lines
    assert lines[-1].startswith("[2/2] second: 2 of 2 functions, 0:")
    assert "\r" not in done.stderr


def test_a_step_that_fails_says_why_and_where_the_rest_is(tmp_path: Path) -> None:
    done = run_steps(tmp_path / "log", 3)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-2:] == ["2/2", "build/set-up.log has all that was said."]
    assert (tmp_path / "log").read_text().splitlines()[-2:] == ["1/2", "2/2"]


def test_in_a_terminal_one_line_shows_how_far_it_is(tmp_path: Path) -> None:
    here, there = pty.openpty()
    environment = os.environ | {"PYTHONPATH": str(TOOLS), "COLUMNS": "60"}
    command = [sys.executable, "-c", SLOW_STEP, str(tmp_path / "log"), "0"]
    with subprocess.Popen(command, env=environment, stderr=there) as running:
        os.close(there)
        seen = b""
        try:
            while part := os.read(here, 4096):
                seen += part
        except OSError:  # so a terminal says that nobody writes to it any more
            pass
        assert running.wait(60) == 0
    os.close(here)
    told = seen.decode().replace("\033[K", "").split("\r")
    assert told[1].startswith("[1/2] first ░░░░")
    assert all(len(each.rstrip()) < 60 for each in told)
    assert any(each.startswith("[2/2] second: 2 of 2 functions, 0:") for each in told)


def test_the_bare_machine_says_what_it_needs() -> None:
    done = subprocess.run(
        [sys.executable, TOOLS / "bare-machine"], env={"PATH": ""}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    missing = "debootstrap is missing: install it" if os.geteuid() == 0 else "needs root"
    assert missing in done.stderr
