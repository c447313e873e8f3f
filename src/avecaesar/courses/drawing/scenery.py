"""Everything around the track: ground, stands full of people, Caesar's box, the spina, trees, river, frame, title.

None of it means anything to the game (COU-8). It settles on free ground, so that it suits any board.
"""

from __future__ import annotations

import math
import random

from avecaesar.courses.board import Board
from avecaesar.courses.drawing import frame, monuments, plants, river
from avecaesar.courses.drawing.ink import (
    LEAF,
    LEAF_DARK,
    SAND,
    SAND_DARK,
    SAND_LIGHT,
    linear,
    number,
    smooth,
    tag,
    use,
)
from avecaesar.courses.drawing.plots import Ground
from avecaesar.courses.drawing.river import River
from avecaesar.courses.drawing.signs import shields
from avecaesar.courses.drawing.stands import Stands, upright
from avecaesar.courses.geometry import LANE, Layout
from avecaesar.speech import said_in, say

FRAME = 26.0

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
    ("parterre", 0.86, 0.68), ("vines", 0.95, 0.66), ("house", 0.77, 0.84), ("house", 0.84, 0.83),
    ("villa", 0.92, 0.84), ("house", 0.78, 0.95), ("house", 0.86, 0.955), ("house", 0.93, 0.95),
    ("vines", 0.08, 0.6), ("vines", 0.2, 0.66), ("house", 0.08, 0.72),
    ("vines", 0.2, 0.93), ("parterre", 0.08, 0.95), ("house", 0.3, 0.93), ("house", 0.36, 0.88),
)  # fmt: skip
ROAD = ((1.03, 0.885), (0.95, 0.9), (0.85, 0.9), (0.76, 0.895), (0.72, 0.94), (0.71, 1.03))  # through the village
SHADE = {"cypress": 34, "pine": 32, "olive": 24, "bush": 14, "reed": 0}  # how far right a tree throws its shadow


class Surroundings:
    """What stands around one board. Builds once, in a fixed order, so that nothing overlaps."""

    def __init__(self, board: Board, layout: Layout, ground: Ground, rng: random.Random) -> None:
        self.board, self.layout, self.ground, self.rng = board, layout, ground, rng
        self.river = River(layout, ground, board.side == "B")
        self.earth = "#cbb881" if self.river else "#a9b878"  # what the ground looks like on the whole
        box = self._box()
        spina = self._spina()
        tablet = self._tablet()
        self.stands = Stands(board, layout, ground, rng)
        for _, (x, y) in shields(board, layout):  # nothing grows up to a shield
            ground.claim(x, y, 70, 70)
        landmark = self._aqueduct() + self._road() if self.river else ""
        beds = landmark + self.river.puddles() + self._gardens()
        self.built = "".join((self.stands.drawn(), spina, box, tablet))
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
            self.river.bed(),
            self.river.boats(),
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
        meadow = ("#d9c795", "#cdb980", "#bfae74") if self.river else ("#b9c487", "#a7b774", "#93a765")
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
            *self.stands.definitions(),
            *(river.definitions() if self.river else ()),
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

    def _inscription(self) -> tuple[str, str]:
        title = say(self.board.title) if self.board.title else say("Board {name}", name=self.board.name)
        return title, say("Side {side}", side=self.board.side) if self.board.side else ""

    def _tablet(self) -> str:
        """The board's name: what is cut in marble is Latin, whatever language its reader speaks."""
        title, side = said_in("la", self._inscription)
        goal = (self.layout.width / 2, self.layout.height - 70)
        sizes = [(width, 64.0) for width in (440.0, 380.0, 320.0, 260.0)]
        spot = self.ground.nearest(goal, sizes, infield=False) or self.ground.nearest(goal, sizes)
        if spot is None:
            return ""
        x, y, width, _ = spot
        self.ground.claim(x, y, width + 20, 84)
        letters = monuments.tablet(title, side, width)
        return tag("g", letters, id="inscription", transform=f"translate({number(x)} {number(y)})")

    def _aqueduct(self) -> str:
        """Arches across the plain of side B, carrying the river's water to the town."""
        goal = (self.layout.width * 0.86, self.layout.height * 0.76)
        spot = self.ground.nearest(goal, [(float(width), 80.0) for width in (360, 320, 280, 240)], infield=False)
        if spot is None:
            return ""
        self.ground.claim(spot[0] + 6, spot[1], spot[2] + 26, 92)
        left, right = spot[0] - spot[2] / 2, self.layout.width - FRAME / 2  # it comes from beyond the picture
        place = f"translate({number((left + right) / 2)} {number(spot[1] + 34)})"
        return tag("g", monuments.aqueduct(right - left), id="aqueduct", transform=place)

    def _road(self) -> str:
        """The road through the village."""
        line = river.flow(ROAD, self.layout.width, self.layout.height)
        self.ground.claim_line(line, 20)
        common = {"d": smooth(line), "fill": "none"}
        return tag("path", stroke="#a98d58", stroke_width=17, opacity=0.7, **common) + tag(
            "path", stroke="#e6d5a8", stroke_width=13, **common
        )

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
                turn = self.rng.uniform(-6, 6)  # nobody builds quite square
                place = f"translate({number(spot[0])} {number(spot[1])}) rotate({number(turn)})"
                found.append(tag("use", href=f"#board-{kind}", transform=place))
        return "".join(found)

    def _trees(self) -> str:
        kinds = (
            ("olive", "pine", "bush", "bush", "reed") if self.river else ("cypress", "cypress", "pine", "bush", "olive")
        )
        rooms = {"cypress": (14, 44), "pine": (34, 38), "olive": (28, 30), "bush": (14, 12), "reed": (14, 18)}
        grown: list[tuple[float, str]] = []
        for _ in range(2500):
            x = self.rng.uniform(FRAME + 14, self.layout.width - FRAME - 34)  # room for its shadow
            y = self.rng.uniform(FRAME + 14, self.layout.height - FRAME - 10)
            kind = self.rng.choice(kinds)
            wide, high = rooms[kind]
            shaded = self.ground.is_free(x + SHADE[kind], y + 4)  # its shadow must not fall on the track
            if len(grown) < 190 and shaded and self.ground.fits(x, y - high / 2, wide, high):
                self.ground.claim(x, y - high / 4, wide + 4, high / 2 + 4)
                grown.append((y, use(f"board-{kind}", x, y)))
        return "".join(mark for _, mark in sorted(grown))

    def water(self) -> str:
        """What of the river lies on the sand."""
        return self.river.ford()

    def frame(self) -> str:
        """A mosaic border."""
        return frame.frame(self.layout.width, self.layout.height, FRAME)
