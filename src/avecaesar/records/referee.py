"""From races to records and back: the referee runs every recorded race again and compares everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from msgspec import UNSET

from avecaesar.courses import Course
from avecaesar.game import Crash, IllegalMove, Miss, Move, Play, Race, Turn, Withdraw
from avecaesar.game.tournament import check_sides, courses_wanted, next_grid, stages
from avecaesar.records.boards import courses_of, recorded
from avecaesar.records.files import read_record
from avecaesar.records.shape import (
    FORMAT,
    VERSION,
    Record,
    RecordedChariot,
    RecordedRace,
    RecordedRules,
    RecordedTurn,
    RecordError,
    checked,
    rules_of,
)
from avecaesar.rules import EDITIONS, Rules, RulesError, check_playable


@dataclass(frozen=True, slots=True)
class Crew:
    """Who drives a chariot, and in which colour; `driver` is "human" or names a driver of the computer's."""

    colour: str
    driver: str
    riderless: bool = False


@lru_cache(maxsize=256)
def nearest_editions(rules: Rules) -> tuple[str, ...]:
    """The editions that differ from these rules in the fewest options.

    >>> nearest_editions(EDITIONS["fiche"].rules.with_options({"crash": "yes"}))
    ('fiche',)
    """
    differing = {name: len(rules.differences(edition.rules)) for name, edition in EDITIONS.items()}
    return tuple(name for name, count in differing.items() if count == min(differing.values()))


# ---------------------------------------------------------------------- writing it down


def record_of(races: Sequence[Race], crews: Sequence[Sequence[Crew]], edition: str) -> Record:
    """One race, or the races of a tournament so far; crews in each race's grid order.

    `edition` is the name that was asked for; it is kept if no other edition is nearer to the rules.
    """
    if not races or len(races) != len(crews):
        raise RecordError(f"a record has a crew list for each of its races, not {len(crews)} for {len(races)}")
    rules = races[0].rules
    if any(race.rules != rules for race in races):
        raise RecordError("the races of a record are run by the same rules")
    nearest = nearest_editions(rules)
    boards = dict.fromkeys(recorded(race.course.board) for race in races)
    record = Record(
        format=FORMAT,
        version=VERSION,
        edition=edition if edition in nearest else nearest[0],
        rules=RecordedRules(**{name: getattr(rules, name) for name in RecordedRules.__struct_fields__}),
        boards=tuple(boards),
        races=tuple(_race(race, crew) for race, crew in zip(races, crews, strict=True)),
    )
    courses_of(record)  # two boards whose names or courses cannot be told apart are refused now
    return record


def _race(race: Race, crews: Sequence[Crew]) -> RecordedRace:
    if len(crews) != len(race.names):
        raise RecordError(f"{len(race.names)} chariots have as many crews, not {len(crews)}")
    return RecordedRace(
        course=race.course.name,
        direction=race.course.direction,
        chariots=tuple(_chariot(name, crew) for name, crew in zip(race.names, crews, strict=True)),
        decks=race.decks,
        turns=tuple(_turn(turn) for turn in race.history),
        arrivals=race.arrivals,
        disqualified=tuple(sorted(race.disqualified)),
        laurels=race.laurels,
    )


def _chariot(name: str, crew: Crew) -> RecordedChariot:
    written = {"name": name, "colour": crew.colour, "driver": crew.driver, "riderless": crew.riderless}
    return checked(written, RecordedChariot)


def _turn(turn: Turn) -> RecordedTurn:
    match turn.move:
        case Play(card, to):
            return RecordedTurn(chariot=turn.seat, play=card, to=to)
        case Miss(exchange):
            assert turn.reason is not None
            return RecordedTurn(chariot=turn.seat, miss=turn.reason, exchange=exchange)
        case Crash():
            return RecordedTurn(chariot=turn.seat, crash=True)
        case Withdraw():
            return RecordedTurn(chariot=turn.seat, withdraw=True)
        case None:
            raise RecordError("a record is made by the one who knows all the cards")


# ---------------------------------------------------------------------- refereeing it again


def referee(record: Record, *, unfinished: bool = False) -> tuple[Race, ...]:
    """Run all races again, or say where the record departs from the rules; the last may break off if `unfinished`."""
    rules = rules_of(record)
    for race in record.races:
        _told("rules", check_playable, rules, len(race.chariots))
    _check_edition(record, rules)
    courses = courses_of(record)
    if len(record.races) > 1:
        _check_stages(rules, courses)
    races: list[Race] = []
    for number, (race, course) in enumerate(zip(record.races, courses, strict=True), 1):
        where = f"race {number}"
        _check_chariots(where, race)
        if races:
            _check_grid(where, rules, record.races, races)
        races.append(_replayed(where, race, course, rules))
        if not (races[-1].over or (unfinished and number == len(record.races))):
            _fail(where, f"it breaks off after turn {len(race.turns)}, and it is {_who(races[-1])} turn")
        _check_result(where, race, races[-1])
    return tuple(races)


def _fail(where: str, problem: str) -> NoReturn:
    raise RecordError(f"{where}: {problem}")


def _told(where: str, ask: Any, *arguments: Any, **named: Any) -> Any:
    """Ask the game; what it refuses, the record is refused for, in its words."""
    try:
        return ask(*arguments, **named)
    except (RulesError, IllegalMove) as error:
        _fail(where, str(error))


def _who(race: Race) -> str:
    return "nobody's" if race.turn is None else f"{race.names[race.turn]}'s"


def _check_edition(record: Record, rules: Rules) -> None:
    nearest = nearest_editions(rules)
    if record.edition not in nearest:
        _fail("edition", f"these rules are nearest to {' and '.join(nearest)}, not to {record.edition}")


def _check_chariots(where: str, race: RecordedRace) -> None:
    colours = [chariot.colour for chariot in race.chariots]
    if len(set(colours)) != len(colours):
        _fail(where, "two chariots have the same colour")
    if any(chariot.riderless for chariot in race.chariots):
        _fail(where, "a chariot is riderless, and the rules have none")
    if race.choices is not UNSET:
        _fail(where, "the rules leave no choice of decks, and choices are recorded")


def _replayed(where: str, recorded: RecordedRace, course: Course, rules: Rules) -> Race:
    names = [chariot.name for chariot in recorded.chariots]
    race: Race = _told(where, Race, course, names, rules=rules, decks=recorded.decks)
    for number, turn in enumerate(recorded.turns, 1):
        here = f"{where}, turn {number}"
        if race.over:
            _fail(here, f"the race was over after turn {number - 1}")
        if turn.chariot != race.turn:
            _fail(here, f"it is {_who(race)} turn, chariot {race.turn}, not that of chariot {turn.chariot}")
        _told(here, race.play, _move(here, turn))
        if turn.miss is not UNSET and turn.miss != (reason := race.history[-1].reason):
            _fail(here, f"the turn was missed because the chariot was {reason}, not {turn.miss}")
    return race


def _move(where: str, turn: RecordedTurn) -> Move:
    if turn.votes is not UNSET:
        _fail(where, "votes move a riderless chariot, and the rules have none")
    if turn.play is not UNSET and turn.to is not UNSET:
        return Play(turn.play, turn.to)
    if turn.miss is not UNSET and turn.exchange is not UNSET:
        return Miss(turn.exchange)
    if turn.crash is not UNSET:
        return Crash()
    if turn.withdraw is not UNSET:
        return Withdraw()
    _fail(where, "a card is drawn from a pile or laid on one, and the rules have no piles")


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
    _told("race 2", check_sides, rules, chosen)
    expected = stages(rules, [course.name for course in chosen])
    for number, (course, (name, direction)) in enumerate(zip(courses, expected, strict=False), 1):
        if (course.name, course.direction) != (name, direction):
            _fail(f"race {number}", f"the schedule has {name} {direction} here, not {course} (NEXT-1)")


def _check_grid(where: str, rules: Rules, recorded: Sequence[RecordedRace], races: Sequence[Race]) -> None:
    """The same drivers, in the order that follows from the race before (NEXT-2)."""
    first, this = recorded[0], recorded[len(races)]
    seats = {(chariot.name, chariot.colour): seat for seat, chariot in enumerate(first.chariots)}
    drivers = [(chariot.name, chariot.colour) for chariot in this.chariots]
    if sorted(drivers) != sorted(seats):
        _fail(where, "a tournament is run by the same drivers in the same colours from race to race")
    names = [chariot.name for chariot in first.chariots]
    arrivals = [names.index(races[-1].names[chariot]) for chariot in races[-1].arrivals]
    expected = next_grid(rules, range(len(names)), arrivals)
    if [seats[driver] for driver in drivers] != list(expected):
        _fail(where, f"after the race before, the grid is {', '.join(names[seat] for seat in expected)} (NEXT-2)")


def verified(path: str | Path, *, unfinished: bool = False) -> tuple[Record, tuple[Race, ...]]:
    """Read a record from a file and referee it; what is wrong is told with the file's name."""
    record = read_record(path)
    try:
        return record, referee(record, unfinished=unfinished)
    except RecordError as error:
        raise RecordError(str(error), path) from None
