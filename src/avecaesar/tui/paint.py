"""Colours: two palettes, night and day, and the chariots' own. Nothing is told by colour alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from textual.theme import Theme

from avecaesar.courses import Course


@dataclass(frozen=True, slots=True)
class Palette:
    """What the table is painted with."""

    ground: str  # around the course
    road: str
    alley: str
    bottleneck: str
    inks: dict[str, str]  # of the drawing, by the names of its inks
    edges: dict[str, str]  # of the courses, by their names
    text: str
    quiet: str
    good: str
    bad: str
    gold: str
    target: Style
    chosen: Style
    trail: str
    card: Style
    card_chosen: Style
    card_barred: Style
    bar: Style  # the line on top of the screen


NIGHT = Palette(
    ground="#14161a",
    road="#3a3122",
    alley="#43233f",
    bottleneck="#5c4415",
    inks={
        "line": "#ffffff",
        "arrow": "#ff8a70",
        "bottleneck": "#ffd54a",
        "alley": "#e79be0",
        "wall": "#ff9d5c",
        "lane": "#d8c79a",
        "rung": "#9c8a5c",
        "space": "#b5a277",
    },
    edges={"white": "#f4efe2", "blue": "#6fb0ff", "yellow": "#ffd84a", "red": "#ff7d6b"},
    text="#e8e4da",
    quiet="#9a968c",
    good="#86d993",
    bad="#ff8577",
    gold="#ffd54a",
    target=Style(color="#1a1400", bgcolor="#e8c33a", bold=True),
    chosen=Style(color="#000000", bgcolor="#ffffff", bold=True),
    trail="#ffe88a",
    card=Style(color="#241c0c", bgcolor="#d8cbab", bold=True),
    card_chosen=Style(color="#000000", bgcolor="#ffd54a", bold=True),
    card_barred=Style(color="#8f8a7c", bgcolor="#33312c"),
    bar=Style(color="#f6e7c1", bgcolor="#6d1f1f", bold=True),
)
DAY = Palette(
    ground="#f1f0e6",
    road="#e6d2a4",
    alley="#dcbfe0",
    bottleneck="#d3ac52",
    inks={
        "line": "#000000",
        "arrow": "#b3261e",
        "bottleneck": "#6b3d00",
        "alley": "#7a2d78",
        "wall": "#8a3200",
        "lane": "#85703e",
        "rung": "#b39a62",
        "space": "#6f5b2e",
    },
    edges={"white": "#57534a", "blue": "#14509e", "yellow": "#8a6100", "red": "#b3261e"},
    text="#24221d",
    quiet="#66625a",
    good="#1d6b31",
    bad="#b3261e",
    gold="#7a5200",
    target=Style(color="#1a1400", bgcolor="#ffcf33", bold=True),
    chosen=Style(color="#ffffff", bgcolor="#000000", bold=True),
    trail="#a02020",
    card=Style(color="#ffffff", bgcolor="#5b5548", bold=True),
    card_chosen=Style(color="#000000", bgcolor="#ffcf33", bold=True),
    card_barred=Style(color="#77736a", bgcolor="#dcd9cd"),
    bar=Style(color="#fff4d6", bgcolor="#8c2a25", bold=True),
)

CHARIOTS = {
    "red": Style(color="#ffffff", bgcolor="#d01f2e", bold=True),
    "blue": Style(color="#ffffff", bgcolor="#2563d9", bold=True),
    "green": Style(color="#000000", bgcolor="#35b558", bold=True),
    "yellow": Style(color="#000000", bgcolor="#ffd21f", bold=True),
    "white": Style(color="#000000", bgcolor="#fbf8ee", bold=True),
    "black": Style(color="#ffe9b0", bgcolor="#000000", bold=True),
}

THEMES = (
    Theme(
        name="night",
        primary="#c9a227",
        secondary="#b04a3a",
        accent="#ffd54a",
        warning="#ffb454",
        error="#ff8577",
        success="#86d993",
        foreground=NIGHT.text,
        background=NIGHT.ground,
        surface="#1c1f24",
        panel="#262a30",
        dark=True,
    ),
    Theme(
        name="day",
        primary="#7a5200",
        secondary="#8c2a25",
        accent="#8a3200",
        warning="#8a5a00",
        error=DAY.bad,
        success=DAY.good,
        foreground=DAY.text,
        background=DAY.ground,
        surface="#e9e7da",
        panel="#dedbcb",
        dark=False,
    ),
)


def palette(dark: bool) -> Palette:
    """The palette that goes with a theme."""
    return NIGHT if dark else DAY


def edge(paint: Palette, course: Course) -> str:
    """The colour of a course's own kerb."""
    return paint.edges.get(course.name, paint.edges["white"])


def marks(names: Sequence[str]) -> tuple[str, ...]:
    """A capital letter for each name, all different: its first that is free, else the alphabet's.

    >>> marks(["Livia", "Lucius", "Titus"])
    ('L', 'U', 'T')
    """
    found: list[str] = []
    for name in names:
        own = [letter for letter in name.upper() if letter.isascii() and letter.isalpha()]
        found.append(next(letter for letter in (*own, *"ABCDEFGHIJKLM") if letter not in found))
    return tuple(found)
