"""What there is to know before the first turn of a race, in words."""

from __future__ import annotations

from avecaesar.courses import ROMAN
from avecaesar.rules import EDITIONS, internal
from avecaesar.speech import say
from avecaesar.table.table import PERSONS, Seat, Table, character_of
from avecaesar.telling.wording import capital, changes_in_words, short_name


def opening(table: Table) -> list[str]:
    """The race, its house rules, who drives for the computer, how the grid came about, and the grid."""
    names = [seat.name for seat in table.setup.seats]
    lines = [title(table) + "."]
    house = changes_in_words(table.race.rules, EDITIONS[table.setup.edition].rules)
    lines += [say("House rules: {rules}.", rules="; ".join(house))] if house else []
    lines += [told for seat in table.setup.seats if (told := _introduced(seat))]
    if table.number == 0 and not table.race.history:
        for shown in table.turned_up:
            cards = ", ".join(f"{names[seat]} {card}" for seat, card in shown.items())
            lines.append(say("Cards are turned up for the grid: {cards}.", cards=cards))
    lines.append(say("Grid: {grid}.", grid=grid(table)))
    if table.race.riderless:
        if table.race.rules.riderless_moves == "vote":
            lines.append(
                say(
                    "Chariots without a driver draw their card when their turn comes; "
                    "all players vote on where they go."
                )
            )
        else:
            lines.append(
                say("Chariots without a driver draw their card when their turn comes; they move by a fixed rule.")
            )
    return lines


def title(table: Table) -> str:
    """Which race it is."""
    many, edition = len(table.stages), short_name(table.setup.edition)
    if table.setup.options.keys() - internal().keys():
        edition = say("{edition} with house rules", edition=edition)
    course, direction = say(table.race.course.name), say(table.race.course.direction)
    if many == 1:
        return capital(say("{course} {direction}, {edition}", course=course, direction=direction, edition=edition))
    return say(
        "Race {number} of {many}: {course} {direction}, {edition}",
        number=table.number + 1,
        many=many,
        course=course,
        direction=direction,
        edition=edition,
    )


def grid(table: Table) -> str:
    """Who stands where."""
    names = [say("{name} (riderless)", name=rig.name) if rig.seat is None else rig.name for rig in table.rigs]
    return ", ".join(f"{ROMAN[i]} {name}" for i, name in enumerate(names))


def _introduced(seat: Seat) -> str:
    """Who drives for the computer, if it is a person; what is there for experiments is not introduced."""
    character = character_of(seat.driver)
    if character not in PERSONS:
        return ""
    who = seat.name
    if who != character.title:
        who = say("{name} is driven by {driver}", name=who, driver=character.title)
    return f"{who}, {say(character.level)}, {say(character.tells)}."
