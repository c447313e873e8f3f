"""A table: seats, people and drivers of the computer's, one race after another; nothing about how it is shown.

The terminal plays through it now, and whatever shows the game next does too.
"""

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
    names_for,
    seats_for,
)

__all__ = [
    "HUMAN",
    "OPPONENTS",
    "PERSONS",
    "Rig",
    "SaveError",
    "Seat",
    "Setup",
    "Table",
    "character_of",
    "names_for",
    "seats_for",
]
