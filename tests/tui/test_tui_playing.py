"""The table in the terminal, played by keys as people play it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from avecaesar.files import data_folder
from avecaesar.game import Miss, Play
from avecaesar.records import verified
from avecaesar.table import HUMAN, Setup, Table, seats_for
from avecaesar.tui import saves
from avecaesar.tui.app import TableApp
from avecaesar.tui.dialogs import Clauses, Help, Result
from avecaesar.tui.offers import LETTERS, Offers
from avecaesar.tui.paint import NIGHT
from avecaesar.tui.screen import SPEEDS
from avecaesar.tui.start import Start
from avecaesar.tui.table_screen import TableScreen
from tui_by_keys import asks, at, find, opened, race_on, shown, sit_down, table_of, until, waits


def test_a_whole_race_is_played_by_keys() -> None:
    table = table_of()
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        view = table.view(0)
        play = max(view.plays, key=lambda play: (play.card, str(play.to)))
        same = [other for other in view.plays if other.card == play.card]
        await pilot.press(str(play.card), LETTERS[same.index(play)])
        assert at(app).hand.chosen == play
        await pilot.press("enter")
        await until(pilot, lambda: asks(app))
        assert table.race.history[0 if view.chariot == 0 else view.turn or 0].move == play
        assert "Livia plays" in shown(app)
        await race_on(pilot)
        text = shown(app)
        assert "wins. Ave" in text
        assert all(name in text for name in table.race.names)
        assert len(list(data_folder().glob("*.table.json"))) == 1
        await pilot.press("s", "enter")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, Start))
        assert list(data_folder().glob("*.table.json")) == []

    sit_down(app, act)
    record, races = verified("white-clockwise.race.json")
    assert races[0].history == table.race.history
    assert [chariot.driver for chariot in record.races[0].chariots].count("human") == 1


def test_a_card_that_is_chosen_stays_as_it_is_when_its_number_is_pressed() -> None:
    app = opened(table_of())

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        hand = at(app).hand
        assert isinstance(hand.question, Offers)
        for group in hand.question.groups:
            await pilot.press(str(group.card))
            chosen = hand.chosen
            assert chosen in group.moves
            await pilot.press(str(group.card))
            assert hand.chosen == chosen

    sit_down(app, act)


def test_the_house_rules_and_what_to_type_next_are_told() -> None:
    app = opened(table_of(options={"crash": "yes"}))

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        assert "Ravensburger with house rules" in shown(app)
        assert any("House rules: a leader with only sixes crashes." in line for _, line, _ in at(app).log_of_race.lines)
        await pilot.press("enter")
        await until(pilot, lambda: at(app).saved)
        assert at(app).farewell.endswith("play --resume")

    sit_down(app, act)


def test_wide_letters_do_not_break_the_table() -> None:
    table = Table(Setup(seats_for([HUMAN, "greedy"], ["漢字太郎太郎太郎", "Livia"]), seed=7))
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        heading, *rows = str(at(app).drivers.render()).splitlines()[:3]
        assert {cell_len(row) for row in rows} == {cell_len(heading)}

    sit_down(app, act, (80, 24))


def test_a_hot_seat_tournament_is_played_to_the_end() -> None:
    table = table_of(2, 1, tournament=True, options={"races": "2"})
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await race_on(pilot)
        text = shown(app)
        assert "Standings" in text
        assert "Next: blue clockwise. Grid: I " in text
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert table.number == 1
        await race_on(pilot)
        text = shown(app)
        assert "the laurel crown!" in text
        assert all(f"{standing.rank}." in text and standing.name in text for standing in table.standings)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, Start))

    sit_down(app, act)
    assert table.over


def test_the_curtain_hides_every_hand() -> None:
    table = table_of(2, 1)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        curtains = 0
        while curtains < 4:
            await until(pilot, lambda: waits(app))
            seat = table.seat_on_turn
            assert seat is not None
            name = table.setup.seats[seat].name
            if at(app).curtained:
                await pilot.press("r")
                assert "can be played" not in shown(app)
                curtains += 1
                text = shown(app)
                assert f"{name.upper()}, IT IS YOUR TURN" in text
                assert "hand" not in text
                assert "cannot be played" not in text
                drawn = str(at(app).hand.render())
                assert not re.search("[0-9]", drawn), "no card of anybody's is to be seen"
                assert at(app).hand.question is None
                assert at(app).hand.views == ()
                assert at(app).board.targets == {}
            else:
                assert f"{name}, your turn" in shown(app)
            await pilot.press("enter")

    sit_down(app, act)


def test_one_person_sees_no_curtain_and_keeps_the_hand_while_others_drive() -> None:
    table = table_of(1, 3)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        for _ in range(3):
            await until(pilot, lambda: waits(app))
            assert asks(app)
            await pilot.press("enter")
        assert re.search("Livia's hand|Your turn", shown(app))

    sit_down(app, act)


def test_what_is_left_is_resumed_where_it_was() -> None:
    table = table_of(1, 3)
    app = opened(table)
    told: list[Any] = []

    async def act(pilot: Pilot[Any]) -> None:
        for _ in range(3):
            await until(pilot, lambda: asks(app))
            await pilot.press("enter")
        await until(pilot, lambda: asks(app))
        assert saves.load(at(app).path).race.history == table.race.history, "saved after every move"
        told.extend(at(app).log_of_race.lines)
        await pilot.press("q")

    sit_down(app, act)
    assert "avecaesar play --resume" in str(app.return_value)
    again = TableApp(speed="off")

    async def go_on(pilot: Pilot[Any]) -> None:
        assert "Resume" in shown(again)
        assert f"white, turn {len(table.race.history) + 1} · today" in shown(again)
        await pilot.press("enter")
        await until(pilot, lambda: asks(again))
        assert at(again).table.race.history == table.race.history
        assert at(again).table.view(0).hand == table.view(0).hand
        turns = len(table.race.history)
        assert at(again).log_of_race.lines[-turns:] == told[-turns:], "the log tells what happened before"

    sit_down(again, go_on)


def test_a_refusal_is_shown_with_its_reason_and_its_clause() -> None:
    table = find(
        lambda view: bool(view.plays) and view.refusals.get(6, None) is not None and view.refusals[6].clause == "SIX-1"
    )
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        await pilot.press("6")
        text = shown(app)
        assert "You lead the race" in text
        assert "(SIX-1)" in text
        await pilot.press("enter")
        assert asks(app), "it cannot be played"
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, Clauses))
        assert "SIX-1" in shown(app)
        await pilot.press("enter")
        assert isinstance(app.screen, TableScreen)

    sit_down(app, act)


def test_a_blocked_driver_is_offered_the_exchange_of_each_card() -> None:
    table = find(lambda view: not view.plays and len(view.legal_moves) > 1)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        card = table.view(0).hand[-1]
        await pilot.press(str(card))
        assert at(app).hand.chosen == Miss(card)
        assert "No card of yours can be played" in shown(app)
        assert "put it under the deck" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: waits(app))

    sit_down(app, act)


def test_the_disqualified_may_withdraw() -> None:
    table = find(lambda view: view.me.disqualified and len(view.plays) > 1)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        assert "honour alone" in shown(app)
        await pilot.press("0")
        assert "withdraw from the race" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: waits(app))
        await pilot.pause()
        assert "withdrew" in shown(app)

    sit_down(app, act)


def test_a_list_that_does_not_fit_says_how_many_more_there_are() -> None:
    view = find(lambda view: len(view.plays) > 5 and len(set(view.hand)) == 3).view(0)
    lines = [str(line) for line, _ in Offers(view).lines("Your turn", NIGHT, 30, 8)]
    assert len(lines) == 8
    assert re.fullmatch(" ▼ [1-9] more", lines[-1])


def test_the_way_home_is_chosen_beforehand_and_marked_on_the_line() -> None:
    table = find(lambda view: any(play.to == "home" for play in view.plays) and len(view.plays) > 1)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        chosen, board = at(app).hand.chosen, at(app).board
        assert isinstance(chosen, Play)
        assert chosen.to == "home"
        assert board.home is not None
        column, row = board._finish(board.home[0])
        assert board.canvas.cells[row][column].ink == "line"
        left, top = board._corner
        await pilot.click(board, offset=(left + column, top + row))
        await until(pilot, lambda: waits(app))
        assert table.view(0).me.status == "home"

    sit_down(app, act)


def test_the_coin_is_paid_rather_than_a_point_saved() -> None:
    table = find(lambda view: any(o.pays for o in view.outlooks.values()) and len(view.plays) > 2)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        chosen = at(app).hand.chosen
        assert isinstance(chosen, Play)
        assert table.view(0).outlooks[chosen].pays
        assert "Imperial Alley: pays your coin" in shown(app)

    sit_down(app, act)


def test_the_key_line_can_be_clicked() -> None:
    app = opened(table_of())

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        line = at(app).keys
        await pilot.click(line, offset=(str(line.render()).index("help") + 1, 0))
        await until(pilot, lambda: isinstance(app.screen, Help))

    sit_down(app, act)


def test_the_mouse_chooses_and_plays() -> None:
    table = find(lambda view: len({play.card for play in view.plays}) > 1 and len(view.plays) > 3)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        board, turns = at(app).board, len(table.race.history)
        await pilot.press(str(table.view(0).plays[-1].card))
        space = next(iter(board.targets))
        column, row = board.canvas.spots[space]
        left, top = board._corner
        for _ in range(3):
            if len(table.race.history) == turns:
                await pilot.click(board, offset=(left + column, top + row))
        await until(pilot, lambda: waits(app))
        mine = table.race.history[turns].move
        assert isinstance(mine, Play)
        assert mine.to == space

    sit_down(app, act)


def test_chariots_drive_space_by_space_until_a_key_is_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SPEEDS, "slow", (3600.0, 3600.0))
    table = table_of(1, 3, seed=3)
    assert table.seat_on_turn != 0
    app = TableApp(table, speed="slow")

    async def act(pilot: Pilot[Any]) -> None:
        grid = table.race.course.grid[0]
        await until(pilot, lambda: grid not in at(app).board.chariots)
        first = table.race.history[0].move
        assert isinstance(first, Play)
        assert first.to not in at(app).board.chariots, "it is on its way"
        await pilot.press("x")
        await until(pilot, lambda: asks(app))
        assert first.to in at(app).board.chariots

    sit_down(app, act)


def test_computers_race_among_themselves() -> None:
    table = table_of(0, 3)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: isinstance(app.screen, Result))
        await pilot.pause()
        assert "wins. Ave" in shown(app)

    sit_down(app, act)


def test_arrows_go_through_all_offers() -> None:
    table = table_of(1, 3)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        seen = set()
        offers = table.view(0).legal_moves
        for _ in range(len(offers) + len(set(table.view(0).hand))):
            await pilot.press("down")
            seen.add(at(app).hand.chosen)
        assert seen - {None} == set(offers)

    sit_down(app, act)
