"""Prints a digest of random races in every edition and course: run in several modes, it must not change.

python tests/fingerprint.py RACES [cuda]
"""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import numpy as np

from avecaesar.courses import DIRECTIONS, boards, load_course
from avecaesar.kernel import playout, tables
from avecaesar.rules import EDITIONS


def fingerprint(races: int, gpu: bool = False) -> str:
    digest = hashlib.sha256()
    for number, name in enumerate(EDITIONS):
        for board in boards():
            for course in board.courses:
                for direction in DIRECTIONS:
                    batch = tables.new_races(races)
                    arguments: Any = (
                        tables.course_table(load_course(course, direction)),
                        tables.rules_table(EDITIONS[name].rules),
                        batch,
                        1 + number % 6 + (course == "red"),
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
