"""What visitors send is counted before it is built, worked out in worker processes, and worked out once."""

from __future__ import annotations

import asyncio
import errno
import gc
import hashlib
import json
import logging
import os
import pickle
import random
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from string import ascii_uppercase
from typing import Any, NoReturn

import pytest

from avecaesar.courses import DIRECTIONS, BoardError, compile_course, parse_board, read_board
from avecaesar.courses import board as board_module
from avecaesar.courses import course as course_module
from avecaesar.courses.board import LARGEST_BOARD, digest_of
from avecaesar.game import Race, Tournament
from avecaesar.kernel import packing
from avecaesar.records import RecordError, from_json, from_text, record_of, referee, to_json, to_text, writing
from avecaesar.records import shape as record_shape
from avecaesar.records.boards import is_ours
from avecaesar.server import watchdog
from avecaesar.server.content.library import received
from avecaesar.server.content.replay import read_upload
from avecaesar.server.http import static
from avecaesar.server.http.static import LOOKS_A_SECOND, Files, kept
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables import compiling, written
from avecaesar.server.tables.house import House
from avecaesar.server.tables.state import TableState
from avecaesar.server.watchdog import QUIET, Watchdog
from avecaesar.server.wire import messages
from avecaesar.server.workers import answers
from avecaesar.server.workers.answers import Answers
from avecaesar.server.workers.errands import Crashed
from avecaesar.server.workers.pool import Thinkers
from avecaesar.server.workers.worker import MOST_MEMORY
from harness import Guest, open_house, person, workers
from recordings import crews_of, run
from servers import ServerClient, in_a_thread
from situations import PLAIN

TEXT = {"Content-Type": "text/plain"}
BOARD = PLAIN.read_text(encoding="utf-8")
LARGE = """board large
courses z
S straight 4 4 4 4 4 4 | 4 4 4 4 4 4
{sections}
alley 3 line 2 from S4a to S8a
grid clockwise S6a S6b S6c S6d S5a S5b
grid anticlockwise S7a S7b S7c S7d S8a S8b
""".format(sections="\n".join(f"{name * 2} straight {'4 ' * 8}" for name in ascii_uppercase[:6]))


def with_blue(*sections: str) -> str:
    """The plain board with another second course, which no race of ours is run on."""
    before, rest = BOARD.split("\nblue\n")
    return "\n".join([before, "blue", *sections, "join" + rest.split("join")[1]])


def long_straight(spaces: int) -> str:
    return f"z straight {'1 ' * spaces}"


HUGE = with_blue(long_straight(30_000))  # the attack of the review, as far as a board's size allows
UNRACEABLE = with_blue(long_straight(300))  # counted when it is compiled


def record_on(source: str) -> dict[str, Any]:
    """A race on white of the plain board, which says that its board is another one."""
    race = run(
        Race(compile_course(read_board(PLAIN), "white"), ["Livia", "Marcus"], seed=4), "careful", random.Random(4)
    )
    raw: dict[str, Any] = json.loads(to_json(record_of([race], crews_of([race], "human"), "ravensburger")))
    raw["boards"][0] |= {"source": source, "sha256": digest_of(source)}
    return raw


# ---------------------------------------------------------------------- counted before it is built


def never(*_: object, **__: object) -> NoReturn:
    raise AssertionError("this should not have been built")


def test_a_boards_text_is_measured_before_it_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fits = BOARD + "#" * (LARGEST_BOARD - len(BOARD.encode()))
    assert parse_board(fits).name == "plain"
    monkeypatch.setattr(board_module, "_BoardReader", never)
    for text in (fits + "#", BOARD + "é" * (LARGEST_BOARD // 2)):
        with pytest.raises(BoardError, match="larger than 64 KiB"):
            parse_board(text)
        file = tmp_path / "large.board"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(BoardError, match="larger than 64 KiB"):
            read_board(file)
    monkeypatch.setattr(board_module, "open", lambda *_: Endless(), raising=False)
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
    monkeypatch.setattr(board_module, "Rank", lambda width: built.update(["rank"]))
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
            patched.setattr(board_module, "_BoardReader", never)
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


# ---------------------------------------------------------------------- in workers, and once


class Work:
    """What is done in the server's own process, and what workers are asked to do."""

    def __init__(self) -> None:
        self.here = Counter[str]()
        self.errands = Counter[str]()

    @property
    def asked(self) -> int:
        return sum(self.errands.values())


@contextmanager
def watched(server: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    """Count what is read, built or compiled in this process, and what is handed to workers."""
    work, call = Work(), server.thinkers.call

    def counted(module: Any, name: str) -> None:
        real = getattr(module, name)

        def count(*args: Any, **more: Any) -> Any:
            work.here[name] += 1
            return real(*args, **more)

        patched.setattr(module, name, count)

    async def asked(function: Any, *args: Any, **more: Any) -> Any:
        name = (args[1] if function.__name__ == "said_in" else function).__name__
        if not (name == "picture" and is_ours(args[0].board)):  # our own boards are drawn meanwhile
            work.errands[name] += 1
        return await call(function, *args, **more)

    with monkeypatch.context() as patched:
        counted(board_module, "_BoardReader")
        counted(course_module, "_places")
        counted(packing, "_course_table")
        counted(record_shape, "_parsed")
        patched.setattr(server.thinkers, "call", asked)
        yield work


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerClient]:
    with in_a_thread(tmp_path_factory.mktemp("costs") / "tables.db") as server:
        yield server


def test_a_large_board_is_compiled_in_a_worker_once(served: ServerClient, monkeypatch: pytest.MonkeyPatch) -> None:
    with watched(served.app.state.house, monkeypatch) as work:
        answer = served.client.post("/api/boards", content=LARGE, headers=TEXT)
        assert answer.status_code == 201, answer.text
        assert answer.json()["courses"][0]["spaces"] == 243
        board = {"board": answer.json()["board"]}
        for way in ("clockwise", "anticlockwise"):
            assert len(served.client.get(f"/api/courses/z/{way}", params=board).json()["spaces"]) == 243
            assert served.client.get(f"/api/courses/z/{way}/picture.svg", params=board).text.startswith("<svg")
        assert work.errands == {"compiled_board": 1, "described": 2, "picture": 2}
        for way in ("clockwise", "anticlockwise"):
            assert served.client.get(f"/api/courses/z/{way}", params=board).status_code == 200
            assert served.client.get(f"/api/courses/z/{way}/picture.svg", params=board).status_code == 200
            assert served.client.get(f"/api/courses/q/{way}", params=board).status_code == 404
        assert served.client.post("/api/boards", content=LARGE, headers=TEXT).status_code == 201
        laid = served.lay({"kind": "here"}, {"kind": "here"}, course="z", **board)
        began = served.command(laid, do="begin", id="go", at=served.table(laid)["changed"])
        assert began.status_code == 200, began.text
        assert (
            served.client.post("/api/check", json={"seats": [{}, {}], "course": "z", **board}).json()["chariots"] == 2
        )
        assert work.asked == 5
        assert not work.here


@pytest.mark.parametrize("source", [HUGE, UNRACEABLE, HUGE * 2], ids=["huge", "unraceable", "long"])
def test_a_bad_board_that_an_older_server_kept_is_refused_once_for_all(
    served: ServerClient, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    digest = digest_of(source)
    keep_as_older_servers_did(served, "board", digest, source.encode())
    with watched(served.app.state.house, monkeypatch) as work:
        asked = [served.client.get("/api/courses/blue/clockwise", params={"board": digest}) for _ in range(3)]
        asked.append(served.client.get("/api/courses/white/anticlockwise/picture.svg", params={"board": digest}))
        assert {answer.status_code for answer in asked} == {404}
        assert all(answer.json()["problem"] for answer in asked)
        assert work.errands["compiled_board"] == (len(source) <= LARGEST_BOARD)
        assert work.asked <= 1
        assert not work.here


def test_a_long_board_that_an_older_server_kept_is_read_without_its_comments(
    served: ServerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Limits are for what comes in: tables on such a board can be opened."""
    source = BOARD + "#" * 400_000
    digest = digest_of(source)
    keep_as_older_servers_did(served, "board", digest, source.encode())
    with watched(served.app.state.house, monkeypatch) as work:
        for _ in range(3):
            answer = served.client.get("/api/courses/blue/clockwise", params={"board": digest})
            assert answer.status_code == 200, answer.text
        assert (work.errands["slimmed"], work.errands["compiled_board"]) == (1, 1)
        assert not work.here
    uploaded = served.client.post("/api/boards", content=source, headers=TEXT)
    assert uploaded.status_code == 413


def keep_as_older_servers_did(served: ServerClient, kind: Any, digest: str, body: bytes) -> None:
    """Put something into the store that is refused at the door today."""
    store, done = served.app.state.house.store, threading.Event()

    def keep() -> None:
        asyncio.run(store.keep(kind, digest, body))
        done.set()

    threading.Thread(target=keep).start()
    done.wait()


def test_a_record_with_a_huge_second_course_is_refused_in_a_worker_once(
    served: ServerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = json.dumps(record_on(HUGE)).encode()
    with watched(served.app.state.house, monkeypatch) as work:
        for _ in range(3):
            answer = served.client.post("/api/records", content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code == 400
            assert "at most 500 spaces" in answer.json()["problem"]
        assert work.errands == {"received": 1}
        assert not work.here


def test_all_that_is_made_of_a_record_is_made_in_workers_once(
    served: ServerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = record_on(BOARD)
    with watched(served.app.state.house, monkeypatch) as work:
        upload: dict[str, Any] = {"content": json.dumps(raw), "headers": {"Content-Type": "application/json"}}
        replay = served.client.post("/api/records", **upload).json()["replay"]
        paths = ["", "/record?format=text", "/races/0", "/races/0/chronicle", "/races/0/poster.svg"]
        first = [served.client.get(f"/api/replays/{replay}{path}") for path in paths]
        assert {answer.status_code for answer in first} == {200}
        assert work.errands == {
            "received": 1, "replay_shown": 1, "text_of": 1, "races_in": 1, "film_shown": 1,
            "written_chronicle": 1, "chronicle_shown": 1, "poster_drawn": 1,
        }  # fmt: skip
        again = [served.client.get(f"/api/replays/{replay}{path}") for path in paths]
        assert [answer.content for answer in again] == [answer.content for answer in first]
        assert served.client.post("/api/records", **upload).json()["replay"] == replay
        assert served.client.get(f"/api/replays/{replay}/races/1/chronicle").status_code == 404
        assert served.client.get(f"/api/replays/{replay}/record").json() == raw
        assert work.asked == 8
        assert not work.here


def test_a_table_on_a_board_of_somebodys_own_wakes_without_compiling_anything_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with workers() as (thinkers, runner), open_house(tmp_path, thinkers, runner) as house:
        key, digest = person(), digest_of(BOARD)
        house.run(house.server.store.keep("board", digest, BOARD.encode()))
        with watched(house.server, monkeypatch) as work:
            laid = house.lay("here", "here", key=key, course="blue", board=digest)
            assert work.errands == {"compiled_board": 1}
            house.restart()
            whole = house.run(house.server.shown(laid.table, [key]))
            assert isinstance(whole, messages.Whole)
            begin = messages.Begin(id="go", at=house.running(laid.table).state.changed)
            house.run(house.server.command(laid.table, begin, [key]))
            assert house.running(laid.table).state.phase == "racing"
            assert work.errands == {"compiled_board": 2}  # the new server has compiled it once more
            assert not work.here


def test_courses_are_unpacked_one_in_a_step_and_once_for_all_who_ask_at_the_same_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unpack, steps = compiling._unpacked, list[tuple[int, object]]()
    rounds = [0]

    def counted(parcel: bytes) -> Any:
        steps.append((rounds[0], asyncio.current_task()))
        return unpack(parcel)

    async def count_rounds() -> None:
        while True:
            rounds[0] += 1
            await asyncio.sleep(0)

    async def ask(thinkers: Thinkers) -> None:
        courses = compiling.Courses(thinkers)
        assert len((await courses.board(BOARD)).parcels) == 4
        counting = asyncio.create_task(count_rounds())
        first, second = await asyncio.gather(courses.loader(BOARD), courses.loader(BOARD))
        counting.cancel()
        assert first("blue", "clockwise") is second("blue", "clockwise")

    monkeypatch.setattr(compiling, "_unpacked", counted)
    with workers() as (thinkers, runner):
        runner.run(ask(thinkers))
    assert len(steps) == 4
    assert len(set(steps)) == 4


TWO_RACES: dict[str, Any] = {
    "tournament": True,
    "options": {"race_ends": "first_home", "races": "2", "schedule": "one_course"},
}


@contextmanager
def writing_watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Count what is put together on the loop, and what is written beside it."""
    work, put_together, write, loops = Counter[str](), TableState.record, written.kept_record, threading.get_ident()

    def count(state: TableState, *which: int) -> Any:
        work["put together"] += 1
        return put_together(state, *which)

    def count_writing(record: Any) -> Any:
        work["on the loop" if threading.get_ident() == loops else "written"] += 1
        return write(record)

    with monkeypatch.context() as patched:
        patched.setattr(TableState, "record", count)
        patched.setattr(written, "kept_record", count_writing)
        yield work


def test_the_record_of_a_table_is_written_once_for_whoever_asks_until_another_race_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with workers() as (thinkers, runner), open_house(tmp_path, thinkers, runner) as house:
        livia, server = person(), house.server
        table = house.lay("here", "scorpus", key=livia, away=None, **TWO_RACES).table

        async def ask() -> set[tuple[str, int]]:
            kept = await asyncio.gather(*(server.kept_record(table, 0) for _ in range(3)))
            assert all(record is kept[0] for record in kept)
            return {(record.digest, len(from_json(record.body).races)) for record in kept}

        async def play() -> None:
            mine = await Guest.at(server, table, livia)
            await mine.begin()
            await mine.race()
            with writing_watched(monkeypatch) as work:
                first = await ask()
                assert {races for _, races in first} == {1}
                assert work == {"put together": 1, "written": 1}
                await mine.begin()
                await mine.do("say", text="Ave!")
                assert await ask() == first
                secret = house.running(table).state.seals[-1].secret.encode()
                assert secret not in (await server.kept_record(table, 0)).body  # of the race that is on
                assert work == {"put together": 1, "written": 1}
                await mine.race()
                assert {races for _, races in await ask()} == {2}
                assert secret in (await server.kept_record(table, 0)).body
                assert work == {"put together": 3, "written": 2}
            mine.leave()

        house.run(play())


def test_few_records_of_tables_are_kept_and_the_least_used_go_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(written, "RECORDS_KEPT", 2)
    with workers() as (thinkers, runner), open_house(tmp_path, thinkers, runner) as house:
        livia, server = person(), house.server
        tables = [house.lay("here", "scorpus", key=livia, away=None).table for _ in range(3)]

        async def play() -> None:
            for table in tables:
                mine = await Guest.at(server, table, livia)
                await mine.begin()
                await mine.race()
            with writing_watched(monkeypatch) as work:
                for number in (0, 1, 0, 2, 0, 1):
                    await server.kept_record(tables[number], 0)
                assert work["written"] == 4

        house.run(play())


# ---------------------------------------------------------------------- answers


def together(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


class Slow:
    """Work that goes on until it is told to end."""

    def __init__(self) -> None:
        self.begun = 0
        self.goes_on = asyncio.Event()

    async def __call__(self) -> str:
        self.begun += 1
        await self.goes_on.wait()
        return "done"


def test_an_answer_that_several_worked_out_at_once_weighs_once() -> None:
    async def ask() -> None:
        kept, work = Answers[str](10, len), Slow()
        askers = [asyncio.create_task(kept.of("key", work)) for _ in range(5)]
        await asyncio.sleep(0)
        work.goes_on.set()
        assert await asyncio.gather(*askers) == ["done"] * 5
        assert (kept.weight, work.begun) == (4, 5)
        assert await kept.of("key", work) == "done"
        assert work.begun == 5

    together(ask())


def failing(error: Exception) -> tuple[list[int], Callable[[], Coroutine[Any, Any, str]]]:
    begun: list[int] = []

    async def work() -> str:
        begun.append(1)
        raise error

    return begun, work


def test_refusals_are_kept_and_accidents_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(error: Exception, told: type[Exception]) -> int:
        kept = Answers[str](10)
        begun, work = failing(error)
        for _ in range(3):
            with pytest.raises(told):
                await kept.of("key", work)
        return len(begun)

    assert asyncio.run(ask(BoardError("no", 3), BoardError)) == 1
    assert asyncio.run(ask(RecordError("no"), RecordError)) == 1
    assert asyncio.run(ask(TimeoutError(), RefusedError)) == 1
    assert asyncio.run(ask(MemoryError(), RefusedError)) == 1
    assert asyncio.run(ask(Crashed(errno.ECHILD, "exit status -11"), RefusedError)) == 1
    assert asyncio.run(ask(ChildProcessError(errno.ECHILD, "exit status -9"), RefusedError)) == 3
    assert asyncio.run(ask(RuntimeError("the workers have gone home"), RuntimeError)) == 3
    assert asyncio.run(ask(RefusedError("one thing at a time", status=429), RefusedError)) == 3
    monkeypatch.setattr(answers, "A_WHILE", 0.0)
    assert asyncio.run(ask(TimeoutError(), RefusedError)) == 3


def test_a_refusal_is_told_to_everybody_as_it_was() -> None:
    async def ask() -> None:
        kept = Answers[str](10)
        _, work = failing(RefusedError("no such race", status=404))
        heard = await asyncio.gather(*(kept.of("key", work) for _ in range(3)), return_exceptions=True)
        assert [(error.problem, error.status) for error in heard] == [("no such race", 404)] * 3  # type: ignore[union-attr]
        assert len(set(map(id, heard))) == 3

    together(ask())


def test_answers_weigh_no_more_than_they_may_and_the_least_used_go_first() -> None:
    async def ask() -> None:
        made: list[str] = []
        kept = Answers[str](10, len)

        async def of(key: str) -> None:
            async def work() -> str:
                made.append(key)
                return key * 4

            assert await kept.of(key, work) == key * 4

        for key in "abacab":
            await of(key)
            assert kept.weight <= 10
        assert made == ["a", "b", "c", "b"]

    together(ask())


# ---------------------------------------------------------------------- workers have limits


def idle() -> None:
    threading.Event().wait()


def greedy() -> int:
    return len(bytearray(MOST_MEMORY + 2**28))


def test_a_worker_that_takes_too_long_or_too_much_is_stopped_and_others_are_served() -> None:
    async def ask() -> None:
        made = Thinkers(1)
        try:
            await made.open()
            before = await made.call(os.getpid)
            with pytest.raises(MemoryError):
                await made.call(greedy)
            assert before not in {await made.call(os.getpid) for _ in range(4)}  # what it has left may not do
            assert await made.call(digest_of, "x") == hashlib.sha256(b"x").hexdigest()
            with pytest.raises(TimeoutError, match=r"longer than 0\.1 seconds"):
                await made.call(idle, limit=0.1)
            assert await made.call(digest_of, "x") == hashlib.sha256(b"x").hexdigest()
        finally:
            await made.close()

    together(ask())


# ---------------------------------------------------------------------- the watchdog


def test_the_watchdog_counts_the_steps_that_are_too_long_and_names_the_slowest(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = [0.0]

    async def busy(dog: Watchdog) -> None:
        dog.open()
        try:
            await asyncio.sleep(0)
            sum(range(200_000))
            await asyncio.sleep(0)
        finally:
            dog.close()
        await asyncio.sleep(0)  # which ends the step in which it was closed
        steps = dog.steps
        await asyncio.sleep(0)
        assert dog.steps == steps

    async def ask(limit: float) -> Watchdog:
        dog = Watchdog(limit, limit, lambda: now[0])
        await asyncio.create_task(busy(dog))
        return dog

    with caplog.at_level(logging.WARNING, "avecaesar.server"):
        every = asyncio.run(ask(0.0))
        assert every.steps == every.slow > 1  # any step takes longer than nothing
        assert "busy" in every.slowest.name
        assert every.slowest.seconds > 0
        assert sum(kind.many for kind in every.kinds.values()) == every.slow
        assert max(kind.slowest for kind in every.kinds.values()) == every.slowest.seconds
        assert len(barked(caplog)) == 1  # so many slow ones, one line
        none = asyncio.run(ask(float("inf")))
        assert (none.steps, none.slow) == (every.steps, 0)


def test_the_watchdog_names_a_step_whose_handle_is_cancelled_meanwhile() -> None:
    """As a transport's is that stops reading while it reads: else the slowest steps of all would have no name."""

    async def ask() -> Watchdog:
        dog, loop = Watchdog(0.0, float("inf")), asyncio.get_running_loop()
        handles: list[asyncio.Handle] = []

        def stops_itself() -> None:
            handles[0].cancel()

        dog.open()
        handles.append(loop.call_soon(stops_itself))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        dog.close()
        return dog

    assert any("stops_itself" in where for where in asyncio.run(ask()).kinds)


def test_the_watchdog_barks_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]

    async def ask() -> None:
        dog = Watchdog(0.0, 0.0, lambda: now[0])
        dog.open()
        for seconds in (0.0, 1.0, QUIET - 1, QUIET, QUIET + 1):
            now[0] = seconds
            await asyncio.sleep(0)
        dog.close()
        patient = Watchdog(0.0, 3600.0)  # what nobody notices is counted only
        patient.open()
        for _ in range(2):
            await asyncio.sleep(0)
        patient.close()
        assert patient.slow

    with caplog.at_level(logging.WARNING, "avecaesar.server"):
        asyncio.run(ask())
    assert len(barked(caplog)) == 2


def barked(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """What the watchdog of this thread said, not that of a server in another."""
    return [record for record in caplog.records if record.thread == threading.get_ident()]


def test_the_server_has_a_watchdog_that_knows_requests(served: ServerClient, monkeypatch: pytest.MonkeyPatch) -> None:
    dog: Watchdog = served.app.state.watchdog
    steps, names = dog.steps, list[str]()
    monkeypatch.setattr(dog, "limit", 0.0)
    monkeypatch.setattr(dog, "note", lambda _, *step: names.append(watchdog._name_of(*step)[0]))
    for path in ("/api/menu", "/api/health"):  # when the second answers, the first one's last step is over
        assert served.client.get(path).status_code == 200
    assert dog.steps > steps
    assert any(name.startswith("GET /api/menu in ") for name in names), names


# ---------------------------------------------------------------------- the page


def test_the_page_is_not_looked_for_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, looks = [5.0], Counter[str]()
    (tmp_path / "index.html").write_text('<html lang="en">')
    (tmp_path / "importmap.json").write_text('{"imports": {}}')
    files = Files(tmp_path, lambda: now[0])
    first = files.build().name
    (tmp_path / "app.js").write_text("1")
    second = files.build().name
    assert second != first  # what has changed is seen at once
    for _ in range(10 * LOOKS_A_SECOND):
        looks[files.build().name] += 1
    (tmp_path / "app.js").write_text("22")
    assert files.build().name == second  # not by the thousandth who asks in the same second
    now[0] += 1
    assert files.build().name not in (first, second)


def test_the_service_worker_is_packed_once_for_each_language(
    served: ServerClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.client.get("/worker.js")
    packed = Counter[str]()
    monkeypatch.setattr(static, "kept", lambda body, name: packed.update([name]) or kept(body, name))
    answers = [served.client.get("/worker.js", headers={"Accept-Language": "it"}) for _ in range(3)]
    assert packed == {"worker.js": 1}
    assert {(answer.status_code, answer.headers["etag"]) for answer in answers} == {(200, answers[0].headers["etag"])}
    assert "words/it/" in answers[0].text
    assert served.client.get("/worker.js", headers={"Accept-Language": "fr"}).text != answers[0].text
