"""`avecaesar simulate`: the same races whoever runs them, counted right, told with honest intervals."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import asdict
from math import isclose, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from avecaesar import Draw, Miss, Play, Race, Vote, load_course
from avecaesar.cli import main, progress
from avecaesar.drivers import DriverError
from avecaesar.drivers.batch import deal_race
from avecaesar.game.lineup import RIDERLESS
from avecaesar.kernel import packing, playout
from avecaesar.lab import Experiment, Figure, line_up, record_name, report_on, run, workers
from avecaesar.lab.figures import mean, share
from avecaesar.lab.racing import Races
from avecaesar.records import read_record, referee
from avecaesar.rules import DECK, EDITIONS, Rules, RulesError
from checkout import ROOT

DOCS = ROOT / "docs" / "simulate.md"

OWN = """
import random

class Roving:
    def __init__(self, seed):
        self.source = random.Random(seed)

    def choose(self, view):
        return self.source.choice(view.legal_moves)

class First:
    def choose(self, view):
        return view.legal_moves[0]

class Attentive:
    def __init__(self, seed):
        self.source = random.Random(seed)
        self.seats = set()

    def choose(self, view):
        assert view.me.player is not None and not view.me.riderless
        assert view.piles == () or view.memory_aid
        self.seats.add(view.chariot)
        each = view.rules.chariots_each
        assert len(self.seats) <= each
        if view.me.crossings > 1:
            assert len(self.seats) == each  # one driver for all chariots of a player
        return self.source.choice(view.legal_moves)

class Raising:
    def choose(self, view):
        if len(view.history) > 9:
            raise KeyError("no idea")
        return view.legal_moves[0]

class Cheating:
    def choose(self, view):
        from avecaesar import Play
        return Play(6, "home")

class Silent:
    def choose(self, view):
        return None

class Leaving:
    def choose(self, view):
        import os
        os._exit(3)

class Slow:
    def choose(self, view):
        if not view.history:
            print("racing", flush=True)
        while True:
            pass
"""


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["simulate", *arguments]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


def typed(*arguments: str, cwd: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "avecaesar", "simulate", *arguments],
        cwd=cwd,
        env=os.environ | changes,
        capture_output=True,
        text=True,
        check=False,
    )


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


# ---------------------------------------------------------------------- the same races


@pytest.mark.parametrize(
    "arguments",
    [
        ["--races", "8001", "--drivers", "greedy,random", "--chariots", "3", "--rotate"],
        ["--races", "41", "--drivers", "own.py:Roving,greedy,random", "--course", "red", "--edition", "fiche"],
        ["--races", "8001", "--drivers", "greedy,random", "--players", "2", "--each", "2", "--riderless", "2"],
        ["--races", "41", "--drivers", "own.py:Roving,greedy", "--edition", "ausgebremst", "--chariots", "3"],
    ],
    ids=["compiled", "one's own", "teams", "piles"],
)
def test_one_job_or_two_print_the_same_to_the_byte(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    two = typed(*arguments, "--seed", "8", "--jobs", "2", cwd=tmp_path)
    assert (two.returncode, two.stderr) == (0, "")
    assert two.stdout == printed(capsys, *arguments, "--seed", "8", "--jobs", "1")


@pytest.mark.parametrize(
    ("drivers", "races", "edition"),
    [("greedy,random", 81, "thibault"), ("own.py:First,random", 41, "riassunto"), ("greedy,random", 81, "ausgebremst")],
)
def test_one_job_or_two_record_the_same_and_recording_changes_nothing(
    drivers: str,
    races: int,
    edition: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    arguments = ["--races", str(races), "--drivers", drivers, "--edition", edition, "--chariots", "3", "--seed", "3"]
    arguments += ["--rotate", "--json"]
    plain = printed(capsys, *arguments, "--jobs", "1")
    assert printed(capsys, *arguments, "--jobs", "1", "--record", "one") == plain
    assert typed(*arguments, "--jobs", "2", "--record", "two/deep", cwd=tmp_path).stdout == plain
    assert files(tmp_path / "one") == files(tmp_path / "two" / "deep")
    assert set(files(tmp_path / "one")) == {record_name(3, number) for number in range(races)}


def test_uncompiled_it_prints_the_same(tmp_path: Path) -> None:
    for edition in ("ravensburger", "ausgebremst"):
        arguments = ["--races", "2", "--chariots", "3", "--drivers", "greedy,random", "--edition", edition, "--seed=5"]
        compiled, plain = typed(*arguments, cwd=tmp_path), typed(*arguments, cwd=tmp_path, NUMBA_DISABLE_JIT="1")
        assert compiled.stdout == plain.stdout != ""


TEAMS = EDITIONS["pro-ludo"].rules.with_options({"chariots_each": 2, "riderless_count": 1, "riderless_moves": "vote"})


@pytest.mark.parametrize(
    ("rules", "drivers"),
    [
        (Rules(), ("greedy", "random", "random")),
        (TEAMS, ("greedy", "random") * 2),
        (EDITIONS["ausgebremst"].rules, ("random", "greedy")),
    ],
)
def test_races_add_up_however_they_are_cut(rules: Rules, drivers: tuple[str, ...]) -> None:
    races = Races(Experiment(90, load_course("blue"), rules, drivers, 4, True))
    whole = races.run(0, 90)
    assert (whole == races.run(0, 7) + races.run(7, 50) + races.run(57, 33)).all()
    assert (whole == sum(races.run(number, 1) for number in range(90))).all()


def test_the_deal_of_a_race_does_not_depend_on_who_drives(tmp_path: Path) -> None:
    decks = []
    for drivers in (("greedy", "greedy"), ("random", "greedy")):
        run(Experiment(3, load_course("white"), EDITIONS["thibault"].rules, drivers, 9), tmp_path)
        decks.append([read_record(tmp_path / record_name(9, n)).races[0].decks for n in range(3)])
    assert decks[0] == decks[1]
    assert len({tuple(deck) for race in decks[0] for deck in race}) == 12


@pytest.mark.parametrize("edition", ["pro-ludo", "thibault", "ausgebremst"])
def test_races_are_dealt_as_in_a_playout(edition: str) -> None:
    """The random drivers of both draw the same cards; sorted as numbers, they lie in the same order."""
    course, rules = load_course("white"), EDITIONS[edition].rules
    desk, seeds = packing.new_races(1), np.zeros(6, np.uint64)
    races = Races(Experiment(4, course, rules, ("random",) * 3, 11))
    riderless = races.experiment.riderless
    for number in range(4):
        race, _ = races.experiment.dealt(number)
        assert races.experiment.race(number).deal == race.deal  # as often as one asks
        deal_race(packing.rules_table(rules), races.experiment.plan(), desk, number, seeds)
        assert [list(deck) for deck in race.deal] == desk["deck"][0][: 3 + riderless].tolist()
        whole = {place: list(range(24)) if edition == "ausgebremst" else sorted(DECK) for place in race.driven}
        assert [sorted(deck) for deck in race.deal] == [whole.get(i, sorted(DECK)) for i in race.grid]
    batch = packing.new_races(4)
    playout.random_races(packing.course_table(course), packing.rules_table(rules), batch, 3, riderless, np.uint64(11))
    if edition == "pro-ludo":  # in which no card goes back into a deck, and none is sorted
        dealt = [races.experiment.dealt(number)[0].deal for number in range(4)]
        assert [[list(deck) for deck in deal] for deal in dealt] == batch["deck"][:, :3].tolist()


def test_without_a_seed_one_is_chosen_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (printed(capsys, "--races", "3", "--drivers", "random") for _ in range(2))
    assert first != second
    (command,) = re.findall(r"^  avecaesar simulate (.+)$", first, re.MULTILINE)
    assert printed(capsys, *shlex.split(command)) == first


def test_the_command_that_is_told_repeats_everything(capsys: pytest.CaptureFixture[str]) -> None:
    it = ["--races", "20", "--course", "red", "--direction", "anticlockwise", "--chariots", "5", "--drivers"]
    it += ["random,greedy", "--edition", "riassunto", "--option", "laurels=9,6,4", "--option", "crash=yes"]
    told = printed(capsys, *it, "--rotate", "--seed", "6", "--json")
    report = json.loads(told)
    assert report["options"] == {"laurels": [9, 6, 4], "crash": "yes"}
    program, command, *arguments = shlex.split(report["command"])
    assert (program, command) == ("avecaesar", "simulate")
    assert printed(capsys, *arguments, "--json") == told


@pytest.mark.parametrize(
    "asked",
    [
        "--edition thibault --chariots 3 --rotate",
        "--edition thibault --riderless 0 --chariots 2",
        "--edition thibault --riderless 2 --option riderless_moves=vote",
        "--edition ausgebremst --course red --no-memory-aid",
        "--players 3 --each 2 --drivers greedy,random",
        "--players 2 --option chariots_each=3 --drivers random,greedy --rotate",
        "--chariots 4 --each 2 --riderless 1 --edition riassunto",
        "--option riderless=fill --chariots 1",
    ],
)
def test_so_does_it_for_riderless_chariots_teams_and_piles(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, *asked.split(), "--races", "30", "--seed", "4", "--json")
    assert printed(capsys, *shlex.split(json.loads(told)["command"])[2:], "--json") == told


# ---------------------------------------------------------------------- counted right


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
        assert {seat for seat, name in enumerate(drivers) if name == RIDERLESS} == refereed.riderless
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
        for seat, chariot in enumerate(race.view().chariots):
            for counter in (rows[drivers[seat]][number], rows[seat][number]):
                counter["wins"] += race.places[seat] == 1
                counter["laurels"] += race.laurels[seat]
                counter["home"] += chariot.status == "home"
                counter["disqualified"] += chariot.disqualified
                counter["out_of_points"] += chariot.status == "out of cards"
    return rows, by_race


def refereed_again(race: Race) -> Race:
    """The same race before its first decision."""
    names, riderless = ([race.names[i] for i in seats] for seats in (race.driven, sorted(race.riderless)))
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
    for seat, row in enumerate(report["by_place"]):
        assert row["place"] == seat + 1
        assert [row[name]["total"] for name in measures] == [total(rows[seat], name) for name in measures]
        assert row["missed_turns"]["value"] == total(rows[seat], "missed_turns") / total(rows[seat], "turns")
        assert row["laurels"]["value"] == total(rows[seat], "laurels") / 25
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


def report_of(experiment: Experiment) -> Any:
    return report_on(experiment, run(experiment))


# ---------------------------------------------------------------------- honest intervals


def test_wilsons_interval_as_the_books_have_it() -> None:
    for hits, of, low, high in ((0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (8, 10, 0.4902, 0.9433)):
        figure = share(hits, of, of, hits, hits, of)
        assert figure.low is not None
        assert figure.high is not None
        assert isclose(figure.low, low, abs_tol=5e-5)
        assert isclose(figure.high, high, abs_tol=5e-5)


def test_chariots_of_one_race_are_not_counted_as_independent() -> None:
    """100 races in which both chariots always share their fate are worth 100 trials, not 200."""
    together = share(100, 200, 100, 200, 200, 400)
    apart = share(50, 100, 100, 50, 50, 100)
    assert (together.low, together.high) == (apart.low, apart.high)


def test_a_mean_and_its_interval() -> None:
    figure = mean(10, 30, 5)
    half = 1.959963984540054 * sqrt(2.5 / 5)
    assert figure == Figure(10, 2.0, 2.0 - half, 2.0 + half)
    assert mean(4, 16, 1) == Figure(4, 4.0, None, None)
    assert mean(1, 1, 2).low == 0.0  # nothing that is counted is less than nothing


def test_95_of_100_intervals_hold_the_truth() -> None:
    """For four chariots of one driver taken together, and for one grid place. (Missed turns come in rare stalls of a
    hundred: so few races as here do not meet one, and cannot know of them.)"""
    course, rules, drivers = load_course("white"), Rules(), ("greedy",) * 4
    truth = report_of(Experiment(20_000, course, rules, drivers, 1))
    samples = [report_of(Experiment(100, course, rules, drivers, seed)) for seed in range(2, 302)]
    for rows, row in (("by_driver", 0), ("by_place", 1)):
        for name in ("laurels", "home", "out_of_points", "leads_taken"):
            true = getattr(getattr(truth, rows)[row], name).value
            figures = [getattr(getattr(sample, rows)[row], name) for sample in samples]
            held = sum(figure.low <= true <= figure.high for figure in figures)
            assert 0.92 * 300 <= held <= 0.98 * 300, (rows, name, held)


def test_one_race_has_no_spread_to_tell(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(printed(capsys, "--races", "1", "--chariots", "1", "--seed", "1", "--json"))
    assert report["by_race"]["turns"]["low"] is None
    assert "1 race of 1 on white" in printed(capsys, "--races", "1", "--chariots", "1", "--seed", "1")


# ---------------------------------------------------------------------- what people see


def test_the_table_is_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "--races", "40", "--drivers", "greedy,random", "--seed", "2").splitlines()
    first, second = (lines.index(line) for line in lines if "wins %" in line)
    for heading, rows in ((first, 4), (second, 8)):
        assert len({len(line) for line in lines[heading - 1 : heading + 1 + rows]}) == 1
    assert [line.split()[0] for line in lines[second + 1 : second + 9 : 2]] == ["I", "II", "III", "IV"]


def test_a_bar_on_a_terminal_and_none_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["simulate", "--races", "30", "--seed", "1"]) == 0
    seen, told = capsys.readouterr().err, capsys.readouterr().out
    assert "░" in seen
    assert "30 races, 0 s left" in seen
    assert "races a second" in seen
    assert "second" not in told


def test_every_key_of_the_json_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(printed(capsys, "--races", "2", "--players", "2", "--each", "2", "--seed", "1", "--json"))
    keys = {*report, *report["by_driver"][0], *report["by_place"][0], *report["by_race"], *report["by_race"]["turns"]}
    keys |= set(report["by_player"][0])
    documented = set(re.findall(r"`(\w+)`", DOCS.read_text(encoding="utf-8")))
    assert keys - documented == set()


# ---------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "arguments",
    [
        "--races 0", "--races -3", "--races 1000000000001", "--races many", "--races 1.5", "--races ''",
        "--chariots 0", "--chariots 7", "--chariots x", "--drivers ''", "--drivers ,", "--drivers greedy,,random",
        "--drivers nobody", "--drivers greedy,random,greedy,random,greedy", "--drivers nowhere.py:Driver",
        "--drivers json:JSONDecoder", "--drivers own.py:Nobody", "--edition house", "--edition ''",
        "--course green", "--course nowhere.board:green", "--direction up", "--option crash", "--option crash=perhaps",
        "--option no=such", "--option draw=from_piles", "--option laurels=1,2", "--seed -1", "--seed x",
        "--seed 18446744073709551616", "--jobs 0", "--jobs 999", "--record own.py", "--record own.py/deeper",
        "--unknown", "surplus",
        "--riderless 6", "--riderless -1", "--riderless 3", "--riderless 1 --option riderless=fill",
        "--riderless 0 --option riderless_count=0", "--option riderless=fill --option riderless_count=2",
        "--players 0", "--players 7", "--each 0", "--each 4", "--each 3",
        "--players 4 --each 2", "--players 1 --each 2",
        "--players 2 --chariots 4", "--players 2 --each 2 --chariots 4", "--each 2 --option chariots_each=2",
        "--players 2 --each 2 --drivers greedy,random,greedy", "--players 3 --each 2 --riderless 1",
        "--option chariots_each=2 --chariots 5", "--edition ausgebremst --option hand=3",
        "--players 2 --each 2 --drivers greedy,nobody",
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_sentence(
    arguments: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    status: object
    try:
        status = main(["simulate", *shlex.split(arguments)])
    except SystemExit as left:
        status = left.code
    told = capsys.readouterr()
    assert (status, told.out) == (2, "")
    assert re.fullmatch(r"avecaesar[^\n]+\n", told.err)


@pytest.mark.parametrize(
    ("driver", "reason", "jobs"),
    [
        ("Raising", "KeyError: 'no idea'", "1"),
        ("Cheating", "IllegalMove", "2"),
        ("Silent", "InvalidMove: None", "1"),
    ],
)
def test_a_driver_that_fails_ends_the_run_in_a_sentence(
    driver: str, reason: str, jobs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "--races", "50", "--drivers", f"own.py:{driver}", "--seed", "77", "--jobs", jobs]) == 2
    told = capfd.readouterr()
    assert told.out == ""
    assert re.fullmatch(
        rf"avecaesar: driver 'own.py:{driver}' failed in decision \d+ of race \d+ of seed 77: {reason}.*\n", told.err
    )


def test_a_worker_that_vanishes_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    done = typed("--races", "50", "--drivers", "own.py:Leaving", "--jobs", "2", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "avecaesar: a worker process: it ended before its time, with exit status 3\n"


def test_a_folder_that_cannot_be_written_to_is_told_of(tmp_path: Path) -> None:
    folder = tmp_path / "races"
    folder.mkdir()
    (folder / record_name(1, 2)).mkdir()
    done = typed("--races", "4", "--record", "races", "--seed", "1", cwd=tmp_path)
    assert done.returncode == 2
    assert re.fullmatch(r"avecaesar: races/1-0000002.race.json: [^\n]+\n", done.stderr)
    assert not [name for name in os.listdir(folder) if name.endswith(".tmp")]


def test_line_up() -> None:
    assert line_up(["a", "b"], 5) == ("a", "b", "a", "b", "a")
    assert line_up(["a", "b"], 4, each=2) == ("a", "b", "a", "b")
    assert line_up(["a", "b"], 6, each=2) == ("a", "b", "a") * 2
    assert line_up(["a"], 6, each=3) == ("a",) * 6
    for names, chariots, each in (([], 3, 1), ([""], 3, 1), (["a", "b"], 1, 1), (["a", "b", "c"], 4, 2)):
        with pytest.raises(DriverError):
            line_up(names, chariots, each)


def test_a_player_has_one_driver() -> None:
    teams = Rules(chariots_each=2)
    with pytest.raises(DriverError, match="same driver"):
        Experiment(1, load_course("white"), teams, ("greedy", "greedy", "random", "random"), 1)
    with pytest.raises(RulesError, match="TEAM-1"):
        Experiment(1, load_course("white"), teams, ("greedy",) * 3, 1)


@pytest.mark.parametrize(
    ("asked", "kinds"),
    [
        ("--edition ausgebremst --course red --chariots 3 --option riderless_moves=vote", {Draw, Vote, Play}),
        ("--edition ausgebremst --course yellow --players 2 --each 2 --no-memory-aid", {Draw, Play}),
        ("--players 2 --each 3 --edition riassunto", {Play}),
        ("--players 3 --each 1 --riderless 3 --option riderless_moves=vote", {Vote, Play}),
    ],
)
def test_a_driver_of_ones_own_is_asked_everything(
    asked: str, kinds: set[type], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    arguments = [*asked.split(), "--races", "6", "--seed", "3", "--drivers", "own.py:Attentive,greedy"]
    report = json.loads(printed(capsys, *arguments, "--record", "races", "--json"))
    assert report["memory_aid"] == ("--no-memory-aid" not in asked)
    for file in (tmp_path / "races").iterdir():
        (race,) = referee(read_record(file))
        assert kinds <= {type(turn.move) for turn in race.history}


# ---------------------------------------------------------------------- leaving in the middle


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_leaves_nothing_behind(jobs: str, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    arguments = ["--races", "60", "--drivers", "own.py:Slow", "--jobs", jobs, "--record", "races"]
    process = subprocess.Popen(
        [sys.executable, "-m", "avecaesar", "simulate", *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # its own group, as a shell gives it: Ctrl-C goes to all of them
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_DFL
        ),  # deaf to it if these tests run in the background
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "racing\n"
    os.killpg(process.pid, signal.SIGINT)
    told, complaint = process.communicate()  # ends when the last of them has closed these pipes
    assert process.returncode == 130
    assert told in ("", "racing\n")
    assert complaint.strip() == ""
    assert os.listdir(tmp_path / "races") == []


def test_workers_are_used_when_it_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    real = workers._in_processes
    monkeypatch.setattr(workers, "_in_processes", lambda *a: started.append(a[2]) or real(*a))  # type: ignore[func-returns-value]
    course = load_course("white")
    few = Experiment(workers.TINY * workers.BATCH, course, Rules(), ("greedy",), 1)
    assert run(few, jobs=2)
    assert started == []
    many = Experiment(workers.TINY * workers.BATCH + 1, course, Rules(), ("greedy",), 1)
    heard: list[int] = []
    assert run(many, None, 2, heard.append) == run(many)
    assert started == [2]
    assert heard[-1] == many.races
    assert progress.cores() >= 1
