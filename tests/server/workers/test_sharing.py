"""Workers are shared fairly: whatever one address asks for, an innocent table's driver is the next to think.

Nothing is timed: workers are held up until everything has been asked, and then it is counted what they begin with.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest

from avecaesar import Race
from avecaesar.courses import DIRECTIONS, boards
from avecaesar.records import record_of, to_json
from avecaesar.server.fairness import Asker, on_behalf_of
from avecaesar.server.http.gatekeeper import Settings
from avecaesar.server.networks import NEIGHBOURS
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables.compiling import Courses
from avecaesar.server.workers.errands import Errand
from avecaesar.server.workers.pool import ERRANDS_AN_ADDRESS, Thinkers
from busy_workers import held_up
from checkout import BOARDS
from harness import Harness
from recordings import crews_of, run
from servers import ROOMY, ServerClient, hear, in_a_thread

PATIENCE = 60  # seconds after which a test has failed
ONE_AT_A_TIME = "one thing at a time: your last request is still being worked on"
TOO_MUCH = "too much is being worked on for your address: try again in a moment"
BOARD = (BOARDS / "plain.board").read_text(encoding="utf-8")
AS_JSON = {"Content-Type": "application/json"}
SHORT = {"race_ends": "first_home"}
BRIEF = "sibylla@20"  # who thinks for a millisecond

_scenes, _seeds = count(1), count(1)


class Watch:
    """Sees what workers are given to do, and what they are spared."""

    def __init__(self, thinkers: Thinkers) -> None:
        self.asked: list[Errand] = []
        self.begun: list[Errand] = []
        self.spared: list[Errand] = []
        self._changed = threading.Condition()
        queue = thinkers._queue
        add, take, let_go = queue.add, queue.take, thinkers._let_go

        def adding(item: Errand, askers: Any, takes: float) -> None:
            add(item, askers, takes)
            self._note(self.asked, item)

        def taking(slots: int) -> Errand | None:
            if (item := take(slots)) is not None:
                self._note(self.begun, item)
            return item

        def letting_go(item: Errand) -> None:
            let_go(item)
            self._note(self.spared, item)

        queue.add, queue.take, thinkers._let_go = adding, taking, letting_go  # type: ignore[assignment, method-assign]

    def _note(self, where: list[Errand], item: Errand) -> None:
        with self._changed:
            where.append(item)
            self._changed.notify_all()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until it is so."""

        def wait() -> None:
            with self._changed:
                assert self._changed.wait_for(true, PATIENCE), (self.asked, self.begun, self.spared)

        await asyncio.to_thread(wait)

    def of(self, address: str, errands: list[Errand]) -> list[Errand]:
        return [one for one in errands if any(asker.address == address for asker in one.askers)]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerClient]:
    with in_a_thread(tmp_path_factory.mktemp("sharing") / "it.db", Settings(limits=ROOMY, proxy=True)) as server:
        for board in boards():  # which the server draws by itself when it begins, in the way of whatever is asked
            for course in board.courses:
                for direction in DIRECTIONS:
                    assert server.client.get(f"/api/courses/{course}/{direction}/picture.svg").status_code == 200
        yield server


class Visitor:
    """Somebody who calls from an address, through a proxy."""

    def __init__(self, served: ServerClient, address: str) -> None:
        self.client = httpx2.AsyncClient(
            base_url=served.url, timeout=600, trust_env=False, headers={"X-Forwarded-For": address}
        )
        self.key: dict[str, str] = {}

    async def post(self, path: str, **body: Any) -> httpx2.Response:
        return await self.client.post(path, json=body, headers=self.key)

    async def lay(self, *drivers: str, here: bool = False) -> str:
        """A table that has begun."""
        seats = [*([{"kind": "here"}] if here else []), *({"driver": driver} for driver in drivers)]
        laid = (await self.post("/api/tables", seats=seats, pace=0)).json()
        self.key = {"Authorization": f"Bearer {laid['token']}"}
        table = f"/api/tables/{laid['table']}"
        changed = (await self.client.get(table, headers=self.key)).json()["table"]["changed"]
        answer = await self.post(f"{table}/commands", do="begin", id="begin", at=changed)
        assert answer.status_code == 200, answer.text
        return table

    async def hint_at(self) -> Callable[[], Coroutine[Any, Any, httpx2.Response]]:
        """Sit down, wait for one's turn, and be able to ask for hints."""
        table = await self.lay("scorpus", here=True)
        while not (await self.client.get(table, headers=self.key)).json()["table"]["question"]:
            pass
        return lambda: self.post(f"{table}/commands", do="hint", id="hint", seat=0)

    async def upload(self, seed: int) -> str:
        """A record; where its chronicle is."""
        races = [run(Race("white", 2, options=SHORT, seed=seed), "careful", random.Random(seed))]
        written = to_json(record_of(races, crews_of(races, "chance"), "ravensburger"))
        answer = await self.client.post("/api/records", content=written, headers=AS_JSON)
        assert answer.status_code == 201, answer.text
        return f"/api/replays/{answer.json()['replay']}/races/0/chronicle"

    async def board(self) -> dict[str, Any]:
        """An uploaded board, as it was answered."""
        answer = await self.client.post("/api/boards", content=BOARD, headers={"Content-Type": "text/plain"})
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    async def new_key(self) -> dict[str, str]:
        """Another person at this address."""
        laid = await self.post("/api/tables", seats=[{"kind": "here"}, {}])
        return {"Authorization": f"Bearer {laid.json()['token']}"}


class Scene(NamedTuple):
    """A server, a storm that comes from one address, and somebody at home at another one."""

    served: ServerClient
    watch: Watch
    folder: Path
    storm: str
    home: str
    visitors: list[Visitor]

    @property
    def thinkers(self) -> Thinkers:
        thinkers: Thinkers = self.served.app.state.house.thinkers
        return thinkers

    def visitor(self, address: str) -> Visitor:
        self.visitors.append(Visitor(self.served, address))
        return self.visitors[-1]

    def run(self, play: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Let it happen; then everybody goes home."""

        async def run() -> None:
            try:
                await play()
            finally:
                for visitor in self.visitors:
                    await visitor.client.aclose()

        asyncio.run(run())

    async def innocent(self, driver: str) -> Errand:
        """Somebody at home begins a race, and its first driver is to move."""
        await self.visitor(self.home).lay(*[driver] * 3)
        await self.watch.until(lambda: bool(self.watch.of(self.home, self.watch.asked)))
        return self.watch.of(self.home, self.watch.asked)[0]

    async def asked(self, many: int) -> None:
        """Wait until the storm has asked for so much."""
        await self.watch.until(lambda: len(self.watch.of(self.storm, self.watch.asked)) == many)

    async def begun_before(self, errand: Errand, since: int) -> list[Errand]:
        """What the storm was given before an errand of somebody else's was begun."""
        await self.watch.until(lambda: errand in self.watch.begun)
        return self.watch.of(self.storm, self.watch.begun[since : self.watch.begun.index(errand)])


@pytest.fixture
def scene(served: ServerClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Scene:
    thinkers: Thinkers = served.app.state.house.thinkers
    for part, name in ((thinkers._queue, "add"), (thinkers._queue, "take"), (thinkers, "_let_go")):
        monkeypatch.setattr(part, name, getattr(part, name))  # and so it will be again
    number = next(_scenes)
    return Scene(served, Watch(thinkers), tmp_path, f"10.1.{number}.1", f"10.2.{number}.1", [])


async def refused(tasks: list[asyncio.Task[httpx2.Response]], many: int) -> list[str]:
    """Wait until so many have been answered: they were refused, and why."""
    while len(done := [task for task in tasks if task.done()]) < many:
        await asyncio.wait([task for task in tasks if not task.done()], return_when=asyncio.FIRST_COMPLETED)
    assert {task.result().status_code for task in done} == {429}
    assert len(done) == many
    return [task.result().json()["problem"] for task in done]


def test_a_hundred_hints_over_http_are_one_hint(scene: Scene) -> None:
    async def play() -> None:
        ask = await scene.visitor(scene.storm).hint_at()
        async with held_up(scene.thinkers, scene.folder):
            since, before = len(scene.watch.begun), len(scene.watch.of(scene.storm, scene.watch.asked))
            hints = [asyncio.create_task(ask()) for _ in range(100)]
            assert set(await refused(hints, 99)) == {ONE_AT_A_TIME}
            assert len(scene.watch.of(scene.storm, scene.watch.asked)) == before + 1
            errand = await scene.innocent(BRIEF)
        assert len(await scene.begun_before(errand, since)) <= 1
        assert sorted([(await hint).status_code for hint in hints]) == [200, *[429] * 99]

    scene.run(play)


def test_nobody_is_as_many_people_as_keys_that_he_thinks_up(scene: Scene) -> None:
    """Neither before the key that holds his seat nor instead of it."""

    async def play() -> None:
        storm = scene.visitor(scene.storm)
        path = await storm.upload(next(_seeds))
        table = await storm.lay("scorpus", here=True)
        while not (await storm.client.get(table, headers=storm.key)).json()["table"]["question"]:
            pass
        made_up = [f"thought_up_by_him_{number}" for number in range(3)]
        async with held_up(scene.thinkers, scene.folder):
            reading = [
                asyncio.create_task(storm.client.get(path, headers={"Authorization": f"Bearer {key}"}))
                for key in made_up
            ]
            assert await refused(reading, 2) == [ONE_AT_A_TIME] * 2
            hints = [
                asyncio.create_task(
                    storm.client.post(
                        f"{table}/commands",
                        json={"do": "hint", "id": key, "seat": 0},
                        headers={**storm.key, "Cookie": f"avecaesar=b_{key}"},
                    )
                )
                for key in made_up
            ]
            assert await refused(hints, 2) == [ONE_AT_A_TIME] * 2
            await gone(scene, [*reading, *hints])

    scene.run(play)


def test_the_addresses_of_a_network_have_no_more_at_work_than_sixteen(house: Harness) -> None:
    thinkers = house.thinkers
    with ExitStack() as working:
        for number in range(NEIGHBOURS * ERRANDS_AN_ADDRESS):
            with on_behalf_of(Asker(f"192.0.2.{number % 200}", f"person {number}")):
                working.enter_context(thinkers.counted(alone=True))
        with (
            on_behalf_of(Asker("192.0.2.250", "one more")),
            pytest.raises(RefusedError, match="too much"),
            thinkers.counted(alone=True),
        ):
            pass
        with on_behalf_of(Asker("198.51.100.7", "somebody elsewhere")), thinkers.counted(alone=True):
            pass
    assert not thinkers._asked


def test_a_hint_by_socket_and_one_over_http_are_two_errands_of_one_person(scene: Scene) -> None:
    async def play() -> None:
        storm = scene.visitor(scene.storm)
        ask = await storm.hint_at()
        table = str((await storm.client.get("/api/tables", headers=storm.key)).json()["mine"][0]["table"])
        async with held_up(scene.thinkers, scene.folder):
            before = len(scene.watch.of(scene.storm, scene.watch.asked))
            first = asyncio.create_task(ask())
            await scene.watch.until(lambda: len(scene.watch.of(scene.storm, scene.watch.asked)) == before + 1)
            problem = await asyncio.to_thread(hint_by_socket, scene, table, storm.key)
            assert problem == ONE_AT_A_TIME
        assert (await first).status_code == 200

    scene.run(play)


def hint_by_socket(scene: Scene, table: str, key: dict[str, str]) -> str:
    with scene.served.socket(table, **{"X-Forwarded-For": scene.storm}, **key) as socket:
        socket.send('{"do": "hint", "id": "h", "seat": 0}')
        while (answer := hear(socket)).get("id") != "h":
            pass
    return str(answer["problem"])


@pytest.mark.parametrize("driver", [BRIEF, "sibylla@600ms"])
def test_twelve_chronicles_at_once_keep_no_other_address_waiting(scene: Scene, driver: str) -> None:
    async def play() -> None:
        storm = scene.visitor(scene.storm)
        paths = [await storm.upload(next(_seeds)) for _ in range(ERRANDS_AN_ADDRESS + 1)]
        keys = [await storm.new_key() for _ in paths]
        async with held_up(scene.thinkers, scene.folder):
            since = len(scene.watch.begun)
            alone = [asyncio.create_task(storm.client.get(path)) for path in paths]
            assert set(await refused(alone, len(paths) - 1)) == {ONE_AT_A_TIME}
            await gone(scene, alone)
            crowd = [
                asyncio.create_task(storm.client.get(path, headers=key)) for path, key in zip(paths, keys, strict=True)
            ]
            assert await refused(crowd, 1) == [TOO_MUCH]
            errand = await scene.innocent(driver)
        assert len(await scene.begun_before(errand, since)) <= 1
        for task in crowd:
            task.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)

    scene.run(play)


async def gone(scene: Scene, tasks: list[asyncio.Task[httpx2.Response]]) -> None:
    """Whoever still waits for workers that are held up goes away, and is no longer worked for."""
    left, spared = [task for task in tasks if not task.done()], len(scene.watch.spared)
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    await scene.watch.until(lambda: len(scene.watch.spared) == spared + len(left))


def test_a_client_who_has_gone_is_no_longer_worked_for(scene: Scene) -> None:
    async def play() -> None:
        storm = scene.visitor(scene.storm)
        path = await storm.upload(next(_seeds))
        async with held_up(scene.thinkers, scene.folder):
            asked = len(scene.watch.asked)
            reading = [asyncio.create_task(storm.client.get(path))]
            await scene.watch.until(lambda: bool(scene.watch.of(scene.storm, scene.watch.asked[asked:])))
            (errand,) = scene.watch.of(scene.storm, scene.watch.asked[asked:])
            await gone(scene, reading)
            assert errand in scene.watch.spared
            again = [asyncio.create_task(storm.client.get(path))]  # which is not one too many
            await scene.watch.until(lambda: len(scene.watch.of(scene.storm, scene.watch.asked[asked:])) == 2)
            await gone(scene, again)
        ask = await scene.visitor(scene.home).hint_at()
        assert (await ask()).status_code == 200
        assert errand not in scene.watch.begun

    scene.run(play)


def test_a_chronicle_that_is_written_already_takes_nobodys_turn(scene: Scene) -> None:
    """Two people of a household without keys read it at once."""

    async def play() -> None:
        storm = scene.visitor(scene.storm)
        written, other = [await storm.upload(next(_seeds)) for _ in range(2)]
        assert (await storm.client.get(written)).status_code == 200
        async with held_up(scene.thinkers, scene.folder):
            asked = len(scene.watch.asked)
            reading = asyncio.create_task(storm.client.get(other))
            await scene.watch.until(lambda: len(scene.watch.of(scene.storm, scene.watch.asked[asked:])) == 1)
            again = await asyncio.gather(*(storm.client.get(written) for _ in range(2)))
            assert [answer.status_code for answer in again] == [200, 200]
            assert (await storm.client.get(other)).status_code == 429
            await gone(scene, [reading])

    scene.run(play)


def test_whatever_workers_are_asked_for_is_given_up_when_the_client_has_gone(scene: Scene) -> None:
    async def play() -> None:
        storm = scene.visitor(scene.storm)
        record = (await storm.upload(next(_seeds))).removesuffix("/races/0/chronicle")
        board = await storm.board()
        plan = {"seats": [{}, {}], "board": board["board"], "course": board["courses"][0]["name"]}
        course = f"/api/courses/{plan['course']}/clockwise"
        scene.served.app.state.house.courses = Courses(scene.thinkers)  # who has compiled nothing yet
        async with held_up(scene.thinkers, scene.folder):
            asks: list[Callable[[], Coroutine[Any, Any, httpx2.Response]]] = [
                lambda: storm.client.get(f"{record}/record?format=text"),
                lambda: storm.post("/api/tables", **plan),
                lambda: storm.post("/api/check", **plan),
                lambda: storm.client.get(course, params={"board": board["board"]}),
                lambda: storm.client.get(f"{course}/picture.svg", params={"board": board["board"]}),
            ]
            for ask in asks:
                before = len(scene.watch.of(scene.storm, scene.watch.asked))
                waiting = asyncio.create_task(ask())
                await scene.asked(before + 1)
                await gone(scene, [waiting])

    scene.run(play)


@pytest.mark.parametrize(("many", "one"), [(BRIEF, BRIEF), ("sibylla@5s", "sibylla@600ms")])
def test_twenty_tables_of_six_searchers_keep_no_other_table_waiting(scene: Scene, many: str, one: str) -> None:
    """Neither such as think in no time nor such as think for five seconds."""

    async def play() -> None:
        async with held_up(scene.thinkers, scene.folder):
            since = len(scene.watch.begun)
            for _ in range(20):
                await scene.visitor(scene.storm).lay(*[many] * 6)
            await scene.watch.until(lambda: len(scene.watch.of(scene.storm, scene.watch.asked)) == 20)
            errand = await scene.innocent(one)
        # The first worker who is free may go to the storm, which came first; the last one never does.
        assert len(await scene.begun_before(errand, since)) <= 1

    scene.run(play)
