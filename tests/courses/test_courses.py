"""Boards and courses: COU-1 to COU-8, recomputed from what `course export` prints and nothing else."""

from __future__ import annotations

import json
import re
from collections import deque
from functools import cache
from typing import Any

import pytest

from avecaesar.cli import main
from avecaesar.courses import (
    DIRECTIONS,
    Board,
    BoardError,
    boards,
    compile_course,
    load_course,
    parse_board,
    read_board,
)
from avecaesar.courses.export import export_course
from avecaesar.courses.facts import facts_of
from situations import PLAIN

clause = pytest.mark.clause
COURSES = [(course, way) for board in boards() for course in board.courses for way in DIRECTIONS]
Graph = dict[str, Any]
every_course = pytest.mark.parametrize(("course", "way"), COURSES)


@cache
def exported(course: str, way: str) -> Graph:
    graph: Graph = json.loads(json.dumps(export_course(load_course(course, way))))  # type: ignore[arg-type]
    return graph


def steps(graph: Graph) -> dict[int, list[tuple[int, bool]]]:
    return {s["id"]: [(t["to"], t["line"]) for t in s["steps"]] for s in graph["spaces"]}


def fewest(graph: Graph, start: int, goal: int, crossings: int, avoid: frozenset[int] = frozenset()) -> int | None:
    """The fewest steps from a space to another over the line so many times."""
    ahead = steps(graph)
    queue, seen = deque([(start, 0, 0)]), {(start, 0)}
    while queue:
        at, crossed, count = queue.popleft()
        for to, line in ahead[at]:
            state = (to, crossed + line)
            if state == (goal, crossings):
                return count + 1
            if to not in avoid and state not in seen and state[1] <= crossings:
                seen.add(state)
                queue.append((*state, count + 1))
    return None


def shortest_race(graph: Graph, start: int) -> int:
    """From a grid place home, with a stop in the alley at the end of the first or second lap."""
    ahead = steps(graph)
    alley = {s["id"] for s in graph["spaces"] if s["alley"]}

    def before_line(space: int) -> bool:
        return any(line or (to in alley and before_line(to)) for to, line in ahead[space])

    queue, seen = deque([(start, 0, False, 0)]), {(start, 0, False)}
    while queue:
        at, crossed, paid, count = queue.popleft()
        for to, line in ahead[at]:
            crossings = crossed + line
            if crossings == 4:
                if paid:
                    return count + 1
                continue
            pays = to in alley and crossings in ((1, 2) if before_line(to) else (2, 3))
            state = (to, crossings, paid or pays)
            if state not in seen:
                seen.add(state)
                queue.append((*state, count + 1))
    raise AssertionError("there is no way home")


@clause("COU-1")
def test_two_sides_with_two_courses_each_in_both_directions() -> None:
    assert [(board.name, board.courses) for board in boards()] == [
        ("A", ("white", "blue")),
        ("B", ("yellow", "red")),
    ]
    assert len({json.dumps(exported(*pair)) for pair in COURSES}) == 8


@clause("COU-1")
@pytest.mark.parametrize("course", ["white", "blue", "yellow", "red"])
def test_anticlockwise_is_the_same_board_with_its_steps_turned_round(course: str) -> None:
    there, back = load_course(course, "clockwise"), load_course(course, "anticlockwise")

    def named(it: Any) -> set[tuple[str, str, bool]]:
        return {(s.name, it.spaces[t.to].name, t.line) for s in it.spaces for t in s.steps}

    assert named(there) == {(b, a, line) for a, b, line in named(back)}


@clause("COU-3")
@every_course
def test_laps_alley_and_races_recomputed_from_the_export(course: str, way: str) -> None:
    graph = exported(course, way)
    lap, extra, race = (26, 1, 80) if course in ("white", "blue") else (25, 2, 78)
    laps = [fewest(graph, s["id"], s["id"], 1) for s in graph["spaces"]]
    alley = [s["id"] for s in graph["spaces"] if s["alley"]]
    assert min(l for l in laps if l) == lap == graph["shortest_lap"]  # noqa: E741
    assert {fewest(graph, s, s, 1) for s in alley} == {lap + extra}
    assert graph["alley_extra"] == extra
    behind = (4, 5) if course in ("white", "blue") else (1, 2)  # COU-7: on B which number stands where is the board's
    assert [shortest_race(graph, place) for place in graph["grid"]] == [race + (k in behind) for k in range(6)]
    assert graph["shortest_race"] == race
    assert graph["laps"] == 3


@clause("COU-3")
@every_course
def test_no_way_round_without_crossing_the_line(course: str, way: str) -> None:
    ahead = steps(exported(course, way))
    left = set(ahead)
    while ends := {at for at in left if not any(to in left and not line for to, line in ahead[at])}:
        left -= ends
    assert not left


@clause("COU-4")
@every_course
def test_always_outside_cannot_finish(course: str, way: str) -> None:
    assert load_course(course, way).outside_race > 84  # type: ignore[arg-type]


@clause("COU-4")
def test_the_outside_of_a_curve_costs_one_on_white_and_two_on_blue() -> None:
    side_a = boards()[0]
    for course, cost in (("white", 1), ("blue", 2)):
        curves = [section for section in side_a.sections(course) if section.kind != "straight"]
        assert curves
        assert {max(curve.lanes) - min(curve.lanes) for curve in curves} == {cost}


@clause("COU-5")
@pytest.mark.parametrize("board", boards(), ids=lambda board: board.name)
def test_the_two_courses_share_one_board_and_part_at_one_fork(board: Board) -> None:
    first, second = (compile_course(board, name) for name in board.courses)
    for it, other in ((first, second), (second, first)):
        shared = {s.name for s in it.spaces} & {s.name for s in other.spaces}
        assert shared
        own = {s.name for s in it.spaces} - shared
        into = {s.name for s in it.spaces for t in s.steps if s.name in shared and it.spaces[t.to].name in own}
        places = {it.space(name).place.end for name in into}
        assert len(places) == 1


@clause("COU-6")
@every_course
def test_bottlenecks_recomputed_from_the_export(course: str, way: str) -> None:
    graph = exported(course, way)
    ahead = steps(graph)
    for space in graph["spaces"]:
        left = set(ahead) - {space["id"]}
        while ends := {at for at in left if not any(to in left for to, _ in ahead[at])}:
            left -= ends
        assert space["bottleneck"] == (not left)
    assert sum(space["bottleneck"] for space in graph["spaces"]) >= 3


@clause("COU-6")
@pytest.mark.parametrize("course", ["white", "blue", "yellow", "red"])
def test_three_divided_curves_one_to_four_lanes_and_no_dead_end(course: str) -> None:
    it = load_course(course)
    assert sum(section.walled for section in it.board.sections(course)) >= 3
    widths = {rank.width for section in it.board.sections(course) for rank in section.ranks} | {
        len(section.lanes) for section in it.board.sections(course) if section.lanes
    }
    assert widths <= {1, 2, 3, 4}
    assert {1, 2, 4} <= widths
    assert all(space.steps for space in it.spaces)


@clause("COU-6")
def test_a_lane_may_be_changed_just_before_a_wall_and_just_after_it_but_not_beside_it() -> None:
    it = load_course(f"{PLAIN}:white")

    def ahead(name: str) -> set[str]:
        return {it.spaces[t.to].name for t in it.space(name).steps}

    assert ahead("N1a") == {"C1a", "C1b"}  # with a wall dead ahead, still diagonally to either side
    assert ahead("C1a") == {"C2a"}
    assert ahead("C1b") == {"C2b"}
    assert ahead("C2b") == {"P1a", "P1b"}
    assert ahead("T1b") == {"G1a", "G1b"}


@clause("COU-7")
@every_course
def test_six_grid_places_four_abreast_two_behind_all_past_the_alleys_entrance(course: str, way: str) -> None:
    graph = exported(course, way)
    ahead = steps(graph)
    alley = {s["id"] for s in graph["spaces"] if s["alley"]}
    at_line = [place for place in graph["grid"] if any(line for _, line in ahead[place])]
    behind = [place for place in graph["grid"] if place not in at_line]
    assert (len(at_line), len(behind), len(set(graph["grid"]))) == (4, 2, 6)
    assert all(any(to in at_line for to, _ in ahead[place]) for place in behind)
    if course in ("white", "blue"):
        assert graph["grid"][:4] == at_line
    for place in graph["grid"]:
        reached, newest = {place}, {place}
        while newest:
            newest = {to for at in newest for to, line in ahead[at] if not line} - reached
            reached |= newest
        assert not reached & alley


@clause("COU-8")
def test_river_and_puddles_are_scenery() -> None:
    """They are drawn on side B, and the notation of boards has no word for them: no step knows of them."""
    from avecaesar.courses.drawing.svg import draw

    side_b = boards()[1]
    drawing = draw(side_b)
    assert 'id="river"' in drawing
    assert "puddle" in drawing
    for word in ("river", "puddle"):
        with pytest.raises(BoardError):
            parse_board(side_b.source + f"\n{word} S1a\n")


def test_side_a_has_a_bottleneck_exactly_six_steps_from_the_front_rank() -> None:
    for course in ("white", "blue"):
        graph = exported(course, "clockwise")
        ahead = steps(graph)
        reached = set(graph["grid"][:4])
        narrow = {s["id"] for s in graph["spaces"] if s["bottleneck"]}
        distance = 0
        while not reached & narrow:
            reached = {to for at in reached for to, _ in ahead[at]}
            distance += 1
        assert distance == 6


@clause("COU-3", "COU-4", "COU-5", "COU-6", "COU-7")
@pytest.mark.parametrize("board", boards(), ids=lambda board: board.name)
def test_check_proves_all_facts_of_our_boards(board: Board) -> None:
    assert [fact for fact in facts_of(board) if not fact.true] == []


def test_a_course_of_a_board_file_can_be_loaded_and_raced() -> None:
    assert load_course(f"{PLAIN}:blue", "anticlockwise").shortest_race == 80


# ---------------------------------------------------------------------- bad boards

GOOD = read_board(PLAIN).source


def broken(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", None, "begins with its name"),
        (broken("board plain", "board"), 1, "board NAME"),
        (broken("side A", "side C"), 3, "side A"),
        (broken("courses white blue", "courses white white"), 4, "different names"),
        (broken("courses white blue", ""), 9, "two courses"),
        (broken("J  straight 1", "J  straight 5"), 6, "1 to 4 spaces wide"),
        (broken("J  straight 1", "J  straight"), 6, "at least one rank"),
        (broken("J  straight 1", "J  bend 1"), 6, "neither a keyword"),
        (broken("J  straight 1", "S  straight 1"), 7, "second time"),
        (broken("J  straight 1", "J  straight 1 | 1"), 7, "second time"),
        (broken("2 4 | 4 2", "2 4 4 2"), None, "no straight holds the start and finish line"),
        (broken("fork", "join"), 9, "without a 'fork'"),
        (broken("\nblue\n", "\ngreen\n"), 20, "neither a keyword"),
        (broken("C  curve right 2/3 walled", "C  curve right 2-3 walled"), 11, "not lanes"),
        (broken("C  curve right 2/3 walled", "C  curve right 3/2 walled"), 11, "never fewer"),
        (broken("C  curve right 2/3 walled", "C  curve up 2/3 walled"), 11, "left or right"),
        (broken("C  curve right 2/3 walled", "C  curve right 2/3 walled at 1"), 11, "at X Y"),
        (broken("C  curve right 2/3 walled", "C  curve right 2/3 walled at x y"), 11, "not a number"),
        (broken("C  curve right 2/3 walled", "C  curve right 2/3 walled at 1 2"), 6, "place all sections or none"),
        (broken("alley 5 line 3", "alley 5 line 5"), 33, "between two of its spaces"),
        (broken("alley 5 line 3", "alley five"), 33, "the alley reads"),
        (broken("from S3a", "from X3a"), 33, "no such space"),
        (broken("from S3a to S8a", "from S8a to S3a"), 33, "entered before the line"),
        (broken("from S3a", "from S3b"), 33, "lies on the left"),
        (broken("from S3a", "from C1a"), 33, "no such space on every course"),
        (broken("alley 5", "alley ²"), 33, "the alley reads"),
        (broken("alley 5", "alley 0059"), 33, "the alley reads"),
        (broken("N  straight 1", "N  straight 0049"), 8, "1 to 4 spaces wide"),
        (broken("fork", "fork here"), 9, "alone on its line"),
        (broken("C  curve right 2/3 walled", "C  curve right 2/3 walled at 1 2 heading east"), 11, "in degrees"),
        (broken("grid clockwise     S5d", "grid clockwise     S5c"), 34, "6 different places"),
        (broken("grid clockwise     S5d", "grid clockwise     Z5c"), 34, "no such space"),
        (broken("grid anticlockwise S6d S6c S6b S6a S7b S7a", ""), None, "no 'grid anticlockwise'"),
        (broken("straight 2 2 2 2 4", "straight 4 2 2 2 4"), 7, "more than one lane away"),
    ],
)  # fmt: skip
def test_a_bad_board_is_told_in_plain_words_with_the_line(text: str, line: int | None, words: str) -> None:
    with pytest.raises(BoardError, match=words) as refused:
        facts_of(parse_board(text))
    assert refused.value.line == line
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["course", "export", "green"], "there is no course 'green'"),
        (["course", "show", "missing.board:x"], "missing.board: the board cannot be read"),
        (["course", "check", "."], "cannot be read"),
        (["course", "svg", f"{PLAIN}:green"], "there is no course 'green'; it has white and blue"),
        (["course", "check", "white"], "'white' is a course of board A"),
        (["course", "show", str(PLAIN)], "plain.board:COURSE"),
        (["play", "--edition", "house"], "there is no edition 'house'"),
        (["play", "--edition", "ausgebremst", "--option", "hand=3"], "hand of 2"),
        (["play", "--option", "hand"], "NAME=VALUE"),
        (["play", "--option", "hand=9"], "from 1 to 6"),
        (["play", "--against", "nobody"], "there is no driver 'nobody'"),
    ],
)
def test_bad_input_is_one_line_on_stderr_and_status_two(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert words in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


@pytest.mark.parametrize(
    "arguments",
    [[], ["course"], ["course", "export"], ["--no-such"], ["course", "list", "x"], ["play", "--chariots", "7"]],
)
def test_bad_arguments_too(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_check_says_no_for_a_board_whose_facts_do_not_hold(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    file = tmp_path / "long.board"
    file.write_text(broken("P  straight 2", "P  straight 2 2"))
    assert main(["course", "check", str(file)]) == 2
    told = capsys.readouterr()
    assert "NO   COU-3  white clockwise: a lap of 27" in told.out
    assert told.err.startswith(f"avecaesar: {file}: this does not hold: COU-3")
    assert "side A asks for 26" in told.err
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("command", [["check", ""], ["svg", ""], ["show", ":white"], ["export", ":white"]])
def test_what_is_wrong_with_a_board_is_told_with_its_file(
    command: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    file = tmp_path / "odd.board"
    file.write_text(broken("S5d S5c", "S5z S5c"))
    what, course = command
    assert main(["course", what, f"{file}{course}"]) == 2
    told = capsys.readouterr().err
    assert re.match(rf"avecaesar: {re.escape(str(file))}, line \d+: the grid names S5z", told)


@pytest.mark.parametrize("command", [["list"], ["show", "blue"], ["check"], ["export", "red"], ["svg", "A"]])
def test_course_commands_print_something(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["course", *command]) == 0
    told = capsys.readouterr()
    assert len(told.out) > 200
    assert told.err == ""


def test_one_bottleneck_is_told_of_as_one() -> None:
    wide = (
        PLAIN.read_text(encoding="utf-8").replace("straight 1\n", "straight 2\n").replace("straight 1 ", "straight 2 ")
    )
    one = wide.replace("M  straight 2", "M  straight 1").replace("m  straight 2", "m  straight 1")
    told = [fact.words for fact in facts_of(parse_board(one))]
    assert "white clockwise: 1 bottleneck (M1a)" in told
