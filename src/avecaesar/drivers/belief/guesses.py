"""The guesses at a chariot's hidden cards, each with its weight, and how they are narrowed down.

A particle filter: each event leaves the guesses that agree with it, and where there are too many `thin_out` resamples
them.
"""

from __future__ import annotations

import numpy as np

from avecaesar.drivers.belief.encoding import (
    ANY_HAND,
    FRESH,
    FULL_DECK,
    GUESSES,
    KNOWN_CARDS,
    PILE_BITS,
    PLACES,
    WITH,
)
from avecaesar.drivers.belief.sortings import SORTINGS
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.layout import CARDS
from avecaesar.kernel.movement import NONE, ONE
from avecaesar.kernel.option_codes import DRAW_FROM_PILES
from avecaesar.kernel.piles import MOST_SPLIT, on_pile, sorting_of, to_sort
from avecaesar.kernel.playout import mixed
from avecaesar.rules import PILES


@compiled
def first_guesses(course, rules, evidence, i):
    """Before the first turn: a fresh hand; with piles any sorting by which they are as large as they are."""
    evidence.unseen[i] = FULL_DECK
    forget_new(evidence)
    if rules.draw != DRAW_FROM_PILES:
        guess(evidence, np.int64(evidence.ghost.held[i]) << FRESH, 0, 1.0)
    else:
        cards = to_sort(course, evidence.ghost, i)
        for n in range(len(SORTINGS)):
            for split in range(MOST_SPLIT):
                sorting = sorting_of(cards, SORTINGS[n] + split)
                rest = on_piles(cards, sorting, evidence.ghost.pile[i]) if sorting >= 0 else -1
                if rest >= 0:
                    guess(evidence, 0, rest, 1.0)
    believe(evidence, i, 0)


@compiled
def on_piles(cards, sorting, sizes):
    """What a sorting puts on each pile, as in the rest of a guess; -1 if the piles are not of these sizes."""
    rest = 0
    for pile in range(PILES):
        room = np.int64(sizes[pile])
        for value in range(1, CARDS):
            here = on_pile(cards, sorting, value, pile)
            rest |= here << (PILE_BITS * pile + 3 * (value - 1))
            room -= here
        if room != 0:
            return -1
    return rest


# ---------------------------------------------------------------------- what a guess says


@compiled
def fresh(hand, pile):
    """How many cards of a hand are fresh from a pile."""
    return (hand >> (FRESH + 4 * pile)) & 15


@compiled
def size(cards):
    """How many cards these are, four bits a value."""
    pairs = (cards & 0x0F0F0F0F) + ((cards >> 4) & 0x0F0F0F0F)
    return (pairs + (pairs >> 8) + (pairs >> 16) + (pairs >> 24)) & 255


@compiled
def value_of(rest):
    """The first card of those under a deck, as it counts in the hand of a guess."""
    return 1 << (4 * (rest & 7)) if rest & 7 else 1 << FRESH


@compiled
def unaccounted(evidence, i, hand, rest, pile):
    """What the fresh cards from a pile and those that lie there are, together, how many of each value."""
    cards = 0
    if evidence.ghost.choice[i]:
        on_pile = rest >> (PILE_BITS * pile)
        for value in range(1, CARDS):
            cards |= ((on_pile >> (3 * (value - 1))) & 7) << (4 * value)
    elif pile == 0:
        cards = evidence.unseen[i] - (hand & KNOWN_CARDS)
        while rest > 0:
            cards -= value_of(rest) & KNOWN_CARDS
            rest >>= 3
    return cards


@compiled
def taken_from(evidence, i, rest, pile, value):
    """The rest of a guess when one card more of a pile is accounted for."""
    return rest - (1 << (PILE_BITS * pile + 3 * (value - 1))) if evidence.ghost.choice[i] else rest


# ---------------------------------------------------------------------- new guesses


@compiled
def forget_new(evidence):
    """Begin to make new guesses."""
    evidence.new = 0
    evidence.oldest += GUESSES + 1


@compiled
def guess(evidence, hand, rest, weight):
    """Note a new guess; one that is there already gets heavier."""
    if evidence.new == GUESSES:
        thin_out(evidence)
    note(evidence, hand, rest, weight)


@compiled
def note(evidence, hand, rest, weight):
    """`guess`, where there is room."""
    at = np.int64(mixed(mixed(np.uint64(hand)) ^ np.uint64(rest)) % np.uint64(PLACES))
    while evidence.places[at] > evidence.oldest:
        k = evidence.places[at] - evidence.oldest - 1
        if evidence.new_hand[k] == hand and evidence.new_rest[k] == rest:
            evidence.new_weight[k] += weight
            return
        at = (at + 1) % PLACES
    k = evidence.new
    evidence.new_hand[k] = hand
    evidence.new_rest[k] = rest
    evidence.new_weight[k] = weight
    evidence.new += 1
    evidence.places[at] = evidence.oldest + evidence.new


@compiled
def thin_out(evidence):
    """Systematic resampling: leave half of the new guesses, by their weight; none becomes likelier on the whole."""
    total = 0.0
    for k in range(evidence.new):
        total += evidence.new_weight[k]
    step = 2 * total / GUESSES
    mark = step * share(np.uint64(evidence.ghost.decisions))
    so_far = 0.0
    count = evidence.new
    forget_new(evidence)
    for k in range(count):
        so_far += evidence.new_weight[k]
        hits = 0
        while mark < so_far:
            mark += step
            hits += 1
        if hits > 0:
            note(evidence, evidence.new_hand[k], evidence.new_rest[k], hits * step)


@compiled
def share(state):
    """A number from 0 to 1 from this state."""
    return np.float64(mixed(state) >> np.uint64(11)) / 9007199254740992.0


@compiled
def believe(evidence, i, gone):
    """The new guesses are those of chariot i from now on. If there are none left, a deck is guessed at afresh.

    `gone` is how many cards left the hand since the last guesses.
    """
    if evidence.new == 0 and evidence.guesses[i] > 0:
        evidence.lost += 1
        if not evidence.ghost.choice[i]:
            held = size(evidence.hand[i, 0] & KNOWN_CARDS) + fresh(evidence.hand[i, 0], 0)
            guess(evidence, (held - gone) << FRESH, 0, 1.0)
    total = 0.0
    for k in range(evidence.new):
        total += evidence.new_weight[k]
    for k in range(evidence.new):
        evidence.hand[i, k] = evidence.new_hand[k]
        evidence.rest[i, k] = evidence.new_rest[k]
        evidence.weight[i, k] = evidence.new_weight[k] / total
    evidence.guesses[i] = evidence.new


# ---------------------------------------------------------------------- what is seen of a hand


@compiled
def observe(evidence, i, sets, cards):
    """The values in this hand were one of these sets, and its cards were these."""
    if evidence.hidden[i]:
        lost = evidence.lost
        narrow_down(evidence, i, sets, cards)
        if evidence.lost > lost:
            narrow_down(evidence, i, sets, cards)


@compiled
def narrow_down(evidence, i, sets, cards):
    """Guess at every fresh card of a hand, and leave what agrees with these sets and cards."""
    values = 0
    for value in range(1, CARDS):
        if sets & WITH[value] != NONE and (cards == ANY_HAND or (cards >> (4 * value)) & 15):
            values |= 1 << value
    while reveal(evidence, i, values):
        pass
    forget_new(evidence)
    for k in range(evidence.guesses[i]):
        hand = evidence.hand[i, k]
        fits_in = set_of_values(hand) == 0 or (sets >> np.uint64(set_of_values(hand))) & ONE != NONE
        if fits_in and cards in (ANY_HAND, hand):
            guess(evidence, hand, evidence.rest[i, k], evidence.weight[i, k])
    believe(evidence, i, 0)


@compiled
def set_of_values(hand):
    """The set of values in a hand, bit k for value k + 1."""
    values = 0
    for value in range(1, CARDS):
        values |= ((hand >> (4 * value)) & 15 > 0) << (value - 1)
    return values


@compiled
def reveal(evidence, i, values):
    """Guess at one fresh card in each hand, of values among these; whether there was any."""
    forget_new(evidence)
    found = False
    for k in range(evidence.guesses[i]):
        hand, rest, weight = evidence.hand[i, k], evidence.rest[i, k], evidence.weight[i, k]
        pile = 0
        while pile < PILES and fresh(hand, pile) == 0:
            pile += 1
        if pile == PILES:
            guess(evidence, hand, rest, weight)
            continue
        found = True
        left = unaccounted(evidence, i, hand, rest, pile)
        for value in range(1, CARDS):
            there = (left >> (4 * value)) & 15
            if (values >> value) & 1 and there > 0:
                seen = hand - (1 << (FRESH + 4 * pile)) + (1 << (4 * value))
                guess(evidence, seen, taken_from(evidence, i, rest, pile, value), weight * there / size(left))
    if found:
        believe(evidence, i, 0)
    return found
