"""What everybody can see for himself: who is asked next, who keeps whom from moving, what a turn threw away or won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from avecaesar.courses import Course
from avecaesar.game import ChooseDeck, Draw, Move, Play, Sort, View

LAST_LAP = 3  # crossings of the line: the next one is the finish
LONGEST = 6  # steps with one card
BEFORE_THE_RACE = (ChooseDeck, Sort, Draw)


def order(view: View) -> tuple[int, ...]:
    """The chariots that still race in the order in which they are asked, the one that decides now first.

    A vote decides for the riderless chariot; before the race only those with drivers are asked.
    """
    now = view.turn if view.voted_on is None else view.voted_on
    if now is None:
        return ()
    begun = view.asks in ("turn", "vote", "lay") or any(not isinstance(t.move, BEFORE_THE_RACE) for t in view.history)
    many = len(view.chariots)
    round_about = [(now + further) % many for further in range(many)]
    return tuple(
        i for i in round_about if view.chariots[i].status == "racing" and (begun or not view.chariots[i].riderless)
    )


def thrown_away(before: View, after: View, mover: int, move: Move | None) -> int:
    """The points of a card that brought its chariot no nearer; past the line none are counted.

    The way through the alley is no waste for whoever owes his coin: it was never to spare.
    """
    if not isinstance(move, Play) or move.to == "home":
        return 0
    then, now = before.chariots[mover], after.chariots[mover]
    owed = before.to_go(mover) - then.remaining if then.coin and not now.coin else 0
    return move.card - (then.remaining - now.remaining) - owed


def lap_begun(before: View, after: View, mover: int) -> int | None:
    """The lap that a turn led into; None if it led into none, or home."""
    then, now = before.chariots[mover], after.chariots[mover]
    return now.lap if now.status == "racing" and now.lap > then.lap else None


def stuck_behind(view: View, chariot: int) -> tuple[int, ...]:
    """Who keeps a chariot that must miss its turn from moving, as far as nobody needs to see its cards for it.

    None where it might also miss because a 6 is barred or because it waits for the alley: that is its driver's secret.
    """
    steps, met = dam(view, chariot)
    if steps is None:
        return ()
    might_wait = chariot in view.banned or _may_owe_a_stop(view, chariot)
    return met if steps == 1 or not might_wait else ()


def dam(view: View, chariot: int) -> tuple[int | None, tuple[int, ...]]:
    """After how many steps a chariot can go no further, None if six are free; and the chariots that it meets."""
    at, finishes = view.chariots[chariot].space, view.chariots[chariot].crossings == LAST_LAP
    met: tuple[int, ...] = ()
    reached = set() if at is None else {at}
    for steps, (met, ahead) in enumerate(walk(view, chariot, LONGEST), 1):
        if finishes and any(step.line for space in reached for step in view.course.spaces[space].steps):
            return None, met
        if not ahead:
            return steps, met
        reached = ahead
    return None, met


def walk(view: View, chariot: int, steps: int) -> Iterator[tuple[tuple[int, ...], set[int]]]:
    """Step by step the chariots that one has met on all its ways, in grid order, and the spaces that it may reach."""
    standing = {other.space: i for i, other in enumerate(view.chariots) if other.space is not None}
    at = view.chariots[chariot].space
    assert at is not None
    met: set[int] = set()
    reached = {at}
    for _ in range(steps):
        ahead = _ahead(view.course, reached)
        met |= {standing[space] for space in ahead if space in standing}
        reached = {space for space in ahead if space not in standing}
        yield tuple(sorted(met)), reached


def _ahead(course: Course, spaces: Iterable[int]) -> set[int]:
    return {step.to for space in spaces for step in course.spaces[space].steps}


def _may_owe_a_stop(view: View, chariot: int) -> bool:
    """Whether a card might lead into the alley in which the chariot must stop (TRI-3)."""
    told = view.chariots[chariot]
    if not told.coin or told.disqualified or view.rules.tribute == "optional" or told.space is None:
        return False
    reached = {told.space}
    for _ in range(LONGEST):
        reached = _ahead(view.course, reached)
        if any(view.course.spaces[space].alley for space in reached):
            return True
    return False
