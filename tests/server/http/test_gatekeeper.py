"""Who may come in and with what: bad input of every kind is refused in a sentence, and the table is as it was."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.datastructures import Headers, QueryParams
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.protocols.utils import ClientDisconnected
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from avecaesar.rules import EDITIONS, offered
from avecaesar.server.content.library import Library
from avecaesar.server.http import bodies, gatekeeper
from avecaesar.server.http.bodies import Bodies
from avecaesar.server.http.gatekeeper import Crowd, Gatekeeper, Limits, Settings, origin_of
from avecaesar.server.http.openapi import document, page
from avecaesar.server.http.routes import OPERATIONS
from avecaesar.server.networks import NEIGHBOURS, household
from avecaesar.server.rates import InMemory, Rate
from avecaesar.server.refused import RefusedError
from avecaesar.server.wire.decoding import Unreadable, read
from avecaesar.server.workers.budgets import allowed_driver
from checkout import BOARDS
from servers import HERE, ROOMY, ServerClient, hear, in_a_thread

BOARD = (BOARDS / "plain.board").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerClient]:
    with in_a_thread(tmp_path_factory.mktemp("doors") / "tables.db") as server:
        yield server


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


# ---------------------------------------------------------------------- names and origins


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("http://localhost:8042", ("http", "localhost", 8042)),
        ("https://Race.Example", ("https", "race.example", 443)),
        ("http://[::1]:80", ("http", "::1", 80)),
        ("null", None),
        ("", None),
        ("http://", None),
        ("ftp://localhost", None),
        ("http://localhost:99999", None),
        ("http://localhost/path", None),
        ("http://a@localhost", None),
        ("http://local host", None),
        ("http://[::1", None),
    ],
)
def test_an_origin_is_read_strictly(text: str, origin: tuple[str, str, int] | None) -> None:
    assert origin_of(text) == origin


def test_only_a_proxy_on_this_machine_is_believed_and_only_if_there_is_to_be_one() -> None:
    told = Headers({"X-Forwarded-For": "9.9.9.9, 8.8.8.8", "X-Forwarded-Proto": "https"})
    local: dict[str, Any] = {"client": ("127.0.0.1", 5), "scheme": "http"}
    assert gatekeeper.caller(local, told, proxy=True) == ("8.8.8.8", "https")
    assert gatekeeper.caller(local, told, proxy=False) == ("127.0.0.1", "http")
    assert gatekeeper.caller({**local, "client": ("7.7.7.7", 5)}, told, proxy=True) == ("7.7.7.7", "http")
    lines = [(b"x-forwarded-for", b"6.6.6.6"), (b"x-forwarded-for", b"7.7.7.7, 8.8.8.8")]
    two = Headers(raw=[*lines, (b"x-forwarded-proto", b"http"), (b"x-forwarded-proto", b"https")])
    assert gatekeeper.caller(local, two, proxy=True) == ("8.8.8.8", "https")
    nonsense = Headers({"X-Forwarded-For": "<script>", "X-Forwarded-Proto": "gopher"})
    assert gatekeeper.caller(local, nonsense, proxy=True) == ("127.0.0.1", "http")


def test_a_household_counts_once() -> None:
    assert household("2001:db8::1") == household("2001:db8::2") != household("2001:db8:0:1::1")
    assert household("::ffff:1.2.3.4") == household("1.2.3.4") != household("1.2.3.5")


@pytest.mark.parametrize("name", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "10.0.0.1"])
def test_a_strange_name_is_refused_so_that_no_name_server_can_lead_a_browser_here(
    served: ServerClient, name: str
) -> None:
    answer = served.client.get("/api/health", headers={"Host": name})
    assert answer.status_code in (400, 403)
    with pytest.raises(InvalidStatus):
        served.socket("any", Host=name)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", "x"])
def test_a_page_of_somebody_elses_can_do_nothing(served: ServerClient, origin: str) -> None:
    laid = served.lay()
    answer = served.client.post("/api/tables", json={"seats": [{}]}, headers={"Origin": origin})
    assert answer.status_code == 403
    assert "may not do this" in answer.json()["problem"]
    with pytest.raises(InvalidStatus, match="403"):
        served.socket(laid["table"], laid["token"], Origin=origin)


def test_our_own_page_can(served: ServerClient) -> None:
    answer = served.client.post("/api/tables", json={"seats": [{"kind": "here"}, {}]}, headers={"Origin": served.url})
    assert answer.status_code == 201
    served.client.cookies.clear()


def test_a_cookie_alone_is_not_enough_to_act(served: ServerClient) -> None:
    with httpx2.Client(base_url=served.url, timeout=60, trust_env=False) as browser:
        laid = browser.post("/api/tables", json={"seats": [{"kind": "here"}, {}]}, headers={"Origin": served.url})
        cookie = laid.headers["set-cookie"]
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
        assert "Secure" not in cookie
        assert laid.json()["token"] is None  # no script ever sees a browser's key
        path = f"/api/tables/{laid.json()['table']}/links"
        assert browser.post(path, json={"seat": 0}).status_code == 403
        assert browser.post(path, json={"seat": 0}, headers={"Origin": served.url}).status_code == 200
    key = cookie.partition(";")[0]
    with pytest.raises(InvalidStatus, match="403"):
        served.socket(laid.json()["table"], Cookie=key)
    with served.socket(laid.json()["table"], Cookie=key, Origin=served.url) as connection:
        assert hear(connection)["table"]["host"]


def test_a_program_is_told_its_key_and_gets_no_cookie(served: ServerClient) -> None:
    answer = served.client.post("/api/tables", json={"seats": [{"kind": "here"}, {}]})
    assert "set-cookie" not in answer.headers
    assert served.table(answer.json())["yours"] == [0]


def test_behind_a_proxy_with_tls_cookies_are_secure_and_its_address_is_ours(tmp_path: Path) -> None:
    public = gatekeeper.public_origin("https://race.example/")
    with in_a_thread(tmp_path / "a.db", Settings(public=public, proxy=True, limits=ROOMY)) as server:
        headers = {"Host": "race.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "1.2.3.4"}
        body = {"seats": [{"kind": "here"}, {}]}
        origin = {"Origin": "https://race.example"}
        answer = server.client.post("/api/tables", json=body, headers={**headers, **origin})
        assert answer.status_code == 201
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-avecaesar=h_")
        assert {"Secure", "HttpOnly", "Path=/"} <= set(cookie.split("; "))
        assert "Domain" not in cookie
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert "strict-transport-security" not in server.client.get("/api/health").headers
        assert "wss://race.example;" in answer.headers["content-security-policy"]
        foreign = {"Origin": "http://race.example"}
        assert server.client.post("/api/tables", json=body, headers={**headers, **foreign}).status_code == 403


def test_a_second_line_of_forwarded_addresses_gives_nobody_a_fresh_bucket(tmp_path: Path) -> None:
    with in_a_thread(tmp_path / "a.db", Settings(proxy=True, limits=Limits(tables=Rate(0.001, 2)))) as server:
        statuses = []
        for number in range(3):
            said = [("X-Forwarded-For", f"6.6.6.{number}"), ("X-Forwarded-For", "1.2.3.4")]
            statuses.append(server.client.post("/api/tables", json={"seats": [{}, {}]}, headers=said).status_code)
        assert statuses == [201, 201, 429]


TLS = {"Host": "race.example", "X-Forwarded-Proto": "https", "Origin": "https://race.example"}


def test_under_tls_a_browser_of_old_keeps_its_seats_and_new_ones_go_to_a_cookie_that_nobody_can_plant(
    tmp_path: Path,
) -> None:
    public = gatekeeper.public_origin("https://race.example/")
    body = {"seats": [{"kind": "here"}, {}]}
    with in_a_thread(tmp_path / "a.db", Settings(public=public, proxy=True, limits=ROOMY)) as server:
        plain = server.client.post("/api/tables", json=body, headers={"Origin": server.url})
        old = plain.headers["set-cookie"].partition(";")[0]
        assert old.startswith("avecaesar=b_")
        laid = server.client.post("/api/tables", json=body, headers={**TLS, "Cookie": old})
        new = laid.headers["set-cookie"].partition(";")[0]
        assert new.startswith("__Host-avecaesar=h_")
        assert new.partition("=")[2] != old.partition("=")[2]

        def seats(table: str, cookie: str) -> Any:
            return server.client.get(f"/api/tables/{table}", headers={**TLS, "Cookie": cookie}).json()["table"]["yours"]

        first, second = plain.json()["table"], laid.json()["table"]
        assert (seats(first, old), seats(first, f"{old}; {new}")) == ([0], [0])
        assert (seats(second, old), seats(second, f"{old}; {new}")) == ([], [0])
        again = server.client.post("/api/tables", json=body, headers={**TLS, "Cookie": f"{old}; {new}"})
        assert "set-cookie" not in again.headers
        assert seats(again.json()["table"], new) == [0]


class UnderTls:
    """A server behind a proxy with TLS, and what browsers there are told."""

    def __init__(self, server: ServerClient) -> None:
        self.client = server.client

    def post(self, path: str, body: dict[str, Any], cookie: str = "", **headers: str) -> httpx2.Response:
        return self.client.post(f"/api/tables{path}", json=body, headers={**TLS, "Cookie": cookie, **headers})

    def table(self, table: str, cookie: str) -> Any:
        return self.client.get(f"/api/tables/{table}", headers={**TLS, "Cookie": cookie}).json()["table"]


@pytest.fixture
def under_tls(tmp_path: Path) -> Iterator[UnderTls]:
    public = gatekeeper.public_origin("https://race.example/")
    with in_a_thread(tmp_path / "a.db", Settings(public=public, proxy=True, limits=ROOMY)) as server:
        yield UnderTls(server)


def cookie_of(answer: httpx2.Response) -> str:
    return answer.headers["set-cookie"].partition(";")[0]


def gathering(server: UnderTls) -> tuple[str, str, str]:
    """A table with two friends: its number, the host's cookie, and the invitation."""
    laid = server.post("", {"seats": [{"kind": "here"}, {"kind": "friend"}, {"kind": "friend"}]})
    return laid.json()["table"], cookie_of(laid), laid.json()["invitation"].partition("#")[2]


def test_under_tls_nobody_shows_his_own_seat_to_others_as_theirs(under_tls: UnderTls) -> None:
    """Any host of the domain can plant the old cookie; with the key of its own seat the planter would see the hand."""
    table, _, invited = gathering(under_tls)
    mallory = cookie_of(under_tls.post(f"/{table}/sit", {"token": invited, "name": "Livia"}))
    planted = "avecaesar=" + mallory.partition("=")[2]
    assert under_tls.table(table, planted)["yours"] == []
    sat = under_tls.post(f"/{table}/sit", {"token": invited, "name": "Livia II"}, planted)
    assert sat.json()["seat"] == 2
    assert under_tls.table(table, f"{planted}; {cookie_of(sat)}")["yours"] == [2]
    assert under_tls.table(table, mallory)["yours"] == [1]


def test_under_tls_whoever_sits_down_with_an_old_cookie_has_what_it_held_alone(under_tls: UnderTls) -> None:
    """Whoever planted it, and a device that he has let in or still could, sees nothing there any more."""
    table, host, invited = gathering(under_tls)
    clear = {"X-Forwarded-Proto": "http", "Host": "localhost", "Origin": "http://localhost"}
    planted = cookie_of(under_tls.post(f"/{table}/sit", {"token": invited, "name": "Livia"}, **clear))
    assert planted.startswith("avecaesar=b_")
    links = [under_tls.post(f"/{table}/links", {"seat": 1}, planted).json()["link"].partition("#")[2]]
    device = cookie_of(under_tls.post(f"/{table}/sit", {"token": links[0]}))
    links.append(under_tls.post(f"/{table}/links", {"seat": 1}, planted).json()["link"].partition("#")[2])
    assert under_tls.table(table, device)["yours"] == [1]
    sat = under_tls.post(f"/{table}/sit", {"token": invited}, planted)
    assert sat.json()["seat"] == 1
    assert under_tls.table(table, f"{planted}; {cookie_of(sat)}")["yours"] == [1]
    assert [under_tls.table(table, cookie)["yours"] for cookie in (planted, device)] == [[], []]
    assert under_tls.post(f"/{table}/sit", {"token": links[1]}).status_code == 403
    assert under_tls.table(table, host)["seats"][1]["devices"] == 1


def test_under_tls_whoever_asks_for_a_seat_with_an_old_cookie_is_told_his_new_key_even_if_refused(
    under_tls: UnderTls,
) -> None:
    table, _, invited = gathering(under_tls)
    clear = {"X-Forwarded-Proto": "http", "Host": "localhost", "Origin": "http://localhost"}
    planted = cookie_of(under_tls.post(f"/{table}/sit", {"token": invited}, **clear))
    asked = under_tls.post(f"/{table}/take-over", {"token": invited, "seat": 2}, planted)
    assert asked.status_code == 409
    assert under_tls.table(table, planted)["yours"] == []
    assert under_tls.table(table, cookie_of(asked))["yours"] == [1]


def test_under_tls_an_old_key_gets_nothing_more_however_it_is_sent(under_tls: UnderTls) -> None:
    clear = {"X-Forwarded-Proto": "http", "Host": "localhost", "Origin": "http://localhost"}
    old = cookie_of(under_tls.post("", {"seats": [{"kind": "here"}, {}]}, **clear))
    table, _, invited = gathering(under_tls)
    bearer = {name: value for name, value in TLS.items() if name != "Origin"}
    bearer |= {"Authorization": f"Bearer {old.partition('=')[2]}"}
    sat = under_tls.client.post(f"/api/tables/{table}/sit", json={"token": invited}, headers=bearer).json()
    assert sat["token"].startswith("s_")
    assert under_tls.table(table, old)["yours"] == []


def test_a_key_that_the_server_did_not_make_is_not_taken(served: ServerClient) -> None:
    body = {"seats": [{"kind": "here"}, {"kind": "friend"}, {"kind": "friend"}]}
    chosen = {"Authorization": "Bearer aaaaaaaaaaaaaaaa"}
    laid = served.client.post("/api/tables", json=body, headers=chosen).json()
    assert laid["token"] not in (None, "aaaaaaaaaaaaaaaa")
    assert served.client.get(f"/api/tables/{laid['table']}", headers=chosen).json()["table"]["yours"] == []
    assert served.table(laid)["yours"] == [0]
    invited = laid["invitation"].partition("#")[2]
    sit = f"/api/tables/{laid['table']}/sit"
    for seat, key in enumerate(("aaaaaaaaaaaaaaaa", invited), 1):  # an invitation is many people's
        seated = served.client.post(sit, json={"token": invited}, headers={"Authorization": f"Bearer {key}"}).json()
        assert seated["token"] != key
        assert served.table({**laid, "token": key})["yours"] == []
        assert served.table({**laid, "token": seated["token"]})["yours"] == [seat]


def test_a_cookie_that_somebody_planted_is_replaced(served: ServerClient) -> None:
    with httpx2.Client(base_url=served.url, timeout=60, trust_env=False) as browser:
        planted = {"Cookie": "avecaesar=b_fixedbyattacker0", "Origin": served.url}
        laid = browser.post("/api/tables", json={"seats": [{"kind": "here"}, {}]}, headers=planted)
        given = laid.headers["set-cookie"].partition(";")[0]
        assert given.startswith("avecaesar=b_")
        assert given != planted["Cookie"]
        browser.cookies.clear()
        for cookie, yours in ((planted["Cookie"], []), (given, [0])):
            shown = browser.get(f"/api/tables/{laid.json()['table']}", headers={"Cookie": cookie}).json()
            assert shown["table"]["yours"] == yours
        browser.cookies.clear()
        again = browser.post(
            "/api/tables", json={"seats": [{"kind": "here"}, {}]}, headers={"Cookie": given, "Origin": served.url}
        )
        assert "set-cookie" not in again.headers  # one that it gave out stays


def test_nothing_in_a_cookie_is_unquoted_and_it_is_read_once(
    served: ServerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To unquote a cookie takes quadratic time in older Pythons (CVE-2024-7592), and keys have no quotes."""
    unquoted, read, table = list[str](), list[Headers](), served.lay()["table"]
    plainly = gatekeeper.cookies_of

    def see(headers: Headers) -> dict[str, str]:
        read.append(headers)
        return plainly(headers)

    monkeypatch.setattr("http.cookies._unquote", unquoted.append)
    monkeypatch.setattr("avecaesar.server.http.routes.callers.cookies_of", see)
    costly = {"Cookie": 'a="' + "\\\\" * 1000 + '"', "Origin": served.url}
    for path in ("/api/health", "/api/tables", f"/api/tables/{table}", "/api/nothing", "/"):
        served.client.get(path, headers=costly)
    served.client.post("/api/tables", json={"seats": [{"kind": "here"}, {}]}, headers=costly)
    with served.socket(table, **costly) as connection:
        hear(connection)
    served.client.cookies.clear()
    assert unquoted == []
    assert len(read) == 6  # the page has no keys to ask for


def test_a_browsers_keys_are_found_among_other_cookies() -> None:
    def found(*lines: str) -> dict[str, str]:
        return gatekeeper.cookies_of(Headers(raw=[(b"cookie", line.encode("latin-1")) for line in lines]))

    key, other = "b_0123456789abcdef", "b_fedcba9876543210"
    assert found() == found("") == found(";;= ;=;") == found("avecaesar") == {}
    assert found(f"a=b; avecaesar={key};c") == {"avecaesar": key}
    assert found(f"avecaesar={key}; __Host-avecaesar={other}") == {"avecaesar": key, "__Host-avecaesar": other}
    assert found(f"avecaesar={key}", f"a=b; avecaesar={other}") == {"avecaesar": other}  # of two the last
    assert found(f'avecaesar="{key}"; xavecaesar={key}; Avecaesar={key}') == {}
    assert found(f"avecaesar={key[1:]}; __Host-avecaesar=\xe9{key}") == {}
    full = "x" * 12_000  # of another application on the same host, or of somebody who wants the key to be lost
    assert found(f"a={full}; avecaesar={key}") == found(full, f"avecaesar={key}") == {"avecaesar": key}


def test_a_cookie_in_a_line_of_its_own_is_a_cookie(served: ServerClient) -> None:
    said = [("Cookie", "a=b"), ("Cookie", "avecaesar=b_0123456789abcdef")]
    assert served.client.post("/api/tables", json={"seats": [{}, {}]}, headers=said).status_code == 403


def test_a_key_without_a_keys_shape_is_told_so(served: ServerClient) -> None:
    for words in ("Bearer short", "Basic abc", "Bearer " + "x" * 200, "Bearer a b c d e f g h i j k l"):
        answer = served.client.get("/api/tables", headers={"Authorization": words})
        assert answer.status_code == 401
        assert "Bearer KEY" in answer.json()["problem"]


def test_nobody_acts_without_a_key(served: ServerClient) -> None:
    laid = served.lay()
    for path, body in (("links", {}), ("commands", {"do": "pause", "id": "a"})):
        assert served.client.post(f"/api/tables/{laid['table']}/{path}", json=body).status_code == 401
    for token, status in (("s_that-the-server-did-not-make", 401), (served.lay()["token"], 403)):  # of another table
        assert served.command({**laid, "token": token}, do="pause", id="a").status_code == status


# ---------------------------------------------------------------------- what goes out


@pytest.mark.parametrize(
    "path", ["/", "/new", "/t/abc", "/replay/x.0", "/api/menu", "/api/nothing", "/static/app.js", "/static/no", "/no"]
)
def test_every_answer_has_its_headers(served: ServerClient, path: str) -> None:
    answer = served.client.get(path)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self' 'sha256-")
    assert "unsafe" not in policy
    assert "*" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "permissions-policy" in answer.headers
    assert answer.headers["cache-control"] == ("no-store" if path.startswith("/api/") else "no-cache")
    assert "server" not in answer.headers


def test_the_page_has_one_script_of_its_own_and_its_digest_is_allowed(served: ServerClient) -> None:
    answer = served.client.get("/")
    (script,) = re.findall(r'<script type="importmap">(.*?)</script>', answer.text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in answer.headers["content-security-policy"]
    assert "preact" in json.loads(script)["imports"]
    assert "<style" not in answer.text
    assert " style=" not in answer.text


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/api/courses/white/clockwise/picture.svg"])
def test_what_the_browser_has_is_not_sent_again(served: ServerClient, path: str) -> None:
    tag = served.client.get(path).headers["etag"]
    again = served.client.get(path, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_what_is_everybodys_is_sent_packed_and_what_is_somebodys_is_not(served: ServerClient) -> None:
    for path in ("/static/app.js", "/api/courses/white/clockwise/picture.svg", "/api/menu"):
        assert served.client.get(path).headers["content-encoding"] == "gzip"
        assert "content-encoding" not in served.client.get(path, headers={"Accept-Encoding": "identity"}).headers
    laid = served.lay()
    assert "content-encoding" not in served.client.get(f"/api/tables/{laid['table']}").headers


def test_a_socket_is_not_compressed_even_if_its_client_offers_to(served: ServerClient) -> None:
    laid = served.lay()
    with served.socket(laid["table"], laid["token"], compression="deflate") as connection:
        assert connection.request is not None
        assert connection.response is not None
        assert "permessage-deflate" in connection.request.headers["Sec-WebSocket-Extensions"]
        assert "Sec-WebSocket-Extensions" not in connection.response.headers
        assert hear(connection)["is"] == "whole"


def test_files_outside_the_page_are_not_served(served: ServerClient) -> None:
    for path in ("/static/../server/app.py", "/static/%2e%2e/server/app.py", "/static//etc/passwd", "/static/..%5capp"):
        assert served.client.get(path).status_code in (400, 404)


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


# ---------------------------------------------------------------------- boards and records


def test_a_board_of_ones_own_is_checked_kept_drawn_and_raced_on(served: ServerClient) -> None:
    answer = served.client.post("/api/boards", content=BOARD, headers={"Content-Type": "text/plain"})
    assert answer.status_code == 201
    kept = answer.json()
    course = kept["courses"][0]["name"]
    drawn = served.client.get(f"/api/courses/{course}/anticlockwise", params={"board": kept["board"]})
    assert drawn.json()["board"] == kept["board"]
    assert served.client.get(drawn.json()["picture"]).text.startswith("<svg")
    laid = served.lay(course=course, board=kept["board"])
    assert served.table(laid)["plan"]["course"] == course
    check = {"seats": [{}, {}], "course": "nowhere", "board": kept["board"]}
    assert "no course 'nowhere'" in served.client.post("/api/check", json=check).json()["problem"]


@pytest.mark.parametrize("text", ["", "board", BOARD.replace("alley", "lane", 1), "\0", "é" * 1000, BOARD[:300]])
def test_a_bad_board_is_refused_with_what_is_wrong(served: ServerClient, text: str) -> None:
    answer = served.client.post("/api/boards", content=text.encode(), headers={"Content-Type": "text/plain"})
    assert answer.status_code == 400
    assert answer.json()["problem"]


def test_a_race_is_downloaded_uploaded_and_replayed(served: ServerClient) -> None:
    laid = served.lay({"driver": "greedy"}, {"driver": "random"})
    with served.socket(laid["table"], laid["token"]) as connection:
        served.command(laid, do="begin", id="go", at=served.table(laid)["changed"])
        while hear(connection)["table"]["phase"] != "over":
            pass
    record = served.client.get(f"/api/tables/{laid['table']}/record")
    assert record.headers["content-disposition"].startswith("attachment; filename=")
    text = served.client.get(f"/api/tables/{laid['table']}/record", params={"format": "text"})
    uploads = [
        served.client.post("/api/records", content=content, headers={"Content-Type": kind}).json()["replay"]
        for content, kind in ((record.content, "application/json"), (text.content, "text/plain"))
    ]
    assert uploads[0] == uploads[1]
    for replay in (uploads[0], f"{laid['table']}.0"):
        shown = served.client.get(f"/api/replays/{replay}").json()
        assert len(shown["races"]) == 1
        assert served.client.get(f"/api/replays/{replay}/races/0").json()["scenes"]
        assert served.client.get(f"/api/replays/{replay}/races/1").status_code == 404
        assert served.client.get(shown["download"]).content == record.content
    turned = record.content.replace(b'"driver":"greedy"', '"driver":"\u202eydeerg"'.encode())
    refused = served.client.post("/api/records", content=turned, headers={"Content-Type": "application/json"})
    assert "invisible or reversing characters" in refused.json()["problem"]
    forged = record.content.replace(b'"arrivals":[', b'"arrivals":[0,')
    refused = served.client.post("/api/records", content=forged, headers={"Content-Type": "application/json"})
    assert refused.status_code == 400


# ---------------------------------------------------------------------- the menu and the manual


def test_whatever_the_menu_offers_can_be_had(served: ServerClient) -> None:
    menu = served.client.get("/api/menu").json()
    assert [edition["name"] for edition in menu["editions"]] == list(EDITIONS)
    assert [option["name"] for option in menu["options"]] == list(offered())
    for edition in menu["editions"]:
        plan = {**menu["defaults"], "edition": edition["name"], "options": edition["rules"]}
        checked = served.client.post("/api/check", json=plan).json()
        assert (checked["problem"], checked["house_rules"]) == (None, [])
    for course in menu["courses"]:
        for direction in course["directions"]:
            plan = {**menu["defaults"], "course": course["name"], "direction": direction}
            assert served.client.post("/api/check", json=plan).json()["stages"] == [[course["name"], direction]]
    for driver in menu["drivers"]:
        assert allowed_driver(driver["name"]) == driver["name"]
    assert served.client.post("/api/tables", json=menu["defaults"]).status_code == 201


def test_everything_that_can_be_asked_is_in_the_manual(served: ServerClient) -> None:
    told = {(method.upper(), path) for path, methods in document()["paths"].items() for method in methods}
    routes = [route for route in served.app.router.routes if isinstance(route, Route)]
    there = {
        (method, route.path)
        for route in routes
        for method in route.methods or ()
        if route.path.startswith("/api/") and method != "HEAD"
    }
    assert there - told == {("GET", "/api/docs"), ("GET", "/api/openapi.json")}
    assert told <= there
    assert all(operation.description for operation in OPERATIONS)


def test_the_manual_is_a_plain_page(served: ServerClient) -> None:
    html = served.client.get("/api/docs").text
    assert html == page()
    assert "<script" not in html
    assert "style=" not in html
    for operation in OPERATIONS:
        assert f'id="{operation.name}"' in html
    names = set(re.findall(r'id="(\w+)"', html))
    assert set(re.findall(r'href="#(\w+)"', html)) <= names
    assert served.client.get("/static/css/manual.css").status_code == 200
    assert served.client.get("/api/openapi.json").json() == json.loads(json.dumps(document()))


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


# ---------------------------------------------------------------------- the socket


def until_closed(connection: ClientConnection) -> list[dict[str, Any]]:
    """Whatever comes until the server closes."""
    messages: list[dict[str, Any]] = []
    with suppress(ConnectionClosed):
        while True:
            messages.append(hear(connection))
    return messages


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
