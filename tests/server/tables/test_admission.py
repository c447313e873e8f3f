"""A hand belongs to its seat: who may make which link, how often it opens, and that everybody hears of it."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing

from avecaesar.server.store.shapes import Grant, Listing
from avecaesar.server.tables import events as e
from avecaesar.server.tables.admission import INVITATION_LASTS, LINK_LASTS, MOST_INVITATIONS, Admission, tag_of
from avecaesar.server.tables.house import hashed, new_key
from avecaesar.server.tables.seats import numbered
from avecaesar.server.wire import messages as msg
from circus import Circus
from harness import Guest, Harness, as_before, person, refused
from seat_numbers import FIRST, FOURTH, SECOND, THIRD

# ---------------------------------------------------------------------- links to a taken seat


def test_only_the_sitter_makes_a_link_to_his_seat(house: Harness) -> None:
    circus = Circus(house)

    async def play() -> None:
        one, two, _ = await circus.gather()
        await one.begin()
        await two.until(lambda guest: guest.table["hands"])
        for peeper in (circus.livia, circus.titus, circus.cleo):
            assert (await refused(circus.link(SECOND, peeper))).status == 403
        assert await circus.link(SECOND, circus.marcus)

    house.run(play())


def test_a_link_to_a_seat_opens_once_and_is_no_key_itself(house: Harness) -> None:
    circus = Circus(house)

    async def play() -> None:
        one, two, _ = await circus.gather()
        await one.begin()
        link = await circus.link(SECOND, circus.marcus)
        assert await circus.seats_of(link) == frozenset()  # as a Bearer it opens nothing
        assert (await circus.server.shown(circus.table, [link])).table.hands == []
        phone, thief = person(), person()
        together = await asyncio.gather(circus.sit(link, phone), circus.sit(link, thief), return_exceptions=True)
        assert sorted(str(each) for each in together) == ["1", "this link is no longer good: ask for another one"]
        assert sorted([len(await circus.seats_of(key)) for key in (phone, thief)]) == [0, 1]
        assert (await refused(circus.sit(link, person()))).status == 403
        assert await circus.seats_of(link) == frozenset()
        await two.until(lambda guest: guest.table["seats"][1]["devices"] == 2)

    house.run(play())


def test_nobody_gets_a_hand_unawares(house: Harness) -> None:
    """What the host did unseen in 0.6 changes what everybody at the table is told."""
    circus = Circus(house)

    async def play() -> None:
        guests = await circus.gather()
        before = len(circus.said())
        link = await circus.link(SECOND, circus.marcus)
        await circus.sit(link, person())
        name = house.running(circus.table).state.chairs[1].name
        assert circus.said()[before:] == [
            f"{name} has made a link for another device.",
            f"{name} now drives from one more device.",
        ]
        for guest in guests:
            await guest.until(lambda guest: guest.table["seats"][1]["devices"] == 2)

    house.run(play())


def test_a_link_for_another_device_tells_of_all_seats_that_it_opens(house: Harness) -> None:
    livia, phone = person(), person()
    laid = house.lay("here", "here", "friend", key=livia)

    async def play() -> None:
        link = (await house.server.link(laid.table, msg.WantLink(seat=SECOND), [livia])).link.partition("#")[2]
        await house.server.sit(laid.table, msg.Sit(token=link), [phone])
        assert (await house.server.who(laid.table, [phone])).seats == {0, 1}
        state = house.running(laid.table).state
        one, two = state.chairs[0].name, state.chairs[1].name
        assert [line.words for line in state.lines][-2:] == [
            f"{one} and {two} have made a link for another device, which will have the host's rights too.",
            f"{one} and {two} now drive from one more device, which has the host's rights too.",
        ]

    house.run(play())


def test_the_first_link_of_a_table_without_friends_is_told_of_and_that_it_makes_a_host(house: Harness) -> None:
    """Two people at one screen: whoever opens the link sees both hands and may do what the host may."""
    livia, phone = person(), person()
    laid = house.lay("here", "here", "scorpus", key=livia)

    async def play() -> None:
        link = (await house.server.link(laid.table, msg.WantLink(seat=FIRST), [livia])).link.partition("#")[2]
        await house.server.sit(laid.table, msg.Sit(token=link), [phone])
        assert (await house.server.who(laid.table, [phone])).host
        state = house.running(laid.table).state
        one, two = state.chairs[0].name, state.chairs[1].name
        assert [line.words for line in state.lines] == [
            f"{one} and {two} have made a link for another device, which will have the host's rights too.",
            f"{one} and {two} now drive from one more device, which has the host's rights too.",
        ]

    house.run(play())


def test_the_invitation_that_a_table_is_laid_with_is_not_told_of_and_all_others_are(house: Harness) -> None:
    livia = person()
    for kinds in (("here", "friend"), ("here", "scorpus")):
        table = house.lay(*kinds, key=livia).table
        assert house.running(table).state.lines == []
        house.run(house.server.link(table, msg.WantLink(), [livia]))
        assert [line.words for line in house.running(table).state.lines] == ["The host has made an invitation."]


def test_a_link_expires_and_a_newer_one_takes_its_place(house: Harness) -> None:
    circus = Circus(house)

    async def play() -> None:
        await circus.gather()
        first, second = [await circus.link(SECOND, circus.marcus) for _ in range(2)]
        assert (await refused(circus.sit(first, person()))).status == 403
        house.time.now += LINK_LASTS
        assert (await refused(circus.sit(second, person()))).status == 403
        assert await circus.sit(await circus.link(SECOND, circus.marcus), person()) == 1

    house.run(play())


def test_a_sitter_shuts_other_devices_out(house: Harness) -> None:
    circus = Circus(house)

    async def play() -> None:
        one, *_ = await circus.gather()
        phone, tablet = person(), person()
        await circus.sit(await circus.link(FIRST, circus.livia), phone)
        there = await circus.guest(phone)
        assert (await circus.server.who(circus.table, [phone])).host
        waiting = await circus.link(FIRST, circus.livia)
        assert (await one.do("shut_out", seat=1))["is"] == "refused"  # not her seat
        assert (await one.do("shut_out", seat=0))["is"] == "done"
        await there.until(lambda guest: guest.table["yours"] == [] and not guest.table["host"])
        assert (await circus.server.who(circus.table, [phone])).host is False
        assert (await refused(circus.sit(waiting, tablet))).status == 403
        await one.until(lambda guest: guest.table["seats"][0]["devices"] == 1)
        assert (one.table["yours"], one.table["host"]) == ([0], True)

    house.run(play())


def test_whoever_sends_several_keys_is_known_by_the_one_that_sits_there(house: Harness) -> None:
    circus = Circus(house)
    elsewhere = person()
    house.lay("here", "friend", key=elsewhere)  # a key of his that the server made, for another table

    async def play() -> None:
        await circus.gather()
        both, store = [elsewhere, circus.marcus], house.server.store
        said = await house.server.command(circus.table, msg.Say(id="1", text="Ave"), both)
        again = await house.server.command(circus.table, msg.Say(id="1", text="Ave"), list(reversed(both)))
        assert said == again  # whichever key comes first, it is the same person's command
        await house.server.command(circus.table, msg.ShutOut(id="2", seat=SECOND), both)
        assert await store.rights(circus.table, [hashed(elsewhere)]) == []
        assert Grant(hashed(circus.marcus), SECOND, "sat") in await store.rights(circus.table, [hashed(circus.marcus)])
        assert await store.writers([tag_of(hashed(circus.marcus))])
        await house.server.command(circus.table, msg.EraseSaying(id="3", number=said.number), [circus.marcus])  # type: ignore[union-attr]

    house.run(play())


def test_of_two_seats_that_somebody_has_with_two_keys_each_stays_with_its_own(house: Harness) -> None:
    circus = Circus(house)

    async def play() -> None:
        await circus.gather()
        both = [circus.marcus, circus.titus]
        await house.server.command(circus.table, msg.ShutOut(id="1", seat=THIRD), both)
        held = {grant for grant in house.running(circus.table).rights.held if grant.role == "sat"}
        keys = (circus.livia, circus.marcus, circus.titus)
        assert held == {Grant(hashed(key), seat, "sat") for seat, key in numbered(keys)}

    house.run(play())


def test_links_of_0_6_which_were_keys_themselves_end_with_the_upgrade(house: Harness) -> None:
    """The sitter's own key is the oldest that a seat has; a seat that is free has none."""
    livia, marcus, titus, phone = (person() for _ in range(4))
    peeping, promised = new_key("s"), new_key("s")
    laid = house.lay("here", "friend", "friend", "friend", key=livia)
    table, invitation = laid.table, (laid.invitation or "").partition("#")[2]

    async def before() -> None:
        for key in (marcus, titus):
            await house.server.sit(table, msg.Sit(token=invitation), [key])
        of_0_6 = [
            Grant(hashed(peeping), SECOND, "drive"),  # a link of the host's to Marcus's seat
            Grant(hashed(phone), FIRST, "drive"),  # which opened one of Livia's to her own
            Grant(hashed(phone), None, "host"),
            Grant(hashed(promised), FOURTH, "drive"),
        ]
        await house.server.store.append(table, [], Listing(False, False, b"{}"), grants=of_0_6)

    async def after() -> None:
        server = house.server
        gone = [await server.who(table, [key]) for key in (peeping, phone, promised, invitation, titus)]
        assert [(who.seats, who.host) for who in gone] == [(frozenset(), False)] * 5
        sitters = [await server.who(table, [key]) for key in (livia, marcus)]
        assert [(sorted(who.seats), who.host) for who in sitters] == [([0], True), ([1], False)]
        for token in (peeping, promised):
            assert (await refused(server.sit(table, msg.Sit(token=token), [person()]))).status == 403
        one = await Guest.at(server, table, livia)
        assert [seat["devices"] for seat in one.table["seats"]] == [1, 1, 0, 0]
        took = [house.running(table).rights.keys_to(seat, "sat") for seat in house.running(table).state.seats]
        assert took == [[hashed(livia)], [hashed(marcus)], [], []]
        assert (await server.sit(table, msg.Sit(token=invitation), [titus])).seat == 3  # it is what it was

    house.run(before())
    as_before(house)
    with closing(sqlite3.connect(house.url.removeprefix("sqlite:///"))) as connection, connection:
        # 0.6 took an invitation for a person's key, if a program sent it as one.
        connection.execute("UPDATE rights SET key = ? WHERE key = ?", (hashed(invitation), hashed(titus)))
    house.restart()
    house.run(after())


# ---------------------------------------------------------------------- invitations


def test_an_invitation_opens_for_many_until_it_expires(house: Harness) -> None:
    circus = Circus(house)

    async def play() -> None:
        await circus.sit(circus.invitation, circus.marcus)
        house.time.now += INVITATION_LASTS
        assert (await refused(circus.sit(circus.invitation, circus.titus))).status == 403
        assert await circus.sit(await circus.link(None, circus.livia), circus.titus) == 2

    house.run(play())


def test_the_host_voids_invitations_and_whoever_was_put_out_is_not_back_by_his(house: Harness) -> None:
    circus = Circus(house)

    async def play() -> None:
        one, two, _ = await circus.gather()
        assert "host" in (await two.do("void_links"))["problem"]
        await one.do("vacate", seat=1)
        assert (await refused(circus.sit(circus.invitation, circus.marcus))).status == 403
        fresh = await circus.link(None, circus.livia)
        promised = await circus.link(SECOND, circus.livia)
        assert (await one.do("void_links"))["is"] == "done"
        for token in (fresh, promised):
            assert (await refused(circus.sit(token, circus.marcus))).status == 403

    house.run(play())


def test_whoever_had_to_make_way_for_a_driver_is_not_back_by_his_invitation(house: Harness) -> None:
    circus = Circus(house)

    async def play() -> None:
        assert await circus.sit(circus.invitation, circus.marcus) == SECOND
        one = await circus.guest(circus.livia)
        assert (await one.do("appoint", seat=1, driver="scorpus"))["is"] == "done"
        assert (await refused(circus.sit(circus.invitation, circus.marcus))).status == 403
        assert circus.said()[-1] == "The host has voided all invitations."

    house.run(play())


def test_a_driver_on_a_free_seat_voids_no_invitation(house: Harness) -> None:
    circus = Circus(house)

    async def play() -> None:
        await (await circus.guest(circus.livia)).do("appoint", seat=1, driver="scorpus")
        assert await circus.sit(circus.invitation, circus.marcus) == THIRD

    house.run(play())


def test_of_many_invitations_the_newest_are_good() -> None:
    admission = Admission()
    for number in range(3 * MOST_INVITATIONS):
        admission.apply(e.Linked(f"{number}", "invitation", None, 10.0), 1.0)
        good = [tag for tag in admission.links if admission.invites(tag, 5.0)]
        assert good == [f"{each}" for each in range(max(0, number - MOST_INVITATIONS + 1), number + 1)]


# ---------------------------------------------------------------------- the host


def test_the_host_hands_his_rights_on_and_has_none_left_on_any_device(house: Harness) -> None:
    circus = Circus(house)

    async def play() -> None:
        one, two, three = await circus.gather()
        phone = person()
        await circus.sit(await circus.link(FIRST, circus.livia), phone)
        waiting = await circus.link(FIRST, circus.livia)
        assert [seat["host"] for seat in one.table["seats"]] == [True, False, False]
        assert "host" in (await three.do("hand_on", seat=2, at=three.table["changed"]))["problem"]
        assert "moved on" in (await one.do("hand_on", seat=1, at=0))["problem"]  # who sits there by now?
        assert (await one.do("hand_on", seat=1, at=one.table["changed"]))["is"] == "done"
        await two.until(lambda guest: guest.table["host"])
        await one.until(lambda guest: not guest.table["host"])
        assert [seat["host"] for seat in two.table["seats"]] == [False, True, False]
        for key in (circus.livia, phone):
            assert (await circus.server.who(circus.table, [key])).host is False
        assert (await refused(circus.sit(waiting, person()))).status == 403
        assert "host" in (await one.do("vacate", seat=1))["problem"]
        await two.begin()
        await one.until(lambda guest: guest.table["phase"] == "racing")

    house.run(play())


# ---------------------------------------------------------------------- what opens nothing


def test_a_closed_table_takes_no_links_and_lets_nobody_in_by_one(house: Harness) -> None:
    circus = Circus(house)

    async def play() -> None:
        await circus.gather()
        link = await circus.link(SECOND, circus.marcus)
        await circus.server.shut(circus.table)
        assert "closed" in (await refused(circus.link(SECOND, circus.marcus))).problem
        assert "closed" in (await refused(circus.sit(link, person()))).problem

    house.run(play())


def test_a_tag_opens_nothing() -> None:
    key = new_key("s")
    assert tag_of(hashed(key)) in hashed(key)
    assert len(tag_of(hashed(key))) < len(hashed(key)) // 2
