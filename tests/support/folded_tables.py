"""Tables in every phase, folded from a log without a server, and what everybody sees of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

import msgspec
import pytest

from avecaesar.game import moves as m
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables import decisions
from avecaesar.server.tables import events as e
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.projection import Sight, shown
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from harness import SHORT
from logs import Log, laid
from seat_numbers import FIRST

PHASES = ("gathering", "racing", "paused", "podium", "over")
STRANGER = Actor(("stranger",), frozenset(), False)
HOST = Actor(("host",), frozenset(), True)


@cache
def entries_of(phase: str) -> tuple[tuple[float, str | None, bytes], ...]:
    log = laid("here", "here", "here", tournament=True, options={**SHORT, "races": "2", "schedule": "one_course"})
    source = random.Random(1)
    if phase != "gathering":
        log.add(e.Begun())
    if phase == "paused":
        log.add(e.Paused(FIRST))
    for _ in range({"podium": 1, "over": 2}.get(phase, 0)):
        if log.state.phase == "podium":
            log.add(e.Begun())
        log.race(source)
    return tuple(log.entries)


def table_in(phase: str) -> Log:
    """A table of three people in this phase of a tournament of two races."""
    log = folded(entries_of(phase))
    assert log.state.phase == {"paused": "racing"}.get(phase, phase)
    return log


def folded(entries: Sequence[tuple[float, str | None, bytes]]) -> Log:
    seed = 1
    log = Log(
        TableState("circus", dealer=lambda secret, shares, purpose: random.Random(f"{seed}/{purpose}")), [*entries]
    )
    for number, (at, command, body) in enumerate(entries):
        log.state.apply(number, at, e.decode(body), command)
    return log


def everything(state: TableState) -> list[bytes]:
    """What everybody who may look at the table is shown, as it is sent."""
    return [whole(state, sight) for sight in sights(state)]


def sights(state: TableState) -> list[Sight]:
    """Spectators, who sits on each seat, and who has them all at one screen."""
    seats = state.seats
    single = [Sight(seats=frozenset({seat}), holder=f"holder of {(seat,)}") for seat in seats]
    return [Sight(), *single, *(Sight(seats=frozenset(seats), host=True, lifted=lifted) for lifted in (None, *seats))]


def whole(state: TableState, sight: Sight) -> bytes:
    return msgspec.json.encode(msg.Whole(shown(state, sight), state.lines))


def tried(state: TableState, actor: Actor, command: msg.Logged) -> list[e.AnyEvent]:
    """What a command leads to, folded into a twin."""
    return state.twin().happen(decisions.decide(state, actor, command), 0.0)


def refused(log: Log, actor: Actor, command: msg.Logged) -> RefusedError:
    """Why a command is not carried out; the table is as it was."""
    before = everything(log.state)
    with pytest.raises(RefusedError) as caught:
        tried(log.state, actor, command)
    assert everything(log.state) == before
    error = caught.value
    assert error.problem
    assert "\n" not in error.problem
    assert error.status in (400, 403, 404, 409)
    return error


def move_for(state: TableState) -> msg.Logged:
    move = state.game_table.race.legal_moves[0] if state.phase == "racing" else m.Withdraw()
    return msg.MakeMove(id="a", at=state.changed, seat=state.on_turn or FIRST, move=move)
