"""The Ausgebremst adaptation at the table in the terminal: decks, piles, and the emperor's cards."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot

from avecaesar.drivers import Greedy
from avecaesar.game import ChooseDeck, Draw, Lay, Sort
from avecaesar.table import Table
from avecaesar.tui.app import TableApp
from avecaesar.tui.deck_prompts import Sorting
from avecaesar.tui.dialogs import Clauses
from tui_by_keys import (
    asked,
    asks,
    at,
    changed,
    find,
    mid_race,
    opened,
    race_on,
    shown,
    sit_down,
    state,
    table_of,
    until,
    waits,
)


@pytest.mark.parametrize("course", ["white", "yellow"])
def test_a_whole_ausgebremst_race_is_played_by_keys(course: str) -> None:
    table = table_of(1, 3, edition="ausgebremst", course=course)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        assert "Choose your deck" in shown(app)
        await pilot.press("1", "3")
        assert at(app).hand.chosen == ChooseDeck("fast")
        assert "3 fast 18 cards" in asked(app)
        await pilot.press("enter")
        await until(pilot, lambda: asks(app) and table.race.asks == "sort")
        log = " ".join(line for _, line, _ in at(app).log_of_race.lines)
        assert "The decks are revealed together: " in log
        assert "Livia fast" in log
        await pilot.press("right", "down", "down", "enter")
        await until(pilot, lambda: asks(app) and table.race.asks == "draw")
        await pilot.press("3")
        assert at(app).hand.chosen == Draw(2)
        await pilot.press("enter")
        await race_on(pilot)
        assert "wins. Ave" in shown(app)

    sit_down(app, act)
    mine = [turn.move for turn in table.race.history if table.rigs[turn.chariot].seat == 0]
    choice = table.race.choices[table.chariot_of(0)]
    assert choice is not None
    assert (choice.deck, choice.emperor) == ("fast", (3,) if course == "white" else (4, 3))
    assert sum(isinstance(move, Lay) for move in mine) == (course == "yellow"), "the emperor's cards were claimed"
    assert not table.view(0).me.coin


def sorting(app: App[Any]) -> Sorting:
    question = at(app).hand.question
    assert isinstance(question, Sorting)
    return question


def sizes(app: App[Any]) -> list[int]:
    return [sum(pile) for pile in sorting(app).counts]


def at_sorting(**setup: Any) -> Table:
    return find(lambda view: view.asks == "sort" and view.me.deck in ("slow", None), edition="ausgebremst", **setup)


def test_cards_are_moved_from_pile_to_pile_and_a_value_is_split() -> None:
    table = at_sorting()
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        question = sorting(app)
        assert question.suggested == Greedy().choose(table.view(0)).piles  # type: ignore[union-attr]
        assert question.chosen == Sort(question.suggested)
        assert sizes(app) == [8, 7, 8]
        await pilot.press("2")
        assert sizes(app) == [7, 8, 8], "one of the ones"
        assert "The 1s: 3 on pile I, 1 on pile II. Pile II holds more than two values" in asked(app)
        assert "(AUS-3)" in asked(app)
        assert "screen.play" in at(app).keys.idle
        await pilot.press("enter")
        assert asks(app), "it is no sorting"
        assert not app.screen.query("Toast"), "the reason stands there already"
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, Clauses))
        await pilot.press("enter", "up")
        assert sizes(app) == [8, 7, 8], "gathered again"
        await pilot.press("right", "down", "down", "down")
        assert sizes(app) == [4, 7, 12]
        await pilot.press("0")
        assert question.chosen == Sort(question.suggested)
        await pilot.press("left", "left", "1", "1")
        assert question.value == 6
        assert [pile[5] for pile in question.counts] == [2, 0, 2]
        await pilot.press("left", "left", "left", "left", "3")
        assert question.value == 2
        await pilot.press("down", "right", "right", "right", "right", "1", "1")
        first, second, third = (tuple(pile) for pile in question.counts)
        assert (first, third) == ((4, 0, 0, 0, 0, 4), (0, 4, 0, 0, 4, 0))
        assert sum(second) == 7
        assert question.chosen is not None
        await pilot.press("left", "1")
        assert question.chosen is None
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: table.race.asks != "sort" or not asks(app))

    sit_down(app, act)
    sort = next(turn.move for turn in table.race.history if isinstance(turn.move, Sort))
    assert sort.piles is not None
    assert (sort.piles[0], sort.piles[2]) == ((1, 1, 1, 1, 6, 6, 6, 6), (2, 2, 2, 2, 5, 5, 5, 5))


def test_the_mouse_sorts_and_draws() -> None:
    table = at_sorting()
    app = opened(table)

    async def click(pilot: Pilot[Any], line: str, column: int) -> None:
        rows = str(at(app).hand.render()).splitlines()
        row = next(i for i, words in enumerate(rows) if words.strip("▶ ").startswith(line))
        await pilot.click(at(app).hand, offset=(column, row))
        await pilot.pause()

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        await click(pilot, "3 III ", 11 + 5)
        assert sorting(app).value == 6
        await click(pilot, "1 I ", 30)
        assert [pile[5] for pile in sorting(app).counts] == [4, 0, 0]
        await click(pilot, "3 III ", 5)
        assert sizes(app) == [8, 7, 8]
        await pilot.press("enter")
        await until(pilot, lambda: asks(app) and table.race.asks == "draw")
        await click(pilot, "2 II ", 3)
        assert at(app).hand.chosen == Draw(1)
        await click(pilot, "2 II ", 3)
        await until(pilot, lambda: waits(app) and len(table.view(0).hand) == 1)

    sit_down(app, act)


def test_piles_are_shown_with_chances_and_an_empty_one_is_refused() -> None:
    table = find(lambda view: mid_race(view) and 0 in view.me.piles and sum(view.me.piles) > 4, edition="ausgebremst")
    view = table.view(0)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        await pilot.press(str(1 + max(range(3), key=lambda pile: view.me.piles[pile])))
        for counts in view.piles:
            chances = " ".join(f"{100 * count / sum(counts):.0f}%" for count in counts if count)
            assert chances in asked(app)
        await pilot.press(str(1 + view.me.piles.index(0)))
        assert "That pile is empty. (AUS-3)" in asked(app)
        assert at(app).hand.chosen is None
        await pilot.press("enter")
        assert asks(app)

    sit_down(app, act)


def test_without_a_memory_aid_nobody_is_shown_what_lies_in_his_piles() -> None:
    table = find(mid_race, edition="ausgebremst", memory_aid=False)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        assert "you must remember" in asked(app)
        assert "%" not in asked(app)
        piles = [line for line in str(at(app).hand.render()).splitlines() if re.match("[▶ ][123] I", line)]
        sizes = [str(size) for size in table.view(0).me.piles]
        assert [re.findall("[0-9]+", line.replace("top: 3", ""))[1:] for line in piles] == [[size] for size in sizes]

    sit_down(app, act)


def test_the_emperors_three_may_be_laid_on_an_empty_pile() -> None:
    table = find(lambda view: view.asks == "lay" and 0 in view.me.piles, edition="ausgebremst", course="red")
    pile, turns = table.view(0).me.piles.index(0), len(table.race.history)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        assert "Lay the emperor's 3" in asked(app)
        await pilot.press(str(pile + 1), "enter")
        await until(pilot, lambda: waits(app))
        assert table.race.history[turns].move == Lay(pile)
        lines = [line for _, line, _ in at(app).log_of_race.lines]
        assert any("takes the emperor’s 4: Ave Caesar! Lays the emperor’s 3 on pile" in line for line in lines)

    sit_down(app, act)


def test_an_optional_stop_says_what_it_brings() -> None:
    table = find(
        lambda view: bool(view.me.emperor) and any(o.pays for o in view.outlooks.values()), edition="ausgebremst"
    )
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        assert "alley: emperor’s 3 into your hand" in asked(app)

    sit_down(app, act)


def test_the_curtain_hides_decks_and_piles() -> None:
    table = table_of(2, 1, edition="ausgebremst")
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        asked: list[str] = []
        while len(asked) < 8:
            await until(pilot, lambda: waits(app))
            if at(app).curtained:
                await pilot.pause()
                assert not re.search("[0-9]", str(at(app).hand.render()))
                assert (at(app).hand.question, at(app).hand.views) == (None, ())
                if table.race.asks == "deck":
                    assert "CHOOSE YOUR DECK" in shown(app)
                    assert not re.search("slow|average|fast", shown(app)), "nobody has revealed his deck"
            else:
                asked.append(str(table.race.asks))
                question = at(app).hand.question
                seat = table.seat_on_turn
                assert question is not None
                assert question.view == table.view(seat)
            if table.race.asks == "deck" and at(app).asking:
                await pilot.press("3")
            before = state(app)
            await pilot.press("enter")
            await until(pilot, partial(changed, app, before))
            told = [line for _, line, _ in at(app).log_of_race.lines]
            assert not any(re.search("[0-9]", line) for line in told if "has chosen" in line or "has sorted" in line)
        assert asked[:4] == ["deck", "deck", "sort", "sort"]
        assert set(asked[4:]) <= {"draw", "turn"}

    sit_down(app, act)


def test_what_is_left_in_the_middle_of_sorting_is_resumed_there() -> None:
    table = table_of(2, 1, edition="ausgebremst")
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        while table.race.asks != "sort" or not any(isinstance(turn.move, Sort) for turn in table.race.history):
            await until(pilot, lambda: waits(app))
            before = state(app)
            await pilot.press("enter")
            await until(pilot, partial(changed, app, before))
        await until(pilot, lambda: waits(app))
        await pilot.press("q")

    sit_down(app, act)
    again = TableApp(speed="off")

    async def go_on(pilot: Pilot[Any]) -> None:
        await pilot.press("enter")
        await until(pilot, lambda: waits(again))
        taken_up = at(again).table
        assert taken_up.race.history == table.race.history
        assert [taken_up.view(seat) for seat in (0, 1)] == [table.view(seat) for seat in (0, 1)]
        assert sum("has sorted" in line for _, line, _ in at(again).log_of_race.lines) > 0
        await race_on(pilot)

    sit_down(again, go_on)
