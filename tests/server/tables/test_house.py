"""The house with people in it: whole races, one screen for several, questions, and people who are slow or hasty."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from avecaesar.game import Withdraw
from avecaesar.records import referee
from avecaesar.rules import EDITIONS
from avecaesar.server.tables.connection import CONNECTIONS_A_PERSON, MOST_ANSWERS, MOST_WAITING, STRANGERS_A_TABLE
from avecaesar.server.wire import messages as msg
from harness import SHORT, Guest, Harness, person, refused, token_of
from seat_numbers import FIRST
from situations import PLAIN

# ---------------------------------------------------------------------- whole races

RACES: dict[str, dict[str, Any]] = {
    **{name: {"edition": name, "kinds": ("here", "friend", "scorpus", "festina")} for name in EDITIONS},
    "teams": {"kinds": ("here", "friend"), "options": {"chariots_each": "2"}},
    "votes": {
        "kinds": ("here", "friend", "scorpus"),
        "options": {"riderless": "extra", "riderless_count": "2", "riderless_moves": "vote"},
    },
    "riderless": {"kinds": ("here", "friend"), "options": {"riderless": "fill"}},
}


@pytest.mark.parametrize("race", RACES)
def test_two_people_and_drivers_race_to_the_end_and_the_record_is_good(house: Harness, race: str) -> None:
    wishes = dict(RACES[race])
    livia, marcus = person(), person()
    laid = house.lay(*wishes.pop("kinds"), key=livia, **wishes)
    assert (laid.seats, laid.token) == ([0], None)
    assert laid.invitation is not None
    token = laid.invitation.partition("#")[2]

    async def play() -> None:
        server, table = house.server, laid.table
        seated = await server.sit(table, msg.Sit(token=token, name="Marcus", colour="black"), [marcus])
        assert (seated.seat, seated.token) == (1, None)
        one, two, watcher = [await Guest.at(server, table, *keys) for keys in ([livia], [marcus], [])]
        assert "begins the first race" in (await two.do("begin", at=two.table["changed"]))["problem"]
        assert "sit at the table" in (await watcher.do("say", text="Ave!"))["problem"]
        await one.begin()
        await two.until(lambda guest: guest.table["phase"] == "racing")
        assert (await refused(server.record(table, 0))).status == 404
        await asyncio.gather(one.race(), two.race(), watcher.until(lambda guest: guest.table["phase"] == "over"))
        for guest in (one, two):
            await guest.until(lambda guest: guest.table["phase"] == "over")
        late = await Guest.at(server, table)
        begun = late.story[0]["number"]
        for guest in (one, two, watcher):
            assert [line for line in guest.story if line["number"] >= begun] == late.story
        assert late.table["race"] == watcher.table["race"] == two.table["race"]
        assert {line["by"] for line in late.story if line["kind"] == "turn"} <= {"person", "driver", "rule"}
        referee(await server.record(table, 0))
        shown = await server.shown(table, [marcus])
        assert (shown.table.phase, shown.table.eyes) == ("over", 1)
        assert shown.table.race
        assert shown.table.race.secret

    house.run(play())


def test_on_a_board_of_ones_own_too_and_drivers_race_alone(house: Harness) -> None:
    source = PLAIN.read_text()

    async def lay() -> str:
        new = msg.NewTable(seats=(msg.SeatPlan(),) * 3, course="blue", board="1" * 64, pace=0, options=SHORT)
        assert (await refused(house.server.lay(new, person()))).status == 404
        assert (await house.server.uploads.check(new)).problem
        await house.stores[0].keep("board", "1" * 64, source.encode())
        assert (await house.server.uploads.check(new)).problem is None
        key = person()
        table = (await house.server.lay(new, key)).table
        guest = await Guest.at(house.server, table, key)
        await guest.begin()
        await guest.until(lambda guest: guest.table["phase"] == "over")
        referee(await house.server.record(table, 0))
        assert (await house.server.uploads.course_of("blue", "clockwise", "1" * 64)).name == "blue"
        assert (await refused(house.server.uploads.course_of("pink", "clockwise", "1" * 64))).status == 404
        assert (await refused(house.server.uploads.course_of(f"{PLAIN}:blue", "clockwise", None))).status == 404
        return table

    table = house.run(lay())
    house.restart()
    assert house.run(house.server.shown(table, [])).table.phase == "over"


def test_a_table_that_cannot_be_played_is_not_laid(house: Harness) -> None:
    for wishes in (
        {"seats": (msg.SeatPlan(colour="red"), msg.SeatPlan(colour="red"))},
        {"seats": (msg.SeatPlan(name="A"), msg.SeatPlan(name="A"))},
        {"seats": (msg.SeatPlan(driver="caligula"),)},
        {"seats": (msg.SeatPlan(kind="here", driver="scorpus"),)},
        {"seats": (msg.SeatPlan(),) * 4, "course": "pink"},
        {"seats": (msg.SeatPlan(),) * 6, "options": {"chariots_each": "2"}},
        {"seats": (msg.SeatPlan(),) * 3, "options": {"hand": "many"}},
    ):
        error = house.run(refused(house.server.lay(msg.NewTable(**wishes), person())))
        assert error.status == 400


def test_a_rematch_waits_for_everybody_and_the_host_may_go_on_without_who_stays_away(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = house.lay("here", "friend", "scorpus", key=livia, away=60, options={"race_ends": "first_home"})

    async def play() -> None:
        await house.server.sit(laid.table, msg.Sit(token=token_of(laid.invitation)), [marcus])
        one, two = await Guest.at(house.server, laid.table, livia), await Guest.at(house.server, laid.table, marcus)
        await one.begin()
        await two.until(lambda guest: guest.table["phase"] == "racing")
        await asyncio.gather(one.race(), two.race())
        assert (one.table["phase"], one.table["ready"]["waits"]) == ("over", [0, 1])
        assert not one.table["ready"]["begins"]
        await two.begin()
        assert (two.table["phase"], two.table["ready"]["you"], two.table["ready"]["ready"]) == ("over", True, [1])
        await one.until(lambda guest: guest.table["ready"]["begins"])  # he is the last
        two.leave()
        await one.until(lambda guest: not guest.table["ready"]["begins"])  # ready, but elsewhere
        await one.begin()
        assert (one.table["phase"], one.table["ready"]["waits"]) == ("over", [1])
        assert "the race waits for" in (await one.do("begin", at=one.table["changed"]))["problem"]
        back = await Guest.at(house.server, laid.table, marcus)
        assert back.table["ready"]["begins"]
        await one.until(lambda guest: guest.table["ready"]["begins"])
        await one.begin()
        back.leave()
        assert one.table["game"] == 1
        await asyncio.gather(one.race(), drive(house, laid.table, marcus))
        assert not one.table["ready"]["begins"]
        await one.begin()
        assert one.table["ready"]["without_from"] == house.time.now + 60
        assert "the race waits for" in (await one.do("begin", at=one.table["changed"]))["problem"]

    house.run(play())
    house.restart()

    async def go_on() -> None:
        one = await Guest.at(house.server, laid.table, livia)
        assert one.table["ready"] == {
            "ready": [0],
            "waits": [1],
            "you": True,
            "begins": False,
            "without_from": house.time.now + 60,
        }
        await house.time.pass_by(60)
        assert (await one.do("begin", id="without-him", at=one.table["changed"]))["is"] == "done"
        assert (one.table["phase"], one.table["game"], one.table["ready"]) == ("racing", 2, None)

    house.run(go_on())


async def drive(house: Harness, table: str, key: str) -> None:
    """Come, drive to the end of the race, and go."""
    guest = await Guest.at(house.server, table, key)
    await guest.race()
    guest.leave()


def test_decks_chosen_before_they_are_asked_for_are_kept_through_a_crash_and_played_in_turn(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = house.lay("here", "friend", key=livia, edition="ausgebremst", options={"riderless": "none"}, away=None)
    keys = [livia, marcus]

    async def choose_ahead() -> None:
        await house.server.sit(laid.table, msg.Sit(token=token_of(laid.invitation)), [marcus])
        guests = [await Guest.at(house.server, laid.table, key) for key in keys]
        await guests[0].begin()
        for guest in guests:
            await guest.until(lambda guest: guest.table["question"])
        assert [guest.table["question"]["asks"] for guest in guests] == ["deck", "deck"]
        later = next(guest for guest in guests if guest.table["question"]["ahead"])
        assert (await later.move())["is"] == "done"
        await later.until(lambda guest: guest.table["question"] is None)
        assert [seat["chosen"] for seat in later.table["seats"]].count(True) == 1

    house.run(choose_ahead())
    house.restart()

    async def go_on() -> None:
        guests = [await Guest.at(house.server, laid.table, key) for key in keys]
        first = next(guest for guest in guests if guest.table["question"])
        assert not first.table["question"]["ahead"]
        assert (await first.move())["is"] == "done"
        assert first.table["race"]["asks"] == "sort"  # both decks are there
        await asyncio.gather(*(guest.race() for guest in guests))
        assert first.table["phase"] == "over"

    house.run(go_on())


# ---------------------------------------------------------------------- slow and hasty people


def test_a_slow_reader_costs_little_and_gets_the_whole_table_afresh(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table

    async def play() -> None:
        slow, quick = await Guest.at(house.server, table), await Guest.at(house.server, table, livia)
        most = 0
        for number in range(3 * MOST_WAITING):
            await quick.do("say", text=f"{number}")
            most = max(most, len(slow.connection._waiting))
        assert 0 < most <= MOST_WAITING
        assert (await slow.hear())["is"] == "whole"
        await slow.until(lambda guest: guest.table["number"] == quick.table["number"])
        words = [line["words"] for line in slow.story if line["kind"] == "said"]
        assert words == [f"{number}" for number in range(3 * MOST_WAITING)]  # nothing was missed, nothing is told twice

    house.run(play())


def test_ten_thousand_commands_at_once_leave_the_table_as_it_was(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        other = await Guest.at(house.server, table)
        number = guest.table["number"]
        for i in range(10_000):
            await guest.connection.command(msg.Pause(id=f"{i}"))
        assert len(guest.connection._answers) <= MOST_ANSWERS + 1
        await guest.until(lambda guest: "None" in guest.answers)
        assert guest.answers.pop("None")["is"] == "bye"  # who does not read is shown out, and comes again
        assert {answer["problem"] for answer in guest.answers.values()} == {"there is no race to pause"}
        assert house.running(table).state.number == number
        guest.leave()
        again = await Guest.at(house.server, table, livia)
        assert (await again.do("say", text="Ave!"))["number"] == number + 1
        await other.until(lambda guest: guest.table["number"] == number + 1)

    house.run(play())


def test_a_table_has_room_for_so_many_and_a_person_for_so_many_windows(house: Harness) -> None:
    owner = person()
    table = house.lay("scorpus", "festina", key=owner).table

    async def play() -> None:
        guest = person()
        mine = [await house.server.connect(table, [guest]) for _ in range(CONNECTIONS_A_PERSON)]
        error = await refused(house.server.connect(table, [guest]))
        assert (error.status, error.problem) == (429, "you have this table open too often")
        mine += [await house.server.connect(table, []) for _ in range(STRANGERS_A_TABLE - CONNECTIONS_A_PERSON)]
        assert (await refused(house.server.connect(table, []))).status == 429
        theirs = await Guest.at(house.server, table, owner)  # the host finds a place whatever the crowd
        assert theirs.table["host"]
        theirs.leave()
        mine.pop().close()
        assert (await Guest.at(house.server, table)).table["watchers"] == STRANGERS_A_TABLE

    house.run(play())


def test_whoever_stands_up_takes_no_stranger_place_that_is_not_there(house: Harness) -> None:
    table = house.lay("here", "friend", key=person(), open=True).table

    async def play() -> None:
        titus = person()
        await house.server.sit(table, msg.Sit(), [titus])
        first, second = [await Guest.at(house.server, table, titus) for _ in range(2)]
        for _ in range(STRANGERS_A_TABLE - 1):
            await house.server.connect(table, [])
        assert (await first.do("stand", seat=1))["is"] == "done"
        await second.until(lambda guest: "None" in guest.answers)
        assert second.answers["None"]["problem"] == "too many people are at this table"

    house.run(play())


# ---------------------------------------------------------------------- one screen for several


def test_several_people_at_one_screen_see_one_hand_at_a_time(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "here", "scorpus", key=livia).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        assert guest.table["yours"] == [0, 1]
        assert "not that seat's turn" in (await guest.do("lift", seat=0))["problem"]
        await guest.begin()
        lifted = 0
        while lifted < 8:
            await guest.until(lambda guest: guest.wanted)
            seat = guest.table["curtain"]
            assert (guest.table["eyes"], guest.table["hands"], guest.table["question"]) == (None, [], None)
            for do in ("hint", "why"):
                more = {"move": {"kind": "withdraw"}} if do == "why" else {}
                assert "curtain" in (await guest.do(do, seat=seat, **more))["problem"]
            assert "not that seat's turn" in (await guest.do("lift", seat=1 - seat))["problem"]
            assert "no curtain" in (await guest.do("lift", seat=2))["problem"]
            assert (await guest.do("lift", seat=seat))["is"] == "done"
            await guest.until(lambda guest: guest.table["question"])
            assert (guest.table["eyes"], guest.table["curtain"]) == (seat, None)
            if lifted == 3:
                await guest.do("lift", seat=None)
                await guest.until(lambda guest: not guest.table["question"])
                assert guest.table["curtain"] == seat
            heard = len(guest.heard)
            assert (await guest.move())["is"] == "done"
            after = [msgspec.json.decode(raw) for raw in guest.heard[heard:]]
            news = [one["table"] for one in after if one["is"] == "news"][-1]
            assert (news["eyes"], news["hands"]) == (None, [])  # the curtain falls with the move
            assert guest.connection.lifted is None
            lifted += 1
        single = await Guest.at(house.server, table)
        assert "no curtain" in (await single.do("lift", seat=0))["problem"]

    house.run(play())


def test_a_lifted_curtain_does_not_outlive_the_seat(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "here", "here", key=livia, away=None, pace=5000).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        await guest.until(lambda guest: guest.wanted)
        seat = guest.table["curtain"]
        await guest.do("lift", seat=seat)
        await guest.until(lambda guest: guest.table["question"])
        await guest.do("stand", seat=seat)
        await guest.until(lambda guest: seat not in guest.table["yours"])
        assert (guest.table["eyes"], guest.table["hands"], guest.table["question"]) == (None, [], None)

    house.run(play())


# ---------------------------------------------------------------------- questions


def test_hints_are_for_the_seat_on_turn_and_only_where_the_table_allows_them(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table
    proud = house.lay("here", "scorpus", key=livia, hints=False).table

    async def play() -> None:
        guest, watcher = await Guest.at(house.server, table, livia), await Guest.at(house.server, table)
        assert "not your turn" in (await guest.do("hint", seat=0))["problem"]
        await guest.begin()
        await guest.until(lambda guest: guest.wanted)
        assert "not your seat" in (await guest.do("hint", seat=1))["problem"]
        assert "not your seat" in (await watcher.do("hint", seat=0))["problem"]
        first, second = await asyncio.gather(guest.do("hint", seat=0), guest.do("hint", seat=0))
        assert {first["is"], second["is"]} == {"hint", "refused"}  # one at a time
        hint = first if first["is"] == "hint" else second
        legal = [offer["move"] for offer in guest.table["question"]["offers"]]
        assert hint["changed"] == guest.table["changed"]
        assert 1 <= len(hint["moves"]) <= 3
        assert all(one["move"] in legal for one in hint["moves"])
        by_http = await house.server.command(table, msg.AskHint(id="a", seat=FIRST), [livia])
        assert isinstance(by_http, msg.Hint)
        guest = await Guest.at(house.server, proud, livia)
        await guest.begin()
        await guest.until(lambda guest: guest.wanted)
        assert "without hints" in (await guest.do("hint", seat=0))["problem"]

    house.run(play())


def test_why_a_move_is_not_allowed_is_told_to_who_is_on_turn(house: Harness) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table

    async def play() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        await guest.until(lambda guest: guest.wanted)
        legal = guest.table["question"]["offers"][0]["move"]
        assert (await guest.do("why", seat=0, move=legal))["words"] is None
        answer = await guest.do("why", seat=0, move={"kind": "play", "card": 6, "to": "home"})
        assert answer["words"]
        assert answer["clause"]
        assert (await guest.do("why", seat=0, move={"kind": "vote", "card": 3}))["is"] == "refused"
        reason = await house.server.command(table, msg.Why(id="a", seat=FIRST, move=Withdraw()), [livia])
        assert isinstance(reason, msg.Reason)
        assert reason.clause

    house.run(play())
