"""All cores: worker processes take batches of race numbers and send back totals, which simply add up, or outcomes.

A worker ends when its pipe does, so none outlives the run, whatever ends it. Ctrl-C is the run's to answer: workers
do not hear it. They are stopped; those that record finish the race they are at, so that no half a file is left.
"""

from __future__ import annotations

import errno
import multiprocessing
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from avecaesar.drivers import warm
from avecaesar.drivers.policies import RANDOM
from avecaesar.kernel.cache import LABORATORY, RACE, SEARCHER
from avecaesar.lab.experiment import Experiment
from avecaesar.lab.racing import Outcome, Races

SummedRows = list[list[int]]  # the totals of all batches: whole numbers without limit
Batch = tuple[int, int, int]  # which experiment, the first race's number, and how many

# Races in a batch: a fraction of a second of work.
BATCH_IN_PYTHON = 10
BATCH_RECORDED = 20
BATCH = 2_000
BATCH_AT_RANDOM = 20_000
BATCH_OF_OUTCOMES = 500
TINY = 4  # so few batches are not worth the start of a process
PATIENCE = 3.0  # seconds for the workers to finish a race


@dataclass(frozen=True, slots=True)
class Task:
    """What workers do with a batch."""

    experiments: tuple[Experiment, ...]
    folder: Path | None = None  # where each race is recorded
    outcomes: bool = False  # whether each race's outcome is wanted, or their totals


class Desk:
    """Where batches of a task are raced."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.leaving = False
        self.races = [Races(experiment, task.folder) for experiment in task.experiments]

    def run(self, batch: Batch) -> Any:
        """What came of a batch."""
        which, first, count = batch
        races = self.races[which]
        return races.outcomes(first, count) if self.task.outcomes else races.run(first, count)

    def leave(self) -> None:
        """Begin no further race."""
        self.leaving = True
        for races in self.races:
            races.leave()


def prepare(*experiments: Experiment) -> None:
    """Compile what these races need and is not compiled yet, once and here, before any worker does it on its own."""
    thinks = any(experiment.thinks for experiment in experiments)
    warm.prepare(RACE, LABORATORY, *([SEARCHER] if thinks else []))


def run(
    experiment: Experiment,
    folder: Path | None = None,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> SummedRows:
    """Run an experiment; returns its totals, the same whatever the number of jobs.

    `folder` is where each race is recorded; `progress` hears now and then how many races are done.
    """
    prepare(experiment)
    desk = Desk(Task((experiment,), folder))
    size = _batch_size(desk.races[0])
    batches = ((0, first, min(size, experiment.races - first)) for first in range(0, experiment.races, size))
    rows: SummedRows = []
    done = 0
    with closing(_results(desk, batches, -(-experiment.races // size), jobs)) as results:
        for (_, _, count), totals in results:
            rows = _sum(rows, totals.tolist()) if rows else totals.tolist()
            done += count
            progress(done)
    return rows


def run_each(
    experiments: Sequence[Experiment], missing: Sequence[Iterable[int]], jobs: int = 1
) -> Generator[tuple[int, list[Outcome]]]:
    """Run those races of each experiment; gives which experiment it is and what came of some of its races.

    The experiments advance side by side. Races over views come one by one, others by the hundred.
    """
    prepare(*experiments)
    desk = Desk(Task(tuple(experiments), outcomes=True))
    batches = [
        (which, *batch)
        for which, numbers in enumerate(missing)
        for batch in _runs(numbers, 1 if desk.races[which].in_python else BATCH_OF_OUTCOMES)
    ]
    batches.sort(key=lambda batch: batch[1])
    with closing(_results(desk, iter(batches), len(batches), jobs)) as results:
        for (which, _, _), outcomes in results:
            yield which, outcomes


def _runs(numbers: Iterable[int], longest: int) -> Iterator[tuple[int, int]]:
    """Rising numbers as stretches without a gap: the first, and how many.

    >>> list(_runs([0, 1, 2, 3, 7, 8], 3))
    [(0, 3), (3, 1), (7, 2)]
    """
    first = count = 0
    for number in numbers:
        if count and (number != first + count or count == longest):
            yield first, count
            count = 0
        first = number if count == 0 else first
        count += 1
    if count:
        yield first, count


def _results(desk: Desk, batches: Iterator[Batch], many: int, jobs: int) -> Generator[tuple[Batch, Any]]:
    """Each batch with what came of it, as soon as it is there."""
    if jobs == 1 or many <= TINY:
        return ((batch, desk.run(batch)) for batch in batches)
    return _in_processes(desk.task, batches, min(jobs, many))


def _sum(one: SummedRows, other: SummedRows) -> SummedRows:
    return [[x + y for x, y in zip(*pair, strict=True)] for pair in zip(one, other, strict=True)]


def _batch_size(races: Races) -> int:
    if races.in_python:
        return BATCH_IN_PYTHON
    if races.folder is not None:
        return BATCH_RECORDED
    return BATCH_AT_RANDOM if bool((races.policies == RANDOM).all()) else BATCH


def _in_processes(task: Task, batches: Iterator[Batch], jobs: int) -> Generator[tuple[Batch, Any]]:
    """Hand out batches to worker processes, each the next one as soon as it is free."""
    workers: dict[Connection, BaseProcess] = {}
    try:
        with _ctrl_c_held_back():
            for _ in range(jobs):
                pipe, process = _start(task)
                workers[pipe] = process
        busy: dict[Any, Batch] = {}
        for pipe, batch in zip(workers, batches, strict=False):
            _send(workers, pipe, batch)
            busy[pipe] = batch
        while busy:
            for free in wait(list(busy)):
                result = _receive(workers, free)
                done = busy.pop(free)
                for following in islice(batches, 1):
                    _send(workers, free, following)
                    busy[free] = following
                yield done, result
    finally:
        _dismiss(workers, 0.0 if task.folder is None else PATIENCE)


def _start(task: Task) -> tuple[Connection, BaseProcess]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, task), daemon=True)
    process.start()
    theirs.close()
    return ours, process


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Until the workers are started, who inherit this and so never hear it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starts with the first worker, and lets signals through again when it does
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _send(workers: dict[Connection, BaseProcess], pipe: Any, batch: Batch) -> None:
    try:
        pipe.send(batch)
    except OSError:
        raise _lost(workers[pipe]) from None


def _receive(workers: dict[Connection, BaseProcess], pipe: Any) -> Any:
    try:
        answer = pipe.recv()
    except (EOFError, OSError):
        raise _lost(workers[pipe]) from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _lost(process: BaseProcess) -> OSError:
    process.join(PATIENCE)
    return OSError(errno.ECHILD, f"it ended before its time, with exit status {process.exitcode}", "a worker process")


def _dismiss(workers: dict[Connection, BaseProcess], patience: float) -> None:
    for pipe, process in workers.items():
        process.terminate()
        pipe.close()
    last = time.monotonic() + patience
    for process in workers.values():
        process.join(max(0.0, last - time.monotonic()))
        process.kill()
        process.join()
        process.close()


# ---------------------------------------------------------------------- in a worker


def _work(pipe: Connection, task: Task) -> None:
    try:
        desk = Desk(task)
        if task.folder is not None:
            signal.signal(signal.SIGTERM, lambda *_: desk.leave())
        while not desk.leaving:
            pipe.send(desk.run(pipe.recv()))
    except EOFError:
        pass  # the run has ended
    except Exception as error:
        with suppress(ConnectionError):
            pipe.send(error)
