"""The watchdog counts the steps that take too long."""

from __future__ import annotations

import asyncio
import logging
import threading

import pytest

from avecaesar.server.watchdog import QUIET, Watchdog


def test_the_watchdog_counts_the_steps_that_are_too_long_and_names_the_slowest(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = [0.0]

    async def busy(dog: Watchdog) -> None:
        dog.open()
        try:
            await asyncio.sleep(0)
            sum(range(200_000))
            await asyncio.sleep(0)
        finally:
            dog.close()
        await asyncio.sleep(0)  # which ends the step in which it was closed
        steps = dog.steps
        await asyncio.sleep(0)
        assert dog.steps == steps

    async def ask(limit: float) -> Watchdog:
        dog = Watchdog(limit, limit, lambda: now[0])
        await asyncio.create_task(busy(dog))
        return dog

    with caplog.at_level(logging.WARNING, "avecaesar.server"):
        every = asyncio.run(ask(0.0))
        assert every.steps == every.slow > 1  # any step takes longer than nothing
        assert "busy" in every.slowest.name
        assert every.slowest.seconds > 0
        assert sum(kind.many for kind in every.kinds.values()) == every.slow
        assert max(kind.slowest for kind in every.kinds.values()) == every.slowest.seconds
        assert len(barked(caplog)) == 1  # so many slow ones, one line
        none = asyncio.run(ask(float("inf")))
        assert (none.steps, none.slow) == (every.steps, 0)


def test_the_watchdog_names_a_step_whose_handle_is_cancelled_meanwhile() -> None:
    """As a transport's is that stops reading while it reads: else the slowest steps of all would have no name."""

    async def ask() -> Watchdog:
        dog, loop = Watchdog(0.0, float("inf")), asyncio.get_running_loop()
        handles: list[asyncio.Handle] = []

        def stops_itself() -> None:
            handles[0].cancel()

        dog.open()
        handles.append(loop.call_soon(stops_itself))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        dog.close()
        return dog

    assert any("stops_itself" in where for where in asyncio.run(ask()).kinds)


def test_the_watchdog_barks_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]

    async def ask() -> None:
        dog = Watchdog(0.0, 0.0, lambda: now[0])
        dog.open()
        for seconds in (0.0, 1.0, QUIET - 1, QUIET, QUIET + 1):
            now[0] = seconds
            await asyncio.sleep(0)
        dog.close()
        patient = Watchdog(0.0, 3600.0)  # what nobody notices is counted only
        patient.open()
        for _ in range(2):
            await asyncio.sleep(0)
        patient.close()
        assert patient.slow

    with caplog.at_level(logging.WARNING, "avecaesar.server"):
        asyncio.run(ask())
    assert len(barked(caplog)) == 2


def barked(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """What the watchdog of this thread said, not that of a server in another."""
    return [record for record in caplog.records if record.thread == threading.get_ident()]
