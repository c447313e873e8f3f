"""Attacks by requests: as many as an address may send, under false names, and with boards and records to work on."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from storm_strikes import LANGUAGES, LARGEST_BOARD, LARGEST_RECORD, PLAIN, SIX, Attack, Strand

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
