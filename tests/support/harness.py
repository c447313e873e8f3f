"""A house for tests: a real database, real worker processes, a clock that is set by hand, and people who play."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from avecaesar.game import Move, View
from avecaesar.server.rates import Quotas, Rate
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.database import Store
from avecaesar.server.tables.driving import TICK
from avecaesar.server.tables.house import Connection, House, new_key
from avecaesar.server.tables.keyring import Keyring
from avecaesar.server.tables.running import RunningTable
from avecaesar.server.wire import messages as msg
from avecaesar.server.workers.pool import Thinkers

T = TypeVar("T")
PLENTY = Rate(1e6, 10**6)
GENEROUS = Quotas(
    links=PLENTY,
    sayings=PLENTY,
    deeds=PLENTY,
    chatter=PLENTY,
    driven=PLENTY,
    unwatched=PLENTY,
    comings=PLENTY,
    courses=PLENTY,
    written=PLENTY,
    pace=0.0,
    open_tables=10**6,
)
SHORT = {"race_ends": "first_home"}
SPINS = 200  # of the event loop, in which everything happens that waits for nothing

_command: msgspec.json.Decoder[msg.Command] = msgspec.json.Decoder(msg.Command)


class Time:
    """Two clocks that are set by hand, the wall's and a steady one, and those who sleep by the steady one."""

    def __init__(self) -> None:
        self.now = 1_000_000.0  # on the wall: it can be set to anything
        self.passed = 500.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def __call__(self) -> float:
        return self.now

    def steady(self) -> float:
        return self.passed

    async def sleep(self, seconds: float) -> None:
        if seconds <= TICK:  # nobody has to set the clock for that
            await asyncio.sleep(0)
            return
        alarm: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.passed + seconds, alarm))
        await alarm

    async def pass_by(self, seconds: float) -> None:
        """Let so much time pass, and whoever is woken by it do what needs no further waiting."""
        self.now += seconds
        self.passed += seconds
        due = [alarm for when, alarm in self._sleepers if when <= self.passed]
        self._sleepers = [sleeper for sleeper in self._sleepers if sleeper[0] > self.passed and not sleeper[1].done()]
        for alarm in due:
            if not alarm.done():
                alarm.set_result(None)
        await settle()


async def settle() -> None:
    """Let everything happen that waits for nothing but its turn."""
    for _ in range(SPINS):
        await asyncio.sleep(0)


class Harness:
    """The server without its doors."""

    def __init__(self, folder: Path, runner: asyncio.Runner, thinkers: Thinkers) -> None:
        self.runner, self.thinkers = runner, thinkers
        self.url = f"sqlite:///{folder / 'house.db'}"
        self.time = Time()
        self.quotas = GENEROUS
        self.keys = Keyring.in_memory()  # which is not lost when the server ends
        self.stores: list[Store] = []
        self.servers: list[House] = []
        self.server = self.open()

    def open(self) -> House:
        """Another server on the same file, with its tables awake."""
        store = Store(self.url, self.time)
        self.run(store.open())
        server = House(
            store, self.thinkers, self.time, self.time.sleep, self.time.steady, quotas=self.quotas, keys=self.keys
        )
        self.run(server.open())
        self.stores.append(store)
        self.servers.append(server)
        return server

    def restart(self) -> None:
        """End by force, and begin again on the same file."""
        self.servers.remove(self.server)
        self.run(_killed(self.server))
        self.server = self.open()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    def close(self) -> None:
        for server in self.servers:
            self.run(server.close())
        for store in self.stores:
            self.run(store.close())

    def lay(self, *kinds: str, key: str, **wishes: Any) -> msg.Laid:
        """A table: "here", "friend" or the name of a driver for each seat; fast, unless something else is wished."""
        seats = tuple(
            msg.SeatPlan(kind=kind) if kind in ("here", "friend") else msg.SeatPlan(kind="driver", driver=kind)  # type: ignore[arg-type]
            for kind in kinds
        )
        return self.run(self.server.lay(msg.NewTable(seats=seats, **{"pace": 0, **wishes}), key))

    def running(self, table: str) -> RunningTable:
        """The table as the server has it in mind."""
        return self.server.waking.awake[table]


async def _killed(server: House) -> None:
    """Nothing of it runs any more, and nothing was put in order."""
    tasks = [task for running in server.waking.awake.values() for task in (*running._running, *running._tasks)]
    tasks += [task for task in (server._sweeper, server.retention._task) if task]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def open_house(folder: Path, thinkers: Thinkers, runner: asyncio.Runner) -> Iterator[Harness]:
    """A house, and its closing."""
    house = Harness(folder, runner, thinkers)
    try:
        yield house
    finally:
        house.close()


@contextmanager
def workers() -> Iterator[tuple[Thinkers, asyncio.Runner]]:
    """One worker process, which many houses share, and the event loop that it answers to."""
    with asyncio.Runner() as runner:
        thinkers = Thinkers(1)
        runner.run(thinkers.open())
        try:
            yield thinkers, runner
        finally:
            runner.run(thinkers.close())


def as_before(house: Harness) -> None:
    """Turn the database back into one of before: words stand in the events, and nothing tells who took a seat."""
    with closing(sqlite3.connect(house.url.removeprefix("sqlite:///"))) as database:
        kept = database.execute('SELECT "table", number, part, kind, text FROM words').fetchall()
        for table, number, part, kind, text in kept:
            this = (table, number)
            (body,) = database.execute('SELECT body FROM events WHERE "table" = ? AND number = ?', this).fetchone()
            event = json.loads(body)
            if kind == "title":
                event["plan"]["title"] = text
            elif number == 0:
                event["plan"]["seats"][part - 1]["name"] = text
            else:
                event["text" if kind == "saying" else "name"] = text
            rest = list(event.items())
            body = json.dumps(dict(rest), separators=(",", ":")).encode()
            database.execute('UPDATE events SET body = ? WHERE "table" = ? AND number = ?', (body, *this))
        database.executescript(
            "DROP TABLE seals; DROP TABLE words; DROP TABLE notes; DROP INDEX kept_by_table;"
            'ALTER TABLE kept DROP COLUMN "table"; DROP INDEX tables_listed;'
            "DROP TABLE laid_on; DROP INDEX kept_by_opening; ALTER TABLE kept DROP COLUMN opened;"
            "DELETE FROM rights WHERE role = 'sat'; UPDATE alembic_version SET version_num = '0001';"
        )
        database.commit()


def person() -> str:
    """A browser's key."""
    return new_key("b")


class Guest:
    """Somebody at a table: what he was told last, and everything that he was answered."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.table: dict[str, Any] = {}
        self.story: list[dict[str, Any]] = []
        self.answers: dict[str, dict[str, Any]] = {}
        self.heard: list[bytes] = []
        self._ids = count()

    @classmethod
    async def at(cls, server: House, table: str, *keys: str) -> Guest:
        """Come to a table, and look at it."""
        guest = cls(await server.connect(table, keys))
        await guest.hear()
        return guest

    async def hear(self) -> dict[str, Any]:
        """The next message."""
        raw = await self.connection.next()
        self.heard.append(raw)
        message: dict[str, Any] = msgspec.json.decode(raw)
        match message["is"]:
            case "whole":
                self.table, self.story = message["table"], message["story"]
            case "news":
                self.table = message["table"]
                self.story += message["story"]
            case _:
                self.answers[str(message.get("id"))] = message
        return message

    async def until(self, true: Callable[[Guest], object]) -> None:
        """Listen until it is so."""
        while not true(self):
            await self.hear()

    async def do(self, do: str, **fields: Any) -> dict[str, Any]:
        """Give a command, hear its answer and, if it was carried out, what came of it."""
        fields.setdefault("id", f"{do}-{next(self._ids)}")
        await self.connection.command(_command.decode(msgspec.json.encode({"do": do, **fields})))
        await self.until(lambda guest: fields["id"] in guest.answers)
        answer = self.answers[fields["id"]]
        if answer["is"] == "done":
            await self.until(lambda guest: guest.table["number"] >= answer["number"])
        return answer

    async def begin(self) -> None:
        """Begin whatever is next."""
        answer = await self.do("begin", at=self.table["changed"])
        assert answer["is"] == "done", answer

    async def move(self) -> dict[str, Any]:
        """Do what suggests itself, when one's turn has come; the curtain is lifted first where there is one."""
        while self.connection._waiting:  # nobody decides on what has passed already
            await self.hear()
        await self.until(lambda guest: guest.wanted or guest.table["phase"] != "racing")
        if self.table["curtain"] is not None:
            assert (await self.do("lift", seat=self.table["curtain"]))["is"] == "done"
            await self.until(lambda guest: guest.table["question"])
        if not self.table["question"]:
            return {"is": "nothing"}
        move = self.table["question"]["offers"][0]["move"]
        return await self.do("move", at=self.table["changed"], seat=self.table["eyes"], move=move)

    @property
    def wanted(self) -> bool:
        """Whether the table waits for this person."""
        return bool(self.table["question"]) or self.table["curtain"] is not None

    async def race(self) -> None:
        """Drive to the end of the race."""
        while self.table["phase"] == "racing":
            await self.move()

    def leave(self) -> None:
        """Be gone."""
        self.connection.close()


class Asked:
    """Counts what drivers are asked, and lets them answer."""

    def __init__(self, house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
        self.drivers: list[str] = []
        self._may_answer = asyncio.Event()
        self._may_answer.set()
        choose = house.thinkers.choose

        async def counted(driver: str, view: View, begins: Callable[[], None]) -> Move:
            self.drivers.append(driver)
            move = await choose(driver, view, begins)
            await self._may_answer.wait()
            return move

        monkeypatch.setattr(house.thinkers, "choose", counted)

    @contextmanager
    def kept_waiting(self) -> Iterator[None]:
        """Nobody answers meanwhile, so that nobody is asked what comes after."""
        self._may_answer.clear()
        yield
        self._may_answer.set()

    def __len__(self) -> int:
        return len(self.drivers)


# ---------------------------------------------------------------------- what tests look for


def token_of(link: str | None) -> str:
    """What a link opens a table with."""
    assert link is not None
    return link.partition("#")[2]


def on_turn(guest: Guest) -> int | None:
    """The seat on turn."""
    race = guest.table["race"]
    return None if race["turn"] is None else race["chariots"][race["turn"]]["seat"]


def by_whom(guest: Guest) -> list[str]:
    """Who made the move of each turn."""
    return [line["by"] for line in guest.story if line["kind"] == "turn"]


async def refused(work: Any) -> RefusedError:
    """Why something is not done."""
    with pytest.raises(RefusedError) as caught:
        await work
    assert caught.value.problem
    return caught.value
