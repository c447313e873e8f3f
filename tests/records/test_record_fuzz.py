"""Whatever the readers of records, boards and saved games are given, they read it or refuse it in one sentence.

`python tests/records/test_record_fuzz.py --inputs 100000 --seed 1` tries more than the tests do.
"""

from __future__ import annotations

import argparse
import copy
import json
import multiprocessing
import random
import re
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from avecaesar.cli import main as command
from avecaesar.courses import DIRECTIONS, BoardError, boards, compile_course, parse_board
from avecaesar.records import RecordError, from_json, from_text, referee, to_json, to_text
from avecaesar.table import SaveError, Setup, Table, seats_for
from checkout import ROOT
from recordings import museum_piece, paths, plain_record, record_for
from situations import PLAIN

MANUAL = ROOT / "docs" / "writing-boards.md"
STAND_INS: list[Any] = [
    None, True, False, 0, 1, 3, 6, 7, -1, 249, 255, 2**63, 10**40, 1.0, 1e308, "", "home", "x", "a\nb", "\0", "\ud800",
    "fill", "blocked", "ausgebremst", "white", [], [[]], {}, {"play": 1, "to": 1}, "é" * 300,
    "fast", {"deck": "slow"}, {"deck": "fast", "piles": [[6], [5], [4]], "emperor": [3]}, {"chariot": 1, "draw": 2},
]  # fmt: skip
SCRAPS = [
    *(bytes([c]) for c in b'\0\xff"{}[]:,\\\n\r #|.+-=/016'), "🐎".encode(), b"\\ud800", b"9" * 20, b"1e999",
    *(b"NaN null true home x5 -(barred) draw2 lay3on1 {Livia:4S9b} crash withdraw riderless emperor none".split()),
    *(b"0. slow fill vote from_piles chariots_each=2 riderless_count=3".split()), b"choice I fast 66 55 44",
    *(b"board straight curve left walled dashed fork join alley grid S1a alley1".split()),
    b"race white clockwise", b"at 1 1", b"heading 90", b"[" * 3000, b"9" * 5000,
]  # fmt: skip


@cache
def corpus() -> tuple[tuple[bytes, ...], tuple[bytes, ...], tuple[bytes, ...]]:
    """Sound records as JSON, as text, and sound boards."""
    whole = [
        museum_piece(),
        plain_record("ausgebremst", side="B"),
        plain_record("thibault", options={"riderless_moves": "vote"}),
        plain_record("pro-ludo", players=2, options={"chariots_each": 2}),
    ]
    records = [record_for(seed) for seed in (0, 3, 8, 11, 19, 32)]
    records += (from_json(json.dumps(raw).encode()) for raw in whole)
    manual = re.findall(r"```\n(board .*?)```", MANUAL.read_text(encoding="utf-8"), re.DOTALL)
    texts = [*(board.source for board in boards()), PLAIN.read_text(encoding="utf-8"), *manual]
    return (
        tuple(to_json(record) for record in records),
        tuple(to_text(record).encode() for record in records),
        tuple(text.encode() for text in texts),
    )


# ---------------------------------------------------------------------- spoiling


def spoil_bytes(data: bytes, source: random.Random) -> bytes:
    """Cut, doubled, moved, overwritten, mixed with scraps of its own language."""
    spoiled = bytearray(data)
    for _ in range(source.choice([1, 1, 1, 2, 5, 30])):
        a, b = sorted(source.randrange(len(spoiled) + 1) for _ in range(2))
        b = min(b, a + source.choice([1, 2, 10, 100, 10**6]))
        match source.randrange(6):
            case 0:
                del spoiled[a:b]
            case 1:
                spoiled[a:a] = spoiled[a:b]
            case 2:
                spoiled[a:a] = source.choice(SCRAPS)
            case 3:
                spoiled[a : a + 1] = bytes([source.randrange(256)])
            case 4:
                spoiled[a:b] = source.choice(SCRAPS)
            case 5:
                spoiled[a : a + 1] = source.choice(b"0123456789abcdSCN .,:-|#").to_bytes()
    return bytes(spoiled[:200_000])


def spoil_words(data: bytes, source: random.Random) -> bytes:
    """Words put in the place of others of the same text, or lines."""
    apart = source.choice([rb"(\s+)", rb"(\n)"])
    words = re.split(apart, data)
    for _ in range(source.choice([1, 1, 2, 4])):
        words[source.randrange(len(words))] = source.choice([*words, source.choice(SCRAPS)])
    return b"".join(words)


def spoil_json(data: bytes, source: random.Random) -> bytes:
    """Well-formed JSON with parts replaced, taken away or exchanged for others of the same record."""
    raw: Any = json.loads(data)
    for _ in range(source.choice([1, 1, 2, 5])):
        if not isinstance(raw, dict | list):
            break
        ways = list(paths(raw, first_only=()))
        way, other = source.choice(ways), source.choice(ways)
        if not way:
            continue
        part = follow(raw, way[:-1])
        what = source.randrange(4)
        if what == 0:
            del part[way[-1]]
        else:
            part[way[-1]] = copy.deepcopy(follow(raw, other) if what == 1 else source.choice(STAND_INS))
    return json.dumps(raw).encode()


def follow(raw: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        raw = raw[key]
    return raw


def spoiled(source: random.Random) -> tuple[str, bytes]:
    """Which reader to try, and what to give it."""
    jsons, texts, board_texts = corpus()
    match source.randrange(8):
        case 0:
            return source.choice(["json", "text", "board"]), source.randbytes(source.randrange(300))
        case 1:
            return "json", spoil_bytes(source.choice(jsons), source)
        case 2 | 3:
            return "json", spoil_json(source.choice(jsons), source)
        case 4:
            return "text", spoil_bytes(source.choice(texts), source)
        case 5:
            return "text", spoil_words(source.choice(texts), source)
        case 6:
            return "board", spoil_bytes(source.choice(board_texts), source)
        case _:
            return "board", spoil_words(source.choice(board_texts), source)


# ---------------------------------------------------------------------- trying


def attempt(reader: str, data: bytes, source: random.Random) -> str:
    """Read and referee, or compile: what came of it. Anything but a sentence of one line is an error."""
    try:
        if reader == "board":
            board = parse_board(data.decode("utf-8", errors="surrogateescape"))
            compile_course(board, source.choice(board.courses), source.choice(DIRECTIONS))
        else:
            record = from_json(data) if reader == "json" else from_text(data)
            referee(record, unfinished=True)
            assert from_json(to_json(record)) == record
            assert from_text(to_text(record).encode()) == record
    except (RecordError, BoardError) as error:
        told = str(error)
        assert told, "refused without a word"
        assert len(told.splitlines()) == 1, f"more than a line: {told!r}"
        assert told.isprintable() or reader == "board", f"not to be printed: {told!r}"
        assert len(told) < 1000, f"more than a sentence: {told[:100]!r}…"
        return f"{reader} refused"
    return f"{reader} read"


@settings(max_examples=400)
@given(st.randoms(use_true_random=False))
def test_spoiled_records_and_boards_are_read_or_refused(source: random.Random) -> None:
    attempt(*spoiled(source), source)


@settings(max_examples=150)
@given(st.binary(max_size=500), st.sampled_from(["json", "text", "board"]))
def test_garbage_is_refused(data: bytes, reader: str) -> None:
    assert attempt(reader, data, random.Random(1)).endswith("refused")


@settings(max_examples=150)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda part: st.lists(part) | st.dictionaries(st.text(), part),
    ),
    st.randoms(use_true_random=False),
)
def test_any_json_in_the_place_of_any_part_is_read_or_refused(stand_in: Any, source: random.Random) -> None:
    raw = json.loads(source.choice(corpus()[0]))
    way = source.choice(list(paths(raw, first_only=()))[1:])
    follow(raw, way[:-1])[way[-1]] = stand_in
    attempt("json", json.dumps(raw).encode(), source)
    attempt("json", json.dumps(stand_in).encode(), source)


def saves() -> list[bytes]:
    """Saved games: before a deck is sorted, in the middle of a vote, in a race of teams."""
    vote = {"riderless_moves": "vote"}
    found = []
    for decisions, edition, options in (
        (4, "ausgebremst", {}),
        (2, "thibault", vote),
        (60, "fiche", {"chariots_each": "2"}),
    ):
        table = Table(Setup(seats_for(["random"] * 3), edition=edition, options=options, course="red", seed=4))
        for _ in range(decisions):
            table.play(table.computers_move())
        found.append(table.to_json())
    return found


def test_spoiled_saves_are_taken_up_or_refused() -> None:
    sound = saves()
    for seed in range(300):
        source = random.Random(seed)
        spoil = source.choice([spoil_json, spoil_json, spoil_bytes])
        try:
            table = Table.from_json(spoil(source.choice(sound), source))
        except SaveError as error:
            told = str(error)
            assert told.isprintable(), seed
            assert len(told) < 1000, seed
        else:
            assert table.race.over or table.race.legal_moves, seed


def test_verify_says_it_in_one_line_and_by_its_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(300):
        source = random.Random(seed)
        reader, data = spoiled(source)
        file = tmp_path / ("x.race.txt" if reader == "text" else "x.race.json")
        file.write_bytes(data)
        status = command(["verify", str(file)])
        told = capsys.readouterr()
        assert (status, told.out.count("\n"), told.err.count("\n")) in ((0, 1, 0), (2, 0, 1)), seed


# ---------------------------------------------------------------------- many more


def attempt_many(span: tuple[int, int, int]) -> Counter[str]:
    seed, first, stop = span
    results: Counter[str] = Counter()
    for number in range(first, stop):
        source = random.Random(f"{seed}/{number}")
        reader, data = spoiled(source)
        try:
            results[attempt(reader, data, source)] += 1
        except BaseException as error:
            error.add_note(f"This was input {number} of seed {seed}: {reader}, {data[:300]!r}")
            raise
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description="Give the readers of records and boards all sorts of things.")
    parser.add_argument("--inputs", type=int, default=10_000, help="how many (default 10,000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    options = parser.parse_args()
    size = 200
    starts = range(0, options.inputs, size)
    spans = [(options.seed, first, min(first + size, options.inputs)) for first in starts]
    begun, results, done = time.monotonic(), Counter[str](), 0
    with multiprocessing.Pool(options.jobs) as pool:
        for part in pool.imap_unordered(attempt_many, spans):
            results += part
            done += part.total()
            if sys.stderr.isatty() or done % 10_000 < size:
                print(f"\r{done:>9,} of {options.inputs:,} inputs", end="", file=sys.stderr, flush=True)
    print(f"\n{done:,} inputs, seed {options.seed}: no traceback, every refusal one sentence "
          f"({time.monotonic() - begun:.0f} s on {options.jobs} processes).")  # fmt: skip
    for what, count in sorted(results.items()):
        print(f"  {what:16} {count:>9,}")


if __name__ == "__main__":
    main()
