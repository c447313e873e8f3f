"""Attacks on connections: opened, kept and never read, or filled with bytes that no browser sends."""

from __future__ import annotations

import asyncio

from storm_lines import BINARY, PING, PONG, TEXT, Caller, frame, request
from storm_strikes import HELD, LARGEST_BOARD, LARGEST_FRAME, LARGEST_MESSAGE, LARGEST_RECORD, PLAIN, Attack, Strand

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
