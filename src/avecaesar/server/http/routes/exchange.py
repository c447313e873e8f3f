"""Reading what is asked, and writing what is answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, nullcontext
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, cast

import msgspec
from msgspec import Meta
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from avecaesar.server.content.library import Library
from avecaesar.server.http.bodies import Bodies, Grown
from avecaesar.server.http.gatekeeper import JSON, TEXT
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables.house import House
from avecaesar.server.tables.written import KeptRecord
from avecaesar.server.wire.decoding import Unreadable, read, read_words
from avecaesar.server.wire.fields import END
from avecaesar.speech import say

T = TypeVar("T")
SVG = "image/svg+xml"
LARGEST_MESSAGE = 16 * 2**10
SLOWEST_BODY = 30  # seconds
RecordFormat: TypeAlias = Literal["json", "text"]
TableNumber = Annotated[str, Meta(min_length=1, max_length=64, pattern=f"^[0-9A-Za-z_-]+{END}")]
NumberInAddress = Annotated[int, Meta(ge=0, le=99_999)]


class AtTable(msgspec.Struct, frozen=True):
    """A table."""

    table: Annotated[TableNumber, Meta(description="The table's number, as in its address.")]


def house_of(request: Request) -> House:
    """The house that this server runs."""
    return cast(House, request.app.state.house)


def address_of(request: Request) -> str:
    """The caller's household, as the doors have found it out."""
    return request.client.host if request.client else ""


def library_of(request: Request) -> Library:
    """The library of replays."""
    return cast(Library, request.app.state.library)


async def while_there(request: Request, work: Coroutine[Any, Any, T], alone: bool = False) -> T:
    """What comes of work that a worker does; it is given up when the client has gone.

    What is done alone a person may ask for once at a time.
    """
    try:
        with house_of(request).thinkers.counted(alone=True) if alone else nullcontext():
            working, leaving = asyncio.create_task(work), asyncio.create_task(_left(request))
            try:
                await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
                if not working.done():
                    raise ClientDisconnect
                return working.result()
            finally:
                working.cancel()
                leaving.cancel()
    except RefusedError:
        work.close()  # if it never began
        raise


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


@asynccontextmanager
async def large_body_of(request: Request, most: int) -> AsyncIterator[bytes]:
    """The whole body, which takes up its sender's room until all is done that is done with it."""
    bodies: Bodies = request.app.state.bodies
    with bodies.held(address_of(request)) as grown:
        yield await _body_of(request, most, grown)


async def _body_of(request: Request, most: int, grown: Grown | None = None) -> bytes:
    """The whole body, if it is not too large and comes in time."""
    body = bytearray()
    try:
        async with asyncio.timeout(SLOWEST_BODY):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise RefusedError(say("this is more than {size} KiB", size=most // 1024), status=413)
                if grown is not None:
                    grown(len(body))
    except TimeoutError:
        raise RefusedError(say("this takes too long to arrive"), status=400) from None
    return bytes(body)


async def message_of(request: Request, shape: Any) -> Any:
    """A message in the body."""
    return read(await _body_of(request, LARGEST_MESSAGE), shape)


def in_path(request: Request, shape: type[T]) -> T:
    """What stands in the path; what cannot stand there is not found there."""
    try:
        return read_words(request.path_params, shape)
    except Unreadable:
        raise RefusedError(say("there is nothing of that name here"), status=404) from None


def in_query(request: Request, shape: type[T]) -> T:
    """What stands after the ?."""
    words = dict(request.query_params)
    if len(words) != len(request.query_params.multi_items()):
        raise Unreadable("a word stands twice after the ?")
    return read_words(words, shape)


def json_of(answer: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer in JSON."""
    return Response(msgspec.json.encode(answer), status, headers, media_type=JSON)


async def download(request: Request, record: KeptRecord, name: str, form: RecordFormat) -> Response:
    """A record to keep."""
    file = f"{name}.race.{'json' if form == 'json' else 'txt'}"
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    if form == "json":
        return Response(record.body, headers=headers, media_type=JSON)
    return Response(await while_there(request, library_of(request).text(record)), headers=headers, media_type=TEXT)
