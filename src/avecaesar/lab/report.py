"""What came of an experiment: by driver, by grid place and by race, as a table for people and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from avecaesar.courses import ROMAN
from avecaesar.kernel import trials as t
from avecaesar.lab.experiment import Experiment
from avecaesar.lab.figures import Figure, divided, mean, share
from avecaesar.rules import EDITIONS

FORMAT, VERSION = "avecaesar-simulation", 1
WIDTH = 13  # of a column
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Row:
    """A driver, or a grid place. All figures are for one chariot in one race."""

    driver: str | None  # None: a grid place that all drivers take in turn
    place: int | None  # on the grid, 1 for I; None: wherever the driver starts
    chariots: int  # in each race
    wins: Figure
    laurels: Figure
    home: Figure
    disqualified: Figure
    out_of_points: Figure
    missed_turns: Figure
    leads_taken: Figure


# The columns: a field of Row, its heading in two lines, and whether it is a share.
COLUMNS = (
    ("wins", "", "wins %", True),
    ("laurels", "", "laurels", False),
    ("home", "", "home %", True),
    ("disqualified", "disqual-", "ified %", True),
    ("out_of_points", "out of", "points %", True),
    ("missed_turns", "missed", "turns %", True),
    ("leads_taken", "lead", "taken", False),
)


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of an experiment."""

    experiment: Experiment
    course: str  # as it was asked for
    by_driver: tuple[Row, ...]
    by_place: tuple[Row, ...]
    turns: Figure
    changes_of_lead: Figure

    @property
    def options(self) -> dict[str, object]:
        """The options that differ from the edition's."""
        rules = self.experiment.rules
        return {name: mine for name, (mine, _) in rules.differences(EDITIONS[self.experiment.edition].rules).items()}

    @property
    def command(self) -> str:
        """The command that gives this report again."""
        it = self.experiment
        words = ["avecaesar", "simulate", "--races", it.races, "--edition", it.edition, "--course", self.course]
        words += ["--direction", it.course.direction, "--chariots", len(it.drivers), "--drivers", ",".join(it.drivers)]
        for name, value in self.options.items():
            words += ["--option", f"{name}={_written(value)}"]
        words += ["--rotate"] * it.rotate + ["--seed", it.seed]
        return shlex.join(map(str, words))

    def to_json(self) -> dict[str, Any]:
        """The report for other programs: docs/simulate.md has its keys."""
        it = self.experiment
        return {
            "format": FORMAT,
            "version": VERSION,
            "races": it.races,
            "edition": it.edition,
            "options": self.options,
            "course": self.course,
            "direction": it.course.direction,
            "chariots": len(it.drivers),
            "drivers": list(it.drivers),
            "rotate": it.rotate,
            "seed": it.seed,
            "command": self.command,
            "confidence": CONFIDENCE,
            "by_driver": [_without(row, "place") for row in self.by_driver],
            "by_place": [_without(row, "chariots") for row in self.by_place],
            "by_race": {"turns": asdict(self.turns), "changes_of_lead": asdict(self.changes_of_lead)},
        }

    # ------------------------------------------------------------------ for people

    def __str__(self) -> str:
        it = self.experiment
        options = "".join(f", {name} = {_written(value)}" for name, value in self.options.items())
        races = "1 race" if it.races == 1 else f"{it.races:,} races"
        lines = [
            f"{races} of {len(it.drivers)} on {self.course} {it.course.direction}, edition {it.edition}{options}.",
            f"Seed {it.seed}. To see them again:",
            f"  {self.command}",
            "",
            *self._table("By driver", self.by_driver),
            "",
            *self._table("By grid place", self.by_place),
            "",
            f"A race takes {_told(self.turns)} turns and sees {_told(self.changes_of_lead)} changes of lead.",
            "Figures are for one chariot in one race, each with its 95 % interval.",
        ]
        return "\n".join(lines)

    def _table(self, title: str, rows: Sequence[Row]) -> list[str]:
        label = max(len(title), *(len(_label(row)) for row in rows))
        upper, lower = ("".join(f"{column[line]:>{WIDTH}}" for column in COLUMNS) for line in (1, 2))
        lines = [" " * label + upper, f"{title:{label}}" + lower]
        for row in rows:
            figures = [(getattr(row, field), 100 if is_share else 1) for field, _, _, is_share in COLUMNS]
            lines.append(f"{_label(row):{label}}" + "".join(f"{f.value * by:>{WIDTH}.2f}" for f, by in figures))
            lines.append(" " * label + "".join(f"{_interval(f, by):>{WIDTH}}" for f, by in figures))
        return lines


def report_on(experiment: Experiment, rows: Sequence[Sequence[int]], course: str | None = None) -> Report:
    """The report on the totals of an experiment; `course` is how the course was asked for."""
    races, drivers, teams = experiment.races, experiment.drivers, experiment.teams
    *groups, together = rows
    return Report(
        experiment,
        course or experiment.course.name,
        tuple(_row(name, None, drivers.count(name), races, sums) for name, sums in zip(teams, groups, strict=False)),
        tuple(
            _row(None if experiment.rotate else name, place, 1, races, sums)
            for place, (name, sums) in enumerate(zip(drivers, groups[len(teams) :], strict=True), 1)
        ),
        _mean(together, t.TURNS, races),
        _mean(together, t.LEADS_TAKEN, races),
    )


def _row(driver: str | None, place: int | None, chariots: int, races: int, sums: Sequence[int]) -> Row:
    def per_chariot(column: int) -> Figure:
        hits, squares = sums[column], sums[t.COUNTS + column]
        return share(hits, races * chariots, races, squares, chariots * hits, races * chariots**2)

    won, missed, turns, product = sums[t.WINS], sums[t.MISSED], sums[t.TURNS], sums[2 * t.COUNTS]
    return Row(
        driver=driver,
        place=place,
        chariots=chariots,
        wins=divided(share(won, races, races, won, won, races), chariots),  # one at most wins a race
        laurels=_mean(sums, t.LAURELS, races, chariots),
        home=per_chariot(t.HOME),
        disqualified=per_chariot(t.DISQUALIFIED),
        out_of_points=per_chariot(t.OUT_OF_POINTS),
        missed_turns=share(missed, turns, races, sums[t.COUNTS + t.MISSED], product, sums[t.COUNTS + t.TURNS]),
        leads_taken=_mean(sums, t.LEADS_TAKEN, races, chariots),
    )


def _mean(sums: Sequence[int], column: int, races: int, chariots: int = 1) -> Figure:
    return mean(sums[column], sums[t.COUNTS + column], races, chariots)


def _without(row: Row, field: str) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name != field}


def _label(row: Row) -> str:
    if row.place is not None:
        return f"{ROMAN[row.place - 1]:3} {row.driver or ''}"
    return f"{row.driver} × {row.chariots}" if row.chariots > 1 else str(row.driver)


def _written(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _interval(figure: Figure, by: int) -> str:
    return "–" if figure.low is None or figure.high is None else f"{figure.low * by:.2f}–{figure.high * by:.2f}"


def _told(figure: Figure) -> str:
    return f"{figure.value:.2f}" + (f" ({_interval(figure, 1)})" if figure.low is not None else "")
