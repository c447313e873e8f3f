"""Where everything lies in this checkout."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
BOARDS = TESTS / "boards"
