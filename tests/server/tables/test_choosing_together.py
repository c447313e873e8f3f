"""What all at a table do at once: they are ready, choose decks and sortings, and give shares."""

from __future__ import annotations

import random

import msgspec
import pytest

from avecaesar.game import Sort
from avecaesar.game.numbers import SeatNumber
from avecaesar.game.sealed_chance import MOST_SHARES
from avecaesar.rules import MOST_CHARIOTS
from avecaesar.server.tables import decisions
from avecaesar.server.tables import events as e
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.projection import Sight, shown
from avecaesar.server.tables.seats import Circumstances
from avecaesar.server.wire import messages as msg
from folded_tables import HOST, folded, refused, table_in
from logs import Log, laid, of
from recordings import choose
from seat_numbers import FIRST, SECOND, THIRD

# ---------------------------------------------------------------------- together


@pytest.mark.parametrize("phase", ["podium", "over"])
def test_the_next_race_begins_when_everybody_is_ready_and_nobody_is_asked_twice(phase: str) -> None:
    log = table_in(phase)
    begin = msg.Begin(id="a", at=log.state.changed)
    log.do(of(1), begin)
    assert (log.state.phase, log.state.ready) == (phase, frozenset({1}))
    assert log.state.lines[-1].words == f"{log.state.chairs[1].name} is ready for the next race."
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
