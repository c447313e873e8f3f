"""A turn: each card with what it can do, or why it cannot, and everything else that one may decide; and a vote.

The list of offers is generic: moves are grouped by their card, and those without one stand at the end.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.style import Style
from rich.text import Text

from avecaesar.drivers import Greedy
from avecaesar.game import Crash, Miss, Move, Play, Refusal, View, Vote, Withdraw, way
from avecaesar.telling import narration
from avecaesar.tui.board_widget import Mark
from avecaesar.tui.keys import Key
from avecaesar.tui.paint import Palette, livery
from avecaesar.tui.prompt import ClickableLine, Prompt, cards_in_a_row, heading, written

LETTERS = "abcdefgijklmnopuvwxyz"  # without those that are commands: h, q, r, s, t
CARDS_DRAWN = 40  # columns from which on cards are drawn large
AMPLE = 20  # rows from which on they are
At = tuple[int, int]  # a group, and a move within it


@dataclass(frozen=True, slots=True)
class CardOffers:
    """What a card can do: moves, or the reason why it cannot be played, or both (an exchange)."""

    card: int | None
    moves: tuple[Move, ...]
    refusal: Refusal | None


def play_of(move: Move | None) -> Play | None:
    """The play that is made, or voted for."""
    return move.play if isinstance(move, Vote) else move if isinstance(move, Play) else None


def card_of(move: Move) -> int | None:
    """The card that a move plays or gives away."""
    play = play_of(move)
    return play.card if play else move.exchange if isinstance(move, Miss) else None


def groups_of(view: View) -> tuple[CardOffers, ...]:
    """All that can be decided now, card by card."""
    cards = {card for move in view.legal_moves if (card := card_of(move)) is not None}
    ordered: list[int | None] = [*sorted(cards | set(view.hand if view.voted_on is None else ()))]
    if any(card_of(move) is None for move in view.legal_moves):
        ordered.append(None)
    return tuple(
        CardOffers(
            card,
            tuple(sorted((m for m in view.legal_moves if card_of(m) == card), key=lambda m: not _goes_home(m))),
            view.refusals.get(card) if card is not None else None,
        )
        for card in ordered
    )


def _goes_home(move: Move) -> bool:
    play = play_of(move)
    return play is not None and play.to == "home"


def _promise(view: View, move: Move) -> tuple[float, ...]:
    """How likely a move is to be the one that is wanted, by what it would do; the least is chosen beforehand."""
    if not isinstance(move, Play):
        return (1, 1, 1, 0, card_of(move) or 9)
    outlook = view.outlooks[move]
    home = move.to == "home" and not outlook.disqualifies
    assert view.chariot is not None
    gains = outlook.pays and (view.owes(view.chariot) or bool(view.me.emperor))
    return (not home, not gains, outlook.disqualifies, outlook.wasted, move.card)


class Offers(Prompt):
    """The offers of a turn or a vote. The most promising one is chosen beforehand."""

    keys: tuple[Key, ...] = (
        ("1–6", "card", ""),
        ("a b c", "space", ""),
        ("⏎", "play", "screen.play"),
        ("r", "why not", "screen.rule"),
    )

    def __init__(self, view: View, team: Sequence[View] = (), marks: Sequence[Mark] = ()) -> None:
        super().__init__(view)
        self.team = team  # the hands of one's other chariots
        self.marks = marks
        self.groups = groups_of(view)
        every = [(i, k) for i, group in enumerate(self.groups) for k in range(len(group.moves))]
        self.at: At = min(every, key=lambda at: self._promise(self.groups[at[0]].moves[at[1]]))

    def _promise(self, move: Move) -> tuple[float, ...]:
        return _promise(self.view, move)

    # ------------------------------------------------------------------ choosing

    @property
    def group(self) -> CardOffers:
        """The chosen card's group."""
        return self.groups[self.at[0]]

    @property
    def chosen(self) -> Move | None:
        """The chosen move, if the chosen card can do anything."""
        return self.group.moves[self.at[1]] if self.group.moves else None

    @property
    def targets(self) -> dict[int, str]:
        """The spaces that the chosen card reaches, with the letters to type."""
        plays = zip(LETTERS, map(play_of, self.group.moves), strict=False)
        return {play.to: letter for letter, play in plays if play is not None and play.to != "home"}

    @property
    def home(self) -> tuple[int, str] | None:
        """If the chosen card leads home: the space beyond the line, and the letter to type."""
        for letter, play in zip(LETTERS, map(play_of, self.group.moves), strict=False):
            if play is not None and play.to == "home":
                return way(self.view, play)[-1], letter
        return None

    @property
    def refusals(self) -> Sequence[tuple[int | None, Refusal]]:
        """Of the chosen card, or of all that are refused."""
        if self.group.refusal is not None:
            return [(self.group.card, self.group.refusal)]
        return list(self.view.refusals.items())

    def press(self, key: str) -> str:
        """Digits choose a card, letters a space, arrows what is next."""
        if len(key) == 1 and key in "0123456":
            return "" if self._choose_card(int(key) or None) else self._no_card(key)
        if key in ("up", "down"):
            every = [(i, k) for i, group in enumerate(self.groups) for k in range(max(len(group.moves), 1))]
            self.at = every[(every.index(self.at) + (1 if key == "down" else -1)) % len(every)]
        elif key in ("left", "right"):
            self.at = ((self.at[0] + (1 if key == "right" else -1)) % len(self.groups), 0)
        elif len(key) == 1 and key in LETTERS[: len(self.group.moves)]:
            self.at = (self.at[0], LETTERS.index(key))
        return ""

    def _no_card(self, key: str) -> str:
        return f"You hold no {key}." if key != "0" else "You must play a card."

    def _choose_card(self, card: int | None) -> bool:
        """Choose a card by its value, and the most promising of its moves; who chose one already keeps it."""
        for i, group in enumerate(self.groups):
            if group.card == card:
                promises = [self._promise(move) for move in group.moves]
                best = promises.index(min(promises)) if promises else 0
                self.at = (i, self.at[1] if self.at[0] == i else best)
                return True
        return False

    def click(self, at: object, column: int) -> bool:
        """Choose an offer."""
        if at == self.at:
            return True
        for i, group in enumerate(self.groups):
            for k in range(max(len(group.moves), 1)):
                if at == (i, k):
                    self.at = (i, k)
        return False

    def choose(self, move: Move) -> None:
        """Point at an offer."""
        i = next(i for i, group in enumerate(self.groups) if move in group.moves)
        self.at = (i, self.groups[i].moves.index(move))

    def choose_space(self, space: int | Literal["home"]) -> bool:
        """Choose a space of the chosen card; False if it was chosen before."""
        plays = [play_of(move) for move in self.group.moves]
        number = next((i for i, play in enumerate(plays) if play is not None and play.to == space), None)
        if number is None or self.at[1] == number:
            return False
        self.at = (self.at[0], number)
        return True

    # ------------------------------------------------------------------ drawing

    def lines(self, title: str, paint: Palette, width: int, height: int) -> list[ClickableLine]:
        """Hand and offers."""
        head = self._head(title, paint, width, height)
        listing = self._listing(paint, width, open_all=True)
        if len(head) + len(listing) > height:
            listing = self._listing(paint, width, open_all=False)
        return [*head, *_window(listing, self.at, height - len(head), paint)]

    def _head(self, title: str, paint: Palette, width: int, height: int) -> list[ClickableLine]:
        """How one stands, and the cards."""
        view, large = self.view, width >= CARDS_DRAWN and height >= AMPLE
        cards = cards_in_a_row(view.hand, lambda card: self._face_of(card, paint), large=large)
        if self.misses:
            exchange = any(isinstance(move, Miss) and move.exchange for move in view.legal_moves)
            title = "No card of yours can be played: you miss this turn."
            title += " Choose a card to exchange." if exchange else ""
            cards = cards if height >= AMPLE else []
        told = written(standing_in_words(view), paint.quiet, width)
        return [*heading(title, paint, width), *told, *cards, *team_hands(self.team, paint)]

    @property
    def misses(self) -> bool:
        """Whether the turn is missed."""
        return not self.view.plays and any(isinstance(move, Miss) for move in self.view.legal_moves)

    def _face_of(self, card: int, paint: Palette) -> tuple[Style, str]:
        refused = card in self.view.refusals and bool(self.view.plays)
        style = _face(paint, chosen=self.group.card == card, refused=refused)
        return style, "✗" if style is paint.card_refused else " "

    def _listing(self, paint: Palette, width: int, *, open_all: bool) -> list[ClickableLine]:
        """Every line with the offer it belongs to."""
        lines: list[ClickableLine] = [(Text(), None)]
        if self.misses:
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

    def _missing(self, paint: Palette, width: int) -> list[ClickableLine]:
        """The offers of a missed turn, a line each, and at the end every reason once."""
        lines: list[ClickableLine] = []
        for i, group in enumerate(self.groups):
            for k, move in enumerate(group.moves):
                chosen = (i, k) == self.at
                line = Text("▶" if chosen else " ", style=paint.gold)
                face = _face(paint, chosen=chosen, refused=False)
                line.append(f" {0 if group.card is None else group.card} ", style=face)
                words = _words(move, self.view)
                lines.append((line.append(f" {words}", style=Style(color=paint.text, bold=chosen)), (i, k)))
        lines.append((Text(), None))
        for clause in dict.fromkeys(refusal.clause for refusal in self.view.refusals.values()):
            first, *others = [card for card, refusal in self.view.refusals.items() if refusal.clause == clause]
            every = narration.listed([first, *others])
            reason = self.view.refusals[first].reason.replace(f"your {first}", f"your {every}")
            words = reason if f"your {every}" in reason else f"{every}: {reason}"
            lines += written(f"{words} ({clause})", paint.quiet, width)
        return lines

    def _bar(self, i: int, paint: Palette) -> Text:
        """The bar beside the chosen card's lines."""
        if i != self.at[0]:
            return Text(" ")
        refused = self.groups[i].refusal is not None and not self.groups[i].moves
        return Text("▌", style=paint.bad if refused else paint.gold)

    def _title(self, i: int, group: CardOffers, paint: Palette, width: int, *, summary: bool) -> Text:
        chosen = i == self.at[0]
        line = self._bar(i, paint)
        refused = group.refusal is not None and not group.moves
        style = _face(paint, chosen=chosen, refused=refused)
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

    def _offer(self, i: int, k: int, move: Move, paint: Palette, width: int) -> list[ClickableLine]:
        in_group, chosen = i == self.at[0], (i, k) == self.at
        words = textwrap.wrap(_words(move, self.view), width - 7) or [""]
        base = Style(color=_colour(move, self.view, paint), bold=chosen)
        texts: list[Text] = []
        for n, line in enumerate(words):
            text = self._bar(i, paint)
            if n == 0:
                text.append("▶" if chosen else " ", style=paint.gold)
                letter = LETTERS[k] if k < len(LETTERS) else " "
                shape = (f"[{letter}]" if chosen else f"‹{letter}›") if in_group else " · "
                text.append(shape, style=(paint.chosen if chosen else paint.target) if in_group else paint.quiet)
            else:
                text.append("    ")
            texts.append(text.append(f" {line}", style=base))
        self._append_where(texts[-1], move, paint, width)
        return [(text, (i, k)) for text in texts]

    def _append_where(self, line: Text, move: Move, paint: Palette, width: int) -> None:
        """The name of the space, if there is room for it."""
        play = play_of(move)
        if play is not None and play.to != "home":
            name = self.view.course.spaces[play.to].name
            if len(line) + len(name) + 2 <= width:
                line.append(f"  {name}", style=paint.quiet)


class Ballot(Offers):
    """A vote on where a riderless chariot goes (NPC-3)."""

    keys: tuple[Key, ...] = (("a b c", "space", ""), ("0", "abstain", ""), ("⏎", "vote", "screen.play"))

    def __init__(self, view: View, team: Sequence[View], marks: Sequence[Mark]) -> None:
        self.suggested = Greedy().choose(view)
        self.cast = narration.votes(view.history)
        super().__init__(view, team, marks)

    def _promise(self, move: Move) -> tuple[float, ...]:
        return (move != self.suggested,)

    def _no_card(self, key: str) -> str:
        return "Letters choose a space; 0 abstains."

    def press(self, key: str) -> str:
        """As in a turn; a letter chooses a space from wherever one is."""
        if len(key) == 1 and key in LETTERS[: len(self.groups[0].moves)]:
            self.at = (0, LETTERS.index(key))
            return ""
        return super().press(key)

    def _head(self, title: str, paint: Palette, width: int, height: int) -> list[ClickableLine]:
        view = self.view
        assert view.voted_on is not None
        told = f"{view.chariots[view.voted_on].name} has no driver: all vote, and most votes decide."
        lines = [*heading(title, paint, width), *written(told, paint.quiet, width)]
        if width >= CARDS_DRAWN:
            lines += team_hands([own for own in (view, *self.team) if own.hand], paint)
        return lines

    def _title(self, i: int, group: CardOffers, paint: Palette, width: int, *, summary: bool) -> Text:
        line = self._bar(i, paint)
        chosen = i == self.at[0]
        line.append(f" {group.card or 0} ", style=_face(paint, chosen=chosen, refused=False))
        if group.card is None:
            line.append(" abstain", style=Style(color=paint.text, bold=chosen))
            self._append_voters(line, None)
        return line

    def _offer(self, i: int, k: int, move: Move, paint: Palette, width: int) -> list[ClickableLine]:
        return super()._offer(i, k, move, paint, width) if self.groups[i].card is not None else []

    def _append_where(self, line: Text, move: Move, paint: Palette, width: int) -> None:
        super()._append_where(line, move, paint, width - 2 * len(self.cast))
        self._append_voters(line, play_of(move))

    def _append_voters(self, line: Text, play: Play | None) -> None:
        """The marks of those who voted so already."""
        for chariot, other in self.cast.items():
            if other == play:
                mark = self.marks[chariot]
                line.append(" ").append(mark.letter, style=livery(mark.colour))


def standing_in_words(view: View) -> str:
    """How the chariot stands, or what became of it."""
    assert view.chariot is not None
    return narration.coin_and_points(view) if view.me.status == "racing" else narration.fate(view, view.chariot)


def team_hands(team: Sequence[View], paint: Palette) -> list[ClickableLine]:
    """The hands of one's other chariots, a line each."""
    lines: list[ClickableLine] = []
    for view in team:
        line = Text(f" {view.me.name} holds ", style=paint.quiet)
        for card in view.hand:
            line.append(f" {card} ", style=paint.card_barred).append(" ")
        lines.append((line, None))
    return lines


def _face(paint: Palette, *, chosen: bool, refused: bool) -> Style:
    if refused:
        return paint.card_refused if chosen else paint.card_barred
    return paint.card_chosen if chosen else paint.card


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
    stop = f"alley: emperor's {view.me.emperor[0]}" if view.me.emperor else "pays your coin"
    words += [stop] if any(outlook.pays for outlook in outlooks) else []
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


def _window(lines: list[ClickableLine], at: At, height: int, paint: Palette) -> list[ClickableLine]:
    """So many lines as fit, the chosen one among them; at the end, how many more there are."""
    if len(lines) <= height or height <= 0:
        return lines
    chosen = [i for i, (_, where) in enumerate(lines) if where == at]
    first = min(max((chosen[0] if chosen else 0) - height // 2, 0), len(lines) - height)
    end = first + height
    if end == len(lines) or height < 3:
        return lines[first:end]
    more = len({where for _, where in lines[end - 1 :]} - {where for _, where in lines[: end - 1]})
    return [*lines[first : end - 1], (Text(f" ▼ {more} more", style=paint.quiet), None)]
