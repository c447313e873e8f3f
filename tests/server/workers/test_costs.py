"""What visitors send is worked out in worker processes, and worked out once."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from avecaesar.courses import board_reader
from avecaesar.courses import course as course_module
from avecaesar.courses.board import digest_of
from avecaesar.courses.board_reader import LARGEST_BOARD
from avecaesar.kernel import packing
from avecaesar.records import from_json
from avecaesar.records import shape as record_shape
from avecaesar.records.boards import is_ours
from avecaesar.server import watchdog
from avecaesar.server.http import static
from avecaesar.server.http.static import LOOKS_A_SECOND, Files, kept
from avecaesar.server.tables import compiling, written
from avecaesar.server.tables.house import House
from avecaesar.server.tables.state import TableState
from avecaesar.server.watchdog import Watchdog
from avecaesar.server.wire import messages
from avecaesar.server.workers.pool import Thinkers
from harness import Guest, open_house, person, workers
from large_boards import BOARD, HUGE, LARGE, UNRACEABLE, record_on
from servers import ServerClient, in_a_thread

TEXT = {"Content-Type": "text/plain"}


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
        counted(board_reader, "_BoardReader")
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


# ---------------------------------------------------------------------- the watchdog


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
