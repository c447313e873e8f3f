"""What is no record is refused in one line, and the schema and the reader agree about every part."""

from __future__ import annotations

import copy
import errno
import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from avecaesar.cli import main
from avecaesar.errors import plain
from avecaesar.records import RecordError, from_json, from_text, schema
from recordings import as_json, museum_piece, paths, plain_record

GOOD = as_json(plain_record())


# ---------------------------------------------------------------------- reading what is no record

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


# ---------------------------------------------------------------------- words and long lines


def test_words_are_repeated_on_one_line() -> None:
    assert plain("a\nb\x00\u2028\udc80ü🐎") == "a\\nb\\x00\\u2028\\udc80ü🐎"
    assert len(plain("x" * 10**6)) == 400
    assert str(RecordError("a\tb")) == "a\\tb"
    assert str(RecordError("this is wrong", "x/" * 1000)).endswith("x/: this is wrong")


def test_a_long_line_is_read_in_good_time() -> None:
    with pytest.raises(RecordError, match="options are written"):
        from_text(b"record 1\nedition ravensburger\noptions" + b" a" * 2_000_000)
    board = b"record 1\nboard x " + b"0" * 64 + b"\n" + b"|\n" * 1_000_000
    with pytest.raises(RecordError, match="at most 64 KiB"):
        from_text(board)
