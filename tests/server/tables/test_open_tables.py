"""An address has a few open tables in the lobby, however it comes by them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

import pytest

from avecaesar.server.refused import RefusedError
from avecaesar.server.store import logs
from avecaesar.server.tables.open_tables import TABLES_OF_A_NETWORK
from avecaesar.server.wire import messages as msg
from harness import Harness, person

MOST = 2
HOME = "192.0.2.1"


def laying(house: Harness, address: str = HOME, board: str | None = None) -> Coroutine[Any, Any, msg.Laid]:
    seats = (msg.SeatPlan(kind="here"), msg.SeatPlan(kind="friend"))
    return house.server.lay(msg.NewTable(seats=seats, open=True, board=board), person(), address)


def laid_at_once(house: Harness, addresses: list[str]) -> int:
    """How many tables are laid of those that are asked for at the same moment."""
    house.server.quotas = replace(house.quotas, open_tables=MOST)

    async def lay() -> list[msg.Laid | BaseException]:
        return await asyncio.gather(*(laying(house, each) for each in addresses), return_exceptions=True)

    answers = house.run(lay())
    refused = [each for each in answers if isinstance(each, RefusedError)]
    assert all(each.status == 429 for each in refused)
    return sum(isinstance(each, msg.Laid) for each in answers)


def test_of_many_open_tables_at_once_an_address_lays_a_few(house: Harness) -> None:
    assert laid_at_once(house, [HOME] * 20) == MOST
    assert laid_at_once(house, [HOME]) == 0


def test_of_many_open_tables_at_once_a_network_lays_a_few_more(house: Harness) -> None:
    assert laid_at_once(house, [f"192.0.2.{number}" for number in range(20)]) == MOST * TABLES_OF_A_NETWORK


def test_a_table_that_is_not_laid_takes_no_place(house: Harness) -> None:
    house.server.quotas = replace(house.quotas, open_tables=MOST)
    for _ in range(2 * MOST):
        with pytest.raises(RefusedError) as refused:
            house.run(laying(house, board="0" * 64))
        assert refused.value.status == 404
    assert laid_at_once(house, [HOME] * MOST) == MOST


def test_whoever_hangs_up_before_his_table_is_written_has_his_place_back(house: Harness) -> None:
    house.server.quotas = replace(house.quotas, open_tables=MOST)
    store, go_on = house.server.store, threading.Event()

    async def hang_up() -> None:
        store._writer.submit(lambda: go_on.wait(60))  # so that the next ones are not begun
        tasks = [asyncio.create_task(laying(house)) for _ in range(MOST)]
        while store.queued < MOST:
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        go_on.set()

    house.run(hang_up())
    assert laid_at_once(house, [HOME] * MOST) == MOST


def test_whoever_hangs_up_while_his_table_is_written_has_laid_it(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.server.quotas = replace(house.quotas, open_tables=MOST)
    create, begun, go_on = logs.create, threading.Event(), threading.Event()

    def create_slowly(*args: Any) -> None:
        begun.set()
        go_on.wait(60)
        create(*args)

    monkeypatch.setattr(logs, "create", create_slowly)

    async def hang_up() -> None:
        begun.clear()
        go_on.clear()
        task = asyncio.create_task(laying(house))
        await asyncio.to_thread(begun.wait, 60)
        task.cancel()
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.wait({task})

    for _ in range(MOST):
        house.run(hang_up())
    assert laid_at_once(house, [HOME] * MOST) == 0
