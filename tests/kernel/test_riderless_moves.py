"""How riderless chariots move, by rule and by vote (NPC-3)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import Any

import numba
import pytest

from avecaesar import IllegalMove, Miss, Play, Race, Vote, load_course
from avecaesar.courses.course import LONGEST_STRIDE
from avecaesar.kernel import packing
from avecaesar.kernel import riderless as kernel
from avecaesar.kernel.layout import ABSTAINED
from lockstep import facts
from situations import Standing, at, only_move, race, told

clause = pytest.mark.clause


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
