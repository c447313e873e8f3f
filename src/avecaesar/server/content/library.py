"""Records and what is made of them: read, refereed, told and drawn in worker processes, and kept.

The event loop never looks into a record: it hands on bytes.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec
from msgspec import UNSET

from avecaesar.courses import BoardError
from avecaesar.courses.geometry import lay_out
from avecaesar.records import from_json, to_text
from avecaesar.records.boards import board_of
from avecaesar.server.content.annals import Annals, OfTable
from avecaesar.server.content.poster import poster
from avecaesar.server.content.replay import film_of, read_upload, replay_of
from avecaesar.server.content.rulebook import rulebook
from avecaesar.server.ready import Room
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.database import Store
from avecaesar.server.tables.events import By
from avecaesar.server.tables.written import KeptRecord, kept_record
from avecaesar.server.wire.legible import fault_in
from avecaesar.server.workers.answers import Answers
from avecaesar.server.workers.budgets import A_FEW_SECONDS, A_MOMENT
from avecaesar.server.workers.pool import Thinkers
from avecaesar.speech import counted, said_in, say, spoken
from avecaesar.telling.chronicle import Chronicle
from avecaesar.telling.chronicle_words import ChronicleShown, praise

LONGEST = 60.0  # seconds for anything but a chronicle
UPLOADS_KEPT = 1000
ANSWERS_KEPT = 64 * 2**20  # bytes


class Keep(Protocol):
    """Keeps an upload by its digest; a record with the commitments of its races."""

    def __call__(
        self, kind: Literal["board", "record"], digest: str, body: bytes, *, commitments: Sequence[str] = ()
    ) -> Awaitable[None]:
        """Keep it, or refuse to."""


class Received(NamedTuple):
    """An upload that was refereed: the record as it will be kept, the boards of other people's in it, and its seals."""

    record: KeptRecord
    boards: tuple[tuple[str, bytes], ...]
    commitments: tuple[str, ...]


# ---------------------------------------------------------------------- in a worker


def received(body: bytes) -> Received:
    """Read and referee an upload. Boards in it have to be fit for everything that a board can be asked for."""
    record = read_upload(body)
    others = [board for board in record.boards if board.source is not UNSET]
    for told_board in others:
        board = board_of(told_board)
        if fault := fault_in(board.name, board.title):
            raise BoardError(fault)
        lay_out(board)
    boards = tuple((board.sha256, str(board.source).encode()) for board in others)
    return Received(
        kept_record(record), boards, tuple(race.seal.commitment for race in record.races if race.seal is not UNSET)
    )


def races_in(body: bytes) -> int:
    """How many races a record has."""
    return len(from_json(body).races)


def text_of(body: bytes) -> bytes:
    """A record in the notation for people."""
    return to_text(from_json(body)).encode()


def replay_shown(replay: str, body: bytes) -> bytes:
    """What a replay has to show, in JSON."""
    return msgspec.json.encode(replay_of(replay, from_json(body)))


def film_shown(body: bytes, race: int, by: Sequence[By]) -> bytes:
    """A race turn by turn, in JSON."""
    return msgspec.json.encode(film_of(from_json(body), race, by))


def chronicle_shown(chronicle: bytes) -> bytes:
    """A chronicle with its words, in JSON."""
    written = msgspec.json.decode(chronicle, type=Chronicle)
    return msgspec.json.encode(ChronicleShown(written, praise(written)))


def poster_drawn(chronicle: bytes) -> bytes:
    """A chronicle as a poster."""
    written = msgspec.json.decode(chronicle, type=Chronicle)
    return poster(written, praise(written)).encode()


def rules_shown(edition: str) -> bytes:
    """The rules of an edition, in JSON."""
    return msgspec.json.encode(rulebook(edition))


# ---------------------------------------------------------------------- on the loop


class Library:
    """What can be had of records: each answer is worked out once, whoever asks, and kept for a while."""

    def __init__(self, store: Store, thinkers: Thinkers, room: Room | None = None) -> None:
        self._store, self._thinkers = store, thinkers
        self._annals = Annals(store, thinkers, room)
        self._uploads: Answers[Received] = Answers(ANSWERS_KEPT, lambda got: len(got.record.body))
        self._races: Answers[int] = Answers(UPLOADS_KEPT)
        self._answers: Answers[bytes] = Answers(ANSWERS_KEPT, len)

    async def upload(self, body: bytes, keep: Keep) -> str:
        """Referee a record and keep it, with its boards, if `keep` lets it; its number as a replay."""
        digest, language = await asyncio.to_thread(lambda: hashlib.sha256(body).hexdigest()), spoken()
        key = ("upload", digest, language)
        got = await self._uploads.of(
            key,
            lambda: self._thinkers.call(said_in, language, received, body, limit=LONGEST, takes=A_FEW_SECONDS, key=key),
        )
        for name, source in got.boards:
            await keep("board", name, source)
        await keep("record", got.record.digest, got.record.body, commitments=got.commitments)
        return got.record.digest

    async def uploaded(self, replay: str) -> KeptRecord:
        """A record that was uploaded."""
        kept = await self._store.kept("record", replay)
        if kept is None:
            raise RefusedError(say("there is no such replay"), status=404)
        return KeptRecord(replay, kept)

    async def replay(self, replay: str, record: KeptRecord) -> bytes:
        """What a replay has to show."""
        return await self._made(("replay", replay, record.digest), replay_shown, replay, record.body)

    async def text(self, record: KeptRecord) -> bytes:
        """A record in the notation for people."""
        return await self._made(("text", record.digest), text_of, record.body)

    async def film(self, record: KeptRecord, race: int, by: Sequence[By]) -> bytes:
        """A race turn by turn, and who made each turn."""
        await self._need_race(record, race)
        return await self._made(("film", record.digest, race, tuple(by)), film_shown, record.body, race, by)

    async def has_chronicle(self, record: KeptRecord, race: int, of: OfTable | None = None) -> bool:
        """Whether the chronicle of a race need not be computed any more."""
        return await self._annals.has(record.digest, race, of)

    async def chronicle(
        self, record: KeptRecord, race: int, form: Literal["words", "poster"], of: OfTable | None = None
    ) -> bytes:
        """What a race was, in words and figures or as a poster."""
        await self._need_race(record, race)
        make = chronicle_shown if form == "words" else poster_drawn
        written = await self._annals.chronicle(record.digest, record.body, race, of)
        return await self._made((form, record.digest, race), make, written)

    async def rules(self, edition: str) -> bytes:
        """The rules of an edition."""
        return await self._made(("rules", edition), rules_shown, edition)

    async def _need_race(self, record: KeptRecord, race: int) -> None:
        key = ("races", record.digest)
        many = await self._races.of(
            key, lambda: self._thinkers.call(races_in, record.body, limit=LONGEST, takes=A_MOMENT, key=key)
        )
        if race >= many:
            problem = counted(
                many, "this replay has {n} race, counted from 0", "this replay has {n} races, counted from 0"
            )
            raise RefusedError(problem, status=404)

    async def _made(self, key: tuple[Hashable, ...], make: Callable[..., bytes], *args: object) -> bytes:
        """An answer in the language that is spoken."""
        language = spoken()
        said = ("made", *key, language)
        return await self._answers.of(
            said,
            lambda: self._thinkers.call(said_in, language, make, *args, limit=LONGEST, takes=A_FEW_SECONDS, key=said),
        )
