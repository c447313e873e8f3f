"""What there is to know before the first turn of a race. Nothing is put into words before somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from avecaesar.courses import ROMAN, Course
from avecaesar.rules import EDITIONS, Rules, internal
from avecaesar.speech import say
from avecaesar.table.table import PERSONS, Rig, Seat, Setup, Table, character_of
from avecaesar.telling.wording import capital, changed, changes_in_words, short_name

Words = Callable[[], str]


def opening(table: Table) -> list[Words]:
    """The race, its house rules, who drives for the computer, how the grid came about, and the grid.

    Each sentence is about the table as it is now, whenever it is put into words: others may sit there by then.
    """
    setup, race, usual = table.setup, table.race, EDITIONS[table.setup.edition].rules
    sentences: list[Words] = [partial(_race, setup, race.course, table.number, len(table.stages))]
    if changed(race.rules, usual):
        sentences.append(partial(_house_rules, race.rules, usual))
    sentences += [partial(_introduced, seat) for seat in setup.seats if character_of(seat.driver) in PERSONS]
    if table.number == 0 and not race.history:
        names = [seat.name for seat in setup.seats]
        sentences += [partial(_turned_up, names, shown) for shown in table.turned_up]
    sentences.append(partial(_grid, table.rigs))
    if race.riderless:
        sentences.append(partial(_riderless, race.rules.riderless_moves == "vote"))
    return sentences


def _house_rules(rules: Rules, usual: Rules) -> str:
    return say("House rules: {rules}.", rules="; ".join(changes_in_words(rules, usual)))


def _turned_up(names: Sequence[str], shown: Mapping[int, int]) -> str:
    cards = ", ".join(f"{names[seat]} {card}" for seat, card in shown.items())
    return say("Cards are turned up for the grid: {cards}.", cards=cards)


def _grid(rigs: Sequence[Rig]) -> str:
    return say("Grid: {grid}.", grid=_places(rigs))


def _riderless(by_vote: bool) -> str:
    if by_vote:
        return say(
            "Chariots without a driver draw their card when their turn comes; all players vote on where they go."
        )
    return say("Chariots without a driver draw their card when their turn comes; they move by a fixed rule.")


def _race(setup: Setup, course: Course, number: int, many: int) -> str:
    return _title(setup, course, number, many) + "."


def title(table: Table) -> str:
    """Which race it is."""
    return _title(table.setup, table.race.course, table.number, len(table.stages))


def _title(setup: Setup, course: Course, number: int, many: int) -> str:
    edition = short_name(setup.edition)
    if setup.options.keys() - internal().keys():
        edition = say("{edition} with house rules", edition=edition)
    where, direction = say(course.name), say(course.direction)
    if many == 1:
        return capital(say("{course} {direction}, {edition}", course=where, direction=direction, edition=edition))
    return say(
        "Race {number} of {many}: {course} {direction}, {edition}",
        number=number + 1,
        many=many,
        course=where,
        direction=direction,
        edition=edition,
    )


def grid(table: Table) -> str:
    """Who stands where."""
    return _places(table.rigs)


def _places(rigs: Sequence[Rig]) -> str:
    names = [say("{name} (riderless)", name=rig.name) if rig.seat is None else rig.name for rig in rigs]
    return ", ".join(f"{ROMAN[i]} {name}" for i, name in enumerate(names))


def _introduced(seat: Seat) -> str:
    """Who drives for the computer, if it is a person; what is there for experiments is not introduced."""
    character = character_of(seat.driver)
    assert character is not None
    who = seat.name
    if who != character.title:
        who = say("{name} is driven by {driver}", name=who, driver=character.title)
    return f"{who}, {say(character.level)}, {say(character.tells)}."
