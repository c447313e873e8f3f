"""Editions, house rules, riderless chariots and drivers in words: what any form for a new table tells."""

from __future__ import annotations

from collections.abc import Mapping

from avecaesar.courses import load_course
from avecaesar.drivers import CHARACTERS
from avecaesar.game import Tournament
from avecaesar.rules import EDITIONS, FILLING, MOST_CHARIOTS, OPTIONS, Rules, RulesError, internal, riderless_in
from avecaesar.speech import counted, say

AS_PRINTED = "as the edition has it"
NUMBERS = ("hand", "races", "laurels")  # options that are numbers
LINEUP = ("riderless", "riderless_count", "riderless_moves", "chariots_each")  # they have rows of their own
MORE_TIME = "2s"  # for a driver who thinks
BRIEFLY = {  # what an option's value changes, in fewer words than its own; none where another option says it
    ("decks", "choice"): "slow, average and fast decks",
    ("draw", "from_piles"): "three piles",
    ("draw", "end_of_round"): "cards are drawn at the end of a round",
    ("hand", "2"): "two cards in hand",
    ("missed_turn", "keep"): "no exchange of cards",
    ("first_six", "barred"): "no 6 for a leader on the first turn",
    ("tied_exception", "always"): "several leaders with only sixes may play one",
    ("tied_exception", "none"): "leaders with only sixes wait",
    ("tribute", "optional"): "the alley is optional",
    ("emperor_cards", "by_side"): "it brings cards",
    ("race_ends", "first_home"): "the first one home ends the race",
    ("riderless", "extra"): "",
    ("riderless", "none"): "no riderless chariots",
    ("riderless", "fill"): "riderless chariots fill the grid (A: 4, B: 6)",
    ("riderless", "fill_no_tribute"): "riderless chariots fill the grid (A: 4, B: 6)",
    ("riderless_count", "fill"): "",
    ("riderless_count", "0"): "",
    ("riderless_moves", "vote"): "all vote on where riderless chariots go",
    ("chariots_each", "2"): "two chariots each",
    ("chariots_each", "3"): "three chariots each",
    ("crash", "yes"): "a leader with only sixes crashes",
    ("first_grid", "random"): "the first grid at random",
    ("next_grid", "reverse_arrival"): "winners start at the back",
    ("next_grid", "arrival"): "winners start in front",
    ("schedule", "both_sides"): "a tournament on both sides of the board",
    ("schedule", "one_course"): "a tournament on one course",
    ("laurels", "(9, 6, 4, 3, 2, 1)"): "other laurels",
}


def short_name(edition: str) -> str:
    """What an edition is called, in every language.

    >>> [short_name(edition) for edition in EDITIONS]
    ['Ravensburger', 'Pro Ludo', 'Thibault', 'Fiche', 'Riassunto', 'Ausgebremst']
    """
    return edition.replace("-", " ").title()


def driver_choices() -> dict[str, str]:
    """The computer's drivers in a few words, the easiest first; who thinks is there twice."""
    told = {}
    for name, character in CHARACTERS.items():
        told[name] = f"{character.title}, {character.level}"
        if character.thinks:
            told[f"{name}@{MORE_TIME}"] = f"{character.title}, with more time"
    return told


def in_words(value: object) -> str:
    """An option's value as one reads it."""
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value).replace("_", " ")


def value_in_words(option: str, value: object) -> str:
    """An option's value in its own words."""
    words = OPTIONS[option].words.get(str(value))
    return in_words(value) if words is None else say(words)


def changed(rules: Rules, usual: Rules) -> dict[str, object]:
    """In what rules differ from others: options and their values, as they are told; none that another option tells."""
    order, hidden = [option for option, _ in BRIEFLY], internal()
    differences = {option: both[0] for option, both in rules.differences(usual).items() if option not in hidden}
    told = (option for option, value in differences.items() if _is_told(option, value))
    in_order = sorted(told, key=lambda option: order.index(option) if option in order else len(order))
    return {option: differences[option] for option in in_order}


def _is_told(option: str, value: object) -> bool:
    in_numbers = option == "riderless_count" and isinstance(value, int)
    return in_numbers or BRIEFLY.get((option, str(value))) != ""


def changes_by_option(rules: Rules, usual: Rules) -> dict[str, str]:
    """The same in words, a few each."""
    return {option: _change(option, value) for option, value in changed(rules, usual).items()}


def _change(option: str, value: object) -> str:
    if option == "riderless_count" and isinstance(value, int):
        return counted(value, "{n} riderless chariot", "{n} riderless chariots")
    words = BRIEFLY.get((option, str(value)))
    if words is None:
        meaning = say(OPTIONS[option].meaning)
        return say("{option}: {value}", option=meaning, value=value_in_words(option, value))
    return say(words)


def changes_in_words(rules: Rules, usual: Rules) -> list[str]:
    """In what rules differ from others, a few words each."""
    return list(changes_by_option(rules, usual).values())


def what_changes(name: str) -> str:
    """In what an edition differs from the original one, in words."""
    chosen = EDITIONS[name]
    changes = changes_in_words(chosen.rules, EDITIONS["ravensburger"].rules)
    told = f"Differs from the original: {'; '.join(changes)}." if changes else "The other editions differ from it."
    return f"{capital(chosen.title)}. {told}"


def can_be_played(edition: str, options: Mapping[str, str]) -> bool:
    """Whether an edition can be played with these house rules."""
    try:
        EDITIONS[edition].rules.with_options(options)
    except RulesError:
        return False
    return True


def playable_options(edition: str, options: Mapping[str, str]) -> dict[str, str]:
    """Of these house rules those that an edition can be played with, taken one after the other."""
    kept: dict[str, str] = {}
    for name, value in options.items():
        if can_be_played(edition, {**kept, name: value}):
            kept[name] = value
    return kept


def house_rule(name: str, edition: str, options: Mapping[str, str]) -> dict[str, str]:
    """The values of an option that go with the edition and the other house rules; the edition's own is first."""
    own = str(getattr(EDITIONS[edition].rules, name))
    others = [
        value
        for value in OPTIONS[name].values
        if value != own and (options.get(name) == value or can_be_played(edition, {**options, name: value}))
    ]
    printed = f"edition: {value_in_words(name, own)}"
    return {AS_PRINTED: printed, **{value: value_in_words(name, value) for value in others}}


def riderless_choices(edition: str) -> dict[str, str]:
    """Kind and number of riderless chariots in one: the options behind each are in `riderless_options`."""
    rules = EDITIONS[edition].rules
    kinds = {
        "none": "none",
        **{str(n): f"{n} in the last place{'s' * (n > 1)}" for n in range(1, MOST_CHARIOTS)},
        "fill": "fill the grid, in front",
        "fill_no_tribute": "fill the grid, pass the alley by",
    }
    own = rules.riderless if rules.riderless in FILLING else str(rules.riderless_count or "none")
    return {AS_PRINTED: f"{kinds.pop(own)} (edition)", **kinds}


def riderless_options(choice: str) -> dict[str, str]:
    """The options of the rules behind a choice of riderless chariots."""
    if choice == AS_PRINTED:
        return {}
    return {"riderless": "extra", "riderless_count": choice} if choice.isdigit() else {"riderless": choice}


def riderless_on(games: Tournament) -> dict[str, int]:
    """How many riderless chariots there are on each course."""
    return {
        course: riderless_in(games.rules, len(games.entries), load_course(course).side) for course, _ in games.schedule
    }


def lineup_in_words(games: Tournament) -> str:
    """How many chariots race on each course, and how many of them are riderless."""
    drivers, riderless, parts = len(games.entries), riderless_on(games), []
    for loose in dict.fromkeys(riderless.values()):
        where = " and ".join(course for course in riderless if riderless[course] == loose)
        many = drivers + loose
        without = f"{loose} of them riderless" if loose else "none of them riderless"
        parts.append(f"{many} chariot{'s' * (many > 1)} on {where}, {without}")
    return f"{'; '.join(parts)}."


def capital(words: str) -> str:
    """Words as a sentence begins."""
    return f"{words[0].upper()}{words[1:]}"
