"""Riderless chariots: extra ones and those that fill the grid, and what each does in its turn (NPC-1, NPC-2, NPC-4)."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

import pytest

from avecaesar import IllegalMove, Miss, Play, Race, RulesError, Tournament, edition, load_course
from avecaesar.game.numbers import ChariotNumber
from avecaesar.game.view import Turn
from avecaesar.kernel import riderless as kernel
from avecaesar.kernel.layout import BLOCKED, MISS
from avecaesar.rules import riderless_in
from situations import _survey, at, destinations, hand, misses, only_move, race, told

clause = pytest.mark.clause


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
        last = [chariot for chariot in it.arrivals if chariot in it.driven][-1]
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
