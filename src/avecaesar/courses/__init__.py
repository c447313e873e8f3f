"""Boards as data: text files compiled to courses, drawn from their own geometry."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from avecaesar.courses.board import DIRECTIONS, Board, BoardError, Direction, naming
from avecaesar.courses.board_reader import LARGEST_BOARD, parse_board, read_board
from avecaesar.courses.course import LAPS, ROMAN, Course, Place, Space, Step, compile_course

__all__ = [
    "DIRECTIONS",
    "LAPS",
    "LARGEST_BOARD",
    "ROMAN",
    "Board",
    "BoardError",
    "Course",
    "Direction",
    "Place",
    "Space",
    "Step",
    "boards",
    "compile_course",
    "load_course",
    "naming",
    "parse_board",
    "read_board",
]


@cache
def boards() -> tuple[Board, ...]:
    """The boards that come with the game, A and B."""
    files = sorted(
        (f for f in resources.files(__package__).joinpath("data").iterdir() if f.name.endswith(".board")),
        key=lambda f: f.name,
    )
    return tuple(parse_board(file.read_text(encoding="utf-8")) for file in files)


def load_course(name: str, direction: Direction = "clockwise") -> Course:
    """A course by name (white, blue, yellow, red), or one of a board file: `my.board:green`.

    >>> load_course("white").shortest_race
    80
    """
    if direction not in DIRECTIONS:
        raise BoardError(f"a course is driven clockwise or anticlockwise, not {direction!r}")
    if not isinstance(name, str):
        raise BoardError(f"a course is named by a word such as 'white', not {name!r}")
    file, _, course = name.rpartition(":")
    if file:
        return _course_of_file(file, course, direction)
    if any(name in board.courses for board in boards()):
        return _course_of_ours(name, direction)
    known = ", ".join(course for board in boards() for course in board.courses)
    hint = f"; write {name}:COURSE for a course of that file" if Path(name).is_file() else ""
    raise BoardError(f"there is no course '{name}'; there are {known}, or FILE.board:COURSE of your own{hint}")


@cache
def _course_of_ours(name: str, direction: Direction) -> Course:
    board = next(board for board in boards() if name in board.courses)
    return compile_course(board, name, direction)


def _course_of_file(file: str, course: str, direction: Direction) -> Course:
    """Read anew each time: its author may be at work on it."""
    board = read_board(file)
    if course not in board.courses:
        raise BoardError(f"there is no course '{course}'; it has {' and '.join(board.courses)}", file=file)
    with naming(file):
        return compile_course(board, course, direction)
