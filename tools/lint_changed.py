"""Lint of what has changed since this branch left main: what `make quick` does. `make lint` looks at everything.

    python tools/lint_changed.py                  since this branch left origin/main, or main
    python tools/lint_changed.py --since HEAD     since a commit

Ruff looks at the Python files that have changed. Mypy looks at everything, but reads from its cache whatever does not
stand on them. Import-linter runs if a file of the package imports something else than before, tsc if one of the pages
or of its settings has changed. If the settings of Python's tools have changed, or without git, everything is looked at.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAIN = ("origin/main", "main")
SETTINGS = "pyproject.toml"
PAGES = "src/avecaesar/web/"
OF_PAGES = ("jsconfig.json", "tools/check-types", "tools/get-node-packages")

Command = tuple[str, ...]


def where_it_left_main() -> str | None:
    """The last commit that this branch has in common with the main one."""
    bases = (git("merge-base", "HEAD", main) for main in MAIN)
    return next((base.strip() for base in bases if base is not None), None)


def changed_since(commit: str) -> list[str]:
    """All files that are not as they were, the deleted ones too."""
    differing = git("diff", "--name-only", "--no-renames", "--relative", "-z", commit)
    new = git("ls-files", "--others", "--exclude-standard", "-z")
    if differing is None or new is None:
        sys.exit(f"There is no commit '{commit}' to compare with.")
    return sorted({name for name in (differing + new).split("\0") if name})


def commands(since: str | None) -> list[Command]:
    """What looks at all that has changed since a commit; at everything if none is named."""
    changed = None if since is None else changed_since(since)
    if since is None or changed is None or SETTINGS in changed:
        return [*ruff(["."]), ("mypy",), ("lint-imports", "--no-cache"), ("tools/check-types",)]
    also = looked_at_besides()
    python = [name for name in changed if name.endswith((".py", ".pyi")) or name in also]
    there = [name for name in python if (ROOT / name).exists()]
    wanted: list[Command] = ruff(there) if there else []
    if python:
        wanted.append(("mypy",))
    if any(name.startswith("src/") and imports_something_else(name, since) for name in python):
        wanted.append(("lint-imports", "--no-cache"))
    if any(name in OF_PAGES or (name.startswith(PAGES) and name.endswith(".js")) for name in changed):
        wanted.append(("tools/check-types",))
    return wanted


def ruff(files: Sequence[str]) -> list[Command]:
    """Its two commands; of files that it was told to leave alone they say nothing."""
    return [
        ("ruff", "check", "--quiet", "--force-exclude", *files),
        ("ruff", "format", "--check", "--quiet", "--force-exclude", *files),
    ]


def looked_at_besides() -> list[str]:
    """Files of Python that are not called so."""
    settings = tomllib.loads((ROOT / SETTINGS).read_text(encoding="utf-8"))
    return list(settings["tool"]["ruff"].get("extend-include", []))


def imports_something_else(name: str, since: str) -> bool:
    """Whether a file imports something else than it did; one that is new or gone counts as well."""
    before, file = git("show", f"{since}:./{name}"), ROOT / name
    return before is None or not file.exists() or imports(before) != imports(file.read_text(encoding="utf-8"))


def imports(text: str) -> set[tuple[int, str, str]]:
    """All that a module imports, wherever it does so; nothing if it cannot be read, which ruff says."""
    found = set[tuple[int, str, str]]()
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {(0, each.name, "") for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {(node.level, node.module or "", each.name) for each in node.names}
    return found


def git(*words: str) -> str | None:
    """What git says; None if there is no git, or it refuses."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def main() -> int:
    """Run whatever has something to look at; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--since", default=where_it_left_main(), help="a commit (default: where this branch left main)")
    since = parser.parse_args().since
    wanted = commands(since)
    failed = [command[0] for command in wanted if not content(command)]
    tools = ", ".join(dict.fromkeys(Path(command[0]).name for command in wanted)) or "nothing"
    print(f"Looked at what has changed since {since[:9] if since else 'ever'}: {tools}.")
    return 1 if failed else 0


def content(command: Command) -> bool:
    """Whether a tool has nothing to say against what it looks at. It lies beside this Python, or in this checkout."""
    beside = Path(sys.executable).with_name(command[0])
    program = beside if beside.exists() else ROOT / command[0]
    return subprocess.run([program, *command[1:]], cwd=ROOT, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
