"""Who is at a table and who is away, since when, and how long the person on turn still has."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.fairness import Asker, Urgency, asking
from avecaesar.server.tables import events as e
from avecaesar.server.tables.seats import Circumstances
from avecaesar.server.tables.state import TableState

if TYPE_CHECKING:
    from avecaesar.server.tables.running import RunningTable

USUAL_WAIT = 60.0  # seconds for somebody who is away when the next race is to begin, where no driver ever stands in
A_JUMP = 0.5  # seconds that the wall's clock differs from what it should show
LOOK = 30.0  # seconds for which a table is watched by somebody who has asked for it over HTTP or has just left


class Presence:
    """People at one table, by the steady clock; nothing of it is written down."""

    def __init__(self, table: RunningTable) -> None:
        self._table: RunningTable = weakref.proxy(table)
        self._ahead = table.clock() - table.steady()  # the wall's clock of the steady one, when it was last compared
        self.since = table.steady()  # from when on clocks count: nobody loses time while the server is down
        self._touched = self._paused_at = self.since  # when the game last went on, and when it last rested
        self._seen: dict[SeatNumber, float] = {}  # by seat: when its person was last here
        self._looked: tuple[float, Asker] | None = None  # when somebody last had a look, and who; never written down

    @property
    def _state(self) -> TableState:
        return self._table.state

    @property
    def present(self) -> frozenset[SeatNumber]:
        """Seats whose persons have the table before them."""
        return frozenset(seat for connection in self._table.connections for seat in connection.who.seats)

    def saw(self, seats: frozenset[SeatNumber]) -> None:
        """Their person is here, or if there are no seats, somebody who looks on."""
        now, (asker, *_) = self._table.steady(), asking()
        self._seen.update(dict.fromkeys(seats, now))
        if not self.watched:
            self._table.wake.set()
        sat = self._looked is not None and self._fresh and self._looked[1].urgency is Urgency.SEATED
        if seats or not sat:  # whoever passes by does not take the account over from somebody who sits here
            self._looked = now, asker._replace(urgency=Urgency.SEATED if seats else Urgency.ASKED)

    @property
    def watched(self) -> bool:
        """Whether anybody has the table before him, or had just now."""
        return bool(self._table.connections) or self._fresh

    @property
    def _fresh(self) -> bool:
        return self._looked is not None and self._table.steady() < self._looked[0] + LOOK

    def away_from(self, seat: SeatNumber) -> float | None:
        """From when on a driver stands in for a seat's person; None: not at all, or while nobody waits for him."""
        chair, away = self._state.chairs[seat], self._state.plan.away
        if chair.driver or seat in self.present:
            return None
        if chair.free:
            return self.since
        waiting = [other for other in self.present if other != seat]
        if away is None or not waiting:
            return None
        return self._seen.get(seat, self.since) + away

    def _gone_from(self, seat: SeatNumber) -> float | None:
        """From when on nobody has to wait for a seat's person before the next race begins; None: while he is here."""
        if seat in self.present:
            return None
        wait = USUAL_WAIT if self._state.plan.away is None else self._state.plan.away
        return self._seen.get(seat, self.since) + wait

    @property
    def _waits(self) -> frozenset[SeatNumber]:
        return self._state.waits(self._state.persons - self.present)

    def without_from(self, seats: frozenset[SeatNumber]) -> float | None:
        """When the next race may begin without those who are away, if whoever holds these seats is ready; None: never.

        That is while somebody is here who is not ready, and when nobody is waited for.
        """
        waits = [self._gone_from(seat) for seat in self._waits - seats]
        away = [when for when in waits if when is not None]
        return max(away) if away and len(away) == len(waits) else None

    @property
    def stand_ins(self) -> frozenset[SeatNumber]:
        """Seats that are driven for their persons now."""
        now = self._table.steady()
        aways = {seat: self.away_from(seat) for seat in self._state.seats}
        racing = self._state.phase == "racing"
        return frozenset(seat for seat, away in aways.items() if racing and away is not None and now >= away)

    @property
    def due(self) -> float | None:
        """When a driver stands in for the person on turn."""
        return None if self._state.on_turn is None else self.away_from(self._state.on_turn)

    @property
    def deadline(self) -> float | None:
        """When the turn of the person on turn runs out, by the steady clock."""
        state = self._state
        if state.plan.clock is None or not state.racing or state.on_turn is None or state.chairs[state.on_turn].driver:
            return None
        return self._touched + (state.plan.clock if state.left is None else state.left)

    def compare_clocks(self) -> float:
        """How far the wall's clock is ahead of the steady one.

        It changes with a jump only: else every message would name another deadline, by microseconds.
        """
        ahead = self._table.clock() - self._table.steady()
        if abs(ahead - self._ahead) > A_JUMP:
            self._ahead = ahead
        return self._ahead

    @property
    def circumstances(self) -> Circumstances:
        """What the log does not tell."""
        now, deadline = self._table.steady(), self.deadline
        gone = {seat: self._gone_from(seat) for seat in self._state.persons}
        return Circumstances(
            left=None if deadline is None else max(deadline - now, 0.0),
            away=self._state.persons - self.present,
            gone=frozenset(seat for seat, when in gone.items() if when is not None and now >= when),
            host_here=any(connection.who.host for connection in self._table.connections),
            alone=self._table.rights.alone,
            unasked=frozenset(
                seat for seat in self._state.admission.wishes if not self._table.rights.keys_to(seat, "wish")
            ),
        )

    @property
    def askers(self) -> Sequence[Asker]:
        """On whose account drivers think: those who sit here, else those who look on, else nobody's."""
        here = [
            one.asker._replace(urgency=Urgency.SEATED) if one.who.seats else one.asker
            for one in self._table.connections
        ]
        if self._looked is not None and self._fresh:
            here.append(self._looked[1])
        seated = [asker for asker in here if asker.urgency is Urgency.SEATED]
        return seated or here or [Asker("", self._state.id, Urgency.UNWATCHED)]

    def follow(self, happened: Sequence[e.AnyEvent], goes_on: bool) -> None:
        """These events have happened, and a turn's clock began with them or not.

        Nobody was away for longer because the race rested.
        """
        now = self._table.steady()
        for event in happened:
            if isinstance(event, e.Paused):
                self._paused_at = now
            if isinstance(event, e.Resumed):
                for seat in self._state.seats:
                    seen = self._seen.get(seat, self.since)
                    self._seen[seat] = seen + max(now - max(self._paused_at, seen), 0.0)
        if goes_on:
            self._touched = now
