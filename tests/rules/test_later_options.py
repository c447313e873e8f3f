"""An option that comes later: records that are older than it still read, and the independent referee must know it.

The option is added in a copy of the sources, as somebody would who writes a new rule; the copy runs uncompiled.
"""

from __future__ import annotations

import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from avecaesar.cli import main
from avecaesar.drivers import Greedy
from avecaesar.game import commitment_of
from avecaesar.kernel.layout import RULES
from avecaesar.rules import OPTIONS, RULES_VERSION
from avecaesar.server.tables import events as e
from avecaesar.server.tables.plan import filled_in
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from checkout import TESTS
from lockstep import random_rules
from logs import Log

SOURCES = TESTS.parent / "src" / "avecaesar"
# The end of this option's entry in OPTIONS: a new one goes behind it, before those of repairs, which stand last.
CRASH_OPTION = '        {"no": "waits", "yes": "crashes, and blocks his space for good"},\n    ),\n'
TRUMPETS = '    "trumpets": Option("who is heard", {"no": "nobody", "yes": "the trumpets"}),\n'
READ = """
import sys
from pathlib import Path
from avecaesar.records import from_json, referee, to_json
from avecaesar.records.shape import rules_of, schema

for file in sys.argv[1:]:
    record = from_json(Path(file).read_bytes())
    referee(record)
    print(record.edition, rules_of(record).trumpets, b"trumpets" in to_json(record))
print("trumpets" in schema()["$defs"]["RecordedRules"]["required"])
"""

FOLD = """
import json, sys
from avecaesar.server.tables import events as e
from avecaesar.server.tables.state import TableState
from avecaesar.table import Table

stored = json.load(sys.stdin)
room = TableState("circus")
for number, (at, command, body) in enumerate(stored["log"]):
    room.apply(number, at, e.decode(body.encode()), command)
for table in (room.game_table, Table.from_json(stored["save"].encode())):
    print(table.race.rules.trumpets, len(table.race.history), table.setup.options)
"""


@pytest.fixture
def with_trumpets(tmp_path: Path) -> Path:
    """The program with one option more, which the fiche has and the others have not."""
    sources = tmp_path / "src"
    shutil.copytree(SOURCES, sources / "avecaesar", ignore=shutil.ignore_patterns("web", "__pycache__"))
    options = sources / "avecaesar" / "rules" / "options.py"
    text = options.read_text(encoding="utf-8")
    for before, after in (
        (CRASH_OPTION, CRASH_OPTION + TRUMPETS),
        ('    crash: str = "no"\n', '    crash: str = "no"\n    trumpets: str = "no"\n'),
    ):
        assert text.count(before) == 1
        text = text.replace(before, after)
    text = re.sub(r'("fiche",\n\s+"[^"]+",\n\s+replace\(\n\s+_ORIGINAL,)', r'\1 trumpets="yes",', text)
    assert text.count('trumpets="yes"') == 1
    options.write_text(text, encoding="utf-8")
    return sources


def record_in(edition: str, folder: Path) -> Path:
    """A record that this program writes, which knows no trumpets."""
    words = ["simulate", "--races", "1", "--chariots", "2", "--edition", edition, "--seed", "1", "--jobs", "1"]
    assert main([*words, "--record", str(folder / edition)]) == 0
    [file] = (folder / edition).iterdir()
    return file


def run(script: str, sources: Path, *arguments: str, given: str = "") -> list[str]:
    """What a script prints, uncompiled, with these sources."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env={**os.environ, "PYTHONPATH": str(sources), "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_record_that_is_older_than_an_option_takes_it_from_its_edition(tmp_path: Path, with_trumpets: Path) -> None:
    files = [record_in(edition, tmp_path) for edition in ("ravensburger", "fiche")]
    told = run(READ, with_trumpets, *map(str, files))
    assert told == ["ravensburger no False", "fiche yes False", "False"]


@pytest.mark.parametrize(("edition", "trumpets"), [("ravensburger", "no"), ("fiche", "yes")])
def test_so_does_a_table_that_was_stored_or_saved_in_mid_race(edition: str, trumpets: str, with_trumpets: Path) -> None:
    log = Log(TableState("circus"), [])
    plan = filled_in(msg.NewTable(seats=(msg.SeatPlan(kind="here"),) * 3, edition=edition))
    secret = bytes(range(32))
    log.add(e.WasLaid(plan, None, RULES_VERSION), e.Sealed(commitment_of(secret), secret.hex()), e.Begun())
    for _ in range(7):
        turn = log.state.on_turn
        assert turn is not None
        log.happen(e.Moved(turn, Greedy().choose(log.state.game_table.view(turn)), "person"))
    stored = {
        "log": [(at, command, body.decode()) for at, command, body in log.entries],
        "save": log.state.game_table.to_json().decode(),
    }
    assert run(FOLD, with_trumpets, given=json.dumps(stored)) == [f"{trumpets} 7 {{}}"] * 2


def ignored_by_the_referee(options: Iterable[str]) -> list[str]:
    """The options that no rule of the independent referee asks for; its own tests do not count."""
    asked: set[str] = set()
    for file in (TESTS / "referee").glob("[a-z]*.py"):
        if not file.stem.startswith("test_"):
            asked.update(_named_in(ast.parse(file.read_text(encoding="utf-8"))))
    return [name for name in options if name not in asked]


def _named_in(source: ast.AST) -> Iterator[str]:
    """The strings, parameters and functions, and what an option's functions begin with: first_grid_random.

    To list an option's values is not yet to ask for it.
    """
    for node in ast.walk(source):
        match node:
            case ast.AnnAssign(target=ast.Name("KNOWN_VALUES"), value=ast.Dict() as listed):
                listed.keys, listed.values = [], []
            case ast.Constant(str(text)):
                yield text
            case ast.arg(name):
                yield name
            case ast.FunctionDef(name):
                words = name.split("_")
                yield from ("_".join(words[:end]) for end in range(1, len(words) + 1))


def test_the_referee_ignores_no_option_and_one_that_it_does_not_know_is_found() -> None:
    assert ignored_by_the_referee(OPTIONS) == []
    assert ignored_by_the_referee([*OPTIONS, "trumpets"]) == ["trumpets"]


def test_kernel_and_referee_are_raced_side_by_side_with_every_value_that_the_kernel_asks_for() -> None:
    mixed = [random_rules(random.Random(seed)) for seed in range(1000)]
    for name in RULES.names or ():
        assert set(OPTIONS[name].values) <= {getattr(rules, name) for rules in mixed}, name
