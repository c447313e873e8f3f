"""For all tests of tables."""

from __future__ import annotations

import pytest

from harness import Asked, Harness


@pytest.fixture
def asked(house: Harness, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """What drivers are asked."""
    return Asked(house, monkeypatch)
