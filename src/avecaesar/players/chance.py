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
        if not view.legal_moves:
            raise ValueError("it is not this seat's turn: there is nothing to choose")
        return self._source.choice(view.legal_moves)
