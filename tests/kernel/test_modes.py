"""The kernel agrees with itself uncompiled, with bounds checks and under the CUDA simulator; and an edited rule
is seen at once, whatever lies in the compile cache."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from avecaesar.kernel.cache import cache_folder
from checkout import TESTS
from fingerprint import fingerprint

SOURCES = TESTS.parent / "src"
RACES = 2


def run(
    arguments: list[str], sources: Path = SOURCES, *, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return subprocess.run(
        [sys.executable, *arguments],
        env=inherited | {"PYTHONPATH": str(sources)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def printed(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_uncompiled() -> None:
    done = run([str(TESTS / "support" / "fingerprint.py"), str(RACES)], environment={"NUMBA_DISABLE_JIT": "1"})
    assert printed(done) == fingerprint(RACES)


def test_clauses_are_proved_uncompiled_too() -> None:
    done = run(
        ["-m", "pytest", "-q", "-p", "no:cacheprovider", str(TESTS / "kernel" / "test_six.py")],
        environment={"NUMBA_DISABLE_JIT": "1"},
    )
    assert done.returncode == 0, done.stdout


def test_under_the_cuda_simulator() -> None:
    done = run(
        [str(TESTS / "support" / "fingerprint.py"), str(RACES), "cuda"],
        environment={"NUMBA_DISABLE_JIT": "1", "NUMBA_ENABLE_CUDASIM": "1"},
    )
    assert printed(done) == fingerprint(RACES)


NO_RUNTIME = """
import cuda.pathfinder

def missing(name):
    raise cuda.pathfinder.DynamicLibNotFoundError(f"no {name} here")

cuda.pathfinder.load_nvidia_dynamic_lib = missing
import avecaesar.kernel.gpu
"""


def test_a_missing_cuda_runtime_is_said_in_one_sentence() -> None:
    done = run(["-c", NO_RUNTIME], environment={"NUMBA_ENABLE_CUDASIM": "1"})
    assert done.stderr.splitlines()[-1] == (
        "ImportError: the rules on a GPU need numba-cuda and a CUDA runtime: "
        "install both with pip install 'avecaesar[gpu]'"
    )
    assert "During handling" not in done.stderr


PLANTED = """
import numpy as np
from avecaesar.kernel.jit import compiled

@compiled
def overrun(table, k):
    return table[k]

overrun(np.zeros(3, np.int64), 3)
"""


def test_with_bounds_checks(tmp_path: Path) -> None:
    """On an empty cache, for a warm one checks nothing; a planted overrun proves that it checks."""
    environment = {"NUMBA_BOUNDSCHECK": "1", "XDG_CACHE_HOME": str(tmp_path)}
    done = run([str(TESTS / "support" / "fingerprint.py"), "200"], environment=environment)
    assert printed(done) == fingerprint(200)
    planted = tmp_path / "planted.py"
    planted.write_text(PLANTED)
    assert "IndexError" in run([str(planted)], environment=environment).stderr


COUNT_TURNS = """
import numpy as np
from avecaesar.courses import load_course
from avecaesar.kernel import packing, playout
from avecaesar.rules import Rules

races = packing.new_races(20)
with np.errstate(over="ignore"):
    playout.random_races(
        packing.course_table(load_course("white")), packing.rules_table(Rules()), races, 4, 0, np.uint64(1)
    )
print(int(races["turns"].sum()), int(races["miss"].sum()))
"""
EDITS = [  # modules that the entry points call only indirectly, a rule in each, and another
    ("kernel/cards.py", "count(race, i, 6) == race.held[i]", "count(race, i, 5) == race.held[i]"),
    ("kernel/tribute.py", "SECOND_LAP = 2", "SECOND_LAP = 1"),
    ("kernel/layout.py", "BLOCKED, BARRED, WAITING = range(3)", "BARRED, BLOCKED, WAITING = range(3)"),
    ("rules/options.py", '{"exempt": "allowed", "barred"', '{"always": "new", "exempt": "allowed", "barred"'),
]


def copied(folder: Path) -> Path:
    """The sources once more, to edit them."""
    shutil.copytree(SOURCES, folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return folder / "src"


def test_rules_are_compiled_once_wherever_they_lie_and_edited_ones_are_seen_at_once(tmp_path: Path) -> None:
    """The old code lies in the cache, and what runs is what runs uncompiled."""
    script, sources, caches = tmp_path / "count.py", copied(tmp_path), tmp_path / "cache" / "avecaesar"
    script.write_text(COUNT_TURNS)
    fingerprint(1)  # it lies in the cache from now on, if it did not before
    shutil.copytree(cache_folder(), caches / cache_folder().name)

    def counted(**environment: str) -> str:
        environment["XDG_CACHE_HOME"] = str(caches.parent)
        return printed(run([str(script)], sources, environment=environment))

    kept = set(caches.rglob("*"))
    before = counted()
    assert set(caches.rglob("*")) == kept  # nothing was compiled
    assert before == counted(NUMBA_DISABLE_JIT="1")
    for module, rule, edited in EDITS:
        file = sources / "avecaesar" / module
        text = file.read_text(encoding="utf-8")
        assert rule in text
        file.write_text(text.replace(rule, edited), encoding="utf-8")
    after = counted()
    assert before != after == counted(NUMBA_DISABLE_JIT="1")


WHERE = """
import sys
from pathlib import Path
from avecaesar.kernel import cache

print(cache.cache_folder(cache.KERNEL), cache.cache_folder(cache.DRIVERS))
for source in map(Path, sys.argv[1:]):
    text = source.read_bytes()
    source.write_bytes(text + b"# another")
    cache.cache_folder.cache_clear()
    print(cache.cache_folder(cache.KERNEL), cache.cache_folder(cache.DRIVERS))
    source.write_bytes(text)
"""


def test_each_source_that_is_compiled_has_a_say_in_where_the_code_is_kept(tmp_path: Path) -> None:
    script, sources = tmp_path / "where.py", copied(tmp_path)
    script.write_text(WHERE)
    package = sources / "avecaesar"
    rules = [*(package / "kernel").rglob("*.py"), package / "rules" / "options.py", package / "courses" / "course.py"]
    drivers = list((package / "drivers").rglob("*.py"))
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    told = printed(run([str(script), *map(str, [*rules, *drivers])], sources, environment=environment))
    of_rules, of_drivers = zip(*map(str.split, told.splitlines()), strict=True)
    assert len(set(of_drivers)) == 1 + len(rules) + len(drivers)
    assert len(set(of_rules)) == 1 + len(rules)  # an edited driver recompiles no rule


SMALL = """
from avecaesar.kernel.jit import compiled

@compiled
def twice(number):
    return 2 * number

print(twice(21))
"""


def test_the_cache_may_be_unwritable(tmp_path: Path) -> None:
    """A home that cannot be written to costs a compilation, not the race."""
    blocked, script = tmp_path / "file", tmp_path / "small.py"
    blocked.write_text("not a folder")
    script.write_text(SMALL)
    assert printed(run([str(script)], environment={"XDG_CACHE_HOME": str(blocked)})) == "42"
