"""What goes wrong with the database, in words for who runs the server; and when the log says so."""

from __future__ import annotations

import errno
import logging
import sqlite3

from sqlalchemy.exc import DBAPIError

from avecaesar.errors import plain
from avecaesar.server.store.shapes import Damaged, Unwell

HELP = {  # what an operator does about it
    errno.ENOSPC: "make room on the disk, and the server goes on by itself",
    errno.EACCES: "let the server's user read and write the file and its folder",
    errno.EBUSY: "another program has locked the file",
}
DAMAGE = -1  # a kind of trouble that does not pass
log = logging.getLogger("avecaesar.server")


def trouble_of(error: DBAPIError, name: str) -> Unwell:
    """What went wrong with the database of that name."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    match None if code is None else code & 0xFF:  # the rest tells finer kinds apart
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return Damaged(errno.EIO, plain(error.orig), name)
        case sqlite3.SQLITE_FULL:
            number = errno.ENOSPC
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            number = errno.EACCES
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            number = errno.EBUSY
        case _:
            number = errno.EIO
    return Unwell(number, f"the database cannot be used: {plain(error.orig)}", name)


class TroubleLog:
    """Logs each kind of trouble when it begins, and its end; not what everybody meets meanwhile."""

    def __init__(self) -> None:
        self.opened = False  # before that whoever opens it is told, and tells
        self._troubles: set[int] = set()

    def unwell(self, error: Unwell) -> None:
        """Something went wrong."""
        trouble = DAMAGE if isinstance(error, Damaged) else error.errno or 0
        if self.opened and trouble not in self._troubles:
            self._troubles.add(trouble)
            log.error("%s: %s; %s", error.filename, error.strerror, _advice(error))

    def well(self, name: str) -> None:
        """A write has succeeded, which says nothing about pages that are damaged elsewhere in the file."""
        if self._troubles - {DAMAGE}:
            self._troubles &= {DAMAGE}
            log.error("%s can be written again", name)


def _advice(error: Unwell) -> str:
    if isinstance(error, Damaged):
        return "the file is damaged: stop the server and restore it from a backup"
    return HELP.get(error.errno or 0, "nothing can be written down until that is repaired")
