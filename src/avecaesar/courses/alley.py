"""The alley where Caesar is greeted: beside the start straight, past the line behind its own wall, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from avecaesar.courses.board import LANES, Board
from avecaesar.courses.curves import SAMPLES, Curve, Point, Polyline, Pose, cos, hermite, sin, turn_between
from avecaesar.courses.spaces import EDGE_POINTS, MOUTH_SLANT, Mouths, Shape, Stretch, cells_of
from avecaesar.courses.track import Track

ALLEY_WIDTH = 0.92  # lane widths
ALLEY_GAP = 1.25  # between the track and the alley at the line, in lane widths
ALLEY_NOSE = 0.17  # the stone between them at its mouths
ALLEY_MOUTH = 1.02  # how wide it is there, along the line where the entrance ends: it leaves askew
ALLEY_LEAST = 0.16  # no less stone than that anywhere between them


class _Way:
    """The way round one course by ranks from the line: negative before it, whatever sections that takes."""

    def __init__(self, board: Board, tracks: dict[str, Track]) -> None:
        sections = board.sections(board.courses[0])
        i = next(i for i, s in enumerate(sections) if s.line_after is not None)
        ring = [*sections[i:], *sections[:i]]
        self.tracks = [tracks[section.name] for section in ring]
        self.starts = [-(ring[0].line_after or 0)]
        for section in ring:
            self.starts.append(self.starts[-1] + section.length)

    def find(self, at: float) -> tuple[Track, float]:
        """The track there, and how far along it."""
        total = self.starts[-1] - self.starts[0]
        at = (at - self.starts[0]) % total + self.starts[0]
        i = max(i for i, start in enumerate(self.starts[:-1]) if start <= at)
        return self.tracks[i], (at - self.starts[i]) / self.tracks[i].section.length

    def pose(self, at: float) -> Pose:
        track, fraction = self.find(at)
        return track.curve.at(fraction)

    def reach(self, at: float) -> tuple[float, float]:
        track, fraction = self.find(at)
        return next(cell for cell in cells_of(track) if fraction <= cell.end + 1e-9).reach(fraction)

    def ends(self, space: str) -> tuple[float, float]:
        """Where a space begins and ends; the nearest way from the line."""
        head = space[:-1].rstrip("0123456789")
        i = next((i for i, t in enumerate(self.tracks) if t.section.name == head), 0)
        section, number = self.tracks[i].section, int(space[len(head) : -1] or 1)
        count = len(section.ranks) or section.lanes[LANES.index(space[-1])]
        size = section.length / count
        begin = self.starts[i] + (number - 1) * size
        if begin > (self.starts[-1] + self.starts[0]) / 2:
            begin -= self.starts[-1] - self.starts[0]
        return begin, begin + size


def lay_alley(board: Board, tracks: dict[str, Track]) -> tuple[dict[str, Shape], Stretch, Mouths, Polyline]:
    """The alley beside the start straight: out of its entrance, past the line behind its own wall, and back."""
    alley, lane, way = board.alley, board.lane_width, _Way(board, tracks)
    begin, end = way.ends(alley.entrance)[1], way.ends(alley.exit)[0]
    first, second = _alley_half(way, begin, lane), [side[::-1] for side in _alley_half(way, end, lane)]
    halves = [(first, alley.line_after), (second, alley.spaces - alley.line_after)]
    shapes, rungs = _alley_shapes(halves)
    left, right = ((*a, *b[1:]) for a, b in zip(first, second, strict=True))
    centre = tuple(_between(a, b) for a, b in zip(left, right, strict=True))
    stretch = Stretch("alley", None, centre, left, right, (), tuple(rungs))
    opening = ALLEY_NOSE + ALLEY_MOUTH
    mouths = {alley.entrance: (0.0, opening), alley.exit: (opening, 0.0)}
    return shapes, stretch, mouths, (first[0][-1], way.pose(0).aside(lane * way.reach(0)[1]).point)


def _alley_half(way: _Way, mouth: float, lane: float) -> list[Polyline]:
    """Its left and right side from a mouth to the line, each a single sweep that the mouth's edge begins."""
    marks = [mouth * (1 - k / SAMPLES) for k in range(SAMPLES + 1)]
    low, high = way.reach(mouth)[0] + ALLEY_NOSE, max(way.reach(at)[0] for at in marks) + ALLEY_GAP
    slant = MOUTH_SLANT * (ALLEY_NOSE + ALLEY_MOUTH) * abs(mouth)
    sides = []
    for wide in ((ALLEY_MOUTH, ALLEY_WIDTH), (0.0, 0.0)):
        points = []
        for at in marks:
            out = hermite(low + wide[0], high + wide[1], min(slant, 2 * (high - low)), 0, 1 - at / mouth)
            least = way.reach(at)[0] + ALLEY_LEAST + wide[0]
            points.append(way.pose(at).aside(-lane * max(out, least)).point)
        sides.append(tuple(points))
    return sides


def _between(a: Point, b: Point) -> Point:
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)


def _alley_shapes(halves: Iterable[tuple[Sequence[Polyline], int]]) -> tuple[dict[str, Shape], list[Polyline]]:
    """Its spaces lie between points of both sides at about the same share of their lengths."""
    shapes: dict[str, Shape] = {}
    rungs: list[Polyline] = []
    for sides, count in halves:
        left, right = (Curve(side) for side in sides)
        for k in range(count):
            rungs.append(_rung_square(left, right, k / count))
            spots = [_rung_square(left, right, (k + j / EDGE_POINTS) / count) for j in range(EDGE_POINTS + 1)]
            outline = [spot[0] for spot in spots] + [spot[1] for spot in spots][::-1]
            share = (k + 0.5) / count
            out, in_ = left.at(share), right.at(share)
            heading = out.heading + turn_between(out.heading, in_.heading) / 2
            middle = _between(*_rung_square(left, right, share))
            shapes[f"alley{len(shapes) + 1}"] = Shape(tuple(outline), *middle, heading % 360)
        last = _rung_square(left, right, 1)
    return shapes, [*rungs, last]


def _rung_square(left: Curve, right: Curve, share: float) -> Polyline:
    """From side to side, square to the way, but at mouths and line as the track's own spaces end."""
    a, b = left.at(share), right.at(share)
    askew = (a.x - b.x) * cos(a.heading) + (a.y - b.y) * sin(a.heading)
    shift = askew / 2 * min(1.0, 3 * share, 3 * (1 - share))
    return (left.at(share - shift / (left.length or 1)).point, right.at(share + shift / (right.length or 1)).point)
