"""`avecaesar record`: the format of records, and records as texts for people and back."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from avecaesar.cli.words import examples
from avecaesar.files import write_atomically
from avecaesar.records import read_record, schema, to_json, to_text

A_RECORD = "a record, *.race.json or the notation for people *.race.txt"


def define(parser: argparse.ArgumentParser) -> None:
    """What can be typed."""
    parser.description = (
        "A record holds a race or a tournament, from the deal to the laurels; docs/records.md explains it."
    )
    parser.epilog = examples(
        "avecaesar record text my.race.json -o my.race.txt",
        "avecaesar record json my.race.txt -o my.race.json",
        "avecaesar record schema",
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True, parser_class=type(parser))

    def command(name: str, run: Any, words: str, example: str) -> Any:
        sub = actions.add_parser(
            name, help=words, description=f"{words[0].upper()}{words[1:]}.", epilog=examples(example)
        )
        sub.add_argument("-o", "--output", type=Path, metavar="FILE", help="write it there (default: print it)")
        sub.set_defaults(run=run)
        return sub

    command("schema", put_schema, "print the JSON Schema of records", "avecaesar record schema -o record.schema.json")
    sub = command("text", put_text, "a record in the notation for people", "avecaesar record text my.race.json")
    sub.add_argument("file", metavar="FILE", help=A_RECORD)
    sub = command(
        "json", put_json, "a record as JSON, for other programs", "avecaesar record json my.race.txt -o my.race.json"
    )
    sub.add_argument("file", metavar="FILE", help=A_RECORD)


def put_schema(options: argparse.Namespace) -> None:
    """The schema, laid out to be read."""
    _put(json.dumps(schema(), indent=2).encode() + b"\n", options.output)


def put_text(options: argparse.Namespace) -> None:
    """Into the notation for people."""
    _put(to_text(read_record(options.file)).encode(), options.output)


def put_json(options: argparse.Namespace) -> None:
    """Into JSON."""
    _put(to_json(read_record(options.file)), options.output)


def _put(data: bytes, output: Path | None) -> None:
    if output is not None:
        write_atomically(output, data)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)  # UTF-8, whatever the terminal's language
