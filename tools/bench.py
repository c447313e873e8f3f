"""How fast the kernel is, beside OpenSpiel in the same run on the same core: `make bench`.

Contestants take turns, round by round, on one core, so that whatever slows the machine slows them alike; each is
given as median and range, and so is the ratio of each round. Times on one core are processor times. Nothing is
asserted: a figure is a figure. `docs/benchmarks.md` says what came out and how to read it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from bench_gpu import gpu
from bench_growth import growth, simulate
from bench_openspiel import pyspiel, rollouts, steps
from bench_turns import keep_to_one_core, progress, ratios, spread
from thinking import thinking


def search(rounds: int, quick: bool) -> dict[str, Any]:
    """Playouts a second and milliseconds a decision, a race a round; whole random races beside them."""
    keep_to_one_core()
    thinking(range(1), True)  # to warm up
    report = {}
    for name, rows in thinking(progress(range(rounds), "searching: race"), quick).items():
        faster = ratios(rows["random_races_a_second"], rows["playouts_a_second"])
        report[name] = {row: spread(values) for row, values in rows.items()} | {"random_races_are_faster": faster}
    return report


# ---------------------------------------------------------------------- the report


def machine() -> dict[str, str]:
    """What it ran on, without any name of it."""
    return {
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: _version(name) for name in ("numpy", "numba", "numba-cuda", "open_spiel")},
    }


def processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def number(value: float) -> str:
    """Three digits or so, with a unit for large numbers."""
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def in_words(values: dict[str, float]) -> str:
    return f"{number(values['median']):>7} ({number(values['least'])} to {number(values['most'])})"


def show(report: dict[str, Any]) -> None:
    print(", ".join(f"{name} {value}" for name, value in report["machine"].items()))
    if "rollouts" in report:
        print("\nWhole random games, decisions a second on one core: median (least to most)")
        for name, row in report["rollouts"].items():
            faster = f"we are {in_words(row['we_are_faster'])} times faster" if name != "avecaesar" else ""
            print(f"  {name:28} {in_words(row['per_second']):30} {faster}")
            if row["with_chance_nodes"] > row["per_second"]["median"]:
                print(f"  {'  and its chance nodes':28} {number(row['with_chance_nodes']):>7}")
    if "steps" in report:
        print("\nSingle steps through Python, a second: median (least to most)")
        for name, row in report["steps"].items():
            print(f"  {name:28} {in_words(row['per_second']):30} move_on is {in_words(row['we_are_faster'])} times")
    if "growth" in report:
        show_growth(report["growth"])
    if "search" in report:
        print("\nSibylla at 1,000 playouts a move, one core: median (least to most) over the races")
        for name, row in report["search"].items():
            print(f"  {name:28} {in_words(row['playouts_a_second']):30} playouts a second")
            print(f"  {'':28} {in_words(row['median_milliseconds']):30} ms a decision, the median of a race")
            print(f"  {'':28} {in_words(row['slowest_milliseconds']):30} ms, the slowest of a race")
            print(f"  {'':28} {in_words(row['random_races_are_faster']):30} times as many whole random races a second")
    if report.get("simulate"):
        print("\navecaesar simulate --drivers random, with its start")
        for name, row in report["simulate"].items():
            print(f"  {name:28} {row['seconds']:7.2f} s, {row['memory_mib']:.0f} MiB a process at most")
    if "gpu" in report:
        show_gpu(report["gpu"])
    if pyspiel is None and "rollouts" in report:
        print("\nOpenSpiel is not installed (pip install '.[bench]'), so there was nobody to race against.")


def show_growth(report: dict[str, Any]) -> None:
    print("\nCost by number of races, one core: microseconds a race")
    for size, values in report["microseconds_a_race"].items():
        print(f"  {int(size):>12,} races          {in_words(values)}")
    shared = report["processes"]
    print(f"\n{shared['races']:,} races by one process and shared by two: seconds")
    for count, values in shared["seconds"].items():
        cost = in_words(shared["processor_seconds"][count])
        print(f"  {count} at once: by the clock      {in_words(values):30} of the processor {cost}")
    print(f"  two are                      {in_words(shared['two_are_faster'])} times faster by the clock")
    print("\nMost memory so far, one process: MiB")
    for races, memory in report["memory_mib"]:
        print(f"  after {races:>12,} races    {memory:7.1f}")


def show_gpu(report: dict[str, Any]) -> None:
    same, seconds = report["equality"], report["seconds"]
    print(f"\nOn the card: {report['card']}")
    verdict = "equal to the CPU, bit for bit" if same["equal"] else f"DIFFERENT: {same['first_chunks_that_differ']}"
    print(f"  {same['races']:,} races, {same['moves']:,} moves, {same['bytes']:,} bytes: {verdict}")
    print(f"  sha256 {same['sha256']}")
    print(f"  {seconds['races_on_the_cpu']:.1f} s for these on the CPU's cores with their start,")
    print(f"  {seconds['first_launch_with_compilation']:.1f} s for the first launch with its compilation")
    for size, values in report["per_second"].items():
        print(f"  {int(size):>9,} races a launch: {in_words(values)} moves a second")


SECTIONS: dict[str, Callable[[int, bool], dict[str, Any]]] = {
    "rollouts": rollouts,
    "steps": steps,
    "growth": growth,
    "search": search,
    "simulate": lambda rounds, quick: simulate(quick),
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Measures the kernel beside OpenSpiel, in turns on one core.",
        epilog="Examples: python tools/bench.py | python tools/bench.py rollouts --rounds 40 | "
        "python tools/bench.py --gpu --json",
    )
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"{', '.join(SECTIONS)} (default: all)")
    parser.add_argument("--rounds", type=int, default=15, help="how often everybody is measured (default: 15)")
    parser.add_argument("--quick", action="store_true", help="next to nothing of everything, to see that it runs")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")
    parser.add_argument("--gpu", action="store_true", help="only the card: a million races against the CPU, then speed")
    options = parser.parse_args()
    if unknown := sorted(set(options.sections) - set(SECTIONS)):
        parser.error(f"there is no section '{unknown[0]}'; there are {', '.join(SECTIONS)}")
    if options.rounds < 1:
        parser.error(f"at least one round is needed, not {options.rounds}")
    report: dict[str, Any] = {"machine": machine()}
    if options.gpu:
        report["gpu"] = gpu(options.quick)
    else:
        for name in options.sections or SECTIONS:
            report[name] = SECTIONS[name](2 if options.quick else options.rounds, options.quick)
    print(json.dumps(report, indent=2)) if options.json else show(report)
    return 0 if report.get("gpu", {}).get("equality", {}).get("equal", True) else 1


if __name__ == "__main__":
    sys.exit(main())
