"""A flood at the door costs a round of the event loop no more than so much work."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import count
from typing import Any

import pytest

from avecaesar.server.http.arrivals import A_GULP, AT_ONCE, MOST_REMEMBERED, MOST_WAITING, Arrivals
from work import calls_of

HOUSEHOLDS = [f"10.66.1.{host}" for host in range(256)]
FLOODS = {
    "one address": ["10.66.1.1"],
    "one network": HOUSEHOLDS,
    "eight networks": [f"10.66.{network}.{host}" for network in range(8) for host in range(256)],
}


class Line:
    """A connection that is counted when it is hung up on."""

    def __init__(self) -> None:
        self.closed = False

    def close(self) -> None:
        self.closed = True


class Flood:
    """A door whose queue at the system never ends."""

    def __init__(self, addresses: Iterator[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.accepted = 0
        self._addresses = addresses
        monkeypatch.setattr(socket.socket, "accept", lambda _: self._accept())

    def _accept(self) -> tuple[Any, Any]:
        self.accepted += 1
        return Line(), (next(self._addresses), 1)


@pytest.fixture
def door() -> Iterator[Arrivals]:
    with ExitStack() as opened:
        listening = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        yield opened.enter_context(Arrivals(listening))


def round_of(door: Arrivals) -> int:
    """What the event loop does at a door in a round: look whether anybody waits, and let in until nobody may."""
    door.gather()
    came = 0
    with suppress(BlockingIOError):
        while True:
            door.accept()
            came += 1
    return came


def a_flood(addresses: list[str]) -> Iterator[str]:
    return (addresses[number % len(addresses)] for number in count())


@pytest.mark.parametrize("addresses", FLOODS.values(), ids=FLOODS)
def test_a_round_takes_so_many_connections_and_no_more(
    door: Arrivals, addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    flood = Flood(a_flood(addresses), monkeypatch)
    for number in range(1, 20):
        assert round_of(door) == AT_ONCE
        assert flood.accepted == number * A_GULP


@pytest.mark.parametrize("addresses", FLOODS.values(), ids=FLOODS)
def test_who_is_hung_up_on_is_found_without_looking_at_all_who_wait_each_time(
    door: Arrivals, addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Flood(a_flood(addresses), monkeypatch)
    for _ in range(2 * MOST_WAITING // A_GULP):
        round_of(door)
    assert calls_of(lambda: round_of(door)) < 20 * (MOST_WAITING + A_GULP)


def test_accounts_of_a_flood_are_looked_through_seldom(door: Arrivals, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody in it is let in soon, so that everybody owes something."""
    Flood((f"10.{n % 200}.{n // 200 % 200}.{n // 40_000}" for n in count()), monkeypatch)
    accounts = list[Any]()
    for _ in range(2 * MOST_REMEMBERED // A_GULP):
        round_of(door)
        accounts += [] if accounts and accounts[-1] is door._due else [door._due]
        assert len(door._due) <= MOST_REMEMBERED
    assert 1 < len(accounts) < 10
