"""The rules of an edition as a page tells them: its clauses in the order in which one learns them, and no others.

With them come what other editions do, what a table may agree on besides, and little races that show clauses at work.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from avecaesar.rules import EDITIONS, OPTIONS, VARIANTS, Clause, clauses, offered
from avecaesar.server.content.little_races import LittleRace, scenes_for
from avecaesar.speech import said_in, say, spoken
from avecaesar.telling.wording import can_be_played, short_name, value_in_words

ChapterName = Literal[
    "aim", "course", "cards", "moving", "six", "alley", "missed",
    "end", "laurels", "next", "special", "riderless", "ours",
]  # fmt: skip

CHAPTERS: dict[ChapterName, tuple[str, ...]] = {
    "aim": ("COU-2", "END-1"),
    "course": ("COU-1", "COU-6", "COU-4", "COU-7", "COU-3", "COU-5", "COU-8"),
    "cards": ("SET-1", "SET-3", "SET-2"),
    "moving": ("MOV-1", "MOV-3", "MOV-2", "TURN-1", "MOV-5", "MOV-6"),
    "six": ("SIX-1", "SIX-2", "SIX-3", "SIX-4", "SIX-5", "SIX-6", "SIX-7", "SIX-8"),
    "alley": ("TRI-1", "TRI-2", "TRI-3", "TRI-4"),
    "missed": ("MOV-4",),
    "end": ("END-3", "END-4"),
    "laurels": ("END-2",),
    "next": ("NEXT-1", "NEXT-2", "NEXT-3", "NEXT-4"),
    "special": ("AUS-1", "AUS-2", "AUS-3", "AUS-4", "AUS-5", "AUS-6"),
    "riderless": ("NPC-1", "NPC-2", "NPC-3", "NPC-4"),
    "ours": tuple(f"OWN-{number}" for number in range(1, 22)),
}
AGREED = {  # clauses that hold only where a table agrees on them, and what it then plays by
    "TRI-5": {"tribute": "dishonour"},
    "CRA-1": {"crash": "yes"},
    "TEAM-1": {"chariots_each": "2"},
}
TOLD = {  # the clauses that tell of the named variants
    "missed turns": "MOV-4",
    "dishonour": "TRI-5",
    "winner first": "NEXT-2",
    "crash": "CRA-1",
    "ausgebremst scoring": "END-2",
}
UNSAID = ("riderless_count",)  # `riderless` says it


class Setting(msgspec.Struct, frozen=True):
    """An option as this edition has it."""

    option: str
    meaning: str
    words: str


class ClauseShown(msgspec.Struct, frozen=True):
    """A clause, and where editions differ, what holds in this one."""

    id: str
    title: str
    text: str
    here: list[Setting]


class Chapter(msgspec.Struct, frozen=True):
    """Clauses that belong together."""

    chapter: ChapterName
    clauses: list[ClauseShown]


class Otherwise(msgspec.Struct, frozen=True):
    """What other editions do."""

    words: str
    editions: list[str]  # by name


class Difference(msgspec.Struct, frozen=True):
    """An option in which the editions differ."""

    option: str
    meaning: str
    words: str  # what this edition does
    alike: list[str]  # who does the same
    others: list[Otherwise]


class VariantShown(msgspec.Struct, frozen=True):
    """A house rule that has a name, and the clause that tells of it."""

    name: str
    meaning: str
    words: str
    clause: str


class HouseRule(msgspec.Struct, frozen=True):
    """An option that a table may choose for itself; what the edition has comes first."""

    option: str
    meaning: str
    values: list[str]


class EditionNamed(msgspec.Struct, frozen=True):
    """An edition that has rules of its own."""

    name: str
    short: str
    title: str


class Rulebook(msgspec.Struct, frozen=True):
    """The rules of an edition."""

    edition: str
    title: str
    editions: list[EditionNamed]
    chapters: list[Chapter]
    differences: list[Difference]
    variants: list[VariantShown]
    agreed: list[ClauseShown]  # clauses that hold only where a table agrees on them
    house_rules: list[HouseRule]
    scenes: list[LittleRace]


def rulebook(edition: str) -> Rulebook:
    """The rules of an edition in the language that is spoken now."""
    return _rulebook(edition, spoken())


@cache
def _rulebook(edition: str, language: str) -> Rulebook:
    return said_in(language, _written, edition)


def _written(edition: str) -> Rulebook:
    own = {clause.id: clause for clause in clauses().values() if edition in clause.editions}
    chapters = {name: [_clause(own[id], edition) for id in ids if id in own] for name, ids in CHAPTERS.items()}
    differences = [_difference(option, edition) for option in offered() if option not in UNSAID]
    return Rulebook(
        edition=edition,
        title=say(EDITIONS[edition].title),
        editions=[EditionNamed(name, short_name(name), say(told.title)) for name, told in EDITIONS.items()],
        chapters=[Chapter(name, told) for name, told in chapters.items() if told],
        differences=[difference for difference in differences if difference.others],
        variants=_variants(edition),
        agreed=[_clause(clauses()[id], edition) for id, options in AGREED.items() if can_be_played(edition, options)],
        house_rules=_house_rules(edition),
        scenes=scenes_for(edition),
    )


def _own(edition: str, option: str) -> str:
    """What an edition does about an option."""
    return value_in_words(option, getattr(EDITIONS[edition].rules, option))


def _clause(clause: Clause, edition: str) -> ClauseShown:
    differ = [
        option
        for option in clause.options
        if option not in UNSAID and len({getattr(told.rules, option) for told in EDITIONS.values()}) > 1
    ]
    here = [Setting(option, say(OPTIONS[option].meaning), _own(edition, option)) for option in differ]
    return ClauseShown(clause.id, clause.title, clause.text, here if edition in clause.editions else [])


def _difference(option: str, edition: str) -> Difference:
    """What this edition does about an option, and what the others do, those together who do the same."""
    own, told = _own(edition, option), [(name, _own(name, option)) for name in EDITIONS if name != edition]
    others = {words: [name for name, its in told if its == words] for _, words in told if words != own}
    return Difference(
        option,
        say(OPTIONS[option].meaning),
        own,
        [name for name, its in told if its == own],
        [Otherwise(words, names) for words, names in others.items()],
    )


def _variants(edition: str) -> list[VariantShown]:
    """The variants with names that go with an edition and change something there."""
    rules = EDITIONS[edition].rules
    return [
        VariantShown(say(name), say(OPTIONS[option].meaning), value_in_words(option, value), TOLD[name])
        for name, changes in VARIANTS.items()
        for option, value in changes.items()
        if getattr(rules, option) != value and can_be_played(edition, {option: _as_typed(value)})
    ]


def _house_rules(edition: str) -> list[HouseRule]:
    """The options that have words, with all that goes with an edition."""
    rules = EDITIONS[edition].rules
    told = []
    for name, option in offered().items():
        own = getattr(rules, name)
        others = [value for value in option.values if value != own and can_be_played(edition, {name: value})]
        if others:
            told.append(HouseRule(name, say(option.meaning), [value_in_words(name, value) for value in (own, *others)]))
    return told


def _as_typed(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
