"""Arenas in tests: typed, built and raced."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from avecaesar import load_course
from avecaesar.cli import main
from avecaesar.lab.arena import Arena, Results
from avecaesar.lab.racing import Outcome
from avecaesar.lab.workers import run_each
from avecaesar.rules import Rules

OWN = """
import os
import random

from avecaesar.drivers import Greedy

class Roving:
    def __init__(self, seed):
        self.source = random.Random(seed)

    def choose(self, view):
        return self.source.choice(view.legal_moves)

class Same(Greedy):
    pass

class Pausing(Greedy):
    made = 0

    def __init__(self, seed):
        super().__init__(seed)
        Pausing.made += 1

    def choose(self, view):
        if Pausing.made > 9 and os.path.exists("pause"):
            print("racing", flush=True)
            while True:
                pass
        return super().choose(view)

class Raising:
    def choose(self, view):
        raise KeyError("no idea")

class Cheating:
    def choose(self, view):
        from avecaesar import Play
        return Play(6, "home")

    def choose_seeing(self, race):
        return race.legal_moves[0]
"""


def printed(capsys: pytest.CaptureFixture[str], arguments: str, *more: str) -> str:
    assert main(["arena", *shlex.split(arguments), "--jobs", "1", *more]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


def arena_of(*drivers: str, against: str | None = None, races: int = 8, chariots: int = 4, **more: Any) -> Arena:
    usual = {"course": "white", "track": load_course("white"), "rules": Rules(), "edition": "ravensburger", "seed": 3}
    return Arena(drivers, against, races, chariots=chariots, **{**usual, **more})


def raced(arena: Arena) -> Results:
    results = Results(arena)
    for pairing, outcomes in run_each(arena.experiments, results.missing):
        for outcome in outcomes:
            results.add(pairing, outcome)
    return results


def by_hand(*wins: tuple[int, int]) -> Results:
    """Two players, a deal each: how often the first won from place I and from place II."""
    results = Results(arena_of("greedy", against="random", races=2 * len(wins), chariots=2))
    for number, won in enumerate(heat for deal in wins for heat in deal):
        mine = [0, 0]
        mine[number % 2] = 1
        places = mine if won else mine[::-1]
        laurels = [6 * place for place in places]
        results.add(
            0, Outcome(number, places, laurels, [1, 0], [0, 1], [1, 2], [10, 20], [(3_000_000, 2), (8_000_000, 4)])
        )
    return results
