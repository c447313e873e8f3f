"""HTTP and WebSockets as uvicorn speaks them, held to limits: input is read in bites, and whoever dawdles is cut.

Bytes cost more than they look: h11 and websockets are written in Python, and take some 20 microseconds for a chunk or a
frame, however little it holds. So large input is read in bites, each in a step of the event loop of its own, and
clients that send tiny fragments are disconnected.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from typing import Any

import h11
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from avecaesar.server.http.connection_limits import Gate
from avecaesar.server.http.priority import RANK, Priority, do_later, give_rank
from avecaesar.server.rates import InMemory

AT_FIRST = 0.05  # seconds for which a connection is a new one: requests come with their connections
LARGEST_BITE = 16 * 2**10  # bytes of HTTP that are read in one step
LINES_A_BITE = 100  # and lines: a chunk of a body has two
SOCKET_BITE = 2**10  # bytes of a socket that are read in one step: a frame has six at least
MOST_LINES = 100  # of a header, and of what may follow a body
FEW_PIECES = 100  # of a body, however small
MOST_OF_HANDSHAKE = 512  # bytes of what a socket is asked for with, which websockets reads token by token
LEAST_PIECE = 64  # bytes of a piece on average, where there are more
UNSENT = 256 * 2**10  # bytes that the system keeps for who has not read them yet; by itself it keeps megabytes
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nContent-Type: text/plain\r\n"
    b"Content-Length: 21\r\nConnection: close\r\n\r\ntoo many connections\n"
)
NO_HANDSHAKE = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n"
    b"Content-Length: 28\r\nConnection: close\r\n\r\nthis does not open a socket\n"
)


class Pieces(h11.Connection):
    """HTTP that takes no crumbs: very many very small chunks of a body, or very many lines of a header, are no HTTP.

    h11 reads a header in one go when it has ended, so its lines are counted before that: never more than a bite too
    many are read.
    """

    _pieces = _bytes = 0

    def next_event(self) -> Any:
        """The next event, as h11 has it."""
        event = super().next_event()
        if self._lines(event) > MOST_LINES:
            raise h11.RemoteProtocolError("these are too many lines", error_status_hint=431)
        if isinstance(event, h11.Data):
            self._pieces += 1
            self._bytes += len(event.data)
            if self._pieces > FEW_PIECES and self._bytes < LEAST_PIECE * self._pieces:
                raise h11.RemoteProtocolError("this comes in crumbs")
        elif isinstance(event, h11.Request):
            self._pieces = self._bytes = 0
        return event

    def _lines(self, event: Any) -> int:
        """How many there are of a header that has ended or not; a body may have one of its own behind it."""
        if isinstance(event, h11.Request | h11.EndOfMessage):
            return len(event.headers)
        return self.trailing_data[0].count(b"\n") if event is h11.NEED_DATA else 0


class Flow(FlowControl):
    """Tells when uvicorn wants to read again: what is left over comes before what is new."""

    def __init__(self, transport: asyncio.Transport, resumed: Callable[[], None]) -> None:
        super().__init__(transport)
        self._resumed = resumed

    def resume_reading(self) -> None:
        """Read on, unless nobody has stopped."""
        if self.read_paused:
            self.read_paused = False
            self._resumed()


def bite(data: bytearray) -> bytes:
    """The next bytes of HTTP to be read in one step, which are taken away: not too many, and not too many lines."""
    end, most = 0, min(len(data), LARGEST_BITE)
    if data.count(b"\n", 0, most) > LINES_A_BITE:
        for _ in range(LINES_A_BITE):
            end = data.index(b"\n", end) + 1
        most = end
    taken = bytes(data[:most])
    del data[:most]
    return taken


def protocols(gate: Gate) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """HTTP and WebSockets as uvicorn speaks them, through this gate."""

    class Http(H11Protocol):
        """Cuts whoever does not finish a header, or does not read what he asked for, or sends crumbs."""

        _alarm: asyncio.TimerHandle | None = None
        _unread: asyncio.TimerHandle | None = None
        _waits = False  # to read the next bite
        _upgraded = False
        _completes = False  # an answer

        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            most = self.config.h11_max_incomplete_event_size
            self.conn = Pieces(h11.SERVER) if most is None else Pieces(h11.SERVER, most)
            self._left = bytearray()  # what has arrived and is not read yet

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.flow = Flow(transport, self._go_on)
            _read_little(transport)
            if (line := self._line()) is not None:
                give_rank(line, Priority.NEW)
                line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)
            if gate.enter(transport):
                self._alarm = self.loop.call_later(AT_FIRST, self._step_back)
            else:
                transport.write(FULL)
                transport.close()

        def _line(self) -> Any:
            return self.transport.get_extra_info("socket")

        def data_received(self, data: bytes) -> None:
            self._left += data
            if not self._waits:
                self._read()
            else:
                self.transport.pause_reading()

        def _read(self) -> None:
            """Read a bite."""
            self._waits = False
            if self.transport.is_closing():
                self._left.clear()
                return
            give_rank(self._line(), Priority.STRANGER)  # it has had its turn as a new one
            super().data_received(bite(self._left))
            self._see()
            if self._upgraded:
                self._left.clear()  # nothing may come before a socket is open
                self.transport.resume_reading()
            elif not self.flow.read_paused:
                self._go_on()
            elif self._left:
                self.transport.pause_reading()

        def _go_on(self) -> None:
            """Read on: what is left, in a step of its own, or else what will come."""
            if not self._left:
                self.transport.resume_reading()
            elif not self._waits:
                self.transport.pause_reading()
                self._waits = True
                do_later(Priority.STRANGER, self._read)

        def handle_websocket_upgrade(self, event: Any) -> None:
            if _length_of_handshake(self.headers) > MOST_OF_HANDSHAKE:
                self.transport.write(NO_HANDSHAKE)
                self.transport.close()
                return
            self._upgraded = True
            _stop(self._alarm)  # the socket has one of its own
            _stop(self._unread)
            super().handle_websocket_upgrade(event)
            self._let_go()

        def send_400_response(self, msg: str) -> None:
            if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                super().send_400_response(msg)
            else:  # it is being answered already, or was
                self.transport.abort()

        def on_response_complete(self) -> None:
            self._completes = True  # the next request, if it has been sent already, comes later
            super().on_response_complete()
            self._completes = False
            gate.silent(self.transport)
            self._see()

        def handle_events(self) -> None:
            if self._completes and self.conn.trailing_data[0]:
                do_later(Priority.STRANGER, self._read_request)
            else:
                super().handle_events()

        def _read_request(self) -> None:
            if not self.transport.is_closing():
                super().handle_events()
                self._see()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._unread = self.loop.call_later(gate.patience.unread, self.transport.abort)

        def resume_writing(self) -> None:
            super().resume_writing()
            _stop(self._unread)

        def connection_lost(self, exc: Exception | None) -> None:
            gate.leave(self.transport)
            give_rank(self._line(), Priority.STRANGER)  # its number is somebody else's soon
            _stop(self._alarm)
            _stop(self._unread)
            super().connection_lost(exc)
            _forget_reading(self.transport)
            self._unset_keepalive_if_required()  # uvicorn forgets it where the connection was reset
            self._let_go()

        def _let_go(self) -> None:
            """Leave no circle of references behind: a flood would make garbage that holds everybody up."""
            self.flow, self.cycle = FlowControl(self.transport), None  # type: ignore[assignment]

        def _see(self) -> None:
            """Wait for the rest of a header, unless a request is being answered or uvicorn waits for the next."""
            if self.transport.is_closing():
                return
            asked = self.cycle is not None and not self.cycle.response_complete
            if asked:
                gate.heard(self.transport)
            if asked or self._upgraded or self.timeout_keep_alive_task is not None:
                _stop(self._alarm)
                self._alarm = None
            elif self._alarm is None:
                self._wait()

        def _step_back(self) -> None:
            """Whoever comes and says nothing is a stranger: else many who speak at once would keep newcomers out."""
            give_rank(self._line(), Priority.STRANGER)
            self._wait()

        def _wait(self) -> None:
            self._alarm = self.loop.call_later(gate.patience.header, self.transport.abort)

    class Socket(WebSocketsSansIOProtocol):
        """Its connection is counted until it ends. Cuts whoever does not read, or sends what is no message.

        Until it is accepted it is as silent as a header that has not ended.
        """

        _alarm: asyncio.TimerHandle | None = None
        _unread: asyncio.TimerHandle | None = None
        _waits = False  # to read the next bite

        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            self._left = bytearray()  # what has arrived and is not read yet
            self._crumbs = InMemory()
            self._rank = Priority.STRANGER

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            self._alarm = self.loop.call_later(gate.patience.header, self.transport.abort)

        def data_received(self, data: bytes) -> None:
            if not self.handshake_initiated:
                self._shake_hands(data)
                return
            self._left += data
            if not self._waits:
                self._read()
            else:
                self.transport.pause_reading()

        def _read(self) -> None:
            """Read a bite."""
            self._waits = False
            if self.transport.is_closing():
                self._left.clear()
                return
            taken = bytes(self._left[:SOCKET_BITE])
            del self._left[:SOCKET_BITE]
            super().data_received(taken)
            if not self.read_paused:
                self._go_on()

        def _go_on(self) -> None:
            """Read on: what is left, in a step of its own, or else what will come."""
            if not self._left:
                self.transport.resume_reading()
            elif not self._waits:
                self.transport.pause_reading()
                self._waits = True
                do_later(self._rank, self._read)

        def _shake_hands(self, header: bytes) -> None:
            """Read the header, which comes whole from h11; what websockets cannot read uvicorn does not answer."""
            super().data_received(header)
            if not self.handshake_initiated:
                self.transport.write(NO_HANDSHAKE)
                self.transport.close()

        def handle_connect(self, event: Any) -> None:
            super().handle_connect(event)
            self.scope["extensions"][RANK] = {"give": self._give_rank}  # the application runs in a later step

        def _give_rank(self, rank: Priority) -> None:
            self._rank = rank
            give_rank(self.transport.get_extra_info("socket"), rank)

        async def receive(self) -> Any:
            message = await super().receive()
            if not self.read_paused:
                self._go_on()
            return message

        async def send(self, message: Any) -> None:
            await super().send(message)
            if message["type"] == "websocket.accept":
                _stop(self._alarm)
                gate.heard(self.transport)
            elif message["type"] == "websocket.close":  # whoever does not read it is cut all the same
                self._give_up()
                self._go_on()

        def handle_cont(self, event: Any) -> None:
            self._count()
            super().handle_cont(event)

        def handle_text(self, event: Any) -> None:
            if not event.fin:
                self._count()
            super().handle_text(event)

        def handle_bytes(self, event: Any) -> None:
            if not event.fin:
                self._count()
            super().handle_bytes(event)

        def handle_ping(self) -> None:
            self._count()
            super().handle_ping()

        def handle_pong(self, event: Any) -> None:
            self._count()
            super().handle_pong(event)

        def _count(self) -> None:
            """A frame that is no message; those are counted where they are read."""
            if self._crumbs.take("frames", "", gate.patience.frames):
                self.transport.abort()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._give_up()

        def resume_writing(self) -> None:
            super().resume_writing()
            if not self.close_sent:
                _stop(self._unread)
                self._unread = None

        def keepalive_timeout(self) -> None:
            super().keepalive_timeout()
            self._give_up()

        def _give_up(self) -> None:
            """Cut it in a while: asyncio waits for ever for somebody who does not read to the end."""
            if self._unread is None:
                self._unread = self.loop.call_later(gate.patience.unread, self.transport.abort)

        def connection_lost(self, exc: Exception | None) -> None:
            gate.leave(self.transport)
            self._give_rank(Priority.STRANGER)  # its number is somebody else's soon
            _stop(self._alarm)
            _stop(self._unread)
            super().connection_lost(exc)
            _forget_reading(self.transport)
            self._let_go()

        def _let_go(self) -> None:
            """Leave no circle of references behind, and nothing that was sent."""
            self._left.clear()
            self.conn.parser.close()
            if self.handshake_initiated:
                self.scope["extensions"].pop(RANK, None)

    return Http, Socket


def _length_of_handshake(headers: Sequence[tuple[bytes, bytes]]) -> int:
    """The bytes of those lines that are about a socket."""
    return sum(
        len(value)
        for name, value in headers
        if name in (b"connection", b"upgrade") or name.startswith(b"sec-websocket-")
    )


def _stop(alarm: asyncio.TimerHandle | None) -> None:
    if alarm is not None:
        alarm.cancel()


def _read_little(transport: asyncio.BaseTransport) -> None:
    """Let a transport of asyncio's take no more than a bite at a time off the system: what waits here nobody counts."""
    if hasattr(transport, "max_size"):
        transport.max_size = LARGEST_BITE


def _forget_reading(transport: asyncio.BaseTransport) -> None:
    """Let a transport of asyncio's that is gone forget its own methods by which it reads and, from 3.12 on, writes."""
    for name in ("_read_ready_cb", "_write_ready"):
        if name in vars(transport):
            setattr(transport, name, lambda: None)
