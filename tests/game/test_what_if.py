"""What the kernel says of ways, stops and leads, for those who explain a race: the same as it decides by."""

from __future__ import annotations

import random

import pytest

from avecaesar.courses import load_course
from avecaesar.game import Miss, Play, Race, View, Vote
from avecaesar.game.what_if import leads_after, on_empty_course, remaining_after, stopping_cards, walk
from avecaesar.kernel.layout import CRASH
from avecaesar.rules import CARD_VALUES, EDITIONS
from situations import at, race

KINDS: dict[str, dict[str, object]] = {
    **{name: {"edition": name} for name in EDITIONS},
    "dishonour": {"options": {"tribute": "dishonour"}},
    "crashes": {"options": {"crash": "yes"}},
    "riderless": {"options": {"riderless": "fill"}},
}


def turns(kind: str, races: int = 3) -> list[tuple[Race, View]]:
    """Everybody's turns in some races at random: the race before each, and what its driver sees."""
    found = []
    for seed in range(races):
        it, source = Race("white", 4, seed=seed, **KINDS[kind]), random.Random(seed)  # type: ignore[arg-type]
        while not it.over:
            view = it.view(it.turn)
            if view.asks == "turn" and view.chariot in it.driven:
                found.append((it.copy(), view))
            it.play(source.choice(list(it.legal_moves)))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_walk_leads_where_cards_can_be_played(kind: str) -> None:
    for it, view in turns(kind):
        assert view.chariot is not None
        ways = walk(view, view.chariot)
        for card in set(view.hand) - ({6} if it._one("six_barred") else set()):
            to = {play.to for play in view.plays if play.card == card}
            ahead = ways[card - 1]
            reached = {*ahead.free, *(["home"] if ahead.home else [])}
            # Whoever must crash plays nothing, and TRI-3 forbids some ways.
            if it._one("phase") != CRASH and not it._one("duty"):
                assert to == reached
            assert to <= reached


@pytest.mark.parametrize("kind", KINDS)
def test_whom_a_walk_meets_stands_where_it_would_lead_else(kind: str) -> None:
    for _, view in turns(kind, 1):
        assert view.chariot is not None
        here = view.me.space
        assert here is not None
        others = {chariot.space: i for i, chariot in enumerate(view.chariots) if i != view.chariot}
        before: set[int] = set()
        for card, ahead in zip(CARD_VALUES, walk(view, view.chariot), strict=True):
            empty = on_empty_course(view.course, here, card)
            assert set(ahead.free) <= set(empty) - others.keys()
            assert set(ahead.met) - before <= {others[space] for space in empty if space in others}
            assert before <= set(ahead.met)
            if not ahead.met and not ahead.home:
                assert ahead.free == empty
            before = set(ahead.met)


def test_whoever_stands_beyond_the_finish_is_in_nobodys_way() -> None:
    it = race(at("S5a", 1, 2, crossings=3, coin=False), at("S6a", 1, crossings=1), at("S6b", 1, crossings=1))
    first = walk(it.view(), 0)[0]
    assert (first.home, first.met) == (True, ())
    it = race(at("S5a", 1, 2, crossings=2, coin=False), at("S6a", 1, crossings=1), at("S6b", 1, crossings=1))
    assert not walk(it.view(), 0)[0].home


def test_a_walk_can_begin_where_the_chariot_does_not_stand() -> None:
    others = (at("S9a", 1), at("S10b", 1), at("C1a", 1))
    there, here = race(at("S8b", 1), *others).view(), race(at("S2a", 1), *others).view()
    assert walk(here, 0, here.course.space("S8b").id) == walk(there, 0)
    assert walk(here, 0, here.chariots[0].space) == walk(here, 0) != walk(there, 0)


@pytest.mark.parametrize("course", ["white", "blue", "yellow", "red"])
def test_cards_that_stop_in_the_alley_lead_there(course: str) -> None:
    compiled = load_course(course)
    alley = {space.id for space in compiled.spaces if space.alley}
    for space in range(len(compiled.spaces)):
        led = {card for card in CARD_VALUES if alley.intersection(on_empty_course(compiled, space, card))}
        assert stopping_cards(compiled, space) == led
    assert any(stopping_cards(compiled, space) for space in range(len(compiled.spaces)))


@pytest.mark.parametrize("kind", ["ravensburger", "thibault", "riderless"])
def test_who_leads_after_a_play_is_told_before(kind: str) -> None:
    told = set()
    for it, view in turns(kind, 2):
        for play in view.plays:
            after = it.copy()
            after.play(play)
            assert leads_after(view, play) == (view.chariot in after.leaders)
            told.add(leads_after(view, play))
    assert told == {True, False}


@pytest.mark.parametrize("kind", ["ravensburger", "thibault", "dishonour"])
def test_how_far_it_is_after_a_play_is_told_before(kind: str) -> None:
    for it, view in turns(kind, 2):
        for play in view.plays:
            after = it.copy()
            after.play(play)
            assert view.chariot is not None
            assert remaining_after(view, play) == after.view().chariots[view.chariot].remaining
            assert remaining_after(view, play) == view.outlooks[play].remaining


def test_in_a_vote_it_is_told_of_the_chariot_that_is_voted_on() -> None:
    options = {"riderless": "extra", "riderless_count": "2", "riderless_moves": "vote"}
    it, source, told = Race("white", 3, options=options, seed=4), random.Random(4), set()
    while not it.over:
        view, move = it.view(it.turn), source.choice(list(it.legal_moves))
        first = it.turn == it.driven[0]
        if isinstance(move, Vote) and move.play is not None and first:
            assert view.mover is not None
            after = it.copy()
            while after.asks == "vote":  # all agree
                after.play(move)
            after.play(after.legal_moves[0])
            assert remaining_after(view, move.play) == after.view().chariots[view.mover].remaining
            told.add(view.chariots[view.mover].lap)
        it.play(move)
    assert told >= {0, 1, 2}


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_passes_the_alley_owing_is_disqualified_and_nobody_else(kind: str) -> None:
    for it, view in turns(kind):
        source = random.Random(len(view.history))
        move = source.choice(view.legal_moves)
        assert view.chariot is not None
        it.play(move)
        after = it.view()
        if after.chariots[view.chariot].disqualified > view.me.disqualified:
            assert view.owes(view.chariot)
        if view.owes(view.chariot) > after.owes(view.chariot):
            assert isinstance(move, Play)
            paid = not after.chariots[view.chariot].coin
            assert paid != after.chariots[view.chariot].disqualified
        if isinstance(move, Miss):
            assert view.owes(view.chariot) == after.owes(view.chariot)


@pytest.mark.parametrize("kind", KINDS)
def test_each_play_tells_whether_the_coin_is_owed_after_it(kind: str) -> None:
    for it, view in turns(kind, races=1):
        assert view.chariot is not None
        for play, outlook in view.outlooks.items():
            after = it.copy()
            after.play(play)
            assert outlook.owes == after.view().owes(view.chariot)


@pytest.mark.parametrize("riderless", ["extra", "fill", "fill_no_tribute"])
def test_only_those_have_paid_who_had_a_coin_and_the_second_lap_is_the_last_to_pay_on(riderless: str) -> None:
    options = {"riderless": riderless} | ({"riderless_count": "1"} if riderless == "extra" else {})
    paid, due = set[bool](), set[bool]()
    for seed in range(3):
        it, source = Race("white", 3, seed=seed, options=options), random.Random(seed)
        had = {i for i in it.grid if it.view().chariots[i].coin}
        assert set(it.driven) <= had
        assert (it.riderless <= had) == (riderless == "fill")
        while not it.over:
            view = it.view()
            for i in view.grid:
                assert view.paid(i) == (i in had and not view.chariots[i].coin)
                assert view.must_pay(i) == (view.owes(i) and view.chariots[i].crossings == 2)
                paid.add(view.paid(i))
                due.add(view.must_pay(i))
            it.play(source.choice(it.legal_moves))
    assert paid == due == {True, False}
