"""One database, one server: the lock, and every way that leads round it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from avecaesar.errors import BadInput
from avecaesar.server.store.lock import FileLock
from servers import PROGRAM, as_typed

HOLDER = """
import sys
from pathlib import Path
from avecaesar.server.store.lock import FileLock

with FileLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(file: Path) -> subprocess.Popen[str]:
    """Another process that has the lock."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_server_on_the_same_file_refuses_to_start_and_says_who_has_it(tmp_path: Path) -> None:
    data = tmp_path / "tables.db"
    (tmp_path / "link.db").symlink_to(data)
    with as_typed(data) as server:
        assert server.process is not None
        laid = server.lay()
        for name in (data, tmp_path / "link.db", tmp_path / "x" / ".." / "tables.db"):
            second = subprocess.run(
                [*PROGRAM, "serve", "--port", "0", "--data", str(name)], capture_output=True, text=True, timeout=120
            )
            assert (second.returncode, second.stdout) == (2, "")
            assert second.stderr == (
                f"avecaesar: {data} is in use by another server (process {server.process.pid}): "
                "stop it, or choose another file with --data\n"
            )
        assert server.table(laid)["phase"] == "gathering"


def test_the_lock_dies_with_its_process(file: Path) -> None:
    with holder(file) as process:
        with pytest.raises(BadInput, match=f"process {process.pid}"), FileLock(file):
            pass
        process.send_signal(signal.SIGKILL)
        process.wait()
    with FileLock(file):
        assert file.with_name("tables.db.lock").read_text() == f"{os.getpid()}\n"


def test_nothing_is_left_behind_and_only_the_owner_may_look(file: Path) -> None:
    with FileLock(file) as lock:
        assert file.parent.stat().st_mode & 0o777 == 0o700
        assert {path.stat().st_mode & 0o777 for path in (file, lock.beside)} == {0o600}
    assert list(file.parent.iterdir()) == [file]


def test_who_was_refused_has_taken_nothing_away(file: Path) -> None:
    with FileLock(file):
        for _ in range(2):
            with pytest.raises(BadInput, match="in use"), FileLock(file):
                pass


def test_every_name_leads_to_the_same_lock(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FileLock(file):
        folder = file.parent.parent
        (folder / "folder").symlink_to(file.parent)
        (folder / "file").symlink_to(file)
        (folder / "twice").symlink_to(folder / "file")
        monkeypatch.chdir(file.parent)
        names = ["tables.db", "./tables.db", "../data/tables.db", "../folder/tables.db", "../file", "../twice"]
        for name in names:
            with pytest.raises(BadInput, match="in use"), FileLock(Path(name)):
                pass


def test_a_link_to_nothing_yet_is_locked_where_it_leads(file: Path) -> None:
    file.parent.mkdir()
    link = file.with_name("link.db")
    link.symlink_to(file)
    with FileLock(link) as lock:
        assert lock.database == file
        with pytest.raises(BadInput, match="in use"), FileLock(file):
            pass


def test_a_database_with_two_names_is_not_served(file: Path) -> None:
    """SQLite keeps its journal by name: what was written under one name would be missing under the other."""
    with FileLock(file):
        (file.parent / "other.db").hardlink_to(file)
        with pytest.raises(BadInput, match="a second name"), FileLock(file.parent / "other.db"):
            pass
    with pytest.raises(BadInput, match="a second name"), FileLock(file):
        pass
    (file.parent / "other.db").unlink()
    with FileLock(file):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="the database itself is locked on Linux only")
def test_deleting_the_lock_file_opens_nothing(file: Path) -> None:
    with FileLock(file) as lock:
        lock.beside.unlink()
        with pytest.raises(BadInput, match="in use"), FileLock(file):
            pass


def test_replacing_the_database_opens_nothing(file: Path) -> None:
    with FileLock(file):
        file.rename(file.with_name("old.db"))
        with pytest.raises(BadInput, match="in use"), FileLock(file):
            pass


@pytest.mark.skipif(sys.platform != "linux", reason="the database itself is locked on Linux only")
def test_sqlite_goes_on_with_its_own_locks_and_takes_none_of_ours(file: Path) -> None:
    import sqlite3

    with FileLock(file) as lock:
        for number in range(3):
            connection = sqlite3.connect(file)
            connection.execute("PRAGMA journal_mode=WAL")
            with connection:
                connection.execute(f"CREATE TABLE t{number} (x)")
            connection.close()  # which takes from this process every lock on the file that belongs to a process
        lock.beside.unlink()
        with pytest.raises(BadInput, match="in use"), FileLock(file):
            pass


def test_a_file_of_that_name_that_is_no_lock_is_left_as_it_is(tmp_path: Path) -> None:
    beside = tmp_path / "tables.db.lock"
    beside.write_text("version = 1\n[[package]]\n")
    with pytest.raises(BadInput, match="is no lock of a server's"), FileLock(tmp_path / "tables.db"):
        pass
    assert beside.read_text() == "version = 1\n[[package]]\n"
    beside.write_text("123456\n")  # of a server that was killed
    with FileLock(tmp_path / "tables.db"):
        assert beside.read_text() == f"{os.getpid()}\n"
    assert not beside.exists()
