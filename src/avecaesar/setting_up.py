"""Compiles in a process of its own, so that whoever waits for it can do something else meanwhile.

First comes what a race needs; the searcher follows at a low priority, and nobody waits for her who does not need her.
Numba is not loaded here, and need not be.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future

from avecaesar.kernel.cache import RACE, SEARCHER, is_ready

PROGRAM = (sys.executable, "-m", "avecaesar.drivers.warm")


class SetUp:
    """What is not compiled yet, being compiled; nothing is started if there is nothing to do."""

    tell: Callable[[int, int], None] | None = None  # how many functions are compiled that a race needs, of how many

    def __init__(self) -> None:
        self.race: Future[None] = Future()  # done when a race can be run
        self.searcher: Future[None] = Future()  # done when she can think, too
        self._stages = {RACE: self.race, SEARCHER: self.searcher}
        self._process: subprocess.Popen[str] | None = None
        for stage, future in self._stages.items():
            if is_ready(stage):
                future.set_result(None)

    def start(self, program: tuple[str, ...] = PROGRAM) -> None:
        """Begin, if there is anything to do."""
        missing = [stage for stage, future in self._stages.items() if not future.done()]
        if missing:
            self._process = subprocess.Popen(
                [*program, *missing],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,  # Ctrl-C is ours to answer
            )
            threading.Thread(target=self._listen, args=(self._process,), name="setting up", daemon=True).start()

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                if found := re.fullmatch(rf"{RACE} (\d+)/(\d+)\n", line):
                    if self.tell is not None:
                        self.tell(int(found[1]), int(found[2]))
                elif (future := self._stages.get(line.removesuffix(" ready\n"))) is not None:
                    future.set_result(None)
        process.wait()
        for future in self._stages.values():  # if it failed: whoever needs it compiles it himself, and is told why not
            if not future.done():
                future.set_result(None)

    def stop(self) -> None:
        """Leave off: what is not in the cache by now will be compiled next time."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


_in_background: SetUp | None = None


def compile_searcher_in_background() -> None:
    """Let her be compiled while something else goes on in this process."""
    global _in_background
    _in_background = SetUp()
    _in_background.start()


def wait_for_searcher() -> None:
    """Until she is compiled, if that is being done in the background: to compile her here as well would take longer."""
    if _in_background is not None:
        _in_background.searcher.result()
