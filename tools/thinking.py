"""How fast the searcher thinks: a section of `make bench`."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable
from statistics import median
from typing import Any

import numpy as np

from avecaesar import Race
from avecaesar.courses import load_course
from avecaesar.drivers import Scorpus, Searcher
from avecaesar.kernel import packing, playout
from avecaesar.rules import Rules

TABLES = (("white", 4), ("red", 6))
PLAYOUTS = 1000


def races_a_second(course: str, chariots: int, races: int, seed: int) -> float:
    """Whole random races, for comparison."""
    room = packing.new_races(races)
    begun = time.process_time()
    playout.random_races(
        packing.course_table(load_course(course)), packing.rules_table(Rules()), room, chariots, 0, np.uint64(seed)
    )
    return races / (time.process_time() - begun)


def one_race(course: str, chariots: int, playouts: int, seed: int) -> tuple[list[float], int]:
    """The searcher among solid drivers: seconds for each decision between several moves, and playouts in all."""
    race, searcher, others = Race(course, chariots, seed=seed), Searcher(playouts=playouts), Scorpus()
    seconds, done = [], 0
    while (chariot := race.turn) is not None:
        view = race.view(chariot)
        if chariot != seed % chariots or len(view.legal_moves) == 1:
            race.play(others.choose(view))
            continue
        begun = time.process_time()
        considered = searcher.consider(view)
        seconds.append(time.process_time() - begun)
        done += sum(one.playouts for one in considered)
        race.play(considered[0].move)
    return seconds, done


def thinking(rounds: Iterable[int], quick: bool) -> dict[str, Any]:
    """A race a round on each side, and random races beside them."""
    playouts = 20 if quick else PLAYOUTS
    report: dict[str, Any] = {f"{course}, {chariots} chariots": defaultdict(list) for course, chariots in TABLES}
    for seed in rounds:
        for (course, chariots), rows in zip(TABLES, report.values(), strict=True):
            seconds, done = one_race(course, chariots, playouts, seed)
            rows["playouts_a_second"].append(done / sum(seconds))
            rows["median_milliseconds"].append(1000 * median(seconds))
            rows["slowest_milliseconds"].append(1000 * max(seconds))
            rows["random_races_a_second"].append(races_a_second(course, chariots, 20 if quick else 2000, seed))
    return report
