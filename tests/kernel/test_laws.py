"""Laws that hold in every race: Hypothesis looks for one that breaks them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from avecaesar import (
    ChooseDeck,
    Crash,
    Draw,
    IllegalMove,
    Lay,
    Miss,
    Move,
    Play,
    Race,
    RulesError,
    Sort,
    Vote,
    Withdraw,
)
from avecaesar.drivers import Chance, Greedy, drive
from avecaesar.game.moves import DECK_NAMES, to_number
from avecaesar.game.numbers import ChariotNumber
from avecaesar.game.view import Turn
from avecaesar.kernel import entry_points
from avecaesar.kernel import layout as k
from avecaesar.kernel.layout import most_decisions
from avecaesar.rules import DECKS, EDITIONS, OPTIONS, clauses
from disguises import disguised, some_race, somewhere, step, tied_exception_may_speak
from lockstep import facts

seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=40)


def every_move(race: Race) -> list[Move]:
    """Every turn that can be named and every answer; of the sortings those that are legal and some that are not."""
    destinations: list[int | str] = [*range(len(race.course.spaces) + 2), "home"]
    plays = [Play(card, to) for card in range(1, 7) for to in destinations]  # type: ignore[arg-type]
    sortings = [move for move in race.legal_moves if isinstance(move, Sort)]
    wrong = [Sort((move.piles[0], move.piles[2], ())) for move in sortings[:20] if move.piles]
    wrong += [Sort((move.piles[0], move.piles[1], move.piles[2][1:])) for move in sortings[:20] if move.piles]
    return [
        *plays,
        Vote(),
        *(Vote(play.card, play.to) for play in plays),
        *(Miss(card) for card in (None, *range(1, 7))),
        *(kind(pile) for kind in (Draw, Lay) for pile in range(3)),
        *map(ChooseDeck, DECK_NAMES),
        *sortings,
        *wrong,
        Withdraw(),
        Crash(),
    ]


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
    for guess in (number, number & 0x3FFFF, number & 0xFFFFF, number << 20 | k.MOVE_SORT << 16):
        if guess not in legal:
            assert entry_points.step(race._course_table, race._rules_table, race._races, 0, guess) != k.ALLOWED
            assert race._races.tobytes() == before


@pytest.mark.long
@few
@given(seeds)
def test_all_cards_are_conserved_nothing_is_won_back_and_every_race_ends(seed: int) -> None:
    """Points to spare never grow, but by the emperor's cards. Nor does the remaining distance, but for one step: the
    one that enters the outside of a walled curve or an alley that costs two (COU-3, COU-4) gives up two steps for one.
    """
    race, source = some_race(seed)
    habit = source.randrange(3)
    sections = race.course.board.sections(race.course.name)
    costly = {s.name for s in sections if s.walled and max(s.lanes) - min(s.lanes) > 1} | {"alley"}
    gone: list[Counter[int]] = [Counter() for _ in race.names]  # played or thrown away
    before = race.view().chariots
    while not race.over:
        on_turn = race.turn
        assert on_turn is not None
        begins = race.asks in ("deck", "sort")
        step(race, source, habit)
        last = race.history[-1].move
        if isinstance(last, Play):
            gone[on_turn][last.card] += 1
        elif last == Miss() and before[on_turn].open_card and race.view().chariots[on_turn].open_card is None:
            gone[on_turn][before[on_turn].open_card or 0] += 1
        for i, (chariot, was) in enumerate(zip(race.view().chariots, before, strict=True)):
            if begins:
                break  # decks are being chosen
            laying = race.asks == "lay" and race.turn == i
            assert _bag(chariot.unseen) + gone[i] + Counter(chariot.emperor) == _bag(DECKS[chariot.deck or "slow"])
            assert sum(chariot.unseen) == chariot.hand_size + chariot.deck_size + laying
            claimed = sum(was.emperor) - sum(chariot.emperor)
            assert chariot.points_left - chariot.remaining <= was.points_left - was.remaining + claimed
            if chariot.remaining > was.remaining:
                assert chariot.remaining == was.remaining + 1
                assert isinstance(last, Play)
                assert race.course.spaces[int(last.to)].place.section in costly
        before = race.view().chariots
    assert len(race.history) <= most_decisions(len(race.names))
    assert set(race.driven) <= set(race.arrivals)
    placed = [chariot for chariot in race.arrivals if race.places[chariot]]
    assert [race.places[chariot] for chariot in placed] == list(range(1, len(placed) + 1))
    assert not set(placed) & race.disqualified
    assert set(race.arrivals) - set(race.driven) <= set(placed)


def _bag(counts: Sequence[int]) -> Counter[int]:
    return Counter({value: count for value, count in enumerate(counts, 1) if count})


# ---------------------------------------------------------------------- who may know what


def test_a_vote_a_sorting_and_a_draw_are_among_the_moments_looked_at() -> None:
    asked = Counter(somewhere(seed)[0].asks for seed in range(400))
    assert {"turn", "deck", "sort", "draw", "vote"} <= set(asked)


@settings(max_examples=150)
@given(seeds)
def test_what_a_driver_cannot_know_changes_nothing_he_sees(seed: int) -> None:
    race, source = somewhere(seed)
    for chariot in (*range(len(race.names)), None):
        if tied_exception_may_speak(race, chariot):
            continue
        mine, other = race.view(chariot), disguised(race, chariot, source).view(chariot)
        assert mine == other
        assert mine.known.tobytes() == other.known.tobytes()
        if chariot == race.turn:
            assert Greedy().choose(mine) == Greedy().choose(other)
            assert Chance(seed).choose(mine) == Chance(seed).choose(other)


def test_after_the_race_everything_is_open() -> None:
    race = Race("white", 3, seed=5)
    drive(race, [Greedy()] * 3)
    for eyes in (0, None):
        assert race.view(eyes).decks == race.decks == race.deal
        assert race.view(eyes).history == race.history


def test_an_exchange_and_its_reason_stay_hidden_while_the_race_is_on() -> None:
    for seed in range(300):
        race = Race("blue", 6, seed=seed)
        source = random.Random(seed)
        for _ in range(60):
            step(race, source)
        for turn in race.history:
            if isinstance(turn.move, Miss) and turn.move.exchange:
                other = ChariotNumber((turn.chariot + 1) % 6)
                assert Turn(turn.chariot, None, True, None) in race.view(other).history
                assert turn in race.view(turn.chariot).history
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
    chariot = race.turn
    assert chariot is not None
    me = race.view(chariot)
    kinds = {type(legal) for legal in me.legal_moves}
    answers = (ChooseDeck, Sort, Draw, Lay, Vote)
    if me.asks != "turn":
        wanted = {"deck": "AUS-1", "sort": "AUS-3", "draw": "AUS-3", "lay": "AUS-4", "vote": "NPC-3"}[me.asks or ""]
        return clause == wanted
    if isinstance(move, answers):
        return clause == "TURN-1"
    if chariot in race.riderless:
        return clause == "NPC-3"
    match move:
        case Crash():
            return clause == "CRA-1" and kinds != {Crash}
        case _ if kinds == {Crash}:
            return clause == "CRA-1"
        case Withdraw():
            return clause == "TRI-4" and chariot not in race.disqualified
        case Miss(card):
            if clause == "MOV-3":
                return Play in kinds
            if clause == "MOV-1":
                return card not in me.hand
            return clause == "MOV-4" and Miss in kinds
        case Play(card, to):
            return is_true_of_play(race, chariot, card, to, clause)
    return False


def is_true_of_play(race: Race, chariot: ChariotNumber, card: int, to: int | str, clause: str) -> bool:
    me = race.view(chariot)
    course = facts(race.course.name, race.course.direction)
    here, crossings = me.me.space, me.me.crossings
    assert here is not None
    others = {c.space for i, c in enumerate(me.chariots) if i != chariot and c.space is not None}
    empty = course.ways(here, crossings, set())[card]
    free = course.ways(here, crossings, others)[card]  # type: ignore[arg-type]
    match clause:
        case "MOV-1":
            return card not in me.hand
        case "SIX-1":
            return card == 6 and chariot in race.leaders
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
def test_every_option_can_be_raced_alone_in_every_edition_or_is_refused_in_a_sentence(edition: str, name: str) -> None:
    refusals = []
    for value in OPTIONS[name].values:
        try:
            rules = EDITIONS[edition].rules.with_options({name: value})
        except RulesError as refused:
            sentence = str(refused)
            refusals.append(sentence)
            continue
        race = Race("red", 3, rules=rules, seed=1)
        drive(race, [Greedy()] * 3)
        assert race.over
    assert all(" needs " in sentence or " is played with " in sentence for sentence in refusals)
