"""Drivers: what the compiled ones see, that they race alike in views and in batches, and those of one's own."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from avecaesar import Move, Play, Race, View, load_course
from avecaesar.game.moves import from_number
from avecaesar.kernel import playout, policies, sight, tables
from avecaesar.kernel import records as k
from avecaesar.lab import Experiment
from avecaesar.lab.racing import Races
from avecaesar.players import Chance, DriverError, Greedy, drive, driver
from avecaesar.rules import EDITIONS
from lockstep import COURSES
from test_laws import disguised, some_race, tied_exception_may_speak


def moments(edition: str, **options: str) -> Iterator[tuple[Race, random.Random]]:
    """Races of an edition at every turn, driven by greedy and random drivers in turn."""
    for seed, (course, direction) in enumerate(COURSES):
        source = random.Random(seed)
        race = Race(load_course(course, direction), 1 + seed % 6, edition=edition, options=options, seed=seed)
        drivers = [Greedy() if (seat + seed) % 2 else Chance(seed) for seat in range(len(race.names))]
        while (seat := race.turn) is not None:
            yield race, source
            race.play(drivers[seat].choose(race.view(seat)))
        yield race, source


def known(race: Race, seat: int | None, into: tables.Records | None = None) -> bytes:
    into = tables.new_races(1) if into is None else into
    sight.redact_race(race._races, 0, k.NOBODY if seat is None else seat, into)
    return into.tobytes()


# ---------------------------------------------------------------------- what a compiled driver sees


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_a_seat_cannot_know_changes_no_byte_of_what_it_sees(edition: str) -> None:
    looks = 0
    for race, source in moments(edition):
        if race.over or source.random() < 0.7:
            continue
        for seat in (*range(len(race.names)), None):
            if not tied_exception_may_speak(race, seat):
                twin = disguised(race, seat, source)
                if seat is not None:
                    twin._fields["deck"][0][seat] = own_deck_reordered(race, seat, source)
                assert known(race, seat) == known(twin, seat) == race.view(seat).known.tobytes()
                looks += 1
    assert looks > 400


def own_deck_reordered(race: Race, seat: int, source: random.Random) -> list[int]:
    """Another order of the shuffled part of the seat's own deck; what was drawn long ago is anything."""
    ring: list[int] = race._fields["deck"][0][seat].tolist()
    top, undrawn, exchanged = (int(race._fields[name][0][seat]) for name in ("top", "undrawn", "known"))
    places = [(top + i) % len(ring) for i in range(undrawn - exchanged)]
    cards = [ring[place] for place in places]
    source.shuffle(cards)
    again = [source.randint(1, 6) for _ in ring]
    for place, card in zip(places, cards, strict=True):
        again[place] = card
    for i in range(undrawn - exchanged, undrawn):
        again[(top + i) % len(ring)] = ring[(top + i) % len(ring)]
    return again


def test_a_used_scratch_record_shows_nothing_of_the_race_before() -> None:
    for seed in range(40):
        (race, _), (before, _) = some_race(seed), some_race(seed + 1000)
        used = tables.new_races(1)
        used[:] = before._races
        for seat in range(len(race.names)):
            assert known(race, seat, used) == known(race, seat)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_redacted_race_still_tells_all_that_its_seat_may_know(edition: str) -> None:
    moves = np.empty(k.MOST_MOVES, np.int64)
    for race, _ in moments(edition):
        if (seat := race.turn) is None:
            continue
        view = race.view(seat)
        count = playout.list_moves(race._course_table, view.known, 0, moves)
        assert tuple(from_number(int(move)) for move in moves[:count]) == view.legal_moves
        mine = view.known[0]
        deck = mine["deck"][seat][: int(mine["undrawn"][seat])].tolist()
        assert [deck.count(card) for card in range(1, 7)] == list(view.undrawn)
        assert tuple(deck[len(deck) - len(view.bottom) :]) == view.bottom
        for other, chariot in enumerate(view.chariots):
            if other != seat:
                cards = [card for card in mine["deck"][other].tolist() if card]
                assert [cards.count(card) for card in range(1, 7)] == list(chariot.unseen)
                assert mine["hand"][other] == 0


def test_equal_views_are_asked_the_same_and_others_are_asked_nothing() -> None:
    race = Race("white", 3, seed=2)
    asked, waiting, watching = (race.view(seat).known[0] for seat in (0, 1, None))
    assert asked["options"].any()
    for told in (waiting, watching):
        assert not told["options"].any()
        assert not told["six_barred"]
    assert asked["hand"][0]
    assert not watching["hand"].any()


def test_why_somebody_missed_is_not_left_lying_about() -> None:
    """The kernel keeps the last answer in the race until it is overwritten; a redacted race does not."""
    seen: Counter[int] = Counter()
    for edition in EDITIONS:
        for race, _ in moments(edition):
            for seat in range(len(race.names)):
                record = race.view(seat).known[0]
                if race.turn != seat or record["phase"] != k.MISS:
                    assert (record["miss"], record["exchanges"]) == (0, 0)
                    seen[int(race._fields["miss"][0])] += 1
    assert seen[k.BARRED]
    assert seen[k.WAITING]


def test_who_must_crash_is_not_shown_where_the_one_before_him_could_go() -> None:
    crashes = 0
    for race, _ in moments("ravensburger", crash="yes"):
        if (seat := race.turn) is not None and race._fields["phase"][0] == k.CRASH:
            record = race.view(seat).known[0]
            assert record["phase"] == k.CRASH
            assert not record["options"].any()
            crashes += race._fields["options"][0].any()
    assert crashes


# ---------------------------------------------------------------------- one implementation of each driver


@pytest.mark.parametrize("edition", EDITIONS)
def test_drivers_race_alike_over_views_and_in_a_batch(edition: str) -> None:
    for seed, (course, direction) in enumerate(COURSES):
        names = [("greedy",), ("greedy", "random"), ("random",), ("random", "random", "greedy")][seed % 4]
        drivers = tuple(names[i % len(names)] for i in range(1 + (seed + 3) % 6))
        experiment = Experiment(
            3, load_course(course, direction), EDITIONS[edition].rules, drivers, seed, seed % 2 == 0
        )
        races = Races(experiment)
        for number in range(3):
            races.run(number, 1)
            batch = races._replayed(number)
            over_views, seeds = races._dealt(number)
            on_grid = [drivers[i] for i in experiment.on_grid(number)]
            drive(over_views, [driver(name, seeds[seat]) for seat, name in enumerate(on_grid)])
            assert over_views.history == batch.history
            assert over_views.laurels == batch.laurels


def test_a_random_driver_needs_no_redaction() -> None:
    """In a batch he is shown the race itself, for he looks at nothing but what is asked of him."""
    moves, twin = np.empty(k.MOST_MOVES, np.int64), tables.new_races(1)
    for race, source in moments("ravensburger"):
        if (seat := race.turn) is not None:
            seed = np.uint64(source.getrandbits(64))
            answers = {
                int(policies.ask(race._course_table, race._rules_table, records, twin, moves, policies.RANDOM, seed))
                for records in (race._races, race.view(seat).known)
            }
            assert len(answers) == 1


def test_a_driver_leaves_the_view_as_it_is() -> None:
    for race, _ in moments("fiche"):
        if (seat := race.turn) is not None:
            view = race.view(seat)
            before = view.known.tobytes()
            Greedy().choose(view)
            Chance(1).choose(view)
            assert view.known.tobytes() == before


# ---------------------------------------------------------------------- chance


def test_chance_does_everything_that_is_allowed_equally_often() -> None:
    race = Race("white", 4, seed=2)
    view = race.view(0)
    chosen = Counter(Chance(seed).choose(view) for seed in range(3000))
    assert set(chosen) == set(view.legal_moves)
    expected = 3000 / len(view.legal_moves)
    assert sum((n - expected) ** 2 / expected for n in chosen.values()) < 15


def test_a_seeded_chance_depends_on_seed_seat_and_turn_and_has_no_memory() -> None:
    def race_with(fresh: bool, seed: int = 7) -> Race:
        race = Race("red", 5, seed=3)
        drivers = [Chance(seed) for _ in race.names]
        while (seat := race.turn) is not None:
            one = Chance(seed) if fresh else drivers[seat]
            race.play(one.choose(race.view(seat)))
        return race

    assert race_with(True).history == race_with(False).history != race_with(False, 8).history
    race = Race("white", 2, decks=[[1, 2, 3, 4, 5, 6] * 4] * 2)
    firsts = []
    for seed in range(200):
        twin = race.copy()
        twin.play(Chance(seed).choose(twin.view(0)))
        firsts.append((twin.history[0].move, Chance(seed).choose(twin.view(1))))
    assert sum(isinstance(a, Play) and isinstance(b, Play) and a.card == b.card for a, b in firsts) < 120


def test_an_unseeded_chance_differs_from_the_next() -> None:
    view = Race("white", 4, seed=2).view(0)
    assert len({Chance().choose(view) for _ in range(200)}) > 1
    assert Chance(2**64 + 5).choose(view) == Chance(5).choose(view)


# ---------------------------------------------------------------------- drivers of one's own

OWN = """
from dataclasses import dataclass

class First:
    def choose(self, view):
        return view.legal_moves[0]

@dataclass
class Seeded:
    seed: int
    def choose(self, view):
        return view.legal_moves[self.seed % len(view.legal_moves)]

class Needy:
    def __init__(self, what):
        pass

class Broken:
    def __init__(self):
        raise RuntimeError("two\\nlines")

class Idle:
    pass

NOT_A_CLASS = 3
"""


def test_a_driver_of_ones_own_from_a_file_or_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_own_drivers.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    view = Race("white", 3, seed=2).view(0)
    for where in (f"{tmp_path}/my_own_drivers.py", "my_own_drivers.py", "my_own_drivers"):
        assert driver(f"{where}:First").choose(view) == view.legal_moves[0]
        assert driver(f"{where}:Seeded", 4).choose(view) == view.legal_moves[4 % len(view.legal_moves)]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("x", "there is no driver 'x'; there are random, greedy"),
        ("", "there is no driver ''"),
        (":", "cannot be loaded"),
        ("nowhere.py:First", "there is no file nowhere.py"),
        ("no_such_module:First", "there is no module no_such_module"),
        ("own.py:Second", "own.py has no class 'Second'"),
        ("own.py:NOT_A_CLASS", "has no class 'NOT_A_CLASS'"),
        ("own.py:Needy", "cannot be made: TypeError"),
        ("own.py:Broken", "cannot be made: RuntimeError: two lines"),
        ("own.py:Idle", "it has no choose(view)"),
        ("wrong.py:First", "cannot be loaded: SyntaxError"),
        (".:First", "cannot be loaded"),
    ],
)
def test_a_driver_that_is_none_is_refused_in_a_sentence(
    name: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "wrong.py").write_text("class First(:\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DriverError) as refused:
        driver(name)
    assert problem in str(refused.value)
    assert "\n" not in str(refused.value)


def test_anything_with_choose_can_drive() -> None:
    class Last:
        def choose(self, view: View) -> Move:
            return view.legal_moves[-1]

    race = Race("blue", 3, seed=4)
    drive(race, [Last(), Greedy(), Chance(1)])
    assert race.over
