"""Worlds: whole races that agree with all that a driver has seen. Proved by running them again from the start.

`Telling` (`retold.py`) is a slow and plain reading of one chariot's part in a history: all hands it may have held, step
by step, with their weights. What a world deals must be among its last ones, and the way there is a deal that can be
raced.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from avecaesar import ChooseDeck, Miss, Move, Play, Race, Sort
from avecaesar.drivers import Greedy, belief
from avecaesar.drivers.belief.guesses import on_piles
from avecaesar.drivers.belief.sortings import SORTINGS
from avecaesar.drivers.memory import events_of
from avecaesar.game.moves import DECK_NAMES
from avecaesar.game.numbers import ChariotNumber
from avecaesar.kernel import entry_points, packing, redaction
from avecaesar.kernel import layout as k
from avecaesar.kernel.piles import MOST_SPLIT, sorting_of
from disguises import disguised, some_race, somewhere, step, tied_exception_may_speak
from retold import CannotTell, Cards, Hidden, Telling, fits_sixes, retold
from situations import _survey

LAYING = (151, 211, 227)
MOMENTS = (*range(60), 87, 103, *LAYING)


def evidence_of(race: Race, chariot: ChariotNumber, used: packing.Packed | None = None) -> packing.Packed:
    evidence = belief.new_evidence() if used is None else used
    view = race.view(chariot)
    belief.gather_all(race._course_table, race._rules_table, view.known, events_of(view), evidence)
    return evidence


def imagined(
    race: Race, chariot: ChariotNumber, count: int, seed: int = 1, used: packing.Packed | None = None
) -> Iterator[packing.Packed]:
    """So many worlds as one chariot's driver imagines them; all in the same record."""
    evidence, world, state = evidence_of(race, chariot, used), packing.new_races(1), np.uint64(seed)
    known = race.view(chariot).known
    for _ in range(count):
        state = np.uint64(belief.imagine_one(race._course_table, race._rules_table, known, evidence, world, state))
        yield world


def moment(seed: int) -> tuple[Race, ChariotNumber]:
    """A race of any kind at a moment at which a driver is asked."""
    race, source = laying(seed) if seed in LAYING else somewhere(seed)
    while not race.over:
        chariot = race.turn
        if chariot is not None and chariot in race.driven:
            return race, chariot
        step(race, source)
    return moment(seed + 100_000)


def laying(seed: int) -> tuple[Race, random.Random]:
    """A race at the first moment at which the emperor's 3 is laid on a pile."""
    race, source = some_race(seed)
    habit = source.randrange(3)
    while race.asks != "lay":
        step(race, source, habit)
    return race, source


def hand_in(world: packing.Packed, chariot: int) -> Cards:
    packed = int(world["hand"][0][chariot])
    return tuple(value for value in range(1, 7) for _ in range(packed >> 4 * value & 15))


def deck_in(world: packing.Packed, chariot: int) -> Cards:
    top, undrawn = int(world["top"][0][chariot]), int(world["undrawn"][0][chariot])
    ring = world["deck"][0][chariot].tolist()
    return tuple(ring[(top + n) % 24] for n in range(undrawn))


def piles_in(world: packing.Packed, chariot: int) -> tuple[Cards, ...]:
    cards = world["deck"][0][chariot].tolist()
    spans = zip(world["pile_top"][0][chariot].tolist(), world["pile"][0][chariot].tolist(), strict=True)
    return tuple(tuple(cards[top : top + size]) for top, size in spans)


# ---------------------------------------------------------------------- the law


def numbers_of(piles: tuple[Cards, ...]) -> list[int]:
    """A shuffle of 0 to 23 by which sorted cards come to lie on their piles in this order (`kernel.piles`)."""
    numbers, first = [], 0
    for pile in piles:
        places = {value: [] for value in range(1, 7)}  # type: dict[int, list[int]]
        for n, value in enumerate(sorted(pile)):
            places[value].append(first + n)
        numbers += [places[value].pop() for value in pile]
        first += len(pile)
    return [*numbers, *range(first, 24)]


def race_again(race: Race, chariot: ChariotNumber, world: packing.Packed, tellings: dict[int, Telling]) -> Race:
    """The race from the start, with a deal and hidden choices by which it comes to this world."""
    deal = [list(cards) for cards in race.deal]
    hidden: dict[int, list[Move]] = {}
    for other in range(len(race.names)):
        if other not in hidden_from(race, chariot):
            deal[other] = own_deal(race, world, other)
        elif race.asks in ("deck", "sort"):
            if other in race._sorted:
                piles = piles_in(world, other)
                hidden[other] = [Sort(tuple(tuple(sorted(pile)) for pile in piles))]
                deal[other] = numbers_of(piles)
            else:
                deal[other] = world["deck"][0][other].tolist()
        else:
            deal[other], hidden[other] = told_deal(world, other, tellings[other])
    again = Race(
        race.course,
        chariots=[race.names[other] for other in race.driven],
        rules=race.rules,
        decks=deal,
        memory_aid=race.memory_aid,
    )
    for turn in race.history:
        move = turn.made
        if turn.chariot in hidden and (isinstance(move, Sort) or (isinstance(move, Miss) and move.exchange)):
            move = hidden[turn.chariot].pop(0)
        elif isinstance(move, ChooseDeck) and race.asks == "deck" and turn.chariot != chariot:
            move = ChooseDeck(DECK_NAMES[int(world["choice"][0][turn.chariot]) - 1])
        again.play(move)
    return again


def hidden_from(race: Race, chariot: ChariotNumber) -> set[ChariotNumber]:
    """The chariots whose cards one chariot's driver cannot see; without a memory aid his own piles are among them."""
    own = set() if race._piled(chariot) and not race.memory_aid else {chariot}
    return set(race.driven) - own


def hidden_in(world: packing.Packed, chariot: int, piled: bool) -> Hidden:
    if piled:
        return Hidden(hand_in(world, chariot), tuple(tuple(sorted(pile)) for pile in piles_in(world, chariot)))
    deck = deck_in(world, chariot)
    return Hidden(hand_in(world, chariot), deck[len(deck) - int(world["known"][0][chariot]) :])


def own_deal(race: Race, world: packing.Packed, chariot: int) -> list[int]:
    """What was drawn comes as it did, the rest as the world has it."""
    if race._piled(chariot):
        if chariot not in race._sorted:
            numbers: list[int] = world["deck"][0][chariot].tolist()
            return numbers
        piles = []
        for dealt, left in zip(race._sorted[chariot], piles_in(world, chariot), strict=True):
            piles.append(dealt[: len(dealt) - len(left)] + left)
        return numbers_of(tuple(piles))
    shuffled = race._all("undrawn")[chariot] - race._all("known")[chariot]
    return [*race.deal[chariot][: 24 - shuffled], *deck_in(world, chariot)[:shuffled]]


def told_deal(world: packing.Packed, chariot: int, telling: Telling) -> tuple[list[int], list[Move]]:
    way = telling.way_to(hidden_in(world, chariot, telling.piled))
    if telling.piled:
        piles = piles_in(world, chariot)
        drawn = [[step_[2] for step_ in way[1:] if step_ and step_[1] == pile] for pile in range(3)]
        sorted_ = [(*first, *left) for first, left in zip(drawn, piles, strict=True)]
        return numbers_of(tuple(sorted_)), [Sort(way[0])]
    deck = deck_in(world, chariot)
    under = int(world["known"][0][chariot])
    drawn_ = [step_[1] for step_ in way[1:] if step_ and step_[0] == "drawn"]
    exchanged: list[Move] = [Miss(step_[1]) for step_ in way[1:] if step_ and step_[0] == "exchanged"]
    return [*way[0], *drawn_, *deck[: len(deck) - under]], exchanged


@cache
def told(seed: int) -> tuple[Race, ChariotNumber, dict[int, Telling] | None]:
    """A moment and the part of each chariot whose cards are hidden; None where it cannot be told."""
    race, chariot = moment(seed)
    if race.asks in ("deck", "sort"):
        return race, chariot, {}
    if tied_exception_may_speak(race, chariot):
        return race, chariot, None
    events = retold(race)
    try:
        for event in events:
            if event.chariot in race.driven and isinstance(event.move, Play | Miss):
                fits_sixes(race, event)
        return race, chariot, {other: Telling(race, other, events) for other in hidden_from(race, chariot)}
    except CannotTell:
        return race, chariot, None


def known_in(race: Race, world: packing.Packed, chariot: ChariotNumber) -> bytes:
    into = packing.new_races(1)
    redaction.redact_race(race._rules_table, world, 0, chariot, into)
    return into.tobytes()


@pytest.mark.parametrize("seed", MOMENTS)
def test_a_world_raced_again_from_the_start_is_legal_and_looks_the_same(seed: int) -> None:
    race, chariot, tellings = told(seed)
    if tellings is None:
        return
    view = race.view(chariot)
    for world in imagined(race, chariot, 5, seed):
        assert known_in(race, world, chariot) == view.known.tobytes()
        again = race_again(race, chariot, world, tellings)
        assert again.view(chariot).known.tobytes() == view.known.tobytes()
        for other in range(len(race.names)):
            assert again._hand(other) == hand_in(world, other)
            if not race._piled(other):
                assert tuple(again._deck(other)) == deck_in(world, other)
            elif other in again._sorted:
                assert again._piles_of(other) == piles_in(world, other)


@pytest.mark.parametrize("seed", MOMENTS)
def test_worlds_come_as_often_as_they_are_likely(seed: int) -> None:
    race, chariot, tellings = told(seed)
    if tellings is None:
        return
    seen: dict[int, Counter[Hidden]] = {other: Counter() for other in tellings}
    for world in imagined(race, chariot, 2000):
        for other, telling in tellings.items():
            seen[other][hidden_in(world, other, telling.piled)] += 1
    for other, telling in tellings.items():
        weights = {state: weight for state, (weight, _, _) in telling.now.items()}
        if other == chariot:
            weights = {state: weight for state, weight in weights.items() if state.hand == race._hand(chariot)}
        total = sum(weights.values())
        assert set(seen[other]) <= set(weights)
        expected = {state: 2000 * weight / total for state, weight in weights.items()}
        usual = [state for state in expected if expected[state] >= 5]
        far = sum((seen[other][state] - expected[state]) ** 2 / expected[state] for state in usual)
        assert far <= len(usual) + 6 * (2 * len(usual)) ** 0.5 + 10, (other, far, len(usual))


def test_most_moments_can_be_told_and_every_question_is_among_them() -> None:
    asked = Counter(race.asks for seed in MOMENTS for race, _, tellings in [told(seed)] if tellings is not None)
    assert asked.total() > 0.8 * len(MOMENTS)
    assert {"turn", "deck", "sort", "draw", "lay", "vote"} <= set(asked)


# ---------------------------------------------------------------------- what a world is


def test_the_ghost_runs_the_race_that_was_seen() -> None:
    one = ("racing", "contenders", "home", "ban_lifted", "kept", "idle", "turns", "decisions", "turn")
    each = ("space", "crossings", "status", "coin", "disqualified", "arrival", "remaining", "left", "laid", "emperor")
    for seed in range(120):
        race, chariot = moment(seed)
        if race.asks not in ("deck", "sort", "vote"):
            ghost = evidence_of(race, chariot)["ghost"]
            for field in one if race.asks == "turn" else one[:-1]:
                assert ghost[field] == race._fields[field], (seed, field)
            for field in (*each, "held", "undrawn"):
                assert ghost[field][0].tolist()[: len(race.names)] == race._all(field), (seed, field)


def test_every_card_that_is_not_seen_is_somewhere_and_no_other() -> None:
    for seed in range(120):
        race, on_turn = moment(seed)
        for world in imagined(race, on_turn, 3, seed):
            for other, chariot in enumerate(race.view(on_turn).chariots):
                if race.asks in ("deck", "sort") and race._piled(other):
                    continue
                cards = Counter(hand_in(world, other))
                if race._piled(other):
                    cards += Counter(card for pile in piles_in(world, other) for card in pile)
                    cards[3] += (chariot.laid is not None) + race._lays(other)
                else:
                    cards += Counter(deck_in(world, other))
                assert [cards[value] for value in range(1, 7)] == list(chariot.unseen)


def test_a_world_asks_what_the_race_asks_and_can_be_raced_to_its_end() -> None:
    moves = np.empty(k.MOST_MOVES, np.int64)
    for seed in range(120):
        race, chariot = moment(seed)
        source = random.Random(seed)
        for world in imagined(race, chariot, 3, seed):
            if race.asks == "turn":
                _survey(race._course_table, race._rules_table, world)
                assert known_in(race, world, chariot) == race.view(chariot).known.tobytes()
            while world["phase"][0] != k.OVER:
                count = entry_points.list_moves(race._course_table, world, 0, moves)
                move = int(moves[source.randrange(count)])
                assert entry_points.step(race._course_table, race._rules_table, world, 0, move) == k.ALLOWED


def test_what_a_driver_cannot_know_changes_no_world() -> None:
    for seed in range(120):
        race, chariot = moment(seed)
        if tied_exception_may_speak(race, chariot):
            continue
        twin = disguised(race, chariot, random.Random(seed))
        assert events_of(race.view(chariot)).tolist() == events_of(twin.view(chariot)).tolist()
        assert evidence_of(race, chariot).tobytes() == evidence_of(twin, chariot).tobytes()
        for mine, other in zip(imagined(race, chariot, 5), imagined(twin, chariot, 5), strict=True):
            assert mine.tobytes() == other.tobytes()


def test_used_evidence_tells_nothing_of_the_race_before() -> None:
    used = belief.new_evidence()
    for seed in range(120):
        race, chariot = moment(seed)
        for mine, other in zip(imagined(race, chariot, 3), imagined(race, chariot, 3, used=used), strict=True):
            assert mine.tobytes() == other.tobytes()


def test_a_hand_of_which_nothing_is_known_is_any_of_the_cards_left() -> None:
    race = Race("white", 4, seed=0)
    while len(race.history) < 8:
        race.play(Greedy().choose(race.view(race.turn)))
    assert all(isinstance(turn.move, Play) for turn in race.history)
    unseen = race.view(0).chariots[1].unseen
    held, on_top = Counter[int](), Counter[int]()
    for world in imagined(race, ChariotNumber(0), 6000):
        held.update(hand_in(world, 1))
        on_top[deck_in(world, 1)[0]] += 1
    for seen, count in ((held, 18000), (on_top, 6000)):
        expected = [count * n / sum(unseen) for n in unseen]
        assert sum((seen[v] - n) ** 2 / n for v, n in enumerate(expected, 1)) < 30


def test_who_missed_a_turn_holds_nothing_that_he_could_have_played() -> None:
    looks = 0
    for seed in range(200):
        race, source = some_race(seed)
        if race.rules.missed_turn != "keep" or race.rules.draw == "end_of_round":
            continue
        while not race.over and looks < 60:
            before = race._races.copy()
            missing = race.turn
            step(race, source)
            chariot = race.turn
            missed = missing in race.driven and isinstance(race.history[-1].move, Miss)
            if missed and chariot in race.driven and chariot is not None and chariot != missing:
                looks += 1
                for world in imagined(race, chariot, 20):
                    before["hand"][0][missing] = world["hand"][0][missing]
                    for other in set(race.driven) - {missing}:
                        before["hand"][0][other] = 0
                    _survey(race._course_table, race._rules_table, before)
                    assert before["phase"][0] == k.MISS
    assert looks == 60


# ---------------------------------------------------------------------- tied leaders


def tied(seed: int) -> Iterator[tuple[Race, ChariotNumber, set[ChariotNumber]]]:
    """Moments of a race at which what a leader with nothing but sixes may do depends on other drivers' hands."""
    race, source = some_race(seed)
    habit = source.randrange(3)
    while not race.over:
        chariot, others = race.turn, {other for other in race.leaders if other in race.driven and other != race.turn}
        if chariot is not None and others and race.asks == "turn" and tied_exception_may_speak(race, chariot):
            answers = []
            for hand in (0, 1 << 24):
                twin = race._races.copy()
                for other in others:
                    twin["hand"][0][other] = hand * int(twin["held"][0][other])
                _survey(race._course_table, race._rules_table, twin)
                answers.append(int(twin["six_barred"][0]))
            if answers == [1, 0]:
                yield race.copy(), chariot, others
        step(race, source, habit)


TIED = (7, 28, 33, 42, 59, 92, 117, 146, 201, 221, 267, 303, 569)


@pytest.mark.parametrize("seed", TIED)
def test_a_tied_leader_sees_by_what_he_may_do_whether_his_equals_hold_only_sixes(seed: int) -> None:
    for race, chariot, others in tied(seed):
        barred = bool(race._one("six_barred"))
        for world in imagined(race, chariot, 20):
            assert all(set(hand_in(world, other)) == {6} for other in others) != barred


@pytest.mark.parametrize("seed", TIED)
def test_everybody_sees_it_when_a_tied_leader_plays_a_six(seed: int) -> None:
    for race, _, others in tied(seed):
        sixes = [move for move in race.legal_moves if isinstance(move, Play)]
        if sixes:
            race.play(sixes[0])
            watcher = race.turn
            if watcher is not None and watcher in race.driven and race.rules.draw != "end_of_round":
                for world in imagined(race, watcher, 20):
                    assert all(set(hand_in(world, other)) == {6} for other in others - {watcher})


# ---------------------------------------------------------------------- sortings


def test_the_sortings_that_are_guessed_at_are_those_that_are_legal() -> None:
    for course in ("white", "red"):
        for deck in DECK_NAMES:
            race = Race(course, 1, edition="ausgebremst", options={"riderless": "none"}, seed=1)
            race.play(ChooseDeck(deck))
            legal = Counter(tuple(map(len, move.piles)) for move in race.legal_moves if move.piles)  # type: ignore[union-attr]
            cards = int(entry_points.cards_to_sort(race._course_table, race._races, 0, 0))
            for sizes, count in legal.items():
                guessed = {
                    int(on_piles(cards, sorting, np.array(sizes)))
                    for code in SORTINGS.tolist()
                    for sorting in (sorting_of(cards, code + split) for split in range(MOST_SPLIT))
                    if sorting >= 0
                } - {-1}
                assert len(guessed) == count
