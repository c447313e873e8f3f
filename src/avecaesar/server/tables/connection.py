"""One client's connection to a table: its rights, what it has been told, and what waits to be sent."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Literal

import msgspec

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.fairness import Asker, asking
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.shapes import Unwell
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.announcing import Announcement
from avecaesar.server.tables.appending import no_tables
from avecaesar.server.tables.projection import shown
from avecaesar.server.wire import messages as msg
from avecaesar.speech import say, speaking, spoken

if TYPE_CHECKING:
    from avecaesar.server.tables.running import RunningTable

MOST_WAITING = 16  # messages for a slow reader, some 9 KB each; then he gets the whole table afresh
MOST_ANSWERS = 512  # to commands of his own
STRANGERS_A_TABLE = 64  # who only watch; those who sit there, and the host, always find a place
STRANGERS_OF_AN_ADDRESS = 32  # at one table
CONNECTIONS_A_PERSON = 8
Ending = Literal["closing", "deaf", "hasty", "erased", "crowded"]
FAREWELLS: dict[Ending, str] = {
    "closing": "the server is closing; the table is safe",
    "deaf": "you do not read what you are answered: come again",
    "hasty": "you send too much at once",
    "erased": "this table was erased by the server's operator",
    "crowded": "too many people are at this table",
}

log = logging.getLogger("avecaesar.server")


def asker_of(who: Actor) -> Asker:
    """On whose account somebody's errands are done; who was not told apart at the doors is so by his first key."""
    asked = asking()[0]
    return Asker(asked.address, asked.person or (who.keys[0] if who.keys else ""))


class Connection:
    """One socket: what it holds, what it has been told, and what waits to be sent."""

    def __init__(self, running: RunningTable, who: Actor, address: str = "") -> None:
        # By his first key, which is his own: others may have been planted on him.
        persons = [other for other in running.connections if who.keys and other.who.keys[:1] == who.keys[:1]]
        if len(persons) >= CONNECTIONS_A_PERSON:
            raise RefusedError(say("you have this table open too often"), status=429)
        self.running = running
        self.address = address
        if not who.has_place:
            self._need_room()
        self.who: Actor = who
        self.language = spoken()
        self.asker = asker_of(who)
        self.lifted: SeatNumber | None = None
        self._told = -1  # the number of the last event that was told
        self._behind = True  # whether the whole table has to be sent, as it is when he reads it
        self.starts_over = False  # whether he is told the whole table next, as all others are
        self._ended = False
        self._waiting: deque[bytes] = deque()
        self._answers: deque[bytes] = deque()
        self._news = asyncio.Event()
        self._hint: asyncio.Task[None] | None = None
        running.announcing.arrive(self)

    def _need_room(self) -> None:
        """Strangers take each other's places, and nobody else's."""
        others = [other for other in self.running.connections if other is not self and not other.who.has_place]
        if len(others) >= STRANGERS_A_TABLE:
            raise RefusedError(say("too many people are at this table"), status=429)
        if self.address and sum(other.address == self.address for other in others) >= STRANGERS_OF_AN_ADDRESS:
            raise RefusedError(say("too many people from your address watch this table"), status=429)

    def step_back(self) -> None:
        """Be a stranger from now on, if there is room for one more."""
        try:
            self._need_room()
        except RefusedError:
            self.end("crowded")

    def let_fall(self) -> None:
        """Hide a hand whose turn is over."""
        if self.lifted is not None and self.running.state.on_turn != self.lifted:
            self.lifted = None

    def tell(self, news: Announcement) -> None:
        """The table has changed; who does not keep up gets all of it later."""
        if self.starts_over:
            self.starts_over, self._told = False, news.number
            self._waiting.append(news.whole())
        elif not self._behind:
            told, self._told = self._told, news.number
            if len(self._waiting) >= MOST_WAITING:
                self._behind = True
                self._waiting.clear()
            else:
                self._waiting.append(news.since(told))
        self._news.set()

    def start_over(self) -> None:
        """What it was told before no longer holds: the next news are the whole table, written once for many."""
        self.starts_over = not self._behind
        self._waiting.clear()

    async def next(self) -> bytes:
        """The next message to be sent: answers first, then how the table stands."""
        while True:
            if self._answers:
                return self._answers.popleft()
            if self._behind:
                with speaking(self.language):
                    await self.running.prepare_story()
                    self._behind, self._told = False, self.running.state.number
                    sight = self.running.announcing.sight(self.who, self.lifted)
                    return msgspec.json.encode(msg.Whole(shown(self.running.state, sight), self.running.state.lines))
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
                    self._answer(self.running.why(self.who, command))
                case msg.AskHint():
                    self._need_sight(command.seat)
                    if self._hint is not None and not self._hint.done():
                        raise RefusedError(say("a hint is being thought about already"), status=429)
                    self._hint = asyncio.create_task(self._think(command))
                case _:
                    self._answer(await self.running.command(self.who, command))
        except RefusedError as error:
            self.refuse(command.id, error)
        except Unwell:
            self.refuse(command.id, no_tables())

    async def _think(self, command: msg.AskHint) -> None:
        try:
            self._answer(await self.running.hint(self.who, command))
        except RefusedError as error:
            self.refuse(command.id, error)
        except Exception:
            log.exception("no hint at table %s", self.running.state.id)
            self.refuse(command.id, RefusedError(say("no hint can be had just now"), status=503))

    def _need_sight(self, seat: SeatNumber) -> None:
        if seat in self.who.seats and len(self.who.seats) > 1 and self.lifted != seat:
            raise RefusedError(say("lift the curtain first"))

    def _lift(self, command: msg.Lift) -> None:
        if command.seat is not None and (command.seat not in self.who.seats or len(self.who.seats) < 2):
            raise RefusedError(say("there is no curtain before that seat"), status=403)
        if command.seat is not None and command.seat != self.running.state.on_turn:
            raise RefusedError(say("it is not that seat's turn"))
        self._answer(msg.Done(command.id, self.running.state.number))
        if command.seat == self.lifted:
            return  # he has been told what there is to see
        self.lifted = command.seat
        sight = self.running.announcing.sight(self.who, self.lifted)
        self.tell(Announcement(self.running.state, shown(self.running.state, sight)))

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
        self.running.announcing.leave(self)
