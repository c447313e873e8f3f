"""Buckets of many addresses: what is forgotten, what it costs, and who is charged."""

from __future__ import annotations

from itertools import count

import pytest

from avecaesar.server.rates import A_FEW, InMemory, Rate, take_for_all
from work import calls_of

MOST = 2000
RATE = Rate(0.001, 3)


class Clock:
    """Time that passes when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def full(clock: Clock) -> InMemory:
    """As many buckets as there may be, each of which lacks one."""
    rates = InMemory(clock, most=MOST)
    for number in range(MOST):
        clock.now += 1e-6
        assert rates.take("x", str(number), RATE) == 0
    return rates


@pytest.mark.parametrize("again", [0, 1], ids=["new", "touched"])
def test_no_step_looks_through_all_buckets(again: int) -> None:
    """Also when all were touched since they were put in their places."""
    clock = Clock()
    rates = full(clock)
    for number in range(again * MOST):
        rates.take("x", str(number), RATE)
    names = (f"new {number}" for number in count())
    work = [calls_of(lambda: rates.take("x", next(names), RATE)) for _ in range(2 * MOST)]
    assert max(work) < 20 * A_FEW
    assert len(rates) == MOST


def test_of_too_many_buckets_those_are_forgotten_that_lack_least() -> None:
    clock = Clock()
    rates = full(clock)
    spent = [str(number) for number in range(0, MOST, 4)]
    for key in spent:
        while rates.take("x", key, RATE) == 0:
            pass
    for number in range(3 * MOST):
        rates.take("x", f"new {number}", RATE)
    assert all(rates.take("x", key, RATE) > 0 for key in spent)


def test_buckets_that_are_full_again_go_first() -> None:
    clock = Clock()
    rates = full(clock)
    clock.now += 2 / RATE.a_second
    rates.take("x", "spent", RATE, 3)
    for number in range(MOST - 1):
        rates.take("x", f"new {number}", RATE)
    assert len(rates) == MOST
    assert rates.take("x", "spent", RATE) > 0


def test_whoever_is_refused_by_one_bucket_is_charged_by_none() -> None:
    rates, home, network = InMemory(Clock()), Rate(0.001, 3), Rate(0.001, 1)
    both = ("x", "home", home), ("x", "network", network)
    assert take_for_all(rates, both) == 0
    assert take_for_all(rates, both) > 0  # by the network
    assert [rates.take("x", "home", home) > 0 for _ in range(3)] == [False, False, True]
    other = ("x", "home", home), ("x", "elsewhere", network)
    assert take_for_all(rates, other) > 0  # by the household
    assert rates.take("x", "elsewhere", network) == 0
