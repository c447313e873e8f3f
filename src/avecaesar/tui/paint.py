"""Colours: two palettes, night and day, and the chariots' own. Nothing is told by colour alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from textual.theme import Theme

from avecaesar.courses import ROMAN, Course
from avecaesar.telling.liveries import livery_of


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
    target: Style  # a space that a card reaches; it has no ground of its own, that is for chariots
    chosen: Style
    trail: str
    card: Style
    card_chosen: Style
    card_barred: Style
    card_refused: Style  # chosen, and cannot be played
    bar: Style  # the line on top of the screen
    call: Style  # on it: your turn
    frames: dict[str, str]  # of chariots that are hard to see on this ground


NIGHT = Palette(
    ground="#14161a",
    road="#4a3d28",
    alley="#4d2848",
    bottleneck="#7d5c18",
    inks={
        "line": "#ffffff",
        "arrow": "#ff8a70",
        "bottleneck": "#ffd54a",
        "alley": "#e79be0",
        "wall": "#ff9d5c",
        "lane": "#e6d8ae",
        "rung": "#ab9868",
        "space": "#c9b78c",
    },
    edges={"white": "#f4efe2", "blue": "#6fb0ff", "yellow": "#ffd84a", "red": "#ff7d6b"},
    text="#e8e4da",
    quiet="#9a968c",
    good="#86d993",
    bad="#ff8577",
    gold="#ffd54a",
    target=Style(color="#ffe88a"),
    chosen=Style(color="#ffffff", bold=True),
    trail="#ffe88a",
    card=Style(color="#241c0c", bgcolor="#d8cbab", bold=True),
    card_chosen=Style(color="#000000", bgcolor="#ffd54a", bold=True),
    card_barred=Style(color="#a09a8a", bgcolor="#3a3832"),
    card_refused=Style(color="#ff8577", bgcolor="#3a3832", bold=True),
    bar=Style(color="#f6e7c1", bgcolor="#6d1f1f", bold=True),
    call=Style(color="#241c0c", bgcolor="#ffd54a", bold=True),
    frames={"black": "#e8dcb8"},
)
DAY = Palette(
    ground="#f1f0e6",
    road="#dcc184",
    alley="#d6b4dc",
    bottleneck="#c08f2c",
    inks={
        "line": "#000000",
        "arrow": "#b3261e",
        "bottleneck": "#3d2200",
        "alley": "#7a2d78",
        "wall": "#8a3200",
        "lane": "#6b5624",
        "rung": "#94783a",
        "space": "#5d4a20",
    },
    edges={"white": "#57534a", "blue": "#14509e", "yellow": "#8a6100", "red": "#b3261e"},
    text="#24221d",
    quiet="#66625a",
    good="#1d6b31",
    bad="#b3261e",
    gold="#7a5200",
    target=Style(color="#8c1414"),
    chosen=Style(color="#6a0000", bold=True),
    trail="#8c1414",
    card=Style(color="#ffffff", bgcolor="#5b5548", bold=True),
    card_chosen=Style(color="#000000", bgcolor="#ffcf33", bold=True),
    card_barred=Style(color="#6c685f", bgcolor="#d3cfc0"),
    card_refused=Style(color="#b3261e", bgcolor="#d3cfc0", bold=True),
    bar=Style(color="#fff4d6", bgcolor="#8c2a25", bold=True),
    call=Style(color="#241c0c", bgcolor="#ffcf33", bold=True),
    frames={"white": "#3a3630"},
)

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


def livery(colour: str) -> Style:
    """How a chariot is painted; a record may have colours that are not ours."""
    letter = livery_of(colour).terminal
    return Style(color=letter.ink, bgcolor=letter.paint, bold=True)


def marks(names: Sequence[str]) -> tuple[str, ...]:
    """A capital letter for each name, all different: its first that is free, else the alphabet's.

    Where chariots of a team are numbered, no letter is one that reads as a number.

    >>> marks(["Livia", "Lucius", "Titus"])
    ('L', 'U', 'T')
    >>> marks(["Livia I", "Livia II"])
    ('L', 'A')
    """
    numbered = any(name.rpartition(" ")[2] in ROMAN for name in names)
    found: list[str] = list("IVX" if numbered else "")
    barred = len(found)
    for name in names:
        own = [letter for letter in name.upper() if letter.isascii() and letter.isalpha()]
        found.append(next(letter for letter in (*own, *"ABCDEFGHIJKLM") if letter not in found))
    return tuple(found[barred:])
