"""A race of an edition, on paper."""

from __future__ import annotations

import random

from avecaesar.game import Race
from avecaesar.records import Record, record_of
from recordings import crews_of, run


def raced(edition: str, seed: int = 3, drivers: int = 4, **options: object) -> Record:
    """A race of an edition."""
    course = "yellow" if edition == "ausgebremst" else "white"
    race = Race(course, drivers, edition=edition, options=options, seed=seed)
    races = [run(race, "careful", random.Random(seed))]
    return record_of(races, crews_of(races, "chance"), edition)
