"""The house: all tables, who may sit down where, and which of them are awake."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Literal

import msgspec

from avecaesar.game.numbers import SeatNumber
from avecaesar.records import Record
from avecaesar.rules import RULES_VERSION
from avecaesar.server.fairness import asking, counted_to, on_behalf_of
from avecaesar.server.networks import NEIGHBOURS, wider
from avecaesar.server.rates import InMemory, Quotas, Rate, Rates, take_for_all
from avecaesar.server.ready import Room
from avecaesar.server.refused import RefusedError, StoppedError
from avecaesar.server.store.database import Store
from avecaesar.server.store.shapes import Grant
from avecaesar.server.tables import erasable_words
from avecaesar.server.tables import events as e
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.admission import INVITATION_LASTS, tag_of
from avecaesar.server.tables.compiling import Courses, warm_up
from avecaesar.server.tables.connection import Connection
from avecaesar.server.tables.dealing import seal_for
from avecaesar.server.tables.keyring import Keyring, last_sealed, resealed
from avecaesar.server.tables.listing import Summary, listed, listing_of, with_key
from avecaesar.server.tables.open_tables import OpenTables
from avecaesar.server.tables.plan import check, filled_in
from avecaesar.server.tables.retention import USUAL, Retention
from avecaesar.server.tables.rights import seated
from avecaesar.server.tables.seats import numbered
from avecaesar.server.tables.state import TableState
from avecaesar.server.tables.uploads import Uploads
from avecaesar.server.tables.waking import Waking
from avecaesar.server.tables.written import KeptRecord, WrittenRecord, WrittenRecords
from avecaesar.server.wire import messages as msg
from avecaesar.server.workers.pool import Thinkers
from avecaesar.speech import say

__all__ = ["Actor", "Connection", "House", "RefusedError", "hashed", "new_key"]

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


class House:
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
        self.courses = Courses(thinkers, self._count_course)
        self.records = WrittenRecords(self._count_races)
        self.room = Room(store, steady)
        self.waking, self.uploads = Waking(self), Uploads(self)
        self.clock, self.sleep, self.steady = clock, sleep, steady
        self._open_tables = OpenTables(store.still_listed)
        self._sweeper: asyncio.Task[None] | None = None
        self._keys_change = asyncio.Lock()
        self.retention = Retention(store, clock, steady, sleep, self._retire, keep)

    async def open(self) -> None:
        """Wake the tables on which drivers or clocks go on."""
        await asyncio.to_thread(warm_up)  # while nobody waits for an answer yet
        if self.keys.fresh:
            await self.reseal()  # what an older release has left in clear
        for table in await self.store.live():
            try:
                await self.waking.table(table)
            except StoppedError:
                pass  # which is told for all of them together
            except Exception:
                log.exception("table %s cannot be taken up", table)
        if self.keys.fresh or self.waking.lacking:
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
        for task in [*self.waking.under_way.values(), *([self._sweeper] if self._sweeper else [])]:
            task.cancel()
        if self.waking.napping is not None:
            await asyncio.wait({self.waking.napping})
        for running in list(self.waking.awake.values()):
            await running.close()
        self.waking.awake.clear()

    async def _sweep(self) -> None:
        while True:
            await self.sleep(NAP)
            try:
                await self.waking.nap()
            except Exception:
                log.exception("idle tables cannot be put to sleep")

    def count_of(self, name: str, address: str, rate: Rate, at: str = "", cost: int = 1) -> float:
        """Count something to an address and to its network, at a table perhaps; the seconds that it has to wait."""
        if not address:
            return 0.0
        both = (name, f"{at}{address}", rate), (name, f"{at}{wider(address)}", rate.times(NEIGHBOURS))
        return take_for_all(self.rates, both, cost)

    # ------------------------------------------------------------------ the operator

    async def shut(self, table: str) -> None:
        """Close a table: it can be looked at, and nobody plays on."""
        async with self.waking.using(table) as running:
            await running.shut()

    async def ban(self, table: str, seat: SeatNumber) -> None:
        """Free a person's seat, and let him never sit there again with what he has."""
        async with self.waking.using(table) as running:
            await running.seating.ban(seat)

    async def racing(self, table: str) -> bool:
        """Whether a race is being run there, as far as is known without folding its log."""
        if running := self.waking.awake.get(table):
            return running.state.racing
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
        if waking := self.waking.under_way.get(table):
            await asyncio.wait({waking})
        if running := self.waking.awake.pop(table, None):
            await running.erased()

    async def rotate(self) -> None:
        """A new key, with which everything that is not over is sealed from now on."""
        async with self._keys_change:
            await asyncio.to_thread(self.keys.rotate)
            await self.reseal()

    async def reseal(self) -> None:
        """Seal with the first key what is sealed with another one, or was written in clear by an older release.

        In one transaction, after all that waits to be written: whatever has an older key is found, and whatever comes
        later has the new one.
        """
        name = self.keys.names[0]
        await self.store.rewrite(e.SEALED, resealed(self.keys), lambda summary: with_key(summary, name))
        for running in list(self.waking.awake.values()):
            await running.rekey(name)

    async def prune(self) -> None:
        """Forget the keys that nothing in this database needs, and nothing that waits to be written."""
        async with self._keys_change:
            await self.store.settle()
            needed = {event.key for _, _, event in last_sealed(await self.store.beginning_with(e.SEALED))}
            await asyncio.to_thread(self.keys.forget, set(self.keys.names) - needed)

    async def deals_of_keys(self) -> dict[str, int]:
        """By a key's name how many deals it has sealed that are not over; with keys that are not here."""
        sealed = last_sealed(await self.store.beginning_with(e.SEALED))
        counted_ = Counter(event.key for _, _, event in sealed)
        return {name: counted_[name] for name in dict.fromkeys([*self.keys.names, *counted_])}

    async def _retire(self, table: str) -> bool:
        """Erase a table whose time is over, unless somebody is looking at it."""
        if table in self.waking.under_way or ((running := self.waking.awake.get(table)) and not running.idle):
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
        async with self.waking.using(table) as running:
            await running.seating.share([hashed(key) for key in keys], on)
        return await self.sharing(table, keys)

    # ------------------------------------------------------------------ forgetting

    async def forget(self, keys: Sequence[str], address: str = "") -> msg.Forgotten:
        """Erase what somebody wrote, at all tables, free his seats, and let his keys open nothing any more.

        His keys are voided last: if something goes wrong before, he can ask again.
        """
        own = [hashed(key) for key in keys]
        if self.count_of("forgetting", address, self.quotas.forgetting):
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
        # Whoever has many tables may have them all forgotten at once.
        with on_behalf_of(*asking(), counted=False):
            async with self.waking.using(table) as running:
                await running.erasing.forget(keys)

    # ------------------------------------------------------------------ laying and sitting down

    async def lay(self, new: msg.NewTable, key: str, address: str = "") -> msg.Laid:
        """Lay a table; its host is the caller, who also has the seats at this screen."""
        await self.room.need()
        table = new_table()
        if not (new.open and address):
            return await self._lay(table, new, key)
        await self._open_tables.keep_place(table, address, self.quotas.open_tables)
        with self._open_tables.kept(table, address):
            return await self._lay(table, new, key)

    async def _lay(self, table: str, new: msg.NewTable, key: str) -> msg.Laid:
        board = await self.uploads.board_for(new)
        load = await self.courses.loader(board)
        checked = await asyncio.to_thread(check, new, load)
        if checked.problem is not None:
            raise RefusedError(checked.problem, status=400)
        plan = filled_in(new)
        at = self.clock()
        events: list[e.AnyEvent] = [e.WasLaid(plan, board, RULES_VERSION), self.keys.encrypt(seal_for(plan))]
        invited = new_key("i") if any(seat.kind == "friend" for seat in plan.seats) else None
        if invited is not None:
            events.append(e.Linked(tag_of(hashed(invited)), "invitation", None, at + INVITATION_LASTS, laid=True))
        state = TableState(table, load=load)
        kept = [e.WasLaid(plan, rules=RULES_VERSION), *events[1:]]  # a board's text is with the uploads
        own = hashed(key)
        entries = [erasable_words.written(number, at, None, event, tag_of(own)) for number, event in enumerate(kept)]
        for entry, event in zip(entries, events, strict=True):
            state.apply(entry.number, at, event)
        here = [seat for seat, planned in numbered(plan.seats) if planned.kind == "here"]
        grants = [Grant(own, None, "host"), *(grant for seat in here for grant in seated(own, seat))]
        grants += [] if invited is None else [Grant(hashed(invited), None, "invite")]
        await self.store.create(table, entries, grants, listing_of(state), plan.board)
        self.waking.awake[table] = self.waking.seat_at(state, grants)
        invitation = None if invited is None else _link(table, invited)
        return msg.Laid(table, invitation, here, _for_programs(key))

    async def who(self, table: str, keys: Sequence[str]) -> Actor:
        """What somebody's keys allow at a table."""
        async with self.waking.using(table) as running:
            return await running.rights.of([hashed(key) for key in keys])

    async def _digests(self, table: str, keys: Sequence[str]) -> list[str]:
        """Somebody's keys as they are kept, without an old one of before TLS that holds nothing here but a ban.

        Any host of the domain can plant such a key: its ban is his only together with what else it holds.
        """
        outworn = _outworn(keys)
        held = await self.store.rights(table, outworn) if outworn else []
        good = {grant.key for grant in held if grant.role != "banned"}
        return [digest for digest in map(hashed, keys) if digest in good or Grant(digest, None, "banned") not in held]

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
        async with self.waking.using(table) as running:
            await running.seating.carry_over(_outworn(keys), own[0])
            own = await self._digests(table, keys)
            who = await running.rights.of(own)
            self._need_quota_of_comings(table, who)
            brought = await running.rights.of([token]) if token else None
            if brought is not None and token and not brought.invited:  # a link to a seat, or one that was
                seat = await running.seating.admit(token, own, sit.name, sit.colour)
            elif who.seats and sit.seat in (None, *who.seats):
                seat = min(who.seats) if sit.seat is None else sit.seat
            else:
                seat = await running.seating.sit(sit.seat, sit.name, sit.colour, own, token)
        return msg.Seated(table, seat, _for_programs(keys[0]))

    async def take_over(self, table: str, wish: msg.TakeOver, keys: Sequence[str]) -> msg.Asking:
        """Ask to take over a seat that a stand-in drives in this race; whoever left it himself has it back at once."""
        own, token = [hashed(key) for key in keys], hashed(wish.token) if wish.token else None
        async with self.waking.using(table) as running:
            await running.seating.carry_over(_outworn(keys), own[0])
            own = await self._digests(table, keys)
            self._need_quota_of_comings(table, await running.rights.of(own))
            await running.seating.take_over(wish.seat, wish.name, own, token)
        return msg.Asking(table, wish.seat, _for_programs(keys[0]))

    def _need_quota_of_comings(self, table: str, who: Actor) -> None:
        """Whoever sits down and stands up again and again, each time as somebody else, fills the table's log."""
        if not who.has_place and self.count_of("comings", asking()[0].address, self.quotas.comings, f"{table} "):
            raise RefusedError(say("so much at once: take a breath first"), status=429)

    async def _need_quota_of_links(self, table: str, person: str, address: str) -> None:
        rate = self.quotas.links
        if self.rates.take("links", person, rate) or self.count_of("links", address, rate.times(4)):
            raise RefusedError(say("you have made many links: try again in a minute"), status=429)
        if await self.store.links_at(table) >= self.quotas.rights:
            raise RefusedError(say("too many links were made at this table"), status=429)

    async def link(self, table: str, want: msg.WantLink, keys: Sequence[str], address: str = "") -> msg.Link:
        """A new link: to one's own seats for another device, to a free seat, or an invitation."""
        key = new_key("i" if want.seat is None else "s")
        async with self.waking.using(table) as running:
            if (await running.rights.of([hashed(own) for own in keys])).has_place:
                await self._need_quota_of_links(table, asking()[0].person or hashed(keys[0]), address)
            until = await running.seating.link([hashed(own) for own in keys], want.seat, hashed(key))
        return msg.Link(_link(table, key), until)

    # ------------------------------------------------------------------ playing and watching

    async def command(
        self, table: str, command: msg.Logged | msg.Asked, keys: Sequence[str]
    ) -> msg.Done | msg.Reason | msg.Hint:
        """Carry a command out that did not come by a socket."""
        async with self.waking.using(table) as running:
            who = await running.rights.of([hashed(key) for key in keys])
            match command:
                case msg.Why():
                    return running.why(who, command)
                case msg.AskHint():
                    return await running.hint(who, command)
                case _:
                    return await running.command(who, command)

    async def shown(self, table: str, keys: Sequence[str]) -> msg.Whole:
        """The table as somebody may see it."""
        async with self.waking.using(table) as running:
            who = await running.rights.of(await self._digests(table, keys))
            running.presence.saw(who.seats)
            return await running.whole(who)

    async def connect(
        self, table: str, keys: Sequence[str], address: str = "", may_watch: Callable[[], bool] = lambda: True
    ) -> Connection:
        """A socket's end of the table. `may_watch` tells whether there is room for another stranger at its address."""
        async with self.waking.using(table) as running:
            who = await running.rights.of(await self._digests(table, keys))
            if not (who.seats or who.host or may_watch()):
                raise RefusedError(say("too many connections from your address"), status=429)
            return Connection(running, who, address)

    async def record(self, table: str, game: int) -> Record:
        """The races of a game that are over."""
        return (await self._written(table, game)).record

    async def kept_record(self, table: str, game: int) -> KeptRecord:
        """The same as it is sent, and its digest."""
        return (await self._written(table, game)).kept

    async def _written(self, table: str, game: int) -> WrittenRecord:
        state = await self.waking.readable(table)
        while True:
            written, running = await self.records.of(state, game), self.waking.awake.get(table)
            if running is None or running.state.races_run(game)[-1] is state.races_run(game)[-1]:
                return written
            state = running.state  # a name was erased while it was written, or another race is over

    async def made_by(self, table: str, game: int, race: int) -> tuple[e.By, ...]:
        """Who made each turn of a race, votes left out."""
        return tuple((await self.waking.readable(table)).made_by.get((game, race), ()))

    def _count_course(self) -> None:
        """Courses of people's own boards that are kept no longer are unpacked on the loop for whoever asks."""
        if self.count_of("courses", counted_to().address, self.quotas.courses):
            raise RefusedError(say("so much at once: take a breath first"), status=429)

    def _count_races(self, many: int) -> None:
        """Records that are kept no longer are put together on the loop, race by race, for whoever asks."""
        if self.count_of("written", asking()[0].address, self.quotas.written, cost=many):
            raise RefusedError(say("so much at once: take a breath first"), status=429)

    def _lacks(self, table: str, key: str) -> bool:
        """Whether a race rests because the key to its cards is not here."""
        return table in self.waking.lacking or not self.keys.holds(key)

    async def lobby(self, keys: Sequence[str]) -> msg.Lobby:
        """Open tables, and one's own."""
        hashes = [hashed(key) for key in keys]
        mine = await self.store.tables_of(hashes) if hashes else []
        own = {row.table for row, _ in mine}
        return msg.Lobby(
            [listed(row, [], self._lacks) for row in await self.store.listed() if row.table not in own],
            [listed(row, grants, self._lacks) for row, grants in mine],
        )


def _for_programs(key: str) -> str | None:
    """A browser's key stays in its cookie; a program is told its own."""
    return None if key.startswith(("h_", "b_")) else key


def _outworn(keys: Sequence[str]) -> list[str]:
    """A browser's key of before TLS, beside the one that it has now (digests)."""
    return [hashed(key) for key in keys[1:] if keys[0].startswith("h_") and key.startswith("b_")]


def _link(table: str, key: str) -> str:
    return f"/t/{table}#{key}"
