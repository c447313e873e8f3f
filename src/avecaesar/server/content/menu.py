"""The menu: all that can be chosen for a new table, in words, so that a page or program needs to know none of it."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from avecaesar.courses import DIRECTIONS, Direction, boards, load_course
from avecaesar.drivers import CHARACTERS
from avecaesar.game import COLOURS
from avecaesar.rules import EDITIONS, MOST_CHARIOTS, OPTIONS, VARIANTS, Option, offered
from avecaesar.server.wire.fields import LONGEST_NAME, LONGEST_SAYING, Colour, EditionName, Phrase
from avecaesar.server.wire.messages import NewTable, SeatPlan
from avecaesar.speech import say, spoken
from avecaesar.table import OPPONENTS
from avecaesar.telling.wording import MORE_TIME, changes_by_option, short_name, value_in_words

Group = Literal["cards", "six", "alley", "race", "tournament", "chariots"]
GROUPS: dict[str, Group] = {
    "hand": "cards",
    "draw": "cards",
    "missed_turn": "cards",
    "decks": "cards",
    "emperor_cards": "cards",
    "first_six": "six",
    "narrow_exception": "six",
    "tied_exception": "six",
    "crash": "six",
    "tribute": "alley",
    "race_ends": "race",
    "first_grid": "race",
    "next_grid": "tournament",
    "schedule": "tournament",
    "races": "tournament",
    "laurels": "tournament",
    "riderless": "chariots",
    "riderless_count": "chariots",
    "riderless_moves": "chariots",
    "chariots_each": "chariots",
}
EXAMPLES = {
    "laurels": "one to six numbers from 0 to 100, never growing, such as 6,4,3,2,1,0",
    "riderless_count": "a number from 0 to {most}, or fill",
}
PHRASES: dict[Phrase, str] = {
    "ave": "Ave!",
    "well-driven": "Well driven!",
    "make-way": "Make way!",
    "hurry": "The horses are getting cold …",
    "sorry": "Sorry!",
    "close": "That was close.",
    "again": "Once more?",
}
DEFAULT = "ravensburger"


class Change(msgspec.Struct, frozen=True):
    """An option in which an edition differs from the default one."""

    option: str
    meaning: str
    words: str


class EditionOffered(msgspec.Struct, frozen=True):
    """An edition: what it is called and what it is, what it changes, and all its options' values."""

    name: EditionName  # type: ignore[valid-type]
    short: str
    title: str
    default: bool
    changes: list[Change]
    rules: dict[str, str]


class ValueOffered(msgspec.Struct, frozen=True):
    """What an option may be."""

    value: str
    words: str


class OptionOffered(msgspec.Struct, frozen=True):
    """An option: one of `values`, or a number from `least` to `most`, or what `hint` says."""

    name: str
    meaning: str
    group: Group
    values: list[ValueOffered]
    least: int | None
    most: int | None
    hint: str


class Variant(msgspec.Struct, frozen=True):
    """A house rule that has a name."""

    name: str
    option: str
    value: str


class CourseOffered(msgspec.Struct, frozen=True):
    """A course of ours, and its figures."""

    name: str
    board: str
    board_title: str
    side: Literal["A", "B"]
    spaces: int
    bottlenecks: int
    shortest_lap: int
    alley_extra: int
    shortest_race: int
    directions: tuple[Direction, ...]


class DriverOffered(msgspec.Struct, frozen=True):
    """A driver of the computer's."""

    name: str
    shown: str
    level: str  # in words
    about: str
    usual: bool
    thinks: bool


class PhraseOffered(msgspec.Struct, frozen=True):
    """Something to say without typing."""

    phrase: Phrase
    words: str


class Span(msgspec.Struct, frozen=True):
    """From where to where a number goes."""

    least: int
    most: int


class Menu(msgspec.Struct, frozen=True):
    """Everything that can be chosen."""

    editions: list[EditionOffered]
    options: list[OptionOffered]
    variants: list[Variant]
    courses: list[CourseOffered]
    drivers: list[DriverOffered]
    colours: tuple[Colour, ...]
    phrases: list[PhraseOffered]
    most_seats: int
    longest_name: int
    longest_saying: int
    clock: Span
    away: Span
    pace: Span
    defaults: NewTable  # race now


def menu() -> Menu:
    """The menu in the language that is spoken now."""
    return _menu(spoken())


@cache
def _menu(language: str) -> Menu:
    return Menu(
        editions=[_edition(name) for name in EDITIONS],
        options=[_option(name, option) for name, option in offered().items()],
        variants=[
            Variant(say(name), option, _written(value))
            for name, changes in VARIANTS.items()
            for option, value in changes.items()
        ],
        courses=[_course(name) for board in boards() for name in board.courses],
        drivers=_drivers(),
        colours=COLOURS,
        phrases=[PhraseOffered(phrase, say(words)) for phrase, words in PHRASES.items()],
        most_seats=MOST_CHARIOTS,
        longest_name=LONGEST_NAME,
        longest_saying=LONGEST_SAYING,
        clock=Span(5, 86_400),
        away=Span(5, 86_400),
        pace=Span(0, 5000),
        defaults=NewTable(seats=(SeatPlan(kind="here"), *(SeatPlan(driver=name) for name in OPPONENTS))),
    )


def _edition(name: str) -> EditionOffered:
    edition, usual = EDITIONS[name], EDITIONS[DEFAULT].rules
    changes = changes_by_option(edition.rules, usual)
    return EditionOffered(
        name,
        short_name(name),
        say(edition.title),
        name == DEFAULT,
        [Change(option, say(OPTIONS[option].meaning), words) for option, words in changes.items()],
        {option: _written(getattr(edition.rules, option)) for option in offered()},
    )


def _option(name: str, option: Option) -> OptionOffered:
    return OptionOffered(
        name,
        say(option.meaning),
        GROUPS[name],
        [ValueOffered(value, value_in_words(name, value)) for value in option.values],
        option.least if option.most else None,
        option.most or None,
        say(EXAMPLES[name], most=MOST_CHARIOTS - 1) if name in EXAMPLES else "",
    )


def _course(name: str) -> CourseOffered:
    course = load_course(name)
    return CourseOffered(
        name,
        course.board.name,
        say(course.board.title),
        course.side,
        len(course.spaces),
        sum(space.bottleneck for space in course.spaces),
        course.shortest_lap,
        course.alley_extra,
        course.shortest_race,
        DIRECTIONS,
    )


def _drivers() -> list[DriverOffered]:
    offered = []
    for name, who in CHARACTERS.items():
        level, about = say(who.level), say(who.tells)
        offered.append(DriverOffered(name, who.title, level, about, name in OPPONENTS, who.thinks))
        if who.thinks:
            about = say("{tells}; with more time", tells=about)
            offered.append(DriverOffered(f"{name}@{MORE_TIME}", who.title, level, about, False, True))
    return offered


def _written(value: object) -> str:
    """A value as `options` of a new table want it."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
