"""The house with people in it: whole races, links and seats, clocks and drivers, restarts, and two servers at once."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import msgspec
import pytest

from avecaesar.game import Move, Play, Race, View, Withdraw
from avecaesar.records import referee
from avecaesar.rules import EDITIONS
from avecaesar.server.content.replay import film_of
from avecaesar.server.store.database import Store
from avecaesar.server.store.shapes import Entry, Listing, Taken
from avecaesar.server.tables import events as e
from avecaesar.server.tables.connection import (
    CONNECTIONS_A_PERSON,
    MOST_ANSWERS,
    MOST_WAITING,
    STRANGERS_A_TABLE,
    Announcement,
)
from avecaesar.server.tables.driving import BREATH, Driving
from avecaesar.server.tables.erasable_words import read
from avecaesar.server.tables.house import NAP, RefusedError, hashed, new_key
from avecaesar.server.tables.listing import listing_of
from avecaesar.server.tables.running import RunningTable
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from avecaesar.speech import speaking
from avecaesar.telling import narration
from house import Guest, Harness, person, settle
from situations import PLAIN

SHORT = {"race_ends": "first_home"}


class Asked:
    """Counts what drivers are asked, and lets them answer."""

    def __init__(self, house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
        self.drivers: list[str] = []
        self._may_answer = asyncio.Event()
        self._may_answer.set()
        choose = house.thinkers.choose

        async def counted(driver: str, view: View, begins: Callable[[], None]) -> Move:
            self.drivers.append(driver)
            move = await choose(driver, view, begins)
            await self._may_answer.wait()
            return move

        monkeypatch.setattr(house.thinkers, "choose", counted)

    @contextmanager
    def kept_waiting(self) -> Iterator[None]:
        """Nobody answers meanwhile, so that nobody is asked what comes after."""
        self._may_answer.clear()
        yield
        self._may_answer.set()

    def __len__(self) -> int:
        return len(self.drivers)


@pytest.fixture
def asked(house: Harness, monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(house, monkeypatch)


async def until_on_turn(guest: Guest, seat: int) -> None:
    """Let the others move until this seat is on turn."""
    await guest.until(lambda one: one.table["race"] and on_turn(one) == seat)


def on_turn(guest: Guest) -> int | None:
    race = guest.table["race"]
    return None if race["turn"] is None else race["chariots"][race["turn"]]["seat"]


def by_whom(guest: Guest) -> list[str]:
    return [line["by"] for line in guest.story if line["kind"] == "turn"]


async def refused(work: Any) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        await work
    assert caught.value.problem
    return caught.value


async def log_of(house: Harness, table: str) -> list[e.AnyEvent]:
    return [read(entry) for entry in await house.stores[-1].log(table)]


# ---------------------------------------------------------------------- whole races

RACES: dict[str, dict[str, Any]] = {
    **{name: {"edition": name, "kinds": ("here", "friend", "scorpus", "festina")} for name in EDITIONS},
    "teams": {"kinds": ("here", "friend"), "options": {"chariots_each": "2"}},
    "votes": {
        "kinds": ("here", "friend", "scorpus"),
        "options": {"riderless": "extra", "riderless_count": "2", "riderless_moves": "vote"},
    },
    "riderless": {"kinds": ("here", "friend"), "options": {"riderless": "fill"}},
}


@pytest.mark.parametrize("race", RACES)
def test_two_people_and_drivers_race_to_the_end_and_the_record_is_good(house: Harness, race: str) -> None:
    wishes = dict(RACES[race])
    livia, marcus = person(), person()
    laid = house.lay(*wishes.pop("kinds"), key=livia, **wishes)
    assert (laid.seats, laid.token) == ([0], None)
    assert laid.invitation is not None
    token = laid.invitation.partition("#")[2]

    async def play() -> None:
        server, table = house.server, laid.table
        seated = await server.sit(table, msg.Sit(token=token, name="Marcus", colour="black"), [marcus])
        assert (seated.seat, seated.token) == (1, None)
        one, two, watcher = [await Guest.at(server, table, *keys) for keys in ([livia], [marcus], [])]
        assert "begins the first race" in (await two.do("begin", at=two.table["changed"]))["problem"]
        assert "sit at the table" in (await watcher.do("say", text="Ave!"))["problem"]
        await one.begin()
        await two.until(lambda guest: guest.table["phase"] == "racing")
        assert (await refused(server.record(table, 0))).status == 404
        await asyncio.gather(one.race(), two.race(), watcher.until(lambda guest: guest.table["phase"] == "over"))
        for guest in (one, two):
            await guest.until(lambda guest: guest.table["phase"] == "over")
        late = await Guest.at(server, table)
        begun = late.story[0]["number"]
        for guest in (one, two, watcher):
            assert [line for line in guest.story if line["number"] >= begun] == late.story
        assert late.table["race"] == watcher.table["race"] == two.table["race"]
        assert {line["by"] for line in late.story if line["kind"] == "turn"} <= {"person", "driver", "rule"}
        referee(await server.record(table, 0))
        shown = await server.shown(table, [marcus])
        assert (shown.table.phase, shown.table.eyes) == ("over", 1)
        assert shown.table.race
        assert shown.table.race.secret

    house.run(play())


def test_on_a_board_of_ones_own_too_and_drivers_race_alone(house: Harness) -> None:
    source = PLAIN.read_text()

    async def lay() -> str:
        new = msg.NewTable(seats=(msg.SeatPlan(),) * 3, course="blue", board="1" * 64, pace=0, options=SHORT)
        assert (await refused(house.server.lay(new, person()))).status == 404
        assert (await house.server.uploads.check(new)).problem
        await house.stores[0].keep("board", "1" * 64, source.encode())
        assert (await house.server.uploads.check(new)).problem is None
        key = person()
        table = (await house.server.lay(new, key)).table
        guest = await Guest.at(house.server, table, key)
        await guest.begin()
        await guest.until(lambda guest: guest.table["phase"] == "over")
        referee(await house.server.record(table, 0))
        assert (await house.server.uploads.course_of("blue", "clockwise", "1" * 64)).name == "blue"
        assert (await refused(house.server.uploads.course_of("pink", "clockwise", "1" * 64))).status == 404
        assert (await refused(house.server.uploads.course_of(f"{PLAIN}:blue", "clockwise", None))).status == 404
        return table

    table = house.run(lay())
    house.restart()
    assert house.run(house.server.shown(table, [])).table.phase == "over"


def test_a_table_that_cannot_be_played_is_not_laid(house: Harness) -> None:
    for wishes in (
        {"seats": (msg.SeatPlan(colour="red"), msg.SeatPlan(colour="red"))},
        {"seats": (msg.SeatPlan(name="A"), msg.SeatPlan(name="A"))},
        {"seats": (msg.SeatPlan(driver="caligula"),)},
        {"seats": (msg.SeatPlan(kind="here", driver="scorpus"),)},
        {"seats": (msg.SeatPlan(),) * 4, "course": "pink"},
        {"seats": (msg.SeatPlan(),) * 6, "options": {"chariots_each": "2"}},
        {"seats": (msg.SeatPlan(),) * 3, "options": {"hand": "many"}},
    ):
        error = house.run(refused(house.server.lay(msg.NewTable(**wishes), person())))
        assert error.status == 400


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
            await refused(house.server.sit(table, msg.Sit(seat=1), [livia]))

    house.run(play())


# ---------------------------------------------------------------------- drivers, clocks, stand-ins


def test_when_the_time_is_up_a_sensible_move_is_made_and_the_race_is_not_lost(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia, clock=30, away=None).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        while guest.table["phase"] == "racing":
            await guest.until(lambda guest: guest.wanted or guest.table["phase"] != "racing")
            if guest.table["phase"] != "racing":
                break
            assert guest.table["deadline"] == house.time.now + 30
            number = guest.table["number"]
            await house.time.pass_by(29)
            assert house.running(table).state.number == number
            await house.time.pass_by(1)
            await guest.until(lambda guest, number=number: guest.table["number"] > number)  # type: ignore[misc]
        assert set(by_whom(guest)) == {"clock", "driver"}
        made = await house.server.made_by(table, 0, 0)
        film = film_of(await house.server.record(table, 0), 0, made)
        assert [scene.by for scene in film.scenes[1:]] == [None if by == "driver" else by for by in by_whom(guest)]
        mine = next(chariot for chariot in guest.table["race"]["chariots"] if chariot["seat"] == 0)
        assert mine["status"] == "home"
        assert not mine["disqualified"]

    house.run(play())


def test_a_clock_rests_during_a_pause_and_keeps_what_was_left_also_after_a_restart(
    house: Harness, asked: Asked
) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia, clock=30).table

    async def begin() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        await guest.until(lambda guest: guest.wanted)
        await house.time.pass_by(20)
        assert (await guest.do("pause"))["is"] == "done"
        await guest.until(lambda guest: guest.table["paused"])
        assert guest.table["deadline"] is None
        before = len(asked)
        await house.time.pass_by(1000)
        assert len(asked) == before
        assert "is paused" in (await guest.move())["problem"]
        assert (await guest.do("resume"))["is"] == "done"
        await guest.until(lambda guest: not guest.table["paused"])
        assert guest.table["deadline"] == house.time.now + 10
        await house.time.pass_by(3)
        await guest.do("pause")
        await house.time.pass_by(1000)
        assert len(asked) == before

    house.run(begin())
    house.time.now += 1000  # the server is down
    house.restart()

    async def back() -> None:
        guest = await Guest.at(house.server, table, livia)
        assert (await guest.do("resume"))["is"] == "done"
        assert guest.table["deadline"] == house.time.now + 7
        assert house.running(table).presence.deadline == house.time.steady() + 7
        guest.leave()

    house.run(back())
    house.time.now += 1000
    house.restart()  # nobody loses time while the server is down

    async def go_on() -> None:
        running = house.running(table)  # woken, though nobody has asked for it
        before = len(asked)
        await house.time.pass_by(6)
        assert len(asked) == before
        with asked.kept_waiting():
            await house.time.pass_by(1)
            assert len(asked) == before + 1
        guest = await Guest.at(house.server, table, livia)
        await guest.until(lambda guest: guest.story[-1].get("by") == "clock" or "clock" in by_whom(guest))
        assert running is house.running(table)

    house.run(go_on())


DAY = 86_400.0


@pytest.mark.parametrize("jump", [DAY, -DAY])
def test_a_jump_of_the_walls_clock_ends_nobodys_turn_and_gives_nobody_endless_time(
    house: Harness, asked: Asked, jump: float
) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia, clock=30).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        await guest.until(lambda guest: guest.wanted)
        await house.time.pass_by(20)
        before = len(asked)
        house.time.now += jump
        await house.time.pass_by(1)
        assert len(asked) == before
        await guest.do("say", text="What time is it?")
        assert guest.table["now"] == house.time.now  # the page goes by the difference
        assert guest.table["deadline"] - guest.table["now"] == 9
        await guest.do("pause")
        house.time.now += jump
        await house.time.pass_by(5)
        await guest.do("resume")
        assert guest.table["deadline"] - guest.table["now"] == 9
        await house.time.pass_by(8)
        assert len(asked) == before
        with asked.kept_waiting():
            await house.time.pass_by(1)
            assert len(asked) == before + 1
        await guest.until(lambda guest: "clock" in by_whom(guest))

    house.run(play())


@pytest.mark.parametrize("jump", [DAY, -DAY])
def test_a_jump_of_the_walls_clock_makes_nobody_away_for_longer_or_shorter(
    house: Harness, asked: Asked, jump: float
) -> None:
    livia, marcus = person(), person()
    laid = house.lay("here", "friend", key=livia, away=60)

    async def play() -> None:
        await house.server.sit(laid.table, msg.Sit(token=token_of(laid.invitation)), [marcus])
        guests = [await Guest.at(house.server, laid.table, key) for key in (livia, marcus)]
        await guests[0].begin()
        running = house.running(laid.table)
        assert running.state.on_turn is not None
        absent = running.state.on_turn
        guests[absent].leave()
        await house.time.pass_by(20)
        house.time.now += jump
        await house.time.pass_by(20)
        await guests[1 - absent].do("pause")
        house.time.now += jump
        await house.time.pass_by(500)
        await guests[1 - absent].do("resume")
        await house.time.pass_by(19)
        assert (running.presence.stand_ins, len(asked)) == (frozenset(), 0)
        await house.time.pass_by(1)
        assert (running.presence.stand_ins, len(asked)) == (frozenset({absent}), 1)

    house.run(play())


def test_a_deadline_is_the_same_in_every_message_though_no_two_clocks_agree(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia, clock=30).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        await guest.until(lambda guest: guest.wanted)
        deadlines = set()
        for _ in range(5):
            house.time.now += 1e-6
            await guest.do("say", text="Tick.")
            deadlines.add(guest.table["deadline"])
        assert len(deadlines) == 1

    house.run(play())


def test_what_others_do_gives_nobody_more_time_and_who_is_away_is_away_no_longer_because_of_a_pause(
    house: Harness,
) -> None:
    keys = [person() for _ in range(3)]
    laid = house.lay("here", "friend", "friend", key=keys[0], clock=100, away=60)

    async def play() -> None:
        for key in keys[1:]:
            await house.server.sit(laid.table, msg.Sit(token=token_of(laid.invitation)), [key])
        guests = [await Guest.at(house.server, laid.table, key) for key in keys]
        await guests[0].begin()
        running = house.running(laid.table)
        other = 2 if running.state.on_turn == 1 else 1
        deadline = running.presence.deadline
        assert deadline is not None
        await house.time.pass_by(10)
        await guests[0].do("vacate", seat=other)
        assert running.presence.deadline == deadline
        guests[3 - other].leave()
        assert running.presence._gone_from(3 - other) == house.time.steady() + 60
        await house.time.pass_by(20)
        await guests[0].do("pause")
        await house.time.pass_by(500)
        await guests[0].do("resume")
        assert running.presence._gone_from(3 - other) == house.time.steady() + 40
        assert running.presence.deadline == deadline + 500

    house.run(play())


def test_whoever_stands_up_and_comes_back_has_no_more_time_for_it(house: Harness) -> None:
    keys = [person(), person()]
    laid = house.lay("here", "friend", key=keys[0], clock=30, away=None, pace=5000)

    async def play() -> None:
        await house.server.sit(laid.table, msg.Sit(token=token_of(laid.invitation)), [keys[1]])
        guests = [await Guest.at(house.server, laid.table, key) for key in keys]
        await guests[0].begin()
        running = house.running(laid.table)
        slow, deadline = running.state.on_turn, running.presence.deadline
        assert slow is not None
        assert deadline is not None
        turn = running.state.changed
        for _ in range(3):
            await house.time.pass_by(4)
            assert (await guests[slow].do("stand", seat=slow))["is"] == "done"
            assert running.presence.deadline == deadline
            await house.server.take_over(laid.table, msg.TakeOver(seat=slow), [keys[slow]])
            assert running.presence.deadline == deadline
        await guests[slow].do("pause")
        await guests[slow].do("stand", seat=slow)
        await house.server.take_over(laid.table, msg.TakeOver(seat=slow), [keys[slow]])
        await guests[slow].do("resume")
        assert running.presence.deadline == deadline
        assert running.state.changed > turn

    house.run(play())


def test_once_the_clock_has_run_out_nothing_that_somebody_does_puts_the_move_off(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever stands up, comes back or goes offline again and again does not make the pace begin anew."""

    async def at_once(driving: Driving, driver: str, view: View, begins: Callable[[], None]) -> Move:
        begins()  # a worker might take it up only when time has passed by
        return view.legal_moves[0]

    monkeypatch.setattr(Driving, "_choose", at_once)
    keys = [person(), person()]
    laid = house.lay("here", "friend", key=keys[0], clock=30, away=20, pace=5000)

    async def play() -> None:
        await house.server.sit(laid.table, msg.Sit(token=token_of(laid.invitation)), [keys[1]])
        guests = [await Guest.at(house.server, laid.table, key) for key in keys]
        await guests[0].begin()
        running = house.running(laid.table)
        slow, began = running.state.on_turn, running.presence._touched
        assert slow is not None
        await house.time.pass_by(30)
        for _ in range(2):
            await house.time.pass_by(2)
            await guests[slow].do("stand", seat=slow)
            await house.server.take_over(laid.table, msg.TakeOver(seat=slow), [keys[slow]])
            guests[slow].leave()
            guests[slow] = await Guest.at(house.server, laid.table, keys[slow])
        assert running.presence._touched == began
        await settle()  # until the clock is waited for
        await house.time.pass_by(1)
        await guests[1 - slow].until(by_whom)
        assert (by_whom(guests[1 - slow]), running.presence._touched) == (["clock"], began + 35)

    house.run(play())


def test_a_rematch_waits_for_everybody_and_the_host_may_go_on_without_who_stays_away(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = house.lay("here", "friend", "scorpus", key=livia, away=60, options={"race_ends": "first_home"})

    async def play() -> None:
        await house.server.sit(laid.table, msg.Sit(token=token_of(laid.invitation)), [marcus])
        one, two = await Guest.at(house.server, laid.table, livia), await Guest.at(house.server, laid.table, marcus)
        await one.begin()
        await two.until(lambda guest: guest.table["phase"] == "racing")
        await asyncio.gather(one.race(), two.race())
        assert (one.table["phase"], one.table["ready"]["waits"]) == ("over", [0, 1])
        assert not one.table["ready"]["begins"]
        await two.begin()
        assert (two.table["phase"], two.table["ready"]["you"], two.table["ready"]["ready"]) == ("over", True, [1])
        await one.until(lambda guest: guest.table["ready"]["begins"])  # he is the last
        two.leave()
        await one.until(lambda guest: not guest.table["ready"]["begins"])  # ready, but elsewhere
        await one.begin()
        assert (one.table["phase"], one.table["ready"]["waits"]) == ("over", [1])
        assert "the race waits for" in (await one.do("begin", at=one.table["changed"]))["problem"]
        back = await Guest.at(house.server, laid.table, marcus)
        assert back.table["ready"]["begins"]
        await one.until(lambda guest: guest.table["ready"]["begins"])
        await one.begin()
        back.leave()
        assert one.table["game"] == 1
        await asyncio.gather(one.race(), drive(house, laid.table, marcus))
        assert not one.table["ready"]["begins"]
        await one.begin()
        assert one.table["ready"]["without_from"] == house.time.now + 60
        assert "the race waits for" in (await one.do("begin", at=one.table["changed"]))["problem"]

    house.run(play())
    house.restart()

    async def go_on() -> None:
        one = await Guest.at(house.server, laid.table, livia)
        assert one.table["ready"] == {
            "ready": [0],
            "waits": [1],
            "you": True,
            "begins": False,
            "without_from": house.time.now + 60,
        }
        await house.time.pass_by(60)
        assert (await one.do("begin", id="without-him", at=one.table["changed"]))["is"] == "done"
        assert (one.table["phase"], one.table["game"], one.table["ready"]) == ("racing", 2, None)

    house.run(go_on())


async def drive(house: Harness, table: str, key: str) -> None:
    """Come, drive to the end of the race, and go."""
    guest = await Guest.at(house.server, table, key)
    await guest.race()
    guest.leave()


def test_decks_chosen_before_they_are_asked_for_are_kept_through_a_crash_and_played_in_turn(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = house.lay("here", "friend", key=livia, edition="ausgebremst", options={"riderless": "none"}, away=None)
    keys = [livia, marcus]

    async def choose_ahead() -> None:
        await house.server.sit(laid.table, msg.Sit(token=token_of(laid.invitation)), [marcus])
        guests = [await Guest.at(house.server, laid.table, key) for key in keys]
        await guests[0].begin()
        for guest in guests:
            await guest.until(lambda guest: guest.table["question"])
        assert [guest.table["question"]["asks"] for guest in guests] == ["deck", "deck"]
        later = next(guest for guest in guests if guest.table["question"]["ahead"])
        assert (await later.move())["is"] == "done"
        await later.until(lambda guest: guest.table["question"] is None)
        assert [seat["chosen"] for seat in later.table["seats"]].count(True) == 1

    house.run(choose_ahead())
    house.restart()

    async def go_on() -> None:
        guests = [await Guest.at(house.server, laid.table, key) for key in keys]
        first = next(guest for guest in guests if guest.table["question"])
        assert not first.table["question"]["ahead"]
        assert (await first.move())["is"] == "done"
        assert first.table["race"]["asks"] == "sort"  # both decks are there
        await asyncio.gather(*(guest.race() for guest in guests))
        assert first.table["phase"] == "over"

    house.run(go_on())


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


# ---------------------------------------------------------------------- slow and hasty people


def test_a_slow_reader_costs_little_and_gets_the_whole_table_afresh(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table

    async def play() -> None:
        slow, quick = await Guest.at(house.server, table), await Guest.at(house.server, table, livia)
        most = 0
        for number in range(3 * MOST_WAITING):
            await quick.do("say", text=f"{number}")
            most = max(most, len(slow.connection._waiting))
        assert 0 < most <= MOST_WAITING
        assert (await slow.hear())["is"] == "whole"
        await slow.until(lambda guest: guest.table["number"] == quick.table["number"])
        words = [line["words"] for line in slow.story if line["kind"] == "said"]
        assert words == [f"{number}" for number in range(3 * MOST_WAITING)]  # nothing was missed, nothing is told twice

    house.run(play())


def test_ten_thousand_commands_at_once_leave_the_table_as_it_was(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        other = await Guest.at(house.server, table)
        number = guest.table["number"]
        for i in range(10_000):
            await guest.connection.command(msg.Pause(id=f"{i}"))
        assert len(guest.connection._answers) <= MOST_ANSWERS + 1
        await guest.until(lambda guest: "None" in guest.answers)
        assert guest.answers.pop("None")["is"] == "bye"  # who does not read is shown out, and comes again
        assert {answer["problem"] for answer in guest.answers.values()} == {"there is no race to pause"}
        assert house.running(table).state.number == number
        guest.leave()
        again = await Guest.at(house.server, table, livia)
        assert (await again.do("say", text="Ave!"))["number"] == number + 1
        await other.until(lambda guest: guest.table["number"] == number + 1)

    house.run(play())


def test_a_table_has_room_for_so_many_and_a_person_for_so_many_windows(house: Harness) -> None:
    owner = person()
    table = house.lay("scorpus", "festina", key=owner).table

    async def play() -> None:
        guest = person()
        mine = [await house.server.connect(table, [guest]) for _ in range(CONNECTIONS_A_PERSON)]
        error = await refused(house.server.connect(table, [guest]))
        assert (error.status, error.problem) == (429, "you have this table open too often")
        mine += [await house.server.connect(table, []) for _ in range(STRANGERS_A_TABLE - CONNECTIONS_A_PERSON)]
        assert (await refused(house.server.connect(table, []))).status == 429
        theirs = await Guest.at(house.server, table, owner)  # the host finds a place whatever the crowd
        assert theirs.table["host"]
        theirs.leave()
        mine.pop().close()
        assert (await Guest.at(house.server, table)).table["watchers"] == STRANGERS_A_TABLE

    house.run(play())


# ---------------------------------------------------------------------- links and seats


def token_of(link: str | None) -> str:
    assert link is not None
    return link.partition("#")[2]


def test_links_open_what_they_say_and_no_more(house: Harness) -> None:
    livia, marcus, phone, nero = person(), person(), person(), person()
    laid = house.lay("here", "friend", "friend", "scorpus", key=livia)
    table, invitation = laid.table, token_of(laid.invitation)

    async def play() -> None:
        server = house.server
        assert (await refused(server.sit(table, msg.Sit(), [marcus]))).status == 403  # not an open table
        assert (await refused(server.sit(table, msg.Sit(token=new_key("s")), [marcus]))).status == 403
        assert (await refused(server.sit("nowhere", msg.Sit(), [marcus]))).status == 404
        assert (await server.sit(table, msg.Sit(token=invitation, seat=2), [marcus])).seat == 2
        assert (await server.sit(table, msg.Sit(token=invitation), [marcus])).seat == 2  # he sits already
        assert (await refused(server.sit(table, msg.Sit(token=invitation, seat=0), [nero]))).problem == (
            "that seat is taken"
        )
        for want in (None, 0, 1):
            assert (await refused(server.link(table, msg.WantLink(seat=want), [marcus]))).status == 403
        assert (await refused(server.link(table, msg.WantLink(seat=3), [livia]))).status == 409  # a driver sits there
        assert (await refused(server.link(table, msg.WantLink(seat=5), [livia]))).status == 404
        second = token_of((await server.link(table, msg.WantLink(seat=2), [marcus])).link)
        assert (await server.sit(table, msg.Sit(token=second), [phone])).seat == 2
        assert (await server.who(table, [phone])).seats == {2}
        assert not (await server.who(table, [phone])).host
        own = token_of((await server.link(table, msg.WantLink(seat=0), [livia])).link)
        tablet = person()
        assert (await server.sit(table, msg.Sit(token=own), [tablet])).seat == 0
        assert (await server.who(table, [tablet])).host  # the host's own link brings everything that is hers
        other = token_of((await server.link(table, msg.WantLink(), [livia])).link)
        program = new_key("s")
        seated = await server.sit(table, msg.Sit(token=other, name="Robot"), [program])
        assert (seated.seat, seated.token) == (1, program)
        assert (await refused(server.sit(table, msg.Sit(token=other), [nero]))).problem == "all seats are taken"
        assert (await server.who(table, [])).seats == frozenset()

    house.run(play())


def test_a_link_to_a_free_seat_is_void_when_somebody_else_sits_there(house: Harness) -> None:
    livia, marcus, nero = person(), person(), person()
    laid = house.lay("here", "friend", key=livia)

    async def play() -> None:
        server, table = house.server, laid.table
        promised = token_of((await server.link(table, msg.WantLink(seat=1), [livia])).link)
        await server.sit(table, msg.Sit(token=token_of(laid.invitation)), [marcus])
        assert (await refused(server.sit(table, msg.Sit(token=promised), [nero]))).status == 403
        assert (await server.who(table, [nero])).seats == frozenset()
        guest = await Guest.at(server, table, livia)
        await guest.do("vacate", seat=1)
        promised = token_of((await server.link(table, msg.WantLink(seat=1), [livia])).link)
        await server.sit(table, msg.Sit(token=promised, name="Nero", colour="black"), [nero])
        await guest.until(lambda guest: guest.table["seats"][1]["name"] == "Nero")
        assert (await refused(server.sit(table, msg.Sit(token=promised), [person()]))).status == 403  # it opens once
        again = token_of((await server.link(table, msg.WantLink(), [livia])).link)
        assert (await refused(server.sit(table, msg.Sit(token=again), [marcus]))).problem == "all seats are taken"

    house.run(play())


def test_who_loses_his_seat_loses_it_on_all_devices_at_once(house: Harness) -> None:
    livia, marcus, phone = person(), person(), person()
    laid = house.lay("here", "friend", key=livia, away=None)

    async def play() -> None:
        server, table = house.server, laid.table
        await server.sit(table, msg.Sit(token=token_of(laid.invitation)), [marcus])
        link = token_of((await server.link(table, msg.WantLink(seat=1), [marcus])).link)
        await server.sit(table, msg.Sit(token=link), [phone])
        one, two, three = [await Guest.at(server, table, key) for key in (livia, marcus, phone)]
        await one.begin()
        for guest in (two, three):
            await guest.until(lambda guest: guest.table["hands"])
        late = asyncio.create_task(server.connect(table, [marcus]))  # is on his way in meanwhile
        await one.do("vacate", seat=1)
        for connection in (two.connection, three.connection, await late):
            assert connection.who.seats == frozenset()
        for guest in (two, three):
            await guest.until(lambda guest: guest.table["yours"] == [])
            assert (guest.table["eyes"], guest.table["hands"], guest.table["question"]) == (None, [], None)
            assert "not your seat" in (await guest.do("stand", seat=1))["problem"]
            assert "not your seat" in (await guest.do("hint", seat=1))["problem"]
            assert "may do that" in (await guest.do("say", text="But …"))["problem"]
        assert (await server.shown(table, [marcus])).table.hands == []
        assert (await refused(server.sit(table, msg.Sit(token=link), [phone]))).status == 403  # a dead link
        assert (await refused(server.link(table, msg.WantLink(seat=1), [marcus]))).status == 403
        invitation = token_of(laid.invitation)
        assert (await refused(server.sit(table, msg.Sit(token=invitation), [marcus]))).status == 403  # it is void, too

    house.run(play())


def test_a_command_that_waited_while_its_seat_was_lost_is_refused(house: Harness) -> None:
    livia, marcus = person(), person()
    table = house.lay("here", "friend", key=livia, open=True).table

    async def play() -> None:
        await house.server.sit(table, msg.Sit(), [marcus])
        one, two = await Guest.at(house.server, table, livia), await Guest.at(house.server, table, marcus)
        lost, late, by_http = await asyncio.gather(
            one.do("vacate", seat=1),
            two.do("dress", seat=1, name="Nero", colour="black"),
            asyncio.gather(
                house.server.command(table, msg.Dress(id="x", seat=1, name="Otho", colour="black"), [marcus]),
                return_exceptions=True,
            ),
        )
        assert lost["is"] == "done"
        assert late["is"] == "refused"
        assert isinstance(by_http[0], RefusedError)

    house.run(play())


# ---------------------------------------------------------------------- one screen for several


def test_several_people_at_one_screen_see_one_hand_at_a_time(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "here", "scorpus", key=livia).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        assert guest.table["yours"] == [0, 1]
        assert "not that seat's turn" in (await guest.do("lift", seat=0))["problem"]
        await guest.begin()
        lifted = 0
        while lifted < 8:
            await guest.until(lambda guest: guest.wanted)
            seat = guest.table["curtain"]
            assert (guest.table["eyes"], guest.table["hands"], guest.table["question"]) == (None, [], None)
            for do in ("hint", "why"):
                more = {"move": {"kind": "withdraw"}} if do == "why" else {}
                assert "curtain" in (await guest.do(do, seat=seat, **more))["problem"]
            assert "not that seat's turn" in (await guest.do("lift", seat=1 - seat))["problem"]
            assert "no curtain" in (await guest.do("lift", seat=2))["problem"]
            assert (await guest.do("lift", seat=seat))["is"] == "done"
            await guest.until(lambda guest: guest.table["question"])
            assert (guest.table["eyes"], guest.table["curtain"]) == (seat, None)
            if lifted == 3:
                await guest.do("lift", seat=None)
                await guest.until(lambda guest: not guest.table["question"])
                assert guest.table["curtain"] == seat
            heard = len(guest.heard)
            assert (await guest.move())["is"] == "done"
            after = [msgspec.json.decode(raw) for raw in guest.heard[heard:]]
            news = [one["table"] for one in after if one["is"] == "news"][-1]
            assert (news["eyes"], news["hands"]) == (None, [])  # the curtain falls with the move
            assert guest.connection.lifted is None
            lifted += 1
        single = await Guest.at(house.server, table)
        assert "no curtain" in (await single.do("lift", seat=0))["problem"]

    house.run(play())


def test_a_lifted_curtain_does_not_outlive_the_seat(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "here", "here", key=livia, away=None, pace=5000).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        await guest.until(lambda guest: guest.wanted)
        seat = guest.table["curtain"]
        await guest.do("lift", seat=seat)
        await guest.until(lambda guest: guest.table["question"])
        await guest.do("stand", seat=seat)
        await guest.until(lambda guest: seat not in guest.table["yours"])
        assert (guest.table["eyes"], guest.table["hands"], guest.table["question"]) == (None, [], None)

    house.run(play())


# ---------------------------------------------------------------------- questions


def test_hints_are_for_the_seat_on_turn_and_only_where_the_table_allows_them(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table
    proud = house.lay("here", "scorpus", key=livia, hints=False).table

    async def play() -> None:
        guest, watcher = await Guest.at(house.server, table, livia), await Guest.at(house.server, table)
        assert "not your turn" in (await guest.do("hint", seat=0))["problem"]
        await guest.begin()
        await guest.until(lambda guest: guest.wanted)
        assert "not your seat" in (await guest.do("hint", seat=1))["problem"]
        assert "not your seat" in (await watcher.do("hint", seat=0))["problem"]
        first, second = await asyncio.gather(guest.do("hint", seat=0), guest.do("hint", seat=0))
        assert {first["is"], second["is"]} == {"hint", "refused"}  # one at a time
        hint = first if first["is"] == "hint" else second
        legal = [offer["move"] for offer in guest.table["question"]["offers"]]
        assert hint["changed"] == guest.table["changed"]
        assert 1 <= len(hint["moves"]) <= 3
        assert all(one["move"] in legal for one in hint["moves"])
        by_http = await house.server.command(table, msg.AskHint(id="a", seat=0), [livia])
        assert isinstance(by_http, msg.Hint)
        guest = await Guest.at(house.server, proud, livia)
        await guest.begin()
        await guest.until(lambda guest: guest.wanted)
        assert "without hints" in (await guest.do("hint", seat=0))["problem"]

    house.run(play())


def test_why_a_move_is_not_allowed_is_told_to_who_is_on_turn(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        await guest.until(lambda guest: guest.wanted)
        legal = guest.table["question"]["offers"][0]["move"]
        assert (await guest.do("why", seat=0, move=legal))["words"] is None
        answer = await guest.do("why", seat=0, move={"kind": "play", "card": 6, "to": "home"})
        assert answer["words"]
        assert answer["clause"]
        assert (await guest.do("why", seat=0, move={"kind": "vote", "card": 3}))["is"] == "refused"
        reason = await house.server.command(table, msg.Why(id="a", seat=0, move=Withdraw()), [livia])
        assert isinstance(reason, msg.Reason)
        assert reason.clause

    house.run(play())


# ---------------------------------------------------------------------- the lobby, sleep


def test_the_lobby_lists_open_tables_and_ones_own(house: Harness) -> None:
    livia, marcus = person(), person()
    shut = house.lay("here", "scorpus", key=livia, title="Behind doors").table
    wide = house.lay("here", "friend", "scorpus", key=livia, title="Come in", open=True, options=SHORT).table

    async def play() -> None:
        lobby = await house.server.lobby([])
        assert [(one.table, one.free, one.yours, one.host) for one in lobby.open] == [(wide, 1, [], False)]
        assert lobby.mine == []
        mine = (await house.server.lobby([livia])).mine
        assert {(one.table, one.title) for one in mine} == {(shut, "Behind doors"), (wide, "Come in")}
        await house.server.sit(wide, msg.Sit(name="Marcus"), [marcus])
        guest = await Guest.at(house.server, wide, livia)
        await guest.begin()
        while on_turn(guest) != 1:
            await guest.move()
        listed = (await house.server.lobby([marcus])).mine
        assert listed[0].your_turn
        assert (listed[0].phase, listed[0].free, listed[0].yours) == ("racing", 0, [1])
        assert [one.name for one in listed[0].seats][1] == "Marcus"
        await guest.do("appoint", seat=1, driver="festina")
        await guest.race()
        assert (await house.server.lobby([])).open == []  # what is over is not listed any more
        assert [one.table for one in (await house.server.lobby([marcus])).mine] == []

    house.run(play())


def test_the_lobby_knows_how_a_table_stands_with_the_very_event_that_changes_it(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia, marcus = person(), person()
    table = house.lay("here", "friend", "scorpus", key=livia, options=SHORT, open=True).table
    append, go_on_with = Store.append, RunningTable._go_on_with
    wrote, listings = list[int](), list[tuple[Listing, Listing]]()

    async def appending(store: Store, name: str, entries: Sequence[Entry], *rest: Any, **more: Any) -> None:
        await append(store, name, entries, *rest, **more)
        wrote.append(len(entries))

    def looking(running: RunningTable, state: TableState, happened: Sequence[e.AnyEvent]) -> None:
        with closing(sqlite3.connect(house.url.removeprefix("sqlite:///"))) as database:
            listed, goes_on, summary = database.execute("SELECT listed, live, summary FROM tables").fetchone()
        go_on_with(running, state, happened)
        listings.append((Listing(bool(listed), bool(goes_on), summary), listing_of(running.state)))

    async def play() -> None:
        await house.server.sit(table, msg.Sit(name="Marcus"), [marcus])
        guest, other = await Guest.at(house.server, table, livia), await Guest.at(house.server, table, marcus)
        await other.do("say", text="Ave!")
        await guest.begin()
        await guest.do("pause")
        await guest.do("resume")
        while guest.table["phase"] != "over":
            await asyncio.gather(guest.move(), other.move())
        await other.do("stand", seat=1)
        await house.server.shut(table)

    before = house.running(table).state.number
    monkeypatch.setattr(Store, "append", appending)
    monkeypatch.setattr(RunningTable, "_go_on_with", looking)
    house.run(play())
    assert all(wrote)  # and nothing is written a second time
    assert sum(wrote) == house.running(table).state.number - before
    assert len(listings) == len(wrote)
    assert [written for written, _ in listings] == [standing for _, standing in listings]
    assert {(written.listed, written.live) for written, _ in listings} == {(True, False), (True, True), (False, False)}


def test_a_move_is_judged_and_made_once_and_told_once_in_each_language(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia = person()
    table = house.lay("here", "here", key=livia).table
    calls: Counter[str] = Counter()

    def counted(owner: Any, name: str) -> None:
        real = getattr(owner, name)

        def counting(*arguments: Any, **named: Any) -> Any:
            calls[name] += 1
            return real(*arguments, **named)

        monkeypatch.setattr(owner, name, counting)

    async def move(number: int) -> None:
        state = house.running(table).state
        legal = state.game_table.race.legal_moves[0]
        calls.clear()
        command = msg.MakeMove(id=f"m{number}", seat=state.on_turn or 0, at=state.changed, move=legal)
        await house.server.command(table, command, [livia])
        await settle()

    async def play() -> None:
        state = house.running(table).state
        await house.server.command(table, msg.Begin(id="b", at=state.changed), [livia])
        counted(Race, "play")
        counted(Race, "why_not")
        counted(Race, "copy")
        counted(narration, "tell")
        await move(1)
        assert calls == {"play": 1, "copy": 1}
        for language in ("en", "it", "it"):
            with speaking(language):
                (await Guest.at(house.server, table)).connection.language = language
        await move(2)
        assert calls == {"play": 1, "copy": 1, "tell": 2}

    house.run(play())


def test_what_an_older_release_did_not_tell_the_lobby_any_more_is_put_right(house: Harness) -> None:
    livia = person()
    table = house.lay("scorpus", "festina", key=livia, options=SHORT, open=True).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        row = await house.server.store.row(table)
        await guest.until(lambda guest: guest.table["phase"] == "over")
        assert row is not None
        await house.server.store.append(table, [], row.listing)
        assert [one.phase for one in (await house.server.lobby([])).open] == ["racing"]

    house.run(play())
    house.restart()

    async def look() -> None:
        assert (await house.server.lobby([])).open == []
        assert await house.stores[-1].live() == []
        assert [one.phase for one in (await house.server.lobby([livia])).mine] == ["over"]

    house.run(look())


def test_tables_at_which_nothing_happens_sleep_and_wake_again(house: Harness) -> None:
    livia = person()
    gathering = house.lay("here", "friend", key=livia, open=True).table
    waiting = house.lay("here", "scorpus", key=livia).table
    timed = house.lay("here", "scorpus", key=livia, clock=86_400).table
    watched = house.lay("here", "scorpus", key=livia).table

    async def play() -> None:
        seen = {}
        for table in (waiting, timed):
            guest = await Guest.at(house.server, table, livia)
            await guest.begin()
            await guest.until(lambda guest: guest.wanted)
            seen[table] = guest.table
            guest.leave()
        watcher = await Guest.at(house.server, watched)
        await asyncio.sleep(0)
        await house.time.pass_by(NAP)
        while {gathering, waiting} & set(house.server.waking.awake):
            await asyncio.sleep(0)
        assert set(house.server.waking.awake) == {timed, watched}
        assert (await watcher.do("pause"))["is"] == "refused"
        again = await Guest.at(house.server, waiting, livia)
        assert again.table["question"] == seen[waiting]["question"]
        assert (await again.move())["is"] == "done"
        assert (await house.server.sit(gathering, msg.Sit(), [person()])).seat == 1
        assert len(house.server.waking.awake) == 4
        assert (await refused(house.server.shown("nowhere", [livia]))).status == 404

    house.run(play())


def test_who_comes_while_a_table_falls_asleep_finds_it_awake(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table
    store, asked, answer = house.stores[0], asyncio.Event(), asyncio.Event()
    rights = store.rights

    async def slowly(*args: Any) -> Any:
        asked.set()
        await answer.wait()
        return await rights(*args)

    async def play() -> None:
        monkeypatch.setattr(store, "rights", slowly)
        coming = asyncio.create_task(Guest.at(house.server, table, livia))
        await asked.wait()  # on his way in, but not there yet
        await house.server.waking.nap()
        answer.set()
        first, second = await coming, await Guest.at(house.server, table, livia)
        assert first.connection.running is second.connection.running is house.running(table)
        number = (await first.do("say", text="Ave!"))["number"]
        await second.until(lambda guest: guest.table["number"] == number)

    house.run(play())


def test_racing_tables_are_woken_after_a_restart_and_others_are_not(house: Harness) -> None:
    livia = person()
    racing = house.lay("scorpus", "festina", "bibulus", key=livia, pace=5000).table
    quiet = house.lay("here", "scorpus", key=livia).table

    async def begin() -> None:
        guest = await Guest.at(house.server, racing, livia)
        await guest.begin()

    house.run(begin())
    house.restart()
    assert set(house.server.waking.awake) == {racing}

    async def go_on() -> None:
        guest = await Guest.at(house.server, racing)
        while not by_whom(guest):
            await house.time.pass_by(5)
            await asyncio.sleep(0.001)
            guest = await Guest.at(house.server, racing)
            guest.leave()
        assert (await house.server.shown(quiet, [livia])).table.phase == "gathering"

    house.run(go_on())


def test_a_table_whose_log_cannot_be_folded_does_not_stop_the_server(
    house: Harness, caplog: pytest.LogCaptureFixture
) -> None:
    table = house.lay("scorpus", "festina", key=person()).table
    good = house.lay("scorpus", "festina", key=person()).table

    async def spoil() -> None:
        store = house.stores[0]
        entry = (await store.log(table))[-1]
        await store.append(table, [entry._replace(number=2, body=b"?")], Listing(False, True, b"{}"))

    house.run(spoil())
    caplog.set_level(logging.CRITICAL, "avecaesar.server")
    house.restart()
    assert house.run(house.server.shown(good, [])).table.table == good


def test_closing_says_goodbye_and_leaves_no_task_behind(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia, title="Kept").table

    async def play() -> None:
        before = asyncio.all_tasks()
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        await guest.until(lambda guest: guest.wanted)
        hint = asyncio.create_task(guest.do("hint", seat=0))
        await asyncio.sleep(0)
        await house.server.close()
        hint.cancel()
        await guest.until(lambda guest: "None" in guest.answers)
        assert guest.answers["None"]["is"] == "bye"
        guest.leave()
        await settle()
        assert asyncio.all_tasks() <= before

    house.run(play())
    house.servers.clear()
    (row, _), *_ = house.run(house.stores[0].tables_of([hashed(livia)]))
    assert msgspec.json.decode(row.summary)["phase"] == "racing"
