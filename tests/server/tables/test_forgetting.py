"""Whoever wants to be forgotten is nowhere any more, and nobody else loses a word."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import json
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

from avecaesar.game import Race
from avecaesar.records import Record, referee, to_json
from avecaesar.server.content.annals import OfTable, chronicle_key
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables import written
from avecaesar.server.tables.admission import tag_of
from avecaesar.server.tables.house import hashed, new_key
from avecaesar.server.tables.seats import numbered
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person, token_of
from seat_numbers import FIRST, SECOND
from servers import ServerClient, in_a_thread
from words_kept import everything, lay, names, rows, sit, told, upload


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerClient]:
    with in_a_thread(tmp_path_factory.mktemp("privacy") / "tables.db") as server:
        yield server


def test_whoever_is_forgotten_is_nowhere_any_more_and_nobody_else_loses_a_word(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = lay(house, marcus, "Marcus", "")
    other = lay(house, livia, "Livia", "", title="Saturnalia")
    sit(house, laid, livia, "Livia")
    tag = tag_of(hashed(livia)).encode()

    async def play() -> None:
        hers, his = [await Guest.at(house.server, laid.table, key) for key in (livia, marcus)]
        await hers.do("say", text="Ave Marce")
        await his.do("say", text="Salve bella")
        await hers.do("shake", share="ab" * 16)
        assert tag in everything(house)
        await his.begin()
        await hers.do("say", text="iterum")
        answer = await house.server.forget([livia])
        assert answer.tables == 2
        await his.until(lambda guest: not guest.table["seats"][1]["taken"])
        assert [seat["name"] for seat in his.table["seats"]] == ["Marcus", "Nemo"]
        assert "Livia" not in json.dumps([his.table, his.story])
        erased = [line for line in his.story if line["kind"] == "said" and line["erased"]]
        assert [line["words"] for line in erased] == ["(erased)", "(erased)"]
        assert any(line["words"] == "Salve bella" for line in his.story)
        assert (await hers.do("say", text="again"))["is"] == "refused"  # on the line that she has, at once
        hers.leave()
        await house.time.pass_by(60)
        await his.race()  # a stand-in drives her chariot to its end
        his.leave()

    house.run(play())
    for word in (b"Livia", b"Ave Marce", b"iterum", b"Saturnalia", tag):
        assert word not in everything(house)
    assert b"Salve bella" in everything(house)
    assert house.run(house.server.recognised([livia])) == ()
    assert rows(house, f"SELECT * FROM rights WHERE key = '{hashed(livia)}'") == []
    house.restart()
    assert names(house, laid.table) == ["Marcus", "Nemo"]
    assert "Livia" not in " ".join(told(house, laid.table))
    record = house.run(house.server.record(laid.table, 0))
    assert referee(record)[0].over
    assert b"Livia" not in to_json(record)
    assert house.run(house.server.shown(other.table, [])).table.closed  # nobody else sat there


def test_a_forgotten_host_leaves_the_table_to_somebody_who_sits_there(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = lay(house, livia, "Livia", "", "")
    sit(house, laid, marcus, "Marcus")
    house.run(house.server.forget([livia]))
    shown = house.run(house.server.shown(laid.table, [marcus])).table
    assert (shown.host, shown.closed, shown.seats[0].taken) == (True, False, False)
    assert "Marcus is the host now." in told(house, laid.table)


def test_whoever_took_a_chariot_over_cannot_erase_the_name_it_goes_by(house: Harness) -> None:
    livia, marcus, gaius, titus = person(), person(), person(), person()
    laid = lay(house, livia, "Livia", "", "")
    sit(house, laid, marcus, "Marcus")
    sit(house, laid, gaius, "Gaius")

    async def play() -> None:
        mine, his, third = [await Guest.at(house.server, laid.table, key) for key in (livia, marcus, gaius)]
        await mine.begin()
        await his.do("stand", seat=1)
        invitation = token_of((await house.server.link(laid.table, msg.WantLink(), [livia])).link)
        await house.server.take_over(laid.table, msg.TakeOver(seat=SECOND, name="Titus", token=invitation), [titus])
        for guest in (mine, third):
            await guest.until(lambda guest: guest.table["seats"][1]["wish"])
            await guest.do("agree", seat=1, wish=guest.table["seats"][1]["wish"]["number"])
        for guest in (mine, his, third):
            guest.leave()

    house.run(play())
    assert house.run(house.server.shown(laid.table, [titus])).table.yours == (1,)
    house.run(house.server.forget([titus]))
    assert names(house, laid.table) == ["Livia", "Marcus", "Gaius"]
    assert b"Titus" not in everything(house)
    house.run(house.server.forget([marcus]))  # who sits there no longer; but it was his
    assert names(house, laid.table) == ["Livia", "Nemo", "Gaius"]
    assert b"Marcus" not in everything(house)


def test_a_name_that_the_host_gave_a_guest_goes_with_the_guest_and_stays_with_the_host_gone(house: Harness) -> None:
    livia, marcus, titus = person(), person(), person()
    laid = lay(house, livia, "Livia", "Marcus", "Titus")
    sit(house, laid, marcus)
    sit(house, laid, titus)
    house.run(house.server.forget([titus]))
    assert b"Titus" not in everything(house)
    house.run(house.server.forget([livia]))
    assert names(house, laid.table)[1] == "Marcus"


def test_words_from_a_second_device_go_with_the_seat(house: Harness) -> None:
    livia, marcus, phone = person(), person(), person()
    laid = lay(house, livia, "Livia", "")
    sit(house, laid, marcus, "Marcus")
    link = token_of(house.run(house.server.link(laid.table, msg.WantLink(seat=SECOND), [marcus])).link)
    house.run(house.server.sit(laid.table, msg.Sit(token=link), [phone]))
    house.run(house.server.command(laid.table, msg.Say(id="1", text="from my phone"), [phone]))
    house.run(house.server.forget([marcus]))
    assert b"from my phone" not in everything(house)
    assert house.run(house.server.shown(laid.table, [phone])).table.yours == ()


@pytest.mark.parametrize("opener", ["the host", "another guest"])
def test_whoever_opened_somebodys_link_beside_a_place_of_his_own_is_somebody_else(house: Harness, opener: str) -> None:
    livia, marcus, titus = person(), person(), person()
    laid = lay(house, livia, "Livia", "", "", title="Saturnalia")
    sit(house, laid, marcus, "Marcus")
    sit(house, laid, titus, "Titus")
    trapped = livia if opener == "the host" else titus
    own = 0 if opener == "the host" else 2
    for number, key in enumerate((livia, marcus, titus)):
        house.run(house.server.command(laid.table, msg.Say(id="1", text=f"saying {number}"), [key]))

    def open_link() -> None:
        link = token_of(house.run(house.server.link(laid.table, msg.WantLink(seat=SECOND), [marcus])).link)
        house.run(house.server.sit(laid.table, msg.Sit(token=link), [trapped]))

    open_link()
    assert house.run(house.server.shown(laid.table, [trapped])).table.yours == tuple(sorted({1, own}))
    house.run(house.server.forget([marcus]))
    assert b"Marcus" not in everything(house)
    assert b"saying 1" not in everything(house)
    for word in (b"Livia", b"Titus", b"Saturnalia", b"saying 0", b"saying 2"):
        assert word in everything(house)
    after = house.run(house.server.shown(laid.table, [trapped])).table
    assert (after.yours, after.host) == ((own,), opener == "the host")


def test_whoever_is_forgotten_takes_no_seat_and_no_words_of_one_whose_link_he_opened(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = lay(house, livia, "Livia", "", "")
    sit(house, laid, marcus, "Marcus")
    house.run(house.server.command(laid.table, msg.Say(id="1", text="Salve"), [marcus]))
    link = token_of(house.run(house.server.link(laid.table, msg.WantLink(seat=SECOND), [marcus])).link)
    house.run(house.server.sit(laid.table, msg.Sit(token=link), [livia]))
    house.run(house.server.forget([livia]))
    shown = house.run(house.server.shown(laid.table, [marcus])).table
    assert (shown.yours, shown.host, shown.seats[1].devices) == ((1,), True, 1)
    assert names(house, laid.table)[:2] == ["Nemo", "Marcus"]
    assert b"Salve" in everything(house)


def test_a_host_who_is_forgotten_is_host_no_more_though_he_holds_the_heirs_seat(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = lay(house, livia, "Livia", "", "")
    sit(house, laid, marcus, "Marcus")
    link = token_of(house.run(house.server.link(laid.table, msg.WantLink(seat=SECOND), [marcus])).link)
    house.run(house.server.sit(laid.table, msg.Sit(token=link), [livia]))
    open_page = house.run(Guest.at(house.server, laid.table, livia))
    house.run(house.server.forget([livia]))
    assert not open_page.connection.who.host
    assert not any(grant.key == hashed(livia) for grant in house.running(laid.table).rights.held)


def test_the_hosts_seat_is_his_also_on_a_device_whose_key_was_made_anew(house: Harness) -> None:
    laptop, phone, anew = person(), person(), new_key("h")
    laid = lay(house, laptop, "Livia", "")
    link = token_of(house.run(house.server.link(laid.table, msg.WantLink(seat=FIRST), [laptop])).link)
    house.run(house.server.sit(laid.table, msg.Sit(token=link), [phone]))
    house.run(house.server.sit(laid.table, msg.Sit(seat=FIRST), [anew, phone]))
    house.run(house.server.forget([anew, phone]))
    running = house.running(laid.table)
    assert (running.state.chairs[0].taken, running.state.closed, list(running.rights.held)) == (False, True, [])


def test_the_hosts_other_device_is_forgotten_with_him(house: Harness) -> None:
    livia, phone = person(), person()
    laid = lay(house, livia, "Livia", "")
    link = token_of(house.run(house.server.link(laid.table, msg.WantLink(seat=FIRST), [livia])).link)
    house.run(house.server.sit(laid.table, msg.Sit(token=link), [phone]))
    house.run(house.server.command(laid.table, msg.Say(id="1", text="from my phone"), [phone]))
    house.run(house.server.forget([livia]))
    assert b"from my phone" not in everything(house)


def test_whoever_sits_down_after_a_race_erases_no_name_from_it(house: Harness) -> None:
    livia, marcus, titus, nero = person(), person(), person(), person()
    laid = lay(house, livia, "Livia", "Marcus", open=True)
    sit(house, laid, marcus)

    async def play() -> None:
        mine, his = [await Guest.at(house.server, laid.table, key) for key in (livia, marcus)]
        await mine.begin()
        await his.until(lambda guest: guest.table["phase"] == "racing")
        await asyncio.gather(mine.race(), his.race())
        await mine.do("stand", seat=0)
        await his.do("stand", seat=1)
        mine.leave()
        his.leave()
        for seat, key in numbered((titus, nero)):  # under the names that the seats have
            await house.server.sit(laid.table, msg.Sit(seat=seat), [key])
            await house.server.forget([key])

    house.run(play())
    record = house.run(house.server.record(laid.table, 0))
    assert {chariot.name for chariot in record.races[0].chariots} == {"Livia", "Marcus"}
    house.run(house.server.forget([marcus]))
    record = house.run(house.server.record(laid.table, 0))
    assert {chariot.name for chariot in record.races[0].chariots} == {"Livia", "Nemo 2"}
    assert b"Marcus" not in everything(house)  # the host had put it on his seat


def test_a_wish_is_withdrawn_with_whoever_is_forgotten(house: Harness) -> None:
    livia, marcus, titus = person(), person(), person()
    laid = lay(house, livia, "Livia", "", "", open=True)
    sit(house, laid, marcus, "Marcus")
    sit(house, laid, person(), "Gaius")

    async def play() -> None:
        mine = await Guest.at(house.server, laid.table, livia)
        await mine.begin()
        await house.server.command(laid.table, msg.Vacate(id="v", seat=SECOND), [livia])
        await house.server.take_over(laid.table, msg.TakeOver(seat=SECOND, name="Titus"), [titus])
        await house.server.forget([titus])
        await mine.until(lambda guest: guest.story and "any more" in guest.story[-1]["words"])
        assert mine.table["seats"][1]["wish"] is None
        mine.leave()

    house.run(play())
    assert b"Titus" not in everything(house)


def test_a_server_that_is_killed_in_between_can_be_asked_again(house: Harness) -> None:
    livia = person()
    laid = [lay(house, livia, "Livia", "", title=f"Table {number}") for number in range(3)]
    first, *_ = sorted(each.table for each in laid)
    house.run(house.server._forget_at(first, [hashed(livia)]))
    house.restart()
    assert house.run(house.server.recognised([livia])) == (livia,)
    house.run(house.server.forget([livia]))
    assert b"Livia" not in everything(house)


def test_what_was_made_of_its_races_is_dropped_with_the_words(house: Harness) -> None:
    livia = person()
    laid = house.lay("here", "scorpus", key=livia, away=None)

    async def play() -> None:
        mine = await Guest.at(house.server, laid.table, livia)
        await mine.begin()
        await mine.race()
        mine.leave()
        store = house.server.store
        record = await house.server.record(laid.table, 0)
        digest = hashlib.sha256(to_json(record)).hexdigest()
        await store.keep_of(laid.table, 0, "chronicle", chronicle_key(digest, 0, laid.table), b"her name")
        await upload(house, to_json(record))
        await store.keep_of_record(digest, "chronicle", chronicle_key(digest, 0), b"her name")
        await house.server.forget([livia])
        assert [await store.kept("record", digest)] == [None]
        assert rows(house, "SELECT kind FROM kept WHERE kind = 'chronicle'") == []
        late = OfTable(laid.table, 0)  # it was being written all the while
        await store.keep_of(late.table, late.erasures, "chronicle", chronicle_key(digest, 0, laid.table), b"her name")
        assert rows(house, "SELECT kind FROM kept WHERE kind = 'chronicle'") == []

    house.run(play())


def test_a_record_that_is_kept_or_being_written_has_no_name_any_more_that_is_erased(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia, marcus = person(), person()
    laid = lay(house, livia, "Livia", "", away=None)
    sit(house, laid, marcus, "Marcus")
    server, write = house.server, written.kept_record
    begun, goes_on = asyncio.Event(), threading.Event()

    async def play() -> weakref.ref[Race]:
        guests = [await Guest.at(server, laid.table, key) for key in (livia, marcus)]
        await guests[0].begin()
        await guests[1].until(lambda guest: guest.table["phase"] == "racing")
        await asyncio.gather(*(guest.race() for guest in guests))
        for guest in guests:
            guest.leave()
        assert b"Livia" in (await server.kept_record(laid.table, 0)).body
        race = weakref.ref(house.running(laid.table).state.races_run(0)[-1])
        await server.forget([livia])
        loop = asyncio.get_running_loop()

        def wait_and_write(record: Record) -> Any:
            loop.call_soon_threadsafe(begun.set)
            goes_on.wait()
            return write(record)

        monkeypatch.setattr(written, "kept_record", wait_and_write)
        asking = asyncio.create_task(server.kept_record(laid.table, 0))
        await asyncio.wait({asking, asyncio.create_task(begun.wait())}, return_when=asyncio.FIRST_COMPLETED)
        assert begun.is_set(), "the record of before was found"
        await server.forget([marcus])
        goes_on.set()
        for kept in (await asking, await server.kept_record(laid.table, 0)):
            assert b"Livia" not in kept.body
            assert b"Marcus" not in kept.body
        return race

    race = house.run(play())
    gc.collect()
    assert race() is None  # nor does the server hold the record of old
    assert len(server.records) == 1


def test_uploads_of_a_table_are_found_whatever_else_of_them_is_changed(house: Harness) -> None:
    livia, marcus, titus = person(), person(), person()
    laid = lay(house, livia, "Livia", "", open=True)
    other = house.lay("here", "scorpus", key=livia, away=None)
    sit(house, laid, marcus, "Marcus")

    async def race(table: str, *keys: str) -> bytes:
        guests = [await Guest.at(house.server, table, key) for key in keys]
        await guests[0].begin()
        for guest in guests:
            await guest.until(lambda guest: guest.table["phase"] == "racing")
        await asyncio.gather(*(guest.race() for guest in guests))
        for guest in guests:
            guest.leave()
        return to_json(await house.server.record(table, 0))

    async def play() -> None:
        first, second = await race(laid.table, livia, marcus), await race(other.table, livia)
        elsewhere, store = await upload(house, second), house.server.store
        changed = first.replace(b'"Livia"', b'"Lydia"').replace(b'"driver":"human"', b'"driver":"bibulus"')
        assert changed != first
        uploads = [await upload(house, body) for body in (first, changed)]
        await store.keep_of_record(uploads[1], "chronicle", chronicle_key(uploads[1], 0), b"his name")
        await house.server.command(laid.table, msg.Stand(id="1", seat=FIRST), [livia])
        await house.server.sit(laid.table, msg.Sit(seat=FIRST, name="Titus"), [titus])
        await house.server.forget([titus])  # who was in no race
        assert None not in [await store.kept("record", digest) for digest in uploads]
        at = house.running(laid.table).state.changed
        await house.server.command(laid.table, msg.Appoint(id="2", seat=SECOND, driver="bibulus"), [livia])
        assert house.running(laid.table).state.changed > at
        await house.server.forget([marcus])
        assert [await store.kept("record", digest) for digest in (*uploads, elsewhere)] == [None, None, second]

    house.run(play())
    assert b"Marcus" not in everything(house)
    assert rows(house, "SELECT kind FROM kept WHERE kind = 'chronicle'") == []
    assert len(rows(house, "SELECT * FROM seals")) == 1


def test_all_lessons_have_the_same_seal_and_only_ones_own_is_dropped(house: Harness) -> None:
    livia, marcus = person(), person()
    tables = [
        house.run(
            house.server.lay(msg.NewTable(seats=(msg.SeatPlan(kind="here", name=name),), lesson=True, pace=0), key)
        )
        for name, key in (("Livia", livia), ("Marcus", marcus))
    ]

    async def play() -> None:
        uploads = []
        for laid, key in zip(tables, (livia, marcus), strict=True):
            pupil = await Guest.at(house.server, laid.table, key)
            await pupil.begin()
            await pupil.race()
            pupil.leave()
            uploads.append(await upload(house, to_json(await house.server.record(laid.table, 0))))
        await house.server.forget([livia])
        kept = [await house.server.store.kept("record", digest) is not None for digest in uploads]
        assert kept == [False, True]

    house.run(play())


def test_forgetting_too_often_is_refused(house: Harness) -> None:
    statuses = []
    for _ in range(house.quotas.forgetting.at_once + 1):
        try:
            house.run(house.server.forget([person()], "192.0.2.7"))
            statuses.append(200)
        except RefusedError as error:
            statuses.append(error.status)
    assert statuses == [200] * house.quotas.forgetting.at_once + [429]


def test_a_browser_loses_its_cookie_and_a_stranger_is_told_that_nobody_knows_him(served: ServerClient) -> None:
    page = {"Origin": str(served.client.base_url).rstrip("/")}
    laid = served.client.post("/api/tables", json={"seats": [{"kind": "here", "name": "Livia"}, {}]}, headers=page)
    cookie = laid.headers["set-cookie"].partition(";")[0]
    told = served.client.post("/api/forget", json={}, headers={**page, "Cookie": cookie})
    assert (told.status_code, told.json()) == (200, {"tables": 1})
    assert told.headers["set-cookie"].startswith("avecaesar=; Path=/; Max-Age=0; HttpOnly")
    served.client.cookies.clear()
    again = served.client.post("/api/forget", json={}, headers={**page, "Cookie": cookie})
    assert (again.status_code, again.json()) == (200, {"tables": 0})
    assert served.client.post("/api/forget", json={}, headers=page).json() == {"tables": 0}
    elsewhere = {"Origin": "https://evil.example", "Cookie": cookie}
    assert served.client.post("/api/forget", json={}, headers=elsewhere).status_code == 403
    assert served.client.post("/api/forget", json={"all": True}, headers={**page, "Cookie": cookie}).status_code == 400


def test_whoever_has_left_keeps_his_key_as_long_as_he_has_words_to_erase(served: ServerClient) -> None:
    page = {"Origin": str(served.client.base_url).rstrip("/")}

    def lay(name: str, **headers: str) -> Any:
        seats = [{"kind": "here", "name": name}, {"kind": "friend"}]
        answer = served.client.post("/api/tables", json={"seats": seats}, headers={**page, **headers})
        served.client.cookies.clear()
        return answer

    hers = lay("Livia")
    token = hers.json()["invitation"].partition("#")[2]
    table = hers.json()["table"]
    sat = served.client.post(f"/api/tables/{table}/sit", json={"token": token, "name": "Marcus"}, headers=page)
    his = {"Cookie": sat.headers["set-cookie"].partition(";")[0]}
    served.client.cookies.clear()
    stood = {"do": "stand", "id": "s", "seat": 1}
    assert served.client.post(f"/api/tables/{table}/commands", json=stood, headers={**page, **his}).status_code == 200
    assert "set-cookie" not in lay("Marcus", **his).headers
    assert served.client.post("/api/forget", json={}, headers={**page, **his}).json() == {"tables": 2}
    served.client.cookies.clear()
    assert "Marcus" not in served.client.get(f"/api/tables/{table}").text
    assert "set-cookie" in lay("Nero", **his).headers  # there is nothing left that the old one is good for


def test_a_saying_that_is_erased_costs_no_chronicle(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "friend", key=livia).table

    async def play() -> None:
        mine, store = await Guest.at(house.server, table, livia), house.server.store
        said = await mine.do("say", text="Ave!")
        await store.keep_of(table, 0, "chronicle", "its key", b"a chronicle")
        assert (await mine.do("erase_saying", number=said["number"]))["is"] == "done"
        assert len(rows(house, "SELECT kind FROM kept WHERE kind = 'chronicle'")) == 1
        await mine.do("erase_words", at=mine.table["changed"])
        assert rows(house, "SELECT kind FROM kept WHERE kind = 'chronicle'") == []

    house.run(play())
