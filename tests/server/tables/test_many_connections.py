"""A person has a table open a few times, and is known by his own key, not by one that was planted on him."""

from __future__ import annotations

import pytest

from avecaesar.server.refused import RefusedError
from avecaesar.server.tables.connection import CONNECTIONS_A_PERSON
from avecaesar.server.tables.house import new_key
from avecaesar.server.wire import messages as msg
from harness import Harness, person, token_of


async def open_often(house: Harness, table: str, *keys: str) -> None:
    for _ in range(CONNECTIONS_A_PERSON):
        await house.server.connect(table, keys)


async def once_more(house: Harness, table: str, *keys: str) -> None:
    with pytest.raises(RefusedError, match="open too often"):
        await house.server.connect(table, keys)


def test_under_tls_nobody_takes_up_anothers_connections_by_a_key_that_he_planted(house: Harness) -> None:
    laid, own, planted = house.lay("here", "friend", key=person()), new_key("h"), person()
    house.lay("here", "friend", key=planted)  # so that the server knows it

    async def play() -> None:
        await house.server.sit(laid.table, msg.Sit(token=token_of(laid.invitation)), [own])
        await open_often(house, laid.table, planted)
        await once_more(house, laid.table, planted)
        connection = await house.server.connect(laid.table, [own, planted])
        assert connection.who.seats == {1}

    house.run(play())


def test_a_person_with_two_keys_has_a_table_open_no_more_often_than_others(house: Harness) -> None:
    laid, own, old = house.lay("here", "friend", key=person()), new_key("h"), person()

    async def play() -> None:
        await house.server.sit(laid.table, msg.Sit(token=token_of(laid.invitation)), [own])
        await open_often(house, laid.table, own, old)
        await once_more(house, laid.table, own, old)
        await once_more(house, laid.table, old, own)  # in whatever order he sends them
        await once_more(house, laid.table, own)

    house.run(play())
