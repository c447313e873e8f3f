"""Connections are let in by turns of their networks and addresses."""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from avecaesar.server.http.arrivals import A_GULP, AT_ONCE, MOST_WAITING, Arrivals
from avecaesar.server.http.priority import doors
from servers import as_typed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8")
FLOOD, QUIET = "127.66.1.1", "127.3.0.1"


class Door:
    """A listening socket, and people who come to it from addresses of theirs."""

    def __init__(self, opened: ExitStack) -> None:
        self._opened = opened
        listening = opened.enter_context(socket.create_server(("127.0.0.1", 0), backlog=1024))
        self.arrivals = opened.enter_context(Arrivals(listening))
        self._address = listening.getsockname()

    def come(self, address: str, many: int = 1) -> list[socket.socket]:
        """So many connections, which wait."""
        came = [self._opened.enter_context(socket.socket()) for _ in range(many)]
        for one in came:
            one.bind((address, 0))
            one.connect(self._address)
        return came

    def gather_all(self) -> None:
        for _ in range(2 * MOST_WAITING // A_GULP):
            assert self.arrivals.gather()

    def let_in(self, many: int) -> list[str]:
        """Whoever is let in next; the event loop looks who waits before each round."""
        self.arrivals.gather()
        return [self._next() for _ in range(many)]

    def _next(self) -> str:
        try:
            line, peer = self.arrivals.accept()
        except BlockingIOError:  # the round is over
            self.arrivals.gather()
            line, peer = self.arrivals.accept()
        self._opened.enter_context(line)
        return str(peer[0])


@pytest.fixture
def door() -> Iterator[Door]:
    with ExitStack() as opened:
        yield Door(opened)


def test_whoever_comes_alone_comes_before_the_rest_of_a_flood(door: Door) -> None:
    door.come(FLOOD, 100)
    assert door.let_in(10) == [FLOOD] * 10
    door.come(QUIET)
    assert QUIET in door.let_in(2)


def test_addresses_come_in_by_turns(door: Door) -> None:
    for one in ("127.66.1.1", "127.66.2.1", "127.66.3.1"):
        door.come(one, 20)
    for _ in range(20):
        assert len(set(door.let_in(3))) == 3


def test_a_network_comes_in_as_sixteen_addresses_do(door: Door) -> None:
    for number in range(1, 101):
        door.come(f"127.66.1.{number}", 2)
    door.come(QUIET, 4)
    door.gather_all()
    came = door.let_in(64)
    assert came.count(QUIET) == 4


def test_of_too_many_who_wait_the_oldest_of_the_flood_are_hung_up_on_and_nobody_else(door: Door) -> None:
    """So that whoever comes from the flood's own address is let in after it."""
    flood = door.come(FLOOD, MOST_WAITING)
    [quiet] = door.come(QUIET)
    [late] = door.come(FLOOD)
    door.gather_all()
    for line in flood[:2]:
        line.settimeout(60)
        assert line.recv(1) == b""
    for line in (flood[2], flood[-1], late, quiet):
        line.setblocking(False)
        with pytest.raises(BlockingIOError):
            line.recv(1)  # it is still open
    assert QUIET in door.let_in(2)


def test_of_many_addresses_in_a_network_the_last_are_hung_up_on_and_nobody_else(door: Door) -> None:
    [quiet] = door.come(QUIET)
    for host in range(1, 255):
        door.come(f"127.66.1.{host}", 1)
    door.come("127.66.1.255", 1)
    [last] = door.come("127.66.1.0", 1)
    door.gather_all()
    last.settimeout(60)
    assert last.recv(1) == b""
    quiet.setblocking(False)
    with pytest.raises(BlockingIOError):
        quiet.recv(1)


def test_a_few_are_let_in_in_a_round(door: Door) -> None:
    door.come(FLOOD, 2 * AT_ONCE + 1)
    for expected in (AT_ONCE, AT_ONCE, 1):
        came = 0
        with suppress(BlockingIOError):
            while True:
                door.arrivals.accept()[0].close()
                came += 1
        assert came == expected


def test_nobody_is_nobody(door: Door) -> None:
    assert not door.arrivals.gather()
    with pytest.raises(BlockingIOError):
        door.arrivals.accept()


def test_too_many_files_are_told_of_only_when_nobody_waits_here(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: socket.socket) -> None:
        raise OSError(errno.EMFILE, "too many open files")

    door.come(FLOOD, 2)
    assert door.arrivals.gather()
    monkeypatch.setattr(socket.socket, "accept", full)
    assert door.let_in(2) == [FLOOD] * 2
    with pytest.raises(OSError, match="too many open files"):
        door.arrivals.accept()
    assert not door.arrivals.gather()


def test_behind_a_proxy_all_come_from_one_address_and_the_system_keeps_them(door: Door) -> None:
    listening: list[socket.socket] = [door.arrivals]
    assert doors(listening, proxy=True) is listening


@pytest.mark.parametrize("options", [[], ["--proxy"]])
def test_more_than_is_taken_in_one_go_are_all_answered(tmp_path: Path, options: list[str]) -> None:
    """Nobody is left waiting who has left the system's queue."""
    with as_typed(tmp_path / "a.db", *options) as served, ExitStack() as opened:
        port = int(served.url.rpartition(":")[2])
        lines = []
        for number in range(A_GULP + 50):
            line = opened.enter_context(socket.socket())
            line.bind((f"127.66.{number % 5}.1", 0))
            line.settimeout(60)
            line.connect(("127.0.0.1", port))
            lines.append(line)
        for line in lines:
            line.sendall(f"GET /api/health HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
        assert all(line.recv(12) == b"HTTP/1.1 200" for line in lines)
