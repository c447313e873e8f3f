"""A storm at a table: thousands of messages at once, nonsense of every kind, crowds, and people who never listen.

The table is as it was, others go on playing meanwhile, and the server neither grows nor complains.
"""

from __future__ import annotations

import json
import random
import socket as sockets
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain, islice
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from servers import PATIENCE, Server, Visitor, hear, serving, tell

STORM = "127.0.0.66"  # the address that storms come from; what it may not do any more, others still may
NEARBY = "127.0.0.67"
HASTE = "not so fast: this was not read"
SHOWN_OUT = 1008  # the code with which whoever was too hasty too often is closed
FULL_OF_ME = "you have this table open too often"
MESSAGES = 10_000
MEBIBYTE = 2**20
MOST_GROWTH = 64 * MEBIBYTE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has as many addresses of its own")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("storm"), "--workers", "1") as running:
        yield running
        assert running.errors == ""


class Table:
    """A race in which nobody moves: it is the host's turn."""

    def __init__(self, server: Server) -> None:
        self.host, self.friend = server.visitor(), server.visitor()
        laid = self.host.lay(["here", "friend"], away=None)
        self.friend.sit(laid["invitation"])
        self.id: str = laid["table"]
        changed = self.host.whole(self.id)["table"]["changed"]
        assert self.host.command(self.id, do="begin", id="begin", at=changed)["is"] == "done"

    def seen(self) -> list[dict[str, Any]]:
        """The table as each of its people sees it; who else looks on and what time it is does not count."""
        wholes = [visitor.whole(self.id) for visitor in (self.host, self.friend)]
        for whole in wholes:
            whole["table"] |= {"now": 0, "watchers": 0}
            for seat in whole["table"]["seats"]:
                seat["connected"] = False
        return wholes


@pytest.fixture
def table(server: Server) -> Iterator[Table]:
    """A table that is as it was when the storm is over."""
    table = Table(server)
    before, memory = table.seen(), server.memory
    with others_play_on(server):
        yield table
    assert table.seen() == before
    assert server.memory < memory + MOST_GROWTH


@contextmanager
def others_play_on(server: Server) -> Iterator[None]:
    """At another table two people talk for as long as the storm lasts, and for a while at least."""
    host = server.visitor()
    number = host.lay(["here", "scorpus"])["table"]
    over, problems, said = threading.Event(), list[BaseException](), list[int]()

    def talk() -> None:
        try:
            with host.socket(number) as mine, server.visitor().socket(number) as theirs:
                hear(theirs, "whole")
                while not over.is_set() or len(said) < 10:
                    tell(mine, do="say", id=f"a{len(said)}", text=f"Ave {len(said)}")
                    while not (story := hear(theirs, "news")["story"]):
                        pass  # somebody came or went
                    assert story[-1]["words"] == f"Ave {len(said)}"
                    said.append(hear(mine, "done")["number"])
                    over.wait(2.0)  # a seat may say so much and no more
        except BaseException as error:
            problems.append(error)

    talking = threading.Thread(target=talk)
    talking.start()
    try:
        yield
    finally:
        over.set()
        talking.join()
    assert problems == []


def from_the_storm(visitor: Visitor, table: Table, source: str = STORM, **more: Any) -> ClientConnection:
    return visitor.socket(table.id, source_address=(source, 0), address=("127.0.0.1", visitor.server.port), **more)


def nonsense(table: Table) -> list[str | bytes]:
    """Messages that nothing comes of, whoever sends them."""
    shown = table.host.whole(table.id)["table"]
    here = {"id": "x", "at": shown["changed"], "seat": 0}
    play = {"kind": "play", "card": 1, "to": 0}
    commands: list[Any] = [
        {"do": "move", **here, "seat": 1, "move": play},
        {"do": "move", **here, "seat": 5, "move": play},
        {"do": "move", **here, "at": 0, "move": play},
        {"do": "move", **here, "at": 2**53, "move": play},
        {"do": "move", **here, "move": {"kind": "play", "card": 7, "to": 0}},
        {"do": "move", **here, "move": {"kind": "draw", "pile": 1}},
        {"do": "move", **here, "move": {"kind": "sort", "piles": [[1] * 30, [], []]}},
        {"do": "move", **here, "move": [play]},
        {"do": "begin", "id": "x", "at": shown["changed"]},
        {"do": "shake", "id": "x", "share": "0" * 32},
        {"do": "resume", "id": "x"},
        {"do": "say", "id": "x", "text": "a", "phrase": "ave"},
        {"do": "say", "id": "x", "text": "a\u202eb"},
        {"do": "say", "id": "x", "text": "a" * 301},
        {"do": "say", "id": "x" * 65, "text": "a"},
        {"do": "say", "id": "x", "text": "a", "loud": True},
        {"do": "dress", "id": "x", "seat": 0, "name": "<b>Livia</b>", "colour": "red"},
        {"do": "appoint", "id": "x", "seat": 1, "driver": "miser.py:Miser"},
        {"do": "nothing", "id": "x"},
        {"do": 1},
        [],
        None,
        17,
        "Ave",
    ]
    texts = [
        "",
        "{",
        "[" * 16_000,
        '{"do":' * 2_000,
        '{"id":"x","do":"say","text":"' + "a" * 17_000 + '"}',
        "\x00",
        "NaN",
    ]
    return [*(json.dumps(command) for command in commands), *texts, b"", b"Ave", bytes(5_000)]


def test_nonsense_of_every_kind_is_answered_with_a_sentence(table: Table) -> None:
    messages = nonsense(table)
    with from_the_storm(table.host, table) as mine:
        hear(mine, "whole")
        for message in messages:
            mine.send(message)
            answer = hear(mine, "refused")
            assert answer["problem"] not in ("", HASTE)
            assert "\n" not in answer["problem"]
            assert "Error" not in answer["problem"]


def storm(connection: ClientConnection, messages: list[str | bytes]) -> None:
    """Send as fast as it goes, until all is sent or the server has had enough."""
    with suppress(ConnectionClosed):
        for message in messages:
            connection.send(message)


def many(table: Table, number: int, seed: int) -> list[str | bytes]:
    short = [message for message in nonsense(table) if len(message) < 300]
    return random.Random(seed).choices(short, k=number)


@pytest.mark.parametrize("who", ["host", "spectator"])
def test_who_sends_ten_thousand_messages_at_once_is_shown_out(server: Server, table: Table, who: str) -> None:
    visitor = table.host if who == "host" else server.visitor()
    with from_the_storm(visitor, table) as mine:
        sending = threading.Thread(target=storm, args=(mine, many(table, MESSAGES, 1)))
        sending.start()
        answers = list(everything(mine))
        sending.join()
        assert mine.protocol.close_code == 1008
    refused = [answer["problem"] for answer in answers if answer["is"] == "refused"]
    assert answers[-1] == {"is": "bye", "problem": "you send too much at once"}
    assert refused.count(HASTE) == 200
    assert 60 <= len(refused) - refused.count(HASTE) < 1000


def everything(connection: ClientConnection) -> Iterator[dict[str, Any]]:
    """All that comes until the server closes."""
    with suppress(ConnectionClosed):
        while True:
            yield json.loads(connection.recv(timeout=PATIENCE))


def answered(connection: ClientConnection, many: int) -> list[str]:
    """What so many messages are refused for; fewer if their sender is shown out, with all of his address too hasty."""
    refused = (answer["problem"] for answer in everything(connection) if answer["is"] == "refused")
    return list(islice(refused, many))


def test_ten_thousand_messages_from_many_connections(server: Server, table: Table) -> None:
    crowd = 40
    with ExitStack() as stack:
        connections = [stack.enter_context(from_the_storm(server.visitor(), table)) for _ in range(crowd // 2)]
        connections += [stack.enter_context(from_the_storm(server.visitor(), table, NEARBY)) for _ in range(crowd // 2)]
        threads = [
            threading.Thread(target=storm, args=(connection, many(table, MESSAGES // crowd, number)))
            for number, connection in enumerate(connections)
        ]
        for thread in threads:
            thread.start()
        answers = [answered(connection, MESSAGES // crowd) for connection in connections]
        for connection, heard in zip(connections, answers, strict=True):
            assert heard
            assert len(heard) == MESSAGES // crowd or connection.close_code == SHOWN_OUT
        assert any(problem != HASTE for problem in chain(*answers))
        for thread in threads:
            thread.join()


def test_a_message_beyond_all_measure_ends_the_connection(server: Server, table: Table) -> None:
    for message in ("a" * MEBIBYTE, bytes(MEBIBYTE)):
        with from_the_storm(table.host, table) as mine:
            storm(mine, [message])
            assert {answer["is"] for answer in everything(mine)} <= {"whole", "news"}
            assert mine.protocol.close_code in (1009, 1006)  # too big; 1006: the line was cut before that was read


def test_who_never_listens_holds_nobody_up(server: Server) -> None:
    """Their messages are not kept for them: they get the whole table if they ever listen again."""
    table, memory = Table(server), server.memory
    with ExitStack() as stack:
        deaf = [stack.enter_context(deaf_listener(server, table)) for _ in range(30)]
        with table.host.socket(table.id) as mine, table.friend.socket(table.id) as theirs:
            hear(theirs, "whole")
            for number in range(100):  # fewer than somebody may say at once
                speaker, listener = ((mine, theirs), (theirs, mine))[number // 2 % 2]
                pause = number % 2 == 0
                tell(speaker, do="pause" if pause else "resume", id=f"a{number}")
                while hear(listener, "news")["table"]["paused"] != pause:
                    pass
                hear(speaker, "done")
        assert len(deaf) == 30
        assert server.memory < memory + MOST_GROWTH
    assert len(table.host.whole(table.id)["story"]) > 100


def handshake(server: Server, table: Table) -> bytes:
    return (
        f"GET /api/tables/{table.id}/socket HTTP/1.1\r\nHost: localhost:{server.port}\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()


def plain_connection(server: Server, said: bytes) -> sockets.socket:
    plain = sockets.socket()
    plain.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    plain.settimeout(PATIENCE)
    plain.bind((STORM, 0))
    plain.connect(("127.0.0.1", server.port))
    plain.sendall(said)
    return plain


def deaf_listener(server: Server, table: Table) -> sockets.socket:
    """A spectator who never reads a message."""
    deaf = plain_connection(server, handshake(server, table))
    assert deaf.recv(12) == b"HTTP/1.1 101"
    return deaf


def test_half_a_connection_is_none(server: Server, table: Table) -> None:
    whole = handshake(server, table)
    half: list[Callable[[], bytes]] = [
        lambda: b"",
        lambda: whole[:40],
        lambda: b"\x00\xff" * 50,
        lambda: b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
        lambda: whole + b"\x81",  # the first byte of a frame
        lambda: whole + b"\x81\xfe\x7f\xff",  # the first bytes of a long one
        lambda: whole + b"\x81\x05Livia",  # a frame that is not masked
        lambda: whole + b"\xff" * 100,
    ]
    with ExitStack() as stack:
        for number in range(200):
            stack.enter_context(plain_connection(server, half[number % len(half)]()))
        assert server.visitor().ask("/api/health").status_code == 200
    assert server.visitor().ask("/api/health").status_code == 200


def test_a_crowd_is_let_in_as_far_as_there_is_room(server: Server, table: Table) -> None:
    with ExitStack() as stack:
        mine = [stack.enter_context(from_the_storm(table.host, table)) for _ in range(12)]
        firsts = [hear(connection)["is"] for connection in mine]
        assert Counter(firsts) == {"whole": 8, "bye": 4}  # who comes first is for the line to say
        crowd = [stack.enter_context(from_the_storm(server.visitor(), table)) for _ in range(40)]
        firsts = [hear(connection)["is"] for connection in crowd]
        assert Counter(firsts) == {"whole": 32, "bye": 8}
        refused = crowd[firsts.index("bye")]
        with pytest.raises(ConnectionClosed):
            refused.recv(timeout=PATIENCE)
        assert refused.protocol.close_code == 1013  # try again later
        more = [stack.enter_context(server.visitor().socket(table.id)) for _ in range(33)]  # from elsewhere
        problems = Counter(hear(connection).get("problem") for connection in more)
        assert problems == {None: 32, "too many people are at this table": 1}
        for visitor in (table.friend, table.host):  # whatever the crowd, from whichever address
            with visitor.socket(table.id) as seated:
                assert hear(seated).get("problem") == (None if visitor is table.friend else FULL_OF_ME)
        with from_the_storm(table.friend, table) as seated:
            assert hear(seated)["is"] == "whole"


def test_an_address_watches_so_much_and_those_who_sit_there_always_come_in(server: Server, table: Table) -> None:
    with ExitStack() as stack:
        for elsewhere in (Table(server) for _ in range(4)):
            for _ in range(32):
                watching = stack.enter_context(from_the_storm(server.visitor(), elsewhere))
                assert hear(watching)["is"] == "whole"
        with from_the_storm(server.visitor(), table) as refused:
            assert hear(refused) == {"is": "bye", "problem": "too many connections from your address"}
        for visitor in (table.host, table.friend):
            with from_the_storm(visitor, table) as seated:
                assert hear(seated)["is"] == "whole"


HTML = "<img src=x onerror=alert(1)> & \"'</script>"


def test_names_and_sayings_are_text_and_stay_as_they_are(server: Server) -> None:
    host, name = server.visitor(), HTML[:24].strip()
    laid = host.lay([{"kind": "here", "name": name}, "friend"])
    assert host.whole(laid["table"])["table"]["seats"][0]["name"] == name
    with host.socket(laid["table"]) as mine:
        tell(mine, do="say", id="a", text=HTML)
        hear(mine, "done")
    response = host.ask(f"/api/tables/{laid['table']}")
    assert response.headers["content-type"] == "application/json"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.json()["story"][-1]["words"] == HTML


def test_a_page_from_elsewhere_may_do_nothing(server: Server, table: Table) -> None:
    for origin in (
        "https://evil.example",
        "null",
        f"http://localhost:{server.port + 1}",
        "http://localhost.evil.example",
    ):
        with pytest.raises(InvalidStatus) as refused, table.host.socket(table.id, headers={"Origin": origin}):
            pass
        assert refused.value.response.status_code == 403
        headers = {"Origin": origin}
        said = {"do": "say", "id": "x", "text": "I was here"}
        answer = table.host.send(f"/api/tables/{table.id}/commands", said, headers=headers)
        assert answer.status_code == 403
        assert "may not do this here" in answer.json()["problem"]
    with table.host.socket(table.id, headers={"Origin": server.address}) as own:
        assert hear(own)["is"] == "whole"
