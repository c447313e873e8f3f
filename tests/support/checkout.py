"""Where everything lies in this checkout."""

from __future__ import annotations

import os
from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
BOARDS = TESTS / "boards"


def environment(*places: Path) -> dict[str, str]:
    """For programs that import the package, the helpers of the tests, and what lies in these places."""
    found = (*places, ROOT / "src", TESTS, TESTS / "support")
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, found))}
