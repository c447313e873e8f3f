"""Who meets whom in an arena: everything that decides its races, and nothing else."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import NamedTuple

from avecaesar.courses import Course
from avecaesar.errors import BadInput
from avecaesar.lab.experiment import Experiment, line_up
from avecaesar.rules import Rules

MOST_RACES = 10**6  # of a pairing: each is kept


class ArenaError(BadInput):
    """An arena that cannot be held or taken up again: in one sentence."""


class Pairing(NamedTuple):
    """A driver against copies of another."""

    driver: str
    against: str


@dataclass(frozen=True, slots=True)
class Arena:
    """One driver meets copies of another. All pairings race the same deals, each deal once from every grid place."""

    drivers: tuple[str, ...]
    against: str | None  # copies of this one are all drivers' field; None: everybody meets copies of everybody else
    asked: int  # races of each pairing
    course: str  # as it was asked for
    track: Course
    rules: Rules
    edition: str
    chariots: int  # that somebody drives
    seed: int
    memory_aid: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.asked <= MOST_RACES:
            raise ArenaError(f"races are a number from 1 to {MOST_RACES:,}, not {self.asked:,}")
        if len(self.names) < 2:
            raise ArenaError("an arena needs somebody to race against: --against DRIVER, or two drivers and more")
        for name in self.names:
            if self.names.count(name) > 1:
                raise ArenaError(f"driver '{name}' is named twice; against copies of himself nobody does better")
        if self.players < 2:
            raise ArenaError("a driver and his field need two players at least")
        for pairing in self.pairings:
            self.experiment(pairing)  # says what is wrong with it

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who races."""
        return self.drivers if self.against is None else (*self.drivers, self.against)

    @property
    def players(self) -> int:
        """In each race; where each has one chariot, these are the chariots that somebody drives."""
        return self.chariots // self.rules.chariots_each

    @property
    def deals(self) -> int:
        """How many deals each pairing races."""
        return -(-self.asked // self.players)

    @property
    def races(self) -> int:
        """Of each pairing: what was asked for, rounded up to whole deals."""
        return self.deals * self.players

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Who races against whom; of two players each is the other's field, so that they meet once."""
        if self.against is not None:
            return tuple(Pairing(name, self.against) for name in self.drivers)
        meetings = combinations(self.drivers, 2) if self.players == 2 else permutations(self.drivers, 2)
        return tuple(Pairing(*meeting) for meeting in meetings)

    def experiment(self, pairing: Pairing) -> Experiment:
        """The races of a pairing; the driver is player 0."""
        drivers = [pairing.driver, *[pairing.against] * (self.players - 1)]
        return Experiment(
            races=self.races,
            course=self.track,
            rules=self.rules,
            drivers=line_up(drivers, self.chariots, self.rules.chariots_each),
            seed=self.seed,
            edition=self.edition,
            memory_aid=self.memory_aid,
            paired=True,
        )

    @property
    def experiments(self) -> tuple[Experiment, ...]:
        """The races of each pairing."""
        return tuple(self.experiment(pairing) for pairing in self.pairings)

    @property
    def command(self) -> str:
        """The command that holds this arena again."""
        words = ["avecaesar", "arena", *self.drivers]
        words += [] if self.against is None else ["--against", self.against]
        words += ["--races", str(self.asked), *self.experiments[0].arguments(self.course), "--seed", str(self.seed)]
        return shlex.join(words)
