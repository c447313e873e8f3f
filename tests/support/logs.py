"""A table and the log that it was folded from."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.tables import decisions
from avecaesar.server.tables import events as e
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.plan import filled_in
from avecaesar.server.tables.seats import UNTOLD, Circumstances
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from recordings import choose


def of(*seats: int, host: bool = False) -> Actor:
    """Somebody who holds these seats."""
    return Actor((f"holder of {seats}",), frozenset(map(SeatNumber, seats)), host)


class Log(NamedTuple):
    """A table and what it was folded from."""

    state: TableState
    entries: list[tuple[float, str | None, bytes]]

    def add(self, *events: e.AnyEvent, command: str | None = None) -> None:
        for event in events:
            at = float(len(self.entries))
            self.entries.append((at, command, e.encode(event)))
            self.state.apply(self.state.number + 1, at, event, command)

    def happen(self, *events: e.AnyEvent, command: str | None = None) -> None:
        """The same with what follows by itself, as a running table does it."""
        at = float(len(self.entries))
        happened = self.state.happen(events, at, command)
        self.entries.extend((at, None, e.encode(event)) for event in happened)
        self.entries[-1] = (at, command, self.entries[-1][2])

    def do(self, actor: Actor, command: msg.Logged, circumstances: Circumstances = UNTOLD) -> None:
        self.happen(*decisions.decide(self.state, actor, command, circumstances))

    def begin(self, *, share: str | None = None) -> None:
        """All who sit there go on to the next race; the last of them may add a share to it."""
        *first, last = sorted(self.state.persons - self.state.ready)
        for seat in first:
            self.do(of(seat), msg.Begin(id="a", at=self.state.changed))
        self.do(of(last), msg.Begin(id="a", at=self.state.changed, share=share))

    def race(self, source: random.Random) -> None:
        """On to the end of the race."""
        while self.state.phase == "racing":
            seat, race = self.state.on_turn, self.state.game_table.race
            by: e.By = "person" if seat is not None else "rule"
            self.happen(e.Moved(seat, choose(race, "careful", source), by))


def laid(*kinds: str, board: str | None = None, seed: int = 1, **wishes: Any) -> Log:
    """A table: "here", "friend" or the name of a driver for each seat."""
    seats = tuple(
        msg.SeatPlan(kind=kind) if kind in ("here", "friend") else msg.SeatPlan(kind="driver", driver=kind)  # type: ignore[arg-type]
        for kind in kinds
    )
    log = Log(TableState("circus", dealer=lambda secret, shares, purpose: random.Random(f"{seed}/{purpose}")), [])
    log.add(e.WasLaid(filled_in(msg.NewTable(seats=seats, **wishes)), board), e.Sealed("c" * 64, "5" * 64))
    return log
