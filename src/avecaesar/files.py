"""Where things are kept; and files are written whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

NAME = "avecaesar"

SUBSTITUTE = "AVECAESAR_CACHE"  # in the environment: where this program and all that it starts keep things instead


def data_folder() -> Path:
    """Where a user's tables are kept: where the system wants it, or where an older release has put it."""
    usual = Path.home() / ".local" / "share" / NAME
    said = os.environ.get("XDG_DATA_HOME", "")
    if (said and not os.path.isabs(said)) or (sys.platform != "linux" and not said and usual.is_dir()):
        return usual
    return user_data_path(NAME, appauthor=False)


def cache_folder(*sources: Path, version: str = "") -> Path:
    """Where to keep what can be made again from these files and this version of something: it is theirs alone.

    In the user's cache, or a temporary folder where that cannot be written to.
    """
    digest = hashlib.sha256(version.encode())
    for source in sorted(sources):
        digest.update(source.read_bytes())
    name = digest.hexdigest()[:16]
    try:
        return _writable(user_cache_path(NAME, appauthor=False) / name)
    except OSError:
        substitute = os.environ.get(SUBSTITUTE) or tempfile.mkdtemp(prefix=f"{NAME}-")
        os.environ[SUBSTITUTE] = substitute
        return _writable(Path(substitute) / name)


def _writable(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        return folder


def write_atomically(path: str | Path, data: bytes, *, private: bool = False) -> None:
    """Put data into a file so that there is never half of it, and an old file stays until the new one is safe.

    It is written beside it under another name, and takes its place when it is on the disk. A pipe or device, which
    nothing can take the place of, is simply written to. `private`: nobody but its owner may read it, at any moment.
    """
    target = os.path.realpath(path)
    try:
        mode = _mode(target)
        if mode is not None and not stat.S_ISREG(mode):
            with open(target, "wb") as device:
                device.write(data)
        else:
            _replace(target, data, 0o600 if private else mode)
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
        with open(temporary, "xb", opener=_opener(mode)) as file:
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


def _opener(mode: int | None) -> Callable[[str, int], int]:
    """Opens a new file with no more rights than it is to have; as the umask says, where there was none before."""
    return lambda path, flags: os.open(path, flags, 0o666 if mode is None else stat.S_IMODE(mode))


def _settle(folder: str) -> None:
    """Let the folder itself reach the disk, and the new name with it."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
