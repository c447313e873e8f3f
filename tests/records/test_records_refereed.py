"""The referee of records: what was tampered with is refused in one line, and what is a race is verified."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from avecaesar.cli import main
from avecaesar.courses import boards
from avecaesar.game import Race, Tournament
from avecaesar.records import Crew, RecordError, from_json, record_of, referee, to_json
from avecaesar.rules import internal
from recordings import as_json, change, museum_piece, plain_record, remove, run
from situations import PLAIN


def spoil_card(raw: dict[str, Any]) -> None:
    turn = raw["races"][0]["turns"][0]
    turn["play"] = turn["play"] % 6 + 1


def spoil_space(raw: dict[str, Any]) -> None:
    raw["races"][0]["turns"][3]["to"] += 7


def spoil_deck(raw: dict[str, Any]) -> None:
    deck = raw["races"][0]["decks"][0]
    deck[0], deck[1:] = deck[-1], [*deck[1:-1], deck[0]]
    deck.reverse()


def swap_turns(raw: dict[str, Any]) -> None:
    turns = raw["races"][0]["turns"]
    turns[0], turns[1] = turns[1], turns[0]


def swap_chariots(raw: dict[str, Any]) -> None:
    for key in ("chariots", "decks"):
        raw["races"][1][key].reverse()


def wrong_reason(raw: dict[str, Any]) -> None:
    turn = next(turn for turn in raw["races"][0]["turns"] if "miss" in turn)
    turn["miss"] = "waiting" if turn["miss"] != "waiting" else "blocked"


def wrong_exchange(raw: dict[str, Any]) -> None:
    turn = next(turn for turn in raw["races"][0]["turns"] if turn.get("exchange"))
    turn["exchange"] = None


R = ("races", 0)
TAMPERED: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "card": (spoil_card, r"race 1, turn 1: .*\([A-Z]+-\d\)"),
    "space": (spoil_space, r"race 1, turn 4: .*\([A-Z]+-\d\)"),
    "no such space": (change(*R, "turns", 0, "to", to=249), r"race 1, turn 1: There is no such space .*\(MOV-2\)"),
    "deck": (spoil_deck, r"race 1, turn 1: You hold no \d\. \(MOV-1\)"),
    "not a deck": (change(*R, "decks", 0, to=[1] * 24), r"race 1: deck 0 is not a full deck .*\(SET-1\)"),
    "a deck too few": (remove(*R, "decks", 0), "race 1: 3 chariots have as many decks, not 2"),
    "a short deck": (remove(*R, "decks", 0, 0), r"race 1: deck 0 is not a full deck .*\(SET-1\)"),
    "laurels": (change(*R, "laurels", to=lambda old: [9, *old[1:]]), r"race 1: the laurels are \[.*\], not \[9, .*\]"),
    "laurels too few": (remove(*R, "laurels", 0), "race 1: the laurels are"),
    "arrivals": (change(*R, "arrivals", to=lambda old: old[::-1]), "race 1: the order of arrival is"),
    "disqualified": (change(*R, "disqualified", to=[0, 1, 2]), "race 1: disqualified are"),
    "edition": (change("edition", to="fiche"), "edition: these rules are nearest to ravensburger, not to fiche"),
    "edition by far": (change("edition", to="ausgebremst"), "edition: these rules are nearest to ravensburger"),
    "no such edition": (change("edition", to="house"), "edition: 'house' is not one of the values that can stand here"),
    "version": (change("version", to=2), "this is not version 1 of the format, the one that can be read, but 2"),
    "version as float": (change("version", to=1.0), "this is not version 1 of the format"),
    "version as bool": (change("version", to=True), "this is not version 1 of the format"),
    "format": (change("format", to="chess"), "this is not a record: it has no "),
    "chariot": (
        change(*R, "turns", 0, "chariot", to=1),
        "race 1, turn 1: it is .*'s turn, chariot 0, not that of chariot 1",
    ),
    "no such chariot": (change(*R, "turns", 0, "chariot", to=6), "race 1, turn 1, chariot: expected `int` <= 5"),
    "a chariot too few": (remove(*R, "chariots", 0), "race 1: 2 chariots have as many decks, not 3"),
    "a turn missing": (remove(*R, "turns", 5), r"race 1, turn 6: it is .*'s turn"),
    "turns swapped": (swap_turns, r"race 1, turn 1: it is .*'s turn"),
    "broken off": (remove(*R, "turns", -1), r"race 1: it breaks off after turn \d+, and it is .*'s turn"),
    "turns after the end": (
        change(*R, "turns", to=lambda old: [*old, old[-1]]),
        r"race 1, turn (\d+): the race was over",
    ),
    "why a turn was missed": (
        wrong_reason,
        r"race 1, turn \d+: the turn was missed because the chariot was \w+, not \w+",
    ),
    "what was exchanged": (wrong_exchange, r"race 1, turn \d+: You miss this turn and exchange a card.*\(MOV-4\)"),
    "same name": (change(*R, "chariots", 0, "name", to="Titus"), "race 1: two drivers have the same name"),
    "same colour": (change(*R, "chariots", 0, "colour", to="green"), "race 1: two chariots have the same colour"),
    "riderless": (
        change(*R, "chariots", 0, "riderless", to=True),
        "race 1: these rules have 0 riderless chariots here",
    ),
    "choices": (change(*R, "choices", to=[None, None, None]), "race 1: these rules leave nothing to choose"),
    "draw": (change(*R, "turns", 0, to={"chariot": 0, "draw": 1}), r"race 1, turn 1: That is not asked now.*TURN-1"),
    "lay": (change(*R, "turns", 0, to={"chariot": 0, "lay": 3, "pile": 1}), r"race 1, turn 1: That is not asked now"),
    "votes": (change(*R, "turns", 0, "votes", to={}), "race 1, turn 1: .* there is nothing to vote on .NPC-3."),
    "teams": (change("rules", "chariots_each", to=2), r"race 1: chariots_each = 2 is for two or three .*TEAM-1"),
    "rules without sense": (change("rules", "emperor_cards", to="by_side"), "rules: emperor_cards needs tribute"),
    "an option missing": (remove("rules", "crash"), "rules: the key 'crash' is missing"),
    "an option changed": (change("rules", "hand", to=2), r"race 1, turn \d+: "),
    "a course": (change(*R, "course", to="red"), "race 1: none of the record's boards has a course 'red'"),
    "a direction": (
        change(*R, "direction", to="anticlockwise"),
        "race 1: the schedule has white clockwise here, not white anticlockwise",
    ),
    "another board": (
        change("boards", 0, "sha256", to="0" * 64),
        "race 1: this was raced on another version of board A",
    ),
    "an unknown board": (
        change("boards", 0, "name", to="Z"),
        "race 1: board Z is not one of ours, and its source is missing",
    ),
    "a source that is none": (change("boards", 0, "source", to="\u2028x"), "race 1: board A: "),
    "a board too many": (
        change("boards", to=lambda old: [*old, {"name": "B", "sha256": boards()[1].sha256}]),
        "board B is among the boards, but no race was run on it",
    ),
    "a board twice": (change("boards", to=lambda old: old * 2), "race 1: two boards have the same name"),
    "the next grid": (swap_chariots, r"race 2: after the race before, the grid is .* \(NEXT-2\)"),
    "a driver changed": (
        change("races", 1, "chariots", 0, "name", to="Nero"),
        "race 2: a tournament is run by the same",
    ),
    "a colour changed": (
        change("races", 1, "chariots", 0, "colour", to="pink"),
        "race 2: a tournament is run by the same",
    ),
    "too many races": (change("rules", "races", to=2), "a tournament of these rules has 2 races, not 3"),
    "another schedule": (
        change("rules", "schedule", to="one_course"),
        r"race 2: the schedule has white clockwise here.*NEXT-1",
    ),
    "sides": (
        change("rules", "schedule", to="both_sides"),
        "race 2: schedule = both_sides needs one course of each side",
    ),
    "a race": (change("races", 0, to={}), "race 1: the key 'course' is missing"),
    "an unknown key": (change("comment", to="well run"), "there is no key 'comment' here"),
    "types": (change(*R, "turns", 0, "play", to="6"), "race 1, turn 1, play: expected `int`, got `str`"),
    "a float": (change(*R, "turns", 0, "play", to=1.0), "race 1, turn 1, play: expected `int`, got `float`"),
    "a bool": (change(*R, "turns", 0, "play", to=True), "race 1, turn 1, play: expected `int`, got `bool`"),
    "a huge number": (change(*R, "turns", 0, "play", to=10**40), "race 1, turn 1, play: "),
    "a mixed turn": (
        change(*R, "turns", 0, "crash", to=True),
        "race 1, turn 1: play and to and crash beside chariot is no turn",
    ),
    "an empty turn": (change(*R, "turns", 0, to={"chariot": 0}), "race 1, turn 1: nothing beside chariot is no turn"),
    "not crashed": (
        change(*R, "turns", 0, to={"chariot": 0, "crash": False}),
        "race 1, turn 1: crash is true or left out",
    ),
    "a name of two lines": (
        change(*R, "chariots", 0, "name", to="a\nb"),
        r"race 1, chariots\[0\], name: this text has",
    ),
    "half a character": (change(*R, "chariots", 0, "name", to="\ud800"), r"race 1, chariots\[0\], name: this text has"),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_a_record_that_was_tampered_with_is_refused_in_one_line(
    how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = plain_record()
    spoil, sentence = TAMPERED[how]
    spoil(raw)
    file = tmp_path / "x.race.json"
    file.write_bytes(as_json(raw))
    assert main(["verify", str(file)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert re.match(rf"avecaesar: {re.escape(str(file))}: {sentence}", told.err), told.err
    assert told.err.count("\n") == 1


def test_the_untouched_record_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.race.json"
    file.write_bytes(b"\xef\xbb\xbf" + as_json(plain_record()))
    assert main(["verify", str(file)]) == 0
    assert re.fullmatch(r".*x\.race\.json: verified, 3 races, \d+ turns\n", capsys.readouterr().out)


def test_what_is_well_formed_need_not_be_a_race() -> None:
    with pytest.raises(RecordError, match="race 1: these rules leave nothing to choose, and choices are recorded"):
        referee(from_json(as_json(museum_piece())))


def test_a_tournament_may_have_more_riderless_chariots_on_one_side_than_on_the_other() -> None:
    raw = plain_record("thibault", options={"schedule": "both_sides"})
    assert [len(race["chariots"]) for race in raw["races"]] == [4, 6, 4]
    referee(from_json(as_json(raw)))
    change("races", 1, "chariots", 0, "colour", to="pink")(raw)
    with pytest.raises(RecordError, match="race 2: riderless chariots have the same names and colours"):
        referee(from_json(as_json(raw)))


def test_a_board_of_somebodys_own_goes_with_its_record() -> None:
    races = [run(Race(f"{PLAIN}:white", 2, seed=1), "greedy", random.Random(1))]
    raw = json.loads(to_json(record_of(races, [[Crew("red", "human"), Crew("blue", "human")]], "ravensburger")))
    assert referee(from_json(as_json(raw)))[0].history == races[0].history
    for spoil, sentence in (
        (
            change("boards", 0, "source", to=lambda old: old + "\n# and a word"),
            "not the one that its digest was made of",
        ),
        (change("boards", 0, "name", to="other"), "board other: its source calls it plain"),
        (change("boards", 0, "source", to=lambda old: old.replace("courses", "curses")), "board plain: line .*curses"),
        (remove("boards", 0, "source"), "board plain is not one of ours, and its source is missing"),
    ):
        spoiled = copy.deepcopy(raw)
        spoil(spoiled)
        with pytest.raises(RecordError, match=sentence):
            referee(from_json(as_json(spoiled)))


def test_what_cannot_be_told_apart_is_not_recorded() -> None:
    ours, theirs = Race("white", 1, seed=1), Race(f"{PLAIN}:white", 1, seed=1)
    crew = [[Crew("red", "human")]]
    with pytest.raises(RecordError, match="both have a course 'white'"):
        record_of([ours, theirs], crew * 2, "ravensburger")
    with pytest.raises(RecordError, match="same rules"):
        record_of([ours, Race("white", 1, edition="fiche")], crew * 2, "fiche")
    with pytest.raises(RecordError, match="crew list"):
        record_of([ours], crew * 2, "fiche")
    with pytest.raises(RecordError, match="as many crews"):
        record_of([ours], [crew[0] * 2], "fiche")
    with pytest.raises(RecordError, match="name: this text has"):
        record_of([Race("white", ["a\nb"])], crew, "fiche")


def test_a_tournament_on_courses_of_the_tables_choice_verifies() -> None:
    for name, courses in (("pro-ludo", ["red", "blue"]), ("fiche", "yellow"), ("ravensburger", ["yellow", "red"])):
        games = Tournament(["a", "b"], edition=name, courses=courses, options={"races": 6}, seed=3)
        while not games.over:
            run(games.next_race(), "greedy", random.Random(3))
        crews = [[Crew(race_name, "human") for race_name in race.names] for race in games.races]
        assert len(referee(record_of(games.races, crews, name))) == 6


@pytest.mark.clause("NEXT-1")
@pytest.mark.parametrize("courses", [["blue", "white"], ["white", "yellow"], ["red", "red"]])
def test_by_table_a_record_has_the_courses_of_one_side_unless_its_table_is_older_than_that_was_asked(
    courses: list[str],
) -> None:
    """A table in the browser could choose any two in 0.6; whoever forges a record cannot."""
    older = plain_record(players=2, options={"by_table_courses": "any"}, courses=courses)
    assert older["rules"].pop("by_table_courses") == "any"
    with pytest.raises(RecordError, match="race 2: schedule = by_table races on both courses of one side"):
        referee(from_json(as_json(older)))
    older["rules"]["by_table_courses"] = "any"
    assert [race.course.name for race in referee(from_json(as_json(older)))] == [*courses, courses[0]]


def test_no_new_record_names_what_only_repairs_ask() -> None:
    assert not internal().keys() & plain_record()["rules"].keys()


def test_a_replay_of_teams_ends_with_the_players_standings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.race.json"
    options = {"chariots_each": 2, "riderless_count": 1}
    file.write_bytes(as_json(plain_record(players=2, options=options, side="B")))
    assert main(["replay", str(file), "--text"]) == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert told.startswith("Standings: 1. ")
    for player in ("Livia", "Marcus"):
        assert re.search(rf"\d\. {player} I and {player} II \(\d+ laurels\)", told)
