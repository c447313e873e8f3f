"""The coin owed to Caesar: TRI-1 to TRI-5, and what RULES.md says is easy to get wrong."""

from __future__ import annotations

import pytest

from avecaesar import IllegalMove
from situations import Miss, Play, Withdraw, at, cards, clause_against, destinations, kinds, misses, plain, race

clause = pytest.mark.clause


def owes(it: object, chariot: int = 0) -> bool:
    return bool(it.view().chariots[chariot].coin)  # type: ignore[attr-defined]


@clause("TRI-1")
@pytest.mark.parametrize(
    ("start", "card", "stop", "crossings", "paid"),
    [
        ("S3a", 1, "alley1", 1, True),
        ("S3a", 1, "alley1", 2, True),
        ("S3a", 1, "alley1", 3, False),  # the third lap's end is too late
        ("S3a", 4, "alley4", 1, True),  # beyond the line with two crossings
        ("S3a", 4, "alley4", 2, True),
        ("alley2", 1, "alley3", 1, True),
    ],
)
def test_a_stop_in_the_alley_pays_at_the_end_of_the_first_or_second_lap(
    start: str, card: int, stop: str, crossings: int, paid: bool
) -> None:
    it = race(at(start, card, crossings=crossings), at("S8a", 1, crossings=3))
    it.play(card, to=stop)
    assert owes(it) is not paid


@clause("TRI-1")
def test_a_stop_beyond_the_line_after_one_crossing_does_not_pay() -> None:
    """Nobody comes there from the grid of our boards; the rule holds all the same."""
    it = race(at("alley4", 1, crossings=1), at("S8a", 1))
    it.play(1, to="alley5")
    assert owes(it)


@clause("TRI-1")
def test_driving_through_pays_nothing() -> None:
    it = race(at("S3a", 6, crossings=1), at("S9a", 1, crossings=2))
    it.play(6, to="S8a")
    assert owes(it)
    assert it.view().chariots[0].crossings == 2


@clause("TRI-1")
def test_the_alley_may_be_used_again_as_a_mere_way() -> None:
    it = race(at("S3a", 2, crossings=2, coin=False), at("S8a", 1))
    assert "alley2" in destinations(it, 2)


@clause("TRI-1")
def test_who_crosses_the_line_in_the_alley_for_the_fourth_time_is_home() -> None:
    it = race(at("alley3", 1, crossings=3, coin=False), at("S8a", 1))
    it.play(1, to="home")
    assert it.view().chariots[0].status == "home"


@clause("TRI-2")
def test_chariots_stand_in_the_alley_in_file_and_nobody_passes() -> None:
    it = race(at("alley1", 1, 2, crossings=1), at("alley3", 1, crossings=1), at("alley4", 1, crossings=2))
    assert destinations(it, 1) == {"alley2"}
    assert clause_against(it, 2, "alley3") == "MOV-2"
    assert cards(it) == {1}


# The alley's spaces lie two to six steps from S2a; S3b is past it already.


@clause("TRI-3")
def test_who_could_stop_may_not_go_past_on_the_second_lap() -> None:
    it = race(at("S2a", 2, 3, crossings=2), at("S8a", 1))
    assert destinations(it, 2) == {"alley1"}
    assert destinations(it, 3) == {"alley2"}
    assert clause_against(it, 2, "S4a") == "TRI-3"


@clause("TRI-3")
def test_a_wrong_lane_is_past() -> None:
    it = race(at("S2a", 1, 2, crossings=2), at("S8a", 1))
    assert destinations(it, 1) == {"S3a"}
    assert clause_against(it, 1, "S3b") == "TRI-3"


@clause("TRI-3")
def test_a_driven_through_alley_is_past() -> None:
    it = race(at("S3a", 6, 1, crossings=2), at("S8b", 1, crossings=3))
    assert destinations(it, 1) == {"alley1"}
    assert cards(it) == {1}
    assert clause_against(it, 6, "S8a") == "TRI-3"


@clause("TRI-3")
def test_with_a_rival_on_the_space_he_waits() -> None:
    """6 5 5 drives past; with a 3 among them and a rival on its space, he waits."""
    it = race(at("S1a", 6, 5, 3, crossings=2), at("alley1", 1, crossings=2), at("S8a", 1, crossings=3))
    assert misses(it) == "waiting"


@clause("TRI-3", "MOV-2")
def test_only_what_is_past_the_alley_on_the_second_lap_is_forbidden_the_rest_is_blocked() -> None:
    in_the_way = (at("S3a", 1, crossings=2), at("S3b", 1, crossings=2))
    second_lap = race(at("S2a", 2, crossings=2), *in_the_way)
    assert clause_against(second_lap, 2, "S4a") == "TRI-3"
    assert clause_against(second_lap, 2, "alley1") == "MOV-2"
    first_lap = race(at("S2a", 2, crossings=1), *in_the_way)
    assert clause_against(first_lap, 2, "S4a") == "MOV-2"


@clause("TRI-3")
def test_a_card_that_stays_short_must_be_played() -> None:
    it = race(at("S1a", 1, 5, 3, crossings=2), at("alley1", 1, crossings=2), at("S8a", 1, crossings=3))
    assert cards(it) == {1}
    assert kinds(it) == {Play}


@clause("TRI-3")
def test_the_duty_holds_on_the_second_lap_only() -> None:
    it = race(at("S2a", 2, crossings=1), at("S8a", 1, crossings=3))
    assert destinations(it, 2) == {"S4a", "S4b", "alley1"}
    it = race(at("S2a", 2, crossings=2, coin=False), at("S8a", 1, crossings=3))
    assert destinations(it, 2) == {"S4a", "S4b", "alley1"}


@clause("TRI-3")
def test_a_barred_six_is_not_a_card_that_could_stop() -> None:
    """From J1a the 6 would stop in the alley's third space, but the leader may not play it."""
    it = race(at("J1a", 6, 5, crossings=2), at("S8a", 1))
    assert "alley2" in destinations(it, 5)
    it = race(at("S2b", 6, 3, crossings=2), at("S8a", 1))
    assert "S5a" not in destinations(it, 3)
    alone = race(at("S10a", 6, crossings=2), at("S8a", 1))
    assert misses(alone) == "barred"
    bare = race(at("S1a", 6, 1, crossings=2), at("S1b", 1, crossings=2), at("S2a", 1), at("S2b", 1))
    assert bare.leaders == {0, 1}
    assert misses(bare) == "blocked"  # the six alone could stop, and it is barred


@clause("TRI-3")
@pytest.mark.parametrize("crash", ["no", "yes"])
@pytest.mark.parametrize("card", [1, 2, 3, 4, 5])
def test_each_card_that_could_stop_there_keeps_one_from_driving_past(card: int, crash: str) -> None:
    it = race(at("S3a", card, 6, crossings=2), at("S9b", 1, crossings=3), crash=crash)
    assert clause_against(it, 6, "S9a") == "TRI-3"
    assert f"alley{card}" in destinations(it, card)


@clause("TRI-3")
@pytest.mark.parametrize("card", [1, 2, 3, 4, 5])
def test_only_cards_that_stop_before_a_crashed_chariot_count(card: int) -> None:
    wreck = at("alley3", 1, crossings=2, status="crashed")
    it = race(at("S3a", card, 6, crossings=2), at("S9b", 1, crossings=3), wreck, crash="yes")
    assert ("S9a" in destinations(it, 6)) == (card >= 3)


@clause("TRI-3")
def test_crashed_chariots_are_walls() -> None:
    """A crashed chariot at the alley's mouth: nobody could stop there, so nobody waits."""
    it = race(
        at("S2a", 2, crossings=2),
        at("alley1", 1, crossings=2, status="crashed"),
        at("S8a", 1, crossings=3),
        crash="yes",
    )
    assert destinations(it, 2) == {"S4a", "S4b"}


@clause("TRI-4")
def test_if_no_card_could_stop_he_drives_past_and_is_disqualified_at_once() -> None:
    """With 6 5 5 and the alley's spaces out of reach of them, the chariot goes past."""
    it = race(at("S4a", 6, 5, 5, crossings=2, coin=True), at("S8a", 1, crossings=3))
    it.play(5, to="S9a")
    assert it.disqualified == {0}
    assert it._all("disqualified") == [1, 0]


@clause("TRI-4")
def test_mov_3_drives_him_past() -> None:
    it = race(at("S2a", 1, crossings=2), at("S3a", 1, crossings=1), at("S8a", 1, crossings=3))
    assert kinds(it) == {Play}
    it.play(1, to="S3b")
    assert it.disqualified == {0}


@clause("TRI-4")
def test_past_means_disqualified_before_the_line_too_but_not_short_of_the_alley() -> None:
    it = race(at("J1a", 1, crossings=2), at("S8a", 1, crossings=3))
    it.play(1, to="S1b")
    assert it.disqualified == frozenset()


@clause("TRI-4")
def test_a_disqualified_chariot_gets_no_laurels_even_if_first_home() -> None:
    it = race(at("S5a", 1, crossings=3, disqualified=True), at("S5b", 1, crossings=3, coin=False))
    it.play(1, to="home")
    it.play(1, to="home")
    assert it.laurels == (0, 6)
    assert it.places == (None, 1)


@clause("TRI-4", "END-3")
def test_when_the_last_who_could_take_a_place_is_disqualified_the_race_is_over() -> None:
    it = race(at("S4a", 5, 5, crossings=2), at("S8a", 1, crossings=3, disqualified=True))
    it.play(5, to="S9a")
    assert it.over
    assert it.places == (None, None)


@clause("TRI-4", "NPC-2", "END-3")
def test_one_that_fills_disqualified_keeps_nobody_else_from_a_place() -> None:
    behind = (at("S1a", 1, crossings=1), at("S8b", status="out"), at("S8b", status="out"))
    it = race(at("S4a", deck=(5, 5), crossings=2), *behind, loose=1, riderless="fill")
    it.play(it.legal_moves[0])
    assert it.disqualified == {0}
    assert not it.over
    assert it._one("contenders") == 1


@clause("TRI-4")
def test_it_stands_in_everybodys_way() -> None:
    it = race(at("S8a", 1), at("S9a", 1, disqualified=True))
    assert destinations(it, 1) == {"S9b"}


@clause("TRI-4", "OWN-4")
def test_it_may_withdraw_on_its_turn() -> None:
    it = race(at("S8a", 1, crossings=3, disqualified=True), at("S1a", 1))
    assert kinds(it) == {Play, Withdraw}
    it.play(Withdraw())
    assert it.view().chariots[0].status == "withdrawn"
    assert it.view().chariots[0].space is None


@clause("OWN-4")
def test_also_when_it_cannot_play() -> None:
    it = race(at("N1a", 1, crossings=3, disqualified=True), at("C1a", 1), at("C1b", 1))
    assert kinds(it) == {Miss, Withdraw}


@clause("TRI-4")
def test_nobody_else_may_withdraw() -> None:
    with pytest.raises(IllegalMove, match="TRI-4"):
        race(at("S8a", 1), at("S1a", 1)).play(Withdraw())


@clause("TRI-5")
def test_with_dishonour_nobody_waits_and_going_past_still_disqualifies() -> None:
    it = race(
        at("S1a", 6, 5, 3, crossings=2),
        at("alley1", 1, crossings=2),
        at("S8a", 1, crossings=3),
        tribute="dishonour",
    )
    assert cards(it) == {6, 5, 3}
    it.play(3, to="S4a")
    assert it.disqualified == {0}


@clause("OWN-1")
def test_a_missed_turn_is_barred_waiting_or_blocked() -> None:
    assert misses(race(at("S9a", 6, 6), at("S8a", 1))) == "barred"
    assert misses(race(at("N1a", 6, 1), at("C1a", 1, crossings=2), at("C1b", 1))) == "blocked"
    held_back = race(at("S2a", 2, crossings=2), at("S3a", 1, crossings=2), at("S3b", 1, crossings=2))
    assert misses(held_back) == "waiting"  # nothing is free, and the 2 could stop if the way were


@clause("TRI-4", "TRI-5")
def test_a_coin_is_owed_until_it_is_paid_or_its_driver_disqualified() -> None:
    def owed(tribute: str, *, coin: bool = True, disqualified: bool = False) -> bool:
        mine = at("S10b", 1, coin=coin, disqualified=disqualified)
        view = race(mine, at("S1a", 1), tribute=tribute).view(0)
        assert view.to_go(0) - view.me.remaining == (plain().alley_extra if view.owes(0) else 0)
        return view.owes(0)

    assert owed("required")
    assert owed("dishonour")
    assert not owed("optional")
    assert not owed("required", coin=False)
    assert not owed("dishonour", disqualified=True)
