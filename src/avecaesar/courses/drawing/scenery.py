"""Everything around the track: ground, stands full of people, Caesar's box, the spina, trees, river, frame, title.

None of it means anything to the game (COU-8). It settles on free ground, so that it suits any board.
"""

from __future__ import annotations

import math
import random

from avecaesar.courses.board import Board
from avecaesar.courses.curves import Point
from avecaesar.courses.drawing import frame, monuments, plants
from avecaesar.courses.drawing.ink import (
    LEAF,
    LEAF_DARK,
    SAND,
    SAND_DARK,
    SAND_LIGHT,
    SKY,
    aside,
    linear,
    number,
    path,
    tag,
    use,
)
from avecaesar.courses.drawing.plots import Ground
from avecaesar.courses.drawing.stands import Stands, upright
from avecaesar.courses.geometry import LANE, Layout

FRAME = 26.0

# The river of side B, as shares of the canvas: in from the right, out at the lower left.
RIVER = (
    (1.04, 0.13), (0.95, 0.24), (0.84, 0.3), (0.76, 0.385), (0.68, 0.42), (0.6, 0.475), (0.56, 0.555),
    (0.545, 0.63), (0.48, 0.69), (0.4, 0.735), (0.31, 0.8), (0.2, 0.795), (0.1, 0.86), (-0.04, 0.88),
)  # fmt: skip

# What is laid out near which share of the canvas.
VALLEY = (
    ("villa", 0.08, 0.08), ("parterre", 0.17, 0.1), ("vines", 0.24, 0.08), ("vines", 0.08, 0.18),
    ("parterre", 0.92, 0.08), ("vines", 0.82, 0.08), ("vines", 0.93, 0.18), ("house", 0.86, 0.17),
    ("parterre", 0.35, 0.62), ("vines", 0.68, 0.68), ("villa", 0.75, 0.6), ("parterre", 0.3, 0.75),
    ("vines", 0.06, 0.9), ("house", 0.14, 0.93), ("vines", 0.94, 0.9), ("parterre", 0.87, 0.93),
)  # fmt: skip
TOWN = (
    ("villa", 0.08, 0.08), ("house", 0.17, 0.07), ("house", 0.24, 0.1), ("house", 0.08, 0.18),
    ("vines", 0.17, 0.17), ("house", 0.8, 0.07), ("villa", 0.89, 0.08), ("vines", 0.93, 0.5),
    ("house", 0.93, 0.6), ("parterre", 0.85, 0.7), ("vines", 0.93, 0.78), ("house", 0.86, 0.8),
    ("house", 0.78, 0.8), ("vines", 0.08, 0.6), ("vines", 0.2, 0.66), ("house", 0.08, 0.72),
    ("vines", 0.2, 0.93), ("parterre", 0.08, 0.95), ("house", 0.3, 0.93), ("house", 0.36, 0.88),
)  # fmt: skip


class Surroundings:
    """What stands around one board. Builds once, in a fixed order, so that nothing overlaps."""

    def __init__(self, board: Board, layout: Layout, ground: Ground, rng: random.Random) -> None:
        self.board, self.layout, self.ground, self.rng = board, layout, ground, rng
        self.river = _flow(RIVER, layout.width, layout.height) if board.side == "B" else []
        if self.river:
            ground.claim_line(self.river, 64)
        box = self._box()
        spina = self._spina()
        tablet = self._tablet()
        stands = Stands(board, layout, ground, rng).all()
        beds = self._gardens()
        self.built = "".join((stands, spina, box, tablet))
        self.laid = beds
        self.grown = self._trees()

    def below(self) -> str:
        """What the track is laid upon."""
        size = {"width": number(self.layout.width), "height": number(self.layout.height)}
        return tag(
            "g",
            tag("rect", fill="url(#board-meadow)", **size),
            tag("rect", fill="url(#board-tufts)", **size),
            self._hills(),
            tag("rect", fill="url(#board-light)", **size),
            self._river_bed(),
            self.laid,
            id="ground",
        )

    def _hills(self) -> str:
        """Slopes in the corners, one above the other."""
        width, height = self.layout.width, self.layout.height
        slopes = [
            tag("ellipse", cx=number(x * width), cy=number(y * height), rx=number(size * 1.25), ry=number(size))
            for x, y, reach in ((0, 0.02, 330), (1, 0.04, 300), (0, 1, 260), (1, 0.97, 340))
            for size in (reach, reach * 0.78, reach * 0.55)
        ]
        return tag("g", *slopes, fill="#8a6a2a" if self.river else LEAF_DARK, opacity=0.075)

    def above(self) -> str:
        """What stands beside the track."""
        return tag("g", self.built, self.grown, id="scenery")

    # ------------------------------------------------------------------ definitions

    def definitions(self) -> list[str]:
        """Patterns, gradients and the things that are used again and again."""
        river = bool(self.river)
        meadow = ("#d9c795", "#cdb980", "#bfae74") if river else ("#b9c487", "#a7b774", "#93a765")
        return [
            linear("board-meadow", *meadow),
            tag(
                "radialGradient",
                tag("stop", offset=0, stop_color="#fff6d8", stop_opacity=0.55),
                tag("stop", offset=0.6, stop_color="#fff6d8", stop_opacity=0),
                tag("stop", offset=1, stop_color="#3b2a12", stop_opacity=0.28),
                id="board-light",
                cx=0.42,
                cy=0.3,
                r=0.8,
            ),
            self._specks("board-sand", SAND, (SAND_DARK, SAND_LIGHT, "#c9a468"), 170, 90),
            self._specks("board-tufts", "none", (LEAF, "#dcd9a0", LEAF_DARK), 210, 40, 0.4),
            self._specks("board-paving", "#ecdfcb", ("#b99a86", "#fffaf0", "#d0b49c"), 60, 26),
            *plants.definitions(),
            *monuments.definitions(),
            *frame.definitions(),
        ]

    def _specks(
        self, id_: str, fill: str, colours: tuple[str, ...], size: int, count: int, opacity: float = 0.6
    ) -> str:
        """A tile of grains: dots are lines without length."""
        rng = random.Random(id_)
        dots = [
            tag(
                "path",
                d="".join(f"M{rng.randrange(size)} {rng.randrange(size)}h0" for _ in range(count)),
                stroke=colour,
                stroke_width=width,
                stroke_linecap="round",
                opacity=opacity,
            )
            for colour, width in zip(colours, (1.5, 1.9, 2.6), strict=True)
        ]
        tile = tag("rect", width=size, height=size, fill=fill) if fill != "none" else ""
        return tag("pattern", tile, *dots, id=id_, width=size, height=size, patternUnits="userSpaceOnUse")

    # ------------------------------------------------------------------ box, spina and title

    def _box(self) -> str:
        if not upright(self.layout):
            return ""
        x, y = self.layout.line[0]
        self.ground.claim(x, y / 2, 250, y)
        return tag("g", monuments.BOX, transform=f"translate({number(x)} {number(y - 9)})")

    def _spina(self) -> str:
        x, y = self.layout.line[1]
        sizes = [(float(width), 58.0) for width in (330, 300, 270, 240, 210, 180, 150)]
        spot = self.ground.nearest((x, y + LANE), sizes, infield=True)
        if spot is None:
            return ""
        self.ground.claim(spot[0], spot[1], spot[2] + 16, 74)
        return tag(
            "g", monuments.spina(spot[2]), id="spina", transform=f"translate({number(spot[0])} {number(spot[1])})"
        )

    def _tablet(self) -> str:
        title = self.board.title or f"Board {self.board.name}"
        goal = (self.layout.width / 2, self.layout.height - 70)
        sizes = [(width, 64.0) for width in (440.0, 380.0, 320.0, 260.0)]
        spot = self.ground.nearest(goal, sizes, infield=False) or self.ground.nearest(goal, sizes)
        if spot is None:
            return ""
        x, y, width, _ = spot
        self.ground.claim(x, y, width + 20, 84)
        letters = monuments.tablet(title, f"Side {self.board.side}" if self.board.side else "", width)
        return tag("g", letters, id="inscription", transform=f"translate({number(x)} {number(y)})")

    # ------------------------------------------------------------------ gardens, trees, water

    def _gardens(self) -> str:
        """Beds, vines and roofs in the larger free places."""
        width, height = self.layout.width, self.layout.height
        kinds = TOWN if self.river else VALLEY
        found = []
        for kind, gx, gy in kinds:
            wide, high = plants.SIZES[kind]
            spot = self.ground.nearest((gx * width, gy * height), ((wide + 14, high + 14),))
            if spot is not None and math.dist(spot[:2], (gx * width, gy * height)) < 0.12 * width:
                self.ground.claim(spot[0], spot[1], wide + 20, high + 20)
                found.append(use(f"board-{kind}", spot[0], spot[1]))
        return "".join(found) + self._boats()

    def _boats(self) -> str:
        """Two boats where the river is wide of the track."""
        boats = []
        for share in (0.11, 0.87):
            i = round(share * len(self.river))
            if self.river:
                (ax, ay), (bx, by) = self.river[i], self.river[i + 1]
                turn = math.degrees(math.atan2(by - ay, bx - ax))
                boats.append(
                    use(
                        "board-boat", 0, 0, transform=f"translate({number(ax)} {number(ay)}) rotate({number(turn)})"
                    )
                )
        return "".join(boats)

    def _trees(self) -> str:
        kinds = (
            ("olive", "pine", "bush", "bush", "reed")
            if self.river
            else ("cypress", "cypress", "pine", "bush", "olive")
        )
        rooms = {"cypress": (14, 44), "pine": (34, 38), "olive": (28, 30), "bush": (14, 12), "reed": (14, 18)}
        grown: list[tuple[float, str]] = []
        for _ in range(2500):
            x = self.rng.uniform(FRAME, self.layout.width - FRAME)
            y = self.rng.uniform(FRAME, self.layout.height - FRAME)
            kind = self.rng.choice(kinds)
            wide, high = rooms[kind]
            if len(grown) < 190 and self.ground.fits(x, y - high / 2, wide, high):
                self.ground.claim(x, y - high / 4, wide + 4, high / 2 + 4)
                grown.append((y, use(f"board-{kind}", x, y)))
        return "".join(mark for _, mark in sorted(grown))

    def _river_bed(self) -> str:
        if not self.river:
            return ""
        course = path(self.river)
        ripples = path(aside(self.river, -9)) + path(aside(self.river, 8)) + path(aside(self.river, 17))
        layers: tuple[tuple[str, float, float], ...] = (  # green banks, earth, shallows, water
            ("#7f9a4f", 170, 0.16), ("#7f9a4f", 112, 0.3), ("#8f7a4a", 66, 0.5), ("#e2cf9a", 58, 1),
            ("#3f7f9c", 50, 1), (SKY, 42, 1), ("#8cc3d4", 20, 0.6),
        )  # fmt: skip
        return tag(
            "g",
            *(tag("path", d=course, stroke=ink, stroke_width=wide, opacity=veil) for ink, wide, veil in layers),
            tag("path", d=ripples, stroke="#e8f6f7", stroke_width=1.6, stroke_dasharray="22 14 8 30", opacity=0.8),
            id="river",
            fill="none",
        )

    def water(self) -> str:
        """What of the river and its puddles lies on the sand."""
        if not self.river:
            return ""
        ford = tag("path", d=path(self.river), fill="none", stroke=SKY, stroke_width=40, opacity=0.8)
        ripples = path(aside(self.river, -9)) + path(aside(self.river, 10))
        glint = tag(
            "path", d=ripples, fill="none", stroke="#ffffff", stroke_width=1.6, stroke_dasharray="16 12 6 20"
        )
        puddles = []
        rng = random.Random(self.board.name)
        dry = {name for places in self.board.grid.values() for name in places}
        names = [name for name in sorted(self.layout.shapes) if name not in dry and not name.startswith("alley")]
        for name in rng.sample(names, min(7, len(names))):
            shape = self.layout.shapes[name]
            x, y = shape.x + rng.uniform(-6, 6), shape.y + rng.uniform(-6, 6)
            place = f"translate({number(x)} {number(y)}) rotate({rng.randrange(180)})"
            puddles.append(use("board-puddle", 0, 0, transform=place))
        return ford + glint + "".join(puddles)

    def frame(self) -> str:
        """A mosaic border."""
        return frame.frame(self.layout.width, self.layout.height, FRAME)


def _flow(shares: tuple[Point, ...], width: float, height: float) -> list[Point]:
    """A smooth line through points given as shares of the canvas."""
    knots = [(x * width, y * height) for x, y in shares]
    points: list[Point] = []
    for i in range(len(knots) - 1):
        a, b, c, d = (knots[min(max(i + k, 0), len(knots) - 1)] for k in (-1, 0, 1, 2))
        for step in range(10):
            t = step / 10
            weights = (
                -0.5 * t + t * t - 0.5 * t**3,
                1 - 2.5 * t * t + 1.5 * t**3,
                0.5 * t + 2 * t * t - 1.5 * t**3,
                -0.5 * t * t + 0.5 * t**3,
            )
            x = sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True))
            y = sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True))
            points.append((x, y))
    return [*points, knots[-1]]
