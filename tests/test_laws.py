"""Laws that hold in every race: Hypothesis looks for one that breaks them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from avecaesar import IllegalMove, Miss, Play, Race, Withdraw, load_course
from avecaesar.game.moves import Crash, Move, from_number, to_number
from avecaesar.game.view import Turn
from avecaesar.kernel import playout
from avecaesar.kernel import records as k
from avecaesar.kernel.records import most_turns
from avecaesar.players import Chance, Greedy, drive
from avecaesar.rules import DECK, EDITIONS, OPTIONS, clauses
from lockstep import COURSES, choose, facts, random_decks, random_rules
from situations import _survey

seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=40)


def some_race(seed: int) -> tuple[Race, random.Random]:
    source = random.Random(seed)
    course, direction = source.choice(COURSES)
    rules = random_rules(source)
    decks = random_decks(source.randint(1, 6), source)
    return Race(load_course(course, direction), len(decks), rules=rules, decks=decks), source


def step(race: Race, source: random.Random, habit: int = 0) -> None:
    moves = sorted(to_number(move) for move in race.legal_moves)
    race.play(from_number(choose(moves, habit, source)))


def somewhere(seed: int) -> tuple[Race, random.Random]:
    """A race at a random moment; often late, where the rare rules live."""
    race, source = some_race(seed)
    habit = source.randrange(3)
    for _ in range(source.randrange(160)):
        before = race.copy()
        step(race, source, habit)
        if race.over:
            return before, source
    return race, source


def every_move(race: Race) -> list[Move]:
    destinations: list[int | str] = [*range(len(race.course.spaces) + 2), "home"]
    plays: list[Move] = [Play(card, to) for card in range(1, 7) for to in destinations]  # type: ignore[arg-type]
    return [*plays, Miss(), *(Miss(card) for card in range(1, 7)), Withdraw(), Crash()]


@few
@given(seeds)
def test_generator_and_validator_agree(seed: int) -> None:
    race, _ = somewhere(seed)
    legal = list(race.legal_moves)
    assert len(legal) == len(set(legal)) > 0
    assert {move for move in every_move(race) if move in race.legal_moves} == set(legal)


@given(seeds, st.integers(-(2**31), 2**31))
def test_a_number_that_is_no_move_is_refused_and_changes_nothing(seed: int, number: int) -> None:
    race, _ = somewhere(seed)
    legal = {to_number(move) for move in race.legal_moves}
    before = race._races.tobytes()
    for guess in (number, number & 0x3FFFF):
        if guess not in legal:
            assert playout.step(race._course_table, race._rules_table, race._races, 0, guess) != k.ALLOWED
            assert race._races.tobytes() == before


@few
@given(seeds)
def test_24_cards_are_conserved_nothing_is_won_back_and_every_race_ends(seed: int) -> None:
    """Points to spare never grow. Nor does the remaining distance, but for one step: the one that enters the
    outside of a walled curve or an alley that costs two (COU-3, COU-4) gives up two steps for one."""
    race, source = some_race(seed)
    habit = source.randrange(3)
    sections = race.course.board.sections(race.course.name)
    costly = {s.name for s in sections if s.walled and max(s.lanes) - min(s.lanes) > 1} | {"alley"}
    played: list[Counter[int]] = [Counter() for _ in race.names]
    before = race.view().chariots
    while not race.over:
        seat = race.turn
        assert seat is not None
        step(race, source, habit)
        last = race.history[-1].move
        if isinstance(last, Play):
            played[seat][last.card] += 1
        for i, (chariot, was) in enumerate(zip(race.view().chariots, before, strict=True)):
            cards = Counter(race._hand(i)) + Counter(race._deck(i))
            assert cards + played[i] == Counter(DECK)
            assert sum(cards.values()) == chariot.hand_size + chariot.deck_size
            assert chariot.points_left - chariot.remaining <= was.points_left - was.remaining
            if chariot.remaining > was.remaining:
                assert chariot.remaining == was.remaining + 1
                assert isinstance(last, Play)
                assert race.course.spaces[int(last.to)].place.section in costly
        before = race.view().chariots
    assert len(race.history) <= most_turns(len(race.names))
    assert sorted(race.arrivals) == list(range(len(race.names)))
    placed = [seat for seat in race.arrivals if race.places[seat]]
    assert [race.places[seat] for seat in placed] == list(range(1, len(placed) + 1))
    assert not set(placed) & race.disqualified


# ---------------------------------------------------------------------- who may know what


def disguised(race: Race, seat: int | None, source: random.Random) -> Race:
    """A race that differs only in what the seat cannot know: the others' hands, decks and exchanged cards."""
    twin = race.copy()
    for other in range(len(race.names)):
        if other == seat:
            continue
        unseen = [*race._hand(other), *race._deck(other)]
        source.shuffle(unseen)
        held = len(race._hand(other))
        twin._fields["hand"][0][other] = sum(1 << 4 * card for card in unseen[:held])
        twin._fields["top"][0][other] = 0
        twin._fields["deck"][0][other][: len(unseen) - held] = unseen[held:]
        twin._fields["known"][0][other] = source.randint(0, len(unseen) - held)
    twin._history = [
        replace(turn, move=Miss(source.randint(1, 6) if turn.exchanged else None), reason="blocked")
        if isinstance(turn.move, Miss) and turn.seat != seat
        else turn
        for turn in race._history
    ]
    twin._decks = tuple(tuple(source.sample(deck, 24)) for deck in race._decks)
    _survey(twin._course_table, twin._rules_table, twin._races)
    return twin


def tied_exception_may_speak(race: Race, seat: int | None) -> bool:
    """RULES.md's one exception: what a tied leader with nothing but sixes may do tells him of the others'."""
    return seat is not None and seat in race.leaders and len(race.leaders) > 1 and set(race._hand(seat)) == {6}


@settings(max_examples=150)
@given(seeds)
def test_what_a_seat_cannot_know_changes_nothing_it_sees(seed: int) -> None:
    race, source = somewhere(seed)
    for seat in (*range(len(race.names)), None):
        if tied_exception_may_speak(race, seat):
            continue
        mine, other = race.view(seat), disguised(race, seat, source).view(seat)
        assert mine == other
        assert mine.known.tobytes() == other.known.tobytes()
        if seat == race.turn:
            assert Greedy().choose(mine) == Greedy().choose(other)
            assert Chance(seed).choose(mine) == Chance(seed).choose(other)


def test_after_the_race_everything_is_open() -> None:
    race = Race("white", 3, seed=5)
    drive(race, [Greedy()] * 3)
    for seat in (0, None):
        assert race.view(seat).decks == race._decks
        assert race.view(seat).history == race.history


def test_an_exchange_and_its_reason_stay_hidden_while_the_race_is_on() -> None:
    for seed in range(300):
        race = Race("blue", 6, seed=seed)
        source = random.Random(seed)
        for _ in range(60):
            step(race, source)
        for turn in race.history:
            if isinstance(turn.move, Miss) and turn.move.exchange:
                seat = (turn.seat + 1) % 6
                assert Turn(turn.seat, None, True, None) in race.view(seat).history
                assert turn in race.view(turn.seat).history
                return
    raise AssertionError("no exchange in 300 races")


# ---------------------------------------------------------------------- refusals


@settings(max_examples=60)
@given(seeds)
def test_every_refused_move_names_a_clause_that_is_true(seed: int) -> None:
    race, source = somewhere(seed)
    for move in source.sample(every_move(race), 80):
        if move in race.legal_moves:
            continue
        before = race._races.tobytes()
        with pytest.raises(IllegalMove) as refused:
            race.play(move)
        assert race._races.tobytes() == before
        assert refused.value.clause in clauses()
        assert is_true(race, move, refused.value.clause), (move, refused.value)


def is_true(race: Race, move: Move, clause: str) -> bool:
    """Whether the clause, read by the referee's measures of the course, really stands against the move."""
    seat = race.turn
    assert seat is not None
    me = race.view(seat)
    kinds = {type(legal) for legal in me.legal_moves}
    match move:
        case Crash():
            return clause == "CRA-1" and kinds != {Crash}
        case _ if kinds == {Crash}:
            return clause == "CRA-1"
        case Withdraw():
            return clause == "TRI-4" and seat not in race.disqualified
        case Miss(card):
            if clause == "MOV-3":
                return Play in kinds
            if clause == "MOV-1":
                return card not in me.hand
            return clause == "MOV-4" and Miss in kinds
        case Play(card, to):
            return is_true_of_play(race, seat, card, to, clause)
    return False


def is_true_of_play(race: Race, seat: int, card: int, to: int | str, clause: str) -> bool:
    me = race.view(seat)
    course = facts(race.course.name, race.course.direction)
    here, crossings = me.me.space, me.me.crossings
    assert here is not None
    others = {c.space for i, c in enumerate(me.chariots) if i != seat and c.space is not None}
    empty = course.ways(here, crossings, set())[card]
    free = course.ways(here, crossings, others)[card]  # type: ignore[arg-type]
    match clause:
        case "MOV-1":
            return card not in me.hand
        case "SIX-1":
            return card == 6 and seat in race.leaders
        case "COU-2":
            return to == "home" and crossings < 3
        case "MOV-5":
            return crossings == 3 and to != "home" and isinstance(to, int) and to < here
        case "MOV-3":
            return to not in empty
        case "MOV-2":
            wall = isinstance(to, int) and to not in empty
            return to not in free or wall
        case "TRI-3":
            return crossings == 2 and me.me.coin and to in empty and course.is_past(to, empty[to])
    return False


# ---------------------------------------------------------------------- every option


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", [n for n in OPTIONS if OPTIONS[n].values])
def test_every_option_can_be_raced_alone_in_every_edition(edition: str, name: str) -> None:
    unbuilt = {"from_piles", "fill", "fill_no_tribute", "choice", "by_side"}
    for value in set(OPTIONS[name].values) - unbuilt:
        race = Race("red", 3, edition=edition, options={name: value}, seed=1)
        drive(race, [Greedy()] * 3)
        assert race.over
