"""The referee checked by hand on riderless chariots (NPC), teams (TEAM) and the Ausgebremst adaptation (AUS)."""

import math
import random
from collections import Counter
from typing import Any

import pytest

from .piles import DECKS, Piles, cards_of, sortings
from .race import KNOWN_VALUES, CourseFacts, Move, RefereeRace, Space
from .riderless import by_vote
from .situations import DECK, RAVENSBURGER, TINY, WHITE, export, paid, plays, situation
from .tournament import first_grid_high_card, first_grid_random, next_grid, riderless_count, standings, whole_grid

MISS: Move = ("miss", "blocked", None)


def extra(*chariots: tuple[Space, int, list[int]], **options: Any) -> RefereeRace:
    """A situation with one riderless chariot of NPC-1, the last."""
    return situation(*chariots, without_driver=1, **options)


def fill(*chariots: tuple[Space, int, list[int]], kind: str = "fill", **options: Any) -> RefereeRace:
    """A situation with one riderless chariot of NPC-2 or AUS-5, the first."""
    return situation(*chariots, without_driver=1, riderless=kind, **options)


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


# ---- riderless chariots: votes ----


def vote_race(*options: tuple[str, Any]) -> RefereeRace:
    """Place I riderless, with its first card a 1: a3 or b3; then drivers 25, 26 and 26 from home."""
    rules = RAVENSBURGER | {"riderless": "fill", "riderless_moves": "vote"} | dict(options)
    return RefereeRace(TINY, rules, [[1] * 24, DECK, DECK, DECK], riderless=1)


@pytest.mark.parametrize(
    ("votes", "decided"),
    [
        (["b3", "b3", "a3"], "b3"),  # most votes
        (["b3", None, None], "b3"),
        (["b3", "a3", None], "a3"),  # a tie: of those at 25 and 26 the second is further from home
        (["a3", "b3", None], "b3"),
        ([None, "a3", "b3"], "b3"),  # both at 26: the later
        ([None, "b3", "a3"], "a3"),
        ([None, None, None], "a3"),  # by rule
    ],
)
def test_most_votes_decide_npc_3(votes: list[Space | None], decided: Space) -> None:
    race = vote_race()
    for voter, vote in enumerate(votes, start=1):
        assert (race.turn, race.phase, race.voting) == (voter, "vote", 0)
        assert race.legal() == {("vote", 1, "a3"), ("vote", 1, "b3"), ("vote", None, None)}
        race.apply(("vote", 1, vote) if vote else ("vote", None, None))
    assert (race.turn, race.phase, race.voting, race.turns_taken) == (0, "turn", None, 0)
    assert race.legal() == {("play", 1, decided)}
    race.apply(("play", 1, decided))
    assert (race.turn, race.position[0], race.turns_taken) == (1, decided, 1)


def test_without_a_choice_there_is_no_vote_npc_3() -> None:
    race = vote_race()
    for to in ("b3", "b3", None):
        race.apply(("vote", 1, to) if to else ("vote", None, None))
    race.apply(("play", 1, "b3"))
    race.position[1] = "a4"
    race._begin_turn(0)
    assert (race.turn, race.phase, race.voting) == (0, "turn", None)
    assert race.legal() == {("play", 1, "b4")}
    race.position[2] = "b4"
    race._begin_turn(0)
    assert (race.phase, race.voting, race.legal()) == ("turn", None, {("miss", "blocked", 1)})


def test_a_vote_is_not_bound_to_stop_in_the_alley_on_the_first_lap_npc_3() -> None:
    race = fill(("n8", 1, []), ("a3", 1, [1]), riderless_moves="vote")
    race._begin_turn(0)
    assert race.legal() == {("vote", None, None), *(("vote", 1, to) for to in ("a1", "b1", "p1"))}
    race.apply(("vote", None, None))
    assert race.legal() == {("play", 1, "p1")}, "but the rule is"


def test_who_is_home_or_out_votes_too_and_counts_as_nearest_npc_3() -> None:
    race = fill(("a3", 1, []), ("a7", 3, [1]), ("b2", 1, [1]), ("b1", 1, [1]), riderless_moves="vote")
    race._leave(3, "out")
    race._begin_turn(0)
    for place in ("b4", "a4", "a4"):
        race.apply(("vote", 1, place))
    assert race.legal() == {("play", 1, "a4")}
    race._begin_turn(0)
    for to in ("b4", None, "a4"):
        race.apply(("vote", 1, to) if to else ("vote", None, None))
    assert race.legal() == {("play", 1, "b4")}
    assert by_vote(["x", "y"], [-math.inf, -math.inf]) == "y"


def test_a_stalled_count_does_not_see_votes_npc_3() -> None:
    chariots: list[tuple[Space, int, list[int]]] = [("n5", 1, [2]), ("a6", 1, [1]), ("b6", 1, [1]), ("a3", 1, [])]
    race = extra(*chariots, riderless_moves="vote", missed_turn="keep")
    race.apply(MISS)
    assert (race.kept, race.turn) == (1, 1)
    race._begin_turn(3)
    assert race.phase == "vote"
    for _ in range(3):
        race.apply(("vote", None, None))
    assert (race.kept, race.turns_taken) == (1, 2)


def test_a_barred_or_waiting_card_is_not_voted_on_npc_3() -> None:
    race = extra(("n8", 0, [1]), ("a6", 1, [6]), riderless_moves="vote", turn=1)
    race._begin_turn(1)
    assert (race.phase, race.legal()) == ("turn", {("miss", "barred", None)})
    race = fill(("a7", 2, []), ("a3", 3, [1]), riderless_moves="vote")
    race.deck[0] = [3]
    race._begin_turn(0)
    assert (race.phase, race.legal()) == ("turn", {("play", 3, "p2")}), "TRI-3 leaves it one destination"


# ---- teams ----


def test_players_alternate_on_the_grid_team_1() -> None:
    rules = RAVENSBURGER | {"chariots_each": 2}
    assert RefereeRace(TINY, rules, [DECK] * 4).player == [0, 1, 0, 1]
    assert RefereeRace(WHITE, rules, [DECK] * 6).player == [0, 1, 2, 0, 1, 2]
    assert RefereeRace(WHITE, rules | {"chariots_each": 3}, [DECK] * 6).player == [0, 1, 0, 1, 0, 1]
    assert RefereeRace(WHITE, rules, [DECK] * 5, riderless=1).player == [0, 1, 0, 1, None]
    race = RefereeRace(WHITE, rules | {"riderless": "fill"}, [DECK] * 6, riderless=2)
    assert race.player == [None, None, 0, 1, 0, 1]


def test_each_player_has_one_vote_that_counts_by_his_best_chariot_team_1_npc_3() -> None:
    rules = RAVENSBURGER | {"chariots_each": 2, "riderless_moves": "vote"}
    race = RefereeRace(WHITE, rules, [DECK] * 4 + [[1] * 24], riderless=1)
    # remaining distances: player 0 near and far, player 1 in the middle twice
    for chariot, (space, crossings) in enumerate([("Ma1", 3), ("Na1", 2), ("Na1", 1), ("Pa1", 2), ("S4b1", 0)]):
        race.position[chariot], race.crossings[chariot] = space, crossings
    race._begin_turn(4)
    one, other = sorted(str(move[2]) for move in race.legal() if move[2])[:2]
    assert (race.turn, race.voting) == (0, 4)
    race.apply(("vote", 1, one))
    assert (race.turn, race.voting) == (1, 4)
    race.apply(("vote", 1, other))
    assert (race.turn, race.legal()) == (4, {("play", 1, other)})
    race._leave(0, "out")
    race._begin_turn(4)
    race.apply(("vote", 1, one))
    race.apply(("vote", 1, other))
    assert race.legal() == {("play", 1, one)}, "his best racing chariot is now the far one"


def test_the_first_grid_with_teams_team_1_set_2() -> None:
    order, rounds = first_grid_high_card([[5, 1], [6], [6]], lambda seat: [seat], chariots_each=2)
    assert (order, rounds[1]) == ([2, 3, 4, 5, 0, 1], {1: 1, 2: 2})
    assert [seat % 3 for seat in order] == [2, 0, 1, 2, 0, 1]
    assert first_grid_random([2, 0, 1], chariots_each=2) == [2, 0, 1, 5, 3, 4]
    assert first_grid_random([1, 0, 2]) == [1, 0, 2]


def test_the_next_grid_with_teams_and_riderless_ones_team_1_next_2() -> None:
    seating = [0, 1, 2, 3, 4, 5]  # A1 B1 C1 A2 B2 C2
    arrivals = [3, 0, 1, 5, 4, 2]
    assert next_grid("last_then_seats", seating, arrivals, players=3) == [2, 3, 4, 5, 0, 1]
    assert next_grid("arrival", seating, arrivals, players=3) == [3, 1, 5, 0, 4, 2]
    assert next_grid("reverse_arrival", seating, arrivals, players=3) == [2, 4, 0, 5, 1, 3]
    assert next_grid("arrival", seating, arrivals) == arrivals
    assert next_grid("last_then_seats", [0, 1, 2], [2, 0, 1, None]) == [1, 2, 0]
    assert next_grid("reverse_arrival", [0, 1, 2], [None, 2, 0, 1]) == [1, 0, 2]


def test_laurels_and_places_add_up_by_player_team_1_next_4() -> None:
    race: dict[int, tuple[int, int | None]] = {0: (6, 1), 1: (4, 2), 2: (0, None), 3: (2, 4)}
    assert standings([race]) == [[0], [1], [3], [2]]
    assert standings([race], players=2) == [[0], [1]], "six laurels each, but player 0 has a win"
    assert standings([race, {0: (4, 2), 1: (6, 1), 2: (2, 4), 3: (0, None)}], players=2) == [[0, 1]]


# ---- Ausgebremst: before the first turn ----

AUSGEBREMST: dict[str, Any] = RAVENSBURGER | {
    "hand": 2,
    "draw": "from_piles",
    "missed_turn": "keep",
    "tribute": "optional",
    "next_grid": "arrival",
    "laurels": (9, 6, 4, 3, 2, 1),
    "riderless": "fill_no_tribute",
    "decks": "choice",
    "emperor_cards": "by_side",
}


def test_every_deck_has_84_points_aus_1() -> None:
    assert [sum(value * count for value, count in deck.items()) for deck in DECKS.values()] == [84, 84, 84]
    assert [sum(deck.values()) for deck in DECKS.values()] == [24, 20, 18]


def test_the_sortings_aus_3() -> None:
    # Six values: two in each pile and none split. Five: one of them alone in a pile (3 * 5 * 6), or one split in
    # two over a pair of piles (3 pairs, count - 1 ways), the others in the four places left (12 ways).
    for deck, put_aside, count in [
        ("slow", [3], 90),
        ("slow", [4, 3], 90),
        ("average", [3], 90 + 36 * (4 + 3 + 3 + 2 + 2)),
        ("average", [4, 3], 90 + 36 * (4 + 3 + 2 + 2 + 2)),
        ("fast", [3], 90 + 36 * (6 + 3 + 2 + 0 + 1)),
        ("fast", [4, 3], 90 + 36 * (6 + 3 + 1 + 0 + 1)),
    ]:
        cards = cards_of(deck, put_aside)
        found = sortings(cards)
        assert len(found) == count
        for piles in found:
            assert sorted(card for pile in piles for card in pile) == list(cards)
            assert all(list(pile) == sorted(pile) and 1 <= len(set(pile)) <= 2 for pile in piles)
    assert sortings((1, 1, 2)) == {
        ((1,), (1,), (2,)), ((1,), (2,), (1,)), ((2,), (1,), (1,)),
    }  # fmt: skip
    assert ((1, 2), (1,), (1, 2)) in sortings((1, 1, 1, 2, 2)), "a value may be split over piles"
    assert sortings((1, 1)) == frozenset(), "none may be empty"


def shuffled(cards: list[int]) -> tuple[int, ...]:
    return tuple(random.Random(7).sample(cards, len(cards)))


def prepared(side: str = "A", chariots: int = 2, **options: Any) -> RefereeRace:
    """A race of slow decks, low cards in pile 0, high ones in pile 2, all hands drawn from pile 1."""
    rules = AUSGEBREMST | {"decks": "standard"} | options
    race = RefereeRace(TINY, rules, [None] * chariots, side=side)
    while race.phase == "sort":
        cards = list(cards_of("slow", race.emperor[race.turn or 0]))
        piles = tuple(tuple(card for card in cards if card in pair) for pair in ((1, 2), (3, 4), (5, 6)))
        race.apply(("sort", piles))
    while race.phase == "draw":
        race.apply(("draw", 1))
    return race


def test_the_order_of_the_decisions_before_the_start_aus_1() -> None:
    race = RefereeRace(TINY, AUSGEBREMST, [None, None], side="B")
    for chariot, deck in enumerate(["fast", "average"]):
        assert (race.turn, race.phase) == (chariot, "deck")
        assert race.legal() == {("deck", "slow"), ("deck", "average"), ("deck", "fast")}
        assert race.emperor == [[], []], "put aside after the decks are revealed"
        race.apply(("deck", deck))
    assert (race.choice, race.emperor, race.piles) == (["fast", "average"], [[4, 3], [4, 3]], [None, None])
    fast: Piles = ((2, 2, 3), (4, 4), (5,) * 4 + (6,) * 7)
    average: Piles = ((2,) * 3 + (3,) * 3, (4,) * 3 + (5,) * 4, (6,) * 5)
    for chariot, cards in enumerate([fast, average]):
        assert (race.turn, race.phase) == (chariot, "sort")
        assert ("sort", cards) in race.legal()
        piles = tuple(shuffled(list(pile)) for pile in cards)
        race.apply(("sort", piles))
        assert race.piles[chariot] == [list(pile) for pile in piles], "as shuffled"
    first = race._piles_of(0)[2][:2]
    for chariot in (0, 0, 1, 1):
        assert (race.turn, race.phase) == (chariot, "draw")
        assert race.legal() == {("draw", 0), ("draw", 1), ("draw", 2)}
        race.apply(("draw", 2))
    assert race.hand == [sorted(first), [6, 6]]
    assert (race.turn, race.phase, race.turns_taken, race.deck) == (0, "turn", 0, [[], []])
    assert {card for card, _ in plays(race)} == set(first)


def test_a_false_sorting_is_refused_aus_3() -> None:
    race = RefereeRace(TINY, AUSGEBREMST | {"decks": "standard"}, [None])
    assert (race.phase, race.choice, race.emperor) == ("sort", [None], [[3]])
    cards = cards_of("slow", [3])
    ones_to_threes = tuple(card for card in cards if card <= 3)
    refused: list[Piles] = [
        (ones_to_threes, tuple(card for card in cards if card in (4, 5)), (6,) * 4),
        (tuple(card for card in cards if card <= 2), tuple(card for card in cards if card > 4), ()),
        ((1,) * 4 + (2,) * 4, (3,) * 4 + (4,) * 4, (5,) * 4 + (6,) * 4),  # the emperor's 3 kept back
    ]
    for piles in refused:
        with pytest.raises(AssertionError, match="is not among"):
            race.apply(("sort", piles))


def test_riderless_chariots_take_no_part_before_the_start_aus_1_aus_5() -> None:
    race = RefereeRace(TINY, AUSGEBREMST, [[2] * 24, [1] * 24, None, None], riderless=2)
    assert (race.turn, race.phase, race.hand[0]) == (2, "deck", [])
    race.apply(("deck", "slow"))
    race.apply(("deck", "slow"))
    assert race.emperor == [[], [], [3], [3]]
    for _ in range(2):
        race.apply(("sort", ((1,) * 4 + (2,) * 4, (3,) * 3 + (4,) * 4, (5,) * 4 + (6,) * 4)))
    for _ in range(4):
        race.apply(("draw", 0))
    assert (race.turn, race.phase, race.hand[0], race.deck[0]) == (0, "turn", [2], [2] * 23)
    assert race.legal() == {("play", 2, "a4")}
    race.apply(("play", 2, "a4"))
    assert (race.turn, race.hand[1], len(race.deck[0])) == (1, [1], 23)
    assert race.piles[:2] == [None, None]


# ---- Ausgebremst: a turn ----


def at(race: RefereeRace, space: Space, hand: list[int], piles: list[list[int]], crossings: int = 1) -> RefereeRace:
    race.position[0], race.crossings[0], race.hand[0], race.piles[0] = space, crossings, hand, piles
    race.turns_taken = 2
    return race


def test_after_playing_one_draws_from_a_pile_of_choice_aus_3() -> None:
    race = at(prepared(), "a3", [1, 5], [[2, 1], [], [6]])
    race.apply(("play", 1, "a4"))
    assert (race.turn, race.phase, race.legal()) == (0, "draw", {("draw", 0), ("draw", 2)})
    race.apply(("draw", 0))
    assert (race.hand[0], race.piles[0], race.turn, race.phase) == ([2, 5], [[1], [], [6]], 1, "turn")


def test_a_short_hand_draws_until_it_is_two_or_the_piles_are_empty_aus_3() -> None:
    race = at(prepared(), "a3", [1], [[2], [], [6]])
    race.apply(("play", 1, "a4"))
    race.apply(("draw", 2))
    assert (race.turn, race.legal()) == (0, {("draw", 0)})
    race.apply(("draw", 0))
    assert (race.hand[0], race.turn) == ([2, 6], 1)
    race = at(prepared(), "a3", [1], [[], [], [6]])
    race.apply(("play", 1, "a4"))
    race.apply(("draw", 2))
    assert (race.hand[0], race.turn) == ([6], 1)


@pytest.mark.parametrize("missed_turn", ["keep", "exchange_if_blocked", "exchange"])
def test_a_missed_turn_draws_and_exchanges_nothing_aus_3(missed_turn: str) -> None:
    race = at(prepared(chariots=3, missed_turn=missed_turn), "n5", [2], [[2], [], [6]])
    race.position[1:] = ["a6", "b6"]
    assert race.legal() == {MISS}
    race.apply(MISS)
    assert (race.hand[0], race.piles[0], race.turn) == ([2], [[2], [], [6]], 1)


@pytest.mark.parametrize(("crossings", "pays"), [(0, False), (1, True), (2, True), (3, False)])
def test_who_pays_takes_the_emperors_card_instead_of_drawing_aus_4(crossings: int, pays: bool) -> None:
    race = at(prepared("A"), "n8", [2, 6], [[1], [4], [5]], crossings)
    assert {to for card, to in plays(race) if card == 2} == {"a2", "p2"}, "nobody must"
    race.apply(("play", 2, "p2"))
    if pays:
        assert (race.hand[0], race.emperor[0], race.coin[0]) == ([3, 6], [], False)
        assert (race.turn, race.phase, race.piles[0]) == (1, "turn", [[1], [4], [5]])
    else:
        assert (race.hand[0], race.emperor[0], race.coin[0], race.phase) == ([6], [3], True, "draw")
    assert not race.disqualified[0]


@pytest.mark.parametrize("pile", [0, 1, 2])
def test_on_side_b_the_three_is_laid_on_a_pile_of_choice_aus_4(pile: int) -> None:
    race = at(prepared("B"), "n8", [2, 6], [[1], [], [5]])
    race.apply(("play", 2, "p2"))
    assert (race.hand[0], race.emperor[0], race.turn, race.phase) == ([4, 6], [3], 0, "lay")
    assert race.legal() == {("lay", 0), ("lay", 1), ("lay", 2)}
    race.apply(("lay", pile))
    assert (race.emperor[0], race.piles[0], race.turn, race.phase) == (
        [],
        [[3, 1] if pile == 0 else [1], [3] if pile == 1 else [], [3, 5] if pile == 2 else [5]],
        1,
        "turn",
    )


def test_a_claim_happens_only_once_aus_4() -> None:
    race = at(prepared("A"), "n8", [1, 2], [[1], [4], [5]])
    race.apply(("play", 1, "p1"))
    assert race.hand[0] == [2, 3]
    race.turn = 0
    race.apply(("play", 2, "p3"))
    assert (race.hand[0], race.phase) == ([3], "draw"), "a second stop draws as ever"


def test_a_last_card_claims_before_anyone_is_out_aus_4() -> None:
    race = at(prepared("B"), "n8", [2], [[], [], []])
    race.apply(("play", 2, "p2"))
    race.apply(("lay", 1))
    assert (race.status[0], race.hand[0], race.piles[0]) == ("racing", [4], [[], [3], []])
    race = at(prepared("A"), "n8", [2], [[], [], []])
    race.apply(("play", 2, "p2"))
    assert (race.status[0], race.hand[0]) == ("racing", [3])
    race = at(prepared("A"), "n8", [2], [[], [], []])
    race.apply(("play", 2, "a2"))
    assert (race.status[0], race.emperor[0]) == ("out", [3]), "unclaimed they keep nobody in the race"


def test_a_hand_short_after_a_claim_fills_up_after_the_next_play_aus_4() -> None:
    race = at(prepared("B"), "n8", [2], [[], [], [5, 5]])
    race.apply(("play", 2, "p2"))
    race.apply(("lay", 2))
    assert (race.hand[0], race.turn) == ([4], 1), "nothing is drawn though the hand is short"
    race.turn, race.position[1], race.crossings[1] = 0, "p3", 2
    assert race.legal() == {MISS}
    race.apply(MISS)
    assert (race.hand[0], race.turn) == ([4], 1)
    race.turn, race.position[1] = 0, "a2"
    race.apply(("play", 4, "n5"))
    race.apply(("draw", 2))
    race.apply(("draw", 2))
    assert (race.hand[0], race.piles[0]) == ([3, 5], [[], [], [5]]), "the 3 lay on top"


def test_without_emperors_cards_who_pays_draws_as_ever() -> None:
    race = at(prepared(emperor_cards="none"), "n8", [2, 6], [[1], [4], [5]])
    assert race.emperor == [[], []]
    race.apply(("play", 2, "p2"))
    assert (race.coin[0], race.hand[0], race.phase) == (False, [6], "draw")


def test_nobody_is_disqualified_or_held_back_aus_4() -> None:
    race = at(prepared(), "n8", [1, 2], [[1], [4], [5]], crossings=2)
    assert (2, "a2") in plays(race)
    race.apply(("play", 2, "a2"))
    assert not race.disqualified[0]


def test_who_is_home_draws_nothing_end_1() -> None:
    race = at(prepared(), "a2", [1, 6], [[1], [4], [5]], crossings=3)
    race.apply(("play", 1, "home"))
    assert (race.turn, race.phase, race.hand[0]) == (1, "turn", [6])


def test_the_laurels_aus_6() -> None:
    race = paid(situation(("a2", 3, [1]), ("b2", 3, [1]), laurels=AUSGEBREMST["laurels"]))
    race.apply(("play", 1, "home"))
    race.apply(("play", 1, "home"))
    assert race.laurels() == [9, 6]


# ---- whole races ----


def random_rules(chance: random.Random) -> dict[str, Any]:
    """Any options that make sense together."""
    rules = RAVENSBURGER | {option: chance.choice(sorted(KNOWN_VALUES[option], key=str)) for option in KNOWN_VALUES}
    if rules["draw"] == "from_piles":
        rules["hand"] = 2
    else:
        rules["decks"], rules["emperor_cards"] = "standard", "none"
    if rules["emperor_cards"] == "by_side":
        rules["tribute"] = "optional"
    return rules


def random_field(rules: dict[str, Any], places: int, chance: random.Random) -> tuple[int, int]:
    """Chariots in all, and riderless ones, for which the rules and the grid have room."""
    each = rules["chariots_each"]
    drivers = [number for number in range(1, places + 1) if each == 1 or number in (2 * each, 3 * each)]
    if not drivers:
        rules["chariots_each"], drivers = 1, [1, 2]
    number = chance.choice(drivers)
    riderless = 0 if rules["riderless"] == "none" else chance.randint(0, places - number)
    return number + riderless, riderless


def check_the_table(race: RefereeRace, all_cards: list[Counter[int]], played: list[list[int]]) -> None:
    assert (race.turn is None) == (race.phase is None) == (race.ending is not None)
    assert (race.voting is not None) == (race.phase == "vote")
    on_board = [space for space in race.position if space is not None]
    assert len(set(on_board)) == len(on_board)  # MOV-2
    for chariot in race.chariots:
        hand, deck, piles = race.hand[chariot], race.deck[chariot], race.piles[chariot]
        assert hand == sorted(hand)
        cards = Counter(
            hand + deck + played[chariot] + race.emperor[chariot] + [card for pile in piles or [] for card in pile]
        )
        if race.is_riderless[chariot]:
            assert len(hand) <= 1
            assert piles is None
            if race.rules["riderless"] == "extra":
                assert cards <= all_cards[chariot]  # some are thrown away
                assert not race.coin[chariot]
            else:
                assert cards == all_cards[chariot]
                assert len(hand) == (chariot in (race.turn, race.voting))
            assert race.status[chariot] not in {"crashed", "withdrawn"}
            assert not (race.rules["riderless"] == "fill_no_tribute" and race.position[chariot] in race.facts.alley)
        elif piles is not None:
            assert not deck
            assert cards == all_cards[chariot]
            if race.phase == "turn" and race.status[chariot] == "racing" and not any(piles):
                assert hand
        elif race.rules["draw"] != "from_piles":
            assert cards == all_cards[chariot]


def random_race(
    facts: CourseFacts, rules: dict[str, Any], chariots: int, riderless: int, chance: random.Random
) -> tuple[RefereeRace, Counter[str]]:
    decks = [chance.sample(DECK, len(DECK)) for _ in range(chariots)]
    first = riderless if str(rules["riderless"]).startswith("fill") else 0
    given: list[list[int] | None] = [
        None if rules["draw"] == "from_piles" and first <= chariot < first + chariots - riderless else deck
        for chariot, deck in enumerate(decks)
    ]
    race = RefereeRace(facts, rules, given, riderless=riderless, side=chance.choice("AB"))
    all_cards = [Counter(deck) for deck in decks]
    played: list[list[int]] = [[] for _ in decks]
    seen: Counter[str] = Counter()
    while race.turn is not None:
        chariot, legal = race.turn, race.legal()
        seen[str(race.phase)] += 1
        move = chance.choice(sorted(legal, key=str))
        if race.phase == "turn":
            assert len({move[0] for move in legal} - {"withdraw"}) == 1
            assert len(legal) == 1 or not race.is_riderless[chariot]
        else:
            assert {move[0] for move in legal} == {race.phase}
            assert not race.is_riderless[chariot]
        if move[0] == "deck":
            all_cards[chariot] = Counter(DECKS[str(move[1])])
        if move[0] == "sort":
            assert isinstance(move[1], tuple)
            move = ("sort", tuple(shuffled(list(pile)) for pile in move[1]))
        if race.phase == "turn":
            seen[f"{'riderless ' if race.is_riderless[chariot] else ''}{move[0]}"] += 1
        race.apply(move)
        if move[0] == "play":
            assert isinstance(move[1], int)
            played[chariot].append(move[1])
        check_the_table(race, all_cards, played)
    return race, seen


@pytest.mark.parametrize("facts", [TINY, WHITE], ids=["tiny", "white"])
def test_random_races_end_under_any_rules(facts: CourseFacts) -> None:
    chance = random.Random(1991)
    endings: Counter[str | None] = Counter()
    seen: Counter[str] = Counter()
    for _ in range(250):
        rules = random_rules(chance)
        chariots, riderless = random_field(rules, len(facts.grid), chance)
        race, happened = random_race(facts, rules, chariots, riderless, chance)
        seen += happened
        endings[race.ending] += 1
        places, arrivals, laurels = race.places(), race.arrivals(), race.laurels()
        assert arrivals[: len(places)] == places
        assert sorted(arrivals) == sorted({*places, *race.drivers})
        assert not any(race.disqualified[chariot] for chariot in places)
        assert not (rules["riderless"] == "extra" and any(race.is_riderless[chariot] for chariot in places))
        assert not any(laurels[chariot] for chariot in race.chariots if race.is_riderless[chariot])
        assert all(
            laurels[chariot] == rules["laurels"][place]
            for place, chariot in enumerate(places)
            if not race.is_riderless[chariot]
        )
    assert endings["finished"] > 100
    assert {"deck", "sort", "draw", "lay", "vote", "turn"} <= set(seen)
    assert min(seen["riderless play"], seen["riderless miss"], seen["lay"], seen["vote"]) > 20


def test_an_unchecked_race_is_the_same_race() -> None:
    chance = random.Random(5)
    rules = AUSGEBREMST | {"riderless_moves": "vote"}
    decks = [chance.sample(DECK, len(DECK)), None, None, None]
    checked, unchecked = (
        RefereeRace(WHITE, rules, decks, checked=checked, riderless=1, side="B") for checked in (True, False)
    )
    while checked.turn is not None:
        move = chance.choice(sorted(checked.legal(), key=str))
        checked.apply(move)
        unchecked.apply(move)
        assert (unchecked.turn, unchecked.phase) == (checked.turn, checked.phase)
    assert unchecked.arrivals() == checked.arrivals()
