"""A driver who does anything that is allowed."""

from __future__ import annotations

from avecaesar.game import Move, View
from avecaesar.game.race import random_source


class Chance:
    """Picks any legal move, all equally likely."""

    def __init__(self, seed: int | None = None) -> None:
        self._source = random_source(seed)

    def choose(self, view: View) -> Move:
        """Any of the legal moves."""
        return self._source.choice(view.legal_moves)
