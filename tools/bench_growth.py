"""What many races cost: time, memory, processes; and `avecaesar simulate` with its start. Sections of `make bench`."""

from __future__ import annotations

import multiprocessing
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from avecaesar.kernel import packing, playout
from bench_turns import (
    BATCH,
    CHARIOTS,
    course_and_rules,
    keep_to_one_core,
    progress,
    ratios,
    spread,
    use_every_core,
)

# ---------------------------------------------------------------------- growth and memory


def race_many(races: int, first: int = 0) -> int:
    """Run so many random races in batches; returns the moves."""
    course, rules = course_and_rules()
    batch = packing.new_races(min(BATCH, races))
    return sum(
        int(playout.random_races(course, rules, batch, CHARIOTS, 0, np.uint64(first + seed)))
        for seed in range(max(1, races // BATCH))
    )


def processor_seconds(races: int) -> float:
    """What so many races cost the process that runs them."""
    begun = time.process_time()
    race_many(races)
    return time.process_time() - begun


def most_memory() -> float:
    """The most memory that this process ever held, in MiB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 2**20 if sys.platform == "darwin" else most / 2**10


def watch_memory(races: int) -> list[tuple[int, float]]:
    """Memory after the first batch, a hundredth, a tenth and all of the races."""
    seen, done = [], 0
    for stop in sorted({BATCH, races // 100, races // 10, races}):
        race_many(stop - done, done)
        done = stop
        seen.append((stop, most_memory()))
    return seen


def growth(rounds: int, quick: bool) -> dict[str, Any]:
    """Cost against the number of races and of processes; memory."""
    sizes = (2_000, 4_000) if quick else (10_000, 100_000, 1_000_000)
    cost: dict[int, list[float]] = {size: [] for size in sizes}
    keep_to_one_core()
    race_many(BATCH)
    for _ in progress(range(2 if quick else 5), "growth: round"):
        for size in sizes:
            begun = time.process_time()
            race_many(size)
            cost[size].append((time.process_time() - begun) / size * 1e6)
    return {
        "microseconds_a_race": {str(size): spread(values) for size, values in cost.items()},
        "processes": processes(4_000 if quick else 200_000, 2 if quick else rounds),
        "memory_mib": in_a_new_process(watch_memory, 20_000 if quick else 10_000_000),
    }


def processes(races: int, rounds: int) -> dict[str, Any]:
    """The same races by one process and shared by two.

    By the clock two are twice as fast only where two cores are idle; what they cost the processor tells more.
    """
    seconds: dict[int, list[float]] = {1: [], 2: []}
    cost: dict[int, list[float]] = {1: [], 2: []}
    context = multiprocessing.get_context("spawn")
    use_every_core()
    with context.Pool(1) as one, context.Pool(2) as two:
        pools = {1: one, 2: two}
        for count, pool in pools.items():
            pool.map(processor_seconds, [BATCH] * count * 4, chunksize=1)
        for _ in progress(range(rounds), "processes: round"):
            for count, pool in pools.items():
                begun = time.perf_counter()
                cost[count].append(sum(pool.map(processor_seconds, [races // count] * count, chunksize=1)))
                seconds[count].append(time.perf_counter() - begun)
    return {
        "races": races,
        "seconds": {str(count): spread(values) for count, values in seconds.items()},
        "processor_seconds": {str(count): spread(values) for count, values in cost.items()},
        "two_are_faster": ratios(seconds[1], seconds[2]),
    }


def in_a_new_process(task: Callable[[int], Any], argument: int) -> Any:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(task, (argument,))


# ---------------------------------------------------------------------- avecaesar simulate


def simulate(quick: bool) -> dict[str, Any]:
    """`avecaesar simulate` as a user runs it: seconds by the clock, start-up included, and memory."""
    sizes = (10_000, 100_000, 1_000_000)
    runs = [(200, 2)] if quick else [*((size, jobs) for size in sizes for jobs in (1, 2)), (10_000_000, 2)]
    report = {}
    use_every_core()
    for k in progress(range(len(runs)), "simulate: run"):
        races, jobs = runs[k]
        timed = run_simulate(races, jobs)
        if timed is None:
            return {}
        report[f"{races} races, {jobs} jobs"] = timed
    return report


def run_simulate(races: int, jobs: int) -> dict[str, float] | None:
    command = [sys.executable, "-m", "avecaesar", "simulate", "--races", str(races), "--jobs", str(jobs)]
    begun = time.perf_counter()
    with subprocess.Popen(
        [*command, "--seed", "1", "--drivers", "random", "--json"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        return None
    scale = 2**20 if sys.platform == "darwin" else 2**10
    return {"seconds": time.perf_counter() - begun, "memory_mib": usage.ru_maxrss / scale}
