"""Why a move is refused: the clause, the sentence, and the kernel's verdict behind both."""

from __future__ import annotations

import pickle
import random

import pytest

from avecaesar.game import IllegalMove, Play, Race, Refusal
from avecaesar.game.moves import Destination, to_number
from avecaesar.game.refusal import SENTENCES, explain
from avecaesar.kernel import entry_points
from avecaesar.kernel import layout as k
from avecaesar.rules import PILES
from situations import at, race

KINDS: dict[str, dict[str, object]] = {
    "plain": {},
    "piles": {"edition": "ausgebremst"},
    "crashes": {"options": {"crash": "yes"}},
}


def test_every_verdict_has_a_clause_and_is_not_forgotten() -> None:
    named = [number for name, number in vars(k).items() if name.startswith("REFUSED_")]
    of_piles = [first + pile for first in (k.REFUSED_LEFT_EMPTY, k.REFUSED_MIXED) for pile in range(1, PILES)]
    verdicts = [*named, *of_piles]
    assert len(set(verdicts)) == len(verdicts), "each has a number of its own"
    assert set(SENTENCES) == set(verdicts)
    for verdict in verdicts:
        assert explain(verdict, 3, "S1a").verdict == verdict
        assert explain(verdict, 3, "home").verdict == verdict
        assert explain(verdict, 3, "S1a").rule.id == explain(verdict, 3, "S1a").clause


@pytest.mark.parametrize("kind", KINDS)
def test_a_play_is_refused_with_the_verdict_of_the_kernel(kind: str) -> None:
    it, source, met = Race("white", 4, seed=6, **KINDS[kind]), random.Random(6), set()  # type: ignore[arg-type]
    destinations: list[Destination] = [*range(len(it.course.spaces)), "home"]
    while not it.over:
        if it.asks == "turn":
            play = Play(source.randint(1, 6), source.choice(destinations))
            why = it.why_not(play)
            verdict = int(entry_points.judge(it._course_table, it._races, 0, to_number(play)))
            assert verdict == (k.ALLOWED if why is None else why.verdict)
            met.add(verdict)
        it.play(source.choice(list(it.legal_moves)))
    assert met >= {k.REFUSED_NOT_IN_HAND, k.REFUSED_NOT_EXACT}


def test_a_card_that_is_blocked_everywhere_is_told_from_a_count_that_is_not_exact() -> None:
    """Both are MOV-3."""
    it = race(at("S8a", 2, 5), at("S9a", 1), at("S9b", 1), at("S10a", 1), at("S1a", 1))
    blocked = it.view(0).refusals[2]
    inexact = it.why_not(5, to="S10a")
    assert inexact is not None
    assert blocked.clause == inexact.clause == "MOV-3"
    assert (blocked.verdict, inexact.verdict) == (k.REFUSED_BLOCKED, k.REFUSED_NOT_EXACT)


def test_a_barred_six_has_its_own_verdict_wherever_it_is_refused() -> None:
    it = race(at("S10a", 6, 1), at("S8b", 1))
    with pytest.raises(IllegalMove) as refused:
        it.play(6, to="N1a")
    assert refused.value.refusal.verdict == it.view(0).refusals[6].verdict == k.REFUSED_SIX


def test_the_verdict_is_neither_shown_nor_compared_and_travels_along() -> None:
    one, other = (Refusal("MOV-2", "A wall.", verdict=verdict) for verdict in (k.REFUSED_WALL, k.REFUSED_BLOCKED))
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == "Refusal(clause='MOV-2', reason='A wall.', pile=None)"
    assert pickle.loads(pickle.dumps(one)).verdict == k.REFUSED_WALL
