"""The store in tests, on a file of their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from avecaesar.server.store.database import Store
from avecaesar.server.store.shapes import Grant, Listing, LogEntry

LIVIA, MARCUS, TITUS = (sha256(name).hexdigest() for name in (b"Livia", b"Marcus", b"Titus"))


def url_of(file: Path) -> str:
    return f"sqlite:///{file}"


@asynccontextmanager
async def opened(file: Path) -> AsyncIterator[Store]:
    store = Store(url_of(file))
    try:
        await store.open()
        yield store
    finally:
        await store.close()


def with_store(file: Path, play: Callable[[Store], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with opened(file) as store:
            await play(store)

    asyncio.run(run())


def entry(number: int, command: str | None = None, at: float | None = None) -> LogEntry:
    return LogEntry(number, float(number) if at is None else at, command, f"event {number}".encode())


async def lay(store: Store, table: str = "circus", *grants: Grant, at: float = 0.0, listed: bool = False) -> None:
    await store.create(table, [entry(0, at=at)], grants, Listing(listed, False, b"laid"))


async def append(store: Store, *entries: LogEntry, table: str = "circus", **more: Any) -> None:
    await store.append(table, entries, Listing(True, True, b"moved on"), **more)
