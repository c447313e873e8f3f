"""The table behind terminal and, later, server: seats, turns, races one after another, put away and taken up."""

from __future__ import annotations

import json
import random

import pytest

from avecaesar.game import COLOURS
from avecaesar.records import referee
from avecaesar.rules import EDITIONS, RulesError
from avecaesar.table import HUMAN, SaveError, Seat, Setup, Table, narration, seats_for


def finish_race(table: Table, source: random.Random) -> None:
    while not table.race_over:
        table.play(source.choice(list(table.race.legal_moves)))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_tournament_goes_on_as_if_it_had_never_been_put_away(edition: str) -> None:
    setup = Setup(seats_for([HUMAN, "greedy", "random"]), edition=edition, tournament=True, seed=11)
    through, paused = Table(setup), Table(setup)
    source = random.Random(edition)
    while not through.over:
        if through.race_over:
            through.next_race()
            paused.next_race()
        elif through.drivers[through.seat_on_turn or 0] is None:
            move = source.choice(list(through.race.legal_moves))
            through.play(move)
            paused.play(move)
        else:
            through.play(through.computers_move())
            paused.play(paused.computers_move())
        if source.random() < 0.1:
            paused = Table.from_json(paused.to_json())
    assert paused.over
    assert paused.standings == through.standings
    assert paused.record() == through.record()
    assert len(referee(through.record())) == through.race.rules.races


def test_seats_keep_their_number_whatever_the_grid() -> None:
    table = Table(Setup(seats_for(["random"] * 5), tournament=True, seed=3))
    source = random.Random(3)
    grids = set()
    while True:
        grids.add(table.grid)
        for seat, sitting in enumerate(table.setup.seats):
            view = table.view(seat)
            assert view.me.name == sitting.name
            assert view.seat == table.chariot_of(seat)
        assert table.seat_on_turn == table.grid[0]
        finish_race(table, source)
        assert table.seat_on_turn is None
        if table.over:
            break
        table.next_race()
    assert len(grids) > 1


def test_the_first_grid_shows_the_cards_that_decided_it() -> None:
    table = Table(Setup(seats_for(["random"] * 3), seed=1))
    assert set(table.turned_up[0]) == {0, 1, 2}
    assert table.stages == (("white", "clockwise"),)


def test_only_the_computer_chooses_for_the_computer() -> None:
    table = Table(Setup(seats_for([HUMAN])))
    with pytest.raises(ValueError, match="not the computer's turn"):
        table.computers_move()


def test_the_cards_come_from_the_operating_system_unless_a_seed_is_given() -> None:
    decks = {json.dumps(Table(Setup(seats_for(["random"]))).record().races[0].decks) for _ in range(5)}
    assert len(decks) == 5
    seeded = {json.dumps(Table(Setup(seats_for(["random"]), seed=9)).record().races[0].decks) for _ in range(3)}
    assert len(seeded) == 1


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        (Setup((Seat("Livia", "pink"),)), "no colour 'pink'"),
        (Setup((Seat("Livia", "red"), Seat("Titus", "red"))), "two chariots are red"),
        (Setup((Seat("Livia", "red"), Seat("Livia", "blue"))), "same name"),
        (Setup(()), "1 to 6 chariots"),
        (Setup(seats_for(["random"]), edition="nero"), "no edition 'nero'"),
        (Setup(seats_for(["random"]), options={"hand": "9"}), "hand is a number from 1 to 6"),
        (Setup(seats_for(["random"]), direction="up"), "a direction is"),  # type: ignore[arg-type]
        (Setup(seats_for(["random"]), tournament=True, side="C"), "a side is A or B"),
        (Setup(seats_for(["random"]), seed=-1), "a seed is"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anybody_sits_down(setup: Setup, says: str) -> None:
    with pytest.raises(RulesError, match=says):
        Table(setup)


def test_an_unknown_driver_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="no driver 'nero'"):
        Table(Setup(seats_for([HUMAN, "nero"])))


def test_names_and_colours_of_ours_fill_up() -> None:
    seats = seats_for([HUMAN] * 6, ["Brutus", "Livia"])
    assert [seat.name for seat in seats] == ["Brutus", "Livia", "Aulus", "Cato", "Drusus", "Ennius"]
    assert tuple(seat.colour for seat in seats) == COLOURS
    for drivers, names in (([], []), (["random"] * 7, []), (["random"], ["a", "b"])):
        with pytest.raises(RulesError):
            seats_for(drivers, names)


def test_a_damaged_save_is_refused_in_a_sentence() -> None:
    table = Table(Setup(seats_for([HUMAN, "greedy"]), seed=5))
    for _ in range(10):
        table.play(next(iter(table.race.legal_moves)))
    good = table.to_json()
    tampered = json.loads(good)
    tampered["record"]["races"][0]["decks"][0].reverse()
    strange = json.loads(good)
    strange["setup"]["seats"][0]["name"] = "Somebody"
    for bad in (b"", good[:-20], b"[]", b"[" * 100_000, json.dumps(tampered).encode(), json.dumps(strange).encode()):
        with pytest.raises(SaveError, match="the saved game cannot be read"):
            Table.from_json(bad)


# ---------------------------------------------------------------------- in words


def test_every_offer_and_every_turn_is_told_in_words() -> None:
    told: set[str] = set()
    offered: set[str] = set()
    for seed in range(60):
        options = [{"tribute": "dishonour"}, {"crash": "yes"}, {}][seed % 3]
        table = Table(Setup(seats_for(["random"] * 4), options=options, seed=seed))
        source = random.Random(seed)
        while not table.race_over:
            before = table.view(table.seat_on_turn)
            offered |= {narration.offer(move, before) for move in before.legal_moves}
            assert narration.means(before)
            table.play(source.choice(list(table.race.legal_moves)))
            told.add(narration.tell(before, table.view()))
    for words in (
        " and is home!",
        " and pays: Ave Caesar!",
        ", past the alley with the coin: disqualified",
        " misses a turn and exchanges a card",
        " misses a turn",
        " withdraws",
        " crashes!",
        " and is out of cards",
        ", a bottleneck",
    ):
        assert any(line.endswith(words) for line in told), words
    for words in (
        "past the alley: disqualified",
        "Imperial Alley: pays your coin",
        "into the bottleneck ◆",
        "wastes 1",
        "wastes nothing",
        "home!",
        "under the deck",
        "withdraw from the race",
        "crash: you lead",
    ):
        assert any(words in line for line in offered), words
