"""The house: all tables, who may sit down where, and which of them are awake."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Literal

import msgspec

from avecaesar.courses import LARGEST_BOARD, BoardError, Course, Direction
from avecaesar.drivers import in_a_line
from avecaesar.errors import BadInput, plain
from avecaesar.records import Record
from avecaesar.rules import RULES_VERSION
from avecaesar.server.networks import NEIGHBOURS, wider
from avecaesar.server.rates import InMemory, Quotas, Rate, Rates
from avecaesar.server.ready import need_room_for_more
from avecaesar.server.refused import StoppedError
from avecaesar.server.store.database import Entry, Grant, Row, Store
from avecaesar.server.tables import events as e
from avecaesar.server.tables import words
from avecaesar.server.tables.admission import INVITATION_LASTS, tag_of
from avecaesar.server.tables.compiling import Courses, warm_up
from avecaesar.server.tables.folding import decoded, fold
from avecaesar.server.tables.keys import Keyring, last_sealed, opened, readable, resealed
from avecaesar.server.tables.plan import Checked, check, filled_in
from avecaesar.server.tables.retention import USUAL, Retention
from avecaesar.server.tables.running import Connection, Live, Summary, Who, no_tables, seated, summary_of
from avecaesar.server.tables.state import RefusedError, Room, seal_for
from avecaesar.server.tables.turns import Turns
from avecaesar.server.wire import messages as msg
from avecaesar.server.workers.answers import PASSING
from avecaesar.server.workers.fairness import NOBODY, Asker, asking, on_behalf_of
from avecaesar.server.workers.pool import Thinkers
from avecaesar.speech import counted, say

__all__ = ["Connection", "Host", "RefusedError", "Who", "hashed", "new_key"]

MOST_AWAKE = 2000  # tables in memory
MOST_STOPPED = 32  # tables without their key that are kept in mind for their earlier races
LOGS_OF_A_NETWORK = 4  # times as many events are folded for it as for one address: all of them on the loop
TABLES_OF_A_NETWORK = 3  # times as many open tables has it in the lobby, which shows fifty
FOLDS_AT_ONCE = 2  # logs that are folded side by side
A_FOLD = 0.00035  # seconds of the loop that an event takes, about
NAP = 300.0  # seconds between two looks at who sleeps

log = logging.getLogger("avecaesar.server")


def new_key(kind: Literal["h", "b", "s", "i"]) -> str:
    """A secret that opens something: a browser's own, made under TLS (`h`) or in the clear, a seat's, an invitation."""
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
        steady: Callable[[], float] = time.monotonic,
        rates: Rates | None = None,
        quotas: Quotas | None = None,
        keys: Keyring | None = None,
        keep: float | None = USUAL,
    ) -> None:
        """`keep` are the seconds for which finished tables are kept; None: for good.

        Without `keys` that are kept somewhere races that run when the process ends cannot go on after it.
        """
        self.keys = keys or Keyring.in_memory()
        self.rates: Rates = InMemory() if rates is None else rates
        self.quotas = quotas or Quotas()
        self.store = store
        self.thinkers = thinkers
        self.courses = Courses(thinkers)
        self.clock, self.sleep, self.steady = clock, sleep, steady
        self._lives: dict[str, Live] = {}
        self._open_of: dict[str, list[str]] = {}  # by address: tables that it has laid for the lobby
        self._waking: dict[str, asyncio.Task[Live]] = {}
        self._wanted_by: dict[str, set[Asker]] = {}  # tables that are being woken, and for whom
        self._folding = Turns(FOLDS_AT_ONCE)
        self._sweeper: asyncio.Task[None] | None = None
        self._unreadable: set[str] = set()  # tables whose damage is logged
        self._lacking: set[str] = set()  # tables that were found to lack a key; the lobby may not have heard of it
        self._stopped: dict[str, Room] = {}  # tables whose race cannot be opened, up to where it began; a few
        self.retention = Retention(store, clock, steady, sleep, self._retire, keep)

    async def open(self) -> None:
        """Wake the tables on which drivers or clocks go on."""
        await asyncio.to_thread(warm_up)  # while nobody waits for an answer yet
        if self.keys.fresh:
            await self.reseal()  # what an older release has left in clear
        for table in await self.store.live():
            try:
                await self._live(table)
            except StoppedError:
                pass  # which is told for all of them together
            except Exception:
                log.exception("table %s cannot be taken up", table)
        if self.keys.fresh or self._lacking:
            await self._tell_of_missing_keys()
        self._sweeper = asyncio.create_task(self._sweep())
        await self.retention.open()

    async def _tell_of_missing_keys(self) -> None:
        deals = await self.deals_of_keys()
        if missing := sum(deals[name] for name in deals if not self.keys.holds(name)):
            log.error(
                "%d deals are sealed with a key that %s does not hold: put the key back there, as a line of its own, "
                "and start the server again",
                missing,
                self.keys.file or "this process",
            )

    async def close(self) -> None:
        """Put all tables to sleep."""
        await self.retention.close()
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
        if table not in self._lives and table not in self._waking:
            self._need_quota_of_wakes(await self.store.length(table))
        if live := self._lives.get(table):
            return live
        if table not in self._waking:
            self._waking[table] = asyncio.create_task(self._wake(table))
            self._waking[table].add_done_callback(lambda _: self._woken(table))
        asker = asking()[0]
        self._wanted_by.setdefault(table, set()).add(asker)
        self._folding.join(table, asker)  # nobody waits for the turn of whoever was first, who may have many others
        return await asyncio.shield(self._waking[table])

    def _woken(self, table: str) -> None:
        self._waking.pop(table, None)
        self._wanted_by.pop(table, None)

    def _need_quota_of_wakes(self, events: int) -> None:
        """Whoever has tables with long logs woken keeps the loop busy, whatever becomes of it."""
        address, rate = asking()[0].address, self.quotas.wakes
        cost = min(events, rate.at_once)
        if address and (
            self.rates.take("wakes", address, rate, cost)
            or self.rates.take("wakes", wider(address), rate.times(LOGS_OF_A_NETWORK), cost)
        ):
            raise RefusedError(say("so much at once: take a breath first"), status=429)

    async def _wake(self, table: str) -> Live:
        entries = await self.store.log(table)
        if not entries:
            raise RefusedError(say("there is no such table"), status=404)
        if len(self._lives) >= MOST_AWAKE:
            await self._nap()
        try:
            room = await self._folded(table, entries)
        except StoppedError:
            self._lacking.add(table)
            raise
        except (ValueError, LookupError, TypeError) as error:
            if isinstance(error, RefusedError) and error.status != 404:  # the workers' trouble, not the log's
                raise no_tables() from error
            if table not in self._unreadable:  # everybody who asks for it would be a line of the log
                self._unreadable.add(table)
                log.error("table %s: its log is damaged and cannot be read: %s", table, in_a_line(error))
            raise RefusedError(say("this table is damaged and cannot be opened"), status=503) from error
        live = self._lives[table] = self._seat_at(room, await self.store.holders(table))
        live.note()  # an end by force may have kept that from the lobby
        return live

    async def _folded(self, table: str, entries: Sequence[Entry], as_far_as_possible: bool = False) -> Room:
        with on_behalf_of(NOBODY):  # and not of whoever came first, who may have asked for too much
            opening = await self._opening(entries[0])
            load = await self.courses.loader(opening.board if isinstance(opening, e.WasLaid) else None)
        askers = self._wanted_by.get(table, asking())
        async with self._folding.take(table, askers, len(entries) * A_FOLD):
            events = opened([opening, *await decoded(entries[1:])], self.keys)
            if readable(events) < len(events) and not as_far_as_possible:
                raise StoppedError
            return await fold(Room(table, load=load), entries, events[: readable(events)])

    async def _opening(self, entry: Entry) -> e.AnyEvent:
        """The first event of a log, with the text of its board."""
        event = words.read(entry)
        if not isinstance(event, e.WasLaid) or (digest := event.plan.board) is None:
            return event
        text = await (self.board(digest) if event.board is None else self._fitting(digest, event.board))
        return msgspec.structs.replace(event, board=text)

    def _seat_at(self, room: Room, held: Sequence[Grant]) -> Live:
        times = self.clock, self.sleep, self.steady
        count, pace = self._counting(room.id), self.quotas.pace
        return Live(room, self.store, self.thinkers, *times, held, count, self.keys, pace, self._charge)

    def _charge(self, addresses: Sequence[str]) -> float:
        """Count a move that the computer makes to one of these addresses; the seconds that it has to wait for that.

        What nobody watches is slow by itself.
        """
        waits = []
        for address in filter(None, dict.fromkeys(addresses)):
            waits.append(self._count_of("driven", address, self.quotas.driven))
            if not waits[-1]:
                break  # it is counted once
        return min(waits, default=0.0)

    def _count_of(self, name: str, address: str, rate: Rate, at: str = "") -> float:
        """Count something to an address and to its network, at a table perhaps; the seconds that it has to wait."""
        if not address:
            return 0.0
        return self.rates.take(name, f"{at}{address}", rate) or self.rates.take(
            name, f"{at}{wider(address)}", rate.times(NEIGHBOURS)
        )

    def _counting(self, table: str) -> Callable[[str, bool], float]:
        """Counts what is done at a table beside moves, and said; the seconds that a seat has to wait for the next."""

        def count(seat: str, said: bool) -> float:
            name, rate = ("sayings", self.quotas.sayings) if said else ("deeds", self.quotas.deeds)
            wait = self.rates.take(name, f"{table} {seat}", rate)
            return wait or (self.rates.take("chatter", table, self.quotas.chatter) if said else 0.0)

        return count

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

    # ------------------------------------------------------------------ the operator

    async def shut(self, table: str) -> None:
        """Close a table: it can be looked at, and nobody plays on."""
        async with self._using(table) as live:
            await live.shut()

    async def ban(self, table: str, seat: int) -> None:
        """Free a person's seat, and let him never sit there again with what he has."""
        async with self._using(table) as live:
            await live.ban(seat)

    async def racing(self, table: str) -> bool:
        """Whether a race is being run there, as far as is known without folding its log."""
        if live := self._lives.get(table):
            return live.room.racing
        row = await self.store.row(table)
        if row is None:
            raise RefusedError(say("there is no such table"), status=404)
        try:
            summary = msgspec.json.decode(row.summary, type=Summary)
        except msgspec.MsgspecError:
            return False  # it is damaged, and nobody can race there
        return summary.phase == "racing" and not summary.paused and not summary.closed and self.keys.holds(summary.key)

    async def erase(self, table: str) -> None:
        """Delete a table with its log and all rights to it; also one whose log cannot be read."""
        await self.store.erase(table)  # from now on nobody can wake it
        if waking := self._waking.get(table):
            await asyncio.wait({waking})
        if live := self._lives.pop(table, None):
            await live.erased()

    async def rotate(self) -> None:
        """A new key, with which everything that is not over is sealed from now on."""
        await asyncio.to_thread(self.keys.rotate)
        await self.reseal()

    async def reseal(self) -> None:
        """Seal with the first key what is sealed with another one, or was written in clear by an older release.

        In one transaction of the writer: whatever is written before is found, whatever comes after has the new key.
        """
        name = self.keys.names[0]
        await self.store.rewrite(e.SEALED, resealed(self.keys), lambda summary: _with_key(summary, name))
        for live in self._lives.values():
            live.room.rekey(name)

    async def prune(self) -> None:
        """Forget the keys that nothing in this database needs."""
        needed = {event.key for _, _, event in last_sealed(await self.store.beginning_with(e.SEALED))}
        await asyncio.to_thread(self.keys.forget, set(self.keys.names) - needed)

    async def deals_of_keys(self) -> dict[str, int]:
        """By a key's name how many deals it has sealed that are not over; with keys that are not here."""
        sealed = last_sealed(await self.store.beginning_with(e.SEALED))
        counted_ = Counter(event.key for _, _, event in sealed)
        return {name: counted_[name] for name in dict.fromkeys([*self.keys.names, *counted_])}

    async def _retire(self, table: str) -> bool:
        """Erase a table whose time is over, unless somebody is looking at it."""
        if table in self._waking or ((live := self._lives.get(table)) and not live.idle):
            return False
        with suppress(LookupError):  # the operator was faster
            await self.erase(table)
        return True

    # ------------------------------------------------------------------ sharing

    async def sharing(self, table: str, keys: Sequence[str]) -> msg.Sharing:
        """How long a table's races are kept, and whether somebody shares them by link."""
        if (row := await self.store.row(table)) is None:
            raise RefusedError(say("there is no such table"), status=404)
        own = {hashed(key) for key in keys}
        shared = await self.store.shared_by(table)
        grants = await self.store.rights(table, list(own)) if own else []
        return msg.Sharing(
            until=None if shared else self.retention.until(row.updated),
            shared=bool(shared),
            yours=not own.isdisjoint(shared),
            may=any(grant.role in ("drive", "host") for grant in grants),
        )

    async def share(self, table: str, keys: Sequence[str], on: bool) -> msg.Sharing:
        """Keep a table's races for whoever has the link; or no longer, as far as it is this person's to say."""
        async with self._using(table) as live:
            await live.share([hashed(key) for key in keys], on)
        return await self.sharing(table, keys)

    # ------------------------------------------------------------------ forgetting

    async def forget(self, keys: Sequence[str], address: str = "") -> msg.Forgotten:
        """Erase what somebody wrote, at all tables, free his seats, and let his keys open nothing any more.

        His keys are voided last: if something goes wrong before, he can ask again.
        """
        own = [hashed(key) for key in keys]
        if self._count_of("forgetting", address, self.quotas.forgetting):
            raise RefusedError(say("so much at once: take a breath first"), status=429)
        done, failed = set[str](), list[RefusedError]()
        while tables := set(await self.store.tables_with(own, [tag_of(key) for key in own])) - done:
            for table in sorted(tables):
                try:
                    await self._forget_at(table, own)
                except RefusedError as error:
                    failed += [error] if error.status != 404 else []  # or it was erased meanwhile
            done |= tables
        if failed:
            problem = say("not all tables could be opened: try again, or ask whoever runs the server")
            raise RefusedError(problem, status=503)
        await self.store.void(own)
        return msg.Forgotten(len(done))

    async def _forget_at(self, table: str, keys: Sequence[str]) -> None:
        askers = asking()
        with on_behalf_of(NOBODY):  # whoever has many tables may have them all forgotten at once
            async with self._using(table) as live, self._folding.take(table, askers, live.room.number * A_FOLD):
                await live.forget(keys)

    # ------------------------------------------------------------------ laying and sitting down

    async def board(self, digest: str | None) -> str | None:
        """The text of an uploaded board; None for one of ours."""
        if digest is None:
            return None
        kept = await self.store.kept("board", digest)
        if kept is None:
            raise RefusedError(say("there is no such board here: upload it first"), status=404)
        return await self._fitting(digest, kept.decode())

    async def _fitting(self, digest: str, text: str) -> str:
        """A board's text as it can be compiled: limits are for what comes in, and not for what is kept."""
        if len(text) <= LARGEST_BOARD and len(text.encode()) <= LARGEST_BOARD:
            return text
        try:
            return await self.courses.slimmed(digest, text)
        except BoardError as error:
            raise RefusedError(str(error), status=404) from None

    async def _board_for(self, new: msg.NewTable) -> str | None:
        return await self.board(None if new.lesson else new.board)  # a lesson has a board of its own

    async def check(self, new: msg.NewTable) -> Checked:
        """Whether a table could be laid so."""
        try:
            load = await self.courses.loader(await self._board_for(new))
        except BadInput as error:
            if isinstance(error, RefusedError) and error.status in PASSING:
                raise
            return Checked(plain(error))
        return await asyncio.to_thread(check, new, load)

    async def lay(self, new: msg.NewTable, key: str, address: str = "") -> msg.Laid:
        """Lay a table; its host is the caller, who also has the seats at this screen."""
        await need_room_for_more(self.store)
        if new.open and address:
            await self._need_room_in_lobby(address)
        board = await self._board_for(new)
        load = await self.courses.loader(board)
        checked = await asyncio.to_thread(check, new, load)
        if checked.problem is not None:
            raise RefusedError(checked.problem, status=400)
        plan = filled_in(new)
        table, at = new_table(), self.clock()
        events: list[e.AnyEvent] = [e.WasLaid(plan, board, RULES_VERSION), self.keys.seal(seal_for(plan))]
        invited = new_key("i") if any(seat.kind == "friend" for seat in plan.seats) else None
        if invited is not None:
            events.append(e.Linked(tag_of(hashed(invited)), "invitation", None, at + INVITATION_LASTS, laid=True))
        room = Room(table, load=load)
        kept = [e.WasLaid(plan, rules=RULES_VERSION), *events[1:]]  # a board's text is with the uploads
        own = hashed(key)
        entries = [words.written(number, at, None, event, tag_of(own)) for number, event in enumerate(kept)]
        for entry, event in zip(entries, events, strict=True):
            room.apply(entry.number, at, event)
        here = [number for number, seat in enumerate(plan.seats) if seat.kind == "here"]
        grants = [Grant(own, None, "host"), *(grant for seat in here for grant in seated(own, seat))]
        grants += [] if invited is None else [Grant(hashed(invited), None, "invite")]
        await self.store.create(
            table, entries, grants, listed=plan.open, live=False, summary=summary_of(room), board=plan.board
        )
        self._lives[table] = self._seat_at(room, grants)
        if plan.open and address:
            for name in (address, wider(address)):
                self._open_of.setdefault(name, []).append(table)
        invitation = None if invited is None else _link(table, invited)
        return msg.Laid(table, invitation, here, _for_programs(key))

    async def _need_room_in_lobby(self, address: str) -> None:
        """An address has a few tables in the lobby at a time, and its network not many more: nobody pushes others out.

        Which are whose is nowhere written down: after a restart it is counted afresh.
        """
        most = self.quotas.open_tables
        for name, many in ((address, most), (wider(address), most * TABLES_OF_A_NETWORK)):
            listed = await self.store.still_listed(self._open_of.get(name, []))
            self._open_of[name] = [table for table in self._open_of.get(name, []) if table in listed]
            if len(listed) >= many:
                raise RefusedError(
                    say("your address has {many} open tables in the lobby already: race there first", many=len(listed)),
                    status=429,
                )
            if not listed:
                del self._open_of[name]

    async def keep(
        self,
        kind: Literal["board", "record"],
        digest: str,
        body: bytes,
        address: str,
        commitments: Sequence[str] = (),
    ) -> None:
        """Keep an upload, if its address has not sent too much and there is room for it."""
        if await self.store.kept(kind, digest) is not None:
            return
        rate, size = self.quotas.uploads, len(body)
        wait = self.rates.take("bytes", address, rate, size)
        if wait := wait or self.rates.take("bytes", wider(address), rate.times(NEIGHBOURS), size):
            raise RefusedError(
                counted(
                    -int(-wait // 60),
                    "your address has uploaded enough for now; try again in {n} minute",
                    "your address has uploaded enough for now; try again in {n} minutes",
                ),
                status=429,
            )
        await need_room_for_more(self.store)
        if await self.store.size_of_kept() + len(body) > self.quotas.kept:
            raise RefusedError(say("this server has no more room for uploads"), status=503)
        if kind == "record":
            await self.store.keep_record(digest, body, commitments)
        else:
            await self.store.keep(kind, digest, body)

    async def who(self, table: str, keys: Sequence[str]) -> Who:
        """What somebody's keys allow at a table."""
        async with self._using(table) as live:
            return await live.rights([hashed(key) for key in keys])

    async def recognised(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Those of a caller's keys that this server made for a person, in their order.

        Every such key is given out with a right, so the store knows it; and whoever holds none any more keeps his key
        as long as something that he wrote is kept, for it is his to erase. An invitation is no person's key.
        """
        hashes = {hashed(key): key for key in keys if not key.startswith("i_")}
        if not hashes:
            return ()
        known = await self.store.known(list(hashes))
        wrote = await self.store.writers([tag_of(digest) for digest in hashes])
        return tuple(key for digest, key in hashes.items() if digest in known or tag_of(digest) in wrote)

    async def sit(self, table: str, sit: msg.Sit, keys: Sequence[str]) -> msg.Seated:
        """Take a seat, with the first of one's keys."""
        own, token = [hashed(key) for key in keys], hashed(sit.token) if sit.token else None
        async with self._using(table) as live:
            await live.carry_over(_outworn(keys), own[0])
            who = await live.rights(own)
            self._need_quota_of_comings(table, who)
            brought = await live.rights([token]) if token else None
            if brought is not None and token and not brought.invited:  # a link to a seat, or one that was
                seat = await live.admit(token, own, sit.name, sit.colour)
            elif who.seats and sit.seat in (None, *who.seats):
                seat = min(who.seats) if sit.seat is None else sit.seat
            else:
                seat = await live.sit(sit.seat, sit.name, sit.colour, own, token)
        return msg.Seated(table, seat, _for_programs(keys[0]))

    async def take_over(self, table: str, wish: msg.TakeOver, keys: Sequence[str]) -> msg.Asking:
        """Ask to take over a seat that a stand-in drives in this race; whoever left it himself has it back at once."""
        own, token = [hashed(key) for key in keys], hashed(wish.token) if wish.token else None
        async with self._using(table) as live:
            await live.carry_over(_outworn(keys), own[0])
            self._need_quota_of_comings(table, await live.rights(own))
            await live.take_over(wish.seat, wish.name, own, token)
        return msg.Asking(table, wish.seat, _for_programs(keys[0]))

    def _need_quota_of_comings(self, table: str, who: Who) -> None:
        """Whoever sits down and stands up again and again, each time as somebody else, fills the table's log."""
        if not who.has_place and self._count_of("comings", asking()[0].address, self.quotas.comings, f"{table} "):
            raise RefusedError(say("so much at once: take a breath first"), status=429)

    async def _need_quota_of_links(self, table: str, person: str, address: str) -> None:
        rate = self.quotas.links
        if self.rates.take("links", person, rate) or self._count_of("links", address, rate.times(4)):
            raise RefusedError(say("you have made many links: try again in a minute"), status=429)
        if await self.store.links_at(table) >= self.quotas.rights:
            raise RefusedError(say("too many links were made at this table"), status=429)

    async def link(self, table: str, want: msg.WantLink, keys: Sequence[str], address: str = "") -> msg.Link:
        """A new link: to one's own seats for another device, to a free seat, or an invitation."""
        key = new_key("i" if want.seat is None else "s")
        async with self._using(table) as live:
            if (await live.rights([hashed(own) for own in keys])).has_place:
                await self._need_quota_of_links(table, asking()[0].person or hashed(keys[0]), address)
            until = await live.link([hashed(own) for own in keys], want.seat, hashed(key))
        return msg.Link(_link(table, key), until)

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

    async def connect(
        self, table: str, keys: Sequence[str], address: str = "", may_watch: Callable[[], bool] = lambda: True
    ) -> Connection:
        """A socket's end of the table. `may_watch` tells whether there is room for another stranger at its address."""
        async with self._using(table) as live:
            who = await live.rights([hashed(key) for key in keys])
            if not (who.seats or who.host or may_watch()):
                raise RefusedError(say("too many connections from your address"), status=429)
            return Connection(live, who, address)

    async def record(self, table: str, game: int) -> Record:
        """The races of a game that are over."""
        room = await self._readable(table)
        for races in range(1, room.races_over(game)):
            room.record(game, races)  # writes one more race, and the last of a hundred finds them written
            await asyncio.sleep(0)
        return room.record(game)

    async def made_by(self, table: str, game: int, race: int) -> tuple[e.By, ...]:
        """Who made each turn of a race, votes left out."""
        return tuple((await self._readable(table)).made_by.get((game, race), ()))

    async def _readable(self, table: str) -> Room:
        """A table; where a race has stopped because its key is missing, up to the end of the race before."""
        try:
            async with self._using(table) as live:
                return live.room
        except StoppedError:
            if table not in self._stopped:
                room = await self._folded(table, await self.store.log(table), as_far_as_possible=True)
                while len(self._stopped) >= MOST_STOPPED:
                    del self._stopped[next(iter(self._stopped))]
                self._stopped[table] = room
            return self._stopped[table]

    async def course_of(self, course: str, direction: Direction, board: str | None) -> Course:
        """A course by its name."""
        try:
            return await self.courses.course(await self.board(board), course, direction)
        except BoardError as error:
            raise RefusedError(str(error), status=404) from None

    def _lacks(self, table: str, key: str) -> bool:
        """Whether a race rests because the key to its cards is not here."""
        return table in self._lacking or not self.keys.holds(key)

    async def lobby(self, keys: Sequence[str]) -> msg.Lobby:
        """Open tables, and one's own."""
        hashes = [hashed(key) for key in keys]
        mine = await self.store.tables_of(hashes) if hashes else []
        own = {row.table for row, _ in mine}
        return msg.Lobby(
            [_listed(row, [], self._lacks) for row in await self.store.listed() if row.table not in own],
            [_listed(row, grants, self._lacks) for row, grants in mine],
        )


def _for_programs(key: str) -> str | None:
    """A browser's key stays in its cookie; a program is told its own."""
    return None if key.startswith(("h_", "b_")) else key


def _outworn(keys: Sequence[str]) -> list[str]:
    """A browser's key of before TLS, beside the one that it has now (digests)."""
    return [hashed(key) for key in keys[1:] if keys[0].startswith("h_") and key.startswith("b_")]


def _link(table: str, key: str) -> str:
    return f"/t/{table}#{key}"


def _with_key(summary: bytes, name: str) -> bytes:
    """What the lobby tells of a table whose race was sealed anew."""
    try:
        told = msgspec.json.decode(summary, type=Summary)
    except msgspec.MsgspecError:
        return summary  # it is damaged, which is no reason to leave all others with the old key
    return msgspec.json.encode(msgspec.structs.replace(told, key=name)) if told.phase == "racing" else summary


def _listed(row: Row, grants: Sequence[Grant], lacks: Callable[[str, str], bool]) -> msg.TableListed:
    summary = msgspec.json.decode(row.summary, type=Summary)
    yours = sorted(grant.seat for grant in grants if grant.role == "drive" and grant.seat is not None)
    stopped = lacks(row.table, summary.key)
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
        your_turn=summary.on_turn in yours and not stopped,
        stopped=stopped,
    )
