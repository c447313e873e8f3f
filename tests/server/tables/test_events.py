"""The shapes of the log: theirs alone, with a version, and what an older release wrote is still read."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from avecaesar.game import Play
from avecaesar.server.tables import events as e
from avecaesar.server.wire import messages as msg
from seat_numbers import FIRST

MOVED = b'{"event":"moved","seat":0,"move":{"kind":"play","card":3,"to":8},"by":"person"}'

NAMES = [
    "agreed",
    "appointed",
    "banned",
    "begun",
    "blanked",
    "chosen",
    "closed",
    "declined",
    "dressed",
    "handedon",
    "linked",
    "moved",
    "opened",
    "paused",
    "readied",
    "resumed",
    "said",
    "sat",
    "sealed",
    "shaken",
    "shutout",
    "stood",
    "struck",
    "unsealed",
    "voided",
    "waslaid",
    "wished",
]


def test_the_names_in_the_log_never_change() -> None:
    assert sorted(str(event.__struct_config__.tag) for event in get_args(e.AnyEvent)) == NAMES


def test_an_event_is_written_as_0_6_wrote_it() -> None:
    assert e.encode(e.Moved(FIRST, Play(3, 8), "person")) == MOVED
    assert e.decode(MOVED) == e.Moved(FIRST, Play(3, 8), "person")


def test_a_plan_of_0_6_is_read_with_what_a_plan_may_leave_out() -> None:
    laid = e.decode(b'{"event":"waslaid","plan":{"seats":[{"kind":"here","name":"Livia","colour":"red"}]}}')
    assert isinstance(laid, e.WasLaid)
    assert (laid.plan.seats[0].driver, laid.plan.course, laid.rules) == ("", "white", 1)


def test_the_log_has_every_wish_for_a_table_and_the_same_defaults() -> None:
    """A field that a message gets must be given a place in the log too, or it would be lost."""
    logged = {field.name: field.default for field in msgspec.structs.fields(e.Plan)}
    wished = {field.name: field.default for field in msgspec.structs.fields(msg.NewTable)}
    assert logged == wished


def test_an_event_of_an_older_version_is_brought_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    def second(event: dict[str, Any]) -> dict[str, Any]:
        return event | {"by": "driver"} if event["event"] == "moved" else event

    monkeypatch.setattr(e, "VERSION", 3)
    monkeypatch.setattr(e, "UPCASTS", {1: second, 2: lambda event: event})
    assert e.decode(MOVED) == e.Moved(FIRST, Play(3, 8), "driver")
    written = e.encode(e.Moved(FIRST, Play(3, 8), "person"))
    assert written == MOVED[:-1] + b',"v":3}'
    assert e.decode(written) == e.Moved(FIRST, Play(3, 8), "person")


def test_an_event_of_a_newer_release_says_so() -> None:
    with pytest.raises(e.NewerEvent, match="events of version 2, and this release reads up to 1"):
        e.decode(MOVED[:-1] + b',"v":2}')
