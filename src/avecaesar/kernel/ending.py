"""After a turn: whose turn is next, stalls, the end of the race, and its result (END, NEXT-3)."""

from __future__ import annotations

import numpy as np

from avecaesar.kernel.cards import draw_up
from avecaesar.kernel.jit import compiled, inlined
from avecaesar.kernel.layout import (
    AT_HOME,
    CRASHED,
    CUT,
    FIRST_HOME,
    NOBODY,
    NOBODY_LEFT,
    NOT_ENDED,
    OVER,
    RACING,
    STALLED,
)
from avecaesar.kernel.movement import cuts
from avecaesar.kernel.option_codes import DRAW_END_OF_ROUND, ENDS_FIRST_HOME, EXTRA

ROUNDS_WITHOUT_PLAY = 25  # END-4
STILL_RACING = 32767  # in `left`: later than any turn (OWN-6)


@inlined
def next_turn(course, rules, race):
    """Pass the turn to the next racing chariot in grid order; False if the race is over."""
    race.ending = how_it_ended(course, rules, race)
    if race.ending != NOT_ENDED:
        finish(rules, race)
        return False
    last = np.int64(race.turn)
    if rules.draw == DRAW_END_OF_ROUND and round_is_over(race):
        for j in range(race.chariots):
            if race.status[j] == RACING and race.riderless[j] == 0:
                draw_up(race, j, rules.hand)
    following = last + 1
    while following == race.chariots or race.status[following] != RACING:
        following = 0 if following == race.chariots else following + 1
    race.turn = following
    return True


@compiled
def round_is_over(race):
    """MOV-1: the last racing chariot in grid order has had its turn."""
    for j in range(race.turn + 1, race.chariots):
        if race.status[j] == RACING:
            return False
    return True


@inlined
def how_it_ended(course, rules, race):
    """END-3, END-4, CRA-1: whether and why the race is over after this turn."""
    mover = race.status[race.turn]
    if mover == AT_HOME and rules.race_ends == ENDS_FIRST_HOME and takes_place(race, race.turn):  # OWN-7, NPC-4
        return FIRST_HOME
    if race.contenders == 0:
        return NOBODY_LEFT
    if mover == CRASHED and cuts(course, race, crashed(race)):
        return CUT
    return settle_stall(race) if race.idle > 0 else NOT_ENDED


@compiled
def settle_stall(race):
    """END-4, OWN-2: when nobody gets on, the ban on sixes is lifted; if that does not help, the race is over."""
    if race.ban_lifted:
        return STALLED if race.idle >= race.racing else NOT_ENDED
    if race.kept >= race.racing or race.idle >= ROUNDS_WITHOUT_PLAY * np.int64(race.racing):
        race.ban_lifted = 1
        race.idle = 0
    return NOT_ENDED


@compiled
def crashed(race):
    """The crashed chariots, as bits."""
    bits = 0
    for j in range(race.chariots):
        if race.status[j] == CRASHED:
            bits |= 1 << j
    return bits


# ---------------------------------------------------------------------- the result


@compiled
def finish(rules, race):
    """Close the race: the whole order of arrival, places and laurels."""
    race.phase = OVER
    for j in range(race.chariots):
        if race.status[j] == RACING:
            race.left[j] = STILL_RACING
    place = 0
    ranked = 0
    for k in range(race.chariots):
        best, first = -1, np.int64(-1)
        for j in range(race.chariots):
            counts = race.riderless[j] == 0 or takes_place(race, j)  # OWN-14
            if counts and (ranked >> j) & 1 == 0 and (first < 0 or rank(race, j) < first):
                best, first = j, rank(race, j)
        race.order[k] = best
        if best < 0:
            continue
        ranked |= 1 << best
        if takes_place(race, best):
            race.laurels[best] = rules.laurels[place] if race.riderless[best] == 0 else 0  # NPC-2
            place += 1
            race.place[best] = place
    race.turn = NOBODY


@compiled
def takes_place(race, i):
    """END-2, END-3: who gets a place: home and not disqualified; at first_home also who still races."""
    if race.disqualified[i] or race.ending == CUT or race.riderless[i] == EXTRA:
        return False
    return race.status[i] == AT_HOME or (race.ending == FIRST_HOME and race.status[i] == RACING)


@compiled
def laurels_so_far(rules, race, i):
    """What a chariot has earned once it is home or out: who still races comes after it (not with first_home)."""
    if not takes_place(race, i):
        return 0
    before = 0
    for j in range(race.chariots):
        before += takes_place(race, j) and race.arrival[j] < race.arrival[i]
    return np.int64(rules.laurels[before]) if race.riderless[i] == 0 else 0


@compiled
def rank(race, i):
    """NEXT-3 as one number, lower is better. Who moved last when the race ended is `race.turn`."""
    if takes_place(race, i):
        if race.status[i] == AT_HOME:
            return np.int64(race.arrival[i])
        after_winner = (i - np.int64(race.turn)) % np.int64(race.chariots)
        return (1 << 8) + (np.int64(race.remaining[i]) << 4) + after_winner
    if race.disqualified[i] and race.status[i] == AT_HOME:
        return (2 << 40) + np.int64(race.arrival[i])
    group = 3 if race.disqualified[i] else 1
    return (group << 40) + (np.int64(race.remaining[i]) << 24) + ((STILL_RACING - np.int64(race.left[i])) << 4) + i
