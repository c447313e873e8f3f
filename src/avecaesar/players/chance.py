"""A driver who does anything that is allowed."""

from __future__ import annotations

from avecaesar.game.race import random_source
from avecaesar.kernel import policies
from avecaesar.players.compiled import Compiled

SEED_BITS = 64


class Chance(Compiled):
    """Picks any legal move, all equally likely: by his seed, his seat and the number of turns so far.

    >>> from avecaesar.game import Race
    >>> race = Race("white", 3, seed=2)
    >>> Chance(1).choose(race.view(0)) == Chance(1).choose(race.view(0))
    True
    """

    policy = policies.RANDOM

    def __init__(self, seed: int | None = None) -> None:
        source = random_source(seed)  # which refuses a seed that is none
        self.seed = source.getrandbits(SEED_BITS) if seed is None else seed % (1 << SEED_BITS)
