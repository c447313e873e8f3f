"""The Ausgebremst adaptation: optional tribute, scoring, and every card is somewhere (AUS-4 to AUS-6)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from ausgebremst_races import begun
from avecaesar import Draw, IllegalMove, Lay, Play, Race, RulesError, Tournament, edition
from avecaesar.drivers import Greedy, drive
from avecaesar.game.moves import DECK_NAMES, DeckName
from avecaesar.rules import DECKS
from situations import _survey, at, hand, race

clause = pytest.mark.clause


# ---------------------------------------------------------------------- tribute


@clause("AUS-4")
def test_tribute_is_optional_nobody_waits_and_nobody_is_disqualified() -> None:
    piles = ((1, 1), (5,), (6,))
    it = race(
        at("S3a", 3, 6, crossings=2, piles=piles, emperor=True),
        at("alley3", 1, 1, crossings=2, piles=piles),
        edition="ausgebremst", riderless="none",
    )  # fmt: skip
    it.play(3, to="S6a")
    assert it.disqualified == set()


@clause("AUS-4")
def test_on_a_who_pays_takes_the_three_into_the_hand_instead_of_drawing() -> None:
    it = race(
        at("S3a", 2, 6, piles=((1, 1), (5,), (6,)), emperor=True), at("S8b", 1, 1, piles=((1,), (1,), (1,))),
        edition="ausgebremst", riderless="none",
    )  # fmt: skip
    it.play(2, to="alley2")
    assert hand(it, 0) == (3, 6)
    assert it.turn == 1
    assert it.view(1).chariots[0].emperor == ()
    assert not it.view(1).chariots[0].coin
    assert it.view(0).chariots[0].piles == (2, 1, 1)


@clause("AUS-4")
def test_at_the_times_of_tri_1() -> None:
    for crossings, pays in ((1, True), (2, True), (3, False)):
        it = race(
            at("S3a", 2, 6, crossings=crossings, piles=((1, 1), (5,), (6,)), emperor=True),
            at("S8b", 1, 1, piles=((1,), (1,), (1,))),
            edition="ausgebremst", riderless="none",
        )  # fmt: skip
        it.play(2, to="alley2")
        assert (it.view(0).chariots[0].emperor == ()) == pays, crossings
        assert (it.asks == "draw") != pays


def on_b(*hand_: int, piles: tuple[tuple[int, ...], ...]) -> Race:
    """On side B, a stop in the alley's first space has just been made with a 1."""
    it = begun("slow", "slow", course="red", options={"riderless": "none"})
    course = it.course
    alley = next(space for space in course.spaces if space.alley == "before")
    entrance = next(
        space for space in course.spaces if alley.id in {step.to for step in space.steps} and not space.alley
    )
    fields = it._fields
    fields["space"][0][0], fields["crossings"][0][0] = entrance.id, 1
    fields["remaining"][0][0] = course.remaining[1][entrance.id]
    fields["space"][0][1], fields["crossings"][0][1] = min(course.grid), 0
    fields["hand"][0][0] = sum(1 << 4 * card for card in hand_)
    fields["held"][0][0] = len(hand_)
    cards = [card for pile in piles for card in pile]
    sizes = [len(pile) for pile in piles]
    fields["deck"][0][0][: len(cards)] = cards
    fields["pile"][0][0] = sizes
    fields["pile_top"][0][0] = [0, sizes[0], sizes[0] + sizes[1]]
    fields["undrawn"][0][0] = len(cards)
    _survey(it._course_table, it._rules_table, it._races)
    it.play(Play(1, alley.id))
    return it


@clause("AUS-4")
@pytest.mark.parametrize("pile", [0, 1, 2])
def test_on_b_the_four_goes_into_the_hand_and_the_three_on_a_pile_of_choice_an_empty_one_included(pile: int) -> None:
    it = on_b(1, 5, piles=((6, 6), (), (2,)))
    assert hand(it, 0) == (4, 5)
    assert (it.asks, it.turn) == ("lay", 0)
    assert set(it.legal_moves) == {Lay(0), Lay(1), Lay(2)}
    with pytest.raises(IllegalMove, match="Lay the emperor's 3"):
        it.play(Draw(0))
    it.play(Lay(pile))
    assert it.turn == 1
    sizes = [2, 0, 1]
    sizes[pile] += 1
    for eyes in (0, 1, None):
        assert it.view(eyes).chariots[0].piles == tuple(sizes)
        assert it.view(eyes).chariots[0].laid == pile
    assert it.view(0).piles[pile][2] == 1
    assert it.view(1).chariots[0].points_left == 6 + 6 + 2 + 4 + 5 + 3
    while it.asks != "draw":
        it.play(it.legal_moves[0])
    while it.turn != 0 or it.asks != "draw":
        it.play(it.legal_moves[0])
    before = hand(it, 0)
    it.play(Draw(pile))
    assert Counter(hand(it, 0)) - Counter(before) == Counter([3])
    assert it.view(1).chariots[0].laid is None


@clause("OWN-17")
def test_who_claims_with_a_short_hand_draws_nothing_in_that_turn() -> None:
    it = on_b(1, piles=((6, 6), (), ()))
    assert hand(it, 0) == (4,)
    it.play(Lay(1))
    assert it.turn == 1
    assert hand(it, 0) == (4,)
    while it.turn != 0:
        it.play(it.legal_moves[0])
    it.play(next(move for move in it.legal_moves if isinstance(move, Play)))
    it.play(Draw(0))
    assert it.asks == "draw"
    it.play(Draw(1))
    assert hand(it, 0) == (3, 6)


@clause("OWN-18")
def test_the_last_who_could_take_a_place_draws_before_the_race_is_over() -> None:
    """Past the alley with the coin, where tribute is owed: nobody is left who can take a place."""
    it = race(
        at("S4a", 5, 5, crossings=2, piles=((1,), (2,), (3,))), at("S8a", 1, crossings=3, disqualified=True),
        edition="ausgebremst", riderless="none", tribute="required", emperor_cards="none",
    )  # fmt: skip
    it.play(5, to="S9a")
    assert it.disqualified == {0, 1}
    assert (it.asks, it.turn) == ("draw", 0)
    it.play(Draw(2))
    assert it.over
    assert it.places == (None, None)


@clause("AUS-4")
def test_a_last_card_that_stops_in_the_alley_claims_them_before_anyone_is_out() -> None:
    it = on_b(1, piles=((), (), ()))
    it.play(Lay(2))
    assert it.view().chariots[0].status == "racing"
    assert it.view().chariots[0].deck_size == 1


@clause("AUS-4")
def test_the_three_laid_on_empty_piles_is_his_last_card() -> None:
    it = on_b(1, piles=((), (), ()))
    it.play(Lay(2))
    while it.turn != 0:
        it.play(it.legal_moves[0])
    it.play(next(move for move in it.legal_moves if isinstance(move, Play)))
    assert list(it.legal_moves) == [Draw(2)]
    it.play(Draw(2))
    assert hand(it, 0) == (3,)
    while it.turn != 0:
        it.play(it.legal_moves[0])
    it.play(next(move for move in it.legal_moves if isinstance(move, Play)))
    assert it.view().chariots[0].status == "out of cards"


@clause("AUS-4")
def test_unclaimed_they_keep_nobody_in_the_race() -> None:
    it = race(
        at("S8a", 1, piles=((), (), ()), emperor=True), at("S7a", 1, 1, piles=((1,), (), ())),
        edition="ausgebremst", riderless="none",
    )  # fmt: skip
    it.play(1, to="S9a")
    assert it.view().chariots[0].status == "out of cards"


# ---------------------------------------------------------------------- scoring, and together


@clause("AUS-6")
def test_nine_six_four_three_two_one_and_winner_first() -> None:
    assert edition("ausgebremst").laurels == (9, 6, 4, 3, 2, 1)
    games = Tournament(["Livia", "Marcus", "Titus", "Gaius"], edition="ausgebremst", seed=3)
    for _ in range(2):
        drive(games.next_race(), [Greedy()] * 4)
    first = games.races[0]
    placed = [chariot for chariot in first.arrivals if first.places[chariot]]
    assert [first.laurels[chariot] for chariot in placed] == [9, 6, 4, 3][: len(placed)]
    assert games.grids[1] == tuple(games.grids[0][chariot] for chariot in first.arrivals)


@clause("AUS-1", "AUS-2", "AUS-3", "AUS-4")
@pytest.mark.parametrize("course", ["white", "red"])
@pytest.mark.parametrize("deck", DECK_NAMES)
def test_every_card_of_a_deck_is_somewhere_all_the_time(course: str, deck: DeckName) -> None:
    for seed in range(6):
        it = begun(deck, deck, course=course, seed=seed)
        source = random.Random(seed)
        played: list[Counter[int]] = [Counter() for _ in it.names]
        whole = Counter({value: count for value, count in enumerate(DECKS[deck], 1) if count})
        while not it.over:
            on_turn = it.turn
            assert on_turn is not None
            move = source.choice(list(it.legal_moves))
            it.play(move)
            if isinstance(move, Play):
                played[on_turn][move.card] += 1
            for driver in it.driven:
                chariot = it.view().chariots[driver]
                unseen = Counter({value: count for value, count in enumerate(chariot.unseen, 1) if count})
                assert unseen + played[driver] + Counter(chariot.emperor) == whole
                assert chariot.deck_size == sum(chariot.piles)


def test_house_rules_that_make_no_sense_are_refused_in_a_sentence() -> None:
    ausgebremst = edition("ausgebremst")
    for change, why in (
        ({"hand": 3}, "hand of 2"),
        ({"missed_turn": "exchange"}, "missed_turn = keep"),
        ({"draw": "at_once"}, "draw = from_piles"),
        ({"tribute": "required"}, "tribute = optional"),
    ):
        with pytest.raises(RulesError, match=why):
            ausgebremst.with_options(change)
