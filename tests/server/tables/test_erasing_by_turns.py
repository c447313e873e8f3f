"""Whoever erases the words of many tables has their logs folded by turns, and counted to him."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from avecaesar.server.fairness import Asker, on_behalf_of
from avecaesar.server.rates import InMemory, Quotas, Rate
from avecaesar.server.tables import erasing, folding
from avecaesar.server.tables.waking import FOLDS_AT_ONCE
from avecaesar.server.wire import messages as msg
from harness import Harness, person, refused, settle

STORM, HOME = Asker("192.0.2.1", "storm"), Asker("198.51.100.9", "home")
NEVER = 1e-9


async def erase_words(house: Harness, table: str, host: str, asker: Asker = STORM) -> None:
    running = house.running(table)
    with on_behalf_of(asker):
        await house.server.command(table, msg.EraseWords(id="e", at=running.state.changed), [host])


def test_when_twenty_hosts_erase_words_at_once_a_few_logs_are_folded_side_by_side(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold, folded, at_work = folding.fold, list[str](), set[str]()
    most = 0

    async def slowly(state: Any, *args: Any) -> Any:
        nonlocal most
        at_work.add(state.id)
        most = max(most, len(at_work))
        await settle()
        at_work.remove(state.id)
        folded.append(state.id)
        return await fold(state, *args)

    monkeypatch.setattr(erasing, "fold", slowly)
    hosts = {house.lay("here", "here", key=host).table: host for host in (person() for _ in range(20))}

    async def erase_all() -> None:
        await asyncio.gather(*(erase_words(house, table, host) for table, host in hosts.items()))

    house.run(erase_all())
    assert sorted(folded) == sorted(hosts)
    assert most == FOLDS_AT_ONCE


def test_an_address_has_so_many_events_folded_to_erase_words_and_no_more(house: Harness) -> None:
    livia = person()
    first, second, third = (house.lay("here", "here", key=livia).table for _ in range(3))
    house.server.quotas = Quotas(wakes=Rate(NEVER, house.run(house.server.store.length(first))))
    house.server.rates = InMemory()
    house.run(erase_words(house, first, livia))
    assert house.run(refused(erase_words(house, second, livia))).status == 429
    house.run(erase_words(house, second, livia, HOME))
    house.server.quotas = Quotas(wakes=Rate(NEVER, 1))
    house.run(erase_words(house, third, livia, Asker("203.0.113.5", "")))  # one is always, however long its log is
