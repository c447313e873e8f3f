"""Where everything lies in this checkout."""

from __future__ import annotations

import os
from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
BOARDS = TESTS / "boards"


def environment() -> dict[str, str]:
    """For programs that import the package and the helpers of the tests."""
    found = (ROOT / "src", TESTS, TESTS / "support")
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, found))}
