"""The table in the terminal, for tests: opened, acted on by keys, and looked at."""

from __future__ import annotations

import asyncio
import html
import random
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from textual.app import App
from textual.pilot import Pilot

from avecaesar.game import View
from avecaesar.table import HUMAN, Setup, Table, seats_for
from avecaesar.tui.app import TableApp
from avecaesar.tui.dialogs import Result
from avecaesar.tui.table_screen import TableScreen

Act = Callable[[Pilot[Any]], Awaitable[None]]
PATIENCE = 60.0  # seconds until something that does not happen fails a test: many, for a busy machine


def sit_down(app: App[Any], act: Act, size: tuple[int, int] = (120, 35)) -> None:
    """Open an application of a size and act on it."""

    async def go() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await act(pilot)

    asyncio.run(go())


def shown(app: App[Any]) -> str:
    """The characters on the screen, line by line."""
    lines: dict[float, str] = {}
    for y, text in re.findall(r'<text[^>]* y="([0-9.]+)"[^>]*>([^<]*)</text>', app.export_screenshot()):
        lines[float(y)] = lines.get(float(y), "") + html.unescape(text).replace("\xa0", " ")
    return "\n".join(lines[y] for y in sorted(lines))


def table_of(people: int = 1, computers: int = 2, **setup: Any) -> Table:
    names = ["Livia", "Marcus", "Titus"][:people]
    return Table(Setup(seats_for([HUMAN] * people + ["greedy"] * computers, names), **{"seed": 7, **setup}))


def opened(table: Table) -> TableApp:
    return TableApp(table, speed="off")


async def until(pilot: Pilot[Any], ready: Callable[[], object]) -> None:
    """Let the application work until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not ready():
            await asyncio.sleep(0)


def at(app: App[Any]) -> TableScreen:
    """The table that is on the screen."""
    assert isinstance(app.screen, TableScreen)
    return app.screen


async def until_shown(pilot: Pilot[Any], ready: Callable[[str], bool]) -> None:
    """Let the application work until its screen is so."""
    for _ in range(50):
        text = shown(pilot.app)
        if ready(text):
            return
        await pilot.pause()
    raise AssertionError(f"it never came to that:\n{text}")


def asks(app: App[Any]) -> bool:
    """Whether a person is asked for a move."""
    return isinstance(app.screen, TableScreen) and app.screen.asking


def waits(app: App[Any]) -> bool:
    """Whether anything waits for a person."""
    return asks(app) or isinstance(app.screen, Result) or (isinstance(app.screen, TableScreen) and app.screen.curtained)


def state(app: App[Any]) -> tuple[int, bool, bool]:
    """What a key changes."""
    return len(at(app).table.race.history), at(app).curtained, at(app).asking


def changed(app: App[Any], before: tuple[int, bool, bool]) -> bool:
    return isinstance(app.screen, Result) or state(app) != before


async def race_on(pilot: Pilot[Any]) -> None:
    """Press Enter until there is a result."""
    app = pilot.app
    while True:
        await until(pilot, lambda: waits(app))
        if isinstance(app.screen, Result):
            await pilot.pause()
            return
        before = state(app)
        app.simulate_key("enter")
        await until(pilot, partial(changed, app, before))


def find(ready: Callable[[View], bool], **setup: Any) -> Table:
    """A table at which Livia must decide in a situation of some kind."""
    for seed in range(400):
        table = table_of(1, 3, **{**setup, "seed": seed})
        chance = random.Random(seed)
        while not table.race_over:
            if table.seat_on_turn == 0 and ready(table.view(0)):
                return table
            table.play(chance.choice(list(table.race.legal_moves)))
    raise AssertionError("no such situation")


def asked(app: App[Any]) -> str:
    """What stands where the hand is, in one line."""
    return " ".join(re.sub("[▌▶]", " ", str(at(app).hand.render())).split())


def votes_on(view: View) -> bool:
    return view.asks == "vote" and len(view.legal_moves) > 3


def mid_race(view: View) -> bool:
    return view.asks == "draw" and len(view.history) > 60 and any(size > 0 for size in view.me.piles)


QUESTIONS: list[tuple[Callable[[View], bool], dict[str, Any]]] = [
    (lambda view: view.asks == "deck", {"edition": "ausgebremst"}),
    (lambda view: view.asks == "sort", {"edition": "ausgebremst"}),
    (mid_race, {"edition": "ausgebremst"}),
    (lambda view: view.asks == "lay", {"edition": "ausgebremst"}),
    (votes_on, {"edition": "thibault", "options": {"riderless_moves": "vote"}}),
]
