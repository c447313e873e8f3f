"""Versions of the rules: a race that was begun by older rules is folded, told and refereed by them for good.

Upcasting: what is older than an option is read as if it had named the option's value of its time (`as_of`).
A repaired rule is an option. Whatever is begun now plays its repaired value; whatever is older plays `before`. An
option that exists for a repair only is internal: nobody is offered it, nobody may ask for it, no edition is told by it.
A record names it only where it differs from `unsaid`: usually `before`, for so records speak that are older than it.

To repair a rule: see "Repairing a rule" in CONTRIBUTING.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from avecaesar.rules.options import OPTIONS, Option, Rules, RulesError, edition

RULES_VERSION = 2  # by which new tables play; logs that name none are of version 1


class Repair(NamedTuple):
    """A rule that was wrong before a version."""

    version: int  # the first in which it is right
    option: str
    before: str  # its value in everything older
    editions: tuple[str, ...] = ()  # those that had the wrong value; none: the option is internal, and for all
    unsaid: str = ""  # what a record means that does not name it; empty: `before`


REPAIRS: tuple[Repair, ...] = (
    # NEXT-1: 0.6 let a table in the browser choose any two courses. Such tables go on; but a record that says nothing
    # of it is held to the printed rule, or anybody could forge one.
    Repair(2, "by_table_courses", before="any", unsaid="of_one_side"),
)


def internal() -> dict[str, str]:
    """The options that are nobody's to choose, with the values that they had before they were options."""
    return {repair.option: repair.before for repair in REPAIRS if not repair.editions}


def unsaid() -> dict[str, str]:
    """What a record means that does not name an internal option."""
    return {repair.option: repair.unsaid or repair.before for repair in REPAIRS if not repair.editions}


def offered() -> dict[str, Option]:
    """The options that people may choose."""
    return {name: option for name, option in OPTIONS.items() if name not in internal()}


def as_of(version: int, edition: str, options: Mapping[str, str]) -> dict[str, str]:
    """The options of something that was begun by a version of the rules: those that were chosen, and what was wrong."""
    if not 1 <= version <= RULES_VERSION:
        raise RulesError(f"it is played by rules of version {version}, and this program knows 1 to {RULES_VERSION}")
    older = {
        repair.option: repair.before
        for repair in reversed(REPAIRS)  # of two repairs of one option the first after that version counts
        if version < repair.version and (edition in repair.editions or not repair.editions)
    }
    return {**older, **options}


def as_raced(rules: Rules, name: str, options: Mapping[str, str]) -> dict[str, str]:
    """The options with which an edition led to these rules, though an option was repaired since then."""
    today = edition(name).with_options(options)
    repaired = {repair.option for repair in REPAIRS}
    differ = {name: str(mine) for name, (mine, _) in rules.differences(today).items() if name in repaired}
    return {**differ, **options}
