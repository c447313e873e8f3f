"""The one thread that writes serves by turns."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from threading import Event

import pytest

from avecaesar.server.fairness import Asker, Urgency, on_behalf_of
from avecaesar.server.store.writer import Writer


class Held:
    """A writer who is at work until he is let go, and what he has done since."""

    def __init__(self) -> None:
        self.writer = Writer()
        self.done: list[str] = []
        self._let_go = Event()
        at_work = Event()

        def wait() -> None:
            at_work.set()
            assert self._let_go.wait(60)

        self.writer.submit(wait)
        assert at_work.wait(60)

    def ask(self, name: str, asker: Asker) -> None:
        with on_behalf_of(asker):
            self.writer.submit(partial(self.done.append, name))

    def let_go(self) -> None:
        self._let_go.set()
        self.writer.shutdown()


@pytest.fixture
def held() -> Iterator[Held]:
    one = Held()
    yield one
    one.let_go()


def test_whoever_writes_little_is_next_however_much_a_network_writes(held: Held) -> None:
    for number in range(60):
        for neighbour in range(16):
            address = f"192.0.2.{neighbour}"
            held.ask(f"{address} {number}", Asker(address, address))
    held.ask("Livia", Asker("198.51.100.1", "Livia", Urgency.SEATED))
    held.let_go()
    assert len(held.done) == 60 * 16 + 1
    assert held.done.index("Livia") <= 1


def test_in_a_household_a_seated_person_comes_before_one_who_writes_much(held: Held) -> None:
    for number in range(60):
        held.ask(f"Marcus {number}", Asker("192.0.2.1", "Marcus"))
    held.ask("Livia", Asker("192.0.2.1", "Livia", Urgency.SEATED))
    held.let_go()
    assert held.done.index("Livia") <= 1


def test_what_is_cancelled_before_its_turn_is_not_done_and_the_rest_is(held: Held) -> None:
    given_up = held.writer.submit(partial(held.done.append, "given up"))
    kept = held.writer.submit(partial(held.done.append, "kept"))
    assert given_up.cancel()
    held.let_go()
    assert held.done == ["kept"]
    assert kept.done()


def test_who_asked_is_told_what_went_wrong_and_the_next_is_served(held: Held) -> None:
    def fail() -> None:
        raise OSError("the disk is full")

    failed = held.writer.submit(fail)
    asked = held.writer.submit(lambda: "written")
    held.let_go()
    with pytest.raises(OSError, match="the disk is full"):
        failed.result()
    assert asked.result() == "written"


def test_a_barrier_comes_after_all_that_was_asked_for_before_and_before_all_that_is_asked_for_later(
    held: Held,
) -> None:
    for number in range(5):
        held.ask(f"before {number}", Asker("192.0.2.1", "Marcus"))
    with on_behalf_of(Asker("198.51.100.1", "Livia", Urgency.SEATED)):
        held.writer.submit(partial(held.done.append, "barrier"), barrier=True)
    held.ask("later", Asker("203.0.113.1", "Titus"))
    held.let_go()
    assert held.done == [*(f"before {number}" for number in range(5)), "barrier", "later"]
