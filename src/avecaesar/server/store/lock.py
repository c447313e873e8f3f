"""One database, one server: a lock of the operating system's, which ends with the process, however that ends.

Two locks, because each alone can be got round. The file beside the database goes by the name: it also holds if the
database is replaced, and tells who has it. The lock on the database itself (Linux) goes by the file: it also holds
under another name, such as that of a mount, or if the file beside it is deleted.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sys
from pathlib import Path
from types import TracebackType

from avecaesar.errors import BadInput

BEYOND = 2**62  # SQLite locks bytes of its own from 2**30 on; what is read of the lock file is never locked
HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
UNKNOWN_HERE = (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK)  # a file system without such locks


LARGEST_LOCK = 32  # bytes
LOCK = re.compile(rb"([0-9]+\n)?")  # what stands in a file that we made: the number of a process


class InUse(BadInput):
    """Somebody else has the lock; `holder` says who, as far as is known."""

    def __init__(self, database: Path, process: int | None) -> None:
        who = "" if process is None else f" (process {process})"
        self.holder = "another server" if process is None else f"process {process}"
        super().__init__(f"{database} is in use by another server{who}: stop it, or choose another file with --data")


class FileLock:
    """Held from `with` on, for as long as it lasts; InUse says that somebody else has it."""

    def __init__(self, database: Path) -> None:
        self.database = Path(os.path.realpath(database))  # every link and every spelling leads to one name
        self.beside = self.database.with_name(f"{self.database.name}.lock")
        self._open: list[int] = []

    def __enter__(self) -> FileLock:
        try:
            self.database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock_name()
            self._lock_file()
        except BaseException:
            self._let_go()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self.beside.unlink()  # before it is let go: who waits for this very file tries again with a new one
        self._let_go()

    def _lock_name(self) -> None:
        while True:
            handle = self._opened(self.beside)
            if not _lock(handle, whole=True):
                raise InUse(self.database, _process_in(handle))
            if _is_still(handle, self.beside):
                if not LOCK.fullmatch(os.read(handle, LARGEST_LOCK)):
                    raise BadInput(
                        f"{self.beside} is no lock of a server's: move it away, or choose another file with --data"
                    )
                os.lseek(handle, 0, os.SEEK_SET)
                os.truncate(handle if os.truncate in os.supports_fd else self.beside, 0)
                os.write(handle, f"{os.getpid()}\n".encode())
                return
            os.close(self._open.pop())  # deleted meanwhile by the one who had it

    def _lock_file(self) -> None:
        """Lock the database itself. It stays open: closing it would take from SQLite the locks that it has on it."""
        handle = self._opened(self.database)
        if os.fstat(handle).st_nlink > 1:
            raise BadInput(
                f"{self.database} has a second name (a hard link), and SQLite would lose what is written under the "
                "other one: delete one of them, or make it a symbolic link"
            )
        if not _lock(handle, whole=False):
            raise InUse(self.database, None)

    def _opened(self, file: Path) -> int:
        handle = os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        self._open.append(handle)
        return handle

    def _let_go(self) -> None:
        while self._open:
            os.close(self._open.pop())


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int, *, whole: bool) -> bool:
        """Lock an open file, at once or not at all. The database itself has no second name here that SQLite minds."""
        if not whole:
            return True
        os.lseek(handle, 2**30, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in HELD:
                return False
            raise
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
        return True

else:
    import fcntl
    import struct

    def _lock(handle: int, *, whole: bool) -> bool:
        """Lock an open file, or a byte of it that nobody else minds, at once or not at all.

        A byte is locked for the open file (OFD), not for the process: whatever SQLite closes takes nothing from us.
        """
        try:
            if whole:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            elif sys.platform == "linux":
                fcntl.fcntl(handle, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, BEYOND, 1, 0))
        except OSError as error:
            if error.errno in HELD:
                return False
            if whole or error.errno not in UNKNOWN_HERE:
                raise
        return True


def _is_still(handle: int, file: Path) -> bool:
    """Whether an open file is the one of that name."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(file))
    except FileNotFoundError:
        return False


def _process_in(handle: int) -> int | None:
    """Who says in a lock file that it is his; nobody for the moment in which he has not written it yet."""
    with contextlib.suppress(OSError):
        written = os.read(handle, 32)
        if written.strip().isdigit():
            return int(written)
    return None
