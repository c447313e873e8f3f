"""A seat has a few devices, and what changes at a table costs little for each."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.database import Store
from avecaesar.server.store.shapes import ROLES, Grant, Revoke
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.house import hashed
from avecaesar.server.tables.rights import MOST_DEVICES, Rights
from avecaesar.server.tables.running import RunningTable
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person
from seat_numbers import FIRST, SECOND
from work import calls_of


async def let_in(house: Harness, table: str, key: str, seat: SeatNumber) -> str:
    """Another device of somebody's, by a link that he has made."""
    link = (await house.server.link(table, msg.WantLink(seat=seat), [key])).link
    return await open_link(house, table, link)


async def open_link(house: Harness, table: str, link: str) -> str:
    device = person()
    await house.server.sit(table, msg.Sit(token=link.partition("#")[2]), [device])
    return device


def test_a_seat_has_a_few_devices_and_others_when_those_are_shut_out(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "friend", key=livia).table

    async def play() -> None:
        devices = [livia]
        while len(devices) < MOST_DEVICES:
            devices.append(await let_in(house, table, devices[-1], FIRST))
        link = (await house.server.link(table, msg.WantLink(seat=FIRST), [livia])).link
        with pytest.raises(RefusedError, match=f"this seat has {MOST_DEVICES} devices already"):
            await open_link(house, table, link)
        again = await house.server.sit(table, msg.Sit(token=link.partition("#")[2]), [devices[1]])
        assert again.seat == 0  # he is in already
        mine = await Guest.at(house.server, table, livia)
        assert (await mine.do("shut_out", seat=0))["is"] == "done"
        await let_in(house, table, livia, FIRST)
        assert len(house.running(table).rights.keys_to(FIRST)) == 2

    house.run(play())


def test_a_host_has_no_more_devices_by_standing_up_and_sitting_down_again(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "friend", key=livia).table

    async def play() -> None:
        mine = await Guest.at(house.server, table, livia)
        for _ in range(MOST_DEVICES - 1):
            await let_in(house, table, livia, FIRST)
        assert (await mine.do("stand", seat=0))["is"] == "done"
        await house.server.sit(table, msg.Sit(seat=FIRST, name="Livia", colour="red"), [livia])
        for _ in range(MOST_DEVICES - 1):  # those that stood up with her are hosts no longer
            await let_in(house, table, livia, FIRST)
        with pytest.raises(RefusedError, match="devices already"):
            await let_in(house, table, livia, FIRST)

    house.run(play())


def test_a_ban_revokes_by_role_and_not_by_key(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    livia, marcus = person(), person()
    laid = house.lay("here", "friend", key=livia)
    table, written = laid.table, list[Any]()
    append = Store.append

    async def noted(self: Store, *args: Any, **more: Any) -> None:
        written.append(more["revoke"])
        await append(self, *args, **more)

    async def play() -> None:
        assert laid.invitation
        invited = msg.Sit(token=laid.invitation.partition("#")[2], name="Marcus", colour="blue")
        await house.server.sit(table, invited, [marcus])
        devices = [marcus]
        while len(devices) < MOST_DEVICES:
            devices.append(await let_in(house, table, devices[-1], SECOND))
        with monkeypatch.context() as spied:
            spied.setattr(Store, "append", noted)
            await house.server.ban(table, SECOND)
        assert len(written[-1]) < 2 * len(ROLES)
        running = house.running(table)
        assert not {hashed(each) for each in devices} & {grant.key for grant in running.rights.held}
        for each in devices:
            who = await house.server.who(table, [each])
            assert (who.banned, who.seats) == (True, frozenset())
            assert {grant.role for grant in await house.server.store.rights(table, [hashed(each)])} == {"banned"}

    house.run(play())


class Key(str):
    """A key that is seen being compared."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, cast(str, other))

    def __hash__(self) -> int:
        return str.__hash__(self)


class Told(SimpleNamespace):
    """A table that has nothing but connections."""


def test_a_change_looks_at_each_right_and_each_connection_once() -> None:
    keys = [Key(f"key {number}") for number in range(400)]
    held = [Grant(key, SeatNumber(number % 4), "drive") for number, key in enumerate(keys)]
    connections = [SimpleNamespace(who=Actor((key,), frozenset())) for key in keys[:100]]
    table = cast(RunningTable, Told(connections=connections))
    rights = Rights(table, held)
    revoke = [Revoke("pass", key=key) for key in keys[:50]]
    revoke.append(Revoke("drive", of=frozenset(keys[:50])))
    assert calls_of(lambda: rights.hand_over(revoke, [])) < 20 * (len(keys) + len(connections))
    assert [connection.who.seats for connection in connections[49:52]] == [set(), {2}, {3}]
