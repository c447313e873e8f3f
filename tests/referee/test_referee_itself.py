"""The referee checked by hand: small situations on a tiny course, and random races on a course of real size."""

import random
from collections import Counter
from typing import Any

import pytest

from referee_situations import DECK, RAVENSBURGER, TINY, WHITE, paid, plays, situation

from .race import KNOWN_VALUES, CourseFacts, Move, RefereeRace, Space
from .tournament import first_grid_high_card, next_grid, schedule, standings

# ---- the course ----


def test_the_tiny_course_is_measured_from_its_steps() -> None:
    assert [TINY.remaining[space, 0] for space in TINY.grid] == [25, 25, 26, 26]
    assert TINY.remaining["n8", 3] == 3
    assert TINY.bottlenecks == {"n5", "n8"}
    assert (TINY.alley_before_line, TINY.alley_beyond_line) == ({"p1", "p2"}, {"p3", "p4"})
    assert {crossings for space, crossings in TINY.paying if space in {"p1", "p2"}} == {1, 2}
    assert {crossings for space, crossings in TINY.paying if space in {"p3", "p4"}} == {2, 3}


def test_white_has_the_lengths_and_bottlenecks_of_cou_3() -> None:
    assert [WHITE.remaining[space, 0] for space in WHITE.grid] == [79, 79, 79, 79, 80, 80]  # tribute ignored
    stop = ("p1", 1)
    to_the_alley = WHITE._distances_to([stop])  # the alley adds one
    assert [to_the_alley[space, 0] + WHITE.remaining[stop] for space in WHITE.grid] == [
        80,
        80,
        80,
        80,
        81,
        81,
    ]
    assert WHITE.bottlenecks == {"Ja1", "Na1", "Ma1", "Qa1"}
    assert WHITE.alley_before_line == {"p1", "p2", "p3"}


def test_a_set_cuts_only_if_no_way_round_avoids_it_the_alley_included() -> None:
    assert TINY.cuts(["a6", "b6"])
    assert not TINY.cuts(["a6", "b7"])
    assert not TINY.cuts(["a2", "b2"])
    assert TINY.cuts(["a2", "b2", "p1"])
    assert not TINY.cuts([])


@pytest.mark.parametrize(
    ("space", "crossings", "past"),
    [
        ("a1", 1, False),
        ("n8", 2, False),
        ("a1", 2, True),
        ("p2", 2, False),
        ("p4", 3, False),
        ("a4", 3, True),
        ("n8", 3, True),
    ],
)
def test_past_is_where_no_paying_stop_can_be_reached_tri_3(space: Space, crossings: int, past: bool) -> None:
    assert TINY.is_past(space, crossings) == past


# ---- moves ----


def test_nobody_jumps_and_a_blocked_driver_exchanges_mov_2_mov_4() -> None:
    race = situation(("n5", 1, [2, 3, 3]), ("a6", 1, [1]), ("b6", 1, [1]))
    assert race.legal() == {("miss", "blocked", 2), ("miss", "blocked", 3)}
    race.apply(("miss", "blocked", 3))
    assert (race.hand[0], race.deck[0], race.turn) == ([1, 2, 3], [1, 1, 1, 3], 1)


def test_an_empty_deck_exchanges_nothing_mov_4() -> None:
    race = situation(("n5", 1, [2, 3]), ("a6", 1, [1]), ("b6", 1, [1]))
    race.deck[0] = []
    assert race.legal() == {("miss", "blocked", None)}
    race.hand[0] = []
    assert race.legal() == {("miss", "blocked", None)}


def test_what_stands_beyond_the_last_line_does_not_count_mov_5() -> None:
    race = situation(("a1", 3, [1, 2, 5]), ("a3", 1, [1]), ("b3", 1, [1]), ("a2", 3, [1]))
    assert plays(race) == {(1, "b2"), (2, "home"), (5, "home")}


def test_a_chariot_without_cards_is_out_mov_6() -> None:
    race = situation(("a3", 1, [1]), ("a1", 1, [1]))
    race.deck[0] = []
    race.apply(("play", 1, "a4"))
    assert (race.status[0], race.position[0], race.turn) == ("out", None, 1)


def test_at_the_end_of_the_round_everybody_draws_mov_1() -> None:
    race = RefereeRace(TINY, RAVENSBURGER | {"draw": "end_of_round"}, [[1, 2, 3, 4], [1, 2, 3, 4]])
    race.apply(("play", 1, "a3"))
    assert race.hand == [[2, 3], [1, 2, 3]]
    race.apply(("play", 1, "b3"))
    assert race.hand == [[2, 3, 4], [2, 3, 4]]


# ---- the six ----


def test_a_leader_may_not_play_a_six_but_on_the_very_first_turn_six_1_six_2() -> None:
    race = situation(("a6", 1, [5, 6]), ("b3", 1, [6]))
    assert {card for card, _ in plays(race)} == {5}
    assert plays(situation(("a4", 1, [1]), ("b3", 1, [6]), turn=1)), "a chariot behind may overtake with a six"
    assert plays(RefereeRace(TINY, RAVENSBURGER, [[6], [6]])) == {(6, "n8")}
    never_exempt = RAVENSBURGER | {"first_six": "barred"}
    assert RefereeRace(TINY, never_exempt, [[6], [6]]).legal() == {("miss", "barred", None)}


def test_missed_turns_lets_a_barred_leader_exchange_mov_4() -> None:
    chariots: list[tuple[Space, int, list[int]]] = [("a6", 1, [6, 6]), ("n8", 0, [1])]
    assert situation(*chariots).legal() == {("miss", "barred", None)}
    assert situation(*chariots, missed_turn="exchange").legal() == {("miss", "barred", 6)}


def test_in_a_bottleneck_nothing_but_sixes_may_be_played_six_4() -> None:
    rival: tuple[Space, int, list[int]] = ("b4", 1, [1])
    assert plays(situation(("n5", 1, [6, 6]), rival)) == {(6, "a3"), (6, "b3"), (6, "p3")}
    assert not plays(situation(("n5", 1, [6, 6]), rival, narrow_exception="none"))
    assert {card for card, _ in plays(situation(("n5", 1, [5, 6]), rival))} == {5}


def test_tied_leaders_with_only_sixes_may_play_if_they_cut_six_5() -> None:
    cutting: list[tuple[Space, int, list[int]]] = [("a6", 1, [6, 6]), ("b6", 1, [6])]
    apart: list[tuple[Space, int, list[int]]] = [("a2", 1, [6, 6]), ("b2", 1, [6])]
    assert plays(situation(*cutting))
    assert not plays(situation(*cutting, tied_exception="none"))
    assert not plays(situation(*apart))
    assert plays(situation(*apart, tied_exception="always"))
    assert not plays(situation(("a6", 1, [6]), ("b6", 1, [5, 6])))
    assert not plays(situation(("a6", 1, [6]), ("b6", 1, [])))


def test_once_one_is_home_or_one_is_left_sixes_are_free_six_6_six_7() -> None:
    race = situation(("a6", 1, [6]), ("a3", 3, [1]))
    race.status[1], race.position[1] = "home", None
    assert race.leaders() == set()
    assert plays(race)
    race.status[1] = "out"
    assert race.leaders() == {0}
    assert plays(race)


# ---- tribute ----

EXAMPLE: list[tuple[list[int], Space | None, set[Move]]] = [
    ([6, 6], None, {("play", 6, "a4"), ("play", 6, "n5")}),
    ([3, 6], "p2", {("miss", "waiting", 3), ("miss", "waiting", 6)}),
    ([1, 3, 6], "p2", {("play", 1, "n8")}),
    ([3, 6], None, {("play", 3, "p2")}),
    ([2, 6], None, {("play", 2, "p1")}),
]


@pytest.mark.parametrize(("hand", "rival", "legal"), EXAMPLE)
def test_the_duty_looks_at_the_hand_tri_3(hand: list[int], rival: Space | None, legal: set[Move]) -> None:
    race = situation(("a7", 2, hand), (rival or "a3", 3, [1]))
    assert race.legal() == legal


def test_only_the_second_lap_and_the_coin_make_a_chariot_wait_tri_3() -> None:
    race = situation(("n8", 1, [2]), ("p1", 1, [1]), ("a1", 1, [1]), ("b1", 1, [1]), missed_turn="keep")
    assert race.legal() == {("miss", "blocked", None)}
    race.crossings[0] = 2
    assert race.legal() == {("miss", "waiting", None)}
    race.position[2] = "a3"
    assert race.legal() == {("miss", "waiting", None)}
    race.coin[0] = False
    assert plays(race) == {(2, "a2"), (2, "b2")}


def test_a_crashed_chariot_is_a_wall_for_the_duty_tri_3() -> None:
    race = situation(("a7", 2, [3, 6]), ("p1", 3, [6]), ("a3", 3, [1]))
    race.status[1] = "crashed"
    assert (3, "a2") in plays(race)


def test_a_stop_pays_from_the_end_of_the_first_lap_to_that_of_the_second_tri_1() -> None:
    for crossings, pays in [(0, False), (1, True), (2, True), (3, False)]:
        race = situation(("n8", crossings, [2]), ("a3", 3, [1]), tribute="dishonour")
        race.apply(("play", 2, "p2"))
        assert race.coin[0] != pays
    race = situation(("n8", 1, [3]), ("a3", 3, [1]))
    race.apply(("play", 3, "p3"))
    assert (race.coin[0], race.crossings[0]) == (False, 2)


@pytest.mark.parametrize(("tribute", "disqualified"), [("required", True), ("dishonour", True), ("optional", False)])
def test_past_with_the_coin_is_disqualified_and_may_withdraw_tri_4(tribute: str, disqualified: bool) -> None:
    race = situation(("a7", 2, [6, 6]), ("a3", 3, [1]), tribute=tribute)
    race.apply(("play", 6, "a4"))
    assert race.disqualified[0] == disqualified
    race.turn = 0
    assert (("withdraw",) in race.legal()) == disqualified


def test_dishonour_and_optional_tribute_make_nobody_wait_tri_5() -> None:
    for tribute in ("dishonour", "optional"):
        race = situation(("a7", 2, [3]), ("p2", 3, [1]), tribute=tribute)
        assert plays(race) == {(3, "a2"), (3, "b2")}


# ---- the end ----


def test_the_disqualified_take_no_place_and_come_last_end_2_next_3() -> None:
    race = paid(situation(("a2", 3, [1]), ("b2", 3, [1]), ("a3", 2, [1]), ("b3", 2, [1])))
    race.coin[0] = race.disqualified[0] = True
    race.deck[2], race.deck[3] = [], []
    for move in [("play", 1, "home"), ("play", 1, "home"), ("play", 1, "a4"), ("play", 1, "b4")]:
        race.apply(move)
    assert race.turn is None
    assert (race.places(), race.laurels()) == ([1], [0, 6, 0, 0])
    assert race.arrivals() == [1, 3, 2, 0], "of equals, who left later is ahead"


def test_the_race_ends_when_only_the_disqualified_are_left_end_3() -> None:
    race = paid(situation(("a2", 3, [1]), ("a7", 3, [1])))
    race.disqualified[1] = True
    race.apply(("play", 1, "home"))
    assert (race.turn, race.status[1], race.arrivals()) == (None, "racing", [0, 1])


def test_of_equals_who_still_races_is_ahead_of_who_left_next_3() -> None:
    race = paid(situation(("a3", 2, [1]), ("b4", 2, [1]), ("a2", 3, [1]), ("a6", 3, [1])))
    race.disqualified = [True, True, False, False]
    race.deck[0], race.deck[3] = [], []
    for move in [("play", 1, "a4"), ("play", 1, "n5"), ("play", 1, "home"), ("play", 1, "a7")]:
        race.apply(move)
    race.position[1] = "b4"  # abreast again
    assert race.arrivals() == [2, 3, 1, 0]


def test_who_withdraws_a_turn_after_another_ran_out_left_later_next_3() -> None:
    race = paid(situation(("a3", 2, [1]), ("b4", 2, [1]), ("a2", 3, [1])))
    race.disqualified = [True, True, False]
    race.deck[0] = []
    for move in [("play", 1, "a4"), ("withdraw",), ("play", 1, "home")]:
        race.apply(move)
    assert race.arrivals() == [2, 1, 0]


def test_the_disqualified_home_stand_in_order_of_arrival_next_3() -> None:
    race = paid(situation(("a2", 3, [1]), ("b2", 3, [1]), ("a1", 3, [2])))
    race.disqualified = [True, True, False]
    for _ in range(3):
        race.apply(("play", race.hand[race.turn or 0][0], "home"))
    assert race.arrivals() == [2, 0, 1]


def test_first_home_places_the_others_by_remaining_distance_end_3() -> None:
    race = paid(
        situation(("a7", 2, [1]), ("a2", 3, [1]), ("b7", 2, [1]), ("a6", 3, [1]), turn=1, race_ends="first_home")
    )
    race.apply(("play", 1, "home"))
    assert race.places() == [1, 3, 2, 0], "equals follow in turn order after the winner"
    race = paid(situation(("a2", 3, [1]), ("a7", 3, [1]), race_ends="first_home"))
    race.disqualified[0] = True
    race.apply(("play", 1, "home"))
    assert race.turn == 1, "a disqualified chariot home ends nothing"


def stuck(**options: Any) -> RefereeRace:
    """A chariot shut in the alley behind a crashed one, and one that waits for its space: for ever."""
    race = situation(("p1", 3, [1]), ("p2", 1, [6]), ("n8", 2, [1]), **options)
    race._leave(1, "crashed")
    race.coin[0] = False
    return race


def test_a_round_of_kept_hands_lifts_the_ban_until_a_card_is_played_end_4() -> None:
    race = situation(("a6", 1, [6]), ("b6", 1, [6]), tied_exception="none")
    race.apply(("miss", "barred", None))
    assert not race.ban_lifted
    race.apply(("miss", "barred", None))
    assert race.ban_lifted
    race.apply(("play", 6, "p4"))
    assert not race.ban_lifted


def test_a_round_without_a_play_under_the_lifted_ban_ends_the_race_end_4() -> None:
    race = stuck(missed_turn="keep")
    for kind in ("blocked", "waiting", "blocked", "waiting"):
        race.apply(("miss", kind, None))
    assert (race.ending, race.laurels(), race.arrivals()) == ("stalled", [0, 0, 0], [0, 2, 1])


def test_exchanging_for_25_rounds_lifts_the_ban_too_end_4() -> None:
    race = stuck()
    for _ in range(25):
        assert not race.ban_lifted
        race.apply(("miss", "blocked", 1))
        race.apply(("miss", "waiting", 1))
    assert race.ban_lifted
    race.apply(("miss", "blocked", 1))
    race.apply(("miss", "waiting", 1))
    assert race.ending == "stalled"


def test_a_leader_with_only_sixes_crashes_even_in_a_bottleneck_cra_1() -> None:
    race = situation(("n5", 1, [6]), ("n8", 0, [1]), crash="yes")
    race.disqualified[0] = True
    assert race.legal() == {("crash",)}
    race.apply(("crash",))
    assert (race.position[0], race.status[0]) == ("n5", "crashed")
    assert (race.ending, race.laurels(), race.arrivals()) == ("crash_cut", [0, 0], [1, 0])


# ---- whole races ----

# What riderless chariots, teams and piles need has tests of its own; all other options, new ones too, are mixed here.
OF_OTHER_RACES = {"riderless", "riderless_moves", "chariots_each", "decks", "emperor_cards"}
ORDINARY = [option for option in KNOWN_VALUES if option not in OF_OTHER_RACES]


def check_the_table(race: RefereeRace, decks: list[list[int]], played: list[list[int]]) -> None:
    on_board = [space for space in race.position if space is not None]
    assert len(set(on_board)) == len(on_board)  # MOV-2
    for chariot, deck in enumerate(decks):
        assert Counter(race.hand[chariot] + race.deck[chariot] + played[chariot]) == Counter(deck)
        assert race.hand[chariot] == sorted(race.hand[chariot])
        assert (race.position[chariot] is None) == (race.status[chariot] in {"home", "out", "withdrawn"})
        assert not (race.disqualified[chariot] and not race.coin[chariot])


def random_race(facts: CourseFacts, rules: dict[str, Any], chariots: int, chance: random.Random) -> RefereeRace:
    decks = [chance.sample(DECK, len(DECK)) for _ in range(chariots)]
    played: list[list[int]] = [[] for _ in decks]
    race = RefereeRace(facts, rules, decks)
    while race.turn is not None:
        chariot = race.turn
        legal = race.legal()
        assert legal
        kinds = {move[0] for move in legal} - {"withdraw"}
        assert len(kinds) == 1, "one plays if one can, misses if not, or crashes"
        move = chance.choice(sorted(legal, key=str))
        race.apply(move)
        if move[0] == "play":
            assert isinstance(move[1], int)
            played[chariot].append(move[1])
        check_the_table(race, decks, played)
    return race


@pytest.mark.parametrize("facts", [TINY, WHITE], ids=["tiny", "white"])
def test_random_races_end_under_any_rules(facts: CourseFacts) -> None:
    chance = random.Random(1989)
    endings: Counter[str | None] = Counter()
    for _ in range(150):
        rules = RAVENSBURGER | {
            option: chance.choice(sorted(KNOWN_VALUES[option] - {"from_piles"}, key=str)) for option in ORDINARY
        }
        chariots = chance.randint(1, len(facts.grid))
        race = random_race(facts, rules, chariots, chance)
        endings[race.ending] += 1
        places, arrivals = race.places(), race.arrivals()
        assert sorted(arrivals) == list(range(chariots))
        assert arrivals[: len(places)] == places
        assert not any(race.disqualified[chariot] for chariot in places)
        assert sum(race.laurels()) == sum(RAVENSBURGER["laurels"][: len(places)])
    assert endings["finished"] > 50
    assert endings["crash_cut"] > 0


def test_an_unchecked_race_is_the_same_race() -> None:
    chance = random.Random(3)
    decks = [chance.sample(DECK, len(DECK)) for _ in range(4)]
    checked, unchecked = (RefereeRace(WHITE, RAVENSBURGER, decks, checked=checked) for checked in (True, False))
    while checked.turn is not None:
        move = chance.choice(sorted(checked.legal(), key=str))
        checked.apply(move)
        unchecked.apply(move)
    assert unchecked.turn is None
    assert unchecked.arrivals() == checked.arrivals()
    with pytest.raises(AssertionError, match="is not among"):
        RefereeRace(WHITE, RAVENSBURGER, decks).apply(("play", 1, "Na1"))


# ---- the tournament ----


def test_the_highest_card_takes_place_one_and_ties_go_on_set_2() -> None:
    order, rounds = first_grid_high_card([[5, 1], [6], [2, 2], [6]], lambda player: [player])
    assert order == [3, 0, 1, 2]
    assert rounds == [{0: 5, 1: 6, 2: 2, 3: 6}, {1: 1, 3: 3}]


def test_the_next_grid_next_2() -> None:
    assert next_grid("last_then_seats", [0, 1, 2, 3], [3, 2, 0, 1]) == [1, 2, 3, 0]
    assert next_grid("reverse_arrival", [0, 1, 2, 3], [3, 2, 0, 1]) == [1, 0, 2, 3]
    assert next_grid("arrival", [0, 1, 2, 3], [3, 2, 0, 1]) == [3, 2, 0, 1]


def test_the_schedules_next_1() -> None:
    by_table = [
        ("white", "clockwise"),
        ("blue", "clockwise"),
        ("white", "anticlockwise"),
        ("blue", "anticlockwise"),
    ]
    assert schedule("by_table", 5, 4) == [*by_table, by_table[0]]
    assert (
        schedule("by_table", 2, 4, side="B")
        == schedule("by_table", 2, 5)
        == [("yellow", "clockwise"), ("red", "clockwise")]
    )
    with pytest.raises(AssertionError, match="leaves the side to choose"):
        schedule("by_table", 2, 4, courses=["blue", "white"])
    older = schedule("by_table", 2, 4, courses=["blue", "white"], by_table_courses="any")
    assert [course for course, _ in older] == ["blue", "white"]
    assert [course for course, _ in schedule("both_sides", 4, 6)] == ["white", "yellow", "white", "yellow"]
    assert [course for course, _ in schedule("both_sides", 2, 3, courses=["red", "blue"])] == ["red", "blue"]
    assert [direction for _, direction in schedule("one_course", 4, 3)] == ["clockwise"] * 2 + ["anticlockwise"] * 2
    assert schedule("one_course", 1, 3, courses=["blue"]) == [("blue", "clockwise")]


def test_ties_go_to_more_wins_then_more_second_places_next_4() -> None:
    races: list[dict[int, tuple[int, int | None]]] = [
        {0: (6, 1), 1: (4, 2), 2: (3, 3), 3: (0, None)},
        {0: (0, 6), 1: (2, 4), 2: (3, 3), 3: (0, None)},
    ]
    assert standings(races) == [[0], [1], [2], [3]]
    assert standings([{0: (6, 1), 1: (4, 2)}, {0: (4, 2), 1: (6, 1)}]) == [[0, 1]]
