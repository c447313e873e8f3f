"""What happens at a table, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from avecaesar.courses import ROMAN
from avecaesar.game import ChooseDeck, Crash, Draw, Hidden, Lay, Miss, Move, Play, Sort, Turn, View, Vote, Withdraw
from avecaesar.game.numbers import ChariotNumber
from avecaesar.game.what_if import remaining_after
from avecaesar.rules import DECKS
from avecaesar.speech import counted, say
from avecaesar.telling.lanes import destination, in_the_alley, landing, lane_in_words, named_by
from avecaesar.telling.sight_lines import stuck_behind
from avecaesar.telling.stakes import exempt, risk_of, sixes_needed

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")

Where = Literal["home", "lane", "unnamed", "in the alley", "into the bottleneck"]

# What became of a card, by where it led to.
PLAYS: dict[Where, str] = {
    "home": "{name} plays {card} and is home!",
    "lane": "{name} plays {card}, {lane}",
    "unnamed": "{name} plays {card}",
    "in the alley": "{name} plays {card} in the Imperial Alley",
    "into the bottleneck": "{name} plays {card} into the bottleneck",
}
DRAWS: dict[Where, str] = {
    "home": "{name} draws {card} and is home!",
    "lane": "{name} draws {card} and drives, {lane}",
    "unnamed": "{name} draws {card} and drives",
    "in the alley": "{name} draws {card} and drives in the Imperial Alley",
    "into the bottleneck": "{name} draws {card} and drives into the bottleneck",
}
USES: dict[Where, str] = {
    "home": "{name} uses its open {card} and is home!",
    "lane": "{name} uses its open {card} and drives, {lane}",
    "unnamed": "{name} uses its open {card} and drives",
    "in the alley": "{name} uses its open {card} and drives in the Imperial Alley",
    "into the bottleneck": "{name} uses its open {card} and drives into the bottleneck",
}
# What a riderless chariot does with a card that it cannot use: whether that lay open before, whether it leads, and
# whether the card is exchanged.
UNUSED: dict[tuple[bool, bool, bool], str] = {
    (False, False, False): "{name} draws {card}, cannot use it and throws it away",
    (False, False, True): "{name} draws {card}, cannot use it and puts it under the deck",
    (False, True, False): "{name} draws {card}, cannot use it, for it leads, and throws it away",
    (False, True, True): "{name} draws {card}, cannot use it, for it leads, and puts it under the deck",
    (True, False, False): "{name} cannot use its open {card} and throws it away",
    (True, False, True): "{name} cannot use its open {card} and puts it under the deck",
    (True, True, False): "{name} cannot use its open {card}, for it leads, and throws it away",
    (True, True, True): "{name} cannot use its open {card}, for it leads, and puts it under the deck",
}
THE_DECK = {"slow": "the slow deck", "average": "the average deck", "fast": "the fast deck"}
FATES = {"racing": "racing", "out of cards": "out of cards", "crashed": "crashed", "withdrawn": "withdrew"}


def tell(before: View, after: View) -> str:
    """The last turn, for somebody who saw it."""
    return _turn_in_words(before, after)


def tell_briefly(before: View, after: View) -> tuple[str, str]:
    """The last turn for somebody who sees the board: what happened, and the name of the space, if there is one."""
    return _turn_in_words(before, after, brief=True), _space_of(after, after.history[-1].move)


def _space_of(view: View, move: Move | Hidden | None) -> str:
    return view.course.spaces[move.to].name if isinstance(move, Play) and move.to != "home" else ""


def _where(view: View, play: Play, *, brief: bool) -> Where:
    """Where a card led to, and what is special about that."""
    if play.to == "home":
        return "home"
    space = view.course.spaces[play.to]
    if space.bottleneck or space.alley:
        return "into the bottleneck" if space.bottleneck else "in the alley"
    return "unnamed" if brief or not lane_in_words(view.course, space.id) else "lane"


def _lane_of(view: View, play: Play) -> str:
    return "" if play.to == "home" else lane_in_words(view.course, play.to)


def turn_number(view: View) -> int:
    """Which turn it is, from 1, or was the last: drawing and laying belong to one, choices before the race to none."""
    return max(view.turns_taken + (view.asks in ("turn", "vote")), 1)


def is_announced(before: View, after: View) -> bool:
    """Whether the last decision brought something about for all: decks are revealed together, piles lie ready."""
    return before.asks != after.asks and before.asks in ("deck", "sort")


def announce(before: View, after: View) -> str:
    """What it brought about; nothing in most cases."""
    if not is_announced(before, after):
        return ""
    if before.asks == "deck":
        decks = ", ".join(f"{chariot.name} {say(chariot.deck)}" for chariot in after.chariots if chariot.deck)
        return say("The decks are revealed together: {decks}.", decks=decks)
    aside = next((chariot.emperor for chariot in after.chariots if chariot.emperor), ())
    if aside:
        return say("All piles are sorted and shuffled; the emperor keeps everybody’s {cards}.", cards=listed(aside))
    return say("All piles are sorted and shuffled.")


def _turn_in_words(before: View, after: View, *, brief: bool = False) -> str:
    turn = after.history[-1]
    chariot, then = after.chariots[turn.chariot], before.chariots[turn.chariot]
    vote = _vote(after)
    if brief and vote:
        told, vote, comma = _by_vote(before, after), "", ","
    else:
        told, comma = _without_driver(before, after, brief) if chariot.riderless else _done(turn, after, brief), ""
        if not chariot.riderless and not brief:
            told = _stuck(before, turn) or told
    if chariot.paid_since(then):
        told += comma
        if then.emperor:
            told = say("{told} and takes the emperor’s {card}: Ave Caesar!", told=told, card=then.emperor[0])
        else:
            told = say("{told} and pays: Ave Caesar!", told=told)
    if chariot.disqualified_since(then):
        told = say("{told}, past the alley with the coin: disqualified", told=told)
    if chariot.status == "out of cards":
        told = say("{told} and is out of cards", told=told + comma)
    return f"{told} ({vote})" if vote else told


def _done(turn: Turn, view: View, brief: bool) -> str:
    """What a driver did."""
    name = view.chariots[turn.chariot].name
    match turn.move:
        case Play(card, _):
            where = _where(view, turn.move, brief=brief)
            return say(PLAYS[where], name=name, card=card, lane=_lane_of(view, turn.move))
        case Withdraw():
            return say("{name} withdraws", name=name)
        case Crash():
            return say("{name} crashes!", name=name)
        case Miss() | None:
            if turn.exchanged:
                return say("{name} misses a turn and exchanges a card", name=name)
            return say("{name} misses a turn", name=name)
        case ChooseDeck() | Hidden("deck"):
            return say("{name} has chosen a deck", name=name)
        case Sort() | Hidden():
            return say("{name} has sorted the cards", name=name)
        case Draw(pile):
            return say("{name} draws from pile {pile}", name=name, pile=ROMAN[pile])
        case Lay(pile):
            return say("{name} lays the emperor’s 3 on pile {pile}", name=name, pile=ROMAN[pile])
        case Vote() as vote:
            if vote.play is None:
                return say("{name} abstains", name=name)
            return say("{name} votes for {where}", name=name, where=landing(vote.play, view.course))


def _stuck(before: View, turn: Turn) -> str:
    """A missed turn with those whom everybody sees to stand in the way; nothing where there are none."""
    culprits = () if turn.move is not None and not isinstance(turn.move, Miss) else stuck_behind(before, turn.chariot)
    if not culprits:
        return ""
    name, names = before.chariots[turn.chariot].name, listed([before.chariots[i].name for i in culprits])
    if turn.exchanged:
        return say("{name} is stuck behind {names}, misses a turn and exchanges a card", name=name, names=names)
    return say("{name} is stuck behind {names} and misses a turn", name=name, names=names)


def _without_driver(before: View, after: View, brief: bool) -> str:
    """What a riderless chariot did with the card that lay open before it."""
    turn = after.history[-1]
    name, card = after.chariots[turn.chariot].name, before.chariots[turn.chariot].open_card
    kept, leads = _kept(before, turn.chariot), turn.reason == "barred"
    match turn.move:
        case Play():
            where = _where(after, turn.move, brief=brief)
            sentence = (USES if kept else DRAWS)[where]
            return say(sentence, name=name, card=card, lane=_lane_of(after, turn.move))
        case Miss(None) if card is None:
            return say("{name} cannot move and draws no card", name=name)
        case Miss(None) if leads:
            return say("{name} waits with an open {card}", name=name, card=card)
    return say(UNUSED[kept, leads, turn.exchanged], name=name, card=card)


def _by_vote(before: View, after: View) -> str:
    """What a riderless chariot did with its card because of a vote, and how that went, in a few words."""
    turn = after.history[-1]
    name, card = after.chariots[turn.chariot].name, before.chariots[turn.chariot].open_card
    cast = votes(after.history[:-1])
    counts = Counter(play for play in cast.values() if play is not None)
    if not counts:
        how = say("nobody voted")
    elif len(counts) == 1 and None not in cast.values():
        how = say("all agreed")
    else:
        decided = counts.pop(turn.move) if isinstance(turn.move, Play) else 0
        ballot = ":".join(map(str, (decided, *(sorted(counts.values(), reverse=True) or [0]))))
        how = say("by vote {ballot}", ballot=ballot)
    if _kept(before, turn.chariot):
        told = say("{name} uses its open {card}, {how}", name=name, card=card, how=how)
    else:
        told = say("{name} draws {card}, {how}", name=name, card=card, how=how)
    home = isinstance(turn.move, Play) and turn.move.to == "home"
    return say("{told}, and is home!", told=told) if home else told


def _kept(before: View, chariot: ChariotNumber) -> bool:
    """Whether a riderless chariot's card lay open since a turn before."""
    last = next((turn for turn in reversed(before.history) if turn.chariot == chariot), None)
    return last is not None and last.reason == "barred" and not last.exchanged


def votes(history: Sequence[Turn]) -> dict[ChariotNumber, Play | None]:
    """Who voted for what at the end of a history, by chariot; None abstained."""
    cast: dict[ChariotNumber, Play | None] = {}
    for turn in reversed(history):
        if not isinstance(turn.move, Vote):
            break
        cast[turn.chariot] = turn.move.play
    return dict(reversed(cast.items()))


def _vote(after: View) -> str:
    """How the vote on a riderless chariot went, if there was one."""
    cast = votes(after.history[:-1])
    if not any(cast.values()):
        return say("by rule: nobody voted") if cast else ""
    names: dict[Play | None, list[str]] = {}
    for chariot, play in cast.items():
        names.setdefault(play, []).append(_voter(after, chariot))
    move = after.history[-1].move
    decided, idle = names.pop(move if isinstance(move, Play) else None), names.pop(None, [])
    told = [say("by vote of {names}", names=listed(decided))]
    told += [
        say("{names} for {where}", names=listed(who), where=landing(play, after.course))
        for play, who in names.items()
        if play
    ]
    told += [say("without {names}", names=listed(idle))] if idle else []
    return "; ".join(told)


def _voter(view: View, chariot: ChariotNumber) -> str:
    """Whose vote it is: a player's, by the name of his first chariot without its number."""
    name = view.chariots[chariot].name
    return name.rpartition(" ")[0] if view.rules.chariots_each > 1 else name


def listed(words: Sequence[object]) -> str:
    """Words in a row.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = map(str, words)
    return say("{first} and {last}", first=", ".join(first), last=last) if first else last


# ---------------------------------------------------------------------- before a decision


def named(move: Move, view: View) -> str:
    """A move in the fewest words that tell it from all others.

    >>> from avecaesar.game import Race
    >>> named(Sort(((1, 1, 2), (2, 3), (6,))), Race("white", 2).view(0))
    '1 1×2 · 1×2 3 · 6'
    """
    match move:
        case Play():
            return named_by(move, view)
        case Vote() as vote:
            return say("abstain") if vote.play is None else destination(vote.play, view) or str(vote.card)
        case Miss(card):
            return say("miss the turn") if card is None else say("exchange the {card}", card=card)
        case Withdraw():
            return say("withdraw", "a move")
        case Crash():
            return say("crash", "a move")
        case ChooseDeck(deck):
            return say(THE_DECK[deck])
        case Sort(piles):
            return " · ".join(_values(pile, piles) for pile in piles)
        case Draw(pile) | Lay(pile):
            return say("pile {pile}", pile=ROMAN[pile])


def _values(pile: Sequence[int], piles: Sequence[Sequence[int]]) -> str:
    """The values that lie on a pile; with their number where others of the value lie elsewhere."""
    split = {value for value in pile if sum(value in other for other in piles) > 1}
    return " ".join(f"{pile.count(value)}×{value}" if value in split else str(value) for value in sorted(set(pile)))


def offer(move: Move, view: View, *, where: bool = True) -> str:
    """A move that can be made, as its driver thinks of it: what it leads to; `where` unless its name says that."""
    match move:
        case Play():
            return _prospect(move, view, where=where)
        case Miss(None):
            return say("miss this turn")
        case Miss(card):
            return say("miss this turn and put a {card} under the deck", card=card)
        case Withdraw():
            return say("withdraw from the race")
        case Crash():
            return say("crash: you lead with nothing but sixes")
        case ChooseDeck(deck):
            return _deck_in_words(deck)
        case Sort():
            return say("sort the cards so")
        case Draw(pile):
            return say("draw from pile {pile}", pile=ROMAN[pile])
        case Lay(pile):
            return say("lay the emperor’s 3 on pile {pile}", pile=ROMAN[pile])
        case Vote() as vote:
            return say("abstain") if vote.play is None else _candidate(vote.play, view, where=where)


def _deck_in_words(deck: str) -> str:
    """What is in a deck.

    >>> _deck_in_words("fast")
    '2×2 2×3 3×4 4×5 7×6'
    """
    return " ".join(f"{count}×{value}" for value, count in enumerate(DECKS[deck], 1) if count)


def _prospect(play: Play, view: View, *, where: bool) -> str:
    assert view.chariot is not None
    outlook = view.outlooks[play]
    if play.to == "home":
        if outlook.disqualifies:
            return say("home, but without having paid: disqualified")
        return say("home!") if where else ""
    if outlook.disqualifies:
        return say("past the alley: disqualified")
    if outlook.pays and view.owes(view.chariot):
        told = say("Imperial Alley: pays your coin")
        return ", ".join(filter(None, (told, warning(play, view))))
    if outlook.pays and view.me.emperor:
        return say("alley: {gift}", gift=gift(view))
    return _way_there(play, view, outlook.wasted, where=where)


def warning(play: Play, view: View) -> str:
    """What a play costs that cannot be won back, in a few words; nothing if it costs nothing of the kind."""
    match risk_of(play, view):
        case "disqualified":
            return say("you are disqualified")
        case "stranded":
            return say("then you cannot get home")
        case "last":
            return say("then nothing is left to spare")
        case _:
            return ""


def caution(view: View) -> str:
    """What whoever is on turn should know before he looks at his cards; mostly nothing."""
    if view.asks != "turn":
        return ""
    if exempt(view):
        return say("You lead, but with nothing but sixes in your hand you may play one here.")
    needed = sixes_needed(view)
    if not needed:
        return ""
    return counted(
        needed,
        "You need a 6 to get home, and while you lead you may not play one: let somebody pass.",
        "You need {n} sixes to get home, and while you lead you may not play one: let somebody pass.",
    )


def gift(view: View) -> str:
    """What a stop in the alley brings (AUS-4)."""
    first, *others = view.me.emperor
    if others:
        return say("emperor’s {first} to hand, {other} on a pile", first=first, other=others[0])
    return say("emperor’s {card} into your hand", card=first)


def _candidate(play: Play, view: View, *, where: bool) -> str:
    """What a vote would do to the riderless chariot."""
    assert view.mover is not None
    if play.to == "home":
        return say("home", "where it goes")
    wasted = play.card - (view.chariots[view.mover].remaining - remaining_after(view, play))
    return _way_there(play, view, wasted, where=where)


def _way_there(play: Play, view: View, wasted: int, *, where: bool) -> str:
    space = view.course.spaces[int(play.to)]
    ground = ""
    if space.bottleneck:
        ground = say("into the bottleneck ◆")
    elif space.alley:
        ground = say("on in the Imperial Alley") if in_the_alley(view) else say("into the Imperial Alley")
    told = [ground if where else ""]
    if wasted or not any(told):
        told.append(say("wastes {points}", points=wasted) if wasted else say("wastes nothing"))
    return ", ".join(filter(None, (*told, warning(play, view))))


def coin_and_points(view: View) -> str:
    """How the viewing chariot stands: its coin, or what the emperor keeps for it, and its points to spare."""
    if view.me.disqualified:
        return say("Disqualified: you race for honour alone")
    if not any(view.me.unseen):  # before decks are revealed
        return ""
    assert view.chariot is not None
    spare = view.to_spare(view.chariot)
    points = _spare_with_gifts(view, spare) if view.me.emperor else _spare(spare)
    if view.rules.tribute == "optional":
        return points
    return f"{say('You owe Caesar a coin') if view.owes(view.chariot) else say('Your coin is paid')} · {points}"


def _spare(points: int) -> str:
    """Points to spare, or short.

    >>> _spare(3), _spare(-1)
    ('3 points to spare', '1 point short: you cannot get home any more')
    """
    if points >= 0:
        return counted(points, "{n} point to spare", "{n} points to spare")
    return counted(
        -points,
        "{n} point short: you cannot get home any more",
        "{n} points short: you cannot get home any more",
    )


def _spare_with_gifts(view: View, spare: int) -> str:
    """Points to spare as it is, and after a stop in the alley (AUS-4)."""
    claimed = spare + sum(view.me.emperor) - view.course.alley_extra
    parts = {"points": abs(spare), "then": abs(claimed), "cards": listed(view.me.emperor)}
    if spare >= 0:
        if claimed >= 0:
            return say("{points} to spare, {then} with the emperor’s {cards}", **parts)
        return say("{points} to spare, {then} short with the emperor’s {cards}", **parts)
    if claimed < 0:
        return say("{points} short, {then} with the emperor’s {cards}", **parts)
    return say("{points} short, {then} to spare with the emperor’s {cards}", **parts)


# ---------------------------------------------------------------------- after the race


def ordinal(place: int) -> str:
    """A place as it is counted."""
    return say(ORDINALS[place - 1])


def fate(view: View, chariot: int) -> str:
    """What became of a chariot: home and as which, or how it left."""
    told = view.chariots[chariot]
    if told.status != "home":
        word = say(FATES[told.status])
        return say("{fate}, disqualified", fate=word) if told.disqualified else word
    if told.disqualified:
        return say("home, but disqualified")
    if told.place:
        return say("home {place}", place=ordinal(told.place))
    return say("arrived {place}", place=ordinal(told.arrival)) if told.arrival else say("home", "where it is")


def result_in_words(view: View) -> str:
    """Who took which place, and with how many laurels; and what became of the others."""
    placed = [
        counted(
            view.laurels[chariot],
            "{place} {name} ({n} laurel)",
            "{place} {name} ({n} laurels)",
            place=ordinal(place),
            name=view.chariots[chariot].name,
        )
        for chariot in view.arrivals
        if (place := view.chariots[chariot].place)
    ]
    others = [f"{view.chariots[i].name} {fate(view, i)}" for i in view.arrivals if not view.chariots[i].place]
    places = ", ".join(placed) or say("nobody takes a place")
    if others:
        return say("The race is over: {places}; {others}.", places=places, others=", ".join(others))
    return say("The race is over: {places}.", places=places)
