"""A table as the fold of its log: who may do what and when, what is refused and why."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest

from avecaesar.game import ChooseDeck, Crash, Draw, Lay, Miss, Move, Play, Sort, Vote, Withdraw
from avecaesar.game.numbers import SeatNumber
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables import decisions
from avecaesar.server.tables import events as e
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from folded_tables import HOST, PHASES, STRANGER, everything, folded, move_for, refused, table_in, tried
from harness import SHORT
from logs import laid, of
from recordings import choose
from seat_numbers import FIRST, SECOND, THIRD
from tables_by_chance import HOUSES

# ---------------------------------------------------------------------- who may do what, and when

COMMANDS: dict[str, Callable[[TableState], msg.Logged]] = {
    "move": move_for,
    "say": lambda state: msg.Say(id="a", text="Ave!"),
    "shake": lambda state: msg.Shake(id="a", share="a" * 32),
    "begin": lambda state: msg.Begin(id="a", at=state.changed, share="a" * 32),
    "pause": lambda state: msg.Pause(id="a"),
    "resume": lambda state: msg.Resume(id="a"),
    "dress": lambda state: msg.Dress(id="a", seat=state.on_turn or FIRST, name="Nero", colour="black"),
    "stand": lambda state: msg.Stand(id="a", seat=state.on_turn or FIRST),
    "appoint": lambda state: msg.Appoint(id="a", seat=state.on_turn or FIRST, driver="scorpus"),
    "vacate": lambda state: msg.Vacate(id="a", seat=state.on_turn or FIRST),
    "shut_out": lambda state: msg.ShutOut(id="a", seat=state.on_turn or FIRST),
    "hand_on": lambda state: msg.HandOn(id="a", at=state.changed, seat=state.on_turn or FIRST),
    "void_links": lambda state: msg.VoidLinks(id="a"),
    "agree": lambda state: msg.Agree(
        id="a", seat=state.on_turn or FIRST, wish=0
    ),  # that nobody asks for anything: see below
    "decline": lambda state: msg.Decline(id="a", seat=state.on_turn or FIRST, wish=0),
    "ban": lambda state: msg.Ban(id="a", at=state.changed, seat=state.on_turn or FIRST),
    "close": lambda state: msg.CloseTable(id="a", at=state.changed),
    "erase_saying": lambda state: msg.EraseSaying(id="a", number=0),  # where nobody said anything: test_privacy.py
    "erase_words": lambda state: msg.EraseWords(id="a", at=state.changed),
}
ALL = frozenset({"owner", "other", "several", "host"})
DRIVERS = ALL - {"host"}  # who has no seat waits for those who have
OWNERS, HOSTS = frozenset({"owner", "several"}), frozenset({"host"})
ALLOWED: dict[str, dict[str, frozenset[str]]] = {  # command: phase: who
    "move": {"racing": OWNERS},
    "say": dict.fromkeys(PHASES, ALL),
    "shake": dict.fromkeys(("gathering", "podium", "over"), DRIVERS),
    "begin": {"gathering": HOSTS, "podium": DRIVERS, "over": DRIVERS},
    "pause": {"racing": ALL},
    "resume": {"paused": ALL},
    "dress": dict.fromkeys(("gathering", "over"), OWNERS),
    "stand": dict.fromkeys(PHASES, OWNERS),
    "appoint": dict.fromkeys(PHASES, HOSTS),
    "vacate": dict.fromkeys(PHASES, HOSTS),
    "shut_out": dict.fromkeys(PHASES, OWNERS),
    "hand_on": dict.fromkeys(PHASES, HOSTS),
    "void_links": dict.fromkeys(PHASES, HOSTS),
    "agree": {},
    "decline": {},
    "ban": dict.fromkeys(PHASES, HOSTS),
    "close": dict.fromkeys(PHASES, HOSTS),
    "erase_saying": {},
    "erase_words": dict.fromkeys(("gathering", "over"), HOSTS),
}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("command", COMMANDS)
def test_who_may_do_what_and_when(command: str, phase: str) -> None:
    assert set(COMMANDS) == {
        kind.__struct_config__.tag for kind in msg.Logged.__args__
    }  # a new command belongs in the table above
    log = table_in(phase)
    seat = log.state.on_turn or FIRST
    actors = {
        "owner": of(seat),
        "other": of((seat + 1) % 3),
        "several": of(seat, (seat + 2) % 3),
        "host": HOST,
        "stranger": STRANGER,
    }
    wanted = COMMANDS[command](log.state)
    for who, actor in actors.items():
        if who not in ALLOWED[command].get(phase, ()):
            error = refused(log, actor, wanted)
            assert (error.status == 403) == (who not in ALL or not _has_a_say(command, phase, who))
            continue
        before = everything(log.state)
        events = decisions.decide(log.state, actor, wanted)
        assert everything(log.state) == before  # deciding changes nothing either
        after = folded(log.entries)
        after.add(*events)
        assert after.state.number > log.state.number


def _has_a_say(command: str, phase: str, who: str) -> bool:
    """Whether it is the wrong moment rather than the wrong person."""
    if command in ("move", "dress", "stand", "shut_out"):
        return who in ("owner", "several")
    if command in ("agree", "decline", "shake"):
        return who != "host"
    if command in ("appoint", "vacate", "hand_on", "void_links", "ban", "close", "erase_words"):
        return who == "host"
    return not (command == "begin" and phase == "gathering" and who != "host")


@pytest.mark.parametrize("command", [c for c in COMMANDS if c in ("dress", "stand", "appoint", "vacate", "move")])
def test_there_is_no_seat_beyond_the_last(command: str) -> None:
    log = table_in("racing")
    wanted = msgspec.structs.replace(COMMANDS[command](log.state), seat=5)
    assert refused(log, of(0, 1, 2, 5, host=True), wanted).status in (403, 404)


def test_host_and_driver_in_one_may_do_both() -> None:
    log = table_in("gathering")
    log.do(of(0, host=True), msg.Dress(id="a", seat=FIRST, name="Nero", colour="black"))
    log.do(of(0, host=True), msg.Begin(id="b", at=log.state.changed))
    assert log.state.phase == "racing"
    assert log.state.game_table.setup.seats[0].name == "Nero"


# ---------------------------------------------------------------------- moves


def test_a_decision_on_a_state_that_has_passed_is_refused() -> None:
    log = table_in("racing")
    first = move_for(log.state)
    assert isinstance(first, msg.MakeMove)
    owner = of(first.seat)
    log.add(e.Said(FIRST, "not a change", None), e.Said(None, None, "ave"))
    decisions.decide(log.state, owner, first)  # words change nothing that a decision must know of
    other = SeatNumber((first.seat + 1) % 3)
    for change in (e.Stood(other), e.Sat(other, "Aulus", "red")):
        log.add(change)
    assert refused(log, owner, first).problem == "the table has moved on since then: look again"
    late = msgspec.structs.replace(first, at=log.state.number + 1)
    assert refused(log, owner, late).status == 400
    log.do(owner, msgspec.structs.replace(first, at=log.state.number))
    stale = msgspec.structs.replace(first, seat=log.state.on_turn)
    assert "moved on" in refused(log, of(0, 1, 2), stale).problem
    assert "moved on" in refused(table_in("podium"), of(0), msg.Begin(id="a", at=3)).problem
    assert "not happened" in refused(table_in("podium"), of(0), msg.Begin(id="a", at=10**6)).problem


def test_out_of_turn_and_for_somebody_else_no_move_is_made() -> None:
    log = table_in("racing")
    right = move_for(log.state)
    assert isinstance(right, msg.MakeMove)
    other = (right.seat + 1) % 3
    out_of_turn = msgspec.structs.replace(right, seat=other)
    assert refused(log, of(other), out_of_turn).problem == "it is not your turn"
    assert refused(log, of(0, 1, 2), out_of_turn).problem == "it is not your turn"
    assert refused(log, of(other), right).problem == "that is not your seat"
    assert refused(log, HOST, right).status == 403  # not even the host
    log.add(e.Paused(FIRST))
    assert refused(log, of(right.seat), msgspec.structs.replace(right, at=log.state.changed)).problem == (
        "the race is paused"
    )


MOVES: tuple[Move, ...] = (
    Play(1, 0),
    Play(6, 10**4),
    Play(6, "home"),
    Miss(),
    Miss(3),
    Withdraw(),
    Crash(),
    ChooseDeck("fast"),
    Sort(((1,), (2,), (3,))),
    Sort(((), (), ())),
    Draw(0),
    Draw(2),
    Lay(1),
    Vote(),
    Vote(1, 0),
    Vote(3, None),
    Vote(None, 7),
)


@pytest.mark.parametrize("house", HOUSES)
def test_a_move_is_made_or_refused_with_its_clause_whatever_is_asked(house: str) -> None:
    """Moves of every kind for every question: those that are legal are made, all others name a reason."""
    wanted = dict(HOUSES[house])
    log = laid(*["here"] * wanted.pop("players"), **wanted)
    log.add(e.Begun())
    source, asked = random.Random(house), set()
    while log.state.phase == "racing":
        state, race = log.state, log.state.game_table.race
        seat = state.on_turn
        legal = [] if race.asks == "sort" else list(race.legal_moves)
        if seat is not None and (race.asks not in asked or source.random() < 0.03):
            asked.add(race.asks)
            before = everything(state)
            for move in MOVES:
                command = msg.MakeMove(id="a", at=state.changed, seat=seat, move=move)
                odd = isinstance(move, Vote) and (move.card is None) != (move.to is None)
                if not odd and move in legal:
                    assert isinstance(tried(state, of(seat), command)[0], e.Moved)
                    continue
                with pytest.raises(RefusedError) as caught:
                    tried(state, of(seat), command)
                assert caught.value.status == 400 if odd else caught.value.status == 400 or caught.value.clause
            assert everything(state) == before
        log.happen(e.Moved(seat, choose(race, "careful", source), "person" if seat is not None else "rule"))
    assert asked >= {"turn"}


def test_a_deck_is_sorted_as_the_rules_say_or_not_at_all() -> None:
    log = laid("here", "here", "here", edition="ausgebremst")
    log.add(e.Begun())
    source = random.Random(1)
    while log.state.game_table.race.asks != "sort":
        log.happen(e.Moved(log.state.on_turn, choose(log.state.game_table.race, "careful", source), "person"))
    state, seat = log.state, log.state.on_turn
    assert seat is not None
    view = state.game_table.view(seat)
    cards = [value for value, count in enumerate(view.undrawn, 1) for _ in range(count)]
    good = [[card for card in cards if card in (low, low + 1)] for low in (1, 3, 5)]

    def sorting(*piles: list[int]) -> msg.MakeMove:
        return msg.MakeMove(id="a", at=state.changed, seat=seat, move=Sort(tuple(map(tuple, piles))))

    assert tried(state, of(seat), sorting(*good))
    assert tried(state, of(seat), sorting(*(pile[::-1] for pile in good)))  # in a pile the order is chance's
    bad: dict[str, list[list[int]]] = {
        "a card too few": [good[0][1:], good[1], good[2]],
        "a card too many": [[*good[0], 1], good[1], good[2]],
        "another card": [[*good[0][1:], 2], good[1], good[2]],
        "an empty pile": [[], [*good[0], *good[1]], good[2]],
        "three values": [[*good[0], 3], good[1][1:], good[2]],
        "all in one": [cards, [], []],
        "nothing": [[], [], []],
    }
    for piles in bad.values():
        error = refused(log, of(seat), sorting(*piles))
        assert error.clause or error.status == 400


# ---------------------------------------------------------------------- beginning


def test_the_first_race_begins_when_all_seats_are_taken_and_once_only() -> None:
    log = laid("here", "friend", "friend", options=SHORT)
    host = of(0, host=True)
    begin = msg.Begin(id="a", at=log.state.changed)
    assert refused(log, host, begin).problem.startswith("seats 2 and 3 are still free")
    log.add(*decisions.sit(log.state, SECOND, "Livia", None))
    begin = msg.Begin(id="a", at=log.state.changed)
    assert refused(log, host, begin).problem.startswith("seat 3 is still free")
    log.do(host, msg.Appoint(id="b", seat=THIRD, driver="festina"))
    begin = msg.Begin(id="c", at=log.state.changed)
    assert refused(log, of(1), begin).problem == "the host begins the first race"
    log.do(host, begin)
    assert [chair.name for chair in log.state.chairs][1] == "Livia"
    again = msg.Begin(id="d", at=log.state.changed)
    assert refused(log, host, again).problem == "the race has begun already"


def test_a_tournament_goes_on_from_podium_to_podium_and_then_there_is_a_rematch() -> None:
    log = table_in("podium")
    log.begin(share="b" * 32)
    state = log.state
    assert (state.phase, state.game, state.game_table.number) == ("racing", 0, 1)
    assert [seal.shares for seal in state.seals] == [(), ("b" * 32,)]
    log.race(random.Random(3))
    assert state.phase == "over"
    assert len(state.record(0).races) == 2
    log.begin()
    assert (state.phase, state.game, state.game_table.number) == ("racing", 1, 0)
    assert len(state.record(0).races) == 2
    for game in (1, 2, -1):
        with pytest.raises(RefusedError) as caught:
            state.record(game)
        assert caught.value.status == 404
    log.race(random.Random(4))
    assert len(state.record(1).races) == 1


def test_whoever_takes_a_seat_after_a_race_was_not_in_it() -> None:
    for phase in ("podium", "over"):
        log = table_in(phase)
        raced = log.state.record(0)
        log.add(e.Stood(FIRST, freed=True), e.Appointed(SECOND, "scorpus"))
        assert log.state.record(0) == raced
        assert folded(log.entries).state.record(0) == raced
    podium = table_in("podium")
    podium.add(e.Appointed(SECOND, "scorpus"), e.Begun())
    podium.race(random.Random(1))
    first, second = ([chariot.driver for chariot in race.chariots] for race in podium.state.record(0).races)
    assert (first.count("scorpus"), second.count("scorpus")) == (0, 1)


def test_no_record_of_a_race_that_is_not_over() -> None:
    for phase in ("gathering", "racing", "paused"):
        with pytest.raises(RefusedError) as caught:
            table_in(phase).state.record(0)
        assert caught.value.status == 404
    log = table_in("podium")
    log.begin()
    assert len(log.state.record(0).races) == 1  # the second is being raced
