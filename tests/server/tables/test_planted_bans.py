"""A ban is one of keys, and whoever has a key of his own under TLS is not barred by one that was planted on him."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from avecaesar.server.refused import RefusedError
from avecaesar.server.store.shapes import Grant
from avecaesar.server.tables.house import hashed, new_key
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person
from seat_numbers import SECOND

SEAT = msg.Sit(seat=SECOND, name="Marcus", colour="blue")


def with_a_banned_key(house: Harness) -> tuple[str, str]:
    """An open table, and the key of somebody who is banned there."""
    table, banned = house.lay("here", "friend", key=person(), open=True).table, person()

    async def ban() -> None:
        await house.server.sit(table, SEAT, [banned])
        await house.server.ban(table, SECOND)

    house.run(ban())
    return table, banned


def refused(house: Harness, table: str, keys: Sequence[str]) -> None:
    with pytest.raises(RefusedError, match="banned from this table"):
        house.run(house.server.sit(table, SEAT, keys))


def test_under_tls_a_planted_ban_bars_nobody_who_has_a_key_of_his_own(house: Harness) -> None:
    table, planted = with_a_banned_key(house)
    keys = (new_key("h"), planted)

    async def play() -> None:
        assert not (await house.server.shown(table, keys)).table.banned
        guest = await Guest.at(house.server, table, *keys)
        assert not guest.table["banned"]
        assert (await house.server.sit(table, SEAT, keys)).seat == 1
        await guest.until(lambda guest: guest.table["yours"] == [1])
        assert not guest.table["banned"]

    house.run(play())
    refused(house, table, [planted])


def test_under_tls_a_planted_ban_keeps_nobody_from_asking_for_a_chariot(house: Harness) -> None:
    table, planted = with_a_banned_key(house)
    with pytest.raises(RefusedError) as told:
        house.run(house.server.take_over(table, msg.TakeOver(seat=SECOND), (new_key("h"), planted)))
    assert "banned" not in told.value.problem


def test_a_ban_goes_with_what_is_carried_over(house: Harness) -> None:
    table, old = with_a_banned_key(house)
    house.run(house.running(table).add([], grants=[Grant(hashed(old), None, "share")]))
    own = new_key("h")
    refused(house, table, [own, old])
    refused(house, table, [own])


def test_in_the_clear_a_ban_counts_whichever_key_has_it(house: Harness) -> None:
    table, banned = with_a_banned_key(house)
    refused(house, table, [new_key("s"), banned])
    refused(house, table, [person(), banned])


def test_a_ban_of_the_key_under_tls_counts(house: Harness) -> None:
    table, own = house.lay("here", "friend", key=person(), open=True).table, new_key("h")

    async def ban() -> None:
        await house.server.sit(table, SEAT, [own])
        await house.server.ban(table, SECOND)

    house.run(ban())
    refused(house, table, [own, person()])
