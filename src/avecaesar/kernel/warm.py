"""Compiles the rules ahead of time, with a progress bar, so that no player ever waits for it."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from avecaesar.courses import load_course
from avecaesar.kernel import playout, policies, search, sight, tables, trials, worlds
from avecaesar.kernel.records import CHARIOTS, MOST_MOVES, most_decisions
from avecaesar.rules import Rules

BAR = 24


def warm() -> None:
    """Call every entry into the kernel once: what is not in the cache yet is compiled into it."""
    course = tables.course_table(load_course("white"))
    rules = tables.rules_table(Rules())
    races = tables.new_races(3)
    moves = np.empty((3, MOST_MOVES), np.int64)
    known = tables.new_races(1)
    evidence, nothing = worlds.new_evidence(), np.zeros(0, np.int64)
    earned, squares = np.zeros((2, 1), np.int64)
    seed = np.uint64(1)
    drivers = np.array([policies.GREEDY, policies.RANDOM])
    log, seeds = np.zeros(most_decisions(CHARIOTS), np.int64), np.zeros(CHARIOTS, np.uint64)
    totals = np.zeros((5, trials.COLUMNS), np.int64)
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
        lambda: sight.redact_race(rules, races, 0, 0, known),
        lambda: policies.ask(course, rules, known, policies.GREEDY, seed),
        lambda: trials.deal_race(rules, races, 2, 0, seed, 0, seeds),
        lambda: trials.run_trials(course, rules, races, drivers, drivers, 0, True, False, 1, seed, 0, 1, log, totals),
        lambda: worlds.gather_all(course, rules, known, nothing, evidence),
        lambda: search.try_moves(course, rules, known, evidence, nothing, 0, seed, 0, 1, races, earned, squares),
    ]
    for done, entry in enumerate(entries, 1):
        entry()
        _show(done, len(entries))


def _show(done: int, total: int) -> None:
    if sys.stderr.isatty():
        bar = "█" * (BAR * done // total)
        end = "\n" if done == total else ""
        print(f"\rCompiling the rules {bar:░<{BAR}} {done}/{total}", end=end, file=sys.stderr, flush=True)


if __name__ == "__main__":
    warm()
