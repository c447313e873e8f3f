"""The boards of a record: ours by name and digest, others by their own text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

from msgspec import UNSET

from avecaesar.courses import (
    DIRECTIONS,
    Board,
    BoardError,
    Course,
    Direction,
    boards,
    compile_course,
    load_course,
    parse_board,
)
from avecaesar.records.shape import Record, RecordedBoard, RecordError


def recorded(board: Board) -> RecordedBoard:
    """A board as it stands in a record."""
    return RecordedBoard(name=board.name, sha256=board.sha256, source=UNSET if is_ours(board) else board.source)


def is_ours(board: Board) -> bool:
    """Whether it is one of the boards that come with the game, whoever read it."""
    return any((board.name, board.sha256) == (ours.name, ours.sha256) for ours in boards())


def courses_of(record: Record) -> tuple[Course, ...]:
    """The course of each race, compiled; all other courses of boards of somebody's own must be sound, too."""
    courses = []
    for number, race in enumerate(record.races, 1):
        try:
            courses.append(course_among(record.boards, race.course, race.direction))
        except RecordError as error:
            raise RecordError(f"race {number}: {error}") from None
    raced_on = {course.board.name for course in courses}
    for board in record.boards:
        if board.name not in raced_on:
            raise RecordError(f"board {board.name} is among the boards, but no race was run on it")
        if board.source is not UNSET:
            for name, direction in product(board_of(board).courses, DIRECTIONS):
                _compiled(board, name, direction)
    return tuple(courses)


def course_among(entries: Sequence[RecordedBoard], course: str, direction: Direction) -> Course:
    """A course by its name, of one of these boards."""
    _tell_names_apart(entries)
    board = _having([board_of(entry) for entry in entries], course)
    return _compiled(next(entry for entry in entries if entry.name == board.name), course, direction)


def tell_apart(boards: Sequence[Board], courses: Iterable[str]) -> None:
    """Refuse boards whose names or courses cannot be told apart; courses are those of the races, in their order."""
    for number, course in enumerate(courses, 1):
        try:
            _tell_names_apart(boards)
            _having(boards, course)
        except RecordError as error:
            raise RecordError(f"race {number}: {error}") from None


def _tell_names_apart(boards: Sequence[Board | RecordedBoard]) -> None:
    if len({board.name for board in boards}) != len(boards):
        raise RecordError("two boards have the same name")


def _having(boards: Sequence[Board], course: str) -> Board:
    having = [board for board in boards if course in board.courses]
    if not having:
        raise RecordError(f"none of the record's boards has a course '{course}'")
    if len(having) > 1:
        raise RecordError(f"the boards {having[0].name} and {having[1].name} both have a course '{course}'")
    return having[0]


@lru_cache(maxsize=128)
def board_of(entry: RecordedBoard) -> Board:
    """The board itself, if it is what the record says."""
    if entry.source is not UNSET:
        return _board_of_others(entry, entry.source)
    ours = {board.name: board for board in boards()}
    if entry.name not in ours:
        raise RecordError(f"board {entry.name} is not one of ours, and its source is missing")
    if ours[entry.name].sha256 != entry.sha256:
        raise RecordError(f"this was raced on another version of board {entry.name}: the digests differ")
    return ours[entry.name]


def _board_of_others(entry: RecordedBoard, source: str) -> Board:
    try:
        board = parse_board(source)
    except BoardError as error:
        raise RecordError(f"board {entry.name}: {error}") from None
    if board.name != entry.name:
        raise RecordError(f"board {entry.name}: its source calls it {board.name}")
    if board.sha256 != entry.sha256:
        raise RecordError(f"board {entry.name}: its source is not the one that its digest was made of")
    return board


@lru_cache(maxsize=64)
def _compiled(entry: RecordedBoard, course: str, direction: Direction) -> Course:
    if entry.source is UNSET:
        return load_course(course, direction)
    try:
        return compile_course(board_of(entry), course, direction)
    except BoardError as error:
        raise RecordError(f"board {entry.name}: {error}") from None
