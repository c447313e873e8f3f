"""Whose errand is next is found with little work for each that waits, and without looking at those who come later."""

from __future__ import annotations

import pytest

from avecaesar.server.fairness import Asker, FairQueue
from work import calls_of

MANY = 1000
SHORT = 0.1


def queue_of(askers: list[Asker]) -> FairQueue[int]:
    queue = FairQueue[int]()
    for number, asker in enumerate(askers):
        queue.add(number, [asker], SHORT)
    return queue


@pytest.mark.parametrize(
    ("askers", "calls"),
    [
        ([Asker(f"10.0.0.{number % 16}", f"person {number}") for number in range(MANY)], 3),
        ([Asker(f"2001:db8:1:{number:x}::/64", f"person {number}") for number in range(MANY)], 25),
        ([Asker("10.0.0.1", "person")] * MANY, 1),
    ],
    ids=["people", "households", "errands"],
)
def test_to_find_the_next_is_little_work_for_each_that_waits(askers: list[Asker], calls: int) -> None:
    queue = queue_of(askers)
    assert queue.take(2) == 0
    queue.done(0, SHORT)
    assert calls_of(lambda: queue.take(2)) < calls * MANY


def test_the_errands_of_whoever_comes_later_are_not_looked_at() -> None:
    """An address that has been served has very many waiting, and another one has come since."""
    queue = queue_of([Asker("10.0.0.1", f"person {number}") for number in range(MANY)])
    first = queue.take(2)
    assert first is not None
    queue.done(first, SHORT)
    queue.add(-1, [Asker("192.0.2.1", "quiet")], SHORT)
    taken = list[int | None]()
    assert calls_of(lambda: taken.append(queue.take(2))) < 2 * MANY
    assert taken == [-1]
