"""Telling how a table stands: it goes on whatever fails, and all tables together take one step at a time."""

from __future__ import annotations

import logging

import pytest

from avecaesar.server.tables.announcing import A_CROWD, Announcing
from house import Guest, Harness, fixtures, person, settle

staff, house = fixtures()


def test_one_failure_does_not_end_telling_who_comes_and_goes(
    house: Harness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    livia = person()
    table = house.lay("here", "friend", key=livia).table
    tell = Announcing._tell_some

    def broken(announcing: Announcing) -> None:
        raise RuntimeError("out of order")

    async def crowd() -> None:
        guest = await Guest.at(house.server, table, livia)
        await settle()
        watchers = [await Guest.at(house.server, table)]  # of whom it is told later
        monkeypatch.setattr(Announcing, "_tell_some", broken)
        await house.time.pass_by(A_CROWD)
        assert "could be told who is there" in caplog.text
        monkeypatch.setattr(Announcing, "_tell_some", tell)
        watchers.append(await Guest.at(house.server, table))
        await house.time.pass_by(A_CROWD)
        await guest.until(lambda one: one.table["watchers"] == len(watchers))

    with caplog.at_level(logging.ERROR):
        house.run(crowd())
