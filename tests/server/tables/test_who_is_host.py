"""Whoever the host lets in is host by way of that seat, and neither takes the table from him nor keeps it."""

from __future__ import annotations

import pytest

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables.house import new_key
from avecaesar.server.wire import messages as msg
from circus import Circus
from harness import Guest, Harness, person
from seat_numbers import FIRST, SECOND, THIRD


async def let_in(circus: Circus, seat: SeatNumber, sitter: str, other: str) -> None:
    """Somebody drives a seat for its sitter, by a link of his."""
    await circus.sit(await circus.link(seat, sitter), other)


async def beside_the_host(circus: Circus) -> None:
    """Marcus opens Livia's link first, and takes a place of his own afterwards."""
    await let_in(circus, FIRST, circus.livia, circus.marcus)
    await circus.server.sit(circus.table, msg.Sit(seat=SECOND, token=circus.invitation), [circus.marcus])


async def hosts(circus: Circus, *keys: str) -> list[bool]:
    return [(await circus.server.who(circus.table, [key])).host for key in keys]


@pytest.mark.parametrize("seats", [(FIRST, SECOND), (SECOND, FIRST)])
def test_a_guest_who_drives_for_the_host_does_not_shut_her_out_of_her_table(
    house: Harness, seats: tuple[SeatNumber, SeatNumber]
) -> None:
    circus = Circus(house)

    async def play() -> None:
        one, two, _ = await circus.gather()
        await let_in(circus, FIRST, circus.livia, circus.marcus)
        assert await hosts(circus, circus.livia, circus.marcus) == [True, False]
        for seat in seats:
            assert (await two.do("shut_out", seat=seat))["is"] == "done"
            assert await hosts(circus, circus.livia) == [True]
        assert await hosts(circus, circus.marcus) == [False]  # he has a seat that was hers, and not her table
        assert (await one.do("vacate", seat=0))["is"] == "done"

    house.run(play())


def test_a_guest_whose_key_is_made_anew_takes_the_hosts_table_no_more_than_before(house: Harness) -> None:
    circus = Circus(house)
    anew = new_key("h")

    async def play() -> None:
        await circus.gather()
        await let_in(circus, FIRST, circus.livia, circus.marcus)
        await circus.server.sit(circus.table, msg.Sit(seat=SECOND), [anew, circus.marcus])
        assert await hosts(circus, circus.livia, circus.marcus, anew) == [True, False, False]
        assert await circus.seats_of(anew) == {FIRST, SECOND}

    house.run(play())


@pytest.mark.parametrize("seat", [FIRST, SECOND])
def test_a_phone_of_the_hosts_shuts_her_lost_laptop_out_of_the_table_too(house: Harness, seat: SeatNumber) -> None:
    laptop, phone = person(), person()
    table = house.lay("here", "here", "friend", key=laptop).table
    circus = Circus(house)
    circus.table = table

    async def play() -> None:
        await let_in(circus, FIRST, laptop, phone)
        assert (await (await circus.guest(phone)).do("shut_out", seat=seat))["is"] == "done"
        assert await hosts(circus, laptop, phone) == [False, True]
        await (await circus.guest(phone)).do("stand", seat=seat)
        assert await hosts(circus, phone) == [True]  # in its own right by now

    house.run(play())


@pytest.mark.parametrize("by", ["stand", "appoint"])
def test_whoever_was_host_by_the_hosts_seat_makes_nobody_host_by_a_link_of_his_own(house: Harness, by: str) -> None:
    circus = Circus(house)
    again = person()

    async def play() -> None:
        one, *_ = await circus.gather()
        await let_in(circus, FIRST, circus.livia, circus.marcus)
        link = await circus.link(SECOND, circus.marcus)
        await one.do(by, seat=0, **({"driver": "scorpus"} if by == "appoint" else {}))
        assert await circus.sit(link, again) == SECOND
        assert await hosts(circus, circus.livia, circus.marcus, again) == [True, False, False]
        assert circus.said()[-1].endswith("now drives from one more device.")  # and has no more rights

    house.run(play())


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("by", ["stand", "shut_out", "vacate", "appoint"])
def test_the_host_stays_host_though_a_guest_whose_seat_she_drives_is_gone(house: Harness, by: str, both: bool) -> None:
    """Also if he drives for her in turn."""
    circus = Circus(house)
    phone = person()

    async def play() -> None:
        one, two, _ = await circus.gather()
        await let_in(circus, FIRST, circus.livia, phone)
        await let_in(circus, SECOND, circus.marcus, circus.livia)
        if both:
            await let_in(circus, FIRST, circus.livia, circus.marcus)
        whoever = two if by in ("stand", "shut_out") else one
        done = await whoever.do(by, seat=1, **({"driver": "scorpus"} if by == "appoint" else {}))
        assert done["is"] == "done"
        assert await hosts(circus, circus.livia, phone) == [True, True]

    house.run(play())


@pytest.mark.parametrize("by", ["the host", "the operator"])
def test_the_host_stays_host_though_a_guest_whose_seat_she_drives_is_banned(house: Harness, by: str) -> None:
    circus = Circus(house)
    phone = person()

    async def play() -> None:
        one, *_ = await circus.gather()
        await let_in(circus, FIRST, circus.livia, phone)
        await let_in(circus, SECOND, circus.marcus, phone)
        if by == "the host":
            await one.do("ban", seat=1, at=one.table["changed"])
        else:
            await circus.server.ban(circus.table, SECOND)
        assert (await circus.server.who(circus.table, [circus.marcus])).banned
        assert await hosts(circus, circus.livia, phone) == [True, True]

    house.run(play())


def test_nobody_is_host_who_was_let_in_by_the_host_and_drives_for_him_no_more(house: Harness) -> None:
    """At a screen of two seats her old phone drives the one that she still has, and is host as long as it does."""
    livia, old, new = person(), person(), person()
    circus = Circus(house)
    circus.table = house.lay("here", "here", "friend", key=livia).table

    async def play() -> None:
        await let_in(circus, FIRST, livia, old)
        await (await circus.guest(livia)).do("stand", seat=1)
        await let_in(circus, FIRST, livia, new)
        assert await hosts(circus, livia, old, new) == [True, True, True]
        await (await circus.guest(old)).do("shut_out", seat=0)
        assert await hosts(circus, livia, old, new) == [False, True, False]

    house.run(play())


def test_whoever_shuts_the_hosts_phone_out_of_his_seat_ends_its_rights(house: Harness) -> None:
    """Titus opened Marcus's link before Marcus was host."""
    circus = Circus(house)
    phone = person()

    async def play() -> None:
        one, _, three = await circus.gather()
        await let_in(circus, SECOND, circus.marcus, circus.titus)
        await one.do("hand_on", seat=1, at=one.table["changed"])
        await let_in(circus, SECOND, circus.marcus, phone)
        assert await hosts(circus, circus.marcus, phone, circus.titus) == [True, True, False]
        assert (await three.do("shut_out", seat=1))["is"] == "done"
        assert await hosts(circus, circus.marcus, phone, circus.titus) == [True, False, False]

    house.run(play())


def test_whoever_is_handed_the_table_has_it_on_his_own_devices_and_nobody_has_it_beside_him(house: Harness) -> None:
    circus = Circus(house)
    phone = person()

    async def play() -> None:
        one, two, three = await circus.gather()
        for other in (circus.livia, circus.titus, phone):
            await let_in(circus, SECOND, circus.marcus, other)
        assert (await one.do("hand_on", seat=1, at=one.table["changed"]))["is"] == "done"
        people = (circus.livia, circus.titus, circus.marcus, phone)
        assert await hosts(circus, *people) == [False, False, True, True]
        await three.do("shut_out", seat=THIRD)
        await two.do("stand", seat=1)  # with all devices that drive for him
        assert await hosts(circus, *people) == [False, False, True, False]

    house.run(play())


def test_a_guest_who_drives_for_the_host_and_is_forgotten_takes_the_table_from_nobody(house: Harness) -> None:
    circus = Circus(house)
    phone = person()

    async def play() -> None:
        await circus.gather()
        await let_in(circus, FIRST, circus.livia, phone)
        await let_in(circus, FIRST, circus.livia, circus.marcus)
        before = len(circus.said())
        await circus.server.forget([circus.marcus])
        assert await hosts(circus, circus.livia, phone, circus.marcus) == [True, True, False]
        assert not any("host" in line for line in circus.said()[before:])

    house.run(play())


@pytest.mark.parametrize("do", ["hand_on", "ban", "close", "erase_words"])
def test_whoever_sits_down_beside_the_host_on_a_device_of_hers_does_nothing_that_cannot_be_undone(
    house: Harness, do: str
) -> None:
    circus = Circus(house)
    seat = {"seat": THIRD} if do in ("hand_on", "ban") else {}

    async def play() -> None:
        await beside_the_host(circus)
        await circus.sit(circus.invitation, circus.titus)
        one, two = await circus.guest(circus.livia), await circus.guest(circus.marcus)
        assert await hosts(circus, circus.marcus) == [True]
        refused = await two.do(do, at=two.table["changed"], **seat)
        assert refused["problem"] == "only the host may do that"
        assert (await one.do(do, at=one.table["changed"], **seat))["is"] == "done"

    house.run(play())


def test_a_guest_who_drives_for_the_host_lets_nobody_in_to_her_seat(house: Harness) -> None:
    circus = Circus(house)
    phone = person()

    async def play() -> None:
        await circus.gather()
        await let_in(circus, FIRST, circus.livia, circus.marcus)
        for keys in ([circus.marcus], [person(), circus.marcus]):
            with pytest.raises(RefusedError, match="not your seat"):
                await circus.server.link(circus.table, msg.WantLink(seat=FIRST), keys)
        await let_in(circus, SECOND, circus.marcus, phone)
        assert await circus.seats_of(phone) == {SECOND}
        assert await hosts(circus, phone) == [False]

    house.run(play())


@pytest.mark.parametrize("by", ["the host", "the operator"])
def test_a_guest_who_drives_for_the_host_can_be_banned(house: Harness, by: str) -> None:
    circus = Circus(house)

    async def play() -> None:
        one, *_ = await circus.gather()
        await let_in(circus, FIRST, circus.livia, circus.marcus)
        if by == "the host":
            assert (await one.do("ban", seat=1, at=one.table["changed"]))["is"] == "done"
        else:
            await circus.server.ban(circus.table, SECOND)
        assert (await circus.server.who(circus.table, [circus.marcus])).banned
        assert await hosts(circus, circus.livia, circus.marcus) == [True, False]

    house.run(play())


def test_a_key_that_was_planted_on_the_sitter_is_shut_out_with_the_others(house: Harness) -> None:
    """Whoever planted it has opened a link to the seat with it."""
    circus = Circus(house)
    livia, planted = new_key("h"), person()
    circus.livia = livia
    circus.table = house.lay("here", "friend", "friend", key=livia).table

    async def play() -> None:
        await let_in(circus, FIRST, livia, planted)
        assert await hosts(circus, livia, planted) == [True, True]
        both = await Guest.at(circus.server, circus.table, livia, planted)
        assert (await both.do("shut_out", seat=FIRST))["is"] == "done"
        assert await hosts(circus, livia, planted) == [True, False]
        assert [await circus.seats_of(key) for key in (livia, planted)] == [{FIRST}, frozenset()]

    house.run(play())


@pytest.mark.parametrize("by", ["vacate", "appoint", "shut_out"])
def test_whoever_loses_his_own_place_drives_for_nobody_else_any_more(house: Harness, by: str) -> None:
    """Or he would pass for a device of theirs."""
    circus = Circus(house)
    phone = person()

    async def play() -> None:
        one, *_ = await circus.gather()
        await let_in(circus, FIRST, circus.livia, circus.marcus)
        await let_in(circus, SECOND, circus.marcus, phone)
        whoever = await circus.guest(phone) if by == "shut_out" else one
        assert (await whoever.do(by, seat=1, **({"driver": "scorpus"} if by == "appoint" else {})))["is"] == "done"
        assert await circus.seats_of(circus.marcus) == frozenset()
        assert await circus.seats_of(circus.livia) == {FIRST}
        assert await hosts(circus, circus.livia, circus.marcus, phone) == [True, False, False]

    house.run(play())


def test_the_old_hosts_phone_is_host_no_more_though_it_drives_for_the_new_one_and_he_for_her(house: Harness) -> None:
    circus = Circus(house)
    phone = person()

    async def play() -> None:
        await beside_the_host(circus)
        await let_in(circus, FIRST, circus.livia, phone)
        await let_in(circus, SECOND, circus.marcus, phone)
        one = await circus.guest(circus.livia)
        assert (await one.do("hand_on", seat=1, at=one.table["changed"]))["is"] == "done"
        assert await hosts(circus, circus.livia, circus.marcus, phone) == [False, True, False]

    house.run(play())


def test_whoever_drives_a_hosts_seat_is_not_shown_as_the_host(house: Harness) -> None:
    circus = Circus(house)

    async def play() -> None:
        one, *_ = await circus.gather()
        await let_in(circus, SECOND, circus.marcus, circus.livia)
        await let_in(circus, FIRST, circus.livia, circus.marcus)
        await one.until(lambda guest: guest.table["seats"][0]["devices"] == 2)
        assert [seat["host"] for seat in one.table["seats"]] == [True, False, False]

    house.run(play())


def test_a_host_without_a_seat_who_hands_the_table_on_drives_for_nobody_any_more(house: Harness) -> None:
    """Or he would pass for a device of theirs."""
    circus = Circus(house)

    async def play() -> None:
        one, *_ = await circus.gather()
        await let_in(circus, SECOND, circus.marcus, circus.livia)
        await one.do("stand", seat=0)
        assert await circus.seats_of(circus.livia) == {SECOND}
        assert (await one.do("hand_on", seat=2, at=one.table["changed"]))["is"] == "done"
        assert await circus.seats_of(circus.livia) == frozenset()
        assert await hosts(circus, circus.livia, circus.marcus, circus.titus) == [False, False, True]

    house.run(play())
