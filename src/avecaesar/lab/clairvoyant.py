"""Drivers who see all cards, to measure how much the others could still know: in the arena, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from avecaesar.drivers import belief
from avecaesar.drivers.characters import budget_of
from avecaesar.drivers.searcher import PLAYOUTS, Searcher, Trial, candidates
from avecaesar.game import Move, Race
from avecaesar.kernel import packing

LOOSE = 12  # one decision in so many of a playout is anything: else all playouts of a move would be the same


class Seeing(Protocol):
    """A driver who is shown the whole race."""

    def choose_seeing(self, race: Race) -> Move:
        """A legal move of the chariot on turn. The race is a copy: what is done to it stays there."""
        ...


class Clairvoyant:
    """The searcher with all cards open: every world is the race itself, and only how others drive is unsure."""

    def __init__(self, seed: int, playouts: int = PLAYOUTS, seconds: float | None = None, cores: int = 1) -> None:
        self.search = Searcher(seed, playouts, seconds, cores)

    def choose_seeing(self, race: Race) -> Move:
        """The move that earns most."""
        if len(race.legal_moves) == 1:
            return race.legal_moves[0]
        trial = Trial(
            packing.course_table(race.course),
            packing.rules_table(race.rules),
            race.everything,
            np.zeros(0, belief.EVIDENCE),
            candidates(race.view(race.turn)),
            self.search.seed_for(race.everything.tobytes()),
            self.search.cores,
            loose=LOOSE,
        )
        return trial.halve(self.search.playouts, self.search.seconds)[0].move


SEEING: dict[str, Callable[..., Seeing]] = {"clairvoyant": Clairvoyant}  # by name: made with a seed and a budget


def sees_all(name: str) -> bool:
    """Whether there is such a driver, as `name` or `name@budget`."""
    return name.partition("@")[0] in SEEING


def seeing(name: str, seed: int) -> Seeing:
    """A new driver of that name."""
    return SEEING[name.partition("@")[0]](seed, **budget_of(name))
