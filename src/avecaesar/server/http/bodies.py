"""How much memory the bodies of large requests may take: those of an address, of its network, and all together.

A body is gathered before anything is known of it, and whoever sends it slowly has the server keep it for half a minute.
So what has arrived is counted as it comes, for as long as it is needed. Short messages are not counted: the number of
connections bounds them, and nobody's move waits for somebody's upload.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from avecaesar.server.networks import NEIGHBOURS, wider
from avecaesar.server.refused import RefusedError
from avecaesar.server.wire.decoding import LARGEST_UPLOAD
from avecaesar.speech import say

OF_AN_ADDRESS = 2 * LARGEST_UPLOAD  # bytes
IN_ALL = 2 * NEIGHBOURS * OF_AN_ADDRESS  # so that no network takes all
EVERYBODY = ""  # the room of all
Grown = Callable[[int], None]


class Bodies:
    """The bytes that have arrived of bodies which are still needed, by name of the room."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._held)

    @contextmanager
    def held(self, address: str) -> Iterator[Grown]:
        """Count a body until it is needed no longer. What is given is called with its size, each time it has grown."""
        rooms = {f"of {address}": OF_AN_ADDRESS, wider(address): OF_AN_ADDRESS * NEIGHBOURS, EVERYBODY: IN_ALL}
        counted = 0

        def grown(size: int) -> None:
            nonlocal counted
            for room, most in rooms.items():
                if self._held[room] + size - counted > most:
                    raise _too_much(room)
            self._held.update(dict.fromkeys(rooms, size - counted))
            counted = size

        try:
            yield grown
        finally:
            self._held.subtract(dict.fromkeys(rooms, counted))
            for room in rooms:
                if not self._held[room]:
                    del self._held[room]


def _too_much(room: str) -> RefusedError:
    if room == EVERYBODY:
        return RefusedError(say("this cannot be worked out just now: try again later"), status=503)
    return RefusedError(say("too much is being worked on for your address: try again in a moment"), status=429)
