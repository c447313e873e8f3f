"""Boards and courses: uploads, and pictures."""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from avecaesar import __version__
from avecaesar.courses import LARGEST_BOARD, BoardError, Direction
from avecaesar.server.content.pictures import CourseShown, Gallery
from avecaesar.server.http.gatekeeper import JSON, TEXT
from avecaesar.server.http.routes.exchange import (
    SVG,
    address_of,
    house_of,
    in_path,
    in_query,
    json_of,
    large_body_of,
    while_there,
)
from avecaesar.server.http.routes.operation import BOARDS, Operations
from avecaesar.server.wire.decoding import Unreadable
from avecaesar.server.wire.fields import CheckedDigest, CourseName
from avecaesar.server.wire.legible import fault_in

_operations = Operations()
operation = _operations.operation


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


class OnCourse(msgspec.Struct, frozen=True):
    """A course and the way round."""

    course: Annotated[CourseName, Meta(description="The course's name, such as white.")]
    direction: Annotated[Direction, Meta(description="The way round.")]


class OfBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose course it is."""

    board: Annotated[
        CheckedDigest | None, Meta(description="The digest of an uploaded board; without it the course is one of ours.")
    ] = None


@operation(
    "POST", "/api/boards", BOARDS, "Upload a board of your own",
    takes=str, accepts=(TEXT,), example="board meadow\n…", gives=BoardKept, status=201,
    refuses=(400, 413, 415, 429, 503),
)  # fmt: skip
async def upload_board(request: Request) -> Response:
    """A board file as docs/writing-boards.md teaches it, at most 64 KiB. What is wrong with it is told, with the line.

    The digest in the answer names the board from then on: for new tables and for pictures.
    """
    async with large_body_of(request, LARGEST_BOARD) as body:
        try:
            text = body.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise Unreadable("this is not a board: a board is a UTF-8 text file") from None
        board = await while_there(request, house_of(request).courses.board(text), alone=True)
    if fault := fault_in(board.name, board.title):
        raise BoardError(fault)
    await house_of(request).uploads.keep("board", board.sha256, text.encode(), address_of(request))
    figures = [CourseFigures(*course) for course in board.figures]
    return json_of(BoardKept(board.sha256, board.name, board.title, board.side, figures), 201)


@operation(
    "GET", "/api/courses/{course}/{direction}", BOARDS, "A course",
    within=OnCourse, asks=OfBoard, gives=CourseShown, refuses=(400, 404, 429),
)  # fmt: skip
async def course(request: Request) -> Response:
    """Where its spaces lie on its picture, and which way a chariot looks there."""
    on, of = in_path(request, OnCourse), in_query(request, OfBoard)
    found = await while_there(request, house_of(request).uploads.course_of(on.course, on.direction, of.board))
    gallery: Gallery = request.app.state.gallery
    return Response(await while_there(request, gallery.shown(found, of.board)), media_type=JSON)


@operation(
    "GET", "/api/courses/{course}/{direction}/picture.svg", BOARDS, "A course's picture",
    within=OnCourse, asks=OfBoard, gives=str, media=(SVG,), refuses=(400, 404, 429),
)  # fmt: skip
async def course_picture(request: Request) -> Response:
    """An SVG drawing; the element `space-NAME` is the outline of a space."""
    on, of = in_path(request, OnCourse), in_query(request, OfBoard)
    found = await while_there(request, house_of(request).uploads.course_of(on.course, on.direction, of.board))
    name = f"{__version__} {found.board.sha256} {found}"
    headers = {
        "ETag": f'"{hashlib.sha256(name.encode()).hexdigest()[:32]}"',
        "Cache-Control": "public, max-age=3600",
    }
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(None, 304, headers)
    gallery: Gallery = request.app.state.gallery
    drawn = await while_there(request, gallery.picture(found))
    return Response(drawn, 200, headers, media_type=SVG)


OPERATIONS = tuple(_operations)
