"""What is told at a table is put into words when somebody asks for it, and not before."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest

from avecaesar.game import View
from avecaesar.server.tables import events as e
from avecaesar.server.tables.state import TableState
from avecaesar.server.tables.story import FRESH
from avecaesar.speech import LANGUAGES, speaking
from avecaesar.telling import narration
from logs import Log, laid
from recordings import choose


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How often each turn was put into words, by the decisions before it."""
    counted, tell = Counter[int](), narration.tell

    def counting(before: View, after: View) -> str:
        counted[len(before.history)] += 1
        return tell(before, after)

    monkeypatch.setattr(narration, "tell", counting)
    return counted


def raced(edition: str = "ravensburger") -> Log:
    log = laid("here", "here", edition=edition)
    log.add(e.Begun())
    log.race(random.Random(1))
    return log


def turns(state: TableState) -> list[str]:
    return [line.words for line in state.story if line.kind == "turn"]


def test_nothing_is_put_into_words_while_a_log_is_folded(told: Counter[int]) -> None:
    assert raced().state.phase != "racing"
    assert not told


@pytest.mark.parametrize("edition", ["ravensburger", "ausgebremst"])
def test_a_turn_is_put_into_words_once_for_each_language_that_is_asked_for(told: Counter[int], edition: str) -> None:
    state = raced(edition=edition).state
    first = turns(state)
    assert len(first) > FRESH
    assert set(told.values()) == {1}
    assert turns(state) == first
    assert set(told.values()) == {1}
    for number, language in enumerate(set(LANGUAGES) - {"en"}, 2):
        with speaking(language):
            assert len(turns(state)) == len(first)
        assert set(told.values()) == {number}


def test_words_are_the_same_whenever_they_are_asked_for() -> None:
    late, early = raced(), laid("here", "here")
    early.add(e.Begun())
    source, state = random.Random(1), early.state
    heard: list[str] = []
    while state.phase == "racing":
        number = state.number
        early.happen(e.Moved(state.on_turn, choose(state.game_table.race, "careful", source), "person"))
        heard += [line.words for line in state.told.since(number) if line.kind == "turn"]
    assert heard == turns(late.state)


def test_older_turns_are_told_step_by_step_so_that_others_are_served_meanwhile(told: Counter[int]) -> None:
    state = raced().state

    async def prepare() -> int:
        steps = 0

        async def count() -> None:
            nonlocal steps
            while True:
                steps += 1
                await asyncio.sleep(0)

        counting = asyncio.create_task(count())
        await state.told.prepare()
        counting.cancel()
        return steps

    assert asyncio.run(prepare()) > FRESH
    before = told.total()
    turns(state)
    assert told.total() - before <= FRESH
