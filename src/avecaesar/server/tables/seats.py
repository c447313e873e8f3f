"""Who sits where at a table, what he has added to the cards, and what no log tells of him."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeVar, cast

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.tables import events as e

T = TypeVar("T")


class Circumstances(NamedTuple):
    """What no log tells: how long the person on turn still has, who is away, and who is so too long, or the host."""

    left: float | None = None
    away: frozenset[SeatNumber] = frozenset()
    gone: frozenset[SeatNumber] = frozenset()
    host_here: bool = True
    alone: bool = False  # whether all persons who sit here are one, by their keys
    unasked: frozenset[SeatNumber] = frozenset()  # seats that somebody asked for who can no longer have them


UNTOLD = Circumstances()


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat as it is now."""

    kind: Literal["here", "friend", "driver"]
    name: str
    colour: str
    driver: str  # of the computer's; empty: a person's seat
    taken: bool

    @property
    def free(self) -> bool:
        """Whether somebody may sit down here."""
        return not self.driver and not self.taken


@dataclass(frozen=True, slots=True)
class GivenShare:
    """What somebody has added to a deal. It stays where it is, or whoever leaves would have a say in the cards."""

    holder: str
    share: str
    seat: SeatNumber | None  # where he sat; None: an old log does not tell
    left: bool = False  # he sits there no longer


def chair_of(seat: e.PlannedSeat) -> Chair:
    """A seat as it is planned."""
    return Chair(seat.kind, seat.name, seat.colour, seat.driver, seat.kind != "friend")


def numbered(chairs: Sequence[T]) -> Iterator[tuple[SeatNumber, T]]:
    """All chairs of a table, or what is planned for them, each with the number of its seat."""
    return cast("Iterator[tuple[SeatNumber, T]]", enumerate(chairs))


def left_by_seat(shares: Sequence[GivenShare], seat: SeatNumber) -> list[GivenShare]:
    """Shares, those of a seat as of somebody who sits there no longer."""
    return [replace(share, left=True) if share.seat == seat else share for share in shares]
