"""A whole server in one thread, without a network: the real application, a real database, and time that is set by hand.

What a server leaves to threads and worker processes is done on the event loop here, after as many turns of it as chance
wills. So a run is the same each time it is repeated, whatever the machine is doing, and yet things come in every order.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import msgspec
from fastapi import FastAPI
from sqlalchemy import event

from avecaesar.drivers import Considered, advise, driver
from avecaesar.game import Move, View, sealed_chance
from avecaesar.server.http.app import create_app
from avecaesar.server.http.gatekeeper import Limits, Settings
from avecaesar.server.rates import Quotas, Rate
from avecaesar.server.store.database import Store
from avecaesar.server.store.fair_executor import FairExecutor
from avecaesar.server.store.writer import Writer
from avecaesar.server.tables import house as hosting
from avecaesar.server.tables.house import House
from avecaesar.server.tables.keyring import Keyring
from avecaesar.server.workers.budgets import allowed_driver
from avecaesar.server.workers.pool import Thinkers

T = TypeVar("T")
ENDLESS = Rate(1e12, 10**12)
LIFTED = Limits(
    requests=ENDLESS, tables=ENDLESS, boards=ENDLESS, records=ENDLESS, messages=ENDLESS,
    messages_of_person=ENDLESS, messages_of_address=ENDLESS, hasty=10**9, strangers=10**9, reads=10**9,
    connections=10**9,
)  # fmt: skip
ENDLESS_QUOTAS = Quotas(
    links=ENDLESS, sayings=ENDLESS, deeds=ENDLESS, chatter=ENDLESS, uploads=ENDLESS, wakes=ENDLESS, pace=0.0,
    driven=ENDLESS, comings=ENDLESS, forgetting=ENDLESS, courses=ENDLESS, written=ENDLESS,
    kept=10**15, open_tables=10**9, rights=10**9,
)  # fmt: skip
MOST_TURNS = 4  # of the event loop for which something is left waiting
FEW_PLAYOUTS = 20
HOST = "localhost"


class Hours:
    """Both clocks of a server, and everybody who sleeps by them: nobody wakes before time is told to pass."""

    def __init__(self) -> None:
        self.wall = 1_800_000_000.0
        self.passed = 1000.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def clock(self) -> float:
        return self.wall

    def steady(self) -> float:
        return self.passed

    async def sleep(self, seconds: float) -> None:
        alarm: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((round(self.passed + max(seconds, 0.0), 6), alarm))
        await alarm

    @property
    def soonest(self) -> float:
        """Seconds until somebody wakes."""
        return min(when for when, alarm in self._sleepers if not alarm.done()) - self.passed

    def pass_by(self, seconds: float) -> None:
        self.wall = round(self.wall + seconds, 6)  # so that it does not matter in how many steps time passes
        self.passed = round(self.passed + seconds, 6)
        due = [alarm for when, alarm in self._sleepers if when <= self.passed]
        self._sleepers = [(when, alarm) for when, alarm in self._sleepers if when > self.passed and not alarm.done()]
        for alarm in due:
            if not alarm.done():
                alarm.set_result(None)


class OnLoop(ThreadPoolExecutor):
    """An executor without threads: what is submitted is done on the event loop, a few turns later."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(1)
        self._chance = chance

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()
        asyncio.get_running_loop().call_soon(self._later, self._chance.randrange(MOST_TURNS), future, fn, args, kwargs)
        return future

    def _later(self, turns: int, future: Future[Any], fn: Callable[..., Any], args: Any, kwargs: Any) -> None:
        if turns:
            asyncio.get_running_loop().call_soon(self._later, turns - 1, future, fn, args, kwargs)
        elif future.set_running_or_notify_cancel():
            try:
                future.set_result(fn(*args, **kwargs))
            except Exception as error:
                future.set_exception(error)


class QuickThinkers(Thinkers):
    """Workers who work here and now. The searcher looks at a few races only."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(1)
        self._chance = chance

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        self._bell.close()
        self._ear.close()

    async def choose(self, name: str, view: View, begins: Callable[[], None] = lambda: None) -> Move:
        await self._dawdle()
        begins()
        thumb = allowed_driver(name) if not name.startswith("sibylla") else "scorpus"
        return driver(thumb, seed=1).choose(view)

    async def consider(self, view: View, playouts: int = FEW_PLAYOUTS) -> list[Considered]:
        return await self.call(advise, view, FEW_PLAYOUTS, alone=True)

    async def ping(self) -> None:
        await self._dawdle()

    async def call(
        self,
        function: Callable[..., T],
        *args: object,
        limit: float = 0.0,
        takes: float | None = None,
        key: Hashable = None,
        alone: bool = False,
    ) -> T:
        with self.counted(alone):
            await self._dawdle()
            return function(*args)

    async def _dawdle(self) -> None:
        for _ in range(self._chance.randrange(MOST_TURNS)):
            await asyncio.sleep(0)


def _careless(connection: Any, _: object) -> None:
    """The disk is not waited for: what is fuzzed is not the power supply."""
    connection.execute("PRAGMA synchronous=OFF").close()


def quick_store(file: Path, chance: random.Random) -> Store:
    """The store, in a file, without threads."""
    store = Store(f"sqlite:///{file}")
    event.listen(store._engine, "connect", _careless)
    store._writer = Writer(OnLoop(chance))
    store._readers = FairExecutor(1, "reader", OnLoop(chance))
    return store


class Answer(NamedTuple):
    """What a request was answered; status 0: nothing, for the client had gone."""

    status: int
    headers: dict[str, str]
    body: bytes


class Wire:
    """A browser's or program's end of a socket, and what came out of it."""

    def __init__(self, keys: tuple[str, ...]) -> None:
        self.keys = keys
        self.frames: deque[str] = deque()
        self.closed: int | None = None
        self.task: asyncio.Task[None] | None = None
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._inbox.put_nowait({"type": "websocket.connect"})
        self._reading = asyncio.Event()
        self._reading.set()

    @property
    def open(self) -> bool:
        return self.closed is None and self.task is not None and not self.task.done()

    def say(self, text: str | bytes) -> None:
        frame = {"text": text} if isinstance(text, str) else {"bytes": text}
        self._inbox.put_nowait({"type": "websocket.receive", **frame})

    def hang_up(self) -> None:
        self._inbox.put_nowait({"type": "websocket.disconnect", "code": 1001})
        self._reading.set()

    def read(self, reading: bool) -> None:
        """Whether this end takes what it is sent."""
        (self._reading.set if reading else self._reading.clear)()

    async def receive(self) -> dict[str, Any]:
        return await self._inbox.get()

    async def send(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "websocket.send":
            await self._reading.wait()
            self.frames.append(message["text"])
        elif message["type"] == "websocket.close":
            self.closed = message.get("code", 1000)
        elif message["type"] == "websocket.http.response.start":
            self.closed = message["status"]


class InProcess:
    """The application on a file, opened as a server opens it. It can be ended and begun again."""

    def __init__(self, folder: Path, seed: str) -> None:
        self.chance = random.Random(f"{seed} turns")
        self.hours = Hours()
        self.file = folder / "fuzz.db"
        self.keys = Keyring.in_memory()
        self.loop: Any = asyncio.get_running_loop()
        self.loop.set_default_executor(OnLoop(self.chance))
        self.house: House
        self.app: FastAPI
        self._alive: asyncio.Task[None]

    async def open(self) -> None:
        store, hours = quick_store(self.file, self.chance), self.hours
        thinkers = QuickThinkers(self.chance)
        self.house = House(
            store, thinkers, hours.clock, hours.sleep, hours.steady, quotas=ENDLESS_QUOTAS, keys=self.keys
        )
        self.app = create_app(self.house, Settings(limits=LIFTED))
        self._ends = asyncio.Event()
        opened = asyncio.Event()
        self._alive = asyncio.create_task(self._live(opened))
        await asyncio.wait({asyncio.create_task(opened.wait()), self._alive}, return_when=asyncio.FIRST_COMPLETED)
        if self._alive.done():
            self._alive.result()
        self.app.state.watchdog.close()  # how long steps take is not what is looked at, and measuring it takes long

    async def _live(self, opened: asyncio.Event) -> None:
        begun = False

        async def receive() -> dict[str, str]:
            nonlocal begun
            if begun:
                await self._ends.wait()
                return {"type": "lifespan.shutdown"}
            begun = True
            return {"type": "lifespan.startup"}

        async def send(message: Any) -> None:
            assert "failed" not in message["type"], message
            opened.set()

        await self.app({"type": "lifespan", "state": {}}, receive, send)

    async def close(self) -> None:
        self._ends.set()
        await self._alive

    async def settle(self) -> None:
        """Let everything happen that does not wait for time to pass, or for somebody to say something."""
        await asyncio.sleep(0)
        while self.loop._ready:
            await asyncio.sleep(0)

    # ------------------------------------------------------------------ asking

    def ask(
        self,
        method: str,
        path: str,
        query: bytes = b"",
        headers: list[tuple[bytes, bytes]] | None = None,
        body: bytes = b"",
        leaves: bool = False,
    ) -> asyncio.Task[Answer]:
        """Send a request; who leaves does so when it was read to its end."""
        return asyncio.create_task(self._ask(method, path, query, headers or [], body, leaves))

    async def _ask(
        self, method: str, path: str, query: bytes, headers: list[tuple[bytes, bytes]], body: bytes, leaves: bool
    ) -> Answer:
        told: dict[str, Any] = {"status": 0, "headers": []}
        parts: list[bytes] = []
        said = left = False

        async def receive() -> dict[str, Any]:
            nonlocal said, left
            if not said:
                said = True
                return {"type": "http.request", "body": body, "more_body": False}
            if not leaves:
                await asyncio.Event().wait()
            left = True
            return {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                told.update(message)
            else:
                parts.append(message.get("body", b""))

        await self.app(self._scope("http", path, query, headers, method=method), receive, send)
        names = {name.decode().lower(): value.decode("latin-1") for name, value in told["headers"]}
        unheard = left and told["status"] == 400  # that the request broke off is told to nobody
        return Answer(0 if unheard else told["status"], names, b"".join(parts))

    def connect(self, table: str, keys: tuple[str, ...] = (), headers: list[tuple[bytes, bytes]] | None = None) -> Wire:
        """Open a socket to a table."""
        wire = Wire(keys)
        scope = self._scope("websocket", f"/api/tables/{table}/socket", b"", headers or [], subprotocols=[])
        wire.task = asyncio.create_task(self.app(scope, wire.receive, wire.send))
        return wire

    @staticmethod
    def _scope(kind: str, path: str, query: bytes, headers: list[tuple[bytes, bytes]], **more: Any) -> dict[str, Any]:
        named = any(name == b"host" for name, _ in headers)
        return {
            "type": kind,
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "scheme": "ws" if kind == "websocket" else "http",
            "path": path,
            "raw_path": path.encode("utf-8", "replace"),
            "query_string": query,
            "root_path": "",
            "headers": headers if named else [(b"host", HOST.encode()), *headers],
            "client": ("192.0.2.7", 4711),
            "server": (HOST, 80),
            "state": {},
            "extensions": {},
            **more,
        }


class Heard(msgspec.Struct):
    """What tells a frame from others."""

    kind: str = msgspec.field(name="is")
    id: str | None = None
    number: int | None = None
    problem: str | None = None


heard = msgspec.json.Decoder(Heard).decode


@contextmanager
def repeatable(seed: str) -> Iterator[None]:
    """Keys, names of tables and cards follow from the seed."""
    chance = random.Random(f"{seed} secrets")
    drawn = SimpleNamespace(
        token_bytes=chance.randbytes,
        token_urlsafe=lambda size: "".join(chance.choices("abcdefghijkmnopqrstuvwxyz0123456789_-", k=size * 4 // 3)),
    )
    before = vars(sealed_chance)["secrets"], vars(hosting)["secrets"]
    vars(sealed_chance)["secrets"], vars(hosting)["secrets"] = drawn, drawn
    try:
        yield
    finally:
        vars(sealed_chance)["secrets"], vars(hosting)["secrets"] = before
