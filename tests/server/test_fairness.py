"""Whose errand is next: shares between addresses and people, urgencies, and a worker that long errands never take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from avecaesar.server import fairness
from avecaesar.server.fairness import (
    LONG,
    NOBODY,
    VERY_LONG,
    Asker,
    FairQueue,
    Urgency,
    asking,
    on_behalf_of,
    share,
)
from avecaesar.server.networks import NEIGHBOURS

SHORT, FOREVER = 0.1, 300.0
SEATED, ASKED, UNWATCHED = Urgency


class Office:
    """Workers who take what the queue gives them, and are done when the test says so."""

    def __init__(self, workers: int) -> None:
        self.queue: FairQueue[str] = FairQueue()
        self.workers = workers
        self.running: list[str] = []
        self.begun: list[str] = []

    def ask(self, name: str, *askers: Asker, takes: float = SHORT) -> None:
        self.queue.add(name, askers, takes)

    def hand_out(self) -> None:
        while len(self.running) < self.workers and (item := self.queue.take(self.workers)) is not None:
            self.running.append(item)
            self.begun.append(item)

    def finish(self, item: str, seconds: float = SHORT) -> None:
        self.running.remove(item)
        self.queue.done(item, seconds)
        self.hand_out()

    def all_done(self, seconds: float = SHORT) -> list[str]:
        """Do everything; in which order it was begun."""
        self.hand_out()
        while self.running:
            self.finish(self.running[0], seconds)
        return self.begun


def of(address: str, person: str = "", urgency: Urgency = ASKED) -> Asker:
    return Asker(address, person or address, urgency)


def test_whoever_asks_for_little_is_next_however_much_another_address_asks_for() -> None:
    office = Office(2)
    for number in range(100):
        office.ask(f"storm {number}", of("storm"))
    office.hand_out()
    office.ask("mine", of("home"))
    office.finish("storm 0")
    assert office.begun == ["storm 0", "storm 1", "mine"]


def test_addresses_take_turns_by_the_time_they_were_given() -> None:
    """Who asks for errands that take three times as long gets a third as many of them done."""
    office = Office(1)
    for number in range(40):
        office.ask(f"slow {number}", of("slow"))
        office.ask(f"quick {number}", of("quick"))
    office.hand_out()
    for _ in range(40):
        item = office.running[0]
        office.finish(item, 0.3 if item.startswith("slow") else 0.1)
    begun = Counter(item.split()[0] for item in office.begun)
    assert begun["quick"] == pytest.approx(30, abs=2)
    assert begun["slow"] == pytest.approx(10, abs=2)


def test_people_of_an_address_take_turns_too() -> None:
    office = Office(1)
    for number in range(20):
        office.ask(f"greedy {number}", of("home", "greedy"))
    office.hand_out()
    office.ask("modest", of("home", "modest"))
    office.finish("greedy 0")
    assert office.begun[-1] == "modest"


def test_many_people_of_an_address_have_no_more_than_one_of_another() -> None:
    office = Office(1)
    for number in range(20):
        office.ask(f"crowd {number}", of("crowd", f"person {number}"))
    for number in range(3):
        office.ask(f"home {number}", of("home"))
    assert [item for item in office.all_done()[:7] if item.startswith("home")] == ["home 0", "home 1", "home 2"]


@pytest.mark.parametrize(("rented", "shares"), [(3, 3), (NEIGHBOURS, NEIGHBOURS), (200, NEIGHBOURS)])
def test_a_network_has_a_share_for_each_address_that_asks_but_not_without_end(rented: int, shares: int) -> None:
    """Whoever rents a network has all its addresses."""
    office = Office(1)
    for number in range(2000):
        office.ask(f"rented {number}", of(f"192.0.2.{number % rented}"))
    for number in range(5):
        office.ask(f"home {number}", of("198.51.100.7"))
    begun = office.all_done()
    assert begun.index("home 4") <= 5 * (shares + 1)


def test_of_a_persons_errands_the_one_he_waits_for_at_his_seat_is_first() -> None:
    office = Office(1)
    for urgency in (UNWATCHED, ASKED, SEATED):
        office.ask(urgency.name, of("home", urgency=urgency))
    assert office.all_done() == ["SEATED", "ASKED", "UNWATCHED"]


def test_a_seat_does_not_buy_what_the_address_has_had_already() -> None:
    """Attackers can sit down, too: budgets come before urgency."""
    office = Office(1)
    for number in range(10):
        office.ask(f"storm {number}", of("storm", f"seat {number}", SEATED))
    office.hand_out()
    office.ask("mine", of("home", urgency=ASKED))
    office.finish("storm 0")
    assert office.begun[-1] == "mine"


def test_what_nobody_watches_has_a_small_share_but_is_done_at_last() -> None:
    office = Office(1)
    for number in range(8):
        office.ask(f"nobody {number}", NOBODY._replace(person=f"table {number}"))
        office.ask(f"home {number}", of("home"))
    begun = office.all_done()
    assert [item.split()[0] for item in begun[:10]].count("nobody") == 2
    assert len(begun) == 16


@pytest.mark.parametrize("workers", [2, 3, 4, 8])
def test_long_errands_never_take_the_last_worker(workers: int) -> None:
    office = Office(workers)
    for number in range(50):
        office.ask(f"long {number}", of(f"address {number}"), takes=LONG + 0.01)
    office.hand_out()
    assert len(office.running) == workers - 1
    office.ask("short", of("home"), takes=LONG)
    office.hand_out()
    assert office.running[-1] == "short"


@pytest.mark.parametrize(("workers", "begun"), [(2, 1), (3, 1), (4, 2), (8, 6)])
def test_what_takes_longer_than_any_driver_leaves_room_for_drivers(workers: int, begun: int) -> None:
    office = Office(workers)
    for number in range(50):
        office.ask(f"chronicle {number}", of(f"address {number}"), takes=FOREVER)
    office.hand_out()
    assert len(office.running) == begun
    office.ask("driver", of("home"), takes=VERY_LONG)
    office.hand_out()
    assert ("driver" in office.running) == (workers > 2)
    office.ask("short", of("home"), takes=SHORT)
    office.hand_out()
    assert office.running[-1] == "short"


@pytest.mark.parametrize(("workers", "held"), [(2, 1), (3, 1), (4, 2), (5, 2), (9, 4)])
def test_an_address_leaves_long_work_room_for_others_but_two_tables_are_served_side_by_side(
    workers: int, held: int
) -> None:
    office = Office(workers)
    for number in range(50):
        office.ask(f"long {number}", of("storm", f"person {number}"), takes=5)
    office.hand_out()
    assert len(office.running) == held == share(workers)
    office.ask("mine", of("home"), takes=5)
    office.hand_out()
    assert ("mine" in office.running) == (workers > 2)
    if workers == 2:
        office.finish("long 0", 5)
        assert office.running == ["mine"]


def test_what_several_wait_for_is_done_once_when_the_turn_of_any_of_them_comes() -> None:
    office = Office(1)
    for number in range(10):
        office.ask(f"storm {number}", of("storm"))
    office.hand_out()
    office.ask("shared", of("storm"))
    office.queue.join("shared", of("home"))
    office.finish("storm 0")
    assert office.running == ["shared"]
    office.queue.join("shared", of("late"))  # which it runs for already
    assert office.all_done().count("shared") == 1


def test_who_has_gone_is_not_worked_for() -> None:
    office = Office(1)
    for number in range(3):
        office.ask(f"{number}", of("home"))
    office.hand_out()
    assert not office.queue.drop("0")  # it runs
    assert office.queue.drop("1")
    assert not office.queue.drop("1")
    assert not office.queue.drop("never heard of")
    assert office.all_done() == ["0", "2"]


def test_what_is_to_be_done_again_waits_again_and_is_paid_for_twice() -> None:
    office = Office(1)
    office.ask("mine", of("home"))
    office.hand_out()
    for number in range(3):
        office.ask(f"other {number}", of("other"))
    office.running.remove("mine")
    office.queue.again("mine", 10 * SHORT)
    assert office.all_done()[1:] == ["other 0", "other 1", "other 2", "mine"]


def test_all_that_waits_can_be_sent_away() -> None:
    office = Office(1)
    for number in range(3):
        office.ask(f"{number}", of("home"))
    office.hand_out()
    assert office.queue.clear() == ["1", "2"]
    assert len(office.queue) == 0
    assert office.all_done() == ["0"]


def test_accounts_are_forgotten_when_nothing_is_to_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fairness, "MOST_REMEMBERED", 10)
    office = Office(1)
    office.ask("long", of("always"), takes=SHORT)
    for number in range(100):
        office.ask(f"{number}", of(f"address {number}"))
        office.hand_out()
        office.finish(office.running[0])
        assert office.queue.remembered <= 10 + 2
    office.all_done()
    assert office.queue.remembered == 0


def test_newcomers_without_end_do_not_keep_anybody_waiting_for_ever() -> None:
    office = Office(1)
    office.ask("first", of("home"))
    office.hand_out()
    office.ask("second", of("home"))
    for number in range(1000):
        office.ask(f"newcomer {number}", of(f"address {number}"))
        office.finish(office.running[0])
        if "second" in office.begun:
            break
    assert len(office.begun) <= 10


def test_on_whose_behalf_something_is_done_is_known_for_as_long_as_it_is_done() -> None:
    assert asking() == (NOBODY,)
    with on_behalf_of(of("home"), of("home"), of("other")):
        assert asking() == (of("home"), of("other"))
        with on_behalf_of(NOBODY):
            assert asking() == (NOBODY,)
        assert asking() == (of("home"), of("other"))
    assert asking() == (NOBODY,)


# ---------------------------------------------------------------------- whatever happens

ADDRESSES = st.sampled_from("abc")
ASKERS = st.lists(st.builds(Asker, ADDRESSES, st.sampled_from("xyz"), st.sampled_from(Urgency)), min_size=1, max_size=3)
STEP = st.one_of(
    st.tuples(st.just("ask"), ASKERS, st.sampled_from([0.0, SHORT, LONG, 1.0, FOREVER])),
    st.tuples(st.just("join"), ASKERS, st.integers(0, 30)),
    st.tuples(st.just("done"), st.integers(0, 5), st.floats(0, 20)),
    st.tuples(st.just("again"), st.integers(0, 5), st.floats(0, 20)),
    st.tuples(st.just("drop"), st.integers(0, 30), st.none()),
)


class Witness:
    """Does what a script says, and sees that no errand is lost, done twice, or begun where it may not be."""

    def __init__(self, workers: int) -> None:
        self.office = Office(workers)
        self.takes: dict[str, float] = {}
        self.ended: Counter[str] = Counter()
        self.retried = 0

    def ask(self, askers: list[Asker], takes: float) -> None:
        name = f"{len(self.takes)}"
        self.takes[name] = takes
        self.office.ask(name, *askers, takes=takes)

    def join(self, askers: list[Asker], number: int) -> None:
        for asker in askers:
            self.office.queue.join(f"{number}", asker)

    def done(self, number: int, seconds: float) -> None:
        if self.office.running:
            name = self.office.running[number % len(self.office.running)]
            self.ended[name] += 1
            self.office.finish(name, seconds)

    def again(self, number: int, seconds: float) -> None:
        if self.office.running:
            name = self.office.running.pop(number % len(self.office.running))
            self.retried += 1
            self.office.queue.again(name, seconds)

    def drop(self, number: int, _: None) -> None:
        waiting = f"{number}" in self.takes and f"{number}" not in {*self.ended, *self.office.running}
        assert self.office.queue.drop(f"{number}") == waiting
        if waiting:
            self.ended[f"{number}"] += 1

    def look(self) -> None:
        self.office.hand_out()
        running = self.office.running
        assert len(set(running)) == len(running) <= self.office.workers
        assert sum(self.takes[name] > LONG for name in running) <= self.office.workers - 1
        assert sum(self.takes[name] > VERY_LONG for name in running) <= max(1, self.office.workers - 2)
        assert len(self.office.queue) == len(self.takes) - len(self.ended) - len(running)
        short = [name for name in self.takes if self.takes[name] <= LONG and name not in {*self.ended, *running}]
        assert not short or len(running) == self.office.workers  # nobody idles while something short waits


@settings(max_examples=300)
@given(st.integers(2, 5), st.lists(STEP, max_size=60))
def test_no_errand_is_lost_or_done_twice_whatever_happens(
    workers: int, script: list[tuple[str, object, object]]
) -> None:
    witness = Witness(workers)
    for what, one, other in script:
        step: Callable[[object, object], None] = getattr(witness, what)
        step(one, other)
        witness.look()
    while witness.office.running:
        witness.done(0, 1.0)
    assert witness.ended == Counter(list(witness.takes))
    assert len(witness.office.begun) <= len(witness.takes) + witness.retried
    assert witness.office.queue.remembered == 0


@settings(max_examples=200)
@given(
    st.integers(2, 4),
    st.lists(st.tuples(ADDRESSES, st.sampled_from("xyz"), st.sampled_from(Urgency), st.floats(0.01, 5)), min_size=1),
    st.sampled_from([SHORT, 5.0]),
)
def test_nobody_starves_while_others_ask_without_end(
    workers: int, others: list[tuple[str, str, Urgency, float]], takes: float
) -> None:
    """An errand is begun before the others have had, each of them, more than it and what they had begun already."""
    office = Office(workers)
    for number in range(400):
        address, person, urgency, cost = others[number % len(others)]
        office.ask(f"{number} {cost}", Asker(address, person, urgency), takes=cost)
        office.hand_out()
        if number == 50:
            office.ask("mine 1", of("home"), takes=takes)
        if len(office.running) == workers or number % 3:
            item = office.running[0]
            office.finish(item, float(item.split()[1]))
    assert "mine 1" in office.begun
