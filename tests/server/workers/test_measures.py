"""What visitors send is counted before it is built."""

from __future__ import annotations

import gc
import json
import pickle
import random
import weakref
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any, NoReturn

import pytest

from avecaesar.courses import DIRECTIONS, BoardError, board_reader, compile_course, parse_board, read_board
from avecaesar.courses import course as course_module
from avecaesar.courses.board_reader import LARGEST_BOARD
from avecaesar.game import Race, Tournament
from avecaesar.kernel import packing
from avecaesar.records import RecordError, from_json, from_text, record_of, referee, to_text, writing
from avecaesar.server.content.library import received
from avecaesar.server.content.replay import read_upload
from large_boards import BOARD, HUGE, LARGE, UNRACEABLE, long_straight, record_on, with_blue
from recordings import crews_of, run

# ---------------------------------------------------------------------- counted before it is built


def never(*_: object, **__: object) -> NoReturn:
    raise AssertionError("this should not have been built")


def test_a_boards_text_is_measured_before_it_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fits = BOARD + "#" * (LARGEST_BOARD - len(BOARD.encode()))
    assert parse_board(fits).name == "plain"
    monkeypatch.setattr(board_reader, "_BoardReader", never)
    for text in (fits + "#", BOARD + "é" * (LARGEST_BOARD // 2)):
        with pytest.raises(BoardError, match="larger than 64 KiB"):
            parse_board(text)
        file = tmp_path / "large.board"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(BoardError, match="larger than 64 KiB"):
            read_board(file)
    monkeypatch.setattr(board_reader, "open", lambda *_: Endless(), raising=False)
    with pytest.raises(BoardError, match="larger than 64 KiB"):
        read_board(file)


class Endless(BytesIO):
    """A file that has more, however much is read."""

    def read(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size >= 0, "all of it is read"
        return b"#" * size


def test_spaces_are_counted_while_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BoardError, match="line 21: a board has at most 500 spaces"):
        parse_board(HUGE)
    built = Counter[str]()
    monkeypatch.setattr(board_reader, "Rank", lambda width: built.update(["rank"]))
    with pytest.raises(BoardError, match="at most 500 spaces"):
        parse_board("board x\ncourses z\n" + long_straight(30_000))
    assert not built


def test_a_courses_spaces_are_counted_before_one_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    board = parse_board(UNRACEABLE)
    assert compile_course(board, "white").name == "white"
    assert board.spaces("white") == len(compile_course(board, "white").spaces)
    monkeypatch.setattr(course_module, "_places", never)
    with pytest.raises(BoardError, match="blue has 331 spaces, and a course has at most 250"):
        compile_course(board, "blue")


# ---------------------------------------------------------------------- boards in records

ODD = "z straight 4 4 4 4 4 4 4 4 4 4 4 4"  # no step leads from one rank of S to four


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (HUGE, "at most 500 spaces"),
        (UNRACEABLE, "blue has 331 spaces"),
        (with_blue(ODD, "y straight 1"), "no step leads"),
        (BOARD + "#" * LARGEST_BOARD, "length|long|64 KiB"),
    ],
    ids=["huge", "unraceable", "a dead end", "long"],
)
def test_all_courses_of_a_records_board_are_checked_not_only_the_one_raced_on(source: str, problem: str) -> None:
    raw = record_on(source)
    with pytest.raises(RecordError, match=problem):
        referee(from_json(json.dumps(raw).encode()))
    with pytest.raises(RecordError, match=problem):
        read_upload(json.dumps(raw).encode())


def test_both_ways_round_of_a_records_courses_are_checked() -> None:
    wrong = BOARD.replace("grid anticlockwise S6d", "grid anticlockwise X6d")
    with pytest.raises(RecordError, match="the grid names X6d"):
        referee(from_json(json.dumps(record_on(wrong)).encode()))


def test_a_record_on_a_sound_board_is_read_as_it_always_was() -> None:
    record = from_json(json.dumps(record_on(BOARD)).encode())
    assert referee(record)[0].over
    assert from_text(to_text(record).encode()) == record


def test_the_board_in_a_record_has_a_title_that_can_be_read() -> None:
    heap = BOARD.replace("title ", "title Li\u0301\u0301\u0301via ", 1)
    assert heap != BOARD
    with pytest.raises(BoardError, match="plain text only"):
        received(json.dumps(record_on(heap)).encode())
    assert received(json.dumps(record_on(BOARD)).encode()).boards


def test_a_record_has_few_boards() -> None:
    raw = record_on(BOARD)
    raw["boards"] = [{**raw["boards"][0], "name": f"plain{i}"} for i in range(3)]
    with pytest.raises(RecordError, match="boards"):
        from_json(json.dumps(raw).encode())
    many = "record 1\nedition ravensburger\n" + "".join(f"board p{i} {'0' * 64}\n" for i in range(3))
    with pytest.raises(RecordError, match="at most 2 boards"):
        from_text(many.encode())


def test_a_long_tournament_is_written_race_by_race(monkeypatch: pytest.MonkeyPatch) -> None:
    games, source = Tournament(["Livia", "Marcus", "Titus"], edition="ravensburger", seed=7), random.Random(7)
    for _ in range(3):
        run(games.next_race(), "careful", source)
    crews = crews_of(games.races, "human")
    many, write = Counter[int](), writing._written

    def count(race: Race, *more: Any) -> Any:
        many[games.races.index(race)] += 1
        return write(race, *more)

    monkeypatch.setattr(writing, "_written", count)
    for races in (1, 2, 3, 3):
        record = record_of(games.races[:races], crews[:races], "ravensburger")
    assert many == {0: 1, 1: 1, 2: 1}
    assert referee(record)[2].laurels == games.races[2].laurels
    others = crews_of(games.races, "greedy")
    assert record_of(games.races, others, "ravensburger").races[0].chariots[0].driver == "greedy"


# ---------------------------------------------------------------------- courses that travel


def test_a_packed_course_is_the_same_course_without_being_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    board = parse_board(LARGE)
    for direction in DIRECTIONS:
        course = compile_course(board, "z", direction)
        table = packing.course_table(course)
        parcel = pickle.dumps((course.packed(), table))
        monkeypatch.setattr(course_module, "_here", weakref.WeakValueDictionary())
        with monkeypatch.context() as patched:
            patched.setattr(course_module, "_places", never)
            patched.setattr(board_reader, "_BoardReader", never)
            patched.setattr(packing, "_course_table", never)
            packed, sent = pickle.loads(parcel)
            again = course_module.unpacked(packed)
            packing.adopt(again, sent)
            assert packing.course_table(again).tobytes() == table.tobytes()
        assert again is not course
        assert (again.spaces, again.grid, again.length) == (course.spaces, course.grid, course.length)
        for figure in (*course_module.FIGURES, "side", "outside_race"):
            assert getattr(again, figure) == getattr(course, figure)


def test_a_course_that_nobody_needs_is_forgotten_with_its_table() -> None:
    course = compile_course(parse_board(BOARD + "# another"), "white")
    packing.course_table(course)
    gone = weakref.ref(course)
    del course
    gc.collect()
    assert gone() is None
