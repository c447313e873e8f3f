"""Drivers of the computer's. A driver sees a `View` and nothing else, and answers with a move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from avecaesar.game import Move, Race, View
from avecaesar.players.chance import Chance
from avecaesar.players.greedy import Greedy

__all__ = ["DRIVERS", "Chance", "Driver", "Greedy", "drive", "driver"]


class Driver(Protocol):
    """Anything that can drive a chariot."""

    def choose(self, view: View) -> Move:
        """One of the view's legal moves."""
        ...


DRIVERS: dict[str, Callable[[int | None], Driver]] = {
    "random": Chance,
    "greedy": lambda seed: Greedy(),
}


def driver(name: str, seed: int | None = None) -> Driver:
    """A driver by its name.

    >>> type(driver("greedy")).__name__
    'Greedy'
    """
    if name not in DRIVERS:
        raise ValueError(f"there is no driver '{name}'; there are {', '.join(DRIVERS)}")
    return DRIVERS[name](seed)


def drive(race: Race, drivers: Sequence[Driver]) -> None:
    """Drive a race to its end, one driver a seat."""
    if len(drivers) != len(race.names):
        raise ValueError(f"a race of {len(race.names)} needs as many drivers, not {len(drivers)}")
    while (seat := race.turn) is not None:
        race.play(drivers[seat].choose(race.view(seat)))
