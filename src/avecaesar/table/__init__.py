"""A table: seats, people and computer drivers, one race after another; nothing about how it is shown.

The terminal and the server play through it.
"""

from avecaesar.game.numbers import AnySeat, SeatNumber
from avecaesar.table.table import (
    HUMAN,
    OPPONENTS,
    PERSONS,
    Rig,
    SaveError,
    Seat,
    Setup,
    Table,
    character_of,
    games_of,
    names_for,
    seats_for,
)

__all__ = [
    "HUMAN",
    "OPPONENTS",
    "PERSONS",
    "AnySeat",
    "Rig",
    "SaveError",
    "Seat",
    "SeatNumber",
    "Setup",
    "Table",
    "character_of",
    "games_of",
    "names_for",
    "seats_for",
]
