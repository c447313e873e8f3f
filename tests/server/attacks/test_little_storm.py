"""A storm of a few seconds: every attack of `make storm` strikes, and the innocent notice nothing but that it is late.

Times are measured by `make storm` itself, on a quiet machine; here only states and counts are looked at.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from storm import served, storm
from storm_attacks import KINDS
from storm_report import lines_of, missed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has as many addresses of its own")
SECONDS = 6.0
TABLES = 2


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    with served("--workers", "2") as server:
        found = asyncio.run(storm(server, SECONDS, seed=1, tables=TABLES, nice=0))
        assert server.alive
    return found


def test_every_attack_strikes(report: dict[str, Any]) -> None:
    assert set(report["attacks"]) == {kind.__name__ for kind in KINDS}
    assert all(one["tally"]["struck"] for one in report["attacks"].values())
    assert all(kind.__doc__ for kind in KINDS)


def test_no_innocent_loses_a_move_or_is_refused_one(report: dict[str, Any]) -> None:
    people = report["people"]
    assert people["acknowledged"] == people["moves"] > 0
    assert report["milliseconds"]["ack"]["count"] == people["moves"]
    assert report["milliseconds"]["news"]["count"] >= people["moves"]  # each at one other person's at least
    for what in ("moves lost", "news lost", "moves refused", "lines lost", "tables behind", "turns that passed"):
        assert not people.get(what), (what, people)


def test_the_server_answers_and_nothing_goes_wrong_in_it(report: dict[str, Any]) -> None:
    answers = {what for what in report["answers"] if "health" in what}
    assert "/api/health 200" in answers
    assert answers <= {"/api/health 200", "/api/health TimeoutError"}  # how long it takes is the machine's matter here
    assert not any(one["answers"].get("500") for one in report["attacks"].values())
    # That a step was slow depends on the machine: everything else in its log is a fault.
    assert [line for line in report["errors"] if "steps of the event loop" not in line] == []
    assert report["loop"]["steps"] > 0


def test_the_report_says_which_aims_were_missed(report: dict[str, Any]) -> None:
    text = "\n".join(lines_of(report))
    assert all(kind.__name__ in text for kind in KINDS)
    good = {"p50": 1.0, "p99": 1.0, "p99.9": 1.0, "worst": 1.0, "count": 1}
    fine: dict[str, Any] = report | {"milliseconds": dict.fromkeys(report["milliseconds"], good), "errors": []}
    fine |= {"answers": {"/api/health 200": 9, "/api/ready 200": 1}}
    assert missed(fine) == []
    for name, figure in (("news", {"p99": 1001.0}), ("health", {"worst": 101.0}), ("driver", {"worst": 1001.0})):
        assert len(missed(fine | {"milliseconds": fine["milliseconds"] | {name: good | figure}})) == 1
    assert len(missed(fine | {"people": fine["people"] | {"moves lost": 1}})) == 1
    assert len(missed(fine | {"answers": {"/api/health 503": 1}})) == 1
