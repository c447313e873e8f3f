"""The socket of a table: one task reads commands, one writes what the table tells; if one ends, both do."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from avecaesar.server.http.gatekeeper import Crowd, Limits
from avecaesar.server.http.priority import RANK, Priority, until_heard
from avecaesar.server.http.routes.callers import keys_of
from avecaesar.server.http.routes.exchange import LARGEST_MESSAGE
from avecaesar.server.networks import NEIGHBOURS, wider
from avecaesar.server.rates import InMemory, take_for_all
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.shapes import Unwell
from avecaesar.server.tables.appending import no_tables
from avecaesar.server.tables.connection import FAREWELLS, Connection
from avecaesar.server.tables.house import House
from avecaesar.server.wire.decoding import Unreadable, read
from avecaesar.server.wire.messages import Bye, Command
from avecaesar.speech import say

CLOSING, POLICY, LATER = 1012, 1008, 1013  # why a connection ends: the server does, you must not, come again later
LAST_WORDS = 2.0  # seconds for them to be sent
_IS_BYE = msgspec.json.encode(Bye("")).partition(b',"problem"')[0]

log = logging.getLogger("avecaesar.server")


class _Named(msgspec.Struct):
    """Whatever was sent, if it has an id."""

    id: str | None = None


class Sockets:
    """All sockets of the server."""

    def __init__(self, house: House, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._house, self._limits, self._clock = house, limits, clock
        self._crowd = Crowd()
        self._open: dict[Connection, asyncio.Task[object]] = {}
        self._closing = False

    def __len__(self) -> int:
        return len(self._open)

    async def close(self) -> None:
        """Say goodbye to all."""
        self._closing = True
        for connection in self._open:
            connection.end("closing")
        if self._open:
            await asyncio.wait(self._open.values(), timeout=LAST_WORDS / 4)

    async def serve(self, socket: WebSocket) -> None:
        """One connection, from its first message to its last."""
        await socket.accept()
        address = socket.client.host if socket.client else ""
        most = self._limits.connections
        rooms = {address: most, wider(address): most * NEIGHBOURS}
        with suppress(WebSocketDisconnect), self._crowd.enter(rooms) as full:
            if full is not None:
                await _bye(socket, say("too many connections from your address"), LATER)
            elif self._closing:
                await _bye(socket, say(FAREWELLS["closing"]), CLOSING)
            else:
                await self._serve(socket, address)

    async def _serve(self, socket: WebSocket, address: str) -> None:
        most = self._limits.strangers
        room = {f"strangers of {address}": most, f"strangers of {wider(address)}": most * NEIGHBOURS}
        try:
            keys = await self._house.recognised(keys_of(socket))
            connection = await self._house.connect(
                socket.path_params["table"], keys, address, lambda: self._crowd.has_room(room)
            )
        except RefusedError as error:
            await _bye(socket, error.problem, LATER if error.status in (429, 503) else POLICY)
            return
        except Unwell:
            await _bye(socket, no_tables().problem, LATER)
            return
        task = asyncio.current_task()
        assert task is not None
        self._open[connection] = task
        stranger = not (connection.who.seats or connection.who.host)
        _give_rank(socket, connection)
        try:
            with self._crowd.enter(room if stranger else {}):
                await self._talk(socket, connection)
        finally:
            del self._open[connection]
            connection.close()

    async def _talk(self, socket: WebSocket, connection: Connection) -> None:
        reader = asyncio.create_task(self._read(socket, connection))
        writer = asyncio.create_task(self._write(socket, connection))
        try:
            await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
            hasty = reader.done() and not reader.cancelled() and reader.exception() is None and reader.result()
            if hasty:
                connection.end("hasty")
                await asyncio.wait({writer}, timeout=LAST_WORDS)
        finally:
            for task in (reader, writer):
                task.cancel()
            ends = await asyncio.gather(reader, writer, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception) and not isinstance(end, WebSocketDisconnect):
                log.error("the socket of table %s broke", connection.running.state.id, exc_info=end)
        with suppress(RuntimeError):  # it is closed already
            await socket.close(POLICY if hasty else CLOSING)

    async def _read(self, socket: WebSocket, connection: Connection) -> bool:
        """Until the other side closes; True if it was so hasty that it has to be shown out."""
        bucket = InMemory(self._clock)
        hasty = 0
        while (message := await socket.receive())["type"] == "websocket.receive":
            if bucket.take("messages", "", self._limits.messages) or self._too_many(connection):
                hasty += 1
                if hasty > self._limits.hasty:
                    return True
                connection.refuse(None, RefusedError(say("not so fast: this was not read"), status=429))
            else:
                await self._heed(message.get("text"), connection)
                _give_rank(socket, connection)  # he may have sat down, or stood up
            # What came together is not done in one go: others are served in between.
            await until_heard(_rank_of(connection))
        return False

    def _too_many(self, connection: Connection) -> bool:
        """Whoever opens many connections may not say as many times more: each message costs what it costs.

        Onlookers are counted apart, so that they do not talk down the players of their own address.
        """
        rates, limits, address, person = self._house.rates, self._limits, connection.address, connection.asker.person
        known = person != address  # whoever has no key is counted with his address only
        name = "messages" if connection.who.has_place else "messages of onlookers"
        counted = [("messages of a person", person, limits.messages_of_person)] if known else []
        counted.append((name, address, limits.messages_of_address))
        counted.append((name, wider(address), limits.messages_of_address.times(NEIGHBOURS)))
        return bool(take_for_all(rates, counted))

    @staticmethod
    async def _heed(text: str | None, connection: Connection) -> None:
        try:
            command = _command(text)
        except Unreadable as error:
            connection.refuse(_id_of(text), RefusedError(str(error), status=400))
        else:
            await connection.command(command)

    async def _write(self, socket: WebSocket, connection: Connection) -> None:
        while True:
            message = await connection.next()
            try:
                await socket.send_text(message.decode())
            except RuntimeError:  # uvicorn has closed it by itself: an unanswered ping, a broken frame
                raise WebSocketDisconnect from None
            if message.startswith(_IS_BYE):
                return


def _give_rank(socket: WebSocket, connection: Connection) -> None:
    """Whoever has a place at the table is heard first."""
    if extension := socket.scope.get("extensions", {}).get(RANK):
        extension["give"](_rank_of(connection))


def _rank_of(connection: Connection) -> Priority:
    return Priority.PLAYER if connection.who.has_place else Priority.STRANGER


def _command(text: str | None) -> Command:
    if text is None:
        raise Unreadable(say("a message is a text in JSON, not binary"))
    if len(text) > LARGEST_MESSAGE or len(text.encode()) > LARGEST_MESSAGE:
        raise Unreadable(say("this is more than {size} KiB", size=LARGEST_MESSAGE // 1024))
    command: Command = read(text, Command)
    return command


def _id_of(text: str | None) -> str | None:
    """What a message that cannot be read calls itself, so that its sender knows which one it was."""
    with suppress(msgspec.MsgspecError, RecursionError, UnicodeError):
        if text and len(text) <= LARGEST_MESSAGE:
            named = msgspec.json.decode(text, type=_Named).id
            return named if named is not None and len(named) <= 64 else None
    return None


async def _bye(socket: WebSocket, problem: str, code: int) -> None:
    await socket.send_text(msgspec.json.encode(Bye(problem)).decode())
    await socket.close(code)
