"""What a long command shows while it works, and how many processes it may use.

The bar is drawn by hand, though Rich draws the one of a first start (`first_start`). Rich hides the cursor until it is
told to stop, so a command that is killed would leave a terminal without one; and it writes to one console, while here
lines above the bar go to stdout or stderr, of which one may be a file.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TextIO

WIDTH = 24
MOST_JOBS = 256


class Bar:
    """Progress on the last line of a terminal; silent anywhere else, and where there are fewer than `least`."""

    def __init__(self, total: int, unit: str = "races", *, done: int = 0, least: int = 1) -> None:
        self.total, self.unit, self.before = total, unit, done
        self.begun = time.monotonic()
        self.seen = total >= least and sys.stderr.isatty()
        self.show(done)

    def show(self, done: int) -> None:
        """So many are done, those that were done before among them."""
        if self.seen:
            here, seconds = done - self.before, time.monotonic() - self.begun
            left = _duration(seconds * (self.total - done) / here) + " left" if here else "starting"
            bar = "█" * (WIDTH * done // self.total)
            share = f"{bar:░<{WIDTH}} {100 * done // self.total:3} %"
            _write(f"\r{share}  {done:,} of {self.total:,} {self.unit}, {left}\033[K")

    def tell(self, line: str, stream: TextIO) -> None:
        """Print a line above the bar."""
        self.clear()
        print(line, file=stream, flush=self.seen)

    def clear(self) -> None:
        """Take the bar away."""
        if self.seen:
            _write("\r\033[K")

    def end(self) -> None:
        """All are done: how fast it was."""
        if self.seen:
            here, seconds = self.total - self.before, time.monotonic() - self.begun
            rate = here / max(seconds, 1e-9)
            told = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
            _write(f"\r{here:,} {self.unit} in {_duration(seconds)}, {told} {self.unit} a second\033[K\n")


def _write(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    """As people say it.

    >>> _duration(59.4), _duration(61), _duration(7199), _duration(0.04)
    ('59 s', '1 min 1 s', '1 h 59 min', '0 s')
    """
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"


def cores() -> int:
    """Processes that can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
