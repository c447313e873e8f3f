"""Slow work in a thread, so that the screen goes on responding."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


async def aside(think: Callable[[], T]) -> T:
    """What a function answers that may take its time. Whoever leaves meanwhile does not wait for it."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def tell(setter: Callable[[Any], None], what: object) -> None:
        if not answer.done():
            setter(what)

    def work() -> None:
        try:
            told: tuple[Callable[[Any], None], object] = (answer.set_result, think())
        except Exception as error:
            told = (answer.set_exception, error)
        with suppress(RuntimeError):  # the loop is closed: nobody waits for it any more
            loop.call_soon_threadsafe(tell, *told)

    Thread(target=work, daemon=True).start()
    return await answer
