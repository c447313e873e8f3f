"""From a board to shapes: a layout of all its spaces, with the edges, walls and lane lines between them.

Both drawings (`svg`, `terminal`) and the exported coordinates come from here. It knows sections and places,
no steps and no rules. Screen coordinates: x to the right, y down, headings clockwise from east.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from avecaesar.courses.alley import lay_alley
from avecaesar.courses.board import Board, BoardError
from avecaesar.courses.curves import Polyline
from avecaesar.courses.spaces import Divider, Shape, Stretch, shapes_of, stretch_of
from avecaesar.courses.track import closed_tracks, tracks_of

LANE = 40.0  # the width of a lane in every layout
MOST_LANES_ACROSS = 120
LEAST_ASPECT = 1.24  # of the canvas, width to height: both sides of a board are of one format
MARGINS = (3.2, 4.7, 3.2, 3.3)  # left, top, right, bottom of the track, in lane widths: stands and title


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


@cache
def lay_out(board: Board) -> Layout:
    """Where everything on a board lies; whatever its file's units, a lane is LANE wide here."""
    tracks = tracks_of(board)
    alley_shapes, alley, mouths, line = lay_alley(board, tracks)
    shapes: dict[str, Shape] = {}
    for track in tracks.values():
        shapes |= shapes_of(board, track, mouths)
    shapes |= alley_shapes
    stretches = {name: stretch_of(board.lane_width, track, mouths) for name, track in tracks.items()}
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
        own = closed_tracks(board, tracks, course)
        shapes = {name: shape for track in own.values() for name, shape in shapes_of(board, track, mouths).items()}
        lines = {name: _moved(stretch_of(board.lane_width, track, mouths), move) for name, track in own.items()}
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
