"""Boards that are large, too large or hard to work out, and records on them."""

from __future__ import annotations

import json
import random
from string import ascii_uppercase
from typing import Any

from avecaesar.courses import compile_course, read_board
from avecaesar.courses.board import digest_of
from avecaesar.game import Race
from avecaesar.records import record_of, to_json
from recordings import crews_of, run
from situations import PLAIN

BOARD = PLAIN.read_text(encoding="utf-8")
LARGE = """board large
courses z
S straight 4 4 4 4 4 4 | 4 4 4 4 4 4
{sections}
alley 3 line 2 from S4a to S8a
grid clockwise S6a S6b S6c S6d S5a S5b
grid anticlockwise S7a S7b S7c S7d S8a S8b
""".format(sections="\n".join(f"{name * 2} straight {'4 ' * 8}" for name in ascii_uppercase[:6]))


def with_blue(*sections: str) -> str:
    """The plain board with another second course, which no race of ours is run on."""
    before, rest = BOARD.split("\nblue\n")
    return "\n".join([before, "blue", *sections, "join" + rest.split("join")[1]])


def long_straight(spaces: int) -> str:
    return f"z straight {'1 ' * spaces}"


HUGE = with_blue(long_straight(30_000))  # the attack of the review, as far as a board's size allows
UNRACEABLE = with_blue(long_straight(300))  # counted when it is compiled


def record_on(source: str) -> dict[str, Any]:
    """A race on white of the plain board, which says that its board is another one."""
    race = run(
        Race(compile_course(read_board(PLAIN), "white"), ["Livia", "Marcus"], seed=4), "careful", random.Random(4)
    )
    raw: dict[str, Any] = json.loads(to_json(record_of([race], crews_of([race], "human"), "ravensburger")))
    raw["boards"][0] |= {"source": source, "sha256": digest_of(source)}
    return raw
