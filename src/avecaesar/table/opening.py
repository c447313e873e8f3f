"""What there is to know before the first turn of a race, in words."""

from __future__ import annotations

from avecaesar.courses import ROMAN
from avecaesar.rules import EDITIONS
from avecaesar.table.table import Seat, Table, character_of
from avecaesar.table.wording import changes_in_words


def opening(table: Table) -> list[str]:
    """The race, its house rules, who drives for the computer, how the grid came about, and the grid."""
    names = [seat.name for seat in table.setup.seats]
    lines = [title(table) + "."]
    house = changes_in_words(table.race.rules, EDITIONS[table.setup.edition].rules)
    lines += [f"House rules: {'; '.join(house)}."] if house else []
    lines += [told for seat in table.setup.seats if (told := _introduced(seat))]
    if table.number == 0 and not table.race.history:
        for shown in table.turned_up:
            cards = ", ".join(f"{names[seat]} {card}" for seat, card in shown.items())
            lines.append(f"Cards are turned up for the grid: {cards}.")
    lines.append(f"Grid: {grid(table)}.")
    if table.race.riderless:
        vote = table.race.rules.riderless_moves == "vote"
        how = "all players vote on where they go" if vote else "they move by a fixed rule"
        lines.append(f"Chariots without a driver draw their card when their turn comes; {how}.")
    return lines


def title(table: Table) -> str:
    """Which race it is."""
    many = len(table.stages)
    race = f"Race {table.number + 1} of {many}: " if many > 1 else ""
    name = f"{table.race.course.name} {table.race.course.direction}"
    edition = table.setup.edition + (" with house rules" if table.setup.options else "")
    return f"{race}{name if race else name[0].upper() + name[1:]}, {edition}"


def grid(table: Table) -> str:
    """Who stands where."""
    return ", ".join(f"{ROMAN[i]} {rig.name}{' (riderless)' * (rig.seat is None)}" for i, rig in enumerate(table.rigs))


def _introduced(seat: Seat) -> str:
    """Who drives for the computer, if it is one of our characters."""
    character = character_of(seat.driver)
    if character is None:
        return ""
    who = seat.name if seat.name == character.title else f"{seat.name} is driven by {character.title}"
    return f"{who}, {character.level}, {character.tells}."
