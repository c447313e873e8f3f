"""The table fits terminals of every size, and names, spaces and chariots can be read on each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from avecaesar.courses import boards, load_course
from avecaesar.courses.drawing.terminal import draw_course
from avecaesar.game import View
from avecaesar.table import HUMAN, Setup, Table, seats_for
from avecaesar.tui.paint import marks
from tui_by_keys import QUESTIONS, asks, at, find, opened, shown, sit_down, table_of, until

COURSES = [course for board in boards() for course in board.courses]


@pytest.mark.parametrize("size", [(80, 24), (76, 22), (80, 50), (120, 35), (200, 60)])
@pytest.mark.parametrize("course", ["white", "red"])
def test_the_table_fits_its_terminal(course: str, size: tuple[int, int]) -> None:
    table = table_of(1, 5, course=course)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        text = shown(app)
        assert all(len(line) <= size[0] for line in text.splitlines())
        assert all(seat.name in text for seat in table.setup.seats)
        assert all(name in text for name in ("Your turn: play one card", "▒", "◆", "○", "leave"))
        if course == "white" or size[0] >= 120:
            assert all(name in text for name in ("wall", "◆ room for one", "○ Imperial Alley", "▒ line"))
        screen = at(app)
        assert len(set(screen.board.canvas.spots)) == len(table.race.course.spaces)
        for mark in screen.marks:
            assert mark.letter in text
        for widget in (screen.board, screen.drivers, screen.hand, screen.log_of_race):
            region = widget.region
            assert region.area > 0
            assert region.right <= size[0]
            assert region.bottom <= size[1]

    sit_down(app, act, size)


def test_a_terminal_that_is_too_small_is_told_so() -> None:
    app = opened(table_of())

    async def act(pilot: Pilot[Any]) -> None:
        assert "make it larger" in shown(app)
        await pilot.resize_terminal(120, 35)
        await pilot.pause()
        assert "make it larger" not in shown(app)

    sit_down(app, act, (60, 18))


@pytest.mark.parametrize("size", [(76, 22), (80, 24), (80, 50), (100, 30), (140, 45)])
@pytest.mark.parametrize(("ready", "setup"), QUESTIONS, ids=["deck", "sort", "draw", "lay", "vote"])
def test_every_question_fits_its_terminal(
    ready: Callable[[View], bool], setup: dict[str, Any], size: tuple[int, int]
) -> None:
    table = find(ready, course="red", **setup)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        await pilot.pause()
        screen = at(app)
        for widget in (screen.hand, screen.drivers):
            lines = str(widget.render()).splitlines()
            assert len(lines) <= widget.size.height
            assert max(map(cell_len, lines)) <= widget.size.width
        assert cell_len(str(screen.keys.render())) <= size[0] - 2
        heading, *rows = str(screen.drivers.render()).splitlines()[:-1]
        racing = [row for row, told in zip(rows, table.view(0).chariots, strict=True) if told.status == "racing"]
        assert {cell_len(row) for row in racing} == {cell_len(heading)}

    sit_down(app, act, size)


@pytest.mark.parametrize("size", [(80, 24), (100, 30)])
@pytest.mark.parametrize(
    ("drivers", "setup"),
    [
        (["bibulus", "sibylla"], {"edition": "ausgebremst", "course": "red"}),
        (["scorpus", "festina"], {"edition": "thibault", "course": "red"}),
        (["bibulus", "scorpus"], {"options": {"chariots_each": "2"}}),
        (["greedy"], {"options": {"chariots_each": "3"}}),
    ],
    ids=["piles", "riderless", "teams of two", "teams of three"],
)
def test_usual_names_are_never_cut(drivers: list[str], setup: dict[str, Any], size: tuple[int, int]) -> None:
    table = Table(Setup(seats_for([HUMAN, *drivers]), seed=7, **setup))
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        drawn = str(at(app).drivers.render())
        assert all(rig.name in drawn for rig in table.rigs)

    sit_down(app, act, size)


@pytest.mark.parametrize("course", COURSES)
@pytest.mark.parametrize("size", [(20, 8), (46, 16), (50, 20), (76, 27), (138, 46)])
def test_every_space_has_a_character_of_its_own(course: str, size: tuple[int, int]) -> None:
    for direction in ("clockwise", "anticlockwise"):
        canvas = draw_course(load_course(course, direction), *size)
        assert canvas.columns <= size[0]
        assert canvas.rows <= size[1]
        assert len(set(canvas.spots)) == len(canvas.spots) == len(load_course(course).spaces)
        assert all(0 <= column < canvas.columns and 0 <= row < canvas.rows for column, row in canvas.spots)


def test_chariots_are_told_apart_without_colour() -> None:
    assert len(set(marks(["Livia", "Lucius", "Lia", "L", "1", "Ää"]))) == 6
