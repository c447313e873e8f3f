"""A course: one way round a board in one direction, compiled to spaces, steps, distances and bottlenecks.

Everything here is derived from the board's sections by one rule for all steps (`_leads_to`); nothing is
written by hand. The anticlockwise course is the same board with its steps turned round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import pairwise, product
from math import lcm
from typing import Any, Literal, NamedTuple
from weakref import WeakValueDictionary

from avecaesar.courses.board import LANES, Board, BoardError, Direction, Section
from avecaesar.courses.board_reader import parse_board

ROMAN = ("I", "II", "III", "IV", "V", "VI")  # the places of the grid
LAPS = 3  # COU-2
CROSSINGS_HOME = LAPS + 1  # the first crossing leaves the grid, the fourth is home
HIGHEST_CARD = 6
WINDOW = 64  # all spaces within six steps of a space lie among the WINDOW next ones of the course's order
LONGEST_STRIDE = 8  # and a step leads at most so many spaces on
MOST_SPACES = 250
MOST_REMEMBERED = 64  # courses that came from another process

AlleyPart = Literal["before", "beyond"]  # of the line, as driven


@dataclass(frozen=True, slots=True)
class Place:
    """A space as it lies on the board, whatever the direction; begins and ends are clockwise from the line."""

    name: str
    section: str
    walled: bool
    lane: int  # from the left as driven clockwise
    offset: Fraction  # of its lane's centre from the track's centre, in lane widths, left negative
    begin: Fraction
    end: Fraction
    alley: int  # 0, or its number in the alley


@dataclass(frozen=True, slots=True)
class Step:
    """A step to a space in front; `line` if it crosses the start and finish line."""

    to: int
    line: bool


@dataclass(frozen=True, slots=True)
class Space:
    """A space as a driver meets it: its number in the course's order, and where one can go from it."""

    id: int
    place: Place
    steps: tuple[Step, ...]
    through_walls: tuple[Step, ...]  # steps that only a wall takes away (told to those who try)
    alley: AlleyPart | None
    bottleneck: bool

    @property
    def name(self) -> str:
        """Its name on the board, such as S5d: fifth rank of S, lane d."""
        return self.place.name


class PackedCourse(NamedTuple):
    """A compiled course in plain numbers and words, which travel fast; `unpacked` makes a course of them again."""

    board: Board
    name: str
    direction: Direction
    spaces: tuple[Any, ...]
    grid: tuple[int, ...]
    length: int
    figures: dict[str, Any]  # what the course works out of its spaces, by name


FIGURES = ("remaining", "shortest_lap", "alley_extra", "shortest_races", "past")


@dataclass(frozen=True, eq=False, repr=False)
class Course:
    """A course in one direction. `spaces[i].id == i`; every step but those over the line leads to a higher id."""

    board: Board
    name: str
    direction: Direction
    spaces: tuple[Space, ...]
    grid: tuple[int, ...]  # place I first
    length: int  # of a lap, in ranks

    def __str__(self) -> str:
        return f"{self.name} {self.direction}"

    def __repr__(self) -> str:
        return f"<Course {self} on board {self.board.name}, {len(self.spaces)} spaces>"

    def __reduce__(self) -> tuple[Callable[[str, str, Direction], Course], tuple[str, str, Direction]]:
        """Travels as what it was compiled from, and arrives as one and the same course every time."""
        return _arrived, (self.board.source, self.name, self.direction)

    def packed(self) -> PackedCourse:
        """All that was compiled, for a process that shall not compile it again."""
        figures = {name: getattr(self, name) for name in FIGURES}
        spaces = tuple(_packed(space) for space in self.spaces)
        return PackedCourse(self.board, self.name, self.direction, spaces, self.grid, self.length, figures)

    @property
    def side(self) -> Literal["A", "B"]:
        """The side that its board claims; of one that claims none, B if its alley adds two or more (OWN-9)."""
        return self.board.side or ("B" if self.alley_extra >= 2 else "A")

    def space(self, name: str) -> Space:
        """The space with that name on the board."""
        for space in self.spaces:
            if space.name == name:
                return space
        raise KeyError(f"there is no space '{name}' on {self}")

    @cached_property
    def remaining(self) -> tuple[tuple[int, ...], ...]:
        """`remaining[crossings][space]`: the fewest steps from there to home on an empty course."""
        beyond = [0] * len(self.spaces)
        table: list[tuple[int, ...]] = []
        for _ in range(CROSSINGS_HOME):
            here = self._fewest_steps(beyond)
            table.insert(0, tuple(here))
            beyond = here
        return tuple(table)

    def _fewest_steps(self, beyond: Sequence[int]) -> list[int]:
        """From each space over the line once, `beyond` being what is left to do from where one lands."""
        return self._over_the_line(beyond, min)

    def _over_the_line(
        self, beyond: Sequence[int], best: Callable[[Iterable[int]], int], alley: bool = True
    ) -> list[int]:
        steps = [0] * len(self.spaces)
        for space in reversed(self.spaces):
            steps[space.id] = 1 + best(
                beyond[step.to] if step.line else steps[step.to]
                for step in space.steps
                if alley or self.spaces[step.to].alley is None or space.alley is not None
            )
        return steps

    @cached_property
    def shortest_lap(self) -> int:
        """The fewest steps round, from a space back to it."""
        landing = {step.to for space in self.spaces for step in space.steps if step.line}
        return min(self._way(at, at) for at in landing)  # all ways round lead over the line

    @cached_property
    def alley_extra(self) -> int:
        """What a lap through the alley costs more than the shortest."""
        first = next(space for space in self.spaces if space.alley == "before")
        return self._way(first.id, first.id) - self.shortest_lap

    def _way(self, start: int, goal: int) -> int:
        """The fewest steps (at least one) from start to goal."""
        reached, steps = {start}, 0
        while steps <= len(self.spaces):
            reached = {step.to for at in reached for step in self.spaces[at].steps}
            steps += 1
            if goal in reached:
                return steps
        return 10**6

    @cached_property
    def shortest_races(self) -> tuple[int, ...]:
        """From each grid place, the fewest points that bring a chariot home with its tribute paid."""
        inf = 10**6
        # State: (space, crossings, paid). Crossings grow along a way, so plain relaxation in rounds is enough.
        best: dict[tuple[int, int, bool], int] = {}
        for crossings in range(CROSSINGS_HOME - 1, -1, -1):
            for paid in (True, False):
                for space in reversed(self.spaces):
                    has_paid = paid or pays(space, crossings)
                    best[space.id, crossings, paid] = min(
                        (
                            1
                            + (
                                (0 if has_paid else inf)
                                if step.line and crossings + 1 == CROSSINGS_HOME
                                else best[step.to, crossings + step.line, has_paid]
                            )
                            for step in space.steps
                        ),
                        default=inf,
                    )
        return tuple(best[place, 0, False] for place in self.grid)

    @property
    def shortest_race(self) -> int:
        """The shortest race from the front rank, tribute included."""
        return min(self.shortest_races)

    @cached_property
    def outside_race(self) -> int:
        """What it costs to run outside always, from the front rank and without the alley (COU-4)."""
        beyond = [0] * len(self.spaces)
        for _ in range(CROSSINGS_HOME):
            beyond = self._over_the_line(beyond, max, alley=False)
        return min(beyond[place] for place in self.grid)

    @cached_property
    def past(self) -> tuple[tuple[bool, ...], ...]:
        """TRI-3: `past[crossings][space]`: from there no paying stop can be reached any more."""
        beyond = [True] * len(self.spaces)
        table: list[tuple[bool, ...]] = []
        for crossings in range(CROSSINGS_HOME - 1, -1, -1):
            here = [True] * len(self.spaces)
            for space in reversed(self.spaces):
                here[space.id] = all(
                    not pays(self.spaces[step.to], crossings + step.line)
                    and (beyond[step.to] if step.line else here[step.to])
                    for step in space.steps
                )
            table.insert(0, tuple(here))
            beyond = here
        return tuple(table)


def pays(space: Space, crossings: int) -> bool:
    """TRI-1: whether a stop there pays the tribute: at the end of the first lap or of the second."""
    if space.alley == "before":
        return 1 <= crossings <= 2
    return space.alley == "beyond" and 2 <= crossings <= 3


# ---------------------------------------------------------------------- compiling


def compile_course(board: Board, name: str, direction: Direction = "clockwise") -> Course:
    """Derive a course from its board, or say why the board cannot be raced."""
    if (count := board.spaces(name)) > MOST_SPACES:  # before any of them is built
        raise BoardError(f"{name} has {count} spaces, and a course has at most {MOST_SPACES}")
    places, length = _places(board, name)
    open_steps, wall_steps = _steps(board, places, length)
    if direction == "anticlockwise":
        open_steps = {(b, a) for a, b in open_steps}
        wall_steps = {(b, a) for a, b in wall_steps}
        begin = {p.name: length - p.end for p in places}
    else:
        begin = {p.name: p.begin for p in places}
    order = sorted(places, key=lambda p: (begin[p.name], p.alley, p.lane))
    number = {place.name: i for i, place in enumerate(order)}
    _no_dead_ends(board, name, open_steps, number)

    ahead, through_walls = _numbered(open_steps, number), _numbered(wall_steps, number)
    successors = [[step.to for step in steps] for steps in ahead]
    spaces = tuple(
        Space(i, place, ahead[i], through_walls[i], _alley_part(board, place, direction), cuts(successors, {i}))
        for i, place in enumerate(order)
    )
    course = Course(board, name, direction, spaces, _grid(board, direction, number), length)
    _within_window(course)
    _here.setdefault((board.source, name, direction), course)
    return course


_here: WeakValueDictionary[tuple[str, str, Direction], Course] = WeakValueDictionary()  # compiled in this process


def _packed(space: Space) -> tuple[Any, ...]:
    place = space.place
    offset, begin, end = (at.as_integer_ratio() for at in (place.offset, place.begin, place.end))
    return (
        (place.name, place.section, place.walled, place.lane, offset, begin, end, place.alley),
        tuple((step.to, step.line) for step in space.steps),
        tuple((step.to, step.line) for step in space.through_walls),
        space.alley,
        space.bottleneck,
    )


def unpacked(packed: PackedCourse) -> Course:
    """The course that was packed, or the one that is here already."""
    key = (packed.board.source, packed.name, packed.direction)
    if (here := _here.get(key)) is not None:
        return here
    fraction = cache(Fraction)  # a course has few different ones
    step = cache(Step)
    spaces = tuple(
        Space(
            i,
            Place(name, section, walled, lane, fraction(*offset), fraction(*begin), fraction(*end), number),
            tuple(step(*to) for to in steps),
            tuple(step(*to) for to in through_walls),
            alley,
            bottleneck,
        )
        for i, (
            (name, section, walled, lane, offset, begin, end, number),
            steps,
            through_walls,
            alley,
            bottleneck,
        ) in enumerate(packed.spaces)
    )
    course = Course(packed.board, packed.name, packed.direction, spaces, packed.grid, packed.length)
    vars(course).update(packed.figures)
    return _here.setdefault(key, course)


def _arrived(source: str, name: str, direction: Direction) -> Course:
    return _here.get((source, name, direction)) or _compiled_on_arrival(source, name, direction)


@lru_cache(MOST_REMEMBERED)
def _compiled_on_arrival(source: str, name: str, direction: Direction) -> Course:
    return compile_course(parse_board(source), name, direction)


def _numbered(pairs: set[tuple[str, str]], number: dict[str, int]) -> list[tuple[Step, ...]]:
    """The steps from each space, in the course's order."""
    ahead: list[list[int]] = [[] for _ in number]
    for a, b in pairs:
        ahead[number[a]].append(number[b])
    return [tuple(Step(to, to <= here) for to in sorted(steps)) for here, steps in enumerate(ahead)]


def cuts(successors: Sequence[Sequence[int]], removed: set[int]) -> bool:
    """Whether no way round avoids the removed spaces: then, dead ends taken away again and again, none is left."""
    predecessors: list[list[int]] = [[] for _ in successors]
    for at, ahead in enumerate(successors):
        for to in ahead:
            predecessors[to].append(at)
    onward = [len(ahead) for ahead in successors]  # steps that are left
    gone = removed | {at for at, left in enumerate(onward) if not left}
    dead = list(gone)
    for at in dead:  # which grows
        for before in predecessors[at]:
            onward[before] -= 1
            if not onward[before] and before not in gone:
                gone.add(before)
                dead.append(before)
    return len(gone) == len(successors)


def _places(board: Board, course: str) -> tuple[list[Place], int]:
    """All spaces of a course with their begins and ends, clockwise from the line, and the length of a lap."""
    sections = board.sections(course)
    total, line = 0, 0
    for section in sections:
        if section.line_after is not None:
            line = total + section.line_after
        total += section.length
    places: list[Place] = []
    at = 0
    for section in sections:
        places += _section_places(section, Fraction((at - line) % total), total)
        at += section.length
    return places + _alley_places(board, {p.name: p for p in places}, total), total


def _section_places(section: Section, begin: Fraction, total: int) -> list[Place]:
    lanes: list[tuple[int, int, int, Fraction, Fraction]] = []  # number, lane, lanes, begin, end
    if section.kind == "straight":
        for i, rank in enumerate(section.ranks):
            lanes += [(i + 1, lane, rank.width, Fraction(i), Fraction(i + 1)) for lane in range(rank.width)]
    else:
        for lane, count in enumerate(section.lanes):
            size = Fraction(section.length, count)
            lanes += [(k + 1, lane, len(section.lanes), k * size, (k + 1) * size) for k in range(count)]
    places = []
    for number, lane, width, from_, to in lanes:
        start = (begin + from_) % total
        places.append(
            Place(
                f"{section.name}{number}{LANES[lane]}",
                section.name,
                section.walled,
                lane,
                lane - Fraction(width - 1, 2),
                start,
                start + to - from_,
                0,
            )
        )
    return places


def _alley_places(board: Board, places: dict[str, Place], total: int) -> list[Place]:
    alley = board.alley
    shared = {section.name for section in (*board.before, *board.after)} if len(board.courses) > 1 else None
    for name in (alley.entrance, alley.exit):
        if name not in places or (shared is not None and places[name].section not in shared):
            raise BoardError(f"the alley names {name}, and there is no such space on every course", alley.number)
    begin, end = places[alley.entrance].end, places[alley.exit].begin
    if not end < begin < total:
        raise BoardError("the alley is entered before the line and left after it", alley.number)
    before, beyond = alley.line_after, alley.spaces - alley.line_after
    ends = [begin + (total - begin) * Fraction(k, before) for k in range(before + 1)]
    starts = [end * Fraction(k, beyond) for k in range(beyond + 1)]
    spans = [*pairwise(ends), *pairwise(starts)]
    offset = places[alley.entrance].offset - 1
    return [Place(f"alley{k}", "alley", True, 0, offset, from_, to, k) for k, (from_, to) in enumerate(spans, 1)]


class _Span(NamedTuple):
    """A place in whole numbers, which are compared much faster than fractions."""

    place: Place
    offset: int  # in half lanes
    begin: int
    length: int


def _spans(places: Iterable[Place], scale: int) -> list[_Span]:
    return [
        _Span(place, int(2 * place.offset), int(scale * place.begin), int(scale * (place.end - place.begin)))
        for place in places
    ]


def _leads_to(a: _Span, b: _Span, total: int) -> bool:
    """The one rule: b is at most a lane away, begins and ends later than a, and begins no later than a ends."""
    if abs(a.offset - b.offset) > 2:
        return False
    later = (b.begin - a.begin) % total
    return 0 < later <= a.length < later + b.length


def _steps(board: Board, places: Sequence[Place], total: int) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Clockwise steps, and those that a wall takes away: lane changes with both ends in its section."""
    track = [place for place in places if not place.alley]
    scale = lcm(*(at.denominator for place in track for at in (place.begin, place.end)))
    spans = _spans(track, scale)
    open_steps: set[tuple[str, str]] = set()
    wall_steps: set[tuple[str, str]] = set()
    for a, b in product(spans, spans):
        if _leads_to(a, b, scale * total):
            one, other = a.place, b.place
            walled = one.walled and one.section == other.section and one.lane != other.lane
            (wall_steps if walled else open_steps).add((one.name, other.name))
    alley = [place.name for place in places if place.alley]
    return open_steps | set(pairwise([board.alley.entrance, *alley, board.alley.exit])), wall_steps


def _alley_part(board: Board, place: Place, direction: Direction) -> AlleyPart | None:
    if not place.alley:
        return None
    clockwise_before = place.alley <= board.alley.line_after
    return "before" if clockwise_before == (direction == "clockwise") else "beyond"


def _grid(board: Board, direction: Direction, number: dict[str, int]) -> tuple[int, ...]:
    for name in board.grid[direction]:
        if name not in number:
            raise BoardError(
                f"the grid names {name}, and there is no such space on every course",
                board.grid_lines[direction],
            )
    return tuple(number[name] for name in board.grid[direction])


def _no_dead_ends(board: Board, course: str, steps: set[tuple[str, str]], number: dict[str, int]) -> None:
    lines = {section.name: section.number for section in board.sections(course)}
    leaving, entered = {a for a, _ in steps}, {b for _, b in steps}
    for name in number:
        if name not in leaving or name not in entered:
            what = "no step leads on from" if name not in leaving else "no step leads to"
            raise BoardError(
                f"{what} {name}: its neighbours are more than one lane away (a rank of 4 goes with 2, 3 or 4, "
                "a rank of 3 with any)",
                lines.get(name[:-1].rstrip("0123456789")),
            )


def _within_window(course: Course) -> None:
    """What the kernel relies on: six steps never lead further than WINDOW spaces on, nor round twice."""
    count = len(course.spaces)
    if course.shortest_lap <= 2 * HIGHEST_CARD:
        raise BoardError(f"a lap of {course.shortest_lap} is too short: a course needs more than 12")
    for space in course.spaces:
        if any((step.to - space.id) % count > LONGEST_STRIDE for step in space.steps):
            raise BoardError(f"a step from {space.name} leads past too many spaces: make the track narrower there")
        reached = {space.id}
        for _ in range(HIGHEST_CARD):
            reached = {step.to for at in reached for step in course.spaces[at].steps}
            if max((to - space.id) % count for to in reached) >= WINDOW:
                raise BoardError(f"too many spaces lie within six steps of {space.name}: at most {WINDOW - 1}")
