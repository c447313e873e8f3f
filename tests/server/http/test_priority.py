"""The event loop hears a few connections a round, players first."""

from __future__ import annotations

import asyncio
import json
import selectors
import socket
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from avecaesar.server.http import protocols
from avecaesar.server.http.priority import (
    A_ROUND,
    Priority,
    PriorityLoop,
    PrioritySelector,
    do_later,
    give_rank,
    new_loop,
)
from servers import ServerClient, hear, in_a_thread

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="epoll is Linux's")
READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
MANY = 50  # more than a round takes of any rank


@pytest.fixture
def selector() -> Iterator[PrioritySelector]:
    with PrioritySelector() as selector:
        yield selector


@pytest.fixture
def lines() -> Iterator[list[socket.socket]]:
    """Connections on which something has been said."""
    with ExitStack() as opened:
        pairs = [socket.socketpair() for _ in range(MANY)]
        for line, other in pairs:
            opened.enter_context(line)
            opened.enter_context(other).send(b"x")
        yield [line for line, _ in pairs]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ServerClient]:
    with in_a_thread(tmp_path / "tables.db") as server:
        yield server


def heard_in_a_round(selector: PrioritySelector) -> list[object]:
    return [key.data for key, events in selector.select(0) if events & READ]


def test_a_round_hears_a_few_of_each_rank_and_the_highest_first(
    selector: PrioritySelector, lines: list[socket.socket]
) -> None:
    for number, line in enumerate(lines):
        rank = Priority(number % len(Priority))
        selector.register(line, READ, rank)
        selector.rank(line.fileno(), rank)
    came = heard_in_a_round(selector)
    assert came == sorted(came)  # type: ignore[type-var]
    assert Counter(came) == {rank: min(A_ROUND[rank], len(range(rank, MANY, len(Priority)))) for rank in Priority}


def test_nobody_is_let_in_while_those_who_are_in_fill_a_round(
    selector: PrioritySelector, lines: list[socket.socket]
) -> None:
    door, *others = lines
    for line in (door, *others[: A_ROUND[Priority.NEW]]):
        selector.register(line, READ, line is door)
        selector.rank(line.fileno(), Priority.DOOR if line is door else Priority.NEW)
    selector.hold(door.fileno(), lambda: True)
    assert not any(heard_in_a_round(selector))
    selector.unregister(others[0])
    assert any(heard_in_a_round(selector))


def test_of_one_rank_nobody_is_passed_over(selector: PrioritySelector, lines: list[socket.socket]) -> None:
    for number, line in enumerate(lines):
        selector.register(line, READ, number)
    rounds = -(-MANY // A_ROUND[Priority.STRANGER])
    came = Counter(number for _ in range(2 * rounds) for number in heard_in_a_round(selector))
    assert set(came) == set(range(MANY))
    assert 1 <= min(came.values()) <= max(came.values()) <= 3


def test_whoever_waits_for_strangers_hears_a_player_at_once(selector: PrioritySelector) -> None:
    line, other = socket.socketpair()
    with line, other:
        selector.register(line, READ, "player")
        selector.rank(line.fileno(), Priority.PLAYER)
        assert selector.select(0) == []
        speaking = threading.Timer(0.01, other.send, [b"x"])
        speaking.start()
        assert [key.data for key, _ in selector.select(None)] == ["player"]
        speaking.join()


def test_a_rank_stays_while_nothing_is_heard_and_goes_when_it_is_taken(
    selector: PrioritySelector, lines: list[socket.socket]
) -> None:
    selector.rank(lines[0].fileno(), Priority.PLAYER)
    for number, line in enumerate(lines):
        selector.register(line, READ, number)
    assert heard_in_a_round(selector)[0] == 0
    selector.unregister(lines[0])
    assert 0 not in heard_in_a_round(selector)
    selector.register(lines[0], READ, 0)
    assert heard_in_a_round(selector)[0] == 0
    selector.rank(lines[0].fileno(), Priority.STRANGER)
    assert len(heard_in_a_round(selector)) == A_ROUND[Priority.STRANGER]


def test_it_is_a_selector_like_any_other(selector: PrioritySelector, lines: list[socket.socket]) -> None:
    line = lines[0]
    with selectors.DefaultSelector() as usual:
        for one in (selector, usual):
            one.register(line, READ, "a")
            assert [(key.data, events) for key, events in one.select(0)] == [("a", READ)]
            one.modify(line, READ | WRITE, "b")
            assert [(key.data, events) for key, events in one.select(0)] == [("b", READ | WRITE)]
            assert one.get_key(line) == one.get_map()[line.fileno()]
            assert list(one.get_map()) in ([line.fileno()], [line])
            with pytest.raises(KeyError):
                one.register(line, READ)
            with pytest.raises(ValueError, match=r"(?i)invalid events"):
                one.register(lines[1], 0)
            one.unregister(line)
            assert one.get_map().get(line) is None
            with pytest.raises(KeyError):
                one.unregister(line)
            with pytest.raises(KeyError):
                one.modify(line, READ)
            assert one.select(0) == []


def test_a_rank_that_has_nothing_to_say_is_not_asked(
    selector: PrioritySelector, lines: list[socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    class Poll:
        """Tells when it is asked."""

        def __init__(self, rank: Priority) -> None:
            self._rank, self._poll = rank, selector._polls[rank]

        def __getattr__(self, name: str) -> object:
            return getattr(self._poll, name)

        def poll(self, timeout: float, most: int) -> list[tuple[int, int]]:
            asked.append(self._rank)
            return self._poll.poll(timeout, most)

    monkeypatch.setattr(selector, "_polls", {rank: Poll(rank) for rank in Priority})
    selector.select(0)
    selector.select(0.001)
    assert asked == []
    for line, rank in ((lines[0], Priority.STRANGER), (lines[1], Priority.NEW)):
        selector.register(line, READ, rank)
        selector.rank(line.fileno(), rank)
    assert heard_in_a_round(selector) == [Priority.NEW, Priority.STRANGER]
    assert asked == [Priority.NEW, Priority.STRANGER]


def test_a_file_that_was_closed_before_it_is_let_go_breaks_nothing(selector: PrioritySelector) -> None:
    line, other = socket.socketpair()
    selector.register(line, READ)
    number = line.fileno()
    line.close()
    other.close()
    assert selector.unregister(number).fd == number
    with pytest.raises(ValueError, match="closed"):
        selector.register(line, READ)


def test_other_threads_wake_the_loop_before_any_stranger(lines: list[socket.socket]) -> None:
    """Answers of the database and of workers come by a thread."""
    order: list[str] = []

    async def flooded() -> int:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, PriorityLoop)
        answered = loop.create_future()
        for line in lines:
            loop.add_reader(line, order.append, "stranger")
        thread = threading.Thread(target=loop.call_soon_threadsafe, args=(answered.set_result, None))
        thread.start()
        thread.join()
        await answered
        return len(order)

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(flooded()) <= 2 * A_ROUND[Priority.STRANGER]


def test_what_has_been_read_already_is_worked_on_a_few_of_each_rank_a_round() -> None:
    done: list[tuple[int, Priority]] = []

    async def work() -> None:
        number = 0
        for rank in (Priority.STRANGER, Priority.PLAYER):
            for _ in range(MANY):
                do_later(rank, lambda rank=rank: done.append((number, rank)))  # type: ignore[misc]
        while len(done) < 2 * MANY:
            await asyncio.sleep(0)
            number += 1

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(work())
    assert max(Counter(done).values()) <= A_ROUND[Priority.PLAYER]
    assert (
        max(many for (_, rank), many in Counter(done).items() if rank is Priority.STRANGER)
        <= A_ROUND[Priority.STRANGER]
    )
    assert done[0][1] is Priority.PLAYER


def test_a_pipeline_of_requests_is_answered_in_order_one_in_a_round_and_no_more(
    served: ServerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    later: list[Priority] = []

    def counted(rank: Priority, work: Callable[[], object]) -> None:
        later.append(rank)
        do_later(rank, work)

    monkeypatch.setattr(protocols, "do_later", counted)
    port = int(served.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line, line.makefile("rb") as answers:
        line.sendall(f"GET /api/health HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode() * 40)
        answered = 0
        while answered < 40:
            said = answers.readline()
            assert said, "hung up"
            answered += b"HTTP/1.1 200" in said  # a body ends without a line's end
    assert later.count(Priority.STRANGER) >= 39


def test_whoever_comes_and_says_nothing_is_no_newcomer_for_long(
    served: ServerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[object, Priority]] = []

    def note(line: Any, rank: Priority) -> None:
        given.append((line.getpeername(), rank))
        give_rank(line, rank)

    monkeypatch.setattr(protocols, "give_rank", note)
    with socket.create_connection(("127.0.0.1", served.client.base_url.port)) as line:
        me = line.getsockname()
        for _ in range(1000):  # until he has stepped back
            served.client.get("/api/health")
            if (me, Priority.STRANGER) in given:
                break
        assert [rank for who, rank in given if who == me] == [Priority.NEW, Priority.STRANGER]
        line.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert line.recv(9) == b"HTTP/1.1 "


def test_on_another_loop_a_rank_means_nothing(lines: list[socket.socket]) -> None:
    async def given() -> None:
        give_rank(lines[0], Priority.PLAYER)
        give_rank(None, Priority.PLAYER)

    asyncio.run(given())


def test_whoever_has_a_place_at_a_table_comes_first_until_he_gives_it_up(served: ServerClient) -> None:
    loop = served.app.state.watchdog._loop
    assert isinstance(loop, PriorityLoop)

    def players() -> int:
        return sum(rank is Priority.PLAYER for rank in loop.priorities._ranks.values())

    laid = served.lay({"kind": "here"}, {"kind": "friend"})
    token = laid["invitation"].partition("#")[2]
    guest = served.client.post(f"/api/tables/{laid['table']}/sit", json={"token": token}).json()
    before = players()
    with served.socket(laid["table"], laid["token"]) as host:
        hear(host)
        assert players() == before + 1
        with served.socket(laid["table"]) as stranger, served.socket(laid["table"], guest["token"]) as friend:
            hear(stranger)
            hear(friend)
            assert players() == before + 2
            friend.send(json.dumps({"do": "stand", "id": "a", "seat": 1}))
            while hear(friend)["is"] != "done":
                pass
            assert players() == before + 1
    for _ in range(1000):  # until it has heard that he is gone
        served.client.get("/api/health")
        if players() == before:
            break
    assert players() == before
