"""What happens at a table, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from avecaesar.courses import ROMAN
from avecaesar.game import ChooseDeck, Crash, Draw, Lay, Miss, Move, Play, Sort, Turn, View, Vote, Withdraw
from avecaesar.rules import DECKS

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")


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
        return _told(before, after, "", brief=True), ""
    space = after.course.spaces[int(to)]
    where = " into the bottleneck" if space.bottleneck else " in the Imperial Alley" if space.alley else ""
    return _told(before, after, where, brief=True), space.name


def turn_number(view: View) -> int:
    """Which turn it is, from 1, or was the last: drawing and laying belong to one, choices before the race to none."""
    beside = ChooseDeck | Sort | Draw | Lay | Vote
    taken = sum(not isinstance(turn.move, beside) for turn in view.history)
    return max(taken + (view.asks in ("turn", "vote")), 1)


def announce(before: View, after: View) -> str:
    """What the last decision brought about for all: decks are revealed together, piles lie ready."""
    if before.asks == after.asks:
        return ""
    if before.asks == "deck":
        decks = ", ".join(f"{chariot.name} {chariot.deck}" for chariot in after.chariots if chariot.deck)
        return f"The decks are revealed together: {decks}."
    if before.asks == "sort":
        aside = next((chariot.emperor for chariot in after.chariots if chariot.emperor), ())
        kept = f"; the emperor keeps everybody's {listed(aside)}" if aside else ""
        return f"All piles are sorted and shuffled{kept}."
    return ""


def _told(before: View, after: View, where: str, *, brief: bool = False) -> str:
    turn = after.history[-1]
    chariot, then = after.chariots[turn.seat], before.chariots[turn.seat]
    vote, comma = _vote(after), ""
    if brief and vote:
        told, vote, comma = _by_vote(before, after), "", ","
    else:
        told = _without_driver(before, after, where) if chariot.riderless else _done(turn, where, after)
    if then.coin and not chariot.coin:
        pays = f"takes the emperor's {then.emperor[0]}" if then.emperor else "pays"
        told += f"{comma} and {pays}: Ave Caesar!"
    if chariot.disqualified and not then.disqualified:
        told += ", past the alley with the coin: disqualified"
    if chariot.status == "out of cards":
        told += f"{comma} and is out of cards"
    return f"{chariot.name} {told}{vote}"


def _done(turn: Turn, where: str, view: View) -> str:
    """What a driver did."""
    match turn.move:
        case Play(card, "home"):
            return f"plays {card} and is home!"
        case Play(card, _):
            return f"plays {card}{where}"
        case Withdraw():
            return "withdraws"
        case Crash():
            return "crashes!"
        case Miss() | None:
            return "misses a turn" + (" and exchanges a card" if turn.exchanged else "")
        case ChooseDeck():
            return "has chosen a deck"
        case Sort():
            return "has sorted the cards"
        case Draw(pile):
            return f"draws from pile {ROMAN[pile]}"
        case Lay(pile):
            return f"lays the emperor's 3 on pile {ROMAN[pile]}"
        case Vote(play):
            return "abstains" if play is None else f"votes for {_destination(play, view)}"


def _without_driver(before: View, after: View, where: str) -> str:
    """What a riderless chariot did with the card that lay open before it."""
    turn = after.history[-1]
    card = before.chariots[turn.seat].open_card
    kept = _kept(before, turn.seat)
    match turn.move:
        case Play(_, to):
            went = "is home!" if to == "home" else f"drives{where}"
            return f"uses its open {card} and {went}" if kept else f"draws {card} and {went}"
        case Miss(None) if card is None:
            return "cannot move and draws no card"
        case Miss(None) if turn.reason == "barred":
            return f"waits with an open {card}"
    leads = ", for it leads," if turn.reason == "barred" else ""
    gone = "puts it under the deck" if turn.exchanged else "throws it away"
    unused = f"cannot use its open {card}" if kept else f"draws {card}, cannot use it"
    return f"{unused}{leads} and {gone}"


def _by_vote(before: View, after: View) -> str:
    """What a riderless chariot did with its card because of a vote, and how that went, in a few words."""
    turn = after.history[-1]
    card, cast = before.chariots[turn.seat].open_card, votes(after.history[:-1])
    counts = Counter(play for play in cast.values() if play is not None)
    if not counts:
        how = "nobody voted"
    elif len(counts) == 1 and None not in cast.values():
        how = "all agreed"
    else:
        decided = counts.pop(turn.move) if isinstance(turn.move, Play) else 0
        how = "by vote " + ":".join(map(str, (decided, *(sorted(counts.values(), reverse=True) or [0]))))
    home = isinstance(turn.move, Play) and turn.move.to == "home"
    return f"{'uses its open' if _kept(before, turn.seat) else 'draws'} {card}, {how}{', and is home!' if home else ''}"


def _kept(before: View, seat: int) -> bool:
    """Whether a riderless chariot's card lay open since a turn before."""
    last = next((turn for turn in reversed(before.history) if turn.seat == seat), None)
    return last is not None and last.reason == "barred" and not last.exchanged


def votes(history: Sequence[Turn]) -> dict[int, Play | None]:
    """Who voted for what at the end of a history, by seat; None abstained."""
    cast: dict[int, Play | None] = {}
    for turn in reversed(history):
        if not isinstance(turn.move, Vote):
            break
        cast[turn.seat] = turn.move.play
    return dict(reversed(cast.items()))


def _vote(after: View) -> str:
    """How the vote on a riderless chariot went, if there was one."""
    cast = votes(after.history[:-1])
    if not any(cast.values()):
        return " (by rule: nobody voted)" if cast else ""
    names: dict[Play | None, list[str]] = {}
    for seat, play in cast.items():
        names.setdefault(play, []).append(_voter(after, seat))
    move = after.history[-1].move
    decided, idle = names.pop(move if isinstance(move, Play) else None), names.pop(None, [])
    others = [f"; {listed(who)} for {_destination(play, after)}" for play, who in names.items() if play]
    others += [f"; without {listed(idle)}"] if idle else []
    return f" (by vote of {listed(decided)}{''.join(others)})"


def _voter(view: View, seat: int) -> str:
    """Whose vote it is: a player's, by the name of his first chariot without its number."""
    name = view.chariots[seat].name
    return name.rpartition(" ")[0] if view.rules.chariots_each > 1 else name


def _destination(play: Play, view: View) -> str:
    return "home" if play.to == "home" else view.course.spaces[play.to].name


def listed(words: Sequence[object]) -> str:
    """Words in a row.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = map(str, words)
    return f"{', '.join(first)} and {last}" if first else last


# ---------------------------------------------------------------------- before a decision


def named(move: Move, view: View) -> str:
    """A move in the fewest words that tell it from all others.

    >>> from avecaesar.game import Race
    >>> named(Sort(((1, 1, 2), (2, 3), (6,))), Race("white", 2).view(0))
    '1 1×2 · 1×2 3 · 6'
    """
    match move:
        case Play():
            return f"{move.card} {'' if move.to == 'home' else 'to '}{_destination(move, view)}"
        case Vote(play):
            return "abstain" if play is None else _destination(play, view)
        case Miss(card):
            return "miss the turn" if card is None else f"exchange the {card}"
        case Withdraw():
            return "withdraw"
        case Crash():
            return "crash"
        case ChooseDeck(deck):
            return f"the {deck} deck"
        case Sort(piles):
            return " · ".join(_values(pile, piles or ()) for pile in piles or ())
        case Draw(pile) | Lay(pile):
            return f"pile {ROMAN[pile]}"


def _values(pile: Sequence[int], piles: Sequence[Sequence[int]]) -> str:
    """The values that lie on a pile; with their number where others of the value lie elsewhere."""
    split = {value for value in pile if sum(value in other for other in piles) > 1}
    return " ".join(f"{pile.count(value)}×{value}" if value in split else str(value) for value in sorted(set(pile)))


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
        case ChooseDeck(deck):
            return _deck_in_words(deck)
        case Sort():
            return "sort the cards so"
        case Draw(pile):
            return f"draw from pile {ROMAN[pile]}"
        case Lay(pile):
            return f"lay the emperor's 3 on pile {ROMAN[pile]}"
        case Vote(play):
            return "abstain" if play is None else _candidate(play, view)


def _deck_in_words(deck: str | None) -> str:
    """What is in a deck.

    >>> _deck_in_words("fast")
    '2×2 2×3 3×4 4×5 7×6'
    """
    return " ".join(f"{count}×{value}" for value, count in enumerate(DECKS[deck or "slow"], 1) if count)


def _prospect(play: Play, view: View) -> str:
    outlook = view.outlooks[play]
    if play.to == "home":
        return "home, but without having paid: disqualified" if outlook.disqualifies else "home!"
    if outlook.disqualifies:
        return "past the alley: disqualified"
    if outlook.pays and view.rules.tribute != "optional":
        return "Imperial Alley: pays your coin"
    if outlook.pays and view.me.emperor:
        return f"alley: {gift(view)}"
    return _way_there(play, view, outlook.wasted)


def gift(view: View) -> str:
    """What a stop in the alley brings (AUS-4)."""
    first, *others = view.me.emperor
    return f"emperor's {first} to hand, {others[0]} on a pile" if others else f"emperor's {first} into your hand"


def _candidate(play: Play, view: View) -> str:
    """What a vote would do to the riderless chariot."""
    assert view.voted_on is not None
    if play.to == "home":
        return "home"
    mover = view.chariots[view.voted_on]
    assert mover.space is not None
    crossings = mover.crossings + (play.to < mover.space)
    return _way_there(play, view, play.card - (mover.remaining - view.course.remaining[crossings][play.to]))


def _way_there(play: Play, view: View, wasted: int) -> str:
    space = view.course.spaces[int(play.to)]
    where = "into the bottleneck ◆" if space.bottleneck else "into the Imperial Alley" if space.alley else ""
    waste = f"wastes {wasted}" if wasted else "" if where else "wastes nothing"
    return ", ".join(filter(None, (where, waste)))


def _space_in_words(view: View, to: int) -> str:
    """A space by its name, and what is special about it."""
    space = view.course.spaces[to]
    return space.name + (" in the Imperial Alley" if space.alley else ", a bottleneck" if space.bottleneck else "")


def means(view: View) -> str:
    """How the viewing seat stands: its coin, or what the emperor keeps for it, and its points to spare."""
    if view.me.disqualified:
        return "Disqualified: you race for honour alone"
    if not any(view.me.unseen):  # before decks are revealed
        return ""
    assert view.seat is not None
    spare = view.to_spare(view.seat)
    owing = "You owe Caesar a coin" if view.me.coin else "Your coin is paid"
    coin = "" if view.rules.tribute == "optional" else f"{owing} · "
    if not view.me.emperor:
        lost = ": you cannot get home any more" if spare < 0 else ""
        unit = "point " if abs(spare) == 1 else "points "
        return f"{coin}{_spare(spare, unit)}{lost}"
    claimed = spare + sum(view.me.emperor) - view.course.alley_extra
    alike = (spare < 0) == (claimed < 0)
    then = str(abs(claimed)) if alike else _spare(claimed)
    return f"{coin}{_spare(spare)}, {then} with the emperor's {listed(view.me.emperor)}"


def _spare(points: int, unit: str = "") -> str:
    """Points to spare, or short.

    >>> _spare(3, "points "), _spare(-1)
    ('3 points to spare', '1 short')
    """
    return f"{abs(points)} {unit}{'short' if points < 0 else 'to spare'}"


# ---------------------------------------------------------------------- after the race


def fate(view: View, chariot: int) -> str:
    """What became of a chariot: home and as which, or how it left."""
    told = view.chariots[chariot]
    if told.status != "home":
        word = "withdrew" if told.status == "withdrawn" else told.status
        return f"{word}, disqualified" if told.disqualified else word
    if told.disqualified:
        return "home, but disqualified"
    if told.place:
        return f"home {ORDINALS[told.place - 1]}"
    return f"arrived {ORDINALS[told.arrival - 1]}" if told.arrival else "home"


def result_in_words(view: View) -> str:
    """Who took which place, and with how many laurels; and what became of the others."""
    placed = [
        f"{ORDINALS[place - 1]} {view.chariots[chariot].name} ({view.laurels[chariot]} laurels)"
        for chariot in view.arrivals
        if (place := view.chariots[chariot].place)
    ]
    others = [f"{view.chariots[i].name} {fate(view, i)}" for i in view.arrivals if not view.chariots[i].place]
    return f"The race is over: {', '.join(placed) or 'nobody takes a place'}{'; ' * bool(others)}{', '.join(others)}."
