"""Where a user's things are kept: where they always were on Linux, whatever else is asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from avecaesar import files


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", files.SUBSTITUTE):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="each system has folders of its own")
def test_on_linux_data_and_caches_lie_where_they_always_did(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert files.data_folder() == home / ".local" / "share" / "avecaesar"
    assert files.cache_folder().parent == home / ".cache" / "avecaesar"
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "caches"))
    assert files.data_folder() == home / "data" / "avecaesar"
    assert files.cache_folder().parent == home / "caches" / "avecaesar"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")  # which the standard forbids
    assert files.data_folder() == home / ".local" / "share" / "avecaesar"


def test_elsewhere_data_stay_where_an_older_release_has_put_them(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    older = home / ".local" / "share" / "avecaesar"
    older.mkdir(parents=True)
    assert files.data_folder() == older


def test_a_substitute_for_a_cache_that_cannot_be_written_to_is_shared_by_all_processes(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = home / "a file"
    blocked.write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setenv(files.SUBSTITUTE, "")  # so that it is forgotten afterwards
    first = files.cache_folder()
    assert first.is_dir()
    words = "from avecaesar.files import cache_folder; print(cache_folder())"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout == f"{first}\n"
