"""What is raced: everything that decides the races of a run, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from avecaesar.courses import Course
from avecaesar.players import DriverError, driver
from avecaesar.rules import Rules, RulesError, check_playable

MOST_RACES = 10**12
MOST_SEEDS = 2**64


@dataclass(frozen=True, slots=True)
class Experiment:
    """Races with the same drivers. Race k of a seed is the same race in every run, on any number of cores."""

    races: int  # numbered from 0
    course: Course
    rules: Rules
    drivers: tuple[str, ...]  # one a chariot, the first on grid place I
    seed: int
    rotate: bool = False  # everybody moves on by one grid place each race
    edition: str = "ravensburger"  # for the records

    def __post_init__(self) -> None:
        if not 1 <= self.races <= MOST_RACES:
            raise RulesError(f"races are a number from 1 to {MOST_RACES:,}, not {self.races:,}")
        if not 0 <= self.seed < MOST_SEEDS:
            raise RulesError(f"a seed is a whole number from 0 to {MOST_SEEDS - 1}, not {self.seed}")
        check_playable(self.rules, len(self.drivers))
        for name in self.teams:
            driver(name, 0)  # says what is wrong with it

    @property
    def teams(self) -> tuple[str, ...]:
        """Each driver once."""
        return tuple(dict.fromkeys(self.drivers))

    def on_grid(self, number: int) -> list[int]:
        """Who stands where in a race: for each grid place the driver's number."""
        chariots = len(self.drivers)
        shift = number if self.rotate else 0
        return [(place - shift) % chariots for place in range(chariots)]


def line_up(names: Sequence[str], chariots: int) -> tuple[str, ...]:
    """A driver for each chariot; a shorter list repeats.

    >>> line_up(["greedy", "random"], 3)
    ('greedy', 'random', 'greedy')
    """
    if not names or not all(names):
        raise DriverError("drivers are names with commas between them, such as greedy,random")
    if len(names) > chariots:
        raise DriverError(f"{len(names)} drivers are too many for {chariots} chariot{'s' * (chariots != 1)}")
    return tuple(islice(cycle(names), chariots))
