"""No message holds what its reader cannot know: on every event of whole races, in every edition, for every seat.

Two races that differ only in what a seat cannot know must give it the same messages, byte for byte. (The seal, which
is a hash of the secret, is left as it is: it would differ, and tells nothing.)
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import msgspec
import pytest

from avecaesar.game import Race
from avecaesar.game.moves import Miss
from avecaesar.game.numbers import AnySeat
from avecaesar.rules import EDITIONS
from avecaesar.server.tables import events as e
from avecaesar.server.tables.dealing import new_seal
from avecaesar.server.tables.projection import Sight, shown
from avecaesar.server.tables.simultaneous import foreseen
from avecaesar.server.tables.state import TableState
from disguises import disguised, tied_exception_may_speak
from seat_numbers import FIRST, SECOND
from tables_by_chance import HOUSES, chariots_of, fold, message, table_for


def test_a_difference_that_may_be_seen_is_noticed() -> None:
    state, events = table_for("ravensburger", 1)
    for _ in fold(state, events):
        if state.number == 30:
            break
    races = state.game_table._games.races
    mine, (own,) = message(state, FIRST), chariots_of(state, 0)
    races[-1] = disguised(races[-1], (own + 1) % 4, random.Random(0))
    assert message(state, FIRST) != mine  # his own cards were exchanged for others


@pytest.mark.parametrize("house", HOUSES)
def test_what_a_seat_cannot_know_changes_no_byte_of_its_messages(house: str) -> None:
    looks = 0
    for seed in range(4):
        state, events = table_for(house, seed)
        source = random.Random(seed)
        for _ in fold(state, events):
            if state.phase != "racing" or source.random() < 0.8:
                continue
            races = state.game_table._games.races
            race = races[-1]
            for seat in (*range(len(state.chairs)), None):
                own = chariots_of(state, seat)
                if any(tied_exception_may_speak(race, chariot) for chariot in own):
                    continue
                mine = message(state, seat)
                races[-1] = disguised(race, own[0] if own else None, source, own)
                assert message(state, seat) == mine
                races[-1] = race
                looks += 1
    assert looks > 150


@pytest.mark.parametrize("house", [name for name in HOUSES if "piles" not in name and name != "ausgebremst"])
def test_two_deals_that_differ_in_what_nobody_has_drawn_give_everybody_the_same_stream(house: str) -> None:
    """From the first message to the moment before the difference is drawn, and for everybody at once.

    (Of sorted piles the test before looks at every order.)
    """
    for seed in range(4):
        state, events = table_for(house, seed)
        told = list(fold(state, events))
        stop = random.Random(seed).randrange(20, len(told) // 2)
        first, second = (stream(told[:stop], seed, other_rest=other) for other in (False, True))
        assert first == second


def stream(told: Sequence[e.AnyEvent], seed: int, *, other_rest: bool) -> list[list[bytes]]:
    """What everybody is sent, event by event."""
    state, _ = table_for("ravensburger", seed)
    sent = []
    for number, event in enumerate(told):
        state.apply(number, float(number), event)
        if other_rest and isinstance(event, e.Begun):
            races = state.game_table._games.races
            races[-1] = with_other_rest(races[-1], told, seed)
        sent.append([message(state, seat, number - 1) for seat in (*range(len(state.chairs)), None)])
    return sent


def with_other_rest(fresh: Race, told: Sequence[e.AnyEvent], seed: int) -> Race:
    """The same race with those cards in another order that have not been drawn when these events are over."""
    probe = fresh.copy()
    for event in told:
        if isinstance(event, e.Moved):
            probe.play(e.in_clear(event.move))
    source, decks = random.Random(seed), []
    for seat, deck in enumerate(fresh.deal):
        left = len(probe._deck(seat)) - probe._all("known")[seat]
        exchanged = any(turn.chariot == seat and turn.exchanged for turn in probe.history)
        drawn = len(deck) - (0 if exchanged else left)
        decks.append([*deck[:drawn], *source.sample(deck[drawn:], len(deck) - drawn)])
    assert decks != [list(deck) for deck in fresh.deal]
    return Race(
        fresh.course,
        chariots=[fresh.names[chariot] for chariot in fresh.driven],
        riderless=[fresh.names[chariot] for chariot in sorted(fresh.riderless)],
        rules=fresh.rules,
        decks=decks,
        memory_aid=fresh.memory_aid,
    )


def test_a_screen_with_several_seats_shows_no_hand_before_its_curtain_is_lifted() -> None:
    state, events = table_for("ravensburger", 3)
    both = Sight(seats=frozenset({FIRST, SECOND}))
    called = 0
    for _ in fold(state, events):
        table = shown(state, both)
        assert table.hands == []
        assert table.question is None
        if state.on_turn in (FIRST, SECOND):
            assert table.curtain == state.on_turn
            lifted = shown(state, replace(both, lifted=state.on_turn))
            assert {hand.chariot for hand in lifted.hands} == set(chariots_of(state, state.on_turn))
            assert lifted.curtain is None
            other = shown(state, replace(both, lifted=SECOND if state.on_turn == FIRST else FIRST))
            assert (other.hands, other.curtain) == ([], state.on_turn)
            called += 1
    assert called > 20


def test_the_secret_of_the_cards_is_shown_when_the_race_is_over_and_not_before() -> None:
    state, events = table_for("ravensburger", 4)
    for _ in fold(state, events):
        race = shown(state, Sight()).race
        if race is not None:
            assert race.commitment == "c" * 64
            assert race.secret == ("5" * 64 if race.over else None)
            assert (b"5555" in message(state, FIRST)) == race.over
    assert state.phase == "over"
    seal = new_seal()
    state.apply(state.number + 1, 0.0, seal)
    assert seal.secret.encode() not in message(state, FIRST)
    assert seal.commitment.encode() in message(state, FIRST)


def is_asked(state: TableState, seat: AnySeat) -> bool:
    """Whether a seat is on turn, or will be asked what all are asked at once."""
    if state.phase != "racing" or state.on_turn == seat:
        return state.phase == "racing"
    race = state.game_table.race
    assert race.turn is not None
    return race.asks in ("deck", "sort") and max(chariots_of(state, seat)) > race.turn  # asked in grid order


@pytest.mark.parametrize("house", ["ausgebremst", "piles by heart", "piles in teams"])
def test_what_was_chosen_before_it_was_asked_is_seen_by_nobody(house: str) -> None:
    """Two tables that differ only in what somebody chose ahead give everybody else the same messages."""
    for asks in ("deck", "sort"):
        state, events = table_for(house, 7)
        told = []
        for at, event in events:
            state.apply(state.number + 1, at, event)
            told.append((at, event))
            if state.table is not None and state.game_table.race.asks == asks:
                break
        race = state.game_table.race
        assert race.asks == asks
        chariot = max(race.driven)
        chooser = state.game_table.rigs[chariot].seat
        asked = foreseen(race, chariot)
        moves = (asked.legal_moves[0], asked.legal_moves[len(asked.legal_moves) - 1])
        assert moves[0] != moves[1]
        others = [seat for seat in (*range(len(state.chairs)), None) if seat != chooser]
        assert chooser is not None
        seen = []
        for move in moves:
            again, _ = table_for(house, 7)
            for number, (at, event) in enumerate(told):
                again.apply(number, at, event)
            again.apply(again.number + 1, 99.0, e.ChosenAhead(chooser, chariot, move))
            assert again.chosen == {chariot: move}
            seen.append([message(again, seat) for seat in others])
        assert seen[0] == seen[1]


@pytest.mark.parametrize("house", HOUSES)
def test_which_card_somebody_exchanges_is_told_to_nobody_else(house: str) -> None:
    """Neither by the table nor by its story."""
    exchanged = 0
    for seed in range(6):
        state, events = table_for(house, seed)
        for _ in fold(state, events):
            if state.phase != "racing":
                continue
            mover = state.on_turn
            moves = [move for move in state.game_table.race.legal_moves if isinstance(move, Miss) and move.exchange]
            if len(moves) < 2:
                continue
            others, heard = [seat for seat in (*range(len(state.chairs)), None) if seat != mover], []
            for move in moves:
                after = state.twin()
                after.apply(after.number + 1, 99.0, e.Moved(mover, move, "person"))
                heard.append([message(after, seat, state.number) for seat in others])
            assert heard == heard[:1] * len(moves)
            exchanged += 1
    assert exchanged or EDITIONS[HOUSES[house]["edition"]].rules.missed_turn == "keep"


@pytest.mark.parametrize("house", HOUSES)
def test_every_message_of_a_whole_race_holds_own_hands_only_and_no_secret(house: str) -> None:
    state, events = table_for(house, 5)
    for _ in fold(state, events):
        over = state.phase == "over"
        for seat in (*range(len(state.chairs)), None):
            table = shown(state, Sight(seats=frozenset() if seat is None else frozenset({seat})))
            assert (table.question is not None) == (seat is not None and is_asked(state, seat))
            assert {hand.chariot for hand in table.hands} <= set(chariots_of(state, seat) if state.table else [])
            assert (b"5555" in msgspec.json.encode(table)) == over
