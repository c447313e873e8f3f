"""Runs races of an experiment by their numbers, counts them or tells of each, and records them if asked.

Drivers of ours race inside the kernel. As soon as somebody drives in Python, the race is driven over views; then its
moves are handed to the kernel all the same, which counts every chariot in one place.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from time import perf_counter_ns
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from avecaesar.drivers import CHARACTERS, DriverError, batch, driver, with_place
from avecaesar.drivers.compiled import Compiled
from avecaesar.game import Race, View
from avecaesar.game.lineup import RIDERLESS, colours_of
from avecaesar.game.moves import to_number
from avecaesar.kernel import packing
from avecaesar.kernel.layout import CHARIOTS, most_decisions
from avecaesar.lab.experiment import Experiment
from avecaesar.records import Crew, record_of, write_record

# The rows and columns of `drivers.batch`; then, where players have several chariots, a row for each of them: laurels,
# their squares, and races in which he had the most of them, alone or as many as another.
Totals = NDArray[np.int64]
EARNED, SQUARED, MOST, SHARED = range(4)

Count = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]
Tally = Annotated[int, msgspec.Meta(ge=0, lt=2**15)]


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What came of a race, chariot by chariot in grid order."""

    race: Count  # its number
    places: list[Tally]  # 1 for the winner, 0 for none
    laurels: list[Tally]
    home: list[Tally]  # 1 for yes
    disqualified: list[Tally]  # likewise
    missed: list[Tally]  # turns
    turns: list[Tally]
    thought: list[tuple[Count, Count]] = []  # if driven over views: of each player nanoseconds, and for how many moves


def record_name(seed: int, number: int) -> str:
    """The file of a recorded race."""
    return f"{seed}-{number:07d}.race.json"


class Races:
    """The races of an experiment, ready to be run; `folder` is where they are recorded."""

    def __init__(self, experiment: Experiment, folder: Path | None = None) -> None:
        self.experiment = experiment
        self.folder = folder
        self.leaving = False
        self.policies = np.array([_policy(experiment, name) for name in experiment.drivers], np.int64)
        self.in_python = bool((self.policies == batch.SCRIPTED).any())
        self._rows = experiment.rows
        self._players = experiment.players if experiment.each > 1 else 0
        self._plan = experiment.plan(() if self.in_python else self.policies.tolist())
        self._driven = experiment.driven
        self._course = packing.course_table(experiment.course)
        self._rules = packing.rules_table(experiment.rules)
        self._desk = packing.new_races(2)
        self._log = np.zeros(most_decisions(CHARIOTS), np.int64)
        self._thought: list[tuple[int, int]] = []  # by each player of the last race over views

    def run(self, first: int, count: int) -> Totals:
        """Run so many races from that number on; returns what they add to the totals."""
        totals = self._new_totals()
        if self.folder is None and not self.in_python and not self._players:
            self._count(first, count, totals)
        else:
            for number in range(first, first + count):
                if self.leaving:
                    break
                self._run_one(number, totals)
        return totals

    def outcomes(self, first: int, count: int) -> list[Outcome]:
        """Run so many races from that number on; returns what came of each."""
        if self.in_python and not self._thought:
            self._rehearse(first)
        return [self._outcome(number) for number in range(first, first + count)]

    def _outcome(self, number: int) -> Outcome:
        totals = self._new_totals()
        self._run_one(number, totals)
        columns = (batch.LAURELS, batch.HOME, batch.DISQUALIFIED, batch.MISSED, batch.TURNS)
        laurels, home, disqualified, missed, turns = totals[self._rows.places, columns].T.tolist()
        places = self._desk["place"][0].tolist()[: len(turns)]
        return Outcome(number, places, laurels, home, disqualified, missed, turns, self._thought)

    def leave(self) -> None:
        """Begin no further race: somebody wants the run to end. Its totals are void."""
        self.leaving = True

    def _run_one(self, number: int, totals: Totals) -> None:
        race = None
        if self.in_python:
            race = self._driven_over_views(number)
            moves = [to_number(turn.made) for turn in race.history]
            self._log[: len(moves)] = moves
        self._count(number, 1, totals)
        if self._players:
            self._count_players(number, totals[self._rows.end :])
        if self.folder is not None:
            race = race or self._replayed(number)
            record = record_of([race], [self._crews(race, number)], self.experiment.edition)
            write_record(record, self.folder / record_name(self.experiment.seed, number))

    def _crews(self, race: Race, number: int) -> list[Crew]:
        """Who drove each chariot, in grid order."""
        entries = dict(zip(race.driven, self.experiment.on_grid(number), strict=True))
        on_grid = [entries.get(chariot) for chariot in race.grid]
        return [
            Crew(colour, RIDERLESS if entry is None else self.experiment.drivers[entry])
            for entry, colour in zip(on_grid, colours_of(on_grid), strict=True)
        ]

    def _new_totals(self) -> Totals:
        return np.zeros((self._rows.end + self._players, batch.COLUMNS), np.int64)

    def _count(self, first: int, count: int, totals: Totals) -> None:
        batch.run_races(self._course, self._rules, self._plan, self._desk, first, count, self._log, totals)

    def _count_players(self, number: int, rows: Totals) -> None:
        """What the race on the desk, which is over, brought each player (TEAM-1)."""
        laurels = self._desk["laurels"][0].tolist()
        earned = [0] * self._players
        for place, entry in zip(self._driven, self.experiment.on_grid(number), strict=True):
            earned[entry % self._players] += laurels[place]
        most = max(earned)
        for row, mine in zip(rows, earned, strict=True):
            row[EARNED] += mine
            row[SQUARED] += mine * mine
            if mine == most > 0:
                row[MOST if earned.count(most) == 1 else SHARED] += 1

    # ------------------------------------------------------------------ a race over views

    def _rehearse(self, number: int) -> None:
        """Let each driver decide once beforehand: what he loads or compiles for it is no thinking."""
        race = self.experiment.race(number)
        while (chariot := race.turn) is not None and chariot not in race.driven:
            race.play(race.legal_moves[0])
        for name in dict.fromkeys(self.experiment.drivers):
            with suppress(Exception):  # the race will tell of it
                self.experiment.chooser(name, 0)(self._shown(race, name))

    def _shown(self, race: Race, name: str) -> Race | View:
        """What the driver of that name sees, whose turn it is."""
        return race.copy() if self.experiment.sees_all(name) else race.view(race.turn)

    def _driven_over_views(self, number: int) -> Race:
        """A player's chariots have one driver, made with the seed of the first of them on the grid."""
        race, seeds = self.experiment.dealt(number)
        names = [self.experiment.drivers[entry] for entry in self.experiment.on_grid(number)]
        firsts = race.driven[: self.experiment.players]
        choosers = [self.experiment.chooser(name, seeds[place]) for name, place in zip(names, firsts, strict=False)]
        self._thought = [(0, 0)] * len(choosers)
        while (chariot := race.turn) is not None:
            player = race.players[chariot]
            if player is None:
                race.play(race.legal_moves[0])
                continue
            try:
                shown = self._shown(race, names[player])
                begun = perf_counter_ns()
                move = choosers[player](shown)
                nanoseconds, moves = self._thought[player]
                self._thought[player] = nanoseconds + perf_counter_ns() - begun, moves + 1
                race.play(move)
            except Exception as error:
                raise DriverError(
                    f"driver '{names[player]}' failed in decision {len(race.history) + 1} of race {number} "
                    f"of seed {self.experiment.seed}: {with_place(error)}"
                ) from error
        return race

    def _replayed(self, number: int) -> Race:
        """The race that the kernel has just run, move by move."""
        race = self.experiment.race(number)
        while not race.over:
            race.play(race.move_of(int(self._log[len(race.history)])))
        return race


def _policy(experiment: Experiment, name: str) -> int:
    """The kernel's number of a driver of ours; anybody else is scripted there."""
    known = driver(name, 0) if name in CHARACTERS and not experiment.sees_all(name) else None
    return known.policy if isinstance(known, Compiled) else batch.SCRIPTED
