"""Hands and decks. A hand is how many it holds of each value; a deck is a ring, drawn from its top."""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.jit import compiled
from avecaesar.kernel.layout import DECK_SIZE
from avecaesar.rules import CARD_VALUES

# A set of cards: bit 4 * value for each value, as they lie in a hand.
EVERY_CARD = sum(1 << 4 * value for value in CARD_VALUES)
SIX_BIT = 4 * 6
SIX = 1 << SIX_BIT


@compiled
def count(race, i, value):
    """How many cards of a value chariot i holds."""
    return (np.int64(race.hand[i]) >> (4 * value)) & 15


@compiled
def values_in(hand):
    """The set of cards in a hand, however many of each: seven at most, three bits."""
    return (hand | (hand >> 1) | (hand >> 2)) & EVERY_CARD


@compiled
def playable(race, i, six_barred):
    """The set of cards that chariot i holds and may play."""
    values = values_in(np.int64(race.hand[i]))
    return values & ~SIX if six_barred else values


@compiled
def only_sixes(race, i):
    """SIX-8: every card in hand is a six, however few they are. OWN-5: an empty hand is not."""
    return race.held[i] > 0 and count(race, i, 6) == race.held[i]


@compiled
def take_from_hand(race, i, value):
    """A card leaves the hand."""
    race.hand[i] = np.int64(race.hand[i]) - (1 << (4 * value))
    race.held[i] -= 1


@compiled
def take_into_hand(race, i, value):
    """A card comes into the hand."""
    race.hand[i] = np.int64(race.hand[i]) + (1 << (4 * value))
    race.held[i] += 1


@compiled
def draw(race, i):
    """One card from the top of the deck into the hand."""
    value = np.int64(race.deck[i, race.top[i]])
    below = np.int64(race.top[i]) + 1
    race.top[i] = below if below < DECK_SIZE else 0
    race.undrawn[i] -= 1
    race.known[i] = min(race.known[i], race.undrawn[i])
    take_into_hand(race, i, value)


@compiled
def draw_up(race, i, hand):
    """MOV-1: back to a full hand, or as far as the deck goes."""
    while race.held[i] < hand and race.undrawn[i] > 0:
        draw(race, i)


@compiled
def put_under(race, i, value):
    """A card of the hand goes under the deck; who has seen it knows where it lies."""
    take_from_hand(race, i, value)
    race.deck[i, (np.int64(race.top[i]) + race.undrawn[i]) % DECK_SIZE] = value
    race.undrawn[i] += 1
    race.known[i] += 1


@compiled
def exchange(race, i, value):
    """A card goes under the deck, then one is drawn from its top."""
    put_under(race, i, value)
    draw(race, i)
