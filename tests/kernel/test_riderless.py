"""Riderless chariots: extra ones, those that fill the grid, how they move by rule and by vote (NPC-1 to NPC-4)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numba
import pytest

from avecaesar import IllegalMove, Miss, Move, Play, Race, RulesError, Tournament, Vote, edition, load_course
from avecaesar.courses.course import LONGEST_STRIDE
from avecaesar.game.numbers import ChariotNumber
from avecaesar.game.view import Turn
from avecaesar.kernel import packing
from avecaesar.kernel import riderless as kernel
from avecaesar.kernel.layout import ABSTAINED, BLOCKED, MISS
from avecaesar.rules import riderless_in
from lockstep import facts
from situations import Standing, _survey, at, destinations, hand, misses, race

clause = pytest.mark.clause


def only_move(it: Race) -> Move:
    (move,) = it.legal_moves
    return move


def told(it: Race) -> str:
    """Where the riderless chariot on turn goes, by name."""
    move = only_move(it)
    assert isinstance(move, Play)
    return "home" if move.to == "home" else it.course.spaces[move.to].name


# ---------------------------------------------------------------------- the grid


@clause("NPC-1")
def test_extra_ones_stand_in_the_last_places_and_are_as_many_as_the_table_likes() -> None:
    it = Race("white", 2, options={"riderless_count": 3}, seed=1)
    assert it.riderless == {2, 3, 4}
    assert [chariot.riderless for chariot in it.view().chariots] == [False, False, True, True, True]
    assert it.turn == 0


@clause("NPC-1")
def test_no_more_than_a_grid_holds() -> None:
    with pytest.raises(RulesError, match="more than a grid's 6"):
        Race("white", 4, options={"riderless_count": 3})


@clause("NPC-2")
@pytest.mark.parametrize(
    ("course", "drivers", "riderless"), [("white", 1, 3), ("blue", 3, 1), ("white", 5, 0), ("red", 4, 2)]
)
def test_fill_brings_the_grid_to_four_on_a_and_six_on_b(course: str, drivers: int, riderless: int) -> None:
    it = Race(course, drivers, edition="thibault", seed=1)
    assert it.riderless == set(range(riderless))
    assert it.driven == range(riderless, riderless + drivers)
    assert it.turn == 0  # and so they move first


@clause("NPC-2")
def test_in_every_race_they_take_the_first_places_and_place_one_is_the_first_after_them() -> None:
    games = Tournament(["Livia", "Titus"], edition="thibault", seed=2)
    source = random.Random(2)
    for _ in range(3):
        it = games.next_race()
        assert it.names[:2] == ("Celer", "Volucer")
        while not it.over:
            it.play(source.choice(list(it.legal_moves)))
    for it, grid, following in zip(games.races, games.grids, games.grids[1:], strict=False):
        last = [seat for seat in it.arrivals if seat in it.driven][-1]
        assert following[0] == grid[last - 2]


@clause("OWN-9")
@pytest.mark.parametrize(("course", "side"), [("white", "A"), ("blue", "A"), ("red", "B"), ("yellow", "B")])
def test_a_board_that_claims_no_side_is_b_if_its_alley_adds_two(course: str, side: str) -> None:
    it = load_course(course)
    unclaimed = replace(it, board=replace(it.board, side=None))
    assert it.side == unclaimed.side == side
    other = replace(it, board=replace(it.board, side="B" if side == "A" else "A"))
    assert other.side != side


# ---------------------------------------------------------------------- extra: a turn


@clause("NPC-1")
def test_one_card_is_drawn_openly_and_played() -> None:
    it = race(at("S8a", 1), at("S9a", deck=(3, 5)), loose=1, turn=1)
    assert hand(it, 1) == (3,)
    assert it.view(0).chariots[1].open_card == 3
    it.play(only_move(it))
    assert it.history[-1].move == Play(3, it.course.space("C1b").id)
    assert it.view(0).chariots[1].open_card is None
    assert kernel.open_card(it._races[0], 1) == 0
    assert it.view(0).chariots[1].deck_size == 1


@clause("NPC-1", "MOV-1")
def test_also_where_everybody_draws_at_the_end_of_a_round() -> None:
    it = race(at("S8a", 1, 2), at("S9a", deck=(3, 5)), loose=1, edition="riassunto")
    it.play(1, to="S9b")
    it.play(only_move(it))
    assert it.turn == 0
    assert len(hand(it, 0)) == 3
    assert hand(it, 1) == ()
    assert it.view().chariots[1].deck_size == 1


@clause("NPC-1")
def test_a_card_that_cannot_be_used_is_thrown_away() -> None:
    """From the bottleneck's mouth a 2 ends on a chariot and a 1 is free."""
    it = race(at("C1b", 1), at("C1a", 1), at("S10a", deck=(2, 1)), loose=1, turn=2)
    assert misses(it) == "blocked"
    assert only_move(it) == Miss()
    it.play(Miss())
    assert it.view().chariots[2].deck_size == 1
    assert it.view().chariots[2].open_card is None
    assert Turn(ChariotNumber(2), Miss(), False, "blocked") in it.view(0).history  # nothing about it is secret


@clause("NPC-1")
def test_with_no_free_space_to_step_to_it_draws_none() -> None:
    it = race(at("N1a", 1), at("S10a", deck=(2, 1)), loose=1, turn=1)
    assert only_move(it) == Miss()
    assert hand(it, 1) == ()
    it.play(Miss())
    assert it.view().chariots[1].deck_size == 2


@clause("NPC-1")
def test_then_nothing_is_left_of_what_was_asked_before() -> None:
    it = race(at("N1a", 1), at("S10a", deck=(2, 1)), loose=1, turn=1)
    asked = ("six_barred", "duty", "miss", "exchanges", "phase")
    for field in asked:
        it._fields[field][0] = 2
    _survey(it._course_table, it._rules_table, it._races)
    assert [it._one(field) for field in asked] == [0, 0, BLOCKED, 0, MISS]


@clause("NPC-1")
def test_beyond_the_line_at_the_end_of_the_race_a_step_is_always_free() -> None:
    ahead = (at("S6a", 1, crossings=3), at("S6b", 1, crossings=3))
    it = race(*ahead, at("S5a", deck=(4,), crossings=3), loose=1, turn=2)
    assert only_move(it) == Play(4, "home")
    for crossings in range(3):
        it = race(*ahead, at("S5a", deck=(4,), crossings=crossings), loose=1, turn=2)
        assert only_move(it) == Miss()
        assert hand(it, 2) == ()


@clause("NPC-1")
def test_a_barred_six_lies_open_and_is_tried_again_each_turn() -> None:
    it = race(at("S8b", 1, 3, 3), at("S9a", deck=(6, 2)), loose=1, turn=1)
    assert misses(it) == "barred"
    it.play(only_move(it))
    assert it.view(0).chariots[1].open_card == 6
    it.play(1, to="S9b")  # abreast now: still barred
    assert misses(it) == "barred"
    it.play(only_move(it))
    it.play(3, to="C1b")
    assert isinstance(only_move(it), Play)
    it.play(only_move(it))
    assert it.view().chariots[1].open_card is None


@clause("OWN-10")
def test_an_open_six_that_is_not_barred_any_more_and_cannot_be_used_is_thrown_away() -> None:
    it = race(at("N1a", 1, crossings=2), at("S10a", 6, deck=(2, 1)), loose=1, turn=1)
    assert misses(it) == "blocked"
    it.play(only_move(it))
    assert it.view().chariots[1].open_card is None
    assert it.view().chariots[1].deck_size == 2


@clause("NPC-1")
def test_no_tribute_no_place_and_out_when_the_deck_is_used_up() -> None:
    it = race(at("S2a", 1, crossings=2), at("S4a", deck=(5, 1), crossings=2, coin=False), loose=1, turn=1)
    it.play(only_move(it))  # past the alley on the second lap
    assert it.disqualified == set()
    it = race(at("S2a", 1), at("S9a", deck=(2,)), loose=1, turn=1)
    it.play(only_move(it))
    assert it.view().chariots[1].status == "out of cards"
    fresh = Race("white", 1, options={"riderless_count": 1}, seed=1)
    assert [chariot.coin for chariot in fresh.view().chariots] == [True, False]


@clause("NPC-1")
def test_the_last_card_thrown_away_puts_it_out_too() -> None:
    it = race(at("C1b", 1), at("C1a", 1), at("S10a", deck=(2,)), loose=1, turn=2)
    it.play(only_move(it))
    assert it.view().chariots[2].status == "out of cards"


@clause("NPC-1")
def test_an_extra_one_home_takes_no_place_and_lifts_the_ban() -> None:
    it = race(at("S4a", 6, 6, crossings=3, coin=False), at("S5a", deck=(4,), crossings=3), loose=1, turn=1)
    it.play(only_move(it))
    assert it.leaders == set()
    it.play(6, to="home")
    assert it.over
    assert it.places == (1, None)
    assert it.arrivals == (0,)
    assert it.laurels == (6, 0)


@clause("NPC-1")
def test_it_neither_withdraws_nor_crashes_nor_does_anything_else() -> None:
    it = race(at("S8b", 1, 3), at("S9a", deck=(6, 2)), loose=1, turn=1, crash="yes")
    for move in (Miss(6), Play(6, 0), Play(6, "home")):
        with pytest.raises(IllegalMove) as refused:
            it.play(move)
        assert refused.value.clause == "NPC-3"
    it.play(Miss())
    assert it.view().chariots[1].status == "racing"


# ---------------------------------------------------------------------- fill: a turn


@clause("NPC-2")
def test_a_card_it_cannot_use_goes_under_its_deck() -> None:
    it = race(at("S10a", deck=(2, 1)), at("C1b", 1), at("C1a", 1), at("S1a", 1), loose=1, edition="thibault")
    assert only_move(it) == Miss(2)
    assert misses(it) == "blocked"
    it.play(Miss(2))
    assert it.view().chariots[0].deck_size == 2
    assert it._deck(0) == [1, 2]
    assert it.view(2).history[-1] == Turn(ChariotNumber(0), Miss(2), True, "blocked")


@clause("NPC-2")
def test_so_does_a_barred_six() -> None:
    it = race(at("S9a", deck=(6, 1)), at("S8a", 1), at("S8b", 1), at("S7a", 1), loose=1, edition="thibault")
    assert only_move(it) == Miss(6)
    assert misses(it) == "barred"


@clause("NPC-2")
def test_on_the_first_lap_it_stops_in_the_alley_if_the_card_allows() -> None:
    """Three steps before the alley's third space, with a straight way that leaves less to go."""
    others = (at("S1a", 1), at("J1a", 1), at("G1a", 1))
    it = race(at("S3a", deck=(2, 1)), *others, loose=1, edition="thibault")
    assert told(it) == "alley2"
    it.play(only_move(it))
    assert not it.view().chariots[0].coin
    paid = race(at("S3a", deck=(2, 1), coin=False), *others, loose=1, edition="thibault")
    assert told(paid) == "S5a"


@clause("OWN-20")
def test_it_stops_there_even_where_tribute_is_optional_and_if_it_does_not_nothing_happens_to_it() -> None:
    others = (at("S1a", 1, 1), at("S1b", 1, 1), at("J1a", 1, 1))
    fills = partial(race, loose=1, edition="thibault", tribute="optional")
    stops = fills(at("S3a", deck=(2, 1)), *others)
    assert told(stops) == "alley2"
    passes = fills(at("S3a", deck=(6, 1), crossings=2), *others)
    passes.play(only_move(passes))
    assert passes.disqualified == frozenset()
    assert passes.view().chariots[0].coin


@clause("NPC-2")
def test_on_the_second_lap_the_drawn_card_is_the_hand_of_tri_3_and_tri_4() -> None:
    others = (at("S1a", 1, crossings=2), at("J1a", 1), at("G1a", 1))
    may = race(at("S3a", deck=(2, 1), crossings=2), *others, loose=1, edition="thibault")
    assert told(may) == "alley2"
    blocked = race(
        at("S3a", deck=(1, 1), crossings=2), at("alley1", 1, crossings=2), *others[1:], loose=1, edition="thibault"
    )
    assert misses(blocked) == "waiting"
    assert only_move(blocked) == Miss(1)
    past = race(
        at("S3a", deck=(6, 1), crossings=2), at("S8a", 1, crossings=3), *others[1:], loose=1, edition="thibault"
    )
    past.play(only_move(past))
    assert past.disqualified == {0}
    past.play(past.legal_moves[0])
    past.play(past.legal_moves[0])
    past.play(past.legal_moves[0])
    assert past.turn == 0
    only_move(past)  # it does not withdraw


@clause("NPC-2")
def test_it_takes_a_place_without_scoring() -> None:
    it = race(
        at("S5a", deck=(4,), crossings=3, coin=False), at("S4a", 6, crossings=3, coin=False),
        at("S1a", status="out"), at("S1a", status="out"), loose=1, edition="thibault",
    )  # fmt: skip
    it.play(only_move(it))
    it.play(6, to="home")
    assert it.over
    assert it.places[:2] == (1, 2)
    assert it.laurels == (0, 4, 0, 0)
    assert it.arrivals[:2] == (0, 1)


@clause("OWN-14")
def test_without_a_place_it_is_not_in_the_order_of_arrival() -> None:
    it = race(
        at("S1a", deck=(4, 1)), at("S5a", 5, crossings=3, coin=False),
        at("S1a", status="out"), at("S2a", status="out"), loose=1, edition="thibault", turn=1,
    )  # fmt: skip
    it.play(5, to="home")
    assert it.over
    assert 0 not in it.arrivals
    assert sorted(it.arrivals) == [1, 2, 3]


@clause("NPC-2")
def test_the_race_waits_for_drivers_alone_and_they_are_out_when_the_deck_is_used_up() -> None:
    it = race(at("S9a", deck=(1,)), at("S8a", 1), at("S8b", 1), at("S1a", 1), loose=1, edition="thibault")
    it.play(only_move(it))
    assert it.view().chariots[0].status == "out of cards"
    assert not it.over


@clause("AUS-5")
def test_without_tribute_it_never_ends_a_move_in_the_alley() -> None:
    others = (at("S1a", 1, 1), at("J1a", 1, 1), at("G1a", 1, 1))
    for deck, where in (((1, 1), "S4a"), ((2, 1), "S5a")):
        it = race(at("S3a", deck=deck, coin=False), *others, loose=1, edition="ausgebremst")
        assert told(it) == where
    shut = race(
        at("S3a", deck=(1, 1), coin=False), at("S4a", 1, 1), at("S4b", 1, 1), at("G1a", 1, 1),
        loose=1, edition="ausgebremst",
    )  # fmt: skip
    assert only_move(shut) == Miss(1)
    inside = race(at("alley4", deck=(2, 1), coin=False), *others, loose=1, edition="ausgebremst")
    assert told(inside) == "S8a"
    fresh = Race("white", 2, edition="ausgebremst", seed=1)
    assert not fresh.view().chariots[0].coin
    assert fresh.view().chariots[0].deck_size == 24


# ---------------------------------------------------------------------- by rule


@clause("NPC-3")
def test_least_to_go_comes_first() -> None:
    """From the straight the inside of the walled curve is the shorter way."""
    it = race(at("S8a", 1), at("S10a", deck=(2, 1)), loose=1, turn=1)
    assert told(it) == "C1b"
    it = race(at("T1a", 1), at("P1a", deck=(2, 1)), loose=1, turn=1)
    assert told(it) == "D2b"  # though D2a is the lower space


@clause("NPC-3")
def test_what_lies_beyond_the_line_is_a_lap_nearer_and_home_nearest() -> None:
    """From S3a a 3 leads over the line, or into the alley before it."""
    for crossings, to in ((0, "S6a"), (1, "S6a"), (2, "S6a"), (3, "home")):
        loose = at("S3a", deck=(3, 1), crossings=crossings, coin=False)
        it = race(at("S9a", 1, crossings=3), loose, loose=1, turn=1)
        assert told(it) == to


@clause("NPC-3")
def test_then_most_in_the_drivers_way() -> None:
    """S7a and S7b leave as much to go; from S6a only the one, from S6d only the other is one step on."""
    assert told(race(at("S6d", 1), at("S6b", deck=(1, 1)), loose=1, turn=1)) == "S7b"
    assert told(race(at("S6a", 1), at("S6b", deck=(1, 1)), loose=1, turn=1)) == "S7a"
    assert (
        told(race(at("S6a", 1), at("S6d", 1), at("S6b", deck=(1, 1)), loose=1, turn=2)) == "S7a"
    )  # as many: the lowest
    assert (
        told(race(at("S6d", 1, status="out"), at("S1a", 1, crossings=2), at("S6b", deck=(1, 1)), loose=1, turn=2))
        == "S7a"
    )
    assert (
        told(race(at("S1a", 1, crossings=2), at("S6b", deck=(1, 1)), at("S6d", deck=(1, 1)), loose=2, turn=1)) == "S7a"
    )


@clause("NPC-3")
def test_then_the_lowest_space() -> None:
    """The driver is ahead: nobody is in the way."""
    it = race(at("S9a", 1, crossings=2), at("S1a", deck=(1, 1)), loose=1, turn=1)
    assert told(it) == "S2a"
    it = race(at("S9a", 1, crossings=2), at("S5a", deck=(1, 1)), loose=1, turn=1)
    assert told(it) == "S6a"  # the very first space of the course


@clause("OWN-12")
def test_in_the_way_is_what_the_referee_measures() -> None:
    """A destination lies on a shortest way if the steps add up."""
    course = load_course("red")
    table, races = packing.course_table(course), packing.new_races(1)
    measure = facts("red", "clockwise")
    source = random.Random(1)
    for _ in range(3000):
        here, crossed = source.randrange(len(course.spaces)), source.randrange(4)
        there, crossings = source.randrange(len(course.spaces)), min(3, crossed + source.choice((0, 0, 0, 1, 2)))
        races["space"][0][0], races["crossings"][0][0] = here, crossed
        races["remaining"][0][0] = course.remaining[crossed][here]
        steps = measure._distances_to([(there, crossings)]).get((here, crossed), 0)
        expected = steps > 0 and steps + measure.remaining[there, crossings] == measure.remaining[here, crossed]
        assert leads_over(table, races, there, crossings) == expected


@numba.njit  # type: ignore[untyped-decorator, unused-ignore]
def leads_over(courses: Any, races: Any, there: int, crossings: int) -> Any:
    return kernel.leads_over(courses[0], races[0], 0, there, crossings)


@clause("OWN-12")
@pytest.mark.parametrize("stride", range(1, LONGEST_STRIDE + 1))
def test_in_the_way_is_also_what_a_long_stride_leads_to(stride: int) -> None:
    """One step, from the first space, on a course of which nothing else is left."""
    table, races = packing.course_table(load_course("red")).copy(), packing.new_races(1)
    table["onward"], table["remaining"] = 0, 0
    table["onward"][0][0, stride - 1] = 1
    table["remaining"][0][0, 0], table["remaining"][0][0, stride] = 2, 1
    races["remaining"][0][0] = 2
    assert leads_over(table, races, stride, 0)
    assert not leads_over(table, races, stride + 1, 0)


# ---------------------------------------------------------------------- by vote


BEHIND = tuple(at(space, 1, 1, crossings=0) for space in ("S2b", "S3b", "S4b"))


def voting(*votes: Vote, drivers: Sequence[Standing] = BEHIND) -> Race:
    """A riderless chariot with a 1 before two free spaces, and votes on it; drivers far behind it."""
    it = race(*drivers, at("S8a", deck=(1, 1)), loose=1, turn=len(drivers), riderless_moves="vote")
    for vote in votes:
        it.play(vote)
    return it


def for_(it: Race, name: str) -> Vote:
    return Vote(1, it.course.space(name).id)


@clause("NPC-3")
def test_each_driver_has_one_vote_and_most_decide() -> None:
    it = voting()
    assert it.asks == "vote"
    assert it.voted_on == 3
    assert it._all("vote") == [ABSTAINED] * 4
    a, b = for_(it, "S9a"), for_(it, "S9b")
    for voter, vote in zip(it.grid, (b, a, b), strict=False):
        assert it.turn == voter
        assert set(it.legal_moves) == {a, b, Vote()}
        assert it.view(voter).voted_on == 3
        it.play(vote)
    assert it.turn == 3
    assert told(it) == "S9b"
    assert [(turn.chariot, turn.move) for turn in it.view(None).history[-3:]] == [(0, b), (1, a), (2, b)]


@clause("NPC-3")
@pytest.mark.parametrize("to", ["home", "alley3"])
def test_they_may_vote_for_home_or_against_it(to: str) -> None:
    it = race(at("S2b", 1), at("S3a", deck=(3, 1), crossings=3), loose=1, turn=1, riderless_moves="vote")
    alley = it.course.space("alley3").id
    assert set(it.legal_moves) == {Vote(3, "home"), Vote(3, alley), Vote()}
    it.play(Vote(3, "home" if to == "home" else alley))
    assert told(it) == to
    with pytest.raises(IllegalMove):
        it.play(Play(3, alley if to == "home" else "home"))
    it.play(only_move(it))
    assert it.view().chariots[1].status == ("home" if to == "home" else "racing")


@clause("NPC-3")
def test_a_tie_is_broken_by_the_one_furthest_from_home() -> None:
    it = voting()
    a, b = for_(it, "S9a"), for_(it, "S9b")
    assert told(voting(b, a, Vote())) == "S9b"
    assert told(voting(a, b, Vote())) == "S9a"
    assert told(voting(Vote(), b, a)) == "S9b"


@clause("NPC-3")
def test_then_by_the_later_in_turn_order() -> None:
    level = (at("S2a", 1, crossings=0), at("S2b", 1, crossings=0))
    at_level = partial(voting, drivers=level)
    a, b = for_(at_level(), "S9a"), for_(at_level(), "S9b")
    assert told(at_level(a, b)) == "S9b"
    assert told(at_level(b, a)) == "S9a"


@clause("OWN-13")
def test_who_has_no_chariot_racing_votes_but_breaks_no_tie() -> None:
    gone = partial(voting, drivers=(at("S2a", 1, status="out", crossings=0), at("S4b", 1, crossings=0)))
    a, b = for_(gone(), "S9a"), for_(gone(), "S9b")
    assert gone().turn == 0
    assert told(gone(a, b)) == "S9b"
    assert told(gone(b, a)) == "S9a"
    assert told(gone(b, Vote())) == "S9b"


@clause("OWN-21")
def test_in_teams_the_later_in_turn_order_is_the_later_player_whichever_of_his_chariots_races() -> None:
    """The second player's best chariot is his first, the first one's his second, which stands behind it on the grid."""
    level = (at("S1a", 1, crossings=0), at("S2b", 1, crossings=0), at("S2a", 1, crossings=0), at("S1b", 1, crossings=0))
    voting = partial(
        race, *level, at("S8a", deck=(1, 1)), loose=1, turn=4, riderless_moves="vote", chariots_each=2
    )  # fmt: skip
    for first, second in (("S9a", "S9b"), ("S9b", "S9a")):
        it = voting()
        remaining = it._all("remaining")
        assert remaining[1] == remaining[2] < min(remaining[0], remaining[3])
        it.play(for_(it, first))
        it.play(for_(it, second))
        assert told(it) == second


@clause("OWN-19")
def test_by_vote_it_need_not_stop_in_the_alley_on_its_first_lap_but_on_its_second_tri_3_holds() -> None:
    others = (at("S1a", 1), at("S1b", 1), at("J1a", 1))
    fills = partial(race, loose=1, edition="thibault", riderless_moves="vote")
    for crossings, may_pass in ((1, True), (2, False)):
        it = fills(at("S3a", deck=(2, 1), crossings=crossings), *others)
        past = Vote(2, it.course.space("S5a").id)
        assert (past in it.legal_moves) == may_pass
    it = fills(at("S3a", deck=(2, 1)), *others)
    it.play(past)
    it.play(past)
    it.play(Vote())
    assert told(it) == "S5a"


@clause("NPC-3")
def test_with_no_vote_at_all_it_moves_by_rule() -> None:
    by_rule = race(
        *(at(space, 1, 1, crossings=0) for space in ("S2b", "S3b", "S4b")), at("S8a", deck=(1, 1)), loose=1, turn=3
    )
    assert told(voting(Vote(), Vote(), Vote())) == told(by_rule)


@clause("OWN-13")
def test_where_there_is_nothing_to_choose_nobody_votes() -> None:
    it = race(at("S2b", 1), at("S10a", deck=(1, 1)), loose=1, turn=1, riderless_moves="vote")
    assert it.asks == "turn"
    assert told(it) == "N1a"


@clause("OWN-13")
def test_a_vote_for_what_the_card_cannot_do_is_refused() -> None:
    it = voting()
    for vote in (
        Vote(2, it.course.space("S9a").id),
        Vote(1, it.course.space("S7a").id),
        Vote(1, "home"),
    ):
        with pytest.raises(IllegalMove) as refused:
            it.play(vote)
        assert refused.value.clause == "NPC-3"
    for move in (Miss(), Play(1, it.course.space("S3b").id)):
        with pytest.raises(IllegalMove) as refused:
            it.play(move)
        assert "Vote" in refused.value.reason
    with pytest.raises(IllegalMove, match="not asked now"):
        race(at("S8a", 1), at("S9a", 1)).play(Vote())


@clause("OWN-13")
def test_votes_are_no_turns() -> None:
    it = Race("white", 2, options={"riderless": "fill", "riderless_moves": "vote"}, seed=4)
    while it.asks == "vote":
        it.play(Vote())
    assert it._one("turns") == 0
    assert it._one("decisions") == len(it.history) > 0
    six = race(
        at("S5a", deck=(6, 1), crossings=0), at("S5b", 6, 2, crossings=0), at("S5c", 6, crossings=0),
        at("S5d", 6, crossings=0), loose=1, turns=0, edition="thibault", riderless_moves="vote",
    )  # fmt: skip
    while six.asks == "vote":
        six.play(Vote())
    assert isinstance(only_move(six), Play)  # SIX-2: the very first turn


# ---------------------------------------------------------------------- the six, and the end


@clause("NPC-4")
def test_for_six_5_an_extra_one_holds_only_sixes_when_its_open_card_is_a_six() -> None:
    """Abreast on the two-lane straight they cut the course."""
    tied = {"loose": 1, "turn": 0}
    assert destinations(race(at("S9a", 6), at("S9b", 6, deck=(1, 2)), **tied), 6)  # type: ignore[arg-type]
    assert not destinations(race(at("S9a", 6), at("S9b", 5, deck=(6, 6)), **tied), 6)  # type: ignore[arg-type]
    assert not destinations(race(at("S9a", 6), at("S9b", deck=(6, 6)), **tied), 6)  # type: ignore[arg-type]


@clause("NPC-4")
def test_one_that_fills_when_its_whole_deck_is_sixes() -> None:
    behind = (at("S8a", 1), at("S8b", 1))
    whole = race(at("S9b", deck=(6, 6)), at("S9a", 6), *behind, loose=1, turn=1, edition="thibault")
    assert destinations(whole, 6)
    mixed = race(at("S9b", deck=(6, 5)), at("S9a", 6), *behind, loose=1, turn=1, edition="thibault")
    assert misses(mixed) == "barred"
    itself = race(at("S9b", deck=(6, 6)), at("S9a", 6), *behind, loose=1, edition="thibault")
    assert isinstance(only_move(itself), Play)
    not_all = race(at("S9b", deck=(6, 5)), at("S9a", 6), *behind, loose=1, edition="thibault")
    assert only_move(not_all) == Miss(6)


@clause("NPC-4")
@pytest.mark.parametrize(("first", "second", "allowed"), [(6, 6, True), (6, 5, False), (5, 6, False)])
def test_that_deck_is_what_lies_between_its_top_and_its_bottom(first: int, second: int, allowed: bool) -> None:
    """A deck is a ring: from its last place it goes on at the first."""
    others = (at("S9a", 6), at("S8a", 1), at("S8b", 1))
    it = race(at("S9b", deck=(5,) * 24), *others, loose=1, turn=1, edition="thibault")
    it._fields["deck"][0][0][23], it._fields["deck"][0][0][0] = first, second
    it._fields["top"][0][0], it._fields["undrawn"][0][0] = 23, 2
    _survey(it._course_table, it._rules_table, it._races)
    assert bool(destinations(it, 6)) == allowed


@clause("OWN-11")
def test_in_a_bottleneck_its_card_is_its_hand() -> None:
    for kind, edition_name in (("extra", "ravensburger"), ("fill", "thibault")):
        chariots = [at("S1a", 1), at("S1b", 1), at("J1a", 1)]
        place = 0 if kind == "fill" else 3
        chariots.insert(place, at("N1a", deck=(6, 5)))
        it = race(*chariots, loose=1, turn=place, edition=edition_name)
        assert isinstance(only_move(it), Play), kind


@clause("NPC-4")
@pytest.mark.parametrize(("kind", "ends"), [("extra", False), ("fill", True), ("fill_no_tribute", True)])
def test_where_the_first_home_ends_the_race_one_that_fills_ends_it_and_an_extra_one_does_not(
    kind: str, ends: bool
) -> None:
    drivers = [at("S4a", 1, 1, crossings=3, coin=False), at("S1a", 1, 1, crossings=3, coin=False), at("S1b", 1, 1)]
    place = 3 if kind == "extra" else 0
    drivers.insert(place, at("S5a", deck=(4, 1), crossings=3, coin=False))
    it = race(*drivers, loose=1, turn=place, edition="riassunto", riderless=kind)
    it.play(only_move(it))
    assert it.over == ends
    if ends:
        assert it.places == (1, 2, 3, 4)
        assert it.laurels == (0, 4, 3, 2)


@clause("CRA-1")
def test_riderless_chariots_do_not_crash() -> None:
    it = race(at("S8b", 1), at("S9a", 6, deck=(1,)), loose=1, turn=1, crash="yes")
    assert only_move(it) == Miss()


@clause("OWN-10")
def test_a_card_thrown_away_or_put_under_counts_as_an_exchange_in_a_stall() -> None:
    thrown = race(at("C1b", 1), at("C1a", 1), at("S10a", deck=(2, 1, 1)), loose=1, turn=2)
    thrown.play(only_move(thrown))
    assert (thrown._one("idle"), thrown._one("kept")) == (1, 0)
    none = race(at("N1a", 1), at("S10a", deck=(2, 1)), loose=1, turn=1)
    none.play(only_move(none))
    assert (none._one("idle"), none._one("kept")) == (1, 1)
    kept = race(at("S8b", 1), at("S9a", 6, deck=(1,)), loose=1, turn=1)
    kept.play(only_move(kept))
    assert (kept._one("idle"), kept._one("kept")) == (1, 1)
    under = race(at("S10a", deck=(2, 1)), at("C1b", 1), at("C1a", 1), at("S1a", 1), loose=1, edition="thibault")
    under.play(only_move(under))
    assert (under._one("idle"), under._one("kept")) == (1, 0)


def test_how_many_there_are_follows_from_rules_drivers_and_side() -> None:
    assert riderless_in(edition("thibault"), 3, "A") == 1
    assert riderless_in(edition("thibault"), 3, "B") == 3
    assert riderless_in(edition("ravensburger").with_options({"riderless_count": 2}), 3, "B") == 2
    assert edition("thibault").with_options({"riderless": "extra"}).riderless_count == 0
    assert edition("ravensburger").with_options({"riderless": "fill"}).riderless_count == "fill"
    assert edition("thibault").with_options({"riderless": "none"}).riderless_count == 0
