"""Prints a digest of random races in every edition and course: run in several modes, it must not change.

python tests/support/fingerprint.py RACES [cuda]
"""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import numpy as np

from avecaesar.courses import DIRECTIONS, boards, load_course
from avecaesar.kernel import packing, playout
from avecaesar.rules import EDITIONS, Rules, riderless_in


def line_ups() -> list[tuple[Rules, int]]:
    """Rules and a number of drivers: every edition, riderless chariots by vote, and teams."""
    editions = [(edition.rules, 1 + number % 4) for number, edition in enumerate(EDITIONS.values())]
    voted = EDITIONS["thibault"].rules.with_options({"riderless_moves": "vote"})
    teams = Rules(chariots_each=2, riderless_count=2, riderless_moves="vote")
    return [*editions, (Rules(), 6), (voted, 3), (teams, 4)]


def fingerprint(races: int, gpu: bool = False) -> str:
    digest = hashlib.sha256()
    for number, (rules, drivers) in enumerate(line_ups()):
        for board in boards():
            for name in board.courses:
                for direction in DIRECTIONS:
                    batch = packing.new_races(races)
                    course = load_course(name, direction)
                    arguments: Any = (
                        packing.course_table(course),
                        packing.rules_table(rules),
                        batch,
                        drivers,
                        riderless_in(rules, drivers, course.side),
                        np.uint64(number),
                    )
                    if gpu:
                        from avecaesar.kernel import gpu as card

                        card.random_races(*arguments)
                    else:
                        playout.random_races(*arguments)
                    digest.update(batch.tobytes())
    return digest.hexdigest()


if __name__ == "__main__":
    with np.errstate(over="ignore"):  # uncompiled, NumPy warns when the random numbers wrap round as they should
        print(fingerprint(int(sys.argv[1]), sys.argv[2:] == ["cuda"]))
