"""What the store takes and gives: events, rights, words, and how a table stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from avecaesar.game.numbers import SeatNumber

Role = Literal["drive", "sat", "host", "invite", "pass", "left", "wish", "banned", "share"]
KeptKind = Literal["board", "record", "chronicle", "probe"]
WordKind = Literal["title", "name", "saying", "asker"]
ROLES: tuple[Role, ...] = get_args(Role)
HELD: tuple[Role, ...] = ("drive", "sat", "left", "host", "wish")  # which a table that is awake has in mind
LINKS: tuple[Role, ...] = ("pass", "invite")  # what keys hold that are no person's


class Word(NamedTuple):
    """Something that a person wrote."""

    part: int
    kind: WordKind
    seat: SeatNumber | None  # whose name it is, or who said it
    holder: str | None  # who wrote it, None: it is nobody's alone
    text: str | None
    erased: bool = False


class Body(NamedTuple):
    """An event's body, and where it stands."""

    table: str
    number: int
    body: bytes


class LogEntry(NamedTuple):
    """An event of a table's log."""

    number: int  # from 0, without a gap
    at: float  # seconds since 1970
    command: str | None  # what asked for it, as "holder:id": done once at a table, however often it is sent
    body: bytes
    words: tuple[Word, ...] = ()  # that belong in it


class Blank(NamedTuple):
    """A word that is erased, and what stands there instead."""

    number: int  # of the event
    part: int
    text: str | None


class Grant(NamedTuple):
    """What the holder of a key may do at a table.

    Whoever takes a seat may `drive` it, and so do devices that he lets in; that he `sat` down there is his alone.
    The `host` has the table by no seat; a device that he lets in is host by way of his seat, as long as it drives it.
    Whoever stands up in mid-race has `left` the seat with all his devices, and that he `sat` there is kept meanwhile.
    """

    key: str  # its SHA-256 in hexadecimal, never the key itself
    seat: SeatNumber | None
    role: Role


class Revoke(NamedTuple):
    """Rights that end: those of a role, at one seat or any, of one key, of several, or of all but some."""

    role: Role
    seat: SeatNumber | None = None
    key: str | None = None
    but: tuple[str, ...] = ()
    of: frozenset[str] | None = None  # of these keys alone

    def ends(self, grant: Grant) -> bool:
        """Whether this right is one of them."""
        return (
            grant.role == self.role
            and self.seat in (None, grant.seat)
            and self.key in (None, grant.key)
            and grant.key not in self.but
            and (self.of is None or grant.key in self.of)
        )


class Listing(NamedTuple):
    """How a table stands, as far as lists of tables tell it."""

    listed: bool  # for everybody
    live: bool  # clocks or drivers are to go on after a restart
    summary: bytes


class TableRow(NamedTuple):
    """A table as lists of tables need it."""

    table: str
    created: float
    updated: float
    listed: bool
    live: bool
    summary: bytes

    @property
    def listing(self) -> Listing:
        """How it stands, as was written last."""
        return Listing(self.listed, self.live, self.summary)


class Taken(Exception):
    """Optimistic concurrency: another writer has appended this number or command, or the log is not that long yet."""


class Unwell(OSError):
    """The database cannot be used now: the disk is full, the file is damaged, somebody else locks it.

    Its words and its file's name are for the operator. Strangers are told that it is so, and nothing more.
    """


class Damaged(Unwell):
    """The file is not a database, or no longer."""
