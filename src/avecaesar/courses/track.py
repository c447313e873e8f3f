"""The track as centre lines: where each section of a board runs, and how wide it is at both of its ends.

At fork and join branches lie side by side, and what is shared widens to hold both, or is shut to one of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

from avecaesar.courses.board import Board, Section
from avecaesar.courses.curves import Curve, Point, Pose, bend, direction, turn_between
from avecaesar.courses.oval import on_an_oval

FORK_GAP = 0.16  # the nose of stone where branches part, in lane widths


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
class Track:
    """A section on its way to a stretch: its centre line, and how wide it is at both ends (left, right)."""

    section: Section
    course: str | None
    curve: Curve
    first: tuple[float, float]
    last: tuple[float, float]

    def __init__(self, section: Section, course: str | None, curve: Curve) -> None:
        self.section, self.course, self.curve = section, course, curve
        self.first = (widths_of(section)[0] / 2,) * 2
        self.last = (widths_of(section)[-1] / 2,) * 2


def widths_of(section: Section) -> tuple[int, ...]:
    """Lanes across a section, rank by rank."""
    if section.kind == "straight":
        return tuple(rank.width for rank in section.ranks)
    return (len(section.lanes),) * section.length


def tracks_of(board: Board) -> dict[str, Track]:
    """The centre lines of all sections; at fork and join branches lie side by side, the outer on the left."""
    drafted = board.sections(board.courses[0])[0].joint is None
    poses, lane = _poses(on_an_oval(board) if drafted else board), board.lane_width
    tracks: dict[str, Track] = {}
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
                tracks[section.name] = Track(section, shared, bend(a, b, "straight" if drafted else section.kind))
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
    aside = (widths_of(board.branches[other][end])[end] + FORK_GAP) / 2
    return -aside if order[0] == course else aside


def _meet(a: Track, b: Track) -> None:
    """Where sections of different width meet, the narrower widens."""
    if a.course == b.course:
        width = max(widths_of(a.section)[-1], widths_of(b.section)[0]) / 2
        a.last = b.first = (width, width)


def _widen_at_the_fork(board: Board, tracks: dict[str, Track], order: Sequence[str]) -> None:
    """The space before the fork, and that after the join, is as wide there as both branches together."""
    outer, inner = order
    before = board.before[-1] if board.before else board.after[-1]
    after = board.after[0] if board.after else board.before[0]
    for end, shared in ((0, before), (-1, after)):
        sides = []
        for course in (outer, inner):
            branch = board.branches[course]
            sides.append(abs(_beside(board, order, course, end)) + widths_of(branch[end])[end] / 2)
            width = (widths_of(branch[end])[end] / 2,) * 2
            if end == 0:
                tracks[branch[0].name].first = width
            else:
                tracks[branch[-1].name].last = width
        if end == 0:
            tracks[shared.name].last = (sides[0], sides[1])
        else:
            tracks[shared.name].first = (sides[0], sides[1])


def closed_tracks(board: Board, tracks: dict[str, Track], course: str) -> dict[str, Track]:
    """Fork and join for one course: on the other's side their edge runs on into the branch's own."""
    before = board.before[-1] if board.before else board.after[-1]
    after = board.after[0] if board.after else board.before[0]
    branch = board.branches[course]
    closed: dict[str, Track] = {}
    for end, shared in ((0, before), (-1, after)):
        near = tracks[branch[end].name].curve.at(-end).point
        own = closed.setdefault(shared.name, copy(tracks[shared.name]))
        middle = own.curve.at(1 + end)
        aside = _lateral(middle, near) / board.lane_width  # of the branch, right of the common centre line
        half = widths_of(branch[end])[end] / 2
        if end == 0:
            own.last = (half - aside, half + aside)
        else:
            own.first = (half - aside, half + aside)
    return closed


def _lateral(pose: Pose, point: Point) -> float:
    """How far right of a pose a point lies."""
    angle = math.radians(pose.heading)
    return (point[1] - pose.y) * math.cos(angle) - (point[0] - pose.x) * math.sin(angle)
