"""For all tests of the server: houses, and the workers that they share."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from avecaesar.server.workers.pool import Thinkers
from harness import Harness, open_house, workers


@pytest.fixture(scope="session")
def staff() -> Iterator[tuple[Thinkers, asyncio.Runner]]:
    """Workers for all houses, as they take a second to start."""
    with workers() as shared:
        yield shared


@pytest.fixture
def house(tmp_path: Path, staff: tuple[Thinkers, asyncio.Runner]) -> Iterator[Harness]:
    """A house of the test's own."""
    with open_house(tmp_path, *staff) as opened:
        yield opened
