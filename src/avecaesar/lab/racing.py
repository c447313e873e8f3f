"""Runs races of an experiment by their numbers, counts them, and records them if asked.

Drivers of ours race inside the kernel. As soon as somebody drives in Python, the race is driven over views; then its
moves are handed to the kernel all the same, which counts every race in one place.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avecaesar.game import COLOURS, Race
from avecaesar.game.moves import from_number, to_number
from avecaesar.game.race import NAMES
from avecaesar.kernel import tables, trials
from avecaesar.kernel.records import CHARIOTS, most_turns
from avecaesar.lab.experiment import Experiment
from avecaesar.players import DRIVERS, DriverError, driver, in_a_line
from avecaesar.players.compiled import Compiled
from avecaesar.records import Crew, record_of, write_record

Totals = NDArray[np.int64]  # a row a group, the columns of `kernel.trials`


def record_name(seed: int, number: int) -> str:
    """The file of a recorded race."""
    return f"{seed}-{number:07d}.race.json"


class Races:
    """The races of an experiment, ready to be run; `folder` is where they are recorded."""

    def __init__(self, experiment: Experiment, folder: Path | None = None) -> None:
        self.experiment = experiment
        self.folder = folder
        self.leaving = False
        self.policies = np.array([_policy(name) for name in experiment.drivers], np.int64)
        self.in_python = bool((self.policies == trials.SCRIPTED).any())
        self._scripted = np.full_like(self.policies, trials.SCRIPTED)
        self._groups = np.array([experiment.teams.index(name) for name in experiment.drivers], np.int64)
        self._course = tables.course_table(experiment.course)
        self._rules = tables.rules_table(experiment.rules)
        self._desk = tables.new_races(3)
        self._log = np.zeros(most_turns(CHARIOTS), np.int64)

    def run(self, first: int, count: int) -> Totals:
        """Run so many races from that number on; returns what they add to the totals."""
        totals = np.zeros((len(self.experiment.teams) + len(self.policies) + 1, trials.COLUMNS), np.int64)
        if self.folder is None and not self.in_python:
            self._count(self.policies, first, count, totals)
        else:
            for number in range(first, first + count):
                if self.leaving:
                    break
                self._run_one(number, totals)
        return totals

    def leave(self) -> None:
        """Begin no further race: somebody wants the run to end. Its totals are void."""
        self.leaving = True

    def _run_one(self, number: int, totals: Totals) -> None:
        race = None
        if self.in_python:
            race = self._driven(number)
            moves = [to_number(turn.move) for turn in race.history if turn.move is not None]
            self._log[: len(moves)] = moves
            self._count(self._scripted, number, 1, totals)
        else:
            self._count(self.policies, number, 1, totals)
        if self.folder is not None:
            race = race or self._replayed(number)
            crews = [Crew(COLOURS[i], self.experiment.drivers[i]) for i in self.experiment.on_grid(number)]
            record = record_of([race], [crews], self.experiment.edition)
            write_record(record, self.folder / record_name(self.experiment.seed, number))

    def _count(self, policies: NDArray[np.int64], first: int, count: int, totals: Totals) -> None:
        trials.run_trials(
            self._course,
            self._rules,
            self._desk,
            policies,
            self._groups,
            self.experiment.rotate,
            np.uint64(self.experiment.seed),
            first,
            count,
            self._log,
            totals,
        )

    # ------------------------------------------------------------------ a race over views

    def _dealt(self, number: int) -> tuple[Race, list[int]]:
        """A race before its first turn, and a seed for each seat's driver."""
        chariots = len(self.policies)
        seeds = np.zeros(CHARIOTS, np.uint64)
        trials.deal_race(self._desk, chariots, np.uint64(self.experiment.seed), number, seeds)
        decks: list[list[int]] = self._desk["deck"][0][:chariots].tolist()
        names = [NAMES[i] for i in self.experiment.on_grid(number)]
        race = Race(self.experiment.course, names, rules=self.experiment.rules, decks=decks)
        return race, [int(seed) for seed in seeds]

    def _driven(self, number: int) -> Race:
        race, seeds = self._dealt(number)
        names = [self.experiment.drivers[i] for i in self.experiment.on_grid(number)]
        drivers: list[Any] = [driver(name, seed) for name, seed in zip(names, seeds, strict=False)]
        while (seat := race.turn) is not None:
            try:
                race.play(drivers[seat].choose(race.view(seat)))
            except Exception as error:
                raise DriverError(
                    f"driver '{names[seat]}' failed in turn {len(race.history) + 1} of race {number} "
                    f"of seed {self.experiment.seed}: {in_a_line(error)}"
                ) from error
        return race

    def _replayed(self, number: int) -> Race:
        """The race that the kernel has just run, move by move."""
        race, _ = self._dealt(number)
        turns = 0
        while not race.over:
            race.play(from_number(int(self._log[turns])))
            turns += 1
        return race


def _policy(name: str) -> int:
    """The kernel's number of a driver of ours; anybody else is scripted there."""
    known = driver(name, 0)
    return known.policy if name in DRIVERS and isinstance(known, Compiled) else trials.SCRIPTED
