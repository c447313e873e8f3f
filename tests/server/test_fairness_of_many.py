"""Whose errand is next is found with as little work however many wait, and accounts are looked through seldom."""

from __future__ import annotations

import weakref
from functools import partial

import pytest

from avecaesar.server.fairness import Asker, FairQueue, Urgency
from work import calls_of

MANY = 1000
SHORT, LONG = 0.1, 10.0
LITTLE = 600  # calls

CROWDS = {
    "people": [Asker(f"10.0.0.{number % 16}", f"person {number}") for number in range(MANY)],
    "households of a network": [Asker(f"2001:db8:1:{number:x}::/64", "") for number in range(MANY)],
    "households of six networks": [Asker(f"2001:db8:{number % 6}:{number:x}::/64", "") for number in range(MANY)],
    "networks": [Asker(f"2001:db8:{number:x}:1::/64", "") for number in range(MANY)],
    "errands": [Asker("10.0.0.1", "person")] * MANY,
}


def queue_of(askers: list[Asker], takes: float = SHORT) -> FairQueue[int]:
    queue = FairQueue[int]()
    for number, asker in enumerate(askers):
        queue.add(number, [asker], takes)
    return queue


def serve(queue: FairQueue[int], seconds: float = SHORT) -> int | None:
    item = queue.take(3)
    if item is not None:
        queue.done(item, seconds)
    return item


@pytest.mark.parametrize("askers", CROWDS.values(), ids=CROWDS)
@pytest.mark.parametrize("seconds", [SHORT / 100, SHORT, 3 * SHORT])
def test_to_serve_the_next_is_as_little_work_however_many_wait(askers: list[Asker], seconds: float) -> None:
    """Also while the present goes by, and whether an errand takes as long as was thought or not."""
    queue = queue_of(askers)
    for _ in range(MANY // 2):
        assert calls_of(lambda: serve(queue, seconds)) < LITTLE


def test_to_come_and_to_go_is_as_little_work_however_many_wait() -> None:
    askers = CROWDS["households of six networks"]
    queue = queue_of(askers[: MANY // 2])
    serve(queue)
    for number in range(MANY // 2, MANY):
        for step in (
            partial(queue.add, number, askers[-1:], SHORT),
            partial(queue.join, number, askers[number]),
            partial(queue.drop, number),
        ):
            assert calls_of(step) < LITTLE


def test_long_errands_that_may_not_begin_are_not_looked_at() -> None:
    """Of a thousand that wait, and nobody may have them done while so many run, a short one is found at once."""
    queue = queue_of([Asker(f"192.0.2.{number % 250}", f"{number}") for number in range(MANY)], LONG)
    assert [queue.take(3) is None for _ in range(3)] == [False, True, True]
    queue.add(-1, [Asker("192.0.2.1", "quiet", Urgency.UNWATCHED)], SHORT)
    taken = list[int | None]()
    assert calls_of(lambda: taken.append(queue.take(3))) < LITTLE
    assert taken == [-1]


def test_the_errands_of_whoever_comes_later_are_not_looked_at() -> None:
    """An address that has been served has very many waiting, and another one has come since."""
    queue = queue_of([Asker("10.0.0.1", f"person {number}") for number in range(MANY)])
    assert serve(queue) is not None
    queue.add(-1, [Asker("192.0.2.1", "quiet")], SHORT)
    taken = list[int | None]()
    assert calls_of(lambda: taken.append(queue.take(2))) < LITTLE
    assert taken == [-1]


def test_accounts_of_those_who_have_gone_are_looked_through_seldom() -> None:
    """Households come and go without end, while one errand takes long."""
    queue = queue_of([Asker("10.0.0.1", "person")])
    queue.take(3)
    calls = 0
    for number in range(5 * MANY):
        queue.add(number + 1, [Asker(f"2001:db8:{number % 99:x}:{number:x}::/64", "")], SHORT)
        calls += calls_of(lambda: serve(queue))
        assert queue.remembered <= MANY
    assert calls < 5 * MANY * LITTLE


class Errand:
    """What a worker is asked for, which may be large."""


def test_nothing_is_kept_of_errands_that_are_done_or_given_up() -> None:
    queue = FairQueue[Errand]()
    queue.add(Errand(), [Asker("10.0.0.1", "person")], LONG)
    assert queue.take(3) is not None  # and it takes long, so that accounts are kept
    for number in range(100):
        asker = Asker(f"192.0.2.{number}", "")
        errands = [Errand() for _ in range(3)]
        for each in errands:
            queue.add(each, [asker], SHORT)
        first = queue.take(3)
        assert first is not None
        queue.done(first, SHORT)
        for each in errands:
            queue.drop(each)
        seen = [weakref.ref(each) for each in errands]
        del first, each, errands
        assert [ref() for ref in seen] == [None] * 3


def test_whoever_asks_for_the_same_again_and_again_is_no_more_work() -> None:
    queue, asker = queue_of([]), Asker("10.0.0.1", "person")
    queue.add(1, [asker] * MANY, SHORT)
    assert calls_of(lambda: serve(queue)) < LITTLE
