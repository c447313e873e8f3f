"""The spaces of a track: their outlines, and the edges, walls and lane lines of each section.

A rank of a straight, or a whole curve, is a cell: across it the edges go over from one width into the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from avecaesar.courses.board import LANES, Board
from avecaesar.courses.curves import Point, Polyline, hermite
from avecaesar.courses.track import Track, widths_of

EDGE_POINTS = 9  # points along one side of a space
CLOSING = 0.6  # within this share of a space its edge turns to shut a branch off
MOUTH_SLANT = 1.05  # how steeply the alley leaves: its opening so many times in a rank


@dataclass(frozen=True, slots=True)
class Shape:
    """A space as it is drawn."""

    outline: Polyline
    x: float
    y: float
    heading: float  # of travel clockwise, degrees; 0 east, 90 south


@dataclass(frozen=True, slots=True)
class Divider:
    """What lies between two lanes of a section: a wall, or a dashed line that may be crossed."""

    points: Polyline
    wall: bool


@dataclass(frozen=True, slots=True)
class Stretch:
    """A section as it is drawn: its edges as driven clockwise, what divides its lanes, where spaces meet."""

    section: str
    course: str | None  # None: shared by all courses
    centre: Polyline
    left: Polyline
    right: Polyline
    dividers: tuple[Divider, ...]
    rungs: tuple[Polyline, ...]  # between a space and the next of its lane


def _ease(t: float) -> float:
    t = min(max(t, 0.0), 1.0)
    return t * t * (3 - 2 * t)


def _turning(by: float, t: float, share: float) -> float:
    """How far an edge still is from its natural place, `by` at its end; one that shuts a branch off turns late."""
    return by * (1 - _ease(t / (share if by >= 0 else CLOSING)))


@dataclass(frozen=True, slots=True)
class Cell:
    """A rank of a straight or a whole curve: how far its edges lie from the centre, anywhere along it."""

    track: Track
    begin: float  # fractions of its section
    end: float
    width: int
    first: tuple[float, float]
    last: tuple[float, float]

    def reach(self, fraction: float) -> tuple[float, float]:
        """Left and right of the centre line, in lane widths."""
        t = (fraction - self.begin) / (self.end - self.begin)
        natural = self.width / 2
        more = [max(sum(end) - self.width, 0.0) for end in (self.first, self.last)]
        share = min(max(more[0] / ((more[0] + more[1]) or 1.0), 0.3), 0.7) if all(more) else 0.92
        shares = (share, 1 - share if all(more) else share)
        left, right = (
            natural
            + _turning(self.first[k] - natural, t, shares[0])
            + _turning(self.last[k] - natural, 1 - t, shares[1])
            for k in (0, 1)
        )
        return left, right

    def lateral(self, fraction: float, lanes: float) -> float:
        """Where the line `lanes` lanes from the left edge runs, in lane widths right of the centre line."""
        left, right = self.reach(fraction)
        return -left + (left + right) * lanes / self.width


def cells_of(track: Track) -> list[Cell]:
    """Its cells, in the order in which they are driven clockwise."""
    widths = widths_of(track.section)
    if track.section.kind != "straight":
        return [Cell(track, 0, 1, widths[0], track.first, track.last)]
    n = len(widths)
    meets = [track.first, *((max(a, b) / 2,) * 2 for a, b in pairwise(widths)), track.last]
    return [Cell(track, i / n, (i + 1) / n, widths[i], meets[i], meets[i + 1]) for i in range(n)]


Mouths = dict[str, tuple[float, float]]  # how far a space opens to the left at its begin and end
SHUT = (0.0, 0.0)


def _opening(mouth: tuple[float, float], t: float) -> float:
    """How far an edge has swung out on its way into the alley, which it reaches at a slant."""
    return sum(hermite(0, open_, 0, MOUTH_SLANT * open_, at) for open_, at in zip(mouth, (1 - t, t), strict=True))


def _first_lane(cell: Cell) -> str:
    """The name of a rank's leftmost space; a curve has no mouth, and no such name."""
    section = cell.track.section
    return f"{section.name}{round(cell.begin * section.length) + 1}{LANES[0]}" if section.ranks else ""


def shapes_of(board: Board, track: Track, mouths: Mouths) -> dict[str, Shape]:
    """Its spaces, by name."""
    section, shapes = track.section, {}
    for number, cell in enumerate(cells_of(track), 1):
        for lane in range(cell.width):
            count = 1 if section.kind == "straight" else section.lanes[lane]
            for k in range(count):
                name = f"{section.name}{number if section.kind == 'straight' else k + 1}{LANES[lane]}"
                size = (cell.end - cell.begin) / count
                begin = cell.begin + k * size
                mouth = mouths.get(name, SHUT)
                shapes[name] = _shape(board.lane_width, cell, lane, begin, begin + size, mouth)
    return shapes


def _shape(lane_width: float, cell: Cell, lane: int, begin: float, end: float, mouth: tuple[float, float]) -> Shape:
    def side(lanes: int, opening: tuple[float, float]) -> list[Point]:
        points = []
        for k in range(EDGE_POINTS + 1):
            t = k / EDGE_POINTS
            f = begin + t * (end - begin)
            out = _opening(opening, t)
            points.append(cell.track.curve.at(f).aside(lane_width * (cell.lateral(f, lanes) - out)).point)
        return points

    middle = (begin + end) / 2
    centre = cell.track.curve.at(middle).aside(lane_width * cell.lateral(middle, lane + 0.5))
    outline = side(lane, mouth if lane == 0 else SHUT) + side(lane + 1, SHUT)[::-1]
    return Shape(tuple(outline), centre.x, centre.y, centre.heading % 360)


def stretch_of(lane_width: float, track: Track, mouths: Mouths) -> Stretch:
    """The whole section, with the lines in it."""
    cells = cells_of(track)

    def edge(cell: Cell, lanes: float) -> Polyline:
        points = []
        steps = EDGE_POINTS * (2 if track.section.kind != "straight" else 1)
        for k in range(steps + 1):
            f = cell.begin + (cell.end - cell.begin) * k / steps
            out = 0.0 if lanes else _opening(mouths.get(_first_lane(cell), SHUT), k / steps)
            points.append(track.curve.at(f).aside(lane_width * (cell.lateral(f, lanes) - out)).point)
        return tuple(points)

    dividers, rungs = [], []
    for cell in cells:
        dividers += [Divider(edge(cell, lane), track.section.walled) for lane in range(1, cell.width)]
        rungs += _rungs(lane_width, track, cell)
    left = tuple(point for cell in cells for point in edge(cell, 0))
    right = tuple(point for cell in cells for point in edge(cell, cell.width))
    centre = tuple(track.curve.points)
    return Stretch(track.section.name, track.course, centre, left, right, tuple(dividers), tuple(rungs))


def _rungs(lane_width: float, track: Track, cell: Cell) -> list[Polyline]:
    section = track.section

    def rung(fraction: float, lane: int) -> Polyline:
        pose = track.curve.at(fraction)
        return tuple(pose.aside(lane_width * cell.lateral(fraction, lane + k)).point for k in (0, 1))

    if section.kind == "straight":
        return [rung(cell.begin, lane) for lane in range(cell.width)]
    return [rung(k / count, lane) for lane, count in enumerate(section.lanes) for k in range(count)]
