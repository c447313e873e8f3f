"""What people wrote can be erased, and the races stay as they were."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest

from avecaesar.server.refused import RefusedError
from avecaesar.server.tables import erasable_words
from avecaesar.server.tables import events as e
from avecaesar.server.tables.admission import tag_of
from avecaesar.server.tables.house import hashed
from avecaesar.server.tables.plan import filled_in
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, as_before, person, settle
from seat_numbers import FIRST, SECOND, THIRD
from words_kept import everything, lay, names, rows, sit, told

# ---------------------------------------------------------------------- rows that can be erased


def test_no_event_holds_a_word_that_somebody_wrote_and_the_fold_has_them_all(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = lay(house, livia, "Livia", "", "", title="Saturnalia")
    sit(house, laid, marcus, "Marcus")
    sit(house, laid, person(), "Gaius")

    async def play() -> None:
        mine, his = [await Guest.at(house.server, laid.table, key) for key in (livia, marcus)]
        await mine.do("dress", seat=0, name="Augusta", colour="red")
        await mine.do("say", text="Ave amici")
        await his.do("say", phrase="ave")
        await mine.begin()
        await mine.do("stand", seat=0)
        stranger = person()
        await house.server.take_over(
            laid.table, msg.TakeOver(seat=FIRST, name="Cleopatra", token=None), [livia, stranger]
        )
        mine.leave()
        his.leave()

    house.run(play())
    bodies = b"".join(body for (body,) in rows(house, "SELECT body FROM events"))
    for word in ("Livia", "Marcus", "Augusta", "Ave amici", "Saturnalia"):
        assert word.encode() not in bodies
        assert word.encode() in everything(house)
    house.restart()
    shown = house.run(house.server.shown(laid.table, [livia]))
    assert (shown.table.title, names(house, laid.table)) == ("Saturnalia", ["Augusta", "Marcus", "Gaius"])
    assert "Ave amici" in [line.words for line in shown.story]


def test_every_event_comes_back_as_it_was() -> None:
    seats = (msg.SeatPlan(kind="here", name="Livia"), msg.SeatPlan(name="Boss"), msg.SeatPlan(driver="festina"))
    plan = filled_in(msg.NewTable(seats=seats, title="Ludi"))
    for event, count in (
        (e.WasLaid(plan), 3),  # a driver of ours with a name of ours is nobody's word
        (e.Sat(SECOND, "Livia", "red"), 1),
        (e.Dressed(SECOND, "Livia", "red"), 1),
        (e.Said(None, "Ave", None), 1),
        (e.Said(THIRD, None, "ave"), 0),
        (e.Wished(SECOND, "0123", "Cleo"), 1),
        (e.Wished(SECOND, "0123", ""), 0),
        (e.Begun(), 0),
    ):
        entry = erasable_words.written(7, 1.0, None, event, "holder")
        assert (len(entry.words), erasable_words.read(entry)) == (count, event)


def test_a_name_that_is_nobodys_is_no_other_seats(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = lay(house, livia, "Livia", "Nemo", "nemo 2")
    sit(house, laid, marcus, "Marcus")
    house.run(house.server.forget([marcus]))
    assert names(house, laid.table) == ["Livia", "Nemo", "nemo 2"]  # as the host called the seat, before he came
    house.run(house.server.forget([livia]))
    assert sorted(names(house, laid.table)) == ["Nemo", "Nemo 2", "Nemo 3"]


# ---------------------------------------------------------------------- the host erases, and whoever said it


def test_a_saying_is_erased_by_the_host_or_by_whoever_said_it_and_by_nobody_else(house: Harness) -> None:
    livia, marcus, titus = person(), person(), person()
    laid = lay(house, livia, "Livia", "", "")
    sit(house, laid, marcus, "Marcus")
    sit(house, laid, titus, "Titus")

    async def play() -> None:
        mine, his, third = [await Guest.at(house.server, laid.table, key) for key in (livia, marcus, titus)]
        said = [(await his.do("say", text=text))["number"] for text in ("primum", "secundum", "tertium")]
        phrase = (await his.do("say", phrase="ave"))["number"]
        assert "whoever said it" in (await third.do("erase_saying", number=said[0]))["problem"]
        assert (await mine.do("erase_saying", number=said[0]))["is"] == "done"
        last = await his.do("erase_saying", number=said[1])
        assert last["is"] == "done"
        for number in (said[0], phrase, 0, 2**53):
            assert (await mine.do("erase_saying", number=number))["is"] == "refused"
        await third.until(lambda guest: guest.table["number"] >= last["number"])
        lines = {line["number"]: line for line in third.story if line["kind"] == "said"}
        assert [lines[number]["words"] for number in said] == ["(erased)", "(erased)", "tertium"]
        assert [lines[number]["erased"] for number in said] == [True, True, False]
        assert "Livia has erased a saying." in [line["words"] for line in third.story]
        stranger = await Guest.at(house.server, laid.table)
        assert (await stranger.do("erase_saying", number=said[2]))["is"] == "refused"
        for guest in (mine, his, third, stranger):
            guest.leave()

    house.run(play())
    assert (b"primum" in everything(house), b"tertium" in everything(house)) == (False, True)
    house.restart()
    assert [line for line in told(house, laid.table) if line in ("(erased)", "tertium")] == ["(erased)"] * 2 + [
        "tertium"
    ]


def test_the_host_erases_all_words_of_a_table_before_its_first_race_or_after_its_last(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = lay(house, livia, "Livia", "", title="Saturnalia")
    sit(house, laid, marcus, "Marcus")

    async def play() -> None:
        mine, his = [await Guest.at(house.server, laid.table, key) for key in (livia, marcus)]
        await his.do("say", text="secretum")
        refused = await his.do("erase_words", at=his.table["changed"])
        assert refused["problem"] == "only the host may do that"
        await mine.begin()
        assert "close the table first" in (await mine.do("erase_words", at=mine.table["changed"]))["problem"]
        assert (await mine.do("close", at=mine.table["changed"]))["is"] == "done"
        assert (await mine.do("erase_words", at=mine.table["changed"]))["is"] == "done"
        assert (await mine.do("erase_words", at=mine.table["changed"]))["is"] == "refused"
        await his.until(lambda guest: guest.table["number"] >= mine.table["number"])
        assert (his.table["title"], [seat["name"] for seat in his.table["seats"]]) == ("", ["Nemo", "Nemo 2"])
        assert "secretum" not in json.dumps(his.story)
        assert "Marcus" not in json.dumps([his.story, his.table])
        mine.leave()
        his.leave()

    house.run(play())
    for word in (b"Livia", b"Marcus", b"secretum", b"Saturnalia"):
        assert word not in everything(house)
    house.restart()
    assert house.run(house.server.shown(laid.table, [])).table.closed
    assert house.run(house.server.lobby([livia])).mine[0].title == ""


# ---------------------------------------------------------------------- logs of before


def damage(house: Harness, table: str) -> None:
    with closing(sqlite3.connect(house.url.removeprefix("sqlite:///"))) as database:
        cut = 'UPDATE events SET body = substr(body, 1, 40) WHERE "table" = ? AND number = 0'
        database.execute(cut, (table,))
        database.commit()


def test_a_database_of_before_is_read_and_its_words_can_be_erased(house: Harness) -> None:
    livia, marcus, titus = person(), person(), person()
    laid = lay(house, livia, "Livia", "", "Titus", title="Saturnalia")
    damaged = lay(house, person(), "Nero", "")
    sit(house, laid, marcus, "Marcus")
    sit(house, laid, titus)

    async def play() -> None:
        mine, his = [await Guest.at(house.server, laid.table, key) for key in (livia, marcus)]
        await mine.do("say", text="Ave")
        await his.do("say", text="Salve")
        await mine.begin()
        mine.leave()
        his.leave()

    house.run(play())
    before = house.run(house.server.shown(laid.table, [livia]))
    sealed = b'{"races":[{"seal":{"commitment":"c0"}},{},{"seal":{"commitment":"c1"}},{"seal":{"commitment":"c1"}}]}'
    house.run(house.server.store.keep_record("a record", sealed, []))
    house.run(house.server.store.keep_record("another", b"{}", []))
    house.run(house.server.close())
    house.servers.clear()
    as_before(house)
    assert b"Saturnalia" in b"".join(body for (body,) in rows(house, "SELECT body FROM events"))
    damage(house, damaged.table)
    house.server = house.open()
    assert b"Saturnalia" not in b"".join(body for (body,) in rows(house, "SELECT body FROM events"))
    assert rows(house, "SELECT * FROM seals ORDER BY 1") == [("c0", "a record"), ("c1", "a record")]
    after = house.run(house.server.shown(laid.table, [livia]))
    assert [line.words for line in after.story] == [line.words for line in before.story]
    assert names(house, laid.table) == ["Livia", "Marcus", "Titus"]
    owners = dict(rows(house, "SELECT text, holder FROM words ORDER BY number"))
    expected = {"Livia": livia, "Saturnalia": livia, "Ave": livia, "Marcus": marcus, "Salve": marcus, "Titus": titus}
    expected["Aulus"] = livia  # what the free seat was called
    assert owners == {text: tag_of(hashed(key)) for text, key in expected.items()}
    house.run(house.server.forget([marcus]))
    assert names(house, laid.table) == ["Livia", "Nemo", "Titus"]
    assert (b"Marcus" in everything(house), b"Salve" in everything(house)) == (False, False)
    house.run(house.server.forget([livia]))
    assert b"Livia" not in everything(house)
    house.run(settle())
    with pytest.raises(RefusedError, match="damaged"):  # which keeps nobody else from being served
        house.run(house.server.shown(damaged.table, []))
