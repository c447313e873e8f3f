"""Courses for the page: spaces lie where the picture has them, chariots look where they drive, nothing is active."""

from __future__ import annotations

import math
import pickle
import re
from itertools import accumulate
from xml.etree import ElementTree

import pytest

from avecaesar.courses import BoardError, Course, Direction, boards, compile_course, load_course, read_board
from avecaesar.server.content.pictures import course_shown, picture
from avecaesar.server.tables.plan import among, our_course
from situations import PLAIN

SVG = "{http://www.w3.org/2000/svg}"


def ours() -> list[Course]:
    directions: tuple[Direction, Direction] = ("clockwise", "anticlockwise")
    return [load_course(course, direction) for b in boards() for course in b.courses for direction in directions]


@pytest.mark.parametrize("course", ours(), ids=str)
def test_every_space_has_its_outline_in_the_picture_around_its_middle(course: Course) -> None:
    shown = course_shown(course)
    drawn = ElementTree.fromstring(picture(course))
    assert drawn.get("viewBox") == f"0 0 {shown.width:g} {shown.height:g}"
    outlines = {path.get("id"): path.get("d") or "" for path in drawn.iter(f"{SVG}path") if path.get("id")}
    for space in shown.spaces:
        steps = [float(number) for number in re.findall(r"-?[\d.]+", outlines[f"space-{space.name}"])]
        across, down = (
            list(accumulate(steps[::2])),
            list(accumulate(steps[1::2])),
        )  # the first absolute, the rest relative
        assert min(across) < space.x < max(across)
        assert min(down) < space.y < max(down)
    assert [space.id for space in shown.spaces] == list(range(len(course.spaces)))
    assert shown.grid == course.grid


@pytest.mark.parametrize("course", ours(), ids=str)
def test_a_chariot_looks_where_it_can_drive(course: Course) -> None:
    shown = course_shown(course)
    for space in course.spaces:
        here = shown.spaces[space.id]
        for step in space.steps:
            there = shown.spaces[step.to]
            ahead = math.degrees(math.atan2(there.y - here.y, there.x - here.x))
            assert abs((ahead - here.heading + 180) % 360 - 180) < 90, (space.name, course.spaces[step.to].name)


@pytest.mark.parametrize("course", [*ours(), load_course(f"{PLAIN}:white")], ids=str)
def test_the_picture_can_stand_in_a_page_with_a_strict_policy(course: Course) -> None:
    for element in ElementTree.fromstring(picture(course)).iter():
        assert element.tag.removeprefix(SVG) not in ("style", "script", "image", "foreignObject", "a", "animate", "set")
        for name, value in element.attrib.items():
            assert name != "style"
            assert not name.startswith("on")
            assert "href" not in name or value.startswith("#")
            assert all(place.startswith("#") for place in re.findall(r"url\(['\"]?([^)]*)", value))


def test_pictures_travel_to_worker_processes_and_back() -> None:
    course = our_course("blue", "anticlockwise")
    assert course_shown(pickle.loads(pickle.dumps(course))) == course_shown(course)
    assert pickle.loads(pickle.dumps(course_shown(course))) == course_shown(course)


def test_a_board_of_ones_own_is_shown_under_its_digest() -> None:
    board = read_board(PLAIN)
    course = compile_course(board, board.courses[0], "clockwise")
    shown = course_shown(course, board.sha256)
    assert shown.picture == f"/api/courses/{board.courses[0]}/clockwise/picture.svg?board={board.sha256}"
    assert course_shown(our_course("white", "clockwise")).picture == "/api/courses/white/clockwise/picture.svg"


@pytest.mark.parametrize("name", ["green", f"{PLAIN}:white", "../a.board:white", ""])
def test_no_course_name_opens_a_file(name: str) -> None:
    with pytest.raises(BoardError, match="there is no course"):
        our_course(name, "clockwise")
    with pytest.raises(BoardError, match="has no course"):
        among({("white", "clockwise"): our_course("white")})(f"{PLAIN}:white", "clockwise")
