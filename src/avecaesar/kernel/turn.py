"""A turn: what is asked of the chariot on turn, which moves are allowed, why others are not, what they do.

`survey` works out all that may be done and writes it into the race; `legal_moves` lists it, `verdict` gives
the reason for or against any move, `apply` does a legal one and surveys the next turn.
"""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cards import count, draw_up, exchange, only_sixes, playable, take_from_hand
from avecaesar.kernel.ending import next_turn
from avecaesar.kernel.jit import compiled, inlined
from avecaesar.kernel.movement import (
    NONE,
    ONE,
    advance,
    beyond_line,
    bit,
    nearest,
    others,
    put,
    space_ahead,
    take_off,
)
from avecaesar.kernel.options import DRAW_AT_ONCE, MISSED_EXCHANGE_IF_BLOCKED, MISSED_KEEP
from avecaesar.kernel.records import (
    ALLOWED,
    AT_HOME,
    BARRED,
    BLOCKED,
    CARDS,
    CRASH,
    CRASHED,
    DECK_SIZE,
    HOME,
    MISS,
    MOVE_CRASH,
    MOVE_MISS,
    MOVE_PLAY,
    MOVE_WITHDRAW,
    OUT_OF_CARDS,
    OVER,
    PLAY,
    RACING,
    REFUSED_BEYOND_FINISH,
    REFUSED_BLOCKED,
    REFUSED_MUST_CRASH,
    REFUSED_MUST_EXCHANGE,
    REFUSED_MUST_PLAY,
    REFUSED_NO_CRASH,
    REFUSED_NO_EXCHANGE,
    REFUSED_NO_SUCH_MOVE,
    REFUSED_NO_WITHDRAWAL,
    REFUSED_NOT_EXACT,
    REFUSED_NOT_HOME_YET,
    REFUSED_NOT_IN_HAND,
    REFUSED_OCCUPIED,
    REFUSED_OVER,
    REFUSED_SIX,
    REFUSED_TRIBUTE,
    REFUSED_WALL,
    WAITING,
    WITHDRAWN,
)
from avecaesar.kernel.six import barred, under_ban
from avecaesar.kernel.tribute import disqualify, duty, pay

LAST_LAP = 3


@compiled
def encode(kind, card, to):
    """A move as one number: for a play card and destination, for a miss the card exchanged or 0."""
    return (kind << 16) | (card << 8) | to


# ---------------------------------------------------------------------- what is asked


@inlined
def survey(course, rules, race):
    """Work out what the chariot on turn may do."""
    i = race.turn
    race.six_barred = barred(course, rules, race, i)
    race.duty = duty(course, rules, race, i, race.six_barred)
    if rules.crash and only_sixes(race, i) and under_ban(rules, race, i):  # CRA-1
        race.phase = CRASH
    elif find_options(course, race, i):
        race.phase = PLAY
    else:
        race.phase = MISS
        find_miss(rules, race, i)


@inlined
def find_options(course, race, i):
    """MOV-2, MOV-3, MOV-5: for each card in hand where it can take the chariot; False if nowhere.

    Written without branches: which card is held and what stands where cannot be predicted.
    """
    here = np.int64(race.space[i])
    cards = playable(race, i, race.six_barred)
    free = ~others(course, race, i)
    allowed = ~course.past[here] if race.duty else ~NONE  # TRI-3
    finish = beyond_line(course, here) if race.crossings[i] == LAST_LAP else NONE
    homeward = 0
    somewhere = NONE
    crossed = NONE
    window = course.reach[here, 1]
    for card in range(1, CARDS):
        crossed |= window & finish  # what stands beyond the line no longer counts
        window &= free & ~finish
        held = (cards >> (4 * card)) & 1
        options = window & allowed if held else NONE
        race.options[card] = options
        somewhere |= options
        homeward |= (held & (crossed != NONE)) << card
        window = advance(course, here, window)
    race.homeward = homeward
    return (somewhere != NONE) | (homeward != 0)


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
    if race.phase == OVER:
        return 0
    if race.phase == CRASH:
        moves[0] = encode(MOVE_CRASH, 0, 0)
        return 1
    n = list_plays(course, race, moves) if race.phase == PLAY else list_misses(race, moves)
    if race.disqualified[race.turn]:  # TRI-4
        moves[n] = encode(MOVE_WITHDRAW, 0, 0)
        n += 1
    return n


@compiled
def list_plays(course, race, moves):
    """Each card with each space it reaches, and home."""
    i = race.turn
    n = 0
    for card in range(1, CARDS):
        window = race.options[card]
        while window != NONE:
            there = space_ahead(course, np.int64(race.space[i]), nearest(window))
            window &= window - ONE
            moves[n] = encode(MOVE_PLAY, card, there)
            n += 1
        if goes_home(race, card):
            moves[n] = encode(MOVE_PLAY, card, HOME)
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


@compiled
def goes_home(race, card):
    """Whether this card may take the chariot on turn home: 1 or 0."""
    return (np.int64(race.homeward) >> card) & 1


# ---------------------------------------------------------------------- why not


@compiled
def verdict(course, race, move):
    """ALLOWED, or the reason why the chariot on turn may not do this."""
    kind, card, to = move >> 16, (move >> 8) & 255, move & 255
    if race.phase == OVER:
        return REFUSED_OVER
    if kind < MOVE_PLAY or kind > MOVE_CRASH or card >= CARDS:
        return REFUSED_NO_SUCH_MOVE
    if (kind > MOVE_PLAY and to != 0) or (kind > MOVE_MISS and card != 0):
        return REFUSED_NO_SUCH_MOVE
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
    if (race.options[card] & there) != NONE:
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
    kind, card, to = move >> 16, (move >> 8) & 255, move & 255
    i = race.turn
    race.turns += 1
    if kind == MOVE_MISS:
        race.idle += 1
        race.kept += 1
        if card > 0:
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
    if next_turn(course, rules, race):
        survey(course, rules, race)


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
    pay(course, race, i)
    disqualify(course, rules, race, i)
    if rules.draw == DRAW_AT_ONCE:
        draw_up(race, i, rules.hand)
    if race.held[i] == 0 and race.undrawn[i] == 0:
        take_off(race, i, OUT_OF_CARDS)  # MOV-6


@compiled
def begin(course, rules, race, chariots):
    """Set up a race (SET-1, SET-3). The decks are in `race.deck` already: the deal comes from outside."""
    race.chariots = chariots
    race.racing = chariots
    race.contenders = chariots
    race.home = 0
    race.turns = 0
    race.turn = 0
    race.ban_lifted = 0
    race.idle = 0
    race.kept = 0
    race.ending = 0
    for i in range(chariots):
        race.space[i] = course.grid[i]
        race.crossings[i] = 0
        race.remaining[i] = course.remaining[0, course.grid[i]]
        race.status[i] = RACING
        race.coin[i] = 1
        race.disqualified[i] = 0
        race.arrival[i] = 0
        race.left[i] = 0
        race.hand[i] = 0
        race.held[i] = 0
        race.top[i] = 0
        race.undrawn[i] = DECK_SIZE
        race.known[i] = 0
        race.order[i] = 0
        race.place[i] = 0
        race.laurels[i] = 0
        draw_up(race, i, rules.hand)
    survey(course, rules, race)
