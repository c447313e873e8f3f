"""Compiles rules and drivers ahead of time, stage by stage, so that no player ever waits for it unawares."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import numpy as np

from avecaesar import first_start
from avecaesar.courses import load_course
from avecaesar.drivers import batch, belief, policies, search
from avecaesar.kernel import entry_points, jit, packing, redaction
from avecaesar.kernel.cache import LABORATORY, RACE, SEARCHER, STAGES, is_ready, note_ready
from avecaesar.kernel.layout import CHARIOTS, MOST_MOVES, most_decisions
from avecaesar.rules import Rules

NICE = 10  # for what nobody waits for


def prepare(*stages: str) -> None:
    """Compile what is missing of these stages; this takes no time when nothing is."""
    missing = [stage for stage in stages if not is_ready(stage)]
    with jit.expecting(missing):
        for stage in missing:
            for entry in _calls()[stage]:
                entry()
            note_ready(stage)


def _calls() -> dict[str, list[Callable[[], object]]]:
    """A call of every entry of each stage: what is not in the cache yet is compiled into it."""
    course = packing.course_table(load_course("white"))
    rules = packing.rules_table(Rules())
    races = packing.new_races(3)
    moves = np.empty(MOST_MOVES, np.int64)
    known = packing.new_races(1)
    evidence, nothing = belief.new_evidence(), np.zeros(0, np.int64)
    earned, squares = np.zeros((2, 1), np.int64)
    seed = np.uint64(1)
    drivers, rows = (policies.GREEDY, policies.RANDOM), batch.rows_of(2, 2)
    plan = batch.new_plan(seed=1, groups=(0, 1), grids=((0, 1), (0, 1)), rows=rows, policies=drivers)
    log, seeds = np.zeros(most_decisions(CHARIOTS), np.int64), np.zeros(CHARIOTS, np.uint64)
    totals = np.zeros((rows.end, batch.COLUMNS), np.int64)
    begin: list[Callable[[], object]] = [
        lambda: entry_points.begin_race(course, rules, races, 0, 2, 0),
        lambda: redaction.redact_race(rules, races, 0, 0, known),
    ]
    return {
        RACE: [
            *begin,
            lambda: entry_points.first_driven(rules, 0),
            lambda: entry_points.cards_to_sort(course, races, 0, 0),
            lambda: entry_points.list_moves(course, races, 0, moves),
            lambda: entry_points.leading(races, 0),
            lambda: entry_points.all_under_ban(rules, races, 0),
            lambda: entry_points.owing(rules, races, 0),
            lambda: entry_points.owing_now(rules, races, 0),
            lambda: entry_points.all_paid(races, 0),
            lambda: entry_points.cards_that_owe(course, rules, races, 0, 0),
            lambda: entry_points.walk_on(course, races, 0, 0, *packing.new_windows(2)),
            lambda: entry_points.remaining_after(course, races, 0, 0, 0),
            lambda: entry_points.judge(course, races, 0, 0),
            lambda: entry_points.step(course, rules, races, 0, int(moves[0])),
            lambda: policies.ask(course, rules, known, policies.GREEDY, seed),
        ],
        LABORATORY: [
            lambda: batch.deal_race(rules, plan, races, 0, seeds),
            lambda: batch.run_races(course, rules, plan, races, 0, 1, log, totals),
        ],
        SEARCHER: [
            *begin,
            lambda: belief.gather_all(course, rules, known, nothing, evidence),
            lambda: search.try_moves(course, rules, known, evidence, nothing, 0, seed, 0, 1, races, earned, squares),
        ],
    }


class _Lines:
    """Tells another program, a line at a time."""

    def __init__(self, stage: str) -> None:
        self._stage = stage

    def begin(self) -> None:
        """There is nothing to tell yet."""

    def show(self, done: int, total: int) -> None:
        """How far a stage is."""
        print(f"{self._stage} {done}/{total}", flush=True)

    def end(self) -> None:
        """The stage may not be over."""


def main(stages: list[str]) -> None:
    """Compile these stages, or all; print how far each is, and that it is ready. The searcher has a low priority."""
    for stage in stages or STAGES:
        if stage == SEARCHER and hasattr(os, "nice"):
            os.nice(NICE)
        with first_start.told_to(_Lines(stage)):
            prepare(stage)
        print(f"{stage} ready", flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BrokenPipeError:  # whoever listened is gone
        os._exit(1)
