"""Who sits where, and what is said at a table."""

from __future__ import annotations

import msgspec
import pytest

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables import decisions
from avecaesar.server.tables import events as e
from avecaesar.server.tables.story import MOST_TOLD
from avecaesar.server.wire import messages as msg
from folded_tables import HOST, PHASES, refused, table_in
from logs import laid, of
from seat_numbers import FIFTH, FIRST, SECOND

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
    assert state.lines[-1].words == f"Somebody takes over {chair.name}'s chariot."


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
    said = [(line.seat, line.words, line.phrase) for line in log.state.lines if line.kind == "said"]
    assert said == [(1, "<b>Ave</b>", None), (None, "", "hurry")]


def test_a_table_remembers_the_last_words_only() -> None:
    log = table_in("racing")
    turns = [line for line in log.state.lines if line.kind != "said"]
    for number in range(2 * MOST_TOLD):
        log.do(of(0), msg.Say(id="a", text=f"{number}"))
    assert [line.words for line in log.state.lines if line.kind == "said"] == [
        f"{number}" for number in range(MOST_TOLD, 2 * MOST_TOLD)
    ]
    assert [line for line in log.state.lines if line.kind != "said"] == turns
    for _ in range(MOST_TOLD):
        log.do(of(0), msg.Pause(id="a"))
        log.do(of(0), msg.Resume(id="a"))
    assert len([line for line in log.state.lines if line.kind == "news"]) == MOST_TOLD


def test_the_number_of_an_event_is_given_once() -> None:
    log = table_in("racing")
    for number in (log.state.number, log.state.number + 2):
        with pytest.raises(ValueError, match="does not follow"):
            log.state.apply(number, 0.0, e.Said(FIRST, "Ave", None))
