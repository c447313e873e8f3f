"""What one seat may know of a race, as a race: an allow-list, compiled, for drivers who think in records.

`redact` copies what is public and what is the seat's own, and nothing else, so that two races which differ only in
what the seat cannot know become the same bytes. (The game's one exception is SIX-5: what a tied leader may do tells
him of his equals' sixes.) A redacted race can be cloned and moved on like any other; what is drawn there is a card
that its owner is known to have, never the one that he will draw.
"""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.jit import compiled
from avecaesar.kernel.movement import NONE
from avecaesar.kernel.records import CARDS, CHARIOTS, DECK_SIZE, MISS, OVER, PLAY


@compiled
def redact(race, seat, into):
    """Write into another race all that `seat` may know of this one; NOBODY is a spectator."""
    copy_public(race, into)
    copy_question(race, seat, into)
    for i in range(CHARIOTS):
        if i >= race.chariots:
            blank(into, i)
        else:
            copy_chariot(race, i, into)
            copy_cards(race, i, i == seat, into)


@compiled
def copy_public(race, into):
    """What everybody sees of the race as a whole."""
    into.turn = race.turn
    into.chariots = race.chariots
    into.racing = race.racing
    into.contenders = race.contenders
    into.home = race.home
    into.ban_lifted = race.ban_lifted
    into.kept = race.kept  # that a turn was missed, and whether a card was exchanged, is seen by all
    into.idle = race.idle
    into.turns = race.turns
    into.ending = race.ending


@compiled
def copy_question(race, seat, into):
    """What is asked, if it is asked of this seat. What stood there before was asked of somebody else."""
    mine = race.turn == seat
    into.phase = race.phase if mine or race.phase == OVER else PLAY
    into.six_barred = race.six_barred if mine else 0
    into.duty = race.duty if mine else 0
    playing = mine and race.phase == PLAY
    for card in range(CARDS):
        into.options[card] = race.options[card] if playing and card > 0 else NONE
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
    into.order[i] = race.order[i]
    into.place[i] = race.place[i]
    into.laurels[i] = race.laurels[i]


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
    n = 0
    for card in range(1, CARDS):
        for _ in range((packed >> (4 * card)) & 15):
            into.deck[i, n] = card
            n += 1
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
    into.order[i] = 0
    into.place[i] = 0
    into.laurels[i] = 0
    for k in range(DECK_SIZE):
        into.deck[i, k] = 0


# ---------------------------------------------------------------------- for Python: arrays and an index


@compiled
def redact_race(races, k, seat, into):
    """What a seat may know of race k, into an array of one race."""
    redact(races[k], seat, into[0])
