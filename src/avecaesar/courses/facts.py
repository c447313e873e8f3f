"""What RULES.md asks of a board (COU-3 to COU-7), proved from its steps and told in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from avecaesar.courses.board import DIRECTIONS, Board
from avecaesar.courses.course import Course, compile_course

POINTS = 84  # of a deck
FIGURES = {"A": (26, 1, 80), "B": (25, 2, 78)}  # COU-3: lap, alley, race from the front rank
FRONT_RANK = 4


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement about a board, and whether it is true."""

    clause: str
    true: bool
    words: str


def facts_of(board: Board) -> list[Fact]:
    """All facts of a board, course by course; raises BoardError if it cannot be raced at all."""
    courses = [compile_course(board, name, way) for name in board.courses for way in DIRECTIONS]
    return [fact for course in courses for fact in _of_course(board, course)] + list(_of_board(board))


def _of_course(board: Board, course: Course) -> Iterator[Fact]:
    figures = (course.shortest_lap, course.alley_extra, course.shortest_race)
    words = f"{course}: a lap of {figures[0]}, the alley +{figures[1]}, a race of {figures[2]}"
    if board.side is None:
        advice = (
            "the board claims no side's figures" if figures[1] > 0 else "the alley must cost more than the way past it"
        )
        yield Fact("COU-3", figures[1] > 0, f"{words} ({advice})")
    else:
        wanted = FIGURES[board.side]
        told = "" if figures == wanted else f"; side {board.side} asks for {wanted[0]}, +{wanted[1]}, {wanted[2]}"
        yield Fact("COU-3", figures == wanted, words + told)
    spare = sorted({POINTS - race for race in course.shortest_races})
    yield Fact(
        "COU-3",
        spare[0] >= 0,
        f"{course}: {spare[0]} to {spare[-1]} points to spare from the grid",
    )
    yield Fact(
        "COU-4",
        course.outside_race > POINTS,
        f"{course}: always outside costs {course.outside_race} points, and a deck has {POINTS}",
    )
    narrows = [space.name for space in course.spaces if space.bottleneck]
    counted = "1 bottleneck" if len(narrows) == 1 else f"{len(narrows)} bottlenecks"
    yield Fact("COU-6", bool(narrows), f"{course}: {counted} ({', '.join(narrows) or 'none'})")
    yield from _of_grid(course)


def _of_grid(course: Course) -> Iterator[Fact]:
    to_line = [course.remaining[0][place] for place in course.grid]
    front = [space for space, steps in zip(course.grid, to_line, strict=True) if steps == min(to_line)]
    behind = [steps - min(to_line) for steps in to_line if steps > min(to_line)]
    abreast = len({course.spaces[place].place.begin for place in front}) == 1
    at_line = all(any(step.line for step in course.spaces[place].steps) for place in front)
    yield Fact(
        "COU-7",
        len(front) == FRONT_RANK and behind == [1, 1] and abreast and at_line,
        f"{course}: {len(front)} grid places abreast at the line, {len(behind)} one rank back",
    )
    yield Fact(
        "COU-7",
        not any(_enters_alley(course, place) for place in course.grid),
        f"{course}: nobody can enter the alley from the grid",
    )


def _enters_alley(course: Course, place: int) -> bool:
    """Whether a way leads from a space into the alley before the line."""
    reached, newest = {place}, {place}
    while newest:
        newest = {step.to for at in newest for step in course.spaces[at].steps if not step.line} - reached
        reached |= newest
    return any(course.spaces[at].alley for at in reached)


def _of_board(board: Board) -> Iterator[Fact]:
    if len(board.courses) == 2:
        first, second = board.courses
        yield Fact("COU-5", True, f"{first} and {second} share the board and part at one fork")
    for name in board.courses:
        curves = [section for section in board.sections(name) if section.kind != "straight"]
        walled = sum(section.walled for section in curves)
        costs = sorted({max(curve.lanes) - min(curve.lanes) for curve in curves})
        told = " or ".join(map(str, costs)) or "nothing"
        yield Fact("COU-4", bool(curves), f"{name}: {len(curves)} curves, outside costs {told}")
        yield Fact("COU-6", walled > 0, f"{name}: {walled} of its curves divided by a wall")
