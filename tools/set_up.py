"""set_up.py GOAL: installs what a command needs into this Python's environment, and says meanwhile what is being done,
how far it is and what comes next: as a bar in a terminal, as lines elsewhere. GOAL is play, develop, test or bench.

It runs before anything is installed, so it uses Python's own library and nothing else. Everything that the programs
behind it print is kept in build/set-up.log.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / "build" / "set-up.log"
WIDTH = 24
PAUSE = 10.0  # seconds between two lines where there is no terminal
# Of the rules, stage by stage: the share before it, and its own.
STAGES = {"race": (0.0, 0.36), "laboratory": (0.36, 0.14), "searcher": (0.5, 0.5)}
UNITS = {"B": 1e-6, "kB": 1e-3, "MB": 1.0, "GB": 1e3}


class Far(NamedTuple):
    """How far a step is."""

    share: float = 0.0  # of the whole
    words: str = "starting"


class Step(NamedTuple):
    """One thing to do: what it is called, what it takes, the command, and how to read how far it is from its lines."""

    name: str
    takes: str
    command: Sequence[str]
    read: Callable[[str, Far], Far]


def pip(name: str, wanted: str, megabytes: int) -> Step:
    """Packages by pip: about so many megabytes in all, as `tools/bare-machine` measures them."""
    loaded = 0.0

    def read(line: str, far: Far) -> Far:
        nonlocal loaded
        if got := re.match(r"\s*(?:Downloading|Using cached) (\S+) \(([\d.]+) (\w+)\)", line):
            loaded += float(got[2]) * UNITS.get(got[3], 0.0)
            package = got[1].rpartition("/")[2].partition("-")[0]
            words = f"{loaded:.0f} of about {megabytes} MB, {package} ({got[2]} {got[3]})"
            return Far(0.9 * min(1.0, loaded / megabytes), words)
        if line.startswith("Installing collected packages"):
            return Far(0.9, f"installing {line.count(',') + 1} packages")
        if line.startswith("Successfully installed"):
            return Far(1.0, f"{len(line.split()) - 2} installed, {loaded:.0f} MB")
        return far

    command = [sys.executable, "-m", "pip", "install", "--progress-bar", "off", "--editable", wanted]
    return Step(name, f"about {megabytes} MB", command, read)


def rules() -> Step:
    """The rules by Numba."""

    def read(line: str, far: Far) -> Far:
        if (found := re.fullmatch(r"(?:(\w+) )?(\d+)/(\d+)", line)) is None:
            return far
        first, share = STAGES.get(found[1], (0.0, 1.0))
        words = f"{found[2]} of {found[3]} functions"
        return Far(first + share * int(found[2]) / int(found[3]), f"{found[1]}: {words}" if found[1] else words)

    return Step("compiling the rules", "about a minute", [sys.executable, "-m", "avecaesar.drivers.warm"], read)


def chromium() -> Step:
    """A browser for the tests of the pages."""

    def read(line: str, far: Far) -> Far:
        return Far(far.share, line.removesuffix(" ..."))

    return Step("Chromium", "if there is none, about 250 MB", [str(ROOT / "tools" / "get-chromium")], read)


GOALS: dict[str, list[Step]] = {
    "play": [pip("packages", ".", 95), rules()],
    "develop": [pip("packages for tests", ".[dev,gpu]", 200)],
    "test": [chromium()],
    "bench": [pip("OpenSpiel", ".[bench]", 30)],
}


class Display:
    """Shows how far a step is: one line that changes in a terminal; elsewhere a line now and then."""

    def __init__(self, number: int, steps: Sequence[Step]) -> None:
        step, after = steps[number], [each.name for each in steps[number + 1 :]]
        self.terminal = sys.stderr.isatty()
        self.begun = self.told = time.monotonic()
        self.far = Far()
        self.name = f"[{number + 1}/{len(steps)}] {step.name}"
        self.after = f"; then {', '.join(after)}" if after else ""
        if self.terminal:
            self.show()
        else:
            self._line(f"{self.name} ({step.takes}){self.after}")

    def show(self) -> None:
        """What there is to say now."""
        if self.terminal:
            bar = "█" * int(WIDTH * self.far.share)
            line = f"{self.name} {bar:░<{WIDTH}} {self._time()}  {self.far.words}{self.after}"
            self._write(f"\r{line[: shutil.get_terminal_size().columns - 1]}\033[K")
        elif time.monotonic() - self.told >= PAUSE:
            self._line(f"  {self._time()}  {self.far.words}")

    def end(self, words: str) -> None:
        """It is over."""
        if self.terminal:
            self._write("\r\033[K")
        self._line(f"{self.name}: {words}, {self._time()}")

    def _time(self) -> str:
        seconds = int(time.monotonic() - self.begun)
        return f"{seconds // 60}:{seconds % 60:02}"

    def _line(self, words: str) -> None:
        self.told = time.monotonic()
        self._write(f"{words}\n")

    def _write(self, text: str) -> None:
        print(text, end="", file=sys.stderr, flush=True)


def run(step: Step, display: Display) -> bool:
    """Carry a step out; a thread keeps the display's clock going while the program behind it is silent."""
    ended = threading.Event()

    def tick() -> None:
        while not ended.wait(0.5):
            display.show()

    with LOG.open("a", encoding="utf-8") as log:
        print("$", *step.command, file=log, flush=True)
        running = subprocess.Popen(
            step.command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, encoding="utf-8", errors="replace",
        )  # fmt: skip
        clock = threading.Thread(target=tick, daemon=True)
        clock.start()
        try:
            assert running.stdout is not None
            for line in running.stdout:
                log.write(line)
                display.far = step.read(line.rstrip(), display.far)
            return running.wait() == 0
        finally:
            running.terminate()
            ended.set()
            clock.join()


def last_words() -> str:
    """Why it failed, in the words of the program that did: its last error, or else its last line."""
    lines = [line for line in LOG.read_text(encoding="utf-8").splitlines() if line.strip() and not line.startswith("$")]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["it did not say why"])[-1]


def main(goal: str) -> int:
    """Set up what a goal needs."""
    steps = GOALS[goal]
    LOG.parent.mkdir(exist_ok=True)
    LOG.write_text("", encoding="utf-8")
    for number, step in enumerate(steps):
        display = Display(number, steps)
        done = run(step, display)
        display.end(display.far.words if done else "failed")
        if not done:
            print(f"{last_words()}\nbuild/set-up.log has all that was said.", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in GOALS:
        sys.exit(f"usage: python tools/set_up.py {'|'.join(GOALS)}")
    try:
        sys.exit(main(sys.argv[1]))
    except KeyboardInterrupt:
        sys.exit("\nInterrupted: the same command goes on from here.")
