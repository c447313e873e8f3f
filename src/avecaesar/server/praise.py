"""A chronicle in words, in the language that is spoken: its headline, its story, and the turn that decided it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from avecaesar.courses import ROMAN
from avecaesar.server.chronicle import Choice, Chronicle, Chronicled
from avecaesar.speech import counted, say, spoken

DECIMAL_COMMA = ("it", "fr", "de")


class DecidedInWords(msgspec.Struct, frozen=True):
    """What was played in the turn that decided the race, and what would have come of something else."""

    played: str
    verdict: str


class Praise(msgspec.Struct, frozen=True):
    """A race in words."""

    headline: str
    story: list[str]  # sentences
    decided: DecidedInWords | None


class ChronicleShown(msgspec.Struct, frozen=True):
    """What a race was, in figures and in words."""

    chronicle: Chronicle
    praise: Praise


def praise(chronicle: Chronicle) -> Praise:
    """The race in words."""
    return Praise(_headline(chronicle), list(_story(chronicle)), _decided(chronicle))


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


# ---------------------------------------------------------------------- the turn that decided it


def _decided(chronicle: Chronicle) -> DecidedInWords | None:
    decided = chronicle.decided
    if decided is None:
        return None
    numbers = {
        "choice": _choice(decided.other),
        "difference": _decimal(abs(decided.otherwise - decided.earned)),
        "earned": _decimal(decided.earned),
        "otherwise": _decimal(decided.otherwise),
    }
    if decided.kind == "loss":
        verdict = say(
            "Better: {choice}. On average that earns {otherwise} laurels instead of {earned}: {difference} more.",
            **numbers,
        )
    else:
        verdict = say(
            "A good eye: {choice} would have suggested itself, and earns {otherwise} laurels on average instead of "
            "{earned}: {difference} less.",
            **numbers,
        )
    return DecidedInWords(_played(decided.played, chronicle.chariots[decided.chariot]), verdict)


def _played(choice: Choice, chariot: Chronicled) -> str:
    """What somebody did, as a sentence."""
    name, card, pile = chariot.name, choice.card, ROMAN[choice.pile or 0]
    match choice.kind:
        case "play" if choice.space is None:
            return say("{name} plays {card} and is home.", name=name, card=card)
        case "play":
            return say("{name} plays {card} to {space}.", name=name, card=card, space=choice.space)
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
            return say("{name} lays the emperor's 3 on pile {pile}.", name=name, pile=pile)


def _choice(choice: Choice) -> str:
    """Something that could have been done, in a few words."""
    match choice.kind:
        case "play" if choice.space is None:
            return say("{card} and home", card=choice.card)
        case "play":
            return say("{card} to {space}", card=choice.card, space=choice.space)
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


def _decimal(number: float) -> str:
    text = f"{number:.1f}"
    return text.replace(".", ",") if spoken() in DECIMAL_COMMA else text
