"""An errand: what is asked of a worker, for how many who wait, and how they are told what came of it."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from avecaesar.drivers import Considered, advise, driver
from avecaesar.game import Move, View
from avecaesar.server.fairness import Asker


class Crashed(ChildProcessError):
    """An errand has brought down every worker that tried it; any other ChildProcessError is no errand's fault."""


@dataclass(eq=False, slots=True)
class Errand:
    """Something to be done, for how many who wait."""

    function: Callable[..., Any]
    args: tuple[object, ...]
    askers: tuple[Asker, ...]
    limit: float  # seconds after which it is stopped
    takes: float  # seconds within which it ends by itself, as far as one knows
    key: Hashable = None  # by which others find it who want the same
    begins: Callable[[], None] | None = None  # called on the event loop when a worker takes it up
    answer: Future[Any] = field(default_factory=Future)
    tries: int = 0
    # The event loop's own:
    wanted: int = 0
    heard: asyncio.Future[Any] | None = None


def settle(errand: Errand, answer: bytes) -> Exception | None:
    """Tell whoever waits what came of an errand; what went wrong."""
    error: Exception | None
    try:
        value, error = pickle.loads(answer)
    except Exception as broken:
        value, error = None, broken
    if error is None:
        errand.answer.set_result(value)
    else:
        fail(errand, error)
    return error


def fail(errand: Errand, error: Exception) -> None:
    """Tell whoever waits that nothing comes of it."""
    if errand.tries or errand.answer.running() or errand.answer.set_running_or_notify_cancel():
        errand.answer.set_exception(error)


# ---------------------------------------------------------------------- the pool's own, done in a worker


def ping() -> None:
    """Nothing: that it comes back is the answer."""


def choose(name: str, view: View) -> Move:
    """A driver's move."""
    return driver(name).choose(view)


def consider(view: View, playouts: int) -> list[Considered]:
    """What the searcher thinks of each move."""
    return advise(view, playouts)
