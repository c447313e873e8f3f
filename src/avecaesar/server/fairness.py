"""Whose errand is next: start-time fair queueing (Goyal, Vin and Cheng, 1996), first over addresses, then over people.

Each address has a virtual clock of the worker seconds that it was given; the address that lies furthest back is served
next, and within it the person who lies furthest back. Whoever comes anew begins at the present, with neither credit nor
debt. Only then does it count how urgent an errand is, and which came first. It knows neither time nor processes.

Whoever rents a network has all its addresses, so each network has a clock as well, which runs `NEIGHBOURS` times as
slowly: it holds its addresses back when they are given more than so many households together.

However many wait, to find the next takes a moment: the event loop and all workers wait for it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import IntEnum
from heapq import heapify, heappop, heappush
from typing import Any, Generic, NamedTuple, TypeVar

from avecaesar.server.networks import NEIGHBOURS, wider

LONG = 0.5  # seconds: an errand that may take longer leaves a worker free for those that do not
VERY_LONG = 5.0  # seconds, the most a driver thinks: what may take longer leaves two workers free, of three or more
LENGTHS = range(3)  # short, long, very long
EXPECTED = 1.0  # seconds at most that are charged in advance; the rest when the errand is done
UNWATCHED_WEIGHT = 0.25  # the share of all that nobody watches, beside the 1 of an address
MOST_REMEMBERED = 1000  # people, unless more have errands that wait or run

T = TypeVar("T", bound=Hashable)
F = TypeVar("F", bound="_Flow[Any]")


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


class _Rank(NamedTuple):
    """When a turn comes: the least is next."""

    due: float  # in virtual time
    urgency: Urgency
    number: int


class _Order(Generic[T]):
    """Names by their ranks, the least first. To place one takes little time, however many there are.

    It is a heap, in which a rank that is not its name's any more stays until it comes first, or until most are such.
    """

    __slots__ = ("_heap", "ranks")

    def __init__(self) -> None:
        self.ranks: dict[T, _Rank] = {}
        self._heap: list[tuple[_Rank, T]] = []

    def __len__(self) -> int:
        return len(self.ranks)

    @property
    def first(self) -> tuple[_Rank, T]:
        """The least rank, and whose it is; there must be one."""
        while self.ranks.get(self._heap[0][1]) != self._heap[0][0]:
            heappop(self._heap)
        return self._heap[0]

    def place(self, name: T, rank: _Rank | None) -> None:
        """Let a name have another rank, or none."""
        if rank is None:
            self.ranks.pop(name, None)
        elif self.ranks.get(name) != rank:
            self.ranks[name] = rank
            heappush(self._heap, (rank, name))
        if len(self._heap) > 2 * len(self.ranks):
            self._heap = [(rank, name) for name, rank in self.ranks.items()]
            heapify(self._heap)


def _orders() -> tuple[_Order[T], ...]:
    return tuple(_Order() for _ in LENGTHS)


@dataclass(eq=False, slots=True)
class _Flow(Generic[T]):
    """Whoever is served by turns: his virtual time, and by whose turns those are served who share his.

    They stand in one order for each length: in it is what could be begun when nothing longer may.
    """

    due: float = 0.0
    waiting: tuple[_Order[T], ...] = field(default_factory=_orders)
    running: int = 0  # errands

    @property
    def backlogged(self) -> bool:
        return bool(self.waiting[-1])

    @property
    def idle(self) -> bool:
        return not (self.backlogged or self.running)

    def rank(self, longest: int) -> _Rank | None:
        """When the next of his turns comes, if nothing longer may be begun; None: nothing of his waits that may be."""
        if not (order := self.waiting[longest]):
            return None
        return _Rank(self.due, *order.first[0][1:])


class _Address(_Flow[str]):
    """The people of an address, and the virtual present among them."""

    def __init__(self, network: str) -> None:
        super().__init__()
        self.network = network
        self.people: dict[str, _Flow[Any]] = {}
        self.now = 0.0
        self.long = 0  # errands that are running


class _Network(_Flow[str]):
    """The addresses of a network, whom it holds back when they were given much together."""

    def rank(self, longest: int) -> _Rank | None:
        """When the turn of the first of its addresses comes."""
        if not (order := self.waiting[longest]):
            return None
        first, _ = order.first
        return first if first.due > self.due else first._replace(due=self.due)


@dataclass(eq=False, slots=True)
class _Ticket:
    """What is known of an errand."""

    number: int
    askers: dict[Asker, None]  # each once, however often he asks
    takes: float
    charged: Asker | None = None  # while it runs
    length: int = field(init=False)

    def __post_init__(self) -> None:
        self.length = (self.takes > LONG) + (self.takes > VERY_LONG)

    @property
    def in_advance(self) -> float:
        return min(self.takes, EXPECTED)


class FairQueue(Generic[T]):
    """Errands that wait, and on whose account those are done that run.

    People stand in the order of their address, addresses in that of their network, and networks in that of the queue.
    Whenever something changes about somebody, he and they are put in their places; so the next is always the first.
    """

    def __init__(self) -> None:
        self._tickets: dict[T, _Ticket] = {}
        self._running = [0] * len(LENGTHS)  # how many are at least so long
        self._share = 1  # of long errands that an address may have at work
        self._waiting = 0
        self._count = 0
        self._networks: dict[str, _Network] = {}
        self._networks_in_order: tuple[_Order[str], ...] = _orders()
        self._addresses: dict[str, _Address] = {}
        self._now = 0.0  # the virtual present among addresses
        self._backlogged = 0  # addresses
        self._people, self._most_people = 0, MOST_REMEMBERED

    def __len__(self) -> int:
        return self._waiting

    @property
    def remembered(self) -> int:
        """How many addresses have an account."""
        return len(self._addresses)

    def add(self, item: T, askers: Sequence[Asker], takes: float) -> None:
        """Let an errand wait that takes at most so many seconds, as far as one knows."""
        self._count += 1
        self._tickets[item] = _Ticket(self._count, {}, takes)
        self._waiting += 1
        for asker in askers:
            self.join(item, asker)

    def join(self, item: T, asker: Asker) -> None:
        """Somebody else waits for the same errand; it is done when the turn of either comes."""
        ticket = self._tickets.get(item)
        if ticket is None or ticket.charged is not None:
            return
        person, rank = self._enter(asker), _Rank(0.0, asker.urgency, ticket.number)
        rank = min(rank, person.waiting[-1].ranks.get(item, rank))
        for order in person.waiting[ticket.length :]:
            order.place(item, rank)
        ticket.askers[asker] = None
        self._place(asker)

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
        self._share_out(workers)
        full = [length for length in (1, 2) if self._running[length] >= places(workers, length)]
        longest = min(full, default=len(LENGTHS)) - 1
        if not (networks := self._networks_in_order[longest]):
            return None
        network = self._networks[networks.first[1]]
        _, where = network.waiting[longest].first
        address = self._addresses[where]
        longest = self._longest_of(address, longest)
        _, who = address.waiting[longest].first
        person: _Flow[T] = address.people[who]
        (_, urgency, _), item = person.waiting[longest].first
        ticket = self._tickets[item]
        ticket.charged = Asker(where, who, urgency)
        network.due = max(network.due, address.due)  # it saves nothing up while few of its addresses ask
        self._now = _moved_on(self._now, address, ticket.in_advance, self._backlogged)
        address.now = _moved_on(address.now, person, ticket.in_advance, len(address.waiting[-1]))
        self._unlist(item, ticket)
        self._at_work(ticket, 1)
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
        askers, ticket.askers, ticket.charged = ticket.askers, {}, None
        self._waiting += 1
        for asker in askers:
            self.join(item, asker)

    def clear(self) -> list[T]:
        """All that wait, which are forgotten."""
        waiting = [item for item, ticket in self._tickets.items() if ticket.charged is None]
        for item in waiting:
            self.drop(item)
        return waiting

    def _enter(self, asker: Asker) -> _Flow[T]:
        """Somebody; if nothing of his waits, he goes on at the present, and so does his address."""
        address = self._addresses.get(asker.address)
        if address is None:
            address = self._addresses[asker.address] = _Address(wider(asker.address))
        if address.network not in self._networks:
            self._networks[address.network] = _Network()
        if not address.backlogged:
            address.due = max(address.due, self._now)
        if asker.person not in address.people:
            address.people[asker.person] = _Flow()
            self._people += 1
        person = address.people[asker.person]
        if not person.backlogged:
            person.due = max(person.due, address.now)
        return person

    def _place(self, asker: Asker) -> None:
        """Something has changed about somebody: put him in his place, his address in its, and its network."""
        address = self._addresses[asker.address]
        network = self._networks[address.network]
        person, before = address.people[asker.person], len(network.waiting[-1])
        for longest in LENGTHS:
            address.waiting[longest].place(asker.person, person.rank(longest))
            network.waiting[longest].place(asker.address, address.rank(self._longest_of(address, longest)))
            self._networks_in_order[longest].place(address.network, network.rank(longest))
        self._backlogged += len(network.waiting[-1]) - before

    def _longest_of(self, address: _Address, longest: int) -> int:
        """How long an address's errands may be, when nobody's may be longer than that."""
        return 0 if address.long >= self._share else longest

    def _share_out(self, workers: int) -> None:
        """Other workers, other shares: who has long errands at work may begin more of them, or no more."""
        if self._share != share(workers):
            self._share = share(workers)
            for ticket in self._tickets.values():
                if ticket.charged is not None:
                    self._place(ticket.charged)

    def _charge(self, asker: Asker, seconds: float) -> None:
        cost = seconds / UNWATCHED_WEIGHT if asker.urgency is Urgency.UNWATCHED else seconds
        address = self._addresses[asker.address]
        address.due += cost
        address.people[asker.person].due += cost
        self._networks[address.network].due += cost / NEIGHBOURS
        self._place(asker)

    def _end(self, ticket: _Ticket, seconds: float) -> None:
        assert ticket.charged is not None
        self._at_work(ticket, -1)
        self._charge(ticket.charged, seconds - ticket.in_advance)

    def _at_work(self, ticket: _Ticket, more: int) -> None:
        assert ticket.charged is not None
        address = self._addresses[ticket.charged.address]
        for flow in (self._networks[address.network], address, address.people[ticket.charged.person]):
            flow.running += more
        address.long += more if ticket.length else 0
        for length in LENGTHS[: ticket.length + 1]:
            self._running[length] += more

    def _unlist(self, item: T, ticket: _Ticket) -> None:
        self._waiting -= 1
        for asker in ticket.askers:
            for order in self._addresses[asker.address].people[asker.person].waiting:
                order.place(item, None)
            self._place(asker)

    def _forget(self) -> None:
        """Forget whoever has nothing to wait for and no debts; everybody when nothing is to be done.

        That takes a look at everybody, so it is done when there are twice as many as after the last one.
        """
        if not self._tickets:
            self._addresses.clear()
            self._networks.clear()
            self._people, self._most_people = 0, MOST_REMEMBERED
        elif self._people > self._most_people:
            for address in self._addresses.values():
                _forget_idle(address.people, address.now)
            _forget_idle(self._addresses, self._now)
            _forget_idle(self._networks, self._now)
            self._people = sum(len(address.people) for address in self._addresses.values())
            self._most_people = max(MOST_REMEMBERED, 2 * self._people)


def _moved_on(now: float, flow: _Flow[Any], seconds: float, waiting: int) -> float:
    """The present when one of so many is served. It moves on by less than he pays: whoever comes anew is before him.

    It does move on: otherwise an endless row of newcomers would keep somebody waiting for ever.
    """
    return max(now, flow.due) + seconds / (1 + waiting)


def _forget_idle(flows: dict[str, F], now: float) -> None:
    """Forget whoever rests and has no debts, and the smallest debts of too many."""
    idle = sorted((flow.due, name) for name, flow in flows.items() if flow.idle)
    many = len(idle) - MOST_REMEMBERED // 2
    for number, (due, name) in enumerate(idle):
        if due <= now or number < many:
            del flows[name]


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
