"""Answers whose cost a visitor chooses: kept for whoever asks next, refusals too (negative caching)."""

from __future__ import annotations

import copy
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from avecaesar.errors import BadInput
from avecaesar.server.refused import RefusedError
from avecaesar.server.workers.errands import Crashed
from avecaesar.speech import say

T = TypeVar("T")
PASSING = (429, 503)  # the asker's or the server's trouble of the moment, which says nothing of what was asked for
A_WHILE = 600.0  # seconds: what took too long may have met a busy machine, and is tried again later


@dataclass(frozen=True, slots=True)
class _Outcome(Generic[T]):
    """What came of it: a value, or a refusal."""

    value: T | None = None
    refusal: BadInput | None = None
    too_much: bool = False
    until: float = float("inf")

    def given(self) -> T:
        """The value; a refusal is raised, anew for everybody who hears it."""
        if self.too_much:
            raise RefusedError(say("the server gave up on this: it takes too much time or memory"), status=400)
        if self.refusal is not None:
            raise copy.copy(self.refusal)
        return self.value  # type: ignore[return-value]  # there is one, if it was not refused


class Answers(Generic[T]):
    """A cache (LRU) of answers by key, as many as weigh `most` together.

    What is found wrong (BadInput) is kept like a result; what took too much time or memory, or crashed its workers, is
    kept for a while. Any other failure is nobody's fault and is not kept.
    """

    def __init__(self, most: int, weight: Callable[[T], int] = lambda _: 1) -> None:
        self._most, self._weight = most, weight
        self._kept: OrderedDict[Hashable, tuple[_Outcome[T], int]] = OrderedDict()
        self.weight = 0

    async def of(self, key: Hashable, work: Callable[[], Awaitable[T]]) -> T:
        """The answer of that key, worked out if it is not there.

        Whoever asks meanwhile works at it as well: errands with the same key are shared by `Thinkers.call`, on the
        accounts of all who wait for them.
        """
        kept = self._find(key)
        return (await self._work_out(key, work) if kept is None else kept).given()

    def has(self, key: Hashable) -> bool:
        """Whether the answer of that key, be it a refusal, is there."""
        return self._find(key) is not None

    def _find(self, key: Hashable) -> _Outcome[T] | None:
        if key not in self._kept:
            return None
        outcome, _ = self._kept[key]
        if outcome.until <= time.monotonic():
            self._drop(key)
            return None
        self._kept.move_to_end(key)
        return outcome

    async def _work_out(self, key: Hashable, work: Callable[[], Awaitable[T]]) -> _Outcome[T]:
        try:
            outcome = _Outcome(await work())
        except BadInput as error:
            if isinstance(error, RefusedError) and error.status in PASSING:
                raise
            vars(error).pop("__notes__", None)  # where it happened, which is nobody's business
            outcome = _Outcome(refusal=error.with_traceback(None))
        except (TimeoutError, MemoryError, Crashed):
            outcome = _Outcome(too_much=True, until=time.monotonic() + A_WHILE)
        except ChildProcessError as error:
            raise RefusedError(say("this cannot be worked out just now: try again later"), status=503) from error
        self._keep(key, outcome)
        return outcome

    def _keep(self, key: Hashable, outcome: _Outcome[T]) -> None:
        if key in self._kept:
            self._drop(key)
        weight = 1 if outcome.value is None else self._weight(outcome.value)
        self._kept[key] = outcome, weight
        self.weight += weight
        while self.weight > self._most:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: Hashable) -> None:
        _, weight = self._kept.pop(key)
        self.weight -= weight
