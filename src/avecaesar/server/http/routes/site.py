"""The server itself: whether it is there and well, how long it keeps tables, and what can be played."""

from __future__ import annotations

from functools import cache
from typing import Literal, cast

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from avecaesar import __version__
from avecaesar.server.content.menu import Menu, menu
from avecaesar.server.http.gatekeeper import JSON
from avecaesar.server.http.routes.exchange import house_of, json_of
from avecaesar.server.http.routes.operation import SERVER, Operations
from avecaesar.server.ready import Part, Readiness, in_words
from avecaesar.server.tables.retention import A_DAY
from avecaesar.speech import said_in, spoken

_operations = Operations()
operation = _operations.operation


class Health(msgspec.Struct, frozen=True):
    """That the server is there, and which version of it."""

    status: Literal["ok"]
    version: str


class Ready(msgspec.Struct, frozen=True):
    """That tables can be played."""

    status: Literal["ok"]
    version: str


class Unready(msgspec.Struct, frozen=True):
    """A problem, and which parts of the server have it."""

    problem: str
    unwell: list[Part]


class Keeping(msgspec.Struct, frozen=True):
    """After how many days finished tables are erased; None: never."""

    days: int | None


@operation("GET", "/api/health", SERVER, "Is it there?", gives=Health)
async def health(request: Request) -> Response:
    """Answers as soon as the server does."""
    return json_of(Health("ok", __version__))


@operation("GET", "/api/ready", SERVER, "Is it well?", gives=Ready, refuses=(503,))
async def ready(request: Request) -> Response:
    """Whether tables can be played: there is room on the disk, a write reaches it in time, and a worker answers.

    If not, the answer is 503 and says which part is not well. The answer is up to two seconds old.
    """
    readiness = cast(Readiness, request.app.state.readiness)
    unwell = await readiness.unwell()
    if not unwell:
        return json_of(Ready("ok", __version__))
    problem = " ".join(in_words(part) for part in unwell)
    return json_of(Unready(problem, list(unwell)), 503, {"Retry-After": "5"})


@operation("GET", "/api/keeping", SERVER, "How long tables are kept", gives=Keeping)
async def keeping(request: Request) -> Response:
    """After so many days without a change finished tables are erased, and those where no race was ever begun.

    Boards and records that were uploaded are dropped when nobody has opened them for as long.
    """
    keep = house_of(request).retention.keep
    return json_of(Keeping(None if keep is None else round(keep / A_DAY)))


@operation("GET", "/api/menu", SERVER, "What can be played", gives=Menu)
async def whole_menu(request: Request) -> Response:
    """Editions, options, courses, drivers, colours and phrases in words: everything that a new table can be."""
    return Response(_menu_in(spoken()), media_type=JSON)


@cache
def _menu_in(language: str) -> bytes:
    return said_in(language, lambda: msgspec.json.encode(menu()))


OPERATIONS = tuple(_operations)
