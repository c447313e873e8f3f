"""Who lines up: the drivers, their chariots, and chariots without a driver; default names where none are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from avecaesar.courses import ROMAN
from avecaesar.game.numbers import ChariotNumber, EntryNumber
from avecaesar.kernel import entry_points, packing
from avecaesar.rules import Rules, RulesError, check_playable, riderless_in
from avecaesar.speech import say

NAMES = ("Aulus", "Brutus", "Cato", "Drusus", "Ennius", "Flavia")
HORSES = ("Celer", "Volucer", "Tigris", "Passer", "Aquilo", "Nubes")  # riderless chariots go by their lead horse
COLOURS = ("red", "blue", "green", "yellow", "white", "black")
RIDERLESS = "riderless"  # in place of a driver


def names_of(drivers: int | Sequence[str]) -> tuple[str, ...]:
    """The drivers' names; a number stands for so many with names of ours."""
    if isinstance(drivers, int) and not isinstance(drivers, bool):
        if not 1 <= drivers <= len(NAMES):
            raise RulesError(say("a race is run by 1 to {most} chariots, not {many}", most=len(NAMES), many=drivers))
        return NAMES[:drivers]
    if not isinstance(drivers, list | tuple) or not all(isinstance(name, str) for name in drivers):
        raise RulesError(f"drivers are a number or a list of names, not {drivers!r}")
    if not all(name.strip() for name in drivers):
        raise RulesError(say("a driver has no name"))
    if len(set(drivers)) != len(drivers):
        raise RulesError(say("two drivers have the same name"))
    return tuple(drivers)


def team_names(players: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """The drivers' chariots by entry (TEAM-1): the players alternate, and each one's chariots are numbered.

    >>> team_names(["Livia", "Titus"], Rules(chariots_each=2))
    ('Livia I', 'Titus I', 'Livia II', 'Titus II')
    """
    each = rules.chariots_each
    if each == 1:
        return tuple(players)
    return tuple(f"{name} {ROMAN[number]}" for number in range(each) for name in players)


def horses(driven: Sequence[str], count: int, names: Sequence[str] | None = None) -> tuple[str, ...]:
    """The names of so many riderless chariots."""
    if names is None:
        return tuple(name for name in HORSES if name not in driven)[:count]
    if len(names) != count:
        raise RulesError(f"these rules have {count} riderless chariot{'s' * (count != 1)} here, not {len(names)}")
    names_of([*driven, *names])
    return tuple(names)


class Grid(NamedTuple):
    """The names of all chariots in grid order, and which of them are driven."""

    names: tuple[str, ...]
    driven: Sequence[ChariotNumber]


def line_up(driven: Sequence[str], rules: Rules, side: str, riderless: Sequence[str] | None = None) -> Grid:
    """Put riderless chariots before or behind those that are driven, as the rules have it (NPC-1, NPC-2)."""
    check_playable(rules, len(driven), side)
    loose = horses(driven, riderless_in(rules, len(driven), side), riderless)
    first = int(entry_points.first_driven(packing.rules_table(rules), len(loose)))
    numbers = cast("Sequence[ChariotNumber]", range(first, first + len(driven)))
    return Grid((*loose[:first], *driven, *loose[first:]), numbers)


def colours_of(entries: Sequence[EntryNumber | None], own: Sequence[str] = ()) -> tuple[str, ...]:
    """The colours of chariots in grid order, given by their entries, None for riderless ones.

    The first entries have the players' own colours; all others take free ones, in the same order in every race.

    >>> colours_of([None, 2, 0, 1], ["white", "red"])
    ('green', 'blue', 'white', 'red')
    """
    colours = [*own, *(colour for colour in COLOURS if colour not in own)]
    free = iter(colours[sum(entry is not None for entry in entries) :])
    return tuple(next(free) if entry is None else colours[entry] for entry in entries)
