"""What is to be played: a new table's wishes filled in, checked, and turned into the set-up of a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle

import msgspec

from avecaesar.courses import BoardError, Course, Direction, load_course
from avecaesar.errors import plain
from avecaesar.game import COLOURS, Race
from avecaesar.game.lineup import team_names
from avecaesar.game.tournament import Load, Tournament
from avecaesar.records.shape import Name, checked
from avecaesar.rules import EDITIONS, RULES_VERSION, RulesError, as_of, offered
from avecaesar.server.tables import lesson
from avecaesar.server.tables.events import Plan, PlannedSeat
from avecaesar.server.wire.legible import fault_in, fault_in_name, likeness
from avecaesar.server.wire.messages import NewTable, SeatPlan
from avecaesar.server.workers.budgets import allowed_driver
from avecaesar.speech import say
from avecaesar.table import HUMAN, OPPONENTS, Seat, Setup, games_of, names_for
from avecaesar.telling import narration
from avecaesar.telling.wording import changes_in_words


class Checked(msgspec.Struct, frozen=True):
    """Whether a table can be laid so: `problem` is None, or says in a sentence why not."""

    problem: str | None
    chariots: int = 0
    riderless: int = 0
    stages: tuple[tuple[str, Direction], ...] = ()
    house_rules: tuple[str, ...] = ()


def filled_in(new: NewTable) -> Plan:
    """The same with every name, colour and driver named, or a sentence that says what is wrong with them."""
    new = lesson.plan_of(new) if new.lesson else new
    _need_offered(new)
    usual = cycle(OPPONENTS)
    drivers = [
        allowed_driver(seat.driver or next(usual)) if seat.kind == "driver" else _no_driver(seat) for seat in new.seats
    ]
    given = [_name(seat.name) for seat in new.seats]
    free = iter([colour for colour in COLOURS if colour not in [seat.colour for seat in new.seats]])
    seats = tuple(
        PlannedSeat(
            kind=seat.kind, name=name, colour=seat.colour or next(free), driver="" if driver == HUMAN else driver
        )
        for seat, name, driver in zip(new.seats, names_for(drivers, given), drivers, strict=True)
    )
    if len({likeness(seat.name) for seat in seats}) < len(seats):
        raise RulesError(say("two drivers have the same name"))
    _need(fault_in(new.title))
    wishes = msgspec.structs.asdict(new) | {"seats": seats, "title": " ".join(new.title.split())}
    return Plan(**wishes)


def _need_offered(new: NewTable) -> None:
    for name in new.options:
        if name not in offered():
            raise RulesError(
                say("there is no option '{name}'; the options are {options}", name=name, options=", ".join(offered()))
            )


def _no_driver(seat: SeatPlan) -> str:
    if seat.driver:
        raise RulesError(
            say("a person's seat has no driver of the computer's; leave out '{driver}'", driver=plain(seat.driver))
        )
    return HUMAN


def _name(name: str) -> str:
    """A name as it is shown: without blanks around it; nothing in it that would disturb a line of text."""
    _need(fault_in_name(name))
    return name.strip()


def _need(fault: str | None) -> None:
    if fault:
        raise RulesError(fault)


def setup_of(plan: Plan, version: int = RULES_VERSION) -> Setup:
    """The set-up of a game on a table that is filled in, by a version of the rules."""
    return Setup(
        tuple(Seat(seat.name, seat.colour, seat.driver or HUMAN) for seat in plan.seats),
        edition=plan.edition,
        options=as_of(version, plan.edition, plan.options),
        course=plan.course,
        direction=plan.direction,
        tournament=plan.tournament,
        side=plan.side,
        courses=plan.courses,
        memory_aid=plan.memory_aid,
    )


def no_such_course(course: str, courses: Iterable[str]) -> BoardError:
    """Says which courses a board has instead."""
    return BoardError(
        say(
            "this board has no course '{course}'; it has {courses}",
            course=plain(course),
            courses=narration.listed(list(courses)),
        )
    )


def among(courses: Mapping[tuple[str, Direction], Course]) -> Load:
    """Finds courses of one board that are compiled already."""

    def load(course: str, direction: Direction = "clockwise") -> Course:
        if (course, direction) not in courses:
            raise no_such_course(course, dict.fromkeys(name for name, _ in courses))
        return courses[course, direction]

    return load


def our_course(course: str, direction: Direction = "clockwise") -> Course:
    """Finds a course of ours by its name. Never files: a name is a stranger's."""
    if ":" in course:
        raise BoardError(say("there is no course '{course}'; upload a board of your own first", course=plain(course)))
    return load_course(course, direction)


def check(new: NewTable, load: Load = our_course) -> Checked:
    """Whether it can be played, and what it leads to; on a course of ours, if nothing else finds them."""
    try:
        plan = filled_in(new)
        games = games_planned(plan, load)
        race = Race(load(*games.schedule[0]), chariots=team_names(games.names, games.rules), rules=games.rules, seed=0)
    except (ValueError, msgspec.ValidationError) as error:
        return Checked(plain(error))
    return Checked(
        None,
        chariots=len(race.names),
        riderless=len(race.riderless),
        stages=games.schedule,
        house_rules=tuple(house_rules(plan)),
    )


def games_planned(plan: Plan, load: Load, version: int = RULES_VERSION) -> Tournament:
    """The races that a plan leads to, none of them begun; or a sentence that says why it cannot be played."""
    setup = setup_of(plan, version)
    colours = [seat.colour for seat in setup.seats]
    if len(set(colours)) < len(colours):
        raise RulesError(say("two seats have the same colour"))
    for seat in setup.seats:
        checked(seat.name, Name)
    return games_of(setup, load)


def house_rules(plan: Plan, version: int = RULES_VERSION) -> list[str]:
    """In what a table differs from its edition, in words."""
    usual = EDITIONS[plan.edition].rules
    return changes_in_words(usual.with_options(as_of(version, plan.edition, plan.options)), usual)
