"""Who sits where, whose turn it is, what he may see, and the whole game as bytes to put away and take up again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from avecaesar.courses import DIRECTIONS, Direction
from avecaesar.errors import BadInput
from avecaesar.game import COLOURS, Move, Race, Standing, Tournament, View
from avecaesar.game.race import NAMES, random_source
from avecaesar.game.tournament import Stage
from avecaesar.players import Driver, driver
from avecaesar.records import Crew, Record, record_of, referee
from avecaesar.rules import RulesError

HUMAN = "human"


class SaveError(BadInput):
    """A saved game that cannot be taken up, and why."""


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place at the table: who sits there, in which colour; `driver` is HUMAN or names a driver of the computer's."""

    name: str
    colour: str
    driver: str = HUMAN

    @property
    def human(self) -> bool:
        """Whether a person sits here."""
        return self.driver == HUMAN


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be played, and by whom: everything that a table needs to begin.

    A single race is raced on `course` in `direction`. A tournament follows the edition's schedule, on a `side` or
    on `courses` where the table chooses.
    """

    seats: tuple[Seat, ...]
    edition: str = "ravensburger"
    options: dict[str, str] = {}
    course: str = "white"
    direction: Direction = "clockwise"
    tournament: bool = False
    side: str | None = None
    courses: tuple[str, ...] | None = None
    seed: int | None = None

    @property
    def stages(self) -> tuple[Stage, ...] | None:
        """The one race, unless it is a tournament."""
        return None if self.tournament else ((self.course, self.direction),)


def seats_for(drivers: Sequence[str], names: Sequence[str] = ()) -> tuple[Seat, ...]:
    """Seats for so many drivers (HUMAN or a driver's name), with names and colours of ours where none are given.

    >>> seats_for(["human", "greedy"], ["Livia"])
    (Seat(name='Livia', colour='red', driver='human'), Seat(name='Aulus', colour='blue', driver='greedy'))
    """
    if len(names) > len(drivers):
        raise RulesError(f"{len(names)} names are too many for {len(drivers)} chariots")
    if not 1 <= len(drivers) <= len(COLOURS):
        raise RulesError(f"a race is run by 1 to {len(COLOURS)} chariots, not {len(drivers)}")
    free = (name for name in NAMES if name not in names)
    full = [*names, *(next(free) for _ in range(len(drivers) - len(names)))]
    return tuple(Seat(*seat) for seat in zip(full, COLOURS, drivers, strict=False))


class Table:
    """A game under way. Seats are numbered as in the set-up; in each race they sit in chariots in grid order.

    >>> table = Table(Setup(seats_for(["greedy", "greedy", "greedy"]), seed=7))
    >>> while not table.over:
    ...     table.play(table.computers_move())
    >>> table.standings[0].laurels
    6
    >>> Table.from_json(table.to_json()).standings == table.standings
    True
    """

    def __init__(self, setup: Setup, *, races: Sequence[Race] = ()) -> None:
        """Sit down and begin; or go on with races that were run before."""
        _check(setup)
        self.setup = setup
        self._games = Tournament(
            [seat.name for seat in setup.seats],
            edition=setup.edition,
            options=setup.options,
            side=setup.side,
            courses=setup.courses,
            stages=setup.stages,
            seed=setup.seed,
        )
        if races:
            self._games.go_on_with(races)
            self._call_drivers()
        else:
            self.next_race()

    def __repr__(self) -> str:
        return f"<Table of {', '.join(seat.name for seat in self.setup.seats)}: {self.race!r}>"

    # ------------------------------------------------------------------ where it stands

    @property
    def race(self) -> Race:
        """The race that is under way, or was the last."""
        return self._games.races[-1]

    @property
    def number(self) -> int:
        """Of the current race, from 0."""
        return len(self._games.races) - 1

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Course and direction of every race."""
        return self._games.schedule

    @property
    def grid(self) -> tuple[int, ...]:
        """The seats of the current race in grid order."""
        return self._games.grids[-1]

    @property
    def turned_up(self) -> tuple[dict[int, int], ...]:
        """The cards that decided the first grid, by seat, round by round (SET-2); none after a game was resumed."""
        return self._games.turned_up

    @property
    def race_over(self) -> bool:
        """Whether the current race has been run."""
        return self.race.over

    @property
    def over(self) -> bool:
        """Whether the last race has been run."""
        return self._games.over

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Best first."""
        return self._games.standings

    def chariot_of(self, seat: int) -> int:
        """The number of a seat's chariot in the current race."""
        return self.grid.index(seat)

    @property
    def seat_on_turn(self) -> int | None:
        """Who must decide now; None when the race is over."""
        return None if self.race.turn is None else self.grid[self.race.turn]

    def view(self, seat: int | None = None) -> View:
        """What a seat may know, or a spectator. (A view numbers chariots in grid order.)"""
        return self.race.view(None if seat is None else self.chariot_of(seat))

    # ------------------------------------------------------------------ going on

    def next_race(self) -> None:
        """Form the grid, deal, begin."""
        self._games.next_race()
        self._call_drivers()

    def _call_drivers(self) -> None:
        """The computer's driver for each seat, None where a person sits; afresh each race, for none needs a memory."""
        seed, race = self.setup.seed, self.number
        self.drivers: tuple[Driver | None, ...] = tuple(
            None
            if seat.human
            else driver(seat.driver, None if seed is None else random_source(seed, race, number).getrandbits(62))
            for number, seat in enumerate(self.setup.seats)
        )

    def play(self, move: Move) -> None:
        """The decision of whoever's turn it is."""
        self.race.play(move)

    def computers_move(self) -> Move:
        """What the computer's driver on turn decides. It sees its seat's view and nothing else."""
        seat = self.seat_on_turn
        chooser = None if seat is None else self.drivers[seat]
        if chooser is None:
            raise ValueError("it is not the computer's turn")
        return chooser.choose(self.view(seat))

    # ------------------------------------------------------------------ on paper

    def record(self) -> Record:
        """All races so far; the last may not be over."""
        crews = [
            [Crew(self.setup.seats[seat].colour, self.setup.seats[seat].driver) for seat in grid]
            for grid in self._games.grids
        ]
        return record_of(self._games.races, crews, self.setup.edition)

    def to_json(self) -> bytes:
        """The game as it stands, hidden cards and all: for the one who keeps it, not for those who play."""
        return msgspec.json.encode(_Save("avecaesar-save", 1, self.setup, self.record()))

    @classmethod
    def from_json(cls, data: bytes) -> Table:
        """Take up a game; every turn is refereed again."""
        try:
            save = msgspec.json.decode(data, type=_Save)
            return cls(save.setup, races=referee(save.record, unfinished=True))
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise SaveError(f"the saved game cannot be read: {error}") from None


class _Save(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["avecaesar-save"]
    version: Literal[1]
    setup: Setup
    record: Record


def _check(setup: Setup) -> None:
    colours = [seat.colour for seat in setup.seats]
    for colour in colours:
        if colour not in COLOURS:
            raise RulesError(f"there is no colour '{colour}'; there are {', '.join(COLOURS)}")
        if colours.count(colour) > 1:
            raise RulesError(f"two chariots are {colour}")
    if setup.direction not in DIRECTIONS:
        raise RulesError(f"a direction is {' or '.join(DIRECTIONS)}, not '{setup.direction}'")
