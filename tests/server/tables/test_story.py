"""What is told at a table is put into words when somebody asks for it, and not before."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from types import SimpleNamespace
from typing import cast

import pytest

from avecaesar import speech
from avecaesar.game import Race, View
from avecaesar.rules import EDITIONS
from avecaesar.server.tables import events as e
from avecaesar.server.tables import story
from avecaesar.server.tables.running import RunningTable
from avecaesar.server.tables.state import TableState
from avecaesar.server.tables.story import FRESH
from avecaesar.speech import LANGUAGES, speaking
from avecaesar.telling import narration
from avecaesar.telling.scenes import at_the_start
from logs import Log, laid
from recordings import choose
from seat_numbers import FIRST, SECOND

MANY = 40  # who ask at once


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How often each turn was put into words, by the decisions before it."""
    counted, tell = Counter[int](), narration.tell

    def counting(before: View, after: View) -> str:
        counted[len(before.history)] += 1
        return tell(before, after)

    monkeypatch.setattr(narration, "tell", counting)
    return counted


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Race]:
    """The races that were run again, each time."""
    begun = list[Race]()

    def beginning(race: Race) -> Race:
        begun.append(race)
        return at_the_start(race)

    monkeypatch.setattr(story, "at_the_start", beginning)
    return begun


@pytest.fixture
def wordings(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often anything was put into words, by language."""
    counted, catalogue = Counter[str](), speech.catalogue

    def counting(language: str) -> speech.Catalogue:
        counted[language] += 1
        return catalogue(language)

    monkeypatch.setattr(speech, "catalogue", counting)
    return counted


def raced(edition: str = "ravensburger") -> Log:
    log = laid("here", "here", edition=edition)
    log.add(e.Begun())
    log.race(random.Random(1))
    return log


def turns(state: TableState) -> list[str]:
    return [line.words for line in state.lines if line.kind == "turn"]


def test_nothing_is_put_into_words_while_a_log_is_folded(told: Counter[int]) -> None:
    assert raced().state.phase != "racing"
    assert not told


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_word_at_all_is_looked_for_before_somebody_asks(wordings: Counter[str], edition: str) -> None:
    log = laid("here", "here", "scorpus", edition=edition, tournament=True, options={"missed_turn": "keep"})
    log.add(e.Begun())
    log.race(random.Random(1))
    log.add(e.Said(FIRST, None, "ave"), e.Begun(), e.Appointed(SECOND, "festina"))
    assert not wordings
    with speaking("it"):
        assert any("scorpus" in line.words.lower() for line in log.state.lines)
    assert set(wordings) == {"it"}


def test_what_there_is_to_know_before_a_race_is_put_into_words_once_for_each_language(wordings: Counter[str]) -> None:
    log = laid("here", "scorpus", options={"riderless": "extra", "riderless_count": "1", "crash": "yes"})
    log.add(e.Begun())
    for language in ("it", "de"):
        with speaking(language):
            heard = log.state.lines
            once = wordings[language]
            assert len(heard) >= 5
            assert log.state.lines == heard
        assert wordings[language] == once > 0
    assert set(wordings) == {"it", "de"}


def test_what_there_is_to_know_before_a_race_stays_the_same_whenever_it_is_asked_for() -> None:
    early, late = laid("here", "scorpus"), laid("here", "scorpus")
    for log in (early, late):
        log.add(e.Begun())
    heard = early.state.lines
    assert any(line.words.startswith("Scorpus, ") for line in heard)
    go_on(late, 5, random.Random(1))
    late.add(e.Appointed(SECOND, "festina"))
    assert late.state.lines[: len(heard)] == heard


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
        heard += [line.words for line in state.story.since(number) if line.kind == "turn"]
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
        await state.story.prepare()
        counting.cancel()
        return steps

    assert asyncio.run(prepare()) > FRESH
    before = told.total()
    turns(state)
    assert told.total() - before <= FRESH


def go_on(log: Log, moves: int, source: random.Random) -> None:
    """So many moves more."""
    for _ in range(moves):
        log.happen(e.Moved(log.state.on_turn, choose(log.state.game_table.race, "careful", source), "person"))


async def asking(log: Log, callers: int = MANY, steps: int = 3) -> list[asyncio.Task[None]]:
    """So many who want to hear the story, some steps later."""
    tasks = [asyncio.create_task(log.state.story.prepare()) for _ in range(callers)]
    for _ in range(steps):
        await asyncio.sleep(0)
    return tasks


def test_a_race_is_run_again_once_for_all_who_ask_at_once(told: Counter[int], runs: list[Race]) -> None:
    log = raced()

    async def ask() -> None:
        await asyncio.gather(*await asking(log))

    for number, language in enumerate(("it", "de"), 1):
        with speaking(language):
            asyncio.run(ask())
            assert len(turns(log.state)) > FRESH
        assert len(runs) == number
        assert set(told.values()) == {number}


def test_whoever_goes_does_not_spoil_the_story_for_others(told: Counter[int]) -> None:
    log = raced()

    async def ask() -> None:
        first, *others = await asking(log)
        first.cancel()
        results = await asyncio.gather(first, *others, return_exceptions=True)
        assert isinstance(results[0], asyncio.CancelledError)
        assert set(results[1:]) == {None}

    asyncio.run(ask())
    assert len(turns(log.state)) > FRESH
    assert set(told.values()) == {1}


def test_a_race_is_not_begun_anew_for_everybody_who_comes_and_goes(runs: list[Race]) -> None:
    log = raced()

    async def ask() -> None:
        for _ in range(3):
            for task in await asking(log, 1):
                task.cancel()
        await asyncio.gather(*await asking(log))

    asyncio.run(ask())
    assert len(runs) == 1


def test_whoever_knows_more_of_a_race_than_those_he_waits_with_hears_all_of_it(told: Counter[int]) -> None:
    log, source = laid("here", "here"), random.Random(1)
    log.add(e.Begun())
    go_on(log, 3 * FRESH, source)
    later = Log(log.state.twin(), [])

    async def ask() -> None:
        callers = await asking(log)
        go_on(later, 2 * FRESH, source)
        for _ in range(4 * FRESH):  # at every step, also when the first are just done
            callers += await asking(later, 1, steps=1)
        await asyncio.gather(*callers)

    asyncio.run(ask())
    before = told.total()
    assert len(turns(later.state)) == 5 * FRESH
    assert told.total() - before <= FRESH
    assert set(told.values()) == {1}


def test_what_happens_while_a_table_is_put_into_words_is_put_into_words_too(told: Counter[int]) -> None:
    log, source = laid("here", "here"), random.Random(1)
    log.add(e.Begun())
    go_on(log, 3 * FRESH, source)
    later = Log(log.state.twin(), [])
    table = SimpleNamespace(state=log.state)

    async def ask() -> None:
        caller = asyncio.create_task(RunningTable.prepare_story(cast(RunningTable, table)))
        await asyncio.sleep(0)
        go_on(later, 2 * FRESH, source)
        table.state = later.state
        await caller

    asyncio.run(ask())
    before = told.total()
    assert len(turns(later.state)) == 5 * FRESH
    assert told.total() == before
