"""The lesson: its cards are chosen so that everything that a coach has to teach comes up, and they are pledged."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest

from avecaesar.drivers import driver
from avecaesar.game import Move, Play, commitment_of
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables import decisions, lesson
from avecaesar.server.tables import events as e
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.dealing import seal_for
from avecaesar.server.tables.plan import filled_in
from avecaesar.server.tables.projection import Sight, reason, shown
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from seat_numbers import FIRST

PUPIL = Actor(("pupil",), frozenset({FIRST}), True)
WISH = msg.NewTable(seats=(msg.SeatPlan(kind="here", name="Livia"),), lesson=True)


def lesson_room(wish: msg.NewTable = WISH) -> TableState:
    """A lesson that has begun."""
    plan = filled_in(wish)
    state = TableState("lesson")
    for event in (e.WasLaid(plan), seal_for(plan)):
        state.apply(state.number + 1, 0.0, event)
    do(state, msg.Begin(id="1", at=state.changed))
    return state


def do(state: TableState, command: msg.Logged) -> None:
    state.happen(decisions.decide(state, PUPIL, command), 0.0)


def table_of(state: TableState) -> dict[str, Any]:
    """The table as the pupil sees it, as it crosses the wire."""
    seen: dict[str, Any] = msgspec.to_builtins(shown(state, Sight(seats=frozenset({FIRST}), holder="pupil")))
    return seen


def drive_on(state: TableState) -> None:
    """The computer's drivers move until the pupil is asked, or the race is over."""
    while state.phase == "racing" and state.on_turn != 0:
        seat = state.on_turn
        assert seat is not None
        move = driver(state.chairs[seat].driver).choose(state.game_table.view(seat))
        state.happen([e.Moved(seat, move, "driver")], 0.0)


def questions(state: TableState) -> list[dict[str, Any]]:
    """Follow the coach to the end of the race; the table at each of the pupil's turns."""
    asked = []
    drive_on(state)
    while state.phase == "racing":
        asked.append(table_of(state))
        move = msgspec.convert(asked[-1]["question"]["coaching"]["advised"], Move)
        do(state, msg.MakeMove(id=f"m{state.number}", at=state.changed, seat=FIRST, move=move))
        drive_on(state)
    return asked


@pytest.fixture(scope="module")
def followed() -> tuple[TableState, list[dict[str, Any]]]:
    state = lesson_room()
    return state, questions(state)


def first(turns: list[dict[str, Any]], met: Any) -> int:
    """The first of the pupil's turns at which something is so, counted from 1."""
    return next(turn for turn, table in enumerate(turns, 1) if met(table))


def test_whoever_follows_the_coach_meets_every_lesson_on_his_first_lap(followed: tuple[TableState, Any]) -> None:
    _, turns = followed

    def refuses(clause: str) -> Any:
        return lambda table: any(one["clause"] == clause for one in table["question"]["refused"])

    def beyond(why: str) -> Any:
        return lambda table: any(one["why"] == why for one in table["question"]["coaching"]["beyond"])

    def offers(field: str) -> Any:
        return lambda table: any(offer[field] for offer in table["question"]["offers"])

    met = {
        "an exact count": first(turns, beyond("exact")),
        "a way that wastes": first(turns, offers("wasted")),
        "a barred six": first(turns, refuses("SIX-1")),
        "a blocked card": first(turns, refuses("MOV-3")),
        "a wall": first(turns, beyond("wall")),
        "fewer points to spare": first(turns, lambda table: own(table)["to_spare"] < own(turns[0])["to_spare"]),
        "the alley": first(turns, offers("pays")),
    }
    assert list(met.values()) == [1, 2, 3, 4, 5, 6, 8], met
    assert own(turns[8 - 1])["lap"] == 1
    assert not own(turns[9 - 1])["coin"]


def own(table: dict[str, Any]) -> dict[str, Any]:
    return next(dict(chariot) for chariot in table["race"]["chariots"] if chariot["seat"] == 0)


def test_whoever_follows_the_coach_wins_and_never_misses_a_turn(followed: tuple[TableState, Any]) -> None:
    state, turns = followed
    race = state.game_table.race
    assert race.names[race.arrivals[0]] == "Livia"
    assert all(table["question"]["coaching"]["advised"]["kind"] == "play" for table in turns)


def test_the_coachs_advice_is_always_one_of_the_offers(followed: tuple[TableState, Any]) -> None:
    for table in followed[1]:
        question = table["question"]
        assert question["coaching"]["advised"] in [offer["move"] for offer in question["offers"]]


def test_the_coach_gives_a_reason_each_time_and_keeps_inside_where_it_is_as_good(
    followed: tuple[TableState, Any],
) -> None:
    said = set()
    for table in followed[1]:
        question = table["question"]
        advised, said_why = question["coaching"]["advised"], question["coaching"]["because"]
        assert said_why
        said.add(said_why)
        offers = {offer["name"]: offer for offer in question["offers"]}
        own = next(offer for offer in offers.values() if offer["move"] == advised)
        inner = offers.get(own["name"].replace("outside", "inside"), own)
        assert inner is own or inner["wasted"] > own["wasted"]
    assert said >= {
        "the inside lane is shorter",
        "no other card can be played",
        "it stops before Caesar and pays your coin",
        "there Felix and Musa are stuck behind you",
        "a 6 goes only while somebody is ahead of you",
        "that is the finish",
    }


def test_the_way_to_a_walled_space_has_as_many_steps_as_the_card_and_one_goes_through_the_wall(
    followed: tuple[TableState, Any],
) -> None:
    state, turns = followed
    spaces = state.game_table.race.course.spaces
    walled = [
        (own(table)["space"], beyond)
        for table in turns
        for beyond in table["question"]["coaching"]["beyond"]
        if beyond["why"] == "wall"
    ]
    assert walled
    for here, beyond in walled:
        way = [here, *beyond["way"]]
        steps = [(one, other) for one, other in pairwise(way) if other not in [step.to for step in spaces[one].steps]]
        assert steps == [tuple(beyond["wall"])]
        assert (len(beyond["way"]), way[-1]) == (beyond["card"], beyond["to"])


def test_what_lies_beyond_reach_is_refused_with_the_same_words(followed: tuple[TableState, Any]) -> None:
    state = lesson_room()
    for table in followed[1]:
        drive_on(state)
        for beyond in table["question"]["coaching"]["beyond"]:
            move = Play(beyond["card"], beyond["to"])
            with pytest.raises(RefusedError) as refused:
                decisions.need_legal(state, move, state.game_table.race)
            told = reason(state, msg.Why(id="why", seat=FIRST, move=move), refused.value)
            assert (told.words, told.clause) == (beyond["words"], beyond["clause"])
        advised = msgspec.convert(table["question"]["coaching"]["advised"], Move)
        do(state, msg.MakeMove(id=f"m{state.number}", at=state.changed, seat=FIRST, move=advised))


def test_a_lesson_is_the_same_for_everybody_but_for_the_pupils_name_and_colour() -> None:
    wish = msg.NewTable(
        seats=(msg.SeatPlan(kind="here", name="Felix", colour="green"), msg.SeatPlan(kind="friend")),
        lesson=True,
        course="blue",
        edition="pro-ludo",
        clock=30,
        title="Learn",
        pace=0,
    )
    plan = filled_in(wish)
    assert [seat.name for seat in plan.seats] == ["Felix", "Musa", "Tatius"]
    assert plan.seats[0].colour == "green"
    assert (plan.title, plan.pace, plan.course, plan.edition, plan.clock, plan.away) == (
        "Learn",
        0,
        "white",
        "ravensburger",
        None,
        None,
    )
    mine, theirs = table_of(lesson_room(wish)), table_of(lesson_room())
    assert mine["hands"] == theirs["hands"]


def test_the_cards_are_pledged_before_the_race_and_opened_after_it(followed: tuple[TableState, Any]) -> None:
    state, turns = followed
    assert turns[0]["race"]["commitment"] == commitment_of(lesson.SECRET)
    assert turns[0]["race"]["secret"] is None
    assert table_of(state)["race"]["secret"] == lesson.SECRET.hex()
    assert state.record(0).races[0].seal.shares == ()  # type: ignore[union-attr]


def test_nobody_adds_to_the_cards_of_a_lesson() -> None:
    plan = filled_in(WISH)
    state = TableState("lesson")
    for event in (e.WasLaid(plan), seal_for(plan)):
        state.apply(state.number + 1, 0.0, event)
    with pytest.raises(RefusedError):
        decisions.decide(state, PUPIL, msg.Shake(id="1", share="0" * 32))
    assert table_of(state)["shaken"]
    assert [
        type(event) for event in decisions.decide(state, PUPIL, msg.Begin(id="1", at=state.changed, share="0" * 32))
    ] == [e.Begun]


def test_the_lesson_can_be_raced_again_with_the_same_cards(followed: tuple[TableState, Any]) -> None:
    state = lesson_room()
    questions(state)
    do(state, msg.Begin(id="again", at=state.changed))
    drive_on(state)
    assert table_of(state)["hands"] == followed[1][0]["hands"]


def test_other_tables_have_no_coach() -> None:
    state = lesson_room(msg.NewTable(seats=(msg.SeatPlan(kind="here"), msg.SeatPlan(), msg.SeatPlan())))
    drive_on(state)
    assert state.seals[0].secret != lesson.SECRET.hex()
    assert table_of(state)["question"]["coaching"] is None
