"""The Ausgebremst adaptation: chosen decks, the emperor's cards, sorting, three piles (AUS-1 to AUS-4).

A sorting is a number, six bits a value: how many of its cards lie on the first pile and how many on the second.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from avecaesar.kernel.cards import take_into_hand
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.layout import (
    ALLOWED,
    CARDS,
    DECK_SIZE,
    DRAW,
    LAY,
    PLAY,
    REFUSED_LEFT_EMPTY,
    REFUSED_MIXED,
    REFUSED_SORTING,
)
from avecaesar.kernel.option_codes import EMPEROR_BY_SIDE
from avecaesar.rules import CARD_VALUES, DECKS, PILES

# The decks, how many of each value as in a hand.
PACKED = tuple(sum(count << 4 * value for value, count in enumerate(deck, 1)) for deck in DECKS.values())
LAID_CARD = 3  # on side B; the 4 goes into the hand
# What may lie on a pile, as bits by value: one value, or two.
ONE_OR_TWO = tuple(sum(1 << v for v in values) for n in (1, 2) for values in combinations(CARD_VALUES, n))
MOST_SPLIT = 6  # of seven sixes
CODES = len(ONE_OR_TWO) ** PILES * MOST_SPLIT


@compiled
def to_sort(course, race, i):
    """The cards that a driver sorts, how many of each value: his deck less the emperor's cards (AUS-1, AUS-2)."""
    if race.choice[i] == 0:
        return 0
    cards = PACKED[np.int64(race.choice[i]) - 1]
    if race.emperor[i]:
        cards -= 1 << (4 * 3)
        if course.side_b:
            cards -= 1 << (4 * 4)
    return cards


@compiled
def put_aside(rules, race):
    """AUS-2: the emperor's cards of every driver."""
    for i in range(race.first, race.first + race.drivers):
        race.emperor[i] = rules.emperor_cards == EMPEROR_BY_SIDE


# ---------------------------------------------------------------------- sorting


@compiled
def on_pile(cards, sorting, value, pile):
    """How many of these cards with that value a sorting puts on a pile."""
    on_first = (sorting >> (6 * (value - 1))) & 7
    on_second = (sorting >> (6 * (value - 1) + 3)) & 7
    if pile == 0:
        return on_first
    return on_second if pile == 1 else ((cards >> (4 * value)) & 15) - on_first - on_second


@compiled
def verdict_on_sorting(cards, sorting):
    """AUS-3: three piles, none empty, of one or two values each."""
    if sorting >> 36 != 0:
        return REFUSED_SORTING
    for value in range(1, CARDS):
        if on_pile(cards, sorting, value, PILES - 1) < 0:
            return REFUSED_SORTING
    for pile in range(PILES):
        values = 0
        for value in range(1, CARDS):
            values += on_pile(cards, sorting, value, pile) > 0
        if values == 0:
            return REFUSED_LEFT_EMPTY + pile
        if values > 2:
            return REFUSED_MIXED + pile
    return ALLOWED


@compiled
def sorting_of(cards, code):
    """The sorting that a code stands for, or -1 if it stands for none. Each sorting has exactly one code.

    The code says which values lie on each pile, and of a value on two piles how many are on the first of them.
    (With five values or more there is one such value at most.)
    """
    split = code % MOST_SPLIT + 1
    code //= MOST_SPLIT
    n = len(ONE_OR_TWO)
    first, second, third = ONE_OR_TWO[code % n], ONE_OR_TWO[code // n % n], ONE_OR_TWO[code // n // n]
    shared = (first & second) | (first & third) | (second & third)
    if shared & (shared - 1) or first & second & third or (split > 1 and shared == 0):
        return -1
    sorting = 0
    for value in range(1, CARDS):
        count = (cards >> (4 * value)) & 15
        here = 1 << value
        if ((first | second | third) & here != 0) != (count > 0):
            return -1
        on_first = count if first & here else 0
        on_second = count if second & here else 0
        if shared & here:
            if split >= count:
                return -1
            on_first = split if first & here else 0
            on_second = 0 if not second & here else count - split if first & here else split
        sorting |= (on_first | (on_second << 3)) << (6 * (value - 1))
    return sorting


@compiled
def sort_piles(race, i, cards, sorting):
    """AUS-3: lay the cards on their piles, each shuffled.

    The shuffle is the numbers 0 to 23 in random order. They number the cards in the order of piles and values, so that
    whatever is sorted, the cards of a pile come in any order with the same chance.
    """
    top = 0
    for pile in range(PILES):
        race.pile[i, pile] = 0
        race.pile_top[i, pile] = top
        for value in range(1, CARDS):
            top += on_pile(cards, sorting, value, pile)
    race.undrawn[i] = top
    low, high = 0, 0  # twelve cards each, four bits a card
    for k in range(DECK_SIZE):
        pile, value = pile_and_value(cards, sorting, np.int64(race.deck[i, k]))
        if value > 0:
            at = np.int64(race.pile_top[i, pile]) + race.pile[i, pile]
            race.pile[i, pile] += 1
            if at < 12:
                low |= value << (4 * at)
            else:
                high |= value << (4 * (at - 12))
    for k in range(12):
        race.deck[i, k] = (low >> (4 * k)) & 15
        race.deck[i, 12 + k] = (high >> (4 * k)) & 15


@compiled
def pile_and_value(cards, sorting, number):
    """Where the card of that number lies, and its value; 0 if there are not so many cards."""
    for pile in range(PILES):
        for value in range(1, CARDS):
            count = on_pile(cards, sorting, value, pile)
            if number < count:
                return pile, value
            number -= count
    return 0, 0


# ---------------------------------------------------------------------- drawing


@compiled
def in_pile(race, i, pile):
    """How many cards lie on a pile, the emperor's on top included."""
    return np.int64(race.pile[i, pile]) + (race.laid[i] == pile + 1)


@compiled
def points_in_pile(race, i, pile):
    """The points of a pile's cards."""
    points = LAID_CARD if race.laid[i] == pile + 1 else 0
    for k in range(race.pile[i, pile]):
        points += np.int64(race.deck[i, race.pile_top[i, pile] + k])
    return points


@compiled
def points_on_piles(race, i):
    """The points of all cards that a chariot has not drawn."""
    points = 0
    for pile in range(PILES):
        points += points_in_pile(race, i, pile)
    return points


@compiled
def draw_from(race, i, pile):
    """One card from the top of a pile into the hand."""
    if race.laid[i] == pile + 1:
        race.laid[i] = 0
        value = np.int64(LAID_CARD)
    else:
        value = np.int64(race.deck[i, race.pile_top[i, pile]])
        race.pile_top[i, pile] += 1
        race.pile[i, pile] -= 1
    race.undrawn[i] -= 1
    take_into_hand(race, i, value)


@compiled
def lay_on(race, i, pile):
    """AUS-4: the emperor's 3, face down on top of a pile."""
    race.laid[i] = pile + 1
    race.undrawn[i] += 1


@compiled
def gift(course):
    """AUS-4: the emperor's card that whoever pays takes into his hand."""
    return 4 if course.side_b else 3


@compiled
def after_play(course, rules, race, i, paid):
    """AUS-3, AUS-4: what a play leaves to decide: who pays takes the emperor's cards instead of drawing."""
    if race.riderless[i]:
        return PLAY
    if paid and race.emperor[i]:
        race.emperor[i] = 0
        take_into_hand(race, i, gift(course))
        return LAY if course.side_b else PLAY
    return DRAW if wants_card(rules, race, i) else PLAY


@compiled
def wants_card(rules, race, i):
    """Whether a driver has to draw."""
    return race.held[i] < rules.hand and race.undrawn[i] > 0
