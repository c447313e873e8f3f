"""Threads that work by turns of those who asked: whoever asks for much keeps himself waiting, not others."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from avecaesar.server.fairness import Asker, FairQueue, asking

EXPECTED = 0.002  # seconds that a read or a write takes, as far as one knows

T = TypeVar("T")
Enter = Callable[[Future[Any], Callable[[], Any], Sequence[Asker]], None]


class FairExecutor:
    """An executor; what is next is what whoever is owed most has asked for (`fairness`).

    The event loop asks, and waits for nobody: what it brings is put in its place by the thread that is free next.
    """

    def __init__(self, threads: int, name: str, executor: Executor | None = None) -> None:
        self._threads = threads
        self._executor = executor or ThreadPoolExecutor(threads, name)
        self._brought: deque[Callable[[], None]] = deque()
        # The threads' own:
        self._lock = Lock()
        self._queues: deque[FairQueue[Future[Any]]] = deque([FairQueue()])  # what is next is in the first
        self._work: dict[Future[Any], Callable[[], Any]] = {}

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Have something done, on behalf of whoever asks for it here and now."""
        return self._bring(self._enter, work)

    def shutdown(self) -> None:
        """Do all that waits, and end."""
        self._executor.shutdown()

    def _bring(self, enter: Enter, work: Callable[[], T]) -> Future[T]:
        done: Future[T] = Future()
        self._brought.append(partial(enter, done, work, asking()))
        self._executor.submit(self._do_next)
        return done

    # ------------------------------------------------------------------ in the threads

    def _enter(self, done: Future[Any], work: Callable[[], Any], askers: Sequence[Asker]) -> None:
        self._queues[-1].add(done, askers, EXPECTED)
        self._work[done] = work

    def _do_next(self) -> None:
        """Do one thing: this is called as often as there are things to do."""
        with self._lock:
            while self._brought:
                self._brought.popleft()()
            while not self._queues[0]:
                self._queues.popleft()
            queue = self._queues[0]
            next_one = queue.take(self._threads)
            assert next_one is not None
            work = self._work.pop(next_one)
        begun = time.perf_counter()
        if next_one.set_running_or_notify_cancel():
            try:
                result = work()
            except BaseException as error:
                next_one.set_exception(error)
            else:
                next_one.set_result(result)
        with self._lock:
            queue.done(next_one, time.perf_counter() - begun)
