"""Runs races of an experiment by their numbers, counts them, and records them if asked.

Drivers of ours race inside the kernel. As soon as somebody drives in Python, the race is driven over views; then its
moves are handed to the kernel all the same, which counts every chariot in one place.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avecaesar.game import Race
from avecaesar.game.lineup import RIDERLESS, livery
from avecaesar.game.moves import to_number
from avecaesar.kernel import tables, trials
from avecaesar.kernel.records import CHARIOTS, most_decisions
from avecaesar.lab.experiment import Experiment
from avecaesar.players import DRIVERS, DriverError, driver, in_a_line
from avecaesar.players.compiled import Compiled
from avecaesar.records import Crew, record_of, write_record

# A row for each of an experiment's crews, for each grid place and for all together, the columns of `kernel.trials`;
# then, where players have several chariots, a row for each of them: laurels, their squares, and races in which he had
# the most of them, alone or as many as another.
Totals = NDArray[np.int64]
EARNED, SQUARED, MOST, SHARED = range(4)


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
        crews = experiment.crews
        self._groups = np.array([list(crews).index(name) for name in experiment.drivers], np.int64)
        self._rows = len(crews) + crews.total() + 1
        self._players = experiment.players if experiment.each > 1 else 0
        self._scripted = np.full_like(self.policies, trials.SCRIPTED)
        self._driven = experiment.driven
        self._course = tables.course_table(experiment.course)
        self._rules = tables.rules_table(experiment.rules)
        self._desk = tables.new_races(3)
        self._log = np.zeros(most_decisions(CHARIOTS), np.int64)

    def run(self, first: int, count: int) -> Totals:
        """Run so many races from that number on; returns what they add to the totals."""
        totals = np.zeros((self._rows + self._players, trials.COLUMNS), np.int64)
        if self.folder is None and not self.in_python and not self._players:
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
            race = self._driven_over_views(number)
            moves = [to_number(turn.move) for turn in race.history if turn.move is not None]
            self._log[: len(moves)] = moves
        self._count(self._scripted if self.in_python else self.policies, number, 1, totals)
        if self._players:
            self._count_players(number, totals[self._rows :])
        if self.folder is not None:
            race = race or self._replayed(number)
            record = record_of([race], [self._crews(race, number)], self.experiment.edition)
            write_record(record, self.folder / record_name(self.experiment.seed, number))

    def _crews(self, race: Race, number: int) -> list[Crew]:
        """Who drove each chariot, in grid order."""
        seats = dict(zip(race.driven, self.experiment.on_grid(number), strict=True))
        on_grid = [seats.get(place) for place in range(len(race.names))]
        return [
            Crew(colour, RIDERLESS if seat is None else self.experiment.drivers[seat])
            for seat, colour in zip(on_grid, livery(on_grid), strict=True)
        ]

    def _count(self, policies: NDArray[np.int64], first: int, count: int, totals: Totals) -> None:
        trials.run_trials(
            self._course,
            self._rules,
            self._desk,
            policies,
            self._groups,
            self.experiment.riderless,
            self.experiment.memory_aid,
            self.experiment.rotate,
            np.uint64(self.experiment.seed),
            first,
            count,
            self._log,
            totals[: self._rows],
        )

    def _count_players(self, number: int, rows: Totals) -> None:
        """What the race on the desk, which is over, brought each player (TEAM-1)."""
        laurels = self._desk["laurels"][0].tolist()
        earned = [0] * self._players
        for place, seat in zip(self._driven, self.experiment.on_grid(number), strict=True):
            earned[seat % self._players] += laurels[place]
        most = max(earned)
        for row, mine in zip(rows, earned, strict=True):
            row[EARNED] += mine
            row[SQUARED] += mine * mine
            if mine == most > 0:
                row[MOST if earned.count(most) == 1 else SHARED] += 1

    # ------------------------------------------------------------------ a race over views

    def _dealt(self, number: int) -> tuple[Race, list[int]]:
        """A race before anybody has decided anything, and a seed for each chariot's driver."""
        drivers, riderless = len(self.policies), self.experiment.riderless
        seeds = np.zeros(CHARIOTS, np.uint64)
        trials.deal_race(self._rules, self._desk, drivers, riderless, np.uint64(self.experiment.seed), number, seeds)
        deal: list[list[int]] = self._desk["deck"][0][: drivers + riderless].tolist()
        return self.experiment.race(number, deal), [int(seed) for seed in seeds]

    def _driven_over_views(self, number: int) -> Race:
        """A player's chariots have one driver, made with the seed of the first of them on the grid."""
        race, seeds = self._dealt(number)
        names = [self.experiment.drivers[seat] for seat in self.experiment.on_grid(number)]
        firsts = race.driven[: self.experiment.players]
        drivers: list[Any] = [driver(name, seeds[chariot]) for name, chariot in zip(names, firsts, strict=False)]
        while (chariot := race.turn) is not None:
            player = race.players[chariot]
            if player is None:
                race.play(race.legal_moves[0])
                continue
            try:
                race.play(drivers[player].choose(race.view(chariot)))
            except Exception as error:
                raise DriverError(
                    f"driver '{names[player]}' failed in decision {len(race.history) + 1} of race {number} "
                    f"of seed {self.experiment.seed}: {in_a_line(error)}"
                ) from error
        return race

    def _replayed(self, number: int) -> Race:
        """The race that the kernel has just run, move by move."""
        race, _ = self._dealt(number)
        while not race.over:
            race.play(race.move_of(int(self._log[len(race.history)])))
        return race


def _policy(name: str) -> int:
    """The kernel's number of a driver of ours; anybody else is scripted there."""
    known = driver(name, 0)
    return known.policy if name in DRIVERS and isinstance(known, Compiled) else trials.SCRIPTED
