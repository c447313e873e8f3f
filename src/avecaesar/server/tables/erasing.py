"""Erasing what people wrote at a table: a saying, all words, or whatever one person has left there."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypedDict

from avecaesar.records import Record, to_json
from avecaesar.server.store.shapes import Blank, LogEntry
from avecaesar.server.tables import erasable_words
from avecaesar.server.tables import events as e
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.admission import TAG, tag_of
from avecaesar.server.tables.appending import TRIES, too_much
from avecaesar.server.tables.erasable_words import Person
from avecaesar.server.tables.folding import Interlude, decoded, fold
from avecaesar.server.tables.keyring import opened
from avecaesar.server.tables.state import TableState

if TYPE_CHECKING:
    from avecaesar.server.tables.running import RunningTable

NOBODY = Person()


class Erasure(TypedDict):
    """What becomes of the words at a table, and of the tags of whoever wrote them."""

    blank: Sequence[Blank]
    retagged: Sequence[LogEntry]
    state: TableState | None  # the table without them, if it had to be folded anew


class Erasing:
    """Finds which words go, and the state without them."""

    def __init__(self, table: RunningTable) -> None:
        self._table: RunningTable = weakref.proxy(table)

    @property
    def _state(self) -> TableState:
        return self._table.state

    async def following(self, events: Sequence[e.AnyEvent]) -> Erasure:
        """Which words go with events that somebody brings about."""
        match events:
            case [e.Struck(number)]:
                return {"blank": [Blank(number, 0, None)], "retagged": (), "state": None}
            case [e.Blanked()]:
                return await self._without(erasable_words.all_of, NOBODY)
            case _:
                return {"blank": (), "retagged": (), "state": None}

    async def _without(
        self,
        which: Callable[[Sequence[LogEntry]], list[erasable_words.WrittenWord]],
        person: Person,
    ) -> Erasure:
        """Some words, and the table as it is without them: folded anew by turns, so that they are nowhere any more.

        Nor are a person's tags, by which all that he did would still belong together.
        """
        tags = {tag: secrets.token_hex(TAG // 2) for tag in person.own | person.devices}
        found = await self._table.store.found_in_log(
            self._state.id, partial(erasable_words.erased, which=which, tags=tags, person=person)
        )
        if not found.blank and not found.retagged:
            return {"blank": (), "retagged": (), "state": None}
        async with self._table.turns(len(found.entries)) as turn:
            state = await self._folded(found.entries, turn.step)
        if _names_in(state) != _names_in(self._state):
            await self._drop_uploads()
        return {"blank": found.blank, "retagged": found.retagged, "state": state}

    async def _folded(self, entries: Sequence[LogEntry], between: Interlude) -> TableState:
        entries = entries[: self._state.number + 1]
        events = opened(await decoded(entries, between), self._table.keys)
        return await fold(self._state.afresh(), entries, events, between)

    async def _drop_uploads(self) -> None:
        """Somebody may have uploaded a record of the races here, with the names in it; and have had its chronicles.

        It is known by the seals of its races. All lessons have the same one: of those exactly their records are meant.
        """
        state = self._state
        if not state.plan.lesson:
            seals = [seal for _, seals in state.games for seal in seals]
            await self._table.store.drop_records([seal.commitment for seal in seals])
            return
        for game in range(state.game + 1):
            for races in range(1, state.races_over(game) + 1):
                await self._table.store.drop_records(
                    (), [await asyncio.to_thread(_digest_of, state.record(game, races))]
                )

    async def forget(self, keys: Sequence[str]) -> None:
        """Erase what somebody wrote here, and end his rights; the table is folded anew."""
        await self._table.shielded(self._forget(keys))

    async def _forget(self, keys: Sequence[str]) -> None:
        async with self._table.lock:
            for _ in range(TRIES):
                who = await self._table.rights.of(keys)
                own = {seat for seat in who.seats for key in keys if key in self._table.rights.devices_of([seat])}
                who = who._replace(seats=frozenset(own))  # where he only opened a link somebody else goes on
                person = self._person(keys, who)
                events, rights = self._table.rights.leaving(who, set(person.own))
                erasing = await self._without(partial(erasable_words.of_person, person=person), person)
                if await self._table.add(events, **rights, **erasing):
                    return
        raise too_much()

    def _person(self, keys: Sequence[str], who: Actor) -> Person:
        rights = self._table.rights
        own = {*keys, *(key for seat in who.seats for key in rights.keys_to(seat, "sat"))}
        devices = rights.devices_of(who.seats) - own
        return Person(frozenset(map(tag_of, own)), frozenset(map(tag_of, devices)), who.seats)


def _names_in(state: TableState) -> list[tuple[tuple[str, ...], ...]]:
    """The names that the races of a table tell."""
    return [table.names for table, _ in state.games]


def _digest_of(record: Record) -> str:
    return hashlib.sha256(to_json(record)).hexdigest()
