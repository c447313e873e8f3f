"""Kernel and independent referee agree, decision by decision, in every edition and option."""

from __future__ import annotations

from collections import Counter

import pytest

from lockstep import run

RACES = 4_000  # `make soak` runs a million
PARTS = 8


@pytest.mark.parametrize("part", range(PARTS))
def test_kernel_and_referee_agree(part: int) -> None:
    seen: Counter[str] = Counter()
    share = RACES // PARTS
    for seed in range(part * share, (part + 1) * share):
        run(seed, seen)
    # A proof that never met a stall, a crash or a waiting chariot would prove little.
    for what in ("crashes", "withdrawals", "ban lifted", "missed: barred", "missed: waiting", "exchanges", "home"):
        assert seen[what], f"500 races without {what}"
