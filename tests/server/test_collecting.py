"""Garbage collection that holds nobody up."""

from __future__ import annotations

import gc
import weakref
from functools import partial
from itertools import count

import pytest

from avecaesar.server.collecting import A_DAY, A_LONG_LOOK, SMALL, collecting_little


class Circle:
    """Only the collector frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.parametrize(
    ("days", "begun", "in_use"),
    [(1, SMALL // 5, SMALL // 5), (0, SMALL // 5, SMALL + 1), (0, SMALL, 2 * SMALL + 1)],
)
def test_what_is_frozen_is_looked_at_again_after_a_day_or_much_growth(days: int, begun: int, in_use: int) -> None:
    now, blocks = 0.0, begun
    with collecting_little(lambda: now, lambda: blocks):
        circle, short_lived = Circle(), Circle()
        gone, soon_gone = weakref.ref(circle), weakref.ref(short_lived)
        del short_lived
        gc.collect()
        assert soon_gone() is None
        gc.freeze()
        del circle
        gc.collect()
        assert gone() is not None
        now, blocks = days * A_DAY, in_use
        gc.collect()
        assert gone() is None


def test_a_full_collection_finds_little_to_look_through_and_afterwards_all_is_as_usual() -> None:
    usual, hooks = gc.get_threshold(), list(gc.callbacks)
    with collecting_little(busy=partial(next, count(step=2 * A_LONG_LOOK))):
        kept = [Circle() for _ in range(100)]
        gc.collect()
        assert len(gc.get_objects(generation=2)) < len(kept)
        assert gc.get_threshold() != usual
    assert gc.get_freeze_count() == 0
    assert (gc.get_threshold(), gc.callbacks) == (usual, hooks)


def test_circles_that_are_in_use_at_a_collection_are_not_frozen_at_once() -> None:
    with collecting_little(busy=partial(next, count(step=A_LONG_LOOK / 2))):
        circle = Circle()
        gone = weakref.ref(circle)
        gc.collect()
        del circle
        gc.collect()
        assert gone() is None


def test_a_collection_never_asks_for_all_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever holds them keeps other threads from finishing a tuple: it is a SystemError there, now and then."""
    asked = list[object]()

    def ask(**which: int) -> list[object]:
        asked.append(which)
        return []

    monkeypatch.setattr(gc, "get_objects", ask)
    with collecting_little():
        gc.collect()
    assert not asked
