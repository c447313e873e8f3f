"""Where a person's cards are: the question that he is asked, his hand while others drive, or the curtain."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from avecaesar.drivers import Considered
from avecaesar.game import Move, View
from avecaesar.tui.hint import hint_in_words
from avecaesar.tui.offers import AMPLE, CARDS_DRAWN, standing_in_words, team_hands
from avecaesar.tui.paint import Palette, palette
from avecaesar.tui.prompt import ClickableLine, Prompt, cards_in_a_row, written


class Hand(Widget):
    """A question; or a hand and a word about what is going on; or the curtain."""

    DEFAULT_CSS = "Hand { height: 1fr; }"

    class Changed(Message):
        """Another answer is chosen."""

    class Played(Message):
        """The chosen answer is to be given."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.question: Prompt | None = None
        self.title = ""
        self.hint: Sequence[Considered] | None = None  # None: nobody has asked for one
        self.views: Sequence[View] = ()  # of the hands on the screen; none behind the curtain
        self.message = ("", "")  # a heading and a sentence
        self._clickable: list[object] = []  # what a click on each line chooses

    # ------------------------------------------------------------------ what is shown

    def ask(self, question: Prompt, title: str) -> None:
        """Ask a question."""
        self.question, self.title, self.views, self.hint = question, title, (question.view,), None
        self.refresh()

    def tell_hint(self, hint: Sequence[Considered] | None) -> None:
        """Show a hint under the question, or none; an empty one is being thought about."""
        self.hint = hint
        self.refresh()

    def look_on(self, views: Sequence[View], sentence: str) -> None:
        """Show the hand, or hands, of somebody whose turn it is not; or none to spectators."""
        self.question, self.views, self.message = None, views, ("", sentence)
        self.refresh()

    def curtain(self, call: str) -> None:
        """Show nothing of any hand, but who is called, and what for."""
        self.question, self.views = None, ()
        self.message = (call, "Press Enter when nobody else is looking.")
        self.refresh()

    @property
    def chosen(self) -> Move | None:
        """The chosen answer, if it can be given."""
        return self.question.chosen if self.question else None

    def press(self, key: str) -> str:
        """Do what a key says; the answer is a sentence for who pressed one that makes no sense here."""
        if self.question is None:
            return ""
        complaint = self.question.press(key)
        self._changed()
        return complaint

    def _changed(self) -> None:
        self.refresh()
        self.post_message(self.Changed())

    # ------------------------------------------------------------------ drawing

    def render(self) -> Text:
        """All of it as text, within the height there is."""
        paint = palette(self.app.current_theme.dark)
        width, height = max(self.size.width, 10), self.size.height
        if self.question is not None:
            lines = self._asking(self.question, paint, width, height)
        elif self.views:
            lines = self._resting(paint, width, height)
        else:
            lines = [(line, None) for line in self._drape(width, height)]
        self._clickable = [at for _, at in lines]
        return Text("\n", no_wrap=True, overflow="crop").join(line for line, _ in lines)

    def _asking(self, question: Prompt, paint: Palette, width: int, height: int) -> list[ClickableLine]:
        """The question; where a hint takes its room, the end of it goes."""
        if self.hint is None:
            return question.lines(self.title, paint, width, height)
        hint = hint_in_words(self.hint, question.view, paint, width)
        return [*question.lines(self.title, paint, width, height - len(hint))[: height - len(hint)], *hint]

    def _resting(self, paint: Palette, width: int, height: int) -> list[ClickableLine]:
        """Whose hand it is, how he stands, the cards, and a word."""
        view, *team = self.views
        lines: list[ClickableLine] = []
        if view.chariot is not None:
            large = width >= CARDS_DRAWN and height >= AMPLE
            lines = [(Text(f"{view.me.name}'s hand", style=f"bold {paint.text}"), None)]
            lines += written(standing_in_words(view), paint.quiet, width)
            lines += cards_in_a_row(view.hand, lambda card: (paint.card, " "), large=large)
            lines += team_hands(team, paint)
        return [*lines, (Text(), None), *written(self.message[1], paint.quiet, width)]

    def _drape(self, width: int, height: int) -> list[Text]:
        """The curtain, with a word on it."""
        title, sentence = self.message
        cloth, folds = Style(color="#f3d9a0", bgcolor="#7c1d22"), Style(color="#a2333a", bgcolor="#7c1d22")
        words = ["", *textwrap.wrap(title.upper(), width - 6), "", *textwrap.wrap(sentence, width - 6), ""]
        lines: list[Text] = []
        first = max((height - len(words)) // 2, 0)
        for row in range(max(height, len(words))):
            if 0 <= row - first < len(words):
                lines.append(Text(f"┃ {words[row - first].center(width - 4)} ┃", style=cloth + Style(bold=True)))
            else:
                lines.append(Text(("┃ │ " * width)[: width - 1] + "┃", style=folds))
        return lines

    # ------------------------------------------------------------------ the mouse

    def on_click(self, event: events.Click) -> None:
        """Choose what is clicked; a second click on it gives the answer."""
        at = self._clickable[event.y] if event.y < len(self._clickable) else None
        if self.question is None or at is None:
            return
        if self.question.click(at, event.x) and self.question.chosen is not None:
            self.post_message(self.Played())
        else:
            self._changed()
