"""What a driver can decide, as small values, and their numbers in the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from avecaesar.kernel import layout as k
from avecaesar.kernel.moves import SORTING
from avecaesar.rules import CARD_VALUES, DECKS, PILES

Destination = int | Literal["home"]
DeckName = Literal["slow", "average", "fast"]
DECK_NAMES: tuple[DeckName, ...] = ("slow", "average", "fast")
Piles = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
assert tuple(DECKS) == DECK_NAMES


class InvalidMove(ValueError):
    """Not a move at all: a card or a space that does not exist, or something else altogether."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card and end on a space, or home."""

    card: int
    to: Destination


@dataclass(frozen=True, slots=True)
class Miss:
    """Miss the turn; where the edition says so, one card goes under the deck and another is drawn."""

    exchange: int | None = None


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Leave the race: for the disqualified only."""


@dataclass(frozen=True, slots=True)
class Crash:
    """Crash: the variant's fate of a leader with nothing but sixes."""


@dataclass(frozen=True, slots=True)
class ChooseDeck:
    """Choose a deck before the race (AUS-1); None in the history of those who may not know it yet."""

    deck: DeckName | None


@dataclass(frozen=True, slots=True)
class Sort:
    """Sort the deck into three piles (AUS-3), the cards of each in ascending order; None for those who may not know."""

    piles: Piles | None


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw a card from a pile, counted from 0 (AUS-3)."""

    pile: int


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay the emperor's 3 on a pile, counted from 0 (AUS-4)."""

    pile: int


@dataclass(frozen=True, slots=True)
class Vote:
    """Vote for what a riderless chariot is to do (NPC-3); None abstains."""

    play: Play | None = None


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
        case Vote(None):
            return _number(k.MOVE_VOTE)
        case Vote(Play(card, to)):
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
            return Vote(Play(card, destination) if card else None)
        case _:
            return Crash()


def _number(kind: int, card: int = 0, to: int = 0) -> int:
    return (kind << 16) | (card << 8) | to


def _card(card: int) -> int:
    if not (_whole(card) and 1 <= card <= 6):
        raise InvalidMove(f"a card is a number from 1 to 6, not {card!r}")
    return card


def _destination(to: Destination) -> int:
    if to == "home":
        return k.HOME
    if not (_whole(to) and 0 <= to < k.HOME):
        raise InvalidMove(f"a space is its number on the course, or 'home', not {to!r}")
    return to


def _deck(deck: str | None) -> int:
    if deck not in DECK_NAMES:
        raise InvalidMove(f"a deck is {', '.join(DECK_NAMES)}, not {deck!r}")
    return DECK_NAMES.index(deck)


def _pile(pile: int) -> int:
    if not (_whole(pile) and 0 <= pile < PILES):
        raise InvalidMove(f"a pile is 0, 1 or 2, not {pile!r}")
    return pile


def _sorting(piles: Piles | None) -> int:
    three = isinstance(piles, list | tuple) and len(piles) == PILES
    if piles is None or not three or not all(isinstance(pile, list | tuple) for pile in piles):
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
    return tuple(piles[0]), tuple(piles[1]), tuple(piles[2])


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
