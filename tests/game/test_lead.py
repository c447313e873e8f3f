"""Who is in front: one reckoning for the page, the chronicle and the replay, and the laboratory's agrees with it."""

from __future__ import annotations

import numpy as np

from avecaesar.drivers import batch, policies
from avecaesar.game import Race
from avecaesar.game.lead import Front
from avecaesar.game.numbers import ChariotNumber
from avecaesar.kernel import packing
from avecaesar.kernel.layout import CHARIOTS, most_decisions


def test_the_lead_is_taken_by_a_chariot_that_leads_alone_and_did_not_before() -> None:
    front = Front()
    leading: tuple[list[int], ...] = ([0, 1], [0], [0], [0, 2], [0], [2], [], [2], [1])
    seen = [front.taken_by(tuple(map(ChariotNumber, leaders))) for leaders in leading]
    assert seen == [None, 0, None, None, None, 2, None, None, 1]
    assert front.chariot == 1


def test_experiments_count_changes_of_lead_as_we_tell_them() -> None:
    """They begin with the grid: whoever stands foremost alone there has the lead to lose."""
    desk, log = packing.new_races(2), np.zeros(most_decisions(CHARIOTS), np.int64)
    rows = batch.rows_of(1, 4)
    plan = batch.new_plan(seed=5, groups=[0] * 4, grids=[range(4)] * 4, rows=rows, policies=[policies.RANDOM] * 4)
    race = Race("white", 4, seed=0)
    course, rules = packing.course_table(race.course), packing.rules_table(race.rules)
    counted = told = 0
    for number in range(12):
        totals = np.zeros((rows.end, batch.COLUMNS), np.int64)
        batch.run_races(course, rules, plan, desk, number, 1, log, totals)
        counted += int(totals[rows.together, batch.LEADS_TAKEN])
        batch.deal_race(rules, plan, desk, number, np.zeros(CHARIOTS, np.uint64))
        again = Race("white", 4, decks=desk["deck"][0, :4].tolist())
        front, moves = Front(), iter(log.tolist())
        front.taken_by(again.leaders)
        while not again.over:
            again.play(again.move_of(next(moves)))
            led = front.chariot
            told += front.taken_by(again.leaders) is not None and led is not None
    assert counted == told > 12
