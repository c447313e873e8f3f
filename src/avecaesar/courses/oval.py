"""Where the sections of a board lie when its writer has not said it: on a stadium, as a first draft to look at."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from avecaesar.courses.board import Board, Joint, Section
from avecaesar.courses.curves import Pose

CELL = 1.7  # the length of a rank, in lane widths
CURVE = 1.3  # how much longer a curve's spaces are
APART = 0.3  # between a branch and the middle of the road, in lane widths


def on_an_oval(board: Board) -> Board:
    """The same board with a place for every section: its straight on top, branches side by side."""
    placed: dict[str, Section] = {}
    for course, side in zip(board.courses, (-1, 1), strict=False):
        ring, branch = board.sections(course), board.branches[course]
        inner = {s.name for s in branch[1:]} if len(board.courses) == 2 else set()
        for section, pose in zip(ring, _stadium(ring, board.lane_width), strict=True):
            if section.name in inner:
                room = max(_width(s) for s in board.branches[course]) / 2 + APART
                pose = pose.aside(side * room * board.lane_width)
            joint = Joint(pose.x, pose.y, pose.heading)
            placed.setdefault(section.name, replace(section, joint=joint))

    def at(sections: Iterable[Section]) -> tuple[Section, ...]:
        return tuple(placed[section.name] for section in sections)

    branches = {course: at(branch) for course, branch in board.branches.items()}
    return replace(board, before=at(board.before), branches=branches, after=at(board.after))


def _width(section: Section) -> int:
    return max((rank.width for rank in section.ranks), default=len(section.lanes))


def _stadium(ring: Sequence[Section], lane: float) -> list[Pose]:
    """Where each section of one course begins; the line is in the middle of the upper straight."""
    lengths = [CELL * lane * s.length * (1.0 if s.kind == "straight" else CURVE) for s in ring]
    total, line, at = sum(lengths), 0.0, 0.0
    for section, length in zip(ring, lengths, strict=True):
        if section.line_after is not None:
            line = at + length * section.line_after / section.length
        at += length
    start = max(s.length for s in ring if s.line_after is not None) * CELL * lane
    flat = min(start, total / 2 - math.pi * 4 * lane)
    poses, at = [], 0.0
    for length in lengths:
        poses.append(_on_stadium((at - line) % total, max(flat, lane), total))
        at += length
    return poses


def _on_stadium(way: float, flat: float, total: float) -> Pose:
    """A point of a clockwise stadium, so far from the middle of its upper straight."""
    radius = (total - 2 * flat) / (2 * math.pi)
    if way < flat / 2:
        return Pose(way, 0, 0)
    way -= flat / 2
    if way < math.pi * radius:
        turn = way / radius
        return Pose(flat / 2 + radius * math.sin(turn), radius - radius * math.cos(turn), math.degrees(turn))
    way -= math.pi * radius
    if way < flat:
        return Pose(flat / 2 - way, 2 * radius, 180)
    way -= flat
    if way < math.pi * radius:
        turn = way / radius
        heading = 180 + math.degrees(turn)
        return Pose(-flat / 2 - radius * math.sin(turn), radius + radius * math.cos(turn), heading)
    return Pose(way - math.pi * radius - flat / 2, 0, 0)
