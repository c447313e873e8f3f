"""The edges of the whole road, each one line: round the outside, round the inside, round the islands between.

A side is joined from section to section and, at the mouths of the alley, from the straight into the alley, so
that kerb, wall and shadow run on without a joint.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from avecaesar.courses.board import Board, Section
from avecaesar.courses.curves import Point
from avecaesar.courses.geometry import LANE, Layout
from avecaesar.courses.spaces import EDGE_POINTS, Stretch

JUMP = LANE * 0.7  # an edge that leaps further leaves off at a mouth of the alley


def stretch(layout: Layout, course: str | None, name: str) -> Stretch:
    """A section as it is drawn while a course is raced, or while all are open."""
    closed = layout.closed.get(course or "")
    return closed.stretches.get(name, layout.stretches[name]) if closed else layout.stretches[name]


def loops(board: Board, layout: Layout, course: str | None) -> list[list[Point]]:
    """Closed lines with the road between them (even-odd): that of one course, or of all of them."""
    if course is not None or len(layout.closed) < 2:
        outer = inner = course or board.courses[0]
        islands = []
    else:
        outer, inner = sorted(board.courses, key=lambda name: _area(layout.threads[name]), reverse=True)
        islands = [
            island(
                _side(layout, None, board.branches[outer], "right"), _side(layout, None, board.branches[inner], "left")
            )
        ]
    left = _side(layout, course, board.sections(outer), "left")
    around, alley = _through_the_alley(left, layout.stretches["alley"])
    return [around, _side(layout, course, board.sections(inner), "right"), *islands, *alley]


def kerbs(board: Board, layout: Layout, course: str, raced: str | None) -> list[list[Point]]:
    """Both sides of a branch to paint; where it alone is open, on to where the track is shared again."""
    branch = board.branches[course] if len(board.courses) == 2 else ()
    found = []
    for name in ("left", "right"):
        line = _side(layout, None, branch, name)
        if raced is not None and line:
            before, after = fork_and_join(board)
            lead, tail = stretch(layout, course, before.name), stretch(layout, course, after.name)
            begin, end = _waist(lead, -EDGE_POINTS - 1, None), _waist(tail, 0, EDGE_POINTS + 1)
            line = [*_named(lead, name)[begin:], *line, *_named(tail, name)[: end + 1]]
        if line:
            found.append(line)
    return found


def fork_and_join(board: Board) -> tuple[Section, Section]:
    """The shared sections before the branches and after them."""
    return (board.before or board.after)[-1], (board.after or board.before)[0]


def noses(board: Board, layout: Layout) -> list[Point]:
    """Where the branches part and meet, between their walls."""
    if len(board.courses) < 2:
        return []
    first, second = (board.branches[name] for name in board.courses)
    ends = []
    for end in (0, -1):
        a, b = layout.stretches[first[end].name], layout.stretches[second[end].name]
        pairs = ((p, q) for p in (a.left[end], a.right[end]) for q in (b.left[end], b.right[end]))
        p, q = min(pairs, key=lambda pair: math.dist(*pair))
        ends.append(((p[0] + q[0]) / 2, (p[1] + q[1]) / 2))
    return ends


def alley_banks(board: Board, layout: Layout) -> tuple[list[Point], list[Point]]:
    """Both sides of the stone between track and alley; nothing where the alley lies elsewhere."""
    left, alley = _side(layout, None, board.sections(board.courses[0]), "left"), layout.stretches["alley"]
    entrance, exit_ = _mouths(left, alley)
    return (left[entrance:exit_], list(alley.right)) if entrance < exit_ else ([], [])


def island(near: list[Point], far: list[Point]) -> list[Point]:
    """Between two lines that run the same way: its ends are rounded, like those of lane walls."""
    return [*near, *_cap(near[-2], near[-1], far[-1]), *far[::-1], *_cap(far[1], far[0], near[0])]


def _waist(line: Stretch, first: int, last: int | None) -> int:
    """The index of the narrowest place among these points of a stretch's sides."""
    indices = range(len(line.left))[first:last]
    return min(indices, key=lambda i: math.dist(line.left[i], line.right[i]))


def lane_of(board: Board, layout: Layout, course: str) -> list[Point]:
    """The outline of a branch with the sections at fork and join: what is laid faintly when it is shut."""
    before, after = fork_and_join(board)
    chain = [before, *board.branches[course], after]
    return [*_side(layout, course, chain, "left"), *_side(layout, course, chain, "right")[::-1]]


def _side(layout: Layout, course: str | None, sections: Sequence[Section], name: str) -> list[Point]:
    lines = (stretch(layout, course, section.name) for section in sections)
    return [point for line in lines for point in _named(line, name)]


def _named(line: Stretch, name: str) -> Sequence[Point]:
    return line.left if name == "left" else line.right


def _through_the_alley(left: list[Point], alley: Stretch) -> tuple[list[Point], list[list[Point]]]:
    """The left side led round the alley, and the island between the alley and the track."""
    entrance, exit_ = _mouths(left, alley)
    if not entrance < exit_:  # a board laid out anyhow: its alley lies beside it
        return left, [[*alley.left, *alley.right[::-1]]]
    around = [*left[:entrance], *alley.left, *left[exit_:]]
    return around, [island(left[entrance:exit_], list(alley.right))]


def _mouths(left: list[Point], alley: Stretch) -> tuple[int, int]:
    """The points of the left side after its leaps into the alley and out of it."""
    leaps = [i for i, (a, b) in enumerate(pairwise(left), 1) if math.dist(a, b) > JUMP]
    entrance = min(leaps, key=lambda i: math.dist(left[i - 1], alley.left[0]), default=0)
    return entrance, min(leaps, key=lambda i: math.dist(left[i], alley.left[-1]), default=0)


def _cap(before: Point, a: Point, b: Point) -> list[Point]:
    """A half circle from a to b, out in the direction in which the line came to a."""
    middle, radius = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), math.dist(a, b) / 2
    length = math.dist(before, a) or 1.0
    out = (radius * (a[0] - before[0]) / length, radius * (a[1] - before[1]) / length)
    return [
        (
            middle[0] + (a[0] - middle[0]) * math.cos(turn) + out[0] * math.sin(turn),
            middle[1] + (a[1] - middle[1]) * math.cos(turn) + out[1] * math.sin(turn),
        )
        for turn in (math.pi * k / 6 for k in range(1, 6))
    ]


def _area(line: Sequence[Point]) -> float:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise((*line, line[0])))
