"""`avecaesar arena`: the same deals from every seat, honest intervals, and nothing lost that was raced."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import signal
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from math import isclose, sqrt
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from avecaesar import Move, Race, load_course
from avecaesar.cli import main
from avecaesar.lab import Experiment, clairvoyant
from avecaesar.lab.arena import Arena, ArenaError, Journal, Results, Standings, standings_of
from avecaesar.lab.arena.ratings import rate
from avecaesar.lab.figures import Z, share
from avecaesar.lab.racing import Outcome, Races
from avecaesar.lab.workers import run_each
from avecaesar.rules import EDITIONS, Rules
from checkout import BOARDS, ROOT

DOCS = ROOT / "docs" / "arena.md"

OWN = """
import os
import random

from avecaesar.drivers import Greedy

class Roving:
    def __init__(self, seed):
        self.source = random.Random(seed)

    def choose(self, view):
        return self.source.choice(view.legal_moves)

class Same(Greedy):
    pass

class Pausing(Greedy):
    made = 0

    def __init__(self, seed):
        super().__init__(seed)
        Pausing.made += 1

    def choose(self, view):
        if Pausing.made > 9 and os.path.exists("pause"):
            print("racing", flush=True)
            while True:
                pass
        return super().choose(view)

class Raising:
    def choose(self, view):
        raise KeyError("no idea")

class Cheating:
    def choose(self, view):
        from avecaesar import Play
        return Play(6, "home")

    def choose_seeing(self, race):
        return race.legal_moves[0]
"""


@pytest.fixture(autouse=True)
def _workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def printed(capsys: pytest.CaptureFixture[str], arguments: str, *more: str) -> str:
    assert main(["arena", *shlex.split(arguments), "--jobs", "1", *more]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


def arena_of(*drivers: str, against: str | None = None, races: int = 8, chariots: int = 4, **more: Any) -> Arena:
    usual = {"course": "white", "track": load_course("white"), "rules": Rules(), "edition": "ravensburger", "seed": 3}
    return Arena(drivers, against, races, chariots=chariots, **{**usual, **more})


def raced(arena: Arena) -> Results:
    results = Results(arena)
    for pairing, outcomes in run_each(arena.experiments, results.missing):
        for outcome in outcomes:
            results.add(pairing, outcome)
    return results


# ---------------------------------------------------------------------- the same deals from every seat


def test_a_deal_is_raced_once_from_every_grid_place_with_the_same_cards() -> None:
    experiment = arena_of("greedy", against="random").experiments[0]
    dealt = [experiment.dealt(number) for number in range(8)]
    for deal in (dealt[:4], dealt[4:]):
        assert len({race.deal for race, _ in deal}) == 1
        assert len({tuple(seeds) for _, seeds in deal}) == 1
    assert dealt[0][0].deal != dealt[4][0].deal
    grids = [[experiment.drivers[seat] for seat in experiment.on_grid(number)] for number in range(4)]
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
        assert outcome.turns == [sum(turn.chariot == seat for turn in race.history) for seat in range(3)]
        assert outcome.missed == [
            sum(turn.chariot == s and turn.reason is not None for turn in race.history) for s in range(3)
        ]
        decisions = [sum(turn.chariot == seat for turn in race.history) for seat in range(3)]
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
            for place, seat in zip(experiment.driven, experiment.on_grid(outcome.race), strict=True):
                if experiment.drivers[seat] == "random":
                    laurels[outcome.race // arena.players] += outcome.laurels[place]
                    wins[outcome.race // arena.players] += outcome.places[place] == 1
        by_deal = raced(arena).by_deal(0, 0)
        assert by_deal[:, :2].tolist() == [[won, earned] for won, earned in zip(wins, laurels, strict=True)]


# ---------------------------------------------------------------------- honest figures


def by_hand(*wins: tuple[int, int]) -> Results:
    """Two players, a deal each: how often the first won from place I and from place II."""
    results = Results(arena_of("greedy", against="random", races=2 * len(wins), chariots=2))
    for number, won in enumerate(heat for deal in wins for heat in deal):
        mine = [0, 0]
        mine[number % 2] = 1
        places = mine if won else mine[::-1]
        laurels = [6 * place for place in places]
        results.add(
            0, Outcome(number, places, laurels, [1, 0], [0, 1], [1, 2], [10, 20], [(3_000_000, 2), (8_000_000, 4)])
        )
    return results


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


def test_luck_that_evens_out_between_seats_makes_intervals_narrow() -> None:
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


# ---------------------------------------------------------------------- kept, whatever happens


COMPILED = "greedy random --races 24 --seed 5 --chariots 3"


def test_a_torn_journal_goes_on_to_the_same_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = printed(capsys, COMPILED, "--save", "a.jsonl")
    journal = (tmp_path / "a.jsonl").read_bytes()
    lines = journal.splitlines(keepends=True)
    assert len(lines) == 1 + 2 * 24
    for cut in (len(lines[0]), len(lines[0]) + 9, len(journal) // 2, len(journal) - 1, len(journal)):
        (tmp_path / "torn.jsonl").write_bytes(journal[:cut])
        assert printed(capsys, "--resume torn.jsonl") == whole
        resumed = (tmp_path / "torn.jsonl").read_bytes()
        assert sorted(resumed.splitlines()) == sorted(journal.splitlines())


def test_one_job_or_two_print_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", "greedy", "--against", "random", "--races", "2400", "--seed", "5", "--json"]
    assert main([*arguments, "--jobs", "2"]) == 0
    two = capsys.readouterr().out
    assert main([*arguments, "--jobs", "1"]) == 0
    assert capsys.readouterr().out == two


def without_times(told: str) -> Any:
    standings = json.loads(told)
    for row in standings["pairings"]:
        assert row.pop("nanoseconds") > 0
        assert row.pop("thinking_ms") > 0
    return standings


@pytest.mark.parametrize(("how", "jobs"), [(signal.SIGINT, "1"), (signal.SIGINT, "2"), (signal.SIGKILL, "1")])
def test_an_arena_that_is_interrupted_goes_on_to_the_same_standings(
    how: signal.Signals, jobs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["own.py:Pausing", "--against", "own.py:Roving", "--chariots", "2", "--races", "24", "--seed", "9"]
    (tmp_path / "pause").touch()
    process = subprocess.Popen(
        [sys.executable, "-m", "avecaesar", "arena", *arguments, "--jobs", jobs, "--save", "a b.jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "racing\n"
    os.killpg(process.pid, how)
    told, complaint = process.communicate()
    assert "pairings" not in told
    kept = len((tmp_path / "a b.jsonl").read_bytes().splitlines()) - 1
    assert 1 <= kept < 24
    if how == signal.SIGINT:
        assert process.returncode == 130
        first, second = complaint.splitlines()
        assert first == f"{kept} of 24 races are kept. To go on:"
        assert second.endswith(" arena --resume 'a b.jsonl' --own own.py:Pausing --own own.py:Roving")
    (tmp_path / "pause").unlink()
    own = "--own own.py:Pausing --own own.py:Roving"
    resumed = printed(capsys, f"--resume 'a b.jsonl' {own} --json")
    assert without_times(resumed) == without_times(printed(capsys, shlex.join(arguments), "--json"))
    assert printed(capsys, f"--resume 'a b.jsonl' {own} --json") == resumed  # the times too come from the journal


def test_without_save_it_is_kept_in_the_data_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, COMPILED)
    (file,) = (tmp_path / "data" / "avecaesar" / "arenas").iterdir()
    assert printed(capsys, f"--resume {file}") == told


def spoilt(change: Callable[[dict[str, Any]], object]) -> Callable[[list[bytes]], list[bytes]]:
    def spoil(lines: list[bytes]) -> list[bytes]:
        header = json.loads(lines[0])
        change(header)
        return [json.dumps(header).encode() + b"\n", *lines[1:]]

    return spoil


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda lines: [], "not the journal of an arena"),
        (lambda lines: [b"{}\n"], "not the journal of an arena"),
        (lambda lines: [b"\xff\n"], "not the journal of an arena"),
        (lambda lines: [lines[0][:40]], "not the journal of an arena"),
        (spoilt(lambda header: header.update(version=2)), "version is 2"),
        (spoilt(lambda header: header.update(avecaesar="0.1")), "another state of Ave Caesar 0.1 than"),
        (spoilt(lambda header: header.update(sources="0")), "another state of Ave Caesar"),
        (spoilt(lambda header: header["board"].update(sha256="0" * 64)), "another version of board A"),
        (spoilt(lambda header: header["own"].update({"own.py:Same": "0"})), "driver 'own.py:Same' has changed"),
        (spoilt(lambda header: header.update(races="many")), "line 1 is spoilt"),
        (spoilt(lambda header: header.update(races=0)), "races are a number"),
        (spoilt(lambda header: header.update(edition="house")), "edition"),
        (spoilt(lambda header: header.pop("seed")), "line 1 is spoilt"),
        (spoilt(lambda header: header.update(chariots=3)), "does not have 3 chariots"),
        (lambda lines: [*lines[:3], b"oops\n", *lines[3:]], "line 4 is spoilt"),
        (lambda lines: [*lines[:3], lines[1]], "line 4 is spoilt: race 0 of pairing 0 is there twice"),
        (lambda lines: [lines[0], lines[1].replace(b'"race":0', b'"race":99')], "the arena has no race 99"),
        (lambda lines: [lines[0], lines[1].replace(b"[0,", b"[7,", 1)], "no race 0 of pairing 7"),
        (lambda lines: [lines[0], lines[1].replace(b'"turns":[', b'"turns":[-')], "line 2 is spoilt"),
        (lambda lines: [b"[" * 100_000 + b"\n", *lines[1:]], "this is not the journal of an arena"),
        (lambda lines: [lines[0], b"[" * 100_000 + b"\n"], "line 2 is spoilt"),
    ],
)
def test_a_journal_that_does_not_fit_is_refused_and_left_alone(
    spoil: Callable[[list[bytes]], list[bytes]], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, "own.py:Same --against random --races 4 --chariots 2 --seed 1 --save a.jsonl")
    file = tmp_path / "a.jsonl"
    data = b"".join(spoil(file.read_bytes().splitlines(keepends=True))) + b"torn"
    file.write_bytes(data)
    assert main(["arena", "--resume", "a.jsonl", "--own", "own.py:Same"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert re.fullmatch(r"avecaesar: a.jsonl: [^\n]+\n", told.err)
    assert reason in told.err
    assert file.read_bytes() == data


def test_a_journal_runs_no_file_that_was_not_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever wrote it chose the files, and their digests with them."""
    told = printed(capsys, "own.py:Same --against random --races 4 --chariots 2 --seed 1 --save a.jsonl")
    ran = tmp_path / "ran"
    (tmp_path / "theirs.py").write_text(f"open({str(ran)!r}, 'w').close()\n" + OWN)
    digest = hashlib.sha256((tmp_path / "theirs.py").read_bytes()).hexdigest()
    first, rest = (tmp_path / "a.jsonl").read_bytes().split(b"\n", 1)
    header = {**json.loads(first), "drivers": ["theirs.py:Same"], "own": {"theirs.py:Same": digest}}
    (tmp_path / "b.jsonl").write_bytes(json.dumps(header).encode() + b"\n" + rest)
    for own in ([], ["--own", "own.py:Same"]):
        assert main(["arena", "--resume", "b.jsonl", *own]) == 2
        assert "if you trust it, add --own 'theirs.py:Same'" in capsys.readouterr().err
    assert not ran.exists()
    assert printed(capsys, "--resume a.jsonl --own own.py:Same") == told
    assert main(["arena", "greedy", "random", "--own", "own.py:Same"]) == 2


def test_a_driver_of_ones_own_that_was_edited_is_refused(tmp_path: Path) -> None:
    arguments = [sys.executable, "-m", "avecaesar", "arena"]
    race = [*arguments, "own.py:Same", "--against", "random", "--races", "2", "--save", "a.jsonl"]
    assert subprocess.run(race, check=False, capture_output=True).returncode == 0
    (tmp_path / "own.py").write_text(OWN + "\n")
    resume = [*arguments, "--resume", "a.jsonl", "--own", "own.py:Same"]
    done = subprocess.run(resume, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "driver 'own.py:Same' has changed since this was begun" in done.stderr


def test_a_board_of_ones_own_lies_in_the_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = tmp_path / "plain.board"
    board.write_bytes((BOARDS / "plain.board").read_bytes())
    told = printed(capsys, "greedy --against random --races 8 --seed 2 --course plain.board:blue --save a.jsonl")
    board.unlink()
    assert printed(capsys, "--resume a.jsonl") == told


@pytest.mark.skipif(os.name != "posix", reason="files are locked on POSIX only")
def test_nobody_else_writes_to_a_journal_meanwhile(tmp_path: Path) -> None:
    begun = Journal.begin(tmp_path / "a.jsonl", arena_of("greedy", against="random"))
    with begun, pytest.raises(ArenaError, match="being raced elsewhere"):
        Journal.resume(tmp_path / "a.jsonl")
    with Journal.resume(tmp_path / "a.jsonl") as journal:
        assert journal.results.count == 0


# ---------------------------------------------------------------------- who sees all cards


class Seer:
    """Plays the first legal move, and knows everything."""

    def __init__(self, seed: int, playouts: int, cores: int) -> None:
        assert (seed >= 0, playouts, cores) == (True, 3, 1)

    def choose_seeing(self, race: Race) -> Move:
        assert race.turn in race.driven
        assert len(race.deal) == len(race.names)
        move = race.legal_moves[0]
        race.play(move)  # on a copy
        return move


def test_a_driver_who_sees_all_cards_races_in_the_arena_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(clairvoyant.SEEING, "seer", Seer)
    told = json.loads(printed(capsys, "seer@3 --against random --races 4 --chariots 2 --seed 1 --json"))
    assert told["pairings"][0]["moves"] > 40
    for elsewhere in (["simulate", "--drivers", "seer@3"], ["play", "--against", "seer@3"]):
        assert main(elsewhere) == 2
        assert "there is no driver 'seer@3'" in capsys.readouterr().err
    with pytest.raises(ValueError, match="no driver"):
        Experiment(1, load_course("white"), Rules(), ("seer@3",), 1)


# ---------------------------------------------------------------------- what people see


def test_the_tables_are_aligned_and_fit_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, "greedy random own.py:Roving --races 12 --seed 5 --chariots 4")
    _, pairings, crossed, differences, ratings, _ = told.split("\n\n")
    for table in (pairings, crossed, differences, ratings):
        assert max(map(len, table.splitlines())) <= 80
    for table in (crossed, differences, ratings):
        assert len({len(line) for line in table.splitlines()}) == 1
    assert len(pairings.splitlines()) == 2 + 2 * 6
    assert "  v 3 own.py:Roving" in pairings


def test_the_command_that_is_told_repeats_everything(capsys: pytest.CaptureFixture[str]) -> None:
    it = "random greedy --races 7 --course red --direction anticlockwise --chariots 3 --edition thibault --seed 6"
    told = printed(capsys, f"{it} --option crash=yes --no-memory-aid", "--json")
    standings = json.loads(told)
    assert (standings["options"], standings["riderless"], standings["against"]) == ({"crash": "yes"}, 3, None)
    program, command, *arguments = shlex.split(standings["command"])
    assert (program, command) == ("avecaesar", "arena")
    assert printed(capsys, shlex.join(arguments), "--json") == told


def test_without_a_seed_one_is_chosen_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    first = printed(capsys, "random --against greedy --races 2 --chariots 2")
    (command,) = re.findall(r"^  avecaesar arena (.+)$", first, re.MULTILINE)
    assert printed(capsys, command) == first


def test_every_key_of_the_json_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    it = json.loads(printed(capsys, "greedy random own.py:Roving --races 4 --seed 1 --json"))
    assert (it["format"], it["version"], it["races"], it["deals"], it["fair_share"]) == (
        "avecaesar-arena",
        1,
        4,
        1,
        0.25,
    )
    keys = {*it, *it["pairings"][0], *it["pairings"][0]["wins"], *it["differences"][0], *it["ratings"][0]}
    documented = set(re.findall(r"`(\w+)`", DOCS.read_text(encoding="utf-8")))
    assert keys - documented == set()
    header, line = Path(next((Path("data") / "avecaesar" / "arenas").iterdir())).read_text().splitlines()[:2]
    assert {*json.loads(header), *json.loads(line)[1]} - documented == set()


def test_a_bar_on_a_terminal_counts_from_where_it_was_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, "greedy --against random --races 8 --seed 1 --save a.jsonl")
    lines = (tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "a.jsonl").write_bytes(b"".join(lines[:6]))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["arena", "--resume", "a.jsonl"]) == 0
    seen = capsys.readouterr().err
    assert "5 of 8 races, starting" in seen
    assert "8 of 8 races, 0 s left" in seen
    assert "3 races in 0 s" in seen


class Balanced(HTMLParser):
    """Sees that all tags are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not [value for _, value in attrs if value and "://" in value and "www.w3.org" not in value]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("drivers", ["greedy --against random", "greedy random own.py:Roving"])
def test_plots_are_drawn(drivers: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed(capsys, f"{drivers} --races 4 --seed 1 --save a.jsonl", "--plot", "a.png", "--plot", "a.html")
    png = (tmp_path / "a.png").read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", png[16:24])
    assert wide >= 1200
    assert high >= 300
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []
    assert "<script" not in page
    assert "prefers-color-scheme: dark" in page
    drawings = [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]
    assert len(drawings) == (2 if "--against" in drivers else 3)
    names = [text.text for drawing in drawings for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert {"greedy v random", "fair", "greedy"} <= set(names)
    own = ["--own", "own.py:Roving"] if "own.py" in drivers else []
    printed(capsys, "--resume a.jsonl", *own, "--plot", "b.html", "--plot", "b.png")
    assert (tmp_path / "b.html").read_text(encoding="utf-8") == page
    assert (tmp_path / "b.png").read_bytes() == png


def test_names_are_written_into_the_page_safely() -> None:
    from avecaesar.lab.arena import page

    standings: Standings = standings_of(by_hand((1, 0), (1, 1)))
    mischief = replace(standings, arena=replace(standings.arena, course="<script>&"))
    assert "<script" not in page(mischief)


# ---------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "arguments",
    [
        "", "greedy", "--against greedy", "greedy --against greedy", "greedy random greedy", "greedy nobody",
        "greedy --against nobody", "greedy --against ''", "greedy '' random", "greedy own.py:Nobody",
        "greedy random --races 0", "greedy random --races 1000001", "greedy random --races x",
        "greedy random --chariots 1", "greedy random --chariots 7", "greedy random --players 1",
        "greedy random --players 2 --chariots 4", "greedy random --each 3", "greedy random --players 4 --each 2",
        "greedy random --course green", "greedy random --edition house", "greedy random --option no=such",
        "greedy random --direction up", "greedy random --seed -1", "greedy random --jobs 0", "greedy random --unknown",
        "greedy random --plot a.jpg", "greedy random --plot nowhere/a.png", "greedy random --plot ''",
        "greedy random --save own.py", "greedy random --save nowhere/a.jsonl", "greedy random --save ''",
        "--resume nowhere.jsonl", "--resume .", "--resume own.py", "--resume ''",
        "greedy --resume own.py", "--resume own.py --races 4", "--resume own.py --no-memory-aid",
        "--resume own.py --seed 0", "--resume own.py --save b.jsonl", "--resume own.py --option crash=yes",
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_sentence(
    arguments: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status: object
    try:
        status = main(["arena", *shlex.split(arguments)])
    except SystemExit as left:
        status = left.code
    told = capsys.readouterr()
    assert (status, told.out) == (2, "")
    assert re.fullmatch(r"avecaesar[^\n]+\n", told.err)
    assert (tmp_path / "own.py").read_text() == OWN


def test_a_png_without_matplotlib_is_refused_before_the_races(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["arena", "greedy", "random", "--plot", "a.png", "--save", "a.jsonl"]) == 2
    assert "pip install 'avecaesar[plot]'" in capsys.readouterr().err
    assert not (tmp_path / "a.jsonl").exists()


@pytest.mark.parametrize(
    ("driver", "reason", "jobs"), [("Raising", "KeyError: 'no idea'", "1"), ("Cheating", "IllegalMove", "2")]
)
def test_a_driver_that_fails_ends_the_arena_in_a_sentence(
    driver: str, reason: str, jobs: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", f"own.py:{driver}", "greedy", "--seed", "77", "--jobs", jobs]) == 2
    told = capfd.readouterr()
    assert told.out == ""
    assert re.fullmatch(
        rf"avecaesar: driver 'own.py:{driver}' failed in decision \d+ of race \d+ of seed 77: {reason}.*\n", told.err
    )
