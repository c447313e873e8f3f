"""A table folded from its log, step by step: others are served between any two events."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeAlias

from avecaesar.server.store.shapes import LogEntry
from avecaesar.server.tables import erasable_words
from avecaesar.server.tables import events as e
from avecaesar.server.tables.hidden_moves import Veil
from avecaesar.server.tables.state import TableState

AT_ONCE = 25  # events that are read in one step
Interlude: TypeAlias = Callable[[], Awaitable[None]]  # is awaited between any two events

others_are_served: Interlude = partial(asyncio.sleep, 0)


async def decoded(entries: Sequence[LogEntry], between: Interlude = others_are_served) -> list[e.AnyEvent]:
    """The events of a log, as far as they can be read without its secrets."""
    events = []
    for number, entry in enumerate(entries):
        events.append(erasable_words.read(entry))
        if number % AT_ONCE == 0:
            await between()
    return events


async def fold(
    state: TableState, entries: Sequence[LogEntry], events: Sequence[e.AnyEvent], between: Interlude = others_are_served
) -> TableState:
    """Fold events with their secrets (`keyring.opened`) into a table's state, as many as there are."""
    veil = Veil()
    for entry, event in zip(entries, events, strict=False):
        state.apply(entry.number, entry.at, veil.decrypt(event), entry.command)
        await between()
    return state
