"""The arena: drivers against copies of one another, on the same deals and from every grid place; kept on disk."""

from avecaesar.lab.arena.journal import Journal
from avecaesar.lab.arena.page import page
from avecaesar.lab.arena.pairings import MOST_RACES, Arena, ArenaError, Pairing
from avecaesar.lab.arena.picture import need_matplotlib, picture
from avecaesar.lab.arena.ratings import Rating
from avecaesar.lab.arena.results import Results
from avecaesar.lab.arena.standings import PairedDifference, PairingRow, Standings, standings_of
from avecaesar.renamed import renamed

__all__ = [
    "MOST_RACES",
    "Arena",
    "ArenaError",
    "Journal",
    "PairedDifference",
    "Pairing",
    "PairingRow",
    "Rating",
    "Results",
    "Standings",
    "need_matplotlib",
    "page",
    "picture",
    "standings_of",
]

__getattr__ = renamed(
    __name__,
    {
        "Row": ("avecaesar.lab.arena.PairingRow", PairingRow),
        "Difference": ("avecaesar.lab.arena.PairedDifference", PairedDifference),
    },
)
