"""Tables of every kind whose people race by chance, and what everybody is sent there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from avecaesar.game.numbers import AnySeat, SeatNumber
from avecaesar.rules import EDITIONS
from avecaesar.server.tables import events as e
from avecaesar.server.tables.plan import filled_in
from avecaesar.server.tables.projection import Sight, shown
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from recordings import choose

# What can be played beside the editions as they are printed.
HOUSES: dict[str, dict[str, Any]] = {
    **{name: {"edition": name, "players": 4} for name in EDITIONS},
    "teams": {"edition": "ravensburger", "players": 2, "options": {"chariots_each": "2"}},
    "votes": {
        "edition": "ravensburger",
        "players": 3,
        "options": {"riderless": "extra", "riderless_count": "2", "riderless_moves": "vote"},
    },
    "riderless": {"edition": "ravensburger", "players": 2, "options": {"riderless": "fill"}},
    "piles by heart": {"edition": "ausgebremst", "players": 3, "memory_aid": False},
    "piles in teams": {"edition": "ausgebremst", "players": 2, "options": {"chariots_each": "2"}},
}


def table_for(house: str, seed: int) -> tuple[TableState, Iterator[tuple[float, e.AnyEvent]]]:
    """A table of people who race by chance, and the events of its first race as they come."""
    wanted = dict(HOUSES[house])
    seats = tuple(msg.SeatPlan(kind="here") for _ in range(wanted.pop("players")))
    state = TableState("a", dealer=lambda secret, shares, purpose: random.Random(f"{seed}/{purpose}"))
    return state, events_of(state, filled_in(msg.NewTable(seats=seats, **wanted)), random.Random(seed))


def events_of(state: TableState, plan: e.Plan, source: random.Random) -> Iterator[tuple[float, e.AnyEvent]]:
    yield 0.0, e.WasLaid(plan)
    yield 1.0, e.Sealed("c" * 64, "5" * 64)
    yield 2.0, e.Begun()
    while state.phase == "racing":
        race = state.game_table.race
        yield 3.0 + state.number, e.Moved(state.on_turn, choose(race, "careful", source), "person")


def fold(state: TableState, events: Iterator[tuple[float, e.AnyEvent]]) -> Iterator[e.AnyEvent]:
    for at, event in events:
        state.apply(state.number + 1, at, event)
        yield event


def message(state: TableState, seat: SeatNumber | None, number: int = -1) -> bytes:
    """What a seat, or a spectator, is sent."""
    sight = Sight(seats=frozenset() if seat is None else frozenset({seat}))
    lines = [line for line in state.lines if line.number > number]
    return msgspec.json.encode(msg.News(shown(state, sight), lines))


def chariots_of(state: TableState, seat: AnySeat | None) -> list[int]:
    return [i for i, rig in enumerate(state.game_table.rigs) if seat is not None and rig.seat == seat]
