"""The searcher: what she considers, that nothing but the budget changes it, and what a playout is worth."""

from __future__ import annotations

import argparse
import random
import threading
from collections import Counter
from typing import Any

import numpy as np
import pytest

from avecaesar import Race, load_course
from avecaesar.drivers import CHARACTERS, DriverError, Scorpus, Searcher, advise, driver, policies, search
from avecaesar.game.numbers import ChariotNumber
from avecaesar.kernel import entry_points, packing
from avecaesar.kernel import layout as k
from lockstep import random_setup
from situations import at, race


def on_the_way(seed: int, moves: int = 20) -> Race:
    race = Race("white", 4, seed=seed)
    for _ in range(moves):
        race.play(Scorpus().choose(race.view(race.turn)))
    return race


def test_of_moves_that_are_alike_a_person_is_advised_to_go_home() -> None:
    """A leader who is home with his 5 would be as sure of his laurels a turn later."""
    white = load_course("white")
    near = next(one.name for one in white.spaces if white.remaining[3][one.id] == 3 and not one.alley)
    it = race(at(near, 1, 5, crossings=3, coin=False, deck=(5, 5)), at("J1a", 1, 2, 3, crossings=1, coin=False))
    view = it.view(0)
    home = next(play for play in view.plays if play.to == "home")
    advised = advise(view, 400)
    assert advised[0].move == home
    assert {one.move for one in advised} == {one.move for one in Searcher(playouts=400).consider(view)}


def test_all_moves_are_considered_and_the_best_comes_first() -> None:
    race = on_the_way(1)
    considered = Searcher(playouts=1000).consider(race.view(race.turn))
    assert {one.move for one in considered} == set(race.legal_moves)
    assert considered[0].move == Searcher(playouts=1000).choose(race.view(race.turn))
    assert considered[0].laurels == max(one.laurels for one in considered if one.playouts == considered[0].playouts)
    assert considered[0].playouts == max(one.playouts for one in considered)
    assert 0.8 * 1000 <= sum(one.playouts for one in considered) <= 1000
    assert all(0 <= one.laurels <= 6 for one in considered)
    assert all(0 < one.error < 1 for one in considered)


def test_the_same_view_gives_the_same_thoughts_on_any_number_of_cores() -> None:
    for seed in range(5):
        race = on_the_way(seed, 10 * seed)
        view = race.view(race.turn)
        alone = Searcher(playouts=300).consider(view)
        assert alone == Searcher(playouts=300, cores=3).consider(view) == Searcher(playouts=300).consider(view)
        assert alone != Searcher(seed=1, playouts=300).consider(view)


def test_a_budget_in_seconds_tries_every_move() -> None:
    race = on_the_way(3)
    for seconds, cores in ((1e-6, 1), (0.05, 2)):
        considered = Searcher(seconds=seconds, cores=cores).consider(race.view(race.turn))
        assert {one.move for one in considered} == set(race.legal_moves)
        assert all(one.playouts > 0 for one in considered)


def test_she_lets_others_run_while_she_thinks() -> None:
    race = on_the_way(4)
    Searcher(playouts=10).consider(race.view(race.turn))
    thinking = threading.Thread(target=Searcher(playouts=30_000).consider, args=(race.view(race.turn),))
    thinking.start()
    rounds = 0
    while thinking.is_alive():
        rounds += 1
    assert rounds > 1000


def test_nobody_is_asked_out_of_turn() -> None:
    race = on_the_way(5)
    with pytest.raises(ValueError, match="not this chariot's turn"):
        Searcher().consider(race.view(ChariotNumber(((race.turn or 0) + 1) % 4)))


@pytest.mark.parametrize("budget", [{"playouts": 0}, {"seconds": 0.0}, {"seconds": 4000.0}, {"cores": 0}])
def test_a_budget_that_is_none_is_refused(budget: dict[str, Any]) -> None:
    with pytest.raises(DriverError):
        Searcher(**budget)


def test_of_the_sortings_some_are_tried() -> None:
    race = Race("red", 3, edition="ausgebremst", seed=1)
    while race.asks != "sort":
        race.play(Scorpus().choose(race.view(race.turn)))
    considered = Searcher(playouts=200).consider(race.view(race.turn))
    assert Scorpus().choose(race.view(race.turn)) in {one.move for one in considered}
    assert 10 < len({one.move for one in considered}) == len(considered) < 20


# ---------------------------------------------------------------------- every edition and option


def drive_through(seed: int) -> Counter[str]:
    """A race of any kind among all drivers of ours: every move is refereed; returns what was asked of whom."""
    source = random.Random(seed)
    course, direction, rules, drivers, _ = random_setup(source)
    race = Race(
        load_course(course, direction),
        drivers // rules.chariots_each,
        rules=rules,
        seed=seed,
        memory_aid=source.random() < 0.5,
    )
    names = [source.choice([*CHARACTERS, "sibylla@12", "sibylla@12"]) for _ in race.driven]
    drives = {
        chariot: driver("sibylla@12" if n == "sibylla" else n, seed)
        for chariot, n in zip(race.driven, names, strict=True)
    }
    asked: Counter[str] = Counter()
    while (chariot := race.turn) is not None:
        asked[f"{race.asks} of {names[race.driven.index(chariot)]}" if chariot in drives else "riderless"] += 1
        race.play(drives[chariot].choose(race.view(chariot)) if chariot in drives else race.legal_moves[0])
    return asked


def test_all_drivers_race_to_the_end_in_every_edition_and_option() -> None:
    asked: Counter[str] = Counter()
    for seed in range(250):
        asked += drive_through(seed)
    for what in ("turn", "deck", "sort", "draw", "lay", "vote"):
        assert asked[f"{what} of sibylla@12"], what


# ---------------------------------------------------------------------- what a playout is worth


def test_a_playout_that_stops_early_earns_what_the_whole_race_would() -> None:
    """In every edition and option: what is settled stays so."""
    early = 0
    for seed in range(400):
        source = random.Random(seed)
        course, direction, rules, drivers, _ = random_setup(source)
        race = Race(load_course(course, direction), drivers // rules.chariots_each, rules=rules, seed=seed)
        for _ in range(source.randrange(120)):
            if race.over:
                break
            race.play(source.choice(race.legal_moves))
        if race.over:
            continue
        me = source.choice(race.driven)
        short, long = packing.new_races(1), packing.new_races(1)
        short[:] = long[:] = race._races
        earned = search.earn(race._course_table[0], race._rules_table[0], short[0], me, 0, np.uint64(0))
        while long["phase"][0] != k.OVER:
            move = policies.ask(race._course_table, race._rules_table, long, policies.SCORPUS, np.uint64(1))
            assert entry_points.step(race._course_table, race._rules_table, long, 0, int(move)) == k.ALLOWED
        mine = [i for i in race.driven if race.players[i] == race.players[me]]
        assert earned == sum(int(long["laurels"][0][i]) for i in mine), seed
        early += int(short["phase"][0]) != k.OVER
    assert early > 100


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Races of every kind among all drivers of ours, every move refereed.")
    parser.add_argument("--races", type=int, default=3000)
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    for number in range(options.first, options.first + options.races):
        total += drive_through(number)
        if number % 50 == 49:
            print(f"\r{number + 1 - options.first:,} races", end="", flush=True)
    print(f"\r{options.races:,} races, {total.total():,} decisions, none illegal")
    for what, times in sorted(total.items()):
        print(f"  {times:>10,} {what}")
