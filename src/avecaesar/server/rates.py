"""How often somebody may do something: token buckets behind an interface that several servers can share later.

The library made for this, `limits` (5.8), was looked at and not taken: it has windows and no token bucket; its memory
has no end, for a key per stranger is kept until its window closes, and is walked from end to end in a thread a hundred
times a second; and it reads the wall clock, so that a clock set back locks people out and no test can drive it. This is
GCRA, the token bucket as one number a key, which Redis can keep as well (that is what its module redis-cell does).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple, Protocol

A_FEW = 8  # buckets that are looked at to forget one


class Rate(NamedTuple):
    """So many a second in the long run, and so many at once."""

    a_second: float
    at_once: int

    def times(self, factor: int) -> Rate:
        """So many times as often."""
        return Rate(self.a_second * factor, self.at_once * factor)


class Rates(Protocol):
    """All buckets, here or in a place that several servers share."""

    def take(self, name: str, key: str, rate: Rate, cost: int = 1) -> float:
        """Take so many from a bucket, and get 0; or, if there are not so many, the seconds until there will be."""

    def give_back(self, name: str, key: str, rate: Rate, cost: int = 1) -> None:
        """Give back what was taken a moment ago."""


class InMemory:
    """Buckets of one process.

    A bucket is kept as the moment at which it will be full again; from then on it need not be kept. When there are too
    many, one that lacks least goes for each that comes: whoever comes from ever new addresses pushes out buckets that
    he has hardly touched, and never an empty one. They stand in a heap by that moment as it was when they were put
    there; those that were touched since are put in their place a few at a time.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = 20_000) -> None:
        self._clock, self._most = clock, most
        self._full_at: dict[tuple[str, str], float] = {}
        self._heap: list[tuple[float, tuple[str, str]]] = []

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, name: str, key: str, rate: Rate, cost: int = 1) -> float:
        """Take so many from a bucket, and get 0; or, if there are not so many, the seconds until there will be."""
        now, bucket = self._clock(), (name, key)
        full_at = max(self._full_at.get(bucket, now), now) + cost / rate.a_second
        wait = full_at - now - rate.at_once / rate.a_second
        if wait > 1e-9:  # seconds; less is a rounding error
            return wait
        if bucket not in self._full_at:
            if len(self._full_at) >= self._most:
                self._forget()
            heappush(self._heap, (full_at, bucket))
        self._full_at[bucket] = full_at
        return 0.0

    def give_back(self, name: str, key: str, rate: Rate, cost: int = 1) -> None:
        """Give back what was taken a moment ago."""
        if (name, key) in self._full_at:
            self._full_at[name, key] -= cost / rate.a_second

    def _forget(self) -> None:
        """Forget the bucket that lacks least, of a few that lacked least when they were put in their place."""
        looked_at = list[tuple[str, str]]()
        while self._heap and len(looked_at) < A_FEW:
            placed_at, bucket = heappop(self._heap)
            looked_at.append(bucket)
            if self._full_at[bucket] <= placed_at:
                break  # none lacks less
        least = min(looked_at, key=self._full_at.__getitem__)
        for bucket in looked_at:
            if bucket != least:
                heappush(self._heap, (self._full_at[bucket], bucket))
        del self._full_at[least]


def take_for_all(rates: Rates, taken: Sequence[tuple[str, str, Rate]], cost: int = 1) -> float:
    """Take from all of these buckets, and get 0; or from none, and get the seconds until there will be so many.

    A household is not charged for what its network refuses, nor the network for what the household may not have.
    """
    for number, (name, key, rate) in enumerate(taken):
        if wait := rates.take(name, key, rate, cost):
            for before in taken[:number]:
                rates.give_back(*before, cost)
            return wait
    return 0.0


@dataclass(frozen=True, slots=True)
class Quotas:
    """What one person, one address and one table may have of what costs the server something for good."""

    links: Rate = Rate(60 / 3600, 30)  # noqa: RUF009  # of a person
    sayings: Rate = Rate(0.5, 20)  # noqa: RUF009  # of a seat at a table
    deeds: Rate = Rate(1, 60)  # noqa: RUF009  # of a seat at a table, and of who ends rights: neither said nor a move
    chatter: Rate = Rate(2, 60)  # noqa: RUF009  # of a table
    driven: Rate = Rate(20, 100)  # noqa: RUF009  # moves that the computer makes at the tables of an address
    unwatched: Rate = Rate(40, 40)  # noqa: RUF009  # and at all tables together that nobody watches
    comings: Rate = Rate(0.1, 12)  # noqa: RUF009  # of people of an address who take a seat at a table or ask for one
    forgetting: Rate = Rate(20 / 3600, 10)  # noqa: RUF009  # of an address
    uploads: Rate = Rate(32 * 2**20 / 3600, 16 * 2**20)  # noqa: RUF009  # bytes of an address
    wakes: Rate = Rate(500, 40_000)  # noqa: RUF009  # events in logs that an address has folded: wakes tables, erases words
    courses: Rate = Rate(10, 256)  # noqa: RUF009  # of uploaded boards that are unpacked for an address
    written: Rate = Rate(20, 1000)  # noqa: RUF009  # races in records of tables that are put together for an address
    kept: int = 2 * 2**30  # bytes of all uploads together
    pace: float = 0.2  # seconds a move at least at a table where no person races: all tables share a writer
    open_tables: int = 5  # of an address in the lobby at a time
    rights: int = 1000  # links and invitations that are kept of a table
