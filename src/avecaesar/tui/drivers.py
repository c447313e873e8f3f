"""The panel of drivers: how far everybody is, what he owes, holds, needs and can spare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text
from textual.widget import Widget

from avecaesar.game import View
from avecaesar.tui.board import Mark
from avecaesar.tui.paint import Palette, livery, palette

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")
NORMAL, WIDE = 42, 58


@dataclass(frozen=True, slots=True)
class _Columns:
    """How many characters each column has. Where there is little room the coin stands beside the lap.

    The cards by value are told only where there is much.
    """

    mark: int
    name: int
    lap: int
    coin: int
    cards: int
    points: int
    spare: int
    values: int = 0


COMPACT = _Columns(1, 7, 4, 0, 0, 5, 6)
USUAL = _Columns(3, 7, 4, 5, 6, 5, 6)
ROOMY = _Columns(3, 10, 4, 5, 6, 5, 6, 13)


def _columns(room: int) -> _Columns:
    """The columns for so much room; what is left over is for the names."""
    c = ROOMY if room >= WIDE else USUAL if room >= NORMAL else COMPACT
    used = 2 + c.mark + c.name + c.lap + c.coin + c.cards + 2 * c.points + c.spare + c.values
    return replace(c, name=min(max(c.name + room - used, 5), 16))


def cut(name: str, width: int) -> str:
    """A name in so many columns.

    >>> cut("Maximilianus", 6)
    'Maxim…'
    """
    return name if cell_len(name) <= width else set_cell_size(name, width - 1).rstrip() + "…"


class Drivers(Widget):
    """One line a chariot, in grid order."""

    DEFAULT_CSS = "Drivers { height: auto; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.view: View | None = None
        self.marks: Sequence[Mark] = ()

    def show(self, view: View, marks: Sequence[Mark]) -> None:
        """Show how a race stands."""
        self.view, self.marks = view, marks
        self.refresh(layout=True)

    def render(self) -> Text:
        """The panel as text."""
        paint = palette(self.app.current_theme.dark)
        if self.view is None:
            return Text()
        columns = _columns(self.size.width)
        lines = [_heading(columns, paint)]
        lines += [_row(self.view, chariot, self.marks[chariot], columns, paint) for chariot in range(len(self.marks))]
        if self.view.leaders:
            lines.append(Text("♛ leads, so may not play a 6" if self.view.banned else "♛ leads", style=paint.quiet))
        return Text("\n", no_wrap=True, overflow="crop").join(lines)


def _heading(c: _Columns, paint: Palette) -> Text:
    words = (
        " " * (2 + c.mark) + " driver"[: c.name].ljust(c.name),
        "lap".rjust(c.lap),
        "coin".rjust(c.coin) if c.coin else "",
        "cards".rjust(c.cards) if c.cards else "",
        "have".rjust(c.points),
        "need".rjust(c.points),
        "spare".rjust(c.spare),
        "1 2 3 4 5 6".rjust(c.values) if c.values else "",
    )
    return Text("".join(words), style=f"{paint.quiet} underline")


def _row(view: View, chariot: int, mark: Mark, c: _Columns, paint: Palette) -> Text:
    """Whose turn it is, who he is, and the figures or what became of him."""
    told = view.chariots[chariot]
    line = Text()
    line.append("▶" if view.turn == chariot else " ", style=paint.gold)
    line.append(f" {mark.letter} " if c.mark == 3 else mark.letter, style=livery(mark.colour))
    line.append("♛" if chariot in view.leaders else " ", style=paint.gold)
    strong = Style(color=paint.text, bold=view.turn == chariot)
    line.append(set_cell_size(f" {cut(told.name, c.name - 1)}", c.name), style=strong)
    if told.status != "racing":
        return line.append(" " + fate(view, chariot), style=paint.good if told.place == 1 else paint.quiet)
    word, colour = _coin(view, chariot, paint, short=not c.coin)
    line.append(str(told.lap or "–").rjust(c.lap - (0 if c.coin else 1)), style=paint.text)
    line.append(word.rjust(c.coin), style=colour)
    if c.cards:
        line.append(f"{told.hand_size}+{told.deck_size}".rjust(c.cards), style=paint.text)
    line.append(str(told.points_left).rjust(c.points), style=paint.text)
    line.append(str(view.to_go(chariot)).rjust(c.points), style=paint.text)
    spare = view.to_spare(chariot)
    line.append(f"{spare:+d}".rjust(c.spare), style=paint.bad if spare < 0 else paint.good)
    if c.values:
        line.append(" ".join(str(n) if n else "·" for n in told.unseen).rjust(c.values), style=paint.quiet)
    return line


def _coin(view: View, chariot: int, paint: Palette, *, short: bool) -> tuple[str, str]:
    told = view.chariots[chariot]
    if told.disqualified:
        return ("✗" if short else "disq"), paint.bad
    if not told.coin:
        return ("✓" if short else "paid"), paint.good
    if view.rules.tribute == "optional":
        return "–", paint.quiet
    return ("●" if short else "owes"), paint.gold


def fate(view: View, chariot: int) -> str:
    """What became of a chariot: home and as which, or how it left."""
    told = view.chariots[chariot]
    if told.status != "home":
        word = "withdrew" if told.status == "withdrawn" else told.status
        return f"{word}, disqualified" if told.disqualified else word
    if told.disqualified:
        return "home, but disqualified"
    if told.place:
        return f"home {ORDINALS[told.place - 1]}"
    return f"arrived {ORDINALS[told.arrival - 1]}" if told.arrival else "home"
