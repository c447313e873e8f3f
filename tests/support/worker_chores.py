"""What workers are given to do in tests, besides driving; and workers for it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, NoReturn

from avecaesar.server.workers.pool import Thinkers


def with_thinkers(workers: int, play: Callable[[Thinkers], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        made = Thinkers(workers)
        try:
            await made.open()
            await play(made)
        finally:
            await made.close()

    asyncio.run(run())


def die(*_: object) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("is dead")


def die_the_first_time(mark: Path) -> str:
    if not mark.exists():
        mark.touch()
        die()
    return "done"


def toil(mark: Path) -> NoReturn:
    mark.write_text("begun")
    while True:
        pass
