"""A world: the hidden cards dealt by one of the guesses for each chariot, all others at random."""

from __future__ import annotations

import numpy as np

from avecaesar.drivers.belief.encoding import FRESH, KNOWN_CARDS
from avecaesar.drivers.belief.guesses import fresh, share, unaccounted
from avecaesar.drivers.belief.sortings import SORTINGS
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.layout import DECK, DECK_SIZE, SORT
from avecaesar.kernel.option_codes import DRAW_FROM_PILES
from avecaesar.kernel.piles import MOST_SPLIT, PACKED, sort_piles, sorting_of, to_sort
from avecaesar.kernel.playout import STRIDE, below, mix, shuffle
from avecaesar.kernel.redaction import unpack
from avecaesar.rules import PILES


@compiled
def imagine(course, rules, known, evidence, worlds, state):
    """Make the race `worlds[0]` a whole one like `known`, its hidden cards drawn at random; returns the next state."""
    worlds[0] = known
    world = worlds[0]
    for i in range(known.chariots):
        if rules.draw != DRAW_FROM_PILES or known.riderless[i]:
            if evidence.hidden[i]:
                state = deal_deck(evidence, world, i, state)
            else:
                state = mix(world, i, 0, np.int64(world.undrawn[i]) - world.known[i], state)
        elif known.phase == DECK or known.phase == SORT:
            state = choose_for(course, world, i, state)
        elif evidence.hidden[i]:
            state = deal_piles(evidence, world, i, state)
        else:
            for pile in range(PILES):
                state = mix(world, i, np.int64(world.pile_top[i, pile]), np.int64(world.pile[i, pile]), state)
    return state


@compiled
def take_up(world, i, first, count):
    """Take so many cards of a deck into the hand."""
    hand = np.int64(world.hand[i])
    for k in range(first, first + count):
        hand += 1 << (4 * np.int64(world.deck[i, k]))
    world.hand[i] = hand


@compiled
def pick(evidence, i, state):
    """One of the guesses, by weight."""
    last = evidence.guesses[i] - 1
    mark = share(state) * evidence.weight[i, last]
    low = 0
    while low < last:
        middle = (low + last) // 2
        if evidence.weight[i, middle] > mark:
            last = middle
        else:
            low = middle + 1
    return low


@compiled
def deal_deck(evidence, world, i, state):
    """A hand and a deck by one of the guesses; if there is none, any."""
    hand, rest = np.int64(world.held[i]) << FRESH, 0
    if evidence.guesses[i] > 0:
        state += STRIDE
        k = pick(evidence, i, state)
        hand, rest = evidence.hand[i, k], evidence.rest[i, k]
    under = evidence.under[i]
    undrawn = np.int64(world.undrawn[i])
    count = unpack(unaccounted(evidence, i, hand, rest, 0), world, i, 0)
    state = mix(world, i, 0, count, state)
    world.hand[i] = hand & KNOWN_CARDS
    world.known[i] = under
    free = count - fresh(hand, 0)
    take_up(world, i, free, fresh(hand, 0))
    for k in range(under - 1, -1, -1):  # the fresh ones among them lie ready before their places
        card = (rest >> (3 * k)) & 7
        if card == 0:
            free -= 1
            card = np.int64(world.deck[i, free])
        world.deck[i, undrawn - under + k] = card
    for k in range(undrawn, DECK_SIZE):
        world.deck[i, k] = 0
    return state


@compiled
def deal_piles(evidence, world, i, state):
    """A hand and piles by one of the guesses; if there is none, any."""
    total = np.int64(world.undrawn[i]) - (world.laid[i] > 0)
    if evidence.guesses[i] == 0:
        state = mix(world, i, 0, total + (0 if i == evidence.chariot else np.int64(world.held[i])), state)
        if i != evidence.chariot:
            take_up(world, i, total, np.int64(world.held[i]))
    else:
        state += STRIDE
        k = pick(evidence, i, state)
        hand, rest = evidence.hand[i, k], evidence.rest[i, k]
        world.hand[i] = hand & KNOWN_CARDS
        for pile in range(PILES):
            first = np.int64(world.pile_top[i, pile])
            count = unpack(unaccounted(evidence, i, hand, rest, pile), world, i, first) - first
            state = mix(world, i, first, count, state)
            take_up(world, i, first + np.int64(world.pile[i, pile]), fresh(hand, pile))
    for k in range(total, DECK_SIZE):
        world.deck[i, k] = 0
    return state


@compiled
def choose_for(course, world, i, state):
    """AUS-1, AUS-3: a shuffle for who has not sorted; what others have chosen in secret is any deck, any sorting."""
    state = shuffle(world, i, True, state)
    if i < world.turn and world.phase == DECK:
        state += STRIDE
        world.choice[i] = 1 + below(state, len(PACKED))
    elif i < world.turn:
        cards = to_sort(course, world, i)
        sorting = -1
        while sorting < 0:
            state += STRIDE
            split = below(state, MOST_SPLIT)
            state += STRIDE
            sorting = sorting_of(cards, SORTINGS[below(state, len(SORTINGS))] + split)
        sort_piles(world, i, cards, sorting)
    return state


# ---------------------------------------------------------------------- for Python: arrays


@compiled
def imagine_one(courses, rules, known, evidence, worlds, state):
    """`imagine`, for arrays of one."""
    return imagine(courses[0], rules[0], known[0], evidence[0], worlds, state)
