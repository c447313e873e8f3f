"""What happens at a table, in words."""

from __future__ import annotations

from avecaesar.game import Crash, Miss, Move, Play, View, Withdraw


def tell(before: View, after: View) -> str:
    """The last turn, for somebody who saw it."""
    turn = after.history[-1]
    to = turn.move.to if isinstance(turn.move, Play) else "home"
    where = "" if to == "home" else f" to {_space_in_words(after, int(to))}"
    return _told(before, after, where)


def tell_briefly(before: View, after: View) -> tuple[str, str]:
    """The last turn for somebody who sees the board: what happened, and the name of the space, if there is one."""
    turn = after.history[-1]
    to = turn.move.to if isinstance(turn.move, Play) else "home"
    if to == "home":
        return _told(before, after, ""), ""
    space = after.course.spaces[int(to)]
    where = " into the bottleneck" if space.bottleneck else " in the Imperial Alley" if space.alley else ""
    return _told(before, after, where), space.name


def _told(before: View, after: View, where: str) -> str:
    turn = after.history[-1]
    chariot, then = after.chariots[turn.seat], before.chariots[turn.seat]
    match turn.move:
        case Play(card, "home"):
            told = f"plays {card} and is home!"
        case Play(card, _):
            told = f"plays {card}{where}"
        case Withdraw():
            told = "withdraws"
        case Crash():
            told = "crashes!"
        case Miss() | None:
            told = "misses a turn" + (" and exchanges a card" if turn.exchanged else "")
    if then.coin and not chariot.coin:
        told += " and pays: Ave Caesar!"
    if chariot.disqualified and not then.disqualified:
        told += ", past the alley with the coin: disqualified"
    if chariot.status == "out of cards":
        told += " and is out of cards"
    return f"{chariot.name} {told}"


def offer(move: Move, view: View) -> str:
    """A move that can be made, as its driver thinks of it: what it leads to; where exactly is another question."""
    match move:
        case Play():
            return _prospect(move, view)
        case Miss(None):
            return "miss this turn"
        case Miss(card):
            return f"miss this turn and put a {card} under the deck"
        case Withdraw():
            return "withdraw from the race"
        case Crash():
            return "crash: you lead with nothing but sixes"


def _prospect(play: Play, view: View) -> str:
    outlook = view.outlooks[play]
    if play.to == "home":
        return "home, but without having paid: disqualified" if outlook.disqualifies else "home!"
    if outlook.disqualifies:
        return "past the alley: disqualified"
    if outlook.pays:
        return "Imperial Alley: pays your coin"
    space = view.course.spaces[int(play.to)]
    where = "into the bottleneck ◆" if space.bottleneck else "into the Imperial Alley" if space.alley else ""
    wasted = f"wastes {outlook.wasted}" if outlook.wasted else "" if where else "wastes nothing"
    return ", ".join(filter(None, (where, wasted)))


def _space_in_words(view: View, to: int) -> str:
    """A space by its name, and what is special about it."""
    space = view.course.spaces[to]
    return space.name + (" in the Imperial Alley" if space.alley else ", a bottleneck" if space.bottleneck else "")


def means(view: View) -> str:
    """How the viewing seat stands: its coin and its points to spare."""
    if view.me.disqualified:
        return "Disqualified: you race for honour alone"
    assert view.seat is not None
    spare = view.to_spare(view.seat)
    owing = "You owe Caesar a coin" if view.me.coin else "Your coin is paid"
    coin = "" if view.rules.tribute == "optional" else f"{owing} · "
    if spare < 0:
        return f"{coin}{-spare} point{'s' * (spare < -1)} short: you cannot get home any more"
    return f"{coin}{spare} point{'s' * (spare != 1)} to spare"
