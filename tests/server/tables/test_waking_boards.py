"""Tables on boards of one's own are woken on the account of whoever waits for them, and of nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from avecaesar.server.fairness import Asker, on_behalf_of
from avecaesar.server.workers import pool
from avecaesar.server.workers.errands import Errand
from checkout import BOARDS
from harness import Harness, person

BOARD = (BOARDS / "plain.board").read_text(encoding="utf-8")
STORM, HOME = "192.0.2.1", "198.51.100.9"


def asleep(house: Harness, many: int) -> list[str]:
    """Tables on as many boards, none of which is in mind."""
    tables = []
    for number in range(many):
        text = f"{BOARD}# {number}\n"
        digest = house.run(house.server.courses.board(text)).sha256
        house.run(house.server.uploads.keep("board", digest, text.encode(), STORM))
        tables.append(house.lay("here", "here", key=person(), board=digest, course="blue").table)
    house.restart()
    assert not house.server.waking.awake
    return tables


class Gate:
    """Workers are given nothing before it is open; then it is noted which errands they are given."""

    def __init__(self, house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[Errand] = []
        self.begun: list[Errand] = []
        self._thinkers, self._shut = house.thinkers, False
        queue = self._thinkers._queue
        add, take = queue.add, queue.take

        def adding(errand: Errand, *args: Any) -> None:
            add(errand, *args)
            self.asked.append(errand)

        def taking(workers: int) -> Errand | None:
            errand = None if self._shut else take(workers)
            self.begun += [errand] if errand is not None else []
            return errand

        monkeypatch.setattr(queue, "add", adding)
        monkeypatch.setattr(queue, "take", taking)

    @contextmanager
    def shut(self) -> Iterator[None]:
        self._shut = True
        yield
        self._shut = False
        self._thinkers._ring()


def look(house: Harness, table: str, address: str) -> asyncio.Task[Any]:
    with on_behalf_of(Asker(address, address)):
        return asyncio.create_task(house.server.shown(table, []))


@pytest.mark.parametrize("also_the_storms", [False, True])
def test_whoever_wakes_many_tables_on_boards_keeps_himself_waiting(
    house: Harness, monkeypatch: pytest.MonkeyPatch, also_the_storms: bool
) -> None:
    """Also if he was the first to ask for the table that somebody else is waiting for."""
    *many, innocent = asleep(house, 9)
    gate = Gate(house, monkeypatch)

    async def wake() -> None:
        with gate.shut():
            looks = [look(house, table, STORM) for table in [*many, *([innocent] if also_the_storms else [])]]
            while len(gate.asked) < len(looks):
                await asyncio.sleep(0)
            looks.append(look(house, innocent, HOME))
            wanted_by = house.server.waking._wanted_by
            while len(gate.asked) < len(many) + 1 or Asker(HOME, HOME) not in wanted_by[innocent]:
                await asyncio.sleep(0)
        await asyncio.gather(*looks)

    house.run(wake())
    his = next(errand for errand in gate.asked if errand.args[0] == f"{BOARD}# {len(many)}\n")
    assert gate.begun.index(his) <= pool.FEWEST_WORKERS


def test_nobody_is_refused_a_table_because_somebody_who_waits_for_it_has_asked_for_too_much(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = asleep(house, 4)
    monkeypatch.setattr(pool, "ASKED_AN_ADDRESS", 2)
    gate = Gate(house, monkeypatch)

    async def wake() -> None:
        with gate.shut():
            looks = [look(house, table, STORM) for table in tables]
            looks += [look(house, tables[-1], HOME)]
            while len(gate.asked) < len(tables):
                await asyncio.sleep(0)
        await asyncio.gather(*looks)

    house.run(wake())
