"""How many open tables an address has in the lobby, those that are being laid just now among them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from avecaesar.server.networks import wider
from avecaesar.server.refused import RefusedError
from avecaesar.speech import say

TABLES_OF_A_NETWORK = 3  # times as many open tables has it in the lobby, which shows fifty


class OpenTables:
    """The open tables of addresses and networks, by name; `still_listed` tells which of them lists still show.

    Which are whose is nowhere written down: after a restart it is counted afresh.
    """

    def __init__(self, still_listed: Callable[[Sequence[str]], Awaitable[Collection[str]]]) -> None:
        self._still_listed = still_listed
        self._open_of: dict[str, list[str]] = {}  # by address and network
        self._being_laid = set[str]()  # those of them that the store does not know yet

    async def keep_place(self, table: str, address: str, most: int) -> None:
        """Keep a place for a table that is to be laid, or refuse it.

        An address has a few tables in the lobby at a time, and its network not many more: nobody pushes others out.
        """
        rooms = {address: most, wider(address): most * TABLES_OF_A_NETWORK}
        laid = [each for name in rooms for each in self._open_of.get(name, ()) if each not in self._being_laid]
        gone = set(laid) - set(await self._still_listed(laid))
        for name in rooms:  # and nobody comes between this and what follows
            self._drop(name, gone)
        for name, many in rooms.items():
            if (count := len(self._open_of.get(name, ()))) >= many:
                raise RefusedError(
                    say("your address has {many} open tables in the lobby already: race there first", many=count),
                    status=429,
                )
        self._being_laid.add(table)
        for name in rooms:
            self._open_of.setdefault(name, []).append(table)

    @contextmanager
    def kept(self, table: str, address: str) -> Iterator[None]:
        """Lay a table for which a place is kept; if it is not laid, the place is free again."""
        try:
            yield
        except BaseException:  # a cancellation too: the store carries out what it has begun, and raises none then
            for name in (address, wider(address)):
                self._drop(name, {table})
            raise
        finally:
            self._being_laid.discard(table)

    def _drop(self, name: str, tables: Collection[str]) -> None:
        left = [table for table in self._open_of.get(name, ()) if table not in tables]
        if left:
            self._open_of[name] = left
        else:
            self._open_of.pop(name, None)
