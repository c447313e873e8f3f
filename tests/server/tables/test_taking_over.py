"""Who takes over a seat that is freed in mid-race, and who must agree."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from avecaesar.server.store.shapes import Grant, Listing, Revoke
from avecaesar.server.tables.house import hashed, new_key
from avecaesar.server.wire import messages as msg
from circus import Circus
from harness import SHORT, Guest, Harness, person, refused
from seat_numbers import FIRST, FOURTH, SECOND, THIRD

TWO_RACES: dict[str, Any] = {"tournament": True, "options": {**SHORT, "races": "2", "schedule": "one_course"}}


def test_a_seat_freed_in_mid_race_is_taken_over_only_if_all_who_sit_there_agree(house: Harness) -> None:
    circus = Circus(house, pace=5000)

    async def play() -> None:
        one, two, three = await circus.gather()
        await one.begin()
        await two.until(lambda guest: guest.table["hands"])
        invitation = await circus.link(None, circus.livia)
        await one.do("vacate", seat=1)
        fresh = await circus.link(None, circus.livia)
        assert (await refused(circus.sit(invitation, circus.cleo))).status == 403
        assert "a stand-in drives this chariot" in (await refused(circus.sit(fresh, circus.cleo))).problem
        assert (
            "a stand-in drives"
            in (await refused(circus.sit(await circus.link(SECOND, circus.livia), circus.cleo))).problem
        )
        assert (await refused(circus.take_over(circus.cleo))).status == 403  # without an invitation
        assert (await refused(circus.take_over(circus.marcus))).status == 403  # who was put out is not back by himself
        assert (await refused(circus.take_over(circus.cleo, new_key("i")))).status == 403
        assert "you have a seat" in (await refused(circus.take_over(circus.titus, fresh))).problem
        cleo = await circus.guest(circus.cleo)
        await circus.take_over(circus.cleo, fresh)
        await cleo.until(lambda guest: guest.table["wished"] == 1)
        assert "already" in (await refused(circus.take_over(person(), fresh))).problem
        assert "may do that" in (await circus.answer(two, "agree"))["problem"]  # he no longer sits there
        assert "nobody asks" in (await one.do("agree", seat=1, wish=1))["problem"]  # somebody who asked before
        assert (await circus.answer(one, "agree"))["is"] == "done"
        assert "already" in (await circus.answer(one, "agree"))["problem"]
        await three.until(lambda guest: (guest.table["seats"][1]["wish"] or {}).get("agreed") == [0])
        assert (three.table["seats"][1]["wish"]["waits"], cleo.table["hands"]) == ([2], [])
        assert (await circus.answer(three, "agree"))["is"] == "done"
        await cleo.until(lambda guest: guest.table["yours"] == [1] and guest.table["hands"])
        assert (cleo.table["wished"], cleo.table["seats"][1]["devices"]) == (None, 1)
        await two.until(lambda guest: guest.table["yours"] == [] and guest.table["hands"] == [])

    house.run(play())


def test_one_no_is_enough_and_after_the_race_anybody_may_sit_there(house: Harness) -> None:
    circus = Circus(house, pace=5000, open=True, options=SHORT)

    async def play() -> None:
        one, two, three = await circus.gather()
        await one.begin()
        await two.do("stand", seat=1)
        await circus.take_over(circus.cleo, name=None)
        await one.until(lambda guest: guest.table["seats"][1]["wish"])
        wish = one.table["seats"][1]["wish"]["number"]
        assert (await circus.answer(three, "decline"))["is"] == "done"
        assert "nobody asks" in (await one.do("agree", seat=1, wish=wish))["problem"]
        assert await circus.seats_of(circus.cleo) == frozenset()
        assert "a stand-in" in (await refused(circus.server.sit(circus.table, msg.Sit(), [circus.cleo]))).problem
        await circus.race(one, three)
        assert (await circus.server.sit(circus.table, msg.Sit(), [circus.cleo])).seat == 1

    house.run(play())


@pytest.mark.parametrize("games", [TWO_RACES, {"options": SHORT}], ids=["tournament", "rematch"])
def test_a_seat_that_was_free_when_a_race_began_is_its_stand_ins_too(house: Harness, games: dict[str, Any]) -> None:
    """Or whoever races on another seat sits down there as well, and sees a second hand."""
    circus = Circus(house, pace=5000, open=True, **games)

    async def play() -> None:
        one, two, three = await circus.gather()
        await one.begin()
        await circus.race(one, two, three)
        await two.do("stand", seat=1)
        await one.until(lambda guest: not guest.table["seats"][1]["taken"])
        await one.begin()
        await three.until(lambda guest: guest.table["ready"]["ready"] == [0])
        await three.begin()
        assert (three.table["phase"], three.table["seats"][1]["freed"]) == ("racing", True)
        for peeper in (circus.titus, circus.livia, circus.marcus, circus.cleo):
            sitting = circus.server.sit(circus.table, msg.Sit(seat=SECOND), [peeper])
            assert "a stand-in drives this chariot" in (await refused(sitting)).problem
            assert 1 not in await circus.seats_of(peeper)
        await circus.take_over(circus.cleo)
        for guest in (one, three):
            assert (await circus.answer(guest, "agree"))["is"] == "done"
        assert await circus.seats_of(circus.cleo) == {1}

    house.run(play())


def test_the_story_says_who_really_sits_down(house: Harness) -> None:
    """A chariot keeps its name to the end, and whoever takes it over need not be called so."""
    circus = Circus(house, pace=5000, open=True, options=SHORT)

    async def play() -> None:
        one, two, three = await circus.gather()
        _, marcus, titus = (chair.name for chair in house.running(circus.table).state.chairs)
        assert circus.said()[-1] == f"{titus} takes a seat."
        await one.begin()
        await two.do("stand", seat=1)
        await circus.take_over(circus.marcus)
        assert circus.said()[-1] == f"{marcus}'s chariot has its driver back."
        await two.do("stand", seat=1)
        await circus.take_over(circus.cleo, name="Cleo")
        for guest in (one, three):
            await circus.answer(guest, "agree")
        assert circus.said()[-1] == f"Cleo takes over {marcus}'s chariot."
        cleo = await circus.guest(circus.cleo)
        await circus.race(one, cleo, three)
        await cleo.do("stand", seat=1)
        await circus.server.sit(circus.table, msg.Sit(seat=SECOND), [circus.titus])
        assert circus.said()[-1] == f"{titus} now has {marcus}'s seat too."

    house.run(play())


def test_whoever_left_his_seat_may_come_back_to_it(house: Harness) -> None:
    circus = Circus(house, pace=5000)

    async def play() -> None:
        one, two, _ = await circus.gather()
        await one.begin()
        await two.do("stand", seat=1)
        assert "a stand-in drives" in (await refused(circus.sit(circus.invitation, circus.cleo))).problem
        assert await circus.sit(circus.invitation, circus.marcus) == 1
        await two.until(lambda guest: guest.table["hands"])
        await two.do("stand", seat=1)
        await circus.take_over(circus.marcus)  # and the others are not asked
        await two.until(lambda guest: guest.table["hands"])

    house.run(play())


def test_whoever_takes_one_seat_back_has_given_up_the_others_that_he_left(house: Harness) -> None:
    """Or he would wait and see which hand is the better one."""
    circus = Circus(house, pace=5000)

    async def play() -> None:
        one, two, _ = await circus.gather()
        await two.do("stand", seat=1)
        await circus.server.sit(circus.table, msg.Sit(seat=SECOND), [circus.livia])
        await one.until(lambda guest: guest.table["yours"] == [0, 1])
        await one.begin()
        for seat in (0, 1):
            await one.do("stand", seat=seat)
        assert (await circus.server.who(circus.table, [circus.livia])).left == {0, 1}
        await circus.server.take_over(circus.table, msg.TakeOver(seat=FIRST), [circus.livia])
        back = await circus.server.who(circus.table, [circus.livia])
        assert (sorted(back.seats), sorted(back.left)) == ([0], [])
        sitting = circus.server.sit(circus.table, msg.Sit(seat=SECOND), [circus.livia])
        assert "a stand-in drives" in (await refused(sitting)).problem

    house.run(play())


def test_whoever_takes_over_by_consent_has_given_up_the_seat_that_he_left(house: Harness) -> None:
    livia, marcus, titus, cleo = (person() for _ in range(4))
    table = house.lay("here", "friend", "friend", "friend", key=livia, pace=5000, away=None, open=True).table

    async def play() -> None:
        server = house.server
        for key in (marcus, titus, cleo):
            await server.sit(table, msg.Sit(), [key])
        one, two, three, _ = [await Guest.at(server, table, key) for key in (livia, marcus, titus, cleo)]
        await one.begin()
        await two.do("stand", seat=1)
        await one.do("vacate", seat=3)
        await server.take_over(table, msg.TakeOver(seat=FOURTH), [marcus])
        for guest in (one, three):
            await guest.until(lambda guest: guest.table["seats"][3]["wish"])
            wish = guest.table["seats"][3]["wish"]["number"]
            assert (await guest.do("agree", seat=3, wish=wish))["is"] == "done"
        there = await server.who(table, [marcus])
        assert (sorted(there.seats), sorted(there.left)) == ([3], [])

    house.run(play())


def test_whoever_has_a_seat_asks_for_no_other_any_more(house: Harness) -> None:
    """Or all agree to somebody who has given his wish up: nobody would sit there, and nobody could any more."""
    livia, marcus, titus, cleo = (person() for _ in range(4))
    table = house.lay("here", "friend", "friend", "friend", key=livia, pace=5000, away=None, open=True).table

    async def play() -> None:
        server = house.server
        for key in (marcus, titus, cleo):
            await server.sit(table, msg.Sit(), [key])
        one, two, _, four = [await Guest.at(server, table, key) for key in (livia, marcus, titus, cleo)]
        await one.begin()
        await one.do("vacate", seat=2)
        await four.do("stand", seat=3)
        await server.take_over(table, msg.TakeOver(seat=THIRD), [cleo])
        await server.take_over(table, msg.TakeOver(seat=FOURTH), [cleo])  # her own, which she has back at once
        state = house.running(table).state
        assert state.admission.wishes == {}
        assert state.persons == {0, 1, 3}
        assert "Nobody asks for" in [line.words for line in state.lines][-2]
        nero = person()
        await server.take_over(table, msg.TakeOver(seat=THIRD), [nero])
        link = (await server.link(table, msg.WantLink(seat=SECOND), [marcus])).link.partition("#")[2]
        await server.sit(table, msg.Sit(token=link), [nero])
        assert state.admission.wishes == {}
        await two.until(lambda guest: guest.table["seats"][1]["devices"] == 2)

    house.run(play())


def test_nobody_agrees_to_a_wish_that_is_nobodys(house: Harness) -> None:
    circus = Circus(house, pace=5000, open=True)

    async def play() -> None:
        one, two, three = await circus.gather()
        await one.begin()
        await one.do("vacate", seat=1)
        await circus.take_over(circus.cleo)
        running = house.running(circus.table)
        running.rights.hand_over([Revoke("wish")], ())  # it is lost in whichever way
        for guest in (one, three):
            assert "nobody asks" in (await circus.answer(guest, "agree"))["problem"]
        await circus.take_over(person(), name="Nero")  # somebody else may ask instead
        for guest in (one, three):
            await guest.until(lambda guest: (guest.table["seats"][1]["wish"] or {}).get("name") == "Nero")
            assert (await circus.answer(guest, "agree"))["is"] == "done"
        await two.until(lambda guest: guest.table["seats"][1]["devices"] == 1)

    house.run(play())


def test_whoever_answers_too_late_has_not_agreed_to_somebody_else(house: Harness) -> None:
    circus = Circus(house, pace=5000, open=True)

    async def play() -> None:
        one, _, three = await circus.gather()
        nero = person()
        await one.begin()
        await one.do("vacate", seat=1)
        await circus.take_over(circus.cleo)
        assert (await circus.answer(one, "agree"))["is"] == "done"
        first = one.table["seats"][1]["wish"]["number"]
        assert (await circus.answer(three, "decline"))["is"] == "done"
        await circus.take_over(nero, name="Nero")
        await three.until(lambda guest: (guest.table["seats"][1]["wish"] or {}).get("name") == "Nero")
        assert three.table["seats"][1]["wish"]["agreed"] == []  # what she said to Cleo is forgotten
        assert "nobody asks" in (await one.do("agree", seat=1, wish=first))["problem"]
        assert "nobody asks" in (await one.do("decline", seat=1, wish=first))["problem"]
        assert (await circus.answer(three, "agree"))["is"] == "done"
        assert [await circus.seats_of(key) for key in (nero, circus.cleo)] == [frozenset(), frozenset()]

    house.run(play())


def test_a_wish_and_a_freed_seat_outlive_a_restart(house: Harness) -> None:
    circus = Circus(house, pace=5000)

    async def before() -> None:
        one, *_ = await circus.gather()
        await one.begin()
        await one.do("vacate", seat=1)
        await circus.take_over(circus.cleo, await circus.link(None, circus.livia))
        await circus.answer(one, "agree")

    async def after() -> None:
        circus.server = house.server
        three, cleo = await circus.guest(circus.titus), await circus.guest(circus.cleo)
        assert cleo.table["wished"] == 1
        assert (await circus.answer(three, "agree"))["is"] == "done"
        await cleo.until(lambda guest: guest.table["yours"] == [1])
        assert [seat["devices"] for seat in cleo.table["seats"]] == [1, 1, 1]

    house.run(before())
    house.restart()
    house.run(after())


def test_a_dead_link_is_not_revived_by_rights_that_are_tied_to_it(house: Harness) -> None:
    """Whoever stands up with it as a second key, or has it in a database of 0.6, gets nothing by it."""
    circus = Circus(house, pace=5000)

    async def play() -> None:
        one, *_ = await circus.gather()
        await one.begin()
        dead = await circus.link(FIRST, circus.livia)
        await one.do("shut_out", seat=0)
        stand = msg.Stand(id="stand", seat=SECOND)
        await circus.server.command(circus.table, stand, [circus.marcus, dead])
        assert (await refused(circus.server.take_over(circus.table, msg.TakeOver(seat=SECOND), [dead]))).status == 403
        assert await circus.server.recognised([dead]) == ()
        seated = [Grant(hashed(circus.invitation), SECOND, "drive")]  # 0.6 took an invitation for a person's key
        await circus.server.store.append(circus.table, [], Listing(False, False, b"{}"), grants=seated)
        await one.do("void_links")
        for token in (dead, circus.invitation):
            assert (await refused(circus.sit(token, circus.cleo))).status == 403
        assert not (await circus.server.who(circus.table, [circus.cleo])).host

    house.run(play())


def test_what_was_allowed_before_somebody_waited_is_looked_at_again(house: Harness) -> None:
    """A request that is under way while an invitation is voided does not get in by it."""
    circus = Circus(house)

    async def play() -> None:
        one, *_ = await circus.gather()
        running = house.running(circus.table)
        async with running.lock:
            voiding = asyncio.create_task(one.do("vacate", seat=1))
            while not running._tasks:
                await asyncio.sleep(0)
            sitting = asyncio.create_task(circus.sit(circus.invitation, circus.cleo))
            while len(running._tasks) < 2:
                await asyncio.sleep(0)
            for _ in range(20):  # whatever it looks at before it waits it has seen by then
                await circus.seats_of(person())
        assert (await voiding)["is"] == "done"
        assert (await refused(sitting)).status == 403
        assert await circus.seats_of(circus.cleo) == frozenset()

    house.run(play())


def test_whoever_is_shut_out_while_the_story_is_told_to_him_does_not_see_the_hand(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    circus = Circus(house)

    async def play() -> None:
        one, *_ = await circus.gather()
        await one.begin()
        phone, running = person(), house.running(circus.table)
        await circus.sit(await circus.link(FIRST, circus.livia), phone)
        assert (await circus.server.shown(circus.table, [phone])).table.hands
        tell = running.prepare_story

        async def shut_out_meanwhile() -> None:
            await tell()
            if running.rights.changes == changes:
                await one.do("shut_out", seat=0)

        changes = running.rights.changes
        monkeypatch.setattr(running, "prepare_story", shut_out_meanwhile)
        whole = await circus.server.shown(circus.table, [phone])
        assert not whole.table.yours
        assert not whole.table.hands

    house.run(play())


def test_where_nobody_sits_nobody_can_agree(house: Harness) -> None:
    """Or a host could put his only guest out, stand up himself, and look at both hands."""
    circus = Circus(house, pace=5000)

    async def play() -> None:
        one, *_ = await circus.gather()
        await one.begin()
        await one.do("vacate", seat=1)
        await one.do("vacate", seat=2)
        await one.do("stand", seat=0)
        assert "wait for the end" in (await refused(circus.take_over(circus.livia))).problem
        await circus.server.take_over(circus.table, msg.TakeOver(seat=FIRST), [circus.livia])
        assert await circus.seats_of(circus.livia) == {0}

    house.run(play())


@pytest.mark.parametrize("seats", [("here", "friend"), ("here", "friend", "here"), ("here", "friend", "scorpus")])
def test_a_host_does_not_let_himself_take_over_from_a_guest_whom_he_put_out(
    house: Harness, seats: tuple[str, ...]
) -> None:
    """He alone would have to agree, and the one who asks may be himself with another browser."""
    livia, marcus, second = person(), person(), person()
    laid = house.lay(*seats, key=livia, pace=5000, open=True)

    async def play() -> None:
        server, table, wish = house.server, laid.table, msg.TakeOver(seat=SECOND)
        await server.sit(table, msg.Sit(), [marcus])
        one = await Guest.at(server, table, livia)
        await one.begin()
        await one.do("vacate", seat=1)
        assert "two people" in (await refused(server.take_over(table, wish, [second]))).problem
        assert (await server.shown(table, [second])).table.hands == []

    house.run(play())


def test_whoever_is_left_alone_after_he_was_asked_does_not_agree_alone(house: Harness) -> None:
    circus = Circus(house, pace=5000, open=True)

    async def play() -> None:
        one, _, three = await circus.gather()
        await one.begin()
        phone = person()
        await circus.sit(await circus.link(FIRST, circus.livia), phone)
        await one.do("vacate", seat=1)
        await circus.take_over(circus.cleo)
        assert (await circus.answer(one, "agree"))["is"] == "done"
        await three.do("stand", seat=2)
        for guest in (one, await circus.guest(phone)):
            assert "two people" in (await circus.answer(guest, "agree"))["problem"]
        assert await circus.seats_of(circus.cleo) == frozenset()

    house.run(play())


def test_whoever_asks_has_a_name_that_can_be_read(house: Harness) -> None:
    circus = Circus(house, pace=5000, open=True)

    async def play() -> None:
        one, *_ = await circus.gather()
        await one.begin()
        await one.do("vacate", seat=1)
        before = circus.said()
        assert await refused(circus.take_over(circus.cleo, name="Li\u202evia"))
        assert circus.said() == before

    house.run(play())


@pytest.mark.parametrize("keeps_his_own", [True, False])
def test_whoever_only_drove_for_somebody_who_left_does_not_come_back_for_him(
    house: Harness, keeps_his_own: bool
) -> None:
    circus = Circus(house, pace=5000, open=True)

    async def play() -> None:
        one, two, _ = await circus.gather()
        await circus.sit(await circus.link(SECOND, circus.marcus), circus.titus)
        await one.begin()
        await two.do("stand", seat=1)
        held = [await circus.server.who(circus.table, [key]) for key in (circus.marcus, circus.titus)]
        assert [who.left for who in held] == [{1}, set()]
        if keeps_his_own:
            sitting = circus.server.sit(circus.table, msg.Sit(seat=SECOND), [circus.titus])
            assert "a stand-in drives" in (await refused(sitting)).problem
        else:
            await one.do("vacate", seat=2)
            asking = circus.take_over(circus.titus, name="Titus")  # like anybody else
            assert "at least two people" in (await refused(asking)).problem
        await circus.take_over(circus.marcus)  # his own
        assert await circus.seats_of(circus.marcus) == {SECOND}

    house.run(play())
