"""A table is laid in the terminal: the start screen, the form, and what is typed."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Select

from avecaesar.cli.play import setup_of
from avecaesar.rules import EDITIONS
from avecaesar.table import HUMAN, Setup, Table
from avecaesar.telling.wording import AS_PRINTED, what_changes
from avecaesar.tui.app import TableApp
from avecaesar.tui.dialogs import Help
from avecaesar.tui.new_table import AS_CHOSEN, NewTableScreen
from avecaesar.tui.table_screen import TableScreen
from tui_by_keys import asks, at, shown, sit_down, until, until_shown, waits


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


def fill(form: NewTableScreen, field: str, value: str) -> None:
    widget: Any = form.query_one(f"#{field}")
    widget.value = value


def test_a_new_table_says_what_is_wrong_and_begins_when_it_is_right() -> None:
    app = TableApp(speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        await pilot.press("n")
        form = app.screen
        assert isinstance(form, NewTableScreen)
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


def seated(form: NewTableScreen) -> list[tuple[str, str]]:
    return [(seat.name, seat.driver) for seat in form.setup().seats]


def test_drivers_bring_their_names_unless_another_is_typed() -> None:
    app = TableApp(speed="off")

    async def act(pilot: Pilot[Any]) -> None:
        await pilot.press("n")
        form = app.screen
        assert isinstance(form, NewTableScreen)
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
        assert isinstance(form, NewTableScreen)
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
        assert isinstance(form, NewTableScreen)
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


def offered(form: NewTableScreen, name: str) -> set[str]:
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
        assert isinstance(form, NewTableScreen)
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
        assert isinstance(app.screen, NewTableScreen)

    sit_down(app, act, (120, 50))


def test_every_edition_is_told_in_words() -> None:
    assert "riderless chariots fill the grid" in what_changes("thibault")
    assert "no exchange of cards" in what_changes("pro-ludo")
    assert "slow, average and fast decks" in what_changes("ausgebremst")
    assert all(len(what_changes(edition)) < 4 * 72 for edition in EDITIONS)
    assert "=" not in "".join(map(what_changes, EDITIONS))


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
