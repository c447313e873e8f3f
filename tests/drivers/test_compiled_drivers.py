"""Drivers: what the compiled ones see, that they race alike in views and in batches, and those of one's own."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from avecaesar import Chariot, ChooseDeck, Miss, Move, Play, Race, View, Vote, load_course
from avecaesar.cli import main
from avecaesar.drivers import CHARACTERS, Chance, Driver, DriverError, Greedy, Scorpus, drive, driver, policies
from avecaesar.game.moves import DECK_NAMES, DeckName
from avecaesar.kernel import entry_points, packing, redaction
from avecaesar.kernel import layout as k
from avecaesar.lab import Experiment, line_up
from avecaesar.lab.racing import Races
from avecaesar.rules import EDITIONS, Rules
from disguises import disguised, some_race, tied_exception_may_speak
from lockstep import COURSES, random_line_up, random_rules

VOTE = {"riderless_moves": "vote"}
TABLES: dict[str, Rules] = {
    **{name: edition.rules for name, edition in EDITIONS.items()},
    "riderless by vote": EDITIONS["pro-ludo"].rules.with_options({"riderless_count": 2, **VOTE}),
    "teams": EDITIONS["thibault"].rules.with_options({"chariots_each": 2, "race_ends": "first_home"}),
    "ausgebremst teams": EDITIONS["ausgebremst"].rules.with_options({"chariots_each": 2, **VOTE}),
    "piles": EDITIONS["ausgebremst"].rules.with_options({"decks": "standard", "emperor_cards": "none"}),
}


COMPILED = [name for name, character in CHARACTERS.items() if not character.thinks]


def moments(rules: Rules) -> Iterator[tuple[Race, random.Random]]:
    """Races at every decision, driven by greedy and random drivers in turn, some without a memory aid."""
    for seed, (name, direction) in enumerate(COURSES):
        source, course = random.Random(seed), load_course(name, direction)
        drivers, _ = random_line_up(rules, course.side, source)
        race = Race(course, drivers // rules.chariots_each, rules=rules, memory_aid=seed % 3 > 0, seed=seed)
        while (chariot := race.turn) is not None:
            yield race, source
            chosen: Greedy | Chance = Greedy() if (chariot + seed) % 2 else Chance(seed)
            race.play(race.legal_moves[0] if chariot in race.riderless else chosen.choose(race.view(chariot)))
        yield race, source


def known(race: Race, chariot: int | None, into: packing.Packed | None = None) -> bytes:
    into = packing.new_races(1) if into is None else into
    redaction.redact_race(race._rules_table, race._races, 0, k.NOBODY if chariot is None else chariot, into)
    return into.tobytes()


# ---------------------------------------------------------------------- what a compiled driver sees


@pytest.mark.parametrize("table", TABLES)
def test_what_a_driver_cannot_know_changes_no_byte_of_what_he_sees(table: str) -> None:
    looks = 0
    for race, source in moments(TABLES[table]):
        if race.over or source.random() < 0.7:
            continue
        for chariot in (*range(len(race.names)), None):
            if not tied_exception_may_speak(race, chariot):
                twin = disguised(race, chariot, source)
                for known_to_him in {chariot, *race.riderless} - {None}:
                    twin._fields["deck"][0][known_to_him] = reordered(twin, known_to_him, source)
                assert known(race, chariot) == known(twin, chariot) == race.view(chariot).known.tobytes()
                looks += 1
    assert looks > 400


def reordered(race: Race, chariot: int, source: random.Random) -> list[int]:
    """The deck with another order of what nobody knows the order of; what was drawn long ago is anything."""
    ring: list[int] = race._fields["deck"][0][chariot].tolist()
    again = [source.randint(1, 6) for _ in ring]
    for places in unordered_places(race, chariot):
        cards = [ring[place] for place in places]
        source.shuffle(cards)
        for place, card in zip(places, cards, strict=True):
            again[place] = card
    top, undrawn, exchanged = (int(race._fields[name][0][chariot]) for name in ("top", "undrawn", "known"))
    for i in range(undrawn - exchanged, undrawn if exchanged else 0):
        again[(top + i) % len(ring)] = ring[(top + i) % len(ring)]
    return again


def unordered_places(race: Race, chariot: int) -> list[list[int]]:
    """The places in a deck between which its owner cannot tell the cards apart, group by group."""
    if race.rules.draw != "from_piles" or chariot in race.riderless:
        top, undrawn, exchanged = (int(race._fields[name][0][chariot]) for name in ("top", "undrawn", "known"))
        return [[(top + i) % 24 for i in range(undrawn - exchanged)]]
    if chariot not in race._sorted:
        return [list(range(24))]
    tops, sizes = (race._fields[name][0][chariot].tolist() for name in ("pile_top", "pile"))
    piles = [list(range(top, top + size)) for top, size in zip(tops, sizes, strict=True)]
    return piles if race.memory_aid else [[place for pile in piles for place in pile]]


def test_a_used_scratch_record_shows_nothing_of_the_race_before() -> None:
    for seed in range(40):
        (race, _), (before, _) = some_race(seed), some_race(seed + 1000)
        used = packing.new_races(1)
        used[:] = before._races
        for chariot in range(len(race.names)):
            assert known(race, chariot, used) == known(race, chariot)


@pytest.mark.parametrize("table", TABLES)
def test_a_redacted_race_still_tells_all_that_its_driver_may_know(table: str) -> None:
    moves = np.empty(k.MOST_MOVES, np.int64)
    for race, _ in moments(TABLES[table]):
        if (on_turn := race.turn) is None or on_turn in race.riderless:
            continue
        view = race.view(on_turn)
        count = entry_points.list_moves(race._course_table, view.known, 0, moves)
        assert tuple(race.move_of(int(move)) for move in moves[:count]) == view.legal_moves
        mine = view.known[0]
        deck = mine["deck"][on_turn][: int(mine["undrawn"][on_turn])].tolist()
        assert tuple(deck[len(deck) - len(view.bottom) :]) == view.bottom
        if view.asks in ("deck", "sort"):
            continue
        assert counted(deck, view.me) == list(view.undrawn)
        for pile, shown in enumerate(view.piles):
            top, size = int(mine["pile_top"][on_turn][pile]), int(mine["pile"][on_turn][pile])
            laid = view.me if view.me.laid == pile else None
            assert counted(deck[top : top + size], laid) == list(shown)
        for other, chariot in enumerate(view.chariots):
            if other != on_turn:
                cards = [card for card in mine["deck"][other].tolist() if card]
                if chariot.open_card is not None:
                    cards.append(chariot.open_card)
                assert counted(cards, chariot) == list(chariot.unseen)
                assert mine["hand"][other] == (0 if chariot.open_card is None else 1 << 4 * chariot.open_card)


def counted(cards: list[int], chariot: Chariot | None) -> list[int]:
    """How many of each value; the emperor's 3 lies on a pile, and is not in the kernel's deck."""
    laid = chariot is not None and chariot.laid is not None
    return [cards.count(card) + (laid and card == 3) for card in range(1, 7)]


def test_equal_views_are_asked_the_same_and_others_are_asked_nothing() -> None:
    race = Race("white", 3, seed=2)
    asked, waiting, watching = (race.view(chariot).known[0] for chariot in (0, 1, None))
    assert asked["destinations"].any()
    for told in (waiting, watching):
        assert not told["destinations"].any()
        assert not told["six_barred"]
    assert asked["hand"][0]
    assert not watching["hand"].any()


def test_why_somebody_missed_is_not_left_lying_about() -> None:
    """The kernel keeps the last answer in the race until it is overwritten; a redacted race does not."""
    seen: Counter[int] = Counter()
    for rules in TABLES.values():
        for race, _ in moments(rules):
            for chariot in race.driven:
                record = race.view(chariot).known[0]
                if race.turn != chariot or record["phase"] != k.MISS:
                    assert (record["miss"], record["exchanges"]) == (0, 0)
                    seen[int(race._fields["miss"][0])] += 1
    assert seen[k.BARRED]
    assert seen[k.WAITING]


def test_who_must_crash_is_not_shown_where_the_one_before_him_could_go() -> None:
    crashes = 0
    for race, _ in moments(Rules(crash="yes")):
        if (chariot := race.turn) is not None and race._fields["phase"][0] == k.CRASH:
            record = race.view(chariot).known[0]
            assert record["phase"] == k.CRASH
            assert not record["destinations"].any()
            crashes += race._fields["destinations"][0].any()
    assert crashes


# ---------------------------------------------------------------------- one implementation of each driver


@pytest.mark.parametrize("table", TABLES)
def test_drivers_race_alike_over_views_and_in_a_batch(table: str) -> None:
    rules = TABLES[table]
    for seed, (name, direction) in enumerate(COURSES):
        source, course = random.Random(seed), load_course(name, direction)
        chariots, _ = random_line_up(rules, course.side, source)
        players = chariots // rules.chariots_each
        names = [("greedy",), ("festina", "random"), ("random",), ("bibulus", "scorpus", "greedy")][seed % 4][:players]
        drivers = line_up(names, chariots, rules.chariots_each)
        experiment = Experiment(3, course, rules, drivers, seed, seed % 2 == 0, memory_aid=seed % 3 > 0)
        races = Races(experiment)
        for number in range(3):
            races.run(number, 1)
            batch = races._replayed(number)
            over_views, seeds = races.experiment.dealt(number)
            on_grid = zip(experiment.on_grid(number), over_views.driven, strict=True)
            drive(over_views, [driver(drivers[entry], seeds[chariot]) for entry, chariot in on_grid])
            assert over_views.history == batch.history
            assert over_views.laurels == batch.laurels


def test_every_question_is_answered_by_the_rules_and_every_race_ends() -> None:
    """Thousands of races of all kinds: every decision of a batch is judged, and only wrecks make a race stall."""
    seen: Counter[str] = Counter()
    for seed in range(800):
        source = random.Random(seed)
        rules, course = random_rules(source), load_course(*source.choice(COURSES))
        chariots, riderless = random_line_up(rules, course.side, source)
        if chariots:
            names = source.sample(COMPILED, source.randint(1, min(3, chariots // rules.chariots_each)))
            drivers = line_up(names, chariots, rules.chariots_each)
            races = Races(Experiment(5, course, rules, drivers, seed, memory_aid=source.random() < 0.5))
            for number in range(5):
                races.run(number, 1)
                race, _ = races.experiment.dealt(number)
                stalled = judged(race, races._log) == k.STALLED
                assert not stalled or rules.crash == "yes", (seed, number)
                seen["races"] += 1
                seen[f"{rules.riderless} by {rules.riderless_moves}"] += riderless > 0
                seen[f"{chariots // rules.chariots_each} of {rules.chariots_each}"] += 1
                seen[f"{rules.draw}, {rules.decks}, {rules.emperor_cards}"] += 1
    assert seen["races"] > 3000
    assert all(
        seen[f"{kind} by {by}"] for kind in ("extra", "fill", "fill_no_tribute") for by in ("rule", "vote")
    ), seen  # fmt: skip
    assert all(seen[f"{players} of {each}"] for players, each in ((2, 2), (3, 2), (2, 3))), seen
    assert all(seen[f"from_piles, {of}"] for of in ("choice, by_side", "standard, none", "choice, none")), seen


def judged(race: Race, log: packing.Packed) -> int:
    """Make the moves of a log, each of which must be allowed; returns how the race ended."""
    for move in map(int, log):
        if race.over:
            break
        assert entry_points.step(race._course_table, race._rules_table, race._races, 0, move) == k.ALLOWED
    assert race.over
    return int(race._fields["ending"][0])


def test_compiled_drivers_need_no_redaction() -> None:
    """They look at what everybody sees and at their own cards, so that playouts may show them the race itself."""
    for race, source in (moment for rules in TABLES.values() for moment in moments(rules)):
        if (chariot := race.turn) is not None and chariot in race.driven:
            seed, policy = np.uint64(source.getrandbits(64)), source.randrange(len(policies.MINDS))
            answers = {
                int(policies.ask(race._course_table, race._rules_table, records, policy, seed))
                for records in (race._races, race.view(chariot).known)
            }
            assert len(answers) == 1


@pytest.mark.parametrize("name", [*COMPILED, "sibylla@40"])
def test_no_driver_peeks(name: str) -> None:
    """The same view gives the same move, whatever the hidden cards."""
    mine: Driver = driver(name, 5)
    looks: Counter[str | None] = Counter()
    for rules in TABLES.values():
        for race, source in moments(rules):
            chariot = race.turn
            often = 0.08 if race.asks in ("turn", "draw") else 0.5
            if chariot in race.driven and source.random() < often and not tied_exception_may_speak(race, chariot):
                move = mine.choose(race.view(chariot))
                assert move in race.legal_moves
                assert mine.choose(disguised(race, chariot, source).view(chariot)) == move
                looks[race.asks] += 1
    assert looks.total() > 400
    assert {"turn", "deck", "sort", "draw", "vote", "lay"} <= set(looks)


def test_a_driver_leaves_the_view_as_it_is() -> None:
    for race, _ in (moment for name in ("fiche", "ausgebremst teams") for moment in moments(TABLES[name])):
        if (chariot := race.turn) is not None and chariot in race.driven:
            view = race.view(chariot)
            before = view.known.tobytes()
            for name in (*COMPILED, "sibylla@10"):
                driver(name, 1).choose(view)
            assert view.known.tobytes() == before


# ---------------------------------------------------------------------- rules of thumb


def test_what_each_driver_minds() -> None:
    """One race, one hand, and a move for each character."""
    race = Race("white", 3, decks=[[1, 6, 2, 3, 4, 5] * 4] * 3)
    view = race.view(0)
    assert driver("festina").choose(view) == max(view.plays, key=lambda play: play.card)
    assert driver("scorpus").choose(view) in {play for play in view.plays if view.outlooks[play].wasted == 0}


def test_a_solid_driver_exchanges_his_lowest_card_and_the_greedy_one_his_highest() -> None:
    seen = 0
    for race, _ in moments(Rules()):
        if (
            (chariot := race.turn) is not None
            and isinstance(race.legal_moves[0], Miss)
            and race.legal_moves[0].exchange
        ):
            view = race.view(chariot)
            assert Scorpus().choose(view) == Miss(min(view.hand))
            assert Greedy().choose(view) == Miss(max(view.hand))
            seen += len(set(view.hand)) > 1
    assert seen > 3


def test_bibulus_looks_where_he_drives_two_turns_in_three() -> None:
    view = Race("white", 4, seed=2).view(0)
    sober = sum(driver("bibulus", seed).choose(view) == Greedy().choose(view) for seed in range(600))
    assert 400 < sober < 540  # and by chance he does the same now and then


# ---------------------------------------------------------------------- greedy


@pytest.mark.parametrize("course", ["white", "red"])
@pytest.mark.parametrize("deck", DECK_NAMES)
def test_greedy_has_a_sorting_for_every_deck_and_lays_and_draws_from_what_is_there(course: str, deck: DeckName) -> None:
    for seed in range(10):
        race = Race(course, 3, edition="ausgebremst", memory_aid=seed % 2 == 0, seed=seed)
        asked = set()
        while (chariot := race.turn) is not None:
            asked.add(race.asks)
            move = Greedy().choose(race.view(chariot)) if chariot in race.driven else race.legal_moves[0]
            assert move in race.legal_moves
            race.play(ChooseDeck(deck) if race.asks == "deck" else move)
        assert asked >= {"deck", "sort", "draw", "turn"}


def test_greedy_votes_for_what_leaves_the_riderless_chariot_furthest_from_home() -> None:
    votes = 0
    for race, _ in moments(TABLES["riderless by vote"]):
        if race.asks == "vote":
            view = race.view(race.turn)
            chosen, riderless = Greedy().choose(view), view.chariots[race.voted_on or 0]
            assert isinstance(chosen, Vote)
            plays = [move.play for move in view.legal_moves if isinstance(move, Vote) and move.play]
            left = {play: to_go(race, riderless, play) for play in plays}
            assert chosen.play is not None
            assert left[chosen.play] == max(left.values())
            votes += 1
    assert votes > 50


def to_go(race: Race, chariot: Chariot, play: Play) -> int:
    if play.to == "home":
        return 0
    assert chariot.space is not None
    return race.course.remaining[chariot.crossings + (play.to < chariot.space)][play.to]


# ---------------------------------------------------------------------- chance


def test_chance_does_everything_that_is_allowed_equally_often() -> None:
    race = Race("white", 4, seed=2)
    view = race.view(0)
    chosen = Counter(Chance(seed).choose(view) for seed in range(3000))
    assert set(chosen) == set(view.legal_moves)
    expected = 3000 / len(view.legal_moves)
    assert sum((n - expected) ** 2 / expected for n in chosen.values()) < 15


def test_a_seeded_chance_depends_on_seed_chariot_and_turn_and_has_no_memory() -> None:
    def race_with(fresh: bool, seed: int = 7) -> Race:
        race = Race("red", 5, seed=3)
        drivers = [Chance(seed) for _ in race.names]
        while (chariot := race.turn) is not None:
            one = Chance(seed) if fresh else drivers[chariot]
            race.play(one.choose(race.view(chariot)))
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
        ("x", "there is no driver 'x'; there are bibulus, festina, scorpus, sibylla"),
        ("greedy@5", "Greedy takes no budget"),
        ("sibylla@", "after the @ stand playouts a move"),
        ("sibylla@2h", "after the @ stand playouts a move"),
        ("sibylla@0", "from 1 to 1,000,000,000 races"),
        ("sibylla@0s", "more than 0 and at most 3600 seconds"),
        ("sibylla@5/0", "on 1 to 256 cores"),
        ("", "there is no driver ''"),
        (":", "cannot be loaded"),
        ("nowhere.py:First", "there is no file nowhere.py"),
        ("no_such_module:First", "there is no module no_such_module"),
        ("own.py:Second", "own.py has no class 'Second'"),
        ("own.py:NOT_A_CLASS", "has no class 'NOT_A_CLASS'"),
        ("own.py:Needy", "cannot be made: TypeError"),
        ("own.py:Broken", "cannot be made: RuntimeError: two lines (own.py, line 20)"),
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


def test_whoever_wrote_a_driver_that_fails_is_told_in_which_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lost.py").write_text("class Lost:\n    def choose(self, view):\n        return view.the_best\n")
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "--races", "1", "--jobs", "1", "--drivers", "lost.py:Lost"]) == 2
    told = capsys.readouterr().err
    assert told.endswith("AttributeError: 'View' object has no attribute 'the_best' (lost.py, line 3)\n")


def test_anything_with_choose_can_drive() -> None:
    class Last:
        def choose(self, view: View) -> Move:
            return view.legal_moves[-1]

    race = Race("blue", 3, seed=4)
    drive(race, [Last(), Greedy(), Chance(1)])
    assert race.over
