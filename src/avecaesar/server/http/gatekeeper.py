"""Request checks: hosts and origins, rate and size limits; and the headers that go out with every answer.

It knows nothing of tables. Names against DNS rebinding, origins against forged requests (CSRF), buckets against floods.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from avecaesar.errors import BadInput, plain
from avecaesar.server.networks import CONNECTIONS, NEIGHBOURS, household, wider
from avecaesar.server.rates import InMemory, Rate, Rates, take_for_all
from avecaesar.server.wire.decoding import LARGEST_UPLOAD
from avecaesar.speech import LANGUAGES, counted, preferred, say, speaking

COOKIE = "avecaesar"
COOKIE_UNDER_TLS = "__Host-avecaesar"  # no other host of the domain can plant it, and it never travels in the clear
A_COOKIE = re.compile(  # with a browser's key in it; h_: made under TLS
    rf"(?:^|;)[ \t]*({COOKIE}|{COOKIE_UNDER_TLS})=([bh]_[0-9A-Za-z_-]{{14,126}})(?=[ \t]*(?:;|$))"
)
A_YEAR = 365 * 24 * 3600
HERE = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
PORTS = {"http": 80, "https": 443}
JSON, TEXT = "application/json", "text/plain"
CONTENT = {"/api/boards": (TEXT,), "/api/records": (JSON, TEXT)}  # what may be sent where; elsewhere JSON
LARGEST_QUERY = 2**10  # bytes after the ?
HEARD_OUT = 5.0  # seconds
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()",
}
POLICY = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self' {sockets}; manifest-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
TOO_MANY = {  # one second to wait, or more
    "requests": (
        "too many requests from your address; try again in {n} second",
        "too many requests from your address; try again in {n} seconds",
    ),
    "tables": (
        "too many tables from your address; try again in {n} second",
        "too many tables from your address; try again in {n} seconds",
    ),
    "boards": (
        "too many boards from your address; try again in {n} second",
        "too many boards from your address; try again in {n} seconds",
    ),
    "records": (
        "too many records from your address; try again in {n} second",
        "too many records from your address; try again in {n} seconds",
    ),
}
log = logging.getLogger("avecaesar.server")


# ---------------------------------------------------------------------- limits


OFTEN = Rate(100, 400)
SELDOM = Rate(120 / 3600, 60)
TALK = Rate(20, 60)
TALK_OF_A_PERSON = Rate(40, 120)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one address and one connection may have: enough for a large family behind one router."""

    requests: Rate = OFTEN
    tables: Rate = SELDOM
    boards: Rate = SELDOM
    records: Rate = SELDOM
    messages: Rate = TALK  # on a connection
    messages_of_person: Rate = TALK_OF_A_PERSON  # on all his connections
    messages_of_address: Rate = OFTEN  # on all its connections; a network has as many times more as of requests
    hasty: int = 200  # refused messages after which a connection is closed
    strangers: int = 128  # of an address, at all tables; a table and a person have limits of their own
    reads: int = 64  # of an address that wait; a network has as many times more as of requests
    connections: int = CONNECTIONS  # of an address, with those who sit somewhere


class Crowd:
    """How many are in a room at once, by name of the room."""

    def __init__(self) -> None:
        self._inside: defaultdict[str, int] = defaultdict(int)

    def __len__(self) -> int:
        return len(self._inside)

    def has_room(self, rooms: Mapping[str, int]) -> bool:
        """Whether one more could enter all of these."""
        return all(self._inside.get(room, 0) < most for room, most in rooms.items())

    @contextmanager
    def enter(self, rooms: Mapping[str, int]) -> Iterator[str | None]:
        """Be in all of these rooms for a while; or hear which of them holds as many as it may already."""
        full = next((room for room, most in rooms.items() if self._inside.get(room, 0) >= most), None)
        if full is not None:
            yield full
            return
        for room in rooms:
            self._inside[room] += 1
        try:
            yield None
        finally:
            for room in rooms:
                self._inside[room] -= 1
                if not self._inside[room]:
                    del self._inside[room]


# ---------------------------------------------------------------------- names and origins


class Origin(NamedTuple):
    """Where a page comes from."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if PORTS[self.scheme] == self.port else f":{self.port}")


def origin_of(text: str) -> Origin | None:
    """An origin as it stands in a header, or None if it is none.

    >>> str(origin_of("https://Race.example:443"))
    'https://race.example'
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in PORTS or not parts.hostname or parts.path or parts.query or parts.fragment or "@" in text:
        return None
    if not re.fullmatch(r"[0-9a-z._:%-]+", parts.hostname):
        return None
    return Origin(parts.scheme, parts.hostname, PORTS[parts.scheme] if port is None else port)


def public_origin(url: str) -> Origin:
    """The address that a proxy serves under, as somebody typed it."""
    origin = origin_of(url.rstrip("/"))
    if origin is None:
        raise BadInput(f"a public address is written such as https://race.example, not '{url}'")
    return origin


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is set up."""

    names: frozenset[str] = HERE  # the names and addresses it answers to
    public: Origin | None = None  # the address that a proxy serves it under
    proxy: bool = False  # whether a proxy on this machine tells who calls
    limits: Limits = field(default_factory=Limits)
    web: Path = Path(__file__).parents[2] / "web"


def caller(scope: Scope, headers: Headers, proxy: bool) -> tuple[str, str]:
    """The caller's address and the scheme he uses. A proxy on this machine is believed, if there is to be one."""
    address = scope["client"][0] if scope.get("client") else "unknown"
    scheme = "https" if scope["scheme"] in ("https", "wss") else "http"
    if proxy and address in ("127.0.0.1", "::1"):
        with suppress(ValueError):
            address = str(ipaddress.ip_address(_last(headers, "x-forwarded-for")))
        told = _last(headers, "x-forwarded-proto")
        scheme = told if told in PORTS else scheme
    return address, scheme


def _last(headers: Headers, name: str) -> str:
    """The last word of a list in a header: the proxy's own. Several lines are one list, in their order (RFC 9110)."""
    return ",".join(headers.getlist(name)).rpartition(",")[2].strip()


def language_of(scope: Scope, headers: Headers) -> str:
    """The caller's language: a browser sends its own with every request, but cannot choose what a socket sends."""
    asked = scope["query_string"] if scope["type"] == "websocket" and not _asks_too_much(scope) else b""
    wished = QueryParams(asked).get("lang", "")
    return wished if wished in LANGUAGES else preferred(headers.get("accept-language", ""))


def _asks_too_much(scope: Scope) -> bool:
    """Whether more stands after the ? than anybody needs, so that it is not even read."""
    return len(scope["query_string"]) > LARGEST_QUERY


def cookies_of(headers: Headers) -> dict[str, str]:
    """The keys in a browser's cookies, by the cookie's name; the last of a name counts.

    Python's own reader unquotes every cookie there is, which takes quadratic time in older ones (CVE-2024-7592). A key
    is written as it is.
    """
    return dict(A_COOKIE.findall(";".join(headers.getlist("cookie"))))  # all: one that is not found is lost for good


# ---------------------------------------------------------------------- refusals


class Problem(msgspec.Struct, frozen=True):
    """Why a request was refused, in a sentence; `clause` names the rule of the game, if it was one."""

    problem: str
    clause: str | None = None


def refusal(status: int, problem: str, clause: str | None = None, headers: Mapping[str, str] | None = None) -> Response:
    """An answer that says what was wrong."""
    body = msgspec.json.encode(Problem(plain(problem), clause))
    return Response(body, status, media_type=JSON, headers=dict(headers or {}))


class _TurnedAway(Exception):
    def __init__(self, status: int, problem: str, **headers: str) -> None:
        self.status = status
        self.response = refusal(status, problem, headers={name.replace("_", "-"): headers[name] for name in headers})


# ---------------------------------------------------------------------- the doors themselves


class Gatekeeper:
    """Stands before the whole application."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        scripts: Callable[[], tuple[str, ...]] = tuple,
        rates: Rates | None = None,
    ) -> None:
        """`scripts` tells the hashes of the inline scripts that a page may have."""
        self._app, self._settings, self._scripts = app, settings, scripts
        self._rates = InMemory() if rates is None else rates
        limits = settings.limits
        self._laid = {"/api/tables": limits.tables, "/api/boards": limits.boards, "/api/records": limits.records}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it at the door, in the caller's language."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        with speaking(language_of(scope, headers)), suppress(ClientDisconnected):  # nobody is there to be answered
            await self._answer(scope, headers, receive, send)

    async def _answer(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        address, scheme = caller(scope, headers, self._settings.proxy)
        started = False

        async def dressed(message: Message) -> None:
            nonlocal started
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                self._dress(MutableHeaders(scope=message), scope["path"], scheme, headers.get("host", ""))
            started = started or message["type"] != "websocket.accept"
            await send(message)

        try:
            self._check(scope, headers, household(address), scheme)
            socket_scheme = {"http": "ws", "https": "wss"}[scheme] if scope["type"] == "websocket" else scheme
            inside = {**scope, "client": (household(address), 0), "scheme": socket_scheme}
            await self._app(inside, receive, dressed)
        except _TurnedAway as refused:
            if refused.status == 413:
                await _hear_out(receive)
            await refused.response(scope, receive, dressed)
        except ClientDisconnected:
            raise
        except Exception:
            log.exception("%s %s went wrong", scope.get("method", "socket"), plain(scope["path"]))
            if scope["type"] == "http" and not started:
                await refusal(500, say("something went wrong here, and it is not your fault"))(scope, receive, dressed)

    def _check(self, scope: Scope, headers: Headers, address: str, scheme: str) -> None:
        own = origin_of(f"{scheme}://{headers.get('host', '')}")
        served_on = str((scope.get("server") or ("",))[0])
        names = {*self._settings.names, served_on, *([self._settings.public.host] if self._settings.public else [])}
        if own is None or own.host not in names:
            raise _TurnedAway(403, say("this server does not go by the name '{name}'", name=headers.get("host", "")))
        self._take("requests", address, self._settings.limits.requests)
        if _asks_too_much(scope):
            raise _TurnedAway(414, say("this is more than {size} KiB", size=LARGEST_QUERY // 1024))
        unsafe = scope["type"] == "websocket" or scope["method"] not in SAFE
        if unsafe:
            self._check_origin(headers, own)
        if scope["type"] == "http" and scope["method"] == "POST":
            self._check_body(scope["path"], headers)
            if scope["path"] in self._laid:  # what fills the disk
                self._take(scope["path"].removeprefix("/api/"), address, self._laid[scope["path"]])

    def _take(self, what: str, address: str, rate: Rate) -> None:
        """Count a household, and its neighbours together: whoever has many networks has not as many buckets."""
        both = (what, address, rate), (what, wider(address), rate.times(NEIGHBOURS))
        if wait := take_for_all(self._rates, both):
            raise _too_often(wait, what)

    def _check_origin(self, headers: Headers, own: Origin) -> None:
        """A page of somebody else's may not act for who looks at it."""
        told = headers.get("origin")
        if told is not None:
            origin = origin_of(told)
            if origin is None or origin not in (own, self._settings.public):
                raise _TurnedAway(403, say("a page from '{origin}' may not do this here", origin=told))
        elif COOKIE in ";".join(headers.getlist("cookie")) and "authorization" not in headers:
            raise _TurnedAway(
                403, say("a request with a cookie says from which page it comes (Origin); a program sends a key")
            )

    def _check_body(self, path: str, headers: Headers) -> None:
        wanted = CONTENT.get(path, (JSON,))
        kind, _, more = headers.get("content-type", "").partition(";")
        charset = re.search(r'charset="?([^";\s]+)', more, re.IGNORECASE)
        if kind.strip().lower() not in wanted or (charset and charset[1].lower() not in ("utf-8", "utf8", "us-ascii")):
            raise _TurnedAway(415, say("this is sent as {kinds} in UTF-8 (Content-Type)", kinds=" / ".join(wanted)))
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > LARGEST_UPLOAD:
            raise _TurnedAway(
                413, say("this is more than {size} MiB", size=LARGEST_UPLOAD // 2**20), connection="close"
            )

    def _dress(self, headers: MutableHeaders, path: str, scheme: str, host: str) -> None:
        """The headers of every answer."""
        for name, value in HEADERS.items():
            headers[name] = value
        own = origin_of(f"{scheme}://{host}")
        sockets = str(own).replace("http", "ws", 1) if own else "'self'"
        scripts = "".join(f" '{digest}'" for digest in self._scripts())
        if scheme == "https":
            headers["Strict-Transport-Security"] = f"max-age={A_YEAR}"
        headers["Content-Security-Policy"] = POLICY.format(scripts=scripts, sockets=sockets)
        headers.setdefault("Cache-Control", "no-store" if path.startswith("/api/") else "no-cache")


async def _hear_out(receive: Receive) -> None:
    """Let somebody finish who says a little too much: who is cut short may never hear why."""
    heard, more = 0, True
    with suppress(TimeoutError):
        async with asyncio.timeout(HEARD_OUT):
            while more and heard <= 2 * LARGEST_UPLOAD:
                message = await receive()
                heard, more = heard + len(message.get("body", b"")), message.get("more_body", False)


def _too_often(wait: float, what: str) -> _TurnedAway:
    seconds = max(1, round(wait + 0.5))
    problem = counted(seconds, *TOO_MANY[what])
    return _TurnedAway(429, problem, retry_after=str(seconds))
