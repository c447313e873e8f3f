"""A first start, with nothing compiled yet: the port answers at once, and every command says what takes its time.

Compiling takes a while, so that all tests that need an empty cache share one, from the first use of it to the last.
"""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from avecaesar.first_start import ONE_LINE
from avecaesar.kernel.cache import RACE, SEARCHER
from avecaesar.setting_up import SetUp
from servers import PROGRAM

SIMULATE = ["simulate", "--races", "20", "--seed", "7", "--json"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where nothing has been compiled yet."""
    return os.environ | {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


def answered(port: str, path: str) -> tuple[int, str]:
    from http.client import HTTPConnection

    connection = HTTPConnection("127.0.0.1", int(port), timeout=600)
    connection.request("GET", path)
    answer = connection.getresponse()
    status, text = answer.status, answer.read().decode()
    connection.close()
    return status, text


def test_the_port_answers_before_anything_is_compiled_and_becomes_the_lobby(
    environment: dict[str, str], tmp_path: Path
) -> None:
    command = [*PROGRAM, "serve", "--port", "0", "--data", str(tmp_path / "tables.db")]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as serving:
        assert serving.stdout is not None
        assert serving.stderr is not None
        told = serving.stderr.readline()
        found = re.fullmatch(
            r"Compiling the rules, once after each installation: http://localhost:(\d+) shows how far it is\.\n", told
        )
        assert found, told
        port = found[1]
        status, text = answered(port, "/")
        assert (status, "The circus is being set up" in text) == (503, True)
        assert json.loads(answered(port, "/set-up.json")[1])["total"] == 0
        assert answered(port, "/api/health")[0] == 503
        assert serving.stdout.readline() == f"Ave Caesar is served at http://localhost:{port}\n"
        status, text = answered(port, "/")
        assert (status, "The circus is being set up" in text) == (200, False)
        assert answered(port, "/set-up.json")[0] == 404  # so the page knows that it is time to be loaded anew
        assert answered(port, "/api/health")[0] == 200
        serving.terminate()
        assert serving.stderr.read() == ""


def test_a_command_says_one_line_beside_its_output_and_nothing_the_next_time(environment: dict[str, str]) -> None:
    said = []
    for _ in range(2):
        done = subprocess.run([*PROGRAM, *SIMULATE], env=environment, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["races"] == 20
        said.append(done.stderr)
    assert said == [f"{ONE_LINE}\n", ""]


def test_python_says_it_too(environment: dict[str, str]) -> None:
    """What a race needs was compiled for the server; a count of positions belongs to no stage."""
    words = (
        "import numpy as np; from avecaesar import Race; race = Race('white', 2, seed=1); print(race.turn);"
        "from avecaesar.kernel import entry_points; m = np.empty((2, 1024), np.int64);"
        "print(entry_points.perft(race._course_table, race._rules_table, np.repeat(race._races, 2), m, 1))"
    )
    done = subprocess.run([sys.executable, "-c", words], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == "0"
    assert done.stderr == f"{ONE_LINE}\n"


IN_A_TERMINAL = """
from avecaesar.first_start import audience
for _ in range(2):
    audience.begin()
    audience.show(30, 90)
    audience.end()
"""


def test_in_a_terminal_a_bar_shows_how_far_it_is_and_goes_away() -> None:
    seen = _in_a_terminal(IN_A_TERMINAL)
    assert "Compiling the rules, once" in seen
    assert "30/90 functions" in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen)
    assert ONE_LINE not in seen
    assert seen.endswith("\x1b[2K")  # its line is empty again


def _in_a_terminal(script: str) -> str:
    here, there = pty.openpty()
    environment = os.environ | {"COLUMNS": "80", "TERM": "xterm"}
    with subprocess.Popen([sys.executable, "-c", script], env=environment, stdout=there, stderr=there) as running:
        os.close(there)
        seen = b""
        with suppress(OSError):  # so a terminal says that nobody writes to it any more
            while part := os.read(here, 4096):
                seen += part
        assert running.wait(60) == 0
    os.close(here)
    return seen.decode()


def test_most_commands_need_no_compiler() -> None:
    words = (
        "import sys; from avecaesar.cli import main; status = main(sys.argv[1:]); "
        "sys.exit(status or 'numba' in sys.modules)"
    )
    for command in (["rules", "SIX-4"], ["editions"], ["course", "show", "white"]):
        subprocess.run([sys.executable, "-c", words, *command], capture_output=True, check=True)


# ---------------------------------------------------------------------- the process that compiles


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cache with nothing in it, for this process."""
    from avecaesar.kernel import cache

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache.cache_folder.cache_clear()
    yield
    cache.cache_folder.cache_clear()


@pytest.mark.usefixtures("empty")
def test_the_race_is_ready_before_the_searcher() -> None:
    told: list[tuple[int, int]] = []
    words = "import signal; print('race 1/2\\nrace 2/2\\nrace ready', flush=True); signal.pause()"
    set_up = SetUp()
    set_up.tell = lambda done, total: told.append((done, total))
    set_up.start((sys.executable, "-c", words))
    set_up.race.result(60)
    assert told == [(1, 2), (2, 2)]
    assert not set_up.searcher.done()
    set_up.stop()
    set_up.searcher.result(60)  # nobody waits for what will never come


@pytest.mark.usefixtures("empty")
def test_whoever_waits_for_a_compiler_that_fails_goes_on() -> None:
    set_up = SetUp()
    set_up.start((sys.executable, "-c", "raise SystemExit(3)"))
    set_up.race.result(60)
    set_up.searcher.result(60)


@pytest.mark.usefixtures("empty")
def test_what_is_compiled_already_starts_nothing() -> None:
    from avecaesar.kernel.cache import note_ready

    note_ready(RACE)
    set_up = SetUp()
    assert set_up.race.done()
    assert not set_up.searcher.done()
    note_ready(SEARCHER)
    ready = SetUp()
    ready.start(("there is no such program",))
    assert ready.race.done()
    assert ready.searcher.done()
