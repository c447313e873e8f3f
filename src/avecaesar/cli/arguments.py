"""Arguments that several commands take."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence

from avecaesar.rules import RulesError


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """The type of an argument that is a whole number from `least` to `most`."""

    def read(text: str) -> int:
        if not re.fullmatch("[0-9]{1,30}", text) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {least} to {most}")
        return int(text)

    return read


def read_options(words: Sequence[str]) -> dict[str, object]:
    """House rules as they are typed, NAME=VALUE each.

    >>> read_options(["crash=yes", "hand=4"])
    {'crash': 'yes', 'hand': '4'}
    """
    changes: dict[str, object] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise RulesError(f"an option is written NAME=VALUE, not '{word}'")
        changes[name] = value
    return changes
