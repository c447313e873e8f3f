"""The table behind terminal and, later, server: seats, turns, races one after another, put away and taken up."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from avecaesar.drivers import DriverError
from avecaesar.game import COLOURS, Vote
from avecaesar.records import referee
from avecaesar.rules import EDITIONS, RulesError
from avecaesar.table import HUMAN, SaveError, Seat, SeatNumber, Setup, Table, seats_for
from avecaesar.telling import narration
from situations import PLAIN


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
        elif through.seat_on_turn == 0:
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
        grids.add(table.rigs)
        for seat, sitting in enumerate(table.setup.seats):
            view = table.view(SeatNumber(seat))
            assert view.me.name == sitting.name
            assert view.chariot == table.chariot_of(SeatNumber(seat))
        assert table.seat_on_turn == table.rigs[0].seat
        finish_race(table, source)
        assert table.seat_on_turn is None
        if table.over:
            break
        table.next_race()
    assert len(grids) > 1


def test_riderless_chariots_and_second_ones_take_the_free_colours_in_every_race() -> None:
    seats = (Seat("Livia", "blue", "random"), Seat("Titus", "white", "random"))
    options = {"chariots_each": "2", "schedule": "both_sides"}
    table = Table(Setup(seats, edition="thibault", options=options, tournament=True, seed=3))
    source = random.Random(3)
    for chariots in (4, 6, 4, 6):
        painted = {rig.name: (rig.colour, rig.seat) for rig in table.rigs}
        assert len({colour for colour, _ in painted.values()}) == len(painted) == chariots
        team = {"Livia I": ("blue", 0), "Titus I": ("white", 1), "Livia II": ("red", 0), "Titus II": ("green", 1)}
        assert painted.items() >= team.items()
        if chariots == 6:
            assert [rig for rig in table.rigs if rig.seat is None] == list(table.rigs[:2])
            assert painted["Celer"] == ("yellow", None)
        finish_race(table, source)
        if not table.over:
            table.next_race()
    assert len(referee(table.record())) == 4


# ---------------------------------------------------------------------- put away at every decision

VOTE = {"riderless_moves": "vote"}
RACES = {
    "Ausgebremst on A": Setup(seats_for(["random"] * 3), edition="ausgebremst", seed=4),
    "Ausgebremst on B": Setup(seats_for(["greedy"] * 4), edition="ausgebremst", course="red", seed=4),
    "without a memory aid": Setup(seats_for(["random"] * 2), edition="ausgebremst", seed=8, memory_aid=False),
    "one deck for all": Setup(seats_for(["random"] * 3), edition="ausgebremst", options={"decks": "standard"}, seed=4),
    "a vote": Setup(seats_for(["random"] * 3), edition="thibault", options=VOTE, seed=4),
    "a vote on extra ones": Setup(seats_for(["random"] * 2), options={"riderless_count": "2"} | VOTE, seed=4),
    "teams": Setup(seats_for(["random"] * 3), options={"chariots_each": "2"}, course="red", seed=4),
    "all of it": Setup(
        seats_for(["random", "greedy"]),
        edition="ausgebremst",
        options={"chariots_each": "2"} | VOTE,
        course="yellow",
        seed=4,
    ),
}


@pytest.mark.parametrize("setup", RACES.values(), ids=RACES)
def test_a_race_put_away_at_every_decision_goes_on_to_the_same_end(setup: Setup) -> None:
    through, paused = Table(setup), Table(setup)
    asked = Counter[str | None]()
    while not through.race_over:
        asked[through.race.asks] += 1
        put_away = paused.to_json()
        paused = Table.from_json(put_away)
        assert paused.to_json() == put_away
        assert paused.race.history == through.race.history
        for chariot in (None, *range(len(through.race.names))):
            one, other = through.race.view(chariot), paused.race.view(chariot)
            assert one == other
            assert one.known.tobytes() == other.known.tobytes()
        move = through.computers_move()
        assert paused.computers_move() == move
        through.play(move)
        paused.play(move)
    assert paused.record() == through.record()
    assert referee(through.record())[0].history == through.race.history
    wanted = {"deck", "sort", "draw"} if setup.edition == "ausgebremst" else set()
    wanted |= {"vote"} if setup.options.items() >= VOTE.items() else set()
    assert set(asked) >= wanted - ({"deck"} if "decks" in setup.options else set()) | {"turn"}


def test_a_game_on_a_board_of_somebodys_own_can_be_put_away() -> None:
    table = Table(Setup(seats_for(["greedy"] * 2), course=f"{PLAIN}:white", seed=4))
    for _ in range(10):
        table.play(table.computers_move())
    assert Table.from_json(table.to_json()).race.history == table.race.history


def test_races_that_are_over_stay_those_of_whoever_drove_in_them() -> None:
    options = {"races": "2", "schedule": "one_course"}
    table = Table(Setup(seats_for(["greedy", "random"]), options=options, tournament=True, seed=4))

    def drivers() -> list[set[str]]:
        assert Table.from_json(table.to_json()).record() == table.record()  # it can be put away at any time
        return [{chariot.driver for chariot in race.chariots} for race in table.record().races]

    table.reseat(1, HUMAN)
    table.reseat(1, "scorpus")
    while not table.race_over:
        table.play(table.computers_move())
    raced = table.record()
    table.reseat(1, HUMAN)
    table.reseat(0, "festina")
    assert (table.record(), drivers()) == (raced, [{"greedy", "scorpus"}])
    table.next_race()
    assert drivers() == [{"greedy", "scorpus"}, {"festina", HUMAN}]
    table.reseat(1, "bibulus")
    assert drivers() == [{"greedy", "scorpus"}, {"festina", "bibulus"}]


def test_votes_are_kept_until_the_riderless_chariot_has_moved() -> None:
    table = Table(RACES["a vote"])
    assert table.race.asks == "vote"
    for cast in (Vote(), table.race.legal_moves[0], Vote()):
        table.play(cast)
        again = Table.from_json(table.to_json())
        assert [turn.move for turn in again.race.history] == [turn.move for turn in table.race.history]
        assert (again.race.turn, again.race.asks) == (table.race.turn, table.race.asks)
    assert table.seat_on_turn is None
    table.play(table.computers_move())
    assert json.loads(table.to_json())["votes"] == []
    assert len(table.record().races[0].turns) == 1


SAVE_OF_06 = Path(__file__).parent / "saves" / "of-0.6.table.json"  # the code after it wrote the same for a while


def test_a_save_from_before_votes_were_written_like_all_moves_is_taken_up() -> None:
    old = SAVE_OF_06.read_bytes()
    assert json.loads(old)["version"] == 1
    table = Table.from_json(old)
    voted, abstained = (turn.move for turn in table.race.history[-2:])
    assert isinstance(voted, Vote)
    assert voted.play is not None
    assert abstained == Vote()
    assert table.race.asks == "vote"
    written = table.to_json()
    assert json.loads(written)["record"]["races"] == json.loads(old)["record"]["races"]
    assert json.loads(written)["version"] == 2
    assert json.loads(written)["votes"] == [
        {"kind": "vote", "card": voted.card, "to": voted.to},
        {"kind": "vote", "card": None, "to": None},
    ]
    assert Table.from_json(written).race.history == table.race.history
    finish_race(table, random.Random(1))


@pytest.mark.parametrize("spoiled", [{"kind": "vote"}, {"play": {"card": 1, "to": "away"}}, {"play": {"card": 9}}])
def test_a_vote_in_an_old_save_that_was_none_is_refused(spoiled: dict[str, Any]) -> None:
    old = json.loads(SAVE_OF_06.read_bytes())
    old["votes"][0] = spoiled
    with pytest.raises(SaveError, match="the saved game cannot be read"):
        Table.from_json(json.dumps(old).encode())


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


def test_characters_bring_their_names_and_records_keep_what_was_typed() -> None:
    drivers = [HUMAN, "scorpus", "sibylla@5000", "scorpus", "greedy"]
    assert [seat.name for seat in seats_for(drivers)] == ["Aulus", "Scorpus", "Sibylla", "Brutus", "Cato"]
    assert [seat.name for seat in seats_for(drivers, ["Scorpus"])] == ["Scorpus", "Aulus", "Sibylla", "Brutus", "Cato"]
    record = Table(Setup(seats_for(drivers), seed=1)).record()
    assert sorted(chariot.driver for chariot in record.races[0].chariots) == sorted(drivers)


def test_a_driver_of_ones_own_that_fails_is_told_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        "class Lazy:\n    def choose(self, view): return None\n"
        "class Rude:\n    def choose(self, view): raise RuntimeError('no\\nway')\n"
        "class Wild:\n    def choose(self, view): return type(view.plays[0])(6, 'home')\n",
        encoding="utf-8",
    )
    says = {"Lazy": "InvalidMove: ", "Rude": "RuntimeError: no way", "Wild": "IllegalMove: .* \\([A-Z]+-[0-9]\\)"}
    for name, words in says.items():
        table = Table(Setup(seats_for([f"{file}:{name}"]), seed=1))
        with pytest.raises(DriverError, match=f"^driver '.*:{name}' failed in decision 1: {words}"):
            table.computers_move()


def test_a_damaged_save_is_refused_in_a_sentence() -> None:
    table = Table(Setup(seats_for([HUMAN, "greedy"]), seed=5))
    for _ in range(10):
        table.play(next(iter(table.race.legal_moves)))
    good = table.to_json()
    tampered = json.loads(good)
    tampered["record"]["races"][0]["decks"][0].reverse()
    for bad in (b"", good[:-20], b"[]", b"[" * 100_000, json.dumps(tampered).encode()):
        with pytest.raises(SaveError, match="the saved game cannot be read"):
            Table.from_json(bad)


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("setup", "seats", 0, "name"), "Somebody", "the races so far were run by other drivers"),
        (("setup", "seats", 0, "colour"), "black", "its races are not those of its set-up"),
        (("setup", "seats", 1, "driver"), "random", "its races are not those of its set-up"),
        (("setup", "edition"), "fiche", "its races are not those of its set-up"),
        (("setup", "options"), {"crash": "yes"}, "its races are not those of its set-up"),
        (("setup", "course"), "blue", "its races are not those of its set-up"),
        (("setup", "direction"), "anticlockwise", "its races are not those of its set-up"),
        (("deal", 1, 0), 5, "deck 1 is not a shuffle of the numbers 0 to 23"),
        (("deal", 1), list(range(24)), "the choice of .* does not follow from the deal"),
        (("deal", 0), [1, 2, 3, 4, 5, 6] * 4, "the deck of Celer is not the one that was dealt"),
        (("deal",), None, "has sorted no deck"),
        (("votes",), [{"kind": "vote"}], "AUS-3"),
        (("votes",), [{"kind": "vote", "card": 1, "to": "away"}], "Invalid enum value"),
        (("votes",), [{"play": None}], "unknown field `play`"),
        (("version",), 3, "Invalid value 3"),
        (("record", "races", 0, "choices", 2), None, "the choice of .* does not follow from the deal"),
    ],
)
def test_a_save_that_was_tampered_with_is_refused_in_a_sentence(path: tuple[Any, ...], value: Any, says: str) -> None:
    table = Table(Setup(seats_for([HUMAN, "greedy", "greedy"]), edition="ausgebremst", seed=5))
    while len(table.race.history) < 5:
        table.play(table.race.legal_moves[0])
    save = json.loads(table.to_json())
    part = save
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(SaveError, match=f"the saved game cannot be read: .*{says}"):
        Table.from_json(json.dumps(save).encode())


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
            assert narration.coin_and_points(before)
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
        " into the bottleneck",
        ", inside",
        ", outside",
    ):
        assert any(line.endswith(words) for line in told), words
    for words in (
        "past the alley: disqualified",
        "Imperial Alley: pays your coin",
        "into the bottleneck ◆",
        "wastes 1",
        "wastes nothing",
        "then you cannot get home",
        "then nothing is left to spare",
        "on in the Imperial Alley",
        "home!",
        "under the deck",
        "withdraw from the race",
        "crash: you lead",
    ):
        assert any(words in line for line in offered), words
