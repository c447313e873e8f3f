"""The six: who leads, and who may not play one (SIX-1 to SIX-8)."""

from __future__ import annotations

import pytest

from situations import Miss, at, cards, clause_against, destinations, misses, race

clause = pytest.mark.clause


@clause("SIX-1")
def test_the_leader_may_not_play_a_six() -> None:
    it = race(at("S9a", 6, 2), at("S8a", 1))
    assert it.leaders == {0}
    assert cards(it) == {2}
    assert clause_against(it, 6, "P1a") == "SIX-1"


@clause("SIX-1")
def test_who_is_behind_may_overtake_with_a_six() -> None:
    it = race(at("S8a", 6, 2), at("S9a", 1))
    assert cards(it) == {2, 6}


@clause("SIX-1")
def test_none_of_several_leaders_may_play_a_six() -> None:
    it = race(at("S9a", 6, 2), at("S9b", 6, 2))
    assert it.leaders == {0, 1}
    assert cards(it) == {2}


@clause("SIX-1")
def test_in_a_curve_the_chariot_inside_leads() -> None:
    """Both have just entered the curve C side by side; the inner lane is shorter."""
    it = race(at("C1a", 6, 1), at("C1b", 6, 1))
    assert it.leaders == {1}
    assert 6 in cards(it)


@clause("SIX-1")
def test_laps_count_before_spaces() -> None:
    it = race(at("S9a", 6, 2, crossings=1), at("S8a", 1, crossings=2))
    assert it.leaders == {1}


@clause("SIX-1")
def test_disqualified_chariots_lead_too() -> None:
    it = race(at("S8a", 6, 2), at("S9a", 1, disqualified=True))
    assert it.leaders == {1}


@clause("SIX-2")
def test_the_very_first_turn_is_exempt() -> None:
    first = race(at("S5a", 6, 2, crossings=0), at("S5b", 6, 2, crossings=0), turns=0)
    assert 6 in cards(first)
    second = race(at("S5a", 6, 2, crossings=0), at("S5b", 6, 2, crossings=0), turns=1)
    assert cards(second) == {2}


@clause("SIX-2")
def test_in_the_riassunto_it_is_not() -> None:
    it = race(at("S5a", 6, 2, crossings=0), at("S5b", 6, 2, crossings=0), turns=0, edition="riassunto")
    assert cards(it) == {2}


@clause("SIX-3")
def test_a_leader_with_nothing_but_sixes_misses_turns_until_he_is_passed() -> None:
    it = race(at("S9a", 6, 6, 6), at("S8b", 1, 2))
    assert misses(it) == "barred"
    it.play(Miss())
    it.play(2, to="S10b")
    assert cards(it) == {6}


@clause("SIX-4")
def test_in_a_bottleneck_he_may_play_one() -> None:
    it = race(at("N1a", 6, 6, 6), at("S8b", 1, 2))
    assert cards(it) == {6}


@clause("SIX-4")
def test_but_only_with_nothing_but_sixes() -> None:
    it = race(at("N1a", 6, 6, 5), at("S8b", 1, 2))
    assert cards(it) == {5}


@clause("SIX-4")
def test_without_the_exception_he_waits() -> None:
    it = race(at("N1a", 6, 6, 6), at("S8b", 1, 2), narrow_exception="none")
    assert misses(it) == "barred"


CUTTING = (at("S9a", 6, 6, 6), at("S9b", 6, 6, 6))
APART = (at("S6a", 6, 6, 6, crossings=1), at("S6b", 6, 6, 6, crossings=1))  # two of four lanes


@clause("SIX-5")
def test_tied_leaders_who_cut_the_course_with_nothing_but_sixes() -> None:
    assert cards(race(*CUTTING)) == {6}


@clause("SIX-5")
def test_not_if_one_of_them_holds_another_card() -> None:
    assert misses(race(CUTTING[0], at("S9b", 6, 6, 5))) == "barred"


@clause("SIX-5")
def test_not_if_the_course_is_open_beside_them() -> None:
    assert misses(race(*APART)) == "barred"


@clause("SIX-5")
def test_the_alley_counts_as_a_way_round() -> None:
    """S5a to S5d are all four lanes before the line, but the alley runs beside them."""
    line = [at(f"S5{lane}", 6, 6, 6, crossings=1) for lane in "abcd"]
    assert misses(race(*line)) == "barred"


@clause("SIX-5")
def test_in_the_fiche_they_need_not_cut() -> None:
    assert cards(race(*APART, edition="fiche")) == {6}


@clause("SIX-5")
def test_the_riassunto_does_not_have_it() -> None:
    assert misses(race(*CUTTING, edition="riassunto")) == "barred"


@clause("SIX-5")
def test_one_leader_alone_is_not_tied() -> None:
    assert misses(race(at("S9a", 6, 6, 6), at("S8b", 6, 6, 6), edition="fiche")) == "barred"


@clause("SIX-5", "OWN-5")
def test_an_empty_hand_is_not_a_hand_of_sixes() -> None:
    it = race(CUTTING[0], at("S9b", deck=(1, 2, 3)), edition="fiche", draw="end_of_round")
    assert misses(it) == "barred"


@clause("SIX-6")
def test_once_a_chariot_is_home_everybody_may_play_sixes() -> None:
    it = race(at("S9a", 6, 2), at("S8a", 1), at("S5a", 1, status="home", crossings=3))
    assert it.leaders == frozenset()
    assert cards(it) == {2, 6}


@clause("SIX-6")
def test_even_if_it_was_disqualified() -> None:
    it = race(at("S9a", 6, 2), at("S8a", 1), at("S5a", 1, status="home", crossings=3, disqualified=True))
    assert cards(it) == {2, 6}


@clause("SIX-7")
def test_the_last_chariot_racing_leads_nobody() -> None:
    it = race(at("S9a", 6, 2), at("S8a", 1, status="out"))
    assert cards(it) == {2, 6}


@clause("SIX-8")
@pytest.mark.parametrize("sixes", [1, 2, 3])
def test_nothing_but_sixes_also_when_the_hand_is_short(sixes: int) -> None:
    it = race(at("N1a", *[6] * sixes, deck=()), at("S8b", 1, 2))
    assert cards(it) == {6}


@clause("SIX-1")
def test_the_ban_looks_at_the_moment_before_the_move() -> None:
    """He is behind now and will lead afterwards: the six is free."""
    it = race(at("S8b", 6), at("S9a", 1))
    assert destinations(it, 6) == {"C3a", "P1a", "P1b"}


@clause("SIX-1")
def test_the_leader_may_not_go_home_with_a_six_either() -> None:
    it = race(at("S5a", 5, 6, crossings=3, coin=False), at("S8a", 1))
    assert cards(it) == {5}
    assert clause_against(it, 6, "home") == "SIX-1"


@clause("SIX-1")
def test_who_has_left_the_race_leads_nobody() -> None:
    it = race(at("S9a", 1, crossings=3, coin=False, deck=()), at("S8b", 1, crossings=3, coin=False, deck=()))
    it.play(1, to="S10a")
    assert it.leaders == {1}
    it.play(1, to="S9b")
    assert it.over
    assert it.leaders == frozenset()


@clause("SIX-1", "SIX-2", "SIX-6", "SIX-7")
def test_everybody_sees_whom_the_ban_holds_whatever_they_hold() -> None:
    held = race(at("S9a", 1), at("S8a", 1))
    assert held.leaders == {0}
    assert held.under_ban == {0}
    assert held.view().under_ban == held.view(1).under_ban == {0}
    tied = race(at("S9a", 6), at("S9b", 1), at("S8a", 1))
    assert tied.under_ban == {0, 1}
    first = race(at("S5a", 1, crossings=0), at("S5b", 6, crossings=0), turns=0)
    assert first.leaders
    assert first.under_ban == set()
    somebody_home = race(at("S9a", 1), at("S8a", 1), at("S5a", 1, status="home", crossings=3))
    assert somebody_home.under_ban == set()
    alone = race(at("S9a", 6), at("S8a", 1, status="out"))
    assert alone.under_ban == set()
