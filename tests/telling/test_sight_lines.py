"""What everybody can see for himself: who is asked next, who keeps whom from moving, what a turn threw away or won."""

from __future__ import annotations

import random

import pytest

from avecaesar.game import Crash, Miss, Play, Race
from avecaesar.game.what_if import stopping_cards
from avecaesar.kernel.layout import REFUSED_BLOCKED
from avecaesar.rules import DECKS
from avecaesar.server.tables.projection import _offer, _refused
from avecaesar.telling import narration
from avecaesar.telling.narration import caution
from avecaesar.telling.sight_lines import blockade, lap_begun, order, stuck_behind, thrown_away
from avecaesar.telling.stakes import culprits, sixes_needed
from recordings import choose
from situations import at, plain, race

KINDS: dict[str, dict[str, object]] = {
    "plain": {},
    "riderless": {"options": {"riderless": "fill"}},
    "votes": {"options": {"riderless": "extra", "riderless_count": "2", "riderless_moves": "vote"}},
    "piles": {"edition": "ausgebremst"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_chariots_move_in_the_order_that_was_told(kind: str) -> None:
    source = random.Random(1)
    it = Race("white", 3, seed=1, **KINDS[kind])  # type: ignore[arg-type]
    while not it.over:
        told = order(it.view())
        assert told[0] == it.mover
        assert all(it.view().chariots[i].status == "racing" for i in told)
        asks = it.asks
        while not it.over and it.asks == asks and it.mover == told[0]:
            it.play(choose(it, "careful", source))
        racing = [i for i in told[1:] if it.view().chariots[i].status == "racing"]
        if not it.over and it.asks == asks and racing:
            assert it.mover == racing[0]
    assert order(it.view()) == ()


def test_a_missed_turn_names_those_who_stand_in_the_way_and_the_card_that_went() -> None:
    it = race(at("S8a", 2), at("S9a", 1), at("S9b", 1), at("S10a", 1), at("S1a", 1))
    before = it.view()
    assert (blockade(before, 0), stuck_behind(before, 0)) == ((1, (1, 2)), (1, 2))
    assert culprits(it.view(0)) == (1, 2)
    it.play(Miss(2))
    told = "driver 0 is stuck behind driver 1 and driver 2, misses a turn and exchanges a card"
    assert narration.tell(before, it.view()) == told


def test_whether_a_six_or_a_blocked_card_is_missed_with_stays_the_drivers_secret() -> None:
    """A leader whose way is free for a step or two might also hold nothing but sixes: nobody is named."""
    ahead = (at("C1a", 1, crossings=1), at("C1b", 1, crossings=1))  # lapped: they go the same way a lap later
    hands: list[tuple[int, ...]] = [(6,), (5,)]
    told = set()
    for hand in hands:
        it = race(at("S10a", *hand, crossings=2, coin=False), *ahead, missed_turn="keep")
        before = it.view()
        assert before.under_ban == {0}
        assert blockade(before, 0)[0] is not None
        it.play(it.legal_moves[0])
        told.add(narration.tell(before, it.view()))
    assert len(told) == 1
    assert "stuck" not in told.pop()


def test_who_stands_in_the_way_is_told_only_if_no_card_could_be_moved_in_full() -> None:
    stuck = 0
    for seed in range(12):
        it, source = Race("white", 6, seed=seed), random.Random(seed)
        while not it.over:
            chariot = it.turn
            assert chariot is not None
            view = it.view(chariot)
            missed = all(isinstance(move, Miss) for move in view.legal_moves)
            if missed and stuck_behind(it.view(), chariot):
                assert culprits(view) == stuck_behind(it.view(), chariot)
                stuck += 1
            it.play(source.choice(view.legal_moves))
    assert stuck > 10


@pytest.mark.parametrize("tribute", ["required", "dishonour"])
def test_whoever_might_be_waiting_for_the_alley_is_not_said_to_be_stuck_and_others_are(tribute: str) -> None:
    """On the first lap, or where nobody ever waits (TRI-5), a card that would stop in the alley hides nothing."""
    named = 0
    for seed in range(12):
        it, source = Race("white", 6, options={"tribute": tribute}, seed=seed), random.Random(seed)
        while not it.over:
            chariot = it.turn
            assert chariot is not None
            view, before = it.view(chariot), it.view()
            it.play(move := source.choice(view.legal_moves))
            space = before.chariots[chariot].space
            if not isinstance(move, Miss) or space is None or not stopping_cards(before.course, space):
                continue
            if (
                before.owes(chariot)
                and blockade(before, chariot)[0] not in (None, 1)
                and chariot not in before.under_ban
            ):
                told = stuck_behind(before, chariot)
                assert bool(told) == (tribute == "dishonour" or not before.must_pay(chariot))
                named += bool(told)
    assert named > 0


def test_points_thrown_away_are_what_was_told_before_and_laps_are_begun_in_their_order() -> None:
    it, source = Race("white", 3, seed=4), random.Random(4)
    laps: dict[int, list[int | None]] = {0: [], 1: [], 2: []}
    while not it.over:
        chariot = it.turn
        assert chariot is not None
        view, move = it.view(chariot), source.choice(it.view(chariot).legal_moves)
        outlook = view.outlooks.get(move)  # type: ignore[arg-type]
        it.play(move)
        after = it.view()
        alley = it.course.alley_extra if outlook and outlook.pays else 0
        assert thrown_away(view, after, chariot, move) == (outlook.wasted - alley if outlook else 0)
        if isinstance(move, Play) and move.to != "home" and not after.chariots[chariot].disqualified:
            assert thrown_away(view, after, chariot, move) == view.to_spare(chariot) - after.to_spare(chariot)
        if begun := lap_begun(view, it.view(), chariot):
            laps[chariot].append(begun)
    assert all(seen == [1, 2, 3][: len(seen)] for seen in laps.values())
    assert [1, 2, 3] in laps.values()


def test_a_leader_who_cannot_get_home_without_his_six_is_told_to_let_somebody_pass() -> None:
    def needed(*hand: int, crossings: int = 3, deck: tuple[int, ...] = (), behind: str = "S1a") -> int:
        it = race(at("J1a", *hand, crossings=crossings, deck=deck, coin=False), at(behind, 1, crossings=2))
        return sixes_needed(it.view(0))

    to_go = race(at("J1a", 1, crossings=3, coin=False), at("S1a", 1)).view(0).to_go(0)
    assert 1 < to_go <= 7
    assert needed(1, 6) == (to_go > 1)
    assert needed(5, 3, 6) == (to_go > 8)  # the others are enough
    assert needed(1, 6, deck=(5, 5)) == 0  # the deck has what is wanted
    assert needed(1, 2) == 0  # no six at all
    view = race(at("J1a", 1, 6, crossings=3, coin=False, deck=()), at("S1a", 1, crossings=2)).view(0)
    assert (
        narration.caution(view)
        == "You need a 6 to get home, and while you lead you may not play one: let somebody pass."
    )


def test_who_does_not_lead_is_not_warned_of_his_six() -> None:
    mine = at("J1a", 1, 6, crossings=3, coin=False, deck=())
    assert narration.caution(race(mine, at("S1a", 1, crossings=3)).view(0)) == ""  # the other one is ahead
    assert narration.caution(race(mine, at("S1a", 1, crossings=2)).view(0)) != ""


def test_nor_is_a_leader_whose_six_is_not_barred_but_blocked_and_one_who_crashes() -> None:
    """In a bottleneck he might play one (SIX-4); where it is agreed he crashes with nothing else in hand (CRA-1)."""
    mine, course = at("J1a", 6, 6, crossings=3, coin=False, deck=()), plain()
    ahead = [at(course.spaces[step.to].name, 1, crossings=2) for step in course.space("J1a").steps]
    blocked, crashes = race(mine, *ahead).view(0), race(mine, at("S1a", 1, crossings=2), crash="yes").view(0)
    assert blocked.under_ban == crashes.under_ban == {0}
    assert [why.verdict for why in blocked.refusals.values()] == [REFUSED_BLOCKED]
    assert crashes.legal_moves == (Crash(),)
    assert (narration.caution(blocked), narration.caution(crashes)) == ("", "")


def test_leaders_who_share_the_lead_are_told_with_whom() -> None:
    view = race(at("S8a", 1, 6), at("S8b", 1), at("S6a", 1)).view(0)
    assert _refused(6, view.refusals[6], view).words == (
        "You share the lead with driver 1, so you may not play a 6 now."
    )
    alone = race(at("S8a", 1, 6), at("S6b", 1)).view(0)
    assert _refused(6, alone.refusals[6], alone).words == "You lead the race, so you may not play a 6 now."


def test_decks_are_offered_with_their_cards_and_points() -> None:
    it = Race("white", 2, edition="ausgebremst", seed=1)
    view = it.view(it.turn)
    offers = [_offer(move, view) for move in view.legal_moves]
    assert [(offer.cards, offer.points) for offer in offers] == [(24, 84), (20, 84), (18, 84)]
    assert [offer.cards for offer in offers] == [sum(deck) for deck in DECKS.values()]


def test_a_leader_who_may_play_a_six_after_all_is_told_so() -> None:
    """Nothing but sixes in a bottleneck (SIX-4); with another card, or on the open course, there is nothing to say."""
    said = {
        (space, hand): caution(race(at(space, *hand, crossings=2, coin=False), at("S1a", 1, 2, crossings=1)).view(0))
        for space in ("N1a", "C1b")
        for hand in ((6, 6, 6), (1, 6, 6))
    }
    assert said.pop(("N1a", (6, 6, 6))) == "You lead, but with nothing but sixes in your hand you may play one here."
    assert set(said.values()) == {""}
