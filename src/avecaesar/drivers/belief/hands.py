"""Cards that come into hidden hands and leave them, guess by guess."""

from __future__ import annotations

from avecaesar.drivers.belief.encoding import EXCHANGED, FRESH, MOST_UNDER
from avecaesar.drivers.belief.guesses import believe, forget_new, fresh, guess, size, taken_from, unaccounted, value_of
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.layout import CARDS, MOVE_PLAY
from avecaesar.kernel.move_codes import kind_of
from avecaesar.rules import PILES


@compiled
def part_with(evidence, i, event):
    """A driver played or exchanged a card."""
    if not evidence.hidden[i]:
        return
    card = (event >> 8) & 255
    if kind_of(event) == MOVE_PLAY:
        play_card_of(evidence, i, card)
        evidence.unseen[i] -= 1 << (4 * card)
    elif (event >> EXCHANGED) & 1:
        exchange_card_of(evidence, i)


@compiled
def play_card_of(evidence, i, card):
    """The card that was played was a known one or a fresh one."""
    forget_new(evidence)
    for k in range(evidence.guesses[i]):
        hand, rest, weight = evidence.hand[i, k], evidence.rest[i, k], evidence.weight[i, k]
        held = (hand >> (4 * card)) & 15
        if held > 0:
            guess(evidence, hand - (1 << (4 * card)), rest, weight * held)
        for pile in range(PILES):
            if fresh(hand, pile) > 0:
                left = unaccounted(evidence, i, hand, rest, pile)
                there = (left >> (4 * card)) & 15
                if there > 0:
                    less = taken_from(evidence, i, rest, pile, card)
                    chance = fresh(hand, pile) * there / size(left)
                    guess(evidence, hand - (1 << (FRESH + 4 * pile)), less, weight * chance)
    believe(evidence, i, 1)


@compiled
def exchange_card_of(evidence, i):
    """Some card went under the deck, below those that were put there before; then one was drawn."""
    under = evidence.under[i]
    all_under = under == evidence.undrawn[i]
    evidence.under[i] = under if all_under else under + 1
    place = 3 * (evidence.under[i] - 1)
    forget_new(evidence)
    for k in range(evidence.guesses[i] if evidence.under[i] <= MOST_UNDER else 0):
        hand, rest, weight = evidence.hand[i, k], evidence.rest[i, k], evidence.weight[i, k]
        came = 1 << FRESH
        if all_under:
            came = value_of(rest)
            rest >>= 3
        for card in range(1, CARDS):
            held = (hand >> (4 * card)) & 15
            if held > 0:
                guess(evidence, hand - (1 << (4 * card)) + came, rest + (card << place), weight * held)
        if fresh(hand, 0) > 0:
            guess(evidence, hand - (1 << FRESH) + came, rest, weight * fresh(hand, 0))
    believe(evidence, i, 0)


@compiled
def come_in(evidence, i, card, pile):
    """A card of that value came into the hand; 0: a fresh one from a pile."""
    for k in range(evidence.guesses[i]):
        evidence.hand[i, k] += 1 << (4 * card) if card > 0 else 1 << (FRESH + 4 * pile)


@compiled
def draw_up_all(evidence):
    """What was drawn after a turn: fresh cards, and in the end those that had been put under the deck."""
    ghost = evidence.ghost
    for j in range(ghost.chariots):
        drawn = evidence.undrawn[j] - ghost.undrawn[j]
        from_under = evidence.under[j] - ghost.known[j]
        if drawn > 0 and j == evidence.chariot:
            evidence.sixes = 0
        for k in range(evidence.guesses[j] if drawn > 0 else 0):
            evidence.hand[j, k] += (drawn - from_under) << FRESH
            for _ in range(from_under):
                evidence.hand[j, k] += value_of(evidence.rest[j, k])
                evidence.rest[j, k] >>= 3
