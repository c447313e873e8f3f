"""Computer drivers, and drivers of your own. A driver sees a `View` and nothing else, and answers with a move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from avecaesar.drivers.characters import A_BUDGET, CHARACTERS, Character, make
from avecaesar.drivers.compiled import Bibulus, Chance, Compiled, Festina, Greedy, Scorpus
from avecaesar.drivers.own import DriverError, in_a_line, load, with_place
from avecaesar.drivers.searcher import Considered, Searcher, advise
from avecaesar.game import Move, Race, View

__all__ = [
    "A_DRIVER",
    "CHARACTERS",
    "Bibulus",
    "Chance",
    "Character",
    "Compiled",
    "Considered",
    "Driver",
    "DriverError",
    "Festina",
    "Greedy",
    "Scorpus",
    "Searcher",
    "advise",
    "drive",
    "driver",
    "in_a_line",
    "is_own",
    "with_place",
]


class Driver(Protocol):
    """Anything that can drive a chariot."""

    def choose(self, view: View) -> Move:
        """One of the view's legal moves."""
        ...


A_DRIVER = (
    f"{', '.join(CHARACTERS)}, or module:Class or path/file.py:Class of your own; "
    f"sibylla@BUDGET thinks for that: {A_BUDGET}"
)


def is_own(name: str) -> bool:
    """Whether a driver is a class of somebody's own: to make it runs the file that its name tells.

    >>> is_own("sibylla@2s"), is_own("mine.py:Miser")
    (False, True)
    """
    return name.partition("@")[0] not in CHARACTERS and ":" in name


def driver(name: str, seed: int | None = None) -> Driver:
    """A driver by its name: one of ours, or a class of your own as `module:Class` or `path/file.py:Class`.

    A class of your own is made with `seed=…` if it takes one, else without arguments.

    >>> type(driver("greedy")).__name__
    'Greedy'
    """
    if name.partition("@")[0] in CHARACTERS:
        ours: Driver = make(name, seed)
        return ours
    if ":" not in name:
        raise DriverError(f"there is no driver '{name}'; there are {A_DRIVER}")
    own: Driver = load(name, seed)
    return own


def drive(race: Race, drivers: Sequence[Driver]) -> None:
    """Drive a race to its end, a driver for each chariot that is driven, in grid order."""
    if len(drivers) != len(race.driven):
        raise ValueError(f"a race of {len(race.driven)} needs as many drivers, not {len(drivers)}")
    while (chariot := race.turn) is not None:
        driven = chariot in race.driven
        race.play(drivers[race.driven.index(chariot)].choose(race.view(chariot)) if driven else race.legal_moves[0])
