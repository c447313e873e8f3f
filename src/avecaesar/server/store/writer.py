"""The one thread that writes, by turns of those who asked (`fair_executor`); and barriers between what it writes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import TypeVar

from avecaesar.server.fairness import FairQueue
from avecaesar.server.store.fair_executor import FairExecutor

T = TypeVar("T")


class Writer(FairExecutor):
    """An executor with one thread: what it has begun it has done before it begins anything else."""

    def __init__(self, thread: Executor | None = None) -> None:
        super().__init__(1, "writer", thread)

    def submit(self, work: Callable[[], T], *, barrier: bool = False) -> Future[T]:
        """Have something done, on behalf of whoever asks for it here and now.

        A barrier: all that was asked for before is done before it, and all that is asked for later after it.
        """
        if not barrier:
            return super().submit(work)
        with self._lock:  # so that nobody comes in between
            self._queues.append(FairQueue())
            done = super().submit(work)
            self._queues.append(FairQueue())
        return done
