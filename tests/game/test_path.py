"""The way a move is drawn along: real steps, nobody run over, exactly as far as the card says."""

from __future__ import annotations

import random

import pytest

from avecaesar.courses import DIRECTIONS, Direction
from avecaesar.game import Play, Race, View, Vote, way
from avecaesar.game.path import walled_ways


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("course", ["white", "blue", "yellow", "red"])
def test_every_legal_play_has_a_way_over_free_spaces(course: str, direction: Direction) -> None:
    source = random.Random(f"{course}{direction}")
    race = Race(course, 6, direction=direction, seed=source.getrandbits(30))
    while not race.over:
        view = race.view()
        assert race.turn is not None
        start = view.chariots[race.turn].space
        taken = {chariot.space for chariot in view.chariots}
        for play in race.legal_moves:
            if not isinstance(play, Play):
                continue
            driven = way(view, play)
            at = start
            for space in driven:
                assert at is not None
                assert space in {step.to for step in race.course.spaces[at].steps}
                at = space
            if play.to == "home":
                assert len(driven) <= play.card
                assert not taken & set(driven[:-1])
                assert driven[-1] < (start or 0)
            else:
                assert len(driven) == play.card
                assert driven[-1] == play.to
                assert not taken & set(driven)
        race.play(source.choice(list(race.legal_moves)))


def test_there_is_no_way_for_a_move_that_cannot_be_made() -> None:
    race = Race("white", 2, seed=1)
    with pytest.raises(ValueError, match="no free way of 1"):
        way(race.view(), Play(1, 40))


def test_in_a_vote_it_is_the_way_of_the_chariot_that_is_voted_on() -> None:
    options = {"riderless": "extra", "riderless_count": "2", "riderless_moves": "vote"}
    race, source, votes = Race("white", 3, options=options, seed=1), random.Random(1), 0
    while not race.over:
        view = race.view(race.turn)
        assert view.mover == race.mover == (view.voted_on if view.asks == "vote" else view.turn)
        for move in view.legal_moves:
            if isinstance(move, Vote) and move.play is not None:
                assert view.mover in race.riderless
                start = view.chariots[view.mover].space
                assert start is not None
                driven = way(view, move.play)
                assert driven[0] in {step.to for step in view.course.spaces[start].steps}
                assert driven[-1] == move.play.to or move.play.to == "home"
                votes += 1
        race.play(source.choice(list(race.legal_moves)))
    assert votes > 20
    assert race.mover is race.view().mover is None


@pytest.mark.parametrize("course", ["white", "blue"])
def test_the_ways_through_one_wall_lead_past_nobody_and_none_is_forgotten(course: str) -> None:
    race, source, seen = Race(course, 5, seed=4), random.Random(4), 0
    while not race.over:
        view = race.view()
        assert view.mover is not None
        here = view.chariots[view.mover].space
        assert here is not None
        for card in (1, 3, 4):
            told = list(walled_ways(view, card))
            assert {one.driven: one.wall for one in told} == (ways := by_hand(view, here, card))
            assert len(told) == len(ways)
            walls = [one.driven.index(one.wall[1]) for one in told]
            assert walls == sorted(walls, reverse=True)
            seen += len(told)
        race.play(source.choice(list(race.legal_moves)))
    assert seen > 100


def by_hand(view: View, here: int, card: int) -> dict[tuple[int, ...], tuple[int, int]]:
    """The same, tried step by step; past the finish nobody drives."""
    spaces, taken = view.course.spaces, {chariot.space for chariot in view.chariots}
    assert view.mover is not None
    last = view.chariots[view.mover].crossings == 3
    ways: list[tuple[tuple[int, ...], tuple[tuple[int, int], ...]]] = [((here,), ())]
    for _ in range(card):
        ways = [
            ((*way, step.to), (*walls, (way[-1], step.to)) if walled else walls)
            for way, walls in ways
            for walled, steps in enumerate((spaces[way[-1]].steps, spaces[way[-1]].through_walls))
            for step in steps
            if step.to not in taken and not (step.line and last)
        ]
    return {way[1:]: walls[0] for way, walls in ways if len(walls) == 1}
