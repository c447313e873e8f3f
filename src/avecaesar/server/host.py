"""The house: all tables, who may sit down where, and which of them are awake."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Literal

import msgspec

from avecaesar.courses import LARGEST_BOARD, BoardError, Course, Direction
from avecaesar.courses.board import TOO_LARGE
from avecaesar.errors import BadInput, plain
from avecaesar.records import Record
from avecaesar.server import events as e
from avecaesar.server import messages as msg
from avecaesar.server.compiling import Courses, warm_up
from avecaesar.server.live import Connection, Live, Summary, Who, summary_of
from avecaesar.server.plan import Checked, check, filled_in
from avecaesar.server.room import RefusedError, Room, seal_for
from avecaesar.server.store import Entry, Grant, Row, Store
from avecaesar.server.thinking import Thinkers
from avecaesar.speech import say

__all__ = ["Connection", "Host", "RefusedError", "Who", "hashed", "new_key"]

MOST_AWAKE = 2000  # tables in memory
NAP = 300.0  # seconds between two looks at who sleeps

log = logging.getLogger("avecaesar.server")


def new_key(kind: Literal["b", "s", "i"]) -> str:
    """A secret that opens something: a browser's own, a seat's, or an invitation."""
    return f"{kind}_{secrets.token_urlsafe(24)}"


def hashed(key: str) -> str:
    """What the store keeps of a key. (It has 192 bits of its own: nothing slower is needed.)"""
    return hashlib.sha256(key.encode()).hexdigest()


def new_table() -> str:
    """The name of a table: whoever knows it may watch, so it cannot be guessed."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()


class Host:
    """Everything that can be asked of the server, whichever door it came in by."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.store = store
        self.thinkers = thinkers
        self.courses = Courses(thinkers)
        self.clock, self.sleep = clock, sleep
        self._lives: dict[str, Live] = {}
        self._waking: dict[str, asyncio.Task[Live]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Wake the tables on which drivers or clocks go on."""
        await asyncio.to_thread(warm_up)  # while nobody waits for an answer yet
        for table in await self.store.live():
            try:
                await self._live(table)
            except Exception:
                log.exception("table %s cannot be taken up", table)
        self._sweeper = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Put all tables to sleep."""
        for task in [*self._waking.values(), *([self._sweeper] if self._sweeper else [])]:
            task.cancel()
        for live in list(self._lives.values()):
            await live.close()
        self._lives.clear()

    async def _sweep(self) -> None:
        while True:
            await self.sleep(NAP)
            await self._nap()

    async def _nap(self) -> None:
        """Forget the tables at which nothing happens until somebody comes."""
        for table, live in list(self._lives.items()):
            if live.idle:
                del self._lives[table]
                await live.close()

    async def _live(self, table: str) -> Live:
        if live := self._lives.get(table):
            return live
        if table not in self._waking:
            self._waking[table] = asyncio.create_task(self._wake(table))
            self._waking[table].add_done_callback(lambda _: self._waking.pop(table, None))
        return await asyncio.shield(self._waking[table])

    async def _wake(self, table: str) -> Live:
        entries = await self.store.log(table)
        if not entries:
            raise RefusedError(say("there is no such table"), status=404)
        if len(self._lives) >= MOST_AWAKE:
            await self._nap()
        opening = e.decode(entries[0].body)
        board = opening.board if isinstance(opening, e.WasLaid) else None
        room = Room(table, load=await self.courses.loader(board))
        for entry in entries:
            room.apply(entry.number, entry.at, e.decode(entry.body), entry.command)
            await asyncio.sleep(0)  # others are served meanwhile
        live = self._lives[table] = self._seat_at(room)
        live.note()  # an end by force may have kept that from the lobby
        return live

    def _seat_at(self, room: Room) -> Live:
        return Live(room, self.store, self.thinkers, self.clock, self.sleep)

    @asynccontextmanager
    async def _using(self, table: str) -> AsyncIterator[Live]:
        """A table that does not fall asleep meanwhile."""
        live = await self._live(table)
        while live is not self._lives.get(table):  # it did, before we came to it
            live = await self._live(table)
        live.users += 1
        try:
            yield live
        finally:
            live.users -= 1

    # ------------------------------------------------------------------ laying and sitting down

    async def board(self, digest: str | None) -> str | None:
        """The text of an uploaded board; None for one of ours."""
        if digest is None:
            return None
        kept = await self.store.kept("board", digest)
        if kept is None:
            raise RefusedError(say("there is no such board here: upload it first"), status=404)
        if len(kept) > LARGEST_BOARD:
            raise RefusedError(TOO_LARGE, status=404)
        return kept.decode()

    async def check(self, new: msg.NewTable) -> Checked:
        """Whether a table could be laid so."""
        try:
            load = await self.courses.loader(await self.board(new.board))
        except BadInput as error:
            return Checked(plain(error))
        return await asyncio.to_thread(check, new, load)

    async def lay(self, new: msg.NewTable, key: str) -> msg.Laid:
        """Lay a table; its host is the caller, who also has the seats at this screen."""
        board = await self.board(new.board)
        load = await self.courses.loader(board)
        checked = await asyncio.to_thread(check, new, load)
        if checked.problem is not None:
            raise RefusedError(checked.problem, status=400)
        plan = filled_in(new)
        table, at = new_table(), self.clock()
        events: list[e.AnyEvent] = [e.WasLaid(plan, board), seal_for(plan)]
        room = Room(table, load=load)
        entries = [Entry(number, at, None, e.encode(event)) for number, event in enumerate(events)]
        for entry, event in zip(entries, events, strict=True):
            room.apply(entry.number, at, event)
        here = [number for number, seat in enumerate(plan.seats) if seat.kind == "here"]
        own = hashed(key)
        grants = [Grant(own, None, "host"), *(Grant(own, seat, "drive") for seat in here)]
        invitation = None
        if any(seat.kind == "friend" for seat in plan.seats):
            invited = new_key("i")
            grants.append(Grant(hashed(invited), None, "invite"))
            invitation = _link(table, invited)
        await self.store.create(table, entries, grants, listed=plan.open, live=False, summary=summary_of(room))
        self._lives[table] = self._seat_at(room)
        return msg.Laid(table, invitation, here, _for_programs(key))

    async def who(self, table: str, keys: Sequence[str]) -> Who:
        """What somebody's keys allow at a table."""
        async with self._using(table) as live:
            return await live.rights([hashed(key) for key in keys])

    async def sit(self, table: str, sit: msg.Sit, keys: Sequence[str]) -> msg.Seated:
        """Take a seat, with the first of one's keys."""
        own = keys[0]
        async with self._using(table) as live:
            who = await live.rights([hashed(key) for key in keys])
            brought = await live.rights([hashed(sit.token)]) if sit.token else None
            if brought is not None and sit.token and not brought.invited:  # a link to a seat, or one that was
                seat = await live.admit(hashed(sit.token), hashed(own), sit.name, sit.colour)
            elif who.seats and sit.seat in (None, *who.seats):
                seat = min(who.seats) if sit.seat is None else sit.seat
            elif live.room.plan.open or who.invited or who.host or brought is not None:
                seat = await live.sit(sit.seat, sit.name, sit.colour, hashed(own))
            else:
                raise RefusedError(
                    say("one sits down at this table by invitation: ask the host for a link"), status=403
                )
        return msg.Seated(table, seat, _for_programs(own))

    async def link(self, table: str, want: msg.WantLink, keys: Sequence[str]) -> msg.Link:
        """A new link: to one's own seat for another device, to a person's seat, or an invitation."""
        key = new_key("i" if want.seat is None else "s")
        async with self._using(table) as live:
            await live.entitle(
                [hashed(own) for own in keys], lambda who: _opened(live.room, who, want.seat, hashed(key))
            )
        return msg.Link(_link(table, key))

    # ------------------------------------------------------------------ playing and watching

    async def command(
        self, table: str, command: msg.Logged | msg.Asked, keys: Sequence[str]
    ) -> msg.Done | msg.Reason | msg.Hint:
        """Carry a command out that did not come by a socket."""
        async with self._using(table) as live:
            who = await live.rights([hashed(key) for key in keys])
            match command:
                case msg.Why():
                    return live.why(who, command)
                case msg.AskHint():
                    return await live.hint(who, command)
                case _:
                    return await live.command(who, command)

    async def shown(self, table: str, keys: Sequence[str]) -> msg.Whole:
        """The table as somebody may see it."""
        async with self._using(table) as live:
            who = await live.rights([hashed(key) for key in keys])
            live.saw(who.seats)
            return live.whole(who)

    async def connect(self, table: str, keys: Sequence[str]) -> Connection:
        """A socket's end of the table."""
        async with self._using(table) as live:
            return Connection(live, await live.rights([hashed(key) for key in keys]))

    async def record(self, table: str, game: int) -> Record:
        """The races of a game that are over."""
        async with self._using(table) as live:
            for races in range(1, live.room.races_over(game)):
                live.room.record(game, races)  # writes one more race, and the last of a hundred finds them written
                await asyncio.sleep(0)
            return live.room.record(game)

    async def made_by(self, table: str, game: int, race: int) -> tuple[e.By, ...]:
        """Who made each turn of a race, votes left out."""
        async with self._using(table) as live:
            return tuple(live.room.made_by.get((game, race), ()))

    async def course_of(self, course: str, direction: Direction, board: str | None) -> Course:
        """A course by its name."""
        try:
            return await self.courses.course(await self.board(board), course, direction)
        except BoardError as error:
            raise RefusedError(str(error), status=404) from None

    async def lobby(self, keys: Sequence[str]) -> msg.Lobby:
        """Open tables, and one's own."""
        hashes = [hashed(key) for key in keys]
        mine = await self.store.tables_of(hashes) if hashes else []
        own = {row.table for row, _ in mine}
        return msg.Lobby(
            [_listed(row, []) for row in await self.store.listed() if row.table not in own],
            [_listed(row, grants) for row, grants in mine],
        )


def _for_programs(key: str) -> str | None:
    """A browser's key stays in its cookie; a program is told its own."""
    return None if key.startswith("b_") else key


def _opened(room: Room, who: Who, seat: int | None, key: str) -> list[Grant]:
    """What a new link opens, if it is this person's to give."""
    if seat is None:
        if not who.host:
            raise RefusedError(say("only the host invites people"), status=403)
        return [Grant(key, None, "invite")]
    if seat >= len(room.chairs):
        raise RefusedError(say("there is no seat {seat} at this table", seat=seat), status=404)
    if seat not in who.seats and not who.host:
        raise RefusedError(say("that is not your seat"), status=403)
    if room.chairs[seat].driver:
        raise RefusedError(say("a driver of the computer's sits there: free the seat first"))
    if seat not in who.seats:
        return [Grant(key, seat, "drive")]
    host = [Grant(key, None, "host")] if who.host else []
    return [*(Grant(key, own, "drive") for own in sorted(who.seats)), *host]


def _link(table: str, key: str) -> str:
    return f"/t/{table}#{key}"


def _listed(row: Row, grants: Sequence[Grant]) -> msg.TableListed:
    summary = msgspec.json.decode(row.summary, type=Summary)
    yours = sorted(grant.seat for grant in grants if grant.role == "drive" and grant.seat is not None)
    return msg.TableListed(
        table=row.table,
        title=summary.title,
        edition=summary.edition,
        course=summary.course,
        tournament=summary.tournament,
        phase=summary.phase,
        paused=summary.paused,
        seats=summary.seats,
        free=sum(not seat.taken for seat in summary.seats),
        updated=row.updated,
        yours=yours,
        host=any(grant.role == "host" for grant in grants),
        your_turn=summary.on_turn in yours,
    )
