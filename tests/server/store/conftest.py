"""For all tests of the store."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a database is to be, in a folder that there is not yet."""
    return tmp_path / "data" / "tables.db"
