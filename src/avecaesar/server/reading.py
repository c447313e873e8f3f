"""What comes from outside, read into its shape or refused in a sentence."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, TypeVar

import msgspec

from avecaesar.errors import BadInput, plain
from avecaesar.speech import say

T = TypeVar("T")

# What msgspec says, as we say it.
WORDINGS = (
    (r"Object missing required field `(.*)`", "'{what}' is missing"),
    (r"Object contains unknown field `(.*)`", "there is no '{what}' here"),
    (r"Invalid (?:enum )?value (.*)", "{what} is not one of the values that can stand here"),
    (r"(Expected `str` matching regex .*)", "this text has characters that cannot stand here"),
    (r"Expected (`.*)", "expected {what}"),
    (r"JSON is malformed: (.*)", "this is not JSON: {what}"),
    (r"(Input data was truncated)", "this is not JSON: it ends in the middle"),
)


class Unreadable(BadInput):
    """Something that was sent has not the shape that it should have."""


def read(data: bytes | str, shape: Any) -> Any:
    """JSON in a shape, or Unreadable."""
    try:
        return _decoder(shape).decode(data)
    except msgspec.MsgspecError as error:
        raise Unreadable(in_words(str(error))) from None
    except RecursionError:
        raise Unreadable("this is nested too deeply") from None
    except (UnicodeError, ValueError):
        raise Unreadable("this is not a text in UTF-8") from None


def read_words(words: dict[str, str], shape: type[T]) -> T:
    """What stands in an address, in a shape; numbers are written as words there."""
    try:
        return msgspec.convert(words, shape, strict=False)
    except msgspec.MsgspecError as error:
        raise Unreadable(in_words(str(error))) from None


def in_words(message: str) -> str:
    """What is wrong and where.

    >>> in_words("Expected `int`, got `str` - at `$.seats[0].name`")
    'seats[0].name: expected `int`, got `str`'
    """
    problem, _, path = message.partition(" - at ")
    for pattern, wording in WORDINGS:
        if told := re.fullmatch(pattern, problem, re.DOTALL):
            problem = say(wording, what=told[1])
            break
    where = path.strip("`").removeprefix("$").lstrip(".")
    return plain(f"{where}: {problem}" if where else problem)


@cache
def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(shape)
