"""The computer drivers: their names, characters and levels."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from avecaesar.drivers.compiled import Bibulus, Chance, Festina, Greedy, Scorpus
from avecaesar.drivers.own import DriverError
from avecaesar.drivers.searcher import Searcher

Level = Literal["beginner", "solid", "hard to beat", "for experiments"]

BUDGET = re.compile(r"(?P<number>[0-9]{1,9})(?P<unit>|ms|s)(?:/(?P<cores>[0-9]{1,3}))?")
A_BUDGET = "playouts a move, or time such as 200ms or 2s; and on how many cores, such as 2s/4"


@dataclass(frozen=True, slots=True)
class Character:
    """A driver of the computer's."""

    name: str  # as it is typed
    title: str  # as it is shown
    level: Level
    tells: str  # in a sentence, for who is to race against it
    make: Callable[..., Any]  # with a seed
    thinks: bool = False  # takes a budget, after an @


CHARACTERS = {
    character.name: character
    for character in (
        Character(
            "bibulus",
            "Bibulus",
            "beginner",
            "has had a drink: every third turn he does not look where he drives",
            Bibulus,
        ),
        Character(
            "festina", "Festina", "beginner", "always in a hurry: her highest card, and never mind the lane", Festina
        ),
        Character(
            "scorpus",
            "Scorpus",
            "solid",
            "two thousand races old: keeps inside, counts, and stands in your way",
            Scorpus,
        ),
        Character(
            "sibylla", "Sibylla", "hard to beat", "has seen a thousand ways in which this race may end", Searcher, True
        ),
        Character("greedy", "Greedy", "for experiments", "takes what looks best by itself, and minds nobody", Greedy),
        Character("random", "Random", "for experiments", "does anything that is allowed", Chance),
    )
}


def make(name: str, seed: int | None) -> Any:
    """A driver of ours by name, or by name and budget.

    >>> make("sibylla@200ms/2", 1).seconds
    0.2
    """
    who = name.partition("@")[0]
    character = CHARACTERS[who]
    if name == who:
        return character.make(seed)
    if not character.thinks:
        raise DriverError(f"{character.title} takes no budget: '{name}' is '{who}'")
    return character.make(seed, **budget_of(name))


def budget_of(name: str) -> dict[str, Any]:
    """What stands after the @ in a driver's name, for `Searcher`; nothing if there is no @."""
    _, at, text = name.partition("@")
    if not at:
        return {}
    written = BUDGET.fullmatch(text)
    if not written:
        raise DriverError(f"driver '{name}': after the @ stand {A_BUDGET}")
    number, cores = int(written["number"]), int(written["cores"] or 1)
    if not written["unit"]:
        return {"playouts": number, "cores": cores}
    return {"seconds": number / 1000 if written["unit"] == "ms" else float(number), "cores": cores}
