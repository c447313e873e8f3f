"""What must hold after every message to a server, whatever it was. It looks into the database itself, past the server.

- Nothing was answered with 500 or 503, and no error was logged.
- What was refused has added to no log, and to no right at the table.
- What was carried out stands in the log under its sender's name, once, and was his to do.
- The log folds to the very table that the server has in mind.
- Nobody is shown a hand that is not his. The record of a race that is over is verified by the referee.
"""

from __future__ import annotations

import logging
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from avecaesar.records import from_json, referee, to_json
from avecaesar.server.store.shapes import LogEntry, Word
from avecaesar.server.tables import erasable_words
from avecaesar.server.tables import events as e
from avecaesar.server.tables.admission import tag_of
from avecaesar.server.tables.hidden_moves import Veil
from avecaesar.server.tables.house import House, hashed
from avecaesar.server.tables.keyring import Keyring
from avecaesar.server.tables.projection import Sight, shown
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg

HOSTS_ONLY = (msg.Appoint, msg.Vacate, msg.HandOn, msg.VoidLinks, msg.Ban, msg.CloseTable, msg.EraseWords)
SITTERS_ONLY = (msg.MakeMove, msg.Dress, msg.Stand, msg.ShutOut)
# Not compared as they are: games (compared by their cards and moves), stories (by all that is told of them), and what
# is only kept so that it need not be put into words again.
APART = frozenset({"table", "finished", "story", "load", "_dealer", "_house_rules", "_foreseen", "_public_view"})


class Found(AssertionError):
    """Something that must hold does not."""


def need(true: object, *told: object) -> None:
    if not true:
        raise Found(" ".join(map(str, told)))


class Rights(NamedTuple):
    """What somebody's keys allow at a table, by the database."""

    seats: frozenset[int]
    host: bool

    def __or__(self, other: object) -> Rights:
        assert isinstance(other, Rights)
        return Rights(self.seats | other.seats, self.host or other.host)


class Tail(NamedTuple):
    """How far everything in the database goes: whatever is added to a log, or becomes a right, changes it."""

    events: int
    rights: int


class Complaints(logging.Handler):
    """Hears every error that the server or the event loop logs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(logging.Formatter().format(record))

    def need_none(self) -> None:
        need(not self.heard, "the server logged:", *self.heard)


class Database:
    """The server's file, read without its help."""

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(file, isolation_level=None)

    def close(self) -> None:
        self._connection.close()

    def _one(self, sql: str, *values: object) -> Any:
        return self._connection.execute(sql, values).fetchone()[0]

    def tail(self) -> Tail:
        return Tail(
            self._one("SELECT coalesce(max(rowid), 0) FROM events"),
            self._one("SELECT coalesce(max(rowid), 0) FROM rights"),
        )

    def last(self, table: str) -> int:
        """The number of a table's last event, -1 if there is no such table."""
        return int(self._one('SELECT coalesce(max(number), -1) FROM events WHERE "table" = ?', table))

    def held(self, table: str) -> int:
        """How many rights there are at a table."""
        return int(self._one('SELECT count(*) FROM rights WHERE "table" = ?', table))

    def command_at(self, table: str, number: int) -> str | None:
        sql = 'SELECT command FROM events WHERE "table" = ? AND number = ?'
        row = self._connection.execute(sql, (table, number)).fetchone()
        need(row is not None, "event", number, "was promised, and table", table, "has none of that number")
        return str(row[0]) if row[0] is not None else None

    def done(self, table: str, command: str) -> bool:
        return bool(self._one('SELECT count(*) FROM events WHERE "table" = ? AND command = ?', table, command))

    def rights(self, table: str, keys: Iterable[str]) -> Rights:
        digests = [hashed(key) for key in keys]
        marks = ",".join("?" * len(digests))
        sql = f'SELECT seat, role FROM rights WHERE "table" = ? AND key IN ({marks})'
        rows = self._connection.execute(sql, (table, *digests)).fetchall()
        return Rights(frozenset(seat for seat, role in rows if role == "drive"), any(r == "host" for _, r in rows))

    def log(self, table: str, after: int) -> list[LogEntry]:
        """A table's events after a number, with the words that people wrote."""
        wanted = 'WHERE "table" = ? AND number > ? ORDER BY number'
        written = defaultdict[int, list[Word]](list)
        rows = self._connection.execute(
            f"SELECT number, part, kind, seat, holder, text, erased FROM words {wanted}, part", (table, after)
        )
        for number, *word in rows:
            written[number].append(Word(*word))
        found = self._connection.execute(f"SELECT number, at, command, body FROM events {wanted}", (table, after))
        return [LogEntry(number, at, command, body, tuple(written[number])) for number, at, command, body in found]

    def rewritten(self, table: str, number: int) -> tuple[object, object]:
        """What is different after somebody was forgotten: how many words are erased, and the tags up to an event."""
        tags = 'SELECT group_concat(substr(command, 1, 16)) FROM events WHERE "table" = ? AND number <= ?'
        erased = self._one('SELECT count(*) FROM words WHERE "table" = ? AND erased', table)
        return erased, self._connection.execute(tags, (table, number)).fetchone()[0]


def names_of(keys: tuple[str, ...], command: msg.Logged) -> frozenset[str]:
    """How the log may call a command: by whichever of somebody's keys has a place there when it is carried out."""
    return frozenset(f"{tag_of(hashed(key))}:{command.id}" for key in keys)


def need_authority(command: msg.Command, rights: Rights) -> None:
    """What was carried out was his to ask for. (Told here once more, and not by the server's own words.)"""
    if isinstance(command, HOSTS_ONLY):
        need(rights.host, "somebody who is not the host was obeyed:", command)
    elif isinstance(command, (*SITTERS_ONLY, msg.Why, msg.AskHint)):
        need(command.seat in rights.seats, "somebody was obeyed at a seat that is not his:", command)
    elif isinstance(command, msg.Lift):  # anybody may lower a curtain of his own, be there one or not
        need(command.seat is None or command.seat in rights.seats, "somebody else's curtain was lifted:", command)
    else:
        need(rights.seats or rights.host, "a stranger was obeyed:", command)


def need_own_hands(table: Mapping[str, Any], rights: Rights) -> None:
    """A table as somebody is shown it tells of no seat but his own."""
    yours = frozenset(table["yours"])
    need(yours <= rights.seats, "somebody is told that seats are his that are not:", yours, rights)
    need(table["host"] <= rights.host, "somebody is told that he is the host, and is not")
    if table["hands"] or table["question"]:
        need(table["eyes"] in rights.seats, "somebody sees the hand of seat", table["eyes"], "with", rights)
        chariots = table["race"]["chariots"]
        seats = {chariots[hand["chariot"]]["seat"] for hand in table["hands"]}
        need(seats <= {table["eyes"]}, "hands of seats", seats, "are shown to seat", table["eyes"])


# ---------------------------------------------------------------------- folding


class Shadow:
    """A table folded from its stored log, event by event, beside the one that the server has in mind."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.state: TableState | None = None
        self._rewritten: tuple[object, object] = (0, None)

    def catch_up(self, database: Database, living: TableState, keys: Keyring) -> int:
        """Fold what was added to the log (all of it, if words were erased), and compare; how many events it was."""
        if self.state is None or self._rewritten != database.rewritten(self.table, self.state.number):
            self.state = TableState(self.table, load=living.load)
        entries, veil = database.log(self.table, self.state.number), Veil(*self.state.secrets)
        for entry in entries:
            event = erasable_words.read(entry)
            event = veil.decrypt(keys.decrypt(event) if isinstance(event, e.Sealed) else event)
            self.state.apply(entry.number, entry.at, event, entry.command)
        self._rewritten = database.rewritten(self.table, self.state.number)
        need_alike(living, self.state)
        return len(entries)


def need_alike(living: TableState, folded: TableState) -> None:
    """Two states are the same to the last card and the last word."""
    one, other = _state(living), _state(folded)
    for name in one:
        need(one[name] == other[name], "folded anew,", name, "is", other[name], "and not", one[name])


def _state(room: TableState) -> dict[str, Any]:
    state = {name: value for name, value in vars(room).items() if name not in APART}
    races = room.table._games.races if room.table else []
    state["cards and places"] = [race._races.tobytes() for race in races]
    state["turns"] = [len(race.history) for race in races]
    state["drivers"] = [seat.driver for seat in room.table.setup.seats] if room.table else []
    state["games before"] = [seals for _, seals in room.finished]
    state["story"] = room.story.since(room.number - 12)
    return state


def need_alike_to_all(living: TableState, folded: TableState) -> None:
    """Two states show everybody the same."""
    for seat in (*range(len(living.chairs)), None):
        sight = Sight(seats=frozenset() if seat is None else frozenset({seat}), host=seat == 0)
        one, other = (msgspec.json.encode(shown(room, sight)) for room in (living, folded))
        need(one == other, "folded anew, the table shows seat", seat, other, "and not", one)
    need(living.lines == folded.lines, "folded anew, the table tells another story")


async def need_same_after_restart(house: House, living: TableState) -> None:
    """What a server that starts now would make of the log is the table that this one has."""
    folded = await house.waking.folded(living.id, await house.store.log(living.id))
    need_alike(living, folded)
    need_alike_to_all(living, folded)


def need_record(room: TableState, game: int) -> int:
    """The races of a game that are over are run again by the referee, from the record as it is handed out."""
    record = from_json(to_json(room.record(game)))
    return len(referee(record))
