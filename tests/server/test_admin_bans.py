"""An operator bans somebody from a table, and he comes back by no way."""

from __future__ import annotations

import json

import pytest

from avecaesar.server.admin import BanSitter, obey
from avecaesar.server.refused import RefusedError
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person
from seat_numbers import FOURTH, SECOND, THIRD


def test_who_is_banned_comes_back_neither_by_key_nor_by_link_nor_by_invitation(house: Harness) -> None:
    livia, marcus, titus = person(), person(), person()
    laid = house.lay("here", "friend", "friend", key=livia)
    invitation = (laid.invitation or "").partition("#")[2]

    async def play() -> None:
        server, table = house.server, laid.table
        for key in (marcus, titus):
            await server.sit(table, msg.Sit(token=invitation), [key])
        link = (await server.link(table, msg.WantLink(seat=SECOND), [marcus])).link.partition("#")[2]
        guest, other = [await Guest.at(server, table, key) for key in (marcus, titus)]
        assert (await obey(server, BanSitter(table, 2))).problem is None
        assert (await guest.do("say", text="I am here"))["is"] == "refused"  # at once, on the line that he has
        assert (await other.do("say", text="Vale"))["is"] == "done"
        for keys, token in (([marcus], None), ([marcus], invitation), ([person(), marcus], invitation)):
            with pytest.raises(RefusedError, match="banned from this table"):
                await server.sit(table, msg.Sit(token=token), keys)
        for token in (link, invitation):  # from a browser that nobody knows
            with pytest.raises(RefusedError, match="no longer good"):
                await server.sit(table, msg.Sit(token=token), [person()])
        assert (await server.who(table, [link])).seats == frozenset()
        assert [row.table for row in (await server.lobby([marcus])).mine] == []
        fresh = (await server.link(table, msg.WantLink(), [livia])).link.partition("#")[2]
        with pytest.raises(RefusedError, match="banned from this table"):
            await server.sit(table, msg.Sit(token=fresh), [marcus])
        assert (await server.sit(table, msg.Sit(token=fresh), [person()])).seat == 1
        assert (await server.shown(table, [marcus])).table.yours == ()  # he may watch, as everybody may

    house.run(play())
    house.restart()
    with pytest.raises(RefusedError, match="banned from this table"):
        house.run(house.server.sit(laid.table, msg.Sit(token=invitation), [marcus]))


def test_nobody_bans_the_host_a_driver_or_a_seat_that_there_is_not(house: Harness) -> None:
    table = house.lay("here", "scorpus", "friend", key=person()).table
    problems = [house.run(obey(house.server, BanSitter(table, seat))).problem for seat in (1, 2, 3, 9)]
    assert problems == [
        f"table {table}: the host sits there: close the table instead",
        *[f"table {table}: no person sits there"] * 3,
    ]


def test_whoever_holds_several_seats_leaves_them_all(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = house.lay("here", "friend", "friend", key=livia)
    invitation = (laid.invitation or "").partition("#")[2]

    async def play() -> None:
        for seat in (SECOND, THIRD):
            await house.server.sit(laid.table, msg.Sit(seat=seat, token=invitation), [marcus])
        assert house.running(laid.table).state.persons == {0, 1, 2}
        assert (await obey(house.server, BanSitter(laid.table, 2))).problem is None
        assert house.running(laid.table).state.persons == {0}

    house.run(play())


def test_whoever_else_has_opened_his_link_loses_that_seat_and_no_more(house: Harness) -> None:
    """By giving his link away nobody takes others with him, or keeps himself from being banned."""
    livia, marcus, titus, phone = person(), person(), person(), person()
    laid = house.lay("here", "friend", "friend", key=livia)
    invitation = (laid.invitation or "").partition("#")[2]

    async def play() -> None:
        server, table = house.server, laid.table
        for key in (marcus, titus):
            await server.sit(table, msg.Sit(token=invitation), [key])
        for key in (livia, titus, phone):
            link = (await server.link(table, msg.WantLink(seat=SECOND), [marcus])).link.partition("#")[2]
            await server.sit(table, msg.Sit(token=link), [key])
        assert (await server.who(table, [livia])).seats == {0, 1}
        assert (await obey(server, BanSitter(table, 2))).problem is None
        assert house.running(table).state.persons == {0, 2}
        held = [await server.who(table, [key]) for key in (livia, titus, marcus, phone)]
        assert [(sorted(who.seats), who.host, who.banned) for who in held] == [
            ([0], True, False),
            ([2], False, False),
            ([], False, True),
            ([], False, True),
        ]

    house.run(play())


@pytest.mark.parametrize("restarted", [False, True])
def test_whoever_is_banned_is_not_back_by_a_device_on_a_seat_that_he_left(house: Harness, restarted: bool) -> None:
    livia, marcus, phone, titus = person(), person(), person(), person()
    laid = house.lay("here", "friend", "friend", "friend", key=livia, pace=5000, away=None)
    invitation = (laid.invitation or "").partition("#")[2]

    async def before() -> None:
        server, table = house.server, laid.table
        for seat, key in ((SECOND, marcus), (THIRD, marcus), (FOURTH, titus)):
            await server.sit(table, msg.Sit(seat=seat, token=invitation), [key])
        for key in (phone, titus):  # Titus has a seat of his own
            link = (await server.link(table, msg.WantLink(seat=SECOND), [marcus])).link.partition("#")[2]
            await server.sit(table, msg.Sit(token=link), [key])
        await (await Guest.at(server, table, marcus)).do("shut_out", seat=1)
        await (await Guest.at(server, table, livia)).begin()
        await (await Guest.at(server, table, phone)).do("stand", seat=2)
        assert [(await server.who(table, [key])).left for key in (marcus, phone, titus)] == [{2}, {2}, set()]

    async def after() -> None:
        server, table = house.server, laid.table
        assert (await server.shown(table, [livia])).table.phase == "racing"
        assert (await obey(server, BanSitter(table, 2))).problem is None
        assert house.running(table).state.persons == {0, 3}
        held = [await server.who(table, [key]) for key in (marcus, phone, titus)]
        assert [(who.banned, sorted(who.left)) for who in held] == [(True, []), (True, []), (False, [])]
        with pytest.raises(RefusedError, match="banned from this table"):
            await server.take_over(table, msg.TakeOver(seat=THIRD), [phone])

    house.run(before())
    if restarted:
        house.restart()
    house.run(after())


def test_whoever_let_the_banned_one_drive_may_still_come_back_to_his_own_seat(house: Harness) -> None:
    livia, marcus, titus = person(), person(), person()
    laid = house.lay("here", "friend", "friend", key=livia, pace=5000, away=None)
    invitation = (laid.invitation or "").partition("#")[2]

    async def play() -> None:
        server, table = house.server, laid.table
        for seat, key in ((SECOND, marcus), (THIRD, titus)):
            await server.sit(table, msg.Sit(seat=seat, token=invitation), [key])
        link = (await server.link(table, msg.WantLink(seat=THIRD), [titus])).link.partition("#")[2]
        await server.sit(table, msg.Sit(token=link), [marcus])
        await (await Guest.at(server, table, livia)).begin()
        await (await Guest.at(server, table, titus)).do("stand", seat=2)
        assert (await obey(server, BanSitter(table, 2))).problem is None
        await server.take_over(table, msg.TakeOver(seat=THIRD), [titus])
        held = [await server.who(table, [key]) for key in (marcus, titus)]
        assert [(sorted(who.seats), who.banned) for who in held] == [([], True), ([2], False)]

    house.run(play())


def test_whoever_was_shut_out_of_a_seat_is_not_banned_with_it(house: Harness) -> None:
    livia, marcus, phone = person(), person(), person()
    laid = house.lay("here", "friend", "friend", key=livia)
    invitation = (laid.invitation or "").partition("#")[2]

    async def play() -> None:
        server, table = house.server, laid.table
        for seat in (SECOND, THIRD):
            await server.sit(table, msg.Sit(seat=seat, token=invitation), [marcus])
        link = (await server.link(table, msg.WantLink(seat=SECOND), [marcus])).link.partition("#")[2]
        await server.sit(table, msg.Sit(token=link), [phone])
        assert (await (await Guest.at(server, table, phone)).do("shut_out", seat=1))["is"] == "done"
        assert (await obey(server, BanSitter(table, 2))).problem is None
        assert house.running(table).state.persons == {0, 2}
        held = [await server.who(table, [key]) for key in (phone, marcus)]
        assert [(sorted(who.seats), who.banned) for who in held] == [([], True), ([2], False)]

    house.run(play())


def test_the_list_shows_at_once_what_the_operator_has_done(house: Harness) -> None:
    livia, marcus = person(), person()
    tables = [house.lay("here", "friend", key=livia, open=True).table for _ in range(2)]
    for table in tables:
        house.run(house.server.sit(table, msg.Sit(), [marcus]))
    house.run(house.server.shut(tables[0]))
    house.run(house.server.ban(tables[1], SECOND))
    closed, banned = (house.run(house.server.store.row(table)) for table in tables)
    assert closed is not None
    assert banned is not None
    assert json.loads(closed.summary)["closed"]
    assert [seat["taken"] for seat in json.loads(banned.summary)["seats"]] == [True, False]
