"""The table in the terminal, played by keys as people play it."""

from __future__ import annotations

import asyncio
import html
import json
import random
import re
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from rich.cells import cell_len
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Select

from avecaesar.cli import main
from avecaesar.cli.play import setup_of
from avecaesar.courses import boards, load_course
from avecaesar.courses.drawing.terminal import draw_course
from avecaesar.drivers import DriverError, Greedy, Searcher
from avecaesar.files import data_folder
from avecaesar.game import ChooseDeck, Draw, Lay, Miss, Move, Play, Sort, View, Vote
from avecaesar.records import read_record, verified, write_record
from avecaesar.rules import EDITIONS
from avecaesar.table import HUMAN, SaveError, Setup, Table, seats_for
from avecaesar.telling.wording import AS_PRINTED, what_changes
from avecaesar.tui import saves
from avecaesar.tui.app import TableApp
from avecaesar.tui.dialogs import Clauses, Help, Result
from avecaesar.tui.hint import PLAYOUTS
from avecaesar.tui.new import AS_CHOSEN, NewTable
from avecaesar.tui.offers import LETTERS, Offers
from avecaesar.tui.paint import NIGHT, marks
from avecaesar.tui.piles import Sorting
from avecaesar.tui.replay import ReplayApp, ReplayScreen
from avecaesar.tui.screen import SPEEDS
from avecaesar.tui.start import Start
from avecaesar.tui.table import TableScreen

Act = Callable[[Pilot[Any]], Awaitable[None]]
PATIENCE = 60.0  # seconds until something that does not happen fails a test: many, for a busy machine
COURSES = [course for board in boards() for course in board.courses]


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are saved, and records written, where nobody's own are."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


def sit_down(app: App[Any], act: Act, size: tuple[int, int] = (120, 35)) -> None:
    """Open an application of a size and act on it."""

    async def go() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await act(pilot)

    asyncio.run(go())


def shown(app: App[Any]) -> str:
    """The characters on the screen, line by line."""
    lines: dict[float, str] = {}
    for y, text in re.findall(r'<text[^>]* y="([0-9.]+)"[^>]*>([^<]*)</text>', app.export_screenshot()):
        lines[float(y)] = lines.get(float(y), "") + html.unescape(text).replace("\xa0", " ")
    return "\n".join(lines[y] for y in sorted(lines))


def table_of(people: int = 1, computers: int = 2, **setup: Any) -> Table:
    names = ["Livia", "Marcus", "Titus"][:people]
    return Table(Setup(seats_for([HUMAN] * people + ["greedy"] * computers, names), **{"seed": 7, **setup}))


def opened(table: Table) -> TableApp:
    return TableApp(table, speed="off")


async def until(pilot: Pilot[Any], ready: Callable[[], object]) -> None:
    """Let the application work until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not ready():
            await asyncio.sleep(0)


def at(app: App[Any]) -> TableScreen:
    """The table that is on the screen."""
    assert isinstance(app.screen, TableScreen)
    return app.screen


async def until_shown(pilot: Pilot[Any], ready: Callable[[str], bool]) -> None:
    """Let the application work until its screen is so."""
    for _ in range(50):
        text = shown(pilot.app)
        if ready(text):
            return
        await pilot.pause()
    raise AssertionError(f"it never came to that:\n{text}")


def asks(app: App[Any]) -> bool:
    """Whether a person is asked for a move."""
    return isinstance(app.screen, TableScreen) and app.screen.asking


def waits(app: App[Any]) -> bool:
    """Whether anything waits for a person."""
    return asks(app) or isinstance(app.screen, Result) or (isinstance(app.screen, TableScreen) and app.screen.curtained)


def state(app: App[Any]) -> tuple[int, bool, bool]:
    """What a key changes."""
    return len(at(app).table.race.history), at(app).curtained, at(app).asking


def changed(app: App[Any], before: tuple[int, bool, bool]) -> bool:
    return isinstance(app.screen, Result) or state(app) != before


async def race_on(pilot: Pilot[Any]) -> None:
    """Press Enter until there is a result."""
    app = pilot.app
    while True:
        await until(pilot, lambda: waits(app))
        if isinstance(app.screen, Result):
            await pilot.pause()
            return
        before = state(app)
        app.simulate_key("enter")
        await until(pilot, partial(changed, app, before))


# ---------------------------------------------------------------------- playing


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


def find(ready: Callable[[View], bool], **setup: Any) -> Table:
    """A table at which Livia must decide in a situation of some kind."""
    for seed in range(400):
        table = table_of(1, 3, **{**setup, "seed": seed})
        chance = random.Random(seed)
        while not table.race_over:
            if table.seat_on_turn == 0 and ready(table.view(0)):
                return table
            table.play(chance.choice(list(table.race.legal_moves)))
    raise AssertionError("no such situation")


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


# ---------------------------------------------------------------------- riderless chariots and votes


def test_riderless_chariots_drive_by_themselves() -> None:
    table = table_of(1, 1, edition="thibault")
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        text = shown(app)
        assert "♞Celer" in text
        assert "♞ riderless" in text
        log = [line for _, line, _ in at(app).log_of_race.lines]
        assert "Grid: I Celer (riderless), II Volucer (riderless), III " in " ".join(log)
        assert any(re.match("Celer draws [1-6]", line) for line in log)
        await race_on(pilot)
        assert re.search("[1-4](st|nd|rd|th) .*(Celer|Volucer) +riderless", shown(app))

    sit_down(app, act)


def test_a_six_that_is_barred_lies_open_before_a_riderless_chariot() -> None:
    options = {"riderless": "extra", "riderless_count": "2"}
    table = find(lambda view: any(chariot.open_card == 6 for chariot in view.chariots), options=options)
    name = next(chariot.name for chariot in table.view(0).chariots if chariot.open_card == 6)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        assert any(f"{name} waits with an open 6" in line for _, line, _ in at(app).log_of_race.lines)
        assert re.search(f"♞{name}.* 6 [0-9]+ ", str(at(app).drivers.render())), "beside its deck"

    sit_down(app, act)


def asked(app: App[Any]) -> str:
    """What stands where the hand is, in one line."""
    return " ".join(re.sub("[▌▶]", " ", str(at(app).hand.render())).split())


def votes_on(view: View) -> bool:
    return view.asks == "vote" and len(view.legal_moves) > 3


def test_a_vote_is_cast_by_letter_and_told_with_what_it_decides() -> None:
    table = find(votes_on, edition="thibault", course="red", options={"riderless_moves": "vote"})
    view = table.view(0)
    assert view.voted_on is not None
    name, card, turns = view.chariots[view.voted_on].name, view.chariots[view.voted_on].open_card, len(view.history)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        screen = at(app)
        assert f"Your vote: where does {name} go with its" in asked(app)
        assert set(screen.board.targets.values()) >= {"a", "b"}
        await pilot.press("0")
        assert screen.hand.chosen == Vote(None)
        await pilot.press("1" if card != 1 else "2")
        assert screen.hand.chosen == Vote(None), "it has one card"
        await pilot.press("b")
        chosen = screen.hand.chosen
        assert isinstance(chosen, Vote)
        assert chosen.play is not None
        await pilot.press("enter")
        await until(pilot, lambda: len(table.race.history) > turns + 4 or asks(app))
        assert table.race.history[turns].move == chosen
        how = f"{name} (draws|uses its open) [1-6], (all agreed|by vote [1-4](:[0-2])+)"
        assert any(re.match(how, line) for _, line, _ in screen.log_of_race.lines)
        assert not any(line.startswith("Livia votes") for _, line, _ in screen.log_of_race.lines)

    sit_down(app, act)


def test_votes_so_far_stand_beside_the_spaces_and_survive_leaving() -> None:
    def later(view: View) -> bool:
        return votes_on(view) and isinstance(view.history[-1].move, Vote) and view.history[-1].move.play is not None

    table = find(later, edition="thibault", course="red", options={"riderless_moves": "vote"})
    voter = table.race.history[-1].chariot
    path = saves.new_path()
    saves.save(table, path)
    app = TableApp(saves.load(path), path, speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        assert at(app).table.race.history == table.race.history
        mark = at(app).marks[voter].letter
        assert re.search(rf"[\[‹][a-e][\]›].* {mark}\b", str(at(app).hand.render()))

    sit_down(app, act)


# ---------------------------------------------------------------------- teams


def test_there_is_no_curtain_between_a_player_s_own_chariots() -> None:
    def alone(table: Table) -> bool:
        """Livia's first chariot is to move, and the one between hers races no more."""
        status = [chariot.status for chariot in table.view().chariots]
        return table.rigs[0].name == "Livia I" and table.race.turn == 0 and status[:3] == ["racing", "home", "racing"]

    tables = (table_of(2, 0, options={"chariots_each": "2"}, seed=seed) for seed in range(100))
    table = next(table for table in tables if drive_until(table, alone))
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: waits(app))
        assert at(app).curtained
        await pilot.press("enter")
        await until(pilot, lambda: asks(app))
        assert "Livia, your turn (Livia I)" in asked(app)
        await pilot.press("enter")
        await until(pilot, lambda: waits(app))
        assert "Livia, your turn (Livia II)" in asked(app)

    sit_down(app, act)


def drive_until(table: Table, ready: Callable[[Table], bool]) -> bool:
    """Let a sensible driver decide for everybody, until something is so."""
    while not table.race_over:
        if ready(table):
            return True
        seat = table.seat_on_turn
        table.play(table.computers_move() if seat is None else Greedy().choose(table.view(seat)))
    return False


def test_a_team_race_is_played_to_the_end_and_laurels_add_up() -> None:
    table = table_of(1, 1, options={"chariots_each": "2", "riderless": "extra", "riderless_count": "1"})
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        turn = table.race.turn
        assert turn is not None
        mine = {rig.name for rig in table.rigs if rig.seat == 0}
        other = (mine - {table.rigs[turn].name}).pop()
        text = shown(app)
        assert f"Your turn: {table.rigs[turn].name}" in text
        assert f"{other} holds" in asked(app)
        assert len({mark.letter for mark in at(app).marks} - set("IVX")) == 5
        assert any(
            "You are Livia, and drive the red chariot and the" in line for _, line, _ in at(app).log_of_race.lines
        )
        await race_on(pilot)
        text = shown(app)
        assert "By player" in text
        best = next(standing for standing in table.standings if standing.rank == 1)
        assert f"{best.name} wins with {best.laurels} laurels" in text
        assert ("That is you!" in text) == (best.player == 0)
        for standing in table.standings:
            assert re.search(rf"{standing.rank}\. .* {standing.name} .*{standing.laurels} laurels", text)

    sit_down(app, act)
    assert sum(standing.laurels for standing in table.standings) == sum(table.race.laurels)


# ---------------------------------------------------------------------- Ausgebremst


@pytest.mark.parametrize("course", ["white", "yellow"])
def test_a_whole_ausgebremst_race_is_played_by_keys(course: str) -> None:
    table = table_of(1, 3, edition="ausgebremst", course=course)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        assert "Choose your deck" in shown(app)
        await pilot.press("1", "3")
        assert at(app).hand.chosen == ChooseDeck("fast")
        assert "3 fast 18 cards" in asked(app)
        await pilot.press("enter")
        await until(pilot, lambda: asks(app) and table.race.asks == "sort")
        log = " ".join(line for _, line, _ in at(app).log_of_race.lines)
        assert "The decks are revealed together: " in log
        assert "Livia fast" in log
        await pilot.press("right", "down", "down", "enter")
        await until(pilot, lambda: asks(app) and table.race.asks == "draw")
        await pilot.press("3")
        assert at(app).hand.chosen == Draw(2)
        await pilot.press("enter")
        await race_on(pilot)
        assert "wins. Ave" in shown(app)

    sit_down(app, act)
    mine = [turn.move for turn in table.race.history if table.rigs[turn.chariot].seat == 0]
    choice = table.race.choices[table.chariot_of(0)]
    assert choice is not None
    assert (choice.deck, choice.emperor) == ("fast", (3,) if course == "white" else (4, 3))
    assert sum(isinstance(move, Lay) for move in mine) == (course == "yellow"), "the emperor's cards were claimed"
    assert not table.view(0).me.coin


def sorting(app: App[Any]) -> Sorting:
    question = at(app).hand.question
    assert isinstance(question, Sorting)
    return question


def sizes(app: App[Any]) -> list[int]:
    return [sum(pile) for pile in sorting(app).counts]


def at_sorting(**setup: Any) -> Table:
    return find(lambda view: view.asks == "sort" and view.me.deck in ("slow", None), edition="ausgebremst", **setup)


def test_cards_are_moved_from_pile_to_pile_and_a_value_is_split() -> None:
    table = at_sorting()
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        question = sorting(app)
        assert question.suggested == Greedy().choose(table.view(0)).piles  # type: ignore[union-attr]
        assert question.chosen == Sort(question.suggested)
        assert sizes(app) == [8, 7, 8]
        await pilot.press("2")
        assert sizes(app) == [7, 8, 8], "one of the ones"
        assert "The 1s: 3 on pile I, 1 on pile II. Pile II holds more than two values" in asked(app)
        assert "(AUS-3)" in asked(app)
        assert "screen.play" in at(app).keys.idle
        await pilot.press("enter")
        assert asks(app), "it is no sorting"
        assert not app.screen.query("Toast"), "the reason stands there already"
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, Clauses))
        await pilot.press("enter", "up")
        assert sizes(app) == [8, 7, 8], "gathered again"
        await pilot.press("right", "down", "down", "down")
        assert sizes(app) == [4, 7, 12]
        await pilot.press("0")
        assert question.chosen == Sort(question.suggested)
        await pilot.press("left", "left", "1", "1")
        assert question.value == 6
        assert [pile[5] for pile in question.counts] == [2, 0, 2]
        await pilot.press("left", "left", "left", "left", "3")
        assert question.value == 2
        await pilot.press("down", "right", "right", "right", "right", "1", "1")
        first, second, third = (tuple(pile) for pile in question.counts)
        assert (first, third) == ((4, 0, 0, 0, 0, 4), (0, 4, 0, 0, 4, 0))
        assert sum(second) == 7
        assert question.chosen is not None
        await pilot.press("left", "1")
        assert question.chosen is None
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: table.race.asks != "sort" or not asks(app))

    sit_down(app, act)
    sort = next(turn.move for turn in table.race.history if isinstance(turn.move, Sort))
    assert sort.piles is not None
    assert (sort.piles[0], sort.piles[2]) == ((1, 1, 1, 1, 6, 6, 6, 6), (2, 2, 2, 2, 5, 5, 5, 5))


def test_the_mouse_sorts_and_draws() -> None:
    table = at_sorting()
    app = opened(table)

    async def click(pilot: Pilot[Any], line: str, column: int) -> None:
        rows = str(at(app).hand.render()).splitlines()
        row = next(i for i, words in enumerate(rows) if words.strip("▶ ").startswith(line))
        await pilot.click(at(app).hand, offset=(column, row))
        await pilot.pause()

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        await click(pilot, "3 III ", 11 + 5)
        assert sorting(app).value == 6
        await click(pilot, "1 I ", 30)
        assert [pile[5] for pile in sorting(app).counts] == [4, 0, 0]
        await click(pilot, "3 III ", 5)
        assert sizes(app) == [8, 7, 8]
        await pilot.press("enter")
        await until(pilot, lambda: asks(app) and table.race.asks == "draw")
        await click(pilot, "2 II ", 3)
        assert at(app).hand.chosen == Draw(1)
        await click(pilot, "2 II ", 3)
        await until(pilot, lambda: waits(app) and len(table.view(0).hand) == 1)

    sit_down(app, act)


def mid_race(view: View) -> bool:
    return view.asks == "draw" and len(view.history) > 60 and any(size > 0 for size in view.me.piles)


def test_piles_are_shown_with_chances_and_an_empty_one_is_refused() -> None:
    table = find(lambda view: mid_race(view) and 0 in view.me.piles and sum(view.me.piles) > 4, edition="ausgebremst")
    view = table.view(0)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        await pilot.press(str(1 + max(range(3), key=lambda pile: view.me.piles[pile])))
        for counts in view.piles:
            chances = " ".join(f"{100 * count / sum(counts):.0f}%" for count in counts if count)
            assert chances in asked(app)
        await pilot.press(str(1 + view.me.piles.index(0)))
        assert "That pile is empty. (AUS-3)" in asked(app)
        assert at(app).hand.chosen is None
        await pilot.press("enter")
        assert asks(app)

    sit_down(app, act)


def test_without_a_memory_aid_nobody_is_shown_what_lies_in_his_piles() -> None:
    table = find(mid_race, edition="ausgebremst", memory_aid=False)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        assert "you must remember" in asked(app)
        assert "%" not in asked(app)
        piles = [line for line in str(at(app).hand.render()).splitlines() if re.match("[▶ ][123] I", line)]
        sizes = [str(size) for size in table.view(0).me.piles]
        assert [re.findall("[0-9]+", line.replace("top: 3", ""))[1:] for line in piles] == [[size] for size in sizes]

    sit_down(app, act)


def test_the_emperors_three_may_be_laid_on_an_empty_pile() -> None:
    table = find(lambda view: view.asks == "lay" and 0 in view.me.piles, edition="ausgebremst", course="red")
    pile, turns = table.view(0).me.piles.index(0), len(table.race.history)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        assert "Lay the emperor's 3" in asked(app)
        await pilot.press(str(pile + 1), "enter")
        await until(pilot, lambda: waits(app))
        assert table.race.history[turns].move == Lay(pile)
        lines = [line for _, line, _ in at(app).log_of_race.lines]
        assert any("takes the emperor’s 4: Ave Caesar! Lays the emperor’s 3 on pile" in line for line in lines)

    sit_down(app, act)


def test_an_optional_stop_says_what_it_brings() -> None:
    table = find(
        lambda view: bool(view.me.emperor) and any(o.pays for o in view.outlooks.values()), edition="ausgebremst"
    )
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        assert "alley: emperor’s 3 into your hand" in asked(app)

    sit_down(app, act)


def test_the_curtain_hides_decks_and_piles() -> None:
    table = table_of(2, 1, edition="ausgebremst")
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        asked: list[str] = []
        while len(asked) < 8:
            await until(pilot, lambda: waits(app))
            if at(app).curtained:
                await pilot.pause()
                assert not re.search("[0-9]", str(at(app).hand.render()))
                assert (at(app).hand.question, at(app).hand.views) == (None, ())
                if table.race.asks == "deck":
                    assert "CHOOSE YOUR DECK" in shown(app)
                    assert not re.search("slow|average|fast", shown(app)), "nobody has revealed his deck"
            else:
                asked.append(str(table.race.asks))
                question = at(app).hand.question
                seat = table.seat_on_turn
                assert question is not None
                assert question.view == table.view(seat)
            if table.race.asks == "deck" and at(app).asking:
                await pilot.press("3")
            before = state(app)
            await pilot.press("enter")
            await until(pilot, partial(changed, app, before))
            told = [line for _, line, _ in at(app).log_of_race.lines]
            assert not any(re.search("[0-9]", line) for line in told if "has chosen" in line or "has sorted" in line)
        assert asked[:4] == ["deck", "deck", "sort", "sort"]
        assert set(asked[4:]) <= {"draw", "turn"}

    sit_down(app, act)


THEIRS = """
from avecaesar.drivers import Scorpus

open({ran!r}, "w").close()


class Theirs(Scorpus):
    pass
"""


def saved_with_code(folder: Path) -> Path:
    """A saved table that names a Python file, as if it were markup; what that file leaves behind when it runs."""
    ran, code = folder / "ran", folder / "[" / "b]theirs.py"
    code.parent.mkdir()
    code.write_text(THEIRS.format(ran=str(ran)))
    table = Table(Setup(seats_for([HUMAN, "scorpus"]), seed=1))
    path = saves.new_path()
    saves.save(table, path)
    path.write_bytes(path.read_bytes().replace(b'"scorpus"', json.dumps(f"{code}:Theirs").encode()))
    return ran


def test_to_look_at_saved_tables_runs_nobodys_file_and_to_resume_one_only_if_he_is_trusted(tmp_path: Path) -> None:
    ran = saved_with_code(tmp_path)
    assert [saved.problem for saved in saves.saved_tables()] == [""]
    app = TableApp()

    async def act(pilot: Pilot[Any]) -> None:
        await until_shown(pilot, lambda text: "Resume" in text)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, Start)
        assert app.screen.trusted is not None
        (question,) = app._notifications
        assert "[/b]theirs.py" in question.message
        assert not question.markup
        assert not ran.exists()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)

    sit_down(app, act)
    assert ran.exists()


def test_to_resume_a_table_with_code_from_the_command_line_needs_a_yes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = saved_with_code(tmp_path)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    asked: list[str] = []

    def say_no(question: str) -> str:
        asked.append(question)
        return "no"

    monkeypatch.setattr("builtins.input", say_no)
    assert main(["play", "--resume"]) == 2
    assert "theirs.py:Theirs" in asked[0]
    assert "its drivers were not let in" in capsys.readouterr().err
    assert not ran.exists()


def test_what_is_left_in_the_middle_of_sorting_is_resumed_there() -> None:
    table = table_of(2, 1, edition="ausgebremst")
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        while table.race.asks != "sort" or not any(isinstance(turn.move, Sort) for turn in table.race.history):
            await until(pilot, lambda: waits(app))
            before = state(app)
            await pilot.press("enter")
            await until(pilot, partial(changed, app, before))
        await until(pilot, lambda: waits(app))
        await pilot.press("q")

    sit_down(app, act)
    again = TableApp(speed="off")

    async def go_on(pilot: Pilot[Any]) -> None:
        await pilot.press("enter")
        await until(pilot, lambda: waits(again))
        taken_up = at(again).table
        assert taken_up.race.history == table.race.history
        assert [taken_up.view(seat) for seat in (0, 1)] == [table.view(seat) for seat in (0, 1)]
        assert sum("has sorted" in line for _, line, _ in at(again).log_of_race.lines) > 0
        await race_on(pilot)

    sit_down(again, go_on)


# ---------------------------------------------------------------------- sizes


@pytest.mark.parametrize("size", [(80, 24), (76, 22), (80, 50), (120, 35), (200, 60)])
@pytest.mark.parametrize("course", ["white", "red"])
def test_the_table_fits_its_terminal(course: str, size: tuple[int, int]) -> None:
    table = table_of(1, 5, course=course)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        text = shown(app)
        assert all(len(line) <= size[0] for line in text.splitlines())
        assert all(seat.name in text for seat in table.setup.seats)
        assert all(name in text for name in ("Your turn: play one card", "▒", "◆", "○", "leave"))
        if course == "white" or size[0] >= 120:
            assert all(name in text for name in ("wall", "◆ room for one", "○ Imperial Alley", "▒ line"))
        screen = at(app)
        assert len(set(screen.board.canvas.spots)) == len(table.race.course.spaces)
        for mark in screen.marks:
            assert mark.letter in text
        for widget in (screen.board, screen.drivers, screen.hand, screen.log_of_race):
            region = widget.region
            assert region.area > 0
            assert region.right <= size[0]
            assert region.bottom <= size[1]

    sit_down(app, act, size)


def test_a_terminal_that_is_too_small_is_told_so() -> None:
    app = opened(table_of())

    async def act(pilot: Pilot[Any]) -> None:
        assert "make it larger" in shown(app)
        await pilot.resize_terminal(120, 35)
        await pilot.pause()
        assert "make it larger" not in shown(app)

    sit_down(app, act, (60, 18))


QUESTIONS: list[tuple[Callable[[View], bool], dict[str, Any]]] = [
    (lambda view: view.asks == "deck", {"edition": "ausgebremst"}),
    (lambda view: view.asks == "sort", {"edition": "ausgebremst"}),
    (mid_race, {"edition": "ausgebremst"}),
    (lambda view: view.asks == "lay", {"edition": "ausgebremst"}),
    (votes_on, {"edition": "thibault", "options": {"riderless_moves": "vote"}}),
]


@pytest.mark.parametrize("size", [(76, 22), (80, 24), (80, 50), (100, 30), (140, 45)])
@pytest.mark.parametrize(("ready", "setup"), QUESTIONS, ids=["deck", "sort", "draw", "lay", "vote"])
def test_every_question_fits_its_terminal(
    ready: Callable[[View], bool], setup: dict[str, Any], size: tuple[int, int]
) -> None:
    table = find(ready, course="red", **setup)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        await pilot.pause()
        screen = at(app)
        for widget in (screen.hand, screen.drivers):
            lines = str(widget.render()).splitlines()
            assert len(lines) <= widget.size.height
            assert max(map(cell_len, lines)) <= widget.size.width
        assert cell_len(str(screen.keys.render())) <= size[0] - 2
        heading, *rows = str(screen.drivers.render()).splitlines()[:-1]
        racing = [row for row, told in zip(rows, table.view(0).chariots, strict=True) if told.status == "racing"]
        assert {cell_len(row) for row in racing} == {cell_len(heading)}

    sit_down(app, act, size)


@pytest.mark.parametrize("size", [(76, 22), (120, 35)])
@pytest.mark.parametrize(
    ("ready", "setup"),
    [(lambda view: len(view.plays) > 3, {}), *QUESTIONS],
    ids=["turn", "deck", "sort", "draw", "lay", "vote"],
)
def test_a_hint_is_given_when_it_is_asked_for(
    ready: Callable[[View], bool], setup: dict[str, Any], size: tuple[int, int]
) -> None:
    table = find(ready, course="red", **setup)
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        hand = at(app).hand
        assert hand.hint is None
        assert "h hint" in str(at(app).keys.render())
        await pilot.press("h")
        await until(pilot, lambda: hand.hint)
        best = Searcher(playouts=PLAYOUTS).consider(table.view(0))[:3]
        assert hand.hint == best, "by what the seat sees, and nothing else"
        assert hand.chosen == best[0].move
        lines = str(hand.render()).splitlines()
        told = lines[-len(best) :]
        assert [line.split()[0] for line in told] == [f"{considered.laurels:.1f}" for considered in best]
        assert lines[-len(best) - 1] == "Sibylla expects, in laurels:"
        assert len(lines) <= hand.size.height
        assert max(map(cell_len, lines)) <= hand.size.width
        assert cell_len(str(at(app).keys.render())) <= size[0] - 2
        await pilot.press("h")
        assert hand.hint is None, "it is put away"
        await pilot.press("h")
        await until(pilot, lambda: hand.hint)
        turns = len(table.race.history)
        await pilot.press("enter")
        await until(pilot, lambda: waits(app) and len(table.race.history) > turns)
        assert table.race.history[turns].move == best[0].move
        assert at(app).hand.hint is None, "the next question has none"

    sit_down(app, act, size)


def test_nobody_sees_a_hint_through_the_curtain() -> None:
    app = opened(table_of(2, 1))

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: waits(app))
        assert at(app).curtained
        await pilot.press("h")
        assert at(app).hand.hint is None
        await pilot.press("enter")
        await until(pilot, lambda: asks(app))
        await pilot.press("h")
        await until(pilot, lambda: at(app).hand.hint)
        await pilot.press("enter")
        await until(pilot, lambda: at(app).curtained)
        assert "laurels" not in str(at(app).hand.render())

    sit_down(app, act)


class Slow:
    """A driver who thinks until he is told to play."""

    def __init__(self) -> None:
        self.asked, self.told, self.played = Event(), Event(), False

    def choose(self, view: View) -> Move:
        self.asked.set()
        self.told.wait(60)
        self.played = True
        return view.legal_moves[0]


def at_slow() -> tuple[Table, Slow]:
    """A table at which the first to move thinks long."""
    table, slow = table_of(1, 1, seed=4), Slow()
    assert table.seat_on_turn == 1
    table._drivers = (None, slow)
    return table, slow


@pytest.mark.parametrize("key", ["q", "ctrl+c", "ctrl+q"])
def test_who_leaves_does_not_wait_for_a_driver_who_thinks(key: str) -> None:
    table, slow = at_slow()
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, slow.asked.is_set)
        await until_shown(pilot, lambda text: "Aulus thinks …" in text and "Aulus is thinking." in text)
        await pilot.press("question_mark")
        assert isinstance(app.screen, Help)
        await pilot.press("escape", "t", "h", "x")
        assert app.theme == "day", "keys do what they do"
        await pilot.press(key)

    sit_down(app, act)
    assert not slow.played
    slow.told.set()
    assert table.race.history == ()
    assert "nothing to resume" in str(app.return_value)


def test_a_driver_who_thinks_plays_in_the_end_and_can_be_left_and_resumed() -> None:
    table, slow = at_slow()
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, slow.asked.is_set)
        slow.told.set()
        await until(pilot, lambda: asks(app))
        assert len(table.race.history) == 1
        slow.asked.clear()
        slow.told.clear()
        await pilot.press("enter")
        await until(pilot, slow.asked.is_set)
        await pilot.press("q")

    sit_down(app, act)
    slow.told.set()
    (path,) = data_folder().glob("*.table.json")
    assert saves.load(path).race.history == table.race.history
    assert len(table.race.history) == 2


def test_a_driver_of_somebodys_own_that_fails_ends_the_game_in_a_sentence() -> None:
    class Broken:
        def choose(self, view: View) -> Move:
            return Miss(6)

    table, _ = at_slow()
    table._drivers = (None, Broken())
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: app.failure)

    sit_down(app, act)
    assert isinstance(app.failure, DriverError)
    assert str(app.failure).startswith("driver 'greedy' failed in decision 1: IllegalMove: ")


@pytest.mark.parametrize("size", [(80, 24), (100, 30)])
@pytest.mark.parametrize(
    ("drivers", "setup"),
    [
        (["bibulus", "sibylla"], {"edition": "ausgebremst", "course": "red"}),
        (["scorpus", "festina"], {"edition": "thibault", "course": "red"}),
        (["bibulus", "scorpus"], {"options": {"chariots_each": "2"}}),
        (["greedy"], {"options": {"chariots_each": "3"}}),
    ],
    ids=["piles", "riderless", "teams of two", "teams of three"],
)
def test_usual_names_are_never_cut(drivers: list[str], setup: dict[str, Any], size: tuple[int, int]) -> None:
    table = Table(Setup(seats_for([HUMAN, *drivers]), seed=7, **setup))
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: asks(app))
        drawn = str(at(app).drivers.render())
        assert all(rig.name in drawn for rig in table.rigs)

    sit_down(app, act, size)


@pytest.mark.parametrize("course", COURSES)
@pytest.mark.parametrize("size", [(20, 8), (46, 16), (50, 20), (76, 27), (138, 46)])
def test_every_space_has_a_character_of_its_own(course: str, size: tuple[int, int]) -> None:
    for direction in ("clockwise", "anticlockwise"):
        canvas = draw_course(load_course(course, direction), *size)
        assert canvas.columns <= size[0]
        assert canvas.rows <= size[1]
        assert len(set(canvas.spots)) == len(canvas.spots) == len(load_course(course).spaces)
        assert all(0 <= column < canvas.columns and 0 <= row < canvas.rows for column, row in canvas.spots)


def test_chariots_are_told_apart_without_colour() -> None:
    assert len(set(marks(["Livia", "Lucius", "Lia", "L", "1", "Ää"]))) == 6


# ---------------------------------------------------------------------- laying a table


def test_the_start_screen_races_at_once() -> None:
    app = TableApp(speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        assert "Festina (beginner), Bibulus (beginner), Scorpus (solid)" in shown(app)
        await pilot.press("question_mark")
        assert isinstance(app.screen, Help)
        await pilot.press("escape", "enter")
        await until(pilot, lambda: asks(app))
        setup = at(app).table.setup
        assert [seat.driver for seat in setup.seats] == [HUMAN, "festina", "bibulus", "scorpus"]
        assert [seat.name for seat in setup.seats] == ["Aulus", "Festina", "Bibulus", "Scorpus"]
        assert (setup.edition, setup.course) == ("ravensburger", "white")

    sit_down(app, act)


def fill(form: NewTable, field: str, value: str) -> None:
    widget: Any = form.query_one(f"#{field}")
    widget.value = value


def test_a_new_table_says_what_is_wrong_and_begins_when_it_is_right() -> None:
    app = TableApp(speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        await pilot.press("n")
        form = app.screen
        assert isinstance(form, NewTable)
        fill(form, "name-1", "Aulus")
        await pilot.press("ctrl+g")
        assert "the same name" in shown(app)
        fill(form, "name-1", "Livia")
        fill(form, "edition", "riassunto")
        fill(form, "game", "tournament")
        fill(form, "driver-3", "nobody")
        fill(form, "option-crash", "yes")
        await pilot.pause()
        assert "the first one home ends the race" in " ".join(shown(app).split())
        await pilot.press("ctrl+g")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        setup = at(app).table.setup
        assert (setup.edition, setup.tournament, setup.options) == ("riassunto", True, {"crash": "yes"})
        assert [seat.name for seat in setup.seats] == ["Aulus", "Livia", "Bibulus"]

    sit_down(app, act, (120, 40))


def seated(form: NewTable) -> list[tuple[str, str]]:
    return [(seat.name, seat.driver) for seat in form.setup().seats]


def test_drivers_bring_their_names_unless_another_is_typed() -> None:
    app = TableApp(speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        await pilot.press("n")
        form = app.screen
        assert isinstance(form, NewTable)
        drivers = form.query_one("#driver-1", Select)
        told = [str(words) for words, _ in drivers._options]
        assert told[1:5] == ["Bibulus, beginner", "Festina, beginner", "Scorpus, solid", "Sibylla, hard to beat"]
        assert told[5:] == ["Sibylla, with more time", "Greedy, for experiments", "Random, for experiments", "nobody"]
        drivers.focus()
        await until_shown(pilot, lambda text: "Always in a hurry: her highest card" in text)
        fill(form, "driver-1", "sibylla@2s")
        await until_shown(pilot, lambda text: "Has seen a thousand ways" in text and "as chosen below" in text)
        assert seated(form)[1:] == [("Sibylla", "sibylla@2s"), ("Bibulus", "bibulus"), ("Scorpus", "scorpus")]
        fill(form, "name-2", "Cato")
        fill(form, "driver-2", "scorpus")
        await pilot.pause()
        assert seated(form)[2:] == [("Cato", "scorpus"), ("Scorpus", "scorpus")], "what is typed stays"
        fill(form, "name-2", "")
        fill(form, "driver-2", "scorpus")
        fill(form, "driver-3", HUMAN)
        await pilot.pause()
        assert seated(form)[2:] == [("Scorpus", "scorpus"), ("Brutus", HUMAN)]

    sit_down(app, act, (120, 40))


def test_all_the_computer_s_drivers_are_chosen_at_once() -> None:
    app = TableApp(speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        await pilot.press("n")
        form = app.screen
        assert isinstance(form, NewTable)
        fill(form, "driver-2", HUMAN)
        fill(form, "driver-4", "random")
        await pilot.pause()
        assert form.query_one("#computers", Select).value == AS_CHOSEN
        fill(form, "computers", "beginner")
        await pilot.pause()
        assert [driver for _, driver in seated(form)] == [HUMAN, "bibulus", HUMAN, "festina", "bibulus"]
        fill(form, "computers", "solid")
        await pilot.pause()
        assert seated(form)[1:] == [
            ("Scorpus", "scorpus"),
            ("Brutus", HUMAN),
            ("Cato", "scorpus"),
            ("Drusus", "scorpus"),
        ]
        fill(form, "driver-1", "festina")
        fill(form, "driver-3", "bibulus")
        await pilot.pause()
        assert form.query_one("#computers", Select).value == "mixed"
        await pilot.press("ctrl+g")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        log = " ".join(line for _, line, _ in at(app).log_of_race.lines)
        assert "Festina, beginner, always in a hurry" in log
        assert "Scorpus, solid, two thousand races old" in log

    sit_down(app, act, (120, 40))


@pytest.mark.parametrize(
    ("fields", "edition", "told", "riderless", "memory_aid"),
    [
        (
            {"edition": "thibault", "driver-3": "nobody"},
            "thibault",
            "4 chariots on white, 1 of them riderless.",
            1,
            True,
        ),
        (
            {"edition": "thibault", "course": "red", "option-riderless_moves": "vote"},
            "thibault",
            "6 chariots on red, 2 of them riderless.",
            2,
            True,
        ),
        ({"riderless": "2"}, "ravensburger", "6 chariots on white, 2 of them riderless.", 2, True),
        (
            {"driver-2": "nobody", "driver-3": "nobody", "option-chariots_each": "2"},
            "ravensburger",
            "4 chariots on white, none of them riderless.",
            0,
            True,
        ),
        (
            {"edition": "ausgebremst", "course": "yellow", "memory_aid": "no"},
            "ausgebremst",
            "6 chariots on yellow, 2 of them riderless.",
            2,
            False,
        ),
    ],
    ids=["fill", "vote", "extra", "teams", "ausgebremst"],
)
def test_the_form_lays_a_table_of_every_kind(
    fields: dict[str, str], edition: str, told: str, riderless: int, memory_aid: bool
) -> None:
    app = TableApp(speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        await pilot.press("n")
        form = app.screen
        assert isinstance(form, NewTable)
        for field, value in fields.items():
            fill(form, field, value)
            await pilot.pause()
        assert told in shown(app)
        await pilot.press("ctrl+g")
        await until(pilot, lambda: asks(app))
        table = at(app).table
        assert table.setup.edition == edition
        assert sum(rig.seat is None for rig in table.rigs) == riderless
        assert table.race.rules.riderless_moves == fields.get("option-riderless_moves", "rule")
        assert table.race.rules.chariots_each == int(fields.get("option-chariots_each", 1))
        assert table.race.memory_aid == memory_aid
        await pilot.press("enter")
        await until(pilot, lambda: waits(app))

    sit_down(app, act, (120, 40))


def offered(form: NewTable, name: str) -> set[str]:
    """What the form offers for an option, but for what the edition has; nothing if it does not show it."""
    widget = form.query_one(f"#option-{name}", Select)
    assert widget.parent is not None
    values = {str(value) for _, value in widget._options} - {AS_PRINTED}
    return values if widget.parent.display else set()


def test_house_rules_that_are_offered_go_together() -> None:
    app = TableApp(speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        await pilot.press("n")
        form = app.screen
        assert isinstance(form, NewTable)
        assert offered(form, "emperor_cards") == offered(form, "decks") == set()
        assert offered(form, "draw") == {"end_of_round"}
        assert offered(form, "missed_turn") == {"keep", "exchange"}
        fill(form, "option-missed_turn", "exchange")
        await pilot.pause()
        fill(form, "edition", "ausgebremst")
        await pilot.pause()
        assert form.setup().options == {}, "what does not go with an edition is given up"
        assert offered(form, "draw") == offered(form, "missed_turn") == offered(form, "tribute") == set()
        fill(form, "option-emperor_cards", "none")
        await pilot.pause()
        assert offered(form, "tribute") == {"required", "dishonour"}
        fill(form, "option-hand", "3")
        await pilot.pause()
        assert "is played with a hand of 2" in " ".join(shown(app).split())
        fill(form, "option-hand", "")
        fill(form, "option-chariots_each", "2")
        await pilot.pause()
        assert "a race is run by 1 to 6 chariots, not 8" in " ".join(shown(app).lower().split())
        await pilot.press("ctrl+g")
        assert isinstance(app.screen, NewTable)

    sit_down(app, act, (120, 50))


def test_every_edition_is_told_in_words() -> None:
    assert "riderless chariots fill the grid" in what_changes("thibault")
    assert "no exchange of cards" in what_changes("pro-ludo")
    assert "slow, average and fast decks" in what_changes("ausgebremst")
    assert all(len(what_changes(edition)) < 4 * 72 for edition in EDITIONS)
    assert "=" not in "".join(map(what_changes, EDITIONS))


# ---------------------------------------------------------------------- when things go wrong


def test_a_damaged_table_is_refused_and_does_not_prevent_a_race(capsys: pytest.CaptureFixture[str]) -> None:
    data_folder().mkdir(parents=True)
    path = data_folder() / "old.table.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(SaveError, match="cannot be read"):
        saves.load(path)
    app = TableApp(speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        assert "Cannot be resumed" in shown(app)
        await pilot.press("down", "delete", "delete")
        assert not path.exists()
        await pilot.press("enter")
        await until(pilot, lambda: asks(app))

    sit_down(app, act)


def test_a_folder_that_cannot_be_written_is_told_and_the_race_goes_on(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where a folder should be", encoding="utf-8")
    table = table_of()
    app = opened(table)

    async def act(pilot: Pilot[Any]) -> None:
        for _ in range(2):
            await until(pilot, lambda: asks(app))
            await pilot.press("enter")
        await until(pilot, lambda: asks(app))
        assert at(app).problem
        await pilot.press("q")

    sit_down(app, act)
    assert "could not be saved" in str(app.return_value)


@pytest.mark.parametrize(
    "arguments",
    [
        "--course green", "--direction up", "--chariots 0", "--chariots 7", "--chariots x", "--edition house",
        "--option crash", "--option crash=perhaps", "--against wolf", "--against greedy,", "--humans 7", "--humans -1",
        "--against sibylla@soon", "--against scorpus@9", "--against sibylla@0", "--against Scorpus",
        "--humans 3 --chariots 2", "--against greedy,greedy --chariots 2", "--names a,b,c,d,e", "--names a,a",
        "--tournament --course white", "--side A", "--tournament --side C", "--seed -1", "--seed x", "--speed fast",
        "--resume --seed 3", "--names a\tb", "--each 4", "--players 4 --each 2", "--players 3 --chariots 3",
        "--chariots 5 --each 2", "--riderless 3", "--riderless 6", "--vote --option riderless_moves=rule",
        "--edition ausgebremst --option hand=3", "--edition ausgebremst --option tribute=required",
        "--resume --no-memory-aid", "--humans 3 --players 2 --each 2", "--option decks=choice",
        "--resume", "", "--seed 3",
    ],
)  # fmt: skip
def test_bad_arguments_and_no_terminal_are_one_sentence(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = arguments.split(" ") if arguments else []
    try:
        status = main(["play", *words])
    except SystemExit as left:
        status = int(left.code or 0)
    told = capsys.readouterr()
    assert status == 2
    assert told.out == ""
    assert len(told.err.splitlines()) == 1


def test_arguments_lay_the_table_they_describe() -> None:
    from avecaesar.cli import parser

    def setup(words: str) -> Setup:
        return setup_of(parser().parse_args(["play", *words.split()]))

    assert [seat.driver for seat in setup("--seed 1").seats] == [HUMAN, "festina", "bibulus", "scorpus"]
    assert [seat.driver for seat in setup("--chariots 5").seats[3:]] == ["scorpus", "festina"], "they repeat"
    ours = setup("--against scorpus,sibylla@50 --chariots 4 --names Livia")
    assert [seat.name for seat in ours.seats] == ["Livia", "Scorpus", "Sibylla", "Aulus"]
    mixed = setup("--humans 2 --names Livia,Marcus --against random,greedy --chariots 5 --tournament --side B")
    assert [(seat.name, seat.driver) for seat in mixed.seats[:4]] == [
        ("Livia", HUMAN), ("Marcus", HUMAN), ("Aulus", "random"), ("Brutus", "greedy")
    ]  # fmt: skip
    assert (mixed.tournament, mixed.side, len(mixed.seats)) == (True, "B", 5)
    assert len(setup("--against random").seats) == 2
    teams = setup("--each 2 --riderless 1 --vote --names Livia")
    assert [seat.name for seat in teams.seats] == ["Livia", "Festina"]
    assert [rig.name for rig in Table(teams).rigs][-1] == "Celer"
    assert teams.options["riderless_moves"] == "vote"
    assert len(setup("--chariots 6 --each 3").seats) == 2
    piles = setup("--edition ausgebremst --no-memory-aid --chariots 3")
    assert (piles.memory_aid, len(Table(piles).rigs)) == (False, 4)


# ---------------------------------------------------------------------- watching


@pytest.fixture
def record(tmp_path: Path) -> Path:
    table = Table(Setup(seats_for(["greedy"] * 3), tournament=True, options={"races": "2"}, seed=5))
    while True:
        while not table.race_over:
            table.play(table.computers_move())
        if table.over:
            break
        table.next_race()
    path = tmp_path / "games.race.json"
    write_record(table.record(), path)
    return path


def test_a_record_is_watched_forwards_and_backwards(record: Path) -> None:
    app = ReplayApp(*verified(record), speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        start = shown(app)
        assert "race 1 of 2" in start
        assert "All hands" in start
        await pilot.press("right", "right", "right")
        await until_shown(pilot, lambda text: screen.scenes[3].brief[0] in text)
        third = shown(app)
        assert screen.at == 3
        await pilot.press("right", "left")
        await until_shown(pilot, lambda text: text == third)
        await pilot.press("home")
        await until_shown(pilot, lambda text: text == start)
        await pilot.press("end")
        await until_shown(pilot, lambda text: "The race is over: 1st" in text)
        await pilot.press("g", "4", "0", "enter")
        await pilot.pause()
        assert screen.at == 40
        await pilot.press("end", "left", "left", "space")
        await until(pilot, lambda: screen.at == len(screen.scenes) - 1 and not screen.playing)
        await pilot.press("n")
        assert "race 2 of 2" in shown(app)
        await pilot.press("t")
        assert app.theme == "day"

    sit_down(app, act)


@pytest.mark.parametrize(
    "setup",
    [
        {"edition": "ausgebremst", "course": "red"},
        {"edition": "thibault", "course": "red", "options": {"riderless_moves": "vote"}},
        {"options": {"chariots_each": "2"}},
    ],
    ids=["ausgebremst", "vote", "teams"],
)
def test_records_of_every_kind_are_watched(setup: dict[str, Any], tmp_path: Path) -> None:
    table = Table(Setup(seats_for(["greedy"] * 3), seed=5, **setup))
    while not table.race_over:
        table.play(table.computers_move())
    path = tmp_path / "every.race.json"
    write_record(table.record(), path)
    app = ReplayApp(*verified(path), speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        await pilot.press("g", "4", "0", "enter")
        await pilot.pause()
        if table.race.rules.draw == "from_piles":
            assert re.search("I [1-6]+  II [1-6–]+  III", shown(app))
        await pilot.press("end")
        await until_shown(pilot, lambda text: "The race is over:" in text)
        votes = sum(isinstance(turn.move, Vote) for turn in table.race.history)
        assert len(screen.scenes) == len(table.race.history) - votes + 1

    sit_down(app, act, (120, 40))


def test_a_record_with_colours_of_its_own_can_be_watched(record: Path, tmp_path: Path) -> None:
    strange = tmp_path / "strange.race.json"
    strange.write_text(record.read_text(encoding="utf-8").replace('"green"', '"purple"'), encoding="utf-8")
    app = ReplayApp(*verified(strange), speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        await pilot.press("end")
        await until_shown(pilot, lambda text: "The race is over: 1st" in text)

    sit_down(app, act)


def test_a_record_is_told_in_words(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(record), "--text"]) == 0
    told = capsys.readouterr().out.splitlines()
    races = read_record(record).races
    assert len(told) == sum(len(race.turns) + 2 for race in races) + 1
    assert told[0].startswith("Race 1 of 2: white clockwise")
    assert told[-2].startswith("The race is over: 1st ")
    assert told[-1].startswith("Standings: 1. ")
    assert main(["replay", str(record), "--text", "--race", "2"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(races[1].turns) + 2


@pytest.mark.parametrize("words", [["--race", "3"], ["--race", "0"], []])
def test_what_cannot_be_watched_is_one_sentence(
    record: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["replay", str(record), *words])
    except SystemExit as left:
        status = int(left.code or 0)
    assert status == 2
    told = capsys.readouterr()
    assert len(told.err.splitlines()) == 1
    assert told.out == ""
