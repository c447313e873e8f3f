"""Courses for the page: their picture, and where their spaces lie upon it.

Drawing takes its time, so it is done in worker processes, by plain functions.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from urllib.parse import quote

import msgspec

from avecaesar import courses
from avecaesar.courses import (
    DIRECTIONS,
    Course,
    Direction,
    Space,
    boards,
    load_course,
)
from avecaesar.courses.drawing.svg import draw
from avecaesar.courses.geometry import LANE, lay_out
from avecaesar.courses.spaces import Shape
from avecaesar.files import cache_folder, write_atomically
from avecaesar.records.boards import is_ours
from avecaesar.server.workers.answers import Answers
from avecaesar.server.workers.budgets import A_FEW_SECONDS, A_MOMENT
from avecaesar.server.workers.pool import Thinkers
from avecaesar.speech import said_in, say, spoken

PICTURES_KEPT = 32 * 2**20  # characters of pictures
DESCRIPTIONS_KEPT = 8 * 2**20  # bytes
LONGEST = 30.0  # seconds for a picture; the largest board takes one or two


class SpaceShown(msgspec.Struct, frozen=True):
    """A space in the picture's own coordinates: its middle, and which way a chariot looks there."""

    id: int
    name: str  # the picture has its outline as the element `space-NAME`
    x: float
    y: float
    heading: int  # degrees clockwise from east, as driven
    alley: bool
    bottleneck: bool


class CourseShown(msgspec.Struct, frozen=True):
    """A course in one direction, as the page needs it to put chariots on the picture."""

    course: str
    board: str | None  # the digest of a board of somebody's own, None: one of ours
    direction: Direction
    title: str
    width: float
    height: float
    lane: float  # how wide a lane is
    spaces: list[SpaceShown]
    grid: tuple[int, ...]  # place I first
    picture: str  # where to get it


def course_shown(course: Course, board: str | None = None) -> CourseShown:
    """Where everything lies on the picture of a course; `board` is the digest of a board of somebody's own."""
    layout = lay_out(course.board)
    shapes = layout.shapes | (layout.closed[course.name].shapes if course.name in layout.closed else {})
    turned = 180 if course.direction == "anticlockwise" else 0
    return CourseShown(
        course=course.name,
        board=board,
        direction=course.direction,
        title=say(course.board.title) if course.board.title else say("Board {name}", name=course.board.name),
        width=round(layout.width, 1),
        height=round(layout.height, 1),
        lane=LANE,
        spaces=[_space(space, shapes[space.name], turned) for space in course.spaces],
        grid=course.grid,
        picture=picture_path(course.name, course.direction, board),
    )


def _space(space: Space, shape: Shape, turned: int) -> SpaceShown:
    heading = round(shape.heading + turned) % 360
    x, y = round(shape.x, 1), round(shape.y, 1)
    return SpaceShown(space.id, space.name, x, y, heading, space.alley is not None, space.bottleneck)


def picture(course: Course) -> str:
    """The course as an SVG document; those of our own boards are kept from one start to the next."""
    if not is_ours(course.board):
        return draw(course.board, course.name, course.direction)
    kept = _kept() / f"{course.name}-{course.direction}.svg"
    with suppress(OSError):
        return kept.read_text("utf-8")
    drawn = draw(course.board, course.name, course.direction)
    with suppress(OSError):
        write_atomically(kept, drawn.encode())
    return drawn


@cache
def _kept() -> Path:
    """Where pictures are that were drawn by these very sources."""
    here = Path(courses.__file__).parent
    return cache_folder(*here.rglob("*.py"), *here.rglob("*.board"))


def picture_path(course: str, direction: Direction, digest: str | None) -> str:
    """Where a page gets the picture of a course."""
    path = f"/api/courses/{quote(course, safe='')}/{direction}/picture.svg"
    return path if digest is None else f"{path}?board={digest}"


def described(course: Course, board: str | None) -> bytes:
    """Where everything lies on the picture of a course, in JSON. For workers."""
    return msgspec.json.encode(course_shown(course, board))


class Gallery:
    """The pictures that were drawn, so that each is drawn once, and where everything lies upon them."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._drawn: Answers[str] = Answers(PICTURES_KEPT, len)
        self._described: Answers[bytes] = Answers(DESCRIPTIONS_KEPT, len)

    async def picture(self, course: Course) -> str:
        """The picture of a course."""
        key = ("picture", course.board.sha256, str(course))
        return await self._drawn.of(
            key, lambda: self._thinkers.call(picture, course, limit=LONGEST, takes=A_FEW_SECONDS, key=key)
        )

    async def shown(self, course: Course, board: str | None) -> bytes:
        """Where everything lies upon it, in JSON and in the language that is spoken."""
        language = spoken()
        key = ("course", course.board.sha256, str(course), board, language)
        takes = A_MOMENT if is_ours(course.board) else A_FEW_SECONDS

        async def describe() -> bytes:
            return await self._thinkers.call(
                said_in, language, described, course, board, limit=LONGEST, takes=takes, key=key
            )

        return await self._described.of(key, describe)

    async def draw_ours(self) -> None:
        """Draw our own boards before anybody asks for them, one at a time."""
        for direction in DIRECTIONS:
            for board in boards():
                for course in board.courses:
                    await self.picture(load_course(course, direction))
