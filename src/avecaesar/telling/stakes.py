"""What a driver would want to know before he plays: who stands in his way, and what may cost him the race."""

from __future__ import annotations

from typing import Literal

from avecaesar.game import Play, View
from avecaesar.telling.sight_lines import LAST_LAP, dam, stuck_behind, walk

SIX = 6
Risk = Literal["none", "last", "stranded", "disqualified"]  # last: then there is nothing to spare any more


def spare_after(play: Play, view: View) -> int | None:
    """Points to spare after a play; None where they cannot be told, or no longer matter."""
    outlook = view.outlooks.get(play)
    me = view.me if outlook else None
    if outlook is None or me is None or me.emperor or me.disqualified or outlook.disqualifies or play.to == "home":
        return None  # what the emperor keeps may still come back
    owes = me.coin and not outlook.pays and view.rules.tribute != "optional"
    return me.points_left - play.card - outlook.remaining - (view.course.alley_extra if owes else 0)


def risk_of(play: Play, view: View) -> Risk:
    """What a play puts at risk that was not lost before."""
    if play in view.outlooks and view.outlooks[play].disqualifies:
        return "disqualified"
    after = spare_after(play, view)
    if after is None or view.seat is None or view.to_spare(view.seat) < 0:
        return "none"
    if after < 0:
        return "stranded"
    return "last" if after == 0 < view.to_spare(view.seat) else "none"


def before(view: View, play: Play) -> tuple[int, ...]:
    """The chariots that keep a card from a space that it would reach on an empty course; none if it would not."""
    reached = {view.me.space}
    for _ in range(play.card):
        reached = {step.to for at in reached if at is not None for step in view.course.spaces[at].steps}
    if play.to not in reached:
        return ()
    there = tuple(i for i, chariot in enumerate(view.chariots) if chariot.space == play.to)
    return there or in_the_way(view, play.card)


def in_the_way(view: View, card: int) -> tuple[int, ...]:
    """The chariots that a card of the seat's meets before it is moved in full, on all its ways, in grid order."""
    assert view.seat is not None
    *_, (met, _) = walk(view, view.seat, card)
    return met


def culprits(view: View) -> tuple[int, ...]:
    """Who stands in the way of a seat that can play no card because of them."""
    if view.seat is None or not view.refusals or view.plays:
        return ()
    blocked = any(why.clause == "MOV-3" for why in view.refusals.values())
    return dam(view, view.seat)[1] if blocked else stuck_behind(view, view.seat)


def exempt(view: View) -> bool:
    """Whether a seat may play a 6 now although it leads (SIX-4, SIX-5)."""
    return view.seat in view.banned and any(play.card == SIX for play in view.plays)


def sixes_needed(view: View) -> int:
    """How many sixes a leader must play to get home, who holds one and may not play it: none before the last lap.

    All cards that he has left are counted, in hand and deck (SIX-1). Where the emperor keeps cards they may suffice.
    """
    me = view.me
    near = me.crossings == LAST_LAP or not me.deck_size
    barred = view.seat in view.banned and SIX in view.hand and not exempt(view)
    if not barred or not near or me.emperor or me.disqualified or view.seat is None:
        return 0
    missing = view.to_go(view.seat) - (me.points_left - SIX * me.unseen[SIX - 1])
    needed = max(0, -(-missing // SIX))
    return needed if needed <= me.unseen[SIX - 1] else 0
