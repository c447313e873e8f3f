"""Races of the Ausgebremst adaptation before their first turn."""

from __future__ import annotations

from avecaesar import ChooseDeck, Race
from avecaesar.drivers import Greedy
from avecaesar.game.moves import DeckName


def new(course: str = "white", drivers: int = 2, seed: int = 1, **changes: object) -> Race:
    return Race(course, drivers, edition="ausgebremst", seed=seed, **changes)  # type: ignore[arg-type]


def chosen(*decks: DeckName, course: str = "white", **changes: object) -> Race:
    """A race whose decks are chosen."""
    it = new(course, len(decks), **changes)  # type: ignore[arg-type]
    for deck in decks:
        it.play(ChooseDeck(deck))
    return it


def begun(*decks: DeckName, course: str = "white", **changes: object) -> Race:
    """A race before its first turn: sorted as the greedy driver does, hands drawn."""
    it = chosen(*decks, course=course, **changes)
    while it.asks in ("sort", "draw"):
        assert it.turn is not None
        it.play(Greedy().choose(it.view(it.turn)))
    return it
