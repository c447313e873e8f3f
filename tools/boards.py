"""Measures the boards with drivers of all kinds and writes docs/boards.md: `make boards`, half an hour.

What has been measured is kept in build/boards, so that it goes on where it was interrupted, and a change measures
anew only what it may have changed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import sha256
from math import inf, sqrt
from pathlib import Path

from avecaesar import drivers, kernel, load_course
from avecaesar.cli.progress import MOST_JOBS, Bar, cores
from avecaesar.cli.words import whole_number
from avecaesar.courses import DIRECTIONS, ROMAN, Course, boards
from avecaesar.courses.facts import POINTS
from avecaesar.files import write_atomically
from avecaesar.kernel import packing
from avecaesar.kernel.cache import cache_folder
from avecaesar.lab import MOST_RACES, Experiment, Figure, Report, report_on, run
from avecaesar.lab.figures import Z, multiplied
from avecaesar.rules import Rules
from editions import table

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "boards.md"
KEPT = ROOT / "build" / "boards"
SEED = 7
CHARIOTS = {"A": 4, "B": 6}  # that a side is meant for
COURSES = [name for board in boards() for name in board.courses]
RULES_OF_THUMB = ("festina", "greedy", "scorpus")  # the least able first
MEASURED_BY = "scorpus"  # where one driver is enough

# What the boards aim at, with the searcher in all chariots.
Aim = tuple[float, float]  # the least and the most
HOME, MISSED, LEADS = (0.75, 0.92), (0.03, 0.10), (5.0, inf)
PLACES = (0.6, 1.5)  # wins by grid place, on side A


# ---------------------------------------------------------------------- measuring


@dataclass(frozen=True)
class Study:
    """How much is measured, and of which courses."""

    searcher: str
    races: int  # with rules of thumb
    races_with_searchers: dict[str, int]  # by side
    names: Sequence[str]  # of courses
    jobs: int = 1
    kept: Path = KEPT

    @property
    def drivers(self) -> tuple[str, ...]:
        """The least able first."""
        return (*RULES_OF_THUMB, self.searcher)

    def courses(self, side: str | None = None) -> list[Course]:
        """Those of a side, or all; each in both directions."""
        both = (load_course(name, direction) for name in self.names for direction in DIRECTIONS)
        return [course for course in both if side in (None, course.side)]

    def experiment(self, course: Course, driver: str, chariots: int | None = None) -> Experiment:
        """The same driver in all chariots, by default as many as the side is meant for."""
        races = self.races_with_searchers[course.side] if driver == self.searcher else self.races
        return Experiment(races, course, Rules(), (driver,) * (chariots or CHARIOTS[course.side]), SEED)

    def experiments(self) -> list[Experiment]:
        """All that the page is made of, the quick ones first."""
        courses = self.courses()
        return [
            *(self.experiment(course, driver) for driver in RULES_OF_THUMB for course in courses),
            *(self.experiment(course, MEASURED_BY, many) for many in CHARIOTS.values() for course in courses),
            *(self.experiment(in_order(course), MEASURED_BY) for course in self.courses("B")),
            *(self.experiment(course, self.searcher) for course in courses),
        ]

    def measure(self) -> None:
        """Run what is not kept yet."""
        missing = {self.file(experiment): experiment for experiment in self.experiments()}
        missing = {file: experiment for file, experiment in missing.items() if not file.exists()}
        for number, (file, experiment) in enumerate(missing.items(), 1):
            lined_up = f"{experiment.drivers[0]} × {len(experiment.drivers)}"
            print(f"{number} of {len(missing)}: {experiment.course}, {lined_up}", file=sys.stderr, flush=True)
            bar = Bar(experiment.races)
            rows = run(experiment, jobs=self.jobs, progress=bar.show)
            bar.end()
            if self.file(experiment) != file:
                sys.exit("the kernel or the drivers have changed meanwhile: run it again")
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(file, json.dumps(rows).encode())

    def report(self, course: Course, driver: str, chariots: int | None = None) -> Report:
        """What was measured."""
        experiment = self.experiment(course, driver, chariots)
        return report_on(experiment, json.loads(self.file(experiment).read_bytes()))

    def file(self, experiment: Experiment) -> Path:
        """Where an experiment's totals are kept; another name as soon as anything differs that decides its races."""
        digest = sha256(packing.course_table(experiment.course).tobytes())
        decided = (experiment.rules, experiment.drivers, experiment.races, experiment.seed, version())
        digest.update(repr(decided).encode())
        what = (experiment.course.name, experiment.course.direction, experiment.drivers[0], digest.hexdigest()[:16])
        return self.kept / f"{'-'.join(what)}.json"


def version() -> str:
    """Of the compiled rules and of the drivers, read anew each time: somebody may be at work on them."""
    digest = sha256(cache_folder().name.encode())
    for package in (kernel, drivers):
        for source in sorted(Path(package.__path__[0]).rglob("*.py")):
            digest.update(source.read_bytes())
    return digest.hexdigest()


@cache
def in_order(course: Course) -> Course:
    """The same course with its grid numbered rank by rank, lane d first."""
    to_line = course.remaining[0]
    return replace(course, grid=tuple(sorted(course.grid, key=lambda at: (to_line[at], -course.spaces[at].place.lane))))


# ---------------------------------------------------------------------- figures in words


def margin(figure: Figure) -> float:
    """How far the interval reaches, to its farther end."""
    return max(figure.value - (figure.low or 0.0), (figure.high or 0.0) - figure.value)


def told(figure: Figure) -> str:
    """A figure with its margin."""
    return f"{figure.value:.2f} ± {margin(figure):.2f}"


def percent(figure: Figure) -> str:
    """A share with its margin."""
    return f"{100 * figure.value:.1f} ± {100 * margin(figure):.1f}"


def mark(figure: Figure, aim: Aim | None) -> str:
    """How a figure misses its aim: ! with its whole interval, ? with a part of it."""
    least, most = aim or (0.0, inf)
    if least <= figure.value <= most:
        return ""
    low, high = figure.low or 0.0, figure.high or 0.0
    return " ?" if low <= most and high >= least else " !"


def by_place(report: Report) -> list[Figure]:
    """Wins from each grid place, as multiples of the fair share."""
    return [multiplied(row.wins, len(report.by_place)) for row in report.by_place]


@dataclass(frozen=True)
class Spread:
    """How far apart the grid places are: the mean square by which they miss the fair share, less chance's part."""

    square: float
    error: float  # the variance of that

    def __str__(self) -> str:
        reach = Z * sqrt(self.error)
        here, low, high = (sqrt(max(0.0, self.square + by)) for by in (0.0, -reach, reach))
        return f"{here:.2f} ({low:.2f}–{high:.2f})"


def spread_of(wins: Sequence[int], races: int) -> Spread:
    """The spread of shares that were counted in so many races.

    >>> str(spread_of([25, 26, 24, 25], 100))
    '0.00 (0.00–0.14)'
    >>> str(spread_of([5000, 3000, 1000, 1000], 10_000))
    '0.66 (0.64–0.68)'
    """
    places = len(wins)
    parts = [won / races for won in wins]
    chance = places * sum(part * (1 - part) for part in parts) / max(1, races - 1)
    square = sum((places * part - 1) ** 2 for part in parts) / places - chance
    slopes = [2 * (places * part - 1) for part in parts]
    mean = sum(slope * part for slope, part in zip(slopes, parts, strict=True))
    steep = sum(slope**2 * part for slope, part in zip(slopes, parts, strict=True)) - mean**2
    flat = 2 * (places - 1) / races**2  # where all places are equal, and every slope is nought
    return Spread(square, steep / races + flat)


def together(spreads: Sequence[Spread]) -> Spread:
    """The spread over several courses."""
    many = len(spreads)
    return Spread(sum(one.square for one in spreads) / many, sum(one.error for one in spreads) / many**2)


def grid_spread(report: Report) -> Spread:
    """The spread of wins over the grid places."""
    return spread_of([row.wins.total for row in report.by_place], report.experiment.races)


# ---------------------------------------------------------------------- the parts of the page


def setting(study: Study) -> list[str]:
    """How many races, and on which boards."""
    a, b = study.races_with_searchers.values()
    return [
        f"- races behind each figure: {study.races:,} with festina, greedy or scorpus in all chariots; with",
        f"  `{study.searcher}` {a:,} on side A and {b:,} on side B; seed {SEED}",
        *(f"- board {board.name}: `{board.sha256}`" for board in boards()),
        "",
    ]


def facts(study: Study, side: str) -> list[str]:
    """What can be counted on the board."""
    heads = ["course", "spaces", "shortest lap", "alley", "shortest race", "to spare", "bottlenecks", "always outside"]
    rows = []
    for course in study.courses(side):
        narrows = [space.name for space in course.spaces if space.bottleneck]
        spare = [POINTS - race for race in course.shortest_races]
        rows.append(
            [
                str(course),
                str(len(course.spaces)),
                str(course.shortest_lap),
                f"+{course.alley_extra}",
                str(course.shortest_race),
                f"{min(spare)} to {max(spare)}",
                f"{len(narrows)}: {' '.join(narrows)}",
                f"{course.outside_race}" + " !" * (course.outside_race <= POINTS),
            ]
        )
    return table(heads, rows)


def races(study: Study, side: str) -> list[str]:
    """How the races go."""
    home, missed = (f"*{100 * least:.0f} to {100 * most:.0f}*" for least, most in (HOME, MISSED))
    rows = [["*aim*", home, "", "", missed, f"*{LEADS[0]:.0f} or more*"]]
    for course in study.courses(side):
        for driver in study.drivers[1:]:
            report = study.report(course, driver)
            (row,) = report.by_driver
            leads = report.changes_of_lead
            aims = (HOME, MISSED, LEADS) if driver == study.searcher else (None, None, None)
            rows.append(
                [
                    f"{course}, {driver}",
                    percent(row.home) + mark(row.home, aims[0]),
                    percent(row.out_of_points),
                    percent(row.disqualified),
                    percent(row.missed_turns) + mark(row.missed_turns, aims[1]),
                    told(leads) + mark(leads, aims[2]),
                ]
            )
    heads = ["course, driver", "home %", "out of points %", "disqualified %", "missed turns %", "changes of lead"]
    return table(heads, rows)


def grid(study: Study, side: str) -> list[str]:
    """Who wins from where."""
    places = ROMAN[: CHARIOTS[side]]
    rows = [["*aim*", *[f"*{PLACES[0]} to {PLACES[1]}*"] * len(places)]] if side == "A" else []
    for course in study.courses(side):
        for driver in study.drivers[1:]:
            aim = PLACES if side == "A" and driver == study.searcher else None
            wins = by_place(study.report(course, driver))
            rows.append([f"{course}, {driver}", *(told(share) + mark(share, aim) for share in wins)])
    return table(["course, driver", *places], rows)


def shrinks(study: Study) -> list[str]:
    """How the advantage of the grid shrinks as drivers get better."""
    rows = []
    for side in CHARIOTS:
        courses = study.courses(side)
        for course in courses:
            cells = []
            for driver in study.drivers:
                report = study.report(course, driver)
                wins = [figure.value for figure in by_place(report)]
                cells.append(f"{min(wins):.2f}–{max(wins):.2f}, {grid_spread(report)}")
            rows.append([str(course), *cells])
        if courses:
            spreads = ([grid_spread(study.report(c, driver)) for c in courses] for driver in study.drivers)
            rows.append([f"**side {side}**", *(f"**{together(list(of))}**" for of in spreads)])
    return table(["course", *study.drivers], rows)


def numbering(study: Study) -> list[str]:
    """What it is worth which number stands where on B."""
    rows = []
    for course in study.courses("B"):
        ways = {"in order": in_order(course), "ours": course}
        if ways["in order"].grid == course.grid:
            ways = {"ours, in order": course}
        for numbered, way in ways.items():
            report = study.report(way, MEASURED_BY)
            spaces = " ".join(way.spaces[at].name for at in way.grid)
            rows.append([f"{course}, {numbered}", spaces, *map(told, by_place(report)), str(grid_spread(report))])
    return table(["course, numbers", "I to VI stand on", *ROMAN, "spread"], rows)


def easiest(study: Study) -> list[str]:
    """Which course is the easiest, and which the hardest: home in both directions together."""

    def home(name: str, driver: str, chariots: int | None = None) -> Figure:
        reports = (study.report(load_course(name, way), driver, chariots) for way in DIRECTIONS)
        one, other = (report.by_driver[0].home for report in reports)
        value, reach = (one.value + other.value) / 2, sqrt(margin(one) ** 2 + margin(other) ** 2) / 2
        return Figure(one.total + other.total, value, value - reach, value + reach)

    rows = []
    for name in sorted(study.names, key=lambda name: -home(name, study.searcher).value):
        mine = [percent(home(name, driver)) for driver in study.drivers[1:]]
        rows.append([name, *mine, *(percent(home(name, MEASURED_BY, many)) for many in CHARIOTS.values())])
    same = [f"{MEASURED_BY}, {many} everywhere" for many in CHARIOTS.values()]
    return table(["course", *study.drivers[1:], *same], rows)


PARTS: dict[str, Callable[[Study], list[str]]] = {
    "setting": setting,
    **{f"facts {side}": partial(facts, side=side) for side in CHARIOTS},
    **{f"races {side}": partial(races, side=side) for side in CHARIOTS},
    **{f"grid {side}": partial(grid, side=side) for side in CHARIOTS},
    "shrinks": shrinks,
    "numbering": numbering,
    "easiest": easiest,
}


def page(study: Study) -> str:
    """The whole page."""
    template = (Path(__file__).parent / "boards.md").read_text(encoding="utf-8")
    filled = re.sub(r"^\[([\w ]+)\]\n", lambda found: "\n".join(PARTS[found[1]](study)), template, flags=re.MULTILINE)
    return filled.rstrip() + "\n"


def some_courses(text: str) -> list[str]:
    """Names with commas between them."""
    names = text.split(",")
    if unknown := [name for name in names if name not in COURSES]:
        raise argparse.ArgumentTypeError(f"there is no course '{unknown[0]}'; there are {', '.join(COURSES)}")
    return names


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    many = whole_number(2, MOST_RACES)
    parser.add_argument("--sibylla", type=whole_number(1, 10**6), default=1000, metavar="N", help="playouts a move")
    parser.add_argument("--races-a", type=many, default=400, metavar="N", help="with sibylla on side A")
    parser.add_argument("--races-b", type=many, default=200, metavar="N", help="with sibylla on side B")
    parser.add_argument("--races", type=many, default=20_000, metavar="N", help="with the other drivers")
    parser.add_argument(
        "--only", type=some_courses, metavar="COURSE,…", help="of these courses; prints the page instead of writing it"
    )
    parser.add_argument("--jobs", type=whole_number(1, MOST_JOBS), default=cores(), metavar="J", help="processes")
    parser.add_argument(
        "--kept", type=Path, default=KEPT, metavar="FOLDER", help="what has been measured is kept there"
    )
    parser.add_argument("--page", type=Path, default=PAGE, metavar="FILE", help="where the page is written")
    it = parser.parse_args(arguments)
    study = Study(
        f"sibylla@{it.sibylla}", it.races, {"A": it.races_a, "B": it.races_b}, it.only or COURSES, it.jobs, it.kept
    )
    try:
        study.measure()
    except KeyboardInterrupt:
        print("\nWhat has been measured is kept: the same command goes on from there.", file=sys.stderr)
        return 130
    if it.only:
        print(page(study), end="")
    else:
        write_atomically(it.page, page(study).encode())
        print(f"Wrote {it.page.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
