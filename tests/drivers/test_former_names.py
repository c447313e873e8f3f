"""Code that was written for 0.6 goes on working, and is told what has moved."""

from __future__ import annotations

import pytest

import avecaesar.players
from avecaesar import Race, drivers


def test_drivers_are_found_where_they_stood_in_0_6_with_a_warning_that_names_the_new_place() -> None:
    with pytest.warns(DeprecationWarning, match=r"is now avecaesar\.drivers\.driver"):
        from avecaesar.players import driver
    race = Race("white", 3, seed=1)
    with pytest.warns(DeprecationWarning, match=r"drivers\.drive"):
        avecaesar.players.drive(race, [driver("greedy")] * 3)
    assert race.over


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_whatever_drivers_offer_is_offered_there_too_and_nothing_else() -> None:
    for name in drivers.__all__:
        assert getattr(avecaesar.players, name) is getattr(drivers, name)
    with pytest.raises(AttributeError, match="has no attribute 'horses'"):
        _ = avecaesar.players.horses
