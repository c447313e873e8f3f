"""The end of a race: END-1 to END-4, NEXT-3, CRA-1, and the rulings that go with them."""

from __future__ import annotations

import pytest

from avecaesar import IllegalMove, Race
from situations import Crash, Miss, Play, Withdraw, at, cards, kinds, misses, race

clause = pytest.mark.clause


def finish(it: Race) -> Race:
    while not it.over:
        it.play(next(iter(it.legal_moves)))
    return it


@clause("COU-2")
@pytest.mark.parametrize("crossings", [0, 1, 2, 3])
def test_three_laps_the_fourth_crossing_is_home(crossings: int) -> None:
    it = race(at("S5a", 1, crossings=crossings, coin=False), at("S8a", 1, crossings=crossings))
    it.play(1, to="home" if crossings == 3 else "S6a")
    assert (it.view().chariots[0].status == "home") is (crossings == 3)
    assert it.view().chariots[0].crossings == crossings + 1


@clause("END-1")
def test_first_home_wins_and_leaves_the_board() -> None:
    it = race(at("S5a", 1, crossings=3, coin=False), at("S5b", 5, crossings=3, coin=False))
    it.play(1, to="home")
    assert it.view().chariots[0].space is None
    assert it.view().chariots[0].remaining == 0
    it.play(5, to="home")  # how far past the line means nothing
    assert it.arrivals == (0, 1)
    assert it._all("arrival") == [1, 2]
    assert it.places == (1, 2)


@clause("END-2")
def test_six_four_three_two_one_and_no_laurels() -> None:
    line = [("S5a", 3), ("S5b", 3), ("S5c", 3), ("S5d", 3), ("S4a", 3), ("S4b", 3)]
    it = finish(race(*[at(space, 2, crossings=c, coin=False) for space, c in line]))
    assert it.laurels == (6, 4, 3, 2, 1, 0)


@clause("END-2")
def test_the_next_moves_up_behind_a_disqualified_chariot_and_out_of_cards_gets_nothing() -> None:
    it = race(
        at("S5a", 1, crossings=3, disqualified=True),
        at("S5b", 1, crossings=3, coin=False),
        at("S9a", 1, crossings=3, coin=False, deck=()),
    )
    finish(it)
    assert it.laurels == (0, 6, 0)
    assert it.arrivals == (1, 2, 0)


@clause("END-3")
def test_the_race_goes_on_until_nobody_who_can_take_a_place_is_racing() -> None:
    it = race(
        at("S5a", 1, crossings=3, coin=False),
        at("S5b", 1, crossings=3, coin=False),
        at("S8a", 1, 2, crossings=3, disqualified=True),
    )
    it.play(1, to="home")
    assert not it.over
    it.play(1, to="home")
    assert it.over  # the disqualified one does not keep the race going


@clause("END-3")
def test_in_the_riassunto_the_first_home_ends_it_in_mid_round() -> None:
    it = race(
        at("S10a", 1, crossings=3, coin=False),
        at("S5b", 1, crossings=3, coin=False),
        at("S9a", 1, crossings=3, coin=True),
        at("S10b", 1, crossings=3, coin=False),
        at("S3a", 1, crossings=3, disqualified=True),
        turn=1,
        edition="riassunto",
    )
    it.play(1, to="home")
    assert it.over
    # Equal distance: by turn order after the winner, so 3 before 0; coin or not. The disqualified: nothing.
    assert it.arrivals == (1, 3, 0, 2, 4)
    assert it.laurels == (3, 6, 2, 4, 0)


@clause("END-3", "OWN-7")
def test_there_a_disqualified_chariot_home_ends_nothing() -> None:
    it = race(
        at("S5a", 1, crossings=3, disqualified=True), at("S8a", 1, 2, crossings=3, coin=False), edition="riassunto"
    )
    it.play(1, to="home")
    assert not it.over


@clause("OWN-7")
def test_with_optional_tribute_everybody_home_counts() -> None:
    it = race(at("S5a", 1, crossings=3), at("S8a", 1, 2, crossings=3), edition="riassunto", tribute="optional")
    it.play(1, to="home")
    assert it.over
    assert it.laurels == (6, 4)


@clause("END-3")
def test_nobody_home_nobody_scores() -> None:
    it = finish(
        race(
            at("S9a", 1, crossings=3, coin=False, deck=()),
            at("S8b", 1, crossings=3, coin=False, deck=()),
            edition="riassunto",
        )
    )
    assert it.laurels == (0, 0)
    assert it.places == (None, None)


def jam(**options: object) -> Race:
    """A leader with barred sixes, and behind him one who cannot move: nobody can play."""
    return race(
        at("C2b", 6, 6, 6, coin=False),
        at("C1b", 1, coin=False, deck=(1, 1)),
        edition="pro-ludo",
        **options,  # type: ignore[arg-type]
    )


@clause("END-4")
def test_when_everybody_has_missed_the_ban_on_sixes_is_lifted_until_a_card_is_played() -> None:
    it = jam()
    it.play(Miss())
    assert misses(it) == "blocked"
    it.play(Miss())
    assert it.view().ban_lifted
    assert it._one("ban_lifted") == 1
    assert cards(it) == {6}
    it.play(next(iter(it.legal_moves)))
    assert not it.view().ban_lifted


@clause("END-4", "OWN-2")
def test_an_exchange_is_not_a_stall() -> None:
    it = jam(missed_turn="exchange")
    for _ in range(4):
        it.play(next(iter(it.legal_moves)))
        if it.view().ban_lifted:
            break
    assert not it.view().ban_lifted


def crashed_ahead(**options: object) -> Race:
    """One chariot behind a crashed one in a walled lane: it can never move again."""
    return race(
        at("C1b", 1, 1, 1, coin=False, deck=(1, 1, 1)),
        at("C2b", 6, coin=False, status="crashed"),
        at("M1a", 1, status="out"),
        at("S1a", 2, 2, 2, coin=False, status="out"),
        crash="yes",
        **options,  # type: ignore[arg-type]
    )


@clause("END-4", "OWN-2")
def test_a_whole_round_without_a_play_after_that_ends_the_race() -> None:
    it = crashed_ahead(edition="pro-ludo")
    it.play(Miss())
    assert it.view().ban_lifted
    assert not it.over
    it.play(Miss())
    assert it.over
    assert it.laurels == (0, 0, 0, 0)


@clause("END-4", "OWN-2")
def test_25_rounds_of_exchanges_without_a_play_lift_the_ban() -> None:
    it = crashed_ahead()
    for _ in range(24):
        it.play(Miss(1))
    assert not it.view().ban_lifted
    it.play(Miss(1))
    assert it.view().ban_lifted
    it.play(Miss(1))
    assert it.over


@clause("END-4", "OWN-2")
def test_every_play_starts_both_counts_anew() -> None:
    for missed_turn, kept in (("keep", 1), ("exchange", 0)):
        it = race(at("S10a", 2, 5), at("N1a", 1), missed_turn=missed_turn)
        it.play(it.legal_moves[0])
        assert (it._one("idle"), it._one("kept")) == (1, kept)
        it.play(1, to="C1b")
        assert (it._one("idle"), it._one("kept")) == (0, 0)


@clause("END-4", "OWN-2")
def test_a_withdrawal_starts_the_count_anew() -> None:
    it = race(
        at("C1b", 1, coin=False),
        at("C2b", 6, coin=False, status="crashed"),
        at("C3a", 6, 5, crossings=3, disqualified=True),
        at("C2a", 1, coin=False, status="crashed"),
        at("C1a", 1, coin=False),
        edition="pro-ludo",
        crash="yes",
    )
    it.play(Miss())
    it.play(Withdraw())
    it.play(Miss())
    assert not it.view().ban_lifted
    it.play(Miss())
    assert it.view().ban_lifted


@clause("NEXT-3")
def test_the_order_of_arrival_in_full() -> None:
    """Places first; then who is out, by distance; then the disqualified, those at home first."""
    it = race(
        at("S5a", 1, crossings=3, disqualified=True),  # disqualified, will be home
        at("P1a", 1, crossings=3, coin=False, deck=()),  # out of cards, far
        at("T1a", 1, crossings=3, coin=False, deck=()),  # out of cards, near
        at("M1a", 1, 1, crossings=3, disqualified=True),  # disqualified, still racing
        at("S5b", 1, crossings=3, coin=False),  # the winner
    )
    finish(it)
    assert it.arrivals == (4, 2, 1, 0, 3)


@clause("NEXT-3")
def test_of_two_equals_who_left_later_is_ahead() -> None:
    it = race(
        at("S8a", 1, crossings=3, coin=False, deck=()),
        at("S8b", 1, crossings=3, coin=False, deck=()),
        at("S5b", 1, crossings=3, coin=False),
    )
    it.play(1, to="S9a")
    it.play(1, to="S9b")
    it.play(1, to="home")
    assert it.arrivals == (2, 1, 0)


@clause("NEXT-3", "OWN-6")
def test_at_a_stall_equals_stand_in_turn_order_and_who_still_races_left_last() -> None:
    it = race(
        at("S9b", 1, crossings=3, coin=False, status="out"),
        at("S9a", 6, 6, coin=False, crossings=3, disqualified=True),
        at("S9b", 6, 6, coin=False, crossings=3, disqualified=True),
        at("S5b", 1, crossings=3, coin=False),
        turn=3,
    )
    it.play(1, to="home")
    assert it.over
    assert it.arrivals == (3, 0, 1, 2)
    it = race(
        at("S9b", 1, crossings=3, coin=False, disqualified=True, status="out"),
        at("S9a", 6, 6, coin=False, crossings=3, disqualified=True),
        at("S5b", 1, crossings=3, coin=False),
        turn=2,
    )
    it._fields["left"][0][0] = 7
    it.play(1, to="home")
    assert it.arrivals == (2, 1, 0)


@clause("CRA-1")
def test_a_leader_with_nothing_but_sixes_crashes_and_blocks_his_space() -> None:
    it = race(at("S9a", 6, 6, 6), at("S8a", 1, 2), crash="yes")
    assert list(it.legal_moves) == [Crash()]
    with pytest.raises(IllegalMove, match="CRA-1"):
        it.play(6, to="C3a")
    it.play(Crash())
    chariot = it.view().chariots[0]
    assert chariot.status == "crashed"
    assert it.course.spaces[chariot.space or 0].name == "S9a"
    assert {move.to for move in it.legal_moves if isinstance(move, Play) and move.card == 1} == {
        it.course.space("S9b").id
    }


@clause("CRA-1")
@pytest.mark.parametrize("where", ["N1a", "S9a"])
def test_neither_a_bottleneck_nor_a_tie_saves_him(where: str) -> None:
    it = race(at(where, 6, 6), at("S9b", 6, 6), crash="yes")
    assert kinds(it) == {Crash}


@clause("CRA-1")
def test_the_first_turn_a_chariot_home_and_being_alone_do() -> None:
    first = race(at("S5a", 6, 6, crossings=0), at("S5b", 6, 2, crossings=0), turns=0, crash="yes")
    somebody_home = race(at("S9a", 6, 6), at("S8a", 1), at("S5a", 1, status="home", crossings=3), crash="yes")
    alone = race(at("S9a", 6, 6), at("S8a", 1, status="out"), crash="yes")
    for it in (first, somebody_home, alone):
        assert cards(it) == {6}


@clause("CRA-1")
def test_nobody_else_crashes() -> None:
    it = race(at("S9a", 6, 5), at("S8a", 1), crash="yes")
    with pytest.raises(IllegalMove, match="CRA-1"):
        it.play(Crash())


@clause("CRA-1", "OWN-6")
def test_when_crashed_chariots_cut_the_course_nobody_scores() -> None:
    it = race(at("N1a", 6, 6), at("S8a", 1, 2), at("S8b", 1, 2), crash="yes")
    it.play(Crash())
    assert it.over
    assert it.laurels == (0, 0, 0)
    assert it.places == (None, None, None)


@clause("OWN-3")
def test_while_the_ban_is_lifted_nobody_crashes() -> None:
    it = race(at("S9a", 6, 6), at("S8a", 1, 2), crash="yes", ban_lifted=True)
    assert cards(it) == {6}


@clause("OWN-4")
def test_who_must_crash_cannot_withdraw() -> None:
    it = race(at("S9a", 6, 6, disqualified=True), at("S8a", 1, 2), crash="yes")
    assert kinds(it) == {Crash}
