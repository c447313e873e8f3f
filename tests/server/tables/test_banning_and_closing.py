"""The host bans somebody or closes his table, and his rights are looked at again under the lock."""

from __future__ import annotations

import pytest

from avecaesar.server.refused import RefusedError
from avecaesar.server.tables.house import hashed
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person
from seat_numbers import SECOND, THIRD
from words_kept import lay, names, sit


def test_the_host_bans_somebody_who_then_comes_back_by_no_way(house: Harness) -> None:
    livia, marcus, titus = person(), person(), person()
    laid = lay(house, livia, "Livia", "", "", open=True)
    sit(house, laid, marcus, "Marcus")
    sit(house, laid, titus, "Titus")

    async def play() -> None:
        mine, his, third = [await Guest.at(house.server, laid.table, key) for key in (livia, marcus, titus)]
        assert (await third.do("ban", seat=1, at=third.table["changed"]))["problem"] == "only the host may do that"
        assert (await mine.do("ban", seat=0, at=mine.table["changed"]))["problem"] == "you sit there yourself"
        assert (await mine.do("ban", seat=1, at=0))["is"] == "refused"  # somebody else may have sat down there
        assert (await mine.do("ban", seat=1, at=mine.table["changed"]))["is"] == "done"
        assert (await his.do("say", text="I am here"))["is"] == "refused"
        await his.until(lambda guest: guest.table["number"] >= mine.table["number"])
        assert (his.table["banned"], his.table["yours"], third.table["banned"]) == (True, [], False)
        assert "The host has banned Marcus from this table." in [line["words"] for line in his.story]
        with pytest.raises(RefusedError, match="banned from this table"):
            await house.server.sit(laid.table, msg.Sit(name="Marcus"), [marcus])
        assert (await Guest.at(house.server, laid.table, marcus)).table["banned"]
        assert (await mine.do("ban", seat=1, at=mine.table["changed"]))["problem"] == "no person sits there"

    house.run(play())
    house.restart()
    with pytest.raises(RefusedError, match="banned from this table"):
        house.run(house.server.sit(laid.table, msg.Sit(name="Marcus"), [marcus]))


def test_a_ban_frees_all_seats_of_a_person_and_never_the_hosts(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = lay(house, livia, "Livia", "", "", open=True)
    sit(house, laid, marcus, "Marcus")
    sit_again = msg.Sit(seat=THIRD, name="Marcia")
    house.run(house.server.sit(laid.table, sit_again, [marcus]))
    running = house.running(laid.table)
    number = house.run(house.server.command(laid.table, msg.Ban(id="1", at=running.state.changed, seat=THIRD), [livia]))
    assert isinstance(number, msg.Done)
    assert [chair.taken for chair in running.state.chairs] == [True, False, False]
    assert house.run(house.server.shown(laid.table, [marcus])).table.yours == ()


def test_the_host_closes_his_table_and_nobody_elses(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = lay(house, livia, "Livia", "")
    sit(house, laid, marcus, "Marcus")

    async def play() -> None:
        mine, his = [await Guest.at(house.server, laid.table, key) for key in (livia, marcus)]
        assert (await his.do("close", at=his.table["changed"]))["problem"] == "only the host may do that"
        await mine.begin()
        assert (await mine.do("close", at=mine.table["changed"]))["is"] == "done"
        await his.until(lambda guest: guest.table["closed"])
        assert "The table is closed by the host." in [line["words"] for line in his.story]
        assert (await his.do("say", text="Why?"))["problem"] == "this table is closed"
        assert (await mine.do("close", at=mine.table["changed"]))["problem"] == "this table is closed"
        mine.leave()
        his.leave()

    house.run(play())


def test_rights_are_looked_at_again_under_the_lock(house: Harness) -> None:
    """Whoever was the host when he asked, and is it no longer when his turn comes, erases nothing."""
    livia, marcus = person(), person()
    laid = lay(house, livia, "Livia", "")
    sit(house, laid, marcus, "Marcus")
    running = house.running(laid.table)

    async def play() -> None:
        before = await running.rights.of([hashed(livia)])
        await house.server.command(laid.table, msg.HandOn(id="h", at=running.state.changed, seat=SECOND), [livia])
        for number, command in enumerate(("EraseWords", "CloseTable")):
            with pytest.raises(RefusedError, match="only the host"):
                await running.command(before, getattr(msg, command)(id=str(number), at=running.state.changed))
        with pytest.raises(RefusedError, match="only the host"):
            await running.command(before, msg.Ban(id="b", at=running.state.changed, seat=SECOND))

    house.run(play())
    assert names(house, laid.table) == ["Livia", "Marcus"]
