"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from avecaesar.cli import main
from avecaesar.files import write_atomically


def test_a_new_file_has_the_rights_that_the_umask_leaves(tmp_path: Path) -> None:
    file = tmp_path / "x"
    before = os.umask(0o027)
    try:
        write_atomically(file, b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["x"]


def test_an_old_file_is_replaced_and_keeps_its_rights_and_links(tmp_path: Path) -> None:
    file, link = tmp_path / "x", tmp_path / "link"
    file.write_bytes(b"old")
    file.chmod(0o600)
    link.symlink_to(file)
    write_atomically(link, b"new")
    assert file.read_bytes() == b"new"
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_pipe_or_device_is_simply_written_to(tmp_path: Path) -> None:
    write_atomically("/dev/null", b"x")
    assert Path("/dev/null").is_char_device()


FULL_DISK = """
import resource, signal, sys
from avecaesar.files import write_atomically
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_atomically(sys.argv[1], b"n" * 100_000)
except OSError as error:
    print(error.filename, error.strerror)
"""


@pytest.mark.parametrize("old", [b"old", None])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(old: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "x.race.json"
    if old is not None:
        file.write_bytes(old)
    told = subprocess.run([sys.executable, "-c", FULL_DISK, str(file)], capture_output=True, check=True, text=True)
    assert told.stdout == f"{file} File too large\n"
    assert os.listdir(tmp_path) == ([] if old is None else ["x.race.json"])
    assert old is None or file.read_bytes() == old


def test_a_full_disk_is_status_1_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    assert main(["record", "schema", "-o", str(tmp_path / "schema.json")]) == 1
    assert capsys.readouterr().err == f"avecaesar: {tmp_path}/schema.json: No space left on device\n"
    assert os.listdir(tmp_path) == []
    monkeypatch.undo()
    assert main(["record", "schema", "-o", str(tmp_path)]) == 2  # a place that nobody can write to was named
    assert main(["record", "schema", "-o", str(tmp_path / "no" / "folder")]) == 2
    assert capsys.readouterr().err.count("\n") == 2


KILLED = """
import os, sys
from avecaesar.files import write_atomically
def stop(*_):
    print("now", flush=True)
    sys.stdin.read()
setattr(os, sys.argv[2], stop)
write_atomically(sys.argv[1], b"n" * 100_000)
"""


@pytest.mark.parametrize("moment", ["fsync", "replace"])
def test_a_kill_in_the_middle_leaves_the_old_file_whole(moment: str, tmp_path: Path) -> None:
    file = tmp_path / "x.race.json"
    file.write_bytes(b"old")
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(file), moment], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"now\n"
        writer.send_signal(signal.SIGKILL)
    assert file.read_bytes() == b"old"


def test_an_interrupted_write_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "x", b"new")
    assert os.listdir(tmp_path) == []
