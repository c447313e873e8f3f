"""Races this kernel beside that of another checkout, in turns on one core: is it slower than it was?

    git worktree add ../before v0.2.0
    python tools/compare.py ../before

Prints for each edition both speeds and their ratio, median and range of interleaved rounds. Every round starts both
anew, for where a process happens to lie in memory is worth some per cent. Both run with the same Python and libraries;
an edition that only one of them has is left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from itertools import product
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
RACES = 20_000
READINGS = 5  # in a round, of which the median counts
COURSES = ("white", "blue", "yellow", "red")

# Runs in each checkout: prints its editions, then for every line "edition course seed" moves a second.
SERVER = """
import inspect, sys, time
import numpy as np
from avecaesar.courses import load_course
from avecaesar.kernel import playout
from avecaesar.rules import EDITIONS

try:
    from avecaesar.kernel import packing
except ImportError:  # as it was called up to 0.6
    from avecaesar.kernel import tables as packing

no_riderless = (0,) if "riderless" in inspect.signature(playout.random_races.py_func).parameters else ()
races = packing.new_races(int(sys.argv[1]))

def speed(edition, course, seed):
    table = packing.course_table(load_course(course)), packing.rules_table(EDITIONS[edition].rules)
    begun = time.perf_counter()
    moves = playout.random_races(*table, races, 4 if course in ("white", "blue") else 6, *no_riderless, np.uint64(seed))
    return moves / (time.perf_counter() - begun)

speed("ravensburger", "white", 1)
print(*EDITIONS, flush=True)
for line in sys.stdin:
    edition, course, seed = line.split()
    print(speed(edition, course, int(seed)), flush=True)
"""


class Kernel:
    """A checkout's kernel in a process of its own."""

    def __init__(self, checkout: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(RACES)],
            env={"PYTHONPATH": str(checkout / "src"), "HOME": str(Path.home())},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.editions = self._answer().split()

    def _answer(self) -> str:
        assert self.process.stdout is not None
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit("A kernel could not be run: is that a checkout?")
        return answer

    def speed(self, edition: str, course: str, seed: int) -> float:
        """Moves a second."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{edition} {course} {seed}\n")
        self.process.stdin.flush()
        return float(self._answer())

    def stop(self) -> None:
        """End the process."""
        self.process.communicate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, help="another checkout, such as a git worktree of an older commit")
    parser.add_argument("--rounds", type=int, default=20, help="for each edition (default: 20)")
    options = parser.parse_args()
    if not (options.other / "src" / "avecaesar").is_dir():
        sys.exit(f"{options.other} is not a checkout of this project")
    checkouts = {"other": options.other, "this": ROOT}
    seen: dict[tuple[str, str], dict[str, list[float]]] = {}
    for number in range(options.rounds):
        kernels = {name: Kernel(checkouts[name]) for name in sorted(checkouts, reverse=number % 2 == 1)}
        common = [edition for edition in kernels["this"].editions if edition in kernels["other"].editions]
        for edition, course in product(common, COURSES):
            speeds = seen.setdefault((edition, course), {name: [] for name in checkouts})
            readings: dict[str, list[float]] = {name: [] for name in checkouts}
            for seed in range(READINGS * number, READINGS * (number + 1)):
                for name, kernel in kernels.items():
                    readings[name].append(kernel.speed(edition, course, seed))
            for name, read in readings.items():
                speeds[name].append(median(read))
        for kernel in kernels.values():
            kernel.stop()
    print("edition        course    other M/s   this M/s   this/other (range)")
    for (edition, course), speeds in seen.items():
        ratios = [mine / theirs for mine, theirs in zip(speeds["this"], speeds["other"], strict=True)]
        print(
            f"{edition:14} {course:8} {median(speeds['other']) / 1e6:10.2f} {median(speeds['this']) / 1e6:10.2f}"
            f"   {median(ratios):.3f} ({min(ratios):.3f}–{max(ratios):.3f})"
        )


if __name__ == "__main__":
    main()
