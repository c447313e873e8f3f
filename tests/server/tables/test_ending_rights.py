"""Whatever a device does that was let in, it cannot keep the sitter or the host from shutting it out."""

from __future__ import annotations

from typing import Any

import pytest

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.rates import InMemory, Quotas
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person, token_of
from seat_numbers import FIRST, SECOND
from words_kept import lay, sit


class Circle:
    """Livia's table, at which Marcus and Titus sit, and somebody on a phone that one of them has let in."""

    def __init__(self, house: Harness, seat: SeatNumber) -> None:
        self.livia, self.marcus, self.titus, self.phone = (person() for _ in range(4))
        self.house = house
        laid = lay(house, self.livia, "Livia", "", "")
        self.table = laid.table
        for key, name in ((self.marcus, "Marcus"), (self.titus, "Titus")):
            sit(house, laid, key, name)
        house.run(self.let_in((self.livia, self.marcus, self.titus)[seat], seat))

    async def let_in(self, key: str, seat: SeatNumber) -> None:
        link = (await self.house.server.link(self.table, msg.WantLink(seat=seat), [key])).link
        await self.house.server.sit(self.table, msg.Sit(token=token_of(link)), [self.phone])

    async def guest(self, key: str) -> Guest:
        return await Guest.at(self.house.server, self.table, key)


async def fidget(guest: Guest, seat: int) -> None:
    """Change one's name, as often as one may."""
    name, colour = guest.table["seats"][seat]["name"], guest.table["seats"][seat]["colour"]
    answer, times = {"is": "done"}, 0
    while answer["is"] == "done":
        times += 1
        answer = await guest.do("dress", seat=seat, name=f"{name} {times % 2}", colour=colour)
    assert "take a breath" in answer["problem"]


def with_limits(house: Harness) -> None:
    house.server.quotas, house.server.rates = Quotas(), InMemory()


@pytest.mark.parametrize("do", ["shut_out", "stand"])
def test_a_device_that_fidgets_does_not_keep_the_sitter_from_ending_what_it_may(house: Harness, do: str) -> None:
    circle = Circle(house, SECOND)
    with_limits(house)

    async def play() -> None:
        phone, marcus = await circle.guest(circle.phone), await circle.guest(circle.marcus)
        await fidget(phone, SECOND)
        assert (await marcus.do(do, seat=SECOND))["is"] == "done"
        assert phone.connection.who.seats == frozenset()

    house.run(play())


def order(do: str, guest: Guest, seat: int) -> dict[str, Any]:
    """What an order of the host's about a seat says."""
    return {
        **({} if do in ("void_links", "close") else {"seat": seat}),
        **({"at": guest.table["changed"]} if do in ("hand_on", "ban", "close") else {}),
    }


@pytest.mark.parametrize("do", ["shut_out", "hand_on", "vacate", "void_links", "ban", "close"])
def test_a_device_that_fidgets_on_the_hosts_seat_does_not_keep_him_from_anything(house: Harness, do: str) -> None:
    circle = Circle(house, FIRST)
    with_limits(house)

    async def play() -> None:
        phone, livia = await circle.guest(circle.phone), await circle.guest(circle.livia)
        await fidget(phone, FIRST)
        await livia.until(lambda guest: guest.table["number"] >= phone.table["number"])
        about = FIRST if do == "shut_out" else SECOND
        assert (await livia.do(do, **order(do, livia, about)))["is"] == "done"

    house.run(play())


def test_whoever_ends_rights_without_end_is_told_to_take_a_breath(house: Harness) -> None:
    circle = Circle(house, SECOND)
    with_limits(house)

    async def play() -> None:
        livia = await circle.guest(circle.livia)
        answers = [await livia.do("void_links") for _ in range(Quotas().deeds.at_once + 1)]
        assert [answer["is"] for answer in answers[-2:]] == ["done", "refused"]

    house.run(play())
