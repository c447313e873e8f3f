"""The attackers of `make storm`: each a class that says what it does, at the edge of the limits that it meets.

A program of its own, at low priority (nice 19): on a machine that it shares with the server it is to press against the
limits and not to win a race for the processor. It is told what to do in a line of JSON, attacks until its standard
input is closed, and then prints what was let in and what was refused, in a line of JSON.

Each attack has an address of its own (127.66.N.1), and as many strands as it takes to reach a limit. A strand strikes
again as soon as it was let in, and backs off for a moment when it was refused.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from storm_lines import BINARY, BROKEN, HANDSHAKE, PING, PONG, TEXT, Answer, Caller, Line, bearer, frame, request
from storm_people import until_closed

SHORTEST, LONGEST = 0.02, 1.0  # seconds to back off
HELD = 40.0  # seconds after which whoever holds a line gives up; the server should have cut it before
LANGUAGES = ("en", "it", "fr", "de", "la")
PLAIN = {"Content-Type": "text/plain"}
MEBIBYTE = 2**20
SIX = ["sibylla@5s"] * 6
LARGEST_BOARD, LARGEST_RECORD, LARGEST_MESSAGE, LARGEST_FRAME = 2**16, 4 * MEBIBYTE, 2**14, 2**16
BOARD = """board storm
title The stormy circus
courses z
S straight 4 4 4 4 4 4 | 4 4 4 4 4 4
{sections}
alley 3 line 2 from S4a to S8a
grid clockwise S6a S6b S6c S6d S5a S5b
grid anticlockwise S7a S7b S7c S7d S8a S8b
# {number}
""".replace("{sections}", "\n".join(f"{name * 2} straight {'4 ' * 8}" for name in "ABCDEF"))


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


# ---------------------------------------------------------------------- connections


class HalfOpen(Attack):
    """Opens as many connections as an address may have, sends half a header line, and says nothing more."""

    at_once = 270

    async def strike(self, strand: Strand) -> bool:
        line = await strand.open()
        try:
            await line.send(b"GET /api/health HTTP/1.1\r\nHost: loc")
            async with asyncio.timeout(HELD):
                await line.until_cut()
        finally:
            line.reset()
        return False


class Slowloris(Attack):
    """Sends a header that never ends, a line a second."""

    at_once = 64

    async def strike(self, strand: Strand) -> bool:
        line = await strand.open()
        try:
            await line.send(f"GET / HTTP/1.1\r\nHost: localhost:{self.port}\r\n".encode())
            while not line.closed:
                await asyncio.sleep(1)
                await line.send(b"X-Slow: yes\r\n")
        finally:
            line.reset()
        return False


class SlowBodies(Attack):
    """Sends a body that never ends, a byte a second, with a header that promises it."""

    at_once = 200

    async def strike(self, strand: Strand) -> bool:
        line = await strand.open()
        try:
            path = strand.chance.choice(("/api/tables", "/api/check", "/api/records", "/api/boards"))
            kind = PLAIN if path == "/api/boards" else {}
            await line.send(request(self.port, "POST", path, b"{", {"Content-Length": "16000", **kind}))
            while not line.closed:
                await asyncio.sleep(1)
                await line.send(b" ")
        finally:
            line.reset()
        return False


class DeafReaders(Attack):
    """Asks for the longest answers there are, again and again on one line, and reads none of them."""

    at_once = 100

    async def strike(self, strand: Strand) -> bool:
        line = await strand.open(window=4096)
        try:
            async with asyncio.timeout(HELD):
                for _ in range(20):
                    await line.send(request(self.port, "GET", "/api/openapi.json"))
                while not line.writer.is_closing():  # which is found out by writing
                    await asyncio.sleep(2)
                    await line.send(b"\r\n")
        finally:
            line.reset()
        return False


class Flood(Attack):
    """Connects and hangs up, as fast as it goes."""

    at_once = 8

    async def strike(self, strand: Strand) -> bool:
        line = await strand.open()
        if strand.chance.random() < 0.5:
            await line.send(b"GET /api/health HTTP/1.1\r\n")
        line.reset()
        return True


class IdleLines(Attack):
    """Asks one thing on each of as many lines as an address may have, and keeps them open."""

    at_once = 270

    async def strike(self, strand: Strand) -> bool:
        line = await strand.open()
        try:
            await line.send(request(self.port, "GET", "/api/health"))
            answer = await line.answer()
            self.answers[str(answer.status)] += 1
            async with asyncio.timeout(HELD):
                await line.until_cut()
        finally:
            line.reset()
        return answer.good


class Pipelines(Attack):
    """Sends hundreds of requests on one line before it reads the first answer."""

    at_once = 4

    async def strike(self, strand: Strand) -> bool:
        line, many = await strand.open(), 200
        try:
            line.writer.write(request(self.port, "GET", "/api/health") * many)
            answers = [(await line.answer()).status for _ in range(many)]
        finally:
            line.reset()
        self.answers.update(map(str, answers))
        return 429 not in answers


class Rotation(Attack):
    """Comes from another one of 1,000 addresses in 40 networks each time, and lays tables and asks from each."""

    at_once = 8

    async def strike(self, strand: Strand) -> bool:
        which = strand.chance.randrange(1000)
        caller = Caller(self.port, f"127.100.{which % 40}.{1 + which // 40}")
        try:
            if strand.chance.random() < 0.02:
                seats = [{"kind": "here"}, {"kind": "friend"}]
                answer = await caller.post("/api/tables", {"seats": seats, "open": True, "title": f"Ventus {which}"})
            else:
                answer = await caller.ask("GET", strand.chance.choice(("/api/tables", "/api/menu", "/", "/new")))
        finally:
            caller.hang_up()
        self.answers[str(answer.status)] += 1
        return answer.good


# ---------------------------------------------------------------------- bytes


class TinyChunks(Attack):
    """Sends bodies in chunks of one byte each."""

    at_once = 2

    async def strike(self, strand: Strand) -> bool:
        line = await strand.open()
        path, chunks = strand.chance.choice((("/api/check", 20_000), ("/api/records", 200_000)))
        told = {"Transfer-Encoding": "chunked", "Content-Type": "application/json"}
        try:
            await line.send(request(self.port, "POST", path, headers=told))
            for _ in range(chunks // 10_000):
                await line.send(b"1\r\n \r\n" * 10_000)
            await line.send(b"0\r\n\r\n")
            answer = await line.answer()
        finally:
            line.reset()
        self.answers[str(answer.status)] += 1
        return answer.good


class TinyFrames(Attack):
    """Sends pings, pongs, empty fragments and messages of one byte on a socket, a thousand at a time."""

    at_once = 4
    FRAMES = (frame(PING, b""), frame(PONG, b""), frame(0, b"", fin=False), frame(TEXT, b"x"))

    async def strike(self, strand: Strand) -> bool:
        table = await self.somebodys_table(strand)
        if table is None or (line := await self.connected(strand, table)) is None:
            return False
        try:
            strand.spawn(line.until_cut())
            kind = strand.chance.randrange(len(self.FRAMES))
            if kind == 2:
                await line.send(frame(TEXT, b"x", fin=False))
            for _ in range(100):
                await line.send(self.FRAMES[kind] * 1000)
        finally:
            line.reset()
        return True


class DeafPingers(Attack):
    """Pings without end on a socket, and reads no pong."""

    at_once = 2

    async def strike(self, strand: Strand) -> bool:
        table = await self.somebodys_table(strand)
        if table is None or (line := await self.connected(strand, table, window=4096)) is None:
            return False
        try:
            async with asyncio.timeout(HELD):
                while True:
                    await line.send(frame(PING, bytes(125)) * 200)
        finally:
            line.reset()


class BadFrames(Attack):
    """Sends what no browser does: frames too large, texts that are not UTF-8, frames without a mask, reserved bits."""

    at_once = 4
    FRAMES = (
        frame(TEXT, b"a" * (LARGEST_FRAME + 1)),
        frame(TEXT, b"a" * LARGEST_FRAME),
        frame(TEXT, b"a" * LARGEST_MESSAGE),
        frame(BINARY, bytes(LARGEST_FRAME)),
        frame(TEXT, b"\xff\xfe\xc0"),
        frame(TEXT, b'{"do":"say","id":"x","text":"\xed\xa0\x80"}'),
        frame(TEXT, b"Livia", masked=False),
        b"\xff" * 100,
        b"\x81\xff" + b"\xff" * 8,
        frame(PING, b"a" * 126),
    )

    async def strike(self, strand: Strand) -> bool:
        table = await self.somebodys_table(strand)
        if table is None or (line := await self.connected(strand, table)) is None:
            return False
        try:
            await line.send(strand.chance.choice(self.FRAMES))
            async with asyncio.timeout(1):
                heard = await line.hear("refused", "bye")
            self.answers[heard["is"]] += 1
        finally:
            line.reset()
        return False


class DeepJson(Attack):
    """Sends JSON that is nested as deeply as its size allows, up to 4 MiB of it."""

    async def strike(self, strand: Strand) -> bool:
        deep = strand.chance.choice((b"[", b'{"a":', b'{"seats":[', b'{"do":'))
        path, most = strand.chance.choice(
            (
                ("/api/check", LARGEST_MESSAGE),
                ("/api/check", LARGEST_MESSAGE),
                ("/api/tables", LARGEST_MESSAGE),
                ("/api/records", LARGEST_RECORD),
            )
        )
        return (await self.ask(strand, "POST", path, deep * (most // len(deep)))).good


class Oversized(Attack):
    """Sends bodies that are a little larger than they may be, or say that they are."""

    async def strike(self, strand: Strand) -> bool:
        path, size, kind = strand.chance.choice(
            (
                ("/api/boards", LARGEST_BOARD + 1, PLAIN),
                ("/api/records", LARGEST_RECORD + 1, PLAIN),
                ("/api/check", LARGEST_MESSAGE + 1, {}),
            )
        )
        return (await self.ask(strand, "POST", path, b" " * size, headers=kind)).good


# ---------------------------------------------------------------------- asking


class _Asking(Attack):
    """Asks for the same things as often as an address may, and a little more."""

    paths: ClassVar[tuple[str, ...]] = ()

    async def strike(self, strand: Strand) -> bool:
        told = {"Accept-Language": strand.chance.choice(LANGUAGES), "Accept-Encoding": "gzip"}
        return await self.get(strand, strand.chance.choice(self.paths), headers=told)


class Lobby(_Asking):
    """Asks for the lobby as often as an address may."""

    paths = ("/api/tables",)


class Manual(_Asking):
    """Asks for the manual, the OpenAPI document, the menu and the rules in all languages as often as an address may."""

    paths = ("/api/docs", "/api/openapi.json", "/api/menu", "/api/rules/ravensburger", "/api/rules/ausgebremst")


class Pages(_Asking):
    """Asks for pages and files, existing and not, as often as an address may."""

    paths = (
        "/",
        "/new",
        "/worker.js",
        "/offline",
        "/rules",
        "/static/app.js",
        "/static/css/all.css",
        "/t/x",
        "/nothing",
    )


class Courses(_Asking):
    """Asks for courses and their pictures as often as an address may."""

    paths = tuple(
        f"/api/courses/{course}/{way}{what}"
        for course in ("white", "blue", "yellow", "red")
        for way in ("clockwise", "anticlockwise")
        for what in ("", "/picture.svg")
    )


class Readiness(_Asking):
    """Asks whether the server is well as often as an address may."""

    paths = ("/api/ready", "/api/health")


class WrongKeys(Attack):
    """Comes with keys that it has thought up, as a program and as a browser, to tables that it has heard of."""

    async def strike(self, strand: Strand) -> bool:
        table = await self.somebodys_table(strand) or "nothing"
        key = f"b_{strand.chance.getrandbits(192):048x}"
        if strand.chance.random() < 0.5:
            told = {"do": "move", "id": "x", "at": 3, "seat": 0, "move": {"kind": "play", "card": 1, "to": 0}}
            return (await self.post(strand, f"/api/tables/{table}/commands", told, key)).good
        if strand.chance.random() < 0.5:
            return (await self.post(strand, f"/api/tables/{table}/sit", {"token": key}, key)).good
        cookie = {"Cookie": f"avecaesar={key}", "Origin": f"http://localhost:{self.port}"}
        return await self.get(strand, f"/api/tables/{table}", headers=cookie)


class Forwarded(Attack):
    """Says with each request that it comes from somewhere else (X-Forwarded-For, in one line and in two)."""

    async def strike(self, strand: Strand) -> bool:
        some = [".".join(str(strand.chance.randrange(256)) for _ in range(4)) for _ in range(2)]
        told = {"X-Forwarded-For": ", ".join(some), "x-forwarded-for": some[0], "X-Forwarded-Proto": "https"}
        return await self.get(strand, "/api/tables", headers=told)


class Elsewhere(Attack):
    """Calls the server by other names, and comes from other people's pages."""

    async def strike(self, strand: Strand) -> bool:
        told = strand.chance.choice(
            ({"Host": "evil.example"}, {"Host": "[::1"}, {"Origin": "https://evil.example"}, {"Origin": "null"})
        )
        return (await self.ask(strand, "POST", "/api/check", b"{}", headers=told)).good


# ---------------------------------------------------------------------- boards and records


class Boards(Attack):
    """Uploads the largest legal boards, each another one, lets them be drawn, and lays tables on them."""

    at_once = 3

    async def strike(self, strand: Strand) -> bool:
        text = BOARD.replace("{number}", f"{strand.chance.getrandbits(64)}")
        text += "#" * (LARGEST_BOARD - len(text))
        answer = await self.ask(strand, "POST", "/api/boards", text.encode(), headers=PLAIN)
        if answer.good:
            strand.known["board"] = answer.json()["board"]
        if board := strand.known.get("board"):
            await self.get(strand, f"/api/courses/z/clockwise?board={board}")
            await self.get(strand, f"/api/courses/z/anticlockwise/picture.svg?board={board}")
            plan = {"seats": [{"driver": "sibylla@5s"}] * 6, "board": board, "course": "z"}
            await self.post(strand, "/api/check", plan)
            if answer.good:
                await self.begun(strand, SIX, board=board, course="z")
        return answer.good


class SpoiltBoards(Attack):
    """Uploads boards in which something is wrong, each in another way."""

    async def strike(self, strand: Strand) -> bool:
        text = bytearray(BOARD.replace("{number}", "1").encode())
        for _ in range(strand.chance.randrange(1, 20)):
            text[strand.chance.randrange(len(text))] = strand.chance.randrange(256)
        if strand.chance.random() < 0.3:
            text += b"\nz straight " + b"1 " * strand.chance.randrange(30_000)
        return (await self.ask(strand, "POST", "/api/boards", bytes(text), headers=PLAIN)).good


class Checks(Attack):
    """Asks whether tables could be laid, of every kind and on boards of its own, as often as an address may."""

    async def strike(self, strand: Strand) -> bool:
        if strand.number == 0 and "board" not in strand.known:
            text = BOARD.replace("{number}", "a board of mine")
            answer = await self.ask(strand, "POST", "/api/boards", text.encode(), headers=PLAIN)
            strand.known["board"] = answer.json()["board"] if answer.good else None
        board = strand.known.get("board")
        plan: dict[str, Any] = {"seats": [{"driver": "sibylla@5s"}] * strand.chance.randrange(1, 7), "tournament": True}
        plan |= {"board": board, "course": "z"} if board else {"side": strand.chance.choice("AB")}
        plan["edition"] = strand.chance.choice(("ravensburger", "thibault", "ausgebremst", "fiche"))
        return (await self.post(strand, "/api/check", plan)).good


class Records(Attack):
    """Uploads a true record that blanks have made 4 MiB long, each time another one, and spoilt ones."""

    at_once = 3

    async def strike(self, strand: Strand) -> bool:
        if "record" not in strand.known:
            laid = strand.table or await self.begun(strand, ["scorpus", "festina"])
            strand.table = laid
            answer = await self.ask(strand, "GET", f"/api/tables/{laid.id}/record") if laid else None
            if answer is None or not answer.good:
                await asyncio.sleep(1)
                return False
            strand.known["record"] = answer.body
        body = bytearray(strand.known["record"])
        if strand.chance.random() < 0.5:
            for _ in range(3):
                body[strand.chance.randrange(len(body))] = strand.chance.choice(b"0123456789")
        body += b" " * (LARGEST_RECORD - len(body) - strand.chance.randrange(10_000))
        return (await self.ask(strand, "POST", "/api/records", bytes(body))).good


# ---------------------------------------------------------------------- workers


class Searchers(Attack):
    """Lays as many tables as an address may, with six searchers who think for five seconds a move, and watches all."""

    at_once = 60

    async def strike(self, strand: Strand) -> bool:
        if strand.table is None:
            strand.table = await self.begun(strand, SIX)
        if strand.table is None:
            return False
        line = await self.connected(strand, strand.table.id, strand.table.key)
        if line is None:
            return False
        try:
            while True:
                heard = await line.heard()
                if b'"phase":"over"' in heard[:400]:
                    strand.table = None
                    return True
        finally:
            line.reset()


class Hints(Attack):
    """Asks for hints at all its tables at once, over HTTP and by socket, again and again."""

    at_once = 14

    async def strike(self, strand: Strand) -> bool:
        if strand.table is None:
            strand.table = await self.begun(strand, ["here", "friend", "scorpus"], edition="ravensburger")
            if strand.table is None:
                strand.table = await self.begun(strand, ["here", "scorpus"])
        if strand.table is None:
            return False
        hint = {"do": "hint", "seat": 0}
        if strand.line is None:
            strand.line = await self.connected(strand, strand.table.id, strand.table.key)
        if strand.line is not None:
            await strand.line.tell(id=os.urandom(8).hex(), **hint)
        answers = [await self.command(strand, strand.table, **hint) for _ in range(2)]
        if strand.line is not None:
            heard = await strand.line.hear("hint", "refused", "bye")
            self.answers[heard["is"]] += 1
        return any(answer.good for answer in answers)


class Papers(Attack):
    """Races drivers against each other, and asks at once for all that is made of it, from chronicle to record."""

    at_once = 5

    async def strike(self, strand: Strand) -> bool:
        if strand.table is None:
            strand.table = await self.begun(strand, ["scorpus", "festina"])
            if strand.table is None:
                return False
        shown = await self.shown(strand, strand.table)
        if shown is None or shown["phase"] != "over":
            await asyncio.sleep(0.5)
            return shown is not None
        race = f"/api/replays/{strand.table.id}.{shown['game']}"
        paths = [f"{race}{what}" for what in ("", "/races/0", "/races/0/chronicle", "/races/0/poster.svg", "/record")]
        asked = [(path, language) for path in paths for language in LANGUAGES]
        good = await asyncio.gather(*(self._asked_apart(strand, *one) for one in asked), return_exceptions=True)
        await self.command(strand, strand.table, do="begin", at=shown["changed"])
        return any(one is True for one in good)

    async def _asked_apart(self, strand: Strand, path: str, language: str) -> bool:
        """On a line of its own, as somebody of its own."""
        caller, key = Caller(self.port, self.address), f"s_{os.urandom(16).hex()}"
        try:
            answer = await caller.ask("GET", path, key=key, headers={"Accept-Language": language})
        finally:
            caller.hang_up()
        self.answers[str(answer.status)] += 1
        return answer.good


class Leavers(Papers):
    """Asks for chronicles and hangs up when a worker is at them, so that workers are stopped and started again."""

    at_once = 3

    async def _asked_apart(self, strand: Strand, path: str, language: str) -> bool:
        line = await strand.open()
        try:
            told = bearer(f"s_{os.urandom(16).hex()}") | {"Accept-Language": language}
            await line.send(request(self.port, "GET", path, headers=told))
            await asyncio.sleep(strand.chance.random())
        finally:
            line.reset()
        return True


# ---------------------------------------------------------------------- tables


class Talkers(Attack):
    """Says as much at its tables as it may and a little more, pauses and goes on, with a crowd that listens."""

    at_once = 4
    CROWD = 30

    async def strike(self, strand: Strand) -> bool:
        if strand.table is None:
            strand.table = await self.begun(strand, ["here", "scorpus"])
        if strand.table is None:
            return False
        if len(strand.tasks) < self.CROWD:
            strand.spawn(self._listen(strand, strand.table))
        what = strand.chance.random()
        command: dict[str, Any] = {"do": "say", "text": "Ave! " * 59}
        if what < 0.4:
            command = {"do": "pause" if what < 0.2 else "resume"}
        return (await self.command(strand, strand.table, **command)).good

    async def _listen(self, strand: Strand, table: Laid) -> None:
        with suppress(*BROKEN):
            line = await self.connected(strand, table.id)
            try:
                while line is not None:
                    await line.heard()
            finally:
                if line is not None:
                    line.reset()


class Linkers(Attack):
    """Makes as many links and invitations as it may, opens them with ever new keys, and voids them."""

    async def strike(self, strand: Strand) -> bool:
        if strand.table is None or strand.chance.random() < 0.02:
            strand.table = await self.lay(strand, ["here", "friend", "friend"]) or strand.table
        if strand.table is None:
            return False
        seat = strand.chance.choice((None, 0, 1, 2))
        answer = await self.post(strand, f"/api/tables/{strand.table.id}/links", {"seat": seat}, strand.table.key)
        if answer.good:
            token = answer.json()["link"].partition("#")[2]
            await self.post(strand, f"/api/tables/{strand.table.id}/sit", {"token": token})
        elif strand.chance.random() < 0.2:
            told = strand.chance.choice(
                ({"do": "void_links"}, {"do": "vacate", "seat": 1}, {"do": "shut_out", "seat": 0})
            )
            await self.command(strand, strand.table, **told)
        return answer.good


class Watchers(Attack):
    """Comes to innocent tables to watch and goes again at once, so that everybody there is told each time."""

    at_once = 8

    async def strike(self, strand: Strand) -> bool:
        table = await self.somebodys_table(strand)
        if table is None or (line := await self.connected(strand, table)) is None:
            return False
        line.reset()
        return True


class Crowd(Attack):
    """Watches innocent tables on as many lines as an address may, and stays."""

    at_once = 130

    async def strike(self, strand: Strand) -> bool:
        table = await self.somebodys_table(strand)
        if table is None or (line := await self.connected(strand, table)) is None:
            return False
        try:
            while True:
                await line.heard()
        finally:
            line.reset()


class DeafWatchers(Attack):
    """Watches innocent tables on as many lines as an address may, and reads nothing."""

    at_once = 130

    async def strike(self, strand: Strand) -> bool:
        table = await self.somebodys_table(strand)
        if table is None:
            return False
        line = await strand.open(window=4096)
        try:
            await line.send(request(self.port, "GET", f"/api/tables/{table}/socket", headers=HANDSHAKE))
            await asyncio.sleep(2 * HELD)
        finally:
            line.reset()
        return True


class Hasty(Attack):
    """Sends commands on sockets of its own tables, as many as a connection may, and more until it is shown out."""

    at_once = 6

    async def strike(self, strand: Strand) -> bool:
        if strand.table is None:
            strand.table = await self.begun(strand, ["here", "scorpus"])
        if strand.table is None or (line := await self.connected(strand, strand.table.id, strand.table.key)) is None:
            return False
        haste = strand.chance.choice((0.05, 0.04, 0.0))
        try:
            strand.spawn(line.until_cut())
            for number in range(400):
                why = {"do": "why", "seat": 0, "move": {"kind": "play", "card": 1 + number % 6, "to": number % 60}}
                await line.tell(id=f"h{number}", **why)
                await asyncio.sleep(haste)
        finally:
            line.reset()
        return True


class Sitters(Attack):
    """Fills its share of the lobby with open tables, sits down there under ever new names, and stands up again."""

    async def strike(self, strand: Strand) -> bool:
        if strand.table is None or strand.chance.random() < 0.01:
            title = f"Procella {strand.number}"
            strand.table = await self.lay(strand, ["here", "friend", "friend"], open=True, title=title) or strand.table
        if strand.table is None:
            return False
        name = f"Nemo {strand.chance.randrange(10_000)}"
        answer = await self.post(strand, f"/api/tables/{strand.table.id}/sit", {"name": name})
        if answer.good:
            seated = answer.json()
            await self.command(strand, strand.table._replace(key=seated["token"]), do="stand", seat=seated["seat"])
        return answer.good


# ---------------------------------------------------------------------- the program


def _step_back(nice: int) -> None:
    """Take a low priority, beside processes of other sessions too.

    Linux may share the processor among sessions first (autogroup): then a nice value counts within one session only,
    and the session has one of its own.
    """
    os.setsid()
    os.nice(nice)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(nice))


async def main(port: int, seed: int, part: int, parts: int, nice: int, only: str) -> None:
    """Every so-manieth attack, for as many processes share them."""
    _step_back(nice)
    over = until_closed()
    chosen = [kind for kind in Attack.kinds if not only or kind.__name__ in only.split(",")]
    attacks = [kind(port, number, seed) for number, kind in enumerate(chosen) if number % parts == part]
    running = [asyncio.create_task(attack.run()) for attack in attacks]
    ended: asyncio.Task[Any] = asyncio.create_task(over.wait())
    while not all(attack.tally["struck"] for attack in attacks) and not any(task.done() for task in running):
        await asyncio.sleep(0.1)
    print("all have struck", flush=True)
    done, _ = await asyncio.wait([ended, *running], return_when=asyncio.FIRST_COMPLETED)
    for one in running:
        one.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    for task in done - {ended}:
        task.result()  # an attack never ends by itself: say why
    told = {type(attack).__name__: {"tally": attack.tally, "answers": attack.answers} for attack in attacks}
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    asyncio.run(main(**json.loads(sys.stdin.readline())))
