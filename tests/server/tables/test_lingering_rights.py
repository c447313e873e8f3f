"""What somebody was once given ends when it should: a device of the host's, a wish for a chariot, a lesson's secret."""

from __future__ import annotations

import pytest

from avecaesar.server.content.replay import replay_of
from avecaesar.server.store.shapes import Grant
from avecaesar.server.tables.house import hashed
from avecaesar.server.wire import messages as msg
from avecaesar.table import SeatNumber
from harness import Guest, Harness, person, refused, token_of
from seat_numbers import FIRST, FOURTH, SECOND, THIRD


async def with_phone(house: Harness, table: str, livia: str) -> tuple[Guest, str]:
    """Livia at her own table, and a phone that has opened her link."""
    phone = person()
    link = (await house.server.link(table, msg.WantLink(seat=FIRST), [livia])).link.partition("#")[2]
    await house.server.sit(table, msg.Sit(token=link), [phone])
    assert (await house.server.who(table, [phone])).host
    return await Guest.at(house.server, table, livia), phone


@pytest.mark.parametrize("by", ["the phone stands up", "she stands up", "a driver is appointed"])
def test_a_device_that_the_host_let_in_is_host_no_longer_than_it_drives(house: Harness, by: str) -> None:
    livia = person()
    table = house.lay("here", "friend", key=livia).table

    async def play() -> None:
        host, phone = await with_phone(house, table, livia)
        if by == "the phone stands up":
            await (await Guest.at(house.server, table, phone)).do("stand", seat=0)
        elif by == "she stands up":
            await host.do("stand", seat=0)
        else:
            await host.do("appoint", seat=0, driver="scorpus")
        assert not (await house.server.who(table, [phone])).host
        assert (await house.server.who(table, [livia])).host

    house.run(play())


def test_a_host_who_shuts_others_out_is_the_only_host(house: Harness) -> None:
    """Also where an earlier release has left a device that is host and drives no seat."""
    livia, phone = person(), person()
    table = house.lay("here", "friend", key=livia).table

    async def play() -> None:
        host = await Guest.at(house.server, table, livia)
        await house.running(table).add([], grants=[Grant(hashed(phone), None, "host")])
        assert (await house.server.who(table, [phone])).host
        await host.do("shut_out", seat=0)
        assert not (await house.server.who(table, [phone])).host
        assert (await house.server.who(table, [livia])).host

    house.run(play())


async def ask(house: Harness, laid: msg.Laid, seat: SeatNumber, name: str, key: str) -> None:
    """Somebody asks for a chariot by the table's invitation."""
    await house.server.take_over(laid.table, msg.TakeOver(token=token_of(laid.invitation), seat=seat, name=name), [key])


def two_left(house: Harness) -> msg.Laid:
    """A race of four, two of whom have left it."""
    livia, *others = [person() for _ in range(4)]
    laid = house.lay("here", "friend", "friend", "friend", key=livia, away=None)

    async def play() -> None:
        for key in others:
            await house.server.sit(laid.table, msg.Sit(token=token_of(laid.invitation)), [key])
        await (await Guest.at(house.server, laid.table, livia)).begin()
        for seat, key in zip((THIRD, FOURTH), others[1:], strict=True):
            await (await Guest.at(house.server, laid.table, key)).do("stand", seat=seat)

    house.run(play())
    return laid


def test_whoever_has_asked_for_a_chariot_asks_for_no_second_one_nor_under_anothers_name(house: Harness) -> None:
    cleo, laid = person(), two_left(house)
    names = [chair.name for chair in house.running(laid.table).state.chairs]

    async def play() -> None:
        for taken in (names[0], names[3].upper()):
            assert (await refused(ask(house, laid, THIRD, taken, cleo))).status == 409
        await ask(house, laid, THIRD, names[2], cleo)  # he may have come back with another browser
        assert (await refused(ask(house, laid, FOURTH, "Cleo", cleo))).status == 409
        assert list(house.running(laid.table).state.admission.wishes) == [2]

    house.run(play())


def test_two_who_ask_for_chariots_have_two_names(house: Harness) -> None:
    cleo, other, laid = person(), person(), two_left(house)

    async def play() -> None:
        await ask(house, laid, THIRD, "Cleo", cleo)
        assert (await refused(ask(house, laid, FOURTH, "CLEO", other))).problem == "somebody else is called CLEO"
        await house.server.forget([cleo])  # then nobody is called so
        await ask(house, laid, FOURTH, "Cleo", other)

    house.run(play())


def test_nobody_else_sits_down_at_a_lesson_and_its_cards_are_not_called_fair(house: Harness) -> None:
    livia = person()
    new = msg.NewTable(seats=(msg.SeatPlan(kind="here"),), lesson=True, pace=0)
    table = house.run(house.server.lay(new, livia)).table

    async def play() -> None:
        host = await Guest.at(house.server, table, livia)
        for seat in (None, SECOND):
            assert (await refused(house.server.link(table, msg.WantLink(seat=seat), [livia]))).status == 403
        assert (await house.server.link(table, msg.WantLink(seat=FIRST), [livia])).link  # for a phone of her own
        await host.begin()
        await host.race()
        assert not replay_of(f"{table}.0", await house.server.record(table, 0)).races[0].sealed

    house.run(play())


def test_a_friend_on_a_device_of_the_pupils_has_no_seat_of_his_own_at_a_lesson(house: Harness) -> None:
    livia, friend = person(), person()
    new = msg.NewTable(seats=(msg.SeatPlan(kind="here"),), lesson=True, pace=0)
    table = house.run(house.server.lay(new, livia)).table

    async def play() -> None:
        host = await Guest.at(house.server, table, livia)
        assert (await host.do("vacate", seat=1))["is"] == "done"
        link = token_of((await house.server.link(table, msg.WantLink(seat=FIRST), [livia])).link)
        await house.server.sit(table, msg.Sit(token=link), [friend])
        assert (await refused(house.server.sit(table, msg.Sit(seat=SECOND, name="Titus"), [friend]))).status == 403
        assert (await house.server.sit(table, msg.Sit(seat=SECOND, name="Livilla"), [livia])).seat == 1
        await host.until(lambda guest: guest.table["yours"] == [0, 1])
        await host.begin()
        await host.do("stand", seat=1)
        await host.do("stand", seat=0)  # both have left it, and may come back
        await house.server.take_over(table, msg.TakeOver(seat=SECOND), [livia])
        back = house.server.take_over(table, msg.TakeOver(seat=FIRST), [friend])
        assert (await refused(back)).problem.startswith("nobody else can sit down at a lesson")

    house.run(play())
