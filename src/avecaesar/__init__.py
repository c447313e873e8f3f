"""Ave Caesar: the chariot race for two to six drivers, in every printed edition, on boards of our own.

>>> from avecaesar import Race
>>> race = Race("white", drivers=3, seed=1)
>>> while race.legal_moves:
...     race.play(next(iter(race.legal_moves)))
>>> race.over
True
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from avecaesar.courses import Board, BoardError, Course, boards, load_course, read_board
    from avecaesar.game import (
        Chariot,
        ChooseDeck,
        Crash,
        Draw,
        IllegalMove,
        InvalidMove,
        Lay,
        LegalMoves,
        Miss,
        Move,
        Outlook,
        Play,
        Race,
        Refusal,
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
    "InvalidMove",
    "Lay",
    "LegalMoves",
    "Miss",
    "Move",
    "Outlook",
    "Play",
    "Race",
    "Refusal",
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

_RENAMED = {"Infraction": "Refusal"}  # since 0.6


def __getattr__(name: str) -> Any:
    """Load what is asked for, and with it the compiler only if it is about racing: most commands do without."""
    from importlib import import_module
    from warnings import warn

    if name in _RENAMED:
        warn(f"avecaesar.{name} is now avecaesar.{_RENAMED[name]}", DeprecationWarning, stacklevel=2)
        return __getattr__(_RENAMED[name])
    if name in __all__:
        for module in ("rules", "courses", "game"):
            found = import_module(f"avecaesar.{module}")
            if name in found.__all__:
                globals()[name] = getattr(found, name)
                return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
