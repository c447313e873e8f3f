"""What a person is asked: drawn where the hand is, answered with keys or the mouse. Rules are asked, never known."""

from __future__ import annotations

import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from rich.style import Style
from rich.text import Text

from avecaesar.game import Move, Refusal, View
from avecaesar.tui.keys import Key
from avecaesar.tui.paint import Palette

ClickableLine = tuple[Text, object]  # what is written, and what a click on it chooses; None: nothing
WhyNot = Callable[[Move], Refusal | None]


class Prompt(ABC):
    """One question, from the moment it is asked to its answer."""

    keys: tuple[Key, ...] = ()

    def __init__(self, view: View) -> None:
        self.view = view

    @property
    @abstractmethod
    def chosen(self) -> Move | None:
        """The answer that Enter gives, if it is allowed."""

    @property
    def targets(self) -> Mapping[int, str]:
        """The spaces to mark on the board, with the letters to type."""
        return {}

    @property
    def home(self) -> tuple[int, str] | None:
        """If the way home is to be marked: the space beyond the line, and the letter to type."""
        return None

    @property
    def refusals(self) -> Sequence[tuple[int | None, Refusal]]:
        """Why something cannot be chosen: cards, or None for the answer as a whole."""
        return ()

    @abstractmethod
    def press(self, key: str) -> str:
        """Do what a key says; the answer is a sentence for who pressed one that makes no sense here."""

    @abstractmethod
    def click(self, at: object, column: int) -> bool:
        """Choose what was clicked; True if it was chosen already."""

    @abstractmethod
    def choose(self, move: Move) -> None:
        """Point at an answer that is allowed."""

    def choose_space(self, space: int | Literal["home"]) -> bool:
        """Choose a space of the board; False if it was chosen already or cannot be."""
        return False

    @abstractmethod
    def lines(self, title: str, paint: Palette, width: int, height: int) -> list[ClickableLine]:
        """What is written, within the height if that is possible at all."""


def heading(words: str, paint: Palette, width: int) -> list[ClickableLine]:
    """What is asked."""
    return written(words, f"bold {paint.gold}", width)


def written(words: str, style: str | Style, width: int, indent: str = "") -> list[ClickableLine]:
    """A sentence over as many lines as it takes."""
    return [(Text(f"{indent}{line}", style=style), None) for line in textwrap.wrap(words, width - len(indent))]


def refusal_in_words(refusal: Refusal, paint: Palette, width: int) -> list[ClickableLine]:
    """Why not, with the clause."""
    return written(f"{refusal.reason} ({refusal.clause})", paint.bad, width)


def cards_in_a_row(
    cards: Sequence[int], style_of: Callable[[int], tuple[Style, str]], *, large: bool = False
) -> list[ClickableLine]:
    """Cards side by side, each with its style and a sign beside its value, with edges where there is room."""
    above, faces, below = Text(" "), Text(" "), Text(" ")
    for card in cards:
        style, sign = style_of(card)
        edge = Style(color=style.bgcolor)
        above.append("▗▄▄▄▖", style=edge).append(" ")
        faces.append(f"  {card}{sign} ", style=style).append(" ")
        below.append("▝▀▀▀▘", style=edge).append(" ")
    return [(line, None) for line in ((above, faces, below) if large else (faces,))]
