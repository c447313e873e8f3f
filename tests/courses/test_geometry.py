"""Every space of every board has its place in the pictures, and the pictures hold nothing a page must refuse."""

from __future__ import annotations

import math
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from avecaesar.cli import main
from avecaesar.courses import (
    DIRECTIONS,
    Board,
    BoardError,
    Direction,
    boards,
    compile_course,
    load_course,
    parse_board,
)
from avecaesar.courses.curves import Polyline
from avecaesar.courses.drawing import rims
from avecaesar.courses.drawing.ink import SAND
from avecaesar.courses.drawing.kerbs import KERBS, OTHERS
from avecaesar.courses.drawing.plots import within
from avecaesar.courses.drawing.road import BED
from avecaesar.courses.drawing.svg import draw
from avecaesar.courses.drawing.terminal import draw_course, show
from avecaesar.courses.geometry import LANE, Layout, lay_out
from avecaesar.courses.spaces import Shape

SVG = "{http://www.w3.org/2000/svg}"
LARGEST_PICTURE = 250_000
COURSES = [(board, course) for board in boards() for course in board.courses]
EVERY_COURSE = pytest.mark.parametrize(("board", "course"), COURSES, ids=[course for _, course in COURSES])
EVERY_BOARD = pytest.mark.parametrize("board", boards(), ids=lambda board: board.name)


def without_places(board: Board) -> Board:
    """The board as its writer begins it: no section says where it lies."""
    return parse_board(re.sub(r"\bat -?\d.*", "", board.source))


def area(outline: Polyline) -> float:
    """Of a polygon; positive when its points go round clockwise on the screen."""
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True)) / 2


def names(board: Board) -> set[str]:
    return {space.name for course in board.courses for space in compile_course(board, course).spaces}


@EVERY_BOARD
def test_every_space_has_a_shape_and_every_shape_is_a_space(board: Board) -> None:
    assert set(lay_out(board).shapes) == names(board)


@EVERY_BOARD
def test_every_shape_has_an_area_and_its_centre_inside(board: Board) -> None:
    layout = lay_out(board)
    for name, shape in layout.shapes.items():
        assert area(shape.outline) > LANE * LANE / 2, name
        assert within((shape.x, shape.y), shape.outline), name
        assert all(0 < x < layout.width and 0 < y < layout.height for x, y in shape.outline), name


@EVERY_COURSE
def test_spaces_of_a_course_lie_apart(board: Board, course: str) -> None:
    shapes = lay_out(board).shapes
    spaces = [space.name for space in compile_course(board, course).spaces]
    for a, b in combinations(spaces, 2):
        assert math.dist(centre(shapes, a), centre(shapes, b)) >= LANE / 2, (a, b)
        assert not within(centre(shapes, a), shapes[b].outline), (a, b)


def centre(shapes: dict[str, Shape], name: str) -> tuple[float, float]:
    return shapes[name].x, shapes[name].y


@EVERY_BOARD
def test_the_two_branches_of_a_board_do_not_overlap(board: Board) -> None:
    layout = lay_out(board)
    own = {course: own_shapes(board, layout, course) for course in board.courses}
    first, second = board.courses
    for a in own[first]:
        for b in own[second]:
            assert not within((a.x, a.y), b.outline)
            assert not within((b.x, b.y), a.outline)
            assert not any(within(shrunk(point, a), b.outline) for point in a.outline)


def own_shapes(board: Board, layout: Layout, course: str) -> list[Shape]:
    sections = {section.name for section in board.branches[course]}
    return [shape for name, shape in layout.shapes.items() if name[:-1].rstrip("0123456789") in sections]


def shrunk(point: tuple[float, float], shape: Shape) -> tuple[float, float]:
    """A point of the outline drawn a little towards the centre: neighbours may touch."""
    return (point[0] + (shape.x - point[0]) * 0.1, point[1] + (shape.y - point[1]) * 0.1)


@EVERY_COURSE
def test_a_step_is_never_far(board: Board, course: str) -> None:
    shapes = lay_out(board).shapes
    spaces = compile_course(board, course).spaces
    for space in spaces:
        for step in space.steps:
            to = spaces[step.to].name
            assert math.dist(centre(shapes, space.name), centre(shapes, to)) < 5 * LANE, (space.name, to)


@EVERY_COURSE
def test_a_step_leads_forward_as_the_space_is_headed(board: Board, course: str) -> None:
    shapes = lay_out(board).shapes
    spaces = compile_course(board, course).spaces
    for space in spaces:
        here = shapes[space.name]
        for step in space.steps:
            there = shapes[spaces[step.to].name]
            angle = math.degrees(math.atan2(there.y - here.y, there.x - here.x))
            assert abs((angle - here.heading + 180) % 360 - 180) < 90, (space.name, spaces[step.to].name)


@EVERY_COURSE
def test_a_curve_bends_to_the_side_it_says(board: Board, course: str) -> None:
    shapes = lay_out(board).shapes
    for section in board.sections(course):
        if section.kind != "straight":
            last = f"{section.name}{section.lanes[0]}a"
            turn = (shapes[last].heading - shapes[f"{section.name}1a"].heading + 180) % 360 - 180
            assert (turn > 5) if section.kind == "right" else (turn < -5), section.name


@EVERY_BOARD
def test_the_start_straight_is_driven_left_to_right_with_the_alley_above_it(board: Board) -> None:
    layout = lay_out(board)
    for name in board.grid["clockwise"]:
        assert abs((layout.shapes[name].heading + 180) % 360 - 180) < 1
    for k in range(1, board.alley.spaces + 1):
        assert layout.shapes[f"alley{k}"].y < min(layout.shapes[name].y for name in board.grid["clockwise"])


@EVERY_COURSE
def test_no_space_is_out_of_proportion(board: Board, course: str) -> None:
    shapes = lay_out(board).shapes
    front = area(shapes[board.grid["clockwise"][0]].outline)
    for space in compile_course(board, course).spaces:
        most = 5.5 if space.bottleneck else 3  # the narrows open like trumpets towards fork and join
        assert front / 2.5 < area(shapes[space.name].outline) < most * front, space.name


@EVERY_BOARD
def test_a_board_without_places_is_laid_out_on_an_oval(board: Board) -> None:
    plain = without_places(board)
    layout = lay_out(plain)
    assert set(layout.shapes) == set(lay_out(board).shapes)
    assert all(area(shape.outline) > 0 for shape in layout.shapes.values())
    ElementTree.fromstring(draw(plain))
    for course in plain.courses:
        spaces = [space.name for space in compile_course(plain, course).spaces]
        apart = min(math.dist(centre(layout.shapes, a), centre(layout.shapes, b)) for a, b in combinations(spaces, 2))
        assert apart > LANE / 3


@EVERY_COURSE
def test_the_edges_of_a_course_run_on_from_section_to_section(board: Board, course: str) -> None:
    """Nothing gapes at a joint, and where the other branch is shut its mouth is walled up."""
    layout = lay_out(board)
    ring = [rims.stretch(layout, course, section.name) for section in board.sections(course)]
    for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
        assert math.dist(a.left[-1], b.left[0]) < 0.5, (a.section, b.section)
        assert math.dist(a.right[-1], b.right[0]) < 0.5, (a.section, b.section)


@EVERY_BOARD
def test_the_alley_goes_on_where_its_entrance_ends(board: Board) -> None:
    layout = lay_out(board)
    alley = layout.stretches["alley"]
    for space, end in ((board.alley.entrance, 0), (board.alley.exit, -1)):
        assert min(math.dist(alley.left[end], point) for point in layout.shapes[space].outline) < 0.5
    assert len(alley.rungs) == board.alley.spaces + 1  # a line at both mouths


@EVERY_COURSE
def test_the_road_is_drawn_between_closed_lines_that_hold_every_space(board: Board, course: str) -> None:
    layout = lay_out(board)
    loops = rims.loops(board, layout, course)
    for space in compile_course(board, course).spaces:
        inside = sum(within(centre(layout.shapes, space.name), tuple(loop)) for loop in loops)
        assert inside % 2 == 1, space.name


def test_a_board_that_is_too_large_to_draw_is_refused() -> None:
    far = boards()[0].source.replace("lane width 40", "lane width 1")
    with pytest.raises(BoardError, match="lane widths across, and a drawing has room for"):
        lay_out(parse_board(far))


def test_a_board_with_all_its_places_in_one_point_is_refused() -> None:
    heap = re.sub(r"\bat -?\d.*", "at 100 100", boards()[0].source)
    with pytest.raises(BoardError, match="a place of its own"):
        parse_board(heap)


# ---------------------------------------------------------------------- the picture


@EVERY_BOARD
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_picture_is_the_same_every_time_and_small_enough(board: Board, direction: Direction) -> None:
    for course in (None, *board.courses):
        picture = draw(board, course, direction)
        assert picture == draw(board, course, direction)
        assert len(picture.encode()) < LARGEST_PICTURE


@EVERY_BOARD
def test_a_picture_holds_nothing_that_a_strict_page_refuses(board: Board) -> None:
    picture = draw(board, board.courses[0])
    root = ElementTree.fromstring(picture)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for element in root.iter():
        assert element.tag not in (f"{SVG}style", f"{SVG}script", f"{SVG}image", f"{SVG}foreignObject")
        for key, value in element.attrib.items():
            assert key != "style"
            assert not key.startswith("on")
            if key.endswith("href"):
                assert value.startswith("#")
                assert value[1:] in ids
            for target in re.findall(r"url\(([^)]*)\)", value):
                assert target[1:] in ids


@EVERY_BOARD
def test_every_space_is_a_path_that_a_page_can_find(board: Board) -> None:
    root = ElementTree.fromstring(draw(board))
    group = next(element for element in root if element.get("id") == "spaces")
    assert {path.get("id") for path in group} == {f"space-{name}" for name in names(board)}
    for path in group:
        assert "space" in (path.get("class") or "").split()
        assert path.findtext(f"{SVG}title")


@EVERY_COURSE
def test_the_grid_is_painted_for_its_direction(board: Board, course: str) -> None:
    for direction in DIRECTIONS:
        root = ElementTree.fromstring(draw(board, course, direction))
        grid = next(element for element in root if element.get("id") == "grid")
        assert [mark.findtext(f"{SVG}text") for mark in grid] == ["I", "II", "III", "IV", "V", "VI"]
        first = lay_out(board).shapes[board.grid[direction][0]]
        assert f"translate({first.x:.1f}".rstrip("0").rstrip(".") in (grid[0].get("transform") or "")


@EVERY_COURSE
def test_a_branch_that_is_not_raced_is_pale_and_nothing_shows_through_it(board: Board, course: str) -> None:
    assert 'id="closed-branch"' not in draw(board)
    root = ElementTree.fromstring(draw(board, course))
    shut = next(element for element in root.iter() if element.get("id") == "closed-branch")
    assert shut.get("opacity") is None
    sand = next(element for element in shut if element.get("fill") not in (None, "none"))
    assert sand.get("opacity") is None
    assert re.fullmatch(r"#[0-9a-f]{6}", sand.get("fill") or "")


def test_kerbs_differ_without_their_colours_and_stand_out_from_the_sand() -> None:
    rhythms = [kerb.rhythm for kerb in (*KERBS.values(), *OTHERS)]
    assert len(set(rhythms)) == len(rhythms)
    assert contrast(BED, SAND) > 3
    assert all(contrast(kerb.paint, BED) > 3 for kerb in (*KERBS.values(), *OTHERS))


def contrast(a: str, b: str) -> float:
    """Of two colours, as WCAG counts it."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@EVERY_BOARD
def test_puddles_lie_beside_the_track(board: Board) -> None:
    root = ElementTree.fromstring(draw(board))
    puddles = [element for element in root.iter() if element.get("class") == "puddle"]
    assert bool(puddles) == (board.side == "B")
    for puddle in puddles:
        at = (float(puddle.get("x") or 0), float(puddle.get("y") or 0))
        assert not any(within(at, shape.outline) for shape in lay_out(board).shapes.values())


def test_chevrons_show_the_direction() -> None:
    board = boards()[0]
    ways = [re.findall(r'<g id="chevrons".*?</g>', draw(board, "white", direction)) for direction in DIRECTIONS]
    assert all(ways)
    assert ways[0] != ways[1]


def test_a_course_that_the_board_does_not_have_is_refused() -> None:
    with pytest.raises(BoardError, match="has no course 'green'; it has white and blue"):
        draw(boards()[0], "green")


def test_a_board_with_courses_of_any_name_is_drawn() -> None:
    renamed = parse_board(boards()[0].source.replace("white", "green").replace("blue", "purple"))
    ElementTree.fromstring(draw(renamed, "purple"))


# ---------------------------------------------------------------------- the terminal


@EVERY_COURSE
@pytest.mark.parametrize("width", [80, 120, 200])
def test_a_terminal_shows_a_course_within_its_width(board: Board, course: str, width: int) -> None:
    shown = show(load_course(course), colour=False, width=width)
    assert "\033" not in shown
    assert max(len(line) for line in shown.splitlines()) <= width
    assert all(mark in shown for mark in ("IV", "VI", "▒", "○", "━━▶", "shortest race"))
    picture = shown.split("shortest race")[0]
    assert picture.count("◆") == sum(space.bottleneck for space in load_course(course).spaces)


@EVERY_COURSE
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_arrow_stands_beside_the_track(board: Board, course: str, direction: Direction) -> None:
    """At any size it hides nothing, or it is not there."""
    for width, height in ((60, None), (80, 16), (100, 20), (100, 30), (160, None)):
        canvas = draw_course(load_course(course, direction), width, height)
        for cell in (cell for row in canvas.cells for cell in row if cell.ink == "arrow"):
            assert not cell.ground


@pytest.mark.parametrize("columns", [20, 60, 61, 80])
def test_a_course_is_shown_in_the_narrowest_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", "24")
    assert main(["course", "show", "blue"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= max(columns, 60)


def test_a_terminal_in_colour_shows_the_same_characters() -> None:
    course = load_course("red", "anticlockwise")
    coloured = show(course, colour=True, width=100)
    plain = show(course, colour=False, width=100)
    stripped = re.sub(r"\033\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in stripped.splitlines()] == plain.splitlines()
    assert "◀━━" in plain
