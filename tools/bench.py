"""How fast the kernel is, beside OpenSpiel in the same run on the same core: `make bench`.

Contestants take turns, round by round, on one core, so that whatever slows the machine slows them alike; each is
given as median and range, and so is the ratio of each round. Times on one core are processor times. Nothing is
asserted: a figure is a figure. `docs/benchmarks.md` says what came out and how to read it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import platform
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from typing import Any

import numpy as np

from avecaesar import Race
from avecaesar.courses import load_course
from avecaesar.kernel import packing, playout
from avecaesar.kernel.layout import MOST_MOVES, RACE
from avecaesar.rules import DECK, Rules
from thinking import thinking

try:
    import pyspiel
    from open_spiel.python import games as _python_games  # noqa: F401  # makes its games in Python known
except ImportError:
    pyspiel = None

CHARIOTS = 4
BATCH = 2000  # races in an array
ROLLOUTS = 2000
ROLLOUT_GAMES = ("hearts", "connect_four", "backgammon")
STEP_GAMES = (
    "tic_tac_toe", "nim", "pig", "connect_four", "kuhn_poker", "breakthrough", "hearts", "backgammon",
    "python_tic_tac_toe", "python_kuhn_poker",
)  # fmt: skip
PLAYOUTS = 200  # random playouts that tell how many decisions a rollout takes
SECONDS_OF_STEPS = 0.03  # a round of single steps
STARTS = 16  # dealt races and games that the single steps begin from
GPU_RACES = 1_000_000
GPU_CHUNK = 10_000
GPU_BATCHES = (1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22)
GPU_LAUNCHES = 12
STRIDE = int(playout.STRIDE)
CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()

Rate = Callable[[], float]  # one round: so many a second


# ---------------------------------------------------------------------- measuring


def course_and_rules() -> tuple[Any, Any]:
    """White in the default edition."""
    return packing.course_table(load_course("white")), packing.rules_table(Rules())


def keep_to_one_core() -> None:
    """Let this process run on one core only, where the system can do that."""
    if CORES:
        os.sched_setaffinity(0, {max(CORES)})


def use_every_core() -> None:
    """Undo it, before others are started that inherit it."""
    if CORES:
        os.sched_setaffinity(0, CORES)


def take_turns(contestants: dict[str, Rate], rounds: int, what: str) -> dict[str, list[float]]:
    """Everybody once a round; a first round to warm up does not count."""
    keep_to_one_core()
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for number in progress(range(rounds + 1), what):
        for name, rate in contestants.items():
            measured = rate()
            if number > 0:
                rates[name].append(measured)
    return rates


def spread(values: Iterable[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {"median": median(ordered), "least": ordered[0], "most": ordered[-1]}


def ratios(ours: list[float], theirs: list[float]) -> dict[str, float]:
    return spread(a / b for a, b in zip(ours, theirs, strict=True))


def progress(items: range, what: str) -> Iterator[int]:
    for item in items:
        if sys.stderr.isatty():
            print(f"\r\033[K{what} {item + 1}/{len(items)}", end="", file=sys.stderr, flush=True)
        yield item
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


# ---------------------------------------------------------------------- whole races against C++ rollouts


def random_races_per_second() -> Rate:
    """Moves a second of whole random races, their deal included."""
    course, rules = course_and_rules()
    races = packing.new_races(BATCH)
    seeds = iter(range(1 << 62))

    def one_round() -> float:
        begun = time.process_time()
        moves = playout.random_races(course, rules, races, CHARIOTS, 0, np.uint64(next(seeds)))
        return float(moves / (time.process_time() - begun))

    return one_round


def start_of(game: Any, source: random.Random) -> Any:
    """A game after its deal: the bot cannot begin at a chance node."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(by_chance(state, source))
    return state


def by_chance(state: Any, source: random.Random) -> int:
    actions, chances = zip(*state.chance_outcomes(), strict=True)
    return int(source.choices(actions, chances)[0])


def length_of(start: Any, playouts: int, source: random.Random) -> tuple[float, float]:
    """Mean decisions and mean chance nodes of a random playout from here."""
    decisions = chances = 0
    for _ in range(playouts):
        state = start.clone()
        while not state.is_terminal():
            if state.is_chance_node():
                chances += 1
                state.apply_action(by_chance(state, source))
            else:
                decisions += 1
                state.apply_action(source.choice(state.legal_actions()))
    return decisions / playouts, chances / playouts


class Rollouts:
    """OpenSpiel's C++ rollouts of a game, each round from another deal."""

    def __init__(self, name: str, rounds: int, quick: bool) -> None:
        self.game = pyspiel.load_game(name)
        self.rollouts = 20 if quick else ROLLOUTS
        source = random.Random(1)
        self.starts = []
        for _ in progress(range(rounds + 1), f"{name}: counting decisions from deal"):
            start = start_of(self.game, source)
            self.starts.append((start, *length_of(start, 5 if quick else PLAYOUTS, source)))
        self.round = 0

    def __call__(self) -> float:
        start, decisions, _ = self.starts[self.round]
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=self.rollouts, seed=self.round)
        bot = pyspiel.MCTSBot(self.game, evaluator, 2.0, 1, 1000, False, self.round, False)
        self.round += 1
        begun = time.process_time()
        bot.step(start)
        return self.rollouts * decisions / (time.process_time() - begun)

    def nodes_per_decision(self) -> float:
        """What the rate is to be multiplied with if chance nodes are counted too."""
        return sum(d + c for _, d, c in self.starts) / sum(d for _, d, _ in self.starts)


def rollouts(rounds: int, quick: bool) -> dict[str, Any]:
    theirs = {name: Rollouts(name, rounds, quick) for name in ROLLOUT_GAMES} if pyspiel else {}
    rates = take_turns({"avecaesar": random_races_per_second(), **theirs}, rounds, "whole races: round")
    return {
        name: {
            "per_second": spread(values),
            "we_are_faster": ratios(rates["avecaesar"], values),
            "with_chance_nodes": median(values) * (theirs[name].nodes_per_decision() if name in theirs else 1),
        }
        for name, values in rates.items()
    }


# ---------------------------------------------------------------------- single steps through Python


class OurSteps:
    """Random races through the kernel's entry points, beginning from races already dealt."""

    def __init__(self) -> None:
        self.course, self.rules = course_and_rules()
        source = random.Random(1)
        self.starts = packing.new_races(STARTS)
        self.races = packing.new_races(1)
        self.moves = np.empty(MOST_MOVES, np.int64)
        for k in range(STARTS):
            packing.deal(self.starts, k, [source.sample(DECK, len(DECK)) for _ in range(CHARIOTS)])
            playout.begin_race(self.course, self.rules, self.starts, k, CHARIOTS, 0)

    def two_calls(self, steps: int) -> int:
        """List the legal moves, choose, make the move."""
        course, rules, races, moves = self.course, self.rules, self.races, self.moves
        list_moves, step, move_at, chance = playout.list_moves, playout.step, moves.item, random.random
        races[0] = self.starts[0]
        for number in range(steps):
            count = list_moves(course, races, 0, moves)
            if count == 0:
                races[0] = self.starts[number % STARTS]
                count = list_moves(course, races, 0, moves)
            step(course, rules, races, 0, move_at(int(chance() * count)))
        return steps

    def one_call(self, steps: int) -> int:
        """Choose, make the move and list the next legal moves."""
        course, rules, races, moves = self.course, self.rules, self.races, self.moves
        move_on, move_at, chance = playout.move_on, moves.item, random.random
        count = 0
        for number in range(steps):
            if count == 0:
                races[0] = self.starts[number % STARTS]
                count = playout.list_moves(course, races, 0, moves)
            count = move_on(course, rules, races, 0, move_at(int(chance() * count)), moves)
        return steps


class FriendlySteps:
    """The same with `Race`, which is made for people: moves are objects, and it keeps a history."""

    def __init__(self) -> None:
        self.starts = [Race("white", CHARIOTS, seed=seed) for seed in range(STARTS)]

    def __call__(self, steps: int) -> int:
        chance = random.random
        race = self.starts[0].copy()
        for number in range(steps):
            if race.over:
                race = self.starts[number % STARTS].copy()
            moves = list(race.legal_moves)
            race.play(moves[int(chance() * len(moves))])
        return steps


class TheirSteps:
    """OpenSpiel's Python interface, from games already dealt; chance nodes are passed quickly and not counted."""

    def __init__(self, name: str) -> None:
        game, source = pyspiel.load_game(name), random.Random(1)
        self.starts = [start_of(game, source) for _ in range(STARTS)]

    def __call__(self, steps: int) -> int:
        chance, starts = random.random, self.starts
        state = starts[0].clone()
        done = 0
        while done < steps:
            if state.is_terminal():
                state = starts[done % STARTS].clone()
            elif state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(chance() * len(outcomes))][0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(chance() * len(actions))])
                done += 1
        return steps


def steps_per_second(loop: Callable[[int], int], quick: bool) -> Rate:
    """Rounds of about the same time for everybody."""
    loop(20)
    begun = time.process_time()
    loop(200)
    steps = 50 if quick else max(200, int(200 * SECONDS_OF_STEPS / (time.process_time() - begun)))

    def one_round() -> float:
        begun = time.process_time()
        return loop(steps) / (time.process_time() - begun)

    return one_round


def steps(rounds: int, quick: bool) -> dict[str, Any]:
    loops: dict[str, Callable[[int], int]] = {
        "one call: move_on": OurSteps().one_call,
        "two calls: list_moves, step": OurSteps().two_calls,
        "Race.legal_moves, Race.play": FriendlySteps(),
    }
    loops |= {name: TheirSteps(name) for name in STEP_GAMES} if pyspiel else {}
    contestants = {name: steps_per_second(loop, quick) for name, loop in loops.items()}
    rates = take_turns(contestants, rounds, "single steps: round")
    ours = rates["one call: move_on"]
    return {
        name: {"per_second": spread(values), "we_are_faster": ratios(ours, values)} for name, values in rates.items()
    }


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


# ---------------------------------------------------------------------- the searcher


def search(rounds: int, quick: bool) -> dict[str, Any]:
    """Playouts a second and milliseconds a decision, a race a round; whole random races beside them."""
    keep_to_one_core()
    thinking(range(1), True)  # to warm up
    report = {}
    for name, rows in thinking(progress(range(rounds), "searching: race"), quick).items():
        faster = ratios(rows["random_races_a_second"], rows["playouts_a_second"])
        report[name] = {row: spread(values) for row, values in rows.items()} | {"random_races_are_faster": faster}
    return report


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


# ---------------------------------------------------------------------- the GPU


def gpu(quick: bool) -> dict[str, Any]:
    """Equality with the CPU bit for bit, then moves a second with the races staying on the card."""
    for name, successor in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, name):  # numba-cuda still asks for what NumPy 2.4 took away
            setattr(np, name, getattr(np, successor))
    from numba import cuda

    from avecaesar.kernel import gpu as card

    if not cuda.is_available():
        sys.exit("No NVIDIA card was found, or no driver for it, so there is nothing to measure with --gpu.")
    races = 20 if quick else GPU_RACES
    begun = time.perf_counter()
    expected = digests_by_cpu(races)
    by_cpu = time.perf_counter() - begun
    course, rules = course_and_rules()
    here = [cuda.to_device(course), cuda.to_device(rules)]
    on_card = cuda.to_device(packing.new_races(races))
    begun = time.perf_counter()
    card.random_races(*here, on_card, CHARIOTS, 0, 1)
    cuda.synchronize()
    compiled = time.perf_counter() - begun
    found = on_card.copy_to_host()
    chunks = [found[k : k + GPU_CHUNK] for k in range(0, races, GPU_CHUNK)]
    differing = [k for k, chunk in enumerate(chunks) if digest(chunk) != expected[k]]
    return {
        "card": card_in_words(cuda),
        "equality": {
            "races": races,
            "moves": int(found["turns"].sum(dtype=np.int64)),
            "bytes": found.nbytes,
            "sha256": digest(found),
            "first_chunks_that_differ": differing[:5],
            "equal": not differing,
        },
        "seconds": {"races_on_the_cpu": by_cpu, "first_launch_with_compilation": compiled},
        "per_second": {
            str(size): spread(launches(cuda, card, here, size, 2 if quick else GPU_LAUNCHES))
            for size in ((8, 16) if quick else GPU_BATCHES)
        },
    }


def launches(cuda: Any, card: Any, here: list[Any], size: int, count: int) -> list[float]:
    """Moves a second of each launch; one before them does not count, nor does looking at the races afterwards."""
    races = cuda.to_device(packing.new_races(size))
    rates = []
    for number in progress(range(count + 1), f"{size} races on the card: launch"):
        cuda.synchronize()
        begun = time.perf_counter()
        card.random_races(*here, races, CHARIOTS, 0, 1_000_000 * number)
        cuda.synchronize()
        seconds = time.perf_counter() - begun
        if number > 0:
            rates.append(int(races.copy_to_host()["turns"].sum(dtype=np.int64)) / seconds)
    return rates


def digests_by_cpu(races: int) -> list[str]:
    """The same races on all cores of the CPU, a digest of all bytes for each chunk."""
    digest_of_chunk((0, 1))  # compiled once here, found in the cache by the others
    spans = [(first, min(GPU_CHUNK, races - first)) for first in range(0, races, GPU_CHUNK)]
    jobs = min(len(spans), os.cpu_count() or 1)
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        return pool.map(digest_of_chunk, spans, chunksize=1)


def digest_of_chunk(span: tuple[int, int]) -> str:
    """Races `first` to `first + count - 1` of seed 1: each race's own seed is its number times the stride."""
    first, count = span
    races = packing.new_races(count)
    with np.errstate(over="ignore"):  # uncompiled, NumPy warns when the random numbers wrap round as they should
        playout.random_races(*course_and_rules(), races, CHARIOTS, 0, np.uint64((1 + first * STRIDE) % 2**64))
    return digest(races)


def digest(races: Any) -> str:
    """Of every byte of every field (between the fields lies padding, which NumPy does not promise to copy)."""
    seen = hashlib.sha256()
    for name in RACE.names or ():
        seen.update(races[name].tobytes())
    return seen.hexdigest()


def card_in_words(cuda: Any) -> str:
    try:
        asked = "--query-gpu=name,driver_version,clocks.max.sm", "--format=csv,noheader"
        answer = subprocess.run(["nvidia-smi", *asked], capture_output=True, text=True, check=True).stdout
        return " ".join(answer.strip().splitlines()[0].split())
    except (OSError, subprocess.CalledProcessError):
        name = getattr(cuda.get_current_device(), "name", "a simulated card")
        return name.decode() if isinstance(name, bytes) else str(name)


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
