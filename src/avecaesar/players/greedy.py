"""A driver who keeps inside, minds his points, and pays in time; he neither blocks nor looks ahead."""

from __future__ import annotations

from avecaesar.kernel import policies
from avecaesar.players.compiled import Compiled


class Greedy(Compiled):
    """Plays the move that looks best by itself; `kernel.policies` has his weights.

    >>> from avecaesar.game import Race
    >>> race = Race("white", 3, seed=2)
    >>> Greedy().choose(race.view(race.turn))
    Play(card=6, to=14)
    """

    policy = policies.GREEDY
