"""A command is carried out once, whatever happens: repeated, cut off, on a full disk, or by two servers at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from avecaesar.records import referee
from avecaesar.server.store.shapes import Taken
from avecaesar.server.tables import events as e
from avecaesar.server.tables.announcing import Announcement
from avecaesar.server.tables.driving import BREATH
from avecaesar.server.tables.erasable_words import read
from avecaesar.server.wire import messages as msg
from harness import SHORT, Guest, Harness, person, refused, settle
from seat_numbers import SECOND


async def log_of(house: Harness, table: str) -> list[e.AnyEvent]:
    return [read(entry) for entry in await house.stores[-1].log(table)]


# ---------------------------------------------------------------------- once, whatever happens


def test_a_repeated_command_is_done_once_and_answered_the_same_also_after_a_restart(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", "festina", key=livia).table

    async def first() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        guest = await Guest.at(house.server, table, livia)
        said = await guest.do("say", id="word", text="Ave!")
        begun = await guest.do("begin", id="begin", at=guest.table["changed"])
        await guest.until(lambda guest: guest.table["question"])
        offer = guest.table["question"]["offers"][0]["move"]
        command = {"id": "move", "at": guest.table["changed"], "seat": 0, "move": offer}
        moved = await guest.do("move", **command)
        for again in (await guest.do("move", **command), await guest.do("move", **command)):
            assert again == moved
        again = await guest.do("begin", id="begin", at=0)
        assert again == begun
        assert {answer["is"] for answer in (said, begun, moved)} == {"done"}
        return said, command, moved

    said, command, moved = house.run(first())
    house.restart()

    async def second() -> None:
        guest = await Guest.at(house.server, table, livia)
        assert await guest.do("say", id="word", text="Something else") == said
        assert await guest.do("move", **command) == moved
        events = await log_of(house, table)
        assert sum(isinstance(event, e.Said) for event in events) == 1
        assert isinstance(events[moved["number"]], e.Moved)
        assert [line["words"] for line in guest.story if line["kind"] == "said"] == ["Ave!"]
        await guest.race()  # drivers go on
        assert guest.table["phase"] == "over"

    house.run(second())


def test_two_devices_that_send_the_same_command_at_once_do_it_once(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table

    async def play() -> None:
        one, two = [await Guest.at(house.server, table, livia) for _ in range(2)]
        answers = await asyncio.gather(one.do("say", id="a", text="Ave!"), two.do("say", id="a", text="Ave!"))
        assert answers[0] == answers[1]
        assert sum(isinstance(event, e.Said) for event in await log_of(house, table)) == 1

    house.run(play())


def test_what_is_announced_is_on_the_disk(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that anybody ever hears of can be read from the file at that very moment."""
    livia = person()
    table = house.lay("here", "scorpus", "festina", key=livia, options=SHORT).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        tell, announced = guest.connection.tell, []

        def told(news: Announcement) -> None:
            announced.append((news.number, len(numbers(house, table))))
            tell(news)

        monkeypatch.setattr(guest.connection, "tell", told)
        await guest.begin()
        await guest.race()
        assert len(announced) > 20
        assert all(number < length for number, length in announced)

    house.run(play())


def numbers(house: Harness, table: str) -> list[int]:
    """The events of a table that are on the disk now."""
    with house.stores[-1]._engine.connect() as connection:
        rows = connection.exec_driver_sql('select number from events where "table" = ?', (table,))
        return [row[0] for row in rows]


def test_a_command_whose_sender_is_gone_is_carried_out_to_its_end(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        say = asyncio.create_task(guest.connection.command(msg.Say(id="a", text="Ave!")))
        await asyncio.sleep(0)
        say.cancel()
        guest.leave()
        other = await Guest.at(house.server, table, livia)
        assert (await other.do("say", id="a", text="Ave!"))["is"] == "done"
        assert sum(isinstance(event, e.Said) for event in await log_of(house, table)) == 1

    house.run(play())


def test_when_the_disk_is_full_the_command_is_refused_and_the_race_goes_on_later(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia = person()
    table = house.lay("here", "scorpus", "festina", key=livia, options=SHORT).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        await guest.until(lambda guest: guest.wanted)
        store, number = house.stores[0], guest.table["number"]
        append = store.append

        async def full(*_: Any, **__: Any) -> None:
            raise OSError(28, "no space left")

        monkeypatch.setattr(store, "append", full)
        answer = await guest.move()
        assert (answer["is"], answer["problem"]) == ("refused", "this could not be written down: try again")
        assert house.running(table).state.number == number
        monkeypatch.setattr(store, "append", append)
        assert (await guest.move())["is"] == "done"
        monkeypatch.setattr(store, "append", full)
        await settle()  # now a driver cannot move
        while house.running(table).state.on_turn != 0 and not house.time._sleepers[1:]:
            await asyncio.sleep(0.001)
        monkeypatch.setattr(store, "append", append)
        await house.time.pass_by(BREATH)
        await guest.race()
        assert guest.table["phase"] == "over"

    house.run(play())


# ---------------------------------------------------------------------- two servers


def test_of_two_servers_one_is_first_and_the_other_catches_up(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = house.lay("here", "friend", "scorpus", "festina", key=livia, options=SHORT, open=True)
    table = laid.table
    other = house.open()

    async def play() -> None:
        one = await Guest.at(house.server, table, livia)
        await other.sit(table, msg.Sit(name="Marcus"), [marcus])
        two = await Guest.at(other, table, marcus)
        said = await asyncio.gather(*(guest.do("say", text="Ave!") for guest in (one, two, one, two, one)))
        assert [answer["is"] for answer in said] == ["done"] * 5
        assert len({answer["number"] for answer in said}) == 5
        await one.do("say", text="Now I know that he is here.")
        await one.until(lambda guest: guest.table["seats"][1]["taken"])
        await one.begin()
        await two.do("say", text="And I that it begins.")
        await two.until(lambda guest: guest.table["phase"] == "racing")
        lives = [server.waking.awake[table] for server in (house.server, other)]
        while not all(running.state.phase == "over" for running in lives):
            for guest in (one, two):
                await guest.do("say", phrase="hurry")  # so that each hears of what the other did
                if guest.table["phase"] == "racing" and guest.wanted:
                    await guest.move()
        for guest in (one, two):
            await guest.do("say", phrase="again")
        await one.do("say", phrase="again")
        for guest in (one, two):
            await guest.until(lambda guest: guest.table["phase"] == "over")
        turns = [[line for line in guest.story if line["kind"] == "turn"] for guest in (one, two)]
        assert turns[0] == turns[1]
        referee(await house.server.record(table, 0))
        assert await other.record(table, 0) == await house.server.record(table, 0)

    house.run(play())


def test_who_lost_his_seat_on_another_server_has_lost_it_here(house: Harness) -> None:
    livia, marcus = person(), person()
    table = house.lay("here", "friend", "scorpus", key=livia, open=True).table
    house.run(house.server.sit(table, msg.Sit(), [marcus]))
    other = house.open()

    async def play() -> None:
        owner, driver = await Guest.at(house.server, table, livia), await Guest.at(other, table, marcus)
        assert driver.table["yours"] == [1]
        assert (await owner.do("vacate", seat=1))["is"] == "done"
        answer = await driver.do("dress", seat=1, name="Nero", colour="black")
        assert (answer["is"], answer["problem"]) == ("refused", "that is not your seat")
        await driver.until(lambda guest: guest.table["yours"] == [])

    house.run(play())


def test_a_log_that_never_lets_us_in_is_given_up(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table

    async def taken(*_: Any, **__: Any) -> None:
        raise Taken

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        with monkeypatch.context() as patch:
            patch.setattr(house.stores[0], "append", taken)
            assert "try again" in (await guest.do("say", text="Ave!"))["problem"]
            await refused(house.server.sit(table, msg.Sit(seat=SECOND), [livia]))

    house.run(play())
