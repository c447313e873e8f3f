"""Worker processes: views travel there, they drive, and who dies at work is replaced."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import NoReturn

import pytest

from avecaesar import Race, View, load_course
from avecaesar.courses import DIRECTIONS, compile_course, parse_board
from avecaesar.drivers import CHARACTERS, Chance, DriverError, Searcher, driver
from avecaesar.rules import EDITIONS
from avecaesar.server.workers import worker
from avecaesar.server.workers.budgets import allowed_driver
from avecaesar.server.workers.errands import Crashed
from avecaesar.server.workers.pool import Thinkers
from busy_workers import held_up
from checkout import BOARDS
from worker_chores import die, die_the_first_time, toil, with_thinkers

PLAIN = BOARDS / "plain.board"


def views(race: Race, every: int = 1) -> Iterator[View]:
    """What each driver sees on his turn, and a spectator at the end."""
    bot = Chance(1)
    number = 0
    while (seat := race.turn) is not None:
        view = race.view(seat)
        if number % every == 0:
            yield view
        number += 1
        race.play(bot.choose(view))
    yield race.view(None)


# What workers are given to do, besides driving.


def course_of(view: View) -> int:
    return id(view.course)


def known_of(view: View) -> bytes:
    return view.known.tobytes()


def refuse(what: str) -> NoReturn:
    raise DriverError(f"there is no {what}")


class Awkward(Exception):
    """Can be packed, and not unpacked."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} {other}")


def be_awkward() -> NoReturn:
    raise Awkward("very", "awkward")


def a_function() -> Callable[[], int]:
    return lambda: 1


# ---------------------------------------------------------------------- views travel


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_view_arrives_as_it_was_sent(edition: str) -> None:
    race = Race("yellow", 4, direction="anticlockwise", edition=edition, seed=5)
    for view in views(race):
        arrived = pickle.loads(pickle.dumps(view))
        assert arrived == view
        assert arrived.known.tobytes() == view.known.tobytes()
        assert arrived.known.dtype == view.known.dtype
        assert arrived.course is view.course
        assert arrived.plays == view.plays


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_course_of_ones_own_arrives_as_one_and_the_same_course(direction: str) -> None:
    text = PLAIN.read_text(encoding="utf-8")
    board = parse_board(f"{text}\n# {direction}, and nobody else's\n")
    course = compile_course(board, board.courses[0], "clockwise" if direction == "clockwise" else "anticlockwise")
    assert pickle.loads(pickle.dumps(course)) is course
    sent = pickle.dumps(course)
    again = compile_course(board, course.name, course.direction)
    assert again is not course  # as before: a course equals itself only
    assert again != course
    del course
    arrived = pickle.loads(sent)
    assert pickle.loads(sent) is arrived
    assert (str(arrived), arrived.spaces, arrived.board.source) == (str(again), again.spaces, board.source)
    assert len(sent) < 2 * len(board.source)


def test_our_courses_are_the_same_wherever_they_come_from() -> None:
    for name in ("white", "red"):
        for direction in DIRECTIONS:
            course = load_course(name, direction)
            assert pickle.loads(pickle.dumps(course)) is course


def test_a_worker_knows_a_course_again(thinkers: Thinkers) -> None:
    board = parse_board(PLAIN.read_text(encoding="utf-8"))
    race = Race(compile_course(board, board.courses[0]), 3, seed=1)

    async def play() -> None:
        for view in views(race, every=20):
            assert await thinkers.call(known_of, view) == view.known.tobytes()
        seen = {await thinkers.call(course_of, race.view(0)) for _ in range(20)}
        assert len(seen) <= 2  # one for each worker

    asyncio.run(play())


# ---------------------------------------------------------------------- driving


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_driver_of_ours_drives_in_every_edition(thinkers: Thinkers, edition: str) -> None:
    race = Race("white", 4, edition=edition, seed=2)

    async def play() -> None:
        for view in views(race, every=25):
            if view.legal_moves:
                moves = await asyncio.gather(*(thinkers.choose(name, view) for name in CHARACTERS))
                assert set(moves) <= set(view.legal_moves)

    asyncio.run(play())


def test_rules_of_thumb_wait_for_no_worker(thinkers: Thinkers, tmp_path: Path) -> None:
    view = Race("red", 6, seed=3).view(0)

    async def play() -> None:
        async with held_up(thinkers, tmp_path):
            for name in CHARACTERS:
                if name != "sibylla":
                    taken_up = asyncio.Event()
                    assert await thinkers.choose(name, view, taken_up.set) in view.legal_moves
                    assert taken_up.is_set()

    asyncio.run(play())


def test_a_worker_thinks_as_we_would(thinkers: Thinkers) -> None:
    async def play() -> None:
        for view in views(Race("red", 5, seed=8), every=40):
            if view.legal_moves:
                assert await thinkers.choose("sibylla@300", view) == driver("sibylla@300").choose(view)
                assert await thinkers.consider(view, 200) == Searcher(playouts=200).consider(view)

    asyncio.run(play())


@pytest.mark.parametrize("name", [*CHARACTERS, "sibylla@5s", "sibylla@200ms", "sibylla@100000", "sibylla@1s/1"])
def test_drivers_of_ours_are_allowed(name: str) -> None:
    assert allowed_driver(name) == name


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nobody", "there is no driver 'nobody' here; there are bibulus, festina, scorpus, sibylla, greedy, random"),
        ("", "there is no driver ''"),
        ("os:system", "there is no driver 'os:system' here"),
        ("own.py:Miser", "there is no driver 'own.py:Miser' here"),
        ("a\nb" * 1000, r"there is no driver 'a\\nba\\nb"),
        ("festina@3", "Festina takes no budget"),
        ("sibylla@", "after the @ stand"),
        ("sibylla@\x07", r"driver 'sibylla@\\x07': after the @ stand"),
        ("sibylla@" + "1" * 5000, "after the @ stand"),
        ("sibylla@0", "from 1 to"),
        ("sibylla@5001ms", "at most 5 seconds a move, not 5.001"),
        ("sibylla@6s", "at most 5 seconds a move, not 6"),
        ("sibylla@100001", "at most 100,000 races a move, not 100,001"),
        ("sibylla@1s/2", "thinks on one core"),
    ],
)
def test_a_driver_who_is_not_allowed_is_refused_in_a_sentence(thinkers: Thinkers, name: str, sentence: str) -> None:
    with pytest.raises(DriverError, match=sentence) as told:
        allowed_driver(name)
    assert str(told.value).isprintable()
    assert len(str(told.value)) < 250
    with pytest.raises(DriverError, match=sentence):
        asyncio.run(thinkers.choose(name, Race("white", 3, seed=1).view(0)))


# ---------------------------------------------------------------------- what goes wrong in a worker


def test_on_a_first_start_others_drive_while_the_searcher_is_being_compiled() -> None:
    compiled: Future[None] = Future()
    view = Race("white", 3, seed=1).view(0)

    async def play() -> None:
        made = Thinkers(2, compiled)
        try:
            await made.open()
            hers, hint = (
                asyncio.create_task(made.choose("sibylla@20", view)),
                asyncio.create_task(made.consider(view, 20)),
            )
            assert await made.choose("scorpus", view) in view.legal_moves
            assert not hers.done()
            assert not hint.done()
            compiled.set_result(None)
            assert await hers in view.legal_moves
            assert {one.move for one in await hint} == set(view.legal_moves)
        finally:
            await made.close()

    asyncio.run(play())


def test_an_error_comes_back_as_it_was(thinkers: Thinkers) -> None:
    with pytest.raises(DriverError) as told:
        asyncio.run(thinkers.call(refuse, "horse"))
    assert str(told.value) == "there is no horse"
    assert "in refuse" in told.value.__notes__[0]
    with pytest.raises(RuntimeError, match="Awkward: very awkward"):
        asyncio.run(thinkers.call(be_awkward))


def test_what_cannot_travel_is_refused_and_harms_nobody(thinkers: Thinkers) -> None:
    async def play() -> None:
        before = set(await asyncio.gather(*(thinkers.call(os.getpid, takes=0) for _ in range(20))))
        with pytest.raises((AttributeError, pickle.PicklingError)):
            await thinkers.call(lambda: 1)
        with pytest.raises((AttributeError, pickle.PicklingError)):
            await thinkers.call(a_function)
        assert await thinkers.call(os.getpid) in before

    asyncio.run(play())


def test_much_can_be_sent_both_ways(thinkers: Thinkers) -> None:
    much = os.urandom(5_000_000)
    assert asyncio.run(thinkers.call(bytes, much)) == much


def test_who_is_killed_is_replaced_and_his_work_done_by_another(tmp_path: Path) -> None:
    async def play(thinkers: Thinkers) -> None:
        view = Race("white", 4, seed=1).view(0)
        fates = await asyncio.gather(
            thinkers.call(die_the_first_time, tmp_path / "mark"),
            thinkers.call(die),
            *(thinkers.choose("sibylla@500", view) for _ in range(6)),
            return_exceptions=True,
        )
        assert fates[0] == "done"
        assert isinstance(fates[1], ChildProcessError)  # killed twice, from outside
        assert not isinstance(fates[1], Crashed)
        assert "ended before its time, with exit status -9" in str(fates[1])
        assert set(fates[2:]) == {Searcher(playouts=500).choose(view)}
        killed = await thinkers.call(os.getpid)
        os.kill(killed, signal.SIGKILL)
        assert killed not in [await thinkers.call(os.getpid) for _ in range(8)]

    with_thinkers(2, play)


def test_work_that_brings_every_worker_down_is_told_from_workers_that_are_killed() -> None:
    async def play(thinkers: Thinkers) -> None:
        with pytest.raises(Crashed, match="exit status 7"):
            await thinkers.call(os._exit, 7)
        with pytest.raises(Crashed, match=f"exit status -{signal.SIGABRT.value}"):
            await thinkers.call(os.abort)
        assert await thinkers.call(max, 1, 2) == 2

    with_thinkers(1, play)


def test_who_takes_forever_is_stopped(tmp_path: Path) -> None:
    async def play(thinkers: Thinkers) -> None:
        with pytest.raises(TimeoutError, match=r"longer than 0\.2 seconds"):
            await thinkers.call(toil, tmp_path / "mark", limit=0.2)
        assert await thinkers.call(max, 1, 2) == 2

    with_thinkers(1, play)


def test_workers_that_cannot_begin_are_told_when_they_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_work", die)

    async def play() -> None:
        thinkers = Thinkers(2)
        with pytest.raises(OSError, match="a worker process"):
            await thinkers.open()
        with pytest.raises(OSError, match="a worker process"):
            await thinkers.call(max, 1, 2)
        monkeypatch.undo()
        assert await thinkers.call(max, 1, 2) == 2  # whatever it was is over
        await thinkers.close()

    asyncio.run(play())
