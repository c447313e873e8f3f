"""A slow and plain reading of one chariot's part in a history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import comb
from typing import Any, NamedTuple

import numpy as np

from avecaesar import Crash, Draw, Miss, Move, Play, Race, Sort, Withdraw
from avecaesar.game.moves import to_number
from avecaesar.game.numbers import ChariotNumber
from avecaesar.kernel import entry_points, packing
from avecaesar.kernel import layout as k
from situations import _survey

Cards = tuple[int, ...]


class Told(NamedTuple):
    """One event of a history, with what everybody could see of a chariot before and after."""

    before: packing.Packed
    after: packing.Packed
    chariot: ChariotNumber
    move: Move


def retold(race: Race) -> list[Told]:
    again = Race(
        race.course,
        chariots=[race.names[chariot] for chariot in race.driven],
        rules=race.rules,
        decks=race.deal,
        memory_aid=race.memory_aid,
    )
    events = []
    for turn in race.history:
        before = again._races.copy()
        again.play(turn.made)
        events.append(Told(before, again._races.copy(), turn.chariot, turn.made))
    return events


class CannotTell(Exception):
    """SIX-5 made a turn depend on others' hands, so that no chariot can be told by itself; or there is too much."""


def fitting(race: Race, event: Told) -> set[frozenset[int]]:
    """The sets of values with which the event could have happened, each of them tried by the rules."""
    found = set()
    for values in range(1, 64):
        cards = frozenset(value for value in range(1, 7) if values >> value - 1 & 1)
        if fits_sixes(race, event) if cards == {6} else fits(race, event, cards):
            found.add(cards)
    return found


def fits_sixes(race: Race, event: Told) -> bool:
    alone, tied = (fits(race, event, frozenset({6}), others_hold_sixes=others) for others in (False, True))
    if alone != tied:
        raise CannotTell
    return alone


def fits(race: Race, event: Told, cards: frozenset[int], others_hold_sixes: bool = False) -> bool:
    twin = event.before.copy()
    for chariot in race.driven:
        twin["hand"][0][chariot] = int(twin["held"][0][chariot]) << 24 if others_hold_sixes else 0
    twin["hand"][0][event.chariot] = sum(1 << 4 * value for value in cards)
    twin["held"][0][event.chariot] = len(cards)
    _survey(race._course_table, race._rules_table, twin)
    match event.move:
        case Miss(exchange):
            return bool(twin["phase"][0] == k.MISS and twin["exchanges"][0] == (exchange is not None))
        case _:
            return bool(entry_points.judge(race._course_table, twin, 0, to_number(event.move)) == k.ALLOWED)


class Hidden(NamedTuple):
    """What a chariot may have: its hand; under its deck, or on its piles, each counted by value."""

    hand: Cards
    rest: tuple[Any, ...]


class Telling:
    """All that a chariot may have held after each event, with its weight and how it came to that."""

    def __init__(self, race: Race, chariot: ChariotNumber, events: list[Told]) -> None:
        self.race, self.chariot, self.events = race, chariot, events
        self.piled = race._piled(chariot)
        self.steps: list[dict[Hidden, tuple[float, Hidden | None, Any]]] = []
        self.unseen = Counter(dict.fromkeys(range(1, 7), 4))
        self.now: dict[Hidden, tuple[float, Hidden | None, Any]] = {}
        if not self.piled:
            held = race.rules.hand
            for hand in combinations_with_replacement(range(1, 7), held):
                if all(hand.count(value) <= 4 for value in hand):
                    ways = np.prod([comb(4, hand.count(value)) for value in set(hand)])
                    self.now[Hidden(hand, ())] = (float(ways), None, hand)
            self.steps.append(self.now)
        for event in events:
            self.tell(event)

    def tell(self, event: Told) -> None:
        mine, chariot = event.chariot == self.chariot, self.chariot
        if mine and isinstance(event.move, Sort):
            sizes = event.after["pile"][0][chariot].tolist()
            for move in sortings(self.race, event.before.tobytes()):
                if [len(pile) for pile in move] == sizes:
                    self.now[Hidden((), move)] = (1.0, None, move)
            self.steps.append(self.now)
        elif mine and isinstance(event.move, Draw):
            laid = event.before["laid"][0][chariot] == event.move.pile + 1
            pile = event.move.pile
            self.change(lambda state: draws_from(state, pile, laid))
        elif mine and isinstance(event.move, Play | Miss | Withdraw | Crash):
            self.turn(event)
        if not self.piled:
            for undrawn in range(undrawn_in(event.before, chariot), undrawn_in(event.after, chariot), -1):
                self.change(lambda state, undrawn=undrawn: draws(state, undrawn, self.unseen))

    def turn(self, event: Told) -> None:
        sets = fitting(self.race, event)
        self.now = {state: told for state, told in self.now.items() if frozenset(state.hand) in sets or not state.hand}
        self.steps[-1] = self.now
        match event.move:
            case Play(card, _):
                self.change(lambda state: plays(state, card))
                self.unseen[card] -= 1
                if event.before["emperor"][0][self.chariot] > event.after["emperor"][0][self.chariot]:
                    back = 4 if self.race.course.side == "B" else 3
                    self.change(lambda state: [(Hidden(added(state.hand, back), state.rest), 1.0, None)])
            case Miss(int()):
                undrawn = undrawn_in(event.before, self.chariot) + 1
                self.change(exchanges)
                self.change(lambda state: draws(state, undrawn, self.unseen))

    def change(self, ways: Any) -> None:
        after: dict[Hidden, tuple[float, Hidden | None, Any]] = {}
        for state, (weight, _, _) in self.now.items():
            for new, chance, what in ways(state):
                so_far = after[new][0] if new in after else 0.0
                after[new] = (so_far + weight * chance, state, what)
        if len(after) > 5000:
            raise CannotTell
        self.now = after
        self.steps.append(after)

    def way_to(self, state: Hidden) -> list[Any]:
        """What was drawn, exchanged or sorted on a way to this state, step by step."""
        told = []
        for step_ in reversed(self.steps):
            _, before, what = step_[state]
            told.append(what)
            if before is None:
                break
            state = before
        return told[::-1]


def undrawn_in(world: packing.Packed, chariot: ChariotNumber) -> int:
    return int(world["undrawn"][0][chariot])


def added(hand: Cards, card: int) -> Cards:
    return tuple(sorted((*hand, card)))


def without(cards: Cards, card: int) -> Cards:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def plays(state: Hidden, card: int) -> Iterator[tuple[Hidden, float, Any]]:
    if card in state.hand:
        yield Hidden(without(state.hand, card), state.rest), state.hand.count(card), None


def exchanges(state: Hidden) -> Iterator[tuple[Hidden, float, Any]]:
    for card in set(state.hand):
        yield (
            Hidden(without(state.hand, card), (*state.rest, card)),
            state.hand.count(card),
            ("exchanged", card),
        )


def draws(state: Hidden, undrawn: int, unseen: Counter[int]) -> Iterator[tuple[Hidden, float, Any]]:
    if undrawn == len(state.rest):
        yield Hidden(added(state.hand, state.rest[0]), state.rest[1:]), 1.0, None
        return
    left = unseen - Counter(state.hand) - Counter(state.rest)
    for card, count in left.items():
        yield Hidden(added(state.hand, card), state.rest), count / left.total(), ("drawn", card)


def draws_from(state: Hidden, pile: int, laid: bool) -> Iterator[tuple[Hidden, float, Any]]:
    if laid:
        yield Hidden(added(state.hand, 3), state.rest), 1.0, None
        return
    cards = state.rest[pile]
    for card in set(cards):
        piles = (*state.rest[:pile], without(cards, card), *state.rest[pile + 1 :])
        yield Hidden(added(state.hand, card), piles), cards.count(card) / len(cards), ("from", pile, card)


def sortings(race: Race, before: bytes) -> list[tuple[Cards, ...]]:
    twin = race.copy()
    twin._lay_out(np.frombuffer(bytearray(before), k.RACE))
    return [move.piles for move in twin.legal_moves if isinstance(move, Sort) and move.piles is not None]
