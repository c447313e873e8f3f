"""What one address costs others by what is read and written: uploads, long logs, moves, a disk that is full."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import pytest

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.fairness import Asker, on_behalf_of
from avecaesar.server.networks import NEIGHBOURS
from avecaesar.server.rates import InMemory, Quotas, Rate
from avecaesar.server.ready import LEAST_FREE, ROOM_FOR_MORE, ROOM_KEPT
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.database import Store
from avecaesar.server.tables import decisions
from avecaesar.server.tables.retention import A_DAY, USUAL
from avecaesar.server.tables.state import TableState
from avecaesar.server.tables.waking import FOLDS_AT_ONCE
from avecaesar.server.wire import messages as msg
from checkout import BOARDS
from harness import Guest, Harness, person, settle
from seat_numbers import SECOND, THIRD

NEVER = 1e-9  # a second
BOARD = (BOARDS / "plain.board").read_text(encoding="utf-8")


# ---------------------------------------------------------------------- uploads


def limited(house: Harness, **quotas: Any) -> None:
    """From now on so much."""
    house.server.quotas, house.server.rates = Quotas(**quotas), InMemory()


def test_a_network_uploads_as_much_as_sixteen_households(house: Harness) -> None:
    limited(house, uploads=Rate(NEVER, 100))
    keep = house.server.uploads.keep
    for number in range(NEIGHBOURS):
        house.run(keep("record", f"{number:064x}", bytes(100), f"192.0.2.{number}"))
    with pytest.raises(RefusedError, match="uploaded enough") as refused:
        house.run(keep("record", "f" * 64, bytes(100), "192.0.2.99"))
    assert refused.value.status == 429
    house.run(keep("record", "f" * 64, bytes(100), "198.51.100.9"))


def pass_by(house: Harness, seconds: float) -> None:
    """Nobody does anything for so long."""
    house.time.now += seconds
    house.time.passed += seconds


def kept(house: Harness) -> set[str]:
    """The first letters of the digests of all uploads."""
    path = house.url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path)) as database:
        return {digest[0] for (digest,) in database.execute("SELECT digest FROM kept WHERE kind <> 'probe'")}


def test_uploads_that_nobody_opens_for_ninety_days_are_dropped_and_make_room(house: Harness) -> None:
    limited(house, kept=200)
    server = house.server
    for name in "ab":
        house.run(server.uploads.keep("record", name * 64, bytes(100), "192.0.2.1"))
    with pytest.raises(RefusedError, match="no more room for uploads"):
        house.run(server.uploads.keep("record", "c" * 64, bytes(100), "192.0.2.1"))
    pass_by(house, USUAL - A_DAY)
    assert house.run(server.store.kept("record", "b" * 64))
    house.run(server.retention.look())
    assert kept(house) == {"a", "b"}
    pass_by(house, 2 * A_DAY)
    house.run(server.retention.look())
    assert kept(house) == {"b"}  # which somebody has opened
    house.run(server.uploads.keep("record", "c" * 64, bytes(100), "192.0.2.1"))
    server.retention.keep = None
    pass_by(house, 10 * USUAL)
    house.run(server.retention.look())
    assert kept(house) == {"b", "c"}  # for good


def test_a_board_stays_as_long_as_a_table_is_laid_on_it(house: Harness) -> None:
    server, livia = house.server, person()
    digest = house.run(server.courses.board(BOARD)).sha256
    house.run(server.uploads.keep("board", digest, BOARD.encode(), "192.0.2.1"))
    table = house.lay("here", "scorpus", key=livia, board=digest, course="blue", away=None).table
    house.run(server.command(table, msg.Begin(id="b", at=house.running(table).state.changed), [livia]))
    house.run(server.command(table, msg.Pause(id="p"), [livia]))  # in the middle of a game: it stays
    house.run(server.waking.nap())
    pass_by(house, USUAL + A_DAY)
    house.run(server.retention.look())
    assert house.run(server.shown(table, [livia])).table.paused
    house.run(server.erase(table))
    pass_by(house, USUAL + A_DAY)
    house.run(server.retention.look())
    assert kept(house) == set()


def test_nobody_writes_down_more_than_once_a_day_that_an_upload_is_opened(house: Harness) -> None:
    server = house.server
    house.run(server.uploads.keep("record", "a" * 64, b"record", "192.0.2.1"))
    written: list[float] = []
    write = server.store._write

    async def counting(work: Any) -> None:
        written.append(house.time.now)
        await write(work)

    server.store._write = counting  # type: ignore[method-assign,assignment]
    for _ in range(3):
        pass_by(house, A_DAY + 1)
        for _ in range(10):
            house.run(server.store.kept("record", "a" * 64))
    assert len(written) == 3


def test_an_upgrade_counts_from_now_on_and_finds_the_boards_of_tables(house: Harness) -> None:
    server, livia = house.server, person()
    digest = house.run(server.courses.board(BOARD)).sha256
    house.run(server.uploads.keep("board", digest, BOARD.encode(), "192.0.2.1"))
    table = house.lay("here", "scorpus", key=livia, board=digest, course="blue").table
    house.run(server.close())
    house.servers.clear()
    path = house.url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "DROP INDEX tables_listed;"
            "DROP TABLE laid_on; DROP INDEX kept_by_opening; ALTER TABLE kept DROP COLUMN opened;"
            "UPDATE alembic_version SET version_num = '0004';"
        )
    before = time.time()
    house.server = house.open()
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT * FROM laid_on").fetchall() == [(table, digest)]
        ((opened,),) = database.execute("SELECT opened FROM kept WHERE kind = 'board'").fetchall()
    assert before <= opened <= time.time()


# ---------------------------------------------------------------------- long logs


class Folds:
    """Which logs are folded, event by event."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.applied: list[str] = []
        apply = TableState.apply

        def noting(state: TableState, *args: Any) -> None:
            self.applied.append(state.id)
            apply(state, *args)

        monkeypatch.setattr(TableState, "apply", noting)

    @property
    def order(self) -> list[str]:
        """As they were finished."""
        return sorted(set(self.applied), key=lambda table: len(self.applied) - self.applied[::-1].index(table))

    @property
    def side_by_side(self) -> int:
        """How many at most had been begun and not finished."""
        first = {table: self.applied.index(table) for table in set(self.applied)}
        last = {table: number for number, table in enumerate(self.applied)}
        return max(sum(first[table] <= number <= last[table] for table in first) for number in range(len(self.applied)))


def asleep(house: Harness, many: int) -> list[str]:
    """Tables with some events in their logs, which nobody has in mind."""
    tables = []
    for _ in range(many):
        livia = person()
        table = house.lay("here", "scorpus", key=livia).table
        for number in range(20):
            house.run(house.server.command(table, msg.Say(id=f"a{number}", text="Ave"), [livia]))
        tables.append(table)
    house.run(house.server.waking.nap())
    assert not house.server.waking.awake
    return tables


async def look(house: Harness, table: str, address: str) -> None:
    with on_behalf_of(Asker(address, address)):
        await house.server.shown(table, [])


def test_logs_are_folded_few_at_a_time_and_by_turns_of_addresses(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    *many, innocent, last = asleep(house, 10)
    folds = Folds(monkeypatch)

    async def wake() -> None:
        turns, busy = house.server.waking.queue, [Asker("203.0.113.99", "somebody")]
        asked = [(table, "192.0.2.1") for table in [*many, last]] + [(innocent, "198.51.100.9"), (last, "203.0.113.5")]
        async with turns.take("one", busy, 0.1), turns.take("another", busy, 0.1):
            looks = [asyncio.create_task(look(house, *each)) for each in asked]
            while len(turns) < 10:
                await asyncio.sleep(0)
            assert not folds.applied
        await asyncio.gather(*looks)

    house.run(wake())
    assert folds.side_by_side <= FOLDS_AT_ONCE
    assert folds.order.index(innocent) <= FOLDS_AT_ONCE + 1
    assert folds.order.index(last) <= FOLDS_AT_ONCE + 1  # though the flood had asked for it before


def test_whoever_is_gone_takes_no_turn_at_folding(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = asleep(house, 4)

    async def wake() -> None:
        turns, busy = house.server.waking.queue, [Asker("203.0.113.99", "somebody")]
        async with turns.take("one", busy, 0.1), turns.take("another", busy, 0.1):
            flood = [asyncio.create_task(look(house, table, "192.0.2.1")) for table in tables]
            while len(turns) < len(tables):
                await asyncio.sleep(0)
            for waking in list(house.server.waking.under_way.values()):
                waking.cancel()
            await asyncio.gather(*flood, return_exceptions=True)
        assert (len(turns), turns._called, house.server.waking._wanted_by) == (0, {}, {})
        for table in tables:
            await look(house, table, "192.0.2.1")

    house.run(wake())


def test_an_address_has_so_many_events_folded_and_no_more(house: Harness) -> None:
    tables = asleep(house, 4)
    size = house.run(house.server.store.length(tables[0]))
    assert size > 20
    limited(house, wakes=Rate(NEVER, size))
    house.run(look(house, tables[0], "192.0.2.1"))
    with pytest.raises(RefusedError) as refused:
        house.run(look(house, tables[1], "192.0.2.1"))
    assert refused.value.status == 429
    house.run(look(house, tables[0], "192.0.2.1"))  # which is awake
    house.run(look(house, tables[1], "198.51.100.9"))
    house.run(look(house, tables[1], "192.0.2.1"))
    house.run(house.server.shown(tables[2], []))  # the server itself
    limited(house, wakes=Rate(NEVER, 1))
    house.run(look(house, tables[3], "192.0.2.1"))  # one is always woken, however long its log is


# ---------------------------------------------------------------------- the writer


@pytest.mark.parametrize(("seats", "least"), [(("scorpus", "festina"), 0.2), (("here", "festina"), 0.0)])
def test_drivers_among_themselves_do_not_race_as_fast_as_the_writer_writes(
    house: Harness, seats: tuple[str, ...], least: float
) -> None:
    house.server.quotas = Quotas()
    table = house.lay(*seats, key=person(), pace=0).table
    running = house.running(table)
    running.presence.saw(frozenset())  # somebody looks on
    assert running.driving._pace == least
    assert house.running(house.lay(*seats, key=person(), pace=5000).table).driving._pace == 5


def test_moves_of_the_computers_drivers_are_counted_by_address_and_network(house: Harness) -> None:
    limited(house, driven=Rate(NEVER, 3))
    charge = house.server.waking._charge
    assert [charge(["192.0.2.1"]) > 0 for _ in range(4)] == [False, False, False, True]
    assert charge(["192.0.2.1", ""]) > 0
    assert [charge(["198.51.100.9", "192.0.2.1", "203.0.113.9"]) for _ in range(6)] == [0] * 6  # others have some left
    assert charge(["198.51.100.9", "203.0.113.9"]) > 0
    neighbours = [charge([f"192.0.2.{number}"]) > 0 for number in range(2, 19) for _ in range(3)]
    assert neighbours.count(False) == 3 * NEIGHBOURS - 3
    assert charge(["203.0.113.1"]) == 0


def test_whoever_has_too_many_drivers_race_at_once_has_them_wait(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia, asked = person(), list[Sequence[str]]()
    table = house.lay("here", "festina", key=livia).table
    running = house.running(table)

    def charge(addresses: Sequence[str]) -> float:
        asked.append(addresses)
        return 60.0 if len(asked) == 1 else 0.0

    def moves() -> list[str]:
        return list(running.state.made_by.get((0, 0), ()))

    async def play() -> None:
        with on_behalf_of(Asker("192.0.2.1", livia)):
            guest = await Guest.at(house.server, table, livia)
        monkeypatch.setattr(running.driving, "_charge", charge)
        await guest.begin()
        if guest.wanted:
            await guest.move()
        while not (asked or "driver" in moves()):
            await asyncio.sleep(0)
        await settle()
        assert [set(addresses) - {""} for addresses in asked] == [{"192.0.2.1"}]
        assert "driver" not in moves()
        await house.time.pass_by(60)
        await guest.until(lambda guest: guest.wanted)
        assert "driver" in moves()

    house.run(play())


def test_people_of_an_address_come_to_a_table_so_often_and_no_more(house: Harness) -> None:
    limited(house, comings=Rate(NEVER, 3))
    livia = person()
    laid = house.lay("here", "friend", "friend", key=livia, open=True)
    other = house.lay("here", "friend", key=livia, open=True)

    async def come(address: str, table: str, seat: SeatNumber = SECOND) -> None:
        marcus = person()
        with on_behalf_of(Asker(address, marcus)):
            await house.server.sit(table, msg.Sit(seat=seat), [marcus])
            await house.server.command(table, msg.Stand(id="a", seat=seat), [marcus])

    for _ in range(3):
        house.run(come("192.0.2.1", laid.table))
    with pytest.raises(RefusedError, match="take a breath") as refused:
        house.run(come("192.0.2.1", laid.table))
    assert refused.value.status == 429
    house.run(come("192.0.2.2", laid.table))
    house.run(come("192.0.2.1", other.table))
    with on_behalf_of(Asker("192.0.2.1", livia)):  # who has a place is not counted
        house.run(house.server.sit(laid.table, msg.Sit(seat=THIRD), [livia]))


def test_those_who_come_leave_room_in_the_log_for_those_who_sit_there(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia = person()
    laid = house.lay("here", "friend", key=livia, open=True)
    monkeypatch.setattr(decisions, "MOST_EVENTS", house.running(laid.table).state.number + decisions.RESERVED)
    with pytest.raises(RefusedError, match="has seen enough"):
        house.run(house.server.sit(laid.table, msg.Sit(), [person()]))
    appoint = msg.Appoint(id="a", seat=SECOND, driver="scorpus")
    house.run(house.server.command(laid.table, appoint, [livia]))
    begin = msg.Begin(id="b", at=house.running(laid.table).state.changed)
    house.run(house.server.command(laid.table, begin, [livia]))


def test_forgetting_takes_its_turn_among_those_who_have_logs_folded(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table
    house.run(house.server.command(table, msg.Say(id="a", text="Ave"), [livia]))

    async def forget() -> None:
        async with (
            house.server.waking.queue.take("a", [Asker("a", "a")], 1),
            house.server.waking.queue.take("b", [Asker("b", "b")], 1),
        ):
            forgetting = asyncio.create_task(house.server.forget([livia]))
            while not (len(house.server.waking.queue) or forgetting.done()):
                await asyncio.sleep(0)
            await settle()
            assert not forgetting.done()
        assert (await forgetting).tables == 1

    house.run(forget())


# ---------------------------------------------------------------------- the disk


def test_where_room_is_short_nothing_new_begins_and_what_has_begun_goes_on(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia, server = person(), house.server
    racing, gathering = (house.lay("here", "here", key=livia).table for _ in range(2))
    at = house.running(racing).state.changed
    house.run(server.command(racing, msg.Begin(id="b", at=at), [livia]))
    monkeypatch.setattr(Store, "free", ROOM_FOR_MORE - 1)
    house.run(house.time.pass_by(ROOM_KEPT))
    assert ROOM_FOR_MORE > 4 * LEAST_FREE

    async def move() -> None:
        mine = await Guest.at(server, racing, livia)
        assert (await mine.move())["is"] == "done"

    for refused in (
        server.lay(msg.NewTable(seats=(msg.SeatPlan(kind="here"), msg.SeatPlan(kind="driver"))), livia),
        server.command(gathering, msg.Begin(id="b", at=house.running(gathering).state.changed), [livia]),
        server.uploads.keep("record", "a" * 64, b"record", "192.0.2.1"),
    ):
        with pytest.raises(RefusedError, match="disk is nearly full") as error:
            house.run(refused)
        assert error.value.status == 503
    house.run(move())
    monkeypatch.setattr(Store, "free", ROOM_FOR_MORE)
    house.run(house.time.pass_by(ROOM_KEPT))
    house.run(server.command(gathering, msg.Begin(id="b", at=house.running(gathering).state.changed), [livia]))


def test_moves_that_nobody_watches_are_counted_together(house: Harness) -> None:
    limited(house, unwatched=Rate(NEVER, 3))
    charge = house.server.waking._charge
    assert [charge([""]) > 0 for _ in range(4)] == [False, False, False, True]
    assert charge(["192.0.2.1"]) == 0
