"""Everything around the track: ground, stands full of people, Caesar's box, the spina, trees, river, frame, title.

None of it means anything to the game (COU-8). It settles on free ground, so that it suits any board.
"""

from __future__ import annotations

import math
import random
from functools import cached_property
from itertools import pairwise

from avecaesar.courses import monuments
from avecaesar.courses.board import Board, Direction
from avecaesar.courses.geometry import LANE, Layout, Point, Stretch
from avecaesar.courses.ink import (
    DUST,
    LEAF,
    LEAF_DARK,
    MEADOW,
    NIGHT,
    SAND,
    SAND_DARK,
    SAND_LIGHT,
    SKIN,
    SKY,
    STONE,
    STONE_DARK,
    STONE_LIGHT,
    TERRACOTTA,
    TUNICS,
    aside,
    linear,
    number,
    path,
    tag,
    use,
)
from avecaesar.courses.plots import Ground

FRAME = 26.0
TIER = 14.0  # from one row of seats to the next

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
    ("villa", 0.08, 0.08), ("house", 0.17, 0.07), ("house", 0.24, 0.1), ("house", 0.08, 0.18), ("vines", 0.17, 0.17),
    ("house", 0.8, 0.07), ("villa", 0.89, 0.08), ("vines", 0.93, 0.5), ("house", 0.93, 0.6), ("parterre", 0.85, 0.7),
    ("vines", 0.93, 0.78), ("house", 0.86, 0.8), ("house", 0.78, 0.8), ("vines", 0.08, 0.6), ("vines", 0.2, 0.66),
    ("house", 0.08, 0.72), ("vines", 0.2, 0.93), ("parterre", 0.08, 0.95), ("house", 0.3, 0.93), ("house", 0.36, 0.88),
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
        stands = self._main_stand() + self._curved_stands()
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
            tag("rect", fill="url(#board-light)", **size),
            self._river_bed(),
            self.laid,
            id="ground",
        )

    def above(self, direction: Direction) -> str:
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
            *monuments.definitions(),
        ]

    def _specks(
        self, id_: str, fill: str, colours: tuple[str, ...], size: int, count: int, opacity: float = 0.6
    ) -> str:
        """A tile of grains: dots are lines without length."""
        rng = random.Random(id_)  # noqa: S311 - a painter's dice
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

    # ------------------------------------------------------------------ stands

    @cached_property
    def _upright(self) -> bool:
        """Whether the line stands upright, the start straight below the box, as on our own boards."""
        (ax, ay), (bx, by) = self.layout.line
        return by - ay > 4 * abs(bx - ax)

    def _box(self) -> str:
        if not self._upright:
            return ""
        x, y = self.layout.line[0]
        self.ground.claim(x, y / 2, 250, y)
        return tag("g", monuments.BOX, transform=f"translate({number(x)} {number(y - 9)})")

    def _main_stand(self) -> str:
        """Rows of seats left and right of the box, as far as they find room above the start straight."""
        if not self._upright:
            return ""
        start = next(s for s in self.layout.stretches.values() if s.section == self._start_section)
        middle, bottom = self.layout.line[0][0], min(y for _, y in start.left[:2]) - 16
        reach = max(abs(x - middle) for x, _ in start.left) + LANE * 1.2
        parts = []
        for side in (-1, 1):
            rows: list[list[Point]] = []
            y = FRAME + 46
            while y < bottom:
                run = self._run(y, middle, side, reach)
                if run is not None:
                    rows.append([(run[0], y), (run[1], y)])
                y += TIER
            if rows:
                parts.append(self._arcade(rows[0]))
                self.ground.claim((rows[0][0][0] + rows[0][1][0]) / 2, rows[0][0][1] - 20, rows[0][1][0] - rows[0][0][0], 60)
            parts += [self._tier(row, k) for k, row in enumerate(rows)]
            parts.append(self._stairs(rows))
            for row in rows:
                self.ground.claim((row[0][0] + row[1][0]) / 2, row[0][1], row[1][0] - row[0][0], TIER + 6)
        return "".join(parts)

    @property
    def _start_section(self) -> str:
        return next(s.name for s in self.board.sections(self.board.courses[0]) if s.line_after is not None)

    def _run(self, y: float, middle: float, side: int, reach: float) -> tuple[float, float] | None:
        """The free stretch of one row on one side of the box."""
        free: list[float] = []
        for k in range(int(reach / 10), 0, -1):  # inwards, until something stands in the way
            x = middle + side * k * 10
            if self.ground.is_free(x, y - 6, infield=False) and self.ground.is_free(x, y + 8, infield=False):
                free.append(x)
            elif free:
                break
        return (min(free) - 2, max(free) + 2) if len(free) >= 6 else None

    def _arcade(self, row: list[Point]) -> str:
        """The arches behind the highest row."""
        (x, y), (x2, _) = row
        count = max(int((x2 - x) / 24), 1)
        step = (x2 - x) / count
        arch = f"v-18a{number(step * 0.3)} {number(step * 0.3)} 0 0 1 {number(step * 0.6)} 0v18z"
        arches = "".join(f"M{number(x + (k + 0.2) * step)} {number(y - 5)}{arch}" for k in range(count))
        wall = f"M{number(x)} {number(y)}V{number(y - 33)}H{number(x2)}V{number(y)}z"
        cornice = f"M{number(x - 3)} {number(y - 33)}H{number(x2 + 3)}"
        return "".join(
            (
                tag("path", d=wall, fill=STONE_LIGHT, stroke=STONE_DARK, stroke_width=1),
                tag("path", d=arches, fill="#6b4a35"),
                tag("path", d=cornice, stroke=TERRACOTTA, stroke_width=6),
                tag("path", d=cornice, stroke="#e4976d", stroke_width=2, transform="translate(0 -2)"),
            )
        )

    def _stairs(self, rows: list[list[Point]]) -> str:
        """Aisles down the rows."""
        if len(rows) < 3:
            return ""
        left, right = max(row[0][0] for row in rows), min(row[1][0] for row in rows)
        first = min(max(left, rows[0][0][0]), rows[0][1][0])
        last = max(min(right, rows[0][1][0]), first)
        top, bottom = number(rows[0][0][1] - 7), number(rows[-1][0][1] + 7)
        steps = "".join(
            f"M{number(x)} {top}V{bottom}" for x in (first + (last - first) * share for share in (0.34, 0.72))
        )
        return tag("path", d=steps, stroke=STONE_DARK, stroke_width=9) + tag(
            "path", d=steps, stroke=STONE_LIGHT, stroke_width=7, stroke_dasharray="3 1.67"
        )

    def _curved_stands(self) -> str:
        """Rows along the outside of bends, where there is room."""
        parts = []
        curves = {
            section.name
            for course in self.board.courses
            for section in self.board.sections(course)
            if section.kind != "straight"
        }
        for name, stretch in self.layout.stretches.items():
            if name in curves:
                parts.append(self._stand_along(stretch))
        return "".join(parts)

    def _stand_along(self, stretch: Stretch) -> str:
        rows: list[list[Point]] = []
        for k in range(4):
            row = self._open_part(aside(stretch.left, -(24 + k * TIER))[1:-1])
            if len(row) < 6 or (rows and _length(row) < 0.9 * _length(rows[0])):
                break
            rows.append(row)
        if len(rows) < 2:
            return ""
        parts = [self._tier(row, k) for k, row in reversed(list(enumerate(rows)))]
        for row in rows:
            self.ground.claim_line(row, TIER + 4)
        return "".join(parts)

    def _open_part(self, row: list[Point]) -> list[Point]:
        """The longest part of a row with free ground under it."""
        best: list[Point] = []
        run: list[Point] = []
        for point, edge in zip(row, aside(row, -6), strict=True):
            free = self.ground.is_free(*point, infield=False) and self.ground.is_free(*edge, infield=False)
            run = [*run, point] if free else []
            best = max(best, run, key=len)
        return best

    def _tier(self, row: list[Point], number_: int) -> str:
        line = path(row)
        shade = (STONE_LIGHT, STONE)[number_ % 2]
        return "".join(
            (
                tag(
                    "path",
                    d=line,
                    fill="none",
                    stroke=NIGHT,
                    stroke_width=TIER + 4,
                    opacity=0.16,
                    transform="translate(3 5)",
                ),
                tag("path", d=line, fill="none", stroke=STONE_DARK, stroke_width=TIER + 1.4),
                tag("path", d=line, fill="none", stroke=shade, stroke_width=TIER - 1),
                self._crowd(line),
            )
        )

    def _crowd(self, line: str) -> str:
        """People side by side: dots of a dashed line, every tunic with a rhythm of its own."""
        seats, at = [], 0.0
        for _ in range(23):
            at += self.rng.choice((6.4, 6.9, 7.4, 12.5))
            seats.append((at, self.rng.randrange(len(TUNICS))))
        bodies, heads = [], []
        for colour, tunic in enumerate(TUNICS):
            mine = [seat for seat, worn in seats if worn == colour]
            if not mine:
                continue
            gaps = [b - a for a, b in zip(mine, [*mine[1:], mine[0] + at], strict=True)]
            rhythm = " ".join(f"0 {number(gap)}" for gap in gaps)
            common = {"d": line, "stroke_dasharray": rhythm, "stroke_dashoffset": number(-mine[0])}
            bodies.append(tag("path", stroke=tunic, **common))
        gaps = [b - a for (a, _), (b, _) in zip(seats, [*seats[1:], (seats[0][0] + at, 0)], strict=True)]
        heads.append(
            tag(
                "path",
                d=line,
                stroke=SKIN,
                stroke_width=3.6,
                stroke_dasharray=" ".join(f"0 {number(gap)}" for gap in gaps),
                stroke_dashoffset=number(-seats[0][0]),
                transform="translate(0 -4)",
            )
        )
        return tag("g", *bodies, *heads, fill="none", stroke_width=6.2, stroke_linecap="round")

    # ------------------------------------------------------------------ spina and title

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
        sizes = [(width, 64.0 + 0 * width) for width in (440.0, 380.0, 320.0, 260.0)]
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
            wide, high = monuments.SIZES[kind]
            spot = self.ground.nearest((gx * width, gy * height), ((wide + 14, high + 14),))
            if spot is not None and math.dist(spot[:2], (gx * width, gy * height)) < 0.12 * width:
                self.ground.claim(spot[0], spot[1], wide + 20, high + 20)
                found.append(use(f"board-{kind}", spot[0], spot[1]))
        return "".join(found) + self._boats()

    def _boats(self) -> str:
        """Two boats where the river is wide of the track."""
        boats = []
        for share in (0.07, 0.86):
            i = round(share * len(self.river))
            if self.river:
                (ax, ay), (bx, by) = self.river[i], self.river[i + 1]
                turn = math.degrees(math.atan2(by - ay, bx - ax))
                boats.append(use("board-boat", 0, 0, transform=f"translate({number(ax)} {number(ay)}) rotate({number(turn)})"))
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
        return "".join(
            (
                tag("path", d=course, fill="none", stroke="#7f9a4f", stroke_width=170, opacity=0.16),
                tag("path", d=course, fill="none", stroke="#7f9a4f", stroke_width=112, opacity=0.3),
                tag("path", d=course, fill="none", stroke="#8f7a4a", stroke_width=66, opacity=0.5),
                tag("path", d=course, fill="none", stroke="#e2cf9a", stroke_width=58),
                tag("path", d=course, fill="none", stroke="#3f7f9c", stroke_width=50),
                tag("path", d=course, fill="none", stroke=SKY, stroke_width=42),
                tag("path", d=course, fill="none", stroke="#8cc3d4", stroke_width=20, opacity=0.6),
                tag(
                    "path",
                    d=ripples,
                    fill="none",
                    stroke="#e8f6f7",
                    stroke_width=1.6,
                    stroke_dasharray="22 14 8 30",
                    opacity=0.8,
                ),
            )
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
        rng = random.Random(self.board.name)  # noqa: S311 - a painter's dice
        names = [name for name in sorted(self.layout.shapes) if not name.startswith("alley")]
        for name in rng.sample(names, min(7, len(names))):
            shape = self.layout.shapes[name]
            place = f"translate({number(shape.x + rng.uniform(-6, 6))} {number(shape.y + rng.uniform(-6, 6))}) rotate({rng.randrange(180)})"
            puddles.append(use("board-puddle", 0, 0, transform=place))
        return ford + glint + "".join(puddles)

    def frame(self) -> str:
        """A mosaic border."""
        return monuments.frame(self.layout.width, self.layout.height, FRAME)


def _length(points: list[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(points))


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


__all__ = ["DUST", "FRAME", "MEADOW", "Surroundings"]
