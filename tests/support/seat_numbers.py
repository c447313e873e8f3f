"""The seats of a table, for whoever writes them down: a plain number is none (`game/numbers.py`)."""

from __future__ import annotations

from avecaesar.game.numbers import SeatNumber

FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH = map(SeatNumber, range(6))
