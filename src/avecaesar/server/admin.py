"""The operator's door: what `avecaesar tables` and `avecaesar key` ask, of a running server or of the file itself.

The socket lies in a folder of its own beside the database, which only the server's user may enter. Whoever calls is
asked of the operating system besides: the same user or root. One line of JSON each way, one question a call.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import stat
import struct
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from avecaesar.errors import BadInput, plain
from avecaesar.game.numbers import SeatNumber
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.shapes import TableRow
from avecaesar.server.tables.house import House
from avecaesar.server.tables.listing import Summary
from avecaesar.server.watchdog import Watchdog

LONGEST_QUESTION = 4096  # bytes
LONGEST_PATH = 100  # bytes of a socket's address: some systems take no more
PATIENCE = 10.0  # seconds for a question to arrive
ANSWERED = 60.0  # seconds for its answer
MOST_LISTED = 100_000

log = logging.getLogger("avecaesar.server")

TableName = Annotated[str, Meta(min_length=1, max_length=64)]


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower):
    """What an operator wants."""


class List(Order, frozen=True):
    """The tables that were changed last."""

    limit: Annotated[int, Meta(ge=1, le=MOST_LISTED)]


class ShutTable(Order, frozen=True, tag="close"):
    """Close a table."""

    table: TableName


class Erase(Order, frozen=True):
    """Erase a table; `force`: also while it is racing."""

    table: TableName
    force: bool = False


class BanSitter(Order, frozen=True, tag="ban"):
    """Free a seat, and let its holder not come back."""

    table: TableName
    seat: Annotated[int, Meta(ge=1, le=99)]  # as people count


class ListKeys(Order, frozen=True, tag="keys"):
    """The keys that seal cards, and what depends on them."""


class Rotate(Order, frozen=True):
    """Make a new key and seal what runs with it."""


class Prune(Order, frozen=True):
    """Forget the keys that nothing needs."""


class Steps(Order, frozen=True):
    """How the event loop of a running server does."""


class SlowTold(msgspec.Struct, frozen=True):
    """Slow steps of one function: how many, and the seconds of processor time of all and of the slowest."""

    where: str
    many: int
    seconds: float
    slowest: float


class StepsTold(msgspec.Struct, frozen=True):
    """How many steps the event loop has taken, how many of them were slow, and which was the slowest."""

    steps: int
    slow: int
    slowest: str
    seconds: float
    kinds: list[SlowTold]  # the slow ones, those that took most time first


class PersonTold(msgspec.Struct, frozen=True):
    """Somebody at a table, and the seat as people count."""

    seat: int
    name: str


class TableTold(msgspec.Struct, frozen=True):
    """A table as an operator sees it: no hand and no key."""

    table: str
    title: str
    phase: Literal["gathering", "racing", "paused", "podium", "over", "closed", "stopped", "unreadable"]
    people: list[PersonTold]
    created: float
    changed: float


class KeyTold(msgspec.Struct, frozen=True):
    """A key by its name, which does not tell the key itself."""

    name: str  # empty: what an older release wrote down in clear
    here: bool
    seals: bool  # new deals
    deals: int  # that are not over, and need it


class Answer(msgspec.Struct, frozen=True):
    """The answer: a problem, or none; and the tables, keys or steps of the event loop, if they were asked for."""

    problem: str | None = None
    tables: list[TableTold] = []
    keys: list[KeyTold] = []
    loop: StepsTold | None = None


OperatorQuestion = List | ShutTable | Erase | BanSitter | ListKeys | Rotate | Prune


async def obey(house: House, question: OperatorQuestion) -> Answer:
    """Do what an operator wants."""
    try:
        match question:
            case List(limit):
                return Answer(tables=[_table_told(row, house) for row in await house.store.all(limit)])
            case ShutTable(table):
                await house.shut(table)
            case BanSitter(table, seat):
                await house.ban(table, SeatNumber(seat - 1))
            case Erase(table, force):
                if not force and await house.racing(table):
                    return Answer(f"a race is being run at table {table}: close it first, or add --force")
                await house.erase(table)
            case ListKeys() | Rotate() | Prune():
                return await _turn_keys(house, question)
    except RefusedError as error:
        named = getattr(question, "table", None)
        return Answer(error.problem if named is None else f"table {named}: {error.problem}")
    except LookupError as error:
        return Answer(plain(error.args[0]))
    except OSError as error:  # the database's, or that of the file of keys
        return Answer(f"{error.filename}: {error.strerror}")
    except BadInput as error:
        return Answer(str(error))
    return Answer()


async def _turn_keys(house: House, question: ListKeys | Rotate | Prune) -> Answer:
    """Do something with the keys, and tell which there are then."""
    match question:
        case Rotate():
            await house.rotate()
        case Prune():
            await house.prune()
    first = next(iter(house.keys.names), None)
    deals = await house.deals_of_keys()
    return Answer(keys=[KeyTold(name, name in house.keys.names, name == first, deals[name]) for name in deals])


def _table_told(row: TableRow, house: House) -> TableTold:
    try:
        summary = msgspec.json.decode(row.summary, type=Summary)
    except msgspec.MsgspecError:
        return TableTold(row.table, "", "unreadable", [], row.created, row.updated)
    people = [
        PersonTold(number, seat.name)
        for number, seat in enumerate(summary.seats, 1)
        if seat.taken and seat.kind != "driver"
    ]
    phase: Any = "closed" if summary.closed else "paused" if summary.paused else summary.phase
    phase = phase if house.keys.holds(summary.key) else "stopped"
    return TableTold(row.table, summary.title, phase, people, row.created, row.updated)


def _steps_of(watchdog: Watchdog) -> StepsTold:
    kinds = sorted(watchdog.kinds.items(), key=lambda item: -item[1].seconds)
    slow = [SlowTold(where, *kind) for where, kind in kinds]
    return StepsTold(watchdog.steps, watchdog.slow, *watchdog.slowest, slow)


# ---------------------------------------------------------------------- the running server's side


class Door:
    """Where operators knock."""

    def __init__(self, house: House, database: Path, watchdog: Watchdog | None = None) -> None:
        self._house, self._folder, self._watchdog = house, folder_of(database), watchdog
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen; a server that cannot serves its tables all the same, and says so."""
        if not hasattr(socket, "AF_UNIX"):
            return  # then `avecaesar tables` waits until the server has ended
        try:
            _make(self._folder)
            listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            with _Reached(self._folder) as path:
                with suppress(FileNotFoundError):
                    os.unlink(path)  # of a server that was killed: we hold the lock
                listening.bind(path)
                os.chmod(path, 0o600)
            self._server = await asyncio.start_unix_server(self._hear, sock=listening, limit=LONGEST_QUESTION)
        except (OSError, BadInput) as error:
            log.error("'avecaesar tables' cannot reach this server: %s", error)

    async def close(self) -> None:
        """Listen no more, and leave nothing behind."""
        if self._server is not None:
            self._server.close()
            with suppress(OSError):
                os.unlink(self._folder / "socket")
            with suppress(OSError):
                self._folder.rmdir()

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answer = await self._answer(reader, writer)
            writer.write(msgspec.json.encode(answer) + b"\n")
            await writer.drain()
        except Exception as error:
            if not isinstance(error, OSError | ValueError | TimeoutError):  # it hangs up, or says too much
                log.exception("an operator's command went wrong")
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Answer:
        async with asyncio.timeout(PATIENCE):
            line = await reader.readline()
        if not _is_ours(writer.get_extra_info("socket")):
            return Answer("only the user who runs the server may do this, or root")
        try:
            question: OperatorQuestion | Steps = msgspec.json.decode(line, type=OperatorQuestion | Steps)
        except msgspec.MsgspecError as error:
            return Answer(f"this cannot be read: {plain(error)}")
        if isinstance(question, Steps):
            return Answer(loop=_steps_of(self._watchdog)) if self._watchdog else Answer("nobody watches the event loop")
        return await obey(self._house, question)


def folder_of(database: Path) -> Path:
    """Where a database's socket lies."""
    return database.with_name(f"{database.name}.admin")


def _make(folder: Path) -> None:
    """The folder, ours alone, also if it is there already."""
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise BadInput(f"{folder} is not a folder of this user's")
    folder.chmod(0o700)


def _is_ours(caller: Any) -> bool:
    """Whether the same user calls, or root. Where the system does not tell, the folder keeps others out."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    _, user, _ = struct.unpack("3i", caller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    return user in (0, os.geteuid())


class _Reached:
    """A socket's address, however long its folder's path is."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._handle = folder, -1

    def __enter__(self) -> str:
        path = str(self._folder / "socket")
        if len(os.fsencode(path)) <= LONGEST_PATH:
            return path
        if not os.path.isdir("/proc/self/fd"):
            raise BadInput(f"the path {path} is too long for a socket")
        self._handle = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        return f"/proc/self/fd/{self._handle}/socket"

    def __exit__(self, *_: object) -> None:
        if self._handle >= 0:
            os.close(self._handle)


# ---------------------------------------------------------------------- the command's side


def ask(database: Path, question: OperatorQuestion | Steps) -> Answer:
    """Ask the server that is running. OSError: it does not listen."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(ANSWERED)
        with _Reached(folder_of(database)) as path:
            line.connect(path)
        line.sendall(msgspec.json.encode(question) + b"\n")
        with line.makefile("rb") as answer:
            return msgspec.json.decode(answer.readline(), type=Answer)
