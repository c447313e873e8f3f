"""A chronicle in words, in the language that is spoken: its headline, its story, and the turn that decided it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from avecaesar.courses import ROMAN
from avecaesar.speech import counted, say, spoken
from avecaesar.telling.chronicle import Chronicle, Chronicled, ChronicledMove
from avecaesar.telling.lanes import further_words, lane_words
from avecaesar.telling.narration import listed

NARROW = "\u202f"  # a space that does not break


class DecidedInWords(msgspec.Struct, frozen=True):
    """What was played in the turn that decided the race, and what would have come of something else."""

    played: str
    verdict: str


class Praise(msgspec.Struct, frozen=True):
    """A race in words."""

    headline: str
    teams: str  # what each player's chariots earned together; nothing where everybody has one
    story: list[str]  # sentences
    decided: DecidedInWords | None


class ChronicleShown(msgspec.Struct, frozen=True):
    """What a race was, in figures and in words."""

    chronicle: Chronicle
    praise: Praise


def praise(chronicle: Chronicle) -> Praise:
    """The race in words."""
    return Praise(_headline(chronicle), _teams(chronicle), list(_story(chronicle)), _decided(chronicle))


def _headline(chronicle: Chronicle) -> str:
    winner = next((chariot for chariot in chronicle.chariots if chariot.place == 1), None)
    if winner is None:
        return say("Nobody comes home")
    if chronicle.margin is None:
        return say("{name} wins", name=winner.name)
    return counted(chronicle.margin, "{name} wins by {n} space", "{name} wins by {n} spaces", name=winner.name)


def _story(chronicle: Chronicle) -> Iterator[str]:
    turns, changes = len(chronicle.scenes) - 1, len(chronicle.leads) - 1
    longest = max(chronicle.chariots, key=lambda chariot: chariot.led)
    if changes == 0:
        yield say("{name} was in front from the first turn to the last.", name=longest.name)
    elif changes > 0:
        yield counted(changes, "The lead changed {n} time.", "The lead changed {n} times.")
        yield counted(
            longest.led, "{name} led longest: {n} turn of {turns}.", "{name} led longest: {n} turns of {turns}.",
            name=longest.name, turns=turns,
        )  # fmt: skip
    if close := chronicle.close:
        yield counted(
            close.spaces,
            "On turn {turn} the whole field stood within {n} space.",
            "On turn {turn} the whole field stood within {n} spaces.",
            turn=close.turn,
        )
    if jam := chronicle.jam:
        yield counted(
            jam.turns,
            "{name} was stuck for {n} turn, until turn {turn}.",
            "{name} was stuck for {n} turns in a row, until turn {turn}.",
            name=chronicle.chariots[jam.chariot].name, turn=jam.turn,
        )  # fmt: skip


def _teams(chronicle: Chronicle) -> str:
    """Where players have several chariots: whose they are, and what they earned together, the best first."""
    players = {chariot.player for chariot in chronicle.chariots} - {None}
    teams = [[chariot for chariot in chronicle.chariots if chariot.player == player] for player in players]
    if all(len(team) == 1 for team in teams):
        return ""
    sums = sorted(((sum(one.laurels for one in team), team) for team in teams), key=lambda one: -one[0])
    told = "; ".join(f"{listed([one.name for one in team])} {laurels}" for laurels, team in sums)
    return say("Laurels of each player: {sums}.", sums=told)


# ---------------------------------------------------------------------- the turn that decided it


def _decided(chronicle: Chronicle) -> DecidedInWords | None:
    decided = chronicle.decided
    if decided is None:
        return None
    played, other = _choice(decided.played), _choice(decided.other)
    told = {"choice": other, "now": _percent(decided.chance), "otherwise": _percent(decided.otherwise)}
    if decided.kind == "loss":
        verdict = say("That took the chances of winning from {otherwise} to {now}. Better: {choice}.", **told)
    else:
        verdict = say(
            "That took the chances of winning from {otherwise} to {now}: a good eye, for {choice} suggested itself.",
            **told,
        )
    return DecidedInWords(_played(decided.played, played, chronicle.chariots[decided.chariot]), verdict)


def _played(choice: ChronicledMove, play: str, chariot: Chronicled) -> str:
    """What somebody did, as a sentence."""
    name, card, pile = chariot.name, choice.card, ROMAN[choice.pile or 0]
    match choice.kind:
        case "play" if choice.space is None:
            return say("{name} plays {card} and is home.", name=name, card=card)
        case "play":
            return say("{name} plays {play}.", name=name, play=play)
        case "miss" if card is None:
            return say("{name} misses a turn.", name=name)
        case "miss":
            return say("{name} misses a turn and exchanges a {card}.", name=name, card=card)
        case "withdraw":
            return say("{name} withdraws.", name=name)
        case "crash":
            return say("{name} crashes.", name=name)
        case "deck":
            return say("{name} chooses: {choice}.", name=name, choice=_deck(choice.deck))
        case "draw":
            return say("{name} draws from pile {pile}.", name=name, pile=pile)
        case "lay":
            return say("{name} lays the emperor’s 3 on pile {pile}.", name=name, pile=pile)


def _choice(choice: ChronicledMove) -> str:
    """Something that could have been done, in a few words."""
    match choice.kind:
        case "play" if choice.space is None:
            return say("{card} and home", card=choice.card)
        case "play":
            return _driven(choice)
        case "miss" if choice.card is None:
            return say("missing the turn")
        case "miss":
            return say("missing the turn and exchanging a {card}", card=choice.card)
        case "withdraw":
            return say("withdrawing")
        case "crash":
            return say("crashing")
        case "deck":
            return _deck(choice.deck)
        case "draw" | "lay":
            return say("pile {pile}", pile=ROMAN[choice.pile or 0])


def _deck(deck: str | None) -> str:
    match deck:
        case "slow":
            return say("the slow deck")
        case "average":
            return say("the average deck")
        case _:
            return say("the fast deck")


def _driven(choice: ChronicledMove) -> str:
    """A card and where it leads to."""
    card = str(choice.card)
    match choice.ground:
        case "bottleneck":
            card += f" {say('into the bottleneck')}"
        case "alley":
            card += f" {say('into the alley')}"
    lane = "" if choice.ground else lane_words(choice.lane)
    return ", ".join(filter(None, [card, lane, further_words(choice.further)]))


def _percent(share: float) -> str:
    """A share of one in percent, as the language writes it."""
    return f"{round(100 * share)}{'' if spoken() == 'en' else NARROW}%"
