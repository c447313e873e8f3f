"""The one thread that writes, by turns of those who asked: whoever writes much keeps himself waiting, not others."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, TypeVar

from avecaesar.server.fairness import FairQueue, asking

EXPECTED = 0.002  # seconds that a write takes, as far as one knows

T = TypeVar("T")


class Writer:
    """An executor with one thread; what is next is what whoever is owed most has asked for (`fairness`)."""

    def __init__(self, thread: Executor | None = None) -> None:
        self._thread = thread or ThreadPoolExecutor(1, "writer")
        self._lock = Lock()
        self._queues: deque[FairQueue[Future[Any]]] = deque([FairQueue()])  # all of one is done before the next
        self._work: dict[Future[Any], Callable[[], Any]] = {}

    def submit(self, work: Callable[[], T], *, barrier: bool = False) -> Future[T]:
        """Have something done, on behalf of whoever asks for it here and now.

        A barrier: all that was asked for before is done before it, and all that is asked for later after it.
        """
        done: Future[T] = Future()
        with self._lock:
            if barrier:
                self._queues.append(FairQueue())
            self._queues[-1].add(done, asking(), EXPECTED)
            self._work[done] = work
            if barrier:
                self._queues.append(FairQueue())
        self._thread.submit(self._do_next)
        return done

    def shutdown(self) -> None:
        """Do all that waits, and end."""
        self._thread.shutdown()

    def _do_next(self) -> None:
        """Do one thing: this is called as often as there are things to do."""
        with self._lock:
            while not self._queues[0]:
                self._queues.popleft()
            queue = self._queues[0]
            next_one = queue.take(1)
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
