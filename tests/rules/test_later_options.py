"""An option that comes later: records that are older than it still read, and the independent referee must know it.

The option is added in a copy of the sources, as somebody would who writes a new rule; the copy runs uncompiled.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from avecaesar.cli import main
from avecaesar.rules import OPTIONS
from checkout import TESTS

SOURCES = TESTS.parent / "src" / "avecaesar"
LAST_OPTION = '        {"no": "waits", "yes": "crashes, and blocks his space for good"},\n    ),\n'
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


@pytest.fixture
def with_trumpets(tmp_path: Path) -> Path:
    """The program with one option more, which the fiche has and the others have not."""
    sources = tmp_path / "src"
    shutil.copytree(SOURCES, sources / "avecaesar", ignore=shutil.ignore_patterns("web", "__pycache__"))
    options = sources / "avecaesar" / "rules" / "options.py"
    text = options.read_text(encoding="utf-8")
    for before, after in (
        (LAST_OPTION, LAST_OPTION + TRUMPETS),
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


def test_a_record_that_is_older_than_an_option_takes_it_from_its_edition(tmp_path: Path, with_trumpets: Path) -> None:
    files = [record_in(edition, tmp_path) for edition in ("ravensburger", "fiche")]
    done = subprocess.run(
        [sys.executable, "-c", READ, *map(str, files)],
        env={**os.environ, "PYTHONPATH": str(with_trumpets), "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == ["ravensburger no False", "fiche yes False", "False"], done.stderr


def ignored_by_the_referee(options: Iterable[str]) -> list[str]:
    """The options that the independent referee never asks for."""
    sources = [file.read_text(encoding="utf-8") for file in (TESTS / "referee").glob("[a-z]*.py")]
    asked = {name for text in sources for name in re.findall(r"""(?:\.|["'])(\w+)\b""", text)}
    return [name for name in options if name not in asked]


def test_the_referee_ignores_no_option_and_one_that_it_does_not_know_is_found() -> None:
    assert ignored_by_the_referee(OPTIONS) == []
    assert ignored_by_the_referee([*OPTIONS, "trumpets"]) == ["trumpets"]
