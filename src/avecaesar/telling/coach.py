"""What the coach of a lesson would do and half a sentence why, from nothing but what the pupil sees."""

from __future__ import annotations

from avecaesar.drivers import Scorpus
from avecaesar.game import Miss, Move, Play, View
from avecaesar.game.what_if import leads_after, stopping_cards
from avecaesar.speech import counted, say
from avecaesar.telling import narration
from avecaesar.telling.lanes import LANES, Lane, lane

CLOSE = 6  # steps, as far as a card reaches
SIX = 6


def advised(view: View) -> Move:
    """What a good driver would do; of lanes that are as good as each other he takes the inner one."""
    move = Scorpus(0).choose(view)
    if not isinstance(move, Play) or move.to == "home":
        return move
    same = [play for play in view.plays if play.card == move.card and _equal(play, move, view)]
    return min(same, key=lambda play: _from_inside(play, view))


def because(move: Move, view: View) -> str:
    """Why he would do that: the first reason that holds, or nothing."""
    if isinstance(move, Miss):
        return "" if move.exchange is None else say("a higher card may come for it")
    if not isinstance(move, Play):
        return ""
    outlook = view.outlooks[move]
    if move.to == "home":
        return say("that is the finish")
    if outlook.pays:
        return say("it stops before Caesar and pays your coin")
    return _of_others(move, view) or _of_the_way(move, view)


def _equal(play: Play, other: Play, view: View) -> bool:
    """Whether two plays differ in nothing but the lane."""
    assert isinstance(other.to, int)
    if play.to == "home" or view.outlooks[play] != view.outlooks[other]:
        return False
    ours, theirs = view.course.spaces[play.to], view.course.spaces[other.to]
    return (ours.bottleneck, bool(ours.alley)) == (theirs.bottleneck, bool(theirs.alley))


def _from_inside(play: Play, view: View) -> int:
    """How many lanes lie inside of where a card leads."""
    assert isinstance(play.to, int)
    order: tuple[Lane, ...] = ("", *LANES[-1][:2], "middle", *LANES[-1][2:])
    return order.index(lane(view.course, play.to))


def _of_others(play: Play, view: View) -> str:
    """A reason that has to do with the others: whom it blocks, who stays ahead, whose lead frees a 6."""
    assert view.chariot is not None
    assert isinstance(play.to, int)
    others = [one for i, one in enumerate(view.chariots) if i != view.chariot and one.status == "racing"]
    there = view.outlooks[play].remaining
    behind = [one.name for one in others if there < one.remaining <= there + CLOSE]
    if view.course.spaces[play.to].bottleneck and behind:
        names = narration.listed(behind)
        return counted(
            len(behind), "there {names} is stuck behind you", "there {names} are stuck behind you", names=names
        )
    if play.card == SIX:
        return say("a 6 goes only while somebody is ahead of you")
    leader = next((one.name for one in others if one.remaining < there), None)
    passing = [other for other in view.plays if other.card != SIX and leads_after(view, other)]
    if SIX in view.hand and leader is not None and passing and not leads_after(view, play):
        return say("{name} stays ahead and your 6 stays free", name=leader)
    return ""


def _of_the_way(play: Play, view: View) -> str:
    """A reason that has to do with the way: how long it is, and what comes after it."""
    wasted = view.outlooks[play].wasted
    lanes = [view.outlooks[other].wasted for other in view.plays if other.card == play.card and not _alley(other, view)]
    approach = _stops_with(play, view)
    if approach:
        return say("from there your {card} stops in the alley", card=approach)
    if max(lanes, default=0) > wasted:
        match lane(view.course, play.to) if isinstance(play.to, int) else "":
            case "inside":
                return say("the inside lane is shorter")
            case "outside":
                return say("the outside lane is shorter here")
            case _:
                return say("the other ways are longer")
    if {other.card for other in view.plays} == {play.card}:
        return say("no other card can be played")
    if play.card == max(other.card for other in view.plays):
        return say("it takes you furthest")
    return say("your higher cards would take a longer way")


def _alley(play: Play, view: View) -> bool:
    return isinstance(play.to, int) and view.course.spaces[play.to].alley is not None


def _stops_with(play: Play, view: View) -> int | None:
    """The card in hand that would pay the coin from there at the next turn, were nobody in the way."""
    if view.chariot is None or not view.owes(view.chariot) or not isinstance(play.to, int):
        return None
    left = list(view.hand)
    left.remove(play.card)
    return min(stopping_cards(view.course, play.to).intersection(left), default=None)
