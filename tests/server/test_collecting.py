"""Garbage collection that holds nobody up."""

from __future__ import annotations

import gc
import weakref

import pytest

from avecaesar.server.collecting import A_DAY, LARGE, collecting_little


class Circle:
    """Only the collector frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.parametrize(
    ("days", "begun", "size"),
    [(1, LARGE // 5, LARGE // 5), (0, LARGE // 5, LARGE + 1), (0, LARGE, 2 * LARGE + 1)],
)
def test_what_outlives_a_full_collection_is_looked_at_again_after_a_day_or_much_growth(
    days: int, begun: int, size: int
) -> None:
    now, grown = 0.0, begun
    with collecting_little(lambda: now, lambda: grown):
        circle, short_lived = Circle(), Circle()
        gone, soon_gone = weakref.ref(circle), weakref.ref(short_lived)
        del short_lived
        gc.collect()
        assert soon_gone() is None
        del circle
        gc.collect()
        assert gone() is not None
        now, grown = days * A_DAY, size
        gc.collect()
        assert gone() is None


def test_a_full_collection_finds_little_to_look_through_and_afterwards_all_is_as_usual() -> None:
    usual, hooks = gc.get_threshold(), list(gc.callbacks)
    with collecting_little():
        kept = [Circle() for _ in range(1000)]
        gc.collect()
        assert len(gc.get_objects(generation=2)) < len(kept)
        assert gc.get_threshold() != usual
    assert gc.get_freeze_count() == 0
    assert (gc.get_threshold(), gc.callbacks) == (usual, hooks)
