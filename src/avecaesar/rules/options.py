"""The options of the rules and the printed editions, which are named sets of values for them.

A house rule is an edition plus its differences. What makes no sense is refused here, in a sentence, so that
everything above can rely on a `Rules` being playable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from avecaesar.errors import BadInput
from avecaesar.speech import say

MOST_CHARIOTS = 6
CARD_VALUES = (1, 2, 3, 4, 5, 6)
DECK = tuple(value for value in CARD_VALUES for _ in range(4))  # SET-1: 24 cards, 84 points
# AUS-1: how many there are of each value 1 to 6; 84 points each.
DECKS = {"slow": (4, 4, 4, 4, 4, 4), "average": (0, 3, 4, 4, 4, 5), "fast": (0, 2, 2, 3, 4, 7)}
PILES = 3  # AUS-3
FULL_GRID = {"A": 4, "B": 6}  # NPC-2: to how many chariots riderless ones fill a race
FILLING = ("fill", "fill_no_tribute")


class RulesError(BadInput):
    """An option, edition or combination that cannot be played, and why."""


@dataclass(frozen=True, slots=True)
class Option:
    """What an option may be, and what it means in words."""

    meaning: str
    words: Mapping[str, str] = field(default_factory=dict)  # what it may be, each in words; none: a number or numbers
    least: int = 0
    most: int = 0

    @property
    def values(self) -> tuple[str, ...]:
        """The words it may be."""
        return tuple(self.words)


OPTIONS: dict[str, Option] = {
    "hand": Option("cards in hand", least=1, most=6),
    "draw": Option(
        "when a played card is replaced",
        {
            "at_once": "at once",
            "end_of_round": "when everybody has had his turn",
            "from_piles": "at once, from one of one's own three piles",
        },
    ),
    "missed_turn": Option(
        "what a missed turn does to the hand",
        {
            "keep": "nothing, the hand stays",
            "exchange_if_blocked": "one card is exchanged, but not by a leader with nothing but sixes",
            "exchange": "one card is exchanged, whatever the reason",
        },
    ),
    "first_six": Option(
        "a 6 on the very first turn of the race",
        {"exempt": "allowed", "barred": "not for a leader, as ever"},
    ),
    "narrow_exception": Option(
        "a leader with only sixes in a bottleneck",
        {"bottleneck": "may play one", "none": "waits like any leader"},
    ),
    "tied_exception": Option(
        "several leaders, all with only sixes",
        {
            "if_cutting": "may play one if together they cut the course",
            "always": "may play one",
            "none": "wait like any leader",
        },
    ),
    "tribute": Option(
        "the stop in the Imperial Alley",
        {
            "required": "owed; whoever can stop there may not drive past on the second lap",
            "dishonour": "owed, but one may drive past, and is disqualified",
            "optional": "optional; where there are emperor's cards, it brings them back",
        },
    ),
    "race_ends": Option(
        "when the race is over",
        {"all_home": "when all are home or out of it", "first_home": "when the first is home"},
    ),
    "first_grid": Option(
        "the grid of the first race",
        {"high_card": "the highest card turned up takes place I, the others follow by seat", "random": "at random"},
    ),
    "next_grid": Option(
        "the grid of the next race",
        {
            "last_then_seats": "the last one takes place I, the others follow by seat",
            "reverse_arrival": "the last one first, and so on to the winner",
            "arrival": "the winner first, and so on to the last",
        },
    ),
    "schedule": Option(
        "the courses of a tournament",
        {
            "by_table": "both courses of the side for so many drivers, clockwise, then anticlockwise",
            "both_sides": "a course of each side, clockwise, then anticlockwise",
            "one_course": "one course, two races each way",
        },
    ),
    "races": Option("races in a tournament", least=1, most=99),
    "laurels": Option("laurels by place, best first"),
    "riderless": Option(
        "chariots without a driver",
        {
            "none": "not at this table",
            "extra": "a few extra ones, as many as agreed",
            "fill": "they fill the grid up",
            "fill_no_tribute": "they fill the grid up, and pass the alley by",
        },
    ),
    "riderless_count": Option("how many riderless chariots"),
    "riderless_moves": Option(
        "who moves a riderless chariot",
        {"rule": "a fixed rule", "vote": "all drivers, by vote"},
    ),
    "chariots_each": Option("chariots for each player", least=1, most=3),
    "decks": Option(
        "the deck of each driver",
        {"standard": "24 cards, the same for all", "choice": "slow, average or fast, chosen in secret"},
    ),
    "emperor_cards": Option(
        "cards put aside for the emperor",
        {"none": "none", "by_side": "a 3 on side A, a 4 and a 3 on side B"},
    ),
    "crash": Option(
        "a leader with only sixes",
        {"no": "waits", "yes": "crashes, and blocks his space for good"},
    ),
    "by_table_courses": Option(  # of a repair: see rules/versions.py
        "courses that a table may choose where schedule = by_table",
        {"of_one_side": "both of one side, in their order", "any": "any two"},
    ),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """One complete set of options, in the names and values of RULES.md; the defaults are `ravensburger`."""

    hand: int = 3
    draw: str = "at_once"
    missed_turn: str = "exchange_if_blocked"
    first_six: str = "exempt"
    narrow_exception: str = "bottleneck"
    tied_exception: str = "if_cutting"
    tribute: str = "required"
    race_ends: str = "all_home"
    first_grid: str = "high_card"
    next_grid: str = "last_then_seats"
    schedule: str = "by_table"
    races: int = 4
    laurels: tuple[int, ...] = (6, 4, 3, 2, 1, 0)
    riderless: str = "extra"
    riderless_count: int | str = 0
    riderless_moves: str = "rule"
    chariots_each: int = 1
    decks: str = "standard"
    emperor_cards: str = "none"
    crash: str = "no"
    by_table_courses: str = "of_one_side"

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            _check_value(name, option, getattr(self, name))
        _check_laurels(self.laurels)
        _check_riderless(self.riderless, self.riderless_count)
        self._check_together()

    def _check_together(self) -> None:
        """Combinations that make no sense."""
        if self.emperor_cards != "none" and self.tribute != "optional":
            raise RulesError(say("emperor_cards needs tribute = optional: the cards are what an optional stop earns"))
        if self.draw == "from_piles" and self.hand != 2:
            raise RulesError(say("draw = from_piles is played with a hand of 2, not {hand}", hand=self.hand))
        if self.draw == "from_piles" and self.missed_turn != "keep":
            raise RulesError(say("draw = from_piles needs missed_turn = keep: no card can go under three piles"))
        if self.decks == "choice" and self.draw != "from_piles":
            raise RulesError(say("decks = choice needs draw = from_piles: a chosen deck is sorted into piles"))
        if self.emperor_cards != "none" and self.draw != "from_piles":
            raise RulesError(
                say("emperor_cards needs draw = from_piles: the cards come back into the hand and onto a pile")
            )

    def differences(self, other: Rules) -> dict[str, tuple[Any, Any]]:
        """The options in which the two differ, as (mine, the other's)."""
        mine, others = asdict(self), asdict(other)
        return {name: (mine[name], others[name]) for name in mine if mine[name] != others[name]}

    def with_options(self, changes: Mapping[str, object]) -> Rules:
        """These rules with some options changed; values may be words, as on a command line.

        >>> edition("ravensburger").with_options({"hand": "4", "crash": "yes"}).hand
        4
        """
        if not isinstance(changes, Mapping):
            raise RulesError(
                say(
                    "options are names with their values, such as {example}, not {value}",
                    example="{'crash': 'yes'}",
                    value=repr(changes),
                )
            )
        read = {name: _read(name, value) for name, value in changes.items()}
        if "riderless" in read and "riderless_count" not in read:  # the kind brings its count along
            filling = read["riderless"] in FILLING
            if filling or self.riderless_count == "fill" or read["riderless"] == "none":
                read["riderless_count"] = "fill" if filling else 0
        return replace(self, **read)


def _read(name: str, value: object) -> Any:
    if name not in OPTIONS:
        raise RulesError(
            say("there is no option '{name}'; the options are {options}", name=name, options=", ".join(OPTIONS))
        )
    if name == "laurels":
        parts = value.replace(",", " ").split() if isinstance(value, str) else value
        if not isinstance(parts, list | tuple):
            raise RulesError(say("laurels are numbers such as 6,4,3,2,1,0, not {value}", value=repr(value)))
        return tuple(_number(name, part) for part in parts)
    option = OPTIONS[name]
    if name == "riderless_count" and value == "fill":
        return value
    if option.values:
        return value if isinstance(value, str) else str(value)
    return _number(name, value)


def _number(name: str, value: object) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 7:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise RulesError(say("{option} takes whole numbers, not '{value}'", option=name, value=value))


def _check_value(name: str, option: Option, value: object) -> None:
    if option.values and value not in option.values:
        words = ", ".join(option.values)
        raise RulesError(say("{option} is one of {words}, not '{value}'", option=name, words=words, value=value))
    if option.most and not (
        isinstance(value, int) and not isinstance(value, bool) and option.least <= value <= option.most
    ):
        raise RulesError(
            say(
                "{option} is a number from {least} to {most}, not '{value}'",
                option=name,
                least=option.least,
                most=option.most,
                value=value,
            )
        )


def _check_laurels(laurels: tuple[int, ...]) -> None:
    numbers = isinstance(laurels, tuple) and all(type(number) is int and 0 <= number <= 100 for number in laurels)
    if not numbers or not 1 <= len(laurels) <= MOST_CHARIOTS:
        raise RulesError(say("laurels are one to six numbers from 0 to 100, not {value}", value=repr(laurels)))
    if list(laurels) != sorted(laurels, reverse=True):
        raise RulesError(say("laurels never grow from a place to the next: a better place earns at least as many"))


def _check_riderless(kind: str, count: int | str) -> None:
    filling = kind in FILLING
    if filling and count != "fill":
        raise RulesError(say("riderless = {kind} goes with riderless_count = fill", kind=kind))
    if not filling and count == "fill":
        raise RulesError(say("riderless = {kind} goes with riderless_count = a number", kind=kind))
    if not filling and not (isinstance(count, int) and 0 <= count < MOST_CHARIOTS):
        raise RulesError(
            say(
                "riderless_count is a number from 0 to {most}, or fill, not '{value}'",
                most=MOST_CHARIOTS - 1,
                value=count,
            )
        )
    if kind == "none" and count != 0:
        raise RulesError(say("riderless = none leaves no riderless chariots to count"))


# ---------------------------------------------------------------------- editions


@dataclass(frozen=True, slots=True)
class Edition:
    """A printed edition: its name in the software, what it is, and its rules."""

    name: str
    title: str
    rules: Rules


_ORIGINAL = Rules()
EDITIONS: dict[str, Edition] = {
    e.name: e
    for e in (
        Edition("ravensburger", "Ravensburger 1989, the original rules", _ORIGINAL),
        Edition(
            "pro-ludo",
            "Pro Ludo, the new edition",
            replace(_ORIGINAL, missed_turn="keep", schedule="both_sides"),
        ),
        Edition(
            "thibault",
            "Daniel U. Thibault's English rules",
            replace(_ORIGINAL, missed_turn="keep", riderless="fill", riderless_count="fill"),
        ),
        Edition(
            "fiche",
            "a French one-page summary",
            replace(
                _ORIGINAL,
                tied_exception="always",
                first_grid="random",
                next_grid="reverse_arrival",
                schedule="one_course",
            ),
        ),
        Edition(
            "riassunto",
            "an Italian one-page summary",
            replace(
                _ORIGINAL,
                draw="end_of_round",
                missed_turn="keep",
                first_six="barred",
                tied_exception="none",
                race_ends="first_home",
                next_grid="reverse_arrival",
            ),
        ),
        Edition(
            "ausgebremst",
            "Daniel U. Thibault's adaptation of Ausgebremst",
            replace(
                _ORIGINAL,
                hand=2,
                draw="from_piles",
                missed_turn="keep",
                tribute="optional",
                next_grid="arrival",
                laurels=(9, 6, 4, 3, 2, 1),
                riderless="fill_no_tribute",
                riderless_count="fill",
                decks="choice",
                emperor_cards="by_side",
            ),
        ),
    )
}

VARIANTS: dict[str, dict[str, object]] = {
    "missed turns": {"missed_turn": "exchange"},
    "dishonour": {"tribute": "dishonour"},
    "winner first": {"next_grid": "arrival"},
    "crash": {"crash": "yes"},
    "ausgebremst scoring": {"laurels": (9, 6, 4, 3, 2, 1)},
}


def edition(name: str) -> Rules:
    """The rules of an edition by its name.

    >>> edition("riassunto").race_ends
    'first_home'
    """
    if not isinstance(name, str) or name not in EDITIONS:
        raise RulesError(
            say("there is no edition {name}; there are {editions}", name=repr(name), editions=", ".join(EDITIONS))
        )
    return EDITIONS[name].rules


def riderless_in(rules: Rules, drivers: int, side: str) -> int:
    """NPC-1, NPC-2: how many riderless chariots join so many drivers' ones on a side of the board.

    >>> riderless_in(edition("thibault"), 3, "A")
    1
    """
    if rules.riderless_count == "fill":
        return max(0, FULL_GRID[side] - drivers)
    assert isinstance(rules.riderless_count, int)
    return rules.riderless_count


def check_playable(rules: Rules, drivers: int, side: str = "A") -> None:
    """Refuse what no grid can hold; `drivers` counts the chariots that somebody drives."""
    if not 1 <= drivers <= MOST_CHARIOTS:
        raise RulesError(say("a race is run by 1 to {most} chariots, not {many}", most=MOST_CHARIOTS, many=drivers))
    riderless = riderless_in(rules, drivers, side)
    if drivers + riderless > MOST_CHARIOTS:
        raise RulesError(
            say(
                "{driven} chariots and {riderless} riderless ones are more than a grid's {most}",
                driven=drivers,
                riderless=riderless,
                most=MOST_CHARIOTS,
            )
        )
    each = rules.chariots_each
    if each > 1 and (drivers % each or not 2 <= drivers // each <= 3):
        raise RulesError(
            say(
                "chariots_each = {each} is for two or three players with {each} chariots each (TEAM-1), "
                "and {driven} chariots are not that",
                each=each,
                driven=drivers,
            )
        )


assert tuple(OPTIONS) == tuple(f.name for f in fields(Rules))
