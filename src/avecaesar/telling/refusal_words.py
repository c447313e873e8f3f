"""Why a card cannot be played, for somebody who points at the page's board and need not be told the names of spaces.

The terminal and Python say `Refusal.reason`, which names them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from avecaesar.game import Play, View
from avecaesar.game.numbers import ChariotNumber
from avecaesar.game.refusal import Refusal
from avecaesar.kernel import layout as k
from avecaesar.speech import counted, say
from avecaesar.telling.narration import listed
from avecaesar.telling.stakes import blockers_of, in_the_way


class Explanation(NamedTuple):
    """A reason in words, and the chariots that stand in the way."""

    words: str
    blockers: tuple[ChariotNumber, ...] = ()


def of_card(card: int, why: Refusal, view: View) -> Explanation:
    """Why a card cannot be played anywhere; if others block it, who."""
    match why.verdict:
        case k.REFUSED_SIX:
            return Explanation(barred(why, view))
        case k.REFUSED_BLOCKED:
            blockers = in_the_way(view, card)
            return Explanation(blocked(blockers, view), blockers)
        case _:
            return Explanation(why.reason)


def of_space(play: Play, why: Refusal, view: View) -> Explanation:
    """Why a card cannot be played to a space that was pointed at."""
    match why.verdict:
        case k.REFUSED_SIX:
            return Explanation(barred(why, view))
        case k.REFUSED_WALL:
            return Explanation(walled())
        case k.REFUSED_NOT_EXACT if play.to != "home":
            return Explanation(inexact(play.card))
        case k.REFUSED_OCCUPIED | k.REFUSED_BLOCKED if play.to != "home":
            blockers = blockers_of(view, play)
            return Explanation(blocked(blockers, view), blockers)
        case _:
            return Explanation(why.reason)


def blocked(blockers: Sequence[ChariotNumber], view: View) -> str:
    """Others stand in the way."""
    return counted(
        len(blockers),
        "{names} stands in the way: a card is moved in full or not at all.",
        "{names} stand in the way: a card is moved in full or not at all.",
        names=listed([view.chariots[i].name for i in blockers]),
    )


def barred(why: Refusal, view: View) -> str:
    """A leader may not play a 6; with whom he shares the lead, if he does."""
    others = [view.chariots[i].name for i in sorted(view.leaders) if i != view.chariot]
    if not others:
        return why.reason
    return say("You share the lead with {names}, so you may not play a 6 now.", names=listed(others))


def walled() -> str:
    """A wall lies between."""
    return say("A wall lies between you and that space.")


def inexact(card: int) -> str:
    """The count is not exact."""
    return say("No way of exactly {card} leads there from your space.", card=card)
