"""Whatever a device does that was let in, it cannot keep the sitter or the host from shutting it out."""

from __future__ import annotations

import re
from typing import Any

import pytest

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.rates import InMemory, Quotas
from avecaesar.server.ready import ROOM_FOR_MORE, ROOM_KEPT
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.database import Store
from avecaesar.server.tables import decisions
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


# ---------------------------------------------------------------------- a full log, and a full disk


def with_a_full_log(circle: Circle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MOST_EVENTS", circle.house.running(circle.table).state.number)


def with_a_full_disk(circle: Circle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "free", ROOM_FOR_MORE - 1)
    circle.house.run(circle.house.time.pass_by(ROOM_KEPT))


@pytest.mark.parametrize("full", [with_a_full_log, with_a_full_disk])
@pytest.mark.parametrize(
    ("do", "whose"),
    [("shut_out", "marcus"), ("stand", "marcus"), *((do, "livia") for do in ("vacate", "ban", "close"))],
)
def test_a_device_is_put_out_however_full_the_log_or_the_disk_is(
    house: Harness, monkeypatch: pytest.MonkeyPatch, full: Any, do: str, whose: str
) -> None:
    circle = Circle(house, SECOND)
    full(circle, monkeypatch)

    async def play() -> None:
        phone, ending = await circle.guest(circle.phone), await circle.guest(getattr(circle, whose))
        assert (await phone.do("dress", seat=SECOND, name="Nero", colour="black"))["is"] == "refused"
        assert (await ending.do(do, **order(do, ending, SECOND)))["is"] == "done"
        assert do == "close" or phone.connection.who.seats == frozenset()

    house.run(play())


@pytest.mark.parametrize("full", [with_a_full_log, with_a_full_disk])
@pytest.mark.parametrize("do", ["void_links", "hand_on"])
def test_the_host_lets_nobody_else_in_and_hands_on_however_full_the_log_or_the_disk_is(
    house: Harness, monkeypatch: pytest.MonkeyPatch, full: Any, do: str
) -> None:
    circle = Circle(house, FIRST)
    full(circle, monkeypatch)

    async def play() -> None:
        phone, livia = await circle.guest(circle.phone), await circle.guest(circle.livia)
        assert (await livia.do(do, **order(do, livia, SECOND)))["is"] == "done"
        assert phone.connection.who.host == (do != "hand_on")

    house.run(play())


@pytest.mark.parametrize("full", [with_a_full_log, with_a_full_disk])
def test_what_ends_nothing_is_refused_where_there_is_no_room_and_uses_nothing_up(
    house: Harness, monkeypatch: pytest.MonkeyPatch, full: Any
) -> None:
    circle = Circle(house, FIRST)
    full(circle, monkeypatch)
    no_room = "lay a new one|disk is nearly full"

    async def play() -> None:
        phone, titus = await circle.guest(circle.phone), await circle.guest(circle.titus)
        assert re.search(no_room, (await titus.do("shut_out", seat=2))["problem"])  # nobody is there to be shut out
        answers = [await phone.do("void_links") for _ in range(3)]
        assert [answer["is"] for answer in answers] == ["done", "refused", "refused"]  # there was one invitation
        livia = await circle.guest(circle.livia)
        assert (await livia.do("shut_out", seat=FIRST))["is"] == "done"
        assert not phone.connection.who.has_place
        assert (await livia.do("hand_on", **order("hand_on", livia, SECOND)))["is"] == "refused"  # to and fro for ever
        assert (await livia.do("shut_out", seat=FIRST))["is"] == "refused"
        assert (await livia.do("stand", seat=FIRST))["is"] == "done"
        with pytest.raises(RefusedError, match=no_room):
            await house.server.sit(circle.table, msg.Sit(seat=FIRST), [circle.livia])

    house.run(play())


def test_a_link_that_nobody_has_opened_yet_is_void_also_where_the_log_is_full(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    circle = Circle(house, FIRST)
    link = house.run(house.server.link(circle.table, msg.WantLink(seat=SECOND), [circle.marcus])).link
    with_a_full_log(circle, monkeypatch)

    async def play() -> None:
        marcus = await circle.guest(circle.marcus)
        assert (await marcus.do("shut_out", seat=SECOND))["is"] == "done"
        with pytest.raises(RefusedError):
            await house.server.sit(circle.table, msg.Sit(token=token_of(link)), [circle.phone])
        assert (await marcus.do("shut_out", seat=SECOND))["is"] == "refused"  # there is nothing left to end

    house.run(play())
