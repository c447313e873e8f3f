"""Worker processes, in which drivers think and whatever else takes long is done: the event loop never waits.

One thread hands out the work and hears the answers. Workers are polite (nice), never hear Ctrl-C, and end with the
server, whatever ends it. One that dies is replaced, and what it was at is tried once more.
"""

from __future__ import annotations

import asyncio
import errno
import multiprocessing
import os
import pickle
import signal
import socket
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from avecaesar.errors import plain
from avecaesar.game import Move, Race, View
from avecaesar.players import CHARACTERS, Considered, DriverError, Searcher, advise, driver, in_a_line
from avecaesar.speech import say

LONGEST_NAME = 40  # of a driver, with its budget
LONGEST_THOUGHT = 5  # seconds a move
MOST_PLAYOUTS = 100_000  # a move
LONGEST_WORK = 300.0  # seconds; who takes longer will never end
TRIES = 2
STARTS = 3  # workers in a row that die before they are ready: then nobody is started any more until there is work
NICE = 10
MOST_MEMORY = 2**30  # bytes that a worker may take for its errands, besides what it has when it is ready
LEAVING = 10.0  # seconds for a killed process to be gone
GONE = "the workers have gone home"

T = TypeVar("T")


def allowed_driver(name: str) -> str:
    """The driver's name, if it is one of ours who does not think too long for a server.

    >>> allowed_driver("sibylla@2s")
    'sibylla@2s'
    """
    if name.partition("@")[0] not in CHARACTERS:
        raise DriverError(
            say(
                "there is no driver '{name}' here; there are {drivers}",
                name=plain(name, LONGEST_NAME),
                drivers=", ".join(CHARACTERS),
            )
        )
    made = driver(plain(name, LONGEST_NAME))
    if not isinstance(made, Searcher):
        return name
    if made.cores > 1:
        raise DriverError(
            say("on a server a driver thinks on one core: '{name}' asks for {cores}", name=name, cores=made.cores)
        )
    if made.seconds is not None and made.seconds > LONGEST_THOUGHT:
        raise DriverError(
            say(
                "on a server a driver thinks for at most {most} seconds a move, not {seconds}",
                most=LONGEST_THOUGHT,
                seconds=f"{made.seconds:g}",
            )
        )
    if made.playouts > MOST_PLAYOUTS:
        raise DriverError(
            say(
                "on a server a driver plays at most {most} races a move, not {many}",
                most=f"{MOST_PLAYOUTS:,}",
                many=f"{made.playouts:,}",
            )
        )
    return name


@dataclass(eq=False, slots=True)
class _Errand:
    """Something to be done, and who waits for it."""

    function: Callable[..., Any]
    args: tuple[object, ...]
    seconds: float
    answer: Future[Any] = field(default_factory=Future)
    tries: int = 0


@dataclass(eq=False, slots=True)
class _Worker:
    """A process, and what it is at."""

    pipe: Connection
    process: BaseProcess
    ready: bool = False
    errand: _Errand | None = None
    until: float = 0.0  # when its time is up

    def end(self) -> None:
        """Kill it, and wait until it is gone."""
        self.pipe.close()
        self.process.kill()
        self.process.join(LEAVING)


class Thinkers:
    """So many workers, or one for each core."""

    def __init__(self, workers: int | None = None) -> None:
        self._number = max(2, _cores()) if workers is None else workers
        self._first: Future[None] = Future()  # done when the first worker is ready
        self._first.set_running_or_notify_cancel()
        self._brought: SimpleQueue[_Errand] = SimpleQueue()
        self._bell, self._ear = socket.socketpair()
        self._bell.setblocking(False)
        self._ear.setblocking(False)
        self._closing = False
        self.answers = 0  # how many were heard: who sees it grow knows that somebody is at work
        self._thread = threading.Thread(target=self._run, name="thinkers", daemon=True)
        # The thread's own:
        self._workers: list[_Worker] = []
        self._waiting: deque[_Errand] = deque()
        self._stillborn = 0  # workers in a row that died before they were ready
        self._trouble: OSError = OSError()  # what happened to the last one that was lost

    async def open(self) -> None:
        """Start the workers; the first is ready when this returns, the others follow."""
        self._thread.start()
        await asyncio.wrap_future(self._first)

    async def close(self) -> None:
        """Send the workers home at once. Whoever still waits for one is told so."""
        self._closing = True
        self._ring()
        if self._thread.ident is not None:
            await asyncio.to_thread(self._thread.join)
        self._bell.close()
        self._ear.close()

    async def choose(self, driver: str, view: View) -> Move:
        """What a driver of ours does."""
        return await self.call(_choose, allowed_driver(driver), view)

    async def consider(self, view: View, playouts: int = 2000) -> list[Considered]:
        """What each move earns in so many races as they might go on, the best first."""
        return await self.call(_consider, view, playouts)

    async def ping(self) -> None:
        """Let one worker answer."""
        await self.call(_ping)

    async def call(self, function: Callable[..., T], *args: object, seconds: float | None = None) -> T:
        """What a function of a module gives for arguments that can travel (pickle).

        TimeoutError if a worker is at it for longer than so many seconds, MemoryError if it takes too much of that.
        """
        if self._closing:
            raise RuntimeError(GONE)
        errand = _Errand(function, args, LONGEST_WORK if seconds is None else seconds)
        self._brought.put(errand)
        self._ring()
        answer: T = await asyncio.wrap_future(errand.answer)
        return answer

    def _ring(self) -> None:
        with suppress(BlockingIOError, OSError):  # it is ringing already, or nobody is there any more
            self._bell.send(b"!")

    # ------------------------------------------------------------------ in the thread

    def _run(self) -> None:
        try:
            _never_hear_ctrl_c()
            self._start()
            while not self._closing:
                self._listen()
                self._hand_out()
        finally:
            self._go_home()

    def _listen(self) -> None:
        """Wait until something happens: work is brought, an answer comes, a worker dies, a worker's time is up."""
        busy = [worker.until for worker in self._workers if worker.errand]
        limit = max(0.0, min(busy) - time.monotonic()) if busy else None
        ready = wait([self._ear, *(worker.pipe for worker in self._workers)], limit)
        if self._ear in ready:
            self._ear.recv(4096)
        self._collect()
        for worker in [worker for worker in self._workers if worker.pipe in ready]:
            self._hear(worker)
        now = time.monotonic()
        for worker in [worker for worker in self._workers if worker.errand and worker.until <= now]:
            assert worker.errand is not None
            _fail(worker.errand, TimeoutError(f"this took longer than {worker.errand.seconds:g} seconds"))
            worker.errand = None
            self._lose(worker)

    def _hear(self, worker: _Worker) -> None:
        try:
            answer = worker.pipe.recv_bytes()
        except (EOFError, OSError):
            self._lose(worker)
            return
        if worker.errand is not None:
            self.answers += 1
            _settle(worker.errand, answer)
            worker.errand = None
            return
        worker.ready = True
        self._stillborn = 0
        if not self._first.done():
            self._first.set_result(None)
        for _ in range(self._number - len(self._workers)):
            self._start()

    def _hand_out(self) -> None:
        if self._waiting and not self._workers:
            self._stillborn = 0
            self._start()
        for worker in [worker for worker in self._workers if worker.ready and not worker.errand]:
            self._give_next(worker)

    def _give_next(self, worker: _Worker) -> None:
        """Give a worker the first of the waiting errands that anybody still wants and that can be sent."""
        while self._waiting:
            errand = self._waiting.popleft()
            if not errand.tries and not errand.answer.set_running_or_notify_cancel():
                continue
            try:
                message = pickle.dumps((errand.function, errand.args))
            except Exception as error:
                _fail(errand, error)
                continue
            errand.tries += 1
            worker.errand, worker.until = errand, time.monotonic() + errand.seconds
            try:
                worker.pipe.send_bytes(message)
            except OSError:
                self._lose(worker)
            return

    def _start(self) -> None:
        """Start a worker; give up when several in a row have come to nothing."""
        while self._stillborn < STARTS:
            try:
                self._workers.append(_new_worker())
                return
            except OSError as error:
                self._stillborn += 1
                self._trouble = error
        if not self._workers:
            self._tell_all(self._trouble)

    def _lose(self, worker: _Worker) -> None:
        """Let another worker take a dead one's place and, the first time, its errand."""
        self._workers.remove(worker)
        worker.end()
        code = worker.process.exitcode
        self._trouble = OSError(errno.ECHILD, f"it ended before its time, with exit status {code}", "a worker process")
        if worker.errand is not None and worker.errand.tries < TRIES:
            self._waiting.appendleft(worker.errand)
        elif worker.errand is not None:
            _fail(worker.errand, self._trouble)
        self._stillborn += not worker.ready
        self._start()

    def _tell_all(self, trouble: Exception) -> None:
        """Tell all who wait that nobody is coming."""
        if not self._first.done():
            self._first.set_exception(trouble)
        while self._waiting:
            _fail(self._waiting.popleft(), trouble)

    def _collect(self) -> None:
        with suppress(Empty):
            while True:
                self._waiting.append(self._brought.get_nowait())

    def _go_home(self) -> None:
        self._closing = True
        for worker in self._workers:
            worker.process.kill()  # all of them, before the first is waited for
        for worker in self._workers:
            worker.end()
        self._collect()
        self._waiting.extend(worker.errand for worker in self._workers if worker.errand is not None)
        self._tell_all(RuntimeError(GONE))


def _new_worker() -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs,), name="thinker", daemon=True)
    try:
        process.start()
    finally:
        theirs.close()
    return _Worker(ours, process)


def _settle(errand: _Errand, answer: bytes) -> None:
    try:
        value, error = pickle.loads(answer)
    except Exception as broken:
        value, error = None, broken
    if error is None:
        errand.answer.set_result(value)
    else:
        _fail(errand, error)


def _fail(errand: _Errand, error: Exception) -> None:
    if errand.tries or errand.answer.running() or errand.answer.set_running_or_notify_cancel():
        errand.answer.set_exception(error)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _never_hear_ctrl_c() -> None:
    """Neither this thread nor, from their first moment on, the workers that it starts."""
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # starts with the first worker, and lets signals through again when it does
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


# ---------------------------------------------------------------------- in a worker


def _work(pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    _warm_up()
    if hasattr(os, "nice"):
        os.nice(NICE)  # not before: somebody may be waiting for the server to open
    _limit_memory()
    pipe.send_bytes(b"ready")
    with suppress(EOFError, OSError):  # then the server has ended
        while True:
            pipe.send_bytes(_done(pipe.recv_bytes()))


def _end_with_the_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)


def _warm_up() -> None:
    """Let every driver of ours move once: what is compiled is loaded, and nobody waits for it later."""
    race = Race("white", 4, seed=1)
    view = race.view(race.turn)
    for name in CHARACTERS:
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


def _ping() -> None:
    """Nothing: that it comes back is the answer."""


def _choose(name: str, view: View) -> Move:
    return driver(name).choose(view)


def _consider(view: View, playouts: int) -> list[Considered]:
    return advise(view, playouts)
