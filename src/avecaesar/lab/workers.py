"""All cores: worker processes take batches of race numbers and send back totals, which simply add up.

A worker ends when its pipe does, so none outlives the run, whatever ends it. Ctrl-C is the run's to answer: workers
do not hear it. They are stopped; those that record finish the race they are at, so that no half a file is left.
"""

from __future__ import annotations

import errno
import multiprocessing
import signal
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from avecaesar.kernel.policies import RANDOM
from avecaesar.lab.experiment import Experiment
from avecaesar.lab.racing import Races, Totals

Rows = list[list[int]]  # the totals of all batches: whole numbers without limit
Batch = tuple[int, int]  # the first race's number, and how many

# Races in a batch: a fraction of a second of work.
BATCH_IN_PYTHON = 10
BATCH_RECORDED = 20
BATCH = 2_000
BATCH_AT_RANDOM = 20_000
TINY = 4  # so few batches are not worth the start of a process
PATIENCE = 3.0  # seconds for the workers to finish a race


def run(
    experiment: Experiment,
    folder: Path | None = None,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Rows:
    """Run an experiment; returns its totals, the same whatever the number of jobs.

    `folder` is where each race is recorded; `progress` hears now and then how many races are done.
    """
    races = Races(experiment, folder)
    size = _batch_size(races)
    batches = ((first, min(size, experiment.races - first)) for first in range(0, experiment.races, size))
    rows: Rows = []
    done = 0
    if jobs == 1 or experiment.races <= TINY * size:
        results = ((batch, races.run(*batch)) for batch in batches)
    else:
        results = _in_processes(experiment, folder, min(jobs, -(-experiment.races // size)), batches)
    with closing(results):
        for (_, count), totals in results:
            rows = _sum(rows, totals.tolist()) if rows else totals.tolist()
            done += count
            progress(done)
    return rows


def _sum(one: Rows, other: Rows) -> Rows:
    return [[x + y for x, y in zip(*pair, strict=True)] for pair in zip(one, other, strict=True)]


def _batch_size(races: Races) -> int:
    if races.in_python:
        return BATCH_IN_PYTHON
    if races.folder is not None:
        return BATCH_RECORDED
    return BATCH_AT_RANDOM if bool((races.policies == RANDOM).all()) else BATCH


def _in_processes(
    experiment: Experiment, folder: Path | None, jobs: int, batches: Iterator[Batch]
) -> Generator[tuple[Batch, Totals]]:
    """Hand out batches to worker processes, each the next one as soon as it is free."""
    workers: dict[Connection, BaseProcess] = {}
    try:
        with _ctrl_c_held_back():
            for _ in range(jobs):
                pipe, process = _start(experiment, folder)
                workers[pipe] = process
        busy: dict[Any, Batch] = {}
        for pipe, batch in zip(workers, batches, strict=False):
            _send(workers, pipe, batch)
            busy[pipe] = batch
        while busy:
            for free in wait(list(busy)):
                totals = _receive(workers, free)
                done = busy.pop(free)
                for following in islice(batches, 1):
                    _send(workers, free, following)
                    busy[free] = following
                yield done, totals
    finally:
        _dismiss(workers, 0.0 if folder is None else PATIENCE)


def _start(experiment: Experiment, folder: Path | None) -> tuple[Connection, BaseProcess]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, experiment, folder), daemon=True)
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


def _receive(workers: dict[Connection, BaseProcess], pipe: Any) -> Totals:
    try:
        answer: Totals | Exception = pipe.recv()
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


def _work(pipe: Connection, experiment: Experiment, folder: Path | None) -> None:
    try:
        races = Races(experiment, folder)
        if folder is not None:
            signal.signal(signal.SIGTERM, lambda *_: races.leave())
        while not races.leaving:
            pipe.send(races.run(*pipe.recv()))
    except EOFError:
        pass  # the run has ended
    except Exception as error:
        with suppress(ConnectionError):
            pipe.send(error)
