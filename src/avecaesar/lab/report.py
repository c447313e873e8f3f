"""What came of an experiment: by driver, by grid place, by player and by race, as tables for people and as JSON."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from avecaesar.courses import ROMAN
from avecaesar.drivers import batch as t
from avecaesar.game.lineup import RIDERLESS
from avecaesar.lab.experiment import Experiment
from avecaesar.lab.figures import Figure, divided, interval, mean, share
from avecaesar.lab.racing import EARNED, MOST, SHARED, SQUARED

FORMAT, VERSION = "avecaesar-simulation", 1
WIDTH = 13  # of a column
CONFIDENCE = 0.95

Columns = Sequence[tuple[str, str, str, bool]]  # a field, its heading in two lines, and whether it is a share


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A driver, or a grid place. All figures are for one chariot in one race."""

    driver: str | None  # RIDERLESS where nobody drives; None: a grid place that all drivers take in turn
    place: int | None  # on the grid, 1 for I; None: wherever the driver starts
    chariots: int  # in each race
    wins: Figure
    laurels: Figure
    home: Figure
    disqualified: Figure
    out_of_points: Figure
    missed_turns: Figure
    leads_taken: Figure

    def __str__(self) -> str:
        if self.place is not None:
            return f"{ROMAN[self.place - 1]:3} {self.driver or ''}"
        return f"{self.driver} × {self.chariots}" if self.chariots > 1 else str(self.driver)


@dataclass(frozen=True, slots=True)
class Player:
    """A player with several chariots: what they brought him together in one race."""

    player: int  # 1 for the first
    driver: str
    laurels: Figure
    most_laurels: Figure  # more than any other player
    most_shared: Figure  # as many as another, and nobody had more

    def __str__(self) -> str:
        return f"{self.player}   {self.driver}"


COLUMNS: Columns = (
    ("wins", "", "wins %", True),
    ("laurels", "", "laurels", False),
    ("home", "", "home %", True),
    ("disqualified", "disqual-", "ified %", True),
    ("out_of_points", "out of", "points %", True),
    ("missed_turns", "missed", "turns %", True),
    ("leads_taken", "lead", "taken", False),
)
BY_PLAYER: Columns = (
    ("laurels", "", "laurels", False),
    ("most_laurels", "most", "laurels %", True),
    ("most_shared", "tied for", "most %", True),
)


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of an experiment."""

    experiment: Experiment
    course: str  # as it was asked for
    by_driver: tuple[ReportRow, ...]
    by_place: tuple[ReportRow, ...]
    by_player: tuple[Player, ...]  # none where each has one chariot
    turns: Figure
    changes_of_lead: Figure

    @property
    def command(self) -> str:
        """The command that gives this report again."""
        it = self.experiment
        words = ["avecaesar", "simulate", "--races", str(it.races), "--drivers", ",".join(it.by_player)]
        return shlex.join([*words, *it.arguments(self.course), *["--rotate"] * it.rotate, "--seed", str(it.seed)])

    def to_json(self) -> dict[str, Any]:
        """The report for other programs: docs/simulate.md has its keys."""
        it = self.experiment
        return {
            "format": FORMAT,
            "version": VERSION,
            "races": it.races,
            "edition": it.edition,
            "options": it.options,
            "course": self.course,
            "direction": it.course.direction,
            "chariots": len(it.drivers),
            "riderless": it.riderless,
            "players": it.players,
            "each": it.each,
            "memory_aid": it.memory_aid,
            "drivers": list(it.drivers),
            "rotate": it.rotate,
            "seed": it.seed,
            "command": self.command,
            "confidence": CONFIDENCE,
            "by_driver": [_without(row, "place") for row in self.by_driver],
            "by_place": [_without(row, "chariots") for row in self.by_place],
            "by_player": [asdict(player) for player in self.by_player],
            "by_race": {"turns": asdict(self.turns), "changes_of_lead": asdict(self.changes_of_lead)},
        }

    # ------------------------------------------------------------------ for people

    def __str__(self) -> str:
        it = self.experiment
        races = "1 race" if it.races == 1 else f"{it.races:,} races"
        turns, changes = _figure_in_words(self.turns), _figure_in_words(self.changes_of_lead)
        lines = [
            f"{races} of {self._lined_up()} on {it.setting(self.course)}.",
            f"Seed {it.seed}. To see them again:",
            f"  {self.command}",
            "",
            *_table("By driver", self.by_driver),
            "",
            *_table("By grid place", self.by_place),
            "",
            *([*_table("By player", self.by_player, BY_PLAYER), ""] if self.by_player else []),
            f"A race takes {turns} turns and sees {changes} changes of lead.",
            "Figures are for one chariot in one race, each with its 95 % interval"
            + ("; by player, for all chariots of his." if self.by_player else "."),
        ]
        return "\n".join(lines)

    def _lined_up(self) -> str:
        it = self.experiment
        driven = f"{it.players} players with {it.each} chariots each" if it.each > 1 else str(it.players)
        return f"{driven} and {it.riderless} riderless" if it.riderless else driven


def _table(title: str, rows: Sequence[ReportRow | Player], columns: Columns = COLUMNS) -> list[str]:
    label = max(len(title), *(len(str(row)) for row in rows))
    upper, lower = ("".join(f"{column[line]:>{WIDTH}}" for column in columns) for line in (1, 2))
    lines = [" " * label + upper, f"{title:{label}}" + lower]
    for row in rows:
        figures = [(getattr(row, field), 100 if is_share else 1) for field, _, _, is_share in columns]
        lines.append(f"{row!s:{label}}" + "".join(f"{f.value * by:>{WIDTH}.2f}" for f, by in figures))
        lines.append(" " * label + "".join(f"{interval(f, by):>{WIDTH}}" for f, by in figures))
    return lines


def report_on(experiment: Experiment, rows: Sequence[Sequence[int]], course: str | None = None) -> Report:
    """The report on the totals of an experiment; `course` is how the course was asked for."""
    races, where = experiment.races, experiment.rows
    crews = zip(experiment.crews.items(), rows[where.groups], strict=True)
    places = zip(enumerate(_starters(experiment), 1), rows[where.places], strict=True)
    players = zip(enumerate(experiment.by_player, 1), rows[where.end :], strict=False)
    together = rows[where.together]
    return Report(
        experiment,
        course or experiment.course.name,
        tuple(_row(name, None, chariots, races, sums) for (name, chariots), sums in crews),
        tuple(_row(name, place, 1, races, sums) for (place, name), sums in places),
        tuple(_player(player, name, races, sums) for (player, name), sums in players),
        _mean(together, t.TURNS, races),
        _mean(together, t.LEADS_TAKEN, races),
    )


def _starters(it: Experiment) -> list[str | None]:
    """Who starts from each grid place; None: all drivers in turn."""
    driven, drivers = it.driven, [None] * len(it.drivers) if it.rotate else it.drivers
    return [drivers[place - driven[0]] if place in driven else RIDERLESS for place in range(it.crews.total())]


def _row(driver: str | None, place: int | None, chariots: int, races: int, sums: Sequence[int]) -> ReportRow:
    def per_chariot(column: int) -> Figure:
        hits, squares = sums[column], sums[t.COUNTS + column]
        return share(hits, races * chariots, races, squares, chariots * hits, races * chariots**2)

    won, missed, turns, product = sums[t.WINS], sums[t.MISSED], sums[t.TURNS], sums[2 * t.COUNTS]
    return ReportRow(
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


def _player(player: int, driver: str, races: int, sums: Sequence[int]) -> Player:
    most, shared = (share(sums[column], races, races, sums[column], sums[column], races) for column in (MOST, SHARED))
    return Player(player, driver, mean(sums[EARNED], sums[SQUARED], races), most, shared)


def _mean(sums: Sequence[int], column: int, races: int, chariots: int = 1) -> Figure:
    return mean(sums[column], sums[t.COUNTS + column], races, chariots)


def _without(row: ReportRow, field: str) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name != field}


def _figure_in_words(figure: Figure) -> str:
    return f"{figure.value:.2f}" + (f" ({interval(figure, 1)})" if figure.low is not None else "")
