"""A server, its tables, everybody who comes there, and who sees that all is well: what fuzzing is made of.

A world has a few tables of every kind at a time. Each step somebody sends something (`fuzz_people.py`), or several do
at once; time passes, sockets open and close, the operator closes a table, the server starts anew. After each message
all that must hold is looked at (`fuzz_oracles.py`).
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.http.gatekeeper import COOKIE, JSON
from avecaesar.server.http.routes.operation import Operation
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables import decisions
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from fuzz_oracles import (
    Complaints,
    Database,
    Found,
    Rights,
    Tail,
    names_of,
    need,
    need_alike_to_all,
    need_authority,
    need_own_hands,
    need_record,
    need_same_after_restart,
)
from fuzz_people import BY_NAME, Message, People, Place, board_text
from grammar import written
from inprocess import Answer, InProcess, Wire, heard, repeatable

TABLES = 4  # at a time
WIRES = 3  # to a table at a time
VIEWS_EVERY = 60  # events of a table: then everybody's view of it is compared, too
LOOKED_AT = 0.05  # of the frames that a wire gets are read as a page reads them
QUICK = {"seats": [{"kind": "here"}] * 2, "options": {"race_ends": "first_home"}}  # so that every run sees its end
LONGEST_ANSWER = 120.0  # seconds
AS_IT_SHOULD_BE = 200, 201, 202, 304
NEVER = 500, 501, 502, 503
FORGET = "POST /api/forget"


@dataclass
class Report:
    """What came of so many messages."""

    sent: Counter[str] = field(default_factory=Counter)  # by kind of message
    decoded: Counter[str] = field(default_factory=Counter)
    decided: Counter[str] = field(default_factory=Counter)  # reached the table's decisions with a valid key
    accepted: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)  # by status
    seen: Counter[str] = field(default_factory=Counter)  # whatever else is worth knowing
    tables: Counter[str] = field(default_factory=Counter)  # messages by edition and phase of their table

    def __iadd__(self, other: Report) -> Report:
        for name, counted in vars(other).items():
            getattr(self, name).update(counted)
        return self

    @property
    def messages(self) -> int:
        return self.sent.total()


class World:
    """A server, its tables and everybody who comes there."""

    def __init__(self, folder: Path, seed: str) -> None:
        self.seed = seed
        self.source = random.Random(seed)
        self.server = InProcess(folder, seed)
        self.report = Report()
        self.people = People(self.source, self.server)
        self.complaints = Complaints()
        self._decisions = 0

    # ------------------------------------------------------------------ running

    async def run(self, messages: int) -> Report:
        """Let so many messages come."""
        self.server.loop.set_exception_handler(self._stray)
        await self.server.open()
        self.database = Database(self.server.file)
        try:
            with self._watching():
                while self.report.messages < messages:
                    await self._fill_up()
                    for message in await self._step():
                        self._count(message)
                    self.complaints.need_none()
                for place in list(self.people.places):
                    await self._retire(place)
                await self._go_on()
                self.complaints.need_none()
        except Exception as error:
            error.add_note(f"after message {self.report.messages} of the run {self.seed!r}")
            raise
        finally:
            self.database.close()
            await self.server.close()
        return self.report

    def _stray(self, loop: object, context: dict[str, Any]) -> None:
        self.complaints.heard.append(f"{context.get('message')}: {context.get('exception')!r}")

    @contextmanager
    def _watching(self) -> Iterator[None]:
        """Count who reaches the table's decisions with a valid key, and hear what is logged."""
        decide, world = decisions.decide, self

        def counting(state: TableState, actor: Actor, *rest: Any) -> Any:
            world._decisions += bool(actor.seats or actor.host)
            return decide(state, actor, *rest)

        watched = [logging.getLogger(name) for name in ("avecaesar.server", "asyncio")]
        for logger in watched:
            logger.addHandler(self.complaints)
        decisions.decide = counting  # type: ignore[assignment]
        try:
            yield
        finally:
            decisions.decide = decide
            for logger in watched:
                logger.removeHandler(self.complaints)

    async def _step(self) -> list[Message]:
        """Something happens: time passes, somebody comes or goes, or sends something; several at once, now and then."""
        source = self.source
        places = source.choices(self.people.places, k=2)
        place = places[self._waits_for_driver(places[0])]  # more often one that waits for a person
        if place.messages > place.until or (self._deserted(place) and source.random() < 0.1):
            await self._retire(place)
            return []
        if source.random() < (0.5 if self._waits_for_driver(place) else 0.01):
            await self._let_pass(source.choice((0.8, 0.8, 0.8, 6.0)))
        if source.random() < 0.04:
            await self._befall(place)
            return []
        many = source.choice((2, 3, 5)) if source.random() < 0.06 else 1
        wires = set[int]()
        sent = list[Message]()
        before, held = self.database.tail(), self.database.held(place.table)
        for _ in range(many):
            message = self.people.anything(place)
            if message.wire is not None and id(message.wire) in wires:
                continue  # one at a time by each wire, so that it is known what an answer answers
            wires.add(id(message.wire))
            self._send(message)
            for other in sent:
                if message.names & other.names:  # one of them is carried out, under a name of both
                    message.known = other.known = True
            sent.append(message)
            place.messages += 1
        self._decisions = 0
        await self.server.settle()
        if packed := {message.task for message in sent if message.task is not None and not message.task.done()}:
            await asyncio.wait(packed, timeout=LONGEST_ANSWER)  # in a thread: what is large, for whoever can unpack it
        try:
            self.complaints.need_none()
            for message in sent:
                self._hear(message)
            self._judge(place, sent, before, held)
        except Found as found:
            found.add_note("\n".join(f"{one.kind} -> {one.answered}: {one.text[:1500]}" for one in sent))
            raise
        return sent

    def _count(self, message: Message) -> None:
        report = self.report
        report.sent[message.kind] += 1
        report.decoded[message.kind] += message.decodes
        report.accepted[message.kind] += message.accepted
        report.answers[message.answered] += 1

    # ------------------------------------------------------------------ judging

    def _judge(self, place: Place, sent: list[Message], before: Tail, held: int) -> None:
        tail, living = self.database.tail(), self.people.state(place)
        alone = len(sent) == 1
        self.report.decided[sent[0].kind if alone else "several at once"] += min(self._decisions, len(sent))
        if living is not None:
            self.report.tables[f"{living.plan.edition}, {'closed' if living.closed else living.phase}"] += len(sent)
        forgotten = {key for one in sent if one.kind == FORGET and one.accepted for key in one.keys}
        for message in sent:
            need(message.decodes or not message.accepted, "what cannot be read was carried out:", message.text)
            need(message.answered != "nothing", "there was no answer")
            if isinstance(message.command, msg.Logged):
                self._judge_command(place, message, forgotten)
            if message.accepted and message.command is not None and not message.known:
                need_authority(message.command, message.rights if alone else self._rights_meanwhile(message, sent))
        if not any(message.accepted for message in sent):
            need(tail == before, "what was refused has changed the logs or the rights:", before, tail)
            need(self.database.held(place.table) == held, "what was refused has taken rights away")
            return
        if living is not None:
            self._compare(place, living)

    def _rights_meanwhile(self, message: Message, sent: list[Message]) -> Rights:
        """What somebody's keys allowed at any moment of a step: before, after, and while he sat down in between."""
        assert message.place is not None
        sat = [other.gained for other in sent if not set(message.keys).isdisjoint(other.keys)]
        now = self.database.rights(message.place.table, message.keys)
        return message.rights | now | Rights(frozenset().union(*sat), False)

    def _judge_command(self, place: Place, message: Message, forgotten: set[str]) -> None:
        """It stands in the log under its sender's name if it was carried out, and only then.

        A sender who asked to be forgotten at the same moment stands there under a random tag instead of his own.
        """
        assert isinstance(message.command, msg.Logged)
        names = message.names
        if message.accepted:
            assert message.number is not None
            logged = self.database.command_at(place.table, message.number)
            renamed = not forgotten.isdisjoint(message.keys) and f"{logged}".endswith(f":{message.command.id}")
            need(logged in names or renamed, "the log has no command", *names)
        else:
            done = any(self.database.done(place.table, name) for name in names)
            need(message.known or not done, "refused, and in the log:", *names)

    def _compare(self, place: Place, living: TableState) -> None:
        """The log folds to the table; everybody's views are compared now and then, for they are dear."""
        folded = place.shadow.catch_up(self.database, living, self.server.house.keys)
        self.report.seen["events folded anew and compared"] += folded
        if living.number - place.compared >= VIEWS_EVERY and place.shadow.state is not None:
            place.compared = living.number
            need_alike_to_all(living, place.shadow.state)
            self.report.seen["tables compared as everybody sees them"] += 1
        if living.game >= 0:
            over = (living.game, living.races_over(living.game))
            if over[1] and over != place.verified:
                place.verified = over
                self.report.seen["races verified by the referee"] += 1
                need_record(living, living.game)

    # ------------------------------------------------------------------ sending and hearing

    def _send(self, message: Message) -> None:
        place = message.place
        if place is not None:
            message.rights = self.database.rights(place.table, message.keys)
            if isinstance(message.command, msg.Logged):
                message.names = names_of(message.keys, message.command)
                message.known = any(self.database.done(place.table, name) for name in message.names)
        if message.wire is not None:
            message.wire.frames.clear()
            message.wire.say(self._as_frame(message))

    def _as_frame(self, message: Message) -> str | bytes:
        return message.text if message.text.isprintable() or self.source.random() < 0.98 else message.text.encode()

    def _hear(self, message: Message) -> None:
        if message.wire is not None:
            self._hear_wire(message, message.wire)
            return
        assert message.task is not None
        need(message.task.done(), "a request was never answered")
        answer = message.task.result()
        need(answer.status not in NEVER, "status", answer.status, answer.body[:500])
        message.answered = f"HTTP {answer.status}" if answer.status else "gone"
        message.accepted = answer.status in AS_IT_SHOULD_BE
        if message.operation is not None and answer.status:
            self._learn(message, message.operation, answer)

    def _hear_wire(self, message: Message, wire: Wire) -> None:
        message.answered = "nothing"
        for text in wire.frames:
            frame = heard(text)
            if frame.kind not in ("news", "whole"):
                need(message.answered == "nothing" or frame.kind == "bye", "two answers to one message:", text)
                message.answered = f"socket {frame.kind}"
                message.accepted = frame.kind in ("done", "reason", "hint")
                message.number = frame.number
            elif self.source.random() < LOOKED_AT and message.place is not None:
                msgspec.json.decode(text, type=msg.Outgoing)  # has the shape that its manual tells of
                seen = msgspec.json.decode(text)["table"]
                if seen["number"] == self.database.last(message.place.table):  # rights are those of now
                    need_own_hands(seen, self.database.rights(message.place.table, wire.keys))

    def _learn(self, message: Message, operation: Operation, answer: Answer) -> None:
        """Remember keys and links that were given out; see that the answer is one that the manual tells of."""
        general = (403, 404, 405, 413, 415, 429) if answer.status != operation.status else ()
        told = (operation.status, *operation.refuses, 304, *general)
        what = answer.status, answer.body[:500]
        need(answer.status in told, operation.path, "answers", *what, "which its manual does not tell")
        cookie = answer.headers.get("set-cookie", "")
        if cookie.startswith(f"{COOKIE}="):
            self.people.know(cookie.split(";")[0].partition("=")[2])
        if not message.accepted or answer.headers.get("content-type") != JSON:
            return
        body = msgspec.json.decode(answer.body)
        match operation.name:
            case "command":
                message.number = body.get("number")
            case "lay":
                self.people.know(body["token"])
                self.people.places.append(
                    Place(body["table"], self.source.choice((100, 300, 600, 1200) if self.people.places else (1200,)))
                )
                if body["invitation"]:
                    self.people.places[-1].tokens.append(body["invitation"].partition("#")[2])
            case "sit" | "take_over":
                self.people.know(body["token"])
                if operation.name == "sit":
                    message.gained = frozenset({body["seat"]})
            case "link" if message.place is not None:
                message.place.tokens.append(body["link"].partition("#")[2])
            case "table" if message.place is not None:
                now = self.database.rights(message.place.table, message.keys)  # he may have been handed the table
                need_own_hands(body["table"], message.rights | now)
            case "upload_board":
                self.people.board = body["board"]

    # ------------------------------------------------------------------ what happens besides

    async def _fill_up(self) -> None:
        """Lay tables of all kinds until there are enough; the first of a run has a board of somebody's own."""
        while len(self.people.places) < TABLES:
            if self.people.board is None:
                headers = [(b"content-type", b"text/plain")]
                task = self.server.ask("POST", "/api/boards", b"", headers, board_text().encode())
                await self.server.settle()
                self.people.board = msgspec.json.decode(task.result().body)["board"]
            plan = self.people.playable() if self.report.seen["tables laid"] else QUICK
            operation = BY_NAME["lay"]
            message = Message("lay", True, operation=operation)
            headers = [(b"content-type", JSON.encode()), *self.people.headers(())]
            message.task = self.server.ask("POST", "/api/tables", b"", headers, written(plan))
            await self.server.settle()
            self._hear(message)
            need(message.accepted, "a table cannot be laid:", plan, message.answered)
            self._count(message)
            self.report.seen["tables laid"] += 1

    def _deserted(self, place: Place) -> bool:
        """Whether nobody is left whose moves are awaited: drivers would race on among themselves."""
        state = self.people.state(place)
        return state is not None and state.phase == "racing" and not state.persons

    def _waits_for_driver(self, place: Place) -> bool:
        state = self.people.state(place)
        return state is not None and state.racing and state.on_turn not in state.persons

    async def _let_pass(self, seconds: float) -> None:
        self.server.hours.pass_by(seconds)
        await self._go_on()

    async def _go_on(self) -> None:
        """Let drivers do what they were about to do, and compare what came of it."""
        await self.server.settle()
        for place in self.people.places:
            living, folded = self.people.state(place), place.shadow.state
            if living is not None and (folded is None or folded.number != living.number):
                self._compare(place, living)
            for wire in place.wires:
                wire.frames.clear()
            place.wires = [wire for wire in place.wires if wire.open]

    async def _befall(self, place: Place) -> None:
        """What no message brings about: people come and go, do not listen, time flies, the operator does something."""
        source, house, table = self.source, self.server.house, place.table
        match source.choices(
            ("come", "go", "deaf", "days", "minutes", "nap", "restart", "ban", "shut"),
            (30, 8, 0.5, 0.5, 3, 1.5, 0.2, 1, 0.6),
        )[0]:
            case "come" if len(place.wires) < WIRES:
                await self._come(place)
            case "go" if place.wires:
                source.choice(place.wires).hang_up()
            case "deaf" if place.wires:
                await self._turn_a_deaf_ear(place)
            case "days":
                await self._let_pass(source.choice((25, 8 * 24)) * 3600.0)
            case "minutes":
                await self._let_pass(100.0)
            case "nap":
                await house.waking.nap()
            case "restart":
                await self._restart()
            case "ban":
                await self._operate(house.ban(table, SeatNumber(source.randrange(6))))
            case "shut" if place.messages > place.until / 2:
                await self._operate(house.shut(table))
        await self._go_on()

    async def _operate(self, work: Any) -> None:
        task = asyncio.create_task(work)
        await self.server.settle()
        need(task.done(), "the operator waits for ever")
        if isinstance(error := task.exception(), Exception) and not isinstance(error, RefusedError):
            raise error

    async def _come(self, place: Place) -> None:
        keys = self.people.somebody(place)
        wire = self.server.connect(place.table, keys, self.people.headers(keys))
        await self.server.settle()
        if wire.open:
            place.wires.append(wire)
        self.report.seen["sockets opened"] += wire.open

    async def _turn_a_deaf_ear(self, place: Place) -> None:
        """Somebody reads nothing while others say a lot; then he reads again."""
        wire = self.source.choice(place.wires)
        wire.read(False)
        running = self.server.house.waking.awake.get(place.table)
        for _ in range(80 if running else 0):
            running.announcing.announce()  # type: ignore[union-attr]
        await self.server.settle()
        wire.read(True)

    async def _restart(self) -> None:
        """The server ends, and another one begins on the same file."""
        self.report.seen["restarts"] += 1
        await self._whole_check()
        await self.server.close()
        for place in self.people.places:
            place.wires.clear()
        await self.server.open()
        for place in self.people.places:  # wakes it, for what is asked next is asked of a table that is there
            await self._operate(self.server.house.who(place.table, ()))
            need(self.people.state(place) is not None, "table", place.table, "does not wake")

    async def _whole_check(self) -> None:
        for place in self.people.places:
            if (living := self.people.state(place)) is not None:
                await need_same_after_restart(self.server.house, living)
                self.report.seen["tables folded anew as a whole"] += 1

    async def _retire(self, place: Place) -> None:
        """Nobody comes to a table any more: it is looked at as a whole, and forgotten or erased."""
        if (living := self.people.state(place)) is not None:
            await need_same_after_restart(self.server.house, living)
            self.report.seen["tables folded anew as a whole"] += 1
            for game in range(living.game + 1):
                if living.races_over(game):
                    need_record(living, game)
        for wire in place.wires:
            wire.hang_up()
        await self.server.settle()
        self.people.places.remove(place)
        if self.source.random() < 0.5:
            await self._operate(self.server.house.erase(place.table))


def fuzz(folder: Path, seed: str, messages: int) -> Report:
    """Send so many messages to a server of their own; what came of them, or what was found."""

    async def run() -> Report:
        return await World(folder, seed).run(messages)

    with repeatable(seed), asyncio.Runner() as runner:
        return runner.run(run())
