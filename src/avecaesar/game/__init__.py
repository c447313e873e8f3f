"""The friendly face: races and tournaments, moves, views, and refusals that say why."""

from avecaesar.game.lineup import COLOURS
from avecaesar.game.moves import ChooseDeck, Crash, Draw, InvalidMove, Lay, Miss, Move, Play, Sort, Vote, Withdraw
from avecaesar.game.path import way
from avecaesar.game.race import Chosen, LegalMoves, Race
from avecaesar.game.refusal import IllegalMove, Infraction
from avecaesar.game.sealed_chance import Lot, commitment_of, new_secret, new_share
from avecaesar.game.tournament import Standing, Tournament
from avecaesar.game.view import Chariot, Outlook, Turn, View

__all__ = [
    "COLOURS",
    "Chariot",
    "ChooseDeck",
    "Chosen",
    "Crash",
    "Draw",
    "IllegalMove",
    "Infraction",
    "InvalidMove",
    "Lay",
    "LegalMoves",
    "Lot",
    "Miss",
    "Move",
    "Outlook",
    "Play",
    "Race",
    "Sort",
    "Standing",
    "Tournament",
    "Turn",
    "View",
    "Vote",
    "Withdraw",
    "commitment_of",
    "new_secret",
    "new_share",
    "way",
]
