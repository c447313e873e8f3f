"""A worker: a process of its own that does one errand after another, how it is started and what goes on in it.

It has a low priority, ignores Ctrl-C, takes so much memory and no more, and exits with the server, whatever ends it.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from pathlib import Path

from avecaesar.drivers import CHARACTERS, driver, in_a_line
from avecaesar.game import Race
from avecaesar.kernel.cache import SEARCHER, is_ready
from avecaesar.server.workers.budgets import budget_of
from avecaesar.server.workers.errands import Errand

NICE = 10
MOST_MEMORY = 2**30  # bytes that a worker may take for its errands, besides what it has when it is ready
LEAVING = 10.0  # seconds for a killed process to be gone

ORPHANED = 255  # what is told of a worker when the process that it was forked from has ended, whether it lives or not
FROM_OUTSIDE = (
    (-signal.SIGKILL, -signal.SIGTERM, ORPHANED) if hasattr(signal, "SIGKILL") else ()
)  # who ends so was ended


@dataclass(eq=False, slots=True)
class Worker:
    """A process, and what it is at."""

    pipe: Connection
    process: BaseProcess
    ready: bool = False
    errand: Errand | None = None
    since: float = 0.0  # when that was begun
    until: float = 0.0  # when its time is up

    def end(self) -> None:
        """Kill it, and wait until it is gone."""
        self.pipe.close()
        self.kill()
        self.process.join(LEAVING)

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        if self.process.exitcode == ORPHANED and self.process.pid is not None:  # then that was nothing
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)


def new_worker(polite: bool) -> Worker:
    """Start a worker, polite from its first moment on unless the server waits for it to open.

    The others replace workers that were stopped, which visitors can bring about. Where nothing is forked, getting ready
    takes seconds of work, which must not be done at the server's own priority.
    """
    context = _context()
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, polite), name="thinker", daemon=True)
    try:
        process.start()
    finally:
        theirs.close()
    return Worker(ours, process)


def _context() -> ForkServerContext | SpawnContext:
    """How workers are started: on Linux as forks of one process that has loaded all compiled code (a fork server).

    They share its memory and are ready at once. Elsewhere each begins with nothing.
    """
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["avecaesar.server.workers.warmed"])  # heeded when it starts, with the first worker
    return context


def never_hear_ctrl_c() -> None:
    """Neither this thread nor, from their first moment on, the workers that it starts."""
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # starts with the first worker, and lets signals through again when it does
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


# ---------------------------------------------------------------------- in a worker


def _work(pipe: Connection, polite: bool) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    if polite:
        _be_nice()
    warm_up()
    if not polite:
        _be_nice()
    _limit_memory()
    pipe.send_bytes(b"ready")
    with suppress(EOFError, OSError):  # then the server has ended
        while True:
            pipe.send_bytes(_done(pipe.recv_bytes()))


def _be_nice() -> None:
    if hasattr(os, "nice"):
        os.nice(NICE)


def _end_with_the_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)


def warm_up(searcher: bool = True) -> None:
    """Let every driver of ours move once who is compiled: that is loaded, and nobody waits for it later."""
    race = Race("white", 4, seed=1)
    view = race.view(race.turn)
    for name in CHARACTERS:
        if not budget_of(name) or (searcher and is_ready(SEARCHER)):
            driver(name, seed=1).choose(view)


def _limit_memory() -> None:
    """Let what takes too much fail with MemoryError, here and not in the server.

    The limit is set once for the worker's life: no errand can be forgotten, and what one leaves behind counts, too.
    Only Linux tells how much a process has and keeps to the limit; elsewhere there is none.
    """
    with suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = pages * resource.getpagesize() + MOST_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most if hard < 0 else min(most, hard), hard))


def _done(errand: bytes) -> bytes:
    """What came of it, ready to be sent: a value, or what went wrong."""
    try:
        function, args = pickle.loads(errand)
        return pickle.dumps((function(*args), None))
    except Exception as error:
        error.add_note(f"In a worker process:\n{traceback.format_exc()}")
        return _sent(error)


def _sent(error: Exception) -> bytes:
    with suppress(Exception):
        message = pickle.dumps((None, error))
        pickle.loads(message)  # there are errors that can be packed and not unpacked
        return message
    return pickle.dumps((None, RuntimeError(in_a_line(error))))
