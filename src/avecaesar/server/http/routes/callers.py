"""Who asks: keys in cookies and headers, and those that are given out."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import cast

from starlette.requests import HTTPConnection, Request

from avecaesar.server.fairness import Asker, on_behalf_of
from avecaesar.server.http.gatekeeper import A_YEAR, COOKIE, COOKIE_UNDER_TLS, cookies_of
from avecaesar.server.http.routes.exchange import house_of
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.shapes import Unwell
from avecaesar.server.tables.house import House, hashed, new_key
from avecaesar.speech import say

A_KEY = re.compile("[0-9A-Za-z_-]{16,128}")


def keys_of(connection: HTTPConnection) -> tuple[str, ...]:
    """The caller's keys: the browser's own first, then the one that a program sends.

    Under TLS a browser may have two: that of the `__Host-` cookie, and that of the cookie that it got before there was
    such a thing, which keeps what it holds. Any host of the domain can plant the latter; so what was made under TLS
    (`h_`) is worth nothing there, or whoever got it could show others his own seat as theirs.
    """
    kinds = {COOKIE_UNDER_TLS: ("h_", "b_"), COOKIE: ("b_",)} if _under_tls(connection) else {COOKIE: ("b_",)}
    cookies = _cookies(connection)
    sent = [(cookies.get(name, ""), prefixes) for name, prefixes in kinds.items()]
    keys = tuple(dict.fromkeys(key for key, of in sent if key.startswith(of)))
    scheme, _, bearer = connection.headers.get("authorization", "").partition(" ")
    if scheme:
        if scheme.lower() != "bearer" or not A_KEY.fullmatch(bearer.strip()):
            raise RefusedError(
                say("a key is sent as 'Authorization: Bearer KEY', as the server gave it to you"), status=401
            )
        keys += (bearer.strip(),)
    return keys


def _cookies(connection: HTTPConnection) -> dict[str, str]:
    """The keys in the caller's cookies, which are read once for all who ask for them."""
    if "avecaesar.cookies" not in connection.scope:
        connection.scope["avecaesar.cookies"] = cookies_of(connection.headers)
    return cast(dict[str, str], connection.scope["avecaesar.cookies"])


def _under_tls(connection: HTTPConnection) -> bool:
    return connection.url.scheme in ("https", "wss")


async def asker_of(connection: HTTPConnection, house: House) -> Asker:
    """On whose account the caller's errands are done: an address, and within it a person, known by his first key.

    A key that opens nothing makes nobody a person: else he would be as many as keys that he thinks up.
    """
    address = connection.client.host if connection.client else "unknown"
    keys: tuple[str, ...] = ()
    if connection.url.path.startswith("/api/"):
        # What cannot be known is told where a key is needed.
        with suppress(RefusedError, Unwell), on_behalf_of(Asker(address, address)):
            keys = await house.recognised(keys_of(connection))
    return Asker(address, hashed(keys[0]) if keys else address)


async def known(request: Request) -> tuple[str, ...]:
    """The caller's keys that the server made; others are worth nothing here, and are given nothing."""
    keys = await house_of(request).recognised(keys_of(request))
    if not keys:
        raise RefusedError(say("nobody knows you here: take a seat first, or send your key"), status=401)
    return keys


async def with_key(request: Request) -> tuple[tuple[str, ...], dict[str, str]]:
    """The caller's keys, the first his own; if he had none, a new one and, for a browser, the header that sets it.

    Keys are made here and nowhere else: what a caller thought up, or somebody planted in his browser, is worth nothing
    and is not given anything (session fixation).
    """
    keys = await house_of(request).recognised(keys_of(request))
    under_tls = _under_tls(request)
    planted = under_tls and keys and keys[0].startswith("b_") and _cookies(request).get(COOKIE_UNDER_TLS) != keys[0]
    if keys and not planted:  # perhaps it is not: but it gets nothing more
        return keys, {}
    if "origin" not in request.headers:
        return (new_key("s"), *keys), {}  # a program is told its key in the answer
    key = new_key("h" if under_tls else "b")
    return (key, *keys), {"Set-Cookie": _cookie(key, under_tls)}


@asynccontextmanager
async def with_refusals(request: Request, keys: Sequence[str], headers: dict[str, str]) -> AsyncIterator[None]:
    """Whoever is refused something is told his new key too, if it holds something by now: what his old one held.

    Another request of his may have been given a key at the same moment, and a seat with it: one that holds nothing
    takes its place in no browser.
    """
    try:
        yield
    except RefusedError as error:
        if headers and await house_of(request).recognised(keys[:1]):
            error.headers = headers
        raise


def _cookie(key: str, secure: bool) -> str:
    name = COOKIE_UNDER_TLS if secure else COOKIE
    return f"{name}={key}; Path=/; Max-Age={A_YEAR}; HttpOnly; SameSite=Lax{'; Secure' if secure else ''}"


def no_cookies(request: Request) -> list[tuple[str, str]]:
    """The headers that take a browser's keys away."""
    names = [COOKIE, COOKIE_UNDER_TLS] if _under_tls(request) else [COOKIE]
    return [
        ("Set-Cookie", f"{name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax{'; Secure' if _under_tls(request) else ''}")
        for name in names
    ]
