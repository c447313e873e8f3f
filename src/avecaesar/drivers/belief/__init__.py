"""Determinization: whole races that agree with all that a driver has seen; what he cannot see is drawn at random.

`gather` runs the public history once more on a ghost, a race without hidden cards, and asks the rules at each turn with
which cards in hand it could have gone as it did. For each chariot whose cards are hidden it keeps *guesses*, each with
its weight. A card in hand of which nothing is known is *fresh*: it may be any that is not accounted for, so that a
chariot that only ever played needs a single guess. `imagine` takes a guess for each chariot and deals out the rest.

Whoever plays or exchanges a card is thought to take any of his cards with the same chance, and to sort his deck in any
way with the same chance: `play_card_of` and `exchange_card_of` are the places where a driver's taste would be weighed.
"""

from __future__ import annotations

from avecaesar.drivers.belief.deal import imagine, imagine_one
from avecaesar.drivers.belief.encoding import CHARIOT, EVIDENCE, EXCHANGED, REASON, new_evidence
from avecaesar.drivers.belief.evidence import gather_all

__all__ = ["CHARIOT", "EVIDENCE", "EXCHANGED", "REASON", "gather_all", "imagine", "imagine_one", "new_evidence"]
