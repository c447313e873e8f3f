"""Garbage collection that holds nobody up: what has outlived several collections is looked through again after a day,
or when twice as much is in use as after the last time: nobody fills the memory with garbage meanwhile.

Nearly all garbage goes by reference counting. Python's collector looks for circles of references only, through all that
there is, which takes a server of some hundred megabytes a quarter of a second, and everybody waits meanwhile. So it
looks often, and each time at little. What is frozen is not looked at, also circles that are in use just then, such as
connections, and are garbage later: so it is not frozen sooner than it must be.

It is never asked what there is (`gc.get_objects`): that holds all of it for a moment, in which a tuple that another
thread is making cannot be finished, and Python raises a SystemError there.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

THRESHOLDS = (700, 10, 3)  # new objects until the youngest are looked through, and how often until older ones are
FULL = 2  # the oldest generation
A_DAY = 24 * 3600.0
GROWN = 2  # times as much in use as after the last thorough collection
SMALL = 4_000_000  # blocks of memory, some 400 MB: a server that has fewer in use may grow
A_LONG_LOOK = 0.004  # seconds of the processor: at some 20,000 objects


@contextmanager
def collecting_little(
    clock: Callable[[], float] = time.monotonic,
    in_use: Callable[[], int] = sys.getallocatedblocks,
    busy: Callable[[], float] = time.thread_time,
) -> Iterator[None]:
    """Meanwhile most full collections look at what is new only."""
    looked, least = clock(), in_use()  # at the last thorough collection
    thorough, begun = False, 0.0

    def collected(phase: str, info: dict[str, Any]) -> None:
        nonlocal thorough, begun, looked, least
        if info["generation"] < FULL:
            return
        if phase == "start":
            thorough = clock() - looked >= A_DAY or in_use() > max(GROWN * least, SMALL)
            if thorough:
                gc.unfreeze()
            begun = busy()
        elif thorough:
            gc.freeze()
            looked, least = clock(), in_use()
        elif busy() - begun > A_LONG_LOOK:
            gc.freeze()

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
