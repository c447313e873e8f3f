"""Ave Caesar: the chariot race for two to six drivers, in every printed edition, on boards of our own.

>>> from avecaesar import Race
>>> race = Race("white", drivers=3, seed=1)
>>> while race.legal_moves:
...     race.play(next(iter(race.legal_moves)))
>>> race.over
True
"""

from avecaesar.courses import Board, BoardError, Course, boards, load_course, read_board
from avecaesar.game import (
    Chariot,
    Crash,
    IllegalMove,
    Infraction,
    InvalidMove,
    LegalMoves,
    Miss,
    Move,
    Outlook,
    Play,
    Race,
    Standing,
    Tournament,
    Turn,
    View,
    Withdraw,
)
from avecaesar.rules import EDITIONS, Rules, RulesError, clauses, edition

__version__ = "0.2.0"

__all__ = [
    "EDITIONS",
    "Board",
    "BoardError",
    "Chariot",
    "Course",
    "Crash",
    "IllegalMove",
    "Infraction",
    "InvalidMove",
    "LegalMoves",
    "Miss",
    "Move",
    "Outlook",
    "Play",
    "Race",
    "Rules",
    "RulesError",
    "Standing",
    "Tournament",
    "Turn",
    "View",
    "Withdraw",
    "boards",
    "clauses",
    "edition",
    "load_course",
    "read_board",
]
