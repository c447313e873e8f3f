"""Files: written whole or not at all, read whole or refused in a sentence."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

from avecaesar.records.notation import from_text, to_text
from avecaesar.records.shape import Record, RecordError, from_json, to_json

LARGEST = 64 * 2**20


def read_record(path: str | Path) -> Record:
    """Read a record from a file, JSON or (if its name ends in .txt) the notation for people."""
    try:
        data = _read(path)
        return from_text(data) if _is_notation(path) else from_json(data)
    except RecordError as error:
        raise RecordError(str(error), path) from None


def write_record(record: Record, path: str | Path) -> None:
    """Write a record to a file, whole or not at all; the notation for people if its name ends in .txt."""
    write_atomically(path, to_text(record).encode() if _is_notation(path) else to_json(record))


def _is_notation(path: str | Path) -> bool:
    return str(path).endswith(".txt")


def _read(path: str | Path) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except IsADirectoryError:
        raise RecordError("this is a folder, not a record") from None
    except OSError as error:
        raise RecordError(f"the record cannot be read: {error.strerror}") from None
    except ValueError:
        raise RecordError("no file can have such a name") from None
    if len(data) > LARGEST:
        raise RecordError(f"this is larger than {LARGEST // 2**20} MB, more than a record can be")
    return data


def write_atomically(path: str | Path, data: bytes) -> None:
    """Put data into a file so that there is never half of it, and an old file stays until the new one is safe.

    It is written beside it under another name, and takes its place when it is on the disk. A pipe or device, which
    nothing can take the place of, is simply written to.
    """
    target = os.path.realpath(path)
    try:
        mode = _mode(target)
        if mode is not None and not stat.S_ISREG(mode):
            with open(target, "wb") as device:
                device.write(data)
        else:
            _replace(target, data, mode)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _mode(target: str) -> int | None:
    try:
        return os.stat(target).st_mode
    except FileNotFoundError:
        return None


def _replace(target: str, data: bytes, mode: int | None) -> None:
    folder = os.path.dirname(target)
    temporary = os.path.join(folder, f".{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as file:  # as the umask says, where there was no file before
            if mode is not None:
                os.chmod(temporary, stat.S_IMODE(mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _settle(folder)


def _settle(folder: str) -> None:
    """Let the folder itself reach the disk, and the new name with it."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
