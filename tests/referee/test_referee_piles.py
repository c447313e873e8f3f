"""The referee checked by hand on the Ausgebremst adaptation (AUS)."""

from typing import Any

import pytest

from referee_situations import AUSGEBREMST, MISS, TINY, paid, plays, shuffled, situation

from .piles import DECKS, Piles, cards_of, sortings
from .race import RefereeRace, Space

# ---- Ausgebremst: before the first turn ----


def test_every_deck_has_84_points_aus_1() -> None:
    assert [sum(value * count for value, count in deck.items()) for deck in DECKS.values()] == [84, 84, 84]
    assert [sum(deck.values()) for deck in DECKS.values()] == [24, 20, 18]


def test_the_sortings_aus_3() -> None:
    # Six values: two in each pile and none split. Five: one of them alone in a pile (3 * 5 * 6), or one split in
    # two over a pair of piles (3 pairs, count - 1 ways), the others in the four places left (12 ways).
    for deck, put_aside, count in [
        ("slow", [3], 90),
        ("slow", [4, 3], 90),
        ("average", [3], 90 + 36 * (4 + 3 + 3 + 2 + 2)),
        ("average", [4, 3], 90 + 36 * (4 + 3 + 2 + 2 + 2)),
        ("fast", [3], 90 + 36 * (6 + 3 + 2 + 0 + 1)),
        ("fast", [4, 3], 90 + 36 * (6 + 3 + 1 + 0 + 1)),
    ]:
        cards = cards_of(deck, put_aside)
        found = sortings(cards)
        assert len(found) == count
        for piles in found:
            assert sorted(card for pile in piles for card in pile) == list(cards)
            assert all(list(pile) == sorted(pile) and 1 <= len(set(pile)) <= 2 for pile in piles)
    assert sortings((1, 1, 2)) == {
        ((1,), (1,), (2,)), ((1,), (2,), (1,)), ((2,), (1,), (1,)),
    }  # fmt: skip
    assert ((1, 2), (1,), (1, 2)) in sortings((1, 1, 1, 2, 2)), "a value may be split over piles"
    assert sortings((1, 1)) == frozenset(), "none may be empty"


def prepared(side: str = "A", chariots: int = 2, **options: Any) -> RefereeRace:
    """A race of slow decks, low cards in pile 0, high ones in pile 2, all hands drawn from pile 1."""
    rules = AUSGEBREMST | {"decks": "standard"} | options
    race = RefereeRace(TINY, rules, [None] * chariots, side=side)
    while race.phase == "sort":
        cards = list(cards_of("slow", race.emperor[race.turn or 0]))
        piles = tuple(tuple(card for card in cards if card in pair) for pair in ((1, 2), (3, 4), (5, 6)))
        race.apply(("sort", piles))
    while race.phase == "draw":
        race.apply(("draw", 1))
    return race


def test_the_order_of_the_decisions_before_the_start_aus_1() -> None:
    race = RefereeRace(TINY, AUSGEBREMST, [None, None], side="B")
    for chariot, deck in enumerate(["fast", "average"]):
        assert (race.turn, race.phase) == (chariot, "deck")
        assert race.legal() == {("deck", "slow"), ("deck", "average"), ("deck", "fast")}
        assert race.emperor == [[], []], "put aside after the decks are revealed"
        race.apply(("deck", deck))
    assert (race.choice, race.emperor, race.piles) == (["fast", "average"], [[4, 3], [4, 3]], [None, None])
    fast: Piles = ((2, 2, 3), (4, 4), (5,) * 4 + (6,) * 7)
    average: Piles = ((2,) * 3 + (3,) * 3, (4,) * 3 + (5,) * 4, (6,) * 5)
    for chariot, cards in enumerate([fast, average]):
        assert (race.turn, race.phase) == (chariot, "sort")
        assert ("sort", cards) in race.legal()
        piles = tuple(shuffled(list(pile)) for pile in cards)
        race.apply(("sort", piles))
        assert race.piles[chariot] == [list(pile) for pile in piles], "as shuffled"
    first = race._piles_of(0)[2][:2]
    for chariot in (0, 0, 1, 1):
        assert (race.turn, race.phase) == (chariot, "draw")
        assert race.legal() == {("draw", 0), ("draw", 1), ("draw", 2)}
        race.apply(("draw", 2))
    assert race.hand == [sorted(first), [6, 6]]
    assert (race.turn, race.phase, race.turns_taken, race.deck) == (0, "turn", 0, [[], []])
    assert {card for card, _ in plays(race)} == set(first)


def test_a_false_sorting_is_refused_aus_3() -> None:
    race = RefereeRace(TINY, AUSGEBREMST | {"decks": "standard"}, [None])
    assert (race.phase, race.choice, race.emperor) == ("sort", [None], [[3]])
    cards = cards_of("slow", [3])
    ones_to_threes = tuple(card for card in cards if card <= 3)
    refused: list[Piles] = [
        (ones_to_threes, tuple(card for card in cards if card in (4, 5)), (6,) * 4),
        (tuple(card for card in cards if card <= 2), tuple(card for card in cards if card > 4), ()),
        ((1,) * 4 + (2,) * 4, (3,) * 4 + (4,) * 4, (5,) * 4 + (6,) * 4),  # the emperor's 3 kept back
    ]
    for piles in refused:
        with pytest.raises(AssertionError, match="is not among"):
            race.apply(("sort", piles))


def test_riderless_chariots_take_no_part_before_the_start_aus_1_aus_5() -> None:
    race = RefereeRace(TINY, AUSGEBREMST, [[2] * 24, [1] * 24, None, None], riderless=2)
    assert (race.turn, race.phase, race.hand[0]) == (2, "deck", [])
    race.apply(("deck", "slow"))
    race.apply(("deck", "slow"))
    assert race.emperor == [[], [], [3], [3]]
    for _ in range(2):
        race.apply(("sort", ((1,) * 4 + (2,) * 4, (3,) * 3 + (4,) * 4, (5,) * 4 + (6,) * 4)))
    for _ in range(4):
        race.apply(("draw", 0))
    assert (race.turn, race.phase, race.hand[0], race.deck[0]) == (0, "turn", [2], [2] * 23)
    assert race.legal() == {("play", 2, "a4")}
    race.apply(("play", 2, "a4"))
    assert (race.turn, race.hand[1], len(race.deck[0])) == (1, [1], 23)
    assert race.piles[:2] == [None, None]


# ---- Ausgebremst: a turn ----


def at(race: RefereeRace, space: Space, hand: list[int], piles: list[list[int]], crossings: int = 1) -> RefereeRace:
    race.position[0], race.crossings[0], race.hand[0], race.piles[0] = space, crossings, hand, piles
    race.turns_taken = 2
    return race


def test_after_playing_one_draws_from_a_pile_of_choice_aus_3() -> None:
    race = at(prepared(), "a3", [1, 5], [[2, 1], [], [6]])
    race.apply(("play", 1, "a4"))
    assert (race.turn, race.phase, race.legal()) == (0, "draw", {("draw", 0), ("draw", 2)})
    race.apply(("draw", 0))
    assert (race.hand[0], race.piles[0], race.turn, race.phase) == ([2, 5], [[1], [], [6]], 1, "turn")


def test_a_short_hand_draws_until_it_is_two_or_the_piles_are_empty_aus_3() -> None:
    race = at(prepared(), "a3", [1], [[2], [], [6]])
    race.apply(("play", 1, "a4"))
    race.apply(("draw", 2))
    assert (race.turn, race.legal()) == (0, {("draw", 0)})
    race.apply(("draw", 0))
    assert (race.hand[0], race.turn) == ([2, 6], 1)
    race = at(prepared(), "a3", [1], [[], [], [6]])
    race.apply(("play", 1, "a4"))
    race.apply(("draw", 2))
    assert (race.hand[0], race.turn) == ([6], 1)


@pytest.mark.parametrize("missed_turn", ["keep", "exchange_if_blocked", "exchange"])
def test_a_missed_turn_draws_and_exchanges_nothing_aus_3(missed_turn: str) -> None:
    race = at(prepared(chariots=3, missed_turn=missed_turn), "n5", [2], [[2], [], [6]])
    race.position[1:] = ["a6", "b6"]
    assert race.legal() == {MISS}
    race.apply(MISS)
    assert (race.hand[0], race.piles[0], race.turn) == ([2], [[2], [], [6]], 1)


@pytest.mark.parametrize(("crossings", "pays"), [(0, False), (1, True), (2, True), (3, False)])
def test_who_pays_takes_the_emperors_card_instead_of_drawing_aus_4(crossings: int, pays: bool) -> None:
    race = at(prepared("A"), "n8", [2, 6], [[1], [4], [5]], crossings)
    assert {to for card, to in plays(race) if card == 2} == {"a2", "p2"}, "nobody must"
    race.apply(("play", 2, "p2"))
    if pays:
        assert (race.hand[0], race.emperor[0], race.coin[0]) == ([3, 6], [], False)
        assert (race.turn, race.phase, race.piles[0]) == (1, "turn", [[1], [4], [5]])
    else:
        assert (race.hand[0], race.emperor[0], race.coin[0], race.phase) == ([6], [3], True, "draw")
    assert not race.disqualified[0]


@pytest.mark.parametrize("pile", [0, 1, 2])
def test_on_side_b_the_three_is_laid_on_a_pile_of_choice_aus_4(pile: int) -> None:
    race = at(prepared("B"), "n8", [2, 6], [[1], [], [5]])
    race.apply(("play", 2, "p2"))
    assert (race.hand[0], race.emperor[0], race.turn, race.phase) == ([4, 6], [3], 0, "lay")
    assert race.legal() == {("lay", 0), ("lay", 1), ("lay", 2)}
    race.apply(("lay", pile))
    assert (race.emperor[0], race.piles[0], race.turn, race.phase) == (
        [],
        [[3, 1] if pile == 0 else [1], [3] if pile == 1 else [], [3, 5] if pile == 2 else [5]],
        1,
        "turn",
    )


def test_a_claim_happens_only_once_aus_4() -> None:
    race = at(prepared("A"), "n8", [1, 2], [[1], [4], [5]])
    race.apply(("play", 1, "p1"))
    assert race.hand[0] == [2, 3]
    race.turn = 0
    race.apply(("play", 2, "p3"))
    assert (race.hand[0], race.phase) == ([3], "draw"), "a second stop draws as ever"


def test_a_last_card_claims_before_anyone_is_out_aus_4() -> None:
    race = at(prepared("B"), "n8", [2], [[], [], []])
    race.apply(("play", 2, "p2"))
    race.apply(("lay", 1))
    assert (race.status[0], race.hand[0], race.piles[0]) == ("racing", [4], [[], [3], []])
    race = at(prepared("A"), "n8", [2], [[], [], []])
    race.apply(("play", 2, "p2"))
    assert (race.status[0], race.hand[0]) == ("racing", [3])
    race = at(prepared("A"), "n8", [2], [[], [], []])
    race.apply(("play", 2, "a2"))
    assert (race.status[0], race.emperor[0]) == ("out", [3]), "unclaimed they keep nobody in the race"


def test_a_hand_short_after_a_claim_fills_up_after_the_next_play_aus_4() -> None:
    race = at(prepared("B"), "n8", [2], [[], [], [5, 5]])
    race.apply(("play", 2, "p2"))
    race.apply(("lay", 2))
    assert (race.hand[0], race.turn) == ([4], 1), "nothing is drawn though the hand is short"
    race.turn, race.position[1], race.crossings[1] = 0, "p3", 2
    assert race.legal() == {MISS}
    race.apply(MISS)
    assert (race.hand[0], race.turn) == ([4], 1)
    race.turn, race.position[1] = 0, "a2"
    race.apply(("play", 4, "n5"))
    race.apply(("draw", 2))
    race.apply(("draw", 2))
    assert (race.hand[0], race.piles[0]) == ([3, 5], [[], [], [5]]), "the 3 lay on top"


def test_without_emperors_cards_who_pays_draws_as_ever() -> None:
    race = at(prepared(emperor_cards="none"), "n8", [2, 6], [[1], [4], [5]])
    assert race.emperor == [[], []]
    race.apply(("play", 2, "p2"))
    assert (race.coin[0], race.hand[0], race.phase) == (False, [6], "draw")


def test_nobody_is_disqualified_or_held_back_aus_4() -> None:
    race = at(prepared(), "n8", [1, 2], [[1], [4], [5]], crossings=2)
    assert (2, "a2") in plays(race)
    race.apply(("play", 2, "a2"))
    assert not race.disqualified[0]


def test_who_is_home_draws_nothing_end_1() -> None:
    race = at(prepared(), "a2", [1, 6], [[1], [4], [5]], crossings=3)
    race.apply(("play", 1, "home"))
    assert (race.turn, race.phase, race.hand[0]) == (1, "turn", [6])


def test_the_laurels_aus_6() -> None:
    race = paid(situation(("a2", 3, [1]), ("b2", 3, [1]), laurels=AUSGEBREMST["laurels"]))
    race.apply(("play", 1, "home"))
    race.apply(("play", 1, "home"))
    assert race.laurels() == [9, 6]
