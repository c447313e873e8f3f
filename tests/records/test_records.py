"""Records: what is written down can be read, refereed and converted; what was tampered with is refused."""

from __future__ import annotations

import copy
import errno
import json
import os
import random
import re
import shlex
import signal
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest

from avecaesar.cli import main, parser
from avecaesar.courses import boards, load_course, parse_board
from avecaesar.errors import plain
from avecaesar.files import write_atomically
from avecaesar.game import COLOURS, Play, Race, Tournament, Vote
from avecaesar.records import (
    Crew,
    RecordedTurn,
    RecordError,
    from_json,
    from_text,
    nearest_editions,
    read_record,
    record_of,
    referee,
    rules_of,
    schema,
    to_json,
    to_text,
    verified,
    write_record,
)
from avecaesar.records.notation import notation_of
from avecaesar.records.parser import moves_of
from avecaesar.rules import EDITIONS, OPTIONS, edition, internal, offered
from checkout import ROOT
from lockstep import COURSES
from recordings import change, crews_of, museum_piece, paths, plain_record, record_for, remove, rules_for, run
from situations import PLAIN

DOCS = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
RECORDS, CHUNK = 1000, 50


def as_json(raw: object) -> bytes:
    return json.dumps(raw).encode()


# ---------------------------------------------------------------------- a thousand records


@pytest.mark.parametrize("first", range(0, RECORDS, CHUNK))
def test_recorded_races_verify_and_round_trip_in_json_and_text(first: int) -> None:
    validator = jsonschema.Draft202012Validator(schema())
    for seed in range(first, first + CHUNK):
        record = record_for(seed)
        data = to_json(record)
        assert from_json(data) == record, seed
        assert from_text(to_text(record).encode()) == record, seed
        races = referee(record)
        again = record_of(
            races, [[Crew(c.colour, c.driver) for c in race.chariots] for race in record.races], record.edition
        )
        assert to_json(again) == data, seed
        if seed % 10 == 0:
            validator.validate(json.loads(data))


@pytest.mark.long
def test_the_thousand_go_through_everything_that_can_be_played() -> None:
    met = {name: {getattr(rules_for(random.Random(seed)), name) for seed in range(RECORDS)} for name in offered()}
    for name, option in offered().items():
        assert set(option.values) <= met[name], name
    seen: Counter[str] = Counter()
    for seed in range(300):
        record = record_for(seed)
        rules = rules_of(record)
        seen["tournaments"] += len(record.races) > 1
        seen["tournaments with riderless chariots"] += len(record.races) > 1 and record.races[0].chariots[0].riderless
        seen["boards of others"] += record.boards[0].source is not msgspec.UNSET
        for race in record.races:
            seen[f"{race.course} {race.direction}"] += 1
            seen[f"{len(race.chariots)} chariots"] += 1
            seen[f"{rules.chariots_each} chariots each"] += 1
            seen[f"{sum(chariot.riderless for chariot in race.chariots)} riderless, {rules.riderless}"] += 1
            seen["disqualified"] += len(race.disqualified)
            for choice in race.choices or ():
                seen["no choice" if choice is None else choice.deck] += 1
            for turn in race.turns:
                seen[kind_of(turn)] += 1
                seen["home"] += turn.to == "home"
    reasons = {f"{why} {what}" for why in ("blocked", "barred", "waiting") for what in ("exchange", "keep")}
    kinds = {"play", "crash", "withdraw", "draw", "lay", "play by 0 votes", "play by 1 votes", "play by 3 votes"}
    choices = {"slow", "average", "fast", "no choice"}
    riderless = {f"{n} riderless, {kind}" for n in (1, 3, 5) for kind in ("extra", "fill", "fill_no_tribute")}
    assert set(seen) >= reasons | kinds | choices | riderless | {f"{n} chariots" for n in range(1, 7)}
    assert set(seen) >= {f"{course} {direction}" for course, direction in COURSES}
    assert set(seen) >= {f"{n} chariots each" for n in (1, 2, 3)}
    assert min(seen["tournaments with riderless chariots"], seen["boards of others"], seen["home"]) > 0
    assert min(seen["tournaments"], seen["disqualified"]) > 0


def kind_of(turn: RecordedTurn) -> str:
    if turn.votes is not msgspec.UNSET:
        return f"play by {len(turn.votes)} votes"
    if turn.miss is not msgspec.UNSET:
        return f"{turn.miss} {'exchange' if turn.exchange else 'keep'}"
    kinds = ("play", "crash", "withdraw", "draw", "lay")
    return next(key for key in kinds if getattr(turn, key) is not msgspec.UNSET)


def test_a_turn_is_read_as_it_is_written() -> None:
    read: Counter[str] = Counter()
    for seed in range(40):
        for race in referee(record_for(seed)):
            for turn in race.history:
                if written := notation_of(turn, race.course):  # which choices before the race and votes are not
                    assert moves_of(written, race.course) == (turn.move,), (seed, written)
                    read[type(turn.move).__name__] += 1
    assert set(read) == {"Play", "Miss", "Crash", "Withdraw", "Draw", "Lay"}


def test_votes_are_read_with_the_turn_that_they_decide() -> None:
    course = load_course("white")
    there, here = course.space("S9b").id, course.space("S9a").id
    votes = [Vote(4, there), Vote(4, here)]
    assert moves_of("4S9b{Livia:4S9b,Marcus:4S9a}", course) == (*votes, Play(4, there))
    assert moves_of("6home", course) == (Play(6, "home"),)
    for nonsense in ("", "4", "S9b", "4S9b,", "4Z9", "9S9b", "draw4"):
        with pytest.raises(RecordError):
            moves_of(nonsense, course)


def test_a_race_that_breaks_off_is_a_record_too() -> None:
    race = Race("white", 3, seed=2)
    for _ in range(40):
        race.play(race.legal_moves[0])
    record = record_of([race], [[Crew(colour, "human") for colour in COLOURS[:3]]], "ravensburger")
    (again,) = referee(record, unfinished=True)
    assert again.history == race.history
    assert again.view(0) == race.view(0)
    assert from_text(to_text(record).encode()) == record
    with pytest.raises(RecordError, match=r"^race 1: it breaks off after turn 40, and it is \w+'s turn$"):
        referee(record)


def test_before_everybody_has_sorted_only_the_deal_can_tell_what_comes() -> None:
    race = Race("white", 3, edition="ausgebremst", seed=2)
    unsorted: set[str] = set()
    while race.asks in ("deck", "sort"):
        record = record_of([race], crews_of([race], "human"), "ausgebremst")
        assert from_json(to_json(record)) == from_text(to_text(record).encode()) == record
        (again,) = referee(record, unfinished=True, deal=race.deal, memory_aid=False)
        assert (again.history, again.turn, again.memory_aid) == (race.history, race.turn, False)
        with pytest.raises(RecordError, match=r"race 1: .* has sorted no deck, and so the cards cannot be dealt"):
            referee(record, unfinished=True)
        with pytest.raises(RecordError, match=r"race 1: it breaks off after turn 0, and it is .*'s turn"):
            referee(record, deal=race.deal)
        unsorted |= {str(choice.deck) for choice in record.races[0].choices or () if choice and not choice.piles}
        race.play(race.legal_moves[-1])
    assert unsorted == {"fast"}
    record = record_of([race], crews_of([race], "human"), "ausgebremst")
    (again,) = referee(record, unfinished=True)
    assert again.view(again.turn) == race.view(race.turn)


def test_votes_stand_in_the_turn_that_they_decide() -> None:
    race = Race("white", ["Livia", "Marcus", "Titus"], edition="thibault", options={"riderless_moves": "vote"}, seed=2)

    def turns() -> list[Any]:
        recorded = record_of([race], crews_of([race], "human"), "thibault")
        assert referee(recorded, unfinished=True)[0].turn == (race.turn if race.asks != "vote" else 1)
        return list(json.loads(to_json(recorded))["races"][0]["turns"])

    assert race.asks == "vote"
    vote = race.legal_moves[0]
    assert isinstance(vote, Vote)
    assert isinstance(vote.play, Play)
    for cast in (vote, Vote(), vote):
        assert turns() == []
        race.play(cast)
    race.play(race.legal_moves[0])
    play = {"play": vote.play.card, "to": vote.play.to}
    assert turns() == [{"chariot": 0, "votes": {"Livia": play, "Titus": play}, **play}]


def test_only_the_last_race_may_break_off() -> None:
    raw = plain_record()
    del raw["races"][1]["turns"][-3:]
    with pytest.raises(RecordError, match="race 2: it breaks off"):
        referee(from_json(as_json(raw)), unfinished=True)


def test_the_json_is_laid_out_as_published() -> None:
    raw = plain_record()
    assert list(raw) == ["format", "version", "edition", "rules", "boards", "races"]
    assert list(raw["rules"]) == list(offered())
    assert raw["rules"]["laurels"] == [6, 4, 3, 2, 1, 0]
    assert raw["boards"] == [{"name": "A", "sha256": boards()[0].sha256}]
    race = raw["races"][0]
    assert list(race) == ["course", "direction", "chariots", "decks", "turns", "arrivals", "disqualified", "laurels"]
    assert list(race["chariots"][0]) == ["name", "colour", "driver", "riderless"]
    assert {tuple(turn) for turn in race["turns"]} == {("chariot", "play", "to"), ("chariot", "miss", "exchange")}
    assert any(turn.get("exchange", 0) is None for race in plain_record("pro-ludo")["races"] for turn in race["turns"])


def test_the_json_of_piles_and_riderless_chariots_is_laid_out_as_published() -> None:
    race = plain_record("ausgebremst", side="B")["races"][0]
    assert list(race)[3:6] == ["decks", "choices", "turns"]
    assert [chariot["riderless"] for chariot in race["chariots"]] == [True, True, True, False, False, False]
    assert {chariot["driver"] for chariot in race["chariots"]} == {"riderless", "human"}
    assert race["choices"][:3] == [None, None, None]
    for choice, deck in zip(race["choices"][3:], race["decks"][3:], strict=True):
        assert list(choice) == ["deck", "piles", "emperor"]
        assert choice["emperor"] == [4, 3]
        assert [card for pile in [*choice["piles"], choice["emperor"]] for card in pile] == deck
        assert sum(deck) == 84
    assert [turn["chariot"] for turn in race["turns"][:6]] == [3, 3, 4, 4, 5, 5]
    assert all(list(turn) == ["chariot", "draw"] for turn in race["turns"][:6])
    assert next(turn for turn in race["turns"] if "lay" in turn).keys() == {"chariot", "lay", "pile"}
    piles = plain_record("ausgebremst", options={"decks": "standard", "emperor_cards": "none"})["races"][0]["choices"]
    assert [choice and (choice["deck"], choice["emperor"]) for choice in piles] == [None, *[("slow", [])] * 3]
    votes = plain_record("thibault", options={"riderless_moves": "vote"})["races"][0]["turns"]
    assert ("chariot", "votes", "play", "to") in {tuple(turn) for turn in votes}


# ---------------------------------------------------------------------- the edition's name


def test_a_record_names_the_edition_asked_for_or_the_nearest() -> None:
    def name(asked: str, **options: object) -> str:
        race = Race("white", 1, edition=asked, options=options, seed=1)
        return str(record_of([race], crews_of([race], "human"), asked).edition)

    for asked in EDITIONS:
        assert name(asked) == asked
        assert name(asked, crash="yes", first_six="barred") == asked
    assert nearest_editions(edition("pro-ludo").with_options({"schedule": "by_table"})) == ("ravensburger", "pro-ludo")
    assert name("thibault", riderless="none") == "thibault"
    assert name("thibault", riderless="extra") == "ravensburger"
    assert name("fiche", missed_turn="keep", schedule="both_sides", tied_exception="if_cutting",
                first_grid="high_card", next_grid="last_then_seats") == "pro-ludo"  # fmt: skip


# ---------------------------------------------------------------------- the referee notices


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


# ---------------------------------------------------------------------- reading what is no record


GOOD = as_json(plain_record())
NO_RECORDS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "this is not JSON"),
    "truncated": (GOOD[:5000], "this is not JSON: .*line 1, column"),
    "random bytes": (random.Random(1).randbytes(4000), "this is not a record: a record is a UTF-8 text file"),
    "UTF-16": (GOOD.decode().encode("utf-16"), "this is not a record: a record is a UTF-8 text file"),
    "deep lists": (b"[" * 1_000_000, "this is not a record: it is nested too deeply"),
    "deep objects": (b'{"a":' * 1_000_000, "this is not a record: it is nested too deeply"),
    "a thousand digits": (b'{"format":' + b"9" * 10_000 + b"}", "this is not a record: a number in it has thousands"),
    "NaN": (GOOD.replace(b'"play": 6', b'"play": NaN', 1), "this is not JSON: NaN is not a number"),
    "infinity": (GOOD.replace(b'"play": 6', b'"play": -Infinity', 1), "this is not JSON: -Infinity is not a number"),
    "a key twice": (b'{"format": "avecaesar-record", ' + GOOD[1:], "the key 'format' stands twice in one object"),
    "another document": (b"[]", "this is not a record"),
    "null": (b"null", "this is not a record"),
    "a word": (b'"avecaesar-record"', "this is not a record"),
    "only a format": (b'{"format": "avecaesar-record"}', "this is not version 1"),
    "a strange key": (GOOD.replace(b'"edition"', b'"edi\\n\\u0000tion"'), "there is no key 'edi"),
    "a long key": (GOOD.replace(b'"edition"', b'"' + b"e" * 10_000 + b'"'), "there is no key 'eee"),
}  # fmt: skip


@pytest.mark.parametrize("what", NO_RECORDS)
def test_what_is_no_record_is_refused_in_one_line(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, sentence = NO_RECORDS[what]
    file = tmp_path / "x.race.json"
    file.write_bytes(data)
    for command in (["verify"], ["record", "text"], ["record", "json"]):
        assert main([*command, str(file)]) == 2
        told = capsys.readouterr().err
        assert re.match(rf"avecaesar: {re.escape(str(file))}: ({sentence})", told), told
        assert told.count("\n") == 1
        assert told.isprintable() or told[:-1].isprintable()
        assert len(told) < 600


def test_files_that_cannot_be_read_are_refused_in_one_line_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    good = tmp_path / "good.race.json"
    good.write_bytes(GOOD)
    names = [str(tmp_path), "missing.race.json", "two\nlines", "nul\0", "x" * 5000, "", str(good / "under")]
    assert main(["verify", names[0], str(good), *names[1:]]) == 2
    told = capsys.readouterr()
    assert (
        told.out == f"{good}: verified, 3 races, {sum(len(race['turns']) for race in plain_record()['races'])} turns\n"
    )
    lines = told.err.splitlines()
    assert len(lines) == len(names)
    assert lines[0].endswith(f"this is a folder; verify its files with: avecaesar verify {tmp_path}/*.race.json")
    assert lines[1].endswith("missing.race.json: the record cannot be read: No such file or directory")
    assert "two\\nlines: " in lines[2]
    assert lines[3].endswith("no file can have such a name")
    for command in ("text", "json"):
        for name in names:
            assert main(["record", command, name]) == 2
            assert capsys.readouterr().err.count("\n") == 1

    def denied(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("builtins.open", denied)
    assert main(["verify", "secret.race.json"]) == 2
    assert capsys.readouterr().err == "avecaesar: secret.race.json: the record cannot be read: Permission denied\n"


def test_what_is_too_large_is_not_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "/dev/zero"]) == 2
    assert capsys.readouterr().err == "avecaesar: /dev/zero: this is larger than 64 MB, more than a record can be\n"


def test_many_records_have_a_progress_bar_on_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "x.race.json"
    file.write_bytes(GOOD)
    assert main(["verify", *[str(file)] * 25]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert main(["verify", *[str(file)] * 25]) == 0
    told = capsys.readouterr()
    assert "24 of 25" in told.err
    assert told.err.endswith("\r\x1b[K")
    assert told.out.count("verified") == 25


# ---------------------------------------------------------------------- the schema


@pytest.mark.long
def test_the_schema_and_the_reader_agree_about_every_part() -> None:
    """Each part of a record is taken away or replaced by each of these, and an unknown one put beside it."""
    jsonschema.Draft202012Validator.check_schema(schema())
    validator = jsonschema.Draft202012Validator(schema())
    stand_ins: list[Any] = [None, True, False, 0, 3, 6, -1, 250, 10**30, 1.5,
        "", "home", "x" * 201, "a\nb", "fill", [], [1], [None], {}, {"play": 1, "to": 1}]  # fmt: skip
    whole = museum_piece()
    validator.validate(whole)
    verdicts: Counter[bool] = Counter()
    for path in paths(whole, first_only=("decks", "piles")):
        for stand_in in ["taken away", "one more", *stand_ins]:
            raw = copy.deepcopy(whole)
            part: Any = raw
            for key in path[:-1]:
                part = part[key]
            if stand_in == "one more":
                part = part[path[-1]] if path else part
                if not isinstance(part, dict):
                    continue
                part["more"] = {"play": 1, "to": 2}
            elif not path:
                raw = stand_in
            elif stand_in == "taken away":
                del part[path[-1]]
            else:
                part[path[-1]] = stand_in
            valid = validator.is_valid(raw)
            assert valid == readable(raw), (path, stand_in)
            verdicts[valid] += 1
    assert min(verdicts.values()) > 100


def readable(raw: object) -> bool:
    try:
        from_json(as_json(raw))
    except RecordError:
        return False
    return True


def test_the_schema_is_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "schema"]) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed) == schema()
    assert main(["record", "schema", "-o", str(tmp_path / "schema.json")]) == 0
    assert (tmp_path / "schema.json").read_text(encoding="utf-8") == printed


# ---------------------------------------------------------------------- the notation for people


def test_every_kind_of_turn_round_trips_in_the_notation() -> None:
    record = from_json(as_json(museum_piece()))
    text = to_text(record)
    assert from_text(text.encode()) == record
    assert "\n0.  draw1+draw3\n1.  .              6" in text
    assert "lay3on2" in text
    assert "x1(waiting)" in text
    assert "{Livia:4" in text
    for choices in ([None] * 3, museum_piece()["races"][0]["choices"][:1]):
        raw = museum_piece()
        raw["races"][0]["choices"] = choices
        record = from_json(as_json(raw))
        assert from_text(to_text(record).encode()) == record


@pytest.mark.parametrize("riderless", [False, True])
@pytest.mark.parametrize("driver", ["riderless", "human", "I", '"riderless"', "123456"])
def test_nobody_is_taken_for_a_riderless_chariot(driver: str, riderless: bool) -> None:
    raw = museum_piece()
    raw["races"][0]["chariots"][0] |= {"driver": driver, "riderless": riderless}
    record = from_json(as_json(raw))
    assert from_text(to_text(record).encode()) == record


def test_the_text_of_piles_and_votes_teaches_how_to_read_it() -> None:
    def text(*words: Any, **changes: Any) -> str:
        return to_text(from_json(as_json(plain_record(*words, **changes))))

    piles, votes = text("ausgebremst"), text("thibault", options={"riderless_moves": "vote"})
    assert piles.splitlines()[1].startswith("# choice: deck, piles, emperor's cards.  0.: first hand.")
    assert votes.splitlines()[1].startswith("# 4S9b{Livia:4S9b,Marcus:4S9a}: a riderless chariot moved by vote")
    assert text().splitlines()[1] == text("thibault").splitlines()[1] == "record 1"
    assert re.search(r"^I    Celer   \w+ +riderless  \d{6} ", piles, re.MULTILINE)
    assert re.search(r"^II   (\w+) +\w+ +human$", piles, re.MULTILINE)  # his cards stand in his choice
    assert re.search(r"^choice  I    none\nchoice  II   \w+ +[1-6]+ +[1-6]+ +[1-6]+ +emperor 3$", piles, re.MULTILINE)
    assert re.search(r"^0\.   \.  +draw\d\+draw\d  +draw\d\+draw\d  +draw\d\+draw\d\n1\. ", piles, re.MULTILINE)
    for one in (piles, votes):
        assert to_text(from_text(one.encode())) == one


@pytest.mark.parametrize("extra", ["\r", "\x0c", "\u2028", " # äö \t", "\n\n", "| x", '"'])
def test_a_boards_text_comes_through_whatever_is_in_it(extra: str) -> None:
    raw = museum_piece()
    board = parse_board(
        raw["boards"][0]["source"].replace("\n", f" #{extra}\n", 1) + extra.replace("|", "#").replace('"', "#")
    )
    raw["boards"][0] |= {"source": board.source, "sha256": board.sha256}
    record = from_json(as_json(raw))
    assert from_text(to_text(record).encode()) == record


@pytest.mark.parametrize("name", EDITIONS)
def test_a_person_types_only_what_matters(name: str) -> None:
    full = from_json(as_json(plain_record(name)))
    text = to_text(full)
    lines = [line for line in text.splitlines() if line and line.split()[0] not in ("options", "board", "#")]
    typed = "\r\n".join(f"  {' '.join(line.split())}   # and a comment" for line in lines)
    assert from_text(typed.encode()) == full
    assert from_text(b"\xef\xbb\xbf" + text.encode()) == full


def test_what_cannot_be_written_in_the_notation_is_refused() -> None:
    for spoil, sentence in (
        (change(*R, "turns", 0, "to", to=200), "race 1, turn 1: there is no space 200 on white clockwise"),
        (change(*R, "turns", 2, "chariot", to=5), "race 1: there is no chariot 5"),
        (change(*R, "arrivals", to=[5]), "race 1: there is no chariot 5"),
        (remove(*R, "decks", 0), "race 1: 3 chariots have as many decks, not 2"),
        (change(*R, "course", to="red"), "race 1: none of the record's boards"),
    ):
        raw = plain_record()
        spoil(raw)
        with pytest.raises(RecordError, match=sentence):
            to_text(from_json(as_json(raw)))


TEXT = to_text(from_json(GOOD))
MISTYPED = [
    (("record 1", ""), "line 3: this is not a record: it begins with 'record 1'"),
    (("record 1", "record 2"), "line 2: this release reads 'record 1', not 'record 2'"),
    (("edition ravensburger", "edition"), "line 3: write 'edition NAME', once"),
    (("edition ravensburger", "edition house"), "edition: 'house' is not one of the values"),
    (("edition ravensburger", 'edition "a'), "line 3: a quotation mark or bracket is left open"),
    (("hand=3", "hand=7"), "rules, hand: expected `int` <= 6"),
    (("hand=3", "hand"), "line 4: options are written NAME=VALUE, each once, not 'hand'"),
    (("hand=3", "hand=3 hand=3"), "line 4: options are written NAME=VALUE, each once, not 'hand=3'"),
    (("hand=3", "handy=3"), "rules: there is no key 'handy'"),
    (("board A", "| text\nboard A"), r"line \d: a line of a board's text stands after its 'board'"),
    (("board A", "source x\nboard A"), r"line \d: write 'source \"TEXT\"' after its board, once"),
    (("board A", "board A B"), r"line \d: write 'board NAME SHA256'"),
    (("race white clockwise", "race white"), r"line \d+: write 'race COURSE clockwise'"),
    (("race white clockwise", "race white up"), r"line \d+: write 'race COURSE clockwise'"),
    (("race white clockwise", "race green clockwise"), "line .*: none of the record's boards has a course 'green'"),
    (("race white clockwise", ""), r"line \d+: this stands before any 'race COURSE DIRECTION'"),
    (("race white clockwise", "race white clockwise\nIII x"), r"line \d+: place III stands where place I should"),
    (("race white clockwise", "race white clockwise\nI Livia"), r"line \d+: write 'I NAME COLOUR DRIVER' and the 24"),
    (("race white clockwise", "race white clockwise\nI a b c\nrace white clockwise"), "race 1: place I has neither"),
    (("race white clockwise", "horse white clockwise"), r"line \d+: 'horse' begins no line"),
    (("\n2. ", "\n0. "), r"line \d+: round 0\. stands where round 2\. should"),
    (("\n1. ", "\n2. "), r"line \d+: round 2\. stands where round 1\. should"),
    (("\n1. ", "\n1. . . . "), r"line \d+: a round of 3 chariots has no more turns than that"),
    (("\n1. ", "\n1. 6Z9z\n2. "), r"line \d+: there is no space 'Z9z' on white clockwise"),
    (("\n1. ", "\n1. 9S9b 9S9b 9S9b # "), "race 1, turn 1, play: expected `int` <= 6"),
    (("\n1. ", "\n1. 6S9b+\n2. "), r"line \d+: '6S9b\+' is no turn"),
    (("\n1. ", "\n1. swerve\n2. "), r"line \d+: 'swerve' is no turn: write"),
    (("\n1. ", "\n1. -(tired) . . # "), "race 1, turn 1, miss: 'tired' is not one of the values"),
    (("\n1. ", "\n1. 4S9b{Livia}\n2. "), r"line \d+: 'Livia' are no votes"),
    (("\n1. ", "\n1. 4S9b{a:4S9b,a:4S9b}\n2. "), r"line \d+: 'a:4S9b' are no votes"),
    (("\n1. ", '\n1. 4S9b{"\\x":4S9b}\n2. '), r"line \d+: .* is not quoted as in JSON"),
    (("arrivals ", "arrivals I\narrivals "), r"line \d+: 'arrivals' stands a second time"),
    (("arrivals ", "arrivals X "), r"line \d+: 'X' is no place from I to VI"),
    (("laurels ", "laurels 1\nlaurels "), r"line \d+: 'laurels' stands a second time"),
    (("laurels ", "laurels many "), r"race 1, laurels\[0\]: expected `int`, got `str`"),
    (("laurels ", "choice II none\nlaurels "), r"line \d+: write 'choice PLACE DECK PILE PILE PILE"),
    (("laurels ", "choice I slow 6 x 3\nlaurels "), r"line \d+: a pile is written as its cards"),
    (("laurels ", "choice I slow 6 5 3 caesar 4\nlaurels "), r"line \d+: the cards put aside are written at the end"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "sentence"), MISTYPED)
def test_what_is_mistyped_is_told_with_its_line(
    change: tuple[str, str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.race.txt"
    assert change[0] in TEXT
    file.write_text(TEXT.replace(*change, 1), encoding="utf-8")
    assert main(["record", "json", str(file)]) == 2
    told = capsys.readouterr().err
    assert re.match(rf"avecaesar: {re.escape(str(file))}: {sentence}", told), told
    assert told.count("\n") == 1


def test_records_are_converted_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start, text, back = tmp_path / "a.race.json", tmp_path / "a.race.txt", tmp_path / "b.race.json"
    write_record(record_for(11), start)
    assert main(["record", "text", str(start), "-o", str(text)]) == 0
    assert main(["record", "json", str(text), "-o", str(back)]) == 0
    assert back.read_bytes() == start.read_bytes()
    assert main(["record", "text", str(start)]) == 0
    assert capsys.readouterr().out == text.read_text(encoding="utf-8")
    write_record(record_for(11), tmp_path / "c.race.txt")
    assert (tmp_path / "c.race.txt").read_bytes() == text.read_bytes()
    assert main(["verify", str(text)]) == 0
    assert verified(text)[0] == read_record(start) == record_for(11)


def test_printed_records_are_utf_8_in_every_language(tmp_path: Path) -> None:
    file = tmp_path / "a.race.json"
    race = run(Race("white", ["Ænea", "Łucja"], seed=1), "random", random.Random(1))
    write_record(record_of([race], [[Crew("red", "human"), Crew("blue", "human")]], "ravensburger"), file)
    printed = subprocess.run(
        [sys.executable, "-m", "avecaesar", "record", "json", str(file)],
        capture_output=True, check=True, env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert printed.stdout == file.read_bytes()


# ---------------------------------------------------------------------- writing whole or not at all


def test_a_new_file_has_the_rights_that_the_umask_leaves(tmp_path: Path) -> None:
    file = tmp_path / "x"
    before = os.umask(0o027)
    try:
        write_atomically(file, b"new")
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["x"]


def test_an_old_file_is_replaced_and_keeps_its_rights_and_links(tmp_path: Path) -> None:
    file, link = tmp_path / "x", tmp_path / "link"
    file.write_bytes(b"old")
    file.chmod(0o600)
    link.symlink_to(file)
    write_atomically(link, b"new")
    assert file.read_bytes() == b"new"
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_pipe_or_device_is_simply_written_to(tmp_path: Path) -> None:
    write_atomically("/dev/null", b"x")
    assert Path("/dev/null").is_char_device()


FULL_DISK = """
import resource, signal, sys
from avecaesar.files import write_atomically
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_atomically(sys.argv[1], b"n" * 100_000)
except OSError as error:
    print(error.filename, error.strerror)
"""


@pytest.mark.parametrize("old", [b"old", None])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(old: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "x.race.json"
    if old is not None:
        file.write_bytes(old)
    told = subprocess.run([sys.executable, "-c", FULL_DISK, str(file)], capture_output=True, check=True, text=True)
    assert told.stdout == f"{file} File too large\n"
    assert os.listdir(tmp_path) == ([] if old is None else ["x.race.json"])
    assert old is None or file.read_bytes() == old


def test_a_full_disk_is_status_1_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    assert main(["record", "schema", "-o", str(tmp_path / "schema.json")]) == 1
    assert capsys.readouterr().err == f"avecaesar: {tmp_path}/schema.json: No space left on device\n"
    assert os.listdir(tmp_path) == []
    monkeypatch.undo()
    assert main(["record", "schema", "-o", str(tmp_path)]) == 2  # a place that nobody can write to was named
    assert main(["record", "schema", "-o", str(tmp_path / "no" / "folder")]) == 2
    assert capsys.readouterr().err.count("\n") == 2


KILLED = """
import os, sys
from avecaesar.files import write_atomically
def stop(*_):
    print("now", flush=True)
    sys.stdin.read()
setattr(os, sys.argv[2], stop)
write_atomically(sys.argv[1], b"n" * 100_000)
"""


@pytest.mark.parametrize("moment", ["fsync", "replace"])
def test_a_kill_in_the_middle_leaves_the_old_file_whole(moment: str, tmp_path: Path) -> None:
    file = tmp_path / "x.race.json"
    file.write_bytes(b"old")
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(file), moment], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"now\n"
        writer.send_signal(signal.SIGKILL)
    assert file.read_bytes() == b"old"


def test_an_interrupted_write_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "x", b"new")
    assert os.listdir(tmp_path) == []


# ---------------------------------------------------------------------- words


def test_words_are_repeated_on_one_line() -> None:
    assert plain("a\nb\x00\u2028\udc80ü🐎") == "a\\nb\\x00\\u2028\\udc80ü🐎"
    assert len(plain("x" * 10**6)) == 400
    assert str(RecordError("a\tb")) == "a\\tb"
    assert str(RecordError("this is wrong", "x/" * 1000)).endswith("x/: this is wrong")


def test_the_example_in_the_manual_is_a_race_that_was_run() -> None:
    (text,) = re.findall(r"```\n(# Ave Caesar!.*?)```", DOCS, re.DOTALL)
    record = from_text(text.encode())
    referee(record)
    assert to_text(record) == text


def test_the_race_in_the_manual_that_was_broken_off_was_run() -> None:
    (text,) = re.findall(r"```\n(record 1\n.*?)```", DOCS, re.DOTALL)
    record = from_text(text.encode())
    (race,) = referee(record, unfinished=True)
    assert not race.over
    assert text.partition("\n\n")[2].rstrip() in to_text(record)


def test_the_python_in_the_manual_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for code in re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL):
        exec(compile(code, "records.md", "exec"), {})
    assert main(["verify", "my.race.json"]) == 0


def test_every_command_in_the_manual_can_be_typed() -> None:
    commands = re.findall(r"^avecaesar (.*)$", DOCS, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        assert parser().parse_args(shlex.split(command, comments=True)).run


def test_a_long_line_is_read_in_good_time() -> None:
    with pytest.raises(RecordError, match="options are written"):
        from_text(b"record 1\nedition ravensburger\noptions" + b" a" * 2_000_000)
    board = b"record 1\nboard x " + b"0" * 64 + b"\n" + b"|\n" * 1_000_000
    with pytest.raises(RecordError, match="at most 64 KiB"):
        from_text(board)


def test_the_manual_names_every_key() -> None:
    named = set(re.findall(r"(\w+)`", DOCS))
    for part in schema()["$defs"].values():
        for kind in part.get("oneOf", [part]):
            assert set(kind["properties"]) - set(OPTIONS) <= named


def test_the_course_of_a_record_is_the_course_itself() -> None:
    (race,) = referee(record_for(0))
    assert race.course is load_course(race.course.name, race.course.direction)
