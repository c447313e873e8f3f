"""Telling how a table stands: it goes on whatever fails, and all tables together take one step at a time."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from avecaesar.server.fairness import Asker, on_behalf_of
from avecaesar.server.tables import announcing
from avecaesar.server.tables.announcing import A_CROWD, ROUNDS, Announcing
from avecaesar.server.wire import messages as msg
from avecaesar.speech import LANGUAGES, speaking, spoken
from harness import Guest, Harness, person, settle


async def laid_for(house: Harness, keys: list[str]) -> str:
    """A table at which all of these sit."""
    seats = [msg.SeatPlan(kind="here"), *(msg.SeatPlan(kind="friend") for _ in keys[1:])]
    table = (await house.server.lay(msg.NewTable(seats=tuple(seats), open=True), keys[0])).table
    for key in keys[1:]:
        await house.server.sit(table, msg.Sit(), [key])
    return table


async def in_all_languages(house: Harness, table: str, *keys: str) -> list[Guest]:
    """Somebody who has the table open once in each language."""
    guests = []
    for language in LANGUAGES:
        with speaking(language):
            guests.append(await Guest.at(house.server, table, *keys))
    return guests


def test_one_failure_does_not_end_telling_who_comes_and_goes(
    house: Harness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    livia = person()
    table = house.lay("here", "friend", key=livia).table
    tell = Announcing._tell_some

    def broken(_: Announcing) -> None:
        raise RuntimeError("out of order")

    async def crowd() -> None:
        guest = await Guest.at(house.server, table, livia)
        await settle()
        watchers = [await Guest.at(house.server, table)]  # of whom it is told later
        monkeypatch.setattr(Announcing, "_tell_some", broken)
        await house.time.pass_by(A_CROWD)
        assert "could be told who is there" in caplog.text
        monkeypatch.setattr(Announcing, "_tell_some", tell)
        watchers.append(await Guest.at(house.server, table))
        await house.time.pass_by(A_CROWD)
        await guest.until(lambda one: one.table["watchers"] == len(watchers))

    with caplog.at_level(logging.ERROR):
        house.run(crowd())


def test_crowds_at_many_tables_are_told_one_table_at_a_step(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: Counter[int] = Counter()  # how many tables tell those who were not told at once, by step of the event loop
    step, tell = 0, Announcing._tell_some

    def noting(teller: Announcing) -> None:
        task = asyncio.current_task()
        steps[step] += task is not None and task in house.running(teller._state.id)._running
        tell(teller)

    async def count_steps() -> None:
        nonlocal step
        while True:
            step += 1
            await asyncio.sleep(0)

    async def play() -> None:
        crowds = []
        for _ in range(4):
            keys = [person() for _ in range(4)]
            table = await laid_for(house, keys)
            crowds.append((table, [guest for key in keys for guest in await in_all_languages(house, table, key)]))
        await house.time.pass_by(A_CROWD)
        monkeypatch.setattr(Announcing, "_tell_some", noting)
        counting = asyncio.create_task(count_steps())
        for table, guests in crowds:
            for guest in guests:
                guest.connection._waiting.clear()
            house.running(table).announcing.announce()
        await settle()
        counting.cancel()
        assert all(len(guest.connection._waiting) == 1 for _, guests in crowds for guest in guests)

    house.run(play())
    assert sum(steps.values()) >= 4
    assert max(steps.values()) == 1
    told = sorted(number for number, many in steps.items() if many)
    assert min(later - sooner for sooner, later in pairwise(told)) >= ROUNDS


@pytest.mark.parametrize("first", ["strangers", "a player"])
def test_every_player_is_told_at_once_however_often_others_came_before(house: Harness, first: str) -> None:
    keys = [person() for _ in range(6)]
    came_before, later = ([[], []], keys) if first == "strangers" else ([keys[:1]], keys[1:])

    async def play() -> None:
        table = await laid_for(house, keys)
        for own in came_before:
            await in_all_languages(house, table, *own)
        guests = [await Guest.at(house.server, table, key) for key in later]
        await (await Guest.at(house.server, table, keys[0])).begin()
        assert house.running(table).state.on_turn is not None
        await settle()
        for guest in guests:
            guest.connection._waiting.clear()
        house.running(table).announcing.announce()
        assert [len(guest.connection._waiting) for guest in guests] == [1] * len(guests)

    house.run(play())


def test_a_table_waits_for_one_crowd_of_an_address_and_not_for_fifty(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announcing, "SIGHTS_A_STEP", 2)
    monkeypatch.setattr(announcing, "ROUNDS", 1)
    told: list[str] = []  # at which table, by step
    tell = Announcing._tell_some

    def noting(teller: Announcing) -> None:
        told.append(teller._state.id)
        tell(teller)

    async def crowd(asker: Asker) -> str:
        key = person()
        with on_behalf_of(asker):
            table = await laid_for(house, [key])
            await in_all_languages(house, table, key)
        return table

    async def play() -> None:
        storm = [await crowd(Asker("192.0.2.1", "storm")) for _ in range(50)]
        home = await crowd(Asker("198.51.100.9", "home"))
        while any(running.announcing._untold for running in house.server.waking.awake.values()):
            await settle()
        monkeypatch.setattr(Announcing, "_tell_some", noting)
        for table in storm:
            house.running(table).announcing.announce()
        while len(told) < len(storm) + 5:
            await asyncio.sleep(0)
        told.clear()
        house.running(home).announcing.announce()
        while house.running(home).announcing._untold:
            await asyncio.sleep(0)
        assert told.count(home) == 3
        assert len(told) <= 3 * told.count(home)

    house.run(play())


@pytest.mark.parametrize("do", ["erase_saying", "erase_words"])
def test_once_words_are_erased_the_whole_table_is_written_once_for_all_who_see_it_alike(
    house: Harness, monkeypatch: pytest.MonkeyPatch, do: str
) -> None:
    livia = person()
    table = house.lay("here", "friend", key=livia).table
    written: list[str] = []  # in which language
    whole = msg.Whole

    def writing(*parts: Any) -> msg.Whole:
        written.append(spoken())
        return whole(*parts)

    async def play() -> None:
        host = await Guest.at(house.server, table, livia)
        said = await host.do("say", text="Ave!")
        crowd = [guest for _ in range(6) for guest in await in_all_languages(house, table)]
        await house.time.pass_by(A_CROWD)
        monkeypatch.setattr(msg, "Whole", writing)
        which = {"number": said["number"]} if do == "erase_saying" else {"at": host.table["changed"]}
        done = await host.do(do, **which)
        for guest in crowd:
            await guest.until(lambda guest: guest.table["number"] == done["number"])
            assert "Ave!" not in [line["words"] for line in guest.story]
        assert sorted(written) == sorted(["en", *LANGUAGES])  # for her, and for strangers in each language

    house.run(play())
