"""The Ausgebremst adaptation: decks, the emperor's cards, and how piles are sorted and drawn from (AUS-1 to AUS-3)."""

from __future__ import annotations

from collections import Counter

import numba
import numpy as np
import pytest

from ausgebremst_races import begun, chosen, new
from avecaesar import ChooseDeck, Draw, IllegalMove, InvalidMove, Play, Race, Sort
from avecaesar.drivers import Chance, Greedy, drive
from avecaesar.game.moves import DECK_NAMES, DeckName, Hidden, Piles, to_number
from avecaesar.game.numbers import AnyChariot, ChariotNumber
from avecaesar.game.view import Turn
from avecaesar.kernel import entry_points, packing
from avecaesar.kernel import piles as kernel
from avecaesar.kernel.layout import ALLOWED, MOST_MOVES
from avecaesar.kernel.move_codes import SORTING
from avecaesar.rules import DECKS
from situations import at, hand, race

clause = pytest.mark.clause
SLOW: Piles = ((1, 1, 1, 1, 2, 2, 2, 2), (3, 3, 3, 4, 4, 4, 4), (5, 5, 5, 5, 6, 6, 6, 6))  # on side A


# ---------------------------------------------------------------------- decks


@clause("AUS-1")
def test_the_three_decks_have_84_points_each() -> None:
    assert DECKS["slow"] == (4, 4, 4, 4, 4, 4)
    assert DECKS["average"] == (0, 3, 4, 4, 4, 5)
    assert DECKS["fast"] == (0, 2, 2, 3, 4, 7)
    for deck in DECKS.values():
        assert sum(value * count for value, count in enumerate(deck, 1)) == 84


@clause("AUS-1")
def test_grid_choice_reveal_emperor_sorting_first_hand_and_then_the_race() -> None:
    it = new(drivers=3)  # and one riderless chariot, in the first place
    assert it._all("undrawn") == [24, 0, 0, 0]
    asked = []
    while it.asks != "turn":
        assert it.turn is not None
        asked.append((it.asks, it.turn))
        it.play(it.legal_moves[0])
    chariots = (1, 2, 3)
    assert asked == [
        *(("deck", chariot) for chariot in chariots),
        *(("sort", chariot) for chariot in chariots),
        *(("draw", chariot) for chariot in chariots for _ in range(2)),
    ]
    assert it.turn == 0
    assert it._one("turns") == 0


@clause("AUS-1")
def test_decks_are_secret_until_all_have_chosen_and_then_open() -> None:
    it = new(drivers=3)
    it.play(ChooseDeck("fast"))
    assert it.view(1).history == (Turn(ChariotNumber(1), ChooseDeck("fast")),)
    others: tuple[AnyChariot | None, ...] = (2, 3, None)
    for eyes in others:
        assert it.view(eyes).history == (Turn(ChariotNumber(1), Hidden("deck")),)
        assert [chariot.deck for chariot in it.view(eyes).chariots] == [None] * 4
    it.play(ChooseDeck("slow"))
    it.play(ChooseDeck("average"))
    for eyes in (ChariotNumber(1), *others):
        assert [chariot.deck for chariot in it.view(eyes).chariots] == [None, "fast", "slow", "average"]
        assert it.view(eyes).history[0] == Turn(ChariotNumber(1), ChooseDeck("fast"))


@clause("AUS-1")
def test_sixes_of_a_fast_deck_are_sixes_in_every_respect() -> None:
    leader = at("S9a", 6, 6, piles=((6, 6), (5,), (4,)))
    it = race(leader, at("S8a", 1, 1, piles=((2,), (3,), (4,))), edition="ausgebremst", riderless="none")
    assert {type(move).__name__ for move in it.legal_moves} == {"Miss"}


@clause("AUS-1")
def test_before_the_choice_nobody_has_a_deck_piles_or_a_hand() -> None:
    it = new(drivers=3)
    for field in ("choice", "pile", "pile_top", "emperor", "laid", "hand", "held"):
        assert not it._fields[field][0].any(), field
    assert [chariot.deck for chariot in it.view(1).chariots] == [None] * 4


@clause("AUS-1")
def test_another_deck_is_none() -> None:
    it = new()
    for wrong in ("medium", None, 3):
        with pytest.raises(InvalidMove):
            it.play(ChooseDeck(wrong))  # type: ignore[arg-type]
    with pytest.raises(IllegalMove, match="choose your deck"):
        it.play(Draw(0))


# ---------------------------------------------------------------------- the emperor's cards


@clause("AUS-2")
@pytest.mark.parametrize(("course", "cards"), [("white", (3,)), ("blue", (3,)), ("red", (4, 3)), ("yellow", (4, 3))])
def test_the_emperor_has_a_three_on_a_and_a_four_and_a_three_on_b(course: str, cards: tuple[int, ...]) -> None:
    for deck in DECK_NAMES:
        it = chosen(deck, deck, course=course)
        chariot = it.turn
        assert chariot is not None
        assert it.view(chariot).chariots[chariot].emperor == cards
        left = [value for value, count in enumerate(it.view(chariot).undrawn, 1) for _ in range(count)]
        assert Counter(left) + Counter(cards) == Counter(
            {value: count for value, count in enumerate(DECKS[deck], 1) if count}
        )


# ---------------------------------------------------------------------- sorting


@clause("AUS-3")
def test_three_piles_of_one_or_two_values_none_empty_and_every_card_used() -> None:
    it = chosen("slow", "slow")
    assert Sort(SLOW) in it.legal_moves
    low, middle, high = SLOW
    not_the_deck = "not the deck"
    for wrong, why in (
        ((low + middle[:3], middle[3:], high), "Pile I holds more than two"),
        ((low, middle + high[:4], high[4:]), "Pile II holds more than two"),
        ((low[:4], middle, low[4:] + high), "Pile III holds more than two"),
        (((), low, (*middle, *high)), "Pile I is empty"),
        ((low, (), (*middle, *high)), "Pile II is empty"),
        ((low, (*middle[:3], *high[:4]), ()), not_the_deck),
        ((low[1:], middle, high), not_the_deck),
        ((low, (*middle, 3), high), not_the_deck),  # the emperor's card is there
        ((low[1:], middle, (*high, 6)), not_the_deck),
    ):
        with pytest.raises(IllegalMove, match=why) as refused:
            it.play(Sort(wrong))
        assert refused.value.clause == "AUS-3"
    for nonsense in (None, (), (low, middle), (low, middle, 3), (low, middle, (7,))):
        with pytest.raises(InvalidMove):
            it.play(Sort(nonsense))  # type: ignore[arg-type]
    it.play(Sort(SLOW))


@clause("AUS-3")
def test_a_value_may_be_split_over_piles_and_a_pile_may_have_one_value() -> None:
    it = chosen("fast", "fast")
    assert Sort(((2, 2, 6), (3, 5, 5, 5, 5), (4, 4, 4, 6, 6, 6, 6, 6, 6))) in it.legal_moves
    assert Sort(((2, 2, 3), (4, 4, 4, 5, 5, 5, 5), (6,) * 7)) in it.legal_moves


@clause("AUS-3")
@pytest.mark.parametrize(
    ("deck", "side", "count"),
    [
        ("slow", "A", 90),
        ("average", "A", 594),
        ("fast", "A", 522),
        ("slow", "B", 90),
        ("average", "B", 558),
        ("fast", "B", 486),
    ],
)
def test_every_sorting_is_found_once(deck: DeckName, side: str, count: int) -> None:
    """90 ways without a split; each card that can be split off makes 36 more where there are five values."""
    it = chosen(deck, deck, course="white" if side == "A" else "red")
    moves = list(it.legal_moves)
    assert len(moves) == len(set(moves)) == count
    assert all(move in it.legal_moves for move in moves)
    listed = np.empty(MOST_MOVES, np.int64)
    assert entry_points.list_moves(it._course_table, it._races, 0, listed) == count
    assert listed[:count].tolist() == [to_number(move) for move in moves]


@clause("AUS-3")
@pytest.mark.parametrize(
    "wrong",
    [
        1 << 36,  # beyond the last value
        1 << 37,
        1,  # five ones on the first pile
        3,
        1 << 3,  # a fifth on the second
        4,  # ones on the third, with two other values
    ],
)
def test_no_other_number_is_a_sorting(wrong: int) -> None:
    it = chosen("slow", "slow")
    number = to_number(Sort(SLOW))
    assert entry_points.judge(it._course_table, it._races, 0, number) == ALLOWED
    assert entry_points.judge(it._course_table, it._races, 0, number ^ wrong << SORTING) != ALLOWED
    for card_or_space in (1 << 8, 1):
        assert entry_points.judge(it._course_table, it._races, 0, number | card_or_space) != ALLOWED


@clause("AUS-3")
@pytest.mark.parametrize("deck", DECK_NAMES)
def test_a_code_says_how_many_of_a_split_value_lie_on_the_first_of_its_piles(deck: DeckName) -> None:
    cards = sum(count << 4 * value for value, count in enumerate(DECKS[deck], 1))
    splits = Counter[int]()
    for code in range(kernel.CODES):
        sorting = kernel.sorting_of(cards, code)
        if sorting < 0:
            continue
        for value in range(1, 7):
            piles = [kernel.on_pile(cards, sorting, value, pile) for pile in range(3)]
            split = [count for count in piles if count]
            if len(split) == 2:
                assert split[0] == code % kernel.MOST_SPLIT + 1
                splits[len(split)] += 1
    assert splits.total() == {"slow": 0, "average": 540, "fast": 468}[deck]


@clause("AUS-3")
def test_a_shuffle_puts_each_pile_in_an_order_of_its_own() -> None:
    it = Race(
        "white", 2, edition="ausgebremst", decks=[list(range(23, -1, -1)), list(range(24))],
        options={"riderless": "none", "decks": "standard"},
    )  # fmt: skip
    it.play(Sort(SLOW))
    it.play(Sort(SLOW))
    emperor = (3,)
    assert it.decks[1] == (*SLOW[0], *SLOW[1], *SLOW[2], *emperor)
    assert it.decks[0] == (*SLOW[0][::-1], *SLOW[1][::-1], *SLOW[2][::-1], *emperor)
    assert it._all("undrawn") == [23, 23]
    for pile, first in enumerate((2, 4)):
        it.play(Draw(pile))
        assert first in hand(it, 0)


@clause("AUS-3")
def test_each_pile_is_shuffled_whatever_was_sorted() -> None:
    """Over many deals every order of a pile is as frequent as any other, also of a pile with part of a split value."""
    cards = sum(count << 4 * value for value, count in enumerate((0, 2, 1, 3, 4, 7), 1))
    sorting = 2 << 6 | 1 << 30 | (1 << 12 | 4 << 24) << 3  # 2 2 6 | 3 5 5 5 5 | 4 4 4 and six sixes
    races = _piles_of_many(cards, sorting, 60_000)
    first = Counter(tuple(row) for row in races[:, :3].tolist())
    assert set(first) == {(2, 2, 6), (2, 6, 2), (6, 2, 2)}
    assert max(first.values()) - min(first.values()) < 600  # five standard deviations are 577
    second = Counter(row.index(3) for row in races[:, 3:8].tolist())
    assert max(second.values()) - min(second.values()) < 700
    both = Counter((tuple(row[:3]), row.index(3, 3)) for row in races[:, :8].tolist())
    assert len(both) == 15
    assert max(both.values()) - min(both.values()) < 450


def _piles_of_many(cards: int, sorting: int, count: int) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
    races = packing.new_races(count)
    source = np.random.default_rng(1)
    races["deck"][:, 0] = source.permuted(np.tile(np.arange(24, dtype=np.int8), (count, 1)), axis=1)

    @numba.njit  # type: ignore[untyped-decorator, unused-ignore]
    def sort_all(races, cards, sorting):  # type: ignore[no-untyped-def]
        for k in range(races.size):
            kernel.sort_piles(races[k], 0, cards, sorting)

    sort_all(races, cards, sorting)
    piles: np.ndarray[tuple[int, int], np.dtype[np.int8]] = races["deck"][:, 0]
    return piles


@clause("AUS-3", "OWN-16")
def test_sizes_are_public_when_all_have_sorted_contents_secret_and_the_owner_is_aided() -> None:
    it = chosen("slow", "slow")
    it.play(Sort(SLOW))
    assert [chariot.piles for chariot in it.view(2).chariots[2:]] == [(), ()]
    it.play(Sort(SLOW))
    for eyes in (2, 3, None):
        view = it.view(eyes)
        assert [chariot.piles for chariot in view.chariots[2:]] == [(8, 7, 8), (8, 7, 8)]
        assert [turn.move for turn in view.history if turn.chariot not in (eyes, 2)] == (
            [ChooseDeck("slow"), Hidden("sort")] if eyes != 3 else []
        )
    assert it.view(2).piles == ((4, 4, 0, 0, 0, 0), (0, 0, 3, 4, 0, 0), (0, 0, 0, 0, 4, 4))
    assert it.view(2).history[-2].move == Sort(SLOW)
    assert it.view(None).piles == ()


@clause("AUS-3")
def test_without_a_memory_aid_the_owner_must_remember() -> None:
    it = begun("slow", "average", memory_aid=False)
    view = it.view(2)
    assert view.piles == ()
    assert not view.memory_aid
    assert Hidden("sort") in {turn.move for turn in view.history if turn.chariot == 2}
    assert not any(isinstance(turn.move, Sort) for turn in view.history)
    assert view.chariots[2].piles != ()
    assert sum(view.undrawn) == 21
    drive(it, [Greedy(), Chance(1)])
    assert it.over


@clause("AUS-3")
def test_the_hand_is_two_cards_each_drawn_from_a_pile_of_choice_which_is_public() -> None:
    it = chosen("slow", "slow")
    it.play(Sort(SLOW))
    it.play(Sort(SLOW))
    it.play(Draw(2))
    assert hand(it, 2)[0] in (5, 6)
    it.play(Draw(0))
    assert sorted(hand(it, 2))[0] in (1, 2)
    assert it.turn == 3
    assert [turn.move for turn in it.view(3).history[-2:]] == [Draw(2), Draw(0)]
    assert it.view(None).chariots[2].piles == (7, 7, 7)


@clause("AUS-3")
def test_after_a_play_the_draw_is_a_decision_and_the_turn_goes_on_when_it_is_made() -> None:
    me = at("S8a", 1, 2, piles=((5, 4), (), (6,)))
    it = race(me, at("S7a", 1, 2, piles=((3,), (3,), (3,))), edition="ausgebremst", riderless="none")
    it.play(1, to="S9a")
    assert (it.asks, it.turn) == ("draw", 0)
    assert set(it.legal_moves) == {Draw(0), Draw(2)}
    with pytest.raises(IllegalMove, match="That pile is empty"):
        it.play(Draw(1))
    with pytest.raises(IllegalMove, match="Draw a card"):
        it.play(2, to="S10a")
    it.play(Draw(0))
    assert hand(it, 0) == (2, 5)
    assert it.turn == 1


@clause("AUS-3", "MOV-6")
def test_a_pile_is_drawn_card_by_card_from_its_top_and_who_has_drawn_all_plays_on_till_he_is_out() -> None:
    behind = at("S2b", 1, 1, crossings=0, piles=((1, 1), (1, 1), (1, 1)))
    it = race(at("S8a", 1, 1, piles=((5, 4), (2,), ())), behind, edition="ausgebremst", riderless="none")

    def play(card: int) -> None:
        while it.turn != 0:
            it.play(it.legal_moves[0])
        it.play(next(move for move in it.legal_moves if isinstance(move, Play) and move.card == card))

    for card, pile, held in ((1, 0, (1, 5)), (1, 0, (4, 5)), (4, 1, (2, 5))):
        play(card)
        it.play(Draw(pile))
        assert hand(it, 0) == held
        assert it.turn == 1
    play(2)
    assert it.turn == 1
    assert hand(it, 0) == (5,)
    play(5)
    assert it.view().chariots[0].status == "out of cards"


@clause("AUS-3")
def test_draws_are_no_turns_and_a_missed_turn_draws_nothing() -> None:
    it = begun("slow", "slow")
    while it.asks == "turn" and it.turn in it.riderless:
        it.play(it.legal_moves[0])
    before = it._one("turns")
    chariot = it.turn
    assert chariot is not None
    it.play(next(move for move in it.legal_moves if isinstance(move, Play)))
    it.play(it.legal_moves[0])
    assert it._one("turns") == before + 1
    blocked = race(
        at("S10a", 2, 2, piles=((1,), (), ())),
        at("N1a", 1, piles=((1,), (), ())),
        edition="ausgebremst",
        riderless="none",
    )
    blocked.play(blocked.legal_moves[0])
    assert blocked.turn == 1
    assert hand(blocked, 0) == (2, 2)


@clause("OWN-16")
def test_with_standard_decks_everybody_sorts_the_slow_one() -> None:
    it = new(options={"decks": "standard"})
    assert it.asks == "sort"
    it.play(Sort(SLOW))
    drive(it, [Greedy(), Chance(3)])
    assert it.over
    assert it.view().chariots[2].deck is None
