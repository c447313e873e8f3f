"""A driver whose thinking is compiled: it hands the kernel what the view's seat may know, and nothing else."""

from __future__ import annotations

import numpy as np

from avecaesar.game import Move, View
from avecaesar.game.moves import from_number
from avecaesar.kernel import policies, tables
from avecaesar.kernel.records import MOST_MOVES


class Compiled:
    """A driver by its policy in `kernel.policies`. It keeps nothing between turns."""

    policy: int
    seed: int = 0

    def choose(self, view: View) -> Move:
        """One of the view's legal moves."""
        if not view.legal_moves:
            raise ValueError("it is not this seat's turn: there is nothing to choose")
        number = policies.ask(
            tables.course_table(view.course),
            tables.rules_table(view.rules),
            view.known,
            tables.new_races(1),
            np.empty(MOST_MOVES, np.int64),
            self.policy,
            np.uint64(self.seed),
        )
        return from_number(int(number), view.undrawn)  # before the race these are the cards to sort
