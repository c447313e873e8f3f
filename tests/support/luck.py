"""Luck that repeats itself: in tests, what chance decides at a table follows from the name of the test.

Without it a race in a browser is another one each time, and a test that needs something to come up fails one day in a
hundred. `AVECAESAR_LUCK=7 make test` is luck of another kind, for finding such tests.

The program itself knows nothing of this: `python tests/support/luck.py serve …` is `avecaesar serve …` with its two
sources of randomness exchanged, in the workers that it starts as well. It is also where tests lift limits and save
time.
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
from functools import partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace

from avecaesar.game import chance, sealed_chance
from avecaesar.server import rates

PLACE = "AVECAESAR_TEST_LUCK"  # the variable with the path of a file, in which the words are from which luck follows
KIND = "AVECAESAR_LUCK"
BOUNDLESS = "AVECAESAR_TEST_BOUNDLESS"  # the variable that is set where nobody is refused for being many
HASTE = "AVECAESAR_TEST_HASTE"  # the variable that is set where drivers lose no time

# Shares come in any order where several people sit, so that all of them are the same one.
SAME_SHARES = """(() => {
  const chance = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (array) => (array.length === 16 ? array.fill(7) : chance(array));
})()"""


def words() -> str:
    """From what luck follows now."""
    place = os.environ.get(PLACE)
    return (Path(place).read_text() if place else "") + os.environ.get(KIND, "")


class Draws:
    """Secrets and shares that nobody else has drawn, until the words change."""

    def __init__(self) -> None:
        self._words, self._numbers = "", count()

    def token_bytes(self, size: int) -> bytes:
        if (now := words()) != self._words:
            self._words, self._numbers = now, count()
        return hashlib.shake_256(f"{now} {next(self._numbers)}".encode()).digest(size)


def repeat_deals() -> None:
    """From now on the cards of tables in this process follow from the words."""
    vars(sealed_chance)["secrets"] = Draws()


def repeat_choices() -> None:
    """From now on drivers in this process choose alike in the same situation."""
    seeded = SimpleNamespace(Random=random.Random, SystemRandom=lambda: random.Random(words()))
    vars(chance)["random"] = seeded


def lift_rates() -> None:
    """From now on nobody asks too often."""
    setattr(rates.InMemory, "take", lambda *_asked, **_more: 0.0)  # noqa: B010  # so that mypy lets us


def hurry() -> None:
    """From now on drivers lose no time at a table that was laid with a pace of 0.

    Where no person races they do not wait for other tables' sake, and a move is due as soon as it was thought of,
    though that may tell something about a hand. Both waits have tests of their own, on clocks that tests wind.
    """
    from avecaesar.server.tables import driving, house

    vars(house)["Quotas"] = partial(rates.Quotas, pace=0.0)
    vars(driving)["TICK"] = 0.001


if __name__ != "luck":  # the program, or one of its workers
    repeat_deals()
    repeat_choices()
    if BOUNDLESS in os.environ:
        lift_rates()

if __name__ == "__main__":
    if HASTE in os.environ:
        hurry()
    from avecaesar.cli import main

    sys.exit(main())
