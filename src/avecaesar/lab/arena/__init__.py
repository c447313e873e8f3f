"""The arena: drivers against copies of one another, on the same deals and from every grid place; kept on disk."""

from avecaesar.lab.arena.journal import Journal
from avecaesar.lab.arena.page import page
from avecaesar.lab.arena.picture import need_matplotlib, picture
from avecaesar.lab.arena.plan import MOST_RACES, Arena, ArenaError, Pairing
from avecaesar.lab.arena.ratings import Rating
from avecaesar.lab.arena.results import Results
from avecaesar.lab.arena.standings import Difference, Row, Standings, standings_of

__all__ = [
    "MOST_RACES",
    "Arena",
    "ArenaError",
    "Difference",
    "Journal",
    "Pairing",
    "Rating",
    "Results",
    "Row",
    "Standings",
    "need_matplotlib",
    "page",
    "picture",
    "standings_of",
]
