"""For all tests of the workers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from avecaesar.server.workers.pool import Thinkers


@pytest.fixture(scope="module")
def thinkers() -> Iterator[Thinkers]:
    """Two workers for all tests that leave them as they were."""
    made = Thinkers(2)
    asyncio.run(made.open())
    yield made
    asyncio.run(made.close())
