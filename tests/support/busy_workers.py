"""Workers that are held up for as long as a test likes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from avecaesar.server.workers.pool import Thinkers


def hold_up(pipe: str) -> str:
    """Keeps a worker busy until somebody writes into the pipe."""
    return Path(pipe).read_text()


@asynccontextmanager
async def held_up(thinkers: Thinkers, folder: Path) -> AsyncIterator[None]:
    """No worker is free meanwhile."""
    pipes = [folder / f"pipe {number}" for number in range(thinkers._number)]
    for pipe in pipes:
        os.mkfifo(pipe)
    busy = [asyncio.create_task(thinkers.call(hold_up, str(pipe), takes=0)) for pipe in pipes]
    writing = [await asyncio.to_thread(pipe.open, "w") for pipe in pipes]  # which it can when a worker reads
    try:
        yield
    finally:
        for each in writing:
            each.close()
        await asyncio.gather(*busy)
        for pipe in pipes:
            pipe.unlink()
