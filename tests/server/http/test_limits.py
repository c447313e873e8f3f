"""How often somebody may ask, and how many may come: buckets, crowds and connections."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Event

import pytest

from avecaesar.server.http.gatekeeper import Crowd, Limits, Settings
from avecaesar.server.networks import NEIGHBOURS
from avecaesar.server.rates import InMemory, Rate
from avecaesar.server.store.database import READERS, Store
from servers import ROOMY, ServerClient, hear, in_a_thread, until_closed

# ---------------------------------------------------------------------- limits


class Clock:
    """Time that passes when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_gives_what_is_in_it_and_fills_again() -> None:
    clock, rate = Clock(), Rate(2, 3)
    rates = InMemory(clock)
    assert [rates.take("x", "a", rate) for _ in range(4)] == [0, 0, 0, 0.5]
    assert rates.take("x", "b", rate) == rates.take("y", "a", rate) == 0
    clock.now = 0.5
    assert [rates.take("x", "a", rate), rates.take("x", "a", rate)] == [0, 0.5]
    clock.now = 1000
    assert [rates.take("x", "a", rate) for _ in range(4)] == [0, 0, 0, 0.5]
    clock.now = 2000
    assert [rates.take("x", "a", rate, 2) for _ in range(2)] == [0, 0.5]
    assert rates.take("x", "a", rate) == 0  # what was refused was not taken


def test_buckets_that_nobody_uses_are_forgotten() -> None:
    clock = Clock()
    rates = InMemory(clock, most=100)
    for number in range(10_000):
        clock.now += 0.5
        rates.take("x", str(number), Rate(1, 1))
        assert len(rates) <= 100


def test_who_comes_from_ever_new_addresses_empties_no_bucket_but_his_own() -> None:
    rates, rate = InMemory(Clock(), most=100), Rate(0.001, 3)
    while rates.take("x", "spent", rate) == 0:
        pass
    for number in range(10_000):
        rates.take("x", str(number), rate)
    assert len(rates) <= 100
    assert rates.take("x", "spent", rate) > 0


@pytest.mark.parametrize("one", ["2001:db8:7:{:x}::1", "192.0.2.{}"])
def test_rotating_addresses_of_one_network_are_counted_together(tmp_path: Path, one: str) -> None:
    settings = Settings(proxy=True, limits=Limits(tables=Rate(0.0001, 1)))
    statuses = []
    with in_a_thread(tmp_path / "a.db", settings) as server:
        for number in range(NEIGHBOURS + 2):
            said = {"X-Forwarded-For": one.format(number)}
            statuses.append(server.client.post("/api/tables", json={"seats": [{}, {}]}, headers=said).status_code)
    assert statuses == [201] * NEIGHBOURS + [429] * 2


def test_a_crowd_ends_where_the_room_is_full_and_leaves_nothing_behind() -> None:
    crowd = Crowd()
    with (
        crowd.enter({"a": 2, "b": 5}) as first,
        crowd.enter({"a": 2}) as second,
        crowd.enter({"b": 5, "a": 2}) as third,
    ):
        assert (first, second, third) == (None, None, "a")
    assert len(crowd) == 0


# ---------------------------------------------------------------------- too much


def test_who_asks_too_often_is_told_when_to_come_again(tmp_path: Path) -> None:
    limits = Limits(requests=Rate(0.01, 8), tables=Rate(0.001, 2))
    with in_a_thread(tmp_path / "a.db", Settings(limits=limits)) as server:
        laying = [server.client.post("/api/tables", json={"seats": [{}, {}]}) for _ in range(3)]
        assert [answer.status_code for answer in laying] == [201, 201, 429]
        assert int(laying[2].headers["retry-after"]) > 100
        asking = [server.client.get("/api/health").status_code for _ in range(5)]
        assert asking == [200, 200, 200, 200, 429]


def test_connections_of_an_address_have_an_end_and_a_place_becomes_free(tmp_path: Path) -> None:
    limits = Limits(strangers=2)
    with in_a_thread(tmp_path / "a.db", Settings(limits=limits)) as server:
        laid = server.lay()
        table = laid["table"]
        with server.socket(table) as first:
            assert hear(first)["is"] == "whole"
            with server.socket(table) as second, server.socket(table) as third:
                assert hear(second)["is"] == "whole"
                assert hear(third)["problem"] == "too many connections from your address"
                assert until_closed(third) == []
                assert third.protocol.close_code == 1013
                with server.socket(table, laid["token"]) as seated:
                    assert hear(seated)["is"] == "whole"
        with server.socket(table) as again:
            assert hear(again)["is"] == "whole"


@contextmanager
def nothing_is_read(store: Store) -> Iterator[None]:
    """Meanwhile the readers are held up."""
    held, let_go = Barrier(READERS + 1), Event()

    def wait() -> None:
        held.wait(60)
        assert let_go.wait(60)

    for _ in range(READERS):
        store._readers.submit(wait)
    held.wait(60)
    try:
        yield
    finally:
        let_go.set()


def test_of_a_household_and_of_a_network_so_many_reads_wait_and_no_more(tmp_path: Path) -> None:
    settings = Settings(proxy=True, limits=replace(ROOMY, reads=1))
    with in_a_thread(tmp_path / "a.db", settings) as server, ThreadPoolExecutor(NEIGHBOURS + 2) as people:
        store: Store = server.app.state.house.store

        def ask(address: str) -> int:
            return server.client.get("/api/tables", headers={"X-Forwarded-For": address}).status_code

        def ask_and_wait(address: str) -> Future[int]:
            asked = people.submit(ask, address)
            while not store.reading[address]:
                assert not asked.done()
            return asked

        laid = server.lay()
        with nothing_is_read(store):
            crowd = [ask_and_wait(f"192.0.2.{number}") for number in range(NEIGHBOURS)]
            assert ask("192.0.2.1") == ask("192.0.2.99") == 429
            crowd.append(ask_and_wait("198.51.100.1"))
            seat = people.submit(sight, server, laid, "192.0.2.1")
        assert [asked.result(60) for asked in crowd] == [200] * len(crowd)
        assert seat.result(60) == "whole"
        assert ask("192.0.2.1") == ask("192.0.2.99") == 200
        assert not store.reading


def sight(server: ServerClient, laid: dict[str, str], address: str) -> str:
    """What somebody hears first at his seat."""
    with server.socket(laid["table"], laid["token"], **{"X-Forwarded-For": address}) as socket:
        return str(hear(socket)["is"])
