"""A watchdog over the event loop: it counts the steps that take so long that everybody waits.

A step is one callback, or a task up to where it waits next. What counts is the processor time of the loop's thread, so
that a busy machine makes no step slow. asyncio has no hook for this (its debug mode measures by the wall clock, and
makes everything slower), so the one method that runs all callbacks is wrapped while a watchdog is at work.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextvars import ContextVar
from inspect import iscoroutine
from typing import Any, NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from avecaesar.errors import plain

LONGEST_STEP = 0.005  # seconds of processor time
NOTICED = 0.1  # seconds: by such a step people notice that they wait, and the log says so
QUIET = 60.0  # seconds between two lines in the log
LONGEST_NAME = 160
INNERMOST = 4  # functions that are named, of those that wait for each other
MOST_KINDS = 200  # functions of slow steps that are counted apart

log = logging.getLogger("avecaesar.server")
_asked: ContextVar[str] = ContextVar("asked", default="")  # by the request that a step belongs to
_dogs: dict[asyncio.AbstractEventLoop, Watchdog] = {}
_run: Callable[[asyncio.Handle], None] = asyncio.Handle._run


class LoopStep(NamedTuple):
    """A step of the event loop: what it was at, and how many seconds it took."""

    name: str
    seconds: float


class SlowSteps(NamedTuple):
    """Slow steps of one function: how many, how many seconds all of them took, and the slowest."""

    many: int
    seconds: float
    slowest: float


class Watchdog:
    """Counts `steps`, those that were `slow`, by function too, and knows the `slowest`."""

    def __init__(
        self,
        limit: float = LONGEST_STEP,
        noticed: float = NOTICED,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limit, self.noticed = limit, noticed
        self.steps = 0
        self.slow = 0
        self.slowest = LoopStep("", 0.0)
        self.kinds: dict[str, SlowSteps] = {}  # of slow steps, by function
        self._clock = clock
        self._told = float("-inf")  # when it last barked
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Watch the loop that is running. (Another kind of loop, such as uvloop's, is not seen.)"""
        self._loop = asyncio.get_running_loop()
        _dogs[self._loop] = self
        asyncio.Handle._run = _watched_run  # type: ignore[method-assign,assignment]

    def close(self) -> None:
        """Watch no longer."""
        if self._loop is not None:
            _dogs.pop(self._loop, None)
        if not _dogs:
            asyncio.Handle._run = _run  # type: ignore[method-assign,assignment]

    def note(self, seconds: float, handle: asyncio.Handle, callback: Any) -> None:
        """A step was slow: count it; and if somebody may have noticed, say so once in a while."""
        self.slow += 1
        name, where = _name_of(handle, callback)
        known = self.kinds.get(where, SlowSteps(0, 0.0, 0.0))
        if where in self.kinds or len(self.kinds) < MOST_KINDS:
            self.kinds[where] = SlowSteps(known.many + 1, known.seconds + seconds, max(known.slowest, seconds))
        if seconds > self.slowest.seconds:
            self.slowest = LoopStep(name, seconds)
        if seconds >= self.noticed and self._clock() - self._told >= QUIET:
            self._told = self._clock()
            log.warning(
                "%d of %d steps of the event loop took longer than %g ms; the slowest took %.1f ms: %s",
                self.slow, self.steps, 1000 * self.limit, 1000 * self.slowest.seconds, self.slowest.name,
            )  # fmt: skip


def _watched_run(handle: asyncio.Handle) -> None:
    dog = _dogs.get(handle._loop)  # type: ignore[attr-defined]
    if dog is None:
        _run(handle)
        return
    callback = handle._callback  # type: ignore[attr-defined]  # which a handle forgets that is cancelled in its own step
    began = time.thread_time()
    _run(handle)
    seconds = time.thread_time() - began
    dog.steps += 1
    if seconds > dog.limit:
        dog.note(seconds, handle, callback)


def _name_of(handle: Any, callback: Any) -> tuple[str, str]:
    """What a step was at, with the request that it belongs to, and without: the function; of a task where it waits."""
    task = getattr(callback, "__self__", None)
    code: Any = task.get_coro() if isinstance(task, asyncio.Task) else callback
    functions = [getattr(code, "__qualname__", None) or type(code).__name__]
    while iscoroutine(code := getattr(code, "cr_await", None)):
        functions.append(code.__qualname__)
    where = " > ".join(functions[-INNERMOST:])
    asked = handle._context.get(_asked, "") if isinstance(task, asyncio.Task) else ""  # a socket serves many requests
    return plain(f"{asked} in {where}" if asked else where, LONGEST_NAME), plain(where, LONGEST_NAME)


class Named:
    """Lets the watchdog know which request a step belongs to."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it on."""
        if scope["type"] in ("http", "websocket"):
            _asked.set(f"{scope.get('method', 'socket')} {scope['path']}")
        await self._app(scope, receive, send)
