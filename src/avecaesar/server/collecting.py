"""Garbage collection that holds nobody up: what outlives a full collection is looked through again after a day, or
when a large server has doubled in size: nobody fills the memory with garbage meanwhile.

Nearly all garbage goes by reference counting. Python's collector looks for circles of references only, through all that
there is, which takes a server of some hundred megabytes a quarter of a second, and everybody waits meanwhile. So it
looks often, and each time at little.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

THRESHOLDS = (700, 10, 3)  # new objects until the youngest are looked through, and how often until older ones are
FULL = 2  # the oldest generation
A_DAY = 24 * 3600.0
GROWN = 2  # times as much memory as at the last thorough collection
LARGE = 512 * 2**20  # bytes: a server that has less may grow


def resident() -> int:
    """Bytes of this process that are in memory, where the system tells."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    return 0


@contextmanager
def collecting_little(
    clock: Callable[[], float] = time.monotonic, size: Callable[[], int] = resident
) -> Iterator[None]:
    """Meanwhile most full collections look at what is new only."""
    thorough, grown = clock(), size()

    def collected(phase: str, info: dict[str, Any]) -> None:
        nonlocal thorough, grown
        if info["generation"] < FULL:
            return
        if phase == "stop":
            gc.freeze()
        elif clock() - thorough >= A_DAY or size() > max(GROWN * grown, LARGE):
            thorough, grown = clock(), size()
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
