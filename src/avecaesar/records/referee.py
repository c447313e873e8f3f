"""From records back to races: the referee runs every recorded race again and compares everything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from msgspec import UNSET, UnsetType

from avecaesar.courses import Course
from avecaesar.game import ChooseDeck, IllegalMove, InvalidMove, Move, Race, Sort, Vote
from avecaesar.game.lineup import line_up, names_of
from avecaesar.game.numbers import EntryNumber
from avecaesar.game.sealed_chance import Lot, commitment_of
from avecaesar.game.tournament import check_sides, courses_wanted, next_grid, stages
from avecaesar.records.boards import courses_of
from avecaesar.records.record_files import read_record
from avecaesar.records.shape import Record, RecordedRace, RecordedTurn, RecordedVote, RecordError, Seal, rules_of
from avecaesar.records.writing import card_laid, choices_of, decks_of, nearest_editions
from avecaesar.rules import DECK, Rules, RulesError

Deal = Sequence[Sequence[int]]


def referee(
    record: Record, *, unfinished: bool = False, deal: Deal | None = None, memory_aid: bool = True
) -> tuple[Race, ...]:
    """Run all races again, or say where the record departs from the rules; the last may break off if `unfinished`.

    `deal` is how the cards of the last race were dealt, if that is known: where decks are sorted into piles the record
    leaves it open, and it is needed until everybody has sorted his. A race with a seal is dealt by its seal.
    """
    rules = rules_of(record)
    _check_edition(record, rules)
    courses = courses_of(record)
    if len(record.races) > 1:
        _check_stages(rules, courses)
    races: list[Race] = []
    for number, (recorded, course) in enumerate(zip(record.races, courses, strict=True), 1):
        where, is_last = f"race {number}", number == len(record.races)
        _check_chariots(where, recorded, rules)
        if races:
            _check_grid(where, rules, record.races, races)
        race = _lined_up(where, recorded, course, rules, deal if is_last else None, memory_aid)
        _choose(where, recorded, race)
        for turn, taken in enumerate(recorded.turns, 1):
            _take(f"{where}, turn {turn}", race, taken)
        if not (race.over or (unfinished and is_last)):
            _fail(where, f"it breaks off after turn {len(recorded.turns)}, and it is {_who(race)} turn")
        if not (race.over or recorded.seal is UNSET):
            _fail(where, "it is not over, and a seal is opened when the race is over, not before")
        _check_result(where, recorded, race)
        races.append(race)
    return tuple(races)


def verified(path: str | Path, *, unfinished: bool = False) -> tuple[Record, tuple[Race, ...]]:
    """Read a record from a file and referee it; what is wrong is told with the file's name."""
    record = read_record(path)
    try:
        return record, referee(record, unfinished=unfinished)
    except RecordError as error:
        raise RecordError(str(error), path) from None


def _fail(where: str, problem: str) -> NoReturn:
    raise RecordError(f"{where}: {problem}")


@contextmanager
def _asking(where: str) -> Iterator[None]:
    """The game is asked in here; what it refuses, the record is refused for, in its words."""
    try:
        yield
    except (RulesError, IllegalMove, InvalidMove) as error:
        _fail(where, str(error))


def _check_edition(record: Record, rules: Rules) -> None:
    nearest = nearest_editions(rules)
    if record.edition not in nearest:
        _fail("edition", f"these rules are nearest to {' and '.join(nearest)}, not to {record.edition}")


# ---------------------------------------------------------------------- before the race


def _check_chariots(where: str, race: RecordedRace, rules: Rules) -> None:
    """One deck and colour for each, and where decks are sorted one choice for each that is driven."""
    colours = [chariot.colour for chariot in race.chariots]
    if len(set(colours)) != len(colours):
        _fail(where, "two chariots have the same colour")
    if len(race.decks) != len(race.chariots):
        _fail(where, f"{len(race.chariots)} chariots have as many decks, not {len(race.decks)}")
    if race.choices is UNSET:
        if rules.draw == "from_piles":
            _fail(where, "decks are sorted into piles, and no choices are recorded (AUS-3)")
        return
    if rules.draw != "from_piles":
        _fail(where, "these rules leave nothing to choose, and choices are recorded")
    if len(race.choices) != len(race.chariots):
        _fail(where, f"{len(race.chariots)} chariots have as many choices, not {len(race.choices)}")
    for chariot, deck, choice in zip(race.chariots, race.decks, race.choices, strict=True):
        if choice is not None and chariot.riderless:
            _fail(where, f"{chariot.name} is riderless, and a choice is recorded")
        if choice is not None and choice.piles is not UNSET and choice.cards != deck:
            _fail(where, f"the deck of {chariot.name} is not its piles, one after another, and the emperor's cards")


def _lined_up(
    where: str, recorded: RecordedRace, course: Course, rules: Rules, deal: Deal | None, memory_aid: bool
) -> Race:
    """The race before its first decision, with the chariots on the grid where the rules put them."""
    names = tuple(chariot.name for chariot in recorded.chariots)
    driven = [chariot.name for chariot in recorded.chariots if not chariot.riderless]
    riderless = [chariot.name for chariot in recorded.chariots if chariot.riderless]
    lot = None if recorded.seal is UNSET else _lot(where, recorded.seal)
    with _asking(where):
        grid = line_up(names_of(driven), rules, course.side, riderless).names
    if grid != names:
        _fail(where, f"the grid is {', '.join(grid)}: riderless chariots have places of their own (NPC-1, NPC-2)")
    decks = None if lot is not None else _deal(where, recorded) if deal is None else deal
    with _asking(where):
        race = Race(
            course, chariots=driven, riderless=riderless, rules=rules, decks=decks, memory_aid=memory_aid, seed=lot
        )
    if lot is not None and deal is not None and [list(deck) for deck in deal] != [list(deck) for deck in race.deal]:
        _fail(where, "the deal is not the one under the seal")
    return race


def _lot(where: str, seal: Seal) -> Lot:
    """What dealt the cards, if the secret is the one that was pledged before the race."""
    if commitment_of(bytes.fromhex(seal.secret)) != seal.commitment:
        _fail(where, "the seal is broken: the commitment made before the race is not the SHA-256 of the secret")
    return seal.lot("deal")


def _deal(where: str, race: RecordedRace) -> Deal:
    """A deal that leads to the recorded decks and piles."""
    if race.choices is UNSET:
        return race.decks
    deal: list[Sequence[int]] = []
    for chariot, deck, choice in zip(race.chariots, race.decks, race.choices, strict=True):
        if chariot.riderless:
            deal.append(deck)
        elif choice is None or choice.piles is UNSET:
            _fail(where, f"{chariot.name} has sorted no deck, and so the cards cannot be dealt again (AUS-3)")
        else:
            deal.append(shuffle_of(choice.piles))
    return deal


def shuffle_of(piles: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The shuffle that brings piles into this order: see `kernel.piles.sort_piles`.

    A sorted deck's cards are numbered pile after pile, in a pile by their value; the shuffle lists these numbers, first
    drawn first. Numbers that no card has come last.

    >>> shuffle_of([(6, 5, 6), (2, 1), (3,)])[:6]
    (1, 0, 2, 4, 3, 5)
    """
    shuffle: list[int] = []
    for pile in piles:
        first = len(shuffle)
        by_value = sorted(range(len(pile)), key=pile.__getitem__)
        shuffle += (first + by_value.index(place) for place in range(len(pile)))
    return (*shuffle, *range(len(shuffle), len(DECK)))


def _choose(where: str, recorded: RecordedRace, race: Race) -> None:
    """The choices before the race, one after the other as far as they were made."""
    while (move := _chosen(recorded, race)) is not None:
        with _asking(f"{where}, choice of {race.names[race.turn or 0]}"):
            race.play(move)
    under = "" if recorded.seal is UNSET else " under the seal"
    if recorded.choices is not UNSET and (made := choices_of(race)) is not UNSET:
        for name, told, is_so in zip(race.names, recorded.choices, made, strict=True):
            if told and is_so and is_so.emperor is not UNSET and is_so.emperor != told.emperor:
                _fail(where, f"the emperor's cards of {name} are not those that are put aside here (AUS-2)")
            if told != is_so:
                _fail(where, f"the choice of {name} does not follow from the deal{under} and the choices before it")
    for name, deck, dealt in zip(race.names, recorded.decks, decks_of(race), strict=True):
        if deck != dealt:
            _fail(where, f"the deck of {name} is not the one that was dealt{under}")


def _chosen(recorded: RecordedRace, race: Race) -> Move | None:
    """What the driver who is asked before the race chose; None if nobody is, or he had not chosen yet."""
    choice = None if recorded.choices is UNSET or race.turn is None else recorded.choices[race.turn]
    if choice is not None and race.asks == "deck":
        return ChooseDeck(choice.deck)
    if choice is not None and race.asks == "sort" and choice.piles is not UNSET:
        return Sort(choice.piles)
    return None


# ---------------------------------------------------------------------- turns and results


def _take(where: str, race: Race, turn: RecordedTurn) -> None:
    """One turn, and what it says of itself."""
    if race.over:
        _fail(where, "the race was over before this")
    if turn.chariot != race.mover:
        _fail(where, f"it is {_who(race)} turn, chariot {race.mover}, not that of chariot {turn.chariot}")
    _vote(where, race, turn.votes)
    with _asking(where):
        race.play(turn.move)
    if turn.miss is not UNSET and turn.miss != (reason := race.history[-1].reason):
        _fail(where, f"the turn was missed because the chariot was {reason}, not {turn.miss}")
    if turn.lay is not UNSET and turn.lay != (card := card_laid(race, turn.chariot)):
        _fail(where, f"the card laid on a pile is the emperor's {card}, not a {turn.lay} (AUS-4)")


def _who(race: Race) -> str:
    return "nobody's" if race.mover is None else f"{race.names[race.mover]}'s"


def _vote(where: str, race: Race, votes: Mapping[str, RecordedVote] | UnsetType) -> None:
    """Ask everybody for his vote, if there is a vote (NPC-3)."""
    if race.asks == "vote" and votes is UNSET:
        _fail(where, f"{_who(race)} move is put to the vote, and no votes are recorded (NPC-3)")
    if race.asks != "vote" and votes is not UNSET:
        _fail(where, "votes are recorded, and there is nothing to vote on (NPC-3)")
    left = {} if votes is UNSET else dict(votes)
    while race.asks == "vote":
        voter = race.names[race.turn or 0]
        vote = left.pop(voter, None)
        with _asking(f"{where}, vote of {voter}"):
            race.play(Vote() if vote is None else Vote(vote.play, vote.to))
    for stranger in left:
        _fail(where, f"{stranger} has no vote: each player votes once, in the name of his first chariot (NPC-3)")


def _check_result(where: str, recorded: RecordedRace, race: Race) -> None:
    if recorded.arrivals != race.arrivals:
        _fail(where, f"the order of arrival is {list(race.arrivals)}, not {list(recorded.arrivals)}")
    disqualified = sorted(race.disqualified)
    if list(recorded.disqualified) != disqualified:
        _fail(where, f"disqualified are {disqualified}, not {list(recorded.disqualified)}")
    if recorded.laurels != race.laurels:
        _fail(where, f"the laurels are {list(race.laurels)}, not {list(recorded.laurels)}")


# ---------------------------------------------------------------------- tournaments


def _check_stages(rules: Rules, courses: Sequence[Course]) -> None:
    if len(courses) > rules.races:
        raise RecordError(f"a tournament of these rules has {rules.races} races, not {len(courses)}")
    chosen = courses[: courses_wanted(rules)]
    with _asking("race 2"):
        check_sides(rules, chosen)
    expected = stages(rules, [course.name for course in chosen])
    for number, (course, (name, direction)) in enumerate(zip(courses, expected, strict=False), 1):
        if (course.name, course.direction) != (name, direction):
            _fail(f"race {number}", f"the schedule has {name} {direction} here, not {course} (NEXT-1)")


def _check_grid(where: str, rules: Rules, recorded: Sequence[RecordedRace], races: Sequence[Race]) -> None:
    """The same chariots, those that are driven in the order that follows from the race before (NEXT-2)."""
    before, this = recorded[: len(races)], recorded[len(races)]
    entries, drivers = _painted(before[0], riderless=False), _painted(this, riderless=False)
    if sorted(drivers) != sorted(entries):
        _fail(where, "a tournament is run by the same drivers in the same colours from race to race")
    for race in before:
        pairs = zip(_painted(race, riderless=True), _painted(this, riderless=True), strict=False)
        if any(one != other for one, other in pairs):
            _fail(where, "riderless chariots have the same names and colours from race to race (NPC-2)")
    names, last = [name for name, _ in entries], races[-1]
    numbers = {name: EntryNumber(number) for number, name in enumerate(names)}
    arrivals = [numbers[last.names[chariot]] for chariot in last.arrivals if chariot in last.driven]
    expected = next_grid(rules, [*numbers.values()], arrivals)
    if [entries.index(driver) for driver in drivers] != list(expected):
        _fail(where, f"after the race before, the grid is {', '.join(names[entry] for entry in expected)} (NEXT-2)")


def _painted(race: RecordedRace, *, riderless: bool) -> list[tuple[str, str]]:
    """The names and colours of the chariots that are driven, or of the others, in grid order."""
    return [(chariot.name, chariot.colour) for chariot in race.chariots if chariot.riderless == riderless]
