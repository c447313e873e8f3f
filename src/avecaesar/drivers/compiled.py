"""Drivers whose thinking is compiled: they hand the kernel what the view tells, and nothing else."""

from __future__ import annotations

import numpy as np

from avecaesar.drivers import policies
from avecaesar.game import Move, View
from avecaesar.game.chance import random_source
from avecaesar.game.moves import from_number
from avecaesar.kernel import packing

SEED_BITS = 64


class Compiled:
    """A driver by its policy in `drivers.policies`, which has their weights. It keeps nothing between turns.

    What is left to chance comes from its seed, its chariot and the number of decisions so far.

    >>> from avecaesar.game import Race
    >>> race = Race("white", 3, seed=2)
    >>> Greedy().choose(race.view(race.turn))
    Play(card=6, to=14)
    >>> Chance(1).choose(race.view(0)) == Chance(1).choose(race.view(0))
    True
    """

    policy: int

    def __init__(self, seed: int | None = None) -> None:
        source = random_source(seed)  # which refuses a seed that is none
        self.seed = source.getrandbits(SEED_BITS) if seed is None else seed % (1 << SEED_BITS)

    def choose(self, view: View) -> Move:
        """One of the view's legal moves."""
        if not view.legal_moves:
            raise ValueError("it is not this chariot's turn: there is nothing to choose")
        number = policies.ask(
            packing.course_table(view.course),
            packing.rules_table(view.rules),
            view.known,
            self.policy,
            np.uint64(self.seed),
        )
        return from_number(int(number), view.undrawn)  # before the race these are the cards to sort


class Chance(Compiled):
    """Any legal move, all equally likely."""

    policy = policies.RANDOM


class Greedy(Compiled):
    """Keeps inside, minds his points and pays in time; he neither blocks nor looks ahead."""

    policy = policies.GREEDY


class Festina(Compiled):
    """Plays her highest card, one turn in four on any lane, and is often out of points before she is home."""

    policy = policies.FESTINA


class Bibulus(Compiled):
    """Drives well, two turns in three."""

    policy = policies.BIBULUS


class Scorpus(Compiled):
    """Keeps inside, counts, pays in time, stands in bottlenecks, and lets others lead while he holds sixes."""

    policy = policies.SCORPUS
