"""How each colour of chariot looks, wherever it is drawn: `liveries.toml`, for posters, the terminal and the page."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

import msgspec


class Letter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chariot in the terminal: its letter's ink and the paint behind it."""

    paint: str
    ink: str


class Livery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chariot's paint, ink, edge and sign: path data within a circle of radius 10."""

    paint: str
    ink: str
    edge: str
    sign: str
    terminal: Letter


@cache
def liveries() -> dict[str, Livery]:
    """All of them by their colours, in the order in which colours are given out.

    >>> list(liveries())
    ['red', 'blue', 'green', 'yellow', 'white', 'black']
    """
    text = resources.files("avecaesar.telling").joinpath("liveries.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Livery])


def livery_of(colour: str) -> Livery:
    """How a colour looks; a record may have colours that are not ours."""
    return liveries().get(colour, liveries()["white"])
