"""What people upload, boards and records; and what can be played on a board, theirs or ours."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from avecaesar.courses import LARGEST_BOARD, BoardError, Course, Direction
from avecaesar.errors import BadInput, plain
from avecaesar.server.networks import NEIGHBOURS, wider
from avecaesar.server.rates import take_for_all
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables.plan import Checked, check
from avecaesar.server.wire import messages as msg
from avecaesar.server.workers.answers import PASSING
from avecaesar.speech import counted, say

if TYPE_CHECKING:
    from avecaesar.server.tables.house import House


class Uploads:
    """The uploads of one house."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def board(self, digest: str | None) -> str | None:
        """The text of an uploaded board; None for one of ours."""
        if digest is None:
            return None
        kept = await self._house.store.kept("board", digest)
        if kept is None:
            raise RefusedError(say("there is no such board here: upload it first"), status=404)
        return await self.fitting(digest, kept.decode())

    async def fitting(self, digest: str, text: str) -> str:
        """A board's text as it can be compiled: limits are for what comes in, and not for what is kept."""
        if len(text) <= LARGEST_BOARD and len(text.encode()) <= LARGEST_BOARD:
            return text
        try:
            return await self._house.courses.slimmed(digest, text)
        except BoardError as error:
            raise RefusedError(str(error), status=404) from None

    async def board_for(self, new: msg.NewTable) -> str | None:
        """The text of the board that a new table is to be laid on; None for one of ours."""
        return await self.board(None if new.lesson else new.board)  # a lesson has a board of its own

    async def check(self, new: msg.NewTable) -> Checked:
        """Whether a table could be laid so."""
        try:
            load = await self._house.courses.loader(await self.board_for(new))
        except BadInput as error:
            if isinstance(error, RefusedError) and error.status in PASSING:
                raise
            return Checked(plain(error))
        return await asyncio.to_thread(check, new, load)

    async def course_of(self, course: str, direction: Direction, board: str | None) -> Course:
        """A course by its name."""
        try:
            return await self._house.courses.course(await self.board(board), course, direction)
        except BoardError as error:
            raise RefusedError(str(error), status=404) from None

    async def keep(
        self,
        kind: Literal["board", "record"],
        digest: str,
        body: bytes,
        address: str,
        commitments: Sequence[str] = (),
    ) -> None:
        """Keep an upload, if its address has not sent too much and there is room for it."""
        if await self._house.store.kept(kind, digest) is not None:
            return
        rate, size = self._house.quotas.uploads, len(body)
        both = ("bytes", address, rate), ("bytes", wider(address), rate.times(NEIGHBOURS))
        if wait := take_for_all(self._house.rates, both, size):
            raise RefusedError(
                counted(
                    -int(-wait // 60),
                    "your address has uploaded enough for now; try again in {n} minute",
                    "your address has uploaded enough for now; try again in {n} minutes",
                ),
                status=429,
            )
        await self._house.room.need()
        if await self._house.store.size_of_kept() + len(body) > self._house.quotas.kept:
            raise RefusedError(say("this server has no more room for uploads"), status=503)
        if kind == "record":
            await self._house.store.keep_record(digest, body, commitments)
        else:
            await self._house.store.keep(kind, digest, body)
