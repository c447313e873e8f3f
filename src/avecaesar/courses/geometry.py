"""From a board to shapes: where every space lies, and the edges, walls and lane lines between them.

Both drawings (`svg`, `terminal`) and the exported coordinates come from here. It knows sections and places,
no steps and no rules. Screen coordinates: x to the right, y down, headings clockwise from east.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from avecaesar.courses.board import LANES, Board, BoardError, Section
from avecaesar.courses.curves import (
    SAMPLES,
    Curve,
    Point,
    Polyline,
    Pose,
    bend,
    cos,
    direction,
    hermite,
    sin,
    turn_between,
)
from avecaesar.courses.oval import on_an_oval

LANE = 40.0  # the width of a lane in every layout
MOST_LANES_ACROSS = 120
LEAST_ASPECT = 1.24  # of the canvas, width to height: both sides of a board are of one format
EDGE_POINTS = 9  # points along one side of a space
MARGINS = (3.2, 4.7, 3.2, 3.3)  # left, top, right, bottom of the track, in lane widths: stands and title
ALLEY_WIDTH = 0.92  # lane widths
ALLEY_GAP = 1.25  # between the track and the alley at the line, in lane widths
ALLEY_NOSE = 0.17  # the stone between them at its mouths
ALLEY_MOUTH = 1.02  # how wide it is there, along the line where the entrance ends: it leaves askew
ALLEY_LEAST = 0.16  # no less stone than that anywhere between them
CLOSING = 0.6  # within this share of a space its edge turns to shut a branch off
MOUTH_SLANT = 1.05  # how steeply the alley leaves: its opening so many times in a rank
FORK_GAP = 0.16  # the nose of stone where branches part, in lane widths


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


@dataclass(frozen=True, slots=True)
class OneCourseOpen:
    """The shared sections at fork and join while only one course is open: they lead into its branch alone."""

    shapes: dict[str, Shape]
    stretches: dict[str, Stretch]


@dataclass(frozen=True, slots=True)
class Layout:
    """A board laid out: a shape for every space of all courses, and the lines to draw."""

    width: float
    height: float
    shapes: dict[str, Shape]
    stretches: dict[str, Stretch]  # by section name, and the alley's under "alley"
    line: Polyline  # start and finish, from the alley's outer wall to the far side of the track
    threads: dict[str, Polyline]  # the centre line of each course, all the way round
    closed: dict[str, OneCourseOpen]  # by course: what fork and join look like while the other branch is shut


# ---------------------------------------------------------------------- joints


def _poses(board: Board) -> dict[str, Pose]:
    """Where each section begins, on the centre line, with a heading for all of them."""
    poses: dict[str, Pose] = {}
    for course in board.courses:
        ring = board.sections(course)
        for i, section in enumerate(ring):
            if section.name not in poses:
                poses[section.name] = _pose(ring[i - 1], section, ring[(i + 1) % len(ring)])
    return poses


def _pose(last: Section, section: Section, following: Section) -> Pose:
    a, b, c = last.joint, section.joint, following.joint
    if a is None or b is None or c is None:
        raise AssertionError("a board has all of its joints or none")
    if b.heading is not None:
        return Pose(b.x, b.y, b.heading)
    incoming = direction((a.x, a.y), (b.x, b.y))
    leaving = direction((b.x, b.y), (c.x, c.y))
    if section.kind == "straight" and last.kind != "straight":
        return Pose(b.x, b.y, leaving)
    if last.kind == "straight" and section.kind != "straight":
        return Pose(b.x, b.y, incoming)
    # Between two curves: the tangent of the circle through the three points.
    share = math.dist((a.x, a.y), (b.x, b.y))
    share /= (share + math.dist((b.x, b.y), (c.x, c.y))) or 1.0
    return Pose(b.x, b.y, incoming + share * turn_between(incoming, leaving))


# ---------------------------------------------------------------------- the track


@dataclass(slots=True)
class _Track:
    """A section on its way to a stretch: its centre line, and how wide it is at both ends (left, right)."""

    section: Section
    course: str | None
    curve: Curve
    first: tuple[float, float]
    last: tuple[float, float]

    def __init__(self, section: Section, course: str | None, curve: Curve) -> None:
        self.section, self.course, self.curve = section, course, curve
        self.first = (_widths(section)[0] / 2,) * 2
        self.last = (_widths(section)[-1] / 2,) * 2


def _widths(section: Section) -> tuple[int, ...]:
    if section.kind == "straight":
        return tuple(rank.width for rank in section.ranks)
    return (len(section.lanes),) * section.length


def _tracks(board: Board) -> dict[str, _Track]:
    """The centre lines of all sections; at fork and join branches lie side by side, the outer on the left."""
    drafted = board.sections(board.courses[0])[0].joint is None
    poses, lane = _poses(on_an_oval(board) if drafted else board), board.lane_width
    tracks: dict[str, _Track] = {}
    order = _outer_first(board, poses)
    for course in board.courses:
        ring = board.sections(course)
        for i, section in enumerate(ring):
            following = ring[(i + 1) % len(ring)]
            a, b = poses[section.name], poses[following.name]
            branch = board.branches[course] if len(board.courses) == 2 else ()
            if branch and section is branch[0]:
                a = a.aside(lane * _beside(board, order, course, 0))
            if branch and section is branch[-1]:
                b = b.aside(lane * _beside(board, order, course, -1))
            if section.name not in tracks:
                shared = course if section in board.branches[course] and len(board.courses) == 2 else None
                tracks[section.name] = _Track(section, shared, bend(a, b, "straight" if drafted else section.kind))
    for course in board.courses:
        ring = board.sections(course)
        for section, following in zip(ring, (*ring[1:], ring[0]), strict=True):
            _meet(tracks[section.name], tracks[following.name])
    if len(board.courses) == 2:
        _widen_at_the_fork(board, tracks, order)
    return tracks


def _outer_first(board: Board, poses: dict[str, Pose]) -> list[str]:
    """The courses, the one that goes round more first: it is on the left at fork and join."""

    def area(course: str) -> float:
        ring = [poses[section.name] for section in board.sections(course)]
        return sum(a.x * b.y - b.x * a.y for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))

    return sorted(board.courses, key=area, reverse=True)


def _beside(board: Board, order: Sequence[str], course: str, end: int) -> float:
    """How far right of the common centre line a branch begins (end 0) or ends (end -1), in lane widths."""
    other = next(name for name in order if name != course)
    aside = (_widths(board.branches[other][end])[end] + FORK_GAP) / 2
    return -aside if order[0] == course else aside


def _meet(a: _Track, b: _Track) -> None:
    """Where sections of different width meet, the narrower widens."""
    if a.course == b.course:
        width = max(_widths(a.section)[-1], _widths(b.section)[0]) / 2
        a.last = b.first = (width, width)


def _widen_at_the_fork(board: Board, tracks: dict[str, _Track], order: Sequence[str]) -> None:
    """The space before the fork, and that after the join, is as wide there as both branches together."""
    outer, inner = order
    before = board.before[-1] if board.before else board.after[-1]
    after = board.after[0] if board.after else board.before[0]
    for end, shared in ((0, before), (-1, after)):
        sides = []
        for course in (outer, inner):
            branch = board.branches[course]
            sides.append(abs(_beside(board, order, course, end)) + _widths(branch[end])[end] / 2)
            width = (_widths(branch[end])[end] / 2,) * 2
            if end == 0:
                tracks[branch[0].name].first = width
            else:
                tracks[branch[-1].name].last = width
        if end == 0:
            tracks[shared.name].last = (sides[0], sides[1])
        else:
            tracks[shared.name].first = (sides[0], sides[1])


def _closed_tracks(board: Board, tracks: dict[str, _Track], course: str) -> dict[str, _Track]:
    """Fork and join for one course: on the other's side their edge runs on into the branch's own."""
    before = board.before[-1] if board.before else board.after[-1]
    after = board.after[0] if board.after else board.before[0]
    branch = board.branches[course]
    closed: dict[str, _Track] = {}
    for end, shared in ((0, before), (-1, after)):
        near = tracks[branch[end].name].curve.at(-end).point
        own = closed.setdefault(shared.name, copy(tracks[shared.name]))
        middle = own.curve.at(1 + end)
        aside = _lateral(middle, near) / board.lane_width  # of the branch, right of the common centre line
        half = _widths(branch[end])[end] / 2
        if end == 0:
            own.last = (half - aside, half + aside)
        else:
            own.first = (half - aside, half + aside)
    return closed


def _lateral(pose: Pose, point: Point) -> float:
    """How far right of a pose a point lies."""
    angle = math.radians(pose.heading)
    return (point[1] - pose.y) * math.cos(angle) - (point[0] - pose.x) * math.sin(angle)


# ---------------------------------------------------------------------- spaces


def _ease(t: float) -> float:
    t = min(max(t, 0.0), 1.0)
    return t * t * (3 - 2 * t)


def _turning(by: float, t: float, share: float) -> float:
    """How far an edge still is from its natural place, `by` at its end; one that shuts a branch off turns late."""
    return by * (1 - _ease(t / (share if by >= 0 else CLOSING)))


@dataclass(frozen=True, slots=True)
class _Cell:
    """A rank of a straight or a whole curve: how far its edges lie from the centre, anywhere along it."""

    track: _Track
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


def _cells(track: _Track) -> list[_Cell]:
    widths = _widths(track.section)
    if track.section.kind != "straight":
        return [_Cell(track, 0, 1, widths[0], track.first, track.last)]
    n = len(widths)
    meets = [track.first, *((max(a, b) / 2,) * 2 for a, b in pairwise(widths)), track.last]
    return [_Cell(track, i / n, (i + 1) / n, widths[i], meets[i], meets[i + 1]) for i in range(n)]


Mouths = dict[str, tuple[float, float]]  # how far a space opens to the left at its begin and end
SHUT = (0.0, 0.0)


def _opening(mouth: tuple[float, float], t: float) -> float:
    """How far an edge has swung out on its way into the alley, which it reaches at a slant."""
    return sum(hermite(0, open_, 0, MOUTH_SLANT * open_, at) for open_, at in zip(mouth, (1 - t, t), strict=True))


def _first_lane(cell: _Cell) -> str:
    """The name of a rank's leftmost space; a curve has no mouth, and no such name."""
    section = cell.track.section
    return f"{section.name}{round(cell.begin * section.length) + 1}{LANES[0]}" if section.ranks else ""


def _shapes(board: Board, track: _Track, mouths: Mouths) -> dict[str, Shape]:
    section, shapes = track.section, {}
    for number, cell in enumerate(_cells(track), 1):
        for lane in range(cell.width):
            count = 1 if section.kind == "straight" else section.lanes[lane]
            for k in range(count):
                name = f"{section.name}{number if section.kind == 'straight' else k + 1}{LANES[lane]}"
                size = (cell.end - cell.begin) / count
                begin = cell.begin + k * size
                mouth = mouths.get(name, SHUT)
                shapes[name] = _shape(board.lane_width, cell, lane, begin, begin + size, mouth)
    return shapes


def _shape(lane_width: float, cell: _Cell, lane: int, begin: float, end: float, mouth: tuple[float, float]) -> Shape:
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


def _stretch(lane_width: float, track: _Track, mouths: Mouths) -> Stretch:
    cells = _cells(track)

    def edge(cell: _Cell, lanes: float) -> Polyline:
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


def _rungs(lane_width: float, track: _Track, cell: _Cell) -> list[Polyline]:
    section = track.section

    def rung(fraction: float, lane: int) -> Polyline:
        pose = track.curve.at(fraction)
        return tuple(pose.aside(lane_width * cell.lateral(fraction, lane + k)).point for k in (0, 1))

    if section.kind == "straight":
        return [rung(cell.begin, lane) for lane in range(cell.width)]
    return [rung(k / count, lane) for lane, count in enumerate(section.lanes) for k in range(count)]


# ---------------------------------------------------------------------- the alley


class _Way:
    """The way round one course by ranks from the line: negative before it, whatever sections that takes."""

    def __init__(self, board: Board, tracks: dict[str, _Track]) -> None:
        sections = board.sections(board.courses[0])
        i = next(i for i, s in enumerate(sections) if s.line_after is not None)
        ring = [*sections[i:], *sections[:i]]
        self.tracks = [tracks[section.name] for section in ring]
        self.starts = [-(ring[0].line_after or 0)]
        for section in ring:
            self.starts.append(self.starts[-1] + section.length)

    def find(self, at: float) -> tuple[_Track, float]:
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
        return next(cell for cell in _cells(track) if fraction <= cell.end + 1e-9).reach(fraction)

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


def _alley(board: Board, tracks: dict[str, _Track]) -> tuple[dict[str, Shape], Stretch, Mouths, Polyline]:
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


# ---------------------------------------------------------------------- the whole


@cache
def lay_out(board: Board) -> Layout:
    """Where everything on a board lies; whatever its file's units, a lane is LANE wide here."""
    tracks = _tracks(board)
    alley_shapes, alley, mouths, line = _alley(board, tracks)
    shapes: dict[str, Shape] = {}
    for track in tracks.values():
        shapes |= _shapes(board, track, mouths)
    shapes |= alley_shapes
    stretches = {name: _stretch(board.lane_width, track, mouths) for name, track in tracks.items()}
    stretches["alley"] = alley
    threads = {
        course: tuple(p for s in board.sections(course) for p in stretches[s.name].centre[:-1])
        for course in board.courses
    }
    points = [point for shape in shapes.values() for point in shape.outline]
    low = (min(x for x, _ in points), min(y for _, y in points))
    high = (max(x for x, _ in points), max(y for _, y in points))
    scale = LANE / board.lane_width
    across = max(high[0] - low[0], high[1] - low[1]) / board.lane_width
    if across > MOST_LANES_ACROSS:
        raise BoardError(
            f"the track is {across:.0f} lane widths across, and a drawing has room for {MOST_LANES_ACROSS}; "
            "bring the places together or write a larger 'lane width'"
        )
    left, top, right, bottom = (margin * LANE for margin in MARGINS)
    height = (high[1] - low[1]) * scale + top + bottom
    width = (high[0] - low[0]) * scale + left + right
    left += max(0.0, LEAST_ASPECT * height - width) / 2
    width = max(width, LEAST_ASPECT * height)

    def move(points: Polyline) -> Polyline:
        return tuple(((x - low[0]) * scale + left, (y - low[1]) * scale + top) for x, y in points)

    def shapes_moved(shapes: dict[str, Shape]) -> dict[str, Shape]:
        return {name: Shape(move(s.outline), *move(((s.x, s.y),))[0], s.heading) for name, s in shapes.items()}

    def closed(course: str) -> OneCourseOpen:
        own = _closed_tracks(board, tracks, course)
        shapes = {name: shape for track in own.values() for name, shape in _shapes(board, track, mouths).items()}
        lines = {name: _moved(_stretch(board.lane_width, track, mouths), move) for name, track in own.items()}
        return OneCourseOpen(shapes_moved(shapes), lines)

    return Layout(
        width,
        height,
        shapes_moved(shapes),
        {name: _moved(stretch, move) for name, stretch in stretches.items()},
        move(line),
        {course: move(thread) for course, thread in threads.items()},
        {course: closed(course) for course in board.courses} if len(board.courses) == 2 else {},
    )


def _moved(stretch: Stretch, move: Callable[[Polyline], Polyline]) -> Stretch:
    return Stretch(
        stretch.section,
        stretch.course,
        move(stretch.centre),
        move(stretch.left),
        move(stretch.right),
        tuple(Divider(move(d.points), d.wall) for d in stretch.dividers),
        tuple(move(rung) for rung in stretch.rungs),
    )
