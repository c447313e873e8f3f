"""Answers are kept for whoever asks next, refusals for a while; and workers have limits."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from avecaesar.courses import BoardError
from avecaesar.courses.board import digest_of
from avecaesar.records import RecordError
from avecaesar.server.refused import RefusedError
from avecaesar.server.workers import answers
from avecaesar.server.workers.answers import Answers
from avecaesar.server.workers.errands import Crashed
from avecaesar.server.workers.pool import Thinkers
from avecaesar.server.workers.worker import MOST_MEMORY

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
