"""Signs on and beside the track: the line, the grid, which way the race goes, and whose branch is whose."""

from __future__ import annotations

import math
from collections.abc import Iterable

from avecaesar.courses.board import DIRECTIONS, LANES, Board, Direction, Section
from avecaesar.courses.course import ROMAN
from avecaesar.courses.curves import Point, Pose
from avecaesar.courses.drawing.ink import (
    BRONZE,
    CAPITALS,
    GOLD,
    NIGHT,
    SAND,
    VERMILION,
    aside,
    faded,
    mixed,
    number,
    path,
    tag,
    use,
)
from avecaesar.courses.drawing.kerbs import kerb
from avecaesar.courses.drawing.plots import Ground
from avecaesar.courses.geometry import LANE, Layout
from avecaesar.courses.spaces import Shape, Stretch

BADGE = 15.5  # the radius of a shield
TREAD = "#7a5528"  # of chevrons, thinly: 1.5:1 against the sand, seen when looked for


def finish(layout: Layout) -> str:
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


def grid(board: Board, layout: Layout, direction: Direction) -> str:
    """The places I to VI, painted on the sand."""
    turn = 0 if direction == "clockwise" else 180
    marks = []
    for roman, name in zip(ROMAN, board.grid[direction], strict=True):
        shape = layout.shapes[name]
        across, size = _room(shape)
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
        x, y = Pose(shape.x, shape.y, shape.heading).aside(across).point
        place = f"translate({number(x)} {number(y)}) rotate({number(shape.heading + turn)})"
        marks.append(tag("g", box, numeral, transform=place + ("" if size == 1 else f" scale({size:.2f})")))
    return tag("g", *marks, id="grid")


def _room(shape: Shape) -> tuple[float, float]:
    """How far aside in its space a grid box clears both edges, and how large it can be: a flare is narrower."""
    angle = math.radians(shape.heading)
    local = [
        (
            (x - shape.x) * math.cos(angle) + (y - shape.y) * math.sin(angle),
            (y - shape.y) * math.cos(angle) - (x - shape.x) * math.sin(angle),
        )
        for x, y in shape.outline
    ]
    half = len(local) // 2
    left, right = ([v for u, v in side if abs(u) <= 19] for side in (local[:half], local[half:]))
    low, high = max(left, default=-18.0), min(right, default=18.0)
    return (low + high) / 2, min(1.0, max((high - low) / 36, 0.7))


# ---------------------------------------------------------------------- the courses' signs


def definitions(board: Board, ground: str) -> list[str]:
    """A shield for each course, and a paler one for while it is not raced."""
    found = []
    for course in board.courses:
        worn = kerb(board, course)
        shield = "".join(
            (
                tag("circle", r=BADGE, cx=2.5, cy=4, fill=NIGHT, opacity=0.35),
                tag("circle", r=15, fill=BRONZE),
                tag("circle", r=14, fill=GOLD),
                tag("circle", r=11.6, fill=worn.colour, stroke=NIGHT, stroke_width=1),
                tag("path", d=worn.sign, fill=worn.ink, fill_rule="evenodd"),
            )
        )
        found.append(tag("g", shield, id=f"board-shield-{course}"))
        found.append(tag("g", faded(shield, ground, 0.55), id=f"board-shield-{course}-faint"))
    chevron = tag("path", d="M-9-8L0 0-9 8M1-8L10 0 1 8", fill="none", stroke=TREAD, stroke_width=4.5)
    return [*found, tag("g", chevron, id="board-chevron")]


def shields(board: Board, layout: Layout) -> list[tuple[str, Point]]:
    """Where each course's shields stand: on the outer wall of its branch, at fork and join."""
    if len(board.courses) < 2:
        return []
    found = []
    for name in board.courses:
        branch = [layout.stretches[section.name] for section in board.branches[name]]
        other = [layout.stretches[s.name] for n in board.courses if n != name for s in board.branches[n]]
        for stretch, rival, at in ((branch[0], other[0], 0.3), (branch[-1], other[-1], 0.7)):
            found.append((name, _outer_side(stretch, rival, at)))
    return found


def fork(board: Board, layout: Layout, course: str | None) -> str:
    """The shields; that of a course that is not raced is pale."""
    drawn = [
        use(f"board-shield-{name}{'' if course in (None, name) else '-faint'}", x, y)
        for name, (x, y) in shields(board, layout)
    ]
    return tag("g", *drawn, id="fork") if drawn else ""


def _outer_side(stretch: Stretch, rival: Stretch, at: float) -> Point:
    """A point on the wall of a stretch that faces away from the other branch."""
    k = round(at * (len(stretch.centre) - 1))
    middle = rival.centre[k]
    sides = [aside(side, out) for side, out in ((stretch.left, -11.0), (stretch.right, 11.0))]
    return max((side[round(at * (len(side) - 1))] for side in sides), key=lambda p: math.dist(p, middle))


def inlays(board: Board, layout: Layout, course: str | None) -> str:
    """Each branch's sign once more about half-way along it, let into the sand."""
    found = []
    for name in board.courses if len(board.courses) == 2 else ():
        if course in (None, name):
            shape, worn = layout.shapes[_half_way(board, layout, name)], kerb(board, name)
            found.append(
                tag(
                    "g",
                    tag("circle", r=11, fill=mixed(worn.colour, SAND, 0.3), stroke="#7a5528", stroke_width=1.2),
                    tag("path", d=worn.sign, fill=worn.ink, fill_rule="evenodd", opacity=0.85),
                    transform=f"translate({number(shape.x)} {number(shape.y)})",
                )
            )
    return tag("g", *found, id="inlays") if found else ""


def _half_way(board: Board, layout: Layout, course: str) -> str:
    """The space on the left lane nearest to the middle of a branch that has no chevrons either way."""
    spaces = [
        name
        for section in board.branches[course]
        for name in layout.shapes
        if name[:-1].rstrip("0123456789") == section.name and name[-1] == LANES[0]
    ]
    taken = {name for way in DIRECTIONS for name in _trodden(board, [course], way)}
    taken |= {name for name in spaces for section in board.branches[course] if _narrow(section, name)}
    middle = len(spaces) // 2
    return min(spaces, key=lambda name: (name in taken, abs(spaces.index(name) - middle)))


# ---------------------------------------------------------------------- which way


def chevrons(board: Board, layout: Layout, course: str | None, direction: Direction) -> str:
    """Trodden into the sand after the line, after the fork and after every bottleneck."""
    turn = 0 if direction == "clockwise" else 180
    names = _trodden(board, board.courses if course is None else [course], direction)
    return tag("g", *(_chevron(layout.shapes[name], turn) for name in names), id="chevrons", opacity=0.33)


def _trodden(board: Board, courses: Iterable[str], direction: Direction) -> list[str]:
    """The spaces with chevrons."""
    found: list[str] = []
    for name in courses:
        ring = list(board.sections(name))
        branch = board.branches[name] if len(board.courses) == 2 else ()
        if direction == "anticlockwise":
            ring.reverse()
        for last, section in zip([ring[-1], *ring[:-1]], ring, strict=True):
            forks = section in branch and last not in branch
            if (forks or _narrow(last)) and not _narrow(section):
                found += _first_spaces(section, direction)
            if section.line_after is not None:
                rank = section.line_after + (1 if direction == "clockwise" else 0)
                found += [f"{section.name}{rank}{LANES[lane]}" for lane in range(section.ranks[rank - 1].width)]
    return list(dict.fromkeys(found))


def _narrow(section: Section, space: str | None = None) -> bool:
    """Whether a section is a single space (and, if asked, this one)."""
    return [rank.width for rank in section.ranks] == [1] and space in (None, f"{section.name}1{LANES[0]}")


def _first_spaces(section: Section, direction: Direction) -> list[str]:
    """The spaces that one comes to first in a section."""
    if section.ranks:
        rank = 1 if direction == "clockwise" else len(section.ranks)
        return [f"{section.name}{rank}{LANES[k]}" for k in range(section.ranks[rank - 1].width)]
    return [
        f"{section.name}{1 if direction == 'clockwise' else count}{LANES[k]}" for k, count in enumerate(section.lanes)
    ]


def _chevron(shape: Shape, turn: int) -> str:
    place = f"translate({number(shape.x)} {number(shape.y)}) rotate({number(shape.heading + turn)})"
    return tag("use", href="#board-chevron", transform=place)


def arrow(layout: Layout, ground: Ground, direction: Direction) -> str:
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
