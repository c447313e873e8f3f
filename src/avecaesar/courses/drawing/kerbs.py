"""What tells a course from the other: its colour and, for those who see colours otherwise, its sign and its kerb."""

from __future__ import annotations

from dataclasses import dataclass

from avecaesar.courses.board import Board
from avecaesar.courses.drawing.ink import NIGHT


@dataclass(frozen=True, slots=True)
class Kerb:
    """A course's colour, its sign, and the rhythm of its kerb upon a dark bed."""

    colour: str
    ink: str  # of the sign upon it
    sign: str  # path data within a circle of radius 10
    paint: str  # of the kerb: the colour, light enough for the bed
    rhythm: str | None  # a dash array; None is a continuous line
    dots: bool = False  # round ends: a dash without length is a dot


RING = "M0-6a6 6 0 1 0 .1 0zM0-2.6a2.6 2.6 0 1 1-.1 0z"
DIAMOND = "M0-7.5L6 0 0 7.5-6 0z"
SUN = "M0-8L1.9-3.2 6.6-4.6 4.1-.4 8 2.2 3.4 3.1 3.6 7.9 0 4.8-3.6 7.9-3.4 3.1-8 2.2-4.1-.4-6.6-4.6-1.9-3.2z"
TRIANGLE = "M0-7L6.6 5H-6.6z"
SQUARE = "M-5-5H5V5H-5z"
CROSS = "M-2-7H2V-2H7V2H2V7H-2V2H-7V-2H-2z"

KERBS = {
    "white": Kerb("#fffdf6", NIGHT, RING, "#fffdf6", None),
    "blue": Kerb("#2b6cb8", "#ffffff", DIAMOND, "#5aa2ee", "24 7"),
    "yellow": Kerb("#f4bd1a", NIGHT, SUN, "#ffd23c", "0 9.5", dots=True),
    "red": Kerb("#cf2a1f", "#ffffff", TRIANGLE, "#ff6f5c", "5.5 2.5 5.5 11"),
}
OTHERS = (
    Kerb("#8653a8", "#ffffff", SQUARE, "#c79be4", "3 5"),
    Kerb("#1f9079", "#ffffff", CROSS, "#63d3bb", "14 4 0 4"),
)


def kerb(board: Board, course: str) -> Kerb:
    """The kerb of one of a board's courses, whatever it is called."""
    return KERBS.get(course) or OTHERS[board.courses.index(course)]
