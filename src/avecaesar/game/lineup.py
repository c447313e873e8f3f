"""Who lines up: the drivers, their chariots, and chariots without a driver; names of ours where none are given."""

from __future__ import annotations

from collections.abc import Sequence

from avecaesar.courses import ROMAN
from avecaesar.rules import Rules, RulesError
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
    """The drivers' chariots by seat (TEAM-1): the players alternate, and each one's chariots are numbered.

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


def livery(seats: Sequence[int | None], own: Sequence[str] = ()) -> tuple[str, ...]:
    """The colours of chariots in grid order, given by their seats, None for riderless ones.

    The first seats have the players' own colours; all others take free ones, in the same order in every race.

    >>> livery([None, 2, 0, 1], ["white", "red"])
    ('green', 'blue', 'white', 'red')
    """
    colours = [*own, *(colour for colour in COLOURS if colour not in own)]
    free = iter(colours[sum(seat is not None for seat in seats) :])
    return tuple(next(free) if seat is None else colours[seat] for seat in seats)
