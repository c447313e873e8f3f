"""How long somebody has for a move, and from when on he is away."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from avecaesar.game import Move, View
from avecaesar.server.content.replay import film_of
from avecaesar.server.tables.driving import Driving
from avecaesar.server.wire import messages as msg
from harness import Asked, Guest, Harness, by_whom, person, settle, token_of
from seat_numbers import SECOND, THIRD


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
        other, third = (THIRD, SECOND) if running.state.on_turn == SECOND else (SECOND, THIRD)
        deadline = running.presence.deadline
        assert deadline is not None
        await house.time.pass_by(10)
        await guests[0].do("vacate", seat=other)
        assert running.presence.deadline == deadline
        guests[third].leave()
        assert running.presence._gone_from(third) == house.time.steady() + 60
        await house.time.pass_by(20)
        await guests[0].do("pause")
        await house.time.pass_by(500)
        await guests[0].do("resume")
        assert running.presence._gone_from(third) == house.time.steady() + 40
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
