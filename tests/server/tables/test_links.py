"""What links open, and who loses a seat."""

from __future__ import annotations

import asyncio

from avecaesar.server.tables.house import RefusedError, new_key
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person, refused, token_of
from seat_numbers import FIRST, FOURTH, SECOND, SIXTH, THIRD


def test_links_open_what_they_say_and_no_more(house: Harness) -> None:
    livia, marcus, phone, nero = person(), person(), person(), person()
    laid = house.lay("here", "friend", "friend", "scorpus", key=livia)
    table, invitation = laid.table, token_of(laid.invitation)

    async def play() -> None:
        server = house.server
        assert (await refused(server.sit(table, msg.Sit(), [marcus]))).status == 403  # not an open table
        assert (await refused(server.sit(table, msg.Sit(token=new_key("s")), [marcus]))).status == 403
        assert (await refused(server.sit("nowhere", msg.Sit(), [marcus]))).status == 404
        assert (await server.sit(table, msg.Sit(token=invitation, seat=THIRD), [marcus])).seat == 2
        assert (await server.sit(table, msg.Sit(token=invitation), [marcus])).seat == 2  # he sits already
        assert (await refused(server.sit(table, msg.Sit(token=invitation, seat=FIRST), [nero]))).problem == (
            "that seat is taken"
        )
        for want in (None, FIRST, SECOND):
            assert (await refused(server.link(table, msg.WantLink(seat=want), [marcus]))).status == 403
        assert (
            await refused(server.link(table, msg.WantLink(seat=FOURTH), [livia]))
        ).status == 409  # a driver sits there
        assert (await refused(server.link(table, msg.WantLink(seat=SIXTH), [livia]))).status == 404
        second = token_of((await server.link(table, msg.WantLink(seat=THIRD), [marcus])).link)
        assert (await server.sit(table, msg.Sit(token=second), [phone])).seat == 2
        assert (await server.who(table, [phone])).seats == {2}
        assert not (await server.who(table, [phone])).host
        own = token_of((await server.link(table, msg.WantLink(seat=FIRST), [livia])).link)
        tablet = person()
        assert (await server.sit(table, msg.Sit(token=own), [tablet])).seat == 0
        assert (await server.who(table, [tablet])).host  # the host's own link brings everything that is hers
        other = token_of((await server.link(table, msg.WantLink(), [livia])).link)
        program = new_key("s")
        seated = await server.sit(table, msg.Sit(token=other, name="Robot"), [program])
        assert (seated.seat, seated.token) == (1, program)
        assert (await refused(server.sit(table, msg.Sit(token=other), [nero]))).problem == "all seats are taken"
        assert (await server.who(table, [])).seats == frozenset()

    house.run(play())


def test_a_link_to_a_free_seat_is_void_when_somebody_else_sits_there(house: Harness) -> None:
    livia, marcus, nero = person(), person(), person()
    laid = house.lay("here", "friend", key=livia)

    async def play() -> None:
        server, table = house.server, laid.table
        promised = token_of((await server.link(table, msg.WantLink(seat=SECOND), [livia])).link)
        await server.sit(table, msg.Sit(token=token_of(laid.invitation)), [marcus])
        assert (await refused(server.sit(table, msg.Sit(token=promised), [nero]))).status == 403
        assert (await server.who(table, [nero])).seats == frozenset()
        guest = await Guest.at(server, table, livia)
        await guest.do("vacate", seat=1)
        promised = token_of((await server.link(table, msg.WantLink(seat=SECOND), [livia])).link)
        await server.sit(table, msg.Sit(token=promised, name="Nero", colour="black"), [nero])
        await guest.until(lambda guest: guest.table["seats"][1]["name"] == "Nero")
        assert (await refused(server.sit(table, msg.Sit(token=promised), [person()]))).status == 403  # it opens once
        again = token_of((await server.link(table, msg.WantLink(), [livia])).link)
        assert (await refused(server.sit(table, msg.Sit(token=again), [marcus]))).problem == "all seats are taken"

    house.run(play())


def test_who_loses_his_seat_loses_it_on_all_devices_at_once(house: Harness) -> None:
    livia, marcus, phone = person(), person(), person()
    laid = house.lay("here", "friend", key=livia, away=None)

    async def play() -> None:
        server, table = house.server, laid.table
        await server.sit(table, msg.Sit(token=token_of(laid.invitation)), [marcus])
        link = token_of((await server.link(table, msg.WantLink(seat=SECOND), [marcus])).link)
        await server.sit(table, msg.Sit(token=link), [phone])
        one, two, three = [await Guest.at(server, table, key) for key in (livia, marcus, phone)]
        await one.begin()
        for guest in (two, three):
            await guest.until(lambda guest: guest.table["hands"])
        late = asyncio.create_task(server.connect(table, [marcus]))  # is on his way in meanwhile
        await one.do("vacate", seat=1)
        for connection in (two.connection, three.connection, await late):
            assert connection.who.seats == frozenset()
        for guest in (two, three):
            await guest.until(lambda guest: guest.table["yours"] == [])
            assert (guest.table["eyes"], guest.table["hands"], guest.table["question"]) == (None, [], None)
            assert "not your seat" in (await guest.do("stand", seat=1))["problem"]
            assert "not your seat" in (await guest.do("hint", seat=1))["problem"]
            assert "may do that" in (await guest.do("say", text="But …"))["problem"]
        assert (await server.shown(table, [marcus])).table.hands == []
        assert (await refused(server.sit(table, msg.Sit(token=link), [phone]))).status == 403  # a dead link
        assert (await refused(server.link(table, msg.WantLink(seat=SECOND), [marcus]))).status == 403
        invitation = token_of(laid.invitation)
        assert (await refused(server.sit(table, msg.Sit(token=invitation), [marcus]))).status == 403  # it is void, too

    house.run(play())


def test_a_command_that_waited_while_its_seat_was_lost_is_refused(house: Harness) -> None:
    livia, marcus = person(), person()
    table = house.lay("here", "friend", key=livia, open=True).table

    async def play() -> None:
        await house.server.sit(table, msg.Sit(), [marcus])
        one, two = await Guest.at(house.server, table, livia), await Guest.at(house.server, table, marcus)
        lost, late, by_http = await asyncio.gather(
            one.do("vacate", seat=1),
            two.do("dress", seat=1, name="Nero", colour="black"),
            asyncio.gather(
                house.server.command(table, msg.Dress(id="x", seat=SECOND, name="Otho", colour="black"), [marcus]),
                return_exceptions=True,
            ),
        )
        assert lost["is"] == "done"
        assert late["is"] == "refused"
        assert isinstance(by_http[0], RefusedError)

    house.run(play())
