"""Attacks at tables: searchers, hints and chronicles that keep workers busy, and guests who keep everybody busy."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import Any

from storm_lines import BROKEN, HANDSHAKE, Caller, bearer, request
from storm_strikes import HELD, LANGUAGES, SIX, Attack, Laid, Strand

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
