"""The road: walls, sand, kerbs, lanes and the alley's paving. A branch that is not raced is laid first, and pale."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from avecaesar.courses.board import Board
from avecaesar.courses.curves import Curve, Point
from avecaesar.courses.drawing import rims
from avecaesar.courses.drawing.ink import (
    GOLD,
    NIGHT,
    SAND,
    SAND_DARK,
    STONE,
    STONE_DARK,
    STONE_LIGHT,
    aside,
    faded,
    path,
    paths,
    smooth,
    tag,
    use,
)
from avecaesar.courses.drawing.kerbs import kerb
from avecaesar.courses.geometry import LANE, Layout
from avecaesar.courses.spaces import Stretch

WALL = 13.0  # how thick walls are drawn; half of it lies under the sand
BED = "#4a3524"  # under the painted kerb: 7:1 against the sand
ROAD, FAINT = "board-road", "board-road-faint"


class Road:
    """The road of a board while one of its courses is raced, or while all are shown."""

    def __init__(self, board: Board, layout: Layout, course: str | None, ground: str) -> None:
        self.board, self.layout, self.course, self.ground = board, layout, course, ground
        self.shut = [name for name in board.courses if course not in (None, name)]

    def definitions(self) -> list[str]:
        """Its outline, once, and the same to clip with."""
        whole = "".join(smooth(loop, closed=True) for loop in rims.loops(self.board, self.layout, self.course))
        found = _outline(ROAD, whole)
        for name in self.shut:
            found += _outline(FAINT, smooth(rims.lane_of(self.board, self.layout, name), closed=True))
        return [
            *found,
            tag("g", faded(_post(), self.ground), id="board-post-faint"),
            tag("g", _post(), id="board-post"),
            tag("g", _nose(), id="board-nose"),
        ]

    def drawn(self, water: str) -> str:
        """Everything, from below upwards; `water` is what of a river lies on the sand."""
        parts = []
        for name in self.shut:
            sections = [section.name for section in self.board.branches[name]]
            lines = [rims.stretch(self.layout, name, section) for section in sections]
            pale = faded(self._laid(FAINT, lines, [name], water), self.ground)
            parts.append(tag("g", pale.replace("url(#board-sand)", _pale_sand(self.ground)), id="closed-branch"))
        lines = [
            rims.stretch(self.layout, self.course, name)
            for name, line in self.layout.stretches.items()
            if line.course not in self.shut
        ]
        open_ = [name for name in self.board.courses if name not in self.shut]
        return tag("g", *parts, self._laid(ROAD, lines, open_, water), id="track")

    def _laid(self, road: str, lines: Sequence[Stretch], courses: Sequence[str], water: str) -> str:
        outline = tag("use", href=f"#{road}")
        wall = {"fill": "none", "stroke_linejoin": "round"}
        shade = tag("g", outline, stroke=NIGHT, stroke_width=9, opacity=0.2, transform="translate(2 4)", **wall)
        return "".join(
            (
                tag("g", outline, stroke=NIGHT, stroke_width=WALL + 5, opacity=0.3, transform="translate(5 8)", **wall),
                tag("g", outline, stroke=STONE_DARK, stroke_width=WALL + 4, **wall),
                tag("g", outline, stroke=STONE_LIGHT, stroke_width=WALL + 1.5, transform="translate(-.9 -1.3)", **wall),
                tag("g", outline, stroke=STONE, stroke_width=WALL, **wall),
                tag("g", outline, stroke=STONE_DARK, stroke_width=WALL, stroke_dasharray="1.2 12", opacity=0.7, **wall),
                self._podium() if road == ROAD else "",
                tag("g", outline, fill="url(#board-sand)", stroke=SAND, stroke_width=0.9),
                tag("g", _paving(lines), _narrows(lines), shade, _ruts(lines), water, clip_path=f"url(#{road}-clip)"),
                _carpet(lines),
                _lanes(lines),
                "".join(self._kerbs(name, road) for name in courses),
                "".join(use("board-nose", *nose) for nose in self._noses()) if road == ROAD else "",
                _posts(lines, "board-post" if road == ROAD else "board-post-faint"),
            )
        )

    def _noses(self) -> list[Point]:
        """Where branches part there is a bollard, unless one of them is shut and the kerb runs on."""
        return rims.noses(self.board, self.layout) if self.course is None else []

    def _podium(self) -> str:
        """Stone between alley and track, one round cap at both mouths, and grass where there is room for it."""
        near, far = rims.alley_banks(self.board, self.layout)
        if not near:
            return ""
        stone = tag("path", d=smooth(rims.island(near, far), closed=True), fill=STONE)
        pairs = [(Curve(near).at(k / 40).point, Curve(far).at(k / 40).point) for k in range(41)]
        wide = [(a, b) for a, b in pairs if math.dist(a, b) > 24]
        edge = [_towards(a, b, 8) for a, b in wide] + [_towards(b, a, 8) for a, b in wide[::-1]]
        if not edge:
            return stone
        grass = {"d": path(edge, closed=True), "stroke_linejoin": "round"}
        return stone + tag("path", fill=self.ground, stroke=STONE_DARK, stroke_width=1.2, **grass)

    def _kerbs(self, name: str, road: str) -> str:
        """Both walls of a branch painted, so that a child can follow it: one line each, one rhythm all along."""
        raced = self.course if road == ROAD else None
        lines = "".join(smooth(line) for line in rims.kerbs(self.board, self.layout, name, raced))
        if not lines:
            return ""
        worn = kerb(self.board, name)
        common = {"d": lines, "fill": "none", "stroke_linejoin": "round"}
        paint = tag(
            "path",
            stroke=worn.paint,
            stroke_width=4.6 if worn.dots else 3.4,
            stroke_dasharray=worn.rhythm,
            stroke_linecap="round" if worn.dots else None,
            **common,
        )
        bed = tag("path", stroke=BED, stroke_width=7, stroke_linecap="round", **common)
        return tag("g", bed, paint, id=f"kerb-{name}")


def _towards(a: Point, b: Point, by: float) -> Point:
    share = by / (math.dist(a, b) or 1.0)
    return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))


def _outline(id_: str, data: str) -> list[str]:
    return [
        tag("path", id=id_, d=data, fill_rule="evenodd"),
        tag("clipPath", tag("use", href=f"#{id_}", clip_rule="evenodd"), id=f"{id_}-clip"),
    ]


def _pale_sand(ground: str) -> str:
    """The closed branch is strewn with nothing."""
    return faded(f'"{SAND}"', ground)[1:-1]


# ---------------------------------------------------------------------- the alley


def _paving(lines: Iterable[Stretch]) -> str:
    """The alley is paved."""
    return "".join(
        tag("path", d=path((*s.left, *s.right[::-1]), closed=True), fill="url(#board-paving)")
        for s in lines
        if s.section == "alley"
    )


def _narrows(lines: Iterable[Stretch]) -> str:
    """A space that all must pass has a ground of its own, edge to edge."""
    return "".join(
        tag("path", d=path((*s.left, *s.right[::-1]), closed=True), fill=SAND_DARK, opacity=0.42)
        for s in lines
        if not s.dividers and s.section != "alley"
    )


def _carpet(lines: Iterable[Stretch]) -> str:
    """Down the alley's middle for those who hail Caesar, with a fringe at both ends."""
    alley = next((s for s in lines if s.section == "alley"), None)
    if alley is None:
        return ""
    way = Curve(alley.centre)
    carpet = smooth([way.at(0.05 + 0.9 * k / 40).point for k in range(41)])
    fringes = []
    for share in (0.04, 0.96):
        end = way.at(share)
        fringes.append(path([end.aside(-7).point, end.aside(7).point]))
    return "".join(
        (
            tag("path", d=carpet, fill="none", stroke=GOLD, stroke_width=15),
            tag("path", d=carpet, fill="none", stroke="#c2472f", stroke_width=11.4),
            tag("path", d="".join(fringes), stroke=GOLD, stroke_width=5, stroke_dasharray="1.5 1"),
        )
    )


# ---------------------------------------------------------------------- what is on the sand


def _ruts(lines: Iterable[Stretch]) -> str:
    """What wheels leave in the sand."""
    ruts = []
    for line in lines:
        if line.section != "alley":
            ruts += [aside(line.centre, shift * LANE)[::2] for shift in (-0.6, -0.36, 0.4, 0.64)]
    return tag("path", d=paths(ruts), fill="none", stroke=SAND_DARK, stroke_width=2, opacity=0.12)


def _lanes(lines: Sequence[Stretch]) -> str:
    """Where spaces meet, where lanes may be changed, and the walls where they may not."""
    dashed = paths(d.points for s in lines for d in s.dividers if not d.wall)
    walls = "".join(smooth(d.points) for s in lines for d in s.dividers if d.wall)
    rungs = paths(rung for s in lines for rung in s.rungs)
    across = {"d": dashed, "fill": "none", "stroke_dasharray": "9 7"}
    stone = {"d": walls, "fill": "none", "stroke_linecap": "round"}
    return "".join(
        (
            tag("path", d=rungs, fill="none", stroke="#6b4820", stroke_width=1.7, opacity=0.8),
            tag("path", stroke="#7a5528", stroke_width=3.4, opacity=0.35, **across),
            tag("path", stroke="#fffaf0", stroke_width=2.2, **across),
            tag("path", stroke=NIGHT, stroke_width=8, opacity=0.3, transform="translate(2 3.5)", **stone),
            tag("path", stroke=STONE_DARK, stroke_width=8, **stone),
            tag("path", stroke=STONE_LIGHT, stroke_width=6.4, transform="translate(-.5 -.8)", **stone),
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


def _posts(lines: Iterable[Stretch], post: str) -> str:
    """Two posts where the track narrows to one space."""
    posts = []
    for line in lines:
        if not line.dividers and line.section != "alley":
            k = min(range(len(line.left)), key=lambda i: math.dist(line.left[i], line.right[i]))
            posts += [use(post, *side[k]) for side in (aside(line.left, -3.0), aside(line.right, 3.0))]
    return "".join(posts)


def _nose() -> str:
    return "".join(
        (
            tag("circle", cx=2, cy=3, r=6.5, fill=NIGHT, opacity=0.3),
            tag("circle", r=6, fill=STONE_LIGHT, stroke=BED, stroke_width=1.6),
        )
    )


def _post() -> str:
    return "".join(
        (
            tag("circle", cx=2, cy=3, r=7, fill=NIGHT, opacity=0.3),
            tag("circle", r=6.6, fill=STONE_LIGHT, stroke=STONE_DARK, stroke_width=1),
            tag("circle", r=3.8, fill=GOLD, stroke="#8c5a2b", stroke_width=1),
        )
    )
