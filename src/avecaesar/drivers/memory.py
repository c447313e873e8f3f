"""What a driver has seen, as numbers that compiled code reads (`belief`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from avecaesar.drivers.belief import CHARIOT, EXCHANGED, REASON
from avecaesar.game import Miss, Play, View
from avecaesar.game.moves import ChooseDeck, Hidden, Sort, to_number
from avecaesar.game.view import Turn
from avecaesar.kernel import layout as k

KIND = 16
HIDDEN = {"deck": k.MOVE_DECK, "sort": k.MOVE_SORT}
REASONS = {None: 0, "blocked": 1 + k.BLOCKED, "barred": 1 + k.BARRED, "waiting": 1 + k.WAITING}


def events_of(view: View) -> NDArray[np.int64]:
    """The history as one driver saw it, a number for each decision so far."""
    return np.array([_event(turn) for turn in view.history], np.int64)


def _event(turn: Turn) -> int:
    move = turn.move
    if type(move) is Play:
        return turn.chariot << CHARIOT | move.card << 8 | (k.HOME if move.to == "home" else move.to)
    if move is None or type(move) is Miss:
        card = move.exchange or 0 if move else 0
        said = k.MOVE_MISS << KIND | card << 8 | turn.exchanged << EXCHANGED | REASONS[turn.reason] << REASON
    elif type(move) is Hidden:
        said = HIDDEN[move.asked] << KIND
    elif type(move) is Sort:
        said = k.MOVE_SORT << KIND
    elif type(move) is ChooseDeck:
        said = k.MOVE_DECK << KIND
    else:
        said = to_number(turn.made)
    return turn.chariot << CHARIOT | said
