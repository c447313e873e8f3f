"""What has not the shape that it should have: msgspec's complaints, as we say them."""

from __future__ import annotations

import re
from collections.abc import Callable

from avecaesar.speech import say

WORDINGS = (
    (r"Object missing required field `(.*)`", "the key '{what}' is missing"),
    (r"Object contains unknown field `(.*)`", "there is no key '{what}' here"),
    (r"Invalid (?:enum )?value (.*)", "{what} is not one of the values that can stand here"),
    (r"(Expected `str` matching regex .*)", "this text has characters that cannot stand here"),
    (r"Expected (`.*)", "expected {what}"),
    (r"JSON is malformed: (.*)", "this is not JSON: {what}"),
    (r"(Input data was truncated)", "this is not JSON: it ends in the middle"),
)


def path_of(path: str) -> str:
    """Where msgspec found it, as one would write it in a program.

    >>> path_of("`$.seats[0].name`")
    'seats[0].name'
    """
    return path.strip("`").removeprefix("$").lstrip(".")


def in_words(message: str, place: Callable[[str], str] = path_of) -> str:
    """What is wrong and where.

    >>> in_words("Expected `int`, got `str` - at `$.seats[0].name`")
    'seats[0].name: expected `int`, got `str`'
    """
    problem, _, path = message.partition(" - at ")
    for pattern, wording in WORDINGS:
        if told := re.fullmatch(pattern, problem, re.DOTALL):
            problem = say(wording, what=told[1])
            break
    where = place(path)
    return f"{where}: {problem}" if where else problem
