"""A tournament: grids, schedule, standings, one race after another (SET-2, NEXT-1 to NEXT-4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from avecaesar.courses import Course, Direction, boards, load_course
from avecaesar.game.chance import random_source, shuffled_deck
from avecaesar.game.lineup import names_of, team_names
from avecaesar.game.numbers import EntryNumber
from avecaesar.game.race import Race, rules_of
from avecaesar.renamed import renamed_attribute
from avecaesar.rules import Rules, RulesError, check_playable
from avecaesar.speech import say

Stage = tuple[str, Direction]
Load = Callable[[str, Direction], Course]  # finds a course by its name, or raises BoardError


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rank in the tournament; equals share it."""

    rank: int
    player: int
    name: str
    laurels: int
    places: tuple[int, ...]  # how often first, second, third …


class Tournament:
    """Races one after another. Entries keep their number all along; each race has its own grid.

    An entry is a driver's chariot. Where players have several (TEAM-1) they alternate: with P players, entry e is
    player e mod P's. Riderless chariots are no entries.

    `stages` name the races one by one; else the rules' schedule does, with a `side` or `courses` where the table
    chooses. `load` finds the courses that are named.

    >>> games = Tournament(["Livia", "Marcus", "Titus"], edition="ravensburger", seed=5)
    >>> games.schedule[0]
    ('white', 'clockwise')
    >>> race = games.next_race()
    >>> while not race.over:
    ...     race.play(next(iter(race.legal_moves)))
    >>> [standing.rank for standing in games.standings]
    [1, 1, 1]
    >>> games.over
    False
    """

    def __init__(
        self,
        drivers: int | Sequence[str],
        *,
        edition: str | None = None,
        options: Mapping[str, object] | None = None,
        rules: Rules | None = None,
        side: str | None = None,
        courses: str | Sequence[str] | None = None,
        stages: Sequence[Stage] | None = None,
        memory_aid: bool = True,
        seed: int | None = None,
        load: Load = load_course,
    ) -> None:
        self.names = names_of(drivers)  # of the players
        self.rules = rules_of(edition, options, rules)
        self.entries = team_names(self.names, self.rules)
        check_playable(self.rules, len(self.entries))
        self.schedule = tuple(stages) if stages else schedule(self.rules, len(self.entries), side, courses, load)
        for course, _ in self.schedule:
            check_playable(self.rules, len(self.entries), load(course, "clockwise").side)
        self.memory_aid = memory_aid
        self._seed = seed
        self._load = load
        self.turned_up: tuple[dict[int, int], ...] = ()  # SET-2: cards shown for the first grid, by player
        self.races: list[Race] = []
        self.grids: list[tuple[EntryNumber, ...]] = []  # for each race, entries in grid order

    seats = renamed_attribute("seats", "entries")

    def __repr__(self) -> str:
        return f"<Tournament of {len(self.schedule)} races, {len(self.races)} begun, {', '.join(self.names)}>"

    @property
    def over(self) -> bool:
        """Whether the last race has been run."""
        return len(self.races) == len(self.schedule) and self.races[-1].over

    def next_race(self, grid_source: Random | None = None, deal_source: Random | None = None) -> Race:
        """Form the next grid, deal afresh, and begin.

        The sources decide the first grid and the deal, if they are given, instead of the seed.
        """
        if self.races and not self.races[-1].over:
            raise ValueError("the race before is not over yet")
        if self.over:
            raise ValueError("the tournament is over")
        source = random_source(self._seed, len(self.races))
        grid = self._next_grid() if self.races else self._first_grid(grid_source or source)
        course, direction = self.schedule[len(self.races)]
        race = Race(
            self._load(course, direction),
            chariots=[self.entries[entry] for entry in grid],
            rules=self.rules,
            memory_aid=self.memory_aid,
            seed=deal_source or source,
        )
        self.grids.append(grid)
        self.races.append(race)
        return race

    def copy(self) -> Tournament:
        """An independent copy; races that are over change no more, and are shared."""
        twin = object.__new__(Tournament)
        twin.__dict__.update(self.__dict__)
        twin.races = [*self.races[:-1], *(race if race.over else race.copy() for race in self.races[-1:])]
        twin.grids = list(self.grids)
        return twin

    def go_on_with(self, races: Sequence[Race]) -> None:
        """Take up a tournament where it was left: the races so far, the last of them perhaps not over."""
        self.races = list(races)
        numbers = {name: EntryNumber(number) for number, name in enumerate(self.entries)}
        self.grids = [tuple(numbers[race.names[chariot]] for chariot in race.driven) for race in races]

    # ------------------------------------------------------------------ grids

    def _first_grid(self, source: Random) -> tuple[EntryNumber, ...]:
        """SET-2: the highest card takes place I, the others follow by entry; or all at random."""
        entries, players = [*map(EntryNumber, range(len(self.entries)))], range(len(self.names))
        if self.rules.first_grid == "random":
            order = source.sample(players, len(players))
            return tuple(EntryNumber(first + player) for first in entries[:: len(players)] for player in order)
        first, self.turned_up = turn_up(len(players), lambda: shuffled_deck(source))
        return _beginning_with(entries, entries[first])

    def _next_grid(self) -> tuple[EntryNumber, ...]:
        race, grid = self.races[-1], self.grids[-1]
        arrivals = [grid[race.driven.index(chariot)] for chariot in race.arrivals if chariot in race.driven]
        return next_grid(self.rules, self.grids[0], arrivals)

    # ------------------------------------------------------------------ standings

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Best first."""
        return standings(self.names, self.grids, self.races)


def standings(
    players: Sequence[str], grids: Sequence[Sequence[EntryNumber]], races: Sequence[Race]
) -> tuple[Standing, ...]:
    """NEXT-4, by player (TEAM-1): most laurels, then most wins, second places and so on; else they share the rank."""
    laurels = [0 for _ in players]
    places = [[0] * max((len(race.names) for race in races), default=0) for _ in players]
    for grid, race in zip(grids, races, strict=True):
        for chariot, entry in zip(race.driven, grid, strict=True):
            player = entry % len(players)
            laurels[player] += race.laurels[chariot]
            place = race.places[chariot]
            if place is not None:
                places[player][place - 1] += 1
    merit = [(laurels[player], *places[player]) for player in range(len(players))]
    best_first = sorted(range(len(players)), key=lambda player: merit[player], reverse=True)
    return tuple(
        Standing(
            1 + sum(other > merit[player] for other in merit),
            player,
            players[player],
            laurels[player],
            tuple(places[player]),
        )
        for player in best_first
    )


def next_grid(
    rules: Rules, first_grid: Sequence[EntryNumber], arrivals: Sequence[EntryNumber]
) -> tuple[EntryNumber, ...]:
    """NEXT-2: the next grid after these arrivals. (Any grid by entries is the seating, turned round the table.)"""
    if rules.next_grid == "last_then_seats":
        return _beginning_with(first_grid, arrivals[-1])
    order = arrivals if rules.next_grid == "arrival" else arrivals[::-1]
    return _alternating(order, len(order) // rules.chariots_each)


def _alternating(order: Sequence[EntryNumber], players: int) -> tuple[EntryNumber, ...]:
    """TEAM-1, OWN-15: entries in that order, but the players take turns, in order of their first.

    >>> _alternating([3, 0, 2, 1], 2)
    (3, 0, 1, 2)
    """
    teams: dict[int, list[EntryNumber]] = {}
    for entry in order:
        teams.setdefault(entry % players, []).append(entry)
    return tuple(entry for row in zip(*teams.values(), strict=True) for entry in row)


def _beginning_with(seating: Sequence[EntryNumber], first: EntryNumber) -> tuple[EntryNumber, ...]:
    at = list(seating).index(first)
    return (*seating[at:], *seating[:at])


def turn_up(players: int, shuffle: Callable[[], list[int]]) -> tuple[int, tuple[dict[int, int], ...]]:
    """SET-2: who turns up the highest card, and what was turned up, round by round among those still tied."""
    decks = [iter(shuffle()) for _ in range(players)]
    tied = list(range(players))
    rounds: list[dict[int, int]] = []
    while not rounds or len(tied) > 1:
        shown: dict[int, int] = {}
        for player in tied:
            card = next(decks[player], None)
            if card is None:  # the deck ran out: reshuffle and go on
                decks[player] = iter(shuffle())
                card = next(decks[player])
            shown[player] = card
        rounds.append(shown)
        tied = [player for player in tied if shown[player] == max(shown.values())]
    return tied[0], tuple(rounds)


# ---------------------------------------------------------------------- schedules


def schedule(
    rules: Rules,
    chariots: int,
    side: str | None = None,
    courses: str | Sequence[str] | None = None,
    load: Load = load_course,
) -> tuple[Stage, ...]:
    """NEXT-1: the course and direction of each race; `side` or `courses` where the table chooses."""
    return stages(rules, _chosen_courses(rules, chariots, side, courses, load))


def stages(rules: Rules, courses: Sequence[str]) -> tuple[Stage, ...]:
    """NEXT-1: the course and direction of each race on the courses chosen, as many as `courses_wanted`."""
    four: tuple[Stage, ...]
    if rules.schedule == "one_course":
        four = tuple((courses[0], way) for way in _TWICE_EACH)
    else:
        ways: tuple[Direction, Direction] = ("clockwise", "anticlockwise")
        four = tuple((course, way) for way in ways for course in courses)
    return tuple(four[i % len(four)] for i in range(rules.races))


def courses_wanted(rules: Rules) -> int:
    """On how many courses a tournament is raced."""
    return 1 if rules.schedule == "one_course" else 2


_TWICE_EACH: tuple[Direction, ...] = ("clockwise", "clockwise", "anticlockwise", "anticlockwise")


def _chosen_courses(
    rules: Rules, chariots: int, side: str | None, courses: str | Sequence[str] | None, load: Load
) -> tuple[str, ...]:
    by_side = {board.name: board.courses for board in boards()}
    if side is not None and side not in by_side:
        raise RulesError(f"a side is {' or '.join(by_side)}, not '{side}'")
    wanted = courses_wanted(rules)
    if courses is not None:
        if side is not None:
            raise RulesError(say("choose a side or the courses, not both"))
        courses = [courses] if isinstance(courses, str) else courses
        loaded = [load(name, "clockwise") for name in courses]
        if len(loaded) != wanted:
            raise RulesError(
                say(
                    "schedule = {schedule} takes {wanted} chosen course(s), not {many}",
                    schedule=rules.schedule,
                    wanted=wanted,
                    many=len(loaded),
                )
            )
        check_sides(rules, loaded)
        return tuple(courses)
    if rules.schedule == "both_sides":
        if side is not None:
            raise RulesError(say("schedule = both_sides races on both sides: choose the courses instead of a side"))
        return tuple(names[0] for names in by_side.values())
    return by_side[side or ("A" if chariots <= 4 else "B")][:wanted]


def check_sides(rules: Rules, courses: Sequence[Course]) -> None:
    """NEXT-1: refuse courses of one side where each has its own, and others than a side's where a side is raced."""
    sides = [course.board.name for course in courses]
    if rules.schedule == "both_sides" and sides[0] == sides[1]:
        raise RulesError(say("schedule = both_sides needs one course of each side"))
    if rules.schedule == "by_table" and rules.by_table_courses == "of_one_side":
        side = courses[0].board
        chosen = [(course.board.sha256, course.name) for course in courses]
        if chosen != [(side.sha256, name) for name in side.courses]:
            raise RulesError(
                say(
                    "schedule = by_table races on both courses of one side, in their order; "
                    "for others choose schedule = both_sides or one_course"
                )
            )
