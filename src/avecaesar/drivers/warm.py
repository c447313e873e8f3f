"""Compiles rules and drivers ahead of time, and tells how far it is, so that no player ever waits for it unawares."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numba.core import event
from numba.core.dispatcher import Dispatcher

from avecaesar.courses import load_course
from avecaesar.drivers import batch, belief, policies, search
from avecaesar.kernel import packing, playout, redaction
from avecaesar.kernel.layout import CHARIOTS, MOST_MOVES, most_decisions
from avecaesar.rules import Rules

Tell = Callable[[int, int], None]  # so many functions are compiled, of so many


def warm(tell: Tell) -> None:
    """Call every entry into compiled code once: what is not in the cache yet is compiled into it."""
    course = packing.course_table(load_course("white"))
    rules = packing.rules_table(Rules())
    races = packing.new_races(3)
    moves = np.empty((3, MOST_MOVES), np.int64)
    known = packing.new_races(1)
    evidence, nothing = belief.new_evidence(), np.zeros(0, np.int64)
    earned, squares = np.zeros((2, 1), np.int64)
    seed = np.uint64(1)
    drivers = np.array([policies.GREEDY, policies.RANDOM])
    log, seeds = np.zeros(most_decisions(CHARIOTS), np.int64), np.zeros(CHARIOTS, np.uint64)
    totals = np.zeros((5, batch.COLUMNS), np.int64)
    entries: list[Callable[[], object]] = [
        lambda: playout.random_races(course, rules, races, 2, 0, seed),
        lambda: playout.begin_race(course, rules, races, 0, 2, 0),
        lambda: playout.first_driven(rules, 0),
        lambda: playout.cards_to_sort(course, races, 0, 0),
        lambda: playout.list_moves(course, races, 0, moves[0]),
        lambda: playout.leading(races, 0),
        lambda: playout.banned(rules, races, 0),
        lambda: playout.judge(course, races, 0, 0),
        lambda: playout.step(course, rules, races, 0, int(moves[0, 0])),
        lambda: playout.move_on(course, rules, races, 0, -1, moves[0]),
        lambda: playout.perft(course, rules, races, moves, 1),
        lambda: redaction.redact_race(rules, races, 0, 0, known),
        lambda: policies.ask(course, rules, known, policies.GREEDY, seed),
        lambda: batch.deal_race(rules, races, 2, 0, seed, 0, seeds),
        lambda: batch.run_trials(course, rules, races, drivers, drivers, 0, True, False, 1, seed, 0, 1, log, totals),
        lambda: belief.gather_all(course, rules, known, nothing, evidence),
        lambda: search.try_moves(course, rules, known, evidence, nothing, 0, seed, 0, 1, races, earned, squares),
    ]
    with _telling(tell):
        for entry in entries:
            entry()


@contextmanager
def _telling(tell: Tell) -> Iterator[None]:
    """Tell of each function of ours when it is compiled for the first time, and at the end that all are."""
    functions = {id(function) for function in _functions()}
    waiting = set(functions)

    class Compilations(event.Listener):  # type: ignore[misc]  # Numba is untyped
        def on_start(self, event: Any) -> None:
            """Nothing to tell yet."""

        def on_end(self, event: Any) -> None:
            function = id(event.data["dispatcher"])
            if function in waiting:
                waiting.remove(function)
                tell(len(functions) - len(waiting), len(functions))

    listener = Compilations()
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)
    tell(len(functions), len(functions))


def _functions() -> Iterator[Dispatcher]:
    """Every function of ours that is compiled."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("avecaesar.kernel.", "avecaesar.drivers.")):
            yield from (value for value in vars(module).values() if isinstance(value, Dispatcher))


if __name__ == "__main__":
    warm(lambda done, total: print(f"{done}/{total}", flush=True))
