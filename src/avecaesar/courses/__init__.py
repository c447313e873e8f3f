"""Boards as data: text files compiled to courses, drawn from their own geometry."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from avecaesar.courses.board import DIRECTIONS, Board, BoardError, Direction, parse_board, read_board
from avecaesar.courses.course import LAPS, Course, Place, Space, Step, compile_course

__all__ = [
    "DIRECTIONS",
    "LAPS",
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
    "parse_board",
    "read_board",
]


@cache
def boards() -> tuple[Board, ...]:
    """The boards that come with the game, A and B."""
    files = sorted(
        (f for f in resources.files(__package__).joinpath("boards").iterdir() if f.name.endswith(".board")),
        key=lambda f: f.name,
    )
    return tuple(parse_board(file.read_text(encoding="utf-8")) for file in files)


@cache
def load_course(name: str, direction: Direction = "clockwise") -> Course:
    """A course by name (white, blue, yellow, red), or one of a board file: `my.board:green`.

    >>> load_course("white").shortest_race
    80
    """
    if direction not in DIRECTIONS:
        raise BoardError(f"a course is driven clockwise or anticlockwise, not '{direction}'")
    file, _, course = name.rpartition(":")
    if file:
        board = read_board(Path(file))
        if course not in board.courses:
            raise BoardError(f"{file} has no course '{course}'; it has {' and '.join(board.courses)}")
        return compile_course(board, course, direction)
    for board in boards():
        if name in board.courses:
            return compile_course(board, name, direction)
    known = ", ".join(course for board in boards() for course in board.courses)
    raise BoardError(f"there is no course '{name}'; there are {known}, or FILE.board:COURSE of your own")
