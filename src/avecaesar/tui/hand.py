"""Your hand: each card with what it can do, or why it cannot, and everything else that you may decide.

The list of offers is generic: moves are grouped by their card, and those without one stand at the end.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from avecaesar.game import Crash, Infraction, Miss, Move, Play, View, Withdraw, way
from avecaesar.table import narration
from avecaesar.tui.drivers import fate
from avecaesar.tui.paint import Palette, palette

LETTERS = "abcdefghijklmnopuvwxyz"  # without those that are commands: q, r, s, t
CARDS_DRAWN = 40  # columns from which on cards are drawn large


@dataclass(frozen=True, slots=True)
class Group:
    """What a card can do: moves, or the reason why it cannot be played, or both (an exchange)."""

    card: int | None
    moves: tuple[Move, ...]
    refusal: Infraction | None


def card_of(move: Move) -> int | None:
    """The card that a move plays or gives away."""
    return move.card if isinstance(move, Play) else move.exchange if isinstance(move, Miss) else None


def groups_of(view: View) -> tuple[Group, ...]:
    """All that a seat can decide now, card by card."""
    cards: list[int | None] = [*sorted(set(view.hand))]
    if any(card_of(move) is None for move in view.legal_moves):
        cards.append(None)
    return tuple(
        Group(
            card,
            tuple(sorted((m for m in view.legal_moves if card_of(m) == card), key=lambda m: not _goes_home(m))),
            view.refusals.get(card) if card is not None else None,
        )
        for card in cards
    )


def _goes_home(move: Move) -> bool:
    return isinstance(move, Play) and move.to == "home"


def _promise(view: View, move: Move) -> tuple[float, ...]:
    """How likely a move is to be the one that is wanted, by what it would do; the least is chosen beforehand."""
    if not isinstance(move, Play):
        return (1, 1, 1, 0, card_of(move) or 9)
    outlook = view.outlooks[move]
    home = move.to == "home" and not outlook.disqualifies
    return (not home, not outlook.pays, outlook.disqualifies, outlook.wasted, move.card)


def _nothing_goes(view: View) -> bool:
    """Whether the turn is missed."""
    return not view.plays and any(isinstance(move, Miss) for move in view.legal_moves)


class Hand(Widget):
    """The hand and the offers; or the curtain; or a word about what is going on."""

    DEFAULT_CSS = "Hand { height: 1fr; }"

    class Changed(Message):
        """Another offer is chosen."""

    class Played(Message):
        """The chosen offer is to be made."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.view: View | None = None
        self.groups: tuple[Group, ...] = ()
        self.at = (0, 0)  # group, and move within it
        self.address = "Your turn"
        self.message: tuple[str, str] | None = None  # instead of a hand: a heading and a sentence
        self._lines: list[tuple[int, int] | None] = []  # what is shown on each line, for the mouse

    # ------------------------------------------------------------------ what is shown

    def offer(self, view: View) -> None:
        """Show a hand whose turn it is. The most promising offer is chosen beforehand."""
        self.view, self.message = view, None
        self.groups = groups_of(view)
        every = [(i, k) for i, group in enumerate(self.groups) for k in range(len(group.moves))]
        self.at = min(every, key=lambda at: _promise(view, self.groups[at[0]].moves[at[1]]))
        self.refresh()

    def look_on(self, view: View, sentence: str) -> None:
        """Show a hand whose turn it is not, or none to a spectator."""
        self.view, self.message = view, ("", sentence)
        self.groups = ()
        self.refresh()

    def curtain(self, name: str) -> None:
        """Show nothing of any hand."""
        self.view, self.groups = None, ()
        self.message = (f"{name}, it is your turn", "Press Enter when nobody else is looking.")
        self.refresh()

    # ------------------------------------------------------------------ choosing

    @property
    def group(self) -> Group | None:
        """The chosen card's group."""
        return self.groups[self.at[0]] if self.groups else None

    @property
    def chosen(self) -> Move | None:
        """The chosen move, if the chosen card can do anything."""
        group = self.group
        return group.moves[self.at[1]] if group and group.moves else None

    @property
    def targets(self) -> dict[int, str]:
        """The spaces that the chosen card reaches, with the letters to type."""
        group = self.group
        return {
            move.to: LETTERS[i]
            for i, move in enumerate(group.moves if group else ())
            if isinstance(move, Play) and move.to != "home" and i < len(LETTERS)
        }

    @property
    def home(self) -> tuple[int, str] | None:
        """If the chosen card leads home: the space beyond the line, and the letter to type."""
        moves = self.group.moves if self.group and self.view else ()
        for letter, move in zip(LETTERS, moves, strict=False):
            if isinstance(move, Play) and move.to == "home" and self.view is not None:
                return way(self.view, move)[-1], letter
        return None

    def choose(self, group: int, move: int = 0) -> None:
        """Choose a card's group and one of its moves."""
        if 0 <= group < len(self.groups) and 0 <= move < max(len(self.groups[group].moves), 1):
            self.at = (group, move)
            self.refresh()
            self.post_message(self.Changed())

    def choose_card(self, card: int | None) -> bool:
        """Choose a card by its value, and the most promising of its moves; who chose one already keeps it."""
        for i, group in enumerate(self.groups):
            if group.card == card:
                self.choose(i, self.at[1] if self.at[0] == i else self._best_of(group))
                return True
        return False

    def _best_of(self, group: Group) -> int:
        assert self.view is not None
        promises = [_promise(self.view, move) for move in group.moves]
        return promises.index(min(promises)) if promises else 0

    def choose_letter(self, letter: str) -> bool:
        """Choose a space of the chosen card by its letter."""
        number = LETTERS.find(letter)
        if self.group is None or not 0 <= number < len(self.group.moves):
            return False
        self.choose(self.at[0], number)
        return True

    def choose_space(self, space: int | Literal["home"]) -> bool:
        """Choose a space of the chosen card; False if it was chosen before."""
        moves = self.group.moves if self.group else ()
        number = next((i for i, move in enumerate(moves) if isinstance(move, Play) and move.to == space), None)
        if number is None or self.at[1] == number:
            return False
        self.choose(self.at[0], number)
        return True

    def step(self, by: int) -> None:
        """Go up or down the list, over all cards; a card that cannot do anything is one line of it."""
        every = [(i, k) for i, group in enumerate(self.groups) for k in range(max(len(group.moves), 1))]
        if every:
            self.choose(*every[(every.index(self.at) + by) % len(every)])

    def turn_card(self, by: int) -> None:
        """Go to the card on the left or right."""
        if self.groups:
            self.choose((self.at[0] + by) % len(self.groups))

    # ------------------------------------------------------------------ drawing

    def render(self) -> Text:
        """Hand and offers as text, within the height there is."""
        paint = palette(self.app.current_theme.dark)
        width, height = max(self.size.width, 10), self.size.height
        if self.view is None:
            return self._drape(width, height)
        head = self._head(paint, width)
        if not self.groups:
            sentence = self.message[1] if self.message else ""
            body = [Text(line, style=paint.quiet) for line in textwrap.wrap(sentence, width)]
            self._lines = []
            return _lines([*head, Text(), *body])
        listing = self._listing(paint, width, open_all=True)
        if len(head) + len(listing) > height:
            listing = self._listing(paint, width, open_all=False)
        listing = _window(listing, self.at, height - len(head))
        self._lines = [*(None for _ in head), *(at for _, at in listing)]
        return _lines([*head, *(line for line, _ in listing)])

    def _drape(self, width: int, height: int) -> Text:
        """The curtain, with a word on it."""
        self._lines = []
        heading, sentence = self.message or ("", "")
        cloth, folds = Style(color="#f3d9a0", bgcolor="#7c1d22"), Style(color="#a2333a", bgcolor="#7c1d22")
        words = ["", *textwrap.wrap(heading.upper(), width - 6), "", *textwrap.wrap(sentence, width - 6), ""]
        lines: list[Text] = []
        first = max((height - len(words)) // 2, 0)
        for row in range(max(height, len(words))):
            if 0 <= row - first < len(words):
                lines.append(Text(f"┃ {words[row - first].center(width - 4)} ┃", style=cloth + Style(bold=True)))
            else:
                lines.append(Text(("┃ │ " * width)[: width - 1] + "┃", style=folds))
        return _lines(lines)

    def _head(self, paint: Palette, width: int) -> list[Text]:
        """Whose hand it is, how he stands, and the cards."""
        view = self.view
        if view is None or view.seat is None:
            return []
        means = narration.means(view) if view.me.status == "racing" else fate(view, view.seat)
        told = [Text(line, style=paint.quiet) for line in textwrap.wrap(means, width)]
        cards = self._cards(view, paint, large=width >= CARDS_DRAWN and self.size.height >= 20)
        if not self.groups:
            return [Text(f"{view.me.name}'s hand", style=f"bold {paint.text}"), *told, *cards]
        title = f"{self.address}: {'play one card' if view.plays else 'decide'}"
        if _nothing_goes(view):
            exchange = any(isinstance(move, Miss) and move.exchange for move in view.legal_moves)
            title = "No card of yours can be played: you miss this turn."
            title += " Choose a card to exchange." if exchange else ""
            cards = cards if self.size.height >= 20 else []
        return [*(Text(line, style=f"bold {paint.gold}") for line in textwrap.wrap(title, width)), *told, *cards]

    def _cards(self, view: View, paint: Palette, *, large: bool) -> list[Text]:
        """The hand as cards side by side, with edges above and below where there is room."""
        above, faces, below = Text(" "), Text(" "), Text(" ")
        for card in view.hand:
            chosen = self.group is not None and self.group.card == card
            barred = bool(self.groups) and card in view.refusals
            style = self._face(paint, chosen=chosen, refused=barred and bool(view.plays))
            edge = Style(color=style.bgcolor)
            above.append("▗▄▄▄▖", style=edge).append(" ")
            faces.append(f"  {card}{'✗' if style is paint.card_refused else ' '} ", style=style).append(" ")
            below.append("▝▀▀▀▘", style=edge).append(" ")
        return [above, faces, below] if large else [faces]

    @staticmethod
    def _face(paint: Palette, *, chosen: bool, refused: bool) -> Style:
        if refused:
            return paint.card_refused if chosen else paint.card_barred
        return paint.card_chosen if chosen else paint.card

    def _listing(self, paint: Palette, width: int, *, open_all: bool) -> list[tuple[Text, tuple[int, int] | None]]:
        """Every line with the offer it belongs to."""
        assert self.view is not None
        lines: list[tuple[Text, tuple[int, int] | None]] = [(Text(), None)]
        if _nothing_goes(self.view):
            return lines + self._missing(paint, width)
        for i, group in enumerate(self.groups):
            chosen = i == self.at[0]
            lines.append((self._title(i, group, paint, width, summary=not (chosen or open_all)), (i, 0)))
            if not (chosen or open_all):
                continue
            if group.refusal is not None:
                words = f"{group.refusal.reason} ({group.refusal.clause})"
                lines += [
                    (self._bar(i, paint).append(f"   {line}", style=paint.bad if chosen else paint.quiet), (i, 0))
                    for line in textwrap.wrap(words, width - 5)
                ]
            for k, move in enumerate(group.moves):
                lines += self._offer(i, k, move, paint, width)
        return lines

    def _missing(self, paint: Palette, width: int) -> list[tuple[Text, tuple[int, int] | None]]:
        """The offers of a missed turn, a line each, and at the end every reason once."""
        assert self.view is not None
        lines: list[tuple[Text, tuple[int, int] | None]] = []
        for i, group in enumerate(self.groups):
            for k, move in enumerate(group.moves):
                chosen = (i, k) == self.at
                line = Text("▶" if chosen else " ", style=paint.gold)
                face = self._face(paint, chosen=chosen, refused=False)
                line.append(f" {0 if group.card is None else group.card} ", style=face)
                words = _words(move, self.view)
                lines.append((line.append(f" {words}", style=Style(color=paint.text, bold=chosen)), (i, k)))
        lines.append((Text(), None))
        for clause in dict.fromkeys(refusal.clause for refusal in self.view.refusals.values()):
            cards = [str(card) for card, refusal in self.view.refusals.items() if refusal.clause == clause]
            rule = self.view.refusals[int(cards[0])].rule
            words = f"{' '.join(cards)}: {self.view.refusals[int(cards[0])].reason} ({rule.id})"
            lines += [(Text(line, style=paint.quiet), None) for line in textwrap.wrap(words, width)]
        return lines

    def _bar(self, i: int, paint: Palette) -> Text:
        """The bar beside the chosen card's lines."""
        if i != self.at[0]:
            return Text(" ")
        refused = self.groups[i].refusal is not None and not self.groups[i].moves
        return Text("▌", style=paint.bad if refused else paint.gold)

    def _title(self, i: int, group: Group, paint: Palette, width: int, *, summary: bool) -> Text:
        chosen = i == self.at[0]
        assert self.view is not None
        line = self._bar(i, paint)
        refused = group.refusal is not None and not group.moves
        style = self._face(paint, chosen=chosen, refused=refused)
        if group.card is None:
            line.append(" 0 ", style=style)
            line.append(" otherwise" if len(self.groups) > 1 else " you can only", style=paint.text)
        else:
            line.append(f" {group.card}{'✗' if refused else ' '}", style=style)
            if refused:
                line.append(" cannot be played", style=paint.bad if chosen else paint.quiet)
        if summary and group.refusal is None:
            words = _summary(group.moves, self.view)
            line.append(" " + textwrap.shorten(words, width - 6, placeholder=" …"), style=paint.quiet)
        elif summary and group.refusal is not None:
            line.append(f" ({group.refusal.clause})", style=paint.quiet)
        elif group.refusal is None and group.card is not None:
            held = self.view.hand.count(group.card)
            line.append(f" ×{held}" if held > 1 else "", style=paint.quiet)
        return line

    def _offer(
        self, i: int, k: int, move: Move, paint: Palette, width: int
    ) -> list[tuple[Text, tuple[int, int] | None]]:
        assert self.view is not None
        in_group, chosen = i == self.at[0], (i, k) == self.at
        words = textwrap.wrap(_words(move, self.view), width - 7) or [""]
        base = Style(color=_colour(move, self.view, paint), bold=chosen)
        lines: list[tuple[Text, tuple[int, int] | None]] = []
        for n, line in enumerate(words):
            text = self._bar(i, paint)
            if n == 0:
                text.append("▶" if chosen else " ", style=paint.gold)
                letter = LETTERS[k] if k < len(LETTERS) else " "
                shape = (f"[{letter}]" if chosen else f"‹{letter}›") if in_group else " · "
                text.append(shape, style=(paint.chosen if chosen else paint.target) if in_group else paint.quiet)
            else:
                text.append("    ")
            text.append(f" {line}", style=base)
            lines.append((text, (i, k)))
        if isinstance(move, Play) and move.to != "home":
            name = self.view.course.spaces[move.to].name
            if len(lines[-1][0]) + len(name) + 2 <= width:
                lines[-1][0].append(f"  {name}", style=paint.quiet)
        return lines

    # ------------------------------------------------------------------ the mouse

    def on_click(self, event: events.Click) -> None:
        """Choose what is clicked; a second click on it plays it."""
        at = self._lines[event.y] if event.y < len(self._lines) else None
        if at is None or self.message is not None:
            return
        if at == self.at and self.chosen is not None:
            self.post_message(self.Played())
        else:
            self.choose(*at)


def _words(move: Move, view: View) -> str:
    """An offer under its card's heading, which names the card already."""
    if isinstance(move, Miss) and move.exchange is not None:
        return "put it under the deck"
    return narration.offer(move, view)


def _summary(moves: Sequence[Move], view: View) -> str:
    """A closed group in a few words."""
    plays = [move for move in moves if isinstance(move, Play)]
    if not plays:
        return ", ".join(
            "withdraw" if isinstance(m, Withdraw) else "crash" if isinstance(m, Crash) else "miss" for m in moves
        )
    outlooks = [view.outlooks[play] for play in plays]
    words = ["home!"] if any(play.to == "home" for play in plays) else []
    words += ["pays your coin"] if any(outlook.pays for outlook in outlooks) else []
    usual = [
        o.wasted for o, play in zip(outlooks, plays, strict=True) if not (o.pays or o.disqualifies or play.to == "home")
    ]
    if usual:
        least, most = min(usual), max(usual)
        words.append(f"wastes {least if least == most else f'{least}–{most}'}" if most else "wastes nothing")
    words += ["disqualified"] if any(outlook.disqualifies for outlook in outlooks) else []
    return " or ".join(words)


def _colour(move: Move, view: View, paint: Palette) -> str:
    if not isinstance(move, Play):
        return paint.text
    outlook = view.outlooks[move]
    if outlook.disqualifies:
        return paint.bad
    return paint.good if move.to == "home" else paint.gold if outlook.pays else paint.text


def _lines(lines: Sequence[Text]) -> Text:
    return Text("\n", no_wrap=True, overflow="crop").join(lines)


def _window(
    lines: list[tuple[Text, tuple[int, int] | None]], at: tuple[int, int], height: int
) -> list[tuple[Text, tuple[int, int] | None]]:
    """So many lines as fit, the chosen one among them."""
    if len(lines) <= height or height <= 0:
        return lines
    chosen = [i for i, (_, where) in enumerate(lines) if where == at]
    first = min(max((chosen[0] if chosen else 0) - height // 2, 0), len(lines) - height)
    return lines[first : first + height]
