"""Races and tournaments whose cards were sealed, in every edition."""

from __future__ import annotations

import hashlib
import random
from functools import cache
from typing import Any

from avecaesar.game import Lot, Tournament
from avecaesar.records import Record, Seal, record_of, seal_of
from avecaesar.rules import EDITIONS
from recordings import crews_of, run

SECRET = bytes(range(32))
SHARES = [bytes([n] * 16) for n in (7, 1, 255)]


def secret_of(*what: object) -> bytes:
    """A secret for a test, always the same."""
    return hashlib.sha256(repr(what).encode()).digest()


def sealed_games(about: str, races: int = 3) -> tuple[Tournament, list[Seal]]:
    """A tournament of which every race was dealt by a seal of its own."""
    edition, players, changes = KINDS[about]
    games = Tournament(["Livia", "Marcus", "Titus"][:players], edition=edition, seed=1, **changes)
    source, seals = random.Random(7), []
    for number in range(races):
        secret, shares = secret_of(about, number), [secret_of(about, number, i)[:16] for i in range(number)]
        run(games.next_race(Lot(secret, shares, "grid"), Lot(secret, shares, "deal")), "careful", source)
        seals.append(seal_of(secret, shares))
    return games, seals


VOTE = {"riderless_moves": "vote"}
KINDS: dict[str, tuple[str, int, dict[str, Any]]] = {
    **{edition: (edition, 3, {}) for edition in EDITIONS},
    "piles on side B": ("ausgebremst", 3, {"side": "B"}),
    "standard decks in piles": ("ausgebremst", 3, {"options": {"decks": "standard"}}),
    "votes": ("thibault", 3, {"options": VOTE}),
    "extra": ("pro-ludo", 3, {"options": {"riderless_count": 2}}),
    "teams": ("pro-ludo", 2, {"options": {"chariots_each": 2} | VOTE | {"riderless_count": 1}}),
    "piles for teams": ("ausgebremst", 2, {"options": {"chariots_each": 2}}),
}


@cache
def sealed(about: str) -> Record:
    games, seals = sealed_games(about)
    return record_of(games.races, crews_of(games.races, "human"), KINDS[about][0], seals)
