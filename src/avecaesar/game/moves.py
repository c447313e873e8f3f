"""What a driver can do on a turn, as small values, and their numbers in the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from avecaesar.kernel.records import HOME, MOVE_CRASH, MOVE_MISS, MOVE_PLAY, MOVE_WITHDRAW

Destination = int | Literal["home"]


class InvalidMove(ValueError):
    """Not a move at all: a card or a space that does not exist, or something else altogether."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card and end on a space, or home."""

    card: int
    to: Destination


@dataclass(frozen=True, slots=True)
class Miss:
    """Miss the turn; where the edition says so, one card goes under the deck and another is drawn."""

    exchange: int | None = None


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Leave the race: for the disqualified only."""


@dataclass(frozen=True, slots=True)
class Crash:
    """Crash: the variant's fate of a leader with nothing but sixes."""


Move = Play | Miss | Withdraw | Crash


def to_number(move: Move) -> int:
    """The kernel's number of a move."""
    match move:
        case Play(card, to):
            return _number(MOVE_PLAY, _card(card), HOME if to == "home" else _space(to))
        case Miss(exchange):
            return _number(MOVE_MISS, 0 if exchange is None else _card(exchange), 0)
        case Withdraw():
            return _number(MOVE_WITHDRAW, 0, 0)
        case Crash():
            return _number(MOVE_CRASH, 0, 0)
        case _:
            raise InvalidMove(f"{move!r} is not a move")


def from_number(number: int) -> Move:
    """The move that the kernel means."""
    kind, card, to = number >> 16, (number >> 8) & 255, number & 255
    if kind == MOVE_PLAY:
        return Play(card, "home" if to == HOME else to)
    if kind == MOVE_MISS:
        return Miss(card or None)
    return Withdraw() if kind == MOVE_WITHDRAW else Crash()


def _number(kind: int, card: int, to: int) -> int:
    return (kind << 16) | (card << 8) | to


def _card(card: int) -> int:
    if not (_whole(card) and 1 <= card <= 6):
        raise InvalidMove(f"a card is a number from 1 to 6, not {card!r}")
    return card


def _space(to: int) -> int:
    if not (_whole(to) and 0 <= to < HOME):
        raise InvalidMove(f"a space is its number on the course, or 'home', not {to!r}")
    return to


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
