"""`avecaesar arena`: the same deals from every grid place, and honest intervals."""

from __future__ import annotations

from dataclasses import replace
from math import isclose, sqrt
from typing import Any

import numpy as np
import pytest

from arenas import arena_of, by_hand, printed, raced
from avecaesar import load_course
from avecaesar.lab import Experiment
from avecaesar.lab.arena import Results, standings_of
from avecaesar.lab.arena.ratings import rate
from avecaesar.lab.figures import Z, share
from avecaesar.lab.racing import Outcome, Races
from avecaesar.rules import EDITIONS

pytestmark = pytest.mark.usefixtures("arena_workplace")

# ---------------------------------------------------------------------- the same deals from every grid place


def test_a_deal_is_raced_once_from_every_grid_place_with_the_same_cards() -> None:
    experiment = arena_of("greedy", against="random").experiments[0]
    dealt = [experiment.dealt(number) for number in range(8)]
    for deal in (dealt[:4], dealt[4:]):
        assert len({race.deal for race, _ in deal}) == 1
        assert len({tuple(seeds) for _, seeds in deal}) == 1
    assert dealt[0][0].deal != dealt[4][0].deal
    grids = [[experiment.drivers[entry] for entry in experiment.on_grid(number)] for number in range(4)]
    assert [grid.index("greedy") for grid in grids] == [0, 1, 2, 3]
    assert all(grid.count("random") == 3 for grid in grids)


def test_all_pairings_race_the_same_deals() -> None:
    experiments = arena_of("greedy", "random", "own.py:Roving").experiments
    assert len(experiments) == 6
    assert len({experiment.dealt(5)[0].deal for experiment in experiments}) == 1


@pytest.mark.parametrize(
    ("edition", "each", "field"), [("ravensburger", 1, "random"), ("thibault", 1, "random"), ("pro-ludo", 2, "greedy")]
)
def test_inside_the_kernel_and_over_views_the_races_are_the_same(edition: str, each: int, field: str) -> None:
    rules = EDITIONS[edition].rules.with_options({"chariots_each": each})
    inside, over_views = (
        Races(Experiment(7, load_course("white"), rules, (driver, field, field) * each, 3, paired=True))
        for driver in ("greedy", "own.py:Same")
    )
    assert (inside.in_python, over_views.in_python) == (False, True)
    for one, other in zip(inside.outcomes(0, 7), over_views.outcomes(0, 7), strict=True):
        assert [(0, 0)] * len(other.thought) < other.thought
        assert one.thought == []
        assert {**fields(other), "thought": []} == fields(one)


def fields(outcome: Outcome) -> dict[str, Any]:
    return {name: getattr(outcome, name) for name in outcome.__struct_fields__}


def test_outcomes_tell_of_each_chariot() -> None:
    experiment = arena_of("own.py:Roving", against="greedy", chariots=3).experiments[0]
    races = Races(experiment)
    for outcome in races.outcomes(0, 6):
        race = races._driven_over_views(outcome.race)
        chariots = race.view().chariots
        assert outcome.places == [place or 0 for place in race.places]
        assert outcome.laurels == list(race.laurels)
        assert outcome.home == [chariot.status == "home" for chariot in chariots]
        assert outcome.disqualified == [chariot.disqualified for chariot in chariots]
        assert outcome.turns == [sum(turn.chariot == i for turn in race.history) for i in range(3)]
        assert outcome.missed == [
            sum(turn.chariot == i and turn.reason is not None for turn in race.history) for i in range(3)
        ]
        decisions = [sum(turn.chariot == i for turn in race.history) for i in range(3)]
        assert [moves for _, moves in outcome.thought] == decisions


def test_races_are_rounded_up_to_whole_deals_and_it_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, "greedy --against random --races 9 --chariots 4 --seed 1")
    assert "12 races (9 were asked for), 3 deals from each of 4 places" in told
    told = printed(capsys, "greedy --against random --races 12 --players 2 --each 3 --seed 1")
    assert "12 races, 6 deals from each of 2 places" in told


def test_the_drivers_chariots_are_counted_wherever_they_stand() -> None:
    """By hand from the outcomes: the driver's alone, all of his where he has several, riderless ones of nobody."""
    for each, chariots, edition in ((1, 3, "thibault"), (2, 6, "ravensburger")):
        rules = EDITIONS[edition].rules.with_options({"chariots_each": each})
        arena = arena_of("random", against="greedy", races=12, chariots=chariots, rules=rules, edition=edition)
        experiment = arena.experiments[0]
        laurels, wins = [0] * arena.deals, [0] * arena.deals
        for outcome in Races(experiment).outcomes(0, arena.races):
            for place, entry in zip(experiment.driven, experiment.on_grid(outcome.race), strict=True):
                if experiment.drivers[entry] == "random":
                    laurels[outcome.race // arena.players] += outcome.laurels[place]
                    wins[outcome.race // arena.players] += outcome.places[place] == 1
        by_deal = raced(arena).by_deal(0, 0)
        assert by_deal[:, :2].tolist() == [[won, earned] for won, earned in zip(wins, laurels, strict=True)]


# ---------------------------------------------------------------------- honest figures


def test_intervals_are_worked_out_from_deal_to_deal() -> None:
    """Wins 2, 1 and 0 of two: they spread like 4.5 tosses of a coin."""
    (row,) = standings_of(by_hand((1, 1), (1, 0), (0, 0))).rows
    shrink = 1 + Z * Z / 4.5
    half = Z * sqrt(0.25 / 4.5 + (Z / 9) ** 2) / shrink
    assert (row.wins.total, row.wins.value) == (3, 0.5)
    assert row.wins.low is not None
    assert isclose(row.wins.low, 0.5 - half)
    assert (row.multiple.value, row.multiple.low) == (1.0, 2 * row.wins.low)
    assert row.laurels.high is not None
    assert row.laurels.value == 3.0
    assert isclose(row.laurels.high, 3.0 + Z * sqrt(36 / 3) / 2)
    assert row.home.total == 3  # the driver in every other race, for place I is always home here
    assert (row.missed_turns.total, row.missed_turns.value) == (9, 9 / 90)
    assert (row.nanoseconds, row.moves, row.thinking_ms) == (33_000_000, 18, 33 / 18)


def test_luck_that_evens_out_between_grid_places_makes_intervals_narrow() -> None:
    narrow, wide = (
        standings_of(by_hand(*wins)).rows[0].wins
        for wins in ([(1, 0)] * 19 + [(1, 1)], [(1, 1), (0, 0)] * 9 + [(1, 0), (1, 1)])
    )
    assert narrow.value == wide.value == 21 / 40
    assert narrow.high is not None
    assert wide.high is not None
    assert narrow.high - narrow.value < (wide.high - wide.value) / 3


def test_95_of_100_intervals_hold_the_truth() -> None:
    """Drivers who win with 10, 30, 50 and 70 % from the four places, so that deals spread less than races would."""
    source, held = np.random.default_rng(5), 0
    for _ in range(1000):
        wins = (source.random((100, 4)) < [0.1, 0.3, 0.5, 0.7]).sum(axis=1).tolist()
        total, squares = sum(wins), sum(won * won for won in wins)
        figure = share(total, 400, 100, squares, 4 * total, 1600, rotated=True)
        assert figure.low is not None
        assert figure.high is not None
        held += figure.low <= 0.4 <= figure.high
    assert 930 <= held <= 970


def test_differences_are_paired_deal_by_deal() -> None:
    one, other = by_hand((1, 1), (1, 0), (0, 0)), by_hand((1, 1), (0, 0), (0, 0))
    results = Results(replace(one.arena, drivers=("greedy", "own.py:Same")))
    results.races[:] = np.concatenate([one.races, other.races])
    (difference,) = standings_of(results).differences
    assert (difference.driver, difference.other, difference.against) == ("greedy", "own.py:Same", "random")
    assert (difference.wins.total, difference.wins.value) == (1, 1 / 6)
    assert difference.wins.high is not None
    assert isclose(difference.wins.high, 1 / 6 + Z * sqrt(1 / 9) / 2)


def test_in_a_round_robin_everybody_meets_copies_of_everybody() -> None:
    standings = standings_of(raced(arena_of("greedy", "random", "own.py:Roving", races=4, chariots=3)))
    pairs = [(row.driver, row.against) for row in standings.rows]
    assert len(set(pairs)) == 6
    assert all(driver != against for driver, against in pairs)
    assert [one.races for one in standings.ratings] == [24, 24, 24]
    assert standings.ratings[0].driver == "greedy"
    assert len(standings.differences) == 3


def test_two_players_meet_once_and_are_each_the_others_field() -> None:
    arena = arena_of("greedy", "random", "own.py:Roving", races=6, chariots=2)
    assert [tuple(pairing) for pairing in arena.pairings] == [
        ("greedy", "random"), ("greedy", "own.py:Roving"), ("random", "own.py:Roving")
    ]  # fmt: skip
    standings = standings_of(raced(arena))
    assert len(standings.rows) == 6
    for row in standings.rows:
        mirrored = standings.row(row.against, row.driver)
        assert mirrored is not None
        assert row.wins.total + mirrored.wins.total <= arena.races


def test_ratings_follow_the_race_numbers_and_not_the_order_of_arrival() -> None:
    arena = arena_of("greedy", against="random", races=40)
    outcomes = Races(arena.experiments[0]).outcomes(0, 40)
    backwards = Results(arena)
    for outcome in reversed(outcomes):
        backwards.add(0, outcome)
    assert standings_of(backwards) == standings_of(raced(arena))
    best, worst = standings_of(backwards).ratings
    assert (best.driver, worst.driver) == ("greedy", "random")
    assert best.ordinal == best.mu - 3 * best.sigma > worst.mu
    assert best.sigma < 25 / 3


def test_sigma_is_on_the_careful_side() -> None:
    """Made-up races of a driver of twice the strength: how much the difference of mu spreads from arena to arena."""
    source = np.random.default_rng(2)
    arena = arena_of("greedy", against="random", races=200)
    differences, told = [], []
    for _ in range(30):
        results = Results(arena)
        strength = np.where(results.owners == 0, np.log(2.0), 0.0)
        arrivals = source.gumbel(size=(arena.deals, *strength.shape)) + strength
        places = (-arrivals).argsort(axis=2).argsort(axis=2) + 1
        results.races[0, :, :, 0] = places.reshape(arena.races, -1)
        best, worst = rate(results)
        assert best.driver == "greedy"
        differences.append(best.mu - worst.mu)
        told.append(sqrt(best.sigma**2 + worst.sigma**2))
    assert 0.3 < np.std(differences) / np.mean(told) < 0.9


def test_equals_are_rated_as_equals() -> None:
    """A driver and his own double: one of the four wins each deal."""
    standings = standings_of(raced(arena_of("greedy", against="own.py:Same", races=120)))
    assert standings.rows[0].multiple.value == 1.0
    best, worst = standings.ratings
    assert best.mu - worst.mu < best.sigma
