"""A table as the fold of its log: who may do what and when, what is refused and why; and it folds the same again."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from avecaesar.game import ChooseDeck, Crash, Draw, Lay, Miss, Move, Play, Sort, Vote, Withdraw
from avecaesar.game import moves as m
from avecaesar.game.numbers import SeatNumber
from avecaesar.game.sealed_chance import MOST_SHARES
from avecaesar.rules import EDITIONS, MOST_CHARIOTS
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables import decisions
from avecaesar.server.tables import events as e
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.projection import Sight, shown
from avecaesar.server.tables.seats import Circumstances
from avecaesar.server.tables.state import TableState
from avecaesar.server.tables.story import MOST_TOLD
from avecaesar.server.wire import messages as msg
from avecaesar.telling.chronicle import chronicle_of
from logs import Log, laid, of
from recordings import choose
from seat_numbers import FIFTH, FIRST, SECOND, THIRD
from situations import PLAIN
from tables_by_chance import HOUSES

PHASES = ("gathering", "racing", "paused", "podium", "over")
STRANGER = Actor(("stranger",), frozenset(), False)
HOST = Actor(("host",), frozenset(), True)
SHORT = {"race_ends": "first_home"}


@cache
def entries_of(phase: str) -> tuple[tuple[float, str | None, bytes], ...]:
    log = laid("here", "here", "here", tournament=True, options={**SHORT, "races": "2", "schedule": "one_course"})
    source = random.Random(1)
    if phase != "gathering":
        log.add(e.Begun())
    if phase == "paused":
        log.add(e.Paused(FIRST))
    for _ in range({"podium": 1, "over": 2}.get(phase, 0)):
        if log.state.phase == "podium":
            log.add(e.Begun())
        log.race(source)
    return tuple(log.entries)


def table_in(phase: str) -> Log:
    """A table of three people in this phase of a tournament of two races."""
    log = folded(entries_of(phase))
    assert log.state.phase == {"paused": "racing"}.get(phase, phase)
    return log


def folded(entries: Sequence[tuple[float, str | None, bytes]]) -> Log:
    seed = 1
    log = Log(
        TableState("circus", dealer=lambda secret, shares, purpose: random.Random(f"{seed}/{purpose}")), [*entries]
    )
    for number, (at, command, body) in enumerate(entries):
        log.state.apply(number, at, e.decode(body), command)
    return log


def everything(state: TableState) -> list[bytes]:
    """What everybody who may look at the table is shown, as it is sent."""
    return [whole(state, sight) for sight in sights(state)]


def sights(state: TableState) -> list[Sight]:
    """Spectators, who sits on each seat, and who has them all at one screen."""
    seats = state.seats
    single = [Sight(seats=frozenset({seat}), holder=f"holder of {(seat,)}") for seat in seats]
    return [Sight(), *single, *(Sight(seats=frozenset(seats), host=True, lifted=lifted) for lifted in (None, *seats))]


def whole(state: TableState, sight: Sight) -> bytes:
    return msgspec.json.encode(msg.Whole(shown(state, sight), state.story))


def tried(state: TableState, actor: Actor, command: msg.Logged) -> list[e.AnyEvent]:
    """What a command leads to, folded into a twin."""
    return state.twin().happen(decisions.decide(state, actor, command), 0.0)


def refused(log: Log, actor: Actor, command: msg.Logged) -> RefusedError:
    """Why a command is not carried out; the table is as it was."""
    before = everything(log.state)
    with pytest.raises(RefusedError) as caught:
        tried(log.state, actor, command)
    assert everything(log.state) == before
    error = caught.value
    assert error.problem
    assert "\n" not in error.problem
    assert error.status in (400, 403, 404, 409)
    return error


# ---------------------------------------------------------------------- who may do what, and when


def move_for(state: TableState) -> msg.Logged:
    move = state.game_table.race.legal_moves[0] if state.phase == "racing" else m.Withdraw()
    return msg.MakeMove(id="a", at=state.changed, seat=state.on_turn or FIRST, move=move)


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


# ---------------------------------------------------------------------- together


@pytest.mark.parametrize("phase", ["podium", "over"])
def test_the_next_race_begins_when_everybody_is_ready_and_nobody_is_asked_twice(phase: str) -> None:
    log = table_in(phase)
    begin = msg.Begin(id="a", at=log.state.changed)
    log.do(of(1), begin)
    assert (log.state.phase, log.state.ready) == (phase, frozenset({1}))
    assert log.state.story[-1].words == f"{log.state.chairs[1].name} is ready for the next race."
    assert refused(log, of(1), begin).problem == f"the race waits for {names(log, 0)} and {names(log, 2)}"
    log.do(of(0, host=True), begin)  # what others say meanwhile changes nothing that he must know of
    assert folded(log.entries).state.ready == {0, 1}
    assert refused(log, HOST, begin).problem == f"the race waits for {names(log, 2)}"
    log.do(of(2), begin)
    assert (log.state.phase, log.state.ready) == ("racing", frozenset())


def names(log: Log, seat: int) -> str:
    return log.state.chairs[seat].name


def test_the_host_begins_without_those_who_were_away_too_long_and_if_he_is_away_anybody_does() -> None:
    begin = msg.Begin(id="a", at=table_in("over").state.changed)
    gone = Circumstances(gone=frozenset({SECOND, THIRD}))
    log = table_in("over")
    log.do(of(0), begin, gone)
    assert (log.state.phase, log.state.ready) == ("over", frozenset({0}))  # who is not the host waits for them
    log = table_in("over")
    log.do(of(0, host=True), begin, Circumstances(gone=frozenset({SECOND})))
    assert log.state.game == 0  # one of them is here
    log.do(of(0, host=True), begin, gone)
    assert log.state.game == 1
    log = table_in("over")
    log.do(of(0), begin, gone._replace(host_here=False))
    assert log.state.phase == "racing"


def test_who_takes_a_seat_speaks_for_himself_and_drivers_and_free_seats_are_not_waited_for() -> None:
    log = table_in("over")
    log.do(of(1), msg.Begin(id="a", at=log.state.changed))
    log.add(e.Stood(SECOND))
    log.add(*decisions.sit(log.state, SECOND, "Livia", None))
    assert log.state.ready == frozenset()
    log.add(e.Stood(SECOND), e.Appointed(THIRD, "scorpus"))
    log.do(of(0), msg.Begin(id="b", at=log.state.changed))
    assert log.state.phase == "racing"


def choosing() -> Log:
    """A table of three at which decks are chosen."""
    log = laid("here", "here", "here", edition="ausgebremst", options={"riderless": "none"})
    log.add(e.Begun())
    return log


def choice(log: Log, seat: SeatNumber, source: random.Random) -> msg.MakeMove:
    """What a seat might choose now."""
    asked = log.state.asked(seat)
    assert asked is not None
    _, race = asked
    move = choose(race, "careful", source)
    return msg.MakeMove(id="a", at=log.state.changed, seat=seat, move=move)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_decks_and_sortings_may_be_chosen_at_once_and_the_record_is_the_same(order: tuple[int, ...]) -> None:
    source = random.Random(3)
    log, in_turn = choosing(), choosing()
    seats = [rig.seat for rig in log.state.game_table.rigs]
    for asks in ("deck", "sort"):
        assert log.state.game_table.race.asks == asks
        chosen = {seat: choice(log, seat, source) for seat in log.state.seats}  # all on the same state
        for number in order:
            seat = seats[number]
            assert seat is not None
            log.do(of(seat), chosen[seat])
            assert folded(log.entries).state.chosen == log.state.chosen
        for rig in seats:
            assert rig is not None
            in_turn.do(of(rig), msgspec.structs.replace(chosen[rig], at=in_turn.state.changed))
    assert log.state.chosen == {}
    assert log.state.game_table.race.history == in_turn.state.game_table.race.history
    for each in (log, in_turn):
        each.race(random.Random(4))
    assert log.state.record(0) == in_turn.state.record(0)


def test_a_choice_that_was_made_is_not_made_again_nor_by_whoever_comes_after() -> None:
    log, source = choosing(), random.Random(5)
    first, last = (log.state.game_table.rigs[number].seat for number in (0, 2))
    assert first is not None
    assert last is not None
    early = choice(log, last, source)
    log.do(of(last), early)
    assert log.state.has_chosen(last)
    assert not log.state.has_chosen(first)
    again = msgspec.structs.replace(early, at=log.state.number)
    assert refused(log, of(last), early).problem == "the table has moved on since then: look again"
    assert refused(log, of(last), again).problem == "it is not your turn"
    log.add(e.Stood(last))
    log.add(*decisions.sit(log.state, last, None, None, frozenset({last})))
    assert log.state.chosen == {}
    log.do(of(last), choice(log, last, source))
    assert log.state.has_chosen(last)


def test_a_sorting_is_judged_when_it_is_made_and_says_which_pile_is_wrong() -> None:
    log, source = choosing(), random.Random(6)
    for number in range(3):
        seat = log.state.game_table.rigs[number].seat
        assert seat is not None
        log.do(of(seat), choice(log, seat, source))
    later = log.state.game_table.rigs[2].seat
    assert later is not None
    good = choice(log, later, source)
    assert isinstance(good.move, Sort)
    cards = sorted(card for pile in good.move.piles for card in pile)
    bad = msgspec.structs.replace(good, move=Sort(((cards[0],), tuple(cards[1:]), ())))
    error = refused(log, of(later), bad)
    assert (error.clause, error.pile) in (("AUS-3", 1), ("AUS-3", 2))
    too_few = msgspec.structs.replace(good, move=Sort(((cards[0],), (cards[1],), (cards[2],))))
    assert (refused(log, of(later), too_few).clause, refused(log, of(later), too_few).pile) == ("AUS-3", None)


# ---------------------------------------------------------------------- shares


def test_everybody_adds_one_share_and_whoever_sits_down_after_him_another() -> None:
    log = table_in("podium")
    log.do(of(0), msg.Shake(id="a", share="0" * 32))
    assert refused(log, of(0), msg.Shake(id="b", share="1" * 32)).problem == "you have added your share already"
    other_key = Actor(("a key that he thought up",), frozenset({FIRST}), False)
    assert refused(log, other_key, msg.Shake(id="b", share="1" * 32)).problem == "you have added your share already"
    of_a_seat = MOST_SHARES // (MOST_CHARIOTS + 1)
    for number in range(of_a_seat):
        log.do(of(1), msg.Shake(id="a", share=f"{number:032x}"))
        log.do(of(1), msg.Stand(id="a", seat=SECOND))
        log.add(*decisions.sit(log.state, SECOND, None, None))
    assert "no more shares" in refused(log, of(1), msg.Shake(id="a", share="2" * 32)).problem
    log.begin(share="2" * 32)  # and still the race can begin, with a share of seat 2
    assert len(log.state.seals[-1].shares) == 1 + of_a_seat + 1 <= MOST_SHARES
    assert "dealt already" in refused(log, of(2), msg.Shake(id="a", share="2" * 32)).problem


@pytest.mark.parametrize("leaving", [e.Stood(SECOND), e.Stood(SECOND, freed=True), e.Appointed(SECOND, "scorpus")])
def test_a_share_of_somebody_who_has_left_stays_and_is_shown_as_such(leaving: e.AnyEvent) -> None:
    log = table_in("podium")
    log.do(of(1), msg.Shake(id="a", share="1" * 32))
    log.do(of(0), msg.Shake(id="a", share="0" * 32))
    assert shown(log.state, Sight()).shared_left == (False, False)
    log.add(leaving)
    if isinstance(leaving, e.Stood):
        log.add(*decisions.sit(log.state, SECOND, None, None))
        assert shown(log.state, Sight(seats=frozenset({SECOND}), holder="new")).shaken is False
        log.do(of(1), msg.Shake(id="b", share="2" * 32))
    more = () if isinstance(leaving, e.Appointed) else (False,)
    told = shown(log.state, Sight(seats=frozenset({FIRST}), holder="another device"))
    assert (told.shaken, told.shared_by[:2], told.shared_left) == (True, (1, 0), (True, False, *more))
    log.begin()
    race = shown(log.state, Sight()).race
    assert race is not None
    assert (race.shares[:2], race.shared_left) == (("1" * 32, "0" * 32), (True, False, *more))
    log.do(of(0), msg.Stand(id="c", seat=FIRST))
    race = shown(log.state, Sight()).race
    assert race is not None
    assert race.shared_left == (True, True, *more)


def test_a_share_that_was_added_before_counts_when_the_race_begins() -> None:
    log = table_in("podium")
    log.do(of(0), msg.Shake(id="a", share="0" * 32))
    log.do(of(0), msg.Begin(id="b", at=log.state.changed, share="1" * 32))
    log.begin()
    assert log.state.seals[-1].shares == ("0" * 32,)
    log.race(random.Random(5))
    assert log.state.shares == []  # of the next deal


def test_shares_are_shown_with_their_seats_as_they_are_given() -> None:
    log = table_in("podium")
    log.do(of(2), msg.Shake(id="a", share="2" * 32))
    log.do(of(0), msg.Shake(id="a", share="0" * 32))
    told = shown(log.state, Sight())
    assert (told.shares, told.shared_by) == (("2" * 32, "0" * 32), (2, 0))
    log.begin()
    told = shown(log.state, Sight())
    assert (told.shares, told.shared_by) == ((), ())
    assert told.race is not None
    assert (told.race.shares, told.race.shared_by) == (("2" * 32, "0" * 32), (2, 0))


def test_only_who_sits_at_the_table_gives_a_share() -> None:
    log = table_in("podium")
    host = Actor(("host",), frozenset(), True)
    assert refused(log, host, msg.Shake(id="a", share="0" * 32)).status == 403
    log = laid("friend", "scorpus")
    log.add(e.Appointed(FIRST, "scorpus"))
    log.do(host, msg.Begin(id="b", at=log.state.changed, share="1" * 32))  # begins, but adds nothing
    assert log.state.seals[-1].shares == ()


# ---------------------------------------------------------------------- seats


def test_an_old_log_in_which_somebody_sat_down_beside_the_stand_in_is_still_folded() -> None:
    log = table_in("podium")
    log.do(of(1), msg.Stand(id="a", seat=SECOND))
    log.begin()
    state, chair = log.state, log.state.chairs[1]
    assert state.phase == "racing"
    assert state.kept == {1}
    with pytest.raises(RefusedError, match="a stand-in drives this chariot"):
        decisions.sit(state, SECOND, None, None, own=frozenset({FIRST}))
    old = {"event": "sat", "seat": 1, "name": chair.name, "colour": chair.colour}
    log.add(e.decode(msgspec.json.encode(old)))
    assert state.persons == {0, 1, 2}
    assert not state.kept
    assert state.story[-1].words == f"Somebody takes over {chair.name}'s chariot."


def test_names_and_colours_are_each_taken_once() -> None:
    log = laid("here", "here", "scorpus")
    chairs = log.state.chairs
    for name in (chairs[1].name, chairs[1].name.upper(), "scorpus"):
        problem = refused(log, of(0), msg.Dress(id="a", seat=FIRST, name=name, colour="black")).problem
        assert problem == f"somebody else is called {name}"
    taken = chairs[2].colour
    command = msg.Dress(id="a", seat=FIRST, name="Nero", colour=taken)
    assert refused(log, of(0), command).problem == f"somebody else drives {taken}"
    log.do(of(0), msg.Dress(id="a", seat=FIRST, name=chairs[0].name, colour=chairs[0].colour))  # one's own


@pytest.mark.parametrize("phase", PHASES)
def test_a_free_seat_can_be_taken_in_every_phase(phase: str) -> None:
    log = table_in(phase)
    state = log.state
    for seat, problem in ((None, "all seats are taken"), (SECOND, "that seat is taken"), (FIFTH, "there is no seat 4")):
        with pytest.raises(RefusedError, match=problem):
            decisions.sit(state, seat, "Nero", "black")
    with pytest.raises(RefusedError):
        decisions.sit(state, SeatNumber(-1), None, None)
    log.do(of(1), msg.Stand(id="a", seat=SECOND))
    old = (state.chairs[1].name, state.chairs[1].colour)
    left = frozenset({SECOND})  # whoever left it comes back
    how: e.How = "back" if phase in ("racing", "paused") else "free"
    for seat in (None, SECOND):
        (sat,) = decisions.sit(state, seat, "Nero", "black", left)
        assert sat == e.Sat(SECOND, *(("Nero", "black") if phase in ("gathering", "over") else old), how)
    (sat,) = decisions.sit(state, None, None, None, left)
    assert sat == e.Sat(SECOND, *old, how)
    if phase in ("gathering", "over"):
        with pytest.raises(RefusedError, match="somebody else"):
            decisions.sit(state, SECOND, state.chairs[0].name, None)
        with pytest.raises(RefusedError, match="somebody else"):
            decisions.sit(state, SECOND, None, state.chairs[2].colour)
    log.add(sat)
    assert not state.chairs[1].free
    with pytest.raises(RefusedError, match="that seat is taken"):
        decisions.sit(state, SECOND, None, None)


def test_who_drives_when_seats_change_in_mid_race() -> None:
    log = table_in("racing")
    state, seat = log.state, log.state.on_turn
    assert seat is not None
    assert not state.goes_on  # a person is awaited
    log.do(HOST, msg.Appoint(id="a", seat=seat, driver="festina"))
    assert (state.chairs[seat].driver, state.goes_on) == ("festina", True)
    assert state.game_table.setup.seats[seat].driver == "festina"
    log.do(HOST, msg.Appoint(id="b", seat=seat, driver="scorpus"))
    assert state.chairs[seat].driver == "scorpus"
    log.do(HOST, msg.Vacate(id="c", seat=seat))
    assert (state.chairs[seat].free, state.goes_on) == (True, True)  # somebody stands in, until somebody sits down
    with pytest.raises(RefusedError, match="a stand-in drives this chariot to the end of the race"):
        decisions.sit(state, seat, None, None)
    log.add(e.Sat(seat, state.chairs[seat].name, state.chairs[seat].colour))  # by consent: see below
    assert (state.chairs[seat].driver, state.chairs[seat].free, state.goes_on) == ("", False, False)
    log.do(of(seat), msg.Stand(id="d", seat=seat))
    assert (state.chairs[seat].free, state.goes_on) == (True, True)
    log.do(HOST, msg.Pause(id="e"))
    assert not state.goes_on
    for driver in ("caligula", "my/driver.py", "sibylla@60s", "human", "sibylla@1000000000"):
        assert refused(log, HOST, msg.Appoint(id="f", seat=seat, driver=driver)).status == 400


# ---------------------------------------------------------------------- words


def test_one_says_words_of_ones_own_or_a_phrase() -> None:
    log = table_in("racing")
    for text, phrase in ((None, None), ("Ave", "ave")):
        assert refused(log, of(0), msg.Say(id="a", text=text, phrase=phrase)).status == 400  # type: ignore[arg-type]
    log.do(of(1, 2), msg.Say(id="a", text="<b>Ave</b>"))
    log.do(HOST, msg.Say(id="b", phrase="hurry"))
    said = [(line.seat, line.words, line.phrase) for line in log.state.story if line.kind == "said"]
    assert said == [(1, "<b>Ave</b>", None), (None, "", "hurry")]


def test_a_table_remembers_the_last_words_only() -> None:
    log = table_in("racing")
    turns = [line for line in log.state.story if line.kind != "said"]
    for number in range(2 * MOST_TOLD):
        log.do(of(0), msg.Say(id="a", text=f"{number}"))
    assert [line.words for line in log.state.story if line.kind == "said"] == [
        f"{number}" for number in range(MOST_TOLD, 2 * MOST_TOLD)
    ]
    assert [line for line in log.state.story if line.kind != "said"] == turns
    for _ in range(MOST_TOLD):
        log.do(of(0), msg.Pause(id="a"))
        log.do(of(0), msg.Resume(id="a"))
    assert len([line for line in log.state.story if line.kind == "news"]) == MOST_TOLD


def test_the_number_of_an_event_is_given_once() -> None:
    log = table_in("racing")
    for number in (log.state.number, log.state.number + 2):
        with pytest.raises(ValueError, match="does not follow"):
            log.state.apply(number, 0.0, e.Said(FIRST, "Ave", None))


# ---------------------------------------------------------------------- the fold


LIVES: dict[str, dict[str, Any]] = {
    **HOUSES,
    "a tournament": {"edition": "ravensburger", "players": 3, "tournament": True, "options": {**SHORT, "races": "2"}},
    "own board": {"edition": "ravensburger", "players": 3, "course": "blue"},
}


def busy_life(house: str, source: random.Random) -> Log:
    """A table where everything happens that can: a game and a rematch, chat, pauses, people and drivers come and go."""
    wanted = dict(LIVES[house])
    players = wanted.pop("players")
    board = PLAIN.read_text() if house == "own board" else None
    log = laid("here", *["friend"] * (players - 1), board=board, **wanted)
    state = log.state
    for seat in state.seats[1:]:
        log.add(*decisions.sit(state, seat, f"Titus {seat}", None), command=f"titus:{seat}")
    games = 2 if "tournament" in house else 1
    while state.game + 1 < games or state.phase != "over":
        if state.phase == "racing" and not state.paused and source.random() < 0.9:
            on_turn, race = state.on_turn, state.game_table.race
            by: e.By = "rule" if on_turn is None else source.choice(["person", "driver", "stand-in", "clock"])
            log.happen(e.Moved(on_turn, choose(race, "careful", source), by), command=f"livia:{state.number}")
            continue
        seat = source.choice(state.seats)
        commands: list[msg.Logged] = [
            msg.Say(id="a", text="Make way!"),
            msg.Say(id="a", phrase="sorry"),
            msg.Shake(id="a", share=f"{source.getrandbits(128):032x}"),
            msg.Begin(id="a", at=state.changed, share=f"{source.getrandbits(128):032x}"),
            msg.Pause(id="a"),
            msg.Resume(id="a"),
            msg.Dress(id="a", seat=seat, name=f"Gaius {state.number}", colour=state.chairs[seat].colour),
            msg.Stand(id="a", seat=seat),
            msg.Appoint(id="a", seat=seat, driver="bibulus"),
        ]
        try:
            if state.phase in ("gathering", "over") or source.random() < 0.7:
                log.do(of(*range(players), host=True), source.choice(commands))
            else:
                log.add(*decisions.sit(state, None, "Nero", None))
        except RefusedError:
            if state.phase == "gathering":
                log.do(of(seat, host=True), msg.Appoint(id="a", seat=seat, driver="scorpus"))
    return log


@pytest.mark.parametrize("house", LIVES)
def test_the_log_folds_to_the_same_table_at_every_event_for_everybody(house: str) -> None:
    source = random.Random(house)
    entries = busy_life(house, source).entries
    assert {type(e.decode(body)) for _, _, body in entries} >= {e.Moved, e.Said, e.Begun, e.Sealed, e.Sat}
    first, second = folded([]), folded([])
    for at, command, body in entries:
        for log in (first, second):
            log.state.apply(log.state.number + 1, at, e.decode(body), command)
        sight = source.choice(sights(first.state))
        assert whole(first.state, sight) == whole(second.state, sight)
    late = folded(entries)  # who comes last is told the same as who was there all along
    assert everything(late.state) == everything(first.state)
    assert late.state.commands == first.state.commands
    for game in range(late.state.game + 1):
        assert late.state.record(game) == first.state.record(game)


def test_every_edition_is_folded_and_every_house() -> None:
    assert set(EDITIONS) <= set(LIVES)


def test_the_story_and_the_podium_tell_what_a_chronicle_counts() -> None:
    """Who took the lead and when, and how many points everybody threw away: the same figures, counted twice."""
    log = laid("here", "here", "here", seed=3)
    log.add(e.Begun())
    log.race(random.Random(3))
    written = chronicle_of(log.state.game_table.record(), 0, looks=0, second_look=1)
    turns = [line for line in log.state.story if line.kind == "turn"]
    leads = [(number, line.chariot) for number, line in enumerate(turns, 1) if line.leads]
    assert leads == [
        (lead.turn, lead.chariot) for lead in written.leads if turns[lead.turn - 1].chariot == lead.chariot
    ]
    assert len(leads) > 3
    last = {lead.turn: before.chariot for before, lead in pairwise(written.leads)}
    assert [line.lead_from for line in turns if line.leads] == [last.get(number) for number, _ in leads]
    assert all(line.lead_from is None for line in turns if not line.leads)
    race = shown(log.state, Sight()).race
    assert race is not None
    assert [chariot.wasted for chariot in race.chariots] == [chariot.wasted for chariot in written.chariots]
    assert {line.lap for line in turns} == {None, 1, 2, 3}
    log.add(e.Begun())
    race = shown(log.state, Sight()).race
    assert race is not None
    assert {chariot.wasted for chariot in race.chariots} == {None}  # of this race nothing is told yet
