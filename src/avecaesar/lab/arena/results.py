"""What came of an arena's races so far, as arrays of whole numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from avecaesar.lab.arena.pairings import Arena, ArenaError
from avecaesar.lab.racing import Outcome

PLACE, LAURELS, HOME, DISQUALIFIED, MISSED, TURNS = range(6)
NANOSECONDS, MOVES = range(2)


class Results:
    """A table for each pairing, by race, chariot in grid order and column; and how long the players thought."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        first = arena.experiments[0]
        pairings, races, chariots = len(arena.pairings), arena.races, first.crews.total()
        self.races = np.zeros((pairings, races, chariots, 6), np.int16)
        self.thought = np.zeros((pairings, races, arena.players, 2), np.int64)
        self.raced = np.zeros((pairings, races), np.bool_)
        self.owners = np.full((arena.players, chariots), -1)  # of each chariot, in the races with one deal
        for heat in range(arena.players):
            self.owners[heat, first.driven] = [entry % arena.players for entry in first.on_grid(heat)]

    def add(self, pairing: int, outcome: Outcome) -> None:
        """One more race."""
        columns = (
            outcome.places, outcome.laurels, outcome.home, outcome.disqualified, outcome.missed, outcome.turns
        )  # fmt: skip
        pairings, races, chariots, _ = self.races.shape
        if pairing >= pairings or outcome.race >= races:
            raise ArenaError(f"the arena has no race {outcome.race} of pairing {pairing}")
        if self.raced[pairing, outcome.race]:
            raise ArenaError(f"race {outcome.race} of pairing {pairing} is there twice")
        if {len(column) for column in columns} != {chariots} or len(outcome.thought) not in (0, self.arena.players):
            raise ArenaError(f"race {outcome.race} of pairing {pairing} does not have {chariots} chariots")
        self.races[pairing, outcome.race] = np.transpose(columns)
        if outcome.thought:
            self.thought[pairing, outcome.race] = outcome.thought
        self.raced[pairing, outcome.race] = True

    @property
    def count(self) -> int:
        """Races that have been run."""
        return int(self.raced.sum())

    @property
    def missing(self) -> list[list[int]]:
        """Of each pairing the races that have not."""
        return [np.flatnonzero(~raced).tolist() for raced in self.raced]

    def by_deal(self, pairing: int, player: int) -> NDArray[np.int64]:
        """What all chariots of a player did, added up over the races with one deal; PLACE counts his wins."""
        mine = self.races[pairing].astype(np.int64)
        mine[:, :, PLACE] = mine[:, :, PLACE] == 1
        of_deal = mine.reshape(self.arena.deals, *self.owners.shape, -1)
        together: NDArray[np.int64] = (of_deal * (self.owners == player)[:, :, None]).sum(axis=(1, 2))
        return together

    def thinking(self, pairing: int, player: int) -> tuple[int, int]:
        """How many nanoseconds a player thought in all races together, and about how many moves."""
        players = self.arena.players
        on_grid = (np.arange(self.arena.races)[:, None] + player) % players == np.arange(players)
        nanoseconds, moves = self.thought[pairing][on_grid].sum(axis=0).tolist()
        return nanoseconds, moves
