"""What messages are made of: names, numbers and words, each within its limits."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from avecaesar.game import COLOURS
from avecaesar.game.numbers import SeatNumber
from avecaesar.rules import EDITIONS, MOST_CHARIOTS

LONGEST_NAME = 24
LONGEST_SAYING = 300

# Text for people has no blanks around it and no half characters; `legible.fault_in` says what else it must not have.
END = r"$(?!\n)"  # the very end; `$` alone lets a line end through here, and `\Z` means nothing to other languages
_PLAIN = rf"^(?![\s\S]*[\ud800-\udfff])\S([\s\S]*\S)?{END}"
PersonName = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, pattern=_PLAIN)]
Saying = Annotated[str, Meta(min_length=1, max_length=LONGEST_SAYING, pattern=_PLAIN)]
Colour = Literal[COLOURS]  # type: ignore[valid-type]
EditionName = Literal[tuple(EDITIONS)]  # type: ignore[valid-type]
CheckedSeat = Annotated[SeatNumber, Meta(ge=0, le=MOST_CHARIOTS - 1)]  # as somebody sends it
CommandId = Annotated[str, Meta(min_length=1, max_length=64, pattern=f"^[0-9A-Za-z_-]+{END}")]
EventNumber = Annotated[int, Meta(ge=0, le=2**53)]
CheckedShare = Annotated[str, Meta(min_length=32, max_length=32, pattern=f"^[0-9a-f]{{32}}{END}")]
Token = Annotated[str, Meta(min_length=16, max_length=128, pattern=f"^[0-9A-Za-z_-]+{END}")]
CheckedDigest = Annotated[str, Meta(min_length=64, max_length=64, pattern=f"^[0-9a-f]{{64}}{END}")]
CourseName = Annotated[str, Meta(min_length=1, max_length=64)]
Phrase = Literal["ave", "well-driven", "make-way", "hurry", "sorry", "close", "again"]
SeatKind = Literal["here", "friend", "driver"]  # at this screen, with a link, by the computer
Phase = Literal["gathering", "racing", "podium", "over"]  # podium: between two races
