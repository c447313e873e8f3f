"""Riderless chariots, votes and teams at the table in the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from textual.pilot import Pilot

from avecaesar.drivers import Greedy
from avecaesar.game import View, Vote
from avecaesar.table import Table
from avecaesar.tui import saves
from avecaesar.tui.app import TableApp
from tui_by_keys import asked, asks, at, find, opened, race_on, shown, sit_down, table_of, until, votes_on, waits

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
