"""`avecaesar course`: list, show, check, export and draw the boards and their courses."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from avecaesar.cli.words import A_COURSE, examples
from avecaesar.courses import (
    DIRECTIONS,
    Board,
    BoardError,
    Course,
    boards,
    load_course,
    naming,
    read_board,
)
from avecaesar.courses.drawing.svg import draw
from avecaesar.courses.drawing.terminal import show
from avecaesar.courses.export import export_course
from avecaesar.courses.facts import facts_of
from avecaesar.files import write_atomically

A_BOARD = "A, B, or a board file of your own"
NARROWEST = 60


def define(parser: argparse.ArgumentParser) -> None:
    """What can be typed."""
    parser.description = "Boards are text files; everything else is derived from them."
    parser.epilog = examples(
        "avecaesar course show blue --direction anticlockwise",
        "avecaesar course check my.board",
        "avecaesar course svg red -o red.svg",
    )
    kinds = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=type(parser))

    def command(name: str, run: Callable[[argparse.Namespace], None], help: str, *shown: str) -> Any:
        sub = kinds.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}.", epilog=examples(*shown))
        sub.set_defaults(run=run)
        return sub

    command("list", list_courses, "the courses that come with the game", "avecaesar course list")

    sub = command(
        "show",
        show_course,
        "draw a course in the terminal",
        "avecaesar course show white",
        "avecaesar course show my.board:green --names",
    )
    _add_course(sub)
    sub.add_argument("--names", action="store_true", help="write each space's name on it (wants a wide terminal)")
    sub.add_argument("--width", type=_width, help="columns to use (default: the terminal's)")

    sub = command(
        "check",
        check_boards,
        "prove COU-3 to COU-7 for a board, or say what is wrong and where",
        "avecaesar course check",
        "avecaesar course check my.board",
    )
    sub.add_argument("boards", nargs="*", metavar="BOARD", help=f"{A_BOARD} (default: A and B)")

    sub = command(
        "export",
        print_export,
        "print a course as JSON: spaces, steps, grid, figures",
        "avecaesar course export red --direction anticlockwise",
    )
    _add_course(sub)

    sub = command(
        "svg",
        draw_board,
        "draw a board from above as SVG, the course raced in full colour",
        "avecaesar course svg red -o red.svg",
        "avecaesar course svg A -o board-a.svg",
    )
    sub.add_argument("course", metavar="COURSE", help=f"{A_COURSE}; a board ({A_BOARD}) for both its courses")
    sub.add_argument("--direction", choices=DIRECTIONS, default="clockwise")
    sub.add_argument("-o", "--output", type=Path, metavar="FILE", help="write it there (default: print it)")


def _add_course(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("course", metavar="COURSE", help=A_COURSE)
    sub.add_argument("--direction", choices=DIRECTIONS, default="clockwise")


def _width(text: str) -> int:
    if not re.fullmatch("[0-9]{2,3}", text) or not 40 <= int(text) <= 400:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of columns from 40 to 400")
    return int(text)


def list_courses(options: argparse.Namespace) -> None:
    """One line a course."""
    for board in boards():
        for name in board.courses:
            course = load_course(name)
            narrows = sum(space.bottleneck for space in course.spaces)
            print(
                f"{name:8} board {board.name} ({board.title}): lap {course.shortest_lap}, "
                f"alley +{course.alley_extra}, race {course.shortest_race}, "
                f"{len(course.spaces)} spaces, {narrows} bottlenecks; clockwise or anticlockwise"
            )


def show_course(options: argparse.Namespace) -> None:
    """Draw it with characters."""
    course = load_course(options.course, options.direction)
    marks = {space.id: space.name for space in course.spaces} if options.names else None
    if options.width:
        print(show(course, colour=sys.stdout.isatty(), width=options.width, marks=marks))
    else:
        print(show_fitting(course, marks))


def show_fitting(course: Course, marks: Mapping[int, str] | None = None) -> str:
    """As large as the terminal allows in both directions; `marks` stand on spaces."""
    columns, rows = shutil.get_terminal_size((100, 45))
    for width in range(max(columns, NARROWEST), NARROWEST - 1, -4):
        drawing = show(course, colour=sys.stdout.isatty(), width=width, marks=marks)
        if drawing.count("\n") < rows:
            break
    return drawing


def check_boards(options: argparse.Namespace) -> None:
    """Print every fact; what does not hold is bad input."""
    failed: list[tuple[str, str]] = []  # where, and what
    ours = {board.name: board for board in boards()}
    for name in options.boards or ours:
        board, where = _board(name), f"board {name}" if name in ours else name
        with naming(where):
            facts = facts_of(board)
        print(f"Board {board.name}{': ' + board.title if board.title else ''}")
        for fact in facts:
            print(f"  {'yes' if fact.true else 'NO '}  {fact.clause}  {fact.words}")
            if not fact.true:
                failed.append((where, f"{fact.clause} ({fact.words})"))
    if failed:
        where, first = failed[0]
        more = f", and {len(failed) - 1} more" if len(failed) > 1 else ""
        raise BoardError(f"this does not hold: {first}{more}", file=where)


def print_export(options: argparse.Namespace) -> None:
    """The interface for other programs: docs/interfaces.md."""
    print(json.dumps(export_course(load_course(options.course, options.direction))))


def draw_board(options: argparse.Namespace) -> None:
    """Draw one course of a board, or the board."""
    name: str = options.course
    if name in [board.name for board in boards()] or (name.endswith(".board") and Path(name).exists()):
        board, course = _board(name), None
        with naming(name):
            facts_of(board)  # a board that cannot be raced is not drawn either
    else:
        board, course = load_course(name, options.direction).board, name.rpartition(":")[2]
    drawing = draw(board, course, options.direction)
    if options.output is None:
        print(drawing)
    else:
        write_atomically(options.output, drawing.encode())


def _board(name: str) -> Board:
    for board in boards():
        if board.name == name:
            return board
        if name in board.courses:
            raise BoardError(f"'{name}' is a course of board {board.name}; name the board, or a file of your own")
    return read_board(name)
