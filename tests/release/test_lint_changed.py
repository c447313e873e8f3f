"""What `make quick` lints: all that has changed since the branch left main, and nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import lint_changed

SETTINGS = """
[tool.ruff]
extend-include = ["tools/start"]
[tool.ruff.lint]
select = ["F"]
[tool.mypy]
strict = true
files = ["src"]
[tool.importlinter]
root_package = "circus"
[[tool.importlinter.contracts]]
name = "Imports point down only"
type = "layers"
layers = ["circus.stands", "circus.sand"]
"""
STANDS = "from circus import sand\n\nSEATS: int = sand.LANES\n"
FILES = {
    "pyproject.toml": SETTINGS,
    "src/circus/__init__.py": "",
    "src/circus/sand.py": "LANES = 3\n",
    "src/circus/stands.py": STANDS,
    "src/circus/mistaken.py": "import os\n",  # since long ago
    "src/avecaesar/web/app.js": "export const here = 1;\n",
    "tools/start": "print(1)\n",
    "README.md": "Ave\n",
}
EVERYTHING = ["ruff", "ruff", "mypy", "lint-imports", "tools/check-types"]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A branch that has just left main."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(lint_changed, "ROOT", tmp_path)
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        put(name, text)
    shutil.copy(lint_changed.__file__, "tools")
    git("init", "--quiet", "--initial-branch", "main")
    commit()
    git("checkout", "--quiet", "-b", "work")
    return tmp_path


def put(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


def git(*words: str) -> None:
    who = ("-c", "user.name=Livia", "-c", "user.email=livia@example.org")
    subprocess.run(["git", *who, *words], check=True)


def commit() -> None:
    git("add", "--all")
    git("commit", "--quiet", "--message", "Ave")


def looked_at() -> dict[str, list[str]]:
    """Which tools would look at which Python files."""
    names = set(FILES) | {"src/circus/new.py"}
    commands = lint_changed.commands(lint_changed.where_it_left_main())
    return {command[0]: [word for word in command if word in names] for command in commands}


def test_where_nothing_has_changed_nothing_is_looked_at(checkout: Path) -> None:
    assert looked_at() == {}


@pytest.mark.parametrize(
    ("name", "text", "tools"),
    [
        ("src/circus/sand.py", "LANES = 4\n", ["ruff", "mypy"]),
        ("src/circus/stands.py", "SEATS = 3\n", ["ruff", "mypy", "lint-imports"]),
        ("src/circus/stands.py", STANDS.replace("import sand", "import mistaken"), ["ruff", "mypy", "lint-imports"]),
        ("src/circus/stands.py", STANDS.replace("sand.", "not sand."), ["ruff", "mypy"]),
        ("src/circus/new.py", "", ["ruff", "mypy", "lint-imports"]),
        ("tests/test_new.py", "import circus\n", ["ruff", "mypy"]),
        ("tools/start", "print(2)\n", ["ruff", "mypy"]),
        ("src/avecaesar/web/app.js", "", ["tools/check-types"]),
        ("src/avecaesar/web/lib/new.js", "", ["tools/check-types"]),
        ("src/avecaesar/web/css/new.css", "", []),
        ("jsconfig.json", "{}", ["tools/check-types"]),
        ("README.md", "Ave Caesar\n", []),
    ],
)
@pytest.mark.parametrize("committed", [False, True])
def test_what_has_changed_is_looked_at(name: str, text: str, tools: list[str], committed: bool, checkout: Path) -> None:
    put(name, text)
    if committed:
        commit()
    found = looked_at()
    assert list(found) == tools
    if name in FILES and "ruff" in found:
        assert found["ruff"] == [name]


def test_a_file_that_is_gone_is_looked_at_no_more_but_what_stood_on_it_is(checkout: Path) -> None:
    Path("src/circus/sand.py").unlink()
    assert looked_at() == {"mypy": [], "lint-imports": []}


def test_what_was_committed_on_main_since_is_not_looked_at(checkout: Path) -> None:
    git("checkout", "--quiet", "main")
    put("src/circus/sand.py", "LANES = 4\n")
    commit()
    git("checkout", "--quiet", "work")
    assert looked_at() == {}


def test_if_settings_have_changed_everything_is_looked_at(checkout: Path) -> None:
    put("pyproject.toml", SETTINGS + "[tool.other]\n")
    assert [command[0] for command in lint_changed.commands("HEAD")] == EVERYTHING


def test_without_git_everything_is_looked_at(checkout: Path) -> None:
    shutil.rmtree(checkout / ".git")
    assert lint_changed.where_it_left_main() is None
    assert [command[0] for command in lint_changed.commands(None)] == EVERYTHING


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("src/circus/sand.py", "import re\n\nLANES = 3\n", "`re` imported but unused"),
        ("src/circus/sand.py", 'LANES = "three"\n', "stands.py:3: error"),
        ("src/circus/sand.py", "def lanes() -> int:\n    from circus import stands\n    return 3\n", "not allowed"),
        ("src/circus/sand.py", "LANES = 4\n", ""),
    ],
)
def test_a_mistake_is_found_and_an_old_one_let_be(name: str, text: str, says: str, checkout: Path) -> None:
    put(name, text)
    command = [sys.executable, "tools/lint_changed.py"]
    environment = os.environ | {"PYTHONPATH": str(checkout / "src")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == (1 if says else 0), said
    assert says in said
    assert "mistaken" not in said
