"""Where a space lies, in words that mean something to who looks at the board; its name is for records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from avecaesar.courses import Course
from avecaesar.game import Move, Play, View, Vote
from avecaesar.speech import say

Lane = Literal["inside", "second from inside", "middle", "second from outside", "outside", ""]
Further = Literal["back", "between", "on", ""]  # on is nearer home

# By how many lanes there are side by side, from the inside; where there is one, there is nothing to say.
LANES: tuple[tuple[Lane, ...], ...] = (
    ("",),
    ("inside", "outside"),
    ("inside", "middle", "outside"),
    ("inside", "second from inside", "second from outside", "outside"),
)


def lane(course: Course, space: int) -> Lane:
    """Which lane a space is in; inside is what the course goes round, also where it bends the other way.

    >>> from avecaesar.courses import load_course
    >>> white = load_course("white")
    >>> [lane(white, white.space(name).id) for name in ("S5a", "S5b", "C1b", "E1b", "N1a")]
    ['outside', 'second from outside', 'inside', 'inside', '']
    """
    place = course.spaces[space].place
    if place.alley:
        return ""
    many = int(2 * (place.lane - place.offset)) + 1
    return LANES[many - 1][many - 1 - place.lane]  # lanes are counted from the left as driven clockwise


def lane_in_words(course: Course, space: int) -> str:
    """The lane of a space, in a word or two; nothing where there is only one."""
    return lane_words(lane(course, space))


def lane_words(one: Lane) -> str:
    """A lane in a word or two."""
    match one:
        case "inside":
            return say("inside", "a lane")
        case "second from inside":
            return say("second from inside", "a lane")
        case "middle":
            return say("middle", "a lane")
        case "second from outside":
            return say("second from outside", "a lane")
        case "outside":
            return say("outside", "a lane")
        case "":
            return ""


def destination(play: Play, view: View) -> str:
    """Where a card leads to: in the fewest words that tell it from wherever else the same card leads."""
    if play.to == "home":
        return say("home", "where it goes")
    words = [_ground(play.to, view) or lane_in_words(view.course, play.to), further_words(further(play, view))]
    return ", ".join(filter(None, words))


def landing(play: Play, course: Course) -> str:
    """Where a card led to, for who tells of it afterwards."""
    if play.to == "home":
        return say("home", "where it goes")
    space = course.spaces[play.to]
    if space.bottleneck:
        return say("the bottleneck")
    return say("the alley") if space.alley else lane_in_words(course, play.to)


def standing_in(course: Course, space: int, crossings: int) -> str:
    """Where a chariot stands, in a word or two."""
    if not crossings and space in course.grid:
        return say("on the grid")
    if course.spaces[space].bottleneck:
        return say("in the bottleneck")
    return say("in the alley") if course.spaces[space].alley else lane_in_words(course, space)


def named_by(play: Play, view: View) -> str:
    """A card and where it leads to.

    >>> from avecaesar.game import Race
    >>> view = Race("white", 3, seed=2).view(0)
    >>> [named_by(play, view) for play in view.plays]
    ['1, second from inside', '1, inside', '6 into the bottleneck']
    """
    if play.to == "home":
        return say("{card} home", card=play.card)
    where = destination(play, view)
    return f"{play.card}{' ' if _ground(play.to, view) else ', '}{where}" if where else str(play.card)


def _ground(to: int, view: View) -> str:
    """What is special about a space."""
    space = view.course.spaces[to]
    if space.bottleneck:
        return say("into the bottleneck")
    if space.alley:
        return say("on in the alley") if in_the_alley(view) else say("into the alley")
    return ""


def in_the_alley(view: View) -> bool:
    """Whether the chariot that is asked about stands in the alley already."""
    at = _where(view)
    return at is not None and view.course.spaces[at].alley is not None


def further(play: Play, view: View) -> Further:
    """Of several spaces of one lane that a card leads to, which; nothing if it is the only one."""
    if play.to == "home":
        return ""
    alike = [to for to in _spaces_of(play.card, view.legal_moves) if _looks(to, view) == _looks(play.to, view)]
    if len(alike) < 2:
        return ""
    start = _where(view) or 0
    order = sorted(alike, key=lambda to: (to - start) % len(view.course.spaces))
    return "back" if play.to == order[0] else "on" if play.to == order[-1] else "between"


def further_words(which: Further) -> str:
    """Which of them, in words."""
    match which:
        case "back":
            return say("further back")
        case "on":
            return say("further on")
        case "between":
            return say("between the two")
        case "":
            return ""


def _looks(to: int | str, view: View) -> tuple[str, str]:
    assert isinstance(to, int)
    return _ground(to, view), lane(view.course, to)


def _spaces_of(card: int, moves: Iterable[Move]) -> list[int]:
    plays = [move.play if isinstance(move, Vote) else move for move in moves]
    found = {play.to for play in plays if isinstance(play, Play) and play.card == card}
    return [to for to in found if to != "home"]


def _where(view: View) -> int | None:
    """The space of the chariot that is to move."""
    return None if view.mover is None else view.chariots[view.mover].space
