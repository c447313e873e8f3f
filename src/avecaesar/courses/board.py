"""A board as its author wrote it: sections, an alley and a grid, in the words of its file (`board_reader` reads one).

This module knows nothing of steps, distances or drawing: those are derived in `course` and `geometry`. Whatever is
wrong is told with its line number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from avecaesar.errors import BadInput

Direction = Literal["clockwise", "anticlockwise"]
DIRECTIONS: tuple[Direction, Direction] = ("clockwise", "anticlockwise")
LANES = "abcd"  # COU-6: one to four lanes, lettered from the left as driven clockwise


class BoardError(BadInput):
    """What is wrong with a board file, for its author: a sentence and, where there is one, the line."""

    def __init__(self, problem: str, line: int | None = None, file: str | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line
        self.file = file

    def __str__(self) -> str:
        where = [self.file or "", f"line {self.line}" if self.line else ""]
        place = ", ".join(filter(None, where))
        return f"{place}: {self.problem}" if place else self.problem


@contextmanager
def naming(file: str | Path) -> Iterator[None]:
    """Let what is wrong with a board be told with the name of its file."""
    try:
        yield
    except BoardError as error:
        error.file = str(file)
        raise


@dataclass(frozen=True, slots=True)
class Joint:
    """Where the centre line of the track passes at the beginning of a section, clockwise."""

    x: float
    y: float
    heading: float | None = None  # degrees, 0 east, 90 south as on a screen; None: found from the neighbours


@dataclass(frozen=True, slots=True)
class Rank:
    """Spaces side by side, all of the same length."""

    width: int


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of track: a straight of ranks, or a curve with its number of spaces for each lane."""

    name: str
    kind: Literal["straight", "left", "right"]
    ranks: tuple[Rank, ...]  # a straight's ranks
    lanes: tuple[int, ...]  # a curve's spaces a lane, from the left as driven clockwise
    walled: bool  # a curve divided by walls between its lanes
    line_after: int | None  # the start and finish line lies after so many ranks of this straight
    joint: Joint | None
    number: int  # line of the file

    @property
    def length(self) -> int:
        """Its length in steps: the fewest spaces of any of its lanes."""
        return len(self.ranks) if self.kind == "straight" else min(self.lanes)

    @property
    def spaces(self) -> int:
        """How many spaces it has."""
        return sum(rank.width for rank in self.ranks) + sum(self.lanes)


@dataclass(frozen=True, slots=True)
class Alley:
    """The Imperial Alley: a single lane beside the start straight, the line after one of its spaces."""

    spaces: int
    line_after: int
    entrance: str  # the space before it, as driven clockwise
    exit: str
    number: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Board:
    """One side of a board: the sections before the fork, each course's own branch, those after the join."""

    name: str
    title: str
    side: Literal["A", "B"] | None  # which side's figures of COU-3 it claims
    lane_width: float
    before: tuple[Section, ...]
    branches: dict[str, tuple[Section, ...]]
    after: tuple[Section, ...]
    alley: Alley
    grid: dict[Direction, tuple[str, ...]]
    grid_lines: dict[Direction, int]
    source: str = field(repr=False)
    sha256: str  # the digest that stands in records: see `digest_of`

    def __repr__(self) -> str:
        return f"<Board {self.name} with {' and '.join(self.courses)}>"

    @property
    def courses(self) -> tuple[str, ...]:
        """The names of its courses."""
        return tuple(self.branches)

    def spaces(self, course: str) -> int:
        """How many spaces a course has, counted without building any of them."""
        return sum(section.spaces for section in self.sections(course)) + self.alley.spaces

    def sections(self, course: str) -> tuple[Section, ...]:
        """All sections of one course, clockwise, the last joining the first."""
        return self.before + self.branches[course] + self.after


def digest_of(source: str) -> str:
    """The digest of a board's text, line ends and trailing blanks apart."""
    lines = [line.rstrip() for line in source.strip().splitlines()]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
