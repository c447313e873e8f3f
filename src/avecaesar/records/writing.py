"""From races to records: every decision in its place, with everything that only its driver knew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

from msgspec import UNSET, UnsetType

from avecaesar.game import ChooseDeck, Chosen, Crash, Draw, Lay, Miss, Play, Race, Sort, Turn, Vote, Withdraw
from avecaesar.game.numbers import ChariotNumber
from avecaesar.game.sealed_chance import commitment_of
from avecaesar.records.boards import recorded, tell_apart
from avecaesar.records.shape import (
    FORMAT,
    VERSION,
    Choice,
    Record,
    RecordedChariot,
    RecordedRace,
    RecordedTurn,
    RecordedVote,
    RecordError,
    Seal,
    checked,
    recorded_rules,
)
from avecaesar.rules import DECKS, EDITIONS, REPAIRS, Rules


@dataclass(frozen=True, slots=True)
class Crew:
    """A chariot's colour and who drives it: "human", "riderless", or the name of a driver of the computer's."""

    colour: str
    driver: str


@lru_cache(maxsize=256)
def nearest_editions(rules: Rules) -> tuple[str, ...]:
    """The editions that differ from these rules in the fewest options, those apart that were repaired since.

    >>> nearest_editions(EDITIONS["fiche"].rules.with_options({"crash": "yes"}))
    ('fiche',)
    """
    repaired = {repair.option for repair in REPAIRS}
    differing = {name: len(rules.differences(edition.rules).keys() - repaired) for name, edition in EDITIONS.items()}
    return tuple(name for name, count in differing.items() if count == min(differing.values()))


def seal_of(secret: bytes, shares: Sequence[bytes]) -> Seal:
    """The seal of a race whose cards were dealt by this secret and these shares, opened."""
    opened = {"commitment": commitment_of(secret), "secret": secret.hex(), "shares": [share.hex() for share in shares]}
    return checked(opened, Seal)


def record_of(
    races: Sequence[Race],
    crews: Sequence[Sequence[Crew]],
    edition: str,
    seals: Sequence[Seal | None] | None = None,
) -> Record:
    """One race, or the races of a tournament so far; crews in each race's grid order.

    `edition` is the name that was asked for; it is kept if no other edition is nearer to the rules. Of a race that is
    not over, votes are left out until the turn that they decide has been taken. `seals` say where the cards of each
    race came from; of a race that is not over, None.
    """
    if not races or len(races) != len(crews):
        raise RecordError(f"a record has a crew list for each of its races, not {len(crews)} for {len(races)}")
    seals = [None] * len(races) if seals is None else seals
    if len(races) != len(seals):
        raise RecordError(f"a record has a seal or none for each of its races, not {len(seals)} for {len(races)}")
    rules = races[0].rules
    if any(race.rules != rules for race in races):
        raise RecordError("the races of a record are run by the same rules")
    nearest = nearest_editions(rules)
    boards = {recorded(race.course.board): race.course.board for race in races}
    tell_apart(list(boards.values()), [race.course.name for race in races])
    return Record(
        format=FORMAT,
        version=VERSION,
        edition=edition if edition in nearest else nearest[0],
        rules=recorded_rules(rules),
        boards=tuple(boards),
        races=tuple(_race(*race) for race in zip(races, crews, seals, strict=True)),
    )


_over: WeakKeyDictionary[Race, tuple[tuple[Crew, ...], Seal | None, RecordedRace]] = WeakKeyDictionary()


def _race(race: Race, crews: Sequence[Crew], seal: Seal | None) -> RecordedRace:
    """A race; one that is over is written once, for the records of a long tournament have it again and again."""
    if race in _over and _over[race][:2] == (tuple(crews), seal):
        return _over[race][2]
    written = _written(race, crews, seal)
    if race.over:
        _over[race] = tuple(crews), seal, written
    return written


def _written(race: Race, crews: Sequence[Crew], seal: Seal | None) -> RecordedRace:
    if len(crews) != len(race.names):
        raise RecordError(f"{len(race.names)} chariots have as many crews, not {len(crews)}")
    if seal is not None and not race.over:
        raise RecordError("a seal is opened when its race is over, and not before")
    return RecordedRace(
        course=race.course.name,
        direction=race.course.direction,
        chariots=tuple(_chariot(race, chariot, crew) for chariot, crew in zip(race.grid, crews, strict=True)),
        decks=decks_of(race),
        choices=choices_of(race),
        turns=tuple(_turns(race)),
        arrivals=race.arrivals,
        disqualified=tuple(sorted(race.disqualified)),
        laurels=race.laurels,
        seal=UNSET if seal is None else seal,
    )


def _chariot(race: Race, chariot: ChariotNumber, crew: Crew) -> RecordedChariot:
    written = {
        "name": race.names[chariot],
        "colour": crew.colour,
        "driver": crew.driver,
        "riderless": chariot in race.riderless,
    }
    return checked(written, RecordedChariot)


def decks_of(race: Race) -> tuple[tuple[int, ...], ...]:
    """Each chariot's cards, first drawn first; of a deck that is not sorted yet, by their value."""
    if race.rules.draw != "from_piles":
        return race.decks
    return tuple(
        _by_value(DECKS["slow" if chosen is None else chosen.deck])
        if chariot in race.driven and (chosen is None or chosen.piles is None)
        else deck
        for chariot, deck, chosen in zip(race.grid, race.decks, race.choices, strict=True)
    )


def _by_value(counts: Sequence[int]) -> tuple[int, ...]:
    return tuple(card for card, count in enumerate(counts, 1) for _ in range(count))


def choices_of(race: Race) -> tuple[Choice | None, ...] | UnsetType:
    """What each driver chose and sorted before the race, as far as he has; nothing where decks are not sorted."""
    if race.rules.draw != "from_piles":
        return UNSET
    return tuple(None if chosen is None else _choice(chosen) for chosen in race.choices)


def _choice(chosen: Chosen) -> Choice:
    if chosen.piles is None:
        return Choice(deck=chosen.deck)
    return Choice(deck=chosen.deck, piles=chosen.piles, emperor=chosen.emperor)


def _turns(race: Race) -> Iterator[RecordedTurn]:
    """The decisions since the race began; votes stand in the turn that they decide."""
    votes: dict[str, RecordedVote] | UnsetType = UNSET
    for turn in race.history:
        match turn.move:
            case ChooseDeck() | Sort():
                continue
            case Vote(card, to):
                votes = {} if votes is UNSET else votes
                if card is not None and to is not None:
                    votes[race.names[turn.chariot]] = RecordedVote(play=card, to=to)
            case _:
                yield _turn(race, turn, votes)
                votes = UNSET


def _turn(race: Race, turn: Turn, votes: dict[str, RecordedVote] | UnsetType) -> RecordedTurn:
    match turn.move:
        case Play(card, to):
            return RecordedTurn(chariot=turn.chariot, votes=votes, play=card, to=to)
        case Miss(exchange):
            assert turn.reason is not None
            return RecordedTurn(chariot=turn.chariot, miss=turn.reason, exchange=exchange)
        case Crash():
            return RecordedTurn(chariot=turn.chariot, crash=True)
        case Withdraw():
            return RecordedTurn(chariot=turn.chariot, withdraw=True)
        case Draw(pile):
            return RecordedTurn(chariot=turn.chariot, draw=pile)
        case Lay(pile):
            return RecordedTurn(chariot=turn.chariot, lay=card_laid(race, turn.chariot), pile=pile)
        case _:
            raise RecordError("a record is made by the one who knows all the cards")


def card_laid(race: Race, chariot: int) -> int:
    """The card that a driver lays on a pile: the last of the emperor's (AUS-4)."""
    chosen = race.choices[chariot]
    assert chosen is not None
    return chosen.emperor[-1]
