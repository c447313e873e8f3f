"""How `make bench` measures: contestants take turns on one core, and each has a median and a range."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from statistics import median
from typing import Any

from avecaesar.courses import load_course
from avecaesar.kernel import packing
from avecaesar.rules import Rules

CHARIOTS = 4
BATCH = 2000  # races in an array
CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()

Rate = Callable[[], float]  # one round: so many a second


def course_and_rules() -> tuple[Any, Any]:
    """White in the default edition."""
    return packing.course_table(load_course("white")), packing.rules_table(Rules())


def keep_to_one_core() -> None:
    """Let this process run on one core only, where the system can do that."""
    if CORES:
        os.sched_setaffinity(0, {max(CORES)})


def use_every_core() -> None:
    """Undo it, before others are started that inherit it."""
    if CORES:
        os.sched_setaffinity(0, CORES)


def take_turns(contestants: dict[str, Rate], rounds: int, what: str) -> dict[str, list[float]]:
    """Everybody once a round; a first round to warm up does not count."""
    keep_to_one_core()
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for number in progress(range(rounds + 1), what):
        for name, rate in contestants.items():
            measured = rate()
            if number > 0:
                rates[name].append(measured)
    return rates


def spread(values: Iterable[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {"median": median(ordered), "least": ordered[0], "most": ordered[-1]}


def ratios(ours: list[float], theirs: list[float]) -> dict[str, float]:
    return spread(a / b for a, b in zip(ours, theirs, strict=True))


def progress(items: range, what: str) -> Iterator[int]:
    for item in items:
        if sys.stderr.isatty():
            print(f"\r\033[K{what} {item + 1}/{len(items)}", end="", file=sys.stderr, flush=True)
        yield item
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
