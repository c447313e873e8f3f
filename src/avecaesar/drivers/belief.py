"""Whole races that agree with all that a seat has seen: what it cannot see is drawn at random.

`gather` runs the public history once more on a ghost, a race without hidden cards, and asks the rules at each turn with
which cards in hand it could have gone as it did. For each chariot whose cards are hidden it keeps *guesses*, each with
its weight. A card in hand of which nothing is known is *fresh*: it may be any that is not accounted for, so that a
chariot that only ever played needs a single guess. `imagine` takes a guess for each chariot and deals out the rest.

Whoever plays or exchanges a card is thought to take any of his cards with the same chance, and to sort his deck in any
way with the same chance: `play_card_of` and `exchange_card_of` are the places where a driver's taste would be weighed.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from avecaesar.kernel.cards import draw, exchange, only_sixes, take_into_hand
from avecaesar.kernel.ending import next_turn
from avecaesar.kernel.jit import compiled
from avecaesar.kernel.layout import (
    ALLOWED,
    BARRED,
    CARDS,
    CHARIOTS,
    CRASH,
    CRASHED,
    DECK,
    DECK_SIZE,
    MISS,
    MOVE_CRASH,
    MOVE_DRAW,
    MOVE_LAY,
    MOVE_MISS,
    MOVE_PLAY,
    MOVE_WITHDRAW,
    OVER,
    PLAY,
    RACE,
    SORT,
    WITHDRAWN,
)
from avecaesar.kernel.movement import NONE, ONE, take_off
from avecaesar.kernel.moves import kind_of
from avecaesar.kernel.options import DRAW_FROM_PILES, EXTRA
from avecaesar.kernel.packing import Records, records
from avecaesar.kernel.piles import (
    LAID_CARD,
    MOST_SPLIT,
    ONE_OR_TWO,
    PACKED,
    draw_from,
    lay_on,
    put_aside,
    sort_piles,
    to_sort,
    wants_card,
)
from avecaesar.kernel.playout import STRIDE, below, mixed, shuffle
from avecaesar.kernel.reach import goes_home
from avecaesar.kernel.riderless import can_step
from avecaesar.kernel.six import leaders, nothing_but_sixes
from avecaesar.kernel.tribute import duty
from avecaesar.kernel.turn import begin, find_miss, miss_riderless, play_card, survey_turn, verdict_on_play
from avecaesar.rules import DECKS, PILES

# An event is a move as the seat saw it, without what was hidden; above it who made it, whether a card was exchanged,
# and from 1 on why a turn was missed, if the seat knows.
SEAT = 20
EXCHANGED = 24
REASON = 25

GUESSES = 2048  # kept of one chariot
PLACES = 2 * GUESSES  # where to look for a guess by its cards

# The hand of a guess: known cards as in a race's hand, and above them how many are fresh from each pile (a deck is one
# pile). The rest of a guess: of a deck the cards put under it, three bits a card, first drawn first, 0 a fresh one;
# of piles all that is not accounted for on each and in hand, three bits a value.
FRESH = 32
KNOWN_CARDS = (1 << FRESH) - 1
PILE_BITS = 18
MOST_UNDER = 21  # put under a deck: more do not fit

# A set of values is a number of six bits; sets of these sets are 64 bits. WITH are those that hold a value.
VALUE_SETS = 64
ALL_VALUES = VALUE_SETS - 1
SIX_ALONE = 32
WITH = np.array(
    [sum(1 << s for s in range(VALUE_SETS) if value and s >> (value - 1) & 1) for value in range(CARDS)], "u8"
)
ANY = ~ONE  # but not the empty one
ONLY_SIXES = ONE << np.uint64(SIX_ALONE)
ANY_HAND = -1
FULL_DECK = PACKED[0]

# Which values may lie on each of three piles: one or two each, all values of a deck among them, at most one on two.
DECK_VALUES = {sum((count > 0) << value for value, count in enumerate(deck, 1)) for deck in DECKS.values()}
SORTINGS = np.array(
    [
        three
        for three in product(ONE_OR_TWO, repeat=PILES)
        for a, b, c in [three]
        if (a | b | c) in DECK_VALUES and not a & b & c and ((a & b) | (a & c) | (b & c)).bit_count() <= 1
    ]
)

EVIDENCE = np.dtype(
    [
        ("ghost", RACE),
        ("seat", "i8"),
        ("sixes", "i1"),  # whether the seat itself was seen to hold nothing but sixes
        ("hidden", "i1", CHARIOTS),  # whose cards are guessed
        ("lost", "i8"),  # chariots of which no guess was left
        ("unseen", "i8", CHARIOTS),  # what each holds and has not drawn, how many of each value
        ("under", "i8", CHARIOTS),  # how many cards lie under its deck that were exchanged
        ("undrawn", "i8", CHARIOTS),  # before the last turn
        ("guesses", "i8", CHARIOTS),  # how many
        ("hand", "i8", (CHARIOTS, GUESSES)),
        ("rest", "i8", (CHARIOTS, GUESSES)),
        ("weight", "f8", (CHARIOTS, GUESSES)),  # in the end added up
        # room to make new guesses in
        ("new", "i8"),
        ("new_hand", "i8", GUESSES),
        ("new_rest", "i8", GUESSES),
        ("new_weight", "f8", GUESSES),
        ("places", "i8", PLACES),  # what stands there is older than `oldest`, or the number of a guess above it
        ("oldest", "i8"),
    ],
    align=True,
)


@compiled
def gather(course, rules, known, events, count, evidence):
    """Read what the seat on turn has seen, `count` events, and keep what they tell of each chariot's hidden cards.

    `known` is a redacted race of that seat (`kernel.redaction`).
    """
    evidence.seat = known.turn
    evidence.sixes = 0
    evidence.lost = 0
    for i in range(CHARIOTS):
        own = i == known.turn and (rules.draw != DRAW_FROM_PILES or known.memory_aid)
        evidence.hidden[i] = i < known.chariots and known.riderless[i] == 0 and not own
        evidence.guesses[i] = 0
        evidence.under[i] = 0
    if known.phase == DECK or known.phase == SORT:
        return
    line_up(course, rules, known, evidence)
    if rules.draw == DRAW_FROM_PILES:
        count_piles(known, events, count, evidence.ghost)
    for i in range(known.chariots):
        if evidence.hidden[i]:
            first_guesses(course, rules, evidence, i)
    for n in range(count):
        witness(course, rules, events[n], evidence)
    look_at_question(course, rules, known, evidence)
    for i in range(known.chariots):
        if evidence.hidden[i]:
            evidence.under[i] = evidence.ghost.known[i]
            if i == known.turn:
                observe(evidence, i, ANY, np.int64(known.hand[i]))
            for k in range(1, evidence.guesses[i]):
                evidence.weight[i, k] += evidence.weight[i, k - 1]


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


# ---------------------------------------------------------------------- the ghost


@compiled
def line_up(course, rules, known, evidence):
    """Set the ghost on the grid."""
    ghost = evidence.ghost
    for i in range(known.chariots):
        for k in range(DECK_SIZE):
            ghost.deck[i, k] = k // 4 + 1
    begin(course, rules, ghost, np.int64(known.drivers), np.int64(known.chariots) - known.drivers)
    for i in range(known.chariots):
        ghost.choice[i] = known.choice[i]
        if ghost.riderless[i]:  # the first on the grid has drawn already
            ghost.hand[i] = 0
            ghost.held[i] = 0
            ghost.top[i] = 0
            ghost.undrawn[i] = DECK_SIZE
    if rules.draw == DRAW_FROM_PILES:
        put_aside(rules, ghost)
    ghost.turn = 0
    ghost.phase = PLAY


@compiled
def count_piles(known, events, count, ghost):
    """How many cards lay on each pile when all had sorted: those that lie there still, and those that were drawn."""
    for i in range(known.first, known.first + known.drivers):
        for pile in range(PILES):
            ghost.pile[i, pile] = known.pile[i, pile]
    for n in range(count):
        kind, pile, i = kind_of(events[n]), events[n] & 255, (events[n] >> SEAT) & 15
        if kind == MOVE_LAY:
            ghost.laid[i] = pile + 1
        elif kind == MOVE_DRAW and ghost.laid[i] == pile + 1:
            ghost.laid[i] = 0
        elif kind == MOVE_DRAW:
            ghost.pile[i, pile] += 1
    for i in range(known.first, known.first + known.drivers):
        ghost.laid[i] = 0
        for pile in range(PILES):
            ghost.pile_top[i, pile] = ghost.undrawn[i]
            ghost.undrawn[i] += ghost.pile[i, pile]


@compiled
def witness(course, rules, event, evidence):
    """One event of the history: what it tells, then what it does."""
    ghost = evidence.ghost
    kind, to, i = kind_of(event), event & 255, (event >> SEAT) & 15
    ghost.decisions += 1
    if kind == MOVE_DRAW:
        came = LAID_CARD if ghost.laid[i] == to + 1 else 0
        come_in(evidence, i, came, to)
        draw_from(ghost, i, to)
        if ghost.turns > 0 and not wants_card(rules, ghost, i):
            pass_on(course, rules, ghost)
    elif kind == MOVE_LAY:
        lay_on(ghost, i, to)
        pass_on(course, rules, ghost)
    elif kind <= MOVE_CRASH:
        for j in range(ghost.chariots):
            evidence.undrawn[j] = ghost.undrawn[j]
            evidence.under[j] = ghost.known[j]
        if ghost.riderless[i]:
            retrace_riderless(course, rules, ghost, i, event)
        else:
            learn(course, rules, evidence, i, event)
            emperor = ghost.emperor[i]
            retrace(course, rules, ghost, i, event)
            part_with(evidence, i, event)
            if emperor and not ghost.emperor[i]:
                come_in(evidence, i, 4 if course.side_b else 3, 0)
        if rules.draw != DRAW_FROM_PILES:
            draw_up_all(evidence)


@compiled
def retrace(course, rules, ghost, i, event):
    """What a driver did. The cards that he did not show are any."""
    kind, card, to = kind_of(event), (event >> 8) & 255, event & 255
    ghost.turns += 1
    if kind == MOVE_MISS:
        ghost.idle += 1
        ghost.kept += 1
        if (event >> EXCHANGED) & 1:
            ghost.hand[i] = 1 << 4
            exchange(ghost, i, 1)
            ghost.kept = 0
    else:
        ghost.idle = 0
        ghost.kept = 0
        if kind == MOVE_PLAY:
            lay_open(course, rules, ghost, i, card, to)
        else:
            take_off(ghost, i, WITHDRAWN if kind == MOVE_WITHDRAW else CRASHED)
    if ghost.phase <= OVER:
        pass_on(course, rules, ghost)


@compiled
def retrace_riderless(course, rules, ghost, i, event):
    """What a riderless chariot did. Its card comes from anywhere in its deck, so that the right ones are left there."""
    kind, card, to = kind_of(event), (event >> 8) & 255, event & 255
    ghost.miss = ((event >> REASON) & 3) - 1
    ghost.turns += 1
    if ghost.held[i] == 0 and (kind == MOVE_PLAY or ghost.riderless[i] != EXTRA or can_step(course, ghost, i)):
        bring_up(ghost, i, card if card > 0 else 6 if ghost.miss == BARRED else 1)
        draw(ghost, i)
    if kind == MOVE_MISS:
        ghost.idle += 1
        ghost.kept += 1
        miss_riderless(ghost, i)
    else:
        ghost.idle = 0
        ghost.kept = 0
        lay_open(course, rules, ghost, i, card, to)
    pass_on(course, rules, ghost)


@compiled
def lay_open(course, rules, ghost, i, card, to):
    """The ghost plays a card, whatever it holds."""
    ghost.hand[i] = 1 << (4 * card)
    play_card(course, rules, ghost, i, card, to)


@compiled
def pass_on(course, rules, ghost):
    """The turn is over."""
    ghost.phase = PLAY
    next_turn(course, rules, ghost)


@compiled
def bring_up(ghost, i, card):
    """Bring a card to the top of a deck."""
    top = np.int64(ghost.top[i])
    for k in range(ghost.undrawn[i]):
        at = (top + k) % DECK_SIZE
        if ghost.deck[i, at] == card:
            ghost.deck[i, at] = ghost.deck[i, top]
            break
    ghost.deck[i, top] = card


# ---------------------------------------------------------------------- with which cards it could have gone so


@compiled
def hold(ghost, i, values):
    """Put one card of each of these values into a hand."""
    ghost.hand[i] = 0
    ghost.held[i] = 0
    for value in range(1, CARDS):
        if (values >> (value - 1)) & 1:
            take_into_hand(ghost, i, value)


@compiled
def hold_sixes(evidence, chosen):
    """Give the chosen drivers (a set of bits) nothing but sixes, and the others nothing of which we know."""
    ghost = evidence.ghost
    for j in range(ghost.chariots):
        if ghost.riderless[j] == 0:
            sixes = (chosen >> j) & 1 or (j == evidence.seat and evidence.sixes)
            ghost.hand[j] = np.int64(ghost.held[j]) << (4 * 6) if sixes else 0


@compiled
def fits(course, rules, ghost, event):
    """Whether the event is what the rules allow with the hands that the ghost holds now."""
    kind = kind_of(event)
    survey_turn(course, rules, ghost)
    if kind == MOVE_PLAY:
        return ghost.phase == PLAY and verdict_on_play(course, ghost, (event >> 8) & 255, event & 255) == ALLOWED
    if kind == MOVE_MISS:
        return ghost.phase == MISS and ghost.exchanges == (event >> EXCHANGED) & 1
    return (ghost.phase == CRASH) == (kind == MOVE_CRASH)


@compiled
def fitting(course, rules, ghost, i, event):
    """The sets of values with which a driver's turn could have gone as it did, sixes alone left out.

    Only the tribute (TRI-3) makes the use of a card depend on the others: where it is not owed, one look is enough.
    """
    kind, card = kind_of(event), (event >> 8) & 255
    hold(ghost, i, ALL_VALUES)
    if kind == MOVE_PLAY and card != 6 and not duty(course, rules, ghost, i, False):
        return WITH[card]
    survey_turn(course, rules, ghost)
    sets = NONE
    if ghost.duty:
        for values in range(1, VALUE_SETS):
            hold(ghost, i, values)
            if fits(course, rules, ghost, event):
                sets |= ONE << np.uint64(values)
    elif kind == MOVE_MISS:
        find_miss(rules, ghost, i)
        sets = ANY if ghost.exchanges == (event >> EXCHANGED) & 1 else NONE
        for value in range(1, CARDS):
            if ghost.options[value] != NONE or goes_home(ghost, value):
                sets &= ~WITH[value]
    elif kind == MOVE_PLAY:
        sets = WITH[card] if verdict_on_play(course, ghost, card, event & 255) == ALLOWED else NONE
    elif kind == MOVE_WITHDRAW:
        sets = ANY
    return sets & ~ONLY_SIXES


@compiled
def learn(course, rules, evidence, i, event):
    """What a driver's turn tells of his hand, and of other leaders' where SIX-5 made it depend on them."""
    ghost = evidence.ghost
    kind, card = kind_of(event), (event >> 8) & 255
    barred = kind == MOVE_MISS and ((event >> REASON) & 3) - 1 == BARRED
    evidence.sixes = evidence.sixes and i != evidence.seat
    if not evidence.hidden[i] and not barred and not (kind == MOVE_PLAY and card == 6):
        return
    held = ghost.held[i]
    sets = NONE if barred else fitting(course, rules, ghost, i, event)
    ghost.held[i] = held
    if kind != MOVE_PLAY or card == 6:
        sets |= learn_of_sixes(course, rules, evidence, i, event, sets)
    ghost.phase = PLAY
    if i == evidence.seat:
        evidence.sixes = barred and (event >> EXCHANGED) & 1 == 0
    if sets != (WITH[card] if kind == MOVE_PLAY else ANY):
        observe(evidence, i, sets, ANY_HAND)


@compiled
def learn_of_sixes(course, rules, evidence, i, event, sets):
    """Whether it could have gone so with sixes alone, beside the sets that fit; what that tells of other leaders."""
    ghost = evidence.ghost
    hold_sixes(evidence, 1 << i)
    alone = fits(course, rules, ghost, event)
    tied = alone
    ahead = leaders(ghost)
    if (ahead >> i) & 1 and ahead & (ahead - 1):
        hold_sixes(evidence, ahead)
        tied = fits(course, rules, ghost, event)
    if alone and tied:
        return ONLY_SIXES
    if tied and sets == NONE:
        all_held_sixes(evidence, i, ahead)
        return ONLY_SIXES
    return ONLY_SIXES if alone and not_all_held_sixes(evidence, i, ahead, sets) else NONE


@compiled
def look_at_question(course, rules, known, evidence):
    """SIX-5: what a seat with nothing but sixes may do now tells it of its equals."""
    i = evidence.seat
    if known.phase >= OVER or not only_sixes(known, i):
        return
    ghost = evidence.ghost
    hold_sixes(evidence, 1 << i)
    survey_turn(course, rules, ghost)
    alone = ghost.six_barred
    ahead = leaders(ghost)
    hold_sixes(evidence, ahead | (1 << i))
    survey_turn(course, rules, ghost)
    if alone and not ghost.six_barred:
        if known.six_barred:
            not_all_held_sixes(evidence, i, ahead, NONE)
        else:
            all_held_sixes(evidence, i, ahead)


@compiled
def all_held_sixes(evidence, i, ahead):
    """All leaders but i held nothing but sixes."""
    for j in range(evidence.ghost.chariots):
        if (ahead >> j) & 1 and j != i:
            observe(evidence, j, ONLY_SIXES, ANY_HAND)


@compiled
def not_all_held_sixes(evidence, i, ahead, sets):
    """Not all leaders held nothing but sixes: whether chariot i may have, whom `sets` would explain as well.

    Who of them did not is settled here once for all worlds, the likeliest way.
    """
    together, least, who = 1.0, 1.0, -1
    for j in range(evidence.ghost.chariots):
        if (ahead >> j) & 1 and j != i:
            chance = chance_of_sixes(evidence, j)
            together *= chance
            if chance < least:
                least, who = chance, j
    if together == 0:
        return True
    mine = chance_of_sixes(evidence, i)
    if who < 0 or (sets != NONE and mine * (1 - together) < together * (1 - mine)):
        return False
    observe(evidence, who, ANY & ~ONLY_SIXES, ANY_HAND)
    return True


@compiled
def chance_of_sixes(evidence, j):
    """How likely it is that a chariot holds nothing but sixes."""
    if evidence.ghost.riderless[j]:
        return 1.0 if nothing_but_sixes(evidence.ghost, j) else 0.0
    if not evidence.hidden[j]:
        return 1.0 if evidence.sixes else 0.0
    total, sixes = 0.0, 0.0
    for k in range(evidence.guesses[j]):
        hand, rest, chance = evidence.hand[j, k], evidence.rest[j, k], evidence.weight[j, k]
        total += chance
        if hand & KNOWN_CARDS & ~(15 << (4 * 6)):
            continue
        for pile in range(PILES):
            left = unaccounted(evidence, j, hand, rest, pile)
            for n in range(fresh(hand, pile)):
                chance *= max(0, ((left >> (4 * 6)) & 15) - n) / (size(left) - n)
        sixes += chance
    return sixes / total if total > 0 else 0.0


# ---------------------------------------------------------------------- guesses


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
            rest = sorted_by(cards, SORTINGS[n], evidence.ghost.pile[i])
            if rest >= 0:
                guess(evidence, 0, rest, 1.0)
    believe(evidence, i, 0)


@compiled
def sorted_by(cards, sorting, sizes):
    """The cards on each pile, as in the rest of a guess, if they are sorted by these values; -1 if they cannot be."""
    shared = (sorting[0] & sorting[1]) | (sorting[0] & sorting[2]) | (sorting[1] & sorting[2])
    rest = 0
    for pile in range(PILES):
        room = np.int64(sizes[pile])
        for value in range(1, CARDS):
            here = (cards >> (4 * value)) & 15
            if (sorting[0] | sorting[1] | sorting[2]) >> value & 1 != (here > 0):
                return -1
            if (sorting[pile] & ~shared) >> value & 1:
                rest += here << (PILE_BITS * pile + 3 * (value - 1))
                room -= here
        for value in range(1, CARDS):
            if (sorting[pile] & shared) >> value & 1:
                if not 0 < room < (cards >> (4 * value)) & 15:
                    return -1
                rest += room << (PILE_BITS * pile + 3 * (value - 1))
                room = 0
        if room != 0:
            return -1
    return rest


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
    """Leave half of the new guesses, each with a chance by its weight: none becomes likelier on the whole."""
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
        fits_in = values_in(hand) == 0 or (sets >> np.uint64(values_in(hand))) & ONE != NONE
        if fits_in and cards in (ANY_HAND, hand):
            guess(evidence, hand, evidence.rest[i, k], evidence.weight[i, k])
    believe(evidence, i, 0)


@compiled
def values_in(hand):
    """The set of values in a hand."""
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


# ---------------------------------------------------------------------- cards that come and go


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
def value_of(rest):
    """The first card of those under a deck, as it counts in the hand of a guess."""
    return 1 << (4 * (rest & 7)) if rest & 7 else 1 << FRESH


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
        if drawn > 0 and j == evidence.seat:
            evidence.sixes = 0
        for k in range(evidence.guesses[j] if drawn > 0 else 0):
            evidence.hand[j, k] += (drawn - from_under) << FRESH
            for _ in range(from_under):
                evidence.hand[j, k] += value_of(evidence.rest[j, k])
                evidence.rest[j, k] >>= 3


# ---------------------------------------------------------------------- a world


@compiled
def mix(world, i, first, count, state):
    """Shuffle so many cards of a deck from the first one on."""
    for k in range(count - 1, 0, -1):
        state += STRIDE
        other = below(state, k + 1)
        card = world.deck[i, first + k]
        world.deck[i, first + k] = world.deck[i, first + other]
        world.deck[i, first + other] = card
    return state


@compiled
def lay_out(world, i, first, cards):
    """Lay cards, how many of each value, into a deck from a place on; returns how many."""
    n = 0
    for value in range(1, CARDS):
        for _ in range((cards >> (4 * value)) & 15):
            world.deck[i, first + n] = value
            n += 1
    return n


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
    count = lay_out(world, i, 0, unaccounted(evidence, i, hand, rest, 0))
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
        state = mix(world, i, 0, total + (0 if i == evidence.seat else np.int64(world.held[i])), state)
        if i != evidence.seat:
            take_up(world, i, total, np.int64(world.held[i]))
    else:
        state += STRIDE
        k = pick(evidence, i, state)
        hand, rest = evidence.hand[i, k], evidence.rest[i, k]
        world.hand[i] = hand & KNOWN_CARDS
        for pile in range(PILES):
            first = np.int64(world.pile_top[i, pile])
            count = lay_out(world, i, first, unaccounted(evidence, i, hand, rest, pile))
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
            split = 1 + below(state, MOST_SPLIT)
            state += STRIDE
            sorting = number_of(cards, SORTINGS[below(state, len(SORTINGS))], split)
        sort_piles(world, i, cards, sorting)
    return state


@compiled
def number_of(cards, sorting, split):
    """The number of a sorting by these values (`piles`), so many of a value on two piles on the first; -1: none."""
    shared = (sorting[0] & sorting[1]) | (sorting[0] & sorting[2]) | (sorting[1] & sorting[2])
    if split > 1 and shared == 0:
        return -1
    number = 0
    for value in range(1, CARDS):
        here = (cards >> (4 * value)) & 15
        if (sorting[0] | sorting[1] | sorting[2]) >> value & 1 != (here > 0):
            return -1
        first = here if sorting[0] >> value & 1 else 0
        second = here if sorting[1] >> value & 1 else 0
        if shared >> value & 1:
            if split >= here:
                return -1
            second = 0 if second == 0 else here - split if first > 0 else split
            first = min(first, split)
        number |= (first | (second << 3)) << (6 * (value - 1))
    return number


# ---------------------------------------------------------------------- for Python: arrays


def new_evidence() -> Records:
    """Room for what a seat has seen; it can be used again and again."""
    return records(1, EVIDENCE)


@compiled
def gather_all(courses, rules, known, events, evidence):
    """`gather`, for arrays of one."""
    gather(courses[0], rules[0], known[0], events, events.size, evidence[0])


@compiled
def imagine_one(courses, rules, known, evidence, worlds, state):
    """`imagine`, for arrays of one."""
    return imagine(courses[0], rules[0], known[0], evidence[0], worlds, state)
