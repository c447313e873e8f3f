"""What everybody can see for himself: who is asked next, who keeps whom from moving, what a turn threw away or won."""

from __future__ import annotations

from avecaesar.game import Move, Play, View
from avecaesar.game.numbers import AnyChariot, ChariotNumber
from avecaesar.game.what_if import cards_that_owe, walk


def order(view: View) -> tuple[ChariotNumber, ...]:
    """The chariots that still race in the order in which they are asked, the one that decides now first.

    A vote decides for the riderless chariot; before the race only those with drivers are asked.
    """
    if view.mover is None:
        return ()
    begun = view.asks in ("turn", "vote") or view.turns_taken > 0
    round_about = [*view.grid[view.mover :], *view.grid[: view.mover]]
    return tuple(
        i for i in round_about if view.chariots[i].status == "racing" and (begun or not view.chariots[i].riderless)
    )


def thrown_away(before: View, after: View, mover: ChariotNumber, move: Move | None) -> int:
    """The points of a card that brought its chariot no nearer; past the line none are counted.

    The way through the alley is no waste for whoever owes his coin: it was never to spare.
    """
    if not isinstance(move, Play) or move.to == "home":
        return 0
    then, now = before.chariots[mover], after.chariots[mover]
    owed = before.to_go(mover) - then.remaining if now.paid_since(then) else 0
    return move.card - (then.remaining - now.remaining) - owed


def lap_begun(before: View, after: View, mover: AnyChariot) -> int | None:
    """The lap that a turn led into; None if it led into none, or home."""
    then, now = before.chariots[mover], after.chariots[mover]
    return now.lap if now.status == "racing" and now.lap > then.lap else None


def stuck_behind(view: View, chariot: AnyChariot) -> tuple[ChariotNumber, ...]:
    """Who keeps a chariot that must miss its turn from moving, as far as nobody needs to see its cards for it.

    None where it might also miss because a 6 is barred or because it waits for the alley: that is its driver's secret.
    """
    steps, met = blockade(view, chariot)
    if steps is None:
        return ()
    might_wait = chariot in view.under_ban or bool(cards_that_owe(view, chariot))  # for all we know (TRI-3)
    return met if steps == 1 or not might_wait else ()


def blockade(view: View, chariot: AnyChariot) -> tuple[int | None, tuple[ChariotNumber, ...]]:
    """After how many steps a chariot can go no further, None if six are free; and the chariots that it meets."""
    met: tuple[ChariotNumber, ...] = ()
    for steps, ahead in enumerate(walk(view, chariot), 1):
        met = ahead.met
        if ahead.home:
            break
        if not ahead.free:
            return steps, met
    return None, met
