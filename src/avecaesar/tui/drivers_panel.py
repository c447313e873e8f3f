"""The panel of drivers: how far everybody is, what he owes, holds, needs and can spare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text
from textual.widget import Widget

from avecaesar.courses import ROMAN
from avecaesar.game import Hidden, Sort, View
from avecaesar.game.numbers import ChariotNumber
from avecaesar.telling.narration import fate
from avecaesar.tui.board_widget import Mark
from avecaesar.tui.paint import Palette, livery, palette

NORMAL, WIDER, WIDE = 42, 48, 58


@dataclass(frozen=True, slots=True)
class _Columns:
    """How many characters each column has, 0: it is not there. Without one for the coin it stands beside the lap.

    The cards by value are told only where there is much room.
    """

    mark: int
    name: int
    lap: int
    coin: int
    cards: int
    have: int
    need: int
    spare: int
    values: int = 0

    @property
    def all(self) -> int:
        """Of the whole panel, with whose turn it is and who leads."""
        columns: tuple[int, ...] = astuple(self)
        return 2 + sum(columns)


COMPACT = _Columns(1, 10, 3, 0, 0, 5, 5, 4)
USUAL = _Columns(3, 10, 3, 5, 6, 5, 5, 4)
ROOMY = _Columns(3, 10, 4, 5, 6, 5, 5, 6, 13)
# Where everybody has three piles: their sizes, and which deck it is.
PILES_COMPACT = _Columns(1, 8, 3, 0, 7, 0, 5, 4)
PILES_USUAL = _Columns(3, 8, 3, 5, 9, 0, 5, 6)
PILES_WIDER = _Columns(3, 7, 4, 5, 15, 0, 5, 6)
PILES_ROOMY = _Columns(3, 10, 4, 5, 9, 5, 5, 6, 13)


def _columns(room: int, piles: bool) -> _Columns:
    """The columns for so much room; what is left over is for the names."""
    if piles:
        c = PILES_ROOMY if room >= PILES_ROOMY.all else PILES_WIDER if room >= WIDER else PILES_USUAL
        c = c if room >= NORMAL else PILES_COMPACT
    else:
        c = ROOMY if room >= WIDE else USUAL if room >= NORMAL else COMPACT
    return replace(c, name=min(max(c.name + room - c.all, 5), 16))


def cut(name: str, width: int) -> str:
    """A name in so many columns; the number of a team's chariot stays.

    >>> cut("Maximilianus", 6)
    'Maxim…'
    >>> cut("Maximilianus II", 8)
    'Maxim II'
    """
    if cell_len(name) <= width:
        return name
    first, _, number = name.rpartition(" ")
    if number in ROMAN and width > len(number) + 2:
        return f"{set_cell_size(first, width - len(number) - 1)} {number}"
    return set_cell_size(name, width - 1).rstrip() + "…"


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
        piles = self.view.rules.draw == "from_piles"
        columns = _columns(self.size.width, piles)
        lines = [_heading(columns, paint, piles=piles)]
        lines += [_row(self.view, chariot, self.marks[chariot], columns, paint) for chariot in self.view.grid]
        lines.append(_legend(self.view, paint, short=not columns.coin))
        return Text("\n", no_wrap=True, overflow="crop").join(line for line in lines if line)


def _legend(view: View, paint: Palette, *, short: bool) -> Text:
    """What the signs mean."""
    riderless = any(chariot.riderless for chariot in view.chariots)
    barred = (": no 6" if short and riderless else ", so may not play a 6") if view.under_ban else ""
    words = [f"♛ leads{barred}"] if view.leaders else []
    return Text("   ".join([*words, *(["♞ riderless"] if riderless else [])]), style=paint.quiet)


def _heading(c: _Columns, paint: Palette, *, piles: bool) -> Text:
    words = (
        " " * (2 + c.mark) + (" driver" if c.name > 6 else " who").ljust(c.name),
        "lap".rjust(c.lap),
        ("○" if piles else "coin").rjust(c.coin) if c.coin else "",
        ("piles" if piles else "cards").rjust(c.cards) if c.cards else "",
        "have".rjust(c.have) if c.have else "",
        "need".rjust(c.need),
        ("spare" if c.spare > 5 else "+/–").rjust(c.spare),
        "1 2 3 4 5 6".rjust(c.values) if c.values else "",
    )
    return Text("".join(words), style=f"{paint.quiet} underline")


def _row(view: View, chariot: ChariotNumber, mark: Mark, c: _Columns, paint: Palette) -> Text:
    """Whose turn it is, who he is, and the figures or what became of him."""
    told = view.chariots[chariot]
    line = Text()
    line.append("▶" if view.turn == chariot else "?" if view.voted_on == chariot else " ", style=paint.gold)
    line.append(f" {mark.letter} " if c.mark == 3 else mark.letter, style=livery(mark.colour))
    line.append("♛" if chariot in view.leaders else " ", style=paint.gold)
    _append_name(line, view, chariot, c, paint)
    if told.status != "racing":
        return line.append(" " + fate(view, chariot), style=paint.good if told.place == 1 else paint.quiet)
    word, colour = _coin(view, chariot, paint, short=not c.coin)
    line.append(str(told.lap or "–").rjust(c.lap - (0 if c.coin else 1)), style=paint.text)
    line.append(word.rjust(c.coin), style=colour)
    if c.cards:
        _append_open_card(line, told.open_card, c.cards - len(_cards(view, chariot, c.cards)), paint)
        line.append(_cards(view, chariot, c.cards), style=paint.text)
    counted = any(told.unseen)
    spare = view.to_spare(chariot)
    if c.have:
        line.append((str(told.points_left) if counted else "–").rjust(c.have), style=paint.text)
    line.append(str(view.to_go(chariot)).rjust(c.need), style=paint.text)
    merit = paint.quiet if not counted else paint.bad if spare < 0 else paint.good
    line.append((f"{spare:+d}" if counted else "–").rjust(c.spare), style=merit)
    if c.values:
        line.append(" ".join(str(n) if n else "·" for n in told.unseen).rjust(c.values), style=paint.quiet)
    return line


def _append_name(line: Text, view: View, chariot: ChariotNumber, c: _Columns, paint: Palette) -> None:
    """The name; where there is no column for cards, the open one of a riderless chariot stands there, too."""
    told = view.chariots[chariot]
    mine = view.chariot is not None and not told.riderless and told.player == view.me.player
    strong = Style(color=paint.gold if mine else paint.text, bold=mine or view.turn == chariot, italic=told.riderless)
    card = None if c.cards else told.open_card
    room = c.name - 1 - (1 if card else 0)
    if told.riderless or all(cell_len(other.name) < c.name for other in view.chariots):
        line.append("♞" if told.riderless else " ", style=paint.quiet)
    else:
        room += 1  # long names begin where no ♞ stands
    line.append(set_cell_size(cut(told.name, room), room), style=strong)
    _append_open_card(line, card, 1 if card else 0, paint)


def _append_open_card(line: Text, card: int | None, room: int, paint: Palette) -> None:
    """The card that a riderless chariot has drawn, at the right end of so much room."""
    if card is None:
        line.append(" " * room)
    else:
        gap = 0 if room < 3 else 1
        line.append(" " * (room - 1 - gap)).append(str(card), style=paint.card).append(" " * gap)


def _cards(view: View, chariot: ChariotNumber, room: int) -> str:
    """Cards in hand and deck; or deck and piles, as far as they are known; or how far one is with that."""
    told = view.chariots[chariot]
    if view.rules.draw != "from_piles" or told.riderless:
        return str(told.deck_size) if told.riderless else f"{told.hand_size}+{told.deck_size}"
    if told.piles:
        deck, sizes = told.deck or "", "·".join(map(str, told.piles))
        return f"{deck} {sizes}" if room > 12 else f"{deck[:1]}{sizes}" if len(sizes) + 1 < room else sizes
    made = [turn.move for turn in view.history if turn.chariot == chariot]
    if view.asks == "sort":
        if any(isinstance(move, Sort) or move == Hidden("sort") for move in made):
            return "sorted"
        deck = told.deck or ""
        return deck if len(deck) < room else f"{deck[:4]}."
    return "chosen" if made else "…"


def _coin(view: View, chariot: ChariotNumber, paint: Palette, *, short: bool) -> tuple[str, str]:
    """What is owed or paid; or the cards that the emperor keeps."""
    told = view.chariots[chariot]
    if told.disqualified:
        return ("✗" if short else "disq"), paint.bad
    if told.emperor:
        return ("●" if short else "+".join(map(str, told.emperor))), paint.gold
    if view.owes(chariot):
        return ("●" if short else "owes"), paint.gold
    optional = view.rules.tribute == "optional"
    if not view.paid(chariot) or (optional and view.rules.emperor_cards == "none"):
        return "–", paint.quiet
    return ("✓" if short or optional else "paid"), paint.good
