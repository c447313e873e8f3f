"""For all tests of the laboratory."""

from __future__ import annotations

from pathlib import Path

import pytest

from arenas import OWN


@pytest.fixture
def arena_workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with drivers of somebody's own, in which arenas are held and kept."""
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
