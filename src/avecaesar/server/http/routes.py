"""What can be asked over HTTP: each operation with the words that its manual is made of.

The handlers only read, ask the host, and write; what is allowed is decided by the doors before them and by the host
behind them.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, cast

import msgspec
from msgspec import Meta
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from avecaesar import __version__
from avecaesar.courses import LARGEST_BOARD, BoardError, Direction
from avecaesar.records import Record
from avecaesar.rules import EDITIONS
from avecaesar.server.content.annals import OfTable
from avecaesar.server.content.library import Library, Told, told
from avecaesar.server.content.menu import Menu, menu
from avecaesar.server.content.pictures import CourseShown, Gallery
from avecaesar.server.content.replay import Film, ReplayShown
from avecaesar.server.content.rulebook import Rulebook
from avecaesar.server.http.gatekeeper import A_YEAR, COOKIE, COOKIE_UNDER_TLS, JSON, TEXT, cookies_of
from avecaesar.server.ready import Part, Readiness, in_words
from avecaesar.server.store.database import Unwell
from avecaesar.server.tables.house import Host, hashed, new_key
from avecaesar.server.tables.plan import Checked
from avecaesar.server.tables.retention import A_DAY
from avecaesar.server.tables.state import RefusedError
from avecaesar.server.wire.decoding import Unreadable, read, read_words
from avecaesar.server.wire.legible import fault_in
from avecaesar.server.wire.messages import (
    END,
    Asked,
    AskHint,
    Asking,
    CourseName,
    Digest,
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
    Sharing,
    Sit,
    TakeOver,
    WantLink,
    Whole,
)
from avecaesar.server.workers.fairness import Asker
from avecaesar.speech import said_in, say, spoken
from avecaesar.telling.chronicle_words import ChronicleShown

T = TypeVar("T")
LARGEST_MESSAGE = 16 * 2**10
LARGEST_RECORD = 4 * 2**20
SLOWEST_BODY = 30  # seconds
A_KEY = re.compile("[0-9A-Za-z_-]{16,128}")
SVG = "image/svg+xml"


# ---------------------------------------------------------------------- shapes that only HTTP has


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


class CourseFigures(msgspec.Struct, frozen=True):
    """A course of an uploaded board, and its figures."""

    name: str
    spaces: int
    shortest_lap: int
    alley_extra: int
    shortest_race: int


class BoardKept(msgspec.Struct, frozen=True):
    """A board of somebody's own that was checked and kept; `board` is its digest, for a new table."""

    board: str
    name: str
    title: str
    side: Literal["A", "B"]
    courses: list[CourseFigures]


class Keeping(msgspec.Struct, frozen=True):
    """After how many days finished tables are erased; None: never."""

    days: int | None


class WantSharing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a replay is to be shared by link."""

    share: bool


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """There is nothing more to say."""


class RecordKept(msgspec.Struct, frozen=True):
    """A record that was refereed and kept: the number of its replay."""

    replay: str


RecordFormat: TypeAlias = Literal["json", "text"]
TableNumber = Annotated[str, Meta(min_length=1, max_length=64, pattern=f"^[0-9A-Za-z_-]+{END}")]
_REPLAY = rf"^[0-9A-Za-z_-]+(\.(0|[1-9][0-9]{{0,5}}))?{END}"  # a game has one name
ReplayNumber = Annotated[str, Meta(min_length=1, max_length=80, pattern=_REPLAY)]
Number = Annotated[int, Meta(ge=0, le=99_999)]


class AtTable(msgspec.Struct, frozen=True):
    """A table."""

    table: Annotated[TableNumber, Meta(description="The table's number, as in its address.")]


class OfGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which game's record, and how it is to be written."""

    game: Annotated[Number, Meta(description="Which game at this table, from 0.")] = 0
    format: Annotated[RecordFormat, Meta(description="JSON, or the notation for people.")] = "json"


class OfFormat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a record is to be written."""

    format: Annotated[RecordFormat, Meta(description="JSON, or the notation for people.")] = "json"


class OnCourse(msgspec.Struct, frozen=True):
    """A course and the way round."""

    course: Annotated[CourseName, Meta(description="The course's name, such as white.")]
    direction: Annotated[Direction, Meta(description="The way round.")]


class OfBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose course it is."""

    board: Annotated[
        Digest | None, Meta(description="The digest of an uploaded board; without it the course is one of ours.")
    ] = None


class OfReplay(msgspec.Struct, frozen=True):
    """A replay."""

    replay: Annotated[ReplayNumber, Meta(description="A table and its game, such as x7Kq.0, or an upload's digest.")]


class OfEdition(msgspec.Struct, frozen=True):
    """An edition of the rules."""

    edition: Annotated[
        Annotated[str, Meta(min_length=1, max_length=40, pattern=f"^[a-z-]+{END}")],
        Meta(description="The edition's name, such as ravensburger; the menu has them all."),
    ]


class RaceOfReplay(msgspec.Struct, frozen=True):
    """A race of a replay."""

    replay: Annotated[ReplayNumber, Meta(description="A table and its game, such as x7Kq.0, or an upload's digest.")]
    race: Annotated[Number, Meta(description="Which of its races, from 0.")]


# ---------------------------------------------------------------------- operations


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that can be asked, as the manual tells it."""

    method: Literal["GET", "POST"]
    path: str
    answer: Callable[[Request], Awaitable[Response]]
    group: str
    summary: str
    description: str = ""
    takes: Any = None  # the body's shape
    accepts: tuple[str, ...] = (JSON,)
    example: Any = None  # of the body
    within: type[msgspec.Struct] | None = None  # what stands in the path
    asks: type[msgspec.Struct] | None = None  # what stands after the ?
    gives: Any = None  # the answer's shape
    media: tuple[str, ...] = (JSON,)  # the answer's
    status: int = 200
    refuses: tuple[int, ...] = ()
    key: bool = False  # whether it makes a difference who asks

    @property
    def name(self) -> str:
        """What programs may call it."""
        return self.answer.__name__


OPERATIONS: list[Operation] = []
TABLES, BOARDS, REPLAYS, SERVER = "Tables", "Boards and courses", "Records and replays", "The server"
Handler = Callable[[Request], Awaitable[Response]]


def operation(
    method: Literal["GET", "POST"], path: str, group: str, summary: str, **more: Any
) -> Callable[[Handler], Handler]:
    """Enter a handler in the list; its docstring is the description."""

    def enter(handler: Handler) -> Handler:
        OPERATIONS.append(Operation(method, path, handler, group, summary, handler.__doc__ or "", **more))
        return handler

    return enter


# ---------------------------------------------------------------------- who asks


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


async def asker_of(connection: HTTPConnection, host: Host) -> Asker:
    """On whose account the caller's errands are done: an address, and within it a person, known by his first key.

    A key that opens nothing makes nobody a person: else he would be as many as keys that he thinks up.
    """
    address = connection.client.host if connection.client else "unknown"
    keys: tuple[str, ...] = ()
    if connection.url.path.startswith("/api/"):
        with suppress(RefusedError, Unwell):  # which is told where a key is needed
            keys = await host.recognised(keys_of(connection))
    return Asker(address, hashed(keys[0]) if keys else address)


async def _known(request: Request) -> tuple[str, ...]:
    """The caller's keys that the server made; others are worth nothing here, and are given nothing."""
    keys = await _host(request).recognised(keys_of(request))
    if not keys:
        raise RefusedError(say("nobody knows you here: take a seat first, or send your key"), status=401)
    return keys


async def _with_key(request: Request) -> tuple[tuple[str, ...], dict[str, str]]:
    """The caller's keys, the first his own; if he had none, a new one and, for a browser, the header that sets it.

    Keys are made here and nowhere else: what a caller thought up, or somebody planted in his browser, is worth nothing
    and is not given anything (session fixation).
    """
    keys = await _host(request).recognised(keys_of(request))
    under_tls = _under_tls(request)
    planted = under_tls and keys and keys[0].startswith("b_") and _cookies(request).get(COOKIE_UNDER_TLS) != keys[0]
    if keys and not planted:  # perhaps it is not: but it gets nothing more
        return keys, {}
    if "origin" not in request.headers:
        return (new_key("s"), *keys), {}  # a program is told its key in the answer
    key = new_key("h" if under_tls else "b")
    return (key, *keys), {"Set-Cookie": _cookie(key, under_tls)}


@contextmanager
def _with_refusals(headers: dict[str, str]) -> Iterator[None]:
    """Whoever is refused something is told his new key too: what his old one held may be the new one's by now."""
    try:
        yield
    except RefusedError as error:
        error.headers = headers
        raise


def _cookie(key: str, secure: bool) -> str:
    name = COOKIE_UNDER_TLS if secure else COOKIE
    return f"{name}={key}; Path=/; Max-Age={A_YEAR}; HttpOnly; SameSite=Lax{'; Secure' if secure else ''}"


def _no_cookies(request: Request) -> list[tuple[str, str]]:
    """The headers that take a browser's keys away."""
    names = [COOKIE, COOKIE_UNDER_TLS] if _under_tls(request) else [COOKIE]
    return [
        ("Set-Cookie", f"{name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax{'; Secure' if _under_tls(request) else ''}")
        for name in names
    ]


# ---------------------------------------------------------------------- reading and writing


def _host(request: Request) -> Host:
    return cast(Host, request.app.state.host)


def _address(request: Request) -> str:
    """The caller's household, as the doors have found it out."""
    return request.client.host if request.client else ""


def _library(request: Request) -> Library:
    return cast(Library, request.app.state.library)


async def _while_there(request: Request, work: Coroutine[Any, Any, T], alone: bool = False) -> T:
    """What comes of work that a worker does; it is given up when the client has gone.

    What is done alone a person may ask for once at a time.
    """
    try:
        with _host(request).thinkers.counted(alone=True) if alone else nullcontext():
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


async def _body(request: Request, most: int) -> bytes:
    body = bytearray()
    try:
        async with asyncio.timeout(SLOWEST_BODY):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise RefusedError(say("this is more than {size} KiB", size=most // 1024), status=413)
    except TimeoutError:
        raise RefusedError(say("this takes too long to arrive"), status=400) from None
    return bytes(body)


async def _message(request: Request, shape: Any) -> Any:
    return read(await _body(request, LARGEST_MESSAGE), shape)


def _within(request: Request, shape: type[T]) -> T:
    """What stands in the path; what cannot stand there is not found there."""
    try:
        return read_words(request.path_params, shape)
    except Unreadable:
        raise RefusedError(say("there is nothing of that name here"), status=404) from None


def _asked(request: Request, shape: type[T]) -> T:
    words = dict(request.query_params)
    if len(words) != len(request.query_params.multi_items()):
        raise Unreadable("a word stands twice after the ?")
    return read_words(words, shape)


def _json(answer: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(answer), status, headers, media_type=JSON)


async def _download(request: Request, record: Told, name: str, form: RecordFormat) -> Response:
    file = f"{name}.race.{'json' if form == 'json' else 'txt'}"
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    if form == "json":
        return Response(record.body, headers=headers, media_type=JSON)
    return Response(await _while_there(request, _library(request).text(record)), headers=headers, media_type=TEXT)


# ---------------------------------------------------------------------- the server


@operation("GET", "/api/health", SERVER, "Is it there?", gives=Health)
async def health(request: Request) -> Response:
    """Answers as soon as the server does."""
    return _json(Health("ok", __version__))


@operation("GET", "/api/ready", SERVER, "Is it well?", gives=Ready, refuses=(503,))
async def ready(request: Request) -> Response:
    """Whether tables can be played: there is room on the disk, a write reaches it in time, and a worker answers.

    If not, the answer is 503 and says which part is not well. The answer is up to two seconds old.
    """
    readiness = cast(Readiness, request.app.state.readiness)
    unwell = await readiness.unwell()
    if not unwell:
        return _json(Ready("ok", __version__))
    problem = " ".join(in_words(part) for part in unwell)
    return _json(Unready(problem, list(unwell)), 503, {"Retry-After": "5"})


@operation("GET", "/api/keeping", SERVER, "How long tables are kept", gives=Keeping)
async def keeping(request: Request) -> Response:
    """After so many days without a change finished tables are erased, and those where no race was ever begun.

    Boards and records that were uploaded are dropped when nobody has opened them for as long.
    """
    keep = _host(request).retention.keep
    return _json(Keeping(None if keep is None else round(keep / A_DAY)))


@operation("GET", "/api/menu", SERVER, "What can be played", gives=Menu)
async def whole_menu(request: Request) -> Response:
    """Editions, options, courses, drivers, colours and phrases in words: everything that a new table can be."""
    return Response(_menu_in(spoken()), media_type=JSON)


@cache
def _menu_in(language: str) -> bytes:
    return said_in(language, lambda: msgspec.json.encode(menu()))


# ---------------------------------------------------------------------- tables

RACE_NOW = {
    "seats": [{"kind": "here", "name": "Livia"}, {"kind": "friend"}, {"driver": "scorpus"}],
    "edition": "ravensburger",
    "course": "white",
}


@operation("GET", "/api/tables", TABLES, "The lobby", gives=Lobby, refuses=(401,), key=True)
async def lobby(request: Request) -> Response:
    """Open tables that anybody may join or watch, and the tables of whoever asks, the newest first."""
    return _json(await _host(request).lobby(keys_of(request)))


@operation(
    "POST", "/api/tables", TABLES, "Lay a table",
    takes=NewTable, example=RACE_NOW, gives=Laid, status=201,
    refuses=(400, 401, 404, 409, 413, 415, 429, 503), key=True,
)  # fmt: skip
async def lay(request: Request) -> Response:
    """Seats are `here` (yours), `friend` (joins by link) or `driver` (the computer's).

    The table is yours: the `token` of the answer is your key to it. It begins when you send the command `begin`.
    """
    new = await _message(request, NewTable)
    keys, headers = await _with_key(request)
    laid = await _while_there(request, _host(request).lay(new, keys[0], _address(request)))
    return _json(laid, 201, headers)


@operation(
    "POST", "/api/check", TABLES, "Could a table be laid so?",
    takes=NewTable, example=RACE_NOW, gives=Checked, refuses=(400, 413, 415),
)  # fmt: skip
async def check(request: Request) -> Response:
    """Says what a new table would lead to or, in `problem`, why it cannot be played. Nothing is laid."""
    new = await _message(request, NewTable)
    return _json(await _while_there(request, _host(request).check(new)))


@operation(
    "GET", "/api/tables/{table}", TABLES, "A table as you may see it",
    within=AtTable, gives=Whole, refuses=(401, 404), key=True,
)  # fmt: skip
async def table(request: Request) -> Response:
    """The same as the first message of its socket. Without a key to a seat: what a bystander sees."""
    at = _within(request, AtTable)
    return _json(await _host(request).shown(at.table, keys_of(request)))


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
    at, wish = _within(request, AtTable), await _message(request, Sit)
    keys, headers = await _with_key(request)
    with _with_refusals(headers):
        return _json(await _host(request).sit(at.table, wish, keys), 200, headers)


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
    at, wish = _within(request, AtTable), await _message(request, TakeOver)
    keys, headers = await _with_key(request)
    with _with_refusals(headers):
        return _json(await _host(request).take_over(at.table, wish, keys), 202, headers)


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
    at, wish = _within(request, AtTable), await _message(request, WantLink)
    return _json(await _host(request).link(at.table, wish, await _known(request), _address(request)))


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
    at, wish = _within(request, AtTable), await _message(request, Logged | Asked)
    work = _host(request).command(at.table, wish, await _known(request))
    return _json(await (_while_there(request, work) if isinstance(wish, AskHint) else work))


@operation(
    "GET", "/api/tables/{table}/record", REPLAYS, "The races of a table as a record",
    within=AtTable, asks=OfGame, gives=Record, media=(JSON, TEXT), refuses=(400, 404, 429),
)  # fmt: skip
async def record(request: Request) -> Response:
    """The finished races of one game at the table, to keep; `avecaesar verify` referees it again."""
    at, asked = _within(request, AtTable), _asked(request, OfGame)
    record = told(await _host(request).record(at.table, asked.game))
    return await _download(request, record, f"{at.table}-{asked.game}", asked.format)


@operation(
    "POST", "/api/forget", TABLES, "Forget me",
    takes=Nothing, example={}, gives=Forgotten, refuses=(400, 401, 413, 415, 429, 503), key=True,
)  # fmt: skip
async def forget(request: Request) -> Response:
    """Erases your names and everything that you have said, at all tables, and frees your seats.

    A race that is on is driven to its end by a stand-in. Your key opens nothing any more. Races stay, with nobody's
    name (Nemo) in place of yours. What others have downloaded is theirs.
    """
    await _message(request, Nothing)
    keys = await _host(request).recognised(keys_of(request))
    answer = _json(await _host(request).forget(keys, _address(request)))
    for name, value in _no_cookies(request):
        answer.headers.append(name, value)
    return answer


# ---------------------------------------------------------------------- boards and courses


@operation(
    "POST", "/api/boards", BOARDS, "Upload a board of your own",
    takes=str, accepts=(TEXT,), example="board meadow\n…", gives=BoardKept, status=201,
    refuses=(400, 413, 415, 429, 503),
)  # fmt: skip
async def upload_board(request: Request) -> Response:
    """A board file as docs/writing-boards.md teaches it, at most 64 KiB. What is wrong with it is told, with the line.

    The digest in the answer names the board from then on: for new tables and for pictures.
    """
    body = await _body(request, LARGEST_BOARD)
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("this is not a board: a board is a UTF-8 text file") from None
    board = await _while_there(request, _host(request).courses.board(text), alone=True)
    if fault := fault_in(board.name, board.title):
        raise BoardError(fault)
    await _host(request).keep("board", board.sha256, text.encode(), _address(request))
    figures = [CourseFigures(*course) for course in board.figures]
    return _json(BoardKept(board.sha256, board.name, board.title, board.side, figures), 201)


@operation(
    "GET", "/api/courses/{course}/{direction}", BOARDS, "A course",
    within=OnCourse, asks=OfBoard, gives=CourseShown, refuses=(400, 404, 429),
)  # fmt: skip
async def course(request: Request) -> Response:
    """Where its spaces lie on its picture, and which way a chariot looks there."""
    on, of = _within(request, OnCourse), _asked(request, OfBoard)
    found = await _while_there(request, _host(request).course_of(on.course, on.direction, of.board))
    gallery: Gallery = request.app.state.gallery
    return Response(await _while_there(request, gallery.shown(found, of.board)), media_type=JSON)


@operation(
    "GET", "/api/courses/{course}/{direction}/picture.svg", BOARDS, "A course's picture",
    within=OnCourse, asks=OfBoard, gives=str, media=(SVG,), refuses=(400, 404, 429),
)  # fmt: skip
async def course_picture(request: Request) -> Response:
    """An SVG drawing; the element `space-NAME` is the outline of a space."""
    on, of = _within(request, OnCourse), _asked(request, OfBoard)
    found = await _while_there(request, _host(request).course_of(on.course, on.direction, of.board))
    name = f"{__version__} {found.board.sha256} {found}"
    headers = {
        "ETag": f'"{hashlib.sha256(name.encode()).hexdigest()[:32]}"',
        "Cache-Control": "public, max-age=3600",
    }
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(None, 304, headers)
    gallery: Gallery = request.app.state.gallery
    drawn = await _while_there(request, gallery.picture(found))
    return Response(drawn, 200, headers, media_type=SVG)


# ---------------------------------------------------------------------- records and replays


@operation(
    "POST", "/api/records", REPLAYS, "Upload a record",
    takes=Record, accepts=(JSON, TEXT), gives=RecordKept, status=201, refuses=(400, 413, 415, 429, 503),
)  # fmt: skip
async def upload_record(request: Request) -> Response:
    """A record in JSON or in the notation for people, at most 4 MiB. Every turn is refereed again."""
    body = await _body(request, LARGEST_RECORD)
    keep = partial(_host(request).keep, address=_address(request))
    return _json(RecordKept(await _while_there(request, _library(request).upload(body, keep), alone=True)), 201)


async def _record_of(request: Request, replay: str) -> Told:
    table, dot, game = replay.partition(".")
    if dot:
        return told(await _host(request).record(table, int(game)))
    return await _library(request).uploaded(replay)


@operation(
    "GET", "/api/replays/{replay}", REPLAYS, "What a replay shows",
    within=OfReplay, gives=ReplayShown, refuses=(404, 429),
)  # fmt: skip
async def replay(request: Request) -> Response:
    """Its races and who won them."""
    of = _within(request, OfReplay)
    record = await _record_of(request, of.replay)
    return Response(await _while_there(request, _library(request).replay(of.replay, record)), media_type=JSON)


@operation(
    "GET", "/api/replays/{replay}/races/{race}", REPLAYS, "A race, turn by turn",
    within=RaceOfReplay, gives=Film, refuses=(404, 429),
)  # fmt: skip
async def film(request: Request) -> Response:
    """Everything that happened, opened hands included: the race is over."""
    of = _within(request, RaceOfReplay)
    record = await _record_of(request, of.replay)
    table, dot, game = of.replay.partition(".")
    by = await _host(request).made_by(table, int(game), of.race) if dot else ()
    return Response(await _while_there(request, _library(request).film(record, of.race, by)), media_type=JSON)


@operation(
    "GET", "/api/replays/{replay}/record", REPLAYS, "A replay as a record",
    within=OfReplay, asks=OfFormat, gives=Record, media=(JSON, TEXT), refuses=(400, 404, 429),
)  # fmt: skip
async def replay_record(request: Request) -> Response:
    """The record that a replay was made of, to keep."""
    of, asked = _within(request, OfReplay), _asked(request, OfFormat)
    record = await _record_of(request, of.replay)
    return await _download(request, record, of.replay.replace(".", "-")[:40], asked.format)


@operation(
    "GET", "/api/replays/{replay}/sharing", REPLAYS, "How long a replay is kept",
    within=OfReplay, gives=Sharing, refuses=(401, 404), key=True,
)  # fmt: skip
async def sharing(request: Request) -> Response:
    """Finished tables are erased after a while, with their replays, unless somebody who sat there shares them."""
    table = _table_of(request)
    if table is None:
        return _json(Sharing(until=None, shared=False, yours=False, may=False))  # as long as it is opened now and then
    return _json(await _host(request).sharing(table, keys_of(request)))


@operation(
    "POST", "/api/replays/{replay}/sharing", REPLAYS, "Share a replay by link, or no longer",
    within=OfReplay, takes=WantSharing, example={"share": True}, gives=Sharing,
    refuses=(400, 401, 403, 404, 413, 415, 503), key=True,
)  # fmt: skip
async def share(request: Request) -> Response:
    """Whoever sat at its table can have it kept until he shares it no longer."""
    table, wish = _table_of(request), await _message(request, WantSharing)
    if table is None:
        raise RefusedError(say("there is nothing of that name here"), status=404)
    return _json(await _host(request).share(table, await _known(request), wish.share))


def _table_of(request: Request) -> str | None:
    table, dot, _ = _within(request, OfReplay).replay.partition(".")
    return table if dot else None


async def _chronicle(request: Request, form: Literal["words", "poster"]) -> bytes:
    of = _within(request, RaceOfReplay)
    table, dot, _ = of.replay.partition(".")
    erasures = await _host(request).store.erasures(table) if dot else None  # before the names are read
    record, library = await _record_of(request, of.replay), _library(request)
    of_table = None if erasures is None else OfTable(table, erasures)
    alone = not await library.has_chronicle(record, of.race, of_table)  # what is written is no errand of anybody's
    return await _while_there(request, library.chronicle(record, of.race, form, of_table), alone)


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


# ---------------------------------------------------------------------- the rules


@operation(
    "GET", "/api/rules/{edition}", SERVER, "The rules of an edition",
    within=OfEdition, gives=Rulebook, refuses=(404, 429),
)  # fmt: skip
async def rules(request: Request) -> Response:
    """Its clauses in the order in which one learns them, what differs from other editions, and little races to see."""
    of = _within(request, OfEdition)
    if of.edition not in EDITIONS:
        raise RefusedError(say("there is no edition of that name"), status=404)
    return Response(await _while_there(request, _library(request).rules(of.edition)), media_type=JSON)
