"""A hint: what our best driver would do in a person's place, and what she expects of it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from avecaesar.drivers import Considered, advise
from avecaesar.game import View
from avecaesar.telling import narration
from avecaesar.tui.drivers_panel import cut
from avecaesar.tui.paint import Palette
from avecaesar.tui.prompt import ClickableLine

PLAYOUTS = 2000
SHOWN = 3
SURE = 1.96  # standard errors to either side, in which the mean lies 95 times in 100


def consider(view: View) -> Sequence[Considered]:
    """The best moves by what the driver sees, the best first; the same view gives the same hint."""
    return advise(view, PLAYOUTS)[:SHOWN]


def hint_in_words(hint: Sequence[Considered], view: View, paint: Palette, width: int) -> list[ClickableLine]:
    """The moves with the laurels they earn on average; while there is none yet, that she thinks."""
    title = "Sibylla expects, in laurels:" if hint else "Sibylla thinks …"
    lines: list[ClickableLine] = [(Text(), None), (Text(title, style=f"bold {paint.gold}"), None)]
    for number, considered in enumerate(hint):
        figure = f" {considered.laurels:.1f} ±{SURE * considered.error:.1f}  "
        words = cut(narration.named(considered.move, view), width - len(figure))
        lines.append((Text(f"{figure}{words}", style=f"bold {paint.text}" if number == 0 else paint.quiet), None))
    return lines
