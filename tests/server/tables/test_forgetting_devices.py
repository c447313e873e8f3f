"""Whoever is forgotten takes along what his devices wrote on his seat, and nothing that was somebody else's before."""

from __future__ import annotations

import asyncio
import json

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.tables.admission import tag_of
from avecaesar.server.tables.house import hashed
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person, token_of
from seat_numbers import FIRST, SECOND, THIRD
from words_kept import everything, lay, rows, sit


async def let_in(house: Harness, table: str, key: str, seat: SeatNumber, other: str) -> None:
    link = (await house.server.link(table, msg.WantLink(seat=seat), [key])).link
    await house.server.sit(table, msg.Sit(token=token_of(link)), [other])


async def raced(house: Harness, table: str, *keys: str) -> list[Guest]:
    """The race of those who sit there, in their order, is over."""
    guests = [await Guest.at(house.server, table, key) for key in keys]
    await guests[0].begin()
    for guest in guests[1:]:
        await guest.until(lambda each: each.table["phase"] == "racing")
    await asyncio.gather(*(guest.race() for guest in guests))
    return guests


async def in_the_record(house: Harness, table: str) -> list[str]:
    return sorted(chariot.name for chariot in (await house.server.record(table, 0)).races[0].chariots)


def tagged(house: Harness, key: str) -> list[bytes]:
    """The bodies of what somebody did, as far as the log knows that it was he."""
    return [body for (body,) in rows(house, f"SELECT body FROM events WHERE command LIKE '{tag_of(hashed(key))}:%'")]


def test_who_opened_somebodys_link_when_he_had_left_his_own_seat_keeps_his_name_and_his_words(house: Harness) -> None:
    livia, marcus, titus = person(), person(), person()
    laid = lay(house, livia, "Livia", "", "")
    sit(house, laid, marcus, "Marcus")
    sit(house, laid, titus, "Titus")

    async def play() -> None:
        his = await Guest.at(house.server, laid.table, titus)
        await his.do("say", text="for himself")
        await his.do("shake", share="ab" * 16)
        await raced(house, laid.table, livia, marcus, titus)
        await his.do("stand", seat=THIRD)
        await let_in(house, laid.table, marcus, SECOND, titus)
        await his.do("say", text="for Marcus")
        await house.server.forget([marcus])
        assert await in_the_record(house, laid.table) == ["Livia", "Nemo", "Titus"]

    house.run(play())
    kept = everything(house)
    assert (b"for himself" in kept, b"for Marcus" in kept, b"Marcus" in kept) == (True, False, False)
    assert {json.loads(body)["event"] for body in tagged(house, titus)} >= {"said", "shaken", "moved", "stood"}
    assert not [body for body in tagged(house, titus) if json.loads(body)["seat"] == SECOND]
    house.run(house.server.forget([titus]))
    tag = tag_of(hashed(titus)).encode()
    assert not [word for word in (b"Titus", b"for himself", tag) if word in everything(house)]


def test_who_drove_from_the_seat_before_keeps_his_name_in_the_race(house: Harness) -> None:
    livia, marcus, titus = person(), person(), person()
    laid = lay(house, livia, "Livia", "")
    sit(house, laid, titus, "Titus")

    async def play() -> None:
        his, hers = [await Guest.at(house.server, laid.table, key) for key in (titus, livia)]
        await his.do("say", text="for himself")
        await raced(house, laid.table, livia, titus)
        await his.do("stand", seat=SECOND)
        await hers.until(lambda guest: not guest.table["seats"][1]["taken"])
        invited = msg.Sit(token=token_of(laid.invitation), name="Marcus")
        await house.server.sit(laid.table, invited, [marcus])
        await let_in(house, laid.table, marcus, SECOND, titus)
        await his.do("say", text="for Marcus")
        await house.server.forget([marcus])
        assert await in_the_record(house, laid.table) == ["Livia", "Titus"]

    house.run(play())
    kept = everything(house)
    assert (b"for himself" in kept, b"for Marcus" in kept, b"Marcus" in kept) == (True, False, False)


def test_a_host_who_is_forgotten_on_his_phone_is_so_whole(house: Harness) -> None:
    livia, phone = person(), person()
    laid = lay(house, livia, "Livia", "", title="Saturnalia")

    async def play() -> None:
        hers = await Guest.at(house.server, laid.table, livia)
        await hers.do("say", text="Ave")
        await hers.do("void_links")
        await let_in(house, laid.table, livia, FIRST, phone)
        await house.server.forget([phone])

    house.run(play())
    tag = tag_of(hashed(livia)).encode()
    assert not [word for word in (b"Livia", b"Ave", b"Saturnalia", tag) if word in everything(house)]
