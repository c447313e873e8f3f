"""Courses of boards that visitors have uploaded: compiled in worker processes, and kept for the event loop.

The fold of a table and everything else in the server's own process only ever finds courses that were compiled before.
"""

from __future__ import annotations

import asyncio
import hashlib
import pickle
from collections.abc import Callable, Hashable
from typing import Literal, NamedTuple

from avecaesar.courses import DIRECTIONS, LARGEST_BOARD, BoardError, Course, Direction, boards, load_course, parse_board
from avecaesar.courses.board_reader import TOO_LARGE
from avecaesar.courses.course import compile_course, unpacked
from avecaesar.courses.geometry import lay_out
from avecaesar.game import Race
from avecaesar.game.tournament import Load
from avecaesar.kernel.packing import adopt, course_table
from avecaesar.records import Crew, record_of
from avecaesar.server.tables.plan import among, no_such_course, our_course
from avecaesar.server.workers.answers import Answers
from avecaesar.server.workers.budgets import A_FEW_SECONDS
from avecaesar.server.workers.pool import Thinkers
from avecaesar.speech import LANGUAGES, catalogue

BOARDS_KEPT = 64
COURSES_KEPT = 128
LONGEST = 20.0  # seconds for a board; the largest takes one


class Figures(NamedTuple):
    """What an uploader is told of a course."""

    name: str
    spaces: int
    shortest_lap: int
    alley_extra: int
    shortest_race: int


class CompiledBoard(NamedTuple):
    """A board that can be raced and drawn, as it comes from a worker: its courses are unpacked one at a time."""

    sha256: str
    name: str
    title: str
    side: Literal["A", "B"]
    figures: tuple[Figures, ...]
    parcels: dict[tuple[str, Direction], bytes]


def compiled_board(text: str) -> CompiledBoard:
    """All courses of a board, both ways round, or BoardError. For workers."""
    board = parse_board(text)
    courses = [compile_course(board, name, way) for name in board.courses for way in DIRECTIONS]
    lay_out(board)
    clockwise = [course for course in courses if course.direction == "clockwise"]
    return CompiledBoard(
        board.sha256,
        board.name,
        board.title,
        clockwise[0].side,
        tuple(Figures(c.name, len(c.spaces), c.shortest_lap, c.alley_extra, c.shortest_race) for c in clockwise),
        {(c.name, c.direction): pickle.dumps((c.packed(), course_table(c))) for c in courses},
    )


def slimmed(text: str) -> str:
    """The same board without comments and needless blanks. For workers."""
    lines = (" ".join(line.split("#", 1)[0].split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line) + "\n"


def warm_up() -> None:
    """Do what is slow the first time only: compile our boards, load the compiled rules and all languages."""
    for language in LANGUAGES:
        catalogue(language)
    for board in boards():
        for name in board.courses:
            for direction in DIRECTIONS:
                course_table(load_course(name, direction))
    race = Race("white", 2, seed=1)
    race.view(race.turn)
    race.copy().play(race.legal_moves[0])
    record_of([race], [[Crew("red", "human"), Crew("blue", "human")]], "ravensburger")


def _unpacked(parcel: bytes) -> Course:
    packed, table = pickle.loads(parcel)  # which a worker of ours has packed
    course = unpacked(packed)
    adopt(course, table)
    return course


class Courses:
    """The courses of uploaded boards, by the digests of their texts; what is wrong with a board is kept, too."""

    def __init__(self, thinkers: Thinkers, count: Callable[[], None] = lambda: None) -> None:
        """`count` counts a course that is unpacked to whoever asks, and refuses if there were too many."""
        self._thinkers, self._count = thinkers, count
        self._boards: Answers[CompiledBoard] = Answers(BOARDS_KEPT)
        self._courses: Answers[Course] = Answers(COURSES_KEPT)
        self._slimmed: Answers[str] = Answers(BOARDS_KEPT)

    async def slimmed(self, digest: str, text: str) -> str:
        """A board that was kept by 0.6, which took boards of any length inside a record, so that it fits today."""
        key = ("slimmed", digest)
        slim = await self._slimmed.of(
            key, lambda: self._thinkers.call(slimmed, text, limit=LONGEST, takes=A_FEW_SECONDS, key=key)
        )
        if len(slim) > LARGEST_BOARD:
            raise BoardError(TOO_LARGE)
        return slim

    async def board(self, text: str) -> CompiledBoard:
        """A board by its text."""
        return await self._boards.of(
            key := _key(text),
            lambda: self._thinkers.call(compiled_board, text, limit=LONGEST, takes=A_FEW_SECONDS, key=_errand(key)),
        )

    @staticmethod
    def errand(text: str) -> Hashable:
        """By what somebody else who waits for that board joins those for whom it is compiled (`Thinkers.join`)."""
        return _errand(_key(text))

    async def course(self, text: str | None, name: str, direction: Direction) -> Course:
        """A course of a board by its text, or one of ours; BoardError if there is none."""
        if text is None:
            return our_course(name, direction)
        known = await self.board(text)
        if (name, direction) not in known.parcels:
            raise no_such_course(name, dict.fromkeys(course for course, _ in known.parcels))
        return await self._course(_key(text), known, name, direction)

    async def loader(self, text: str | None) -> Load:
        """Finds all courses of a board, which stay compiled as long as somebody has this."""
        if text is None:
            return our_course
        known, key = await self.board(text), _key(text)
        found: dict[tuple[str, Direction], Course] = {}
        for name, direction in known.parcels:
            found[name, direction] = await self._course(key, known, name, direction)
        return among(found)

    async def _course(self, key: str, known: CompiledBoard, name: str, direction: Direction) -> Course:
        """A course, unpacked in a step of its own: whoever asks for more boards than are kept has it done each time."""
        wanted = (key, name, direction)

        async def unpack() -> Course:
            self._count()
            return _unpacked(known.parcels[name, direction])

        if not self._courses.has(wanted):
            await asyncio.sleep(0)  # before it is looked for: whoever comes meanwhile finds what the first has unpacked
        return await self._courses.of(wanted, unpack)


def _errand(key: str) -> Hashable:
    return "board", key


def _key(text: str) -> str:
    """The digest of a board's text as it stands; to leave line ends and blanks apart would take longer."""
    if len(text) > LARGEST_BOARD:
        raise BoardError(TOO_LARGE)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
