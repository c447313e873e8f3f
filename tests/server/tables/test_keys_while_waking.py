"""Keys are rotated, lost and put back while tables are woken: each goes by the key that its cards are sealed with."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from cryptography.fernet import Fernet

from avecaesar.server.fairness import Asker
from avecaesar.server.refused import StoppedError
from avecaesar.server.tables.listing import Summary
from harness import Guest, Harness, person, settle


def racing(house: Harness, key: str) -> str:
    """A table in the middle of a race, which sleeps."""
    table = house.lay("here", "here", key=key).table

    async def begin() -> None:
        guest = await Guest.at(house.server, table, key)
        await guest.begin()
        guest.leave()

    house.run(begin())
    house.run(house.server.waking.nap())
    assert table not in house.server.waking.awake
    return table


def need_newest_key(house: Harness, table: str) -> None:
    """It goes by the first key wherever it tells of one."""
    row = house.run(house.server.store.row(table))
    assert row is not None
    state, first = house.running(table).state, house.keys.names[0]
    assert (state.key, msgspec.json.decode(row.summary, type=Summary).key) == (first, first)


def test_a_log_that_was_read_before_keys_were_rotated_goes_by_the_new_one(house: Harness) -> None:
    livia = person()
    table, busy = racing(house, livia), [Asker("203.0.113.99", "somebody")]

    async def wake() -> None:
        queue = house.server.waking.queue
        async with queue.take("one", busy, 0.1), queue.take("another", busy, 0.1):
            coming = asyncio.create_task(house.server.shown(table, [livia]))
            while not len(queue):
                await asyncio.sleep(0)
            await house.server.rotate()
        await coming
        await house.server.prune()

    house.run(wake())
    need_newest_key(house, table)
    assert not any(row.stopped for row in house.run(house.server.lobby([livia])).mine)


def test_a_table_that_is_about_to_wake_when_keys_are_rotated_goes_by_the_new_one(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia = person()
    table = racing(house, livia)
    holders = house.server.store.holders

    async def rotated_first(*args: Any) -> Any:
        monkeypatch.setattr(house.server.store, "holders", holders)
        await house.server.rotate()
        return await holders(*args)

    monkeypatch.setattr(house.server.store, "holders", rotated_first)
    house.run(house.server.shown(table, [livia]))
    need_newest_key(house, table)


def test_a_table_whose_key_is_back_lacks_it_no_longer(house: Harness) -> None:
    livia = person()
    table = racing(house, livia)
    kept = house.keys._keys
    house.keys._use([Fernet.generate_key()])
    with pytest.raises(StoppedError):
        house.run(house.server.waking.table(table))
    assert [row.stopped for row in house.run(house.server.lobby([livia])).mine] == [True]
    house.keys._use(kept)
    house.run(house.server.shown(table, [livia]))
    house.run(settle())
    assert [row.stopped for row in house.run(house.server.lobby([livia])).mine] == [False]
