"""Draw the table in the terminal: docs/terminal-*.svg. The races are seeded, so that the pictures repeat."""

from __future__ import annotations

import asyncio
import os
import random
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from avecaesar.game import View, Vote
from avecaesar.table import HUMAN, OPPONENTS, Setup, Table, seats_for
from avecaesar.tui.app import TableApp
from avecaesar.tui.offers import LETTERS

DOCS = Path(__file__).resolve().parent.parent / "docs"


def draw(name: str, app: TableApp, size: tuple[int, int], *keys: str) -> None:
    """Open the application, press keys, and keep what is on the screen."""

    async def go() -> str:
        async with app.run_test(size=size) as pilot:
            await pilot.pause(1.0)
            await pilot.press(*keys)
            await pilot.pause(1.0)
            return app.export_screenshot(title="Ave Caesar", simplify=True)

    picture = re.sub(r"@font-face\s*{[^}]*}\s*", "", asyncio.run(go()))  # nothing is fetched from elsewhere
    (DOCS / f"terminal-{name}.svg").write_text(picture.replace("Fira Code", "monospace"), encoding="utf-8")


def at_a_moment(ready: Callable[[View], bool], computers: int = 5, **setup: object) -> Table:
    """A race that has come to a moment worth a picture."""
    for seed in range(1000):
        seats = seats_for([HUMAN, *(*OPPONENTS, "greedy", "greedy")[:computers]], ["Livia"])
        table = Table(Setup(seats, seed=seed, **setup))  # type: ignore[arg-type]
        source = random.Random(seed)
        while not table.race_over:
            mine = table.seat_on_turn == 0
            if mine and ready(table.view(0)):
                return table
            table.play(source.choice(table.view(0).legal_moves) if mine else table.computers_move())
    raise SystemExit("there is no such moment")


def choosing(view: View) -> bool:
    """On the way, with a stop that pays among the offers."""
    return any(outlook.pays for outlook in view.outlooks.values()) and len(view.plays) > 3


def paying(view: View) -> tuple[str, str]:
    """The keys that choose the stop that pays."""
    play = next(play for play in view.plays if view.outlooks[play].pays)
    beside = [other for other in view.plays if other.card == play.card]
    return str(play.card), LETTERS[beside.index(play)]


def barred(view: View) -> bool:
    """Leading with a six in hand."""
    return len(view.history) > 20 and bool(view.plays) and 6 in view.refusals and view.refusals[6].clause == "SIX-1"


def undecided(view: View) -> bool:
    """On the way, with points to spare and much to choose from."""
    assert view.chariot is not None
    return len(view.history) > 24 and len(view.plays) > 4 and view.to_spare(view.chariot) > 2


def sorting(view: View) -> bool:
    """Before the race, with the deck that has the most to sort."""
    return view.asks == "sort" and view.me.deck == "fast"


def drawing(view: View) -> bool:
    """On the way, with cards on all piles."""
    return view.asks == "draw" and len(view.history) > 60 and min(view.me.piles) > 1


def voting(view: View) -> bool:
    """A vote in which somebody has voted already."""
    return view.asks == "vote" and len(view.legal_moves) > 3 and isinstance(view.history[-1].move, Vote)


def main() -> None:
    """All of them."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        table = at_a_moment(choosing, course="yellow")
        draw("table", TableApp(table, speed="off"), (120, 35), *paying(table.view(0)))
        draw("small", TableApp(at_a_moment(barred, course="blue"), speed="off"), (80, 24), "6")
        friends = Setup(seats_for([HUMAN, HUMAN, "bibulus", "scorpus"], ["Livia", "Marcus"]), seed=7, course="red")
        draw("curtain", TableApp(Table(friends), speed="off"), (120, 35), "t")
        draw("hint", TableApp(at_a_moment(undecided, 3, course="white"), speed="off"), (100, 32), "h")
        piles = {"computers": 2, "edition": "ausgebremst"}
        split = ("right", "right", "right", "3", "3")  # two of the fives
        draw("sorting", TableApp(at_a_moment(sorting, course="white", **piles), speed="off"), (120, 35), *split)
        draw("drawing", TableApp(at_a_moment(drawing, course="yellow", **piles), speed="off"), (80, 24))
        vote = {"computers": 2, "edition": "thibault", "options": {"riderless_moves": "vote"}}
        draw("vote", TableApp(at_a_moment(voting, course="red", **vote), speed="off"), (100, 30), "t")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        draw("new-table", TableApp(), (120, 40), "n", *["tab"] * 12)


if __name__ == "__main__":
    main()
