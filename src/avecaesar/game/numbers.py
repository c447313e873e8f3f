"""Numbers that must never be mixed, each a type of its own, so that mypy finds every swap.

A *chariot* is numbered by its place on the grid of one race, an *entry* in a tournament keeps its number from race to
race, and a *seat* is a player's place at a table. All of them count from 0.
"""

from __future__ import annotations

from typing import Literal, NewType

ChariotNumber = NewType("ChariotNumber", int)
EntryNumber = NewType("EntryNumber", int)
SeatNumber = NewType("SeatNumber", int)
AnyChariot = ChariotNumber | Literal[0, 1, 2, 3, 4, 5]  # what people write: a number as it stands is one of a chariot
AnySeat = SeatNumber | Literal[0, 1, 2, 3, 4, 5]  # the same at a table
