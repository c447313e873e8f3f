"""Turns, cards and movement: TURN-1, MOV-1 to MOV-6, SET-1, SET-3."""

from __future__ import annotations

from itertools import pairwise

import pytest

from avecaesar import IllegalMove, Race, RulesError
from avecaesar.game.what_if import walk
from avecaesar.kernel import entry_points, packing
from avecaesar.kernel import layout as k
from avecaesar.kernel.move_codes import encode
from avecaesar.rules import DECK, EDITIONS, riderless_in
from situations import Miss, Play, at, cards, clause_against, destinations, hand, kinds, misses, plain, race

clause = pytest.mark.clause


@clause("SET-1")
def test_every_driver_starts_with_a_coin_and_four_cards_of_each_value() -> None:
    view = Race("white", 5, seed=1).view()
    for chariot in view.chariots:
        assert chariot.coin
        assert chariot.unseen == (4, 4, 4, 4, 4, 4)
        assert chariot.points_left == 84


@clause("SET-1")
@pytest.mark.parametrize("chariots", range(1, 7))
def test_one_to_six_chariots_can_race(chariots: int) -> None:
    it = Race("red", chariots, seed=chariots)
    while not it.over:
        it.play(next(iter(it.legal_moves)))
    assert sorted(it.arrivals) == list(range(chariots))


@clause("SET-1")
@pytest.mark.parametrize("chariots", [0, 7])
def test_no_other_number_of_chariots_can_race(chariots: int) -> None:
    with pytest.raises(RulesError, match="1 to 6 chariots"):
        Race("red", chariots)


@clause("SET-1")
def test_a_deck_with_other_cards_is_refused() -> None:
    with pytest.raises(RulesError, match="SET-1"):
        Race("white", 1, decks=[[6] * 24])


@clause("SET-3")
def test_the_first_hand_is_the_top_three_cards_of_the_deck() -> None:
    top = [6, 1, 5]
    rest = list(DECK)
    for card in top:
        rest.remove(card)
    it = Race("white", 1, decks=[top + rest])
    assert hand(it, 0) == (1, 5, 6)


@clause("SET-1", "SET-3")
def test_a_race_starts_afresh_whatever_its_record_held_before() -> None:
    races = packing.new_races(1)
    for field in k.RACE.names or ():
        races[field] = 1
    packing.deal(races, 0, [DECK] * 3)
    rules = packing.rules_table(EDITIONS["ravensburger"].rules)
    entry_points.begin_race(packing.course_table(plain()), rules, races, 0, 3, 0)
    held = {field: races[field][0].tolist() for field in k.RACE.names or ()}
    for field in ("home", "turns", "decisions", "turn", "voted_on", "ban_lifted", "idle", "kept", "ending"):
        assert held[field] == 0, field
    for field in (
        "crossings", "status", "disqualified", "arrival", "left", "known", "order", "place", "laurels",
        "riderless", "vote", "choice", "emperor", "laid",
    ):  # fmt: skip
        assert held[field][:3] == [0, 0, 0], field
    assert held["remaining"][:3] == [plain().remaining[0][space] for space in plain().grid[:3]]
    for field, each in {"coin": 1, "hand": 3 << 4, "held": 3, "top": 3, "undrawn": 21}.items():
        assert held[field][:3] == [each] * 3, field


@clause("SET-1")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("changes", [{}, {"riderless_moves": "vote"}, {"chariots_each": 2}, {"decks": "standard"}])
def test_a_race_in_a_used_record_is_the_same_as_in_a_new_one(edition: str, changes: dict[str, object]) -> None:
    rules = EDITIONS[edition].rules.with_options(changes)
    if rules.riderless_count == 0:
        rules = rules.with_options({"riderless_count": 2})
    loose = riderless_in(rules, 2, "A")
    driven = slice(loose, loose + 2) if rules.riderless_count == "fill" else slice(2)
    deal = [list(DECK) for _ in range(2 + loose)]
    if rules.draw == "from_piles":
        deal[driven] = [list(range(24))] * 2
    records = []
    for used in (False, True):
        races = packing.new_races(1)
        for field in k.RACE.names or ():
            if used and field not in ("pile", "pile_top"):
                races[field] = 5
        if used and rules.draw == "from_piles":
            races["pile"][0][driven] = races["pile_top"][0][driven] = 5
        packing.deal(races, 0, deal)
        entry_points.begin_race(packing.course_table(plain()), packing.rules_table(rules), races, 0, 2, loose)
        records.append({field: races[field][0].tolist() for field in k.RACE.names or ()})
    for field, new in records[0].items():
        again = records[1][field]
        if k.RACE[field].shape[:1] == (k.CHARIOTS,):
            assert again[: 2 + loose] == new[: 2 + loose], field
        elif field not in ("memory_aid", "destinations", "homeward", "six_barred", "duty", "miss", "exchanges"):
            assert again == new, field


@clause("SET-3")
def test_turns_follow_the_grid_all_race_long() -> None:
    it = race(at("S8a", 1, 2), at("C1a", 1, 2), at("S1a", 1, 2))
    seen = []
    for _ in range(6):
        seen.append(it.turn)
        it.play(next(iter(it.legal_moves)))
    assert seen == [0, 1, 2, 0, 1, 2]


@clause("SET-3")
def test_hands_are_secret_played_cards_and_sizes_are_public() -> None:
    it = Race("white", 3, seed=4)
    played = next(iter(it.legal_moves))
    it.play(played)
    seen = it.view(1)
    assert seen.history[0].move == played
    assert seen.chariots[0].hand_size == 3
    assert seen.chariots[0].deck_size == 20
    assert seen.hand == hand(it, 1) != ()
    assert it.view().hand == ()


@clause("TURN-1")
def test_a_turn_pays_before_it_is_judged_and_draws_before_anyone_is_out() -> None:
    """On the second lap a stop in the alley pays; with no card left after the draw the chariot is out."""
    it = race(at("S3a", 1, crossings=2, deck=()), at("S1a", 1, 2))
    it.play(1, to="alley1")
    chariot = it.view().chariots[0]
    assert not chariot.coin
    assert not chariot.disqualified
    assert chariot.status == "out of cards"


@clause("TURN-1")
def test_a_drawn_card_keeps_the_chariot_in_the_race() -> None:
    it = race(at("S8a", 1, deck=(5,)), at("S1a", 1, 2))
    it.play(1, to="S9a")
    assert it.view().chariots[0].status == "racing"
    assert hand(it, 0) == (5,)


@clause("TURN-1")
def test_the_turn_passes_over_chariots_that_have_left_the_race() -> None:
    it = race(at("S8a", 1, 2), at("S1a", 1, status="out"), at("S2a", 1, 2))
    it.play(1, to="S9a")
    assert it.turn == 2
    it.play(1, to="S3a")
    assert it.turn == 0


@clause("TURN-1")
def test_every_turn_counts_once() -> None:
    it = race(at("N1a", 1), at("C1a", 1), at("C1b", 1), turns=0)
    for taken in range(1, 4):
        it.play(next(iter(it.legal_moves)))
        assert it._one("turns") == taken


@clause("MOV-1")
def test_a_card_moves_exactly_its_value_and_is_replaced_at_once() -> None:
    it = race(at("S8a", 2, 3, 3, deck=(6, 1)), at("S1a", 1))
    assert destinations(it, 2) == {"S10a", "S10b"}
    it.play(2, to="S10b")
    assert hand(it, 0) == (3, 3, 6)


@clause("MOV-1")
def test_a_hand_shrinks_when_the_deck_is_used_up() -> None:
    it = race(at("S8a", 2, 3, 3, deck=()), at("S1a", 1))
    it.play(2, to="S10b")
    assert hand(it, 0) == (3, 3)


@clause("MOV-1")
def test_in_the_riassunto_everybody_draws_when_the_round_is_over() -> None:
    it = race(
        at("S8a", 1, 2, 2, deck=(5,)),
        at("S1a", 1, 2, 2, deck=(4,)),
        at("S2b", 1, status="out"),
        edition="riassunto",
    )
    it.play(1, to="S9a")
    assert hand(it, 0) == (2, 2)
    it.play(1, to="S2a")
    assert hand(it, 0) == (2, 2, 5)
    assert hand(it, 1) == (2, 2, 4)


@clause("MOV-1")
def test_nobody_plays_a_card_that_he_does_not_hold() -> None:
    it = race(at("S8a", 2, 3), at("S1a", 1))
    assert clause_against(it, 1, "S9a") == "MOV-1"


@clause("MOV-2")
def test_steps_go_straight_or_diagonally_forward_never_sideways_or_back() -> None:
    it = race(at("S8a", 1), at("S1a", 1))
    assert destinations(it, 1) == {"S9a", "S9b"}
    assert clause_against(it, 1, "S8b") == "MOV-3"
    assert clause_against(it, 1, "S7a") == "MOV-3"


@clause("MOV-2")
def test_one_chariot_to_a_space() -> None:
    it = race(at("S8a", 1), at("S9a", 1))
    assert destinations(it, 1) == {"S9b"}
    assert clause_against(it, 1, "S9a") == "MOV-2"


@clause("MOV-2")
def test_nobody_jumps_over_chariots() -> None:
    it = race(at("S8a", 2), at("S9a", 1), at("S9b", 1))
    assert cards(it) == set()
    assert clause_against(it, 2, "S10a") == "MOV-2"


@clause("MOV-2")
def test_nobody_crosses_a_wall() -> None:
    it = race(at("C1a", 1, 2), at("S1a", 1))
    assert destinations(it, 1) == {"C2a"}
    assert clause_against(it, 2, "C3a") == "allowed"
    it = race(at("C1b", 1), at("S1a", 1))
    assert destinations(it, 1) == {"C2b"}
    assert clause_against(it, 1, "C2a") == "MOV-2"


@clause("MOV-2", "COU-6")
def test_a_dashed_line_may_be_crossed() -> None:
    it = race(at("D1b", 1), at("S1a", 1))
    assert destinations(it, 1) == {"D2a", "D2b"}


@clause("MOV-3")
def test_a_card_is_played_in_full_or_not_at_all() -> None:
    it = race(at("N1a", 3), at("C2a", 1), at("C2b", 1))
    assert misses(it) == "blocked"
    assert clause_against(it, 3, "C1a") == "MOV-3"


@clause("MOV-3")
def test_who_can_play_must_even_to_his_harm() -> None:
    it = race(at("N1a", 1), at("C1b", 1))
    assert destinations(it, 1) == {"C1a"}
    assert kinds(it) == {Play}
    with pytest.raises(IllegalMove, match="MOV-3"):
        it.play(Miss())


BLOCKED = (at("N1a", 1, 2, 5, deck=(3, 4)), at("C1a", 1), at("C1b", 1))


@clause("MOV-4")
@pytest.mark.parametrize("edition", ["pro-ludo", "thibault", "riassunto"])
def test_a_missed_turn_keeps_the_hand(edition: str) -> None:
    it = race(*BLOCKED, edition=edition)
    assert list(it.legal_moves) == [Miss()]
    it.play(Miss())
    assert hand(it, 0) == (1, 2, 5)
    assert it.view().chariots[0].deck_size == 2


@clause("MOV-4", "OWN-8")
@pytest.mark.parametrize("edition", ["ravensburger", "fiche"])
def test_a_missed_turn_exchanges_a_card_of_choice(edition: str) -> None:
    it = race(*BLOCKED, edition=edition)
    assert list(it.legal_moves) == [Miss(1), Miss(2), Miss(5)]
    with pytest.raises(IllegalMove, match="MOV-4"):
        it.play(Miss())
    it.play(Miss(5))
    assert hand(it, 0) == (1, 2, 3)
    assert it.view(0).bottom == (5,)


@clause("MOV-4", "MOV-1")
def test_nobody_exchanges_a_card_that_he_does_not_hold() -> None:
    it = race(*BLOCKED)
    with pytest.raises(IllegalMove, match="MOV-1"):
        it.play(Miss(3))


@clause("MOV-4")
def test_a_leader_with_barred_sixes_waits_with_his_hand_as_it_is() -> None:
    it = race(at("S9a", 6, 6, 6), at("S8a", 1))
    assert misses(it) == "barred"
    assert list(it.legal_moves) == [Miss()]
    with pytest.raises(IllegalMove, match="MOV-4"):
        it.play(Miss(6))


@clause("MOV-4")
def test_with_missed_turns_he_exchanges_then_too() -> None:
    it = race(at("S9a", 6, 6, 6), at("S8a", 1), missed_turn="exchange")
    assert list(it.legal_moves) == [Miss(6)]


@clause("MOV-4")
def test_with_an_empty_deck_nothing_is_exchanged() -> None:
    it = race(at("N1a", 1, 2, deck=()), at("C1a", 1), at("C1b", 1))
    assert list(it.legal_moves) == [Miss()]


@clause("MOV-4")
def test_others_see_a_miss_and_an_exchange_never_why_or_which() -> None:
    it = race(*BLOCKED)
    it.play(Miss(5))
    for eyes in (1, None):
        seen = it.view(eyes).history[-1]
        assert (seen.chariot, seen.move, seen.exchanged, seen.reason) == (0, None, True, None)
    own = it.view(0).history[-1]
    assert (own.move, own.reason) == (Miss(5), "blocked")


@clause("MOV-5")
def test_a_card_may_carry_past_the_end_by_any_number_of_steps() -> None:
    it = race(at("S4a", 1, 2, 5, crossings=3, coin=False), at("S8a", 1))
    assert destinations(it, 1) == {"S5a", "S5b", "S5c"}
    assert destinations(it, 2) == destinations(it, 5) == {"home"}


@clause("MOV-5")
def test_what_stands_beyond_the_line_no_longer_counts() -> None:
    beyond = [at(f"S6{lane}", 1, crossings=1) for lane in "abcd"]
    it = race(at("S5a", 1, crossings=3, coin=False), *beyond)
    assert destinations(it, 1) == {"home"}


@clause("MOV-5")
def test_every_space_before_the_line_must_be_free() -> None:
    before = [at(f"S5{lane}", 1, crossings=3, coin=False) for lane in "abc"]
    it = race(at("S4a", 2, crossings=3, coin=False), *before)
    assert cards(it) == set()
    assert clause_against(it, 2, "home") == "MOV-2"


@clause("MOV-5", "MOV-3")
def test_a_card_that_stays_short_of_the_line_takes_nobody_home() -> None:
    it = race(at("S4a", 1, crossings=3, coin=False), at("S8a", 1))
    assert clause_against(it, 1, "home") == "MOV-3"


@clause("MOV-5")
def test_the_race_ends_at_the_line() -> None:
    it = race(at("S5a", 3, crossings=3, coin=False), at("S1a", 1))
    assert clause_against(it, 3, "S8a") == "MOV-5"
    assert clause_against(it, 3, "S5a") == "MOV-3"


@clause("MOV-6")
def test_without_a_card_left_a_chariot_is_taken_off_and_gets_nothing() -> None:
    it = race(at("S8a", 2, crossings=3, coin=False, deck=()), at("S7a", 1, 2))
    it.play(2, to="S10a")
    chariot = it.view().chariots[0]
    assert chariot.status == "out of cards"
    assert chariot.space is None
    assert "S10a" in destinations(race(at("S9a", 1), at("S7a", 1)), 1)
    while not it.over:
        it.play(next(iter(it.legal_moves)))
    assert it.laurels[0] == 0


@clause("MOV-6")
def test_the_last_card_may_take_a_chariot_home() -> None:
    it = race(at("S5a", 2, crossings=3, coin=False, deck=()), at("S7a", 1, 2))
    it.play(2, to="home")
    assert it.view().chariots[0].status == "home"


@clause("MOV-4")
def test_an_exchanged_card_is_known_to_its_owner_until_he_draws_it() -> None:
    it = race(at("N1a", 1, 5, deck=(3,)), at("C1a", 4, 4), at("C1b", 4, 4))
    it.play(Miss(5))
    assert hand(it, 0) == (1, 3)
    assert it.view(0).bottom == (5,)
    it.play(4, to=next(move.to for move in it.legal_moves if isinstance(move, Play)))
    it.play(4, to=next(move.to for move in it.legal_moves if isinstance(move, Play)))
    it.play(next(iter(it.legal_moves)))
    assert 5 in hand(it, 0)
    assert it.view(0).bottom == ()
    assert it._all("known")[0] == 0


def test_a_race_that_is_over_offers_no_move() -> None:
    it = race(at("S5a", 1, crossings=3, coin=False))
    it.play(1, to="home")
    assert it.over
    assert it._one("turn") == k.NOBODY
    assert list(it.legal_moves) == []
    assert not it.legal_moves
    with pytest.raises(IllegalMove, match="over"):
        it.play(1, to="home")


@pytest.mark.parametrize(
    ("kind", "card", "to"),
    [
        (k.MOVE_PLAY - 1, 1, 0),
        (k.MOVE_VOTE + 1, 0, 0),
        (k.MOVE_PLAY, 0, 0),
        (k.MOVE_PLAY, 7, 0),
        (k.MOVE_PLAY, 1, len(plain().spaces)),  # counted on from the last space, space 0 would be this one
        (k.MOVE_MISS, 0, 1),
        (k.MOVE_WITHDRAW, 0, 1),
        (k.MOVE_WITHDRAW, 1, 0),
    ],
)
def test_a_number_that_names_no_move_is_no_move(kind: int, card: int, to: int) -> None:
    """The chariot may play the 1 to space 0 and others, or withdraw."""
    it = race(at("S5a", 1, crossings=1, disqualified=True), at("S8a", 1))
    assert entry_points.judge(it._course_table, it._races, 0, encode(k.MOVE_PLAY, 1, 0)) == k.ALLOWED
    assert entry_points.judge(it._course_table, it._races, 0, encode(kind, card, to)) == k.REFUSED_NO_SUCH_MOVE


# ---------------------------------------------------------------------- any chariot's ways, step by step


@pytest.mark.parametrize("crossings", [2, 3])
@pytest.mark.parametrize("space", ["S9a", "S2a", "S4a", "S5a"])
def test_a_walk_leads_where_every_card_would_and_home_where_they_would(space: str, crossings: int) -> None:
    others = at("S5b", 1, crossings=crossings), at("S4b", 1, crossings=crossings), at("C1a", 1, crossings=crossings)
    led: dict[int, set[str]] = {}
    for card in range(1, 6):
        it = race(at(space, card, crossings=crossings, coin=False), *others)
        led[card] = destinations(it, card)
    free, met = packing.new_windows(2)
    homeward = entry_points.walk_on(it._course_table, it._races, 0, 0, free, met)
    assert homeward & ~(1 << 6) == sum(1 << card for card, to in led.items() if "home" in to)
    here = it.course.space(space).id
    for card, to in led.items():
        ahead = [bit for bit in range(64) if int(free[card]) >> bit & 1]
        assert {it.course.spaces[(here + bit) % len(it.course.spaces)].name for bit in ahead} == to - {"home"}
    assert (free[0], met[0]) == (0, 0)


def test_a_walk_meets_whoever_stands_on_its_ways_and_nobody_behind_them() -> None:
    it = race(at("S8a", 1), at("S9a", 1), at("S9b", 1), at("S10a", 1), at("S1a", 1))
    assert [ahead.met for ahead in walk(it.view(), 0)] == [(1, 2)] * 6
    assert [ahead.free for ahead in walk(it.view(), 0)] == [()] * 6
    it = race(at("S8a", 1), at("S9a", 1), at("S10a", 1), at("S1a", 1))
    met = [ahead.met for ahead in walk(it.view(), 0)]
    assert met[0] == (1,)
    assert met[1] == (1, 2)
    assert all(len(before) <= len(after) for before, after in pairwise(met))
