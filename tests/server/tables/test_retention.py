"""How long tables are kept, and that nothing is erased before its time."""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from avecaesar.cli.serve import days
from avecaesar.server.rates import InMemory, Rate
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables.house import House, hashed
from avecaesar.server.tables.retention import A_DAY, A_STEP, LOOK, USUAL
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person
from seat_numbers import SECOND
from servers import ServerClient, in_a_thread


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerClient]:
    with in_a_thread(tmp_path_factory.mktemp("retention") / "tables.db") as server:
        yield server


def tables(house: Harness) -> set[str]:
    return {row.table for row in house.run(house.server.store.all(1000))}


def look(house: Harness) -> int:
    return house.run(house.server.retention.look())


def closed(house: Harness, key: str) -> str:
    """A table that is over."""
    table = house.lay("here", "friend", key=key).table
    house.run(house.server.command(table, msg.CloseTable(id="c", at=house.running(table).state.changed), [key]))
    house.run(house.server.waking.nap())
    return table


def finished(house: Harness, key: str) -> str:
    """A table whose last race is over."""
    laid = house.lay("here", "scorpus", key=key, away=None)

    async def play() -> None:
        mine = await Guest.at(house.server, laid.table, key)
        await mine.begin()
        await mine.race()
        mine.leave()

    house.run(play())
    return laid.table


def pass_by(house: Harness, seconds: float) -> None:
    """Nobody does anything for so long."""
    house.time.now += seconds
    house.time.passed += seconds


def test_finished_tables_and_those_never_begun_are_erased_after_ninety_days_and_others_never(house: Harness) -> None:
    livia = person()
    over, never, shut = finished(house, livia), house.lay("here", "friend", key=livia).table, closed(house, livia)
    racing = house.lay("here", "friend", key=livia, away=None).table
    house.run(house.server.command(racing, msg.Appoint(id="a", seat=SECOND, driver="scorpus"), [livia]))
    house.run(house.server.command(racing, msg.Begin(id="b", at=house.running(racing).state.changed), [livia]))
    house.run(house.server.command(racing, msg.Pause(id="p"), [livia]))
    house.run(house.server.waking.nap())
    pass_by(house, USUAL - 1)
    assert look(house) == 0
    late = house.lay("here", "friend", key=livia).table
    pass_by(house, 2)
    assert (look(house), tables(house)) == (3, {racing, late})
    assert {over, never, shut}.isdisjoint(tables(house))
    with pytest.raises(RefusedError, match="no such table"):
        house.run(house.server.shown(over, [livia]))
    with closing(sqlite3.connect(house.url.removeprefix("sqlite:///"))) as database:
        assert {name for (name,) in database.execute('SELECT DISTINCT "table" FROM words')} == {racing, late}


def test_it_is_counted_from_the_upgrade_at_the_earliest(house: Harness) -> None:
    livia = person()
    old = house.lay("here", "friend", key=livia).table
    house.run(house.server.close())
    house.servers.clear()
    with closing(sqlite3.connect(house.url.removeprefix("sqlite:///"))) as database:
        database.execute("DELETE FROM notes")  # as a database of before
        database.commit()
    pass_by(house, 1000 * A_DAY)
    house.server = house.open()
    assert (look(house), tables(house)) == (0, {old})
    pass_by(house, USUAL - 1)
    house.restart()  # which changes nothing about it
    assert look(house) == 0
    pass_by(house, 2)
    assert (look(house), tables(house)) == (1, set())


def test_it_looks_by_itself_an_hour_after_the_start_and_every_hour(house: Harness) -> None:
    house.lay("here", "friend", key=person())
    house.run(house.server.waking.nap())
    pass_by(house, USUAL)

    async def hours(many: int) -> None:
        for _ in range(many):
            await house.time.pass_by(LOOK)
            while house.server.store.queued:
                await house.time.pass_by(0)
            await house.server.store.probe()  # whatever was under way is done

    house.run(hours(1))  # the clocks were set forward, as it were, before it began to sleep: it does not trust them
    house.run(hours(2))
    assert tables(house) == set()


def test_a_clock_that_is_wrong_erases_nothing(house: Harness) -> None:
    house.lay("here", "friend", key=person())
    house.run(house.server.waking.nap())
    looks: list[int] = []

    async def looked() -> int:
        looks.append(1)
        return 0

    house.server.retention.look = looked  # type: ignore[method-assign]
    house.time.now += 10 * 365 * A_DAY  # the battery is empty
    house.run(house.time.pass_by(LOOK))
    assert looks == []
    house.time.now -= 10 * 365 * A_DAY  # and the right time is found out
    house.run(house.time.pass_by(LOOK))
    assert looks == []
    house.run(house.time.pass_by(LOOK))
    assert looks == [1]


def test_many_are_erased_in_small_steps_and_those_that_stay_stop_nobody(house: Harness) -> None:
    livia = person()
    racing = set()
    for _ in range(2):
        laid = house.lay("here", "scorpus", key=livia, away=None)
        house.run(
            house.server.command(laid.table, msg.Begin(id="b", at=house.running(laid.table).state.changed), [livia])
        )
        house.run(house.server.command(laid.table, msg.Pause(id="p"), [livia]))
        racing.add(laid.table)
    for _ in range(A_STEP + 2):
        house.lay("here", "friend", key=livia)
    house.run(house.server.waking.nap())
    pass_by(house, USUAL + 1)
    assert (look(house), tables(house)) == (A_STEP + 2, racing)


def test_whoever_looks_at_a_table_is_not_shown_out(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "friend", key=livia).table
    guest = house.run(Guest.at(house.server, table, livia))
    pass_by(house, USUAL + 1)
    assert (look(house), tables(house)) == (0, {table})
    guest.leave()
    assert look(house) == 1


def test_forever_is_forever(house: Harness) -> None:
    house.lay("here", "friend", key=person())
    server = House(house.server.store, house.thinkers, house.time, house.time.sleep, house.time.steady, keep=None)
    house.run(server.retention.open())
    pass_by(house, 1e6 * A_DAY)
    assert house.run(server.retention.look()) == 0
    assert server.retention.until(0.0) is None


def test_what_is_shared_by_link_is_kept_until_it_is_shared_no_longer(house: Harness) -> None:
    livia, marcus, stranger = person(), person(), person()
    laid = house.lay("here", "friend", key=livia, open=True)
    house.run(house.server.sit(laid.table, msg.Sit(), [marcus]))
    table, server = laid.table, house.server
    with pytest.raises(RefusedError) as refused:
        house.run(server.share(table, [stranger], True))
    assert refused.value.status == 403
    row = house.run(server.store.row(table))
    assert row is not None
    assert house.run(server.sharing(table, [marcus])) == msg.Sharing(row.updated + USUAL, False, False, True)
    for key in (livia, marcus, marcus):
        assert house.run(server.share(table, [key], True)) == msg.Sharing(None, True, True, True)
    assert house.run(server.sharing(table, [])) == msg.Sharing(None, True, False, False)
    house.run(server.waking.nap())
    pass_by(house, USUAL + 1)
    assert look(house) == 0
    house.run(server.share(table, [stranger], False))  # who shares nothing stops nothing
    house.run(server.share(table, [livia], False))
    assert house.run(server.sharing(table, [livia])).shared  # somebody else does
    assert look(house) == 0
    house.run(server.forget([marcus]))  # whoever is forgotten shares nothing any more
    house.run(server.waking.nap())
    pass_by(house, USUAL + 1)
    assert (look(house), tables(house)) == (1, set())


def test_nothing_is_written_and_nobody_told_where_sharing_changes_nothing(house: Harness, monkeypatch: Any) -> None:
    livia, marcus = person(), person()
    laid = house.lay("here", "friend", key=livia, open=True)
    house.run(house.server.sit(laid.table, msg.Sit(), [marcus]))
    running, done = house.running(laid.table), list[str]()
    append, announce = house.server.store.append, running.announcing.announce

    async def appended(*args: Any, **kwargs: Any) -> None:
        done.append("written")
        await append(*args, **kwargs)

    def announced() -> None:
        done.append("told")
        announce()

    monkeypatch.setattr(house.server.store, "append", appended)
    monkeypatch.setattr(running.announcing, "announce", announced)
    for key, on in ((person(), False), (marcus, False), (marcus, True), (marcus, True), (marcus, False)):
        house.run(house.server.share(laid.table, [key], on))
    assert done == ["written", "written"]  # what changes is written, and at the table nobody sees it


def test_a_seat_shares_once_with_the_device_that_did_so_last(house: Harness) -> None:
    livia, marcus, phone = person(), person(), person()
    laid = house.lay("here", "friend", key=livia, open=True)
    table, server = laid.table, house.server
    house.run(server.sit(table, msg.Sit(), [marcus]))
    link = house.run(server.link(table, msg.WantLink(seat=SECOND), [marcus])).link.partition("#")[2]
    house.run(server.sit(table, msg.Sit(token=link), [phone]))
    elsewhere = person()
    house.lay("here", "friend", key=elsewhere)
    for keys, sharer in (([livia], livia), ([marcus], marcus), ([phone], phone), ([elsewhere, marcus], marcus)):
        house.run(server.share(table, keys, True))
        others = {hashed(livia)} - {hashed(sharer)}
        assert set(house.run(server.store.shared_by(table))) - others == {hashed(sharer)}


def test_sharing_is_counted(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "friend", key=livia).table
    house.server.quotas, house.server.rates = replace(house.quotas, deeds=Rate(1e-9, 2)), InMemory()
    assert [house.run(house.server.share(table, [livia], on)).yours for on in (True, True, False)] == [
        True,
        True,
        False,
    ]
    with pytest.raises(RefusedError) as refused:
        house.run(house.server.share(table, [livia], True))
    assert refused.value.status == 429


def test_only_keys_that_the_server_made_share_and_no_other_becomes_one_by_it(served: ServerClient) -> None:
    laid = served.lay({"kind": "here"}, {"kind": "friend"})
    replay = f"/api/replays/{laid['table']}.0/sharing"
    page, own = {"Origin": str(served.client.base_url).rstrip("/")}, {"Authorization": f"Bearer {laid['token']}"}
    made_up = {"Cookie": f"avecaesar={person()}"}
    for on in (False, True):
        assert served.client.post(replay, json={"share": on}, headers={**page, **made_up}).status_code == 401
    shared = served.client.post(replay, json={"share": True}, headers={**page, **made_up, **own})
    assert (shared.status_code, shared.json()["yours"]) == (200, True)
    assert served.client.get(replay, headers=own).json()["yours"] is True
    again = served.client.post("/api/tables", json={"seats": [{"kind": "here"}, {}]}, headers={**page, **made_up})
    served.client.cookies.clear()
    assert "set-cookie" in again.headers  # the one that he thought up is still worth nothing


def test_a_replay_says_how_long_it_is_kept(served: ServerClient) -> None:
    laid = served.lay()
    replay = f"/api/replays/{laid['table']}.0/sharing"
    own = {"Authorization": f"Bearer {laid['token']}"}
    told = served.client.get(replay).json()
    assert (told["shared"], told["may"], told["until"] > 0) == (False, False, True)
    assert served.client.post(replay, json={"share": True}).status_code == 401
    assert served.client.post(replay, json={"share": True}, headers=own).json()["yours"] is True
    assert served.client.get(replay).json() == {"until": None, "shared": True, "yours": False, "may": False}
    assert served.client.post(replay, json={"share": False}, headers=own).json()["shared"] is False
    assert served.client.get("/api/replays/nowhere.0/sharing").status_code == 404
    assert served.client.post(f"/api/replays/{'0' * 64}/sharing", json={"share": True}, headers=own).status_code == 404
    assert served.client.get("/api/keeping").json() == {"days": 90}


@pytest.mark.parametrize("text", ["90d", "90", "1d", "forever"])
def test_a_time_to_keep_tables_is_read(text: str) -> None:
    assert days(text) == {"90d": 90, "90": 90, "1d": 1, "forever": None}[text]


@pytest.mark.parametrize("text", ["", "d", "0d", "-1d", "90 days", "2w", "1.5d", "٩d", "9999999d"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="90d, or forever"):
        days(text)
