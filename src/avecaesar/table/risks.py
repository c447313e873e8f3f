"""What a driver would want to know before he plays a card: who stands in its way, and whether it costs him the race."""

from __future__ import annotations

from typing import Literal

from avecaesar.game import Play, View

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
    standing = {chariot.space: i for i, chariot in enumerate(view.chariots) if chariot.space is not None}
    assert view.me.space is not None
    met: set[int] = set()
    reached = {view.me.space}
    for _ in range(card):
        ahead = {step.to for at in reached for step in view.course.spaces[at].steps}
        met |= {standing[at] for at in ahead if at in standing}
        reached = {at for at in ahead if at not in standing}
    return tuple(sorted(met))
