"""Records and replays: uploads, races turn by turn, chronicles and posters."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from avecaesar.records import Record
from avecaesar.server.content.annals import OfTable
from avecaesar.server.content.replay import Film, ReplayShown
from avecaesar.server.http.gatekeeper import JSON, TEXT
from avecaesar.server.http.routes.callers import keys_of, known
from avecaesar.server.http.routes.exchange import (
    SVG,
    NumberInAddress,
    RecordFormat,
    address_of,
    download,
    house_of,
    in_path,
    in_query,
    json_of,
    large_body_of,
    library_of,
    message_of,
    while_there,
)
from avecaesar.server.http.routes.operation import REPLAYS, Operations
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables.written import KeptRecord
from avecaesar.server.wire.decoding import LARGEST_UPLOAD
from avecaesar.server.wire.fields import END
from avecaesar.server.wire.messages import Sharing
from avecaesar.speech import say
from avecaesar.telling.chronicle_words import ChronicleShown

_REPLAY = rf"^[0-9A-Za-z_-]+(\.(0|[1-9][0-9]{{0,5}}))?{END}"  # a game has one name
ReplayNumber = Annotated[str, Meta(min_length=1, max_length=80, pattern=_REPLAY)]

_operations = Operations()
operation = _operations.operation


class WantSharing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a replay is to be shared by link."""

    share: bool


class RecordKept(msgspec.Struct, frozen=True):
    """A record that was refereed and kept: the number of its replay."""

    replay: str


class OfFormat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a record is to be written."""

    format: Annotated[RecordFormat, Meta(description="JSON, or the notation for people.")] = "json"


class OfReplay(msgspec.Struct, frozen=True):
    """A replay."""

    replay: Annotated[ReplayNumber, Meta(description="A table and its game, such as x7Kq.0, or an upload's digest.")]


class RaceOfReplay(msgspec.Struct, frozen=True):
    """A race of a replay."""

    replay: Annotated[ReplayNumber, Meta(description="A table and its game, such as x7Kq.0, or an upload's digest.")]
    race: Annotated[NumberInAddress, Meta(description="Which of its races, from 0.")]


@operation(
    "POST", "/api/records", REPLAYS, "Upload a record",
    takes=Record, accepts=(JSON, TEXT), gives=RecordKept, status=201, refuses=(400, 413, 415, 429, 503),
)  # fmt: skip
async def upload_record(request: Request) -> Response:
    """A record in JSON or in the notation for people, at most 4 MiB. Every turn is refereed again."""
    keep = partial(house_of(request).uploads.keep, address=address_of(request))
    async with large_body_of(request, LARGEST_UPLOAD) as body:
        return json_of(RecordKept(await while_there(request, library_of(request).upload(body, keep), alone=True)), 201)


async def _record_of(request: Request, replay: str) -> KeptRecord:
    table, dot, game = replay.partition(".")
    if dot:
        return await house_of(request).kept_record(table, int(game))
    return await library_of(request).uploaded(replay)


@operation(
    "GET", "/api/replays/{replay}", REPLAYS, "What a replay shows",
    within=OfReplay, gives=ReplayShown, refuses=(404, 429),
)  # fmt: skip
async def replay(request: Request) -> Response:
    """Its races and who won them."""
    of = in_path(request, OfReplay)
    record = await _record_of(request, of.replay)
    return Response(await while_there(request, library_of(request).replay(of.replay, record)), media_type=JSON)


@operation(
    "GET", "/api/replays/{replay}/races/{race}", REPLAYS, "A race, turn by turn",
    within=RaceOfReplay, gives=Film, refuses=(404, 429),
)  # fmt: skip
async def film(request: Request) -> Response:
    """Everything that happened, opened hands included: the race is over."""
    of = in_path(request, RaceOfReplay)
    record = await _record_of(request, of.replay)
    table, dot, game = of.replay.partition(".")
    by = await house_of(request).made_by(table, int(game), of.race) if dot else ()
    return Response(await while_there(request, library_of(request).film(record, of.race, by)), media_type=JSON)


@operation(
    "GET", "/api/replays/{replay}/record", REPLAYS, "A replay as a record",
    within=OfReplay, asks=OfFormat, gives=Record, media=(JSON, TEXT), refuses=(400, 404, 429),
)  # fmt: skip
async def replay_record(request: Request) -> Response:
    """The record that a replay was made of, to keep."""
    of, asked = in_path(request, OfReplay), in_query(request, OfFormat)
    record = await _record_of(request, of.replay)
    return await download(request, record, of.replay.replace(".", "-")[:40], asked.format)


@operation(
    "GET", "/api/replays/{replay}/sharing", REPLAYS, "How long a replay is kept",
    within=OfReplay, gives=Sharing, refuses=(401, 404), key=True,
)  # fmt: skip
async def sharing(request: Request) -> Response:
    """Finished tables are erased after a while, with their replays, unless somebody who sat there shares them."""
    table = _table_of(request)
    if table is None:
        # An upload: as long as it is opened now and then.
        return json_of(Sharing(until=None, shared=False, yours=False, may=False))
    return json_of(await house_of(request).sharing(table, keys_of(request)))


@operation(
    "POST", "/api/replays/{replay}/sharing", REPLAYS, "Share a replay by link, or no longer",
    within=OfReplay, takes=WantSharing, example={"share": True}, gives=Sharing,
    refuses=(400, 401, 403, 404, 413, 415, 503), key=True,
)  # fmt: skip
async def share(request: Request) -> Response:
    """Whoever sat at its table can have it kept until he shares it no longer."""
    table, wish = _table_of(request), await message_of(request, WantSharing)
    if table is None:
        raise RefusedError(say("there is nothing of that name here"), status=404)
    return json_of(await house_of(request).share(table, await known(request), wish.share))


def _table_of(request: Request) -> str | None:
    table, dot, _ = in_path(request, OfReplay).replay.partition(".")
    return table if dot else None


async def _chronicle(request: Request, form: Literal["words", "poster"]) -> bytes:
    of = in_path(request, RaceOfReplay)
    table, dot, _ = of.replay.partition(".")
    erasures = await house_of(request).store.erasures(table) if dot else None  # before the names are read
    record, library = await _record_of(request, of.replay), library_of(request)
    of_table = None if erasures is None else OfTable(table, erasures)
    alone = not await library.has_chronicle(record, of.race, of_table)  # what is written is no errand of anybody's
    return await while_there(request, library.chronicle(record, of.race, form, of_table), alone)


@operation(
    "GET", "/api/replays/{replay}/races/{race}/chronicle", REPLAYS, "What a race was",
    within=RaceOfReplay, gives=ChronicleShown, refuses=(404, 429),
)  # fmt: skip
async def chronicle(request: Request) -> Response:
    """Everybody's way, who led when, what went wrong, and the turn that decided it by the searcher's values.

    It is computed when it is asked for the first time, which takes some seconds, and kept.
    """
    return Response(await _chronicle(request, "words"), media_type=JSON)


@operation(
    "GET", "/api/replays/{replay}/races/{race}/poster.svg", REPLAYS, "A race as a picture",
    within=RaceOfReplay, gives=str, media=(SVG,), refuses=(404, 429),
)  # fmt: skip
async def race_poster(request: Request) -> Response:
    """The same as a poster to share: an SVG drawing."""
    return Response(await _chronicle(request, "poster"), media_type=SVG)


OPERATIONS = tuple(_operations)
