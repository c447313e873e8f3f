"""Reads a board: a readable text file, taken apart into sections and checked line by line.

This module knows the notation, which `docs/writing-boards.md` teaches, and how much of it may be written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NoReturn

from avecaesar.courses.board import (
    DIRECTIONS,
    LANES,
    Alley,
    Board,
    BoardError,
    Direction,
    Joint,
    Rank,
    Section,
    digest_of,
    naming,
)

PLACES = 6  # COU-7
LONGEST_LANE = 12
LARGEST_COORDINATE = 100_000
LARGEST_BOARD = 64 * 2**10  # bytes of a board's text, wherever it comes from
MOST_ON_BOARD = 500  # spaces of both courses together: twice what a course may have
TOO_LARGE = f"this is larger than {LARGEST_BOARD // 2**10} KiB, more than a board can be"
NO_TEXT = "this is not a board: a board is a UTF-8 text file"


def read_board(path: str | Path) -> Board:
    """Read a board file, or say what is wrong with it."""
    with naming(path):
        try:
            with open(path, "rb") as file:
                data = file.read(LARGEST_BOARD + 1)
            text = "" if len(data) > LARGEST_BOARD else data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise BoardError(NO_TEXT) from error
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "no file can have such a name"
            raise BoardError(f"the board cannot be read: {reason}") from error
        if len(data) > LARGEST_BOARD:
            raise BoardError(TOO_LARGE)
        return parse_board(text.replace("\r\n", "\n").replace("\r", "\n"))


def parse_board(text: str) -> Board:
    """Read a board from its text, which is measured before it is read and counted while it is."""
    try:
        if len(text) > LARGEST_BOARD or len(text.encode()) > LARGEST_BOARD:
            raise BoardError(TOO_LARGE)
    except UnicodeEncodeError as error:
        raise BoardError(NO_TEXT) from error
    return _BoardReader(text).board()


@dataclass(slots=True)
class _Line:
    number: int
    words: list[str]

    def fail(self, problem: str) -> NoReturn:
        raise BoardError(problem, self.number)


class _BoardReader:
    """Goes through the lines once, and remembers what it has seen."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.name = ""
        self.title = ""
        self.side: Literal["A", "B"] | None = None
        self.lane_width = 40.0
        self.courses: tuple[str, ...] = ()
        self.before: list[Section] = []
        self.branches: dict[str, list[Section]] = {}
        self.after: list[Section] = []
        self.branch: str | None = None
        self.forked: Literal["not yet", "open", "joined"] = "not yet"
        self.alley: Alley | None = None
        self.grid: dict[Direction, tuple[str, ...]] = {}
        self.grid_lines: dict[Direction, int] = {}
        self.seen: dict[str, int] = {}
        self.spaces = 0  # counted so far

    def board(self) -> Board:
        keywords: dict[str, Callable[[_Line], None]] = {
            "board": self.read_name,
            "title": self.read_title,
            "side": self.read_side,
            "lane": self.read_lane,
            "courses": self.read_courses,
            "fork": self.read_fork,
            "join": self.read_join,
            "alley": self.read_alley,
            "grid": self.read_grid,
        }
        for line in self.lines():
            word = line.words[0]
            if word in keywords:
                if word != "grid":
                    self.only_once(word, line)
                keywords[word](line)
            elif word in self.courses and len(line.words) == 1:
                self.begin_branch(line)
            elif len(line.words) > 1 and line.words[1] in ("straight", "curve"):
                self.add_section(line)
            else:
                known = ", ".join([*keywords, *(self.courses if self.forked == "open" else ())])
                line.fail(
                    f"'{_shown(' '.join(line.words))}' is neither a keyword ({known}) nor a section such as "
                    "'S straight 2 2' or 'C curve right 2/3 walled'"
                )
        return self.whole()

    def lines(self) -> Iterator[_Line]:
        for number, raw in enumerate(self.text.splitlines(), 1):
            words = raw.split("#", 1)[0].split()
            if words:
                yield _Line(number, words)

    def only_once(self, what: str, line: _Line) -> None:
        if what in self.seen:
            line.fail(f"'{what}' stands a second time; it was on line {self.seen[what]} already")
        self.seen[what] = line.number

    # ------------------------------------------------------------------ headings

    def read_name(self, line: _Line) -> None:
        if len(line.words) != 2 or not re.fullmatch(r"[A-Za-z][\w-]{0,39}", line.words[1]):
            line.fail("write 'board NAME', the name one word of letters, digits and hyphens")
        self.name = line.words[1]

    def read_title(self, line: _Line) -> None:
        self.title = _shown(" ".join(line.words[1:]), 80)

    def read_side(self, line: _Line) -> None:
        match line.words[1:]:
            case ["A"]:
                self.side = "A"
            case ["B"]:
                self.side = "B"
            case _:
                line.fail("write 'side A' (lap 26, alley +1) or 'side B' (lap 25, alley +2), or leave it out")

    def read_lane(self, line: _Line) -> None:
        match line.words[1:]:
            case ["width", number]:
                self.lane_width = _coordinate(number, line)
            case _:
                line.fail("write 'lane width W', the width of a lane in the units of the drawing")
        if not 1 <= self.lane_width <= 1000:
            line.fail("a lane is 1 to 1000 units wide")

    def read_courses(self, line: _Line) -> None:
        names = line.words[1:]
        if not 1 <= len(names) <= 2 or len(set(names)) != len(names):
            line.fail("write 'courses NAME' or 'courses NAME NAME', one or two different names")
        for name in names:
            if not re.fullmatch(r"[a-z][a-z-]{0,19}", name):
                line.fail(f"a course's name is one word in small letters, not '{_shown(name)}'")
        self.courses = tuple(names)

    # ------------------------------------------------------------------ fork and join

    def read_fork(self, line: _Line) -> None:
        _alone(line)
        if len(self.courses) != 2:
            line.fail("a fork needs two courses: write 'courses NAME NAME' before it")
        self.forked = "open"

    def begin_branch(self, line: _Line) -> None:
        name = line.words[0]
        if self.forked != "open":
            line.fail(f"'{name}' begins a branch, but there is no 'fork' before it")
        if name in self.branches:
            line.fail(f"the branch '{name}' stands a second time")
        self.branches[name] = []
        self.branch = name

    def read_join(self, line: _Line) -> None:
        _alone(line)
        if self.forked != "open":
            line.fail("'join' without a 'fork' before it")
        for name in self.courses:
            if not self.branches.get(name):
                line.fail(f"the course '{name}' has no sections of its own between fork and join")
        self.forked, self.branch = "joined", None

    # ------------------------------------------------------------------ sections

    def add_section(self, line: _Line) -> None:
        name = line.words[0]
        if not re.fullmatch(r"[A-Za-z]{1,3}", name):
            line.fail(f"a section's name is one to three letters, not '{_shown(name)}'")
        self.only_once(f"section {name}", line)
        section = self.read_section(name, line)
        if self.forked == "open":
            if self.branch is None:
                line.fail(f"after 'fork' a branch begins with its course's name: {' or '.join(self.courses)}")
            self.branches[self.branch].append(section)
        elif self.forked == "joined":
            self.after.append(section)
        else:
            self.before.append(section)

    def count_spaces(self, more: int, line: _Line) -> None:
        self.spaces += more
        if self.spaces > MOST_ON_BOARD:
            line.fail(f"a board has at most {MOST_ON_BOARD} spaces, and here are more")

    def read_section(self, name: str, line: _Line) -> Section:
        words = line.words[2:]
        at = words.index("at") if "at" in words else len(words)
        words, joint = words[:at], _joint(words[at:], line)
        if line.words[1] == "straight":
            widths, line_after = self.read_ranks(words, line)
            ranks = tuple(Rank(width) for width in widths)
            return Section(name, "straight", ranks, (), False, line_after, joint, line.number)
        match words:
            case ["left" | "right" as side, lanes, "walled" | "dashed" as divider]:
                inner_first = self.read_lanes(lanes, line)
                from_left = inner_first if side == "left" else inner_first[::-1]
                return Section(
                    name,
                    "left" if side == "left" else "right",
                    (),
                    from_left,
                    divider == "walled",
                    None,
                    joint,
                    line.number,
                )
            case _:
                line.fail("a curve reads 'C curve right 2/3 walled': left or right, lanes, walled or dashed")

    def read_ranks(self, words: Sequence[str], line: _Line) -> tuple[list[int], int | None]:
        widths: list[int] = []
        line_after: int | None = None
        for word in words:
            if word == "|":
                if line_after is not None or "line" in self.seen:
                    line.fail("the line '|' stands a second time; a board has one start and finish line")
                line_after = len(widths)
            elif 1 <= _count(word) <= len(LANES):
                widths.append(_count(word))
                self.count_spaces(widths[-1], line)
            else:
                line.fail(f"'{_shown(word)}' is not a rank: a rank is 1 to {len(LANES)} spaces wide")
        if not widths:
            line.fail("a straight needs at least one rank, such as 'P straight 2'")
        if line_after is not None:
            if not 0 < line_after < len(widths):
                line.fail("the line '|' lies between two ranks of its straight")
            if self.forked == "open":
                line.fail("the line lies on the part that both courses share, not on a branch")
            self.seen["line"] = line.number
        return widths, line_after

    def read_lanes(self, word: str, line: _Line) -> tuple[int, ...]:
        parts = word.split("/")
        if not (2 <= len(parts) <= len(LANES) and all(re.fullmatch(r"[0-9]{1,2}", part) for part in parts)):
            line.fail(f"'{_shown(word)}' are not lanes: write the spaces of each lane, inside first, such as 2/3")
        lanes = tuple(int(part) for part in parts)
        if not all(1 <= count <= LONGEST_LANE for count in lanes) or list(lanes) != sorted(lanes):
            line.fail(f"a lane has 1 to {LONGEST_LANE} spaces, and an outer lane never fewer than one inside it")
        self.count_spaces(sum(lanes), line)
        return lanes

    # ------------------------------------------------------------------ alley and grid

    def read_alley(self, line: _Line) -> None:
        match line.words[1:]:
            case [spaces, "line", after, "from", entrance, "to", exit_] if _count(spaces) >= 0 <= _count(after):
                self.alley = Alley(_count(spaces), _count(after), entrance, exit_, line.number)
            case _:
                line.fail("the alley reads 'alley 5 line 3 from S3a to S8a': five spaces, the line after three")
        if not 2 <= self.alley.spaces <= 20:
            line.fail("an alley has 2 to 20 spaces")
        if not 0 < self.alley.line_after < self.alley.spaces:
            line.fail("the line crosses the alley between two of its spaces")
        for end in (self.alley.entrance, self.alley.exit):
            if not end.endswith(LANES[0]):
                line.fail(f"the alley lies on the left of the track: it joins lane {LANES[0]}, not {_shown(end)}")

    def read_grid(self, line: _Line) -> None:
        match line.words[1:]:
            case ["clockwise" | "anticlockwise" as word, *names]:
                direction: Direction = "clockwise" if word == "clockwise" else "anticlockwise"
            case _:
                line.fail("the grid reads 'grid clockwise S5d S5c …', and another for anticlockwise")
        self.only_once(f"grid {direction}", line)
        if len(names) != PLACES or len(set(names)) != PLACES:
            line.fail(f"the grid has {PLACES} different places, I to VI (COU-7), and here are {len(set(names))}")
        self.grid[direction] = tuple(names)
        self.grid_lines[direction] = line.number

    # ------------------------------------------------------------------ the whole

    def whole(self) -> Board:
        if not self.name:
            raise BoardError("a board begins with its name: 'board NAME'")
        if not self.courses:
            raise BoardError("a board names its courses: 'courses NAME NAME'")
        if len(self.courses) == 2 and self.forked != "joined":
            raise BoardError("two courses part at a 'fork' and meet again at a 'join'")
        if "line" not in self.seen:
            raise BoardError("no straight holds the start and finish line '|'")
        if self.alley is None:
            raise BoardError("there is no Imperial Alley: 'alley 5 line 3 from S3a to S8a'")
        for direction in DIRECTIONS:
            if direction not in self.grid:
                raise BoardError(f"there is no 'grid {direction}'")
        branches = {name: tuple(self.branches.get(name, ())) for name in self.courses}
        every = [*self.before, *(s for branch in branches.values() for s in branch), *self.after]
        unplaced = [section for section in every if section.joint is None]
        if unplaced and len(unplaced) != len(every):
            raise BoardError(
                f"section {unplaced[0].name} has no 'at X Y' though others have; place all sections or none",
                unplaced[0].number,
            )
        _joints_apart(branches, self.before, self.after, self.lane_width)
        return Board(
            self.name,
            self.title,
            self.side,
            self.lane_width,
            tuple(self.before),
            branches,
            tuple(self.after),
            self.alley,
            self.grid,
            self.grid_lines,
            self.text,
            digest_of(self.text),
        )


def _joints_apart(
    branches: dict[str, tuple[Section, ...]], before: list[Section], after: list[Section], lane: float
) -> None:
    """Sections that begin at the same point leave nothing to draw."""
    for branch in branches.values():
        ring = [*before, *branch, *after]
        for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
            if a.joint and b.joint and abs(a.joint.x - b.joint.x) + abs(a.joint.y - b.joint.y) < lane / 2:
                raise BoardError(f"{b.name} begins where {a.name} does: give it a place of its own", b.number)


def _alone(line: _Line) -> None:
    if len(line.words) > 1:
        line.fail(f"'{line.words[0]}' stands alone on its line")


def _count(word: str) -> int:
    """A small whole number, -1 if it is none."""
    return int(word) if re.fullmatch(r"[0-9]{1,3}", word) else -1


def _joint(words: Sequence[str], line: _Line) -> Joint | None:
    match words:
        case []:
            return None
        case ["at", x, y]:
            return Joint(_coordinate(x, line), _coordinate(y, line))
        case ["at", x, y, "heading", degrees]:
            if not re.fullmatch(r"-?[0-9]{1,3}(\.[0-9]{1,3})?", degrees):
                line.fail(f"a heading is in degrees, 0 to the east and 90 to the south, not '{_shown(degrees)}'")
            return Joint(_coordinate(x, line), _coordinate(y, line), float(degrees))
        case _:
            line.fail("a section's place reads 'at X Y' or 'at X Y heading DEGREES', and ends its line")


def _coordinate(word: str, line: _Line) -> float:
    if not re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]{1,6})?", word) or abs(float(word)) > LARGEST_COORDINATE:
        line.fail(f"'{_shown(word)}' is not a number up to {LARGEST_COORDINATE:,}")
    return float(word)


def _shown(text: str, limit: int = 40) -> str:
    """Somebody's text, short enough and plain enough to be repeated to him."""
    clean = "".join(c if c.isprintable() else "?" for c in text)
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"
