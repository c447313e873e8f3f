"""What one driver may know of a race, as a race: an allow-list, compiled, for drivers who think in records.

Game theory calls what he knows his information set: he cannot tell the races in it apart.
`redact` copies what is public and what is his own, and nothing else, so that two races which differ only in
what he cannot know become the same bytes. (The game's one exception is SIX-5: what a tied leader may do tells
him of his equals' sixes.) A redacted race can be cloned and moved on like any other; what is drawn there is a card
that its owner is known to have, never the one that he will draw. Cards of riderless chariots are drawn openly, so
that everybody knows what an owner would.
"""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cache import RACE
from avecaesar.kernel.jit import compiled, entry
from avecaesar.kernel.layout import CARDS, CHARIOTS, DECK, DECK_SIZE, MISS, OVER, PLAY, SORT, VOTE
from avecaesar.kernel.movement import NONE
from avecaesar.kernel.option_codes import DRAW_FROM_PILES
from avecaesar.rules import PILES


@compiled
def redact(rules, race, chariot, into):
    """Write into another race all that the driver of `chariot` may know of this one; NOBODY is a spectator."""
    copy_public(race, into)
    copy_question(race, chariot, into)
    for i in range(CHARIOTS):
        if i >= race.chariots:
            blank(into, i)
            continue
        copy_chariot(race, i, into)
        own = i == chariot or race.riderless[i] != 0
        copy_choices(race, i, own, into)
        if race.riderless[i] != 0 or rules.draw != DRAW_FROM_PILES:
            copy_cards(race, i, own, into)
        else:
            copy_piles(race, i, own, into)


@compiled
def copy_public(race, into):
    """What everybody sees of the race as a whole."""
    into.turn = race.turn
    into.voted_on = race.voted_on if race.phase == VOTE else 0
    into.chariots = race.chariots
    into.drivers = race.drivers
    into.first = race.first
    into.memory_aid = race.memory_aid
    into.racing = race.racing
    into.contenders = race.contenders
    into.home = race.home
    into.ban_lifted = race.ban_lifted
    into.kept = race.kept  # that a turn was missed, and whether a card was exchanged, is seen by all
    into.idle = race.idle
    into.turns = race.turns
    into.decisions = race.decisions
    into.ending = race.ending


@compiled
def copy_question(race, chariot, into):
    """What is asked, if it is asked of this chariot. What stood there before was asked of somebody else."""
    mine = race.turn == chariot
    into.phase = race.phase if mine or race.phase >= OVER else PLAY
    into.six_barred = race.six_barred if mine else 0
    into.duty = race.duty if mine else 0
    playing = mine and (race.phase == PLAY or race.phase == VOTE)
    for card in range(CARDS):
        into.destinations[card] = race.destinations[card] if playing and card > 0 else NONE
    into.homeward = race.homeward if playing else 0
    missing = mine and race.phase == MISS
    into.miss = race.miss if missing else 0
    into.exchanges = race.exchanges if missing else 0


@compiled
def copy_chariot(race, i, into):
    """What everybody sees of a chariot."""
    into.space[i] = race.space[i]
    into.crossings[i] = race.crossings[i]
    into.status[i] = race.status[i]
    into.coin[i] = race.coin[i]
    into.disqualified[i] = race.disqualified[i]
    into.arrival[i] = race.arrival[i]
    into.remaining[i] = race.remaining[i]
    into.left[i] = race.left[i]
    into.held[i] = race.held[i]
    into.undrawn[i] = race.undrawn[i]
    into.riderless[i] = race.riderless[i]
    into.vote[i] = race.vote[i] if race.phase == VOTE else 0
    into.emperor[i] = race.emperor[i]
    into.laid[i] = race.laid[i]
    into.order[i] = race.order[i]
    into.place[i] = race.place[i]
    into.laurels[i] = race.laurels[i]


@compiled
def copy_choices(race, i, own, into):
    """The deck, open to all once all have chosen; the sizes of the piles, once all have sorted (OWN-16)."""
    into.choice[i] = race.choice[i] if own or race.phase != DECK else 0
    top = 0
    for pile in range(PILES):
        size = race.pile[i, pile] if own or race.phase != SORT else 0
        into.pile[i, pile] = size
        into.pile_top[i, pile] = top
        top += size


@compiled
def copy_piles(race, i, own, into):
    """His own, if the table has a memory aid: each pile sorted. Else, and others': all cards together, sorted."""
    into.hand[i] = race.hand[i] if own else 0
    into.known[i] = 0
    into.top[i] = 0
    packed = 0 if own else np.int64(race.hand[i])
    n = 0
    for pile in range(PILES):
        for k in range(race.pile[i, pile]):
            packed += 1 << (4 * np.int64(race.deck[i, race.pile_top[i, pile] + k]))
        if own and race.memory_aid:
            n = unpack(packed, into, i, n)
            packed = 0
    n = unpack(packed, into, i, n)
    for k in range(n, DECK_SIZE):
        into.deck[i, k] = 0


@compiled
def unpack(packed, into, i, n):
    """Lay cards, how many of each value, into a deck from its n-th place on; returns the place after them."""
    for card in range(1, CARDS):
        for _ in range((packed >> (4 * card)) & 15):
            into.deck[i, n] = card
            n += 1
    return n


@compiled
def copy_cards(race, i, own, into):
    """His own: hand, deck sorted, his exchanged cards in order at its bottom. Others': hand and deck, sorted."""
    into.hand[i] = race.hand[i] if own else 0
    into.known[i] = race.known[i] if own else 0
    into.top[i] = 0
    shuffled = np.int64(race.undrawn[i]) - into.known[i]
    packed = 0 if own else np.int64(race.hand[i])
    for k in range(shuffled):
        packed += 1 << (4 * np.int64(race.deck[i, (race.top[i] + k) % DECK_SIZE]))
    n = unpack(packed, into, i, 0)
    for k in range(shuffled, race.undrawn[i] if own else 0):
        into.deck[i, n] = race.deck[i, (race.top[i] + k) % DECK_SIZE]
        n += 1
    for k in range(n, DECK_SIZE):
        into.deck[i, k] = 0


@compiled
def blank(into, i):
    """No such chariot."""
    into.space[i] = 0
    into.crossings[i] = 0
    into.status[i] = 0
    into.coin[i] = 0
    into.disqualified[i] = 0
    into.arrival[i] = 0
    into.remaining[i] = 0
    into.left[i] = 0
    into.hand[i] = 0
    into.held[i] = 0
    into.top[i] = 0
    into.undrawn[i] = 0
    into.known[i] = 0
    into.riderless[i] = 0
    into.vote[i] = 0
    into.choice[i] = 0
    into.emperor[i] = 0
    into.laid[i] = 0
    for pile in range(PILES):
        into.pile[i, pile] = 0
        into.pile_top[i, pile] = 0
    into.order[i] = 0
    into.place[i] = 0
    into.laurels[i] = 0
    for k in range(DECK_SIZE):
        into.deck[i, k] = 0


# ---------------------------------------------------------------------- for Python: arrays and an index


@entry(RACE)
def redact_race(rules, races, k, chariot, into):
    """What one driver may know of race k, into an array of one race."""
    redact(rules[0], races[k], chariot, into[0])
