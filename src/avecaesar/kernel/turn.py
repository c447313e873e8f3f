"""A turn: what is asked of the chariot on turn, which moves are allowed, why others are not, what they do.

`survey` works out all that may be done and writes it into the race; `legal_moves` lists it, `verdict` gives
the reason for or against any move, `apply` does a legal one and surveys the next turn.
"""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cards import count, draw_up, exchange, only_sixes, take_from_hand
from avecaesar.kernel.ending import next_turn
from avecaesar.kernel.jit import compiled, inlined
from avecaesar.kernel.layout import (
    ALLOWED,
    AT_HOME,
    BARRED,
    BLOCKED,
    CARDS,
    CRASH,
    CRASHED,
    DECK,
    DECK_SIZE,
    DRAW,
    HOME,
    LAY,
    MISS,
    MOVE_CRASH,
    MOVE_DECK,
    MOVE_DRAW,
    MOVE_LAY,
    MOVE_MISS,
    MOVE_PLAY,
    MOVE_SORT,
    MOVE_VOTE,
    MOVE_WITHDRAW,
    OUT_OF_CARDS,
    OVER,
    PLAY,
    RACING,
    REFUSED_BEYOND_FINISH,
    REFUSED_BLOCKED,
    REFUSED_CHOOSE_DECK,
    REFUSED_EMPTY_PILE,
    REFUSED_MUST_CRASH,
    REFUSED_MUST_EXCHANGE,
    REFUSED_MUST_PLAY,
    REFUSED_NO_CRASH,
    REFUSED_NO_EXCHANGE,
    REFUSED_NO_SUCH_MOVE,
    REFUSED_NO_SUCH_VOTE,
    REFUSED_NO_WITHDRAWAL,
    REFUSED_NOT_EXACT,
    REFUSED_NOT_HOME_YET,
    REFUSED_NOT_IN_HAND,
    REFUSED_NOT_NOW,
    REFUSED_OCCUPIED,
    REFUSED_OVER,
    REFUSED_RIDERLESS,
    REFUSED_SIX,
    REFUSED_TRIBUTE,
    REFUSED_WALL,
    SORT,
    VOTE,
    WAITING,
    WITHDRAWN,
)
from avecaesar.kernel.move_codes import SORTING, encode, kind_of
from avecaesar.kernel.movement import NONE, ONE, beyond_line, bit, nearest, others, put, space_ahead, take_off
from avecaesar.kernel.option_codes import (
    DECKS_BY_CHOICE,
    DRAW_AT_ONCE,
    DRAW_FROM_PILES,
    MISSED_EXCHANGE_IF_BLOCKED,
    MISSED_KEEP,
)
from avecaesar.kernel.piles import (
    CODES,
    PACKED,
    after_play,
    draw_from,
    in_pile,
    lay_on,
    put_aside,
    sort_piles,
    sorting_of,
    to_sort,
    verdict_on_sorting,
    wants_card,
)
from avecaesar.kernel.reach import LAST_LAP, find_destinations, goes_home
from avecaesar.kernel.riderless import cast_vote, first_place, open_card, put_away, survey_riderless
from avecaesar.kernel.six import barred, under_ban
from avecaesar.kernel.tribute import disqualify, duty, has_coin, pay
from avecaesar.rules import PILES

SLOW = 1  # among the decks: the ordinary one


# ---------------------------------------------------------------------- what is asked


@inlined
def survey(course, rules, race):
    """Work out what the chariot on turn may do."""
    i = race.turn
    if race.riderless[i]:
        survey_riderless(course, rules, race, i)
    else:
        race.six_barred = barred(course, rules, race, i)
        race.duty = duty(course, rules, race, i, race.six_barred)
        if rules.crash and only_sixes(race, i) and under_ban(rules, race, i):  # CRA-1
            race.phase = CRASH
        elif find_destinations(course, race, i):
            race.phase = PLAY
        else:
            race.phase = MISS
            find_miss(rules, race, i)


@compiled
def survey_turn(course, rules, race):
    """`survey`, out of the way of those who go there seldom."""
    survey(course, rules, race)


@compiled
def find_miss(rules, race, i):
    """MOV-4: why the turn is missed, and whether a card is exchanged."""
    if race.six_barred and only_sixes(race, i):
        race.miss = BARRED
    elif race.duty:
        race.miss = WAITING
    else:
        race.miss = BLOCKED
    kept = rules.missed_turn == MISSED_KEEP or (rules.missed_turn == MISSED_EXCHANGE_IF_BLOCKED and race.miss == BARRED)
    race.exchanges = not kept and race.undrawn[i] > 0


@compiled
def legal_moves(course, race, moves):
    """Write the legal moves into `moves`; returns how many there are. Never none while the race is on."""
    if race.phase >= OVER:
        return list_others(course, race, moves)
    if race.phase == CRASH:
        moves[0] = encode(MOVE_CRASH, 0, 0)
        return 1
    n = list_plays(course, race, race.turn, MOVE_PLAY, moves) if race.phase == PLAY else list_misses(race, moves)
    if race.disqualified[race.turn] and race.riderless[race.turn] == 0:  # TRI-4
        moves[n] = encode(MOVE_WITHDRAW, 0, 0)
        n += 1
    return n


@compiled
def list_plays(course, race, i, kind, moves):
    """Each card with each space it reaches, and home: as plays of chariot i, or as votes on them."""
    n = 0
    for card in range(1, CARDS):
        window = race.destinations[card]
        while window != NONE:
            there = space_ahead(course, np.int64(race.space[i]), nearest(window))
            window &= window - ONE
            moves[n] = encode(kind, card, there)
            n += 1
        if goes_home(race, card):
            moves[n] = encode(kind, card, HOME)
            n += 1
    return n


@compiled
def list_others(course, race, moves):
    """What is asked that is no turn: a deck, a sorting, a pile to draw from or lay on, a vote; nothing when over."""
    n = 0
    if race.phase == DECK:
        for deck in range(1, len(PACKED) + 1):
            moves[n] = encode(MOVE_DECK, deck, 0)
            n += 1
    elif race.phase == SORT:
        cards = to_sort(course, race, race.turn)
        for code in range(CODES):
            sorting = sorting_of(cards, code)
            if sorting >= 0:
                moves[n] = encode(MOVE_SORT, 0, 0) | (sorting << SORTING)
                n += 1
    elif race.phase == DRAW or race.phase == LAY:
        for pile in range(PILES):
            if race.phase == LAY or in_pile(race, race.turn, pile) > 0:
                moves[n] = encode(MOVE_LAY if race.phase == LAY else MOVE_DRAW, 0, pile)
                n += 1
    elif race.phase == VOTE:
        n = list_plays(course, race, race.voted_on, MOVE_VOTE, moves)
        moves[n] = encode(MOVE_VOTE, 0, 0)
        n += 1
    return n


@compiled
def list_misses(race, moves):
    """MOV-4: one miss for each card that may be exchanged, or one without exchange."""
    if not race.exchanges:
        moves[0] = encode(MOVE_MISS, 0, 0)
        return 1
    n = 0
    for card in range(1, CARDS):
        if count(race, race.turn, card) > 0:
            moves[n] = encode(MOVE_MISS, card, 0)
            n += 1
    return n


# ---------------------------------------------------------------------- why not


@compiled
def verdict(course, race, move):
    """ALLOWED, or the reason why the chariot on turn may not do this."""
    kind, card, to, sorting = kind_of(move), (move >> 8) & 255, move & 255, move >> SORTING
    if race.phase == OVER:
        return REFUSED_OVER
    if kind > MOVE_VOTE or card >= CARDS or (sorting != 0 and kind != MOVE_SORT):
        return REFUSED_NO_SUCH_MOVE
    if race.phase > OVER or kind > MOVE_CRASH:
        return verdict_on_other(course, race, kind, card, to, sorting)
    if (kind > MOVE_PLAY and to != 0) or (kind > MOVE_MISS and card != 0):
        return REFUSED_NO_SUCH_MOVE
    if race.riderless[race.turn]:
        return verdict_on_riderless(course, race, kind, card, to)
    if kind == MOVE_CRASH:
        return ALLOWED if race.phase == CRASH else REFUSED_NO_CRASH
    if race.phase == CRASH:
        return REFUSED_MUST_CRASH
    if kind == MOVE_WITHDRAW:
        return ALLOWED if race.disqualified[race.turn] else REFUSED_NO_WITHDRAWAL
    if kind == MOVE_MISS:
        return verdict_on_miss(race, card)
    return verdict_on_play(course, race, card, to)


@compiled
def verdict_on_other(course, race, kind, card, to, sorting):
    """Whether this answers what is asked, where it is no turn."""
    i = race.turn
    if race.phase <= OVER:
        return REFUSED_NOT_NOW
    if kind != MOVE_DECK + (race.phase - DECK):
        return REFUSED_CHOOSE_DECK + (race.phase - DECK)
    if kind == MOVE_DECK:
        return ALLOWED if 1 <= card <= len(PACKED) and to == 0 else REFUSED_NO_SUCH_MOVE
    if kind == MOVE_SORT:
        if card != 0 or to != 0:
            return REFUSED_NO_SUCH_MOVE
        return verdict_on_sorting(to_sort(course, race, i), sorting)
    if kind == MOVE_VOTE:
        return verdict_on_vote(course, race, card, to)
    if card != 0 or to >= PILES:
        return REFUSED_NO_SUCH_MOVE
    return ALLOWED if kind == MOVE_LAY or in_pile(race, i, to) > 0 else REFUSED_EMPTY_PILE


@compiled
def verdict_on_vote(course, race, card, to):
    """NPC-3: a vote is for something that the riderless chariot can do, or for nothing."""
    if card == 0:
        return ALLOWED if to == 0 else REFUSED_NO_SUCH_MOVE
    if to == HOME:
        return ALLOWED if goes_home(race, card) else REFUSED_NO_SUCH_VOTE
    there = bit(course, np.int64(race.space[race.voted_on]), to)
    return ALLOWED if to < course.spaces and race.destinations[card] & there != NONE else REFUSED_NO_SUCH_VOTE


@compiled
def verdict_on_riderless(course, race, kind, card, to):
    """NPC-3: a riderless chariot does the one thing that rule or vote leave it."""
    i = race.turn
    if race.phase == PLAY and kind == MOVE_PLAY:
        there = (
            HOME if race.homeward else space_ahead(course, np.int64(race.space[i]), nearest(race.destinations[card]))
        )
        return ALLOWED if card == open_card(race, i) and to == there else REFUSED_RIDERLESS
    if race.phase == MISS and kind == MOVE_MISS:
        return ALLOWED if card == (open_card(race, i) if race.exchanges else 0) else REFUSED_RIDERLESS
    return REFUSED_RIDERLESS


@compiled
def verdict_on_miss(race, card):
    """MOV-3, MOV-4: whether the turn may be missed, with this card exchanged."""
    if race.phase == PLAY:
        return REFUSED_MUST_PLAY
    if not race.exchanges:
        return ALLOWED if card == 0 else REFUSED_NO_EXCHANGE
    if card == 0:
        return REFUSED_MUST_EXCHANGE
    return ALLOWED if count(race, race.turn, card) > 0 else REFUSED_NOT_IN_HAND


@compiled
def verdict_on_play(course, race, card, to):
    """Whether the card can be played to that space; the reason a driver would name first."""
    i = race.turn
    here = np.int64(race.space[i])
    if card == 0 or (to != HOME and to >= course.spaces):
        return REFUSED_NO_SUCH_MOVE
    if count(race, i, card) == 0:
        return REFUSED_NOT_IN_HAND
    if card == 6 and race.six_barred:
        return REFUSED_SIX
    if to == HOME:
        return verdict_on_home(course, race, i, card)
    there = bit(course, here, to)
    if (race.destinations[card] & there) != NONE:
        return ALLOWED
    if race.crossings[i] == LAST_LAP and to < here:
        return REFUSED_BEYOND_FINISH
    if (course.reach[here, card] & there) == NONE:
        through_walls = (course.reach_through_walls[here, card] & there) != NONE
        return REFUSED_WALL if through_walls else REFUSED_NOT_EXACT
    if (others(course, race, i) & there) != NONE:
        return REFUSED_OCCUPIED
    if race.duty and (course.past[here] & there) != NONE:
        return REFUSED_TRIBUTE
    return REFUSED_BLOCKED


@compiled
def verdict_on_home(course, race, i, card):
    """MOV-5: whether the card takes the chariot home."""
    here = np.int64(race.space[i])
    if race.crossings[i] != LAST_LAP:
        return REFUSED_NOT_HOME_YET
    if goes_home(race, card):
        return ALLOWED
    finish = beyond_line(course, here)
    for steps in range(1, card + 1):
        if (course.reach[here, steps] & finish) != NONE:
            return REFUSED_BLOCKED
    return REFUSED_NOT_EXACT


# ---------------------------------------------------------------------- doing it


@inlined
def apply(course, rules, race, move):
    """Do a legal move and everything that follows from it; then survey the next turn."""
    kind, card, to = kind_of(move), (move >> 8) & 255, move & 255
    i = race.turn
    race.decisions += 1
    if kind > MOVE_CRASH:
        decide(course, rules, race, kind, card, to, move >> SORTING)
        return
    take_turn(course, rules, race, i, kind, card, to)
    if race.phase <= OVER and next_turn(course, rules, race):
        survey(course, rules, race)


@inlined
def take_turn(course, rules, race, i, kind, card, to):
    """A turn of chariot i and what follows for it, END-4's counts among them; whose turn is next is not asked yet."""
    race.turns += 1
    if kind == MOVE_MISS:
        race.idle += 1
        race.kept += 1
        if race.riderless[i]:
            miss_riderless(race, i)
        elif card > 0:
            exchange(race, i, card)
            race.kept = 0
    else:
        race.idle = 0
        race.kept = 0
        if kind == MOVE_PLAY:
            play_card(course, rules, race, i, card, to)
        elif kind == MOVE_WITHDRAW:
            take_off(race, i, WITHDRAWN)
        else:
            take_off(race, i, CRASHED)


@compiled
def apply_once(course, rules, race, move):
    """`apply`, likewise out of the way."""
    apply(course, rules, race, move)


@inlined
def play_card(course, rules, race, i, card, to):
    """TURN-1: the card is laid, the chariot moves, pays, is home or disqualified, draws, or is out."""
    take_from_hand(race, i, card)
    race.ban_lifted = 0
    if to == HOME:
        race.crossings[i] += 1
        race.home += 1
        race.arrival[i] = race.home
        race.remaining[i] = 0
        take_off(race, i, AT_HOME)  # END-1
        return
    put(course, race, i, to)
    paid = pay(course, race, i)
    disqualify(course, rules, race, i)
    if rules.draw == DRAW_AT_ONCE:
        if race.riderless[i] == 0:
            draw_up(race, i, rules.hand)
    elif rules.draw == DRAW_FROM_PILES:
        race.phase = after_play(course, rules, race, i, paid)
    if race.held[i] == 0 and race.undrawn[i] == 0:
        take_off(race, i, OUT_OF_CARDS)  # MOV-6


@compiled
def miss_riderless(race, i):
    """NPC-1, NPC-2: a card that could not be used is thrown away or goes under the deck; it may have been the last."""
    if put_away(race, i):
        race.kept = 0  # OWN-10
    if race.held[i] == 0 and race.undrawn[i] == 0:
        take_off(race, i, OUT_OF_CARDS)


@compiled
def decide(course, rules, race, kind, card, to, sorting):
    """Do what was decided where no turn was asked for, and go on to the next question."""
    i = race.turn
    if kind == MOVE_VOTE:
        cast_vote(course, rules, race, card, to)
        return
    if kind == MOVE_DECK:
        race.choice[i] = card
    elif kind == MOVE_SORT:
        sort_piles(race, i, to_sort(course, race, i), sorting)
    elif kind == MOVE_DRAW:
        draw_from(race, i, to)
        if wants_card(rules, race, i):
            return
    else:
        lay_on(race, i, to)
    if race.turns == 0:
        prepare(course, rules, race)
    elif next_turn(course, rules, race):
        survey_turn(course, rules, race)


@compiled
def prepare(course, rules, race):
    """AUS-1: before the race everybody chooses, then everybody sorts, then everybody draws his first hand."""
    if race.turn + 1 < race.first + race.drivers:
        race.turn += 1
        return
    race.turn = race.first
    if race.phase == DECK:
        put_aside(rules, race)
        race.phase = SORT
    elif race.phase == SORT:
        race.phase = DRAW
    else:
        race.turn = 0
        survey_turn(course, rules, race)


@compiled
def begin(course, rules, race, drivers, riderless):
    """Set up a race (SET-1, SET-3). The decks are in `race.deck` already: the deal comes from outside."""
    race.chariots = drivers + riderless
    race.drivers = drivers
    race.first = first_place(rules, riderless)
    race.racing = race.chariots
    race.contenders = drivers
    race.home = 0
    race.turns = 0
    race.decisions = 0
    race.turn = 0
    race.voted_on = 0
    race.ban_lifted = 0
    race.idle = 0
    race.kept = 0
    race.ending = 0
    for i in range(race.chariots):
        driven = race.first <= i < race.first + drivers
        race.space[i] = course.grid[i]
        race.crossings[i] = 0
        race.remaining[i] = course.remaining[0, course.grid[i]]
        race.status[i] = RACING
        race.riderless[i] = 0 if driven else rules.riderless
        race.coin[i] = has_coin(race, i)
        race.disqualified[i] = 0
        race.arrival[i] = 0
        race.left[i] = 0
        race.hand[i] = 0
        race.held[i] = 0
        race.top[i] = 0
        race.undrawn[i] = DECK_SIZE
        race.known[i] = 0
        race.vote[i] = 0
        race.choice[i] = 0
        race.emperor[i] = 0
        race.laid[i] = 0
        race.order[i] = 0
        race.place[i] = 0
        race.laurels[i] = 0
        if driven and rules.draw == DRAW_FROM_PILES:
            race.undrawn[i] = 0
            race.choice[i] = 0 if rules.decks == DECKS_BY_CHOICE else SLOW
            for pile in range(PILES):
                race.pile[i, pile] = 0
                race.pile_top[i, pile] = 0
        elif driven:
            draw_up(race, i, rules.hand)
    if rules.draw != DRAW_FROM_PILES:
        survey(course, rules, race)
        return
    race.turn = race.first
    race.phase = DECK if rules.decks == DECKS_BY_CHOICE else SORT
    if race.phase == SORT:
        put_aside(rules, race)
