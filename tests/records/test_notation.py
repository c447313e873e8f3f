"""The notation of records for people: it comes through as it was, and what is mistyped is told with its line."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from avecaesar.cli import main
from avecaesar.courses import load_course, parse_board
from avecaesar.game import Play, Race, Vote
from avecaesar.records import (
    Crew,
    RecordError,
    from_json,
    from_text,
    read_record,
    record_of,
    referee,
    to_text,
    verified,
    write_record,
)
from avecaesar.records.notation import notation_of
from avecaesar.records.parser import moves_of
from avecaesar.rules import EDITIONS
from recordings import as_json, change, museum_piece, plain_record, record_for, remove, run

R = ("races", 0)

GOOD = as_json(plain_record())


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
