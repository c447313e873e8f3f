"""What people get wrong, told in one sentence on one line."""

from __future__ import annotations

LONGEST_MESSAGE = 400


class BadInput(ValueError):
    """Something that somebody typed, wrote or chose is wrong, and this is what: exit status 2."""


def plain(text: object, limit: int = LONGEST_MESSAGE) -> str:
    r"""Somebody's text on one line, fit to be repeated to him: control characters are spelled out.

    >>> plain("two\nlines")
    'two\\nlines'
    """
    start = str(text)[: limit + 1]
    clean = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in start)
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"
