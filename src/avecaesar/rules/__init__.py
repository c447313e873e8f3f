"""Options, editions and clauses: what can be played, by which names, and in whose words."""

from avecaesar.rules.clauses import Clause, clauses
from avecaesar.rules.options import (
    CARD_VALUES,
    DECK,
    EDITIONS,
    MOST_CHARIOTS,
    OPTIONS,
    VARIANTS,
    Edition,
    Option,
    Rules,
    RulesError,
    check_playable,
    edition,
)

__all__ = [
    "CARD_VALUES",
    "DECK",
    "EDITIONS",
    "MOST_CHARIOTS",
    "OPTIONS",
    "VARIANTS",
    "Clause",
    "Edition",
    "Option",
    "Rules",
    "RulesError",
    "check_playable",
    "clauses",
    "edition",
]
