"""The referee checked by hand on riderless chariots: the grid, their turns, the six, how they move (NPC)."""

from typing import Any

import pytest

from referee_situations import DECK, MISS, RAVENSBURGER, TINY, WHITE, export, extra, fill, paid, plays, situation

from .race import KNOWN_VALUES, CourseFacts, Move, RefereeRace, Space
from .tournament import riderless_count, whole_grid

# ---- riderless chariots: the grid ----


def test_they_stand_in_the_last_or_the_first_places_npc_1_npc_2() -> None:
    for kind, places, coin in [("extra", [2, 3], False), ("fill", [0, 1], True), ("fill_no_tribute", [0, 1], False)]:
        race = RefereeRace(TINY, RAVENSBURGER | {"riderless": kind}, [DECK] * 4, riderless=2)
        assert [chariot for chariot in range(4) if race.is_riderless[chariot]] == places
        assert [race.coin[chariot] for chariot in places] == [coin, coin]
        drivers = [chariot for chariot in range(4) if chariot not in places]
        assert [race.player[chariot] for chariot in drivers] == [0, 1]
        assert [race.player[chariot] for chariot in places] == [None, None]
        assert all(race.coin[chariot] and len(race.hand[chariot]) == 3 for chariot in drivers)
        assert all(not race.hand[chariot] for chariot in places if chariot != race.turn), "they have no hand"
        assert (race.turn, race.phase, race.voting) == (0, "turn", None)
    assert (len(race.hand[0]), len(race.deck[0])) == (1, 23), "place I has drawn its card"


def test_how_many_there_are_npc_1_npc_2() -> None:
    assert riderless_count("none", 0, 3, "A") == 0
    assert riderless_count("extra", 2, 3, "A") == 2
    for kind in ("fill", "fill_no_tribute"):
        assert [riderless_count(kind, 0, drivers, "A") for drivers in (1, 3, 4, 6)] == [3, 1, 0, 0]
        assert [riderless_count(kind, 0, drivers, "B") for drivers in (1, 5, 6)] == [5, 1, 0]
    assert whole_grid("extra", [2, 0, 1], 2) == [2, 0, 1, None, None]
    assert whole_grid("fill", [2, 0, 1], 1) == [None, 2, 0, 1]


def test_a_board_without_a_side_is_b_if_its_alley_adds_two() -> None:
    assert (TINY.side_if_unmarked(), WHITE.side_if_unmarked()) == ("A", "A")
    steps: dict[Space, list[Space]] = {"n": ["a", "p"], "a": ["m"], "p": ["q"], "q": ["r"], "r": ["m"], "m": ["n"]}
    line: set[tuple[Space, Space]] = {("a", "m"), ("q", "r")}
    for space in range(6):  # a lap longer than any card
        steps[space] = [space + 1] if space < 5 else ["n"]
    steps["m"] = [0]
    assert CourseFacts(export(["a"], steps, {"p", "q", "r"}, line)).side_if_unmarked() == "B"


def test_nonsense_is_refused() -> None:
    refused: list[tuple[dict[str, Any], list[Any], int]] = [
        ({"riderless": "none"}, [DECK] * 3, 1),
        ({}, [DECK] * 2, 2),
        ({"chariots_each": 2}, [DECK] * 3, 0),
        ({"chariots_each": 2}, [DECK] * 2, 0),
        ({"draw": "from_piles"}, [None] * 3, 0),
        ({"draw": "from_piles", "hand": 2}, [DECK] * 3, 0),
        ({"decks": "choice"}, [DECK] * 3, 0),
        ({"draw": "from_piles", "hand": 2, "emperor_cards": "by_side"}, [None] * 3, 0),
        ({"draw": "from_piles", "hand": 2}, [None] * 3, 1),
        ({}, [DECK, None, DECK], 0),
    ]
    for options, decks, riderless in refused:
        with pytest.raises(AssertionError):
            RefereeRace(TINY, RAVENSBURGER | options, decks, riderless=riderless)


# ---- riderless chariots: a turn of `extra` ----


def test_its_card_is_drawn_when_its_turn_begins_npc_1() -> None:
    race = extra(("a3", 1, [1]), ("a6", 0, []))
    race.deck[1] = [4, 2]
    race.apply(("play", 1, "a4"))
    assert (race.turn, race.phase, race.hand[1], race.deck[1]) == (1, "turn", [4], [2])
    assert race.legal() == {("play", 4, "a2")}
    race.apply(("play", 4, "a2"))
    assert (race.turn, race.hand[1], race.deck[1], race.position[1]) == (0, [], [2], "a2")


def test_a_card_that_cannot_be_used_is_thrown_away_npc_1_end_4() -> None:
    race = extra(("a7", 1, [1]), ("b7", 1, [1]), ("n5", 1, []), turn=2)
    race.deck[2] = [2, 3]
    race.kept = race.idle = 1
    race._begin_turn(2)
    assert race.legal() == {MISS}
    race.apply(MISS)
    assert (race.hand[2], race.deck[2], race.status[2]) == ([], [3], "racing")
    assert (race.kept, race.idle) == (0, 2), "as if a card had been exchanged"


def test_with_no_free_space_to_step_to_it_draws_none_npc_1_end_4() -> None:
    race = extra(("a6", 1, [1]), ("b6", 1, [1]), ("n5", 1, []), turn=2)
    race.deck[2] = [2, 3]
    race._begin_turn(2)
    assert (race.hand[2], race.deck[2], race.legal()) == ([], [2, 3], {MISS})
    race.apply(MISS)
    assert (race.deck[2], race.kept, race.idle) == ([2, 3], 1, 1)
    for crossings, card in [(3, [1]), (2, [])]:  # a fourth crossing of the line is free
        race = paid(extra(("a3", 1, [1]), ("b3", 1, [1]), ("a2", crossings, []), turn=2))
        race._begin_turn(2)
        assert race.hand[2] == card
    race.crossings[2] = 3
    race._begin_turn(2)
    assert race.legal() == {("play", 1, "home")}


def test_a_barred_six_lies_open_and_is_tried_again_npc_1() -> None:
    race = extra(("n8", 0, [1]), ("a6", 1, []), turn=1)
    race.deck[1] = [6, 2]
    race._begin_turn(1)
    barred: Move = ("miss", "barred", None)
    assert race.legal() == {barred}
    race.apply(barred)
    assert (race.hand[1], race.deck[1], race.kept) == ([6], [2], 1)
    race.apply(("play", 1, "a1"))
    assert (race.turn, race.hand[1], race.deck[1], race.legal()) == (1, [6], [2], {barred})
    race.position[0], race.crossings[0] = "b7", 1
    assert race.legal() == {("play", 6, "a4")}, "no leader any more"
    race.position[0] = "b4"
    assert race.legal() == {barred}
    race.ban_lifted = True
    assert race.legal() == {("play", 6, "a4")}, "END-4"


def test_an_open_six_that_is_not_barred_any_more_is_thrown_away_if_it_cannot_be_used_npc_1() -> None:
    race = extra(("n8", 0, [1]), ("a7", 1, [1]), ("b7", 1, [1]), ("n5", 1, [6]), turn=3)
    assert race.legal() == {MISS}
    race.apply(MISS)
    assert (race.hand[3], race.deck[3]) == ([], [1, 1, 1, 1])


def test_barred_goes_before_blocked_npc_1() -> None:
    race = extra(("n8", 0, [1]), ("a7", 0, [1]), ("b7", 0, [1]), ("a6", 1, [6]), turn=3)
    assert race.legal() == {("miss", "barred", None)}


def test_it_is_out_when_its_deck_is_used_up_npc_1() -> None:
    race = extra(("a7", 1, [1]), ("b7", 1, [1]), ("n5", 1, [2]), turn=2)
    race.deck[2] = []
    race.apply(MISS)
    assert (race.status[2], race.position[2]) == ("out", None)
    race = extra(("n8", 0, [1]), ("a6", 1, [6]), turn=1)
    race.deck[1] = []
    race.apply(("miss", "barred", None))
    assert race.status[1] == "racing", "its open six is a card"


def test_extra_ones_owe_no_tribute_npc_1() -> None:
    race = extra(("a3", 3, [1]), ("n8", 2, [2]), turn=1)
    assert race.legal() == {("play", 2, "a2")}
    race.apply(("play", 2, "a2"))
    assert not race.disqualified[1]
    race = extra(("a3", 3, [1]), ("n8", 1, [2]), turn=1)
    assert race.legal() == {("play", 2, "a2")}, "no stop in the alley either"


def test_extra_ones_take_no_place_and_end_no_race_npc_1_npc_4_end_3() -> None:
    for race_ends in ("all_home", "first_home"):
        race = paid(extra(("a6", 3, [6]), ("b7", 3, [1]), ("a2", 3, [1]), turn=2, race_ends=race_ends))
        assert race.legal() == {("play", 1, "home")}
        race.apply(("play", 1, "home"))
        assert (race.turn, race.leaders()) == (0, set()), "but the sixes are free (SIX-6)"
        race.apply(("play", 6, "home"))
        if race_ends == "all_home":
            race.apply(("play", 1, "n8"))
            race._leave(1, "out")
            race._end_turn(0)
        assert race.turn is None
        assert (race.arrivals(), race.laurels()[0]) == ([0, 1], 6)
        assert race.places() == ([0] if race_ends == "all_home" else [0, 1])


def test_only_drivers_chariots_are_waited_for_end_3() -> None:
    race = paid(extra(("a2", 3, [1]), ("a6", 3, [])))
    race.apply(("play", 1, "home"))
    assert (race.turn, race.phase, race.status[1], race.hand[1]) == (None, None, "racing", [])
    assert (race.places(), race.arrivals(), race.laurels()) == ([0], [0], [6, 0])


def test_at_the_end_of_a_round_riderless_ones_draw_nothing_mov_1() -> None:
    race = extra(("a3", 1, [1]), ("n8", 0, []), draw="end_of_round")
    race.apply(("play", 1, "a4"))
    assert (race.hand[0], race.turn) == ([], 1), "the round ends with the last racing chariot, riderless or not"
    race.apply(("play", 1, "a1"))
    assert (race.hand, race.deck[1]) == ([[1, 1, 1], []], [1, 1, 1])


# ---- riderless chariots: a turn of `fill` ----


def test_a_card_they_cannot_use_goes_under_the_deck_npc_2_end_4() -> None:
    cases: list[tuple[list[tuple[Space, int, list[int]]], Move]] = [
        ([("n5", 1, [2]), ("a7", 1, [1]), ("b7", 1, [1])], ("miss", "blocked", 2)),
        ([("a6", 1, [6]), ("n8", 0, [1])], ("miss", "barred", 6)),
        ([("a7", 2, [3]), ("p2", 3, [1])], ("miss", "waiting", 3)),
    ]
    for chariots, move in cases:
        for missed_turn in KNOWN_VALUES["missed_turn"]:
            race = fill(*chariots, missed_turn=missed_turn)
            race.kept = race.idle = 1
            assert race.legal() == {move}
            race.apply(move)
            assert (race.hand[0], race.deck[0]) == ([], [1, 1, 1, 1, move[2]])
            assert (race.kept, race.idle) == (0, 2)


def test_they_always_draw_even_if_shut_in_npc_2() -> None:
    race = fill(("n5", 1, []), ("a6", 1, [1]), ("b6", 1, [1]))
    race._begin_turn(0)
    assert (race.hand[0], race.deck[0], race.legal()) == ([1], [1, 1, 1], {("miss", "blocked", 1)})


def test_a_last_card_under_the_deck_is_still_a_card_npc_2() -> None:
    race = fill(("n5", 1, [2]), ("a7", 1, [1]), ("b7", 1, [1]))
    race.deck[0] = []
    race.apply(("miss", "blocked", 2))
    assert (race.status[0], race.deck[0]) == ("racing", [2])
    race = fill(("n5", 1, [2]), ("a3", 1, [1]))
    race.deck[0] = []
    race.apply(("play", 2, "a7"))
    assert (race.status[0], race.position[0]) == ("out", None)


@pytest.mark.parametrize(
    ("kind", "crossings", "coin", "card", "to"),
    [
        ("fill", 1, True, 1, "p1"),
        ("fill", 1, True, 2, "p2"),
        ("fill", 1, True, 3, "p3"),
        ("fill", 1, True, 4, "p4"),
        ("fill", 1, True, 5, "n5"),
        ("fill", 1, False, 2, "a2"),
        ("fill", 0, True, 2, "a2"),
        ("fill", 0, True, 3, "a3"),  # p3 on its first lap pays nothing
        ("fill", 2, True, 2, "p2"),  # TRI-3
        ("fill", 2, True, 5, "n5"),  # TRI-4
        ("fill_no_tribute", 1, False, 2, "a2"),
        ("fill_no_tribute", 2, False, 2, "a2"),
    ],
)
def test_they_stop_in_the_alley_on_their_first_lap_npc_2_npc_3(
    kind: str, crossings: int, coin: bool, card: int, to: Space
) -> None:
    race = fill(("n8", crossings, [card]), ("a7", 3, [1]), kind=kind)
    race.coin[0] = coin
    assert race.legal() == {("play", card, to)}
    race.apply(("play", card, to))
    assert race.disqualified[0] == (crossings == 2 and card == 5)
    assert race.coin[0] == (coin and to in {"a2", "a3", "n5"})


def test_where_nobody_waits_they_go_past_on_the_second_lap_tri_5() -> None:
    race = fill(("n8", 2, [2]), ("a7", 3, [1]), tribute="dishonour")
    assert race.legal() == {("play", 2, "a2")}
    race.apply(("play", 2, "a2"))
    assert race.disqualified[0]


def test_disqualified_they_race_on_and_never_withdraw_tri_4() -> None:
    race = fill(("a3", 3, [1]), ("a7", 3, [1]))
    race.disqualified[0] = True
    assert race.legal() == {("play", 1, "a4")}
    race = paid(fill(("a2", 3, [1]), ("a7", 3, [1]), race_ends="first_home"))
    race.disqualified[0] = True
    race.apply(("play", 1, "home"))
    assert race.turn == 1, "and disqualified they end no race"
    race.apply(("play", 1, "n8"))
    for card in (2, 1):
        race.hand[1] = [card]
        race.apply(("play", card, "a2" if card == 2 else "home"))
    assert (race.places(), race.arrivals(), race.laurels()) == ([1], [1], [0, 6])


def test_they_take_a_place_without_scoring_npc_2() -> None:
    race = paid(fill(("a2", 3, [1]), ("b2", 3, [1]), ("a1", 3, [2])))
    for card in (1, 1, 2):
        race.apply(("play", card, "home"))
    assert (race.places(), race.arrivals(), race.laurels()) == ([0, 1, 2], [0, 1, 2], [0, 4, 3])


def test_without_a_place_they_are_not_in_the_order_of_arrival_next_3() -> None:
    race = paid(fill(("a3", 1, [1]), ("b2", 3, [1]), ("a3", 2, [1])))
    race.deck[2] = []
    for move in [("play", 1, "a4"), ("play", 1, "home"), ("play", 1, "b4")]:
        race.apply(move)
    assert (race.turn, race.places(), race.arrivals()) == (None, [1], [1, 2])


@pytest.mark.parametrize("kind", ["fill", "fill_no_tribute"])
def test_one_home_ends_a_race_of_first_home_npc_4(kind: str) -> None:
    chariots: list[tuple[Space, int, list[int]]] = [("a2", 3, [1]), ("a7", 2, [1]), ("b7", 2, [1]), ("a6", 3, [1])]
    race = paid(situation(*chariots, without_driver=2, riderless=kind, race_ends="first_home"))
    race.apply(("play", 1, "home"))
    assert race.turn is None
    assert race.places() == race.arrivals() == [0, 3, 1, 2], "the riderless one still racing among them"
    assert race.laurels() == [0, 0, 2, 4]


def test_they_never_end_a_move_in_the_alley_aus_5() -> None:
    race = fill(("n8", 1, [1]), ("a1", 0, [1]), ("b1", 0, [1]), kind="fill_no_tribute")
    assert race.legal() == {("miss", "blocked", 1)}
    race.hand[0] = [5]
    assert race.legal() == {("play", 5, "a4")}, "but they may drive through"


def test_they_never_crash_cra_1() -> None:
    race = fill(("a6", 1, [6]), ("n8", 0, [6]), crash="yes")
    assert race.legal() == {("miss", "barred", 6)}


# ---- riderless chariots: the six ----


def test_in_a_bottleneck_its_six_is_played_six_4() -> None:
    assert fill(("n5", 1, [6]), ("b4", 1, [1])).legal() == {("play", 6, "p3")}
    assert extra(("b4", 1, [1]), ("n5", 1, [6]), turn=1).legal() == {("play", 6, "a3")}
    assert fill(("n5", 1, [6]), ("b4", 1, [1]), narrow_exception="none").legal() == {("miss", "barred", 6)}


@pytest.mark.parametrize(
    ("kind", "card", "deck", "only_sixes"),
    [
        ("extra", [6], [1, 1], True),
        ("extra", [], [6, 6], False),
        ("fill", [], [6, 6], True),
        ("fill", [], [6, 1], False),
        ("fill_no_tribute", [], [6], True),
    ],
)
def test_when_a_riderless_leader_holds_only_sixes_npc_4(
    kind: str, card: list[int], deck: list[int], only_sixes: bool
) -> None:
    riderless: tuple[Space, int, list[int]] = ("b6", 1, card)
    driver: tuple[Space, int, list[int]] = ("a6", 1, [6, 6])
    if kind == "extra":
        race, it, he = extra(driver, riderless), 1, 0
    else:
        race, it, he = fill(riderless, driver, turn=1, kind=kind), 0, 1
    race.deck[it] = deck
    assert race.turn == he
    assert bool(plays(race)) == only_sixes


def test_on_its_own_turn_the_whole_deck_counts_for_the_tie_npc_4() -> None:
    for deck, may in [([6], True), ([], True), ([6, 1], False)]:
        race = fill(("b6", 1, [6]), ("a6", 1, [6]))
        race.deck[0] = deck
        assert bool(plays(race)) == may
    assert plays(extra(("a6", 1, [6]), ("b6", 1, [6]), turn=1)), "extra: the open card alone"


def test_the_very_first_turn_may_be_a_riderless_ones_six_2() -> None:
    decks = [[6, 1], [6, 6, 6]]
    race = RefereeRace(TINY, RAVENSBURGER | {"riderless": "fill"}, decks, riderless=1)
    assert race.legal() == {("play", 6, "n8")}
    race.apply(("play", 6, "n8"))
    assert race.turn == 1


# ---- riderless chariots: how they move ----


def walled() -> CourseFacts:
    """The tiny course with a wall: from b1 one can only go on to b2."""
    steps: dict[Space, list[Space]] = {space: [to for to, _ in ahead] for space, ahead in TINY.steps.items()}
    steps["b1"] = ["b2"]
    line = {(space, to) for space, ahead in TINY.steps.items() for to, crosses in ahead if crosses}
    return CourseFacts(export(TINY.grid, steps, TINY.alley, line))


def test_least_remaining_distance_counts_first_npc_3() -> None:
    race = extra(("n8", 1, [1]), ("n8", 1, [2]), turn=1)
    race.position[0] = "p1"  # the alley is shut, and the lanes are shorter anyway
    assert race.legal() == {("play", 2, "a2")}
    race = extra(("a7", 3, [1]), ("n8", 3, [3]), turn=1)
    assert race.legal() == {("play", 3, "home")}, "home is nearest of all"


@pytest.mark.parametrize(
    ("driver", "crossings", "status", "to"),
    [
        ("b1", 2, "racing", "b2"),
        ("b1", 2, "out", "a2"),  # does not race
        ("b1", 1, "racing", "a2"),  # a lap behind: it has both ways
        ("b1", 3, "racing", "a2"),  # a lap ahead
        ("b2", 2, "racing", "a2"),  # there already: and then only one destination is left
        ("n8", 2, "racing", "a2"),  # both ways
    ],
)
def test_then_it_hinders_most_drivers_behind_it_npc_3(driver: Space, crossings: int, status: str, to: Space) -> None:
    race = paid(extra((driver, crossings, [1]), ("n8", 0, [1]), ("a1", 2, [1]), turn=2))
    race.facts = walled()
    race.status[0] = status
    assert race.legal() == {("play", 1, to)}


def test_riderless_chariots_hinder_only_drivers_npc_3() -> None:
    race = situation(("n8", 0, [1]), ("b1", 2, []), ("a1", 2, [1]), turn=2, without_driver=2)
    race.facts = walled()
    assert race.legal() == {("play", 1, "a2")}


def test_shortest_ways_home_npc_3() -> None:
    facts = walled()
    home = ("home", 4)
    assert facts.shortest_ways_home("b1", 3) == {("b2", 3), home}
    assert facts.shortest_ways_home("a1", 3) == {("a2", 3), ("b2", 3), home}
    assert ("p1", 2) not in facts.shortest_ways_home("a7", 2)
    assert ("p1", 3) in facts.shortest_ways_home("a7", 3), "the line itself is as near by the alley"
    assert ("a6", 0) not in facts.shortest_ways_home("a6", 0), "at least one step"
