"""The questions of the Ausgebremst adaptation: which deck, how to sort it, which pile to draw from or to lay on."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from rich.text import Text

from avecaesar.courses import ROMAN
from avecaesar.drivers import Greedy
from avecaesar.game import ChooseDeck, Draw, Lay, Move, Refusal, Sort, View
from avecaesar.game.moves import DECK_NAMES, Piles
from avecaesar.rules import CARD_VALUES, DECKS, PILES
from avecaesar.tui.keys import Key
from avecaesar.tui.offers import CARDS_DRAWN, standing_in_words
from avecaesar.tui.paint import Palette
from avecaesar.tui.prompt import ClickableLine, Prompt, WhyNot, cards_in_a_row, heading, refusal_in_words, written

GOOD_FOR = {
    "slow": "Small cards fit into every gap, and few sixes wait for a leader to be passed; but it takes many turns.",
    "average": "No ones, so fewer turns; and not too many sixes.",
    "fast": "The fewest turns home; but gaps are hard to fit, and seven sixes are of no use to a leader.",
}
LABEL = 11  # columns before the cards of a pile


class Roomy(Prompt):
    """A question with air between its lines, where there is room for it."""

    def lines(self, title: str, paint: Palette, width: int, height: int) -> list[ClickableLine]:
        """With air if all fits then."""
        lines = self._lines(title, paint, width, ample=True)
        return lines if len(lines) <= height else self._lines(title, paint, width, ample=False)

    @abstractmethod
    def _lines(self, title: str, paint: Palette, width: int, *, ample: bool) -> list[ClickableLine]: ...


class OneOfThree(Roomy):
    """Decks or piles, and the one that is pointed at."""

    at: int

    def press(self, key: str) -> str:
        """Digits and arrows."""
        if key in ("1", "2", "3"):
            self.at = int(key) - 1
        else:
            self.at = (self.at + {"right": 1, "down": 1, "left": -1, "up": -1}.get(key, 0)) % PILES
        return ""

    def click(self, at: object, column: int) -> bool:
        """Point at one."""
        if at == self.at:
            return True
        self.at = at if isinstance(at, int) else self.at
        return False


class DeckChoice(OneOfThree):
    """One of three decks, in secret (AUS-1)."""

    keys: tuple[Key, ...] = (("1 2 3", "deck", ""), ("⏎", "choose it", "screen.play"))

    def __init__(self, view: View) -> None:
        super().__init__(view)
        suggested = Greedy().choose(view)
        assert isinstance(suggested, ChooseDeck)
        self.suggested = suggested.deck
        self.at = DECK_NAMES.index(suggested.deck)

    @property
    def chosen(self) -> Move:
        """The deck that is pointed at."""
        return ChooseDeck(DECK_NAMES[self.at])

    def choose(self, move: Move) -> None:
        """Point at a deck."""
        assert isinstance(move, ChooseDeck)
        self.at = DECK_NAMES.index(move.deck)

    def _lines(self, title: str, paint: Palette, width: int, *, ample: bool) -> list[ClickableLine]:
        """Every deck as a row of cards; what the chosen one is good for, or all of them where there is room."""
        lines = heading(title, paint, width)
        lines += written("In secret; all are revealed together.", paint.quiet, width) if ample else []
        for number in range(len(DECK_NAMES)):
            lines += [(Text(), None)] if ample else []
            lines += [(self._name(number, paint, width), number), (self._cards(number, paint, width), number)]
            if ample or number == self.at:
                words = GOOD_FOR[DECK_NAMES[number]]
                lines += [(line, number) for line, _ in written(words, paint.quiet, width, " ")]
        return lines

    def _name(self, number: int, paint: Palette, width: int) -> Text:
        name, chosen = DECK_NAMES[number], number == self.at
        counts = DECKS[name]
        points = sum(value * count for value, count in zip(CARD_VALUES, counts, strict=True))
        line = Text("▶" if chosen else " ", style=paint.gold)
        line.append(f"{number + 1} {name:7} ", style=f"bold {paint.gold if chosen else paint.text}")
        words = f"{sum(counts)} cards" + (f", {points} points" if width >= CARDS_DRAWN else "")
        line.append(words, style=paint.text)
        return line.append(", suggested" if name == self.suggested else "", style=paint.gold)

    def _cards(self, number: int, paint: Palette, width: int) -> Text:
        """The cards, value under value in all decks."""
        most = [max(counts) for counts in zip(*DECKS.values(), strict=True)]
        gap = " " if sum(most) + len(most) <= width else ""
        line = Text(" ")
        for value, count, room in zip(CARD_VALUES, DECKS[DECK_NAMES[number]], most, strict=True):
            line.append(str(value) * count, style=paint.card_chosen if number == self.at else paint.card)
            line.append(" " * (room - count) + gap)
        line.rstrip()
        return line


class CheckedPrompt(Roomy):
    """A question whose answer may be wrong on the way; the rules are asked each time."""

    def __init__(self, view: View, why_not: WhyNot) -> None:
        super().__init__(view)
        self.why_not = why_not

    @property
    @abstractmethod
    def move(self) -> Move:
        """The answer as it is, right or wrong."""

    @property
    def refusal(self) -> Refusal | None:
        """What is wrong with it."""
        return self.why_not(self.move)

    @property
    def chosen(self) -> Move | None:
        """The answer, if it may be given."""
        return None if self.refusal else self.move

    @property
    def refusals(self) -> Sequence[tuple[int | None, Refusal]]:
        """What is wrong with it, to be looked up."""
        return [(None, self.refusal)] if self.refusal else []


class Sorting(CheckedPrompt):
    """The deck, sorted into three piles (AUS-3); begins with a suggestion."""

    keys: tuple[Key, ...] = (
        ("←→", "value", ""),
        ("↑↓", "all", ""),
        ("1–3", "one", ""),
        ("0", "reset", ""),
        ("⏎", "sort", "screen.play"),
        ("r", "why", "screen.rule"),
    )

    def __init__(self, view: View, why_not: WhyNot) -> None:
        super().__init__(view, why_not)
        suggested = Greedy().choose(view)
        assert isinstance(suggested, Sort)
        self.suggested = suggested.piles
        self.values = [value for value, count in zip(CARD_VALUES, view.undrawn, strict=True) if count]
        self.value = self.values[0]  # that the keys move
        self.counts = _counted(self.suggested)
        self._room = 0  # columns for the cards of a pile, when they were drawn last

    @property
    def move(self) -> Sort:
        """The sorting as it is, right or wrong."""
        return Sort(
            tuple(tuple(value for value in CARD_VALUES for _ in range(pile[value - 1])) for pile in self.counts)
        )

    def choose(self, move: Move) -> None:
        """Lay the cards out so."""
        assert isinstance(move, Sort)
        self.counts = _counted(move.piles)

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
        """A click on cards chooses their value; beside them, it brings all cards of the chosen value to that pile."""
        if isinstance(at, int):
            value = _value_at(_faces(self.counts[at], self._room), column - LABEL)
            if value is None:
                self._move_all(at)
            else:
                self.value = value
        return False

    def _lines(self, title: str, paint: Palette, width: int, *, ample: bool) -> list[ClickableLine]:
        """A row of cards for each pile; where the chosen value lies, and what is wrong or how it is done."""
        lines = heading(title, paint, width)
        if self.view.me.emperor:
            kept = " and ".join(f"a {card}" for card in self.view.me.emperor)
            lines += written(f"The emperor keeps {kept}.", paint.quiet, width)
        lines += [] if ample else [(Text(), None)]
        self._room = width - LABEL
        for pile, counts in enumerate(self.counts):
            lines += [(Text(), None)] if ample else []
            row = _pile_row(pile, sum(counts), paint)
            room = _append_cards(row, counts, paint, width, gold=(self.value,))
            if sum(counts) and width >= CARDS_DRAWN and room > 6:
                mean = sum(value * count for value, count in zip(CARD_VALUES, counts, strict=True)) / sum(counts)
                row.append(f"  ⌀ {mean:.1f}", style=paint.quiet)
            lines.append((row, pile))
        lines += [(Text(), None), *written(self._where_it_lies(), f"bold {paint.text}", width)]
        words = "Arrows move all cards of a value, 1 2 3 one of them." + (
            " One or two values a pile; later you draw from the pile that you like, unseen." if ample else ""
        )
        hint = written(words, paint.quiet, width)
        told = refusal_in_words(self.refusal, paint, width) if self.refusal is not None else hint
        return lines + told + [(Text(), None)] * (max(len(hint), 3) - len(told))

    def _where_it_lies(self) -> str:
        parts = [f"{self.counts[pile][self.value - 1]} on pile {ROMAN[pile]}" for pile in self._lies_on()]
        return f"The {self.value}s: {', '.join(parts)}."


class PileChoice(OneOfThree, CheckedPrompt):
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

    def choose(self, move: Move) -> None:
        """Point at a pile."""
        assert isinstance(move, Draw | Lay)
        self.at = move.pile

    def _lines(self, title: str, paint: Palette, width: int, *, ample: bool) -> list[ClickableLine]:
        """The hand, the piles, and what may be hoped for."""
        view = self.view
        gap: list[ClickableLine] = [(Text(), None)] if ample else []
        lines = heading(title, paint, width)
        lines += written(standing_in_words(view), paint.quiet, width)
        lines += cards_in_a_row(view.hand, lambda card: (paint.card, " "), large=ample and width >= CARDS_DRAWN)
        lines.append((Text(), None))
        for pile in range(PILES):
            lines += [*(gap if pile else []), (self._row(pile, paint, width), pile)]
        if self.refusal is not None:
            return lines + gap + refusal_in_words(self.refusal, paint, width)
        return lines + gap + self._hopes(paint, width)

    def _row(self, pile: int, paint: Palette, width: int) -> Text:
        """A pile, with its cards and the chance of each value, so far as that is known."""
        view, chosen = self.view, pile == self.at
        row = _pile_row(pile, view.me.piles[pile], paint, chosen=chosen)
        if not view.me.piles[pile]:
            return row.append("empty", style=paint.quiet)
        hope = "top: 3" if view.me.laid == pile else ""
        if not view.piles:
            return row.append(hope or "cards", style=paint.quiet)
        counts = view.piles[pile]
        hope = hope or " ".join(f"{100 * count / sum(counts):.0f}%" for count in counts if count)
        widest = min(max(_width_of(pile) for pile in view.piles), width - LABEL - 10)
        left = _append_cards(row, counts, paint, LABEL + widest, gold=CARD_VALUES if chosen else ())
        return row.append(f"{' ' * (left + 1)}{hope}", style=paint.text if chosen else paint.quiet)

    def _hopes(self, paint: Palette, width: int) -> list[ClickableLine]:
        """What there is to know about the piles."""
        if self.view.asks == "lay":
            return written("It lies face down on top: the next card drawn from there.", paint.quiet, width)
        words = "" if self.view.piles else "What lies where, you must remember."
        return written(words, paint.quiet, width)


def _counted(piles: Piles) -> list[list[int]]:
    return [[pile.count(value) for value in CARD_VALUES] for pile in piles]


def _pile_row(pile: int, size: int, paint: Palette, *, chosen: bool = False) -> Text:
    """The beginning of a pile's row: its key, its name and its size."""
    line = Text("▶" if chosen else " ", style=paint.gold)
    line.append(f"{pile + 1} ", style=paint.gold)
    line.append(f"{ROMAN[pile]:3} ", style=f"bold {paint.gold if chosen else paint.text}")
    return line.append(f"{size:2}".ljust(LABEL - 7), style=paint.text if size else paint.quiet)


def _faces(counts: Sequence[int], room: int) -> list[tuple[int, str]]:
    """The cards of a pile, value by value; counted where there is no room for all of them."""
    if _width_of(counts) <= room:
        return [(value, str(value) * count) for value, count in zip(CARD_VALUES, counts, strict=True) if count]
    return [(value, f"{count}×{value}") for value, count in zip(CARD_VALUES, counts, strict=True) if count]


def _width_of(counts: Sequence[int]) -> int:
    """How many columns the cards of a pile take."""
    return sum(counts) + max(sum(map(bool, counts)) - 1, 0)


def _append_cards(line: Text, counts: Sequence[int], paint: Palette, width: int, *, gold: Sequence[int]) -> int:
    """Lay the cards of a pile side by side, some values in gold; the answer is how much room is left."""
    for number, (value, words) in enumerate(_faces(counts, width - LABEL)):
        line.append(" " if number else "").append(words, style=paint.card_chosen if value in gold else paint.card)
    return max(width - line.cell_len, 0)


def _value_at(faces: Sequence[tuple[int, str]], column: int) -> int | None:
    """The value of the card in a column, if there is one."""
    for value, words in faces:
        if 0 <= column < len(words):
            return value
        column -= len(words) + 1
    return None
