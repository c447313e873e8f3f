"""The innocents of `make storm`: people who race at tables of their own while others attack, with a watch in the hand.

A program of its own, so that nobody else's work delays what it hears: it is told what to do in a line of JSON, plays
until its standard input is closed, and then prints what it has measured, in a line of JSON. All clocks are one: that of
this process.

- **news**: from before a move is sent until its news have arrived, once for each other person at the table.
- **ack**: from before a move is sent until the server has acknowledged it.
- **driver**: from the arrival of the news that make it a computer driver's turn until the arrival of its move, at
  whoever of the table hears of each first, less the time that the driver takes anyhow: the table's pace or, if that is
  longer, the time it was told to think (they run side by side). A driver who thinks for a number of playouts gets
  nothing off for them.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from storm_lines import BROKEN, Caller, Line, never_wait_for_a_processor

PACES = (700, 400, 200)  # milliseconds between two moves of computer drivers
SEARCHERS = ("sibylla", "sibylla", "sibylla", "sibylla@200ms")  # the usual one thinks for 1,000 playouts
THUMBS = ("scorpus", "festina", "bibulus")
OPEN = 4  # every fourth table is in the lobby, where attackers find it
REMEMBERED = 64  # messages of which one knows when they came
LAST_NEWS = 20.0  # seconds to wait for the last of them
SETTLED = 0.05  # seconds between two looks


@dataclass(eq=False)
class Move:
    """A move on its way: when it was sent, by whom, and who has heard of it when."""

    sent: float
    sender: Person
    number: int | None = None  # of its event, once it is acknowledged
    heard: dict[Person, float] = field(default_factory=dict)


@dataclass
class Measured:
    """What was measured, in seconds, and counted."""

    news: list[float] = field(default_factory=list)
    ack: list[float] = field(default_factory=list)
    driver: list[float] = field(default_factory=list)
    rule: list[float] = field(default_factory=list)  # of riderless chariots, whose moves nobody thinks about
    counts: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)


class Person:
    """Somebody at a table."""

    def __init__(self, table: Table, number: int, address: str) -> None:
        self.table, self.number, self.address = table, number, address
        self.caller = Caller(table.port, address)
        self.key: str = ""
        self.seat = 0
        self.shown: dict[str, Any] = {}
        self.arrivals: deque[tuple[int, float]] = deque(maxlen=REMEMBERED)  # number of the last event, and when
        self._line: Line | None = None
        self._sent = 0
        self._moves: dict[str, Move] = {}
        self._answered = -1  # the state for which this person has decided already
        self._readied = -1

    async def connect(self) -> None:
        """Open the socket, and know how the table stands."""
        self._line = await Line.open(self.table.port, self.address)
        status = await self._line.upgrade(self.table.id, self.key)
        if status != 101:
            raise OSError(f"a person's socket was refused: {status}")
        self._take_in(await self._line.hear("whole"))

    async def listen(self) -> None:
        """Hear everything; come back when the line is cut."""
        while True:
            try:
                if self._line is None:
                    await self.connect()
                assert self._line is not None
                while True:
                    self._take_in(json.loads(await self._line.heard()))
            except BROKEN as error:
                self.table.told.counts["lines lost"] += 1
                self.table.told.problems[f"line lost: {error!r:.120}"] += 1
                self._line = None
                await asyncio.sleep(0.2)

    def _take_in(self, message: dict[str, Any]) -> None:
        now = time.perf_counter()
        match message["is"]:
            case "whole" | "news":
                self.shown = message["table"]
                self.arrivals.append((self.shown["number"], now))
                self.table.heard(self, now, message)
                self._consider()
            case "done":
                self._done(message, now)
            case "refused":
                self._refused(message)
            case "bye":
                self.table.told.problems[f"bye: {message['problem']}"] += 1

    def _consider(self) -> None:
        """Wait for one's turn to think if there is something to decide."""
        shown = self.shown
        question = shown["question"]
        state = shown["changed"] if question is None or not question["ahead"] else question["since"]
        if shown["phase"] == "racing" and question and state != self._answered and not self._moves:
            self._answered = state
            self.table.waiting(self)
        elif shown["phase"] in ("podium", "over") and shown["ready"] and not shown["ready"]["you"]:
            self.table.spawn(self._be_ready())

    async def _be_ready(self) -> None:
        """Say that one is ready for the next race; of several who do at once some are told to look again."""
        state = self.shown["changed"]
        if self._readied == state:
            return
        self._readied = state
        await self._tell(do="begin", at=state)

    async def begin(self) -> None:
        await self._tell(do="begin", at=self.shown["changed"])

    async def move(self, choose: Callable[[list[Any]], Any]) -> None:
        """Play, now that it is time."""
        question = self.shown["question"]
        if self.shown["phase"] != "racing" or not question:
            self.table.told.counts["turns that passed"] += 1  # never, unless somebody else decides for him
            self._answered = -1
            return
        offer = choose(question["offers"])
        self.table.told.counts["moves"] += 1
        move = Move(time.perf_counter(), self)
        self.table.moves.append(move)
        self._moves[f"c{self._sent}"] = move
        await self._tell(do="move", at=self.shown["changed"], seat=self.seat, move=offer["move"])

    async def _tell(self, **command: Any) -> None:
        name = f"c{self._sent}"
        self._sent += 1
        if self._line is not None:
            with suppress(*BROKEN):
                await self._line.tell(id=name, **command)

    def _done(self, message: dict[str, Any], now: float) -> None:
        if (move := self._moves.pop(message["id"], None)) is not None:
            move.number = message["number"]
            told = self.table.told
            told.counts["acknowledged"] += 1
            told.ack.append(now - move.sent)
            for other in self.table.people:
                came = next((at for number, at in other.arrivals if number >= message["number"]), None)
                if came is not None:
                    self.table.has_heard(move, other, came)
            if self.shown["number"] >= message["number"]:  # else the question shown is still the one just answered
                self._consider()

    def _refused(self, message: dict[str, Any]) -> None:
        move = self._moves.pop(message["id"], None)
        what = "readiness" if move is None else "moves"
        self.table.told.counts[f"{what} refused"] += 1
        self.table.told.problems[f"{what} refused: {message['problem']}"] += 1
        if move is not None:
            self.table.moves.remove(move)
        self._answered = self._readied = -1
        self._consider()


class Table:
    """Two or three people, and computer drivers, who race again and again."""

    def __init__(self, number: int, port: int, told: Measured, waiting: Callable[[Person], None]) -> None:
        self.number, self.port, self.told, self.waiting = number, port, told, waiting
        self.id = ""
        self.people = [Person(self, one, f"127.{10 + one}.{number}.1") for one in range(2 + number % 2)]
        self.moves: list[Move] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._number, self._since, self._turn = -1, 0.0, ""
        self._takes = 0.0  # seconds that the driver on turn takes anyhow
        self._pace = PACES[number % len(PACES)]

    def spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def lay(self, menu: dict[str, Any]) -> None:
        """Lay it, let everybody sit down, and begin."""
        editions = [edition["name"] for edition in menu["editions"]]
        courses = menu["courses"]
        course = courses[self.number % len(courses)]
        searcher = SEARCHERS[self.number % len(SEARCHERS)]
        drivers = [searcher, THUMBS[self.number % len(THUMBS)]]
        plan = {
            "seats": [
                {"kind": "here"},
                *({"kind": "friend"} for _ in self.people[1:]),
                *({"kind": "driver", "driver": driver} for driver in drivers),
            ],
            "edition": editions[self.number % len(editions)],
            "course": course["name"],
            "direction": course["directions"][self.number // 4 % len(course["directions"])],
            "tournament": self.number % 5 == 4,
            "open": self.number % OPEN == 0,
            "title": f"Ludi {self.number + 1}",
            "pace": self._pace,
            "away": None,
        }
        host = self.people[0]
        laid = _good(await host.caller.post("/api/tables", plan))
        self.id, host.key, host.seat = laid["table"], laid["token"], laid["seats"][0]
        for guest in self.people[1:]:
            invited = {"token": laid["invitation"].partition("#")[2]}
            seated = _good(await guest.caller.post(f"/api/tables/{self.id}/sit", invited))
            guest.key, guest.seat = seated["token"], seated["seat"]
        for person in self.people:
            person.caller.hang_up()
            await person.connect()
            self.spawn(person.listen())

    async def begin(self) -> None:
        await self.people[0].begin()

    def heard(self, person: Person, now: float, message: dict[str, Any]) -> None:
        """Somebody has heard how the table stands."""
        shown = message["table"]
        for move in [move for move in self.moves if move.number is not None and move.number <= shown["number"]]:
            self.has_heard(move, person, now)
        if shown["number"] > self._number:
            self._went_on(shown, message["story"], now)

    def has_heard(self, move: Move, person: Person, when: float) -> None:
        if person is move.sender or person in move.heard:
            return
        move.heard[person] = when
        self.told.news.append(when - move.sent)
        if len(move.heard) == len(self.people) - 1:
            self.moves.remove(move)

    def _went_on(self, shown: dict[str, Any], story: list[dict[str, Any]], now: float) -> None:
        """The first news of an event: how long a driver has taken, and whose turn it is now."""
        turns = [line["by"] for line in story if line["kind"] == "turn" and line["number"] > self._number >= 0]
        if self._turn and turns and turns[0] == self._turn:
            (self.told.driver if self._turn == "driver" else self.told.rule).append(now - self._since - self._takes)
        self.told.counts["races"] += shown["phase"] in ("podium", "over") and bool(turns)
        self._number, self._since = shown["number"], now
        race = shown["race"]
        self._turn = ""
        if shown["phase"] == "racing" and race["turn"] is not None and not shown["paused"]:
            seat = race["chariots"][race["turn"]]["seat"]
            driver = None if seat is None else shown["seats"][seat]["driver"]
            self._turn = "rule" if seat is None else "driver" if driver else ""
            self._takes = max(self._pace / 1000, _thinks(driver))

    async def whole(self) -> dict[str, Any]:
        """The table as its host sees it, asked for anew."""
        host = self.people[0]
        return dict(_good(await host.caller.ask("GET", f"/api/tables/{self.id}", key=host.key)))


def _thinks(driver: str | None) -> float:
    """Seconds that a driver was told to think, if it was."""
    budget = (driver or "").partition("@")[2]
    if budget.endswith("ms"):
        return float(budget[:-2]) / 1000
    return float(budget[:-1]) if budget.endswith("s") else 0.0


def _good(answer: Any) -> Any:
    if not answer.good:
        raise OSError(f"an innocent was refused: {answer.status} {answer.body[:300]!r}")
    return answer.json()


class Innocents:
    """All of them."""

    def __init__(self, port: int, tables: int, a_second: float, seed: int) -> None:
        self.told = Measured()
        self._source = random.Random(seed)
        self._a_second = a_second
        self._waiting: deque[Person] = deque()
        self.tables = [Table(number, port, self.told, self._waiting.append) for number in range(tables)]

    async def sit_down(self) -> None:
        caller = self.tables[0].people[0].caller
        menu = _good(await caller.ask("GET", "/api/menu"))
        for table in self.tables:
            await table.lay(menu)
        for table in self.tables:
            await table.begin()

    async def play(self, over: asyncio.Event) -> None:
        """So many human moves a second in all, at random moments: whoever has thought for longest is next.

        If nobody has anything to decide when it is time, the move is made as soon as somebody has.
        """
        begun, beats = time.perf_counter(), 0.0
        while not over.is_set():
            beats += self._source.expovariate(self._a_second)
            await _unless(over, begun + beats - time.perf_counter())
            while not self._waiting and not over.is_set():
                await asyncio.sleep(SETTLED / 10)
            if not over.is_set():
                await self._waiting.popleft().move(self._source.choice)
        self.told.counts["milliseconds"] = round(1000 * (time.perf_counter() - begun))

    async def settle(self) -> None:
        """Wait for the last news, and see that everything that was acknowledged is there."""
        until = time.perf_counter() + LAST_NEWS
        while any(table.moves for table in self.tables) and time.perf_counter() < until:
            await asyncio.sleep(SETTLED)
        counts = self.told.counts
        left = [move for table in self.tables for move in table.moves]
        counts["moves lost"] += sum(move.number is None for move in left)
        counts["news lost"] += sum(move.number is not None for move in left)
        for table in self.tables:
            whole = await table.whole()
            counts["events"] += whole["table"]["number"] + 1
            counts["tables behind"] += whole["table"]["number"] < table._number


async def _unless(over: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(over.wait(), max(seconds, 0.0))


def until_closed() -> asyncio.Event:
    """Set when standard input is closed: whoever started this program has had enough, or is gone."""
    over, loop = asyncio.Event(), asyncio.get_running_loop()

    def wait() -> None:
        sys.stdin.read()
        loop.call_soon_threadsafe(over.set)

    threading.Thread(target=wait, daemon=True).start()
    return over


async def main(port: int, tables: int, a_second: float, seed: int) -> None:
    never_wait_for_a_processor()
    over = until_closed()
    innocents = Innocents(port, tables, a_second, seed)
    await innocents.sit_down()
    print("racing", flush=True)
    await innocents.play(over)
    await innocents.settle()
    print(json.dumps(vars(innocents.told)), flush=True)


if __name__ == "__main__":
    asyncio.run(main(**json.loads(sys.stdin.readline())))
