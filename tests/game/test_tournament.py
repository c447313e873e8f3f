"""Tournaments: SET-2, NEXT-1, NEXT-2, NEXT-4."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import pytest

from avecaesar import Race, RulesError, Tournament, edition
from avecaesar.game.numbers import ChariotNumber, EntryNumber
from avecaesar.game.tournament import schedule, turn_up
from avecaesar.rules import EDITIONS
from referee.tournament import first_grid_high_card, next_grid, standings
from referee.tournament import schedule as referee_schedule
from situations import PLAIN

clause = pytest.mark.clause


def dealer(*decks: list[int]) -> Callable[[], list[int]]:
    """Hands out prepared decks one after another."""
    waiting = iter(decks)
    return lambda: next(waiting)


def run(games: Tournament, source: random.Random) -> Tournament:
    while not games.over:
        race = games.next_race()
        while not race.over:
            race.play(source.choice(list(race.legal_moves)))
    return games


@clause("SET-2")
def test_the_highest_card_takes_place_one() -> None:
    first, shown = turn_up(3, dealer([2, 1], [5, 1], [4, 1]))
    assert first == 1
    assert shown == ({0: 2, 1: 5, 2: 4},)


@clause("SET-2")
def test_the_tied_turn_up_their_next_card_until_one_is_left() -> None:
    first, shown = turn_up(3, dealer([5, 3, 1], [2, 6, 6], [5, 3, 4]))
    assert first == 2
    assert shown == ({0: 5, 1: 2, 2: 5}, {0: 3, 2: 3}, {0: 1, 2: 4})


@clause("SET-2")
def test_a_deck_that_runs_out_is_reshuffled() -> None:
    first, shown = turn_up(2, dealer([3], [3], [2], [6]))
    assert first == 1
    assert shown == ({0: 3, 1: 3}, {0: 2, 1: 6})


@clause("SET-2")
def test_the_others_follow_by_seat_clockwise() -> None:
    for seed in range(20):
        games = Tournament(list("abcde"), seed=seed)
        games.next_race()
        first = games.grids[0][0]
        assert games.grids[0] == tuple((first + i) % 5 for i in range(5))
        last = games.turned_up[-1]
        assert first == max(last, key=lambda player: last[player])


@clause("SET-2")
def test_in_the_fiche_the_whole_grid_is_random() -> None:
    grids = set()
    for seed in range(40):
        games = Tournament(list("abc"), edition="fiche", seed=seed)
        games.next_race()
        grids.add(games.grids[0])
    assert len(grids) == 6


@clause("SET-2")
def test_first_grid_agrees_with_the_referee() -> None:
    for seed in range(200):
        source = random.Random(seed)
        pool = [source.choices([5, 6], k=4) for _ in range(60)]
        first, shown = turn_up(4, dealer(*pool))
        more = dealer(*pool[4:])
        order, told = first_grid_high_card(pool[:4], lambda _, more=more: more())  # type: ignore[misc]
        assert (order[0], list(shown)) == (first, list(told))


WHITE_BLUE = [
    ("white", "clockwise"),
    ("blue", "clockwise"),
    ("white", "anticlockwise"),
    ("blue", "anticlockwise"),
]


@clause("NEXT-1", "COU-1")
def test_by_table_both_courses_clockwise_then_both_anticlockwise() -> None:
    rules = edition("ravensburger")
    assert list(schedule(rules, 4)) == WHITE_BLUE
    assert [course for course, _ in schedule(rules, 5)] == ["yellow", "red", "yellow", "red"]
    assert [course for course, _ in schedule(rules, 3, side="B")] == ["yellow", "red", "yellow", "red"]


@clause("NEXT-1")
def test_a_longer_tournament_repeats_the_schedule() -> None:
    rules = edition("ravensburger").with_options({"races": 6})
    assert list(schedule(rules, 4)) == WHITE_BLUE + WHITE_BLUE[:2]


@clause("NEXT-1")
def test_both_sides_and_one_course() -> None:
    both = edition("pro-ludo")
    assert list(schedule(both, 4)) == [
        ("white", "clockwise"),
        ("yellow", "clockwise"),
        ("white", "anticlockwise"),
        ("yellow", "anticlockwise"),
    ]
    assert [course for course, _ in schedule(both, 4, courses=["red", "blue"])] == ["red", "blue"] * 2
    one = edition("fiche")
    ways = ["clockwise", "clockwise", "anticlockwise", "anticlockwise"]
    assert list(schedule(one, 5)) == [("yellow", way) for way in ways]
    assert schedule(one, 5, courses=["blue"])[0] == ("blue", "clockwise")


@clause("NEXT-1")
@pytest.mark.parametrize(
    ("kind", "side", "courses"),
    [
        ("both_sides", None, ["white", "blue"]),
        ("both_sides", "A", None),
        ("one_course", None, ["white", "red"]),
        ("by_table", "C", None),
        ("by_table", "A", ["white", "blue"]),
        ("by_table", None, ["white", "white"]),
        ("by_table", None, ["blue", "white"]),
        ("by_table", None, ["white", "yellow"]),
        ("by_table", None, ["white", "red"]),
    ],
)
def test_choices_that_make_no_sense_are_refused(kind: str, side: str | None, courses: list[str] | None) -> None:
    with pytest.raises(RulesError):
        schedule(edition("ravensburger").with_options({"schedule": kind}), 4, side, courses)


@clause("NEXT-1")
def test_by_table_the_table_chooses_a_side_and_no_courses_of_several() -> None:
    assert Tournament(["Livia", "Titus"], courses=["yellow", "red"]).schedule[1] == ("red", "clockwise")
    with pytest.raises(RulesError, match=r"by_table races on both courses of one side, in their order; for others"):
        Tournament(["Livia", "Titus"], courses=["white", "white"])
    own = [f"{PLAIN}:white", f"{PLAIN}:blue"]  # a board of one's own is a side
    assert [course for course, _ in Tournament(["Livia", "Titus"], courses=own).schedule] == own * 2
    for mixed in (own[::-1], [own[0], "blue"]):
        with pytest.raises(RulesError, match="both courses of one side"):
            Tournament(["Livia", "Titus"], courses=mixed)


@clause("NEXT-1")
def test_what_was_begun_before_that_was_asked_goes_on() -> None:
    rules = edition("ravensburger").with_options({"by_table_courses": "any"})
    for courses in (["blue", "white"], ["white", "yellow"], ["red", "red"]):
        expected = referee_schedule("by_table", 4, 2, courses=courses, by_table_courses="any")
        assert list(schedule(rules, 2, courses=courses)) == expected


@clause("NEXT-1")
def test_schedules_agree_with_the_referee() -> None:
    for kind in ("by_table", "both_sides", "one_course"):
        for drivers in range(1, 7):
            for races in (1, 4, 7):
                rules = edition("ravensburger").with_options({"schedule": kind, "races": races})
                assert list(schedule(rules, drivers)) == referee_schedule(kind, races, drivers)


@clause("NEXT-2")
@pytest.mark.parametrize("kind", ["last_then_seats", "reverse_arrival", "arrival"])
def test_the_next_grid(kind: str) -> None:
    for seed in range(10):
        games = run(Tournament(list("abcd"), options={"next_grid": kind}, seed=seed), random.Random(seed))
        for race, grid, following in zip(games.races, games.grids, games.grids[1:], strict=False):
            arrivals = [grid[chariot] for chariot in race.arrivals]
            match kind:
                case "last_then_seats":
                    assert following == tuple((arrivals[-1] + i) % 4 for i in range(4))
                case "reverse_arrival":
                    assert list(following) == arrivals[::-1]
                case _:
                    assert list(following) == arrivals


@clause("NEXT-2")
def test_winner_first_is_a_variant_of_any_edition() -> None:
    games = run(Tournament(list("abc"), options={"next_grid": "arrival"}, seed=3), random.Random(3))
    winner = games.grids[0][games.races[0].arrivals[0]]
    assert games.grids[1][0] == winner


@clause("NEXT-2")
def test_grids_and_standings_agree_with_the_referee() -> None:
    for seed, name in enumerate(list(EDITIONS) * 3):
        games = run(Tournament(list("abcde"), edition=name, seed=seed), random.Random(seed))
        seating = list(games.grids[0]) if games.rules.first_grid == "random" else list(range(5))
        results, arrivals = [], list(games.grids[0])
        for number, (race, grid) in enumerate(zip(games.races, games.grids, strict=True)):
            if number:
                assert list(grid) == list(next_grid(games.rules.next_grid, seating, arrivals))
            entries = dict(zip(race.driven, grid, strict=True))
            arrivals = [entries[chariot] for chariot in race.arrivals if chariot in entries]
            results.append({int(entry): (race.laurels[c], race.places[c]) for c, entry in entries.items()})
        groups: dict[int, list[int]] = {}
        for standing in games.standings:
            groups.setdefault(standing.rank, []).append(standing.player)
        assert [sorted(group) for _, group in sorted(groups.items())] == standings(results)


class Finished(Race):
    """A race with a given result."""

    def __init__(self, laurels: Iterable[int], places: Iterable[int | None]) -> None:
        self._result = tuple(laurels), tuple(places)
        self.names = tuple("abcdef"[: len(self._result[0])])
        self.driven = [ChariotNumber(i) for i in range(len(self.names))]

    @property
    def laurels(self) -> tuple[int, ...]:
        return self._result[0]

    @property
    def places(self) -> tuple[int | None, ...]:
        return self._result[1]


def ranks(*races: tuple[list[int], list[int | None]]) -> list[int]:
    games = Tournament(list("abc"))
    games.grids = [tuple(map(EntryNumber, range(3)))] * len(races)
    games.races = [Finished(*race) for race in races]
    return [standing.rank for standing in sorted(games.standings, key=lambda standing: standing.player)]


@clause("NEXT-4")
def test_most_laurels_win() -> None:
    assert ranks(([4, 6, 3], [2, 1, 3])) == [2, 1, 3]


@clause("NEXT-4")
def test_ties_go_to_more_wins_then_more_second_places() -> None:
    """Six laurels by a win beat six by two third places; four by a second place beat four by two thirds."""
    assert ranks(([6, 0, 3], [1, None, 3]), ([0, 4, 3], [None, 2, 3])) == [1, 3, 2]
    assert ranks(([4, 3, 0], [2, 3, None]), ([0, 1, 0], [None, 3, None]))[:2] == [1, 2]


@clause("NEXT-4")
def test_else_they_share_it() -> None:
    assert ranks(([6, 4, 0], [1, 2, None]), ([4, 6, 0], [2, 1, None])) == [1, 1, 3]


def test_a_race_must_be_over_before_the_next_and_a_tournament_ends() -> None:
    games = Tournament(list("abc"), options={"races": 1}, seed=1)
    games.next_race()
    with pytest.raises(ValueError, match="not over"):
        games.next_race()
    assert not games.over
    run_on = games.races[0]
    while not run_on.over:
        run_on.play(next(iter(run_on.legal_moves)))
    assert games.over
    with pytest.raises(ValueError, match="is over"):
        games.next_race()
