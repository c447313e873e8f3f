"""What the port answers while the rules are compiled: a page that says how far it is, to hostile visitors too."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse

import pytest

from avecaesar.server.http import waiting
from avecaesar.server.http.waiting import HOW_FAR, LARGEST_HEAD, Bounds, WaitingRoom
from avecaesar.speech import LANGUAGES

HERE = "127.0.0.1"
ENGLISH_TITLE = "The circus is being set up"


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server((HERE, 0)) as one:
        yield one


@pytest.fixture
def room(listening: socket.socket) -> Iterator[WaitingRoom]:
    with WaitingRoom([listening]) as opened:
        yield opened


def asked(listening: socket.socket, method: str, path: str, **headers: str) -> tuple[HTTPResponse, str]:
    """What is answered."""
    with closing(HTTPConnection(HERE, listening.getsockname()[1], timeout=60)) as connection:
        connection.request(method, path, headers={name.replace("_", "-"): headers[name] for name in headers})
        answer = connection.getresponse()
        return answer, answer.read().decode()


def raw(listening: socket.socket, request: bytes) -> bytes:
    """All that is answered to these bytes, until it hangs up."""
    with socket.create_connection(listening.getsockname(), timeout=60) as line:
        line.sendall(request)
        line.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: line.recv(4096), b""))


@pytest.mark.usefixtures("room")
def test_every_page_says_that_it_is_being_set_up(listening: socket.socket) -> None:
    for path in ("/", "/table/abc?x=1", "/rules"):
        answer, text = asked(listening, "GET", path)
        assert (answer.status, answer.headers["Retry-After"]) == (503, "3")
        assert ENGLISH_TITLE in text
        assert "The compiler is starting." in text
        assert not re.search(r"""(src|href)=["'](?!data:,)""", text)  # nothing from elsewhere
        assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in text


@pytest.mark.usefixtures("room")
def test_its_script_and_style_are_those_that_its_policy_names(listening: socket.socket) -> None:
    answer, text = asked(listening, "GET", "/")
    policy = answer.headers["Content-Security-Policy"]
    for tag in ("script", "style"):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert waiting._hash(inside) in policy
    assert "unsafe" not in policy


@pytest.mark.usefixtures("room")
def test_it_speaks_the_readers_language(listening: socket.socket) -> None:
    titles = set()
    for language in LANGUAGES:
        _, text = asked(listening, "GET", "/", Accept_Language=f"{language}-XX, en;q=0.1")
        assert f'<html lang="{language}">' in text
        titles.add(re.findall("<h1>(.*)</h1>", text)[0])
    assert len(titles) == len(LANGUAGES)


def test_it_says_how_far_it_is(room: WaitingRoom, listening: socket.socket) -> None:
    room.show(30, 90)
    answer, text = asked(listening, "GET", HOW_FAR)
    assert answer.status == 200
    assert json.loads(text) == {"done": 30, "total": 90, "words": "30 of 90 functions are compiled."}
    assert '<progress max="90" value="30"' in asked(listening, "GET", "/")[1]
    room.show(90, 90)
    assert json.loads(asked(listening, "GET", HOW_FAR)[1])["words"].startswith("All functions are compiled.")


@pytest.mark.usefixtures("room")
def test_programs_are_told_to_come_again(listening: socket.socket) -> None:
    for method, path in [("GET", "/api/health"), ("POST", "/api/tables"), ("DELETE", "/api"), ("GET", "/api/x?y=z")]:
        answer, text = asked(listening, method, path)
        assert (answer.status, answer.headers["Retry-After"]) == (503, "3")
        assert json.loads(text) == {"problem": "the server is being set up: try again in a few seconds", "clause": None}


@pytest.mark.usefixtures("room")
def test_a_head_has_no_body(listening: socket.socket) -> None:
    answer, text = asked(listening, "HEAD", "/")
    assert (answer.status, text) == (503, "")
    assert int(answer.headers["Content-Length"]) > 0


@pytest.mark.usefixtures("room")
@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"\x16\x03\x01 is TLS\r\n\r\n", 400),
        (b"GET /\r\n\r\n", 400),
        (b"GET / HTTP/2 HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nNo colon\r\n: no name\r\nAccept-Language: \xff;q=\xfe,,,\r\n\r\n", 503),
        (b"GET / HTTP/1.1\r\nX: " + LARGEST_HEAD * b"x" + b"\r\n\r\n", 431),
        (2 * LARGEST_HEAD * b"x", 431),
    ],
)
def test_what_is_no_good_request_is_answered_all_the_same(
    listening: socket.socket, request_: bytes, status: int
) -> None:
    assert raw(listening, request_).startswith(f"HTTP/1.1 {status} ".encode())


@pytest.mark.usefixtures("room")
def test_half_a_request_is_hung_up_on(listening: socket.socket) -> None:
    assert raw(listening, b"GET / HT") == b""


def test_who_keeps_silent_is_hung_up_on(listening: socket.socket) -> None:
    with WaitingRoom([listening], Bounds(seconds=0.01)), socket.create_connection(listening.getsockname(), 60) as line:
        assert _gone(line)


def test_one_address_has_so_many_connections_and_no_more(listening: socket.socket) -> None:
    with WaitingRoom([listening], Bounds(of_an_address=2)):
        silent = [socket.create_connection(listening.getsockname(), 60) for _ in range(2)]
        with socket.create_connection(listening.getsockname(), 60) as third:
            assert _gone(third)
        for each in silent:
            each.sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert each.recv(12) == b"HTTP/1.1 503"
            each.close()


def test_a_household_counts_as_one_address(listening: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    comers = iter(["2001:db8:0:1::1", "2001:db8:0:1::2", "2001:db8:0:2::1"])  # two of a household, and a neighbour
    monkeypatch.setattr(asyncio.StreamWriter, "get_extra_info", lambda *_: (next(comers), 1))
    with WaitingRoom([listening], Bounds(of_an_address=1)):
        lines = [socket.create_connection(listening.getsockname(), 60) for _ in range(3)]
        assert _gone(lines[1])
        for each in (lines[0], lines[2]):
            each.sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert each.recv(12) == b"HTTP/1.1 503"
        for each in lines:
            each.close()


def test_a_network_has_so_many_connections_and_no_more(
    listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    comers = iter(["2001:db8:0:1::1", "2001:db8:0:2::1", "2001:db8:1:1::1"])  # two of a network, and one of another
    monkeypatch.setattr(asyncio.StreamWriter, "get_extra_info", lambda *_: (next(comers), 1))
    with WaitingRoom([listening], Bounds(of_a_network=1)):
        lines = [socket.create_connection(listening.getsockname(), 60) for _ in range(3)]
        assert _gone(lines[1])
        for each in (lines[0], lines[2]):
            each.sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert each.recv(12) == b"HTTP/1.1 503"
        for each in lines:
            each.close()


def test_when_it_closes_the_port_stays_open_for_who_comes_next(listening: socket.socket) -> None:
    with socket.create_connection(listening.getsockname(), 60) as silent:
        with WaitingRoom([listening]):
            asked(listening, "GET", "/")
        assert _gone(silent)
    with socket.create_connection(listening.getsockname(), 60) as after:
        here, _ = listening.accept()
        with here:
            here.sendall(b"Ave")
            assert after.recv(3) == b"Ave"


def test_it_opens_without_the_compiler() -> None:
    words = (
        "import sys, avecaesar.cli.serve, avecaesar.server.http.waiting, avecaesar.server.store.lock; "
        "print({'numba', 'numpy', 'fastapi', 'uvicorn', 'rich'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def _gone(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True
