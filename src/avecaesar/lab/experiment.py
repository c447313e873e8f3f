"""What is raced: everything that decides the races of a run, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import numpy as np

from avecaesar.courses import Course
from avecaesar.drivers import DriverError, Searcher, batch, driver
from avecaesar.game import Move, Race
from avecaesar.game.lineup import RIDERLESS, names_of, team_names
from avecaesar.game.numbers import ChariotNumber, EntryNumber
from avecaesar.kernel import packing
from avecaesar.kernel.layout import CHARIOTS
from avecaesar.lab.clairvoyant import seeing, sees_all
from avecaesar.rules import EDITIONS, Rules, RulesError, check_playable, riderless_in

MOST_RACES = 10**12
MOST_SEEDS = 2**64


@dataclass(frozen=True, slots=True)
class Experiment:
    """Races with the same drivers. Race k of a seed is the same race in every run, on any number of cores."""

    races: int  # numbered from 0
    course: Course
    rules: Rules
    drivers: tuple[str, ...]  # one an entry, which is a driver's chariot; the first has the first grid place of theirs
    seed: int
    rotate: bool = False  # everybody moves on by one grid place each race
    edition: str = "ravensburger"  # for the records
    memory_aid: bool = True  # whether drivers are shown what lies in their piles (AUS-3)
    paired: bool = False  # as in the arena: each deal is raced from every place, and drivers who see all cards may race

    def __post_init__(self) -> None:
        if not 1 <= self.races <= MOST_RACES:
            raise RulesError(f"races are a number from 1 to {MOST_RACES:,}, not {self.races:,}")
        if not 0 <= self.seed < MOST_SEEDS:
            raise RulesError(f"a seed is a whole number from 0 to {MOST_SEEDS - 1}, not {self.seed}")
        check_playable(self.rules, len(self.drivers), self.course.side)
        if self.drivers != line_up(self.by_player, len(self.drivers), self.each):
            raise DriverError("all chariots of a player have the same driver, and the players alternate (TEAM-1)")
        for name in self.by_player:
            self.chooser(name, 0)  # says what is wrong with it

    @property
    def each(self) -> int:
        """Chariots that each player has."""
        return self.rules.chariots_each

    @property
    def players(self) -> int:
        """How many there are; entry e is player e mod players' (TEAM-1)."""
        return len(self.drivers) // self.each

    @property
    def by_player(self) -> tuple[str, ...]:
        """The drivers, one a player."""
        return self.drivers[: self.players]

    @property
    def riderless(self) -> int:
        """Chariots that nobody drives."""
        return riderless_in(self.rules, len(self.drivers), self.course.side)

    @property
    def crews(self) -> Counter[str]:
        """Each driver once, and RIDERLESS if there are any, with how many chariots a race has of theirs."""
        return Counter([*self.drivers, *[RIDERLESS] * self.riderless])

    @property
    def driven(self) -> Sequence[ChariotNumber]:
        """The chariots that somebody drives."""
        return self.race(0).driven

    @property
    def heats(self) -> int:
        """Races with the same deal: one, or one from the grid place of each player."""
        return self.players if self.paired else 1

    @property
    def rows(self) -> batch.Rows:
        """The rows of its totals: one a crew, one a grid place, and one for all."""
        return batch.rows_of(len(self.crews), self.crews.total())

    def plan(self, policies: Sequence[int] = ()) -> packing.Packed:
        """All of it as compiled code reads it, with a policy for each entry; without them every entry is scripted."""
        crews = list(self.crews)
        return batch.new_plan(
            seed=self.seed,
            groups=[crews.index(name) for name in self.drivers],
            grids=[self.on_grid(number) for number in range(len(self.drivers))],
            rows=self.rows,
            riderless=self.riderless,
            memory_aid=self.memory_aid,
            heats=self.heats,
            policies=policies,
        )

    def sees_all(self, name: str) -> bool:
        """Whether a driver is shown the race itself, and not a view of it."""
        return self.paired and sees_all(name)

    @property
    def thinks(self) -> bool:
        """Whether any of the drivers looks ahead."""
        return any(self.sees_all(name) or isinstance(driver(name), Searcher) for name in self.by_player)

    def chooser(self, name: str, seed: int) -> Callable[[Any], Move]:
        """A new driver of that name: how he chooses from what he is shown."""
        return seeing(name, seed).choose_seeing if self.sees_all(name) else driver(name, seed).choose

    def on_grid(self, number: int) -> list[EntryNumber]:
        """Who stands where in a race: for each grid place that is driven the entry. It comes round again and again."""
        chariots = len(self.drivers)
        shift = number if self.rotate or self.paired else 0
        return [EntryNumber((place - shift) % chariots) for place in range(chariots)]

    @property
    def options(self) -> dict[str, object]:
        """The options that differ from the edition's."""
        return {name: mine for name, (mine, _) in self.rules.differences(EDITIONS[self.edition].rules).items()}

    def arguments(self, course: str) -> list[str]:
        """Where it is raced and by which rules, as it is typed."""
        words = ["--edition", self.edition, "--course", course, "--direction", self.course.direction]
        words += ["--chariots", str(len(self.drivers))]
        for name, value in self.options.items():
            words += ["--option", f"{name}={written(value)}"]
        return words + ["--no-memory-aid"] * (not self.memory_aid)

    def setting(self, course: str) -> str:
        """The same for people."""
        options = "".join(f", {name} = {written(value)}" for name, value in self.options.items())
        aid = "" if self.memory_aid else ", without a memory aid"
        return f"{course} {self.course.direction}, edition {self.edition}{options}{aid}"

    def race(self, number: int) -> Race:
        """A race of the seed by its number, on its grid, before anybody has decided anything."""
        return self.dealt(number)[0]

    def dealt(self, number: int) -> tuple[Race, list[int]]:
        """The same, and a seed for the driver of each chariot."""
        desk, seeds = packing.new_races(1), np.zeros(CHARIOTS, np.uint64)
        batch.deal_race(packing.rules_table(self.rules), self.plan(), desk, number, seeds)
        entries = team_names(names_of(self.players), self.rules)
        race = Race(
            self.course,
            chariots=[entries[entry] for entry in self.on_grid(number)],
            rules=self.rules,
            decks=desk["deck"][0][: self.crews.total()].tolist(),
            memory_aid=self.memory_aid,
        )
        return race, seeds.tolist()


def written(value: object) -> str:
    """An option's value as it is typed."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def line_up(names: Sequence[str], chariots: int, each: int = 1) -> tuple[str, ...]:
    """A driver for each of the drivers' chariots, one a player; a shorter list repeats.

    >>> line_up(["greedy", "random"], 3)
    ('greedy', 'random', 'greedy')
    >>> line_up(["greedy", "random"], 6, each=2)
    ('greedy', 'random', 'greedy', 'greedy', 'random', 'greedy')
    """
    if not names or not all(names):
        raise DriverError("drivers are names with commas between them, such as greedy,random")
    players = max(1, chariots // each)
    if len(names) > players:
        whom = ("player" if each > 1 else "chariot") + "s" * (players != 1)
        raise DriverError(f"{len(names)} drivers are too many for {players} {whom}")
    return tuple(islice(cycle(islice(cycle(names), players)), chariots))
