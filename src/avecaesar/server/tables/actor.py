"""Whoever does something at a table, by what his keys allow there."""

from __future__ import annotations

from typing import NamedTuple

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.tables.admission import tag_of


class Actor(NamedTuple):
    """What somebody's keys allow at a table; keys are digests here, and the first one tells persons apart."""

    keys: tuple[str, ...]
    seats: frozenset[SeatNumber]
    host: bool = False
    invited: bool = False
    left: frozenset[SeatNumber] = frozenset()  # seats that he left in this race
    as_of: int = 0  # how often rights at the table had changed
    banned: bool = False  # by the operator, or by the host

    @property
    def has_place(self) -> bool:
        """Whether somebody sits there, or the table is his."""
        return bool(self.seats) or self.host

    @property
    def holder(self) -> str:
        """A name that tells him from others."""
        return tag_of(self.keys[0]) if self.keys else ""


STRANGER = Actor((), frozenset())
