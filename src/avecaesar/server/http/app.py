"""The server put together: doors, routes, sockets, the page and its files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from functools import cache

import msgspec
from fastapi import FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Match, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from avecaesar import __version__
from avecaesar.errors import BadInput
from avecaesar.server.collecting import collecting_little
from avecaesar.server.content.library import Library
from avecaesar.server.content.pictures import Gallery
from avecaesar.server.fairness import on_behalf_of
from avecaesar.server.http.bodies import Bodies
from avecaesar.server.http.gatekeeper import JSON, Crowd, Gatekeeper, Settings, refusal
from avecaesar.server.http.openapi import document, page
from avecaesar.server.http.routes import OPERATIONS
from avecaesar.server.http.routes.callers import asker_of
from avecaesar.server.http.socket import Sockets
from avecaesar.server.http.static import Files
from avecaesar.server.networks import NEIGHBOURS, wider
from avecaesar.server.ready import Readiness
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.shapes import Unwell
from avecaesar.server.tables.appending import no_tables
from avecaesar.server.tables.house import House
from avecaesar.server.watchdog import Named, Watchdog
from avecaesar.speech import say

PAGES = (  # one page: it reads its address
    "/", "/new", "/t/{table}", "/replay/{replay}", "/race/{replay}", "/rules", "/rules/{edition}", "/privacy"
)  # fmt: skip
EVERYBODYS = ("/api/courses/", "/api/replays/", "/api/menu", "/api/rules/", "/api/docs", "/api/openapi.json")
BUILD = "Avecaesar-Build"
PIECE = 64 * 2**10  # bytes of an answer that are written at once
LARGE = 4 * PIECE  # bytes of an answer that is counted while it is sent
LARGE_AT_ONCE = 4  # to an address
PACKED_HERE = 16 * 2**10  # bytes: what is larger is packed in a thread, and others are served meanwhile


class GZipUnlessSecret(GZipMiddleware):
    """What is the same for everybody is sent packed; what is secret never, for its length could tell of it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pack it, or let it pass."""
        pack = scope["type"] == "http" and scope["path"].startswith(EVERYBODYS)
        await (super().__call__ if pack else self.app)(scope, receive, send)


class InPieces:
    """Answers are written no faster than they are read, and of large ones an address has a few at once.

    uvicorn waits before a piece if the last ones were not read, but takes a piece of any size: hundreds of lines on
    which nobody reads could make it hold as many records at once.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._crowd = app, Crowd()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is answered bit by bit, or say that it is too much."""
        refused = False
        with ExitStack() as counted:

            async def send_pieces(message: Message) -> None:
                nonlocal refused
                if scope["type"] == "http" and _is_large(scope, message):
                    refused = counted.enter_context(self._crowd.enter(_rooms(scope, LARGE_AT_ONCE))) is not None
                if not refused:
                    for piece in pieces(message):
                        await send(piece)

            await self._app(scope, receive, send_pieces)
        if refused:
            await too_much()(scope, receive, send)


def too_much() -> Response:
    """What an address is answered that waits for too much already."""
    problem = say("too much is being worked on for your address: try again in a moment")
    return refusal(429, problem, headers={"Retry-After": "1"})


def _is_large(scope: Scope, message: Message) -> bool:
    """Whether an answer that begins is one of those that are counted; files lie in memory once for all who ask."""
    if message["type"] != "http.response.start" or not scope["path"].startswith("/api/"):
        return False
    return int(Headers(raw=message["headers"]).get("content-length", "0")) > LARGE


def _rooms(scope: Scope, most: int) -> dict[str, int]:
    address = scope["client"][0] if scope.get("client") else ""
    return {address: most, wider(address): most * NEIGHBOURS}


def pieces(message: Message) -> Iterator[Message]:
    """A message of an answer, cut up if it holds much of a body."""
    body = message.get("body", b"")
    if message["type"] != "http.response.body" or len(body) <= PIECE:
        yield message
        return
    for at in range(0, len(body), PIECE):
        more = at + PIECE < len(body) or message.get("more_body", False)
        yield {**message, "body": body[at : at + PIECE], "more_body": more}


class Signed:
    """Every answer of the API says which page belongs to this server, so that an older one can tell."""

    def __init__(self, app: ASGIApp, files: Files) -> None:
        self._app, self._files = app, files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sign it, or let it pass."""

        async def signed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[BUILD] = self._files.newest
            await send(message)

        sign = scope["type"] == "http" and scope["path"].startswith("/api/")
        await self._app(scope, receive, signed if sign else send)


class Accounted:
    """Whatever a request or a socket asks of the readers and workers is put down to whoever sent it.

    So many reads of an address may wait, and of a network; then requests are refused, before anything is done for them.
    """

    def __init__(self, app: ASGIApp, house: House, reads: int) -> None:
        self._app, self._house, self._reads = app, house, reads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Remember who asks for as long as he is answered."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if self._is_crowded(scope):
            await too_much()(scope, receive, send)
            return
        with on_behalf_of(await asker_of(HTTPConnection(scope), self._house)):
            await self._app(scope, receive, send)

    def _is_crowded(self, scope: Scope) -> bool:
        """Whether a request would have to wait behind too many reads. Sockets wait: players are not sent away."""
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            return False
        reading = self._house.store.reading
        return any(reading[room] >= most for room, most in _rooms(scope, self._reads).items())


def create_app(house: House, settings: Settings | None = None) -> FastAPI:
    """The application. It opens the host with its store and its thinkers, and closes them in the end."""
    settings = settings or Settings()
    files, sockets = Files(settings.web), Sockets(house, settings.limits)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as opened:
            try:
                await asyncio.to_thread(written)
                await asyncio.to_thread(files.build)  # reads and packs them all, while nobody waits for an answer yet
                for part in (house.store, house.thinkers, house):
                    opened.push_async_callback(part.close)
                    await part.open()
            except Exception as error:
                app.state.failure = error
                raise
            opened.push_async_callback(sockets.close)
            drawing = asyncio.create_task(app.state.gallery.draw_ours())
            opened.callback(drawing.cancel)
            opened.push_async_callback(app.state.readiness.close)
            opened.enter_context(collecting_little())
            app.state.watchdog.open()
            opened.callback(app.state.watchdog.close)
            yield

    app = FastAPI(
        title="Ave Caesar", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None
    )
    app.openapi = document  # type: ignore[method-assign]
    app.state.house, app.state.sockets, app.state.failure = house, sockets, None
    app.state.readiness = Readiness(house.store, house.thinkers)
    app.state.gallery = Gallery(house.thinkers)
    app.state.watchdog = Watchdog()
    app.state.bodies = Bodies()
    app.state.library = Library(house.store, house.thinkers, house.room)
    app.router.redirect_slashes = False

    @cache
    def written() -> bytes:
        return msgspec.json.encode(app.openapi())

    async def show_page(request: Request) -> Response:
        return files.page(request)

    async def show_offline(request: Request) -> Response:
        return files.page(request, offline=True)

    async def show_file(request: Request) -> Response:
        return files.file(request)

    async def show_worker(request: Request) -> Response:
        return files.worker(request)

    async def show_manual(request: Request) -> Response:
        return HTMLResponse(page())

    async def show_document(request: Request) -> Response:
        return Response(written(), media_type=JSON)

    async def not_so(request: Request, error: Exception) -> Response:
        return _refused(request, error, files)

    app.router.routes += [
        *(Route(operation.path, operation.answer, methods=[operation.method]) for operation in OPERATIONS),
        Route("/api/docs", show_manual),
        Route("/api/openapi.json", show_document),
        WebSocketRoute("/api/tables/{table}/socket", sockets.serve),
        *(Route(path, show_page) for path in PAGES),
        Route("/offline", show_offline),
        Route("/worker.js", show_worker),
        Route("/static/{path:path}", show_file),
    ]
    for kind in (BadInput, HTTPException, ClientDisconnect, Unwell):
        app.add_exception_handler(kind, not_so)
    app.add_middleware(GZipUnlessSecret, minimum_size=2000, compresslevel=5, thread_minimum_size=PACKED_HERE)
    app.add_middleware(InPieces)
    app.add_middleware(Signed, files=files)
    app.add_middleware(Accounted, house=house, reads=settings.limits.reads)
    app.add_middleware(Gatekeeper, settings=settings, scripts=files.scripts, rates=house.rates)
    app.add_middleware(Named)
    return app


def _refused(request: Request, error: Exception, files: Files) -> Response:
    """What is answered instead, and why."""
    if isinstance(error, Unwell):
        error = no_tables()
    if isinstance(error, RefusedError):
        return refusal(error.status, error.problem, error.clause, error.headers)
    if isinstance(error, HTTPException):
        for_people = request.method in ("GET", "HEAD") and not request.url.path.startswith(("/api/", "/static/"))
        if error.status_code == 405:
            allowed = sorted(_allowed(request))
            problem = say("here one can only {methods}", methods=" / ".join(allowed))
            return refusal(405, problem, headers={"Allow": ", ".join(allowed)})
        if error.status_code == 404 and for_people:
            return files.page(request, 404)
        problem = say("there is nothing at this address") if error.status_code == 404 else str(error.detail)
        return refusal(error.status_code, problem, headers=error.headers)
    return refusal(400, str(error) or say("the request broke off"))


def _allowed(request: Request) -> set[str]:
    """What can be done at an address."""
    routes = [route for route in request.app.router.routes if isinstance(route, Route)]
    return {
        method
        for route in routes
        if route.matches(request.scope)[0] is not Match.NONE
        for method in route.methods or ()
    }
