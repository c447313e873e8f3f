"""The events of a table's log. A table is the fold of them and nothing else; they are the server's own, never sent."""

from __future__ import annotations

from typing import Literal

import msgspec

from avecaesar.server.messages import Move, NewTable, Phrase

By = Literal["person", "driver", "stand-in", "clock", "rule"]


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag=str.lower):
    """Something that happened at a table."""


class WasLaid(Event, frozen=True):
    """The table was laid, with every name, colour and driver filled in.

    The text of a board that is not ours stands in logs of before 0.7 only; since then `plan.board`, its digest, is
    enough, for the text is kept once with the uploads. Whoever folds the event puts it in.
    """

    plan: NewTable
    board: str | None = None


class Sealed(Event, frozen=True):
    """The secret of the next race's cards was drawn, and its commitment published."""

    commitment: str
    secret: str


class Shaken(Event, frozen=True):
    """A person added his share to them; `holder` tells persons apart."""

    holder: str
    share: str
    seat: int | None = None  # the first of his; logs of before 0.7 do not tell


class Sat(Event, frozen=True):
    """A person took a free seat."""

    seat: int
    name: str
    colour: str


class Dressed(Event, frozen=True):
    """A person changed name or colour."""

    seat: int
    name: str
    colour: str


class Stood(Event, frozen=True):
    """A person left a seat, or the host freed it."""

    seat: int


class Appointed(Event, frozen=True):
    """A driver of the computer's took a seat."""

    seat: int
    driver: str


class Begun(Event, frozen=True):
    """A race began: the first, the next, or after the last one the first of a rematch."""


class Readied(Event, frozen=True):
    """Between two races: those who sit here are ready for the next one."""

    seats: tuple[int, ...]


class Chosen(Event, frozen=True):
    """A deck or its sorting was chosen for a chariot that has not been asked yet; a Moved follows when it is."""

    seat: int
    chariot: int
    move: Move


class Moved(Event, frozen=True):
    """A decision was made, for a seat or (None) for a riderless chariot."""

    seat: int | None
    move: Move
    by: By


class Said(Event, frozen=True):
    """Somebody said something."""

    seat: int | None  # None: a host without a seat
    text: str | None
    phrase: Phrase | None


class Paused(Event, frozen=True):
    """The race rests; `left` are the seconds that the person on turn still has, where a clock runs."""

    seat: int | None
    left: float | None = None


class Resumed(Event, frozen=True):
    """It goes on."""

    seat: int | None


AnyEvent = (
    WasLaid
    | Sealed
    | Shaken
    | Sat
    | Dressed
    | Stood
    | Appointed
    | Readied
    | Begun
    | Chosen
    | Moved
    | Said
    | Paused
    | Resumed
)
Quiet = Shaken | Readied | Chosen | Said  # no decision of anybody else's depends on them

_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def encode(event: AnyEvent) -> bytes:
    """An event as the log keeps it."""
    return msgspec.json.encode(event)


def decode(body: bytes) -> AnyEvent:
    """An event of the log."""
    return _decoder.decode(body)
