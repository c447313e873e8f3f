"""Who sits where, whose turn it is, what he may see, and the whole game as bytes to put away and take up again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Literal

import msgspec

from avecaesar.courses import DIRECTIONS, Course, Direction, load_course
from avecaesar.drivers import CHARACTERS, Character, Driver, DriverError, driver, is_own, with_place
from avecaesar.errors import BadInput, plain
from avecaesar.game import COLOURS, ChariotNumber, IllegalMove, Move, Play, Race, Standing, Tournament, View, Vote
from avecaesar.game.chance import random_source
from avecaesar.game.lineup import NAMES, RIDERLESS, colours_of
from avecaesar.game.numbers import AnySeat, SeatNumber
from avecaesar.game.tournament import Load, Stage
from avecaesar.records import Crew, Record, Seal, record_of, referee
from avecaesar.rules import RulesError, as_raced

HUMAN = "human"
PERSONS = tuple(character for character in CHARACTERS.values() if character.level != "for experiments")
OPPONENTS = ("festina", "bibulus", "scorpus")  # whom one meets first: two who can be beaten, and one to learn from

Lots = Callable[[int, Literal["grid", "deal"]], Random]


class SaveError(BadInput):
    """A saved game that cannot be taken up, and why."""


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player: his name and colour; `driver` is HUMAN or names a driver of the computer's."""

    name: str
    colour: str
    driver: str = HUMAN

    @property
    def human(self) -> bool:
        """Whether a person sits here."""
        return self.driver == HUMAN


class Rig(msgspec.Struct, frozen=True):
    """A chariot of the current race: its name and colour, and the seat of its player; None: nobody drives it."""

    name: str
    colour: str
    seat: SeatNumber | None


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be played, and by whom: everything that a table needs to begin. A seat is a player.

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
    memory_aid: bool = True  # whether drivers are shown what lies in their piles (AUS-3)

    @property
    def stages(self) -> tuple[Stage, ...] | None:
        """The one race, unless it is a tournament."""
        return None if self.tournament else ((self.course, self.direction),)


def games_of(setup: Setup, load: Load = load_course) -> Tournament:
    """The races of a set-up, none of them begun."""
    return Tournament(
        [seat.name for seat in setup.seats],
        edition=setup.edition,
        options=setup.options,
        side=setup.side,
        courses=setup.courses,
        stages=setup.stages,
        memory_aid=setup.memory_aid,
        seed=setup.seed,
        load=load,
    )


def character_of(driver: str) -> Character | None:
    """Which of our characters a driver's name stands for, if one of them."""
    return CHARACTERS.get(driver.partition("@")[0])


def names_for(drivers: Sequence[str], names: Sequence[str] = ()) -> tuple[str, ...]:
    """Everybody's name: the one given for his seat, or else a character's own, or else (also if "" is) one of ours.

    >>> names_for(["human", "scorpus", "scorpus", "sibylla@2s"], ["", "Livia"])
    ('Aulus', 'Livia', 'Scorpus', 'Sibylla')
    """
    full = [*names, *[""] * (len(drivers) - len(names))]
    for seat, character in enumerate(map(character_of, drivers)):
        if character in PERSONS and not full[seat] and character.title not in full:
            full[seat] = character.title
    free = (name for name in NAMES if name not in full)
    return tuple(name or next(free) for name in full)


def seats_for(drivers: Sequence[str], names: Sequence[str] = ()) -> tuple[Seat, ...]:
    """Seats for so many drivers (HUMAN or a driver's name), with names and colours of ours where none are given.

    >>> seats_for(["human", "scorpus"], ["Livia"])
    (Seat(name='Livia', colour='red', driver='human'), Seat(name='Scorpus', colour='blue', driver='scorpus'))
    """
    if len(names) > len(drivers):
        raise RulesError(f"{len(names)} names are too many for {len(drivers)} chariots")
    if not 1 <= len(drivers) <= len(COLOURS):
        raise RulesError(f"a race is run by 1 to {len(COLOURS)} chariots, not {len(drivers)}")
    return tuple(Seat(*seat) for seat in zip(names_for(drivers, names), COLOURS, drivers, strict=False))


class Table:
    """A game under way. Seats are numbered as in the set-up; each race has its chariots in grid order, and says whose.

    >>> table = Table(Setup(seats_for(["greedy", "greedy", "greedy"]), seed=7))
    >>> while not table.over:
    ...     table.play(table.computers_move())
    >>> table.standings[0].laurels
    6
    >>> Table.from_json(table.to_json()).standings == table.standings
    True
    """

    def __init__(
        self,
        setup: Setup,
        *,
        races: Sequence[Race] = (),
        lots: Lots | None = None,
        load: Load = load_course,
    ) -> None:
        """Sit down and begin; or go on with races that were run before.

        `lots` give the randomness of each race for the "grid" and for the "deal", instead of the set-up's seed or the
        operating system; `load` knows the courses.
        """
        _check(setup)
        self.setup = setup
        self._drove: list[tuple[str, ...]] = []  # of races before somebody else took a seat: who drove, by seat
        self._lots = lots
        self._drivers: tuple[Driver | None, ...] | None = None
        self._games = games_of(setup, load)
        if races:
            if any({race.names[chariot] for chariot in race.driven} != set(self._games.entries) for race in races):
                raise RulesError("the races so far were run by other drivers")
            self._games.go_on_with(races)
            if not self.own_drivers:  # who come when they are asked for: to look at a saved table runs nobody's file
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
    def races(self) -> tuple[Race, ...]:
        """All so far; the last may not be over."""
        return tuple(self._games.races)

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Of the chariots, race by race."""
        return tuple(race.names for race in self._games.races)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Course and direction of every race."""
        return self._games.schedule

    @property
    def rigs(self) -> tuple[Rig, ...]:
        """The chariots of the current race in grid order."""
        return self._rigs(self.number)

    def _rigs(self, number: int) -> tuple[Rig, ...]:
        """The chariots of a race: a player's first has his colour, all others take free ones."""
        race, own = self._games.races[number], [seat.colour for seat in self.setup.seats]
        entry_of = dict(zip(race.driven, self._games.grids[number], strict=True))
        entries = [entry_of.get(chariot) for chariot in race.grid]
        return tuple(
            Rig(name, colour, None if entry is None else SeatNumber(entry % len(own)))
            for name, colour, entry in zip(race.names, colours_of(entries, own), entries, strict=True)
        )

    @property
    def turned_up(self) -> tuple[dict[int, int], ...]:
        """The cards that decided the first grid, by player, round by round (SET-2); none after a game was resumed."""
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

    def chariot_of(self, seat: AnySeat) -> ChariotNumber:
        """A player's chariot: the one that must decide now, else his first that still races, else his first."""
        mine = [chariot for chariot, rig in zip(self.race.grid, self.rigs, strict=True) if rig.seat == seat]
        if self.race.turn in mine:
            return self.race.turn
        chariots = self.race.view().chariots
        return next((i for i in mine if chariots[i].status == "racing"), mine[0])

    @property
    def seat_on_turn(self) -> SeatNumber | None:
        """Who must decide now; None when the race is over, and when a riderless chariot only does what it must."""
        return None if self.race.turn is None else self.rigs[self.race.turn].seat

    def view(self, seat: AnySeat | None = None) -> View:
        """What a player may know at `chariot_of`, or a spectator. (A view numbers chariots in grid order.)"""
        return self.race.view(None if seat is None else self.chariot_of(seat))

    # ------------------------------------------------------------------ going on

    def next_race(self) -> None:
        """Form the grid, deal, begin."""
        if self._lots is None:
            self._games.next_race()
        else:
            number = len(self._games.races)
            self._games.next_race(self._lots(number, "grid"), self._lots(number, "deal"))
        self._call_drivers()

    def copy(self, lots: Lots | None = None) -> Table:
        """An independent copy of the game as it stands, whose next races are dealt by these lots."""
        twin = object.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin._lots = lots
        twin._drove = list(self._drove)
        twin._games = self._games.copy()
        return twin

    def reseat(self, seat: AnySeat, driver: str) -> None:
        """Another driver takes a seat: a person (HUMAN), or one of the computer's. Its name and colour stay.

        Races that are over stay those of whoever drove in them.
        """
        self._drove += [self._drivers_of(race) for race in range(len(self._drove), self.number + self.race_over)]
        seats = list(self.setup.seats)
        seats[seat] = msgspec.structs.replace(seats[seat], driver=driver)
        self.setup = msgspec.structs.replace(self.setup, seats=tuple(seats))
        self._call_drivers()

    @property
    def own_drivers(self) -> tuple[str, ...]:
        """The drivers here whose files run when they are made: whoever takes up a saved table should know them."""
        return tuple(dict.fromkeys(seat.driver for seat in self.setup.seats if is_own(seat.driver)))

    @property
    def drivers(self) -> tuple[Driver | None, ...]:
        """The computer's driver for each seat, None where a person sits; made when they are first asked for."""
        if self._drivers is None:
            self._call_drivers()
        assert self._drivers is not None
        return self._drivers

    def _call_drivers(self) -> None:
        """Everybody afresh each race, for none needs a memory."""
        seed, race = self.setup.seed, self.number
        self._drivers = tuple(
            None
            if seat.human
            else driver(seat.driver, None if seed is None else random_source(seed, race, number).getrandbits(62))
            for number, seat in enumerate(self.setup.seats)
        )

    def play(self, move: Move) -> None:
        """The decision of whoever's turn it is."""
        self.race.play(move)

    def computers_move(self) -> Move:
        """What the computer's driver on turn decides, by its seat's view alone; or what a riderless chariot must do."""
        seat = self.seat_on_turn
        if seat is None and not self.race_over:
            return self.race.legal_moves[0]
        if seat is None or (chooser := self.drivers[seat]) is None:
            raise ValueError("it is not the computer's turn")
        try:
            move = chooser.choose(self.view(seat))
            if refused := self.race.why_not(move):
                raise IllegalMove(refused)
        except Exception as error:
            name, number = self.setup.seats[seat].driver, len(self.race.history) + 1
            raise DriverError(f"driver '{name}' failed in decision {number}: {with_place(error)}") from error
        return move

    # ------------------------------------------------------------------ on paper

    def record(self, races: int | None = None, seals: Sequence[Seal | None] | None = None) -> Record:
        """The first races, or all so far; the last may not be over. With the seals of their deals, if there are any."""
        run = self._games.races[:races]
        crews = [self._crews(number) for number in range(len(run))]
        return record_of(run, crews, self.setup.edition, seals=seals)

    def _crews(self, number: int) -> list[Crew]:
        drivers = self._drivers_of(number)
        return [Crew(rig.colour, RIDERLESS if rig.seat is None else drivers[rig.seat]) for rig in self._rigs(number)]

    def _drivers_of(self, number: int) -> tuple[str, ...]:
        """Who drove in a race, by seat."""
        if number < len(self._drove):
            return self._drove[number]
        return tuple(seat.driver for seat in self.setup.seats)

    def to_json(self) -> bytes:
        """The game as it stands, hidden cards and all: for the one who keeps it, not for those who play."""
        save = _Save("avecaesar-save", self.setup, self.record(), self.race.deal, self._open_votes())
        return msgspec.json.encode(save)

    def _open_votes(self) -> tuple[Vote, ...]:
        """Votes on a turn that has not been taken yet: a record has no place for them."""
        votes: tuple[Vote, ...] = ()
        for turn in reversed(self.race.history):
            if not isinstance(turn.move, Vote):
                break
            votes = (turn.move, *votes)
        return votes

    @classmethod
    def from_json(cls, data: bytes) -> Table:
        """Take up a game; every turn is refereed again."""
        try:
            save: _Save | _SaveOf06 = msgspec.json.decode(data, type=_Save | _SaveOf06)
            races = referee(save.record, unfinished=True, deal=save.deal, memory_aid=save.setup.memory_aid)
            for vote in save.votes:
                races[-1].play(vote if isinstance(vote, Vote) else vote.cast)
            options = as_raced(races[0].rules, save.setup.edition, save.setup.options)
            table = cls(msgspec.structs.replace(save.setup, options=options), races=races)
            table._drove = [table._told_by(save.record, number) for number in range(table.number + table.race_over)]
            if not table._is_of(save.record):
                raise ValueError("its races are not those of its set-up")
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise SaveError(f"the saved game cannot be read: {plain(error)}") from None
        return table

    def _told_by(self, record: Record, number: int) -> tuple[str, ...]:
        """Who drove in a race that is over, by a record of it: others may have taken seats since."""
        chariots = zip(self._rigs(number), record.races[number].chariots, strict=True)
        drivers = {rig.seat: chariot.driver for rig, chariot in chariots}
        return tuple(drivers[SeatNumber(seat)] for seat in range(len(self.setup.seats)))

    def _is_of(self, record: Record) -> bool:
        """Whether the races so far are what the set-up leads to: rules, courses, names, colours and, now, drivers."""
        raced = [_which(race.course) for race in self._games.races]
        planned = [_which(load_course(*stage)) for stage in self.stages[: len(raced)]]
        again = msgspec.structs.replace(self.record(), rules=record.rules)  # which may be older than some option
        return self._games.rules == self.race.rules and planned == raced and again == record


def _which(course: Course) -> tuple[str, Direction, str]:
    return course.name, course.direction, course.board.sha256


class _AnySave(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="version"):
    """What saves of all versions have in common."""

    format: Literal["avecaesar-save"]
    setup: Setup
    record: Record
    deal: tuple[tuple[int, ...], ...] | None = None  # of the last race: before decks are sorted no record can tell


class _Save(_AnySave, frozen=True, tag=2):
    votes: tuple[Vote, ...] = ()  # cast on a turn that has not been taken yet, and so is in no record


class _VoteOf06(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    play: Play | None = None

    @property
    def cast(self) -> Vote:
        """The same as it is now."""
        return Vote() if self.play is None else Vote(self.play.card, self.play.to)


class _SaveOf06(_AnySave, frozen=True, tag=1):
    """A save from before a vote had the JSON of all moves."""

    votes: tuple[_VoteOf06, ...] = ()


def _check(setup: Setup) -> None:
    colours = [seat.colour for seat in setup.seats]
    for colour in colours:
        if colour not in COLOURS:
            raise RulesError(f"there is no colour '{colour}'; there are {', '.join(COLOURS)}")
        if colours.count(colour) > 1:
            raise RulesError(f"two chariots are {colour}")
    if setup.direction not in DIRECTIONS:
        raise RulesError(f"a direction is {' or '.join(DIRECTIONS)}, not '{setup.direction}'")
