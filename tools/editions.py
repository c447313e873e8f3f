"""Measures how each edition changes the race and writes docs/editions.md: `make editions`, a quarter of an hour.

The drivers in this file race by their names, as anybody's own do: `--drivers tools/editions.py:Careless`.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import sqrt
from pathlib import Path
from typing import Any

from avecaesar import ChooseDeck, Move, Sort, View, edition, load_course
from avecaesar.drivers import Greedy
from avecaesar.drivers import batch as t
from avecaesar.game.moves import DECK_NAMES
from avecaesar.lab import Experiment, Figure, Report, report_on, run
from avecaesar.rules import DECKS, EDITIONS

PAGE = Path(__file__).parent.parent / "docs" / "editions.md"
SEED = 7
SIDES = {"A": ("white", 4), "B": ("red", 6)}  # where, and how many chariots
MANY, SOME, FEW = 100_000, 600, 100  # races with compiled drivers, with drivers in Python, for each sorting
SLIP = 0.2
HERE = f"{Path(__file__).name}:"


# ---------------------------------------------------------------------- drivers


class Careless:
    """Greedy, but one decision in five is anything that is allowed."""

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)

    def choose(self, view: View) -> Move:
        """One of the view's legal moves."""
        return self.source.choice(view.legal_moves) if self.source.random() < SLIP else Greedy().choose(view)


class PassesBy:
    """Greedy, but he never stops in the alley if he can help it."""

    def choose(self, view: View) -> Move:
        """One of the view's legal moves."""
        wanted = Greedy().choose(view)
        others = [play for play in view.plays if not view.outlooks[play].pays]
        if wanted not in others and others and view.outlooks:
            return min(others, key=lambda play: (view.outlooks[play].wasted, -play.card))
        return wanted


def __getattr__(name: str) -> Any:
    """`Sorts_average_000112`: greedy with that deck, the values 1 to 6 on the piles 0, 0, 0, 1, 1 and 2."""
    _, deck, piles = name.split("_") if name.count("_") == 2 else ("", "", "")
    if deck not in DECK_NAMES:
        raise AttributeError(name)
    return lambda: _Sorts(deck, [int(pile) for pile in piles])


class _Sorts:
    def __init__(self, deck: Any, piles: Sequence[int]) -> None:
        self.deck, self.piles = deck, piles

    def choose(self, view: View) -> Move:
        if view.asks == "deck":
            return ChooseDeck(self.deck)
        if view.asks == "sort" and self.piles:
            first, second, third = (
                tuple(v for v, n in enumerate(view.undrawn, 1) for _ in range(n) if self.piles[v - 1] == pile)
                for pile in range(3)
            )
            return Sort((first, second, third))
        return Greedy().choose(view)


# ---------------------------------------------------------------------- racing


@dataclass(frozen=True)
class Outcome:
    """What came of some races: the report, and the sums behind it."""

    report: Report
    rows: Sequence[Sequence[int]]

    @property
    def spread(self) -> float:
        """The standard deviation of a chariot's laurels in a race, all grid places together."""
        it = self.report.experiment
        places = self.rows[len(it.crews) : len(it.crews) + len(it.drivers) + it.riderless]
        driven = [places[place] for place in it.driven]
        races = it.races * len(driven)
        mean = sum(row[t.LAURELS] for row in driven) / races
        return sqrt(sum(row[t.COUNTS + t.LAURELS] for row in driven) / races - mean * mean)

    def of(self, driver: str) -> Any:
        """A driver's row."""
        return next(row for row in self.report.by_driver if row.driver == driver)


def race(
    name: str, side: str, drivers: Iterable[str], races: int, chariots: int | None = None, **options: object
) -> Outcome:
    """Races of an edition with some options changed; everybody moves on by a grid place each race."""
    course, full = SIDES[side]
    names = list(drivers)
    many = chariots or full
    experiment = Experiment(
        races=races,
        course=load_course(course),
        rules=edition(name).with_options(options),
        drivers=tuple(names[i % len(names)] for i in range(many)),
        seed=SEED,
        rotate=True,
        edition=name,
    )
    told = f"{name} {side} {options or ''} {'/'.join(dict.fromkeys(names))}"[:100]
    print(f"\r{told}\033[K" if sys.stderr.isatty() else f"{told}\n", end="", file=sys.stderr, flush=True)
    rows = run(experiment, jobs=os.cpu_count() or 1)
    return Outcome(report_on(experiment, rows), rows)


def percent(figure: Figure, times: int = 1) -> str:
    """A share with half its interval."""
    low, high = figure.low or 0.0, figure.high or 0.0
    return f"{100 * figure.value * times:.1f} ± {50 * (high - low) * times:.1f}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A Markdown table, its figures on the right."""
    lines = [f"| {' | '.join(heads)} |", f"|---|{'---:|' * (len(heads) - 1)}"]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]


# ---------------------------------------------------------------------- what is measured


def editions(side: str, fewer: Callable[[int], int]) -> list[str]:
    """Every edition with a full grid of equal drivers; and what a steady hand is worth."""
    rows = []
    for name in EDITIONS:
        equal = race(name, side, ["greedy"], fewer(MANY))
        steady = race(name, side, ["greedy", f"{HERE}Careless"], fewer(SOME)).of("greedy")
        (row,) = equal.report.by_driver
        turns = equal.report.turns.value / len(equal.report.experiment.drivers)
        best = max(EDITIONS[name].rules.laurels)
        rows.append(
            [
                f"`{name}`",
                f"{turns:.1f}",
                percent(row.missed_turns),
                percent(row.home),
                percent(row.disqualified),
                percent(row.out_of_points),
                f"{equal.report.changes_of_lead.value:.2f}",
                f"{equal.spread / best:.2f}",
                percent(steady.wins, steady.chariots),
            ]
        )
    heads = ["edition", "turns", "missed %", "home %", "disqualified %", "out of points %", "lead changes", "spread"]
    return table([*heads, "steady hand %"], rows)


def detour(fewer: Callable[[int], int]) -> list[str]:
    """The same races without the duty to stop."""
    rows = []
    for name in EDITIONS:
        if EDITIONS[name].rules.tribute != "required":
            continue
        for side in SIDES:
            owed, free = (race(name, side, ["greedy"], fewer(MANY), tribute=how) for how in ("required", "optional"))
            mine, theirs = owed.report.by_driver[0], free.report.by_driver[0]
            rows.append(
                [
                    f"`{name}`, {side}",
                    f"{percent(mine.home)} → {percent(theirs.home)}",
                    f"{percent(mine.missed_turns)} → {percent(theirs.missed_turns)}",
                    f"{percent(mine.disqualified)} → 0",
                    f"{owed.report.turns.value:.1f} → {free.report.turns.value:.1f}",
                ]
            )
    return table(["edition, side", "home %", "missed %", "disqualified %", "turns of a race"], rows)


def emperor(fewer: Callable[[int], int]) -> list[str]:
    """In the adaptation: those who stop for the emperor's cards beside those who pass by."""
    rows = []
    for side in SIDES:
        outcome = race("ausgebremst", side, ["greedy", f"{HERE}PassesBy"], fewer(SOME))
        for driver, told in (("greedy", "stops"), (f"{HERE}PassesBy", "passes by")):
            row = outcome.of(driver)
            rows.append(
                [f"{side}, {told}", percent(row.wins, row.chariots), percent(row.home), f"{row.laurels.value:.2f}"]
            )
    return table(["side, who", "wins %", "home %", "laurels"], rows)


def decks(fewer: Callable[[int], int]) -> list[str]:
    """Deck against deck, each sorted as the greedy driver does."""
    rows = []
    for side in SIDES:
        for one, other in combinations(DECK_NAMES, 2):
            mine, theirs = (f"{HERE}Sorts_{deck}_" for deck in (one, other))
            outcome = race("ausgebremst", side, [mine, theirs], fewer(SOME))
            a, b = outcome.of(mine), outcome.of(theirs)
            rows.append(
                [
                    f"{side}: {one} – {other}",
                    f"{percent(a.wins, a.chariots)} – {percent(b.wins, b.chariots)}",
                    f"{100 * a.home.value:.0f} – {100 * b.home.value:.0f}",
                    f"{a.laurels.value:.2f} – {b.laurels.value:.2f}",
                ]
            )
    return table(["decks", "wins %", "home %", "laurels"], rows)


def partitions(deck: str) -> list[str]:
    """All sortings of a deck that split no value, the order of the piles apart, as `_Sorts` reads them."""
    values = [value for value, count in enumerate(DECKS[deck], 1) if count]
    found: dict[frozenset[frozenset[int]], str] = {}
    for piles in product(range(3), repeat=len(values)):
        heaps = [frozenset(v for v, pile in zip(values, piles, strict=True) if pile == p) for p in range(3)]
        if all(1 <= len(heap) <= 2 for heap in heaps):
            where = dict(zip(values, piles, strict=True))
            found.setdefault(frozenset(heaps), "".join(str(where.get(value, 0)) for value in range(1, 7)))
    return list(found.values())


def sortings(fewer: Callable[[int], int]) -> list[str]:
    """Each sorting against the greedy driver's own: laurels more or fewer than his, both sides together."""
    rows = []
    for deck in DECK_NAMES:
        results = []
        for piles in partitions(deck):
            gain = 0.0
            for side in SIDES:
                mine, his = f"{HERE}Sorts_{deck}_{piles}", f"{HERE}Sorts_{deck}_"
                outcome = race("ausgebremst", side, [mine, his], fewer(FEW))
                gain += (outcome.of(mine).laurels.value - outcome.of(his).laurels.value) / len(SIDES)
            heaps = [
                "".join(str(v) for v in range(1, 7) if piles[v - 1] == str(p) and DECKS[deck][v - 1]) for p in range(3)
            ]
            results.append((gain, " · ".join(sorted(heaps))))
        results.sort(reverse=True)
        for place, (gain, heaps) in enumerate(results, 1):
            if place <= 3 or place == len(results):
                rows.append([f"{deck}, {place} of {len(results)}", heaps, f"{gain:+.2f}"])
    return table(["deck, rank", "piles", "laurels against his"], rows)


def company(fewer: Callable[[int], int]) -> list[str]:
    """Riderless chariots and teams."""
    rows = []
    settings: list[tuple[str, str, str, int, dict[str, object]]] = [
        ("three drivers", "ravensburger", "A", 3, {}),
        ("three, one extra riderless", "ravensburger", "A", 3, {"riderless_count": 1}),
        ("three, one that fills", "thibault", "A", 3, {}),
        ("three, one that fills, by vote", "thibault", "A", 3, {"riderless_moves": "vote"}),
        ("three, three that fill", "thibault", "B", 3, {}),
        ("two players with two each", "pro-ludo", "A", 4, {"chariots_each": 2}),
        ("two players with three each", "pro-ludo", "B", 6, {"chariots_each": 3}),
        ("three players with two each", "pro-ludo", "B", 6, {"chariots_each": 2}),
    ]
    for told, name, side, chariots, options in settings:
        outcome = race(name, side, ["greedy"], fewer(MANY // 5), chariots=chariots, **options)
        row = outcome.of("greedy")
        loose = next((r for r in outcome.report.by_driver if r.driver == "riderless"), None)
        rows.append(
            [
                f"{told} (`{name}`, {side})",
                percent(row.home),
                percent(row.missed_turns),
                f"{row.laurels.value:.2f}",
                "" if loose is None else percent(loose.home),
                "" if loose is None else percent(loose.wins),
            ]
        )
    return table(["who races", "home %", "missed %", "laurels", "riderless home %", "riderless first %"], rows)


def memory(fewer: Callable[[int], int]) -> list[str]:
    """What the memory aid is worth to the greedy driver."""
    rows = []
    for side in SIDES:
        for aid in (True, False):
            course, many = SIDES[side]
            experiment = Experiment(
                fewer(MANY),
                load_course(course),
                edition("ausgebremst"),
                ("greedy",) * many,
                SEED,
                True,
                "ausgebremst",
                aid,
            )
            (row,) = report_on(experiment, run(experiment, jobs=os.cpu_count() or 1)).by_driver
            rows.append([f"{side}, {'with' if aid else 'without'}", percent(row.home), percent(row.missed_turns)])
    return table(["side, memory aid", "home %", "missed %"], rows)


def page(fewer: Callable[[int], int]) -> str:
    """The whole page."""
    template = (Path(__file__).parent / "editions.md").read_text(encoding="utf-8")
    parts: dict[str, Callable[[Callable[[int], int]], list[str]]] = {
        "side A": lambda few: editions("A", few),
        "side B": lambda few: editions("B", few),
        "detour": detour,
        "emperor": emperor,
        "decks": decks,
        "sortings": sortings,
        "memory": memory,
        "company": company,
    }
    for name, part in parts.items():
        assert f"[{name}]\n" in template, name
        template = template.replace(f"[{name}]\n", "\n".join(part(fewer)))
    return template.rstrip() + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--quick", action="store_true", help="few races, to see that it works; prints instead of writing"
    )
    options = parser.parse_args()
    os.chdir(Path(__file__).parent)  # the drivers of this file are named from here
    text = page(lambda races: max(20, races // 50) if options.quick else races)
    if options.quick:
        print(text)
    else:
        PAGE.write_text(text, encoding="utf-8")
        print(f"\nWrote {PAGE.name}.")


if __name__ == "__main__":
    main()
