"""The friendly face: races and tournaments, moves, views, and refusals that say why."""

from avecaesar.game.lineup import COLOURS
from avecaesar.game.moves import (
    ChooseDeck,
    Crash,
    Draw,
    Hidden,
    InvalidMove,
    Lay,
    Miss,
    Move,
    Play,
    Sort,
    Vote,
    Withdraw,
)
from avecaesar.game.numbers import AnyChariot, ChariotNumber, EntryNumber
from avecaesar.game.path import way
from avecaesar.game.race import LegalMoves, Race
from avecaesar.game.race_state import Chosen
from avecaesar.game.refusal import IllegalMove, Refusal
from avecaesar.game.sealed_chance import Lot, commitment_of, new_secret, new_share
from avecaesar.game.tournament import Standing, Tournament
from avecaesar.game.view import Chariot, Outlook, Turn, View
from avecaesar.renamed import renamed

__all__ = [
    "COLOURS",
    "AnyChariot",
    "Chariot",
    "ChariotNumber",
    "ChooseDeck",
    "Chosen",
    "Crash",
    "Draw",
    "EntryNumber",
    "Hidden",
    "IllegalMove",
    "InvalidMove",
    "Lay",
    "LegalMoves",
    "Lot",
    "Miss",
    "Move",
    "Outlook",
    "Play",
    "Race",
    "Refusal",
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

__getattr__ = renamed(__name__, {"Infraction": ("avecaesar.game.Refusal", Refusal)})
