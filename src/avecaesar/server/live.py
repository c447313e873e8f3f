"""A table that is being played: commands are committed, then announced; clocks run, drivers think, people come."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from avecaesar.game import Move, Race, View
from avecaesar.players import Scorpus
from avecaesar.server import events as e
from avecaesar.server import messages as msg
from avecaesar.server.fairness import Asker, Urgency, asking, on_behalf_of
from avecaesar.server.room import UNTOLD, Actor, Moment, RefusedError, Room
from avecaesar.server.shown import Sight, reason, shown
from avecaesar.server.store import Entry, Grant, Store, Taken
from avecaesar.server.thinking import Thinkers
from avecaesar.speech import say, speaking, spoken
from avecaesar.table import narration

STAND_IN = "scorpus"  # drives for whoever is away, and when the clock has run out
MOST_WAITING = 64  # messages for a slow reader; then he gets the whole table afresh
MOST_ANSWERS = 512  # to commands of his own
CONNECTIONS_A_TABLE = 64
CONNECTIONS_A_PERSON = 8
HINTS = 3
TRIES = 5  # to append to a log that other servers append to as well
Ending = Literal["closing", "deaf", "hasty"]
FAREWELLS: dict[Ending, str] = {
    "closing": "the server is closing; the table is safe",
    "deaf": "you do not read what you are answered: come again",
    "hasty": "you send too much at once",
}
USUAL_WAIT = 60.0  # seconds for somebody who is away when the next race is to begin, where no driver ever stands in
LOOK = 30.0  # seconds for which a table is watched by somebody who has asked for it over HTTP or has just left
UNWATCHED_PACE = 5.0  # seconds a move at a table that nobody watches
BREATH = 5.0  # seconds before a table that could not go on tries again

log = logging.getLogger("avecaesar.server")
T = TypeVar("T")


class Who(NamedTuple):
    """What somebody's keys allow at a table; keys are hashes here."""

    keys: tuple[str, ...]
    seats: frozenset[int]
    host: bool
    invited: bool
    as_of: int = 0  # how often rights at the table had changed

    @property
    def actor(self) -> Actor:
        """The same for the room; the first key tells persons apart."""
        return Actor(self.seats, self.host, self.keys[0][:16] if self.keys else "")


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
        )
    )


class Live:
    """One table. All changes go through `_add`, one at a time."""

    def __init__(
        self,
        room: Room,
        store: Store,
        thinkers: Thinkers,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self.room = room
        self.store = store
        self.thinkers = thinkers
        self.clock, self.sleep = clock, sleep
        self.users = 0  # who ask something of it just now
        self.since = clock()  # from when on clocks count: nobody loses time while the server is down
        self.connections: list[Connection] = []
        self._seen: dict[int, float] = {}  # by seat: when its person was last here
        self._looked: tuple[float, Asker] | None = None  # when somebody last had a look, and who; never written down
        self._entitled = 0  # how often rights have changed
        self._noted_at = room.changed  # what the lobby knows of
        self._lock = asyncio.Lock()
        self._wake = asyncio.Event()
        self._noted = asyncio.Event()
        self._running = [asyncio.create_task(self._run()), asyncio.create_task(self._note())]
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
        name = f"{who.actor.holder}:{command.id}"
        async with self._lock:
            for _ in range(TRIES):
                if (number := self.room.commands.get(name)) is not None:
                    return msg.Done(command.id, number)
                who = await self._now(who)
                if not isinstance(command, msg.Say):
                    self.saw(who.seats)
                events = self.room.decide(who.actor, command, self._moment)
                revoke = [event.seat for event in events if isinstance(event, e.Stood | e.Appointed)]
                if await self._add(events, command=name, revoke=revoke):
                    return msg.Done(command.id, self.room.number)
        raise RefusedError(say("too much happens at this table at once: try again"), status=503)

    async def sit(self, seat: int | None, name: str | None, colour: str | None, key: str) -> int:
        """Somebody takes a free seat; which one."""
        return await self._whole(self._sit_down(seat, name, colour, key))

    async def _sit_down(self, seat: int | None, name: str | None, colour: str | None, key: str) -> int:
        async with self._lock:
            return await self._take(seat, name, colour, [key])

    async def _take(self, seat: int | None, name: str | None, colour: str | None, keys: Sequence[str]) -> int:
        """Who takes a free seat has it with these keys, and nobody has it who was once promised it."""
        for _ in range(TRIES):
            events = self.room.sit(seat, name, colour)
            (taken,) = (event.seat for event in events if isinstance(event, e.Sat))
            self.saw(frozenset({taken}))
            if await self._add(events, revoke=[taken], grants=[Grant(key, taken, "drive") for key in keys]):
                return taken
        raise RefusedError(say("too much happens at this table at once: try again"), status=503)

    async def admit(self, token: str, own: str, name: str | None, colour: str | None) -> int:
        """Somebody comes with a link to a seat: the same person on another device, or who is to sit there; which."""
        return await self._whole(self._let_in(token, own, name, colour))

    async def _let_in(self, token: str, own: str, name: str | None, colour: str | None) -> int:
        async with self._lock:
            brought = await self.rights([token])
            if not (brought.seats or brought.host):
                raise RefusedError(say("this link is no longer good: ask the host for another one"), status=403)
            free = [seat for seat in sorted(brought.seats) if self.room.chairs[seat].free]
            for seat in free:
                first = seat == free[0]
                await self._take(seat, name if first else None, colour if first else None, [own, token])
            grants = [Grant(own, seat, "drive") for seat in sorted(brought.seats) if seat not in free]
            await self._grant([*grants, *([Grant(own, None, "host")] if brought.host else [])])
            self.announce()
            return min(brought.seats, default=0)

    async def entitle(self, keys: Sequence[str], grants: Callable[[Who], Sequence[Grant]]) -> None:
        """Give rights that follow from somebody's own."""
        async with self._lock:
            await self._grant(grants(await self.rights(keys)))

    async def _grant(self, grants: Sequence[Grant]) -> None:
        if grants:
            await self.store.grant(self.room.id, grants)
            self._hand_over((), grants)

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
        grants: Sequence[Grant] = (),
        revoke: Sequence[int] = (),
    ) -> bool:
        """Commit, then fold in, then announce. The command's name goes with the last event.

        False if another server was faster: what it appended is folded in, and nothing else has happened.
        """
        room, at = self.room, self.clock()
        last = len(events) - 1
        entries = [
            Entry(room.number + 1 + i, at, command if i == last else None, e.encode(event))
            for i, event in enumerate(events)
        ]
        try:
            await self.store.append(
                room.id,
                entries,
                grants=grants,
                revoke=revoke,
                live=room.phase == "racing" or any(isinstance(event, e.Begun) for event in events),
                listed=self.listed,
                summary=summary_of(room),
            )
        except Taken:
            await self._catch_up()
            return False
        except OSError as error:
            log.exception("table %s cannot be written down", room.id)
            raise RefusedError(say("this could not be written down: try again"), status=503) from error
        changed = room.changed
        for entry, event in zip(entries, events, strict=True):
            self._fold(entry, event)
        if grants or revoke:
            self._hand_over(revoke, grants)
        if room.changed != changed:
            self._wake.set()
            self._noted.set()
        self.announce()
        return True

    def _fold(self, entry: Entry, event: e.AnyEvent) -> None:
        """Fold an event in; nobody was away for longer because the race rested."""
        if isinstance(event, e.Resumed):
            for seat in range(len(self.room.chairs)):
                seen = max(self._seen.get(seat, 0.0), self.since)
                self._seen[seat] = seen + max(entry.at - max(self.room.paused_at, seen), 0.0)
        self.room.apply(entry.number, entry.at, event, entry.command)

    def note(self) -> None:
        """Let the lobby know how the table stands."""
        self._noted.set()

    async def _note(self) -> None:
        """Tell the lobby how the table stands; not before everything else, and not more often than it can be told."""
        while True:
            await self._noted.wait()
            self._noted.clear()
            await self._tell_lobby()

    async def _tell_lobby(self) -> None:
        room, changed = self.room, self.room.changed
        try:
            await self.store.append(room.id, [], live=room.goes_on, listed=self.listed, summary=summary_of(room))
            self._noted_at = changed
        except Exception:
            log.exception("the lobby cannot be told of table %s", room.id)

    async def _catch_up(self) -> None:
        """Fold in what another server appended."""
        for entry in await self.store.log(self.room.id, self.room.number):
            event = e.decode(entry.body)
            self._fold(entry, event)
            if isinstance(event, e.Stood | e.Appointed | e.Sat):
                self._hand_over([event.seat], ())
            await asyncio.sleep(0)  # others are served meanwhile
        for connection in list(self.connections):
            connection.who = await self.rights(connection.who.keys)
            connection.lifted = None
        self._wake.set()
        self.announce()

    @property
    def listed(self) -> bool:
        """Whether the lobby shows it."""
        return self.room.plan.open and self.room.phase != "over"

    # ------------------------------------------------------------------ drivers and clocks

    async def _run(self) -> None:
        """Make the moves that no person makes: the computer's, those of riderless chariots, and when time is up."""
        while True:
            self._wake.clear()
            try:
                if (decided := await self._unless_woken(self._next_move())) is not None:
                    await self._drive(*decided)
            except Exception:
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
            return at, None, table.race.legal_moves[0], "rule"
        by = await self._until_due(seat)
        view = table.view(seat)
        driver = room.chairs[seat].driver if by == "driver" else STAND_IN
        move, _ = await asyncio.gather(self._choose(driver, view), self.sleep(self._pace))
        return at, seat, move, by

    async def _until_due(self, seat: int) -> e.By:
        """Wait until the computer has to decide for a seat, and say as what."""
        if self.room.chairs[seat].driver:
            return "driver"
        while True:
            now = self.clock()
            deadline, away = self.deadline, self._away_from(seat)
            if away is not None and now >= away:
                return "stand-in"
            if deadline is not None and now >= deadline:
                return "clock"
            due = [when for when in (deadline, away) if when is not None]
            if not due:
                await asyncio.Event().wait()
            await self.sleep(max(min(due) - now, 0.001))

    async def _choose(self, driver: str, view: View) -> Move:
        try:
            with on_behalf_of(*self._askers):
                return await self.thinkers.choose(driver, view)
        except Exception:
            log.exception("driver %s failed at table %s; another one drives on", driver, self.room.id)
            return Scorpus().choose(view)

    @property
    def _pace(self) -> float:
        pace = self.room.plan.pace / 1000
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
        """When the turn of the person on turn runs out."""
        room = self.room
        if room.plan.clock is None or not room.racing or room.on_turn is None or room.chairs[room.on_turn].driver:
            return None
        return max(room.touched, self.since) + (room.plan.clock if room.left is None else room.left)

    @property
    def _moment(self) -> Moment:
        """What the log does not tell."""
        now, deadline = self.clock(), self.deadline
        gone = {seat: self._gone_from(seat) for seat in self.room.persons}
        return Moment(
            left=None if deadline is None else max(deadline - now, 0.0),
            away=self.room.persons - self.present,
            gone=frozenset(seat for seat, when in gone.items() if when is not None and now >= when),
            host_here=any(connection.who.host for connection in self.connections),
        )

    # ------------------------------------------------------------------ who is there

    @property
    def present(self) -> frozenset[int]:
        """Seats whose persons have the table before them."""
        return frozenset(seat for connection in self.connections for seat in connection.who.seats)

    def saw(self, seats: frozenset[int]) -> None:
        """Their person is here, or if there are no seats, somebody who looks on."""
        now, (asker, *_) = self.clock(), asking()
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
        return self._looked is not None and self.clock() < self._looked[0] + LOOK

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
        return max(self._seen.get(seat, 0.0), self.since) + away

    def _gone_from(self, seat: int) -> float | None:
        """From when on nobody has to wait for a seat's person before the next race begins; None: while he is here."""
        if seat in self.present:
            return None
        wait = USUAL_WAIT if self.room.plan.away is None else self.room.plan.away
        return max(self._seen.get(seat, 0.0), self.since) + wait

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
        now = self.clock()
        aways = {seat: self._away_from(seat) for seat in range(len(self.room.chairs))}
        racing = self.room.phase == "racing"
        return frozenset(seat for seat, away in aways.items() if racing and away is not None and now >= away)

    def arrive(self, connection: Connection) -> None:
        """A connection is there."""
        before = self._due
        if not self.watched:
            self._wake.set()
        self.connections.append(connection)
        self._presence(before)

    def leave(self, connection: Connection) -> None:
        """A connection is gone."""
        if connection in self.connections:
            before = self._due
            self.saw(connection.who.seats)
            self.connections.remove(connection)
            self._presence(before)

    @property
    def _due(self) -> float | None:
        """When a driver stands in for the person on turn."""
        return None if self.room.on_turn is None else self._away_from(self.room.on_turn)

    def _presence(self, before: float | None) -> None:
        if self._due != before:
            self._wake.set()
        self.announce()

    # ------------------------------------------------------------------ announcing

    def sight(self, who: Who, lifted: int | None = None) -> Sight:
        """How somebody sees the table now."""
        watchers = sum(not connection.who.seats for connection in self.connections)
        between = self.room.phase in ("podium", "over")
        sight = Sight(
            connected=self.present,
            stand_ins=self.stand_ins,
            moment=self._moment if between else UNTOLD,
            without_from=self._without_from(who.seats) if between else None,
            watchers=watchers,
            deadline=self.deadline,
            now=self.clock(),
        )
        holder = who.actor.holder if who.seats or who.host else ""
        return replace(sight, seats=who.seats, host=who.host, holder=holder, lifted=lifted)

    def announce(self) -> None:
        """Tell everybody how the table stands."""
        told: dict[tuple[str, Sight], msg.TableShown] = {}
        now: float | None = None
        for connection in self.connections:
            sight = self.sight(connection.who, connection.lifted)
            now = sight.now if now is None else now
            sight = replace(sight, now=now)
            with speaking(connection.language):
                if (connection.language, sight) not in told:
                    told[connection.language, sight] = shown(self.room, sight)
                connection.tell(told[connection.language, sight])

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
        roles = {grant.role for grant in grants}
        return Who(tuple(keys), seats, "host" in roles, "invite" in roles, as_of)

    async def _now(self, who: Who) -> Who:
        return who if who.as_of == self._entitled else await self.rights(who.keys)

    def _hand_over(self, revoke: Sequence[int], grants: Sequence[Grant]) -> None:
        """Rights have changed: at once no connection holds what it no longer may."""
        self._entitled += 1
        for connection in self.connections:
            who = connection.who
            given = [grant for grant in grants if grant.key in who.keys]
            seats = {grant.seat for grant in given if grant.role == "drive" and grant.seat is not None}
            host = who.host or any(grant.role == "host" for grant in given)
            connection.who = who._replace(seats=who.seats - set(revoke) | seats, host=host, as_of=self._entitled)

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
        asker = Asker(asking()[0].address, who.keys[0], Urgency.SEATED)
        with on_behalf_of(asker):
            best = (await self.thinkers.consider(view))[:HINTS]
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


class Connection:
    """One socket: what it holds, what it has been told, and what waits to be sent."""

    def __init__(self, live: Live, who: Who) -> None:
        persons = [connection for connection in live.connections if set(connection.who.keys) & set(who.keys)]
        if len(persons) >= CONNECTIONS_A_PERSON:
            raise RefusedError(say("you have this table open too often"), status=429)
        if len(live.connections) >= CONNECTIONS_A_TABLE:
            raise RefusedError(say("too many people are at this table"), status=429)
        self.live = live
        self.who: Who = who
        self.language = spoken()
        self.asker = Asker(asking()[0].address, who.keys[0] if who.keys else asking()[0].person)
        self.lifted: int | None = None
        self._told = -1  # the number of the last event that was told
        self._behind = True  # whether the whole table has to be sent
        self._ended = False
        self._waiting: deque[bytes] = deque()
        self._answers: deque[bytes] = deque()
        self._news = asyncio.Event()
        self._hint: asyncio.Task[None] | None = None
        live.arrive(self)

    def tell(self, table: msg.TableShown) -> None:
        """The table has changed; who does not keep up gets all of it later."""
        if self.lifted is not None and self.live.room.on_turn != self.lifted:
            self.lifted = None
        if not self._behind:
            lines = self.live.room.told_since(self._told)
            self._told = table.number
            if len(self._waiting) >= MOST_WAITING:
                self._behind = True
                self._waiting.clear()
            else:
                self._waiting.append(msgspec.json.encode(msg.News(table, lines)))
        self._news.set()

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
        self.lifted = command.seat
        self._answer(msg.Done(command.id, self.live.room.number))
        self.tell(shown(self.live.room, self.live.sight(self.who, self.lifted)))

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
