"""A table in lists of tables: what the lobby and the operator are told without folding its log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.store.shapes import Grant, Listing, TableRow
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from avecaesar.server.wire.fields import Phase


class Summary(msgspec.Struct, frozen=True):
    """What the lobby tells of a table."""

    title: str
    edition: str
    course: str
    tournament: bool
    phase: Phase
    paused: bool
    seats: list[msg.SeatListed]
    on_turn: SeatNumber | None
    closed: bool = False
    key: str = ""  # the name of the key without which the race that is on cannot go on


def listing_of(state: TableState) -> Listing:
    """How a table stands, for lists of tables; every change is written together with what changes it."""
    listed = state.plan.open and state.phase != "over" and not state.closed
    return Listing(listed, state.goes_on, _summary_of(state))


def _summary_of(state: TableState) -> bytes:
    seats = [msg.SeatListed(chair.name, chair.colour, chair.kind, chair.taken) for chair in state.chairs]
    course = state.table.race.course.name if state.table else state.plan.course
    return msgspec.json.encode(
        Summary(
            state.plan.title,
            state.plan.edition,
            course,
            state.plan.tournament,
            state.phase,
            state.paused,
            seats,
            state.on_turn,
            state.closed,
            state.key if state.phase == "racing" else "",
        )
    )


def with_key(summary: bytes, name: str) -> bytes:
    """What the lobby tells of a table whose race was sealed anew."""
    try:
        told = msgspec.json.decode(summary, type=Summary)
    except msgspec.MsgspecError:
        return summary  # it is damaged, which is no reason to leave all others with the old key
    return msgspec.json.encode(msgspec.structs.replace(told, key=name)) if told.phase == "racing" else summary


def listed(row: TableRow, grants: Sequence[Grant], lacks: Callable[[str, str], bool]) -> msg.TableListed:
    """A table in the lobby, for somebody with these rights; `lacks` tells whether a table lacks its key."""
    summary = msgspec.json.decode(row.summary, type=Summary)
    yours = sorted(grant.seat for grant in grants if grant.role == "drive" and grant.seat is not None)
    stopped = lacks(row.table, summary.key)
    return msg.TableListed(
        table=row.table,
        title=summary.title,
        edition=summary.edition,
        course=summary.course,
        tournament=summary.tournament,
        phase=summary.phase,
        paused=summary.paused,
        seats=summary.seats,
        free=sum(not seat.taken for seat in summary.seats),
        updated=row.updated,
        yours=yours,
        host=any(grant.role == "host" for grant in grants),
        your_turn=summary.on_turn in yours and not stopped,
        stopped=stopped,
    )
