"""The friendly face: races and tournaments, moves, views, and refusals that say why."""

from avecaesar.game.infraction import IllegalMove, Infraction
from avecaesar.game.moves import Crash, InvalidMove, Miss, Move, Play, Withdraw
from avecaesar.game.race import COLOURS, LegalMoves, Race
from avecaesar.game.tournament import Standing, Tournament
from avecaesar.game.view import Chariot, Outlook, Turn, View
from avecaesar.game.way import way

__all__ = [
    "COLOURS",
    "Chariot",
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
    "Standing",
    "Tournament",
    "Turn",
    "View",
    "Withdraw",
    "way",
]
