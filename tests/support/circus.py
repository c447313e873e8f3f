"""Livia, Marcus and Titus at a table, and what they do there with links and seats."""

from __future__ import annotations

import asyncio
from typing import Any

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person
from seat_numbers import SECOND


class Circus:
    """Livia is the host, Marcus and Titus came by invitation; all three have the table before them."""

    def __init__(self, house: Harness, **wishes: Any) -> None:
        self.house, self.server = house, house.server
        self.livia, self.marcus, self.titus, self.cleo = person(), person(), person(), person()
        laid = house.lay("here", "friend", "friend", key=self.livia, **{"away": None, **wishes})
        assert laid.invitation is not None
        self.table, self.invitation = laid.table, laid.invitation.partition("#")[2]

    async def gather(self) -> list[Guest]:
        for key in (self.marcus, self.titus):
            await self.server.sit(self.table, msg.Sit(token=self.invitation), [key])
        return [await self.guest(key) for key in (self.livia, self.marcus, self.titus)]

    async def guest(self, key: str) -> Guest:
        return await Guest.at(self.server, self.table, key)

    async def link(self, seat: SeatNumber | None, key: str) -> str:
        return (await self.server.link(self.table, msg.WantLink(seat=seat), [key])).link.partition("#")[2]

    async def sit(self, token: str, key: str) -> int:
        return (await self.server.sit(self.table, msg.Sit(token=token), [key])).seat

    async def take_over(self, key: str, token: str | None = None, name: str | None = "Cleo") -> None:
        await self.server.take_over(self.table, msg.TakeOver(token=token, seat=SECOND, name=name), [key])

    async def answer(self, guest: Guest, what: str) -> dict[str, Any]:
        """What somebody says to whoever asks for seat 1."""
        await guest.until(lambda guest: guest.table["seats"][1]["wish"])
        return await guest.do(what, seat=1, wish=guest.table["seats"][1]["wish"]["number"])

    async def seats_of(self, key: str) -> frozenset[int]:
        return (await self.server.who(self.table, [key])).seats

    async def race(self, *guests: Guest) -> None:
        """They drive to the end of the race, with stand-ins wherever nobody sits."""
        for guest in guests:
            await guest.until(lambda guest: guest.table["phase"] == "racing")
        racing = asyncio.gather(*(guest.race() for guest in guests))
        while not racing.done():
            await self.house.time.pass_by(1)
        await racing

    def said(self) -> list[str]:
        return [line.words for line in self.house.running(self.table).state.lines]
