"""The events of a table's log. A table is the fold of them and nothing else; they are the server's own, never sent.

Logs outlive releases, so their shapes are their own: what a page may send can change, and old logs are still read.
Whoever changes a shape here raises VERSION and teaches UPCASTS to bring an event of the version before to the new one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from avecaesar.courses import Direction
from avecaesar.game import Move
from avecaesar.game.numbers import ChariotNumber, SeatNumber

VERSION = 1  # of the shapes below; events of the first version do not name it
UPCASTS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}  # by version: how the next one tells such an event

How = Literal["free", "back", "agreed"]
By = Literal["person", "driver", "stand-in", "clock", "rule"]


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag=str.lower):
    """Something that happened at a table."""


class Veiled(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="veiled"):
    """A move that tells hidden cards, as the log of a running race has it: encrypted (`hidden_moves.Veil`)."""

    token: str


LoggedMove = Move | Veiled


def in_clear(move: LoggedMove) -> Move:
    """A move that can be read: whoever folds a log has lifted the veil before."""
    if isinstance(move, Veiled):
        raise ValueError("a move of the log is encrypted, and not with the secret of its race")
    return move


class PlannedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who was to sit on a seat when the table was laid."""

    kind: Literal["here", "friend", "driver"]
    name: str
    colour: str
    driver: str = ""  # empty: a person's seat


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is played at a table, and how; `wire.messages.NewTable` says what each field means."""

    seats: tuple[PlannedSeat, ...]
    edition: str = "ravensburger"
    options: dict[str, str] = {}
    course: str = "white"
    direction: Direction = "clockwise"
    tournament: bool = False
    side: str | None = None
    courses: tuple[str, ...] | None = None
    board: str | None = None
    memory_aid: bool = True
    title: str = ""
    open: bool = False
    clock: int | None = None
    away: int | None = 60
    hints: bool = True
    pace: int = 700
    lesson: bool = False


class WasLaid(Event, frozen=True):
    """The table was laid, with every name, colour and driver filled in.

    The text of a board that is not ours stands in logs of before 0.7 only; since then `plan.board`, its digest, is
    enough, for the text is kept once with the uploads. Whoever folds the event puts it in.
    """

    plan: Plan
    board: str | None = None
    rules: int = 1  # the version of the rules that it is played by; the first logs name none


class Sealed(Event, frozen=True):
    """The secret of the next race's cards was drawn, and its commitment published.

    The log keeps the secret encrypted (`keyring.Keyring`); logs of before 0.7 hold it in clear.
    """

    commitment: str
    secret: str = ""  # empty: it is not known here, or not to be written
    token: str = ""  # the secret, encrypted
    key: str = ""  # the name of the key that opens it


class Unsealed(Event, frozen=True):
    """A race is over, and the secret of its cards is open to everybody: from now on its log is read without a key."""

    secret: str


class Shaken(Event, frozen=True):
    """A person added his share to them; `holder` tells persons apart."""

    holder: str
    share: str
    seat: SeatNumber | None = None  # the first of his; logs of before 0.7 do not tell


class Sat(Event, frozen=True):
    """A person took a free seat, came back to one that he had left in this race, or was let by the others."""

    seat: SeatNumber
    name: str  # of the seat: chariots keep theirs to the end, whoever drives
    colour: str
    how: How = "free"
    besides: SeatNumber | None = None  # a seat that he has already


class Dressed(Event, frozen=True):
    """A person changed name or colour."""

    seat: SeatNumber
    name: str
    colour: str


class Stood(Event, frozen=True):
    """A person left a seat, or the host freed it."""

    seat: SeatNumber
    freed: bool = False  # by the host, who had a person or a driver there before


class Appointed(Event, frozen=True):
    """A driver of the computer's took a seat."""

    seat: SeatNumber
    driver: str


class Begun(Event, frozen=True):
    """A race began: the first, the next, or after the last one the first of a rematch."""


class Readied(Event, frozen=True):
    """Between two races: those who sit here are ready for the next one."""

    seats: tuple[SeatNumber, ...]


class ChosenAhead(Event, frozen=True, tag="chosen"):
    """A deck or its sorting was chosen for a chariot that has not been asked yet; a Moved follows when it is."""

    seat: SeatNumber
    chariot: ChariotNumber
    move: LoggedMove


class Moved(Event, frozen=True):
    """A decision was made, for a seat or (None) for a riderless chariot."""

    seat: SeatNumber | None
    move: LoggedMove
    by: By


class Said(Event, frozen=True):
    """Somebody said something."""

    seat: SeatNumber | None  # None: a host without a seat
    text: str | None
    phrase: str | None


class Paused(Event, frozen=True):
    """The race rests; `left` are the seconds that the person on turn still has, where a clock runs."""

    seat: SeatNumber | None
    left: float | None = None


class Resumed(Event, frozen=True):
    """It goes on."""

    seat: SeatNumber | None


class Closed(Event, frozen=True):
    """The table was closed: it can be looked at, and nobody plays on."""

    by: Literal["operator", "host", "nobody"] = "operator"  # nobody: its host is gone, and no one else sits there


class Banned(Event, frozen=True):
    """The host banned whoever sat on a seat; a Stood goes before for each seat that he had."""

    seat: SeatNumber


class Struck(Event, frozen=True):
    """A saying was erased, by the host or by whoever said it."""

    number: int  # of its event
    seat: SeatNumber | None  # who erased it, None: a host without a seat


class Blanked(Event, frozen=True):
    """The host erased all names and words of the table, and closed it."""


LinkKind = Literal["device", "seat", "invitation"]


class Linked(Event, frozen=True):
    """A link was made: to a sitter's own seats for another device, to a free seat, or for whoever is invited."""

    link: str  # tells links apart, and opens nothing
    kind: LinkKind
    seat: SeatNumber | None
    until: float  # seconds since 1970
    seats: tuple[SeatNumber, ...] = ()  # all that it opens for another device; logs of before tell of the first only
    host: bool = False  # whether whoever opens it will be host too
    laid: bool = False  # the invitation that a table for friends is laid with


class Opened(Event, frozen=True):
    """A link to a seat was opened, for the one browser it is good for."""

    link: str
    seat: SeatNumber
    kind: LinkKind
    seats: tuple[SeatNumber, ...] = ()  # as in Linked
    host: bool = False  # the same


class Voided(Event, frozen=True):
    """The host voided all invitations and all links to free seats."""


class OthersShutOut(Event, frozen=True, tag="shutout"):
    """A sitter shut all other devices out of a seat."""

    seat: SeatNumber


class HandedOn(Event, frozen=True):
    """The host made somebody else the host, and is it no longer."""

    seat: SeatNumber


class Wished(Event, frozen=True):
    """Somebody asks to take over, in mid-race, a seat that a stand-in drives; `holder` tells persons apart."""

    seat: SeatNumber
    holder: str
    name: str  # may be empty


class Agreed(Event, frozen=True):
    """Persons who sit at the table let him; a Sat follows when all of them do."""

    seat: SeatNumber
    by: tuple[SeatNumber, ...]


class Declined(Event, frozen=True):
    """Somebody who sits at the table would rather not, or (None) whoever asked is gone."""

    seat: SeatNumber
    by: SeatNumber | None


AnyEvent = (
    WasLaid
    | Sealed
    | Unsealed
    | Shaken
    | Sat
    | Dressed
    | Stood
    | Appointed
    | Readied
    | Begun
    | ChosenAhead
    | Moved
    | Said
    | Paused
    | Resumed
    | Linked
    | Opened
    | Voided
    | OthersShutOut
    | HandedOn
    | Wished
    | Agreed
    | Declined
    | Closed
    | Banned
    | Struck
    | Blanked
)
AdmissionEvent = Linked | Opened | Voided | OthersShutOut | HandedOn | Wished | Agreed | Declined
# No decision of anybody else's depends on these.
Quiet = Shaken | Readied | ChosenAhead | Said | Struck | Banned | AdmissionEvent

SEALED, SAT = b'{"event":"sealed",', b'{"event":"sat",'  # how the bodies of such events begin


class NewerEvent(ValueError):
    """A newer release has written this event."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the log has events of version {version}, and this release reads up to {VERSION}: upgrade it")


class _Head(msgspec.Struct):
    v: int = 1


_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
_head = msgspec.json.Decoder(_Head)


def encode(event: AnyEvent) -> bytes:
    """An event as the log keeps it: of a secret that is encrypted nothing else."""
    if isinstance(event, Sealed) and event.token:
        event = msgspec.structs.replace(event, secret="")
    body = msgspec.json.encode(event)
    return body if VERSION == 1 else body[:-1] + b',"v":%d}' % VERSION


def decode(body: bytes) -> AnyEvent:
    """An event of the log; one of an older version is brought up to date (upcasting)."""
    version = _head.decode(body).v
    if version > VERSION:
        raise NewerEvent(version)
    if version == VERSION == 1:
        return _decoder.decode(body)
    event = msgspec.json.decode(body)
    event.pop("v", None)
    for older in range(version, VERSION):
        event = UPCASTS[older](event)
    upcast: AnyEvent = msgspec.convert(event, AnyEvent)
    return upcast
