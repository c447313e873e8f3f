"""The one thread that writes, by turns of those who asked (`fair_executor`); and barriers between what it writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

from avecaesar.server.fairness import Asker, FairQueue
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
        return self._bring(self._enter_alone if barrier else self._enter, work)

    def _enter_alone(self, done: Future[Any], work: Callable[[], Any], askers: Sequence[Asker]) -> None:
        self._queues.append(FairQueue())
        self._enter(done, work, askers)
        self._queues.append(FairQueue())
