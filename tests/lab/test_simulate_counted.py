"""`avecaesar simulate` counts right: a slow recount of the records finds the same."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from avecaesar import Miss, Race, load_course
from avecaesar.drivers.batch import deal_race
from avecaesar.game.lineup import RIDERLESS
from avecaesar.kernel import packing
from avecaesar.lab import Experiment, Figure, record_name, run
from avecaesar.lab.figures import mean, share
from avecaesar.records import read_record, referee
from avecaesar.rules import EDITIONS, Rules
from simulations import printed, report_of

Counts = dict[Any, list[Counter[str]]]  # of a driver or a grid place, race by race


def recounted(folder: Path) -> tuple[Counts, list[Counter[str]]]:
    """By driver and grid place, and by race, from the records alone, turn by turn over the friendly face."""
    files = sorted(folder.iterdir())
    rows: Counts = defaultdict(lambda: [Counter() for _ in files])
    by_race: list[Counter[str]] = [Counter() for _ in files]
    for number, file in enumerate(files):
        record = read_record(file)
        (refereed,) = referee(record)
        drivers = [chariot.driver for chariot in record.races[0].chariots]
        assert {i for i, name in enumerate(drivers) if name == RIDERLESS} == refereed.riderless
        race = refereed_again(refereed)
        last = set(race.leaders) if len(race.leaders) == 1 else set()
        for turn in refereed.history:
            counts = race.asks == "turn"
            race.play(turn.made)
            for counter in (rows[drivers[turn.chariot]][number], rows[turn.chariot][number], by_race[number]):
                counter["turns"] += counts
                counter["missed_turns"] += isinstance(turn.move, Miss)
            if len(race.leaders) == 1 and race.leaders != last:
                if last:
                    (leader,) = race.leaders
                    for counter in (rows[drivers[leader]][number], rows[leader][number], by_race[number]):
                        counter["leads_taken"] += 1
                last = set(race.leaders)
        for i, chariot in enumerate(race.view().chariots):
            for counter in (rows[drivers[i]][number], rows[i][number]):
                counter["wins"] += race.places[i] == 1
                counter["laurels"] += race.laurels[i]
                counter["home"] += chariot.status == "home"
                counter["disqualified"] += chariot.disqualified
                counter["out_of_points"] += chariot.status == "out of cards"
    return rows, by_race


def refereed_again(race: Race) -> Race:
    """The same race before its first decision."""
    names, riderless = ([race.names[i] for i in chariots] for chariots in (race.driven, sorted(race.riderless)))
    return Race(race.course, chariots=names, riderless=riderless, rules=race.rules, decks=race.deal)


TABLES = [
    *(f"--edition {edition} --course yellow --chariots 5" for edition in EDITIONS),
    "--edition thibault --course white --chariots 2 --option riderless_moves=vote",
    "--edition riassunto --course red --chariots 3 --riderless 3",
    "--edition pro-ludo --course blue --players 2 --each 2 --riderless 2 --option riderless_moves=vote",
    "--edition ausgebremst --course red --players 2 --each 2 --no-memory-aid",
]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("rotate", [False, True])
def test_a_slow_recount_of_the_records_finds_the_same(
    table: str, rotate: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [*table.split(), "--races", "25", "--seed", "12", "--drivers", "greedy,random", *["--rotate"] * rotate]
    report = json.loads(printed(capsys, *arguments, "--record", str(tmp_path), "--json"))
    rows, by_race = recounted(tmp_path)
    measures = ("wins", "laurels", "home", "disqualified", "out_of_points", "missed_turns", "leads_taken")
    for row in report["by_driver"]:
        assert [row[name]["total"] for name in measures] == [total(rows[row["driver"]], name) for name in measures]
        hits = [race["home"] for race in rows[row["driver"]]]
        assert row["home"] == asdict(share_of(hits, row["chariots"]))
        laurels = [race["laurels"] for race in rows[row["driver"]]]
        squares = sum(earned**2 for earned in laurels)
        assert row["laurels"] == asdict(mean(sum(laurels), squares, 25, row["chariots"]))
    for place, row in enumerate(report["by_place"]):
        assert row["place"] == place + 1
        assert [row[name]["total"] for name in measures] == [total(rows[place], name) for name in measures]
        assert row["missed_turns"]["value"] == total(rows[place], "missed_turns") / total(rows[place], "turns")
        assert row["laurels"]["value"] == total(rows[place], "laurels") / 25
    assert report["by_race"]["turns"]["total"] == total(by_race, "turns")
    assert report["by_race"]["changes_of_lead"]["total"] == total(by_race, "leads_taken")
    assert len(report["by_place"]) == report["chariots"] + report["riderless"]
    assert sum(row["chariots"] for row in report["by_driver"]) == report["chariots"] + report["riderless"]


def total(races: list[Counter[str]], name: str) -> int:
    return sum(race[name] for race in races)


def share_of(hits: list[int], chariots: int) -> Figure:
    of, races = chariots * len(hits), len(hits)
    return share(sum(hits), of, races, sum(hit * hit for hit in hits), chariots * sum(hits), races * chariots**2)


@pytest.mark.parametrize("drivers", [["greedy", "random", "greedy"], ["random"] * 3])
def test_players_with_several_chariots_are_told_apart(
    drivers: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the records: whose chariots earned the most laurels together, alone or as many as another player's."""
    arguments = ["--players", "3", "--each", "2", "--drivers", ",".join(drivers), "--rotate", "--races", "60"]
    arguments += ["--option", "laurels=3,2,1", "--seed", "2", "--record", str(tmp_path)]
    report = json.loads(printed(capsys, *arguments, "--json"))
    earned: list[Counter[str]] = []
    for file in tmp_path.iterdir():
        race = read_record(file).races[0]
        earned.append(Counter())
        for chariot, laurels in zip(race.chariots, race.laurels, strict=True):
            earned[-1][chariot.name.split()[0]] += laurels
    best = [[name for name, most in race.items() if most == max(race.values()) > 0] for race in earned]
    assert any(len(names) > 1 for names in best) or [] in best
    for player, name in zip(report["by_player"], ("Aulus", "Brutus", "Cato"), strict=True):
        assert player["laurels"]["total"] == sum(race[name] for race in earned)
        assert player["most_laurels"]["total"] == best.count([name])
        assert player["most_shared"]["total"] == sum(name in names and len(names) > 1 for names in best)
    assert [player["driver"] for player in report["by_player"]] == drivers
    assert (report["players"], report["each"], report["chariots"]) == (3, 2, 6)


@pytest.mark.parametrize(
    ("asked", "on_grid", "riderless"),
    [
        ("--edition thibault --chariots 3", 4, [0]),
        ("--edition thibault --chariots 3 --course red", 6, [0, 1, 2]),
        ("--edition thibault --chariots 4", 4, []),
        ("--edition thibault --chariots 3 --riderless 0", 3, []),
        ("--edition thibault --chariots 3 --riderless 2", 5, [3, 4]),
        ("--edition ausgebremst --chariots 2", 4, [0, 1]),
        ("--riderless 2 --players 2 --each 2", 6, [4, 5]),
    ],
)
def test_riderless_chariots_come_on_top_as_the_rules_say(
    asked: str, on_grid: int, riderless: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [*asked.split(), "--drivers", "greedy,random", "--races", "3", "--seed", "1", "--rotate"]
    report = json.loads(printed(capsys, *arguments, "--record", str(tmp_path), "--json"))
    assert [row["place"] - 1 for row in report["by_place"] if row["driver"] == RIDERLESS] == riderless
    assert len(report["by_place"]) == on_grid
    assert report["riderless"] == len(riderless)
    together = {row["driver"]: row["chariots"] for row in report["by_driver"]}
    assert together.get(RIDERLESS, 0) == len(riderless)
    for number in range(3):
        chariots = read_record(tmp_path / record_name(1, number)).races[0].chariots
        assert [i for i, chariot in enumerate(chariots) if chariot.riderless] == riderless
        assert len({chariot.colour for chariot in chariots}) == on_grid


def test_colours_belong_to_the_drivers_and_riderless_chariots_keep_theirs(tmp_path: Path) -> None:
    run(Experiment(4, load_course("white"), EDITIONS["thibault"].rules, ("greedy",) * 3, 1, True), tmp_path)
    grids = [read_record(tmp_path / record_name(1, n)).races[0].chariots for n in range(4)]
    assert len({frozenset((c.name, c.colour) for c in chariots) for chariots in grids}) == 1
    assert [chariots[0].colour for chariots in grids] == ["yellow"] * 4
    assert [[c.colour for c in chariots[1:]] for chariots in grids[:2]] == [
        ["red", "blue", "green"],
        ["green", "red", "blue"],
    ]


def test_with_rotation_everybody_starts_equally_often_from_everywhere() -> None:
    experiment = Experiment(12, load_course("white"), Rules(), ("greedy", "random", "greedy"), 1, True)
    starts = Counter((i, place) for number in range(12) for place, i in enumerate(experiment.on_grid(number)))
    assert set(starts.values()) == {4}
    assert experiment.on_grid(0) == [0, 1, 2]
    assert experiment.on_grid(1) == [2, 0, 1]  # driver 0 has moved on from place I to place II


def test_a_fair_deal() -> None:
    """Every card is first of a deck equally often, and the greedy beat the random almost always."""
    desk, seeds = packing.new_races(1), np.zeros(6, np.uint64)
    plan = Experiment(2000, load_course("white"), Rules(), ("random",) * 3, 1).plan()
    firsts: Counter[int] = Counter()
    for number in range(2000):
        deal_race(packing.rules_table(Rules()), plan, desk, number, seeds)
        firsts.update(desk["deck"][0][:3, 0].tolist())
    assert sum((n - 1000) ** 2 / 1000 for n in firsts.values()) < 20.5  # one in a thousand
    report = report_of(Experiment(500, load_course("white"), Rules(), ("random", "greedy", "random"), 2, True))
    assert report.by_driver[1].wins.value > 0.95
    assert 0.2 < report.by_place[0].wins.value < 0.45
