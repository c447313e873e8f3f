"""Decks and sortings: the rules ask for them in order, and the server lets everybody answer at once.

Whoever is not asked yet may answer already. His answer is kept and given for him when he is asked, so that the race
and its record come out as if everybody had waited; until then nobody sees more than that he has chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from avecaesar.game import ChooseDeck, Move, Race, Sort
from avecaesar.game.numbers import ChariotNumber
from avecaesar.game.view import Question
from avecaesar.rules import PILES

TOGETHER: tuple[Question, ...] = ("deck", "sort")


def to_come(
    race: Race, chariots: Sequence[ChariotNumber], chosen: Mapping[ChariotNumber, Move]
) -> ChariotNumber | None:
    """Of somebody's chariots the first that is asked the same as the one on turn, now or later, and has no answer."""
    if race.turn is None or race.asks not in TOGETHER:
        return None
    return next((chariot for chariot in chariots if chariot >= race.turn and chariot not in chosen), None)


def foreseen(race: Race, chariot: ChariotNumber) -> Race:
    """The race as it will be when it asks this chariot; what others answer before is anything, for it is secret."""
    again = race.copy()
    while again.turn != chariot:
        again.play(_anything(again))
    return again


def _anything(race: Race) -> Move:
    """An answer that is allowed, found without looking at all of them."""
    assert race.turn is not None
    if race.asks == "deck":
        return ChooseDeck("slow")
    counts = race.view().chariots[race.turn].unseen
    values = [value for value, count in enumerate(counts, 1) if count]
    return Sort(
        tuple(tuple(value for value in values[pile::PILES] for _ in range(counts[value - 1])) for pile in range(PILES))
    )


def answered(race: Race, chosen: Mapping[ChariotNumber, Move]) -> tuple[ChariotNumber, Move] | None:
    """The chariot that is asked now and its answer, if it has answered already."""
    if race.turn is None or race.asks not in TOGETHER or race.turn not in chosen:
        return None
    move = chosen[race.turn]
    return None if race.why_not(move) else (race.turn, move)
