"""Bad input of every kind is refused in a sentence, over HTTP and sockets, and the table is as it was."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from starlette.datastructures import QueryParams
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.protocols.utils import ClientDisconnected
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from avecaesar.server.content.library import Library
from avecaesar.server.http import bodies, gatekeeper
from avecaesar.server.http.bodies import Bodies
from avecaesar.server.http.gatekeeper import Gatekeeper, Settings
from avecaesar.server.networks import NEIGHBOURS
from avecaesar.server.refused import RefusedError
from avecaesar.server.wire.decoding import Unreadable, read
from checkout import BOARDS
from servers import HERE, ServerClient, hear, until_closed

BOARD = (BOARDS / "plain.board").read_text(encoding="utf-8")


# ---------------------------------------------------------------------- what comes in


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "this is not JSON: it ends in the middle"),
        (b"{", "this is not JSON: it ends in the middle"),
        (b"hello", "this is not JSON: invalid character (byte 0)"),
        (b"[]", "expected `object`, got `array`"),
        (b"{}", "the key 'seats' is missing"),
        (b'{"seats": []}', "seats: expected `array` of length >= 1"),
        (b'{"seats": [{}], "pace": "x"}', "pace: expected `int`, got `str`"),
        (b'{"seats": [{}], "pace": 1e400}', "pace: "),
        (b'{"seats": [{}], "luck": 1}', "there is no key 'luck' here"),
        (b'{"seats": [{"kind": "god"}]}', "seats[0].kind: 'god' is not one of the values that can stand here"),
        (b'{"seats": [{}], "edition": "mine"}', "edition: 'mine' is not one of"),
        (b'{"seats": [{"driver": "nero"}]}', "there is no driver 'nero' here"),
        (b'{"seats": [{"driver": "os:system"}]}', "there is no driver 'os:system' here"),
        (b'{"seats": [{}], "options": {"hand": "99"}}', "hand is a number from 1 to 6"),
        (b'{"seats": [{}], "course": "/etc/passwd:white"}', "there is no course"),
        (b'{"seats": [{"name": "a\\u202eb", "kind": "here"}]}', "plain text only, please: no control, invisible"),
        (b'{"seats": [{"name": "\\ud800", "kind": "here"}]}', ""),
        (b"\xff\xfe", ""),
        (b"[" * 15_000, ""),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(served: ServerClient, body: bytes, problem: str) -> None:
    answer = served.client.post("/api/tables", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["problem"].startswith(problem) or problem in answer.json()["problem"]
    assert "\n" not in answer.json()["problem"]


def test_nesting_has_an_end() -> None:
    with pytest.raises(Unreadable):
        read(b"[" * 100_000, list[Any])


@pytest.mark.parametrize(
    ("path", "kind", "status"),
    [
        ("/api/tables", "text/plain", 415),
        ("/api/tables", "application/x-www-form-urlencoded", 415),
        ("/api/tables", "multipart/form-data; boundary=x", 415),
        ("/api/tables", "application/json; charset=utf-16", 415),
        ("/api/tables", "", 415),
        ("/api/tables", "application/json; charset=utf-8", 400),
        ("/api/boards", "application/json", 415),
        ("/api/boards", "text/plain", 400),
        ("/api/records", "application/octet-stream", 415),
        ("/api/records", "text/plain; charset=UTF-8", 400),
    ],
)
def test_everything_is_sent_as_what_it_is(served: ServerClient, path: str, kind: str, status: int) -> None:
    answer = served.client.post(path, content=b"x", headers={"Content-Type": kind})
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("path", "kind", "most"),
    [
        ("/api/tables", "application/json", 16 * 2**10),
        ("/api/boards", "text/plain", 64 * 2**10),
        ("/api/records", "text/plain", 4 * 2**20),
    ],
)
def test_what_is_too_long_is_refused_whether_it_says_so_or_not(
    served: ServerClient, path: str, kind: str, most: int
) -> None:
    headers = {"Content-Type": kind}
    assert served.client.post(path, content=b" " * (most + 1), headers=headers).status_code == 413

    def trickle() -> Iterator[bytes]:
        for _ in range(most // 4096 + 1):
            yield b" " * 4096

    assert served.client.post(path, content=trickle(), headers=headers).status_code == 413
    assert served.client.post(path, content=b" " * most, headers=headers).status_code == 400


def test_bodies_are_counted_while_they_arrive_by_address_network_and_in_all() -> None:
    room, most = Bodies(), bodies.OF_AN_ADDRESS
    with ExitStack() as arriving:

        def status(address: str, size: int = most) -> int:
            grown = arriving.enter_context(room.held(address))
            try:
                grown(size // 2)
                grown(size)
            except RefusedError as error:
                return error.status
            return 201

        assert [status("198.51.100.1", most // 2) for _ in range(3)] == [201, 201, 429]
        assert [status(f"192.0.2.{number}") for number in range(NEIGHBOURS + 1)] == [201] * NEIGHBOURS + [429]
        assert status("203.0.113.1", 2**20) == 201  # others have room
        everybody = [status(f"10.{number}.0.1") for number in range(2 * NEIGHBOURS)]
        assert set(everybody) == {201, 503}
    assert len(room) == 0


def test_an_upload_takes_up_room_while_it_arrives_and_a_message_does_not(
    served: ServerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def record() -> Iterator[bytes]:
        for _ in range(8):
            yield b" " * 4096

    monkeypatch.setattr(bodies, "OF_AN_ADDRESS", 16 * 2**10)
    answer = served.client.post("/api/records", content=record(), headers={"Content-Type": "text/plain"})
    assert (answer.status_code, answer.json()["problem"]) == (
        429,
        "too much is being worked on for your address: try again in a moment",
    )
    with served.app.state.bodies.held(HERE) as grown:
        grown(16 * 2**10)
        refused = served.client.post("/api/boards", content=BOARD, headers={"Content-Type": "text/plain"})
        assert refused.status_code == 429
        served.lay()
    assert len(served.app.state.bodies) == 0


def test_an_upload_takes_up_room_until_it_is_worked_out(served: ServerClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def upload(*_: object) -> str:
        rooms.append(len(served.app.state.bodies))
        return "replay"

    rooms: list[int] = []
    monkeypatch.setattr(Library, "upload", upload)
    assert served.client.post("/api/records", content=b"[]", headers={"Content-Type": "text/plain"}).is_success
    assert rooms == [3]  # of the address, of its network, and of all
    assert len(served.app.state.bodies) == 0


def test_names_and_words_are_never_markup(served: ServerClient) -> None:
    nasty = "<img src=x onerror=1>"
    laid = served.lay({"kind": "here", "name": nasty}, {}, title="<script>")
    assert served.table(laid)["seats"][0]["name"] == nasty
    done = served.command(laid, do="say", id="a", text="</script><b>")
    assert done.status_code == 200
    answer = served.client.get(f"/api/tables/{laid['table']}")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["story"][-1]["words"] == "</script><b>"
    for words in ("two\nlines", "\u202eturned", "", " ", "x" * 301):
        assert served.command(laid, do="say", id="b", text=words).status_code == 400


NASTY = {
    "turned": "Li\u202evia",
    "isolated": "Li\u2066via",
    "of no width": "Li\u200bvia",
    "joined": "Li\u200dvia",
    "blank": "Li\u3164via",
    "rung": "Li\u0007via",
    "two lines": "Li\u2028via",
    "a heap of accents": "Liv\u0301\u0301\u0301ia",
    "tagged": "Li\U000e0041via",
    "an emoji's ending": "Livia\ufe0f",
    "a symbol's ending twice": "\u2764\ufe0f\ufe0fvia",
    "of no character": "Livia\uffff",
    "of no character yet": "Livia\u2065",
    "of a special that is none": "Livia\ufff0",
}


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
def test_what_would_disturb_a_line_of_text_is_refused_wherever_text_comes_in(served: ServerClient, text: str) -> None:
    laid = served.lay({"kind": "here"}, {"kind": "friend"})
    invited = laid["invitation"].partition("#")[2]
    plan = {"seats": [{"kind": "here"}, {}]}
    board = BOARD.replace("title ", f"title {text} ", 1) if "\u0301" in text else "board Li\u200bvia\n"
    answers = [
        served.client.post("/api/tables", json={**plan, "title": text}),
        served.client.post("/api/tables", json={"seats": [{"kind": "here", "name": text}, {}]}),
        served.client.post(f"/api/tables/{laid['table']}/sit", json={"token": invited, "name": text}),
        served.command(laid, do="dress", id="a", seat=0, name=text, colour="red"),
        served.command(laid, do="say", id="b", text=text),
        served.client.post("/api/boards", content=board.encode(), headers={"Content-Type": "text/plain"}),
    ]
    assert [answer.status_code for answer in answers] == [400] * len(answers)
    (problem,) = {answer.json()["problem"] for answer in answers[:5]}
    assert "invisible or reversing characters" in problem
    assert served.client.post("/api/check", json={**plan, "title": text}).json()["problem"] == problem


def test_accents_and_scripts_of_the_world_are_welcome(served: ServerClient) -> None:
    for name in ("Zoë", "Nguyễn Ánh", "Λιβία", "ליביה", "ลิ้นจี่", "Ёлка ❤️", "☝️ ↔️ ™️ ℹ️", "Dvořa\u0301k"):
        laid = served.lay({"kind": "here", "name": name}, {}, title=name)
        assert served.table(laid)["seats"][0]["name"] == name
        assert served.command(laid, do="say", id="a", text=name).status_code == 200


@pytest.mark.parametrize("twin", ["livia", "\uff2civia", "Li\ufb01via", "Livia  II", "\u2764via"])
def test_nobody_has_a_name_that_looks_like_anothers(served: ServerClient, twin: str) -> None:
    name = {"Li\ufb01via": "Lifivia", "Livia  II": "Livia II", "\u2764via": "\u2764\ufe0fvia"}.get(twin, "Livia")
    both = [{"kind": "here", "name": name}, {"kind": "here", "name": twin}]
    refused = served.client.post("/api/tables", json={"seats": both})
    assert (refused.status_code, refused.json()["problem"]) == (400, "two drivers have the same name")
    laid = served.lay({"kind": "here", "name": name}, {"kind": "friend"})
    sit = {"token": laid["invitation"].partition("#")[2], "name": twin}
    refused = served.client.post(f"/api/tables/{laid['table']}/sit", json=sit)
    assert (refused.status_code, refused.json()["problem"]) == (409, f"somebody else is called {twin}")


@pytest.mark.parametrize(
    "path",
    [
        "tables/{table}%0a",
        "replays/{table}.00",
        "replays/{table}.0%0a",
        "replays/{table}.0%0a/sharing",
        "rules/meister%0a",
    ],
)
def test_a_name_in_an_address_is_written_in_one_way_and_ends_where_it_ends(served: ServerClient, path: str) -> None:
    laid = served.lay()
    answer = served.client.get("/api/" + path.format(table=laid["table"]))
    assert answer.status_code == 404
    assert "nothing of that name" in answer.json()["problem"]
    done = served.command(laid, do="pause", id="a\n")
    assert (done.status_code, "id" in done.json()["problem"]) == (400, True)


def test_what_stands_after_the_question_mark_has_an_end(served: ServerClient, monkeypatch: pytest.MonkeyPatch) -> None:
    read, most, table = list[int](), gatekeeper.LARGEST_QUERY, served.lay()["table"]

    class Seen(QueryParams):
        def __init__(self, query: bytes) -> None:
            read.append(len(query))
            super().__init__(query)

    monkeypatch.setattr(gatekeeper, "QueryParams", Seen)
    for path in ("/api/courses/white/clockwise", "/api/health", "/"):
        answer = served.client.get(f"{path}?{'a&' * most}")
        assert answer.status_code == 414
        assert answer.json()["problem"] == "this is more than 1 KiB"
    where = f"{served.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    with pytest.raises(InvalidStatus, match="414"):
        connect(f"{where}?lang=it&{'a&' * most}", proxy=None)
    with connect(f"{where}?lang=it&{'a' * 1000}", proxy=None) as connection:
        hear(connection)
    assert 0 < max(read) <= most


def test_an_address_can_only_be_used_as_it_is_meant(served: ServerClient) -> None:
    answer = served.client.request("DELETE", "/api/tables")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD, POST"
    assert served.client.head("/api/menu").status_code == 200
    assert served.client.get("/api/tables/").status_code == 404
    assert served.client.get("/api/tables/no-such-table").json()["problem"] == "there is no such table"
    assert served.client.get("/api/courses/white/sideways").status_code == 404
    assert served.client.get("/api/courses/pink/clockwise").status_code == 404
    assert served.client.get("/api/courses/white/clockwise?board=xyz").status_code == 400
    assert served.client.get("/api/courses/white/clockwise?luck=1").status_code == 400
    assert served.client.get(f"/api/courses/white/clockwise?board={'0' * 64}").status_code == 404
    assert served.client.get(f"/api/replays/{'0' * 64}").status_code == 404
    assert served.client.get("/api/replays/abc.0/races/0").status_code == 404


# ---------------------------------------------------------------------- the socket


@pytest.mark.parametrize(
    ("message", "id", "problem"),
    [
        ("hello", None, "this is not JSON"),
        ("", None, "this is not JSON"),
        (b"\x00\x01", None, "not binary"),
        ('{"do": "say", "id": "a1", "text": 5}', "a1", "text: expected `str | null`, got `int`"),
        ('{"do": "fly", "id": "a2"}', "a2", "do: 'fly' is not one of"),
        ('{"id": "a3"}', "a3", "the key 'do' is missing"),
        ('{"do": "say", "id": 5}', None, "id: expected `str`"),
        ('{"do": "say", "id": "<b>", "phrase": "ave"}', "<b>", "id: this text has characters"),
        (
            '{"do": "move", "id": "a4", "at": 1, "seat": 9, "move": {"kind": "crash"}}',
            "a4",
            "seat: expected `int` <= 5",
        ),
        ('{"do": "move", "id": "a5", "at": 1, "seat": 0, "move": {"kind": "teleport"}}', "a5", "move.kind: 'teleport'"),
        ("[" * 10_000, None, ""),
        ('{"do": "say", "id": "a6", "text": "' + "x" * 20_000 + '"}', None, "this is more than 16 KiB"),
        ('{"do": "say", "id": "a7"}', "a7", "say either words of your own or a phrase"),
        ('{"do": "erase_saying", "id": "a8", "number": 0}', "a8", "nothing was said there"),
        ('{"do": "erase_saying", "id": "a9", "number": -1}', "a9", "number: expected `int` >= 0"),
        ('{"do": "erase_words", "id": "c1", "at": 99}', "c1", "that has not happened yet"),
        ('{"do": "close", "id": "c2"}', "c2", "the key 'at' is missing"),
        ('{"do": "close", "id": "c3", "at": 99, "by": "operator"}', "c3", "by"),
        ('{"do": "ban", "id": "c4", "at": 99, "seat": 6}', "c4", "seat: expected `int` <= 5"),
        ('{"do": "ban", "id": "c5", "at": 9007199254740993, "seat": 0}', "c5", "at: expected"),
    ],
)
def test_a_bad_message_is_refused_and_the_table_is_as_it_was(
    served: ServerClient, message: str | bytes, id: str | None, problem: str
) -> None:
    laid = served.lay()
    with served.socket(laid["table"], laid["token"]) as connection:
        before = hear(connection)["table"]["number"]
        connection.send(message)
        answer = hear(connection)
        assert (answer["is"], answer["id"]) == ("refused", id)
        assert problem in answer["problem"]
        connection.send('{"do": "say", "id": "b", "phrase": "ave"}')
        answers = [hear(connection), hear(connection)]
        assert {"is": "done", "id": "b", "number": before + 1} in answers


def test_a_message_beyond_all_measure_ends_the_connection(served: ServerClient) -> None:
    laid = served.lay()
    with served.socket(laid["table"], laid["token"]) as connection:
        hear(connection)
        connection.send("x" * 100_000)
        assert until_closed(connection) == []
        assert connection.protocol.close_code == 1009


def test_ten_thousand_messages_at_once_are_refused_and_others_are_served(served: ServerClient) -> None:
    laid = served.lay()
    with served.socket(laid["table"], laid["token"]) as connection:
        number = hear(connection)["table"]["number"]
        with suppress(ConnectionClosed):
            for _ in range(10_000):
                connection.send("{}")
        problems = [message["problem"] for message in until_closed(connection)]
        assert connection.protocol.close_code == 1008
    assert "not so fast: this was not read" in problems
    assert problems[-1] == "you send too much at once"
    assert served.table(laid)["number"] == number


def test_there_is_no_socket_where_there_is_no_table(served: ServerClient) -> None:
    with served.socket("nowhere") as connection:
        assert hear(connection) == {"is": "bye", "problem": "there is no such table"}
        assert until_closed(connection) == []
        assert connection.protocol.close_code == 1008


def test_a_connection_that_ends_leaves_nothing_behind(served: ServerClient) -> None:
    laid = served.lay()
    with served.socket(laid["table"]) as watching:
        assert hear(watching)["table"]["watchers"] == 1
        for end in ("politely", "rudely"):
            with served.socket(laid["table"], laid["token"]) as connection:
                hear(connection)
                if end == "rudely":
                    connection.socket.shutdown(2)
        while hear(watching)["table"]["seats"][0]["connected"]:
            pass
    assert served.client.get(f"/api/tables/{laid['table']}").status_code == 200


def test_who_has_gone_before_he_is_answered_is_no_word_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def accepting(scope: Scope, receive: Receive, send: Send) -> None:
        await WebSocket(scope, receive, send).accept()

    async def gone(message: Message) -> None:
        raise ClientDisconnected

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    scope = {"type": "websocket", "path": "/", "query_string": b"", "client": ("127.0.0.1", 1), "scheme": "ws"}
    for host in (b"localhost", b"another.example"):  # whom it lets in, and whom it refuses
        headers = [(b"host", host), (b"origin", b"http://localhost")]
        asyncio.run(Gatekeeper(accepting, Settings())({**scope, "headers": headers}, receive, gone))
    assert caplog.records == []
