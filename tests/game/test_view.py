"""What a view says of the chariots: what has become of one since it was seen before."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from avecaesar.game import Crash, Miss, Play, Race, Withdraw

KINDS: dict[str, dict[str, object]] = {
    "ravensburger": {},
    "ausgebremst": {"edition": "ausgebremst"},
    "dishonour": {"options": {"tribute": "dishonour"}},
    "riderless": {"options": {"riderless": "fill"}},
    "votes": {"options": {"riderless": "extra", "riderless_count": "2", "riderless_moves": "vote"}},
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_coin_is_paid_and_a_chariot_disqualified_by_the_play_of_which_that_was_told(kind: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(4):
        race, source = Race("white", 3, seed=seed, **KINDS[kind]), random.Random(seed)  # type: ignore[arg-type]
        while not race.over:
            before, move = race.view(race.turn), source.choice(list(race.legal_moves))
            race.play(move)
            for i, (then, now) in enumerate(zip(before.chariots, race.view().chariots, strict=True)):
                paid, disqualified = now.paid_since(then), now.disqualified_since(then)
                assert not (paid or disqualified) or i == before.turn
                if i == before.turn and isinstance(move, Play) and not then.riderless:
                    outlook = before.outlooks[move]
                    assert (paid, disqualified) == (outlook.pays, outlook.disqualifies)
                assert not now.paid_since(now)
                assert not now.disqualified_since(now)
                seen.update({"paid": paid, "disqualified": disqualified})
    assert seen["paid"] >= 4
    assert seen["disqualified"] or kind != "dishonour"


@pytest.mark.parametrize("kind", KINDS)
def test_turns_are_counted_and_what_is_decided_beside_them_is_not(kind: str) -> None:
    race, source, turns = Race("white", 3, seed=5, **KINDS[kind]), random.Random(5), 0  # type: ignore[arg-type]
    while not race.over:
        assert {race.view(chariot).turns_taken for chariot in (*race.grid, None)} == {turns}
        move = source.choice(list(race.legal_moves))
        race.play(move)
        turns += isinstance(move, Play | Miss | Withdraw | Crash)
    assert race.view().turns_taken == turns
