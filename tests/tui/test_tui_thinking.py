"""Hints in the terminal, and drivers who think for long or fail."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from avecaesar.drivers import DriverError, Searcher
from avecaesar.files import data_folder
from avecaesar.game import Miss, Move, View
from avecaesar.table import Table
from avecaesar.tui import saves
from avecaesar.tui.dialogs import Help
from avecaesar.tui.hint import PLAYOUTS
from tui_by_keys import QUESTIONS, asks, at, find, opened, sit_down, table_of, until, until_shown, waits


@pytest.mark.parametrize("size", [(76, 22), (120, 35)])
@pytest.mark.parametrize(
    ("ready", "setup"),
    [(lambda view: len(view.plays) > 3, {}), *QUESTIONS],
    ids=["turn", "deck", "sort", "draw", "lay", "vote"],
)
def test_a_hint_is_given_when_it_is_asked_for(
    ready: Callable[[View], bool], setup: dict[str, Any], size: tuple[int, int]
) -> None:
    table = find(ready, course="red", **setup)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        hand = at(app).hand
        assert hand.hint is None
        assert "h hint" in str(at(app).keys.render())
        await pilot.press("h")
        await until(pilot, lambda: hand.hint)
        best = Searcher(playouts=PLAYOUTS).consider(table.view(0))[:3]
        assert hand.hint == best, "by what the seat sees, and nothing else"
        assert hand.chosen == best[0].move
        lines = str(hand.render()).splitlines()
        told = lines[-len(best) :]
        assert [line.split()[0] for line in told] == [f"{considered.laurels:.1f}" for considered in best]
        assert lines[-len(best) - 1] == "Sibylla expects, in laurels:"
        assert len(lines) <= hand.size.height
        assert max(map(cell_len, lines)) <= hand.size.width
        assert cell_len(str(at(app).keys.render())) <= size[0] - 2
        await pilot.press("h")
        assert hand.hint is None, "it is put away"
        await pilot.press("h")
        await until(pilot, lambda: hand.hint)
        turns = len(table.race.history)
        await pilot.press("enter")
        await until(pilot, lambda: waits(app) and len(table.race.history) > turns)
        assert table.race.history[turns].move == best[0].move
        assert at(app).hand.hint is None, "the next question has none"

    sit_down(app, act, size)


def test_nobody_sees_a_hint_through_the_curtain() -> None:
    app = opened(table_of(2, 1))

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: waits(app))
        assert at(app).curtained
        await pilot.press("h")
        assert at(app).hand.hint is None
        await pilot.press("enter")
        await until(pilot, lambda: asks(app))
        await pilot.press("h")
        await until(pilot, lambda: at(app).hand.hint)
        await pilot.press("enter")
        await until(pilot, lambda: at(app).curtained)
        assert "laurels" not in str(at(app).hand.render())

    sit_down(app, act)


class Slow:
    """A driver who thinks until he is told to play."""

    def __init__(self) -> None:
        self.asked, self.told, self.played = Event(), Event(), False

    def choose(self, view: View) -> Move:
        self.asked.set()
        self.told.wait(60)
        self.played = True
        return view.legal_moves[0]


def at_slow() -> tuple[Table, Slow]:
    """A table at which the first to move thinks long."""
    table, slow = table_of(1, 1, seed=4), Slow()
    assert table.seat_on_turn == 1
    table._drivers = (None, slow)
    return table, slow


@pytest.mark.parametrize("key", ["q", "ctrl+c", "ctrl+q"])
def test_who_leaves_does_not_wait_for_a_driver_who_thinks(key: str) -> None:
    table, slow = at_slow()
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, slow.asked.is_set)
        await until_shown(pilot, lambda text: "Aulus thinks …" in text and "Aulus is thinking." in text)
        await pilot.press("question_mark")
        assert isinstance(app.screen, Help)
        await pilot.press("escape", "t", "h", "x")
        assert app.theme == "day", "keys do what they do"
        await pilot.press(key)

    sit_down(app, act)
    assert not slow.played
    slow.told.set()
    assert table.race.history == ()
    assert "nothing to resume" in str(app.return_value)


def test_a_driver_who_thinks_plays_in_the_end_and_can_be_left_and_resumed() -> None:
    table, slow = at_slow()
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, slow.asked.is_set)
        slow.told.set()
        await until(pilot, lambda: asks(app))
        assert len(table.race.history) == 1
        slow.asked.clear()
        slow.told.clear()
        await pilot.press("enter")
        await until(pilot, slow.asked.is_set)
        await pilot.press("q")

    sit_down(app, act)
    slow.told.set()
    (path,) = data_folder().glob("*.table.json")
    assert saves.load(path).race.history == table.race.history
    assert len(table.race.history) == 2


def test_a_driver_of_somebodys_own_that_fails_ends_the_game_in_a_sentence() -> None:
    class Broken:
        def choose(self, view: View) -> Move:
            return Miss(6)

    table, _ = at_slow()
    table._drivers = (None, Broken())
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: app.failure)

    sit_down(app, act)
    assert isinstance(app.failure, DriverError)
    assert str(app.failure).startswith("driver 'greedy' failed in decision 1: IllegalMove: ")
