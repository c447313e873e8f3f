"""The chronicles of races: each is written once, by a worker, and kept."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import msgspec

from avecaesar.records import from_json
from avecaesar.server.ready import Room
from avecaesar.server.store.database import Store
from avecaesar.server.workers.answers import Answers
from avecaesar.server.workers.pool import Thinkers
from avecaesar.telling.chronicle import chronicle_of

EDITION = 3  # of chronicles: one of an older edition is computed again
LONGEST = 120.0  # seconds for one; some take ten
CHRONICLES_KEPT = 8 * 2**20  # bytes in memory; the store has them all


def written_chronicle(body: bytes, k: int) -> bytes:
    """The chronicle of a race of a record in JSON, in JSON itself. For workers."""
    return msgspec.json.encode(chronicle_of(from_json(body), k))


class OfTable(NamedTuple):
    """The table that a record is of, and how many words were erased there when it was written down."""

    table: str
    erasures: int


def chronicle_key(digest: str, k: int, table: str = "") -> str:
    """Under which the chronicle of a race of a record is kept."""
    return hashlib.sha256(f"{EDITION} {k} {digest} {table}".strip().encode()).hexdigest()


class Annals:
    """The chronicles that were written: each is computed once, whoever asks, and kept."""

    def __init__(self, store: Store, thinkers: Thinkers, room: Room | None = None) -> None:
        self._store, self._thinkers = store, thinkers
        self._room = room or Room(store)  # on the disk
        self._written: Answers[bytes] = Answers(CHRONICLES_KEPT, len)

    async def has(self, digest: str, k: int, of: OfTable | None = None) -> bool:
        """Whether that chronicle is written, or was refused."""
        key = chronicle_key(digest, k, of.table if of else "")
        return self._written.has(key) or await self._store.kept("chronicle", key) is not None

    async def chronicle(self, digest: str, body: bytes, k: int, of: OfTable | None = None) -> bytes:
        """The chronicle of a race of the record of that digest, in JSON; it goes with the table that it is of."""
        key = chronicle_key(digest, k, of.table if of else "")

        async def write() -> bytes:
            kept = await self._store.kept("chronicle", key)
            if kept is not None:
                return kept
            written = await self._thinkers.call(written_chronicle, body, k, limit=LONGEST, key=("chronicle", key))
            if await self._room.is_short():
                return written  # it can be written anew, and moves cannot
            if of is None:
                await self._store.keep_of_record(digest, "chronicle", key, written)
            else:
                await self._store.keep_of(of.table, of.erasures, "chronicle", key, written)
            return written

        return await self._written.of(key, write)
