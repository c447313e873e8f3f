"""What a driver would want to know before he plays: who stands in his way, and what may cost him the race."""

from __future__ import annotations

from typing import Literal

from avecaesar.courses.course import CROSSINGS_HOME
from avecaesar.game import Play, View
from avecaesar.game.numbers import ChariotNumber
from avecaesar.game.what_if import on_empty_course, walk
from avecaesar.kernel.layout import REFUSED_BLOCKED, REFUSED_SIX
from avecaesar.telling.sight_lines import blockade, stuck_behind

LAST_LAP = CROSSINGS_HOME - 1  # crossings of the line: the next one is the finish
SIX = 6
Risk = Literal["none", "last", "stranded", "disqualified"]  # last: then there is nothing to spare any more


def spare_after(play: Play, view: View) -> int | None:
    """Points to spare after a play; None where they cannot be told, or no longer matter."""
    outlook, chariot = view.outlooks.get(play), view.chariot
    if outlook is None or chariot is None or outlook.disqualifies or play.to == "home":
        return None
    if view.me.emperor or view.me.disqualified:
        return None  # what the emperor keeps may still come back
    to_go = outlook.remaining + (view.course.alley_extra if outlook.owes else 0)
    return view.me.points_left - play.card - to_go


def risk_of(play: Play, view: View) -> Risk:
    """What a play puts at risk that was not lost before."""
    if play in view.outlooks and view.outlooks[play].disqualifies:
        return "disqualified"
    after = spare_after(play, view)
    if after is None or view.chariot is None or view.to_spare(view.chariot) < 0:
        return "none"
    if after < 0:
        return "stranded"
    return "last" if after == 0 < view.to_spare(view.chariot) else "none"


def blockers_of(view: View, play: Play) -> tuple[ChariotNumber, ...]:
    """The chariots that keep a card from a space that it would reach on an empty course; none if it would not."""
    here = view.me.space
    if here is None or play.to not in on_empty_course(view.course, here, play.card):
        return ()
    there = tuple(i for i in view.grid if view.chariots[i].space == play.to)
    return there or in_the_way(view, play.card)


def in_the_way(view: View, card: int) -> tuple[ChariotNumber, ...]:
    """The chariots that a card of the driver's meets before it is moved in full, on all its ways, in grid order."""
    assert view.chariot is not None
    return walk(view, view.chariot)[card - 1].met


def culprits(view: View) -> tuple[ChariotNumber, ...]:
    """Who stands in the way of a driver who can play no card because of them."""
    if view.chariot is None or not view.refusals or view.plays:
        return ()
    blocked = any(why.verdict == REFUSED_BLOCKED for why in view.refusals.values())
    return blockade(view, view.chariot)[1] if blocked else stuck_behind(view, view.chariot)


def exempt(view: View) -> bool:
    """Whether a driver may play a 6 now although he leads (SIX-4, SIX-5)."""
    return view.chariot in view.under_ban and any(play.card == SIX for play in view.plays)


def sixes_needed(view: View) -> int:
    """How many sixes a leader must play to get home, who holds one and may not play it: none before the last lap.

    All cards that he has left are counted, in hand and deck (SIX-1). Where the emperor keeps cards they may suffice.
    """
    me = view.me
    near = me.crossings == LAST_LAP or not me.deck_size
    barred = SIX in view.refusals and view.refusals[SIX].verdict == REFUSED_SIX
    if not barred or not near or me.emperor or me.disqualified or view.chariot is None:
        return 0
    missing = view.to_go(view.chariot) - (me.points_left - SIX * me.unseen[SIX - 1])
    needed = max(0, -(-missing // SIX))
    return needed if needed <= me.unseen[SIX - 1] else 0
