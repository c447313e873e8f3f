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
    ChooseDeck,
    Crash,
    Draw,
    IllegalMove,
    Infraction,
    InvalidMove,
    Lay,
    LegalMoves,
    Miss,
    Move,
    Outlook,
    Play,
    Race,
    Sort,
    Standing,
    Tournament,
    Turn,
    View,
    Vote,
    Withdraw,
)
from avecaesar.rules import EDITIONS, Rules, RulesError, clauses, edition

__version__ = "0.6.0"

__all__ = [
    "EDITIONS",
    "Board",
    "BoardError",
    "Chariot",
    "ChooseDeck",
    "Course",
    "Crash",
    "Draw",
    "IllegalMove",
    "Infraction",
    "InvalidMove",
    "Lay",
    "LegalMoves",
    "Miss",
    "Move",
    "Outlook",
    "Play",
    "Race",
    "Rules",
    "RulesError",
    "Sort",
    "Standing",
    "Tournament",
    "Turn",
    "View",
    "Vote",
    "Withdraw",
    "boards",
    "clauses",
    "edition",
    "load_course",
    "read_board",
]
