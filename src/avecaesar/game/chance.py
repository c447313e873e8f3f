"""Chance that decides a game: shuffles, and where their randomness comes from (sealed, `sealed_chance` draws them)."""

from __future__ import annotations

import random

from avecaesar.rules import DECK, RulesError


def shuffled_deck(source: random.Random) -> list[int]:
    """A full deck in random order, first drawn first."""
    return shuffle(source, False)


def shuffle(source: random.Random, as_numbers: bool) -> list[int]:
    """A full deck in random order, first drawn first; or the numbers 0 to 23, for a driver who sorts piles."""
    return source.sample(range(len(DECK)) if as_numbers else DECK, len(DECK))


def random_source(seed: int | None, *part: int) -> random.Random:
    """Randomness that decides a game: the operating system's, unless a seed asks for repeatable races.

    A `part` (a race's number, a chariot …) has a stream of its own, so that a game can be taken up in the middle.
    """
    if seed is not None and not (type(seed) is int and seed >= 0):
        raise RulesError(f"a seed is a whole number from 0 on, not {seed!r}")
    if seed is None:
        return random.SystemRandom()
    return random.Random("/".join(map(str, (seed, *part))) if part else seed)
