"""What people see while rules are compiled: a bar on a terminal, one line elsewhere, and never a word on stdout.

It happens once after each installation, or when the rules were edited; later everything lies in the cache, and nothing
is said.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

ONE_LINE = "Compiling the rules, once after each installation: this usually takes less than a minute."


class Audience(Protocol):
    """Whoever wants to hear how far it is."""

    def begin(self) -> None:
        """Something is being compiled."""

    def show(self, done: int, total: int) -> None:
        """So many functions are compiled, of so many."""

    def end(self) -> None:
        """Nothing more is being compiled, for now."""


class Stderr:
    """A bar on a terminal; elsewhere one line, however often it begins."""

    def __init__(self) -> None:
        self._told = False
        self._bar: tuple[Progress, TaskID] | None = None

    def begin(self) -> None:
        """Say what takes its time."""
        if multiprocessing.parent_process() is not None:
            return  # a worker: whoever started it speaks for it
        if _on_terminal():
            self._bar = _new_bar()
            self._bar[0].start()
        elif not self._told and sys.stderr is not None:
            print(ONE_LINE, file=sys.stderr, flush=True)
        self._told = True

    def show(self, done: int, total: int) -> None:
        """Move the bar on."""
        if self._bar is not None:
            progress, task = self._bar
            progress.update(task, completed=done, total=total)

    def end(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar[0].stop()
            self._bar = None


@contextmanager
def bar() -> Iterator[Callable[[int, int], None]]:
    """A bar for what is compiled elsewhere, if there is a terminal to show it on."""
    if not _on_terminal():
        yield lambda done, total: None
        return
    progress, task = _new_bar()
    with progress:
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _on_terminal() -> bool:
    """Not where a screen or a test has put something else in its place."""
    terminal = sys.__stderr__
    return terminal is not None and sys.stderr is terminal and terminal.isatty()


def _new_bar() -> tuple[Progress, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    progress = Progress(
        TextColumn("Compiling the rules, once"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("functions"),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    return progress, progress.add_task("", total=None)


audience: Audience = Stderr()


@contextmanager
def told_to(other: Audience) -> Iterator[None]:
    """Tell somebody else for a while."""
    global audience
    before, audience = audience, other
    try:
        yield
    finally:
        audience = before
