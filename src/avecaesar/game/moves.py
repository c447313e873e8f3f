"""What a driver can decide: one type for each kind of move, the same in Python, on the wire, in logs and in saves.

Their JSON is `{"kind": "play", "card": 3, "to": 8}` and so on; msgspec reads and writes it and keeps to the limits of
the annotations. A move made in Python is checked when it gets its number in the kernel.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from avecaesar.courses.course import MOST_SPACES
from avecaesar.kernel import layout as k
from avecaesar.kernel.move_codes import SORTING
from avecaesar.rules import CARD_VALUES, DECK, DECKS, PILES
from avecaesar.speech import say

Card = Annotated[int, Meta(ge=min(CARD_VALUES), le=max(CARD_VALUES))]
Pile = Annotated[int, Meta(ge=0, le=PILES - 1)]
Destination = Annotated[int, Meta(ge=0, le=MOST_SPACES - 1)] | Literal["home"]
DeckName = Literal["slow", "average", "fast"]
DECK_NAMES: tuple[DeckName, ...] = ("slow", "average", "fast")
Piles = tuple[tuple[int, ...], ...]
SortedPiles = Annotated[
    tuple[Annotated[tuple[Card, ...], Meta(max_length=len(DECK))], ...], Meta(min_length=PILES, max_length=PILES)
]
assert tuple(DECKS) == DECK_NAMES


class InvalidMove(ValueError):
    """Not a move at all: a card or a space that does not exist, or something else altogether."""


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """What all moves have in common."""


class Play(Decision, frozen=True, tag="play"):
    """Play a card and end on a space, or home."""

    card: Card
    to: Destination


class Miss(Decision, frozen=True, tag="miss"):
    """Miss the turn; with the card that goes under the deck, where one is exchanged."""

    exchange: Card | None = None


class Withdraw(Decision, frozen=True, tag="withdraw"):
    """Leave the race."""


class Crash(Decision, frozen=True, tag="crash"):
    """Crash."""


class ChooseDeck(Decision, frozen=True, tag="deck"):
    """Choose a deck before the race."""

    deck: DeckName


class Sort(Decision, frozen=True, tag="sort"):
    """Sort the deck into three piles."""

    piles: SortedPiles

    def __post_init__(self) -> None:
        # The order of a pile's cards means nothing, so equal sortings are equal.
        with suppress(TypeError):  # what is no sorting at all is refused by `to_number`
            msgspec.structs.force_setattr(self, "piles", tuple(tuple(sorted(pile)) for pile in self.piles))


class Draw(Decision, frozen=True, tag="draw"):
    """Draw from a pile, counted from 0."""

    pile: Pile


class Lay(Decision, frozen=True, tag="lay"):
    """Lay the emperor's card on a pile, counted from 0."""

    pile: Pile


class Vote(Decision, frozen=True, tag="vote"):
    """Vote for what a riderless chariot is to do; without a card: abstain."""

    card: Card | None = None
    to: Destination | None = None

    def __post_init__(self) -> None:
        if isinstance(self.card, Play):
            warnings.warn("Vote(Play(card, to)) is now Vote(card, to)", DeprecationWarning, stacklevel=2)
            msgspec.structs.force_setattr(self, "to", self.card.to)
            msgspec.structs.force_setattr(self, "card", self.card.card)

    @property
    def play(self) -> Play | None:
        """What it votes for; None abstains."""
        return None if self.card is None or self.to is None else Play(self.card, self.to)


class Hidden(msgspec.Struct, frozen=True):
    """In a history: a deck or a sorting that somebody else has chosen, and that is not for these eyes (yet)."""

    asked: Literal["deck", "sort"]


Move = Play | Miss | Withdraw | Crash | ChooseDeck | Sort | Draw | Lay | Vote
MOVES = (Play, Miss, Withdraw, Crash, ChooseDeck, Sort, Draw, Lay, Vote)


def to_number(move: Move) -> int:
    """The kernel's number of a move. (Of a sorting the third pile is not in it: it is what is left of the deck.)"""
    match move:
        case Play(card, to):
            return _number(k.MOVE_PLAY, _card(card), _destination(to))
        case Miss(exchange):
            return _number(k.MOVE_MISS, 0 if exchange is None else _card(exchange))
        case Withdraw():
            return _number(k.MOVE_WITHDRAW)
        case Crash():
            return _number(k.MOVE_CRASH)
        case ChooseDeck(deck):
            return _number(k.MOVE_DECK, 1 + _deck(deck))
        case Sort(piles):
            return _number(k.MOVE_SORT) | _sorting(piles) << SORTING
        case Draw(pile):
            return _number(k.MOVE_DRAW, 0, _pile(pile))
        case Lay(pile):
            return _number(k.MOVE_LAY, 0, _pile(pile))
        case Vote(None, None):
            return _number(k.MOVE_VOTE)
        case Vote(card, to):
            if card is None or to is None:
                raise InvalidMove(say("a vote names a card and where it leads to, or neither"))
            return _number(k.MOVE_VOTE, _card(card), _destination(to))
        case _:
            raise InvalidMove(f"{move!r} is not a move")


def from_number(number: int, to_sort: Sequence[int] = ()) -> Move:
    """The move that the kernel means; a sorting is one of the cards `to_sort`, how many of each value 1 to 6."""
    kind, card, to = (number >> 16) & 15, (number >> 8) & 255, number & 255
    destination: Destination = "home" if to == k.HOME else to
    match kind:
        case k.MOVE_PLAY:
            return Play(card, destination)
        case k.MOVE_MISS:
            return Miss(card or None)
        case k.MOVE_WITHDRAW:
            return Withdraw()
        case k.MOVE_DECK:
            return ChooseDeck(DECK_NAMES[card - 1])
        case k.MOVE_SORT:
            return Sort(_piles(number >> SORTING, to_sort))
        case k.MOVE_DRAW:
            return Draw(to)
        case k.MOVE_LAY:
            return Lay(to)
        case k.MOVE_VOTE:
            return Vote(card, destination) if card else Vote()
        case _:
            return Crash()


def _number(kind: int, card: int = 0, to: int = 0) -> int:
    return (kind << 16) | (card << 8) | to


def _card(card: int) -> int:
    if not (_is_whole_number(card) and 1 <= card <= 6):
        raise InvalidMove(f"a card is a number from 1 to 6, not {card!r}")
    return card


def _destination(to: Destination) -> int:
    if to == "home":
        return k.HOME
    if not (_is_whole_number(to) and 0 <= to < k.HOME):
        raise InvalidMove(f"a space is its number on the course, or 'home', not {to!r}")
    return to


def _deck(deck: str | None) -> int:
    if deck not in DECK_NAMES:
        raise InvalidMove(f"a deck is {', '.join(DECK_NAMES)}, not {deck!r}")
    return DECK_NAMES.index(deck)


def _pile(pile: int) -> int:
    if not (_is_whole_number(pile) and 0 <= pile < PILES):
        raise InvalidMove(f"a pile is 0, 1 or 2, not {pile!r}")
    return pile


def _sorting(piles: Piles) -> int:
    three = isinstance(piles, list | tuple) and len(piles) == PILES
    if not three or not all(isinstance(pile, list | tuple) for pile in piles):
        raise InvalidMove(f"a sorting is three piles of cards, not {piles!r}")
    for pile in piles:
        for card in pile:
            _card(card)
    sorting = 0
    for value in CARD_VALUES:
        for at, pile in enumerate(piles[:2]):
            if pile.count(value) > 7:
                raise InvalidMove(f"no deck has {pile.count(value)} cards of {value}")
            sorting |= pile.count(value) << 6 * (value - 1) + 3 * at
    return sorting


def _piles(sorting: int, to_sort: Sequence[int]) -> Piles:
    piles: tuple[list[int], list[int], list[int]] = ([], [], [])
    for value, count in zip(CARD_VALUES, to_sort, strict=True):
        first, second = sorting >> 6 * (value - 1) & 7, sorting >> 6 * (value - 1) + 3 & 7
        for pile, cards in zip(piles, (first, second, count - first - second), strict=True):
            pile += [value] * cards
    return tuple(map(tuple, piles))


def _is_whole_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
