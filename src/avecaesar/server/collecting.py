"""Garbage collection that holds nobody up: whatever outlives a full collection is not looked through again for an hour.

Nearly all garbage goes by reference counting. Python's collector looks for circles of references only, through all that
there is, which takes a server of some hundred megabytes a quarter of a second, and everybody waits meanwhile.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

THRESHOLDS = (2_000, 10, 25)  # new objects until the youngest are looked through, and how often until older ones are
FULL = 2  # the oldest generation
AN_HOUR = 3600.0


@contextmanager
def collecting_little(clock: Callable[[], float] = time.monotonic) -> Iterator[None]:
    """Meanwhile full collections look at what is new; once an hour at everything."""
    thorough = clock()

    def collected(phase: str, info: dict[str, Any]) -> None:
        nonlocal thorough
        if info["generation"] < FULL:
            return
        if phase == "stop":
            gc.freeze()
        elif clock() - thorough >= AN_HOUR:
            thorough = clock()
            gc.unfreeze()

    usual = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.callbacks.append(collected)
    try:
        yield
    finally:
        gc.callbacks.remove(collected)
        gc.set_threshold(*usual)
        gc.unfreeze()
