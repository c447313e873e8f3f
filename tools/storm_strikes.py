"""What every attack of `make storm` is made of: strands that strike again and again, and what many of them do.

Each attack has an address of its own (127.66.N.1), and as many strands as it takes to reach a limit. A strand strikes
again as soon as it was let in, and backs off for a moment when it was refused.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from storm_lines import BROKEN, Answer, Caller, Line

SHORTEST, LONGEST = 0.02, 1.0  # seconds to back off
HELD = 40.0  # seconds after which whoever holds a line gives up; the server should have cut it before
LANGUAGES = ("en", "it", "fr", "de", "la")
PLAIN = {"Content-Type": "text/plain"}
MEBIBYTE = 2**20
SIX = ["sibylla@5s"] * 6
LARGEST_BOARD, LARGEST_RECORD, LARGEST_MESSAGE, LARGEST_FRAME = 2**16, 4 * MEBIBYTE, 2**14, 2**16


class Laid(NamedTuple):
    """A table of an attacker's own."""

    id: str
    key: str
    invitation: str  # the key in it


class Strand:
    """One of an attack's hands: a caller, chance, and what it has laid or opened so far."""

    def __init__(self, port: int, address: str, number: int, seed: str) -> None:
        self.port, self.address, self.number = port, address, number
        self.caller = Caller(port, address)
        self.chance = random.Random(f"{seed} {number}")
        self.table: Laid | None = None
        self.line: Line | None = None
        self.known: dict[str, Any] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    async def open(self, **more: Any) -> Line:
        return await Line.open(self.port, self.address, **more)

    def spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def drop(self) -> None:
        """Let go of the line."""
        if self.line is not None:
            self.line.reset()
            self.line = None


class Attack:
    """Something that a hostile visitor does again and again."""

    at_once: ClassVar[int] = 4  # strands
    kinds: ClassVar[list[type[Attack]]] = []

    def __init_subclass__(cls) -> None:
        if not cls.__name__.startswith("_"):
            Attack.kinds.append(cls)

    def __init__(self, port: int, number: int, seed: int) -> None:
        self.port, self.number, self.seed = port, number, f"{type(self).__name__} {seed}"
        self.address = f"127.66.{number}.1"
        self.tally: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()  # by status, or what a socket was told

    async def strike(self, strand: Strand) -> bool:
        """Once; whether it was let in. What breaks the line (`BROKEN`) counts as cut."""
        raise NotImplementedError

    async def run(self) -> None:
        strands = [Strand(self.port, self.address, number, self.seed) for number in range(self.at_once)]
        await asyncio.gather(*(self._strike_on(strand) for strand in strands))

    async def _strike_on(self, strand: Strand) -> None:
        pause = 0.0
        await asyncio.sleep(strand.chance.random())  # not all at the same moment
        while True:
            self.tally["struck"] += 1
            try:
                good = await self.strike(strand)
                self.tally["let in" if good else "refused"] += 1
            except BROKEN as error:
                good = False
                self.tally["cut"] += 1
                self.answers[type(error).__name__] += 1
                strand.drop()
                strand.caller.hang_up()
            pause = 0.0 if good else min(max(2 * pause, SHORTEST), LONGEST)
            await asyncio.sleep(pause * (0.5 + strand.chance.random()))

    # ------------------------------------------------------------------ what many of them do

    async def ask(
        self,
        strand: Strand,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        answer = await strand.caller.ask(method, path, body, key=key, headers=headers)
        self.answers[str(answer.status)] += 1
        return answer

    async def get(self, strand: Strand, path: str, **more: Any) -> bool:
        return (await self.ask(strand, "GET", path, **more)).good

    async def post(self, strand: Strand, path: str, told: Any, key: str | None = None) -> Answer:
        return await self.ask(strand, "POST", path, json.dumps(told).encode(), key=key)

    async def command(self, strand: Strand, table: Laid, **command: Any) -> Answer:
        told = {"id": os.urandom(8).hex(), **command}
        return await self.post(strand, f"/api/tables/{table.id}/commands", told, table.key)

    async def lay(self, strand: Strand, seats: Sequence[str], **plan: Any) -> Laid | None:
        """A table of one's own: "here", "friend" or a driver's name for each seat."""
        told = [{"kind": seat} if seat in ("here", "friend") else {"kind": "driver", "driver": seat} for seat in seats]
        answer = await self.post(strand, "/api/tables", {"seats": told, "pace": 0, "away": None, **plan})
        if not answer.good:
            return None
        laid = answer.json()
        return Laid(laid["table"], laid["token"], (laid["invitation"] or "").partition("#")[2])

    async def begun(self, strand: Strand, seats: Sequence[str], **plan: Any) -> Laid | None:
        """The same, and its race has begun."""
        if (laid := await self.lay(strand, seats, **plan)) is None:
            return None
        shown = await self.shown(strand, laid)
        good = shown is not None and (await self.command(strand, laid, do="begin", at=shown["changed"])).good
        return laid if good else None

    async def shown(self, strand: Strand, laid: Laid) -> dict[str, Any] | None:
        answer = await self.ask(strand, "GET", f"/api/tables/{laid.id}", key=laid.key)
        return dict(answer.json()["table"]) if answer.good else None

    async def connected(self, strand: Strand, table: str, key: str | None = None, **more: Any) -> Line | None:
        """A table's socket that has sent its first message."""
        line = await strand.open(**more)
        try:
            status = await line.upgrade(table, key)
            first = await line.heard() if status == 101 else b""
        except BaseException:
            line.reset()
            raise
        if first.startswith(b'{"is":"whole"'):
            self.answers["whole"] += 1
            return line
        self.answers["bye" if status == 101 else str(status)] += 1
        line.reset()
        return None

    async def somebodys_table(self, strand: Strand) -> str | None:
        """A table that the lobby tells of: an innocent's, as like as not."""
        if strand.chance.random() < 0.05 or "lobby" not in strand.known:
            answer = await self.ask(strand, "GET", "/api/tables")
            strand.known["lobby"] = [each["table"] for each in answer.json()["open"]] if answer.good else []
        tables = strand.known["lobby"]
        return strand.chance.choice(tables) if tables else None
