"""A table: seats, people and drivers of the computer's, one race after another; nothing about how it is shown.

The terminal plays through it now, and whatever shows the game next does too.
"""

from avecaesar.table.table import HUMAN, Rig, SaveError, Seat, Setup, Table, seats_for

__all__ = ["HUMAN", "Rig", "SaveError", "Seat", "Setup", "Table", "seats_for"]
