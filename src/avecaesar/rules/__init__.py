"""Options, editions and clauses: what can be played, by which names, and in whose words."""

from avecaesar.rules.clauses import Clause, clauses
from avecaesar.rules.options import (
    CARD_VALUES,
    DECK,
    DECKS,
    EDITIONS,
    FILLING,
    MOST_CHARIOTS,
    OPTIONS,
    PILES,
    VARIANTS,
    Edition,
    Option,
    Rules,
    RulesError,
    check_playable,
    edition,
    riderless_in,
)

__all__ = [
    "CARD_VALUES",
    "DECK",
    "DECKS",
    "EDITIONS",
    "FILLING",
    "MOST_CHARIOTS",
    "OPTIONS",
    "PILES",
    "VARIANTS",
    "Clause",
    "Edition",
    "Option",
    "Rules",
    "RulesError",
    "check_playable",
    "clauses",
    "edition",
    "riderless_in",
]
