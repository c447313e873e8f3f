"""What one address costs others within all its limits: messages, comings and goings, uploads, long logs, the disk."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import event

from avecaesar.game import Move
from avecaesar.server.fairness import Asker, on_behalf_of
from avecaesar.server.http.gatekeeper import Limits, Settings
from avecaesar.server.http.socket import Sockets
from avecaesar.server.networks import NEIGHBOURS
from avecaesar.server.rates import InMemory, Quotas, Rate
from avecaesar.server.ready import LEAST_FREE, ROOM_FOR_MORE, ROOM_KEPT
from avecaesar.server.refused import RefusedError
from avecaesar.server.store import logs
from avecaesar.server.store.database import Store
from avecaesar.server.tables import announcing, connection, decisions
from avecaesar.server.tables.announcing import A_CROWD, COMINGS
from avecaesar.server.tables.projection import shown
from avecaesar.server.tables.retention import A_DAY, USUAL
from avecaesar.server.tables.state import TableState
from avecaesar.server.tables.waking import FOLDS_AT_ONCE
from avecaesar.server.wire import messages as msg
from avecaesar.speech import LANGUAGES, speaking
from checkout import BOARDS
from house import Guest, Harness, fixtures, person, settle
from serving import PLENTY, Served, heard, in_a_thread

NEVER = 1e-9  # a second
BOARD = (BOARDS / "plain.board").read_text(encoding="utf-8")

staff, house = fixtures()


# ---------------------------------------------------------------------- messages


def said(server: Served, laid: dict[str, Any], address: str, many: int) -> list[str]:
    """What so many messages are answered on a new socket of the host's, from that address."""
    with server.socket(laid["table"], laid["token"], **{"X-Forwarded-For": address}) as socket:
        assert heard(socket)["is"] == "whole"
        answers = []
        for number in range(many):
            socket.send(json.dumps({"do": "lift", "id": f"a{number}", "seat": None}))
            while (answer := heard(socket))["is"] not in ("done", "refused"):
                pass
            answers.append(answer["is"])
        return answers


@pytest.mark.parametrize(
    ("limit", "others", "refused"),
    [
        ("messages_of_person", "198.51.100.9", True),  # who comes from elsewhere as well
        ("messages_of_address", "192.0.2.1", True),
        ("messages_of_address", "192.0.2.2", False),
        ("messages_of_address", "198.51.100.9", False),
    ],
)
def test_messages_are_counted_by_person_and_address_and_not_by_socket_alone(
    tmp_path: Path, limit: str, others: str, refused: bool
) -> None:
    limits = Limits(**{"messages_of_person": PLENTY, "messages_of_address": PLENTY, limit: Rate(NEVER, 5)})  # type: ignore[arg-type]
    with in_a_thread(tmp_path / "a.db", Settings(proxy=True, limits=limits)) as server:
        laid = server.lay({"kind": "here"}, {"kind": "here"})
        assert said(server, laid, "192.0.2.1", 3) == ["done"] * 3
        assert said(server, laid, "192.0.2.1", 3) == ["done", "done", "refused"]
        assert said(server, laid, others, 1) == ["refused" if refused else "done"]


def test_onlookers_do_not_talk_down_the_players_of_their_own_address(tmp_path: Path) -> None:
    limits = Limits(messages_of_person=PLENTY, messages_of_address=Rate(NEVER, 5))
    with in_a_thread(tmp_path / "a.db", Settings(proxy=True, limits=limits)) as server:
        laid = server.lay({"kind": "here"}, {"kind": "here"})
        said(server, {"table": laid["table"], "token": None}, "192.0.2.1", 9)
        assert said(server, laid, "192.0.2.1", 6) == ["done"] * 5 + ["refused"]


def test_a_network_says_as_much_as_sixteen_households(tmp_path: Path) -> None:
    limits = Limits(messages_of_person=PLENTY, messages_of_address=Rate(NEVER, 1))
    with in_a_thread(tmp_path / "a.db", Settings(proxy=True, limits=limits)) as server:
        laid = server.lay({"kind": "here"}, {"kind": "here"})
        answers = [said(server, laid, f"192.0.2.{number}", 1)[0] for number in range(1, 18)]
        assert answers == ["done"] * 16 + ["refused"]
        assert said(server, laid, "198.51.100.9", 1) == ["done"]


class Burst:
    """A socket on which many messages have come together: nothing is waited for."""

    def __init__(self, messages: list[dict[str, Any]]) -> None:
        frames = [{"type": "websocket.receive", "text": json.dumps(message)} for message in messages]
        self.coming: deque[dict[str, Any]] = deque([*frames, {"type": "websocket.disconnect"}])
        self.scope: dict[str, Any] = {}

    async def receive(self) -> dict[str, Any]:
        return self.coming.popleft()


def test_between_two_messages_that_came_together_others_are_served(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "here", key=livia).table
    burst = Burst([{"do": "lift", "id": f"a{number}", "seat": None} for number in range(10)])
    seen: list[int] = []

    async def somebody_else() -> None:
        while burst.coming:
            seen.append(len(burst.coming))
            await asyncio.sleep(0)

    async def play() -> None:
        mine = await Guest.at(house.server, table, livia)
        other = asyncio.create_task(somebody_else())
        await Sockets(house.server, Limits())._read(burst, mine.connection)  # type: ignore[arg-type]
        await other

    house.run(play())
    assert len(set(seen)) >= 10


def test_a_curtain_that_is_up_is_not_lifted_again(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    livia = person()
    table = house.lay("here", "here", key=livia).table
    built: Counter[str] = Counter()

    def counting(*args: Any) -> Any:
        built["shown"] += 1
        return shown(*args)

    async def play() -> None:
        mine = await Guest.at(house.server, table, livia)
        await mine.begin()
        await mine.until(lambda guest: guest.table["curtain"] is not None)
        seat = mine.table["curtain"]
        monkeypatch.setattr(connection, "shown", counting)
        for _ in range(10):
            assert (await mine.do("lift", seat=seat))["is"] == "done"
        assert built["shown"] == 1
        await mine.until(lambda guest: guest.table["eyes"] == seat)
        for _ in range(10):
            assert (await mine.do("lift", seat=None))["is"] == "done"
        assert built["shown"] == 2
        await mine.until(lambda guest: guest.table["curtain"] == seat)

    house.run(play())


# ---------------------------------------------------------------------- coming and going


def test_another_device_of_somebody_who_is_here_is_told_of_now_and_then(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = house.lay("here", "friend", key=livia, open=True)

    async def watch() -> None:
        await house.server.sit(laid.table, msg.Sit(), [marcus])
        mine, theirs = [await Guest.at(house.server, laid.table, key) for key in (livia, marcus)]
        await house.time.pass_by(A_CROWD)
        await house.time.pass_by(A_CROWD)
        told = theirs.connection._waiting
        told.clear()
        for _ in range(20):
            (await Guest.at(house.server, laid.table, livia)).leave()
        assert len(told) == 1  # of the first of them
        await house.time.pass_by(A_CROWD)
        assert len(told) == 2  # of all the others
        mine.leave()
        assert len(told) == 3  # she is gone: that is told at once
        assert not msgspec.json.decode(told[-1])["table"]["seats"][0]["connected"]

    house.run(watch())


def test_whoever_sits_here_and_comes_and_goes_all_the_time_is_told_of_now_and_then(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = house.lay("here", "friend", key=livia, open=True)

    async def watch() -> None:
        await house.server.sit(laid.table, msg.Sit(), [marcus])
        theirs = await Guest.at(house.server, laid.table, marcus)
        told = theirs.connection._waiting
        for _ in range(50):
            (await Guest.at(house.server, laid.table, livia)).leave()
        assert len(told) <= COMINGS.at_once + 1
        await house.time.pass_by(A_CROWD)
        assert not msgspec.json.decode(told[-1])["table"]["seats"][0]["connected"]  # as it is
        heard = len(told)
        await Guest.at(house.server, laid.table, livia)
        assert len(told) == heard
        await house.time.pass_by(A_CROWD)
        assert msgspec.json.decode(told[-1])["table"]["seats"][0]["connected"]

    house.run(watch())


async def crowd(house: Harness, table: str, keys: list[str]) -> list[Guest]:
    """Somebody for each key and language, who has heard all there is to hear."""
    guests = []
    for key in keys:
        for language in LANGUAGES:
            with speaking(language):
                guests.append(await Guest.at(house.server, table, key))
    await house.time.pass_by(A_CROWD)
    await settle()
    for guest in guests:
        while guest.connection._waiting:
            await guest.hear()
    return guests


@asynccontextmanager
async def sights_a_step(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Counter[int]]:
    """Counts how many sights of a table each step of the event loop puts together."""
    steps: Counter[int] = Counter()
    step = 0

    def counting(*args: Any) -> Any:
        steps[step] += 1
        return shown(*args)

    async def count_steps() -> None:
        nonlocal step
        while True:
            step += 1
            await asyncio.sleep(0)

    monkeypatch.setattr(announcing, "shown", counting)
    counter = asyncio.create_task(count_steps())
    yield steps
    await settle()
    counter.cancel()


def test_many_who_see_a_table_differently_are_told_in_several_steps(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [person() for _ in range(4)]
    laid = house.lay("here", "friend", "friend", "friend", key=keys[0], open=True)

    async def play() -> None:
        for key in keys[1:]:
            await house.server.sit(laid.table, msg.Sit(), [key])
        guests = await crowd(house, laid.table, keys)
        async with sights_a_step(monkeypatch) as steps:
            for word in ("Ave", "Vale"):
                await house.server.command(laid.table, msg.Say(id=word, text=word), [keys[0]])
        assert max(steps.values()) <= announcing.SIGHTS_A_STEP < sum(steps.values())
        for guest in guests:
            while guest.connection._waiting:
                await guest.hear()
            assert [line["words"] for line in guest.story[-2:]] == ["Ave", "Vale"]  # each once, in their order
            assert [line["words"] for line in guest.story].count("Ave") == 1

    house.run(play())


def test_those_who_are_asked_something_are_told_two_at_a_time(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [person() for _ in range(3)]
    laid = house.lay("here", "friend", "friend", key=keys[0], open=True, edition="ausgebremst")

    async def play() -> None:
        for key in keys[1:]:
            await house.server.sit(laid.table, msg.Sit(), [key])
        guests = await crowd(house, laid.table, keys)
        await guests[0].begin()
        await settle()
        async with sights_a_step(monkeypatch) as steps:
            await house.server.command(laid.table, msg.Say(id="ave", text="Ave"), [keys[0]])
        assert sum(steps.values()) == 15
        assert max(steps.values()) == 2

    house.run(play())


def test_a_curtain_falls_at_once_even_for_whoever_is_told_later(house: Harness) -> None:
    livia = person()
    laid = house.lay("here", "here", key=livia)

    async def play() -> None:
        mine = await Guest.at(house.server, laid.table, livia)
        await mine.begin()
        await mine.until(lambda guest: guest.table["curtain"] is not None)
        assert (await mine.do("lift", seat=mine.table["curtain"]))["is"] == "done"
        await mine.until(lambda guest: guest.table["question"])
        running = house.running(laid.table)
        running.announcing._tell_some = lambda: None  # type: ignore[method-assign]  # it is long before her turn to be told
        changed, move = mine.table["changed"], mine.table["question"]["offers"][0]["move"]
        move = msgspec.convert(move, Move)
        command = msg.MakeMove(id="m", at=changed, seat=mine.table["eyes"], move=move)
        await running.command(mine.connection.who, command)
        assert mine.connection.lifted is None

    house.run(play())


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

    async def come(address: str, table: str, seat: int = 1) -> None:
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
        house.run(house.server.sit(laid.table, msg.Sit(seat=2), [livia]))


def test_those_who_come_leave_room_in_the_log_for_those_who_sit_there(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia = person()
    laid = house.lay("here", "friend", key=livia, open=True)
    monkeypatch.setattr(decisions, "MOST_EVENTS", house.running(laid.table).state.number + decisions.RESERVED)
    with pytest.raises(RefusedError, match="has seen enough"):
        house.run(house.server.sit(laid.table, msg.Sit(), [person()]))
    appoint = msg.Appoint(id="a", seat=1, driver="scorpus")
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


# ---------------------------------------------------------------------- the lobby


def test_the_lobby_walks_through_listed_tables_only(house: Harness) -> None:
    statements: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith("SELECT"):
            statements.append(str(cursor.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()))

    engine = house.server.store._engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        house.run(house.server.store.listed())
    finally:
        event.remove(engine, "before_cursor_execute", note)
    (plan,) = statements
    assert "tables_listed" in plan
    assert "TEMP B-TREE" not in plan  # they lie in the order in which they are shown


def test_whoever_floods_the_writer_does_not_keep_the_table_waiting_at_which_he_is_a_guest(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """His write holds the table's lock, so it is done when the turn of anybody comes who sits there."""
    done, append = list[str](), logs.append

    def said(*wanted: Any) -> None:
        done.append("said")
        append(*wanted)

    async def play() -> None:
        let_go = threading.Event()
        with on_behalf_of(Asker("198.51.100.1", "host")):
            await Guest.at(house.server, laid.table, host)
        flood = Asker("192.0.2.1", "guest")
        with on_behalf_of(flood):
            token = (laid.invitation or "").partition("#")[2]
            await house.server.sit(laid.table, msg.Sit(token=token), [key := person()])
            guest = await Guest.at(house.server, laid.table, key)
        writer = house.server.store._writer
        monkeypatch.setattr(logs, "append", said)
        writer.submit(let_go.wait)
        with on_behalf_of(flood):
            writes = [writer.submit(partial(done.append, "flood")) for _ in range(50)]
            saying = asyncio.create_task(guest.do("say", text="Ave!"))
        while house.server.store.queued < 1:
            await asyncio.sleep(0)
        let_go.set()
        await saying
        await asyncio.gather(*map(asyncio.wrap_future, writes))

    host = person()
    laid = house.lay("here", "friend", key=host)
    house.run(play())
    assert done.index("said") <= 1
