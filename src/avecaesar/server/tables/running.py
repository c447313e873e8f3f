"""A table that is being played: commands are committed, then announced; clocks run, drivers think, people come."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple, TypedDict, TypeVar

import msgspec

from avecaesar.drivers import Scorpus
from avecaesar.game import Move, Race, View
from avecaesar.records import Record, to_json
from avecaesar.server.rates import InMemory, Rate
from avecaesar.server.ready import need_room_for_more
from avecaesar.server.store.database import HELD, ROLES, Blank, Entry, Grant, Revoke, Role, Store, Taken, Unwell
from avecaesar.server.tables import events as e
from avecaesar.server.tables import words
from avecaesar.server.tables.admission import INVITATION_LASTS, LINK_LASTS, TAG, tag_of
from avecaesar.server.tables.folding import decoded, fold
from avecaesar.server.tables.keys import Keyring, opened
from avecaesar.server.tables.projection import Common, Sight, common_to_all, reason, shown
from avecaesar.server.tables.state import UNTOLD, Actor, Moment, RefusedError, Room
from avecaesar.server.tables.veil import Veil
from avecaesar.server.wire import messages as msg
from avecaesar.server.workers.fairness import Asker, Urgency, asking, on_behalf_of
from avecaesar.server.workers.pool import Thinkers, time_of
from avecaesar.speech import say, speaking, spoken
from avecaesar.telling import narration

STAND_IN = "scorpus"  # drives for whoever is away, and when the clock has run out
MOST_WAITING = 16  # messages for a slow reader, some 9 KB each; then he gets the whole table afresh
MOST_ANSWERS = 512  # to commands of his own
STRANGERS_A_TABLE = 64  # who only watch; those who sit there, and the host, always find a place
STRANGERS_OF_AN_ADDRESS = 32  # at one table
CONNECTIONS_A_PERSON = 8
HINTS = 3
TRIES = 5  # to append to a log that other servers append to as well
Ending = Literal["closing", "deaf", "hasty", "erased"]
FAREWELLS: dict[Ending, str] = {
    "closing": "the server is closing; the table is safe",
    "deaf": "you do not read what you are answered: come again",
    "hasty": "you send too much at once",
    "erased": "this table was erased by the server's operator",
}
USUAL_WAIT = 60.0  # seconds for somebody who is away when the next race is to begin, where no driver ever stands in
A_JUMP = 0.5  # seconds that the wall's clock differs from what it should show
LOOK = 30.0  # seconds for which a table is watched by somebody who has asked for it over HTTP or has just left
UNWATCHED_PACE = 5.0  # seconds a move at a table that nobody watches
A_CROWD = 0.5  # seconds between two news of nothing but who has come or gone
COMINGS = Rate(0.5, 6)  # of people who sit here, that are told of at once: all six may come together
SIGHTS_A_STEP = 10  # different ones that are put together before others are served
A_QUESTION = 4  # as many of them is one in which somebody is asked something: two sortings take some 4 ms
A_NOTE = 1.0  # seconds between two notes to the lobby
BREATH = 5.0  # seconds before a table that could not go on tries again
TICK = 0.02  # seconds: whoever thinks longer than everybody knows he may is heard at the next tick

log = logging.getLogger("avecaesar.server")
T = TypeVar("T")


class Who(NamedTuple):
    """What somebody's keys allow at a table; keys are hashes here."""

    keys: tuple[str, ...]
    seats: frozenset[int]
    host: bool
    invited: bool
    left: frozenset[int] = frozenset()  # seats that he left in this race
    as_of: int = 0  # how often rights at the table had changed
    banned: bool = False  # by the operator, or by the host

    @property
    def has_place(self) -> bool:
        """Whether somebody sits there, or the table is his."""
        return bool(self.seats) or self.host

    @property
    def actor(self) -> Actor:
        """The same for the room; the first key tells persons apart (`Live._in_order`)."""
        return Actor(self.seats, self.host, tag_of(self.keys[0]) if self.keys else "")


NOBODY = Who((), frozenset(), False, False)


class _Rights(TypedDict):
    """What changes of the rights at a table."""

    revoke: Sequence[Revoke]
    grants: Sequence[Grant]


class _Erasing(TypedDict):
    """What becomes of the words at a table, and of the tags of whoever wrote them."""

    blank: Sequence[Blank]
    retagged: Sequence[Entry]
    room: Room | None  # the table without them, if it had to be folded anew


class Summary(msgspec.Struct, frozen=True):
    """What the lobby tells of a table."""

    title: str
    edition: str
    course: str
    tournament: bool
    phase: msg.Phase
    paused: bool
    seats: list[msg.SeatListed]
    on_turn: int | None
    closed: bool = False
    key: str = ""  # the name of the key without which the race that is on cannot go on


def summary_of(room: Room) -> bytes:
    """What the lobby tells of a table."""
    seats = [msg.SeatListed(chair.name, chair.colour, chair.kind, chair.taken) for chair in room.chairs]
    course = room.table.race.course.name if room.table else room.plan.course
    return msgspec.json.encode(
        Summary(
            room.plan.title,
            room.plan.edition,
            course,
            room.plan.tournament,
            room.phase,
            room.paused,
            seats,
            room.on_turn,
            room.closed,
            room.key if room.phase == "racing" else "",
        )
    )


def seated(key: str, seat: int) -> list[Grant]:
    """What whoever takes a seat has with his own key."""
    return [Grant(key, seat, "drive"), Grant(key, seat, "sat")]


def no_tables() -> RefusedError:
    """What everybody is told while the database cannot be used; what is wrong with it is for the operator's eyes."""
    return RefusedError(say("tables cannot be read or written just now: try again later"), status=503)


class Live:
    """One table. All changes go through `_add`, one at a time."""

    def __init__(
        self,
        room: Room,
        store: Store,
        thinkers: Thinkers,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
        steady: Callable[[], float] = time.monotonic,
        held: Sequence[Grant] = (),
        count: Callable[[str, bool], float] = lambda seat, said: 0.0,
        keys: Keyring | None = None,
        least_pace: float = 0.0,
        charge: Callable[[Sequence[str]], float] = lambda addresses: 0.0,
    ) -> None:
        """The log and the page go by `clock`, the wall's, which may jump; what runs out goes by the steady one.

        `held` are the rights to drive its seats, to be its host, and to be asked about. `least_pace` are the seconds
        that a move takes at least while no person sits in the race. `charge` counts a move that the computer makes to
        one of the addresses that watch it, or tells how many seconds it has to wait.
        """
        self.room = room
        self._count = count  # of what a seat says and does beside moves: the seconds that it has to wait
        self.store = store
        self._least_pace, self._charge = least_pace, charge
        self.keys = keys or Keyring.in_memory()  # what a secret is sealed with before it is written down
        self.thinkers = thinkers
        self.clock, self.sleep, self.steady = clock, sleep, steady
        self._ahead = clock() - steady()  # the wall's clock of the steady one, when it was last compared
        self.users = 0  # who ask something of it just now
        self.since = steady()  # from when on clocks count: nobody loses time while the server is down
        self._touched = self._paused_at = self.since  # when the game last went on, and when it last rested
        self.connections: list[Connection] = []
        self._seen: dict[int, float] = {}  # by seat: when its person was last here
        self._held = {grant for grant in held if grant.role in HELD}
        self._looked: tuple[float, Asker] | None = None  # when somebody last had a look, and who; never written down
        self._entitled = 0  # how often rights have changed
        self._noted_at = room.changed  # what the lobby knows of
        self._lock = asyncio.Lock()
        self._wake = asyncio.Event()
        self._noted = asyncio.Event()
        self._crowded = asyncio.Event()  # somebody has come or gone, and everybody was just told so
        self._crowd_changed = False  # since then
        self._comings = InMemory(steady)
        self._untold: dict[Connection, None] = {}  # who is still to be told how the table stands, in their order
        self._more = asyncio.Event()  # some of them wait for the next step
        works = (self._run(), self._note(), self._settle_crowd(), self._tell_others())
        self._running = [asyncio.create_task(work) for work in works]
        self._tasks: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """Let go of the table; everything is in its log."""
        for connection in list(self.connections):
            connection.end("closing")
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, *self._tasks, return_exceptions=True)
        if self._noted_at != self.room.changed:
            await self._tell_lobby()

    @property
    def idle(self) -> bool:
        """Whether nobody would miss it if it were forgotten until somebody asks for it."""
        return not (self.connections or self.users or self.room.goes_on or self._lock.locked())

    # ------------------------------------------------------------------ changing

    async def command(self, who: Who, command: msg.Logged) -> msg.Done:
        """Carry a command out, once, however often it comes."""
        return await self._whole(self._carry_out(who, command))

    async def _carry_out(self, who: Who, command: msg.Logged) -> msg.Done:
        async with self._lock:
            for _ in range(TRIES):
                names = [f"{tag_of(key)}:{command.id}" for key in who.keys]  # rights may have changed since the first
                if done := [self.room.commands[name] for name in names if name in self.room.commands]:
                    return msg.Done(command.id, done[0])
                who = await self._now(who)
                name = f"{who.actor.holder}:{command.id}"
                if not isinstance(command, msg.Say):
                    self.saw(who.seats)
                events = self._with_seats_of_banned(self.room.decide(who.actor, command, self._moment))
                self._need_quota(who, command)
                if any(isinstance(event, e.Begun) for event in events):
                    await need_room_for_more(self.store)
                following, erasing = self._following(events, who), await self._erasing(events)
                if await self._add(events, command=name, holder=who.actor.holder, **following, **erasing):
                    return msg.Done(command.id, self.room.number)
        raise _too_much()

    def _need_quota(self, who: Who, command: msg.Logged) -> None:
        """Logs do not grow without end, and nobody talks others down."""
        seat, said = str(min(who.seats, default="host")), isinstance(command, msg.Say)
        if not isinstance(command, msg.MakeMove) and self._count(seat, said):
            problem = say("so many words: take a breath first") if said else say("so much at once: take a breath first")
            raise RefusedError(problem, status=429)

    async def shut(self) -> None:
        """The operator closes the table for good, unless it is closed already."""
        await self._whole(self._shut())

    async def _shut(self) -> None:
        async with self._lock:
            for _ in range(TRIES):
                if self.room.closed or await self._add([e.Closed()]):
                    await self._tell_lobby()  # at once: the operator looks at the list next
                    return
        raise _too_much()

    async def ban(self, seat: int) -> None:
        """The operator frees a person's seats for good: neither his keys nor any invitation bring him back."""
        await self._whole(self._ban(seat))

    async def _ban(self, seat: int) -> None:
        async with self._lock:
            for _ in range(TRIES):
                if seat not in self.room.persons:
                    raise RefusedError(say("no person sits there"))
                events = self._freed_by_ban(seat)
                following = self._following([*events, e.Banned(seat)], NOBODY)
                if await self._add(events, **following):
                    await self._tell_lobby()
                    return
        raise _too_much()

    def _all_of(self, seat: int) -> tuple[list[str], list[int]]:
        """The keys and seats of a person who sits there, with the devices that he has let in, and seats that he left.

        Somebody else with a seat of his own, or the host, may have opened his link: they lose that seat and no more.
        """
        sitter, hosts = self._keys_to(seat, "sat"), {grant.key for grant in self._held if grant.role == "host"}
        if hosts & set(sitter):
            raise RefusedError(say("the host sits there: close the table instead"))
        sat = [grant for grant in self._held if grant.role == "sat" and grant.seat is not None]
        seats = {seat, *(grant.seat for grant in sat if grant.key in sitter and grant.seat is not None)}
        others = hosts | {grant.key for grant in sat if grant.seat not in seats}
        devices = {key for each in seats for key in (*self._keys_to(each), *self._keys_to(each, "left"))}
        return sorted(devices - others), sorted(seats)

    def _freed_by_ban(self, seat: int) -> list[e.AnyEvent]:
        """All seats of whoever sits there become free, which voids all invitations; and he asks for none any more."""
        keys, seats = self._all_of(seat)
        return [*self._unwished(keys), *(e.Stood(each, freed=True) for each in seats if each in self.room.persons)]

    def _banning(self, seat: int) -> _Rights:
        keys, seats = self._all_of(seat)
        revoke = [Revoke(role, key=key) for key in keys for role in ROLES]
        revoke += [Revoke("left", each) for each in seats]
        return {"revoke": revoke, "grants": [Grant(key, None, "banned") for key in keys]}

    def _with_seats_of_banned(self, events: Sequence[e.AnyEvent]) -> list[e.AnyEvent]:
        return [
            each
            for event in events
            for each in ([*self._freed_by_ban(event.seat), event] if isinstance(event, e.Banned) else [event])
        ]

    async def share(self, keys: Sequence[str], on: bool) -> None:
        """Somebody who has a place here shares its races by link, or whoever did so does it no longer."""
        await self._whole(self._share(keys, on))

    async def _share(self, keys: Sequence[str], on: bool) -> None:
        async with self._lock:
            who, sharing = await self.rights(keys), frozenset(await self.store.shared_by(self.room.id))
            if on and not who.has_place:
                raise RefusedError(say("only those who sit at the table may do that"), status=403)
            if on == (not sharing.isdisjoint(keys)):
                return  # it is so already
            if self._count(str(min(who.seats, default=who.actor.holder)), False):
                raise RefusedError(say("so much at once: take a breath first"), status=429)
            ended = sharing & (
                self._devices_of(who.seats) if on else set(keys)
            )  # one share a seat, with its last device
            revoke = [Revoke("share", key=key) for key in sorted(ended)]
            await self._add([], revoke=revoke, grants=[Grant(who.keys[0], None, "share")] if on else [])

    def _devices_of(self, seats: Collection[int]) -> set[str]:
        """The keys to somebody's seats that are his, as far as is known here.

        Somebody else with a seat of his own, or the host, may have opened his link.
        """
        return {key for seat in seats for key in self._keys_to(seat) if self._is_at_home(key, seat)}

    def _is_at_home(self, key: str, seat: int) -> bool:
        """Whether somebody has a key to a seat as the person who sits there, and not beside a place of his own."""
        sat = {grant.seat for grant in self._held if (grant.key, grant.role) == (key, "sat")}
        hosts, sitters = {grant.key for grant in self._held if grant.role == "host"}, self._keys_to(seat, "sat")
        return seat in sat or not (sat or (key in hosts and sitters and hosts.isdisjoint(sitters)))

    # ------------------------------------------------------------------ erasing words

    async def _erasing(self, events: Sequence[e.AnyEvent]) -> _Erasing:
        """Which words go with events that somebody brings about."""
        match events:
            case [e.Struck(number)]:
                return {"blank": [Blank(number, 0, None)], "retagged": (), "room": None}
            case [e.Blanked()]:
                return await self._without(words.all_of)
            case _:
                return {"blank": (), "retagged": (), "room": None}

    async def _without(
        self, which: Callable[[Sequence[Entry]], list[words.Written]], holders: Collection[str] = ()
    ) -> _Erasing:
        """Some words, and the table as it is without them: folded anew, so that they are nowhere any more.

        Nor are the tags of these holders, by which all that somebody did would still belong together.
        """
        entries = await self.store.log(self.room.id)
        blank = words.blanks(entries, which(entries))
        retagged = words.retagged(entries, {holder: secrets.token_hex(TAG // 2) for holder in holders})
        if not blank and not retagged:
            return {"blank": (), "retagged": (), "room": None}
        changed = {entry.number: entry for entry in retagged}
        room = await self._folded(words.without([changed.get(entry.number, entry) for entry in entries], blank))
        if _names_in(room) != _names_in(self.room):
            await self._drop_uploads()
        return {"blank": blank, "retagged": retagged, "room": room}

    async def _folded(self, entries: Sequence[Entry]) -> Room:
        entries = entries[: self.room.number + 1]
        return await fold(self.room.afresh(), entries, opened(await decoded(entries), self.keys))

    async def _drop_uploads(self) -> None:
        """Somebody may have uploaded a record of the races here, with the names in it; and have had its chronicles.

        It is known by the seals of its races. All lessons have the same one: of those exactly their records are meant.
        """
        room = self.room
        if not room.plan.lesson:
            seals = [seal for _, seals in room.games for seal in seals]
            await self.store.drop_records([seal.commitment for seal in seals])
            return
        for game in range(room.game + 1):
            for races in range(1, room.races_over(game) + 1):
                await self.store.drop_records((), [await asyncio.to_thread(_digest_of, room.record(game, races))])

    async def forget(self, keys: Sequence[str]) -> None:
        """Erase what somebody wrote here, and end his rights."""
        await self._whole(self._forget(keys))

    async def _forget(self, keys: Sequence[str]) -> None:
        async with self._lock:
            for _ in range(TRIES):
                who = await self.rights(keys)
                own = {seat for seat in who.seats for key in keys if key in self._devices_of([seat])}
                who = who._replace(seats=frozenset(own))  # where he only opened a link somebody else goes on
                holders = {tag_of(key) for key in (*keys, *self._devices_of(own))}
                events, rights = self._leaving(who, holders)
                erasing = await self._without(partial(words.of_holders, holders=holders), holders)
                if await self._add(events, **rights, **erasing):
                    return
        raise _too_much()

    def _leaving(self, who: Who, holders: set[str]) -> tuple[list[e.AnyEvent], _Rights]:
        """Somebody leaves for good: his seats are free, and the table is somebody else's or closed."""
        room = self.room
        revoke = [Revoke(role, key=key) for key in who.keys for role in ROLES]
        revoke += [each for seat in who.seats for each in self._all_rights_to(seat)]
        if room.closed:
            return [], {"revoke": revoke, "grants": ()}
        asked = [seat for seat, wish in room.admission.wishes.items() if wish.holder in holders]
        events: list[e.AnyEvent] = [e.Declined(seat, None) for seat in asked]
        events += [e.Stood(seat) for seat in sorted(who.seats)]
        heirs = sorted(room.persons - who.seats)
        if who.host and heirs:
            following = self._following([e.HandedOn(heirs[0])], who)
            events.append(e.HandedOn(heirs[0]))
            # He may hold the heir's seat too, by a link that he opened.
            grants = [grant for grant in following["grants"] if grant.key not in who.keys]
            return events, {"revoke": [*revoke, *following["revoke"]], "grants": grants}
        if who.host:
            events += [e.Closed("nobody")] if room.phase != "over" else []
            revoke += [Revoke("host"), Revoke("pass"), Revoke("invite")]
        return events, {"revoke": revoke, "grants": ()}

    async def erased(self) -> None:
        """There is no such table any more: whoever is connected is told so."""
        for connection in list(self.connections):
            connection.end("erased")
        self._noted_at = self.room.changed
        await self.close()

    def _following(self, events: Sequence[e.AnyEvent], who: Who) -> _Rights:
        """Which rights end and which begin with events that somebody brings about."""
        revoke, grants = list[Revoke](), list[Grant]()
        for event in events:
            match event:
                case e.Stood(seat, freed):
                    revoke += self._all_rights_to(seat)
                    if self.room.phase == "racing" and not freed:
                        grants += [Grant(key, seat, "left") for key in self._keys_to(seat)]
                        grants += [Grant(key, seat, "sat") for key in self._keys_to(seat, "sat")]
                case e.Appointed(seat):
                    revoke += self._all_rights_to(seat)
                case e.ShutOut(seat):
                    shut = sorted(set(self._keys_to(seat)) - set(who.keys))
                    revoke += [
                        Revoke("drive", seat, but=who.keys),
                        Revoke("pass") if who.host else Revoke("pass", seat),
                        Revoke("sat", seat),
                    ]
                    grants += [Grant(key, seat, "sat") for key in who.keys if key in self._keys_to(seat)][:1]
                    revoke += [Revoke("host", key=key) for key in shut] if who.host else []
                case e.HandedOn(seat):
                    revoke += [Revoke("host"), Revoke("pass")]
                    grants += [Grant(key, None, "host") for key in self._keys_to(seat)]
                case e.Declined(seat):
                    revoke += [Revoke("wish", seat)]
                case e.Sat(seat):  # by consent
                    revoke += self._all_rights_to(seat)
                    revoke += [Revoke("left", key=key) for key in self._keys_to(seat, "wish")]
                    grants += [grant for key in self._keys_to(seat, "wish") for grant in seated(key, seat)]
                case e.Begun():
                    revoke += [Revoke("left"), Revoke("wish")]
                    revoke += [Revoke("sat", seat) for seat, chair in enumerate(self.room.chairs) if chair.free]
                case e.Banned(seat):
                    banning = self._banning(seat)
                    revoke += banning["revoke"]
                    grants += banning["grants"]
        return {"revoke": revoke, "grants": grants}

    @staticmethod
    def _all_rights_to(seat: int) -> list[Revoke]:
        roles: tuple[Role, ...] = ("drive", "sat", "pass", "left", "wish")
        return [Revoke(role, seat) for role in roles]

    def _keys_to(self, seat: int, role: Role = "drive") -> list[str]:
        return sorted(grant.key for grant in self._held if (grant.seat, grant.role) == (seat, role))

    async def sit(
        self, seat: int | None, name: str | None, colour: str | None, keys: Sequence[str], token: str | None = None
    ) -> int:
        """Somebody takes a free seat, by an invitation where one is needed; which one."""
        return await self._whole(self._sit_down(seat, name, colour, keys, token))

    async def _sit_down(
        self, seat: int | None, name: str | None, colour: str | None, keys: Sequence[str], token: str | None
    ) -> int:
        async with self._lock:
            for _ in range(TRIES):
                who = await self._welcome(keys, token)
                if (taken := await self._take(seat, name, colour, who)) is not None:
                    return taken
        raise _too_much()

    async def _welcome(self, keys: Sequence[str], token: str | None) -> Who:
        """Whoever may sit down here at this very moment; what was true before we waited may be so no longer."""
        who = self._unbanned(await self.rights(keys))
        brought = await self.rights([token]) if token is not None else None
        invited = who.invited or (brought is not None and brought.invited)
        if not (self.room.plan.open or who.host or invited):
            raise RefusedError(say("one sits down at this table by invitation: ask the host for a link"), status=403)
        return who

    @staticmethod
    def _unbanned(who: Who) -> Who:
        if who.banned:
            raise RefusedError(say("you were banned from this table: you may watch, but not sit down here"), status=403)
        return who

    async def _take(
        self, seat: int | None, name: str | None, colour: str | None, who: Who, opened: e.Opened | None = None
    ) -> int | None:
        """Who takes a free seat has it with his own key, and nobody has it who was once promised it.

        None if another server was faster.
        """
        events = self.room.sit(seat, name, colour, who.left, who.seats)
        (taken,) = (event.seat for event in events if isinstance(event, e.Sat))
        self.saw(frozenset({taken}))
        own = who.keys[0]
        found = [opened] if opened else []
        before = [*self._unwished(who.keys, taken), *found]
        ended: tuple[Role, ...] = ("left", "wish")
        revoke = [*self._all_rights_to(taken), *(Revoke(role, key=key) for role in ended for key in who.keys)]
        done = await self._add([*before, *events], holder=tag_of(own), revoke=revoke, grants=seated(own, taken))
        return taken if done else None

    async def carry_over(self, outworn: Sequence[str], own: str) -> None:
        """What a browser's older keys hold here is its newer one's from now on, and no other device's.

        Somebody else may have planted the old key, who knows it and perhaps has let in another device of his.
        """
        if outworn:
            await self._whole(self._carry_over(outworn, own))

    async def _carry_over(self, outworn: Sequence[str], own: str) -> None:
        async with self._lock:
            for _ in range(TRIES):
                held = await self.store.rights(self.room.id, outworn)
                if all(grant.role == "banned" for grant in held):
                    return
                who = await self.rights([own])
                events: list[e.AnyEvent] = [e.ShutOut(seat) for seat in self._open_to_others(held)]
                ended = self._following(events, who._replace(host=any(grant.role == "host" for grant in held)))
                revoke = [Revoke(role, key=key) for key in outworn for role in ROLES if role != "banned"]
                grants = {grant._replace(key=own) for grant in held} | set(ended["grants"])
                grants |= {Grant(own, each.seat, "sat") for each in events if isinstance(each, e.ShutOut)}
                if await self._add(events, revoke=[*revoke, *ended["revoke"]], grants=sorted(grants, key=str)):
                    return
        raise _too_much()

    def _open_to_others(self, held: Sequence[Grant]) -> list[int]:
        """Those of the seats that somebody drives which another device holds too, or could by a link."""
        keys, linked = {grant.key for grant in held}, {link.seat for link in self.room.admission.links.values()}
        seats = {grant.seat for grant in held if grant.role == "drive" and grant.seat is not None}
        if self.room.closed:
            return []
        return sorted(seat for seat in seats if seat in linked or not keys.issuperset(self._keys_to(seat)))

    def _unwished(self, keys: Sequence[str], taken: int | None = None) -> list[e.AnyEvent]:
        """Whoever holds these keys asks for no seat any more; of the one that he takes that need not be said."""
        holders, wishes = {tag_of(key) for key in keys}, self.room.admission.wishes
        return [e.Declined(seat, None) for seat, wish in wishes.items() if seat != taken and wish.holder in holders]

    async def take_over(self, seat: int, name: str | None, keys: Sequence[str], token: str | None) -> None:
        """Somebody asks those who sit here to let him have a seat that a stand-in drives in this race.

        Whoever left it himself has it back at once.
        """
        await self._whole(self._ask_for(seat, name, keys, token))

    async def _ask_for(self, seat: int, name: str | None, keys: Sequence[str], token: str | None) -> None:
        async with self._lock:
            for _ in range(TRIES):
                who = self._unbanned(await self.rights(keys))
                if who.seats:
                    raise RefusedError(say("you have a seat at this table"))
                if seat in who.left:
                    if await self._take(seat, None, None, who) is not None:
                        return
                    continue
                if token is None or not await self.promises(token, seat):
                    await self._welcome(keys, token)
                own = who.keys[0]
                events = self.room.wish(seat, tag_of(own), name or "", self._moment)
                if self._count("asking", False):
                    raise RefusedError(say("so much at once: take a breath first"), status=429)
                if await self._add(events, holder=tag_of(own), grants=[Grant(own, seat, "wish")]):
                    return
        raise _too_much()

    async def promises(self, token: str, seat: int) -> bool:
        """Whether a key is a link to a seat that can still be opened."""
        if self.room.admission.good(tag_of(token), self.clock()) is None:
            return False
        return Grant(token, seat, "pass") in await self.store.rights(self.room.id, [token])

    async def admit(self, token: str, keys: Sequence[str], name: str | None, colour: str | None) -> int:
        """Somebody comes with a link to a seat: the same person on another device, or who is to sit there; which."""
        return await self._whole(self._let_in(token, keys, name, colour))

    async def _let_in(self, token: str, keys: Sequence[str], name: str | None, colour: str | None) -> int:
        own = keys[0]
        async with self._lock:
            self.room.need_open()
            self.room.need_room_in_log()
            for _ in range(TRIES):
                who = self._unbanned(await self.rights(keys))
                opens = await self._opened_by(token)
                seats = sorted(grant.seat for grant in opens if grant.seat is not None)
                if not seats or own == token:
                    raise RefusedError(say("this link is no longer good: ask for another one"), status=403)
                free = next((seat for seat in seats if self.room.chairs[seat].free), None)
                host = any(grant.seat is None for grant in opens)
                opened = e.Opened(tag_of(token), seats[0], "device" if free is None else "seat", tuple(seats), host)
                if free is not None:
                    if (taken := await self._take(free, name, colour, who, opened)) is not None:
                        return taken
                    continue
                given = [Grant(own, each.seat, "host" if each.seat is None else "drive") for each in opens]
                ended = [Revoke(role, key=token) for role in ROLES] + [Revoke("wish", key=key) for key in keys]
                if await self._add([*self._unwished(keys), opened], grants=given, revoke=ended):
                    return seats[0]
        raise _too_much()

    async def _opened_by(self, token: str) -> list[Grant]:
        """What a link opens now, nothing if it is no longer good."""
        if self.room.admission.good(tag_of(token), self.clock()) is None:
            return []
        return [grant for grant in await self.store.rights(self.room.id, [token]) if grant.role == "pass"]

    async def link(self, keys: Sequence[str], seat: int | None, token: str) -> float:
        """Make a link: to one's own seats for another device, for the host to a free seat, or an invitation."""
        return await self._whole(self._make_link(keys, seat, token))

    async def _make_link(self, keys: Sequence[str], seat: int | None, token: str) -> float:
        async with self._lock:
            self.room.need_open()
            self.room.need_room_in_log()
            for _ in range(TRIES):
                who = await self.rights(keys)
                kind, grants = self._linked(who, seat, token)
                until = self.clock() + (INVITATION_LASTS if kind == "invitation" else LINK_LASTS)
                linked = sorted(who.seats) if kind == "device" else [] if seat is None else [seat]
                ended = [Revoke("pass", each) for each in linked]  # one link to a seat at a time
                device = kind == "device"
                all_of = tuple(linked) if device else ()
                made = e.Linked(tag_of(token), kind, seat, until, all_of, host=device and who.host)
                if await self._add([made], grants=grants, revoke=ended):
                    return until
        raise _too_much()

    def _linked(self, who: Who, seat: int | None, token: str) -> tuple[e.LinkKind, list[Grant]]:
        """What a new link opens, if it is this person's to give: a taken seat is its sitter's alone."""
        if seat is None:
            if not who.host:
                raise RefusedError(say("only the host invites people"), status=403)
            return "invitation", [Grant(token, None, "invite")]
        if seat >= len(self.room.chairs):
            raise RefusedError(say("there is no seat {seat} at this table", seat=seat), status=404)
        if seat in who.seats:
            host = [Grant(token, None, "pass")] if who.host else []
            return "device", [*(Grant(token, own, "pass") for own in sorted(who.seats)), *host]
        if not who.host or not self.room.chairs[seat].free:
            if who.host and self.room.chairs[seat].driver:
                raise RefusedError(say("a driver of the computer's sits there: free the seat first"))
            raise RefusedError(say("that is not your seat"), status=403)
        return "seat", [Grant(token, seat, "pass")]

    async def _whole(self, work: Coroutine[Any, Any, T]) -> T:
        """Work that goes on to its end even if whoever asked for it is gone."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _add(
        self,
        events: Sequence[e.AnyEvent],
        *,
        command: str | None = None,
        holder: str | None = None,
        grants: Sequence[Grant] = (),
        revoke: Sequence[Revoke] = (),
        blank: Sequence[Blank] = (),
        retagged: Sequence[Entry] = (),
        room: Room | None = None,
    ) -> bool:
        """Commit, then fold in, then announce. The command's name goes with the last event.

        `holder` has written what is written in them. Words that are blanked are gone with the same commit, and `room`
        is the table without them. False if another server was faster: what it appended is folded in, and nothing else
        has happened.
        """
        room, at = room or self.room, self.clock()
        events = self.keys.sealing(events)
        last, veil = len(events) - 1, Veil(*room.secrets)
        entries = [
            words.written(room.number + 1 + i, at, command if i == last else None, event, self._writer(event, holder))
            for i, event in enumerate(map(veil.lower, events))
        ]
        try:
            await self.store.append(
                room.id,
                entries,
                grants=grants,
                revoke=revoke,
                blank=blank,
                retagged=retagged,
                live=room.phase == "racing" or any(isinstance(event, e.Begun) for event in events),
                listed=self.listed,
                summary=summary_of(room),
            )
        except Taken:
            await self._catch_up()
            return False
        except LookupError:
            raise RefusedError(say("there is no such table"), status=404) from None
        except OSError as error:  # which the store has logged, once for all tables
            raise RefusedError(say("this could not be written down: try again"), status=503) from error
        self.room, changed = room, room.changed
        for entry, event in zip(entries, events, strict=True):
            self._fold(entry, event)
        if blank:
            for connection in self.connections:
                connection.start_over()
        if grants or revoke:
            self._hand_over(revoke, grants)
        if room.changed != changed:
            self._wake.set()
            self._noted.set()
        roles = {grant.role for grant in grants} | {each.role for each in revoke}
        if events or blank or roles & set(HELD):  # else nobody sees a difference
            self.announce()
        return True

    def _writer(self, event: e.AnyEvent, holder: str | None) -> str | None:
        """Whose the words of an event are: whoever takes a chariot over in mid-race goes by its name, not by his."""
        return None if isinstance(event, e.Sat) and not self.room.may_be_renamed else holder

    def _fold(self, entry: Entry, event: e.AnyEvent) -> None:
        """Fold an event in; nobody was away for longer because the race rested."""
        now, touched = self.steady(), self.room.touched
        if isinstance(event, e.Resumed):
            for seat in range(len(self.room.chairs)):
                seen = self._seen.get(seat, self.since)
                self._seen[seat] = seen + max(now - max(self._paused_at, seen), 0.0)
        self.room.apply(entry.number, entry.at, event, entry.command)
        if isinstance(event, e.Paused):
            self._paused_at = now
        if self.room.touched != touched:
            self._touched = now

    def note(self) -> None:
        """Let the lobby know how the table stands."""
        self._noted.set()

    async def _note(self) -> None:
        """Tell the lobby how the table stands; not before everything else, and now and then: tables share a writer."""
        while True:
            await self._noted.wait()
            self._noted.clear()
            await self._tell_lobby()
            await self.sleep(A_NOTE)

    async def _tell_lobby(self) -> None:
        room, changed = self.room, self.room.changed
        try:
            await self.store.append(room.id, [], live=room.goes_on, listed=self.listed, summary=summary_of(room))
            self._noted_at = changed
        except (Unwell, LookupError):
            pass  # which the store has logged, or the table was erased
        except Exception:
            log.exception("the lobby cannot be told of table %s", room.id)

    async def _catch_up(self) -> None:
        """Fold in what another server appended."""
        veil = Veil(*self.room.secrets)
        for entry in await self.store.log(self.room.id, self.room.number):
            event = words.read(entry)
            event = veil.lift(self.keys.open(event) if isinstance(event, e.Sealed) else event)
            self._fold(entry, event)
            if isinstance(event, e.Stood | e.Appointed | e.Sat):
                self._hand_over(self._all_rights_to(event.seat), ())
            await asyncio.sleep(0)  # others are served meanwhile
        self._held = set(await self.store.holders(self.room.id))
        self._entitled += 1
        for connection in list(self.connections):
            connection.who = await self.rights(connection.who.keys)
            connection.lifted = None
        self._wake.set()
        self.announce()

    @property
    def listed(self) -> bool:
        """Whether the lobby shows it."""
        return self.room.plan.open and self.room.phase != "over" and not self.room.closed

    # ------------------------------------------------------------------ drivers and clocks

    async def _run(self) -> None:
        """Make the moves that no person makes: the computer's, those of riderless chariots, and when time is up."""
        while True:
            self._wake.clear()
            try:
                if (decided := await self._unless_woken(self._next_move())) is not None:
                    await self._drive(*decided)
            except Exception as error:
                if not isinstance(error.__cause__, Unwell):  # which the store has logged
                    log.exception("table %s cannot go on by itself", self.room.id)
                await self._unless_woken(self.sleep(BREATH))

    async def _unless_woken(self, work: Awaitable[T]) -> T | None:
        """What comes of it; nothing if something happens at the table meanwhile."""
        task, woken = asyncio.ensure_future(work), asyncio.create_task(self._wake.wait())
        try:
            await asyncio.wait({task, woken}, return_when=asyncio.FIRST_COMPLETED)
            return None if self._wake.is_set() else task.result()
        finally:
            woken.cancel()
            if not task.cancel() and not task.cancelled():
                task.exception()  # nobody else will ask for it

    async def _next_move(self) -> tuple[int, int | None, Move, e.By]:
        """What is to be done next, on which state; it waits as long as it takes."""
        room = self.room
        if not room.racing:
            await asyncio.Event().wait()
        at, seat, table = room.changed, room.on_turn, room.game_table
        if seat is None:
            await self.sleep(self._pace)
            await self._until_charged()
            return at, None, table.race.legal_moves[0], "rule"
        by = await self._until_due(seat)
        view = table.view(seat)
        driver = room.chairs[seat].driver if by == "driver" else STAND_IN
        move = await self._in_time(driver, view)
        await self._until_charged()
        return at, seat, move, by

    async def _until_charged(self) -> None:
        """Whoever has drivers race at many tables at once has them wait, and nobody else's."""
        while wait := self._charge([asker.address for asker in self._askers]):
            await self.sleep(wait)

    async def _in_time(self, driver: str, view: View) -> Move:
        """A driver's move, at a moment that tells nothing of his hand.

        Whoever has one card to play has thought sooner, so nobody is told how long he thought. The move comes when the
        pace is over and so is the time that such a driver has, whatever he holds; that counts from when a worker took
        it up, which depends on what others ask for. Whoever takes longer than that is heard at the next tick. Once the
        clock has run out the pace counts from then: whatever wakes the table in between does not begin it anew.
        """
        now = taken_up = self.steady()
        asked, pace = min(now, self.deadline or now), self._pace

        def begins() -> None:
            nonlocal taken_up
            taken_up = self.steady()

        async def thought() -> tuple[Move, float]:
            return await self._choose(driver, view, begins), self.steady()

        (move, ended), _ = await asyncio.gather(thought(), self.sleep(asked + pace - now))
        due = max(asked + pace, taken_up + max(time_of(driver), TICK))
        ticks = math.ceil(round(max(ended - due, 0.0) / TICK, 6))
        await self.sleep(due + ticks * TICK - self.steady())
        return move

    async def _until_due(self, seat: int) -> e.By:
        """Wait until the computer has to decide for a seat, and say as what."""
        if self.room.chairs[seat].driver:
            return "driver"
        while True:
            now = self.steady()
            deadline, away = self.deadline, self._away_from(seat)
            if away is not None and now >= away:
                return "stand-in"
            if deadline is not None and now >= deadline:
                return "clock"
            due = [when for when in (deadline, away) if when is not None]
            if not due:
                await asyncio.Event().wait()
            await self.sleep(max(min(due) - now, 0.001))

    async def _choose(self, driver: str, view: View, begins: Callable[[], None]) -> Move:
        try:
            with on_behalf_of(*self._askers):
                return await self.thinkers.choose(driver, view, begins)
        except Exception:
            log.exception("driver %s failed at table %s; another one drives on", driver, self.room.id)
            return Scorpus().choose(view)

    @property
    def _pace(self) -> float:
        pace = max(self.room.plan.pace / 1000, 0.0 if self.room.persons else self._least_pace)
        return pace if self.watched else max(pace, UNWATCHED_PACE)

    @property
    def _askers(self) -> Sequence[Asker]:
        """On whose account drivers think: those who sit here, else those who look on, else nobody's."""
        here = [one.asker._replace(urgency=Urgency.SEATED) if one.who.seats else one.asker for one in self.connections]
        if self._looked is not None and self._fresh:
            here.append(self._looked[1])
        seated = [asker for asker in here if asker.urgency is Urgency.SEATED]
        return seated or here or [Asker("", self.room.id, Urgency.UNWATCHED)]

    async def _drive(self, at: int, seat: int | None, move: Move, by: e.By) -> None:
        async with self._lock:
            if self.room.changed == at and self.room.racing:
                await self._add(self.room.moved(seat, move, by))

    @property
    def deadline(self) -> float | None:
        """When the turn of the person on turn runs out, by the steady clock."""
        room = self.room
        if room.plan.clock is None or not room.racing or room.on_turn is None or room.chairs[room.on_turn].driver:
            return None
        return self._touched + (room.plan.clock if room.left is None else room.left)

    def _compare_clocks(self) -> float:
        """How far the wall's clock is ahead of the steady one.

        It changes with a jump only: else every message would name another deadline, by microseconds.
        """
        ahead = self.clock() - self.steady()
        if abs(ahead - self._ahead) > A_JUMP:
            self._ahead = ahead
        return self._ahead

    @property
    def _moment(self) -> Moment:
        """What the log does not tell."""
        now, deadline = self.steady(), self.deadline
        gone = {seat: self._gone_from(seat) for seat in self.room.persons}
        return Moment(
            left=None if deadline is None else max(deadline - now, 0.0),
            away=self.room.persons - self.present,
            gone=frozenset(seat for seat, when in gone.items() if when is not None and now >= when),
            host_here=any(connection.who.host for connection in self.connections),
            alone=self._alone,
            unasked=frozenset(seat for seat in self.room.admission.wishes if not self._keys_to(seat, "wish")),
        )

    @property
    def _alone(self) -> bool:
        """Whether all persons who sit here are one: seats that share a key, directly or by way of others."""
        held: dict[str, set[int]] = {}
        for grant in self._held:
            if grant.role == "drive" and grant.seat is not None:
                held.setdefault(grant.key, set()).add(grant.seat)
        side = {min(self.room.persons, default=0)}
        while more := {seat for seats in held.values() if seats & side for seat in seats} - side:
            side |= more
        return self.room.persons <= side

    # ------------------------------------------------------------------ who is there

    @property
    def present(self) -> frozenset[int]:
        """Seats whose persons have the table before them."""
        return frozenset(seat for connection in self.connections for seat in connection.who.seats)

    def saw(self, seats: frozenset[int]) -> None:
        """Their person is here, or if there are no seats, somebody who looks on."""
        now, (asker, *_) = self.steady(), asking()
        self._seen.update(dict.fromkeys(seats, now))
        if not self.watched:
            self._wake.set()
        sat = self._looked is not None and self._fresh and self._looked[1].urgency is Urgency.SEATED
        if seats or not sat:  # whoever passes by does not take the account over from somebody who sits here
            self._looked = now, asker._replace(urgency=Urgency.SEATED if seats else Urgency.ASKED)

    @property
    def watched(self) -> bool:
        """Whether anybody has the table before him, or had just now."""
        return bool(self.connections) or self._fresh

    @property
    def _fresh(self) -> bool:
        return self._looked is not None and self.steady() < self._looked[0] + LOOK

    def _away_from(self, seat: int) -> float | None:
        """From when on a driver stands in for a seat's person; None: not at all, or while nobody waits for him."""
        chair, away = self.room.chairs[seat], self.room.plan.away
        if chair.driver or seat in self.present:
            return None
        if chair.free:
            return self.since
        waiting = [other for other in self.present if other != seat]
        if away is None or not waiting:
            return None
        return self._seen.get(seat, self.since) + away

    def _gone_from(self, seat: int) -> float | None:
        """From when on nobody has to wait for a seat's person before the next race begins; None: while he is here."""
        if seat in self.present:
            return None
        wait = USUAL_WAIT if self.room.plan.away is None else self.room.plan.away
        return self._seen.get(seat, self.since) + wait

    @property
    def _waits(self) -> frozenset[int]:
        return self.room.waits(self.room.persons - self.present)

    def _without_from(self, seats: frozenset[int]) -> float | None:
        """When the next race may begin without those who are away, if whoever holds these seats is ready; None: never.

        That is while somebody is here who is not ready, and when nobody is waited for.
        """
        waits = [self._gone_from(seat) for seat in self._waits - seats]
        away = [when for when in waits if when is not None]
        return max(away) if away and len(away) == len(waits) else None

    @property
    def stand_ins(self) -> frozenset[int]:
        """Seats that are driven for their persons now."""
        now = self.steady()
        aways = {seat: self._away_from(seat) for seat in range(len(self.room.chairs))}
        racing = self.room.phase == "racing"
        return frozenset(seat for seat, away in aways.items() if racing and away is not None and now >= away)

    def arrive(self, connection: Connection) -> None:
        """A connection is there."""
        before, present = self._due, self.present
        if not self.watched:
            self._wake.set()
        self.connections.append(connection)
        self._presence(before, present)

    def leave(self, connection: Connection) -> None:
        """A connection is gone."""
        if connection in self.connections:
            before, present = self._due, self.present
            self.saw(connection.who.seats)
            self.connections.remove(connection)
            self._untold.pop(connection, None)
            self._presence(before, present)

    @property
    def _due(self) -> float | None:
        """When a driver stands in for the person on turn."""
        return None if self.room.on_turn is None else self._away_from(self.room.on_turn)

    def _presence(self, before: float | None, present: frozenset[int]) -> None:
        """Tell everybody who has come or gone; now and then, for it costs as much as a move each time.

        Whether the person of a seat is here is told at once, unless he comes and goes all the time.
        """
        run_out = (deadline := self.deadline) is not None and deadline <= self.steady()
        if self._due != before and not run_out:  # then a move is being made, whoever comes and goes
            self._wake.set()
        news = self.present != present and not self._comings.take("comings", "", COMINGS)
        if news or not self._crowded.is_set():
            self.announce()
        else:
            self._crowd_changed = True
        self._crowded.set()

    async def _settle_crowd(self) -> None:
        while True:
            await self._crowded.wait()
            await self.sleep(A_CROWD)
            if self._crowd_changed:
                self._crowd_changed = False
                self.announce()
            else:
                self._crowded.clear()

    # ------------------------------------------------------------------ announcing

    def sight(self, who: Who, lifted: int | None = None) -> Sight:
        """How somebody sees the table now."""
        return self._seen_by(who, lifted, self._scene, {})

    @property
    def _scene(self) -> Sight:
        """What is the same for all who look at the table now."""
        between = self.room.phase in ("podium", "over")
        ahead, deadline = self._compare_clocks(), self.deadline
        return Sight(
            connected=self.present,
            stand_ins=self.stand_ins,
            moment=self._moment if between else UNTOLD,
            watchers=sum(not connection.who.seats for connection in self.connections),
            deadline=None if deadline is None else deadline + ahead,
            now=self.steady() + ahead,
            devices=tuple(len(self._keys_to(seat)) for seat in range(len(self.room.chairs))),
            hosts=self._hosts,
        )

    def _seen_by(
        self, who: Who, lifted: int | None, scene: Sight, without: dict[frozenset[int], float | None]
    ) -> Sight:
        """The same with somebody's eyes; `without` remembers, by seats, when the race may begin without others."""
        if who.seats not in without:
            between = self.room.phase in ("podium", "over")
            when = self._without_from(who.seats) if between else None
            without[who.seats] = None if when is None else when + self._compare_clocks()
        me = who.actor.holder
        wished = next((seat for seat, wish in self.room.admission.wishes.items() if wish.holder == me), None)
        holder = me if who.seats or who.host else ""
        return replace(
            scene,
            seats=who.seats,
            host=who.host,
            holder=holder,
            lifted=lifted,
            without_from=without[who.seats],
            wished=wished,
            banned=who.banned,
        )

    @property
    def _hosts(self) -> frozenset[int]:
        """Seats whose person is the host."""
        hosts = {grant.key for grant in self._held if grant.role == "host"}
        return frozenset(
            grant.seat
            for grant in self._held
            if grant.role == "drive" and grant.key in hosts and grant.seat is not None
        )

    def announce(self) -> None:
        """Tell everybody how the table stands; where very many see it differently, some of them a few steps later.

        Those are told once of all that has happened by then. What was lifted falls at once for everybody: a seat may
        be on turn again before its turn to be told comes.
        """
        self._crowd_changed = False
        for connection in self.connections:
            connection.let_fall()
        self._untold |= dict.fromkeys(self.connections)
        self._tell_some()

    def _tell_some(self) -> None:
        """As many as one step allows. What many see alike is put together once: watching costs linear work."""
        scene, without = self._scene, dict[frozenset[int], float | None]()
        told: dict[tuple[str, Sight], Announcement] = {}
        commons: dict[str, Common] = {}  # by language
        done = 0
        for connection in list(self._untold):
            sight = self._seen_by(connection.who, connection.lifted, scene, without)
            seen = connection.language, sight
            cost = 0 if seen in told else A_QUESTION if self._is_asked(sight) else 1
            if done + cost > SIGHTS_A_STEP:
                self._more.set()
                return
            done += cost
            del self._untold[connection]
            with speaking(connection.language):
                if seen not in told:
                    if connection.language not in commons:
                        commons[connection.language] = common_to_all(self.room)
                    told[seen] = Announcement(self.room, shown(self.room, sight, commons[connection.language]))
                connection.tell(told[seen])

    def _is_asked(self, sight: Sight) -> bool:
        eyes = sight.eyes(self.room)
        return eyes is not None and self.room.asked(eyes) is not None

    async def _tell_others(self) -> None:
        while True:
            await self._more.wait()
            self._more.clear()
            await asyncio.sleep(0)  # others are served meanwhile
            try:
                self._tell_some()
            except Exception:
                log.exception("not everybody at table %s could be told how it stands", self.room.id)

    def whole(self, who: Who) -> msg.Whole:
        """The table and its story, for somebody who asks once."""
        return msg.Whole(shown(self.room, self.sight(who)), self.room.story)

    async def rights(self, keys: Sequence[str]) -> Who:
        """What these keys (hashes) allow, at this very moment."""
        as_of, grants = -1, list[Grant]()
        while as_of != self._entitled:
            as_of = self._entitled
            grants = await self.store.rights(self.room.id, keys) if keys else []
        seats = frozenset(grant.seat for grant in grants if grant.role == "drive" and grant.seat is not None)
        roles = {grant.role for grant in grants if grant.role != "invite" or self._invites(grant.key)}
        left = frozenset(grant.seat for grant in grants if grant.role == "left" and grant.seat is not None)
        return Who(self._in_order(keys), seats, "host" in roles, "invite" in roles, left, as_of, "banned" in roles)

    def _in_order(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Somebody's keys, those first that hold a seat or the table: by them he is known here, and by no others.

        In which order a caller sends his keys is for him to choose.
        """
        placed = {grant.key for grant in self._held if grant.role in ("drive", "host")}
        return tuple(sorted(keys, key=lambda key: key not in placed))

    def _invites(self, key: str) -> bool:
        """Whether a key that is an invitation is still good."""
        return self.room.admission.invites(tag_of(key), self.clock())

    async def _now(self, who: Who) -> Who:
        return who if who.as_of == self._entitled else await self.rights(who.keys)

    def _hand_over(self, revoke: Sequence[Revoke], grants: Sequence[Grant]) -> None:
        """Rights have changed: at once no connection holds what it no longer may."""
        self._entitled += 1
        kept = {grant for grant in self._held if not any(each.ends(grant) for each in revoke)}
        self._held = kept | {grant for grant in grants if grant.role in HELD}
        for connection in self.connections:
            keys = connection.who.keys
            held = [grant for grant in self._held if grant.key in keys]
            seats = frozenset(grant.seat for grant in held if grant.role == "drive" and grant.seat is not None)
            host = any(grant.role == "host" for grant in held)
            banned = connection.who.banned or any(grant.role == "banned" and grant.key in keys for grant in grants)
            connection.who = connection.who._replace(
                keys=self._in_order(keys), seats=seats, host=host, as_of=self._entitled, banned=banned
            )

    # ------------------------------------------------------------------ questions

    def why(self, who: Who, command: msg.Why) -> msg.Reason:
        """Why a move is not allowed."""
        _, race = self._need_turn(who, command.seat)
        try:
            self.room.judged(command.move, race)
        except RefusedError as error:
            if error.status == 400:
                raise
            return reason(self.room, command, error)
        return msg.Reason(command.id, None)

    async def hint(self, who: Who, command: msg.AskHint) -> msg.Hint:
        """What the searcher would do in a seat's place, by what that seat sees."""
        chariot, race = self._need_turn(who, command.seat)
        if not self.room.plan.hints:
            raise RefusedError(say("this table is played without hints"), status=403)
        view, changed = race.view(chariot), self.room.changed
        with on_behalf_of(_asker(who)._replace(urgency=Urgency.SEATED)):
            try:
                best = (await self.thinkers.consider(view))[:HINTS]
            except ChildProcessError as error:
                raise RefusedError(say("no hint can be had just now"), status=503) from error
        moves = [
            msg.HintedMove(
                msg.move_to(one.move), narration.named(one.move, view), round(one.laurels, 3), round(one.error, 3)
            )
            for one in best
        ]
        return msg.Hint(command.id, command.seat, changed, moves)

    def _need_turn(self, who: Who, seat: int) -> tuple[int, Race]:
        if seat not in who.seats:
            raise RefusedError(say("that is not your seat"), status=403)
        if (asked := self.room.asked(seat)) is None:
            raise RefusedError(say("it is not your turn"))
        return asked


def _asker(who: Who) -> Asker:
    """On whose account somebody's errands are done; who was not told apart at the doors is so by his first key."""
    asked = asking()[0]
    return Asker(asked.address, asked.person or (who.keys[0] if who.keys else ""))


def _names_in(room: Room) -> list[tuple[tuple[str, ...], ...]]:
    """The names that the races of a table tell."""
    return [table.names for table, _ in room.games]


def _digest_of(record: Record) -> str:
    return hashlib.sha256(to_json(record)).hexdigest()


def _too_much() -> RefusedError:
    return RefusedError(say("too much happens at this table at once: try again"), status=503)


class Announcement:
    """How the table stands for some who see and hear the same, written once for all who were told as much before."""

    def __init__(self, room: Room, table: msg.TableShown) -> None:
        self._room, self._table = room, table
        self._written: dict[int, bytes] = {}  # by the last event that was told

    @property
    def number(self) -> int:
        """Of the last event that it tells of."""
        return self._table.number

    def since(self, told: int) -> bytes:
        """The message for somebody who was told so much, in the language that is spoken now."""
        if told not in self._written:
            self._written[told] = msgspec.json.encode(msg.News(self._table, self._room.told_since(told)))
        return self._written[told]


class Connection:
    """One socket: what it holds, what it has been told, and what waits to be sent."""

    def __init__(self, live: Live, who: Who, address: str = "") -> None:
        persons = [connection for connection in live.connections if set(connection.who.keys) & set(who.keys)]
        if len(persons) >= CONNECTIONS_A_PERSON:
            raise RefusedError(say("you have this table open too often"), status=429)
        self.live = live
        self.address = address
        if not (who.seats or who.host):
            self._need_room(address)
        self.who: Who = who
        self.language = spoken()
        self.asker = _asker(who)
        self.lifted: int | None = None
        self._told = -1  # the number of the last event that was told
        self._behind = True  # whether the whole table has to be sent
        self._ended = False
        self._waiting: deque[bytes] = deque()
        self._answers: deque[bytes] = deque()
        self._news = asyncio.Event()
        self._hint: asyncio.Task[None] | None = None
        live.arrive(self)

    def _need_room(self, address: str) -> None:
        """Strangers take each other's places, and nobody else's."""
        strangers = [other for other in self.live.connections if not (other.who.seats or other.who.host)]
        if len(strangers) >= STRANGERS_A_TABLE:
            raise RefusedError(say("too many people are at this table"), status=429)
        if address and sum(other.address == address for other in strangers) >= STRANGERS_OF_AN_ADDRESS:
            raise RefusedError(say("too many people from your address watch this table"), status=429)

    def let_fall(self) -> None:
        """Hide a hand whose turn is over."""
        if self.lifted is not None and self.live.room.on_turn != self.lifted:
            self.lifted = None

    def tell(self, news: Announcement) -> None:
        """The table has changed; who does not keep up gets all of it later."""
        if not self._behind:
            told, self._told = self._told, news.number
            if len(self._waiting) >= MOST_WAITING:
                self._behind = True
                self._waiting.clear()
            else:
                self._waiting.append(news.since(told))
        self._news.set()

    def start_over(self) -> None:
        """What it was told before no longer holds: it gets the whole table afresh."""
        self._behind = True
        self._waiting.clear()

    async def next(self) -> bytes:
        """The next message to be sent: answers first, then how the table stands."""
        while True:
            if self._answers:
                return self._answers.popleft()
            if self._behind:
                self._behind, self._told = False, self.live.room.number
                sight = self.live.sight(self.who, self.lifted)
                with speaking(self.language):
                    return msgspec.json.encode(msg.Whole(shown(self.live.room, sight), self.live.room.story))
            if self._waiting:
                return self._waiting.popleft()
            self._news.clear()
            await self._news.wait()

    async def command(self, command: msg.Command) -> None:
        """Do what is asked; the answer comes through `next`."""
        try:
            match command:
                case msg.Lift():
                    self._lift(command)
                case msg.Why():
                    self._need_sight(command.seat)
                    self._answer(self.live.why(self.who, command))
                case msg.AskHint():
                    self._need_sight(command.seat)
                    if self._hint is not None and not self._hint.done():
                        raise RefusedError(say("a hint is being thought about already"), status=429)
                    self._hint = asyncio.create_task(self._think(command))
                case _:
                    self._answer(await self.live.command(self.who, command))
        except RefusedError as error:
            self.refuse(command.id, error)
        except Unwell:
            self.refuse(command.id, no_tables())

    async def _think(self, command: msg.AskHint) -> None:
        try:
            self._answer(await self.live.hint(self.who, command))
        except RefusedError as error:
            self.refuse(command.id, error)
        except Exception:
            log.exception("no hint at table %s", self.live.room.id)
            self.refuse(command.id, RefusedError(say("no hint can be had just now"), status=503))

    def _need_sight(self, seat: int) -> None:
        if seat in self.who.seats and len(self.who.seats) > 1 and self.lifted != seat:
            raise RefusedError(say("lift the curtain first"))

    def _lift(self, command: msg.Lift) -> None:
        if command.seat is not None and (command.seat not in self.who.seats or len(self.who.seats) < 2):
            raise RefusedError(say("there is no curtain before that seat"), status=403)
        if command.seat is not None and command.seat != self.live.room.on_turn:
            raise RefusedError(say("it is not that seat's turn"))
        self._answer(msg.Done(command.id, self.live.room.number))
        if command.seat == self.lifted:
            return  # he has been told what there is to see
        self.lifted = command.seat
        sight = self.live.sight(self.who, self.lifted)
        self.tell(Announcement(self.live.room, shown(self.live.room, sight)))

    def refuse(self, command: str | None, error: RefusedError) -> None:
        """Say why something was not done."""
        self._answer(msg.Refused(command, error.problem, error.clause, error.pile))

    def _answer(self, answer: msg.Outgoing) -> None:
        if self._ended:
            return
        self._answers.append(msgspec.json.encode(answer))
        self._news.set()
        if len(self._answers) >= MOST_ANSWERS:
            self.end("deaf")

    def end(self, why: Ending) -> None:
        """The server ends it."""
        if not self._ended:
            self._ended = True
            with speaking(self.language):
                self._answers.append(msgspec.json.encode(msg.Bye(say(FAREWELLS[why]))))
            self._news.set()

    def close(self) -> None:
        """It is gone."""
        if self._hint is not None:
            self._hint.cancel()
        self.live.leave(self)
