"""Tables: laying one, sitting down, playing, and being forgotten."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from avecaesar.records import Record
from avecaesar.server.http.gatekeeper import JSON, TEXT
from avecaesar.server.http.routes.callers import keys_of, known, no_cookies, with_key, with_refusals
from avecaesar.server.http.routes.exchange import (
    AtTable,
    NumberInAddress,
    RecordFormat,
    address_of,
    download,
    house_of,
    in_path,
    in_query,
    json_of,
    message_of,
    while_there,
)
from avecaesar.server.http.routes.operation import REPLAYS, TABLES, Operations
from avecaesar.server.tables.plan import Checked
from avecaesar.server.wire.messages import (
    Asked,
    AskHint,
    Asking,
    Done,
    Forgotten,
    Hint,
    Laid,
    Link,
    Lobby,
    Logged,
    NewTable,
    Reason,
    Seated,
    Sit,
    TakeOver,
    WantLink,
    Whole,
)

RACE_NOW = {
    "seats": [{"kind": "here", "name": "Livia"}, {"kind": "friend"}, {"driver": "scorpus"}],
    "edition": "ravensburger",
    "course": "white",
}

_operations = Operations()
operation = _operations.operation


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """There is nothing more to say."""


class OfGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which game's record, and how it is to be written."""

    game: Annotated[NumberInAddress, Meta(description="Which game at this table, from 0.")] = 0
    format: Annotated[RecordFormat, Meta(description="JSON, or the notation for people.")] = "json"


@operation("GET", "/api/tables", TABLES, "The lobby", gives=Lobby, refuses=(401,), key=True)
async def lobby(request: Request) -> Response:
    """Open tables that anybody may join or watch, and the tables of whoever asks, the newest first."""
    return json_of(await house_of(request).lobby(keys_of(request)))


@operation(
    "POST", "/api/tables", TABLES, "Lay a table",
    takes=NewTable, example=RACE_NOW, gives=Laid, status=201,
    refuses=(400, 401, 404, 409, 413, 415, 429, 503), key=True,
)  # fmt: skip
async def lay(request: Request) -> Response:
    """Seats are `here` (yours), `friend` (joins by link) or `driver` (the computer's).

    The table is yours: the `token` of the answer is your key to it. It begins when you send the command `begin`.
    """
    new = await message_of(request, NewTable)
    keys, headers = await with_key(request)
    laid = await while_there(request, house_of(request).lay(new, keys[0], address_of(request)))
    return json_of(laid, 201, headers)


@operation(
    "POST", "/api/check", TABLES, "Could a table be laid so?",
    takes=NewTable, example=RACE_NOW, gives=Checked, refuses=(400, 413, 415, 429),
)  # fmt: skip
async def check(request: Request) -> Response:
    """Says what a new table would lead to or, in `problem`, why it cannot be played. Nothing is laid."""
    new = await message_of(request, NewTable)
    return json_of(await while_there(request, house_of(request).uploads.check(new)))


@operation(
    "GET", "/api/tables/{table}", TABLES, "A table as you may see it",
    within=AtTable, gives=Whole, refuses=(401, 404), key=True,
)  # fmt: skip
async def table(request: Request) -> Response:
    """The same as the first message of its socket. Without a key to a seat: what a bystander sees."""
    at = in_path(request, AtTable)
    return json_of(await house_of(request).shown(at.table, keys_of(request)))


@operation(
    "POST", "/api/tables/{table}/sit", TABLES, "Take a seat",
    within=AtTable, takes=Sit, example={"token": "s_0123456789abcdef", "name": "Marcus"}, gives=Seated,
    refuses=(400, 401, 403, 404, 409, 413, 415), key=True,
)  # fmt: skip
async def sit(request: Request) -> Response:
    """With the token of a link (what stands after its #), or without one at an open table.

    A browser's cookie holds the seat from then on; a program keeps the `token` of the answer and sends it as
    `Authorization: Bearer TOKEN`.
    """
    at, wish = in_path(request, AtTable), await message_of(request, Sit)
    keys, headers = await with_key(request)
    async with with_refusals(request, keys, headers):
        return json_of(await house_of(request).sit(at.table, wish, keys), 200, headers)


@operation(
    "POST", "/api/tables/{table}/take-over", TABLES, "Ask for a seat that was freed in mid-race",
    within=AtTable, takes=TakeOver, example={"token": "i_0123456789abcdef", "seat": 1, "name": "Cleo"}, gives=Asking,
    status=202, refuses=(400, 401, 403, 404, 409, 413, 415, 429), key=True,
)  # fmt: skip
async def take_over(request: Request) -> Response:
    """A seat that is freed in mid-race is driven by a stand-in to the end of the race: its hand was somebody else's.

    Whoever could sit down here may ask to take it over at once, and does when all persons who sit there agree, two at
    least (`table.seats[].wish`).
    """
    at, wish = in_path(request, AtTable), await message_of(request, TakeOver)
    keys, headers = await with_key(request)
    async with with_refusals(request, keys, headers):
        return json_of(await house_of(request).take_over(at.table, wish, keys), 202, headers)


@operation(
    "POST", "/api/tables/{table}/links", TABLES, "A link for somebody",
    within=AtTable, takes=WantLink, example={"seat": 1}, gives=Link,
    refuses=(400, 401, 403, 404, 409, 413, 415, 429), key=True,
)  # fmt: skip
async def link(request: Request) -> Response:
    """To a seat: your own, for a second device; or, if the table is yours, a free one. Without a seat: an invitation.

    A link to a seat opens once; an invitation for many, while a seat is free. Everybody at the table hears of it.
    It is a path and a fragment; put the server's address before it.
    """
    at, wish = in_path(request, AtTable), await message_of(request, WantLink)
    return json_of(await house_of(request).link(at.table, wish, await known(request), address_of(request)))


@operation(
    "POST", "/api/tables/{table}/commands", TABLES, "Do something at a table",
    within=AtTable, takes=Logged | Asked,
    example={"do": "move", "id": "a1", "at": 12, "seat": 1, "move": {"kind": "play", "card": 4, "to": 37}},
    gives=Done | Reason | Hint, refuses=(400, 401, 403, 404, 409, 413, 415, 429, 503), key=True,
)  # fmt: skip
async def command(request: Request) -> Response:
    """The same commands as on the socket, but for `lift`, which is a connection's own.

    `id` is yours to choose, new for every command: a command that is sent again with its old `id` is not carried out
    again. `at` is the `changed` of the table that you decided on; if the table has moved on since, the command is
    refused (409).
    """
    at, wish = in_path(request, AtTable), await message_of(request, Logged | Asked)
    work = house_of(request).command(at.table, wish, await known(request))
    return json_of(await (while_there(request, work) if isinstance(wish, AskHint) else work))


@operation(
    "GET", "/api/tables/{table}/record", REPLAYS, "The races of a table as a record",
    within=AtTable, asks=OfGame, gives=Record, media=(JSON, TEXT), refuses=(400, 404, 429),
)  # fmt: skip
async def record(request: Request) -> Response:
    """The finished races of one game at the table, to keep; `avecaesar verify` referees it again."""
    at, asked = in_path(request, AtTable), in_query(request, OfGame)
    record = await house_of(request).kept_record(at.table, asked.game)
    return await download(request, record, f"{at.table}-{asked.game}", asked.format)


@operation(
    "POST", "/api/forget", TABLES, "Forget me",
    takes=Nothing, example={}, gives=Forgotten, refuses=(400, 401, 413, 415, 429, 503), key=True,
)  # fmt: skip
async def forget(request: Request) -> Response:
    """Erases your names and everything that you have said, at all tables, and frees your seats.

    A race that is on is driven to its end by a stand-in. Your key opens nothing any more. Races stay, with nobody's
    name (Nemo) in place of yours. What others have downloaded is theirs.
    """
    await message_of(request, Nothing)
    keys = await house_of(request).recognised(keys_of(request))
    answer = json_of(await house_of(request).forget(keys, address_of(request)))
    for name, value in no_cookies(request):
        answer.headers.append(name, value)
    return answer


OPERATIONS = tuple(_operations)
