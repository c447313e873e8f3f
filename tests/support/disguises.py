"""Races of all kinds, and twins of them that differ only in what a driver cannot know."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from avecaesar import (
    ChooseDeck,
    Miss,
    Race,
    Sort,
    load_course,
)
from avecaesar.game.lineup import NAMES
from avecaesar.game.moves import DECK_NAMES, to_number
from avecaesar.game.view import Turn
from lockstep import choose, random_deal, random_setup
from situations import _survey


def some_race(seed: int) -> tuple[Race, random.Random]:
    source = random.Random(seed)
    course, direction, rules, drivers, riderless = random_setup(source)
    decks = random_deal(rules, drivers, riderless, source)
    aid = source.random() < 0.5
    where = load_course(course, direction)
    return Race(where, chariots=NAMES[:drivers], rules=rules, decks=decks, memory_aid=aid), source


def step(race: Race, source: random.Random, habit: int = 0) -> None:
    moves = sorted(to_number(move) for move in race.legal_moves)
    race.play(race.move_of(choose(moves, habit, source)))


def somewhere(seed: int) -> tuple[Race, random.Random]:
    """A race at a random moment; often late, where the rare rules live."""
    race, source = some_race(seed)
    habit = source.randrange(3)
    for _ in range(source.choice((source.randrange(12), source.randrange(160)))):
        before = race.copy()
        step(race, source, habit)
        if race.over:
            return before, source
    return race, source


def disguised(race: Race, chariot: int | None, source: random.Random, team: Sequence[int] = ()) -> Race:
    """A race that differs only in what a driver (and his team) cannot know: others' cards and choices, own order."""
    twin, own = race.copy(), (chariot, *team)
    for other in range(len(race.names)):
        if race.rules.draw == "from_piles" and other in race.driven:
            _disguise_piles(race, twin, other, own=other in own, source=source)
        else:
            _disguise_deck(race, twin, other, seen=other in (*own, *race.riderless), source=source)
    twin._history = [
        turn if turn.chariot in (*own, *race.riderless) else replace(turn, **_disguise_turn(race, turn, source))
        for turn in race._history
    ]
    _disguise_question(race, twin, source)
    _survey_again(twin)
    return twin


def _disguise_deck(race: Race, twin: Race, other: int, *, seen: bool, source: random.Random) -> None:
    """Other cards; of a deck whose cards he sees, only another order above those that were put under it."""
    hand, deck = list(race._hand(other)), race._deck(other)
    known = race._all("known")[other]
    if seen:
        deck[: len(deck) - known] = source.sample(deck[: len(deck) - known], len(deck) - known)
    else:
        unseen = source.sample([*hand, *deck], len(hand) + len(deck))
        hand, deck = unseen[: len(hand)], unseen[len(hand) :]
        known = source.randint(0, len(deck))
    ring, top = source.choices(range(1, 7), k=24), source.randrange(24)
    for k_, card in enumerate(deck):
        ring[(top + k_) % 24] = card
    twin._fields["hand"][0][other] = sum(1 << 4 * card for card in hand)
    twin._fields["deck"][0][other] = ring
    twin._fields["top"][0][other] = top
    twin._fields["known"][0][other] = known


def _disguise_question(race: Race, twin: Race, source: random.Random) -> None:
    """What was asked before is nobody's to know."""
    if race.asks != "vote" and race.turn in race.driven:
        for field in ("miss", "exchanges", "homeward"):
            twin._fields[field][0] = source.randrange(3)
        twin._fields["destinations"][0][1:] = source.sample(range(1 << 62), 6)


def _disguise_piles(race: Race, twin: Race, other: int, *, own: bool, source: random.Random) -> None:
    """Another shuffle; other piles of the same size; another deck as long as it is secret."""
    fields = twin._fields
    if other not in race._sorted:
        fields["deck"][0][other] = source.sample(range(24), 24)
        if not own and race.asks == "deck" and fields["choice"][0][other]:
            fields["choice"][0][other] = source.randint(1, 3)
        return
    piles = [list(pile) for pile in race._piles_of(other)]
    if own and race.memory_aid:
        for pile in piles:
            source.shuffle(pile)  # their order is nobody's to know
    else:
        hand = [] if own else list(race._hand(other))
        unseen = [*hand, *(card for pile in piles for card in pile)]
        source.shuffle(unseen)
        if not own:
            fields["hand"][0][other] = sum(1 << 4 * card for card in unseen[: len(hand)])
        rest = unseen[len(hand) :]
        sizes = [len(pile) for pile in piles]
        if race.asks == "sort" and not own:  # nobody has seen how many there are on each
            sizes = [len(rest) - 2, 1, 1]
        piles = [rest[: sizes[0]], rest[sizes[0] : sizes[0] + sizes[1]], rest[sizes[0] + sizes[1] :]]
    sizes = [len(pile) for pile in piles]
    cards = [card for pile in piles for card in pile]
    fields["deck"][0][other][: len(cards)] = cards
    fields["pile"][0][other] = sizes
    fields["pile_top"][0][other] = [0, sizes[0], sizes[0] + sizes[1]]
    dealt = [list(pile) for pile in race._sorted[other]]
    if not own:
        everything = source.sample(cards := [card for pile in dealt for card in pile], len(cards))
        dealt = [everything[:1], everything[1:2], everything[2:]]
    for pile in dealt:
        source.shuffle(pile)
    twin._sorted[other] = tuple(tuple(pile) for pile in dealt)


def _disguise_turn(race: Race, turn: Turn, source: random.Random) -> dict[str, Any]:
    match turn.move:
        case Miss():
            return {"move": Miss(source.randint(1, 6) if turn.exchanged else None), "reason": "blocked"}
        case Sort():
            return {"move": Sort(((1,), (2,), (3,)))}
        case ChooseDeck() if race.asks == "deck":
            return {"move": ChooseDeck(source.choice(DECK_NAMES))}
        case _:
            return {}


def _survey_again(race: Race) -> None:
    """Work out anew what is asked on a turn; a riderless chariot has drawn its card for all to see."""
    if race.asks == "turn" and race.turn in race.driven:
        _survey(race._course_table, race._rules_table, race._races)


def tied_exception_may_speak(race: Race, chariot: int | None) -> bool:
    """RULES.md's one exception: what a tied leader with nothing but sixes may do tells him of the others'."""
    return chariot is not None and chariot in race.leaders and len(race.leaders) > 1 and set(race._hand(chariot)) == {6}
