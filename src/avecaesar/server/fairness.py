"""Whose errand is next: start-time fair queueing (Goyal, Vin and Cheng, 1996), first over addresses, then over people.

Each address has a virtual clock of the worker seconds that it was given; the address that lies furthest back is served
next, and within it the person who lies furthest back. Whoever comes anew begins at the present, with neither credit nor
debt. Only then does it count how urgent an errand is, and which came first. It knows neither time nor processes.

Whoever rents a network has all its addresses, so each network has a clock as well, which runs `NEIGHBOURS` times as
slowly: it holds its addresses back when they are given more than so many households together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Generic, NamedTuple, Protocol, TypeVar

from avecaesar.server.networks import NEIGHBOURS, wider

LONG = 0.5  # seconds: an errand that may take longer leaves a worker free for those that do not
VERY_LONG = 5.0  # seconds, the most a driver thinks: what may take longer leaves two workers free, of three or more
EXPECTED = 1.0  # seconds at most that are charged in advance; the rest when the errand is done
UNWATCHED_WEIGHT = 0.25  # the share of all that nobody watches, beside the 1 of an address
MOST_REMEMBERED = 1000  # addresses, networks, and people of an address

T = TypeVar("T", bound=Hashable)


class _Flow(Protocol):
    """Whoever is served by turns: his virtual time, whether anything of his waits, and whether it rests altogether."""

    due: float

    @property
    def backlogged(self) -> bool: ...

    @property
    def idle(self) -> bool: ...


F = TypeVar("F", bound=_Flow)


class Urgency(IntEnum):
    """Who waits for an errand."""

    SEATED = 0  # somebody at his seat
    ASKED = 1  # somebody else
    UNWATCHED = 2  # nobody just now


class Asker(NamedTuple):
    """On whose account an errand is done. Addresses are kept in memory only."""

    address: str  # what counts as one: see `networks.household`; "" is the server itself
    person: str  # the hash of a key or, without one, the address
    urgency: Urgency = Urgency.ASKED


NOBODY = Asker("", "", Urgency.UNWATCHED)
_asking: ContextVar[tuple[Asker, ...]] = ContextVar("asking", default=(NOBODY,))
_counted: ContextVar[Asker] = ContextVar("counted", default=NOBODY)


def asking() -> tuple[Asker, ...]:
    """On whose behalf something is done here and now."""
    return _asking.get()


def counted_to() -> Asker:
    """Whose quotas count what is done here and now, and refuse what is too much."""
    return _counted.get()


@contextmanager
def on_behalf_of(*askers: Asker, counted: bool = True) -> Iterator[None]:
    """Whatever workers are asked meanwhile is asked by these; it is done when the turn of any one of them comes.

    It is counted to the first of them, or to nobody: where others wait for the same, they are not refused for his sake.
    """
    token, count = _asking.set(tuple(dict.fromkeys(askers))), _counted.set(askers[0] if counted else NOBODY)
    try:
        yield
    finally:
        _counted.reset(count)
        _asking.reset(token)


@dataclass(eq=False, slots=True)
class _Person(Generic[T]):
    """Somebody's errands that wait, and his virtual time."""

    due: float = 0.0
    waiting: dict[T, Urgency] = field(default_factory=dict)
    running: int = 0

    @property
    def backlogged(self) -> bool:
        return bool(self.waiting)

    @property
    def idle(self) -> bool:
        return not (self.waiting or self.running)


@dataclass(eq=False, slots=True)
class _Turns(Generic[F]):
    """Those who share something, by name, and the virtual present among them."""

    flows: dict[str, F] = field(default_factory=dict)
    now: float = 0.0

    def enter(self, name: str, new: Callable[[], F]) -> F:
        """Somebody's flow; if nothing waits in it, it goes on at the present."""
        flow = self.flows.setdefault(name, new())
        if not flow.backlogged:
            flow.due = max(flow.due, self.now)
        return flow

    def advance(self, flow: F, seconds: float) -> None:
        """A flow is served. The present moves on by less than it pays, so that whoever comes anew is before it.

        It does move on: otherwise an endless row of newcomers would keep a flow waiting for ever.
        """
        others = sum(other.backlogged for other in self.flows.values() if other is not flow)
        self.now = max(self.now, flow.due) + seconds / (2 + others)

    def forget(self) -> None:
        """Forget whoever has nothing to wait for and no debts, and the smallest debts of too many."""
        idle = sorted((flow.due, name) for name, flow in self.flows.items() if flow.idle)
        many = len(self.flows) - MOST_REMEMBERED
        for number, (due, name) in enumerate(idle):
            if due <= self.now or number < many:
                del self.flows[name]


@dataclass(eq=False, slots=True)
class _Address(Generic[T]):
    """The people of an address, and its virtual time."""

    due: float = 0.0
    people: _Turns[_Person[T]] = field(default_factory=_Turns)
    running: Counter[int] = field(default_factory=Counter)  # errands, by how long they may take

    @property
    def backlogged(self) -> bool:
        return any(person.backlogged for person in self.people.flows.values())

    @property
    def idle(self) -> bool:
        return all(person.idle for person in self.people.flows.values())


@dataclass(eq=False, slots=True)
class _Ticket:
    """What is known of an errand."""

    number: int
    askers: list[Asker]
    takes: float
    charged: Asker | None = None  # while it runs
    length: int = field(init=False)

    def __post_init__(self) -> None:
        self.length = (self.takes > LONG) + (self.takes > VERY_LONG)

    @property
    def in_advance(self) -> float:
        return min(self.takes, EXPECTED)


class _Next(NamedTuple, Generic[T]):
    """An errand that could be next."""

    urgency: Urgency
    number: int
    item: T
    asker: Asker


class FairQueue(Generic[T]):
    """Errands that wait, and on whose account those are done that run."""

    def __init__(self) -> None:
        self._addresses: _Turns[_Address[T]] = _Turns()
        self._networks: dict[str, float] = {}  # their virtual times
        self._tickets: dict[T, _Ticket] = {}
        self._running = Counter[int]()  # of all addresses, by how long they may take
        self._waiting = 0
        self._count = 0

    def __len__(self) -> int:
        return self._waiting

    @property
    def remembered(self) -> int:
        """How many addresses have an account."""
        return len(self._addresses.flows)

    def add(self, item: T, askers: Sequence[Asker], takes: float) -> None:
        """Let an errand wait that takes at most so many seconds, as far as one knows."""
        self._count += 1
        self._tickets[item] = _Ticket(self._count, [], takes)
        self._waiting += 1
        for asker in askers:
            self.join(item, asker)

    def join(self, item: T, asker: Asker) -> None:
        """Somebody else waits for the same errand; it is done when the turn of either comes."""
        ticket = self._tickets.get(item)
        if ticket is None or ticket.charged is not None:
            return
        address = self._addresses.enter(asker.address, _Address)
        person = address.people.enter(asker.person, _Person)
        person.waiting[item] = min(asker.urgency, person.waiting.get(item, asker.urgency))
        ticket.askers.append(asker)

    def drop(self, item: T) -> bool:
        """Forget an errand that waits; False if it does not."""
        ticket = self._tickets.get(item)
        if ticket is None or ticket.charged is not None:
            return False
        self._unlist(item, ticket)
        del self._tickets[item]
        self._forget()
        return True

    def take(self, workers: int) -> T | None:
        """The next errand for one of so many workers, who is free."""
        flows = self._addresses.flows
        full = [length for length in (1, 2) if _busy(self._running, length) >= places(workers, length)]
        longest, most = min(full, default=3) - 1, share(workers)
        best: tuple[float, _Next[T]] | None = None
        for name, address in flows.items():
            due = max(address.due, self._networks.get(wider(name), 0.0))
            if best is not None and due > best[0]:
                continue  # whatever it has comes later: there may be very many
            short_only = longest == 0 or _busy(address.running, 1) >= most
            first = self._first(name, address, 0 if short_only else longest)
            if first is not None and (best is None or (due, *first[:2]) < (best[0], *best[1][:2])):
                best = due, first
        if best is None:
            return None
        urgency, _, item, asker = best[1]
        ticket, address = self._tickets[item], flows[asker.address]
        person = address.people.flows[asker.person]
        self._unlist(item, ticket)
        ticket.charged = asker._replace(urgency=urgency)
        self._addresses.advance(address, ticket.in_advance)
        address.people.advance(person, ticket.in_advance)
        address.running[ticket.length] += 1
        self._running[ticket.length] += 1
        person.running += 1
        self._charge(ticket.charged, ticket.in_advance)
        return item

    def done(self, item: T, seconds: float) -> None:
        """An errand was done, or given up, after so many seconds of a worker's time."""
        self._end(self._tickets.pop(item), seconds)
        self._forget()

    def again(self, item: T, seconds: float) -> None:
        """An errand is to be done once more."""
        ticket = self._tickets[item]
        self._end(ticket, seconds)
        askers, ticket.askers, ticket.charged = ticket.askers, [], None
        self._waiting += 1
        for asker in askers:
            self.join(item, asker)

    def clear(self) -> list[T]:
        """All that wait, which are forgotten."""
        waiting = [item for item, ticket in self._tickets.items() if ticket.charged is None]
        for item in waiting:
            self.drop(item)
        return waiting

    def _first(self, name: str, address: _Address[T], longest: int) -> _Next[T] | None:
        """The next errand of an address, of those that a free worker may be given."""
        best: tuple[float, Urgency, int] | None = None
        found: tuple[T, str] | None = None
        for who, person in address.people.flows.items():
            if best is not None and person.due > best[0]:
                continue
            for item, urgency in person.waiting.items():
                ticket = self._tickets[item]
                this = person.due, urgency, ticket.number
                if (best is None or this < best) and ticket.length <= longest:
                    best, found = this, (item, who)
        if best is None or found is None:
            return None
        _, urgency, number = best
        item, who = found
        return _Next(urgency, number, item, Asker(name, who, urgency))

    def _charge(self, asker: Asker, seconds: float) -> None:
        cost = seconds / UNWATCHED_WEIGHT if asker.urgency is Urgency.UNWATCHED else seconds
        address = self._addresses.flows[asker.address]
        address.due += cost
        address.people.flows[asker.person].due += cost
        network = wider(asker.address)
        begun = self._addresses.now if seconds > 0 else 0.0  # whoever has rested begins at the present
        self._networks[network] = max(self._networks.get(network, 0.0), begun) + cost / NEIGHBOURS

    def _end(self, ticket: _Ticket, seconds: float) -> None:
        assert ticket.charged is not None
        address = self._addresses.flows[ticket.charged.address]
        address.running[ticket.length] -= 1
        self._running[ticket.length] -= 1
        address.people.flows[ticket.charged.person].running -= 1
        self._charge(ticket.charged, seconds - ticket.in_advance)

    def _unlist(self, item: T, ticket: _Ticket) -> None:
        self._waiting -= 1
        for asker in ticket.askers:
            self._addresses.flows[asker.address].people.flows[asker.person].waiting.pop(item, None)

    def _forget(self) -> None:
        """Forget whoever has nothing to wait for and no debts; everybody when nothing is to be done."""
        if not self._tickets:
            self._addresses, self._networks = _Turns(), {}
            return
        for address in self._addresses.flows.values():
            address.people.forget()
        self._addresses.forget()
        self._forget_networks()

    def _forget_networks(self) -> None:
        """Forget those that hold nobody back any more, and the smallest debts of too many."""
        owing = sorted((due, name) for name, due in self._networks.items() if due > self._addresses.now)
        self._networks = {name: due for due, name in owing[-MOST_REMEMBERED:]}


def _busy(running: Counter[int], length: int) -> int:
    """How many run that are at least so long."""
    return sum(many for each, many in running.items() if each >= length)


def places(workers: int, length: int) -> int:
    """How many errands may be at work at once that are at least so long (1: long, 2: very long).

    >>> [(places(workers, 1), places(workers, 2)) for workers in (1, 2, 3, 4)]
    [(0, 0), (1, 1), (2, 1), (3, 2)]
    """
    return max(workers - length, min(workers - 1, 1))


def share(workers: int) -> int:
    """How many long errands an address may have at work at once.

    Half of the places, or two if there are so many, so that two tables of a household are served side by side; but one
    place is always left to others.

    >>> [share(workers) for workers in (2, 3, 4, 5, 9)]
    [1, 1, 2, 2, 4]
    """
    most = places(workers, 1)
    return max(1, min(most - 1, max(2, most // 2)))
