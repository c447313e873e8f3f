"""Telling everybody at a table how it stands: each what he may see, and no more often than need be."""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.rates import InMemory, Rate
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.fold_queue import FoldQueue
from avecaesar.server.tables.projection import Common, Sight, common_to_all, shown
from avecaesar.server.tables.seats import UNTOLD
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from avecaesar.server.wire.shown import TableShown
from avecaesar.speech import speaking

if TYPE_CHECKING:
    from avecaesar.server.tables.connection import Connection
    from avecaesar.server.tables.running import RunningTable

A_CROWD = 0.5  # seconds between two news of nothing but who has come or gone
COMINGS = Rate(0.5, 6)  # of people who sit here, that are told of at once: all six may come together
SIGHTS_A_STEP = 10  # different ones that are put together before others are served
ROUNDS = 5  # of the event loop from one such step to the next, at whichever table
A_STEP = 0.01  # seconds of the loop that one takes, about
A_QUESTION = 4  # as many of them is one in which somebody is asked something: two sortings take some 4 ms
A_STORY = 4  # and one with the whole story

log = logging.getLogger("avecaesar.server")


class Announcement:
    """How the table stands for some who see and hear the same, written once for all who were told as much before."""

    def __init__(self, state: TableState, table: TableShown) -> None:
        self._state, self._table = state, table
        self._written: dict[int, bytes] = {}  # by the last event that was told
        self._whole: bytes | None = None

    @property
    def number(self) -> int:
        """Of the last event that it tells of."""
        return self._table.number

    def since(self, number: int) -> bytes:
        """The message for somebody who was told so much, in the language that is spoken now."""
        if number not in self._written:
            self._written[number] = msgspec.json.encode(msg.News(self._table, self._state.story.since(number)))
        return self._written[number]

    def whole(self) -> bytes:
        """The message for somebody who is told everything afresh."""
        if self._whole is None:
            self._whole = msgspec.json.encode(msg.Whole(self._table, self._state.lines))
        return self._whole


class Announcing:
    """What everybody at one table is told, and when."""

    def __init__(self, table: RunningTable, telling: FoldQueue) -> None:
        """In `telling` all tables wait that have somebody to tell who was not told at once."""
        self._table: RunningTable = weakref.proxy(table)
        self._crowded = asyncio.Event()  # somebody has come or gone, and everybody was just told so
        self._crowd_changed = False  # since then
        self._comings = InMemory(table.steady)
        self._untold: dict[Connection, None] = {}  # who is still to be told how the table stands, as they came
        self._more = asyncio.Event()  # some of them wait for the next step
        self._telling = telling

    @property
    def _state(self) -> TableState:
        return self._table.state

    def sight(self, who: Actor, lifted: SeatNumber | None = None) -> Sight:
        """How somebody sees the table now."""
        return self._seen_by(who, lifted, self._scene, {})

    @property
    def _scene(self) -> Sight:
        """What is the same for all who look at the table now."""
        between = self._state.phase in ("podium", "over")
        ahead, deadline = self._table.presence.compare_clocks(), self._table.presence.deadline
        return Sight(
            connected=self._table.presence.present,
            stand_ins=self._table.presence.stand_ins,
            circumstances=self._table.presence.circumstances if between else UNTOLD,
            watchers=sum(not connection.who.seats for connection in self._table.connections),
            deadline=None if deadline is None else deadline + ahead,
            now=self._table.steady() + ahead,
            devices=tuple(len(self._table.rights.keys_to(seat)) for seat in self._state.seats),
            hosts=self._table.rights.host_seats,
        )

    def _seen_by(
        self,
        who: Actor,
        lifted: SeatNumber | None,
        scene: Sight,
        without: dict[frozenset[SeatNumber], float | None],
    ) -> Sight:
        """The same with somebody's eyes; `without` remembers, by seats, when the race may begin without others."""
        if who.seats not in without:
            between = self._state.phase in ("podium", "over")
            when = self._table.presence.without_from(who.seats) if between else None
            without[who.seats] = None if when is None else when + self._table.presence.compare_clocks()
        me = who.holder
        wished = next((seat for seat, wish in self._state.admission.wishes.items() if wish.holder == me), None)
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

    def announce(self) -> None:
        """Tell everybody how the table stands; where very many see it differently, some of them a few steps later.

        Those are told once of all that has happened by then. What was lifted falls at once for everybody: a seat may
        be on turn again before its turn to be told comes.
        """
        self._crowd_changed = False
        for connection in self._table.connections:
            connection.let_fall()
        self._untold |= dict.fromkeys(self._table.connections)
        self._tell_some()

    def _tell_some(self) -> None:
        """As many as one step allows. What many see alike is put together once: watching costs linear work.

        Whoever sees what has been put together already is told in the same step.
        """
        scene, without = self._scene, dict[frozenset[SeatNumber], float | None]()
        told: dict[tuple[str, Sight], Announcement] = {}
        commons: dict[str, Common] = {}  # by language
        done = 0
        for connection in self._by_turns():
            sight = self._seen_by(connection.who, connection.lifted, scene, without)
            seen = connection.language, sight
            cost = 0 if seen in told else A_QUESTION if self._is_asked(sight) else 1
            cost += A_STORY if connection.starts_over and cost else 0
            if done + cost > SIGHTS_A_STEP:
                self._more.set()
                continue
            done += cost
            del self._untold[connection]
            with speaking(connection.language):
                if seen not in told:
                    if connection.language not in commons:
                        commons[connection.language] = common_to_all(self._state)
                    told[seen] = Announcement(self._state, shown(self._state, sight, commons[connection.language]))
                connection.tell(told[seen])

    def _by_turns(self) -> list[Connection]:
        """Who is still to be told: players before strangers, and each player once before anybody's second device."""
        devices = Counter[frozenset[SeatNumber]]()

        def turn(connection: Connection) -> tuple[bool, int]:
            devices[connection.who.seats] += 1
            return not connection.who.has_place, devices[connection.who.seats]

        return sorted(self._untold, key=turn)

    def _is_asked(self, sight: Sight) -> bool:
        eyes = sight.eyes(self._state)
        return eyes is not None and self._state.asked(eyes) is not None

    async def tell_others(self) -> None:
        """For ever: tell those whose turn to be told has not come, a few at a step, and one table after the other.

        Each step is on the account of those who sit here: who has many tables keeps nobody else's waiting.
        """
        while True:
            await self._more.wait()
            async with self._telling.take(self._state.id, self._table.presence.askers, A_STEP) as turn:
                turn.spent = A_STEP
                for _ in range(ROUNDS):
                    await asyncio.sleep(0)  # others are served meanwhile
                self._more.clear()
                try:
                    self._tell_some()
                except Exception:
                    log.exception("not everybody at table %s could be told how it stands", self._state.id)

    def arrive(self, connection: Connection) -> None:
        """A connection is there."""
        before, present = self._table.presence.due, self._table.presence.present
        if not self._table.presence.watched:
            self._table.wake.set()
        self._table.connections.append(connection)
        self._tell_of_presence(before, present)

    def leave(self, connection: Connection) -> None:
        """A connection is gone."""
        if connection in self._table.connections:
            before, present = self._table.presence.due, self._table.presence.present
            self._table.presence.saw(connection.who.seats)
            self._table.connections.remove(connection)
            self._untold.pop(connection, None)
            self._tell_of_presence(before, present)

    def _tell_of_presence(self, before: float | None, present: frozenset[SeatNumber]) -> None:
        """Tell everybody who has come or gone; now and then, for it costs as much as a move each time.

        Whether the person of a seat is here is told at once, unless he comes and goes all the time.
        """
        run_out = (deadline := self._table.presence.deadline) is not None and deadline <= self._table.steady()
        if self._table.presence.due != before and not run_out:  # then a move is being made, whoever comes and goes
            self._table.wake.set()
        news = self._table.presence.present != present and not self._comings.take("comings", "", COMINGS)
        if news or not self._crowded.is_set():
            self.announce()
        else:
            self._crowd_changed = True
        self._crowded.set()

    async def settle_crowd(self) -> None:
        """For ever: tell who has come and gone since it was last told."""
        while True:
            await self._crowded.wait()
            await self._table.sleep(A_CROWD)
            if not self._crowd_changed:
                self._crowded.clear()
                continue
            self._crowd_changed = False
            try:
                self.announce()
            except Exception:
                log.exception("not everybody at table %s could be told who is there", self._state.id)
