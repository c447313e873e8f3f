"""A board as a picture, seen from above on a summer afternoon: the track, its signs and the spaces to click on.

`scenery` builds everything around the track. The same board gives the same bytes, always.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from avecaesar.courses.board import Board, BoardError, Direction
from avecaesar.courses.curves import Point
from avecaesar.courses.drawing import scenery
from avecaesar.courses.drawing.ink import (
    BRONZE,
    CAPITALS,
    GOLD,
    MARBLE,
    NIGHT,
    SAND,
    SAND_DARK,
    STONE,
    STONE_DARK,
    STONE_LIGHT,
    VERMILION,
    aside,
    number,
    path,
    paths,
    pieces,
    tag,
    use,
    words,
)
from avecaesar.courses.drawing.plots import Ground
from avecaesar.courses.geometry import LANE, Layout, Stretch, lay_out

ROMAN = ("I", "II", "III", "IV", "V", "VI")
WALL = 13.0  # how thick walls are drawn; half of it lies under the sand


@dataclass(frozen=True, slots=True)
class Livery:
    """A course's colour and, for those who see colours otherwise, its sign and the rhythm of its kerb."""

    colour: str
    ink: str  # of the sign upon it
    sign: str  # path data within a circle of radius 10
    rhythm: str | None


RING = "M0-6a6 6 0 1 0 .1 0zM0-2.6a2.6 2.6 0 1 1-.1 0z"
DIAMOND = "M0-7.5L6 0 0 7.5-6 0z"
SUN = "M0-8L1.9-3.2 6.6-4.6 4.1-.4 8 2.2 3.4 3.1 3.6 7.9 0 4.8-3.6 7.9-3.4 3.1-8 2.2-4.1-.4-6.6-4.6-1.9-3.2z"
TRIANGLE = "M0-7L6.6 5H-6.6z"
SQUARE = "M-5-5H5V5H-5z"
CROSS = "M-2-7H2V-2H7V2H2V7H-2V2H-7V-2H-2z"

LIVERIES = {
    "white": Livery("#fffdf6", NIGHT, RING, None),
    "blue": Livery("#2b6cb8", "#ffffff", DIAMOND, "16 5"),
    "yellow": Livery("#f4bd1a", NIGHT, SUN, None),
    "red": Livery("#cf2a1f", "#ffffff", TRIANGLE, "16 5"),
}
OTHERS = (Livery("#8653a8", "#ffffff", SQUARE, None), Livery("#1f9079", "#ffffff", CROSS, "16 5"))


def livery(board: Board, course: str) -> Livery:
    """The livery of one of a board's courses, whatever it is called."""
    return LIVERIES.get(course) or OTHERS[board.courses.index(course)]


def draw(board: Board, course: str | None = None, direction: Direction = "clockwise") -> str:
    """The whole board as an SVG document; with a course, that one is raced and the other branch is faint."""
    if course is not None and course not in board.courses:
        raise BoardError(f"board {board.name} has no course '{course}'; it has {' and '.join(board.courses)}")
    layout = lay_out(board)
    ground = Ground(layout, scenery.FRAME + 4, LANE * 0.45)
    rng = random.Random(f"{board.name}/{board.title}")
    arrow = _arrow(layout, ground, direction)
    surroundings = scenery.Surroundings(board, layout, ground, rng)
    below, above = surroundings.below(), surroundings.above()
    title = board.title or f"Board {board.name}"
    caption = f"{title}: {course or ' and '.join(board.courses)}, {direction}"
    return tag(
        "svg",
        tag("title", words(caption)),
        tag("defs", *surroundings.definitions(), *_track_definitions(board, layout, course), *_signs(board)),
        below,
        _tracks(board, layout, course, surroundings.water()),
        _finish(layout),
        _grid(board, layout, direction),
        above,
        _fork(board, layout, course),
        arrow,
        _spaces(board, layout, course),
        surroundings.frame(),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(layout.width)} {number(layout.height)}",
        role="img",
        aria_label=caption,
    )


# ---------------------------------------------------------------------- the track


def _groups(board: Board, layout: Layout) -> dict[str, list[Stretch]]:
    """The stretches that all courses share, and each course's own."""
    groups: dict[str, list[Stretch]] = {"shared": []}
    for stretch in layout.stretches.values():
        groups.setdefault(stretch.course or "shared", []).append(stretch)
    return groups


def _track_definitions(board: Board, layout: Layout, course: str | None) -> list[str]:
    groups = _groups(board, layout)
    shapes = [
        tag("path", id=f"board-track-{name}", d=paths(((*s.left, *s.right[::-1]) for s in group), closed=True))
        for name, group in groups.items()
    ]
    uses = [tag("use", href=f"#board-track-{name}") for name in groups]
    raced = [
        tag("use", href=f"#board-track-{name}") for name in groups if course in (None, name) or name == "shared"
    ]
    clips = [tag("clipPath", *uses, id="board-on-track"), tag("clipPath", *raced, id="board-on-raced")]
    return [*shapes, *clips]


def _tracks(board: Board, layout: Layout, course: str | None, water: str) -> str:
    """The road; a branch that is not raced is laid first and veiled."""
    groups = _groups(board, layout)
    faint = [name for name in groups if course is not None and name not in ("shared", course)]
    raced = [name for name in groups if name not in faint]
    parts = []
    if faint:
        parts.append(tag("g", _road(board, groups, faint, course, ""), opacity=0.4))
    parts.append(_road(board, groups, raced, course, water))
    return tag("g", *parts, id="track")


def _road(
    board: Board, groups: dict[str, list[Stretch]], names: Sequence[str], course: str | None, water: str
) -> str:
    stretches = [stretch for name in names for stretch in groups[name]]
    uses = "".join(tag("use", href=f"#board-track-{name}") for name in names)
    kerbs = "".join(_kerbs(board, groups, name, course) for name in names)
    edges = paths(piece for s in stretches for side in (s.left, s.right) for piece in pieces(side, LANE * 0.7))
    wall = {"fill": "none", "stroke_linejoin": "round"}
    return "".join(
        (
            tag("g", uses, stroke=NIGHT, stroke_width=WALL + 5, opacity=0.3, transform="translate(5 8)", **wall),
            tag("g", uses, stroke=STONE_DARK, stroke_width=WALL + 4, **wall),
            tag("g", uses, stroke=STONE_LIGHT, stroke_width=WALL + 1.5, transform="translate(-.9 -1.3)", **wall),
            tag("g", uses, stroke=STONE, stroke_width=WALL, **wall),
            tag("g", uses, stroke=STONE_DARK, stroke_width=WALL, stroke_dasharray="1.2 12", opacity=0.7, **wall),
            tag("g", uses, fill="url(#board-sand)", stroke=SAND, stroke_width=0.9),
            _alley_paving(stretches),
            tag(
                "g",
                tag("path", d=edges, fill="none", stroke=NIGHT, stroke_width=9, transform="translate(2 4)"),
                clip_path="url(#board-on-track)",
                opacity=0.2,
            ),
            _ruts(stretches),
            tag("g", water, clip_path="url(#board-on-raced)", opacity=0.6) if water else "",
            kerbs,
            _lanes(stretches),
            _posts(stretches),
        )
    )


def _posts(stretches: Iterable[Stretch]) -> str:
    """Two posts where the track narrows to one space."""
    posts = []
    for stretch in stretches:
        if not stretch.dividers and stretch.section != "alley":
            k = min(range(len(stretch.left)), key=lambda i: math.dist(stretch.left[i], stretch.right[i]))
            posts += [
                use("board-post", *side[k]) for side in (aside(stretch.left, -3.0), aside(stretch.right, 3.0))
            ]
    return "".join(posts)


def _alley_paving(stretches: Iterable[Stretch]) -> str:
    """The alley is paved, with a carpet down its middle for those who hail Caesar."""
    alley = next((s for s in stretches if s.section == "alley"), None)
    if alley is None:
        return ""
    outline, carpet = path((*alley.left, *alley.right[::-1]), closed=True), path(alley.centre)
    return "".join(
        (
            tag("path", d=outline, fill="url(#board-paving)"),
            tag("path", d=carpet, fill="none", stroke=GOLD, stroke_width=15, opacity=0.75),
            tag("path", d=carpet, fill="none", stroke=VERMILION, stroke_width=12, opacity=0.8),
        )
    )


def _kerbs(board: Board, groups: dict[str, list[Stretch]], name: str, course: str | None) -> str:
    """A painted thread on both walls of a course, so that a child can follow it."""
    colours = course if name == "shared" else name
    if colours is None or (course is not None and name not in ("shared", course)):
        return ""
    worn = livery(board, colours)
    stretches = [s for s in groups[name] if s.section != "alley"]
    edges = paths(
        piece
        for s in stretches
        for side, out in ((s.left, -2.6), (s.right, 2.6))
        for piece in pieces(aside(side, out), LANE * 0.7)
    )
    common = {"d": edges, "fill": "none", "stroke_linejoin": "round"}
    return tag("path", stroke=NIGHT, stroke_width=4.8, opacity=0.75, **common) + tag(
        "path", stroke=worn.colour, stroke_width=3.2, stroke_dasharray=worn.rhythm, **common
    )


def _ruts(stretches: Iterable[Stretch]) -> str:
    """What wheels leave in the sand."""
    lines = []
    for stretch in stretches:
        if stretch.section != "alley":
            lines += [aside(stretch.centre, shift * LANE)[::2] for shift in (-0.6, -0.36, 0.4, 0.64)]
    return tag("path", d=paths(lines), fill="none", stroke=SAND_DARK, stroke_width=2, opacity=0.12)


def _lanes(stretches: Sequence[Stretch]) -> str:
    dashed = paths(d.points for s in stretches for d in s.dividers if not d.wall)
    walls = paths(d.points for s in stretches for d in s.dividers if d.wall)
    rungs = paths(rung for s in stretches for rung in s.rungs)
    round_ends = {"d": walls, "fill": "none", "stroke_linecap": "round"}
    return "".join(
        (
            tag("path", d=rungs, fill="none", stroke="#7a5528", stroke_width=1.3, opacity=0.6),
            tag(
                "path",
                d=dashed,
                fill="none",
                stroke="#7a5528",
                stroke_width=3.4,
                stroke_dasharray="9 7",
                opacity=0.35,
            ),
            tag("path", d=dashed, fill="none", stroke="#fffaf0", stroke_width=2.2, stroke_dasharray="9 7"),
            tag("path", stroke=NIGHT, stroke_width=8, opacity=0.3, transform="translate(2 3.5)", **round_ends),
            tag("path", stroke=STONE_DARK, stroke_width=8, **round_ends),
            tag("path", stroke=STONE_LIGHT, stroke_width=6.4, transform="translate(-.5 -.8)", **round_ends),
            tag(
                "path",
                d=walls,
                fill="none",
                stroke=STONE_DARK,
                stroke_width=6,
                stroke_dasharray="1 10",
                opacity=0.6,
            ),
        )
    )


# ---------------------------------------------------------------------- signs on the track


def _finish(layout: Layout) -> str:
    """The line: two rows of black and white marble from the alley's outer wall to the far side."""
    (ax, ay), (bx, by) = layout.line
    rows = []
    for k, offset in enumerate((-2.5, 2.5)):
        line = path(aside([(ax, ay), (bx, by)], offset))
        rows.append(tag("path", d=line, stroke="#fffdf6", stroke_width=5))
        rows.append(
            tag("path", d=line, stroke="#2b2622", stroke_width=5, stroke_dasharray="5 5", stroke_dashoffset=5 * k)
        )
    shade = tag("path", d=path([(ax, ay), (bx, by)]), stroke=NIGHT, stroke_width=13, opacity=0.25)
    return tag("g", shade, *rows, id="line")


def _grid(board: Board, layout: Layout, direction: Direction) -> str:
    """The places I to VI, painted on the sand."""
    marks = []
    turn = 0 if direction == "clockwise" else 180
    for roman, name in zip(ROMAN, board.grid[direction], strict=True):
        shape = layout.shapes[name]
        box = tag("path", d="M-17-13H17V13H-17", fill="none", stroke="#fffaf0", stroke_width=2.2, opacity=0.85)
        numeral = tag(
            "text",
            roman,
            y=6.5,
            font_family=CAPITALS,
            font_size=18,
            font_weight="bold",
            text_anchor="middle",
            fill=VERMILION,
            stroke="#fff4dc",
            stroke_width=3,
            stroke_linejoin="round",
            paint_order="stroke",
            transform=f"rotate({number(-shape.heading - turn)})",
        )
        place = f"translate({number(shape.x)} {number(shape.y)}) rotate({number(shape.heading + turn)})"
        marks.append(tag("g", box, numeral, transform=place))
    return tag("g", *marks, id="grid")


def _signs(board: Board) -> list[str]:
    """A shield for each course."""
    shields = []
    for course in board.courses:
        worn = livery(board, course)
        shields.append(
            tag(
                "g",
                tag("circle", r=15.5, cx=2.5, cy=4, fill=NIGHT, opacity=0.35),
                tag("circle", r=15, fill=BRONZE),
                tag("circle", r=14, fill=GOLD),
                tag("circle", r=11.6, fill=worn.colour, stroke=NIGHT, stroke_width=1),
                tag("path", d=worn.sign, fill=worn.ink, fill_rule="evenodd"),
                id=f"board-shield-{course}",
            )
        )
    return shields


def _fork(board: Board, layout: Layout, course: str | None) -> str:
    """Shields on the outer wall of each branch, at fork and join."""
    if len(board.courses) < 2:
        return ""
    shields = []
    for name in board.courses:
        branch = [layout.stretches[section.name] for section in board.branches[name]]
        other = [layout.stretches[s.name] for n in board.courses if n != name for s in board.branches[n]]
        for stretch, rival, at in ((branch[0], other[0], 0.3), (branch[-1], other[-1], 0.7)):
            x, y = _outer_side(stretch, rival, at)
            shields.append(use(f"board-shield-{name}", x, y, opacity=0.5 if course not in (None, name) else None))
    return tag("g", *shields, id="fork")


def _outer_side(stretch: Stretch, rival: Stretch, at: float) -> Point:
    """A point on the wall of a stretch that faces away from the other branch."""
    k = round(at * (len(stretch.centre) - 1))
    middle = rival.centre[k]
    sides = [aside(side, out) for side, out in ((stretch.left, -11.0), (stretch.right, 11.0))]
    return max((side[round(at * (len(side) - 1))] for side in sides), key=lambda p: math.dist(p, middle))


def _arrow(layout: Layout, ground: Ground, direction: Direction) -> str:
    """Which way the race goes, on a slab of marble under the line."""
    x, y = layout.line[1]
    spot = ground.nearest((x, y + LANE * 0.8), ((76, 24), (56, 20)), infield=True)
    if spot is None:
        return ""
    cx, cy, width, _ = spot
    ground.claim(cx, cy, width + 10, 34)
    half = width / 2
    tail, neck, tip = number(-half), number(half - 16), number(half)
    head = f"M{tail}-3.5H{neck}V-9.5L{tip} 0 {neck} 9.5V3.5H{tail}l8-3.5z"
    flip = "" if direction == "clockwise" else " scale(-1 1)"
    place = f"translate({number(cx)} {number(cy)}){flip}"
    return tag(
        "g",
        tag("path", d=head, fill=NIGHT, opacity=0.3, transform="translate(2 3)"),
        tag("path", d=head, fill=VERMILION, stroke="#fff4dc", stroke_width=1.6, stroke_linejoin="round"),
        id="direction",
        transform=place,
    )


def _spaces(board: Board, layout: Layout, course: str | None) -> str:
    """Every space as a shape of its own: what a page lights up and listens to."""
    owner = {
        section.name: name for name in board.courses for section in board.branches[name] if len(board.courses) > 1
    }
    found = []
    for name, shape in layout.shapes.items():
        section = name[:-1].rstrip("0123456789") if not name.startswith("alley") else "alley"
        raced = course is None or owner.get(section, course) == course
        found.append(
            tag(
                "path",
                tag("title", name),
                id=f"space-{name}",
                class_="space" if raced else "space not-raced",
                d=path(shape.outline, closed=True),
            )
        )
    return tag("g", *found, id="spaces", fill=MARBLE, fill_opacity=0, stroke="none")
