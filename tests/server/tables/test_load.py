"""What one address costs others within all its limits: messages, comings and goings, the lobby."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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
from avecaesar.server.rates import Rate
from avecaesar.server.store import logs
from avecaesar.server.tables import announcing, connection
from avecaesar.server.tables.announcing import A_CROWD, COMINGS
from avecaesar.server.tables.projection import shown
from avecaesar.server.wire import messages as msg
from avecaesar.speech import LANGUAGES, speaking
from harness import Guest, Harness, person, settle
from servers import PLENTY, ServerClient, hear, in_a_thread

NEVER = 1e-9  # a second


# ---------------------------------------------------------------------- messages


def said(server: ServerClient, laid: dict[str, Any], address: str, many: int) -> list[str]:
    """What so many messages are answered on a new socket of the host's, from that address."""
    with server.socket(laid["table"], laid["token"], **{"X-Forwarded-For": address}) as socket:
        assert hear(socket)["is"] == "whole"
        answers = []
        for number in range(many):
            socket.send(json.dumps({"do": "lift", "id": f"a{number}", "seat": None}))
            while (answer := hear(socket))["is"] not in ("done", "refused"):
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
