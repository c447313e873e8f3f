"""The questions of the Ausgebremst adaptation: which deck, how to sort it, which pile to draw from or to lay on."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

from avecaesar.courses import ROMAN
from avecaesar.game import ChooseDeck, Draw, Infraction, Lay, Move, Sort, View
from avecaesar.game.moves import DECK_NAMES, Piles
from avecaesar.players import Greedy
from avecaesar.rules import CARD_VALUES, DECKS, PILES
from avecaesar.tui.keys import Key
from avecaesar.tui.offers import CARDS_DRAWN, standing_in_words
from avecaesar.tui.paint import Palette
from avecaesar.tui.question import Line, Question, WhyNot, cards_in_a_row, chip, heading, refusal_in_words, written

GOOD_FOR = {
    "slow": "Small cards fit into every gap, and few sixes wait for a leader to be passed; but it takes many turns.",
    "average": "No ones, so fewer turns; and not too many sixes.",
    "fast": "The fewest turns home; but gaps are hard to fit, and seven sixes are of no use to a leader.",
}
CELL = 3  # columns of a value
LABEL = 10  # columns before the values


class Roomy(Question):
    """A question with air between its lines, where there is room for it."""

    def lines(self, title: str, paint: Palette, width: int, height: int) -> list[Line]:
        """With air if all fits then."""
        lines = self._lines(title, paint, width, ample=True)
        return lines if len(lines) <= height else self._lines(title, paint, width, ample=False)

    def _lines(self, title: str, paint: Palette, width: int, *, ample: bool) -> list[Line]:
        raise NotImplementedError


class DeckChoice(Roomy):
    """One of three decks, in secret (AUS-1)."""

    keys: tuple[Key, ...] = (("1 2 3", "deck", ""), ("⏎", "choose it", "screen.play"))

    def __init__(self, view: View) -> None:
        super().__init__(view)
        suggested = Greedy().choose(view)
        assert isinstance(suggested, ChooseDeck)
        self.suggested = suggested.deck
        self.at = DECK_NAMES.index(suggested.deck or "slow")

    @property
    def chosen(self) -> Move:
        """The deck that is pointed at."""
        return ChooseDeck(DECK_NAMES[self.at])

    def press(self, key: str) -> str:
        """Digits and arrows."""
        self.at = _pressed(key, self.at)
        return ""

    def click(self, at: object, column: int) -> bool:
        """Point at a deck."""
        if at == self.at:
            return True
        self.at = at if isinstance(at, int) else self.at
        return False

    def _lines(self, title: str, paint: Palette, width: int, *, ample: bool) -> list[Line]:
        """Every deck as a row of cards; what the chosen one is good for, or all of them where there is room."""
        lines = heading(title, paint, width)
        lines += written("In secret; all are revealed together.", paint.quiet, width) if ample else []
        for number in range(len(DECK_NAMES)):
            lines += [(Text(), None)] if ample else []
            lines += [(self._name(number, paint), number), (self._cards(number, paint), number)]
            lines += self._good_for(number, paint, width) if ample else []
        return lines if ample else lines + self._good_for(self.at, paint, width)

    def _name(self, number: int, paint: Palette) -> Text:
        name, chosen = DECK_NAMES[number], number == self.at
        counts = DECKS[name]
        points = sum(value * count for value, count in zip(CARD_VALUES, counts, strict=True))
        line = Text("▶" if chosen else " ", style=paint.gold)
        line.append(f"{number + 1} {name:7} ", style=f"bold {paint.gold if chosen else paint.text}")
        return line.append(f"{sum(counts)} cards, {points} points", style=paint.text)

    def _cards(self, number: int, paint: Palette) -> Text:
        line = Text()
        for value, count in zip(CARD_VALUES, DECKS[DECK_NAMES[number]], strict=True):
            line.append(" ").append(str(value) * count, style=paint.card_chosen if number == self.at else paint.card)
        return line

    def _good_for(self, number: int, paint: Palette, width: int) -> list[Line]:
        name = DECK_NAMES[number]
        words = GOOD_FOR[name] + " (suggested)" * (name == self.suggested)
        return [(line, number) for line, _ in written(words, paint.quiet, width, " ")]


class Checked(Roomy):
    """A question whose answer may be wrong on the way; the rules are asked each time."""

    def __init__(self, view: View, why_not: WhyNot) -> None:
        super().__init__(view)
        self.why_not = why_not

    @property
    def move(self) -> Move:
        """The answer as it is, right or wrong."""
        raise NotImplementedError

    @property
    def refusal(self) -> Infraction | None:
        """What is wrong with it."""
        return self.why_not(self.move)

    @property
    def chosen(self) -> Move | None:
        """The answer, if it may be given."""
        return None if self.refusal else self.move

    @property
    def refusals(self) -> Sequence[tuple[int | None, Infraction]]:
        """What is wrong with it, to be looked up."""
        return [(None, self.refusal)] if self.refusal else []


class Sorting(Checked):
    """The deck, sorted into three piles (AUS-3); begins with a suggestion."""

    keys: tuple[Key, ...] = (
        ("←→", "value", ""),
        ("↑↓", "move", ""),
        ("1–3", "one card", ""),
        ("0", "reset", ""),
        ("⏎", "sort", "screen.play"),
        ("r", "why", "screen.rule"),
    )

    def __init__(self, view: View, why_not: WhyNot) -> None:
        super().__init__(view, why_not)
        suggested = Greedy().choose(view)
        assert isinstance(suggested, Sort)
        assert suggested.piles is not None
        self.suggested = suggested.piles
        self.values = [value for value, count in zip(CARD_VALUES, view.undrawn, strict=True) if count]
        self.value = self.values[0]  # that the keys move
        self.counts = _counted(self.suggested)

    @property
    def move(self) -> Sort:
        """The sorting as it is, right or wrong."""
        first, second, third = (
            tuple(value for value in CARD_VALUES for _ in range(pile[value - 1])) for pile in self.counts
        )
        return Sort((first, second, third))

    def press(self, key: str) -> str:
        """Sideways another value, up and down all of it, a digit one card of it."""
        if key in ("left", "right"):
            at = self.values.index(self.value) + (1 if key == "right" else -1)
            self.value = self.values[at % len(self.values)]
        elif key == "up":
            self._move_all(max(self._lies_on()[0] - (len(self._lies_on()) == 1), 0))
        elif key == "down":
            self._move_all(min(self._lies_on()[-1] + (len(self._lies_on()) == 1), PILES - 1))
        elif key in ("1", "2", "3"):
            self._move_one(int(key) - 1)
        elif key == "0":
            self.counts = _counted(self.suggested)
        return ""

    def _lies_on(self) -> list[int]:
        """The piles that the chosen value lies on."""
        return [pile for pile in range(PILES) if self.counts[pile][self.value - 1]]

    def _move_all(self, to: int) -> None:
        all_of_it = sum(pile[self.value - 1] for pile in self.counts)
        for pile in range(PILES):
            self.counts[pile][self.value - 1] = all_of_it if pile == to else 0

    def _move_one(self, to: int) -> None:
        """One card of the value, from the pile that has most of them."""
        others = [pile for pile in self._lies_on() if pile != to]
        if others:
            self.counts[max(others, key=lambda pile: self.counts[pile][self.value - 1])][self.value - 1] -= 1
            self.counts[to][self.value - 1] += 1

    def click(self, at: object, column: int) -> bool:
        """A click on a pile under a value brings all cards of that value there; on a value, it chooses it."""
        value = (column - LABEL) // CELL + 1
        if value in self.values:
            self.value = value
            if isinstance(at, int) and at >= 0:
                self._move_all(at)
        return False

    def _lines(self, title: str, paint: Palette, width: int, *, ample: bool) -> list[Line]:
        """A row for each pile, a column for each value; what is chosen, and what is wrong."""
        lines = heading(title, paint, width)
        if self.view.me.emperor:
            kept = " and ".join(f"a {card}" for card in self.view.me.emperor)
            lines += written(f"The emperor keeps {kept}.", paint.quiet, width)
        lines += [(Text(), None)] if ample else []
        lines.append((_values(paint, self.values, self.value), -1))
        for pile, counts in enumerate(self.counts):
            lines += [(Text(), None)] if ample else []
            lines.append((_pile_row(pile, sum(counts), counts, paint, width, gold=self.value), pile))
        lines.append((Text(), None))
        if self.refusal is not None:
            return lines + refusal_in_words(self.refusal, paint, width)
        lines += written(self._where_it_lies(), f"bold {paint.text}", width)
        words = "Arrows move all cards of a value, 1 2 3 one of them." + (
            " One or two values a pile; later you draw from the pile that you like, unseen." if ample else ""
        )
        return lines + written(words, paint.quiet, width)

    def _where_it_lies(self) -> str:
        parts = [f"{self.counts[pile][self.value - 1]} on pile {ROMAN[pile]}" for pile in self._lies_on()]
        return f"The {self.value}s: {', '.join(parts)}."


class PileChoice(Checked):
    """Which pile to draw from, or to lay the emperor's 3 on (AUS-3, AUS-4)."""

    def __init__(self, view: View, why_not: WhyNot) -> None:
        super().__init__(view, why_not)
        suggested = Greedy().choose(view)
        assert isinstance(suggested, Draw | Lay)
        self.at = suggested.pile
        verb = "draw" if view.asks == "draw" else "lay it there"
        self.keys: tuple[Key, ...] = (("1 2 3", "pile", ""), ("⏎", verb, "screen.play"))

    @property
    def move(self) -> Move:
        """The pile that is pointed at, empty or not."""
        return Draw(self.at) if self.view.asks == "draw" else Lay(self.at)

    def press(self, key: str) -> str:
        """Digits and arrows."""
        self.at = _pressed(key, self.at)
        return ""

    def click(self, at: object, column: int) -> bool:
        """Point at a pile."""
        if at == self.at:
            return True
        self.at = at if isinstance(at, int) else self.at
        return False

    def _lines(self, title: str, paint: Palette, width: int, *, ample: bool) -> list[Line]:
        """The hand, the piles, and what may be hoped for."""
        view = self.view
        gap: list[Line] = [(Text(), None)] if ample else []
        lines = heading(title, paint, width)
        lines += written(standing_in_words(view), paint.quiet, width)
        lines += cards_in_a_row(view.hand, lambda card: (paint.card, " "), large=ample and width >= CARDS_DRAWN)
        lines.append((Text(), None))
        lines += [(_values(paint, CARD_VALUES), None)] if view.piles else []
        for pile, size in enumerate(view.me.piles):
            row = _pile_row(pile, size, view.piles[pile] if view.piles else None, paint, width, chosen=pile == self.at)
            lines += [*gap, (row, pile)]
        if self.refusal is not None:
            return lines + gap + refusal_in_words(self.refusal, paint, width)
        return lines + gap + self._hopes(paint, width)

    def _hopes(self, paint: Palette, width: int) -> list[Line]:
        """What the chosen pile may bring."""
        view = self.view
        if view.asks == "lay":
            return written("It lies face down on top: the next card drawn from there.", paint.quiet, width)
        if view.me.laid == self.at:
            return written("The emperor's 3 lies on top.", paint.quiet, width)
        if not view.piles:
            return written("What lies where, you must remember.", paint.quiet, width)
        counts = view.piles[self.at]
        line = Text("  chance %".ljust(LABEL), style=paint.quiet)
        for count in counts:
            line.append(f"{100 * count / sum(counts):.0f}".rjust(CELL) if count else " · ", style=paint.text)
        return [(line, None)]


def _pressed(key: str, at: int) -> int:
    """Which of three, after a key."""
    if key in ("1", "2", "3"):
        return int(key) - 1
    return (at + {"right": 1, "down": 1, "left": -1, "up": -1}.get(key, 0)) % PILES


def _counted(piles: Piles) -> list[list[int]]:
    return [[pile.count(value) for value in CARD_VALUES] for pile in piles]


def _values(paint: Palette, values: Sequence[int], gold: int | None = None) -> Text:
    """The heads of the columns."""
    line = Text(" " * LABEL)
    for value in CARD_VALUES:
        strong = Style(color=paint.gold, bold=True, underline=True) if value == gold else Style(color=paint.quiet)
        line.append(" ").append(str(value) if value in values else " ", style=strong).append(" ")
    return line


def _pile_row(
    pile: int,
    size: int,
    counts: Sequence[int] | None,
    paint: Palette,
    width: int,
    *,
    chosen: bool = False,
    gold: int | None = None,
) -> Text:
    """A pile: its number, its size, and how many cards of each value if that is known."""
    line = Text("▶ " if chosen else "  ", style=paint.gold)
    line.append(f"{ROMAN[pile]:4}", style=f"bold {paint.gold if chosen else paint.text}")
    line.append(f"{size:2}".ljust(LABEL - 6), style=paint.text if size else paint.quiet)
    if counts is None:
        return line.append("cards" if size else "empty", style=paint.quiet)
    for value, count in zip(CARD_VALUES, counts, strict=True):
        style = paint.card_chosen if value == gold or chosen else paint.card
        line.append(chip(str(count), style) if count else Text(" · ", style=paint.quiet))
    if size and width >= CARDS_DRAWN:
        mean = sum(value * count for value, count in zip(CARD_VALUES, counts, strict=True)) / size
        line.append(f"  {mean:.1f} each", style=paint.quiet)
    return line
