"""Who may come in and by which name, origin or key; and what goes out."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.datastructures import Headers
from websockets.exceptions import InvalidStatus

from avecaesar.server.http import gatekeeper
from avecaesar.server.http.gatekeeper import Limits, Settings, origin_of
from avecaesar.server.networks import household
from avecaesar.server.rates import Rate
from servers import ROOMY, ServerClient, hear, in_a_thread

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
