"""What a driver is told before he decides: where a card leads, what that costs for good, and who stands in its way."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest

from avecaesar.courses import DIRECTIONS, Direction, load_course
from avecaesar.courses.geometry import lay_out
from avecaesar.game import Play, Race, View
from avecaesar.game.what_if import on_empty_course
from avecaesar.kernel import layout as k
from avecaesar.server.tables.projection import _offer, _refused, chariots_shown
from avecaesar.table import Rig, SeatNumber
from avecaesar.telling import narration
from avecaesar.telling.lanes import lane, named_by
from avecaesar.telling.refusal_words import of_space
from avecaesar.telling.stakes import blockers_of, in_the_way, risk_of, spare_after
from situations import at, plain, race

COURSES = ("white", "blue", "yellow", "red")


def play(view: View, card: int, to: str) -> Play:
    return Play(card, view.course.space(to).id)


# ---------------------------------------------------------------------- where


@pytest.mark.parametrize("course", COURSES)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_no_two_offers_of_a_race_have_the_same_name(course: str, direction: str) -> None:
    source = random.Random(f"{course} {direction}")
    it = Race(course, 4, direction=direction, seed=3)  # type: ignore[arg-type]
    while not it.over:
        view = it.view(it.turn)
        names = [narration.named(move, view) for move in view.legal_moves]
        assert len(set(names)) == len(names), names
        it.play(source.choice(view.legal_moves))


@pytest.mark.parametrize("name", COURSES)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_inside_is_where_one_sees_what_the_course_goes_round(name: str, direction: Direction) -> None:
    """Inner lanes lie within the ring of the course's middle, outer lanes without, wherever it bends."""
    course = load_course(name, direction)
    layout = lay_out(course.board)
    seen = []
    for space in course.spaces:
        told, shape = lane(course, space.id), layout.shapes[space.name]
        if told not in ("", "middle"):
            seen.append(told)
            assert is_within((shape.x, shape.y), layout.threads[name]) == ("inside" in told), space.name
    assert min(seen.count("inside"), seen.count("outside")) > 15


def is_within(point: tuple[float, float], ring: Sequence[tuple[float, float]]) -> bool:
    """Whether a point lies in a polygon: it is odd how often a line from it crosses the edge."""
    x, y = point
    crossed = False
    for (a, b), (c, d) in pairwise([*ring, ring[0]]):
        if (b > y) != (d > y) and x < a + (y - b) * (c - a) / (d - b):
            crossed = not crossed
    return crossed


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_inside_of_a_curve_is_its_shorter_lane_where_it_bends_as_the_course_does(direction: Direction) -> None:
    for name in ("white", "blue"):
        course = plain(name, direction)
        for section in course.board.sections(name):
            if section.kind != "straight":
                first = [space for space in course.spaces if space.place.section == section.name]
                inner = {space.place.lane for space in first if lane(course, space.id) == "inside"}
                shortest = min(section.lanes) if section.kind == "right" else max(section.lanes)
                assert [section.lanes[at] for at in inner] == [shortest]


def test_who_is_in_the_alley_goes_on_in_it() -> None:
    view = race(at("alley1", 1, 2, crossings=1), at("S8a", 1)).view(0)
    assert [named_by(one, view) for one in view.plays if one.card == 1] == ["1 on in the alley"]
    outside = race(at("S3a", 1, 2, crossings=1), at("S8a", 1)).view(0)
    assert "1 into the alley" in [named_by(one, outside) for one in outside.plays]


# ---------------------------------------------------------------------- at what cost


def spared(points: int) -> View:
    """A view of somebody who can waste so many points, one of them at once: by C1a instead of C1b."""
    cards = (3, 3, 3)
    course = plain()
    need = course.remaining[1][course.space("S10b").id] - sum(cards) + points
    deck = (*[6] * (need // 6), *([need % 6] if need % 6 else []))
    return race(at("S10b", *cards, deck=deck, coin=False), at("S1a", 1)).view(0)


def test_a_detour_that_costs_the_race_is_told_and_one_that_leaves_nothing_too() -> None:
    for spare, risk, warning in (
        (0, "stranded", "then you cannot get home"),
        (1, "last", "then nothing is left to spare"),
        (2, "none", ""),
    ):
        view = spared(spare)
        assert view.chariot is not None
        assert view.to_spare(view.chariot) == spare
        wasteful = next(one for one in view.plays if view.outlooks[one].wasted == 1)
        straight = next(one for one in view.plays if view.outlooks[one].wasted == 0)
        offer = _offer(wasteful, view)
        assert (offer.risk, offer.warning, offer.spare) == (risk, warning, spare - 1)
        assert offer.words.endswith(warning or "wastes 1")
        assert (risk_of(straight, view), spare_after(straight, view)) == ("none", spare)


def test_points_to_spare_after_a_play_are_what_the_next_view_counts() -> None:
    source = random.Random(7)
    for seed in range(6):
        it = Race("white", 4, seed=seed)
        while not it.over:
            chariot = it.turn
            assert chariot is not None
            view = it.view(chariot)
            chosen = source.choice(view.legal_moves)
            told = spare_after(chosen, view) if isinstance(chosen, Play) else None
            it.play(chosen)
            if told is not None:
                assert it.view(chariot).to_spare(chariot) == told


def test_where_the_emperor_keeps_cards_nothing_is_said_of_what_is_left() -> None:
    piles = ((2,), (3,), (4,))
    view = race(at("S8a", 1, 1, piles=piles, emperor=True), at("S1a", 1, 1, piles=piles), edition="ausgebremst").view(0)
    assert view.me.emperor
    assert {(risk_of(one, view), spare_after(one, view)) for one in view.plays} == {("none", None)}


def test_driving_past_the_alley_with_the_coin_is_a_risk_by_its_own_name() -> None:
    view = race(at("S3a", 1, 2, 3, crossings=2), at("alley1", 1, crossings=2), tribute="dishonour").view(0)
    past = [one for one in view.plays if view.outlooks[one].disqualifies]
    assert past
    assert {(_offer(one, view).risk, _offer(one, view).warning) for one in past} == {
        ("disqualified", "you are disqualified")
    }


# ---------------------------------------------------------------------- who stands in the way


def test_a_blocked_card_names_those_who_stand_in_its_way_and_nobody_else() -> None:
    view = race(at("S8a", 2), at("S9a", 1), at("S9b", 1), at("S10a", 1), at("S1a", 1)).view(0)
    refused = _refused(2, view.refusals[2], view)
    assert refused.blockers == (1, 2)
    assert refused.words == "driver 1 and driver 2 stand in the way: a card is moved in full or not at all."


def test_every_card_that_is_blocked_is_blocked_by_somebody_and_free_without_them() -> None:
    looks = 0
    for seed in range(12):
        it = Race("white", 6, seed=seed)
        source = random.Random(seed)
        while not it.over:
            view = it.view(it.turn)
            for card, why in view.refusals.items():
                if why.verdict == k.REFUSED_BLOCKED:
                    assert in_the_way(view, card)
                    looks += 1
            it.play(source.choice(view.legal_moves))
    assert looks > 20


def test_a_space_that_was_pointed_at_names_whoever_keeps_one_from_it() -> None:
    view = race(at("S8a", 1, 2), at("S9a", 1), at("S9b", 1)).view(0)
    assert blockers_of(view, play(view, 1, "S9a")) == (1,)
    assert blockers_of(view, play(view, 2, "S10a")) == (1, 2)
    assert blockers_of(view, play(view, 1, "S10a")) == ()  # no 1 leads there at all


def test_whoever_points_at_a_space_is_told_of_others_only_where_they_keep_him_from_it() -> None:
    it, source, told = Race("white", 6, seed=8), random.Random(8), set()
    while not it.over:
        view = it.view(it.turn)
        assert view.me.space is not None
        for card in set(view.hand):
            near = on_empty_course(view.course, view.me.space, card)
            for to in {*near, *source.sample(range(len(view.course.spaces)), 5)}:
                why = it.why_not(card, to)
                if why is not None:
                    in_their_way = why.verdict in (k.REFUSED_OCCUPIED, k.REFUSED_BLOCKED)
                    words, blockers = of_space(Play(card, to), why, view)
                    assert (" in the way" in words) == bool(blockers) == in_their_way
                    told.add(why.verdict)
        it.play(source.choice(view.legal_moves))
    assert told >= {k.REFUSED_OCCUPIED, k.REFUSED_BLOCKED, k.REFUSED_WALL, k.REFUSED_NOT_EXACT, k.REFUSED_SIX}


# ---------------------------------------------------------------------- how everybody stands


def test_positions_follow_the_way_that_is_left() -> None:
    it = race(at("S8a", 1), at("C1b", 1), at("S8b", 1), at("N1a", 1, status="home", crossings=3))
    rigs = [Rig(f"driver {i}", "red", SeatNumber(i)) for i in range(4)]
    told = chariots_shown(it.view(), rigs)
    assert [one.behind for one in told] == [4, 0, 4, None]
    assert [one.position for one in told[:3]] == [3, 2, 3]  # one is home already
    assert told[1].where == "inside"
