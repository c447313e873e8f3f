"""A wire between a browser and a server, to be cut."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from servers import Server


class Wire:
    """A wire to a server. It can be cut, and it can keep back what the server answers."""

    def __init__(self, port: int) -> None:
        self._far = port
        self._near = socket.create_server(("127.0.0.1", 0))
        self._ends: set[socket.socket] = set()
        self._whole, self._deaf = True, False
        threading.Thread(target=self._join, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._near.getsockname()[1]}"

    def cut(self) -> None:
        """No line any more, and no new one."""
        self._whole = False
        for end in list(self._ends):
            _close(end)

    def mend(self) -> None:
        self._whole, self._deaf = True, False

    def keep_back(self) -> None:
        """From now on what is sent arrives, and no answer comes, until it is cut."""
        self._deaf = True

    def close(self) -> None:
        self.cut()
        _close(self._near)

    def _join(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._near.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self._far)) if self._whole else None
                except OSError:
                    far = None
                if far is None:
                    near.close()
                    continue
                self._ends |= {near, far}
                threading.Thread(target=self._carry, args=(near, far, False), daemon=True).start()
                threading.Thread(target=self._carry, args=(far, near, True), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while sent := one.recv(65536):
                if not (answers and self._deaf):
                    other.sendall(sent)
        for end in (one, other):
            self._ends.discard(end)
            _close(end)


def _close(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextmanager
def wired(server: Server) -> Iterator[Wire]:
    wire = Wire(server.port)
    try:
        yield wire
    finally:
        wire.close()
