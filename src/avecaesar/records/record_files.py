"""Records in files: written whole or not at all, read whole or refused in a sentence."""

from __future__ import annotations

from pathlib import Path

from avecaesar.files import write_atomically
from avecaesar.records.notation import to_text
from avecaesar.records.parser import from_text
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
