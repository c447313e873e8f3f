"""Whatever was acknowledged is there after a crash, whenever it comes: kill -9 in the middle of racing tables.

People play by socket and by HTTP, drivers and clocks go on by themselves, and the server is killed at random moments.
After each kill a copy of the database is looked at without the server, and then the server starts again and is asked.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sqlite3
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import msgspec
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection

from avecaesar.server.store import shapes as store_shapes
from avecaesar.server.store.shapes import Word
from avecaesar.server.tables import events as e
from avecaesar.server.tables.dealing import new_seal
from avecaesar.server.tables.erasable_words import read
from avecaesar.server.tables.hidden_moves import Veil
from avecaesar.server.tables.keyring import Keyring, file_beside, opened
from avecaesar.server.tables.plan import filled_in
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire.messages import NewTable, SeatPlan
from seat_numbers import FIRST
from servers import PATIENCE, Server, Visitor, hear, shell, tell

LATEST = 0.03  # seconds between an acknowledgement and the kill
MOST_COMMANDS = 50  # acknowledged in one life of the server
REPEATED = 4  # old commands that everybody sends again after a crash
A_CAMPAIGN = 20  # kills on one database

Command = dict[str, Any]


class Plan(NamedTuple):
    """A table, and who plays at it: "socket" and "http" are people, "silent" is one who never answers."""

    people: tuple[str, ...]
    drivers: tuple[str, ...]
    wishes: dict[str, Any]


VOTES = {"riderless": "extra", "riderless_count": "1", "riderless_moves": "vote"}
PLANS = (
    Plan(("socket", "http"), ("festina",), {"pace": 20}),
    Plan(("http", "socket"), (), {"edition": "ausgebremst", "options": {"riderless": "none"}, "pace": 20}),
    Plan(("socket", "socket"), (), {"options": VOTES, "pace": 20}),
    Plan((), ("bibulus", "scorpus", "sibylla@20"), {"pace": 20}),
    Plan(("silent",), ("festina",), {"pace": 20, "clock": 5}),
)


class Life:
    """One life of the server, from its start to its end, as everybody who calls on it shares it."""

    def __init__(self, commands: int, awaited: frozenset[str] = frozenset(), last: bool = False) -> None:
        self.last = last  # races are finished, and none is begun
        self._commands, self._awaited = commands, set(awaited)
        self._over = False
        self._problems: list[BaseException] = []
        self._changed = threading.Condition()

    def acknowledged(self) -> None:
        with self._changed:
            self._commands -= 1
            self._changed.notify()

    def seen(self, by: str | None) -> None:
        """A turn was told that was decided so."""
        with self._changed:
            self._awaited.discard(by or "")
            self._changed.notify()

    def wait(self) -> None:
        """Until there were so many commands, and turns of each kind that was awaited."""
        with self._changed:
            enough = self._changed.wait_for(
                lambda: self._problems or not (self._commands > 0 or self._awaited), timeout=2 * PATIENCE
            )
            self._over = True
        assert enough, f"the tables rest: {self._commands} commands and turns by {self._awaited} are missing"

    def run(self, *callers: Callable[[Life], None]) -> list[threading.Thread]:
        threads = [threading.Thread(target=self._call, args=(caller,)) for caller in callers]
        for thread in threads:
            thread.start()
        return threads

    def _call(self, caller: Callable[[Life], None]) -> None:
        try:
            caller(self)
        except BaseException as error:
            gone = isinstance(error, OSError | EOFError | WebSocketException | httpx2.TransportError)
            with self._changed:
                if not (gone and self._over):
                    self._problems.append(error)
                self._changed.notify()

    def end(self, threads: list[threading.Thread]) -> None:
        for thread in threads:
            thread.join()
        if self._problems:
            raise self._problems[0]


class Person:
    """Somebody at a table, who remembers what he was told."""

    def __init__(self, name: str, manner: str, visitor: Visitor, table: str, seat: int | None, begins: bool) -> None:
        self.name, self.manner, self.visitor, self.table, self.seat = name, manner, visitor, table, seat
        self.begins = begins
        self.source = random.Random(name)
        self.commands: dict[str, Command] = {}
        self.acknowledged: dict[str, int] = {}
        self.pending: str | None = None  # the command that he does not know the answer to
        self.told: dict[int, list[str]] = {}  # by event
        self._shown: dict[str, Any] | None = None
        self._least = 0  # the event that he has to know of before he decides anything

    def running(self, life: Life) -> None:
        """Call on the server for as long as it lives."""
        with self.visitor.socket(self.table) as socket:
            self._shown = None
            self._repeat(socket, life)
            while not (life.last and self._shown and self._shown["phase"] == "over"):
                command = self._decide(life)
                if command is None:
                    self._note(hear(socket, "whole", "news"), life)
                else:
                    self._give(socket, command, life)

    def _repeat(self, socket: ClientConnection, life: Life) -> None:
        """What is not known to have arrived is sent again, and some of what is known to: that changes nothing."""
        old = self.source.sample(sorted(self.acknowledged), min(REPEATED, len(self.acknowledged)))
        for name in old:
            answer = self._answer(socket, self.commands[name], life)
            assert answer == {"is": "done", "id": name, "number": self.acknowledged[name]}
        if self.pending is not None:
            self._give(socket, self.commands[self.pending], life)

    def _give(self, socket: ClientConnection, command: Command, life: Life) -> None:
        name = str(command["id"])
        self.commands[name], self.pending = command, name
        answer = self._answer(socket, command, life)
        self.pending = None
        if answer.get("is") == "done":
            assert answer["id"] == name
            self.acknowledged[name] = self._least = answer["number"]
            life.acknowledged()
        else:
            assert "moved on" in answer["problem"] or "begun already" in answer["problem"], answer
            self._shown = None

    def _answer(self, socket: ClientConnection, command: Command, life: Life) -> dict[str, Any]:
        if self.manner == "http":
            return self.visitor.command(self.table, **command)
        tell(socket, **command)
        while True:
            message = hear(socket)
            if message["is"] in ("whole", "news"):
                self._note(message, life)
            else:
                return message

    def _note(self, message: dict[str, Any], life: Life) -> None:
        self._shown = message["table"]
        told: dict[int, list[str]] = {}
        for line in message["story"]:
            told.setdefault(line["number"], []).append(line["words"])
            if message["is"] == "news" and line["kind"] == "turn":
                life.seen(line["by"])
        self.told |= told

    def _decide(self, life: Life) -> Command | None:
        """What to do on what he knows; None: wait for news."""
        table = self._shown
        if table is None or table["number"] < self._least:
            return None
        name, chance = f"{self.name}-{len(self.commands)}", self.source.random()
        if table["phase"] != "racing":
            share = {"share": self.source.randbytes(16).hex()} if chance < 0.5 else {}
            begin = {"do": "begin", "id": name, "at": table["changed"], **share}
            wanted = self.begins if table["ready"] is None else not table["ready"]["you"] or table["ready"]["begins"]
            return begin if wanted and not life.last else None
        if table["question"] is None or (self.manner == "silent" and not life.last):
            return {"do": "say", "id": name, "text": f"Ave! ({name})"} if chance < 0.03 else None
        if chance < 0.2:
            return {"do": "say", "id": name, "phrase": "hurry"}
        offer = self.source.choice(table["question"]["offers"])
        return {"do": "move", "id": name, "at": table["changed"], "seat": self.seat, "move": offer["move"]}


class Entry(NamedTuple):
    """A row of the log."""

    number: int
    command: str | None
    body: bytes
    words: tuple[Word, ...] = ()

    @property
    def event(self) -> e.AnyEvent:
        return read(store_shapes.LogEntry(self.number, 0.0, self.command, self.body, self.words))


class Book:
    """A table's log as it was found after each crash: it only grows, and it tells what people were told."""

    def __init__(self, table: str, keys: Path) -> None:
        self.entries: list[Entry] = []
        self.events: list[e.AnyEvent] = []
        self.keys = keys  # the file of those
        self.lines: dict[int, list[str]] = {}
        self._room = TableState(table)

    def read(self, entries: list[Entry]) -> None:
        assert [entry.number for entry in entries] == list(range(len(entries)))
        assert entries[: len(self.entries)] == self.entries
        commands = Counter(entry.command for entry in entries if entry.command)
        assert commands.total() == len(commands)
        veil = Veil()
        self.events = [
            veil.decrypt(event) for event in opened([entry.event for entry in entries], Keyring.if_any(self.keys))
        ]
        for entry, event in list(zip(entries, self.events, strict=True))[len(self.entries) :]:
            self._room.apply(entry.number, 0.0, event, entry.command)
            if lines := [line.words for line in self._room.lines if line.number == entry.number]:
                self.lines[entry.number] = lines
        assert (self._room.sealed is None) == (self._room.phase == "racing")  # the last command is there as a whole
        self.entries = entries

    def compare(self, person: Person) -> None:
        """All that a person was told is in it, and what he wanted is in it once or, if nobody answered, not at all."""
        for number, words in person.told.items():
            assert self.lines.get(number) == words
        found = {entry.command.partition(":")[2]: entry for entry in self.entries if entry.command}
        for name, number in person.acknowledged.items():
            assert name in found
            assert found[name].number == number
        for name, command in person.commands.items():
            if name in found:
                assert name in person.acknowledged or name == person.pending
                assert is_meant_by(self.events[found[name].number], command)


def words_of(database: sqlite3.Connection, table: str) -> dict[int, list[Word]]:
    """What was written at a table, by the numbers of the events."""
    wanted = 'SELECT number, part, kind, seat, holder, text, erased FROM words WHERE "table" = ? ORDER BY number, part'
    words: dict[int, list[Word]] = {}
    for number, *word in database.execute(wanted, (table,)):
        words.setdefault(number, []).append(Word(*word))
    return words


def as_sent(move: e.LoggedMove) -> object:
    """A move as JSON has it, in which piles are lists."""
    return msgspec.json.decode(msgspec.json.encode(move))


def is_meant_by(event: e.AnyEvent, command: Command) -> bool:
    match event:
        case e.Moved(seat, move, by):
            if command["do"] == "move" and command["move"]["kind"] in ("deck", "sort"):
                return by == "person"  # it may be somebody's who had chosen before he was asked
            return (seat, as_sent(move), by) == (command["seat"], command["move"], "person")
        case e.ChosenAhead(seat, _, move):
            return (seat, as_sent(move)) == (command["seat"], command["move"])
        case e.Sealed():  # a race ended with this move
            return bool(command["do"] == "move")
        case e.Said(_, text, phrase):
            return (text, phrase) == (command.get("text"), command.get("phrase"))
        case e.Begun() | e.Readied():
            return bool(command["do"] == "begin")
        case _:
            return False


class Campaign:
    """Tables on one database, and its server, which is killed again and again."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.source = random.Random(seed)
        self.server = Server(folder, "--workers", "1", boundless=True)  # people here are quicker than any quota
        self.folder = folder
        self.people: list[Person] = []
        self.books: dict[str, Book] = {}
        self.early = 0  # kills while it was starting

    def run(self, kills: int) -> Iterator[None]:
        """So many lives, each ended by a kill, and one more in which the races are finished and verified."""
        try:
            self.server.start()
            for plan in PLANS:
                self._lay(plan)
            for number in range(kills):
                self._one_life(number)
                self._look()
                self._start_again()
                yield
            self._finish()
        finally:
            if self.server.process is not None:
                self.server.kill()
        assert self.server.errors == ""

    def _lay(self, plan: Plan) -> None:
        """A table with its people, or with a host who only begins the races."""
        host = self.server.visitor()
        kinds = ["here", *["friend"] * (len(plan.people) - 1)] if plan.people else []
        laid = host.lay([*kinds, *plan.drivers], **plan.wishes)
        table, number = laid["table"], len(self.books)
        self.books[table] = Book(table, file_beside(self.server.data))
        self.people.append(Person(f"host{number}", (plan.people or ("host",))[0], host, table, 0, begins=True))
        for manner in plan.people[1:]:
            friend = self.server.visitor()
            seat = friend.sit(laid["invitation"])["seat"]
            self.people.append(Person(f"friend{number}", manner, friend, table, seat, begins=False))

    def _one_life(self, number: int) -> None:
        awaited = {"driver"} if self.source.random() < 0.5 else set()
        awaited |= {"clock"} if number % 10 == 0 else set()
        life = Life(self.source.randint(1, MOST_COMMANDS), frozenset(awaited))
        threads = life.run(*(person.running for person in self.people))
        try:
            life.wait()
            time.sleep(self.source.random() * LATEST)  # the moment of the crash is a matter of chance
        finally:
            self.server.kill()
        life.end(threads)

    def _start_again(self) -> None:
        """Start it; now and then it is killed before it answers."""
        while self.source.random() < 0.15:
            self.server.launch()
            time.sleep(self.source.random() * 2)
            self.server.kill()
            self.early += 1
        self.server.start()

    def _look(self) -> None:
        """Look at a copy of the database, so that it is the server itself who has to repair the original."""
        copy = self.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for suffix in ("", "-wal"):
            if (file := Path(f"{self.server.data}{suffix}")).exists():
                shutil.copy(file, copy)
        with closing(sqlite3.connect(copy / self.server.data.name)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert database.execute("PRAGMA foreign_key_check").fetchall() == []
            wanted = 'SELECT number, command, body FROM events WHERE "table" = ? ORDER BY number'
            for table, book in self.books.items():
                words = words_of(database, table)
                found = database.execute(wanted, (table,)).fetchall()
                entries = [Entry(n, command, body, tuple(words.get(n, ()))) for n, command, body in found]
                book.read(entries)
        for person in self.people:
            self.books[person.table].compare(person)

    def _finish(self) -> None:
        life = Life(0, last=True)
        life.end(life.run(*(person.running for person in self.people)))
        files, watcher = [], self.server.visitor()
        for table in self.books:
            for game in range(watcher.whole(table)["table"]["game"] + 1):
                files.append(self.folder / f"{table}-{game}.race.json")
                files[-1].write_bytes(watcher.ask(f"/api/tables/{table}/record?game={game}").content)
        self.server.stop()
        self._look()
        verified = shell("verify", *files)
        assert verified.returncode == 0, verified.stdout + verified.stderr
        self.races = len(files)


def test_what_is_lost_doubled_or_changed_would_be_noticed(tmp_path: Path) -> None:
    said = [e.encode(e.Said(FIRST, text, None)) for text in ("Ave!", "Vale!")]
    plan = filled_in(NewTable(seats=(SeatPlan(kind="here"), SeatPlan())))
    laid = [Entry(0, None, e.encode(e.WasLaid(plan))), Entry(1, None, e.encode(new_seal()))]
    person = Person("a", "socket", Visitor(Server(tmp_path)), "t", 0, begins=True)
    person.commands["a-0"] = {"do": "say", "id": "a-0", "text": "Ave!"}
    person.acknowledged["a-0"], person.told[2] = 2, ["Ave!"]
    right = [*laid, Entry(2, "h:a-0", said[0])]
    wrong = {
        "lost": laid,
        "elsewhere": [*laid, Entry(2, None, said[0]), Entry(3, "h:a-0", said[0])],
        "twice": [*right, Entry(3, "h:a-0", said[0])],
        "changed": [*laid, Entry(2, "h:a-0", said[1])],
        "with a gap": [*laid, Entry(3, "h:a-0", said[0])],
        "half": [laid[0], Entry(1, "h:a-0", said[0])],
    }
    look_at(right, person)
    for entries in wrong.values():
        with pytest.raises(AssertionError):
            look_at(entries, person)


def look_at(entries: list[Entry], person: Person) -> None:
    book = Book("t", Path("/nowhere"))
    book.read(entries)
    book.compare(person)


def test_whatever_was_acknowledged_is_there_after_each_of_some_kills(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, seed=1)
    for _ in campaign.run(kills=3):
        pass
    assert campaign.races >= len(PLANS)
    assert sum(len(person.acknowledged) for person in campaign.people) > 50


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Kills a server in the middle of racing tables, and looks what is left."
    )
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    total: Counter[str] = Counter()
    begun = time.monotonic()
    while total["kills"] < options.kills:
        with tempfile.TemporaryDirectory() as folder:
            campaign = Campaign(Path(folder), options.seed + total["campaigns"])
            for _ in campaign.run(min(A_CAMPAIGN, options.kills - total["kills"])):
                total["kills"] += 1
                done = 40 * total["kills"] // options.kills
                print(f"\r[{'#' * done:.<40}] {total['kills']} of {options.kills} kills", end="", flush=True)
            total["campaigns"] += 1
            total["early"] += campaign.early
            total["races"] += campaign.races
            total["commands"] += sum(len(person.acknowledged) for person in campaign.people)
            total["events"] += sum(len(book.entries) for book in campaign.books.values())
    print(
        f"\r{options.kills} kills, and {total['early']} while it was starting, in {time.monotonic() - begun:.0f} "
        f"seconds: {total['commands']:,} acknowledged commands and {total['events']:,} events, none lost; "
        f"{total['races']:,} races verified"
    )


if __name__ == "__main__":
    main()
