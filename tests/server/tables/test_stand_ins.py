"""Drivers at tables with people, those who stand in for somebody, and drivers who fail."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import pytest

from avecaesar.game import Move, Play, View
from avecaesar.server.tables.driving import BREATH
from avecaesar.server.wire import messages as msg
from harness import SHORT, Asked, Guest, Harness, by_whom, on_turn, person, settle


def test_drivers_do_nothing_while_the_race_is_paused(house: Harness, asked: Asked) -> None:
    livia = person()
    table = house.lay("scorpus", "festina", "bibulus", key=livia, pace=1000).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        await guest.do("pause")
        await settle()
        number, before = house.running(table).state.number, len(asked)
        await house.time.pass_by(5000)
        assert (house.running(table).state.number, len(asked)) == (number, before)
        await guest.do("resume")
        while guest.table["number"] < number + 4:
            await house.time.pass_by(1)
            await asyncio.sleep(0.001)
            await guest.do("say", phrase="hurry")
            number += 1
        assert by_whom(guest)

    house.run(play())


def test_somebody_stands_in_for_who_is_away_while_others_wait_and_until_he_is_back(
    house: Harness, asked: Asked
) -> None:
    livia, marcus = person(), person()
    table = house.lay("here", "friend", key=livia, away=60, open=True).table
    house.run(house.server.sit(table, msg.Sit(), [marcus]))

    async def play() -> None:
        one, two = await Guest.at(house.server, table, livia), await Guest.at(house.server, table, marcus)
        watcher = await Guest.at(house.server, table)
        await one.begin()
        await one.until(lambda guest: guest.wanted or on_turn(guest) == 1)
        if on_turn(one) == 0:
            await one.move()
        await watcher.until(lambda guest: guest.table["race"] and on_turn(guest) == 1)
        await house.time.pass_by(1000)
        assert not asked  # he thinks, but he is there
        two.leave()
        one.leave()
        await house.time.pass_by(1000)
        assert not asked  # nobody waits for him but people who watch
        one = await Guest.at(house.server, table, livia)
        assert not one.table["seats"][1]["connected"]
        await one.until(lambda guest: guest.table["seats"][1]["stand_in"] or on_turn(guest) == 0)
        await one.until(lambda guest: guest.wanted)  # he has been away long enough
        assert by_whom(one)[-1] == "stand-in"
        two = await Guest.at(house.server, table, marcus)
        await one.until(lambda guest: guest.table["seats"][1]["connected"])
        assert not one.table["seats"][1]["stand_in"]
        before = len(asked)
        await one.move()
        await two.until(lambda guest: guest.wanted)
        await house.time.pass_by(1000)
        assert len(asked) == before  # he is back
        two.leave()
        await house.time.pass_by(59)
        assert len(asked) == before
        with asked.kept_waiting():
            await house.time.pass_by(1)
            assert len(asked) == before + 1
        await one.until(lambda guest: guest.wanted)
        assert by_whom(one)[-1] == "stand-in"

    house.run(play())


def test_nobody_stands_in_where_the_table_does_not_want_it(house: Harness, asked: Asked) -> None:
    livia, marcus = person(), person()
    table = house.lay("here", "friend", key=livia, away=None, open=True).table
    house.run(house.server.sit(table, msg.Sit(), [marcus]))

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        if on_turn(guest) == 0:
            await guest.move()
        await house.time.pass_by(100_000)
        assert not asked

    house.run(play())


def test_a_free_seat_in_a_race_is_driven_at_once(house: Harness) -> None:
    livia, marcus = person(), person()
    table = house.lay("here", "friend", key=livia, away=None, open=True).table
    house.run(house.server.sit(table, msg.Sit(), [marcus]))

    async def play() -> None:
        one, two = await Guest.at(house.server, table, livia), await Guest.at(house.server, table, marcus)
        await one.begin()
        assert (await two.do("stand", seat=1))["is"] == "done"
        await two.until(lambda guest: guest.table["yours"] == [])
        for _ in range(3):
            await one.move()
        await one.until(lambda guest: guest.wanted)
        assert {line["by"] for line in one.story if line["kind"] == "turn" and line["seat"] == 1} == {"stand-in"}
        assert (await house.server.sit(table, msg.Sit(name="Nero"), [marcus])).seat == 1
        await two.until(lambda guest: guest.table["yours"] == [1])
        assert two.table["seats"][1]["name"] != "Nero"  # chariots keep their names
        await one.move()
        assert (await two.move())["is"] == "done"
        assert (await one.do("appoint", seat=1, driver="festina"))["is"] == "done"
        await one.race()
        await two.until(lambda guest: guest.table["phase"] == "over")
        assert (two.table["yours"], two.table["hands"], two.table["eyes"]) == ([], [], None)
        assert one.table["seats"][1]["driver"] == "festina"
        assert "driver" in by_whom(one)

    house.run(play())


def test_a_driver_who_fails_does_not_stop_the_table(
    house: Harness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    livia = person()
    table = house.lay("scorpus", "festina", "bibulus", key=livia, options=SHORT).table

    async def killed(driver: str, view: View, begins: Callable[[], None]) -> Move:
        raise OSError(10, "it ended before its time", "a worker process")

    monkeypatch.setattr(house.thinkers, "choose", killed)
    caplog.set_level(logging.CRITICAL, "avecaesar.server")

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        await guest.until(lambda guest: guest.table["phase"] == "over")

    house.run(play())


def test_a_move_that_cannot_be_made_is_not_made_and_tried_again_later(
    house: Harness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Should a driver ever break the rules, the table waits a moment, and goes on when he is well again."""
    livia = person()
    table = house.lay("scorpus", "festina", "bibulus", key=livia, options=SHORT).table
    caplog.set_level(logging.CRITICAL, "avecaesar.server")
    choose, mad = house.thinkers.choose, asyncio.Event()

    async def cheat(driver: str, view: View, begins: Callable[[], None]) -> Move:
        mad.set()
        return Play(6, 3)

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        monkeypatch.setattr(house.thinkers, "choose", cheat)
        await guest.begin()
        await mad.wait()
        await settle()
        assert house.running(table).state.number == guest.table["number"]
        monkeypatch.setattr(house.thinkers, "choose", choose)
        await house.time.pass_by(BREATH)
        await guest.until(lambda guest: guest.table["phase"] == "over")

    house.run(play())
