"""A table and the log that it was folded from."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from avecaesar.server.tables import events as e
from avecaesar.server.tables.plan import filled_in
from avecaesar.server.tables.state import UNTOLD, Actor, Moment, Room
from avecaesar.server.wire import messages as msg
from recordings import choose


def of(*seats: int, host: bool = False) -> Actor:
    """Somebody who holds these seats."""
    return Actor(frozenset(seats), host, f"holder of {seats}")


class Log(NamedTuple):
    """A table and what it was folded from."""

    room: Room
    entries: list[tuple[float, str | None, bytes]]

    def add(self, *events: e.AnyEvent, command: str | None = None) -> None:
        for event in events:
            at = float(len(self.entries))
            self.entries.append((at, command, e.encode(event)))
            self.room.apply(self.room.number + 1, at, event, command)

    def do(self, actor: Actor, command: msg.Logged, moment: Moment = UNTOLD) -> None:
        self.add(*self.room.decide(actor, command, moment))

    def begin(self, *, share: str | None = None) -> None:
        """All who sit there go on to the next race; the last of them may add a share to it."""
        *first, last = sorted(self.room.persons - self.room.ready)
        for seat in first:
            self.do(of(seat), msg.Begin(id="a", at=self.room.changed))
        self.do(of(last), msg.Begin(id="a", at=self.room.changed, share=share))

    def race(self, source: random.Random) -> None:
        """On to the end of the race."""
        while self.room.phase == "racing":
            seat, race = self.room.on_turn, self.room.game_table.race
            self.add(*self.room.moved(seat, choose(race, "careful", source), "person" if seat is not None else "rule"))


def laid(*kinds: str, board: str | None = None, seed: int = 1, **wishes: Any) -> Log:
    """A table: "here", "friend" or the name of a driver for each seat."""
    seats = tuple(
        msg.SeatPlan(kind=kind) if kind in ("here", "friend") else msg.SeatPlan(kind="driver", driver=kind)  # type: ignore[arg-type]
        for kind in kinds
    )
    log = Log(Room("circus", dealer=lambda secret, shares, purpose: random.Random(f"{seed}/{purpose}")), [])
    log.add(e.WasLaid(filled_in(msg.NewTable(seats=seats, **wishes)), board), e.Sealed("c" * 64, "5" * 64))
    return log
