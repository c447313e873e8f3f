"""A table that is being played: commands are committed, then announced. Its helpers do the rest, each a module.

They hold it weakly: a table that falls asleep is gone at once, without Python's collector, which looks rarely.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar

from avecaesar.game import Race
from avecaesar.game.numbers import ChariotNumber, SeatNumber
from avecaesar.server.fairness import Asker, Urgency, asking, on_behalf_of
from avecaesar.server.ready import Room, no_room
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.database import Store
from avecaesar.server.store.shapes import HELD, Blank, Grant, LogEntry, Revoke, Taken
from avecaesar.server.tables import decisions, erasable_words
from avecaesar.server.tables import events as e
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.admission import tag_of
from avecaesar.server.tables.announcing import Announcing
from avecaesar.server.tables.appending import TRIES, too_much
from avecaesar.server.tables.connection import Connection, asker_of
from avecaesar.server.tables.driving import Driving
from avecaesar.server.tables.erasing import Erasing
from avecaesar.server.tables.fold_queue import A_STEP, FoldQueue, TimeSlice
from avecaesar.server.tables.hidden_moves import Veil
from avecaesar.server.tables.keyring import Keyring
from avecaesar.server.tables.listing import listing_of
from avecaesar.server.tables.presence import Presence
from avecaesar.server.tables.projection import reason, shown
from avecaesar.server.tables.rights import Rights, RightsChange
from avecaesar.server.tables.seating import Seating
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from avecaesar.server.workers.pool import Thinkers
from avecaesar.speech import say, speaking
from avecaesar.telling import narration

MOST_HINTS = 3  # moves that a hint tells of, the best first
FOR_GOOD = msg.HandOn | msg.Ban | msg.CloseTable | msg.EraseWords  # cannot be undone
GOES_ON = msg.MakeMove | msg.Resume | msg.Stand | msg.Moderation  # is written down however little room there is

T = TypeVar("T")


class RunningTable:
    """One table. All changes go through `add`, one at a time."""

    def __init__(
        self,
        state: TableState,
        store: Store,
        thinkers: Thinkers,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
        steady: Callable[[], float] = time.monotonic,
        held: Sequence[Grant] = (),
        count: Callable[[str, bool, int], float] = lambda seat, said, folded: 0.0,
        keys: Keyring | None = None,
        least_pace: float = 0.0,
        charge: Callable[[Sequence[str]], float] = lambda addresses: 0.0,
        room: Room | None = None,
        telling: FoldQueue | None = None,
        folding: FoldQueue | None = None,
    ) -> None:
        """The log and the page go by `clock`, the wall's, which may jump; what runs out goes by the steady one.

        `held` are the rights to drive its seats, to be its host, and to be asked about. `least_pace` are the seconds
        that a move takes at least while no person sits in the race. `charge` counts a move that the computer makes to
        one of the addresses that watch it, or tells how many seconds it has to wait. `room` is what the disk has.
        `telling` and `folding` are shared by all tables, which tell a crowd and fold their logs by turns.
        """
        self.state = state
        self.count = count  # of what a seat or a person says, does beside moves, and has folded: the seconds to wait
        self.store = store
        self.room = room or Room(store, steady)
        self.keys = keys or Keyring.in_memory()  # what a secret is sealed with before it is written down
        self.thinkers = thinkers
        self.clock, self.sleep, self.steady = clock, sleep, steady
        self.users = 0  # who ask something of it just now
        self.connections: list[Connection] = []
        self.lock = asyncio.Lock()
        self.wake = asyncio.Event()
        self.rights = Rights(self, held)
        self.presence = Presence(self)
        self.announcing = Announcing(self, FoldQueue(1) if telling is None else telling)
        self._folding = FoldQueue(1) if folding is None else folding
        self.seating, self.erasing = Seating(self), Erasing(self)
        self.driving = Driving(self, least_pace, charge)
        works = (self.driving.run(), self.announcing.settle_crowd(), self.announcing.tell_others())
        self._running = [asyncio.create_task(work) for work in works]
        self._tasks: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """Let go of the table; everything is in its log."""
        for connection in list(self.connections):
            connection.end("closing")
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, *self._tasks, return_exceptions=True)

    @property
    def idle(self) -> bool:
        """Whether nobody would miss it if it were forgotten until somebody asks for it."""
        return not (self.connections or self.users or self._tasks or self.state.goes_on or self.lock.locked())

    async def command(self, who: Actor, command: msg.Logged) -> msg.Done:
        """Carry a command out. Idempotent: one that comes again with its old id is only answered again."""
        return await self.shielded(self._carry_out(who, command))

    async def _carry_out(self, who: Actor, command: msg.Logged) -> msg.Done:
        short = not isinstance(command, GOES_ON) and await self.room.is_short()
        async with self.lock:
            for _ in range(TRIES):
                names = [f"{tag_of(key)}:{command.id}" for key in who.keys]  # rights may have changed since the first
                if done := [self.state.commands[name] for name in names if name in self.state.commands]:
                    return msg.Done(command.id, done[0])
                who = await self.rights.as_of_now(who)
                name = f"{who.holder}:{command.id}"
                if not isinstance(command, msg.Say):
                    self.presence.saw(who.seats)
                if isinstance(command, FOR_GOOD):
                    self.rights.need_host_himself(who)
                events = self.rights.with_seats_of_banned(
                    decisions.decide(self.state, who, command, self.presence.circumstances)
                )
                self._need_quota(who, command)
                following = self.rights.following(events, who)
                self._need_room(command, short, events, following)
                erasing = await self.erasing.following(events)
                if await self.add(events, command=name, holder=who.holder, **following, **erasing):
                    return msg.Done(command.id, self.state.number)
        raise too_much()

    def _need_room(
        self, command: msg.Logged, short: bool, events: Sequence[e.AnyEvent], following: RightsChange
    ) -> None:
        """A full log or disk takes what ends a right: as nobody gets any more of them there, that is finite."""
        if isinstance(command, GOES_ON):
            return
        if isinstance(command, decisions.ENDS_RIGHTS) and self._fewer(events, following):
            return
        if short:
            raise no_room()
        decisions.need_room_in_log(self.state)

    def _fewer(self, events: Sequence[e.AnyEvent], following: RightsChange) -> bool:
        """Whether there are fewer rights afterwards, or fewer links."""
        held, links = self.rights.held, self.state.admission.copy()
        left = {grant for grant in held if not any(each.ends(grant) for each in following["revoke"])}
        for event in events:
            links.apply(event, self.clock())
        return len(left.union(following["grants"])) < len(held) or len(links.links) < len(self.state.admission.links)

    def _need_quota(self, who: Actor, command: msg.Logged) -> None:
        """Logs do not grow without end, are not folded anew without end, and nobody talks others down.

        All devices on a seat are counted as one, but where one ends what others may do: there each has its own count.
        """
        seat, said = str(min(who.seats, default="host")), isinstance(command, msg.Say)
        counted = who.holder if isinstance(command, decisions.ENDS_RIGHTS) else seat
        folded = self.state.number + 1 if isinstance(command, msg.EraseWords) else 0
        if not isinstance(command, msg.MakeMove) and self.count(counted, said, folded):
            problem = say("so many words: take a breath first") if said else say("so much at once: take a breath first")
            raise RefusedError(problem, status=429)

    async def shut(self) -> None:
        """The operator closes the table for good, unless it is closed already."""
        await self.shielded(self._shut())

    async def _shut(self) -> None:
        async with self.lock:
            for _ in range(TRIES):
                if self.state.closed or await self.add([e.Closed()]):
                    return
        raise too_much()

    async def erased(self) -> None:
        """There is no such table any more: whoever is connected is told so."""
        for connection in list(self.connections):
            connection.end("erased")
        await self.close()

    def turns(self, events: int) -> AbstractAsyncContextManager[TimeSlice]:
        """To fold so many events of the log in."""
        return self._folding.take(self.state.id, self._who_wait, events * A_STEP)

    @property
    def _who_wait(self) -> list[Asker]:
        """Whoever asks for something, and those who sit here: they wait for the lock as well."""
        return [*asking(), *(asker for asker in self.presence.askers if asker.urgency is Urgency.SEATED)]

    async def shielded(self, work: Coroutine[Any, Any, T]) -> T:
        """Shield work from cancellation: it goes on to its end even if whoever asked for it is gone."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def add(
        self,
        events: Sequence[e.AnyEvent],
        *,
        command: str | None = None,
        holder: str | None = None,
        grants: Sequence[Grant] = (),
        revoke: Sequence[Revoke] = (),
        blank: Sequence[Blank] = (),
        retagged: Sequence[LogEntry] = (),
        state: TableState | None = None,
    ) -> bool:
        """Fold into a twin of the state, commit, take the twin's place, announce: nobody sees what is not committed.

        The command's name goes with the last event. `holder` has written what is written in them. Words that are
        blanked are gone with the same commit, and `state` is the table without them. False if another server was
        faster: what it appended is folded in, and nothing else has happened.
        """
        if state is not None:
            await self._prepare(state)
        after, at = state or self.state.twin(), self.clock()
        happened = after.happen(events, at, command, self.keys.encrypt)
        entries = self._written(happened, at, command, holder)
        try:
            with on_behalf_of(*self._who_wait):
                # Nobody is told of these: after a crash in between one person has two tags, and it is done again.
                await self.store.retag(after.id, [entry for entry in retagged if not entry.body])
                await self.store.append(
                    after.id,
                    entries,
                    listing_of(after),
                    grants=grants,
                    revoke=revoke,
                    blank=blank,
                    retagged=[entry for entry in retagged if entry.body],
                )
        except Taken:
            await self._catch_up()
            return False
        except LookupError:
            raise RefusedError(say("there is no such table"), status=404) from None
        except OSError as error:  # which the store has logged, once for all tables
            raise RefusedError(say("this could not be written down: try again"), status=503) from error
        changed = self.state.changed
        self._go_on_with(after, happened)
        if blank:
            for connection in self.connections:
                connection.start_over()
        if grants or revoke:
            self.rights.hand_over(revoke, grants)
        if after.changed != changed:
            self.wake.set()
        roles = {grant.role for grant in grants} | {each.role for each in revoke}
        if happened or blank or roles & set(HELD):  # else nobody sees a difference
            self.announcing.announce()
        return True

    def _writer(self, event: e.AnyEvent, holder: str | None) -> str | None:
        """Whose the words of an event are: whoever takes a chariot over in mid-race goes by its name, not by his."""
        return None if isinstance(event, e.Sat) and not self.state.may_be_renamed else holder

    def _written(
        self, events: Sequence[e.AnyEvent], at: float, command: str | None, holder: str | None
    ) -> list[LogEntry]:
        """Events as the log keeps them."""
        last, veil = len(events) - 1, Veil(*self.state.secrets)
        return [
            erasable_words.written(
                self.state.number + 1 + i,
                at,
                command if i == last else None,
                veil.encrypt(event),
                self._writer(event, holder),
            )
            for i, event in enumerate(events)
        ]

    def _go_on_with(self, state: TableState, happened: Sequence[e.AnyEvent]) -> None:
        """The state after these events, which are committed."""
        goes_on = state.touched != self.state.touched
        self.state = state
        self.presence.follow(happened, goes_on)

    async def rekey(self, name: str) -> None:
        """What the state has of sealed cards is encrypted with another key now."""
        async with self.lock:  # or a twin could take its place that does not know
            self.state.rekey(name)

    async def _catch_up(self) -> None:
        """Fold in what another server appended."""
        after, happened, veil = self.state.twin(), list[e.AnyEvent](), Veil(*self.state.secrets)
        for entry in await self.store.log(after.id, after.number):
            event = erasable_words.read(entry)
            event = veil.decrypt(self.keys.decrypt(event) if isinstance(event, e.Sealed) else event)
            after.apply(entry.number, entry.at, event, entry.command)
            happened.append(event)
            if isinstance(event, e.Stood | e.Appointed | e.Sat):
                self.rights.hand_over(self.rights.all_rights_to(event.seat), ())
            await asyncio.sleep(0)  # others are served meanwhile
        self._go_on_with(after, happened)
        self.rights.held = set(await self.store.holders(self.state.id))
        self.rights.changes += 1
        for connection in list(self.connections):
            connection.who = await self.rights.of(connection.who.keys)
            connection.lifted = None
        self.wake.set()
        self.announcing.announce()

    async def whole(self, who: Actor) -> msg.Whole:
        """The table and its story, for somebody who asks once."""
        await self.prepare_story()
        while who.as_of != self.rights.changes:  # they were voided meanwhile, perhaps
            who = await self.rights.of(who.keys)
            await self.prepare_story()
        return msg.Whole(shown(self.state, self.announcing.sight(who)), self.state.lines)

    async def prepare_story(self) -> None:
        """Have the story put into words in the language that is spoken now, also of what happens meanwhile."""
        story = None
        while story is not self.state.story:
            story = self.state.story
            await story.prepare()

    async def _prepare(self, state: TableState) -> None:
        """Have a state's story put into words in all languages that are spoken here."""
        for language in {connection.language for connection in self.connections}:
            with speaking(language):
                await state.story.prepare()

    def why(self, who: Actor, command: msg.Why) -> msg.Reason:
        """Why a move is not allowed."""
        _, race = self._need_turn(who, command.seat)
        try:
            decisions.need_legal(self.state, command.move, race)
        except RefusedError as error:
            if error.status == 400:
                raise
            return reason(self.state, command, error)
        return msg.Reason(command.id, None)

    async def hint(self, who: Actor, command: msg.AskHint) -> msg.Hint:
        """What the searcher would do in a seat's place, by what that seat sees."""
        chariot, race = self._need_turn(who, command.seat)
        if not self.state.plan.hints:
            raise RefusedError(say("this table is played without hints"), status=403)
        view, changed = race.view(chariot), self.state.changed
        with on_behalf_of(asker_of(who)._replace(urgency=Urgency.SEATED)):
            try:
                best = (await self.thinkers.consider(view))[:MOST_HINTS]
            except ChildProcessError as error:
                raise RefusedError(say("no hint can be had just now"), status=503) from error
        moves = [
            msg.HintedMove(one.move, narration.named(one.move, view), round(one.laurels, 3), round(one.error, 3))
            for one in best
        ]
        return msg.Hint(command.id, command.seat, changed, moves)

    def _need_turn(self, who: Actor, seat: SeatNumber) -> tuple[ChariotNumber, Race]:
        if seat not in who.seats:
            raise RefusedError(say("that is not your seat"), status=403)
        if (asked := self.state.asked(seat)) is None:
            raise RefusedError(say("it is not your turn"))
        return asked
