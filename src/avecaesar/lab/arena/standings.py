"""What an arena says: pairings with 95 % intervals, differences deal by deal, ratings; as tables and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avecaesar.lab.arena.pairings import Arena
from avecaesar.lab.arena.ratings import Rating, rate
from avecaesar.lab.arena.results import DISQUALIFIED, HOME, LAURELS, MISSED, PLACE, TURNS, Results
from avecaesar.lab.figures import Figure, difference, interval, mean, multiplied, share
from avecaesar.lab.report import CONFIDENCE

FORMAT, VERSION = "avecaesar-arena", 1


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A driver against copies of another. Wins and laurels are for all his chariots in one race, shares for each."""

    driver: str
    against: str
    wins: Figure
    multiple: Figure  # of the fair share of wins
    laurels: Figure
    home: Figure
    disqualified: Figure
    missed_turns: Figure
    nanoseconds: int  # that he thought, where he drives over views
    moves: int  # and about how many

    @property
    def thinking_ms(self) -> float | None:
        """The mean time he takes for a decision."""
        return self.nanoseconds / self.moves / 1e6 if self.moves else None

    def to_json(self) -> dict[str, Any]:
        """The row for other programs."""
        return {**asdict(self), "thinking_ms": self.thinking_ms}


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Two drivers who met the same field on the same deals: how much oftener the first won, as a share of races."""

    driver: str
    other: str
    against: str
    wins: Figure


@dataclass(frozen=True, slots=True)
class Standings:
    """The figures of an arena that is over."""

    arena: Arena
    rows: tuple[PairingRow, ...]
    differences: tuple[PairedDifference, ...]
    ratings: tuple[Rating, ...]  # the best first

    @property
    def crossed(self) -> bool:
        """Whether everybody met everybody."""
        return self.arena.against is None and len(self.arena.drivers) > 2

    def row(self, driver: str, against: str) -> PairingRow | None:
        """What came of a pairing."""
        return next((row for row in self.rows if (row.driver, row.against) == (driver, against)), None)

    def to_json(self) -> dict[str, Any]:
        """The standings for other programs: docs/arena.md has the keys."""
        it, first = self.arena, self.arena.experiments[0]
        return {
            "format": FORMAT,
            "version": VERSION,
            "drivers": list(it.drivers),
            "against": it.against,
            "races": it.races,
            "asked": it.asked,
            "deals": it.deals,
            "edition": it.edition,
            "options": first.options,
            "course": it.course,
            "direction": it.track.direction,
            "board": it.track.board.sha256,
            "chariots": it.chariots,
            "riderless": first.riderless,
            "players": it.players,
            "each": first.each,
            "memory_aid": it.memory_aid,
            "seed": it.seed,
            "command": it.command,
            "confidence": CONFIDENCE,
            "fair_share": 1 / it.players,
            "pairings": [row.to_json() for row in self.rows],
            "differences": [asdict(one) for one in self.differences],
            "ratings": [{**asdict(one), "ordinal": one.ordinal} for one in self.ratings],
        }

    # ------------------------------------------------------------------ for people

    def __str__(self) -> str:
        it, first = self.arena, self.arena.experiments[0]
        each = f" with {first.each} chariots each" if first.each > 1 else ""
        loose = f" and {first.riderless} riderless" if first.riderless else ""
        asked = f" ({it.asked:,} were asked for)" if it.asked != it.races else ""
        parts = [
            [
                f"{it.players} players{each}{loose} on {first.setting(it.course)}.",
                f"Each pairing: {it.races:,} races{asked}, {it.deals:,} deals from each of {it.players} places.",
                f"Seed {it.seed}. To see them again:",
                f"  {it.command}",
            ],
            self._pairings(),
            self._crossed() if self.crossed else [],
            self._differences() if self.differences else [],
            self._ratings(),
            [
                f"Wins and laurels are for one race; the fair share is one win in {it.players} races.",
                "Below a figure stands its 95 % interval, worked out from deal to deal.",
                "Ratings go by all places of a race, wins by the first alone.",
            ],
        ]
        return "\n\n".join("\n".join(lines) for lines in parts if lines)

    def _pairings(self) -> list[str]:
        table = [["", "times fair", "wins", "", "home", "disq.", "missed", "thinks"]]
        table += [["Pairing", "share", "%", "laurels", "%", "%", "%", "ms"]]
        for row in self.rows:
            shares = [row.home, row.disqualified, row.missed_turns]
            thinks = "–" if row.thinking_ms is None else f"{row.thinking_ms:.2f}"
            values = [f"{row.multiple.value:.2f}", f"{100 * row.wins.value:.1f}", f"{row.laurels.value:.2f}"]
            table += [[row.driver, *values, *(f"{100 * figure.value:.1f}" for figure in shares), thinks]]
            field = f"{self.arena.players - 1} {row.against}" if self.arena.players > 2 else row.against
            table += [[f"  v {field}", interval(row.multiple), "", interval(row.laurels), "", "", "", ""]]
        return _aligned(table)

    def _crossed(self) -> list[str]:
        """Times the fair share, rows against columns."""
        names = self.arena.drivers
        table = [["Times the fair share against", *map(str, range(1, len(names) + 1))]]
        for number, name in enumerate(names, 1):
            met = [self.row(name, other) for other in names]
            table += [[f"{number}  {name}", *("–" if row is None else f"{row.multiple.value:.2f}" for row in met)]]
        return _aligned(table)

    def _differences(self) -> list[str]:
        """Each driver beside the next better one against the same field."""
        table = [["On the same deals", "against", "wins %", "from", "to"]]
        for one in self._neighbours():
            low, high = ("–" if end is None else f"{100 * end:+.1f}" for end in (one.wins.low, one.wins.high))
            table += [[f"{one.driver} over {one.other}", one.against, f"{100 * one.wins.value:+.1f}", low, high]]
        return _aligned(table)

    def _neighbours(self) -> list[PairedDifference]:
        told = {(one.driver, one.other, one.against): one for one in self.differences}
        pairs = []
        for field in self.arena.names:
            met = sorted((row for row in self.rows if row.against == field), key=lambda row: -row.wins.value)
            pairs += [(better.driver, worse.driver, field) for better, worse in pairwise(met)]
        return [told[pair] for pair in pairs]

    def _ratings(self) -> list[str]:
        table = [["OpenSkill ratings", "mu", "sigma", "ordinal", "races"]]
        for one in self.ratings:
            table += [[one.driver, f"{one.mu:.2f}", f"{one.sigma:.2f}", f"{one.ordinal:.2f}", f"{one.races:,}"]]
        return _aligned(table)


def _aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """Rows of words in columns, the first to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for first, *others in table:
        words = [f"{word:>{width}}" for word, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([f"{first:{widths[0]}}", *words]).rstrip())
    return lines


# ---------------------------------------------------------------------- from the results


def standings_of(results: Results) -> Standings:
    """The standings, once all races are there."""
    arena = results.arena
    met = [(pairing, 0, *names) for pairing, names in enumerate(arena.pairings)]
    if arena.against is None and arena.players == 2:  # each is the other's field
        met += [(pairing, 1, against, driver) for pairing, _, driver, against in met]
    wins = {(driver, against): results.by_deal(p, player)[:, PLACE] for p, player, driver, against in met}
    return Standings(
        arena,
        tuple(_row(results, *meeting) for meeting in met),
        tuple(_difference(arena, *one) for one in _compared(wins)),
        rate(results),
    )


def _row(results: Results, pairing: int, player: int, driver: str, against: str) -> PairingRow:
    arena = results.arena
    deals, players, each = arena.deals, arena.players, arena.rules.chariots_each
    columns = results.by_deal(pairing, player).T

    def part(column: int, of: NDArray[np.int64]) -> Figure:
        hits = columns[column]
        sums = (hits.sum(), of.sum(), deals, (hits * hits).sum(), (hits * of).sum(), (of * of).sum())
        return share(*map(int, sums), rotated=True)

    wins = part(PLACE, np.full(deals, players))
    chariots = np.full(deals, players * each)
    laurels = columns[LAURELS]
    return PairingRow(
        driver,
        against,
        wins,
        multiplied(wins, players),
        mean(int(laurels.sum()), int((laurels * laurels).sum()), deals, players),
        part(HOME, chariots),
        part(DISQUALIFIED, chariots),
        part(MISSED, columns[TURNS]),
        *results.thinking(pairing, player),
    )


Wins = dict[tuple[str, str], NDArray[np.int64]]  # by driver and field, deal by deal


def _compared(wins: Wins) -> list[tuple[str, str, str, NDArray[np.int64]]]:
    """Any two who met the same field, the one who won oftener first, with how much oftener he did in each deal."""
    both = [pair for pair in combinations(wins, 2) if pair[0][1] == pair[1][1]]
    ordered = [sorted(pair, key=lambda met: -int(wins[met].sum())) for pair in both]
    return [(one[0], other[0], one[1], wins[one] - wins[other]) for one, other in ordered]


def _difference(arena: Arena, driver: str, other: str, against: str, oftener: NDArray[np.int64]) -> PairedDifference:
    it = difference(int(oftener.sum()), int((oftener * oftener).sum()), arena.deals, arena.players)
    low, high = (None if end is None else max(-1.0, min(end, 1.0)) for end in (it.low, it.high))
    return PairedDifference(driver, other, against, Figure(it.total, it.value, low, high))
